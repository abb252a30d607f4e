#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# wsvmpath: what -v says of a run, and the silence of -q.
. "${0%/*}/tap.sh"

awk -F , 'NR == 1 || $5 != "setosa"' "$data/iris.csv" >two
awk -F , -v OFS=, 'NR % 3 == 2 { $5 = "" } 1' two >some
tabfold -q -y class --fold 1/4 --part train two >learn
tabfold -q -y class --fold 1/4 --part test two >other
tabfold -q -y class --fold 1/4 --part test "$data/iris.csv" >three
printf 'q,x,y\na,0,1\na,1,2\na,2,1\nb,0,3\nb,3,3\n' >ranks

value() { # KEY
	awk -F '\t' -v key="$1" '$1 == key { print $2 }' log
}

# logs KEYS ARG...: the run says nothing with -q, and -v logs these in their order.
logs() {
	keys=$1
	shift
	run 0 wsvmpath --scale none -q "$@"
	err ''
	cp stdout quiet
	logged 0 wsvmpath --scale none "$@"
	cp stderr messages
	cmp -s stdout quiet
	ok $? 'with -v the same bytes are printed'
	got=$(cut -f 1 log | grep -v '^kernel$' | tr '\n' ,)
	[ "$got" = "version,arguments,seed,threads,${keys}status,seconds," ] ||
		echo "# $got"
	[ "$got" = "version,arguments,seed,threads,${keys}status,seconds," ]
	ok $? "what is logged of $*"
}

rows=rows,features,variables,
valid='rows,validation rows,features,variables,'
many='classes,machines,'
work='events,mean margin,kernel rows,cold solves,residual,solved anew,'
scale=gamma,

logs "$rows${scale}steps,$work" --print events --from 1 --to 10 two
[ "$(sed 1d stdout | wc -l)" -eq "$(value events)" ]
ok $? 'as many events as are printed'
[ "$(value rows) $(value features) $(value variables) $(value gamma)" = '100 4 100 0.7081747689490401' ]
ok $? 'sizes'
awk -v m="$(value 'mean margin')" -v r="$(value 'kernel rows')" \
	'BEGIN { exit !(m >= 1 && m <= 100 && r >= m && r <= 100) }'
ok $? 'a margin, and rows of the kernel for it'

# Two rows on the margin all along, b between them; one event, at theta .5.
printf 'x,a,b,y\n-1,0,1,n\n1,0,1,p\n' >pair
logs "$rows${scale}steps,$work" --print events --kernel linear --ridge 0 --from =a --to =b pair
awk -F '\t' 'NR > 1 { n++; bad += $2 != .5 || $3 != "enter" }
	END { exit !(n == 2 && !bad) }' stdout
ok $? 'both enter the margin at .5'
[ "$(value events) $(value 'kernel rows') $(value 'cold solves') $(value 'solved anew')" = '2 2 0 0' ]
ok $? 'and that is logged'

logs "$rows${scale}model rows,steps,$work" --print events --from 1 --to 10 --at .3 \
	--save-model model two
[ "$(sed 1,/^.id/d model | wc -l)" -eq "$(value 'model rows')" ]
ok $? 'the rows of the model'

logs "$valid${scale}theta,C,error,se,$work" --from 1 --to 10 \
	--validate other --best learn
logs "$valid${scale}theta,C,error,se,model rows,$work" --from 1 --to 10 \
	--validate other --best --save-model model learn
logs "$rows${scale}parts,theta,C,error,se,$work" --from 1 --to 10 --cv 3 two
same messages "wsvmpath: chosen: --from $(value C) --to $(value C) (C $(printf %.4g "$(value C)"), error $(printf %.4g "$(value error)"), se $(printf %.4g "$(value se)"), 3 parts)$nl"
logs "$rows${scale}parts,theta,C,error,se,$work" --from 1 --to 10 --cv 3 --best two
logs "$rows${scale}parts,${many}theta,C,error,se,$work" --from 1 --to 10 --cv 3 three
logs "$rows$scale${many}steps,$work" --print events --from 1 --to 10 three
[ "$(value classes) $(value machines)" = '3 3' ]
ok $? 'classes, and their pairs'
logs "$valid$scale${many}theta,C,error,se,$work" --from 1 --to 10 \
	--validate three --best three
regress='--task regress --epsilon .1 -y 1 -x 2:4' # words
# shellcheck disable=SC2086
{
	logs "$rows${scale}parts,theta,C,rmse,se,$work" $regress --from 1 --to 9 --cv 3 two
}
logs "queries,queries without a pair,$rows${scale}steps,$work" \
	--print events --task rank --query q -y y --from 1 --to 5 ranks
[ "$(value queries) $(value 'queries without a pair') $(value variables)" = '2 1 2' ]
ok $? 'queries, and their pairs'
# Outputs that are all the same tell nothing.
tabs 'x y' '0 a' '0 b' '0 a' '0 b' '0 a' '0 b' '0 a' '0 b' >same
run 0 wsvmpath --scale none --from 1 --to 2 --cv 2 --best --save-model model same
err "wsvmpath: chosen: --from 1.5 --to 1.5 (C 1.5, error 1, se 0, 2 parts)
wsvmpath: warning: probabilities: 1 of 1 machines do not tell their classes apart on rows that they have not learnt from$nl"

# The default gamma: 1 over the sum of the variances, as weighted and scaled.
variance() { # WEIGHTS: of the columns of two
	awk -F , -v w="$1" 'NR > 1 { for (j = 1; j <= 4; j++) { s[j] += $j; t[j] += $j * $j } n++ }
		END { split(w, of, " "); for (j = 1; j <= 4; j++) v += of[j] * (t[j] - s[j]^2 / n) / (n - 1)
			printf "%.12g\n", 1 / v }' two
}
gamma_is() { # DUE ARG...
	due=$1
	shift
	logged 0 wsvmpath --scale none -q --print events --from 1 --to 2 "$@" two
	awk -v g="$(value gamma)" -v due="$due" 'BEGIN { exit !((g / due - 1)^2 < 1e-20) }'
	ok $? "gamma of $*: $due"
}
tabs 'feature weight' 'sepal_length 4' 'petal_width .5' >w
tabs 'feature1 feature2 weight' 'sepal_length sepal_length 4' 'petal_width petal_width .5' >W
gamma_is "$(variance '1 1 1 1')"
gamma_is "$(variance '1 1 1 1')" --kernel polynomial
gamma_is "$(variance '4 0 0 .5')" -w w
gamma_is "$(variance '4 0 0 .5')" -w W
gamma_is .25 --scale zscore
gamma_is 3 --gamma 3
# Cells of 0 to 255: other rows are told apart, and a gamma for numbers near 1 brings a warning.
awk -F , -v OFS=, 'NR > 1 { for (j = 1; j <= 4; j++) $j = int($j * 32) } 1' two >pixels
for part in train test; do
	tabfold -q -y class --fold 1/4 --part $part pixels >"$part.csv"
done
run 0 wsvmpath --scale none --from 0 --to 10 --print coef --at 1 --save-model model train.csv
err ''
run 0 kpredict -m model test.csv
err ''
[ "$(awk -F '\t' '{ n += $2 != $3 } END { print n }' stdout)" -le 3 ]
ok $? 'wrong: a few of 25'
run 0 wsvmpath --scale none --from 0 --to 10 --print coef --at 1 --gamma 10 --save-model model train.csv
grep -q '^wsvmpath: warning: gamma 10 is too large for these data: ' stderr
ok $? 'a gamma that is too large'
run 0 kpredict -m model test.csv
grep -q '^kpredict: warning: most rows have no kernel with the model' stderr
ok $? 'and what its model predicts'

done_testing
