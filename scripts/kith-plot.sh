# SPDX-License-Identifier: BSD-2-Clause
# What the kith-plot-* scripts share; they source it, after they have set $name,
# $dir, the folder they are in, and $kit, this file, and defined usage().  In this
# order a script calls
#
#	plot_options SPEC "$@"      to read its options, and the operand
#	plot_start                  when they are right: from here on it may draw
#	plot_copy TABLE NAME        to have a table as "$plot_dir/NAME"
#	plot_read AWK NAME...       to write the gnuplot commands, the data, the
#	                            terminal and what is drawn from these
#	plot_draw                   to draw them, in kith-plot.out.sh
#
# Commands and data are read with "$plot_dir" as working directory, so that no name
# of a file of the user's is ever part of a command.  Names from tables and titles
# are texts in single quotes in which gnuplot sees nothing special: see literal()
# in kith-plot.awk.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # variables of the script, and for it

# The installed file has the version here; in a clone VERSION says it.
plot_version=''

# Bytes are bytes, and messages are English, in every locale.
export LC_ALL=C
plot_kit=$(cat "${kit%.sh}.awk" "${kit%.sh}.names.awk")
plot_dir='' plot_part='' plot_child=''
unset plot_size plot_font plot_dpi
# shellcheck source=kith-plot.out.sh
. "${kit%.sh}.out.sh"

# Text as one line, unprintable bytes as \xHH.
plot_shown() {
	printf %s "$1" | awk "$plot_kit"'
		{ text = text (NR > 1 ? "\n" : "") $0 }
		END { printf "%s", shown(text) }'
}

plot_die() { # STATUS MESSAGE
	printf '%s: %s\n' "$name" "$(plot_shown "$2")" >&2
	exit "$1"
}

plot_warn() {
	printf '%s: warning: %s\n' "$name" "$(plot_shown "$1")" >&2
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
# without a value becomes 1.  Those of all pictures are there for all.  The operand
# becomes $table, which is - when there is none.
plot_options() {
	plot_spec="o/output/picture: /size/plot_size: /font-size/plot_font:
		/dpi/plot_dpi: t/title/title: h/help/help V/version/version $1"
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
		case $plot_variable in
		help) plot_tell usage ;;
		version) plot_tell plot_say_version ;;
		esac
		eval "$plot_variable=\$plot_value"
	done
	table=${table:--}
}

plot_say_version() {
	[ -n "$plot_version" ] ||
		plot_version=$(cat "$dir/../VERSION")
	printf '%s %s\n' "$name" "$plot_version"
}

# Print what this function prints, and end.
plot_tell() {
	"$1" 2>/dev/null || plot_die 74 '<stdout>: cannot be written'
	exit 0
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

# Remove what only this run needs.
plot_clean() {
	# shellcheck disable=SC2086 # the signals
	trap '' $plot_signals
	rm -rf -- ${plot_dir:+"$plot_dir"} ${plot_part:+"$plot_part"}
}

# A signal ends the command that runs, and then this script, which the caller sees
# to have died of it.
plot_signals='HUP INT QUIT PIPE ALRM TERM USR2 XCPU VTALRM PROF'
plot_end() { # SIGNAL
	# shellcheck disable=SC2086 # the signals
	trap '' $plot_signals
	[ -z "$plot_child" ] || {
		kill "$plot_child"
		wait "$plot_child"
	} 2>/dev/null || :
	plot_clean
	trap - EXIT "$1"
	kill -s "$1" $$
	exit 131 # Some shells do not die of QUIT.
}

# mktemp, of which no signal leaves a file whose name is not known here.
plot_temporary() { # ARG...
	# shellcheck disable=SC2086 # the signals
	trap '' $plot_signals
	mktemp "$@"
}

# Wait for the last command that was started with &; its status.
plot_await() {
	plot_child=$!
	plot_status=0
	wait "$plot_child" 2>/dev/null || plot_status=$?
	plot_child=''
	return "$plot_status"
}

# The reason that a command gave for its failure in $plot_dir/log, or OTHERWISE.
plot_reason() { # OTHERWISE
	sed -n '1{s/.*: //;p;}' "$plot_dir/log" 2>/dev/null | grep . ||
		printf '%s\n' "$1"
}

# The end, where the files of this run find no room.
plot_no_room() {
	plot_die 74 "${TMPDIR:-/tmp}: $(plot_reason 'cannot be written')"
}

# Judge the name of the picture and its size, find gnuplot, and make $plot_dir.
plot_start() {
	case ${picture:-} in
	*.pdf | *.eps | *.png | *.svg) plot_form=${picture##*.} ;;
	*) plot_misuse 'give -o FILE, a name that ends in .pdf, .eps, .png or .svg' ;;
	esac
	plot_measure
	plot_is_readable "$table"
	command -v gnuplot >/dev/null ||
		plot_die 69 'gnuplot is not installed (Debian: gnuplot-nox)'
	# USR1 changes nothing; a file that grows too large is told by who writes it.
	trap '' USR1 XFSZ
	trap plot_clean EXIT
	for plot_signal in $plot_signals; do
		# shellcheck disable=SC2064 # this signal
		trap "plot_end $plot_signal" "$plot_signal"
	done
	plot_dir=$(plot_temporary -d 2>&1) || {
		plot_made=$plot_dir plot_dir=''
		plot_die 74 "${TMPDIR:-/tmp}: ${plot_made##*: }"
	}
	# Commands that are started with & lose their standard input: it is 3 too.
	exec 3</dev/null
	plot_no_input=''
	if (exec 3<&0) 2>/dev/null; then exec 3<&0; else plot_no_input=1; fi
}

# Copy a table, - or FILE, to $plot_dir/NAME, unpacked.
plot_copy() { # FILE NAME
	case $1 in
	-)
		plot_from='<stdin>'
		[ -z "$plot_no_input" ] || plot_die 66 '<stdin>: cannot be read'
		cat 2>"$plot_dir/log" <&3 >"$plot_dir/in" &
		;;
	*)
		plot_from=$1
		cat 2>"$plot_dir/log" <"$1" >"$plot_dir/in" &
		;;
	esac
	plot_await || case $(cat "$plot_dir/log") in
	'' | *write* | *create* | *' too large' | *'No space left'* | *quota*)
		plot_no_room
		;;
	*) plot_die 66 "$plot_from: $(plot_reason 'cannot be read')" ;;
	esac
	# Not every gzip passes on what it has not packed.
	if [ "$(head -c 2 "$plot_dir/in" 2>/dev/null)" = "$(printf '\037\213')" ]; then
		gzip -dc 2>"$plot_dir/log" <"$plot_dir/in" >"$plot_dir/$2" &
		plot_await || case $(cat "$plot_dir/log") in
		'' | *stdout* | *write*) plot_no_room ;;
		*) plot_die 65 "$plot_from: not a valid gzip file" ;;
		esac
	else
		mv "$plot_dir/in" "$plot_dir/$2"
	fi
}

# Run awk on tables of $plot_dir; what it prints are the gnuplot commands.  Texts of
# the user's are in the environment, where awk does not take them for more.  Not
# every awk says when it cannot write: what is whole ends with a mark.
plot_read() { # PROGRAM NAME...
	plot_program=$plot_kit$1
	shift
	(
		cd "$plot_dir" || exit
		export plot_name="$name" plot_table="$table" plot_title="${title:-}" \
			plot_form plot_font plot_dpi plot_points plot_shape \
			plot_size="${plot_size:-}"
		exec awk "$plot_program" "$@" >body 2>log
	) &
	plot_await || [ "$plot_status" -ne 65 ] || {
		[ ! -s "$plot_dir/misuse" ] || plot_misuse "$(cat "$plot_dir/misuse")"
		cat "$plot_dir/log" >&2
		exit 65
	}
	for plot_file in body data terminal about; do
		[ "$(tail -n 1 "$plot_dir/$plot_file" 2>/dev/null)" = '# whole' ] ||
			plot_no_room
	done
}

