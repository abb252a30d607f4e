# SPDX-License-Identifier: BSD-2-Clause
# What nnk-table2 and nnk-table3 share: votes of neighbours, and the choice of
# their parameters by 5-fold cross-validation on the training rows.
# shellcheck shell=sh
export LC_ALL=C
scales='.1 .5 1 5 10' # sigma; L/C of k*NN

# vote METHOD SCALE ARG...: knnclf as the paper's method of this name.  What
# follows the name after a blank tells how it is used.
vote() {
	vote=$1 scale=$2
	shift 2
	case $vote in
	kNN*) knnclf --scale none -q --vote kernel --sigma "$scale" "$@" ;;
	'k*NN'*) knnclf --scale none -q --vote kstar --ratio "$scale" "$@" ;;
	NNK*) knnclf --scale none -q --vote nnk --sigma "$scale" "$@" ;;
	*) die 70 "no method $vote" ;;
	esac
}

# chosen METHOD K,... SEED TABLE: the best pair, as "K SCALE".
chosen() {
	for s in $scales; do
		vote "$1" "$s" --cv 5 --seed "$3" -k "$2" "$4" |
			awk -v s="$s" 'NR > 1 { print $3, $1, s }'
	done | sort -k 1,1n -k 2,2n -k 3,3n | awk 'NR == 1 { print $2, $3 }'
}

# judge DATA METHOD K,... SEED TRAIN TEST: puts the test error with the best
# pair, and the pair where there was a choice of k.  K may be all: all rows of
# the training part, which is what k*NN is without a bound of ours.
judge() {
	n=$(($(wc -l <"$5") - 1))
	start
	case $3 in
	all)
		pair=$(chosen "$2" "$((n - (n + 4) / 5))" "$4" "$5")
		pair="$n ${pair#* }"
		;;
	*) pair=$(chosen "$2" "$3" "$4" "$5") ;;
	esac
	error=$(vote "$2" "${pair#* }" -k "${pair% *}" -t "$5" --print errors "$6" |
		cell 2 error)
	stop
	put "$1" "$2" error "$4" "$error" "${seconds:-NA}"
	case $3 in
	*,*)
		put "$1" "$2" 'median k' "$4" "${pair% *}"
		put "$1" "$2" 'median sigma or L/C' "$4" "${pair#* }"
		;;
	esac
}
