#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The pictures of kith-plot-path, -heatmap, -error and -graph: what is in them.
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"

need_gnuplot

# Paths: lines, names, axes.
run 0 kith-plot-path -n 1 -o x.svg path
has x.svg '>1 other<'
hasnt x.svg '>b<'
table t 'step theta name value' '1 0 (bias) .5' '1 0 1 1' '1 0 2 1' '1 0 3 .1' \
	'2 1 (bias) -.5' '2 1 1 2' '2 1 2 2' '2 1 3 .2'
run 0 kith-plot-path -o x.svg t
has x.svg 'row 1 and 1 like it'
has x.svg '(bias), right'
hasnt x.svg 'row 2'
run 0 kith-plot-path -b -o x.svg t
hasnt x.svg 'bias'
run 0 kith-plot-path -g -o x.svg t # one step is left
picture x.svg
table t 'step theta name value' '1 0 (bias) 0' '1 0 4>1 .1' '1 0 (x) .2'
run 0 kith-plot-path -o x.svg t
has x.svg '4>1'
# Columns of classes: one machine is drawn.
table t 'class1 class2 step theta name value' 'a b 1 0 (bias) 0' 'a b 1 0 7 .1' \
	'a b 2 1 (bias) 0' 'a b 2 1 7 .2' 'a c 1 0 (bias) 0'
run 65 kith-plot-path -o x.svg t
err "kith-plot-path: t:6: the machines of 'a' and 'b' and of 'a' and 'c': give the rows of one (awk?)$nl"
sed 6d t >one
run 0 kith-plot-path -o x.svg one
has x.svg 'row 7'
cut -f 2- one | sed '1s/class2/class/' >one.class
run 0 kith-plot-path -o y.svg one.class
has y.svg 'row 7'
# 2000 features in 2 steps, a constant one, zeros, and large and small numbers.
awk 'BEGIN {
	print "step\ttheta\tfeature\tweight"
	for (s = 1; s <= 2; s++)
		for (j = 1; j <= 2000; j++)
			print s "\t" s "\tf" j "\t" s * j % 17
}' >t
run 0 kith-plot-path -o x.png t
picture x.png
for pair in '0 0' '1 1' '1e150 2e150' '1e-150 1e-150' '-1e300 1e300' '5e-324 0'; do
	table t 'step theta feature weight' "1 1e-150 a ${pair% *}" "2 1e150 a ${pair#* }"
	run 0 kith-plot-path -o x.svg t
	err ''
	picture x.svg
	table t 'feature1 feature2 weight' "a a ${pair% *}" "a b ${pair#* }"
	run 0 kith-plot-heatmap -o x.svg t
	err ''
	picture x.svg
	table t 'lambda2 n rmse' "1e-150 1 ${pair% *}" "2e150 1 ${pair#* }"
	run 0 kith-plot-error -o x.svg t
	err ''
	picture x.svg
	printf 'x,y\n%s,1\n%s,1\n' "${pair% *}" "${pair#* }" >two.csv
	table t 'from to weight' "1 2 ${pair#* }"
	run 0 kith-plot-graph -p two.csv -o x.svg t
	err ''
	picture x.svg
done

# Matrices: which features, and whether a pair is given as (a, b) or (b, a).
awk 'BEGIN {
	print "feature1\tfeature2\tweight_abs"
	for (i = 1; i <= 40; i++)
		for (j = i; j <= 40; j++)
			print "f" i "\tf" j "\t" (i == 7 || j == 7 || i + j == 30)
}' >t
run 0 kith-plot-heatmap -o x.svg t
has x.svg '>Weights of pairs, 30 of 40 features<'
has x.svg '>weight_abs<'
run 0 kith-plot-heatmap -n 2 -o x.svg t
has x.svg '>f7<'
hasnt x.svg '>f40<'
run 0 kith-plot-heatmap -n 100 -o x.png t
picture x.png
table t 'feature1 feature2 weight' 'a a 1' 'b a 2' 'b b 1'
run 0 kith-plot-heatmap -o x.svg t
table t 'feature1 feature2 weight' 'a a 1' 'a b 2' 'b b 1'
run 0 kith-plot-heatmap -o y.svg t
cmp -s x.svg y.svg
ok $? 'the order in a pair does not count'

# Errors: the best by the rule of all commands, in all tables.
best() { # TEXT LINE...
	best_text=$1
	shift
	table t "$@"
	run 0 kith-plot-error -o x.svg t
	err ''
	has x.svg ">best: $best_text<"
}
best 'k 3: error 0.1 (1 of 10)' 'k n errors error' '5 10 1 .1' '3 10 1 .1' '7 10 2 .2'
best 'k 7: rmse 0.25' 'k n rmse' '1 10 .5' '7 10 .25'
best 'sigma 0.5: error 0.1 (1 of 10)' 'sigma n errors error' '4 10 1 .1' '.5 10 1 .1'
best 'theta 2, k 1: error 0.1 (1 of 10)' 'theta k n errors error features' \
	'1 1 10 1 .1 9' '1 3 10 1 .1 9' '2 3 10 1 .1 8' '2 1 10 1 .1 8' '3 1 10 1 .1 8'
best 'lambda2 2: error 0.1' 'lambda2 n error features' '1 10 .1 3' '2 10 .1 2' '3 10 .1 2'
best 'share 50, k 1: error 0.1 (1 of 10)' 'share k n errors error' \
	'0 1 10 1 .1' '50 3 10 1 .1' '50 1 10 1 .1' '75 1 10 2 .2'
best 'theta 0.6: error 0.1 (1 of 10)' 'theta_from theta_to n errors error' \
	'0 .1 10 1 .1' '.1 .3 10 2 .2' '.3 .9 10 1 .1' '.9 1 10 2 .2'
best 'theta 0.05: ndcg@5 0.9' 'theta_from theta_to n ndcg@5' '0 .1 3 .9' '.1 1 3 .8'
best 'theta 0.25: rmse 0.5' 'theta_from theta_to n rmse_from rmse_to rmse theta' \
	'0 .5 9 1 1 .5 .25' '.5 1 9 1 .6 .6 1'
table t 'theta k n errors error features' '.1 1 10 1 .1 9' '.2 1 10 2 .2 8'
run 0 kith-plot-error -o x.svg t
has x.svg 'features, right'
run 0 kith-plot-error -f -o x.svg t
hasnt x.svg 'features'
awk 'BEGIN {
	print "theta\tk\tn\terrors\terror"
	for (k = 1; k <= 20; k++)
		for (t = 1; t <= 30; t++)
			print t / 10 "\t" k "\t100\t" (e = k == 17 ? 1 : 2 + k * t % 7) "\t" e / 100
}' >t
run 0 kith-plot-error -n 3 -o x.svg t
has x.svg '17 others'
has x.svg '>k 17<'

# Graphs: columns by name and number, ids, no edges, negative ones, tables of
# all forms.
run 0 kith-plot-graph -p points.csv -c -1 -o x.svg edges
has x.svg '>x<'
has x.svg '>b<'
run 0 kith-plot-graph -p - -c class -o y.svg edges <points.csv
cmp -s x.svg y.svg
ok $? 'the points may be standard input'
gzip -c points.csv >points.gz
run 0 kith-plot-graph -p points.gz -x x -y 2 -c 3 -o y.svg <edges
alike x.svg y.svg
ok $? 'or packed'
printf 'name;y;x;class\np;1;1;a\nq;1;2;b\nr;3;2;a\ns;3;1;b\n' >named
table t 'from to weight' 'p q .5' 'q r 1' 'p s .2'
run 0 kith-plot-graph -p named --id name -x x -y y -c class -o y.svg t
alike x.svg y.svg
ok $? 'rows may have ids'
tail -n +2 points.csv >headless
run 0 kith-plot-graph -H -p headless -o x.svg edges
has x.svg '>V1<'
table t 'from to weight'
run 0 kith-plot-graph -p points.csv -o x.svg t
err ''
picture x.svg
table t 'from to' '1 2' '3 3'
run 0 kith-plot-graph -p points.csv -o x.svg t
picture x.svg
table t 'from to weight' '1 2 -1' '3 4 2'
run 0 kith-plot-graph -p points.csv -o x.svg t
has x.svg 'negative weights'
printf 'x\ty\n1\t1\n' >one.tsv
table t 'from to weight'
run 0 kith-plot-graph -p one.tsv -o x.png t
picture x.png

# Maps of eigenmap say themselves what their columns are; what is not placed is not
# drawn.
table map.tsv 'id e1 e2 class' 'p 1 1 a' 'q 2 1 b' 'r 2 3 a' 's NA NA c' 't 1 3 b'
table t 'from to weight' 'p q .5' 'q r 1' 'p t .2' 'r s 1'
run 0 kith-plot-graph -p - -c class -o x.svg t <map.tsv
err ''
has x.svg '>e1<'
has x.svg '>b<'
hasnt x.svg '>c<'
printf 'name;y;x;class\np;1;1;a\nq;1;2;b\nr;3;2;a\nt;3;1;b\n' >named
sed '$d' t >some
run 0 kith-plot-graph -p named --id name -x x -y y -c class -o y.svg some
sed 's/>e1</>x</; s/>e2</>y</; s/e2 against e1/y against x/' x.svg >z.svg
alike y.svg z.svg
ok $? 'they are drawn as other points are'
table map.tsv 'id e1 class' 'p 1 a' 'q 2 b'
table t 'from to weight' 'p q .5'
run 65 kith-plot-graph -p map.tsv -o z.svg t
err "kith-plot-graph: map.tsv: two coordinates expected (eigenmap --dims 2?)$nl"
run 0 kith-plot-graph -p map.tsv -x e1 -y e1 -o x.svg t
table map.tsv 'id e1 e2' 'p NA NA' 'q NA NA'
run 65 kith-plot-graph -p map.tsv -o z.svg t
err "kith-plot-graph: map.tsv: nothing to draw$nl"
# Many edges are thin and let others through.
awk 'BEGIN {
	print "id\te1\te2"
	for (i = 1; i <= 300; i++) print i "\t" i * 7 % 17 "\t" i * 5 % 23
	print "from\tto\tweight" >"t"
	for (i = 1; i <= 8000; i++) print i % 300 + 1 "\t" i * 7 % 299 + 1 "\t1" >"t"
}' >map.tsv
run 0 kith-plot-graph -p map.tsv -o x.svg t
grep -q "opacity='0\.4" x.svg
ok $? 'many edges let others through'

# What --help and the commands say, on real tables.
tabscale "$data/wine.csv" >wine.tsv
tabfold --shares 2:1 --part 1 wine.tsv >train.tsv
tabfold --shares 2:1 --part 2 wine.tsv >test.tsv
nnkgraph -y -1 train.tsv >graph.tsv
table errors.tsv 'method set error' 'a s .1' 'b s .2' 'a t .3' 'b t .2'
for one in $plots; do
	kith-plot-"$one" --help | sed '1,/^Examples:/d' >examples
	run 0 bash -eo pipefail examples
	err ''
done
for one in c confusion e error g map matrix path relief weights; do
	for end in png svg; do
		[ ! -e $one.$end ] || picture $one.$end
	done
done

tabscale "$data/iris.csv" >iris.tsv
run 0 sh -c "sqpfw --path iris.tsv | kith-plot-path -o x.png"
run 0 sh -c "tabcv -q -n 3 iris.tsv lambda2=.1,1,10 -- knife | kith-plot-error -o x.png"
run 0 sh -c "tabcv -q -n 3 iris.tsv theta=.1,1 k=1,3 -- sqpfw | kith-plot-error -o x.png"
run 0 sh -c "knnclf --loo -k 1,3 iris.tsv | kith-plot-error -o x.png"
run 0 sh -c "immigrate iris.tsv | kith-plot-heatmap -o x.png"
run 0 sh -c "relief --method lfe iris.tsv | kith-plot-heatmap -o x.png"
run 0 sh -c "nnkgraph -y class iris.tsv |
	kith-plot-graph -p iris.tsv -x 3 -y 4 -c class -o x.png"
awk -F '\t' '$5 != "setosa"' iris.tsv >two.tsv
run 0 sh -c "wsvmpath --from .1 --to 10 --print coef two.tsv | kith-plot-path -o x.png"
sed 1q "$data/iris.csv" >two.csv
sed 1,51d "$data/iris.csv" >>two.csv
for more in '--to 1' '--task regress --to 1 --epsilon .1 -y 4 -x 1:3' \
	'--task rank --to relevance -y 4 -x 1:3'; do
	# shellcheck disable=SC2086 # options
	wsvmpath --from .1 $more --validate two.csv two.csv >t
	run 0 kith-plot-error -o x.png t
done

done_testing
