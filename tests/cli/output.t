#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --csv and --digits: the table of every command, said otherwise.
. "${0%/*}/tap.sh"

awk -F, 'BEGIN { print "id,a,b,c,d,class" }
	NR > 1 && NR % 4 == 1 { print "r" NR "," $0 }' "$data/iris.csv" |
	sed 's/,setosa/,x/; s/,versicolor/,x/; s/,virginica/,y/' >t.csv
awk -F, 'NR == 1 || NR % 3 == 0' t.csv >ask.csv
awk -F, -v OFS=, 'NR == 1 || NR % 2 { print; next } { $6 = ""; print }' t.csv >some.csv
in='-x !id'
# shellcheck disable=SC2086 # words
{
	nnkgraph $in -y class --method knn -k 9 t.csv >graph.tsv &&
		nnkgraph --id id -y class --method knn -k 9 t.csv >named.tsv &&
		nnkgraph $in -y class -k 5 --symmetrize none t.csv >edges.tsv &&
		nnkgraph $in -y class -k 5 --shard 1/1 t.csv >full.tsv &&
		knnclf $in -t t.csv --scores ask.csv >predicted.tsv &&
		sqpfw -q $in --theta .1 t.csv >weights.tsv &&
		immigrate -q $in t.csv >pairs.tsv &&
		eigenmap -q --nodes t.csv graph.tsv >map.tsv &&
		labelprop --nodes t.csv --reveal .3 --all --scores graph.tsv >prop.tsv &&
		knife -q $in --lambda2 .1 --save-model knife.tsv t.csv >knifed.tsv &&
		wsvmpath $in --from .1 --to 1 --at .5 --save-model svm.tsv \
			--print coef t.csv >/dev/null &&
		wsvmpath $in --from .1 --to 1 --print coef t.csv >coef.tsv
}
ok $? 'the tables are made'

# Whether the second table is the first with three digits, by the kinds of its
# columns: s text, z a count or the number of a row, r any other number, m the number
# of a row or a name.
is_rounded() {
	awk -F '\t' -v kind="$1" '
	function digits(x) {
		sub(/e.*/, "", x)
		gsub(/[-.]/, "", x)
		sub(/^0*/, "", x)
		sub(/0*$/, "", x)
		return length(x)
	}
	NR == FNR { line[NR] = $0; next }
	{
		split(line[FNR], due)
		for (j = 1; j <= NF; j++)
			if (FNR == 1 || /^# / || substr(kind, j, 1) != "r" || due[j] !~ /^-?[.0-9]/)
				bad += $j != due[j]
			else
				bad += digits($j) > 3 ||
				    $j + 0 != sprintf("%.2e", due[j]) + 0
		bad += NF != length(due)
	}
	END { exit bad || FNR != NR / 2 }' "$2" "$3"
}

# styles KINDS COMMAND...: check the command in all styles.
styles() {
	kind=$1
	shift
	"$@" >due.tsv 2>due.err
	due=$?
	[ $due -le 1 ] && [ "$(wc -l <due.tsv)" -gt 1 ]
	ok $? "$*"
	for style in --csv '--digits 3'; do
		# shellcheck disable=SC2086 # two words
		"$@" $style >got 2>err
		[ $? -eq $due ]
		ok $? "with $style"
		case $style in
		--csv)
			sed '/^# /!s/\t/,/g' due.tsv | cmp -s - got &&
				cmp -s due.err err
			;;
		*) is_rounded "$kind" due.tsv got && cmp -s due.err err ;;
		esac
		ok $? "$style says the same"
	done
}

while read -r kind call; do
	case $kind in '#' | '') continue ;; esac
	# shellcheck disable=SC2086 # words
	styles "$kind" $call </dev/null
done <<'EOT'
zss knnclf -x !id -t t.csv ask.csv
sssrr knnclf --id id -x a:d --scores -t t.csv ask.csv
zzzrr knnclf -x a:d --loo -k 1,3,5 t.csv
rzzzrr knnclf -x a:d --loo -w weights.tsv --drop 0,.5 t.csv
zzzrr knnclf -x a:d --cv 3 -k 1,13 t.csv
zrr knnclf -x a:c -y d --task regress -k 3 -t t.csv ask.csv
rzzrr knnclf -q -x a:d --loo --vote expected -w pairs.tsv t.csv
zzrrr nnkgraph -x !id -y class --errors -k 5 --symmetrize none t.csv
ssrr nnkgraph --id id -y class -k 5 t.csv
zzrrr nnkgraph -x !id -y class -k 5 --shard 1/1 t.csv
zzrr nnkgraph --merge full.tsv
srrs nnkgraph -x !id -y class -k 5 --check edges.tsv t.csv
zss labelprop --nodes t.csv --reveal .3 graph.tsv
sssrr labelprop --nodes t.csv --id id --reveal .3 --scores named.tsv
srrs labelprop --nodes t.csv --reveal .3 --check prop.tsv graph.tsv
zrr eigenmap --nodes t.csv graph.tsv
srr eigenmap --nodes t.csv --id id named.tsv
srr eigenmap --nodes t.csv --print values graph.tsv
srrs eigenmap --nodes t.csv --check map.tsv graph.tsv
srr sqpfw -x !id --theta .1 t.csv
zrsrr sqpfw -x !id --path --theta-max 1 t.csv
zrsmssz sqpfw -x !id --path --print events --theta-max 1 t.csv
zzzrrr sqpfw -x !id --theta .1 --print margins t.csv
srrs sqpfw -x !id --theta .1 --check weights.tsv t.csv
srr relief -x !id t.csv
ssrr relief -x !id --method lfe t.csv
ssrr immigrate -x !id t.csv
zrrr immigrate -x !id --print margins t.csv
srr immigrate -x !id --method im4e t.csv
zrrssr immigrate -x !id --boost 3 t.csv
srrs immigrate -q -x !id --check pairs.tsv t.csv
srr knife -x !id --lambda2 .1 t.csv
zrsrr knife -x !id --lambda2 .1,1 t.csv
srrs knife -x !id --lambda2 .1 --check knifed.tsv t.csv
zss kpredict -m knife.tsv ask.csv
sssrr kpredict -m svm.tsv --id id --scores ask.csv
zrszssr wsvmpath --print events -x !id --from .1 --to 1 t.csv
zrssssr wsvmpath --print events --id id --from .1 --to 1 t.csv
zrsr wsvmpath -x !id --from .1 --to 1 --print coef t.csv
zrzr wsvmpath -x !id --from .1 --to 1 --print margin t.csv
rrzzrrr wsvmpath -x !id --from .1 --to 1 --validate ask.csv t.csv
rrzzrrr wsvmpath -x !id --from .1 --to 1 --cv 3 t.csv
zssr svmonline -x !id -C 1 --window 9 t.csv
sssr svmonline --id id -C 1 --window 9 t.csv
zssr svmtransduce -x !id --labelled .1 --unlabelled 1 some.csv
srrs wsvmpath -x !id --from .1 --to 1 --check coef.tsv t.csv
ssssssr tabratio -x !id --sigma 1,2 --test ask.csv t.csv
srrrrs tabscale t.csv
srrrrrr tabscale -y none --onehot class -x a:d --na mean some.csv
srrrrzz tabscale -y none --id id --onehot class t.csv
ssssss tabfold --fold 1/3 --part test t.csv
ssr tabscore predicted.tsv
ssr tabscore --positive y predicted.tsv
sssz tabscore --confusion predicted.tsv
ssr tabscore --paired predicted.tsv predicted.tsv
EOT

# -o FILE.
for style in --csv --digits=3; do
	run 0 relief -x !id $style t.csv
	cp stdout due
	run 0 relief -x !id $style -o new t.csv
	out ''
	cmp -s due new
	ok $? "-o with $style"
done

# Hand-made: texts that need quotes, and missing cells.
printf 'id;"a,b";"c\td";"q""";y\nr,1;1;2;x;"NA"\n r2;3;NA;"say ""ho""\nthere";\n' >odd
run 0 tabscale --method none -x '!*' -d ';' --csv odd
out "id,\"a,b\",\"c${tab}d\",\"q\"\"\",y
\"r,1\",1,2,x,\"NA\"
r2,3,NA,\"say \"\"ho\"\"${nl}there\",
"
err ''
tabscale --method none -x '!*' -d ';' --csv odd >odd.csv
tabscale --method none -x '!*' -d ';' odd >due
run 0 tabscale --method none -x '!*' -d , odd.csv
cmp -s stdout due
ok $? 'it is read as it was written'
printf 'a\tb\ty\n0\t0\tp\n1\t0\tq\n0\t1\tp\n1\t1\tq\n' >four
run 0 nnkgraph -y y -k 1 --scale none --method knn --sigma 1 --symmetrize max --csv --digits 2 four
out 'from,to,weight,distance
1,2,0.61,1
1,3,0.61,1
2,4,0.61,1
'

# A table without rows.
run 0 knnclf --csv -t t.csv -x a:d some.csv --shard 1/100
out 'id,predicted,actual
'

# Joined shards are the whole: of CSV without all headers but the first.
cut -d, -f2- ask.csv >rows.csv
for call in 'knnclf -x !id -t t.csv --scores rows.csv' \
	'kpredict -m svm.tsv --scores rows.csv'; do
	for i in 1 2 3; do
		$call --csv --digits 4 --shard $i/3 >csv.$i
	done
	awk 'NR == 1 || FNR > 1' csv.1 csv.2 csv.3 >got
	$call --csv --digits 4 | cmp -s - got && [ -s got ]
	ok $? "shards of $call --csv"
done

# What commands write as CSV, they read.
csv() {
	sed '/^# /!s/\t/,/g' "$1" >read.csv
}
reads() { # FILE COMMAND...: it says the same of FILE and of read.csv
	file=$1
	shift
	run 0 "$@" "$file"
	cp stdout due
	csv "$file"
	run 0 "$@" read.csv
	cmp -s due stdout && [ -s due ]
	ok $? "$* of CSV"
}
reads predicted.tsv tabscore
reads graph.tsv eigenmap --nodes t.csv
reads graph.tsv labelprop --reveal .5 --nodes t.csv
reads full.tsv nnkgraph --merge
reads map.tsv eigenmap --nodes t.csv graph.tsv --check
reads prop.tsv labelprop --reveal .3 --nodes t.csv graph.tsv --check
reads coef.tsv wsvmpath -x !id --from .1 --to 1 t.csv --check
reads weights.tsv knnclf -x a:d --loo t.csv -w
reads pairs.tsv knnclf -x a:d --loo --vote expected t.csv -w
reads weights.tsv sqpfw -q -x !id --theta .1 t.csv --check
grep -q '^# sigma	' read.csv || csv pairs.tsv
grep -q '^# sigma	' read.csv
ok $? 'a comment before the table keeps its tab'

# Other files of a run are as they were.
knife -q -x !id --lambda2 .1 --save-model due t.csv >/dev/null
logged 0 knife -q -x !id --lambda2 .1 --save-model saved \
	--digits 2 --csv t.csv
cmp -s due saved && grep -q "^seconds$tab" log
ok $? 'models and logs have tabs and all digits'
run 0 tabscale -q --save due t.csv
run 0 tabscale -q --save saved --csv --digits 2 t.csv
cmp -s due saved
ok $? 'and scalings'
run 0 knife -q -x !id --lambda2 .1 --save-model - --csv -o new t.csv
cp stdout saved
run 0 kpredict -m - ask.csv <saved
ok $? 'a model on standard output is none of the tables'

# Wrong calls.
misused() {
	message=$1
	shift
	run 2 "$@"
	err "$1: $message${nl}try '$1 --help'$nl"
	out ''
}
misused 'writing .npy is gone: write FILE.tsv, which numpy.genfromtxt() reads' \
	tabfold --fold 1/2 -o x.npy t.csv
misused "bad --digits: '0' (a whole number from 1 to 17)" relief --digits 0 t.csv
misused "bad --digits: '18' (a whole number from 1 to 17)" relief --digits 18 t.csv
run 0 knnclf -x a:d --loo -k 13 --digits 1 t.csv
[ "$(sed -n 2p stdout | cut -f 1,2)" = "13	37" ]
ok $? 'numbers of neighbours and rows are not rounded'
# Rows are written as they come.
mkfifo slow
sed -n 1,40p t.csv >slow &
run 0 svmonline -x !id -C 1 --window 9 --csv --digits 3 slow
[ "$(wc -l <stdout)" -eq "$(wc -l <t.csv)" ]
ok $? 'a stream'

# Few digits of large numbers need an exponent; those of the largest double are cut, as rounded
# up they are no double; 1e-400 is 0.
printf 'x,y\n1e-400,1\n1.7976931348623157e308,2\n-1.7976931348623157e308,3\n123456789012345678901,4\n' >far
printf '1.5e300,5\n-2e22,6\n9007199254740991,7\n-0,8\n' >>far
run 0 tabscale --method none -y none --digits 3 far
table 'x y' '0 1' '1.79e+308 2' '-1.79e+308 3' '1.23e+20 4' '1.5e+300 5' '-2e+22 6' \
	'9.01e+15 7' '0 8'
run 0 tabscale --method none -y none --digits 1 far
table 'x y' '0 1' '1e+308 2' '-1e+308 3' '1e+20 4' '2e+300 5' '-2e+22 6' '9e+15 7' '0 8'

done_testing
