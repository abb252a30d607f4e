#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The pictures of kith-plot-path, -heatmap, -error and -graph: options, messages,
# files, names that look like commands, and where they are installed.
# shellcheck disable=SC2016 # such names
. "${0%/*}/tap.sh"
# shellcheck source=plot.sh
. "$root/tests/cli/plot.sh"

# What they share: options, and files that cannot be read.
for one in $plots; do
	tool=kith-plot-$one
	try="try '$tool --help'$nl"
	run 0 "$tool" --help
	err ''
	cp stdout help
	awk 'length > 80 { exit 1 }' help && [ "$(wc -l <help)" -le 60 ]
	ok $? "help of $tool fits 60 lines of 80 columns"
	[ "$(sed '1,/^Examples:/d' help | wc -l)" -eq 2 ]
	ok $? 'it has two examples'
	run 0 "$tool" -h
	cmp -s help stdout
	ok $? '-h is --help'
	"$root/scripts/completion" bash "$root/scripts/$tool" >completion &&
		bash -n completion && grep -q -e '--title' completion
	ok $? "there is a completion of $tool"
	run 74 sh -c "$tool --help >/dev/full"
	err "$tool: <stdout>: cannot be written$nl"
	run 2 "$tool" --no-such
	out ''
	err "$tool: unknown option '--no-such'$nl$try"
	run 2 "$tool" --titl x
	err "$tool: unknown option '--titl'$nl$try"
	run 2 "$tool" -q"$nl"
	err "$tool: unknown option '-q'$nl$try"
	run 2 "$tool" "--a${nl}b"
	err "$tool: unknown option '--a\\x0Ab'$nl$try"
	run 2 "$tool" --title
	err "$tool: --title needs a value$nl$try"
	run 2 "$tool" -o
	err "$tool: -o needs a value$nl$try"
	run 2 "$tool" --help=1
	err "$tool: --help takes no value$nl$try"
	if [ "$one" = weights ]; then
		run 2 "$tool" a b c d e f g
		err "$tool: up to six tables$nl$try"
		run 2 "$tool" - b -
		err "$tool: standard input named twice$nl$try"
	else
		run 2 "$tool" a b
		err "$tool: one table at a time$nl$try"
	fi
	set --
	[ "$one" != graph ] || set -- -p points.csv
	for name in x x.ps .pn ''; do
		run 2 "$tool" "$@" -o "$name" path
		err "$tool: give -o FILE, a name that ends in .pdf, .eps, .png or .svg$nl$try"
	done
	run 66 "$tool" "$@" -o x.png nowhere
	err "$tool: nowhere: No such file or directory$nl"
	run 66 "$tool" "$@" -o x.png .
	err "$tool: .: Is a directory$nl"
done
for one in path heatmap error weights; do
	most=8
	[ "$one" = path ] || [ "$one" = error ] || most=100
	for n in 0 9999 1.5 x '' -1 08; do
		run 2 kith-plot-$one -n "$n" -o x.png path
		err "kith-plot-$one: bad -n: '$n' (a whole number from 1 to $most)
try 'kith-plot-$one --help'$nl"
	done
done
for one in path error; do
	run 2 kith-plot-$one -lg -o x.png $one
	err "kith-plot-$one: -l or -g, not both${nl}try 'kith-plot-$one --help'$nl"
done
run 2 kith-plot-graph -o x.png edges
err "kith-plot-graph: give --points FILE${nl}try 'kith-plot-graph --help'$nl"
run 2 kith-plot-graph -p - -o x.png
err "kith-plot-graph: standard input named twice
try 'kith-plot-graph --help'$nl"

# Where gnuplot is not installed.  The commands that come before are linked.
mkdir bin
for one in sh dirname basename readlink awk cat; do
	ln -s "$(command -v $one)" bin
done
run 69 env PATH="$PWD/bin" "$root/scripts/kith-plot-path" -o x.png path
err "kith-plot-path: gnuplot is not installed (Debian: gnuplot-nox)$nl"
gone x.png
rm -r bin

need_gnuplot

# Bad tables.
bad() { # TOOL MESSAGE: of the table that is printed by now to t
	run 65 "kith-plot-$1" -o x.svg t
	out ''
	err "kith-plot-$1: $2$nl"
	gone x.svg
}
for one in path heatmap error weights confusion ranks; do
	: >t
	bad $one 't: empty input'
	head -n 1 path >t
	case $one in
	path) due='a path: columns step PARAMETER feature weight' ;;
	heatmap) due='a matrix: columns feature1 feature2 weight' ;;
	error) due='a table of errors: columns PARAMETER n error (or rmse, ndcg)' ;;
	weights) due='a table of weights: columns feature weight (or feature1 feature2 weight)' ;;
	confusion) due='a table of predictions: columns id predicted actual' ;;
	ranks) due='errors of methods: columns method set error' ;;
	esac
	table t 'a b' '1 2'
	bad $one "t:1: not $due expected"
	for other in path:path heatmap:matrix error:errors weights:weights \
		confusion:predictions graph:edges ranks:ranks; do
		case $one:$other in
		"${other%:*}:$other" | weights:heatmap:*) continue ;;
		esac
		cp "${other#*:}" t
		bad $one "t:1: not $due expected (kith-plot-${other%:*}?)"
	done
done
head -n 1 path >t
bad path 't: no row below the header'
printf 'step\ttheta\tfeature\tweight\n1\t.1\ta\n' >t
bad path 't:2: 3 cells where the header has 4'
printf 'step\ttheta\tfeature\tweight\n1\t.1\t"a\n' >t
bad path 't:2: quoted cell without end'
printf 'step\ttheta\tfeature\tweight\n1\t.1\t"a"b\t1\n' >t
bad path 't:2: text after a quoted cell'
printf 'step\ttheta\tfeature\tweight\n1\t.1\t"a\nb"\t1\n2\t1\ta\t1x\n' >t
bad path "t:4: column \"weight\": not a number: '1x'"
for cell in NA inf -inf 0x1 '' 1e . '1,5' system; do
	table t 'step theta feature weight' "1 .1 a $cell"
	bad path "t:2: column \"weight\": not a number: '$cell'"
done
table t 'step theta feature weight' '1 0 a 1'
bad path 't: nothing to draw'
table t 'step theta feature weight' '1 2 a 1' '2 1 a 1'
bad path 't:3: the parameter falls'
table t 'step theta feature weight' '1 2 a 1' '1 2 a 1'
bad path 't:3: "a" listed twice in a step'
table t 'step lambda2 feature weight' '1 1 a 1' '2 2 b .5' '3 3 NA 0'
run 0 kith-plot-path -o none.svg t
hasnt none.svg '>NA<'
table t 'step lambda2 feature weight' '1 1 NA 0' '2 2 NA 0'
bad path 't: nothing to draw'
table t 'step theta name value' '1 2 (bias) 1'
run 0 kith-plot-path -o x.svg t
run 65 kith-plot-path --no-bias -o y.svg t
err "kith-plot-path: t: nothing to draw$nl"
gone y.svg
table t 'feature1 feature2 weight' 'a a 1' 'a b 2' 'b a 2'
rm x.svg
bad heatmap 't:4: pair listed twice'
table t 'learner alpha sigma feature1 feature2 weight_abs' '1 1 1 a a 1'
bad heatmap 't:1: not a matrix: columns feature1 feature2 weight expected'
table t 'a b c n error' '1 1 1 1 1'
bad error 't:1: not a table of errors: one or two parameters expected before n'
table t 'k n errors error' '1 0 0 NA'
bad error "t:2: column \"error\": not a number: 'NA'"
table t 'theta_from theta_to n errors error' '1 0 5 0 0'
bad error 't:2: an interval ends before it starts'
table t 'theta k n errors error' '0 1 5 0 0'
bad error 't: nothing to draw'
gzip -c path | head -c 30 >t
bad path 't: not a valid gzip file'

# Points and edges that do not fit.
graph() { # MESSAGE [OPTION]...
	graph_message=$1
	shift
	run 65 kith-plot-graph -o x.svg -p points.csv "$@" t
	err "kith-plot-graph: $graph_message$nl"
	gone x.svg
}
table t 'from to weight' '1 5 1'
graph "t:2: column \"to\": no row '5' among the points"
table t 'from to weight' '1 2 x'
graph "t:2: column \"weight\": not a number: 'x'"
table t 'from weight' '1 2'
graph 't:1: not a graph: columns from to weight expected'
: >t
graph 't: empty input'
graph 'points.csv: column "z": not found' -x z
graph 'points.csv: column "4": not found' -y 4
graph 'points.csv: column "0": not found' -y 0
graph 'points.csv: column "-4": not found' -c -4
graph "points.csv: row 1: column \"class\": not a number: 'a'" -x class
graph "points.csv: row 3: id 'a': not unique" --id class
printf 'x,y\n1,2\n3\n' >ragged
run 65 kith-plot-graph -o x.svg -p ragged edges
err "tabscale: ragged:3: 1 cells where the header has 2$nl"
run 66 kith-plot-graph -o x.svg -p nowhere edges
err "kith-plot-graph: nowhere: No such file or directory$nl"
printf 'x\n1\n2\n3\n4\n' >thin
run 65 kith-plot-graph -o x.svg -p thin edges
err "kith-plot-graph: thin: two columns expected$nl"
gone x.svg

# Where they cannot be written.
run 74 kith-plot-path -o no/x.png path
err "kith-plot-path: no/x.png: No such file or directory$nl"
run 74 kith-plot-path -o path/x.png path
err "kith-plot-path: path/x.png: Not a directory$nl"
mkdir dir.png
run 74 kith-plot-path -o dir.png path
err "kith-plot-path: dir.png: Is a directory$nl"
gone dir.png/*
rmdir dir.png

# Whole pictures.
for end in png pdf eps svg; do
	run 0 kith-plot-path -t "it's" -o "path.$end" path
	err ''
	out ''
	run 0 kith-plot-heatmap -o "matrix.$end" -t "it's" matrix
	err ''
	run 0 kith-plot-error -o "errors.$end" errors
	err ''
	run 0 kith-plot-graph -p points.csv -o "graph.$end" -c class edges
	err ''
	out ''
	run 0 kith-plot-weights -o "weights.$end" weights
	err ''
	run 0 kith-plot-confusion -o "confusion.$end" predictions
	err ''
	run 0 kith-plot-ranks -o "ranks.$end" ranks
	err ''
	for one in path matrix errors graph weights confusion ranks; do
		picture "$one.$end"
	done
done
has path.svg "it's"
has path.svg 'theta'
has matrix.svg ">it's<"
has matrix.svg '>weight<'
has errors.svg 'best: k 3: error 0.06 (3 of 50)'
gone # no hidden file
cp path.svg due
run 0 kith-plot-path -t "it's" -o path.svg <path
alike path.svg due
ok $? 'from standard input, the same'
gzip -c path >path.gz
tr '\n' '!' <path | sed 's/!/\r\n/g' >crlf
for from in path.gz crlf; do
	run 0 kith-plot-path "-tit's" --output=new.svg "$from"
	alike new.svg due
	ok $? "and from $from"
done

# Files: links are followed, modes are those of new files, devices written to.
mkdir real
ln -s real/new.svg link.svg
(umask 027 && kith-plot-path -o link.svg path)
[ -h link.svg ] && [ -s real/new.svg ] && [ "$(stat -c %a real/new.svg)" = 640 ]
ok $? 'through a link, with the mode of a new file'
mkfifo pipe.svg
cat pipe.svg >got.svg &
run 0 kith-plot-path -o pipe.svg path
wait
picture got.svg
run 0 kith-plot-path -o ./-n.svg path
run 0 kith-plot-path -o -n.svg -- path
picture ./-n.svg
run 0 kith-plot-path -o "a b'c\"\$d\`e\\.svg" path
picture "a b'c\"\$d\`e\\.svg"

# Names do nothing.
# shellcheck disable=SC1003 # it ends in a backslash on purpose
evil='`touch X`$(touch X)@X"'\''"; system("touch X"); \'\''{/=9 <&>%s'
printf 'step\ttheta\tfeature\tweight\n1\t1\t%s\t1\n2\t2\t"a\tb\nc ""d"""\t1\n2\t2\t\351\001\t3\n' \
	"$evil" >t
run 0 kith-plot-path -t "$evil" -o evil.svg t
err ''
picture evil.svg
has evil.svg '`touch X`$(touch X)@X'
has evil.svg 'a\x09b\x0Ac "d"<'
printf 'feature1\tfeature2\tweight\n%s\t%s\t1\n' "$evil" "$evil" >t
run 0 kith-plot-heatmap -t "$evil" -o evil.svg t
err ''
picture evil.svg
has evil.svg '`touch X`$(touch X)@X'
printf '%s\tn\terror\n1\t2\t3\n' "$evil" >t
run 0 kith-plot-error -t "$evil" -o evil.svg t
err ''
picture evil.svg
printf 'from\tto\n%s\t%s\n' "$evil" "$evil" >t
printf '%s,y,class\n1,2,%s\n' '`touch X`' "\"$(printf %s "$evil" | sed 's/"/""/g')\"" >evil.csv
run 0 kith-plot-graph -p evil.csv --id class -c class -t "$evil" -o evil.svg t
err ''
picture evil.svg
cp t 'X=`touch X`'
run 0 kith-plot-graph -p evil.csv --id class -o 'X=$(touch X).svg' 'X=`touch X`'
picture 'X=$(touch X).svg'
gone X

# Installed, with a prefix, its own tabscale is used.
install() { # TARGET
	# What there is to install is there: -o all.
	run 0 make -s -o all -C "$root" B="$KITH_BUILD" PREFIX="$PWD/usr" \
		PROGRAM_PREFIX=my- "$1"
}
install install
run 0 env PATH=/usr/bin:/bin usr/bin/my-kith-plot-graph -p points.csv -o x.svg edges
picture x.svg
run 0 usr/bin/my-kith-plot-graph --version
out "kith-plot-graph $(cat "$root/VERSION")$nl"
grep -q -e --version usr/share/bash-completion/completions/my-kith-plot-graph
ok $? 'its completion has --version'
ln -s "$PWD/usr/bin/my-kith-plot-path" drawn
run 0 env PATH=/usr/bin:/bin ./drawn -o y.svg path
picture y.svg
mv usr/bin/my-tabscale usr/bin/other
run 69 env PATH=/usr/bin:/bin usr/bin/my-kith-plot-graph -p points.csv -o z.svg edges
err "kith-plot-graph: tabscale is not installed$nl"
mv usr/bin/other usr/bin/my-tabscale
install uninstall
[ -z "$(find usr -type f)" ]
ok $? 'uninstall leaves nothing'

done_testing
