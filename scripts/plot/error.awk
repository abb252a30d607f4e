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
	features = where("features")
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
function read_row(   i) {
	if (cell[value] == "NA") # A combination that failed.
		return
	n_rows++
	for (i = 1; i <= parameters; i++)
		if (n_rows > 1 && key[1, i] "" != cell[i] "")
			varies[i] = 1
	for (i = 1; i <= parameters; i++)
		key[n_rows, i] = cell[i]
	y[n_rows] = number(value)
	y_from[n_rows] = value_from ? number(value_from) : y[n_rows]
	y_to[n_rows] = value_to ? number(value_to) : y[n_rows]
	n_of[n_rows] = cell[count]
	wrong_of[n_rows] = wrong ? number(wrong) : ""
	if (se && cell[se] != "NA")
		error[n_rows] = abs(number(se))
	if (features)
		kept[n_rows] = number(features)
	if (!intervals)
		return
	x_from[n_rows] = number(from)
	x_to[n_rows] = number(to)
	if (x_to[n_rows] < x_from[n_rows]) { # C falls along the path
		x_from[n_rows] = number(to)
		x_to[n_rows] = number(from)
		i = y_from[n_rows]
		y_from[n_rows] = y_to[n_rows]
		y_to[n_rows] = i
	}
	x[n_rows] = place ? number(place) : (x_from[n_rows] + x_to[n_rows]) / 2
}
# The parameter along the axis: of intervals C or theta; of others the first parameter that
# varies.  Each value of the others is a line.
function find_lines(   i, r, s) {
	axis = 0
	for (i = 1; i <= parameters && !intervals && !axis; i++)
		axis = i in varies ? i : 0
	axis = axis ? axis : intervals ? 0 : 1
	parameter = intervals ? (head[from] == "from" ? "C" : "theta") : legible(head[axis])
	for (r = 1; r <= n_rows; r++) {
		s = ""
		for (i = 1; i <= parameters; i++)
			if (i != axis && i in varies)
				s = s (s == "" ? "" : ", ") (is_number(key[r, i]) && !intervals ? \
					head[i] " " : "") key[r, i]
		if (!(s in line_number)) {
			line_number[s] = ++lines
			name[lines] = s == "" ? head[value] : s
		}
		line_of[r] = line_number[s]
		if (!intervals) {
			if (!is_number(key[r, axis]))
				fail("column \"" cut(head[axis], 60) "\": not a number: \047" \
					cut(key[r, axis], 60) "\047")
			if (abs(key[r, axis]) > 1e300)
				fail("column \"" cut(head[axis], 60) "\": too large to draw: \047" \
					cut(key[r, axis], 60) "\047")
			x[r] = x_from[r] = x_to[r] = key[r, axis] + 0
		}
	}
}
# A logarithmic axis is for values above 0 that spread over a factor of 10; a value 0 of
# theta, lambda, sigma, gamma or C does not matter.
function choose_axis(   r, low, high, has_zero) {
	for (r = 1; r <= n_rows; r++) {
		if (x_to[r] > 0 && (!low || x_to[r] < low))
			low = x_to[r]
		if (x_from[r] > 0 && (!low || x_from[r] < low))
			low = x_from[r]
		high = x_to[r] > high ? x_to[r] : high
		has_zero += x[r] <= 0
	}
	log_axis = low > 0 && high >= 10 * low && \
		(!has_zero || parameter ~ /^(theta|lambda[12]?|sigma|gamma|C)$/)
	if (intervals && parameter != "C")
		log_axis = 0
	if (ENVIRON["axis"] != "")
		log_axis = ENVIRON["axis"] == "log"
}
# Whether row r is better than row b: less error, then fewer features, then a smaller k,
# then a smaller parameter; of intervals the widest.
function is_better(r, b,   i) {
	if (y[r] != y[b])
		return sign * (y[r] - y[b]) < 0
	if (intervals)
		return x_to[r] - x_from[r] > x_to[b] - x_from[b]
	if (features && kept[r] != kept[b])
		return kept[r] < kept[b]
	for (i = 1; i <= parameters; i++)
		if (head[i] == "k" && key[r, i] != key[b, i])
			return key[r, i] + 0 < key[b, i] + 0
	return x[r] < x[b]
}
# Rows in the order of the axis: sorted[1..n_rows]; rows that have no place are left out.
function sort_rows(   i, j, r, gap) {
	for (r = 1; r <= n_rows; r++) {
		if (log_axis && x_to[r] <= 0) {
			left_out = 1
			continue
		}
		if (log_axis && x_from[r] <= 0)
			x_from[r] = x_to[r] / 10
		sorted[++placed] = r
	}
	for (gap = int(placed / 2); gap; gap = gap == 2 ? 1 : int(gap * 5 / 11))
		for (i = gap + 1; i <= placed; i++) {
			r = sorted[i]
			for (j = i; j > gap && (x_from[sorted[j - gap]] > x_from[r] || \
				x_from[sorted[j - gap]] == x_from[r] && sorted[j - gap] > r); j -= gap)
				sorted[j] = sorted[j - gap]
			sorted[j] = r
		}
}
# Writes the points of line f; with bars also one standard error below and above.
function write_line(f, bars,   i, r, n) {
	for (i = 1; i <= placed; i++) {
		r = sorted[i]
		if (line_of[r] != f || bars && !(r in error))
			continue
		n += write_point(x_from[r], y_from[r], r, bars)
		if (intervals && value_from && x[r] > x_from[r] && x[r] < x_to[r])
			write_point(x[r], y[r], r, bars)
		if (intervals)
			write_point(x_to[r], y_to[r], r, bars)
	}
	return n + 0
}
function write_point(at, v, r, bars,   low, e) {
	e = r in error ? error[r] : 0
	low = v - e < 0 && sign > 0 ? 0 : v - e
	highest = v > highest ? v : highest
	if (bars) {
		highest = v + e > highest ? v + e : highest
		printf "%.17g %.17g %.17g %.17g\n", at, v, low, v + e >"data"
	} else
		printf "%.17g %.17g\n", at, v >"data"
	lowest = !written++ || low < lowest ? low : lowest
	return 1
}
function best_text(b,   s, i) {
	s = "best: " parameter " " sprintf("%.4g", x[b])
	if (lines > 1)
		s = s ", " legible(name[line_of[b]])
	s = s ": " legible(head[value]) " " sprintf("%.4g", y[b])
	if (b in error)
		s = s " ± " sprintf("%.4g", error[b])
	return s (wrong ? " (" wrong_of[b] " of " legible(n_of[b]) ")" : "")
}
# A column `features` is drawn with an axis at the right.
function write_features(   i, n) {
	for (i = 1; i <= placed && features; i++)
		if (line_of[sorted[i]] == line_of[best]) {
			printf "%.17g %.17g\n", x[sorted[i]], kept[sorted[i]] >"data"
			n++
		}
	return n + 0
}
function draw(   r, f, i, top, n_top, reach, is_top, list, under, pale, wide, ticks, n_ticks, s) {
	if (!n_rows)
		fail("nothing to draw")
	find_lines()
	choose_axis()
	sort_rows()
	if (!placed)
		fail("nothing to draw")
	for (r = best = 1; r <= n_rows; r++)
		best = is_better(r, best) ? r : best
	for (i = 1; i <= placed; i++) {
		r = sorted[i]
		if (!(line_of[r] in reach) || -sign * y[r] > reach[line_of[r]])
			reach[line_of[r]] = -sign * y[r]
		if (!(x[r] in ticks) && ++n_ticks <= 10)
			s = s (n_ticks > 1 ? ", " : "") sprintf("%.17g", x[r])
		ticks[x[r]] = 1
	}
	if (n_ticks <= 10 && !intervals)
		print "set xtics (" s ")"
	for (f = 1; f <= lines; f++)
		if (f in reach)
			n_top = insert(top, n_top + 0, most, f, reach)
	for (i = 1; i <= n_top; i++)
		is_top[top[i]] = 1
	split("#CCE3F0 #F7DFCC #CCECE3 #F5E4ED #FAECCC #DDF0FB #DDDDDD #E5D8E8", pale, " ")
	for (f = 1; f <= lines; f++)
		if (f in reach)
			text[f in is_top ? ++named : named + 0] = name[f]
	wide = shorten(text, named, is_fixed && fixed[1] / unit < 460 ? int(fixed[1] / unit / 20) : 32)
	wide = wide < 17 ? 17 : wide
	named = 0
	for (f = 1; f <= lines; f++) {
		if (!(f in reach))
			continue
		write_line(f)
		if (!(f in is_top)) {
			under = under block("", "lines lc rgb \"" grey "\"", others++ ? "" : plural(lines - n_top, "other"))
			continue
		}
		i = ++named
		list = list block("", (intervals ? "lines " : "linespoints " mark_look(i) " ") line_look(i), text[i])
		# Errors of up to three lines, else of the line with the best.
		if ((n_top <= 3 || f == line_of[best]) && write_line(f, 1))
			under = under (intervals ? block("1:3:4", "filledcurves fc rgb \"" pale[i] "\"", \
				error_lines++ ? "" : "± standard error") : block("1:2:3:4", "yerrorbars pt 0 ps 0 lw 1 " \
				"lc rgb \"" colour[i] "\"", error_lines++ ? "" : "± standard error"))
	}
	page(900, 560, 100 + wide * 8, 110)
	if (write_features()) {
		list = list block("1:2 axes x1y2", "lines lc rgb \"#888888\" lw 1", "features, right")
		print "set border 11\nset y2tics out\nset y2range [0:*]\nset y2label \047features\047"
	}
	if (!log_axis || x[best] > 0) {
		printf "%.17g %.17g\n", x[best], y[best] >"data"
		list = list block("", "points lc rgb \"black\" pt 6 ps 1.2 lw 2", "best")
	}
	# The axis of errors begins at 0, unless all errors are near each other.
	r = sign > 0 && lowest >= 0 && lowest < .7 * highest || highest == 0 && lowest == 0
	s = highest > lowest ? highest - lowest : 1
	printf "set yrange [%.9g:%.9g]\n", r ? 0 : lowest - .05 * s, highest + (highest > 0 || !r ? .05 * s : 1)
	print "set grid ytics lc rgb \"#DDDDDD\"\nset autoscale xfix\nset offsets graph .02, graph .02, 0, 0"
	print "set key outside right top Left reverse samplen 2 spacing 1.1 width -1"
	if (log_axis)
		print "set logscale x\nset format x \"%g\""
	s = best_text(best)
	print "set title " heading((title == "" ? "" : title ", ") s) "\nset xlabel " literal(parameter \
		(log_axis ? " (logarithmic" (left_out ? "; 0 is left out)" : ")") : "")) "\nset ylabel " \
		literal(legible(head[value]) (r || sign < 0 ? "" : " (the axis does not begin at 0)"))
	finish(under list, legible(head[value]) " against " parameter "; " s)
}
