/* Tests of lib/relief/float.h, against lib/near/by_class.h. */
#include "relief/float.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/by_class.h"
#include "near/metric.h"
#include "near/near.h"
#include "tap.h"

#include <math.h>

enum { ROWS = 400, WIDE = 40, NEAREST = 20 };

/* Fill X: continuous, a grid, near copies, or a grid far from 0. */
static void
fill(uint64_t seed, struct kith_mat *X, size_t *class)
{
	struct kith_rng rng;

	kith_rng_seed(&rng, seed, KITH_RNG_START, 1);
	for (size_t i = 0; i < X->n; i++) {
		const size_t twin = kith_rng_below(&rng, i + 1);

		class[i] = kith_rng_below(&rng, 2 + seed % 3);
		for (size_t a = 0; a < X->p; a++) {
			double v = kith_rng_unit(&rng);

			if (seed % 4 == 1)
				v = round(4 * v) / 4;
			else if (seed % 4 == 2 && twin % 2)
				v = kith_row(X, twin)[a] +
				    ldexp(v - .5, -10 - (int)(twin % 40));
			else if (seed % 4 == 3)
				v = 1e6 + round(9 * v) / 9;
			kith_row(X, i)[a] = v;
		}
	}
}

/* Search the classes both ways: how many it serves, and what differs. */
static void
compare(
    const struct kith_relief_sorted *s, size_t k, size_t *served, size_t *bad)
{
	struct kith_pool tmp = {0};
	const size_t width = s->X.p;
	double *least = kith_new(&tmp, width, sizeof(*least));
	double *share = kith_new(&tmp, width, sizeof(*share));
	struct kith_neighbour *due = kith_new(&tmp, ROWS, k * sizeof(*due));
	struct kith_neighbour *got = kith_new(&tmp, ROWS, k * sizeof(*got));
	const struct kith_metric metric = {KITH_ABSOLUTE, width, share};
	struct kith_relief_float f;

	for (size_t a = 0; a < width; a++) {
		double most = least[a] = s->X.v[a];

		for (size_t i = 0; i < ROWS; i++) {
			most = fmax(most, kith_row(&s->X, i)[a]);
			least[a] = fmin(least[a], kith_row(&s->X, i)[a]);
		}
		share[a] = 1 / (most - least[a]);
	}
	kith_relief_float_new(s, least, share, NULL, &f, &tmp);
	for (size_t b = 0; b < s->c; b++) {
		if (!kith_relief_float_serves(s, b, k))
			continue;
		++*served;
		kith_relief_near(s, &metric, b, k, 1, due);
		kith_relief_float_near(&f, b, k, 2, got);
		for (size_t i = 0; i < ROWS * k; i++)
			*bad += due[i].row != got[i].row ||
			    due[i].d != got[i].d;
	}
	kith_pool_free(&tmp);
}

/* The screen finds what the plain search finds, ties too. */
static void
test_float(void)
{
	size_t bad = 0, served = 0;

	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct kith_pool tmp = {0};
		const size_t width = 9 + seed % (WIDE - 9);
		struct kith_mat X = kith_mat_new(&tmp, ROWS, width);
		size_t *class = kith_new(&tmp, ROWS, sizeof(*class));
		struct kith_relief_sorted s;

		fill(seed, &X, class);
		kith_relief_sort(&X, class, 4, NULL, ROWS, &s, &tmp);
		compare(&s, 1 + seed % NEAREST, &served, &bad);
		kith_pool_free(&tmp);
	}
	ok(served > 50, "classes that it serves: %zu", served);
	is_size(bad, 0, "neighbours that the screen does not find");
}

int
main(void)
{
	test_float();
	return done();
}
