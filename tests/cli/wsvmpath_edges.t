#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Paths of random problems, which are judged in 80 bits (tests/gen/svm_judge.h):
# status 0 means that all steps, and all between them, are solutions.  edges draws
# problems at the edges of doubles, nasty those of ordinary bad tables.  KITH_LONG:
# problems of other seeds, and many.
. "${0%/*}/tap.sh"

if [ "${KITH_LONG:-}" ]; then
	from=10001
	sets='edges-classify:6000 edges-regress:1500 edges-rank:1000
		nasty-classify:1500 nasty-regress:700 nasty-rank:400'
else
	from=1
	sets='edges-classify:150 edges-regress:60 edges-rank:40
		nasty-classify:120 nasty-regress:50 nasty-rank:30'
fi
for of in $sets; do
	set=${of%:*}
	mkdir "$set"
	"$KITH_BUILD/gen/${set%-*}" run $from "${of#*:}" "${set#*-}" "$set" >told
	ok $? "$set: $(tail -n 1 told)"
done

# Problems whose paths are off where a condition of wsvm/verify.c is missing, or where rounding
# seems smaller than it is, as alpha of M or rates at bounds do not count.
for seed in 10197 10350 10431 11608; do
	"$KITH_BUILD/gen/edges" run $seed 1 classify . >told
	ok $? "edges, seed $seed"
done
for of in regress:10580 regress:30052 regress:60015 regress:200391 rank:10127 rank:11433; do
	JUDGE_CHECK=1 "$KITH_BUILD/gen/nasty" run "${of#*:}" 1 "${of%:*}" . >told
	ok $? "nasty, $of"
done

# At theta 1 weights have all their digits: --check sees alpha that is off there, where the weight
# was 1e16 times as large before.
printf '%s\n' x,query,y 0,1,1 10000,1,2 >table
problem='--task rank -y y --query query --kernel linear --from 1e8 --to 2e-8'
# shellcheck disable=SC2086 # words
run 0 wsvmpath --scale none -q $problem --print coef -o path table
# shellcheck disable=SC2086 # words
run 0 wsvmpath --scale none -q $problem --check path table
awk -v OFS='\t' '$2 == 1 && $3 != "(bias)" { $4 *= 1.01 } { $1 = $1; print }' path >off
# shellcheck disable=SC2086 # words
run 1 wsvmpath --scale none -q $problem --check off table

# sound FILE: the path of $problem over FILE is right, by --check, too.
sound() {
	# shellcheck disable=SC2086 # words
	run 0 wsvmpath --scale none -q $problem --print coef -o path "$1"
	# shellcheck disable=SC2086 # words
	run 0 wsvmpath --scale none -q $problem --check path "$1"
}

### Kernels that are large beside the ridge

for degree in 2 3 5; do
	problem="--from .01 --to 10 --kernel polynomial --degree $degree"
	sound "$data/wdbc.csv"
done
printf '%s\n' x1,x2,c0,c1,class 1,-2,30,28,1 -1,0,30,30,1 -1,-2,3,3.4,1 \
	0,2,20,24,1 1,-2,10,12,1 2,1,2,0,1 2,-1,12,12,1 0,-2,16,16,-1 \
	-1,0,20,20,-1 2,2,20,20,-1 0,2,9,9,-1 1,-2,5,5,-1 2,1,3,3,-1 \
	2,1,7,7,-1 1,-2,25,25,-1 >table
problem='-y class --from c0 --to c1 --kernel linear --ridge 1e-12'
sound table

### Sixteen decades of C: solutions are those of a machine at that C alone

tabscale "$data/wdbc.csv" >wdbc
k='--kernel polynomial --degree 3' # words
for ends in '1e-8 1e8' '1e8 1e-8'; do
	from=${ends% *}
	to=${ends#* }
	problem="--from $from --to $to $k"
	sound wdbc
	for C in 1e-6 .01 1 1e4; do
		theta=$(awk -v C=$C -v from="$from" -v to="$to" \
			'BEGIN { printf "%.17g", (C - from) / (to - from) }')
		# The C of this theta, which has 53 bits.
		at=$(awk -v t="$theta" -v from="$from" -v to="$to" \
			'BEGIN { printf "%.17g", from + t * (to - from) }')
		# shellcheck disable=SC2086 # words
		run 0 wsvmpath --scale none -q --from "$from" --to "$to" $k --at "$theta" \
			--print coef wdbc
		awk -F '\t' '$3 == "(bias)" { b = $4 } END { print "b\n" b }' \
			stdout >chained
		# shellcheck disable=SC2086 # words
		run 0 wsvmpath --scale none -q --from "$at" --to "$at" $k --at 0 --print coef wdbc
		awk -F '\t' '$3 == "(bias)" { b = $4 } END { print "b\n" b }' \
			stdout >direct
		near chained direct 1e-6 "C from $from to $to: b at $C"
	done
done

### Weights that go to 0

printf '%s\n' x1,x3,x4,x5,x6,x7,x8,x9,x10,c0,c1,class \
	-6,-4,-6,-2,-4,-6,-6,-4,-2,6.67,0,1 \
	-20,-10,-15,-5,-10,-15,-15,-10,-5,0.5,0,-1 \
	12,8,12,4,8,12,12,8,4,0.6,0,1 6,4,6,2,4,6,6,4,2,30,0,1 \
	-12,-8,-12,-4,-8,-12,-12,-8,-4,9.86,0,-1 \
	-9,-6,-9,-3,-6,-9,-9,-6,-3,1.768,0,-1 \
	-15,-10,-15,-5,-10,-15,-15,-10,-5,2,0,1 \
	12,8,10,4,8,12,12,8,4,2.882,0,-1 9,6,9,3,6,9,9,6,3,5,0,-1 \
	-3,-2,-3,-1,-2,-3,-3,-2,-1,13,0,1 \
	20,10,15,5,10,20,20,10,5,4.3,0,-1 >table
problem='-y class --from c0 --to c1 --kernel linear'
# shellcheck disable=SC2086 # words
run 0 wsvmpath --scale none -q $problem --print coef -o path table
# shellcheck disable=SC2086 # words
wsvmpath --scale none -q $problem --check path table >stdout
awk -F '\t' '$1 ~ /bounds|sum|kkt|piece/ && $4 == "yes" { n++ }
	END { exit n != 4 }' stdout
ok $? 'weights to 0: bounds, sum and KKT conditions by --check'
printf '%s\n' x1,x2,x3,qid,class -1,-2,-2,0,1 2,-2,2,0,0 -1,0,1,0,0 -2,1,-2,1,1 \
	0,0,-2,0,0 2,2,-1,1,0 -2,2,1,1,0 2,-2,2,0,2 0,0,0,1,1 -1,0,1,0,0 >table
problem='--task rank --query qid -y class --from 1 --to 0
	--kernel polynomial --gamma 1 --degree 5'
sound table

### What is said, with C where both ends are numbers

printf '%s\n' x,z,w,y -.0469,-.64,-.439,1 .523,-.0472,1.54,-1 -.0469,-.64,-.439,-1 \
	1.79,.307,-.156,-1 .523,-.0472,1.54,-1 >table
run 0 wsvmpath --scale none --print events --kernel polynomial --gamma .8949 --degree 1 --ridge 1e-12 \
	--from .5048 --to .546 -o path table
grep -Eqx "wsvmpath: warning: [0-9]+ times events could not be told apart,\
 first at theta [0-9.e-]+, C [0-9.]+: solved anew up to [0-9.e-]+ of theta,\
 [0-9.e-]+ of C further on, and what lies between judged" stderr
ok $? 'where events could not be told apart'
awk -v OFS=, -F , 'NR == 1 { print $0, "c0", "c1"; next }
	{ print $0, ".5048", ".546" }' table >columns
run 0 wsvmpath --scale none --print events --kernel polynomial --gamma .8949 --degree 1 --ridge 1e-12 \
	-y y --from c0 --to c1 -o path columns
grep -Eqx "wsvmpath: warning: [0-9]+ times events could not be told apart,\
 first at theta [0-9.e-]+: solved anew up to [0-9.e-]+ of theta further on,\
 and what lies between judged" stderr
ok $? 'weights of columns have no C'

# A row at the origin, which a linear kernel does not see, and whose weight ends at 0.
printf '%s\n' u,v,a,b,y 2,2,.22461254373652628,9.806323268348752,2 1,2,0,0,0 \
	0,0,0,.32360247755119986,2 0,0,.20386983700240013,0,0 >origin
args='--task regress --scale none --kernel linear -x u,v --from a --to b --epsilon .1'
# shellcheck disable=SC2086 # words
run 0 wsvmpath $args --print coef -o path origin
# shellcheck disable=SC2086 # words
run 0 wsvmpath $args --check path origin
verdict 'yes yes yes yes yes yes yes'

# Weights of one class far below those of the other.
printf '%s\n' x,w,y 0,1e-18,a 1,1e-18,a 2,1,b 1.5,1e-18,a 3,1,b 2.5,1,b >tiny
args='-x x -y y --from =w --to 1'
# shellcheck disable=SC2086 # words
run 0 wsvmpath $args --print coef -o path tiny
# shellcheck disable=SC2086 # words
run 0 wsvmpath $args --check path tiny
verdict 'yes yes yes yes yes yes yes'

# Weights that fall by ten decades, of which rounding of the larger ones leaves nothing.
args=$("$KITH_BUILD/gen/nasty" table 100396 classify table)
# shellcheck disable=SC2086 # words
run 1 wsvmpath --scale none --print events -q $args -o path table
# shellcheck disable=SC2086 # words
run 1 wsvmpath --scale none --print events $args -o path table
grep -Eqx "wsvmpath: warning: [0-9]+ solutions are off, the worst up to theta\
 [0-9.e-]+, C [0-9.e-]+: (kkt|sum|bound) is [0-9.e+]+ times its limit" stderr
ok $? 'which solution is off the most'

# Weights that grow from the smallest number by 624 decades: no step from there has the length 0.
printf '%s\n' x,w,y 4,1,ve 3.9,2,ve 4.4,3,ve 4.4,3,ve 4,4,ve 5,5,ve 5.1,1,ve 2,2,ve \
	4.2,3,ve 5.1,4,vi 6.3,1e300,vi >grown
run 1 wsvmpath -q --from 5e-324 --to w grown
tail -n +2 stdout | awk -F '\t' '$1 != end { exit 1 } { end = $2 } END { exit end != 1 }' end=0
ok $? 'to the end'
done_testing
