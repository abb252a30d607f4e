#!/bin/sh
# relief: --cv, --best and --scale.
. "${0%/*}/tap.sh"

cp "$data/iris.csv" "$data/wine.csv" .
tabscale iris.csv >iris
cut -d , -f 1-4 iris.csv >flower
tabscale wine.csv >wine

# by_hand TABLE PARTS SEED SCALE VOTES OPTION...: vote_k n errors error se, or
# vote_k n rmse se, of --cv, from what the commands say of each part.
by_hand() {
	table=$1
	parts=$2
	seed=$3
	scale=$4
	votes=$5
	shift 5
	task=classify
	case "$*" in
	*regress*) task=regress ;;
	esac
	part=0
	while [ $part -lt "$parts" ]; do
		part=$((part + 1))
		fold="tabfold --task $task --seed $seed --fold $part/$parts"
		$fold --part train "$table" >learn
		$fold --part test "$table" >judge
		if [ "$scale" != none ]; then
			tabscale --method "$scale" --save units learn >learn.s
			tabscale --apply units judge >judge.s
			mv learn.s learn
			mv judge.s judge
		fi
		relief -q --best-effort --seed "$seed" "$@" learn |
			awk -F '\t' -v OFS='\t' 'NR > 1 && NF == 2 && $2 < 0 { $2 = 0 } 1' >w
		knnclf --task $task -w w -k "$votes" --print errors -t learn judge | sed 1d
	done | awk -v parts="$parts" -v task=$task -F '\t' '
		task == "regress" { $4 = $3 = $2 * $3 ^ 2 }
		{
			if (!($1 in n)) order[++m] = $1
			n[$1] += $2; e[$1] += $3; s[$1] += $3 / $2; q[$1] += ($3 / $2) ^ 2
		}
		END {
			for (i = 1; i <= m; i++) {
				k = order[i]
				v = q[k] / parts - (s[k] / parts) ^ 2
				se = sqrt((v > 0 ? v : 0) / (parts - 1))
				error = e[k] / n[k]
				if (task == "regress") {
					error = sqrt(error)
					printf "%s\t%d\t%.9f\t%.9f\n", k, n[k], error, se / 2 / error
				} else
					printf "%s\t%d\t%d\t%.9f\t%.9f\n", k, n[k], e[k], error, se
			}
		}'
}

# The same columns of the table on standard output, of rows whose columns before
# vote_k are these.
columns() { # [VALUE]...
	awk -F '\t' -v OFS='\t' -v want="$*" '
		NR == 1 { for (at = 1; $at != "vote_k"; at++); next }
		{
			is = ""
			for (i = 1; i < at; i++) is = is (i > 1 ? " " : "") $i
			if (is != want) next
			line = $at
			for (i = at + 1; i < NF; i++) line = line OFS ($i == int($i) && i < NF - 2 ? $i : sprintf("%.9f", $i))
			print line
		}' stdout >got
}

while read -r file parts seed scale votes args; do
	# shellcheck disable=SC2086 # several words
	run 0 relief -q --best-effort --cv "$parts" --seed "$seed" --scale "$scale" \
		--vote-k "$votes" $args "$file"
	columns "$(echo " $args" | sed -n 's/.* -k \([^ ]*\).*/\1 /p')$(
		echo " $args" | sed -n 's/.* --sigma \([^ ]*\).*/\1/p')"
	[ -s got ] || columns "$(echo " $args" | sed -n 's/.* -k \([^ ]*\).*/\1/p')"
	# shellcheck disable=SC2086
	by_hand "$file" "$parts" "$seed" "$scale" "$votes" $args >due
	cmp -s got due
	ok $? "$file: part by part"
	diff due got | sed 's/^/# /'
done <<W
iris 5 1 none 1,3
wine 4 2 none 1,3 --samples 50
wine.csv 4 3 minmax 1,5 --method relieff -k 5
wine.csv 5 4 none 1,5 --method relieff -k 3 --metric l2
iris.csv 5 5 zscore 3,1 --method simba --starts 2
wine.csv 3 6 zscore 1,3 --method mulrel
wine.csv 3 7 zscore 1,3 --method irelief --sigma 2
iris.csv 3 8 zscore 1,3 --method nca --starts 1
wine.csv 3 9 zscore 1,3 --method lfe
flower 4 10 minmax 1,4 --method relieff -k 5 --sigma 10 --task regress
flower 4 11 none 1,4 --method relieff -k 5 --sigma 10 --task regress
W
