# SPDX-License-Identifier: BSD-2-Clause
# The functions of kith-plot-error: what its table says, and the lines it draws.

# Find the columns: those before n are the parameters, the first goes along the
# axis, the second makes the lines.  Before intervals, they say of which classes.
function find_columns(   i) {
	count = where("n")
	value = where("error rmse")
	for (i = 1; i <= columns; i++)
		if (head[i] ~ /^ndcg@[0-9]+$/)
			value = i
	if (!count || !value || value < count)
		fail("not a table of errors: columns PARAMETER n error (or rmse, ndcg) expected" hint())
	from = where("theta_from")
	to = where("theta_to")
	intervals = from && to == from + 1 && count == to + 1
	if (!intervals && (count < 2 || count > 3))
		fail("not a table of errors: one or two parameters expected before n")
	sign = head[value] ~ /^ndcg/ ? -1 : 1
	wrong = where("errors")
	se = where("se")
	first = intervals ? from : 1
	by = !intervals && count == 3 ? 2 : 0
	features = intervals ? 0 : where("features")
	if (intervals)
		find_intervals()
	parameter = cost ? "C" : intervals ? "theta" : head[1]
}
function find_intervals() {
	cost = where("C")
	cost_from = where("C_from")
	cost_to = where("C_to")
	if (cost_from && cost_to)
		cost = cost_from
	if (head[value] == "rmse") {
		value_from = where("rmse_from")
		value_to = where("rmse_to")
		theta = where("theta")
		if (!value_from || !value_to || !theta)
			fail("not a table of errors: rmse_from, rmse_to and theta expected")
	}
}
# Whether the row is better than the best so far: less error, then fewer
# features, then the smaller k and parameter; of intervals the widest, then the
# first.  To drop a larger share leaves fewer features.
function is_better(   i, d) {
	d = sign * (cell[value] - best[value])
	if (rows == 1 || d != 0)
		return rows == 1 || d < 0
	if (intervals && !theta)
		return cell[to] - cell[from] > best[to] - best[from]
	if (theta)
		return cell[theta] + 0 < best[theta] + 0
	if (features && cell[features] - best[features] != 0)
		return cell[features] + 0 < best[features] + 0
	if (head[1] == "share" && cell[1] - best[1] != 0)
		return cell[1] + 0 > best[1] + 0
	if (by && cell[by] - best[by] != 0)
		return cell[by] + 0 < best[by] + 0
	return cell[1] + 0 < best[1] + 0
}
function is_word(s) {
	return s ~ /^[A-Za-z]/ && s !~ /^(NA|NaN|nan)$/
}
# What a row says, as numbers.
function check_row(   i) {
	for (i = first; i <= count; i++)
		if (i != by || !is_word(cell[i]))
			number(i)
	for (i = count + 1; i <= columns; i++)
		if (i == value || i == wrong || i == features || i == value_from ||
			i == value_to || i == theta || i == se && cell[i] != "NA")
			number(i)
	if (intervals && cell[to] + 0 < cell[from] + 0)
		fail("an interval ends before it starts")
}
# The name of the line that a row belongs to.
function group(   i, s) {
	if (!intervals)
		return by ? cell[by] : ""
	for (i = 1; i < from; i++)
		s = s (i > 1 ? ", " : "") cell[i]
	return s
}
# Keep a row; the points come when all rows are known.
function keep_row(f) {
	row_line[rows] = f
	row_from[rows] = cell[first]
	row_value[rows] = cell[value]
	if (se && cell[se] != "NA")
		row_se[rows] = abs(cell[se])
	if (!intervals)
		return
	row_to[rows] = cell[to]
	if (theta) {
		row_theta[rows] = cell[theta]
		row_value_from[rows] = cell[value_from]
		row_value_to[rows] = cell[value_to]
	}
	if (cost)
		keep_cost(cost_from && cost_to ? cell[cost_from] ".." cell[cost_to] : \
			cell[cost])
}
# C of an interval: both its ends, or one number, of its middle or of one end.
function keep_cost(s,   number_is, n) {
	number_is = "^[+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?"
	sub(/^[[(]/, "", s)
	if (!match(s, number_is))
		fail("column \"" head[cost] "\": not a number: \047" said(cell[cost]) "\047")
	n = RLENGTH
	cost_low[rows] = number_at(substr(s, 1, n), table ":" start, head[cost])
	s = substr(s, n + 1)
	sub(/^([.][.]+|[-,:; ])+/, "", s)
	if (match(s, number_is))
		cost_high[rows] = number_at(substr(s, 1, RLENGTH), table ":" start,
			head[cost])
}
# C is zero_cost + cost_slope theta.  A single number per interval is C at the first
# of these where it is so: the best of the interval, its middle, its ends.
function find_cost(   at, i, last) {
	last = rows
	if (1 in cost_high) {
		at = cost_high[last] - cost_low[1]
		cost_slope = at / (row_to[last] - row_from[1])
		zero_cost = cost_low[1] - cost_slope * row_from[1]
		return
	}
	for (at = theta ? 0 : 1; at <= 3; at++) {
		if (cost_place(at, last) - cost_place(at, 1) == 0)
			continue
		cost_slope = (cost_low[last] - cost_low[1]) / \
			(cost_place(at, last) - cost_place(at, 1))
		zero_cost = cost_low[1] - cost_slope * cost_place(at, 1)
		for (i = 2; i < last; i++)
			if (abs(zero_cost + cost_slope * cost_place(at, i) - cost_low[i]) > \
				1e-6 * (abs(cost_low[1]) + abs(cost_low[last])))
				break
		if (i >= last)
			return
	}
	# Nothing fits, or there is one interval only.
	parameter = "theta"
	cost = 0
}
function cost_place(at, i) {
	return at == 0 ? row_theta[i] : at == 1 ? (row_from[i] + row_to[i]) / 2 : \
		at == 2 ? row_from[i] : row_to[i]
}
function axis(x) {
	return cost ? zero_cost + cost_slope * x : x
}
# An axis is logarithmic where that spreads what is drawn.
function choose_axis(   i, x, low, high) {
	if (cost)
		find_cost()
	if (ENVIRON["logarithmic"] || ENVIRON["linear"]) {
		log_axis = ENVIRON["logarithmic"]
		return
	}
	if (intervals && !cost || parameter !~ /^(theta|lambda[12]?|sigma|C)$/)
		return
	for (i = 1; i <= rows; i++) {
		x = axis(intervals ? row_to[i] : row_from[i]) + 0
		if (x > 0 && (!low || x < low))
			low = x
		x = intervals && axis(row_from[i]) > x ? axis(row_from[i]) : x
		if (x > high)
			high = x
	}
	if (cost && (x = axis(row_from[1])) > 0 && x < low)
		low = x
	log_axis = high >= 10 * low
}
function has_place(x) {
	return !log_axis || x + 0 > 0
}
# All points, with or without their error.
function add(f, x, y, e) {
	if (!has_place(x)) {
		left_out = 1
		return
	}
	points[f]++
	x_of[f, points[f]] = x
	y_of[f, points[f]] = y
	e_of[f, points[f]] = e
	if (points[f] == 1 || sign * (y - least[f]) < 0)
		least[f] = y
}
function add_rows(   i, k, e) {
	for (k = 1; k <= rows; k++) {
		# In the order of the axis.
		i = cost && cost_slope < 0 ? rows + 1 - k : k
		e = i in row_se ? row_se[i] : ""
		if (intervals)
			add_interval(row_line[i], i, e)
		else
			add(row_line[i], row_from[i], row_value[i], e)
	}
}
function add_interval(f, i, e,   low, high, turn) {
	turn = cost && cost_slope < 0
	low = axis(turn ? row_to[i] : row_from[i])
	high = axis(turn ? row_from[i] : row_to[i])
	if (log_axis && low <= 0)
		low = high / 10
	add(f, low, theta ? (turn ? row_value_to[i] : row_value_from[i]) : row_value[i], e)
	if (theta)
		add(f, axis(row_theta[i]), row_value[i], e)
	add(f, high, theta ? (turn ? row_value_from[i] : row_value_to[i]) : row_value[i], e)
}
function line_of(s) {
	if (!(s in line)) {
		line[s] = ++lines
		label[lines] = s
	}
	return line[s]
}
# Sort a line by its parameter; rows with the same one keep their order.
function sort_line(f,   i, j, x, y, e) {
	for (i = 2; i <= points[f]; i++) {
		x = x_of[f, i]
		y = y_of[f, i]
		e = e_of[f, i]
		for (j = i; j > 1 && x_of[f, j - 1] + 0 > x + 0; j--) {
			x_of[f, j] = x_of[f, j - 1]
			y_of[f, j] = y_of[f, j - 1]
			e_of[f, j] = e_of[f, j - 1]
		}
		x_of[f, j] = x
		y_of[f, j] = y
		e_of[f, j] = e
	}
}
# A line, and where wanted what is a standard error below and above it.
function write_line(f,   i) {
	sort_line(f)
	for (i = 1; i <= points[f]; i++)
		print exact(x_of[f, i]), exact(y_of[f, i]) >"data"
	print "" >"data"
}
function write_errors(f,   i) {
	for (i = 1; i <= points[f]; i++)
		if (e_of[f, i] != "")
			print exact(x_of[f, i]), exact(y_of[f, i]), below(y_of[f, i] - e_of[f, i]),
				y_of[f, i] + e_of[f, i] >"data"
	print "" >"data"
}
# No error is less than 0.
function below(y) {
	return sign > 0 && y < 0 ? 0 : y
}
function has_errors(f,   i) {
	for (i = 1; i <= points[f]; i++)
		if (e_of[f, i] != "")
			return 1
	return 0
}
# As it stands in the table, or what was computed.
function exact(x) {
	return cost ? sprintf("%.17g", x) : x
}
function end_block() {
	print "\n" >"data"
	return blocks++
}
# The lines that come lowest, of equal ones the first; and their places in the
# order of the table.
function choose(most,   f, i, n, low) {
	for (f = 1; f <= lines; f++) {
		if (!points[f])
			continue
		for (i = n < most ? ++n : most + 1;
			i > 1 && sign * (least[low[i - 1]] - least[f]) > 0; i--)
			low[i] = low[i - 1]
		low[i] = f
	}
	for (i = 1; i <= n; i++)
		is_top[low[i]] = 1
}
function short(x) {
	return sprintf("%.4g", x)
}
# Tics at the values themselves where they are few.
function tics(   f, i, n, s, was) {
	for (f = 1; f <= lines && n <= 10; f++)
		for (i = 1; i <= points[f]; i++)
			if (!(x_of[f, i] in was)) {
				was[x_of[f, i]] = 1
				s = s (n++ ? ", " : "") sprintf("%.17g", x_of[f, i])
			}
	if (n <= 10 && !intervals)
		print "set xtics (" s ")"
}
function best_text(   s) {
	s = "best: " legible(parameter) " " short(best_x)
	if (by)
		s = s ", " line_name(best[by])
	if (best_group != "")
		s = s ", " legible(best_group)
	s = s ": " legible(head[value]) " " short(best[value])
	if (se && best[se] != "NA")
		s = s " ± " short(best[se])
	if (wrong)
		s = s " (" legible(best[wrong]) " of " legible(best[count]) ")"
	return s
}
# What the line of this value of the second parameter is called; without one there
# is one line.
function line_name(x) {
	if (intervals && x != "" || by && is_word(x))
		return legible(x)
	return by ? legible(head[by]) " " legible(x) : legible(head[value])
}
function name_lines(   f, n) {
	for (f = 1; f <= lines; f++)
		if (is_top[f])
			text[++n] = line_name(label[f])
	shorten(text, n, key_letters())
	for (f = 1; f <= n; f++)
		if (letters(text[f]) > longest)
			longest = letters(text[f])
}
# x with a shift of some units, so that bars do not hide each other.
function beside(units,   f, i, low, high) {
	low = high = x_of[best_line, 1] + 0
	for (f = 1; f <= lines; f++)
		for (i = 1; i <= points[f]; i++) {
			if (x_of[f, i] + 0 < low)
				low = x_of[f, i] + 0
			if (x_of[f, i] + 0 > high)
				high = x_of[f, i] + 0
		}
	if (low == high || !units)
		return 1
	return sprintf(log_axis ? "($1*(%.9g/%.9g)**%.4f)" : "($1+(%.9g-%.9g)*%.4f)", high,
		low, units / (width(800) * .65))
}
# The lines that have a name, with their errors: of up to three lines, else of the
# one that has the best.
function draw_named(   f, i) {
	for (f = 1; f <= lines; f++) {
		if (!is_top[f])
			continue
		write_line(f)
		i = ++coloured
		line_look[i] = sprintf("lc rgb \"%s\" lw 2 dt %d", colour[i], i % 2 ? 1 : 2)
		mark_look[i] = intervals ? "" : sprintf("pt %d ps .45", mark[(i - 1) % 4 + 1])
		list = list sprintf(", \047data\047 index %d with %s %s %s title %s", end_block(),
			intervals ? "lines" : "linespoints", line_look[i], intervals ? "" : \
			mark_look[i] " pi " int(points[f] / 40) + 1, literal(text[i]))
		if ((named > 3 && f != best_line) || !has_errors(f))
			continue
		shows_errors = 1
		write_errors(f)
		if (intervals)
			under = under sprintf(", \047data\047 index %d using 1:3:4 " \
				"with filledcurves fc rgb \"%s\" notitle", end_block(), pale[(i - 1) % 8 + 1])
		else
			under = under sprintf(", \047data\047 index %d using %s:2:3:4 with " \
				"yerrorbars pt 0 ps 0 lw 1 lc rgb \"%s\" notitle", end_block(),
				beside((i - (named > 3 ? i : (named + 1) / 2)) * 5), colour[i])
	}
}
function write_key(   i) {
	for (i = 1; i <= coloured; i++)
		key_row(line_look[i], intervals ? "" : mark_look[i] " lc rgb \"" colour[i] \
			"\"", text[i])
	if (others)
		key_row("lc rgb \"" grey "\"", "pt 7 ps .25 lc rgb \"" grey "\"", others_text)
	if (has_features)
		key_row("lc rgb \"#888888\" lw 1", "", "features, right")
	if (shows_errors)
		key_row(intervals ? "lw 9 lc rgb \"" pale[1] "\"" : \
			"lw 1 lc rgb \"#555555\"", intervals ? "" : \
			"pt 2 ps .01 lc rgb \"#555555\"", "± standard error")
	if (shows_best)
		key_row("", "pt 6 ps 1.2 lw 2 lc rgb \"black\"", "best")
}
