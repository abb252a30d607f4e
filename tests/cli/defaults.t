#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A table alone: each command answers, on tables with features of different units, and
# says so in options that could have been given.
. "${0%/*}/tap.sh"
KITH_LIMIT=10

# equal CALL -- CALL: two calls print the same bytes.
equal() {
	first=''
	while [ "$1" != -- ]; do
		first="$first $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # words
	run 0 $first
	cp stdout due
	run 0 "$@"
	cmp -s stdout due && [ "$(wc -l <due)" -gt 1 ]
	ok $? "$first is $*"
}

for table in iris wine wdbc; do
	cp "$data/$table.csv" .
	tabscale $table.csv >$table.tsv
	t=$table.csv
	equal knnclf -t $t $t -- knnclf --scale zscore -k 5 -t $t $t
	equal knnclf $t -- knnclf --loo --scale zscore -k 1,3,5,7,9,15,25 $t
	equal sqpfw $t -- sqpfw --scale zscore --theta .1 $t
	equal relief $t -- relief --scale zscore --method relieff $t
	equal immigrate -q $t -- immigrate -q --scale zscore $t
	equal knife $t -- knife --scale zscore --grid 20 $t
	equal wsvmpath $t -- wsvmpath --scale zscore --from .01 --to 100 --print errors --cv 5 $t
	[ "$(grep -c '^wsvmpath: chosen: --from ' stderr)" -eq 1 ]
	ok $? 'a line names the best C'
	equal nnkgraph -q $t -- nnkgraph -q --scale zscore -k 30 --sigma auto --symmetrize node $t
	run 0 tabfold $t
	run 0 tabscale $t
	nnkgraph -q $t >graph
	run 0 eigenmap --nodes $t graph
	run 0 labelprop --nodes $t --reveal .1 graph

	# Rows that were scaled before, without scaling: the same answers.
	knnclf $t >due
	knnclf --scale none --loo -k 1,3,5,7,9,15,25 $table.tsv | awk 'NR == FNR { a[FNR] = $3; next }
		$3 - a[FNR] > 2 || a[FNR] - $3 > 2 { exit 1 }' due -
	ok $? 'knnclf: up to two errors those of rows scaled before, all of them'
	nnkgraph -q --scale none -y class $table.tsv >got
	near graph got 1e-9 'nnkgraph: the edges of rows scaled before'
	# Weights are in the units of the table, the scaled ones in a column of their own.
	for call in sqpfw 'relief --method irelief' 'immigrate -q --sigma 4 --method im4e' 'knife --lambda2 1'; do
		# shellcheck disable=SC2086 # words
		$call $t | knnclf -w - -t $t $t >due
		# shellcheck disable=SC2086 # words
		$call --scale none $table.tsv | knnclf -w - -t $table.tsv $table.tsv | cmp -s - due
		ok $? "$call: predictions are those of rows scaled before"
	done
	wsvmpath -q --save-model model $t >due
	wsvmpath -q --scale none --save-model other $table.tsv >got
	kpredict -m model $t >due
	kpredict -m other $table.tsv | cmp -s - due
	ok $? 'wsvmpath: predictions are those of rows scaled before'
done

# Ranks and numbers.
equal wsvmpath --task regress --epsilon .1 -y petal_width -x 1:3 iris.csv -- \
	wsvmpath --task regress --epsilon .1 -y petal_width -x 1:3 --scale zscore iris.csv
awk -F , -v OFS=, '{ print $0, NR == 1 ? "q" : NR % 9 }' iris.csv >items.csv
equal wsvmpath --task rank --query q -y petal_width -x 1:3 items.csv -- \
	wsvmpath --task rank --query q -y petal_width -x 1:3 --scale zscore items.csv

# Small tables: default numbers of neighbours are lowered, given ones are not.
awk 'NR == 1 || NR % 25 == 0' iris.csv >six.csv
equal knnclf six.csv -- knnclf --loo -k 1,3,5 six.csv
equal knnclf --cv 2 six.csv -- knnclf --cv 2 -k 1,3 six.csv
sed 4q six.csv >three.csv
equal knnclf -t three.csv six.csv -- knnclf -k 3 -t three.csv six.csv
run 65 knnclf -t three.csv -k 5 six.csv
run 65 knnclf --loo -k 7 six.csv
equal nnkgraph -y class six.csv -- nnkgraph -y class -k 5 six.csv

# Beside weights nothing is scaled; angles are those of the rows.
sqpfw wine.csv >weights
for call in 'knnclf --loo -k 3' 'nnkgraph -q -y class' 'wsvmpath'; do
	# shellcheck disable=SC2086 # words
	equal $call -w weights wine.csv -- $call -w weights --scale none wine.csv
done
equal nnkgraph -y class --kernel cosine wine.csv -- nnkgraph -y class --kernel cosine --scale none wine.csv
equal knnclf --loo --vote nnk --kernel cosine wine.csv -- \
	knnclf --loo --vote nnk --kernel cosine --scale none wine.csv
for tool in knnclf nnkgraph; do
	run 65 $tool -w weights --scale zscore wine.csv
	grep -q "^$tool: weights: its weights count in the units of the table" stderr
	ok $? "$tool: weights of scaled rows, scaled again, are refused"
done
grep -v '^#' weights >bare
run 0 nnkgraph -y class -w bare --scale zscore wine.csv
grep -q '^nnkgraph: warning: --scale beside the weights of bare' stderr
ok $? 'nnkgraph: a warning where the table does not say'

# nnkgraph: the reference scales, and with shards all rows do; constant features count for nothing.
tabfold --shares 2:1 --part 1 wine.csv >known.csv
tabfold --shares 2:1 --part 2 wine.csv >new.csv
tabscale --save z known.csv >known.tsv
tabscale --apply z new.csv >new.tsv
nnkgraph -y class -t known.csv new.csv >got
nnkgraph -y class --scale none -t known.tsv new.tsv >due
near got due 1e-9 'nnkgraph -t: all rows are scaled by the reference'
for scale in zscore minmax; do
	nnkgraph -y class --scale $scale wine.csv >due
	for i in 1 2 3; do nnkgraph -y class --scale $scale --shard $i/3 wine.csv >shard.$i; done
	nnkgraph --merge shard.* | cmp -s - due
	ok $? "nnkgraph --scale $scale: shards are the whole"
	nnkgraph -y class --scale $scale -j 3 wine.csv | cmp -s - due
	ok $? 'and threads change nothing'
done
head -n 1 shard.1 | grep -q -e ' --scale minmax --sigma'
ok $? 'a shard says how it is scaled'
nnkgraph -y class --scale zscore --shard 3/3 wine.csv >shard.3
run 65 nnkgraph --merge shard.*
awk -F , -v OFS=, '{ $1 = $1 OFS (NR == 1 ? "same" : 7) } 1' wine.csv >constant.csv
nnkgraph -q wine.csv >due
nnkgraph -q constant.csv >got
near got due 1e-12 'nnkgraph: a constant feature counts for nothing'
equal knnclf wine.csv -- knnclf constant.csv

# As many threads as processors, or as KITH_THREADS says; the same bytes.
for call in 'knnclf wdbc.csv' 'knnclf -t wdbc.csv wdbc.csv' 'sqpfw wine.csv' 'relief wdbc.csv' \
	'immigrate wine.csv' 'knife wine.csv' 'wsvmpath wdbc.csv' 'nnkgraph -q wdbc.csv' \
	'relief --method nca iris.csv' 'sqpfw --path --theta-max .05 wine.csv' \
	'tabratio --test new.tsv known.tsv' 'knnclf --cv 10 --vote nnk -k 10 wine.csv'; do
	# shellcheck disable=SC2086 # words
	run 0 $call -j 1
	cp stdout due
	for j in 2 8; do
		# shellcheck disable=SC2086 # words
		env KITH_THREADS=$j $call 2>/dev/null | cmp -s - due
		ok $? "$call: the same on $j threads"
	done
	# shellcheck disable=SC2086 # words
	env -u KITH_THREADS $call 2>/dev/null | cmp -s - due
	ok $? "$call: the same on all processors"
done
run 0 env -u KITH_THREADS relief -v iris.csv
threads=$(sed -n 's/^threads	//p' stderr)
[ "$threads" -ge 1 ] && [ "$threads" -le 8 ]
ok $? 'one to eight threads'
if command -v taskset >/dev/null; then
	run 0 env -u KITH_THREADS taskset -c 0 relief -v iris.csv
	grep -qx "threads${tab}1" stderr
	ok $? 'on one processor one thread'
else
	skip 'no taskset'
fi
done_testing
