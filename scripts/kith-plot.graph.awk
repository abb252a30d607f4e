# SPDX-License-Identifier: BSD-2-Clause
# The functions of kith-plot-graph: points, edges, colours and where all of it stands.

# The column that COL names: a name, or a number, from the end if negative.
function find(col,   i) {
	for (i = 1; i <= columns; i++)
		if (head[i] "" == col "")
			return i
	i = 0
	if (col ~ /^[1-9][0-9]?[0-9]?[0-9]?[0-9]?$/)
		i = col + 0
	else if (col ~ /^-[1-9][0-9]?[0-9]?[0-9]?[0-9]?$/)
		i = columns + 1 + col
	if (i < 1 || i > columns)
		fail_at(ENVIRON["points"], "column \"" said(col) "\": not found")
	return i
}
function chosen(name, otherwise) {
	return ENVIRON[name] == "" ? otherwise : find(ENVIRON[name])
}
# The columns of the axes: those that are named, of a map e1 and e2, else the first
# two that have numbers, with a word where there are more.
function find_axes(   i, n, one, two) {
	if (is_map) {
		one = 2
		two = 3
	} else
		for (i = 1; i <= columns; i++)
			if (i != class_at && i != id_at && is_number(cell[i]) && ++n <= 2) {
				two = one ? i : two
				one = one ? one : i
			}
	right = chosen("column_x", one ? one : 1)
	up = chosen("column_y", two ? two : 2)
	if (n > 2 && (ENVIRON["column_x"] == "" || ENVIRON["column_y"] == ""))
		print ENVIRON["points"] ": " n " columns of numbers, of which the picture shows \"" \
			said(head[right]) "\" and \"" said(head[up]) "\" only (-x and -y choose " \
			"others, eigenmap makes a map of all)" >"warning"
}
function coordinate(c) {
	return number_at(cell[c], ENVIRON["points"] ": row " n, head[c])
}
# A node that a map does not place is known, but not drawn, nor are its edges.
function is_placed() {
	return !is_map || cell[right] != "NA" && cell[up] != "NA"
}
function read_point(   id, class) {
	if (!right) {
		find_axes()
		name_x = head[right]
		name_y = head[up]
	}
	if (!is_placed()) {
		absent[cell[id_at]]
		return
	}
	n++
	x[n] = coordinate(right)
	y[n] = coordinate(up)
	id = id_at ? cell[id_at] : n
	if (id in number_of)
		fail_at(ENVIRON["points"], "row " n ": id \047" said(id) \
			"\047: not unique")
	number_of[id] = n
	class = class_at ? cell[class_at] : ""
	if (!(class in size))
		label[++classes] = class
	size[class]++
	class_of[n] = class
	is_scale = is_scale && (class == "NA" || is_number(class))
	widen_x(x[n] + 0)
	widen_y(y[n] + 0)
}
function widen_x(value) {
	if (n == 1 || value < least_x)
		least_x = value
	if (n == 1 || value > most_x)
		most_x = value
}
function widen_y(value) {
	if (n == 1 || value < least_y)
		least_y = value
	if (n == 1 || value > most_y)
		most_y = value
}
function point_of(c) {
	if (!(cell[c] in number_of))
		fail("column \"" head[c] "\": no row \047" said(cell[c]) \
			"\047 among the points")
	return number_of[cell[c]]
}
function read_edge() {
	if (cell[from] in absent || cell[to] in absent)
		return
	from_of[++edges] = point_of(from)
	to_of[edges] = point_of(to)
	weight_of[edges] = weight ? number(weight) + 0 : 1
	if (abs(weight_of[edges]) > strongest)
		strongest = abs(weight_of[edges])
}
# Edges of one kind: not above 0 is 0, others by their share of the strongest,
# 1 to 8; negative ones the same below 0.
function strength(e,   s) {
	s = strongest ? abs(weight_of[e]) / strongest * 8 : 0
	s = s > int(s) ? int(s) + 1 : s
	return weight_of[e] < 0 ? -s : s
}
# The edges of a kind, as lines of the plot command.  The weak ones are thin
# and let through what is behind them; where there are many, all are so.
function write_edges(kind,   e, share) {
	if (!kinds[kind])
		return
	for (e = 1; e <= edges; e++)
		if (kind_of[e] == kind)
			print x[from_of[e]], y[from_of[e]] "\n" \
				x[to_of[e]], y[to_of[e]] "\n" >"data"
	share = edges > many ? sqrt(many / edges) : 1
	list = list sprintf(", \047data\047 index %d with lines lc rgb \"%s\" " \
		"lw %.2f notitle", end_block(),
		thin(kind < 0 ? "D5 5E 00" : "33 33 33", (85 + abs(kind) * 18) * share),
		(1 + abs(kind) * .15) * (share > .3 ? share : .3))
}
# A colour, three bytes as hexadecimal digits, of which 255 - left are let through.
# PostScript lets nothing through: there it is mixed with white.
function thin(rgb, left,   part, i, byte, t) {
	split(rgb, part, " ")
	if (form != "eps")
		return sprintf("#%02X%s%s%s", 255 - left, part[1], part[2], part[3])
	for (i = 1; i <= 3; i++) {
		byte = (index("0123456789ABCDEF", substr(part[i], 1, 1)) - 1) * 16 + \
			index("0123456789ABCDEF", substr(part[i], 2)) - 1
		t = t sprintf("%02X", 255 - (255 - byte) * left / 255)
	}
	return "#" t
}
function end_block() {
	print "\n" >"data"
	return blocks++
}
# The points whose class has this look, 0 being those of the others.
function write_points(i, how,   k, some) {
	for (k = 1; k <= n; k++)
		if (look_of[class_of[k]] == i) {
			print x[k], y[k], is_scale ? class_of[k] : "" >"data"
			some = 1
		}
	if (some)
		list = list sprintf(", \047data\047 index %d %s ps %g %s", end_block(), how,
			n > 5000 ? .15 : n > 500 ? .3 : .5,
			i && named ? "title " literal(text[i]) : "notitle")
}
# Classes in their order: of numbers that of numbers.
function comes_after(a, b) {
	return is_scale ? a + 0 > b + 0 || a + 0 == b + 0 && a "" > b "" : a "" > b ""
}
# Of up to eight classes each has a colour; of more the largest, of equal ones the
# first, and the others are grey.  More than eight numbers are a scale instead.
function choose_looks(   i, j, k, s, most, top) {
	if (is_scale) {
		for (i = 1; i <= classes; i++)
			values += label[i] != "NA"
		is_scale = values > 8
		is_scale_of_classes = !is_scale
	}
	if (is_scale) {
		for (i = 1; i <= classes; i++)
			look_of[label[i]] = label[i] == "NA" ? 0 : 1
		return
	}
	is_scale = is_scale_of_classes
	sort_classes()
	is_scale = 0
	for (i = 1; i <= classes; i++) {
		for (j = most < 8 ? ++most : 9; j > 1 && size[label[top[j - 1]]] < size[label[i]]; j--)
			top[j] = top[j - 1]
		top[j] = i
	}
	for (j = 1; j <= most; j++)
		look_of[label[top[j]]] = -1
	for (i = 1; i <= classes; i++)
		if (look_of[label[i]]) {
			look_of[label[i]] = ++named
			text[named] = label[i]
		} else
			look_of[label[i]] = 0
}
# A heap would be faster than this, for many thousands of classes only.
function sort_classes(   gap, i, j, s) {
	for (gap = int(classes / 2); gap; gap = gap == 2 ? 1 : int(gap * 5 / 11))
		for (i = gap + 1; i <= classes; i++) {
			s = label[i]
			for (j = i; j > gap && comes_after(label[j - gap], s); j -= gap)
				label[j] = label[j - gap]
			label[j] = s
		}
}
# What stands in the key, and how wide that is in letters.
function name_classes(   i) {
	if (!class_at)
		return
	shorten(text, named, key_letters() + 3)
	for (i = 1; i <= named; i++)
		if (letters(text[i]) > longest)
			longest = letters(text[i])
	if (has_others)
		rest = is_scale ? "NA" : classes - named " others"
	if (letters(rest) > longest)
		longest = letters(rest)
	if (has_negative && longest < 16)
		longest = 16
	key_title = narrow(legible(head_class), key_letters() + 3)
	if (letters(key_title) > longest + 2)
		longest = letters(key_title) - 2
}
# The size of picture and plot.  Both axes have one scale, where that leaves room for
# both, and the key stands beside the plot.
function lay_out(   wide, high, room, tall, beside, part, up_letters, bottom) {
	wide = most_x - least_x
	high = most_y - least_y
	beside = class_at || has_negative ? 34 + 7.8 * longest : 20
	if (is_scale && beside < 90)
		beside = 90
	plot_left = 76
	plot_top = 16
	room = width(is_fixed ? 0 : 610 + 76 + beside) - plot_left - beside
	tall = height(642) - plot_top - 52 - (title == "" ? 0 : 20)
	bottom = plot_top + 19 * (1 + named + is_scale + (has_others > 0) + (has_negative > 0))
	up_letters = letters(legible(name_y))
	if (!is_fixed && tall < up_letters * 9)
		tall = up_letters * 9
	if (wide > 0 && high > 0 && wide <= 4 * high && high <= 4 * wide) {
		part = wide / room > high / tall ? wide / room : high / tall
		# What is left of a given size stands on both sides.
		if (is_fixed) {
			plot_left += (room - wide / part) / 2
			plot_top += (tall - high / part) / 2
		}
		room = wide / part
		tall = high / part
	}
	plot_right = plot_left + room
	plot_bottom = plot_top + tall
	key_left = plot_right + 14
	if (is_fixed) {
		check_room(room < 50 ? 0 : 80, tall < 30 ? 0 : 60)
		key_top = 16 + (title == "" ? 0 : 20)
	}
	if (is_fixed)
		paper(fixed[1] / unit, fixed[2] / unit)
	else {
		paper(plot_right + beside, (class_at && bottom > plot_bottom + 52 ? bottom : \
			plot_bottom + 52) + (title == "" ? 0 : 20))
		part = 9 * widest(legible(title), legible(name_x)) + 20
		if (paper_wide < part) {
			plot_left += (part - paper_wide) / 2
			plot_right += (part - paper_wide) / 2
			key_left += (part - paper_wide) / 2
			paper_wide = part
		}
	}
	if (title != "")
		plot_bottom += 20
	space_key(1 + named + (has_others > 0) + (has_negative > 0))
	set_tics("x", wide * 1.06, room, 50)
	set_tics("y", high * 1.06, tall, 22)
}
function write_key(   i, high) {
	key_marks = 1
	if (class_at)
		key_row("", "", key_title)
	for (i = 1; i <= named; i++)
		key_row("", sprintf("pt %d ps .6 lc rgb \"%s\"", mark[(i - 1) % 4 + 1],
			colour[i]), text[i])
	if (is_scale) {
		high = (plot_bottom - plot_top) * .6
		printf "set colorbox user origin %s size screen %.5f, screen %.5f\n",
			spot(key_left, plot_top + 20 + high), 14 / paper_wide, high / paper_high
		key_rows = (high + 40) / key_step
		# viridis
		print "set palette defined (0 \"#440154\", 1 \"#3B528B\", 2 \"#21918C\", " \
			"3 \"#5EC962\", 4 \"#FDE725\")"
	}
	if (has_others)
		key_row("", "pt 7 ps .5 lc rgb \"" grey "\"", rest)
	if (has_negative)
		key_row("lw 2 lc rgb \"#D55E00\"", "", "negative weights")
}
