#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tabcv: the recipes of learners, against loops by tabfold, and other programs.
# shellcheck disable=SC2016 # lines of another shell
. "${0%/*}/tap.sh"
# shellcheck source=trials.sh
. "$root/tests/cli/trials.sh"

# What loops of the shell count.
tabcv -q -n 3 --seed 2 "$data/wine.csv" k=1,5 -- knnclf >got
knnclf --cv 3 --seed 2 --scale zscore -k 1,5 "$data/wine.csv" | cmp -s got -
ok $? 'knnclf'
tabcv -q -n 3 "$data/wine.csv" k=1,5 -- 'sqpfw --theta .1' >got
for k in 1 5; do
	for i in 1 2 3; do
		tabfold --fold $i/3 --part train "$data/wine.csv" >fit.tsv
		tabfold --fold $i/3 --part test "$data/wine.csv" >rest.tsv
		sqpfw -q --scale zscore --theta .1 fit.tsv |
			knnclf -t fit.tsv -w - -k $k --print errors rest.tsv | sed 1d
	done | trials 1
done | cut -f 1-3 >due
sed 1d got | cut -f 2-4 | cmp -s due -
ok $? 'sqpfw'
[ "$(cut -f 1 got | tr '\n' ' ')" = 'theta .1 .1 ' ]
ok $? 'an option of the learner fixes the parameter'
tabcv -q -n 3 "$data/iris.csv" neighbours=5,10 k=1,5 -- relief | sed 1d | cut -f 1-4 >got
for neighbours in 5 10; do
	for k in 1 5; do
		for i in 1 2 3; do
			tabfold --fold $i/3 --part train "$data/iris.csv" >fit.tsv
			tabfold --fold $i/3 --part test "$data/iris.csv" >rest.tsv
			relief -q --method relieff --scale zscore -k $neighbours fit.tsv |
				knnclf -q -t fit.tsv -w - -k $k --print errors rest.tsv | sed "1d; s/^/$neighbours	/"
		done | trials 2
	done
done | cut -f 1-4 | cmp -s got -
ok $? 'relief'
tabcv -q -n 3 "$data/iris.csv" sigma=2,0.5 -- immigrate | sed 1d | cut -f 1-3 >got
for sigma in 2 0.5; do
	for i in 1 2 3; do
		tabfold --fold $i/3 --part train "$data/iris.csv" >fit.tsv
		tabfold --fold $i/3 --part test "$data/iris.csv" >rest.tsv
		immigrate -q --scale zscore --sigma $sigma fit.tsv |
			knnclf -t fit.tsv -w - --vote expected --print errors rest.tsv | sed 1d
	done | trials 1
done | cut -f 1-3 | cmp -s got -
ok $? 'immigrate'
tabcv -q -n 3 "$data/iris.csv" -- 'knife --lambda2=10' | sed 1d >got
for i in 1 2 3; do
	tabfold --fold $i/3 --part train "$data/iris.csv" >fit.tsv
	tabfold --fold $i/3 --part test "$data/iris.csv" >rest.tsv
	knife --scale zscore --lambda2 10 --save-model m fit.tsv >w
	kpredict -m m rest.tsv | awk -F '\t' 'NR > 1 { n++; e += $2 != $3 } END { print n, e }'
done | awk '{ n += $1; e += $2 } END { print "10\t" n "\t" e }' >due
cut -f 1-3 got | cmp -s due -
ok $? 'knife'
tabcv -q -n 2 "$data/iris.csv" -- 'wsvmpath --gamma .25' >got
for i in 1 2; do
	tabfold --fold $i/2 --part train "$data/iris.csv" >fit.tsv
	tabfold --fold $i/2 --part test "$data/iris.csv" >rest.tsv
	wsvmpath -q --scale zscore --from .01 --to 100 --cv 5 --best --gamma .25 --save-model m fit.tsv >errors
	kpredict -m m rest.tsv | awk -F '\t' 'NR > 1 { n++; e += $2 != $3 } END { print n, e }'
done | awk '{ n += $1; e += $2 } END { print ".25\t" n "\t" e }' >due
sed 1d got | cut -f 1-3 | cmp -s due -
ok $? 'wsvmpath'

# The grid of each, from the table: the simplest value first.
grid() { tabcv -q -n 2 --plan "$1" "$data/iris.csv" -- "$1" && tabcv -q --collect "$1" 2>/dev/null | cut -f "$2" | uniq | tr '\n' ' '; }
[ "$(grid sqpfw 1)" = 'theta .01 .03 .1 .3 1 3 ' ]
ok $? 'the grid of sqpfw'
[ "$(grid relief 1)" = 'neighbours 20 10 5 ' ]
ok $? 'the grid of relief'
sigma=$(immigrate -q --scale zscore "$data/iris.csv" | awk '$2 == "sigma" { print $3 }')
grid immigrate 1 | awk -v s="$sigma" '{ for (i = 2; i <= 6; i++) { d = $i / (s * 4 / 2 ^ (i - 2)) - 1; if (d < -1e-4 || d > 1e-4) exit 1 } }'
ok $? 'the grid of immigrate: multiples of sigma auto'
largest=$(knife -q --scale zscore --grid 2 "$data/iris.csv" | awk 'END { print $2 }')
grid knife 1 | awk -v x="$largest" 'NF != 13 || $2 / x > 1.001 || $2 / x < .999 || $2 / $13 < 999 || $2 / $13 > 1001 { exit 1 }'
ok $? 'the grid of knife: 12 values, down to a thousandth of the largest useful one'
[ "$(grid wsvmpath 1)" = 'gamma 0.0625 0.25 1 ' ]
ok $? 'the grid of wsvmpath: multiples of one over the features'
tabcv -q -n 2 --plan few "$data/iris.csv" -x 1 -- knnclf
grep -q 'knnclf -k 25,15,9,7,5,3,1 ' few/tasks
ok $? 'the grid of knnclf'
awk 'NR < 12' "$data/iris.csv" | sed '5,$s/setosa/other/' >few.csv
tabcv -q -n 2 --plan few2 few.csv -- knnclf
grep -q -- '-k 5,3,1 ' few2/tasks
ok $? 'the grid of knnclf in a small table'

# The final commands.
tabcv -q -n 2 --then final "$data/wine.csv" theta=.5 k=3,5 -- 'sqpfw --hits 2' >got
{
	sed -n 1p got
	sqpfw --scale zscore --theta .5 --hits 2 "$data/wine.csv"
} | cmp -s - got && grep -q "^# k${tab}[35]$" got
ok $? 'final: the weights of all rows, and their k'
awk -F '\t' '$1 != "# k"' got | knnclf -w - -k 3 -t "$data/wine.csv" "$data/wine.csv" >due
knnclf -w got -k 3 -t "$data/wine.csv" "$data/wine.csv" | cmp -s due -
ok $? 'knnclf reads these weights'
tabfold --fold 1/3 --part train "$data/iris.csv" >a.tsv
tabfold --fold 1/3 --part test "$data/iris.csv" >b.tsv
run 0 tabcv -q --test b.tsv --then final a.tsv k=3 -- knnclf
knnclf --scale zscore -k 3 -t a.tsv b.tsv | cmp -s stdout -
ok $? 'final of knnclf: predictions of the file of --test'
misuse '--then: {test} is the file of --test' -n 2 --then final "$data/iris.csv" k=3 -- knnclf
run 0 tabcv -n 2 --then final "$data/iris.csv" gamma=.25 -- wsvmpath
kpredict -m stdout b.tsv >/dev/null
ok $? 'final of wsvmpath: a model'

awk -F, 'NR == 1 || NR % 5 == 1' "$data/wdbc.csv" | cut -d, -f 1-8,31 >auc.csv
misuse 'the recipe of sqpfw has no parameter hits' -n 2 "$data/iris.csv" hits=1 -- sqpfw
misuse "two parameters 'theta'" -n 2 "$data/iris.csv" theta=1 -- 'sqpfw --theta 2'
run 65 tabcv -n 2 "$data/iris.csv" -- 'knife --kernel none'
grep -q '^tabcv: the recipe finds no values' stderr
ok $? 'a grid that fails'
# auc needs scores: the recipe asks for them.
for learner in knnclf sqpfw relief immigrate knife wsvmpath; do
	run 0 tabcv -q -n 2 --measure auc --best auc.csv -- $learner
	awk -F '\t' '{ x = $(NF - 1) } NR == 1 { good = x == "auc" } END { exit !(good && NR == 2 && x > .9) }' stdout
	ok $? "auc by $learner"
done
# --na is for the command that predicts, too.
awk -F, -v OFS=, 'NR % 7 == 3 { $2 = "" } { print }' "$data/iris.csv" >holes.csv
for learner in 'sqpfw --theta 1' 'relief -k 5' 'immigrate --sigma 2' 'knife --lambda2=10' 'wsvmpath --gamma .25'; do
	run 0 tabcv -n 2 holes.csv -- "$learner --na mean"
	awk -F '\t' '{ x = $(NF - 3) } END { exit !(NR > 1 && x == 150) }' stdout
	ok $? "--na of ${learner%% *}"
done
tabcv -q -n 2 holes.csv k=1,3 -- relief -k 5 --na=mean >got
for i in 1 2; do
	tabfold --fold $i/2 --write fit.csv,rest.csv holes.csv
	relief -q -k 5 --na mean fit.csv | knnclf -q -t fit.csv -w - -k 1 --na mean --print errors rest.csv | sed 1d
done | awk '{ n += $2; e += $3 } END { print "1\t" n "\t" e }' >due
sed 1d got | cut -f 2-4 | grep '^1' | cmp -s due -
ok $? 'relief, on a table with missing cells'
run 0 tabcv -q -n 2 holes.csv k=1 -- relief -k 5 --na model
tabcv -n 2 --plan holes holes.csv k=1 -- relief -k 5 --na model 2>/dev/null
grep -q 'relief -k 5 .*--na model .*| knnclf .*--na mean' holes/tasks
ok $? '--na model of relief is mean for knnclf'
run 0 tabcv --recipes
[ "$(grep -c '{scores}.*{na}' stdout)" -eq 5 ]
ok $? '--recipes names the places'
run 0 tabcv --recipes
[ "$(grep -c '^[a-z]' stdout)" -eq 6 ] && [ "$(grep -c '^	task   ' stdout)" -eq 6 ]
ok $? '--recipes prints six'
# Under another name: the commands beside it have the prefix.
mkdir bin
ln -s "$(command -v knnclf)" bin/my-knnclf
cp "$(command -v tabcv)" bin/my-tabcv
PATH=/usr/bin:/bin bin/my-tabcv -n 3 "$data/iris.csv" k=1,3 -- my-knnclf >got
tabcv -n 3 "$data/iris.csv" k=1,3 -- knnclf | cmp -s got -
ok $? 'commands under their installed names'
run 0 env PATH=/usr/bin:/bin "$(command -v tabcv)" -q -n 2 --best "$data/iris.csv" -- knife

# Default k fit the smallest training part; k that are given need not.
tail -n +2 "$data/wine.csv" | awk -F, -v OFS=, 'BEGIN { print "t", "a", "b", "y" }
	{ print NR * 55 % 178, $1, $7, $14 }' >series
run 0 tabcv --order t series -- knnclf
[ "$(cut -f 1 stdout | tr '\n' ' ')" = 'k 15 9 7 5 3 1 ' ]
ok $? 'k up to the 16 rows of the first block'
run 1 tabcv --order t series k=25 -- knnclf
table 'k n errors error se' '25 NA NA NA NA'
head -n 8 "$data/iris.csv" >tiny
tail -n 8 "$data/iris.csv" >>tiny
run 0 tabcv -n 2 tiny -- knnclf
[ "$(cut -f 1 stdout | tr '\n' ' ')" = 'k 7 5 3 1 ' ]
ok $? 'a tiny table'
run 0 tabcv -n 2 tiny -- relief
[ "$(cut -f 2 stdout | sort -u | tr '\n' ' ')" = '1 3 5 k ' ]
ok $? 'a tiny table, by relief'
err ''

# Weights below 0 are nothing to warn of.
awk "$uniform"'BEGIN { seed_uniform(3); print "a,b,c,d,y"
	for (i = 0; i < 60; i++) print uniform() "," uniform() "," uniform() "," uniform() "," i % 2 }' >noise
relief noise | cut -f 2 | grep -q '^-'
ok $? 'relief has weights below 0'
run 0 tabcv -n 3 noise k=1,3 -- 'relief -k 5'
err ''

# Programs that are not kith's: lines of the page.
sed -n '/^cat > svm/,/^\.Ed/{s/\\e/\\/g;/^\.Ed/d;p;}' "$root/man/tabcv.1" >lines
cp "$data/wine.csv" "$data/iris.csv" .
if command -v svm-train >/dev/null; then
	run 0 sh lines
	awk -F '\t' 'NR > 1 && $2 != 178 || NR > 2 && !($4 < .3) { exit 1 } END { if (NR != 4) exit 1 }' stdout
	ok $? 'svm-train, by the lines of the page'
else
	skip 'no svm-train (package libsvm-tools)'
fi
tabcv -n 3 iris.csv x=.6,.8,1 -- "awk -F '\t' -v x={x} 'FNR > 1 { print (\$4 < x ? \"setosa\" : \"virginica\") }' {test}" >got
awk -F '\t' 'NR > 1 && ($2 != 150 || $3 < 50 || $3 > 60) { exit 1 }' got
ok $? 'awk'
done_testing
