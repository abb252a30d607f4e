#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Errors with their standard errors, the axes they are drawn over, and C.
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"

need_gnuplot

# draw LINE...: a table, drawn as x.svg.
draw() {
	table t "$@"
	run 0 kith-plot-error -o x.svg t
	err ''
	picture x.svg
}
bars='± standard error'
# Tables as they are printed, with and without a column se.
draw 'k n errors error se' '1 50 4 .08 .02' '3 50 3 .06 .01' '5 50 3 .06 .02'
said x.svg 'best: k 3: error 0.06 ± 0.01 (3 of 50)'
has x.svg ">$bars<"
draw 'k n errors error' '1 50 4 .08' '3 50 3 .06' '5 50 3 .06'
said x.svg 'best: k 3: error 0.06 (3 of 50)'
hasnt x.svg "$bars"
draw 'theta k n errors error se features' '.1 1 50 4 .08 .02 9' '1 1 50 3 .06 .01 9' \
	'.1 3 50 3 .06 .02 8' '1 3 50 4 .08 .02 8'
said x.svg 'best: theta 0.1, k 3: error 0.06 ± 0.02 (3 of 50)'
said x.svg "k 1 k 3 features, right $bars best"
draw 'lambda2 n error se features' '.1 50 .08 .02 9' '1 50 .06 .01 9'
said x.svg 'best: lambda2 1: error 0.06 ± 0.01'
draw 'lambda2 n rmse se features' '.1 50 8 2 9' '1 50 6 NA 9'
said x.svg 'best: lambda2 1: rmse 6'
has x.svg "$bars"
draw 'lambda2 n rmse se features' '.1 50 8 NA 9' '1 50 6 NA 9'
hasnt x.svg "$bars"
draw 'sigma n errors error se' '.5 50 4 .08 .02' '1 50 3 .06 .01'
said x.svg 'best: sigma 1: error 0.06 ± 0.01 (3 of 50)'
# Columns are found by name, and others may be text.
draw 'k n note se error errors' '1 50 x .02 .08 4' '3 50 y .01 .06 3'
said x.svg 'best: k 3: error 0.06 ± 0.01 (3 of 50)'
# Of more than three lines the best one has bars: a bar is a line of its colour.
for last in 3 4; do
	awk -v last=$last 'BEGIN {
		print "theta\tk\tn\terror\tse"
		for (k = 1; k <= last; k++)
			for (t = 1; t <= 3; t++)
				print t "\t" k "\t9\t" (k == 2 ? .1 : .2 + k / 10) "\t.01"
	}' >t
	run 0 kith-plot-error -o x.svg t
	has x.svg "$bars"
	for line in '  0, 114, 178' '213,  94,   0'; do
		grep -c "rgb($line)" x.svg
	done >counts.$last
done
awk 'NR == FNR { was[FNR] = $1; next } { now[FNR] = $1 }
	END { exit !(now[1] < was[1] && now[2] >= was[2]) }' counts.3 counts.4
ok $? 'of four lines one has bars'
table t 'k n error se' '1 9 .1 x'
run 65 kith-plot-error -o y.svg t
err "kith-plot-error: t:2: column \"se\": not a number: 'x'$nl"

# An axis is logarithmic where it helps.
axis() { # OPTION LINE...: of a table that is drawn alike with this option
	axis_option=$1
	shift
	draw "$@"
	run 0 kith-plot-error "$axis_option" -o y.svg t
	cmp -s x.svg y.svg
	ok $? "$axis_option is the default"
	other=$(echo l g | tr -d " ${axis_option#-}")
	run 0 kith-plot-error "-$other" -o y.svg t
	! cmp -s x.svg y.svg
	ok $? "and not -$other"
}
axis -g 'theta n error' '.1 9 .2' '1 9 .3'
axis -l 'theta n error' '.2 9 .2' '1 9 .3'
axis -g 'lambda2 n error' '1 9 .2' '1000 9 .3'
axis -l 'sigma n error' '1 9 .2' '2 9 .3'
axis -l 'k n error' '1 9 .2' '100 9 .3'
axis -l 'theta_from theta_to n error' '.01 .1 9 .2' '.1 1 9 .3'
axis -g 'theta_from theta_to n error se C' '0 .1 9 .2 .1 .6' '.1 1 9 .3 .1 5.55'
axis -l 'theta_from theta_to n error se C' '0 .1 9 .2 .1 5.1' '.1 1 9 .3 .1 6.1'
draw 'theta n error' '0 9 .4' '.1 9 .2' '1 9 .3'
said x.svg 'theta (0 is left out)'

# C is linear in theta, and its column has that of the middle of an interval, or of
# the best of it: here C is .1 + 9.9 theta.
draw 'theta_from theta_to n errors error se C' '0 .2 9 3 .3 .1 1.09' \
	'.2 .4 9 1 .1 .05 3.07' '.4 1 9 2 .2 .1 7.03'
said x.svg 'best: C 3.07: error 0.1 ± 0.05 (1 of 9)'
has x.svg '>C<'
has x.svg '<title>error against C; best: '
draw 'theta_from theta_to n rmse_from rmse_to rmse theta se C' \
	'0 .5 9 3 2 2 .5 .1 5.05' '.5 1 9 2 3 1 .6 .1 6.04' '1 2 9 3 4 3 1 .1 10'
said x.svg 'best: C 6.04: rmse 1 ± 0.1'
# Falling C; its ends; none that fits; one interval only.
draw 'theta_from theta_to n error C' '0 .5 9 .3 7.525' '.5 .8 9 .1 3.565' '.8 1 9 .2 1.09'
said x.svg 'best: C 3.565: error 0.1'
has x.svg '>C<'
draw 'theta_from theta_to n error C_from C_to' '0 .5 9 .3 .1 5.05' '.5 1 9 .1 5.05 10'
said x.svg 'best: C 7.525: error 0.1'
draw 'theta_from theta_to n error C' '0 .5 9 .3 .1..5.05' '.5 1 9 .1 5.05..10'
said x.svg 'best: C 7.525: error 0.1'
draw 'theta_from theta_to n error C' '0 .5 9 .3 1' '.5 .6 9 .1 9' '.6 1 9 .1 2'
said x.svg 'best: theta 0.8: error 0.1'
draw 'theta_from theta_to n error C' '0 1 9 .3 1'
said x.svg 'best: theta 0.5: error 0.3'
table t 'theta_from theta_to n error C' '0 1 9 .3 x'
run 65 kith-plot-error -o y.svg t
err "kith-plot-error: t:2: column \"C\": not a number: 'x'$nl"
# Lines of several classes.
draw 'class1 class2 theta_from theta_to n errors error' 'a b 0 .5 9 3 .3' 'a b .5 1 9 2 .2' \
	'a c 0 .3 9 1 .1' 'a c .3 1 9 2 .2'
said x.svg 'best: theta 0.15, a, c: error 0.1 (1 of 9)'
said x.svg 'a, b a, c best'

# What the commands print.
tabscale "$data/iris.csv" >iris.tsv
run 0 sh -c 'knnclf --cv 5 -k 1,3,5 iris.tsv | kith-plot-error -o x.svg'
err ''
awk -F '\t' '$5 != "setosa"' iris.tsv >two.tsv
for more in --validate='two.tsv' --cv=5; do
	wsvmpath --from .1 --to 10 "$more" two.tsv >t 2>/dev/null || continue
	run 0 kith-plot-error -o x.svg t
	err ''
	said x.svg "$(awk 'NR == 1 { print ($NF == "C" ? "C" : "theta") " error" }' t)"
done

done_testing
