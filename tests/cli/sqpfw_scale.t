#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sqpfw: --scale and --print margins.
. "${0%/*}/tap.sh"
unscaled

cp "$data/iris.csv" "$data/wine.csv" .
tabscale iris.csv >iris
printf 'x,y,c\n0,0,a\n1,0,a\n0,3,b\n1,3,b\n' >four

# --scale: what tabscale and sqpfw give, divided by the squares of the scales.
for method in zscore minmax; do
	tabscale --method $method --save units wine.csv >scaled
	sqpfw --scale none -q --theta .1 scaled >due
	awk -F '\t' -v OFS='\t' 'FNR == NR { if (FNR > 1) s[$1] = $4; next }
		FNR > 1 { $2 = sprintf("%.10g", $2 / s[$1] ^ 2) } 1' units due >w.due
	run 0 sqpfw --theta .1 --scale $method wine.csv
	cp stdout w
	same_scale=$(sed -n 1p w)
	sed 1d w | awk -F '\t' -v OFS='\t' 'FNR > 1 { $2 = sprintf("%.10g", $2) } 1' | cmp -s - w.due &&
		[ "$same_scale" = "# scale$tab$method" ]
	ok $? "--scale $method: weights for rows as they are"
	run 0 sqpfw --theta .1 --scale $method --check w wine.csv
	verdict 'yes yes yes'
	run 1 sqpfw --scale none --theta .1 --check w wine.csv
	knnclf -k 1 --loo -w w --print predictions wine.csv >got
	knnclf -k 1 --loo -w due --print predictions scaled | cmp -s - got
	ok $? 'the same neighbours'
	# As a prior, which is all that counts at theta 0, they come back.
	run 0 sqpfw --theta 0 --scale $method --prior w wine.csv
	near stdout w 1e-12 'a prior is in units of the input'
	run 0 sqpfw --theta .01,.1 --scale $method wine.csv
	awk -F '\t' '$1 == 2 { print $3 "\t" $4 }' stdout >list
	sqpfw --theta .01,.1,1e6 --scale $method --max-iter 20000 -q wine.csv |
		awk -F '\t' '$1 == 2 { print $3 "\t" $4 }' | cmp -s - list
	ok $? 'lists are scaled'
	bad=0
	sqpfw -q --path --theta-max .05 --scale $method wine.csv | sed 1d >path
	awk -F '\t' 'NR > 1 { t[$1] = $2; n = $1 }
		END { for (i = 1; i <= n; i++) if (i == n || t[i + 1] != t[i]) print i "\t" t[i] }' path >after
	while read -r step theta; do
		awk -v s="$step" -F '\t' 'NR == 1 || $1 == s' path >w
		sqpfw --theta "$theta" --scale $method --check w wine.csv >/dev/null || bad=$((bad + 1))
	done <after
	ok $bad "steps of a path that a check refuses: $bad of $(wc -l <after)"
done
printf 'x,k,y,c\n0,7,0,a\n1,7,0,a\n0,7,3,b\n1,7,3,b\n' >constant
run 0 sqpfw --theta .05 --scale minmax constant
err "sqpfw: warning: column \"k\" is constant: weight 0$nl"
for c in 1e160 1e-160; do
	awk -F , -v OFS=, -v c=$c 'NR > 1 { $1 *= c } 1' four >far
	run 65 sqpfw --theta .1 --scale zscore far
	grep -qx 'sqpfw: far: column "x": its unit, .*, leaves no weight that fits a double' stderr
	ok $? 'no unit for weights'
	out ''
done
awk -F , -v OFS=, 'NR > 1 { $1 *= 1e100 } 1' four >far
run 0 sqpfw --theta .05 --scale minmax far
cp stdout w
run 0 sqpfw --theta .05 --scale minmax --check w far
verdict 'yes yes yes'

# Whatever is printed as certified, the check certifies.
differ=0
seed=0
while [ $seed -lt "$([ "${KITH_LONG:-}" ] && echo 200 || echo 20)" ]; do
	seed=$((seed + 1))
	awk -v seed=$seed "$uniform"'BEGIN { seed_uniform(seed); n = 20 + int(uniform() * 20); p = 2 + int(uniform() * 4)
		for (j = 1; j <= p; j++) printf "x%d,", j
		print "y"
		for (i = 0; i < n; i++) {
			for (j = 1; j <= p; j++) {
				u = uniform() * 10 ^ (j * (seed % 3))
				if (seed % 2) u = int(u * 3)
				printf "%s,", u
			}
			print i % 2
		} }' >random
	set -- --scale "$([ $((seed % 4)) -lt 2 ] && echo zscore || echo minmax)" --theta "$(awk -v s=$seed 'BEGIN { print 10 ^ (s % 5 - 2) }')"
	sqpfw --scale none -q "$@" random >w
	solver=$?
	sqpfw --scale none -q "$@" --check w random >/dev/null
	[ $solver -eq $? ] || differ=$((differ + 1))
done
ok $differ "verdicts that differ: $differ"
set --

# Margins: the target rows and their distances.
run 0 sqpfw --scale none --theta .05 --print margins four
rounded_table 'id hit miss distance_hit distance_miss margin' '1 2 3 0.25 6.75 6.5' \
	'2 1 4 0.25 6.75 6.5' '3 4 1 0.25 6.75 6.5' '4 3 2 0.25 6.75 6.5'
printf 'n,x,y,c\np,0,0,a\nq,1,0,a\nr,0,3,b\ns,1,3,b\n' >named
run 0 sqpfw --scale none --theta .05 --print margins --id n named
rounded_table 'id hit miss distance_hit distance_miss margin' 'p q r 0.25 6.75 6.5' \
	'q p s 0.25 6.75 6.5' 'r s p 0.25 6.75 6.5' 's r q 0.25 6.75 6.5'
run 0 sqpfw --scale none --theta 0 --misses 2 --print margins four
rounded_table 'id hit miss distance_hit distance_miss margin' '1 2 4 0.5 5 4.5' \
	'2 1 3 0.5 5 4.5' '3 4 2 0.5 5 4.5' '4 3 1 0.5 5 4.5'
# By comparing all rows: the distances of all, and the rows where none is tied.
run 0 sqpfw --scale none -q --theta .1 --hits 2 --misses 3 --print margins iris
cp stdout margins
sqpfw --scale none -q --theta .1 --hits 2 --misses 3 iris >w
awk -F '\t' '
	# The distance of the k-th nearest row of this class, or of others.
	function kth(i, k, miss, j, f, d, n, a, at, t) {
		n = 0
		for (j = 2; j <= rows; j++) {
			if (j == i || (y[j] != y[i]) != miss) continue
			d = 0
			for (f = 1; f <= 4; f++) d += w[f + 1] * (x[i, f] - x[j, f]) ^ 2
			a[++n] = d
		}
		for (at = 1; at <= k; at++)
			for (j = at + 1; j <= n; j++)
				if (a[j] < a[at]) { t = a[j]; a[j] = a[at]; a[at] = t }
		return a[k]
	}
	FILENAME == "w" { w[FNR] = $2; next }
	FILENAME == "iris" { for (f = 1; f <= 4; f++) x[FNR, f] = $f; y[FNR] = $5; rows = FNR; next }
	FNR > 1 {
		n++
		bad += abs($4 - kth($1 + 1, 2, 0)) > 1e-9 || abs($5 - kth($1 + 1, 3, 1)) > 1e-9
		bad += y[$2 + 1] != y[$1 + 1] || y[$3 + 1] == y[$1 + 1] || abs($5 - $4 - $6) > 1e-12
	}
	function abs(v) { return v < 0 ? -v : v }
	END { exit n != 150 || bad }' w iris margins
ok $? 'margins of iris'

# Weights that do not fit in the units of the scaled rows.
tabs 'a b class' '0 0 x' '1e100 3e100 x' '2e100 1e100 y' '4e100 2e100 y' >wide
tabs 'feature weight' 'a 1e200' 'b 1' >heavy
refuse 'heavy: column "a": in its unit, a weight does not fit a double' --check heavy wide

# Wrong calls.
misuse '--print margins needs one --theta' --theta 1,2 --print margins four

done_testing
