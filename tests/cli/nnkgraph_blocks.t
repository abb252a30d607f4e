#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# nnkgraph --reference-shard: blocks of the reference, and of the rows, merge to the
# graph of one run.
. "${0%/*}/tap.sh"
# shellcheck source=blocks.sh
. "$root/tests/cli/blocks.sh"
made_by='nnkgraph -q --symmetrize none'

# as_one ROWS MERGE OPTION...: merged with options MERGE, the same as one run with
# these and OPTION...
as_one() {
	rows=$1 merge=$2
	shift 2
	# shellcheck disable=SC2086 # options
	nnkgraph -q --merge --rows "$rows" $merge list.* >merged &&
		nnkgraph -q $merge "$@" >due && cmp merged due
}

awk "$uniform"'BEGIN {
	seed_uniform(5)
	print "a,b,c,d,class"
	for (i = 0; i < 83; i++)
		printf "%d,%d,%.1f,%.1f,%s\n", 3 * uniform(), 3 * uniform(), uniform(),
			4 * uniform(), uniform() < .5 ? "p" : "q"
}' >rows.csv
awk 'NR == 1 || NR % 3 == 0' rows.csv >ask.csv
bad=0
for grid in '1 1' '2 1' '5 3' '30 1'; do
	for how in '-k 6 --sigma .5' '-k 40 --kernel linear' '-k 5 --kernel cosine -x b,d'; do
		knn="--method knn $how -y class"
		[ "$how" != '-k 5 --kernel cosine -x b,d' ] ||
			awk -F , -v OFS=, 'NR > 1 { $2++; $4++ } 1' rows.csv >some.csv
		[ -s some.csv ] || cp rows.csv some.csv
		# shellcheck disable=SC2086 # numbers
		blocks $grid $knn some.csv || bad=1
		for rule in none max min mean; do
			# shellcheck disable=SC2086 # options
			as_one 83 "--method knn --symmetrize $rule --distance" $knn some.csv || {
				echo "# $grid: $how: $rule"
				bad=1
			}
		done
		rm some.csv
	done
done
ok $bad 'blocks of a reference: the same graph as in one run'
bad=0
for grid in '1 1' '4 2' '85 1'; do
	knn='--method radius --radius .9 --sigma 1 -y class'
	# shellcheck disable=SC2086 # numbers
	blocks $grid $knn -j 2 rows.csv || bad=1
	# shellcheck disable=SC2086 # options
	as_one 83 '--method radius --symmetrize max --distance' $knn rows.csv || bad=1
	# shellcheck disable=SC2086 # options
	as_one 83 '--method radius --symmetrize none --min-weight .9' $knn rows.csv || bad=1
	knn='--method knn -k 5 --sigma 1 -y class'
	# shellcheck disable=SC2086 # numbers
	blocks $grid $knn -t rows.csv ask.csv || bad=1
	# shellcheck disable=SC2086 # options
	as_one "$(grep -c '[pq]$' ask.csv)" '--method knn --symmetrize none --distance' \
		$knn -t rows.csv ask.csv 2>/dev/null || bad=1
done
ok $bad 'a radius, and edges to another table: the same'
tabs 'feature weight' 'a 2' 'd .5' >weights.tsv
sed '7s/^[^,]*/NA/; 40s/^[^,]*/NA/' rows.csv >holes.csv
bad=0
knn='--method knn -k 5 --sigma 1 -y class -w weights.tsv --na omit'
# shellcheck disable=SC2086 # options
blocks 4 3 $knn holes.csv || bad=1
# shellcheck disable=SC2086 # options
as_one 83 '--method knn --symmetrize mean' $knn holes.csv || bad=1
knn='--method knn -k 2 --sigma 1 -y class'
printf 'x,class\n0,p\n1,p\n2,p\n100,q\n101,q\n103,q\n' >parts.csv
# shellcheck disable=SC2086 # options
blocks 3 2 $knn parts.csv || bad=1
nnkgraph --merge --rows 6 --method knn --symmetrize max --connect -k 2 --sigma 1 \
	-y class -t parts.csv list.* >merged 2>/dev/null
# shellcheck disable=SC2086 # options
nnkgraph $knn --symmetrize max --connect parts.csv >due 2>/dev/null
cmp merged due || bad=1
ok $bad 'weights, missing cells, --connect: the same'

printf 'x,y\n0,0\n3,4\n0,1\n' >three
run 0 nnkgraph --method knn -k 1 --sigma 1 --symmetrize none --reference-shard 2/2 three
sed -n '/^# metric/!p' stdout >shown
same shown "# reference-shard${tab}2/2
# reference${tab}3
# rows${tab}2
# queries${tab}3
# k${tab}1
# self${tab}1
from${tab}to${tab}weight${tab}distance
1${tab}3${tab}0.6065306597126334${tab}1
2${tab}3${tab}0.00012340980408667956${tab}4.242640687119285
3${tab}2${tab}0.00012340980408667956${tab}4.242640687119285
"

block='--symmetrize none --reference-shard 1/2'
# shellcheck disable=SC2086 # options
{
	misuse '--reference-shard needs --method knn or radius' $block three
	misuse '--reference-shard needs a number as --sigma: others are of all rows' \
		--method knn $block three
	misuse '--reference-shard takes no --id: blocks are merged by numbers' \
		--method knn --sigma 1 --id x $block three
	misuse '--reference-shard takes no --errors and --full' \
		--method knn --sigma 1 --full $block three
	misuse '--reference-shard takes no --format ncol' \
		--method knn --sigma 1 --format ncol $block three
	misuse '--reference-shard takes no --merge, --check and --candidates' \
		--method knn --sigma 1 --merge --rows 3 $block three
	misuse '--reference-shard takes no --na mean: it is of all rows' \
		--method knn --sigma 1 --na mean $block three
}
misuse '--reference-shard needs --symmetrize none' --method knn --sigma 1 \
	--reference-shard 1/2 three
blocks 2 1 --method knn -k 1 --sigma 1 three
cp list.1.1 a
cp list.1.2 b
blocks 2 1 --method knn -k 1 --sigma 2 three
cp list.1.2 wide
knn='--method knn --symmetrize max --merge --rows'
# shellcheck disable=SC2086 # options
{
	refuse 'a:1: reference-shard 2/2 is missing' $knn 3 a
	refuse 'a:2: 3 rows, where --rows says 4' $knn 4 a b
	refuse 'wide:7: metric: another than in a' $knn 3 a wide
	refuse 'a:1: blocks of a reference have no errors (--symmetrize max, min, mean or none?)' \
		--method knn --merge --rows 3 a b
	run 65 sh -c "cat a | nnkgraph $knn 3 - b"
}
err "nnkgraph: <stdin>:1: edges to a block of the reference: only nnkgraph --merge reads them, from regular files$nl"
mkfifo pipe
cat a >pipe &
# shellcheck disable=SC2086 # options
run 65 timeout 20 nnkgraph $knn 3 pipe b
err "nnkgraph: pipe:1: edges to a block of the reference: only nnkgraph --merge reads them, from regular files$nl"
run 65 labelprop -t three a
err "labelprop: a:1: edges to a block of the reference: only nnkgraph --merge reads them, from regular files$nl"
blocks 2 1 --method knn -k 2 --sigma 1 three
sed '10s/	2	/	3	/' list.1.2 >twice
# shellcheck disable=SC2086 # options
refuse "twice:10: column \"to\": twice a neighbour of row '1': 3" $knn 3 list.1.1 twice
blocks 2 1 --method knn -k 1 --sigma 1 -t three three
# shellcheck disable=SC2086 # options
refuse 'list.1.1:1: edges to other rows (-t) need --symmetrize none' $knn 3 list.1.1 list.1.2
done_testing
