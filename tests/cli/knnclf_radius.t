#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# knnclf --radius: all rows within a distance vote.
. "${0%/*}/tap.sh"

printf 'a\tb\tcolour\n0\t0\tred\n4\t4\tblue\n5\t4\tblue\n' >train
printf 'a\tb\n1\t1\n4\t5\n99\t99\n' >ask
warning='knnclf: warning:'
hint='(--unreached prior?)'

run 0 knnclf -t train --radius 1.5 ask
table 'id predicted' '1 red' '2 blue' '3 NA'
err "$warning 1 rows without a neighbour within the radius: NA $hint$nl"
run 0 knnclf -t train --radius 1.5 --scores --unreached prior ask
table 'id predicted score:blue score:red' '1 red 0 1' '2 blue 1 0' \
	'3 blue 0.6666666666666666 0.3333333333333333'
err "$warning 1 rows without a neighbour within the radius: the commonest class$nl"
run 0 knnclf -t train --radius 1,200 --scores ask
table 'id predicted_1 predicted_200 score_1:blue score_1:red score_200:blue score_200:red' \
	'1 NA blue NA NA 0.6666666666666666 0.3333333333333333' \
	'2 blue blue 1 0 0.6666666666666666 0.3333333333333333' \
	'3 NA blue NA NA 0.6666666666666666 0.3333333333333333'
err "$warning 2 predictions of rows without a neighbour within the radius: NA $hint$nl"
run 0 knnclf -t train --radius 1 -q ask
err ''
# The distance of the second row is 1 to the last digit: at the radius is within.
run 0 knnclf -t train --radius 1 --print votes -q ask
table 'id voter class distance share' '2 2 blue 1 1'
run 0 knnclf -t train --radius 0 -q train
table 'id predicted actual' '1 red red' '2 blue blue' '3 blue blue'

# -k is a cap, which may exceed the rows.
run 0 knnclf -t train --radius 200 -k 1 ask
table 'id predicted' '1 red' '2 blue' '3 blue'
run 0 knnclf -t train --radius 200 -k 9 ask
table 'id predicted' '1 blue' '2 blue' '3 blue'

# Errors: a row without a neighbour is wrong, of a prior that of the others.
run 0 knnclf --loo --radius 0,1,9 train
table 'radius n errors error se' '0 3 3 1 0' \
	'1 3 1 0.3333333333333333 0.3333333333333333' \
	'9 3 1 0.3333333333333333 0.3333333333333333'
err "$warning 4 predictions of rows without a neighbour within the radius: wrong $hint$nl"
run 0 knnclf --loo --radius 0 --unreached prior --print predictions -q train
table 'id predicted actual' '1 blue red' '2 blue blue' '3 blue blue'
run 0 knnclf --loo --radius 0,1,9 --best -q train
table 'radius n errors error se' '1 3 1 0.3333333333333333 0.3333333333333333'
run 0 knnclf -t train --loo --radius 0,1,9 --best=se --print votes -q ask
sed -i 4q stdout # the simplest is the largest
table 'id voter class distance share' '1 1 red 1.4142135623730951 0.3333333333333333' \
	'1 2 blue 4.242640687119285 0.3333333333333333' '1 3 blue 5 0.3333333333333333'
printf 'a,y\n0,1\n1,2\n4,6\n' >line
run 0 knnclf --loo --task regress --radius 1,3 --print predictions line
table 'id predicted_1 predicted_3 actual' '1 2 2 1' '2 1 3.5 2' '3 NA 2 6'
run 0 knnclf --loo --task regress --radius 1 line
table 'radius n rmse se' '1 3 2.7233557730613653 1.1780808681220514'
err "$warning 1 rows without a neighbour within the radius: the mean of the reference$nl"

# Bandwidths: without -k a third of the radius.
run 0 knnclf --loo -v --radius 9 --vote kernel train
grep -q 'radius 9: sigma 3$' stderr
ok $? 'sigma is a third of the radius'
run 0 knnclf --loo -v --radius 9 -k 1 --vote kernel train
grep -q 'radius 9: sigma 0.850762$' stderr
ok $? 'with -k it is that of k'

# Candidates within it.
printf 'from\tto\tdistance\n1\t2\t1\n1\t3\t2\n2\t3\t1\n' >pairs
run 0 knnclf --loo --candidates pairs --pairs distance --radius 1 \
	--print votes train
table 'id voter class distance share' '1 2 blue 1 1' '2 1 red 1 0.5' \
	'2 3 blue 1 0.5' '3 2 blue 1 1'
run 0 knnclf --loo --candidates pairs --radius 6 --print votes -q train
table 'id voter class distance share' '1 2 blue 5.656854249492381 1' \
	'2 3 blue 1 1'

# The same by the definition, for any threads and shards; by weights, too.
awk "$uniform"'BEGIN { seed_uniform(3); for (j = 1; j < 12; j++) printf "x%d\t", j; print "y"
	for (i = 0; i < 300; i++) { for (j = 1; j < 12; j++)
		printf "%d\t", 4 * uniform(); print int(3 * uniform()) } }' >grid
tabfold --shares 2:1 --part 1 grid >known
tabfold --shares 2:1 --part 2 grid >asked
awk -v radius=3 'FNR == 1 { file++; next }
	file == 1 { for (j = 1; j < 12; j++) x[FNR, j] = $j; n = FNR; next }
	{ found = 0
	  for (i = 2; i <= n; i++) { d = 0
		for (j = 1; j < 12; j++) d += ($j - x[i, j]) ^ 2
		found += d <= radius ^ 2 }
	  print FNR - 1, found }' known asked >due
knnclf -t known --radius 3 --print votes -q asked | awk 'NR > 1 { n[$1]++ }
	END { for (i = 1; i <= 100; i++) print i, n[i] + 0 }' | cmp -s - due
ok $? 'as many vote as are within'
printf 'feature\tweight_abs\nx1\t1\nx2\t2\nx3\t0.5\n' >abs
for vote in majority distance kernel nnk kstar; do
	for w in '' "-w abs"; do
		case $vote$w in nnk?*) continue ;; esac
		# shellcheck disable=SC2086
		set -- -q --radius 1.5,2.9 --vote $vote --scores $w
		knnclf -t known "$@" asked >whole
		knnclf -j 3 -t known "$@" asked | cmp -s - whole
		ok $? "-j 3 gives the same bytes, --vote $vote $w"
		i=1
		while [ $i -le 9 ]; do
			knnclf -t known "$@" --shard $i/9 asked
			i=$((i + 1))
		done | awk 'NR == 1 || !/^id/' | cmp -s - whole
		ok $? "shards, --vote $vote $w"
	done
done
knnclf --cv 4 --radius 2,3 --unreached prior -q grid >all
for i in 1 2 3 4; do
	tabfold --fold $i/4 --part train grid >f.train
	tabfold --fold $i/4 --part test grid >f.test
	knnclf -t f.train --radius 2,3 --unreached prior --print errors -q f.test
done | awk 'NR == FNR { if (FNR > 1) errors[$1] = $3; next }
	$1 != "radius" { errors[$1] -= $3 }
	END { exit errors[2] != 0 || errors[3] != 0 }' all -
ok $? '--cv is tabfold part by part'

# Wrong calls.
misuse '--radius takes one -k: at most so many of the rows within' \
	-t train --radius 1 -k 1,2 ask
misuse '--print votes takes one --radius, or --best' \
	-t train --radius 1,2 --print votes ask
misuse '--pairs similarity takes no --radius: it is of distances' \
	--loo --candidates pairs --pairs similarity --radius 1 train
misuse "bad --radius: '-1' (distinct numbers from 0)" -t train --radius -1 ask
run 0 knnclf -t train --unreached prior ask
err "$warning --unreached is not used without --radius$nl"
run 0 knnclf -t train --vote expected --radius 1 ask
err "$warning --radius is not used with --vote expected$nl"
done_testing
