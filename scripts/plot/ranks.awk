# SPDX-License-Identifier: BSD-2-Clause
# kith-plot ranks: the diagram of Demsar (2006) of what tabscore --ranks prints: mean ranks
# of methods, Friedman's test and Nemenyi's critical difference.
function begin_table() {
	method = where("prediction")
	metric = where("metric")
	value = where("value")
	if (!method || !metric || !value)
		fail_kind("mean ranks: columns prediction metric value of tabscore --ranks")
}
function read_row() {
	if ($metric == "mean_rank") {
		methods++
		order[methods] = methods
		name[methods] = $method
		rank[methods] = number(value)
	} else if ($method == "(all)")
		found[$metric] = number(value)
}
function line(x, y, x2, y2, how) {
	print "set arrow from " x "," y " to " x2 "," y2 " nohead " how
}
# Bars below the axis join the longest runs of methods whose ranks are less than the critical
# difference apart, each at the first height where it is free.  Returns a text of the runs.
function draw_bars(   i, j, last, h, free, s) {
	for (i = 1; i < methods; i++) {
		for (j = i; j < methods && mean[j + 1] - mean[i] < critical; j++)
			;
		if (j <= max(last, i))
			continue
		last = j
		for (h = 1; h <= heights && mean[i] - free[h] < (methods - 1) / 40; h++)
			;
		heights = max(h, heights)
		free[h] = mean[j]
		line(mean[i], -4 - 9 * h, mean[j], -4 - 9 * h, "lw 4 lc 1 front")
		s = s (s == "" ? "no difference: " : "; ") j - i + 1 " from " text[i] " to " text[j]
	}
	return s == "" ? "all differ" : s
}
# The best ranks are at the right; the names of the better half stand there, of the worse
# half at the left.  Heights are units from the axis of ranks at 0.
function draw(   i, what, test, s, half, high, y, end, wide, runs) {
	if (methods < 2 || !("critical_difference" in found) || !("friedman" in found))
		fail("no mean ranks (tabscore --ranks prints them)")
	if (methods > 100)
		fail("more than 100 methods")
	sort(order, methods, rank, 1)
	for (i = 1; i <= methods; i++) {
		mean[i] = rank[order[i]]
		text[i] = name[order[i]]
	}
	critical = found["critical_difference"]
	runs = draw_bars()
	test = sprintf("Friedman chi-square %.4g, ", found["friedman"]) \
		(found["p"] < .001 ? "p < 0.001" : sprintf("p = %.2g", found["p"]))
	what = "mean ranks of " methods " methods on " found["sets"] " sets" \
		(found["left_out"] ? ", " found["left_out"] " left out" : "")
	wide = shorten(text, methods, is_fixed ? max(min(int(given_wide / 16) - 15, 28), 6) : 28)
	wide = (wide + 8) * 8 + 16
	half = int((methods + 1) / 2)
	s = (title == "" ? "" : title ": ") what "; " test
	high = half * 21 + heights * 9
	page(2 * wide + 420, high + 150, 2 * wide, 0, s)
	print "set lmargin at screen " wide / page_wide "\nset rmargin at screen " \
		1 - wide / page_wide "\nset tmargin 3\nset bmargin 1"
	print "set border 0\nunset tics\nunset grid\nset title " heading(s, page_wide)
	print "set xrange [" methods ":1]\nset yrange [" (-high - 20) ":60]"
	line(1, 0, methods, 0, "lw 1.5")
	for (i = 1; i <= methods; i++) {
		if ((i - 1) % (int(methods * 24 / plot_wide) + 1) == 0) {
			line(i, 0, i, 6, "lw 1.5")
			label(i, i ", 16", "center")
		}
		y = -22 - 9 * heights - 21 * (i <= half ? i - 1 : methods - i)
		end = i <= half ? 1 : methods
		line(mean[i], 0, mean[i], y, "lc rgb \"#666666\"")
		line(mean[i], y, end, y, "lc rgb \"#666666\"")
		label(text[i] sprintf(" (%.2f)", mean[i]), end ", " y,
			(i <= half ? "left offset character 1, 0" : "right offset character -1, 0"))
		print mean[i], 0 >"data"
	}
	# The critical difference, from the worst rank on.
	end = max(methods - critical, 1)
	line(methods, 40, end, 40, "lw 2")
	line(methods, 36, methods, 44, "lw 2")
	line(end, 36, end, 44, "lw 2")
	s = sprintf("critical difference %.3g (alpha .05)", critical) \
		(methods - critical < 1 ? ", wider than the axis" : "")
	s = narrow(s, int(page_wide / 7.4))
	label(s, "screen " min(wide, page_wide - letters(s) * 7.4) / page_wide ", first 53", "left")
	finish(block("1:2", "points pt 7 ps .5" black), what "; " test \
		"; critical difference (Nemenyi, 0.05) " sprintf("%.3g", critical) "; " runs)
}
