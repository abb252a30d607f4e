# SPDX-License-Identifier: BSD-2-Clause
# n rows of eq. (27) of the WSVM paper, four clouds of n/4 each, scaled to the unit
# square: awk -v seed=1 -v n=400 -f random.awk -f clouds.awk
#
# v is what an error costs, and from the weight at the start: C1 = 0 where v is 1,
# C2 = 10 where it is 2.
BEGIN {
	OFS = "\t"
	split("1 0 0 1", mean1)
	split("0 0 1 1", mean2)
	split("1 .5 1 .5", var1)
	for (i = 1; i <= n; i++) {
		k = int((i - 1) * 4 / n) + 1
		x[i, 1] = mean1[k] + sqrt(var1[k]) * normal()
		x[i, 2] = mean2[k] + sqrt(.5) * normal()
		for (j = 1; j <= 2; j++) {
			if (i == 1 || x[i, j] < lo[j])
				lo[j] = x[i, j]
			if (i == 1 || x[i, j] > hi[j])
				hi[j] = x[i, j]
		}
	}
	print "x1", "x2", "v", "from", "class"
	for (i = 1; i <= n; i++) {
		k = int((i - 1) * 4 / n) + 1
		for (j = 1; j <= 2; j++)
			printf "%.9g\t", (x[i, j] - lo[j]) / (hi[j] - lo[j])
		print (k % 2 ? 1 : 2), (k % 2 ? 0 : 10), (k < 3 ? 1 : -1)
	}
}
