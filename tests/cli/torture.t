#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tests/torture sees what is wrong, and is used on every command and file.
. "${0%/*}/tap.sh"

if [ "${KITH_MODE:-release}" != release ]; then
	skip 'preloading is not for sanitizers'
	done_testing
	exit
fi
torture=$KITH_BUILD/torture/torture
shim=$KITH_BUILD/torture/shim.so

# Each command is in the list, with each option that names a file it writes.
sed '/^#/d' "$root/tests/torture/calls" >calls
for tool in $(tools | sed '/^tabcv$/d'); do
	for option in --output $("$tool" --help |
		grep -oE -- '--save[a-z-]* FILE' | cut -d ' ' -f 1); do
		[ "$option" != --output ] || option=-o
		grep -E "^$tool .*$option new" calls >/dev/null || echo "$tool $option"
	done
done >missing
same missing ''

# try N MINUTES CALL: torture says so much of it; what it found is in found.
try() {
	echo "$3" >call
	"$torture" "$PWD/call" "$shim" 1 "$2" 1 1 >stdout 2>stderr
	[ $? -eq "$1" ]
	ok $? "$3: ends with $1"
	grep '^found: ' stdout >found
	tail -n 1 stdout | grep -qE '^tried [0-9]+ found [0-9]+ ended [0-9]+ of 28 at [0-9]+$'
	ok $? "it says how much was tried: $(tail -n 1 stdout)"
}

# finds TEXT: some finding says it.
finds() {
	grep -q "$1" found
	ok $? "it finds: $1"
}

mkdir bin run
PATH=$PWD/bin:$PATH
chmod 755 . bin run
# script NAME: a shell script, whose text follows.
script() {
	{
		echo '#!/bin/sh'
		cat
	} >"../bin/$1"
	chmod 755 "../bin/$1"
}
cd run || exit 1

# What writes its file under its name loses the old one.
script direct <<'END'
echo whole >"$1" || { echo 'direct: cannot write' >&2; exit 74; }
END
try 1 .02 'direct new'
finds "^found: ulimit -f (bytes) 0, ignored 25: direct new: status 74 and new is neither old nor new"

# What does not look whether it could write, and what does not say so.
script careless <<'END'
echo whole
echo whole >.temp && mv .temp "$1"
exit 0
END
try 1 .02 'careless new'
finds 'closed 0 >/dev/full.*: status 0 with 0 bytes of 6$'
# Root has a call made by nobody, too, unless nobody may enter the folder, as /root.
if setpriv --reuid 65534 --regid 65534 --clear-groups test -r "$shim" 2>/dev/null; then
	finds 'walled 1.*: status 0 and new is old$'
else
	skip 'nobody cannot make a call here'
fi
script mute <<'END'
echo whole 2>/dev/null || exit 74
END
try 1 .02 'mute'
finds 'status 74 without a message'

# Files that stay, a status that is not documented, and an end by a signal.
script messy <<'END'
echo whole >.temp
echo whole || { echo 'messy: cannot write' >&2; exit 3; }
rm .temp
END
try 1 .02 'messy'
finds 'status 3 for 0'
finds 'temporary files'
script dying <<'END'
echo whole || kill -s SEGV $$
END
try 1 .02 'dying'
finds 'signal 11'

# The shim: the first call that fails, and all calls where none does.
tabs 'a b y' '1 2 x' '2 1 z' >t.tsv
KITH_FAULT_SEEN=$PWD/seen
export KITH_FAULT_SEEN
faulty() {
	fault=$1
	shift
	head -c 16 /dev/zero >seen # begins to count
	run "$@" env KITH_FAULT="$fault" LD_PRELOAD="$shim" tabscale -o new t.tsv
}
faulty 'write 1 28 once' 74
err "tabscale: new: No space left on device$nl"
faulty 'read 1 5 once' 66
err "tabscale: t.tsv: Input/output error$nl"
faulty 'malloc 1 12 on' 71
faulty 'rename 1 5 once' 74
err "tabscale: new: Input/output error$nl"
faulty 'rename 2 5 once' 0
tabscale t.tsv | cmp -s - new
ok $? 'with as many calls as it has, a command does its work'
for fault in 'read 1 0 on' 'write 1 0 on' 'write 1 11 once' 'read 1 4 once'; do
	rm new
	faulty "$fault" 0
	tabscale t.tsv | cmp -s - new
	ok $? "$fault: the same bytes"
done
od -An -t uL seen | awk '{ exit !($1 > 1 && $2 == 1) }'
ok $? 'calls are counted'

# A file that does not get its name when another has: the message says so.
fault='rename 2 5 once'
head -c 16 /dev/zero >seen
run 74 env KITH_FAULT="$fault" LD_PRELOAD="$shim" \
	tabscale --save new -o new2 t.tsv
grep -q ': Input/output error; replaced already: new2*$' stderr
ok $? "$(cat stderr)"

# A short while of it for a command that is sound.
try 0 .05 'tabscale -o new --save new2 t.tsv'
same found ''

done_testing
