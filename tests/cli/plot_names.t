#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Names in pictures: of features, parameters, columns and classes, and titles.  Whatever
# their bytes are, they are drawn as they are, and nothing is run.
# shellcheck disable=SC2016,SC1003 # such names
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"

need_gnuplot

# drawn FILE N TEXT: it is there N times.
drawn() {
	read_texts "$1"
	drawn_rest=$texts drawn_n=0
	while :; do
		case $drawn_rest in
		*"$nl$3$nl"*) drawn_rest=$nl${drawn_rest#*"$nl$3$nl"} drawn_n=$((drawn_n + 1)) ;;
		*) break ;;
		esac
	done
	[ $drawn_n -eq "$2" ]
	ok $? "$1 has $2 times (got $drawn_n): $3"
}
# quote TEXT: $cell is it as a cell of any table.
quote() {
	cell='"' quote_rest=$1
	while :; do
		case $quote_rest in
		*'"'*) cell=$cell${quote_rest%%'"'*}'""' quote_rest=${quote_rest#*'"'} ;;
		*) break ;;
		esac
	done
	cell=$cell$quote_rest'"'
}

# Every name, and after a tab what is drawn of it where that is another text.
cat >names <<'END-OF-NAMES'
%fat
50% x
fat%
%d %s %n %%
%1000000000f
'setosa'
'
''
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
[ ] ( ) ; # ! | < > , . : = ?
]]>
<b>&amp;</b><!-- -->&#65;
größe ß ∑ 名前 😀 é
NaN
-x
x=1
@name
$0
quote
..quote
END-OF-NAMES
printf 'a\001b\033c\177\ta?b?c?\nx\351y\377\txy\nx\357\277\277y\tx?y\n' >>names
count=0
: >features
: >rows
: >guesses
: >methods
while IFS=$tab read -r name due; do
	count=$((count + 1))
	printf '%s\n' "${due:-$name}" >>due
	quote "$name"
	printf '%s\t%s\t%d\n' "$cell" "$cell" $count >>features
	printf '%d\t%s\t%s\n' $count "$cell" "$cell" >>guesses
	printf '%s\t%d\t%d\n' "$cell" 1 $count "$cell" 2 $count >>methods
done <names
printf 'feature1\tfeature2\tweight\n' | cat - features >matrix
printf 'feature\tweight\n' >bars
cut -f 2,3 features >>bars
printf 'id\tpredicted\tactual\n' | cat - guesses >predictions
printf 'method\tset\terror\n' | cat - methods | tabscore --ranks >ranks
run 0 kith-plot heatmap -n 100 -o matrix.svg matrix
err ''
picture matrix.svg
run 0 kith-plot weights -n 100 -o bars.svg bars
err ''
picture bars.svg
run 0 kith-plot confusion -n 100 -o guesses.svg predictions
err ''
picture guesses.svg
run 0 kith-plot heatmap -n 100 -o matrix.png matrix
picture matrix.png
run 0 kith-plot ranks -o ranks.svg ranks
err ''
picture ranks.svg
while IFS= read -r name; do
	drawn matrix.svg 2 "$name"
	drawn bars.svg 1 "$name"
	drawn guesses.svg 2 "$name"
	read_texts ranks.svg
	found=0
	case $texts in
	*"$name ("*) ;;
	*) [ ${#name} -gt 24 ] || found=1 ;;
	esac
	ok $found "a method: $name"
done <due

# Titles, names of axes and lines, and classes of points: each third name in short tests.
turn=0
while IFS=$tab read -r name due; do
	turn=$(((turn + 1) % 3))
	[ "${KITH_LONG:-}" ] || [ $turn -eq 1 ] || continue
	due=${due:-$name}
	quote "$name"
	printf 'step\t%s\tfeature\tweight\n1\t1\t%s\t1\n2\t2\t%s\t2\n' "$cell" "$cell" "$cell" >t
	run 0 kith-plot path --title "$name" --axis linear -o x.svg t
	err ''
	picture x.svg
	case $due in
	'[ ] ( )'*) drawn x.svg 2 "$due" ;; # too wide for the name of a line
	*) drawn x.svg 3 "$due" ;;
	esac
	printf '%s\tk\tn\terror\n1\t3\t9\t.5\n2\t3\t9\t.25\n' "$cell" >t
	run 0 kith-plot error --title "$name" -o x.svg t
	err ''
	picture x.svg
	drawn x.svg 1 "$due"
	drawn x.svg 1 "$due, best: $due 2: error 0.25"
	printf '"x",y,%s\n1,2,%s\n2,1,b\n' "$cell" "$cell" >p
	printf 'from\tto\n1\t2\n' >t
	run 0 kith-plot graph --nodes p --title "$name" -o x.svg t
	err ''
	picture x.svg
	drawn x.svg 3 "$due"
done <names

# Cells with tabs and line feeds, and files with such names.
printf 'feature\tweight\n"a\tb\nc ""d"""\t1\n' >'X=`touch X`'
run 0 kith-plot weights -o 'X=$(touch X).svg' 'X=`touch X`'
err ''
picture 'X=$(touch X).svg'
drawn 'X=$(touch X).svg' 1 'a?b?c "d"'
has 'X=$(touch X).svg' 'from X=`touch X`<'
[ ! -e X ]
ok $? 'nothing was run'

# Of a longer name the middle is left out, and no character is cut; equal ones are numbered.
for letter in o ø 名 😀; do
	long=$(printf '%0250d' 0 | sed "s/0/$letter/g")
	printf 'feature\tweight\n%s1\t1\n%s2\t3\n%s1%s\t2\n' "$long" "$long" "$long" "$long" >t
	run 0 kith-plot weights --title "$long" -o x.svg t
	err ''
	picture x.svg
	[ "$(texts x.svg | grep -cE "…($letter)*[12]\$")" -eq 2 ] &&
		[ "$(texts x.svg | grep -cE "^($letter)*…($letter)*\$")" -ge 1 ]
	ok $? "the ends of long names of $letter show"
done
printf 'feature\tweight\n%s1%s\t1\n%s2%s\t3\n' "$long" "$long" "$long" "$long" >t
run 0 kith-plot weights -o x.svg t
texts x.svg | grep -q '….* (2)$'
ok $? 'equal names are numbered'
# As messages have it: every byte that is not in ASCII.
printf 'step\ttheta\tfeature\tweight\n1\t1\tø\001\tñ\n' >t
run 65 kith-plot path -o y.svg t
err "kith-plot: t: row 1: column \"weight\": not a number: '\xC3\xB1'$nl"
done_testing
