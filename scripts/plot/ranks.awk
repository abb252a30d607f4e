# SPDX-License-Identifier: BSD-2-Clause
# kith-plot ranks: the diagram of Demsar (2006) of what tabscore --ranks prints: mean ranks
# of methods, Friedman's test and Nemenyi's critical difference.
function begin_table() {
	method = where("prediction")
	metric = where("metric")
	value = where("value")
	if (!method || !metric || !value)
		fail_kind("mean ranks: columns prediction metric value of tabscore --ranks" \
			" expected")
}
function read_row() {
	if (cell[metric] == "mean_rank") {
		name[++methods] = cell[method]
		rank[methods] = number(value)
	} else if (cell[method] == "(all)")
		found[cell[metric]] = number(value)
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
		heights = max(h, heights)
		bar_height[bars] = h
		free[h] = mean[j]
	}
}
function line(x, y, x2, y2, how) {
	printf "set arrow from %.9g, %.9g to %.9g, %.9g nohead %s\n", x, y, x2, y2, how
}
# The best ranks are at the right; the names of the better half stand there, of the worse
# half at the left.  Heights are units from the axis of ranks at 0.
function draw(   i, what, test, s, half, y, end, wide) {
	if (methods < 2 || !("critical_difference" in found) || !("friedman" in found))
		fail("no mean ranks (tabscore --ranks prints them)")
	if (methods > 100)
		fail("more than 100 methods")
	for (i = 1; i <= methods; i++)
		order[i] = i
	sort(order, methods, rank)
	for (i = 1; i <= methods; i++) {
		mean[i] = rank[order[i]]
		text[i] = name[order[i]]
	}
	critical = found["critical_difference"]
	find_bars()
	test = sprintf("Friedman chi-square %.4g, ", found["friedman"]) \
		(found["p"] < .001 ? "p < 0.001" : sprintf("p = %.2g", found["p"]))
	what = "mean ranks of " methods " methods on " found["sets"] " sets" \
		(found["left_out"] ? ", " found["left_out"] " left out" : "")
	i = is_fixed ? int((given_wide - 140) / 16) - 8 : 28
	wide = shorten(text, methods, max(min(i, 28), 6)) + 8
	half = int((methods + 1) / 2)
	s = (title == "" ? "" : title ": ") what "; " test
	i = half * 21 + heights * 9
	page(max(16 * wide + 420, letters(s) * 7.4), i + 150, 16 * wide, 0)
	print "set lmargin " wide "\nset rmargin " wide "\nset tmargin 3\nset bmargin 1"
	print "unset border\nunset tics\nset xrange [" methods ":1]\nset yrange [" (-i - 20) ":60]"
	print "set title " heading(s)
	line(1, 0, methods, 0, "lw 1.5")
	for (i = 1; i <= methods; i++) {
		if (methods <= 50)
			line(i, 0, i, 6, "lw 1.5")
		if ((i - 1) % (int(methods / 15) + 1) == 0)
			label(i "", i ", 16", "center")
		y = -22 - 9 * heights - 21 * (i <= half ? i - 1 : methods - i)
		end = i <= half ? 1 : methods
		line(mean[i], 0, mean[i], y, "lw 1" rgb("#666666"))
		line(mean[i], y, end, y, "lw 1" rgb("#666666"))
		label(text[i] sprintf(" (%.2f)", mean[i]), end ", " y,
			(i <= half ? "left offset character 1, 0" : "right offset character -1, 0"))
		printf "%.9g 0\n", mean[i] >"data"
	}
	for (i = 1; i <= bars; i++) {
		y = -4 - 9 * bar_height[i]
		line(mean[bar_from[i]], y, mean[bar_to[i]], y, "lw 4" rgb(colour[1]) " front")
	}
	# The critical difference, from the worst rank on.
	end = methods - critical
	s = sprintf("critical difference %.3g (alpha .05)", critical) \
		(end < 1 ? ", wider than the axis" : "")
	end = max(end, 1)
	line(methods, 40, end, 40, "lw 2")
	line(methods, 36, methods, 44, "lw 2")
	line(end, 36, end, 44, "lw 2")
	label(s, methods ", 53", "left")
	s = ""
	for (i = 1; i <= bars; i++)
		s = s (i > 1 ? "; " : "") bar_to[i] - bar_from[i] + 1 " from " \
			legible(name[order[bar_from[i]]]) " to " legible(name[order[bar_to[i]]])
	finish(block("", "points pt 7 ps .5" rgb("black")), what "; " test \
		"; critical difference (Nemenyi, 0.05) " sprintf("%.3g", critical) "; " \
		(bars ? "no difference: " s : "all differ"))
}
