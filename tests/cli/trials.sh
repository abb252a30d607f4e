# SPDX-License-Identifier: BSD-2-Clause
# Sourced by tests of --cv: what the errors of parts come to.
# shellcheck shell=sh

# trials K [regress]: of lines PARAMETER... n loss, K parameters and a line for
# each part, PARAMETER... n errors error se for each of their values, or with
# numbers, whose loss is the sum of squares, PARAMETER... n rmse se.
trials() {
	awk -F '\t' -v OFS='\t' -v k="$1" -v regress="${2-}" '
	{
		key = $1
		for (i = 2; i <= k; i++)
			key = key OFS $i
		if (!(key in n))
			name[++keys] = key
		if ($(k + 1) == 0)
			next
		n[key] += $(k + 1)
		loss[key] += $(k + 2)
		part[key, ++parts[key]] = $(k + 2) / $(k + 1)
	}
	END {
		for (i = 1; i <= keys; i++) {
			key = name[i]
			N = parts[key]
			mean = square = 0
			for (j = 1; j <= N; j++)
				mean += part[key, j] / N
			for (j = 1; j <= N; j++)
				square += (part[key, j] - mean) ^ 2
			error = loss[key] / n[key]
			se = sqrt(square / N / (N - 1))
			if (regress) {
				error = sqrt(error)
				print key, n[key], error, (se > 0 ? se / 2 / error : 0)
			} else
				print key, n[key], loss[key], error, se
		}
	}' OFMT=%.12g CONVFMT=%.12g
}

# simplest COLUMN: of a table of trials of one parameter whose error is in this
# column, and se in the next, the parameters of the best and of the simplest
# within one standard error: fewest features, if there are any, and the largest
# parameter.
simplest() {
	awk -F '\t' -v at="$1" '
	NR == 1 { f = $(at + 2) == "features" ? at + 2 : 0; next }
	{
		m = NR - 1
		key[m] = $1 + 0
		name[m] = $1
		error[m] = $at
		se[m] = $(at + 1)
		features[m] = f ? $f : 0
	}
	END {
		b = 1
		for (i = 2; i <= m; i++)
			if (error[i] < error[b] || error[i] == error[b] &&
			    (features[i] < features[b] ||
			    features[i] == features[b] && key[i] < key[b]))
				b = i
		s = b
		for (i = 1; i <= m; i++)
			if (error[i] <= error[b] + se[b] &&
			    (features[i] < features[s] ||
			    features[i] == features[s] && key[i] > key[s]))
				s = i
		print name[b], name[s]
	}'
}
