#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# wsvmpath, a fit at one C: of many rows on the margin of a narrow kernel, which
# needs no factor, it is where a path begins.
. "${0%/*}/tap.sh"

# 700 rows, of which some are copies, and two classes that overlap.
awk 'function unit() {
		seed = (seed * 1103515245 + 12345) % 2147483648
		return seed / 2147483648
	}
	BEGIN {
		seed = 7
		print "a\tb\tc\td\te\tf\tclass\tvalue"
		for (i = 1; i <= 700; i++) {
			row = ""
			for (j = 0; j < 6; j++)
				row = row sprintf("%.6f\t", 6 * unit())
			if (i % 15 == 0)
				row = first
			first = row
			kept = unit() < .5 ? "x" : "y"
			printf "%s%s\t%.6f\n", row, kept, unit()
		}
	}' >rows
rows='-x !value -y class --gamma 2 rows'
numbers='-x !class -y value --task regress --epsilon .01 --gamma 2 rows'

# shellcheck disable=SC2086 # several words
for task in "$rows" "$numbers"; do
	run 0 wsvmpath --from 5 --to 5 --print coef $task
	err ''
	awk -F '\t' '$1 == "step" || $1 == 1' stdout >fit
	cp stdout all
	for threads in 2 3; do
		run 0 wsvmpath -j "$threads" --from 5 --to 5 --print coef $task
		cmp -s all stdout
		ok $? "the same bytes for -j $threads"
	done
	run 0 wsvmpath --check all --from 5 --to 5 $task
	run 0 wsvmpath --from 5 --to 7 --print coef --at 0 $task
	near fit stdout 1e-8 'where a path begins'
	run 0 wsvmpath --from 4 --to 5 --print coef --at 1 $task
	awk -F '\t' -v OFS='\t' 'NR > 1 { $1 = 1; $2 = 0 } 1' stdout >got
	near fit got 1e-8 'and where one ends'
done

done_testing
