#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# relief: what it prints, and how it fails.
. "${0%/*}/tap.sh"
unscaled

golden=$root/tests/golden/relief

# By hand: four rows on a line, and a column that tells nothing.
printf 'x,z,y\n0,3,a\n1,3,a\n5,3,b\n7,3,b\n' >four
run 0 relief --scale none --method relief four
table 'feature weight' 'x 20.75' 'z 0'
err "relief: warning: column \"z\" is constant: weight 0$nl"
run 0 relief --scale none -q --method relieff -k 1 - <four
table 'feature weight_abs' 'x 0.4642857142857143' 'z 0'
err ''
# Hits 1 1 2 2; misses 5 7, 4 6, 5 4, 7 6: means 6 5 4.5 6.5; over 7 and 4.
run 0 relief --scale none -q --method relieff four
table 'feature weight_abs' 'x 0.5714285714285714' 'z 0'
run 0 relief --scale none -x !z --method relieff --metric euclidean four
table 'feature weight_abs' 'x 0.5714285714285714'
run 0 relief --scale none --method mulrel -x x four
table 'feature weight' 'x 1'
run 0 relief --scale none --method irelief -x x four
table 'feature weight_abs' 'x 1'
run 0 relief --scale none --method lfe -x x four
table 'feature1 feature2 weight' 'x x 1'
run 0 relief --scale none -q --method lfe four
table 'feature1 feature2 weight' 'x x 1' 'x z 0' 'z z 0'
run 0 relief --scale none --method simba -x x four
table 'feature weight' 'x 1'
run 0 relief --scale none --method relief --samples 4 -x x four
table 'feature weight' 'x 20.75'

# Negative weights.
printf 'u,v,w,t,y\n0,0,1,1,a\n0,4,2,2,a\n3,0,1,1,b\n3,4,2,2,b\n' >signs
run 0 relief --scale none --method relief signs
table 'feature weight' 'u 9' 'v -16' 'w -1' 't -1'
run 0 relief --scale none --method relief -x v,w signs
err "relief: warning: no feature has a positive weight$nl"
table 'feature weight' 'v -16' 'w -1'
for method in mulrel irelief lfe; do
	run 0 relief --scale none --method $method -x v signs
	err "relief: warning: no feature has a positive weight$nl"
	[ "$(tail -n 1 stdout | cut -f "$(head -n 1 stdout | wc -w)")" = 0 ]
	ok $? 'then it is 0'
done

# Texts, and missing cells: as in the unit test.
printf 'c,x,y\np,0,a\np,4,a\nq,2,a\n?,1,b\nq,NA,b\nq,3,b\n' >rough
run 0 relief --scale none --method relieff --na model rough
sed -n 2,3p stdout | awk '{ printf "%.12f;", $2 }' >got
same got '0.333333333333;-0.083333333333;'
run 0 relief --scale none --method relieff --na omit rough
table 'feature weight_abs' 'c 0.16666666666666663' 'x -0.08333333333333337'
sed 's/NA/2/; s/?/q/' rough >texts
run 0 relief --scale none --method relieff --task classify --na mean texts
cp stdout due
run 0 relief --scale none --method relieff texts
cmp -s stdout due
ok $? 'nothing is missing'
run 0 relief --scale none --method relieff --na mean -x x rough
cp stdout due
sed 's/NA/2/' rough >filled
run 0 relief --scale none --method relieff -x x filled
cmp -s stdout due
ok $? 'the mean in place of a missing number'
printf 'c,x,t\np,0,1\np,1,2\nq,5,5\nq,6,5.5\n' >numbers
run 0 relief --scale none --method relieff --task regress numbers
awk 'NR > 1 && !($2 > 0) { exit 1 }' stdout
ok $? 'numbers as target'

# References; the distance of the worst entry.
far() { # METHOD REFERENCE
	awk -v lfe="$1" 'NR == FNR {
			n = split($0, v, ",")
			for (i = 1; i <= n; i++)
				due[NR, i] = v[i]
			next
		}
		FNR == 1 { next }
		lfe != "lfe" { k++; d = $2 - due[1, k] }
		lfe == "lfe" {
			if ($1 != last) { r++; k = r; last = $1 } else k++
			d = $3 - due[r, k]
		}
		{ d = d < 0 ? -d : d; worst = d > worst ? d : worst }
		END { exit !(k == n && worst <= 1e-12) }' "$2" stdout
}
compare() { # DIR PREFIX METHODS NAME...
	dir=$1
	prefix=$2
	methods=$3
	shift 3
	for name; do
		for method in $methods; do
			file=$method
			with=
			[ "$method" = relieff ] && file=relieff10
			[ "$method" = simba ] && with='--max-iter 1 --starts 1'
			# shellcheck disable=SC2086 # words
			run 0 relief --scale none --method $method $with -y class "$dir/$name.csv"
			far "$method" "$dir/$prefix${file}_$name.csv"
			ok $? "$method of $name is that of the reference"
		done
	done
}
# The reference of simba starts from 1: the same where the scale of the features is 1.
compare "$golden" '' 'relief relieff lfe' tiny6 synth0 synth10 synth30 synth50
compare "$golden" '' 'relief relieff simba lfe' iris3

# The same bytes for any number of threads; a seed says what is drawn.
for how in '--method relief' '--method relieff' '--method simba --max-iter 1' \
	'--method mulrel' '--method irelief' \
	'--method nca --max-iter 20 --starts 2' '--method lfe'; do
	status=0
	[ "${how#*max-iter 20}" = "$how" ] || status=1
	# shellcheck disable=SC2086 # words
	run $status relief --scale none -q $how "$data/wine.csv"
	cp stdout due
	# shellcheck disable=SC2086 # words
	run $status relief --scale none -q $how -j 3 "$data/wine.csv"
	cmp -s stdout due
	ok $? "threads do not matter: $how"
done
run 0 relief --scale none --method relief --samples 20 "$data/wine.csv"
cp stdout due
run 0 relief --scale none --method relief --samples 20 --seed 1 "$data/wine.csv"
cmp -s stdout due
ok $? 'the default seed is 1'
run 0 relief --scale none --method relief --samples 20 --seed 2 "$data/wine.csv"
! cmp -s stdout due
ok $? 'another seed draws others'

# Into knnclf.
awk 'NR == 1 || NR % 3' "$data/wine.csv" | tabscale --save z >train.tsv
awk 'NR == 1 || NR % 3 == 0' "$data/wine.csv" | tabscale --apply z >test.tsv
for how in relief relieff simba mulrel irelief nca lfe; do
	# shellcheck disable=SC2086 # words
	run 0 sh -c "relief --scale none --method $how <train.tsv | knnclf -k 1 -w - -t train.tsv test.tsv"
	awk 'NR > 1 && $2 != $3 { bad++ } END { exit NR != 60 || bad > 6 }' stdout
	ok $? "$how: at most 6 of 59 are wrong"
done
run 0 sh -c 'relief --scale none --method relief signs | knnclf -w - -t signs signs'
cp stdout due
err "knnclf: warning: <stdin>: 3 negative weights count as 0$nl"
run 0 sh -c "relief --scale none --method relief signs | sed 's/-[^$tab]*/0/' | knnclf -w - -t signs signs"
cmp -s stdout due
ok $? 'as 0'
err ''

# What cannot be.
run 2 relief --scale none --method relief --task regress four
err "relief: --task regress needs --method relieff$nl$help"
for method in simba mulrel irelief nca lfe; do
	run 2 relief --method $method --na model four
	err "relief: --na model needs --method relief, relieff, surf or multisurf$nl$help"
	run 65 relief --method $method texts
	err "relief: texts:2: column \"c\": not a number: 'p' (--id, -x '!COL', tabscale --onehot?)$nl"
done
run 2 relief --method reliefd four
run 2 relief -k 0 four
run 2 relief --method relieff -x y four
err "relief: column \"y\" cannot be a feature: it has another role$nl$help"
run 65 relief --samples 5 four
err "relief: four: --samples 5: only 4 rows$nl"
printf 'x,y\n1,a\n2,a\n' >one
for method in relief relieff simba mulrel irelief nca lfe; do
	refuse "one: one class only: 'a'" --method $method one
done
printf 'x,y\n1,a\n2,a\n?,b\n' >omitted
run 65 relief --na omit omitted
err "relief: omitted: one class only: 'a'$nl"
printf 'x,y\n1,3\n2,3\n' >flat
run 65 relief --method relieff --task regress flat
err "relief: flat: the target is constant$nl"
printf 'x,y\n-1e200,a\n1e200,b\n' >far
run 65 relief --scale none --method relief far
err "relief: far:2: column \"x\": -1e+200 is beyond 1e150, where squares overflow (tabscale, tabscale --na-string?)$nl"
printf 'x,y\n-1e150,a\n1e150,b\n' >far
run 0 relief --scale none --method relieff far
table 'feature weight_abs' 'x 1'
run 0 relief --method relieff --scale zscore far
run 65 relief --method relieff rough
err "relief: rough: missing cells: column \"c\": 1, at line 5; column \"x\": 1, at line 6 (--na omit, mean or model?)$nl"
run 65 relief --method relieff --na mean rough
err "relief: rough:5: column \"c\": missing: '?' (--na omit or model?)$nl"
printf 'c,y\nNA,a\np,b\n' >late
run 65 relief --method relieff --na mean late
err "relief: late:3: column \"c\": text, with missing cells before it: 'p' (--na omit or model?)$nl"
printf 'c,y\n1,a\np,b\n' >late
run 65 relief --method relieff late
err "relief: late:3: column \"c\": not a number: 'p' (--id, -x '!COL'?)$nl"
printf 'c,y\np,a\n1,b\n' >late
run 65 relief --method relieff late
err "relief: late:3: column \"c\": a number in a column of text: '1' (--id, -x '!COL'?)$nl"
printf 'c,y\np,a\nq,\n' >late
run 65 relief --method relieff late
err "relief: late:3: column \"y\": missing: '' (leave the row out? --na is for features)$nl"
printf 'c,y\n?,a\nNA,b\n' >none
run 65 relief --method relieff --na omit none
err "relief: none: every row has a missing cell$nl"
run 65 relief --method relieff --na mean none
err "relief: none: column \"c\": no number in it to take the mean of$nl"
run 0 relief --scale none --method relieff --na model none
table 'feature weight_abs' 'c 0'
for option in '-y q' '--id q' '-x !q' '-x q'; do
	# shellcheck disable=SC2086 # words
	run 65 relief --method relieff $option four
	err "relief: four:1: column \"q\": not found$nl"
done
run 65 relief --method relieff -x !x,!z four
err "relief: four:1: no column beside the target and those left out$nl"
printf '(id),y\n1,a\n2,b\n' >ours
run 65 relief --method relieff ours
err "relief: ours:1: column \"(id)\": a reserved name$nl"
run 66 relief nowhere

# A column of its own for the names of rows; the rest as elsewhere.
printf 'n,x,y\nu,0,a\nv,1,a\nw,5,b\nx,7,b\n' >named
for method in relief 'relieff -k 1'; do
	# shellcheck disable=SC2086 # words
	run 0 relief --scale none --method $method --id n named
	[ "$(tail -n 1 stdout | cut -f 1)" = x ]
	ok $? 'ids are no features'
done

# Options that do nothing.
for how in '--method relief|-k 3|-k' '--method relief|--metric manhattan|--metric' \
	'--method nca|--samples 3|--samples' '--method lfe|--starts 2|--starts' \
	'--method relief|--max-iter 2|--max-iter' '--method nca|--sigma 2|--sigma' \
	'--method simba|--tol 1|--tol' \
	'--method irelief|--seed 2|--seed'; do
	method=${how%%|*}
	rest=${how#*|}
	# shellcheck disable=SC2086 # words
	run 0 relief --scale none $method ${rest%|*} "$data/iris.csv"
	err "relief: warning: ${rest#*|} is not used with $method$nl"
done
run 0 relief --scale none --method relieff --sigma 2 "$data/iris.csv"
err "relief: warning: --sigma is not used with --task classify$nl"
run 0 relief --scale none --method relief --seed 2 "$data/iris.csv"
err "relief: warning: --seed is not used with all rows (--samples)$nl"
run 0 relief --scale none --method simba --starts 1 --seed 2 "$data/iris.csv"
err "relief: warning: --seed is not used with --starts 1$nl"

# No end in sight.
run 1 relief --scale none --method irelief --max-iter 2 "$data/iris.csv"
err "relief: warning: not converged after 2 iterations (--max-iter)$nl"
logged 1 relief --scale none --method nca --starts 1 --max-iter 2 "$data/iris.csv"
grep -qx 'converged	no' log
ok $? 'the log says so'

# MULREL converges, goes round in a circle, or is cut short.
logged 0 relief --scale none --method mulrel "$data/iris.csv"
grep -qx 'converged	yes' log && ! grep -q circle log
ok $? 'mulrel has converged'
run 1 relief --scale none --method mulrel --max-iter 1 "$data/iris.csv"
err "relief: warning: not converged after 1 iterations (--max-iter)$nl"
tabscale "$data/iris.csv" >scaled
logged 1 relief --scale none --method mulrel scaled
err "relief: warning: not converged after 100 iterations: the weights repeat in a cycle of 2$nl"
cp stdout due
grep -qx 'converged	no' log && grep -qx 'circle	2' log
ok $? 'the log tells of it'
run 1 relief --scale none -q --method mulrel --max-iter 102 scaled
cmp -s stdout due
ok $? 'after a turn more the same'
run 1 relief --scale none -q --method mulrel --max-iter 101 scaled
cmp -s stdout due
ok $((!$?)) 'after half a turn not'

# A cell that is next to infinite does not hide the other feature from NCA.
printf '%s\n' a,b,y -1,1,p 1,-1,q -1,-1,p 1,6e13,q 1,1,q -1,1,q >far
logged 0 relief --scale none --method nca --starts 1 far
err "relief: warning: columns \"a\" and \"b\": scales differ by a factor of 2.24e+13 (tabscale?)$nl"
awk '$1 == "objective" { exit !($2 > 3.99) }' log
ok $? 'it tells four of six rows apart'
logged 1 relief --scale none --method nca --starts 1 --tol 0 "$data/iris.csv"
sed 's/after [0-9]* iter/after N iter/' stderr >said
[ "$(cat said)" = "relief: warning: not converged after N iterations: no step is better, but derivatives exceed --tol (tabscale?)" ]
ok $? 'no step is better'
grep -qx 'converged	no' log
ok $? 'the log says so, too'

# Features in another unit: the same predictions, and weights that have its inverse square (nca) or
# no unit.  Distances of iris tie, which rounding decides for all other methods.
change_unit() { # FILE FACTOR
	awk -F , -v OFS=, -v by="$2" 'NR > 1 { for (i = 1; i < NF; i++) $i = sprintf("%.17g", $i * by) }
		{ print }' "$1"
}
same_in_unit() { # TABLE METHOD POWER FACTOR...
	table=$1
	method=$2
	power=$3
	shift 3
	# shellcheck disable=SC2086 # words
	relief --scale none -q --method $method "$table" >first
	knnclf -k 1 -q --loo --print predictions -w first "$table" >votes
	for by; do
		change_unit "$table" "$by" >other
		# shellcheck disable=SC2086 # words
		run 0 relief --scale none -q --method $method other
		awk -v unit="$by" -v power="$power" 'NR == FNR { due[FNR] = $NF; next }
			FNR > 1 {
				d = $NF * (power ? unit * unit : 1) - due[FNR]
				d = d < 0 ? -d : d
				worst = d > worst ? d : worst
				most = due[FNR] > most ? due[FNR] : most
			}
			END { exit !(most > 0 && worst <= 1e-6 * most) }' first stdout
		ok $? "$method of ${table##*/} times $by has the same weights"
		knnclf -k 1 -q --loo --print predictions -w stdout other | cmp -s - votes
		ok $? 'and predictions'
	done
}
for method in nca simba irelief mulrel lfe; do
	power=0
	[ $method = nca ] && power=1
	same_in_unit "$data/wine.csv" $method $power 1e-6 1e-3 10 1e6
done
for method in nca irelief; do
	power=0
	[ $method = nca ] && power=1
	same_in_unit "$data/iris.csv" $method $power 1e-8 1e-6 1e-4
done

# More features than rows: five copies of each feature share its weights.
awk 'NR == 1 || NR % 10 == 1' "$data/iris.csv" >few.csv
awk -F , '{
	for (k = 1; k <= 5; k++)
		for (j = 1; j < NF; j++)
			printf "%s,", NR == 1 ? $j k : $j
	print $NF
}' few.csv >copies.csv
run 0 relief --scale none -q --method lfe few.csv
cp stdout of_few
run 0 relief --scale none -q --method lfe copies.csv
awk -F '\t' '
	FNR == 1 { next }
	NR == FNR { w[$1, $2] = w[$2, $1] = $3; next }
	{
		sub(/[1-5]$/, "", $1)
		sub(/[1-5]$/, "", $2)
		d = $3 - w[$1, $2] / 5
		bad = bad || !(($1, $2) in w) || !(d < 1e-12 && d > -1e-12)
		n++
	}
	END { exit bad || n != 210 }' of_few stdout
ok $? 'lfe: copies of the features share their weights'

need_shared reference/immigrate
compare "$shared/reference/immigrate" O_ 'relief relieff simba lfe' wine8 glass8 park8 pima200
# In bcwo200 many rows are at one distance but for rounding, which decides for
# relieff.
for method in relief simba lfe; do
	with=
	[ "$method" = simba ] && with='--max-iter 1 --starts 1'
	# shellcheck disable=SC2086 # words
	run 0 relief --scale none --method $method $with -y class "$shared/reference/immigrate/bcwo200.csv"
	far $method "$shared/reference/immigrate/O_${method}_bcwo200.csv"
	ok $? "$method of bcwo200 is that of the reference"
done

done_testing
