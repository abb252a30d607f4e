# SPDX-License-Identifier: BSD-2-Clause
# Names and titles as kith-plot-* draw them, under LC_ALL=C: texts of bytes.

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
function legible(s) {
	return drawable(length(s) > 200 ? cut(s, 150) "…" ending(s, 47) : s)
}
function drawable(s,   i, n, t) {
	if (s !~ /[^ -~]/)
		return s
	for (i = 1; i <= length(s); i += n ? n : 1) {
		n = character(s, i)
		t = t (n ? substr(s, i, n) : hex(s, i))
	}
	return t
}

# The beginning of a legible text that is at most n letters wide.
function beginning(s, n,   i, k) {
	for (i = 1; i <= length(s); i += k) {
		for (k = 1; is_inner(s, i + k); k++)
			;
		n -= letters(substr(s, i, k))
		if (n < 0)
			break
	}
	return substr(s, 1, i - 1)
}

# The end of it, in the same way.
function tail_of(s, n,   i, k) {
	for (i = length(s); i > 0; i -= k) {
		for (k = 1; is_inner(s, i - k + 1); k++)
			;
		n -= letters(substr(s, i - k + 1, k))
		if (n < 0)
			break
	}
	return substr(s, i + 1)
}

# A legible text of at most n letters: of a longer one the middle is left out.
function narrow(s, n) {
	if (letters(s) <= n)
		return s
	return beginning(s, int(n / 2)) "…" tail_of(s, n - int(n / 2) - 1)
}

# How many bytes two texts have in common at their beginning.
function common(s, t, n) {
	while (n > 0 && substr(s, 1, n) != substr(t, 1, n))
		n--
	while (n > 0 && (is_inner(s, n + 1) || is_inner(t, n + 1)))
		n--
	return n
}

# The names text[1..count] become what is drawn of them, at most n letters wide.
# Where leaving out the middle makes some equal, these show where they begin to
# differ; what is equal then is numbered.
function shorten(text, count, n,   i, s, t, brief, times, example, alike, used) {
	for (i = 1; i <= count; i++) {
		text[i] = drawable(length(text[i]) > 5000 ? \
			cut(text[i], 2500) ending(text[i], 2500) : text[i])
		s = brief[i] = narrow(text[i], n)
		if (!times[s]++) {
			example[s] = text[i]
			alike[s] = length(text[i])
		}
		alike[s] = common(example[s], text[i], alike[s])
	}
	for (i = 1; i <= count; i++) {
		s = t = brief[i]
		if (times[s] > 1 && s != text[i]) {
			t = tail_of(substr(text[i], 1, alike[s]), 2) \
				substr(text[i], alike[s] + 1)
			t = beginning(text[i], int(n / 3)) "…" \
				short_of_end(t, n - int(n / 3) - 1)
		}
		s = t
		for (t = 2; s in used; t++)
			s = narrow(text[i], n - length(t) - 3) " (" t ")"
		used[s]
		text[i] = s
	}
}

# A text of at most n letters: of a longer one the end is left out.
function short_of_end(s, n) {
	return letters(s) <= n ? s : beginning(s, n - 1) "…"
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

# A text in XML.
function xml(s) {
	gsub(/&/, "\\&amp;", s)
	gsub(/</, "\\&lt;", s)
	gsub(/>/, "\\&gt;", s)
	return s
}
