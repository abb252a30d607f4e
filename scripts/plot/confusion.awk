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
	if ($actual == "NA" || $actual == "")
		return
	r = number_of($actual)
	c = number_of($predicted)
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
# The `most` classes with the most errors, words in the order of the table and numbers by
# their size; the others become one class behind them.
function choose_classes(   i) {
	places = find_top(most, missed, has_words ? "table" : "numbers")
	for (i = 1; i <= things; i++)
		at[i] = i in place ? place[i] : places + 1
	if (places < things)
		text[places + 1] = plural(things - places, "other")
	places += places < things
}
# The texts of cells: the count, and below it the share of the row, where letters of 4.4
# points and more have room; white where the cell is dark.
function texts_of_cells(has_shares,   size) {
	size = has_shares ? 12 : cell_side * .42
	return size * unit < 4.4 ? "" : again("1:2:(0<$4&&$4<1e" int(cell_side / .58 / size) "?" \
		(has_shares ? "sprintf($3<.01?\"%d\\n%.1f%%\":\"%d\\n%.0f%%\",$4,100*$3)" : \
		"sprintf(\"%d\",$4)") ":\"\"):($3>.55?0xFFFFFF:0)", "labels tc rgb variable" \
		font(size) (has_shares ? "offset 0,.4" : ""))
}
function draw(   i, pair, r, c, in_row, shown_count, has_shares, list, s) {
	if (!n)
		fail("nothing to draw: no row has an actual class")
	choose_classes()
	for (i in count) {
		split(i, pair, SUBSEP)
		shown_count[at[pair[1]], at[pair[2]]] += count[i]
		in_row[at[pair[1]]] += count[i]
	}
	s = sprintf("error %.4g (%d of %d)", wrong / n, wrong, n)
	lay_out_square(places, predicted_name, "actual", (title == "" ? "" : title ": ") s)
	has_shares = cell_side >= 34
	for (r = 1; r <= places; r++)
		for (c = 1; c <= places; c++)
			print c, r, shown_count[r, c] / max(in_row[r] + 0, 1), shown_count[r, c] + 0 >"data"
	# Cells that have room for their shares need no scale.
	list = cells_of_scale(0, 1, has_shares ? "" : "share of the row")
	finish(list texts_of_cells(has_shares), "confusion of " plural(things, "class") \
		", rows actual, columns predicted; " s)
}
