#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Signals: those that end a run leave no file, and SIGUSR1 asks how it is.
. "${0%/*}/tap.sh"

awk -F , 'NR == 1 || (NR >= 2 && NR <= 13) || (NR >= 52 && NR <= 63)' \
	"$data/iris.csv" >two.csv
knnclf -t two.csv two.csv >predicted.tsv
nnkgraph -y class -k 5 two.csv >edges.tsv
nnkgraph -y class two.csv >graph.tsv
awk -F , -v OFS=, 'NR > 1 && NR % 2 { $NF = "" } 1' two.csv >some.csv
wsvmpath --from 1 --to 2 --print coef --at .5 --save-model model.tsv two.csv >path.tsv
mkdir empty
mkfifo pipe

# Wait until the log of -v begins in `said`: then signals are handled.  The log of a run before
# is removed first, for the shell opens the new one only when it has both ends of the pipe.
await() {
	i=0
	while ! grep -qs '^arguments' said && [ $i -lt 1000 ]; do
		sleep .02
		i=$((i + 1))
	done
	grep -qs '^arguments' said
	ok $? 'the run has begun'
}

# Wait until there is a temporary file that MATCHES.
await_file() {
	i=0
	while [ -z "$(find . -path "$1" -size +0)" ] && [ $i -lt 1000 ]; do
		sleep .02
		i=$((i + 1))
	done
	[ -n "$(find . -path "$1" -size +0)" ]
	ok $? 'a temporary file is there'
}

# SIGUSR1 to each command while it waits for its rows.
while read -r table tool words <&4; do
	# shellcheck disable=SC2086 # words of a call
	$tool $words - <"$table" >due 2>due.err
	rm -f said
	# shellcheck disable=SC2086
	listen $tool $words -v - <pipe >got 2>said &
	pid=$!
	exec 3>pipe
	await
	i=0
	while ! grep -q 'reading <stdin>' said && [ $i -lt 1000 ]; do
		kill -s USR1 $pid
		sleep .02
		i=$((i + 1))
	done
	cat "$table" >&3
	exec 3>&-
	wait $pid
	ok $? "$tool goes on"
	cmp -s due got
	ok $? 'and prints the same'
	grep -v "$tap_tab" said |
		grep -vxE "$tool: (running for |([a-z][^;]*; )+)[0-9]+[.][0-9] s(, about .* left)?" |
		cmp -s - due.err
	ok $? 'it said nothing else'
	grep -qxE "$tool: reading <stdin>, 0[.]0 MB; [0-9]+[.][0-9] s" said
	ok $? 'it told what it reads'
	echo >>tried
done 4<<'END'
graph.tsv eigenmap -q --rows 24
two.csv immigrate
two.csv knife --lambda2 .1
two.csv knnclf -t two.csv
two.csv kpredict -m model.tsv
edges.tsv labelprop --nodes two.csv --reveal .5
two.csv nnkgraph -y class -k 5
two.csv relief
two.csv sqpfw --theta .1
two.csv tabfold --fold 1/3 --part test
two.csv tabratio --test two.csv
two.csv tabscale
predicted.tsv tabscore
two.csv wsvmpath --print events --from 1 --to 2
some.csv svmtransduce
two.csv svmonline
END
[ "$(wc -l <tried)" -eq $(($(tools | wc -l) - 1)) ]
ok $? 'that was every command but tabcv'

# A caller who ignores it is not told.
rm -f said
(
	trap '' USR1
	exec tabscale -v - <pipe >got 2>said
) &
exec 3>pipe
await
kill -s USR1 $!
cat two.csv >&3
exec 3>&-
wait $!
ok $? 'SIGUSR1 may be ignored'
tabscale two.csv | cmp -s - got
ok $? 'the table is there'
! grep -v "$tap_tab" said
ok $? 'and nothing is said'

# Asked all the time, a run that waits for both ends loses nothing.
awk 'BEGIN {
	print "a\tb\ty"
	for (i = 0; i < 60000; i++)
		print i % 977 / 7 "\t" i % 1009 / 3 "\tc"
}' >long.tsv
tabscale long.tsv >due
gzip -c long.tsv >long.gz
for input in long.tsv long.gz; do
	mkfifo to
	perl -e 'while (sysread STDIN, $x, 3000) { print $x; select undef, undef, undef, .001 }' \
		<to >got &
	reader=$!
	rm -f said
	listen tabscale -v <pipe >to 2>said &
	pid=$!
	perl -e '$| = 1; while (sysread STDIN, $x, 5000) { print $x; select undef, undef, undef, .001 }' \
		<"$input" >pipe &
	await
	perl -e 'while (kill "USR1", $ARGV[0]) { select undef, undef, undef, .0005 }' $pid &
	asking=$!
	wait $pid
	ok $? "a run that is asked all the time ends ($input)"
	kill $asking 2>/dev/null
	wait $reader
	cmp -s due got
	ok $? 'its table is whole'
	[ "$(wc -l <said)" -gt 20 ]
	ok $? "it was asked often ($(wc -l <said) times)"
	rm -f to
	wait
done

# What ends a run by default ends it, leaves its number, and no file.
# shellcheck disable=SC2016 # perl
perl -MConfig -e '@n{split " ", $Config{sig_name}} = split " ", $Config{sig_num};
	print map { "$_ $n{$_}\n" } grep { $n{$_} } @ARGV' \
	HUP INT QUIT ALRM USR2 VTALRM PROF IO PWR TERM XCPU XFSZ STKFLT PIPE \
	ABRT SEGV BUS FPE ILL SYS TRAP RTMIN RTMAX >signals
[ "$(wc -l <signals)" -gt 15 ]
ok $? 'there are signals'
while read -r signal number <&4; do
	case $signal,${KITH_MODE:-} in
	SEGV,asan | BUS,asan | FPE,asan | ILL,asan) continue ;;
	esac
	listen svmonline -C 1 --window 5 -o empty/new - <pipe &
	exec 3>pipe
	cat two.csv >&3
	sed 1d two.csv >&3
	await_file './empty/.new.*'
	kill -"$number" $!
	{ wait $!; } 2>/dev/null
	got=$?
	[ "$got" -eq $((128 + number)) ]
	ok $? "dies of SIG$signal (got $got)"
	[ -z "$(ls -A empty)" ]
	ok $? 'which leaves no file'
	exec 3>&-
done 4<signals

# A name that becomes a directory meanwhile, after signals that end no run.
echo old >f
svmonline -C 1 --window 5 -o f - <pipe 2>said &
exec 3>pipe
cat two.csv >&3
sed 1d two.csv >&3
await_file './.f.*'
for signal in CHLD URG WINCH TSTP TTIN TTOU CONT; do kill -s $signal $!; done
rm f
mkdir f
exec 3>&-
wait $!
[ $? -eq 74 ]
ok $? 'a file whose name is a directory now'
same said "svmonline: f: Is a directory$nl"
[ -z "$(find . -maxdepth 1 -name '.f.*')" ]
ok $? 'and no temporary file stays'

done_testing
