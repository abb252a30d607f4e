/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/say/knn_lists.h and knn_merge.h: neighbours in blocks of the
 * reference, merged, say what one run says.
 */
#include "say/knn_merge.h"

#include "base/rng.h"
#include "printed.h"
#include "said.h"
#include "say/knn_lists.h"
#include "say/knn_run.h"
#include "table/roles.h"
#include "vote/votes.h"

enum { N = 25, M = 11, BLOCKS = 3 };

/* What is known of the rows: a case of the tests. */
struct kind {
	bool numbers, ids, keep, self, radius;
};

static struct kith_rng rng;
static struct kith_err error;
static size_t ks[] = {1, 3}, all[] = {KITH_ALL_WITHIN, KITH_ALL_WITHIN};
static double radii[] = {.4, .25};

/* Rows with a target and an id, which is no number; the path. */
static const char *
rows(size_t file, size_t n, bool numbers)
{
	static const char *const class[] = {"u", "v", "w"};
	static char text[8000];
	char *at = text + sprintf(text, "a\tb\ttarget\tname\n");

	for (size_t i = 0; i < n; i++) {
		at += sprintf(at, "%.17g\t%.17g\t", kith_rng_unit(&rng), kith_rng_unit(&rng));
		at += numbers ? sprintf(at, "%.17g", kith_rng_unit(&rng))
			      : sprintf(at, "%s", class[(n - i + kith_rng_below(&rng, 2)) % 3]);
		at += sprintf(at, "\tr%zu\n", 2 * i + file);
	}
	return scratch_text(file, text);
}

/* Read the rows, the reference first; rows that are asked have a kept column. */
static void
read_rows(struct kith_knn_run *r, const struct kind *kind)
{
	const char *files[] = {scratch_path[1], NULL};
	struct kith_how how = {.target = "target",
	    .id = kind->ids ? "name" : NULL,
	    .ignore = kind->ids ? NULL : "name",
	    .keep = kind->keep && kind->self ? "a" : NULL,
	    .task = kind->numbers ? KITH_REGRESS : 0};

	if (kith_table_read(files, &how, NULL, &r->known, &r->pool, &error))
		abort();
	how.keep = kind->keep ? "a" : NULL;
	files[0] = scratch_path[2];
	if (!kind->self && kith_table_read(files, &how, &r->known, &r->asked, &r->pool, &error))
		abort();
	r->weights.metric = (struct kith_metric){KITH_SQUARED, r->known.X.p, NULL};
}

/* A run of all that is asked in the end. */
static struct kith_knn_run
ask(const struct kind *kind)
{
	return (struct kith_knn_run){.train = !kind->self,
	    .loo = kind->self,
	    .k = {2, kind->radius ? all : ks},
	    .radii = {kind->radius ? 2 : 0, radii},
	    .shard = {1, 1},
	    .block = {1, 1},
	    .how = {.vote = kind->ids || kind->numbers ? &kith_vote_majority : &kith_vote_distance,
		.threads = 1}};
}

/* The largest distance of a list, the third cell of its rows. */
static double
farthest(const char *list)
{
	double most = 0;

	for (const char *at = strchr(list, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
		const char *cell = at;

		for (size_t c = 0; cell && c < 2; c++)
			cell = strchr(cell + 1, '\t');
		/* The lines before the header have two cells. */
		if (at[1] != '#' && cell)
			most = fmax(most, strtod(cell, NULL));
	}
	return most;
}

/* Print the neighbours of all rows in each block; the files. */
static void
print_blocks(const struct kind *kind, const char **files)
{
	static char text[BLOCKS][PRINTED];

	for (size_t b = 0; b < BLOCKS; b++) {
		struct kith_knn_run r = ask(kind);
		struct kith_out out;

		read_rows(&r, kind);
		r.k = (struct kith_sizes){1, kind->radius ? all : ks + 1};
		r.radii.n = kind->radius;
		r.block = (struct kith_shard){b + 1, BLOCKS};
		r.print = KITH_KNN_NEIGHBOURS;
		if (kith_knn_lists_print(&r, &out, &error))
			abort();
		snprintf(text[b], sizeof(*text), "%s", printed(&out));
		ok(!kind->radius || farthest(text[b]) <= *radii, "none is farther than the radius");
		kith_pool_free(&r.pool);
	}
	for (size_t b = 0; b < BLOCKS; b++)
		files[b] = scratch_text(b + 1, text[b]);
}

/* What a run prints. */
static const char *
run(struct kith_knn_run *r)
{
	struct kith_out out;

	if (kith_knn_run(r, &out, &error)) {
		printf("# %s\n", error.msg);
		abort();
	}
	kith_pool_free(&r->pool);
	return printed(&out);
}

/* A run of the blocks, as far as they are read. */
static int
merge(const struct kind *kind, const char *const *files, struct kith_knn_run *r)
{
	*r = ask(kind);
	r->train = r->candidates = true;
	r->loo = false;
	return kith_knn_merge_read(r, files, kind->keep ? "a" : NULL, &error);
}

static void
same(const struct kind *kind, enum kith_knn_print what)
{
	const char *files[BLOCKS + 1] = {NULL};
	static char due[PRINTED];
	struct kith_knn_run r = ask(kind);

	rows(1, N, kind->numbers);
	rows(2, M, kind->numbers);
	read_rows(&r, kind);
	r.print = what;
	if (what == KITH_KNN_VOTES)
		r.k.n = 1;
	if (what == KITH_KNN_VOTES && kind->radius)
		r.radii.n = 1;
	snprintf(due, sizeof(due), "%s", run(&r));
	print_blocks(kind, files);
	if (merge(kind, files, &r)) {
		printf("# %s\n", error.msg);
		abort();
	}
	r.print = what;
	if (what == KITH_KNN_VOTES)
		r.k.n = 1;
	if (what == KITH_KNN_VOTES && kind->radius)
		r.radii.n = 1;
	is_text(run(&r), due, "blocks, merged");
}

/* What lists do not reach to is refused. */
static void
test_reach(void)
{
	const struct kind near = {.ids = true}, within = {.radius = true};
	const struct kind numbers = {.numbers = true, .radius = true};
	const char *files[BLOCKS + 1] = {NULL};
	size_t four = 4, many = N + 1;
	double far = .5;
	struct kith_knn_run r = {.k = {1, &four}};

	rows(1, N, false);
	rows(2, M, false);
	print_blocks(&near, files);
	ok(kith_knn_merge_read(&r, files, NULL, &error) &&
		strstr(error.msg, "3 neighbours at most"),
	    "k is that of the lists");
	kith_pool_free(&r.pool);
	r = (struct kith_knn_run){.k = {1, &many}};
	ok(kith_knn_merge_read(&r, files, NULL, &error) &&
		strcmp(error.msg, "26 neighbours wanted, only 25 available") == 0,
	    "or more than all");
	kith_pool_free(&r.pool);
	r = (struct kith_knn_run){.k = {1, all}, .radii = {1, &radii[1]}};
	ok(kith_knn_merge_read(&r, files, NULL, &error) && error.status == EX_DATAERR,
	    "all within a radius are not there");
	kith_pool_free(&r.pool);
	rows(1, N, false);
	rows(2, M, false);
	print_blocks(&within, files);
	r = (struct kith_knn_run){.k = {1, all}, .radii = {1, &far}};
	ok(kith_knn_merge_read(&r, files, NULL, &error) &&
		strstr(error.msg, "end at a distance of 0.4"),
	    "nor all within a larger one");
	kith_pool_free(&r.pool);
	rows(1, N, true);
	rows(2, M, true);
	print_blocks(&numbers, files);
	r = (struct kith_knn_run){.k = {1, all}, .radii = {1, radii}, .print = KITH_KNN_ERRORS};
	ok(kith_knn_merge_read(&r, files, NULL, &error) &&
		strstr(error.msg, "the mean of the reference"),
	    "nor is its mean known");
	kith_pool_free(&r.pool);
}

int
main(void)
{
	for (unsigned a = 0; a < 32; a++) {
		const struct kind kind = {a & 1, a & 2, a & 4, a & 8, a & 16};

		kith_rng_seed(&rng, a, KITH_RNG_SAMPLE, 0);
		same(&kind, KITH_KNN_PREDICTIONS);
		if (!kind.self)
			same(&kind, KITH_KNN_VOTES);
		if (!kind.radius || !kind.numbers)
			same(&kind, KITH_KNN_ERRORS);
		said();
	}
	test_reach();
	return done();
}
