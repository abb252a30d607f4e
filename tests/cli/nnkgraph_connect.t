#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# nnkgraph --connect: the shortest edges that make one component.
. "${0%/*}/tap.sh"

# Three groups on a line; 2 and 12, and 12 and 22, are as far apart.
printf 'x\n0\n1\n2\n12\n13\n22\n23\n' >line
run 0 nnkgraph -k 1 --sigma 4 --symmetrize max --distance line
mv stdout apart
run 0 nnkgraph -k 1 --sigma 4 --symmetrize max --distance --connect -v line
grep -q '^nnkgraph: 2 edges connect it, the longest of length 10$' stderr
ok $? 'how many, and how long'
awk 'NR > 1 && $4 > 5 { printf "%s %s %.12g %s\n", $1, $2, $3, $4 }' stdout >long
awk 'BEGIN { printf "3 4 %.12g 10\n5 6 %.12g 9\n", exp(-100 / 32), exp(-81 / 32) }' |
	cmp -s - long
ok $? 'the shortest edges, of the weight of their kernel'
awk 'NR == 1 || $4 < 5' stdout | cmp -s - apart
ok $? 'the other edges stay'
run 0 nnkgraph -k 6 --connect line
mv stdout whole
nnkgraph -k 6 line | cmp -s - whole
ok $? 'what is one component stays as it is'

# Ties go to the first rows: four pairs at distance 1 join two of two.
printf 'x,y\n0,0\n0,0\n1,0\n1,0\n0,1\n' >square
printf 'from\tto\n1\t2\n3\t4\n' >pairs
run 0 nnkgraph --method knn --candidates pairs --sigma 1 --distance --connect square
table 'from to weight distance' '1 2 1 0' '1 3 0.6065306597126334 1' \
	'1 5 0.6065306597126334 1' '3 4 1 0'

# A kernel of 0, and one that is negative.
run 0 nnkgraph -k 1 --sigma .1 --symmetrize max --connect line
grep -q "^3${tab}4${tab}5e-324$" stdout
ok $? 'the least positive number'
err "nnkgraph: warning: 2 edges of --connect have the kernel 0: their weight is the least positive number (a larger --sigma?)$nl"
printf 'x\n-2\n-1\n1\n2\n' >signs
run 0 nnkgraph --method knn -k 1 --kernel linear --connect -q signs
table 'from to weight' '1 2 2' '2 3 5e-324' '3 4 2'

# Local bandwidths: the larger kernel of the two rows.
printf 'x\n0\n1\n10\n13\n' >ends
run 0 nnkgraph --method knn -k 1 --sigma local --connect ends
awk '$1 == 2 && $2 == 3 { printf "%.12g\n", $3 }' stdout >got
awk 'BEGIN { printf "%.12g\n", exp(-81 / 2) }' | cmp -s - got
ok $? 'of the row with the larger bandwidth'

# Duplicates, any threads; shards merged are the whole.
awk "$uniform"'BEGIN { seed_uniform(5); print "a,b,c"; for (i = 0; i < 300; i++)
	printf "%d,%d,%d\n", 6 * uniform(), 5 * uniform(), 4 * uniform() }' >grid
for how in '--method nnk' '--method knn' '--method radius --radius 1' \
	'--method mp' '--method omp' '--kernel cosine' '--kernel linear' \
	'--sigma median' '--sigma local' '--symmetrize error' \
	'--symmetrize paper' '--symmetrize min' '--symmetrize mean'; do
	set -- -q -k 4
	# a cosine has no row of zeros
	case $how in *cosine*) sed /0,0,0/d grid >rows ;; *) cp grid rows ;; esac
	n=$(($(wc -l <rows) - 1))
	# shellcheck disable=SC2086
	{
		nnkgraph "$@" $how --connect --distance --errors rows >whole
		nnkgraph "$@" $how --connect --distance --errors -j 3 rows
	} | cmp -s - whole
	ok $? "-j 3 gives the same bytes, $how"
	for i in 1 2 3; do
		# shellcheck disable=SC2086
		nnkgraph "$@" $how --symmetrize none --shard $i/3 --full \
			--distance rows >shard.$i
	done
	# shellcheck disable=SC2086
	nnkgraph "$@" --merge --rows "$n" -t rows $how --connect --distance \
		--errors shard.? 2>/dev/null | cmp -s - whole
	ok $? "merged shards are the whole, $how"
	awk 'NR > 1 { for (i = 1; i <= 2; i++) if (!($i in at)) at[$i] = $i
		a = $1; while (at[a] != a) a = at[a]
		b = $2; while (at[b] != b) b = at[b]
		at[b] = a }
		END { for (i in at) if (at[i] == i) roots++; exit roots != 1 }' whole
	ok $? "it is one component, $how"
done
{
	cat grid
	echo 'NA,1,1'
	echo '90,90,90'
} >holes
nnkgraph -q -k 4 --na omit --connect holes >whole
nnkgraph -q -k 4 --na omit --full --symmetrize none holes >lists
nnkgraph -q -k 4 --na omit --merge --rows 302 -t holes --connect lists |
	cmp -s - whole
ok $? 'rows that are left out are not connected'

# Wrong calls and bad data.
misuse '--connect and --shard exclude each other (--merge --connect?)' \
	--connect --shard 1/2 line
misuse '--connect and --check exclude each other' --connect --check a line
misuse '--merge --connect needs the rows (-t FILE)' --merge --rows 7 --connect a
misuse '--connect and -t exclude each other' --connect -t line line
misuse '--connect and --symmetrize none exclude each other' \
	--connect --symmetrize none line
for method in lle lle-gram smooth aew; do
	misuse '--connect needs --method nnk, knn, radius, mp or omp: its weights are kernels' \
		--connect --method $method line
done
misuse '--connect and --pairs exclude each other: it needs the rows' \
	--connect --candidates pairs --pairs distance line
misuse '--merge and -t exclude each other' --merge --rows 7 -t line a
printf 'from\tto\tweight\terror\n1\t2\t1\t0\n' >edges
refuse 'line: 7 rows, where --rows says 8' --merge --rows 8 -t line --connect edges
printf 'feature1\tfeature2\tweight_abs\nx\tx\t1\nx\ty\t-1\ny\ty\t.1\n' >minus
refuse 'the weights make a distance below 0' --method knn -k 1 -w minus \
	--connect --sigma 1 square
run 0 nnkgraph --merge --rows 7 -t line -k 1 --radius 3 --connect edges
grep -q 'warning: --radius is not used with --method nnk\|warning: --radius is not used with --merge' stderr
ok $? 'what is not used'

# One row has no edge by any method.
printf 'a\tb\n1\t2\n' >one
for method in nnk knn mp omp lle lle-gram lle-signed smooth aew; do
	run 0 nnkgraph --method $method one
	out "from$(printf '\t')to$(printf '\t')weight$nl"
done
for pool in knn all; do
	run 0 nnkgraph --method omp --pool $pool --kernel linear --errors one
	out "$(printf 'from\tto\tweight\terror')$nl"
done

done_testing
