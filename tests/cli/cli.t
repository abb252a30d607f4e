#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What all commands share: options, help, output files, descriptors, the log.
# shellcheck disable=SC2086 # $scale is words
. "${0%/*}/tap.sh"

tools=$(tools)

# Tables to call the commands with, as their --help does.
awk 'NR == 1 || NR % 5' "$data/wdbc.csv" >raw.csv
tabscale --save z.tsv <raw.csv >train.tsv
awk 'NR == 1 || NR % 5 == 0' "$data/wdbc.csv" | tabscale --apply z.tsv >test.tsv
tr '\t' , <train.tsv >train.csv
tr '\t' , <test.tsv >test.csv
knnclf -t train.tsv -k 3 <test.tsv >predictions.tsv
knnclf -t train.tsv <test.tsv >other.tsv
cp train.csv data.csv
# A model of one row, all of whose features are 1.
awk -F '\t' 'NR == 1 {
		print "# version\t1\n# task\tclassify\n# kernel\tlinear"
		print "# target\t" $NF "\n# classes\tB\tM\n# bias\t0\n# rows\t1"
		printf "(id)\t(coef)"
		for (j = 1; j < NF; j++)
			printf "\t%s", $j
		printf "\n1\t1"
		for (j = 1; j < NF; j++)
			printf "\t1"
		print ""
	}' train.tsv >model.tsv

# Rows of which some have no class; a stream, and the scale of its first rows.
awk -F '\t' -v OFS='\t' 'NR > 1 && NR % 5 { $NF = "" } 1' train.tsv >some.tsv
cp train.tsv stream.tsv
sed 31q stream.tsv | tabscale --save scale.tsv >first.tsv

# What is wrong with a table of --help=tsv: five columns, none empty but the argument; an
# option once, under the heading that --help has it under; a heading in one piece; a text
# that needs no other line.  Common options are named in two lines.
# shellcheck disable=SC2016 # awk
judge_help='
BEGIN {
	while ((getline line <help) > 0) {
		if (line ~ /^[A-Z].*:$/) {
			under = substr(line, 1, length(line) - 1)
			if (under ~ /^Of all commands/)
				under = "Common"
			headings[under]++
			continue
		}
		if (under == "Common") {
			named++
			sub(/^ +/, "", line)
			n = split(line, word, /  +/)
			for (i = 1; i <= n; i++) {
				sub(/^.*--/, "--", word[i])
				sub(/ .*/, "", word[i])
				at[word[i]] = at[word[i]] under
			}
		} else if (under != "Examples" && line ~ /^  (-[^-]|    --)/) {
			split(line, word, /[ ,]+/)
			sub(/\[.*/, "", word[2])
			one = word[2] ~ /^--/ || word[3] !~ /^--/ ? word[2] : word[3]
			at[one] = at[one] under
		}
	}
	if (named > 2)
		print "common options take " named " lines"
}
NF != 5 || $1 == "" || $3 == "" || $4 == "" || $5 == "" { print "no five cells: " $0 }
NR == 1 { next }
$4 != last && seen[$4]++ { print $4 ": twice" }
{ last = $4 }
headings[$4] != 1 { print $4 ": no heading of --help, or several" }
$5 ~ /instead|these|the same[^ ]* *$/ { print $1 ": " $5 }
{
	n = split($1, name, /, /)
	if (at[name[n]] != $4)
		print name[n] ": in --help under \"" at[name[n]] "\", not " $4
}'

for tool in $tools; do
	run 0 "$tool" --help
	err ''
	awk 'length > 80 { wide = 1 } END { exit wide || NR > 60 }' stdout
	ok $? "help of $tool fits 60 lines and 80 columns"
	cp stdout help
	sed '1,/^Examples:/d; /^[A-Z]/,$d' help >examples
	{ read -r _ && read -r _ && ! read -r _; } <examples
	ok $? 'it has two examples'
	run 0 bash -eo pipefail examples
	sed '/^[a-z]*: chosen: /d' stderr >warned
	same warned ''
	run 0 "$tool" -h
	cmp -s help stdout
	ok $? '-h is --help'
	run 0 "$tool" --help=tsv
	awk -F '\t' -v help=help "$judge_help" stdout >wrong
	same wrong ''
	run 0 "$tool" -V
	cp stdout version
	[ "$(sed -n '1s/ .*//p' version)" = "$tool" ]
	ok $? '--version names the command'
	LD_TRACE_LOADED_OBJECTS=1 "$KITH_BUILD/$tool" >libraries </dev/null 2>/dev/null # as ldd does
	sed -n '2,$s/: [^ ].*//p' version >told
	parts="compiler${nl}instructions$nl"
	# What only filters tables never loads OpenBLAS, whose start needs more memory.
	case $(cat libraries),$tool in
	*openblas*,tab*) ok 1 "$tool loads OpenBLAS" ;;
	*openblas*) parts=$parts"BLAS${nl}kernel$nl" ;;
	esac
	same told "$parts"
	run 0 "$tool" --version --no-such-option
	cmp -s version stdout
	ok $? '-V is --version'

	KITH_SIMD=base "$tool" --version | grep -qx 'instructions: base'
	ok $? 'KITH_SIMD names the instructions'

	try="try '$tool --help'$nl"
	best=$(sed -n 's/^instructions: //p' version)
	run 2 env KITH_SIMD=sse9 "$tool"
	err "$tool: KITH_SIMD is 'sse9'; this build and processor have up to '$best'$nl$try"
	run 2 "$tool" --no-such-option
	out ''
	hint=
	[ $tool != tabcv ] || hint=' (an option of COMMAND? behind its name: -- knnclf --na mean)'
	err "$tool: unknown option '--no-such-option'$hint$nl$try"
	run 2 "$tool" -o
	err "$tool: -o needs a value$nl$try"
	run 2 "$tool" -d ab
	err "$tool: bad -d: 'ab' (one character)$nl$try"
	run 74 sh -c "$tool --version >&-"
	err "$tool: <stdout>: Bad file descriptor$nl"
	run 74 sh -c "$tool --help >/dev/full"
	err "$tool: <stdout>: No space left on device$nl"
done

# Options that are none, by some commands; all have one parser.
for tool in knnclf tabcv wsvmpath ${KITH_LONG:+$tools}; do
	try="try '$tool --help'$nl"
	run 2 "$tool" --hel
	err "$tool: unknown option '--hel' (--help?)$nl$try"
	run 2 "$tool" --verbos=1
	err "$tool: unknown option '--verbos' (--verbose?)$nl$try"
	run 2 "$tool" -q"$(printf '\001')"
	hint=
	[ "$tool" != tabcv ] || hint=' (an option of COMMAND? behind its name: -- knnclf --na mean)'
	err "$tool: unknown option '-\\x01'$hint$nl$try"
	run 2 "$tool" --outpu"$nl" x
	err "$tool: unknown option '--outpu\\x0A' (--output?)$nl$try"
	run 2 "$tool" --verbsoe
	err "$tool: unknown option '--verbsoe' (--verbose?)$nl$try"
	run 2 "$tool" --version=2
	err "$tool: --version takes no value$nl$try"
done

# The rest by one command; its table is the same wherever it goes.
printf 'a\tb\ty\n1\t2\tx\n3\t5\ty\n5\t2\tx\n' >t
run 0 tabscale --method none t
cp stdout due
due=$(cat due)$nl
scale='tabscale --method none t' # words; the tests split it

run 0 $scale -o new
out ''
same new "$due"
run 0 $scale --output=new
same new "$due"
run 0 $scale -o -
out "$due"
run 0 tabscale --method none -o t t
same t "$due"
run 0 $scale -o /dev/null
out ''
mkdir dir
ln -s dir/real link
run 0 $scale -o link
same dir/real "$due"
[ -h link ]
ok $? 'the link stays'
chmod 600 dir/real
(
	umask 022
	$scale -o link
)
[ "$(stat -c %a dir/real)" = 600 ]
ok $? 'the mode is that of the old file'
mkfifo fifo
cat fifo >got &
run 0 $scale -o fifo
wait
same got "$due"
[ -p fifo ]
ok $? 'the FIFO stays'
run 0 $scale -o /dev/stdout
cmp -s stdout due
ok $? '/dev/stdout is standard output'
run 74 $scale -o no/new
err "tabscale: no/new: No such file or directory$nl"
run 74 $scale -o dir
err "tabscale: dir: Is a directory$nl"
run 74 $scale -o t/new
err "tabscale: t/new: Not a directory$nl"
ln -s loop loop
run 74 $scale -o loop
err "tabscale: loop: Too many levels of symbolic links$nl"
run 74 $scale -o ''
err "tabscale: : No such file or directory$nl"
run 74 $scale -o "no$nl/x"
err "tabscale: no\\x0A/x: No such file or directory$nl"

# Descriptors.
run 74 sh -c "$scale >/dev/full"
err "tabscale: <stdout>: No space left on device$nl"
run 74 $scale -o /dev/full
err "tabscale: /dev/full: No space left on device$nl"
run 74 sh -c "$scale >&-"
err "tabscale: <stdout>: Bad file descriptor$nl"
run 66 sh -c 'tabscale <&-'
err "tabscale: <stdin>: Bad file descriptor$nl"
run 66 sh -c 'tabscale <&- >&- 2>&-'
run 0 sh -c "$scale <&- 2>&-"
out "$due"
run 66 tabscale nowhere -o kept
[ ! -e kept ]
ok $? 'a command that fails leaves no file'
echo before >kept
run 66 tabscale nowhere -o kept
same kept "before$nl"

# The log of -v, on standard error: it begins with version and arguments and ends with
# status and seconds; -q silences warnings, not the log.
run 0 tabscale -v --method=none t -o "it's new" -q
out ''
same "it's new" "$due"
sed 's/^seconds	0[.0-9e-]*$/seconds/; /^kernel	/d' stderr >got
same got "version	$(tabscale -V | sed -n '1s/.* //p')
arguments	-v --method=none t -o 'it'\\''s new' -q
rows	3
columns	3
status	0
seconds
"
printf 'a\tb\nx\tp\ny\tq\n' >texts
run 0 tabscale -y none --onehot a -x b --verbose t
grep -qx 'seed	.*' stderr
[ $? -eq 1 ]
ok $? 'a command that draws nothing has no seed'
run 0 knnclf -j 2 --seed 7 --loo -v t
grep -qx 'seed	7' stderr && grep -qx 'threads	2' stderr
ok $? 'seed and threads are logged'
run 0 knnclf --loo -k 1 --sigma 2 t
grep -q '^knnclf: ' stderr
ok $? 'a warning'
cp stderr warned
logged 0 knnclf --loo -k 1 --sigma 2 t
cmp -s stderr warned && [ -s log ]
ok $? 'it stands beside the log of -v'
logged 0 knnclf --quiet --loo -k 1 --sigma 2 t
err ''
[ -s log ]
ok $? 'which -q leaves'
run 2 tabscale --save z --apply z -v t
tail -n 2 stderr | cut -f 1 | tr '\n' ' ' >got
same got 'status seconds '
grep -qx 'status	2' stderr
ok $? 'the log of a wrong call'
run 65 tabscale --onehot c -v t
grep -qx 'status	65' stderr
ok $? 'the log of bad data'
run 2 tabscale -v --no-such-option t
err "tabscale: unknown option '--no-such-option'${nl}try 'tabscale --help'$nl"
run 1 relief --method nca --max-iter 1 -v -o new "$data/iris.csv"
grep -qx 'status	1' stderr && grep -q . new
ok $? 'what is not certified is written'
rm new
printf 'a\tb\ty\n0\t1\tx\n1\t0\ty\n2\t4\tx\n5\t3\ty\n' >four
run 1 immigrate --max-iter 1 -v -o new four
grep -qx 'status	1' stderr && grep -q a new
ok $? 'all files of such a run are'
run 0 sh -c "$scale -v 2>&-"
out "$due"

# Killed while it waits for input, it leaves nothing.
mkdir empty
mkfifo pipe
for signal in 1 2 15; do
	listen svmonline -C 1 --window 2 -x a,b -o empty/new - <pipe &
	exec 3>pipe
	{ cat t && sed 1d t && sed 1d t; } >&3
	i=0
	while [ -z "$(ls -A empty)" ] && [ $i -lt 400 ]; do
		sleep .05
		i=$((i + 1))
	done
	[ -n "$(ls -A empty)" ]
	ok $? 'a file begins as a temporary file'
	kill -s "$signal" $!
	{ wait $!; } 2>/dev/null
	got=$?
	[ "$got" -eq $((128 + signal)) ]
	ok $? "dies of signal $signal (got $got)"
	[ -z "$(ls -A empty)" ]
	ok $? "which leaves no file"
	exec 3>&-
done

(
	trap '' HUP
	exec tabscale --method none -o empty/new -v - <pipe 2>said
) &
exec 3>pipe
i=0
while ! grep -q '^arguments' said && [ $i -lt 400 ]; do
	sleep .05
	i=$((i + 1))
done
kill -s HUP $!
cat t >&3
exec 3>&-
wait $!
ok $? 'an ignored signal stays ignored'
same empty/new "$due"

# Short of memory.
if [ "${KITH_MODE:-}" = asan ]; then
	skip 'sanitizers need all the memory there is'
else
	{ echo a && seq 3000000; } >long
	run 71 sh -c 'ulimit -v 30000 && tabscale -y none long'
	out ''
	grep -qx 'tabscale: no memory for [0-9]* x [0-9]* bytes' stderr
	ok $? 'and says so'
	[ "$(wc -l <stderr)" -eq 1 ]
	ok $? 'once'
	echo old >f
	run 71 sh -c 'ulimit -v 30000 && tabscale -y none -v -o f long'
	grep -qx 'status	71' stderr
	ok $? 'and in the log'
	same f "old$nl"
fi

done_testing
