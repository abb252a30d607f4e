#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tabfold: which rows it prints or writes, how, and how it fails.
. "${0%/*}/tap.sh"

# body ARG...: the rows it prints, without the header.
body() { tabfold "$@" | sed 1d; }

# Tests and trainings of five folds, for several seeds: each row is in one test, and in
# the four other trainings; tests are in the order of the table, and their sizes and
# those of their classes differ by one row at most.
for seed in 1 2 99; do
	for table in iris wdbc wine; do
		file=$data/$table.csv
		parts=
		for i in 1 2 3 4 5; do
			tabfold --fold $i/5 --seed $seed --write train.$i,test.$i "$file"
			parts="$parts train.$i test.$i"
		done
		# shellcheck disable=SC2086 # names
		awk -F '\t' '
		function even(n, all) { return int(all / 5) <= n && n <= int((all + 4) / 5) }
		FNR == 1 { file++; part = int(file / 2); at = 0; next }
		file == 1 { gsub(/,/, "\t"); row[++size] = $0; copies[$0]++; all[$NF]++; next }
		{ seen[part, $0]++ }
		file % 2 {
			do at++; while (at <= size && row[at] != $0)
			bad = bad || at > size
			n[part]++
			class[part, $NF]++
			tested[$0]++
		}
		END {
			for (i = 1; i <= 5; i++) {
				bad = bad || !even(n[i], size)
				for (c in all)
					bad = bad || !even(class[i, c], all[c])
				for (r in copies)
					bad = bad || seen[i, r] != copies[r]
			}
			for (r in copies)
				bad = bad || tested[r] != copies[r]
			exit bad || size < 100 || file != 11
		}' "$file" $parts
		ok $? "$table, seed $seed: parts are disjoint, complete, in order and even"
	done
done

# The same seed gives the same rows, another one others.
run 0 tabfold --fold 1/3 --part test "$data/iris.csv"
mv stdout once
run 0 tabfold --fold 1/3 --part test --seed 1 "$data/iris.csv"
cmp -s stdout once
ok $? 'seed 1 is the default'
run 0 tabfold --fold 1/3 --part test --seed 2 "$data/iris.csv"
cmp -s stdout once
ok $((!$?)) 'another seed, other rows'
tabfold -n 3 --no-stratify "$data/iris.csv" >due
run 0 tabfold -n 3 -y none "$data/iris.csv"
cmp -s due stdout
ok $? '-y none: parts without classes'
run 0 tabfold --fold 1/3 --part test --no-stratify "$data/iris.csv"
cmp -s stdout once
ok $((!$?)) 'without classes, other rows'
mv stdout plain
cut -d , -f 1-4 "$data/iris.csv" >numbers
run 0 tabfold --fold 1/3 --part test --task regress numbers
cut -f 1-4 plain | cmp -s - stdout
ok $? 'numbers are dealt as rows without classes'

# Shares.
awk 'BEGIN { print "id\ty"; for (i = 1; i <= 400; i++) print i "\t" i % 2 }' >t
for i in 1 2 3; do body --shares 2:1:1 --part $i t >"part$i"; done
[ "$(wc -l <part1) $(wc -l <part2) $(wc -l <part3)" = '200 100 100' ]
ok $? '2:1:1 of 400 rows'
sort -n part1 part2 part3 >all
sed 1d t | cmp -s - all
ok $? 'the parts are disjoint and complete'
body --shares 1:1 --part 2 t >half
body --fold 2/2 --part test t | cmp -s - half
ok $? 'equal shares are folds'
body --shares 7:7 --part 2 t | cmp -s - half
ok $? 'whatever they are'

# The folds of knnclf.
awk 'BEGIN { print "x\ty"; for (i = 1; i <= 400; i++)
	print i * i % 397 "\t" (i * i % 397 + 40 * (i % 7) > 250) }' >k
run 0 knnclf --cv 4 --seed 5 -k 1 k
cut -f 3 stdout | sed 1d >due
for i in 1 2 3 4; do
	tabfold --fold $i/4 --seed 5 --part train k >train.tsv
	tabfold --fold $i/4 --seed 5 --part test k | knnclf -t train.tsv -k 1 |
		awk -F '\t' 'NR > 1 && $2 != $3'
done | wc -l | tr -d ' ' | cmp -s due -
ok $? 'they are those of knnclf --cv'

# Cells stay as they are.
printf 'a;"b ""x""";y\n1.50;"?";p\n;" z";p\n"NA";NA;"p"\n' >cells
run 0 tabfold --shares 1:1 --part 1 --no-stratify cells
mv stdout one
run 0 tabfold --shares 1:1 --part 2 --no-stratify cells
sed 1d stdout | cat one - | sort >got
printf 'a\t"b ""x"""\ty\n1.50\t"?"\tp\n\t" z"\tp\n"NA"\tNA\tp\n' | sort | cmp -s - got
ok $? 'quotes stay where they matter, missing cells as they were'
printf '1,2\n3,4\n' >raw
run 0 sh -c 'tabfold -H --fold 1/2 --part test --no-stratify raw
	tabfold -H --fold 1/2 --part train --no-stratify raw | sed 1d'
sort stdout >got
printf '1\t2\n3\t4\nV1\tV2\n' | cmp -s - got
ok $? 'without a header the names are V1 and V2'
printf 'y\nb\na\n' >single
run 0 tabfold --fold 1/2 --part train single
out "y${nl}b${nl}"
run 0 tabfold --fold 2/2 --part train single
out "y${nl}a${nl}"

# The target chooses what is spread.
awk 'BEGIN { print "c,x"; for (i = 0; i < 40; i++) print (i < 4 ? "rare" : "often") "," i }' >front
for i in 1 2 3 4; do tabfold -y c --fold $i/4 --part test front; done |
	grep -c rare >got
for i in 1 2 3 4; do
	tabfold -y 1 --fold $i/4 --part test front | grep -c rare
done | uniq >each
[ "$(cat got) $(cat each)" = '4 1' ]
ok $? 'a rare class is in each part'

# Pipes, gzip, several files, -o, -v.
run 0 tabfold --fold 2/5 --part test "$data/iris.csv"
mv stdout once
gzip -c "$data/iris.csv" >iris.gz
run 0 sh -c 'cat iris.gz | tabfold --fold 2/5 --part test'
cmp -s stdout once
ok $? 'gzip on a pipe'
head -60 "$data/iris.csv" >i1
sed 2,60d "$data/iris.csv" >i2
run 0 tabfold --fold 2/5 --part test i1 i2
cmp -s stdout once
ok $? 'two operands are one table'
logged 0 tabfold --fold 2/5 --part test -o got "$data/iris.csv"
out ''
cmp -s got once
ok $? '-o'
grep -qx "rows${tab}150" log && grep -qx "printed${tab}30" log
ok $? '-v counts rows'
run 74 sh -c "tabfold --fold 2/5 --part test '$data/iris.csv' >/dev/full"
err "tabfold: <stdout>: No space left on device$nl"
run 74 sh -c "tabfold --fold 2/5 --part test '$data/iris.csv' >&-"

# Bad tables.
refuse_file 'a,y\n1,p\n2,\n' ":3: column \"y\": missing: ''" --fold 1/2 --part test
refuse_file 'a,y\n1,5\n2,NA\n' ":3: column \"y\": missing: 'NA'" \
	--fold 1/2 --part test --task regress
refuse_file 'a,y\n1,5\n2,x\n' ":3: column \"y\": not a number: 'x'" \
	--fold 1/2 --part test --task regress
refuse_file 'a,y\n1,p\n' ': 2 parts of only 1 rows' --fold 1/2 --part train
refuse_file 'a,y\n1,p\n2,p\n3,q\n' ': part 2 gets none of the 3 rows' \
	--shares 9:1 --part 2
refuse_file 'a,y\n1,p\n' ':1: column "z": not found' -y z --fold 1/2 --part test
refuse_file 'a,y\n1\n' ':2: 1 cells where the header has 2' --fold 1/2 --part test
refuse_file 'a,y\n' ': no row below the header' --fold 1/2 --part test
refuse_file '' ': empty input' --fold 1/2 --part test
refuse_file 'a,a\n1,2\n' ':1: column "a": two of that name (-H/--no-header?)' \
	--fold 1/2 --part test
run 66 tabfold --fold 1/2 --part test nowhere
err "tabfold: nowhere: No such file or directory$nl"
printf 'a,y\n1,\n2,NA\n' >open
run 0 tabfold --no-stratify --fold 1/2 --part test open
err ''
run 0 tabfold --no-stratify --fold 1/2 --part test -y z open
err "tabfold: warning: --target is not used with --no-stratify$nl"

# Wrong calls.
for other in '--fold 1/2' '--bootstrap 1' '-n 3'; do
	# shellcheck disable=SC2086 # words
	misuse '--parts, --fold, --shares and --bootstrap exclude each other' $other --shares 1:1 t
done
misuse "bad -n: '1' (a whole number from 2)" -n 1 t
misuse "bad --bootstrap: '0' (a whole number from 1)" --bootstrap 0 t
misuse "bad --fold: '3/2' (I/N with I from 1 to N)" --fold 3/2 --part test t
misuse "bad --fold: '0/2' (I/N with I from 1 to N)" --fold 0/2 --part test t
misuse "bad --fold: '1/1' (at least two parts)" --fold 1/1 --part test t
misuse 'missing --part: train or test' --fold 1/2 t
misuse 'missing --part: its number' --shares 1:2 t
misuse "bad --part: '1' (train or test)" --fold 1/2 --part 1 t
misuse "bad --part: 'test' (a whole number from 1 to 2)" \
	--shares 1:2 --part test t
misuse "bad --part: '3' (a whole number from 1 to 2)" --shares 1:2 --part 3 t
misuse "bad --shares: '1' (at least two parts)" --shares 1 --part 1 t
for shares in '' 0:1 1: :1 1.5:1 -1:1 1::1 a:b; do
	misuse "bad --shares: '$shares' (whole numbers from 1, divided by ':')" \
		--shares "$shares" --part 1 t
done
misuse 'bad --shares: they add up to more than 1000000000' \
	--shares 1000000000:1 --part 1 t
run 0 tabfold --shares 999999999:1 --part 1 t
misuse 'standard input named twice (give the rows as operand FILE)' \
	--fold 1/2 --part test - -

# Groups stay together, whatever the order of the rows.
tabs 'x y g' '1 a p' '2 a q' '3 b p' '4 b r' '5 a r' '6 b q' >groups
run 0 tabfold --fold 1/3 --part test --group g groups
[ "$(sed 1d stdout | cut -f 3 | sort -u | wc -l)" -eq 1 ] && [ "$(wc -l <stdout)" -eq 3 ]
ok $? 'a part has whole groups'
sort stdout >due
{ sed -n 1p groups; sed 1d groups | sort -r; } | tabfold --fold 1/3 --part test --group g | sort | cmp -s due -
ok $? 'the order of the rows does not matter'
refuse 'groups: 4 parts of only 3 groups' --fold 1/4 --part test --group g groups
refuse 'groups:1: column "h": not found' --fold 1/3 --part test --group h groups
misuse '--group is with --parts, --fold or --bootstrap, and without --order' --shares 1:1 --group g groups
run 0 tabfold -n 3 --group g groups
awk -F '\t' 'NR > 1 { if (part[$3] && part[$3] != $4) bad = 1; part[$3] = $4; n[$4]++ }
	END { exit bad || length(n) != 3 }' stdout
ok $? 'the column has whole groups'

# A table alone: the numbers of five parts; each part is that of --fold.
run 0 tabfold "$data/iris.csv"
cp stdout folds
[ "$(sed -n 1p folds)" = "$(tabs 'sepal_length sepal_width petal_length petal_width class fold')" ]
ok $? 'a column fold'
for i in 1 2 3 4 5; do
	tabfold --fold $i/5 --part test "$data/iris.csv" | sed 1d >due
	awk -F '\t' -v OFS='\t' -v i=$i '$NF == i { NF--; print }' folds | cmp -s - due
	ok $? "rows of number $i are the test of --fold $i/5"
done
run 0 tabfold -n 7 --seed 3 "$data/iris.csv"
awk -F '\t' -v OFS='\t' '$NF == 7 { NF--; print }' stdout >got
tabfold --fold 7/7 --seed 3 --part test "$data/iris.csv" | sed 1d | cmp -s got -
ok $? 'N and the seed count'
refuse_file 'fold,y\n1,p\n2,q\n' ':1: column "fold": the output would have this name twice' -n 2
run 0 tabfold -n 2 --write one,two bad
[ "$(sed -n 1p one)" = "fold${tab}y" ]
ok $? 'which is no matter where parts are written'

# All parts in one call.
run 0 tabfold --shares 2:1:1 --write one,two,three.csv t
out ''
for i in 1 2 3; do
	tabfold --shares 2:1:1 --part $i t | cmp -s - "$(echo one two three.csv | cut -d ' ' -f $i)"
	ok $? "--write writes part $i"
done
run 0 tabfold --fold 2/5 --write train,test --csv "$data/iris.csv"
tabfold --fold 2/5 --part train --csv "$data/iris.csv" | cmp -s - train &&
	tabfold --fold 2/5 --part test --csv "$data/iris.csv" | cmp -s - test
ok $? 'training and test rows, as CSV'
rm -f one two
for files in one,nowhere/two nowhere/one,two; do
	run 74 tabfold -n 2 --write $files t
	[ ! -e one ] && [ ! -e two ]
	ok $? 'all or none appear'
done
misuse 'bad --write: 2 files for 3 parts' --shares 1:1:1 --write one,two t
misuse 'bad --write: 1 file for 2 parts' --fold 1/3 --write one t
misuse '--write and --write are the same file' -n 2 --write one,./one t
misuse '--write and --part exclude each other' --fold 1/3 --part test --write one,two t
misuse '--write and --output exclude each other' --fold 1/3 -o x --write one,two t

# A bootstrap sample: as many rows, each as often as it is drawn, and the others.
for i in 1 2; do
	run 0 tabfold --bootstrap $i t
	cp stdout sample.$i
	[ "$(wc -l <sample.$i)" -eq 401 ]
	ok $? 'as many rows'
	tabfold --bootstrap $i --part test t >out
	{ sed 1d sample.$i; sed 1d out; } | sort -u >got
	sed 1d t | sort | cmp -s - got
	ok $? 'with those not drawn all rows'
	awk 'NR == FNR { seen[$0] = 1; next } FNR > 1 && $0 in seen { exit 1 }' sample.$i out
	ok $? 'of which none is drawn'
	share=$(awk 'END { print (NR - 1) / 400 }' out)
	awk -v s="$share" 'BEGIN { exit !(s > .3 && s < .43) }'
	ok $? "about 1 / e are not drawn: $share"
done
cmp -s sample.1 sample.2
ok $((!$?)) 'another number, another sample'
tabfold --bootstrap 1 --seed 2 t | cmp -s - sample.1
ok $((!$?)) 'another seed, another sample'
run 0 tabfold --bootstrap 3 --group g groups
awk -F '\t' 'NR > 1 { n[$3, $1]++; g[$3] } END { for (i in g) { k = ""
	for (j in n) { split(j, at, SUBSEP); if (at[1] == i) { if (k != "" && n[j] != k) exit 1; k = n[j] } } } }' stdout
ok $? 'groups are drawn as a whole'

# Blocks in the order of a column: the training rows come before the test.
tabs 'x y' '3 c' '1 a' '2 b' '2 b' '5 e' '4 d' >series
run 0 tabfold --fold 1/2 --order x --part train series
table 'x y' '1 a' '2 b' '2 b'
run 0 tabfold --fold 1/2 --order x --part test series
table 'x y' '3 c'
run 0 tabfold --fold 2/2 --order x --part train --embargo 2 series
table 'x y' '1 a' '2 b'
run 0 tabfold -n 2 --order x series
table 'x y fold' '3 c 1' '1 a 0' '2 b 0' '2 b 0' '5 e 2' '4 d 2'
run 0 tabfold -n 2 --order x --write one,two series
[ "$(cut -f 1 one two | tr '\n' ' ')" = 'x 3 x 5 4 ' ]
ok $? 'files of both tests'
refuse 'series: 5 + 1 blocks of only 5 different values (--order)' --fold 1/5 --part test --order x series
refuse 'series: --embargo 3 leaves no row before block 2' --fold 1/2 --part test --order x --embargo 3 series
# Texts, such as dates, are in byte order; the first row says whether there are texts or numbers.
tabs 'day y' '2024-05-31 c' '2024-04-01 a' '2024-04-09 b' '2024-04-09 b' '2024-12-01 e' '2024-11-30 d' >days
run 0 tabfold -n 2 --order day days
table 'day y fold' '2024-05-31 c 1' '2024-04-01 a 0' '2024-04-09 b 0' '2024-04-09 b 0' '2024-12-01 e 2' \
	'2024-11-30 d 2'
tabs 'x y' '3 c' 'b a' >mixed
tabs 'x y' 'b a' '3 c' >mixed2
tabs 'x y' 'b a' 'NA c' >missing
refuse "mixed:3: column \"x\": not a number: 'b' (--order)" --fold 1/2 --part test --order x mixed
refuse "mixed2:3: column \"x\": a number in a column of text: '3' (--order)" --fold 1/2 --part test --order x mixed2
refuse "missing:3: column \"x\": missing: 'NA'" --fold 1/2 --part test --order x missing
misuse '--order is with --parts or --fold' --shares 1:1 --order x series
run 0 tabfold --fold 1/2 --part test --embargo 2 series
err "tabfold: warning: --embargo is not used without --order$nl"
done_testing
