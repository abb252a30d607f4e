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
function draw_panel(p, panel_wide,   i, f, e, low, high, v) {
	print "unset label\nset ytics " (p > 1 ? "(\"\" 1) scale 0" : tics(text, places, 1) font(letter))
	print "NaN NaN 0 NaN NaN" >"data" # a panel may have no bar
	for (i = 1; i <= places; i++) {
		f = top[i]
		if (!((p, f) in value)) {
			label("absent", "0, " i, "left offset character 1, 0" font(11) "tc rgb \"#888888\"")
			continue
		}
		v = value[p, f]
		e = (p, f) in spread ? spread[p, f] : 0
		printf "%.17g %d %d %.17g %.17g\n", v, i, (v < 0 ? 13983232 : 29362), v - e, v + e >"data"
		low = min(v - e, low)
		high = max(v + e, high)
	}
	high = high - low < 1e-300 ? 1 : high
	printf "set xrange [%.9g:%.9g]\n", low * 1.04, high * 1.04
	# Few numbers in a narrow panel, where more would touch each other.
	print "set xtics " (panel_wide < 260 ? sprintf("%.0e", (high - low) / 2) : "autofreq")
	print "set xlabel " literal(narrow(measure[p], int(panel_wide / 7.4)))
	print "set title " literal(panels > 1 ? panel[p] : "")
	return block("(0):2:(0):1:($2-.36):($2+.36):3", "boxxyerror fc rgb variable") \
		again("($1==0?0:NaN):2", "points pt 2 ps .6 lw 1" rgb("black")) \
		again("($4<$5?$1:NaN):2:4:5", "xerrorbars pt 0 ps 0 lw 1" rgb("black"))
}
function draw(   f, i, p, share, s, high, row, panel_wide, names_wide, is_top) {
	for (f = 1; f <= things; f++)
		for (p = 1; p <= panels; p++)
			if ((p, f) in value && sum[p] > 0)
				share[f] += abs(value[p, f]) / sum[p]
	places = find_top(things, most, share, top, is_top)
	# Names that have no room in a given size are smaller, and then fewer.
	high = is_fixed ? given_high - 120 : places * 18
	row = min(24, high / places)
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
	page(max(names_wide + panels * (panel_wide + 20), 7.4 * letters(s) + 20), places * row + 120,
		names_wide + 60 * panels - 40, 0)
	panel_wide = (paper_wide - names_wide) / panels - 20
	shorten(panel, panels, int(panel_wide / 7.4))
	print "set yrange [" places + .5 ":.5]\nset border 1\nset grid xtics noytics"
	print "set arrow from 0, graph 0 to 0, graph 1 nohead"
	printf "set multiplot layout 1, %d margins screen %.4f, %.4f, %.4f, %.4f", panels,
		names_wide / paper_wide, 1 - 20 / paper_wide, 56 / paper_high, 1 - 64 / paper_high
	printf " spacing screen %.4f title %s\n", 20 / paper_wide, heading(s)
	for (p = 1; p < panels; p++)
		print "plot" substr(draw_panel(p, panel_wide), 2)
	finish(draw_panel(panels, panel_wide), "weights of " shown_of(places, things) " as bars")
}
