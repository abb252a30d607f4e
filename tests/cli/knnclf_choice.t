#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# knnclf chooses by cross-validation, scales inside of it, and says who voted.
. "${0%/*}/tap.sh"

# The error of each part, by other commands, from train.PART and test.PART; columns k, part,
# rows, wrong.
by_hand() { # PARTS METHOD K...
	parts=$1 method=$2
	shift 2
	for part in $(seq "$parts"); do
		tabscale --method "$method" --save unit -o train.z train."$part"
		tabscale --apply unit -o test.z test."$part"
		for k; do
			knnclf --scale none -q -t train.z -k "$k" -o said."$k" test.z
		done
		awk -v part="$part" '
		FNR == 1 { k[++n] = substr(FILENAME, 6); next }
		{ rows[n]++; wrong[n] += $2 != $3 }
		END { for (i = 1; i <= n; i++) print k[i], part, rows[i], wrong[i] }' said.*
	done
}

# The table of errors of these.
pooled() {
	awk '
	{ n[$1] += $3; wrong[$1] += $4; e[$1, ++parts[$1]] = $4 / $3 }
	END {
		print "k\tn\terrors\terror\tse"
		for (k in n) {
			mean = square = 0
			for (i = 1; i <= parts[k]; i++)
				mean += e[k, i] / parts[k]
			for (i = 1; i <= parts[k]; i++)
				square += (e[k, i] - mean) ^ 2
			printf "%d\t%d\t%d\t%.12g\t%.12g\n", k, n[k], wrong[k],
				wrong[k] / n[k],
				sqrt(square / parts[k] / (parts[k] - 1))
		}
	}' | sort -k 1,1g
}

for seed in 1 2 3; do
	tabfold --shares 3:2 --part 1 --seed "$seed" "$data/wine.csv" >rows
	for part in 1 2 3 4 5; do
		tabfold --fold $part/5 --seed "$seed" --write train.$part,test.$part rows
	done
	for method in none zscore minmax; do
		by_hand 5 "$method" 1 3 8 | pooled >due
		run 0 knnclf --cv 5 --seed "$seed" --scale "$method" -k 1,3,8 rows
		near stdout due 1e-9 "errors of 5 parts, seed $seed, scaled by $method"
	done
done
mv stdout one
run 0 knnclf -j 3 --cv 5 --seed 3 --scale minmax -k 1,3,8 rows
same one "$(cat stdout)$nl"

# What is chosen: errors of .25, .125 and .1875 with spreads of their own.
knnclf --scale none -q --cv 8 --seed 3 -k 1,2,3,5,9,20 rows >trials
best=$(awk 'NR > 1 && (NR == 2 || $3 < least) { least = $3; k = $1; se = $5; e = $4 }
	END { print k, e + se }' trials)
simple=$(awk -v most="${best#* }" 'NR > 1 && $4 <= most + 1e-12 { k = $1 }
	END { print k }' trials)
ok "$([ "${best% *}" != "$simple" ]; echo $?)" 'the simplest is another k than the best'
logged 0 knnclf --scale none --cv 8 --seed 3 -k 1,2,3,5,9,20 --best rows
awk -v k="${best% *}" 'NR == 1 || $1 == k' trials >due
same due "$(cat stdout)$nl"
ok "$(grep -q "^k$tab${best% *}\$" log; echo $?)" 'the log says which k'
ok "$(grep -q "^se$tab" log; echo $?)" 'and its standard error'
run 0 knnclf --scale none --cv 8 --seed 3 -k 1,2,3,5,9,20 --best=1se rows
awk -v k="$simple" 'NR == 1 || $1 == k' trials >due
same due "$(cat stdout)$nl"

# Chosen on the reference, for other rows.
tabfold --fold 1/3 --part train "$data/wine.csv" >known
tabfold --fold 1/3 --part test "$data/wine.csv" >asked
for scale in none zscore; do
	k=$(knnclf -q --cv 5 --best -k 1,4,7,10 --scale $scale known | awk 'END { print $1 }')
	knnclf -q -t known -k "$k" --scale $scale asked >due
	run 0 knnclf -t known --cv 5 --best -k 1,4,7,10 --scale $scale asked
	same due "$(cat stdout)$nl"
done
for i in 1 2 3; do
	knnclf -t known --cv 5 --best -k 1,4,7,10 --scale zscore --shard $i/3 asked
done | awk 'NR == 1 || $1 != "id"' >joined
same joined "$(cat stdout)$nl"
run 0 knnclf --scale none -v -t known --loo --best=1se -k 1,9 asked
ok "$(grep -q '^knnclf: chosen: -k [19] (error 0.[0-9]*, se 0.[0-9]*)$' stderr; echo $?)" 'it says what was chosen'
tabscale --save unit known >train.z
tabscale --apply unit asked >test.z
knnclf --scale none -t train.z -k 3 test.z >due
run 0 knnclf -t known -k 3 --scale zscore asked
same due "$(cat stdout)$nl"
run 0 knnclf --scale none -t known -k 1,3,30 --print errors asked
mv stdout trials
run 0 knnclf --scale none -t known -k 1,3,30 --print errors --best asked
awk 'NR == 1 { print; next } NR == 2 || $3 < least { least = $3; row = $0 }
	END { print row }' trials >due
same due "$(cat stdout)$nl"
run 0 knnclf --scale none -t known -k 1,3,30 --cv 4 --print errors --best asked
k=$(knnclf --scale none -q --cv 4 --best -k 1,3,30 known | awk 'END { print $1 }')
awk -v k="$k" 'NR == 1 || $1 == k' trials >due
same due "$(cat stdout)$nl"

# Leaving one out, each row is scaled by all others.
{ printf 'a,b,c\n'; printf '%s\n' 0,1,p 1,0,p 5,70,q 6,60,q 9,50,q; } >five
for i in 1 2 3 4 5; do
	awk -v i=$i 'NR == 1 || NR != i + 1' five >train5
	awk -v i=$i 'NR == 1 || NR == i + 1' five >test5
	tabscale --save unit train5 >train5.z
	tabscale --apply unit test5 | knnclf --scale none -k 1 -t train5.z - | awk -v i=$i 'NR > 1 { print i "\t" $2 "\t" $3 }'
done >due
run 0 knnclf -k 1 --loo --scale zscore --print predictions five
sed 1d stdout >got
same due "$(cat got)$nl"

knnclf -k 1 --cv 5 --scale zscore --print predictions five >whole
same whole "$(cat stdout)$nl"
knnclf -k 1 --loo -j 3 --print predictions five | cmp -s - whole
ok $? 'zscore is the default, -j 3 gives the same bytes'

# Features dropped are chosen, too: of equal errors the fewest.
printf 'feature\tweight\na\t2\nb\t1\n' >w
run 0 knnclf -k 1 --loo -w w --drop 0,.5 --best five
table 'drop k n errors error se' '0.5 1 5 0 0 0'
run 0 knnclf -k 1 --loo -w w --drop 0,.5 --best --print predictions five
table 'id predicted actual' '1 p p' '2 p p' '3 q q' '4 q q' '5 q q'

# A path of weights: each step as if it stood alone; the last has no feature.
knife -q --grid 4 "$data/wine.csv" >path
for kind in 'path lambda2' 'path.s theta'; do
	[ "${kind#* }" = theta ] && sqpfw -q --theta .1,.3,.5 "$data/wine.csv" >path.s
	awk -F '\t' '!/^#/ && NR > 2 && !($1 in seen) && $3 != "NA" { seen[$1]; print $1 }' "${kind% *}" >steps
	while read -r step; do
		awk -F '\t' -v step="$step" '/^#/ || $1 == "step" || $1 == step' "${kind% *}" >one
		knnclf -q -w one --loo -k 1,3 "$data/wine.csv" |
			awk -v at="$step" -v of="$(tail -n 1 one | cut -f 2)" -v name="${kind#* }" -v OFS='\t' '
			NR == 1 && at == 1 { print "step", name, $0 } NR > 1 { print at, of, $0 }'
	done <steps >due
	run 0 knnclf -q -w "${kind% *}" --loo -k 1,3 "$data/wine.csv"
	[ "${kind#* }" = theta ] || sed '/^4\t/d' stdout >got
	[ "${kind#* }" = lambda2 ] || cp stdout got
	same got "$(cat due)$nl"
done
run 0 knnclf -w path --cv 5 --best -k 1,3 -t "$data/wine.csv" "$data/wine.csv"
mv stdout got
step=$(sed -n 's/^knnclf: chosen: step \([0-9]*\) lambda2 .* -k [13] (error .*/\1/p' stderr)
k=$(sed -n 's/.* -k \([13]\) .*/\1/p' stderr)
awk -F '\t' -v step="$step" '/^#/ || $1 == "step" || $1 == step' path >one
run 0 knnclf -w one -k "$k" -t "$data/wine.csv" "$data/wine.csv"
same got "$(cat stdout)$nl"
misuse 'path is a path of weights: predictions need --best, or one of its steps' \
	-w path -t "$data/wine.csv" "$data/wine.csv"
run 0 knnclf -w path --loo -k 1 --drop 0,.5 --best=1se "$data/wine.csv"
[ "$(sed -n '1s/\t/ /gp' stdout)" = 'step lambda2 drop k n errors error se' ]
ok $? 'fractions of each step'
head='step\tlambda2\tfeature\tweight\n'
refuse_file "${head}1\t.5\ta\t1\n2\t-1\ta\t1\n" ":3: column \"lambda2\": below 0: '-1'" --loo five -w
refuse_file "${head}1\t.5\ta\t1\n1\t.6\tb\t1\n" \
	":3: column \"lambda2\": not the same in all rows of the step: '.6'" --loo five -w
refuse_file "${head}x\t.5\ta\t1\n2\t.6\tb\t1\n" ":2: column \"step\": not a count: 'x'" --loo five -w

# Numbers.
run 0 knnclf --scale none --loo --task regress -y a -x b -k 1,2 five
tabs 'k n rmse se' '1 5 1.612451549659710 .496138938356834' \
	'2 5 3.368976105585903 .594648491290' >due
near stdout due 1e-9 'errors of numbers, by hand'

misuse '--loo and --cv exclude each other' --loo --cv 2 five
misuse '-t with --loo or --cv needs --best' -t three --cv 2 two
misuse '--best needs --cv N, --loo or --print errors' -t three --best two
misuse "bad --best: 'sd' (1se)" --loo --best=sd five
misuse '--kernel cosine takes no --scale: it is of angles' \
	--loo --vote nnk --kernel cosine --scale zscore five
printf 'a,b,c\n1e308,1,p\n-1e308,2,q\n1e308,0,q\n' >wide
refuse "wide: column \"a\": its range -1e+308 to 1e+308 does not fit a double" \
	-t wide --scale minmax wide
printf 'a,b,c\n1,1,p\n1.5,2,q\n' >narrow
printf 'a,b,c\n1e308,1,p\n' >far
refuse 'far:2: column "a": inf, scaled, is beyond 1e150, where squares overflow' \
	-t narrow --scale zscore -x a far

# Weights learnt from scaled rows are in the units of the table: they say so, and rows are not
# scaled once more.
for call in 'sqpfw --theta .1' 'relief' 'immigrate' 'knife --lambda2 1' \
	'immigrate --method im4e'; do
	for scale in zscore minmax; do
		$call -q --scale $scale "$data/wine.csv" >w
		grep -qx "# scale$tab$scale" w
		ok $? "$call: # scale $scale"
		run 65 knnclf -k 1 -w w --loo --scale zscore "$data/wine.csv"
		err "knnclf: w: its weights count in the units of the table, though they were learnt from scaled rows: leave out --scale$nl"
		run 65 knnclf --vote expected -q -w w --loo --scale zscore "$data/wine.csv"
		err "knnclf: w: its weights count in the units of the table, though they were learnt from scaled rows: leave out --scale$nl"
		run 0 knnclf -q -w w --loo -k 3 --print errors "$data/wine.csv"
		[ "$(awk 'NR == 2 { print $3 }' stdout)" -le 8 ]
		ok $? 'few are wrong without'
	done
done
relief --method relief -q --scale zscore "$data/wine.csv" >w
run 65 wsvmpath -q -w w --from 1 --to 1 --scale zscore "$data/wine.csv"
err "wsvmpath: w: its weights count in the units of the table, though they were learnt from scaled rows: leave out --scale$nl"
relief --scale none --method relief -q "$data/wine.csv" >w
run 0 knnclf -k 1 -w w --loo --scale zscore "$data/wine.csv"
err "knnclf: warning: --scale beside the weights of w: they count in other units than those learnt in$nl"
sed "1i # scale${tab}metre" w >bad
run 65 knnclf -k 1 -w bad --loo "$data/wine.csv"
err "knnclf: bad:1: scale: not one of none|zscore|minmax: 'metre'$nl"

done_testing
