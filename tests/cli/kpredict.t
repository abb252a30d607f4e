#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kpredict: what it prints of which model, and how it fails.
. "${0%/*}/tap.sh"

# tabs LINE...: the lines, their blanks made tabs, but for that behind a #.
tabs() { printf '%s\n' "$@" | sed "s/\\([^#]\\) /\\1$tab/g"; }

# refuse_model MESSAGE: the model is not one, and nothing is printed.
refuse_model() { refuse "$1" -m model rows; }

# f = x - 2 z + 1, of two rows.
two='# version 1
# task classify
# kernel linear
# target y
# columns x y z
# classes n p
# bias 1
# means 5 0
# rows 2
(id) (coef) x z
3 1 1 0
8 -2 0 1'
tabs "$two" >model
tabs 'z y x name' '0 p 1 a' '1 n 1 b' '2 q 1 c' '0 NA -5 d' >rows

# Classes: columns by name in any order, an unknown one, a missing one; 0 falls
# to the first.
run 0 kpredict -m model rows
table 'id predicted actual' '1 p p' '2 n n' '3 n q' '4 n NA'
err ''
run 0 kpredict -m model --scores rows
table 'id predicted actual score:n score:p' '1 p p -2 2' '2 n n 0 0' '3 n q 2 -2' '4 n NA 4 -4'
run 0 kpredict -m model --id name rows
table 'id predicted actual' 'a p p' 'b n n' 'c n q' 'd n NA'
run 0 sh -c 'cut -f 1,3 rows | kpredict -m model'
table 'id predicted' '1 p' '2 n' '3 n' '4 n'
run 0 sh -c 'gzip <model | kpredict -m - rows'
table 'id predicted actual' '1 p p' '2 n n' '3 n q' '4 n NA'
run 2 kpredict -m - <model
err "kpredict: standard input named twice (give the rows as operand FILE)$nl""try 'kpredict --help'$nl"
logged 0 kpredict -m model -o new rows
out ''
err ''
[ "$(wc -l <new)" -eq 5 ]
ok $? 'written to a file'
awk -F '\t' '$1 ~ /^(task|kernel|rows|model rows|features|status)$/' \
	log >got
same got "$(printf '%s\t%s\n' task classify kernel linear rows 4 \
	'model rows' 2 features 2 status 0)$nl"

# Missing features.
tabs 'x z' '1 0' 'NA 1' >holes
run 65 kpredict -m model holes
out ''
err "kpredict: holes:3: column \"x\": missing: 'NA' (--na omit or mean?)$nl"
run 0 kpredict -m model --na omit holes
table 'id predicted' '1 p'
run 0 kpredict -m model --na mean --scores holes
table 'id predicted score:n score:p' '1 p -2 2' '2 p -4 4'
tabs "$two" | grep -v '# means' >model
run 65 kpredict -m model --na mean holes
err "kpredict: model: the model has no means of its features (--na mean)$nl"

# Units: (x - 1) / 2, (z - 0) / .5, and a constant column.
unit() { tabs "$two" | sed "s/^# rows/$1\n&/"; }
unit "# C${tab}4\n# center${tab}1${tab}0\n# scale${tab}2${tab}.5" >model
logged 0 kpredict -m model --scores holes --na omit
table 'id predicted score:n score:p' '1 p -1 1'
err ''
grep -q "^scaled${tab}yes$" log
ok $? 'the log says that rows are scaled'
run 0 kpredict -m model --scores --na mean holes # x is 5 before it is scaled
table 'id predicted score:n score:p' '1 p -1 1' '2 n 1 -1'
unit "# center${tab}1${tab}0\n# scale${tab}0${tab}.5" >model
run 0 kpredict -m model --scores --na mean holes
table 'id predicted score:n score:p' '1 p -1 1' '2 n 3 -3'
unit "# center${tab}1${tab}0" >model
run 65 kpredict -m model rows
err "kpredict: model:11: key \"scale\": not found$nl"
unit "# center${tab}1${tab}0\n# scale${tab}1" >model
run 65 kpredict -m model rows
err "kpredict: model:10: key \"scale\": 1 values where 2 are due$nl"
unit "# center${tab}1${tab}0\n# scale${tab}1${tab}-1" >model
run 65 kpredict -m model rows
err "kpredict: model:10: key \"scale\": below 0: '-1'$nl"
unit "# C${tab}-1" >model
run 65 kpredict -m model rows
err "kpredict: model:9: key \"C\": below 0: '-1'$nl"
unit "# center${tab}-1e308${tab}0\n# scale${tab}1e-9${tab}1" >model
run 65 kpredict -m model rows
err "kpredict: rows:2: column \"x\": inf, scaled, is beyond 1e150, where squares overflow$nl"

# Numbers, with a target that is one, and scores to rank by.
tabs "$two" | sed '/^# classes/d; s/classify/regress/' >model
tabs 'x y z' '1 5 0' '1 NA 1' >numbers
run 0 kpredict -m model numbers
table 'id predicted actual' '1 2 5' '2 0 NA'
run 0 kpredict -m model --scores numbers
err "kpredict: warning: --scores is not used with a model that predicts numbers$nl"
run 65 kpredict -m model rows
err "kpredict: rows:2: column \"y\": not a number: 'p'$nl"
sed 's/regress/rank/' model >rank
run 0 kpredict -m rank numbers
table 'id predicted actual' '1 2 5' '2 0 NA'

# Three classes, of equal ones the first.
tabs "$two" | sed 's/n\tp/k\tl\tm/; s/# bias.*/# bias\t0\t0\t1/
	s/(coef)/(coef:k)\t(coef:l)\t(coef:m)/
	s/^3\t1/3\t1\t1\t0/; s/^8\t-2/8\t0\t1\t0/' >model
run 0 kpredict -m model --scores rows
table 'id predicted actual score:k score:l score:m' '1 k p 1 1 1' \
	'2 l n 1 2 1' '3 l q 1 3 1' '4 m NA -5 -5 1'

# One against one: a vote for each pair, of equal numbers of them the first.
sed "s/^# bias/# multi${tab}one\\$nl&/; s/(coef:k)/(coef:k:l)/; s/(coef:l)/(coef:k:m)/
	s/(coef:m)/(coef:l:m)/" model >pairs
run 0 kpredict -m pairs rows
table 'id predicted actual' '1 m p' '2 m n' '3 m q' '4 k NA'
run 0 kpredict -m pairs --scores --id name rows
table 'id predicted actual score:k score:l score:m pair:k:l pair:k:m pair:l:m' \
	'a m p 0 1 2 1 1 1' 'b m n 0 1 2 1 2 1' 'c m q 0 1 2 1 3 1' \
	'd k NA 2 0 1 -5 -5 1'
sed 's/one/two/' pairs >bad
run 65 kpredict -m bad rows
err "kpredict: bad:7: key \"multi\": unknown: 'two'$nl"

# Without a header: all columns, or all but the target.
tabs "$two" | sed 's/x\ty\tz/V1\tV2\tV3/; s/# target.*/# target\tV2/
	s/x\tz/V1\tV3/' >model
printf '1,p,0\n1,n,1\n' >plain
run 0 kpredict -m model -H plain
table 'id predicted actual' '1 p p' '2 n n'
run 0 sh -c 'cut -d , -f 1,3 plain | kpredict -m model -H'
table 'id predicted' '1 p' '2 n'
run 65 kpredict -m model -H rows
err "kpredict: rows:1: 4 columns where the reference has 3$nl"
grep -v '# columns' model >nameless
run 65 kpredict -m nameless -H plain
err "kpredict: nameless: the model does not name the columns it was learnt from (-H)$nl"

# Kernels, by hand.
printf 'x,z\n2,1\n' >query
kernel() {
	tabs '# version 1' '# task regress' "$@" '# bias 0' '# rows 1' \
		'(id) (coef) x z' '1 2 1 3' >model
	run 0 kpredict -m model query
	got=$(awk 'NR == 2 { printf "%.12g", $2 }' stdout)
	[ "$got" = "$due" ]
	ok $? "$1 is $due (got $got)"
}
due=$(awk 'BEGIN { printf "%.12g", 2 * exp(-.5 * 5) }')
kernel '# kernel gaussian' '# gamma .5'
due=$(awk 'BEGIN { printf "%.12g", 2 * exp(-.5 * (3 + 4 * 4)) }')
kernel '# kernel gaussian' '# gamma .5' '# weights 3 4'
due=$(awk 'BEGIN { printf "%.12g", 2 * exp(-.5 * (3 - 2 * 2 + 4 * 4)) }')
kernel '# kernel gaussian' '# gamma .5' '# weights 3 1 1 4'
due=$(awk 'BEGIN { printf "%.12g", 2 * exp(-.5 * (3 + 4 * 2)) }')
kernel '# kernel laplacian' '# gamma .5' '# weights 3 4'
due=$(awk 'BEGIN { printf "%.12g", 2 * (.5 * (3 * 2 + 4 * 3) + 1) ^ 3 }')
kernel '# kernel polynomial' '# gamma .5' '# degree 3' '# coef0 1' \
	'# weights 3 4'
due=8
kernel '# kernel linear' '# weights 2 0'
cut -d , -f 1 query >narrow
run 0 kpredict -m model narrow
table 'id predicted' '1 8'

# Shards and threads: the same bytes.
{
	tabs '# version 1' '# task classify' '# kernel gaussian' '# gamma .01' \
		'# target class' '# classes 1 2 3' '# bias .5 .25 .1'
	awk -F , 'NR == 1 { p = NF - 1
			printf "# rows\t178\n(id)\t(coef:1)\t(coef:2)\t(coef:3)" }
		NR > 1 { printf "%d\t%.17g\t%.17g\t%.17g", NR,
			sin(NR), sin(2 * NR), sin(3 * NR) }
		{ for (j = 1; j <= p; j++)
			printf "\t%s", (NR == 1 ? $j : $j / (1 + j))
		print "" }' "$data/wine.csv"
} >model
run 0 kpredict -m model --scores "$data/wine.csv"
cp stdout whole
[ "$(wc -l <whole)" -eq 179 ]
ok $? 'all rows'
for j in 2 3; do
	run 0 kpredict -m model --scores -j $j "$data/wine.csv"
	cmp -s whole stdout
	ok $? "the same with $j threads"
done
# Of 30 rows, in shards of several, of one, and of none.
awk 'NR % 6 == 1' "$data/wine.csv" >thirty.csv
kpredict -q -m model --scores thirty.csv >whole
for n in 3 7 30 33; do
	wrong=0
	i=0
	parts=
	while [ $i -lt $n ]; do
		i=$((i + 1))
		kpredict -q -m model --scores --shard $i/$n thirty.csv >part$i || wrong=1
		parts="$parts part$i"
	done
	# shellcheck disable=SC2086 # names
	awk 'NR == 1 || !/^id/' $parts | cmp -s whole - || wrong=1
	ok $wrong "$n shards are the whole"
done

# Models that are none.
run 66 kpredict -m nowhere rows
err "kpredict: nowhere: No such file or directory$nl"
cp rows model
refuse_model 'model:1: not a model (--save-model writes one)'
tabs "$two" | sed '$d' >model
refuse_model 'model: 1 rows where key "rows" says 2: not the whole model'
tabs "$two" | head -c -3 >model
refuse_model 'model: no line end at its end: not the whole model'
tabs "$two" | sed 's/# bias/# bayes/' >model
refuse_model 'model:7: key "bayes": unknown'
tabs "$two" | sed 's/version\t1/version\t2/' >model
refuse_model "model:1: key \"version\": unknown: '2'"
tabs "$two" | sed 's/# rows/# weights\t1\t1\t1\t1\n# rows/' >model
refuse_model 'model:9: a matrix of weights is for the gaussian kernel alone'
tabs "$two" >model
tabs 'x y' '1 2' >rows
refuse_model 'rows:1: column "z": not found'
tabs 'x z (bias)' '1 2 3' >rows
refuse_model 'rows:1: column "(bias)": a reserved name'
tabs 'x z' '1 1' '1e149 1e149' '1e150 -1e150' >rows
tabs "$two" | sed 's/^3\t1/3\t1e300/; s/^8\t-2/8\t1e300/' >model
refuse_model 'rows: row 3: its kernels are too large for a double'
tabs 'x z' '1 1' '1 -1.1e150' >rows
refuse_model 'rows:3: column "z": -1.1e+150 is beyond 1e150, where squares overflow (tabscale, tabscale --na-string?)'
run 2 kpredict rows
err "kpredict: missing -m FILE, a model, as wsvmpath TRAIN --save-model FILE makes it$nl""try 'kpredict --help'$nl"

done_testing
