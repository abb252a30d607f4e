#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# nnkgraph --pairs: rows that are known by distances or similarities alone.
. "${0%/*}/tap.sh"

tabscale -y class <"$data/iris.csv" >rows.tsv
cut -f 5 rows.tsv >bare.tsv
all='-q -y class -k 149 --method knn --symmetrize none --min-weight 0'
# shellcheck disable=SC2086 # words
{
	nnkgraph $all --sigma 100 --distance rows.tsv | cut -f 1,2,4 >distances
	nnkgraph $all --kernel cosine rows.tsv | sed '1s/weight/similarity/' >similar
}
# The same by half, in the order of nothing, a column more.
awk -v OFS='\t' 'NR == 1 || $1 < $2 { print $2, $3, $1, NR }' distances >tidy
{
	sed 1q tidy
	sed 1d tidy | sort -k 4,4nr
} >half

# as_before OPTION...: with distances and with rows the same graph.
as_before() {
	run 0 nnkgraph -q -y class "$@" rows.tsv
	cp stdout due
	run 0 nnkgraph -q --candidates distances --pairs distance "$@" bare.tsv
	near stdout due 1e-12 "--pairs distance $*: the graph of the rows"
}
as_before
as_before --symmetrize none --errors --distance
as_before --method knn -k 7
as_before --eta .1 -k 10
as_before --sigma local -k 5 --full --symmetrize none
as_before --sigma median --errors
as_before --symmetrize none --shard 2/3 -k 9
for j in 2 3; do
	nnkgraph -j $j --candidates distances --pairs distance bare.tsv >got
	nnkgraph --candidates distances --pairs distance bare.tsv | cmp -s - got
	ok $? "$j threads"
done
for k in 3 4; do
	run 0 nnkgraph -y class --kernel cosine -k $k --symmetrize none --errors rows.tsv
	cp stdout due
	run 0 nnkgraph --candidates similar --pairs similarity -k $k \
		--symmetrize none --errors bare.tsv
	near stdout due 1e-12 "--pairs similarity -k $k: the graph of the rows"
done
nnkgraph --candidates distances --pairs distance bare.tsv >due
run 0 nnkgraph --candidates half --pairs distance bare.tsv
cmp -s stdout due
ok $? 'a pair counts both ways'
awk 'NR == 1 { print "name\tclass"; next } { print "r" NR - 1 "\t" $1 }' bare.tsv >named
awk -F '\t' -v OFS='\t' 'NR > 1 { $1 = "r" $1; $2 = "r" $2 } 1' distances >by_name
run 0 nnkgraph --id name --candidates by_name --pairs distance named
awk -F '\t' -v OFS='\t' 'NR > 1 { $1 = "r" $1; $2 = "r" $2 } 1' due | cmp -s - stdout
ok $? 'rows by names, beside text'

# By hand: K_22 = 1, K_11 = 2, K_12 = 1/2.
printf 'x\n0\n0\n' >two
printf 'from\tto\tsimilarity\n1\t1\t2\n2\t2\t1\n1\t2\t.5\n' >known
run 0 nnkgraph --candidates known --pairs similarity --symmetrize none --errors two
awk 'NR > 1 { printf "%s %s %.12g %.12g;", $1, $2, $3, $4 }' stdout >got
same got '1 2 0.5 0.875;2 1 0.25 0.4375;'
printf 'from\tto\tsimilarity\n1\t2\t-.5\n' >known
run 0 nnkgraph --candidates known --pairs similarity --symmetrize none --errors \
	--full two
table 'from to weight error' '1 2 0 0.5' '2 1 0 0.5'
printf 'from\tto\tdistance\n1\t2\t0\n1\t1\t0\n' >known
run 0 nnkgraph --candidates known --pairs distance --distance two
table 'from to weight distance' '1 2 1 0'
err 'nnkgraph: warning: the distances to the k-th neighbour are all 0: sigma is 1
'
for e in 149 -149; do
	printf 'from\tto\tdistance\n1\t2\t1e%s\n' $e >known
	run 0 nnkgraph --candidates known --pairs distance --sigma 1e$e two
	table 'from to weight' '1 2 0.6065306597126334'
	printf 'from\tto\tsimilarity\n1\t2\t1e%s\n1\t1\t1e%s\n2\t2\t2e%s\n' $e $e $e >known
	run 0 nnkgraph --candidates known --pairs similarity --symmetrize max two
	tabs 'from to weight' '1 2 1' >due
	near stdout due 1e-15
done
for pairs in distance similarity; do
	printf 'from\tto\t%s\n1\t2\t1e151\n' $pairs >known
	run 65 nnkgraph -q --candidates known --pairs $pairs --sigma 1 two
	err "nnkgraph: known: from '1' to '2': a value beyond 1e150$nl"
done
printf 'from\tto\tdistance\n' >known
run 0 nnkgraph --candidates known --pairs distance two
table 'from to weight'

# No kernel: the candidates 2, 3, 4 of row 1.
printf 'x\n0\n0\n0\n0\n' >four
tabs 'from to similarity' '1 2 .1' '1 3 .2' '1 4 .3' '2 3 .9' '3 4 .9' '2 4 -.9' >odd
run 1 nnkgraph --candidates odd --pairs similarity --symmetrize none four
err "nnkgraph: warning: 1 rows whose candidates have no kernel (their similarities are not positive semidefinite), the first is '1': weights may not be the best
"
[ "$(wc -l <stdout)" -gt 4 ]
ok $? 'edges are printed all the same'
# In any unit, with those of rows with themselves.
for unit in 1e-30 1 1e30; do
	awk -v unit=$unit 'BEGIN {
		print "from\tto\tsimilarity"
		split("1 .9 .9 .1 .9 1 .1 .9 .9 .1 1 .9 .1 .9 .9 1", K, " ")
		for (i = 0; i < 16; i++)
			printf "%d\t%d\t%.3g\n", i / 4 + 1, i % 4 + 1, K[i + 1] * unit
	}' >units
	run 1 nnkgraph --candidates units --pairs similarity --symmetrize none four
	grep -q 'warning: 4 rows whose candidates have no kernel' stderr
	ok $? "similarities about $unit"
done
run 0 nnkgraph --candidates odd --pairs similarity --method knn four
awk -v OFS='\t' 'BEGIN {
		print "from", "to", "similarity"
		for (i = 1; i <= 150; i++)
			for (j = 1; j < i; j++)
				print i, j, sin(i * 37 + j * 91)
	}' >wild
run 1 nnkgraph --candidates wild --pairs similarity -k 20 bare.tsv
[ "$(wc -l <stderr)" -eq 1 ]
ok $? 'one warning for many rows'

# What is missing, and what does not agree.
awk 'NR == 1 || !($1 == 5 && $2 == 40 || $1 == 40 && $2 == 5)' distances >hole
refuse "hole: no distance of '40' and '5', which row '1' needs" \
	--candidates hole --pairs distance -k 149 -j 2 bare.tsv
run 0 nnkgraph --candidates hole --pairs distance -k 149 --method knn \
	--symmetrize max bare.tsv
printf 'from\tto\tsimilarity\n1\t1\t2\n1\t2\t.5\n' >known
refuse "known: no similarity of '2' with itself, though others have one" \
	--candidates known --pairs similarity two
printf 'from\tto\tsimilarity\n1\t2\t.5\n2\t1\t.6\n' >known
refuse "known: from '1' to '2': another value than the way back" \
	--candidates known --pairs similarity two
printf 'from\tto\tdistance\n1\t1\t.5\n' >known
refuse "known: from '1' to '1': the distance of a row from itself is not 0" \
	--candidates known --pairs distance two
printf 'from\tto\tsimilarity\n1\t1\t-.5\n' >known
refuse "known: from '1' to '1': the similarity of a row with itself is below 0" \
	--candidates known --pairs similarity two
printf 'from\tto\tdistance\n1\t2\t-1\n' >known
refuse "known:2: column \"distance\": negative: '-1'" \
	--candidates known --pairs distance two
refuse 'known:1: column "similarity": not found' \
	--candidates known --pairs similarity two
printf 'from\tto\tdistance\n1\t3\t1\n' >known
refuse "known:2: column \"to\": not the number of a row: '3'" \
	--candidates known --pairs distance two

# To the rows of a reference.
printf 'from\tto\tdistance\n1\t1\t0\n1\t2\t1\n2\t2\t2\n' >known
run 0 nnkgraph -t two --candidates known --pairs distance --method knn \
	--sigma 1 -k 5 two
table 'from to weight' '1 1 1' '1 2 0.6065306597126334' '2 2 0.1353352832366127'

misuse '--pairs needs --candidates FILE' --pairs distance two
misuse '--pairs is for --method nnk and knn: others need the rows' \
	--pairs distance --candidates known --method lle two
misuse '--check and --pairs exclude each other' \
	--pairs distance --candidates known --check known two
misuse '--pairs similarity gives no --distance' \
	--pairs similarity --candidates known --distance two
misuse '--pairs distance gives the gaussian kernel alone' \
	--pairs distance --candidates known --kernel cosine two
misuse '--pairs with -t needs --method knn: nnk needs pairs of rows of the reference' \
	--pairs distance --candidates known -t two two
misuse '--pairs with -t gives no errors: --errors and --full need pairs of rows of the reference' \
	--pairs distance --candidates known --method knn --errors -t two two
misuse '--pairs with -t needs --sigma local or a number: a bandwidth is that of the reference' \
	--pairs distance --candidates known --method knn -t two two
run 0 nnkgraph --pairs similarity --candidates odd --method knn --kernel linear \
	--sigma 3 -x x --symmetrize max four
err 'nnkgraph: warning: --features is not used with --pairs
nnkgraph: warning: --kernel is not used with --pairs similarity
nnkgraph: warning: --sigma is not used with --pairs similarity
'

done_testing
