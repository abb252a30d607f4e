#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Campaigns go through all that there is, and say so.
. "${0%/*}/tap.sh"

# fuzz: without time each target is a line, and each is counted.
mkdir -p build/fuzz
for target in "$root"/tests/fuzz/*.c; do
	target=${target##*/}
	printf '%s\n' '#!/bin/sh' 'exit 0' >build/fuzz/"${target%.c}"
done
chmod +x build/fuzz/*
run 0 "$root/tests/fuzz/run" build 0
sed 1d stdout | cut -f 1 | sort >targets
grep -v '^#' "$root/tests/fuzz/COUNT" | cut -f 1 | sort | diff - targets
ok $? 'fuzz: the targets are those of COUNT'
rm build/fuzz/rows
run 70 "$root/tests/fuzz/run" build 0 rows
err "fuzz: no program $PWD/build/fuzz/rows$nl"

# bench: a benchmark that is slow, fails, or is cut when its time is over.
mkdir bench
cp "$root/tests/bench/run" bench
printf '%s\n' '#!/bin/sh' 'exit 0' >build/unit
mkdir build/bench
mv build/unit build/bench
chmod +x build/bench/unit
# bench STATUS NAME LINE...: with one benchmark, of these lines.
bench() {
	due=$1 name=$2
	shift 2
	rm -f bench/*.bench
	printf '%s\n' '#!/bin/sh' "$@" >bench/"$name".bench
	chmod +x bench/"$name".bench
	run "$due" env KITH_BUILD="$PWD/build" LIMIT="$limit" bench/run
}
limit=
# shellcheck disable=SC2016 # for sh
{
	bench 0 good 'echo "ok	a	1	goal <= 2"'
	bench 1 late 'echo "slow	a	3	goal <= 2"'
	bench 1 broken 'exit 3'
	grep -qx 'failed: broken' stdout
	ok $? 'a benchmark that fails is named'
	limit=1
	bench 0 late 'echo "slow	a	3	goal <= 2"'
	bench 0 endless 'mktemp -d && sleep 30'
	bench 1 broken 'exit 3'
}

done_testing
