#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Weights as bars, and the order of a matrix of them.
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"

need_gnuplot

# Ranked by size without sign, of equal ones the first; negative ones are orange.
table t 'feature weight' 'a .5' 'b -2' 'c 0' 'd .5' 'e 1'
run 0 kith-plot-weights -o x.svg t
err ''
picture x.svg
said x.svg 'b e a d c'
has x.svg '>weight<'
[ "$(grep -c 'rgb(213,  94,   0)' x.svg)" -eq 1 ]
ok $? 'one bar is orange'
hasnt x.svg largest
run 0 kith-plot-weights -n 2 -o x.svg t
said x.svg 'Weights, the largest 2 of 5'
said x.svg 'b e'
hasnt x.svg '>a<'
run 0 kith-plot-weights -n 2 -t Wine -o x.svg t
said x.svg 'Wine, the largest 2 of 5'
has x.svg '<title>Wine: weights of 2 of 5 features as bars</title>'
run 0 sh -c 'kith-plot-weights -o y.svg <t'
run 0 kith-plot-weights -o x.svg - <t
alike x.svg y.svg
ok $? 'standard input, named or not'

# Several tables: by the sum of the shares of each: a .5 + .1, b .25 + .4, c .25 + .5.
mkdir -p dir
table dir/one.tsv 'feature weight' 'a 2' 'b 1' 'c -1'
table two.csv 'feature weight_abs' 'c 5' 'b 4' 'a 1'
gzip two.csv
run 0 kith-plot-weights -o x.svg dir/one.tsv two.csv.gz
err ''
picture x.svg
said x.svg 'c b a'
said x.svg 'one weight two weight_abs'
has x.svg 'from 2 tables</desc>'
table six 'feature weight' 'z 1'
cp dir/one.tsv in
run 0 kith-plot-weights -o x.svg dir/one.tsv two.csv.gz six six - t <in
err ''
said x.svg 'standard input'
run 2 kith-plot-weights -o x.svg t t t t t t t

# Pairs, in either order; a feature with itself has its name.
table pairs.tsv 'feature1 feature2 weight_abs' 'a a 3' 'a b 2' 'b b 1'
run 0 kith-plot-weights -o x.svg pairs.tsv
said x.svg 'a a × b b'
table more.tsv 'feature1 feature2 weight' 'b a 9' 'b b 1'
run 0 kith-plot-weights -o x.svg pairs.tsv more.tsv
said x.svg 'a × b a b'
run 0 kith-plot-weights -o x.svg pairs.tsv t
picture x.svg

# Standard errors; nothing but zeros; one weight; a step of a path.
table t 'feature weight se' 'a 1 .25' 'b .5 NA'
run 0 kith-plot-weights -o x.svg t
err ''
picture x.svg
for row in 'a 0' 'a 1' 'a -1' 'a 1e300' 'a -1e-320'; do
	table t 'feature weight' "$row"
	for end in svg pdf; do
		run 0 kith-plot-weights -o x.$end t
		err ''
		picture x.$end
	done
done
awk 'BEGIN { print "feature\tweight"; for (i = 1; i <= 300; i++) print "f" i "\t" i % 7 - 3 }' >t
run 0 kith-plot-weights -n 100 -o x.svg t
said x.svg 'Weights, the largest 100 of 300'
run 0 kith-plot-weights -n 100 --size 8cm,6cm -o x.svg t
said x.svg 'Weights, the largest 17 of 300'

# Tables that are none.
rm x.svg
bad() { # MESSAGE TABLE...
	bad_message=$1
	shift
	run 65 kith-plot-weights -o x.svg "$@"
	out ''
	err "kith-plot-weights: $bad_message$nl"
	gone x.svg
}
: >empty
sed 1q t >top
bad 'empty: empty input' empty
bad 'empty: empty input' t empty
bad 'empty: empty input' t empty t
bad 'top: no row below the header' top t
bad 'top: no row below the header' t top
table bad 'feature weight' 'a 1' 'b x'
bad "bad:3: column \"weight\": not a number: 'x'" t bad
table bad 'feature weight' 'a 1' 'a 2'
bad 'bad:3: feature listed twice' bad
table bad 'feature1 feature2 weight' 'a b 1' 'b a 2'
bad 'bad:3: pair listed twice' bad
table bad 'learner alpha sigma feature1 feature2 weight_abs' '1 1 1 a a 1'
bad 'bad:1: not a table of weights: columns feature weight (or feature1 feature2 weight) expected (kith-plot-heatmap?)' bad
run 66 kith-plot-weights -o x.svg t nowhere
err "kith-plot-weights: nowhere: No such file or directory$nl"
gone x.svg

# The order of a matrix: sums are a 2.5, b 9.1, c 2.1, d 9.3; b and d weigh
# together, then a and c, then these two groups, joined where c and d meet.
table m 'feature1 feature2 weight' 'a b .1' 'a c 1' 'a d .1' 'b d -8' 'c d .2' \
	'a a 1.3' 'b b 1' 'c c .9' 'd d 1'
run 0 kith-plot-heatmap -o x.svg m
said x.svg 'a a b b c c d d'
run 0 kith-plot-heatmap --order weight -o x.svg m
said x.svg 'd d b b a a c c'
run 0 kith-plot-heatmap --order cluster -o x.svg m
said x.svg 'a a c c d d b b'
run 2 kith-plot-heatmap --order size -o x.svg m
err "kith-plot-heatmap: bad --order: 'size' (table, weight or cluster)
try 'kith-plot-heatmap --help'$nl"
# A weight below 0 leaves the colours of the others alone.
table m 'feature1 feature2 weight' 'a a 1' 'a b .5' 'b b 0'
run 0 kith-plot-heatmap -o x.svg m
table m 'feature1 feature2 weight' 'a a 1' 'a b .5' 'b b -.001'
run 0 kith-plot-heatmap -o y.svg m
colours() { sed -n "/gnuplot_plot_1/,\$s/.*fill = '\([^']*\)'.*/\1/p" "$1" | head -n 3; }
colours x.svg >x.colours
colours y.svg | cmp -s x.colours - && [ -s x.colours ]
ok $? 'the first three cells have the same colours'
# Where cells are small, not each has a name.
awk 'BEGIN {
	print "feature1\tfeature2\tweight"
	for (i = 1; i <= 100; i++)
		print "f" i "\tf" i "\t" i
}' >m
run 0 kith-plot-heatmap -n 60 -o x.svg m
[ "$(grep -c '<text>f[0-9]' x.svg)" -eq 120 ]
ok $? 'sixty have names'
run 0 kith-plot-heatmap -n 100 -o x.svg m
said x.svg 'f1 f1 f3 f3 f5 f5'
run 0 kith-plot-heatmap -n 60 --size 8cm,8cm -o x.svg m
said x.svg 'f41 f41 f44 f44 f47 f47'

done_testing
