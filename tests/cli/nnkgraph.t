#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# nnkgraph: what it prints, and how it fails.
. "${0%/*}/tap.sh"

# edges HEADER ROW...: the table printed, but for its column of distances.
edges() {
	awk -F '\t' 'NR == 1 { for (j = 1; j <= NF; j++) if ($j == "distance") d = j }
		{ sep = ""
		for (j = 1; j <= NF; j++) if (j != d) { printf "%s%s", sep, $j; sep = "\t" }
		print "" }' stdout >table
	same table "$(tabs "$@")$nl"
}

# Two rows: each is the other's only candidate.
printf 'x\n0\n1\n' >two
run 0 nnkgraph --scale none -y none --sigma 1 two
edges 'from to weight' '1 2 0.6065306597126334'
err ''
run 0 nnkgraph --scale none -y none --sigma 1 --errors --symmetrize none two
table 'from to weight distance error' \
	'1 2 0.6065306597126334 1 0.31606027941427883' \
	'2 1 0.6065306597126334 1 0.31606027941427883'
run 0 nnkgraph --scale none -y none --sigma 1 --errors - <two
table 'from to weight distance error' \
	'1 2 0.6065306597126334 1 0.31606027941427883'
# The last column is the target.
printf 'x\ty\tc\n0\t0\t7\n1\t0\t9\n' >last
run 0 nnkgraph --scale none --sigma 1 last
table 'from to weight distance' '1 2 0.6065306597126334 1'
err "nnkgraph: note: last:1: column \"c\" is left out as the target$nl"
run 0 nnkgraph --scale none -q --sigma 1 -y none last
table 'from to weight distance' '1 2 0.0820849986238988 2.23606797749979'
err ''
printf 'x\ty\tc\n0\t0\t7\n1\t0\t9.5\n' >last
run 0 nnkgraph --scale none --sigma 1 last
table 'from to weight distance' '1 2 0.6065306597126334 1'
err "nnkgraph: warning: last:1: column \"c\" is left out as the target: it holds numbers that are not whole (-y none?)$nl"
run 65 nnkgraph two
err "nnkgraph: two:1: no column beside the target (-d, -y none?)$nl"
printf 'x\n5\n' >one
run 0 nnkgraph -y none one
edges 'from to weight'
run 0 nnkgraph --scale none -y none --sigma 2 -t one --kernel gaussian -k 3 two
edges 'from to weight' '1 1 0.04393693362340742' '2 1 0.1353352832366127'

# All rows identical: weight goes to the first candidate.
printf 'x\n3\n3\n3\n' >same
run 0 nnkgraph -y none --symmetrize none same
edges 'from to weight' '1 2 1' '2 1 1' '3 1 1'
err "nnkgraph: warning: the distances to the k-th neighbour are all 0: sigma is 1$nl"

# Three rows that all count, though a ratio of kernels would drop the first.
printf 'x,y\n-1.1,1.1\n-.9,.2\n-.4,-.5\n' >three
printf 'x,y\n0,0\n' >origin
run 0 nnkgraph --scale none -y none -t three --sigma 1 origin
got=$(awk 'NR > 1 { printf "%s %s %.7f;", $1, $2, $3 }' stdout)
[ "$got" = '1 1 0.0710248;1 2 0.1057733;1 3 0.7261296;' ]
ok $? "three edges, by hand: $got"

# Features, ids, the column that is none, rows left out.
printf 'n,x,c\nu,0,9\nv,NA,8\nw,1,\n' >named
run 0 nnkgraph --scale none --sigma 1 --id n -y c --na omit named
edges 'from to weight' 'u w 0.6065306597126334'
run 0 nnkgraph --scale none -y none --sigma 1 -x x --na omit named
edges 'from to weight' '1 3 0.6065306597126334'
run 0 nnkgraph --scale none --sigma 1 --id n -y 3 --na mean --symmetrize none --method knn -k 1 named
edges 'from to weight' 'u v 0.8824969025845955' 'v u 0.8824969025845955' \
	'w v 0.8824969025845955'
printf 'x\ta "b",c\n0\t1\n1\t\n' >quoted
run 0 nnkgraph --scale none --sigma 1 -y 'a "b",c' quoted
edges 'from to weight' '1 2 0.6065306597126334'
printf '0,p\n1,q\n' >raw
run 0 nnkgraph --scale none -y none --sigma 1 -H --id 2 raw
edges 'from to weight' 'p q 0.6065306597126334'

# Weights.
printf 'a,b\n0,5\n1,0\n' >ab
printf 'feature,weight\na,4\n' >w
run 0 nnkgraph -y none --sigma 2 -w w ab
edges 'from to weight' '1 2 0.6065306597126334'
printf 'feature1,feature2,weight\na,a,4\n' >w
run 0 nnkgraph -y none --sigma 2 -w w ab
table 'from to weight distance' '1 2 0.6065306597126334 2'
printf 'feature,weight_abs\na,1\n' >w
run 0 nnkgraph -y none --sigma 1 -w w --method knn ab
table 'from to weight distance' '1 2 0.6065306597126334 1'
printf 'feature1,feature2,weight_abs\na,a,1\n' >w
run 0 nnkgraph -y none --sigma 1 -w w --method knn ab
table 'from to weight distance' '1 2 0.6065306597126334 1'
for how in '' '--method radius --radius 9' '--method knn --kernel cosine' '--method lle'; do
	# shellcheck disable=SC2086
	run 65 nnkgraph -y none $how -w w ab
	out ''
done

# A matrix of them is semidefinite, up to 1e-12 of its largest eigenvalue.
matrix() { tabs 'feature1 feature2 weight' "a a $1" "a b $2" "b b $3" >w; }
indefinite='w: the matrix of weights is not positive semidefinite: it gives no kernel'
for terms in '1 2 1' '0 1 0' '1 1.00000000001 1' '1e-200 1.00000000001e-200 1e-200'; do
	# shellcheck disable=SC2086 # words
	matrix $terms
	refuse "$indefinite" -y none --sigma 1 -w w ab
done
matrix 1 0 -1
refuse "w:4: column \"weight\": negative on the diagonal: '-1'" -y none --sigma 1 -w w ab
for terms in '1 1 1' '1 1.000000000001 1' '0 0 0' '0 0 1e-200'; do
	# shellcheck disable=SC2086 # words
	matrix $terms
	run 0 nnkgraph -q -y none --sigma 1 -w w ab
done
# Ones, and on the diagonal 1 - 6e-12: the largest of 40 eigenvalues is 40, all others -6e-12.
awk 'BEGIN {
	OFS = "\t"
	for (k = 0; k <= 2; k++)
		for (i = 1; i <= 40; i++)
			printf "%s%s", k ? i * k % 7 : "x" i, i < 40 ? OFS : "\n" >"wide"
	print "feature1", "feature2", "weight"
	for (i = 1; i <= 40; i++) for (j = i; j <= 40; j++)
		print "x" i, "x" j, sprintf("%.17g", 1 - (i == j) * 6e-12)
}' >w
run 0 nnkgraph -q -y none --sigma 1 -w w wide
sed 's/0[.]9999999999[0-9]*/.9999999/' w >less
refuse "less${indefinite#w}" -q -y none --sigma 1 -w less wide

# Kernels.
printf 'a,b\n0,5\n1,0\n2,2\n' >abc
run 0 nnkgraph -y none --kernel cosine --method knn --symmetrize none -k 1 abc
edges 'from to weight' '1 3 0.8535533905932737' '2 3 0.8535533905932737' \
	'3 1 0.8535533905932737'
run 0 nnkgraph --scale none -y none --kernel linear --method knn --symmetrize max abc
edges 'from to weight' '1 3 10' '2 3 2'
run 0 nnkgraph --scale none -y none --method radius --radius 2.5 --sigma 1 abc
edges 'from to weight' '2 3 0.0820849986238988'
within='--method radius --radius 300 --sigma 100 --symmetrize none -y class'
# shellcheck disable=SC2086
nnkgraph --scale none $within "$data/wdbc.csv" >whole 2>/dev/null
for search in full leaves; do
	for j in 1 2 3; do
		# shellcheck disable=SC2086
		KITH_SEARCH=$search nnkgraph --scale none $within -j $j "$data/wdbc.csv" 2>/dev/null | cmp -s - whole
		ok $? "all within a radius: the same bytes with -j $j, $search search"
	done
done
# shellcheck disable=SC2086
for i in 1 2 3; do
	nnkgraph --scale none $within --shard $i/3 "$data/wdbc.csv" >shard.$i 2>/dev/null
done
nnkgraph --merge --symmetrize none shard.3 shard.1 shard.2 | cmp -s - whole
ok $? 'and by shards'

# Weights of either sign.
printf 'a,b\n0,0\n1,0\n2,1\n' >behind
run 0 nnkgraph --scale none -y none --method lle-signed --shard 1/3 behind
[ "$(sed 1q stdout)" = "# shard	1/3 of 3 rows: --method lle-signed -k 30 --scale none" ]
ok $? 'what it is a shard of'
sed -i 1d stdout
edges 'from to weight error' '1 2 1.5 0.25' '1 3 -0.5 0.25'
nnkgraph --scale none -y none --method lle-signed behind >graph
nnkgraph --scale none -y none --method lle-signed --shard 1/1 behind >shard
run 0 nnkgraph --merge shard
cmp -s stdout graph
ok $? 'read again'
sed 's/lle-signed/nnk/' shard >wrong
refuse 'a weight below 0, which --method nnk has not' --merge --symmetrize none wrong
refuse "graph:3: column \"weight\": negative: '-0.5'" -y none --check graph behind
for mode in node error paper max min mean; do
	misuse '--method lle-signed needs --symmetrize none' --method lle-signed --symmetrize $mode behind
done

# Rows that are smooth on their graph: w^2 + z w = 1 for two, with z = 1.
run 0 nnkgraph --scale none -y none --method smooth two
edges 'from to weight' '1 2 0.6180339887498949'
nnkgraph --scale none --method smooth -k 5 -y class "$data/iris.csv" >smoothed
logged 0 nnkgraph --scale none --method smooth -k 5 -y class -j 3 "$data/iris.csv"
cmp -s stdout smoothed && grep -q '^theta	4.59887' log && grep -q '^residual' log
ok $? 'the same bytes with -j 3, and what is said'
run 0 nnkgraph --scale none --method smooth -k 5 -y class --check smoothed "$data/iris.csv"
verdict 'yes yes yes yes'
awk 'NR == 7 { $3 *= 1.000001 } 1' OFS='\t' smoothed >wrong
run 1 nnkgraph --scale none --method smooth -k 5 -y class --check wrong "$data/iris.csv"
verdict 'yes yes no yes'
run 1 nnkgraph --scale none --method smooth -k 6 -y class --check smoothed "$data/iris.csv"
grep -v '^1	' smoothed | awk -F '\t' '$2 != 1' >wrong
run 1 nnkgraph --scale none --method smooth -k 5 -y class --check wrong "$data/iris.csv"
[ "$(sed -n 3p stdout)" = "degree	1	0	no" ]
ok $? 'a row that has lost its edges'
nnkgraph --scale none --method knn --shard 1/1 -k 15 -y class "$data/iris.csv" >nearest
run 0 nnkgraph --scale none --method smooth -k 5 -y class --candidates nearest "$data/iris.csv"
cmp -s stdout smoothed
ok $? 'three candidates for each edge'
printf 'x\n0\n1\n2\n4\n1e9\n1.5\n' >apart
run 1 nnkgraph --scale none -y none --method smooth -k 2 apart
grep -q '^nnkgraph: warning: rounding forbids a proof of the weights' stderr
ok $? 'a row too far away'
misuse '--method smooth and aew exclude --symmetrize' --method smooth --symmetrize none two
misuse '--method smooth and aew exclude -t' --method smooth -t two two
misuse '--method smooth and aew exclude --shard' --method smooth --shard 1/2 two

# A bandwidth for each feature.
nnkgraph --scale none --method aew -k 8 -y class "$data/iris.csv" >iris.tsv
logged 0 nnkgraph --scale none --method aew -k 8 -y class -j 3 "$data/iris.csv"
cmp -s stdout iris.tsv && grep -q '^objective	' log
ok $? '-j 3 gives the same bytes, and the log'
run 0 nnkgraph --scale none -y none --method aew two
edges 'from to weight' '1 2 0.011108996538242306'
printf 'feature,weight\na,0\nb,0\n' >no_weight
run 0 nnkgraph -q --scale none -y none --method aew -w no_weight ab
edges 'from to weight' '1 2 1'
printf 'feature1,feature2,weight\na,b,.1\na,a,1\nb,b,1\n' >pair
refuse '--method aew needs weights of single features, not of pairs' -y none --method aew -w pair ab
misuse '--method aew starts from one --sigma, not local ones' --method aew --sigma local two

# Candidates.
printf 'from,to,x\n1,2,0\n3,1,0\n' >pairs
run 0 nnkgraph --scale none -y none --candidates pairs --method knn --kernel linear --symmetrize none abc
edges 'from to weight' '3 1 10'
run 0 nnkgraph --scale none -y none --candidates pairs --method knn --kernel linear --shard 1/1 abc
sed -i 1d stdout
edges 'from to weight error' '1 2 0 12.5' '3 1 10 1154'
nnkgraph --scale none --method knn -k 10 --symmetrize none -y class "$data/iris.csv" >nearest
nnkgraph --scale none -k 10 -y class "$data/iris.csv" >whole
run 0 nnkgraph --scale none -k 10 -y class --candidates nearest "$data/iris.csv"
cmp -s stdout whole
ok $? 'the candidates of another search'

printf 'from,to\n2,1\n' >pairs
run 0 nnkgraph --scale none -y none --candidates pairs --sigma 1 --errors two
edges 'from to weight error' '1 2 0.6065306597126334 NA'

# Symmetrising, by hand.
of() { # ROWS EDGE...: a shard of so many rows
	printf '# shard\t1/1 of %s rows: --method %s\nfrom,to,weight,error,distance\n' "$1" "${method:-nnk}"
	shift
	printf '%s\n' "$@"
}
of 5 1,2,.5,.1,3 1,3,0,.1,4 2,1,.7,.2,3 2,3,.4,.2,5 3,1,.6,.1,4 4,1,.3,.4,6 >lists
run 0 nnkgraph --merge lists
edges 'from to weight' '1 2 0.5'
run 0 nnkgraph --merge --symmetrize error lists
edges 'from to weight' '1 2 0.5' '1 3 0.6' '1 4 0.3' '2 3 0.4'
run 0 nnkgraph --merge --symmetrize paper --errors lists
edges 'from to weight error' '1 2 0.5 0.1' '1 3 0.6 0.1'
run 0 nnkgraph --merge --symmetrize max lists
table 'from to weight distance' '1 2 0.7 3' '1 3 0.6 4' '1 4 0.3 6' '2 3 0.4 5'
run 0 nnkgraph --merge --symmetrize min lists
edges 'from to weight' '1 2 0.5'
run 0 nnkgraph --merge --symmetrize mean lists
edges 'from to weight' '1 2 0.6' '1 3 0.3' '1 4 0.15' '2 3 0.2'
run 0 nnkgraph --merge --symmetrize none lists
edges 'from to weight' '1 2 0.5' '2 1 0.7' '2 3 0.4' '3 1 0.6' '4 1 0.3'
sed 's/^3,1,.6,.1/3,1,.6,.3/' lists >zero
run 0 nnkgraph --merge --symmetrize error zero
edges 'from to weight' '1 2 0.5' '1 4 0.3' '2 3 0.4'
run 0 nnkgraph --merge --symmetrize node --errors zero
table 'from to weight distance error' '1 2 0.5 3 0.1' '2 3 0.4 5 0.2'
# A row without any edge has no say.
of 4 1,2,0,.1,1 2,1,.7,.2,1 3,4,.1,.3,1 >mute
run 0 nnkgraph --merge --errors mute
edges 'from to weight error' '1 2 0.7 NA' '3 4 0.1 0.3'
sed /^1/d mute >shorter
run 0 nnkgraph --merge --errors shorter
edges 'from to weight error' '1 2 0.7 NA' '3 4 0.1 0.3'
run 0 nnkgraph --merge --symmetrize error --errors mute
edges 'from to weight error' '3 4 0.1 0.3'
of 3 2,1,.5,1,1 3,1,.5,1,1 >some
run 0 nnkgraph --merge --symmetrize max --errors some
edges 'from to weight error' '1 2 0.5 NA' '1 3 0.5 NA'
method=lle of 3 2,1,.5,1,1 3,1,.5,1,1 >some
run 0 nnkgraph --merge some
edges 'from to weight' '1 2 0.25' '1 3 0.25'
method='knn -k 1' of 3 2,1,.5,1,1 3,1,.5,1,1 >some
run 0 nnkgraph --merge some
edges 'from to weight' '1 2 0.5' '1 3 0.5'
method=knnn of 3 2,1,.5,1,1 >some
refuse "shards of no method: '--method knnn'" --merge some
method=smooth of 3 2,1,.5,1,1 >some
refuse "shards of no method: '--method smooth'" --merge some
refuse 'two: no line "# shard" before the header (nnkgraph --shard?)' --merge two

# Statistics.
sed 's/ of 5 / of 6 /' lists >six
logged 0 nnkgraph --merge --symmetrize error six
[ "$(grep '^edges	\|^components	\|^isolated	' log | cut -f 2 | tr '\n' ' ')" = '4 3 2 ' ]
ok $? 'components and isolated rows'
logged 0 nnkgraph --scale none -y none --sigma 2 two
grep -q '^sigma	2$' log && grep -q '^edges	1$' log && grep -q '^components	1$' log &&
	grep -q '^residual	' log
ok $? '-v'

# The same bytes for any number of threads and any shards, and from shards the
# same graph as from all rows.
awk "$uniform"'BEGIN { seed_uniform(1); print "a\tb\tc\td"; for (i = 0; i < 60; i++)
	printf "%d\t%d\t%g\t%g\n", 5 * uniform(), 3 * uniform(), uniform(), uniform() }' >grid

# shards ROWS ARG...: run on blocks of so many rows or so, into shard.I.
shards() {
	blocks=$(((60 + $1 - 1) / $1))
	shift
	rm -f shard.*
	i=1
	while [ $i -le $blocks ]; do
		case $i in ?) file=shard.0$i ;; *) file=shard.$i ;; esac
		nnkgraph --scale none -y none "$@" --shard $i/$blocks -o $file grid
		i=$((i + 1))
	done
}

nnkgraph --scale none -y none --method knn -k 10 --symmetrize none grid >near
every='max min mean node error paper'
turn=0
for how in '--method nnk' '--candidates near' '--method nnk --eta .1' '--method nnk --sigma local' '--method nnk --kernel cosine' '--kernel linear' \
	'--method nnk --sigma .01' '--method knn' '--method radius --radius 1.5' '--method mp' '--method omp' \
	'--method omp --pool all' '--method mp --pool all' '--method lle' '--method lle-gram' '--method lle-signed'; do
	# shellcheck disable=SC2086 # several words
	set -- -q -k 8 $how --errors
	nnkgraph --scale none -y none "$@" --shard 1/1 grid >whole
	for j in 2 3; do
		nnkgraph --scale none -y none "$@" --shard 1/1 -j $j grid | cmp -s - whole
		ok $? "-j $j gives the same bytes, $how"
	done
	nnkgraph --scale none -y none "$@" --symmetrize none grid >directed
	some=${KITH_LONG:+1 3 }7
	case $how in '--method nnk') some='1 3 7' ;; --method\ radius* | '--method omp') some='3 7' ;; esac
	for rows in $some; do
		shards "$rows" "$@"
		sed 1d whole >rows
		awk 'NR == 2 || FNR > 2' shard.* | cmp -s - rows
		ok $? "shards of $rows rows or so, $how"
		nnkgraph --merge --errors --symmetrize none shard.* | cmp -s - directed
		ok $? "merged, $how"
	done
	# All ways to symmetrise for some, and for others two of them in turn.
	case $how in
	*signed*) modes=none ;;
	*lle*) modes='max min mean none' ;;
	'--method nnk' | --method\ radius* | '--method omp') modes=$every ;;
	*)
		turn=$(((turn + 1) % 3))
		case $turn in 0) modes='max node' ;; 1) modes='min error' ;; 2) modes='mean paper' ;; esac
		[ -z "${KITH_LONG:-}" ] || modes=$every
		;;
	esac
	for mode in $modes; do
		nnkgraph --scale none -y none "$@" --symmetrize "$mode" grid >whole
		nnkgraph --merge -q --errors --symmetrize "$mode" shard.* | cmp -s - whole
		ok $? "merged shards are the whole, $how --symmetrize $mode"
	done
done
tail -n +21 grid | { sed 1q grid; cat; } >half
nnkgraph --scale none -y none -k 8 -t half grid >whole
shards 1 -k 8 -t half
sed 1q shard.07 | grep -q '^# shard	7/60 of 60 rows to 41: --method nnk -k 8 --kernel gaussian --scale [a-z]* --sigma 0[.]'
ok $? 'a shard of edges to other rows'
nnkgraph --merge shard.* | cmp -s - whole
ok $? 'shards of 1 row, -t'
misuse 'edges to the rows of -t need --symmetrize none' --merge --symmetrize max shard.*
shards 7 -k 8
refuse 'shard 3/9 is missing' --merge shard.01 shard.02 shard.0[4-9]
refuse 'shard.03: shard 3/9: shard.03 is this shard, too' --merge shard.* shard.03
sed 1,2d shard.04 | cat shard.01 - >mixed
refuse 'shard.02: shard 2/9 has rows of a shard before it' --merge mixed shard.0[2-9]
awk -F '\t' -v OFS='\t' 'NR == 2 || NR == 7 || NR == 30 { $1 = "NA" } 1' grid >holes
nnkgraph -q -y none --na omit -k 7 --symmetrize none holes >whole
for i in 1 2 3; do nnkgraph -q -y none --na omit -k 7 --shard $i/3 holes >part.$i; done
nnkgraph --merge --symmetrize none part.* | cmp -s - whole && grep -q '^60	' whole
ok $? 'shards of a table with rows that are left out'
nnkgraph -y none -k 7 --shard 3/9 grid >shard.03
refuse 'shard.03: a shard of another graph than shard.01: other rows, shards or options' --merge shard.*
run 0 nnkgraph -y none --shard 1/9 two
sed -i 1d stdout
edges 'from to weight error'

# --check.
for how in '' '--eta .1' '--sigma local' '--sigma .3' '--kernel cosine' '-k 99' '--candidates near'; do
	# shellcheck disable=SC2086
	set -- -k 8 $how
	nnkgraph -y none "$@" --symmetrize none grid >graph
	run 0 nnkgraph -y none "$@" --check graph grid
	verdict 'yes yes yes yes' 'weight candidate stationarity dual'
done
run 0 nnkgraph -y none -k 8 --check - grid <<GRAPH
$(nnkgraph -y none -k 8 --symmetrize none grid)
GRAPH
nnkgraph -y none -k 8 --shard 1/1 grid >full
nnkgraph -y none -k 8 --symmetrize none grid >graph
for row in 2 17 80; do
	for change in + -; do
		awk -v OFS='\t' -v r=$row -v c=$change 'NR == r {
			$3 = sprintf("%.17g", $3 * (1 + (c "1e-6"))) } 1' graph >wrong
		run 1 nnkgraph -y none -k 8 --check wrong grid
		verdict 'yes yes no yes'
	done
done
largest=$(sed 1d graph | sort -k 3,3gr | sed -n 1p)
grep -vxF "$largest" graph >wrong
run 1 nnkgraph -y none -k 8 --check wrong grid
ok $(($(awk '$4 == "no"' stdout | wc -l) < 1)) 'the largest edge is missing'
awk 'NR > 2 && $3 == 0 { print $1 "\t" $2 "\t0.001\t1"; exit }' full >edge
cat graph edge >wrong
run 1 nnkgraph -y none -k 8 --check wrong grid
verdict 'yes yes no yes'
printf '1\t%s\t0.5\t1\n' "$(awk 'NR > 1 && $1 == 1 { has[$2] = 1 }
	END { for (j = 2; has[j]; j++); print j }' full)" | cat graph - >wrong
run 1 nnkgraph -y none -k 8 --check wrong grid
ok $(($(awk '$1 == "candidate" { print $2 $4 }' stdout | grep -c '^1no$') != 1)) 'an edge to no candidate'
printf 'from,to,weight\n1,2,1e308\n1,3,1e308\n1,4,1e308\n' >wrong
run 1 nnkgraph -y none -k 99 --check wrong grid
# What --shard prints is the same graph.
run 0 nnkgraph -y none -k 8 --check full grid
verdict 'yes yes yes yes'
run 1 nnkgraph -y none -k 9 --check graph grid
run 1 nnkgraph -y none -k 8 --sigma 1 --check graph grid
nnkgraph -y none -t abc --sigma 1 ab >graph
run 0 nnkgraph -y none -t abc --sigma 1 --check graph ab

# Lengths far apart: each row counts by a unit of its own.
printf 'a,b\n8e100,8\n9e100,4\n3,5\n4,9\n6,2\n1e100,2\n' >lengths
nnkgraph -y none -q -k 4 --kernel linear --symmetrize none lengths >graph
run 0 nnkgraph -y none -k 4 --kernel linear --check graph lengths
verdict 'yes yes yes yes'
# Angles of nothing: distances have no unit for them.
printf 'a,b\n1.9e65,7e-45\n1.7e65,-2e-44\n4e65,5e-49\n3e65,2e-44\n' >angles
nnkgraph -y none -q -k 3 --kernel cosine --symmetrize none angles >graph
run 0 nnkgraph -y none -k 3 --kernel cosine --check graph angles
verdict 'yes yes yes yes'

# Bad data.
printf 'n,x\nu,0\nu,1\n' >twins
refuse 'twins: column "n": listed twice: '"'u'" -y none --id n twins
refuse "twins:2: column \"n\": not a number: 'u' (-y, --id, -x '!COL', tabscale --onehot?)" -y none twins
printf 'a,b\n1,2\n0,0\n' >zero
refuse 'zero: row 2: all features are 0: no cosine' -y none --kernel cosine zero
refuse 'zero: row 2: all features are 0: no cosine' -y none --kernel cosine -t zero ab
printf 'a,y\n3e-296,p\n-2e-296,q\n0,q\n' >faint
refuse 'faint: all features are below 1.5e-154: products underflow (--scale, tabscale?)' \
	--kernel linear --scale none faint
bad() { # ROW MESSAGE: a graph of the two rows with this line
	tabs 'from to weight error' "$1" >edges
	refuse "edges:$2" -y none --check edges two
}
bad '1 3 1 0' "2: column \"to\": not the number of a row: '3'"
bad 'x 2 1 0' "2: column \"from\": not the number of a row: 'x'"
bad '1 1 1 0' "2: column \"to\": the row itself: '1'"
bad "1 2 1 0${nl}1 2 1 0" "3: edge listed twice: from '1' to '2'"
bad '1 2 -1 0' "2: column \"weight\": negative: '-1'"
bad '1 2 x 0' "2: column \"weight\": not a number: 'x'"
bad "1 2 1" "2: 3 cells where the header has 4"
printf 'from,to,weight\nu,z,1\n' >edges
refuse "edges:2: column \"to\": no row has this id: 'z'" --id n --na omit -y c --check edges named
candidate() { # ROW MESSAGE
	printf 'from,to\n%s\n' "$1" >pairs
	refuse "pairs:$2" -y none --candidates pairs two
}
candidate 1,3 "2: column \"to\": not the number of a row: '3'"
candidate 0,2 "2: column \"from\": not the number of a row: '0'"
candidate 2,2 "2: column \"to\": the row itself: '2'"
candidate "2,1${nl}2,1" "3: edge listed twice: from '2' to '1'"
printf 'a b,x\n,0\n' >edges
refuse 'edges:1: no edges (from, to, weight): column "from": not found' -y none --candidates edges two
run 66 nnkgraph -y none --check nowhere two
err "nnkgraph: nowhere: No such file or directory$nl"
run 65 nnkgraph -y z two
err "nnkgraph: two:1: column \"z\": not found (-d?)$nl"
run 74 sh -c 'nnkgraph -y none two >/dev/full'
err "nnkgraph: <stdout>: No space left on device$nl"

# Wrong calls.
for s in 0 -1 x 1e999 ''; do
	misuse "bad --sigma: '$s' (auto, median, local or a number above 0)" --sigma "$s" two
done
misuse '--shard needs --symmetrize none' --shard 1/2 --symmetrize max two
misuse '--shard and --id exclude each other: --merge reads numbers of rows' --shard 1/2 --id x two
misuse '-t needs --symmetrize none' -t two --symmetrize error two
misuse '--check needs --symmetrize none' --check edges --symmetrize error two
misuse '--check needs --method nnk or smooth' --check edges --method knn two
misuse '--check and --shard exclude each other' --check edges --shard 1/2 two
misuse '--merge and -t exclude each other' --merge -t two edges
misuse '--merge and --check exclude each other' --merge --check edges edges
misuse '--merge and --shard exclude each other' --merge --shard 1/2 edges
misuse '--method radius needs --radius X' --method radius two
misuse '--method radius finds its own candidates' --method radius --radius 1 --candidates pairs two
misuse '--pool all and --candidates exclude each other' --method mp --pool all --candidates pairs two
for mode in node error paper; do
	misuse '--symmetrize node, error and paper compare errors; those of lle and lle-gram do not' \
		--method lle --symmetrize $mode two
done
misuse 'standard input named twice (give the rows as operand FILE)' --check -

# Options that change nothing.
unused() { # MESSAGE ARG...
	message=$1
	shift
	case " $* " in *' --merge '*) ;; *) set -- -y none "$@" ;; esac
	run 0 nnkgraph "$@"
	err "nnkgraph: warning: $message$nl"
}
unused '--radius is not used with --method nnk' --radius 1 --sigma 1 two
unused '--eta is not used with --method knn' --method knn --eta 1 --sigma 1 two
unused '--pool is not used with --method nnk' --pool all --sigma 1 two
unused '--kernel is not used with --method lle' --method lle --kernel linear two
unused '--sigma is not used with --method lle' --method lle --sigma 1 two
unused '--sigma is not used with this --kernel' --kernel linear --sigma 1 two
unused '-k is not used with the candidates and bandwidth given' -k 2 --method radius --radius 1 --sigma 1 two
for option in '--sigma 1' '--kernel linear' '--eta 1' --errors; do
	# shellcheck disable=SC2086
	unused "${option%% *} is not used with --method smooth" --method smooth $option two
done
unused '-k is not used with --merge' -k 3 --merge lists
unused '--method is not used with --merge' --method lle --merge lists
nnkgraph -y none --sigma 1 --symmetrize none two >edges
unused '--errors is not used with --check' --errors --sigma 1 --check edges two

# One that is idle is as if it were not there, and does not abort.
run 0 nnkgraph -y none --sigma 1 --candidates edges two
cp stdout due
unused '--pool is not used with --method nnk' --pool all --sigma 1 --candidates edges two
cmp -s due stdout
ok $? 'an idle --pool changes nothing'

# Real data, where they are: edges per row on a rolled surface.
need_shared data/swissroll_noisy.csv.gz
for k in 20 30; do
	run 0 nnkgraph --scale none -j 2 -k $k --symmetrize paper -y target \
		"$shared/data/swissroll_noisy.csv.gz"
	awk -v k=$k 'END { d = (NR - 1) / 5000 - (k == 20 ? 2.993 : 3.136)
		exit d > .01 || d < -.01 }' stdout
	ok $? "edges per row, k = $k"
done

done_testing
