#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Text that is read on several threads: the same bytes, and the same errors at the
# same places, from files and from pipes.
. "${0%/*}/tap.sh"

awk 'BEGIN {
	print "id,a,b,\"c,d\",class"
	for (i = 1; i <= 20000; i++)
		printf "%s,%.6f,%.3e,%d,%s\n", i % 1000 ? i : "\"i\n\"\"" i "\"", sin(i),
			cos(i * i) * 1e9, i % 97, i % 7 ? "x" : "\"y z\""
}' >t.csv
sed -n 1,20p t.csv >q.csv
gzip -c t.csv >t.csv.gz
cat t.csv t.csv t.csv t.csv | sed -e '1!{/^id,/d' -e '}' | tr , '\t' |
	sed 's/^"c	d"/c/; 1s/"c	d"/c/' >t.tsv

# alike STATUS COMMAND...: the same, whatever the threads, from files and pipes.
alike() {
	status=$1
	shift
	run "$status" "$@" -j 1 t.csv
	cp stdout due
	cp stderr due.err
	for j in 2 5; do
		run "$status" "$@" -j $j t.csv
		cmp -s due stdout && cmp -s due.err stderr
		ok $? "$*: -j $j says the same"
		# shellcheck disable=SC2002 # a pipe is meant
		cat t.csv | timeout 60 "$@" -j $j >stdout 2>stderr
		cmp -s due stdout && sed 's/<stdin>/t.csv/' stderr | cmp -s due.err -
		ok $? "$*: -j $j, from a pipe"
	done
}
alike 0 knnclf -q --id id -t q.csv
knnclf -q -x !id -t t.csv.gz q.csv -j 3 >got
knnclf -q -x !id -t t.csv q.csv | cmp -s got -
ok $? 'gzip'
knnclf -q -x !id -t t.tsv q.csv -j 3 >got 2>err
knnclf -q -x !id -t t.tsv q.csv 2>err | cmp -s got -
ok $? 'tabs'

# Mistakes far behind the beginning.
cp t.csv whole.csv
wrong() { # SED
	sed "$1" whole.csv >t.csv
	alike 65 knnclf -x !id --loo
}
wrong '15000s/,[^,]*$//'
wrong '15000s/,[^,]*,/,oops,/'
wrong '15000s/^[^,]*,[^,]*/1,NA/; 16000s/^[^,]*,[^,]*/1,/; 17000s/,[^,]*$//'
wrong '15000s/.*//'
wrong '15000s/^/"/'
wrong '15000s/^/"/; 15001s/$/"x"/'
wrong '15000s/0/1e999/'
wrong '15000s/$/,/; 15001s/^/"/'
sed '15000s/.*//; 15001,$d' whole.csv >t.csv
alike 0 knnclf -x !id -t q.csv
{
	sed -n 1,15000p whole.csv
	printf 'a\000b\n'
	sed 1,15000d whole.csv
} >t.csv
alike 65 knnclf -x !id --loo
head -c 100000 t.csv.gz >cut.gz
for j in 1 2; do
	run 65 knnclf -j $j -x !id --loo cut.gz
	err "knnclf: cut.gz: truncated gzip$nl"
done
{
	sed -n 1,15000p whole.csv
	printf 'x,'
	cat /dev/zero
} | timeout 60 knnclf -j 2 -x !id --loo >stdout 2>stderr
[ $? -eq 65 ]
ok $? 'null bytes without end'
err "knnclf: <stdin>:15001: null byte: not a text file$nl"

done_testing
