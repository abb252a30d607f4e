# SPDX-License-Identifier: BSD-2-Clause
# What several kinds of kith-plot share: names of columns of weights; for heatmap and
# confusion a square of n x n cells, with names at the left and below.
function weight_name(s) {
	return s == "weight_abs" ? "weight of |difference|" : \
		s == "scaled_weight" ? "weight of the scaled feature" : s
}
# Lays out the square for names text[1..n] and names of the axes.  Names that have no room
# are smaller, then each second one is left out, and so on, with a warning.
function lay_out_square(text, n, across, up, s,   i, longest, below, flat, every, letter) {
	longest = shorten(text, n, is_fixed ? int(fixed[1] / unit * .27 / 7) : 32)
	letter = n > 40 && !is_fixed ? 9 : 12
	cell_side = n > 66 ? 800 / n : n > 36 ? 12 : n < 3 ? 150 / n : n < 8 ? 60 : 440 / n
	# Cells of few classes are so wide that their names stand upright.
	if (n < 8 && longest * 8 > cell_side && longest < 14)
		cell_side = longest * 8
	for (;; letter--) {
		below = longest * .62 * letter + 30
		flat = longest * .62 * letter < cell_side
		i = n * cell_side + below + 110 + (up == "" ? 0 : 22)
		page(i > 7.4 * letters(s) ? i : 7.4 * letters(s), n * cell_side + (flat ? 40 : below) + 60,
			below + 90, (flat ? 40 : below) + 40)
		if (is_fixed) {
			cell_side = (paper_wide - below - 120) / n
			i = (paper_high - below - 50) / n
			cell_side = cell_side < i ? cell_side : i
		}
		if (letter <= 9 || letter * 1.2 <= cell_side)
			break
	}
	every = letter * 1.2 <= cell_side ? 1 : int(letter * 1.2 / cell_side) + 1
	if (every > 1)
		print "there is room for one name in " every " (a larger --size, or a smaller -n)" >"warning"
	printf "set size ratio -1\nset lmargin %d\nset bmargin %.1f\nunset tics\nset border 0\n",
		below / 8 + (up == "" ? 0 : 3), (flat ? 2 : below / 17) + (across == "" ? 0 : 2)
	printf "set xrange [.5:%g]\nset yrange [%g:.5]\n", n + .5, n + .5
	for (i = 1; i <= n; i += every) {
		label(text[i], "graph 0, first " i, "right offset character -1, 0" font(letter))
		label(text[i], "first " i ", graph 0", (flat ? "center offset character 0, -1" : \
			"right rotate by 90 offset character 0, -.7") font(letter))
	}
	if (across != "")
		label(legible(across), "graph .5, graph 0", "center offset character 0, " \
			(flat ? -2.7 : -below / 17 - .5))
	if (up != "")
		label(legible(up), "graph 0, graph .5", "center rotate by 90 offset character " \
			sprintf("%.1f", -below / 8 - .5) ", 0")
	print "set title " heading(s) "\nset style fill solid " \
		(cell_side < 8 ? "noborder" : "border lc rgb \"#EEEEEE\"")
}
# The scale of colours: 0 is white, blue is above and red below.
function write_scale(least, largest, name) {
	print "set palette defined (" (least < 0 ? "-4 \"#67001F\", -3 \"#B2182B\", -2 \"#D6604D\", " \
		"-1 \"#F4A582\", " : "") "0 \"#FFFFFF\", 1 \"#C6DBEF\", 2 \"#6BAED6\", 3 \"#2171B5\", 4 \"#08306B\")"
	largest = -least > largest ? -least : largest
	printf "set cbrange [%.9g:%.9g]\nset cblabel %s\n", least < 0 ? -largest : 0, largest, literal(name)
	print "set colorbox\nset cbtics" (name == "" ? "\nunset colorbox" : "")
}
