# SPDX-License-Identifier: BSD-2-Clause
# kith-plot path: each weight (or coefficient alpha) against the parameter, as a line.
# A step without a row of a feature has its weight 0.  The names of lines stand at the
# right, in the order in which the lines end there.
function begin_table() {
	led = where("class1") == 1 && where("class2") == 2 ? 2 : where("class") == 1
	coef = head[led + 3] == "name"
	value_at = coef ? where("value") : weight_column()
	if (where("step") != led + 1 || !coef && head[led + 3] != "feature" || value_at < led + 4)
		fail_kind("a path: columns step PARAMETER feature weight expected")
	parameter = ENVIRON["to"] == "" ? legible(head[led + 2]) : "C"
	value_name = coef ? "alpha" : weight_name(head[value_at])
}
function read_row(   f, v, machine) {
	machine = "\047" cell[1] "\047" (led > 1 ? " and \047" cell[2] "\047" : "")
	if (led && rows > 1 && machine != first_machine)
		fail("the machines of " first_machine " and of " machine \
			": give the rows of one (awk?)")
	first_machine = machine
	if (!steps || cell[led + 1] "" != step) {
		step = cell[led + 1] ""
		at[++steps] = number(led + 2)
		if (steps > 1 && at[steps] < at[steps - 1])
			fail("row " rows ": the parameter falls")
	}
	v = number(value_at)
	# A solution without features is one row, NA 0; (bias) has another unit.
	if (coef ? cell[3 + led] == "(bias)" : cell[3 + led] == "NA" && v == 0)
		return
	f = number_of(cell[led + 3])
	if ((f, steps) in value)
		fail("row " rows ": \"" cut(name[f], 60) "\" listed twice in a step")
	value[f, steps] = v
	count[steps] += v != 0
	size[f] += abs(v)
	sum[f] += v * (1 + steps % 89 / 97) # Tells lines apart whose other sums are equal.
	if (v != 0)
		last_step[f] = steps
	low = min(v, low)
	high = max(v, high)
}
# Names up to `most` of the lines that differ: in turn the one with the largest sum and
# the one with the largest last value.
function choose(   f, i, k, key, first, top, final, is_top) {
	for (f = 1; f <= things; f++) {
		end[f] = abs(value[f, steps] + 0)
		key = size[f] " " sum[f] " " end[f] " " last_step[f]
		if (key in first)
			alike[first[key]]++
		else
			order[++different] = first[key] = f
	}
	find_top(order, different, different, size, top, is_top)
	find_top(order, different, different, end, final, is_top)
	for (k = 1; k <= different; k++)
		for (i = 0; i < 2; i++) {
			f = i ? final[k] : top[k]
			if (named < most && !(f in place) && !(i && end[f] == 0)) {
				line[++named] = f
				place[f] = named
			}
		}
}
# Writes line f: nothing along 0, and no points that are nearer than a third of a dot of
# a screen to the point before.  Returns how many points.
function write_line(f,   s, v, prior, is_drawn, x, y, n) {
	for (s = first_step; s <= steps; s++) {
		v = value[f, s] + 0
		if (v == 0 && prior == 0 && (s == steps || value[f, s + 1] + 0 == 0)) {
			if (is_drawn)
				print "" >"data"
			is_drawn = 0
			continue
		}
		if (!is_drawn || v == 0 || s == steps || abs(share[s] - x) > .0004 || \
			abs(v - y) > .0007 * (high - low)) {
			write_point(at[s], v)
			is_drawn = 1
			n++
			x = share[s]
			y = v
		}
		prior = v
	}
	if (is_drawn)
		print "" >"data"
	return n
}
# The counts of what is not 0 at the first step behind each eighth of the axis.
function write_counts(   s, i, x, list, n) {
	n = paper_wide < 600 ? 3 : 8
	s = first_step
	for (i = 0; i <= n; i++) {
		x = log_axis ? at[first_step] * exp(log(at[steps] / at[first_step]) * i / n) : \
			at[first_step] + (at[steps] - at[first_step]) * i / n
		x = i == n ? at[steps] : x
		while (s < steps && at[s + 1] <= x * (1 + 1e-9))
			s++
		list = list sprintf("%s\047%d\047 %.17g", i ? ", " : "", count[s], x)
	}
	printf "set x2range [%.17g:%.17g]\n", at[first_step], at[steps]
	print "set x2tics (" list ") scale 0"
	print "set x2label \"" (coef ? "rows with alpha not 0" : "features left") "\" offset 0, -.2"
	if (log_axis)
		print "set logscale x2"
}
# The names at the right, where their lines end but a letter apart, highest first: at
# equal ends a line that becomes 0 later is higher.
function write_names(   i, j, n, gap, y, below, before, sorted, spot) {
	for (i = 1; i <= named; i++) {
		sorted[i] = line[i]
		below[line[i]] = -value[line[i], steps]
		before[line[i]] = -last_step[line[i]]
	}
	sort(sorted, named, before)
	sort(sorted, named, below)
	n = named + (others > 0)
	gap = 17 / (paper_high - 130)
	gap = n * gap > 1.04 ? 1.04 / n : gap
	for (i = n; i; i--) {
		y[i] = i > named ? 0 : (-below[sorted[i]] - low) / (high - low)
		y[i] = i < n ? max(y[i], y[i + 1] + gap) : y[i]
	}
	for (i = 1; i <= n; i++) {
		y[i] = min(y[i], i > 1 ? y[i - 1] - gap : 1)
		j = i > named ? 0 : place[sorted[i]]
		spot = sprintf("graph 1.01, graph %.4f", y[i])
		print "set arrow from " spot " rto character 4, 0 nohead" \
			(j ? line_look(j) : rgb(grey))
		if (j)
			label("", spot, "point " mark_look(j) "ps .45" rgb(colour[j]))
		label(j ? text[j] : plural(others, "other"), spot, "left offset character 5, 0")
	}
}
# Turns theta to C, and places the steps along the axis: share[] is from 0 to 1.
function lay_out_steps(   s, is_log) {
	for (s = 1; s <= steps && ENVIRON["to"] != ""; s++)
		at[s] = ENVIRON["from"] + at[s] * (ENVIRON["to"] - ENVIRON["from"])
	log_axis = ENVIRON["axis"] == "" ? !coef : ENVIRON["axis"] == "log"
	for (first_step = 1; first_step <= steps && log_axis && at[first_step] <= 0; first_step++)
		;
	if (first_step > steps || !things)
		fail("nothing to draw")
	for (s = first_step; s <= steps && at[steps] > at[first_step]; s++)
		share[s] = log_axis ? \
			log(at[s] / at[first_step]) / log(at[steps] / at[first_step]) : \
			(at[s] - at[first_step]) / (at[steps] - at[first_step])
}
# The elements of the plot command for all lines.  The first names are drawn last, above
# the others; a ring stands where a line becomes 0.
function plot_lines(   i, f, list, points) {
	for (i = 1; i <= different; i++)
		if (!(order[i] in place)) {
			others += 1 + alike[order[i]]
			write_line(order[i])
		}
	if (others)
		list = block("", (at[steps] > at[first_step] ? "lines" : "points pt 7 ps .3") \
			" lw 1" rgb(grey))
	for (i = named; i; i--) {
		f = line[i]
		points = write_line(f)
		list = list block("", "linespoints" line_look(i) " " mark_look(i) "ps .45 pi " \
			int(points / 12) + 1)
		if (last_step[f] && last_step[f] < steps && last_step[f] + 1 >= first_step) {
			write_point(at[last_step[f] + 1], 0)
			list = list block("", "points pt 6 ps .7 lw 1.5" rgb(colour[i]))
		}
	}
	return list
}
function draw(   i, f, wide, list) {
	lay_out_steps()
	choose()
	list = plot_lines()
	for (i = 1; i <= named; i++) {
		f = line[i]
		text[i] = (coef && name[f] ~ /^[0-9]+$/ ? "row " : "") narrow(legible(name[f]), \
			alike[f] ? 16 : 26) (alike[f] ? " (and " alike[f] " equal)" : "")
	}
	wide = max(shorten(text, named, letters_of_legend()), 10)
	page(900, 540, 90 + wide * 8, 130)
	high = low == high ? low + 1 : high
	i = (high - low) * .03
	low -= low < 0 ? i : 0
	high += i
	printf "set yrange [%.9g:%.9g]\nset rmargin %d\n", low, high, wide + 7
	print "set grid ytics" rgb("#DDDDDD")
	if (at[steps] > at[first_step]) {
		printf "set xrange [%.17g:%.17g]\n", at[first_step], at[steps]
		write_counts()
	}
	write_names()
	write_titles(title, begin_axis(parameter, log_axis, first_step > 1), value_name)
	finish(list, (coef ? "alphas" : "weights") " of " plural(things, coef ? "row" : "feature") \
		" against " parameter)
}
