#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tests/mutants: which lines are changed, and how; and, in the long
# run, that each line of the list of equivalent ones is still about a mutant.
. "${0%/*}/tap.sh"
# shellcheck source=awks.sh
. "$root/tests/cli/awks.sh"

cat >a.c <<'END'
/* a + b, in a comment; x < y */
#define HALF(x) ((x) / 2)
static const size_t few = 3;

int
f(int n, double *x)
{
	int i = 0;
	/* n < 3 */
	if (n < i && x)
		x[n - 1] += 2; /* n == 3 */
	assert(n > 3);
	g(n,
	    i + 1);
	g("<");
	h(i);
	return n * i;
}
int h = 1 - 2;
END
cat >due <<'END'
8 int i = 0; int i = 1;
10 if (n < i && x) if (n <= i && x)
10 if (n < i && x) if (n < i || x)
11 x[n - 1] += 2; ;
11 x[n - 1] += 2; x[n + 1] += 2;
11 x[n - 1] += 2; x[n - 1] += 3;
11 x[n - 1] += 2; x[n - 1] -= 2;
11 x[n - 1] += 2; x[n - 2] += 2;
11 x[n - 1] += 2; x[n] += 2;
14 i + 1); i + 2);
14 i + 1); i - 1);
14 i + 1); i);
16 h(i); ;
17 return n * i; return n / i;
END
first=
for awk in $awks; do
	env PATH="$PWD/awks/$awk:$PATH" awk -v seed=1 \
		-f "$root/tests/mutants/mutate.awk" a.c >all
	cut -f 3-5 all | tr '\t' ' ' | sort -n >got
	sort -n due | cmp -s - got
	ok $? "the mutants of a file ($awk)"
	sort -n due | diff - got | sed 's/^/# /'
	sort -n all | cut -f 3 | tr '\n' ' ' >order
	[ -z "$first" ] || [ "$first" = "$(cat order)" ]
	ok $? 'in the same order'
	first=$(cat order)
done
# The order does not depend on what else there is.
{
	echo '/* one line more */'
	grep -v 'h(i)' a.c
} >b.c
mv b.c a.c
awk -v seed=1 -f "$root/tests/mutants/mutate.awk" a.c | sort -n |
	cut -f 4- >later
sort -n all | cut -f 4- | grep -v '^h(i)' | cmp -s - later
ok $? 'lines that come and go leave the order of the others'

if [ "${KITH_LONG:-}" ]; then
	cd "$root" || exit 1
	awk -v seed=1 -f tests/mutants/mutate.awk lib/*/*.c cmd/*.c cmd/*/*.c | cut -f 2,4- >"$tap_dir/all"
	awk -F '\t' 'FNR == 1 { file++ }
		file == 1 { is[$0] = 1; next }
		NF != 5 || !(($1 FS $2 FS $3 FS $4) in is)' "$tap_dir/all" \
		tests/mutants/equivalent >"$tap_dir/none"
	cd "$tap_dir" || exit 1
	same none ''
fi

# The tool itself, on a file whose tests are quick.
if [ "${KITH_LONG:-}" ] && [ "${KITH_MODE:-}" = release ]; then
	KITH_LIMIT=1200
	run 0 make -s -C "$root" mutants N=4 FILES=lib/base/sort.c DEPS=true JOBS=2
	tail -n 1 stdout | grep -qE '^mutants: 4 tried, [34] killed .*seed 1; '
	ok $? "$(tail -n 1 stdout)"
fi
done_testing
