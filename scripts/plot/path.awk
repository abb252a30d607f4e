# SPDX-License-Identifier: BSD-2-Clause
# kith-plot path: each weight (or coefficient alpha) against the parameter, as a line.
# A step without a row of a feature has its weight 0.  The names of lines stand at the
# right, in the order in which the lines end there.
function begin_table() {
	led = where("class1") == 1 && where("class2") == 2 ? 2 : where("class") == 1
	coef = head[led + 3] == "name"
	value_at = where(coef ? "value" : "scaled_weight weight weight_abs")
	if (where("step") != led + 1 || !coef && head[led + 3] != "feature" || value_at < led + 4)
		fail_kind("a path: columns step PARAMETER feature weight expected")
	parameter = ENVIRON["to"] == "" ? legible(head[led + 2]) : "C"
	value_name = coef ? "alpha" : weight_name(head[value_at])
}
function read_row(   f, v, machine) {
	machine = "\047" cell[1] "\047" (led > 1 ? " and \047" cell[2] "\047" : "")
	if (led && rows > 1 && machine != first_machine)
		fail("the machines of " first_machine " and of " machine ": give the rows of one (awk?)")
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
	if (!(cell[led + 3] in line_of)) {
		line_of[cell[led + 3]] = ++lines
		name[lines] = cell[led + 3]
	}
	f = line_of[cell[led + 3]]
	if ((f, steps) in value)
		fail("row " rows ": \"" cut(name[f], 60) "\" listed twice in a step")
	value[f, steps] = v
	count[steps] += v != 0
	size[f] += abs(v)
	sum[f] += v * (1 + steps % 89 / 97) # Tells lines apart whose other sums are equal.
	if (v != 0)
		last_step[f] = steps
	low = v < low ? v : low
	high = v > high ? v : high
}
# Names up to `most` of the lines that differ: in turn the one with the largest sum and
# the one with the largest last value.
function choose(   f, i, k, key, first, top, final) {
	for (f = 1; f <= lines; f++) {
		end[f] = abs(value[f, steps] + 0)
		key = size[f] " " sum[f] " " end[f] " " last_step[f]
		if (key in first) {
			alike[first[key]]++
			continue
		}
		first[key] = f
		order[++different] = f
		insert(top, different - 1, different, f, size)
		insert(final, different - 1, different, f, end)
	}
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
# a screen to the one before.
function write_line(f,   s, v, prior, pen, x, y, n) {
	for (s = first_step; s <= steps; s++) {
		v = value[f, s] + 0
		if (v == 0 && prior == 0 && (s == steps || value[f, s + 1] + 0 == 0)) {
			pen = pen ? end_line() : 0
			continue
		}
		if (!pen || v == 0 || s == steps || abs(share[s] - x) > .0004 || \
			abs(v - y) > .0007 * (high - low)) {
			pen = printf_point(s, v)
			x = share[s]
			n++
			y = v
		}
		prior = v
	}
	if (pen)
		end_line()
	return n
}
function printf_point(s, v) {
	printf "%.17g %.17g\n", at[s], v >"data"
	return 1
}
function end_line() {
	print "" >"data"
	return 0
}
# The counts of what is not 0 at the first step behind each eighth of the axis.
function write_counts(   s, i, x, list, n) {
	n = paper_wide < 600 ? 3 : 8
	for (i = 0; i <= n; i++) {
		x = log_axis ? at[first_step] * exp(log(at[steps] / at[first_step]) * i / n) : \
			at[first_step] + (at[steps] - at[first_step]) * i / n
		x = i == n ? at[steps] : x
		for (s = s ? s : first_step; s < steps && at[s + 1] <= x * (1 + 1e-9); s++)
			;
		list = list sprintf("%s\047%d\047 %.17g", i ? ", " : "", count[s], x)
	}
	printf "set x2range [%.17g:%.17g]\nset x2tics (%s) scale 0\nset x2label \047%s\047 offset 0, -.2\n",
		at[first_step], at[steps], list, coef ? "rows with alpha not 0" : "features left"
}
# The names at the right, where their lines end but a letter apart, highest first.
function write_names(   i, j, f, y, gap, sorted, n) {
	for (i = 1; i <= named; i++) {
		f = line[i]
		for (j = i; j > 1 && ends_below(sorted[j - 1], f); j--)
			sorted[j] = sorted[j - 1]
		sorted[j] = f
	}
	n = named + (others > 0)
	gap = 17 / (paper_high - 130)
	gap = n * gap > 1.04 ? 1.04 / n : gap
	for (i = n; i; i--) {
		y[i] = i > named ? 0 : (value[sorted[i], steps] - low) / (high - low)
		y[i] = i < n && y[i] < y[i + 1] + gap ? y[i + 1] + gap : y[i]
	}
	for (i = 1; i <= n; i++) {
		y[i] = y[i] > (i > 1 ? y[i - 1] - gap : 1) ? (i > 1 ? y[i - 1] - gap : 1) : y[i]
		j = i > named ? 0 : place[sorted[i]]
		printf "set arrow from graph 1.01, graph %.4f rto character 4, 0 nohead %s\n", y[i],
			j ? line_look(j) : "lc rgb \"" grey "\""
		if (j)
			label("", sprintf("graph 1.01, graph %.4f", y[i]), "point " mark_look(j) \
				" lc rgb \"" colour[j] "\"")
		label(j ? text[j] : plural(others, "other"), sprintf("graph 1.01, graph %.4f", y[i]),
			"left offset character 5, 0")
	}
}
# Whether line f ends below line g: at a smaller value, or both at 0 and f earlier.
function ends_below(f, g,   d) {
	d = value[f, steps] - value[g, steps]
	return d < 0 || d == 0 && last_step[f] < last_step[g]
}
function draw(   i, f, s, wide, list) {
	for (s = 1; s <= steps && ENVIRON["to"] != ""; s++)
		at[s] = ENVIRON["from"] + at[s] * (ENVIRON["to"] - ENVIRON["from"])
	log_axis = ENVIRON["axis"] == "" ? !coef : ENVIRON["axis"] == "log"
	for (first_step = 1; first_step <= steps && log_axis && at[first_step] <= 0; first_step++)
		;
	if (first_step > steps || !lines)
		fail("nothing to draw")
	for (s = first_step; s <= steps && at[steps] > at[first_step]; s++)
		share[s] = log_axis ? log(at[s] / at[first_step]) / log(at[steps] / at[first_step]) : \
			(at[s] - at[first_step]) / (at[steps] - at[first_step])
	choose()
	for (i = 1; i <= different; i++)
		if (!(order[i] in place)) {
			others += 1 + alike[order[i]]
			write_line(order[i])
		}
	s = at[steps] > at[first_step]
	if (others)
		list = block("", (s ? "lines" : "points pt 7 ps .3") " lw 1 lc rgb \"" grey "\"")
	for (i = 1; i <= named; i++)
		text[i] = (coef && name[line[i]] ~ /^[0-9]+$/ ? "row " : "") \
			narrow(legible(name[line[i]]), alike[line[i]] ? 16 : 26) \
			(alike[line[i]] ? " (and " alike[line[i]] " equal)" : "")
	wide = shorten(text, named, is_fixed && fixed[1] / unit < 460 ? int(fixed[1] / unit / 20) : 32)
	wide = wide < 10 ? 10 : wide
	# The first names are drawn last, above the others; a ring where a line becomes 0.
	for (i = named; i; i--) {
		points = write_line(line[i])
		list = list block("", "linespoints " line_look(i) " " mark_look(i) " pi " int(points / 12) + 1)
		if (last_step[line[i]] && last_step[line[i]] < steps && last_step[line[i]] + 1 >= first_step) {
			printf_point(last_step[line[i]] + 1, 0)
			list = list block("", "points pt 6 ps .7 lw 1.5 lc rgb \"" colour[i] "\"")
		}
	}
	page(900, 540, 90 + wide * 8, 130)
	high = low == high ? low + 1 : high
	f = (high - low) * .03
	low -= low < 0 ? f : 0
	high += f
	printf "set yrange [%.9g:%.9g]\nset grid ytics lc rgb \"#DDDDDD\"\nset rmargin %d\n", low, high, wide + 7
	if (log_axis)
		print "set logscale x\nset logscale x2\nset format x \"%g\""
	if (s) {
		printf "set xrange [%.17g:%.17g]\n", at[first_step], at[steps]
		write_counts()
	}
	write_names()
	print "set title " heading(title) "\nset ylabel " literal(value_name) "\nset xlabel " \
		literal(parameter (log_axis ? " (logarithmic" (first_step > 1 ? "; 0 is left out)" : ")") : ""))
	finish(list, (coef ? "alphas of " plural(lines, "row") : "weights of " plural(lines, "feature")) \
		" against " parameter)
}
