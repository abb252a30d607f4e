#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# knife: what it prints, how it ends, and how it fails.
. "${0%/*}/tap.sh"
unscaled

golden=$root/tests/golden/knife

# value FILE KEY: what a log says.
value() { awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$1"; }
# error TABLE: the error that a table of tabscore says.
error() { awk -F '\t' '$2 == "error" || $2 == "rmse" { print $3 }' "$1"; }

# One feature by hand: F = 2/(2 w + 1) + lambda2 w, so w = lambda2^(-1/2) - 1/2.
printf 'a,b,y\n1,7,6\n-1,7,4\n' >line
run 0 knife --scale none --task regress --kernel linear -x a --lambda2 1 line
table 'feature weight' 'a 0.5'
err ''
run 0 knife --scale none --task regress --kernel linear -x a --lambda2 1,1.5,4 <line
printf '%s\t%s\t%s\t%s\n' step lambda2 feature weight 1 1 a 0.5 \
	2 1.5 a "$(awk 'BEGIN { print 1 / sqrt(1.5) - .5 }' CONVFMT=%.15g OFMT=%.15g)" \
	3 4 NA 0 >due
near due stdout 1e-6 'a list: long, without zeros; none is one row'
# L = max_j (x_j'L'(0))^2 / (4 lambda1) = (2 (1 + 1))^2 / 4 = 4
run 0 knife --scale none --task regress --kernel linear -x a --grid 4 line
printf '%s\t%s\t%s\t%s\n' step lambda2 feature weight 1 .004 a 1 2 .04 a 1 \
	3 .4 a 1 4 4 NA 0 >due
near due stdout 1e-6 'a grid, from 1e-3 L to L'
# Without lambda2: a grid of 20.
run 0 knife --scale none --task regress --kernel linear -x a line
cp stdout got
run 0 knife --scale none --task regress --kernel linear -x a --grid 20 line
cmp -s got stdout
ok $? 'a table alone is --grid 20'
[ "$(tail -n 1 got)" = '20	4	NA	0' ]
ok $? 'up to where all weights are 0'

# The minima of the references for classes, by the log; the check agrees.
i=0
sed 1d "$golden/cases.tsv" | grep cls60x8 >cases
while IFS='	' read -r kernel loss set l1 l2 gamma objective rest; do
	how="--kernel $kernel --loss $loss --lambda1 $l1 --lambda2 $l2"
	[ "$kernel" = linear ] || [ "$kernel" = polynomial ] ||
		how="$how --gamma $gamma"
	# shellcheck disable=SC2086 # words
	logged 0 knife --scale none $how -o w "$golden/$set"
	value log objective | awk -v due="$objective" '
		{ d = $1 / due - 1 } END { exit !(d <= 1e-7 && d >= -1e-7) }'
	ok $? "the objective, $kernel $loss"
	# shellcheck disable=SC2086 # words
	run 0 knife --scale none $how --check w "$golden/$set"
	# One weight moved by 1e-3.
	awk -F '\t' -v OFS='\t' 'NR > 1 && !done && $2 > .01 && $2 < .9 {
		$2 += .001; done = 1 } 1' w >moved
	cmp -s w moved && continue
	# shellcheck disable=SC2086 # words
	run 1 knife --scale none $how --check moved "$golden/$set"
	awk -F '\t' '$1 == "stationarity" { exit $4 != "no" }' stdout
	ok $? 'a weight moved by 1e-3 is refused'
	i=$((i + 1))
	: "$rest"
done <cases
[ "$i" -ge 10 ]
ok $? 'most of them have a weight to move'
run 0 knife --scale none --task regress --kernel linear -x a --lambda2 1 -o w line
run 0 knife --scale none --task regress --kernel linear -x a --lambda2 1 --check w line
cut -f 1,4 stdout >got
printf 'check\tok\nrange\tyes\nalpha\tyes\nstationarity\tyes\ngap\tyes\n' |
	cmp -s - got
ok $? 'with the linear kernel there is a gap'

# Both solvers meet, and the objective falls.
tabscale <"$data/wine.csv" >wine
for kernel in gaussian laplacian; do
	logged 0 knife --scale none --kernel $kernel --lambda2 2 -o w wine
	sed -n 's/^iteration\t\([0-9]*\) objective \([^ ]*\) .*/\1 \2/p' log |
		awk -v n="$(value log iterations)" 'NR == 1 && $1 != 0 { bad++ }
		NR > 1 && $2 > last * (1 + 1e-12) { bad++ } { last = $2 }
		END { exit bad > 0 || $1 != n }'
	ok $? 'the objective never rises'
	mv log profile
	logged 0 knife --scale none --kernel $kernel --lambda2 2 --solver paper --max-iter 5000 wine
	print_unscaled w >less
	mv less w
	near w stdout 1e-4 "the iteration of the paper meets it, $kernel"
	[ "$(value log solver)" = paper ] && [ "$(value profile solver)" = quasi-newton ]
	ok $? 'the log says which'
done
mv w last
awk -F '\t' 'NR == 1 || $NF != 3' wine >pair
for loss in logistic huberhinge; do
	run 0 knife --scale none --loss $loss --lambda2 2 pair
	mv stdout w
	run 0 knife --scale none --loss $loss --lambda2 2 --solver paper --max-iter 20000 pair
	near w stdout 1e-4 "both solvers, $loss"
done
mv last w
head -n 1 w >got
printf 'feature\tweight_abs\n' | cmp -s - got
ok $? 'weights of absolute differences with the laplacian'
run 0 knife --scale none --kernel laplacian --lambda2 2,3 wine
[ "$(head -n 1 stdout | cut -f 4)" = weight_abs ]
ok $? 'in a path too'

# The weights go on to others.
run 0 knnclf --loo -k 3 -w w wine
knife --scale none --lambda2 2 wine >w2
run 0 nnkgraph -y -1 -k 4 -w w2 wine
logged 0 knife --scale none --lambda2 2 --start w2 wine
[ "$(value log iterations)" -le 1 ]
ok $? 'a start at the end'
run 65 knife --scale none --lambda2 2 --start w wine
err "knife: w: this --kernel needs a table \"feature weight\"$nl"
run 65 knife --scale none --kernel laplacian --lambda2 2 --check w2 wine
err "knife: w2: this --kernel needs a table \"feature weight_abs\"$nl"

# Models: features are the weights above 0, and predictions are better than chance.
awk 'NR % 3' wine >train
awk 'NR == 1 || NR % 3 == 0' wine >'test'
for kernel in linear polynomial gaussian laplacian; do
	logged 0 knife --scale none --kernel $kernel --lambda2 1 --save-model model train
	[ "$(value log positive)" -eq "$(awk -F '\t' 'NR > 1 && $2 > 0' stdout | wc -l)" ]
	ok $? 'features are the weights above 0'
	kpredict -m model 'test' | tabscore >got
	awk -v e="$(error got)" 'BEGIN { exit !(e < .1) }'
	ok $? "kpredict: an error of $(error got), $kernel"
done
# With the squared loss y - f is lambda1 alpha, for the rows learnt from.
for kernel in linear polynomial gaussian laplacian; do
	knife --scale none --kernel $kernel --task regress -y 1 --lambda1 2 --lambda2 1 \
		--save-model model train >w
	sed '/^# /d' model | cut -f 2 >coef
	kpredict -m model train | paste - coef | awk -F '\t' 'NR > 1 {
		d = $3 - $2 - 2 * $4; if (!(d < 1e-9 && d > -1e-9)) bad++ }
		END { exit bad > 0 || NR != 120 }'
	ok $? "the model is the machine that was fitted, $kernel"
done
# Two classes, each loss, with an intercept; ids.
awk -F '\t' '$NF != 3' train >two
awk -F '\t' '$NF != 3' test >asked
awk -F '\t' -v OFS='\t' '{ print (NR == 1 ? "who" : "r" NR), $0 }' two >named
for loss in squared logistic sqhinge huberhinge; do
	run 0 knife --scale none --loss $loss --intercept --id who --lambda2 .5 \
		--save-model model named
	kpredict -m model asked | tabscore >got
	awk -v e="$(error got)" 'BEGIN { exit !(e < .1) }'
	ok $? "the model of two classes, $loss"
done
grep -q '^r[0-9]' model
ok $? 'rows of the model have their ids'
sed 1d asked >none
run 0 sh -c "sed 1d two | knife --scale none -H --lambda2 1 --save-model model -"
run 0 kpredict -H -m model none

# Grids: log-spaced up to where nothing is left, each solution a minimum.
run 0 knife --scale none --grid 7 train
awk -F '\t' 'NR > 1 && $1 != step { step = $1; n++; if (n > 1) {
	d = $2 / last - sqrt(10); if (d * d > 1e-12) bad++ } last = $2 }
	END { exit bad > 0 || n != 7 || $3 != "NA" }' stdout
ok $? 'a grid of the gaussian kernel'
# Constant columns and polynomial kernels: 0 is no minimum just because a coarse search stops there.
# K is so large here that rounding leaves a gradient of some 1e-6.
for seed in 3 7 40; do
	awk -v seed=$seed "$uniform"'BEGIN { seed_uniform(seed); OFS = "\t"
		print "x", "k", "y"
		for (i = 0; i < 20; i++) {
			x = uniform() - .5
			print x, 20, (x + uniform() / 3 > .1 || i == 0 ? "p" : "q") } }' >constant
	for loss in logistic squared huberhinge; do
		run 0 knife --scale none -q --kernel polynomial --loss $loss --grid 3 --tol 1e-5 constant
		[ "$(tail -n 1 stdout | cut -f 3)" = NA ]
		ok $? 'all weights are 0 at the end of the grid'
	done
done
# The upper end is sought on a part of the rows first, in any order of them.
awk 'BEGIN { print "a\tb\tc\td\tclass"
	for (i = 0; i < 320; i++) {
		for (j = 0; j < 4; j++) {
			x = (16807 * (x + 1)) % 2147483647
			v[j] = x / 2147483647 * 2 - 1
		}
		printf "%.3f\t%.3f\t%.3f\t%.3f\t%s\n", v[0], v[1], v[2], v[3],
			(v[0] * v[0] + v[1] > .3) ? "yes" : "no"
	} }' >drawn
for by in 5,5 4,4g 1,1g; do
	{ sed 1q drawn; sed 1d drawn | sort -t "$tab" -k "$by"; } >many
	run 0 knife --scale none --grid 4 many
	tail -n 1 stdout | cut -f 2 >>ends
	awk -F '\t' 'NR == 1 { exit $0 != "step\tlambda2\tfeature\tweight" }' stdout
	ok $? 'a path'
	list=$(tail -n 1 stdout | awk -v OFS=, -v OFMT=%.15g -v CONVFMT=%.15g '{
		print $2 / 64, $2 / 8, $2 / 1.3, $2 }')
	run 0 knife --scale none --lambda2 "$list" many
	awk -F '\t' '$1 == 4 { gone = $3 == "NA" } $1 == 3 && $3 != "NA" { left++ }
		END { exit !gone || !left }' stdout
	ok $? "by $by: nothing is left at the upper end, something just below"
done
sort -g ends | awk 'NR == 1 { least = $1 } END { exit !($1 < 1.3 * least) || NR != 3 }'
ok $? 'upper ends of three orders'
run 0 knife --scale none --grid 7 -j 2 train
cp stdout path
[ "$(awk -F '\t' 'NR > 1' path | cut -f 1 | uniq | tr '\n' ' ')" = '1 2 3 4 5 6 7 ' ]
ok $? 'its path'
at=$(awk -F '\t' '$1 == 3 { print $2; exit }' path)
awk -F '\t' -v OFS='\t' 'NR == 1 || $1 == 3 { print $3, $4 }' path >w
run 0 knife --scale none --lambda2 "$at" --check w train
run 65 knife --scale none --lambda2 1 --check path train
grep -q '^knife: path:' stderr
ok $? 'a path is no vector'

# Random starts: seeded, of weights in [0, 1].
for seed in 1 2; do
	run 1 knife --scale none --lambda2 3 --start random --seed $seed --max-iter 0 -q wine
	cp stdout w.$seed
done
knife --scale none --lambda2 3 --start random --seed 2 --max-iter 0 -q wine | cmp -s - w.2
ok $? 'the same seed, the same bytes'
cmp -s w.1 w.2
[ $? -eq 1 ]
ok $? 'another seed, another start'
awk -F '\t' 'NR > 1 { if (!($2 > 0 && $2 < 1)) bad++; sum += $2 }
	END { exit bad || sum < 2 || sum > 11 }' w.1
ok $? 'weights between 0 and 1'
# From w = 0 the gaussian kernel sees no interaction; from a random start it does.
awk 'BEGIN { OFS = "\t"; print "a", "b", "y"; for (i = 0; i < 40; i++) {
	a = i % 2 ? 1 : -1; b = int(i / 2) % 2 ? 1 : -1
	print a, b, (a * b > 0 ? "p" : "q") } }' >xor
run 0 knife --scale none --lambda2 1 --start 0 xor
table 'feature weight' 'a 0' 'b 0'
run 0 knife --scale none --lambda2 1 --start random xor
table 'feature weight' 'a 1' 'b 1'
run 0 knife --scale none --lambda2 1 --start 0 --max-iter 0 -q xor
table 'feature weight' 'a 0' 'b 0'

# gamma: 1 over the sum of the variances, or of the deviations, of the features.
awk -F '\t' -v OFS='\t' '{ if (NR > 1) { $1 *= 100; $2 /= 7 } print }' wine >units
sd=$(tabscale --save - -o scaled units | awk -F '\t' 'NR > 1 { v += $4 ^ 2; s += $4 }
	END { printf "%.17g %.17g", 1 / v, 1 / s }')
logged 0 knife --scale none -q --lambda2 .1 units
awk -v due="${sd% *}" -v got="$(value log gamma)" 'BEGIN { d = got / due - 1
	exit !(d < 1e-12 && d > -1e-12) }'
ok $? 'gamma of the gaussian kernel'
logged 0 knife --scale none -q --lambda2 .1 --kernel laplacian units
awk -v due="${sd#* }" -v got="$(value log gamma)" 'BEGIN { d = got / due - 1
	exit !(d < 1e-12 && d > -1e-12) }'
ok $? 'gamma of the laplacian kernel'
for unit in 1e-6 1e-3 10 1e6; do
	awk -F '\t' -v OFS='\t' -v u=$unit '{ if (NR > 1) for (i = 1; i < NF; i++) $i *= u
		print }' CONVFMT=%.17g wine >other
	run 0 knife --scale none --lambda2 2 --save-model model other
	near w2 stdout 1e-6 "weights in the unit $unit"
done

# The same bytes for any number of threads.
for how in '--lambda2 1' '--grid 4 --kernel laplacian' \
	'--kernel polynomial --lambda2 1,2' '--kernel linear --grid 3' \
	'--lambda2 .1 --solver paper --max-iter 20'; do
	# shellcheck disable=SC2086 # words
	knife --scale none -q $how wine >due
	for j in 2 3; do
		# shellcheck disable=SC2086 # words
		knife --scale none -q -j $j $how wine | cmp -s - due
		ok $? "-j $j gives the same bytes, $how"
	done
done

# Warnings, and how it ends.
run 1 knife --scale none --lambda2 1 --max-iter 2 wine
[ "$(wc -l <stdout)" -eq 14 ]
ok $? 'what was reached is printed'
grep -q '^knife: warning: no convergence in 2 iterations: projected gradient [0-9.e-]*, limit [0-9.e-]*$' stderr
ok $? 'and said'
run 1 knife --scale none --lambda2 1 --max-iter 2 -q wine
err ''
run 1 knife --scale none --lambda2 1,2 --max-iter 2 wine
err "knife: warning: no convergence at 2 of 2 values of lambda2$nl"
printf 'a,b,y\n1,1000,p\n2,5000,p\n3,9000,q\n' >units
run 0 knife --scale none --lambda2 1 units
err "knife: warning: columns \"a\" and \"b\": scales differ by a factor of 4e+03 (tabscale?)$nl"
run 0 knife --scale none -x a --lambda2 1 --gamma 100 units
err "knife: warning: gamma 100 is too large for these data: at the start most rows have no kernel with another above 1.93e-22$nl"
run 0 knife --scale none -x a --lambda2 1 --degree 3 --coef0 2 --delta 3 --seed 3 units
err "knife: warning: --degree is not used with --kernel gaussian
knife: warning: --coef0 is not used with --kernel gaussian
knife: warning: --delta is not used with this --loss
knife: warning: --seed is not used without --start random$nl"
run 0 knife --scale none -x a --kernel linear --lambda2 1 --gamma 3 units
err "knife: warning: --gamma is not used with --kernel linear$nl"
run 0 knife --scale none --lambda2 2 --check w2 --solver paper --max-iter 3 wine
err "knife: warning: --solver is not used with --check
knife: warning: --max-iter is not used with --check$nl"
# A cell next to which its column vanishes: proved all the same, or not said so.
printf 'a,b,y\n0,0,a\n1,0,a\n0,1,b\n1e9,1,b\n2,2,a\n3,-1,b\n' >outlier
for kernel in linear gaussian laplacian; do
	run 0 knife --scale none -q --lambda2 .1 --kernel $kernel outlier
	mv stdout w
	run 0 knife --scale none -q --lambda2 .1 --kernel $kernel --check w outlier
done
run 1 knife --scale none -q --lambda2 .1 --kernel polynomial outlier
sed 's/1e9/1e76/' outlier >large
run 1 knife --scale none -q --lambda2 .1 --kernel polynomial large
sed 's/1e9/1e77/' outlier >large
refuse 'large: column "a": numbers up to 1e+77 are too large for this kernel (tabscale?)' \
	-q --scale none --lambda2 .1 --kernel polynomial large
run 0 knife --scale none --loss huberhinge --delta .5 --kernel polynomial --degree 3 \
	--coef0 0 -x a --lambda2 1 units
err ''

# Bad data.
refuse_file 'a,y\n1,p\n2,p\n' ": one class only: 'p'" --lambda2 1
printf 'a,y\n1,3\n2,3\n' >flat
run 65 knife --scale none --task regress --lambda2 1 flat
err "knife: flat: column \"y\": the target is constant$nl"
run 65 knife --scale none --lambda2 1 --lambda1 1e-30 wine
err "knife: lambda1 1e-30 is too small: K + lambda1 I is singular to working precision$nl"
printf 'feature\tweight\na\t1.5\n' >high
run 65 knife --scale none -x a --lambda2 1 --start high units
err "knife: high: feature \"a\": a start of 1.5 is above 1$nl"
run 1 knife --scale none -x a --lambda2 1 --check high units
awk -F '\t' '$1 == "range" { exit !($2 == .5 && $4 == "no") }' stdout
ok $? 'but can be judged'
printf 'feature\tweight\na\t-1\n' >low
run 65 knife --scale none -x a --lambda2 1 --start low units
run 65 knife --scale none --lambda2 1 --loss logistic wine
recipe="tabscale --method none | awk -F'\\t' -v OFS='\\t' 'NR > 1 && \$14 != \"1\" { \$14 = \"(rest)\" } 1' | knife ..."
err "knife: wine: 3 classes, and --loss logistic takes two (--loss squared, or one against the rest: $recipe)$nl"
echo "${recipe%...} --loss logistic --lambda2 1" >recipe
run 0 sh recipe <wine
[ "$(wc -l <stdout)" -eq 15 ]
ok $? 'the recipe works'

# Wrong calls.
one='--lambda2 1'
misuse '--lambda2 and --grid exclude each other' --lambda2 1 --grid 3 line
misuse 'bad --lambda2: the list must increase' --lambda2 2,1 line
misuse '--check needs one --lambda2' --grid 3 --check w line
misuse '--check needs one --lambda2' --lambda2 1,2 --check w line
misuse '--check excludes --save-model' --lambda2 1 --check w --save-model m line
# shellcheck disable=SC2086 # words
{
	misuse '--task regress needs --loss squared' $one --task regress \
		--loss logistic line
	for start in 1.5 -1; do
		misuse "bad --start: '$start' (a number in [0, 1], random, or a file)" \
			$one --start=$start line
	done
	misuse '--output and --save-model are the same file' $one \
		--save-model ./x -o x line
	misuse 'standard input named twice (give the rows as operand FILE)' \
		$one --start -
	misuse "bad --lambda1: '0' (a number above 0)" $one --lambda1 0 line
	misuse "bad --gamma: '0' (a number above 0)" $one --gamma 0 line
	misuse "bad --degree: '0' (a whole number from 1 to 1048576)" $one \
		--kernel polynomial --degree 0 line
	misuse "bad --degree: '1.5' (a whole number from 1 to 1048576)" $one \
		--kernel polynomial --degree 1.5 line
	misuse "bad --coef0: '-1' (a number from 0)" $one --kernel polynomial \
		--coef0=-1 line
}
misuse '--save-model needs one --lambda2' --grid 3 --save-model m line
misuse "bad --lambda2: '-1' (distinct numbers, as .1,.3, from 0)" --lambda2=-1 line
misuse "bad --grid: '1' (a whole number from 2 to 1048576)" --grid 1 line
run 74 knife --scale none --lambda2 1 --save-model no/model wine
out ''
err "knife: no/model: No such file or directory$nl"

# A weight of 1 is 1 again behind its change to the units of the table and back.
for column in 4 20 21; do
	run 0 knife -q -x "$column" --lambda2 0 --tol 0 "$data/wdbc.csv"
	mv stdout w
	run 0 knife -q -x "$column" --lambda2 0 --tol 0 --check w "$data/wdbc.csv"
done

# A weight that would lose digits in the units of the table.
printf 'x,y\n1e159,p\n3e159,p\n5e159,q\n9e159,q\n' >vast
refuse 'vast: column "x": in its unit, a weight does not fit a double' --lambda2 .01 vast

done_testing
