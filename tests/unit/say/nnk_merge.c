/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/say/nnk_run.h and nnk_blocks.h: parts of a graph, merged, are what
 * one run prints.
 */
#include "say/nnk_blocks.h"

#include "nnk_rows.h"

/* Blocks of the reference, merged, are the graph of one run. */
static void
test_blocks(enum kith_nnk_method method, enum kith_symm rule)
{
	const char *files[] = {NULL, NULL, NULL, NULL};
	static char due[PRINTED];
	struct kith_nnk_run r;
	struct kith_out out;

	for (size_t i = 0; i < 3; i++) {
		ask(&r, method, KITH_SYMM_NONE);
		r.block = (struct kith_shard){i + 1, 3};
		if (kith_nnk_blocks_print(&r, &out, &error))
			abort();
		files[i] = scratch_text(i + 1, printed(&out));
		kith_pool_free(&r.pool);
	}
	ask(&r, method, rule);
	snprintf(due, sizeof(due), "%s", graph(&r, 0));
	kith_pool_free(&r.pool);
	ask(&r, method, rule);
	r.merged = N;
	r.how.k = 1;
	r.in.to = (struct kith_ends){.n = 0};
	r.in.known = (struct kith_table){.file = "none"};
	ok(kith_nnk_run_merge(&r, files, &out, &error) && r.blocks, "these are blocks");
	ok(kith_nnk_blocks_merge(&r, files, &out, &error) == 0, "merged");
	is_text(printed(&out), due, "the graph of one run");
	r.merged = N + 1;
	ok(kith_nnk_blocks_merge(&r, files, &out, &error) && error.status == EX_DATAERR,
	    "they have not so many rows");
	r.merged = N;
	kith_pool_free(&r.pool);
}

/* Rows that are solved in shards, merged, are the graph of one run. */
static void
test_shards(enum kith_symm rule)
{
	const char *files[] = {NULL, NULL, NULL, NULL};
	static char due[PRINTED];
	struct kith_nnk_run r;
	struct kith_out out;

	for (size_t i = 0; i < 3; i++) {
		ask(&r, KITH_NNK, KITH_SYMM_NONE);
		r.form.error = r.form.full = true;
		r.rows.first = i * N / 3;
		r.rows.m = (i + 1) * N / 3 - r.rows.first;
		files[i] = scratch_text(i + 1, graph(&r, 0));
		kith_pool_free(&r.pool);
	}
	ask(&r, KITH_NNK, rule);
	r.how.least = 1e-6;
	snprintf(due, sizeof(due), "%s", graph(&r, 0));
	kith_pool_free(&r.pool);
	ask(&r, KITH_NNK, rule);
	r.how.least = 1e-6;
	r.merged = N;
	r.in.to = (struct kith_ends){.n = 0};
	ok(kith_nnk_run_merge(&r, files, &out, &error) == 0, "merged");
	is_text(printed(&out), due, "the graph of one run");
	kith_pool_free(&r.pool);
}

/* Print the edges to all rows as one block, its first "from" being this. */
static const char *
block_of(const char *from)
{
	static char text[PRINTED], other[PRINTED + 8];
	struct kith_nnk_run r;
	struct kith_out out;
	char *at;

	ask(&r, KITH_NNK_KNN, KITH_SYMM_NONE);
	if (kith_nnk_blocks_print(&r, &out, &error))
		abort();
	snprintf(text, sizeof(text), "%s", printed(&out));
	kith_pool_free(&r.pool);
	at = strstr(text, "\n1\t");
	if (!at)
		abort();
	*at = '\0';
	snprintf(other, sizeof(other), "%s\n%s%s", text, from, at + 2);
	return scratch_text(1, other);
}

/* Rows that edges go from must be there, and in order. */
static void
test_from(void)
{
	static const char *const from[] = {"1", "x", "0", "27", "3"};
	static const bool good[] = {true, false, false, false, false};

	for (size_t i = 0; i < 5; i++) {
		const char *const files[] = {block_of(from[i]), NULL};
		struct kith_nnk_run r;
		struct kith_out out;
		int got;

		ask(&r, KITH_NNK_KNN, KITH_SYMM_MAX);
		r.merged = N;
		got = kith_nnk_blocks_merge(&r, files, &out, &error);
		ok((got == 0) == good[i] && (got == 0 || error.status == EX_DATAERR), "from %s",
		    from[i]);
		if (got == 0)
			printed(&out);
		kith_pool_free(&r.pool);
	}
}

/* Of a merge that connects the graph, the rows must be as many as it says. */
static void
test_rows(void)
{
	const char *const files[] = {scratch_text(1, "from\tto\tweight\n"), NULL};
	struct kith_nnk_run r;
	struct kith_out out;

	ask(&r, KITH_NNK_KNN, KITH_SYMM_MAX);
	r.connect = true;
	r.merged = N + 1;
	ok(kith_nnk_run_merge(&r, files, &out, &error) && error.status == EX_DATAERR &&
		strcmp(error.file, "known") == 0 && error.line == 0,
	    "edges: %s", error.msg);
	ok(kith_nnk_blocks_merge(&r, files, &out, &error) && error.status == EX_DATAERR &&
		strcmp(error.file, "known") == 0 && error.line == 0,
	    "blocks: %s", error.msg);
	kith_pool_free(&r.pool);
}

int
main(void)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		draw();
		test_blocks(KITH_NNK_KNN, KITH_SYMM_NONE);
		test_blocks(KITH_NNK_KNN, KITH_SYMM_MAX);
		test_blocks(KITH_NNK_RADIUS, KITH_SYMM_MEAN);
		test_shards(KITH_SYMM_NODE);
		test_shards(KITH_SYMM_ERROR);
		test_shards(KITH_SYMM_MIN);
	}
	test_from();
	test_rows();
	return done();
}
