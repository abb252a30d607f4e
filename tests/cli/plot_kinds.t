#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What each kind of kith-plot draws: the texts and descriptions of SVG pictures, of
# tables by hand and of kith's commands; degenerate tables; the statistics of ranks.
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"

need_gnuplot

# draw KIND ARG...: the table t as x.svg.
draw() {
	draw_kind=$1
	shift
	run 0 kith-plot "$draw_kind" "$@" -o x.svg t
	err ''
	picture x.svg
}
# order FILE TEXT TEXT: the first text stands higher, by the y of its translate().
order() {
	sed -n 's/.*translate(\([0-9.]*\),\([0-9.]*\)).*/\2/p; s:.*<text[^>]*>\(.*\)</text>.*:\1:p' "$1" |
		awk -v one="$2" -v two="$3" '
			a == "" && $0 == one { a = y } b == "" && $0 == two { b = y } /^[0-9.]+$/ { y = $0 }
			END { exit !(a != "" && b != "" && a + 0 < b + 0) }'
	ok $? "$2 stands above $3"
}

# path: names at the ends of lines, counts of features, rings, equal lines.
cp path.tsv t
draw path
about x.svg 'weights of 2 features against theta'
has x.svg '<title>weights of 2 features against theta</title>'
said x.svg 'features left'
said x.svg 'theta (logarithmic)'
order x.svg a b
draw path -n 1 --title 'My path' --axis linear
said x.svg '1 other'
said x.svg 'My path'
hasnt x.svg logarithmic
hasnt x.svg '>b<'
write t 'step lambda2 feature weight scaled_weight' '1 0 a 9 1' '1 0 b 1 4' '2 1 a 9 1' '2 1 b 1 4' \
	'3 2 NA 0 0'
draw path
said x.svg 'weight of the scaled feature'
said x.svg 'lambda2 (logarithmic; 0 is left out)'
hasnt x.svg '>NA<'
# In turn the largest sum and the largest last value have names.
write t 'step theta feature weight' '1 1 a 9' '1 1 b 8' '2 2 a 9' '2 2 b 8' '3 3 c 7' '3 3 a 1' '3 3 b 1'
draw path -n 2
said x.svg '1 other'
order x.svg c a
write t 'step theta name value' '1 0 (bias) 5' '1 0 7 1' '1 0 9 1' '1 0 3 2' '2 1 7 2' '2 1 9 2' '2 1 3 1'
draw path
about x.svg 'alphas of 3 rows against theta'
said x.svg 'row 7 (and 1 equal)'
said x.svg 'rows with alpha not 0'
hasnt x.svg bias
draw path --from .1 --to 10 --axis log
about x.svg 'alphas of 3 rows against C'
said x.svg 'C (logarithmic)'
write t 'class1 class2 step theta name value' 'a b 1 0 1 2' 'a b 2 1 1 3'
draw path
# One step, equal weights, huge and tiny ones.
write t 'step theta feature weight' '1 2 a 1' '1 2 b 1e-300'
draw path
write t 'step theta feature weight' '1 2 a 1e300' '2 3 a 1e300'
draw path
write t 'step theta feature weight' '1 2 a 0' '2 3 a 0'
draw path

# weights: the order of rows, what is 0 or absent, pairs, several tables.
write t 'feature weight se' 'a 1 .1' 'b -5 NA' 'c 0 0' 'd 2 .5'
draw weights
about x.svg 'weights of 4 features as bars'
order x.svg b d
order x.svg a c
draw weights -n 2
said x.svg 'Weights, the largest 2 of 4'
hasnt x.svg '>a<'
write u.tsv 'feature weight_abs' 'b 2' 'a 4' 'e 1'
run 0 kith-plot weights --title Two -o x.svg t u.tsv
has x.svg 'kith-plot weights: weights of 5 features as bars, from 2 tables'
said x.svg 'Two, sorted by the mean share'
said x.svg absent
said x.svg 'weight of |difference|'
order x.svg b a
write t 'feature1 feature2 weight' 'a b 1' 'b b 2'
draw weights
said x.svg 'a × b'
write t 'feature weight' 'a 0' 'b 0'
draw weights
write t 'feature weight scaled_weight' 'a 1e-300 3' 'b 1e300 1'
draw weights
order x.svg a b
said x.svg 'weight of the scaled feature'

# heatmap: the order of features, each pair once.
write t 'feature1 feature2 weight' 'a a 0' 'b b 0' 'c c 0' 'd d 0' 'a c 5' 'b d 4' 'a b .1' 'c d .1' 'a d .1' 'b c .1'
draw heatmap --order table
about x.svg 'weights of pairs of 4 features'
order x.svg b c
draw heatmap
texts x.svg | grep -x '[abcd]' | awk 'NR % 2' | tr -d '\n' >got
case $(cat got) in
*ac* | *ca*) case $(cat got) in *bd* | *db*) true ;; *) false ;; esac ;;
*) false ;;
esac
ok $? "what weighs together stands side by side: $(cat got)"
draw heatmap -n 2 --no-diagonal
said x.svg 'the largest 2 of 4 features'
write t 'feature1 feature2 weight_abs' 'a a -1'
draw heatmap
said x.svg 'weight of |difference|'
write t 'feature1 feature2 weight_abs scaled_weight' 'a a 1 2' 'a b 1e9 1'
draw heatmap
said x.svg 'weight of the scaled feature'
awk 'BEGIN { print "feature1\tfeature2\tweight"; for (i = 1; i <= 60; i++) print i "\t" i "\t" i }' >t
run 0 kith-plot heatmap -n 60 --size 6cm,6cm -o x.svg t
grep -q 'warning: there is room for one name in [2-9] (a larger --size, or a smaller -n)' stderr
ok $? 'names without room are told'
awk 'BEGIN { print "feature\tweight"; for (i = 1; i <= 9; i++) print "a_feature_with_a_name_" i "\t" i }' >t
for table in 1 2 3 4 5; do cp t "t$table"; done
run 2 kith-plot weights --size 160pt,112pt -o y.svg t1 t2 t3 t4 t5
err "kith-plot: --size 160pt,112pt: no room for the plot beside its names$nl$try"
gone y.svg

# error: the best, lines, bars, axes.
cp error.tsv t
draw error
about x.svg 'error against k; best: k 3: error 0.06 (3 of 50)'
hasnt x.svg 'standard error'
hasnt x.svg logarithmic
write t 'k vote_k share n error se' '5 1 0 9 .4 .1' '5 1 50 9 .3 NA' '7 1 0 9 .3 .1' '7 1 50 9 .2 .05'
draw error --title My
said x.svg 'My, best: k 7, share 50: error 0.2 ± 0.05'
said x.svg '± standard error'
said x.svg 'share 0'
hasnt x.svg 'vote_k'
draw error -n 1
said x.svg '1 other'
write t 'theta method n auc' '0 b 9 .5' '.1 a 9 .7' '10 a 9 NA' '10 b 9 .9' '1 b 9 .9'
draw error
about x.svg 'auc against theta; best: theta 1, b: auc 0.9'
said x.svg 'theta (logarithmic; 0 is left out)'
draw error --axis linear
hasnt x.svg logarithmic
write t 'k n ndcg@10 se' '1 9 .90 .001' '2 9 .91 .001'
draw error
write t 'k n error' '1 9 .90' '2 9 .91'
draw error
said x.svg 'error (the axis does not begin at 0)'
write t 'k n rmse' '1 9 0'
draw error
write t 'k n mcc' '1 9 -1e300' '2 9 1e300'
draw error
write t 'k n rmse' '1 9 1e300' '2 9 1e300'
draw error
# Along a narrow axis stand the numbers that have room, among them the first and the last.
write t 'k n error' '1 9 .1' '3 9 .3' '5 9 .2' '7 9 .2' '9 9 .2' '11 9 .2' '31 9 .2'
draw error
said x.svg '1 3 5 7 9 11 31'
draw error --size 160pt,112pt
hasnt x.svg '>7<'
has x.svg '>1<'
has x.svg '>31<'
# Intervals of C, rising or falling, and of theta.
write t 'from to n errors error se' '1 2.8 9 3 .3 .1' '2.8 8.2 9 1 .1 .1' '8.2 10 9 1 .1 0'
draw error
about x.svg 'error against C; best: C 5.5: error 0.1 ± 0.1 (1 of 9)'
cp x.svg rising.svg
write t 'from to n errors error se' '10 8.2 9 1 .1 0' '8.2 2.8 9 1 .1 .1' '2.8 1 9 3 .3 .1'
draw error
cmp -s rising.svg x.svg
ok $? 'the same picture where C falls'
write t 'from to n rmse_from rmse_to rmse C se' '3 2 9 2 1.5 1.5 2 .1' '2 1 9 1.5 2 1 1.5 .1'
draw error
about x.svg 'rmse against C; best: C 1.5: rmse 1 ± 0.1'
write t 'theta_from theta_to n rmse_from rmse_to rmse theta' '0 .5 9 2 1.5 1.5 .5' '.5 1 9 1.5 2 1 .75'
draw error
about x.svg 'rmse against theta; best: theta 0.75: rmse 1'
write t 'theta_from theta_to n error' '0 1 9 .1'
draw error

# confusion: counts and shares, the order of classes, many classes.
cp confusion.tsv t
draw confusion
about x.svg 'confusion of 2 classes, rows actual, columns predicted; error 0.3333 (1 of 3)'
said x.svg '50%'
order x.svg x y
write t 'id predicted actual predicted_3' '1 10 10 9' '2 9 10 9' '3 9 9 9'
draw confusion --predicted predicted_3 --title My
about x.svg 'confusion of 2 classes, rows actual, columns predicted; error 0.6667 (2 of 3)'
said x.svg 'My: error 0.6667 (2 of 3)'
said x.svg predicted_3
order x.svg 9 10
awk 'BEGIN { print "id\tpredicted\tactual"; for (i = 0; i < 400; i++) print i "\tc" i % 40 "\tc" (i % 2 ? i % 40 : 0) }' >t
draw confusion -n 20
said x.svg '20 others'
said x.svg 'share of the row'
write t 'id predicted actual' '1 a a'
draw confusion
said x.svg '100%'

# graph: points, edges, colours, rows without edges.
cp graph.tsv t
draw graph --nodes points.csv
has x.svg '4 points and 3 edges, y against x, colours by class, from t'
said x.svg 'class a b'
draw graph --nodes points.csv -y none -x 2,x
has x.svg '4 points and 3 edges, x against y, from t'
write t 'from to weight' '1 2 -1' '2 3 1'
run 0 kith-plot graph --nodes points.csv -o x.svg t
err "kith-plot: warning: 1 row has no edge (a ring in the picture)$nl"
said x.svg 'without edges'
said x.svg 'negative weights'
write t 'from to weight'
draw graph --nodes points.csv
has x.svg '4 points and 0 edges'
printf 'n,x,y,z\na,1,1,5\nb,2,3,6\n' >named.csv
write t 'from to' 'a b'
run 0 kith-plot graph --nodes named.csv --id n -y none -o x.svg t
err "kith-plot: warning: 3 columns of numbers, of which the picture shows \"x\" and \"y\" (-x chooses others, eigenmap makes a map of all)$nl"
# Names of columns with blanks, one of whose words is another column.
printf 'a name,silt clay,clay,pH value,a class\na,1,2,5,k\nb,2,3,6,l\n' >named.csv
draw graph --nodes named.csv --id 'a name' -y 'a class' -x 'silt clay,pH value'
has x.svg '2 points and 1 edge, pH value against silt clay, colours by a class'
run 65 kith-plot graph --nodes named.csv --id 'a name' -x 'sand clay,pH value' -o y.svg t
err "kith-plot: named.csv: column \"sand clay\": not found$nl"
awk 'BEGIN { print "x,y,v"; for (i = 1; i < 12; i++) print i "," i * i "," i + .5 }' >scale.csv
write t 'from to' '1 2' '2 3' '3 4' '4 5' '5 6' '6 7' '7 8' '8 9' '9 10' '10 11'
draw graph --nodes scale.csv
said x.svg v
awk 'BEGIN { for (i = 1; i < 12; i++) print i "," i * i "," i % 2 }' >bare.csv
draw graph --nodes bare.csv -H
has x.svg 'V2 against V1, colours by V3'
printf '1,1,a\n1,1,a\n' >same.csv
write t 'from to' '1 2'
draw graph --nodes same.csv -H
# A map of eigenmap knows its columns; nodes that it does not place are left out.
write map 'id e1 e2 class' '1 .1 .2 a' '2 .3 .1 b' '3 NA NA b' '7 0 0 a'
write t 'from to weight' '1 2 1' '2 3 1' '2 7 1'
run 0 sh -c 'kith-plot graph --nodes - -o x.svg t <map'
err ''
has x.svg '3 points and 2 edges, e2 against e1, colours by class'
write map 'id e1' '1 1'
run 65 kith-plot graph --nodes map -o y.svg t
err "kith-plot: map: two coordinates expected (eigenmap --dims 2?)$nl"

# ranks, by tabscore --ranks.  Demsar 2006, Table 6 and section 3.2.2: AUC of four variants of
# C4.5.  The mean ranks are 3.143, 2.000, 2.893 and 1.964, and CD is 1.25 (2.569 times the root
# of 4 5 / (6 14)); chi-square is 9.28, corrected for ties 10.23.
draw_ranks() { # of the table results
	tabscore --ranks "$@" results >t && draw ranks
}
columns() { # NAME METHOD... < sets with the values of the methods, as a table of results
	columns_name=$1
	shift
	awk -v OFS='\t' -v name="$columns_name" -v methods="$*" '
		BEGIN { n = split(methods, m, " "); print "method", "set", name }
		{ for (j = 1; j <= n; j++) print m[j], $1, $(j + 1) }' >results
}
cat >auc <<'END-OF-TABLE'
adult .763 .768 .771 .798
breast .599 .591 .590 .569
wisconsin .954 .971 .968 .967
cmc .628 .661 .654 .657
ionosphere .882 .888 .886 .898
iris .936 .931 .916 .931
liver .661 .668 .609 .685
lung .583 .583 .563 .625
lymphography .775 .838 .866 .875
mushroom 1.000 1.000 1.000 1.000
tumor .940 .962 .965 .962
rheum .619 .666 .614 .669
voting .972 .981 .975 .974
wine .957 .978 .946 .970
END-OF-TABLE
columns accuracy C4.5 C4.5+m C4.5+cf C4.5+m+cf <auc
draw_ranks
about x.svg "mean ranks of 4 methods on 14 sets; Friedman chi-square 10.23, p = 0.017; \
critical difference (Nemenyi, 0.05) 1.25; no difference: 4 from C4.5+m+cf to C4.5"
said x.svg 'C4.5 (3.14)'
said x.svg 'C4.5+m (2.00)'
said x.svg 'critical difference 1.25 (alpha .05)'
sed '/^<desc>/d' x.svg >due
awk '{ for (i = 2; i <= 5; i++) $i = 1 - $i; print }' auc |
	columns error C4.5 C4.5+m C4.5+cf C4.5+m+cf
draw_ranks
sed '/^<desc>/d' x.svg | cmp -s due -
ok $? 'errors and accuracies draw the same'
# Two methods with ranks 1 and 2 on 10 sets: chi-square 10, p .0016; CD is 1.96 times the
# root of 2 3 / (6 10).
write results 'method set error' 'a 1 1' 'b 1 2'
for set in 2 3 4 5 6 7 8 9 10; do
	printf 'a\t%s\t.1\nb\t%s\t.2\n' $set $set >>results
done
draw_ranks
about x.svg "mean ranks of 2 methods on 10 sets; Friedman chi-square 10, p = 0.0016; \
critical difference (Nemenyi, 0.05) 0.62; all differ"
# In a picture 280 units wide a text of 36 letters has to begin within the first 40.
draw ranks --size 160pt,112pt
sed -n 's/.*translate(\([0-9.]*\),.*/\1/p; s:.*<text>\(critical .*\)</text>:\1:p' x.svg |
	awk '/^critical/ { seen = x < 40 } { x = $0 } END { exit !seen }'
ok $? 'the critical difference is within the picture'
# Means of repetitions; a set without a method, and one without its error.
printf 'a\t1\t3.5\nb\t1\t-3\na\t11\tNA\nb\t11\t9\na\t12\t1\n' >>results
draw_ranks --na omit
about x.svg "mean ranks of 2 methods on 10 sets, 2 left out; Friedman chi-square 6.4, \
p = 0.011; critical difference (Nemenyi, 0.05) 0.62; all differ"
write results 'method set error' 'a 1 1' 'b 1 1' 'c 1 1' 'a 2 2' 'b 2 2' 'c 2 2'
draw_ranks
about x.svg "mean ranks of 3 methods on 2 sets; Friedman chi-square 0, p = 1; \
critical difference (Nemenyi, 0.05) 2.34; no difference: 3 from a to c"
said x.svg 'critical difference 2.34 (alpha .05), wider than the axis'
# Ranks are in turn 1 2 3 4 5, 1.5 1.5 3.5 3.5 5 and 1 2.5 2.5 4.5 4.5, their means 7/6,
# 2, 3, 4 and 29/6, so chi-square is 12 12 / 30 (2 (11/6)^2 + 2) = 41.87, divided by
# 1 - 8 2 6 / (12 120) for the ties: 44.86.
awk 'BEGIN {
	for (s = 1; s <= 12; s++) {
		printf "s%d", s
		for (m = 1; m <= 5; m++)
			printf " %s", m + (s % 3 - 1) * (m % 2)
		print ""
	}
}' | columns rmse a b c d e
draw_ranks
about x.svg "mean ranks of 5 methods on 12 sets; Friedman chi-square 44.86, p &lt; 0.001; \
critical difference (Nemenyi, 0.05) 1.76; no difference: 2 from a to b; 2 from b to c; \
2 from c to d; 2 from d to e"
awk 'BEGIN {
	print "method\tset\terror"
	for (m = 1; m <= 100; m++) print m "\t1\t1\n" m "\t2\t" m
}' >results
draw_ranks
# The critical values of Nemenyi for 10 and 100 methods are 3.164 and 4.302.
has x.svg 'critical difference (Nemenyi, 0.05) 125'
printf '101\t1\t1\n101\t2\t1\n' >>results
tabscore --ranks results >t
run 65 kith-plot ranks -o y.svg t
err "kith-plot: t: more than 100 methods$nl"

# What kith's commands print is drawn.
cp "$data/iris.csv" "$data/wine.csv" .
sqpfw --path iris.csv 2>log | kith-plot path -o x.svg
has x.svg 'weights of 4 features against theta, from standard input'
knife --grid 5 iris.csv 2>log | kith-plot path -o x.svg
picture x.svg
awk -F , 'NR == 1 || $5 != "setosa"' iris.csv >two.csv
wsvmpath --from .1 --to 1 --print coef two.csv 2>log | kith-plot path -o x.svg
has x.svg 'rows against theta'
wsvmpath two.csv 2>log | kith-plot error -o x.svg
has x.svg 'error against C; best: C '
relief iris.csv >r.tsv 2>log
immigrate iris.csv >i.tsv 2>log
run 0 kith-plot weights -o x.svg r.tsv i.tsv
has x.svg 'from 2 tables'
kith-plot heatmap -o x.svg i.tsv
has x.svg 'weights of pairs of 4 features'
knnclf --loo -k 1,3 iris.csv 2>log | kith-plot error -o x.svg
has x.svg 'error against k; best: k '
knnclf -t iris.csv iris.csv 2>log | kith-plot confusion -o x.svg
has x.svg 'confusion of 3 classes'
nnkgraph -y class iris.csv 2>log | kith-plot graph --nodes iris.csv -x 3,4 -o x.svg 2>log
has x.svg '150 points and '
done_testing
