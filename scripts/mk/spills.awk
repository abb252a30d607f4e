# SPDX-License-Identifier: BSD-2-Clause
# spills.awk - of a disassembly (objdump -d --no-show-raw-insn) of x86-64: innermost loops in
# which more than one vector instruction in LIMIT moves a register to a place on the stack that
# the loop reads: object, function, moves, vector instructions.  So does a vector that is wider
# than the registers of the level, and that lives from turn to turn (la/vector.h).
BEGIN { LIMIT = 7 }
/file format/ { finish(); object = $1 }
/^[0-9a-f]+ <.*>:$/ { finish(); name = $2; frame = "rsp" }
/mov +%rsp,%rbp/ { frame = "r[sb]p" }
/^ +[0-9a-f]+:\t/ {
	address[++n] = number(substr($1, 1, length($1) - 1))
	text[n] = $3
	vector[n] = /%[xyz]mm/
	place[n] = match($3, "-?(0x[0-9a-f]+)?\\(%" frame "\\)") ? substr($3, RSTART, RLENGTH) : ""
	stores[n] = vector[n] && place[n] != "" && RSTART + RLENGTH > length($3)
	if ($2 ~ /^j/ && $3 ~ /^[0-9a-f]+$/ && number($3) <= address[n]) {
		from[++loops] = number($3)
		to[loops] = n
	}
}
END {
	finish()
	exit found
}

function number(hex, i, value) {
	while (i++ < length(hex))
		value = 16 * value + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return value
}

# The first instruction of loop a; 0 where another loop is inside of it.
function begin(a, b, i) {
	for (b = 1; b <= loops; b++)
		if (b != a && from[b] >= from[a] && to[b] <= to[a])
			return 0
	for (i = to[a]; i > 1 && address[i - 1] >= from[a];)
		i--
	return i
}

function finish(a, i, first, moves, vectors, read) {
	for (a = 1; a <= loops; a++) {
		if (!(first = begin(a)))
			continue
		split("", read)
		for (i = first; i <= to[a]; i++)
			read[place[i]] += vector[i] && !stores[i]
		for (i = first + (moves = vectors = 0); i <= to[a]; i++) {
			moves += stores[i] && read[place[i]] > 0
			vectors += vector[i]
		}
		if (LIMIT * moves > vectors) {
			print object, name, moves, vectors
			found = 1
		}
	}
	n = loops = 0
}
