# SPDX-License-Identifier: BSD-2-Clause
# kith-plot confusion: how often each class (a row) is predicted as each (a column); a
# cell is as dark as its share of the row.
function begin_table(   i, want) {
	want = ENVIRON["predicted"]
	actual = where("actual")
	for (i = columns; i; i--)
		if (want == "" ? head[i] ~ /^predicted(_|$)/ : head[i] == want "") {
			predicted = i
			candidates++
		}
	if (actual && !predicted && want != "")
		fail(column_text(want) ": not found")
	if (!actual || !predicted)
		fail_kind("a table of predictions: columns id predicted actual")
	predicted_name = candidates > 1 || want != "" ? head[predicted] : "predicted"
}
function read_row(   r, c) {
	if (cell[actual] == "NA" || cell[actual] == "")
		return
	r = number_of(cell[actual])
	c = number_of(cell[predicted])
	n++
	count[r, c]++
	if (r != c) {
		wrong++
		missed[r]++
		missed[c]++
	}
	has_words += !is_number(name[r]) || !is_number(name[c])
	has_parts += (name[r] name[c]) ~ /[.]/
	if (things > 1000 || things > 20 && has_parts && !has_words)
		fail("more than " (things > 1000 ? 1000 : 20) " classes: are these numbers to predict?")
}
# The classes in their order, and the `most` with the most errors among them; the others
# become one class behind these.
function choose_classes(   i, order, top, is_top, n_top) {
	for (i = 1; i <= things; i++) {
		order[i] = i
		key[i] = has_words ? name[i] : name[i] + 0
	}
	sort(order, things, key, 1)
	n_top = find_top(things, most, missed, top, is_top)
	for (i = 1; i <= things; i++)
		if (order[i] in is_top) {
			at[order[i]] = ++places
			text[places] = name[order[i]]
		}
	if (n_top < things)
		text[++places] = plural(things - n_top, "other")
	for (i = 1; i <= things; i++)
		if (!(i in is_top))
			at[i] = places
}
# The count in a cell, and below it the share of the row, where letters of 4.4 points
# and more have room; white where the cell is dark.
function write_cell(r, c, k, share,   size) {
	size = cell_side < 26 ? cell_side * .42 : 12
	if (size * unit >= 4.4 && letters(k "") * .58 * size <= cell_side)
		print "set label \"" k (cell_side < 34 ? "" : "\\n" \
			sprintf(share < .01 ? "%.1f%%" : "%.0f%%", 100 * share)) "\" at " c "," r \
			" center offset character 0, " (cell_side < 34 ? 0 : .4) font(size) \
			"tc rgb \"" (share > .55 ? "white" : "black") "\" front"
}
function draw(   i, pair, r, c, in_row, shown_count, s) {
	if (!n)
		fail("nothing to draw: no row has an actual class")
	choose_classes()
	for (i in count) {
		split(i, pair, SUBSEP)
		shown_count[at[pair[1]], at[pair[2]]] += count[i]
		in_row[at[pair[1]]] += count[i]
	}
	s = sprintf("error %.4g (%d of %d)", wrong / n, wrong, n)
	lay_out_square(text, places, predicted_name, "actual", (title == "" ? "" : title ": ") s)
	for (r = 1; r <= places; r++)
		for (c = 1; c <= places; c++) {
			i = shown_count[r, c] + 0
			printf "%d %d %.6f\n", c, r, (in_row[r] ? i / in_row[r] : 0) >"data"
			if (i)
				write_cell(r, c, i, i / in_row[r])
		}
	# Cells that have room for their shares need no scale.
	finish(cells_of_scale(0, 1, cell_side < 34 ? "share of the row" : ""), "confusion of " \
		plural(things, "class") ", rows actual, columns predicted; " s)
}
