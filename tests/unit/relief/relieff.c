/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of ReliefF, lib/relief/relief.h: by hand, and against the definitions.
 */
#include "relief/diff.h"

static size_t seeds;

/* The k nearest rows of class b (NOBODY: of all) to row i; how many. */
static size_t
nearest_k(size_t i, size_t b, size_t k, bool squares, size_t *nn)
{
	double d[MOST_N] = {0};
	size_t held = 0;

	for (size_t j = 0; j < n; j++) {
		size_t at;

		if (j == i || (b != NOBODY && y[j] != b))
			continue;
		for (size_t a = 0; a < p; a++) {
			const double D = diff[(i * n + j) * p + a];

			d[j] += squares ? D * D : D;
		}
		for (at = held; at > 0 && d[nn[at - 1]] > d[j]; at--)
			nn[at] = nn[at - 1];
		nn[at] = j;
		held++;
	}
	return held < k ? held : k;
}

static void
plain_relieff(size_t k, bool squares, const bool *on, double *w)
{
	size_t count[MOST_C] = {0}, nn[MOST_N + 1];
	double m = 0;

	memset(w, 0, p * sizeof(*w));
	for (size_t i = 0; i < n; i++) {
		count[y[i]]++;
		m += !on || on[i];
	}
	for (size_t i = 0; i < n; i++)
		for (size_t b = 0; b < c; b++) {
			const size_t held = nearest_k(i, b, k, squares, nn);
			const double prior = y[i] == b
			    ? -1
			    : (double)count[b] / (double)(n - count[y[i]]);

			for (size_t r = 0; (!on || on[i]) && r < held; r++)
				for (size_t a = 0; a < p; a++)
					w[a] += prior * diff[(i * n + nn[r]) * p + a] /
					    (m * (double)held);
		}
}

static void
plain_rrelieff(size_t k, bool squares, double sigma, double *w)
{
	double with[MOST_P] = {0}, all[MOST_P] = {0}, C = 0, m = 0;
	size_t nn[MOST_N + 1];
	const double range = range_of(t, 1);

	for (size_t i = 0; i < n; i++) {
		const size_t held = nearest_k(i, NOBODY, k, squares, nn);
		double sum = 0;

		for (size_t r = 0; r < held; r++)
			sum += exp(-square((double)(r + 1) / sigma));
		for (size_t r = 0; r < held; r++) {
			const double f = exp(-square((double)(r + 1) / sigma)) / sum;
			const double delta = fabs(t[i] - t[nn[r]]) / range;

			C += f * delta;
			m += f;
			for (size_t a = 0; a < p; a++) {
				const double D = diff[(i * n + nn[r]) * p + a];

				with[a] += f * delta * D;
				all[a] += f * D;
			}
		}
	}
	for (size_t a = 0; a < p; a++)
		w[a] = with[a] / C - (all[a] - with[a]) / (m - C);
}

/* --samples: the first of a shuffle. */
static void
test_draw(void)
{
	struct kith_relief_how how = {
	    .method = KITH_RELIEFF, .k = 3, .samples = 7, .threads = 1, .seed = 5};
	struct kith_relief_rows in;
	struct kith_rng r;
	bool on[MOST_N] = {false};
	double w[MOST_P] = {0};
	size_t at[MOST_N];

	draw(4);
	in = rows();
	for (size_t i = 0; i < n; i++)
		at[i] = i;
	kith_rng_seed(&r, 5, KITH_RNG_SAMPLE, 0);
	kith_rng_shuffle(&r, at, n);
	for (size_t i = 0; i < 7; i++)
		on[at[i]] = true;
	fill_diff(true);
	plain_relieff(3, false, on, w);
	ok(apart(run(&in, &how)->w, w, p) <= 1e-12, "seven samples");
	how.samples = n + 1;
	ok(!run(&in, &how) && err.status == EX_DATAERR, "too many samples");
}

/*
 * Make some columns texts, and some cells missing; where cells are, the last
 * column is continuous, or rounding would decide on ties.
 */
static void
roughen(uint64_t seed)
{
	for (size_t a = 0; a < p; a++) {
		text[a] = (seed + a) % 3 == 0 && a + 1 < p;
		for (size_t i = 0; i < n; i++) {
			double *v = &x[i * p + a];

			if (text[a])
				*v = (double)kith_rng_below(&rng, 4);
			if (seed % 2 && a + 1 == p)
				*v = kith_rng_unit(&rng);
			else if (seed % 2 && a % 2 == 0 && kith_rng_below(&rng, 6) == 0)
				*v = NAN;
		}
	}
	/* A class that knows nothing of a column. */
	for (size_t i = 0; seed % 10 == 1 && p > 1 && i < n; i++)
		if (y[i] == 1)
			x[i * p] = NAN;
}

static void
test_relieff(void)
{
	double worst[4] = {0};

	for (size_t seed = 1; seed <= 2 * seeds; seed++) {
		struct kith_relief_how how = {.method = KITH_RELIEFF,
		    .k = 1 + seed % 12,
		    .squares = seed / 2 % 2,
		    .sigma = 5,
		    .threads = 1 + seed % 3};
		const bool rough = seed > seeds;
		const struct kith_relief *got;
		struct kith_relief_rows in;
		double w[MOST_P] = {0};

		draw(seed);
		if (rough)
			roughen(seed);
		in = rows();
		in.text = rough ? text : NULL;
		fill_diff(true);
		got = run(&in, &how);
		plain_relieff(how.k, how.squares, NULL, w);
		worst[rough ? 2 : 0] = fmax(worst[rough ? 2 : 0], apart(got->w, w, p));
		fill_diff(false);
		in.y = NULL;
		in.t = t;
		got = run(&in, &how);
		plain_rrelieff(how.k, how.squares, 5, w);
		worst[rough ? 3 : 1] = fmax(worst[rough ? 3 : 1], apart(got->w, w, p));
	}
	ok(worst[0] <= 1e-10, "relieff is as defined: %g", worst[0]);
	ok(worst[1] <= 1e-10, "of numbers, too: %g", worst[1]);
	ok(worst[2] <= 1e-10, "with texts and missing cells: %g", worst[2]);
	ok(worst[3] <= 1e-10, "of numbers, too: %g", worst[3]);
}

/* Whole numbers of ranges 9, 7 and 3: ties are ties, whatever the ranges. */
static void
test_whole(void)
{
	static const double range[] = {9, 7, 3};
	double worst = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = {
		    .method = KITH_RELIEFF, .k = 1 + seed % 9, .squares = seed % 2, .threads = 1};
		struct kith_relief_rows in;
		double w[MOST_P] = {0};

		draw(seed);
		for (size_t i = 0; i < n * p; i++) {
			const double most = range[i % p % 3];

			x[i] = i / p == 0 ? 0
			    : i / p == 1  ? most
					  : round(most * kith_rng_unit(&rng));
		}
		in = rows();
		fill_diff(true);
		for (size_t i = 0; i < n * n * p; i++)
			diff[i] = round(63 * diff[i]);
		plain_relieff(how.k, how.squares, NULL, w);
		for (size_t a = 0; a < p; a++)
			w[a] /= 63;
		worst = fmax(worst, apart(run(&in, &how)->w, w, p));
	}
	ok(worst <= 1e-12, "whole numbers are added up exactly: %g", worst);
}

/* By hand: a text, a missing one, a missing number. */
static void
test_missing(void)
{
	static const double cells[] = {0, 0, 0, 4, 1, 2, NAN, 1, 1, NAN, 1, 3};
	static const size_t classes[] = {0, 0, 0, 1, 1, 1};
	static const bool texts[] = {true, false};
	struct kith_relief_rows in = {.y = classes, .c = 2, .text = texts};
	const struct kith_relief_how how = {.method = KITH_RELIEFF, .k = 9, .threads = 1};
	const struct kith_relief *got;

	/*
	 * Column 1: class 0 has 0 0 1, class 1 has ? 1 1.  Hits of class 0: 0,
	 * 1, 1 over three pairs; of class 1: 0 throughout.  Misses: ? differs
	 * by 1 1 0, the others by 1 1 0 each.
	 */
	double v[12];

	memcpy(v, cells, sizeof(v));
	in.X = (struct kith_mat){6, 2, v};
	got = run(&in, &how);
	is_near(got->w[0], 2. / 3 - (2. / 3 + 0) / 2, 1e-15, "a missing text");
	/*
	 * Column 2: class 0 has 0 4 2, class 1 has 1 ? 3, the range is 4.
	 * Hits of class 0: 4 2 2; of class 1: 2 (1 to 3), ? to 1 or 3 is 1.
	 * Misses: 1 to 0 4 2: 1 3 1; 3: 3 1 1; ?: 2 2 1.
	 */
	is_near(got->w[1], (15. / 9 - ((8. / 3) + (2 + 1 + 1) / 3.) / 2) / 4, 1e-15,
	    "a missing number");
}

int
main(void)
{
	seeds = getenv("KITH_LONG") ? 400 : 30;
	test_draw();
	test_relieff();
	test_whole();
	test_missing();
	kith_pool_free(&pool);
	return done();
}
