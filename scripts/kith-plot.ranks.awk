# SPDX-License-Identifier: BSD-2-Clause
# The statistics of kith-plot-ranks: mean ranks, the test of Friedman, and the
# critical difference of Nemenyi (Demsar 2006, sections 3.2.2 and 3.2.3).  An awk may
# be built without sqrt() and exp().

# e to the -x, x >= 0.
function decay(x,   halves, term, sum, i) {
	if (x > 745)
		return 0
	for (; x > .5; halves++)
		x /= 2
	term = sum = 1
	for (i = 1; i < 18; i++) {
		term *= -x / i
		sum += term
	}
	for (; halves > 0; halves--)
		sum *= sum
	return sum
}
# The square root of x >= 0.
function root(x,   r, better) {
	if (x <= 0)
		return 0
	better = x > 1 ? x : 1
	do {
		r = better
		better = (r + x / r) / 2
	} while (better < r)
	return r
}
function power(x, n,   y) {
	for (y = 1; n > 0; n = int(n / 2)) {
		if (n % 2)
			y *= x
		x *= x
	}
	return y
}

# The normal distribution at z = i/50, |z| <= 10: density[i] and below[i].
function tabulate(   i, middle) {
	density[0] = normal(0)
	below[0] = .5
	for (i = 1; i <= 500; i++) {
		density[i] = density[-i] = normal(i / 50)
		middle = normal((i - .5) / 50)
		below[i] = below[i - 1] + (density[i - 1] + 4 * middle + density[i]) / 300
		below[-i] = 1 - below[i]
	}
}
function normal(z) {
	return decay(z * z / 2) * .39894228040143268
}
# The share of the normal distribution below z: Hermite's polynomial between two
# places of the table.
function normal_below(z,   i, t, s) {
	if (z <= -10 || z >= 10)
		return z > 0
	z *= 50
	i = int(z + 1000) - 1000
	t = z - i
	s = 1 - t
	return s * s * (1 + 2 * t) * below[i] + t * t * (1 + 2 * s) * below[i + 1] + \
		t * s * (s * density[i] - t * density[i + 1]) / 50
}
# The share of the ranges of k normal numbers below q:
# k int density(z) (below(z) - below(z - q))^(k-1) dz.
function range_below(q, k,   i, sum) {
	for (i = -400; i <= 500; i++)
		sum += density[i] * power(below[i] - normal_below(i / 50 - q), k - 1)
	return k * sum / 50
}
# The q that the range of k normal numbers exceeds with probability .05.
function range_quantile(k,   low, high, i) {
	low = 0
	high = 16
	for (i = 0; i < 36; i++)
		if (range_below((low + high) / 2, k) < .95)
			low = (low + high) / 2
		else
			high = (low + high) / 2
	return (low + high) / 2
}
# The share of chi-square with so many degrees of freedom above x.
function chi_above(x, df,   term, sum, r) {
	if (x <= 0)
		return 1
	if (x > 1400)
		return 0
	if (df % 2) {
		term = root(x)
		for (r = 1; r < df; r += 2) {
			sum += term
			term *= x / (r + 2)
		}
		return 2 * (1 - normal_below(root(x))) + 2 * normal(root(x)) * sum
	}
	term = 1
	for (r = 0; r < df; r += 2) {
		sum += term
		term *= x / (r + 2)
	}
	return decay(x / 2) * sum
}

# value[m, s] of methods and sets become ranks in sum_of[m], 1 for the least; equal
# ones share the mean of their ranks.
function rank_all(methods, sets,   s, i, j, lower, equal) {
	for (s = 1; s <= sets; s++)
		for (i = 1; i <= methods; i++) {
			lower = equal = 0
			for (j = 1; j <= methods; j++) {
				if (is_equal(value[i, s], value[j, s]))
					equal++
				else if (value[j, s] < value[i, s])
					lower++
			}
			sum_of[i] += lower + (equal + 1) / 2
		}
}
# Equal up to the rounding of means.
function is_equal(a, b) {
	return a == b || abs(a - b) <= 1e-13 * (abs(a) + abs(b))
}
# 12 n / (k (k+1)) (sum of R^2 - k (k+1)^2 / 4), R being mean ranks.
function friedman(methods, sets,   i, sum, from_mean) {
	for (i = 1; i <= methods; i++) {
		from_mean = sum_of[i] / sets - (methods + 1) / 2
		sum += from_mean * from_mean
	}
	return 12 * sets / (methods * (methods + 1)) * sum
}
# q / sqrt 2 sqrt(k (k+1) / (6 n)).
function critical_difference(methods, sets) {
	return range_quantile(methods) * \
		root(methods * (methods + 1) / (12 * sets))
}
