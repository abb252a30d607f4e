#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kith-plot: wrong calls, tables that are wrong, the forms and sizes of pictures, where
# they are written, what is left when that cannot be done; any awk, any shell; installed.
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"
# shellcheck source=awks.sh
. "$root/tests/cli/awks.sh"

run 0 kith-plot --help
err ''
cp stdout help
awk 'length > 80 { exit 1 }' help && [ "$(wc -l <help)" -le 60 ]
ok $? 'the help fits 60 lines of 80 columns'
run 0 kith-plot path -h
cmp -s help stdout
ok $? '-h is --help'
run 0 kith-plot --help=tsv
sed -n '2p; /^--order/p; $p' stdout >got
same got "-o, --output${tab}FILE${tab}file${tab}All kinds${tab}the picture; its name ends in .pdf, .eps, .png or .svg
--order${tab}cluster|table${tab}choice${tab}Heatmap${tab}features with large weights between them side by side, or in the order of the table [cluster]
-V, --version${tab}${tab}flag${tab}Common${tab}print the version and exit
"
for awk in $awks; do
	PATH="$PWD/awks/$awk:$PATH" kith-plot --help=tsv | cmp -s - stdout
	ok $? "the table of options by $awk"
done
run 0 kith-plot path -V
out "kith-plot $(cat "$root/VERSION")$nl"
run 74 sh -c 'kith-plot --help >/dev/full'
err "kith-plot: <stdout>: cannot be written$nl"
# Wrong calls: a message, and the words of the call; no file has to be there.
while IFS='|' read -r words message; do
	# shellcheck disable=SC2086 # words
	run 2 kith-plot $words
	out ''
	err "kith-plot: $message$nl$try"
done <<'END'
|give a KIND: path weights heatmap error confusion graph or ranks
pie -o x.svg|no KIND 'pie' (path weights heatmap error confusion graph or ranks)
--no-such|unknown option '--no-such'
path --titl x|unknown option '--titl'
path -Hq|unknown option '-q'
path --title|--title needs a value
path -o|-o needs a value
path --no-header=1|--no-header takes no value
--help=1|bad --help: '1' (tsv)
path -o x.svg a b|one table at a time
weights -o x.svg a b c d e f g|up to six tables
weights -o x.svg - -|standard input named twice
graph --nodes - -o x.svg|standard input named twice
graph -o x.svg graph.tsv|give --nodes FILE, the rows that are the points
path path.tsv|give -o FILE, a name that ends in .pdf, .eps, .png or .svg
path -o x.ps|give -o FILE, a name that ends in .pdf, .eps, .png or .svg
path -n 0 -o x.png|bad -n: '0' (a whole number from 1 to 8)
path -n 1.5 -o x.png|bad -n: '1.5' (a whole number from 1 to 8)
path -n 9999 -o x.png|bad -n: '9999' (a whole number from 1 to 8)
error -n9 -o x.png|bad -n: '9' (a whole number from 1 to 8)
weights -n 101 -o x.png|bad -n: '101' (a whole number from 1 to 100)
path --axis lin|bad --axis: 'lin' (linear or log)
heatmap --order weight|bad --order: 'weight' (cluster or table)
path --from 1 -o x.png|--from and --to go together
path --from one|bad --from: 'one' (a number)
path --size 8cm -o x.png|bad --size: '8cm' (as 8cm,6cm; in cm, mm, in or pt, 160pt,112pt to 3000pt,3000pt)
path --size 8,6cm -o x.png|bad --size: '8,6cm' (as 8cm,6cm; in cm, mm, in or pt, 160pt,112pt to 3000pt,3000pt)
path --size=-8cm,6cm -o x.png|bad --size: '-8cm,6cm' (as 8cm,6cm; in cm, mm, in or pt, 160pt,112pt to 3000pt,3000pt)
path --size 8cm,6furlong -o x.png|bad --size: '8cm,6furlong' (as 8cm,6cm; in cm, mm, in or pt, 160pt,112pt to 3000pt,3000pt)
path --size 1cm,1cm -o x.png|bad --size: '1cm,1cm' (as 8cm,6cm; in cm, mm, in or pt, 160pt,112pt to 3000pt,3000pt)
END
run 2 kith-plot "--a${nl}'b"
err "kith-plot: unknown option '--a\\x0A'b'$nl$try"
run 66 kith-plot path -o x.png nowhere
err "kith-plot: nowhere: No such file or directory$nl"
run 66 kith-plot path -o x.png .
err "kith-plot: .: Is a directory$nl"
run 66 sh -c 'exec kith-plot path -o x.png <&-'
err "kith-plot: <stdin>: cannot be read$nl"
mkdir bin
for one in sh readlink awk cat od; do
	ln -s "$(command -v $one)" bin
done
run 69 env PATH="$PWD/bin" "$root/scripts/kith-plot" path -o x.png path.tsv
err "kith-plot: $([ -x "$root/build/tabscale" ] &&
	echo 'gnuplot is not installed (Debian: gnuplot-nox)' || echo 'tabscale is not installed')$nl"
rm -r bin

need_gnuplot
mkdir scratch
TMPDIR=$PWD/scratch
export TMPDIR

# Options of other kinds are named and ignored.
run 0 kith-plot path --order table -n 2 -y none -o x.svg path.tsv
err "kith-plot: warning: --order is not used: path has no such option
kith-plot: warning: -y is not used: path has no such option$nl"

# Tables that are wrong.
bad() { # KIND MESSAGE, of the table t
	set -- "$1" "$2" "$([ "$1" != graph ] || echo --nodes=points.csv)"
	# shellcheck disable=SC2086 # none or one
	run 65 kith-plot "$1" $3 -o y.svg t
	out ''
	err "kith-plot: $2$nl"
	gone y.svg
}
for kind in $kinds; do
	: >t
	bad "$kind" 't: empty input'
	case $kind in
	path) due='a path: columns step PARAMETER feature weight' ;;
	heatmap) due='a matrix: columns feature1 feature2 weight' ;;
	error) due='a table of errors: columns PARAMETER... n error (or another measure)' ;;
	weights) due='a table of weights: columns feature weight (or feature1 feature2 weight)' ;;
	confusion) due='a table of predictions: columns id predicted actual' ;;
	graph) due='a graph: columns from to weight' ;;
	ranks) due='mean ranks: columns prediction metric value of tabscore --ranks' ;;
	esac
	write t 'a b' '1 2'
	bad "$kind" "t: not $due expected"
	write t a 1
	bad "$kind" "t: not $due expected"
	# The table of another kind: of the next one, or in long tests of all.
	next=${kinds#*"$kind "}
	[ "$next" != "$kinds" ] || next=$kinds
	[ "${KITH_LONG:-}" ] && next=$kinds || next=${next%% *}
	for other in $next; do
		case $kind:$other in
		"$other:$other" | weights:heatmap) continue ;;
		esac
		cp "$other.tsv" t
		bad "$kind" "t: not $due expected (kith-plot $other?)"
	done
done
head -n 1 path.tsv >t
bad path 't: nothing to draw'
printf 'step\ttheta\tfeature\tweight\n1\t.1\ta\n' >t
bad path 't:2: 3 cells where the header has 4'
for cell in NA -inf 0x1 1e . '1,5'; do
	write t 'step theta feature weight' "1 .1 a $cell"
	bad path "t: row 1: column \"weight\": not a number: '$cell'"
done
for cell in 1e301 -1e999; do
	write t 'step theta feature weight' '1 .1 a 1' "2 .2 a $cell"
	bad path "t: row 2: column \"weight\": too large to draw: '$cell'"
done
write t 'step theta feature weight' '1 0 a 1'
bad path 't: nothing to draw'
write t 'step theta feature weight' '1 1 a 0'
bad path 't: nothing to draw'
write t 'step theta feature weight' '1 2 a 1' '2 1 a 1'
bad path 't: row 2: the parameter falls'
write t 'step theta feature weight' '1 2 a 1' '1 2 a 1'
bad path 't: row 2: "a" listed twice in a step'
write t 'class1 class2 step theta name value' 'a b 1 0 1 2' 'a c 1 0 1 2'
bad path "t: the machines of 'a' and 'b' and of 'a' and 'c': give the rows of one (awk?)"
write t 'feature weight' 'a 1' 'a 2'
bad weights 't: row 2: feature listed twice'
write t 'feature1 feature2 weight' 'a b 1' 'b a 2'
bad weights 't: row 2: pair listed twice'
bad heatmap 't: row 2: pair listed twice'
write t 'k n error' 'x 9 .1'
bad error "t: row 1: column \"k\": not a number: 'x'"
write t 'id predicted actual' '1 a NA'
bad confusion 't: nothing to draw: no row has an actual class'
awk 'BEGIN { print "id\tpredicted\tactual"; for (; i < 30; i++) print i "\t" i / 7 "\t1" }' >t
bad confusion 't: more than 20 classes: are these numbers to predict?'
write t 'from to' '1 5'
bad graph "t: row 1: column \"to\": no row '5' among the points"
write t 'prediction metric value' 'a n 1' 'b error .2'
bad ranks 't: no mean ranks (tabscore --ranks prints them)'
run 65 kith-plot confusion --predicted none -o y.svg confusion.tsv
err "kith-plot: confusion.tsv: column \"none\": not found$nl"
run 65 kith-plot graph --nodes points.csv -x x,4 -o y.svg graph.tsv
err "kith-plot: points.csv: column \"4\": not found$nl"
run 65 kith-plot graph --nodes points.csv --id class -o y.svg graph.tsv
err "kith-plot: points.csv: row 3: id 'a': not unique$nl"
run 2 kith-plot graph --nodes points.csv -x 1 -o y.svg graph.tsv
err "kith-plot: bad -x: '1' (two columns, as 3,4)$nl$try"
gone y.svg

# Every form and kind, the same bytes each time; tables that are packed, or divided by
# commas, give the same pictures.
for kind in $kinds; do
	for form in svg png pdf eps; do
		case $kind:$form in
		*:svg | *:png | ranks:* | graph:*) ;;
		*) [ "${KITH_LONG:-}" ] || continue ;;
		esac
		call "$kind" -o "x.$form"
		picture "x.$form"
	done
	case $kind in
	path | graph | ranks) ;;
	*) [ "${KITH_LONG:-}" ] || continue ;;
	esac
	call "$kind" -o again.svg
	cmp -s x.svg again.svg
	ok $? 'the same again'
	tr '\t' , <"$kind.tsv" | gzip >packed
	set --
	[ "$kind" != graph ] || set -- --nodes points.csv
	run 0 sh -c 'kith-plot "$@" -o packed.svg <packed' sh "$kind" "$@"
	sed '/^<desc>/d' x.svg >due
	sed '/^<desc>/d' packed.svg | cmp -s due -
	ok $? 'the same of a packed CSV'
	call "$kind" --size 9cm,7cm -o x.png
	picture x.png
	# 300 dots an inch.
	[ "$(od -An -j 16 -N 8 -tu1 x.png | tr -s ' ')" = ' 0 0 4 39 0 0 3 59' ]
	ok $? "it has 1063 x 827 dots: $(od -An -j 16 -N 8 -tu1 x.png)"
	call "$kind" --size 9cm,7cm -o x.svg
	has x.svg 'width="9cm" height="7cm"'
done
cp x.pdf due
sleep 1
call ranks -o x.pdf
cmp -s due x.pdf
ok $? 'a PDF has no date'

# Where a picture is written.
for mode in 600 644 755; do
	printf 'old\n' >x.svg
	chmod $mode x.svg
	call path -o x.svg
	[ "$(stat -c %a x.svg)" = $mode ]
	ok $? "it keeps the mode $mode"
done
for mask in 022 077; do
	rm x.svg
	(umask $mask && kith-plot path -o x.svg path.tsv)
	[ "$(stat -c %a x.svg)" = "$(printf %o $((0666 & ~0$mask)))" ]
	ok $? "a new one has that of umask $mask"
done
ln -s x.svg link.svg
call weights -o link.svg
[ -L link.svg ] && grep -q 'weights of 3' x.svg
ok $? 'a link is followed'
mkfifo pipe.svg
timeout 20 cat pipe.svg >copy.svg &
call path -o pipe.svg
wait $!
[ -p pipe.svg ]
ok $? 'a pipe stays one'
picture copy.svg
call path -o "a b'c\"\$d\`e\\.svg"
picture "a b'c\"\$d\`e\\.svg"
run 0 kith-plot path -o -n.svg -- path.tsv
picture ./-n.svg
cp path.tsv ./-p
run 0 kith-plot path -o x.svg -- -p
has x.svg 'from -p<'

# left: nothing but what was there, and the old picture in x.svg.
left() {
	[ -z "$(ls -A scratch)" ] && [ -z "$(find . -name '.?*' -print)" ]
	ok $? 'nothing is left behind'
	[ "$(cat x.svg)" = old ]
	ok $? 'the old picture is there'
}
echo old >x.svg
run 65 kith-plot path -o x.svg weights.tsv
left
run 74 kith-plot path -o no/x.svg path.tsv
err "kith-plot: no/x.svg: No such file or directory$nl"
printf 'a,b\n1\n' >ragged
run 74 kith-plot path -o no/x.svg ragged
err "kith-plot: no/x.svg: No such file or directory$nl" # known before a table is read
run 74 kith-plot path -o x.svg/y.svg path.tsv
left
run 74 env TMPDIR="$PWD/no" kith-plot path -o x.svg path.tsv
err "kith-plot: $PWD/no: cannot be written$nl"
mkfifo slow
for signal in HUP INT TERM; do
	# A table that does not end: a signal ends the run.
	sleep 20 >slow &
	writer=$!
	(listen kith-plot path -o x.svg slow) &
	pid=$!
	tries=0
	while [ -z "$(ls -A scratch)" ] && [ $tries -lt 100 ]; do
		sleep .1
		tries=$((tries + 1))
	done
	kill -s $signal $pid
	{ wait $pid; } 2>/dev/null # the shell's own word on it
	got=$?
	[ "$(kill -l $got)" = $signal ]
	ok $? "$signal ends it (got $got)"
	kill $writer
	{ wait $writer; } 2>/dev/null
	left
done
rm x.svg

# At a terminal it says that it waits for the table; elsewhere it does not.
if script -qec true /dev/null </dev/null >got 2>&1; then
	(sleep 1 && printf '\004') |
		timeout 20 script -qec 'kith-plot path -o y.svg' /dev/null >said
	grep -q '^kith-plot: reading <stdin>' said
	ok $? 'a terminal is told what is read'
	timeout 20 script -qec 'kith-plot path -o y.svg path.tsv' /dev/null >said </dev/null
	[ ! -s said ]
	ok $? 'a file is read silently'
	timeout 20 script -qec 'kith-plot path -o y.svg <path.tsv' /dev/null >said </dev/null
	[ ! -s said ]
	ok $? 'so is a table of standard input'
	rm -f y.svg
fi

# Any awk and any shell draw the same, and nothing of the user's is run.
for kind in ${KITH_LONG:+path weights heatmap error confusion graph} ranks; do
	call "$kind" -o due.svg
	for awk in $awks; do
		# An awk may be built without exp() and log().
		"$PWD/awks/$awk/awk" 'BEGIN { exit exp(0) != 1 }' 2>log || continue
		PATH=$PWD/awks/$awk:$PATH call "$kind" -o x.svg
		cmp -s due.svg x.svg
		ok $? "$kind is the same by $awk"
	done
done
# Most lines have no value at the last step (gawk 5.2.1 and arguments that are not there).
knife "$data/wdbc.csv" >long
run 0 kith-plot path -o due.svg long
for awk in $awks; do
	"$PWD/awks/$awk/awk" 'BEGIN { exit exp(0) != 1 }' 2>log || continue
	PATH=$PWD/awks/$awk:$PATH run 0 kith-plot path -o x.svg long
	cmp -s due.svg x.svg
	ok $? "a longer path is the same by $awk"
done
call ranks -o due.svg
echo "$shells" | while read -r shell; do
	[ "$shell" ] || continue
	# shellcheck disable=SC2086 # words
	timeout 20 $shell "$root/scripts/kith-plot" ranks -o x.svg ranks.tsv && cmp -s due.svg x.svg ||
		echo "$shell" >>differ
done
[ ! -e differ ]
ok $? 'the same by each shell'
mkdir home
echo 'set title "mine"; set key left bottom; set xrange [0:99]' >home/.gnuplot
HOME=$PWD/home GNUTERM=dumb call ranks -o x.svg
cmp -s due.svg x.svg
ok $? 'the same with a .gnuplot'

# Installed, with a prefix, its own tabscale is used.
make_target() {
	run 0 make -s -o all KITH_BLAS_LIBS=-lopenblas -C "$root" B="$KITH_BUILD" PREFIX="$PWD/usr" PROGRAM_PREFIX=my- "$1"
}
make_target install
run 0 env PATH=/usr/bin:/bin usr/bin/my-kith-plot graph --nodes points.csv -o x.svg graph.tsv
picture x.svg
run 0 usr/bin/my-kith-plot --version
out "kith-plot $(cat "$root/VERSION")$nl"
ln -s "$PWD/usr/bin/my-kith-plot" drawn
run 0 env PATH=/usr/bin:/bin ./drawn path -o y.svg path.tsv
picture y.svg
rm usr/bin/my-tabscale
run 69 env PATH=/usr/bin:/bin usr/bin/my-kith-plot path -o z.svg path.tsv
err "kith-plot: tabscale is not installed$nl"
make_target uninstall
[ -z "$(find usr -type f)" ]
ok $? 'uninstall leaves nothing'
done_testing
