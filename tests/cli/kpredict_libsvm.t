#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kpredict and wsvmpath: models of LIBSVM, read and written, against svm-train and
# svm-predict where these are installed.
. "${0%/*}/tap.sh"

# f = x - 2 z + 1: label 4 where it is above 0, else -2.
cat >model <<'EOT'
svm_type c_svc
kernel_type linear
nr_class 2
total_sv 2
rho -1
label 4 -2
nr_sv 1 1
SV
1 1:1 
-2 2:1 
EOT
tabs 'x z y name' '0 0 4 a' '1 1 -2 b' '5 1 9 c' '-5 0 NA d' >rows

run 0 kpredict -m model -y y -x !name rows
table 'id predicted actual' '1 4 4' '2 -2 -2' '3 4 9' '4 -2 NA'
err ''
run 0 kpredict -m model -x z,x -y y --scores --id name rows
table 'id predicted actual score:4 score:-2' 'a 4 4 1 -1' \
	'b -2 -2 0 0' 'c -2 9 -8 8' 'd 4 NA 11 -11' # z first
run 0 kpredict -m model -x !y -y none --id name rows
table 'id predicted' 'a 4' 'b -2' 'c 4' 'd -2'
cut -f 1,2 rows >plain
run 65 kpredict -m model plain
err "kpredict: plain:1: 1 features where the model has 2 (-y, -x, -y none?)$nl"
run 0 kpredict -m model -y none plain
table 'id predicted' '1 4' '2 -2' '3 4' '4 -2'
run 0 sh -c 'sed 1d plain | gzip | kpredict -m model -y none -H'
table 'id predicted' '1 4' '2 -2' '3 4' '4 -2'
run 0 sh -c 'gzip <model | kpredict -m - -x x,z -y y --shard 2/2 rows'
table 'id predicted actual' '3 4 9' '4 -2 NA'
printf '+4 qid:1 2:0\n-2 1:1 2:1 # so\n9 3:7\n' >rows.svm # a third feature
tabscale --method none --format svmlight rows.svm >rows.tsv
run 0 kpredict -m model -x V1:V3 -y label rows.tsv
table 'id predicted actual' '1 4 4' '2 -2 -2' '3 4 9'
run 65 kpredict -m model --na mean -y none plain
err "kpredict: model: a LIBSVM model has no means of its features (--na mean)$nl"
run 65 kpredict -m model -x x,z -y 5 rows
err "kpredict: rows:1: column \"5\": not found$nl"

# A model of three classes, by hand: votes, of equal ones the first label.
cat >three <<'EOT'
svm_type nu_svc
kernel_type linear
nr_class 3
total_sv 3
rho .1 2 .3
label 3 1 2
nr_sv 1 1 1
SV
1 .5 1:1
-1 2 2:1
-.5 -2 1:1 2:1
EOT
tabs 'x z y' '-1 -2 3' '0 0 2' '-1 0 1' '0 -5 3' >rows3
run 0 kpredict -m three rows3
table 'id predicted actual' '1 3 3' '2 2 2' '3 1 1' '4 3 3'
run 0 kpredict -m three -y none -x !y --scores rows3
table 'id predicted score:3 score:1 score:2 pair:3:1 pair:3:2 pair:1:2' \
	'1 3 1 1 1 0.9 -1 1.7' '2 2 0 1 2 -0.1 -2 -0.3' \
	'3 1 0 2 1 -1.1 -2 1.7' '4 3 2 0 1 4.9 0.5 -0.3'

# As svm-predict: blanks behind SV, and blank lines at the end.
{ sed 's/^SV$/SV /' model && printf '\n \n'; } >blank
kpredict -m model -y y -x !name rows >due
run 0 kpredict -m blank -y y -x !name rows
cmp -s due stdout
ok $? 'blanks behind SV and blank lines at the end'
# A model of some bytes does not ask for gigabytes.
awk 'BEGIN {
	print "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 1000\nrho 0\nlabel 1 2\nnr_sv 500 500\nSV"
	for (i = 0; i < 1000; i++) print (i < 500 ? 1 : -1) (i == 999 ? " 10000000:1" : " 1:1")
}' >wide
refuse 'wide:1009: index 10000000: too large for a model of this size' -m wide rows
# Models that are none.
sed 's/linear/sigmoid/' model >bad
refuse 'bad:2: key "kernel_type": sigmoid: it is not semidefinite, and no kernel of kith' -m bad rows
sed 's/linear/precomputed/' model >bad
refuse 'bad:2: key "kernel_type": precomputed: the model has numbers of rows in place of the rows' -m bad rows
sed 's/rho/roh/' model >bad
refuse "bad:5: key \"roh\": unknown" -m bad rows
sed 's/2:1/2;1/' model >bad
refuse "bad:10: not INDEX:VALUE: '2;1'" -m bad rows
sed '$d' model >bad
refuse 'bad: 1 rows where key "total_sv" says 2: not the whole model' -m bad rows
sed '/^label/d' model >bad
refuse 'bad:7: key "label": not found' -m bad rows

# With models that name their columns, options for places change nothing.
awk -F , -v OFS=, 'NR == 1 { print } NR > 1 && $5 != "setosa" {
	$5 = $5 == "virginica" ? 1 : -1; print }' "$data/iris.csv" >two.csv
run 0 wsvmpath --scale none --from 1 --to 10 --print coef --at 1 --save-model own two.csv
run 0 kpredict -m own two.csv
mv stdout said
run 0 kpredict -m own -x 1 -y 2 two.csv
cmp -s said stdout
ok $? 'the same'
err "kpredict: warning: --target is not used with a model that names its columns
kpredict: warning: --features is not used with a model that names its columns$nl"

# wsvmpath: what cannot be such a model.
awk -F , -v OFS=, 'NR > 1 { $5 = NR % 3 } 1' "$data/iris.csv" >several.csv
run 65 wsvmpath --scale none -q --from 1 --to 2 --print coef --at 1 --save-model new.libsvm -o path "$data/wdbc.csv"
err "wsvmpath: $data/wdbc.csv: class 'B': the classes of a LIBSVM model are whole numbers (sed or awk can number them)$nl"
[ ! -e new.libsvm ] && [ ! -e path ]
ok $? 'nothing is written'
run 65 wsvmpath --from 1 --to 2 --print coef --at 1 --save-model new.libsvm --scale zscore two.csv
err "wsvmpath: two.csv: a LIBSVM model scales no features (tabscale beforehand, and --scale none?)$nl"
tabs 'feature weight' 'petal_length 2' >w
run 65 wsvmpath --from 1 --to 2 --print coef --at 1 --save-model new.libsvm -w w two.csv
err "wsvmpath: two.csv: a LIBSVM model has no weights of features$nl"

# There and back: the same scores, whatever way the model is saved.
command=wsvmpath
# back NAME COLUMNS ARG...: of $command, their model needs COLUMNS, words, to read the rows.
back() {
	name=$1
	columns=$2
	shift 2
	run 0 $command -q --scale none "$@" --save-model own -o table two.csv
	run 0 $command -q --scale none "$@" --save-model theirs.libsvm -o table two.csv
	kpredict -q -m own --scores two.csv >a
	# shellcheck disable=SC2086 # words
	kpredict -q -m theirs.libsvm --scores $columns two.csv >b
	# The columns of classes may stand in another order.
	awk -F '\t' 'FNR == 1 { for (j = 1; j <= NF; j++)
		if ($j == "score:1" || $j == "predicted") c = j }
		{ print $2 >(FILENAME ".class") }
		{ print $c >(FILENAME ".score") }' a b
	cmp -s a.class b.class
	ok $? "$name: the same classes"
	near a.score b.score 1e-11 "$name: the same scores"
}
for kernel in gaussian linear polynomial; do
	back $kernel "" --from 1 --to 10 --print coef --at .3 --kernel $kernel
done
back regress "-y 4 -x 1:3" --task regress --epsilon .1 -y 4 -x 1:3 --from 1 --to 5 --print coef --at 1
awk -F , -v OFS=, '{ print $0, (NR == 1 ? "q" : NR % 3) }' two.csv >ranks.csv
run 0 wsvmpath --scale none -q --task rank --query q -y class --from 1 --to 2 --print coef --at 1 \
	--save-model own -o table ranks.csv
run 0 wsvmpath --scale none -q --task rank --query q -y class --from 1 --to 2 --print coef --at 1 \
	--save-model theirs.libsvm -o table ranks.csv
kpredict -q -m own ranks.csv | sed 1d | cut -f 2 >a
kpredict -q -m theirs.libsvm -y class -x !q ranks.csv | sed 1d | cut -f 2 >b
near a b 1e-12 'rank: the same scores'
back cross "" --from .1 --to 10 --cv 3 --best
awk -F , -v OFS=, 'NR % 4 != 2 && NR > 1 { $5 = "" } 1' two.csv >some.csv
cp two.csv all.csv
cp some.csv two.csv
command=svmtransduce
back transduce "" --unlabelled 10
mv all.csv two.csv

# Against LIBSVM itself.
need_commands libsvm-tools svm-train svm-predict
# sparse FILE: a table whose last column is a whole number, as svmlight.
sparse() {
	awk -F , 'NR > 1 { printf "%s", $NF
		for (j = 1; j < NF; j++) if ($j != 0) printf " %d:%s", j, $j
		print "" }' "$1"
}
awk -F , -v OFS=, 'NR > 1 { $5 = $5 == "setosa" ? 7 : $5 == "virginica" ? -3 : 2 } 1' \
	"$data/iris.csv" >iris.csv
awk -F , -v OFS=, 'NR > 1 { for (j = 1; j < NF; j++) $j = ($j - 5 * j) / 20
	$NF = $NF == "M" } 1' "$data/wdbc.csv" >wdbc.csv
for set in two iris wdbc; do
	awk 'NR == 1 || NR % 3' $set.csv >train.csv
	awk 'NR == 1 || NR % 3 == 0' $set.csv >test.csv
	sparse train.csv >train.svm
	sparse test.csv >test.svm
	tabscale -q --method none --format svmlight test.svm >svmlight.tsv
	for type in 0 1 2 3 4; do
		c=1
		[ $type -lt 3 ] || c=.05 # else it takes seconds
		for kernel in 0 1 2; do
			svm-train -q -s $type -t $kernel -d 2 -r 1 -g .02 -c $c train.svm \
				their.model >/dev/null 2>&1
			svm-predict test.svm their.model due >/dev/null
			kpredict -q -m their.model test.csv >of_csv
			kpredict -q -y label -m their.model svmlight.tsv >of_svm
			cmp -s of_csv of_svm
			ok $? "$set -s $type -t $kernel: the same of CSV and svmlight"
			awk -v number=$((type > 2)) '
				NR == FNR { due[NR + 1] = $1; rows = NR; next }
				FNR == 1 { next }
				{
					d = due[FNR] - $2
					bad = bad || (number ? d > 1e-8 || d < -1e-8 : due[FNR] != $2)
				}
				END { exit bad || rows < 30 || FNR != rows + 1 }' due of_csv
			ok $? "$set -s $type -t $kernel: all rows as svm-predict says"
		done
	done
	for kernel in gaussian linear polynomial; do
		run 0 wsvmpath --scale none -q --from .1 --to 10 --kernel $kernel --print coef --at .4 \
			--save-model own -o table train.csv
		run 0 wsvmpath --scale none -q --from .1 --to 10 --kernel $kernel --print coef --at .4 \
			--save-model theirs.libsvm -o table train.csv
		run 0 svm-predict test.svm theirs.libsvm due
		kpredict -m own test.csv | awk 'NR > 1 { print $2 }' | cmp -s due -
		ok $? "$set, $kernel: svm-predict says what kpredict says"
	done
done
run 0 wsvmpath --scale none -q --task regress --epsilon .1 --from 1 --to 5 --print coef --at 1 \
	--save-model own -o table train.csv
run 0 wsvmpath --scale none -q --task regress --epsilon .1 --from 1 --to 5 --print coef --at 1 \
	--save-model theirs.libsvm -o table train.csv
run 0 svm-predict test.svm theirs.libsvm due
kpredict -m own test.csv | sed 1d | cut -f 2 >got
near due got 1e-6 'numbers, as svm-predict prints them'

done_testing
