#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sqpfw: a smooth start, weights of rows, patience, and what --best judges.
. "${0%/*}/tap.sh"

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
	sed -n 's/.*: objective \([^,]*\),.*/\1/p' stderr | tail -n 1
}

# Weights of rows.  The hits differ by 1 and 2 in x, the misses by 3 in y, two
# of them by 1 in x: unweighted the gradient is (2,-9), with weights 3, 1, 0, 0
# it is (3/4,-9), and w = (1/2 + theta (g_y - g_x) / 2, ...).
printf 'x,y,v,c\n0,0,3,a\n1,0,1,a\n0,3,0,b\n2,3,0,b\n' >weighed
run 0 sqpfw --theta .02 --ignore v weighed
rounded_table 'feature weight' 'x 0.39' 'y 0.61'
run 0 sqpfw --theta .02 --instance-weight v weighed
rounded_table 'feature weight' 'x 0.4025' 'y 0.5975'
err ''
cp stdout w
run 0 sqpfw --theta .02 --instance-weight v --check w weighed
run 1 sqpfw --theta .02 --ignore v --check w weighed
run 0 sqpfw --theta .02 --instance-weight v -v weighed
[ "$(objective)" = -0.0920062 ]
ok $? 'the objective: .02 / 4 (3 (.4025 - 9 .5975) - 9 .5975) + .0975^2'
run 0 sqpfw --theta .02 --instance-weight v --validate weighed weighed
rounded_table 'theta k n errors error se features' '0.02 1 4 0 0 0 2'

# --cv learns each part with the weights of its rows, and counts errors alike.
awk 'BEGIN {
	print "x,y,z,v,c"
	for (i = 0; i < 90; i++)
		print i * 7 % 11 + i % 2 * 3 "," i * 5 % 13 "," i * i % 17 - i % 2 * 4 "," i % 4 "," i % 2
}' >weighty
for part in 1 2 3; do
	tabfold --fold $part/3 --part train weighty >learn
	tabfold --fold $part/3 --part test weighty >judge
	sqpfw -q --best-effort --theta .001,.1 -k 1,3 --instance-weight v \
		--validate judge learn
done | awk -F '\t' '$1 != "theta" { it = $1 FS $2; n[it] += $3; e[it] += $4; if ($7 > p[it]) p[it] = $7 }
	END { for (it in n) print it FS n[it] FS e[it] FS p[it] }' | sort >due
run 0 sqpfw -q --best-effort --theta .001,.1 -k 1,3 --instance-weight v --cv 3 weighty
cp stdout all
tail -n +2 stdout | cut -f 1-4,7 | sort >got
cmp -s due got
ok $? '--cv --instance-weight: the errors of the parts, by --validate'
sqpfw -q --best-effort --theta .001,.1 -k 1,3 --ignore v --cv 3 weighty | cmp -s - all
[ $? -eq 1 ]
ok $? 'other errors than without weights'
for j in 2 3; do
	run 0 sqpfw -q --best-effort --theta .001,.1 -k 1,3 --instance-weight v --cv 3 -j $j weighty
	cmp -s all stdout
	ok $? "--cv --instance-weight: the same bytes for -j $j"
done
run 0 sqpfw -q --best-effort --theta .001 --instance-weight v --cv 3 --best weighty
cp stdout chosen
sqpfw -q --best-effort --theta .001 --instance-weight v weighty | cmp -s - chosen
ok $? '--cv --instance-weight --best: the weights of all rows'
awk -F , -v OFS=, 'NR > 1 { $4 = NR == 4 } 1' weighty >one
run 65 sqpfw -q --theta .1 --instance-weight v --cv 3 one
grep -q '^sqpfw: one: part [123] of --cv: all rows to learn from have weight 0$' stderr
ok $? 'a part beside which all rows have weight 0'

sed 's/,[0-9],\([abc]\)$/,-1,\1/' weighed >negative
run 65 sqpfw --theta .02 --instance-weight v negative

# Columns in other units: a warning, but of scaled ones none.
awk -F , -v OFS=, 'NR > 1 { $1 *= 1e5 } 1' weighty >units
for how in '--theta 1e-9' '--theta 1e-9 --check zero' '--theta 1e-9 --cv 3' '--path --theta-max 1e-15'; do
	[ -s zero ] || sqpfw -q --best-effort --theta 0 --ignore v units >zero
	# shellcheck disable=SC2086 # several words
	sqpfw $how --ignore v units 2>stderr >stdout
	grep -q '^sqpfw: warning: columns .* scales differ by a factor of ' stderr
	ok $? "scales that differ, $how"
done
sqpfw --theta .01 --scale zscore --ignore v units 2>&1 >stdout | grep -q scales
[ $? -eq 1 ]
ok $? 'no such warning of scaled columns'

# A smooth start: where it is taken, that it is certified, and not higher.
normal 150 110 >many
normal 60 20 >few
run 0 sqpfw -v --theta .1 many
cp stdout smooth
low=$(objective)
for j in 2 3; do
	run 0 sqpfw --theta .1 -j $j many
	cmp -s smooth stdout
	ok $? "the same bytes for -j $j"
done
run 0 sqpfw --theta .1 --start smooth many
cmp -s smooth stdout
ok $? 'the default for many features'
run 0 sqpfw --theta .1 --check smooth many
run 0 sqpfw -v --theta .1 --start prior many
! cmp -s smooth stdout
ok $? 'another start, other weights'
awk -v a="$low" -v b="$(objective)" 'BEGIN { exit !(a <= b) }'
ok $? "F is $low, not above $(objective)"
cp stdout prior
run 0 sqpfw --theta .1,.4 --print weights many
awk -F '\t' '$1 == 1 && $4 > 0 { print $3 "\t" $4 }' stdout >listed
awk -F '\t' 'NR > 1 && $2 > 0 { print $1 "\t" $2 }' prior | cmp -s - listed
ok $? 'a list begins at the prior'
run 0 sqpfw --theta .3 few
cp stdout small
run 0 sqpfw --theta .3 --start prior few
cmp -s small stdout
ok $? 'few features begin at the prior'
run 0 sqpfw --theta .3 --start smooth --hits 2 --misses 3 few
cp stdout small
run 0 sqpfw --theta .3 --hits 2 --misses 3 --check small few
run 0 sqpfw --theta .1,.3 --start smooth --cv 3 few
cp stdout small
run 0 sqpfw --theta .1,.3 --start smooth --cv 3 -j 3 few
cmp -s small stdout
ok $? 'the parts of --cv begin there, too'
run 2 sqpfw --path --start smooth few
err "sqpfw: --start smooth and --path exclude each other
try 'sqpfw --help'$nl"
run 2 sqpfw --theta .1 --prior small --start smooth few
err "sqpfw: --start smooth and --prior exclude each other
try 'sqpfw --help'$nl"

# Patience: two solutions without fewer errors end the list.
printf 'x,y,c\n0,0,a\n1,0,a\n0,3,b\n1,3,b\n' >four
run 0 sqpfw --theta .01,.02,.03,.04,.05 --validate four --patience 2 --log log four
rounded_table 'theta k n errors error se features' '0.01 1 4 0 0 0 2' \
	'0.02 1 4 0 0 0 2' '0.03 1 4 0 0 0 2'
grep -qx 'ended at theta	0.03' log
ok $? 'the log says where it ended'
run 0 sqpfw --theta .01,.02,.03 --validate four --patience 9 --log log four
! grep -q ended log
ok $? 'or nothing'
run 0 sqpfw --path --validate four --patience 1 -v four
grep -q '^sqpfw: no fewer errors in 1 solutions: ended at theta' stderr
ok $? 'a path ends, too'
run 2 sqpfw --theta .1 --patience 2 four
err "sqpfw: --patience needs --validate FILE
try 'sqpfw --help'$nl"

# --best judges what it chooses as --check does: at theta 1 the multipliers of
# the search do not do where kinks are concave.
printf 'x,y,c\n0,0,a\n1,0,a\n0,1,a\n1,1,a\n0,2,b\n1,2,b\n2,1,b\n2,2,b\n' >grid
for theta in .05 .3 1; do
	sqpfw -q --theta $theta --validate grid --best --log log grid >w
	got=$?
	sqpfw --theta $theta --check w grid >checked
	[ $? = "$got" ]
	ok $? "theta $theta: $got, as --check"
done
run 0 sqpfw --theta .1,.2,.3 --validate few --best --log log few
grep -qx 'uncertified	0' log
ok $? 'the log counts what the search does not prove'

done_testing
