# SPDX-License-Identifier: BSD-2-Clause
# What the targets in run/ share; each sources this, defines units and unit, and
# ends with: main "$@".
#
#   units    prints the names of its units, DATA.SEED as a rule, a line each, of
#            the protocol $SIZE (quick or full)
#   unit U   measures one and says what it found by put
#   finish   may derive more from all that was put (a filter, cat by default)
#
# A unit works in a folder of its own, which is gone afterwards.  $round_part says
# where its name has the number of its repetition: 1, behind the last dot; 2, before
# that; 0, nowhere, and then it belongs to the first round.  Of SEED-FOLD each fold
# is a repetition.
# shellcheck shell=sh disable=SC2034 # what they use
set -eu
export LC_ALL=C
here=$(CDPATH='' cd -- "${0%/*}" && pwd)
seconds=NA # of what ran between start and stop
: "${DATA:?where the data sets are}" "${SIZE:=full}" "${ONLY:=}" "${ROUND:=}"
round_part=1

die() { # STATUS TEXT
	printf '%s: %s\n' "${0##*/}" "$2" >&2
	exit "$1"
}

quick() { [ "$SIZE" = quick ]; }
# each QUICK FULL: what this size takes of the two.
each() { if quick; then echo "$1"; else echo "$2"; fi; }

# file NAME: where a data set is; fails where it is not.
file() {
	for f in "$DATA/$1.csv" "$DATA/$1.csv.gz"; do
		[ ! -f "$f" ] || { printf '%s\n' "$f" && return; }
	done
	return 1
}

# wanted NAME [FILE]...: whether a data set is asked for and its files are there.
wanted() {
	case " $ONLY " in
	'  ' | *" $1 "*) ;;
	*) return 1 ;;
	esac
	[ $# -eq 1 ] || shift
	for f; do file "$f" >/dev/null || return 1; done
}

# afford NAME MOST: how many of MOST repetitions a data set gets: of MOST, 30, 10, 5
# and 3 the most whose CPU seconds, by costs.tsv, are within its share, 3 at least.
# All targets share the 24 hours of two processors equally, and the sets of one its
# share.
afford() {
	awk -F '\t' -v target="${0##*/}" -v name="$1" -v most="$2" '
		FILENAME ~ /targets/ { targets += FNR > 1; next }
		$1 == target { sets++; if ($2 == name) cost = $3 }
		END {
			share = 2 * 24 * 3600 / targets / (sets ? sets : 1)
			n = split("30 10 5 3", step, " ")
			r = most
			for (i = 1; i <= n && r * cost > share; i++)
				if (step[i] < r)
					r = step[i]
			print r
		}' "$here/../targets.tsv" "$here/../costs.tsv"
}

# rounds < units: those of the first $ROUND repetitions, or all.
rounds() {
	awk -F . -v most="$ROUND" -v part="$round_part" '
		{
			r = part ? $(NF + 1 - part) : 1
			sub(/.*-/, "", r)
		}
		most == "" || r + 0 <= most + 0'
}

# seeds NAME R: the units NAME.1 .. NAME.R.
seeds() {
	i=1
	while [ "$i" -le "$2" ]; do
		echo "$1.$i"
		i=$((i + 1))
	done
}

# rows NAME: its table.
rows() {
	f=$(file "$1") || die 66 "no data set $1 in $DATA"
	case $f in *.gz) gzip -dc "$f" ;; *) cat "$f" ;; esac
}

# thin N SEED < table: about N of the rows, each class by its share; all, where
# there are no more.  Options of tabfold may follow.
thin() {
	n=$1 seed=$2
	shift 2
	cat >thin.all
	rest=$(($(wc -l <thin.all) - 1 - n))
	if [ "$rest" -gt 0 ]; then
		tabfold -q --shares "$n:$rest" --part 1 --seed "$seed" "$@" thin.all
	else
		cat thin.all
	fi
}

# scaled FILE...: standardises the first table by itself, and the others like
# it, as NAME.z each; columns constant in the first become 0.  A missing cell is what
# $na says.
na=error
scaled() {
	tabscale -q --na "$na" --save scale "$1" >"$1.z"
	shift
	for f; do tabscale -q --na "$na" --apply scale "$f" >"$f.z"; done
}

# grid A B N: N numbers from A to B at equal ratios, divided by commas.
grid() {
	awk -v a="$1" -v b="$2" -v n="$3" 'BEGIN { for (i = 0; i < n; i++)
		printf "%s%.6g", (i ? "," : ""), a * exp(log(b / a) * i / (n - 1)) }'
}

# cell LINE COLUMN < table: one of its cells; line 1 is the header, columns have
# names.
cell() {
	awk -F '\t' -v line="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
		NR == line { print $c }'
}

# logged KEY < LOG: the last value of the key in what -v printed.
logged() { awk -F '\t' -v key="$1" '$1 == key { value = $2 } END { print value }'; }

# used < WEIGHTS: how many of the weights are above 0.
used() { awk -F '\t' 'NR > 1 && $2 > 0 { n++ } END { print n + 0 }'; }

# lambdas N TABLE: N values of lambda2, from that of no feature down to a thousandth of it.
lambdas() {
	knife --scale none -q --grid "$1" --max-iter 50 "$2" | awk -F '\t' 'NR > 1 && $1 != last {
		last = $1; list = $2 (list ? "," list : "") } END { print list }'
}

# choose_lambda2 LIST PARTS SEED TABLE: the one of the list, in which the largest is the simplest,
# whose machines predict best.
choose_lambda2() {
	tabcv -q -n "$2" --seed "$3" --best "$4" "lambda2=$1" -- \
		'knife --scale none -q --lambda2 {lambda2} --save-model {tmp}/model {train} >{tmp}/w
		kpredict -m {tmp}/model {test}' | awk 'NR == 2 { print $1 }'
}

# allow COMMAND...: runs it; weights that have not converged (status 1) are used all the same.
allow() { "$@" || [ $? = 1 ]; }

# The CPU seconds of what has run between start and stop, in $seconds.
start() { times >clock.0; }
stop() {
	times >clock.1
	seconds=$(awk '
		function sec(t) { sub(/s$/, "", t); split(t, p, "m"); return 60 * p[1] + p[2] }
		FNR == 2 { t[++n] = sec($1) + sec($2) }
		END { s = t[2] - t[1]; printf((s >= 1000 ? "%.0f" : "%.3g"), s) }' clock.0 clock.1)
}

# put DATA METHOD MEASURE REPETITION VALUE [SECONDS]
put() {
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$5" "${6-NA}"
}

units() { die 70 'no units'; }
unit() { die 70 'no unit'; }
finish() { cat; }

main() {
	case $1 in
	--units) units | rounds ;;
	--finish) finish ;;
	*)
		work=$(mktemp -d)
		trap 'rm -rf "$work"' EXIT
		trap 'exit 130' INT TERM HUP
		cd "$work"
		printf '# %s\t%s\n' "${REVISION:-unknown}" "$(date +%Y-%m-%d)"
		unit "$1"
		;;
	esac
}
