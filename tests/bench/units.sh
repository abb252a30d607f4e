# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# units.sh - sourced by benchmarks whose goals are stated in units: one is the
# CPU time of 5e10 operations of cblas_dgemm in one thread, with the kernel for
# Haswell, measured in the same run (unit.c); about a second.

# units GOAL TEXT COMMAND [ARG...]: print the CPU time of a command over a unit,
# the median of five, a unit being measured beside each of them.
units() {
	goal=$1
	text=$2
	shift 2
	for _ in 1 2 3 4 5; do
		took=$("$KITH_BUILD/bench/usage" "$@" 2>&1 >/dev/null | awk 'END { print $1 }')
		one=$(OPENBLAS_CORETYPE=Haswell OPENBLAS_NUM_THREADS=1 \
			"$KITH_BUILD/bench/unit" second)
		awk -v a="$took" -v b="$one" 'BEGIN { print a / b }'
	done | sort -g | awk -v goal="$goal" -v text="$text" 'NR == 3 {
		printf "%s\t%s, units\t%.3g\tgoal <= %s\n",
			($1 <= goal) ? "ok" : "slow", text, $1, goal }'
}
