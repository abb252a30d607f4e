# SPDX-License-Identifier: BSD-2-Clause
# kith-plot path: each weight (or coefficient alpha) against the parameter, as a line.
# A step without a row of a feature has its weight 0.  The names of lines stand at the
# right, in the order in which the lines end there.
function begin_table() {
	led = where("class1") == 1 && where("class2") == 2 ? 2 : where("class") == 1
	coef = head[led + 3] == "name"
	value_at = coef ? where("value") : weight_column()
	if (where("step") != led + 1 || !coef && head[led + 3] != "feature" || value_at < led + 4)
		fail_kind("a path: columns step PARAMETER feature weight")
	parameter = ENVIRON["to"] == "" ? legible(head[led + 2]) : "C"
}
function read_row(   f, v, machine) {
	machine = "\047" cell[1] "\047" (led > 1 ? " and \047" cell[2] "\047" : "")
	if (led && rows > 1 && machine != first_machine)
		fail("the machines of " first_machine " and of " machine \
			": give the rows of one (awk?)")
	first_machine = machine
	if (!steps || cell[led + 1] != step) {
		step = cell[led + 1]
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
		fail("row " rows ": \"" substr(name[f], 1, 60) "\" listed twice in a step")
	value[f, steps] = v
	count[steps] += v != 0
	size[f] += abs(v)
	sum[f] += v * (1 + steps % 89 / 97) # Tells lines apart whose other sums are equal.
	if (v != 0)
		last_step[f] = steps
	low = min(v, low)
	high = max(v, high)
}
function value_of(f, s) {
	return (f, s) in value ? value[f, s] : 0
}
# Of lines that are equal in all steps the first is drawn, others have score -1.  Names have
# those with the largest sum, as share of the largest, plus share of the largest last value.
function choose(   f, key, first, different, largest_sum, largest_end) {
	for (f = 1; f <= things; f++) {
		largest_sum = max(size[f], largest_sum)
		largest_end = max(abs(value_of(f, steps)), largest_end)
	}
	for (f = 1; f <= things; f++) {
		key = size[f] " " sum[f] " " value_of(f, steps) " " last_step[f]
		if (key in first) {
			alike[first[key]]++
			score[f] = -1
			continue
		}
		first[key] = f
		different++
		score[f] = size[f] / (largest_sum > 0 ? largest_sum : 1) + \
			abs(value_of(f, steps)) / (largest_end > 0 ? largest_end : 1)
	}
	named = find_top(things, min(most, different), score, line, place)
}
# The place of a step along the axis, from 0 to 1.
function share(s) {
	return at[steps] == at[first_step] ? 0 : !log_axis ? \
		(at[s] - at[first_step]) / (at[steps] - at[first_step]) : \
		log(at[s] / at[first_step]) / log(at[steps] / at[first_step])
}
# Writes line f: nothing along 0, and no points that are nearer than a third of a dot of
# a screen to the point before.  Returns how many points.
function write_line(f,   s, v, prior, is_drawn, x, y, n) {
	for (s = first_step; s <= steps; s++) {
		v = value_of(f, s)
		if (v == 0 && prior == 0 && value_of(f, s + 1) == 0) {
			if (is_drawn)
				print "" >"data"
			is_drawn = 0
		} else if (!is_drawn || v == 0 || s == steps || share(s) - x > .0004 || \
			abs(v - y) > .0007 * (high - low)) {
			write_point(at[s], v)
			is_drawn = 1
			n++
			x = share(s)
			y = v
		}
		prior = v
	}
	if (is_drawn)
		print "" >"data"
	return n
}
# The elements of the plot command for all lines.  The first names are drawn last, above
# the others; a ring stands where a line becomes 0.
function plot_lines(   i, f, s, list, points) {
	for (f = 1; f <= things; f++) {
		others += !(f in place)
		if (!(f in place) && score[f] >= 0)
			write_line(f)
	}
	for (i = 1; i <= named; i++)
		others -= alike[line[i]]
	if (others)
		list = block("1:2", (share(steps) ? "lines" : "points pt 7 ps .3") " lw 1" rgb(grey))
	for (i = named; i; i--) {
		f = line[i]
		points = write_line(f)
		list = list block("1:2", "linespoints" line_look(i) mark_look(i) "ps .45 pi " \
			int(points / 12) + 1)
		s = last_step[f] + 1
		if (s > 1 && s <= steps && s >= first_step) {
			write_point(at[s], 0)
			list = list block("1:2", "points pt 6 ps .7 lw 1.5" rgb(colour[i]))
		}
	}
	return list
}
# Above the plot, how many lines are not 0 at steps that have room for a number.
function write_counts(   s, gap, next_share) {
	gap = paper_wide < 600 ? .3 : .12
	for (s = first_step; s <= steps; s++)
		if (s == steps || share(s) >= next_share && share(s) <= 1 - gap) {
			label(count[s] + 0, sprintf("first %.17g, graph 1", at[s]), "center offset 0, .8")
			next_share = share(s) + gap
		}
	label(coef ? "rows with alpha not 0" : "features left", "graph .5, graph 1",
		"center offset 0, 2")
}
# The names at the right, where their lines end but a letter apart, highest first: at
# equal ends a line that becomes 0 later is higher.  The others are at 0.
function write_names(   i, f, n, gap, y, end, sorted, spot) {
	for (i = 1; i <= named; i++)
		end[sorted[i] = line[i]] = value_of(line[i], steps)
	sort(sorted, named, last_step, -1)
	sort(sorted, named, end, -1)
	n = named + (others > 0)
	gap = min(17 / (paper_high - 130), 1.04 / n)
	for (i = n; i; i--) {
		y[i] = i > named ? 0 : (end[sorted[i]] - low) / (high - low)
		y[i] = i < n ? max(y[i], y[i + 1] + gap) : y[i]
	}
	for (i = 1; i <= n; i++) {
		y[i] = min(y[i], i > 1 ? y[i - 1] - gap : 1)
		f = i > named ? 0 : place[sorted[i]]
		spot = sprintf("graph 1.01, graph %.4f", y[i])
		print "set arrow from " spot " rto character 4, 0 nohead" (f ? line_look(f) : rgb(grey))
		label(f ? text[f] : plural(others, "other"), spot, "left offset character 5, 0" \
			(f ? " point" mark_look(f) "ps .45" rgb(colour[f]) : ""))
	}
}
function draw(   i, s, wide, list) {
	for (s = 1; s <= steps && ENVIRON["to"] != ""; s++) # theta becomes C
		at[s] = ENVIRON["from"] + at[s] * (ENVIRON["to"] - ENVIRON["from"])
	log_axis = ENVIRON["axis"] == "" ? !coef : ENVIRON["axis"] == "log"
	for (first_step = 1; first_step <= steps && log_axis && at[first_step] <= 0; first_step++)
		;
	if (first_step > steps || !things)
		fail("nothing to draw")
	choose()
	list = plot_lines()
	for (i = 1; i <= named; i++) {
		s = alike[line[i]]
		text[i] = (coef && name[line[i]] ~ /^[0-9]+$/ ? "row " : "") \
			narrow(legible(name[line[i]]), s ? 16 : 26) (s ? " (and " s " equal)" : "")
	}
	wide = max(shorten(text, named, letters_of_legend()), 10)
	page(900, 540, 90 + wide * 8, 130)
	high = low == high ? low + 1 : high
	i = (high - low) * .03
	low -= low < 0 ? i : 0
	high += i
	printf "set yrange [%.9g:%.9g]\nset rmargin %d\n", low, high, wide + 7
	if (share(steps)) {
		printf "set xrange [%.17g:%.17g]\n", at[first_step], at[steps]
		write_counts()
		print "set tmargin " (title == "" ? 3 : 5) "\nset title offset 0, 2"
	}
	write_names()
	write_titles(title, begin_axis(parameter, log_axis, first_step > 1),
		coef ? "alpha" : weight_name(head[value_at]))
	finish(list, (coef ? "alphas" : "weights") " of " plural(things, coef ? "row" : "feature") \
		" against " parameter)
}
