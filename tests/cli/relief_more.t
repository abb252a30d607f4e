#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# relief: SURF, texts, shares of the features, weights of rows.
. "${0%/*}/tap.sh"

cp "$data/iris.csv" "$data/wine.csv" .
tabscale wine.csv >wine
tabscale iris.csv >iris
cut -d , -f 1-4 iris.csv >flower

# By hand. Distances on a line of range 7: rows 0 1 5 7, means of them 13/3, 11/3,
# 11/3, 17/3, T = 26/6. Near: 0: 1; 1: 0, 5; 5: 1, 7; 7: 5.
printf 'x,z,y\n0,3,a\n1,3,a\n5,3,b\n7,3,b\n' >four
run 0 relief -q --method surf four
# (-1 + (4 - 1) + (4 - 2) - 2) / 7 / 4
table 'feature weight_abs' 'x 0.07142857142857142' 'z 0'
# Of 0: 1 5 7, mean 13/3, sd 2.494, bound 3.086: 1.  Of 1: 1 4 6, 11/3, 2.055,
# 2.639: 0.  Of 5: 5 4 2, 11/3, 1.247, 3.043: 7.  Of 7: 7 6 2, 5, 2.16, 3.92: 5.
run 0 relief -q --method multisurf four
# (-1 - 1 - 2 - 2) / 7 / 4
table 'feature weight_abs' 'x -0.21428571428571427' 'z 0'
err ''

# Texts, in relief: differences of 0 and 1.
printf 'c,x,y\np,0,a\np,4,a\nq,2,a\nq,1,b\nq,3,b\n' >texts
# Rows 1-5 are nearest to: hits 3 3 1 5 4, misses 4 5 4 3 3.
# c: 1 1 -1 0 0 - hits 1 1 1 0 0; x: 1 1 1 1 1 - 4 4 4 4 4.
run 0 relief texts
table 'feature weight' 'c -0.2' 'x -3'
for method in surf multisurf relieff relief; do
	sed '3s/p/?/; 5s/1/NA/' texts >holes
	run 0 relief --method $method --na model holes
	for j in 2 3; do
		relief --method $method --na model -j $j holes | cmp -s - stdout
		ok $? "$method -j $j: the same bytes"
	done
	run 65 relief --method $method holes
	run 0 relief -q --method $method --na model -x x holes
done
# A column where all is missing has weight 0.
printf 'c,x,y\n?,0,a\n?,4,a\n?,2,b\n' >none
for method in surf multisurf relief; do
	run 0 relief -q --method $method --na model none
	[ "$(sed -n 2p stdout)" = "c${tab}0" ]
	ok $? "$method: all is missing"
done
# Duplicates and ties: all distances are equal, so no row is near.
printf 'x,y\np,a\nq,a\nr,b\ns,b\n' >equal
for method in surf multisurf; do
	run 0 relief -q --method $method equal
	table 'feature weight_abs' 'x 0'
done
printf 'x,y\n1,a\n2,a\n' >one
for method in surf multisurf nca; do
	refuse "one: one class only: 'a'" --method $method one
done
run 0 relief --method multisurf --task regress -y petal_width --ignore class iris.csv
awk 'NR > 1 && $1 ~ /petal/ && !($2 > 0) { exit 1 }' stdout
ok $? 'numbers as target'
refuse 'four: the target is constant' --method surf --task regress -y z four

# --cv with shares: what the commands say of each part.
run 0 relief --method relieff --cv 3 -k 5 --vote-k 1,3 --drop-share 0,50 wine
cp stdout table
[ "$(cut -f 1-4 table)" = "$(tabs 'k vote_k share n' '5 1 0 178' '5 3 0 178' '5 1 50 178' '5 3 50 178')" ]
ok $? 'columns of --drop-share'
for part in 1 2 3; do
	tabfold --fold $part/3 --part train wine >learn
	tabfold --fold $part/3 --part test wine >judge
	relief --method relieff -k 5 learn |
		knnclf -q -w - -k 1,3 --drop-share 0,50 --print errors -t learn judge | sed 1d
done | awk -F '\t' '{ e[$1 " " $2] += $4 } END { for (k in e) print k, e[k] }' | sort >due
sed 1d table | awk -F '\t' '{ print $3, $2, $5 }' | sort >got
cmp -s got due || awk '{ print $2, $1, $3 }' due | sort | cmp -s got -
ok $? 'errors are those of knnclf --drop-share'
run 0 relief --method relieff --cv 3 -k 5 --drop-share 50,0 --best --log log wine
share=$(awk '$1 == "share" { print $2 }' log)
zeros=$(awk 'NR > 1 && $2 == 0' stdout | wc -l)
[ "$zeros" -eq "$((share == 50 ? 6 : 0))" ]
ok $? "--best drops $share percent"
run 0 relief --method relieff --cv 3 -k 5 --drop-share 50 --best wine
[ "$(awk 'NR > 1 && $2 == 0' stdout | wc -l)" -eq 6 ]
ok $? 'half of 13 is 6'
misuse '--drop-share needs one weight for each feature' --method lfe --cv 3 --drop-share 50 wine
misuse 'bad --drop-share: 100 leaves no feature' --cv 3 --drop-share 100 wine
run 0 relief --drop-share 50 wine
err "relief: warning: --drop-share is not used without --cv$nl"

# Weights of rows: equal ones change nothing, 0 leaves a row out.
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "s" : 3 }' wine >equals
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "s" : NR % 4 ? 2 : 0 }' wine >some
awk 'NR == 1 || NR % 4' wine >left
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "s" : 1 + NR % 3 }' wine >third
for how in relief relieff surf multisurf simba 'mulrel --best-effort' \
	'irelief --best-effort' 'nca --starts 1' lfe; do
	with="-q -y class --instance-weight s --method $how"
	# shellcheck disable=SC2086 # words
	run 0 relief $with equals
	# shellcheck disable=SC2086
	relief -q --method $how wine | cmp -s - stdout
	ok $? "equal weights, $how"
	# shellcheck disable=SC2086
	run 0 relief $with some
	# shellcheck disable=SC2086
	relief -q --method $how left | cmp -s - stdout
	ok $? "weights of 0, $how"
	# shellcheck disable=SC2086
	run 0 relief $with third
	# shellcheck disable=SC2086
	relief -q --method $how wine | cmp -s - stdout
	ok $((!$?)) "other weights, $how"
	# shellcheck disable=SC2086
	run 0 relief $with --cv 2 third
done
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "s" : $14 == 1 ? 2 : 0 }' wine >single
refuse 'single: one class only has rows of weight above 0' -y class --instance-weight s single
run 65 relief -y class --instance-weight s --samples 150 some
err "relief: some: --samples 150: only 134 rows$nl"

done_testing
