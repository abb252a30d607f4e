#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# knnclf: what it prints, and how it fails.
. "${0%/*}/tap.sh"

printf 'a\tb\tcolour\n0\t0\tred\n4\t4\tblue\n5\t4\tblue\n' >train
printf 'a\tb\n1\t1\n4\t5\n' >ask

run 0 knnclf --scale none -k 1 -t train ask
table 'id predicted' '1 red' '2 blue'
err ''
run 0 knnclf --train train -k 3 ask
table 'id predicted' '1 blue' '2 blue'
run 0 knnclf --scale none -k 1 -t train - <ask
table 'id predicted' '1 red' '2 blue'
run 0 knnclf -t train -k 1,3 --scores ask
table 'id predicted_1 predicted_3 score_1:blue score_1:red score_3:blue score_3:red' \
	'1 red blue 0 1 0.6666666666666666 0.3333333333333333' \
	'2 blue blue 1 0 0.6666666666666666 0.3333333333333333'
run 0 knnclf --scale none -k 1 -t - ask <train
table 'id predicted' '1 red' '2 blue'

# Columns go by name: other order, others left out, the target as "actual".
printf 'b\tcolour\tx\ta\n1\tblue\t-\t1\n5\t?\t"NA"\t4\n' >mixed
run 0 knnclf --scale none -k 1 -t train mixed
table 'id predicted actual' '1 red blue' '2 blue NA'
run 0 knnclf --scale none -k 1 -t train --id x mixed
table 'id predicted actual' '- red blue' '"NA" blue NA'
run 0 knnclf --scale none -k 1 -t train --print errors mixed
table 'k n errors error se' '1 1 1 1 NA'
run 65 knnclf -t train --print errors ask
out ''
err "knnclf: ask:1: column \"colour\": not found$nl"
printf 'a\tb\tcolour\n0\t0\t?\n' >unlabelled
run 0 knnclf --scale none -k 1 -t train --print errors unlabelled
table 'k n errors error se' '1 0 0 NA NA'

# Numbers as targets.
printf 'a,y\n0,1\n1,2\n4,6\n5,NA\n' >line
run 65 knnclf --loo --task regress line
err "knnclf: line:5: column \"y\": missing: 'NA' (leave the row out? --na is for features)$nl"
sed 4d line | sed '$d' >line3
printf 'a,y\n0,1\n1,2\n4,6\n' >line3
run 0 knnclf --loo --task regress -k 1,2 line3
table 'k n rmse se' '1 3 2.449489742783178 1.0206207261596576' \
	'2 3 3.24037034920393 0.8100925873009825'
printf 'a,y\n0,1e200\n1,-1e200\n' >squares # which do not fit a double
run 0 knnclf --loo --task regress -k 1 squares
table 'k n rmse se' '1 2 2e+200 0'
run 0 knnclf -t line3 --task regress -k 1 --print errors line
table 'k n rmse se' '1 3 0 0'
run 0 knnclf -t line3 --task regress -k 2 line
table 'id predicted actual' '1 1.5 1' '2 1.5 2' '3 4 6' '4 4 NA'
run 0 knnclf -t line3 --task regress -k 2 --vote distance line
table 'id predicted actual' '1 1 1' '2 2 2' '3 6 6' '4 5.2 NA'

# Votes.
printf 'x,c\n-1,p\n2,q\n3,q\n' >three
printf 'x\n0\n' >zero
run 0 knnclf -t three -k 3 zero
table 'id predicted' '1 q'
run 0 knnclf -t three -k 3 --vote distance --scores zero
table 'id predicted score:p score:q' \
	'1 p 0.5454545454545455 0.45454545454545453'
run 0 knnclf --scale none -t three -k 3 --vote kernel --sigma 1 --scores zero
due=$(awk 'BEGIN { p = exp(-.5); q = exp(-2) + exp(-4.5)
	printf "%.12g", p / (p + q) }')
got=$(awk 'NR == 2 { printf "%.12g", $3 }' stdout)
[ "$got" = "$due" ]
ok $? 'Gaussian votes'
logged 0 knnclf --scale none -t three -k 2 --vote kernel zero
printf 'x,c\n1,p\n1,p\n1,q\n' >flat
run 0 knnclf --loo -k 1 --vote kernel flat
err "knnclf: warning: the distances to the k-th neighbour are all 0: sigma is 1$nl"

# Votes that look at more than distances: with nnk the row behind another one
# has none, with kstar far rows have none.
printf 'x,c\n1,p\n2,q\n-3,q\n' >behind
run 0 knnclf --scale none -t behind -k 3 --vote nnk --sigma 1 --scores zero
due=$(awk 'BEGIN { b = exp(-.5); c = exp(-4.5); a = exp(-8)
	p = (b - a * c) / (1 - a * a); q = (c - a * b) / (1 - a * a)
	printf "%.12g", p / (p + q) }')
got=$(awk 'NR == 2 { printf "%.12g", $3 }' stdout)
[ "$got" = "$due" ]
ok $? 'a neighbour behind another one has no vote'
run 0 knnclf --scale none -t behind -k 3 --vote kstar --scores zero
table 'id predicted score:p score:q' '1 p 1 0'
run 0 knnclf --scale none -t behind -k 3 --vote kstar --ratio 0.5 --scores zero
due=$(awk 'BEGIN { lambda = (1.5 + sqrt(1.75)) / 2
	printf "%.12g", (lambda - .5) / (2 * lambda - 1.5) }')
got=$(awk 'NR == 2 { printf "%.12g", $3 }' stdout)
[ "$got" = "$due" ]
ok $? 'two of three have a vote'
run 0 knnclf -t behind -k 3 --vote kstar --ratio 9 --scores zero
table 'id predicted score:p score:q' '1 p 1 0'
printf 'x,c\n0,p\n1,q\n' >origin
run 65 knnclf -t behind -k 1 --vote nnk --kernel cosine origin
err "knnclf: origin: row 1: all features are 0: no cosine$nl"
printf 'feature\tweight_abs\nx\t1\n' >abs
run 65 knnclf -t behind -k 1 --vote nnk -w abs zero
out ''
run 0 knnclf -t behind -k 1 --vote nnk --kernel linear --sigma 2 zero
err "knnclf: warning: --sigma is not used with --kernel linear$nl"
run 0 knnclf --scale none -k 1 -t behind --kernel linear --ratio 2 zero
err "knnclf: warning: --kernel is not used with --vote majority
knnclf: warning: --ratio is not used with --vote majority$nl"

# Weights go by name, and are 0 for a feature without.
printf 'a\tb\n0\t9\n' >tall
printf 'feature\tweight\na\t1\n' >w
run 0 knnclf -k 1 -t train -w w tall
table 'id predicted' '1 red'
printf 'weight,feature\n1,b\n0,a\n' >w
run 0 knnclf -t train -w w tall
table 'id predicted' '1 blue'
run 0 knnclf -t train -w - tall <w
table 'id predicted' '1 blue'
printf 'feature1\tfeature2\tweight\nb\tb\t1\n' >w
run 0 knnclf -t train -w w tall
table 'id predicted' '1 blue'
printf 'feature1\tfeature2\tweight_abs\nb\tb\t1\na\tb\t-9\n' >w
run 0 knnclf -t train -k 3 -w w tall
run 65 knnclf -t train -k 3 --vote distance -w w tall
out ''
err "knnclf: the weights make a distance below 0 (--vote majority?)$nl"
printf 'feature\tweight\nc\t1\n' >w
run 65 knnclf -t train -w w ask
err "knnclf: w:2: column \"feature\": not among the features: 'c'$nl"
printf 'feature\tweight\na\t1\na\t1\n' >w
run 65 knnclf -t train -w w ask
err "knnclf: w:3: column \"feature\": named twice: 'a'$nl"
printf 'feature\tweight\na\t-1\n' >w
run 0 knnclf -k 1 -t train -w w ask
err "knnclf: warning: w: 1 negative weight counts as 0$nl"
cp stdout due
printf 'feature\tweight\na\t0\n' >w
run 0 knnclf -k 1 -t train -w w ask
cmp -s stdout due
ok $? 'as 0'

# Expected distance: all rows of a class, weighed by exp(-d/sigma).
run 0 knnclf --scale none -t three --vote expected --scores zero
due=$(awk 'BEGIN { b = exp(-4); c = exp(-9); q = (4 * b + 9 * c) / (b + c)
	printf "%.12g", q / (1 + q) }')
got=$(awk 'NR == 2 { printf "%.12g", $3 }' stdout)
[ "$got" = "$due" ]
ok $? 'shares as 1 over the expected distance'
run 0 knnclf --scale none -t three --vote expected --sigma 1e-300 --scores zero
table 'id predicted score:p score:q' '1 p 0.8 0.2'
run 0 knnclf --scale none -t three --vote expected --sigma 1e300 --print errors three
table 'sigma n errors error se' '1e+300 3 0 0 0'
printf 'x\n-1\n' >on
run 0 knnclf --scale none -t three --vote expected --scores on
table 'id predicted score:p score:q' '1 p 1 0'
run 0 knnclf --scale none --loo --vote expected --sigma 2 three
table 'sigma n errors error se' '2 3 1 0.3333333333333333 0.3333333333333333'
run 0 knnclf --scale none --loo --vote expected --print predictions three
table 'id predicted actual' '1 q p' '2 q q' '3 q q'
printf 'x,c\n-1,b\n1,a\n' >tied
run 0 knnclf --scale none -t tied --vote expected --scores zero
table 'id predicted score:a score:b' '1 a 0.5 0.5'
run 0 knnclf --scale none -t line3 --task regress --vote expected --sigma 1e-9 line
table 'id predicted actual' '1 1 1' '2 2 2' '3 6 6' '4 6 NA'
run 0 knnclf --scale none --loo --task regress --vote expected --sigma 1e9 line3
awk 'NR == 2 && $1 == 1e9 && $3 > 2.9999 && $3 < 3.2405 { found = 1 }
	END { exit !found }' stdout
ok $? 'a wide mean'
printf 'x,y\n1,1\n' >single
run 65 knnclf --scale none --loo --task regress --vote expected single
err "knnclf: no other row to learn from$nl"

# Where all weights are 0, all rows are equally far.
printf 'feature\tweight\na\t0\n' >nothing
run 0 knnclf -t train -w nothing --vote expected --print errors train
table 'sigma n errors error se' '1 3 1 0.3333333333333333 0.3333333333333333'

# A matrix that makes distances below 0 will do; so will learners that vote.
printf 'feature1\tfeature2\tweight_abs\nb\tb\t1\na\tb\t-9\n' >w
printf 'a\tb\n1\t9\n' >aside
run 0 knnclf -t train -w w --vote expected --scores aside
table 'id predicted score:blue score:red' '1 blue 1 0'
cat >boosted <<'END'
learner	alpha	sigma	feature1	feature2	weight_abs
1	1	2	a	a	1
1	1	2	a	b	0
7	0.5	1	b	b	1
9	0.75	1	b	b	1
END
run 0 knnclf -t train -w boosted --vote expected --scores tall
table 'id predicted score:blue score:red' \
	'1 blue 0.5555555555555556 0.4444444444444444'
run 0 knnclf -t train -w boosted --vote expected --sigma 3 --print errors mixed
table 'sigma n errors error se' 'NA 1 1 1 NA'
err "knnclf: warning: --sigma is not used with boosted weights$nl"
run 0 knnclf -t train -w boosted --vote expected --print errors --best mixed
err "knnclf: chosen: (error 1)$nl"
grep -v ^9 boosted >two
awk '{ sub(/^7\t0.5/, "7\t1"); print }' two >even
run 0 knnclf -t train -w even --vote expected --scores tall
table 'id predicted score:blue score:red' '1 blue 0.5 0.5'
knnclf -t train -w boosted --vote expected --scores tall >due
sed 1q boosted >shuffled
sed 1d boosted | sort -k5 -r >>shuffled
knnclf -t train -w - --vote expected --scores tall <shuffled | cmp -s - due
ok $? 'the rows of learners in any order'
run 65 knnclf -t train -w boosted tall
out ''
err "knnclf: boosted:4: column \"learner\": several of them: '1' and '7' (choose one, with awk? knnclf --vote expected?)$nl"
run 65 knnclf -t line3 --task regress -w boosted --vote expected line
err "knnclf: boosted:3: column \"feature2\": not among the features: 'b'$nl"
sed 2q boosted >ones
run 65 knnclf -t line3 --task regress -w ones --vote expected line
err "knnclf: ones: boosted weights predict classes (--task classify?)$nl"
spoil() { # SED MESSAGE
	sed "$1" boosted >spoilt
	run 65 knnclf -t train -w spoilt --vote expected tall
	out ''
	err "knnclf: spoilt$2$nl"
}
spoil '4s/0.5/0/' ":4: column \"alpha\": not above 0: '0'"
spoil '4s/0.5/-1/' ":4: column \"alpha\": not above 0: '-1'"
spoil '2s/\t2/\tx/' ":2: column \"sigma\": not a number: 'x'"
spoil '3s/\t2/\t3/' \
	":3: column \"sigma\": not the same in all rows of the learner: '3'"
spoil '3s/1/2/; 3s/\t1/\tNA/' ":3: column \"alpha\": missing: 'NA'"
spoil '3s/b/a/' ":3: pair named twice: 'a', 'a'"
spoil '4s/\t1$/\t-1/' ":4: column \"weight_abs\": negative on the diagonal: '-1'"
spoil '1s/feature1/first/' ":1: column \"feature1\": not found"
run 0 knnclf -t train --vote expected -k 3 --ratio 2 ask
table 'id predicted' '1 red' '2 blue'
err "knnclf: warning: --ratio is not used with --vote expected
knnclf: warning: -k is not used with --vote expected$nl"

# Features dropped by their weights.
printf 'feature\tweight\na\t1\nb\t2\n' >w
run 0 knnclf --loo -w w --drop 0,.5,.99 train
table 'drop k n errors error se' '0 1 3 1 0.3333333333333333 0.3333333333333333' \
	'0.5 1 3 1 0.3333333333333333 0.3333333333333333' \
	'0.99 1 3 1 0.3333333333333333 0.3333333333333333'
run 0 knnclf -t train -w w --drop .5 tall
table 'id predicted' '1 blue'
printf 'feature1\tfeature2\tweight\nb\tb\t1\n' >w
run 65 knnclf --loo -w w --drop .05 train
err "knnclf: w: a matrix of weights: --drop needs a vector$nl"

# Without a header.
sed 1d train >train.raw
sed 1d ask >ask.raw
run 0 knnclf --scale none -k 1 -H -t train.raw ask.raw
table 'id predicted' '1 red' '2 blue'
run 0 knnclf --scale none -k 1 --no-header -t train.raw train.raw
table 'id predicted actual' '1 red red' '2 blue blue' '3 blue blue'
printf 'x\t1\ny\t2\n' >first.raw
echo 2 >one.raw
run 0 knnclf -H -y 1 -t first.raw one.raw
table 'id predicted' '1 y'
run 65 knnclf -H -y 1 -t first.raw train.raw
err "knnclf: train.raw:1: 3 columns where the reference has 2$nl"
# Names that are numbers get letters, as the message of --header says.
printf '2001,2003,c\n0,0,x\n' | sed '1s/[^,]*/V&/g' >years
run 0 knnclf -y Vc -t years years
table 'id predicted actual' '1 x x'

# Missing cells: rows left out keep their numbers and ids.
printf 'n,a,y\nu,0,p\nv,,p\nw,9,q\n' >holes
run 65 knnclf --loo --id n holes
err "knnclf: holes:3: column \"a\": missing: '' (--na omit or mean?)$nl"
run 0 knnclf --loo --na omit -x !n --print predictions holes
table 'id predicted actual' '1 q p' '3 p q'
run 0 knnclf --loo --na omit --id n --print predictions holes
table 'id predicted actual' 'u q p' 'w p q'
run 0 knnclf --loo --na mean --id n --print predictions holes
table 'id predicted actual' 'u p p' 'v p p' 'w p q'

# Parts are those of tabfold, also where rows are left out.
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 200; i++)
	print (i * 37) % 101 "," (i % 17 == 3 ? "NA" : i % 13) "," \
	    "abc" (i * i) % 3 }' >rows
for na in omit mean; do
	run 0 knnclf --scale none --cv 4 --seed 9 -k 1,5 --na $na rows
	mv stdout all
	for i in 1 2 3 4; do
		for part in train test; do
			tabfold --fold $i/4 --seed 9 --part $part rows >f.$part
		done
		knnclf --scale none -t f.train -k 1,5 --na omit --print errors f.test
	done >parts
	[ $na = mean ] || awk 'NR == FNR { if (FNR > 1) errors[$1] = $3; next }
		$1 != "k" { errors[$1] -= $3 }
		END { exit errors[1] != 0 || errors[5] != 0 }' all parts
	ok $? "--cv is tabfold part by part, --na $na"
done

# The same bytes for any number of threads and any shards.
awk "$uniform"'BEGIN { seed_uniform(1); for (j = 1; j < 12; j++) printf "x%d\t", j; print "y"
	for (i = 0; i < 300; i++) { for (j = 1; j < 12; j++)
		printf "%d\t", 4 * uniform(); print int(3 * uniform()) } }' >grid
tabfold --shares 5:1 --write known,asked grid
awk 'BEGIN { OFS = "\t"; print "learner", "alpha", "sigma", "feature1",
	"feature2", "weight_abs"; for (l = 1; l < 5; l++)
	for (i = 1; i < 12; i++) for (j = i; j < 12; j++)
		print l, 1 / l, l / 2, "x" i, "x" j, (i * j + l) % 7 - 3 * (i != j) }' >four
for vote in majority distance kernel nnk kstar expected boosted; do
	set -- -q -k 1,4,9 --vote $vote --scores
	case $vote in
	expected) set -- --vote $vote --scores ;;
	boosted) set -- -w four --vote expected --scores ;;
	esac
	knnclf --scale none -t known "$@" asked >whole
	for j in 2 3; do
		knnclf --scale none -j $j -t known "$@" asked | cmp -s - whole
		ok $? "-j $j gives the same bytes, --vote $vote"
	done
	m=$(($(wc -l <asked) - 1))
	# Shards of single rows for a bandwidth, a solver and matrices.
	some='3 7'
	case $vote in kernel | nnk | boosted) some='1 3 7' ;; esac
	for rows in $some; do
		shards=$(((m + rows - 1) / rows))
		i=1
		while [ $i -le $shards ]; do
			knnclf --scale none -t known "$@" --shard $i/$shards asked
			i=$((i + 1))
		done | awk 'NR == 1 || !/^id/' | cmp -s - whole
		ok $? "shards of $rows rows or so, --vote $vote"
	done
	knnclf --scale none --loo -j 1 "$@" --print predictions grid >whole
	knnclf --scale none --loo -j 3 "$@" --print predictions grid | cmp -s - whole
	ok $? "--loo -j 3 gives the same bytes, --vote $vote"
done
for search in leaves full; do
	KITH_SEARCH=$search knnclf --scale none -k 1 --loo -j 1 -q -v grid 2>log >/dev/null
	grep "^search$tab" log
done >got
printf 'search\tleaves\nsearch\tproducts\n' | cmp -s - got
ok $? '-v says which search it was'
grep -q "^kernel$tab" log
ok $? 'and the kernel'
for m in 1 2 3; do
	head -n $((m + 1)) grid >few
	for vote in majority kernel; do
		knnclf --scale none -q -v -k 3 --vote $vote --scores -t grid few 2>log >whole
		grep "^search$tab" log >>ways
		for search in leaves full; do
			KITH_SEARCH=$search knnclf --scale none -q -k 3 --vote $vote --scores -t grid few |
				cmp -s - whole
			ok $? "$m queries, --vote $vote: the same bytes by the $search search"
		done
	done
done
sort ways | uniq -c | tr -s ' ' >got
printf ' 3 search\tplain\n 3 search\tproducts\n' | cmp -s - got
ok $? 'few queries take the plain search, unless a bandwidth asks for many'
knnclf --scale none -k 1 -t known asked >whole
knnclf --scale none -k 1 -t known --shard 1/3 asked >s1
knnclf --scale none -k 1 -t known --shard 2/3 asked >s2
knnclf --scale none -k 1 -t known --shard 3/3 asked >s3
tabscore s1 s2 s3 >joined
tabscore whole | cmp -s - joined
ok $? 'shards are read as one table'
run 0 knnclf --scale none -k 1 -t train --shard 1/9 ask
table 'id predicted'

# Bad data.
refuse_rows() { refuse_file "$1" "$2" ask -t; } # FORMAT MESSAGE
hint="(--id, -x '!COL', tabscale --onehot?)"
refuse_rows 'a\tb\tc\n0\tx\tr\n' ":2: column \"b\": not a number: 'x' $hint"
refuse_rows 'a\tb\tc\n0\t1e999\tr\n' \
	":2: column \"b\": too large for a double: '1e999'"
refuse_rows 'a\tb\tc\n0\tinf\tr\n' ":2: column \"b\": not a finite number: 'inf'"
refuse_rows 'a;b;c\n0;1,5;r\n' \
	":2: column \"b\": not a number: '1,5' (decimal comma? sed -E 's/([0-9]),([0-9])/\\1.\\2/g' FILE)"
refuse_rows 'a,b,c\n0,"-1,5",r\n' \
	":2: column \"b\": not a number: '-1,5' (decimal comma? sed -E 's/\"([-+0-9]+),([0-9])/\"\\1.\\2/g' FILE)"
refuse_rows 'a\tb\tc\n"0\n0"\t0\tr\n' \
	":2: column \"a\": not a number: '0\\x0A0' $hint"
refuse_rows 'a\tb\tc\n0\t\tr\n' \
	":2: column \"b\": missing: '' (--na omit or mean?)"
refuse_rows 'a\t\303\244\tc\n0\tx\tr\n' \
	":2: column \"ä\": not a number: 'x' $hint"
refuse_rows 'a\tb\344\tc\n0\tx\tr\n' \
	":2: column \"b\\xE4\": not a number: 'x' $hint"
refuse_rows 'a\tb\tc\n0\t0\tNA\n' ":2: column \"c\": missing: 'NA' (leave the row out? --na is for features)"
refuse_rows 'a\tb\tc\n0\t0\n' ':2: 2 cells where the header has 3'
refuse_rows 'a\tb\tc\n0\t0\t0\t0\t0\n' ':2: 5 cells where the header has 3'
refuse_rows 'a\tb\tc\n\n0\t0\tr\n' ':2: blank line'
refuse_rows 'a\tb\ta\n0\t0\tr\n' \
	':1: column "a": two of that name (-H/--no-header?)'
refuse_rows 'a\t\tc\n0\t0\tr\n' ':1: column 2: empty name'
refuse_rows 'a\tb\t(id)\n0\t0\tr\n' ':1: column "(id)": a reserved name'
refuse_rows '1\t3\t2\n0\t0\tr\n' \
	':1: names are numbers (-H/--no-header?)'
refuse_rows '2\t1\tr\n0\t0\tr\n' \
	':1: names are numbers (-H/--no-header?)'
refuse_rows 'a\tb\tc\n0\t0\t"r\n' ':2: quoted cell without end'
refuse_rows 'a\tb\tc\n0\t0\t"r"s\n' ':2: text behind a closing quotation mark'
refuse_rows 'a\tb\tc\n0\t0\0\tr\n' ':2: null byte: not a text file'
refuse_rows 'a\tb\tc\n' ': no row below the header'
refuse_rows '' ': empty input'
run 65 knnclf --scale none -t train -k 4 ask
out ''
err "knnclf: 4 neighbours wanted, only 3 available$nl"
run 65 knnclf --scale none --loo -k 3 train
err "knnclf: 3 neighbours wanted, only 2 available$nl"
run 65 knnclf --scale none -k 1 -y 9 -t train ask
err "knnclf: train:1: column \"9\": not found$nl"
run 65 knnclf --scale none -k 1 -t train one.raw
err "knnclf: one.raw:1: names are numbers (-H/--no-header?)$nl"
printf 'a\n1\n' >short
run 65 knnclf --scale none -k 1 -t train short
err "knnclf: short:1: column \"b\": not found (-d?)$nl"
grep -v blue train >pure
run 0 knnclf --scale none -k 1 -t pure ask
table 'id predicted' '1 red' '2 red'
for how in --loo '--cv 2'; do
	# shellcheck disable=SC2086
	run 65 knnclf --scale none -k 1 $how pure
	out ''
	err "knnclf: pure: one class only: 'red'$nl"
done
printf 'x,c\n0,p\n1,p\n2,p\n9,q\n' >four # parts of errors 1/2 and 0, whatever they are
run 0 knnclf --scale none -k 1 --cv 2 four
table 'k n errors error se' '1 4 1 0.25 0.25'
run 65 knnclf --scale none -k 1 --cv 4 train
err "knnclf: train: --cv 4: only 3 rows$nl"
# Of two parts of four rows one has the two rows that are left, for some seed.
printf 'x\tclass\n1\ta\n2\tb\nNA\ta\nNA\tb\n' >holes
for seed in 0 1 2 3 4 5 6 7 8 9; do
	knnclf --scale none -k 1 --cv 2 --seed $seed --na omit holes
done >/dev/null 2>said
[ -s said ] && ! grep -vx 'knnclf: a part has all rows' said
ok $? '--cv, where a part has all rows that are left'

# Input that is not there.
run 66 knnclf --scale none -k 1 -t nowhere ask
err "knnclf: nowhere: No such file or directory$nl"
run 66 knnclf --scale none -k 1 -t . ask
err "knnclf: .: Is a directory$nl"
gzip -c train >whole.gz
head -c 40 whole.gz >cut.gz
run 65 knnclf --scale none -k 1 -t cut.gz ask
out ''
err "knnclf: cut.gz: truncated gzip$nl"
run 0 knnclf --scale none -k 1 -t whole.gz ask
table 'id predicted' '1 red' '2 blue'

# Wrong calls.
misuse '-t with --loo or --cv needs --best' -t train --loo ask
misuse "bad --sigma: '0' (auto, median, local or a number above 0)" \
	-t train --sigma 0 ask
for k in 0 1x -1 1,1; do
	misuse "bad -k: '$k' (distinct whole numbers, as 1,3,5, from 1)" --loo -k $k train
done
misuse 'standard input named twice (give the rows as operand FILE)' -t -
for sigma in auto 0 -1 x; do
	misuse "bad --sigma: '$sigma' (a number above 0)" \
		-t train --vote expected --sigma $sigma ask
done
misuse '--drop needs weights (-w FILE)' --loo --drop .05 train
misuse 'several fractions need --print errors or --best' \
	-t train -w w --drop 0,.05 ask
misuse 'bad --drop: 1 leaves no feature' \
	--loo -w w --drop 1 train
misuse '--shard needs --print predictions' --loo --shard 1/2 train
run 2 knnclf --scale none -k 1 -t train -x colour ask
err "knnclf: column \"colour\" cannot be a feature: it has another role${nl}try 'knnclf --help'$nl"
run 0 knnclf --scale none -k 1 -t train --sigma 3 --seed 2 ask
err "knnclf: warning: --sigma is not used with --vote majority
knnclf: warning: --seed is not used with -t$nl"

# The lists of both could be meant, or the last one alone.
misuse '-k: given twice (one LIST, as a,b?)' -k 1 -k 3 train
misuse '-x: given twice (one LIST, as a,b?)' -x 1 -x 2 train
misuse '--features: given twice (one LIST, as a,b?)' -x 1 --features 2 train
misuse '-t: given twice' -t train -t ask ask
run 0 knnclf --scale none -y 1 -y 3 -t train ask
cp stdout last
run 0 knnclf --scale none -y 3 -t train ask
same last "$(cat stdout)$nl"

# Real data, where they are: one nearest neighbour on raw digits.
need_shared data/usps.train.csv.gz data/usps.test.csv.gz
run 0 knnclf --scale none -k 1 -j 2 -t "$shared/data/usps.train.csv.gz" --print errors \
	"$shared/data/usps.test.csv.gz"
table 'k n errors error se' '1 2007 113 0.05630293971101146 0.005146552083716206'
run 0 knnclf --scale none -j 2 -t "$shared/data/usps.train.csv.gz" --print errors \
	-k 30 --vote nnk --sigma 10 "$shared/data/usps.test.csv.gz"
table 'k n errors error se' '30 2007 80 0.039860488290981565 0.00436790328929786'

done_testing
