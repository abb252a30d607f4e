# SPDX-License-Identifier: BSD-2-Clause
# kith-plot heatmap: the symmetric matrix of the weights of pairs of features; its lower
# triangle is drawn.
function begin_table() {
	first = where("feature1")
	second = where("feature2")
	weights = weight_column()
	if (!first || !second || !weights || where("learner"))
		fail_kind("a matrix: columns feature1 feature2 weight")
	no_diagonal = ENVIRON["no_diagonal"] != ""
}
function read_row(   f, g) {
	f = number_of($first)
	g = number_of($second)
	if ((f, g) in value)
		fail("row " rows ": pair listed twice")
	value[f, g] = value[g, f] = number(weights)
	size[f] += f == g && no_diagonal ? 0 : abs($weights)
	size[g] += f == g ? 0 : abs($weights)
}
# Average linkage of top[1..places]: joins the two chains of features whose weights between
# them have the largest mean size, until there is one chain; the ends that meet are those
# with the larger weight.  chain[i, 0] is read forwards and chain[i, 1] backwards.
function sort_by_cluster(   i, j, a, b, best, n, near, count, chain) {
	for (i = 1; i <= places; i++) {
		chain[i, 0] = chain[i, 1] = top[i]
		count[i] = 1
		for (j = 1; j <= places; j++)
			near[i, j] = abs(value[top[i], top[j]] + 0)
	}
	for (n = places; n > 1; n--) {
		best = -1
		for (i = 1; i <= places; i++)
			for (j = i + 1; j <= places && i in count; j++)
				if (j in count && near[i, j] / count[i] / count[j] > best) {
					best = near[i, j] / count[i] / count[j]
					a = i
					b = j
				}
		for (i in count)
			near[a, i] = near[i, a] = near[a, i] + near[b, i]
		join(chain, a, b)
		count[a] += count[b]
		delete count[b]
	}
	split(chain[1, 0], top, " ")
}
function join(chain, a, b,   i, j, n, s, t, u, v, w, best) {
	best = -1
	for (i = 0; i < 2; i++)
		for (j = 0; j < 2; j++) {
			n = split(chain[a, i], u, " ")
			split(chain[b, j], v, " ")
			w = abs(value[u[n], v[1]] + 0)
			if (w > best) {
				best = w
				s = chain[a, i] " " chain[b, j]
				t = chain[b, 1 - j] " " chain[a, 1 - i]
			}
		}
	chain[a, 0] = s
	chain[a, 1] = t
}
function draw(   i, j, w, least, largest, drawn, s) {
	places = find_top(most, size, "table")
	if (ENVIRON["order"] != "table")
		sort_by_cluster()
	for (i = 1; i <= places; i++) {
		text[i] = name[top[i]]
		for (j = 1; j <= i - no_diagonal; j++) {
			w = value[top[i], top[j]] + 0
			least = min(w, least)
			largest = max(w, largest)
			print j, i, w >"data"
			drawn++
		}
	}
	if (!drawn)
		fail("nothing to draw")
	s = title == "" ? "Weights of pairs of features" : title
	if (places < things)
		s = s ", the largest " places " of " things " features"
	lay_out_square(places, "", "", s)
	largest = largest - least < 1e-300 ? 1 : largest + 0
	finish(cells_of_scale(least + 0, largest, weight_title),
		"weights of pairs of " (places < things ? places " of " : "") plural(things, "feature"))
}
