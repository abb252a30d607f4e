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
	for (i = 1; i < ARGC; i++)
		word[i] = ARGV[i]
	words = ARGC - 1
	ARGC = 1
	split("N count FILE file COL column A,B columns C number", part, " ")
	for (i = 1; i < 11; i += 2)
		type_by_argument[part[i]] = part[i + 1]
	if (kinds == "")
		print "option\targument\ttype\theading\twords"
}
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
	text = substr($0, at)
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
	text = text " " $0
	next
}
{ end_option() }
END {
	end_option()
	if (kinds != "")
		parse_call()
}

function end_option(   i, n, key, variable) {
	if (option == "")
		return
	gsub(/ +/, " ", text)
	sub(/^ /, "", text)
	if (type == "")
		type = argument == "" ? "flag" : argument in type_by_argument ? \
			type_by_argument[argument] : argument ~ /\|/ ? "choice" : "text"
	if (kinds == "")
		print option "\t" argument "\t" type "\t" heading "\t" text
	n = split(option, key, ", ")
	variable = key[n]
	sub(/^-+/, "", variable)
	gsub(/-/, "_", variable)
	for (i = 1; i <= n; i++)
		variable_of[key[i]] = variable
	name[++options] = variable
	type_of[variable] = type
	choices[variable] = argument
	heading_of[variable] = tolower(heading)
	option = ""
}
function parse_call(   i, s, at, is_long, is_joined, key, value, only_operands, operands, kind) {
	for (i = 1; i <= words; i++) {
		s = word[i]
		if (only_operands || s !~ /^-./) {
			kind = kind == "" ? s : kind
			operands = operands " " quote(s)
			continue
		}
		if (s == "--") {
			only_operands = 1
			continue
		}
		is_long = s ~ /^--/
		at = is_long ? index(s "=", "=") : 3
		is_joined = at <= length(s)
		key = substr(s, 1, at - 1)
		value = substr(s, at + is_long)
		if (!(key in variable_of))
			misuse("unknown option \047" key "\047")
		type = type_of[variable_of[key]]
		if (type == "flag" || type == "optional" && !(is_long && is_joined)) {
			if (is_joined && is_long)
				misuse(key " takes no value")
			if (is_joined) # -Hn 5 is -H -n 5.
				word[i--] = "-" value
			value = type == "flag" ? 1 : ""
		} else if (!is_joined) {
			if (i == words)
				misuse(key " needs a value")
			value = word[++i]
		}
		add_option(key, variable_of[key], value)
	}
	end_call(kind, operands)
}
function add_option(key, variable, value,   i, n, choice) {
	if (variable == "version" || variable == "help" && value == "")
		print_and_exit(variable == "version" ? "print_version" : "usage")
	if (variable == "help" && value == choices["help"])
		print_and_exit("print_options")
	type = type_of[variable]
	if (type == "number" && value !~ /^([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/)
		misuse("bad " key ": \047" value "\047 (a number)")
	if (type == "choice" || type == "optional") {
		n = split(choices[variable], choice, "|")
		for (i = 1; i <= n && value != choice[i]; i++)
			;
		sub(/\|/, " or ", choices[variable])
		if (i > n)
			misuse("bad " key ": \047" value "\047 (" choices[variable] ")")
	}
	value_of[variable] = value
	given[++n_given] = key
}
function end_call(kind, operands,   i, list, heading) {
	list = kinds
	sub(/ [^ ]+$/, " or&", list)
	if (kind == "")
		misuse("give a KIND: " list)
	if (!index(" " kinds " ", " " kind " "))
		misuse("no KIND \047" kind "\047 (" list ")")
	for (i = 1; i <= n_given; i++) {
		heading = " " heading_of[variable_of[given[i]]] " "
		gsub(/,/, " ", heading)
		if (heading !~ /^ (all kinds|common) $/ && !index(heading, " " kind " "))
			print "warn " quote(given[i] " is not used: " kind " has no such option")
	}
	for (i = 1; i <= options; i++)
		print name[i] "=" quote(value_of[name[i]])
	print "set --" operands
}
function print_and_exit(what) {
	print "print_and_exit " what
	exit
}
function misuse(message) {
	print "die 2 " quote(message)
	exit
}
# A text as sh reads it.
function quote(s) {
	gsub(/\047/, "\047\"\047\"\047", s)
	return "\047" s "\047"
}
