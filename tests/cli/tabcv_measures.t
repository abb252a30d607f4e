#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tabcv: measures are those of tabscore, part by part; parts are those of tabfold, nested, by groups
# and in order, too.
# shellcheck disable=SC2016 # lines of another shell
. "${0%/*}/tap.sh"

# The parts of a table by tabfold, N of them with a seed: train.I and test.I.
parts() {
	i=1
	while [ $i -le "$2" ]; do
		# shellcheck disable=SC2086 # options of tabfold
		tabfold $4 --seed "$3" --fold $i/"$2" --write train.$i,test.$i "$1"
		i=$((i + 1))
	done
}
# Sums up lines of value and weight, a part each: over the rows, or parts of weight 1.
sum='BEGIN { print "value\tse" } { l += $1 * $2; w += $2; m += $1; x[NR] = $1 }
	END { for (i in x) s += (x[i] - m / NR) ^ 2; v = l / w; se = sqrt(s / NR / (NR - 1))
	if (root) { v = sqrt(v); se /= 2 * v } printf "%.17g\t%.17g\n", v, se }'
# measured NAME METRIC BY POWER ROOT: the value and the standard error of tabcv's measure NAME,
# in got, are due from METRIC of tabscore, in score.1 to score.3.
measured() {
	awk -F '\t' -v m="$2" -v by="$3" -v power="$4" '
		FNR == 1 { file++ }
		file % 2 { rows = FNR - 1; next }
		$2 == m { printf "%.17g\t%d\n", power ? $3 * $3 : $3, by == "rows" ? rows : 1 }' \
		test.1 score.1 test.2 score.2 test.3 score.3 | awk -F '\t' -v root="$5" "$sum" >due
	awk -F '\t' -v OFS='\t' '{ print NR == 1 ? "value" : $(NF - 1), $NF }' got >is
	near is due 1e-12 "$1"
}

# Classes, two and several, with ties and probabilities.
n=3
awk -F, 'NR == 1 || $NF != 3' "$data/wine.csv" | cut -d, -f 1-3,14 >two.csv
votes='knnclf -k 9 --scores -t {train} {test}'
head -n 100 "$data/iris.csv" | awk 'NR % 2' >three.csv
tail -n 50 "$data/iris.csv" | awk 'NR % 3' >>three.csv
for table in two.csv three.csv; do
	parts "$table" $n 5 ''
	for i in 1 2 3; do
		knnclf -k 9 --scores -t train.$i test.$i | sed '1s/score:/probability:/g' | tabscore >score.$i
	done
	for m in error balanced_accuracy macro_f1 mcc auc; do
		[ $m$table != aucthree.csv ] || continue
		by=parts
		[ $m != error ] || by=rows
		tabcv -n $n --seed 5 --measure $m "$table" -- "$votes" >got
		measured $m $m $by '' ''
	done
done
# The best is the least error, and the largest of the measures of which larger is better.
for m in error balanced_accuracy macro_f1 mcc auc; do
	tabcv -n $n --seed 5 --measure $m two.csv k=1,9,60 -- 'knnclf -k {k} --scores -t {train} {test}' |
		awk -F '\t' -v m=$m 'NR > 1 && (NR == 2 || (m == "error" ? $(NF - 1) < v : $(NF - 1) > v)) {
			v = $(NF - 1); best = $0 } END { print best }' >due
	tabcv -q --best -n $n --seed 5 --measure $m two.csv k=1,9,60 -- \
		'knnclf -k {k} --scores -t {train} {test}' | sed 1d >got
	cmp -s due got
	ok $? "$m: the best"
done
# log_loss is finite where every class has neighbours.
awk 'BEGIN { print "x\ty"; for (i = 0; i < 40; i++) print i % 5 "\t" (i * i % 7 < 3 ? "a" : "b") }' >ties.tsv
parts ties.tsv $n 5 ''
for i in 1 2 3; do
	knnclf -k 20 --scores -t train.$i test.$i | sed '1s/score:/probability:/g' | tabscore >score.$i
done
tabcv -n $n --seed 5 --measure log_loss ties.tsv -- 'knnclf -k 20 --scores -t {train} {test}' >got
measured log_loss log_loss rows '' ''
tabcv -n $n --seed 5 --measure auc ties.tsv -- 'knnclf -k 20 --scores -t {train} {test}' >due
tabcv -n $n --seed 5 --measure auc ties.tsv -- \
	'knnclf -k 20 --scores -t {train} {test} | awk -F "\t" "NR > 1 { print \$NF }"' | cmp -s due -
ok $? 'auc of a number a line'
run 1 tabcv -n 2 --measure auc ties.tsv -- 'knnclf -t {train} {test}'
[ "$(sed -n 1p stderr)" = 'tabcv: part 1: auc needs two columns score:CLASS' ]
ok $? 'auc without scores'

# Numbers.
parts "$data/iris.csv" $n 2 '--task regress -y 1'
for i in 1 2 3; do
	knnclf --task regress -y 1 -x 2:4 -k 3 -t train.$i test.$i | tabscore --task regress >score.$i
done
fit='knnclf --task regress -k 3 -t {train} {test}'
for m in rmse mae r2 squared; do
	tabcv -n $n --seed 2 -y 1 -x 2:4 --measure $m "$data/iris.csv" -- "$fit" >got
	case $m in
	rmse) measured $m rmse rows 1 1 ;;
	squared) measured $m rmse rows 1 '' ;;
	mae) measured $m mae rows '' '' ;;
	r2) measured $m r2 parts '' '' ;;
	esac
done
# Queries: relevance 0 to 2, kept together.
awk -F, 'NR == 1 { print "q\ta\tb\ty"; next } { print int(NR / 10) "\t" $1 "\t" $2 "\t" (NR * NR) % 3 }' "$data/iris.csv" >rank.tsv
rank='knnclf --task regress -x a,b -k 5 -t {train} {test}'
tabcv -n 3 --group q --query q --measure ndcg@4 rank.tsv -- "$rank" >got
tabcv -n 3 --group q --query q --measure ndcg@4 --plan rank rank.tsv -- "$rank"
sh rank/tasks
for i in 1 2 3; do
	paste rank/$i.out rank/test.$i | awk -v OFS='\t' '{ print $1, $2, $3, $(NF - 1) }' |
		tabscore --query q --ndcg 4 >score.$i
	awk -F '\t' '$2 == "queries" { w = $3 } $2 == "ndcg@4" { print $3 "\t" w }' score.$i
done | awk -F '\t' "$sum" >due
cut -f 2- got | sed '1s/.*/value\tse/' >is
near is due 1e-12 ndcg@4
[ "$(sed -n 1p got)" = "n${tab}ndcg@4${tab}se" ]
ok $? 'the header names it'

# --loo: over all rows, and the standard error of the rows' losses, if it is of rows.
awk 'NR == 1 || NR % 4 == 0' two.csv >few.csv
tabcv --loo --plan loo few.csv -- "$votes"
sh loo/tasks
for m in mcc auc; do
	tabcv --collect loo --measure $m >got
	i=1
	while [ -e loo/$i.out ]; do
		sed "$([ $i -eq 1 ] || echo 1d)" loo/$i.out
		i=$((i + 1))
	done | tabscore |
		awk -F '\t' -v m=$m 'NR == 1 { print m "\tse" } $2 == m { print $3 "\tNA" }' >due
	cut -f 2- got >is
	near is due 1e-15 "--loo: $m of all rows"
done

# Weights: 42 of the 78 are of class b; a weight is counted by rows.
awk 'BEGIN { print "x\tw\ty"; for (i = 1; i <= 12; i++) print i "\t" i "\t" (i % 2 ? "a" : "b") }' >w.tsv
tabcv -n 3 --weight w w.tsv -- 'awk "FNR > 1 { print \"a\" }" {test}' | awk -F '\t' 'NR == 2 { print $1, $2, $3 * 78 }' >got
same got "12 6 42$nl"
# A row of weight 0 counts nothing, even where its loss is infinite.
awk 'BEGIN { print "x\tw\ty"; for (i = 1; i <= 12; i++) print i "\t" (i == 5 ? 0 : 1) "\t" (i % 2 ? "a" : "b") }' >w.tsv
tabcv -n 3 --weight w --measure log_loss w.tsv -- \
	'awk '"'"'NR == 1 { print "predicted\tprobability:a\tprobability:b" }
		FNR > 1 { print "a\t" ($1 == 5 ? "0\t1" : ".5\t.5") }'"'"' {test}' |
	awk -F '\t' 'NR == 2 { printf "%.15g %s\n", $2 / log(2), $3 }' >got
same got "1 0$nl"

# A loop of the shell by tabfold: the same bytes of parts, and the same choices of --nested.
parts "$data/wine.csv" 3 7 ''
tabcv -n 3 --seed 7 --plan p "$data/wine.csv" -- 'cat {train} {test}'
for i in 1 2 3; do
	cmp -s p/train.$i train.$i && cmp -s p/test.$i test.$i
	ok $? "part $i of tabfold, byte for byte"
done
awk -F, 'NR == 1 { print "a\tb\tg\ty"; next } { print $1 "\t" $2 "\t" int(NR * NR % 37 / 3) "\t" $5 }' "$data/iris.csv" >few.tsv
tabcv -n 3 --seed 7 --group g -x 1:3 --plan g few.tsv -- 'cat {train} {test}'
parts few.tsv 3 7 '--group g'
for i in 1 2 3; do
	cmp -s g/train.$i train.$i && cmp -s g/test.$i test.$i
	ok $? "part $i of tabfold --group, byte for byte"
done
parts "$data/wine.csv" 3 7 ''
for i in 1 2 3; do
	knnclf --scale zscore --cv 4 --seed 7 -k 9,5,1 train.$i |
		awk -F '\t' 'NR > 1 && (!best || $4 < least || $4 == least && $1 < best) { least = $4; best = $1 } END { print best }' >best
	knnclf --scale zscore -k "$(cat best)" -t train.$i test.$i | awk -F '\t' -v i=$i -v k="$(cat best)" -v OFS='\t' '
		NR > 1 { n++; e += $2 != $3 } END { print i, k, n, e, e / n }'
done >loop
tabcv --nested 3 -n 4 --seed 7 "$data/wine.csv" k=9,5,1 -- knnclf >got
sed '1d;$d' got | awk -F '\t' -v OFS='\t' '{ $5 = $4 / $3 } 1' | cmp -s loop -
ok $? '--nested is a loop by tabfold'
awk -F '\t' '{ n += $3; e += $4 } END { print n, e }' loop >due
tail -n 1 got | awk -F '\t' '{ print $3, $4 }' | cmp -s due -
ok $? 'its last line is all parts'

# 40 groups of 25 rows whose class follows the group: a row is told by its group alone.
awk "$uniform"'BEGIN { seed_uniform(1); print "a\tb\tg\ty"; for (g = 0; g < 40; g++) { a = uniform(); b = uniform()
	for (i = 0; i < 25; i++) print a + uniform() / 999 "\t" b + uniform() / 999 "\t" g "\t" (g * 7 % 40 < 20) } }' >groups.tsv
one='knnclf -t {train} {test}'
tabcv -n 5 -x a,b groups.tsv -- "$one" | awk -F '\t' 'NR == 2 { exit !($3 < .01) }'
ok $? 'by rows: nearly no error'
tabcv -n 5 -x a,b --group g groups.tsv -- "$one" | awk -F '\t' 'NR == 2 { exit !(.3 < $3 && $3 < .7) }'
ok $? '--group: as by chance'
# A series whose class drifts.
awk "$uniform"'BEGIN { seed_uniform(2); print "x\tt\ty"; for (t = 0; t < 600; t++) { print t / 100 + uniform() / 99 "\t" t "\t" int(t / 100) % 2 }
	}' >drift.tsv
tabcv -n 5 drift.tsv -x x -- "$one" | awk -F '\t' 'NR == 2 { exit !($3 < .05) }'
ok $? 'by rows: nearly no error'
tabcv -q -n 5 --order t drift.tsv -x x -- "$one" | awk -F '\t' 'NR == 2 { exit !($3 > .3) }'
ok $? '--order: the next block is another'
done_testing
