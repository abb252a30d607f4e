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
		fail_kind("a table of errors: columns PARAMETER... n error (or another measure)" \
			" expected")
	sign = head[value] ~ /^(ndcg@|balanced_accuracy|macro_f1|mcc|auc|r2$)/ ? -1 : 1
	# Squared errors fall and rise again in an interval; the column place has their least.
	value_from = where("rmse_from")
	value_to = where("rmse_to")
	place = intervals ? where("C theta") : 0
	parameters = intervals ? from - 1 : count - 1
}
function read_row(   i, falls) {
	if (cell[value] == "NA") # A combination that failed.
		return
	n_rows++
	for (i = 1; i <= parameters; i++) {
		varies[i] += n_rows > 1 && key[1, i] "" != cell[i] ""
		key[n_rows, i] = cell[i]
	}
	y[n_rows] = number(value)
	n_of[n_rows] = cell[count]
	row_of[n_rows] = rows
	wrong_of[n_rows] = wrong ? number(wrong) : ""
	if (se && cell[se] != "NA")
		error[n_rows] = abs(number(se))
	if (!intervals)
		return
	falls = number(to) < number(from) # C falls along the path
	x_from[n_rows] = number(falls ? to : from)
	x_to[n_rows] = number(falls ? from : to)
	x[n_rows] = place ? number(place) : (x_from[n_rows] + x_to[n_rows]) / 2
	y_from[n_rows] = number(!value_from ? value : falls ? value_to : value_from)
	y_to[n_rows] = number(!value_from ? value : falls ? value_from : value_to)
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
		line_of[r] = number_of(s == "" ? head[value] : s)
		if (!intervals) {
			rows = row_of[r]
			cell[axis] = key[r, axis]
			x[r] = x_from[r] = x_to[r] = number(axis)
			y_from[r] = y_to[r] = y[r]
		}
	}
}
# A logarithmic axis is for values above 0 that spread over a factor of 10; a value 0 of
# theta, lambda, sigma, gamma or C does not matter.
function choose_axis(   r, x0, low, high, has_zero) {
	for (r = 1; r <= n_rows; r++) {
		x0 = x_from[r] > 0 ? x_from[r] : x_to[r]
		if (x0 > 0 && (!low || x0 < low))
			low = x0
		high = max(x_to[r], high)
		has_zero += x[r] <= 0
	}
	log_axis = low > 0 && high >= 10 * low && (intervals ? parameter == "C" : \
		!has_zero || parameter ~ /^(theta|lambda[12]?|sigma|gamma|C)$/)
	if (ENVIRON["axis"] != "")
		log_axis = ENVIRON["axis"] == "log"
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
# Rows in the order of the axis: sorted[1..placed]; rows that have no place are left out.
function sort_rows(   r) {
	for (r = 1; r <= n_rows; r++) {
		if (log_axis && x_to[r] <= 0) {
			left_out = 1
			continue
		}
		if (log_axis && x_from[r] <= 0)
			x_from[r] = x_to[r] / 10
		sorted[++placed] = r
	}
	sort(sorted, placed, x_from)
}
# Writes the points of line f, or its bars of one standard error below and above, and
# returns how many rows they are of.
function write_line(f, bars,   i, r, n) {
	for (i = 1; i <= placed; i++) {
		r = sorted[i]
		if (line_of[r] != f || bars && !(r in error))
			continue
		n++
		write_value(x_from[r], y_from[r], r, bars)
		if (value_from && x[r] > x_from[r] && x[r] < x_to[r])
			write_value(x[r], y[r], r, bars)
		if (intervals)
			write_value(x_to[r], y_to[r], r, bars)
	}
	return n + 0
}
function write_value(at, v, r, bars,   low, e) {
	e = r in error ? error[r] : 0
	low = v - e < 0 && sign > 0 ? 0 : v - e
	highest = max(v + bars * e, highest)
	lowest = !written++ || low < lowest ? low : lowest
	if (bars)
		printf "%.17g %.17g %.17g %.17g\n", at, v, low, v + e >"data"
	else
		write_point(at, v)
}
function best_text(b) {
	return "best: " parameter " " sprintf("%.4g", x[b]) \
		(things > 1 ? ", " legible(name[line_of[b]]) : "") \
		": " legible(head[value]) " " sprintf("%.4g", y[b]) \
		(b in error ? " ± " sprintf("%.4g", error[b]) : "") \
		(wrong ? " (" wrong_of[b] " of " legible(n_of[b]) ")" : "")
}
# A tick for each value along the axis, where they are few; reach[] is the best of a line.
function read_sorted(   i, r, s, is_tick, ticks) {
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
}
# The elements of the plot command for all lines: grey ones and errors, then the named.
function plot_lines(   f, i, n, drawn, top, is_top, list, under, pale, s) {
	split("#CCE3F0 #F7DFCC #CCECE3 #F5E4ED #FAECCC #DDF0FB #DDDDDD #E5D8E8", pale, " ")
	for (f = 1; f <= things; f++)
		if (f in reach)
			drawn[++n] = f
	n_top = find_top(drawn, n, most, reach, top, is_top)
	for (i = 1; i <= n; i++)
		if (drawn[i] in is_top)
			text[++named] = name[drawn[i]]
	text_wide = shorten(text, named, letters_of_legend())
	named = 0
	for (i = 1; i <= n; i++) {
		f = drawn[i]
		write_line(f, 0)
		if (!(f in is_top)) {
			s = others++ ? "" : plural(things - n_top, "other")
			under = under block("", "lines" rgb(grey), s)
			continue
		}
		named++
		s = intervals ? "lines" : "linespoints " mark_look(named) "ps .45"
		list = list block("", s line_look(named), text[named])
		# Errors of up to three lines, else of the line with the best.
		if ((n_top <= 3 || f == line_of[best]) && write_line(f, 1)) {
			s = error_lines++ ? "" : "± standard error"
			under = under (intervals ? \
				block("1:3:4", "filledcurves fc rgb \"" pale[named] "\"", s) : \
				block("1:2:3:4", "yerrorbars pt 0 ps 0 lw 1" rgb(colour[named]), s))
		}
	}
	return under list
}
function draw(   r, list, from_0, s) {
	if (!n_rows)
		fail("nothing to draw")
	find_lines()
	choose_axis()
	sort_rows()
	if (!placed)
		fail("nothing to draw")
	for (r = best = 1; r <= n_rows; r++)
		best = is_better(r, best) ? r : best
	read_sorted()
	list = plot_lines()
	page(900, 560, 100 + max(text_wide, 17) * 8, 110)
	if (!log_axis || x[best] > 0) {
		write_point(x[best], y[best])
		list = list block("", "points pt 6 ps 1.2 lw 2" rgb("black"), "best")
	}
	# The axis of errors begins at 0, unless all errors are near each other.
	from_0 = sign > 0 && lowest >= 0 && lowest < .7 * highest || highest == 0 && lowest == 0
	s = highest > lowest ? highest - lowest : 1
	printf "set yrange [%.9g:%.9g]\n", from_0 ? 0 : lowest - .05 * s,
		(highest > 0 || !from_0 ? highest + .05 * s : 1)
	print "set grid ytics" rgb("#DDDDDD") "\nset autoscale xfix"
	print "set offsets graph .02, graph .02, 0, 0"
	print "set key outside right top Left reverse samplen 2 spacing 1.1 width -1"
	s = best_text(best)
	write_titles((title == "" ? "" : title ", ") s, begin_axis(parameter, log_axis, left_out),
		legible(head[value]) (from_0 || sign < 0 ? "" : " (the axis does not begin at 0)"))
	finish(list, legible(head[value]) " against " parameter "; " s)
}
