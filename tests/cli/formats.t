#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Formats of input: the same output as from the same table as CSV, in every
# command; cells that are missing; files that are no table.
. "${0%/*}/tap.sh"

# bytes N...: these bytes, octal.
bytes() {
	for byte in "$@"; do
		# shellcheck disable=SC2059 # a format
		printf "\\$byte"
	done
}

# npy DESCR SHAPE [ORDER]: the start of a .npy file.
npy() {
	head="{'descr': $1, 'fortran_order': ${3:-False}, 'shape': $2, }"
	bytes 223
	printf 'NUMPY'
	bytes 1 0 "$(printf %o "${#head}")" 0
	printf %s "$head"
}

# Whole numbers of one byte: the table as CSV, TSV and in every other format.
awk -v OFS=, 'BEGIN {
	print "V1,V2,V3,label"
	for (i = 0; i < 60; i++)
		print (i * 7) % 23 + i % 3 * 20, (i * i) % 31, (i * 5) % 17 * (i % 4 > 0), i % 3
}' >t.csv
sed '1s/label/V4/' t.csv >v.csv
sed 1d t.csv >bare.csv
n=$(wc -l <bare.csv)
# shellcheck disable=SC2046 # words
{
	npy "'|u1'" "($n, 4)"
	bytes $(tr , '\n' <bare.csv | awk '{ printf "%o ", $1 }')
} >t.npy
# shellcheck disable=SC2046 # words
{
	npy "'|i1'" "($n, 4)" True
	for c in 1 2 3 4; do
		bytes $(cut -d, -f$c bare.csv | awk '{ printf "%o ", $1 }')
	done
} >f.npy
# shellcheck disable=SC2046 # words
{
	npy "[('V1', '|u1'), ('V2', '<u2'), ('V3', '>i2'), ('label', '|i1')]" "($n,)"
	bytes $(awk -F, '{ printf "%o %o 0 0 %o %o ", $1, $2, $3, $4 }' bare.csv)
} >s.npy
{
	echo '%%MatrixMarket matrix array integer general'
	echo "$n 4"
	for c in 1 2 3 4; do
		cut -d, -f$c bare.csv
	done
} >a.mtx
awk -F, -v n="$n" '{ for (j = 1; j <= 4; j++) if ($j) e[++m] = NR " " j " " $j }
	END {
		print "%%MatrixMarket matrix coordinate real general\n%"
		print n, 4, m
		for (i = m; i > 0; i--) print e[i]
	}' bare.csv >c.mtx
awk -F, '{
	printf "%s", $4
	for (j = 1; j < 4; j++) if ($j) printf " %d:%s", j, $j
	print ""
}' bare.csv >t.svm

# alike CSV FILE COMMAND [ARG]...: the file says the same: plain, piped, gzip.
alike() {
	csv=$1 file=$2
	shift 2
	"$@" "$csv" >due 2>due.err
	due=$?
	"$@" "$file" >got 2>got.err
	[ $? -eq $due ] && cmp -s due got && [ -s due ]
	ok $? "$*, $file"
	"$@" <"$file" >got 2>got.err
	[ $? -eq $due ] && cmp -s due got
	ok $? 'on standard input'
	gzip -c "$file" | "$@" >got 2>got.err
	[ $? -eq $due ] && cmp -s due got
	ok $? 'as gzip through a pipe'
}

for file in t.npy f.npy a.mtx c.mtx; do
	alike v.csv "$file" tabscale
	alike v.csv "$file" knnclf --loo -k 1,3
	alike v.csv "$file" relief -k 4
done
alike t.csv s.npy tabscale
alike t.csv s.npy knnclf --loo -k 1,3 -y label
alike t.csv s.npy relief -k 4
tabscale t.csv >due
awk -v OFS='\t' '{ $0 = $NF OFS $0; sub(/\t[^\t]*$/, "") } 1' due >label_first
mv label_first due
run 0 tabscale --format svmlight t.svm
cmp due stdout
ok $? 'svmlight'
run 0 sh -c 'gzip -c t.svm | tabscale --format svmlight'
cmp due stdout
ok $? 'as gzip through a pipe'
alike v.csv t.npy tabfold --fold 2/3 --part test
alike v.csv t.npy tabratio --test c.mtx -y V4
alike v.csv c.mtx sqpfw --theta .1
alike v.csv f.npy immigrate --max-iter 3
alike v.csv t.npy knife --lambda2 .1
alike v.csv t.npy nnkgraph -y V4 -k 5 -x !V2
sed 1d v.csv | awk -F, '$4 < 2' >two
# shellcheck disable=SC2046 # words
{
	npy "'|u1'" "($(wc -l <two), 4)"
	bytes $(tr , '\n' <two | awk '{ printf "%o ", $1 }')
} >two.npy
sed '1i V1,V2,V3,V4' two >two.csv
alike two.csv two.npy wsvmpath --print events --from .1 --to 1
alike two.csv two.npy svmonline --window 10 -C 1

# Rows are predicted as they come.
mkfifo slow
{
	head -c 150 two.npy
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(wc -l <got)" -gt 5 ] && break
		sleep 1
	done
	wc -l <got >early
	tail -c +151 two.npy
} >slow &
: >got
timeout 60 svmonline --window 10 -C 1 <slow >got
ok $? 'rows that come slowly'
wait
[ "$(cat early)" -gt 5 ] && [ "$(cat early)" -lt "$(wc -l <got)" ]
ok $? 'are predicted before the last are there'
svmonline --window 10 -C 1 two.csv | cmp -s - got
ok $? 'as those of a file'

# References, in another format than the rows; rows without the target, whose
# columns are those of the reference by their places.
run 0 knnclf -t v.csv v.csv
cp stdout due
for train in v.csv t.npy c.mtx; do
	for test in v.csv f.npy a.mtx; do
		knnclf -t $train $test | cmp -s - due
		ok $? "knnclf -t $train $test"
	done
done
knnclf -t t.csv -y label s.npy | cmp -s - due
ok $? 'fields have names'
cut -d, -f1-3 v.csv >ask.csv
# shellcheck disable=SC2046 # words
{
	npy "'|u1'" "($n, 3)"
	bytes $(sed 1d ask.csv | tr , '\n' | awk '{ printf "%o ", $1 }')
} >ask.npy
run 0 knnclf -t t.npy ask.csv
cp stdout due
knnclf -t t.npy ask.npy | cmp -s - due
ok $? 'rows without the target'
sed 1d v.csv | cut -d, -f2-4 | sed '1i V2,V3,V4' >ask.csv
sed 1d ask.csv >ask
# shellcheck disable=SC2046 # words
{
	npy "'|u1'" "($n, 3)"
	bytes $(tr , '\n' <ask | awk '{ printf "%o ", $1 }')
} >ask2.npy
knnclf -q -y 1 -t t.npy ask2.npy >got
knnclf -q -y 1 -t v.csv ask.csv | cmp -s - got
ok $? 'whose place is where the reference has it'
run 65 knnclf -t t.csv s.npy -y V1 --id x
err "knnclf: s.npy: column \"x\": not found$nl"
sed 's/V3/x/' v.csv >x.csv
run 65 knnclf -t x.csv t.npy
err "knnclf: t.npy: column \"x\": not found$nl"
knnclf -t - v.csv <t.npy >got
ok $? 'a reference on standard input'
knnclf -t v.csv v.csv | cmp -s - got
ok $? 'says the same'

# Several operands; the same once more through standard input.
run 0 tabscale --method none v.csv v.csv
cp stdout due
for two in 't.npy c.mtx' 'v.csv f.npy' 'a.mtx v.csv' '- t.npy'; do
	# shellcheck disable=SC2086 # two files
	tabscale --method none $two <v.csv | cmp -s - due
	ok $? "operands $two"
done
for i in 1 2 3; do
	knnclf -t t.npy --shard $i/3 c.mtx
done | awk 'NR == 1 || !/^id/' >got
knnclf -t v.csv v.csv | cmp -s - got
ok $? 'shards'
run 65 tabscale t.npy two.npy s.npy
err "tabscale: s.npy: the columns differ from those of t.npy$nl"

# svmlight: what the file does not name is 0 where a reference names it.
printf '1 1:1 4:2\n0 1:3\n' >train.svm
printf '0 1:3\n1 1:-1\n' >test.svm
run 0 tabscale --format svmlight --method none --save z train.svm
run 0 tabscale --format svmlight --apply z test.svm
table 'label V1 V2 V3 V4' '0 3 0 0 0' '1 -1 0 0 0'
run 65 knnclf --loo train.svm
err "knnclf: train.svm:1: LABEL INDEX:VALUE ... (tabscale --format svmlight?)$nl"
run 65 tabscale --format svmlight test.svm train.svm
err "tabscale: train.svm: the columns differ from those of test.svm (first the file with most of them?)$nl"
run 2 tabscale --format arff train.svm
grep -q "^tabscale: bad --format: 'arff' (auto or svmlight)$" stderr
ok $? 'no such format'

# Whole numbers of eight bytes are exact where they are text.
{
	npy "'<i8'" '(2, 3)'
	bytes 1 0 0 0 0 0 40 0 2 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0
	bytes 3 0 0 0 0 0 40 0 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
} >big.npy
run 0 knnclf --id V1 -t big.npy big.npy
table 'id predicted actual' '9007199254740993 1 1' '9007199254740995 0 0'
run 0 tabfold --fold 1/2 --part test --no-stratify big.npy
[ "$(sed 1d stdout | cut -f1 | grep -c '^900719925474099[35]$')" = 1 ]
ok $? 'whole numbers pass tabfold as they are'

# Files that cannot be read, plain and through a pipe.
head -c 100 t.npy >cut.npy
run 65 tabscale cut.npy
err "tabscale: cut.npy: truncated$nl"
gzip -c t.npy | head -c 90 >cut.gz
run 65 tabscale cut.gz
err "tabscale: cut.gz: truncated gzip$nl"
npy "'|O'" '(2, 2)' >bad.npy
run 65 tabscale bad.npy
err "tabscale: bad.npy: objects of Python, not numbers (astype(float)?)$nl"
npy "'<f8'" '(2, 2, 2)' >bad.npy
run 65 tabscale bad.npy
err "tabscale: bad.npy: an array of 3 dimensions, not a table$nl"
{
	npy "'<f4'" '(2, 2)'
	bytes 0 0 300 77 0 0 300 177 0 0 200 177 0 0 0 0
} >inf.npy
run 65 tabscale -y none inf.npy
err "tabscale: inf.npy:2: column \"V1\": not a finite number: 'inf'$nl"
run 65 tabscale -y none --na mean inf.npy
err "tabscale: inf.npy:2: column \"V1\": not a finite number: 'inf'$nl"
printf 'a b c\n1 2 3\n4 5 6\n' >blanks
run 65 knnclf --loo blanks
err "knnclf: blanks:1: cells divided by blanks (-d space?)$nl"
run 0 knnclf --loo -d ' ' blanks
printf 'SQLite format 3\0x' >bad
run 65 knnclf --loo bad
err "knnclf: bad: SQLite (sqlite3 -header -csv?)$nl"

# Headers of .npy as Python writes them, and as it does not.  header VERSION DICT: the start
# of a file.
header() {
	bytes 223
	printf NUMPY
	bytes "$1" 0 "$(printf %o $((${#2} % 256)))" "$(printf %o $((${#2} / 256)))"
	[ "$1" = 1 ] || bytes 0 0
	printf %s "$2"
}
# described TYPE [SHAPE]: a dict.
described() { printf %s "{'descr': $1, 'fortran_order': False, 'shape': ${2:-(2,)}}"; }
# Texts, which null bytes fill, bytes between, names with escapes.
fields="[('n\\x41\\u00e9', '|S3'), ('', '|V2'), (\"it's\", '<U2'), ('b\\\\', '|b1'), ('y', '>u8')]"
{
	header 1 "$(described "$fields")"
	bytes 141 142 0 377 377 351 0 0 0 254 40 0 0 5 0 40 0 0 0 0 0 1
	bytes 143 0 0 377 377 172 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2
} >fields.npy
run 0 sh -c 'tabfold -n 2 -y none fields.npy | cut -f 1-4'
table "nAé it's b\\ y" 'ab é€ 1 9007199254740993' 'c z 0 2'
for version in 1 2 3; do
	name=$(if [ $version = 3 ]; then printf '\303\251'; else printf '\351'; fi)
	(LC_ALL=C; header $version "$(described "[('$name', '|u1'), ('b', '|i1')]")" && bytes 1 377 2 3) >latin.npy
	run 0 tabscale --method none -y none latin.npy
	table 'é b' '1 -1' '2 3'
done
# bad MESSAGE DICT [BYTE]...: a file of version 1 that is refused, plain and through a pipe.
bad() {
	message=$1
	header 1 "$2" >bad.npy
	shift 2
	bytes "$@" >>bad.npy
	run 65 tabscale -y none bad.npy
	err "tabscale: bad.npy: $message$nl"
	run 65 sh -c 'cat bad.npy | tabscale -y none'
	err "tabscale: <stdin>: $message$nl"
}
bad 'truncated' ''
none='the header is not that of .npy'
for dict in "descr" "{'descr'}" "{'descr': 7}" "{'descr': '<f8'}" "{'nothing': 1}" \
	"{'descr': '|u1', 'fortran_order': 1}" "{'descr': '|u1', 'shape': (x)}" \
	"{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999999999999,)}" \
	"{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999, 9999999999)}" \
	"$(described "[('a', '|Sx')]")" "$(described "'\\q'")" "$(described "'\\u12'")" \
	"$(described "[('', '|V99999999999')]")"; do
	bad "$none" "$dict"
done
bad 'fields that are no plain columns' "$(described "['a']")"
bad 'fields of several cells each' "$(described "[('a', '<f8', (3,))]")"
bad 'records without fields' "$(described '[]')"
bad 'records of no bytes' "$(described "[('a', '|S0')]")"
bad 'records of too many bytes' "$(described "[('a', '|S200000000'), ('b', '|S200000000')]")"
bad 'an array of 2 dimensions of records, not a table' "$(described "[('a', '|u1')]" '(2, 2)')"
types='not f8, f4, i1 to i8, u1 to u8 or b1 (astype(float)?)'
bad "cells of type '<c8', $types" "$(described "'<c8'")"
bad "cells of type '|S3', $types" "$(described "'|S3'")"
bad 'truncated' "$(described "'|u1'" '(2, 1)')" 1
bad 'other bytes behind the array' "$(described "'|u1'" '(2, 1)')" 1 2 3
{ header 1 "$(described "'|u1'" '(200000, 1)')"; head -c 200001 /dev/zero; } >bad.npy
run 65 sh -c 'gzip -c bad.npy | tabscale -y none'
err "tabscale: <stdin>: other bytes behind the array$nl"
cells() { # MESSAGE TYPE BYTE...
	message=$1
	header 1 "$(described "[('a', '$2')]" '(1,)')" >bad.npy
	shift 2
	bytes "$@" >>bad.npy
	run 65 tabscale -y none --onehot a bad.npy
	err "tabscale: bad.npy:1: column \"a\": $message$nl"
}
cells 'a null byte in a text' '|S3' 141 0 142
cells 'a character that is none' '<U1' 0 330 0 0
head -c 8 t.npy >bad.npy
run 65 tabscale bad.npy
err "tabscale: bad.npy: truncated$nl"
{ head -c 6 t.npy && bytes 4 0 20 0 0 0; } >bad.npy
run 65 tabscale bad.npy
err "tabscale: bad.npy: version 4 of .npy (1 to 3 are known)$nl"
{ head -c 6 t.npy && bytes 2 0 0 0 0 100; } >bad.npy
run 65 tabscale bad.npy
err "tabscale: bad.npy: a header of 1073741824 bytes$nl"
{ head -c 6 t.npy && bytes 1 0 200 0 173; } >bad.npy
run 65 tabscale bad.npy
err "tabscale: bad.npy: truncated$nl"

# Matrix Market and svmlight, by the shortest of files that are refused.
mtx() { # MESSAGE LINE...: behind the banner's first word
	message=$1
	shift
	printf '%%%%MatrixMarket %s\n' "$1" >bad.mtx
	shift
	[ $# -eq 0 ] || printf '%s\n' "$@" >>bad.mtx
	run 65 tabscale -y none bad.mtx
	err "tabscale: bad.mtx$message$nl"
}
mtx ":1: not a matrix: 'vector'" 'vector array real general'
mtx ':1: the banner ends early' ''
mtx ':1: the banner ends early' 'matrix array real'
mtx ":1: neither array nor coordinate: 'list'" 'matrix list real general'
mtx ":1: not real, integer or pattern: 'complex'" 'matrix array complex general'
mtx ":1: not general, symmetric or skew-symmetric: 'hermitian'" 'matrix array real hermitian'
mtx ':1: an array of a pattern' 'matrix array pattern general'
mtx ':1: truncated' 'matrix array real general'
mtx ':2: not rows and columns of a matrix' 'matrix array real general' 2
mtx ':2: not rows, columns and entries of a matrix' 'matrix coordinate real general' '2 2'
mtx ':2: more than the size of a matrix' 'matrix array real general' '2 2 2'
mtx ':2: not as many rows as columns' 'matrix array real symmetric' '2 3'
most=$(getconf ULONG_MAX) # where it has 32 bits: as many rows as there may be
[ "$most" = 4294967295 ] || mtx ':2: too many rows' 'matrix array real general' "$most 2"
mtx ":3: no row and column of the matrix: '3'" 'matrix coordinate real general' '2 2 1' '3 1 7'
mtx ':3: not below the diagonal' 'matrix coordinate real symmetric' '2 2 1' '1 2 7'
mtx ':3: truncated' 'matrix array real general' '2 1' 1
mtx ':5: more entries than there should be' 'matrix array real general' '2 1' 1 2 3
mtx ':3: more than an entry' 'matrix array real general' '2 1' '1 2'
mtx ': row 1, column 2: listed twice' 'matrix coordinate real general' '2 2 2' '1 2 7' '1 2 8'
# Of a symmetric array the lower triangle is listed, by columns.
for kind in 'symmetric,1 2 3 5 6 9,1 2 3;2 5 6;3 6 9' 'skew-symmetric,2 3 6,0 -2 -3;2 0 -6;3 6 0'; do
	rest=${kind#*,}
	{
		echo "%%MatrixMarket matrix array integer ${kind%%,*}"
		echo 3 3
		echo "${rest%,*}" | tr ' ' '\n'
	} >half.mtx
	run 0 tabscale -y none --method none half.mtx
	out "V1${tab}V2${tab}V3$nl$(echo "${rest#*,}" | tr ' ;' '\t\n')$nl"
done
svm() { # MESSAGE LINE...
	message=$1
	shift
	printf '%s\n' "$@" >bad.svm
	run 65 tabscale --format svmlight bad.svm
	err "tabscale: bad.svm$message$nl"
}
svm ":2: not INDEX:VALUE: '7'" '1 1:1' '1 7'
svm ":1: not an index: 'a'" '1 a:1'
svm ':1: index 0: indices are counted from 1 (dump_svmlight_file: zero_based=False?)' '1 0:1'
svm ':1: index 2: indices must increase' '1 2:1 2:3'
svm ':1: index 4000000000: too large' '1 4000000000:1'
svm ":1: no label before '1:1'" '1:1 2:2'
svm ':2: blank line' '1 1:1' '' '1 1:2'
svm ': empty input' '# nothing'
printf '# rows\n2 qid: 7 1: .5 # the first\n\n' >good.svm
run 0 tabscale --format svmlight --method none good.svm
table 'label V1 qid' '2 0.5 7'

# Missing cells: one line that counts them.
printf 'a,b,c,y\n1,NA,3,p\n,?,3,q\n1,2,,p\n' >holes
for call in 'knnclf --loo' 'relief --method simba' 'sqpfw --theta .1' \
	'knife --lambda2 1'; do
	# shellcheck disable=SC2086 # words
	run 65 $call holes
	words='omit or mean'
	[ "$call" = relief ] && words='omit, mean or model'
	err "${call%% *}: holes: missing cells: column \"a\": 1, at line 3; column \"b\": 2, first at line 2; column \"c\": 1, at line 4 (--na $words?)$nl"
done
run 65 tabscale --na error holes
err "tabscale: holes: missing cells: column \"a\": 1, at line 3; column \"c\": 1, at line 4 (--na omit or mean?)$nl"
run 65 tabscale --na error -x a,b,c holes
err "tabscale: holes: missing cells: column \"a\": 1, at line 3; column \"b\": 2, first at line 2; column \"c\": 1, at line 4 (--na omit or mean?)$nl"
printf 'a,y\nNA,p\n?,q\n3,p\n,q\n' >late
run 65 tabscale --na error late
err "tabscale: late: missing cells: column \"a\": 3, first at line 2 (--na omit or mean?)$nl"
printf 'a,b,y\n1,2,p\n2,NA,q\n3,4,p\n' >one
run 65 knnclf --loo one
err "knnclf: one:3: column \"b\": missing: 'NA' (--na omit or mean?)$nl"
run 65 knnclf -t one holes
err "knnclf: one:3: column \"b\": missing: 'NA' (--na omit or mean?)$nl"
run 65 knnclf --loo one one
err "knnclf: one: missing cells: column \"b\": 2, first at line 3 (--na omit or mean?)$nl"
sed 's/,2,/,NA,/' one >other
run 65 knnclf --loo -x b other one
err "knnclf: other: missing cells: column \"b\": 3, first at line 2 (--na omit or mean?)$nl"
# Other mistakes end the count; those before the first missing cell come first.
printf 'a,b,y\n1,NA,p\nx,NA,q\n3,4\n5,NA,q\n' >mixed
run 65 knnclf --loo mixed
err "knnclf: mixed: missing cells above line 4, which is bad: column \"b\": 2, first at line 2 (--na omit or mean?)$nl"
printf 'a,b,y\n1,x,p\n1,NA,q\n' >mixed
run 65 knnclf --loo mixed
err "knnclf: mixed:2: column \"b\": not a number: 'x' (--id, -x '!COL', tabscale --onehot?)$nl"
awk 'BEGIN {
	for (j = 0; j < 40; j++) printf "a_long_name_of_a_column_%d,", j
	print "y"
	for (i = 0; i < 2; i++) {
		for (j = 0; j < 40; j++) printf ","
		print i
	}
}' >wide
run 65 knnclf --loo wide
[ "$(wc -l <stderr)" -eq 1 ] && [ "$(wc -c <stderr)" -lt 420 ] &&
	grep -q '; 3[0-9] more columns (--na omit or mean?)$' stderr
ok $? 'a line of no more than 400 bytes'
printf 'id\tpredicted\tactual\n1\tNA\tp\n2\t?\tq\n' >pred
run 65 tabscore pred
err "tabscore: pred: missing cells: column \"predicted\": 2, first at line 2 (--na omit?)$nl"

# Columns with texts are named together; a single one with its cell, and so is text that was meant
# as a number.
printf 'a,b,c,d,y\n1,,u,2,p\n2,x,,?,q\n3,w,v,n/a,p\n4,z,w,5,q\n' >texts
hint="(--id, -x '!COL,!COL', tabscale --onehot?)"
run 65 knnclf --loo texts
err "knnclf: texts: cells that are not numbers: column \"b\": 3, first at line 3; column \"c\": 3, first at line 2; column \"d\": 1, at line 4 $hint$nl"
run 65 knnclf -t one texts
err "knnclf: one:3: column \"b\": missing: 'NA' (--na omit or mean?)$nl"
run 65 nnkgraph -y none -x c,y texts
err "nnkgraph: texts: cells that are not numbers: column \"c\": 3, first at line 2; column \"y\": 4, first at line 2 (-y, --id, -x '!COL,!COL', tabscale --onehot?)$nl"
run 65 knnclf --loo -x '!b,!d' texts
err "knnclf: texts:2: column \"c\": not a number: 'u' (--id, -x '!COL', tabscale --onehot?)$nl"
printf 'a;b;y\n1,5;x;p\n2;3;q\n' >commas
run 65 knnclf --loo commas
err "knnclf: commas:2: column \"a\": not a number: '1,5' (decimal comma? sed -E 's/([0-9]),([0-9])/\\1.\\2/g' FILE)$nl"
sed -E 's/([0-9]),([0-9])/\1.\2/g' commas >points
run 65 knnclf --loo points
err "knnclf: points:2: column \"b\": not a number: 'x' (--id, -x '!COL', tabscale --onehot?)$nl"
awk 'BEGIN {
	for (j = 0; j < 40; j++) printf "a_long_name_of_a_column_%d,", j
	print "y"
	for (i = 0; i < 2; i++) {
		for (j = 0; j < 40; j++) printf "x,"
		print i
	}
}' >wide
run 65 knnclf --loo wide
[ "$(wc -l <stderr)" -eq 1 ] && [ "$(wc -c <stderr)" -lt 420 ] &&
	grep -q "; 3[0-9] more columns $hint\$" stderr
ok $? 'a line of no more than 400 bytes, with the remedy'

# A name that is not there is answered with the one that was likely meant.
printf 'alcohol,malic_acid,Class\n1,2,p\n3,4,q\n' >wines
for pair in alcool:alcohol acid:malic_acid class:Class malicacid:malic_acid; do
	run 65 knnclf --loo -y "${pair%:*}" wines
	err "knnclf: wines:1: column \"${pair%:*}\": not found (\"${pair#*:}\"?)$nl"
	run 65 knnclf --loo -x "!${pair%:*}" wines
	err "knnclf: wines:1: column \"${pair%:*}\": not found (\"${pair#*:}\"?)$nl"
done
run 65 knnclf --loo -y colour wines
err "knnclf: wines:1: column \"colour\": not found$nl"
run 65 knnclf --loo -y co wines
err "knnclf: wines:1: column \"co\": not found$nl"

tabscale --method none --onehot soil - >levels <<'EOF'
soil,a,y
chalk,1,p
clay,2,q
EOF
printf 'soil,a\nchalk,3\n' >soils
run 65 knnclf -t levels -k 1 soils
err "knnclf: soils:1: column \"soil=chalk\": not found (tabscale --apply?)$nl"

# --na-string of tabscale, and what a reader of its table then says.
printf 'a,b,y\n1,n/a,p\n-999,2,q\n3,4,p\n5,"-",q\n' >na
run 65 knnclf --loo na
err "knnclf: na:2: column \"b\": not a number: 'n/a' (--id, -x '!COL', tabscale --onehot?)$nl"
run 65 sh -c 'tabscale --method none --na-string n/a,-999,- na | knnclf --na omit --loo'
err "knnclf: <stdin>: one class only: 'p'$nl"
printf 'a,b,y\n1,n/a,p\n-999,2,q\n3,4,p\n5,6,q\n7,5,p\n4,4,q\n' >na
run 65 tabscale --method none --na error --na-string n/a,-999 na
err "tabscale: na:3: column \"a\": missing: 'NA' (--na omit or mean?)$nl"
sed 's,n/a,NA,; s/-999//' na >plain
for call in 'tabscale --na mean' 'tabscale --na omit' 'tabscale --method none'; do
	# shellcheck disable=SC2086 # words
	$call -q plain >due
	$call -q --na-string n/a,-999 na | cmp -s due -
	ok $? "$call --na-string"
done
printf 'a,b,y\n1,2,-\n3,4,q\n' >na
run 0 tabscale --na-string - -y y --method none na
table 'a b y' '1 2 NA' '3 4 q'
run 2 tabscale --na-string '"x' na
err "tabscale: LIST:1: quoted cell without end${nl}try 'tabscale --help'$nl"
run 0 tabscale -y none --method none --na omit --na-string 0,x t.npy
awk -F, 'NR == 1 || $1 && $2 && $3 && $4' v.csv | tr , '\t' | cmp -s - stdout
ok $? '--na-string of numbers'

done_testing
