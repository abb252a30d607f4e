# SPDX-License-Identifier: BSD-2-Clause
# kith-plot weights: a panel of bars for each table, a row for each feature (or pair of
# features).  Rows are sorted by the sum, over the tables, of |weight| / sum of |weights|.
function begin_table() {
	panels = table_number
	one = where("feature feature1")
	two = head[one] == "feature1" ? where("feature2") : 0
	weights = weight_column()
	errors = where("se")
	if (!one || !weights || head[one] == "feature1" && !two || where("step learner"))
		fail_kind("a table of weights: columns feature weight" \
			" (or feature1 feature2 weight) expected")
	measure[panels] = weight_name(head[weights])
	panel[panels] = table == "<stdin>" ? "standard input" : table
	sub(/.*\//, "", panel[panels])
	sub(/[.](tsv|csv|txt)(.gz)?$/, "", panel[panels])
}
# The number of the feature, or of the pair of features in either order.
function feature(   turned) {
	turned = cell[two] " × " cell[one]
	return number_of(!two || cell[one] == cell[two] ? cell[one] : \
		turned in number_by_name ? turned : cell[one] " × " cell[two])
}
function read_row(   f) {
	f = feature()
	if ((panels, f) in value)
		fail("row " rows ": " (two ? "pair" : "feature") " listed twice")
	value[panels, f] = number(weights)
	if (errors && cell[errors] != "NA")
		spread[panels, f] = abs(number(errors))
	sum[panels] += abs(cell[weights])
}
# The plot command of a panel: bars, negative ones to the left and red; a cross where a
# weight is 0, a word where the table lacks the feature.
function draw_panel(p,   i, f, left, low, high, v, list, bars) {
	for (i = 1; i <= places; i++) {
		f = top[i]
		if (!((p, f) in value)) {
			label("absent", "0, " i,
				"left offset character 1, 0" font(11) "tc rgb \"#888888\"")
			continue
		}
		v = value[p, f]
		printf "%d %.17g %d\n", i, v, (v < 0 ? 13983232 : 29362) >"data"
		bars++
		low = min(v - spread[p, f], low)
		high = max(v + spread[p, f], high)
	}
	if (!bars)
		print "1 NaN 0" >"data"
	list = block("(0):1:(0):2:($1-.36):($1+.36):3", "boxxyerror fc rgb variable")
	list = list ", \047data\047 index " blocks - 1 " using ($2==0?0:NaN):1" \
		" with points pt 2 ps .6 lw 1" rgb("black") " notitle"
	for (i = 1; i <= places; i++)
		if (spread[p, top[i]] > 0)
			printf "%.17g %d %.17g\n", value[p, top[i]], i, spread[p, top[i]] >"data"
	print "NaN 1 0" >"data"
	list = list block("", "xerrorbars pt 0 ps 0 lw 1" rgb("black"))
	high = high - low < 1e-300 ? 1 : high
	left = names_wide + (p - 1) * (panel_wide + 20)
	printf "set lmargin at screen %.4f\n", left / paper_wide
	printf "set rmargin at screen %.4f\n", (left + panel_wide) / paper_wide
	printf "set xrange [%.9g:%.9g]\n", low * 1.04, high * 1.04
	print "set xtics autofreq\nset arrow from 0, graph 0 to 0, graph 1 nohead"
	if (panel_wide < 260) { # Few numbers, which do not touch each other.
		i = (high - low) / 2
		for (v = 1; v > i; v /= 10)
			;
		for (; v * 10 <= i; v *= 10)
			;
		print "set xtics " (v * 5 <= i ? v * 5 : v * 2 <= i ? v * 2 : v)
	}
	print "set xlabel " literal(narrow(measure[p], int(panel_wide / 7.4))) \
		"\nset title " literal(panels > 1 ? panel[p] : "")
	return list
}
function draw(   f, i, p, share, s, high, row, letter, is_top) {
	for (f = 1; f <= things; f++) {
		for (p = 1; p <= panels; p++)
			if ((p, f) in value && sum[p] > 0)
				share[f] += abs(value[p, f] + 0) / sum[p]
	}
	places = find_top(text, things, most, share, top, is_top)
	# Names that have no room in a given size are smaller, and then fewer.
	high = is_fixed ? given_high - 120 : places * 18
	row = high / places > 24 ? 24 : high / places
	if (row < 12)
		places = int(high / (row = 12))
	letter = row < 15 ? row / 1.25 : 12
	for (i = 1; i <= places; i++)
		text[i] = name[top[i]]
	names_wide = shorten(text, places, is_fixed ? int(given_wide * .3 / 7) : 36)
	names_wide = names_wide * .6 * letter + 24
	s = title == "" ? "Weights" : title
	s = places < things ? s ", the largest " places " of " things : s
	s = panels > 1 ? s ", sorted by the mean share" : title == "" && places == things ? "" : s
	panel_wide = panels > 2 ? 180 : panels > 1 ? 220 : 440
	i = names_wide + panels * (panel_wide + 20)
	page(max(i, 7.4 * letters(s) + 20), places * row + 120, names_wide + 60 * panels - 40, 0)
	panel_wide = is_fixed ? (paper_wide - names_wide) / panels - 20 : panel_wide
	shorten(panel, panels, int(panel_wide / 7.4))
	print "set yrange [" places + .5 ":.5]\nset border 1\nunset ytics"
	print "set grid xtics" rgb("#DDDDDD")
	printf "set tmargin at screen %.4f\n", 1 - 64 / paper_high
	printf "set bmargin at screen %.4f\n", 56 / paper_high
	print "set multiplot\nset label " heading(s) " at screen .5, screen " \
		sprintf("%.4f center", 1 - 14 / paper_high)
	for (i = 1; i <= places; i++)
		label(text[i], "graph 0, first " i, "right offset character -1, 0" font(letter))
	for (p = 1; p < panels; p++)
		print "plot" substr(draw_panel(p), 2) "\nunset label\nunset arrow"
	finish(draw_panel(panels), "weights of " places (places < things ? " of " things : "") \
		" feature" (things > 1 ? "s" : "") " as bars")
}
