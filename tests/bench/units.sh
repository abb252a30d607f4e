# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2034 # those who source this use the variables
# units.sh - sourced by all benchmarks: where things are, medians, ratios, verdicts.
set -eu
root=$(cd "${0%/*}/../.." && pwd)
shared=${KITH_SHARED:-${root%/*}/shared}
data=$shared/data
tool=$KITH_BUILD/bench
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
python=/usr/bin/python3 # the one that Debian's packages are for

median() { # FIELD FILE
	cut -d ' ' -f "$1" "$2" | sort -g | awk '{ x[NR] = $1 }
		END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'
}

least() { # FILE: of its first column
	sort -g "$1" | awk 'NR == 1 { print $1 }'
}

ratio() { # A B
	awk -v a="$1" -v b="$2" 'BEGIN { print a / b }'
}

verdict() { # VALUE GOAL TEXT [SIGN]: the value is to be no larger, or no smaller (>=)
	awk -v r="$1" -v goal="$2" -v text="$3" -v sign="${4:-<=}" 'BEGIN {
		printf "%s\t%s\t%.3g\tgoal %s %s\n",
			(sign == "<=" ? r <= goal : r >= goal) ? "ok" : "slow", text, r, sign, goal }'
}

# took NAME COMMAND...: its CPU seconds, a line of the file NAME.
took() {
	name=$1
	shift
	"$tool/usage" "$@" 2>&1 >/dev/null | awk 'END { print $1 }' >>"$dir/$name"
}

# Goals in units: one is the CPU time of 5e10 operations of cblas_dgemm in one thread,
# with the kernel for Haswell, measured in the same run (unit.c); about a second.

# units GOAL TEXT COMMAND [ARG...]: print the CPU time of a command over a unit,
# the median of five, a unit being measured beside each of them.
units() {
	goal=$1
	text=$2
	shift 2
	for _ in 1 2 3 4 5; do
		took=$("$tool/usage" "$@" 2>&1 >/dev/null | awk 'END { print $1 }')
		unit_seconds=$(OPENBLAS_CORETYPE=Haswell OPENBLAS_NUM_THREADS=1 \
			"$tool/unit" second)
		awk -v a="$took" -v b="$unit_seconds" 'BEGIN { print a / b }'
	done | sort -g | awk -v goal="$goal" -v text="$text" 'NR == 3 {
		printf "%s\t%s, units\t%.3g\tgoal <= %s\n",
			($1 <= goal) ? "ok" : "slow", text, $1, goal }'
}
