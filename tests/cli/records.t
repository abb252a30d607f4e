#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tests/record and tests/compare: that a build is like itself, and that each kind of
# difference is found, with every awk; tests/records: that it has all options.
. "${0%/*}/tap.sh"
# shellcheck source=awks.sh
. "$root/tests/cli/awks.sh"

cat >list <<'END'
## tables
awk 'NR < 20' iris.csv >few.csv

## relief, weights: few.csv iris.csv no-such-table.csv
relief $T; relief -y 1 -x 2:4 --task regress --method relieff $T
relief -o new -v -j $J $T

## tabscale
tabscale -y none -x 1 -o newer few.csv && mkdir new && mv newer new
cat no-such-file; echo -n end
END
for j in 1 2; do
	KITH_SHARED=nowhere run 0 "$root/tests/record" -l list -t "$j" "$KITH_BUILD" rec$j
	out ''
	err "record: calls left out: 2, without no-such-table.csv in KITH_SHARED$nl"
done
head='command calls differ absent status files lines header text message numbers column number'
run 0 "$root/tests/compare" rec1 rec2
table "$head" 'all 6 0 0 0 0 0 0 0 0 0 0 0'
run 0 "$root/tests/record" -l list -s '^tabscale' "$KITH_BUILD" part
run 1 "$root/tests/compare" rec1 part
table "$head" 'relief 4 4 4 0 0 0 0 0 0 0 0 0' 'all 6 4 4 0 0 0 0 0 0 0 0 0'
run 0 "$root/tests/compare" -s tabscale rec1 part

# A record as the pages of the tools say, and one thing in it changed.
# shellcheck disable=SC2016 # of the call
record=$(printf 'call\ta, b\t-\tone -x\nstatus\t0\nstdout\tn\tx\tresidual\nstdout\t-8\t.5\t1e-17\nstdout\tu\t2\t0\n\nstderr\ta: 3 steps\n\nnew\tz\n\ncall\tc\tt.csv\ttwo $T\nstatus\t65\nstdout\nstderr\tc: bad\n\nx') || exit 1
printf '%s' "${record%x}" >a
# change SED: b is a with this edit.
change() {
	sed "$1" a >b
	cmp -s a b && echo "not changed: $1" >&2
}
# compared STATUS [OPTION]...: a and b are compared by $awk.
compared() {
	due=$1
	shift
	PATH="$PWD/awks/$awk:$PATH" "$root/tests/compare" "$@" a b >stdout
	status=$?
	[ "$status" -eq "$due" ]
	ok $? "status $due of compare $* ($awk)"
}
# found COLUMN...: what the command a differs in, and by how much.
found() {
	compared 1
	awk -F '\t' 'NR == 1 { split($0, name) } NR == 2 {
		for (i = 4; i <= NF; i++) if ($i > 0) printf "%s ", i < 12 ? name[i] : $i
		print "" }' stdout >got
	[ "$(cat got)" = "$1 " ]
	ok $? "$1 ($awk): $(cat got)"
}
for awk in $awks; do
	change '2s/0/65/'
	found status
	change 's/-8/-8.04/'
	found 'numbers 0.00498 0.00498'
	change 's/\.5/.50000001/'
	found 'numbers 5e-09 2e-08'
	change 's/1e-17/3e-17/'
	found numbers
	change 's/-8/NA/'
	found text
	change 's/u	2/v	2/'
	found text
	change 's/x.residual/y	residual/'
	found header
	change 5d
	found lines
	change '5{n;d;}'
	found lines
	change 's/^stdout.u/stdout	u	2\n&/'
	found lines
	change '/^new/{N;d;}'
	found files
	change 's/steps/step/'
	found message
	change 's/3 steps/4 steps/'
	found numbers
	change 's/one -x/one -y/'
	found absent
	change 's/\.5/.50000001/; s/1e-17/3e-17/; s/3 steps/4 steps/'
	compared 0 -t 1e-8
	compared 1 -t 1e-9
	compared 1 -v
	grep -q '^one -x$' stdout && grep -q '^      > -8.[.]50000001' stdout &&
		grep -q '^  differs in numbers (column 5e-09, number 2e-08)$' stdout
	ok $? "-v shows the call and the line ($awk)"
done
run 2 "$root/tests/compare" a
run 2 "$root/tests/compare" a list
run 2 "$root/tests/record" nowhere x

# Own options of each command, and all options of any.
for name in $(tools); do
	[ "$name" != tabcv ] || continue
	"$name" --help=tsv | awk -F '\t' '$1 ~ /--output/ { exit } sub(/.*--/, "--", $1) { print $1 }' >options
	of_it=$(grep -E -e "(^|[ ;|&(])$name " -e '^[$]T' -e '"[$]@"' "$root/tests/records")
	[ -s options ]
	ok $? "$name has options"
	while read -r option; do
		case $option in
		--target | --features | --threads | --delimiter | --train | --model | --weights | --test) continue ;;
		--no-header | --na | --na-string | --id | --seed) continue ;;
		esac
		case $of_it$nl in
		*"$option"[=\ $nl]*) ;;
		*) echo "$option" ;;
		esac
	done <options >stdout
	out ''
done
done_testing
