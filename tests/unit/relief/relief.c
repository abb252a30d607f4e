/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/relief/relief.h: by hand, and against the definitions. */
#include "la/vec.h"
#include "relief/plain.h"

static size_t seeds;

/* Compare the methods that need no more than their definition. */
static void
test_pairs(void)
{
	static const enum kith_relief_method method[] = {
	    KITH_RELIEF, KITH_RELIEF_MULREL, KITH_RELIEF_SIMBA};
	static const char *const name[] = {"relief", "mulrel", "simba"};

	for (size_t q = 0; q < 3; q++) {
		double worst = 0, w[MOST_P] = {0};
		size_t bad = 0, judged = 0;

		for (size_t seed = 1; seed <= seeds; seed++) {
			struct kith_relief_how how = {.method = method[q],
			    .max_iter = q == 1 ? 1 + seed % 4 : 2,
			    .starts = 1,
			    .threads = 1 + seed % 2};
			const struct kith_relief_rows in = (draw(seed), rows());
			const struct kith_relief *got = run(&in, &how);
			double d;

			if (q == 0)
				plain_relief(NULL, NULL, w);
			else if (q == 1)
				plain_mulrel(got->iterations, w);
			else if (!plain_simba(2, NULL, w))
				continue;
			judged++;
			d = apart(got->w, w, p);
			worst = fmax(worst, d);
			bad += !(d <= (q == 2 ? 1e-4 : 1e-10)); /* SIMBA's steps magnify rounding */
		}
		ok(bad == 0 && judged > seeds / 2, "%s is as defined: %zu of %zu are not, worst %g",
		    name[q], bad, judged, worst);
	}
}

/* --samples: any M rows, the same for any threads, all rows for M = n. */
static void
test_samples(void)
{
	size_t bad = 0, used = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = {.method = KITH_RELIEF, .threads = 1, .seed = seed};
		double mean[MOST_P] = {0}, w[MOST_P] = {0}, one[MOST_N][MOST_P] = {{0}};
		bool on[MOST_N] = {false};
		const struct kith_relief_rows in = (draw(seed), rows());
		const struct kith_relief *got;

		/* One sample is the part of a row; find which. */
		how.samples = 1;
		got = run(&in, &how);
		for (size_t i = 0; i < n; i++) {
			memset(on, 0, sizeof(on));
			on[i] = true;
			plain_relief(NULL, on, one[i]);
			used += apart(got->w, one[i], p) <= 1e-10;
		}
		how.samples = n;
		got = run(&in, &how);
		plain_relief(NULL, NULL, w);
		bad += !(apart(got->w, w, p) <= 1e-10);
		for (size_t i = 0; i < n; i++)
			for (size_t a = 0; a < p; a++)
				mean[a] += one[i][a] / (double)n;
		bad += !(apart(mean, w, p) <= 1e-10);
	}
	ok(used >= seeds, "one sample is one row");
	is_size(bad, 0, "all samples are all rows");
}

/* The distance of a vector from being a fixed point of IRELIEF. */
static void
test_irelief(void)
{
	double worst = 0, rest = 0;
	size_t done = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = {.method = KITH_RELIEF_IRELIEF,
		    .sigma = .5 + (double)(seed % 5),
		    .tol = 1e-8,
		    .max_iter = 1 + seed % 3,
		    .threads = 1 + seed % 2};
		const struct kith_relief_rows in = (draw(seed), rows());
		const struct kith_relief *got = run(&in, &how);
		double w[MOST_P] = {0}, next[MOST_P] = {0};

		for (size_t a = 0; a < p; a++)
			w[a] = 1 / sqrt((double)p);
		for (size_t l = 0; l < got->iterations; l++)
			plain_irelief(how.sigma, w);
		worst = fmax(worst, apart(got->w, w, p));
		how.max_iter = 1000;
		got = run(&in, &how);
		memcpy(next, got->w, p * sizeof(*next));
		plain_irelief(how.sigma, next);
		if (!got->converged ||
		    kith_vec_largest(p, got->w) == 0) /* 0: no feature separates */
			continue;
		done++;
		rest = fmax(rest, apart(next, got->w, p));
	}
	ok(worst <= 1e-9, "irelief is as defined: %g", worst);
	ok(done > seeds / 2 && rest <= 1e-7, "it ends where it stays: %zu of %zu, %g", done, seeds,
	    rest);
}

static void
test_nca(void)
{
	double worst = 0, slope = 0;
	size_t lower = 0, limits = 0, moved = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = {.method = KITH_RELIEF_NCA,
		    .starts = 3,
		    .tol = 1e-6,
		    .max_iter = 1000,
		    .seed = seed,
		    .threads = 1 + seed % 2};
		const struct kith_relief_rows in = (draw(seed), rows());
		const struct kith_relief *got = run(&in, &how);
		double v[MOST_P] = {0}, start[MOST_P] = {0}, g[MOST_P] = {0}, f;

		for (size_t a = 0; a < p; a++) {
			v[a] = sqrt(got->w[a]);
			start[a] = 1 / scale_of(NULL);
		}
		f = plain_nca(v, g);
		worst = fmax(worst, fabs(f - got->objective) / (double)n);
		limits += !got->converged;
		moved += got->best > 1;
		for (size_t a = 0; a < p; a++)
			slope = fmax(slope, fabs(g[a]) / (double)n);
		lower += f < plain_nca(start, g) - 1e-9;
		for (size_t tries = 0; tries < 5; tries++) {
			double near[MOST_P] = {0};

			for (size_t a = 0; a < p; a++)
				near[a] = v[a] + 1e-3 * (kith_rng_unit(&rng) - .5);
			lower += plain_nca(near, g) > f + 2e-6 * (double)n;
		}
	}
	ok(worst <= 1e-12, "the objective of nca: %g", worst);
	ok(slope <= 2e-6, "its slope is 0: %g", slope);
	is_size(lower, 0, "points that are better");
	is_size(limits, 0, "starts without an end");
	ok(moved > 0, "further starts do win: %zu", moved);
}

/* W maximises <W, M> among positive semidefinite W of norm 1. */
static void
test_lfe(void)
{
	double worst = 0;
	size_t low = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		const struct kith_relief_how how = {
		    .method = KITH_RELIEF_LFE, .threads = 1 + seed % 2};
		const struct kith_relief_rows in = (draw(seed), rows());
		const double *W = run(&in, &how)->w;
		double M[MOST_P * MOST_P] = {0}, d[MOST_N] = {0}, norm = 0, f = 0;
		double rest = 0;

		for (size_t i = 0; i < n; i++) {
			distances(i, KITH_SQUARED, NULL, d);
			for (int hit = 0; hit < 2; hit++) {
				const size_t j = nearest(i, hit, d);

				for (size_t l = 0; j != NOBODY && l < p * p; l++)
					M[l] += (hit ? -1. : 1) *
					    (x[i * p + l / p] - x[j * p + l / p]) *
					    (x[i * p + l % p] - x[j * p + l % p]);
			}
		}
		for (size_t l = 0; l < p * p; l++) {
			norm += W[l] * W[l];
			f += W[l] * M[l];
		}
		if (norm == 0)
			continue;
		/* M W = f W W, for a projection: both sides on W's space. */
		for (size_t a = 0; a < p; a++)
			for (size_t b = 0; b < p; b++) {
				double MW = 0, WW = 0;

				for (size_t l = 0; l < p; l++) {
					MW += M[a * p + l] * W[l * p + b];
					WW += W[a * p + l] * W[l * p + b];
				}
				rest = fmax(rest, fabs(MW - f * WW) / fabs(f));
			}
		worst = fmax(worst, fmax(rest, fabs(norm - 1)));
		low += !(f > 0);
	}
	is_size(low, 0, "matrices that do not raise the margin");
	ok(worst <= 1e-9, "lfe is the positive part, of norm 1: %g", worst);
}

/* Simba: the start with the fewest errors wins. */
static void
test_starts(void)
{
	size_t bad = 0, later = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = {
		    .method = KITH_RELIEF_SIMBA, .max_iter = 1, .threads = 1, .seed = seed};
		size_t least = SIZE_MAX;
		const struct kith_relief_rows in = (draw(seed), rows());

		for (how.starts = 1; how.starts <= 5; how.starts++) {
			const struct kith_relief *got = run(&in, &how);
			const size_t errors = plain_errors(got->w);

			bad += (double)errors != got->objective || errors > least ||
			    (got->best == how.starts && how.starts > 1 && errors == least);
			later += got->best > 1;
			least = errors;
		}
	}
	is_size(bad, 0, "starts that do not have the fewest errors");
	ok(later > 0, "further starts do win: %zu", later);
}

static void
test_few(void)
{
	static const size_t classes[] = {0, 1, 1};
	double v[] = {0, 1, 3}, number[] = {5, 5, 5};
	struct kith_relief_rows in = {.X = {3, 1, v}, .y = classes, .c = 3};
	struct kith_relief_how how = {.method = KITH_RELIEF, .threads = 1};
	const struct kith_relief *got = run(&in, &how);

	is_near(
	    got->w[0], (1 + (1 - 4) + (9 - 4)) / 3., 1e-15, "a class of one row, and one of none");
	how.method = KITH_RELIEFF;
	how.k = 10;
	got = run(&in, &how);
	is_near(got->w[0], ((1 + 3) / 6. + (1 - 2) / 3. + (3 - 2) / 3.) / 3, 1e-15,
	    "relieff, k larger than the classes");
	in.y = NULL;
	in.t = number;
	how.sigma = 20;
	ok(!run(&in, &how) && err.status == EX_DATAERR, "a constant target");
	number[0] = 4;
	in.X.n = 2;
	got = run(&in, &how);
	is_near(got->w[0], 1, 1e-15, "two rows: E[1 - delta] is 0");
}

int
main(void)
{
	seeds = getenv("KITH_LONG") ? 400 : 24;
	test_pairs();
	test_samples();
	test_irelief();
	test_nca();
	test_lfe();
	test_starts();
	test_few();
	kith_pool_free(&pool);
	return done();
}
