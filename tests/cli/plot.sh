# SPDX-License-Identifier: BSD-2-Clause
# Sourced by the tests of pictures, after tap.sh.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # for the tests, and from tap.sh
plots='path heatmap error graph weights confusion ranks'
PATH=$root/scripts:$PATH

# need_gnuplot: end here unless it is there.
need_gnuplot() {
	command -v gnuplot >/dev/null && return
	skip 'no gnuplot'
	done_testing
	exit
}
# table NAME LINE...: a table whose cells are divided by blanks.
table() {
	table_name=$1
	shift
	tabs "$@" >"$table_name"
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
# alike FILE FILE: two pictures are the same, but for the name of their table.
alike() {
	sed '/^<desc>/d' "$1" >alike.1
	sed '/^<desc>/d' "$2" | cmp -s alike.1 -
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
		[ "$(od -An -tx1 -N 8 "$1" | tr -d ' ')" = 89504e470d0a1a0a ] &&
			[ "$(tail -c 12 "$1" | od -An -tx1 | tr -d ' \n')" = \
				0000000049454e44ae426082 ]
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
		xmllint --noout "$1" && xmllint --xpath 'name(/*)' "$1" | grep -q '^svg$'
		ok $? "$1 is an SVG"
		;;
	esac
}

table path 'step theta feature weight' '1 .1 a 1' '1 .1 b .5' '2 1 a 2' \
	'3 10 a 2.5' '3 10 b .1'
table matrix 'feature1 feature2 weight' 'a a 1' 'a b -.5' 'b b .2'
table errors 'k n errors error' '1 50 4 .08' '3 50 3 .06' '5 50 3 .06'
table weights 'feature weight' 'a 2' 'b -.5' 'c 0'
table predictions 'id predicted actual' '1 x x' '2 y x' '3 y y' '4 y NA'
table edges 'from to weight' '1 2 .5' '2 3 1' '1 4 .2'
table ranks 'method set error' 'a 1 .2' 'b 1 .3' 'a 2 .1' 'b 2 .4'
printf 'x,y,class\n1,1,"a"\n2,1,b\n2,3,a\n1,3,b\n' >points.csv
# words FILE: the texts of an SVG, in their order, divided by blanks.
words() { sed -n 's:.*<text[^>]*>\(.*\)</text>.*:\1:p' "$1" | tr -s '\n ' '  '; }
# said FILE TEXT: these texts follow each other in it.
said() {
	said_words=$(words "$1")
	case " $said_words" in
	*" $2 "*) ok 0 "$1 says: $2" ;;
	*) ok 1 "$1 says: $2 (it says: $said_words)" ;;
	esac
}
