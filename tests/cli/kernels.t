#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# OpenBLAS has kernels for each kind of processor, whose results differ in last
# digits.  The commands that promise the same bytes on all of them do without
# its results, or compute what it has found anew; the others agree to 1e-9 of the
# largest number in each column, on tables whose columns have one scale.  The instructions
# of kith's own kernels (KITH_SIMD) change no byte of any command.
. "${0%/*}/tap.sh"

# Those that this processor can run, the first being what the others must give.
kernels='Prescott Nehalem Sandybridge Haswell SkylakeX'
grep -q ' avx512vl ' /proc/cpuinfo 2>/dev/null || kernels=${kernels% SkylakeX}
grep -q ' avx2 ' /proc/cpuinfo 2>/dev/null || kernels=${kernels% Haswell}
grep -q ' avx ' /proc/cpuinfo 2>/dev/null || kernels=${kernels% Sandybridge}
if [ "$(uname -m)" != x86_64 ]; then
	ok 0 'kernels are chosen by name on x86-64 alone'
	done_testing
	exit
fi

# The instructions below the best that this processor has.
best=$(knnclf --version | sed -n 's/^instructions: //p')
case $best in avx512) levels='base avx2' ;; avx2) levels=base ;; *) levels='' ;; esac

# Without a name, OpenBLAS has fast kernels also for a processor that it does not know; in a
# program of 32 bits it has none.
core() {
	knnclf --version | sed -n 's/^kernel: //p'
}
case $best in avx*)
	core=$(unset OPENBLAS_CORETYPE && core)
	[ "$core" ] && [ "$core" != Prescott ]
	ok $? "the kernels of this processor: $core"
	[ "$(OPENBLAS_CORETYPE=Prescott && export OPENBLAS_CORETYPE && core)" = Prescott ]
	ok $? 'the kernels of another processor, where the environment names it'
	;;
esac

for table in iris wine; do
	tabscale "$data/$table.csv" >$table.tsv
	last=$(sed -n '$s/.*	//p' $table.tsv)
	awk -F '\t' -v last="$last" 'NR == 1 || $NF != last' $table.tsv >$table.two
done
sed 200q "$data/wdbc.csv" | tabscale >wdbc.tsv 2>/dev/null
knife --lambda2 1 --save-model model iris.two >/dev/null
sqpfw --theta .1 iris.tsv >vector
sed -n '1s/	class//p' iris.tsv | awk -F '\t' -v OFS='\t' '{
	print "feature1", "feature2", "weight"
	for (i = 1; i <= NF; i++)
		for (j = i; j <= NF; j++)
			print $i, $j, i == j ? 1 + i / 3 : 1 / (i + j)
}' >matrix
immigrate iris.tsv >absolute
nnkgraph -y -1 wine.tsv >wine.graph
nnkgraph -y -1 --method lle-signed --symmetrize none wine.tsv >signed
wsvmpath --from 1 --to 2 --print coef iris.two >solved
# A random graph, whose factor is large, and five classes of its nodes.
awk "$uniform"'BEGIN {
	seed_uniform(1)
	print "id\tclass" >"random.nodes"
	print "from\tto\tweight" >"random.graph"
	for (i = 1; i <= 600; i++) {
		print i "\t" (i % 9 ? "" : "c" i % 5) >"random.nodes"
		print i "\t" i % 600 + 1 "\t1" >"random.graph"
		for (k = 1; k <= 4; k++)
			print i "\t" (i + 60 * k + int(59 * uniform())) % 600 + 1 "\t" 1 + uniform() >"random.graph"
	}
}'

# alike FILE FILE: numbers that agree to 1e-9 of the largest in their column.
alike() {
	[ -s "$1" ] && awk -F '\t' -v file="$1" '
	function is_number(s) { return s ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ }
	function size(x) { return x < 0 ? -x : x }
	FILENAME == file && FNR == NR {
		for (i = 1; i <= NF; i++) {
			was[FNR, i] = $i
			if (is_number($i) && size($i) > most[i])
				most[i] = size($i)
		}
		lines = FNR
		next
	}
	{
		for (i = 1; i <= NF; i++)
			if ($i != was[FNR, i] && !(is_number($i) &&
			    is_number(was[FNR, i]) &&
			    size($i - was[FNR, i]) <= 1e-9 * most[i]))
				bad = 1
	}
	END { exit bad || FNR != lines }' "$1" "$2"
}

# Calls, and how their outputs are compared.
cat >calls <<'EOF'
cmp knnclf --loo -k 1,3,5 wdbc.tsv
cmp knnclf --loo -k 5 --print predictions --scores wine.tsv
cmp knnclf --loo -k 5 --vote distance --print predictions --scores wine.tsv
cmp knnclf --loo -k 5 --vote kernel --print predictions --scores wine.tsv
cmp knnclf --loo -k 5 --vote nnk --print predictions --scores wine.tsv
cmp knnclf --loo -k 5 --vote nnk --kernel linear --print predictions --scores wine.tsv
cmp knnclf --loo --vote kstar --print predictions --scores wine.tsv
cmp knnclf --loo --vote expected --print predictions --scores wine.tsv
cmp knnclf --loo --vote expected -w absolute --print predictions --scores iris.tsv
cmp knnclf --loo -k 5 --vote kernel -w vector --print predictions --scores iris.tsv
cmp knnclf --loo -k 5 --vote kernel -w absolute --print predictions --scores iris.tsv
cmp knnclf --loo -k 5 --vote nnk -w matrix --print predictions --scores iris.tsv
cmp nnkgraph -y -1 -w matrix iris.tsv
cmp wsvmpath --from .1 --to 1 -w matrix --print coef iris.two
cmp nnkgraph -y -1 --errors wdbc.tsv
cmp nnkgraph -y -1 -k 10 -w vector iris.tsv
cmp nnkgraph -y -1 --method knn -w absolute iris.tsv
cmp nnkgraph -y -1 --method mp wine.tsv
cmp nnkgraph -y -1 --method omp --pool all wine.tsv
cmp nnkgraph -y -1 --method lle wine.tsv
cmp nnkgraph -y -1 --kernel linear wine.tsv
cmp nnkgraph -y -1 --method smooth wine.tsv
cmp nnkgraph -y -1 --method aew wine.tsv
cmp labelprop --nodes wine.tsv --reveal .1 wine.graph
cmp sqpfw --theta .1 wdbc.tsv
cmp sqpfw --path --theta-max 1 wine.tsv
cmp sqpfw --theta .01,.1 iris.tsv
cmp relief wdbc.tsv
cmp relief --method relieff wdbc.tsv
cmp relief --method simba wine.tsv
cmp relief --method mulrel wine.tsv
cmp relief --method irelief wine.tsv
cmp relief --method multisurf wine.tsv
cmp relief --method nca wine.tsv
cmp immigrate --method im4e wdbc.tsv
cmp wsvmpath --print events --from .1 --to 1 wdbc.tsv
cmp wsvmpath --from .1 --to 1 --kernel linear --print coef wine.two
cmp wsvmpath --from .1 --to 1 --kernel polynomial --print margin wine.two
cmp wsvmpath --from .1 --to 1 --validate wine.two wine.two
cmp wsvmpath --print events --from .1 --to 1 --task regress --epsilon .1 wine.tsv
cmp wsvmpath --from .1 --to 1 --cv 3 wine.tsv
cmp svmonline -C 1 --window 30 wine.two
cmp kpredict -m model --scores iris.tsv
alike immigrate --solver paper --sigma 4 wine.tsv
alike immigrate iris.tsv
alike knife --lambda2 1 --max-iter 3000 iris.tsv
alike knife iris.tsv
alike knife --grid 4 --kernel linear iris.two
alike relief --method lfe wine.tsv
alike sqpfw --theta .1 --start smooth wine.tsv
alike eigenmap --nodes wine.tsv wine.graph
alike tabratio --test iris.two iris.tsv
alike eigenmap --dims 1 --method lle --nodes wine.tsv signed
cmp labelprop --nodes wine.tsv --reveal .1 --method spread wine.graph
cmp labelprop --id id --nodes random.nodes --scores random.graph
cmp labelprop --id id --nodes random.nodes --method poisson --scores random.graph
cmp nnkgraph -y -1 --method lle-signed --symmetrize none -k 150 wdbc.tsv
cmp nnkgraph -y -1 --kernel linear -k 150 wdbc.tsv
EOF

while read -r how line; do
	wrong=
	for kernel in $kernels; do
		file=got
		[ "$kernel" != Prescott ] || file=due
		# shellcheck disable=SC2086 # words
		OPENBLAS_CORETYPE=$kernel $line -q >$file 2>stderr
		status=$? # 1: not converged, which is the same for all, too
		[ $status -le 1 ] || wrong="$wrong $kernel:$status"
		[ $file = due ] || $how due got || wrong="$wrong $kernel"
	done
	for level in $levels; do
		# shellcheck disable=SC2086 # words
		KITH_SIMD=$level OPENBLAS_CORETYPE=Prescott $line -q >got 2>stderr
		cmp -s due got || wrong="$wrong $level"
	done
	[ -z "$wrong" ]
	ok $? "$line: $how, but:$wrong"
done <calls

# What is written beside.
for kernel in $kernels; do
	OPENBLAS_CORETYPE=$kernel wsvmpath --from 1 --to 2 --print coef --at .5 \
		--save-model model wine.two >table
	cat model table >got
	[ "$kernel" = Prescott ] && cp got due
	cmp -s due got
	ok $? "wsvmpath writes the same model and solution with $kernel"
done

# What --check says holds on all of them, or on none.
for kernel in $kernels; do
	OPENBLAS_CORETYPE=$kernel wsvmpath --from 1 --to 2 --check solved iris.two |
		cut -f 1,3,4 >got
	[ "$kernel" = Prescott ] && cp got due
	cmp -s due got
	ok $? "--check judges the same with $kernel"
done

done_testing
