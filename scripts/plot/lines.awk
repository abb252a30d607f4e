# SPDX-License-Identifier: BSD-2-Clause
# What kith-plot path and error share: lines against a parameter, whose names stand where
# they end.  A kind adds points of lines 1..things in the order of the axis, and defines
# choose(), which finds the `named` lines top[], with names text[], and the ends end[] of
# lines, the axis from x_low to x_high, and whether the other axis begins at 0 (from_0), and
# returns whether there is anything to draw; and decorate(), which sets y_title and what is
# drawn and returns a last element of the plot command.
function add_point(f, x, v, e,   r) {
	r = ++n_points
	if (f in last_of)
		next_of[last_of[f]] = r
	else
		first_of[f] = r
	last_of[f] = r
	point_x[r] = x
	point_y[r] = v
	lower[r] = sign > 0 ? max(v - e, 0) : v - e # no error is below 0
	upper[r] = v + e
	low = low == "" ? lower[r] : min(low, lower[r])
	high = high == "" ? upper[r] : max(high, upper[r])
}
# Writes line f, but no point that is nearer than a third of a dot of a screen to the point
# before; a point of begins_anew[] is not joined to that.  Returns how many points.
function write_line(f,   r, spot, prior, n) {
	for (r = first_of[f]; r; r = next_of[r]) {
		if (n && r in begins_anew) {
			print "" >"data"
			prior = ""
		}
		spot = int(share(point_x[r]) * 1800) " " int((point_y[r] - low) / margin * 40)
		if (spot != prior) {
			print point_x[r], point_y[r], lower[r], upper[r] >"data"
			n++
		}
		prior = spot
	}
	if (n)
		print "" >"data"
	return n
}
# The elements of the plot command: others grey and below, then bars, then named lines, the
# first above the others.
function plot_lines(   f, i, n, list, bands, pale) {
	split("#CCE3F0 #F7DFCC #CCECE3 #F5E4ED #FAECCC #DDF0FB #DDDDDD #E5D8E8", pale, " ")
	for (f = 1; f <= things; f++)
		if (!(f in place))
			write_line(f)
	if (others)
		bands = block("1:2", (share(x_high) ? "lines" : "points pt 7 ps .3") " lw 1" grey)
	for (i = 1; i <= named; i++) {
		n = write_line(top[i])
		list = block("1:2", (intervals ? "lines" : "linespoints ps .45 pi " int(n / 12) + 1) \
			" lw 2.5 lt " i) list
		if (bars)
			bands = bands (intervals ? again("1:3:4", "filledcurves fc rgb \"" pale[i] "\"") : \
				again("1:($3<$4?$2:NaN):3:4", "yerrorbars pt 0 ps 0 lw 1 dt 1 lc " i))
	}
	return bands list
}
# The names at the right, where their lines end but a letter apart, highest first: at
# equal ends a line that becomes 0 later is higher.  The others are at 0.
function write_names(   i, f, n, gap, y, sorted, spot) {
	for (i = 1; i <= named; i++)
		sorted[i] = top[i]
	sort(sorted, named, last_step, -1)
	sort(sorted, named, end, -1)
	n = named + (others > 0)
	gap = min(17 / (page_high - 130), 1.04 / n)
	for (i = n; i; i--) {
		f = i > named ? 0 : place[sorted[i]]
		y = f ? (end[sorted[i]] - low) / (high - low) : 0
		spot = min(i < n ? max(y, spot + gap) : y, 1 - (i - 1) * gap)
		print "set arrow from graph 1.01, graph " spot " rto character 4, 0 nohead lw 2.5" \
			(f ? " lt " f : grey)
		if (f) # A label with a point would stand above its line.
			label("", "graph 1.01, graph " spot, "point ps .45 lt " f)
		label(f ? text[f] : plural(others, "other"), "graph 1.01, graph " spot, \
			"left offset character 5, 0")
	}
}
# The place of x along the axis, from 0 to 1.
function share(x) {
	return x_high == x_low ? 0 : is_log ? log(x / x_low) / log(x_high / x_low) : \
		(x - x_low) / (x_high - x_low)
}
# Texts at the places at[first..last] of the axis: the first, the last, and those that have
# room between them, and are at least a share `gap` apart.
function write_tics(axis, first, last, text, gap,   i, wide, x, free, list) {
	for (i = last; i >= first; i--) {
		wide = max(gap, (letters(text[i]) + 2) * 8 / axis_wide)
		x = share(at[i])
		if (i == first || i == last || x + wide <= free && x >= wide) {
			list = list ", \"" text[i] "\" " at[i]
			free = x
		}
	}
	print "set " axis " (" substr(list, 3) ")"
}
function draw(   wide, list, x_title, decades) {
	if (!rows || !choose())
		fail("nothing to draw")
	wide = max(shorten(text, named, legend), others ? 10 : 1)
	page(900, 540, 90 + wide * 8, 130)
	axis_wide = plot_wide - 40
	x_title = parameter (is_log ? " (logarithmic" (left_out ? "; 0 is left out)" : ")") : "")
	if (is_log) {
		print "set logscale x\nset logscale x2\nset format x \"%g\""
		decades = int(log(x_high / x_low) / log(10) * 56 / axis_wide) + 1 # that have room
		if (decades > 1)
			print "set xtics 1e" decades
	} else
		few_tics(x_low, x_high, axis_wide)
	margin = high > low ? .04 * (high - low) : from_0 ? 1 : .05 * max(abs(low), 1)
	list = plot_lines()
	high += margin
	low = from_0 ? 0 : low - margin
	print "set yrange [" low ":" high "]"
	if (text[1] == "") # One line has no name.
		wide = -6
	else
		write_names()
	picture_title = title
	list = list decorate()
	write_titles(picture_title, x_title, y_title, wide + 10)
	finish(list, what)
}
