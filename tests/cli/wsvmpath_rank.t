#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# wsvmpath --task rank: pairs of rows of a query, and their weights.
. "${0%/*}/tap.sh"

tabs 'x z query y' '0 1 a 1' '1 1 a 0' '2 0 b 2' '0 2 b 1' '3 1 b 0' '1 0 c 1' \
	>items
run 0 wsvmpath --scale none --task rank --query query --from 1 --to relevance \
	--print coef items
err "wsvmpath: warning: 1 of 3 queries have no pair of rows of which one is better$nl"
awk -F '\t' '$2 == 0 && $3 ~ />/ { print $3 }' stdout >got
tabs '1>2' '3>4' '4>5' | cmp -s - got
ok $? 'pairs of rows'
mv stdout coef
run 0 wsvmpath --scale none --task rank --query query --from 1 --to relevance \
	--check coef -q items
run 0 wsvmpath --scale none --task rank --query query --from 1 --to relevance -q \
	--at 1 --save-model model --print margin --at 1 items
cut -f 4 stdout >a
run 0 kpredict -m model items
cut -f 2 stdout >b
sed -i 1d a
sed -i 1d b
near a b 1e-12
run 0 wsvmpath --scale none --task rank -x !query --from 1 --to 3 --print coef \
	--at 0 items
grep -q '6>2' stdout
ok $? 'without --query, all rows are one'
awk -F '\t' -v OFS='\t' 'NR > 1 { $4 = 1 } 1' items >flat
run 65 wsvmpath --scale none --print events --task rank --query query --from 1 --to 2 flat
err "wsvmpath: flat: no query has two rows of which one is better$nl"
out ''
awk -F '\t' -v OFS='\t' 'NR == 3 { $3 = "" } 1' items >gap
run 65 wsvmpath --scale none --print events --task rank --query query --from 1 --to 2 gap
err "wsvmpath: gap: row 2: column \"query\": missing$nl"
run 65 wsvmpath --scale none --print events --task rank --query query --from 1 --to better items
err "wsvmpath: items:1: column \"better\": not found$nl"
# Weights of queries: those of query a weigh 3, of b 1, of c 2.
awk -F '\t' -v OFS='\t' '{ w["a"] = 3; w["b"] = 1; w["c"] = 2
	print $0, (NR == 1 ? "w" : w[$3]) }' items >heavy
for to in w relevance difference; do
	run 0 wsvmpath --scale none -q --task rank -y y --query query --from w --to $to \
		--print coef heavy
	mv stdout path
	run 0 wsvmpath --scale none -q --task rank -y y --query query --from w --to $to \
		--check path heavy
done
run 0 wsvmpath --scale none -q --task rank -y y --query query --gamma .5 --from 0 --to w --print coef --at 1 \
	--save-model model heavy
run 0 kpredict -m model heavy
cut -f 1,2 stdout >a
# The same as each query once, its rows weight times: without a ridge.
awk -F '\t' 'NR == 1 { print; next }
	{ for (i = 1; i <= $5; i++) print $1 "\t" $2 "\t" $3 i "\t" $4 "\t" 1 }' \
	heavy >copies
run 0 wsvmpath --scale none -q --task rank -y y --query query -x !w --gamma .5 --ridge 0 --from 0 \
	--to 1 --print coef --at 1 --save-model model copies
run 0 kpredict -m model heavy
cut -f 1,2 stdout >b
sed -i 1d a
sed -i 1d b
near a b 1e-4 'a query of weight 3 is three queries'
awk -F '\t' -v OFS='\t' 'NR == 4 { $5 = 2 } 1' heavy >other
run 65 wsvmpath --scale none --print events --task rank -y y --query query --from w --to 2 other
err "wsvmpath: other: row 4: column \"w\": 1, though its query has 2 in row 3$nl"

# Costs of queries in the mean NDCG: query b alone; and b twice.
rank='--task rank -y y --query query --from 1 --to relevance' # words
awk -F , 'NR == 1 { print "x\tz\tquery\ty\tc" }
	NR > 1 && NR % 4 == 0 { q = substr("abc", NR % 3 + 1, 1)
		print $1 "\t" $2 "\t" q "\t" int($3 * 7) % 3 "\t" (q == "b") }' \
	"$data/iris.csv" >costs
awk -F '\t' 'NR == 1 || $3 == "b"' costs >only
for file in costs only; do
	# shellcheck disable=SC2086 # words
	run 0 wsvmpath --scale none -q $rank --cost c --validate $file costs
	cut -f 1,2,4 stdout >"$file.ndcg"
done
cmp -s costs.ndcg only.ndcg
ok $? 'a query of cost 0 does not count'
# --measure ndcg@K: at a theta in each of the first two ranges, as tabscore finds it.
# shellcheck disable=SC2086 # words
run 0 wsvmpath --scale none -q $rank -x !c --measure ndcg@5 --validate costs costs
sed -n '2,3p' stdout | cut -f 4 >a
for theta in .03 .07; do
	# shellcheck disable=SC2086 # words
	wsvmpath --scale none -q $rank -x !c --print coef --at $theta --save-model model \
		costs >/dev/null
	kpredict -m model costs | paste - costs | tabscore --query query --ndcg 5 |
		sed -n '$s/.*ndcg@5.//p'
done >b
near a b 1e-12 '--measure ndcg@5'
awk -F '\t' -v OFS='\t' 'NR > 1 { $5 += 1 } 1' costs >costs2
awk -F '\t' -v OFS='\t' '{ print } NR > 1 && $3 == "b" {
	$3 = "b2"; twin[++n] = $0 } END { for (i = 1; i <= n; i++) print twin[i] }' \
	costs >copies
# shellcheck disable=SC2086 # words
run 0 wsvmpath --scale none -q $rank --cost c --validate costs2 costs2
cut -f 4 stdout >a
# shellcheck disable=SC2086 # words
run 0 wsvmpath --scale none -q $rank -x !c --validate copies costs
cut -f 4 stdout >b
sed -i 1d a
sed -i 1d b
near a b 1e-12 'a query of cost 2 is two queries'
awk -F '\t' -v OFS='\t' 'NR == 6 { $5 = 3 } 1' costs >uneven
# shellcheck disable=SC2086 # words
run 65 wsvmpath --scale none -q $rank --cost c --validate uneven costs
err "wsvmpath: uneven: row 5: column \"c\": 3, though its query has 0 in row 2$nl"

# Rows to validate on need a query, too; and a column is named, not matched.
awk -F '\t' -v OFS='\t' 'NR == 4 { $3 = "NA" } 1' costs >holes
# shellcheck disable=SC2086 # words
run 65 wsvmpath --scale none -q $rank -x !c --validate holes costs
err "wsvmpath: holes: row 3: column \"query\": missing$nl"
# shellcheck disable=SC2086 # words
run 65 wsvmpath --scale none -q $rank --cost 'c*' --validate costs costs
err "wsvmpath: costs:1: column \"c*\": not found$nl"

# Relevances of any size, where their weights are no sums of 2^y; NDCG has a range.
tabs 'x q y' '1 a 0' '2 a 5000' '3 a -2.5' >large
large='--scale none -q --task rank --query q --print events' # words
# shellcheck disable=SC2086 # words
{
	run 65 wsvmpath $large --from 1 --to relevance large
	err "wsvmpath: large: weights and kernels are together too large for a double$nl"
	run 0 wsvmpath $large --from 0 --to relevance large
	run 0 wsvmpath $large --from 1 --to difference large
	run 0 wsvmpath $large --from 1 --to 2 large
}
for y in -0.5 1000.5; do
	tabs 'x q y' '1 a 0' "2 a $y" >large
	run 65 wsvmpath --scale none --task rank --query q --cv 2 large
	err "wsvmpath: large: row 2: column \"y\": a relevance is from 0 to 1000$nl"
done

### The data of the paper

need_shared data/mq2008.csv.gz
shared=$shared/data
gzip -dc "$shared/mq2008.csv.gz" | awk -F , 'NR == 1 || $48 == 1' >mq1
gzip -dc "$shared/mq2008.csv.gz" | awk -F , 'NR == 1 || $48 == 2' >mq2
logged 0 wsvmpath --scale none -q --task rank --query qid -x !part --gamma .02 --from .01 \
	--to relevance --validate mq2 --best mq1
awk -F '\t' '$1 == "theta" { theta = $2 } $1 == "ndcg@10" { ndcg = $2 }
	END { exit !(theta > 0 && theta < 1 && ndcg > .47) }' log
ok $? 'MQ2008: the best theta lies inside'

done_testing
