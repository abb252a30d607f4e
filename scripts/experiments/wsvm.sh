# SPDX-License-Identifier: BSD-2-Clause
# What the targets of the WSVM paper share.
# shellcheck shell=sh disable=SC2034 # what they use
# shellcheck source=common.sh
. "${0%/*}/../common.sh"
: "${FIGURES:=figures}" # the folder for tables that are for pictures

# settings DATA R E...: units DATA.gE.cE.SEED, gamma being 10, 1 and .1, or 10 to
# the exponents $gammas, and C0 10 to those given.
settings() {
	set_of=$1 repetitions=$2
	shift 2
	wanted "$set_of" || return 0
	for e; do
		for g in ${gammas-1 0 -1}; do
			seeds "$set_of.g$g.c$e" "$repetitions"
		done
	done
}

# setting UNIT P: $name, $seed, $C; $data, which is the name with the setting;
# and $gamma, that of the paper divided by the P features.
setting() {
	seed=${1##*.} name=${1%.*}
	C=$(ten "${name##*.c}") name=${name%.c*}
	gamma=$(ten "${name##*.g}") name=${name%.g*}
	data="$name gamma $gamma C $C"
	gamma=$(awk -v g="$gamma" -v p="$2" 'BEGIN { printf "%.17g", g / p }')
}

# asked NAME: whether rows that are drawn, which need no file, are asked for.
asked() {
	case " $ONLY " in
	'  ' | *" $1 "*) ;;
	*) return 1 ;;
	esac
}

ten() { awk -v e="$1" 'BEGIN { print 10 ^ e }'; }

# clouds N SEED: rows of eq. (27).
clouds() {
	awk -v n="$1" -v seed="$2" -f "$here/../random.awk" -f "$here/../clouds.awk"
}

# timed COMMAND...: runs a command, a short one up to 25 times; $seconds are those
# of one run.
timed() {
	for runs in 1 5 25; do
		left=$runs
		start
		while [ "$left" -gt 0 ]; do
			"$@"
			left=$((left - 1))
		done
		stop
		awk -v s="$seconds" 'BEGIN { exit s < .05 }' && break
	done
	seconds=$(awk -v s="$seconds" -v n="$runs" 'BEGIN { printf "%.3g", s / n }')
}

# cold P TABLE OPTION...: $seconds are those of a fit by svm-train, from nothing, of
# the first P columns; fails where svm-train is not installed.  It has no weights of
# rows, so it solves points where all are equal.
cold() {
	command -v svm-train >/dev/null || return 1
	awk -F '[\t,]' -v p="$1" 'NR > 1 {
		printf "%s", $NF
		for (j = 1; j <= p; j++)
			printf " %d:%s", j, $j
		print ""
	}' "$2" >libsvm
	shift 2
	timed svm-train -q "$@" libsvm model
}
product() { awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { printf "%.4g", a * b / c }'; }


# ends COLUMN FROM TO < validation path: its values at theta 0 and 1.
ends() {
	awk -F '\t' -v from="$1" -v to="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		NR == 2 { at0 = $column[from] }
		{ at1 = $column[to] }
		END { print at0, at1 }'
}

# figure NAME < table: keeps it for a picture.
figure() {
	mkdir -p "$FIGURES"
	cat >"$FIGURES/$1.tsv"
}
