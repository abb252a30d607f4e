# SPDX-License-Identifier: BSD-2-Clause
# kith-plot ranks: the diagram of Demsar (2006): mean ranks of methods over sets, the test
# of Friedman and the critical difference of Nemenyi (sections 3.2.2 and 3.2.3).
function begin_table() {
	method = where("method")
	set = where("set")
	error = where("error rmse accuracy ndcg")
	if (!method || !set || !error)
		fail_kind("errors of methods: columns method set error expected")
	sign = head[error] == "accuracy" || head[error] == "ndcg" ? -1 : 1
}
# Several rows of a method on a set are repetitions: their mean counts.
function read_row(   m, s) {
	if (!(cell[method] in number_of)) {
		number_of[cell[method]] = ++methods
		name[methods] = cell[method]
	}
	if (!(cell[set] in set_of))
		set_of[cell[set]] = ++all_sets
	m = number_of[cell[method]]
	s = set_of[cell[set]]
	times[m, s]++
	if (cell[error] == "NA")
		unknown[s] = 1
	else
		total[m, s] += number(error)
}
# Ranks on the sets that have a known error of every method: rank_sum[m], 1 for the best,
# equal ones share the mean of their ranks.
function rank_all(   s, m, i, x, lower, equal, d) {
	for (s = 1; s <= all_sets; s++) {
		for (m = 1; m <= methods && (m, s) in times; m++)
			x[m] = sign * total[m, s] / times[m, s]
		if (m <= methods || s in unknown)
			continue
		sets++
		for (m = 1; m <= methods; m++) {
			lower = equal = 0
			for (i = 1; i <= methods; i++) {
				d = x[i] - x[m]
				# Equal up to the rounding of means.
				if (abs(d) <= 1e-13 * (abs(x[i]) + abs(x[m])))
					equal++
				else
					lower += d < 0
			}
			rank_sum[m] += lower + (equal + 1) / 2
		}
	}
	if (methods < 2 || sets < 2)
		fail("nothing to draw: " plural(methods, "method") ", " plural(sets + 0, "set") \
			" with all of them (two of each are needed)")
	if (methods > 100)
		fail("more than 100 methods")
}
# The normal distribution at z = i / 50, |z| <= 10: density[i] and below[i], by Simpson.
function density_at(z) {
	return exp(-z * z / 2) * .39894228040143268
}
function tabulate(   i) {
	density[0] = density_at(0)
	below[0] = .5
	for (i = 1; i <= 500; i++) {
		density[i] = density[-i] = density_at(i / 50)
		below[i] = below[i - 1] + (density[i - 1] + 4 * density_at((i - .5) / 50) + \
			density[i]) / 300
		below[-i] = 1 - below[i]
	}
}
# The normal distribution function, by Hermite's polynomial between two places.
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
# The probability that the range of k normal numbers is below q:
# k int density(z) (below(z) - below(z - q))^(k-1) dz.
function range_below(q, k,   i, sum) {
	for (i = -400; i <= 500; i++)
		sum += density[i] * (below[i] - normal_below(i / 50 - q)) ^ (k - 1)
	return k * sum / 50
}
# The range that k normal numbers exceed with probability .05, by bisection.
function range_quantile(k,   low, high, i) {
	high = 16
	for (i = 0; i < 36; i++)
		if (range_below((low + high) / 2, k) < .95)
			low = (low + high) / 2
		else
			high = (low + high) / 2
	return (low + high) / 2
}
# The probability that chi-square with df degrees of freedom is above x.
function chi_above(x, df,   term, sum, r) {
	if (x <= 0)
		return 1
	term = df % 2 ? sqrt(x) : 1
	for (r = df % 2; r < df; r += 2) {
		sum += term
		term *= x / (r + 2)
	}
	return df % 2 ? 2 * (1 - normal_below(sqrt(x))) + 2 * density_at(sqrt(x)) * sum : \
		exp(-x / 2) * sum
}
# The longest runs of methods whose ranks are less than the critical difference apart,
# bar_from[] to bar_to[], each at the first height where it is free.
function find_bars(   i, j, last, h, free) {
	for (i = 1; i < methods; i++) {
		for (j = i; j < methods && mean[j + 1] - mean[i] < critical; j++)
			;
		if (j <= (last > i ? last : i))
			continue
		last = j
		bar_from[++bars] = i
		bar_to[bars] = j
		for (h = 1; h <= heights && mean[i] - free[h] < (methods - 1) / 40; h++)
			;
		heights = h > heights ? h : heights
		bar_height[bars] = h
		free[h] = mean[j]
	}
}
function line(x, y, x2, y2, how) {
	printf "set arrow from %.9g, %.9g to %.9g, %.9g nohead %s\n", x, y, x2, y2, how
}
# The best ranks are at the right; the names of the better half stand there, of the worse
# half at the left.  Heights are units from the axis of ranks at 0.
function draw(   i, j, chi, p, what, found, s, half, y, end, wide) {
	rank_all()
	for (i = 1; i <= methods; i++) {
		for (j = i; j > 1 && rank_sum[order[j - 1]] > rank_sum[i]; j--)
			order[j] = order[j - 1]
		order[j] = i
	}
	for (i = 1; i <= methods; i++) {
		mean[i] = rank_sum[order[i]] / sets
		text[i] = name[order[i]]
		chi += (mean[i] - (methods + 1) / 2) ^ 2 * 12 * sets / (methods * (methods + 1))
	}
	tabulate()
	critical = range_quantile(methods) * sqrt(methods * (methods + 1) / (12 * sets))
	find_bars()
	p = chi_above(chi, methods - 1)
	found = sprintf("Friedman chi-square %.4g, ", chi) (p < .001 ? "p < 0.001" : sprintf("p = %.2g", p))
	what = "mean ranks of " methods " methods on " sets " sets" \
		(sets < all_sets ? ", " all_sets - sets " left out" : "")
	i = is_fixed ? int((fixed[1] / unit - 140) / 16) - 8 : 28
	wide = shorten(text, methods, i > 28 ? 28 : i > 6 ? i : 6) + 8
	half = int((methods + 1) / 2)
	s = (title == "" ? "" : title ": ") what "; " found
	i = 2 * wide * 8 + 420
	page(i > letters(s) * 7.4 ? i : letters(s) * 7.4, half * 21 + heights * 9 + 150, 2 * wide * 8, 0)
	printf "set lmargin %d\nset rmargin %d\nset tmargin 3\nset bmargin 1\nunset border\nunset tics\n" \
		"set xrange [%d:1]\nset yrange [%d:60]\nset title %s\n", wide, wide, methods,
		-(half * 21 + heights * 9 + 20), heading(s)
	line(1, 0, methods, 0, "lw 1.5")
	for (i = 1; i <= methods; i++) {
		if (methods <= 50)
			line(i, 0, i, 6, "lw 1.5")
		if ((i - 1) % (int(methods / 15) + 1) == 0)
			label(i "", i ", 16", "center")
		y = -22 - 9 * heights - 21 * (i <= half ? i - 1 : methods - i)
		end = i <= half ? 1 : methods
		line(mean[i], 0, mean[i], y, "lw 1 lc rgb \"#666666\"")
		line(mean[i], y, end, y, "lw 1 lc rgb \"#666666\"")
		label(text[i] sprintf(" (%.2f)", mean[i]), end ", " y, (i <= half ? "left" : "right") \
			" offset character " (i <= half ? 1 : -1) ", 0")
		printf "%.9g 0\n", mean[i] >"data"
	}
	for (i = 1; i <= bars; i++) {
		y = -4 - 9 * bar_height[i]
		line(mean[bar_from[i]], y, mean[bar_to[i]], y, "lw 4 lc rgb \"" colour[1] "\" front")
	}
	# The critical difference, from the worst rank on.
	end = methods - critical
	s = sprintf("critical difference %.3g (alpha .05)", critical) (end < 1 ? ", wider than the axis" : "")
	end = end < 1 ? 1 : end
	line(methods, 40, end, 40, "lw 2")
	line(methods, 36, methods, 44, "lw 2")
	line(end, 36, end, 44, "lw 2")
	label(s, methods ", 53", "left")
	s = ""
	for (i = 1; i <= bars; i++)
		s = s (i > 1 ? "; " : "") bar_to[i] - bar_from[i] + 1 " from " \
			legible(name[order[bar_from[i]]]) " to " legible(name[order[bar_to[i]]])
	finish(block("", "points lc rgb \"black\" pt 7 ps .5"), what "; " found \
		"; critical difference (Nemenyi, 0.05) " sprintf("%.3g", critical) "; " \
		(bars ? "no difference: " s : "all differ"))
}
