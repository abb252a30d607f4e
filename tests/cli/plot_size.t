#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The size of pictures, their letters and dots, in all forms; what an SVG says of
# itself; names that are cut.
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"

for one in $plots; do
	tool=kith-plot-$one
	set --
	[ "$one" != graph ] || set -- -p points.csv
	for size in '' 8cm 8,6 8cm,6 8cm,6cm,4cm ,6cm '8cm,' 8em,6em -8cm,6cm 8e1cm,6cm \
		'8 cm,6cm' 00000000008cm,6cm; do
		run 2 "$tool" "$@" --size "$size" -o x.pdf path
		err "$tool: bad --size: '$size' (as 8cm,6cm; units are cm, mm, in and pt)
try '$tool --help'$nl"
	done
	for size in 0cm,6cm 5cm,6cm 8cm,3cm 3001pt,8cm 8cm,42in; do
		run 2 "$tool" "$@" --size=$size -o x.pdf path
		err "$tool: --size $size: from 20 x 14 times --font-size 8pt up to 3000pt,3000pt
try '$tool --help'$nl"
	done
	for font in '' 3 41 x 1e1 8pt 8. .8 8.5.5 -8 100000; do
		run 2 "$tool" "$@" --font-size "$font" -o x.pdf path
		err "$tool: bad --font-size: '$font' (points, from 4 to 40)
try '$tool --help'$nl"
	done
	for dpi in '' 35 1201 x 72.5 0300 -1; do
		run 2 "$tool" "$@" --dpi "$dpi" -o x.png path
		err "$tool: bad --dpi: '$dpi' (a whole number from 36 to 1200)
try '$tool --help'$nl"
	done
done
run 2 kith-plot-path --size 100cm,20cm --dpi 1200 -o x.png path
err "kith-plot-path: --size 100cm,20cm with --dpi 1200: more than 30000 dots
try 'kith-plot-path --help'$nl"
gone x.pdf

need_gnuplot

# draw TOOL OPTION...: one of each.
draw() {
	draw_tool=$1
	shift
	case $draw_tool in
	path) set -- "$@" path ;;
	heatmap) set -- "$@" matrix ;;
	error) set -- "$@" errors ;;
	graph) set -- "$@" -p points.csv -c class edges ;;
	weights) set -- "$@" weights ;;
	confusion) set -- "$@" predictions ;;
	ranks) set -- "$@" ranks ;;
	esac
	run 0 kith-plot-"$draw_tool" "$@"
	err ''
}
# number FILE AT: four bytes of a PNG.
number() { od -An -tu1 -j "$2" -N 4 "$1" | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }'; }
# dots FILE WIDE HIGH PER_METRE
dots() {
	got="$(number "$1" 16) $(number "$1" 20) $(number "$1" 41)"
	[ "$got" = "$2 $3 $4" ]
	ok $? "$1 has $2 x $3 dots, $4 in a metre (got $got)"
}
for one in $plots; do
	draw "$one" --size 8cm,6cm -o x.svg
	picture x.svg
	has x.svg ' width="8cm" height="6cm"'
	has x.svg 'viewBox="0 0 397 298"'
	hasnt x.svg Gnuplot
	hasnt x.svg GNUPLOT
	hasnt x.svg '<title>gnuplot_plot'
	has x.svg "<desc>kith-plot-$one: "
	draw "$one" --size 8cm,6cm -o x.pdf
	picture x.pdf
	grep -qa 'MediaBox \[ 0 0 227 170 \]' x.pdf
	ok $? 'a PDF of this size'
	draw "$one" --size 8cm,6cm -o x.eps
	picture x.eps
	grep -qE '^%%BoundingBox: 0 0 22[78] 17[01]$' x.eps
	ok $? 'an EPS of this size'
	grep -q '^%%Title: ' x.eps && ! grep -q CreationDate x.eps
	ok $? 'which has a title, and no date'
	draw "$one" --size 8cm,6cm -o x.png
	picture x.png
	dots x.png 945 709 11811
	draw "$one" --size 3.5in,210pt --font-size 9 --dpi 72 -o x.png
	dots x.png 252 210 2835
done
draw path -o x.png
dots x.png 1200 720 5039
draw path --dpi 300 -o x.png
dots x.png 2813 1688 11811
draw path -o x.svg
has x.svg ' width="900" height="540"'
draw path --font-size 14 -o x.svg
has x.svg 'viewBox="0 0 675 405"'
has x.svg ' width="900" height="540"'
run 0 kith-plot-path --dpi 300 -o x.svg path
err "kith-plot-path: warning: --dpi is not used: a picture .svg has no dots$nl"

# No picture without room for its plot.
nothing() { # TOOL SIZE ARG...
	nothing=kith-plot-$1 size=$2
	shift 2
	for end in svg pdf; do
		run 2 "$nothing" --size "$size" -o z.$end "$@"
		err "$nothing: --size $size: no room for the plot beside its names (larger, or a smaller --font-size?)
try '$nothing --help'$nl"
	done
	gone z.svg z.pdf
}
name='a name as long as names can be'
printf 'step\ttheta\tname\tvalue\n1\t0\t(bias)\t1\n1\t0\t%s\t1\n' "$name" >t
nothing path 5.7cm,4cm t
printf 'feature1\tfeature2\tweight\n%s\t%s\t1\n' "$name" "$name" >t
nothing heatmap 5.7cm,4cm t
printf 'theta\tk\tn\terror\tse\tfeatures\n1\t1\t1\t1\t1\t1\n' >t
nothing error 5.7cm,4cm t
printf 'feature\tweight\n%s\t1\n' "$name" >t
nothing weights 5.7cm,4cm t t t t t t
printf 'id\tpredicted\tactual\n1\t%s\t%s\n' "$name" "$name" >t
nothing confusion 5.7cm,4cm t
awk -v s="$name" 'BEGIN {
	print "method\tset\terror"
	for (i = 1; i < 30; i++) print s i % 3 "\t" int(i / 3) "\t" i }' >t
nothing ranks 5.7cm,4cm t
printf 'x\ty\tc\n1\t1\t%s\n39\t11\t%s\n' "$name" "$name" >p
printf 'from\tto\n' >t
nothing graph 5.7cm,4cm -p p -c c t

# A PDF and an EPS tell no hour: the same bytes in any zone, at any time.
for end in pdf eps; do
	draw graph -o "x.$end"
	sleep 1.1
	run 0 env TZ=Asia/Tokyo kith-plot-graph -p points.csv -c class -o "y.$end" edges
	cmp -s "x.$end" "y.$end"
	ok $? "the same $end later, in another zone"
done

# Where gnuplot has no such terminal.
mkdir bin
cat >bin/gnuplot <<'END'
#!/bin/sh
echo '"script" line 0: unknown or ambiguous terminal type; type just ...' >&2
exit 1
END
chmod +x bin/gnuplot
run 69 env PATH="$PWD/bin:$PATH" kith-plot-path -o z.pdf path
err "kith-plot-path: z.pdf: this gnuplot cannot draw .pdf (Debian: gnuplot-nox can)$nl"
gone z.pdf
rm -r bin

# What an SVG says of itself.
mkdir 'a&b'
cp path 'a&b/<p>'
run 0 kith-plot-path -t 'A & B' -o x.svg 'a&b/<p>'
picture x.svg
has x.svg '<title>A &amp; B: weights of 2 features against theta</title>'
has x.svg '<desc>kith-plot-path: weights of 2 features against theta, from &lt;p&gt;</desc>'
run 0 kith-plot-path -o x.svg <path
has x.svg '<title>weights of 2 features against theta</title>'
has x.svg ', from standard input</desc>'

# Names that are too long lose their middle; where these are equal then, they show
# where they differ, or a number.
head='a common beginning of some names, '
tail=', and an end that they have in common'
table t 'step theta feature weight'
for step in 1 2; do
i=0
for name in "${head}one$tail" "${head}two$tail" "$head${head}x$tail$tail" short; do
	i=$((i + 1))
	printf '%s\t1\t%s\t%s\n' $step "$name" $i >>t
done
done
run 0 kith-plot-path -o x.svg t
has x.svg '>a common b…, one, and an end th…<'
has x.svg '>a common b…, two, and an end th…<'
has x.svg '>a common b…, a common beginning…<'
has x.svg '>short<'
awk 'BEGIN {
	print "feature\tweight"
	for (i = 1; i <= 12; i++) {
		s = sprintf("%060d", 0)
		gsub(/0/, "word ", s)
		print s i % 2 s i % 3 s int(i / 6) s "\t" 1 / i
	}
}' >t
run 0 kith-plot-weights -o x.svg t
[ "$(grep -o '<text[^>]*>word.*</text>' x.svg | sort | uniq | wc -l)" -eq 12 ]
ok $? 'twelve names, all different'
run 0 kith-plot-weights --size 6cm,5cm -o x.svg t
[ "$(grep -o '<text[^>]*>word.*</text>' x.svg | sort | uniq -d | wc -l)" -eq 0 ]
ok $? 'in a small picture too'

done_testing
