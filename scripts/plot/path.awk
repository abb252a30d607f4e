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
	from = ENVIRON["from"]
	to = ENVIRON["to"]
	is_log = ENVIRON["axis"] == "" ? !coef : ENVIRON["axis"] == "log"
}
function read_row(   f, v, x, machine) {
	machine = "\047" $1 "\047" (led > 1 ? " and \047" $2 "\047" : "")
	if (led && rows > 1 && machine != first_machine)
		fail("the machines of " first_machine " and of " machine \
			": give the rows of one (awk?)")
	first_machine = machine
	if (!steps || $(led + 1) != step) {
		step = $(led + 1)
		x = number(led + 2)
		if (steps && x < last_x)
			fail("row " rows ": the parameter falls")
		last_x = x
		at[++steps] = to == "" ? x : from + x * (to - from) # theta becomes C
		count[steps] = 0
	}
	v = number(value_at)
	# A solution without features is one row, NA 0; (bias) has another unit.
	if (coef ? $(led + 3) == "(bias)" : $(led + 3) == "NA" && v == 0)
		return
	f = number_of($(led + 3))
	if ((f, steps) in value)
		fail("row " rows ": \"" substr(name[f], 1, 60) "\" listed twice in a step")
	value[f, steps] = v
	count[steps] += v != 0
	size[f] += abs(v)
	sum[f] += v / (steps + .618) # Tells lines apart whose sizes are equal.
	if (v != 0)
		last_step[f] = steps
	low = min(v, low)
	high = max(v, high)
}
# Of lines that are equal in all steps the first is drawn, others have score -1.  Names have
# those with the largest sum, as share of the largest, plus share of the largest last value.
function choose(   f, key, first, different, largest_sum, largest_end) {
	for (f = 1; f <= things; f++) {
		largest_sum = max(size[f], largest_sum)
		largest_end = max(abs(value[f, steps] + 0), largest_end)
	}
	for (f = 1; f <= things; f++) {
		key = size[f] " " sum[f]
		if (key in first) {
			alike[first[key]]++
			score[f] = -1
			continue
		}
		first[key] = f
		different++
		score[f] = size[f] / (largest_sum + !largest_sum) + \
			abs(value[f, steps] + 0) / (largest_end + !largest_end)
	}
	named = find_top(min(most, different), score)
}
# Writes line f: nothing along 0, and no points that are nearer than a third of a dot of
# a screen to the point before.  Returns how many points.
function write_line(f,   s, v, spot, prior, n) {
	for (s = first_step; s <= steps; s++) {
		v = value[f, s] + 0
		spot = v || s > first_step && value[f, s - 1] || value[f, s + 1] ? \
			int(share(at[s]) * 2500) " " int((v - low) / (high - low) * 1400) : "NaN"
		if (spot != prior || s == steps) {
			print at[s], (spot == "NaN" ? spot : v) >"data"
			n++
		}
		prior = spot
	}
	print "" >"data"
	return n
}
# The elements of the plot command for all lines.  The first names are drawn last, above
# the others; a ring stands where a line becomes 0.
function plot_lines(   i, f, s, list, points, rings) {
	for (f = 1; f <= things; f++)
		if (!(f in place)) {
			others++
			if (score[f] >= 0)
				write_line(f)
		}
	for (i = 1; i <= named; i++)
		others -= alike[top[i]]
	if (others)
		list = block("1:2", (share(at[steps]) ? "lines" : "points pt 7 ps .3") " lw 1" grey)
	for (i = named; i; i--) {
		f = top[i]
		points = write_line(f)
		list = list block("1:2", "linespoints lw 2.5 ps .45 lt " i " pi " int(points / 12) + 1)
		s = last_step[f] + 1
		if (s > 1 && s <= steps && s >= first_step)
			rings = rings at[s] " 0 " i "\n"
	}
	printf "%s", rings >"data"
	return list (rings == "" ? "" : block("1:2:3", "points pt 6 ps .7 lw 1.5 lc variable"))
}
# The names at the right, where their lines end but a letter apart, highest first: at
# equal ends a line that becomes 0 later is higher.  The others are at 0.
function write_names(   i, f, n, gap, y, end, sorted, spot) {
	for (i = 1; i <= named; i++)
		end[sorted[i] = top[i]] = value[top[i], steps] + 0
	sort(sorted, named, last_step, -1)
	sort(sorted, named, end, -1)
	n = named + (others > 0)
	gap = min(17 / (page_high - 130), 1.04 / n)
	for (i = n; i; i--) {
		f = i > named ? 0 : place[sorted[i]]
		y = f ? (end[sorted[i]] - low) / (high - low) : 0
		y = min(max(y, i < n ? spot + gap : y), 1 - (i - 1) * gap)
		spot = y
		print "set arrow from graph 1.01, graph " y " rto character 4, 0 nohead lw 2.5" \
			(f ? " lt " f : grey)
		label(f ? text[f] : plural(others, "other"), "graph 1.01, graph " y, \
			"left offset character 5, 0" (f ? " point ps .45 lt " f : ""))
	}
}
function draw(   i, n, s, wide, list) {
	for (first_step = 1; first_step <= steps && is_log && at[first_step] <= 0; first_step++)
		;
	if (first_step > steps || !things)
		fail("nothing to draw")
	choose()
	for (i = 1; i <= named; i++) {
		n = alike[top[i]]
		text[i] = (coef && name[top[i]] ~ /^[0-9]+$/ ? "row " : "") \
			narrow(name[top[i]], n ? 16 : 26) (n ? " (and " n " equal)" : "")
	}
	wide = max(shorten(text, named, legend), 10)
	page(900, 540, 90 + wide * 8, 130)
	parameter = to == "" ? head[led + 2] : "C"
	x_title = begin_axis(parameter, at[first_step], at[steps], is_log, first_step > 1)
	s = (high - low) * .03
	low -= low < 0 ? s : 0
	high += low == high ? 1 : s
	print "set yrange [" low ":" high "]"
	list = plot_lines()
	if (share(at[steps])) { # Above the plot stands how many lines are not 0.
		s = " [" at[first_step] ":" at[steps] "]"
		print "set xrange" s "\nset x2range" s "\nset x2label \"" \
			(coef ? "rows with alpha not 0" : "features left") "\""
		write_tics("x2tics", first_step, steps, count, at, .12)
	}
	write_names()
	write_titles(title, x_title, coef ? "alpha" : weight_title, wide + 8)
	finish(list, (coef ? "alphas" : "weights") " of " plural(things, coef ? "row" : "feature") \
		" against " parameter)
}
