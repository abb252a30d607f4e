#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sqpfw: --cv, --best, --scale and --print margins.
. "${0%/*}/tap.sh"

cp "$data/iris.csv" "$data/wine.csv" .
tabscale iris.csv >iris
tabscale wine.csv >wine
# A column that is constant without one row or the other; a grid with copies.
awk -F , -v OFS=, '{ $1 = $1 OFS (NR == 1 ? "rare" : NR == 9 || NR == 77 ? 2 : 1) } 1' iris.csv >rare
seq 0 39 | awk 'BEGIN { print "a,b,c,d" } { print $1 % 4 "," int($1 / 4) % 4 "," $1 * 3 % 5 "," ($1 * 7 % 5 > 2) }' >grid
awk 'NR % 8 == 1' iris >few

# by_hand TABLE PARTS SEED HITS MISSES THETAS KS SCALE: what --cv says, from what
# the commands say of each part; scaled, where SCALE says so, by tabscale.
by_hand() {
	part=0
	while [ $part -lt "$2" ]; do
		part=$((part + 1))
		tabfold --seed "$3" --fold $part/"$2" --part train "$1" >learn
		tabfold --seed "$3" --fold $part/"$2" --part test "$1" >judge
		if [ "$8" != none ]; then
			tabscale --method "$8" --save units learn >learn.s
			tabscale --apply units judge >judge.s
			mv learn.s learn
			mv judge.s judge
		fi
		sqpfw -q --best-effort --hits "$4" --misses "$5" --theta "$6,1e9" learn >path
		for theta in $(echo "$6" | tr , ' '); do
			{
				printf 'feature\tweight\n'
				awk -v t="$theta" -F '\t' 'NR > 1 && $2 + 0 == t + 0 { print $3 "\t" $4 }' path
			} >w
			knnclf -w w -k "$7" --print errors -t learn judge |
				awk -v t="$theta" -v OFS='\t' -v p="$(($(wc -l <w) - 1))" \
					'NR > 1 { print t, $1, $2, $3, p }'
		done
	done | awk -v parts="$2" -F '\t' '
		{ it = $1 FS $2 }
		!(it in n) { order[++m] = it }
		{ n[it] += $3; e[it] += $4; s[it] += $4 / $3; q[it] += ($4 / $3) ^ 2; if ($5 > p[it]) p[it] = $5 }
		END {
			print "theta\tk\tn\terrors\terror\tse\tfeatures"
			for (i = 1; i <= m; i++) {
				it = order[i]
				v = q[it] / parts - (s[it] / parts) ^ 2
				printf "%s\t%d\t%d\t%.9f\t%.9f\t%d\n", it, n[it], e[it], e[it] / n[it],
					sqrt((v > 0 ? v : 0) / (parts - 1)), p[it]
			}
		}'
}

# rounded: error and se of the table on standard output as by_hand has them.
rounded() {
	awk -F '\t' -v OFS='\t' 'NR > 1 { for (i = NF - 2; i < NF; i++) $i = sprintf("%.9f", $i) } 1' stdout >got
}

while read -r file parts seed hits misses thetas k scale; do
	run 0 sqpfw -q --best-effort --cv "$parts" --seed "$seed" --hits "$hits" \
		--misses "$misses" --theta "$thetas" -k "$k" --scale "$scale" "$file"
	rounded
	by_hand "$file" "$parts" "$seed" "$hits" "$misses" "$thetas" "$k" "$scale" >due
	cmp -s got due
	ok $? "$file, $parts parts, seed $seed, $hits hits, $misses misses, $scale: part by part"
	diff due got | sed 's/^/# /'
done <<W
iris 5 1 1 1 0.01,0.1,1 1,3 none
iris 3 2 2 1 0.03,0.3 1,5 none
wine 10 3 1 2 0.1 3,1 none
wine 4 4 3 3 0.01,0.3 1,3,5 none
iris.csv 5 5 1 1 0.01,0.1 1,3 zscore
wine.csv 4 6 1 2 0.01,0.1 1,3 zscore
wine.csv 4 7 2 1 0.1,1 1,3 minmax
rare 4 8 1 1 0.1 1,3 none
rare 4 8 1 1 0.1 1,3 zscore
grid 5 9 1 1 0.1,1 1,3 none
grid 4 10 2 2 1 1,4 zscore
few 18 11 1 1 0.1,1 1,3 none
W

# Lists of hits and misses: a block of rows for each pair.
run 0 sqpfw -q --cv 4 --hits 2,1 --misses 1,3 --theta .01,.1 -k 1,5 iris
cp stdout both
for hits in 2 1; do
	for misses in 1 3; do
		printf 'hits\tmisses\t'
		sqpfw -q --cv 4 --hits $hits --misses $misses --theta .01,.1 -k 1,5 iris |
			awk -v h=$hits -v m=$misses -v OFS='\t' 'NR > 1 { print h, m, $0 } NR == 1'
	done
done | awk 'NR == 1 || !/^hits/' >due
cmp -s both due
ok $? 'all pairs of hits and misses'
run 0 sqpfw -q --cv 4 --hits 1 --misses 1,2 --theta .1 iris
[ "$(sed 1q stdout)" = "$(tabs 'hits misses theta k n errors error se features')" ]
ok $? 'both columns where one is a list'

# winner COLUMN...: the best line of the table `both`, and with se = 1 the
# simplest within its standard error.
winner() {
	awk -F '\t' -v se="$1" '
		# Whether line a comes before line b: fewer features, then k, theta,
		# misses, hits.
		function before(a, b, i) {
			if (v[a, 9] != v[b, 9]) return v[a, 9] < v[b, 9]
			if (v[a, 4] != v[b, 4]) return se ? v[a, 4] > v[b, 4] : v[a, 4] < v[b, 4]
			for (i = 3; i >= 1; i -= i == 3 ? 1 : 1)
				if (v[a, i] != v[b, i]) return v[a, i] < v[b, i]
			return 0
		}
		NR > 1 { for (i = 1; i <= NF; i++) v[NR, i] = $i + 0 }
		END {
			best = 2
			s = se; se = 0
			for (r = 3; r <= NR; r++)
				if (v[r, 7] < v[best, 7] || (v[r, 7] == v[best, 7] && before(r, best))) best = r
			se = s
			limit = v[best, 7] + v[best, 8]
			for (r = 2; r <= NR && se; r++)
				if (v[r, 7] <= limit && before(r, best)) best = r
			printf "%.17g %.17g %.17g %.17g %.17g %.17g", v[best, 1], v[best, 2], v[best, 3],
				v[best, 4], v[best, 7], v[best, 8]
		}' both
}
thetas=.01,.03,.1,.3
for file in iris wine; do
	run 0 sqpfw -q --cv 5 --hits 1,2 --misses 1,2 --theta $thetas -k 1,3,5 $file
	cp stdout both
	for how in '' =se; do
		run 0 sqpfw -q --cv 5 --hits 1,2 --misses 1,2 --theta $thetas -k 1,3,5 --best$how \
			--log log $file
		cp stdout w
		due=$(winner "$([ -z "$how" ]; echo $?)")
		got=$(for key in hits misses theta k error se; do
			printf '%.17g\n' "$(awk -F '\t' -v k=$key '$1 == k { print $2; exit }' log)"
		done | paste -s -d ' ' -)
		[ "$got" = "$due" ]
		ok $? "$file, --best$how chooses $got, due is $due"
		# shellcheck disable=SC2086 # words
		set -- $due
		upto=$(echo $thetas | tr , '\n' | awk -v t="$3" '$1 <= t + 0' | paste -s -d , -)
		# The weights are those of all rows, on the way up to that theta.
		sqpfw -q --hits "$1" --misses "$2" --theta "$upto,1e6" --max-iter 100000 --best-effort $file |
			awk -F '\t' -v t="$3" 'NR > 1 && $2 == t + 0 { print $3 "\t" $4 }' >due
		awk 'NR > 1 && $2 != 0' w | cmp -s - due
		ok $? 'they are those of all rows'
		run 0 sqpfw --check w --hits "$1" --misses "$2" --theta "$3" $file
		verdict 'yes yes yes'
		run 0 sqpfw -q --cv 5 --hits 1,2 --misses 1,2 --theta $thetas -k 1,3,5 --best$how -j 3 $file
		cmp -s stdout w
		ok $? "--best$how, -j 3"
		set --
	done
done

# The same of rows kept apart, and along a path.
tabfold --shares 1:1 --part 1 wine >learn
tabfold --shares 1:1 --part 2 wine >judge
for how in '--theta .001,.01,.1,1' '--path --theta-max .3'; do
	# shellcheck disable=SC2086 # words
	run 0 sqpfw -q --best-effort $how --validate judge -k 1,3,5 learn
	awk -F '\t' -v OFS='\t' '{ print 1, 1, $0 }' stdout >both
	for best in '' =se; do
		# shellcheck disable=SC2086
		run 0 sqpfw -q --best-effort $how --validate judge -k 1,3,5 --best$best --log log learn
		due=$(winner "$([ -z "$best" ]; echo $?)" | cut -d ' ' -f 3-6)
		got=$(for key in theta k error se; do
			printf '%.17g\n' "$(awk -F '\t' -v k=$key '$1 == k { print $2; exit }' log)"
		done | paste -s -d ' ' -)
		[ "$got" = "$due" ]
		ok $? "$how --best$best chooses $got, due is $due"
	done
done

# A case by hand: theta 0 leaves both columns, one of which misleads; .2 has one.
printf 'x,y,c\n0,0,a\n1,0,a\n0,3,b\n1,3,b\n' >four
printf 'x,y,c\n.5,1,a\n.5,2,b\n' >ask
run 0 sqpfw --theta 0,.05,.2,.3 --validate ask -k 1,2 --best --log log four
table 'feature weight' 'x 0' 'y 1'
grep -qx 'theta	0.2' log && grep -qx 'k	1' log
ok $? 'the fewest features, then the smallest k and theta'
run 0 sqpfw --theta 0,.05,.2,.3 --validate ask -k 1,2 --best=se --log log four
table 'feature weight' 'x 0' 'y 1'
grep -qx 'theta	0.2' log && grep -qx 'k	2' log
ok $? 'the largest k of those, then the smallest theta'
run 0 sqpfw -v --theta 0,.2 --validate ask -k 1,2 --best four
grep -qx 'sqpfw: best: theta 0.2, k 1, error 0, se 0' stderr
ok $? '-v tells of the choice'

# The same bytes for any number of threads.
for how in 'iris --theta .01,.1 --cv 5 -k 1,3' 'wine.csv --theta .1 --cv 7 --scale zscore --hits 1,2'; do
	# shellcheck disable=SC2086
	sqpfw -q $how >due
	for j in 2 3; do
		# shellcheck disable=SC2086
		sqpfw -q $how -j $j | cmp -s - due
		ok $? "-j $j gives the same bytes: $how"
	done
done

# --scale: what tabscale and sqpfw give, divided by the squares of the scales.
for method in zscore minmax; do
	tabscale --method $method --save units wine.csv >scaled
	sqpfw -q --theta .1 scaled >due
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
	run 1 sqpfw --theta .1 --check w wine.csv
	knnclf --loo -w w --print predictions wine.csv >got
	knnclf --loo -w due --print predictions scaled | cmp -s - got
	ok $? 'the same neighbours'
	# As a prior, which is all that counts at theta 0, they come back.
	run 0 sqpfw --theta 0 --scale $method --prior w wine.csv
	near stdout w 1e-12 'a prior is in units of the input'
	run 0 sqpfw --theta .01,.1 --scale $method --validate wine.csv -k 1,3 wine.csv
	cp stdout got
	sqpfw --theta .01,.1 --validate scaled -k 1,3 scaled | cmp -s - got
	ok $? '--validate is scaled by the rows'
	run 0 sqpfw --theta .01,.1 --scale $method wine.csv
	awk -F '\t' '$1 == 2 { print $3 "\t" $4 }' stdout >list
	sqpfw --theta .01,.1,1e6 --scale $method --max-iter 20000 --best-effort -q wine.csv |
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
printf 'x,y,c\n1e308,1,a\n' >distant
awk -F , -v OFS=, 'NR > 1 { $1 *= 1e-9 } 1' four >near
refuse 'distant:2: column "x": inf, scaled, is beyond 1e150, where squares overflow' \
	--theta .1 --scale minmax --validate distant near
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
	sqpfw -q "$@" random >w
	solver=$?
	sqpfw -q "$@" --check w random >/dev/null
	[ $solver -eq $? ] || differ=$((differ + 1))
done
ok $differ "verdicts that differ: $differ"
set --

# Margins: the target rows and their distances.
run 0 sqpfw --theta .05 --print margins four
rounded_table 'id hit miss distance_hit distance_miss margin' '1 2 3 0.25 6.75 6.5' \
	'2 1 4 0.25 6.75 6.5' '3 4 1 0.25 6.75 6.5' '4 3 2 0.25 6.75 6.5'
printf 'n,x,y,c\np,0,0,a\nq,1,0,a\nr,0,3,b\ns,1,3,b\n' >named
run 0 sqpfw --theta .05 --print margins --id n named
rounded_table 'id hit miss distance_hit distance_miss margin' 'p q r 0.25 6.75 6.5' \
	'q p s 0.25 6.75 6.5' 'r s p 0.25 6.75 6.5' 's r q 0.25 6.75 6.5'
run 0 sqpfw --theta 0 --misses 2 --print margins four
rounded_table 'id hit miss distance_hit distance_miss margin' '1 2 4 0.5 5 4.5' \
	'2 1 3 0.5 5 4.5' '3 4 2 0.5 5 4.5' '4 3 1 0.5 5 4.5'
# By comparing all rows: the distances of all, and the rows where none is tied.
run 0 sqpfw -q --theta .1 --hits 2 --misses 3 --print margins iris
cp stdout margins
sqpfw -q --theta .1 --hits 2 --misses 3 iris >w
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

# Bad data, and wrong calls.
refuse 'four: --cv 5: only 4 rows' --theta 1 --cv 5 four
refuse "four: part 1 of --cv: class 'a': --hits 1 needs 2 rows, it has only 1" --theta 1 --cv 2 four
head -n 3 four >lone
printf '0,3,b\n1,3,b\n2,3,b\n' >>lone
refuse "lone: part 1 of --cv: class 'a': --hits 1 needs 2 rows, it has only 1" --theta 1 --cv 2 lone
refuse "iris: part 1 of --cv: class 'setosa': --hits 40 needs 41 rows, it has only 40" \
	--theta 1 --cv 5 --hits 1,40 iris
refuse "iris: part 1 of --cv: classes other than 'setosa': --misses 81 exceeds their number of rows, 80" \
	--theta 1 --cv 5 --misses 81,1 iris
refuse 'iris: part 1 of --cv: 121 neighbours wanted, only 120 available' --theta 1 --cv 5 -k 1,121 iris
printf 'x,c\n0,a\n0,a\n0,a\n0,b\n0,b\n1,b\n' >once
tabfold --fold 1/3 --part test once | grep -q '^1' && part=1
tabfold --fold 2/3 --part test once | grep -q '^1' && part=2
tabfold --fold 3/3 --part test once | grep -q '^1' && part=3
refuse "once: part $part of --cv: all features are constant" --theta 1 --cv 3 once
printf 'feature,weight\nrare,1\n' >prior
awk -F , -v OFS=, 'NR == 77 { $2 = 1 } 1' rare >single
run 65 sqpfw -q --theta 1 --cv 2 --prior prior single
grep -q '^sqpfw: prior: part [12] of --cv: no weight above 0, but of constant features$' stderr
ok $? 'a prior of a feature that is constant in a part'
misuse '--cv and --path exclude each other (give a grid of --theta)' --path --cv 5 iris
misuse '--validate and --cv exclude each other' --theta 1 --cv 5 --validate iris iris
misuse '--cv and --print exclude each other' --theta 1 --cv 5 --print events iris
misuse '--check excludes --validate, --cv and --print' --theta 1 --cv 5 --check w iris
misuse 'several --hits need --cv N' --theta 1 --hits 1,2 iris
misuse 'several --misses need --cv N' --theta 1 --misses 1,2 iris
misuse 'several --hits need --cv N' --theta 1 --hits 1,2 --validate iris iris
misuse '--print margins needs one --theta' --theta 1,2 --print margins iris
misuse '--print margins needs one --theta' --path --print margins iris
misuse "bad --best: 'first' (se)" --theta 1 --cv 5 --best=first iris
run 0 sqpfw --theta .1 --seed 3 iris
err "sqpfw: warning: --seed is not used without --cv$nl"

# What is not certified in the parts is told; the best weights count alone.
run 1 sqpfw --theta 1 --hits 2 --misses 2 --max-iter 3 --cv 4 iris
err "sqpfw: warning: not certified as minima: 4 of 4 solutions$nl"
cp stdout due
run 0 sqpfw --theta 1 --hits 2 --misses 2 --max-iter 3 --cv 4 --best-effort iris
cmp -s stdout due
ok $? '--best-effort'
run 1 sqpfw --theta 0,1 --max-iter 3 --cv 4 -o table iris
out ''
[ "$(wc -l <table)" -eq 3 ]
ok $? 'written all the same'
run 74 sh -c 'sqpfw --theta .1 --cv 3 iris >/dev/full'

done_testing
