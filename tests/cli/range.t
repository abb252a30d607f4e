#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Numbers beyond 1e150 are refused, with their place, by each command that
# calculates with features, before anything is printed; what the scale or the
# weights bring into the range is not.
. "${0%/*}/tap.sh"

said='is beyond 1e150, where squares overflow'
hint='(tabscale, tabscale --na-string?)'

refused() { # MESSAGE COMMAND [ARG]...
	due=$1
	shift
	run 65 "$@"
	out ''
	err "$1: $due$nl"
}

printf 'x,class\n1,a\n2,a\n3,b\n4,b\n1.7e308,b\n' >t
printf 'x,class\n4,b\n' >q
printf 'y,class,x\n1,a,1\n2,a,-1.1e150\n3,b,4\n' >far
printf 'x,y,class\n1,5,a\n2,3,a\n4,9,b\n5,1,b\n' >plain
cut -d , -f 1,3 plain >one
large="t:6: column \"x\": 1.7e+308 $said $hint"
refused "$large" knnclf --scale none -k 1 -t t q
refused "$large" knnclf --scale none -k 1 -q -t one t
refused "$large" knnclf --scale none -k 1 --loo t
refused "$large" knnclf --scale none -k 1 -t t --shard 1/2 q
refused "$large" nnkgraph --scale none -k 2 -y class t
refused "$large" nnkgraph --scale none -k 2 -y class -t one t
refused "$large" nnkgraph --scale none -k 2 -y class --shard 2/2 t
refused "$large" sqpfw --scale none --theta .1 t
refused "$large" relief --scale none --method relief t
refused "$large" immigrate --scale none t
refused "$large" knife --scale none --lambda2 .1 t
refused "$large" wsvmpath --scale none --print events --from .1 --to 1 t
refused "$large" wsvmpath --scale none --from .1 --to 1 --validate t one
refused "$large" tabratio --test one t
refused "$large" tabratio --test t one
wsvmpath --scale none -q --from 1 --to 1 --print coef --at 1 --save-model model one >/dev/null
refused "$large" kpredict -m model t
run 65 svmonline --window 3 -C 1 t
err "svmonline: $large$nl"
refused "far:3: column \"x\": -1.1e+150 $said $hint" knnclf --scale none -k 1 -q -t plain -x x far
sed 's/1.7e308/1e150/; s/^4/-1e150/' t >most
run 0 knnclf --scale none --loo -k 1 most
run 0 tabscale t

# Where cells are: records of several lines, several files, numbers alone.
printf 'n,x,class\n"a\n\nb",1,a\nc,2e200,b\n' >lines
refused "lines:5: column \"x\": 2e+200 $said $hint" knnclf --scale none -k 1 --loo --id n lines
refused "$large" knnclf --scale none -k 1 --loo one t
printf '# k\t3\nx,class\n?,a\n1,a\n2,b\n3e160,b\n' >holes
refused "holes:6: column \"x\": 3e+160 $said $hint" knnclf --scale none -k 1 --loo --na omit holes
{
	printf '\223NUMPY\1\0\166\0'
	printf '%-117s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }"
	printf '\0\0\0\0\0\0\360\77\377\377\377\377\377\377\357\177'
} >big.npy
refused "big.npy:2: column \"V1\": 1.79769e+308 $said $hint" nnkgraph --scale none -y none -k 1 big.npy

# Sizes far apart, whose squares fit.
awk -F , -v OFS=, 'NR > 1 { $1 *= 1e-82; $2 *= 1e99 } 1' plain >apart
run 0 knnclf --scale none -q -k 1 -t apart apart
table 'id predicted actual' '1 a a' '2 a a' '3 b b' '4 b b'
run 0 nnkgraph --scale none -q -k 2 -y class apart

# Differences below 1e-150 count as 0: the rows are copies.
awk -F , -v OFS=, 'NR > 1 { $1 *= 1e-170; $2 = 0 } 1' plain >tiny
awk -F , -v OFS=, 'NR > 1 { $1 = $2 = 0 } 1' plain >copies
for call in 'knnclf -q --scale none --loo -k 1,2 --scores --print predictions' 'nnkgraph -q --scale none -k 2 -y class' \
	'knnclf -q --scale none --loo -k 3 --vote kernel --print predictions'; do
	# shellcheck disable=SC2086 # options
	$call copies >due
	# shellcheck disable=SC2086 # options
	run 0 $call tiny
	cmp -s stdout due
	ok $? 'as copies are'
done

# Scaled numbers count.
for f in 1e200 1e-170; do
	awk -F , -v OFS=, -v f=$f 'NR > 1 { $1 *= f } 1' plain >wide
	for scale in zscore minmax; do
		knnclf -q --loo -k 1,2 --scale $scale plain >due
		run 0 knnclf -q --loo -k 1,2 --scale $scale wide
		cmp -s stdout due
		ok $? 'as in another unit'
	done
	for call in 'immigrate --print margins' \
		'wsvmpath --from .1 --to 1 --validate wide'; do
		# shellcheck disable=SC2086 # options
		run 0 ${call%% *} -q --scale zscore ${call#* } wide
	done
done
printf 'x,y,class\n1,5,a\n1.5e155,4,b\n' >out
sed 's/^1,/-1e120,/; s/1.5e155/1e120/' out >other
awk -F , -v OFS=, 'NR > 1 { $1 *= 1e-40 } 1' plain >narrow
refused "other:2: column \"x\": -2.5e+159, scaled, $said" knnclf -k 1 -q --scale minmax -x x -t narrow other

# A cell so large that scaling leaves nothing of the others; a word for it, twice, and beside -1e200.
printf 'x,class\n1,a\n2,a\n3,b\n4,b\n1.7e308,b\n' >one
printf 'x,class\n-1.7e308,a\n2,a\n3,b\n-1.7e308,b\n' >two
printf 'x,class\n-1e200,a\n2,a\n5,b\n1e200,b\n' >both
for table in 'one 1 2 6 1.7e+308' 'two 2 3 2 -1.7e+308' 'both 2 5 2 -1e+200'; do
	# shellcheck disable=SC2086 # words
	set -- $table
	for scale in zscore minmax; do
		for call in "knnclf --scale none -k 1 -t $1" 'relief --scale none --method relief' 'sqpfw --scale none --theta 1' 'knife --scale none --lambda2 1' \
			'wsvmpath --print events' immigrate; do
			# shellcheck disable=SC2086 # words
			run 65 $call --scale $scale "$1"
			err "${call%% *}: $1:$4: column \"x\": $5 is so large that scaling makes $2 and $3 equal (tabscale --na-string?)$nl"
		done
		run 0 tabscale --method $scale "$1"
		err "tabscale: warning: column \"x\": other cells are so large that $2 and $3 become equal$nl"
	done
done

# Weights count: sqrt(w) |x|, w |x|, and pairs; not without any.
tabs 'feature weight' 'y 1' >zero
sed 's/1.5e155/1.5e300/' out >ask
run 0 knnclf -k 1 -q -w zero -t plain ask
table 'id predicted actual' '1 a a' '2 a b'
run 0 nnkgraph -q -w zero -k 1 -y class ask
run 0 wsvmpath --print events -q -w zero --from .1 --to 1 ask
printf 'x,y,class\n1,5,a\n1e100,4,b\n' >ask
tabs 'feature weight' 'x 1e110' >heavy
refused "ask:3: column \"x\": 1e+100, with its weight, $said $hint" knnclf -k 1 --loo -w heavy ask
refused "ask:3: column \"x\": 1e+100, with its weight, $said $hint" nnkgraph -w heavy -y class -k 1 ask
refused "ask:3: column \"x\": 1e+100, with its weight, $said $hint" \
	wsvmpath --print events -w heavy --from .1 --to 1 ask
tabs 'feature weight_abs' 'x 1e60' >heavy
refused "ask:3: column \"x\": 1e+100, with its weight, $said $hint" knnclf -k 1 --loo -w heavy ask
tabs 'feature1 feature2 weight' 'x x 1' 'x y 1e210' >heavy
refused "ask:3: column \"x\": 1e+100, with its weight, $said $hint" knnclf -k 1 --loo -w heavy ask
run 0 knnclf -q --loo -k 1 --vote expected -w zero ask

done_testing
