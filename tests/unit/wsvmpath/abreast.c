/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvmpath/abreast.h: paths side by side are what each of them is
 * alone, and their pieces end where one of them does.
 */
#include "wsvmpath/abreast.h"

#include "base/sort.h"
#include "scratch.h"
#include "tap.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/jobs.h"

#include <math.h>
#include <string.h>

enum { LANES = 4, ROWS = 140, MOST = 2000 };

/* The pieces of a path alone: where they end, and the scores of some items. */
struct alone {
	size_t n;
	double to[MOST];
	double *f0[MOST], *f1[MOST]; /* ROWS */
};

static struct alone alone[LANES];
static struct kith_wsvm_job job[LANES];

/* A table of rows whose weights grow from 0, up to one that depends on seed. */
static void
make_job(struct kith_wsvm_job *made, struct kith_wsvm_call *call, const char *files[2], size_t seed)
{
	static char table[1 << 14];
	char *at = table + sprintf(table, "u,v,a,b,y\n");

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 7);
	for (int i = 0; i < ROWS; i++) {
		const double b = 500 * kith_rng_unit(&rng);
		const double v = kith_rng_unit(&rng);
		const double u = kith_rng_unit(&rng) + i % 2 * .05;

		at += sprintf(at, "%.17g,%.17g,%g,%.17g,%d\n", u, v, seed == 2 ? 1. : 0., b, i % 2);
	}
	files[0] = scratch_text(0, table);
	files[1] = NULL;
	*call = call_of(KITH_WSVM_CLASSIFY, files);
	make(call, made);
}

static struct kith_wsvm *
solver_of(const struct kith_wsvm_job *of)
{
	struct kith_wsvm *s = kith_wsvm_new(&of->problem, of->from, NULL, &pool);

	kith_wsvm_aim(s, of->to);
	return s;
}

static void
follow_alone(const struct kith_wsvm_job *of, struct alone *a)
{
	struct kith_wsvm *s = solver_of(of);
	struct kith_wsvm_piece piece;

	*a = (struct alone){0};
	while (kith_wsvm_next(s, &piece, NULL, NULL)) {
		if (a->n == MOST)
			abort();
		KITH_NEW_REALS(&pool, ROWS, 1, &a->f0[a->n], &a->f1[a->n]);
		kith_wsvm_scores(&piece, NULL, ROWS, a->f0[a->n], a->f1[a->n]);
		a->to[a->n++] = piece.to;
	}
}

/* What is told: the lanes that there are, and how far they are. */
struct told {
	bool has[LANES];
	size_t at[LANES], m; /* pieces; items */
	size_t pieces, bad;
	double end;
};

static void
hear(void *on, double from, double to, const double *const *f0, const double *const *f1)
{
	struct told *t = on;
	double end = 1;

	for (size_t h = 0; h < LANES; h++) {
		const struct alone *a = &alone[h];
		size_t *at = &t->at[h];

		if (!t->has[h]) {
			t->bad += f0[h] != NULL || f1[h] != NULL;
			continue;
		}
		while (*at + 1 < a->n && a->to[*at] <= from)
			++*at;
		t->bad += memcmp(f0[h], a->f0[*at] + ROWS - t->m, t->m * sizeof(**f0)) != 0;
		t->bad += memcmp(f1[h], a->f1[*at] + ROWS - t->m, t->m * sizeof(**f1)) != 0;
		end = fmin(end, a->to[*at]);
	}
	t->bad += from != t->end || !(from < to) || to != end;
	t->end = to;
	t->pieces++;
}

/* The number of places where pieces end. */
static size_t
ends(const struct told *t)
{
	static double end[LANES * MOST];
	size_t n = 0, one = 0;

	for (size_t h = 0; h < LANES; h++)
		for (size_t k = 0; t->has[h] && k < alone[h].n; k++)
			end[n++] = alone[h].to[k];
	if (n == 0)
		return 1; /* 0 to 1 */
	kith_sort_reals(end, n);
	for (size_t k = 0; k < n; k++)
		one += k == 0 || end[k] > end[k - 1];
	return one;
}

static void
test_lanes(const bool has[LANES], size_t m, size_t threads, const char *name)
{
	struct kith_wsvm_lane lane[LANES] = {{NULL}};
	struct told t = {.m = m};

	memcpy(t.has, has, sizeof(t.has));
	for (size_t h = 0; h < LANES; h++)
		if (has[h])
			lane[h].solver = solver_of(&job[h]);
	kith_wsvm_abreast(lane, LANES, m, threads, hear, &t);
	is_size(t.bad, 0, name);
	is_near(t.end, 1, 0, "to the end");
	is_size(t.pieces, ends(&t), "a piece between any two ends");
}

int
main(void)
{
	static const bool all[LANES] = {true, true, true, true};
	static const bool some[LANES] = {false, true, false, true};
	static const bool none[LANES] = {false, false, false, false};
	static struct kith_wsvm_call call[LANES];
	static const char *files[LANES][2];
	size_t longest = 0;

	for (size_t h = 0; h < LANES; h++) {
		make_job(&job[h], &call[h], files[h], h);
		follow_alone(&job[h], &alone[h]);
		longest = alone[h].n > longest ? alone[h].n : longest;
	}
	ok(longest > 128, "paths of up to %zu pieces", longest);
	test_lanes(all, 20, 1, "four paths");
	test_lanes(all, 1, 3, "on three threads");
	test_lanes(some, 7, 2, "two of them");
	test_lanes(none, 7, 1, "none at all");
	kith_pool_free(&pool);
	return done();
}
