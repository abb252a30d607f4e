#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tabcv: parts, trials, the choice, nested, and wrong calls.  tabcv_tasks.t has what becomes of
# tasks, tabcv_measures.t the measures, tabcv_recipes.t the recipes.
# shellcheck disable=SC2016 # lines of another shell
. "${0%/*}/tap.sh"

knn='knnclf -k 1,3 --scale zscore -t {train} {test}'

# The parts, the errors and their digits are those of --cv.
for table in iris wine; do
	for n in 2 10; do
		knnclf --cv $n --seed 3 --scale zscore -k 1,3 "$data/$table.csv" >due
		tabcv --seed 3 -n $n "$data/$table.csv" -- "$knn" | cmp -s due -
		ok $? "$table, $n parts: the table of knnclf --cv"
	done
done
# One task a row: every third row of iris.
awk 'NR % 3 == 1' "$data/iris.csv" >some.csv
knnclf --loo -k 1,3 some.csv >due
tabcv --loo some.csv -- 'knnclf -k 1,3 -t {train} {test}' | cmp -s due -
ok $? '--loo: the table of knnclf --loo'
knnclf --cv 5 --task regress -k 3,5 "$data/iris.csv" -y 1 -x 2:4 >due
tabcv -n 5 --task regress -y 1 -x 2:4 "$data/iris.csv" -- \
	'knnclf --task regress -k 3,5 -t {train} {test}' | cmp -s due -
ok $? '--task regress: the table of knnclf --cv'
knnclf --loo --task regress -k 3,5 some.csv -y 1 -x 2:4 >due
tabcv --loo --measure rmse -y 1 -x 2:4 some.csv -- \
	'knnclf --task regress -k 3,5 -t {train} {test}' | cmp -s due -
ok $? '--loo, numbers: the table of knnclf --loo'
tabfold --fold 1/3 --part train "$data/iris.csv" >a.tsv
tabfold --fold 1/3 --part test "$data/iris.csv" >b.tsv
knnclf --print errors -k 1,3 -t a.tsv b.tsv >due
awk -F '\t' -v OFS='\t' '{ t = $1; $1 = $5; $5 = $3; $3 = t; print }' b.tsv >moved.tsv
tabcv --test moved.tsv a.tsv -- 'knnclf -k 1,3 -t {train} {test}' | cmp -s due -
ok $? '--test, its columns in another order: the table of knnclf --print errors'
tabcv - <"$data/iris.csv" k=1,3 -- 'knnclf -k {k} -t {train} {test}' >got
knnclf --cv 10 -k 1,3 "$data/iris.csv" | cmp -s got -
ok $? 'TABLE from standard input'

# A small table: x is the row, y its class, g its group, t its time.
{
	tabs 'x g t y'
	awk 'BEGIN { for (i = 1; i <= 12; i++) print i "\tg" int((i + 2) / 3) "\t" 13 - i "\t" (i % 2 ? "a" : "b") }'
} >t.tsv
cut -f1,4 t.tsv >xy.tsv
guess='awk "FNR > 1 { print \"{c}\" }" {test}'
run 0 tabcv -n 3 xy.tsv c=a,b -- "$guess"
table 'c n errors error se' 'a 12 6 0.5 0' 'b 12 6 0.5 0'
run 0 tabcv --csv -n 3 xy.tsv c=a,b -- "$guess"
out "c,n,errors,error,se${nl}a,12,6,0.5,0${nl}b,12,6,0.5,0$nl"
run 0 tabcv -n 2 --repeats 3 xy.tsv c=a -- "$guess"
table 'c n errors error se' 'a 36 18 0.5 0'
run 0 tabcv --nested 2 -n 2 xy.tsv c=a,b -- "$guess"
table 'part c n errors error' '1 a 6 3 0.5' '2 a 6 3 0.5' 'mean NA 12 6 0.5'
# Several predictions are a parameter more; a table without actual; a list that says nothing new.
run 0 tabcv -n 3 xy.tsv -- 'awk "BEGIN { print \"predicted_1,predicted_a\" } FNR > 1 { print \"a,b\" }" {test}'
table 'k n errors error se' '1 12 6 0.5 0' 'a 12 6 0.5 0'
# A class called as a column, and one line more than rows: still a list.
run 1 tabcv -n 3 xy.tsv -- 'awk "{ print \"class\" }" {test}'
err "tabcv: part 1: 5 predictions for 4 rows
tabcv: part 2: 5 predictions for 4 rows
tabcv: part 3: 5 predictions for 4 rows$nl"
# NA, and a class that is not there, are wrong.
run 0 tabcv -n 3 xy.tsv c=NA,z,b -- "$guess"
table 'c n errors error se' '"NA" 12 12 1 0' 'z 12 12 1 0' 'b 12 6 0.5 0'

# The best: least error, then smallest k, then the first; =1se the first within one se.
run 0 tabcv --best -n 3 xy.tsv c=b,a -- "$guess"
table 'c n errors error se' 'b 12 6 0.5 0'
err "tabcv: chosen: c=b (error 0.5, se 0, 3 parts)$nl"
run 0 tabcv -q --best -n 3 xy.tsv k=9,10 c=a,b -- "$guess; : {k}"
table 'k c n errors error se' '9 a 12 6 0.5 0'
err ''
# A note on a choice at an end of its values, three or more: not where one between is as good, nor
# of 1, below which is no k, nor for =1se, nor of texts.
ends() { # VALUES GOOD NOTE: the values that predict all rows rightly
	run 0 tabcv --best -n 2 xy.tsv "$1" -- \
		"case ' $2 ' in *' {v} '*) cat {test} | sed 1d | cut -f 2 ;; *) sed '1d; s/.*/z/' {test} ;; esac"
	[ "$(sed 1d stderr)" = "${3:+tabcv: note: $3}" ]
	ok $? "$1, good $2: ${3:-no note}"
}
ends v=.1,1,10 10 'v=10 is the largest value tried, a larger one may be better'
ends v=10,1,.1 .1 'v=.1 is the smallest value tried, a smaller one may be better'
ends v=10,1,.1 1
ends v=3,2,1 1
ends v=3,2,1 3 'v=3 is the largest value tried, a larger one may be better'
ends v=3,2,1,0 0
ends v=3,2,1 '3 2'
ends v=3,1 3
ends v=a,b,c c
ends v=auto,1,2,3 auto
run 0 tabcv --best=1se -n 2 xy.tsv v=3,2,1 -- 'sed 1d {test} | cut -f 2; : {v}'
err "tabcv: chosen: v=3 (error 0, se 0, 2 parts)$nl"
run 0 tabcv -q --best -n 2 xy.tsv v=3,2,1 -- 'sed 1d {test} | cut -f 2; : {v}'
err ''
run 0 tabcv --best -n 3 xy.tsv -- 'awk "BEGIN { print \"predicted_2,predicted_4,predicted_8\" } FNR > 1 { print \"b,b,\" \$2 }" {test}'
err "tabcv: chosen: k=8 (error 0, se 0, 3 parts)
tabcv: note: k=8 is the largest value tried, a larger one may be better$nl"
good='awk -v m={m} "FNR > 1 { print \$1 <= m ? \$2 : \"z\" }" {test}'
run 0 tabcv -n 3 xy.tsv m=6,8,9,6 -- "$good"
cp stdout all
run 0 tabcv -q --best -n 3 xy.tsv m=6,8,9,6 -- "$good"
out "$(sed -n '1p;4p' all)$nl"
run 0 tabcv -q --best=1se -n 3 xy.tsv m=6,8,9,6 -- "$good"
out "$(sed -n '1p;3p' all)$nl"
run 0 tabcv -q -n 3 --then 'echo {c} $(wc -l <{train}) {seed}' xy.tsv c=b,a -- "$guess"
out "b 13 1$nl"
run 0 tabcv -q -n 3 --then 'echo {k}' xy.tsv k=b,a -- 'awk "FNR > 1 { print \"{k}\" }" {test}'
out "b$nl"
run 0 tabcv -q -n 3 --then 'echo {k}' xy.tsv -- 'awk "BEGIN { print \"predicted_1,predicted_a\" } FNR > 1 { print \"a,b\" }" {test}'
out "1$nl"
run 0 tabcv -q -n 3 --then 'echo {c}' -o then.out xy.tsv c=b,a -- "$guess"
out ''
same then.out "b$nl"
run 7 tabcv -q -n 3 --then 'echo {c}; exit 7' -o none.out xy.tsv c=b,a -- "$guess"
err "tabcv: the final command failed with status 7$nl"
out ''
[ ! -e none.out ]
ok $? 'no output of a final command that fails'
run 1 tabcv -q -n 3 --then 'echo {c}; exit 1' xy.tsv c=b,a -- "$guess"
out "b$nl"
tabfold --fold 1/2 --part test xy.tsv >half.tsv
run 0 tabcv -q --test half.tsv --then 'cat {test}' xy.tsv c=b,a -- "$guess"
out "$(cat half.tsv)$nl"
run 1 tabcv --best -n 3 xy.tsv c=a -- 'awk "BEGIN { exit 3 }" {c} {test}'
table 'c n errors error se'
run 1 tabcv --then 'touch ran' -n 3 xy.tsv c=a -- 'awk "BEGIN { exit 3 }" {c} {test}'
[ ! -e ran ]
ok $? 'where nothing can be chosen, no final command runs'

# What parts have: features in the order of TABLE, the query, the target last.
columns() { tabcv "$@" -- 'head -n 1 {test} >>heads; awk "FNR > 1 { print 1 }" {test}' >/dev/null; }
while read -r due call; do
	: >heads
	# shellcheck disable=SC2086 # words of a call
	columns -n 2 $call
	[ "$(sort -u heads | tr '\t' ,)" = "$due" ]
	ok $? "columns of parts: $call"
done <<'END'
x,g,t,y t.tsv
x,t,y --group g t.tsv
x,g,y --id t t.tsv
x,t,y --group g -x x,t t.tsv
g,t,y -x 3,2 t.tsv
t,g,y -x t --query g t.tsv
x,g,t,y --group g -x 1:3 t.tsv
g,t,y,x -y x --measure rmse t.tsv
END

# Groups stay together, whatever the order of the rows.
tabcv -n 2 --group g --plan p t.tsv -- 'cat {train} {test}'
{ sed -n 1p t.tsv; sed 1d t.tsv | sort -r; } >r.tsv
tabcv -n 2 --group g --plan r r.tsv -- 'cat {train} {test}'
run 0 awk -F '\t' 'FNR > 1 { g[int(($1 + 2) / 3)] = g[int(($1 + 2) / 3)] FILENAME }
	END { for (i in g) if (g[i] !~ /^(p.test.1)+$/ && g[i] !~ /^(p.test.2)+$/) exit 1 }' p/test.1 p/test.2
for i in 1 2; do
	sort p/test.$i >a
	sort r/test.$i | cmp -s a -
	ok $? "--group: part $i does not depend on the order of rows"
done
# Blocks of an order: equal values in one, numbers or texts; less an embargo.
tabcv -n 3 --order t --embargo 1 --plan o t.tsv -- 'cat {train} {test}'
run 0 awk -F '\t' 'FNR > 1 { s = s " " $1 } FNR == 1 { s = s "/" } END { print s }' o/train.1 o/test.1 o/train.3 o/test.3
out "/ 11 12/ 7 8 9/ 5 6 7 8 9 10 11 12/ 1 2 3$nl"
awk -F '\t' -v OFS='\t' '{ $3 = NR == 1 ? "t" : "2024-0" (NR < 7 ? 1 : NR < 9 ? 2 : 3) } 1' t.tsv >dates.tsv
tabcv -n 2 --order t --plan od dates.tsv -- 'cat {train} {test}'
run 0 awk -F '\t' 'FNR > 1 { s = s " " $1 } FNR == 1 { s = s "/" } END { print s }' od/train.1 od/test.1 od/train.2 od/test.2
out "/ 1 2 3 4 5/ 6 7/ 1 2 3 4 5 6 7/ 8 9 10 11 12$nl"
refuse 'dates.tsv: 3 + 1 blocks of only 3 different values (--order)' -n 3 --order t dates.tsv -- 'cat {test}'
refuse 't.tsv: --embargo 3 leaves no row before block 2' -n 3 --order t --embargo 3 t.tsv -- 'cat {test}'
sed '2s/12/x/' t.tsv >mixed.tsv
refuse "mixed.tsv:3: column \"t\": a number in a column of text: '11' (--order)" --order t mixed.tsv -- 'cat {test}'
printf 'a\ty\n1\t2\n2\t"NA"\n3\t4\n' >quoted.tsv
refuse 'quoted.tsv:3: column "y": missing cell (--target)' --task regress quoted.tsv -- 'cat {test}'
tabcv --folds g --plan f t.tsv -- 'cat {train} {test}'
run 0 awk 'FNR > 1 { s = s " " $1 } FNR == 1 { s = s "/" } END { print s }' f/test.1 f/test.2 f/test.3 f/test.4
out "/ 1 2 3/ 4 5 6/ 7 8 9/ 10 11 12$nl"

# Wrong calls.
misuse 'no TABLE'
misuse 'no command: tabcv TABLE -- knnclf, or a line of the shell with {train} and {test}' xy.tsv
misuse 'no command: tabcv TABLE -- knnclf, or a line of the shell with {train} and {test}' xy.tsv --
misuse "'x': not NAME=V,V,... (-- before the command?)" xy.tsv x -- 'cat {test}'
misuse "two parameters 'x'" xy.tsv x=1 x=2 -- 'cat {test}'
misuse '{tmp} is no parameter' xy.tsv tmp=1 -- 'cat {test}'
misuse 'x: its values are no line of CSV' xy.tsv 'x="a' -- 'cat {test}'
misuse 'no {x} in the command' xy.tsv x=1 -- 'cat {test}'
recipes='(knnclf, sqpfw, relief, immigrate, knife, wsvmpath)'
misuse "'cat' is no recipe $recipes, and has no {test}" xy.tsv -- cat
misuse "'svm' is no recipe $recipes, and has no {test}: wsvmpath?" xy.tsv -- svm
misuse "'Relif' is no recipe $recipes, and has no {test}: relief?" xy.tsv -- Relif -k 3
misuse "unknown option '--na' (an option of COMMAND? behind its name: -- knnclf --na mean)" \
	xy.tsv --na mean -- knnclf
misuse 'no {test} in the command: knnclf -t {train} {test}?' xy.tsv -- 'knnclf {train}'
misuse "bad --measure: 'x'" --measure x xy.tsv -- 'cat {test}'
misuse "bad --measure: 'ndcg'" --measure ndcg xy.tsv -- 'cat {test}'
misuse '--measure rmse is of --task regress' --task classify --measure rmse xy.tsv -- 'cat {test}'
misuse '--measure ndcg@K needs --query' --measure ndcg@3 xy.tsv -- 'cat {test}'
misuse '--embargo needs --order' --embargo 2 xy.tsv -- 'cat {test}'
misuse '--loo, --group, --order, --folds and --test exclude each other' --loo --group x xy.tsv -- 'cat {test}'
misuse '--nested excludes --best, --then, --loo and --test' --nested 3 --best xy.tsv -- 'cat {test}'
misuse '--loo, --folds and --test exclude -n' --loo -n 3 xy.tsv -- 'cat {test}'
misuse '--loo, --folds, --order and --test exclude --repeats' --order x --repeats 3 xy.tsv -- 'cat {test}'
misuse '--weight is for error, log_loss, rmse, mae and squared' --weight x --measure mcc xy.tsv -- 'cat {test}'
misuse '--then: {test} is the file of --test' --then 'cat {test}' xy.tsv -- 'cat {test}'
misuse '--target: column "x" has another role' -y x --group x xy.tsv -- 'cat {test}'
misuse '--features: column "y" is the target' -x x,y xy.tsv -- 'cat {test}'
misuse 'standard input named twice (give the rows as operand FILE)' --test - - -- 'cat {test}'
refuse 'xy.tsv: 20 parts of only 12 rows' -n 20 xy.tsv -- 'cat {test}'
refuse 't.tsv: 5 parts of only 4 groups' -n 5 --group g t.tsv -- 'cat {test}'
refuse 't.tsv: 5 parts of only 4 groups' --nested 5 --folds g t.tsv -- 'cat {test}'
refuse 'xy.tsv:1: column "z": not found' --group z xy.tsv -- 'cat {test}'
refuse "t.tsv:2: column \"g\": not a number: 'g1'" --weight g t.tsv -- 'cat {test}'
sed '3s/b/NA/' xy.tsv >na.tsv
refuse 'na.tsv:3: column "y": missing cell (--target)' na.tsv -- 'cat {test}'
awk -F '\t' -v OFS='\t' 'NR == 1 || $4 = "one"' t.tsv >one.tsv
refuse 'one.tsv: all rows are in one part' --folds y -y g one.tsv -- 'cat {test}'
done_testing
