#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# relief: --cv, --best and --scale.
. "${0%/*}/tap.sh"

cp "$data/iris.csv" "$data/wine.csv" .
tabscale iris.csv >iris
cut -d , -f 1-4 iris.csv >flower
# A column that is constant without one row or the other; one that tells nothing,
# with classes, and with numbers.
awk -F , -v OFS=, '{ $1 = $1 OFS (NR == 1 ? "rare" : NR == 9 || NR == 77 ? 2 : 1) } 1' iris.csv >rare
seq 0 35 | awk 'BEGIN { print "v,y" } { print $1 % 2 "," (int($1 / 2) % 3 ? "a" : "b") }' >none
seq 0 35 | awk 'BEGIN { print "v,y" } { print $1 % 2 "," int($1 / 2) * 2 ^ .5 }' >numbers
tabscale wine.csv >wine

# commonest VOTES: errors of predicting the class that most rows of learn have, or
# their mean.
commonest() {
	tabscale --method none learn | tr , '\t' >l
	tabscale --method none judge | tr , '\t' >j
	for k in $(echo "$1" | tr , ' '); do
		awk -v task=$task -v k="$k" -v OFS='\t' '
			FNR == 1 { file++; next }
			file == 1 { sum += $NF; rows++; if (++count[$NF] > most) { most = count[$NF]; first = $NF } }
			file == 2 { n++; e += $NF != first; d += ($NF - sum / rows) ^ 2 }
			END { if (task == "regress") print k, n, sprintf("%.17g", sqrt(d / n)); else print k, n, e }' l j
	done
}

# by_hand TABLE PARTS SEED SCALE VOTES OPTION...: vote_k n errors error se, or
# vote_k n rmse se, of --cv, from what the commands say of each part.
by_hand() {
	table=$1
	parts=$2
	seed=$3
	scale=$4
	votes=$5
	shift 5
	task=classify
	case "$*" in
	*regress*) task=regress ;;
	esac
	part=0
	while [ $part -lt "$parts" ]; do
		part=$((part + 1))
		fold="tabfold --task $task --seed $seed --fold $part/$parts"
		$fold --part train "$table" >learn
		$fold --part test "$table" >judge
		if [ "$scale" != none ]; then
			tabscale --method "$scale" --save units learn >learn.s
			tabscale --apply units judge >judge.s
			mv learn.s learn
			mv judge.s judge
		fi
		relief -q --best-effort --seed "$seed" "$@" learn |
			awk -F '\t' -v OFS='\t' 'NR > 1 && NF == 2 && $2 < 0 { $2 = 0 } 1' >w
		if awk -F '\t' 'NR > 1 && $NF > 0 { exit 1 }' w; then
			commonest "$votes"
		else
			knnclf --task $task -w w -k "$votes" --print errors -t learn judge | sed 1d
		fi
	done | awk -v parts="$parts" -v task=$task -F '\t' '
		task == "regress" { $4 = $3 = $2 * $3 ^ 2 }
		{
			if (!($1 in n)) order[++m] = $1
			n[$1] += $2; e[$1] += $3; s[$1] += $3 / $2; q[$1] += ($3 / $2) ^ 2
		}
		END {
			for (i = 1; i <= m; i++) {
				k = order[i]
				v = q[k] / parts - (s[k] / parts) ^ 2
				se = sqrt((v > 0 ? v : 0) / (parts - 1))
				error = e[k] / n[k]
				if (task == "regress") {
					error = sqrt(error)
					printf "%s\t%d\t%.9f\t%.9f\n", k, n[k], error, se / 2 / error
				} else
					printf "%s\t%d\t%d\t%.9f\t%.9f\n", k, n[k], e[k], error, se
			}
		}'
}

# The same columns of the table on standard output, of rows whose columns before
# vote_k are these.
columns() { # [VALUE]...
	awk -F '\t' -v OFS='\t' -v want="$*" '
		NR == 1 { for (at = 1; $at != "vote_k"; at++); next }
		{
			is = ""
			for (i = 1; i < at; i++) is = is (i > 1 ? " " : "") $i
			if (is != want) next
			line = $at
			for (i = at + 1; i < NF; i++) line = line OFS ($i == int($i) && i < NF - 2 ? $i : sprintf("%.9f", $i))
			print line
		}' stdout >got
}

while read -r file parts seed scale votes args; do
	# shellcheck disable=SC2086 # several words
	run 0 relief -q --best-effort --cv "$parts" --seed "$seed" --scale "$scale" \
		--vote-k "$votes" $args "$file"
	columns "$(echo " $args" | sed -n 's/.* -k \([^ ]*\).*/\1 /p')$(
		echo " $args" | sed -n 's/.* --sigma \([^ ]*\).*/\1/p')"
	[ -s got ] || columns "$(echo " $args" | sed -n 's/.* -k \([^ ]*\).*/\1/p')"
	# shellcheck disable=SC2086
	by_hand "$file" "$parts" "$seed" "$scale" "$votes" $args >due
	cmp -s got due
	ok $? "$file: part by part"
	diff due got | sed 's/^/# /'
done <<W
iris 5 1 none 1,3
wine 4 2 none 1,3 --samples 50
wine.csv 4 3 minmax 1,5 --method relieff -k 5
wine.csv 5 4 none 1,5 --method relieff -k 3 --metric l2
iris.csv 5 5 zscore 3,1 --method simba --starts 2
wine.csv 3 6 zscore 1,3 --method mulrel
wine.csv 3 7 zscore 1,3 --method irelief --sigma 2
rare 4 12 zscore 1,3
rare 4 12 none 1,3 --method lfe
none 4 1 none 1,3
none 4 2 zscore 1,4 --method lfe
none 3 3 none 1 --method mulrel
numbers 4 4 none 1,3 --method relieff -k 5 --sigma 10 --task regress
iris.csv 3 8 zscore 1,3 --method nca --starts 1
wine.csv 3 9 zscore 1,3 --method lfe
flower 4 10 minmax 1,4 --method relieff -k 5 --sigma 10 --task regress
flower 4 11 none 1,4 --method relieff -k 5 --sigma 10 --task regress
W

# Lists: a row for each k, sigma and vote_k.
run 0 relief --method relieff --scale minmax --cv 4 -k 3,8 --vote-k 1,5 wine.csv
cp stdout both
for k in 3 8; do
	relief --method relieff --scale minmax --cv 4 -k $k --vote-k 1,5 wine.csv
done | awk 'NR == 1 || !/^k/' >due
cmp -s both due
ok $? 'all k'
[ "$(sed 1q both)" = "$(tabs 'k vote_k n errors error se features')" ]
ok $? 'the columns of relieff'
run 0 relief -q --best-effort --method irelief --scale zscore --cv 4 --sigma 1,5,.2 wine.csv
[ "$(cut -f 1-3 stdout)" = "$(tabs 'sigma vote_k n' '1 1 178' '5 1 178' '0.2 1 178')" ]
ok $? 'irelief'
run 0 relief --method relieff --task regress --cv 4 -k 3,8 --sigma 5,20 --vote-k 1,2 flower
[ "$(sed 1q stdout)" = "$(tabs 'k sigma vote_k n rmse se features')" ] && [ "$(wc -l <stdout)" -eq 9 ]
ok $? 'relieff of numbers'
run 0 relief --cv 4 iris
[ "$(sed 1q stdout)" = "$(tabs 'vote_k n errors error se features')" ]
ok $? 'relief'

# --best: what the plain call gives, at the best line of the table.
winner() { # SE
	awk -F '\t' -v how="$1" '
		# Whether line a comes before line b: fewer features, then vote_k, then k.
		function before(a, b) {
			if (v[a, 7] != v[b, 7]) return v[a, 7] < v[b, 7]
			if (v[a, 2] != v[b, 2]) return se ? v[a, 2] > v[b, 2] : v[a, 2] < v[b, 2]
			if (v[a, 1] != v[b, 1]) return se ? v[a, 1] > v[b, 1] : v[a, 1] < v[b, 1]
			return 0
		}
		NR > 1 { for (i = 1; i <= NF; i++) v[NR, i] = $i + 0 }
		END {
			best = 2
			for (r = 3; r <= NR; r++)
				if (v[r, 5] < v[best, 5] || (v[r, 5] == v[best, 5] && before(r, best))) best = r
			limit = v[best, 5] + v[best, 6]
			se = how
			for (r = 2; r <= NR && se; r++)
				if (v[r, 5] <= limit && before(r, best)) best = r
			printf "%d %d %.17g %.17g", v[best, 1], v[best, 2], v[best, 5], v[best, 6]
		}' both
}
for scale in none minmax; do
	lists="--method relieff --scale $scale --cv 5 -k 1,3,10 --vote-k 1,3,5"
	# shellcheck disable=SC2086 # words
	run 0 relief $lists wine.csv
	cp stdout both
	for how in '' =se; do
		# shellcheck disable=SC2086
		run 0 relief $lists --best$how --log log wine.csv
		cp stdout w
		due=$(winner "$([ -z "$how" ]; echo $?)")
		got=$(for key in k vote_k error se; do
			printf '%.17g\n' "$(awk -F '\t' -v k=$key '$1 == k { print $2; exit }' log)"
		done | paste -s -d ' ' -)
		[ "$got" = "$due" ]
		ok $? "--best$how, $scale, chooses $got, due is $due"
		relief --method relieff --scale $scale -k "${due%% *}" wine.csv | cmp -s - w
		ok $? 'it is what the plain call gives'
	done
done
run 0 relief --cv 5 --vote-k 1,3 --best iris
relief iris | cmp -s - stdout
ok $? 'relief'

# The same bytes for any number of threads.
for how in 'iris --cv 5 --vote-k 1,3' 'wine.csv --method irelief --cv 7 --scale zscore --sigma 1,2' \
	'iris --method simba --cv 3 --best'; do
	# shellcheck disable=SC2086
	relief -q $how >due
	for j in 2 3; do
		# shellcheck disable=SC2086
		relief -q $how -j $j | cmp -s - due
		ok $? "-j $j gives the same bytes: $how"
	done
done

# --scale: what tabscale and relief give, in the units of the input.
while read -r kind method; do
	for scale in zscore minmax; do
		tabscale --method $scale --save units wine.csv >scaled
		relief -q --best-effort --method "$method" scaled >due
		run 0 relief -q --best-effort --method "$method" --scale $scale wine.csv
		sed 1d stdout >w
		awk -F '\t' -v kind="$kind" '
			FNR == 1 { file++; next }
			file == 1 { s[$1] = $4 }
			file == 2 { v[FNR] = kind == "absolute" ? $2 / s[$1] : kind == "squared" ? $2 / s[$1] ^ 2 : $3 / s[$1] / s[$2] }
			file == 3 { n++; d = v[FNR] - $NF; if (d < 0) d = -d; a = $NF < 0 ? -$NF : $NF; if (d > 1e-12 * a) bad++ }
			END { exit n < 13 || bad }' units due w
		ok $? "--scale $scale: $method for rows as they are"
	done
done <<W
squared relief
absolute relieff
squared simba
squared mulrel
absolute irelief
squared nca
matrix lfe
W
run 0 relief --scale zscore wine.csv
cp stdout w
tabscale wine.csv >scaled
relief scaled >v
knnclf --loo -w v --print predictions scaled >due
run 0 knnclf --loo -w w --print predictions wine.csv
cmp -s stdout due
ok $? 'the weights are used with rows as they are'
awk -F , -v OFS=, 'NR > 1 { $1 *= 1e-200 } 1' iris.csv >small
refuse 'small: column "sepal_length": in its unit, a weight does not fit a double' --scale minmax small
run 0 relief --method relieff --scale minmax small
printf 'x,k,y\n0,7,a\n1,7,a\n5,7,b\n7,7,b\n' >constant
run 0 relief --scale minmax constant
err "relief: warning: column \"k\" is constant: weight 0$nl"
[ "$(tail -n 1 stdout)" = "k${tab}0" ]
ok $? 'a constant column'

# What does not converge in the parts is told; of the best weights, they alone.
run 1 relief --method irelief --max-iter 1 --cv 3 --sigma 1,2 iris
err "relief: warning: not converged: 6 of 6 searches$nl"
[ "$(wc -l <stdout)" -eq 3 ]
ok $? 'the table is there'
run 0 relief --method irelief --max-iter 1 --cv 3 --sigma 1,2 --best-effort iris
run 1 relief --method irelief --max-iter 1 --cv 3 --best iris
err "relief: warning: not converged after 1 iterations (--max-iter)$nl"
run 1 relief --method mulrel --cv 3 --best iris
err "relief: warning: not converged after 100 iterations: the weights repeat in a cycle of 2$nl"

# Numbers whose squares leave the range of a double.
relief --method relieff --task regress --cv 3 flower | cut -f 5,6 >due
for c in 2^1000 2^-1000; do
	awk -F , -v OFS=, -v c=$c 'BEGIN { split(c, p, "^"); f = p[1] ^ p[2] }
		NR > 1 { $4 = sprintf("%.17g", $4 * f) } 1' flower >huge
	run 0 relief --method relieff --task regress --cv 3 huge
	awk -F '\t' -v c=$c 'BEGIN { split(c, p, "^"); f = p[1] ^ p[2] }
		FNR == NR { rmse[FNR] = $1; se[FNR] = $2; next }
		FNR > 1 { d = $5 / f / rmse[FNR] - 1; e = $6 / f / se[FNR] - 1; bad += d * d + e * e > 1e-18 || d != d; n++ }
		END { exit bad || n != 1 }' due stdout
	ok $? "targets times $c"
done

# Texts and missing cells: no distance under weights, no unit.
printf 'c,x,y\np,0,a\np,4,a\nq,2,a\nq,1,b\nq,3,b\np,3,b\n' >texts
run 0 relief --method relieff texts
for how in '--cv 2' '--scale zscore'; do
	# shellcheck disable=SC2086
	refuse "texts:2: column \"c\": not a number: 'p' (--id, --ignore, tabscale --onehot?)" --method relieff $how texts
	# shellcheck disable=SC2086
	misuse '--na model excludes --cv and --scale (--na omit or mean?)' --method relieff --na model $how texts
done

# Bad data, and wrong calls.
printf 'x,y\n0,a\n1,a\n5,b\n7,a\n' >four
refuse 'four: --cv 5: only 4 rows' --cv 5 four
run 65 relief --cv 2 four
grep -qx "relief: four: part [12] of --cv: one class only: 'a'" stderr
ok $? 'one class is left'
refuse 'iris: part 1 of --cv: 121 neighbours wanted, only 120 available' --cv 5 --vote-k 1,121 iris
refuse 'iris: part 1 of --cv: --samples 130: only 120 rows' --cv 5 --samples 130 iris
misuse '--best needs --cv N' --best iris
misuse 'several -k need --cv N' --method relieff -k 1,2 iris
misuse 'several --sigma need --cv N' --method irelief --sigma 1,2 iris
run 0 relief -k 1,2 iris
err "relief: warning: -k is not used with --method relief$nl"
run 0 relief --vote-k 1,2 iris
err "relief: warning: --vote-k is not used without --cv$nl"
run 74 sh -c 'relief --cv 3 iris >/dev/full'

done_testing
