/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/hull.h: by hand, and the conditions of a minimum, which
 * prove it, on random problems: more vectors than entries, vectors that are
 * there twice, entries that are one-sided.
 */
#include "sqpfw/hull.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define P ((size_t)12)
#define N ((size_t)30)

static struct kith_rng rng;
static double A[N * P], b[P], e[P], t[N], r[P];
static size_t group[N];
static bool sided[P];

static double
counted(size_t j)
{
	return sided[j] && r[j] > 0 ? 0 : r[j];
}

static size_t
whole(size_t below)
{
	return (size_t)kith_rng_below(&rng, below);
}

/* How far t and r are from what the header says of them. */
static double
misfit(const struct kith_qp_hull *in, double size)
{
	double sum[N] = {0}, phi, worst = 0;

	for (size_t i = 0; i < in->n; i++) {
		worst = fmax(worst, -t[i]);
		sum[group[i]] += t[i];
	}
	for (size_t i = 0; i < in->n; i++)
		worst = fmax(worst, fabs(sum[group[i]] - 1));
	phi = r[0] - b[0];
	for (size_t i = 0; i < in->n; i++)
		phi -= t[i] * A[i * in->p];
	phi /= e[0];
	for (size_t j = 0; j < in->p; j++) {
		double due = b[j] + phi * e[j];

		for (size_t i = 0; i < in->n; i++)
			due += t[i] * A[i * in->p + j];
		worst = fmax(worst, fabs(r[j] - due) / size);
	}
	return worst;
}

/* How far h is from being the least: slopes at shares above 0, and downwards.
 */
static double
slope(const struct kith_qp_hull *in, double size)
{
	double least[N], total = 0, worst, G[N] = {0};

	for (size_t j = 0; j < in->p; j++)
		total += e[j] * counted(j);
	worst = fabs(total);
	for (size_t i = 0; i < in->n; i++)
		least[i] = INFINITY;
	for (size_t i = 0; i < in->n; i++) {
		for (size_t j = 0; j < in->p; j++)
			G[i] += A[i * in->p + j] * counted(j);
		least[group[i]] = fmin(least[group[i]], G[i]);
	}
	for (size_t i = 0; i < in->n; i++)
		worst = fmax(worst, t[i] * (G[i] - least[group[i]]));
	return worst / size;
}

/* A problem of one of several kinds; how large its numbers are. */
static double
draw(struct kith_qp_hull *in, size_t kind)
{
	const double grid = kind % 3 == 2 ? 2 : 0;
	const double size = kind % 7 == 6 ? 1e100 : 1;
	const size_t few = 1 + kith_rng_below(&rng, 8);
	bool free = false;

	in->p = 1 + kith_rng_below(&rng, P);
	in->n = kith_rng_below(&rng, N + 1);
	for (size_t i = 0; i < in->n; i++) {
		const bool twin = i > 0 && kind % 4 == 3 && kith_rng_below(&rng, 3) == 0;

		group[i] = i == 0 ? 0 : group[i - 1] + (kith_rng_below(&rng, few) == 0);
		for (size_t j = 0; j < in->p; j++) {
			double *a = A + i * in->p + j;

			*a = twin ? *(a - in->p) : kith_rng_unit(&rng);
			if (grid > 0)
				*a = floor(*a * 3) / grid;
			else if (!twin)
				*a *= size;
		}
	}
	for (size_t j = 0; j < in->p; j++) {
		b[j] = size * (kith_rng_unit(&rng) - 0.5) * (double)few;
		e[j] = kind % 6 == 5 ? pow(10, -3 * kith_rng_unit(&rng)) : 1;
		sided[j] = kind % 2 && kith_rng_below(&rng, 2);
		free |= !sided[j];
	}
	if (!free && kind % 5)
		sided[0] = false;
	return size;
}

static void
test_random(size_t seeds)
{
	double fit = 0, worst = 0;
	size_t none = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		struct kith_qp_hull in = {0, 0, A, group, b, e, sided};
		const double size = draw(&in, seed);
		const double got = kith_qp_hull(&in, 0, t, r);
		double most = 0;

		for (size_t j = 0; j < in.p; j++)
			most = fmax(most, fabs(counted(j)));
		none += got != most;
		fit = fmax(fit, misfit(&in, size));
		worst = fmax(worst, slope(&in, size * size));
	}
	is_size(none, 0, "returns the largest that counts");
	/* r is divided by e, which may be 1e-3. */
	ok(fit <= 1e-11, "shares and r fit together: %.1e", fit);
	ok(worst <= 1e-10, "a minimum: %.1e", worst);
}

/* Zero is within reach, and found exactly. */
static void
test_inside(size_t seeds)
{
	double worst = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		struct kith_qp_hull in = {P, N, A, group, b, e, sided};
		double most;

		for (size_t i = 0; i < N; i++) {
			group[i] = i / 3;
			t[i] = (double)(seed % 2 ? i % 3 == seed % 3 : 1) / (seed % 2 ? 1 : 3);
		}
		for (size_t i = 0; i < N * P; i++)
			A[i] = kith_rng_unit(&rng);
		for (size_t j = 0; j < P; j++) {
			b[j] = 5;
			e[j] = 1;
			sided[j] = false;
			for (size_t i = 0; i < N; i++)
				b[j] -= t[i] * A[i * P + j];
		}
		most = kith_qp_hull(&in, 1e-13, t, r);
		worst = fmax(worst, most);
	}
	ok(worst <= 1e-12, "zero is reached: %.1e", worst);
}

static void
test_hand(void)
{
	struct kith_qp_hull in = {2, 2, A, group, b, e, sided};

	e[0] = e[1] = 1;

	memset(sided, 0, sizeof(sided));
	memcpy(A, (double[]){1, 0, 0, 1}, 4 * sizeof(*A));
	group[0] = group[1] = 0;
	b[0] = -0.1;
	b[1] = 0.1;
	is_near(kith_qp_hull(&in, 0, t, r), 0, 1e-15, "between two");
	is_near(t[0], 0.6, 1e-15, "three fifths of the first");
	b[0] = -1.1;
	b[1] = 1.1;
	is_near(kith_qp_hull(&in, 0, t, r), 0.6, 1e-15, "out of reach");
	is_near(t[0], 1, 0, "all of the first");
	group[1] = 1;
	is_near(kith_qp_hull(&in, 0, t, r), 1.1, 1e-15, "two groups of one");
	in.n = 0;
	is_near(kith_qp_hull(&in, 0, t, r), 1.1, 1e-15, "no vector");
	sided[1] = true;
	is_near(kith_qp_hull(&in, 0, t, r), 0, 1e-15, "one-sided, above 0");
	is_near(r[1], 2.2, 1e-15, "far above");
	b[1] = -9.1;
	is_near(kith_qp_hull(&in, 0, t, r), 4, 1e-14, "one-sided, below 0");
	sided[0] = true;
	is_near(kith_qp_hull(&in, 0, t, r), 0, 1e-14, "all one-sided");
}

/*
 * Two shares and phi, of which two entries are one-sided: r = (phi, phi,
 * t - a + phi, c - t + phi), c < a.  From t = 1 on, the third entry would bring
 * Newton's steps to a and the fourth to c, in turn; between them both count.
 */
static void
test_turns(void)
{
	const struct kith_qp_hull in = {4, 2, A, group, b, e, sided};
	double worst = 0;

	memcpy(A, (double[]){0, 0, 1, 0, 0, 0, 0, 1}, 8 * sizeof(*A));
	for (size_t j = 0; j < 4; j++) {
		e[j] = 1;
		sided[j] = j >= 2;
	}
	group[0] = group[1] = 0;
	for (int k = 0; k < 50; k++) {
		const double c = .01 * k, a = c + .05;

		memcpy(b, (double[]){0, 0, -a, c - 1}, 4 * sizeof(*b));
		worst = fmax(worst, fabs(kith_qp_hull(&in, 0, t, r) - (a - c) / 4));
		worst = fmax(worst, fabs(t[0] - (a + c) / 2));
	}
	ok(worst <= 1e-14, "between two turns: %.1e", worst);
}

/* What is enough at first is left as it begins: with equal shares of the vectors
 * of a group, of those that are there twice once. */
static void
test_begin(size_t seeds)
{
	size_t wrong = 0, twins = 0;
	double most;

	for (size_t seed = 0; seed < seeds; seed++) {
		const struct kith_qp_hull in = {P, 3 + seed % 8, A, group, b, e, sided};
		bool twin[N] = {false};
		size_t count[N] = {0};

		for (size_t i = 0; i < in.n; i++) {
			const size_t from = i > 0 ? group[i - 1] : 0;

			group[i] = from + (i > 0 && whole(3) == 0);
			twin[i] = i > 0 && group[i] == from && whole(3) == 0;
			twins += twin[i];
			count[group[i]] += !twin[i];
			for (size_t j = 0; j < P; j++)
				A[i * P + j] = twin[i] ? A[(i - 1) * P + j] : kith_rng_unit(&rng);
		}
		for (size_t j = 0; j < P; j++) {
			b[j] = kith_rng_unit(&rng);
			e[j] = 1;
			sided[j] = false;
		}
		most = kith_qp_hull(&in, INFINITY, t, r);
		wrong += kith_qp_hull(&in, most, t, r) != most;
		for (size_t i = 0; i < in.n; i++)
			wrong += fabs(t[i] - (twin[i] ? 0 : 1 / (double)count[group[i]])) > 1e-15;
	}
	ok(wrong == 0 && twins > seeds, "%zu shares are not equal at first, of %zu twins", wrong,
	    twins);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const size_t seeds = more && *more ? 200000 : 3000;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_hand();
	test_turns();
	test_begin(100);
	test_random(seeds);
	test_inside(seeds / 10);
	return done();
}
