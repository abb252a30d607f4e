#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tabscore: its measures, its tables, and how it fails.
. "${0%/*}/tap.sh"

# value METRIC [PREDICTION]: the value of a metric in stdout.
value() {
	awk -F '\t' -v m="$1" -v p="${2:-predicted}" \
		'$1 == p && $2 == m { print $3 }' stdout
}
# is_about GOT DUE NAME: equal but for the last digits.
is_about() {
	awk -v g="$1" -v d="$2" 'BEGIN {
		e = g - d; if (e < 0) e = -e
		exit g == "" || e > 1e-12 * (1 + (d < 0 ? -d : d)) }'
	ok $? "$3: $1 is $2"
}

# Classes, by hand.
tabs 'id predicted actual' '1 a a' '2 a a' '3 b a' '4 b b' '5 b b' '6 c b' >classes
run 0 tabscore classes
table 'prediction metric value' 'predicted n 6' \
	'predicted accuracy 0.6666666666666666' \
	'predicted error 0.3333333333333333' \
	'predicted balanced_accuracy 0.6666666666666666' \
	'predicted macro_f1 0.4888888888888889' 'predicted mcc 0.45226701686664544'
err ''
run 0 tabscore --confusion classes
table 'prediction actual predicted n' 'predicted a a 2' 'predicted a b 1' \
	'predicted a c 0' 'predicted b a 0' 'predicted b b 2' \
	'predicted b c 1' 'predicted c a 0' 'predicted c b 0' 'predicted c c 0'
printf 'actual,predicted\n1,1.0\n1,1\n' >labels
run 0 tabscore labels
[ "$(value accuracy)" = 0.5 ]
ok $? 'classes are bytes: 1 is not 1.0'
printf 'actual;predicted\n"NA";"NA"\n"x ""y""";"NA"\n' >odd
run 0 tabscore --confusion odd
printf 'prediction\tactual\tpredicted\tn\npredicted\t"NA"\t"NA"\t1\npredicted\t"NA"\t"x ""y"""\t0\npredicted\t"x ""y"""\t"NA"\t1\npredicted\t"x ""y"""\t"x ""y"""\t0\n' |
	cmp -s - stdout
ok $? 'labels that need quotes keep them'

# Several predictions, in any order of columns, with others between.
printf 'predicted_5,junk,actual,predicted,unpredicted,predictedx,predicted_a\na,,a,b,q,,a\nb,,b,b,q,,a\n' >several
run 0 tabscore several
[ "$(value accuracy predicted_5) $(value accuracy) $(value accuracy predicted_a)" = '1 0.5 0.5' ] &&
	[ "$(cut -f 1 stdout | sed 1d | uniq | tr '\n' ' ')" = 'predicted_5 predicted predicted_a ' ]
ok $? 'each predicted column has its block, in their order'

# Areas under curves.
printf 'predicted,actual,score:a,score:b\na,a,.9,.1\na,a,.6,.4\nb,b,.6,.4\nb,b,.2,.8\n' >scores
run 0 tabscore scores
is_about "$(value auc)" 0.875 'auc, a tie counting one half'
run 0 tabscore --positive a scores
is_about "$(value auc)" 0.875 'auc of the other class'
sed 's/score:b/score:c/' scores >apart
run 0 tabscore apart
[ "$(value auc)" = NA ]
ok $? 'no row of the positive class: NA'
run 0 tabscore --positive a apart
is_about "$(value auc)" 0.875 'auc of a class against the rest'
printf 'predicted_1,predicted_3,actual,score_1:p,score_1:q,score_3:q,score_3:p\np,q,p,1,0,.4,.6\nq,p,q,0,1,.5,.5\n' >two
run 0 tabscore two
[ "$(value auc predicted_1) $(value auc predicted_3)" = '1 1' ]
ok $? 'scores of several predictions'
printf 'predicted,actual,score:a,score:b,score:c\na,a,.9,.1,0\nb,b,.2,.4,.4\nc,c,.1,.5,.4\n' >three
run 0 tabscore three
[ -z "$(value auc)" ]
ok $? 'no auc of three classes'
run 0 tabscore --positive b three
is_about "$(value auc)" 0.5 'but of one of them'
run 65 tabscore --positive x three
out ''
err "tabscore: three:1: no column of scores for class 'x' (knnclf --scores?)$nl"
printf 'predicted,score:b,predicted_,score_:x,predicte,actual,scored:c,score:a\nb,1,a,.5,?,a,2,0\nb,2,a,.5,?,b,2,3\n' >odd_names
run 0 tabscore odd_names
[ "$(cut -f 1 stdout | sed 1d | uniq | tr '\n' ' ')$(value auc) $(value auc predicted_)" = 'predicted predicted_ 1 ' ]
ok $? 'the second class, though its scores come first; one column of scores is not two'
run 0 tabscore --confusion --positive x three
err "tabscore: warning: --positive is not used with --confusion$nl"

# The measures of random tables against their formulas, in awk.
for seed in 1 2 3; do
	awk -v seed=$seed "$uniform"'BEGIN { seed_uniform(seed); print "id,predicted,actual,score:0,score:1"
		for (i = 1; i <= 200; i++) { y = uniform() < .4
			s = int(10 * (uniform() + .5 * y)); print i "," (s > 8) "," y "," 15 - s "," s } }' >random
	run 0 tabscore random
	awk -F , 'NR > 1 { n++; c[$3, $2]++; v[n] = $5; y[n] = $3 }
		END { tn = c[0, 0]; tp = c[1, 1]; fp = c[0, 1]; fn = c[1, 0]
			for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) if (y[i] && !y[j])
				won += v[i] > v[j] ? 1 : v[i] == v[j] ? .5 : 0
			printf "%.17g %.17g %.17g %.17g %.17g\n", (tp + tn) / n, (tp / (tp + fn) + tn / (tn + fp)) / 2,
			tp / (2 * tp + fp + fn) + tn / (2 * tn + fp + fn),
			(tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
			won / ((tp + fn) * (tn + fp)) }' random >due
	read -r accuracy balanced f1 mcc auc <due
	is_about "$(value accuracy)" "$accuracy" accuracy
	is_about "$(value balanced_accuracy)" "$balanced" balanced_accuracy
	is_about "$(value macro_f1)" "$f1" macro_f1
	is_about "$(value mcc)" "$mcc" mcc
	is_about "$(value auc)" "$auc" auc
	run 0 tabscore --task regress random
	awk -F , 'NR > 1 { n++; e = $2 - $3; s += e * e; a += e < 0 ? -e : e; m += $3; q += $3 * $3 }
		END { printf "%.17g %.17g %.17g\n", sqrt(s / n), a / n, 1 - s / (q - m * m / n) }' random >due
	read -r rmse mae r2 <due
	is_about "$(value rmse)" "$rmse" rmse
	is_about "$(value mae)" "$mae" mae
	is_about "$(value r2)" "$r2" r2
done

# Numbers, by hand.
printf 'id,predicted,actual\n1,1,1\n2,4,2\n3,3,3\n4,5,6\n' >numbers
run 0 tabscore --task regress numbers
table 'prediction metric value' 'predicted n 4' \
	'predicted rmse 1.118033988749895' 'predicted mae 0.75' \
	'predicted r2 0.6428571428571429'
printf 'predicted,actual\n1,2\n3,2\n' >flat
run 0 tabscore --task regress flat
table 'prediction metric value' 'predicted n 2' 'predicted rmse 1' \
	'predicted mae 1' 'predicted r2 NA'
printf 'predicted,actual\n1e300,-1e300\n-1e300,1e300\n' >huge
run 0 tabscore --task regress huge
table 'prediction metric value' 'predicted n 2' 'predicted rmse 2e+300' \
	'predicted mae 2e+300' 'predicted r2 -3'

# NDCG.
printf 'q,predicted,actual\nu,5,2\nv,7,0\nu,9,0\nu,3,1\nv,7,0\n' >ranks
run 0 tabscore --query q --ndcg 2 ranks
table 'prediction metric value' 'predicted n 5' 'predicted queries 2' \
	'predicted ndcg@2 0.375'
sed '/^v/d' ranks >u
run 0 tabscore --query 1 --ndcg 2 u
table 'prediction metric value' 'predicted n 3' 'predicted queries 1' \
	'predicted ndcg@2 0.75'
run 0 tabscore --query q --ndcg 3 u
is_about "$(value ndcg@3)" 0.90773243839286432 'rank 3 is divided by log2 3'
sed '/^u/d' ranks >empty
run 0 tabscore --query q --ndcg 10 empty
[ "$(value ndcg@10)" = 0 ]
ok $? 'an empty query counts 0'
# Equal scores: the mean over their orders, whatever the order of the rows.
printf 'q,predicted,actual\nu,1,3\nu,1,0\nu,1,1\nu,0,2\n' >tied
run 0 tabscore --query q --ndcg 2 tied
table 'prediction metric value' 'predicted n 4' 'predicted queries 1' \
	'predicted ndcg@2 0.5333333333333333'
{ sed -n 1p tied && sed 1d tied | sort -r; } >turned
tabscore --query q --ndcg 2 turned | cmp -s - stdout
ok $? 'the order of rows with equal scores does not count'
printf 'q,predicted,actual\nu,5,-1\n' >below
run 65 tabscore --query q --ndcg 1 below
err "tabscore: below:2: column \"actual\": not a relevance from 0 to 1000: '-1'$nl"
printf 'q,predicted,actual\nu,5,1000.5\n' >beyond
refuse "beyond:2: column \"actual\": not a relevance from 0 to 1000: '1000.5'" --query q --ndcg 1 beyond
run 65 tabscore --query z --ndcg 1 ranks
err "tabscore: ranks:1: column \"z\": not found$nl"
run 0 tabscore --query q --ndcg 1 --task classify ranks
err "tabscore: warning: --task is not used with --ndcg$nl"

# Pairs: losses 0 0 1 0 0 1 and 1 0 0 0 1 1, so d = -1 0 1 0 -1 0.
tabs 'actual id predicted' 'b 6 a' 'b 5 c' 'a 1 b' 'a 3 a' 'b 4 b' 'a 2 a' >rival
run 0 tabscore --paired rival classes
table 'prediction metric value' 'predicted n 6' \
	'predicted difference -0.16666666666666666' \
	'predicted t -0.5423261445466404' 'predicted df 5' \
	'predicted p 0.6108811833962555'
run 0 tabscore --paired classes classes
table 'prediction metric value' 'predicted n 6' 'predicted difference 0' \
	'predicted t 0' 'predicted df 5' 'predicted p 1'
run 0 sh -c 'tabscore --paired - classes <rival'
[ "$(value df)" = 5 ]
ok $? 'the rival may come on standard input'
run 2 sh -c 'tabscore --paired - <rival'
printf 'id,predicted,actual\n4,7,6\n3,4,3\n2,3,2\n1,2,1\n' >above
run 0 tabscore --task regress --paired above numbers
is_about "$(value difference)" 0.25 'difference of squared errors'
is_about "$(value t)" 0.26413527189768714 'its t'
printf 'id,predicted,actual\n1,2,1\n2,3,2\n' >m1
printf 'id,predicted,actual\n1,1,1\n2,2,2\n' >m2
run 0 tabscore --task regress --paired m2 m1
[ "$(value t) $(value p)" = 'inf 0' ]
ok $? 'equal differences: t is infinite'
run 0 tabscore --task regress --paired m1 m2
[ "$(value t) $(value p) $(value difference)" = '-inf 0 -1' ]
ok $? 'and -inf the other way'
sed 2q m1 >l1
sed 2q m2 >l2
run 0 tabscore --task regress --paired l2 l1
table 'prediction metric value' 'predicted n 1' 'predicted difference 1' \
	'predicted t NA' 'predicted df 0' 'predicted p NA'
printf 'id,predicted_1,predicted_2,actual\n1,a,b,a\n2,a,b,b\n' >many
printf 'id,predicted,actual\n2,b,b\n1,b,a\n' >alone
run 0 tabscore --paired alone many
[ "$(value n predicted_1) $(value difference predicted_1) $(value difference predicted_2)" = '2 0 0' ]
ok $? 'each is compared with the only one there is'
run 0 tabscore --paired many many
[ "$(value difference predicted_2)" = 0 ]
ok $? 'or with its namesake'
run 65 tabscore --paired many alone
err "tabscore: many:1: column \"predicted\": not found$nl"

unpaired() { # LINES MESSAGE
	# shellcheck disable=SC2059
	printf "id,predicted,actual\n$1" >bad
	run 65 tabscore --paired bad alone
	out ''
	err "tabscore: $2$nl"
}
unpaired '1,b,a\n' "alone:2: column \"id\": '2': not in bad"
unpaired '1,b,a\n2,b,b\n9,b,b\n' "bad:4: column \"id\": '9': not in alone"
unpaired '1,b,b\n2,b,b\n' \
	"bad:2: column \"actual\": not what alone has for id '1'"
unpaired '1,b,a\n2,b,b\n1,b,a\n' "bad:4: column \"id\": listed twice: '1'"
unpaired '1,b,a\n,b,b\n' "bad:3: column \"id\": missing: ''"
printf 'id,predicted,actual\n1,,a\n2,b,b\n' >first
printf 'id,predicted,actual\n1,a,a\n2,,b\n' >second
refuse 'first: every row has a missing cell here and in second' --na omit --paired second first
printf 'predicted,actual\na,a\n' >nameless
run 65 tabscore --paired alone nameless
err "tabscore: nameless:1: column \"id\": not found$nl"

# Missing cells.
printf 'id,predicted,actual\n1,a,a\n2,,b\n3,b,NA\n4,b,b\n' >holes
run 65 tabscore holes
out ''
err "tabscore: holes: missing cells: column \"predicted\": 1, at line 3; column \"actual\": 1, at line 4 (--na omit?)$nl"
logged 0 tabscore --na omit holes
[ "$(value n) $(value accuracy)" = '2 1' ]
ok $? 'rows with a missing cell are left out'
err ''
grep -qx "left out${tab}2" log && grep -qx "rows${tab}2" log
ok $? '-v says so'
printf 'id,predicted,actual\n4,a,b\n3,?,b\n2,b,b\n1,a,a\n' >holes2
run 0 tabscore --na omit --paired holes2 holes
[ "$(value n) $(value difference)" = '2 -0.5' ]
ok $? 'and pairs of which one is'
printf 'predicted,actual\n,a\n' >none
run 65 tabscore --na omit none
err "tabscore: none: every row has a missing cell$nl"

# Bad tables.
refuse_file 'id,actual\n1,a\n' ':1: column "predicted": not found (knnclf -t TRAIN TEST | tabscore?)'
refuse_file 'id,predicted\n1,a\n' \
	':1: column "actual": not found (rows without the target?)'
refuse_file 'predicted,actual\n1,x\n' \
	":2: column \"actual\": not a number: 'x' (--task?)" --task regress
refuse_file 'predicted,actual\n1,1e999\n' \
	":2: column \"actual\": too large for a double: '1e999'" --task regress
refuse_file 'predicted,actual,score:a,score:b\na,a,1,\n' \
	":2: column \"score:b\": missing: '' (--na omit?)"
refuse_file 'predicted,actual\n' ': no row below the header'
refuse_file 'predicted,actual\na\n' ':2: 1 cells where the header has 2'
refuse_file '' ': empty input'
run 66 tabscore nowhere
err "tabscore: nowhere: No such file or directory$nl"

# Wrong calls.
misuse '--query and --ndcg need each other' --query q ranks
misuse '--query and --ndcg need each other' --ndcg 3 ranks
misuse '--confusion, --paired, --ndcg and --ranks exclude each other' \
	--confusion --paired classes classes
misuse '--confusion is of classes (--task classify)' \
	--confusion --task regress numbers
misuse "bad --na: 'mean' (error or omit)" --na mean classes
misuse "bad --ndcg: '0' (a whole number from 1)" \
	--query q --ndcg 0 ranks
misuse "unknown option '-H'" -H classes

# Pipes, gzip, several files, -o, a full device.
run 0 tabscore classes
mv stdout once
gzip -c classes >classes.gz
run 0 sh -c 'cat classes.gz | tabscore'
cmp -s stdout once
ok $? 'gzip on a pipe'
sed 3q classes >c1
sed 2,3d classes >c2
run 0 tabscore c1 c2
cmp -s stdout once
ok $? 'two operands are one table'
tr '\t' '|' <classes >bars
run 0 tabscore -d '|' bars
cmp -s stdout once
ok $? '-d'
run 0 tabscore -o got classes
out ''
cmp -s got once
ok $? '-o'
run 74 sh -c 'tabscore classes >/dev/full'
err "tabscore: <stdout>: No space left on device$nl"

# What knnclf prints.
tabfold --fold 1/3 --part train "$data/wdbc.csv" >train.tsv
tabfold --fold 1/3 --part test "$data/wdbc.csv" >test.tsv
knnclf -q -t train.tsv -k 1,5 --scores test.tsv >predictions
run 0 tabscore predictions
awk -F '\t' 'NR > 1 { wrong += $3 != $4 } END { printf "%.17g", wrong / (NR - 1) }' predictions >due
is_about "$(value error predicted_5)" "$(cat due)" 'the error of knnclf'
[ -n "$(value auc predicted_1)" ] && [ -n "$(value auc predicted_5)" ]
ok $? 'and the areas of its scores'

# Probabilities: the log loss of .8, .5, .2, 1 is the mean of their logarithms.
tabs 'predicted actual probability:a probability:b' 'a a .8 .2' 'a b .5 .5' 'b a .2 .8' \
	'b b 0 1' >chances
run 0 tabscore chances
awk -F '\t' '{ v[$2] = $3 } END {
	loss = -(log(.8) + log(.5) + log(.2) + log(1)) / 4
	brier = 2 * (.04 + .25 + .64 + 0) / 4
	exit !((v["log_loss"] - loss) ^ 2 < 1e-28 &&
	    (v["brier"] - brier) ^ 2 < 1e-28 && v["auc"] == .75 && NR == 10) }' stdout
ok $? 'log loss and Brier score'
# Columns of probabilities that several predictions have: 20 of 20.
awk 'BEGIN {
	head = "actual"
	row = "c1"
	for (name = "predicted_a"; n++ < 20; name = name ":x") {
		head = head "\t" name
		row = row "\tc1"
	}
	for (k = 1; k <= 20; k++) {
		head = head "\tprobability" substr(name, index(name, "_")) ":c" k
		row = row "\t.05"
	}
	print head
	print row
}' >many
run 0 tabscore many
[ "$(awk -F '\t' '$2 == "log_loss"' stdout | wc -l)" -eq 20 ]
ok $? 'a column of probabilities of several predictions'
sed 's/probability:/score:/g' chances >scores
run 0 tabscore scores
[ "$(wc -l <stdout)" -eq 8 ]
ok $? 'scores are no probabilities'
tabs 'predicted actual probability:a probability:b' 'a c .8 .2' >chances
run 0 tabscore chances
grep -q "log_loss${tab}inf" stdout && grep -q "brier${tab}1.68" stdout
ok $? 'a class without a column'
tabs 'predicted actual probability:a probability:b' 'a a .8 .2' 'a b .5 .6' >chances
refuse 'chances:3: the probabilities of "predicted" have a sum of 1.1, not 1' chances
tabs 'predicted actual probability:a probability:b' 'a a 1.8 -.8' >chances
refuse "chances:2: column \"probability:a\": not a probability from 0 to 1: '1.8'" chances
tabs 'predicted actual probability:a probability:b' 'a a NA .2' >chances
refuse "chances:2: column \"probability:a\": missing: 'NA' (--na omit?)" chances
tabs 'predicted actual probability:a probability:b' 'a a .801 .198' 'a b .5 .5' >chances
run 0 tabscore chances

# Weights: whole numbers are repetitions, in every measure.
repeat() { # rows as often as the column w says
	awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "w") w = i; print; next }
		{ id = $1; for (i = 0; i < $w; i++) { $1 = id "." i; print } }'
}
awk "$uniform"'BEGIN {
	seed_uniform(7)
	print "id\tpredicted\tactual\tprobability:a\tprobability:b\tw"
	for (i = 1; i <= 40; i++) {
		p = int(uniform() * 16) / 16
		print i "\t" (p > .5 ? "a" : "b") "\t" (uniform() < .6 ? "a" : "b") "\t" p "\t" 1 - p "\t" i % 4
	}
}' >weighted
repeat <weighted >repeated
awk -F '\t' -v OFS='\t' 'NR > 1 { $2 = $2 == "a" ? 1 : $1 % 3; $3 = $3 == "a" } 1' weighted |
	cut -f 1-3,6 >numbers_w
repeat <numbers_w >numbers_r
awk -F '\t' -v OFS='\t' 'NR > 1 { $2 = $1 % 3 ? "a" : "b" } 1' weighted >other
repeat <other >other_r
weighs() { # NAME OPTIONS FILE REPEATED: equal but for n and weight
	weighs=$1
	shift
	# shellcheck disable=SC2086 # words
	tabscore $1 "$3" | grep -v "${tab}n$tab" >due
	# shellcheck disable=SC2086 # words
	run 0 tabscore $1 --weight w "$2"
	err ''
	grep -v "${tab}n$tab\|${tab}weight$tab" stdout >got
	near got due 1e-12 "$weighs"
}
weighs 'classes, chances and auc' '' weighted repeated
[ "$(value n) $(value weight)" = '40 60' ]
ok $? 'rows, and what they weigh'
weighs 'numbers' '--task regress' numbers_w numbers_r
run 0 tabscore --confusion --weight w weighted
tabscore --confusion repeated | sed '1s/n$/weight/' | cmp -s - stdout
ok $? 'the table of classes'
tabscore --paired other_r repeated | grep -v "${tab}n$tab" >due
run 0 tabscore --paired other --weight w weighted
grep -v "${tab}n$tab\|${tab}weight$tab" stdout >got
near got due 1e-12 'pairs'
awk -F '\t' -v OFS='\t' 'NR > 1 { $NF = sprintf("%.17g", $NF / 60) } 1' weighted >shares
run 0 tabscore --weight w shares
is_about "$(value weight)" 1 'weights may be fractions'
is_about "$(value error)" "$(tabscore repeated | awk '$2 == "error" { print $3 }')" 'their error'
sed '3s/[^\t]*$/-1/' weighted >below
refuse "below:3: column \"w\": negative: '-1'" --weight w below
sed '3s/[^\t]*$/NA/' weighted >holes
refuse "holes:3: column \"w\": missing: 'NA' (--na omit?)" --weight w holes
run 0 tabscore --na omit --weight w holes
[ "$(value n)" = 39 ]
ok $? 'or the row is left out'
mv stdout due
sed '3s/NA$/"NA"/' holes >quoted
run 0 tabscore --na omit --weight w quoted
cmp -s due stdout
ok $? 'a quoted NA is no number, either'
printf 'predicted,actual,score:a,score:b\na,a,2,-1\n"NA",a,1,.5\nb,b,"NA",3\nb,b,1,"NA"\n' >quoted
run 0 tabscore -q --na omit --positive b quoted
[ "$(value n)" = 3 ] && [ "$(value auc)" = 1 ]
ok $? 'of scores, too, but of classes it is a text'
sed '2,$s/[^\t]*$/0/' weighted >zeros
refuse 'zeros: column "w": all weights are 0' --weight w zeros
refuse 'zeros: column "w": all weights are 0' --paired other --weight w zeros
refuse 'weighted:1: column "v": not found' --weight v weighted
misuse '--weight counts rows, and --ndcg queries: they exclude each other' --query q --ndcg 2 --weight w ranks
misuse '--weight counts rows, and --ranks sets: they exclude each other' --ranks --weight w ranks

# Mean ranks: methods a and b tie on set 1; chi-square, p and the range by scipy.
tabs 'set method note error' '1 a x .1' '1 b x .1' '1 c x .3' '2 a x .2' '2 b x .1' '2 c x .4' \
	'3 c x .1' '3 a x .2' '3 b x .3' '4 a x .3' '4 b x .1' '4 c x .9' >results
run 0 tabscore --ranks results
err ''
rounded_table 'prediction metric value' 'a mean_rank 1.875' 'b mean_rank 1.625' 'c mean_rank 2.5' \
	'(all) sets 4' '(all) left_out 0' '(all) friedman 1.73333333333' '(all) df 2' \
	'(all) p 0.420350384509' '(all) critical_difference 1.6572465777'
cp stdout due
awk -F '\t' -v OFS='\t' '{ $4 = NR == 1 ? "auc" : 1 - $4 } 1' results | tabscore --ranks >got
near got due 1e-12 'of a measure that grows the largest is the best'
{
	cat results
	tabs '1 a x .2' '1 a x 0'
} | tabscore --ranks | cmp -s - due
ok $? 'repetitions count by their mean'
{
	cat results
	tabs '5 a x .2' '6 a x NA' '6 b x 1' '6 c x 1'
} >holes
refuse "holes:15: column \"error\": missing: 'NA' (--na omit leaves the set out)" --ranks holes
grep -v NA holes >lacks
refuse "lacks: set '5': no row of method 'b' (--na omit leaves the set out)" --ranks lacks
run 0 tabscore --ranks --na omit holes
sed 's/left_out\t0/left_out\t2/' due | cmp -s - stdout
ok $? 'sets that lack a result are left out, and counted'
tabs 'method set error' 'a 1 .1' 'b 1 .2' >one
refuse 'one: 2 methods and 1 set with a result of each: two and more are needed' --ranks one
refuse 'classes:1: not a table of results: columns method, set and a measure, as error, expected' --ranks classes
tabs 'method set error' 'a 1 x' 'a 2 1' >text
refuse "text:2: column \"error\": not a number: 'x'" --ranks text
misuse '--confusion, --paired, --ndcg and --ranks exclude each other' --ranks --confusion results
run 0 tabscore --ranks --task regress --positive a results
err "tabscore: warning: --task is not used with --ranks
tabscore: warning: --positive is not used with --ranks
"
cmp -s due stdout
ok $? 'and change nothing'

# The columns stand in any order.
tabs 'score:a score:b predicted actual' '.9 .1 a a' '.2 .8 b b' '.6 .4 a b' '.7 .3 a a' >first
awk -F '\t' -v OFS='\t' '{ print $3, $4, $1, $2 }' first >last
run 0 tabscore last
mv stdout due
grep -q '^predicted	auc	1$' due
ok $? 'scores behind the predictions'
run 0 tabscore first
cmp -s due stdout
ok $? '... and before them'

done_testing
