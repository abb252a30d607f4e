# SPDX-License-Identifier: BSD-2-Clause
# What kith-plot-heatmap and kith-plot-confusion share: a square of cells, with
# names at the left and below.

# The size of picture and square, for names text[1..n] and, where axes have names,
# these.  Names that have no room are smaller, then each second one has none, and so
# on.
function lay_out_square(text, n, across, up, title,   i, longest, bar, cell, most) {
	most = int(width(760) * .27 / 7)
	shorten(text, n, most < 32 ? most : 32)
	for (i = 1; i <= n; i++)
		if (letters(text[i]) > longest)
			longest = letters(text[i])
	plot_top = 14
	bar = 96
	letter = n > 40 && !is_fixed ? 9 : 12
	for (;;) {
		plot_left = longest * .6 * letter + 16 + (up == "" ? 0 : 22)
		if (is_fixed) {
			cell = fixed[1] / unit - plot_left - bar
			i = fixed[2] / unit - plot_top - plot_left - 22
			cell = (cell < i ? cell : i) / n
		} else {
			cell = n > 66 ? 800 / n : n > 36 ? 12 : n < 3 ? 150 / n : n < 8 ? 60 : 440 / n
			cell *= .75 / unit
		}
		if (letter <= (is_fixed ? 10 : 9) || letter * 1.2 < cell)
			break
		letter--
	}
	side = cell * n
	if (is_fixed)
		check_room(side, side)
	every = letter * 1.2 <= cell ? 1 : int(letter * 1.2 / cell) + 1
	plot_right = plot_left + side
	plot_bottom = plot_top + side
	if (is_fixed)
		paper(fixed[1] / unit, fixed[2] / unit)
	else
		paper(plot_right + bar, plot_bottom + plot_left + 22)
	i = 7.4 * letters(title) + 16 - paper_wide
	if (!is_fixed && i > 0) {
		paper_wide += i
		plot_left += i / 2
		plot_right += i / 2
	}
	# The title makes room for itself, at the cost of what is below.
	title_and_axes(title, "", "")
	plot_bottom = plot_top + side
	margins()
	i = longest * .6 * letter + 24
	if (across != "")
		write_text(quoted(across), (plot_left + plot_right) / 2, plot_bottom + i,
			"center")
	if (up != "")
		write_text(quoted(up), plot_left - i, (plot_top + plot_bottom) / 2,
			"center rotate by 90")
	write_names(text, n)
	printf "set xrange [.5:%g]\nset yrange [%g:.5]\n", n + .5, n + .5
	print "set border 0\nset style fill solid border lc rgb \"#EEEEEE\""
	cell_side = cell
}
# Tics have no names: gnuplot would take them for formats, and cut them.
function write_names(text, n,   i, size) {
	printf "set xtics 1, %d, %d scale .4\nset ytics 1, %d, %d scale .4\n" \
		"set format xy \047\047\n", every, n, every, n
	size = " font \047," letter_size(letter) "\047"
	for (i = 1; i <= n; i += every) {
		write_text(literal(text[i]), plot_left + (i - .5) * side / n, plot_bottom + 9,
			"right rotate by 90" size)
		write_text(literal(text[i]), plot_left - 9, plot_top + (i - .5) * side / n,
			"right" size)
	}
}
# The scale of colours from least to most beside the square, 0 being white: blue
# above, red below, as dark as a number is large.  The colour-blind can tell them
# apart.
function write_scale(least, most, name,   i, large, list, low) {
	large = -least > most ? -least : most
	for (i = 4; i > 0; i--)
		if (-least > large * (i - 1) / 4) {
			low = -least < large * i / 4 ? least : -large * i / 4
			list = list sprintf("%.9g \"%s\", ", low / large,
				shade("255,255,255 244,165,130 214,96,77 178,24,43 103,0,31", -low / large * 4))
		}
	list = list "0 \"#FFFFFF\""
	for (i = 1; i <= 4; i++)
		if (most > large * (i - 1) / 4) {
			low = most < large * i / 4 ? most : large * i / 4
			list = list sprintf(", %.9g \"%s\"", low / large,
				shade("255,255,255 198,219,239 107,174,214 33,113,181 8,48,107", low / large * 4))
		}
	print "set palette defined (" list ")"
	printf "set cbrange [%.9g:%.9g]\n", least, most
	printf "set colorbox user origin %s size screen %.5f, screen %.5f\n",
		spot(plot_right + 12, plot_bottom), 14 / paper_wide, side / paper_high
	if (name != "")
		write_text(quoted(name), plot_right + 86, (plot_top + plot_bottom) / 2,
			"center rotate by 90")
}
# The colour at t between colours 0, 1, ... of a list.
function shade(list, t,   of, one, two, i, k) {
	split(list, of, " ")
	k = t >= 4 ? 3 : int(t)
	split(of[k + 1], one, ",")
	split(of[k + 2], two, ",")
	return sprintf("#%02X%02X%02X", one[1] + (two[1] - one[1]) * (t - k) + .5,
		one[2] + (two[2] - one[2]) * (t - k) + .5, one[3] + (two[3] - one[3]) * (t - k) + .5)
}
