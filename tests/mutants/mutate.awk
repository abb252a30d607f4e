# SPDX-License-Identifier: BSD-2-Clause
# awk -f mutate.awk -v seed=S FILE... - each mutant of C sources, a line each, in
# an order that seed draws and that does not depend on where in a file a line is:
#
#	HASH	FILE	LINE	OLD	NEW	WHICH
#
# OLD and NEW are the line before and after, without its indent; WHICH counts those
# of a file that are the same.  Only lines
# inside functions are changed, by one of: a comparison becomes its neighbour,
# && and || change places, as do + and -, * and /; + 1 and - 1 go; a number of one
# digit grows by one; a statement is dropped.

BEGIN {
	for (i = 32; i < 127; i++)
		code[sprintf("%c", i)] = i
	# What, inside blanks, becomes what.
	n = split("< <= > >= == != && || + - * / += -= <= >=", from, " ")
	split("<= < >= > != == || && - + / * -= += > <", to, " ")
}

FNR == 1 { inside = comment = 0 }

# A hash of text, below 2^31.
function hash(s, h, i) {
	h = seed + 7
	for (i = 1; i <= length(s); i++)
		h = (h * 131 + code[substr(s, i, 1)]) % 2147483647
	return h * 48271 % 2147483647
}

# The second of two lines that are the same is another mutant.
function mutant(new, text, which) {
	if (new == old)
		return
	text = FILENAME " " old " " new
	which = ++seen[text]
	# The last characters leave a hash next to where it was.
	printf "%d\t%s\t%d\t%s\t%s\t%d\n", hash(which " " text), FILENAME,
		FNR, old, new, which
}

# Each place of a word between blanks.
function replace(word, by, at, i) {
	for (at = 1; (i = index(substr(old, at), " " word " ")); at += i)
		mutant(substr(old, 1, at + i - 1) by \
			substr(old, at + i + length(word)))
}

function drop_ones(at, rest) {
	rest = old
	for (at = 0; match(rest, / [-+] 1[^0-9.x]/); ) {
		mutant(substr(old, 1, at + RSTART - 1) \
			substr(old, at + RSTART + 4))
		at += RSTART + 3
		rest = substr(old, at + 1)
	}
}

function grow_digits(at, rest, d) {
	rest = old
	for (at = 0; match(rest, /[ (\[][0-9][];,) ]/); ) {
		d = substr(old, at + RSTART + 1, 1)
		mutant(substr(old, 1, at + RSTART) d + 1 \
			substr(old, at + RSTART + 2))
		at += RSTART + 1
		rest = substr(old, at + 1)
	}
}

/^[{]/ { inside = 1; last = ""; next }
/^[}]/ { inside = 0 }
/^[ \t]*\/\*/ { comment = 1 }
comment {
	if (/\*\//)
		comment = 0
	next
}
!inside || /^#/ || /"/ || /assert\(|static const/ { next }
{
	old = $0
	gsub(/\t/, " ", old)
	sub(/^ */, "", old)
	sub(/ *\/\*.*/, "", old)
	# Declarations have none of their own but initial values.
	for (i = 1; i <= n; i++)
		if (from[i] != "*" || old !~ /^(const |struct |double |char |size_t |int )[^=]*$/)
			replace(from[i], to[i])
	drop_ones()
	grow_digits()
	# A whole statement that is no jump or declaration.
	whole = last ~ /(^|[;{}:)]|else|do)$/
	last = old
	if (whole && old ~ /^[a-z(*][^=;]*( [-+*\/|&]?= [^;]*|\([^;]*\)|[+][+]|--);$/ &&
		old !~ /^(return|if|for|while|do|else|case|\(void\))/ &&
		old !~ /^(const|static|struct|enum|unsigned|int|char|bool|double|float|long|[a-z0-9]+_t|FILE) / &&
		parens(old) == 0)
		mutant(";")
}

function parens(s, l, r) {
	l = gsub(/\(/, "", s)
	r = gsub(/\)/, "", s)
	return l - r
}
