#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# wsvmpath: paths of classes and numbers, what is printed of them, and how it
# fails.
# shellcheck disable=SC2086 # $two, $iris, $chain, $num and $jump are words
. "${0%/*}/tap.sh"

# holds NAME OPTION...: --check says yes to all.
holds() {
	name=$1
	shift
	run 0 wsvmpath --scale none "$@" --print coef
	cp stdout path
	run 0 wsvmpath --scale none "$@" --check path
	[ "$(grep -c 'yes$' stdout)" = 7 ]
	ok $? "$name: all seven checks hold"
}

# Two points at distance 1: alpha = min(C, 1 / (1 - exp(-1))).
printf 'x,c\n0,a\n1,b\n' >two
two='wsvmpath --scale none --from 0 --to 10 --gamma 1 --ridge 0 two' # words
run 0 $two --print events
table 'step theta event row was becomes C' \
	'2 0.15819767068693263 enter 1 in margin 1.5819767068693262' \
	'2 0.15819767068693263 enter 2 in margin 1.5819767068693262'
err ''
run 0 $two --print coef --at 0,.1
table 'step theta name value' '1 0 (bias) 0' '2 0.1 (bias) 0' '2 0.1 1 1' \
	'2 0.1 2 1'
run 0 $two --print margin --at .1
table 'step theta row margin' '1 0.1 1 -0.6321205588285577' \
	'1 0.1 2 0.6321205588285577'
run 0 $two --print coef
[ "$(cut -f 1,3 stdout | tr '\t\n' '  ')" = \
	'step name 1 (bias) 2 (bias) 2 1 2 2 3 (bias) 3 1 3 2 ' ]
ok $? 'a step at each breakpoint'
run 0 $two --print events --at .1 --save-model model
same model "# version${tab}1
# task${tab}classify
# kernel${tab}gaussian
# gamma${tab}1
# C${tab}1
# target${tab}c
# columns${tab}x${tab}c
# classes${tab}a${tab}b
# bias${tab}0
# rows${tab}2
(id)${tab}(coef)${tab}x
1${tab}-1${tab}0
2${tab}1${tab}1
"

# How it does on other rows: one whose f crosses 0, by hand.
printf 'x,w,c\n0,1,a\n1,1,b\n.5,2,a\n' >three
printf 'x,w,c\n.5,3,b\n0,1,a\n9,5,\n' >new
run 0 wsvmpath --scale none --from 0 --to 1 --gamma 1 -x x --validate new three
cp stdout path
awk -F '\t' 'NR == 1 { good = $0 == "from\tto\tn\terrors\terror\tse" }
	NR > 1 && ($6 - sqrt($5 * (1 - $5)))^2 > 1e-30 { good = 0 }
	NR > 1 && ($3 != 2 || $5 != $4 / 2 || $1 != end) { good = 0 }
	{ end = NR == 1 ? 0 : $2 }
	END { exit !(good && end == 1 && NR > 1) }' path
ok $? 'intervals that join, of two rows that count; se = e (1 - e) / (2 - 1)'
run 0 wsvmpath --scale none --from 1 --to 0 --gamma 1 -x x --validate new three
awk -F '\t' 'NR == 1 { end = 1; next } { bad += $1 != end || $2 >= $1; end = $2 }
	END { exit bad || end != 0 || NR < 2 }' stdout
ok $? 'where C falls, from is the larger'
run 0 wsvmpath --scale none --from 0 --to 1 --gamma 1 -x x --validate new --cost w three
awk -F '\t' 'NR > 1 && $5 != 0 && $5 != .25 && $5 != .75 && $5 != 1 { exit 1 }' stdout
ok $? 'rows that cost 3 and 1'
run 2 wsvmpath --scale none --from 0 --to 1 -x x,w --cost w --validate new three
err "wsvmpath: column \"w\" cannot be a feature: it has another role$nl$help"

# Real rows; all agree: margins, models, predictions, errors, checks.
awk -F , -v OFS=, 'NR == 1 { print $0, "c", "7"; next }
	$5 != "setosa" { print $0, NR % 3, NR % 5 + .5 }' "$data/iris.csv" >iris
tabfold -y class --shares 2:1 --part 1 iris >learn
tabfold -y class --shares 2:1 --part 2 iris >other
iris='-y class --from c --to =7 --gamma .3' # words
holds 'iris' $iris iris
run 0 wsvmpath --scale none $iris iris --save-model model --print margin --at .37
cut -f 4 stdout | sed 1d >margins
kpredict -m model --scores iris | awk -F '\t' 'NR > 1 { print $NF }' >scores
near margins scores 1e-12 'margins are the scores of kpredict'
sed -n 's/^# columns.//p' model | tr "$tab" , >columns
head -1 iris | cmp -s - columns
ok $? 'the model knows all columns'
sed -n '/^(id)/p' model | tr "$tab" ' ' >columns
[ "$(cat columns)" = '(id) (coef) sepal_length sepal_width petal_length petal_width' ]
ok $? 'columns of weights are no features'
run 0 wsvmpath --scale none $iris --validate other learn
cp stdout valid
logged 0 wsvmpath --scale none -q $iris --validate other --best learn
err ''
sort -t "$tab" -k 4,4n -k 1,1g valid | awk -F '\t' -v OFS='\t' 'NR == 1 { next }
	NR == 2 { least = $4 }
	$4 == least && $2 - $1 > wide { wide = $2 - $1; row = $0 }
	END { print row }' >due
theta=$(awk -F '\t' '$1 == "theta" { print $2 }' log)
awk -F '\t' -v t="$theta" '{ d = ($1 + $2) / 2 - t; exit !(d^2 < 1e-30) }' due
ok $? 'the best interval: fewest errors, then the widest'
awk -F '\t' 'NR == FNR { e = $5; se = $6; next } $1 == "error" { ok += $2 == e }
	$1 == "se" { ok += $2 == se } $1 == "C" { ok = 9 } END { exit ok != 2 }' due log
ok $? 'its error and standard error are logged; there is no C'
cp stdout got
wsvmpath --scale none $iris --print coef --at "$theta" learn >solved
cmp -s got solved
ok $? 'the solution at its middle is printed'
run 0 wsvmpath --scale none $iris --validate other --save-model model learn
err "wsvmpath: chosen: --at $theta (error $(printf %.4g "$(cut -f 5 due)"), se $(printf %.4g "$(cut -f 6 due)"))$nl"
cmp -s stdout valid
ok $? 'with a model the whole path is printed'
best=$(cut -f 4 due)
kpredict -m model other >predicted
[ "$(awk -F '\t' 'NR > 1 && $2 != $3' predicted | wc -l)" = "$best" ]
ok $? "and the model makes $best errors"
# The errors of models at many thetas are those of the intervals.
wrong=0
for theta in 0 .01 .05 .1 .15 .2 .3 .4 .5 .6 .7 .8 .9 .95 .99 1; do
	wsvmpath --scale none $iris --print coef --at $theta --save-model model learn >/dev/null
	n=$(kpredict -m model other | awk -F '\t' 'NR > 1 && $2 != $3' | wc -l)
	awk -F '\t' -v t=$theta -v n="$n" 'NR > 1 && $1 <= t && t <= $2 && $4 == n { found = 1 }
		END { exit !found }' valid || wrong=$((wrong + 1))
done
[ "$wrong" = 0 ]
ok $? 'as recomputed at 16 thetas'
run 0 wsvmpath --scale none $iris --print coef iris
cp stdout one
run 0 wsvmpath --scale none $iris --print coef -j 3 iris
cmp -s stdout one
ok $? 'the same bytes for any number of threads'

# Where a path ends another begins, and there and back.
awk -F , -v OFS=, 'NR == 1 { print $0, "half"; next } { print $0, $6 + .5 * ($7 - $6) }' iris >halves
chain='-y class --gamma .3 -x 1:4' # words
wsvmpath --scale none $chain --from c --to =7 --print coef --at .5 halves | cut -f 3- >due
run 0 wsvmpath --scale none $chain --from half --to =7 --print coef --at 0 halves
cut -f 3- stdout >got
near got due 1e-9 'half of the path is a path'
wsvmpath --scale none $chain --from c --to =7 --print coef --at 0 halves | cut -f 3- >due
wsvmpath --scale none $chain --from =7 --to c --print coef --at 1 halves | cut -f 3- >got
near got due 1e-7 'there and back again'

# Weight 2 is the row twice, without ridge.
awk -v OFS='\t' 'NR == 1 { print $0, "w"; next } { print $0, NR % 4 ? 1 : 2 }' learn >once
awk 'NR == 1 || $NF != 2; $NF == 2 { print; print }' once >twice
for file in once twice; do
	to=1
	[ $file = once ] && to=w
	wsvmpath --scale none -y class -x 1:4 --gamma .3 --ridge 0 --from 0 --to $to --print coef --at 1 \
		--save-model model $file >/dev/null
	kpredict -m model --scores other | cut -f 4- >$file.f
done
near once.f twice.f 1e-9 'weight 2 is the row twice'

# Numbers.
num='--task regress -y petal_width -x 1:3 --epsilon .1 --from .1 --to 5' # words
holds 'regress' $num iris
run 0 wsvmpath --scale none --print events $num iris
cut -f 3,5,6 stdout | sort -u | tr '\t\n' ' ;' >moves
[ "$(cat moves)" = 'enter in margin;enter out margin;event was becomes;leave margin in;leave margin out;' ]
ok $? "moves of all kinds: $(cat moves)"
run 0 wsvmpath --scale none $num --validate other learn
cp stdout valid
[ "$(head -1 valid | tr "$tab" ' ')" = 'from to n rmse_from rmse_to rmse C se' ]
ok $? 'squared errors'
run 0 wsvmpath --scale none $num --validate other --best --save-model model learn
least=$(sed 1d valid | cut -f 6 | sort -g | head -1)
rmse=$(kpredict -m model other | tabscore --task regress | awk -F '\t' '$2 == "rmse" { print $3 }')
awk -v a="$least" -v b="$rmse" 'BEGIN { d = a - b; exit !(d < 1e-9 && d > -1e-9) }'
ok $? "the model of the smallest: $rmse"
wsvmpath --scale none $num --print margin --at .5 --save-model model iris | sed 1d | cut -f 4 >margins
kpredict -m model iris | sed 1d | cut -f 2 >scores
near margins scores 1e-12 'margins are predictions'

# Kernels, and weights of features.
printf 'feature\tweight\npetal_length\t2\npetal_width\t.5\n' >w
holds 'polynomial kernel' -y class --from 0 --to .1 -x 1:4 --kernel polynomial --degree 3 iris
holds 'linear kernel' -y class --from .1 --to 9 -x 1:4 --kernel linear iris
holds 'weights of features' -y class --from .1 --to 9 -x 1:4 -w w iris
run 0 wsvmpath -y class --from .1 --to 9 -x 1:4 -w w --print coef --at 1 --save-model model iris
sed -n 's/^# weights.//p' model | tr "$tab" ' ' >got
same got "2 0.5$nl"
printf 'feature\tweight_abs\npetal_length\t2\n' >w
run 65 wsvmpath --print events -y class --from .1 --to 9 -x 1:4 -w w iris
out ''

# A table alone: the errors of five parts from C .01 to 100, and the best C.
run 0 wsvmpath --scale none -y class -x 1:4 iris
cp stdout alone
wsvmpath --scale none -q -y class -x 1:4 --from .01 --to 100 --print errors --cv 5 iris | cmp -s - alone
ok $? 'what a table alone is asked'
C=$(sed -n 's/^wsvmpath: chosen: --from \(.*\) --to \1 (C .*, error .*, se .*, 5 parts)$/\1/p' stderr)
awk -F '\t' -v C="$C" 'NR > 1 && (least == "" || $5 < least) { least = $5 }
	$1 <= C && C <= $2 { e = $5 } END { exit e "" != least "" }' alone
ok $? 'the line about the choice says the C of least error'
wsvmpath --scale none -q -y class -x 1:4 --save-model model iris | cmp -s - alone
ok $? 'with a model the same table is printed'
[ "$(sed -n "s/^# C${tab}//p" model)" = "$C" ]
ok $? 'the model is that of this C'
wsvmpath --scale none -q -y class -x 1:4 --from "$C" --to "$C" --at 0 --save-model same iris >/dev/null
sed 1,/^.id/d model | cut -f 2 >got
sed 1,/^.id/d same | cut -f 2 >due
near got due 1e-6 'and of a call with the options of the line'

# Missing cells, ids, tables without names.
printf 'n,x,c\nu,0,a\nv,,b\nw,1,b\n' >gaps
run 65 wsvmpath --scale none --print events --from 0 --to 9 --id n gaps
err "wsvmpath: gaps:3: column \"x\": missing: '' (--na omit or mean?)$nl"
run 0 wsvmpath --scale none --print events --from 0 --to 9 --id n --na omit --gamma 1 --ridge 0 gaps
table 'step theta event row was becomes C' \
	'2 0.1757751896521474 enter u in margin 1.5819767068693265' \
	'2 0.1757751896521474 enter w in margin 1.5819767068693265'
run 0 wsvmpath --scale none --from 0 --to 9 --id n --na mean --gamma 1 --print coef --at 1 --save-model model gaps
sed -n 's/^# means.//p' model >got
same got "0.5$nl"
printf '0,a\n1,b\n' >raw
run 0 wsvmpath --scale none --print events -H --from 0 --to 10 --gamma 1 --ridge 0 raw
[ "$(wc -l <stdout)" = 3 ]
ok $? 'no header'
printf 'n,x,c\n(bias),0,a\nv,1,b\n' >gaps
run 65 wsvmpath --scale none --print events --from 0 --to 9 --id n gaps
err "wsvmpath: gaps: row 1: id \"(bias)\" is a reserved name$nl"

# One class, no weight at all, copies.
printf 'x,c\n0,a\n0,a\n2,a\n' >one
run 65 wsvmpath --scale none --print events --from 0 --to 5 one
err "wsvmpath: one: one class only: 'a'$nl"
holds 'no weight' --from 0 --to 0 two
printf 'x,c\n0,a\n0,b\n0,a\n0,b\n0,b\n' >copies
holds 'copies of both classes' --from 0 --to 5 copies

# Refused by --check.
wsvmpath --scale none $iris --print coef iris >path
awk -F '\t' -v OFS='\t' '$1 == 9 && $3 != "(bias)" && !done { $4 -= 5.5e-5; done = 1 } 1' path >bad
run 1 wsvmpath --scale none $iris --check bad iris
grep -q "^sum${tab}.*no$" stdout
ok $? 'an alpha that is less by 1e-5 C'
awk -F '\t' '$1 != 5' path >bad
run 1 wsvmpath --scale none $iris --check bad iris
grep -q "^piece${tab}.*no$" stdout
ok $? 'a breakpoint that is missing'
run 0 wsvmpath --scale none $iris --check path iris
awk -F '\t' '$1 == 9' path | sed "1i step${tab}theta${tab}name${tab}value" >single
run 0 wsvmpath --scale none $iris --check single --at .5 iris
[ "$(wc -l <stdout)" = 6 ]
ok $? 'a single solution has five checks'
run 1 wsvmpath --scale none $iris --check single iris

# Rows that are all equal: b jumps from 1 to -1 where class p outweighs class q.  alpha stays, and
# the solution at theta is the limit from smaller theta.
printf 'x,w,v,c\n1,0,1,q\n1,2,0,q\n1,0,3,p\n' >jump
jump='wsvmpath --scale none -q --kernel linear --ridge 0 --from w --to v jump' # words
# nine: standard output with 9 digits of the last column.
nine() {
	awk -F '\t' -v OFS='\t' 'NR > 1 { $4 = sprintf("%.9g", $4) } 1' stdout >rounded
	mv rounded stdout
}
run 0 $jump --print coef
nine
table 'step theta name value' '1 0 (bias) 1' '2 0.5 (bias) 1' '2 0.5 1 0.5' '2 0.5 2 1' \
	'2 0.5 3 1.5' '3 0.5 (bias) -1' '3 0.5 1 0.5' '3 0.5 2 1' '3 0.5 3 1.5' \
	'4 1 (bias) -1' '4 1 1 1' '4 1 3 1'
run 0 $jump --print events
table 'step theta event row was becomes' '1 0 enter 2 out margin' '2 0.5 leave 2 margin in' \
	'2 0.5 enter 3 in margin'
run 0 $jump --print margin --at .5
nine
table 'step theta row margin' '1 0.5 1 1' '1 0.5 2 1' '1 0.5 3 1'

# Rows that mirror each other in two axes have their events at one theta, where alpha is large, too.
for it in .52,.3,1 .8,.42,1 .68,.37,0 .83,.74,0 .12,.21,0 .34,.81,1 .72,.77,1; do
	printf '%s\n' "$it" "-$it" "${it%%,*},-${it#*,}" "-${it%%,*},-${it#*,}"
done | awk 'BEGIN { print "a,b,y" } 1' >mirrored
run 0 wsvmpath --print events --from .01 --to 1e8 mirrored
[ "$(cut -f 2 stdout | uniq -c | awk '{ print $1 }' | paste -sd ' ' -)" = '1 4 4 4 4 4 4' ]
ok $? 'four rows at each event'

# Wrong calls.
while read -r why; do
	read -r options
	# shellcheck disable=SC2086
	run 2 wsvmpath --scale none $options two
	out ''
	err "wsvmpath: $why$nl$help"
done <<-'END'
	bad --from: '-1' (a number from 0, or a column)
	--from -1 --to 1
	bad --to: '1e999' (a number from 0, or a column)
	--from 1 --to 1e999
	bad --gamma: '0' (a number above 0)
	--from 1 --to 2 --gamma 0
	--task regress needs --epsilon X: errors up to X cost nothing
	--task regress --from 1 --to 2
	bad --epsilon: '0' (a number above 0)
	--task regress --epsilon 0 --from 1 --to 2
	--cv, --validate and --best are of --print errors
	--validate two --print coef
	--cv, --validate and --best are of --print errors
	--print events --best
	--best and --at exclude each other
	--best --validate two --at 1
	--save-model needs --at THETA
	--print events --save-model x
	--save-model needs one theta: --at THETA
	--print events --save-model x --at 0,1
	--check excludes --cv, --validate, --print and --save-model
	--check two --print coef
	--cv and --validate exclude each other
	--cv 2 --validate two
	--cv with --task rank needs --query COL (--print events?)
	--task rank
	bad --measure: 'ndcg@0' (error, squared or ndcg@K)
	--from 1 --to 2 --measure ndcg@0
	--measure squared is not for this --task
	--from 1 --to 2 --measure squared
	bad --at: the list must increase
	--from 1 --to 2 --print coef --at .5,.2
	--output and --save-model are the same file
	--save-model x -o ./x
END
run 0 wsvmpath --scale none --print events --from 0 --to 1 --kernel linear --gamma 2 --degree 3 --epsilon 2 --measure error --seed 2 two
err "wsvmpath: warning: --gamma is not used with --kernel linear
wsvmpath: warning: --degree is not used with this --kernel
wsvmpath: warning: --epsilon is not used with this --task
wsvmpath: warning: --measure is not used without --print errors
wsvmpath: warning: --seed is not used without --cv
"

# Bad data.
printf 'x,w,c\n0,1,a\n1,-2,b\n' >bad
run 65 wsvmpath --scale none --print events --from 1 --to w bad
out ''
err "wsvmpath: bad: row 2: column \"w\": negative: '-2'$nl"
printf 'x,w,c\n0,1,a\n1,NA,b\n' >bad
run 65 wsvmpath --scale none --print events --from w --to 1 bad
err "wsvmpath: bad: row 2: column \"w\": missing: 'NA'$nl"
printf 'x,w,c\n0,1,a\n1,two,b\n' >bad
run 65 wsvmpath --scale none --print events --from w --to 1 bad
err "wsvmpath: bad: row 2: column \"w\": no finite number: 'two'$nl"
run 65 wsvmpath --scale none --print events --from 1 --to v bad
err "wsvmpath: bad:1: column \"v\": not found$nl"
run 65 wsvmpath --scale none --print events --from 1 --to =2 bad
err "wsvmpath: bad:1: column \"2\": not found$nl"
run 2 wsvmpath --scale none --print events --from 1 --to c two
err "wsvmpath: column \"c\": the target has another role$nl$help"
printf 'x,c\n0,a\n.4,d\n' >new
run 65 wsvmpath --scale none --from 0 --to 1 --validate new two
out ''
err "wsvmpath: new: row 2: class 'd' is not among those learnt$nl"
printf 'x\n0\n' >new
run 65 wsvmpath --scale none --from 0 --to 1 --validate new two
err "wsvmpath: new:1: column \"c\": not found$nl"
printf 'x,c\n0,\n' >new
run 65 wsvmpath --scale none --from 0 --to 1 --validate new two
err "wsvmpath: new: column \"c\": missing in all rows$nl"
printf 'x,c\n1e200,a\n0,b\n' >new
run 65 wsvmpath --scale none --print events --from 0 --to 1 --kernel linear new
err "wsvmpath: new:2: column \"x\": 1e+200 is beyond 1e150, where squares overflow (tabscale, tabscale --na-string?)$nl"
printf 'x,c\n1e75,a\n2e75,b\n0,a\n' >new
run 0 wsvmpath --scale none --print events -q --from 0 --to 1 --kernel linear new
run 65 wsvmpath --scale none --print events --from 0 --to 1e4 --kernel linear new
out ''
err "wsvmpath: new: weights and kernels are together too large for a double$nl"
printf 'x,y\n0,1e300\n1,-1e301\n' >new
run 65 wsvmpath --scale none --print events --task regress --epsilon 1 --from 0 --to 1 new
err "wsvmpath: new: row 2: column \"y\": too large to be squared with weights$nl"
printf 'i,x,c\nr,0,a\nr,1,b\n' >new
run 65 wsvmpath --scale none --id i --from 0 --to 1 --check path new
err "wsvmpath: new: id 'r' is not unique$nl"

# Rows that differ by less than doubles resolve; with a ridge they may differ by
# less, gaussian kernels depend on differences alone, and equal rows are equal.
far='wsvmpath: new: kernels of the rows differ by less than doubles resolve: centre and scale the features'
for at in 100000000 1000000; do
	printf 'x,c\n%s0,a\n%s1,b\n%s2,a\n%s3,b\n' $at $at $at $at >new
	run 65 wsvmpath --scale none --print events --from 1 --to 2 --kernel linear --ridge 0 new
	out ''
	err "$far (--scale zscore?)$nl"
done
run 0 wsvmpath --scale none --print events --from 1 --to 2 --kernel linear new
run 0 wsvmpath --print events --from 1 --to 2 --kernel linear --ridge 0 --scale zscore new
printf 'x,c\n1000000000,a\n1000000001,b\n1000000002,a\n' >new
run 65 wsvmpath --scale none --print events --from 1 --to 2 --kernel polynomial --degree 3 new
err "$far (--scale zscore?)$nl"
run 65 wsvmpath --scale none --from 1 --to 2 --kernel polynomial --degree 3 --check path new
run 0 wsvmpath --scale none --print events --from 1 --to 2 new
printf 'x,c\n1e9,a\n1e9,b\n1e9,a\n' >new
for kernel in linear polynomial gaussian; do
	run 0 wsvmpath --scale none --print events -q --from 1 --to 2 --kernel $kernel --ridge 0 new
done

# The judge works by blocks of 256 rows: the last block of 257 is one row.
awk 'BEGIN { print "x,c"; for (i = 0; i < 257; i++) print i * 7 % 257 "," (i * 7 % 257 < 128 ? "a" : "b") }' >rows
run 0 wsvmpath --print coef --from 1 --to 1 rows
cp stdout path
run 0 wsvmpath --from 1 --to 1 --check path rows

# The log.
logged 0 wsvmpath --scale none --print events --from 0 --to 10 --gamma 1 two
[ "$(grep -E '^(rows|features|events|steps|cold)' log | tr '\t\n' '  ')" = \
	'rows 2 features 1 steps 3 events 2 cold solves 0 ' ]
ok $? 'the log counts'

done_testing
