#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# relief: SURF, texts, weights of rows, --scale.
. "${0%/*}/tap.sh"
unscaled

cp "$data/iris.csv" "$data/wine.csv" .
tabscale wine.csv >wine
tabscale iris.csv >iris
cut -d , -f 1-4 iris.csv >flower

# By hand. Distances on a line of range 7: rows 0 1 5 7, means of them 13/3, 11/3,
# 11/3, 17/3, T = 26/6. Near: 0: 1; 1: 0, 5; 5: 1, 7; 7: 5.
printf 'x,z,y\n0,3,a\n1,3,a\n5,3,b\n7,3,b\n' >four
run 0 relief --scale none -q --method surf four
# (-1 + (4 - 1) + (4 - 2) - 2) / 7 / 4
table 'feature weight_abs' 'x 0.07142857142857142' 'z 0'
# Of 0: 1 5 7, mean 13/3, sd 2.494, bound 3.086: 1.  Of 1: 1 4 6, 11/3, 2.055,
# 2.639: 0.  Of 5: 5 4 2, 11/3, 1.247, 3.043: 7.  Of 7: 7 6 2, 5, 2.16, 3.92: 5.
run 0 relief --scale none -q --method multisurf four
# (-1 - 1 - 2 - 2) / 7 / 4
table 'feature weight_abs' 'x -0.21428571428571427' 'z 0'
err ''

# Texts, in relief: differences of 0 and 1.
printf 'c,x,y\np,0,a\np,4,a\nq,2,a\nq,1,b\nq,3,b\n' >texts
# Rows 1-5 are nearest to: hits 3 3 1 5 4, misses 4 5 4 3 3.
# c: 1 1 -1 0 0 - hits 1 1 1 0 0; x: 1 1 1 1 1 - 4 4 4 4 4.
run 0 relief --scale none --method relief texts
table 'feature weight' 'c -0.2' 'x -3'
for method in surf multisurf relieff relief; do
	sed '3s/p/?/; 5s/1/NA/' texts >holes
	run 0 relief --scale none --method $method --na model holes
	for j in 2 3; do
		relief --scale none --method $method --na model -j $j holes | cmp -s - stdout
		ok $? "$method -j $j: the same bytes"
	done
	run 65 relief --scale none --method $method holes
	run 0 relief --scale none -q --method $method --na model -x x holes
done
# A column where all is missing has weight 0.
printf 'c,x,y\n?,0,a\n?,4,a\n?,2,b\n' >none
for method in surf multisurf relief; do
	run 0 relief --scale none -q --method $method --na model none
	[ "$(sed -n 2p stdout)" = "c${tab}0" ]
	ok $? "$method: all is missing"
done
# Duplicates and ties: all distances are equal, so no row is near.
printf 'x,y\np,a\nq,a\nr,b\ns,b\n' >equal
for method in surf multisurf; do
	run 0 relief --scale none -q --method $method equal
	table 'feature weight_abs' 'x 0'
done
printf 'x,y\n1,a\n2,a\n' >one
for method in surf multisurf nca; do
	refuse "one: one class only: 'a'" --method $method one
done
run 0 relief --scale none --method multisurf --task regress -y petal_width -x !class iris.csv
awk 'NR > 1 && $1 ~ /petal/ && !($2 > 0) { exit 1 }' stdout
ok $? 'numbers as target'
refuse 'four: the target is constant' --method surf --task regress -y z four

# Weights of rows: equal ones change nothing, 0 leaves a row out.
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "s" : 3 }' wine >equals
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "s" : NR % 4 ? 2 : 0 }' wine >some
awk 'NR == 1 || NR % 4' wine >left
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "s" : 1 + NR % 3 }' wine >third
for how in relief relieff surf multisurf simba mulrel irelief 'nca --starts 1' lfe; do
	with="-q -y class --instance-weight s --method $how"
	status=0
	[ "$how" != mulrel ] || status=1
	# shellcheck disable=SC2086 # words
	run $status relief --scale none --method relief $with equals
	# shellcheck disable=SC2086
	relief --scale none -q --method $how wine | cmp -s - stdout
	ok $? "equal weights, $how"
	# shellcheck disable=SC2086
	run $status relief --scale none --method relief $with some
	# shellcheck disable=SC2086
	relief --scale none -q --method $how left | cmp -s - stdout
	ok $? "weights of 0, $how"
	# shellcheck disable=SC2086
	run $status relief --scale none --method relief $with third
	# shellcheck disable=SC2086
	relief --scale none -q --method $how wine | cmp -s - stdout
	ok $((!$?)) "other weights, $how"
done
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "s" : $14 == 1 ? 2 : 0 }' wine >single
refuse 'single: one class only has rows of weight above 0' -y class --instance-weight s single
run 65 relief --scale none --method relief -y class --instance-weight s --samples 150 some
err "relief: some: --samples 150: only 134 rows$nl"

# --scale: what tabscale and relief give, in the units of the input.
while read -r kind method; do
	for scale in zscore minmax; do
		tabscale --method $scale --save units wine.csv >scaled
		relief --scale none -q --method "$method" scaled >due
		run $? relief -q --method "$method" --scale $scale wine.csv
		sed 1d stdout >w
		awk -F '\t' -v kind="$kind" '
			FNR == 1 { file++; next }
			file == 1 { s[$1] = $4 }
			file == 2 { v[FNR] = kind == "absolute" ? $2 / s[$1] : kind == "squared" ? $2 / s[$1] ^ 2 : $3 / s[$1] / s[$2] }
			file == 3 { n++; d = v[FNR] - $NF; if (d < 0) d = -d; a = $NF < 0 ? -$NF : $NF; if (d > 1e-12 * a) bad++ }
			END { exit n < 13 || bad }' units due w
		ok $? "--scale $scale: $method for rows as they are"
	done
done <<W
squared relief
absolute relieff
squared simba
squared mulrel
absolute irelief
squared nca
matrix lfe
W
run 0 relief --method relief --scale zscore wine.csv
cp stdout w
tabscale wine.csv >scaled
relief --scale none --method relief scaled >v
knnclf -k 1 --loo -w v --print predictions scaled >due
run 0 knnclf -k 1 --loo -w w --print predictions wine.csv
cmp -s stdout due
ok $? 'the weights are used with rows as they are'
awk -F , -v OFS=, 'NR > 1 { $1 *= 1e-200 } 1' iris.csv >small
refuse 'small: column "sepal_length": in its unit, a weight does not fit a double' --method relief --scale minmax small
run 0 relief --method relieff --scale minmax small
printf 'x,k,y\n0,7,a\n1,7,a\n5,7,b\n7,7,b\n' >constant
run 0 relief --method relief --scale minmax constant
err "relief: warning: column \"k\" is constant: weight 0$nl"
[ "$(tail -n 1 stdout)" = "k${tab}0" ]
ok $? 'a constant column'

# Texts and missing cells have no unit.
printf 'c,x,y\np,0,a\np,4,a\nq,2,a\nq,1,b\nq,3,b\np,3,b\n' >texts
run 0 relief --scale none --method relieff texts
sed '4s/2/?/' texts >holes
for file in texts holes; do
	# By hand: x over its standard deviation, that of the known cells.
	awk -F , -v OFS=, 'NR == FNR { if (FNR > 1 && $2 != "?") { n++; a += $2; b += $2 * $2 } next }
		FNR > 1 && $2 != "?" { $2 = sprintf("%.17g", ($2 - a / n) / sqrt((b - a * a / n) / (n - 1))) }
		1' $file $file >scaled
	sd=$(awk -F , 'NR > 1 && $2 != "?" { n++; a += $2; b += $2 * $2 }
		END { printf "%.17g", sqrt((b - a * a / n) / (n - 1)) }' $file)
	for how in relief relieff multisurf; do
		run 0 relief -q --method $how --na model $file
		relief -q --scale none --method $how --na model scaled >due
		sed 1d stdout | awk -F '\t' -v OFS='\t' -v sd="$sd" -v how=$how '
			$1 == "x" { $2 = sprintf("%.17g", $2 * (how == "relief" ? sd * sd : sd)) } 1' >got
		near due got 1e-12 "$how: texts keep their unit, $file"
	done
done

run 0 relief --scale none --method relief -k 2 iris.csv
err "relief: warning: -k is not used with --method relief$nl"

done_testing
