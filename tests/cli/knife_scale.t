#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# knife --scale: weights and models of rows in the units of the input.
. "${0%/*}/tap.sh"
unscaled

value() { awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$1"; }

# relative FILE FILE TOLERANCE NAME: the same weights, up to their size.
relative() {
	awk -F '\t' -v tol="$3" 'FNR == NR { w[FNR] = $2; next } FNR > 1 {
		d = $2 - w[FNR]; most = tol * (w[FNR] < 0 ? -w[FNR] : w[FNR])
		if (!(d <= most && d >= -most)) bad++ }
		END { exit bad || FNR < 4 }' "$1" "$2"
	ok $? "$4"
}

# Columns in units far apart; every third row.
awk -F '[,\t]' -v OFS='\t' 'NR > 1 { $1 *= 1000; $3 /= 500 }
	NR == 1 || NR % 3 { $1 = $1; print }' "$data/wine.csv" |
	cut -f 1-5,13,14 >t

# Weights in the units of the input.
for how in '--kernel gaussian' '--kernel linear' '--kernel laplacian'; do
	tabscale --save z t >scaled
	# shellcheck disable=SC2086 # words
	knife --scale none $how --lambda2 1 scaled >v
	# shellcheck disable=SC2086 # words
	run 0 knife $how --lambda2 1 --scale zscore t
	sed 1d stdout >w
	power=2
	[ "$how" != '--kernel laplacian' ] || power=1
	awk -F '\t' -v OFS='\t' -v CONVFMT=%.17g -v power=$power '
		FNR == NR { scale[$1] = $4; next }
		FNR > 1 { $2 /= scale[$1] ^ power } { print }' z v >due
	relative due w 1e-12 "weights by hand, $how"
	# shellcheck disable=SC2086 # words
	run 0 knife $how --lambda2 1 --scale zscore --check w t
	# shellcheck disable=SC2086 # words
	logged 0 knife $how --lambda2 1 --scale zscore --start w t
	[ "$(value log iterations)" -le 1 ]
	ok $? 'a start in the units of the input'
	knnclf --loo -k 3 -w v scaled >due
	knnclf --loo -k 3 -w w t | cmp -s - due
	ok $? 'neighbours as of the scaled rows'
done
run 1 knife --lambda2 .01 --start 1 --max-iter 0 -q --scale zscore t
mv stdout w
run 1 knife --lambda2 .01 --scale zscore --start w --max-iter 0 -q t
near w stdout 1e-12 'a start of ones in the units of the input'
run 0 knife --lambda2 1,2 --scale zscore t
sed 1d stdout >path
for lambda2 in 1 2; do
	awk -F '\t' -v OFS='\t' -v l=$lambda2 'NR == 1 || $2 == l { print $3, $4 }' \
		path >w
	run 0 knife --lambda2 $lambda2 --scale zscore --check w t
done

# Degenerate: constants, equal rows.
awk -F '\t' -v OFS='\t' '{ print $1, (NR == 1 ? "flat" : 7),
	(NR == 1 ? "lone" : NR == 9), $NF }' t >flat
run 0 knife -q --lambda2 0 --scale zscore flat
awk -F '\t' '$1 == "flat" { exit $2 != 0 }' stdout
ok $? 'a constant has no unit, and no weight'
mv stdout w
run 0 knife -q --lambda2 0 --scale zscore --check w flat
printf 'a,b,y\n3,7,p\n3,7,p\n3,7,q\n3,7,q\n' >same
run 0 knife -q --lambda2 1 --scale minmax same
sed 1d stdout >got
tabs 'feature weight' 'a 0' 'b 0' | cmp -s - got
ok $? 'rows that are all equal'
printf 'a,y\n-1e308,p\n1,p\n1e308,q\n2,q\n' >wide
run 65 knife --lambda2 1 --scale minmax wide
err "knife: wide: column \"a\": its range -1e+308 to 1e+308 does not fit a double$nl"

# A model has the units: it predicts rows as they are.
tabfold --shares 2:1 --part 1 t >a
tabfold --shares 2:1 --part 2 t >b
for how in '--kernel gaussian' '--kernel polynomial' '--kernel linear --intercept' \
	'--kernel laplacian' '--task regress -y 1 --kernel linear' \
	'--task regress -y 1'; do
	y=''
	[ "$how" = "${how#--task}" ] || y='-y 1'
	# shellcheck disable=SC2086 # words
	tabscale $y --save z a >a.z
	tabscale --apply z b >b.z
	# shellcheck disable=SC2086 # words
	run 0 knife $how --lambda2 1 --scale zscore --save-model model a
	# shellcheck disable=SC2086 # words
	knife --scale none $how --lambda2 1 --save-model m a.z >w
	run 0 kpredict -m model b
	cp stdout got
	kpredict -m m b.z >due
	near due got 1e-9 "a model with units, $how"
done
# The same bytes for any number of threads.
how='--grid 4 --scale zscore'
# shellcheck disable=SC2086 # words
knife --scale none -q $how t >due
for j in 2 3; do
	# shellcheck disable=SC2086 # words
	knife --scale none -q -j $j $how t | cmp -s - due
	ok $? "-j $j gives the same bytes, $how"
done
done_testing
