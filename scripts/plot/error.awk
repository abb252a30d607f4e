# SPDX-License-Identifier: BSD-2-Clause
# kith-plot error: a measure against a parameter, a line for each value of the other
# parameters, or as a function with steps for intervals of wsvmpath; the best is marked.
function begin_table(   i) {
	count = where("n")
	value = where("error rmse mae squared log_loss balanced_accuracy macro_f1 mcc auc r2")
	for (i = 1; i <= columns; i++)
		if (head[i] ~ /^ndcg@[0-9]+$/)
			value = i
	wrong = where("errors")
	se = where("se")
	from = where("theta_from from")
	to = where("theta_to to")
	intervals = from && to == from + 1 && count == to + 1
	if (!count || value < count || count < 2)
		fail_kind("a table of errors: columns PARAMETER... n error (or another measure)")
	sign = head[value] ~ /^(ndcg@|balanced_accuracy|macro_f1|mcc|auc|r2$)/ ? -1 : 1
	measure = legible(head[value])
	# Squared errors fall and rise again in an interval; the column place has their least.
	value_from = where("rmse_from")
	value_to = where("rmse_to")
	place = intervals ? where("C theta") : 0
	parameters = intervals ? from - 1 : count - 1
}
function read_row(   i, falls) {
	if (cell[value] == "NA") # A combination that failed.
		return
	row_of[++n_rows] = rows
	for (i = 1; i <= parameters; i++) {
		key[n_rows, i] = cell[i]
		varies[i] += key[1, i] != cell[i]
	}
	y[n_rows] = y_from[n_rows] = y_to[n_rows] = number(value)
	error[n_rows] = se && cell[se] != "NA" ? abs(number(se)) : -1
	wrong_text[n_rows] = wrong ? " (" number(wrong) " of " legible(cell[count]) ")" : ""
	if (!intervals)
		return
	falls = number(to) < number(from) # C falls along the path
	x_from[n_rows] = number(falls ? to : from)
	x_to[n_rows] = number(falls ? from : to)
	x[n_rows] = place ? number(place) : (x_from[n_rows] + x_to[n_rows]) / 2
	if (value_from) {
		y_from[n_rows] = number(falls ? value_to : value_from)
		y_to[n_rows] = number(falls ? value_from : value_to)
	}
}
# The parameter along the axis: of intervals C or theta; of others the first parameter that
# varies.  Each value of the others is a line.
function find_lines(   i, r, s) {
	for (axis = 1; axis <= parameters && !varies[axis]; axis++)
		;
	axis = intervals ? 0 : axis > parameters ? 1 : axis
	parameter = intervals ? (head[from] == "from" ? "C" : "theta") : legible(head[axis])
	for (r = 1; r <= n_rows; r++) {
		s = ""
		for (i = 1; i <= parameters; i++)
			if (i != axis && varies[i])
				s = s (s == "" ? "" : ", ") (is_number(key[r, i]) && !intervals ? \
					head[i] " " : "") key[r, i]
		line_of[r] = number_of(s == "" ? measure : s)
		if (!intervals) {
			rows = row_of[r]
			cell[axis] = key[r, axis]
			x[r] = x_from[r] = x_to[r] = number(axis)
		}
	}
}
# Sorts the rows along the axis: sorted[1..placed]; rows without a place are left out.  A
# logarithmic axis is for values above 0 that spread over a factor of 10; a value 0 of
# theta, lambda, sigma, gamma or C does not matter.
function lay_out_axis(   r, x0, low, high, has_zero) {
	for (r = 1; r <= n_rows; r++) {
		x0 = x_from[r] > 0 ? x_from[r] : x_to[r]
		if (x0 > 0 && (!low || x0 < low))
			low = x0
		high = max(x_to[r], high)
		has_zero += x[r] <= 0
	}
	log_axis = ENVIRON["axis"] != "" ? ENVIRON["axis"] == "log" : low > 0 && high >= 10 * low && \
		(intervals ? parameter == "C" : \
		!has_zero || parameter ~ /^(theta|lambda[12]?|sigma|gamma|C)$/)
	for (r = 1; r <= n_rows; r++) {
		if (log_axis && x_to[r] <= 0)
			continue
		if (log_axis && x_from[r] <= 0)
			x_from[r] = x_to[r] / 10
		sorted[++placed] = r
	}
	sort(sorted, placed, x_from, 1)
}
# Whether row r is better than row b: less error, then a smaller k, then a smaller
# parameter; of intervals the widest.
function is_better(r, b,   i) {
	if (y[r] != y[b])
		return sign * (y[r] - y[b]) < 0
	if (intervals)
		return x_to[r] - x_from[r] > x_to[b] - x_from[b]
	for (i = 1; i <= parameters; i++)
		if (head[i] == "k" && key[r, i] != key[b, i])
			return key[r, i] + 0 < key[b, i] + 0
	return x[r] < x[b]
}
# Writes a point of row r, and its bar of one standard error below and above, if it has one.
function write_value(at, v, r,   has_bar, e, low) {
	has_bar = has_bars && error[r] >= 0
	e = has_bar ? error[r] : 0
	low = has_bar && sign > 0 ? max(v - e, 0) : v - e
	highest = written && highest > v + e ? highest : v + e
	lowest = written++ && lowest < low ? lowest : low
	printf "%.17g %.17g " (has_bar ? "%.17g %.17g\n" : "NaN NaN\n"), at, v, low, v + e >"data"
	bars += has_bar
}
# The plot commands of lines, in their order: others grey and below, named ones above.
function plot_lines(   f, i, j, r, n_named, is_top, top, list, under, pale, s) {
	split("#CCE3F0 #F7DFCC #CCECE3 #F5E4ED #FAECCC #DDF0FB #DDDDDD #E5D8E8", pale, " ")
	n_named = find_top(things, most, reach, top, is_top)
	for (f = 1; f <= things; f++)
		if (f in is_top)
			text[++i] = name[f]
	text_wide = shorten(text, n_named, letters_of_legend())
	for (f = 1; f <= things; f++) {
		# Errors of up to three lines, else of the line with the best.
		has_bars = (f in is_top) && (n_named <= 3 || f == line_of[best])
		bars = 0
		for (j = 1; j <= placed; j++) {
			r = sorted[j]
			if (line_of[r] != f)
				continue
			write_value(x_from[r], y_from[r], r)
			if (value_from && x[r] > x_from[r] && x[r] < x_to[r])
				write_value(x[r], y[r], r)
			if (intervals)
				write_value(x_to[r], y_to[r], r)
		}
		if (!(f in is_top)) {
			under = under block("1:2", "lines" rgb(grey),
				others++ ? "" : plural(things - n_named, "other"))
			continue
		}
		named++
		list = list block("1:2", (intervals ? "lines" : "linespoints" mark_look(named) \
			"ps .45") line_look(named), text[named])
		s = error_lines ? "" : "± standard error"
		error_lines += bars > 0
		if (bars)
			under = under (intervals ? \
				again("1:3:4", "filledcurves fc rgb \"" pale[named] "\"", s) : \
				again("1:2:3:4", "yerrorbars pt 0 ps 0 lw 1" rgb(colour[named]), s))
	}
	return under list
}
function draw(   i, r, list, from_0, s, ticks, is_tick) {
	if (n_rows) {
		find_lines()
		lay_out_axis()
	}
	if (!placed)
		fail("nothing to draw")
	for (r = best = 1; r <= n_rows; r++)
		best = is_better(r, best) ? r : best
	# A tick for each value along the axis, where they are few; reach[] is the best of a line.
	for (i = 1; i <= placed; i++) {
		r = sorted[i]
		if (!(line_of[r] in reach) || -sign * y[r] > reach[line_of[r]])
			reach[line_of[r]] = -sign * y[r]
		if (!(x[r] in is_tick) && ++ticks <= 10)
			s = s (ticks > 1 ? ", " : "") sprintf("%.17g", x[r])
		is_tick[x[r]] = 1
	}
	if (ticks <= 10 && !intervals)
		print "set xtics (" s ")"
	list = plot_lines()
	page(900, 560, 100 + max(text_wide, 17) * 8, 110)
	if (!log_axis || x[best] > 0) {
		write_point(x[best], y[best])
		list = list block("1:2", "points pt 6 ps 1.2 lw 2" rgb("black"), "best")
	}
	# The axis of errors begins at 0, unless all errors are near each other.
	from_0 = sign > 0 && lowest >= 0 && (lowest < .7 * highest || highest == 0)
	s = highest > lowest ? .05 * (highest - lowest) : .05
	printf "set yrange [%.9g:%.9g]\n", from_0 ? 0 : lowest - s,
		(highest > 0 || !from_0 ? highest + s : 1)
	print "set autoscale xfix\nset offsets graph .02, graph .02, 0, 0"
	print "set key outside right top Left reverse samplen 2 spacing 1.1 width -1"
	s = "best: " parameter " " sprintf("%.4g", x[best]) \
		(things > 1 ? ", " legible(name[line_of[best]]) : "") ": " measure " " \
		sprintf("%.4g", y[best]) (error[best] < 0 ? "" : " ± " sprintf("%.4g", error[best])) \
		wrong_text[best]
	write_titles((title == "" ? "" : title ", ") s,
		begin_axis(parameter, log_axis, placed < n_rows),
		measure (from_0 || sign < 0 ? "" : " (the axis does not begin at 0)"))
	finish(list, measure " against " parameter "; " s)
}
