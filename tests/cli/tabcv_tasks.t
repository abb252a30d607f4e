#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tabcv: what COMMAND may be and do: names and values with quotes and blanks, tasks that fail in
# every way, signals, plans.
# shellcheck disable=SC2016 # lines of another shell
. "${0%/*}/tap.sh"

awk 'BEGIN { print "x\ty"; for (i = 1; i <= 12; i++) print i "\t" (i % 2 ? "a" : "b") }' >xy.tsv
all_a='awk "FNR > 1 { print \"a\" }" {test}'
trials='n errors error se'

# Names of files, folders and values that sh reads otherwise.
odd="odd 'name\$(touch broken)\"; & é"
mkdir "$odd"
cp xy.tsv "$odd/t.tsv"
value="v 'x' \"y\" \$(touch broken) \\ ; * ~ é"
TMPDIR=$PWD/$odd tabcv -n 2 "$odd/t.tsv" "v=\"$(echo "$value" | sed 's/"/""/g')\"" -- \
	'printf "%s\n" {v} >seen; awk "FNR > 1 { print \"a\" }" {test}' >stdout 2>stderr
same stderr ''
same seen "$value$nl"
[ ! -e broken ] && [ "$(sed -n 2p stdout | cut -f 2-)" = "12${tab}6${tab}0.5${tab}0" ]
ok $? 'quotes, blanks and $( in names and values are no words of sh'
run 0 tabcv -n 2 xy.tsv 'v=a b,"c,d",' -- 'echo [{v}] >>values; : "{v }" {w};'" $all_a"
[ "$(sort -u values | tr '\n' '|')" = '[]|[a b]|[c,d]|' ]
ok $? 'values are cells of CSV, also an empty one'
misuse "{v} stands in quotes, and its value is 'a b'" xy.tsv 'v=a b' -- "echo '{v}'; cat {test}"
misuse "{v} stands in quotes, and its value is 'a;b'" xy.tsv 'v=a;b' -- 'echo "{v}"; cat {test}'
run 0 tabcv -n 2 xy.tsv v=.1 -- "echo '{v}' \"{v}\" \\\\{v} '{' {x} \\{v} {1..2} >seen; $all_a"
same seen ".1 .1 \\.1 { {x} {v} {1..2}$nl"

# What a task gets.
run 0 tabcv -n 2 -j 2 --seed 7 xy.tsv -- 'cat; echo $KITH_THREADS {seed} >threads; ls {tmp} >empty; pwd >dir; '"$all_a"
table "$trials" '12 6 0.5 0'
same threads "1 7$nl"
same empty ''
same dir "$PWD$nl"
# jobs: how many tasks ran, and how many at a time, by the log of -v.
jobs() { sed -n 's/^t[a-z]*s	//p' stderr | tr '\n' ' '; }
run 0 env KITH_THREADS=3 tabcv -v -n 2 xy.tsv -- "$all_a"
[ "$(jobs)" = '3 2 ' ]
ok $? 'KITH_THREADS: 2 tasks, 3 at a time'
if command -v taskset >/dev/null; then
	run 0 env -u KITH_THREADS taskset -c 0 tabcv -v -n 2 xy.tsv -- "$all_a"
	[ "$(jobs)" = '1 2 ' ]
	ok $? 'one processor: 2 tasks, 1 at a time'
else
	skip 'no taskset (package util-linux)'
fi
run 2 env KITH_THREADS=0 tabcv xy.tsv -- "$all_a"
err "tabcv: bad KITH_THREADS: '0' (a whole number from 1 to 256)$nl$help"
run 0 env PATH=/usr/bin:/bin "$(command -v tabcv)" -n 2 xy.tsv -- 'tabfold -V >version; '"$all_a"
tabfold -V | cmp -s - version
ok $? 'commands beside tabcv are found'

# Tasks in any order: the same bytes, messages included.
mixed='[ {k} != 3 ] || { echo no >&2; exit 9; }; [ {k} != 5 ] || sleep .1; knnclf -k {k} -t {train} {test}'
run 1 tabcv -j 1 -n 3 "$data/iris.csv" k=1,3,5 -- "$mixed"
cp stdout due
cp stderr said
run 1 tabcv -j 5 -n 3 "$data/iris.csv" k=1,3,5 -- "$mixed"
cmp -s stdout due && cmp -s stderr said
ok $? 'the same bytes with -j 5'
same said "tabcv: k=3, part 1: status 9
tabcv:   no
tabcv: k=3, part 2: status 9, as above
tabcv: k=3, part 3: status 9, as above$nl"
sed -n 3p due >line
same line "3${tab}NA${tab}NA${tab}NA${tab}NA$nl"

# Tasks that fail: in one part alone, too.
while IFS='|' read -r why line; do
	run 1 tabcv -j 1 -n 2 xy.tsv -- "$line"
	table "$trials" 'NA NA NA NA'
	sed -n 1p stderr >first
	same first "tabcv: part 1: $why$nl"
done <<'END'
status 0, and it printed nothing|: {test}
status 1, and it printed nothing|exit 1; : {test}
status 127|no-such-command {test}
signal 9|kill -9 $$; cat {test}
1 predictions for 6 rows|echo a; : {test}
7 predictions for 6 rows|cat {test}
line 2: column "actual": row 3 of the table is not 'z'|awk '{ print FNR == 1 ? "predicted\tactual" : "a\tz" }' {test}
END
run 1 tabcv -q -n 2 xy.tsv k=1 -- 'awk "{ print FNR == 1 ? \"predicted_1\tpredicted_3\" : \"a\tb\" }" {test}; : {k}'
err "tabcv: k=1, part 1: a parameter k, and columns predicted_K
tabcv: k=1, part 2: a parameter k, and columns predicted_K$nl"
run 1 tabcv -n 2 xy.tsv -- 'case {test} in *.2) exit 3;; esac; '"$all_a"
table "$trials" 'NA NA NA NA'
err "tabcv: part 2: status 3$nl"
run 1 tabcv -n 2 --measure rmse -y x -x y xy.tsv -- 'awk "FNR > 1 { print FNR == 3 ? \"NA\" : 1 }" {test}'
err "tabcv: part 1: line 2: column \"V1\": missing: 'NA'
tabcv: part 2: line 2: column \"V1\": missing: 'NA'$nl"
run 1 tabcv -j 3 -n 12 xy.tsv -- 'exit 4; : {test}'
[ "$(grep -c 'status 4' stderr)" -eq 3 ] && grep -q '^tabcv: 12 of 12 tasks failed$' stderr
ok $? 'three failures are described'
# Status 1 and words on standard error are not failures.
run 0 tabcv -n 2 xy.tsv -- "$all_a"'; echo first >&2; echo last >&2; exit 1'
table "$trials" '12 6 0.5 0'
err "tabcv: warning: 2 of 2 tasks had status 1; their predictions count
tabcv: warning: 2 of 2 tasks wrote to standard error; the first, part 1: last$nl"
# A full disk: the limit of a file's size, for a task and for the parts.
big='awk "BEGIN { for (i = 0; i < 99999; i++) print i }" >{tmp}/big && '
run 1 sh -c "ulimit -f 8; exec tabcv -n 2 xy.tsv -- '$big$all_a'"
table "$trials" 'NA NA NA NA'
awk 'BEGIN { print "x\ty"; for (i = 1; i <= 9999; i++) print i "\t" i % 2 }' >long.tsv
mkdir tmp
(ulimit -f 8; TMPDIR=$PWD/tmp exec tabcv -n 2 long.tsv -- "$all_a") >stdout 2>stderr
got=$?
[ $got -ne 0 ] && [ ! -s stdout ]
ok $? 'parts that cannot be written: it fails'
run 74 env TMPDIR="$PWD/none" tabcv xy.tsv -- "$all_a"
err "tabcv: $PWD/none: no folder for the tasks: No such file or directory$nl"
run 74 tabcv -o none/x xy.tsv -- 'touch ran; cat {test}'
[ ! -e ran ]
ok $? '--output that cannot be written: no task runs'

# clean NAME: no folder and no process of the last call is left, within 5 s.
clean() {
	i=0
	while { ls -d tmp/* .kept.* || pgrep -f 'sleep 99[.]25'; } >/dev/null 2>&1; do
		i=$((i + 1))
		[ $i -lt 100 ] || break
		sleep .05
	done
	[ $i -lt 100 ]
	ok $? "$1: no process and no file is left"
}
# Children that a task leaves are ended with it.
TMPDIR=$PWD/tmp run 0 tabcv -n 2 xy.tsv -- "sleep 99.25 & $all_a"
clean 'a task that leaves a child'
# Messages of tasks name the table, not a file of theirs.
printf 'a,b,y\n1,u,p\n2,v,p\n3,u,q\n4,v,q\n' >texts
hint="not a number: 'u' (--id, -x '!COL', tabscale --onehot?)"
run 1 tabcv -n 2 texts k=1 -- knnclf
err "tabcv: k=1, part 1: status 65
tabcv:   knnclf: texts (training rows):2: column \"b\": $hint
tabcv: k=1, part 2: status 65
tabcv:   knnclf: texts (training rows):2: column \"b\": not a number: 'v' ${hint#*\'u\' }$nl"
# Words that an earlier task had are not repeated, in whatever order they came.
both=': {test}; for i in 1 {k}; do echo "word $i" >&2; done; exit 3'
run 1 tabcv -j 1 -n 2 xy.tsv k=1,2 -- "$both"
err "tabcv: k=1, part 1: status 3
tabcv:   word 1
tabcv:   word 1
tabcv: k=2, part 1: status 3
tabcv:   word 1
tabcv:   word 2
tabcv: k=1, part 2: status 3, as above
tabcv: 4 of 4 tasks failed$nl"
printf 'a,b,y\n1,2,p\n2,3,q\n' >numbers
# Of many lines the last five.
run 1 tabcv --test numbers numbers -- ': {test}; seq 9 >&2; exit 3'
err "tabcv: part 1: status 3
tabcv:   5
tabcv:   6
tabcv:   7
tabcv:   8
tabcv:   9$nl"
run 1 tabcv --test texts numbers k=1 -- knnclf
err "tabcv: k=1, part 1: status 65
tabcv:   knnclf: texts (test rows):2: column \"b\": $hint$nl"
run 65 tabcv -n 2 texts -- immigrate
err "tabcv:   immigrate: texts (training rows):2: column \"b\": $hint
tabcv: the recipe finds no values for its parameters (NAME=V,V,...: tabcv --recipes)$nl"
run 0 tabcv -n 2 numbers -- 'ls {train} >&2; sed 1d {test} | cut -f 3'
err "tabcv: warning: 2 of 2 tasks wrote to standard error; the first, part 1: numbers (training rows)$nl"

# A signal: to tabcv, and (Ctrl-C) to its group; tasks that do not hear TERM.
for sig in TERM INT HUP KILL; do
	for task in 'sleep 99.25 & sleep 99.25' 'trap "" TERM; sleep 99.25; sleep 99.25'; do
		# The second one takes the 2 s that a task has.
		case $sig$task in TERM* | *'&'*) ;; *) continue ;; esac
		(TMPDIR=$PWD/tmp listen tabcv -j 2 -n 2 -o kept xy.tsv -- "touch began; $task; cat {test}") >/dev/null 2>&1 &
		pid=$!
		while [ ! -e began ]; do sleep .05; done
		kill -$sig $pid
		# A second signal does not cut the first one's work short.
		[ $sig != TERM ] || { sleep .2; kill -INT $pid 2>/dev/null; }
		{ wait $pid; } 2>/dev/null
		got=$?
		[ $got -ge 129 ] && [ ! -e kept ]
		ok $? "SIG$sig ends it ($got)"
		[ $sig = KILL ] || ! { ls -d tmp/* || pgrep -f 'sleep 99[.]25'; } >/dev/null 2>&1
		ok $? "SIG$sig: when it has ended, its tasks have, too"
		rm -f .kept.* began
		clean "SIG$sig"
	done
done

# A plan, run by others: the same table.
pipe='knnclf --scale none -k 1,3 -t {train} {test} >{tmp}/x && cat {tmp}/x'
tabcv -n 5 "$data/iris.csv" -- "$pipe" >due
run 0 tabcv -n 5 --plan "odd plan" "$data/iris.csv" -- "$pipe"
out ''
[ "$(wc -l <"odd plan/tasks")" -eq 5 ]
ok $? 'a line a task'
sed 2d "odd plan/tasks" | sh
run 1 tabcv --collect "odd plan"
err "tabcv: part 2: not done$nl"
(cd / && sed -n 2p "$OLDPWD/odd plan/tasks" | sh)
tabcv --collect "odd plan" | cmp -s due -
ok $? '--collect: the same table'
tabcv -n 5 --measure mcc "$data/iris.csv" -- "$pipe" >due.mcc
(cd "odd plan" && tabcv --collect=. --measure mcc) | cmp -s due.mcc -
ok $? '--collect of another measure, from another folder'
run 0 tabcv -q --collect "odd plan" --then 'echo {k}; wc -l <{train}'
out "1${nl}151$nl"
run 2 tabcv --collect "odd plan" -n 4
err "tabcv: --collect: other parts or parameters than those of the plan$nl$help"
run 2 tabcv --collect "odd plan" --measure rmse
err "tabcv: --measure rmse is of --task regress$nl$help"
run 66 tabcv --collect none
err "tabcv: none: no plan of tabcv$nl"
run 74 tabcv --plan "odd plan" xy.tsv -- "$all_a"
misuse '--plan excludes -o (it is for --collect)' --plan p -o x xy.tsv -- "$all_a"
misuse "{test} stands in quotes, and its value is '$PWD/a b/test.1'" --plan 'a b' xy.tsv -- 'cat "{test}"'
[ ! -e 'a b' ]
ok $? 'no half of a plan is left'
# Nested, by groups, a command of several lines; the columns of roles are kept.
awk -F '\t' 'BEGIN { print "x\tg\ty" } NR > 1 { print $1 "\t" int(NR / 2) "\t" $2 }' xy.tsv >g.tsv
lines="# a comment
awk -v c={c} 'FNR > 1 { print c }' {test}"
tabcv --nested 2 -n 2 --group g g.tsv c=a,b -- "$lines" >due
tabcv --nested 2 -n 2 --group g --plan nested g.tsv c=a,b -- "$lines"
rm g.tsv
sh nested/tasks
tabcv --collect nested | cmp -s due -
ok $? '--nested, planned and collected without TABLE'
done_testing
