#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# relief: metrics, SURF, TuRF, samples and permutations, weights of rows.
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
for method in surf multisurf 'nca --rank full'; do
	# shellcheck disable=SC2086 # words
	refuse "one: one class only: 'a'" --method $method one
done
run 0 relief --method multisurf --task regress -y petal_width --ignore class iris.csv
awk 'NR > 1 && $1 ~ /petal/ && !($2 > 0) { exit 1 }' stdout
ok $? 'numbers as target'
refuse 'four: the target is constant' --method surf --task regress -y z four

# A metric: the rank, how it is printed, who reads it.
for rank in full 2 '1 --starts 3'; do
	# shellcheck disable=SC2086 # words
	run 0 relief --method nca --rank $rank wine
	cp stdout W
	[ "$(wc -l <W)" -eq 92 ] && [ "$(sed 1q W)" = "$(tabs 'feature1 feature2 weight')" ]
	ok $? "--rank $rank: all pairs"
	for j in 2 3; do
		# shellcheck disable=SC2086
		relief --method nca --rank $rank -j $j wine | cmp -s - W
		ok $? "-j $j gives the same bytes"
	done
	for reader in 'knnclf --loo' 'knnclf --vote kernel --loo -k 5' 'nnkgraph -y class -k 5'; do
		run 0 sh -c "$reader -w W <wine >out"
	done
	run 0 knnclf --loo -w W --print errors wine
	[ "$(tail -n 1 stdout | cut -f 3)" -le 4 ]
	ok $? "it helps: $(tail -n 1 stdout)"
done
awk -F '\t' -v OFS='\t' 'NR == 1 || $14 != 1' wine >two
run 0 sh -c 'relief --method nca --rank 3 two >W && wsvmpath -w W --from 1 --to 2 two >/dev/null'
run 0 relief --method nca --rank=2 --rank wine
[ "$(wc -w <stdout)" -eq 42 ]
ok $? 'the last --rank counts: a column of ranks'
relief --method nca --rank wine >due
relief --method nca wine | paste - due | awk 'NR > 1 && $2 != $4 { exit 1 }'
ok $? 'its weights are those of a plain call'
run 0 relief --rank wine
cp wine 2
run 0 relief --rank ./2
run 2 relief --rank 2 wine
err "relief: a metric (--rank R or full) needs --method nca$nl$help"
run 2 relief --method nca --rank=0 wine
err "relief: bad --rank: '0' (full, or a whole number from 1)$nl$help"
run 2 relief --method nca --rank=some wine
run 0 relief --method nca --rank full --task regress -y petal_length --scale zscore flower
cp stdout W
run 0 knnclf --task regress -w W --loo -k 3 -y petal_length --print errors flower
awk 'NR == 2 { exit !($3 < .33) }' stdout
ok $? "MLKR: rmse $(tail -n 1 stdout | cut -f 3)"
run 2 relief --method nca --task regress flower
err "relief: --task regress needs a metric (--rank)$nl$help"
run 0 relief -q --method nca --rank full four
table 'feature1 feature2 weight' "x x $(sed -n 2p stdout | cut -f 3)" 'x z 0' 'z z 0'
run 1 relief --method nca --rank full --max-iter 2 iris
err "relief: warning: not converged after 2 iterations (--max-iter)$nl"
run 0 relief --method nca --rank 2 --cv 3 --vote-k 1,3 iris
[ "$(sed 1q stdout)" = "$(tabs 'vote_k n errors error se features')" ]
ok $? '--cv of a metric'

# TuRF: rounds of 13, 7 and 1; what was left out first is behind.
run 0 relief --method relieff --turf .5 wine
cp stdout half
relief --method relieff wine >all
order=$(sed 1d all | sort -k 2,2gr | tail -n 6 | cut -f 1 | sort | paste -s -d , -)
left=$(sed 1d half | sort | join -t "$tab" - "$(sed 1d all | sort >all.s; echo all.s)" |
	awk -F '\t' '$2 == $3 { print $1 }' | sort | paste -s -d , -)
[ "$order" = "$left" ]
ok $? "one round drops 6 of 13: $order, is $left"
relief --method relieff --ignore "$order" wine | sed 1d | sort >last
sed 1d half | sort | join -t "$tab" last - | awk -F '\t' '$2 != $3 { n++ } END { exit n > 1 }'
ok $? 'the others are weighed without them'
run 0 relief --method relieff --turf .5 --rank wine
awk -F '\t' -v gone=",$order," 'NR > 1 && (index(gone, "," $1 ",") > 0) != ($3 > 7) { exit 1 }' stdout
ok $? 'ranks'
run 0 relief --method relieff --turf 1 wine
cmp -s stdout all
ok $? 'one round of all'
for how in relief simba 'irelief --best-effort' 'nca --rank 2' lfe surf; do
	# shellcheck disable=SC2086 # words
	run 0 relief -q --turf .3 --method $how wine
	cp stdout due
	# shellcheck disable=SC2086
	relief -q --turf .3 -j 2 --method $how wine | cmp -s - due
	ok $? "the same bytes: $how"
done
run 2 relief --turf 0 wine
run 2 relief --turf 1.1 wine

# Samples and permutations.
run 0 relief --bootstrap 20 --top 3 --permute 19 wine
cp stdout spread
[ "$(sed 1q spread)" = "$(tabs 'feature weight se top p')" ]
ok $? 'columns'
awk -F '\t' 'NR > 1 { if (!($3 > 0) || $4 * 20 % 1 || $5 * 20 % 1 || $5 < .05) bad++; top += $4 }
	END { exit bad || top < 3 - 1e-9 || top > 3 + 1e-9 }' spread
ok $? 'shares of 20'
for j in 2 3; do
	relief --bootstrap 20 --top 3 --permute 19 -j $j wine | cmp -s - spread
	ok $? "-j $j gives the same bytes"
done
run 0 relief --bootstrap 20 --top 3 wine
cut -f 1-4 spread | cmp -s - stdout
ok $? 'without permutations'
run 0 relief --permute 19 --rank wine
relief --rank wine >due
cut -f 1-3 stdout | cmp -s - due && [ "$(cut -f 4 stdout)" = "$(cut -f 5 spread)" ]
ok $? 'without samples: the weights are those of the rows'
run 0 relief --bootstrap 20 --top 3 --permute 19 --seed 2 wine
cmp -s stdout spread
ok $((!$?)) 'another seed'
run 0 relief --method relieff --scale minmax --bootstrap 20 wine.csv
cp stdout due
relief --method relieff --bootstrap 20 wine.csv | paste - due | awk -F '\t' '
	NR > 1 { f = $2 / $6; g = $3 / $7; bad += f / g > 1 + 1e-9 || g / f > 1 + 1e-9 || $4 != $8; n++ }
	END { exit bad || n != 13 }'
ok $? 'se is in the unit of the weight'
# A column that says nothing has p near 1 or anything; one that says all is the least.
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 60; i++) print i % 2 + i % 7 / 20 "," i * 37 % 61 "," (i % 2 ? "u" : "v") }' >clear
run 0 relief --method relieff --permute 99 clear
[ "$(awk '$1 == "a" { print $3 }' stdout)" = 0.01 ]
ok $? 'p of what tells the classes apart'
misuse '--cv excludes --bootstrap and --permute' --cv 3 --permute 9 wine
misuse '--bootstrap, --permute and --drop-share need one weight for each feature' --method lfe --bootstrap 9 wine
run 2 relief --bootstrap 1 wine
run 0 relief --top 3 wine
err "relief: warning: --top is not used without --bootstrap$nl"
run 1 relief --method irelief --max-iter 1 --bootstrap 2 iris
err "relief: warning: not converged after 1 iterations (--max-iter)
relief: warning: not converged: 2 of 2 searches$nl"

# --cv with shares: what the commands say of each part.
run 0 relief --method relieff --cv 3 -k 5 --vote-k 1,3 --drop-share 0,50 wine
cp stdout table
[ "$(cut -f 1-4 table)" = "$(tabs 'k vote_k share n' '5 1 0 178' '5 3 0 178' '5 1 50 178' '5 3 50 178')" ]
ok $? 'columns of --drop-share'
for part in 1 2 3; do
	tabfold --fold $part/3 --part train wine >learn
	tabfold --fold $part/3 --part test wine >judge
	relief --method relieff -k 5 --clip learn |
		knnclf -w - -k 1,3 --drop-share 0,50 --print errors -t learn judge | sed 1d
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
misuse 'bad --drop-share: 100 leaves no feature' --cv 3 --drop-share 100 wine
run 0 relief --drop-share 50 wine
err "relief: warning: --drop-share is not used without --cv$nl"

# Weights of rows: equal ones change nothing, 0 leaves a row out.
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "s" : 3 }' wine >equals
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "s" : NR % 4 ? 2 : 0 }' wine >some
awk 'NR == 1 || NR % 4' wine >left
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "s" : 1 + NR % 3 }' wine >third
for how in relief relieff surf multisurf simba 'mulrel --best-effort' \
	'irelief --best-effort' 'nca --starts 1' 'nca --rank 2' lfe; do
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
