#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# knife --instance-weight: whole weights are copies of rows, 0 leaves a row out.
. "${0%/*}/tap.sh"
# shellcheck source=trials.sh
. "$root/tests/cli/trials.sh"

awk -F '[,\t]' -v OFS='\t' 'NR == 1 || NR % 2 { $1 = $1; print }' \
	"$data/wine.csv" | tabscale | cut -f 1-4,13,14 >t
# Weights 1, 2, 3 in turn, then also 0; the same by copies.
awk -F '\t' -v OFS='\t' '{ print (NR == 1 ? "v" : NR % 3 + 1), $0 }' t >whole
awk -F '\t' -v OFS='\t' '{ n = NR == 1 ? 1 : $1; sub(/^[^\t]*\t/, "")
	for (i = 0; i < n; i++) print }' whole >copies
awk -F '\t' -v OFS='\t' '{ print (NR == 1 ? "v" : NR % 4 / 2), $0 }' t >some
awk -F '\t' 'NR == 1 || $1 > 0' some >without

awk -F '\t' 'NR == 1 || NR % 3 == 0' t >asked
for how in '' '--kernel linear --intercept' '--kernel polynomial' \
	'--kernel laplacian --gamma .4' '--task regress -y 2' \
	'--task regress -y 2 --kernel linear' '--algorithm knife --tol 1e-5 --max-iter 4000'; do
	y='-y class'
	case $how in *-y*) y='' ;; esac
	# shellcheck disable=SC2086 # words
	knife $y $how --lambda2 2 copies >due
	# Column 2 of the copies is 3 of the weighed.
	v=$(echo "$how" | sed 's/-y 2/-y 3/')
	# shellcheck disable=SC2086 # words
	run 0 knife $y $v --instance-weight v --lambda2 2 --save-model m whole
	mv stdout w
	near due w 1e-4 "copies of rows, ${how:-gaussian}"
	# shellcheck disable=SC2086 # words
	run 0 knife $y $v --instance-weight v --lambda2 2 --check w whole
	# shellcheck disable=SC2086 # words
	run 1 knife $y $v --lambda2 2 --check w whole --ignore v
	# shellcheck disable=SC2086 # words
	knife $y $how --lambda2 2 --validate asked copies >due
	# shellcheck disable=SC2086 # words
	run 0 knife $y $v --instance-weight v --lambda2 2 --validate asked whole
	near due stdout 1e-5 'errors'
	kpredict -m m asked >p
	ok $? 'and a model'
	# shellcheck disable=SC2086 # words
	knife $y $v --instance-weight v --grid 4 without >due
	# shellcheck disable=SC2086 # words
	run 0 knife $y $v --instance-weight v --grid 4 some
	cmp -s due stdout
	ok $? 'a weight of 0 leaves a row out'
done
for loss in logistic sqhinge huberhinge; do
	awk -F '\t' 'NR == 1 || $NF != 3' copies >two.copies
	awk -F '\t' 'NR == 1 || $NF != 3' whole >two.whole
	knife --loss $loss --grid 3 two.copies >due
	run 0 knife --loss $loss --grid 3 --instance-weight v two.whole
	near due stdout 1e-4 "a path of copies, $loss"
done

# Weights of 1 change no byte.
awk -F '\t' -v OFS='\t' '{ print (NR == 1 ? "v" : 1), $0 }' t >ones
for how in '' '--kernel linear --intercept' '--kernel laplacian' '--cv 3' \
	'--scale zscore'; do
	# shellcheck disable=SC2086 # words
	knife $how --lambda2 1,4 t >due
	# shellcheck disable=SC2086 # words
	run 0 knife $how --lambda2 1,4 --instance-weight v ones
	cmp -s due stdout
	ok $? "weights of 1, $how"
done

# --cv: each part from the others by their weights; all rows judged count alike.
for i in 1 2 3; do
	tabfold -y class --fold $i/3 --part train some >f.train
	tabfold -y class --fold $i/3 --part test some >f.test
	knife --instance-weight v --lambda2 2 --save-model m f.train >w
	kpredict -m m f.test | awk -F '\t' '
		NR > 1 { n++; wrong += $2 != $3 } END { print 2 "\t" n "\t" wrong + 0 }'
done | trials 1 | sed '1i\
lambda2	n	errors	error	se
' >due
run 0 knife --instance-weight v --lambda2 2 --cv 3 some
cut -f 1-5 stdout >got
near due got 1e-12 '--cv, part by part'
run 0 knife --instance-weight v --grid 4 --cv 3 --best --save-model m some
for j in 2 3; do
	run 0 knife -j $j --instance-weight v --grid 4 --cv 3 some
	knife --instance-weight v --grid 4 --cv 3 some | cmp -s - stdout
	ok $? "-j $j"
done

# A class of weight 0 is not learnt; --scale is that of rows above 0.
awk -F '\t' -v OFS='\t' 'NR > 1 { $1 = $NF == 3 ? 0 : 1 } 1' whole >third
awk -F '\t' 'NR == 1 || $NF != 3' third | cut -f 2- >two
run 0 knife --instance-weight v --loss logistic --scale zscore --lambda2 .5 third
knife --loss logistic --scale zscore --lambda2 .5 two | cmp -s - stdout
ok $? 'a class of rows without weight'
run 0 knife --instance-weight v --lambda2 .5 --cv 3 third
awk -F '\t' -v n="$(grep -c '3$' t)" 'NR == 2 { exit !($3 >= n) }' stdout
ok $? 'whose rows are all predicted wrongly'

# Calls and tables that are wrong.
awk -F '\t' -v OFS='\t' 'NR > 1 { $1 = $NF == 1 } 1' whole >single
run 65 knife --instance-weight v --lambda2 1 single
err "knife: single: one class only: '1'$nl"
awk -F '\t' -v OFS='\t' 'NR > 1 { $1 = NR == 2 } 1' whole >row
run 65 knife --task regress -y 3 --instance-weight v --lambda2 1 row
awk -F '\t' -v OFS='\t' 'NR == 4 { $1 = -1 } 1' whole >negative
run 65 knife --instance-weight v --lambda2 1 negative
run 2 knife --instance-weight v -x v,alcohol --lambda2 1 whole
run 65 knife --instance-weight none --lambda2 1 whole
done_testing
