#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kpredict --probability, and the numbers A and B that wsvmpath fits for it.
. "${0%/*}/tap.sh"

# f = x + 1, P = 1 / (1 + exp(-2 f + 1)).
tabs() { printf '%s\n' "$@" | sed "s/\\([^#]\\) /\\1$tab/g"; }
tabs '# version 1' '# task classify' '# kernel linear' '# target y' \
	'# classes n p' '# bias 1' '# probA -2' '# probB 1' '# rows 1' \
	'(id) (coef) x' '1 1 1' >model
tabs 'x y' '-.5 p' '0 p' '-.75 n' '-1 NA' >rows
run 0 kpredict -m model --probability --digits 6 rows
p() { awk "BEGIN { printf \"%.6g\", 1 / (1 + exp($1)) }"; }
table 'id predicted actual probability:n probability:p' "1 n p 0.5 0.5" \
	"2 p p $(p 1) $(p -1)" "3 n n $(p -.5) $(p .5)" "4 n NA $(p -1) $(p 1)"
err ''
run 0 kpredict -m model rows # f > 0, whatever B is
table 'id predicted actual' '1 p p' '2 p p' '3 p n' '4 n NA'
run 0 sh -c 'kpredict -m model --probability rows | sed 5d | tabscore'
grep -q "^predicted${tab}auc${tab}1$" stdout
ok $? 'tabscore measures them'
run 0 kpredict -m model --probability --shard 2/2 --digits 6 rows
table 'id predicted actual probability:n probability:p' "3 n n $(p -.5) $(p .5)" \
	"4 n NA $(p -1) $(p 1)"
run 2 kpredict -m model --probability --scores rows
err "kpredict: --scores and --probability exclude each other$nl$help"
grep -v prob model >bare
run 65 kpredict -m bare --probability rows
err "kpredict: bare: the model has no probabilities (wsvmpath --cv N --best --save-model and svm-train -b 1 fit them)$nl"
out ''
sed '/prob/d; /classes/d; s/classify/regress/' model >numbers
tabs 'x' '1' >ask
run 0 kpredict -m numbers --probability ask
err "kpredict: warning: --probability is not used with a model that predicts numbers$nl"

# Three machines that agree: p is 1/2, 1/3, 1/6 at x = 0, as log(p_g / p_h) = B.
odds() { awk "BEGIN { printf \"%.17g\", log($1) }"; }
tabs '# version 1' '# task classify' '# kernel linear' '# classes a b c' \
	'# multi one' '# bias 0 0 0' '# probA -1 -1 -1' \
	"# probB $(odds 1.5) $(odds 3) $(odds 2)" '# rows 1' \
	'(id) (coef:a:b) (coef:a:c) (coef:b:c) x' '1 1 1 1 0' >three
tabs 'x' '0' >ask
run 0 kpredict -m three --probability --digits 9 ask
table 'id predicted probability:a probability:b probability:c' '1 a 0.5 0.333333333 0.166666667'
# One model for LIBSVM, with its numbers.
cat >theirs <<'EOT'
svm_type c_svc
kernel_type linear
nr_class 2
total_sv 1
rho -1
label 4 -2
probA -2
probB 1
nr_sv 1 0
SV
1 1:1
EOT
run 0 kpredict -m theirs --probability -y none -x x --digits 6 rows
table 'id predicted probability:4 probability:-2' '1 4 0.5 0.5' \
	"2 4 $(p -1) $(p 1)" "3 -2 $(p .5) $(p -.5)" "4 -2 $(p 1) $(p -1)"

# Fitted by --cv: by hand from the scores of each part, which the command gives.
awk -F, -v OFS=, 'NR == 1 || $5 != "setosa"' "$data/iris.csv" >two.csv
logged 0 wsvmpath --gamma .25 --from .1 --to 10 --cv 4 --seed 3 --best --save-model model \
	-o table two.csv
C=$(awk -F '\t' '$1 == "C" { print $2 }' log)
for i in 1 2 3 4; do
	tabfold --fold $i/4 --seed 3 --part train two.csv >train.tsv
	tabfold --fold $i/4 --seed 3 --part test two.csv >test.tsv
	wsvmpath -q --gamma .25 --from "$C" --to "$C" --print coef --at 1 --save-model part -o table \
		train.tsv
	kpredict -m part --scores test.tsv | sed 1d | cut -f 3,5
done >scores
# The slope of the cross-entropy at A and B of the model.
awk -F '\t' 'FNR == NR { if ($1 == "# probA") A = $2; if ($1 == "# probB") B = $2; next }
	{ n++; y[n] = $1 == "virginica"; f[n] = $2; up += y[n] }
	END {
		for (i = 1; i <= n; i++) {
			t = y[i] ? (up + 1) / (up + 2) : 1 / (n - up + 2)
			e = t - 1 / (1 + exp(A * f[i] + B))
			a += e * f[i]
			b += e
		}
		a /= n
		b /= n
		print a, b
		exit !(n == 100 && A < 0 && a * a < 1e-18 && b * b < 1e-18)
	}' model scores >slope
ok $? "A and B are the fit to the scores of left-out rows: slope $(cat slope)"
cp model once
for j in 2 3; do
	run 0 wsvmpath --gamma .25 -j $j --from .1 --to 10 --cv 4 --seed 3 --best \
		--save-model model -o table two.csv
	cmp -s model once
	ok $? "the same model with -j $j"
done
run 0 kpredict -m model --probability -j 2 two.csv
awk -F '\t' 'NR > 1 { d = $4 + $5 - 1; bad += d * d > 1e-30
	bad += $2 != ($5 > $4 ? "virginica" : "versicolor") }
	END { exit bad > 0 || NR != 101 }' stdout
ok $? 'they add to 1, and the larger one is predicted'
# A model of --at has none.
run 0 wsvmpath --from .1 --to 10 --print coef --at 1 --save-model model -o table two.csv
run 65 kpredict -m model --probability two.csv
# Classes that rows say nothing of: the warning.
awk 'BEGIN { print "x,y"; for (i = 0; i < 40; i++) print i % 7 "," (i % 2 ? "p" : "n") }' >noise.csv
run 0 wsvmpath --from .1 --to .2 --cv 5 --best --save-model model -o table noise.csv
grep -q 'probabilities: 1 of 1 machines do not tell their classes apart' stderr
ok $? 'told of'

# Several classes, on rows that were not learnt: the log loss is that
# of a useful machine, and LIBSVM reads the same from the model.
tabfold --shares 2:1 --part 1 "$data/wine.csv" >train.tsv
tabfold --shares 2:1 --part 2 "$data/wine.csv" >test.tsv
run 0 wsvmpath --from .01 --to 10 --scale zscore --cv 5 \
	--best --save-model model -o table train.tsv
	run 0 kpredict -m model --probability test.tsv
	awk -F '\t' 'NR == 1 { for (j = 4; j <= NF; j++) name[j] = substr($j, 7); next }
		{ sum = 0
			for (j = 4; j <= NF; j++) {
				sum += $j
				bad += $j < 0
				if (name[j] == $3) loss -= log($j)
			}
			bad += (sum - 1) ^ 2 > 1e-28 }
		END { print loss / (NR - 1); exit bad > 0 || !(loss / (NR - 1) < .15) }' \
		stdout >loss
	ok $? "log loss $(cat loss)"

need_commands libsvm-tools svm-train svm-predict
# sparse FILE: a table whose last column is a whole number, as svmlight.
sparse() {
	awk 'NR > 1 { printf "%s", $NF
		for (j = 1; j < NF; j++) printf " %d:%s", j, $j; print "" }' "$1"
}
# same_said TOLERANCE: what svm-predict -b 1 says, in its order of labels.
same_said() {
	sed 1d stdout | cut -f 2,4- >mine
	sed 1d due >theirs.said
	paste -d ' ' theirs.said mine | tr '\t' ' ' | awk -v tol="$1" '{
		h = NF / 2
		bad += $1 != $(h + 1)
		for (j = 2; j <= h; j++) {
			d = $j - $(h + j)
			bad += d * d > tol * tol
		}
	} END { exit bad > 0 || NR < 20 }'
}
tabscale train.tsv >scaled.tsv
sparse scaled.tsv >train.svm
run 0 svm-train -q -b 1 -t 2 train.svm theirs.model
run 0 svm-predict -b 1 train.svm theirs.model due
run 0 kpredict -m theirs.model --probability scaled.tsv
same_said .01 # it stops before its iteration has ended
ok $? 'three classes: as svm-predict -b 1'
awk 'NR == 1 || $NF != 3' scaled.tsv >pair.tsv
sparse pair.tsv >pair.svm
run 0 wsvmpath --scale none --from .01 --to 10 --cv 5 --best --save-model own.libsvm \
	-o table pair.tsv
run 0 svm-predict -b 1 pair.svm own.libsvm due
run 0 kpredict -m own.libsvm --probability pair.tsv
same_said 1e-6
ok $? 'two classes: svm-predict -b 1 says the same of our model'
run 0 wsvmpath --scale none --from .01 --to 10 --cv 5 --best --save-model own.libsvm \
	-o table scaled.tsv
run 0 svm-predict -b 1 train.svm own.libsvm due
run 0 kpredict -m own.libsvm --probability scaled.tsv
same_said .01
ok $? 'and of one of three'

done_testing
