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
function read_errors(   i, s, last, falls) {
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
		line_of[n] = number_of(s)
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
		x_low = s > 0 && (!x_low || s < x_low) ? s : x_low
		x_high = n > 1 ? max(x_to[n], x_high) : x_to[n]
		has_zero += x[n] <= 0
		by_x[n] = n
	}
}
# The best has the smallest error or largest measure, then the smallest k and parameter, or
# the widest interval.  Names have the lines with the best rows.
function choose_lines(   i, reach) {
	sort(by_x, n, x_from, 1)
	for (i = 1; i <= n; i++)
		by_rank[i] = by_x[i]
	sort(by_rank, n, wide, -1)
	sort(by_rank, n, least_k, 1)
	sort(by_rank, n, y, sign)
	best = by_rank[1]
	for (i = n; i; i--)
		reach[line_of[by_rank[i]]] = -i
	named = find_top(most, reach, "table")
	others = things - named
}
# A logarithmic axis is for values above 0 that spread over a factor of 10; a value 0 of
# theta, lambda, sigma, gamma or C does not matter.  Bars of one standard error are drawn for
# up to three lines, else for the line with the best.
function choose(   i, r, e, f) {
	read_errors()
	choose_lines()
	is_log = ENVIRON["axis"] != "" ? ENVIRON["axis"] == "log" : \
		x_low > 0 && x_high >= 10 * x_low && (intervals ? parameter == "C" : \
		!has_zero || parameter ~ /^(theta|lambda[12]?|sigma|gamma|C)$/)
	for (i = 1; i <= n; i++) {
		r = by_x[i]
		f = line_of[r]
		if (is_log && x_to[r] <= 0) {
			left_out = 1
			continue
		}
		if (is_log && x_from[r] <= 0)
			x_from[r] = x_to[r] / 10
		x_low = n_points ? min(x_low, x_from[r]) : x_from[r]
		e = (f in place) && (named < 4 || f == line_of[best]) ? max(error[r], 0) : 0
		bars += e > 0
		add_point(f, x_from[r], y_from[r], e)
		if (wide[r] > 0) {
			add_point(f, x[r], y[r], e)
			add_point(f, x_to[r], y_to[r], e)
		}
		end[f] = y_to[r]
		if (x[r] != at[steps] || !steps) {
			at[++steps] = x[r]
			tic[steps] = sprintf("%.6g", x[r])
		}
	}
	from_0 = sign > 0 && low >= 0 && (low < .7 * high || high == 0)
	return n_points
}
# A tic for each value along the axis, where they are few, and the best, which the title names.
function decorate(   s) {
	if (steps <= 10 && !intervals)
		write_tics("xtics", 1, steps, tic)
	print "set autoscale xfix\nset offsets graph .02, graph .02, 0, 0"
	s = "best: " parameter " " sprintf("%.4g", x[best]) \
		(things > 1 ? ", " name[line_of[best]] : "") ": " measure " " \
		sprintf("%.4g", y[best]) (error[best] < 0 ? "" : " ± " sprintf("%.4g", error[best])) \
		wrong_text[best]
	what = measure " against " parameter "; " s
	picture_title = (title == "" ? "" : title ", ") s
	y_title = measure (bars ? " ± standard error" : "") \
		(from_0 || sign < 0 ? "" : " (the axis does not begin at 0)")
	print (is_log && x[best] <= 0 ? "NaN NaN" : x[best] " " y[best]) >"data"
	return block("1:2", "points pt 6 ps 1.2 lw 2" black)
}
