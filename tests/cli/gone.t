#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Options that earlier versions had are wrong calls, which say what to do now.
. "${0%/*}/tap.sh"

# gone COMMAND OPTION WORDS: alone on the command line.
gone() {
	run 2 $1 $2 no-such-file
	grep -q "^$1: $2 is gone: .*$3" stderr
	ok $? "$1 $2 names the new way: $3"
}

for command in $(cd "$root/cmd" && ls | sed 's/\.c$//'); do
	gone $command --dry-run 'head -n 1000'
done
gone wsvmpath --gap exact

done_testing
