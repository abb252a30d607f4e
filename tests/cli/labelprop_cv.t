#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# labelprop: labels that are hidden part by part, and --best.
. "${0%/*}/tap.sh"
# shellcheck source=trials.sh
. "$root/tests/cli/trials.sh"

value() { awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$1"; }

# Iris, its rows named; two of three have no label.
awk -F '[,\t]' -v OFS='\t' '{ $1 = $1; print (NR == 1 ? "who" : "r" NR), $0 }' \
	"$data/iris.csv" >full
nnkgraph --id who -y class -k 8 full >graph
awk -F '\t' -v OFS='\t' 'NR > 1 && NR % 3 { $6 = "NA" } 1' full >some
# The labelled rows alone, which tabfold deals.
awk -F '\t' 'NR == 1 || $6 != "NA"' some >labelled

# hide N I SEED FILE: FILE without the labels of the rows of part I of N.
hide() {
	tabfold --fold "$2/$1" --part test --seed "$3" labelled >part
	awk -F '\t' -v OFS='\t' 'FNR == NR { hidden[$1]; next }
		FNR > 1 && $1 in hidden { $6 = "?" } 1' part "$4"
}

seeds='1 2 3'
[ -z "${KITH_LONG-}" ] || seeds='1 2 3 4 5 6 7 8 9 10'
for seed in $seeds; do
	for how in 'harmonic' 'normalized' 'spread --alpha .5' 'spread --alpha .9' \
		poisson 'harmonic --mass labels'; do
		for i in 1 2 3 4 5; do
			hide 5 $i "$seed" some >hidden
			# shellcheck disable=SC2086 # words
			labelprop -q -t hidden --id who --method $how graph |
				awk -F '\t' -v how="${how%% *}" 'FNR == NR { y[$1] = $6; next }
				$1 in y && FNR > 1 { n++; wrong += $2 != y[$1] }
				END { print how "\t" n "\t" wrong + 0 }' part -
		done | trials 1 >due
		# shellcheck disable=SC2086 # words
		run 0 labelprop -t some --id who --cv 5 --seed "$seed" --method $how graph
		awk -F '\t' -v OFS='\t' '{ print $(NF - 3), $(NF - 2), $(NF - 1), $NF }' \
			stdout >got
		{ printf 'n\terrors\terror\tse\n' && cut -f 2- due; } >all
		near all got 1e-12 "--cv blanks the labels of a part, $how, seed $seed"
	done
done

# A list is what its members are, and --best predicts by the best.
how='-t some --id who --cv 4 --seed 2'
# shellcheck disable=SC2086 # words
{
	run 0 labelprop $how --method poisson,spread,harmonic --alpha .2,.8 graph
	mv stdout table
	[ "$(head -n 1 table)" = 'method	alpha	n	errors	error	se' ]
	ok $? 'its columns'
	labelprop -q $how --method poisson graph | sed '1d;s/^/poisson	NA	/' >due
	for alpha in .2 .8; do
		labelprop -q $how --method spread --alpha $alpha graph |
			sed '1d;s/^/spread	/' >>due
	done
	labelprop -q $how graph | sed '1d;s/^/harmonic	NA	/' >>due
	sed 1d table | cmp -s - due
	ok $? 'one method after the other, as they were asked'
	[ "$(labelprop -q $how graph | head -n 1)" = 'n	errors	error	se' ]
	ok $? 'neither column where there is no choice'
	run 0 labelprop -q $how --method spread graph
	[ "$(head -n 1 stdout)" = 'alpha	n	errors	error	se' ]
	ok $? 'alpha stands where a method has it'
}
# best SE TABLE: the best line, of equal errors the first method in the order of
# the page, then the smallest alpha; or the simplest within SE standard errors.
best() {
	awk -F '\t' -v se="$1" '
	BEGIN { split("harmonic normalized spread poisson", name, " ")
		for (i in name) rank[name[i]] = i }
	NR > 1 { n++; line[n] = $1 "\t" $2; r[n] = rank[$1] + 0; a[n] = $2 + 0
		e[n] = $5 + 0; s[n] = $6 + 0 }
	END {
		b = 1
		for (i = 2; i <= n; i++) if (e[i] < e[b] || e[i] == e[b] &&
			(r[i] < r[b] || r[i] == r[b] && a[i] < a[b])) b = i
		if (!se) { print line[b]; exit }
		c = b
		for (i = 1; i <= n; i++) if (e[i] <= e[b] + s[b] &&
			(r[i] < r[c] || r[i] == r[c] && a[i] > a[c])) c = i
		print line[c]
	}' "$2"
}
for seed in 1 2 3 4; do
	how="-t some --id who --cv 4 --seed $seed"
	lists='--method spread,poisson,normalized --alpha .1,.5,.9,.99'
	for se in '' 1; do
		# shellcheck disable=SC2086 # words
		labelprop -q $how $lists graph >table
		due=$(best "$se" table)
		# shellcheck disable=SC2086 # words
		run 0 labelprop $how $lists "--best${se:+=se}" --scores --log log graph
		mv stdout got
		alpha=$(value log alpha)
		[ "$(value log method)	${alpha:-NA}" = "$due" ]
		ok $? "--best${se:+=se}, seed $seed: $due"
		labelprop -t some --id who --scores --method "$(value log method)" \
			--alpha "${alpha:-.99}" -q graph | cmp -s - got
		ok $? 'the predictions of all rows at this choice'
		echo "$due" >>chosen
	done
done
[ "$(sort -u chosen | wc -l)" -gt 1 ]
ok $? 'not always the same'
run 0 labelprop -t some --id who --cv 4 --best=se -v graph
grep -q '^labelprop: best: error [0-9.]*, se [0-9.]*$' stderr
ok $? 'the choice is said'
[ "$(labelprop -q -t some --id who --cv 4 --best --keep class --all graph | head -n 1)" = \
	'id	predicted	actual	class' ]
ok $? 'with the columns that are asked for'

# By hand: a path of labels x x y, each hidden in turn.
printf 'class\nx\nx\nNA\ny\n' >path
printf 'from\tto\tweight\n1\t2\t1\n2\t3\t1\n3\t4\t1\n' >edges
run 0 labelprop -t path --cv 3 edges
table 'n errors error se' '3 1 0.3333333333333333 0.3333333333333333'
# Numbers: 2 of 4 is hidden: (0 + 8) / 2 = 4, off by 2; the ends are off by 2 and 6.
printf 'v\n0\n2\n8\n' >numbers
printf 'from\tto\tweight\n1\t2\t1\n2\t3\t1\n' >line
run 0 labelprop -t numbers --task regress --cv 3 line
awk 'BEGIN { m = (4 + 4 + 36) / 3
	s = sqrt(((4 - m) ^ 2 * 2 + (36 - m) ^ 2) / 6)
	printf "n\trmse\tse\n3\t%.15g\t%.15g\n", sqrt(m), s / 2 / sqrt(m) }' >due
near due stdout 1e-12 'errors of numbers'
awk -F '\t' -v OFS='\t' 'NR > 1 && $6 == "NA" { $2 = "NA" } { print $1, $2 }' some >lengths
for i in 1 2 3; do
	awk -F '\t' 'NR == 1 || $2 != "NA"' lengths |
		tabfold --task regress --fold $i/3 --part test >part
	awk -F '\t' -v OFS='\t' 'FNR == NR { hidden[$1]; next }
		FNR > 1 && $1 in hidden { $2 = "?" } 1' part lengths >hidden
	labelprop -q -t hidden --task regress --method spread --unreached prior \
		--id who graph |
		awk -F '\t' 'FNR == NR { t[$1] = $2; next }
		$1 in t && FNR > 1 { n++; s += ($2 - t[$1]) ^ 2 }
		END { print .99 "\t" n "\t" s }' CONVFMT=%.15g part -
done | trials 1 regress | sed '1i\
alpha	n	rmse	se
' >due
run 0 labelprop -t lengths --task regress --cv 3 --method spread --id who graph
near due stdout 1e-9 'numbers by tabfold'

# Rows that no label reaches are wrong, or what the others are.
printf 'class\nx\nx\nNA\ny\ny\n' >apart
printf 'from\tto\tweight\n1\t2\t1\n2\t3\t1\n' >few
run 0 labelprop -t apart --cv 4 few
sed -n 2p stdout >got
[ "$(cut -f 1-3 got)" = '4	2	0.5' ]
ok $? 'two rows without an edge'
err "labelprop: warning: 2 rows with a label have no edge (the graph of another table?)${nl}labelprop: warning: 2 predictions of --cv for rows that no label reaches: wrong (--unreached prior?)$nl"
run 0 labelprop -t apart --cv 4 --unreached prior few
sed -n 2p stdout >got
[ "$(cut -f 1-3 got)" = '4	2	0.5' ]
ok $? 'they would be x'
err "labelprop: warning: 2 rows with a label have no edge (the graph of another table?)${nl}labelprop: warning: 2 predictions of --cv for rows that no label reaches: the commonest class$nl"
sed 's/x/y/' apart | sed '2s/y/x/' >mostly
run 0 labelprop -q -t mostly --cv 4 --unreached prior few
[ "$(sed -n 2p stdout | cut -f 1-3)" = '4	2	0.5' ]
ok $? 'or y'

# Few labels.
printf 'class\nx\nx\nNA\nx\n' >one
run 0 labelprop -q -t one --cv 3 edges
table 'n errors error se' '3 0 0 0'
run 65 labelprop -t path --cv 4 edges
err "labelprop: path: --cv 4: only 3 rows with a label$nl"
for method in harmonic normalized spread poisson; do
	printf 'class\nx\nNA\ny\nz\n' >each
	run 0 labelprop -q -t each --method $method --cv 3 edges
	awk -F '\t' 'NR == 2 { exit $(NF - 2) != 3 || $(NF - 3) != 3 }' stdout
	ok $? "a class of one row cannot be predicted, $method"
done

# Factors that parts share: larger than what is eliminated at once.
awk 'BEGIN { print "class"; for (i = 0; i < 900; i++)
	print (i % 7 ? "NA" : i < 450 ? "a" : i % 30 < 15 ? "b" : "c") }' >square
awk 'BEGIN { print "from\tto\tweight"; for (i = 1; i <= 900; i++) {
	if (i % 30) print i "\t" i + 1 "\t" 1 + i % 5
	if (i <= 870) print i "\t" i + 30 "\t" 2 } }' >mesh
awk '{ print NR - 1 "\t" $0 }' square | sed '1s/^0/who/' >rows
awk -F '\t' 'NR == 1 || $2 != "NA"' rows >labelled
for method in spread poisson harmonic; do
	for i in 1 2 3; do
		tabfold --fold $i/3 --part test labelled >part
		awk -F '\t' -v OFS='\t' 'FNR == NR { hidden[$1]; next }
			FNR > 1 && $1 in hidden { $2 = "?" } 1' part rows >hidden
		labelprop -q -t hidden --id who --method $method mesh |
			awk -F '\t' 'FNR == NR { y[$1] = $2; next }
			$1 in y && FNR > 1 { n++; wrong += $2 != y[$1] }
			END { print 0 "\t" n "\t" wrong + 0 }' part -
	done | trials 1 | cut -f 2- >due
	run 0 labelprop -t square --method $method --cv 3 mesh
	mv stdout got
	sed 1d got | awk -F '\t' -v OFS='\t' '{ print $(NF - 3), $(NF - 2), $(NF - 1), $NF }' |
		cat due - >both
	sed 1p due >'head'
	sed -n '2p;2p' both >two
	near 'head' two 1e-12 "parts that share a factor, $method"
	for j in 2 3; do
		labelprop -t square --method $method --cv 3 -j $j mesh | cmp -s - got
		ok $? "the same bytes with -j $j"
	done
done

for alpha in 0.2 0.999 0.99999; do
	labelprop -t square --method spread --cv 3 --alpha $alpha mesh | sed 1d
done >due
run 0 labelprop -t square --method spread --cv 3 --alpha .2,.999,.99999 mesh
sed 1d stdout | cmp -s - due
ok $? 'each alpha has a factor of its own'

# Wrong calls.
misuse 'several --method or --alpha need --cv N' -t path --method harmonic,spread edges
misuse 'several --method or --alpha need --cv N' -t path --method spread --alpha .1,.2 edges
misuse '--best needs --cv N' -t path --best edges
misuse '--cv and --reveal exclude each other' -t path --cv 2 --reveal .5 edges
misuse '--cv and --check exclude each other' -t path --cv 2 --check x edges
for list in x harmonic,x harmonic,harmonic 'harmonic,' ''; do
	misuse "bad --method: '$list' (different ones of harmonic, normalized, spread and poisson)" \
		-t path --cv 2 --method "$list" edges
done
misuse '--method poisson predicts classes' -t numbers --task regress --cv 2 \
	--method harmonic,poisson line
run 0 labelprop -t path --cv 3 --method harmonic,poisson --alpha .3 --scores --all edges
err "labelprop: warning: --alpha is not used with --method harmonic,poisson
labelprop: warning: --scores is not used with --cv
labelprop: warning: --all is not used with --cv$nl"
done_testing
