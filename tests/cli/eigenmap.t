#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# eigenmap: what it prints, what it refuses, and what --check says of it.
. "${0%/*}/tap.sh"

check='check value limit ok'
is_checked() { # [ARG]...
	run 0 eigenmap "$@"
	verdict 'yes yes yes yes yes yes'
	[ "$(head -n 1 stdout | tr '\t' ' ')" = "$check" ]
	ok $? 'its header'
}

# By hand: a path of three points, whose eigenvalues are 1 and 2 (random walk),
# 1 and 3 (combinatorial).
tabs 'from to weight' '1 2 1' '2 3 1' >path
run 0 eigenmap --rows 3 --laplacian combinatorial --print values path
[ "$(awk 'NR > 1 { printf "%s %.12g ", $1, $2 }' stdout)" = 'e1 1 e2 3 ' ]
ok $? 'combinatorial eigenvalues'
run 0 eigenmap --rows 3 --print values path
[ "$(awk 'NR > 1 { printf "%s %.12g ", $1, $2 }' stdout)" = 'e1 1 e2 2 ' ]
ok $? 'those of the random walk'
run 0 eigenmap --rows 3 path
awk 'NR > 1 { printf "%s %.9f %.9f\n", $1, $2, $3 }' stdout | sed 's/-0\.0* /0.000000000 /' >got
same got "1 0.707106781 0.500000000
2 0.000000000 -0.500000000
3 -0.707106781 0.500000000
"
run 0 eigenmap --rows 3 --laplacian combinatorial path
awk 'NR > 1 { printf "%s %.9f %.9f\n", $1, $2, $3 }' stdout | sed 's/-0\.0* /0.000000000 /' >got
same got "1 0.707106781 -0.408248290
2 0.000000000 0.816496581
3 -0.707106781 -0.408248290
"
run 0 eigenmap --rows 3 --laplacian symmetric --dims 1 - <path
awk 'NR > 1 { printf "%s %.9f\n", $1, $2 }' stdout | sed 's/-0\.0*$/0.000000000/' >got
same got "1 0.707106781
2 0.000000000
3 -0.707106781
"
tabs 'from to weight' '1 2 4' >two
run 0 eigenmap --rows 2 --dims 1 two
awk 'NR > 1 { printf "%s %.9f\n", $1, $2 }' stdout | sed 's/-0\.0*$/0.000000000/' >got
same got "1 0.353553391
2 -0.353553391
"
err ''

# The rows: ids, nodes without edges, a component apart.
tabs 'from to weight' 'a b 1' 'b c 2' 'd e 1' >names
printf 'name,kind,x\na,A,1\nb,"B ""b""",\nc,NA,oops\nd,D,2\ne,E,3\nf,F,4\n' >rows.csv
run 0 eigenmap --nodes rows.csv --id name names
err 'eigenmap: warning: 3 of 6 nodes have no coordinates: not in the largest component (--component all?)
'
awk -F '\t' '{ print $1, (NR > 1 && $2 != "NA" ? "y" : $2) }' stdout >got
same got 'id e1
a y
b y
c y
d NA
e NA
f NA
'
run 0 eigenmap -q --nodes rows.csv --id name names
err ''
cp stdout map
is_checked --nodes rows.csv --id name --check map names
run 0 eigenmap --nodes rows.csv --id name --component all names
err 'eigenmap: warning: 1 of 6 nodes have no coordinates: no edges
eigenmap: warning: 2 nodes have less than 2 coordinates: their components are small
'
cp stdout map
awk '{ print $1, $4, ($3 == "NA") }' map >got
same got 'id component 0
a 1 0
b 1 0
c 1 0
d 2 1
e 2 1
f 3 1
'
is_checked --nodes rows.csv --id name --component all --check map names
run 1 eigenmap --nodes rows.csv --id name --check map names
[ "$(awk '$4 == "no" { print $1, $2 }' stdout)" = 'placed 2' ]
ok $? 'coordinates that should not be there'
run 0 eigenmap --nodes rows.csv --id name --component all --print values -q names
awk '{ print $1, $2, (NR > 1 ? sprintf("%.9f", $3) : $3) }' stdout >got
same got 'component coordinate eigenvalue
1 e1 1.000000000
1 e2 2.000000000
2 e1 2.000000000
'
tail -n +2 rows.csv >headless.csv
run 0 eigenmap -q -H --nodes headless.csv --id V1 names
[ "$(sed -n '1p;2s/	.*//p' stdout | tr '\n\t' '  ')" = 'id e1 e2 a ' ]
ok $? 'a table without header'

# Equal eigenvalues, and others that rounding hides.
tabs 'from to weight' '1 2 1' '2 3 1' '3 4 1' '1 4 1' >ring
logged 0 eigenmap --rows 4 ring
err 'eigenmap: warning: eigenvalues 1 and 2 are nearly equal (1): what their coordinates span is unique, not the coordinates
'
[ "$(awk -F '\t' '$1 == "equal" || $1 == "counted" || $1 == "solved" { printf "%s ", $2 }' log)" = 'dense 1 yes ' ]
ok $? 'the log tells'
run 0 eigenmap --rows 4 --dims 1 ring
err 'eigenmap: warning: eigenvalues 1 and 2 are nearly equal (1): what their coordinates span is unique, not the coordinates; nor that, where the last and the next one are equal (--dims?)
'
tabs 'from to weight' '1 2 1' '3 4 1' '5 6 1' '1 3 1e-60' '3 5 3e-60' >far
run 1 eigenmap --rows 6 --laplacian combinatorial far
grep -q '^eigenmap: warning: e[12] may be off by 1 of its length, as eigenvalues near .* differ by less than rounding$' stderr
ok $? 'eigenvalues of 1e-60'
tabs 'from to weight' '1 2 1e-300' '2 3 2e-300' >tiny
tabs 'from to weight' '1 2 1e300' '2 3 2e300' >huge
for f in tiny huge; do
	run 0 eigenmap --rows 3 $f
	cp stdout map
	err ''
	is_checked --rows 3 --check map $f
	run 0 eigenmap --rows 3 --laplacian combinatorial $f
	cp stdout map
	is_checked --rows 3 --laplacian combinatorial --check map $f
done
tabs 'from to weight' '1 2 1e-300' '2 3 1' '3 4 1e300' >wide
run 0 eigenmap --rows 4 wide
cp stdout map
is_checked --rows 4 --check map wide

# Tables: what is refused.
refuse 'path:3: column "to": not the number of a row: '"'3'" --rows 2 path
refuse "names:2: column \"from\": not the number of a row: 'a'" --nodes rows.csv names
tabs 'from to weight' 'a z 1' >bad
refuse "bad:2: column \"to\": no row has this id: 'z'" --nodes rows.csv --id name bad
refuse_file 'from\tto\tweight\n1\t2\t-1\n' ":2: column \"weight\": negative: '-1'" --rows 3
refuse_file 'from\tto\tweight\n1\t2\tNA\n' ":2: column \"weight\": missing: 'NA'" --rows 3
refuse_file 'from\tto\n1\t2\n' ':1: no edges (from, to, weight): column "weight": not found' --rows 3
refuse_file 'from\tto\tweight\n1\t2\t1\n2\t1\t2\n' \
	":3: edge between '1' and '2': two weights (nnkgraph --symmetrize?)" --rows 3
refuse_file 'from\tto\tweight\n1\t2\t1\n2\t1\t1\n2\t3\t1\n' \
	":4: edge between '2' and '3': listed in one direction, others in both (nnkgraph --symmetrize?)" --rows 3
refuse_file 'from\tto\tweight\n1\t1\t1\n' ":2: column \"to\": the row itself: '1'" --rows 3
tabs 'from to weight' >bad
refuse 'no edge: nothing to embed' --rows 3 bad
tabs 'from to weight' '1 2 0' >bad
refuse 'no edge: nothing to embed' --rows 3 bad
refuse '3 coordinates: a component of 3 nodes has 2 (--dims?)' --rows 3 --dims 3 path
refuse 'rows.csv:1: column "none": not found' --nodes rows.csv --id none names
printf 'name\na\na\n' >twins.csv
refuse "twins.csv: column \"name\": listed twice: 'a'" --nodes twins.csv --id name names
run 66 eigenmap --rows 3 nowhere
err "eigenmap: nowhere: No such file or directory$nl"

# Coordinates: what is refused, and what is found out.
run 0 eigenmap --rows 3 path
cp stdout map
is_checked --rows 3 --check map path
is_checked --rows 3 --check - path <map
sed '2s/\t[^\t]*/\t.7/' map >off
run 1 eigenmap --rows 3 --check off path
awk '$4 == "no" { print $1 }' stdout >got
grep -q residual got && grep -q length got
ok $? 'a coordinate that is off'
sed '2s/\t[^\t]*/\tNA/' map >off
run 1 eigenmap --rows 3 --check off path
[ "$(awk '$1 == "placed" || $1 == "residual" { printf "%s %s ", $2, $4 }' stdout)" = '1 no NA no ' ]
ok $? 'one that is not there'
sed 's/e1/x/' map >bad
refuse 'bad:1: column "e1": not found' --rows 3 --check bad path
sed '$d' map >bad
refuse "bad: no row '3'" --rows 3 --check bad path
sed '3s/2/1/' map >bad
refuse "bad:3: column \"id\": listed twice: '1'" --rows 3 --check bad path
sed '3s/2/x/' map >bad
refuse "bad:3: column \"id\": not the number of a row: 'x'" --rows 3 --check bad path

# Wrong calls.
misuse 'give the nodes: --nodes FILE or --rows N' path
misuse '--nodes and --rows exclude each other' --nodes rows.csv --rows 3 path
misuse '--id needs --nodes FILE' --rows 3 --id name path
run 0 eigenmap --rows 3 --dims 1 --check map path
err "eigenmap: warning: --dims is not used with --check$nl"

# Locally linear embedding: rows of weights that sum to 1.
tabs 'from to weight' '1 2 2' '1 3 -1' '2 1 .5' '2 3 .5' '3 2 .5' '3 4 .5' '4 3 2' '4 2 -1' >line
run 0 eigenmap --method lle --rows 4 --dims 1 line
awk 'NR > 1 { printf "%s %.6f\n", $1, $2 }' stdout >got
same got "1 1.341641
2 0.447214
3 -0.447214
4 -1.341641
"
cp stdout map
run 0 eigenmap --method lle --rows 4 --check map line
run 0 eigenmap --method lle --laplacian symmetric --rows 4 --dims 1 line
err "eigenmap: warning: --laplacian is not used with --method lle$nl"
refuse_file 'from\tto\tweight\n1\t2\t1\n2\t1\t.9\n' \
	": weights from '2' sum to 0.9, not 1 (nnkgraph --method lle-signed?)" --method lle --rows 2
refuse "path: weights from '3' sum to 0, not 1 (nnkgraph --method lle-signed?)" \
	--method lle --rows 3 path

# On real rows: proved, and the same bytes for any number of threads.
tabscale "$data/wine.csv" >wine.tsv
nnkgraph -y class wine.tsv >wine.g
for way in random-walk symmetric combinatorial; do
	run 0 eigenmap --nodes wine.tsv --dims 5 --laplacian $way wine.g
	cp stdout map
	is_checked --nodes wine.tsv --laplacian $way --check map wine.g
done
nnkgraph -y class -k 12 --method lle-signed --symmetrize none wine.tsv >wine.l
run 0 eigenmap --nodes wine.tsv --method lle wine.l
cp stdout map
is_checked --nodes wine.tsv --method lle --check map wine.l
awk 'BEGIN {
	OFS = "\t"
	print "from", "to", "weight"
	for (i = 1; i <= 6000; i++) { # a band
		if (i % 6000) print i, i + 1, 1 + i % 7
		if (i <= 5950) print i, i + 50, 1 + i % 5
	}
}' >band
run 0 eigenmap --rows 6000 --dims 3 band
cp stdout one
for j in 2 3; do
	run 0 eigenmap --rows 6000 --dims 3 -j $j band
	cmp -s stdout one
	ok $? "the same bytes with $j threads"
done
is_checked --rows 6000 -j 2 --check one band
# Four groups, of node i and each fourth after it, with a few edges between them.
awk 'BEGIN {
	OFS = "\t"
	print "from", "to", "weight"
	for (i = 0; i < 6000; i++)
		for (k = 0; k < 5; k++) {
			s = (s * 16807 + 11) % 2147483647
			j = i % 451 == 7 && k == 0 ? (i + 1) % 6000 : s % 1500 * 4 + i % 4
			if (i != j) print (i < j ? i + 1 OFS j + 1 : j + 1 OFS i + 1), 1
		}
}' | awk '!seen[$1, $2]++' >mixed
logged 0 eigenmap -q --rows 6000 mixed
cp stdout one
grep -q "^solved${tab}products$" log
ok $? 'groups need no factor'
run 0 eigenmap -q --rows 6000 -j 3 mixed
cmp -s stdout one
ok $? 'and without a factor'
run 74 sh -c 'eigenmap --rows 3 path >/dev/full'
printf 'from\tto\tweight\n1\t2\t1.7e308\n' >large
run 1 eigenmap --rows 2 --laplacian combinatorial --dims 1 large
err "eigenmap: warning: eigenvalue 1 is too large for a number$nl"

# Made graphs (tests/gen/graphs.c): what was certified passes --check.
# shellcheck disable=SC2086 # options are words
for seed in $(seq 1 "$([ "${KITH_LONG:-}" ] && echo 2000 || echo 8)"); do
	options=$("$KITH_BUILD/gen/graphs" "$seed" table edges | sed -n 2p)
	eigenmap -q --nodes table $options -o map edges || continue
	run 0 eigenmap -q --nodes table ${options% --dims*} --check map edges
done

done_testing
