#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Manual pages begin with examples, and are short enough to be read.
. "${0%/*}/tap.sh"

if ! command -v mandoc >/dev/null; then
	skip 'mandoc is not installed'
	done_testing
	exit
fi
for page in "$root"/man/*.[157]; do
	name=${page##*/}
	case $name in
	*.1)
		[ "$(grep '^\.Sh ' "$page" | sed -n 3p)" = '.Sh EXAMPLES' ]
		ok $? "$name: examples are the third section"
		;;
	esac
	mandoc -T ascii -O width=78 "$page" | sed "s/.$(printf '\b')//g" >text
	case $name in
	kith-tables.5 | kith-guide.7 | kith-tutorial.7) ;;
	*)
		[ "$(wc -l <text)" -le 250 ]
		ok $? "$name: at most 250 lines"
		;;
	esac
	! LC_ALL=C grep -nE '^.{81}' text
	ok $? "$name: no line is wider than 80 columns"
done

done_testing
