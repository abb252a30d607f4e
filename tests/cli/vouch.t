#!/bin/sh
# Status 0 means that the command's own --check says yes: on tables with ties,
# duplicates, outliers and scales far apart, which tests/gen/tied.c makes.
#
# KITH_FROM (1) is the first table, KITH_TABLES how many there are (100; 2000 in
# the long tests), KITH_VOUCH the commands.
. "${0%/*}/tap.sh"

from=${KITH_FROM:-1}
tables=100
[ "${KITH_LONG:-}" ] && tables=2000
tables=${KITH_TABLES:-$tables}
last=$((from + tables - 1))

# pick K WORD...: the word that the present seed chooses for purpose K.
pick() {
	pick_k=$1
	shift
	shift $((seed * (2 * pick_k + 1) / (pick_k * pick_k + 1) % $#))
	printf %s "$1"
}

# The options of a run, by seed; the same are given to the check.
options_sqpfw() {
	echo "--theta $(pick 1 .1 1 10 1000 .01) --hits $(pick 2 1 1 1 2)" \
		"--misses $(pick 3 1 1 2)"
}
options_knife() {
	echo "--lambda2 $(pick 1 .1 .01 1 10) --lambda1 $(pick 2 1 .1 10)" \
		"--kernel $(pick 3 gaussian linear polynomial laplacian)" \
		"$(pick 4 '' '' --intercept)" \
		"$(pick 0 '--task regress' '' '--loss logistic' '--loss sqhinge' '--loss huberhinge')"
}
options_nnkgraph() {
	echo "-y y -k $(pick 1 3 5 10 30) --kernel $(pick 2 gaussian gaussian cosine linear)" \
		"--sigma $(pick 3 auto auto local 1)"
}
options_immigrate() {
	echo "--method $(pick 1 immigrate im4e im4e-immigrate) --sigma $(pick 2 1 4 .5)" \
		"$(pick 3 --monotone --monotone '' '--rules package')"
}
options_wsvmpath() {
	echo "--from $(pick 1 .1 1 1000) --to $(pick 2 2 .01 100)" \
		"--kernel $(pick 3 gaussian linear polynomial)" \
		"$(pick 4 '' '' '' '' '--task regress --epsilon .1')"
}

# What a run gets beside, so that the check can read what it prints.
# shellcheck disable=SC2034 # read by eval
print_sqpfw='' print_knife='' print_immigrate='' \
	print_nnkgraph='--symmetrize none' print_wsvmpath='--print coef'

for command in ${KITH_VOUCH:-sqpfw knife nnkgraph immigrate}; do
	refused=
	other=
	sure=0
	seed=$((from - 1))
	while [ "$seed" -lt "$last" ]; do
		seed=$((seed + 1))
		eval "set -- \$(options_$command) && print=\$print_$command"
		case "$*" in
		*regress*) "$KITH_BUILD/gen/tied" $seed regress >table ;;
		*) "$KITH_BUILD/gen/tied" $seed >table ;;
		esac
		# shellcheck disable=SC2154,SC2086 # set by eval; words
		timeout 60 "$command" -q "$@" $print table >answer 2>stderr
		status=$?
		case $status in
		0) ;;
		1 | 65) continue ;;
		*) other="$other $seed:$status" && continue ;;
		esac
		sure=$((sure + 1))
		timeout 60 "$command" -q "$@" --check answer table >verdict 2>stderr ||
			refused="$refused $seed"
	done
	[ -z "$refused" ]
	ok $? "$command: --check refuses, of $sure that ended with 0, tables:$refused"
	[ -z "$other" ]
	ok $? "$command: neither 0, 1 nor 65, by table:$other"
	# shellcheck disable=SC2154 # vouched_* are set above
	[ $((sure * 4)) -gt "$tables" ]
	ok $? "$command: $sure of $tables end with 0"
done

done_testing
