#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# knife: errors of parts, --best=se, and --scale.
. "${0%/*}/tap.sh"
# shellcheck source=trials.sh
. "$root/tests/cli/trials.sh"

value() { awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$1"; }

# relative FILE FILE TOLERANCE NAME: the same weights, up to their size.
relative() {
	awk -F '\t' -v tol="$3" 'FNR == NR { w[FNR] = $2; next } FNR > 1 {
		d = $2 - w[FNR]; most = tol * (w[FNR] < 0 ? -w[FNR] : w[FNR])
		if (!(d <= most && d >= -most)) bad++ }
		END { exit bad || FNR < 4 }' "$1" "$2"
	ok $? "$4"
}

# Columns in units far apart; every third row.
awk -F '[,\t]' -v OFS='\t' 'NR > 1 { $1 *= 1000; $3 /= 500 }
	NR == 1 || NR % 3 { $1 = $1; print }' "$data/wine.csv" |
	cut -f 1-5,13,14 >t

# --cv, part by part, each scaled by the rows that are learnt from.
seeds='1 2'
[ -z "${KITH_LONG-}" ] || seeds='1 2 3 4 5 6 7 8'
for scale in none zscore minmax; do
	for seed in $seeds; do
		for how in '--kernel gaussian' '--kernel linear --intercept' \
			'--kernel laplacian --gamma .4'; do
			for lambda2 in 0.5 4; do
				for i in 1 2 3; do
					tabfold --fold $i/3 --seed "$seed" --part train t |
						tabscale --method $scale --save z >f.train
					tabfold --fold $i/3 --seed "$seed" --part test t |
						tabscale --apply z >f.test
					# shellcheck disable=SC2086 # words
					knife -q --best-effort $how --lambda2 $lambda2 \
						--save-model m f.train >w
					kpredict -m m f.test | awk -F '\t' -v l=$lambda2 '
						NR > 1 { n++; wrong += $2 != $3 }
						END { print l "\t" n "\t" wrong + 0 }'
				done | trials 1
			done >due
			for lambda2 in .5 4; do
				# shellcheck disable=SC2086 # words
				knife -q --best-effort $how --cv 3 --seed "$seed" \
					--scale $scale --lambda2 $lambda2 t | sed 1d
			done | cut -f 1-5 >got
			near due got 1e-12 "tabscale by hand, $scale, $how, seed $seed"
		done
	done
done
for i in 1 2 3 4; do
	tabfold --no-stratify --fold $i/4 --part train t | tabscale -y 1 --save z >f.train
	tabfold --no-stratify --fold $i/4 --part test t | tabscale --apply z >f.test
	knife -q --task regress -y 1 --lambda2 2 --save-model m f.train >w
	kpredict -m m f.test | awk -F '\t' 'NR > 1 { n++; s += ($2 - $3) ^ 2 }
		END { print 2 "\t" n "\t" s }' CONVFMT=%.17g
done | trials 1 regress | sed '1i\
lambda2	n	rmse	se
' >due
run 0 knife --task regress -y 1 --cv 4 --scale zscore --lambda2 2 t
cut -f 1-4 stdout >got
near due got 1e-6 'errors of numbers'

# --validate: scaled by the training rows.
tabfold --shares 2:1 --part 1 t >a
tabfold --shares 2:1 --part 2 t >b
tabscale --method minmax --save z a >a.z
tabscale --apply z b >b.z
knife --lambda2 .1,1 --validate b.z a.z >due
run 0 knife --lambda2 .1,1 --scale minmax --validate b a
near due stdout 1e-9 '--validate of scaled rows'

# --best, and the simplest within one standard error: fewest features, then the
# largest lambda2.
for seed in 1 2 3; do
	how="-q --best-effort --cv 4 --seed $seed --scale zscore --grid 8"
	# shellcheck disable=SC2086 # words
	knife $how t >table
	read -r best near <<-END
		$(simplest 4 <table)
	END
	# shellcheck disable=SC2086 # words
	run 0 knife $how --best --log log t
	[ "$(value log lambda2)" = "$best" ]
	ok $? "--best, seed $seed: lambda2 $best"
	# shellcheck disable=SC2086 # words
	run 0 knife $how --best=se --log log t
	[ "$(value log lambda2)" = "$near" ]
	ok $? "--best=se: lambda2 $near"
	awk -F '\t' -v s="$near" 'NR == FNR { log_[$1] = $2; next }
		$1 == s { exit !($4 == log_["error"] && $5 == log_["se"] &&
			$6 == log_["positive"]) }' log table
	ok $? 'and logged'
	[ "$(awk -F '\t' '!/^#/ && $2 > 0' stdout | grep -vc '^feature')" = "$(value log positive)" ]
	ok $? 'the weights printed are its own'
	[ "$best" != "$near" ] && echo >differ
done
[ -f differ ]
ok $? 'the two are not always one'

# Weights in the units of the input.
for how in '--kernel gaussian' '--kernel linear' '--kernel laplacian'; do
	tabscale --save z t >scaled
	# shellcheck disable=SC2086 # words
	knife $how --lambda2 1 scaled >v
	# shellcheck disable=SC2086 # words
	run 0 knife $how --lambda2 1 --scale zscore t
	sed 1d stdout >w
	power=2
	[ "$how" != '--kernel laplacian' ] || power=1
	awk -F '\t' -v OFS='\t' -v CONVFMT=%.17g -v power=$power '
		FNR == NR { scale[$1] = $4; next }
		FNR > 1 { $2 /= scale[$1] ^ power } { print }' z v >due
	relative due w 1e-12 "weights by hand, $how"
	# shellcheck disable=SC2086 # words
	run 0 knife $how --lambda2 1 --scale zscore --check w t
	# shellcheck disable=SC2086 # words
	run 0 knife $how --lambda2 1 --scale zscore --start w --log log t
	[ "$(value log iterations)" -le 1 ]
	ok $? 'a start in the units of the input'
	knnclf --loo -k 3 -w v scaled >due
	knnclf --loo -k 3 -w w t | cmp -s - due
	ok $? 'neighbours as of the scaled rows'
done
run 0 knife --lambda2 .01 --start 1 --max-iter 0 --best-effort -q --scale zscore t
mv stdout w
run 0 knife --lambda2 .01 --scale zscore --start w --max-iter 0 --best-effort -q t
run 0 knife --lambda2 1,2 --scale zscore t
sed 1d stdout >path
for lambda2 in 1 2; do
	awk -F '\t' -v OFS='\t' -v l=$lambda2 'NR == 1 || $2 == l { print $3, $4 }' \
		path >w
	run 0 knife --lambda2 $lambda2 --scale zscore --check w t
done

# Degenerate: constants, equal rows, a class in one part only.
awk -F '\t' -v OFS='\t' '{ print $1, (NR == 1 ? "flat" : 7),
	(NR == 1 ? "lone" : NR == 9), $NF }' t >flat
for i in 1 2 3 4; do
	tabfold --fold $i/4 --part train flat | tabscale -q --save z >f.train
	tabfold --fold $i/4 --part test flat | tabscale -q --apply z >f.test
	knife -q --lambda2 1 --save-model m f.train >w
	kpredict -m m f.test | awk -F '\t' 'NR > 1 { n++; wrong += $2 != $3 }
		END { print 1 "\t" n "\t" wrong + 0 }'
done | trials 1 | sed '1i\
lambda2	n	errors	error	se
' >due
run 0 knife -q --cv 4 --lambda2 1 --scale zscore flat
cut -f 1-5 stdout >got
near due got 1e-12 'a feature that is constant in a training part'
run 0 knife -q --lambda2 0 --scale zscore flat
awk -F '\t' '$1 == "flat" { exit $2 != 0 }' stdout
ok $? 'a constant has no unit, and no weight'
mv stdout w
run 0 knife -q --lambda2 0 --scale zscore --check w flat
printf 'a,b,y\n3,7,p\n3,7,p\n3,7,q\n3,7,q\n' >same
run 0 knife -q --cv 2 --lambda2 1 --scale minmax same
[ "$(sed 1d stdout | cut -f 1-3)" = '1	4	2' ]
ok $? 'rows that are all equal'
printf 'a,y\n0,p\n1,p\n2,p\n9,q\n' >lone
run 0 knife -q --cv 2 --lambda2 .1 --scale zscore lone
awk -F '\t' 'NR == 2 { exit !($2 == 4 && $3 == 1) }' stdout
ok $? 'a class in one part only'
printf 'a,y\n-1e308,p\n1,p\n1e308,q\n2,q\n' >wide
run 65 knife --lambda2 1 --scale minmax wide
err "knife: wide: column \"a\": its range -1e+308 to 1e+308 does not fit a double$nl"

# A model has the units: it predicts rows as they are.
tabscale --save z a >a.z
tabscale --apply z b >b.z
for how in '--kernel gaussian' '--kernel polynomial' '--kernel linear --intercept' \
	'--kernel laplacian' '--task regress -y 1 --kernel linear' \
	'--task regress -y 1'; do
	y=''
	[ "$how" = "${how#--task}" ] || y='-y 1'
	# shellcheck disable=SC2086 # words
	tabscale $y --save z a >a.z
	tabscale --apply z b >b.z
	# shellcheck disable=SC2086 # words
	run 0 knife $how --lambda2 1 --scale zscore --save-model model a
	# shellcheck disable=SC2086 # words
	knife $how --lambda2 1 --save-model m a.z >w
	run 0 kpredict -m model b
	cp stdout got
	kpredict -m m b.z >due
	near due got 1e-9 "a model with units, $how"
done
run 0 knife --grid 5 --cv 3 --best=se --scale minmax --save-model model a
run 0 kpredict -m model b

# The same bytes for any number of threads.
how='--grid 4 --cv 3 --scale zscore'
# shellcheck disable=SC2086 # words
knife -q $how t >due
for j in 2 3; do
	# shellcheck disable=SC2086 # words
	knife -q -j $j $how t | cmp -s - due
	ok $? "-j $j gives the same bytes, $how"
done
done_testing
