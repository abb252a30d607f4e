#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# knife of more rows than K is held of: proved, the same for any number of threads.
. "${0%/*}/tap.sh"

value() { awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$1"; }

awk 'BEGIN { OFS = "\t"; print "a", "b", "y"
	for (i = 0; i < 3010; i++) {
		for (j = 0; j < 2; j++) {
			x = (16807 * (x + 1)) % 2147483647
			v[j] = x / 2147483647 * 2 - 1
		}
		print v[0], v[1], (v[0] + v[1] / 9 > .1) ? "p" : "q"
	} }' OFMT=%.4f CONVFMT=%.4f >rows
how='--lambda2 300 --gamma 1 --tol 1e-3'
# shellcheck disable=SC2086 # words
logged 0 knife $how rows
mv stdout w
products=$(value log 'products with K')
[ "$products" -gt 0 ] && [ "$products" -lt 100 ] # more than 300 without a preconditioner
ok $? 'conjugate gradients, few products'
for j in 1 2; do
	run 1 knife -q -j $j --lambda2 300 --max-iter 0 --save-model model.$j rows
done
cmp -s model.1 model.2
ok $? '-j 2 gives the same machine'
# shellcheck disable=SC2086 # words
run 0 knife $how --check w rows
awk -F '\t' 'NR > 1 && $4 != "yes" { bad++ } END { exit bad || NR != 4 }' stdout
ok $? 'the check says yes'
awk -F '\t' -v OFS='\t' 'NR == 3 { $2 *= 1.001 } 1' w >moved
# shellcheck disable=SC2086 # words
run 1 knife $how --check moved rows
awk -F '\t' '$1 == "stationarity" { exit $4 != "no" }' stdout
ok $? 'but for a weight moved by a thousandth'
for loss in logistic huberhinge; do
	# shellcheck disable=SC2086 # words
	logged 0 knife $how --loss $loss rows
	mv stdout w
	products=$(value log 'products with K')
	[ "$products" -gt 0 ] && [ "$products" -lt 100 ]
	ok $? "conjugate gradients, $loss"
	# shellcheck disable=SC2086 # words
	run 0 knife $how --loss $loss --check w rows
	verdict 'yes yes yes'
done
done_testing
