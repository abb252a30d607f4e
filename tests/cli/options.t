#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every option of every command alone, with several values and with numbers at
# the ends of what is allowed, and pairs of options: such a call ends with a
# status that the pages name and says at most one thing, and an option that is
# said not to be used changes nothing.  The options are those that --help names;
# tests/gen/calls.c says more.
#
# KITH_PAIRS is how many pairs of each call are drawn, by KITH_SEED (1): 1, or
# all of them in the long tests.  KITH_OPTIONS are the commands.
. "${0%/*}/tap.sh"

pairs=1
[ "${KITH_LONG:-}" ] && pairs=1000000
pairs=${KITH_PAIRS:-$pairs}
calls=$KITH_BUILD/gen/calls

# Small tables of classes that overlap: features a to d, a weight w, a query q,
# and the class; ask.csv has other rows, missing.csv lacks some cells, some.csv
# some classes, and rank.tsv is of predictions.
pick() {
	awk -F, -v rest="$1" 'BEGIN { print "a,b,c,d,w,q,class" }
		NR > 51 && NR % 6 == rest {
			print $1 "," $2 "," $3 "," $4 "," 1 + NR % 5 "," NR % 4 "," $5
		}' "$data/iris.csv"
}
pick 1 >two.csv
pick 4 >ask.csv
awk -F, -v OFS=, 'NR % 4 == 3 { $2 = "" } 1' two.csv >missing.csv
awk -F, -v OFS=, 'NR % 4 == 3 { $7 = "" } 1' two.csv >some.csv
awk -F, -v OFS='\t' 'NR == 1 { print "id", "predicted", "actual", "q" }
	NR > 1 { print NR, $1, $2, $6 }' two.csv >rank.tsv
awk -v OFS='\t' 'BEGIN {
	print "method", "set", "error"
	for (i = 0; i < 12; i++)
		print "m" i % 3, int(i / 3), i * 7 % 5
}' >results.tsv
x='-x a,b,c,d'

# What is made of them, and read by options and commands below.
# shellcheck disable=SC2086 # words
made() {
	knnclf -q -t two.csv --scores -k 1,3 ask.csv >predicted.tsv &&
		tabscale --save scale.tsv two.csv >scaled.tsv &&
		sqpfw -q $x --theta .1 two.csv >weights.tsv &&
		immigrate -q $x two.csv >pairs.tsv &&
		immigrate -q $x --method im4e two.csv >absolute.tsv &&
		immigrate -q $x --boost 3 two.csv >boosted.tsv &&
		nnkgraph $x --symmetrize none -k 5 two.csv >edges.tsv &&
		nnkgraph $x -k 5 two.csv >graph.tsv &&
		nnkgraph $x -k 5 --method lle-signed --symmetrize none two.csv \
			>affine.tsv &&
		eigenmap -q --nodes two.csv graph.tsv >map.tsv &&
		nnkgraph $x --shard 1/1 -k 5 two.csv >full.tsv &&
		knife $x --lambda2 .1 --save-model knife.tsv two.csv >knifed.tsv &&
		wsvmpath $x --from 1 --to 2 --at .5 --save-model svm.tsv \
			--print coef two.csv >/dev/null &&
		wsvmpath $x --from 1 --to 2 --print coef two.csv >coef.tsv &&
		wsvmpath -x a,b,c --from 1 --to 2 -y d --task regress --epsilon .1 \
			--print coef --at .5 --save-model regress.tsv two.csv >/dev/null &&
		wsvmpath -q $x --from 1 --to 2 --cv 2 --best --save-model \
			chance.tsv two.csv >/dev/null &&
		wsvmpath -x a,b,c --from 1 --to 2 -y d --task regress --epsilon .1 \
			--print coef --at .5 --scale none --save-model of.libsvm two.csv >/dev/null &&
		kpredict -m chance.tsv --probability ask.csv >chances.tsv
}
made
ok $? 'the tables are made'
for file in *.csv *.tsv; do
	[ -s "$file" ]
	ok $? "$file holds something"
done
sum=$(cat ./*.csv ./*.tsv | cksum)

# What options are tried with.  A wrong word of each kind is among the values.
cat >values <<'EOF'
N 1 2 7
X 0.5 3
S auto local 2 x
M error ndcg@3
MEASURE error auc rmse ndcg@3 nothing
COL b -1 nothing
LIST 1,2 a,c nothing
FILE ask.csv nothing.csv
CHAR , ; ab
I/N 1/2 3/3 4/3
LO:HI 0:1 2:1
X:X 4:0.2 1:2
A:B:... 1:1 3:0
PART train test 2
C 1 2.5 =w x
K 1 2

--output new1
--save new2
--save-model new2
--weights weights.tsv pairs.tsv absolute.tsv boosted.tsv two.csv
--prior weights.tsv pairs.tsv
--candidates edges.tsv two.csv
--model knife.tsv svm.tsv regress.tsv weights.tsv
--apply scale.tsv weights.tsv
--paired predicted.tsv rank.tsv two.csv
eigenmap:--check map.tsv weights.tsv
nnkgraph:--check edges.tsv weights.tsv
sqpfw:--check weights.tsv pairs.tsv
immigrate:--check pairs.tsv absolute.tsv two.csv
immigrate:--start identity random pairs.tsv absolute.tsv nothing
immigrate:--print weights margins x
labelprop:--method poisson spread
labelprop:--alpha .5 1
knife:--check knifed.tsv pairs.tsv
knife:--start .3 2 random knifed.tsv
tabcv:--collect ask.csv nothing
tabcv:--query q nothing
tabcv:--measure error rmse ndcg@3 nothing
tabfold:--write new1,new2 new1 new1,nothing/f
wsvmpath:--check coef.tsv weights.tsv
wsvmpath:--to 0 2 =w =b relevance
--positive virginica nothing
--na-string - x
--threads 1 3

long --boost
limits 0 1 -1 1e3 0x10 nan inf '' 9007199254740992 99999999999999999999
EOF

grep -v '^limits' values >short
[ "${KITH_LONG:-}" ] || echo "limits 0 -1 nan ''" | cat short - >values

# The calls that options are added to; numbers at the limits to the first of
# each command alone, and to the others each sixth option in short tests.  The first of
# tabcv has a shell alone for each of its many tasks.
cat >bases <<'EOF'
tabscale two.csv
tabscale --apply scale.tsv ask.csv
tabscale --na mean missing.csv
tabfold --fold 1/2 --part test two.csv
tabfold --shares 2:1 --part 1 two.csv
tabfold two.csv
tabfold --bootstrap 2 two.csv
tabscore predicted.tsv
tabscore --task regress rank.tsv
tabscore --ranks results.tsv
tabscore --query q --ndcg 3 rank.tsv
tabratio --test ask.csv two.csv
kpredict -m knife.tsv ask.csv
kpredict -m svm.tsv ask.csv
kpredict -m regress.tsv ask.csv
kpredict -m chance.tsv --probability ask.csv
kpredict -m of.libsvm -x a,b,c -y d ask.csv
tabscore chances.tsv
tabcv -n 2 two.csv c=versicolor,virginica -- exec <{test}; read header; while read row; do echo {c}; done
tabcv -n 2 -x a,b two.csv -- knnclf -k 3
knnclf -x a,b,c,d -t two.csv ask.csv
knnclf -x a,b,c,d --loo two.csv
knnclf --na omit --cv 3 missing.csv
knnclf --vote expected -t two.csv ask.csv
knnclf -x a,c,d -y b --task regress -t two.csv ask.csv
labelprop --nodes two.csv --reveal .5 graph.tsv
eigenmap --rows 17 graph.tsv
eigenmap --nodes two.csv graph.tsv
eigenmap --nodes two.csv --method lle affine.tsv
eigenmap --nodes two.csv --check map.tsv graph.tsv
nnkgraph -x a,b,c,d two.csv
nnkgraph -x a,b,c,d --symmetrize none -t two.csv ask.csv
nnkgraph --merge full.tsv
nnkgraph -x a,b,c,d --method knn --sigma 1 --shard 2/3 two.csv
nnkgraph -x a,b,c,d --check edges.tsv -k 5 two.csv
sqpfw --theta .1 two.csv
sqpfw --path two.csv
sqpfw -x a,b,c,d --theta .1 --check weights.tsv two.csv
relief two.csv
relief --method relieff --task regress -y a two.csv
relief --method nca -x a,b two.csv
immigrate -x a,b,c two.csv
immigrate -x a,b,c --boost 3 two.csv
immigrate -x a,b,c,d --check pairs.tsv two.csv
knife -x a,b --lambda2 .1 two.csv
knife -x a,b --grid 3 two.csv
knife -x a,b,c,d --lambda2 .1 --check knifed.tsv two.csv
wsvmpath -x a,b,c,d two.csv
wsvmpath -x a,b,c,d --from .1 --to 10 --print events two.csv
wsvmpath -x a,b,c,d --from .1 --to 10 --validate ask.csv two.csv
wsvmpath -x a,b,c,d --from .1 --to 10 --cv 3 two.csv
wsvmpath -x a,b,c,d --from 1 --to 2 --check coef.tsv two.csv
wsvmpath -x a,b,c --task regress --epsilon .1 -y d --from .1 --to 10 two.csv
wsvmpath -x a,b,c --task rank --query q -y d --from .1 --to 1 --print events two.csv
svmtransduce -x a,b some.csv
svmonline -x a,b,c --window 8 two.csv
svmonline -x a,b,c --task regress --epsilon .1 -y d --window 8 two.csv
EOF

for command in ${KITH_OPTIONS:-$(tools)}; do
	"$command" --help=tsv |
		awk -F '\t' 'NR > 1 { sub(/.*, /, "", $1); print $1, $3 == "optional" ? "" : $2 }' |
		grep -v '^--then\|^--plan' >listed # any command, and a new folder
	grep -q "^$command " bases
	ok $? "$command has calls to try options with"
	grep "^$command " bases >lines
	limits=values
	turn=0
	cp listed some
	while read -r line; do
		# shellcheck disable=SC2086 # words
		"$calls" some $limits "$pairs" $line >told 2>&1
		ok $? "$line, with other options"
		cat told
		limits=short
		turn=$(((turn + 1) % 6))
		[ "${KITH_LONG:-}" ] ||
			awk -v turn=$turn 'NR % 6 == turn' listed >some
	done <lines
done

[ "$(cat ./*.csv ./*.tsv | cksum)" = "$sum" ]
ok $? 'no file that calls read is written'

done_testing
