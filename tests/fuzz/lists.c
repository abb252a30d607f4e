/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lists - fuzz target: lists of neighbours that are merged.  Two files, cut at a
 * null byte, or one: as knnclf and as nnkgraph read them.  What is read is in
 * order, of the reference, and no more than was asked for.
 */
#include "fuzz.h"

#include "near/heap.h"
#include "table/lists.h"

#include <string.h>

enum { K = 3 };

/* What was seen. */
struct seen {
	const struct kith_lists *lists;
	size_t begun, ended;
};

static int
begin(void *to, const struct kith_rows *line, struct kith_err *err)
{
	struct seen *seen = to;

	(void)line;
	(void)err;
	seen->begun++;
	return 0;
}

static int
read_entry(void *to, const struct kith_rows *line, struct kith_lists_entry *e, struct kith_err *err)
{
	const struct seen *seen = to;
	const size_t reference = seen->lists->about.reference;

	(void)line;
	(void)err;
	if (e->row < 1 || e->row > reference || e->d != e->d)
		abort();
	return 0;
}

static void
end(void *to, const struct kith_lists_entry *e, size_t n)
{
	struct seen *seen = to;

	if (++seen->ended != seen->begun || n > K)
		abort();
	for (size_t i = 1; i < n; i++) {
		const struct kith_neighbour a = {e[i - 1].row, e[i - 1].d};
		const struct kith_neighbour b = {e[i].row, e[i].d};

		if (!kith_neighbour_before(&a, &b))
			abort();
	}
}

static int
merge(const char *const *files, const struct kith_lists_columns *columns, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_lists lists;
	struct seen seen = {.lists = &lists};
	const struct kith_lists_use use = {&seen, K, begin, read_entry, end};
	int got = kith_lists_open(files, columns, &lists, pool, err);

	if (got == 0)
		got = kith_lists_read(&lists, &use, pool, err);
	if (got == 0 && seen.ended != seen.begun)
		abort();
	kith_lists_close(&lists);
	return got;
}

/* The second file, if any, is there. */
static bool two;

static int
as_votes(const char *file, struct kith_pool *pool, struct kith_err *err)
{
	static const struct kith_lists_columns columns = {"id", "neighbour", "own"};
	const char *const files[] = {file, two ? fuzz_path[1] : NULL, NULL};

	return merge(files, &columns, pool, err);
}

static int
as_edges(const char *file, struct kith_pool *pool, struct kith_err *err)
{
	static const struct kith_lists_columns columns = {"from", "to", NULL};
	const char *const files[] = {file, two ? fuzz_path[1] : NULL, NULL};

	return merge(files, &columns, pool, err);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const uint8_t *cut = len ? memchr(data, '\0', len) : NULL;
	const size_t first = cut ? (size_t)(cut - data) : len;

	two = cut != NULL;
	if (two)
		fuzz_file(1, cut + 1, len - first - 1);
	fuzz_read(as_votes, data, first);
	fuzz_read(as_edges, data, first);
	return 0;
}
