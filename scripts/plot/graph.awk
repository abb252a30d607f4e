# SPDX-License-Identifier: BSD-2-Clause
# kith-plot graph: rows as points of the plane of two columns, and the edges between them.
# The table of the points comes first, then the edges.
function begin_table(   want) {
	if (table_number) {
		from = where("from")
		to = where("to")
		weight = where("weight")
		if (!from || !to)
			fail_kind("a graph: columns from to weight")
		return
	}
	if (columns < 2)
		fail("two columns expected")
	# A table of eigenmap: id e1 e2 ...; nodes without coordinates have NA.
	is_map = head[1] == "id" && head[2] == "e1"
	id_at = ENVIRON["id"] != "" ? find_column(ENVIRON["id"]) : is_map
	want = ENVIRON["features"]
	if (is_map && want == "" && head[3] != "e2")
		fail("two coordinates expected (eigenmap --dims 2?)")
	if (is_map || want != "") {
		if (split(want == "" ? "e1,e2" : want, part, ",") != 2)
			fail("bad -x: \047" want "\047 (two columns, as 3,4)", 2)
		right = find_column(part[1])
		up = find_column(part[2])
	}
	want = ENVIRON["target"]
	if (want != "")
		class_at = want == "none" && !column_of("none") ? 0 : find_column(want)
	else if (columns != right && columns != up && columns != id_at && columns > 2 && \
		!(is_map && head[columns] ~ /^e[0-9]+$/))
		class_at = columns
	is_scale = class_at > 0
}
# The column that a user names: by its name, or by a number, from the end if negative.
function find_column(column,   i) {
	i = column ~ /^-?[1-9][0-9]*$/ && length(column) < 8 ? column + 0 : 0
	i = column_of(column) ? column_of(column) : i < 0 ? columns + 1 + i : i
	if (i < 1 || i > columns)
		fail(column_text(column) ": not found")
	return i
}
# The first two columns of numbers without another role.
function find_axes(   i, k) {
	for (i = columns; i; i--)
		if (i != class_at && i != id_at && is_number($i)) {
			up = right
			right = i
			k++
		}
	if (k < 2)
		fail("two columns of numbers expected")
	if (k > 2)
		print k " columns of numbers, of which the picture shows \"" substr(head[right], 1, 60) \
			"\" and \"" substr(head[up], 1, 60) \
			"\" (-x chooses others, eigenmap makes a map of all)" >"warning"
}
function read_row(   e) {
	if (!table_number)
		read_point()
	else if (!($from in absent || $to in absent)) {
		edges++
		order[edges] = edges
		one_end[edges] = end_of_edge(from)
		other_end[edges] = end_of_edge(to)
		is_negative[edges] = weight && number(weight) < 0
		size_of[edges] = weight ? abs($weight) : 1
		strongest = max(size_of[edges], strongest)
	}
}
function read_point(   id) {
	if (!right)
		find_axes()
	name_x = head[right]
	name_y = head[up]
	class_name = class_at ? head[class_at] : ""
	if (is_map && ($right == "NA" || $up == "NA")) {
		absent[$id_at]
		return
	}
	id = id_at ? $id_at : rows
	if (id in point)
		fail("row " rows ": id \047" substr(id, 1, 60) "\047: not unique")
	point[id] = ++n
	spot[n] = number(right) " " number(up)
	is_lone[n] = 1
	lone++
	id = class_at ? $class_at : ""
	is_scale = is_scale && (id == "NA" || is_number(id))
	class_of[n] = number_of(id)
	known += !count[class_of[n]]++ && id != "NA"
}
# The place of a point that column c names; it has an edge.
function end_of_edge(c,   p) {
	if (!($c in point))
		fail("row " rows ": " column_text(head[c]) ": no row \047" substr($c, 1, 60) \
			"\047 among the points")
	p = point[$c]
	lone -= is_lone[p]
	is_lone[p] = 0
	return spot[p]
}
# The edges, red ones with a negative weight, the strongest above, in eight grades: paler
# where they are weak or many.  EPS, in which nothing is transparent, has lighter lines.
function plot_edges(sign, ink,   e, i, grade, some, paleness, tint) {
	for (i = 1; i <= edges; i++) {
		e = order[i]
		if (is_negative[e] == sign) {
			some = 1
			grade = strongest ? int(size_of[e] / strongest * 7.999) : 0
			print one_end[e], grade "\n" other_end[e], grade "\n" >"data"
		}
	}
	paleness = edges > 300 ? sqrt(300 / edges) : 1
	tint = "((70+16*$3)/255*" max(paleness, .15) ")"
	split(ink, part, " ")
	tint = form != "eps" ? "(int(255-255*" tint ")*16777216+" part[4] ")" : \
		"(int(255-" part[1] "*" tint ")*65536+int(255-" part[2] "*" tint ")*256+int(255-" \
		part[3] "*" tint "))"
	return !some ? "" : block("1:2:" tint, "lines lc rgb variable lw " \
		1.5 * max(paleness, .4), sign ? "negative weights" : "")
}
# Up to eight classes have a colour, the largest ones, numbers by their size and words in the
# order of the table; more than eight numbers are a scale.  look[] is the number of a colour
# or 0; returns how many classes have a name.
function choose_looks(   i, n_top) {
	n_top = is_scale && known > 8 ? 0 : find_top(8, count, is_scale ? "numbers" : "table")
	for (i = 1; i <= things; i++)
		look[i] = n_top ? place[i] + 0 : name[i] != "NA"
	is_scale = !n_top
	return n_top
}
function draw(   i, list, named, wide, how, ring) {
	if (!n) {
		table = ENVIRON["table_0"]
		fail("nothing to draw")
	}
	sort(order, edges, size_of, 1)
	list = plot_edges(0, "170 170 170 5592405") plot_edges(1, "42 161 255 13983232")
	named = choose_looks()
	wide = shorten(text, named, legend)
	for (i = 1; i <= n; i++)
		print spot[i], look[class_of[i]], (is_scale ? name[class_of[i]] : 0), is_lone[i] >"data"
	lone = edges ? lone : 0
	ring = block("($5>0?$1:NaN):2", "points pt 6 ps 1.1 lw 1" black, "without edges")
	how = "points ps " (n > 5000 ? .15 : n > 500 ? .3 : .5)
	if (is_scale ? "NA" in number_by_name : things > named)
		list = list again("($3==0?$1:NaN):2", how " pt 7" grey, \
			is_scale ? "NA" : plural(things - named, "other"))
	if (is_scale) {
		list = list again("($3==1?$1:NaN):2:4", how " pt 7 palette")
		write_palette("0 #440154, 1 #3B528B, 2 #21918C, 3 #5EC962, 4 #FDE725", class_name) # viridis
	}
	for (i = 1; i <= named; i++)
		list = list again("($3==" i "?$1:NaN):2", how " lt " i, class_at ? text[i] : "")
	if (lone) {
		list = list ring
		print lone (lone > 1 ? " rows have" : " row has") " no edge (a ring in the picture)" >"warning"
	}
	wide = class_at || lone ? max(wide, letters(class_name)) : 0
	page(720 + 8 * wide, 642, 120 + 8 * wide, 100, title)
	print "set autoscale xfix\nset autoscale yfix\nunset grid"
	print "set offsets graph .03, graph .03, graph .03, graph .03"
	# Both axes have one scale, unless one range is more than four times the other.
	print "stats \047data\047 index " blocks - 1 " using 1:2 nooutput"
	print "wide = STATS_max_x - STATS_min_x\nhigh = STATS_max_y - STATS_min_y"
	print "if (wide > 0 && high > 0 && wide <= 4 * high && high <= 4 * wide) set size ratio -1"
	if (is_map) # Coordinates of eigenvectors have no unit.
		print "unset tics"
	print "set key outside right top Left reverse samplen 1 title " \
		literal(is_scale ? "" : narrow(class_name, 32)) " left"
	write_titles(title, name_x, name_y)
	finish(list, plural(n, "point") " and " plural(edges + 0, "edge") ", " name_y " against " \
		name_x (class_at ? ", colours by " class_name : ""))
}
