# SPDX-License-Identifier: BSD-2-Clause
# What the two tables of the SQP-FW paper share.
# shellcheck shell=sh
# shellcheck source=common.sh
. "${0%/*}/../common.sh"

# The values of theta: 100 in the paper.
thetas() { grid .001 1 "$(each 20 100)"; }

# judged LEARN K,K,.. CHOOSE < SOLUTIONS: for each solution and each number of neighbours
# theta k n errors error se features, of the rows of CHOOSE.
judged() {
	cat >solutions.all
	sed 1d solutions.all | cut -f 1,2 | uniq >solutions.steps
	while read -r step theta; do
		awk -F '\t' -v OFS='\t' -v step="$step" '
			NR == 1 { print "feature", "weight"; next }
			$1 == step { print $3, $4 }' solutions.all >solutions.w
		knnclf -t "$1" -w solutions.w -k "$2" --print errors "$3" |
			sed "1d; s/^/$theta	/; s/\$/	$(used <solutions.w)/"
	done <solutions.steps
}
