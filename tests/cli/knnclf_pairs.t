#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# knnclf --candidates and --pairs: neighbours that are named, rows that are known
# by distances or similarities alone.
. "${0%/*}/tap.sh"

tabscale -y class <"$data/iris.csv" >rows.tsv
awk 'NR == 1 || NR % 3' rows.tsv >train.tsv
awk 'NR == 1 || NR % 3 == 0' rows.tsv >test.tsv
for f in rows train test; do
	cut -f 5 $f.tsv >$f.bare
done
# distances ARG...: of all pairs.
distances() {
	nnkgraph -q -y class -k 1000 --method knn --symmetrize none --sigma 100 \
		--distance --min-weight 0 "$@" | cut -f 1,2,4
}
distances rows.tsv >within
distances -t train.tsv test.tsv >between

# as_before OPTION...: the same with rows, candidates, and distances.
as_before() {
	run 0 knnclf -q -t train.tsv "$@" test.tsv
	cp stdout due
	run 0 knnclf -q -t train.tsv --candidates between "$@" test.tsv
	cmp -s stdout due
	ok $? 'all pairs are candidates'
	run 0 knnclf -q -t train.bare --candidates between --pairs distance "$@" \
		test.bare
	near stdout due 1e-12 'distances in place of rows'
}
as_before -k 1,3,5
as_before -k 3 --vote distance --scores
as_before -k 5 --vote kernel --sigma 1 --scores
as_before -k 5 --vote kernel --sigma local --scores
as_before -k 9 --vote kstar --ratio 2 --scores
as_before -k 3 --shard 2/3
as_before -k 3 --print errors -j 2
run 0 knnclf -t train.tsv --vote nnk -k 9 test.tsv
cp stdout due
run 0 knnclf -t train.tsv --vote nnk -k 9 --candidates between test.tsv
cmp -s stdout due
ok $? 'nnk votes among candidates'
for vote in majority distance kernel; do
	run 0 knnclf -q --loo --vote $vote -k 1,4 --print predictions rows.tsv
	cp stdout due
	run 0 knnclf -q --loo --vote $vote -k 1,4 --print predictions \
		--candidates within rows.tsv
	cmp -s stdout due
	ok $? '--loo among candidates'
	run 0 knnclf -q --loo --vote $vote -k 1,4 --print predictions \
		--candidates within --pairs distance rows.bare
	near stdout due 1e-12 '--loo by distances'
done

# By hand: names, few candidates, numbers, similarities.
printf 'name,y\np,1\nq,2\nr,4\n' >known
printf 'name,y\ns,0\nt,0\n' >asked
tabs 'from to distance' 's q 2' 's r 1' 't p 3' 't q 3' >pairs
run 0 knnclf --id name -t known --candidates pairs --pairs distance asked
table 'id predicted actual' 's 4 0' 't 1 0'
run 0 knnclf --id name --task regress -k 2 --vote distance -t known \
	--candidates pairs --pairs distance asked
awk 'NR > 1 { printf "%s %.12g;", $1, $2 }' stdout >got
same got 's 3.33333333333;t 1.5;'
tabs 'from to similarity' 's q .3' 's r .1' 's p -1' 't p -2' 't q -3' 't r -3' >alike
run 0 knnclf --id name --task regress -k 3 --vote kernel -t known \
	--candidates alike --pairs similarity asked
awk 'NR > 1 { printf "%s %.12g;", $1, $2 }' stdout >got
same got 's 2.5;t 2.33333333333;'
run 0 knnclf --id name -t known --candidates alike --pairs similarity asked
table 'id predicted actual' 's 2 0' 't 1 0'
sed 1d alike | awk -v OFS='\t' 'BEGIN { print "from", "to" } { print $1, $2 }' >named
printf 'name,x,y\np,1,1\nq,2,2\nr,4,4\n' >known_x
printf 'name,x,y\ns,3.9,0\nt,1.4,0\n' >asked_x
sed 3d named >fewer
run 0 knnclf --id name -t known_x --candidates fewer asked_x
table 'id predicted actual' 's 2 0' 't 1 0'

refuse "pairs: -k 3: row 's' has only 2 candidates" \
	--id name -t known -k 3 --candidates pairs --pairs distance asked
refuse '4 neighbours wanted, only 3 available' -x x --id name -t known_x -k 4 \
	--candidates fewer asked_x
refuse "fewer: -k 3: row 's' has only 2 candidates" \
	--id name -t known_x -k 3 --candidates fewer asked_x
refuse 'pairs:1: column "similarity": not found' \
	--id name -t known --candidates pairs --pairs similarity asked
printf 'from\tto\tdistance\ns\tz\t1\n' >stray
refuse "stray:2: column \"to\": no row has this id: 'z'" \
	--id name -t known --candidates stray --pairs distance asked

misuse '--pairs needs --candidates FILE' --pairs distance --loo known
misuse '--cv and --candidates exclude each other' --cv 2 --candidates pairs known
misuse '--candidates with -t takes no --loo: it has no pairs for it' \
	--best -k 1,2 --loo -t known --candidates pairs known
misuse '--candidates with --loo takes no --scale' --loo --scale zscore \
	--candidates pairs known
misuse '--vote expected is of all rows: it takes no --candidates' \
	--vote expected --loo --candidates pairs known
misuse '--vote nnk takes no --pairs: it needs the rows' \
	--vote nnk --loo --candidates pairs --pairs distance known
misuse '--pairs similarity needs --vote majority or kernel' \
	--vote distance --loo --candidates pairs --pairs similarity known
misuse '--pairs with -t needs --sigma local or a number' \
	--vote kernel -t known --candidates pairs --pairs distance asked
run 0 knnclf --id name -t known --candidates pairs --pairs distance -x x asked
err 'knnclf: warning: --features is not used with --pairs
'
run 0 knnclf --id name -t known --vote kernel --sigma 2 --candidates alike \
	--pairs similarity asked
err 'knnclf: warning: --sigma is not used with --pairs similarity
'

done_testing
