# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# lib.sh - sourced by each benchmark: a folder, verdicts, and runs in alternating pairs at each
# level of instruction sets (lib/la/level.h) that the machine has: avx2 and avx512, else base.
# OpenBLAS has the kernel of the level, in kith and in peers.
set -eu
tool=$KITH_BUILD/bench
root=$(cd "${0%/*}/../.." && pwd)
data=${KITH_SHARED:-${root%/*}/shared}/data
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
python=/usr/bin/python3 # the one that Debian's packages are for
levels=
for level in avx2 avx512; do
	! KITH_SIMD=$level knnclf --version >/dev/null 2>&1 || levels="$levels $level"
done
: "${levels:=base}"

# at LEVEL COMMAND...: runs the command at the level.
at() {
	(
		export KITH_SIMD="$1"
		case $1 in
		avx512) export OPENBLAS_CORETYPE=SkylakeX ;;
		avx2) export OPENBLAS_CORETYPE=Haswell ;;
		esac
		shift
		"$@"
	)
}

# used COMMAND...: its CPU seconds, seconds, and megabytes at the peak; the output is in $dir/out.
used() {
	"$tool/usage" "$@" 2>"$dir/used" >"$dir/out"
	tail -n 1 "$dir/used"
}

# dgemm: CPU seconds of a product of two 2048 x 2048 matrices.
dgemm() {
	"$tool/unit"
}

# median: of the first numbers of lines.
median() {
	sort -g | awk '{ x[NR] = $1 }
		END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'
}

# verdict GOAL TEXT: the number on standard input is to be no larger than the goal.
verdict() {
	awk -v goal="$1" -v text="$2" 'NR == 1 { printf "%s\t%s\t%.3g\tgoal <= %s\n",
		($1 <= goal) ? "ok" : "slow", text, $1, goal }'
}

# ratio A B
ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { print a / b }'
}

# pairs RUNS GOAL TEXT OURS THEIRS: at each level, the median of the ratios of the first numbers
# that two commands (lists of words) print by turns.  GOAL: a number, or two, for avx512 and avx2.
pairs() {
	for level in $levels; do
		goal=${2##* }
		[ "$level" != avx512 ] || goal=${2%% *}
		for _ in $(seq "$1"); do
			# shellcheck disable=SC2086 # words
			{
				one=$(at "$level" $4)
				other=$(at "$level" $5)
			}
			ratio "${one%% *}" "${other%% *}"
		done >"$dir/pairs"
		median <"$dir/pairs" | verdict "$goal" "$3, $level"
	done
}

# products RUNS GOAL TEXT COMMAND...: pairs of CPU seconds of a command and of dgemm.
products() {
	runs=$1 goal_of=$2 text=$3
	shift 3
	pairs "$runs" "$goal_of" "$text, over dgemm" "used $*" dgemm
}

# have MODULE: whether python has it.
have() {
	"$python" -c "import $1" 2>/dev/null || {
		echo "python3 has no $1: no ratio to it"
		false
	}
}

# has PACKAGE: whether R has it.
has() {
	Rscript -e "library($1)" >/dev/null 2>&1 || {
		echo "R has no $1: no ratio to it"
		false
	}
}

# shared FILE: whether the shared data have it.
shared() {
	[ -r "$data/$1" ] || {
		echo "no $1 in KITH_SHARED: not measured"
		false
	}
}
