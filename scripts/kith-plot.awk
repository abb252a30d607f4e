# What the awk programs of kith-plot-* share, under LC_ALL=C.  record() takes each
# line; it returns 0 while a cell goes on in the next line, 1 for the header, 2 for a
# row, whose cells are then in cell[1..cells] and the header's in head[1..columns].
BEGIN {
	split("#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #7F3C8D",
		colour, " ")            # of Okabe and Ito, without yellow
	split("5 7 9 13 4 6 8 12", mark, " ")
	grey = "#BBBBBB"
	table = ENVIRON["plot_table"]
	if (table == "-")
		table = "<stdin>"
	title = ENVIRON["plot_title"]
	for (plot_i = 1; plot_i < 256; plot_i++)
		code[sprintf("%c", plot_i)] = plot_i
}

# The byte at i, as \xHH.
function hex(s, i) {
	return sprintf("\\x%02X", code[substr(s, i, 1)])
}

# Text as one line of a message, unprintable bytes as \xHH.
function shown(s,   i, c, t) {
	if (s !~ /[^ -~]/)
		return s
	for (i = 1; i <= length(s); i++) {
		c = code[substr(s, i, 1)]
		t = t (c < 32 || c > 126 ? hex(s, i) : substr(s, i, 1))
	}
	return t
}

# How many bytes the character at i has; 0 where these are no UTF-8, or no
# character of XML.
function character(s, i,   c, d, n, j) {
	c = code[substr(s, i, 1)]
	d = i < length(s) ? code[substr(s, i + 1, 1)] : 0
	if (c < 128)
		return c >= 32 && c != 127
	n = c < 194 ? 0 : c < 224 ? 2 : c < 240 ? 3 : c < 245 ? 4 : 0
	if (!n || i + n - 1 > length(s))
		return 0
	# Not shorter ones in more bytes, surrogates, or above U+10FFFF; C1 controls.
	if (c == 224 && d < 160 || c == 237 && d > 159 || c == 240 && d < 144 ||
		c == 244 && d > 143 || c == 194 && d < 160)
		return 0
	for (j = 1; j < n; j++) {
		d = code[substr(s, i + j, 1)]
		if (d < 128 || d > 191)
			return 0
	}
	return substr(s, i, n) ~ /^\357\277[\276\277]$/ ? 0 : n # U+FFFE, U+FFFF
}

# A name or title as it is drawn: what cannot be drawn as \xHH; of one of more
# than 200 bytes the middle is left out.
function legible(s,   i, n, t) {
	if (length(s) > 200)
		s = cut(s, 150) "..." ending(s, 47)
	if (s !~ /[^ -~]/)
		return s
	for (i = 1; i <= length(s); i += n ? n : 1) {
		n = character(s, i)
		t = t (n ? substr(s, i, n) : hex(s, i))
	}
	return t
}

# Whether the byte at i is one of a character that has begun before it.
function is_inner(s, i,   c) {
	c = i > length(s) ? 0 : code[substr(s, i, 1)]
	return c > 127 && c < 192
}

# The first n bytes of a text, or less, so that no character is cut.
function cut(s, n) {
	while (n > 0 && is_inner(s, n + 1))
		n--
	return substr(s, 1, n)
}

# The last n bytes, in the same way.
function ending(s, n,   i) {
	for (i = length(s) - n + 1; is_inner(s, i); i++)
		;
	return substr(s, i)
}

# How wide a text is, in letters of a common width: those of Asia are twice as wide.
function letters(s,   i, c, n) {
	for (i = 1; i <= length(s); i++) {
		c = code[substr(s, i, 1)]
		n += (c < 128 || c > 191) + (c > 226 && c != 238)
	}
	return n + 0
}

# How wide the wider one of two texts is, in letters.
function widest(s, t) {
	s = letters(s)
	t = letters(t)
	return s > t ? s : t
}

# A name or title for gnuplot.
function quoted(s) {
	return literal(legible(s))
}

# A text for gnuplot.  Between single quotes it sees nothing special but a single
# quote; so these are not there, but what the variable quote has.
function literal(s,   i, n, part, t) {
	n = split(s, part, "\047")
	t = "\047" part[1] "\047"
	for (i = 2; i <= n; i++)
		t = t ".quote.\047" part[i] "\047"
	return t
}

# The size of the picture, in points, for a key of so many rows, whose longest name
# has so many letters, and texts that go across and upwards.  Where these would
# leave no room for the plot, or have none, it is larger.
function canvas(wide, high, rows, longest, across, up) {
	if (across * 9 > wide - 300)
		wide = across * 9 + 300
	if (longest > 30)
		wide += (longest - 30) * 8.5
	if (up * 9 > high - 120)
		high = up * 9 + 120
	if (rows * 23 > high - 80)
		high = rows * 23 + 80
	printf "%d %d\n", wide, high >"size"
}

# What has to be the last line of all that is written.
function whole() {
	print "# whole"
	print "# whole" >"data"
	print "# whole" >"size"
}

function fail_at(place, why) {
	print ENVIRON["plot_name"] ": " shown(place ": " why) >"/dev/stderr"
	failed = 1
	exit 65
}

function fail(why) {
	fail_at(table ":" start, why)
}

# A cell or the name of a column, as it stands in a message.
function said(s) {
	return cut(s, 60)
}

function split_record(text,   rest, at, value) {
	cells = 0
	rest = text
	for (;;) {
		value = ""
		at = 0
		if (rest ~ /^"/) {
			rest = substr(rest, 2)
			while ((at = index(rest, "\"")) > 0) {
				value = value substr(rest, 1, at - 1)
				rest = substr(rest, at + 1)
				if (rest !~ /^"/)
					break
				value = value "\""
				rest = substr(rest, 2)
			}
			if (at == 0)
				return 0
			if (rest !~ /^(\t|$)/)
				fail("text after a quoted cell")
		} else {
			at = index(rest, "\t")
			value = at ? substr(rest, 1, at - 1) : rest
			rest = at ? substr(rest, at) : ""
		}
		cell[++cells] = value
		if (rest == "")
			return 1
		rest = substr(rest, 2)
	}
}

function record(   i) {
	sub(/\r$/, "")
	if (!going_on) {
		if (FNR == 1) {
			columns = 0
			sub(/^\357\273\277/, "")
		}
		if (!columns && /^# /)
			return 0
		start = FNR
		pending = $0
	} else
		pending = pending "\n" $0
	if (index(pending, "\"")) {
		going_on = !split_record(pending)
		if (going_on)
			return 0
	} else
		cells = split(pending, cell, "\t")
	if (columns && cells != columns)
		fail(cells " cells where the header has " columns)
	if (columns) {
		rows++
		return 2
	}
	columns = cells
	rows = 0
	for (i = 1; i <= cells; i++)
		head[i] = cell[i]
	return 1
}

# At the end of the last table.
function finish() {
	if (failed)
		exit 65
	if (going_on)
		fail("quoted cell without end")
	if (!columns)
		fail_at(table, "empty input")
	if (!rows)
		fail_at(table, "no row below the header")
}

# Where the column is that has one of these names, divided by blanks; or 0.
function where(names,   i, n, want) {
	n = split(names, want, " ")
	for (; n; n--)
		for (i = 1; i <= columns; i++)
			if (head[i] == want[n])
				return i
	return 0
}

function is_number(s) {
	return s ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/
}

# Whether a number, as text, is 1e301 or more: gnuplot draws no such numbers right,
# and not every awk reads the larger ones as infinite.
function is_too_large(s,   e, at, point) {
	if (length(s) < 200 && s !~ /[eE][+]?0*[1-9][0-9][0-9]/)
		return 0
	e = 0
	if (at = match(s, /[eE]/)) {
		e = substr(s, at + 1)
		s = substr(s, 1, at - 1)
	}
	point = index(s, ".")
	if (!point)
		point = length(s) + 1
	if (!(at = match(s, /[1-9]/)))
		return 0
	# The first digit above 0 counts ten to the e.
	if (e ~ /[1-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]/)
		return e !~ /^-/
	return e + point - at - (at < point) > 300
}

# The number in column c, as it stands there.
function number(c) {
	return number_at(cell[c], table ":" start, head[c])
}

function number_at(s, place, column) {
	if (!is_number(s))
		fail_at(place, "column \"" said(column) "\": not a number: \047" \
			said(s) "\047")
	if (is_too_large(s))
		fail_at(place, "column \"" said(column) \
			"\": too large to draw: \047" said(s) "\047")
	return s
}

function abs(x) {
	return (x < 0 ? -x : x) + 0
}

# The natural logarithm of x > 0: an awk may be built without it.
function ln(x,   two, z, term, i) {
	for (; x >= 1.5; two++)
		x /= 2
	for (; x < .75; two--)
		x *= 2
	z = (x - 1) / (x + 1)
	x = 0
	term = 2 * z
	for (i = 1; i < 40; i += 2) {
		x += term / i
		term *= z * z
	}
	return x + two * .69314718055994531
}
