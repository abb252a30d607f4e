#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# wsvmpath with several classes: the error of the vote, models.
# shellcheck disable=SC2086 # $way, $ends and the like are words
. "${0%/*}/tap.sh"

# random SEED: tables train and test of 3 or 4 classes, some rows equal, with
# names, weights and costs; $classes and what ends the path.
random() {
	awk -v seed="$1" "$uniform"'BEGIN {
		seed_uniform(seed)
		c = 3 + seed % 2
		split("b a:c B zz", name, " ")
		for (f = 0; f < 2; f++) {
			file = f ? "test" : "train"
			print "name,x,y,w0,w1,cost,class" >file
			for (i = 1; i <= (f ? 12 : 26); i++) {
				h = i <= c && !f ? i : 1 + int(c * uniform())
				x = uniform() * 3 + h % 2 * .8
				y = uniform() * 3 + (h > 1) * .8
				if (seed % 3 == 0) {
					x = int(x)
					y = int(y)
				}
				printf "r%d,%.4g,%.4g,%d,%.3g,%d,%s\n", i, x, y, \
					3 * uniform(), 9 * uniform(), 3 * uniform(), name[h] >file
			}
		}
	}'
	classes=$(awk -F , 'NR > 1 && !seen[$7]++ { print $7 }' train | LC_ALL=C sort)
	ends='--from .1 --to 20'
	[ $(($1 % 2)) = 0 ] || ends='--from w0 --to w1'
	way="-y class -x x,y --id name $ends"
	# The rows of each machine, as a table of two classes of which the second in byte
	# order is +1; the rows of test without their classes.
	n=0
	for first in $classes; do
		later=
		for second in $classes; do
			[ ! "$later" ] || echo "two.$((n += 1)) $first $second"
			[ "$first" != "$second" ] || later=yes
		done
	done >pairs
	awk -F , '
	NR == FNR { split($0, pair, " "); name[++n] = pair[1]; first[n] = pair[2]; second[n] = pair[3]; next }
	FILENAME == "test" { sub(/,[^,]*$/, ""); print >"asked"; next }
	{
		for (i = 1; i <= n; i++)
			if (FNR == 1 || $7 == first[i] || $7 == second[i])
				print >name[i]
	}' pairs train test
}

# plain_votes THETA: the classes that machines learnt alone predict for the rows of
# test together, a line each.
plain_votes() {
	outputs=
	while read -r two _; do
		wsvmpath --scale none -q $way --print coef --at "$1" --save-model m -o /dev/null "$two"
		kpredict -q -m m --id name --scores -o "said.$two" asked
		outputs="$outputs said.$two"
	done <pairs
	awk -v classes="$(printf '%s ' $classes)" '
	NR == FNR { first[NR] = $2; second[NR] = $3; next }
	FNR == 1 { machine++; rows = 0; next }
	{ score[++rows, $4 > 0 ? second[machine] : first[machine]]++ }
	END {
		c = split(classes, class, " ")
		for (i = 1; i <= rows; i++) {
			best = 1
			for (h = 2; h <= c; h++)
				if (score[i, class[h]] + 0 > score[i, class[best]] + 0)
					best = h
			print class[best]
		}
	}' pairs $outputs
}

### Against machines of two classes

# Of 54 some are solved anew, beside the rows validated on.
for seed in 3 4 5 6 54 $(test -z "${KITH_LONG:-}" || seq 7 60); do
	random "$seed"
	if [ $((seed % 5)) = 0 ]; then way="$way --kernel linear"; else way="$way --gamma .5"; fi
	more=
	[ $((seed % 3)) = 1 ] || more='--cost cost'

	# Tables: those of the machines, one after the other.
	for what in events coef margin; do
		run 0 wsvmpath --scale none -q $way --print $what train
		outputs=
		while read -r two _; do
			wsvmpath --scale none -q $way --print $what -o "path.$two" "$two"
			outputs="$outputs path.$two"
		done <pairs
		awk -F '\t' -v OFS='\t' '
		NR == FNR { split($0, pair, " "); first[NR] = pair[2]; second[NR] = pair[3]; next }
		FNR == 1 && !machine { print "class1", "class2", $0 }
		FNR == 1 { machine++; next }
		{ print first[machine], second[machine], $0 }' pairs $outputs >due
		cmp -s stdout due
		ok $? "seed $seed: $what of each machine"
		for j in 2 3; do
			wsvmpath --scale none -q $way -j $j --print $what train |
				cmp -s - stdout
			ok $? "the same bytes with -j $j"
		done
	done
	run 0 wsvmpath --scale none -q $way --print coef -o path train
	run 0 wsvmpath --scale none -q $way --check path train

	# The error of the vote at the middle of some intervals.
	run 0 wsvmpath --scale none -q $way $more --validate test train
	cp stdout errors
	for j in 2 3; do
		wsvmpath --scale none -q $way $more -j $j --validate test train | cmp -s - errors
		ok $? "the same bytes with -j $j"
	done
	awk -F '\t' 'NR == 1 { of_C = $1 == "from"; next }
		{
			x = ($1 + $2) / 2
			row[++n] = sprintf("%.17g %s %.12g", of_C ? (x - .1) / 19.9 : x, $4, $5)
		}
		END {
			for (i = 1; i <= n; i += n > 4 ? int(n / 4) : 1)
				print row[i]
		}' errors >some
	while read -r theta wrong error; do
		plain_votes "$theta" >votes
		got=$(awk -F , -v cost="$more" '
			NR == FNR { vote[NR + 1] = $0; next }
			FNR == 1 { next }
			{ w = cost ~ /cost/ ? $6 : 1; all += w }
			$7 != vote[FNR] { n++; sum += w }
			END { printf "%d %.12g", n, sum / all }' votes test)
		[ "$got" = "$wrong $error" ]
		ok $? "seed $seed: at $theta (got $got, $wrong $error)"
		run 0 wsvmpath --scale none -q $way --print coef --at "$theta" \
			--save-model model -o /dev/null train
		kpredict -q -m model --id name test | awk 'NR > 1 { print $2 }' | cmp -s - votes
		ok $? 'the model predicts the same classes'
	done <some

	# The best, as a model and as coefficients.
	run 0 wsvmpath --scale none -q $way $more --validate test --best --save-model model train
	cmp -s stdout errors
	ok $? '--best with a model prints all intervals'
	logged 0 wsvmpath --scale none $way $more -q --validate test --best train
	cp stdout best
	theta=$(awk -F '\t' '$1 == "theta" { print $2 }' log)
	wsvmpath --scale none -q $way --print coef --at "$theta" train >due
	cmp -s best due
	ok $? '--best prints the coefficients of all machines'
	wrong=$(sed 1d errors | cut -f 5 | sort -g | sed -n 1p)
	[ "$(awk -F '\t' '$1 == "error" { print $2 }' log)" = "$wrong" ]
	ok $? 'at the least error'
	wsvmpath --scale none -q $way --print coef --at "$theta" --save-model again \
		-o /dev/null train
	cmp -s model again
	ok $? 'which is the model that --at saves'
done

### Cross-validation: the sum of runs on the parts

for seed in 1 2 $(test -z "${KITH_LONG:-}" || seq 3 30); do
	random "$seed"
	way="$way --gamma .5"
	scale=--scale\ zscore
	[ $((seed % 3)) = 1 ] || scale=
	run 0 wsvmpath --scale none -q $way $scale --cv 3 --seed "$seed" train
	cp stdout cv
	for j in 2 3; do
		wsvmpath --scale none -q $way $scale -j $j --cv 3 --seed "$seed" \
			train | cmp -s - cv
		ok $? "--cv: the same bytes with -j $j"
	done
	for i in 1 2 3; do
		tabfold --fold $i/3 --seed "$seed" --write train.$i,test.$i -y class train
		wsvmpath --scale none -q $way $scale --validate test.$i -o errors.$i train.$i
	done
	awk -F '\t' '
	FNR == 1 { next }
	FILENAME != "cv" { from[++n] = $1; to[n] = $2; wrong[n] = $4; next }
	FNR == 2 { bad = $1 != from[1] }
	{
		middle = ($1 + $2) / 2
		sum = 0
		for (i = 1; i <= n; i++)
			if (from[i] <= middle && middle < to[i])
				sum += wrong[i]
		bad += sum != $4
		bad += FNR > 2 && $1 != end
		end = $2
	}
	END { exit bad > 0 || FNR < 3 || end != to[n] }' errors.1 errors.2 errors.3 cv
	ok $? "seed $seed: --cv is the sum of its parts"
	logged 0 wsvmpath --scale none -q $way $scale --cv 3 --seed "$seed" --best \
		--save-model model train
	theta=$(awk -F '\t' '$1 == "theta" { print $2 }' log)
	wsvmpath --scale none -q $way $scale --print coef --at "$theta" --save-model again \
		-o /dev/null train
	grep -v '^# prob' model >plain
	cmp -s plain again
	ok $? '--best saves the machines of all rows'
done

### Corners

# A class of one row, which no part of --cv learns from that validates on it.
printf 'x,c\n0,a\n1,a\n2,a\n3,b\n4,b\n5,b\n9,c\n' >rare
run 0 wsvmpath --scale none -q --from 1 --to 100 --cv 3 --kernel linear rare
err ''
awk 'NR > 1 && $4 < 1 { exit 1 }' stdout
ok $? 'a class that is missing in a part is not predicted'
run 0 wsvmpath --scale none --from 0 --to 100 --cv 3 --kernel linear rare
run 0 wsvmpath --scale none --from 1 --to 100 --validate rare rare
tail -1 stdout | cut -f 4 >got
same got "0$nl"

# Classes with the same rows: f of all pairs are 0, and the first class wins.
printf 'x,c\n1,a\n1,b\n1,c\n2,a\n2,b\n2,c\n' >same
run 0 wsvmpath --scale none --print coef --from 1 --to 10 --at 1 --save-model model same
run 0 kpredict -m model --scores same
awk -F '\t' 'NR > 1 && $2 != "a" { exit 1 }' stdout
ok $? 'no class of rows that all share is before the first'
run 0 wsvmpath --scale none --from 1 --to 10 --validate same same
table 'from to n errors error se' '1 10 6 4 0.6666666666666666 0.21081851067789195'

# --at chooses the model beside the errors of --validate.
run 0 wsvmpath --scale none --from 1 --to 10 --validate same --at .5 --save-model both same
run 0 wsvmpath --scale none --from 1 --to 10 --print coef --at .5 --save-model alone same
cmp both alone
ok $? '--validate and --at: the model at theta'

# By hand: f of a pair is a line, -1 and 1 at its rows.
printf 'x,c\n-1,a\n1,b\n4,c\n' >line
run 0 wsvmpath --scale none --kernel linear --ridge 0 --from 10 --to 10 --at 1 \
	--save-model model --print coef line
run 0 kpredict -m model --scores line
cut -f 2,4- stdout >got
tabs 'predicted score:a score:b score:c pair:a:b pair:a:c pair:b:c' \
	'a 2 1 0 -1 -1 -2.3333333333' 'b 1 2 0 1 -.2 -1' 'c 0 1 2 4 1 1' >due
near got due 1e-9 'scores of three rows in a line'
head -12 model | cut -f 1 >got
same got "$(printf '# %s\n' version task kernel C target columns classes multi \
	bias rows)$nl(id)${nl}1$nl"
sed -n 's/^# multi\t//p; s/^(id)/&/p' model >got
same got "one$nl(id)$tab(coef:a:b)$tab(coef:a:c)$tab(coef:b:c)${tab}x$nl"

# Other forms of the table.
for form in --csv '--digits 3'; do
	run 0 wsvmpath --scale none $form --from .1 --to 10 --print coef --at 0,1 "$data/iris.csv"
	cp stdout due
	for j in 2 3; do
		wsvmpath --scale none $form -j $j --from .1 --to 10 --print coef --at 0,1 \
			"$data/iris.csv" | cmp -s - due
		ok $? "$form: the same bytes with -j $j"
	done
done
run 0 wsvmpath --scale none --csv --from .1 --to 10 --print coef --at 1 "$data/iris.csv"
sed -n '2{s/[^,]*$//;p;}' stdout >got
same got "setosa,versicolor,1,1,(bias),$nl"
logged 0 wsvmpath --scale none --from 1 --to 10 --print coef --at 1 --save-model model \
	"$data/iris.csv"
awk -F '\t' '$1 ~ /^(classes|machines)$/' log >got
same got "classes${tab}3${nl}machines${tab}3$nl"

### Messages

iris="--from 1 --to 10 $data/iris.csv"
run 65 svmtransduce "$data/iris.csv"
err "svmtransduce: $data/iris.csv: 3 classes, two expected (rows without one have an empty \"class\")$nl"
sed '2s/[^,]*$/x/' "$data/iris.csv" >other
run 65 wsvmpath --scale none --validate other $iris
err "wsvmpath: other: row 1: class 'x' is not among those learnt$nl"

# --check: rows of another table, out of order, not all, too many.
wsvmpath --scale none --print coef $iris >path
run 0 wsvmpath --scale none --check path $iris
[ "$(sed 1d stdout | cut -f 1,2,6 | sort | uniq -c | awk '{ print $1, $NF }')" = "7 yes${nl}7 yes${nl}7 yes" ]
ok $? 'seven checks of each machine'
sed -n 1p stdout >got
same got "class1${tab}class2${tab}check${tab}value${tab}limit${tab}ok$nl"
run 0 wsvmpath --scale none --check - $iris <path
grep -v "^setosa${tab}virginica" path >bad
run 65 wsvmpath --scale none --check bad $iris
err "wsvmpath: bad: no rows of classes 'setosa' and 'virginica', or not in order$nl"
grep -v "^versicolor" path >bad
run 65 wsvmpath --scale none --check bad $iris
err "wsvmpath: bad: no rows of classes 'versicolor' and 'virginica', or not in order$nl"
(cat path && grep "^setosa${tab}virginica" path) >bad
run 65 wsvmpath --scale none --check bad $iris
err "wsvmpath: bad:$(($(wc -l <path) + 1)): column \"class1\": no more rows are due: 'setosa'$nl"
awk -F '\t' -v OFS='\t' '$1 == "versicolor" && $3 == 9 && $5 != "(bias)" && !done { $6 -= 5e-4; done = 1 } 1' path >bad
run 1 wsvmpath --scale none --check bad $iris
[ "$(awk '$6 == "no" { print $1 }' stdout | sort -u)" = versicolor ]
ok $? 'a wrong alpha is that of its machine'

### LIBSVM

if [ -n "${KITH_LONG:-}" ] && command -v svm-train >/dev/null; then
	for table in iris wine; do
		tabscale "$data/$table.csv" >scaled
		for C in .1 1 30; do
			wsvmpath --scale none --from $C --to $C --gamma .2 --ridge 0 --print coef --at 1 \
				--save-model model -o /dev/null scaled
			kpredict -m model scaled | sed 1d | cut -f 2 >ours
			awk -F '\t' '
			NR > 1 {
				if (!($NF in label))
					label[$NF] = ++labels
				name[label[$NF]] = $NF
				printf "%d", label[$NF]
				for (j = 1; j < NF; j++)
					printf " %d:%.17g", j, $j
				print ""
			}
			END { for (h = 1; h <= labels; h++) print h, name[h] >"labels" }' \
				scaled >rows
			svm-train -q -e 1e-8 -c $C -g .2 rows theirs.model
			svm-predict rows theirs.model theirs.said >/dev/null
			awk 'NR == FNR { name[$1] = $2; next } { print name[$1] }' \
				labels theirs.said | cmp -s - ours
			ok $? "$table, C $C: svm-train predicts the same classes"
		done
	done
fi

done_testing
