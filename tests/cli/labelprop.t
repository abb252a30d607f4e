#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# labelprop: what it prints, and how it fails.
. "${0%/*}/tap.sh"

# A path with labels at its ends, and a row that is joined to none.
printf 'a\tclass\n0\tx\n1\tNA\n2\t?\n3\ty\n9\tNA\n' >rows
printf 'from\tto\tweight\n1\t2\t1\n2\t3\t1\n3\t4\t1\n' >path
lone="labelprop: warning: 1 rows that no label reaches: NA (--unreached prior?)$nl"

run 0 labelprop --nodes rows path
table 'id predicted' '2 x' '3 y' '5 NA'
err "$lone"
run 0 labelprop --nodes rows -y class <path
table 'id predicted' '2 x' '3 y' '5 NA'
run 0 labelprop --nodes - path <rows
table 'id predicted' '2 x' '3 y' '5 NA'
run 0 labelprop --nodes rows --scores --all path
tabs 'id predicted actual score:x score:y' '1 x x 1 0' \
	'2 x NA 0.6666666666666666 0.3333333333333333' \
	'3 y NA 0.3333333333333333 0.6666666666666666' \
	'4 y y 0 1' '5 NA NA NA NA' >due
cmp -s stdout due
ok $? 'scores of a path, harmonic'
run 0 labelprop --nodes rows --unreached prior --scores path
err "labelprop: warning: 1 rows that no label reaches: the commonest class$nl"
[ "$(tail -n 1 stdout)" = "$(tabs '5 x 0.5 0.5')" ]
ok $? 'the commonest class, the first of two'
run 0 labelprop -q --nodes rows --method normalized --scores path
awk -F '\t' 'NR > 1 && NR < 4 { print $3, $4 }' stdout >got
awk 'BEGIN { r = sqrt(2); print 2 * r / 3, r / 3; print r / 3, 2 * r / 3 }' >due
tr ' ' '\t' <got >got.tsv
tr ' ' '\t' <due >due.tsv
near got.tsv due.tsv 1e-5 'scores of a path, normalized'
run 0 labelprop -q --nodes rows --method poisson --scores --all path
table 'id predicted actual score:x score:y' '1 x x 0.75 -0.75' \
	'2 x NA 0.25 -0.25' '3 y NA -0.25 0.25' '4 y y -0.75 0.75' '5 NA NA NA NA'

# (I - a S) F = (1 - a) Y of two rows with one edge.
printf 'class\tid\np\tu\nNA\tv\n"NA"\tw\n' >named
printf 'from\tto\tweight\nu\tv\t3\n' >pair
run 0 labelprop -q --nodes named -y class --id id --method spread --alpha .5 --scores \
	--all pair
awk -F '\t' 'NR == 2 || NR == 3 { print $1, $2, $5 }' stdout >got
printf 'u p 0.6666666666666666\nv p 0.3333333333333333\n' >due
awk '{ printf "%s %s %.9f\n", $1, $2, $3 }' got >got9
awk '{ printf "%s %s %.9f\n", $1, $2, $3 }' due >due9
cmp -s got9 due9
ok $? 'scores of a pair, spread, and ids'
[ "$(tail -n 1 stdout)" = "$(tabs 'w "NA" "NA" 0.5 0')" ]
ok $? 'a class that is called NA, in a row without an edge'

# Numbers.
printf 'a\tv\n0\t1\n1\tNA\n2\tNA\n3\t4\n9\tNA\n' >numbers
run 0 labelprop --nodes numbers --task regress path
table 'id predicted' '2 2' '3 3' '5 NA'
run 0 labelprop --nodes numbers --task regress --all --unreached prior path
table 'id predicted actual' '1 1 1' '2 2 NA' '3 3 NA' '4 4 4' '5 2.5 NA'
err "labelprop: warning: 1 rows that no label reaches: the mean of the labels$nl"
printf 'v\n-1.5e308\nNA\n1.5e308\n' >far
printf 'from\tto\tweight\n1\t2\t1\n2\t3\t1\n' >two
run 0 labelprop --nodes far --task regress two
table 'id predicted' '2 0'
run 0 labelprop -q --nodes numbers --task regress --method spread path
awk 'NR == 2 { a = $2 } NR == 3 { b = $2 } END { exit !(a + b > 4.99 && a + b < 5.01 && a < b) }' stdout
ok $? 'numbers by spread are means'
run 0 labelprop -q --nodes numbers --task regress path -o claim
run 0 labelprop -q --nodes numbers --task regress --check claim path
verdict 'yes yes yes'
sed 's/2$/2.1/' claim >other
run 1 labelprop -q --nodes numbers --task regress --check other path
verdict 'no yes no'

# Measuring: a share of each class is known, and one row at least.
tabs class x x x x x x x x x x y y y >many
awk 'BEGIN { print "from\tto\tweight"; for (i = 1; i < 13; i++) print i "\t" i + 1 "\t1" }' >chain
run 0 labelprop --nodes many --reveal .2 chain
awk -F '\t' 'NR > 1 { n++; a[$3]++ } END { exit !(n == 10 && a["x"] == 8 && a["y"] == 2) }' stdout
ok $? 'a fifth of ten, and one of three, are known'
cp stdout first
run 0 labelprop --nodes many --reveal .2 --seed 1 chain
cmp -s stdout first
ok $? 'the seed is 1'
changed=1
for seed in 2 3 4 5; do
	labelprop --nodes many --reveal .2 --seed $seed chain | cmp -s - first || changed=0
done
ok $changed 'other seeds choose others'
run 0 sh -c 'labelprop --nodes many --reveal .2 chain | tabscore'

# What is judged.
for method in harmonic normalized spread poisson; do
	run 0 labelprop -q --nodes rows --method $method --scores --all -o claim path
	run 0 labelprop -q --nodes rows --method $method --check claim path
	case $method in
	poisson) verdict 'yes yes yes yes' ;;
	*) verdict 'yes yes yes' ;;
	esac
	sed "3s/${tab}x${tab}/${tab}y${tab}/" claim >swapped
	run 1 labelprop -q --nodes rows --method $method --check swapped path
done
run 0 labelprop -q --nodes rows --scores -o claim path
run 0 labelprop -q --nodes rows --check claim path
table 'check value limit ok' 'residual 2.7755575615628914e-17 1e-12 yes' \
	'maximum 0 1e-12 yes' 'undecided 0 0 yes'
sed 's/0.66/0.67/' claim >other
run 1 labelprop -q --nodes rows --check other path
verdict 'no yes yes'
sed 's/0.6666666666666666/1.1/' claim >other
run 1 labelprop -q --nodes rows --check other path
verdict 'no no yes'
refuse 'claim: no row of id '"'1'"' (--all?)' -q --nodes rows --method spread --check claim path
sed '3d' claim >other
refuse "other: no row of id '3'" --nodes rows --check other path
sed 's/^3/2/' claim >other
refuse "other:3: column \"id\": listed twice: '2'" --nodes rows --check other path
sed 's/^3/7/' claim >other
refuse "other:3: column \"id\": not the number of a row: '7'" --nodes rows --check other path
run 0 labelprop -q --nodes rows -o other path
refuse 'other:1: column "score:x": not found' --nodes rows --check other path
tabs 'id class' '1 x' >other
refuse 'other:1: column "predicted": not found' --nodes rows --check other path
sed "3s/${tab}y${tab}/${tab}z${tab}/" claim >other
refuse "other:3: column \"predicted\": not a class of the labels: 'z'" --nodes rows --check other path
sed '3s/[^	]*$/u/' claim >other
refuse "other:3: column \"score:y\": not a number: 'u'" --nodes rows --check other path
tabs 'id predicted' '1 u' >other
refuse "other:2: column \"predicted\": not a number: 'u'" --nodes numbers --task regress --check other path

# A tie goes to the first class, and is no doubt.
printf 'class\nb\nNA\na\n' >tie
logged 0 labelprop --nodes tie two
table 'id predicted' '2 a'
grep -q "^tied${tab}1$" log
ok $? 'a tie is counted in the log'
run 0 labelprop --nodes tie --scores -o claim two
run 0 labelprop --nodes tie --check claim two
verdict 'yes yes NA'

# Weights 600 orders apart, in one component; and a few hundred rows.
awk 'BEGIN { print "class"
	for (i = 0; i < 400; i++) print i % 57 ? "NA" : substr("abc", i % 3 + 1, 1) }' >deep
awk 'BEGIN { s = 7; print "from\tto\tweight"
	for (i = 2; i <= 400; i++)
		for (k = 1; k < 4 && k < i; k++) {
			s = (s * 16807) % 2147483647
			printf "%d\t%d\t1e%d\n", i - k, i, s % 601 - 300
		} }' >wild
awk 'NR == 1 { print; next } { sub(/1e/, "", $3); print $1, $2, "1e" int($3 / 15) }' \
	OFS='\t' wild >rough
for graph in wild rough; do
	for method in harmonic normalized; do
		# It takes seconds, as the one before.
		[ "${KITH_LONG:-}" ] || [ $graph$method != roughnormalized ] ||
			continue
		run 0 labelprop --nodes deep --method $method --scores -o claim $graph
		run 0 labelprop --nodes deep --method $method --check claim $graph
		verdict 'yes yes yes'
	done
done

# The same bytes by any number of threads, with each solver.
awk 'BEGIN { s = 3; print "x\ty\tclass"
	for (i = 0; i < 3000; i++) {
		s = (s * 16807) % 2147483647; x = s % 10000 / 10000
		s = (s * 16807) % 2147483647; y = s % 10000 / 10000
		print x "\t" y "\t" (x > y) + 2 * (x + y > 1)
	} }' >square
nnkgraph -y class -k 8 square >mesh
for method in harmonic normalized spread poisson; do
	run 0 labelprop --nodes square --method $method --reveal .05 --scores -o one mesh
	for j in 2 3; do
		labelprop --nodes square --method $method --reveal .05 --scores -j $j mesh |
			cmp -s - one
		ok $? "$method: the same bytes with -j $j"
	done
done
run 0 labelprop --nodes square --reveal .05 --all --scores -o claim mesh
run 0 labelprop --nodes square --reveal .05 --check claim -j 3 mesh
verdict 'yes yes yes'

# Graphs of other tables, and directed ones.
refuse_file 'from\tto\tweight\n1\t6\t1\n' ":2: column \"to\": not the number of a row: '6'" --nodes rows
refuse_file 'from\tto\tweight\n1\t2\t-1\n' ":2: column \"weight\": negative: '-1'" --nodes rows
refuse_file 'from\tto\tweight\n1\t2\tNA\n' ":2: column \"weight\": missing: 'NA'" --nodes rows
refuse_file 'from\tto\n1\t2\n' ':1: no edges (from, to, weight): column "weight": not found' --nodes rows
refuse_file 'from\tto\tweight\n1\t2\t1\n2\t1\t2\n' ":3: edge between '1' and '2': two weights (nnkgraph --symmetrize?)" --nodes rows
refuse_file 'from\tto\tweight\n1\t2\t1\n2\t1\t1\n2\t3\t1\n' ":4: edge between '2' and '3': listed in one direction, others in both (nnkgraph --symmetrize?)" --nodes rows
refuse_file 'from\tto\tweight\n1\t2\t1\n1\t2\t1\n' ":3: edge between '1' and '2': listed twice" --nodes rows
printf 'from\tto\tweight\nu\tz\t1\n' >bad
refuse "bad:2: column \"to\": no row has this id: 'z'" --nodes named --id id -y class bad

# Labels that are none, one, or all.
printf 'class\nNA\nNA\n' >none
refuse 'none: column "class": missing in all rows' --nodes none path
printf 'class\nx\nNA\n' >one
printf 'from\tto\tweight\n1\t2\t1\n' >pair
run 0 labelprop --nodes one pair
table 'id predicted' '2 x'
err "labelprop: warning: one class only: 'x'$nl"
printf 'class\nx\ny\n' >full
run 0 labelprop --nodes full pair
table 'id predicted'
err "labelprop: warning: all rows have a label: nothing to predict (--all, --reveal?)$nl"
printf 'from\tto\tweight\n' >empty
run 0 labelprop -q --nodes rows empty
table 'id predicted' '2 NA' '3 NA' '5 NA'
printf 'from\tto\tweight\n1\t2\t0\n' >zero
run 0 labelprop -q --nodes one zero
table 'id predicted' '2 NA'
refuse 'rows:1: column "b": not found' --nodes rows -y b path
run 2 labelprop --nodes rows -y none path
grep -q '^labelprop: -y none: a target is needed here$' stderr
ok $? 'a target is needed'
labelprop -q --nodes rows --scores --all path >claim
run 74 labelprop -q --nodes rows --check claim -o /nowhere/at/all path
err "labelprop: /nowhere/at/all: No such file or directory$nl"
refuse_file 'id\tclass\nu\tx\nu\ty\n' ": column \"id\": listed twice: 'u'" path --id id --nodes
refuse_file 'v\n1\nx\n' ":3: column \"v\": not a number: 'x'" path --task regress --nodes

# Wrong calls, and options that are idle.
misuse 'missing --nodes FILE (the rows that the edges join)' path
misuse '--method poisson predicts classes' --nodes rows --task regress --method poisson path
misuse '--check of numbers needs --method harmonic' --nodes numbers --task regress --method spread --check x path
misuse "bad --reveal: '0' (a number above 0 to 1)" --nodes rows --reveal 0 path
misuse 'standard input named twice (give the rows as operand FILE)' --nodes -
misuse 'column "class": target and id of rows' --nodes rows --id class path
run 0 labelprop --nodes rows --method poisson --alpha .5 --seed 3 path
err "labelprop: warning: --alpha is not used with --method poisson
labelprop: warning: --seed is not used without --reveal
$lone"
run 0 labelprop --nodes numbers --task regress --scores path
err "labelprop: warning: --scores is not used with --task regress
$lone"
run 66 labelprop --nodes rows nothing
run 66 labelprop --nodes nothing path

# The graph of another table, which has fewer rows.
nnkgraph -q -y class -k 5 "$data/iris.csv" >iris.edges
awk -F , 'NR > 1 && NR % 3 == 0 { sub(/,[^,]*$/, ",") } 1' "$data/wine.csv" >wine
run 0 labelprop --nodes wine iris.edges
grep -q "^labelprop: warning: [1-9][0-9]* rows with a label have no edge" stderr
ok $? 'labels without an edge are told'

# poisson on a grid: rounding of all equations adds up in the one that is left out, whose residual is
# the sum of the others.
awk 'BEGIN {
	print "from\tto\tweight"
	for (i = 1; i <= 22500; i++) {
		if (i % 150 > 0)
			print i "\t" i + 1 "\t1"
		if (i + 150 <= 22500)
			print i "\t" i + 150 "\t1"
	}
}' >grid
awk 'BEGIN { print "class"; for (i = 1; i <= 22500; i++) print i % 997 == 1 ? i % 2 : "NA" }' >marks
run 0 labelprop -v --nodes marks --method poisson --all --scores -o claim grid
awk '$1 == "residual" && $2 < 1e-13 { small = 1 } END { exit !small }' stderr
ok $? 'the equation of the grounded row holds as the others do'
run 0 labelprop -q --nodes marks --method poisson --check claim grid

# poisson across a weak edge: what flows to and fro is large next to the scores, and cancels before.
printf 'class\na\nb\nNA\nNA\nNA\nNA\nNA\n' >weak
printf 'from\tto\tweight\n1\t2\t.37\n2\t3\t.31\n3\t4\t.7\n1\t4\t.13\n4\t5\t1e-11\n5\t6\t9\n6\t7\t.3\n' >bridge
run 0 labelprop -q --nodes weak --method poisson --all --scores -o claim bridge
run 0 labelprop -q --nodes weak --method poisson --check claim bridge

# Scores beyond the range of numbers: spread to rows 5 and 6 is 1e-350, and poisson 1e310.
printf 'class\na\nb\nNA\nNA\nNA\nNA\n' >six
printf 'from\tto\tweight\n1\t2\t1e-100\n2\t3\t1e-300\n3\t4\t1e-100\n4\t5\t1e-250\n5\t6\t1e-100\n' >far
run 1 labelprop --nodes six --method spread --all --scores -o claim far
err "labelprop: warning: 2 rows whose class is not decided: two scores differ by less than their errors$nl"
run 1 labelprop --nodes six --method spread --check claim far
printf 'from\tto\tweight\n1\t2\t1e-310\n2\t3\t1e-310\n3\t4\t1e-310\n' >faint
run 65 labelprop --nodes six --method poisson --all --scores faint
err "labelprop: weights are too small: a score of poisson is too large for a number$nl"

# Made graphs (tests/gen/graphs.c): what was certified passes --check.
# shellcheck disable=SC2086 # options are words
for seed in $(seq 1 "$([ "${KITH_LONG:-}" ] && echo 2000 || echo 8)"); do
	options=$("$KITH_BUILD/gen/graphs" "$seed" table edges | sed -n 1p)
	labelprop -q --nodes table $options --all --scores -o claim edges
	run $? labelprop -q --nodes table $options --check claim edges
done

done_testing
