#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The pictures as files: where they are written, what they replace, what is left
# when that cannot be done; tables that are packed; any awk, any shell.
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"
# shellcheck source=awks.sh
. "$root/tests/cli/awks.sh"

version=$(cat "$root/VERSION")
for one in $plots; do
	for option in -V --version; do
		run 0 "kith-plot-$one" "$option"
		out "kith-plot-$one $version$nl"
		err ''
	done
	run 74 sh -c "kith-plot-$one --version >/dev/full"
	err "kith-plot-$one: <stdout>: cannot be written$nl"
done

need_gnuplot
mkdir scratch
TMPDIR=$PWD/scratch
export TMPDIR

# call TOOL: a call of it that draws x.svg.
call() {
	case $1 in
	path) echo "kith-plot-path -o x.svg path" ;;
	heatmap) echo "kith-plot-heatmap -o x.svg matrix" ;;
	error) echo "kith-plot-error -o x.svg errors" ;;
	graph) echo "kith-plot-graph -o x.svg -p points.csv -c class edges" ;;
	weights) echo "kith-plot-weights -o x.svg weights" ;;
	confusion) echo "kith-plot-confusion -o x.svg predictions" ;;
	ranks) echo "kith-plot-ranks -o x.svg ranks" ;;
	esac
}
# left: nothing but what was there, and the old picture in x.svg.
left() {
	[ -z "$(ls -A scratch)" ] && [ -z "$(find . -name '.?*' -print)" ]
	ok $? 'nothing is left behind'
	printf 'old\n' | cmp -s - x.svg
	ok $? 'the old picture is there'
}

# A picture has the mode of what it replaces, else that of a new file.
for one in $plots; do
	call=$(call "$one")
	for mode in 600 640 644 755; do
		printf 'old\n' >x.svg
		chmod $mode x.svg
		# shellcheck disable=SC2086 # words
		run 0 $call
		picture x.svg
		[ "$(stat -c %a x.svg)" = $mode ]
		ok $? "it keeps the mode $mode"
		rm x.svg
	done
	for mask in 022 027 077; do
		(umask $mask && $call)
		[ "$(stat -c %a x.svg)" = "$(printf %o $((0666 & ~0$mask)))" ]
		ok $? "a new one has that of umask $mask"
		rm x.svg
	done
done
# list FILE: its access list, on one line.
list() { getfacl -npE "$1" | grep -v '^#' | tr -s '\n' ' '; }
echo old >x.svg
if setfacl -m u:7:r x.svg 2>/dev/null; then
	setfacl -m u:8:---,g:9:rw,m::rw x.svg
	due=$(list x.svg)
	run 0 kith-plot-path -o x.svg path
	[ "$(list x.svg)" = "$due" ]
	ok $? "the access list stays: $due"
	mkdir given
	setfacl -d -m u:7:rwx,g::rx,o::- given
	run 0 kith-plot-path -o given/new.svg path
	[ "$(list given/new.svg)" = \
		'user::rw- user:7:rwx group::r-x mask::rw- other::--- ' ]
	ok $? "a new one has that of its directory: $(list given/new.svg)"
	setfacl -b given/new.svg
	chmod 664 given/new.svg
	run 0 kith-plot-path -o given/new.svg path
	[ "$(list given/new.svg)" = 'user::rw- group::rw- other::r-- ' ]
	ok $? 'an old one does not'
	rm -r given
else
	skip 'no access lists here'
fi
rm x.svg
# theirs MODE GROUPS DUE LOST [LIST]: a picture of root's, which user 1007 replaces.
theirs() {
	rm -f there/x.svg
	echo old >there/x.svg
	chown 0:1009 there/x.svg
	chmod "$1" there/x.svg
	[ -z "${5:-}" ] || setfacl -m "$5" there/x.svg
	run 0 setpriv --reuid=1007 --regid=1008 "$2" \
		tools/kith-plot-path -o there/x.svg path
	err "kith-plot-path: warning: there/x.svg: not kept of the old file: $4$nl"
	[ "$(stat -c '%u %g %a' there/x.svg)" = "1007 $3" ]
	ok $? "then it is: $(stat -c '%u %g %a' there/x.svg)"
}
if [ "$(id -u)" -eq 0 ]; then
	echo old >x.svg
	chown 12345:23456 x.svg
	run 0 kith-plot-path -o x.svg path
	err ''
	[ "$(stat -c %u:%g x.svg)" = 12345:23456 ]
	ok $? 'root keeps the owner, too'
	rm x.svg
	chmod 755 .
	chmod 777 scratch
	mkdir -m 777 there
	mkdir -m 755 tools
	cp "$root"/scripts/kith-plot* tools
	chmod 755 tools/*
	if setpriv --reuid=1007 --regid=1008 --clear-groups \
		tools/kith-plot-path -h >stdout 2>&1; then
		theirs 666 --clear-groups '1008 666' 'owner, group'
		theirs 646 --clear-groups '1008 644' 'owner, group'
		theirs 606 --clear-groups '1008 600' 'owner, group'
		theirs 640 --clear-groups '1008 600' 'owner, group' u:1007:rw
		theirs 466 --clear-groups '1008 444' 'owner, group'
		theirs 466 --groups=1009 '1009 444' owner
		theirs 664 --groups=1009 '1009 664' owner
		! command -v setfacl >/dev/null ||
			theirs 666 --clear-groups '1008 600' 'owner, group' g:7:-,m::rw
	else
		skip 'no other user'
	fi
	rm -f there/x.svg
	echo old >there/x.svg
	chmod 644 there/x.svg
	run 74 setpriv --reuid=1007 --regid=1008 --clear-groups \
		tools/kith-plot-path -o there/x.svg path
	err "kith-plot-path: there/x.svg: Permission denied$nl"
	[ "$(cat there/x.svg; ls -A there)" = "old${nl}x.svg" ]
	ok $? 'what the user may not write stays'
	# One who may write his file, not read it, cannot keep the list.
	rm there/x.svg
	if setfacl -d -m u:9:rw there 2>/dev/null; then
		echo old >there/x.svg
		chown 1007:1008 there/x.svg
		chmod 260 there/x.svg
		run 0 setpriv --reuid=1007 --regid=1008 --clear-groups \
			tools/kith-plot-path -o there/x.svg path
		err "kith-plot-path: warning: there/x.svg: not kept of the old file: access list$nl"
		[ "$(stat -c %a there/x.svg)" = 200 ]
		ok $? 'and nobody gets more'
	fi
	rm -r there tools
	chmod 700 scratch
fi
long=$(printf '%0251d' 0).svg
run 0 kith-plot-path -o "$long" path
picture "$long"
rm "$long"

# No room for the files of a run, at any size: 74, one line, and the old picture.
echo old >x.svg
awk 'BEGIN {
	print "feature1\tfeature2\tweight"
	for (i = 1; i <= 60; i++)
		for (j = i; j <= 60; j++)
			print i "\t" j "\t" i * j % 7 - 3
}' >large
gzip -c large >large.gz
awk 'BEGIN {
	print "from\tto\tweight"
	for (i = 1; i <= 2000; i++)
		print i % 4 + 1 "\t" (i * 7) % 4 + 1 "\t1"
}' >many
run 74 env TMPDIR=/nonexistent kith-plot-path -o x.svg path
err "kith-plot-path: /nonexistent: No such file or directory$nl"
left
run 74 env TMPDIR="$PWD/path" kith-plot-path -o x.svg path
err "kith-plot-path: $PWD/path: Not a directory$nl"
left
# limited BLOCKS COMMAND...: messages go to a pipe, which has no limit.
limited() {
	limited=$1
	shift
	{
		sh -c "ulimit -f $limited"' && exec "$@"' limited "$@" 2>&1 >/dev/null
		echo "status $?"
	} | cat >said
}
for call in 'kith-plot-heatmap -n 60 -o x.svg large' \
	'kith-plot-heatmap -n 60 -o x.png large' \
	'kith-plot-heatmap -n 60 -o x.svg large.gz' \
	'kith-plot-graph -p points.csv -o x.svg many'; do
	cp x.svg x.png
	bad=0 full=0
	for blocks in 0 1 2 4 8 16 32 48 64 80 96 128 192 256 512 1024 4096 16384; do
		# shellcheck disable=SC2086 # words
		limited $blocks $call
		case $(cat said) in
		'status 0')
			break
			;;
		*": $TMPDIR: "*"${nl}status 74" | \
			"tabscale: $TMPDIR/"*"${nl}status 74" | \
			"kith-plot-"*": x."*": "*"${nl}status 74")
			full=$((full + 1))
			[ "$(wc -l <said)" -eq 2 ] || bad=1
			;;
		*) bad=1 ;;
		esac
		[ "$(cat x.svg)" = old ] && [ "$(cat x.png)" = old ] || bad=1
		[ -z "$(ls -A scratch)" ] && [ -z "$(find . -name '.?*' -print)" ] || bad=1
		[ $bad -eq 0 ] || sed "s/^/# $blocks: /" said
	done
	[ $bad -eq 0 ] && [ $full -ge 6 ] && [ "$(cat said)" = 'status 0' ]
	ok $? "whatever file has no room, the status is 74: $call"
	echo old >x.svg
done
rm x.png

# A gnuplot that fails, and one that stops in the middle without a word.
mkdir bin
gnuplot() { # LINE...
	printf '%s\n' '#!/bin/sh' "$@" >bin/gnuplot
	chmod +x bin/gnuplot
}
gnuplot 'echo reason; exit 1'
run 74 env PATH="$PWD/bin:$PATH" kith-plot-path -o x.svg path
err "reason${nl}kith-plot-path: x.svg: gnuplot failed$nl"
left
# shellcheck disable=SC2016 # for gnuplot
gnuplot 'PATH=${PATH#*:}' 'gnuplot "$@"' \
	'head -c 1000 picture >part && mv part picture'
for end in svg png pdf eps; do
	echo old >x.$end
	run 74 env PATH="$PWD/bin:$PATH" kith-plot-path -o x.$end path
	err "kith-plot-path: $TMPDIR: cannot be written$nl"
	[ "$(cat x.$end)" = old ]
	ok $? 'half a picture is none'
done
rm x.png x.pdf x.eps

# Signals that a shell can trap: nothing stays, and USR1 changes nothing.
# drawing: how many processes work in our folder for temporary files.
drawing() { readlink /proc/[0-9]*/cwd 2>/dev/null | grep -c "^$TMPDIR/"; }
# shellcheck disable=SC2016 # for gnuplot
gnuplot ': >"$STARTED"' 'exec sleep 30'
for signal in HUP INT QUIT PIPE ALRM TERM USR2 XCPU VTALRM PROF; do
	rm -f started
	listen env PATH="$PWD/bin:$PATH" STARTED="$PWD/started" \
		kith-plot-path -o x.svg path 2>stderr &
	plot=$!
	while [ ! -e started ]; do sleep .05; done
	before=$(drawing)
	kill -$signal $plot
	wait $plot 2>/dev/null
	status=$?
	[ $status -gt 128 ]
	ok $? "$signal ends it, by this signal (got $status)"
	[ "$before" -gt 0 ] && [ "$(drawing)" -eq 0 ]
	ok $? 'and gnuplot'
	err ''
	left
done
# shellcheck disable=SC2016 # for gnuplot
gnuplot 'PATH=${PATH#*:}' ': >"$STARTED"' 'sleep .3' 'exec gnuplot "$@"'
rm -f started
env PATH="$PWD/bin:$PATH" STARTED="$PWD/started" kith-plot-path -o x.svg path &
plot=$!
while [ ! -e started ]; do sleep .05; done
kill -USR1 $plot
wait $plot
ok $? 'USR1 does not'
picture x.svg
rm -r bin

# At its input too, which may come late.
echo old >x.svg
mkfifo late
sleep 30 >late &
sleeper=$!
kith-plot-path -o x.svg <late &
plot=$!
while [ -z "$(ls -A scratch)" ]; do sleep .05; done
kill -TERM $plot
wait $plot 2>/dev/null
[ $? -eq 143 ] && kill $sleeper
ok $? 'it does not wait for the end of its input'
left
wait $sleeper 2>/dev/null
run 66 sh -c 'kith-plot-path -o x.svg <&-'
err "kith-plot-path: <stdin>: cannot be read$nl"
left
rm x.svg

# Tables that are packed, also in parts, or only begin as if they were.
gzip -c path >path.gz
{
	head -n 2 path | gzip -c
	tail -n +3 path | gzip -c
} >parts.gz
run 0 kith-plot-path -o plain.svg path
tools=$(command -v busybox >/dev/null && echo busybox)
for tool in '' $tools; do
	mkdir bin
	[ -z "$tool" ] || for one in gzip cat head tail sed mktemp dd mv rm chmod cp \
		stat readlink tr od; do
		ln -s "$(command -v busybox)" bin/$one
	done
	for from in path.gz parts.gz path; do
		run 0 env PATH="$PWD/bin:$PATH" kith-plot-path -o x.svg $from
		err ''
		alike plain.svg x.svg
		ok $? "$from${tool:+, by the gzip of $tool}: the same picture"
		run 0 env PATH="$PWD/bin:$PATH" kith-plot-path -o x.svg <$from
		alike plain.svg x.svg
		ok $? 'and from standard input'
	done
	head -c 40 path.gz >broken.gz
	run 65 env PATH="$PWD/bin:$PATH" kith-plot-path -o y.svg broken.gz
	err "kith-plot-path: broken.gz: not a valid gzip file$nl"
	gone y.svg
	rm -r bin
done

# Every awk and every shell draws the same.
for one in $plots; do
	for end in svg png pdf eps; do
		case $one:$end in
		*:svg) ;;
		graph:* | *:png) [ "${KITH_LONG:-}" ] || continue ;;
		*) continue ;; # drawn from the same commands
		esac
		draw="$(call "$one" | sed "s/x.svg/due.$end/")"
		# shellcheck disable=SC2086 # words
		run 0 $draw
		for awk in $awks; do
			# shellcheck disable=SC2086
			run 0 env PATH="$PWD/awks/$awk:$PATH" ${draw%%due*}"x.$end" ${draw#*due.??? }
			err ''
			cmp -s due.$end x.$end
			ok $? "$one by $awk: the same bytes"
		done
		printf %s "$shells" >list
		while read -r shell; do
			# shellcheck disable=SC2086
			run 0 $shell "$root/scripts/kith-plot-$one" \
				${draw#kith-plot-"$one"} -o x.$end </dev/null
			err ''
			cmp -s due.$end x.$end
			ok $? "$one under $shell: the same bytes"
		done <list
	done
done

# Numbers that are too large to draw, in the same words by every awk.
zeros=$(printf '%0301d' 0)
for awk in $awks; do
	for n in 1e301 -1e999 10e300 .1e302 "1$zeros" 1e99999999999 0.01e+0303; do
		table t 'step theta feature weight' '1 .1 a 1' "2 .2 a $n"
		run 65 env PATH="$PWD/awks/$awk:$PATH" kith-plot-path -o y.svg t
		err "kith-plot-path: t:3: column \"weight\": too large to draw: '$(
			printf %.60s "$n"
		)'$nl"
	done
	[ "${KITH_LONG:-}" ] || [ "$awk" = mawk ] || continue
	for n in 1e300 -9.9e300 0e999 1e-999 .0001e304 1000e297 "${zeros}1" "0.${zeros}1e602"; do
		table t 'step theta feature weight' '1 .1 a 1' "2 .2 a $n"
		run 0 env PATH="$PWD/awks/$awk:$PATH" kith-plot-path -o y.svg t
		err ''
	done
done
rm y.svg
table t 'feature1 feature2 weight' 'a b 1e999'
run 65 kith-plot-heatmap -o y.svg t
err "kith-plot-heatmap: t:2: column \"weight\": too large to draw: '1e999'$nl"
table t 'theta n error' '1e999 1 1'
run 65 kith-plot-error -o y.svg t
err "kith-plot-error: t:2: column \"theta\": too large to draw: '1e999'$nl"
table t 'from to weight' '1 2 1e999'
run 65 kith-plot-graph -p points.csv -o y.svg t
err "kith-plot-graph: t:2: column \"weight\": too large to draw: '1e999'$nl"
printf 'x,y\n1,1\n1e305,2\n' >far.csv
run 65 kith-plot-graph -p far.csv -o y.svg edges
err "kith-plot-graph: far.csv: row 2: column \"x\": too large to draw: '1e305'$nl"
gone y.svg

# What a user has told gnuplot at its start changes no picture.
mkdir home
echo 'set title "mine"; set key left bottom; set xrange [0:99]' >home/.gnuplot
run 0 env HOME="$PWD/home" GNUTERM=dumb kith-plot-path -o x.svg path
cmp -s plain.svg x.svg
ok $? 'the same picture with a .gnuplot'

done_testing
