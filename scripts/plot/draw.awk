# SPDX-License-Identifier: BSD-2-Clause
# What the kinds of kith-plot share, under LC_ALL=C: reading TSV, names as they are drawn,
# and the files body, data, terminal and about.  A kind defines begin_table() for a header
# in head[1..columns], read_row() for a row in cell[1..columns], and draw().  Lengths are
# units of which a letter is 14 high and about 8 wide.
BEGIN {
	# The colours of Okabe and Ito, without yellow.
	split("#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #7F3C8D", colour, " ")
	split("5 7 9 13 4 6 8 12", mark, " ")
	grey = "#BBBBBB"
	title = legible(ENVIRON["title"])
	most = ENVIRON["most"] + 0
	unit = ENVIRON["font"] / 14
	is_fixed = split(ENVIRON["points"], fixed, " ")
}
# Cuts a record of TSV into cell[1..cells]; 0 where a quoted cell goes on in the next line.
function cut_record(s,   value) {
	s = s "\t"
	for (cells = 0; s != ""; s = substr(s, RLENGTH + 1)) {
		if (!match(s, s ~ /^"/ ? "^\"([^\"]|\"\")*\"\t" : "^[^\t]*\t"))
			return 0
		value = substr(s, 1, RLENGTH - 1)
		if (value ~ /^"/) {
			value = substr(value, 2, length(value) - 2)
			gsub(/""/, "\"", value)
		}
		cell[++cells] = value
	}
	return 1
}
FNR == 1 {
	rows = columns = 0
	pending = ""
	table_number = FILENAME == "nodes" ? 0 : substr(FILENAME, 6) + 0
	table = table_number ? ENVIRON["table_" table_number] : ENVIRON["nodes"]
}
!columns && /^# / { next }
{
	pending = pending == "" ? $0 : pending "\n" $0
	if (!cut_record(pending))
		next
	pending = ""
	if (columns) {
		rows++
		read_row()
		next
	}
	columns = cells
	for (i = 1; i <= columns; i++)
		head[i] = cell[i]
	begin_table()
}
END {
	if (!failed)
		draw()
	if (failed)
		exit failed
}
# Ends with a message for the user: wrong data (65) or a wrong call (2).
function fail(why, status) {
	print (status ? "" : table ": ") why >"error"
	exit failed = status ? status : 65
}
# The table is not what it should be; the message names the kind that draws it.
function fail_kind(why,   kind) {
	kind = where("step") ? "path" : where("feature1") && where("feature2") ? "heatmap" : \
		where("feature") ? "weights" : where("actual") ? "confusion" : \
		where("metric") ? "ranks" : where("n") ? "error" : \
		where("from") && where("to") ? "graph" : ""
	fail("not " why (kind == "" || kind == ENVIRON["kind"] ? "" : " (kith-plot " kind "?)"))
}
# The number of the column that has the first of these names, divided by blanks, or 0.
function where(names,   i, j, n, want) {
	n = split(names, want, " ")
	for (j = 1; j <= n; j++)
		for (i = 1; i <= columns; i++)
			if (head[i] == want[j])
				return i
	return 0
}
function is_number(s) {
	return s ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/
}
# The number in column c; one that gnuplot could not draw is refused.
function number(c) {
	if (!is_number(cell[c]) || abs(cell[c]) > 1e300)
		fail("row " rows ": column \"" cut(head[c], 60) "\": " (is_number(cell[c]) ? \
			"too large to draw" : "not a number") ": \047" cut(cell[c], 60) "\047")
	return cell[c] + 0
}
# Callers add 0 to an element that may not be there: as an argument it makes gawk 5.2.1 fail.
function abs(x) {
	return (x < 0 ? -x : x) + 0
}
# Inserts i into top[1..count], which is sorted by falling by[top[.]] and keeps at most n
# members (top[n + 1] is scratch), and returns the new count; equal ones keep their order.
function insert(top, count, n, i, by,   j) {
	for (j = count < n ? ++count : n + 1; j > 1 && by[top[j - 1]] < by[i]; j--)
		top[j] = top[j - 1]
	top[j] = i
	return count
}
# A text as it is drawn, of at most 500 bytes: control characters as ?, and no code that
# XML does not have; iconv takes out bytes that are no UTF-8.
function legible(s) {
	if (length(s) > 500)
		s = cut(s, 250) "…" tail_of(s, 250)
	gsub(/[\001-\037\177]|\302[\200-\237]|\357\277[\276\277]/, "?", s)
	return s
}
# The first and the last n bytes of a text, or fewer, so that no character is cut.
function cut(s, n) {
	while (n > 0 && substr(s, n + 1, 1) ~ /[\200-\277]/)
		n--
	return substr(s, 1, n)
}
function tail_of(s, n,   i) {
	for (i = length(s) - n + 1; substr(s, i, 1) ~ /[\200-\277]/; i++)
		;
	return substr(s, i)
}
# The width of a text in letters: letters of Asia are twice as wide as others.
function letters(s,   wide) {
	wide = gsub(/[\343-\355\357\360]/, "&", s)
	gsub(/[\200-\277]/, "", s)
	return length(s) + wide
}
# A text of at most n letters: the middle of a longer one is left out.
function narrow(s, n,   first, last) {
	if (letters(s) <= n)
		return s
	for (first = cut(s, int(length(s) / 2)); letters(first) > n / 2;)
		first = cut(first, length(first) - 1)
	for (last = s; letters(first) + 1 + letters(last) > n;)
		last = tail_of(last, length(last) - 1)
	return first "…" last
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
		widest = letters(s) > widest ? letters(s) : widest
	}
	return widest + 0
}
# A text for gnuplot, in which only a single quote would be special.
function literal(s) {
	gsub(/\047/, "\047.quote.\047", s)
	return "\047" s "\047"
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
# The size of the picture, in units, unless the user gives it; at least 80 x 60 units must
# be left of it beside margins.
function page(wide, high, margin_x, margin_y) {
	paper_wide = is_fixed ? fixed[1] / unit : wide
	paper_high = is_fixed ? fixed[2] / unit : high
	if (paper_wide - margin_x < 80 || paper_high - margin_y < 60)
		fail("--size " ENVIRON["size"] ": no room for the plot beside its names", 2)
}
# A title as a text for gnuplot, in two lines where one is too short.
function heading(s,   n, at) {
	n = int((paper_wide - 16) / 7.2)
	if (letters(s) <= n)
		return literal(s)
	for (at = length(cut(s, n)) + 1; at > 1 && substr(s, at, 1) != " "; at--)
		;
	return at < 2 ? literal(narrow(s, n)) : \
		literal(substr(s, 1, at - 1)) ".\"\\n\"." literal(narrow(substr(s, at + 1), n))
}
# A font for letters of so many units.
function font(units) {
	return sprintf(" font \047,%.4g\047 ", ENVIRON["form"] == "svg" ? units : units * .75 * scale())
}
# Units of the terminal in one unit: points, or dots of a PNG; an SVG has its own size.
function scale() {
	return ENVIRON["form"] == "svg" ? 1 : ENVIRON["form"] == "png" ? \
		unit / 72 * ENVIRON["dots"] : unit
}
function label(s, place, how) {
	print "set label " literal(s) " at " place " " how
}
# Ends a block of the file data and returns its number for gnuplot.
function end_block() {
	print "\n" >"data"
	return blocks++
}
# An element of the plot command: the block of data that was written last.
function block(using, how, name) {
	return sprintf(", \047data\047 index %d %s with %s %s", end_block(),
		using == "" ? "" : "using " using, how, name == "" ? "notitle" : "title " literal(name))
}
function line_look(i) {
	return sprintf("lc rgb \"%s\" lw 2.5 dt %d", colour[i], i % 2 ? 1 : 2)
}
function mark_look(i) {
	return sprintf("pt %d ps .45", mark[(i - 1) % 4 + 1])
}
# Writes the plot command, the terminal, and title, description and size of an SVG; `what`
# says what is drawn.
function finish(list, what,   k, form, size, name) {
	print "plot" substr(list, 2)
	form = ENVIRON["form"]
	k = scale()
	print "set terminal " (form == "svg" ? \
		sprintf("svg size %d,%d font \047Helvetica,14\047 background \047#FFFFFF\047",
			paper_wide + .5, paper_high + .5) : \
		sprintf("%scairo size %s%s fontscale 1 linewidth %.4g pointscale %.4g", form, form == "png" ? \
			sprintf("%d,%d dashlength .5", paper_wide * k + .5, paper_high * k + .5) : \
			sprintf("%.5fin,%.5fin", int(paper_wide * k + .5) / 72, int(paper_high * k + .5) / 72),
			" font \047Helvetica," sprintf("%.4g", 14 * .75 * k) "\047",
			(form == "png" ? 1 : form == "pdf" ? 1.7 : 3.6) * k, 1.75 * k)) " noenhanced" >"terminal"
	if (split(ENVIRON["size"], size, ",") < 2) {
		size[1] = sprintf("%.6g", int(paper_wide + .5) * unit / .75)
		size[2] = sprintf("%.6g", int(paper_high + .5) * unit / .75)
	}
	name = ENVIRON["tables"] > 1 ? ENVIRON["tables"] " tables" : ENVIRON["table_1"]
	sub(/.*\//, "", name)
	name = name == "<stdin>" ? "standard input" : legible(name)
	print "<title>" xml(title (title == "" ? "" : ": ") what) "</title>" >"about"
	print "<desc>" xml("kith-plot " ENVIRON["kind"] ": " what ", from " name) "</desc>" >"about"
	print " width=\"" size[1] "\" height=\"" size[2] "\"" >"about"
	print "# whole"
	print "# whole" >"data"
	print "# whole" >"terminal"
	print "# whole" >"about"
}
