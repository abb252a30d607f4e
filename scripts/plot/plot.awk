# SPDX-License-Identifier: BSD-2-Clause
# What the kinds of kith-plot share, under LC_ALL=C: reading TSV, choosing what is shown,
# names as they are drawn, size, axes, legends and colours, and the files script (standard
# output) and data.  A kind defines begin_table() for a header in head[1..columns],
# read_row() for a row in cell[1..columns], and draw().  Lengths are units of which a
# letter is 14 high and about 8 wide.
BEGIN {
	# The colours of Okabe and Ito, without yellow.
	split("#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #7F3C8D", colour, " ")
	split("5 7 9 13", mark, " ")
	grey = "#BBBBBB"
	title = legible(ENVIRON["title"])
	most = ENVIRON["n"] + 0
	form = ENVIRON["form"]
	# Letters have 10.5 points, or 8 where the size is given; a PNG 128 or 300 dots an inch.
	is_fixed = split(ENVIRON["points"], fixed, " ")
	unit = (is_fixed ? 8 : 10.5) / 14
	given_wide = fixed[1] / unit
	given_high = fixed[2] / unit
	# Dots of a PNG or points in a unit; an SVG is drawn in units.
	scale = form == "svg" ? 1 : form == "png" ? unit / 72 * (is_fixed ? 300 : 128) : unit
	print "set encoding utf8\nquote = sprintf(\047%c\047, 39)"
	print "set border 3\nset tics nomirror out\nunset key"
	print "set style fill solid noborder\nset grid ytics lc rgb \"#DDDDDD\""
	if (form == "svg") # An SVG has the numbers of an axis further away.
		print "set xtics offset 0, .7\nset xlabel offset 0, .7"
}
FNR == 1 {
	rows = columns = 0
	record = ""
	table_number = substr(FILENAME, 6) + 0
	table = ENVIRON["table_" table_number]
}
!columns && /^# / { next }
{
	record = record == "" ? $0 : record "\n" $0
	cells = cut_record(record)
	if (!cells)
		next
	record = ""
	if (columns) {
		rows++
		read_row()
	} else {
		for (columns = 0; columns < cells; columns++)
			head[columns + 1] = cell[columns + 1]
		begin_table()
	}
}
END {
	if (!failed)
		draw()
	if (failed)
		exit failed
}
# Cuts a record of TSV into cell[], and returns how many cells it has; 0 where a quoted cell
# goes on in the next line.  Between two quotes, even parts are text in which tabs and ends
# of lines become control characters, and an empty odd part is a quote that was doubled.
function cut_record(s,   n, i, part) {
	n = split(s, part, "\"")
	if (n > 0 && n % 2 == 0)
		return 0
	s = part[1]
	for (i = 2; i <= n; i++) {
		if (i % 2 == 0)
			gsub(/[\t\n]/, "\001", part[i])
		s = s (i % 2 && i < n && part[i] == "" ? "\"" : part[i])
	}
	n = split(s, cell, "\t")
	for (i = 1; i <= n; i++)
		cell[i] = cell[i] "" # A text: 1 is not 1.0.
	return n
}
# Ends with a message for the user: wrong data (65) or a wrong call (2).
function fail(why, status) {
	print (status ? "" : table ": ") why >"error"
	exit failed = status ? status : 65
}
function warn(s) {
	print s >"warning"
}
# The table is not what it should be; the message names the kind that draws it.
function fail_kind(why,   kind) {
	kind = where("step") ? "path" : where("feature1") && where("feature2") ? "heatmap" : \
		where("feature") ? "weights" : where("actual") ? "confusion" : \
		where("metric") ? "ranks" : where("n") ? "error" : \
		where("from") && where("to") ? "graph" : ""
	fail("not " why " expected" \
		(kind == "" || kind == ENVIRON["kind"] ? "" : " (kith-plot " kind "?)"))
}
# The number of the column that has the first of these names, divided by blanks, or 0.
function where(names,   i, j, n, want) {
	n = split(names, want, " ")
	for (j = 1; j <= n; j++)
		for (i = 1; i <= columns; i++)
			if (head[i] == want[j] "")
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
	if (!is_number(cell[c]) || abs(cell[c]) > 1e300)
		fail("row " rows ": " column_text(head[c]) ": " (is_number(cell[c]) ? \
			"too large to draw" : "not a number") ": \047" substr(cell[c], 1, 60) "\047")
	return cell[c] + 0
}
# The number of the thing of this name[]: 1, 2, ... in the order in which names come.
function number_of(s) {
	if (!(s in number_by_name)) {
		number_by_name[s] = ++things
		name[things] = s
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
# keep their order.
function sort(list, n, by, sign,   place, gap, i, j, x) {
	for (i = 1; i <= n; i++)
		place[list[i]] = i
	for (gap = int(n / 2); gap; gap = gap == 2 ? 1 : int(gap * 5 / 11))
		for (i = gap + 1; i <= n; i++) {
			x = list[i]
			for (j = i; j > gap && is_after(list[j - gap], x, by, sign, place); j -= gap)
				list[j] = list[j - gap]
			list[j] = x
		}
}
function is_after(i, j, by, sign, place) {
	return sign * by[i] > sign * by[j] || by[i] == by[j] && place[i] > place[j]
}
# Of the things 1..n the `count` with the largest by[] become top[1..], and their places
# is_top[]; returns how many they are.
function find_top(n, count, by, top, is_top,   i, j, k) {
	for (i = 1; i <= n; i++) {
		if (k == count && by[i] + 0 <= by[top[k]])
			continue
		for (j = k < count ? ++k : k; j > 1 && by[i] + 0 > by[top[j - 1]]; j--)
			top[j] = top[j - 1]
		top[j] = i
	}
	for (i = 1; i <= k; i++)
		is_top[top[i]] = i
	return k + 0
}
# A text as it is drawn, of at most 500 bytes: control characters as ?, and no code that
# XML does not have; iconv takes out bytes that are no UTF-8.
function legible(s) {
	if (length(s) > 500)
		s = substr(s, 1, 250) "…" substr(s, length(s) - 249)
	gsub(/[\001-\037\177]|\302[\200-\237]|\357\277[\276\277]/, "?", s)
	return s
}
# The width of a text in letters: letters of Asia are twice as wide as others.
function letters(s,   wide) {
	wide = gsub(/[\343-\355\357\360]/, "&", s)
	gsub(/[\200-\277]/, "", s)
	return length(s) + wide
}
# A text of at most n letters: the middle of a longer one is left out.
function narrow(s, n,   first) {
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
		s = narrow(legible(text[i]), n)
		for (k = 2; s in used; k++)
			s = narrow(legible(text[i]), n - length(k "") - 3) " (" k ")"
		used[s] = 1
		text[i] = s
		widest = max(letters(s), widest)
	}
	return widest + 0
}
# A text for gnuplot, in which only a single quote would be special.
function literal(s) {
	gsub(/\047/, "\047.quote.\047", s)
	return "\047" s "\047"
}
# text[1..n] as a list of tics at 1, 1 + every, ..., in which a % is special, too.
function tics(text, n, every,   i, s, list) {
	for (i = 1; i <= n; i += every) {
		s = literal(text[i])
		gsub(/%/, "%%", s)
		list = list (i > 1 ? ", " : "(") s " " i
	}
	return list ") scale 0 "
}
function xml(s) {
	gsub(/&/, "\\&amp;", s)
	gsub(/</, "\\&lt;", s)
	gsub(/>/, "\\&gt;", s)
	return s
}
function plural(n, word) {
	return n " " word (n == 1 ? "" : word ~ /s$/ ? "es" : "s")
}
# "2 features", or "2 of 3 features".
function shown_of(n, all) {
	return n (n < all ? " of " all : "") " feature" (all > 1 ? "s" : "")
}
# The size of the picture, in units, unless the user gives it; at least 80 x 60 units must
# be left of it beside margins.  Begins the picture.
function page(wide, high, margin_x, margin_y,   how) {
	paper_wide = is_fixed ? given_wide : wide
	paper_high = is_fixed ? given_high : high
	if (paper_wide - margin_x < 80 || paper_high - margin_y < 60)
		fail("--size " ENVIRON["size"] ": no room for the plot beside its names", 2)
	wide = int(paper_wide * scale + .5)
	high = int(paper_high * scale + .5)
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
# A title as a text for gnuplot, in two lines where one is too short.
function heading(s,   n, at) {
	n = int((paper_wide - 16) / 7.2)
	for (at = n + 1; letters(s) > n && at > 1 && substr(s, at, 1) != " "; at--)
		;
	return letters(s) <= n || at < 2 ? literal(narrow(s, n)) : \
		literal(substr(s, 1, at - 1)) ".\"\\n\"." literal(narrow(substr(s, at + 1), n))
}
# The titles of the picture and its axes.
function write_titles(text, x, y) {
	print "set title " heading(text) "\nset xlabel " literal(x) "\nset ylabel " literal(y)
}
# Makes an axis of a parameter logarithmic, or not, and returns its title.
function begin_axis(parameter, is_log, left_out) {
	if (is_log)
		print "set logscale x\nset format x \"%g\""
	return parameter (is_log ? " (logarithmic" (left_out ? "; 0 is left out)" : ")") : "")
}
# The most letters of a name of a line or class, beside the plot.
function letters_of_legend() {
	return is_fixed && given_wide < 460 ? int(given_wide / 20) : 32
}
# A font for letters of so many units.
function font(units) {
	return sprintf(" font \047,%.4g\047 ", units * (form == "svg" ? 1 : .75 * scale))
}
function label(s, place, how) {
	print "set label " literal(s) " at " place " " how
}
function write_point(x, y) {
	printf "%.17g %.17g\n", x, y >"data"
}
# An element of the plot command: the block of data that was written last, which block()
# ends, and again() draws once more.
function block(using, how, name) {
	print "\n" >"data"
	blocks++
	return again(using, how, name)
}
function again(using, how, name) {
	return ", \047data\047 index " blocks - 1 " using " using " with " how \
		(name == "" ? " notitle" : " title " literal(name))
}
function rgb(colour) {
	return " lc rgb \"" colour "\""
}
function line_look(i) {
	return rgb(colour[i]) " lw 2.5 dt " (i % 2 ? 1 : 2)
}
function mark_look(i) {
	return " pt " mark[(i - 1) % 4 + 1] " "
}
# The column of weights that is drawn, or 0, and the name of a column of weights.
function weight_column() {
	return where("scaled_weight weight weight_abs")
}
function weight_name(s) {
	return s == "weight_abs" ? "weight of |difference|" : \
		s == "scaled_weight" ? "weight of the scaled feature" : s
}
# Lays out a square of n x n cells for names text[1..n], at the left and below, and names
# of the axes.  Names that have no room are smaller, then each second one is left out, and
# so on, with a warning.
function lay_out_square(text, n, across, up, s,   i, longest, below, flat, every, letter, high) {
	longest = shorten(text, n, is_fixed ? int(given_wide * .27 / 7) : 32)
	cell_side = min(75, max(440, min(800, 12 * n)) / n)
	# Cells of few classes are so wide that their names stand upright.
	if (n < 8 && longest < 14)
		cell_side = max(longest * 8, cell_side)
	below = longest * 7.4 + 30
	if (is_fixed)
		cell_side = min(given_wide - below - 120, given_high - below - 50) / n
	letter = max(9, min(12, cell_side / 1.2))
	below = longest * .62 * letter + 30
	flat = longest * .62 * letter < cell_side
	high = flat ? 40 : below
	page(max(n * cell_side + below + (up == "" ? 110 : 132), 7.4 * letters(s)),
		n * cell_side + high + 60, below + 90, high + 40)
	every = letter * 1.2 <= cell_side + 1e-9 ? 1 : int(letter * 1.2 / cell_side) + 1
	if (every > 1)
		warn("there is room for one name in " every " (a larger --size, or a smaller -n)")
	printf "set size ratio -1\nset lmargin %d\nset bmargin %.1f\nunset tics\nset border 0\n",
		below / 8 + (up == "" ? 0 : 3), (flat ? 2 : below / 17) + (across == "" ? 0 : 2)
	printf "unset grid\nset xrange [.5:%g]\nset yrange [%g:.5]\n", n + .5, n + .5
	for (i = 1; i <= n; i += every) {
		label(text[i], "graph 0, first " i, "right offset character -1, 0" font(letter))
		label(text[i], "first " i ", graph 0", (flat ? "center offset character 0, -1" : \
			"right rotate by 90 offset character 0, -.7") font(letter))
	}
	label(legible(across), "graph .5, graph 0", "center offset character 0, " \
		(flat ? -2.7 : -below / 17 - .5))
	label(legible(up), "graph 0, graph .5", "center rotate by 90 offset character " \
		sprintf("%.1f", -below / 8 - .5) ", 0")
	print "set cbtics\nset title " heading(s) "\nset style fill solid " \
		(cell_side < 8 ? "noborder" : "border lc rgb \"#EEEEEE\"")
}
# The scale of colours, from the first to the last.
function write_palette(colours, name,   i, n, part, s) {
	n = split(colours, part, " ")
	for (i = 1; i <= n; i++)
		s = s (i > 1 ? ", " : "") i " \"" part[i] "\""
	print "set palette defined (" s ")\nset cblabel " literal(name)
}
# The element that draws cells, written as column, row and value: 0 is white, blue is above
# and red below.
function cells_of_scale(least, largest, name,   reds) {
	if (least < 0)
		reds = "#67001F #B2182B #D6604D #F4A582"
	write_palette(reds " #FFFFFF #C6DBEF #6BAED6 #2171B5 #08306B", name)
	largest = max(largest, -least)
	printf "set cbrange [%.9g:%.9g]\n", (least < 0 ? -largest : 0), largest
	if (name == "")
		print "unset colorbox"
	return block("1:2:(.5):(.5):3", "boxxyerror fc palette lw .5")
}
# Writes the plot command, and as comments the commands of sed that give an SVG title,
# description and size, and take out what is no XML; other pictures lose the time when they
# were made, so that the same table is the same bytes.  `what` says what is drawn.
function finish(list, what,   size, file, about) {
	print "plot" substr(list, 2)
	if (split(ENVIRON["size"], size, ",") < 2) {
		size[1] = sprintf("%.6g", int(paper_wide + .5) * unit / .75)
		size[2] = sprintf("%.6g", int(paper_high + .5) * unit / .75)
	}
	file = ENVIRON["tables"] > 1 ? ENVIRON["tables"] " tables" : ENVIRON["table_1"]
	sub(/.*\//, "", file)
	file = file == "<stdin>" ? "standard input" : legible(file)
	about = "<title>" xml(title (title == "" ? "" : ": ") what) "</title>\n<desc>" \
		xml("kith-plot " ENVIRON["kind"] ": " what ", from " file) "</desc>"
	gsub(/\\/, "&&", about)
	sub(/\n/, "\\\n# sed ", about)
	if (form == "svg") {
		print "# sed s/^ width=.*/ width=\"" size[1] "\" height=\"" size[2] "\"/"
		print "# sed /^<desc>Produced by/d\n# sed /^<title>Gnuplot</c\\\n# sed " about
		print "# sed s/]]>/]]\\&gt;/g\n# sed s:<title>gnuplot_plot_[0-9]*[a-z]*</title>::g"
	} else if (form != "png")
		print "# sed /^%%CreationDate:/d\n# sed s|\\(/CreationDate (D:\\)[0-9]*|\\119700101000000|"
	print "# whole"
	print "# whole" >"data"
}
