#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# States of wsvmpath: those that it has written are taken back, and one in which
# a number is wrong is not.
#
# KITH_FROM (1) is the first table, KITH_TABLES how many there are (30; 500 in
# the long tests).
. "${0%/*}/tap.sh"

awk -F, 'NR == 1 || (NR > 1 && NR < 14) || (NR > 51 && NR < 64)' \
	"$data/iris.csv" >two.csv

# Each line that holds a number, or where a variable is, is changed by itself.
# Weights may be others only where --from leaves them open.
for task in 'classify --from 1 --to 2' \
	'classify --from 1 --to .001 --kernel linear' \
	'regress --epsilon .1 --from 1 --to 2 -x 1,2 -y 3' \
	'rank --query 5 -x 1,2 -y 3 --from .1 --to 1'; do
	end=${task#*--to }
	end=${end%% *}
	back=$(echo "$task" | sed "s/--from [^ ]*/--from $end/; s/--to [^ ]*/--to 3/")
	# shellcheck disable=SC2086 # words
	run 0 wsvmpath --task $task --state-out state.tsv two.csv
	err ''
	# shellcheck disable=SC2086
	run 0 wsvmpath --task $back --state-in state.tsv two.csv
	err ''
	lines=$(wc -l <state.tsv)
	line=4
	taken=
	while [ $line -le "$lines" ]; do
		awk -F '\t' -v OFS='\t' -v line=$line 'NR == line {
			$3 = $3 == "out" ? "in" : $3 == "in" ? "out" \
				: $3 == "margin" ? "in" \
				: $3 + ($1 == "b" ? 10 : .01)
		} 1' state.tsv >bad.tsv
		# shellcheck disable=SC2086
		wsvmpath --task $back --state-in bad.tsv two.csv >stdout 2>stderr
		[ $? -eq 65 ] && [ ! -s stdout ] && [ "$(wc -l <stderr)" -eq 1 ] ||
			taken="$taken $line"
		line=$((line + 1))
	done
	[ -z "$taken" ]
	ok $? "$task: a wrong number is refused, of $lines lines, but for:$taken"
done

# What is said.
run 0 wsvmpath --from 1 --to 2 --state-out state.tsv two.csv
awk -F '\t' -v OFS='\t' '$1 == "f" && $2 == 6 { $3 += .5 } 1' state.tsv >bad.tsv
run 65 wsvmpath --state-in bad.tsv --to 3 two.csv
out ''
grep -qx 'wsvmpath: bad.tsv: not the solution of these rows: scores is [0-9.e-]*, more than 1e-09' stderr
ok $? 'scores that alpha does not give'
awk -F '\t' -v OFS='\t' '$1 == "alpha" || $1 == "f" { $3 = 0 }
	$1 == "where" { $3 = "out" } 1' state.tsv >bad.tsv
run 65 wsvmpath --state-in bad.tsv --to 3 two.csv
grep -qx 'wsvmpath: bad.tsv: not the solution of these rows: kkt is [0-9.e-]*, more than 1e-09' stderr
ok $? 'no alpha at all'
awk -F '\t' -v OFS='\t' '$1 == "where" && $3 == "out" { $3 = "margin" } 1' \
	state.tsv >bad.tsv
run 65 wsvmpath --state-in bad.tsv --to 3 two.csv
grep -q ': margin is ' stderr
ok $? 'all on the margin'
awk -F '\t' -v OFS='\t' '$1 == "b" { $3 += .1 } 1' state.tsv >bad.tsv
run 65 wsvmpath --state-in bad.tsv --to 3 two.csv
grep -q ': kkt is ' stderr
ok $? 'another b'

# Where weights have no rows on the margin, b may be anywhere in its interval.
run 0 wsvmpath --from 2 --to 0 --state-out state.tsv two.csv
run 0 wsvmpath --state-in state.tsv --to 1 two.csv
err ''

# What was written is taken back, on tables that are hard on arithmetic: what is
# written with status 0 is a solution.
from=${KITH_FROM:-1}
tables=30
[ "${KITH_LONG:-}" ] && tables=500
last=$((from + ${KITH_TABLES:-$tables} - 1))
seed=$((from - 1))
refused=
sound=0
while [ $seed -lt $last ]; do
	seed=$((seed + 1))
	"$KITH_BUILD/gen/tied" $seed |
		awk -F, -v OFS=, 'NR > 1 && $NF == "c" { $NF = "a" } 1' >classes
	"$KITH_BUILD/gen/tied" $seed regress >numbers
	for how in '--kernel gaussian --from .1 --to 2 classes' \
		'--kernel linear --from 1 --to 100 classes' \
		'--kernel polynomial --from 1000 --to 2 classes' \
		'--kernel gaussian --from 1 --to .01 --ridge 0 classes' \
		'--kernel linear --from .1 --to 3 --task regress --epsilon .1 numbers'; do
		# shellcheck disable=SC2086 # words
		timeout 60 wsvmpath -q $how --state-out state.tsv >stdout 2>stderr ||
			continue
		sound=$((sound + 1))
		back=$(echo "$how" | sed 's/--from [^ ]* //; s/--to [^ ]*/--to 1/')
		# shellcheck disable=SC2086
		timeout 60 wsvmpath -q $back --state-in state.tsv >stdout 2>stderr
		case $? in 0 | 1) ;; *) refused="$refused $seed:$how$nl" ;; esac
	done
done
[ -z "$refused" ]
ok $? "of $sound states none is refused, but:$refused"
[ $sound -gt $((3 * (last - from))) ]
ok $? "$sound states"

done_testing
