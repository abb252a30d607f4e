#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A long run tells how far it is: on a terminal, with -v, and on SIGUSR1
# what it is doing.  tests/unit/base/progress.c has the line itself, and its
# times; here a run waits for its input as long as it takes.
. "${0%/*}/tap.sh"
if [ "${KITH_MODE:-}" = asan ]; then
	skip 'seconds count here, and sanitizers are slow'
	done_testing
	exit
fi

awk 'BEGIN {
	print "a\tb\ty"
	for (i = 0; i < 3000; i++)
		print i % 977 / 7 "\t" i % 1009 / 3 "\t" i % 3
}' >some.tsv
knnclf --loo -k 3 some.tsv >due

# slowly SECONDS: rows, then a pause, and the others.
slowly() {
	head -1000 some.tsv
	sleep "$1"
	sed 1,1000d some.tsv
}

# In the background, for the first line comes after 10 seconds.
slowly 10.5 | knnclf -v --loo -k 3 >late 2>late.err &
late=$!
slowly 10.5 | knnclf -q -v --loo -k 3 -o quiet 2>quiet.err &
quiet=$!
slowly 10.5 | knnclf --loo -k 3 >mute 2>mute.err &
mute=$!

# A terminal: its line comes after two seconds, and nothing of it stays.
if command -v script >/dev/null && script -qec true /dev/null </dev/null \
	>/dev/null 2>&1; then
	cat >trickle <<'END'
head -1000 some.tsv
for i in 1 2 3 4 5 6; do sleep .5; sed -n "${i}00,${i}90p" some.tsv; done
END
	on_terminal() {
		script -qec "$1" /dev/null </dev/null | tr -d '\n' |
			tr '\r' '\n' >screen
	}
	wiped=$(printf '\033[K')
	on_terminal 'sh trickle | knnclf --loo -o got; echo end'
	[ "$(sed -n 2p screen | cut -c 4-33)" = 'knnclf: reading <stdin>, 0.0 M' ]
	ok $? 'there is a line after two seconds'
	grep -qxF "${wiped}end" screen
	ok $? 'and it is wiped at the end'
	grep -q 'knnclf: reading <stdin>, 0[.]0 MB, rows [0-9]*; [2-9][.][0-9] s$' screen
	ok $? 'it tells what is read'
	[ -s got ]
	ok $? 'there is an output'
	on_terminal 'sh trickle | knnclf -q --loo -o got; echo end'
	[ "$(cat screen)" = end ]
	ok $? 'none with -q'
	on_terminal 'sh trickle | knnclf --loo -o got 2>no; echo end'
	[ "$(cat screen)" = end ]
	ok $? 'nor where standard error is no terminal'
	[ -f no ] && ! [ -s no ]
	ok $? 'and nothing there'
	on_terminal 'sh trickle | knnclf --loo -v -o got; echo end'
	! grep -q reading screen
	ok $? 'with -v the lines of the log stand in its place'
	on_terminal 'head -20 some.tsv | knnclf --loo -o got; echo end'
	[ "$(cat screen)" = end ]
	ok $? 'nor a run under two seconds'
	on_terminal '(head -100 some.tsv; sleep 3; sed 1,100d some.tsv) |
		knnclf --loo -o got; echo end'
	[ "$(grep -c 'rows 64;' screen)" -le 1 ]
	ok $? 'a run that waits for its input says so once at most'
	on_terminal 'stty cols 30 <&2; sh trickle | knnclf -k 5000 --loo -o got; echo end'
	grep -qF "${wiped}knnclf: 5000 neighbours wanted, only " screen
	ok $? 'a message comes where the line was'
	grep -qxF "${wiped}knnclf: reading <stdin>, 0.0 " screen
	ok $? 'which was there, in one column fewer than the terminal has'
	# Rows that come on the terminal are to be seen in its place.
	on_terminal 'sh trickle | sed -u "s,2$,1," |
		svmonline --window 9 -C 1 -x a; echo end'
	[ "$(grep -c svmonline: screen)" -eq 0 ] && grep -q predicted screen
	ok $? 'none after rows were printed there'
else
	skip 'no script(1)'
fi

# SIGUSR1 tells of the phase.
relief --method simba --max-iter 100000 -v some.tsv >/dev/null 2>said &
pid=$!
i=0
while ! grep -q '^arguments' said && [ $i -lt 500 ]; do
	sleep .02
	i=$((i + 1))
done
while ! grep -q '^relief: simba' said && [ $i -lt 500 ]; do
	kill -s USR1 $pid 2>/dev/null
	sleep .02
	i=$((i + 1))
done
kill -s TERM $pid
{ wait $pid; } 2>/dev/null
grep -qxE 'relief: simba, [0-9]+ of 500000 passes; [0-9.]+ s(, about .* left)?' said
ok $? 'SIGUSR1 tells of the phase'

line='progress	reading <stdin>, 0[.]0 MB, rows [0-9]*; 1[0-9][.][0-9] s'
wait $late
ok $? '-v'
cmp -s due late
ok $? 'the output is the same'
grep -qx "$line" late.err
ok $? 'a line after ten seconds'
[ "$(grep -c '^progress' late.err)" -eq 1 ]
ok $? 'one only'
wait $quiet
cmp -s due quiet && grep -qx "$line" quiet.err
ok $? 'with -q too'
wait $mute
cmp -s due mute
ok $? 'the output is the same without it'
! grep -q reading mute.err
ok $? 'and nothing is said'

done_testing
