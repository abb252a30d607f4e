# What the kith-plot-* scripts share; they source it, after they have set $name
# and defined usage().  In this order a script calls
#
#	plot_options SPEC "$@"      to read its options, and the operand
#	plot_start                  when they are right: from here on it may draw
#	plot_read FILE AWK...       to write "$plot_dir/body", the gnuplot commands
#	plot_draw WIDTH HEIGHT      to draw them
#
# Commands and data are read with "$plot_dir" as working directory, so that no name
# of a user's is ever part of a gnuplot command.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # variables of the script, and for it

# Text as one line, unprintable bytes as \xHH.
plot_shown() {
	printf %s "$1" | LC_ALL=C awk "$plot_kit"'
		{ text = text (NR > 1 ? "\n" : "") $0 }
		END { printf "%s", shown(text) }'
}

plot_die() { # STATUS MESSAGE
	printf '%s: %s\n' "$name" "$(plot_shown "$2")" >&2
	exit "$1"
}

plot_misuse() {
	printf "%s: %s\ntry '%s --help'\n" "$name" "$(plot_shown "$1")" "$name" >&2
	exit 2
}

# Find the option $1 in the words of $plot_spec: its variable, and whether it
# takes a value.
plot_find() {
	for plot_form in $plot_spec; do
		plot_takes=${plot_form##*[!:]}
		plot_form=${plot_form%:}
		plot_variable=${plot_form##*/}
		plot_form=${plot_form%/*}
		case $1 in
		"-${plot_form%/*}" | "--${plot_form#*/}") return ;;
		esac
	done
	plot_misuse "unknown option '$1'"
}

plot_operand() {
	[ -z "${table+set}" ] || plot_misuse 'one table at a time'
	table=$1
}

# Read the words that follow SPEC into variables.  SPEC has a word for each
# option, LETTER/LONG/VARIABLE, and a colon behind it where a value is due; one
# without a value becomes 1.  -o, -t and -h are there for all.  The operand
# becomes $table, which is - when there is none.
plot_options() {
	plot_spec="o/output/picture: t/title/title: h/help/help $1"
	shift
	while [ $# -gt 0 ]; do
		plot_word=$1
		shift
		case $plot_word in
		--)
			for plot_word; do plot_operand "$plot_word"; done
			break
			;;
		--*)
			plot_key=${plot_word%%=*}
			plot_rest=${plot_word#"$plot_key"}
			;;
		-?*)
			plot_rest=${plot_word#-?}
			plot_key=${plot_word%"$plot_rest"}
			;;
		*)
			plot_operand "$plot_word"
			continue
			;;
		esac
		plot_find "$plot_key"
		plot_value=1
		if [ -z "$plot_takes" ]; then
			case $plot_key$plot_rest in
			--*=*) plot_misuse "$plot_key takes no value" ;;
			esac
			[ -z "$plot_rest" ] || set -- "-$plot_rest" "$@"
		elif [ -n "$plot_rest" ]; then
			case $plot_key in
			--*) plot_value=${plot_rest#=} ;;
			*) plot_value=$plot_rest ;;
			esac
		else
			[ $# -gt 0 ] || plot_misuse "$plot_key needs a value"
			plot_value=$1
			shift
		fi
		if [ "$plot_variable" = help ]; then
			usage 2>/dev/null || plot_die 74 '<stdout>: cannot be written'
			exit 0
		fi
		eval "$plot_variable=\$plot_value"
	done
	table=${table:--}
}

plot_whole() { # OPTION VALUE MOST
	case $2 in
	'' | *[!0-9]* | 0* | ?????????*) ;;
	*) [ "$2" -gt "$3" ] || return 0 ;;
	esac
	plot_misuse "bad $1: '$2' (a whole number from 1 to $3)"
}

plot_is_readable() { # FILE
	[ "$1" != - ] || return 0
	[ -e "$1" ] || plot_die 66 "$1: No such file or directory"
	[ ! -d "$1" ] || plot_die 66 "$1: Is a directory"
	[ -r "$1" ] || plot_die 66 "$1: Permission denied"
}

# Judge the name of the picture, find gnuplot, and make $plot_dir.
plot_start() {
	case ${picture:-} in
	*.png | *.svg) ;;
	*) plot_misuse 'give -o FILE, a name that ends in .png or .svg' ;;
	esac
	plot_is_readable "$table"
	command -v gnuplot >/dev/null || plot_die 69 'gnuplot is not installed'
	plot_part=''
	plot_dir=$(mktemp -d)
	trap 'rm -rf "$plot_dir" ${plot_part:+"$plot_part"}' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# Copy a table, - or FILE, to $plot_dir/NAME, unpacked.
plot_copy() { # FILE NAME
	plot_from=$1
	[ "$1" != - ] || plot_from='<stdin>'
	{
		case $1 in
		-) cat ;;
		*) cat <"$1" ;;
		esac >"$plot_dir/in"
	} 2>/dev/null || plot_die 66 "$plot_from: cannot be read"
	# To gzip an empty file would be a mistake.
	if [ -s "$plot_dir/in" ]; then
		gzip -cdf <"$plot_dir/in" >"$plot_dir/$2" 2>/dev/null ||
			plot_die 65 "$plot_from: not a valid gzip file"
	else
		: >"$plot_dir/$2"
	fi
}

# Run awk on tables of $plot_dir; what it prints are the gnuplot commands.  Texts of
# the user's are in the environment, where awk does not take them for more.
plot_read() { # PROGRAM NAME...
	plot_program=$plot_kit$1
	shift
	plot_status=0
	(cd "$plot_dir" && LC_ALL=C plot_name=$name plot_table=$table \
		plot_title=${title:-} awk "$plot_program" "$@" >body) || plot_status=$?
	[ "$plot_status" -eq 0 ] || exit "$plot_status"
}

# Draw $plot_dir/body.  The picture appears under its name when it is whole.
plot_draw() { # WIDTH HEIGHT, in points
	case $picture in
	*.png) plot_terminal="pngcairo size $(($1 * 4 / 3)),$(($2 * 4 / 3)) fontscale 1.2 linewidth 1.3 pointscale 2" ;;
	*) plot_terminal="svg size $1,$2 font 'Helvetica,14' background '#FFFFFF'" ;;
	esac
	{
		cat <<-END
			set terminal $plot_terminal noenhanced
			set output 'picture'
			set encoding utf8
			set border 3
			set tics nomirror out
			set key outside right top Left reverse noenhanced samplen 2.5
			set style fill solid noborder
		END
		# Bytes that are no UTF-8 would not be well-formed in an SVG.
		iconv -c -f UTF-8 -t UTF-8 "$plot_dir/body" || :
	} >"$plot_dir/script"
	(cd "$plot_dir" && gnuplot script >log 2>&1 && [ -s picture ]) || {
		sed -n 1,5p "$plot_dir/log" >&2
		plot_die 74 "$picture: gnuplot failed"
	}
	plot_place 2>"$plot_dir/log" ||
		plot_die 74 "$picture: $(sed -n '1s/.*: //p' "$plot_dir/log")"
}

# Bring the picture to its place: into a device or pipe that is there already,
# else through a file of its own, with the mode of a new one.
plot_place() {
	if [ -e "$picture" ] && [ ! -f "$picture" ]; then
		cat "$plot_dir/picture" >"$picture"
		return
	fi
	plot_target=$picture
	[ ! -L "$picture" ] || plot_target=$(readlink -f -- "$picture") || return
	plot_part=$(mktemp -- "$(dirname -- "$plot_target")/.$(
		basename -- "$plot_target"
	).XXXXXX") || return
	cat "$plot_dir/picture" >"$plot_part" && chmod '=rw' "$plot_part" &&
		mv -f -- "$plot_part" "$plot_target" || return
	plot_part=''
}

# What the awk programs share.  record() takes each line; it returns 0 while a
# cell goes on in the next line, 1 for the header, 2 for a row, whose cells are
# then in cell[1..cells] and the header's in head[1..columns].
# shellcheck disable=SC2016 # awk
plot_kit='
BEGIN {
	split("#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #7F3C8D",
		colour, " ")            # of Okabe and Ito, without yellow
	split("5 7 9 13 4 6 8 12", mark, " ")
	grey = "#BBBBBB"
	table = ENVIRON["plot_table"]
	if (table == "-")
		table = "<stdin>"
	for (plot_i = 1; plot_i < 256; plot_i++)
		code[sprintf("%c", plot_i)] = plot_i
	if (ENVIRON["plot_title"] != "")
		print "set title " quoted(ENVIRON["plot_title"])
}

# Text as one line, unprintable bytes as \xHH.
function shown(s,   i, c, t) {
	if (s !~ /[\001-\037\177]/)
		return s
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		t = t (c ~ /[\001-\037\177]/ ? sprintf("\\x%02X", code[c]) : c)
	}
	return t
}

# Text of at most n bytes, cut between two characters.
function cut(s, n) {
	if (length(s) <= n)
		return s
	while (n > 0 && substr(s, n + 1, 1) ~ /[\200-\277]/)
		n--
	return substr(s, 1, n) "..."
}

function fail_at(place, why) {
	printf "%s: %s: %s\n", ENVIRON["plot_name"], shown(place), why >"/dev/stderr"
	failed = 1
	exit 65
}

function fail(why) {
	fail_at(table ":" start, why)
}

# A text between single quotes, in which gnuplot sees nothing special.
function quoted(s) {
	gsub(/[\001-\037\177]/, " ", s)
	gsub(/\047/, "\047\047", s)
	return "\047" s "\047"
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

# The number in column c, as it stands there.
function number(c) {
	if (!is_number(cell[c]))
		fail("column \"" cut(shown(head[c]), 60) "\": not a number: \047" \
			cut(shown(cell[c]), 60) "\047")
	return cell[c]
}

function abs(x) {
	return x < 0 ? -x : x
}
'
