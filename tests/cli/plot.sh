# SPDX-License-Identifier: BSD-2-Clause
# Sourced by the tests of pictures, after tap.sh.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # for the tests, and from tap.sh
kinds='path weights heatmap error confusion graph ranks'
PATH=$root/scripts:$PATH
try="try 'kith-plot --help'$nl"

# need_gnuplot: end here unless it is there.
need_gnuplot() {
	command -v gnuplot >/dev/null && return
	skip 'no gnuplot'
	done_testing
	exit
}
# write NAME LINE...: a table whose cells are divided by blanks.
write() {
	write_name=$1
	shift
	tabs "$@" >"$write_name"
}
# call KIND ARG...: draw the table of this kind.
call() {
	call_kind=$1
	shift
	[ "$call_kind" != graph ] || set -- --nodes points.csv "$@"
	run 0 kith-plot "$call_kind" "$@" "$call_kind.tsv"
	out ''
	err ''
}
# gone FILE...: none is there, nor anything hidden.
gone() {
	gone=0
	for gone_file; do
		[ ! -e "$gone_file" ] || gone=1
	done
	[ -z "$(find . -name '.?*' -print)" ] || gone=1
	ok "$gone" "no picture or part of one: $*"
}
# has FILE TEXT: the text of an SVG.
has() {
	grep -qF -e "$2" "$1"
	ok $? "$1 has: $2"
}
hasnt() {
	! grep -qF -e "$2" "$1"
	ok $? "$1 has no: $2"
}
# picture FILE: it is whole, and made of what its name says.
picture() {
	case $1 in
	*.png)
		# The signature, and the chunk that ends it.
		[ -s png ] || printf '\211PNG\r\n\032\n\0\0\0\0IEND\256B`\202' >png
		{ head -c 8 "$1" && tail -c 12 "$1"; } | cmp -s png -
		ok $? "$1 is a PNG"
		;;
	*.pdf | *.eps)
		case $(head -c 23 "$1") in
		%PDF-1.[4-7]* | '%!PS-Adobe-3.0 EPSF-3.0') [ "$(tail -c 6 "$1")" = %%EOF ] ;;
		*) false ;;
		esac
		ok $? "$1 is a PDF or EPS"
		;;
	*)
		[ "$(xmllint --xpath 'name(/*)' "$1")" = svg ]
		ok $? "$1 is an SVG"
		;;
	esac
}
# texts FILE: the texts of an SVG, a line each.
texts() {
	sed -n 's:.*<text[^>]*>\(.*\)</text>.*:\1:
		t found
		d
		:found
		'"s/&lt;/</g; s/&gt;/>/g; s/&quot;/\"/g; s/&apos;/'/g; s/&amp;/\&/g; p" "$1"
}
# read_texts FILE: $texts has these lines between ends of lines, $words the words of all.
texts_of=
read_texts() {
	[ "$texts_of" != "$tap_runs $1" ] || return 0
	texts_of="$tap_runs $1"
	texts=$nl$(texts "$1")$nl
	set -f
	# shellcheck disable=SC2046,SC2086 # words
	set -- $texts
	words=" $* "
	set +f
}
# said FILE TEXT: these texts follow each other in it, divided by blanks.
said() {
	read_texts "$1"
	case $words in
	*" $2 "*) ok 0 "$1 says: $2" ;;
	*) ok 1 "$1 says: $2 (it says: $words)" ;;
	esac
}
# about FILE TEXT: what its description says of a table of standard input or a file.
about() {
	sed -n 's:^<desc>kith-plot [a-z]*\: \(.*\), from [^,]*</desc>$:\1:p' "$1" >about
	same about "$2$nl"
}

write path.tsv 'step theta feature weight' '1 .1 a 1' '1 .1 b .5' '2 1 a 2' \
	'3 10 a 2.5' '3 10 b .1'
write heatmap.tsv 'feature1 feature2 weight' 'a a 1' 'a b -.5' 'b b .2'
write error.tsv 'k n errors error' '1 50 4 .08' '3 50 3 .06' '5 50 3 .06'
write weights.tsv 'feature weight' 'a 2' 'b -.5' 'c 0'
write confusion.tsv 'id predicted actual' '1 x x' '2 y x' '3 y y' '4 y NA'
write graph.tsv 'from to weight' '1 2 .5' '2 3 1' '1 4 .2'
write results 'method set error' 'a 1 .2' 'b 1 .3' 'a 2 .1' 'b 2 .4'
tabscore --ranks results >ranks.tsv
printf 'x,y,class\n1,1,"a"\n2,1,b\n2,3,a\n1,3,b\n' >points.csv
