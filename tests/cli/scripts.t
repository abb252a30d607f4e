#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Scripts of the repository that judge it, under each shell and with each awk.
# shellcheck disable=SC2016 # backquotes of Markdown, and what is for other shells
. "${0%/*}/tap.sh"
# shellcheck source=awks.sh
. "$root/tests/cli/awks.sh"

# A page and a README whose command lines are known.
mkdir bin folder
printf '%s\n' 'Text.' '```' 'false' '```' '```sh' 'echo a | tee seen' '```' \
	'```text' 'a' '```' '```sh' 'test "$(cat seen)" = a && test -s wdbc.csv' \
	'printf "<svg/>\n" > drawn.svg' '```' >folder/good.md
printf '%s\n' '```sh' 'false | cat' 'touch ../../after' '```' >folder/bad.md
cat >folder/good.1 <<'END'
.Sh DESCRIPTION
.Dl false
.Bd -literal -offset indent
printf \(aq%s  %s %s\en\(aq a b \-c | cut \-d \(dq \(dq \-f 1\-4
.Ed
prints
.Bd -literal -offset indent-two
a b \-c
.Ed
.Bd -literal
false
.Ed
.Sh EXAMPLES
.Dl touch one \&two
.Bd -literal -offset indent
test -e two
.Ed
.Sh SEE ALSO
.Dl false
END
sed 's/^a b /a c /' folder/good.1 >folder/bad.1
sed 's/^a$/b/' folder/good.md >folder/other.md

# A tool and its page, and files in rooms.
printf '%s\n' '#!/bin/sh' 'tr " " "\t" <<END' 'option argument type heading words' \
	'-k N count Method number' '--header  flag Reading names' END >bin/tool
# shellcheck disable=SC2016 # of the tool
printf '%s\n' 'printf "%s, %s\tFILE\ttext\tMethod\trows\n" -t --train' \
	'printf "%s, %s\t\tflag\tCommon\twords, more\n" -q --quiet' \
	'printf "%s\t\tflag\tCommon\twords\n" --csv' >>bin/tool
chmod +x bin/tool
PATH=$PWD/bin:$PATH
printf '%s\n' 'The common options' '.Fl q , Fl -csv' '.It Fl k Ar n' '.It Fl -header' \
	'.It Fl t , Fl -train Ar file' >tool.1
sed '$d' tool.1 >bad.tool.1
mkdir -p off/common lib/low lib/high
mv bad.tool.1 off/tool.1
sed 's/ , Fl -csv//' tool.1 >off/common/tool.1
printf '%s\n' 'low # floor' 'high other' >LAYERS
echo '#include "low/a.h"' >lib/high/b.c
echo '#include "high/b.h"' >lib/low/a.h
# A circle of files of one room.
for to in de ec cd; do
	echo "#include \"high/${to#?}.h\"" >"lib/high/${to%?}.h"
done

# What gcov says of two files, in English alone when it is asked to.
mkdir objects
touch objects/a.gcda
cat >bin/gcov <<'END'
#!/bin/sh
[ "$LC_ALL" = C ] || exit
cat <<'SAID'
File 'lib/b.c'
Lines executed:50.00% of 10
Branches executed:1.00% of 2
Taken at least once:25.00% of 4
No calls
Creating 'b.c.gcov'

File 'cmd/a.c'
Lines executed:100.00% of 30
No branches
No calls

File '/usr/include/c.h'
Lines executed:0.00% of 5

File 'lib/d.h'
Lines executed:0.00% of 5
Taken at least once:0.00% of 5

Lines executed:87.50% of 40
SAID
END
chmod +x bin/gcov

# Lines that sort or print numbers as the locale says.
printf '```sh\ncut -f 1 x | sort -g\n```\nsort\n' >folder/unsorted.md
printf '%s\n' .Bd 'no awk' '.Dl k=$(awk 1 x); printf %s "$k"' >folder/unsorted.1
printf '%s\n' '# awk' 'printf %.2f 1' "printf '%s sort' x" >folder/unsorted.sh
printf '%s\n' .Bd '.Dl k=$(LC_ALL=C awk "{ printf 1 }" x); LC_ALL=C printf %s "$k"' >folder/sorted.1
printf '%s\n' 'export LC_ALL=C' 'printf %.2f 1 | sort' >folder/sorted.sh

# One locale for all runs of examples, which each would make it.
LOCPATH=$PWD/locales
export LOCPATH
mkdir locales
localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 2>/dev/null

# judge COMMAND...: what they say, when this runs them.
judge() {
	run 0 "$@" "$root/scripts/examples" folder/good.md folder/good.1
	out ''
	err ''
	mkdir pictures
	run 0 "$@" "$root/scripts/examples" -p pictures folder/good.md
	[ "$(ls pictures)" = drawn.svg ]
	ok $? 'pictures are copied'
	rm -r pictures
	run 1 "$@" "$root/scripts/examples" folder/good.md folder/bad.md
	out "examples: folder/bad.md: the last of these fails:${nl}exec 3>&1 >../out${nl}false | cat$nl"
	run 1 "$@" "$root/scripts/examples" folder/bad.1
	grep -q '^> a  b -c$' stdout
	ok $? 'what a block must print is compared'
	run 1 "$@" "$root/scripts/examples" folder/other.md
	grep -q '^> a$' stdout
	ok $? 'in Markdown, too'
	run 0 "$@" "$root/scripts/locales" folder/sorted.1 folder/sorted.sh
	out ''
	run 1 "$@" "$root/scripts/locales" folder/unsorted.md folder/unsorted.1 folder/unsorted.sh
	out 'folder/unsorted.md:2: sort without LC_ALL=C: cut -f 1 x | sort -g
folder/unsorted.1:3: awk without LC_ALL=C: k=$(awk 1 x); printf %s "$k"
folder/unsorted.1:3: printf without LC_ALL=C: k=$(awk 1 x); printf %s "$k"
folder/unsorted.sh:2: printf without LC_ALL=C: printf %.2f 1
'
	run 0 "$@" "$root/scripts/manopts" tool.1
	out ''
	run 1 "$@" "$root/scripts/manopts" off/tool.1
	grep -q '^tool: manual and --help differ$' stdout
	ok $? 'an option without a description is told'
	run 1 "$@" "$root/scripts/manopts" off/common/tool.1
	grep -q '^tool: manual and --help differ$' stdout
	ok $? '... and a common one that the page does not name'
	run 0 "$@" "$root/scripts/layers" LAYERS lib/high/b.c
	out ''
	run 1 "$@" "$root/scripts/layers" LAYERS lib/high/b.c lib/low/a.h lib/none.h
	out "lib/low/a.h:1: includes \"high/b.h\", which is not below it${nl}lib/none.h:1: its room has no floor$nl"
	run 1 "$@" "$root/scripts/layers" LAYERS lib/high/[cde].h
	[ "$(grep -c ', which includes it in turn$' stdout)" = 1 ]
	ok $? 'a circle is told once'
	run 0 env LC_ALL=de_DE.UTF-8 "$@" "$root/scripts/coverage" objects
	out "100.00 % of    30  100.00 % of     0 branches  cmd/a.c
 50.00 % of    10   25.00 % of     4 branches  lib/b.c
 87.50 % of    40   25.00 % of     4 branches  in all$nl"
	run 1 "$@" "$root/scripts/coverage" lib
	err "coverage: nothing has run$nl"
}
echo '/* */' >lib/none.h
printf %s "$shells" >list
while read -r shell; do
	# shellcheck disable=SC2086 # words
	judge $shell </dev/null
done <list
for awk in $awks; do
	judge env PATH="$PWD/awks/$awk:$PATH" sh
done

# Where CDPATH leads elsewhere, and nothing is named.
mkdir -p elsewhere/scripts/../tests/data
(cd "$root" && CDPATH=$tap_dir/elsewhere sh scripts/examples "$tap_dir/folder/good.md") >stdout 2>&1
ok $? 'CDPATH does not matter'
run 0 "$root/scripts/examples"

# What deps asks for where nothing is installed, and nobody may install it.
mkdir bare
printf '%s\n' '#!/bin/sh' 'exit 1' | tee bare/dpkg-query >bare/sudo
printf '%s\n' '#!/bin/sh' 'echo 1000' >bare/id
chmod +x bare/*
printf %s "$shells" >list
while read -r shell; do
	# shellcheck disable=SC2086 # words
	run 1 env PATH="$PWD/bare:$PATH" $shell "$root/scripts/deps" check </dev/null
	err "deps: missing: perl acl git libxml2-utils locales
deps: install them, as by: apt-get install -y perl acl git libxml2-utils locales$nl"
	# A site needs no browser: it is for the tests of the site.
	# shellcheck disable=SC2086 # words
	run 1 env PATH="$PWD/bare:$PATH" $shell "$root/scripts/deps" html </dev/null
	err "deps: missing: mandoc cmark-gfm
deps: install them, as by: apt-get install -y mandoc cmark-gfm$nl"
	# shellcheck disable=SC2086 # words
	run 2 $shell "$root/scripts/deps" none </dev/null
	err "deps: no set none (build, static, check, lint, sanitize, valgrind, bench, golden, plot, cluster, html, browser, deb, portability)$nl"
done <list

done_testing
