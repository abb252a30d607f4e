#!/bin/sh
# sqpfw: --cv, --best, --scale and --print margins.
. "${0%/*}/tap.sh"

tabscale "$data/iris.csv" >iris
tabscale "$data/wine.csv" >wine

# by_hand TABLE PARTS SEED HITS MISSES THETAS KS SCALE: what --cv says, from what
# the commands say of each part; scaled, where SCALE says so, by tabscale.
by_hand() {
	part=0
	while [ $part -lt "$2" ]; do
		part=$((part + 1))
		tabfold --seed "$3" --fold $part/"$2" --part train "$1" >learn
		tabfold --seed "$3" --fold $part/"$2" --part test "$1" >judge
		if [ "$8" != none ]; then
			tabscale --method "$8" --save units learn >learn.s
			tabscale --apply units judge >judge.s
			mv learn.s learn
			mv judge.s judge
		fi
		sqpfw -q --best-effort --hits "$4" --misses "$5" --theta "$6,1e9" learn >path
		for theta in $(echo "$6" | tr , ' '); do
			{
				printf 'feature\tweight\n'
				awk -v t="$theta" -F '\t' 'NR > 1 && $2 + 0 == t + 0 { print $3 "\t" $4 }' path
			} >w
			knnclf -w w -k "$7" --print errors -t learn judge |
				awk -v t="$theta" -v OFS='\t' -v p="$(($(wc -l <w) - 1))" \
					'NR > 1 { print t, $1, $2, $3, p }'
		done
	done | awk -v parts="$2" -F '\t' '
		{ it = $1 FS $2 }
		!(it in n) { order[++m] = it }
		{ n[it] += $3; e[it] += $4; s[it] += $4 / $3; q[it] += ($4 / $3) ^ 2; if ($5 > p[it]) p[it] = $5 }
		END {
			print "theta\tk\tn\terrors\terror\tse\tfeatures"
			for (i = 1; i <= m; i++) {
				it = order[i]
				v = q[it] / parts - (s[it] / parts) ^ 2
				printf "%s\t%d\t%d\t%.9f\t%.9f\t%d\n", it, n[it], e[it], e[it] / n[it],
					sqrt((v > 0 ? v : 0) / (parts - 1)), p[it]
			}
		}'
}

# rounded: error and se of the table on standard output as by_hand has them.
rounded() {
	awk -F '\t' -v OFS='\t' 'NR > 1 { for (i = NF - 2; i < NF; i++) $i = sprintf("%.9f", $i) } 1' stdout >got
}

while read -r file parts seed hits misses thetas k scale; do
	run 0 sqpfw -q --best-effort --cv "$parts" --seed "$seed" --hits "$hits" \
		--misses "$misses" --theta "$thetas" -k "$k" --scale "$scale" "$file"
	rounded
	by_hand "$file" "$parts" "$seed" "$hits" "$misses" "$thetas" "$k" "$scale" >due
	cmp -s got due
	ok $? "$file, $parts parts, seed $seed, $hits hits, $misses misses, $scale: part by part"
	diff due got | sed 's/^/# /'
done <<W
iris 5 1 1 1 0.01,0.1,1 1,3 none
iris 3 2 2 1 0.03,0.3 1,5 none
wine 10 3 1 2 0.1 3,1 none
wine 4 4 3 3 0.01,0.3 1,3,5 none
$data/iris.csv 5 5 1 1 0.01,0.1 1,3 zscore
$data/wine.csv 4 6 1 2 0.01,0.1 1,3 zscore
$data/wine.csv 4 7 2 1 0.1,1 1,3 minmax
W
