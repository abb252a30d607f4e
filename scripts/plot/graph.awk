# SPDX-License-Identifier: BSD-2-Clause
# kith-plot graph: rows as points of the plane of two columns, and the edges between them.
# The table of the points comes first, then the edges.
function begin_table(   pair, want) {
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
	want = ENVIRON["target"]
	if (want != "")
		class_at = want == "none" && !where("none") ? 0 : find_column(want)
	else if (columns != right && columns != up && columns != id_at && columns > 2 && \
		!(is_map && head[columns] ~ /^e[0-9]+$/))
		class_at = columns
	is_scale = class_at > 0
}
# The column that a user names: by its name, or by a number, from the end if negative.
function find_column(column,   i) {
	for (i = 1; i <= columns; i++)
		if (head[i] == column "")
			return i
	i = column ~ /^-?[1-9][0-9]*$/ && length(column) < 8 ? column + 0 : 0
	i = i < 0 ? columns + 1 + i : i
	if (i < 1 || i > columns)
		fail(column_text(column) ": not found")
	return i
}
# The first two columns of numbers without another role.
function find_axes(   i, k, axis) {
	for (i = 1; i <= columns; i++)
		if (i != class_at && i != id_at && is_number(cell[i]))
			axis[++k] = i
	if (k < 2)
		fail("two columns of numbers expected")
	right = axis[1]
	up = axis[2]
	if (k > 2)
		warn(k " columns of numbers, of which the picture shows \"" substr(head[right], 1, 60) \
			"\" and \"" substr(head[up], 1, 60) \
			"\" (-x chooses others, eigenmap makes a map of all)")
}
function read_row() {
	if (!table_number)
		read_point()
	else if (!(cell[from] in absent || cell[to] in absent)) {
		from_of[++edges] = point_of(from)
		to_of[edges] = point_of(to)
		weight_of[edges] = weight ? number(weight) : 1
		strongest = max(abs(weight_of[edges]), strongest)
		has_edge[from_of[edges]] = has_edge[to_of[edges]] = 1
	}
}
function read_point(   id) {
	if (!right)
		find_axes()
	name_x = legible(head[right])
	name_y = legible(head[up])
	class_name = class_at ? legible(head[class_at]) : ""
	if (is_map && (cell[right] == "NA" || cell[up] == "NA")) {
		absent[cell[id_at]] = 1
		return
	}
	id = id_at ? cell[id_at] : rows
	if (id in row_of)
		fail("row " rows ": id \047" substr(id, 1, 60) "\047: not unique")
	row_of[id] = ++n
	x[n] = number(right)
	y[n] = number(up)
	low_x = n > 1 ? min(x[n], low_x) : x[n]
	low_y = n > 1 ? min(y[n], low_y) : y[n]
	high_x = n > 1 ? max(x[n], high_x) : x[n]
	high_y = n > 1 ? max(y[n], high_y) : y[n]
	id = class_at ? cell[class_at] : ""
	is_scale = is_scale && (id == "NA" || is_number(id))
	class_of[n] = number_of(id)
	known += ++size[class_of[n]] == 1 && id != "NA"
}
function point_of(c) {
	if (!(cell[c] in row_of))
		fail("row " rows ": " column_text(head[c]) ": no row \047" substr(cell[c], 1, 60) \
			"\047 among the points")
	return row_of[cell[c]]
}
# The edges in eight grades of their share of the largest weight: paler where they are weak
# or many.  EPS, in which nothing is transparent, has lighter lines.
function write_edges(is_negative,   e, i, grade, share, tint, argb, ink, some) {
	share = edges > 300 ? sqrt(300 / edges) : 1
	split(is_negative ? "213 94 0" : "85 85 85", ink, " ")
	for (grade = 0; grade < 8; grade++) {
		tint = (70 + grade * 16) / 255 * max(share, .15)
		argb = form == "eps" ? 0 : int(255 - 255 * tint)
		for (i = 1; i <= 3; i++)
			argb = argb * 256 + int(form == "eps" ? 255 - (255 - ink[i]) * tint : ink[i])
		for (e = 1; e <= edges; e++)
			if (weight_of[e] < 0 == is_negative && grade == \
				(strongest ? int(abs(weight_of[e]) / strongest * 7.999) : 0)) {
				printf "%.9g %.9g %.0f\n", x[from_of[e]], y[from_of[e]], argb >"data"
				printf "%.9g %.9g %.0f\n\n", x[to_of[e]], y[to_of[e]], argb >"data"
				some = 1
			}
	}
	return !some ? "" : block("1:2:3", sprintf("lines lw %.2f lc rgb variable", 1.5 * max(share, .4)),
		is_negative ? "negative weights" : "")
}
# The points of classes that look the same; i is the number of the look, 0 for the others.
function write_points(i, how, s,   k, some) {
	for (k = 1; k <= n; k++)
		if (look[class_of[k]] + 0 == i) {
			print x[k], y[k], is_scale ? name[class_of[k]] : "" >"data"
			some = 1
		}
	how = "points " how " ps " (n > 5000 ? .15 : n > 500 ? .3 : .5)
	return some ? block(is_scale && i ? "1:2:3" : "1:2", how, s) : ""
}
# Up to eight classes have a colour, the largest ones, in their order; more than eight
# numbers are a scale.  Returns how many classes have a name.
function choose_looks(   i, key, top, is_top, n_top) {
	n_top = is_scale && known > 8 ? 0 : find_top(things, 8, size, top, is_top)
	for (i = 1; i <= things; i++) {
		look[i] = !n_top && name[i] != "NA"
		key[i] = is_scale ? name[i] + 0 : name[i]
	}
	is_scale = !n_top
	sort(top, n_top, key, 1)
	for (i = 1; i <= n_top; i++) {
		look[top[i]] = i
		text[i] = name[top[i]]
	}
	return n_top
}
function draw(   i, list, named, wide, high, lone) {
	if (!n) {
		table = ENVIRON["table_0"]
		fail("nothing to draw")
	}
	list = write_edges(0) write_edges(1)
	named = choose_looks()
	wide = shorten(text, named, letters_of_legend())
	list = list write_points(0, "pt 7" rgb(grey),
		is_scale ? "NA" : plural(things - named, "other"))
	if (is_scale) {
		list = list write_points(1, "pt 7 palette")
		write_palette("#440154 #3B528B #21918C #5EC962 #FDE725", class_name) # viridis
	}
	for (i = 1; i <= named; i++)
		list = list write_points(i, mark_look(i) rgb(colour[i]), class_at ? text[i] : "")
	for (i = 1; i <= n && edges; i++)
		if (!(i in has_edge)) {
			write_point(x[i], y[i])
			lone++
		}
	if (lone) {
		list = list block("1:2", "points pt 6 ps 1.1 lw 1" rgb("black"), "without edges")
		warn(lone (lone > 1 ? " rows have" : " row has") " no edge (a ring in the picture)")
	}
	wide = class_at || lone ? max(wide, letters(class_name)) : 0
	page(720 + 8 * wide, 642, 120 + 8 * wide, 100)
	print "set autoscale xfix\nset autoscale yfix\nunset grid"
	print "set offsets graph .03, graph .03, graph .03, graph .03"
	# Both axes have one scale, unless one range is more than four times the other.
	wide = high_x - low_x
	high = high_y - low_y
	if (wide > 0 && high > 0 && wide <= 4 * high && high <= 4 * wide)
		print "set size ratio -1"
	if (is_map) # Coordinates of eigenvectors have no unit.
		print "unset tics"
	print "set key outside right top Left reverse samplen 1 title " \
		literal(is_scale ? "" : narrow(class_name, 32)) " left"
	write_titles(title, name_x, name_y)
	finish(list, plural(n, "point") " and " plural(edges + 0, "edge") ", " name_y " against " \
		name_x (class_at ? ", colours by " class_name : ""))
}
