#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tabratio: what it prints, and how it fails.
. "${0%/*}/tap.sh"

# Rows come as they were, and one column more; test rows by name, in any order,
# with or without the target.  H = (e + 1 + e) / 3 with e = exp(-1), sigma
# being sqrt(1/2), centre 0.
printf 'x, z ,y\n0,"0"," a"\n1,0,\n0,1,"NA"\n' >train
printf 'id,z,x\n7,0,0\n' >one
due=$(awk 'BEGIN { e = exp(-1); a = 1 / ((1 + 2 * e * e) / 3 + .5)
	printf "%.12g %.12g %.12g", a, e * a, e * a }')
run 0 tabratio --test one --sigma .70710678118654752 --lambda .5 train
cut -f 1-3 stdout >got
same got "x${tab}z${tab}y
0${tab}0${tab}\" a\"
1${tab}0${tab}
0${tab}1${tab}\"NA\"
"
got=$(awk -F '\t' 'NR > 1 { printf "%s%.12g", (NR > 2 ? " " : ""), $4 }' stdout)
[ "$got" = "$due" ]
ok $? "the importance is $due (got $got)"
[ "$(head -n 1 stdout | cut -f 4)" = importance ]
ok $? 'in a column of its own'
err 'tabratio: warning: the mean importance is 0.626, where a good fit has 1
'
cp stdout whole
run 0 sh -c 'tabratio --sigma .70710678118654752 --lambda .5 --test one <train'
cmp -s stdout whole
ok $? 'the same from standard input'
run 0 sh -c 'tabratio --sigma .70710678118654752 --lambda .5 --test - train <one'
cmp -s stdout whole
ok $? 'or with the test rows from there'
run 0 sh -c 'cut -d , -f 1,2 train | tabratio --sigma 1 --lambda 1 --test one -y z'
[ "$(head -n 1 stdout)" = "x${tab}z${tab}importance" ]
ok $? 'another target'
run 0 sh -c 'cut -d , -f 1,2 train | tabratio -y none --sigma 1 --lambda 1 --test one'
[ "$(head -n 1 stdout)" = "x${tab}z${tab}importance" ]
ok $? 'no target'
printf 'name,x,y\na,0,1\nb,1,1\n' >named
run 0 tabratio --test one --sigma 1 --lambda 1 --id name named
[ "$(tail -n 1 stdout | cut -f 1-3)" = "b${tab}1${tab}1" ]
ok $? 'a name is no feature, and the test rows need none'
run 2 tabratio --test one --sigma 1 --lambda 1 -x x,y train
err "tabratio: column \"y\" cannot be a feature: it has another role
try 'tabratio --help'
"

tabfold --fold 1/2 --part train "$data/wdbc.csv" >learn.csv
tabfold --fold 1/2 --part test "$data/wdbc.csv" >test.csv

# Without a header.
printf '0,0,a\n1,0,b\n' >plain
printf '0,0\n' >query
run 0 tabratio -H --test query --sigma .70710678118654752 --lambda .5 plain
[ "$(cut -f 1-3 stdout | head -n 2)" = "V1${tab}V2${tab}V3${nl}0${tab}0${tab}a" ]
ok $? 'columns have numbers'

# Missing features: the row is left out, or the mean counts.
printf 'x,y\n0,a\n,b\n2,c\n' >holes
printf 'x\n0\nNA\n' >ask
run 65 tabratio --test ask holes
out ''
err "tabratio: holes:3: column \"x\": missing: '' (--na omit or mean?)
"
run 0 tabratio --test ask --na omit --sigma 1 --lambda 1 holes
[ "$(cut -f 1,2 stdout)" = "x${tab}y${nl}0${tab}a${nl}2${tab}c" ]
ok $? 'a row is left out'
run 0 tabratio --test ask --na mean --sigma 1 --lambda 1 holes
[ "$(cut -f 1,2 stdout)" = "x${tab}y${nl}0${tab}a${nl}${tab}b${nl}2${tab}c" ]
ok $? 'a mean does not show'
cut -f 3 stdout >got
printf 'x\n0\n1\n' >ask
printf 'x,y\n0,a\n1,b\n2,c\n' >mean
run 0 tabratio --sigma 1 --lambda 1 --test ask mean
cut -f 3 stdout | cmp -s - got
ok $? 'but counts'

# Real data: any number of threads, a log; a split at random leaves all near 1.
tabfold --fold 1/2 --part train "$data/wdbc.csv" | tabscale >learn.tsv
tabfold --fold 1/2 --part test "$data/wdbc.csv" | tabscale >test.tsv
logged 0 tabratio --test test.tsv learn.tsv
cp stdout whole
for j in 2 3; do
	run 0 tabratio --test test.tsv -j $j learn.tsv
	cmp -s stdout whole
	ok $? "$j threads give the same"
done
run 0 tabratio --test test.tsv --seed 2 learn.tsv
! cmp -s stdout whole
ok $? 'another seed, other centres'
awk -F '\t' '$1 != "version" && $1 != "arguments" {
	print $1, $1 ~ /^(rows|test rows|features|centres|seed|threads)$/ ? $2 : "" }' \
	log >got
same got 'seed 1
threads 1
rows 284
test rows 285
features 30
centres 100
sigma 
lambda 
score 
zero 
effective size 
mean 
status 
seconds 
'
awk -F '\t' '{ for (i = 1; i < NF; i++) printf "%s%s", $i, (i < NF - 1 ? "\t" : "\n") }' \
	whole >got
cmp -s got learn.tsv
ok $? 'the rows come as they were'
awk -F '\t' 'NR > 1 { s += $NF; n++; if ($NF < 0) bad = 1 }
	END { exit bad || s / n < .7 || s / n > 1.3 }' whole
ok $? 'importances are 0 or more, and near 1 in the mean'

# No shift, few rows, as many centres: where the kernel on the row that is left out stayed,
# the narrowest sigma would win, and importances would be near 0 and large.
awk 'BEGIN {
	s = 11
	for (f = 1; f <= 2; f++) {
		print "a,b,c,d,y" >f ".csv"
		for (i = 0; i < 50; i++) {
			for (j = 0; j < 4; j++) {
				v = 0
				for (h = 0; h < 12; h++) {
					s = (s * 16807) % 2147483647
					v += s / 2147483647
				}
				printf "%.9g,", v - 6 >f ".csv"
			}
			print 0 >f ".csv"
		}
	}
}'
run 0 tabratio -v --test 2.csv 1.csv
grep -q '^effective size	[0-9.]*$' stderr && grep -q '^mean	[0-9.]*$' stderr
ok $? 'it says the effective size'
awk -F '\t' 'NR > 1 { s += ($NF - 1) ^ 2 } END { exit s / 50 > .05 }' stdout
ok $? 'without a shift importances are near 1'
# One training row alone is near the test rows.
awk 'BEGIN { print "x,y"; for (i = 0; i < 40; i++) print i ",0" }' >apart
awk 'BEGIN { print "x,y"; for (i = 0; i < 40; i++) print i / 400 ",0" }' >dense
run 0 tabratio --test dense --sigma .5 --lambda .1 apart
grep -q '^tabratio: warning: the importances count as 1[0-9.]* of 40 rows: few training rows are like the test rows$' stderr
ok $? 'a small effective size brings a warning'

# A shift along x: the larger x, the larger the importance.
awk 'BEGIN { print "x,y"; for (i = 0; i < 400; i++) print i / 100 ",0" }' >ramp
awk 'BEGIN { print "x"; for (i = 0; i < 400; i++) print 4 * sqrt(i / 400) }' >root
run 0 tabratio --test root -v ramp
[ "$(grep -c '^rows	400$\|^test rows	400$\|^features	1$\|^centres	100$' stderr)" -eq 4 ] &&
	[ "$(grep -c '^sigma	[0-9.]*$\|^lambda	[0-9.]*$\|^score	-[0-9.]*$' stderr)" -eq 3 ]
ok $? 'it says what it chose'
awk -F '\t' 'NR > 41 && NR < 362 { d = $3 - $1 / 2; s += d * d; n++ }
	END { exit sqrt(s / n) > .1 }' stdout
ok $? 'the ratio of x / 8 to 1 / 4 is x / 2'

# Nothing near, all the same, too far.
printf 'x,y\n1e9,0\n2e9,0\n' >far
run 0 tabratio --test root --sigma 1 --lambda 1 far
err 'tabratio: warning: all importances are 0: no training row is near a test row (a larger --sigma?)
'
[ "$(cut -f 3 stdout | tail -n 1)" = 0 ]
ok $? 'it is 0'
printf 'x,y\n1,0\n1,0\n' >same
run 0 tabratio --test same same
err 'tabratio: warning: the distances to the centres are all 0: the median is 1
'
printf 'x,y\n1e300,0\n-1e300,0\n' >huge
run 65 tabratio --test huge huge
out ''
err 'tabratio: huge:2: column "x": 1e+300 is beyond 1e150, where squares overflow (tabscale, tabscale --na-string?)
'
run 65 tabratio --test same --sigma 1 --lambda 1e-300 same
err 'tabratio: lambda is too small: H + lambda I is singular to working precision
'
run 65 tabratio --test one train
err 'tabratio: one row: no leave-one-out score to choose by (one --sigma and one --lambda?)
'

# Wrong calls, wrong tables.
run 2 tabratio train
err "tabratio: missing --test FILE: tabratio --test FILE TRAIN weighs rows of TRAIN as those of FILE
try 'tabratio --help'
"
run 2 tabratio --test -
err "tabratio: standard input named twice (give the rows as operand FILE)
try 'tabratio --help'
"
run 2 tabratio --test one --lambda 0 train
run 2 tabratio --test one --sigma 1,-1 train
run 2 tabratio --test one --centres 0 train
printf 'x,importance\n1,2\n' >clash
run 65 tabratio --test clash clash
err 'tabratio: clash:1: column "importance": the output would have this name twice
'
printf 'x,importance,y\n1,2,3\n' >clash
run 65 tabratio --test clash clash
printf 'x\n1\n' >narrow
run 65 tabratio --test narrow train
err 'tabratio: narrow:1: column "z": not found (-d?)
'
run 66 tabratio --test nowhere train
err 'tabratio: nowhere: No such file or directory
'
# Columns by any name pass.
printf 'x,1:-1,1,-1,y\n1,2,4,5,3\n2,2,4,6,3\n' >odd
run 0 tabratio -q --test odd odd
cut -f 1-5 stdout >got
tabs 'x 1:-1 1 -1 y' '1 2 4 5 3' '2 2 4 6 3' | cmp -s - got
ok $? 'all columns are copied, whatever their names'

# Patterns and exclusions leave out what has another role.
for list in 'x:-2' 'x,1*,-*' '!y' '*,!y'; do
	run 0 tabratio -q --test odd -x "$list" odd
	cut -f 1-5 stdout | cmp -s got -
	ok $? "-x $list"
done
run 2 tabratio -q --test odd -x x:y odd

done_testing
