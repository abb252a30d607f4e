# SPDX-License-Identifier: BSD-2-Clause
# kith-plot heatmap: the symmetric matrix of the weights of pairs of features; its lower
# triangle is drawn.
function begin_table() {
	first = where("feature1")
	second = where("feature2")
	weights = where("scaled_weight weight weight_abs")
	if (!first || !second || !weights || where("learner"))
		fail_kind("a matrix: columns feature1 feature2 weight expected")
}
function feature(s) {
	if (!(s in number_of)) {
		number_of[s] = ++features
		name[features] = s
		size[features] = 0
	}
	return number_of[s]
}
function read_row(   f, g) {
	f = feature(cell[first])
	g = feature(cell[second])
	if ((f, g) in value)
		fail("row " rows ": pair listed twice")
	value[f, g] = value[g, f] = number(weights)
	if (f == g && ENVIRON["no_diagonal"] != "")
		return
	size[f] += abs(cell[weights])
	if (f != g)
		size[g] += abs(cell[weights])
}
# Average linkage: joins the two groups of features whose weights between them have the
# largest mean size, until there is one group; the ends that meet are those with the
# larger weight.  Sorts at[1..places].
function sort_by_cluster(   i, j, k, a, b, best, n, near, count, list) {
	for (i = 1; i <= places; i++) {
		list[i] = at[i]
		count[i] = 1
		for (j = 1; j <= places; j++)
			near[i, j] = abs(value[at[i], at[j]] + 0)
	}
	for (n = places; n > 1; n--) {
		best = -1
		for (i = 1; i <= places; i++)
			for (j = i + 1; j <= places && i in count; j++)
				if (j in count && near[i, j] > best) {
					best = near[i, j]
					a = i
					b = j
				}
		for (k in count)
			near[a, k] = near[k, a] = (near[a, k] * count[a] + near[b, k] * count[b]) / \
				(count[a] + count[b])
		list[a] = joined(list[a], list[b])
		count[a] += count[b]
		delete count[b]
	}
	split(list[1], at, " ")
}
function joined(one, two,   p, q, m, n, i, best, w, turn) {
	m = split(one, p, " ")
	n = split(two, q, " ")
	best = -1
	for (i = 0; i < 4; i++) {
		w = abs(value[p[i < 2 ? m : 1], q[i % 2 ? n : 1]] + 0)
		if (w > best) {
			best = w
			turn = i
		}
	}
	return (turn < 2 ? one : reversed(p, m)) " " (turn % 2 ? reversed(q, n) : two)
}
function reversed(list, n,   s) {
	for (s = list[n--]; n > 0; n--)
		s = s " " list[n]
	return s
}
function draw(   f, i, j, w, least, largest, top, is_top, drawn, s) {
	for (f = 1; f <= features; f++)
		places = insert(top, places + 0, most, f, size)
	for (i = 1; i <= places; i++)
		is_top[top[i]] = 1
	for (f = i = 1; f <= features; f++)
		if (f in is_top)
			at[i++] = f
	if (ENVIRON["order"] == "cluster")
		sort_by_cluster()
	for (i = 1; i <= places; i++) {
		text[i] = name[at[i]]
		for (j = 1; j <= i; j++) {
			if (i == j && ENVIRON["no_diagonal"] != "")
				continue
			w = value[at[i], at[j]] + 0
			least = w < least ? w : least
			largest = w > largest ? w : largest
			printf "%d %d %.17g\n", j, i, w >"data"
			drawn++
		}
	}
	if (!drawn)
		fail("nothing to draw")
	s = title == "" ? "Weights of pairs of features" : title
	if (places < features)
		s = s ", the largest " places " of " features " features"
	lay_out_square(text, places, "", "", s)
	write_scale(least + 0, largest - least < 1e-300 ? 1 : largest + 0, weight_name(head[weights]))
	finish(block("1:2:(.5):(.5):3", "boxxyerror fc palette lw .5"), "weights of pairs of " \
		places (places < features ? " of " features : "") " feature" (features > 1 ? "s" : ""))
}
