#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Commands that use OpenBLAS, in address spaces of all sizes: they print what
# they always print, or say that there is no memory; they never hang, or end by
# a signal.  Where there is least, the dynamic loader itself fails (127).
. "${0%/*}/tap.sh"

if [ "${KITH_MODE:-}" = asan ]; then
	skip 'sanitizers need more address space than there is here'
	done_testing
	exit
fi

sed -n 1,200p "$data/wdbc.csv" >rows.csv
nnkgraph -q -y -1 rows.csv >edges.tsv
awk 'BEGIN {
	print "from\tto\tweight"
	for (i = 1; i <= 300; i++)
		print i "\t" i % 300 + 1 "\t" 1 + i % 7
}' >ring
step=140000 # to 720000 KB
[ "${KITH_LONG:-}" ] && step=5000
# What OpenBLAS would do by itself when it is loaded.
OPENBLAS_NUM_THREADS=4
export OPENBLAS_NUM_THREADS
# Each thread that begins while others work may have an arena of glibc, 64 MB of addresses.
export MALLOC_ARENA_MAX=4

# within KB COMMAND...: run it in so much address space; its status.
within() {
	within_kb=$1
	shift
	(
		# shellcheck disable=SC3045 # dash and bash have it
		[ "$within_kb" = all ] || ulimit -v "$within_kb"
		exec timeout 10 "$@" >stdout 2>stderr
	)
}

# One line, which says what is missing.
says_so() {
	[ "$(wc -l <stderr)" -eq 1 ] &&
		grep -q '^[a-z]*: no memory for [0-9]* x [0-9]* bytes$' stderr
}

cat >calls <<'EOF'
eigenmap --rows 300
immigrate --max-iter 20
knife --lambda2 1
knnclf --loo -k 5
knnclf --loo --vote expected
labelprop --nodes rows.csv --reveal .5
nnkgraph -y -1
relief --method lfe
sqpfw --theta 1
wsvmpath --print events --from 1 --to 2
EOF

for tool in "$KITH_BUILD"/*; do
	if [ -d "$tool" ] || [ ! -x "$tool" ]; then
		continue
	fi
	ldd "$tool" | grep -q openblas || continue
	grep -q "^${tool##*/} " calls
	ok $? "${tool##*/}, which loads OpenBLAS, is called below"
done

while read -r line; do
	for threads in 1 4; do
		case $line in
		eigenmap*) rows=ring ;;
		labelprop*) rows=edges.tsv ;;
		*) rows=rows.csv ;;
		esac
		# shellcheck disable=SC2086 # words
		set -- $line -j $threads $rows
		within all "$@" -q
		status=$?
		cp stdout due
		wrong=
		enough=
		loaded=
		kb=20000
		while [ $kb -le 720000 ]; do
			within $kb "$@" -q
			got=$?
			case $got in
			"$status")
				cmp -s stdout due || wrong="$wrong $kb:output"
				enough=${enough:-$kb}
				;;
			71) says_so || wrong="$wrong $kb:message" ;;
			127) [ "$loaded" ] && wrong="$wrong $kb:$got" ;;
			*) wrong="$wrong $kb:$got" ;;
			esac
			[ $got -eq 127 ] || loaded=yes
			kb=$((kb + step))
		done
		[ "$status" -eq 0 ] && [ -z "$wrong" ]
		ok $? "$*: $status within any KB, but for:$wrong"
		[ "$enough" ]
		ok $? "$*: ${enough:-nothing} KB are enough"
	done
done <calls

# Several threads find no memory at once, while others are at work.
awk "$uniform"'BEGIN {
	seed_uniform(1)
	for (i = 0; i <= 3000; i++) {
		for (j = 0; j < 60; j++)
			printf "%s,", i ? uniform() : "x" j
		print i ? i % 2 : "y"
	}
}' >many.csv
within all knnclf --loo -k 5 many.csv
cp stdout due
wrong=
for kb in 220000 240000 260000 280000 300000 320000 340000 360000 380000 400000; do
	within $kb knnclf --loo -k 5 -j 8 many.csv
	case $? in
	0) cmp -s stdout due || wrong="$wrong $kb:output" ;;
	71) says_so || wrong="$wrong $kb:message" ;;
	*) wrong="$wrong $kb" ;;
	esac
done
[ -z "$wrong" ]
ok $? "eight threads within too little memory: 0 or 71, but for:$wrong"

done_testing
