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
		fail_kind("a table of weights: columns feature weight (or feature1 feature2 weight)")
	measure[panels] = weight_title
	panel[panels] = file_name(panels)
	sub(/[.](tsv|csv|txt)(.gz)?$/, "", panel[panels])
}
# A pair of features is one thing in either order.
function read_row(   turned, f) {
	turned = two ? $two " × " $one : ""
	f = number_of(!two || $one == $two ? $one : \
		turned in number_by_name ? turned : $one " × " $two)
	if ((panels, f) in value)
		fail("row " rows ": " (two ? "pair" : "feature") " listed twice")
	value[panels, f] = number(weights)
	if (errors && $errors != "NA")
		spread[panels, f] = abs(number(errors))
	sum[panels] += abs($weights)
}
# The plot command of a panel: bars, negative ones to the left and red; a cross where a
# weight is 0, a word where the table lacks the feature.
function draw_panel(p, panel_wide,   i, e, low, high, v) {
	for (i = 1; i <= places; i++) {
		if (!((p, top[i]) in value)) {
			label("absent", "0, " i, "left offset character 1, 0" font(11) "tc rgb \"#888888\"")
			continue
		}
		v = value[p, top[i]]
		e = spread[p, top[i]] + 0
		print v, i, v - e, v + e >"data"
		low = min(v - e, low)
		high = max(v + e, high)
	}
	high = high - low < 1e-300 ? 1 : high
	print "set xrange [" low * 1.04 ":" high * 1.04 "]"
	few_tics(low, high, panel_wide)
	print "set xlabel " literal(narrow(measure[p], int(panel_wide / 7.4)))
	print "set title " literal(panels > 1 ? panel[p] : "") " offset 0, -.6"
	return substr(block("(0):2:(0):1:($2-.36):($2+.36):($1<0?0xD55E00:0x0072B2)", \
		"boxxyerror fc rgb variable") again("($1==0?0:NaN):2", "points pt 2 ps .6" black) \
		again("($3<$4?$1:NaN):2:3:4", "xerrorbars pt 0 ps 0 lw 1" black), 2)
}
function draw(   f, i, p, shares, s, high, row, letter, panel_wide, names_wide) {
	for (f = 1; f <= things; f++)
		for (p = 1; p <= panels; p++)
			if ((p, f) in value && sum[p] > 0)
				shares[f] += abs(value[p, f]) / sum[p]
	places = find_top(most, shares)
	# Names that have no room in a given size are smaller, and then fewer.
	high = is_fixed ? given_high - 120 : places * 18
	row = max(12, min(24, high / places))
	places = min(places, int(high / row + 1e-9))
	letter = row < 15 ? row / 1.25 : 12
	names_wide = shorten(text, places, is_fixed ? int(given_wide * .3 / 7) : 36)
	names_wide = names_wide * .6 * letter + 24
	s = title == "" ? "Weights" : title
	s = places < things ? s ", the largest " places " of " things : s
	s = panels > 1 ? s ", sorted by the mean share" : title == "" && places == things ? "" : s
	panel_wide = panels > 2 ? 180 : panels > 1 ? 220 : 440
	page(names_wide + panels * (panel_wide + 20), places * row + 120,
		names_wide + 60 * panels - 40, 0, s)
	panel_wide = (page_wide - names_wide) / panels - 20
	shorten(panel, panels, int(panel_wide / 7.4))
	print "set yrange [" places + .5 ":.5]\nunset ytics\nset border 1\nset grid xtics noytics"
	print "set arrow from 0, graph 0 to 0, graph 1 nohead"
	print "set multiplot layout 1," panels " margins screen " names_wide / page_wide "," \
		1 - 20 / page_wide "," 56 / page_high "," 1 - 64 / page_high " spacing screen " \
		20 / page_wide " title " heading(s, page_wide)
	for (i = 1; i <= places; i++)
		label(text[i], "graph 0, first " i, "right offset character -1, 0" font(letter))
	for (p = 1; p < panels; p++)
		print "plot" draw_panel(p, panel_wide) "\nunset label"
	finish(" " draw_panel(panels, panel_wide), "weights of " (places < things ? places " of " : "") \
		plural(things, "feature") " as bars")
}
