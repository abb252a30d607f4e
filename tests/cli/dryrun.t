#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --dry-run: each command reads all its input, as ever, and prints what the run
# would cost in place of its table.
. "${0%/*}/tap.sh"

cp "$data/iris.csv" iris.csv
awk -F , 'NR == 1 || $5 != "setosa"' iris.csv >two.csv
awk -F , -v OFS=, 'NR % 3 == 2 { $5 = "" } 1' two.csv >some.csv
printf 'from\tto\tweight\n1\t2\t1\n' >nothing
{
	nnkgraph -q -y class -k 8 two.csv >graph.tsv &&
		nnkgraph -q -y class -k 8 --full --symmetrize none two.csv >full.tsv &&
		nnkgraph -q -y class -k 8 --symmetrize none two.csv >edges.tsv &&
		nnkgraph -q -y class -k 8 --symmetrize none --method lle-signed \
			two.csv >affine.tsv &&
		eigenmap -q -t two.csv graph.tsv >map.tsv &&
		nnkgraph -q -y class -k 8 --symmetrize none --method knn --distance \
			two.csv >far.tsv &&
		knnclf -q -t two.csv iris.csv >predicted.tsv &&
		knnclf -q -t two.csv --print neighbours -k 3 iris.csv >near.tsv &&
		nnkgraph -q -y class -k 8 --symmetrize none --method knn --sigma 1 \
			--reference-shard 1/1 two.csv >block.tsv &&
		sqpfw -q --theta .1 two.csv >weights.tsv &&
		immigrate -q two.csv >pairs.tsv &&
		knife -q --lambda2 .1 --save-model knife.tsv two.csv >knifed.tsv &&
		wsvmpath -q --from 1 --to 2 --theta 1 --save-model svm.tsv \
			--state-out state.tsv --print coef two.csv >coef.tsv &&
		labelprop -q --scores --all -t some.csv graph.tsv >scores.tsv
}
ok $? 'there are tables of all kinds'

# A table of quantities, low <= high, none negative, none else.
is_cost() {
	awk -F '\t' -v want="${2:-}" '
	NR == 1 { bad = $0 != "quantity\tlow\thigh"; next }
	{
		seen[$1]++
		bad = bad || NF != 3 || $2 !~ /^[0-9.]+(e[-+]?[0-9]+)?$/ ||
			$3 !~ /^[0-9.]+(e[-+]?[0-9]+)?$/ || $2 + 0 > $3 + 0
		if ($1 !~ /^(rows|features|queries|classes|k|megabytes|seconds)$/)
			bad = 1
		if ($1 ~ /^(rows|features|queries|classes|k)$/ && $2 != $3)
			bad = 1
		last = $1
	}
	END {
		for (q in seen)
			bad = bad || seen[q] > 1
		n = split(want, w, " ")
		for (i = 1; i <= n; i++)
			bad = bad || !(w[i] in seen)
		exit bad || !("rows" in seen) || !("megabytes" in seen) ||
			last != "seconds"
	}' "$1"
	ok $? "that is what it costs${2:+, with $2}"
}

# WANT COMMAND [ARG]...: on standard output, and with -o.
costs() {
	want=$1
	shift
	run 0 "$@" --dry-run -q
	is_cost stdout "$want"
	err ''
	run 0 "$@" --dry-run -q -o told --log logged
	is_cost told "$want"
	out ''
	grep -q "^status${tab}0\$" logged
	ok $? 'and the log is written'
	rm -f told logged
}

costs 'features classes k' knnclf --loo -k 3 iris.csv
costs 'queries' knnclf -t two.csv iris.csv
costs '' knnclf --cv 5 --best -k 1,3 iris.csv
costs '' knnclf --loo --vote expected iris.csv
costs '' knnclf --loo --vote nnk -k 5 iris.csv
costs '' knnclf -t two.csv -w weights.tsv two.csv
costs '' knnclf -t two.csv -w pairs.tsv --vote expected two.csv
costs '' knnclf --loo --candidates edges.tsv two.csv
costs 'queries' knnclf -t two.csv --reference-shard 1/3 --print neighbours two.csv
costs 'queries' knnclf --merge near.tsv
for method in relief relieff simba mulrel irelief nca lfe; do
	costs 'features classes' relief --method $method iris.csv
done
costs 'k' relief --method relieff --task regress -y 1 -x 2:4 iris.csv
for method in nnk knn mp omp lle lle-gram smooth aew; do
	costs 'features k' nnkgraph -y class --method $method -k 5 iris.csv
done
costs '' nnkgraph -y class --method radius --radius 1 iris.csv
costs '' nnkgraph -y class -k 5 --method lle-signed --symmetrize none iris.csv
costs 'queries' nnkgraph -y class -t two.csv iris.csv
costs '' nnkgraph -y class --candidates edges.tsv two.csv
cut -f 1,2,4 far.tsv >distances.tsv
costs '' nnkgraph --pairs distance --candidates distances.tsv two.csv
costs '' nnkgraph -y class --check edges.tsv -k 8 two.csv
costs '' nnkgraph --merge --rows 100 full.tsv
costs '' nnkgraph --method knn --symmetrize max --merge --rows 100 block.tsv
costs '' nnkgraph -y class --method knn --sigma 1 --symmetrize none --reference-shard 1/3 two.csv
costs 'features k' nnkmeans -y class --atoms 5 iris.csv
costs 'classes' labelprop -t some.csv graph.tsv
costs '' labelprop -t two.csv --reveal .2 --method poisson graph.tsv
costs '' labelprop -t some.csv --check scores.tsv graph.tsv
costs '' labelprop -t two.csv -y 1 --task regress --reveal .2 graph.tsv
costs '' eigenmap -t two.csv graph.tsv
costs '' eigenmap --rows 100 --method lle affine.tsv
costs '' eigenmap -t two.csv --check map.tsv graph.tsv
costs 'features classes' sqpfw --theta .1 two.csv
costs '' sqpfw --path two.csv
costs 'queries' sqpfw --path --validate two.csv two.csv
costs '' sqpfw --theta .1 --check weights.tsv two.csv
costs 'features classes' immigrate two.csv
costs '' immigrate --method im4e two.csv
costs '' immigrate --method im4e-immigrate two.csv
costs '' immigrate --boost 3 two.csv
costs '' immigrate --sample 10 two.csv
costs '' immigrate --cv 3 --sigma 2,1 --best two.csv
costs '' immigrate --check pairs.tsv two.csv
costs 'features classes' knife --lambda2 .1 two.csv
costs '' knife --kernel linear --grid 4 --cv 3 two.csv
costs 'queries' knife --lambda2 .1 --validate two.csv two.csv
costs '' knife --lambda2 .1 --check knifed.tsv two.csv
costs 'features' wsvmpath --from 1 --to 10 two.csv
costs "" wsvmpath --from 1 --to 10 --cv 3 two.csv
costs "" relief --cv 3 --method relieff -k 2,5 two.csv
costs "" sqpfw --theta .1 --cv 3 --best two.csv
costs 'queries' wsvmpath --from 1 --to 10 --validate two.csv two.csv
costs '' wsvmpath --to 10 --state-in state.tsv two.csv
costs '' wsvmpath --from 1 --to 2 --check coef.tsv two.csv
costs '' wsvmpath --from 1 --to 2 --task transduce some.csv
costs '' wsvmpath --task regress --epsilon .1 -y 1 -x 2:4 --from 1 --to 2 two.csv
costs '' wsvmpath --task regress --epsilon .1 -y 1 -x 2:4 --from 1 \
	--reweight 2 two.csv
costs 'queries' kpredict -m knife.tsv two.csv
costs '' kpredict -m svm.tsv --scores two.csv
costs 'queries' tabratio -t two.csv iris.csv
costs '' tabscale iris.csv
costs '' tabscale --onehot class --no-target iris.csv
costs '' tabfold --fold 1/5 --part test iris.csv
costs '' tabscore predicted.tsv
costs '' tabscore --paired predicted.tsv predicted.tsv

# Every command has it.
for tool in "$KITH_BUILD"/*; do
	if [ -f "$tool" ] && [ -x "$tool" ]; then
		"$tool" --help | grep -q -- '--dry-run  '
		ok $? "${tool##*/} has --dry-run"
	fi
done

# Other files do not appear, and old ones stay.
absent() {
	[ ! -e new ]
	ok $? "no other file with $*"
	rm -f new
}
for call in 'knife --lambda2 .1 --save-model new two.csv' \
	'knife --lambda2 .1 --trace new two.csv' \
	'immigrate --trace new two.csv' \
	'wsvmpath --from 1 --to 2 --state-out new two.csv' \
	'wsvmpath --from 1 --to 2 --theta 1 --save-model new two.csv' \
	'wsvmpath --from 1 --to 2 --task transduce --save-model new some.csv' \
	'tabscale --save new iris.csv' \
	'nnkgraph -y class --method aew --save-weights new iris.csv' \
	'tabratio -t two.csv --save-model new iris.csv'; do
	# shellcheck disable=SC2086 # words
	run 0 $call --dry-run -q
	is_cost stdout
	# shellcheck disable=SC2086 # words
	absent $call
done

# Errors of the input come out as ever, and then there is no table.
sed '7s/,.*,/,x,/' two.csv >bad.csv
for call in 'knnclf --loo bad.csv' 'knnclf -t two.csv bad.csv' 'relief bad.csv' \
	'nnkgraph -y class bad.csv' 'nnkmeans -y class --atoms 3 bad.csv' \
	'labelprop -t some.csv bad.csv' 'eigenmap -t two.csv bad.csv' \
	'sqpfw --theta .1 bad.csv' 'immigrate bad.csv' 'knife --lambda2 1 bad.csv' \
	'wsvmpath --from 1 --to 2 bad.csv' 'kpredict -m knife.tsv bad.csv' \
	'kpredict -m bad.csv two.csv' 'tabratio -t bad.csv two.csv' \
	'tabscale bad.csv' 'tabfold --fold 1/5 --part test bad.csv' \
	'tabscore two.csv' 'sqpfw --theta .1 --check bad.csv two.csv' \
	'knife --lambda2 .1 --check bad.csv two.csv' \
	'wsvmpath --to 2 --state-in bad.csv two.csv' \
	'labelprop -t some.csv --check bad.csv graph.tsv' \
	'nnkgraph --merge --rows 100 bad.csv'; do
	# shellcheck disable=SC2086 # words
	run 65 $call --dry-run -q -o told
	[ ! -e told ]
	ok $? 'and no table'
	# shellcheck disable=SC2086 # words
	$call -q 2>due >/dev/null
	cmp -s stderr due
	ok $? 'and the same message'
done
run 66 knnclf --loo --dry-run nowhere.csv
run 2 wsvmpath --online 5 --to 1 --dry-run two.csv
err "wsvmpath: --online and --dry-run exclude each other: how many rows will come is not known$nl${help%dryrun*}wsvmpath --help'$nl"

# More rows cost more.
grow() {
	awk -v n="$1" 'BEGIN {
		print "a,b,c,d,e,f,g,h,i,y"
		for (i = 0; i < n; i++) {
			for (j = 0; j < 9; j++) {
				x = (x * 1103515245 + 12345) % 2147483648
				printf "%.4f,", x / 2147483648 + (i % 2) / 4
			}
			print i % 2 ? "u" : "v"
		}
	}'
}
grow 200 >small.csv
grow 6000 >large.csv
figure() { # FILE QUANTITY
	awk -F '\t' -v q="$2" '$1 == q { print $3 }' "$1"
}
for call in 'knnclf --loo -k 5' 'relief --method relieff' 'nnkgraph -y y' \
	'nnkmeans -y y --atoms 20' 'sqpfw --theta .1' 'immigrate' 'knife --lambda2 1' \
	'wsvmpath --from 1 --to 10' 'tabratio -t small.csv'; do
	# shellcheck disable=SC2086 # words
	$call -q --dry-run small.csv >before && $call -q --dry-run large.csv >after
	ok $? "$call tells"
	for q in rows megabytes seconds; do
		[ "$(figure before $q | cut -d . -f 1)" != '' ] &&
			awk -v a="$(figure before $q)" -v b="$(figure after $q)" \
				'BEGIN { exit !(a + 0 < b + 0) }'
		ok $? "more $q with more rows"
	done
done

# More work costs more: parts of --cv, values, threads.
immigrate -q --dry-run two.csv >before
immigrate -q --dry-run --cv 20 --sigma 4,2,1 two.csv >after
awk -v a="$(figure before seconds)" -v b="$(figure after seconds)" \
	'BEGIN { exit !(10 * a < b) }'
ok $? 'sixty fits cost more than ten times one'
relief -q --dry-run --method multisurf large.csv >before
relief -q --dry-run --method multisurf --turf .1 large.csv >after
awk -v a="$(figure before seconds)" -v b="$(figure after seconds)" \
	'BEGIN { exit !(2 * a < b) }'
ok $? 'relief: rounds of --turf cost more than one'

# The input is read from standard input, too.
run 0 sh -c 'knnclf --loo --dry-run <iris.csv'
is_cost stdout

done_testing
