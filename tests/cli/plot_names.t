#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Names in pictures: of features, parameters, columns and classes, and titles.
# Whatever their bytes are, they are drawn as they are.
# shellcheck disable=SC2016,SC1003 # such names
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"

need_gnuplot

# texts FILE: the texts of an SVG, a line each.
texts() {
	perl -ne 'while (m{<text[^>]*>(.*?)</text>}g) {
		$_ = $1;
		s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&apos;/\x27/g; s/&amp;/&/g;
		print "$_\n" }' "$1"
}
# drawn FILE N TEXT: it is there N times.
drawn() {
	drawn_n=$(texts "$1" | LC_ALL=C grep -cxF -e "$3")
	[ "$drawn_n" -eq "$2" ]
	ok $? "$1 has $2 times (got $drawn_n): $3"
}
# is_short TEXT: it is drawn whole everywhere, also where there is little room.
is_short() { [ "$(printf %s "$1" | LC_ALL=C.UTF-8 wc -m)" -le 29 ]; }
one_if_short() { if is_short "$1"; then echo 1; else echo 0; fi; }
# quoted TEXT: as a cell of any table.
quoted() { printf '"%s"' "$(printf %s "$1" | sed 's/"/""/g')"; }

# Each name, or what it is drawn as: of what cannot be drawn the bytes.
long=$(printf '%0198d' 0 | tr 0 o)ø
same=''
is_turn() { # each third in short tests
	turn=$(((turn + 1) % 3))
	[ "${KITH_LONG:-}" ] || [ $turn -eq 1 ]
}
names() { # COMMAND: with each name, and how it is drawn
	turn=0
	while IFS= read -r name; do
		is_turn && "$1" "$name" "$name"
	done <<-'END-OF-NAMES'
		%fat
		50% x
		%g
		fat%
		%d %s %n %%
		%1000000000f
		'setosa'
		'
		''
		a''b
		it's a 'rock''n''roll' '''
		"setosa"
		a"b""c"
		"
		`touch X`
		$(touch X)@X${HOME}
		a\b\\n\t\047\
		\
		'; system('touch X'); '
		"; system("touch X"); "
		{/=30 big} a_b^c@d&e~f{}
		}
		{
		[ ] ( ) ; # ! | < > , . : = ?
		]]>
		<b>&amp;</b><!-- -->&#65;<![CDATA[
		  two  blanks  
		größe ß ∑ 名前 😀 é
		NaN
		NA
		-x
		x=1
		@name
		$0
		quote
		..quote
	END-OF-NAMES
	"$1" "$long" "$long"
	"$1" "a${nl}b" 'a\x0Ab'
	"$1" "a${tab}b" 'a\x09b'
	for pair in '\001\002\033:\x01\x02\x1B' '\177:\x7F' '\r:\x0D' \
		'\357\277\277:\xEF\xBF\xBF' '\357\277\276:\xEF\xBF\xBE' \
		'\351\377:\xE9\xFF' '\303:\xC3' '\200a:\x80a' '\302\205:\xC2\x85' \
		'\300\200:\xC0\x80' '\355\240\200:\xED\xA0\x80' \
		'\364\220\200\200:\xF4\x90\x80\x80' '\342\202:\xE2\x82' \
		'x\303(:x\xC3('; do
		# shellcheck disable=SC2059 # with its escapes
		is_turn && "$1" "x$(printf "${pair%%:*}")y" "x${pair#*:}y"
	done
}

# All of them at once: a matrix and classes.
printf 'feature\tweight\n' >bars
printf 'id\tpredicted\tactual\n' >guesses
: >features
printf 'from\tto\tweight\n' >edges
feature() {
	same=$((same + 1))
	if is_short "$2"; then printf '%s\n' "$2" >>due; fi
	cell=$(quoted "$1")
	printf '%s\t%s\t%d\n' "$cell" "$cell" "$same" >>features
	printf '%s\t%d\n' "$cell" "$same" >>bars
	[ "$1" = NA ] || printf '%d\t%s\t%s\n' "$same" "$cell" "$cell" >>guesses
	# Eight classes have a name: eight go into one picture.
	printf '%d,%d,%s\n' "$same" "$((same % 7))" "$cell" >>"rows$((same / 8))"
}
same=0
: >due
names feature
{
	printf 'feature1\tfeature2\tweight\n'
	cat features
} >matrix
run 0 kith-plot-heatmap -n 100 -o matrix.svg matrix
err ''
picture matrix.svg
: >graphs.svg
for points in rows*; do
	{
		echo '"x","y","class"'
		cat "$points"
	} >p
	run 0 kith-plot-graph -p p -c class -o graph.svg edges
	err ''
	picture graph.svg
	texts graph.svg | sed 's/.*/<text>&<\/text>/' >>graphs.svg
	hasnt graph.svg others
done
run 0 kith-plot-weights -n 100 -o bars.svg bars
err ''
picture bars.svg
run 0 kith-plot-confusion -n 200 -o guesses.svg guesses
err ''
picture guesses.svg
run 0 kith-plot-heatmap -n 100 -o matrix.png matrix
picture matrix.png
run 0 kith-plot-graph -p p -c class -o graph.png edges
picture graph.png
while IFS= read -r name; do
	drawn matrix.svg 2 "$name"
	drawn bars.svg 1 "$name"
	[ "$name" = NA ] || drawn guesses.svg 2 "$name"
	grep -qxF -e "<text>$name</text>" graphs.svg
	ok $? "a class has the name: $name"
done <due
texts matrix.svg | LC_ALL=C sort >got
LC_ALL=C sort due due >all
LC_ALL=C comm -23 all got >lost
same lost ''

# Each as a title, the name of an axis, and of a line.
each() {
	printf 'step\t%s\tfeature\tweight\n1\t1\t%s\t1\n2\t2\t%s\t2\n' \
		"$(quoted "$1")" "$(quoted "$1")" "$(quoted "$1")" >t
	run 0 kith-plot-path -t "$1" -o x.svg t
	err ''
	picture x.svg
	drawn x.svg $((2 + $(one_if_short "$2"))) "$2"
	printf '%s\tk\tn\terror\n1\t3\t9\t.5\n2\t3\t9\t.25\n' "$(quoted "$1")" >t
	run 0 kith-plot-error -t "$1" -o x.svg t
	err ''
	picture x.svg
	drawn x.svg 1 "$2"
	drawn x.svg 1 "$2, best: $2 2, k 3: error 0.25"
	grep -qF -e "<desc>kith-plot-error: error against " x.svg
	ok $? 'and a description'
	printf 'k\t%s\tn\terror\n1\t3\t9\t.5\n2\t3\t9\t.25\n' "$(quoted "$1")" >t
	run 0 kith-plot-error -o x.svg t
	! is_short "$2  3" || drawn x.svg 1 "$2 3"
	{
		printf '"x",%s\n1,2\n2,1\n' "$(quoted "$1")"
	} >p
	run 0 kith-plot-graph -p p -t "$1" -x "$1" -y x -o x.svg edges
	err ''
	picture x.svg
	drawn x.svg 2 "$2"
	printf 'feature1\tfeature2\tweight\na\tb\t1\n' >t
	run 0 kith-plot-heatmap -t "$1" -o x.svg t
	err ''
	picture x.svg
	drawn x.svg 1 "$2"
}
names each

[ ! -e X ]
ok $? 'nothing was run'

# Of a longer name the middle is left out, and no character is cut.
for letter in o ø 名 😀; do
	long=$(printf '%0250d' 0 | sed "s/0/$letter/g")
	bytes=$(printf %s $letter | wc -c)
	each "${long}" "$(printf "%0$((150 / bytes))d…%0$((47 / bytes))d" 0 0 |
		sed "s/0/$letter/g")"
done
# As messages have it: every byte that is not in ASCII.
printf 'step\ttheta\tfeature\tweight\n1\t1\tø\001\tñ\n' >t
run 65 kith-plot-path -o y.svg t
err "kith-plot-path: t:2: column \"weight\": not a number: '\xC3\xB1'$nl"
done_testing
