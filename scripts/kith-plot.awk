# SPDX-License-Identifier: BSD-2-Clause
# What the awk programs of kith-plot-* share, under LC_ALL=C.  record() takes each
# line; it returns 0 while a cell goes on in the next line, 1 for the header, 2 for a
# row, whose cells are then in cell[1..cells] and the header's in head[1..columns].
BEGIN {
	split("#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #7F3C8D",
		colour, " ")            # of Okabe and Ito, without yellow
	split("5 7 9 13 4 6 8 12", mark, " ")
	grey = "#BBBBBB"
	table = ENVIRON["plot_table"]
	if (table == "-")
		table = "<stdin>"
	title = ENVIRON["plot_title"]
	form = ENVIRON["plot_form"]
	# All is laid out in units of which a letter of the font is 14 high.
	unit = ENVIRON["plot_font"] / 14
	is_fixed = split(ENVIRON["plot_points"], fixed, " ")
	for (plot_i = 1; plot_i < 256; plot_i++)
		code[sprintf("%c", plot_i)] = plot_i
}

# Units that the picture is wide or high, where the script would have this many.
function width(wide) {
	return is_fixed ? fixed[1] / unit : wide * .75 / unit
}
function height(high) {
	return is_fixed ? fixed[2] / unit : high * .75 / unit
}

# The size of the letters that are so many units high, for the terminal.
function letter_size(units) {
	return sprintf("%.4g", form == "svg" ? units : units * .75 * scale())
}

# Units of the terminal in one of ours: points, dots of a PNG.
function scale() {
	return form == "svg" ? 1 : form == "png" ? unit / 72 * ENVIRON["plot_dpi"] : unit
}

# How many letters a name in a key beside the plot may have.
function key_letters(   n) {
	n = int(width(800) * .36 / 8) - 4
	return n > 40 ? 40 : n < 8 ? 8 : n
}

# The size of the picture, in units, for a key of so many rows, whose longest name
# has so many letters, and texts that go across and upwards.  Where these would
# leave no room for the plot, or have none, it is larger, unless its size is given.
# The plot has what axes, title and key leave of it; with is_two, an axis at the
# right.
function canvas(wide, high, rows, longest, across, up, is_two) {
	paper(width(wide), height(high))
	if (!is_fixed) {
		if (across * 9 > paper_wide - 300)
			paper_wide = across * 9 + 300
		if (longest > 30)
			paper_wide += (longest - 30) * 8.5
		if (up * 9 > paper_high - 120)
			paper_high = up * 9 + 120
		if (rows * 19 > paper_high - 80)
			paper_high = rows * 19 + 80
	}
	plot_left = 76
	plot_right = paper_wide - (rows ? 54 + 8 * longest : 20) - (is_two ? 66 : 0)
	plot_top = 16
	plot_bottom = paper_high - 52
	key_left = plot_right + (is_two ? 76 : 10)
	space_key(rows)
	check_room(plot_right - plot_left, plot_bottom - plot_top)
}
# A picture whose size is given has room for its plot beside names and key, or is
# none.
function check_room(wide, high) {
	if (wide >= 80 && high >= 60)
		return
	print "--size " ENVIRON["plot_size"] ": no room for the plot beside its names" \
		" (larger, or a smaller --font-size?)" >"misuse"
	failed = 1
	exit 65
}
# Rows of the key are 19 units apart, or nearer where the height is given.
function space_key(rows) {
	key_step = 19
	if (is_fixed && rows * key_step > paper_high - 44)
		key_step = (paper_high - 44) / rows
}
function paper(wide, high) {
	paper_wide = wide
	paper_high = high
}

# The place of the plot.  All places are units from the left and from the top.
function margins() {
	printf "set lmargin at screen %.4f\nset rmargin at screen %.4f\n" \
		"set bmargin at screen %.4f\nset tmargin at screen %.4f\n",
		plot_left / paper_wide, plot_right / paper_wide,
		1 - plot_bottom / paper_high, 1 - plot_top / paper_high
}
function spot(x, y) {
	return sprintf("screen %.5f, screen %.5f", x / paper_wide, 1 - y / paper_high)
}

# Write a text that is one for gnuplot already.
function write_text(s, x, y, how) {
	print "set label " s " at " spot(x, y) " " how
}

# The title, in at most two lines, and the names of the axes; and a third one.
function title_and_axes(s, x, y, y2,   n, at, middle) {
	middle = (plot_left + plot_right) / 2
	n = is_fixed ? int((paper_wide - 16) / 7.2) : 1000
	if (letters(s) > n)
		for (at = length(beginning(s, n)) + 1; at > 1; at--)
			if (substr(s, at, 1) == " ")
				break
	if (at > 1) {
		write_title(substr(s, 1, at - 1))
		s = substr(s, at + 1)
	}
	if (s != "")
		write_title(narrow(s, n))
	margins()
	# An SVG has its numbers further away.
	if (form == "svg")
		print "set xtics offset 0, .7"
	if (x != "")
		write_text(quoted(x), middle, plot_bottom + 41, "center")
	middle = (plot_top + plot_bottom) / 2
	if (y != "")
		write_text(quoted(y), plot_left - 60, middle, "center rotate by 90")
	if (y2 != "")
		write_text(quoted(y2), plot_right + 58, middle, "center rotate by 90")
}
# A line of the title stands over the plot, unless the picture has no room there.
function write_title(s,   middle, half) {
	middle = (plot_left + plot_right) / 2
	half = letters(s) * 3.6 + 8
	if (middle + half > paper_wide)
		middle = paper_wide - half
	if (middle - half < 0)
		middle = half
	write_text(literal(s), middle, plot_top - 1, "center")
	plot_top += 20
}

# Numbers at an axis that is short stand this far apart.
function set_tics(axis, range, room, apart,   step, k) {
	if (room > 10 * apart || range <= 0 || range < 1e-290 || range > 1e290)
		return
	for (step = 1; step < range * apart / room; step *= 10)
		;
	for (; step >= range * apart / room; step /= 10)
		;
	for (k = 0; k < 3 && step < range * apart / room; k++)
		step *= k == 1 ? 2.5 : 2
	printf "set %stics %.6g\n", axis, step
}

# A row of the key: a line and a mark, as gnuplot has them, or neither, and a text.
# Without lines in it, key_marks is 1.
function key_row(line, mark, text,   x, y) {
	x = key_left + (line mark == "" ? 0 : key_marks ? 18 : 42)
	y = (key_top ? key_top : plot_top) + 6 + key_step * key_rows++
	if (line != "")
		print "set arrow from " spot(key_left, y) " to " \
			spot(key_left + (key_marks ? 12 : 34), y) " nohead " line
	if (mark != "")
		write_text("\047\047", key_left + (key_marks ? 5 : 17), y, "point " mark)
	write_text(literal(text), x, y, "left")
}

# Tell gnuplot what to draw for.
function terminal(   k, s, t, lines) {
	k = scale()
	lines = form == "png" ? 1 : form == "pdf" ? 1.7 : 3.6
	if (form == "svg")
		s = sprintf("svg size %d,%d font \047Helvetica,14\047 background " \
			"\047#FFFFFF\047", paper_wide + .5, paper_high + .5)
	else if (form == "png")
		s = sprintf("pngcairo size %d,%d dashlength .5", paper_wide * k + .5,
			paper_high * k + .5)
	else
		# In whole points, which gnuplot would round down to.
		s = sprintf("%scairo size %.5fin,%.5fin", form,
			int(paper_wide * k + .51) / 72 + .0001,
			int(paper_high * k + .51) / 72 + .0001)
	if (form != "svg")
		s = s sprintf(" font \047Helvetica,%s\047 fontscale 1 linewidth %.4g " \
			"pointscale %.4g", letter_size(14), lines * k, 1.75 * k)
	print "set terminal " s " noenhanced" >"terminal"
	if (split(ENVIRON["plot_shape"], t, " ") == 0) {
		t[1] = sprintf("%.6g", int(paper_wide + .5) * unit / .75)
		t[2] = sprintf("%.6g", int(paper_high + .5) * unit / .75)
	}
	shape = "width=\"" t[1] "\" height=\"" t[2] "\""
}

# The last lines of all that is written.  What is drawn becomes the title and the
# description of the picture.
function whole(what,   from) {
	terminal()
	from = table
	sub(/.*\//, "", from)
	from = from == "<stdin>" ? "standard input" : legible(from)
	print legible(title) (title == "" ? "" : ": ") what >"about"
	print ENVIRON["plot_name"] ": " what ", from " from >"about"
	print shape >"about"
	print "# whole"
	print "# whole" >"data"
	print "# whole" >"terminal"
	print "# whole" >"about"
}

function fail_at(place, why) {
	print ENVIRON["plot_name"] ": " shown(place ": " why) >"/dev/stderr"
	failed = 1
	exit 65
}

function fail(why) {
	fail_at(table ":" start, why)
}

# The command that draws such a table, for a message.
function hint(   tool) {
	if (where("step"))
		tool = "path"
	else if (where("feature1") && where("feature2"))
		tool = "heatmap"
	else if (where("feature"))
		tool = "weights"
	else if (where("actual"))
		tool = "confusion"
	else if (where("method") && where("set"))
		tool = "ranks"
	else if (where("n"))
		tool = "error"
	else if (where("from") && where("to"))
		tool = "graph"
	tool = "kith-plot-" tool
	return tool == "kith-plot-" || tool == ENVIRON["plot_name"] ? "" : " (" tool "?)"
}

# A cell or the name of a column, as it stands in a message.
function said(s) {
	return cut(s, 60)
}

function split_record(text,   rest, at, value) {
	cells = 0
	rest = text
	for (;;) {
		value = ""
		at = 0
		if (rest ~ /^"/) {
			rest = substr(rest, 2)
			while ((at = index(rest, "\"")) > 0) {
				value = value substr(rest, 1, at - 1)
				rest = substr(rest, at + 1)
				if (rest !~ /^"/)
					break
				value = value "\""
				rest = substr(rest, 2)
			}
			if (at == 0)
				return 0
			if (rest !~ /^(\t|$)/)
				fail("text after a quoted cell")
		} else {
			at = index(rest, "\t")
			value = at ? substr(rest, 1, at - 1) : rest
			rest = at ? substr(rest, at) : ""
		}
		cell[++cells] = value
		if (rest == "")
			return 1
		rest = substr(rest, 2)
	}
}

function record(   i) {
	sub(/\r$/, "")
	if (!going_on) {
		if (FNR == 1) {
			columns = 0
			sub(/^\357\273\277/, "")
		}
		if (!columns && /^# /)
			return 0
		start = FNR
		pending = $0
	} else
		pending = pending "\n" $0
	if (index(pending, "\"")) {
		going_on = !split_record(pending)
		if (going_on)
			return 0
	} else
		cells = split(pending, cell, "\t")
	if (columns && cells != columns)
		fail(cells " cells where the header has " columns)
	if (columns) {
		rows++
		return 2
	}
	columns = cells
	rows = 0
	for (i = 1; i <= cells; i++)
		head[i] = cell[i]
	return 1
}

# At the end of the last table.
function finish() {
	if (failed)
		exit 65
	if (going_on)
		fail("quoted cell without end")
	if (!columns)
		fail_at(table, "empty input")
	if (!rows)
		fail_at(table, "no row below the header")
}

# Where the column is that has one of these names, divided by blanks; or 0.
function where(names,   i, n, want) {
	n = split(names, want, " ")
	for (; n; n--)
		for (i = 1; i <= columns; i++)
			if (head[i] == want[n])
				return i
	return 0
}

function is_number(s) {
	return s ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/
}

# Whether a number, as text, is 1e301 or more: gnuplot draws no such numbers right,
# and not every awk reads the larger ones as infinite.
function is_too_large(s,   e, at, point) {
	if (length(s) < 200 && s !~ /[eE][+]?0*[1-9][0-9][0-9]/)
		return 0
	e = 0
	if (at = match(s, /[eE]/)) {
		e = substr(s, at + 1)
		s = substr(s, 1, at - 1)
	}
	point = index(s, ".")
	if (!point)
		point = length(s) + 1
	if (!(at = match(s, /[1-9]/)))
		return 0
	# The first digit above 0 counts ten to the e.
	if (e ~ /[1-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]/)
		return e !~ /^-/
	return e + point - at - (at < point) > 300
}

# The number in column c, as it stands there.
function number(c) {
	return number_at(cell[c], table ":" start, head[c])
}

function number_at(s, place, column) {
	if (!is_number(s))
		fail_at(place, "column \"" said(column) "\": not a number: \047" \
			said(s) "\047")
	if (is_too_large(s))
		fail_at(place, "column \"" said(column) \
			"\": too large to draw: \047" said(s) "\047")
	return s
}

function abs(x) {
	return (x < 0 ? -x : x) + 0
}

# The natural logarithm of x > 0: an awk may be built without it.
function ln(x,   two, z, term, i) {
	for (; x >= 1.5; two++)
		x /= 2
	for (; x < .75; two--)
		x *= 2
	z = (x - 1) / (x + 1)
	x = 0
	term = 2 * z
	for (i = 1; i < 40; i += 2) {
		x += term / i
		term *= z * z
	}
	return x + two * .69314718055994531
}
