# SPDX-License-Identifier: BSD-2-Clause
# Reads the help of a script, as its --help prints it, from standard input, and prints
#
# * the table of --help=tsv, as the commands in C: option, argument, type, heading, words;
# * with -v kinds='KIND ...', lines of sh for a call, whose words are the operands of awk:
#   a variable for each option, named as its long name (1 for a flag, empty where it is
#   not given), warnings of options that are for other kinds, and set -- KIND OPERAND...;
#   for a wrong call die 2 MESSAGE; for --help and --version print_and_exit FUNCTION.
#
# An option is a line "  -o, --output FILE     words", two blanks or more before its words;
# lines of 24 blanks continue them; a line that ends in a colon is a heading.  A heading
# that names a kind has options for the kinds that it names alone.
BEGIN {
	words = ARGC
	ARGC = 1
	n = split("N count FILE file COL column A,B columns C number", part, " ")
	for (i = 1; i < n; i += 2)
		type_by_argument[part[i]] = part[i + 1]
}
/^[A-Z].*:$/ { heading = substr($0, 1, length($0) - 1) }
!/^                        / { options += is_option = /^  (    )?-/ }
is_option {
	entry[options] = entry[options] $0 "  "
	heading_of[options] = heading
}
END {
	if (kinds == "")
		print "option\targument\ttype\theading\twords"
	for (i = 1; i <= options; i++)
		read_option(i)
	if (kinds != "")
		read_call()
}

function read_option(i,   at, text, n, key, is_optional) {
	gsub(/^ +| +$/, "", entry[i])
	at = match(entry[i], /  +/)
	text = substr(entry[i], at + RLENGTH)
	gsub(/ +/, " ", text)
	n = split(substr(entry[i], 1, at - 1), key, /, | |\[=/)
	is_optional = sub(/\]$/, "", key[n])
	argument[i] = key[n] ~ /^-/ ? "" : key[n--]
	type[i] = is_optional ? "optional" : argument[i] == "" ? "flag" : \
		argument[i] in type_by_argument ? type_by_argument[argument[i]] : \
		argument[i] ~ /\|/ ? "choice" : "text"
	if (kinds == "")
		print (n > 1 ? key[1] ", " : "") key[n] "\t" argument[i] "\t" type[i] "\t" \
			heading_of[i] "\t" text
	option_of[key[1]] = option_of[key[n]] = i
	name[i] = key[n]
	sub(/^-+/, "", name[i])
	gsub(/-/, "_", name[i])
}
function read_call(   i, s, n, key, rest, kind, operands) {
	for (i = 1; i < words; i++) {
		s = ARGV[i]
		if (only_operands || s !~ /^-./) {
			kind = kind == "" ? s : kind
			operands = operands " " quote(s)
			continue
		}
		if (only_operands = s == "--")
			continue
		key = substr(s, 1, s ~ /^--/ ? index(s "=", "=") - 1 : 2)
		rest = substr(s, length(key) + 1) # =VALUE, or what stands behind a short option
		if (!(key in option_of))
			misuse("unknown option \047" key "\047")
		n = option_of[key]
		if (type[n] == "flag" || type[n] == "optional" && rest !~ /^=/) {
			if (rest ~ /^=/)
				misuse(key " takes no value")
			if (rest != "") # -Hn 5 is -H -n 5.
				ARGV[i--] = "-" rest
			rest = type[n] == "flag"
		} else if (rest != "")
			rest = substr(rest, s ~ /^--/ ? 2 : 1)
		else if (++i == words)
			misuse(key " needs a value")
		else
			rest = ARGV[i]
		set_option(key, n, rest)
	}
	end_call(kind, operands)
}
function set_option(key, i, value,   due) {
	if (name[i] == "version" || name[i] == "help" && !value)
		end("print_and_exit " (name[i] == "version" ? "print_version" : "usage"))
	due = argument[i]
	if (type[i] == "number" && value !~ /^([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/)
		misuse("bad " key ": \047" value "\047 (a number)")
	if (type[i] ~ /choice|optional/ && (value ~ /\|/ || !index("|" due "|", "|" value "|"))) {
		sub(/\|/, " or ", due)
		misuse("bad " key ": \047" value "\047 (" due ")")
	}
	if (name[i] == "help")
		end("print_and_exit print_options")
	value_of[i] = value
	given[++n_given] = key
}
function end_call(kind, operands,   i, list, heading) {
	list = kinds
	sub(/ [^ ]+$/, " or&", list)
	if (kind == "" || !index(" " kinds " ", " " kind " "))
		misuse(kind == "" ? "give a KIND: " list : "no KIND \047" kind "\047 (" list ")")
	for (i = 1; i <= n_given; i++) {
		heading = tolower(heading_of[option_of[given[i]]])
		if (heading !~ "^(all kinds|common)$|(^| )" kind "(,|$| )")
			print "say " quote("warning: " given[i] " is not used: " kind " has no such option")
	}
	for (i = 1; i <= options; i++)
		print name[i] "=" quote(value_of[i])
	print "set --" operands
}
function misuse(message) {
	end("die 2 " quote(message))
}
function end(line) {
	print line
	exit
}
# A text as sh reads it.
function quote(s) {
	gsub(/\047/, "\047\"\047\"\047", s)
	return "\047" s "\047"
}
