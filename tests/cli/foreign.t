#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Files as other programs write them: names of rows, headers of numbers, byte order
# marks, quotes, blanks, ends of lines, Matrix Market, svmlight and .npy; and what is
# said of files that are none of these.
. "${0%/*}/tap.sh"
command=tabscale

# said LINE...: standard error is these lines, each behind the command's name.
said() {
	for line; do printf '%s\n' "$command: $line"; done | cmp -s - stderr
	ok $? "it says: $*"
	cmp -s /dev/null stderr || sed 's/^/# /' stderr
}
note='the first column, which has no name, has the names of the rows'

# pandas: to_csv() of a frame with a default index, and of one with names.
printf ',a,b,class\n0,1,2,x\n1,2,4,y\n2,3,3,x\n' >pandas.csv
run 0 tabscale --method minmax pandas.csv
table '"" a b class' '0 0 0 x' '1 0.5 1 y' '2 1 0.5 x'
said "note: pandas.csv:1: $note"
run 0 tabscale --method minmax -q pandas.csv
err ''
# R: write.csv(), and write.table() with a tab and with its default, a blank.
printf '"","a","b","class"\n"r1",1,2,"x"\n"r2",2,4,"y"\n"r3",3,3,"x"\n' >r.csv
printf '"a"\t"b"\t"class"\n"r1"\t1\t2\t"x"\n"r2"\t2\t4\t"y"\n"r3"\t3\t3\t"x"\n' >r.tsv
tr '\t' ' ' <r.tsv >r.txt
for call in 'r.csv' 'r.tsv' '-d space r.txt' "-d ; r.semi" 'r.csv.gz'; do
	tr , \; <r.csv >r.semi
	gzip -c r.csv >r.csv.gz
	# shellcheck disable=SC2086 # words
	run 0 tabscale --method minmax $call
	table '"" a b class' 'r1 0 0 x' 'r2 0.5 1 y' 'r3 1 0.5 x'
	said "note: ${call##* }:1: $note"
done
# What is printed is read alike.
tabscale -q --method minmax r.csv | tabscale -q --method none >again
tabscale -q --method minmax r.csv | cmp -s - again
ok $? 'what tabscale prints has names of rows again'
run 0 tabfold --shares 2:1 --part 2 --no-stratify r.csv
head -n 1 stdout | grep -q '^""	a	b	class$' && grep -q '^r[123]	' stdout
ok $? 'tabfold prints the names of the rows'
# As --id: in predictions, edges and margins; where names repeat, numbers.
run 0 knnclf -k 1 -t r.tsv pandas.csv
table 'id predicted actual' '0 x x' '1 y y' '2 x x'
run 0 nnkgraph -q -y class -k 1 --method knn --symmetrize none r.csv
cut -f 1,2 stdout >got
tabs 'from to' 'r1 r2' 'r2 r3' 'r3 r2' | cmp -s - got
ok $? 'edges have names of rows'
run 0 relief -q r.csv
grep -v "^#" stdout | cut -f 1 >got
tabs feature a b | cmp -s - got
ok $? 'names of rows are no feature'
sed 's/^"r3"/"r1"/' r.tsv >twice.tsv
command=knnclf
run 0 knnclf -k 1 -t r.tsv twice.tsv
table 'id predicted actual' '1 x x' '2 y y' '3 x x'
said "note: r.tsv:1: $note" "note: twice.tsv:1: names of the rows are missing or repeat: rows are called by their numbers"
run 0 knnclf -q -k 1 -t r.tsv --id '' twice.tsv
run 0 knnclf -q -k 1 -t twice.tsv --id 1 r.tsv
table 'id predicted actual' 'r1 x x' 'r2 y y' 'r3 x x'
printf '"a"\t"b"\t"class"\n"r1"\t1\t2\t"x"\n\t2\t4\t"y"\n' >gap.tsv
run 0 knnclf -q -k 1 -t r.tsv gap.tsv
table 'id predicted actual' '1 x x' '2 y y'
for i in 1 2; do knnclf -q -k 1 -t r.tsv --shard $i/2 twice.tsv; done | awk 'NR == 1 || !/^id/' >got
knnclf -q -k 1 -t r.tsv twice.tsv | cmp -s - got
ok $? 'shards leave repeated names out alike'
command=tabscale
run 0 tabscale --method none -q r.csv r.csv
[ "$(wc -l <stdout)" = 7 ]
ok $? 'two files with names of rows are one table'
printf 'a,b,class\nr1,1,2,x\n2,4,y\n' >ragged.csv
run 65 tabscale -q ragged.csv
err "tabscale: ragged.csv:3: 3 cells where the first row has 4$nl"
run 0 tabscale -q -x a --method minmax pandas.csv
table '"" a b class' '0 0 2 x' '1 0.5 4 y' '2 1 3 x'
run 0 tabscale --save z -q --method minmax pandas.csv
run 0 tabscale --apply z -q r.csv
table '"" a b class' 'r1 0 0 x' 'r2 0.5 1 y' 'r3 1 0.5 x'
tabs 'id class' 'r1 x' 'r2 NA' 'r3 y' | tail -n +2 >rows
{ printf '"class"\n' && sed 's/	/ /' rows; } | tr ' ' , | sed '1s/^/"",/' >nodes.csv
command=labelprop
tabs 'from to weight' 'r1 r2 1' 'r2 r3 3' >edges
run 0 labelprop -q --nodes nodes.csv edges
table 'id predicted' 'r2 y'
command=tabscale

# Numbers as names of columns.
order='the numbers of the header are names of columns (-H/--no-header?)'
for header in 0,1,2 1,2,3 0,1,class '"0","1","2"' class,1,2; do
	printf '%s\n5,6,7\n6,8,9\n' "$header" >order.csv
	run 0 tabscale --method none -y none order.csv
	said "note: order.csv:1: $order"
	printf '%s\n5,6,7\n' "$header" | tr -d '"' | tr , '\t' | cmp -s -n 5 - stdout
	ok $? "$header are names"
done
printf ',0,1,2\n0,5,6,7\n1,6,8,9\n' >order.csv
run 0 tabscale --method none order.csv
said "note: order.csv:1: $order" "note: order.csv:1: $note"
for header in 2,3,4 0,2,1 5.1,3.5,x 0,1,3 0,x 1,x ,2001,2002 ,5,6; do
	printf '%s\n5,6,7\n' "$header" >cells.csv
	case $header in ?,x) printf '%s\n5,6\n' "$header" >cells.csv ;; esac
	run 65 tabscale cells.csv
	said "cells.csv:1: names are numbers (-H/--no-header?)"
done

# Byte order marks.
mark() { printf '\357\273\277'; cat; }
printf 'a,class\n1,x\n2,y\n' | mark >mark.csv
run 0 tabscale --method none mark.csv
table 'a class' '1 x' '2 y'
printf '# k\t5\na,class\n1,x\n' | mark | gzip >mark.csv.gz
run 0 tabscale --method none mark.csv.gz
table 'a class' '1 x'
printf '%%%%MatrixMarket matrix array real general\n1 2\n3\n4\n' | mark >mark.mtx
run 0 tabscale --method none mark.mtx
table 'V1 V2' '3 4'
printf '1 1:2 3:4\n' | mark >mark.light
run 0 tabscale --method none --format svmlight mark.light
table 'label V1 V2 V3' '1 2 0 4'
gzip -c mark.light >mark.light.gz
run 0 tabscale --method none --format svmlight mark.light.gz
table 'label V1 V2 V3' '1 2 0 4'
printf '%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 4\n' >one.mtx
run 0 tabscale --method none one.mtx
table 'V1 V2' '0 4'
printf '%%matrixmarket matrix coordinate pattern general\n1 2 1\n1 2\n' >one.mtx
run 0 tabscale --method none one.mtx
table 'V1 V2' '0 1'

# Cells in quotes: a gap is missing where a number is due, and else a text.
printf '"a","b","class"\n"1","","x"\n"","2","NA"\n"3","4",""\n' >gaps.csv
run 0 tabscale --csv --method none --na mean gaps.csv
out "a,b,class${nl}1,3,x${nl}2,2,\"NA\"${nl}3,4,\"\"$nl"
run 65 tabscale --na error gaps.csv
said "gaps.csv:3: column \"a\": missing: '' (--na omit or mean?)"
run 0 knnclf -q --loo -k 1 --na mean gaps.csv
run 0 tabscale --csv --method none --na omit gaps.csv
out "a,b,class${nl}3,4,\"\"$nl"
sed 's/""/"-"/g; s/"NA"/"-"/' gaps.csv >dashes.csv
run 0 tabscale --csv --method none --na omit --na-string - dashes.csv
out "a,b,class${nl}3,4,-$nl"
printf '"y"\n"1"\n"?"\n' >target.csv
command=wsvmpath
sed '1s/class/y/; s/"x"/"5"/; s/"NA"$/"6"/' gaps.csv >numbers.csv
run 65 wsvmpath --print events --task regress --epsilon .1 --na mean --from 1 --to 2 numbers.csv
said "numbers.csv:4: column \"y\": missing: '' (leave the row out? --na is for features)"
command=tabscale

# Runs of blanks.
printf '  a \t b   class  \n1  2 x\n\t 3 4\t"y z" \n' >runs.txt
run 0 tabscale --method none -d space runs.txt
table2=$(printf 'a\tb\tclass\n1\t2\tx\n3\t4\ty z\n')
out "$table2$nl"
run 65 tabscale runs.txt
printf 'a b class\n1 2 x\n3 4 y\n' >blanks.txt
run 65 knnclf --loo -d ' ' runs.txt
printf 'a b c\n1 2 3\n3 4 5\n' >blanks.txt
run 65 tabscale blanks.txt
said 'blanks.txt:1: cells divided by blanks (-d space?)'
run 65 tabscale r.txt
said 'r.txt:1: text behind a closing quotation mark (-d space?)'
printf 'a  b\n1 2 3 4\n' >long.txt
run 65 tabscale -d space long.txt
said 'long.txt:2: 4 cells where the header has 2'

# svmlight: blanks behind colons, and qid.
printf '2 qid:1 1:3 6: .50\n-1 qid:2 2:\t1\n0 1:1 # no qid\n' >rank.light
run 0 tabscale --method none --format svmlight rank.light
table 'label V1 V2 V3 V4 V5 V6 qid' '2 3 0 0 0 0 0.5 1' '-1 0 1 0 0 0 0 2' '0 1 0 0 0 0 0 NA'
run 0 tabscale --format svmlight --method minmax rank.light
table 'label V1 V2 V3 V4 V5 V6 qid' '2 1 0 0 0 0 1 1' '-1 0 1 0 0 0 0 2' '0 0.3333333333333333 0 0 0 0 0 NA'
run 65 tabscale rank.light
said 'rank.light:1: LABEL INDEX:VALUE ... (tabscale --format svmlight?)'

# .npy: a type without the order of bytes.
{
	printf '\223NUMPY\1\0\106\0'
	printf "%-69s\n" "{'descr': 'f8', 'fortran_order': False, 'shape': (1, 2), }"
	printf '\0\0\0\0\0\0\360\77\0\0\0\0\0\0\0\100'
} >f8.npy
run 0 tabscale --method none f8.npy
table 'V1 V2' '1 2'

# Ends of lines.
printf 'a,class\r1,x\r2,y\r' >cr.csv
run 65 tabscale cr.csv
said "cr.csv:1: a lone CR: lines end with LF or CRLF (tr '\\r' '\\n'?)"
printf '# old\ra\r1\r' >cr.csv
run 65 tabscale cr.csv
said "cr.csv:1: a lone CR: lines end with LF or CRLF (tr '\\r' '\\n'?)"
printf 'a,class\n1,x\r2,y\r\n' >cr.csv
run 65 tabscale cr.csv
said "cr.csv:2: a lone CR: lines end with LF or CRLF (tr '\\r' '\\n'?)"
printf 'a,b,class\r\r\n1,2,x\r\r\n3,4,y\r\r\n' >crcrlf.csv
run 65 tabscale crcrlf.csv
said "crcrlf.csv:1: a line that ends with CR CR LF (tr -d '\\r'?)"
printf 'a,"class"\r\n1,"x"\r\r\n' >crcrlf.csv
run 65 tabscale crcrlf.csv
said "crcrlf.csv:2: a line that ends with CR CR LF (tr -d '\\r'?)"
printf '2 1:3\r\r\n' >crcrlf.light
run 65 tabscale --format svmlight crcrlf.light
said "crcrlf.light:1: a line that ends with CR CR LF (tr -d '\\r'?)"
printf '1 1:2\r2 1:3\r' >cr.light
run 65 tabscale --format svmlight cr.light
said "cr.light:1: a lone CR: lines end with LF or CRLF (tr '\\r' '\\n'?)"
printf 'a,class\r\n1,"x\ry"\r\n' >quoted.csv
run 0 tabscale --method none -q quoted.csv

# Names that are empty.
for header in 'a,b,' 'a,,class' '"",a,'; do
	printf '%s\n1,2,x\n' "$header" >empty.csv
	run 65 tabscale empty.csv
	grep -q "^tabscale: empty.csv:1: column [23]: empty name" stderr
	ok $? "$header: which name is empty"
done
printf 'a,class,\n1,x,\n' >empty.csv
run 65 tabscale empty.csv
said 'empty.csv:1: column 3: empty name (a delimiter at the end of the line?)'

# A header behind '#'.
for header in '# sample\tx\tclass' '#sample\tx\tclass' '#sample,x,class' '# made by y\n# a\tb\tc'; do
	# shellcheck disable=SC2059 # a format
	printf "$header\nr1\t1\ta\nr2\t2\tb\n" >notes
	run 65 tabscale notes
	grep -q "^tabscale: notes:[12]: a header behind '#'? (remove the '#')$" stderr
	ok $? "$header"
done
printf '# k\t5\n# one, two; three\n# scale\tzscore\na\tclass\n1\tx\n' >notes
run 0 tabscale --method none notes
table 'a class' '1 x'
printf '"#a",class\n1,x\n' >notes
run 0 tabscale --method none notes
out "\"#a\"${tab}class${nl}1${tab}x$nl"

# Blanks before a quote.
printf 'x,class\n1, "setosa"\n2,\t "a, b"\n3,virginica\n' >quote.csv
run 0 tabscale --method none quote.csv
out "x${tab}class${nl}1${tab}setosa${nl}2${tab}a, b${nl}3${tab}virginica$nl"
said 'warning: quote.csv:2: blanks before a quotation mark, which begins a quoted cell'
printf 'x, "class"\n1, a\n' >quote.csv
run 0 tabscale --method none quote.csv
said 'warning: quote.csv:1: blanks before a quotation mark, which begins a quoted cell'
printf 'x,class\n1,5" pipe\n2,"6"" pipe"\n' >quote.csv
run 0 tabscale --method none quote.csv
err ''
cut -f 2 stdout | sed 1d >got
printf '"5"" pipe"\n"6"" pipe"\n' | cmp -s - got
ok $? 'a quote elsewhere is an ordinary byte'
printf 'x,class\n1,  "a"b\n' >quote.csv
run 65 tabscale quote.csv

# Classes that are equal numbers and different texts.
command=knnclf
printf 'a,class\n1,0\n2,1\n' >train.csv
printf 'a,class\n1,0.0\n2,1.0\n' >test.csv
run 0 knnclf -k 1 -t train.csv test.csv
said "warning: test.csv: class '0.0' is another class than '0': classes are compared as texts"
run 0 knnclf -k 1 -t test.csv train.csv
said "warning: train.csv: class '0' is another class than '0.0': classes are compared as texts"
sed 's/1$/+1/' train.csv >plus.csv
run 0 knnclf -k 1 -t train.csv plus.csv
said "warning: plus.csv: class '+1' is another class than '1': classes are compared as texts"
run 0 knnclf -k 1 -t train.csv train.csv
err ''
printf 'id\tpredicted\tactual\n1\t0\t0.0\n2\t1\t1.0\n3\t0\t0.0\n' >predictions
command=tabscore
run 0 tabscore predictions
said "warning: predictions: class '0' is another class than '0.0': classes are compared as texts"
command=kpredict
wsvmpath -q --from 1 --to 2 --print coef --at 1 --save-model model train.csv >/dev/null
run 0 kpredict -m model test.csv
said "warning: test.csv: class '0.0' is another class than '0': classes are compared as texts"

# Ties of whole numbers are exact, those of decimals are decided by rounding.
awk "$uniform"'BEGIN {
	seed_uniform(1)
	print "a,b,c,d,e,class"
	for (i = 0; i < 300; i++) {
		for (j = 0; j < 5; j++) printf "%d,", 10 * uniform()
		print uniform() < .5 ? "x" : "y"
	}
}' >whole.csv
awk -F , -v OFS=, 'NR > 1 { for (j = 1; j < 6; j++) $j = "0." $j } 1' whole.csv >tenths.csv
run 0 knnclf --scale none --loo -k 1,3,5 whole.csv
[ "$(cut -f 3 stdout | paste -sd ' ' -)" = 'errors 154 165 171' ]
ok $? 'errors of whole numbers'
run 0 knnclf --scale none --loo -k 1,3,5 tenths.csv
[ "$(cut -f 3 stdout | paste -sd ' ' -)" = 'errors 153 167 172' ]
ok $? 'errors of the same numbers as tenths'

# Graphs as Matrix Market.
nnkgraph -y class "$data/iris.csv" >edges.tsv
awk 'NR > 1 { line[++n] = $2 " " $1 " " $3 }
	END {
		print "%%MatrixMarket matrix coordinate real symmetric\n150 150 " n
		for (i = 1; i <= n; i++) print line[i]
	}' edges.tsv >edges.mtx
labelprop -q --reveal .1 --nodes "$data/iris.csv" edges.tsv >due
run 0 labelprop -q --reveal .1 --nodes "$data/iris.csv" edges.mtx
same due "$(cat stdout)$nl"
eigenmap -q --rows 150 edges.tsv >due
run 0 eigenmap -q --rows 150 edges.mtx
same due "$(cat stdout)$nl"
gzip -c edges.mtx >edges.mtx.gz
run 0 eigenmap -q --rows 150 edges.mtx.gz
same due "$(cat stdout)$nl"
sed 's/^\([^,]*\),/\1,/; 1s/^/id,/; 1!s/^/r,/' "$data/iris.csv" | awk -F, -v OFS=, 'NR > 1 { $1 = "r" NR } 1' >ids.csv
labelprop -q --reveal .1 --nodes "$data/iris.csv" edges.tsv | cut -f 2,3 >due
run 0 labelprop -q --reveal .1 --id id --nodes ids.csv edges.mtx
cut -f 2,3 stdout | cmp -s - due
ok $? 'the numbers of Matrix Market are those of rows, whatever their ids'
command=eigenmap
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n\n3 2\n' >path.mtx
run 0 eigenmap --rows 3 path.mtx
tabs 'from to weight' '1 2 1' '2 3 1' | eigenmap --rows 3 | cmp -s - stdout
ok $? 'a pattern has the weights 1'
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n2 1 1\n3 4 1\n' >bad.mtx
run 65 eigenmap --rows 3 bad.mtx
said "bad.mtx:4: no row and column of the matrix: '4'"
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n2 1 1\n2 1 1\n' >bad.mtx
run 65 eigenmap --rows 3 bad.mtx
said "bad.mtx:4: edge between '2' and '1': listed twice"
printf '%%%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n' >bad.mtx
run 65 eigenmap --rows 2 bad.mtx
said 'bad.mtx:2: an array: not the edges of a graph (matrix coordinate real general?)'
printf '%%%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n' >bad.mtx
run 65 eigenmap --rows 2 bad.mtx
said 'bad.mtx:2: skew-symmetric: not the edges of a graph (matrix coordinate real general?)'

# Both directions of an edge, whose weights differ by rounding.
tabs 'from to weight' '1 2 0.3' '2 1 0.30000000000000004' '2 3 1' '3 2 1.0000000009' >both
run 0 eigenmap --rows 3 both
tabs 'from to weight' '1 2 0.30000000000000004' '2 1 0.3' '2 3 1.0000000009' '3 2 1' |
	eigenmap --rows 3 | cmp -s - stdout
ok $? 'their mean counts, in any order'
tabs 'from to weight' '1 2 0.3' '2 1 0.30000000000000004' '2 3 1' '3 2 1.000000002' >both
run 65 eigenmap --rows 3 both
said "both:5: edge between '2' and '3': two weights (nnkgraph --symmetrize?)"

# Tables that are no edges.
run 65 eigenmap --rows 3 "$data/iris.csv"
said "$data/iris.csv:1: no edges (from, to, weight): column \"from\": not found"
tabs 'feature weight' 'a 1' >other
run 65 eigenmap --rows 3 other
said 'other:1: no edges (from, to, weight): column "from": not found; the table has weights of features'
tabs 'id predicted' '1 a' >other
run 65 eigenmap --rows 3 other
said 'other:1: no edges (from, to, weight): column "from": not found; the table has predictions'
tabs 'from to' '1 2' >other
run 65 eigenmap --rows 3 other
said 'other:1: no edges (from, to, weight): column "weight": not found'

# A chosen neighbour does not keep a row from one beyond its plane, as nnkgraph(1) says.
tabscale -q "$data/wine.csv" >wine.tsv
nnkgraph -y class -k 10 --sigma 4 --symmetrize none wine.tsv >directed
LC_ALL=C awk '
	NR == FNR { for (f = 1; f < NF; f++) x[FNR - 1, f] = $f; p = NF - 1; next }
	FNR > 1 { to[$1, ++n[$1]] = $2; edges++ }
	END {
		for (q in n) for (a = 1; a <= n[q]; a++) {
			beyond = 0
			for (b = 1; b <= n[q]; b++) {
				i = to[q, a]; j = to[q, b]
				s = 0
				for (f = 1; f <= p; f++) s += (x[i, f] - x[j, f]) * (x[j, f] - x[q, f])
				beyond = beyond || (i != j && s > 0)
			}
			all += beyond
		}
		print edges, all
	}' wine.tsv directed >planes
same planes "986 7$nl"

# Copies make a graph of NNK fall into pieces.
command=nnkgraph
{ cat "$data/wine.csv" && sed 1d "$data/wine.csv"; } | tabscale -q >twice.tsv
run 0 nnkgraph -y class twice.tsv
said 'warning: 178 of 178 components are 1 or 2 rows that are copies (leave copies out?)'
run 0 nnkgraph -y class --method knn twice.tsv
err ''
awk '!seen[$0]++' twice.tsv >once.tsv
run 0 nnkgraph -y class once.tsv
err ''
done_testing
