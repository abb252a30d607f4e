#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# wsvmpath: ranks, transduction, weights that depend on errors, and streams.
. "${0%/*}/tap.sh"

# Two classes of iris that overlap, in an order without plan.
awk -F , -v OFS='\t' 'NR == 1 { print "n", $0; next }
	$5 != "setosa" { print (NR * 37) % 101, $0 }' "$data/iris.csv" |
	tr , "$tab" | sort -s -n -k 1,1 | cut -f 2- >two
sed 1d two | head -3 >first

### --online

# Two rows in the window.  The second is learnt after the third came.
tabs 'x class' '0 b' '1 b' '1 a' '0 b' '3 a' >stream
run 0 wsvmpath --online 2 --to 1 --forget 0 --gamma 1 --ridge 0 stream
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
run 0 wsvmpath --online 2 --to 1 --forget 0 --gamma 1 --ridge 0 other
sed -n 6p stdout | awk -F '\t' '{
	due = exp(-4) - exp(-9)
	exit !($2 == "z" && $4 - due < 1e-12 && due - $4 < 1e-12)
}'
ok $? 'the second class in byte order is +1'

# A delay, and batches, shift what is known.
known() {
	run 0 wsvmpath --online 50 --to 1 "$@" two
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
run 0 wsvmpath --online 40 --to 5 --forget 2 --batch 3 --delay 2 two
tail -1 stdout | cut -f 4 >got
# 100 rows; 97 were learnt, in batches of 3: 96 of them.
awk -F '\t' -v OFS='\t' 'NR == 1 { print $0, "C" }
	NR >= 58 && NR <= 97 {
		print $0, 5 * 2 / (1 + exp(2 - 4 * (NR - 57) / 40))
	}' two >window
awk 'NR == 1 || NR == 101' two >last
run 0 wsvmpath -y class --from C --to =C --gamma .25 --theta 1 --save-model model window
run 0 kpredict -m model --scores last
tail -1 stdout | cut -f 5 >due
echo x | cat - got >a
echo x | cat - due >b
near a b 1e-5
awk -F '\t' -v OFS='\t' -v OFMT=%.17g -v CONVFMT=%.17g 'NR == 1 { print $0, "C" }
	NR >= 58 && NR <= 97 {
		print $0, 5 * 2 / (1 + exp(2 - 4 * (NR - 57) / 40))
	}' two >window
run 0 wsvmpath -y class --from C --to =C --gamma .25 --theta 1 --save-model model window
run 0 kpredict -m model --scores last
tail -1 stdout | cut -f 5 >due
echo x | cat - due >b
near a b 1e-11

rm -f a b
# So are all others, with many rows at the same points and of either class.
for seed in 1 2 3; do
	awk -v seed=$seed "$uniform"'BEGIN {
		seed_uniform(seed)
		print "x\tz\tclass"
		for (i = 0; i < 60; i++)
			printf "%d\t%d\t%s\n", 3 * uniform(), 3 * uniform(),
			    uniform() < .5 ? "a" : "b"
	}' >grid
	for C in .3 10; do
		wsvmpath --online 20 --to $C --forget 2 grid >out
		for at in 25 38 52; do
			awk -F '\t' -v OFS='\t' -v OFMT=%.17g -v at=$at -v C=$C '
				NR == 1 { print $0, "C" }
				NR > at - 20 && NR <= at {
					u = (NR - at + 20) / 20
					print $0, C * 2 / (1 + exp(2 - 4 * u))
				}' grid >window
			wsvmpath -y class --from C --to =C --gamma .5 --theta 1 \
				--save-model model window >window.tsv
			awk -v at=$at 'NR == 1 || NR == at + 1' grid |
				kpredict -m model --scores | tail -1 | cut -f 5 >>b
			awk -F '\t' -v at=$at '$1 == at { print $4 }' out >>a
		done
	done
done
[ "$(wc -l <a)" -eq 18 ]
ok $? 'streams of ties'
near a b 1e-9
rm a b

run 0 wsvmpath --online 30 --to 10 two
mv stdout once
run 0 wsvmpath --online 30 --to 10 -j 3 --cache 1 two
cmp -s once stdout
ok $? 'the same bytes for any -j'
run 0 wsvmpath --online 30 --to 10 --forget 3 --batch 1 --delay 0 two
cmp -s once stdout
ok $? 'the defaults are these'
run 0 sh -c 'tr "\t" , <two | gzip | wsvmpath --online 30 --to 10'
cmp -s once stdout
ok $? 'gzip, commas'
paste once two | awk -F '\t' -v OFS='\t' 'NR == 1 { print "name", $0; next }
	{ print "r" NR, $0 }' | cut -f 1,6- >named
run 0 wsvmpath --online 30 --to 10 --id name named
cut -f 2- stdout >a
cut -f 2- once >b
cmp -s a b && [ "$(sed -n 2p stdout | cut -f 1)" = r2 ]
ok $? '--id'

# Rows without a target are predicted, and not learnt.
awk -F '\t' -v OFS='\t' 'NR == 31 { $NF = "" } 1' two >gap
run 0 wsvmpath --online 30 --to 10 gap
[ "$(sed -n 31p stdout | cut -f 2,4)" = "$(sed -n 31p once | cut -f 2,4)" ] &&
	[ "$(sed -n 31p stdout | cut -f 3)" = NA ]
ok $? 'an unknown target'
sed 31d two >without
run 0 wsvmpath --online 30 --to 10 without
cut -f 2- stdout >a
run 0 wsvmpath --online 30 --to 10 gap
sed 31d stdout | cut -f 2- >b
cmp -s a b
ok $? 'its row teaches nothing'
awk -F '\t' -v OFS='\t' 'NR == 31 { $1 = "NA" } 1' two >gap
run 0 wsvmpath --online 30 --to 10 --na omit gap
cut -f 2- stdout >b
cmp -s a b && [ "$(sed -n 31p stdout | cut -f 1)" = 31 ]
ok $? '--na omit leaves a row out, but counts it'

# Rows of features that weigh nothing do not matter.
cut -f 1,3,5 two >part
tabs 'feature weight' "$(sed 1q two | cut -f 1) 2" \
	"$(sed 1q two | cut -f 3) .5" >w
run 0 wsvmpath --online 30 --to 10 --gamma 1 -w w two
mv stdout a
awk -F '\t' -v OFS='\t' -v CONVFMT=%.17g 'NR > 1 { $1 *= sqrt(2); $2 *= sqrt(.5) } 1' \
	part >scaled
run 0 wsvmpath --online 30 --to 10 --gamma 1 scaled
near a stdout 1e-9

# Each row is answered before the next one comes.
mkfifo pipe
: >answers # there before it is looked at
wsvmpath --online 30 --to 10 <pipe >answers &
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
	wsvmpath --online 100 --to 10 >answers &
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
run 65 wsvmpath --online 5 --to 1 bad
out "$(tabs 'id predicted actual margin' '1 NA b NA' '2 NA a NA')$nl"
grep -q "^wsvmpath: bad:4: column \"class\": a third class: 'c' (one against" \
	stderr
ok $? 'a third class'
tabs 'x class' '0 b' 'y a' >bad
run 65 wsvmpath --online 5 --to 1 bad
err "wsvmpath: bad:3: column \"x\": not a number: 'y' (--id, --ignore, tabscale --onehot?)$nl"
tabs 'x class' '0 b' '? a' >bad
run 65 wsvmpath --online 5 --to 1 bad
err "wsvmpath: bad:3: column \"x\": missing: '?' (--na omit?)$nl"
tabs 'x class' '0 b' '1e200 a' >bad
run 65 wsvmpath --online 5 --to 1 --kernel linear bad
err "wsvmpath: bad:3: column \"x\": 1e+200 is beyond 1e150, where squares overflow (--na-string, tabscale?)$nl"
run 65 wsvmpath --online 5 --to 1 -y no two
err "wsvmpath: two:1: column \"no\": not found$nl"
run 65 wsvmpath --online 5 --to 1 --ignore 1:4 two
err "wsvmpath: two:1: no column beside the target and those left out$nl"
run 2 wsvmpath --online 5 --to 1 -x 5 two
err "wsvmpath: column \"class\" cannot be a feature: it has another role$nl$help"
tabs '(coef) class' '0 b' >bad
run 65 wsvmpath --online 5 --to 1 bad
err "wsvmpath: bad:1: column \"(coef)\": a reserved name$nl"
run 2 wsvmpath --online 5 --batch 6 --to 1 two
err "wsvmpath: --batch is more than the rows of --online$nl$help"
run 2 wsvmpath --online 5 --to class two
err "wsvmpath: --online: --to is a number from 0, C0 of the weights$nl$help"
run 2 wsvmpath --online 5 --to 1 --na mean two
err "wsvmpath: --na mean needs all rows, which are not there yet$nl$help"
run 65 wsvmpath --online 5 --to 1 -o new bad
[ ! -e new ]
ok $? 'no file is left of a stream that fails'

### --reweight

cut -d , -f 1-4 "$data/iris.csv" | tr , "$tab" >numbers
run 0 wsvmpath --task regress --epsilon .1 --from 2 --to 2 --print margin \
	--at 1 numbers
paste stdout numbers | awk -F '\t' -v OFS='\t' '
	NR == 1 { print $5, $6, $7, "C", $8; next }
	{
		n++
		row[n] = $5 OFS $6 OFS $7
		y[n] = $8
		e[n] = $8 - $4
		sum += e[n] * e[n]
	}
	END {
		sigma = sqrt(sum / n)
		for (i = 1; i <= n; i++) {
			a = e[i] < 0 ? -e[i] : e[i]
			a = a < sigma / 1000 ? sigma / 1000 : a
			printf "%s\t%.17g\t%s\n", row[i], 2 * sigma / a, y[i]
		}
	}' >weighted
run 0 wsvmpath --task regress --epsilon .1 --from 2 --to C --print margin \
	weighted
mv stdout due
run 0 wsvmpath --task regress --epsilon .1 --from 2 --reweight 1 -q \
	--print margin numbers
near stdout due 1e-8
run 0 wsvmpath --task regress --epsilon .1 --from 2 --reweight 1 --print coef \
	numbers
err "$(sed -n 1p stderr)$nl"
grep -q '^wsvmpath: warning: --reweight: errors still change by .* after 1 ro' \
	stderr
ok $? 'one round is not enough'
mv stdout coef
run 0 wsvmpath --task regress --epsilon .1 --from 2 --reweight 1 -q \
	--check coef numbers
run 0 wsvmpath --task regress --epsilon .1 --from 2 --reweight 200 --log log \
	numbers
err ''
awk -F '\t' '$1 == "rounds" { r = $2 } $1 == "change" { c = $2 }
	END { exit !(r > 2 && r < 200 && c <= 1e-3) }' log
ok $? 'it settles'
mv stdout once
run 0 wsvmpath --task regress --epsilon .1 --from 2 --reweight 200 -j 3 numbers
cmp -s once stdout
ok $? 'the same bytes for any -j'
run 2 wsvmpath --task regress --epsilon .1 --to 2 --reweight 5 numbers
run 2 wsvmpath --from 1 --reweight 5 two

### --task rank

tabs 'x z query y' '0 1 a 1' '1 1 a 0' '2 0 b 2' '0 2 b 1' '3 1 b 0' '1 0 c 1' \
	>items
run 0 wsvmpath --task rank --query query --from 1 --to relevance \
	--print coef items
err "wsvmpath: warning: 1 of 3 queries have no pair of rows of which one is better$nl"
awk -F '\t' '$2 == 0 && $3 ~ />/ { print $3 }' stdout >got
tabs '1>2' '3>4' '4>5' | cmp -s - got
ok $? 'pairs of rows'
mv stdout coef
run 0 wsvmpath --task rank --query query --from 1 --to relevance \
	--check coef -q items
run 0 wsvmpath --task rank --query query --from 1 --to relevance -q \
	--theta 1 --save-model model --print margin --at 1 items
cut -f 4 stdout >a
run 0 kpredict -m model items
cut -f 2 stdout >b
sed -i 1d a
sed -i 1d b
near a b 1e-12
run 0 wsvmpath --task rank --ignore query --from 1 --to 3 --print coef \
	--at 0 items
grep -q '6>2' stdout
ok $? 'without --query, all rows are one'
awk -F '\t' -v OFS='\t' 'NR > 1 { $4 = 1 } 1' items >flat
run 65 wsvmpath --task rank --query query --from 1 --to 2 flat
err "wsvmpath: flat: no query has two rows of which one is better$nl"
out ''
awk -F '\t' -v OFS='\t' 'NR == 3 { $3 = "" } 1' items >gap
run 65 wsvmpath --task rank --query query --from 1 --to 2 gap
err "wsvmpath: gap: row 2: column \"query\": missing$nl"
run 65 wsvmpath --task rank --query query --from 1 --to better items
err "wsvmpath: items:1: column \"better\": not found$nl"
# Weights of queries: those of query a weigh 3, of b 1, of c 2.
awk -F '\t' -v OFS='\t' '{ w["a"] = 3; w["b"] = 1; w["c"] = 2
	print $0, (NR == 1 ? "w" : w[$3]) }' items >heavy
for to in w relevance difference; do
	run 0 wsvmpath -q --task rank -y y --query query --from w --to $to \
		--print coef heavy
	mv stdout path
	run 0 wsvmpath -q --task rank -y y --query query --from w --to $to \
		--check path heavy
done
run 0 wsvmpath -q --task rank -y y --query query --gamma .5 --from 0 --to w --theta 1 \
	--save-model model heavy
run 0 kpredict -m model heavy
cut -f 1,2 stdout >a
# The same as each query once, its rows weight times: without a ridge.
awk -F '\t' 'NR == 1 { print; next }
	{ for (i = 1; i <= $5; i++) print $1 "\t" $2 "\t" $3 i "\t" $4 "\t" 1 }' \
	heavy >copies
run 0 wsvmpath -q --task rank -y y --query query --ignore w --gamma .5 --ridge 0 --from 0 \
	--to 1 --theta 1 --save-model model copies
run 0 kpredict -m model heavy
cut -f 1,2 stdout >b
sed -i 1d a
sed -i 1d b
near a b 1e-4 'a query of weight 3 is three queries'
awk -F '\t' -v OFS='\t' 'NR == 4 { $5 = 2 } 1' heavy >other
run 65 wsvmpath --task rank -y y --query query --from w --to 2 other
err "wsvmpath: other: row 4: column \"w\": 1, though its query weighs 2 in row 3$nl"

# Costs of queries in the mean NDCG: query b alone; and b twice.
rank='--task rank -y y --query query --from 1 --to relevance' # words
awk -F , 'NR == 1 { print "x\tz\tquery\ty\tc" }
	NR > 1 && NR % 4 == 0 { q = substr("abc", NR % 3 + 1, 1)
		print $1 "\t" $2 "\t" q "\t" int($3 * 7) % 3 "\t" (q == "b") }' \
	"$data/iris.csv" >costs
awk -F '\t' 'NR == 1 || $3 == "b"' costs >only
for file in costs only; do
	# shellcheck disable=SC2086 # words
	run 0 wsvmpath -q $rank --instance-weight c --validate $file costs
	cut -f 1,2,4 stdout >"$file.ndcg"
done
cmp -s costs.ndcg only.ndcg
ok $? 'a query of cost 0 does not count'
awk -F '\t' -v OFS='\t' 'NR > 1 { $5 += 1 } 1' costs >costs2
awk -F '\t' -v OFS='\t' '{ print } NR > 1 && $3 == "b" {
	$3 = "b2"; twin[++n] = $0 } END { for (i = 1; i <= n; i++) print twin[i] }' \
	costs >copies
# shellcheck disable=SC2086 # words
run 0 wsvmpath -q $rank --instance-weight c --validate costs2 costs2
cut -f 4 stdout >a
# shellcheck disable=SC2086 # words
run 0 wsvmpath -q $rank --ignore c --validate copies costs
cut -f 4 stdout >b
sed -i 1d a
sed -i 1d b
near a b 1e-12 'a query of cost 2 is two queries'
awk -F '\t' -v OFS='\t' 'NR == 6 { $5 = 3 } 1' costs >uneven
# shellcheck disable=SC2086 # words
run 65 wsvmpath -q $rank --instance-weight c --validate uneven costs
err "wsvmpath: uneven: row 5: column \"c\": 3, though another row of its query costs 0$nl"

### --task transduce

awk -F '\t' -v OFS='\t' 'NR > 1 && NR % 5 { $5 = "" } 1' two >few
run 0 wsvmpath --task transduce --from 10 --to 10 --save-model model few
err ''
paste stdout two | awk -F '\t' 'NR > 1 {
		wrong += $2 != $9
		known += $3 != "NA"
		other += $3 != "NA" && $3 != $9
	}
	END { exit !(NR == 101 && known == 20 && other == 0 && wrong <= 10) }'
ok $? 'all rows, few of them wrong'
[ "$(sed 1q stdout)" = "$(tabs 'id predicted actual margin')" ]
ok $? 'header'
awk -F '\t' '$3 != "NA" { n += NR > 1; p += $3 == "virginica" }
	$3 == "NA" { k++; q += $2 == "virginica" }
	END { exit q != int(p / n * k + .5) }' stdout
ok $? 'as many are +1 as the others say'
mv stdout once
cut -f 4 once | sed 1d >a
run 0 kpredict -m model --scores few
cut -f 5 stdout | sed 1d >b
near a b 1e-11
run 0 wsvmpath --task transduce --from 10 --to 10 -j 3 few
cmp -s once stdout
ok $? 'the same bytes for any -j'
run 0 wsvmpath --task transduce --gamma .25 --from 10 --to 0 few
cut -f 4 stdout | sed 1d >a
awk -F '\t' 'NR == 1 || $5 != ""' few >labelled
run 0 wsvmpath --gamma .25 --from 10 --to 10 --theta 1 --save-model model labelled
run 0 kpredict -m model --scores few
cut -f 5 stdout | sed 1d >b
near a b 1e-11
tabs 'x class' '0 n' '9 p' '1 ' '2 ' '3 ' >half
run 0 wsvmpath --task transduce --from 1 --to 1 half
cut -f 1,2 stdout >got
tabs 'id predicted' '1 n' '2 p' '3 n' '4 p' '5 p' | cmp -s - got
ok $? 'half a row counts'
tabs 'x class' '9 p' '0 n' '1 ' '2 ' '3 ' >half.other
run 0 wsvmpath --task transduce --from 1 --to 1 half.other
cut -f 1,2 stdout >got
tabs 'id predicted' '1 p' '2 n' '3 n' '4 p' '5 p' | cmp -s - got
ok $? 'whichever class comes first'
for share in 0 .2 .5 1; do
	run 0 wsvmpath --task transduce --from 1 --to 1 --positive $share few
	got=$(awk -F '\t' '$3 == "NA" && $2 == "virginica"' stdout | wc -l)
	[ "$got" -eq "$(awk "BEGIN { print 80 * $share }")" ]
	ok $? "--positive $share: $got of 80"
done
run 0 wsvmpath --task transduce --from 1 --to 1 --positive .5 -v few
grep -q '40 taken for +1' stderr
ok $? 'and -v says so'
run 0 wsvmpath --task transduce --from 1 --to 1 --positive .1666 half
[ "$(awk '$3 == "NA" && $2 == "p"' stdout | wc -l)" -eq 0 ]
ok $? 'less than half a row does not count'
run 0 wsvmpath --task transduce --from 1 --to 1 --positive .1667 half
[ "$(awk '$3 == "NA" && $2 == "p"' stdout | wc -l)" -eq 1 ]
ok $? 'half a row counts'
run 2 wsvmpath --task transduce --from 1 --to 1 --positive 1.1 few
run 0 wsvmpath --from 1 --to 1 --positive .5 two
err "wsvmpath: warning: --positive is not used with this --task$nl"
run 65 wsvmpath --task transduce --from 1 --to 1 two
err "wsvmpath: two: no row has an empty \"class\"$nl"
awk -F '\t' 'NR == 1 || $5 != "virginica"' few >one
run 65 wsvmpath --task transduce --from 1 --to 1 one
err "wsvmpath: one: 1 class, two expected (rows without one have an empty \"class\")$nl"
run 2 wsvmpath --task transduce --from x --to 1 few
err "wsvmpath: --task transduce: --from and --to are numbers from 0$nl$help"

### The data of the paper

need_shared data/nasdaq_rdp2515.csv.gz data/boston.csv data/mq2008.csv.gz \
	data/spambase.csv.gz
shared=$shared/data
run 0 wsvmpath --online 250 --to 10 --delay 5 "$shared/nasdaq_rdp2515.csv.gz"
awk -F '\t' '$2 != "NA" { n++; wrong += $2 != $3 }
	END { exit !(NR == 2516 && n == 2507 && wrong / n < .5) }' stdout
ok $? 'NASDAQ: all rows, and better than a coin'
tabscale --method minmax --range=-1:1 "$shared/boston.csv" >boston
run 0 wsvmpath --task regress --epsilon .05 --from 10 --reweight 100 -q \
	--log log boston
awk -F '\t' '$1 == "reweight" { exit $2 != "settled" }' log
ok $? 'Boston: it settles'
gzip -dc "$shared/mq2008.csv.gz" | awk -F , 'NR == 1 || $48 == 1' >mq1
gzip -dc "$shared/mq2008.csv.gz" | awk -F , 'NR == 1 || $48 == 2' >mq2
run 0 wsvmpath -q --task rank --query qid --ignore part --gamma .02 --from .01 \
	--to relevance --validate mq2 --best --log log mq1
awk -F '\t' '$1 == "theta" { theta = $2 } $1 == "ndcg@10" { ndcg = $2 }
	END { exit !(theta > 0 && theta < 1 && ndcg > .47) }' log
ok $? 'MQ2008: the best theta lies inside'
if [ -z "${KITH_LONG:-}" ]; then # it takes seconds
	done_testing
	exit
fi
gzip -dc "$shared/spambase.csv.gz" |
	awk -F , -v OFS=, 'NR > 1 && NR % 10 != 3 { $58 = "" } 1' |
	tabscale --method minmax >spam
run 0 wsvmpath --task transduce --from 10 --to 10 spam
gzip -dc "$shared/spambase.csv.gz" | cut -d , -f 58 | paste stdout - |
	awk -F '\t' '$3 == "NA" { n++; wrong += $2 != $5 }
	END { exit !(n == 4141 && wrong / n < .2) }'
ok $? 'spam: 4141 rows without label, less than 20 % wrong'

done_testing
