#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sqpfw: a smooth start, weights of rows, --scale.
. "${0%/*}/tap.sh"
unscaled

# normal N P: rows of P numbers of two classes that differ in every fourth.
normal() {
	awk -v n="$1" -v p="$2" "$uniform"'function z() {
			return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform()) }
		BEGIN {
			seed_uniform(3)
			for (f = 1; f <= p; f++)
				printf "x%d,", f
			print "c"
			for (i = 0; i < n; i++) {
				for (f = 0; f < p; f++)
					printf "%.4f,", z() + (f % 4 ? 0 : .5 * (i % 2))
				print i % 2 ? "a" : "b"
			}
		}'
}

# objective: what -v said of it.
objective() {
	awk -F '\t' '$1 == "objective" { printf "%g", $2 }' stderr
}

# Weights of rows.  The hits differ by 1 and 2 in x, the misses by 3 in y, two
# of them by 1 in x: unweighted the gradient is (2,-9), with weights 3, 1, 0, 0
# it is (3/4,-9), and w = (1/2 + theta (g_y - g_x) / 2, ...).
printf 'x,y,v,c\n0,0,3,a\n1,0,1,a\n0,3,0,b\n2,3,0,b\n' >weighed
run 0 sqpfw --scale none --theta .02 -x !v weighed
rounded_table 'feature weight' 'x 0.39' 'y 0.61'
run 0 sqpfw --scale none --theta .02 --instance-weight v weighed
rounded_table 'feature weight' 'x 0.4025' 'y 0.5975'
err ''
cp stdout w
run 0 sqpfw --scale none --theta .02 --instance-weight v --check w weighed
run 1 sqpfw --scale none --theta .02 -x !v --check w weighed
run 0 sqpfw --scale none --theta .02 --instance-weight v -v weighed
[ "$(objective)" = -0.0920062 ]
ok $? 'the objective: .02 / 4 (3 (.4025 - 9 .5975) - 9 .5975) + .0975^2'

awk 'BEGIN {
	print "x,y,z,v,c"
	for (i = 0; i < 90; i++)
		print i * 7 % 11 + i % 2 * 3 "," i * 5 % 13 "," i * i % 17 - i % 2 * 4 "," i % 4 "," i % 2
}' >weighty
sed 's/,[0-9],\([abc]\)$/,-1,\1/' weighed >negative
run 65 sqpfw --scale none --theta .02 --instance-weight v negative

# Columns in other units: a warning, but of scaled ones none.
awk -F , -v OFS=, 'NR > 1 { $1 *= 1e5 } 1' weighty >units
for how in '--theta 1e-9' '--theta 1e-9 --check zero' '--path --theta-max 1e-15'; do
	[ -s zero ] || sqpfw --scale none -q --theta 0 -x !v units >zero
	# shellcheck disable=SC2086 # several words
	sqpfw --scale none $how -x !v units 2>stderr >stdout
	grep -q '^sqpfw: warning: columns .* scales differ by a factor of ' stderr
	ok $? "scales that differ, $how"
done
sqpfw --theta .01 --scale zscore -x !v units 2>&1 >stdout | grep -q scales
[ $? -eq 1 ]
ok $? 'no such warning of scaled columns'

# A smooth start: where it is taken, that it is certified, and not higher.
normal 150 110 >many
normal 60 20 >few
run 0 sqpfw --scale none -v --theta .1 many
cp stdout smooth
low=$(objective)
for j in 2 3; do
	run 0 sqpfw --scale none --theta .1 -j $j many
	cmp -s smooth stdout
	ok $? "the same bytes for -j $j"
done
run 0 sqpfw --scale none --theta .1 --start smooth many
cmp -s smooth stdout
ok $? 'the default for many features'
run 0 sqpfw --scale none --theta .1 --check smooth many
run 0 sqpfw --scale none -v --theta .1 --start prior many
! cmp -s smooth stdout
ok $? 'another start, other weights'
awk -v a="$low" -v b="$(objective)" 'BEGIN { exit !(a <= b) }'
ok $? "F is $low, not above $(objective)"
cp stdout prior
run 0 sqpfw --scale none --theta .1,.4 --print weights many
awk -F '\t' '$1 == 1 && $4 > 0 { print $3 "\t" $4 }' stdout >listed
awk -F '\t' 'NR > 1 && $2 > 0 { print $1 "\t" $2 }' prior | cmp -s - listed
ok $? 'a list begins at the prior'
run 0 sqpfw --scale none --theta .3 few
cp stdout small
run 0 sqpfw --scale none --theta .3 --start prior few
cmp -s small stdout
ok $? 'few features begin at the prior'
run 0 sqpfw --scale none --theta .3 --start smooth --hits 2 --misses 3 few
cp stdout small
run 0 sqpfw --scale none --theta .3 --hits 2 --misses 3 --check small few
run 2 sqpfw --scale none --path --start smooth few
err "sqpfw: --start smooth and --path exclude each other
try 'sqpfw --help'$nl"
run 2 sqpfw --scale none --theta .1 --prior small --start smooth few
err "sqpfw: --start smooth and --prior exclude each other
try 'sqpfw --help'$nl"


done_testing
