#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Status 0 means that the command's own --check says yes: on tables with ties,
# duplicates, constants, outliers and scales far apart, of one row of a class, or
# wider than long, which tests/gen/tied.c makes.
#
# KITH_FROM (1) is the first table, KITH_TABLES how many there are (40; 2000 in
# the long tests), KITH_VOUCH the commands.
. "${0%/*}/tap.sh"

from=${KITH_FROM:-1}
tables=40
[ "${KITH_LONG:-}" ] && tables=2000
tables=${KITH_TABLES:-$tables}
last=$((from + tables - 1))

# pick K WORDS...: the options get WORDS of one argument, which the seed chooses for
# purpose K.
pick() {
	pick_k=$1
	shift
	shift $((seed * (2 * pick_k + 1) / (pick_k * pick_k + 1) % $#))
	options="$options $1"
}

# The options of a run, by seed; the same are given to the check.
options_sqpfw() {
	pick 1 '--theta .1' '--theta 1' '--theta 10' '--theta 1000' '--theta .01'
	pick 2 '--hits 1' '--hits 1' '--hits 1' '--hits 2'
	pick 3 '--misses 1' '--misses 1' '--misses 2'
	pick 4 '--scale zscore' '--scale none' '--scale minmax'
}
# any K WORDS...: the same, whatever the seed chooses for other purposes.
any() {
	any_k=$1
	shift
	shift $((((seed * 7919 + any_k * 104729) * 2654435761 % 4294967296) / 4099 % $#))
	options="$options $1"
}
options_knife() {
	any 1 '--lambda2 .1' '--lambda2 .01' '--lambda2 1' '--lambda2 10' \
		'--lambda2 0' '--lambda2 1e-4' '--lambda2 1e4'
	any 2 '' '' '--lambda1 .1' '--lambda1 10' '--lambda1 1e-6' '--lambda1 1e3'
	any 3 '' '--kernel linear' '--kernel polynomial' '--kernel laplacian'
	any 4 '' '' --intercept
	any 5 '--task regress' '' '--loss logistic' '--loss sqhinge' \
		'--loss huberhinge'
	case $options in
	*huber*) any 6 '' '--delta 1e-3' '--delta .5' '--delta 100' ;;
	esac
	case $options in
	*polynomial*)
		any 7 '' '--degree 1' '--degree 3' '--degree 5'
		any 8 '' '--coef0 0' '--coef0 10'
		;;
	*linear*) ;;
	*) any 9 '' '' '--gamma 1' '--gamma 1e-3' '--gamma 10' ;;
	esac
	any 10 '' '' '' '--solver paper'
	any 11 '' '' '--start 0' '--start 1'
	any 12 '' '' '' '--tol 1e-4' '--tol 1e-9' '--tol 0'
	any 13 '' '' '' '--start random --seed 2'
	any 14 '' '--scale none' '--scale minmax'
	case $options in # it may go on for ever, an iteration taking .2 s
	*paper*'--tol 0'*) options="$options --max-iter 100" ;;
	esac
}
options_nnkgraph() {
	options=' -y y'
	any 1 '-k 1' '-k 2' '-k 3' '-k 5' '-k 10' '' '-k 100'
	any 2 '' '' '--kernel cosine' '--kernel linear'
	any 3 '' '--sigma median' '--sigma local' '--sigma 1' '--sigma 1e-3' \
		'--sigma 1e3'
	any 4 '' '' '--eta .1' '--eta 1e-3' '--eta 10'
	any 5 '' '' '' '--errors'
	any 6 '' '' '' '-t reference'
	any 7 '' '' '' '-w weights'
	case $options in
	*cosine* | *weights*) ;;
	*) any 8 '' '--scale none' '--scale minmax' ;;
	esac
}
options_immigrate() {
	any 1 '' '--method im4e' '--method im4e-immigrate'
	any 2 '--sigma 1' '--sigma 4' '--sigma .5' '--sigma .1' '--sigma 20' \
		'--sigma 1e-3'
	any 3 '' '' '--solver paper' '--solver package'
	any 4 '' '' '' '--threshold auto' '--threshold .1' '--threshold .01'
	any 5 '' '' '--start random'
	any 6 '' '' '' '--tol 1e-4' '--tol 1e-9' '--tol 0'
	any 7 '' '' '--max-iter 1000' '--max-iter 20'
	any 8 '' '--scale none' '--scale minmax'
}
options_wsvmpath() {
	pick 1 '--from .1' '--from 1' '--from 1000'
	pick 2 '--to 2' '--to .01' '--to 100'
	pick 3 '--kernel gaussian' '--kernel linear' '--kernel polynomial'
	pick 4 '' '' '' '' '--task regress --epsilon .1'
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
		options=
		options_"$command"
		eval "print=\$print_$command"
		# shellcheck disable=SC2086 # words
		set -- $options
		kind=
		case $options in *regress*) kind=regress ;; esac
		table=table.$seed$kind
		# shellcheck disable=SC2086 # none is no word
		[ -e $table ] || "$KITH_BUILD/gen/tied" $seed $kind >$table
		case $options in
		*'-t reference'*) awk 'NR == 1 || NR % 3' $table >reference ;;
		esac
		case $options in
		*'-w weights'*)
			awk -v by=$seed -v FS=, 'BEGIN {
				split("1 0 .5 1e-8 1e6 3", w, " ")
				print "feature\tweight"
			}
			{
				for (j = 1; j <= NF; j++)
					if ($j != "y")
						print $j "\t" w[(by + j * j) % 6 + 1]
				exit
			}' $table >weights
			;;
		esac
		# shellcheck disable=SC2154,SC2086 # set by eval; words
		"$command" -q "$@" $print $table >answer 2>stderr
		status=$?
		case $status in
		0) ;;
		1 | 65) continue ;;
		*) other="$other $seed:$status" && continue ;;
		esac
		sure=$((sure + 1))
		"$command" -q "$@" --check answer $table >verdict 2>stderr ||
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
