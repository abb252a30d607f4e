#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Warnings of tables that a command can work with, but that are hardly meant so:
# the status is what it is without them, and -q silences them.
. "${0%/*}/tap.sh"

# warned STATUS MESSAGE COMMAND [ARG]...: it ends with this status and warns so
# ('': not at all), and with -q it does the same, silently.
warned() {
	warned_status=$1 warned_message=$2
	shift 2
	run "$warned_status" "$@"
	err "${warned_message:+$1: warning: $warned_message$nl}"
	cp stdout warned_out
	warned_tool=$1
	shift
	run "$warned_status" "$warned_tool" -q "$@"
	err ''
	cmp -s stdout warned_out
	ok $? 'and prints the same'
}

# rows VALUE: 63 rows, whose target is a value of their number i, by awk.
rows() {
	awk "BEGIN { print \"a,b,y\"
		for (i = 0; i < 63; i++)
			print cos(i) \",\" sin(3 * i) \",\" $1 }"
}

# Numbers as classes.
rows 'i % 21 + .5' >half
rows 'i % 20' >twenty
rows 'i % 3 + .5' >halves
rows 'i % 21' >three
awk 'NR == 1 || FNR > 1' three three >six
rows '"c" i % 21' >names
asked='column "y": 21 different numbers, taken for classes (--task regress?)'
warned 0 "$asked" knnclf --loo half
warned 0 "$asked" knnclf --cv 3 half
warned 0 "$asked" knnclf -t half twenty
warned 0 "$asked" knnclf --loo three
warned 0 '' knnclf --loo six
warned 0 '' knnclf --loo twenty
warned 0 'column "y": 3 different numbers, taken for classes (--task regress?)' knnclf --loo halves
awk 'NR <= 8' twenty >once
warned 0 'column "y": 7 different numbers, taken for classes (--task regress?)' knnclf -k 1 --loo once
warned 0 '' knnclf --loo names
warned 0 '' knnclf --task regress --loo half
warned 0 "$asked" relief --method relieff half
warned 0 'column "y": 21 different numbers, taken for classes (--method relieff --task regress?)' \
	relief --method irelief half
warned 0 '' relief --method relieff --task regress half
warned 0 "$asked" knife --lambda2 .001 half
warned 0 'column "y": 21 different numbers, taken for classes (sqpfw learns classes only)' \
	sqpfw --theta .01 half
warned 0 'column "y": 21 different numbers, taken for classes (immigrate learns classes only)' \
	immigrate --method im4e --solver paper --tol 1 half
nnkgraph -y y -k 5 half >graph
warned 0 "$asked" labelprop --nodes half --reveal .5 graph
warned 0 "$asked" wsvmpath --print events --from 1 --to 2 half
knnclf -q -t half half >predictions
asked='column "actual": 21 different numbers, taken for classes (--task regress?)'
warned 0 "$asked" tabscore predictions
warned 0 "$asked" tabscore --confusion predictions
warned 0 '' tabscore --task regress predictions
knnclf -t twenty twenty >predictions
warned 0 '' tabscore predictions

# Nothing to scale.
printf 'a,b\nx,u\ny,v\n' >texts
printf 'a\n1\n2\n' >lone
printf 'x y c\n1 2 a\n3 4 b\n' >blank
printf 'x|y|c\n1|2|a\n3|4|b\n' >bars
printf 'name\nx\ny\n' >name
none='no column is scaled: none is a number'
warned 0 "$none" tabscale texts
out "a	b${nl}x	u${nl}y	v$nl"
warned 0 '' tabscale --method none texts
warned 0 '' tabscale --onehot a texts
warned 0 "$none" tabscale -y none name
warned 0 'no column is scaled: the only one is the target (-y none?)' tabscale lone
warned 0 '' tabscale -y none lone
for file in blank bars; do
	one="$file: one column only: \"$(sed 1q $file)\" (-d?)"
	warned 0 "$one" tabscale $file
	warned 0 "$one" tabscale -y none $file
	warned 0 "$one" tabfold --fold 1/2 --part test $file
	printf '1\t2\t1\n' | sed '1ifrom\tto\tweight' >edge
	warned 0 "$one" labelprop --all --nodes $file edge
done
warned 0 '' tabfold --fold 1/2 --part test name
warned 0 '' tabfold -d , --fold 1/2 --part test bars
warned 0 '' tabscale -d '|' bars
run 65 knnclf --loo bars
err "knnclf: bars:1: no column beside the target (-d?)$nl"
run 65 knnclf -d , --loo bars
err "knnclf: bars:1: no column beside the target$nl"
run 65 relief --id 1 bars
err "relief: bars:1: no column beside the target and those left out (-d?)$nl"
run 65 nnkgraph bars
err "nnkgraph: bars:1: no column beside the target (-d, -y none?)$nl"
run 65 knnclf -y c --loo bars
err "knnclf: bars:1: column \"c\": not found (-d?)$nl"
run 65 tabscore bars
err "tabscore: bars:1: column \"predicted\": not found (-d?)$nl"

# Rows that were not scaled like the reference.
awk 'NR == 1 || NR % 3' "$data/iris.csv" >raw
awk 'NR == 1 || NR % 3 == 0' "$data/iris.csv" >asked
tabscale --save z raw >scaled
tabscale --apply z asked >good
two() { awk 'NR == 1 || /versicolor|virginica/' "$1"; }
far='asked: column "petal_length": 33 of 50 rows are outside of the range in scaled, -1.46165 to 1.66517 (tabscale --apply?)'
warned 0 "$far" knnclf -t scaled asked
warned 0 '' knnclf -t scaled good
warned 0 '' knnclf -t raw asked
warned 0 "$far" nnkgraph -y class --symmetrize none -t scaled asked
warned 0 '' nnkgraph -y class --symmetrize none -t scaled good
two scaled >scaled2
two asked >asked2
two good >good2
run 0 wsvmpath --from 1 --to 2 --validate asked2 --save-model model --at .5 scaled2
grep -qx 'wsvmpath: warning: asked2: column "petal_.*": .* rows are outside of the range in scaled2, .* (tabscale --apply?)' stderr &&
	[ "$(grep -vc chosen: stderr)" -eq 1 ]
ok $? 'wsvmpath warns of them'
run 0 wsvmpath --from 1 --to 2 --validate good2 scaled2
[ "$(grep -vc chosen: stderr)" -eq 0 ]
ok $? 'and of no others'
run 0 kpredict -m model asked2
grep -qx 'kpredict: warning: asked2: column "petal_.*": .* rows are outside of the range in model, .* (tabscale --apply?)' stderr &&
	[ "$(wc -l <stderr)" -eq 1 ]
ok $? 'kpredict warns of them'
warned 0 '' kpredict -m model good2
# By hand: the range of a is 0 to 9, of length 9, b is constant.
hand() {
	awk 'BEGIN { print "a,b,y"; for (i = 0; i < 10; i++) print i ",1," i % 2 }'
}
hand >ten
query() {
	awk -v n="$1" -v far="$2" -v x="$3" 'BEGIN { print "a,b"
		for (i = 0; i < n; i++) print (i < far ? x : 5) ",9" }'
}
query 10 6 99.5 >most
query 10 5 99.5 >some
query 9 5 99.5 >few
query 10 6 18.5 >beyond
query 10 6 18 >near
query 1 1 18.5 >single
at='6 of 10 rows are outside of the range in ten, 0 to 9 (tabscale --apply?)'
warned 0 "most: column \"a\": $at" knnclf -t ten most
warned 0 '' knnclf -t ten some
warned 0 'few: column "a": 5 of 9 rows are outside of the range in ten, 0 to 9 (tabscale --apply?)' \
	knnclf -t ten few
warned 0 "beyond: column \"a\": $at" knnclf -t ten beyond
warned 0 '' knnclf -t ten near
warned 0 'single: column "a": 1 of 1 rows are outside of the range in ten, 0 to 9 (tabscale --apply?)' \
	knnclf -t ten single
sed 2d ten >nine
warned 0 '' knnclf -t nine most
# Two features, one of which 20 rows lie a little beyond.
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 20; i++) print i "," i % 7 "," i % 2 }' >twenty
awk 'BEGIN { print "a,b"; for (i = 0; i < 20; i++) print (i < 11 ? -1 : 3) ",2" }' >below
warned 0 'below: column "a": 11 of 20 rows are outside of the range in twenty, 0 to 19 (tabscale --apply?)' \
	knnclf -t twenty below
sed 2d below >less
warned 0 '' knnclf -t twenty less
sed 2d twenty >fewer
warned 0 '' knnclf -t fewer below
# No range is too long.
awk 'BEGIN { print "a,y"; for (i = 0; i < 10; i++) print (i % 2 ? -1e149 : 1e149) "," i % 2 }' >huge
printf 'a\n1.7e149\n' >ask
warned 0 '' knnclf -t huge ask

# Scales far apart.
wide() {
	awk -v s="$1" 'BEGIN { print "a,b,c,y"
		for (i = 0; i < 12; i++)
			print i % 4 "," s * (i * 7 % 4) ",5," (i % 2 ? "u" : "v") }'
}
wide 1000 >thousand
wide 1001 >apart
said='columns "a" and "b": scales differ by a factor of 1e+03 (tabscale?)'
warned 0 '' knnclf --loo thousand
warned 0 "$said" knnclf --scale none --loo apart
warned 0 "$said" knnclf --scale none -t apart apart
copies='8 of 8 components are 1 or 2 rows that are copies (leave copies out?)'
warned 0 "$said${nl}nnkgraph: warning: $copies" nnkgraph --scale none -y y -k 3 apart
warned 0 "$said" tabratio --test apart apart
warned 0 "$said" wsvmpath --scale none --print events --from 1 --to 2 apart
warned 0 "$said" wsvmpath --scale none --print events --kernel polynomial --from 1 --to 2 apart
warned 0 '' wsvmpath --scale none --print events --kernel linear --from 1 --to 2 apart
warned 0 '' relief --scale none -x a,b --method relieff apart
for method in relief simba lfe; do
	run 0 relief --scale none --method $method apart
	grep -qxF "relief: warning: $said" stderr
	ok $? "--method $method warns"
done
for call in 'sqpfw --scale none' 'immigrate --scale none'; do
	# shellcheck disable=SC2086 # words
	run 0 $call apart
	grep -qxF "${call%% *}: warning: $said" stderr
	ok $? "$call warns"
done
tabs 'feature weight' 'a 1' 'b 1' 'c 1' >weights
warned 0 '' knnclf --loo -w weights apart
warned 0 "$copies" nnkgraph -y y -k 3 -w weights apart
warned 0 '' wsvmpath --print events --from 1 --to 2 -w weights apart
awk -F , -v OFS=, 'NR > 1 { $1 *= 1e-9; $2 *= 1e-9; $3 = $1 } 1' apart >tiny
warned 0 'columns "a" and "b": scales differ by a factor of 1e+03 (tabscale?)' \
	knnclf --scale none --loo tiny
wide 101 >hundred
said='columns "a" and "b": scales differ by a factor of 101 (tabscale?)'
warned 0 "$said" knife --scale none --lambda2 .1 hundred

# Of many rows some are looked at first; what counts are all of them.
many() { # SCALE: of column b; c is constant but for one row
	awk -v s="$1" 'BEGIN { print "a,b,c,y"; for (i = 0; i < 3000; i++)
		print i "," s * (3000 - i) "," (i == 1501 ? 800 : 1) "," i % 2 }'
}
many 16.8 >closer
many 17 >farther
warned 0 '' knnclf --scale none --loo closer
warned 0 'columns "c" and "b": scales differ by a factor of 1.01e+03 (tabscale?)' \
	knnclf --scale none --loo farther
many 1 >equal
printf 'a,b,c\n9000,1,800\n' >inside
printf 'a,b,c\n9000,1,9000\n' >beyond
warned 0 '' knnclf -t equal inside
warned 0 'beyond: column "c": 1 of 1 rows are outside of the range in equal, 1 to 800 (tabscale --apply?)' \
	knnclf -t equal beyond
warned 0 '' knnclf -q -t equal beyond

# A solution without a feature has a row in the table of a path.
warned 0 '' knife --scale none --lambda2 .1,1e6 scaled2
[ "$(tail -n 1 stdout | cut -f 1-4)" = "2${tab}1e+06${tab}NA${tab}0" ]
ok $? 'the last step has no feature'
awk 'NR == 1 || $1 == 2' stdout >step
run 65 knnclf --loo -w step scaled2
err "knnclf: step: no step has a feature$nl"

done_testing
