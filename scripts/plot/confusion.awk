# SPDX-License-Identifier: BSD-2-Clause
# kith-plot confusion: how often each class (a row) is predicted as each (a column); a
# cell is as dark as its share of the row.
function begin_table(   i, n) {
	actual = where("actual")
	for (i = 1; i <= columns; i++)
		if (ENVIRON["predicted"] == "" ? head[i] ~ /^predicted(_|$)/ : \
			head[i] "" == ENVIRON["predicted"] "") {
			predicted = predicted ? predicted : i
			n++
		}
	if (actual && !predicted && ENVIRON["predicted"] != "")
		fail("column \"" cut(ENVIRON["predicted"], 60) "\": not found")
	if (!actual || !predicted)
		fail_kind("a table of predictions: columns id predicted actual expected")
	predicted_name = n > 1 || ENVIRON["predicted"] != "" ? head[predicted] : "predicted"
}
function class_of(s) {
	if (!(s in number_of)) {
		number_of[s] = ++classes
		name[classes] = s
		missed[classes] = 0
		has_words += !is_number(s)
		has_parts += s ~ /[.]/
		if (classes > 1000 || classes > 20 && has_parts && !has_words)
			fail("more than " classes - 1 " classes: are these numbers to predict?")
	}
	return number_of[s]
}
function read_row(   r, c) {
	if (cell[actual] == "NA" || cell[actual] == "")
		return
	r = class_of(cell[actual])
	c = class_of(cell[predicted])
	n++
	count[r, c]++
	if (r != c) {
		wrong++
		missed[r]++
		missed[c]++
	}
}
function comes_after(a, b) {
	return has_words ? a "" > b "" : a + 0 > b + 0 || a + 0 == b + 0 && a "" > b ""
}
# The classes in their order, and the `most` with the most errors among them; the others
# become one class behind these.
function choose_classes(   i, j, order, top, is_top, n_top) {
	for (i = 1; i <= classes; i++) {
		for (j = i; j > 1 && comes_after(name[order[j - 1]], name[i]); j--)
			order[j] = order[j - 1]
		order[j] = i
	}
	for (i = 1; i <= classes; i++)
		n_top = insert(top, n_top + 0, most, order[i], missed)
	for (i = 1; i <= n_top; i++)
		is_top[top[i]] = 1
	for (i = 1; i <= classes; i++)
		if (order[i] in is_top) {
			at[order[i]] = ++places
			text[places] = name[order[i]]
		}
	if (places < classes) {
		text[++places] = plural(classes - n_top, "other")
		for (i = 1; i <= classes; i++)
			if (!(i in is_top))
				at[i] = places
	}
}
# The count in a cell, and below it the share of the row, where letters of 4.4 points
# and more have room; white where the cell is dark.
function write_cell(r, c, k, share,   size) {
	size = cell_side < 26 ? cell_side * .42 : 12
	if (size * unit >= 4.4 && letters(k "") * .58 * size <= cell_side)
		print "set label " literal(k "") (cell_side < 34 ? "" : ".\"\\n\"." \
			literal(sprintf(share < .01 ? "%.1f%%" : "%.0f%%", 100 * share))) " at " c "," r \
			" center offset character 0, " (cell_side < 34 ? 0 : .4) font(size) "tc rgb \"" \
			(share > .55 ? "white" : "black") "\" front"
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
	# Cells that have room for their shares need no scale.
	write_scale(0, 1, cell_side < 34 ? "share of the row" : "")
	for (r = 1; r <= places; r++)
		for (c = 1; c <= places; c++) {
			i = shown_count[r, c] + 0
			printf "%d %d %.6f\n", c, r, (in_row[r] ? i / in_row[r] : 0) >"data"
			if (i)
				write_cell(r, c, i, i / in_row[r])
		}
	finish(block("1:2:(.5):(.5):3", "boxxyerror fc palette lw .5"), "confusion of " \
		plural(classes, "class") ", rows actual, columns predicted; " s)
}
