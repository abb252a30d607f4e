#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# wsvmpath --cv: the exact errors of N parts, --best, --scale, C.
# shellcheck disable=SC2086 # $iris, $num and the like are words
. "${0%/*}/tap.sh"

# Two classes of iris that overlap, some names wrong, with costs and weights.
awk -F , -v OFS='\t' 'NR == 1 { print $1, $2, $3, $4, "cost", "w", $5; next }
	$5 != "setosa" {
		i++
		class = i % 11 ? $5 : i % 2 ? "versicolor" : "virginica"
		print $1, $2, $3, $4, i % 4, i % 3 + .5, class
	}' "$data/iris.csv" >iris

# parts N SEED TABLE OPTION...: the parts of tabfold, part.I.train and .test.
parts() {
	i=0
	while [ $i -lt "$1" ]; do
		i=$((i + 1))
		tabfold --fold $i/"$1" --seed "$2" --write part.$i.train,part.$i.test -y class "$3"
	done
}

# sum N OPTION...: wsvmpath on each part with --validate, and the sum of the N
# step functions, as --cv is to print it.
sum() {
	parts=$1 outputs=''
	shift
	i=0
	while [ $i -lt "$parts" ]; do
		i=$((i + 1))
		wsvmpath --scale none -q "$@" --validate part.$i.test -o errors.$i part.$i.train
		outputs="$outputs errors.$i"
	done
	awk -F '\t' -v parts="$parts" '
	FNR == 1 { file++; next }
	{
		k = ++rows[file]
		to[file, k] = $2
		wrong[file, k] = $4
		error[file, k] = $5
		n[file] = $3
		if (file == 1 && k == 1)
			start = $1
		sign = $2 < start ? -1 : 1
	}
	function put() {
		printf "%s\t%s\t%d\t%d\t%.17g\t%.17g\n", from, end, all, last, last / all, se
	}
	END {
		for (i = 1; i <= parts; i++) {
			at[i] = 1
			all += n[i]
		}
		from = end = start
		finish = to[1, rows[1]]
		do {
			next_end = finish
			sum = mean = square = 0
			for (i = 1; i <= parts; i++) {
				if (sign * to[i, at[i]] <= sign * next_end)
					next_end = to[i, at[i]]
				sum += wrong[i, at[i]]
				mean += error[i, at[i]] / parts
			}
			for (i = 1; i <= parts; i++)
				square += (error[i, at[i]] - mean) ^ 2
			if (begun && sum != last) {
				put()
				from = end
			}
			begun = 1
			last = sum
			se = sqrt(square / (parts * (parts - 1)))
			end = next_end
			for (i = 1; i <= parts; i++)
				at[i] += to[i, at[i]] + 0 == end + 0
		} while (end + 0 != finish + 0)
		put()
	}' $outputs >sum
}

# as_sum NAME: --cv has printed that, after the header.
as_sum() {
	sed 1d stdout >got
	near got sum 1e-11 "$1"
}

### By hand

# Either part has one row of each class, at distance 1, and is learnt from such
# two.  a weighs 1 and b theta: f(b) = 2 theta (1 - 1/e) - 1.
printf 'x,u,v,c\n0,1,1,a\n0,1,1,a\n1,0,1,b\n1,0,1,b\n' >four
hand='-y c -x x --from u --to v --gamma 1 --ridge 0' # words
run 0 wsvmpath --scale none -q $hand --cv 2 four
err ''
cp stdout cv
tabs 'theta_from theta_to n errors error se' '0 0.790988353434663 4 2 0.5 0' \
	'0.790988353434663 1 4 0 0 0' >due
near cv due 1e-15 'two rows are wrong up to theta = 1 / (2 (1 - 1/e))'
logged 0 wsvmpath --scale none $hand --cv 2 --best four
grep -q '^wsvmpath: chosen: --at 0.89549[0-9]* (error 0, se 0, 2 parts)$' stderr
ok $? 'the choice is said'
grep -q "^theta${tab}0.89549" log
ok $? 'the best is the middle of the rest'
run 65 wsvmpath --scale none $hand --cv 5 four
err "wsvmpath: four: --cv 5: only 4 rows$nl"
out ''

### The sum of N runs

for seed in 1 2 3 $(test -z "${KITH_LONG:-}" || seq 4 40); do
	parts $((seed % 4 + 2)) $seed iris
	options='-y class -x 1:4 --from .1 --to 20 --gamma .25'
	sum $((seed % 4 + 2)) $options
	run 0 wsvmpath --scale none $options --cv $((seed % 4 + 2)) --seed $seed iris
	as_sum "seed $seed"
	[ "$seed" = 2 ] && cp stdout two
done
parts 4 2 iris
sum 4 -y class -x 1:4 --from =cost --to w --kernel linear --ridge .01
run 0 wsvmpath --scale none -y class -x 1:4 --from =cost --to w --kernel linear --ridge .01 \
	--cv 4 --seed 2 iris
as_sum 'weights in columns'
[ "$(sed 1q stdout)" = "$(tabs 'theta_from theta_to n errors error se')" ]
ok $? 'weights in columns: intervals of theta'
sum 4 -y class -x 1:4 --from 5 --to .1 --gamma .25 --scale minmax
run 0 wsvmpath -y class -x 1:4 --from 5 --to .1 --gamma .25 --scale minmax --cv 4 --seed 2 iris
as_sum '--scale: each part is scaled by itself'

# Errors that cost: rows of cost 0 do not count in the share.
run 0 wsvmpath --scale none -y class -x 1:4 --from .1 --to 20 --gamma .25 --cost cost --cv 4 \
	--seed 2 iris
awk -F '\t' 'NR > 1 { bad = bad || $3 != 100 || $5 < 0 || $5 > 1 ||
		$1 != end; differ += $4 / 100 != $5; end = $2 }
	NR == 1 { bad = $0 != "from\tto\tn\terrors\terror\tse"; end = .1 }
	END { exit bad || end != 20 || !differ }' stdout
ok $? 'the error is the share of costs'
cp stdout cost

# The same bytes for any number of threads and any cache.
for j in 2 3; do
	run 0 wsvmpath --scale none -y class -x 1:4 --from .1 --to 20 --gamma .25 --cv 4 --seed 2 -j $j iris
	cmp -s two stdout
	ok $? "the same bytes with -j $j"
done
run 0 wsvmpath --scale none -y class -x 1:4 --from 1 --to 2 --cv 2 iris
cp stdout one
run 0 wsvmpath --scale none -y class -x 1:4 --from 1 --to 2 --cv 2 --seed 1 iris
cmp -s one stdout
ok $? '--seed is 1'

### Single fits

# fits OPTION...: the rows of all parts at theta: lines `part predicted actual cost`, by
# models of the training rows.
fits() {
	for i in 1 2 3 4; do
		wsvmpath --scale none -q "$@" --print coef --at "$theta" --save-model model \
			-o /dev/null part.$i.train
		kpredict -m model part.$i.test >fit.$i
	done
	awk -F '\t' -v OFS='\t' '
	{ split(FILENAME, name, ".") }
	FNR == 1 { i = name[2] }
	FNR > 1 && name[1] == "fit" { predicted[FNR] = $2; actual[FNR] = $3 }
	FNR > 1 && name[1] == "part" { print i, predicted[FNR], actual[FNR], $5 }' \
		fit.1 part.1.test fit.2 part.2.test fit.3 part.3.test fit.4 part.4.test
}

# Thetas of a sequence that fills [0, 1], each with its C.
awk -v n="${KITH_LONG:+50}" 'BEGIN {
	for (t = 1; t <= (n ? n : 12); t++) {
		theta = t * .6180339887498949
		printf "%.17g %.17g\n", theta - int(theta), .1 + (theta - int(theta)) * 19.9
	}
}' >thetas
wrong=0
while read -r theta C; do
	fits -y class -x 1:4 --from .1 --to 20 --gamma .25 >fitted
	awk -F '\t' -v C="$C" '
		FILENAME == "fitted" { n += $2 != $3; cost += $4 * ($2 != $3); all += $4; next }
		FNR == 1 || $1 > C || C > $2 { next }
		FILENAME == "two" && $4 == n { counted = 1 }
		FILENAME == "cost" && ($5 - cost / all)^2 < 1e-18 { weighed = 1 }
		END { exit !(counted && weighed) }' fitted two cost || wrong=$((wrong + 1))
done <thetas
ok $wrong "the errors and costs of single fits at $(wc -l <thetas) thetas ($wrong are not)"

# Numbers: the smallest of each parabola, and its spread.
num='--task regress -y petal_width -x 1:3 --epsilon .1 --from .1 --to 5 --gamma .3333333333333333' # words
for i in 1 2 3 4; do
	tabfold --task regress -y petal_width --fold $i/4 --write part.$i.train,part.$i.test iris
done
run 0 wsvmpath --scale none $num --cv 4 iris
cp stdout cv
[ "$(sed 1q cv)" = "$(tabs 'from to n rmse_from rmse_to rmse C se')" ]
ok $? 'squared errors'
awk -F '\t' 'NR == 1 { end = .1; next }
	{ bad = bad || $1 != end || $3 != 100 || $6 > $4 || $6 > $5 || $7 < $1 ||
		$7 > $2; end = $2 }
	END { exit bad || end != 5 || NR < 20 }' cv
ok $? 'intervals that join, the least between'
wrong=0
for line in 2 5 9 14 20 $(test -z "${KITH_LONG:-}" || seq 25 60); do
	theta=$(awk -F '\t' -v line=$line 'NR == line { printf "%.17g", ($7 - .1) / 4.9 }' cv)
	fits $num >fitted
	awk -F '\t' -v line=$line '
		NR == FNR && NR == line { rmse = $6; se = $8 }
		NR == FNR { next }
		{ e[$1] += ($2 - $3)^2; n[$1]++; sum += ($2 - $3)^2; all++ }
		END {
			for (i = 1; i <= 4; i++)
				mean += e[i] / n[i] / 4
			for (i = 1; i <= 4; i++)
				square += (e[i] / n[i] - mean)^2
			due = sqrt(sum / all)
			exit !((rmse - due)^2 < 1e-18 &&
				(se - sqrt(square / 12) / 2 / due)^2 < 1e-18)
		}' cv fitted || wrong=$((wrong + 1))
done
[ $wrong = 0 ]
ok $? "rmse and se of single fits ($wrong are not)"
cp cv cv.num
run 0 wsvmpath --scale none $num --cv 4 -j 3 iris
cmp -s cv stdout
ok $? 'numbers: the same bytes with -j 3'

### --best

best='-y class -x 1:4 --from .1 --to 20 --gamma .25' # words
# given OPTION...: what --best prints and models is that of a run at its theta.
given() {
	logged 0 wsvmpath --scale none $best "$@"
	cp stdout printed
	theta=$(awk -F '\t' '$1 == "theta" { print $2 }' log)
	run 0 wsvmpath --scale none $best --print coef --at "$theta" iris
	cmp -s printed stdout
	ok $? "$*: the solution at theta $theta"
	run 0 wsvmpath --scale none $best "$@" --save-model model
	cp stdout all
	run 0 wsvmpath --scale none $best --print coef --at "$theta" --save-model same iris
	sed '/^# prob[AB]/d' model | cmp -s - same # which --cv alone has
	ok $? "$*: the model at theta $theta"
}
given --cv 4 --seed 2 --best iris
cmp -s all two
ok $? 'with a model the whole table is printed'
sort -t "$tab" -k 4,4n -k 1,1g two | awk -F '\t' 'NR == 1 { next }
	NR == 2 { least = $4 }
	$4 == least && $2 - $1 > wide { wide = $2 - $1; row = $0 }
	END { print row }' >due
awk -F '\t' 'NR == FNR { C = ($1 + $2) / 2; e = $5; se = $6; next }
	$1 == "C" && ($2 - C)^2 < 1e-24 || $1 == "error" && $2 == e || $1 == "se" && $2 == se { n++ }
	END { exit n != 3 }' due log
ok $? 'fewest errors, then the widest: theta, C, error, se in the log'
awk -F '\t' 'NR == FNR { C = ($1 + $2) / 2; next } $1 == "# C" { exit ($2 - C)^2 > 1e-24 }' \
	due model
ok $? 'the model says C'
given --cv 4 --seed 2 --best=1se iris
awk -F '\t' 'NR == FNR { most = $5 + $6; next }
	FNR > 1 && $5 <= most && !found { found = 1; printf "%.17g", ($1 + $2) / 2 }' due two >got
awk -F '\t' 'NR == FNR { C = $1; next } $1 == "# C" { exit ($2 - C)^2 > 1e-24 }' got model
ok $? '=se: the smallest C within one standard error'
best='-y class -x 1:4 --from 20 --to .1 --gamma .25' # words
logged 0 wsvmpath --scale none $best --cv 4 --seed 2 --best=1se iris
awk -F '\t' 'NR == FNR { C = $1; next } $1 == "C" { exit ($2 - C)^2 > 1e-12 }' got log
ok $? '=se: the same where C falls'
given --validate iris --best=1se iris
given --validate iris --best iris
run 0 wsvmpath --scale none $best --cv 4 --best iris
grep -Eq '^wsvmpath: chosen: --from ([0-9.]+) --to \1 \(C [0-9.]+, error 0[.0-9]*, se 0[.0-9]*, 4 parts\)$' stderr
ok $? 'the choice is said, as options'

### --scale

for method in zscore minmax; do
	parts 3 1 iris
	tabscale --method $method -y class -x 1:4 --save scale part.1.train >a
	tabscale --apply scale part.1.test >b
	if [ $method = zscore ]; then options='--from 1 --to 3'; else options='--from 3 --to 3'; fi
	run 0 wsvmpath -y class -x 1:4 $options --scale $method --validate part.1.test \
		part.1.train
	cp stdout got
	wsvmpath --scale none -y class -x 1:4 $options --validate b a | cmp -s - got
	ok $? "$method: as tabscale does"
	run 0 wsvmpath -y class -x 1:4 $options --scale $method --print coef --at .5 \
		--save-model model part.1.train
	wsvmpath --scale none -y class -x 1:4 $options --print coef --at .5 --save-model plain a >/dev/null
	grep -v '^# center\|^# scale' model >rest
	cmp -s plain rest
	ok $? "$method: the model's rows are scaled"
	kpredict -m plain --scores b >due
	run 0 kpredict -m model --scores part.1.test
	cmp -s due stdout
	ok $? "$method: kpredict scales the rows that it reads"
done
awk -F '\t' '/^# (center|scale)/ { n += NF == 5 } END { exit n != 2 }' model
ok $? 'the model says center and scale of four features'
run 0 wsvmpath --print events -y class -x 1:4 --from 1 --to 3 --scale none iris
cp stdout got
wsvmpath --scale none --print events -y class -x 1:4 --from 1 --to 3 iris | cmp -s - got
ok $? 'none is the default'
# A column that is constant in a part, and one that is in all.
printf 'x,z,k,c\n0,1,5,a\n1,1,5,b\n.2,1,5,a\n.9,7,5,b\n' >const
run 0 wsvmpath --from 1 --to 3 --scale zscore --cv 4 const
awk -F '\t' 'NR > 1 && $3 != 4 { exit 1 }' stdout
ok $? 'constant columns'
printf 'x,z,c\n0,1,a\n1,2,b\n,1,a\n.9,7,b\n' >gap
run 0 wsvmpath --from 1 --to 3 --scale minmax --na mean --print coef --at 1 --save-model model gap
run 0 kpredict -m model --na mean gap
[ "$(cut -f 2 stdout | tr '\n' ' ')" = 'predicted a b a b ' ]
ok $? 'a missing cell is the mean, which is then scaled'
run 0 wsvmpath --from 1 --to 3 --scale minmax --print coef const
cp stdout coef
run 0 wsvmpath --from 1 --to 3 --scale minmax --check coef const
# Weights are those of scaled features; one without weight is not in the model.
printf 'feature\tweight\nx\t2\nk\t3\nz\t0\n' >w
run 0 wsvmpath --from 1 --to 3 --scale minmax -w w --print coef --at 1 --save-model model const
awk -F '\t' '/^# (weights|center|scale)/ { print $2, $3 }' model >got
same got "2 3
0 5
1 0
"
# Rows without a label are scaled with the others.
awk -F '\t' -v OFS='\t' 'NR > 1 && NR % 5 { $7 = "" } 1' iris >few
run 0 svmtransduce -y class -x 1:4 --labelled 1 --unlabelled 1 --scale zscore \
	--save-model model few
cut -f 4 stdout | sed 1d >due
kpredict -m model --scores iris | awk -F '\t' 'NR > 1 { print $NF }' >got
near got due 1e-11 'transduce: margins are scores of the rows as they come'
printf 'x,c\n0,a\n1,a\n0,b\n-1e308,b\n1e308,a\n' >wide
run 65 wsvmpath --print events --from 1 --to 3 --scale minmax wide
err "wsvmpath: wide: column \"x\": its range -1e+308 to 1e+308 does not fit a double$nl"
printf 'x,c\n1e-300,a\n0,a\n0,b\n1e-300,b\n1e300,a\n' >wide
run 65 wsvmpath --from 1 --to 3 --scale minmax --cv 5 wide
err "wsvmpath: wide:6: column \"x\": 1e+300 is so large that scaling makes 1e-300 and 0 equal (tabscale --na-string?)$nl"
out ''

### Ranks: queries stay whole

awk -F '\t' -v OFS='\t' 'NR == 1 { print $1, $2, $3, "query", "class"; next }
	{ print $1, $2, $3, "q" NR % 7, NR % 3 + ($4 > 1.6) }' iris >items
(echo query; awk -F '\t' 'NR > 1 && !seen[$4]++ { print $4 }' items) >queries
i=0
while [ $i -lt 3 ]; do
	i=$((i + 1))
	for side in train test; do
		tabfold --fold $i/3 --seed 5 --part $side --no-stratify queries |
			awk -F '\t' 'NR == FNR { in_part[$1] = 1; next }
				FNR == 1 || $4 in in_part' - items >part.$i.$side
	done
done
rank='--task rank --query query --from .1 --to 5 --gamma .3' # words
i=0
while [ $i -lt 3 ]; do
	i=$((i + 1))
	wsvmpath --scale none $rank --validate part.$i.test part.$i.train | sed "1d;s/^/$i$tab/"
done >each
run 0 wsvmpath --scale none -q $rank --cv 3 --seed 5 items
err ''
cp stdout cv
awk -F '\t' 'NR == FNR { k++; part[k] = $1; from[k] = $2; to[k] = $3; n[k] = $4; v[k] = $5; next }
	FNR == 1 { bad = $0 != "from\tto\tn\tndcg@10\tse"; next }
	{
		mid = ($1 + $2) / 2
		sum = all = 0
		for (i = 1; i <= k; i++)
			if (from[i] <= mid && mid < to[i]) {
				sum += v[i] * n[i]
				all += n[i]
			}
		bad = bad || all != 7 || $3 != 7 || (sum / all - $4)^2 > 1e-24
	}
	END { exit bad || FNR < 5 }' each cv
ok $? 'the mean over the queries of all parts'
run 0 wsvmpath --scale none $rank --cv 3 --seed 5 -j 2 items
cmp -s cv stdout
ok $? 'ranks: the same bytes with -j 2'
# Copies of rows with other relevances: their order in the table does not count.
awk -F '\t' -v OFS='\t' '{ print } NR > 1 { $5 = 3 - $5; print }' part.1.test >twice
{ sed -n 1p twice && sed 1d twice | sort -t "$tab" -k 4,4 -k 5,5r; } >other
wsvmpath --scale none $rank --validate twice part.1.train >due
run 0 wsvmpath --scale none $rank --validate other part.1.train
near due stdout 1e-12
run 65 wsvmpath --scale none $rank --cv 8 items
err "wsvmpath: items: --cv 8: only 7 queries$nl"
awk -F '\t' -v OFS='\t' 'NR > 1 && $4 != "q1" { $5 = 1 } 1' items >flat
run 65 wsvmpath --scale none -q $rank --cv 7 flat
grep -q '^wsvmpath: flat: --cv: no pair of rows outside part [1-7] of 7$' stderr
ok $? 'a part that has all pairs'

### Corners

# A class of one row: the part that has it is learnt from the other class.
printf 'x,c\n0,a\n1,b\n2,b\n3,b\n' >lone
run 0 wsvmpath --scale none --from 1 --to 1 --cv 4 lone
[ "$(sed 1d stdout | cut -f 3 | sort -u)" = 4 ] &&
	[ "$(sed 1d stdout | cut -f 4 | sort -n | head -1)" -ge 1 ]
ok $? 'its row is wrong'
run 0 wsvmpath --scale none --from 0 --to 0 --cv 2 lone
[ "$(sed 1d stdout | cut -f 1-5 | tr "$tab" ' ')" = '0 0 4 4 1' ]
ok $? 'f = 0 is wrong everywhere'
printf 'x,c\n0,a\n1,a\n2,a\n' >same
run 65 wsvmpath --scale none --from 1 --to 5 --cv 3 same
err "wsvmpath: same: one class only: 'a'$nl"
printf 'x,c\n0,a\n0,b\n0,a\n0,b\n0,a\n0,b\n' >copies
run 0 wsvmpath --scale none --from 1 --to 5 --cv 3 copies
[ "$(sed 1d stdout | cut -f 4 | sort -u)" = 6 ]
ok $? 'copies of both classes'
# Rows that are left out leave parts without rows, and one with all.
printf 'x,c\n0,a\nNA,b\nNA,a\nNA,b\n1,b\n' >gaps
seen=
for seed in 1 2 3 4 5 6 7 8; do
	wsvmpath --scale none --na omit --from 1 --to 5 -q --cv 2 --seed $seed gaps >got 2>why
	case $?$(cut -f 3 got | tail -1)$(cut -d : -f 3- why) in
	02 | '65 --cv: no row outside part '[12]' of 2') ;;
	*) seen=bad ;;
	esac
done
[ -z "$seen" ]
ok $? 'all rows in one part: nothing to learn from'
run 0 wsvmpath --scale none --na omit --from 1 --to 5 --cv 5 gaps
[ "$(sed 1d stdout | cut -f 3 | sort -u)" = 2 ]
ok $? 'parts without rows do not count'
printf 'x,c\n0,a\n1,b\n' >two
run 0 wsvmpath --scale none -q --from 1 --to 5 --cv 2 two
err ''
printf 'x,w,c\n0,0,a\n1,0,b\n' >free
run 65 wsvmpath --scale none --from 1 --to 5 --cv 2 --cost w free
err "wsvmpath: free: column \"w\": all weights are 0$nl"

### Random tables: copies, a class that a part lacks, rows of weight 0

for seed in 11 13 14 15 16 17; do
	awk -v seed=$seed "$uniform"'BEGIN {
		seed_uniform(seed)
		print "x,z,u,v,class"
		n = 12 + int(uniform() * 25)
		for (i = 0; i < n; i++) {
			if (i < 2 || uniform() > .4) {
				x = int(uniform() * 5)
				z = int(uniform() * 4)
			}
			c = seed % 3 ? i < 2 || i > 3 && uniform() < .5 : i < 2
			print x "," z "," (uniform() < .2 ? 0 : uniform()) "," \
				(uniform() < .3 ? 0 : 4 * uniform()) "," (c ? "b" : "a")
		}
	}' >random
	parts 3 $seed random
	case $seed in
	*[02468]) options='-y class -x 1:2 --from u --to v --gamma .4' ;;
	*) options='-y class -x 1:2 --from 0 --to 3 --kernel polynomial --degree 2 --gamma .5' ;;
	esac
	sum 3 $options
	run 0 wsvmpath --scale none -q $options --cv 3 --seed $seed random
	# A line before: a path without an event has one alone.
	{ echo header && sed 1d stdout; } >got
	{ echo header && cat sum; } >due
	near got due 1e-7 "random table $seed"
done

### Paths from and to C = 0

for from in 0 1e-6; do
	run 0 wsvmpath --scale none -y class -x 1:4 --from $from --to 1 --cv 2 iris
	run 0 wsvmpath --scale none -y class -x 1:4 --from 1 --to $from --cv 2 iris
done

# Parts whose kernels doubles do not resolve once they are scaled, as they would
# those of all rows.
set -- --kernel polynomial --ridge 0 --scale minmax --cv 3 --from .1 --to 1
unresolved='kernels of the rows, scaled for --cv, differ by less than doubles resolve'
unresolved="$unresolved: centre and scale the features (--scale zscore?)"
command=wsvmpath
two='x,c\n0,a\n0,a\n1,b\n1,b\n0,a\n1,a\n1,b\n2,a\n'
refuse_file "$two" ": $unresolved" "$@" --gamma 8.5e-10
refuse_file "${two}0,d\n1,d\n0,d\n2,d\n" ": $unresolved" "$@" --gamma 7.2e-10
run 0 wsvmpath --scale none -q "$@" --gamma 1.5e-9 bad

# Squared errors of any size are summed: those of a constant, at 1e200 and 1e-200.
for e in 0 200 -200; do
	awk -v e=$e 'BEGIN { print "x\ty"; for (i = 1; i < 13; i++) print i "\t" i * i % 7 - 3 "e" e }' \
		/dev/null >sized
	for how in '--cv 3' '--validate sized'; do
		run 0 wsvmpath -q --task regress --epsilon 1e-290 --from 0 --to 0 $how sized
		awk -F '\t' -v e=$e 'NR == 2 { print $4 / ("1e" e) "\t" $8 / ("1e" e) }' stdout >>size.$e
	done
	near size.0 size.$e 1e-5 "rmse and its standard error at 1e$e"
done

# A row without a target does not count, whatever it costs.
tabs 'x w c' '1 0 a' '2 0 b' '3 1 NA' >free
sed 3q free >two
run 65 wsvmpath --scale none -q --cost w --validate free two
err "wsvmpath: free: column \"w\": all weights are 0$nl"

# Wrong calls.
misuse '--gap is gone: the path is exact; leave it out' --from 1 --to 2 --cv 2 --gap .1 two
misuse '--gap is gone: the path is exact; leave it out' --gap=1e-3 --no-such-option
misuse '--gap is gone: the path is exact; leave it out' --gap
misuse '--multi is gone: several classes are told apart in pairs; a class and the rest: name the rest alike' --multi rest
misuse '--state-in is gone: one call goes on: --from =OLD --to =NEW; a stream: svmonline' --state-in s two
misuse '--theta is gone: --at THETA --save-model FILE' --theta .5 two
misuse "bad --cv: '1' (a whole number from 2)" --from 1 --to 2 --cv 1 two
run 0 wsvmpath --scale none --print events --from 1 --to 2 --seed 3 --measure error two
err "wsvmpath: warning: --measure is not used without --print errors
wsvmpath: warning: --seed is not used without --cv
"

done_testing
