# SPDX-License-Identifier: BSD-2-Clause
# kith-plot graph: rows as points of the plane of two columns, and the edges between them.
# The table of the points comes first, then the edges.
function begin_table(   pair) {
	if (table_number) {
		from = where("from")
		to = where("to")
		weight = where("weight")
		if (!from || !to)
			fail_kind("a graph: columns from to weight expected")
		return
	}
	if (columns < 2)
		fail("two columns expected")
	# A table of eigenmap: id e1 e2 ...; nodes without coordinates have NA.
	is_map = head[1] == "id" && head[2] == "e1"
	id_at = ENVIRON["id"] != "" ? find_column(ENVIRON["id"]) : is_map
	if (ENVIRON["features"] != "") {
		if (split(ENVIRON["features"], pair, ",") != 2)
			fail("bad -x: \047" ENVIRON["features"] "\047 (two columns, as 3,4)", 2)
		right = find_column(pair[1])
		up = find_column(pair[2])
	} else if (is_map) {
		if (head[3] != "e2")
			fail("two coordinates expected (eigenmap --dims 2?)")
		right = 2
		up = 3
	}
	class_at = columns
	if (ENVIRON["target"] == "none" && !where("none"))
		class_at = 0
	else if (ENVIRON["target"] != "")
		class_at = find_column(ENVIRON["target"])
	else if (columns == right || columns == up || columns == id_at || columns < 3 || \
		is_map && head[columns] ~ /^e[0-9]+$/)
		class_at = 0
	is_scale = class_at > 0
}
# The column that a user names: by its name, or by a number, from the end if negative.
function find_column(column,   i) {
	for (i = 1; i <= columns; i++)
		if (head[i] "" == column "")
			return i
	i = column ~ /^-?[1-9][0-9]*$/ && length(column) < 8 ? column + 0 : 0
	i = i < 0 ? columns + 1 + i : i
	if (i < 1 || i > columns)
		fail("column \"" cut(column, 60) "\": not found")
	return i
}
# The first two columns of numbers without another role.
function find_axes(   i, k) {
	for (i = 1; i <= columns; i++)
		if (i != class_at && i != id_at && is_number(cell[i]) && ++k <= 2) {
			right = k == 1 ? i : right
			up = k == 2 ? i : up
		}
	if (k < 2)
		fail("two columns of numbers expected")
	if (k > 2)
		warn(k " columns of numbers, of which the picture shows \"" cut(head[right], 60) \
			"\" and \"" cut(head[up], 60) \
			"\" (-x chooses others, eigenmap makes a map of all)")
}
function read_row(   i) {
	if (table_number) {
		if (cell[from] in absent || cell[to] in absent)
			return
		from_of[++edges] = point_of(from)
		to_of[edges] = point_of(to)
		weight_of[edges] = weight ? number(weight) : 1
		strongest = max(abs(weight_of[edges]), strongest)
		has_edge[from_of[edges]] = has_edge[to_of[edges]] = 1
		return
	}
	if (!right)
		find_axes()
	name_x = head[right]
	name_y = head[up]
	if (is_map && (cell[right] == "NA" || cell[up] == "NA")) {
		absent[cell[id_at]] = 1
		return
	}
	x[++n] = number(right)
	y[n] = number(up)
	i = id_at ? cell[id_at] : rows
	if (i in row_of)
		fail("row " rows ": id \047" cut(i, 60) "\047: not unique")
	row_of[i] = n
	i = class_at ? cell[class_at] : ""
	class_name = class_at ? head[class_at] : ""
	is_scale = is_scale && (i == "NA" || is_number(i))
	class_of[n] = number_of(i)
	known += ++size[class_of[n]] == 1 && i != "NA"
}
function point_of(c) {
	if (!(cell[c] in row_of))
		fail("row " rows ": column \"" head[c] "\": no row \047" cut(cell[c], 60) \
			"\047 among the points")
	return row_of[cell[c]]
}
# The edges of one of eight strengths, as shares of the largest weight; thinner and paler
# where they are weak or many.  EPS, in which nothing is transparent, has lighter lines.
function write_edges(kind, negative,   e, s, share, grade) {
	for (e = 1; e <= edges; e++) {
		s = strongest ? int(abs(weight_of[e] + 0) / strongest * 7.999) : 0
		if (s == kind && (weight_of[e] < 0) == negative) {
			print x[from_of[e]], y[from_of[e]] >"data"
			print x[to_of[e]], y[to_of[e]] "\n" >"data"
			grade++
		}
	}
	if (!grade)
		return ""
	share = edges > 300 ? sqrt(300 / edges) : 1
	grade = int((70 + kind * 16) * max(share, .15))
	s = sprintf("#%02X%s", 255 - grade, negative ? "D55E00" : "555555")
	if (form == "eps")
		s = sprintf("#%02X%02X%02X", 255 - (negative ? 42 : 170) * grade / 255,
			255 - (negative ? 161 : 170) * grade / 255,
			255 - (negative ? 255 : 170) * grade / 255)
	return block("", sprintf("lines lw %.2f", (1 + kind * .15) * max(share, .4)) rgb(s),
		negative && !has_negative++ ? "negative weights" : "")
}
# The points that look the same; i is the number of the look, 0 for the others.
function write_points(i, how, s,   k, some) {
	for (k = 1; k <= n; k++)
		if (look[class_of[k]] + 0 == i) {
			print x[k], y[k], is_scale ? name[class_of[k]] : "" >"data"
			some = 1
		}
	how = "points " how " ps " (n > 5000 ? .15 : n > 500 ? .3 : .5)
	return some ? block("", how, s) : ""
}
# Up to eight classes have a colour, the largest ones, in their order; more than eight
# numbers are a scale.  Returns how many classes have a name.
function choose_looks(   i, value, top, is_top, n_top) {
	for (i = 1; i <= things; i++) {
		look[i] = is_scale && known > 8 && name[i] != "NA"
		value[i] = name[i] + 0
	}
	if (is_scale && known > 8)
		return 0
	n_top = find_top(text, things, 8, size, top, is_top)
	sort(top, n_top, name)
	if (is_scale)
		sort(top, n_top, value)
	for (i = 1; i <= n_top; i++) {
		look[top[i]] = i
		text[i] = name[top[i]]
	}
	return n_top
}
# Both axes have one scale, unless one range is more than four times the other.
function write_ratio(   i, wide, high, low_x, low_y, high_x, high_y) {
	low_x = high_x = x[1]
	low_y = high_y = y[1]
	for (i = 2; i <= n; i++) {
		low_x = min(x[i], low_x)
		high_x = max(x[i], high_x)
		low_y = min(y[i], low_y)
		high_y = max(y[i], high_y)
	}
	wide = high_x - low_x
	high = high_y - low_y
	if (wide > 0 && high > 0 && wide <= 4 * high && high <= 4 * wide)
		print "set size ratio -1"
}
function draw(   i, list, named, wide, lone) {
	if (!n)
		fail("nothing to draw")
	class_name = class_at ? legible(class_name) : ""
	for (i = 0; i < 16; i++)
		list = list write_edges(i % 8, i > 7)
	named = choose_looks()
	is_scale = is_scale && known > 8
	wide = shorten(text, named, letters_of_legend())
	list = list write_points(0, "pt 7" rgb(grey),
		is_scale ? "NA" : plural(things - named, "other"))
	if (is_scale) {
		list = list write_points(1, "pt 7 palette")
		print "set cblabel " literal(class_name)
		write_palette("#440154 #3B528B #21918C #5EC962 #FDE725") # viridis
	}
	for (i = 1; i <= named; i++)
		list = list write_points(i, mark_look(i) rgb(colour[i]), class_at ? text[i] : "")
	for (i = 1; i <= n && edges; i++)
		if (!(i in has_edge)) {
			print x[i], y[i] >"data"
			lone++
		}
	if (lone) {
		list = list block("", "points pt 6 ps 1.1 lw 1" rgb("black"), "without edges")
		warn(lone (lone > 1 ? " rows have" : " row has") " no edge (a ring in the picture)")
	}
	wide = class_at || lone ? max(wide, letters(class_name)) : 0
	page(720 + 8 * wide, 642, 120 + 8 * wide, 100)
	print "set autoscale xfix\nset autoscale yfix"
	print "set offsets graph .03, graph .03, graph .03, graph .03"
	write_ratio()
	if (is_map) # Coordinates of eigenvectors have no unit.
		print "unset tics"
	print "set key outside right top Left reverse samplen 1 title " \
		literal(is_scale ? "" : narrow(class_name, 32)) " left"
	name_x = legible(name_x)
	name_y = legible(name_y)
	write_titles(title, name_x, name_y)
	finish(list, plural(n, "point") " and " plural(edges + 0, "edge") ", " name_y " against " \
		name_x (class_at ? ", colours by " class_name : ""))
}
