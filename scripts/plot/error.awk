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
	measure = head[value]
	# Squared errors fall and rise again in an interval; the column middle has their least.
	value_from = where("rmse_from") ? where("rmse_from") : value
	value_to = where("rmse_to") ? where("rmse_to") : value
	middle = intervals ? where("C theta") : 0
	parameters = intervals ? from - 1 : count - 1
	k = where("k") <= parameters ? where("k") : 0
}
function read_row(   i) {
	if ($value == "NA") # A combination that failed.
		return
	row[rows] = $0
	for (i = 1; i <= parameters; i++) {
		if (!n)
			first[i] = $i ""
		varies[i] += $i "" != first[i]
	}
	n++
}
# The parameter along the axis is C or theta for intervals, which have two ends and a place
# between them; of others the first that varies.  Each value of the others is a line.
function read_points(   i, s, last, falls) {
	for (i = 1; i <= parameters && !varies[i]; i++)
		;
	if (!intervals)
		from = to = middle = i > parameters ? 1 : i
	parameter = !intervals ? head[from] : head[from] == "from" ? "C" : "theta"
	last = rows
	n = 0
	for (rows = 1; rows <= last; rows++) {
		if (!(rows in row))
			continue
		$0 = row[rows]
		n++
		s = ""
		for (i = 1; i <= parameters; i++)
			if (i != from && varies[i])
				s = s (s == "" ? "" : ", ") (is_number($i) ? head[i] " " : "") $i
		line_of[n] = number_of(s == "" ? measure : s)
		falls = number(to) < number(from) # C falls along the path
		x_from[n] = number(falls ? to : from)
		x_to[n] = number(falls ? from : to)
		x[n] = middle ? number(middle) : (x_from[n] + x_to[n]) / 2
		wide[n] = x_to[n] - x_from[n]
		y_from[n] = number(falls ? value_to : value_from)
		y_to[n] = number(falls ? value_from : value_to)
		y[n] = number(value)
		least_k[n] = k ? $k + 0 : 0
		error[n] = se && $se != "NA" ? abs(number(se)) : -1
		wrong_text[n] = wrong ? " (" number(wrong) " of " $count ")" : ""
		s = x_from[n] > 0 ? x_from[n] : x_to[n]
		lowest_x = s > 0 && (!lowest_x || s < lowest_x) ? s : lowest_x
		highest_x = n > 1 ? max(x_to[n], highest_x) : x_to[n]
		has_zero += x[n] <= 0
	}
}
# Sorts the rows along the axis, by_rank[], of which the first is the best: the smallest error
# or largest measure, then the smallest k and parameter, or the widest interval; and sorted[],
# those that have a place on the axis, by lines.  A logarithmic axis is for values above 0 that
# spread over a factor of 10; a value 0 of theta, lambda, sigma, gamma or C does not matter.
function sort_points(   i, r) {
	is_log = ENVIRON["axis"] != "" ? ENVIRON["axis"] == "log" : \
		lowest_x > 0 && highest_x >= 10 * lowest_x && (intervals ? parameter == "C" : \
		!has_zero || parameter ~ /^(theta|lambda[12]?|sigma|gamma|C)$/)
	for (r = 1; r <= n; r++) {
		by_rank[r] = r
		if (is_log && x_from[r] <= 0)
			x_from[r] = x_to[r] / 10
	}
	sort(by_rank, n, x_from, 1)
	for (i = 1; i <= n; i++) {
		r = by_rank[i]
		if (is_log && x_from[r] <= 0)
			continue
		sorted[++placed] = r
		if (x[r] != tic[tics] || !tics) {
			tic[++tics] = x[r]
			tic_text[tics] = sprintf("%.6g", x[r])
		}
	}
	sort(by_rank, n, wide, -1)
	sort(by_rank, n, least_k, 1)
	sort(by_rank, n, y, sign)
	best = by_rank[1]
	lowest_x = x_from[sorted[1]]
}
# Writes a point of row r, and its bar of one standard error below and above, if it has one.
function write_value(at, v, r,   low, high) {
	high = v + (has_bars && error[r] > 0 ? error[r] : 0)
	low = sign > 0 ? max(2 * v - high, 0) : 2 * v - high
	highest = written && highest > high ? highest : high
	lowest = written++ && lowest < low ? lowest : low
	print at, v, low, high >"data"
	bars += high > v
}
# The elements of the plot command for lines: others grey and below, named ones, which are
# the best, above.
function plot_lines(   f, j, r, reach, layer, by, list, under, pale, s) {
	split("#CCE3F0 #F7DFCC #CCECE3 #F5E4ED #FAECCC #DDF0FB #DDDDDD #E5D8E8", pale, " ")
	for (j = n; j; j--)
		reach[line_of[by_rank[j]]] = -j
	named = find_top(most, reach, "table")
	text_wide = shorten(text, named, legend)
	s = "± standard error"
	for (r = 1; r <= n; r++) {
		layer[r] = place[line_of[r]] + 0
		by[r] = layer[r] * n + line_of[r]
	}
	sort(sorted, placed, by, 1)
	for (j = 1; j <= placed; j++) {
		r = sorted[j]
		f = layer[r]
		# Errors of up to three lines, else of the line with the best.
		has_bars = f && (named <= 3 || f == layer[best])
		write_value(x_from[r], y_from[r], r)
		if (x_to[r] > x_from[r]) {
			write_value(x[r], y[r], r)
			write_value(x_to[r], y_to[r], r)
		}
		if (line_of[sorted[j + 1]] == line_of[r])
			continue
		if (!f) {
			print "" >"data"
			if (j == placed || layer[sorted[j + 1]])
				under = block("1:2", "lines" grey, plural(things - named, "other"))
			continue
		}
		list = list block("1:2", (intervals ? "lines" : "linespoints ps .45") " lw 2.5 lt " f, \
			text[f])
		if (bars)
			under = under (intervals ? again("1:3:4", "filledcurves fc rgb \"" pale[f] "\"", s) : \
				again("1:2:($3<$4?$3:NaN):4", "yerrorbars pt 0 ps 0 lw 1 dt 1 lc " f, s))
		s = bars ? "" : s
		bars = 0
	}
	return under list
}
function draw(   list, from_0, s) {
	if (n) {
		read_points()
		sort_points()
	}
	if (!placed)
		fail("nothing to draw")
	list = plot_lines()
	text_wide = max(text_wide, 17)
	page(900, 560, 100 + text_wide * 8, 110)
	parameter_title = begin_axis(parameter, lowest_x, highest_x, is_log, placed < n)
	if (tics <= 10 && !intervals)
		write_tics("xtics", 1, tics, tic_text, tic)
	if (!is_log || x[best] > 0) {
		print x[best], y[best] >"data"
		list = list block("1:2", "points pt 6 ps 1.2 lw 2" black, "best")
	}
	# The axis of errors begins at 0, unless all errors are near each other.
	from_0 = sign > 0 && lowest >= 0 && (lowest < .7 * highest || highest == 0)
	s = highest > lowest ? .05 * (highest - lowest) : .05
	print "set yrange [" (from_0 ? 0 : lowest - s) ":" \
		(highest > 0 || !from_0 ? highest + s : 1) "]"
	print "set autoscale xfix\nset offsets graph .02, graph .02, 0, 0"
	print "set key outside right top Left reverse samplen 2 width -1 maxcols 1 spacing " \
		min(1.1, (page_high - 110) / 25 / (min(things, most) + 3))
	s = "best: " parameter " " sprintf("%.4g", x[best]) \
		(things > 1 ? ", " name[line_of[best]] : "") ": " measure " " \
		sprintf("%.4g", y[best]) (error[best] < 0 ? "" : " ± " sprintf("%.4g", error[best])) \
		wrong_text[best]
	write_titles((title == "" ? "" : title ", ") s, parameter_title,
		measure (from_0 || sign < 0 ? "" : " (the axis does not begin at 0)"), text_wide + 9)
	finish(list, measure " against " parameter "; " s)
}
