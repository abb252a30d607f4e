#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Very long, very wide, and one very long line: read within memory that is
# proportional to the data, or refused.  A tenth of that unless KITH_LONG=1.
. "${0%/*}/tap.sh"

size=10
if [ "${KITH_LONG:-}" = 1 ]; then
	size=1
fi

within() { # MEGABYTES STATUS COMMAND
	limit=$(((64 + $1 / size) * 1024))
	if [ "${KITH_MODE:-}" = asan ]; then
		limit=unlimited # sanitizers take what they want
	fi
	run "$2" sh -c "ulimit -v $limit && $3"
}

# As many rows: their mean is 0 when they are scaled.
n=$((10000000 / size))
{ echo a && seq $n; } >rows
within 400 0 'tabscale -y none --method minmax rows -o scaled'
out ''
[ "$(wc -l <scaled)" -eq $((n + 1)) ]
ok $? 'all rows are there'
[ "$(sed -n '2p;$p' scaled | tr '\n' ' ')" = '0 1 ' ]
ok $? 'from the first to the last'

# As many columns.
p=$((1000000 / size))
{
	seq -s , -f 'c%.0f' $p
	seq -s , $p
	seq -s , 2 $((p + 1))
} >columns
within 300 0 'tabscale -y none --method minmax columns -o scaled'
tr '\t' '\n' <scaled | sort | uniq -c | sort -n | tail -n 2 >got
same got "$(printf '%7d 0\n%7d 1' $p $p)$nl"
within 300 65 "tabscale -y c0 columns"
err "tabscale: columns:1: column \"c0\": not found$nl"
{
	cat columns
	echo 1,2
} >ragged
within 300 65 'tabscale ragged'
err "tabscale: ragged:4: 2 cells where the header has $p$nl"

# One cell of so many bytes: as text, as a name, as a number, in quotes.
bytes=$((100000000 / size))
long() { head -c $bytes /dev/zero | tr '\0' "$1"; }
{
	printf 'a,b\n1,'
	long x
	printf '\n2,y\n'
} >line
within 400 0 'tabscale --method none line -o copy'
tr ',' '\t' <line | cmp - copy
ok $? 'a long cell is copied'
sed 's/,\(xx*\)/,"\1"/' line >quoted
within 600 0 'tabscale --method none quoted -o copy'
tr ',' '\t' <line | cmp - copy
ok $? 'in quotes too'
{
	long x
	printf '\n1\n2\n'
} >name
within 400 0 'tabscale -y none --method none name -o copy'
cmp name copy
ok $? 'a long name is copied'
{
	printf 'a,b\n'
	long 1
	echo ,x
} >number
within 400 65 'tabscale number'
ones=$(head -c 60 /dev/zero | tr '\0' 1)
err "tabscale: number:2: column \"a\": too large for a double: '$ones'$nl"
{
	printf 'a,b\n1,"'
	long x
} >open
within 400 65 'tabscale open'
err "tabscale: open:2: quoted cell without end$nl"

done_testing
