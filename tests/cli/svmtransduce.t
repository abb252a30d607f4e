#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# svmtransduce: the classes of rows that have none, by the widest margin.
. "${0%/*}/tap.sh"

# Two classes of iris that overlap, in an order without plan.
awk -F , -v OFS='\t' 'NR == 1 { print "n", $0; next }
	$5 != "setosa" { print (NR * 37) % 101, $0 }' "$data/iris.csv" |
	tr , "$tab" | sort -s -n -k 1,1 | cut -f 2- >two

awk -F '\t' -v OFS='\t' 'NR > 1 && NR % 5 { $5 = "" } 1' two >few
run 0 svmtransduce --labelled 10 --unlabelled 10 --save-model model few
err ''
paste stdout two | awk -F '\t' 'NR > 1 {
		wrong += $2 != $9
		known += $3 != "NA"
		other += $3 != "NA" && $3 != $9
	}
	END { exit !(NR == 101 && known == 20 && other == 0 && wrong <= 10) }'
ok $? 'all rows, few of them wrong'
[ "$(sed 1q stdout)" = "$(tabs 'id predicted actual margin')" ]
ok $? 'header'
awk -F '\t' '$3 != "NA" { n += NR > 1; p += $3 == "virginica" }
	$3 == "NA" { k++; q += $2 == "virginica" }
	END { exit q != int(p / n * k + .5) }' stdout
ok $? 'as many are +1 as the others say'
mv stdout once
cut -f 4 once | sed 1d >a
run 0 kpredict -m model --scores few
cut -f 5 stdout | sed 1d >b
near a b 1e-11
run 0 svmtransduce --labelled 10 --unlabelled 10 -j 3 few
cmp -s once stdout
ok $? 'the same bytes for any -j'
run 0 svmtransduce --gamma .25 --labelled 10 --unlabelled 0 few
cut -f 4 stdout | sed 1d >a
awk -F '\t' 'NR == 1 || $5 != ""' few >labelled
run 0 wsvmpath --scale none --gamma .25 --from 10 --to 10 --print coef --at 1 --save-model model labelled
run 0 kpredict -m model --scores few
cut -f 5 stdout | sed 1d >b
near a b 1e-11
tabs 'x class' '0 n' '9 p' '1 ' '2 ' '3 ' >half
run 0 svmtransduce --labelled 1 --unlabelled 1 half
cut -f 1,2 stdout >got
tabs 'id predicted' '1 n' '2 p' '3 n' '4 p' '5 p' | cmp -s - got
ok $? 'half a row counts'
tabs 'x class' '9 p' '0 n' '1 ' '2 ' '3 ' >half.other
run 0 svmtransduce --labelled 1 --unlabelled 1 half.other
cut -f 1,2 stdout >got
tabs 'id predicted' '1 p' '2 n' '3 n' '4 p' '5 p' | cmp -s - got
ok $? 'whichever class comes first'
for share in 0 .2 .5 1; do
	run 0 svmtransduce --labelled 1 --unlabelled 1 --positive-share $share few
	got=$(awk -F '\t' '$3 == "NA" && $2 == "virginica"' stdout | wc -l)
	[ "$got" -eq "$(awk "BEGIN { print 80 * $share }")" ]
	ok $? "--positive-share $share: $got of 80"
done
run 0 svmtransduce --labelled 1 --unlabelled 1 --positive-share .5 -v few
grep -qx 'positives	40' stderr
ok $? 'and -v says so'
run 0 svmtransduce --labelled 1 --unlabelled 1 --positive-share .1666 half
[ "$(awk '$3 == "NA" && $2 == "p"' stdout | wc -l)" -eq 0 ]
ok $? 'less than half a row does not count'
run 0 svmtransduce --labelled 1 --unlabelled 1 --positive-share .1667 half
[ "$(awk '$3 == "NA" && $2 == "p"' stdout | wc -l)" -eq 1 ]
ok $? 'half a row counts'
run 2 svmtransduce --labelled 1 --unlabelled 1 --positive-share 1.1 few
run 0 svmtransduce few
cp stdout alone
svmtransduce --labelled 1 --unlabelled 1 few | cmp -s - alone
ok $? 'the defaults are these'
run 65 svmtransduce --labelled 1 --unlabelled 1 two
err "svmtransduce: two: no row has an empty \"class\"$nl"
awk -F '\t' 'NR == 1 || $5 != "virginica"' few >one
run 65 svmtransduce --labelled 1 --unlabelled 1 one
err "svmtransduce: one: 1 class, two expected (rows without one have an empty \"class\")$nl"
run 2 svmtransduce --labelled x --unlabelled 1 few
err "svmtransduce: bad --labelled: 'x' (a number from 0)$nl$help"

if [ -z "${KITH_LONG:-}" ]; then # it takes seconds
	done_testing
	exit
fi
need_shared data/spambase.csv.gz
gzip -dc "$shared/data/spambase.csv.gz" |
	awk -F , -v OFS=, 'NR > 1 && NR % 10 != 3 { $58 = "" } 1' |
	tabscale --method minmax >spam
run 0 svmtransduce --labelled 10 --unlabelled 10 spam
gzip -dc "$shared/data/spambase.csv.gz" | cut -d , -f 58 | paste stdout - |
	awk -F '\t' '$3 == "NA" { n++; wrong += $2 != $5 }
	END { exit !(n == 4141 && wrong / n < .2) }'
ok $? 'spam: 4141 rows without label, less than 20 % wrong'

done_testing
