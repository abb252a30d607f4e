#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Which class is taken for which; colours of points, by class and by number.
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"

need_gnuplot

# Counts and shares of rows, by hand; rows without an actual class do not count.
table t 'id predicted_1 predicted_9 actual' '1 a a a' '2 a a a' '3 b a a' '4 b b b' \
	'5 c a NA' '6 NA b b' '7 b b b'
run 0 kith-plot-confusion -o x.svg t
err ''
picture x.svg
said x.svg 'error 0.3333 (2 of 6)'
said x.svg 'predicted_1 actual'
said x.svg 'NA NA a a b b'
said x.svg '2 67% 1 33% 1 33% 2 67%'
run 0 kith-plot-confusion -p predicted_9 -t T -o x.svg t
said x.svg 'T: error 0 (0 of 6)'
said x.svg 'predicted_9 actual'
said x.svg '3 100% 3 100%'
has x.svg '<title>T: confusion of 2 classes, rows actual, columns predicted; error 0 (0 of 6)</title>'
run 65 kith-plot-confusion -p predicted_2 -o y.svg t
err "kith-plot-confusion: t:1: column \"predicted_2\": not found$nl"
gone y.svg
table t 'id predicted actual' '1 10 9' '2 9 10'
run 0 kith-plot-confusion -o x.svg t
said x.svg '9 9 10 10'
table t 'id predicted actual' '1 x NA'
run 65 kith-plot-confusion -o y.svg t
err "kith-plot-confusion: t: nothing to draw: no row has an actual class$nl"
awk 'BEGIN {
	print "id\tpredicted\tactual"
	for (i = 1; i <= 30; i++) print i "\t" i / 7 "\t" i / 8
}' >t
run 65 kith-plot-confusion -o y.svg t
err "kith-plot-confusion: t:12: more than 20 classes: are these numbers to predict?$nl"
for n in 0 1 201 x '' 1.5 02; do
	run 2 kith-plot-confusion -n "$n" -o y.svg t
	err "kith-plot-confusion: bad -n: '$n' (a whole number from 2 to 200)
try 'kith-plot-confusion --help'$nl"
done
gone y.svg

# One class, two, and two hundred: those with the most errors, and the others.
table t 'id predicted actual' '1 only only'
run 0 kith-plot-confusion -o x.svg t
said x.svg '1 100%'
awk 'BEGIN {
	print "id\tpredicted\tactual"
	for (c = 1; c <= 200; c++)
		for (i = 1; i <= 10; i++)
			print ++n "\t" (i <= 4 && c % 10 == 0 ? c + 1 : c) "\t" c
}' >t
run 0 kith-plot-confusion -o x.svg t
said x.svg '10 10 11 11 20 20 21 21'
said x.svg '171 others 171 others'
run 0 kith-plot-confusion -n 2 -o x.svg t
said x.svg '10 10 11 11 199 others 199 others'
said x.svg '6 60% 4 40% 10 100%'
for more in '-n 200' '-n 200 --size 8cm,7cm' '-n 30 --size 8cm,7cm'; do
	for end in png svg pdf eps; do
		# shellcheck disable=SC2086 # options
		run 0 kith-plot-confusion $more -o x.$end t
		err ''
		picture x.$end
	done
done

# Points: at most eight classes have a name, the largest ones, under that of the
# column.
table e 'from to weight' '1 2 .5'
awk 'BEGIN {
	print "x\ty\tspecies"
	for (c = 1; c <= 12; c++)
		for (i = 0; i < (c > 4 ? 3 : 2); i++)
			print c "\t" i + c % 3 "\tk" c
}' >t
run 0 kith-plot-graph -p t -c species -o x.svg e
err ''
said x.svg 'species k10 k11 k12 k5 k6 k7 k8 k9 4 others'
has x.svg '<desc>kith-plot-graph: 32 points and 1 edge, y against x, colours by species, from e</desc>'
awk 'NR == 1 || $3 ~ /k[5-9]|k1./' t >eight
run 0 kith-plot-graph -p eight -c species -o x.svg e
hasnt x.svg others
awk 'BEGIN {
	print "x\ty\tc"
	for (i = 1; i <= 400; i++)
		print i "\t" i * 7 % 31 "\tclass " i % 200
}' >t
for end in png svg; do
	run 0 kith-plot-graph -p t -c c -o x.$end e
	picture x.$end
done
said x.svg '192 others'
# The plot has 610 units, its axis 76, and the key stands at its side.
wide=$(sed -n 's/.*viewBox="0 0 \([0-9]*\) .*/\1/p' x.svg)
[ "$wide" -gt 700 ] && [ "$wide" -lt 820 ]
ok $? "it is wide enough, and no wider (got $wide)"
# Numbers: up to eight are classes, in their order; more are a scale, NA is grey.
awk 'BEGIN { print "x\ty\tage"; for (i = 1; i <= 8; i++) print i "\t" i % 3 "\t" i * 5 }' >t
run 0 kith-plot-graph -p t -c age -o x.svg e
said x.svg 'age 5 10 15 20 25 30 35 40'
awk 'BEGIN {
	print "x\ty\tage"
	for (i = 1; i <= 300; i++)
		print i "\t" i * 7 % 31 "\t" (i == 9 ? "\"NA\"" : i / 3)
}' >t
for end in png svg pdf eps; do
	run 0 kith-plot-graph -p t -c age -o x.$end e
	err ''
	picture x.$end
done
said x.svg 'age NA 0 10 20 30 40 50 60 70 80 90 100'
[ "$(sed -n '/gnuplot_plot_/,$p' x.svg | grep -o "rgb([0-9 ,]*)" | sort -u | wc -l)" -gt 90 ]
ok $? 'the points have many colours'

# More than two features: the columns that are drawn are named, unless they were
# chosen; a map of eigenmap needs no word.
table t 'id a b class c' 'p 1 2 x 3' 'q 2 2 y 5'
table e 'from to weight' 'p q .5'
warning='kith-plot-graph: warning: t: 3 columns of numbers, of which the picture shows "a" and "b" only (-x and -y choose others, eigenmap makes a map of all)'
run 0 kith-plot-graph -p t --id id -c class -o x.svg e
err "$warning$nl"
said x.svg 'a b'
run 0 kith-plot-graph -p t --id id -x a -o x.svg e
err "$warning$nl"
run 0 kith-plot-graph -p t --id id -x c -y a -o x.svg e
err ''
said x.svg 'c a'
run 0 kith-plot-graph -p t --id id -c b -o x.svg e
err ''
said x.svg 'a c'
table map 'id e1 e2 e3 class' 'p 1 2 3 x' 'q 2 2 4 y'
run 0 kith-plot-graph -p map -c class -o x.svg e
err ''
said x.svg 'e1 e2'
tabscale "$data/wine.csv" >wine.tsv
run 0 sh -c "nnkgraph -y class --kernel cosine wine.tsv >g && eigenmap -t wine.tsv \
	--keep class --dims 3 g | kith-plot-graph -p - -c class -o x.svg g"
err ''
said x.svg 'e1 e2 class 1 2 3'

# One point, points that are all equal, a line of them.
printf 'from\tto\n' >e
for points in '1 1 a' '1 1 a,1 1 b,1 1 a' '1 1 a,2 1 b,9 1 c' '0 0 a,1000 1 b' \
	'-1e300 0 1,1e300 1 2'; do
	{
		echo 'x y c'
		echo "$points" | tr , '\n'
	} | tr ' ' '\t' >t
	for more in '' '--size 5.7cm,4cm'; do
		for end in svg eps; do
			# shellcheck disable=SC2086 # options
			run 0 kith-plot-graph -p t -x 1 -y 2 -c c $more -t Title -o x.$end e
			err ''
			picture x.$end
		done
	done
done

done_testing
