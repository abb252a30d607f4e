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
	if (ENVIRON["coordinates"] != "") {
		if (split(ENVIRON["coordinates"], pair, ",") != 2)
			fail("-x: two columns are due, as -x 3,4: \047" ENVIRON["coordinates"] "\047", 2)
		right = find_column(pair[1])
		up = find_column(pair[2])
	} else if (is_map) {
		if (head[3] != "e2")
			fail("two coordinates expected (eigenmap --dims 2?)")
		right = 2
		up = 3
	}
	class_at = columns
	if (ENVIRON["target"] != "")
		class_at = ENVIRON["target"] == "none" && !where("none") ? 0 : find_column(ENVIRON["target"])
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
		warn(k " columns of numbers, of which the picture shows \"" cut(head[right], 60) "\" and \"" \
			cut(head[up], 60) "\" (-x chooses others, eigenmap makes a map of all)")
}
function warn(s) {
	print s >"warning"
}
function read_row(   i) {
	if (table_number) {
		if (cell[from] in absent || cell[to] in absent)
			return
		from_of[++edges] = point_of(from)
		to_of[edges] = point_of(to)
		weight_of[edges] = weight ? number(weight) : 1
		strongest = abs(weight_of[edges] + 0) > strongest ? abs(weight_of[edges] + 0) : strongest
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
	if (i in number_of)
		fail("row " rows ": id \047" cut(i, 60) "\047: not unique")
	number_of[i] = n
	i = class_at ? cell[class_at] : ""
	class_name = class_at ? head[class_at] : ""
	if (!(i in size))
		name[++classes] = i
	size[i]++
	class_of[n] = i
	is_scale = is_scale && (i == "NA" || is_number(i))
	known += i != "NA" && size[i] == 1
}
function point_of(c) {
	if (!(cell[c] in number_of))
		fail("row " rows ": column \"" head[c] "\": no row \047" cut(cell[c], 60) "\047 among the points")
	return number_of[cell[c]]
}
# The edges of one of eight strengths, as shares of the largest weight; thinner and paler
# where they are weak or many.  EPS, in which nothing is transparent, has lighter lines.
function write_edges(kind, negative,   e, s, share, grade) {
	for (e = 1; e <= edges; e++) {
		s = strongest ? int(abs(weight_of[e] + 0) / strongest * 7.999) : 0
		if (s == kind && (weight_of[e] < 0) == negative) {
			print x[from_of[e]], y[from_of[e]] "\n" x[to_of[e]], y[to_of[e]] "\n" >"data"
			grade++
		}
	}
	if (!grade)
		return ""
	share = edges > 300 ? sqrt(300 / edges) : 1
	grade = int((70 + kind * 16) * (share < .15 ? .15 : share))
	s = ENVIRON["form"] == "eps" ? sprintf("#%02X%02X%02X", 255 - (negative ? 42 : 170) * grade / 255,
		255 - (negative ? 161 : 170) * grade / 255, 255 - (negative ? 255 : 170) * grade / 255) : \
		sprintf("#%02X%s", 255 - grade, negative ? "D55E00" : "555555")
	return block("", sprintf("lines lw %.2f lc rgb \"%s\"", (1 + kind * .15) * (share < .4 ? .4 : share), s),
		negative && !has_negative++ ? "negative weights" : "")
}
# The points that look the same; i is the number of the look, 0 for the others.
function write_points(i, how, s,   k, some) {
	for (k = 1; k <= n; k++)
		if (look[class_of[k]] + 0 == i) {
			print x[k], y[k], is_scale ? class_of[k] : "" >"data"
			some = 1
		}
	return some ? block("", "points " how sprintf(" ps %g", n > 5000 ? .15 : n > 500 ? .3 : .5), s) : ""
}
# Up to eight classes have a colour, the largest ones; more than eight numbers are a scale.
function choose_looks(   i, j, c, order, top, n_top, by) {
	if (is_scale && known > 8) {
		for (i = 1; i <= classes; i++)
			look[name[i]] = name[i] != "NA"
		return
	}
	for (i = 1; i <= classes; i++)
		by[i] = size[name[i]]
	for (i = 1; i <= classes; i++)
		n_top = insert(top, n_top + 0, 8, i, by)
	for (i = 1; i <= n_top; i++) {
		c = name[top[i]]
		for (j = i; j > 1 && (is_scale ? order[j - 1] + 0 > c + 0 : order[j - 1] "" > c ""); j--)
			order[j] = order[j - 1]
		order[j] = c
	}
	for (i = 1; i <= n_top; i++)
		look[text[i] = order[i]] = i
	is_scale = 0
	return n_top
}
function draw(   i, k, list, named, wide, lone, s) {
	if (!n)
		fail("nothing to draw")
	for (i = 0; i < 16; i++)
		list = list write_edges(i % 8, i > 7)
	named = choose_looks() + 0
	wide = shorten(text, named, is_fixed && fixed[1] / unit < 460 ? int(fixed[1] / unit / 20) : 32)
	list = list write_points(0, "pt 7 lc rgb \"" grey "\"", is_scale ? "NA" : plural(classes - named, "other"))
	if (is_scale) {
		list = list write_points(1, "pt 7 palette")
		# viridis
		print "set palette defined (0 \"#440154\", 1 \"#3B528B\", 2 \"#21918C\", 3 \"#5EC962\", 4 \"#FDE725\")"
		print "set cblabel " literal(legible(class_name))
	}
	for (i = 1; i <= named; i++)
		list = list write_points(i, sprintf("lc rgb \"%s\" pt %d", colour[i], mark[(i - 1) % 4 + 1]),
			class_at ? text[i] : "")
	for (i = 1; i <= n && edges; i++)
		if (!(i in has_edge)) {
			print x[i], y[i] >"data"
			lone++
		}
	if (lone) {
		list = list block("", "points pt 6 ps 1.1 lw 1 lc rgb \"black\"", "without edges")
		warn(plural(lone, "row") (lone > 1 ? " have" : " has") " no edge (a ring in the picture)")
	}
	wide = class_at || lone ? (wide > letters(class_name) ? wide : letters(legible(class_name))) : 0
	page(720 + 8 * wide, 642, 120 + 8 * wide, 100)
	print "set autoscale xfix\nset autoscale yfix"
	print "set offsets graph .03, graph .03, graph .03, graph .03"
	for (i = 1; i <= n; i++) {
		low_x = i == 1 || x[i] < low_x ? x[i] : low_x
		high_x = i == 1 || x[i] > high_x ? x[i] : high_x
		low_y = i == 1 || y[i] < low_y ? y[i] : low_y
		high_y = i == 1 || y[i] > high_y ? y[i] : high_y
	}
	# Both axes have one scale, unless one range is more than four times the other.
	if (high_x > low_x && high_y > low_y && high_x - low_x <= 4 * (high_y - low_y) && \
		high_y - low_y <= 4 * (high_x - low_x))
		print "set size ratio -1"
	if (is_map) # Coordinates of eigenvectors have no unit.
		print "unset tics"
	print "set key outside right top Left reverse samplen 1 title " \
		literal(is_scale || !class_at ? "" : narrow(legible(class_name), 32)) " left"
	print "set title " heading(title) "\nset xlabel " literal(legible(name_x)) \
		"\nset ylabel " literal(legible(name_y))
	finish(list, plural(n, "point") " and " plural(edges + 0, "edge") ", " legible(name_y) " against " \
		legible(name_x) (class_at ? ", colours by " legible(class_name) : ""))
}
