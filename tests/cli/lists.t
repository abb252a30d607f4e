#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Lists of columns, in every command that takes one: ranges of names, patterns
# and exclusions.
. "${0%/*}/tap.sh"

awk -F, 'BEGIN { print "id,gene_1,gene_2,age,mass,class" }
	NR > 1 && NR % 5 == 1 { print "r" NR "," $0 }' "$data/iris.csv" |
	sed 's/,setosa/,a/; s/,versicolor/,b/; s/,virginica/,b/' >t.csv
cut -d, -f2- t.csv | sed 1d | awk -F, -v OFS=, 'BEGIN { print "g,x,y,w,to" }
	{ print $1, $2, $3, 1, NR % 3 + 1 }' >w.csv
nnkgraph -y class --ignore id -k 5 t.csv >graph.tsv
ok $? 'a graph'

# like LIST LIST COMMAND...: both lists mean the same to the command, which has
# the word LIST where they go.
like() {
	one=$1 other=$2
	shift 2
	words=$*
	# shellcheck disable=SC2046 # words
	run 0 $(echo "$words" | sed "s/LIST/$one/")
	cp stdout due
	set -f
	# shellcheck disable=SC2046 # words
	run 0 $(echo "$words" | sed "s/LIST/$other/")
	set +f
	cmp -s due stdout && [ -s due ]
	ok $? "$words: $other is $one"
}

# As features: what has another role is left out of patterns.
for call in 'knnclf -q --loo' 'relief -q' 'sqpfw -q --theta .1' \
	'immigrate -q --best-effort --max-iter 3' 'knife -q --best-effort --lambda2 .1' \
	'nnkgraph -q -y class' 'nnkmeans -q -y class --atoms 3' 'tabscale' 'tabratio -q -t t.csv' \
	'wsvmpath -q --from .1 --to 1' 'wsvmpath -q --online 9 --to 1'; do
	like gene_1,gene_2,age,mass 'gene_1:mass' "$call --id id -x LIST t.csv"
	like gene_1,gene_2,age,mass '*' "$call --id id -x LIST t.csv"
	like gene_1,gene_2,age '!mass' "$call --id id -x LIST t.csv"
	like gene_2,gene_1,age 'gene_2,gene*,a?e' "$call -x LIST t.csv"
	like id '![agm]*' "$call --ignore LIST t.csv"
	like id,mass 'id,gene_1:mass,!age,!gene_*' "$call --ignore LIST t.csv"
	# shellcheck disable=SC2086 # words
	run 2 $call --id id -x id:age t.csv
	# shellcheck disable=SC2086 # words
	run 65 $call --id id -x 'gen_*' t.csv
	err "${call%% *}: t.csv:1: column \"gen_*\": not found$nl"
	# shellcheck disable=SC2086 # words
	run 65 $call --ignore '!ids' t.csv
	err "${call%% *}: t.csv:1: column \"ids\": not found$nl"
	# shellcheck disable=SC2086 # words
	run 65 $call --id id -x '*,!*' t.csv
	err "${call%% *}: t.csv:1: columns \"*,!*\": none is left$nl"
done

# The weights of rows and those that a path starts from are no features.
like x,y '!g' 'wsvmpath -q --task regress --epsilon .1 --from =w --to 2 -y to -x LIST w.csv'
like x,y '*,!g' 'wsvmpath -q --task rank --query to --from .1 --to 1 --instance-weight w -y g -x LIST --validate w.csv w.csv'

# As columns to copy, or to make levels of.
like id,class 'id,cl*' 'knnclf -q --loo -x age:mass --keep LIST t.csv'
like gene_1,gene_2,age,mass,class '!id' 'knnclf -q --loo -x age:mass --keep LIST t.csv'
like gene_1,gene_2,age 'gene_1:-3' 'labelprop -q -t t.csv --reveal .5 --keep LIST graph.tsv'
like gene_1,age,mass,class '!id,!gene_2' 'eigenmap -q -t t.csv --keep LIST graph.tsv'
like gene_1,gene_2 'g*' 'tabscale --id id --onehot LIST t.csv'
like gene_1,gene_2 '!age:mass' 'tabscale --id id --onehot LIST t.csv'
like gene_2 'g*' 'tabscale --id id --onehot gene_1 -x LIST t.csv'
wsvmpath -q --from .1 --to 1 --ignore id --theta 1 --save-model m t.csv >/dev/null
like gene_1,age 'gene_1,a*' 'kpredict -m m --keep LIST t.csv'

# Names in a file, and exact names that look like patterns.
printf 'gene_1\ngene_2\n' >some
like gene_1,gene_2,id '@some,id' 'knnclf -q --loo --ignore LIST t.csv'
like age,mass,class '!@some,!id' 'knnclf -q --loo -x age --keep LIST t.csv'
sed '1s/gene_1/g*/; 1s/age/!mass/; 1s/gene_2/a:z/' t.csv >odd.csv
run 0 relief --ignore id -x 'g*' odd.csv
[ "$(cut -f 1 stdout | tr '\n' ' ')" = 'feature g* ' ]
ok $? 'a name before a pattern'
run 0 relief --ignore id -x 'g*,!mass,a:z' odd.csv
[ "$(cut -f 1 stdout | tr '\n' ' ')" = 'feature g* !mass a:z ' ]
ok $? 'a name before an exclusion and a range'
run 0 relief -x '!!mass,!id' odd.csv
[ "$(cut -f 1 stdout | tr '\n' ' ')" = 'feature g* a:z mass ' ]
ok $? 'a name to leave out'
run 65 relief --ignore id -x age,age t.csv
err "relief: t.csv:1: column \"age\": named twice$nl"
sed 1d t.csv >bare.csv
like V2,V3 '[VW][23]' 'relief -H --ignore V1 -x LIST bare.csv'

done_testing
