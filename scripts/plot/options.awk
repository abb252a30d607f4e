# SPDX-License-Identifier: BSD-2-Clause
# The help of a script, as its --help prints it, -> the table of --help=tsv, which the
# commands in C print, too: option, argument, type, heading, words.
#
# An option is a line "  -o, --output FILE     words", two blanks or more before its words;
# lines of 24 blanks continue them; a line that ends in a colon is a heading.
BEGIN { print "option\targument\ttype\theading\twords" }
/^[A-Z].*:$/ {
	end_option()
	heading = substr($0, 1, length($0) - 1)
	next
}
heading != "Examples" && /^  (    )?-/ {
	end_option()
	sub(/^ +/, "")
	at = match($0 "  ", /  /)
	option = substr($0, 1, at - 1)
	words = substr($0, at)
	argument = type = ""
	if (option ~ /\[=/) {
		argument = substr(option, index(option, "=") + 1)
		sub(/\]/, "", argument)
		sub(/\[.*/, "", option)
		type = "optional"
	} else if (match(option, / [^- ][^ ]*$/)) {
		argument = substr(option, RSTART + 1)
		option = substr(option, 1, RSTART - 1)
	}
	next
}
/^                        / {
	words = words " " $0
	next
}
{ end_option() }
END { end_option() }

function end_option() {
	if (option == "")
		return
	gsub(/ +/, " ", words)
	sub(/^ /, "", words)
	if (type == "")
		type = argument == "" ? "flag" : argument == "N" ? "count" : argument == "FILE" ? "file" : \
		    argument == "COL" ? "column" : argument == "A,B" ? "columns" : \
		    argument ~ /\|/ ? "choice" : "text"
	print option "\t" argument "\t" type "\t" heading "\t" words
	option = ""
}
