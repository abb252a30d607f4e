#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# immigrate --sample: which rows are learnt from, and what is said of them.
. "${0%/*}/tap.sh"

tabscale "$data/wine.csv" >wine
n=$(($(wc -l <wine) - 1))
# The first column names the rows.
awk -v OFS='\t' '{ print NR == 1 ? "name" : "r" NR - 1, $0 }' wine >named
tabfold --shares "60:$((n - 60))" --part 1 --seed 4 named >some.named
cut -f 2- some.named >some

# The weights are those of these rows, and say so.
for how in '' '--method im4e' '--method im4e-immigrate' '--rules paper --best-effort'; do
	# shellcheck disable=SC2086 # words
	immigrate -q $how some | awk 'NR == 2 { print "# sample\t60\n# seed\t4" } 1' >due
	# shellcheck disable=SC2086
	run 0 immigrate -q $how --sample 60 --seed 4 wine
	cmp -s due stdout
	ok $? "immigrate $how: the weights of 60 rows"
done
run 0 immigrate --sample 60 --seed 4 -v --log log wine
grep -q "a sample of 60 of $n rows" stderr && grep -q "^rows_read$tab$n\$" log &&
	grep -q "^rows${tab}60\$" log
ok $? 'what is said of the rows'
cp stdout w
for j in 2 3; do
	immigrate -q --sample 60 --seed 4 -j $j wine | cmp -s - w
	ok $? "-j $j: the same bytes"
done
immigrate -q --sample 60 --seed 5 wine | cmp -s - w
[ $? -eq 1 ]
ok $? 'another seed, other rows'
knnclf -q --vote expected -w w -t wine wine >stdout
ok $? 'the weights may be used'

# --check judges the rows of the sample, and says so; all rows are another matter.
run 0 immigrate --sample 60 --seed 4 --check w wine
err ''
sed 1,2d stdout >got
immigrate --sigma "$(sed -n '1s/.*\t//p' w)" --check w some >due 2>stderr
cmp -s due got && [ "$(sed 2q stdout)" = "# sample${tab}60$nl# seed${tab}4" ]
ok $? 'the verdict of the sample'
err "immigrate: warning: w was found on a sample of the rows (--sample 60 --seed 4?)$nl"
run 1 immigrate --check w wine
run 1 immigrate --sample 60 --check w wine
err "immigrate: warning: w was found on a sample of the rows (--sample 60 --seed 4?)$nl"
immigrate -q wine >all
run 1 immigrate --sample 60 --check all wine
err "immigrate: warning: all was found on all rows, not on a sample$nl"
awk -F '\t' 'NR > 4 { $3 *= 1 + NR / 1e3 } 1' OFS='\t' w >bad
run 1 immigrate --sample 60 --seed 4 --check bad wine

# As many rows as there are, or more: all of them.
for k in "$n" 100000; do
	run 0 immigrate -q --sample "$k" wine
	cmp -s all stdout
	ok $? "--sample $k: all rows"
done

# Margins have the numbers, or the ids, of their rows.
run 0 immigrate -q --sample 60 --seed 4 --id name --print margins named
awk 'NR > 1 { print $1 }' stdout >got
awk 'NR > 1 { print $1 }' some.named | cmp -s - got
ok $? 'margins: the ids of the rows'
run 0 immigrate -q --sample 60 --seed 4 --print margins wine
awk 'NR > 1 { print "r" $1 }' stdout | cmp -s - got
ok $? 'margins: the numbers of the rows'

# The parts of --cv are those of all rows, without the others.
run 0 immigrate -q --sample 60 --seed 4 --cv 3 --sigma 2,1 wine
awk 'NR > 1 && $2 != 60 { exit 1 }' stdout
ok $? '--cv: 60 rows'
wrong=0
# shellcheck disable=SC2094 # a part, not a file
for f in 1 2 3; do
	tabfold --fold $f/3 --part train --seed 4 named | grep -Fxf some.named | cut -f 2- >learn
	tabfold --fold $f/3 --part test --seed 4 named | grep -Fxf some.named | cut -f 2- >judge
	immigrate -q --sigma 2 learn | knnclf -q --vote expected -w - -t learn judge >got
	wrong=$((wrong + $(awk -F '\t' 'NR > 1 && $2 != $3 { k++ } END { print k + 0 }' got)))
done
[ "$(awk '$1 == 2 { print $3 }' stdout)" = $wrong ]
ok $? '--cv: the errors of these parts'
run 0 immigrate -q --sample 60 --seed 4 --boost 3 wine
cp stdout got
immigrate -q --seed 4 --boost 3 some | cmp -s - got
ok $? '--boost: learners of 60 rows'
run 0 immigrate -q --sample 60 --seed 4 --scale zscore "$data/wine.csv"

# Rows that were left out when the table was read.
sed '5s/[^	]*/NA/' wine >holes
run 0 immigrate -q --na omit --sample 60 --print margins holes
awk -v n="$n" 'NR > 1 && ($1 == 4 || $1 > n || $1 <= last) { exit 1 } { last = $1 + 0 }' stdout
ok $? 'rows that were left out keep their numbers'

# Samples that are of no use, and calls.
printf 'a,w,y\n1,1,p\n2,0,p\n3,0,q\n4,0,q\n5,0,q\n7,0,p\n' >zero
refuse 'zero: all weights of the rows of the sample are 0 (--seed?)' \
	-q --instance-weight w --sample 2 --seed 3 zero
printf 'a,y\n1,p\n2,p\n3,p\n4,p\n5,p\n6,q\n' >rare
run 65 immigrate -q --sample 2 rare
misuse "bad --sample: '1' (a whole number from 2 to 1000000000)" --sample 1 wine
done_testing
