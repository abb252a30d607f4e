/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of cmd/wsvmpath/votes.c: by hand, and paths drawn by a seed against
 * predicting every row at many thetas.
 */
#include "base/pool.h"
#include "machine/machine.h"
#include "tap.h"
#include "wsvmpath/scores.h"

#include <stdlib.h>

enum { CLASSES = 5, PAIRS = CLASSES * (CLASSES - 1) / 2, THETAS = 100 };

static struct kith_pool pool;
static struct path path[PAIRS];
static size_t class[ROWS], c, m, machines;
static bool absent[PAIRS];

/* Draws the number of classes, and the paths of the machines, of which some are absent. */
static void
draw_all(void)
{
	c = 3 + kith_rng_below(&rng, CLASSES - 2);
	machines = c * (c - 1) / 2;
	for (size_t o = 0; o < machines; o++) {
		path_draw(&path[o], KITH_SVM_ERROR);
		absent[o] = o > 0 && kith_rng_below(&rng, 6) == 0;
	}
	m = path[0].how.m;
	for (size_t i = 0; i < m; i++) {
		class[i] = kith_rng_below(&rng, c + 1);
		class[i] = class[i] == c ? SIZE_MAX : class[i];
	}
}

static double
value(size_t o, size_t i, double theta)
{
	const struct path *p = &path[o];
	double f0, f1;
	size_t k = 0;

	while (k + 1 < p->pieces && p->theta[k + 1] < theta)
		k++;
	line(p, k, i, &f0, &f1);
	return f0 + theta * f1;
}

/* Returns the class of row i with most votes. */
static size_t
by_votes(size_t i, double theta)
{
	size_t votes[CLASSES] = {0}, best = 0, o = 0;

	for (size_t a = 0; a < c; a++)
		for (size_t b = a + 1; b < c; b++, o++)
			if (!absent[o])
				votes[value(o, i, theta) > 0 ? b : a]++;
	for (size_t h = 1; h < c; h++)
		if (votes[h] > votes[best])
			best = h;
	return best;
}

static void
follow_all(const struct test *of, struct changes *changes)
{
	static struct signs signs[PAIRS];
	static double f0[ROWS], f1[ROWS];

	for (size_t o = 0; o < machines; o++) {
		signs_new(&signs[o], m, &pool);
		for (size_t k = 0; !absent[o] && k < path[o].pieces; k++) {
			for (size_t i = 0; i < m; i++)
				line(&path[o], k, i, &f0[i], &f1[i]);
			signs_piece(&signs[o], path[o].theta[k], path[o].theta[k + 1], f0, f1);
		}
	}
	count_votes(of, c, signs, changes);
}

/* Returns whether row i is wrong just behind theta, by the changes. */
static bool
is_wrong(const struct changes *changes, size_t i, double theta)
{
	double last = -1;
	bool wrong = false;

	for (size_t k = 0; k < changes->n; k++)
		if (changes->v[k].row == i && changes->v[k].theta <= theta &&
		    changes->v[k].theta >= last) {
			last = changes->v[k].theta;
			wrong = changes->v[k].wrong;
		}
	return wrong;
}

/* Returns whether changes are in order of theta, and each row becomes wrong and right in turn. */
static bool
take_turns(const struct changes *changes)
{
	bool wrong[ROWS] = {false};

	for (size_t k = 0; k < changes->n; k++) {
		const struct change *x = &changes->v[k];

		if (wrong[x->row] == x->wrong || class[x->row] == SIZE_MAX ||
		    x->value != (x->wrong ? path[0].cost[x->row] : 0) ||
		    (k > 0 && x->theta < x[-1].theta))
			return false;
		wrong[x->row] = x->wrong;
	}
	return true;
}

static void
test_random(void)
{
	const size_t seeds = getenv("KITH_LONG") ? 2000 : 100;
	size_t wrong = 0, ragged = 0, changed = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		struct changes changes = {.pool = &pool};
		struct test of;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 2);
		draw_all();
		of = (struct test){.m = m, .class = class, .cost = path[0].cost};
		follow_all(&of, &changes);
		changed += changes.n;
		ragged += !take_turns(&changes);
		for (size_t t = 0; t < THETAS; t++) {
			const double theta = kith_rng_unit(&rng);

			for (size_t i = 0; i < m; i++) {
				wrong += class[i] != SIZE_MAX &&
				    is_wrong(&changes, i, theta) !=
					(by_votes(i, theta) != class[i]);
			}
		}
		kith_pool_free(&pool);
	}
	ok(wrong == 0, "votes: each row at many thetas (%zu are off)", wrong);
	ok(ragged == 0, "rows become wrong and right in turn, %zu times", changed);
}

/* One row of class 1 of 3, the signs of whose machines change at .25. */
static void
test_hand(void)
{
	struct signs signs[3];
	struct changes changes = {.pool = &pool};
	const size_t is = 1;
	const struct test of = {.m = 1, .class = &is};
	const double f0[] = {-.25, 1, -1}, f1[] = {1, -4, .5};

	/* 0 1: 0 till .25, then 1; 0 2: 2 till .25, then 0; 1 2: 1. */
	for (size_t o = 0; o < 3; o++) {
		signs_new(&signs[o], 1, &pool);
		signs_piece(&signs[o], 0, 1, &f0[o], &f1[o]);
	}
	ok(signs[0].changes.n == 1 && signs[0].changes.v->theta == .25 && signs[1].changes.n == 1 &&
		signs[2].changes.n == 0,
	    "where f is 0");
	count_votes(&of, 3, signs, &changes);
	/* Votes 1 1 1: the first class; then 1 2 0. */
	ok(changes.n == 2 && changes.v[0].theta == 0 && changes.v[0].wrong &&
		changes.v[1].theta == .25 && !changes.v[1].wrong,
	    "a tie falls to the first, two turns at once are one change");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_hand();
	test_random();
	return done();
}
