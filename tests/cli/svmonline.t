#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# svmonline: the rows of a stream, each predicted by a machine of the rows before it.
. "${0%/*}/tap.sh"

# Two classes of iris that overlap, in an order without plan.
awk -F , -v OFS='\t' 'NR == 1 { print "n", $0; next }
	$5 != "setosa" { print (NR * 37) % 101, $0 }' "$data/iris.csv" |
	tr , "$tab" | sort -s -n -k 1,1 | cut -f 2- >two
sed 1d two | head -3 >first

# Two rows in the window.  The second is learnt after the third came.
tabs 'x class' '0 b' '1 b' '1 a' '0 b' '3 a' >stream
run 0 svmonline --window 2 -C 1 --forget 0 --gamma 1 --ridge 0 stream
err ''
[ "$(head -4 stdout)" = "$(tabs 'id predicted actual margin' \
	'1 NA b NA' '2 NA b NA' '3 NA a NA')" ]
ok $? 'no prediction before both classes were learnt'
# Rows 2 and 3 are one point of either class: alpha 1, f = 0, so the first.
[ "$(sed -n 5p stdout)" = "$(tabs '4 a b 0')" ]
ok $? 'two equal rows of both classes: 0 falls to the first'
# Rows 3 and 4 at distance 1, at their bounds; row 5 at 4 and 9.
sed -n 6p stdout | awk -F '\t' '{
	due = exp(-9) - exp(-4)
	exit !($2 == "a" && $4 - due < 1e-12 && due - $4 < 1e-12)
}'
ok $? 'the oldest row has left'
sed 's/\ta$/\tz/' stream >other
run 0 svmonline --window 2 -C 1 --forget 0 --gamma 1 --ridge 0 other
sed -n 6p stdout | awk -F '\t' '{
	due = exp(-4) - exp(-9)
	exit !($2 == "z" && $4 - due < 1e-12 && due - $4 < 1e-12)
}'
ok $? 'the second class in byte order is +1'

# A delay, and batches, shift what is known.
known() {
	run 0 svmonline --window 50 -C 1 "$@" two
	awk -F '\t' 'NR > 1 && $2 != "NA" { print $1; exit }' stdout >got
}
awk -F '\t' 'NR == 2 { c = $5 } NR > 1 && $5 != c { print NR; exit }' two >due
known
cmp -s got due
ok $? 'the first row behind one of the other class is predicted'
known --delay 5
[ "$(cat got)" -eq $(($(cat due) + 5)) ]
ok $? 'with a delay of 5, the one five rows later'
known --batch 7 --delay 1
[ "$(cat got)" -eq $((($(cat due) + 5) / 7 * 7 + 2)) ]
ok $? 'in batches of 7'

# The last prediction is that of a machine learnt at once, with weights (28).
run 0 svmonline --window 40 -C 5 --forget 2 --batch 3 --delay 2 two
tail -1 stdout | cut -f 4 >got
# 100 rows; 97 were learnt, in batches of 3: 96 of them.
awk -F '\t' -v OFS='\t' 'NR == 1 { print $0, "C" }
	NR >= 58 && NR <= 97 {
		print $0, 5 * 2 / (1 + exp(2 - 4 * (NR - 57) / 40))
	}' two >window
awk 'NR == 1 || NR == 101' two >last
run 0 wsvmpath --scale none -y class --from C --to =C --gamma .25 --print coef --at 1 --save-model model window
run 0 kpredict -m model --scores last
tail -1 stdout | cut -f 5 >due
echo x | cat - got >a
echo x | cat - due >b
near a b 1e-5
awk -F '\t' -v OFS='\t' -v OFMT=%.17g -v CONVFMT=%.17g 'NR == 1 { print $0, "C" }
	NR >= 58 && NR <= 97 {
		print $0, 5 * 2 / (1 + exp(2 - 4 * (NR - 57) / 40))
	}' two >window
run 0 wsvmpath --scale none -y class --from C --to =C --gamma .25 --print coef --at 1 --save-model model window
run 0 kpredict -m model --scores last
tail -1 stdout | cut -f 5 >due
echo x | cat - due >b
near a b 1e-11

rm -f a b
# So are all others.
against_refits() { # TABLE WINDOW BATCH C FORGET KERNEL ROW...: appends f of the rows to a, due ones to b
	table=$1 rows=$2 batch=$3 C=$4 forget=$5 kernel=$6
	shift 6
	# shellcheck disable=SC2086 # words
	svmonline --window "$rows" --batch "$batch" -C "$C" --forget "$forget" $kernel "$table" >out
	for at; do
		awk -F '\t' -v OFS='\t' -v OFMT=%.17g -v at="$at" -v rows="$rows" -v batch="$batch" \
			-v C="$C" -v forget="$forget" '
			BEGIN {
				last = int((at - 1) / batch) * batch
				n = last < rows ? last : rows
			}
			NR == 1 { print $0, "C" }
			NR - 1 > last - n && NR - 1 <= last {
				u = (NR - 1 - last + n) / n
				print $0, C * 2 / (1 + exp(forget - 2 * forget * u))
			}' "$table" >window
		# shellcheck disable=SC2086 # words
		wsvmpath --scale none -y class --from C --to =C $kernel --print coef --at 1 \
			--save-model model window >window.tsv
		awk -v at="$at" 'NR == 1 || NR == at + 1' "$table" |
			kpredict -m model --scores | tail -1 | cut -f 5 >>b
		awk -F '\t' -v at="$at" '$1 == at { print $4 }' out >>a
	done
}
# Many rows at the same points and of either class.
for seed in 1 2 3; do
	awk -v seed=$seed "$uniform"'BEGIN {
		seed_uniform(seed)
		print "x\tz\tclass"
		for (i = 0; i < 60; i++)
			printf "%d\t%d\t%s\n", 3 * uniform(), 3 * uniform(),
			    uniform() < .5 ? "a" : "b"
	}' >grid
	for C in .3 10; do
		against_refits grid 20 1 $C 2 '--gamma .5' 25 38 52
	done
done
[ "$(wc -l <a)" -eq 18 ]
ok $? 'streams of ties'
near a b 1e-9
rm a b
# Classes that drift; the rows outgrow the slots, weights are 0 or 2 C, one row of each class.
awk "$uniform"'BEGIN {
	seed_uniform(4)
	print "x\tz\tclass"
	for (i = 0; i < 260; i++) {
		y = uniform() < .4
		print 2 * uniform() + y * cos(i / 40) "\t" 2 * uniform() - y "\t" (y ? "a" : "b")
	}
}' >drift
against_refits drift 200 7 10 3 '--gamma 1.5' 60 75 140 204 257
against_refits drift 90 11 .1 1 '--kernel linear --ridge 0' 70 105 250
against_refits drift 20 3 5 1e4 '--gamma 1.5' 100 201
against_refits drift 2 1 1 1 '--gamma 1.5' 52 53
against_refits drift 50 7 1000 3 '--gamma 1.5' 80 220
[ "$(wc -l <a)" -eq 14 ] && ! grep -q NA a
ok $? 'streams of classes that drift'
near a b 1e-8
rm a b

run 0 svmonline --window 30 -C 10 two
mv stdout once
run 0 svmonline --window 30 -C 10 -j 3 two
cmp -s once stdout
ok $? 'the same bytes for any -j'
run 0 svmonline --window 30 -C 10 --forget 3 --batch 1 --delay 0 --ridge 1e-6 two
cmp -s once stdout
ok $? 'the defaults are these'
run 0 svmonline two
cp stdout alone
svmonline --window 500 -C 1 two | cmp -s - alone
ok $? 'so are 500 rows, and C 1'
run 0 sh -c 'tr "\t" , <two | gzip | svmonline --window 30 -C 10'
cmp -s once stdout
ok $? 'gzip, commas'
paste once two | awk -F '\t' -v OFS='\t' 'NR == 1 { print "name", $0; next }
	{ print "r" NR, $0 }' | cut -f 1,6- >named
run 0 svmonline --window 30 -C 10 --id name named
cut -f 2- stdout >a
cut -f 2- once >b
cmp -s a b && [ "$(sed -n 2p stdout | cut -f 1)" = r2 ]
ok $? '--id'

# Rows without a target are predicted, and not learnt.
awk -F '\t' -v OFS='\t' 'NR == 31 { $NF = "" } 1' two >gap
run 0 svmonline --window 30 -C 10 gap
[ "$(sed -n 31p stdout | cut -f 2,4)" = "$(sed -n 31p once | cut -f 2,4)" ] &&
	[ "$(sed -n 31p stdout | cut -f 3)" = NA ]
ok $? 'an unknown target'
sed 31d two >without
run 0 svmonline --window 30 -C 10 without
cut -f 2- stdout >a
run 0 svmonline --window 30 -C 10 gap
sed 31d stdout | cut -f 2- >b
cmp -s a b
ok $? 'its row teaches nothing'
awk -F '\t' -v OFS='\t' 'NR == 31 { $1 = "NA" } 1' two >gap
run 0 svmonline --window 30 -C 10 --na omit gap
cut -f 2- stdout >b
cmp -s a b && [ "$(sed -n 31p stdout | cut -f 1)" = 31 ]
ok $? '--na omit leaves a row out, but counts it'

# Each row is answered before the next one comes.
mkfifo pipe
: >answers # there before it is looked at
svmonline --window 30 -C 10 <pipe >answers &
pid=$!
exec 3>pipe
sed 1q two >&3
late=0
i=1
while [ $i -le 3 ]; do
	sed -n ${i}p first >&3
	wait=0
	while [ "$(wc -l <answers)" -le $i ]; do
		wait=$((wait + 1))
		if [ $wait -gt 1000 ]; then
			late=1
			break
		fi
		sleep .05
	done
	i=$((i + 1))
done
ok $late 'a row is answered before the next one comes'
kill -9 $pid
exec 3>&-
wait $pid 2>/dev/null
[ "$(tail -c 1 answers)" = '' ] && [ "$(wc -l <answers)" -eq 4 ]
ok $? 'killed, it leaves whole lines'
# In full run, too.
(sed 1q two; while sed 1d two; do :; done) 2>/dev/null |
	svmonline --window 100 -C 10 >answers &
pid=$!
wait=0
while [ "$(wc -l <answers)" -le 200 ] && [ $wait -le 1000 ]; do
	wait=$((wait + 1))
	sleep .05
done
kill -9 $pid
wait $pid 2>/dev/null
[ "$(tail -c 1 answers)" = '' ] && [ "$(wc -l <answers)" -gt 200 ] &&
	awk -F '\t' 'NF != 4 { bad = 1 } END { exit bad }' answers
ok $? 'killed at work, it leaves whole lines'

# What is wrong with a stream.
tabs 'x class' '0 b' '1 a' '1 c' >bad
run 65 svmonline --window 5 -C 1 bad
out "$(tabs 'id predicted actual margin' '1 NA b NA' '2 NA a NA')$nl"
err "svmonline: bad:4: column \"class\": a third class: 'c' (one against the rest: tabscale --method none | awk -F'\\t' -v OFS='\\t' 'NR > 1 && \$2 != \"b\" { \$2 = \"(rest)\" } 1' | svmonline ...)$nl"
tabscale --method none bad | awk -F'\t' -v OFS='\t' 'NR > 1 && $2 != "b" { $2 = "(rest)" } 1' >rest
run 0 svmonline rest
tabs 'x class' '0 b' 'y a' >bad
run 65 svmonline --window 5 -C 1 bad
err "svmonline: bad:3: column \"x\": not a number: 'y' (--id, -x '!COL', tabscale --onehot?)$nl"
tabs 'x class' '0 b' '? a' >bad
run 65 svmonline --window 5 -C 1 bad
err "svmonline: bad:3: column \"x\": missing: '?' (--na omit?)$nl"
tabs 'x class' '0 b' '1e200 a' >bad
run 65 svmonline --window 5 -C 1 --kernel linear bad
err "svmonline: bad:3: column \"x\": 1e+200 is beyond 1e150, where squares overflow (tabscale, tabscale --na-string?)$nl"
run 65 svmonline --window 5 -C 1 -y no two
err "svmonline: two:1: column \"no\": not found$nl"
run 65 svmonline --window 5 -C 1 -x !1:4 two
err "svmonline: two:1: no column beside the target and those left out$nl"
run 2 svmonline --window 5 -C 1 -x 5 two
err "svmonline: column \"class\" cannot be a feature: it has another role$nl$help"
tabs '(coef) class' '0 b' >bad
run 65 svmonline --window 5 -C 1 bad
err "svmonline: bad:1: column \"(coef)\": a reserved name$nl"
run 2 svmonline --window 5 --batch 6 -C 1 two
err "svmonline: --batch is more than the rows of --window$nl$help"
run 2 svmonline --window 5 -C class two
err "svmonline: bad -C: 'class' (a number from 0)$nl$help"
run 2 svmonline --window 5 -C 1 --na mean two
err "svmonline: --na mean needs all rows, which are not there yet$nl$help"
run 65 svmonline --window 5 -C 1 -o new bad
[ ! -e new ]
ok $? 'no file is left of a stream that fails'

need_shared data/nasdaq_rdp2515.csv.gz
run 0 svmonline --window 250 -C 10 --delay 5 "$shared/data/nasdaq_rdp2515.csv.gz"
awk -F '\t' '$2 != "NA" { n++; wrong += $2 != $3 }
	END { exit !(NR == 2516 && n == 2507 && wrong / n < .5) }' stdout
ok $? 'NASDAQ: all rows, and better than a coin'

# Numbers: each prediction is that of a machine learnt at once from the window.
awk 'BEGIN {
	print "u,v,y"
	for (i = 1; i <= 30; i++) {
		u = (i * 37) % 19 / 10
		v = (i * 11) % 13 / 10
		printf "%s,%s,%s\n", u, v, i == 12 ? "NA" : u * v - (i > 15 ? u : v) + i % 3 / 7
	}
}' >numbers
same_as_refits() {
	# shellcheck disable=SC2086 # words
	run 0 svmonline --task regress --epsilon .1 --window 8 --forget 0 -C 2 ${3-} numbers
	head -1 stdout >got
	same got "$(tabs 'id predicted actual')$nl"
	for t in 10 13 20 29; do
		# The 8 rows before, or with --delay those up to three rows earlier, but row 12.
		awk -F , -v t="$t" -v late="$1" 'NR == 1 { print; next }
			NR - 1 < t - late && $3 != "NA" { row[++n] = $0 }
			END { for (i = n > 8 ? n - 7 : 1; i <= n; i++) print row[i] }' numbers >window
		sed -n "1p;$((t + 1))p" numbers >next
		# shellcheck disable=SC2086 # words
		wsvmpath -q --scale none --gamma .5 --task regress --epsilon .1 --from 2 --to 2 $2 \
			--print coef --at 1 --save-model model -o /dev/null window
		kpredict -m model next | sed -n 2p | cut -f 2
	done >due
	for t in 10 13 20 29; do
		sed -n "$((t + 1))p" stdout | cut -f 2
	done >got
	near got due 1e-9 "numbers, delay $1$2"
}
same_as_refits 0 ''
same_as_refits 3 '' '--delay 3'
same_as_refits 0 ' --kernel polynomial --ridge 0' '--gamma .5 --kernel polynomial --ridge 0'
awk -F '\t' 'NR == 2 && $2 == "NA" && $3 != "NA" { n++ }
	NR == 13 && $2 != "NA" && $3 == "NA" { n++ }
	END { exit n != 2 }' stdout
ok $? 'the first row is not predicted, a row without a number is'
run 2 svmonline --task regress numbers
err "svmonline: --task regress needs --epsilon X: errors up to X cost nothing$nl$help"
printf 'u,y\n1,2\n2,x\n' >bad
run 65 svmonline --task regress --epsilon 1 bad
err "svmonline: bad:3: column \"y\": not a number: 'x' (--task classify?)$nl"
printf 'u,y\n1,2\n2,1e301\n' >bad
run 65 svmonline --task regress --epsilon 1 bad
err "svmonline: bad:3: column \"y\": too large to be squared with weights$nl"
run 0 svmonline --epsilon 1 two
err "svmonline: warning: --epsilon is not used with this --task$nl"
done_testing
