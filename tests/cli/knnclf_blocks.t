#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# knnclf --print neighbours, --reference-shard and --merge: blocks of the reference
# give the bytes of one run.
. "${0%/*}/tap.sh"
# shellcheck source=blocks.sh
. "$root/tests/cli/blocks.sh"
made_by='knnclf -q --print neighbours'

# tied SEED ROWS: many equal rows, three classes, numbers that tie.
tied() {
	awk -v seed="$1" -v n="$2" "$uniform"'BEGIN {
		seed_uniform(seed)
		print "a,b,c,x,class"
		for (i = 1; i <= n; i++)
			printf "%d,%d,%d,%.2f,%s\n", 4 * uniform(), 3 * uniform(),
				2 * uniform(), uniform() < .5 ? 0 : uniform(),
				substr("pqr", 1 + int(3 * uniform()), 1)
	}'
}

# as_one VOTES LISTS ROWS: merged with options VOTES, lists made with options
# LISTS of ROWS are what one run prints.
as_one() {
	# shellcheck disable=SC2086 # options
	knnclf -q $1 --merge list.* >merged &&
		knnclf -q $1 $2 $3 >due && cmp merged due
}

tied 1 61 >train.csv
tied 2 37 >ask.csv
tied 3 45 >self.csv
bad=0
for grid in '1 1' '2 1' '3 2' '7 1' '65 1' '1 4'; do
	# shellcheck disable=SC2086 # numbers
	blocks $grid -k 9 -t train.csv ask.csv || bad=1
	for votes in '-k 1,3,9' '-k 9 --scores' '-k 5 --vote distance --scores' \
		'-k 9 --vote kernel --sigma .7 --scores' '-k 7 --vote kstar' \
		'-k 4 --print votes' '-k 3,5 --print errors' \
		'-k 3,5 --print errors --best' '--radius 1 -k 5' \
		'-k 2 --digits 3 --scores' '-k 3 --csv --print votes'; do
		as_one "$votes" '-t train.csv' ask.csv || {
			echo "# $grid: $votes"
			bad=1
		}
	done
done
ok $bad 'blocks of a reference: the same votes as in one run'
bad=0
for grid in '1 1' '2 1' '4 3' '23 2' '47 1'; do
	# shellcheck disable=SC2086 # numbers
	blocks $grid --loo -k 8 self.csv || bad=1
	as_one '-k 1,8 --print predictions' --loo self.csv || bad=1
	as_one '-k 1,3 --print errors' --loo self.csv || bad=1
	as_one '-k 8 --print votes' --loo self.csv || bad=1
done
ok $bad 'rows by the others: the same'
bad=0
for grid in '1 1' '3 2' '40 1'; do
	# shellcheck disable=SC2086 # numbers
	blocks $grid --radius 1.5 -t train.csv ask.csv || bad=1
	as_one '--radius .5,1.5' '-t train.csv' ask.csv || bad=1
	as_one '--radius 1.2 -k 3 --scores' '-t train.csv' ask.csv || bad=1
	as_one '--radius 1 --print votes --vote distance' '-t train.csv' ask.csv || bad=1
	# shellcheck disable=SC2086 # numbers
	blocks $grid --radius 1 -k 3 --loo self.csv || bad=1
	as_one '--radius .7 -k 2 --print predictions' --loo self.csv || bad=1
done
ok $bad 'all rows within a radius: the same'

# Weights, numbers, names, kept columns, missing cells.
tabs 'feature weight' 'a 2' 'x 1e-3' >vector.tsv
tabs 'feature weight_abs' 'a 2' 'c .5' >absolute.tsv
tabs 'feature1 feature2 weight' 'a a 1' 'a b -.9' 'b b 1' 'x x 3' >matrix.tsv
tabs 'feature1 feature2 weight' 'a a 1' 'a b -2' 'b b 1' >below.tsv
bad=0
for w in vector absolute matrix; do
	blocks 4 1 -w $w.tsv -k 5 -t train.csv ask.csv || bad=1
	as_one '-k 5 --vote distance --scores' "-w $w.tsv -t train.csv" ask.csv || bad=1
done
blocks 4 1 -w below.tsv -k 5 -t train.csv ask.csv || bad=1
as_one '-k 5 --print votes' '-w below.tsv -t train.csv' ask.csv || bad=1
blocks 4 2 -w vector.tsv --drop-share 50 -k 5 -t train.csv ask.csv || bad=1
as_one '-k 5 --print votes' '-w vector.tsv --drop-share 50 -t train.csv' ask.csv || bad=1
blocks 3 2 --task regress -y x -x a,b,c -k 6 -t train.csv ask.csv || bad=1
# shellcheck disable=SC2086 # options
{
	knnclf -q --merge -k 2,6 --vote kernel --sigma 1 list.* >merged
	knnclf -q --task regress -y x -x a,b,c -k 2,6 --vote kernel --sigma 1 \
		-t train.csv ask.csv >due
}
cmp merged due || bad=1
ok $bad 'weights and numbers: the same'
awk -F , -v OFS=, 'NR == 1 { print "name", $0; next } { print "r" NR, $0 }' \
	train.csv >named.csv
awk -F , -v OFS=, 'NR == 1 { print "name", $0, "note"; next }
	{ print "q" NR, $0, NR % 3 ? "\"a, b\"" : "NA" }' ask.csv >asked.csv
bad=0
blocks 5 2 --id name -k 4 -t named.csv --keep note,a asked.csv || bad=1
for votes in '-k 4 --keep note,a' '-k 4 --print votes' '-k 1,2 --csv --keep note'; do
	as_one "$votes" '--id name -t named.csv' asked.csv || bad=1
done
sed '3s/^[^,]*/NA/; 20s/^[^,]*/NA/; 60s/^[^,]*/NA/' train.csv >holes.csv
sed '5s/^[^,]*/NA/; 30s/^[^,]*/NA/; 9s/[^,]*$/NA/' ask.csv >asked.csv
for grid in '2 1' '9 2' '63 1'; do
	# shellcheck disable=SC2086 # numbers
	blocks $grid --na omit -k 4 -t holes.csv asked.csv || bad=1
	as_one '-k 1,4 --scores' '--na omit -t holes.csv' asked.csv || bad=1
	as_one '-k 4 --print votes' '--na omit -t holes.csv' asked.csv || bad=1
	# shellcheck disable=SC2086 # numbers
	blocks $grid --na omit -k 4 --loo holes.csv || bad=1
	as_one '-k 4 --print votes' '--na omit --loo' holes.csv || bad=1
done
ok $bad 'names, kept columns and missing cells: the same'

# Other forms of files, threads, rows without a target, no rows.
bad=0
gzip -c train.csv >train.csv.gz
blocks 3 1 -j 3 -k 5 -t train.csv.gz ask.csv || bad=1
as_one '-k 5 -j 2 --print votes' '-t train.csv' ask.csv || bad=1
blocks 4 2 -k 5 -y class -t train.csv.gz ask.csv || bad=1
as_one '-k 5 --print votes' '-y class -t train.csv' ask.csv || bad=1
cut -d , -f 1-4 ask.csv >bare.csv
blocks 3 2 -k 5 -t train.csv bare.csv || bad=1
as_one '-k 5' '-t train.csv' bare.csv || bad=1
head -1 ask.csv >none.csv
blocks 3 1 -k 5 -t train.csv none.csv || bad=1
as_one '-k 5 --scores' '-t train.csv' none.csv || bad=1
head -4 train.csv >three.csv
printf '1,2,0,.5,"s\\\n	t"\n' >>three.csv
blocks 3 2 -k 4 -t three.csv ask.csv || bad=1
as_one '-k 4 --scores' '-t three.csv' ask.csv || bad=1
ok $bad 'gzip, threads, no target, no rows, odd classes: the same'

# Tables of all kinds.
bad=0
most=${KITH_LONG:+200}
for seed in $(seq "${most:-12}"); do
	"$KITH_BUILD/gen/tied" "$seed" >t.csv
	rows=$(($(wc -l <t.csv) - 1))
	blocks $((seed % 5 + 2)) $((seed % 3 + 1)) --loo -k 4 t.csv || bad=1
	[ "$rows" -gt 4 ] || continue
	as_one '-k 4 --print votes' --loo t.csv || bad=1
done
ok $bad 'ties of all kinds: the same'

# The lists, by hand.
printf 'x,y,c\n0,0,p\n3,4,q\n0,1,p\n1,1,q\n' >four
printf 'x,y,c\n0,0,q\n' >one
run 0 knnclf -t four --reference-shard 2/2 --print neighbours -k 3 one
sed -n '/^# metric/!p' stdout >shown
same shown "# reference-shard${tab}2/2
# reference${tab}4
# rows${tab}2
# queries${tab}1
# k${tab}3
# class${tab}p
# class${tab}q
id${tab}neighbour${tab}distance${tab}actual${tab}own
1${tab}3${tab}1${tab}p${tab}q
1${tab}4${tab}1.4142135623730951${tab}q${tab}q
"
run 0 knnclf -t four --radius 1 --reference-shard 1/4 --shard 1/1 --print neighbours one
run 0 knnclf -t four --radius .5 --reference-shard 2/4 --print neighbours one
sed -n '/^# [rq]/p; /^#/!p' stdout >shown
same shown "# reference-shard${tab}2/4
# reference${tab}4
# rows${tab}1
# queries${tab}1
# radius${tab}0.5
id${tab}neighbour${tab}distance${tab}actual${tab}own
1${tab}NA${tab}NA${tab}NA${tab}q
"

# Wrong calls.
misuse '--reference-shard needs --print neighbours' -t four --reference-shard 1/2 one
misuse 'bad --reference-shard: '"'3/2' (I/N with I from 1 to N)" -t four --reference-shard 3/2 one
lists='--print neighbours takes no --cv, --best, --candidates and --scale'
misuse "$lists" --cv 2 --print neighbours four
misuse "$lists" --loo --scale zscore --print neighbours four
misuse '--print neighbours takes one -k, and one --radius' -k 1,2 --loo --print neighbours four
misuse '--merge takes no --print neighbours' --merge --print neighbours four
misuse '--reference-shard takes no --na mean: it is of all rows' --na mean -t four \
	--reference-shard 1/2 --print neighbours one
misuse '--merge takes no -t, --loo, --cv and --candidates' --merge -t four one
misuse '--merge takes no --shard' --merge --shard 1/2 one
misuse '--merge takes no --vote nnk and expected: they need the rows' --merge --vote nnk one
sigma='--merge needs a number as --sigma: others are of all rows'
misuse "$sigma" --merge --vote kernel one
misuse "$sigma" --merge --vote kernel --sigma local one
misuse '--merge takes no --unreached prior: it is of all rows' --merge --radius 1 \
	--unreached prior one

# Sets that are none.
blocks 3 1 -k 2 -t four one
cp list.1.1 a
cp list.1.2 b
cp list.1.3 c
blocks 2 1 -k 2 -t four one
cp list.1.1 half
cp list.1.2 rest
blocks 3 1 -k 1 -t four one
cp list.1.2 other_k
blocks 3 2 -k 2 -t four four
cp list.1.2 shard1
cp list.2.1 shard2
refuse 'a:1: reference-shard 2/3 is missing' --merge a
refuse 'c:1: reference-shard 2/3 is missing' --merge c a
refuse 'b:1: reference-shard 1/3 is missing' --merge b c
refuse 'b:1: reference-shard 3/3 is missing' --merge a b
cp b again
refuse 'again:1: reference-shard 2/3: that of b, too' --merge a b again c
refuse 'half:1: reference-shard: another than in a' --merge a half
refuse 'other_k:5: k: another than in a' --merge a other_k c
refuse 'shard1:2: shard: another than in a' --merge a shard1 c
refuse 'list.2.2:1: reference-shard 3/3 is missing' --merge list.1.* list.2.1 list.2.2
run 0 knnclf --merge list.2.*
out "id${tab}predicted${tab}actual${nl}3${tab}p${tab}p${nl}4${tab}q${tab}q${nl}"
sed 's/^1	/2	/' b >moved
refuse "moved:9: column \"id\": '2' where row '1' is due" --merge a moved c
sed '/^# q/s/1/2/' b >longer
refuse 'longer:4: queries: another than in a' --merge a longer c
sed '/^# metric/s/.$/x/' b >odd
refuse_line=$(sed -n '/^# metric/s/.*	//p' odd)
refuse "odd:6: metric: not one of a list of neighbours: '$refuse_line'" --merge odd
knnclf -t four --reference-shard 2/3 -w matrix.tsv -x x,y --print neighbours -k 2 one >weighed 2>why
tabs 'feature weight' 'x 1' 'y 2' >xy.tsv
knnclf -t four --reference-shard 2/3 -w xy.tsv --print neighbours -k 2 one >weighed
refuse 'weighed:6: metric: another than in a' --merge a weighed c
sed '$d' b >short
refuse "short: ends before row '1'" --merge a short c
sed '$p' b >double
refuse 'double:10: column "neighbour": not in the order of distance and row' --merge a double c
sed '$s/	2	/	1	/' half >twice
refuse "twice:11: column \"neighbour\": twice a neighbour of row '1': 1" --merge twice rest
sed '$s/q$/z/' b >class
refuse "class:9: column \"own\": 'z' where other files have 'q'" --merge a class c
sed '$s/	2	/	4	/' b >foreign
refuse "foreign:9: column \"neighbour\": no row of block 2/3 of 4: '4'" --merge a foreign c
printf 'x,c\n1,p\n' >bare
refuse 'bare: no list of neighbours: its first lines do not say which (--reference-shard?)' --merge bare
for f in a b c; do
	sed '/^# class/d' $f >un$f
done
refuse "una:8: column \"actual\": not a class of the reference: 'p'" --merge una unb unc
blocks 1 3 -k 2 -t four four
refuse 'list.1.1:2: shard 2/3 is missing' --merge list.1.1 list.3.1
refuse 'list.1.1:2: shard 3/3 is missing' --merge list.1.1 list.2.1
run 0 knnclf --merge -k 2 a b c
refuse 'a:5: lists have 2 neighbours at most (-k?)' --merge -k 3 a b c
refuse '5 neighbours wanted, only 4 available' --merge -k 5 a b c
blocks 2 1 --radius 2 -t four one
refuse 'list.1.1:5: lists end at a distance of 2 (--radius?)' --merge --radius 3 list.1.1 list.1.2
refuse 'list.1.1:5: lists end at a distance of 2 (--radius?)' --merge list.1.1 list.1.2

# What cannot be blocks.
run 65 sh -c 'cat four | knnclf -t - --reference-shard 1/2 --print neighbours one'
err "knnclf: <stdin>: no regular file: blocks of rows are read twice$nl"
printf 'x,c\n1e200,p\n0,q\n' >far
refuse 'far:2: column "x": 1e+200 is beyond 1e150, where squares overflow (--na-string, tabscale?)' \
	-t far --reference-shard 1/2 --print neighbours far
printf 'x,c\n1e-200,p\n0,q\n' >near
run 0 knnclf -t near --reference-shard 1/2 -k 1 --print neighbours near
[ "$(tail -n 2 stdout | cut -f 1-3 | tr '\t\n' ' ;')" = '1 1 0;2 1 0;' ]
ok $? 'differences below 1e-150 count as 0'
printf 'i,x,c\na,1,p\na,2,q\n' >twins
refuse "twins: column \"i\": listed twice: 'a'" --loo --id i --print neighbours twins
printf 'own,x,c\na,1,p\nb,2,q\n' >clash
refuse 'clash:1: column "own": the output would have this name twice' --loo --ignore own \
	--keep own --print neighbours clash
done_testing
