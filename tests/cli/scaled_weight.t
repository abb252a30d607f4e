#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The column scaled_weight of weights: what they are of features divided by their standard
# deviations; and the notes before the header.
. "${0%/*}/tap.sh"

cp "$data/wine.csv" wine
awk 'NR == 1 { print $0 ",v"; next } { print $0 "," NR % 3 }' wine | awk -F , -v OFS=, '
	{ t = $NF; $NF = $(NF - 1); $(NF - 1) = t } 1' >weighed

# deviations FILE [PLACE]: feature sd, of the cells that are known; PLACE: a column of weights.
deviations() {
	awk -F , -v by="$2" '
	NR == 1 { for (j = 1; j < NF; j++) name[j] = $j; p = NF - 1; next }
	{
		w = by ? $by : 1
		for (j = 1; j <= p; j++) {
			if ($j == "NA" || w == 0) continue
			n[j]++; sum[j] += w; x[j, n[j]] = $j; v[j, n[j]] = w; mean[j] += w * $j
		}
	}
	END {
		for (j = 1; j <= p; j++) {
			s = 0
			for (i = 1; i <= n[j]; i++) s += v[j, i] * (x[j, i] - mean[j] / sum[j]) ^ 2
			printf "%s\t%.17g\n", name[j], sqrt(n[j] / (n[j] - 1) * s / sum[j])
		}
	}' "$1"
}

# scaled TABLE [PLACE]: the last column of standard output is as the formula says.
scaled() {
	deviations "$1" "${2:-}" >sd
	awk -F '\t' '
	FNR == NR { sd[$1] = $2; next }
	/^#/ { next }
	last == "" {
		last = NF
		for (j = 1; j <= NF; j++) at[$j] = j
		bad = $NF != "scaled_weight"
		w = "weight" in at ? at["weight"] : at["weight_abs"]
		pair = "feature2" in at
		one = pair ? at["feature1"] : at["feature"]
		next
	}
	$one == "NA" { bad = bad || $w != 0 || $last != 0; next }
	{
		due = $w * sd[$one] * (pair ? sd[$(one + 1)] : "weight" in at ? sd[$one] : 1)
		d = $last - due
		if (!(d * d <= 1e-24 * due * due)) bad = 1
		n++
	}
	END { exit bad || n < 3 }' sd stdout
	ok $? 'scaled weights'
}

while read -r how; do
	# shellcheck disable=SC2086 # words
	run 0 $how wine
	scaled wine
done <<'END_OF_CALLS'
sqpfw -q --scale none --theta .01
sqpfw -q --scale zscore --theta .1
sqpfw -q --scale minmax --theta .1
sqpfw -q --scale none --theta .0001,.001,.01
sqpfw -q --scale zscore --path --theta-max .05
relief -q --scale none --method relief
relief -q --scale zscore --method relieff
relief -q --scale minmax --method simba
relief -q --scale zscore --method nca
relief -q --scale zscore --method lfe
immigrate -q --scale none
immigrate -q --scale zscore
immigrate -q --scale zscore --method im4e
immigrate -q --scale zscore --method im4e-immigrate
knife -q --scale zscore --lambda2 .1
knife -q --scale zscore --lambda2 .1 --kernel laplacian
knife -q --scale zscore --grid 4
knife -q --scale minmax --lambda2 .1,1 --kernel laplacian
END_OF_CALLS
for how in 'sqpfw --theta .1' 'relief --method relieff' 'immigrate'; do
	# shellcheck disable=SC2086 # words
	run 0 $how -q --scale zscore --instance-weight v weighed
	scaled weighed 14
done
# Cells that are missing, and texts, whose difference is 0 or 1 in any unit.
awk -F , -v OFS=, 'NR % 7 == 3 { $2 = "NA" } 1' wine >holes
run 0 relief -q --scale none --na model holes
scaled holes
printf 'c,x,y\np,0,a\np,4,a\nq,2,a\nq,1,b\nq,3,b\n' >texts
run 0 relief -q --scale none --method relief texts
[ "$(sed -n 2p stdout)" = "c$tab-0.2$tab-0.2" ]
ok $? 'a text has no deviation'
printf 'x,k,y\n0,5.1,a\n1,5.1,a\n5,5.1,b\n6,5.1,b\n' >constant
run 0 sqpfw -q --scale zscore --theta .1 constant
[ "$(tail -n 1 stdout)" = "k${tab}0${tab}0" ]
ok $? 'a constant feature'

# Sorted by it, features are ranked alike whatever their units.
awk -F , -v OFS=, 'NR > 1 { $1 *= 1024; $3 /= 4096 } 1' CONVFMT=%.17g wine >units
for file in wine units; do
	sqpfw -q --theta .1 --scale zscore $file | sed '/^#/d' | sed 1d | LC_ALL=C sort -t "$tab" -k 3gr |
		cut -f 1 >"rank.$file"
done
cmp -s rank.wine rank.units
ok $? 'ranks do not depend on units'

# The notes: theta changes nothing, k is what knnclf takes.
run 0 sqpfw -q --scale zscore --theta .1 wine
[ "$(sed -n 1,2p stdout)" = "# scale${tab}zscore$nl# theta${tab}0.1" ]
ok $? 'scale and theta'
cp stdout w
run 0 sqpfw -q --scale zscore --theta .1,.2 wine
! grep -q 'theta.*0' stdout || [ "$(grep -c '^#' stdout)" = 1 ]
ok $? 'no theta of a list'
grep -v '^#' w >plain
logged 0 knnclf --loo -k 3 -w w wine
! grep -q unknown log
ok $? 'both are known'
cp stdout due
{ printf '# k\t3\n' && cat w; } >three
run 0 knnclf --loo -w three wine
cmp -s stdout due
ok $? 'k of the table'
run 0 knnclf --loo -k 5 -w three wine
err "knnclf: warning: -k is not 3, for which three was found$nl"
run 0 knnclf --loo -k 3 -w three wine
err ''
run 0 knnclf --loo -k 1,3 -w three wine
err ''
{ printf '# k\t0\n' && cat w; } >bad
run 65 knnclf --loo -w bad wine
err "knnclf: bad:1: k: not a count from 1: '0'$nl"
done_testing
