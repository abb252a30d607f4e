# SPDX-License-Identifier: BSD-2-Clause
# kith-plot path: each weight (or coefficient alpha) against the parameter, as a line.
# A step without a row of a feature has its weight 0.
function begin_table() {
	led = where("class1") == 1 && where("class2") == 2 ? 2 : where("class") == 1
	coef = head[led + 3] == "name"
	value = coef ? where("value") : weight_column()
	if (where("step") != led + 1 || !coef && head[led + 3] != "feature" || value < led + 4)
		fail_kind("a path: columns step PARAMETER feature weight")
	from = ENVIRON["from"]
	to = ENVIRON["to"]
	parameter = to == "" ? head[led + 2] : "C"
	y_title = coef ? "alpha" : weight_title
	is_log = ENVIRON["axis"] == "" ? !coef : ENVIRON["axis"] == "log"
	first_step = 1
	low = high = 0
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
		first_step += is_log && at[steps] <= 0
		shown[steps] = 0
	}
	v = number(value)
	# A solution without features is one row, NA 0; (bias) has another unit.
	if (coef ? $(led + 3) == "(bias)" : $(led + 3) == "NA" && v == 0)
		return
	f = number_of($(led + 3))
	if (seen[f] == steps)
		fail("row " rows ": \"" substr(name[f], 1, 60) "\" listed twice in a step")
	seen[f] = steps
	size[f] += abs(v)
	sum[f] += v / (steps + .618) # Tells lines apart whose sizes are equal.
	shown[steps] += v != 0
	if (v != 0 && steps >= first_step)
		add_weight(f, last_step[f] + 0, v)
}
# Adds the weight v, and weights of 0 beside it and behind the last one that was not 0, but
# nothing along 0.
function add_weight(f, last, v) {
	if (last && last < steps - 1)
		add_point(f, at[last + 1], 0, 0)
	if (last < steps - 1 && steps > first_step) {
		add_point(f, at[steps - 1], 0, 0)
		begins_anew[n_points]
	}
	add_point(f, at[last_step[f] = steps], v, 0)
}
# Of lines that are equal in all steps the first is drawn.  Names have those with the largest
# sum, as share of the largest, plus share of the largest last value.  A ring stands where a
# line becomes 0.
function choose(   f, i, n, key, first, score, largest_sum, largest_end, lines) {
	for (f = 1; f <= things; f++) {
		end[f] = last_step[f] == steps ? point_y[last_of[f]] : 0
		if (last_step[f] && last_step[f] < steps)
			add_point(f, at[last_step[f] + 1], 0, 0)
		largest_sum = max(size[f], largest_sum)
		largest_end = max(abs(end[f]), largest_end)
	}
	for (f = 1; f <= things; f++) {
		key = size[f] " " sum[f]
		if (key in first) {
			alike[first[key]]++
			delete first_of[f]
			score[f] = -1
		} else {
			first[key] = f
			lines++
			score[f] = size[f] / (largest_sum + !largest_sum) + \
				abs(end[f]) / (largest_end + !largest_end)
		}
	}
	named = find_top(min(most, lines), score)
	others = things - named
	for (i = 1; i <= named; i++) {
		n = alike[top[i]] + 0
		others -= n
		text[i] = (coef && text[i] ~ /^[0-9]+$/ ? "row " : "") \
			narrow(text[i], n ? 16 : 26) (n ? " (and " n " equal)" : "")
		f = last_step[top[i]] + 1
		if (f > 1 && f <= steps)
			rings = rings at[f] " 0 " i "\n"
	}
	from_0 = low == 0
	x_low = at[first_step]
	x_high = at[steps]
	left_out = first_step > 1
	return things && first_step < steps + (n_points > 0)
}
# Above the plot stands how many lines are not 0.
function decorate(   s) {
	if (share(x_high)) {
		s = " [" x_low ":" x_high "]"
		print "set xrange" s "\nset x2range" s "\nset x2label \"" \
			(coef ? "rows with alpha not 0" : "features left") "\""
		write_tics("x2tics", first_step, steps, shown, .12)
	}
	what = (coef ? "alphas" : "weights") " of " plural(things, coef ? "row" : "feature") \
		" against " parameter
	printf "%s", rings >"data"
	return block("1:2:3", "points pt 6 ps .7 lw 1.5 lc variable")
}
