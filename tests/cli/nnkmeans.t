#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# nnkmeans: what it prints, and how it fails.
. "${0%/*}/tap.sh"

# By hand: two rays, the atoms are a row of each; and what they make together.
printf 'n,a,b\nw,1,0\nx,0,2\ny,3,0\nz,0,5\n' >rays
run 0 nnkmeans --id n --atoms 2 -k 1 --seed 1 rays
[ "$(tail -n 2 stdout | sort)" = "$(printf '0\t5\n3\t0')" ]
ok $? 'an atom for each ray'
err ''
run 0 nnkmeans --id n --atoms 2 -k 1 --print errors rays
table 'id error' 'w 0' 'x 0' 'y 0' 'z 0'
run 0 nnkmeans --id n --atoms 2 -k 1 --print codes rays
table 'from to weight' 'w 2 0.3333333333333333' 'x 1 0.4' 'y 2 1' 'z 1 1'
run 0 nnkmeans --ignore n --atoms 2 -k 1 --kernel cosine rays
[ "$(tail -n 2 stdout | sort)" = "$(printf '0\t1\n1\t0')" ]
ok $? 'of length 1 with the cosine'
run 0 nnkmeans -x a,b --atoms 4 -k 9 rays
[ "$(tail -n +2 stdout | sort)" = "$(tail -n +2 rays | cut -d , -f 2,3 | tr ',' '\t' | sort)" ]
ok $? 'as many atoms as rows, and k above that'
run 0 nnkmeans -x a --atoms 1 rays
table a 3

# -y names what is no feature, as do --id and --ignore.
cp "$data/iris.csv" iris.csv
run 0 nnkmeans -y class --atoms 6 -k 2 iris.csv
cp stdout atoms.tsv
head -n 1 iris.csv | tr , '\t' | cut -f 1-4 >due
head -n 1 atoms.tsv | cmp -s due -
ok $? 'the features are the columns'
[ "$(wc -l <atoms.tsv)" -eq 7 ]
ok $? 'an atom a row'
run 0 nnkmeans --ignore class --atoms 6 -k 2 iris.csv
cmp -s stdout atoms.tsv
ok $? '--ignore does the same'
run 0 sh -c 'nnkmeans -x 1:4 --atoms 6 -k 2 <iris.csv'
cmp -s stdout atoms.tsv
ok $? 'and -x, on standard input'
run 0 sh -c 'sed 1d iris.csv | nnkmeans -H -y 5 --atoms 6 -k 2'
sed 1d stdout >got
sed 1d atoms.tsv | cmp -s - got
ok $? '-H'
[ "$(head -n 1 stdout)" = "V1${tab}V2${tab}V3${tab}V4" ]
ok $? 'then columns are V1 and so on'
run 0 nnkmeans -y class --atoms 6 -k 2 --seed 2 iris.csv
cmp -s stdout atoms.tsv
[ $? -eq 1 ]
ok $? 'another seed, another start'
for kernel in linear cosine; do
	run 0 nnkmeans -y class --kernel $kernel --atoms 9 -k 3 iris.csv
	cp stdout due
	for j in 2 3; do
		run 0 nnkmeans -y class --kernel $kernel --atoms 9 -k 3 -j $j iris.csv
		cmp -s stdout due
		ok $? "$j threads, $kernel"
	done
	for core in Haswell Prescott; do
		run 0 env OPENBLAS_CORETYPE=$core nnkmeans -y class \
			--kernel $kernel --atoms 9 -k 3 iris.csv
		cmp -s stdout due
		ok $? "the OpenBLAS of $core, $kernel"
	done
done

# What atoms leave of rows is what the graph from rows to atoms says, but for
# rows that keep older candidates.
for kernel in linear cosine; do
	set -- -y class --atoms 8 -k 3 --kernel $kernel iris.csv
	nnkmeans "$@" >atoms
	nnkmeans --log log --print errors "$@" >left
	nnkmeans --print codes "$@" >used
	older=$(awk '$1 == "older" { print $2 }' log)
	run 0 nnkgraph --kernel $kernel -k 3 -t atoms --errors --min-weight 0 iris.csv
	awk -F '\t' -v older="$older" '
		FILENAME == "left" { J[$1] = $2 }
		FILENAME == "used" && FNR > 1 { w[$1, $2] = $3; code[$1]++ }
		FILENAME == "stdout" && FNR > 1 {
			graph[$1] = 2 * $4
			v[$1, $2] = $3
			edges[$1]++
		}
		function far(a, b) { return a - b > 1e-9 || b - a > 1e-9 }
		END {
			for (i in graph) {
				worse += graph[i] < J[i] - 1e-9
				if (far(graph[i], J[i])) {
					other++
					continue
				}
				bad += edges[i] != code[i]
			}
			for (e in v) {
				split(e, at, SUBSEP)
				if (!far(graph[at[1]], J[at[1]]))
					bad += far(v[e], w[e])
			}
			exit worse + bad + (other + 0 > older) > 0
		}' left used stdout
	ok $? "$kernel: the errors and weights of nnkgraph"
	awk '$1 == "objective" { J = $2 } FILENAME == "left" { sum += $2 }
		END { exit !(sum - J < 1e-9 && J - sum < 1e-9) }' log left
	ok $? 'the objective is their sum'
done
awk -F '\t' -v OFS='\t' '{ print $0, NR == 1 ? "class" : NR % 2 }' atoms >labelled
run 0 knnclf -t labelled iris.csv
err ''

# Wholly constant tables, zeros, one row, copies.
printf 'a,b\n0,0\n0,0\n' >zeros
run 0 nnkmeans --atoms 2 zeros
table 'a b' '0 0' '0 0'
run 0 nnkmeans --atoms 1 --print errors zeros
table 'id error' '1 0' '2 0'
printf 'a,b\n2,1\n2,1\n2,1\n' >copies
for kernel in linear cosine; do
	run 0 nnkmeans --atoms 2 --kernel $kernel --print errors copies
	table 'id error' '1 0' '2 0' '3 0'
done
printf 'a\n-3\n' >one
run 0 nnkmeans --atoms 1 one
table a -3
printf 'a,b\n1,-1\n-1,1\n' >against
run 0 nnkmeans --atoms 1 --print codes against
[ "$(wc -l <stdout)" -eq 2 ]
ok $? 'no weight is negative'

# Missing cells.
printf 'a,b\n1,2\n,4\n3,6\n' >holes
refuse "holes:3: column \"a\": missing: '' (--na omit or mean?)" --atoms 1 holes
run 0 nnkmeans --atoms 1 --na omit --print errors holes
table 'id error' '1 0' '3 0'
run 0 nnkmeans --atoms 1 --na mean --print errors holes
awk 'NR > 1 && $2 > 1e-28 { exit 1 }' stdout
ok $? 'the mean is on the same ray'

# Any scale; squares that are no doubles.
for e in 140 -290; do
	printf 'a,b\n1e%s,0\n0,2e%s\n3e%s,0\n0,5e%s\n' $e $e $e $e >scaled
	run 0 nnkmeans --atoms 2 -k 1 scaled
	[ "$(tail -n 2 stdout | sed 's/+//' | sort)" = "$(printf '0\t5e%s\n3e%s\t0' $e $e)" ]
	ok $? "rows near 1e$e"
	run 0 nnkmeans --atoms 2 -k 1 --kernel cosine --print errors scaled
	table 'id error' '1 0' '2 0' '3 0' '4 0'
	refuse 'squares of the rows leave the range of a double: no errors (tabscale?)' \
		--atoms 2 --print errors scaled
done
printf 'a,b\n1e-300,0\n0,1e150\n' >apart
refuse 'apart: numbers near 1e-300 and 1e+150 are too far apart (tabscale?)' \
	-q --atoms 1 apart
refuse 'zeros: row 1: all features are 0: no cosine' --atoms 1 --kernel cosine zeros
refuse 'rays: --atoms 5: only 4 rows' --ignore n --atoms 5 rays
refuse_file 'a,b\n' ": no row below the header" --atoms 1
refuse_file 'a,b\n1,x\n' ":2: column \"b\": not a number: 'x' (-y, --id, --ignore, tabscale --onehot?)" --atoms 1
run 66 nnkmeans --atoms 1 nowhere

# What --max-iter ends.
run 1 nnkmeans -y class --atoms 5 -k 2 --max-iter 2 iris.csv
err "nnkmeans: warning: not converged after 2 iterations (--max-iter)$nl"
[ "$(wc -l <stdout)" -eq 6 ]
ok $? 'the atoms are printed'
run 0 nnkmeans -q --best-effort -y class --atoms 5 -k 2 --max-iter 2 iris.csv
err ''
run 0 nnkmeans -v --log log -y class --atoms 5 -k 2 --tol .5 iris.csv
grep -q '^nnkmeans: [0-9] iterations, J [0-9.]*$' stderr
ok $? '-v tells J'
for key in rows features seed threads iterations converged objective unused older; do
	grep -q "^$key	" log
	ok $? "the log has $key"
done

misuse 'missing --atoms N (how many atoms to find)' iris.csv
run 2 nnkmeans --atoms 0 iris.csv
run 2 nnkmeans --atoms 1 -k 0 iris.csv
run 2 nnkmeans --atoms 1 --kernel gaussian iris.csv
run 2 nnkmeans --atoms 1 --tol -1 iris.csv
run 2 nnkmeans --atoms 1 -y class -x class iris.csv

done_testing
