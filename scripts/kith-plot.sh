# What the kith-plot-* scripts share; they source it, after they have set $name,
# $dir, the folder they are in, and $kit, this file, and defined usage().  In this
# order a script calls
#
#	plot_options SPEC "$@"      to read its options, and the operand
#	plot_start                  when they are right: from here on it may draw
#	plot_copy TABLE NAME        to have a table as "$plot_dir/NAME"
#	plot_read AWK NAME...       to write the gnuplot commands, the data and the
#	                            size of the picture from these
#	plot_draw                   to draw them
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
plot_kit=$(cat "${kit%.sh}.awk")
plot_dir='' plot_part='' plot_child=''

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
# without a value becomes 1.  -o, -t, -h and -V are there for all.  The operand
# becomes $table, which is - when there is none.
plot_options() {
	plot_spec="o/output/picture: t/title/title: h/help/help V/version/version $1"
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

# Judge the name of the picture, find gnuplot, and make $plot_dir.
plot_start() {
	case ${picture:-} in
	*.png | *.svg) ;;
	*) plot_misuse 'give -o FILE, a name that ends in .png or .svg' ;;
	esac
	plot_is_readable "$table"
	command -v gnuplot >/dev/null || plot_die 69 'gnuplot is not installed'
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
		export plot_name="$name" plot_table="$table" plot_title="${title:-}"
		exec awk "$plot_program" "$@" >body 2>log
	) &
	plot_await || [ "$plot_status" -ne 65 ] || {
		cat "$plot_dir/log" >&2
		exit 65
	}
	for plot_file in body data size; do
		[ "$(tail -n 1 "$plot_dir/$plot_file" 2>/dev/null)" = '# whole' ] ||
			plot_no_room
	done
}

# Draw $plot_dir/body.  The picture appears under its name when it is whole.
plot_draw() {
	read -r plot_wide plot_high <"$plot_dir/size"
	case $picture in
	*.png) plot_terminal="pngcairo size $((plot_wide * 4 / 3)),$((plot_high * 4 / 3)) fontscale 1.2 linewidth 1.3 pointscale 2" ;;
	*) plot_terminal="svg size $plot_wide,$plot_high font 'Helvetica,14' background '#FFFFFF'" ;;
	esac
	cat >"$plot_dir/script" <<-END
		set terminal $plot_terminal noenhanced
		set output 'picture'
		set encoding utf8
		set border 3
		set tics nomirror out
		set key outside right top Left reverse noenhanced samplen 2.5
		set style fill solid noborder
		quote = sprintf('%c', 39)
		load 'body'
	END
	(cd "$plot_dir" && exec gnuplot -d script >log 2>&1) &
	plot_await || {
		sed -n 1,5p "$plot_dir/log" >&2
		plot_die 74 "$picture: gnuplot failed"
	}
	plot_finish 2>"$plot_dir/log" || plot_no_room
	plot_warning=''
	plot_place 2>"$plot_dir/log" ||
		plot_die 74 "$picture: $(plot_reason 'cannot be written')"
	[ -z "$plot_warning" ] ||
		printf '%s: warning: %s\n' "$name" "$(plot_shown "$plot_warning")" >&2
}

# Bring the picture to its last form; fails if it ends too early, of which gnuplot
# says nothing.
plot_finish() {
	case $picture in
	*.png)
		[ "$(tail -c 12 "$plot_dir/picture" | od -An -tx1 | tr -d ' \n')" = \
			0000000049454e44ae426082 ]
		;;
	*)
		# Three characters that must not follow each other in the text of XML.
		sed 's/]]>/]]\&gt;/g' "$plot_dir/picture" >"$plot_dir/whole" &&
			mv "$plot_dir/whole" "$plot_dir/picture" || return
		case $(tail -c 8 "$plot_dir/picture") in
		*'</svg>') ;;
		*) return 1 ;;
		esac
		;;
	esac
}

# Bring the picture to its place: into a device or pipe that is there already,
# else through a file of its own beside it, which has the mode of what it replaces,
# or of a new file.
plot_place() {
	if [ -e "$picture" ] && [ ! -f "$picture" ]; then
		cat "$plot_dir/picture" >"$picture" &
		plot_await
		return
	fi
	plot_target=$picture
	[ ! -L "$picture" ] || plot_target=$(readlink -f -- "$picture") || return
	case $plot_target in
	*/*) ;;
	*) plot_target=./$plot_target ;;
	esac
	plot_base=$(printf %.200s "${plot_target##*/}")
	plot_part=$(plot_temporary "${plot_target%/*}/.$plot_base.XXXXXX") || return
	plot_mode=''
	if [ -e "$plot_target" ]; then
		plot_replace || return
	else
		# One that has the mode and access list of a new file.
		rm -f -- "$plot_part" && (set -C && : >"$plot_part") || return
	fi
	dd bs=65536 conv=fsync of="$plot_part" <"$plot_dir/picture" &
	plot_await && { [ -z "$plot_mode" ] || chmod "$plot_mode" -- "$plot_part"; } &&
		mv -f -- "$plot_part" "$plot_target" || return
	plot_part=''
}

# Give $plot_part the owner, group and access list of $plot_target, which it is to
# replace; $plot_mode is the mode for the end.  What cannot be kept widens nobody's
# rights: who was the owner, or of the group, may be one of the others now.
plot_replace() {
	[ -w "$plot_target" ] || { echo 'Permission denied' >&2 && return 1; }
	plot_mode=$(stat -c %a -- "$plot_target") || return
	plot_lost=''
	# The access list comes with the content, which is written anew.
	cp -p -- "$plot_target" "$plot_part" 2>/dev/null ||
		! { plot_is_listed "$plot_target" || plot_is_listed "$plot_part"; } || {
		plot_lost=', access list'
		plot_narrow 0
	}
	chmod 600 -- "$plot_part" || return
	plot_kept %g || {
		plot_lost=", group$plot_lost"
		plot_narrow $((0$plot_mode >> 3 & 0$plot_mode & 7))
		# With a list the bits of the group are its mask, and tell nothing.
		! plot_is_listed "$plot_target" || plot_narrow 0
	}
	plot_kept %u || {
		plot_lost=", owner$plot_lost"
		plot_narrow $((0$plot_mode >> 6 & 7))
	}
	[ -z "$plot_lost" ] ||
		plot_warning="$picture: not kept of the old file: ${plot_lost#, }"
}

# Whether the two have the same owner or group: FORMAT is for stat.
plot_kept() { # FORMAT
	[ "$(stat -c "$1" -- "$plot_part")" = "$(stat -c "$1" -- "$plot_target")" ]
}

# Take from $plot_mode what group and others have beyond the three bits $1.
plot_narrow() { # BITS
	plot_mode=$(printf %o $((0$plot_mode & (0700 | ($1) << 3 | ($1)))))
}

# Whether a file has an access list: ls marks the mode with a +.
plot_is_listed() { # FILE
	case $(ls -ld -- "$1") in
	??????????+*) ;;
	*) return 1 ;;
	esac
}
