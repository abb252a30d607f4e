# SPDX-License-Identifier: BSD-2-Clause
# What the kinds of kith-plot share, under LC_ALL=C: reading TSV, choosing what is shown,
# names as they are drawn, the page, axes and colours.  A kind defines begin_table() for a
# header in head[1..columns], read_row() for a row in $1..$columns, and draw(), which writes
# the gnuplot script (standard output), and the file data in blocks, elements of one plot
# command.  Lengths are units of which a letter is 14 high and about 8 wide.
BEGIN {
	FS = "\t"
	CONVFMT = OFMT = "%.17g" # numbers in texts for gnuplot
	# The colours of Okabe and Ito, without yellow; marks and dashes tell lines apart, too.
	split("5 7 9 13", mark, " ")
	i = split("#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #7F3C8D", rgb, " ")
	for (; i; i--)
		print "set linetype " i " lc rgb \"" rgb[i] "\" dt " 2 - i % 2 " pt " mark[(i - 1) % 4 + 1]
	grey = " lt 1 lc rgb \"#BBBBBB\" "
	black = " lt 1 lc rgb \"black\" "
	kind = ENVIRON["kind"]
	title = legible(ENVIRON["title"])
	most = ENVIRON["n"] + 0
	form = ENVIRON["form"]
	# Letters have 10.5 points, or 8 where the size is given; a PNG 128 or 300 dots an inch.
	is_fixed = split(ENVIRON["points"], fixed, " ")
	unit = (is_fixed ? 8 : 10.5) / 14
	given_wide = fixed[1] / unit
	given_high = fixed[2] / unit
	legend = is_fixed && given_wide < 460 ? int(given_wide / 20) : 32 # letters beside a plot
	# Dots of a PNG or points in a unit; an SVG is drawn in units.
	scale = form == "svg" ? 1 : form == "png" ? unit / 72 * (is_fixed ? 300 : 128) : unit
	print "set encoding utf8\nset border 3\nset tics nomirror out\nunset key"
	print "set style fill solid noborder\nset grid ytics lc rgb \"#DDDDDD\""
	if (form == "svg") # An SVG has the numbers of an axis further away.
		print "set xtics offset 0, .7\nset xlabel offset 0, .7"
}
FNR == 1 {
	rows = columns = 0
	table_number = substr(FILENAME, 6) + 0
	table = ENVIRON["table_" table_number]
}
{
	read_record()
	if (columns) {
		rows++
		read_row()
	} else {
		for (; columns < NF; columns++)
			head[columns + 1] = $(columns + 1)
		begin_table()
	}
}
END {
	if (!failed)
		draw()
	exit failed + 0
}
# Makes $0 a record, whose quoted cells may go on in the next lines: between two quotes, even
# parts are text, and an empty odd part is a quote that was doubled.
function read_record(   s, n, i, part) {
	while (gsub(/"/, "&") % 2 && (getline s) > 0)
		$0 = $0 "\001" s
	n = split($0, part, "\"")
	s = part[1]
	for (i = 2; i <= n; i++) {
		if (i % 2 == 0)
			gsub(/\t/, "\001", part[i])
		s = s (i % 2 && i < n && part[i] == "" ? "\"" : part[i])
	}
	$0 = legible(s)
}
# Ends with a message for the user: wrong data (65) or a wrong call (2).
function fail(why, status) {
	print (status ? "" : table ": ") why >"error"
	exit failed = status ? status : 65
}
# The table is not what it should be; the message names the kind that draws it.
function fail_kind(why,   other) {
	other = where("step") ? "path" : where("feature1") && where("feature2") ? "heatmap" : \
		where("feature") ? "weights" : where("actual") ? "confusion" : \
		where("metric") ? "ranks" : where("n") ? "error" : \
		where("from") && where("to") ? "graph" : kind
	fail("not " why " expected" (other == kind ? "" : " (kith-plot " other "?)"))
}
# The number of the column that has the first of these names, divided by blanks, or 0.
function where(names,   i, j, n, want) {
	n = split(names, want, " ")
	for (j = 1; j <= n; j++)
		if (i = column_of(want[j]))
			return i
	return 0
}
# The column of a name, which may have blanks; 0 where there is none.
function column_of(name,   i) {
	for (i = 1; i <= columns; i++)
		if (head[i] == name "")
			return i
	return 0
}
# The name of a column in a message.
function column_text(s) {
	return "column \"" substr(s, 1, 60) "\""
}
function is_number(s) {
	return s ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/
}
# The number in column c; one that gnuplot could not draw is refused.
function number(c) {
	if (!is_number($c) || abs($c) > 1e300)
		fail("row " rows ": " column_text(head[c]) ": " (is_number($c) ? \
			"too large to draw" : "not a number") ": \047" substr($c, 1, 60) "\047")
	return $c + 0
}
# The number of the thing of this name[]: 1, 2, ... in the order in which names come.
function number_of(s) {
	if (!(s in number_by_name)) {
		number_by_name[s] = ++things
		name[things] = s ""
	}
	return number_by_name[s]
}
function max(x, y) {
	return x > y ? x : y
}
function min(x, y) {
	return x < y ? x : y
}
# Callers add 0 to an element that may not be there: as an argument it makes gawk 5.2.1 fail.
function abs(x) {
	return (x < 0 ? -x : x) + 0
}
# Sorts list[1..n], numbers of things, by rising (sign 1) or falling (-1) by[]; equal ones
# keep their order.  Runs of 1, 2, 4, ... elements are merged, unless all are in order.
function sort(list, n, by, sign,   run, i, j, k, half, old) {
	for (k = 1; k < n && sign * by[list[k]] <= sign * by[list[k + 1]]; k++)
		;
	for (run = k < n ? 1 : n; run < n; run *= 2) {
		for (k = 1; k <= n; k++)
			old[k] = list[k]
		for (k = 1; k <= n; k++) {
			if (k % (2 * run) == 1) {
				i = k
				half = j = k + run
			}
			list[k] = i < half && (j >= half + run || j > n || \
				sign * by[old[i]] <= sign * by[old[j]]) ? old[i++] : old[j++]
		}
	}
}
# The `count` things with the largest by[] become top[1..], sorted by by[], or as `order` says
# as numbers or in the order of the table; their names text[], their places place[].
function find_top(count, by, order,   i, key) {
	for (i = 1; i <= things; i++) {
		top[i] = i
		key[i] = order == "numbers" ? name[i] + 0 : i
	}
	sort(top, things, by, -1)
	count = min(count, things)
	if (order != "")
		sort(top, count, key, 1)
	for (i = 1; i <= count; i++) {
		place[top[i]] = i
		text[i] = name[top[i]]
	}
	return count
}
# A text as it is drawn: control characters and what XML does not have as ?; iconv takes out
# bytes that are no UTF-8.
function legible(s) {
	gsub(/[\001-\010\012-\037\177]|\302[\200-\237]|\357\277[\276\277]/, "?", s)
	return s
}
# The name of table i without its folder.
function file_name(i,   s) {
	s = ENVIRON["table_" i]
	sub(/.*\//, "", s)
	return s == "<stdin>" ? "standard input" : legible(s)
}
# The width of a text in letters: letters of Asia are twice as wide as others.
function letters(s,   wide) {
	wide = gsub(/[\343-\355\357\360]/, "&", s)
	gsub(/[\200-\277]/, "", s)
	return length(s) + wide
}
# A text of at most n letters: the middle of a longer one is left out.
function narrow(s, n,   first) {
	if (length(s) > 500)
		s = substr(s, 1, 250) "…" substr(s, length(s) - 249)
	if (letters(s) <= n)
		return s
	for (first = s; letters(first) > n / 2;)
		sub(/[^\200-\277]?[\200-\277]*$/, "", first)
	while (letters(first) + 1 + letters(s) > n)
		sub(/^[^\200-\277]?[\200-\277]*/, "", s)
	return first "…" s
}
# text[1..count] become names of at most n letters, equal ones numbered; returns the width
# of the widest.
function shorten(text, count, n,   i, k, s, used, widest) {
	for (i = 1; i <= count; i++) {
		s = narrow(text[i], n)
		for (k = 2; s in used; k++)
			s = narrow(text[i], n - length(k "") - 3) " (" k ")"
		used[s] = 1
		text[i] = s
		widest = max(letters(s), widest)
	}
	return widest + 0
}
# A text for gnuplot, in which only a single quote is special.
function literal(s) {
	gsub(/\047/, "\047.\"\\047\".\047", s)
	return "\047" s "\047"
}
function plural(n, word) {
	return n " " word (n == 1 ? "" : word ~ /s$/ ? "es" : "s")
}
# The size of the picture, in units, unless the user gives it; at least 80 x 60 units must
# be left of it beside margins.  Begins the picture, with its title.
function page(wide, high, margin_x, margin_y, s,   how) {
	page_wide = is_fixed ? given_wide : max(wide, 7.4 * letters(s) + 20)
	page_high = is_fixed ? given_high : high
	plot_wide = page_wide - margin_x
	if (plot_wide < 80 || page_high - margin_y < 60)
		fail("--size " ENVIRON["size"] ": no room for the plot beside its names", 2)
	wide = int(page_wide * scale + .5)
	high = int(page_high * scale + .5)
	if (form == "svg")
		how = "svg size " wide "," high " font \047Helvetica,14\047 background \"#FFFFFF\""
	else
		how = form "cairo size " (form == "png" ? wide "," high " dashlength .5" : \
			sprintf("%.5fin,%.5fin", wide / 72, high / 72)) " font \047Helvetica," \
			sprintf("%.4g\047 fontscale 1", 14 * .75 * scale) \
			sprintf(" pointscale %.4g linewidth %.4g", 1.75 * scale,
				scale * (form == "png" ? 1 : form == "pdf" ? 1.7 : 3.6))
	print "set terminal " how " noenhanced\nset output \047picture\047"
}
# A title in the room of so many units, in two lines where one is too short, for gnuplot.
function heading(s, units,   n, at) {
	n = int((units - 16) / 7.2)
	for (at = n + 1; letters(s) > n && at > 1 && substr(s, at, 1) != " "; at--)
		;
	return letters(s) <= n || at < 2 ? literal(narrow(s, n)) : \
		literal(substr(s, 1, at - 1)) ".\"\\n\"." literal(narrow(substr(s, at + 1), n))
}
# The titles of the picture and of its axes; where `right` letters are beside the plot, the
# first stands in the middle of the page.
function write_titles(s, x, y, right) {
	print "set title " heading(s, page_wide)
	if (right)
		print "set rmargin at screen " 1 - right * 8 / page_wide "\nset title offset screen " \
			(right - 10) * 4 / page_wide ", 0"
	print "set xlabel " heading(x, page_wide) "\nset ylabel " heading(y, page_high - 60)
}
# Few numbers along a narrow axis, where more would touch each other.
function few_tics(low, high, wide) {
	print "set xtics " (wide < 260 && high > low ? sprintf("%.0e", (high - low) / 2) : "autofreq")
}
# A font for letters of so many units.
function font(units) {
	return sprintf(" font \047,%.4g\047 ", units * (form == "svg" ? 1 : .75 * scale))
}
function label(s, place, how) {
	print "set label " literal(s) " at " place " " how
}
# An element of the plot command: the block of data that was written last, which block()
# ends, with a row so that none is empty, and again() draws once more.
function block(using, how, name) {
	print "NaN NaN NaN NaN NaN\n\n" >"data"
	blocks++
	return again(using, how, name)
}
function again(using, how, name) {
	return ", \047data\047 index " blocks - 1 " using " using " with " how \
		(name == "" ? " notitle" : " title " literal(name))
}
# The column of weights that is drawn, or 0; weight_title is its name.
function weight_column(   i) {
	i = where("scaled_weight weight weight_abs")
	weight_title = head[i] == "weight_abs" ? "weight of |difference|" : \
		head[i] == "scaled_weight" ? "weight of the scaled feature" : head[i]
	return i
}
# Lays out a square of n x n cells for names text[1..n], at the left and below, and names
# of the axes.  Names that have no room are smaller, then each second one is left out, and
# so on, with a warning.
function lay_out_square(n, across, up, s,   i, wide, names, left, below, above, flat, every, size) {
	wide = shorten(text, n, is_fixed ? int(given_wide * .27 / 7) : 32)
	left = up == "" ? 24 : 48
	below = across == "" ? 24 : 48
	above = is_fixed && letters(s) * 7.2 > given_wide - 16 ? 72 : 56
	cell_side = min(75, max(440, min(800, 12 * n)) / n)
	# Cells of few classes are so wide that their names stand upright.
	if (n < 8 && wide < 14)
		cell_side = max(wide * 8, cell_side)
	if (is_fixed)
		cell_side = (min(given_wide - left - 110, given_high - below - above) - wide * 7.4) / n
	size = max(9, min(12, cell_side / 1.2))
	names = wide * .62 * size
	flat = names < cell_side
	left += names
	below += flat ? 14 : names
	page(n * cell_side + left + 110, n * cell_side + below + above, names + 120, below + 16, s)
	every = size * 1.2 <= cell_side + 1e-9 ? 1 : int(size * 1.2 / cell_side) + 1
	if (every > 1)
		print "there is room for one name in " every " (a larger --size, or a smaller -n)" >"warning"
	print "set lmargin at screen " left / page_wide "\nset rmargin at screen " \
		(left + n * cell_side) / page_wide "\nset tmargin at screen " 1 - above / page_high \
		"\nset bmargin at screen " 1 - (above + n * cell_side) / page_high
	print "set xrange [.5:" n + .5 "]\nset yrange [" n + .5 ":.5]\nunset tics\nset border 0"
	for (i = 1; i <= n; i += every) {
		label(text[i], "graph 0, first " i, "right offset character -1, 0" font(size))
		label(text[i], "first " i ", graph 0", (flat ? "center offset character 0, -1" : \
			"right rotate by 90 offset character 0, -.7") font(size))
	}
	label(across, "graph .5, screen " 16 / page_high, "center")
	label(up, "screen " 16 / page_wide ", graph .5", "center rotate by 90")
	print "unset grid\nset cbtics\nset style fill solid " \
		(cell_side < 8 ? "noborder" : "border lc rgb \"#EEEEEE\"")
	print "set title " heading(s, page_wide) " offset screen " \
		.5 - (left + n * cell_side / 2) / page_wide ", 0"
}
# The scale of colours, as places of colours.
function write_palette(colours, name) {
	gsub(/#[0-9A-F]+/, "\"&\"", colours)
	print "set palette defined (" colours ")\nset cblabel " literal(name)
}
# The element that draws cells, written as column, row and value: 0 is white, blue is above
# and red below.
function cells_of_scale(least, largest, name) {
	write_palette((least < 0 ? "-4 #67001F, -3 #B2182B, -2 #D6604D, -1 #F4A582, " : "") \
		"0 #FFFFFF, 1 #C6DBEF, 2 #6BAED6, 3 #2171B5, 4 #08306B", name)
	largest = max(largest, -least)
	print "set cbrange [" (least < 0 ? -largest : 0) ":" largest "]" \
		(name == "" ? "\nunset colorbox" : "")
	return block("1:2:(.5):(.5):3", "boxxyerror fc palette lw .5")
}
# Writes the plot command, and into the file about two lines, a title and what is drawn.
# The marks at the ends of script and data say that they are whole.
function finish(list, what) {
	print title (title == "" ? "" : ": ") what "\nkith-plot " kind ": " what ", from " \
		(ENVIRON["tables"] > 1 ? ENVIRON["tables"] " tables" : file_name(1)) >"about"
	print "plot" substr(list, 2) "\n# whole"
	print "# whole" >"data"
}
