# SPDX-License-Identifier: BSD-2-Clause
# How the scripts kith-plot-* draw, finish and place their picture; kith-plot.sh
# sources it.
# shellcheck shell=sh
# shellcheck disable=SC2154 # variables of kith-plot.sh

# A length as points, or nothing: a number and cm, mm, in or pt.
plot_length() { # TEXT
	printf '%s\n' "$1" | awk '
		/^[0-9]+([.][0-9]+)?(cm|mm|in|pt)$/ && length($0) < 12 {
			unit = substr($0, length($0) - 1)
			split("cm mm in pt", of, " ")
			split("28.346457 2.8346457 72 1", points, " ")
			for (i = 1; i <= 4; i++)
				if (of[i] == unit)
					printf "%.3f", $0 * points[i]
		}'
}

# Judge --size, --font-size and --dpi.  $plot_points are the width and height in
# points, or nothing; $plot_shape is what an SVG says of them.
plot_measure() {
	plot_points='' plot_shape=''
	case ${plot_font=$([ "${plot_size+set}" ] && echo 8 || echo 10.5)} in
	'' | *[!0-9.]* | *.*.* | .* | *. | ??????*) plot_font_is='' ;;
	*) plot_font_is=$(awk -v f="$plot_font" 'BEGIN { print (f >= 4 && f <= 40) }') ;;
	esac
	[ "$plot_font_is" = 1 ] ||
		plot_misuse "bad --font-size: '$plot_font' (points, from 4 to 40)"
	if [ "${plot_size+set}" ]; then
		plot_wide=$(plot_length "${plot_size%%,*}")
		plot_high=$(plot_length "${plot_size#*,}")
		case $plot_size in
		*,*) ;;
		*) plot_wide='' ;;
		esac
		[ -n "$plot_high" ] || plot_wide=''
		[ -n "$plot_wide" ] ||
			plot_misuse "bad --size: '$plot_size' (as 8cm,6cm; units are cm, mm, in and pt)"
		plot_points="$plot_wide $plot_high"
		# shellcheck disable=SC2034 # for awk
		plot_shape="${plot_size%%,*} ${plot_size#*,}"
		[ "$(echo "$plot_points $plot_font" | awk '
			{ print ($1 >= 20 * $3 && $2 >= 14 * $3 && $1 <= 3000 && $2 <= 3000) }
			')" = 1 ] ||
			plot_misuse "--size $plot_size: from 20 x 14 times --font-size ${plot_font}pt up to 3000pt,3000pt"
	fi
	if [ "${plot_dpi+set}" ] && [ "$plot_form" != png ]; then
		plot_warn "--dpi is not used: a picture .$plot_form has no dots"
	fi
	case ${plot_dpi=$([ "${plot_size+set}" ] && echo 300 || echo 128)} in
	'' | *[!0-9]* | 0* | ?????*) ;;
	*) [ "$plot_dpi" -lt 36 ] || [ "$plot_dpi" -gt 1200 ] || plot_is_dpi=1 ;;
	esac
	[ -z "${plot_is_dpi:-}" ] || {
		# More dots than cairo can take.
		[ "$plot_form" != png ] || [ "$(echo "$plot_points $plot_dpi" | awk '
			{ print ($1 * $NF <= 72 * 30000 && $2 * $NF <= 72 * 30000) }')" = 1 ] ||
			plot_misuse "--size $plot_size with --dpi $plot_dpi: more than 30000 dots"
		return 0
	}
	plot_misuse "bad --dpi: '$plot_dpi' (a whole number from 36 to 1200)"
}

# Draw $plot_dir/body.  The picture appears under its name when it is whole.
plot_draw() {
	cat >"$plot_dir/script" <<-'END'
		load 'terminal'
		set output 'picture'
		set encoding utf8
		set border 3
		set tics nomirror out
		unset key
		set style fill solid noborder
		quote = sprintf('%c', 39)
		load 'body'
	END
	# A PDF has the hour it was made, in some zone.
	(cd "$plot_dir" && TZ=UTC0 && export TZ && exec gnuplot -d script >log 2>&1) &
	plot_await || {
		! grep -q 'unknown or ambiguous terminal' "$plot_dir/log" || plot_die 69 \
			"$picture: this gnuplot cannot draw .$plot_form (Debian: gnuplot-nox can)"
		sed -n 1,5p "$plot_dir/log" >&2
		plot_die 74 "$picture: gnuplot failed"
	}
	plot_finish 2>"$plot_dir/log" || plot_no_room
	plot_warning=''
	plot_place 2>"$plot_dir/log" ||
		plot_die 74 "$picture: $(plot_reason 'cannot be written')"
	[ -z "$plot_warning" ] || plot_warn "$plot_warning"
}

# Bring the picture to its last form; fails if it ends too early, of which gnuplot
# says nothing.
plot_finish() {
	case $plot_form in
	png)
		[ "$(tail -c 12 "$plot_dir/picture" | od -An -tx1 | tr -d ' \n')" = \
			0000000049454e44ae426082 ] && plot_finish_png
		;;
	pdf)
		[ "$(tail -c 6 "$plot_dir/picture")" = '%%EOF' ] && plot_finish_pdf
		;;
	eps)
		[ "$(tail -n 1 "$plot_dir/picture")" = '%%EOF' ] && plot_finish_text
		;;
	svg)
		case $(tail -c 8 "$plot_dir/picture") in
		*'</svg>') plot_finish_text ;;
		*) return 1 ;;
		esac
		;;
	esac
}

# What is drawn goes into the head of an SVG or EPS, in place of what gnuplot and
# cairo say; $plot_dir/about has a line for the title, the description and the size.
plot_finish_text() {
	(
		cd "$plot_dir" || exit
		export plot_form
		awk "$plot_kit"'
		BEGIN {
			getline what <"about"
			getline more <"about"
			getline shape <"about"
		}
		# Three characters that must not follow each other in the text of XML.
		form == "svg" { gsub(/]]>/, "]]\\&gt;") }
		form == "svg" { gsub(/<title>gnuplot_plot_[0-9]+[a-z]?<\/title>/, "") }
		form == "svg" && NR < 12 {
			if (/^<title>.*<\/title>$/)
				$0 = "<title>" xml(what) "</title>"
			else if (/^<desc>.*<\/desc>$/)
				$0 = "<desc>" xml(more) "</desc>"
			else if (/^ width="[0-9.]+" height="[0-9.]+"$/)
				$0 = " " shape
		}
		form == "eps" && !told && /^%%CreationDate:/ {
			$0 = "%%Title: " shown(cut(what, 200))
			told = 1
		}
		{ print }' picture >whole && mv whole picture
	)
}

# The hour a PDF was made becomes the first one of 1970: the same table is the same
# bytes.  The file is no text: it is seen without the bytes that no awk may read.
plot_finish_pdf() {
	plot_at=$(tr '\000\200-\377' '.' <"$plot_dir/picture" | awk '
		at = index($0, "/CreationDate (D:") { print n + at + 16; exit }
		{ n += length($0) + 1 }')
	[ -z "$plot_at" ] || printf 19700101000000 |
		dd bs=1 seek="$plot_at" conv=notrunc of="$plot_dir/picture" 2>/dev/null
}

# A PNG says how many dots there are in a metre: a chunk pHYs behind the first one,
# which ends at byte 33.  gzip knows the check sum that it needs.
plot_finish_png() {
	plot_dots=$(((plot_dpi * 10000 + 127) / 254))
	plot_dots=$(plot_octal $((plot_dots >> 16 & 255)) $((plot_dots >> 8 & 255)) \
		$((plot_dots & 255)))
	plot_chunk="pHYs\\000$plot_dots\\000$plot_dots\\001"
	# shellcheck disable=SC2046,SC2059 # words, and escapes
	{
		head -c 33 "$plot_dir/picture"
		printf "\\000\\000\\000\\011$plot_chunk"
		set -- $(printf "$plot_chunk" | gzip -c | tail -c 8 | head -c 4 | od -An -tu1)
		printf "$(plot_octal "$4" "$3" "$2" "$1")"
		tail -c +34 "$plot_dir/picture"
	} >"$plot_dir/whole" && mv "$plot_dir/whole" "$plot_dir/picture"
}

plot_octal() { # BYTE...
	printf '\\%03o' "$@"
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
	# Where there is none, some versions of cp leave that of a new file.
	if plot_is_listed "$plot_part" && ! plot_is_listed "$plot_target"; then
		setfacl -b -- "$plot_part" 2>/dev/null || {
			plot_lost=', access list'
			plot_narrow 0
		}
	fi
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
