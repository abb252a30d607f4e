#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# scripts/layers: includes go down, and never in a circle.
. "${0%/*}/tap.sh"
mkdir -p lib/low lib/left lib/high
printf '# the lowest first\nlow\nleft right # a floor\nhigh\n' >LAYERS
# file NAME INCLUDE...: a file of lib that includes these.
file() {
	file_name=lib/$1
	shift
	for file_it; do
		printf '#include "%s"\n' "$file_it"
	done >"$file_name"
}
layers() { # STATUS MESSAGE
	run "$1" "$root/scripts/layers" LAYERS lib/*/*.[ch]
	out "$2"
	err ''
}

file low/a.h
file low/a.c low/a.h low/b.h
file low/b.h
file left/c.h low/b.h
file left/c.c left/c.h
file high/d.c left/c.h low/a.h
layers 0 ''

file low/a.h left/c.h
layers 1 "lib/low/a.h:1: includes \"left/c.h\", which is not below it$nl"
mkdir lib/right
file low/a.h
file right/e.h low/a.h left/c.h
layers 1 "lib/right/e.h:2: includes \"left/c.h\", which is not below it$nl"
rm -r lib/right
file left/c.h b.h
layers 1 "lib/left/c.h:1: includes \"b.h\" without its room$nl"
file left/c.h other/b.h
layers 1 "lib/left/c.h:1: includes \"other/b.h\", whose room has no floor$nl"
file left/c.h
mkdir lib/other
file other/f.c low/a.h
layers 1 "lib/other/f.c:1: its room has no floor
lib/other/f.c:1: includes \"low/a.h\", which is not below it$nl"
rm -r lib/other

# A circle inside a room, of three, one step of which is in a .c file.
file low/a.h
file low/a.c low/a.h low/b.h
file low/b.h low/g.h
file low/g.h low/a.h
run 1 "$root/scripts/layers" LAYERS lib/*/*.[ch]
grep -qx 'lib/low/[abg].[ch]:[12]: includes "low/[abg].h", which includes it in turn' stdout
ok $? 'a circle is caught'
[ "$(wc -l <stdout)" -eq 1 ]
ok $? 'and told once'
done_testing
