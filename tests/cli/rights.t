#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Whose the written files are: owner, group, mode and access list.
# shellcheck disable=SC2086 # $nobody and $member are words
. "${0%/*}/tap.sh"

printf 'a\tb\ty\n1\t2\tx\n3\t5\ty\n5\t2\tx\n' >t
chmod 755 .
chmod 644 t
mkdir bin there
cp "$(command -v tabscale)" bin
chmod 755 bin bin/tabscale
chmod 777 there

# The list of a file, on one line.
list() {
	getfacl -npE "$1" | grep -v '^#' | tr -s '\n' ' '
}

if ! command -v setfacl >/dev/null; then
	skip 'no setfacl'
	done_testing
	exit
fi
echo old >f
if ! setfacl -m u:7:r f 2>/dev/null; then
	skip 'no access lists on this file system'
	done_testing
	exit
fi

setfacl -m u:8:---,g:9:rw,m::rw f
due=$(list f)
run 0 tabscale -o f t
err ''
[ "$(list f)" = "$due" ] && [ "$due" != '' ]
ok $? "the access list stays: $due"
setfacl -m m::r f
due=$(list f)
run 0 tabscale -o f t
[ "$(list f)" = "$due" ]
ok $? 'with its mask'
run 0 tabscale --save f t -o /dev/null
[ "$(list f)" = "$due" ]
ok $? 'that of another file, too'

# What a directory gives to new files is not for old ones.
mkdir given
setfacl -d -m u:7:rwx,g::rx,o::- given
run 0 tabscale -o given/new t
[ "$(list given/new)" = \
	'user::rw- user:7:rwx group::r-x mask::rw- other::--- ' ]
ok $? "a new file gets the list of its directory: $(list given/new)"
setfacl -b given/new
chmod 664 given/new
run 0 tabscale -o given/new t
err ''
[ "$(list given/new)" = 'user::rw- group::rw- other::r-- ' ]
ok $? "an old one has none: $(list given/new)"

# Somebody who may write a file of root's, and may not give the new one away.
if [ "$(id -u)" -ne 0 ]; then
	skip 'not root'
	done_testing
	exit
fi
# What measures coverage writes files, too.
nobody="env GCOV_PREFIX=$PWD/there setpriv --reuid=1007 --regid=1008"
member="$nobody --groups 1009"
nobody="$nobody --clear-groups"
if ! $nobody bin/tabscale -V >/dev/null 2>&1; then
	skip 'no other user'
	done_testing
	exit
fi

# theirs MODE ENTRIES DUE: a file of root's, which user 1007 replaces.
theirs() { # no list stays where its owner does not: nobody knows whom it would let in now
	rm -f there/f
	echo old >there/f
	chown 0:0 there/f
	chmod "$1" there/f
	[ -z "$2" ] || setfacl -m "$2" there/f
	run 0 $nobody bin/tabscale -o there/f t
	err "tabscale: warning: there/f: not kept of the old file: owner, group${2:+, access list}$nl"
	[ "$(stat -c %u:%g there/f)" = 1007:1008 ]
	ok $? 'it is of the user who wrote it'
	[ "$(list there/f)" = "$3 " ]
	ok $? "$1 $2: $(list there/f)"
}
theirs 666 '' 'user::rw- group::rw- other::rw-'
theirs 646 '' 'user::rw- group::r-- other::r--'
theirs 606 '' 'user::rw- group::--- other::---'
theirs 640 u:1007:rw,m::rw 'user::rw- group::--- other::---'
theirs 644 u:1007:rw,u:7:-,m::rw 'user::rw- group::--- other::---'
theirs 466 u:1007:rw,m::rw 'user::r-- group::--- other::---'

chmod 666 there/f
chown 0:0 there/f
run 0 $nobody bin/tabscale -q -o there/f t
err ''

# A group of ours can be kept.
setfacl -b there/f
chown 0:1009 there/f
chmod 660 there/f
run 0 $member bin/tabscale -o there/f t
err "tabscale: warning: there/f: not kept of the old file: owner$nl"
[ "$(stat -c %u:%g:%a there/f)" = 1007:1009:660 ]
ok $? 'then its rights are, too'

# What another group might, nobody may where it cannot be kept.
for modes in 640:600 644:644 604:600 6770:700; do
	chown 1007:0 there/f
	chmod "${modes%:*}" there/f
	run 0 $member bin/tabscale -o there/f t
	err "tabscale: warning: there/f: not kept of the old file: group$nl"
	[ "$(stat -c %u:%g:%a there/f)" = "1007:1008:${modes#*:}" ]
	ok $? "another group: $modes"
done

# Root keeps all.
chown 1007:1009 there/f
chmod 6750 there/f
run 0 tabscale -o there/f t
err ''
[ "$(stat -c %u:%g:%a there/f)" = 1007:1009:6750 ]
ok $? 'root keeps owner, group and mode'

done_testing
