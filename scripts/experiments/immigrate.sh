# SPDX-License-Identifier: BSD-2-Clause
# What the tables of the IMMIGRATE paper share.
#
# The paper counts each of the ten folds of each of ten seeds as a trial.  So a
# repetition is a fold here, and its number is that of the trial.
#
# sigma is chosen in two ways: "over all trials", by the test errors, as the
# paper chose it where it reports its best results; and "inside", in the training
# part alone.  swept puts the first as "METHOD sigma=S"; finish keeps the best.
# The function IM4E of the authors' package takes no notice of its sigma, which is
# always 1: IM4 is at sigma 1, and "IM4 chosen" is the best.
# shellcheck shell=sh
# shellcheck disable=SC2034 # the targets use it
# shellcheck source=common.sh
. "${0%/*}/../common.sh"

# Two data sets have missing cells; the mean of the training part takes their
# place.
na=mean

sigmas=$(each '4 1 0.25' '4 2 1 0.5 0.25')
# The solver of the authors' package, with which the paper was computed.
package='--solver package'
folds='1 2 3 4 5 6 7 8 9 10'

# The two-class sets of Tables 2 and 3, cheap first, and the two large ones.
# MONK's test file is all of the problem's rows, those for training among them.
small='cryotherapy immunotherapy wine_2c glass_2c lymphography_2c ecoli_2c
	userknowledge_2c breastcancer_dummies breastcancer_ord haberman heart parkinsons wpbc wholesale
	monks1.test sonar pima ionosphere urban_2c'
large='waveform_01 electricalgrid'

# trials SET [NAME]: its units, NAME.SEED for all folds of a seed, or NAME.SEED-FOLD
# where there are fewer than ten; quick, one seed.
trials() {
	trials=$(each 10 "$(afford "$1" 100)")
	shift $(($# - 1))
	if [ "$trials" -ge 10 ]; then
		seeds "$1" $((trials / 10))
	else
		seeds "$1.1" "$trials" | sed 's/[.]\([0-9]*\)$/-\1/'
	fi
}

# is_wanted NAME: also where it is another coding of a data set.
is_wanted() { wanted "$1" "${1%_dummies}"; }

# coded NAME: its rows.  With _dummies texts are coded as R does it (model.matrix): a
# column of 0 and 1 for each level but the first; incomplete rows are left out.
coded() {
	case $1 in
	*_dummies) rows "${1%_dummies}" | awk -F , -v OFS=, '
		NR == 1 {
			for (j = 1; j <= NF; j++)
				name[j] = $j
			p = NF - 1
			next
		}
		{
			for (j = 1; j <= p; j++)
				if ($j == "" || $j == "NA")
					next
			row[++n] = $0
			for (j = 1; j <= p; j++)
				if (!((j, $j) in seen)) {
					seen[j, $j]
					level[j, ++levels[j]] = $j
				}
		}
		function sort(j, i, k, s) {
			for (i = 2; i <= levels[j]; i++) {
				s = level[j, i]
				for (k = i; k > 1 && level[j, k - 1] "" > s ""; k--)
					level[j, k] = level[j, k - 1]
				level[j, k] = s
			}
		}
		END {
			for (j = 1; j <= p; j++) {
				sort(j)
				for (i = 2; i <= levels[j]; i++)
					printf "%s_%d,", name[j], i
			}
			print name[p + 1]
			for (k = 1; k <= n; k++) {
				split(row[k], cell, ",")
				for (j = 1; j <= p; j++)
					for (i = 2; i <= levels[j]; i++)
						printf "%d,", cell[j] "" == level[j, i] ""
				print cell[p + 1]
			}
		}' ;;
	*) rows "$1" ;;
	esac
}

# deal NAME SEED FOLD: learn.z and judge.z; the number of the $trial.
deal() {
	name=$1 trial=$((10 * ($2 - 1) + $3))
	[ -f all ] || coded "$name" | thin "$(each 150 1000000)" 1 >all
	tabfold --seed "$2" --fold "$3/10" --part train all >learn
	tabfold --seed "$2" --fold "$3/10" --part test all >judge
	scaled learn judge
}

# accuracy LINE < table of errors: that of a line.
accuracy() {
	awk -F '\t' -v line="$1" 'NR == line { printf "%.6g\n", 1 - $3 / $2 }'
}

# scored METHOD OPTION...: puts the accuracy of knnclf, with the seconds since
# start.
scored() {
	method=$1
	shift
	knnclf -t learn.z "$@" --print errors judge.z >judged
	stop
	put "$name" "$method" accuracy "$trial" "$(accuracy 2 <judged)" "$seconds"
}

# The votes of the nearest rows; of monks1 also by the rule of knn() in R's package
# class: all rows whose distance is that of the k-th vote, and of equal votes one is
# drawn.
nearest() {
	start
	knnclf --scale none -t learn.z -k 1,3 --print errors judge.z >judged
	stop
	put "$name" 1NN accuracy "$trial" "$(accuracy 2 <judged)" "$seconds"
	put "$name" 3NN accuracy "$trial" "$(accuracy 3 <judged)" "$seconds"
	[ "$name" != monks1.test ] || for k in 1 3; do
		put "$name" "${k}NN of R" accuracy "$trial" "$(tied "$k")"
	done
}

# tied K: the expected accuracy by that rule.
tied() {
	awk -F '\t' -v k="$1" '
		FNR == 1 { p = NF - 1; next }
		NR == FNR { n++; for (j = 1; j <= NF; j++) x[n, j] = $j; next }
		{
			for (i = 1; i <= n; i++) {
				d[i] = 0
				for (j = 1; j <= p; j++)
					d[i] += (x[i, j] - $j) ^ 2
			}
			split("", least)
			for (i = 1; i <= n; i++) {
				for (j = i <= k ? i : k + 1; j > 1 && d[i] < least[j - 1]; j--)
					if (j <= k)
						least[j] = least[j - 1]
				if (j <= k)
					least[j] = d[i]
			}
			split("", votes)
			most = ties = 0
			for (i = 1; i <= n; i++)
				if (d[i] <= least[k] * 1.0001 && ++votes[x[i, p + 1]] > most)
					most = votes[x[i, p + 1]]
			for (c in votes)
				ties += votes[c] == most
			if (votes[$NF] == most)
				right += 1 / ties
			rows++
		}
		END { printf "%.6g\n", right / rows }' learn.z judge.z
}

# swept METHOD OPTION...: learns with immigrate at each sigma; which one is
# chosen inside is by the rows of the training part, each predicted from the
# others with the weights that were learnt from all of them.
swept() {
	sweep=$1 spent=0
	shift
	: >inside
	for sigma in $sigmas; do
		start
		allow immigrate --scale none -q "$@" --sigma "$sigma" learn.z >w
		scored "$sweep sigma=$sigma" -w w --vote expected --sigma "$sigma"
		learnt=$seconds
		start
		knnclf --loo -w w --vote expected --sigma "$sigma" learn.z >loo
		stop
		spent=$(echo "$spent $learnt $seconds" | awk '{ print $1 + $2 + $3 }')
		printf '%s\t%s\t%s\n' "$(cell 2 errors <loo)" "$sigma" \
			"$(accuracy 2 <judged)" >>inside
	done
	sort -k 1,1n -k 2,2n inside | sed 1q >chosen
	put "$name" "$sweep inside" accuracy "$trial" "$(cut -f 3 chosen)" "$spent"
	put "$name" "$sweep inside" 'median sigma' "$trial" "$(cut -f 2 chosen)"
}

# The accuracies at the sigma of the fewest errors over all trials, of equal ones
# the smallest, and which it is; of IM4 those at sigma 1 too.
finish() {
	awk -F '\t' -v OFS='\t' '
		!match($2, / sigma=/) { print; next }
		{
			sigma = substr($2, RSTART + RLENGTH)
			$2 = substr($2, 1, RSTART - 1)
			if ($2 == "IM4") {
				if (sigma == 1)
					print
				$2 = "IM4 chosen"
			}
			key = $1 OFS $2
			line[++lines] = $0
			of[lines] = key
			at[lines] = sigma
			sum[key, sigma] += $5
			if (!((key, sigma) in seen))
				sigmas[key] = sigmas[key] " " sigma
			seen[key, sigma]
		}
		END {
			for (key in sigmas) {
				n = split(sigmas[key], s, " ")
				best[key] = s[1]
				for (i = 2; i <= n; i++) {
					d = sum[key, s[i]] - sum[key, best[key]]
					if (d > 1e-9 || (d > -1e-9 && s[i] + 0 < best[key] + 0))
						best[key] = s[i]
				}
				print key, "median sigma", 1, best[key], "NA"
			}
			for (i = 1; i <= lines; i++)
				if (at[i] == best[of[i]])
					print line[i]
		}' | sort
}

# boosted METHOD LEARNERS OPTION...: an ensemble, sigma from 4 to .2.
boosted() {
	ensemble=$1 learners=$2
	shift 2
	start
	allow immigrate --scale none -q "$@" --boost "$learners" --seed "$trial" learn.z >w
	scored "$ensemble" -w w --vote expected
}
