#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Mean ranks of methods, the test of Friedman and the critical difference.
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"

need_gnuplot

# draw OPTION...: the table t as x.svg, whose description goes to about.
draw() {
	run 0 kith-plot-ranks "$@" -o x.svg t
	err ''
	picture x.svg
	sed -n 's:.*<desc>kith-plot-ranks\: \(.*\), from t</desc>.*:\1:p' x.svg >about
}
# columns NAME METHOD... < sets with the values of the methods, as a table t.
columns() {
	columns_name=$1
	shift
	awk -v OFS='\t' -v name="$columns_name" -v methods="$*" '
		BEGIN { n = split(methods, m, " "); print "method", "set", name }
		{ for (j = 1; j <= n; j++) print m[j], $1, $(j + 1) }' >t
}

# Demsar 2006, Table 6 and section 3.2.2: AUC of four variants of C4.5.  The mean
# ranks are 3.143, 2.000, 2.893 and 1.964, chi-square is 9.28, and CD 1.25 (2.569
# times the root of 4 5 / (6 14)).  Of voting, 0.975 and 0.974 have ranks 2 and 3.
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
draw
same about "mean ranks of 4 methods on 14 sets; Friedman chi-square 9.279, p = 0.026; \
critical difference (Nemenyi, 0.05) 1.25; no difference: 4 from C4.5+m+cf to C4.5$nl"
said x.svg 'C4.5 (3.14)'
said x.svg 'C4.5+m (2.00)'
said x.svg 'C4.5+cf (2.89)'
said x.svg 'C4.5+m+cf (1.96)'
said x.svg 'CD 1.25'
said x.svg '1 2 3 4'
cp x.svg due
# Errors of the same order, and columns and rows in any order.
awk '{ for (i = 2; i <= 5; i++) $i = 1 - $i; print }' auc |
	columns error C4.5 C4.5+m C4.5+cf C4.5+m+cf
draw
alike due x.svg
ok $? 'errors and accuracies draw the same'
awk -F '\t' -v OFS='\t' 'NR == 1 { print "note", $3, $2, $1; next }
	{ line[NR] = "x" OFS $3 OFS $2 OFS $1 }
	END { for (i = 2; i <= NR; i++) print line[i] }' t >turned
mv turned t
draw
alike due x.svg
ok $? 'columns are found by name'

# The hand case of two methods: ranks 1 and 2 on 10 sets, chi-square 10, p .0016; CD
# 1.96 times the root of 2 3 / (6 10) is .62.
table t 'method set error' 'a 1 1' 'b 1 2'
for set in 2 3 4 5 6 7 8 9 10; do
	printf 'a\t%s\t.1\nb\t%s\t.2\n' $set $set >>t
done
draw
same about "mean ranks of 2 methods on 10 sets; Friedman chi-square 10, p = 0.0016; \
critical difference (Nemenyi, 0.05) 0.62; all differ$nl"
# Means of repetitions; a set without a method, and one without its error.
printf 'a\t1\t3.5\nb\t1\t-3\nc\t11\t1\nc\t12\t1\n' >>t
run 65 kith-plot-ranks -o y.svg t
err "kith-plot-ranks: t: nothing to draw: 3 methods, 0 sets with all of them (two of each are needed)$nl"
sed -i '/^c/d' t
printf 'a\t11\tNA\nb\t11\t9\na\t12\t1\n' >>t
draw -t 'A & B'
same about "mean ranks of 2 methods on 10 sets, 2 left out; Friedman chi-square 6.4, \
p = 0.011; critical difference (Nemenyi, 0.05) 0.62; all differ$nl"
has x.svg '<title>A &amp; B: mean ranks of 2 methods'
# Nothing but ties, and a difference that no ranks can have.
table t 'method set error' 'a 1 1' 'b 1 1' 'c 1 1' 'a 2 2' 'b 2 2' 'c 2 2'
draw
same about "mean ranks of 3 methods on 2 sets; Friedman chi-square 0, p = 1; \
critical difference (Nemenyi, 0.05) 2.34; no difference: 3 from a to c$nl"
said x.svg 'CD 2.34 (wider than the axis)'
# Bars may overlap.
awk 'BEGIN {
	for (s = 1; s <= 12; s++) {
		printf "s%d", s
		for (m = 1; m <= 5; m++)
			printf " %s", m + (s % 3 - 1) * (m % 2)
		print ""
	}
}' | columns rmse a b c d e
draw
# By hand: ranks are in turn 1 2 3 4 5, 1.5 1.5 3.5 3.5 5 and 1 2.5 2.5 4.5 4.5, their
# means 7/6, 2, 3, 4 and 29/6, so chi-square is 12 12 / 30 (2 (11/6)^2 + 2) = 41.87.
same about "mean ranks of 5 methods on 12 sets; Friedman chi-square 41.87, p &lt; 0.001; \
critical difference (Nemenyi, 0.05) 1.76; no difference: 2 from a to b; 2 from b to c; \
2 from c to d; 2 from d to e$nl"

# computed PROGRAM: what these functions find.
computed() {
	awk "$(cat "$root/scripts/kith-plot.ranks.awk")
		function abs(x) { return x < 0 ? -x : x }
		BEGIN { tabulate(); $1 }" >got
}
# The critical values of Demsar 2006, Table 5 (a), whose third place is sometimes
# one off, and those for more methods.
for due in 2:1.960 3:2.344 4:2.569 5:2.728 6:2.850 7:2.948 8:3.031 9:3.102 10:3.164 \
	20:3.544 50:3.992 100:4.302; do
	computed "printf \"%.3f\", range_quantile(${due%:*}) / root(2)"
	same got "${due#*:}"
done
# Chi-square with 1, 2, 3 and 10 degrees of freedom, and far out.
for due in 1:3.841459 2:5.991465 3:7.814728 10:18.307038 1:10.827566 9:27.877165; do
	computed "printf \"%.7f\", chi_above(${due#*:}, ${due%:*})"
	case $due in
	1:1* | 9:*) same got 0.0010000 ;;
	*) same got 0.0500000 ;;
	esac
done

# How it fails.
table t 'method set error' 'a 1 x' 'b 1 2'
run 65 kith-plot-ranks -o y.svg t
err "kith-plot-ranks: t:2: column \"error\": not a number: 'x'$nl"
table t 'method set error' 'a 1 1' 'b 1 2'
run 65 kith-plot-ranks -o y.svg t
err "kith-plot-ranks: t: nothing to draw: 2 methods, 1 set with all of them (two of each are needed)$nl"
table t 'method set error' 'a 1 1' 'a 2 2'
run 65 kith-plot-ranks -o y.svg t
err "kith-plot-ranks: t: nothing to draw: 1 method, 2 sets with all of them (two of each are needed)$nl"
awk 'BEGIN {
	print "method\tset\terror"
	for (m = 1; m <= 101; m++) print m "\t1\t1\n" m "\t2\t" m
}' >t
run 65 kith-plot-ranks -o y.svg t
err "kith-plot-ranks: t: more than 100 methods$nl"
gone y.svg
grep -v '^101	' t >hundred
run 0 kith-plot-ranks -o x.svg hundred
picture x.svg

done_testing
