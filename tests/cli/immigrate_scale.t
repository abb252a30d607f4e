#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# immigrate: --scale and --print margins.
. "${0%/*}/tap.sh"
unscaled

value() { awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$1"; }

# relative FILE FILE TOLERANCE NAME: the same weights, up to their size.
relative() {
	awk -F '\t' -v tol="$3" 'FNR == NR { w[FNR] = $NF; next } FNR > 2 {
		d = $NF / w[FNR] - 1
		if (!(d <= tol && d >= -tol)) bad++ }
		END { exit bad || FNR < 4 }' "$1" "$2"
	ok $? "$4"
}

# Columns in units far apart.
awk -F '[,\t]' -v OFS='\t' 'NR > 1 { $1 *= 1000; $3 /= 500 }
	NR == 1 || NR % 2 { print $1, $2, $3, $4, $5 }' "$data/iris.csv" >t

# Weights in the units of the input: those of the scaled rows, divided by the
# scales of both columns; they belong to the rows as they are.
for method in zscore minmax; do
	tabscale --method $method --save z t >scaled
	immigrate --scale none scaled >v
	run 0 immigrate --scale $method t
	grep -v '^# scale' stdout >w
	awk -F '\t' -v OFS='\t' 'FNR == NR { scale[$1] = $4; next }
		/^#/ || $1 == "feature1" { print; next }
		{ print $1, $2, $3 / scale[$1] / scale[$2] }' OFMT=%.15g \
		CONVFMT=%.15g z v >due
	relative due w 1e-12 "weights by hand, $method"
	head -n 1 w >got
	same got "$(head -n 1 v)$nl"
	knnclf -t scaled -w v --vote expected scaled >due
	run 0 knnclf -t t -w w --vote expected t
	cut -f 2,3 due >a
	cut -f 2,3 stdout | cmp -s - a
	ok $? 'they predict the rows as they are'
	run 0 immigrate --check w --scale $method t
	verdict 'yes yes yes yes'
	run 1 immigrate --scale none --check w t
	logged 0 immigrate --scale $method --start w t
	[ "$(value log iterations)" -le 1 ]
	ok $? 'a start in the units of the input'
	grep -v '^# scale' stdout >again
	relative w again 1e-3 'which was the end'
	for how in im4e im4e-immigrate; do
		run 0 immigrate --scale $method --method $how t
		mv stdout w
		run 0 immigrate --scale $method --method $how --check w t
		immigrate --scale none --method $how scaled >v
		knnclf -t scaled -w v --vote expected scaled | cut -f 2,3 >a
		knnclf -t t -w w --vote expected t | cut -f 2,3 | cmp -s - a
		ok $? "the same of $how"
	done
	run 0 immigrate --boost 5 --scale $method t
	mv stdout w
	immigrate --scale none --boost 5 scaled >v
	cut -f 1-5 v >a
	cut -f 1-5 w | cmp -s - a
	ok $? 'learners, their alpha and sigma'
	knnclf -t scaled -w v --vote expected scaled | cut -f 2,3 >a
	knnclf -t t -w w --vote expected t | cut -f 2,3 | cmp -s - a
	ok $? 'an ensemble predicts the rows as they are'
done

# A feature that is constant.
awk -F '\t' -v OFS='\t' '{ print $1, (NR == 1 ? "flat" : 7), $3,
	(NR == 1 ? "lone" : NR == 9), $5 }' t >flat
run 0 immigrate -q --scale zscore flat
mv stdout w
awk -F '\t' '$1 == "flat" || $2 == "flat" { if ($3 != 0) bad++; n++ }
	END { exit bad || n != 4 }' w
ok $? 'a constant has no unit, and no weight'
run 0 immigrate -q --scale zscore --check w flat
printf 'a,b,y\n3,7,p\n3,7,p\n3,7,q\n3,7,q\n' >same
run 1 immigrate -q --scale minmax same
run 1 immigrate -q --scale minmax --solver paper same

printf 'a,y\n-1e308,p\n1,p\n1e308,q\n2,q\n' >wide
run 65 immigrate --scale minmax wide
err "immigrate: wide: column \"a\": its range -1e+308 to 1e+308 does not fit a double$nl"

# One row is far from all others: Sigma of the rest is rounding, and the status is that of the
# weights as they are printed and read again.
awk -F '\t' -v OFS='\t' 'NR == 2 { $1 = 1e30; $3 = -1e30 } 1' t >far
for scale in none zscore minmax; do
	for sigma in auto .01; do
		immigrate -q --scale $scale --sigma $sigma far >w
		status=$?
		run $status immigrate -q --scale $scale --check w far
	done
done

# Margins: the mean distances to hits and misses, by their definition.
awk 'NR % 4 == 1 || NR == 2' t | tabscale >few
sed '2s/[^	]*$/only/' few >lonely
margins() { # FILE WEIGHTS MATRIX
	awk -F '\t' -v OFS='\t' -v OFMT=%.15g -v CONVFMT=%.15g -v matrix="$3" '
	function abs(x) { return x < 0 ? -x : x }
	function distance(a, b,   i, j, d) {
		for (i = 1; i <= p; i++) for (j = i; j <= (matrix ? p : i); j++)
			if (matrix)
				d += (i < j ? 2 : 1) * w[name[i], name[j]] * \
					abs(x[a, i] - x[b, i]) * abs(x[a, j] - x[b, j])
			else
				d += w[name[i]] * abs(x[a, i] - x[b, i])
		return d
	}
	function mean(a, hits,   b, least, sum, all, d, e) {
		least = -1
		for (b = 1; b <= n; b++) if (b != a && (y[a] == y[b]) == hits) {
			d[b] = distance(a, b)
			if (least < 0 || d[b] < least) least = d[b]
		}
		if (least < 0) return "NA"
		for (b in d) { e = exp((least - d[b]) / sigma)
			sum += e * d[b]; all += e }
		return sum / all
	}
	FILENAME == ARGV[1] && $1 == "# sigma" { sigma = $2; next }
	FILENAME == ARGV[1] && matrix { w[$1, $2] = w[$2, $1] = $3; next }
	FILENAME == ARGV[1] { w[$1] = $2; next }
	FNR == 1 { p = NF - 1; for (i = 1; i <= p; i++) name[i] = $i; next }
	{ n = FNR - 1; for (i = 1; i <= p; i++) x[n, i] = $i; y[n] = $NF }
	END { print "id", "hit", "miss", "margin"
		for (a = 1; a <= n; a++) { h = mean(a, 1); m = mean(a, 0)
			print a, h, m, h == "NA" ? h : m - h } }' "$2" "$1"
}
for file in few lonely; do
	for how in '--sigma 2 1' '--sigma .5 1' '--method=im4e 0'; do
		matrix=${how##* }
		# shellcheck disable=SC2086 # words
		immigrate --scale none -q ${how% *} $file >w
		margins $file w "$matrix" >due
		# shellcheck disable=SC2086 # words
		immigrate --scale none -q ${how% *} --print margins $file >got
		near due got 1e-9 "margins of $file, ${how% *}"
	done
done
awk -F '\t' 'NR == 2 { exit !($2 == "NA" && $3 > 0 && $4 == "NA") }' got
ok $? 'a row that is the only one of its class has no hits'
immigrate --scale none -q --method im4e-immigrate few >w
margins few w 1 >due
run 0 immigrate --scale none -q --method im4e-immigrate --print margins few
near due stdout 1e-9 'margins under weights of selected features'
immigrate -q --scale zscore --print margins t >got
tabscale t | immigrate --scale none -q --print margins >due
near due got 1e-9 'margins of scaled rows'
awk -F '\t' -v OFS='\t' '{ print (NR == 1 ? "who" : "r" NR), $0 }' few >named
run 0 immigrate --scale none --id who --print margins named
[ "$(cut -f 1 stdout | sed -n '1p;3p' | tr '\n' ' ')" = 'id r3 ' ]
ok $? 'ids of rows'
misuse '--print margins needs one learner' --boost 3 --print margins few

# The same bytes for any number of threads.
for how in '--scale zscore' '--print margins' '--scale minmax --boost 3' \
	'--scale zscore --method im4e'; do
	# shellcheck disable=SC2086 # words
	immigrate --scale none -q $how t >due
	for j in 2 3; do
		# shellcheck disable=SC2086 # words
		immigrate --scale none -q -j $j $how t | cmp -s - due
		ok $? "-j $j gives the same bytes, $how"
	done
done
done_testing
