/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h: what must not change the weights, and wild
 * data.
 */
#include "la/level.h"
#include "relief/data.h"

#include <float.h>

static const struct kith_relief_how all[] = {
    {.method = KITH_RELIEF},
    {.method = KITH_RELIEFF, .k = 5},
    {.method = KITH_RELIEFF, .k = 5, .squares = true},
    {.method = KITH_RELIEF_SIMBA, .max_iter = 2, .starts = 4, .seed = 1},
    {.method = KITH_RELIEF_MULREL, .max_iter = 20},
    {.method = KITH_RELIEF_IRELIEF, .max_iter = 40, .sigma = 1, .tol = 1e-9},
    {.method = KITH_RELIEF_NCA, .max_iter = 60, .starts = 2, .seed = 1, .tol = 1e-9},
    {.method = KITH_RELIEF_LFE},
    {.method = KITH_RELIEF_SURF},
    {.method = KITH_RELIEF_MULTISURF},
};
enum { ALL = sizeof(all) / sizeof(*all) };

static size_t
entries(const struct kith_relief_how *how)
{
	return kith_relief_is_matrix(how->method) ? p * p : p;
}

/* The largest difference of weights, relative to the largest weight. */
static double
relative(const double *got, const double *due, size_t count)
{
	double most = 0, size = 0;

	for (size_t a = 0; a < count; a++) {
		most = fmax(most, fabs(got[a] - due[a]));
		size = fmax(size, fabs(due[a]));
	}
	return size > 0 ? most / size : most;
}

/* Makes some columns texts, and some cells missing. */
static void
roughen(uint64_t seed)
{
	for (size_t a = 0; a < p; a++) {
		text[a] = (seed + a) % 3 == 0;
		for (size_t i = 2; i < n; i++) {
			if (text[a])
				x[i * p + a] = (double)kith_rng_below(&rng, 4);
			if (a % 2 == 0 && kith_rng_below(&rng, 6) == 0)
				x[i * p + a] = NAN;
		}
	}
}

/*
 * Rows in another unit: weights have the inverse square of it, or none, to what rounding makes of
 * another unit that is no power of two.
 */
static void
test_units(void)
{
	static const double unit[] = {1e-8, 1e-6, 1e-3, 10, 1e6};

	for (size_t q = 0; q < ALL; q++) {
		struct kith_relief_how how = all[q];
		double worst = 0;

		how.threads = 1;
		for (size_t k = 0; k < 5; k++) {
			const double u = unit[k % 5];
			double due[MOST_P * MOST_P];
			const struct kith_relief_rows in = (draw(4 + 4 * (k % 3)), rows());

			memcpy(due, run(&in, &how)->w, entries(&how) * sizeof(*due));
			for (size_t i = 0; i < n * p; i++)
				x[i] *= u;
			for (size_t a = 0; a < entries(&how); a++)
				due[a] *= how.method == KITH_RELIEF ? u * u
				    : how.method == KITH_RELIEF_NCA ? 1 / u / u
								    : 1;
			worst = fmax(worst, relative(run(&in, &how)->w, due, entries(&how)));
		}
		ok(worst <= 1e-6, "units, method %zu: %g", q, worst);
	}
}

/* The same bytes on every instruction set. */
static void
test_levels(void)
{
	const size_t best = kith_level;
	size_t bad = 0;

	for (size_t q = 0; q < ALL; q++)
		for (uint64_t seed = 1; seed <= 8; seed++) {
			struct kith_relief_how how = all[q];
			double base[MOST_P * MOST_P];
			struct kith_relief_rows in = (draw(seed), rows());

			how.threads = 1;
			if (kith_relief_takes_cells(how.method) && seed > 4)
				roughen(seed);
			in.text = text;
			for (kith_level = 0; kith_level < kith_level_count(); kith_level++) {
				const double *w = run(&in, &how)->w;

				if (kith_level == 0)
					memcpy(base, w, entries(&how) * sizeof(*base));
				bad += memcmp(base, w, entries(&how) * sizeof(*base)) != 0;
			}
		}
	kith_level = best;
	is_size(bad, 0, "results that differ with the instruction set");
}

/* The same bytes for any number of threads. */
static void
test_threads(void)
{
	size_t bad = 0;

	for (size_t q = 0; q < ALL; q++)
		for (uint64_t seed = 1; seed <= 6; seed++) {
			struct kith_relief_how how = all[q];
			double one[MOST_P * MOST_P];
			const struct kith_relief_rows in = (draw(seed), rows());

			how.threads = 1;
			memcpy(one, run(&in, &how)->w, entries(&how) * sizeof(*one));
			for (how.threads = 2; how.threads <= 5; how.threads++)
				bad += memcmp(one, run(&in, &how)->w,
					   entries(&how) * sizeof(*one)) != 0;
		}
	is_size(bad, 0, "results that differ with the threads");
}

/* Data times a power of two: weights keep their bits, or are of its unit. */
static void
test_scales(void)
{
	static const int power[] = {-1000, -500, -20, 20, 480};

	for (size_t q = 0; q < ALL; q++) {
		size_t bad = 0, wild = 0;

		for (size_t e = 0; e < 5; e++) {
			struct kith_relief_how how = all[q];
			double due[MOST_P * MOST_P];
			struct kith_relief_rows in = (draw(8), rows());
			const struct kith_relief *got;

			how.threads = 1;
			memcpy(due, run(&in, &how)->w, entries(&how) * sizeof(*due));
			for (size_t i = 0; i < n * p; i++)
				x[i] = ldexp(x[i], power[e]);
			got = run(&in, &how);
			/* Weights of NCA have the unit squared, which may not fit. */
			if (!got && how.method == KITH_RELIEF_NCA && abs(power[e]) >= 500)
				continue;
			for (size_t a = 0; a < entries(&how); a++) {
				wild += isfinite(got->w[a]) ? 0 : 1;
				if (how.method == KITH_RELIEF)
					due[a] = ldexp(due[a], 2 * power[e]);
				if (how.method == KITH_RELIEF_NCA)
					due[a] = ldexp(due[a], -2 * power[e]);
				bad += got->w[a] != due[a];
			}
		}
		ok(bad == 0 && wild == 0, "scale %zu: %zu differ, %zu are no numbers", q, bad,
		    wild);
	}
}

static void
test_wide(void)
{
	static const double range[] = {1e150, 1e200, DBL_MAX, 1e-320};

	for (size_t q = 0; q < ALL; q++)
		for (size_t e = 0; e < 4; e++) {
			struct kith_relief_how how = all[q];
			struct kith_relief_rows in = (draw(4 + q), rows());
			const struct kith_relief *got;
			size_t wild = 0;

			how.threads = 1;
			for (size_t i = 0; i < n * p; i++)
				x[i] = (fmin(x[i], 2) - 1) * range[e];
			got = run(&in, &how);
			for (size_t a = 0; got && a < entries(&how); a++)
				wild += isfinite(got->w[a]) ? 0 : 1;
			if (got)
				ok(wild == 0, "range %g of %zu", range[e], q);
			else
				ok(err.status == EX_DATAERR &&
					(how.method == KITH_RELIEF_NCA ||
					    (how.method == KITH_RELIEF && e > 0 && e < 3)),
				    "range %g of %zu: %s", range[e], q, err.msg);
		}
}

/* Constant columns among others do not count; all constant: all 0. */
static void
test_constant(void)
{
	for (size_t q = 0; q < ALL; q++) {
		struct kith_relief_how how = all[q];
		double v[MOST_N * (MOST_P + 1)], due[MOST_P * MOST_P];
		struct kith_relief_rows in = (draw(12), rows());
		const struct kith_relief *got;
		const size_t step = kith_relief_is_matrix(how.method) ? p + 2 : 1;
		size_t bad = 0;

		how.threads = 1;
		memcpy(due, run(&in, &how)->w, entries(&how) * sizeof(*due));
		for (size_t i = 0; i < n; i++) {
			v[i * (p + 1)] = 7;
			memcpy(v + i * (p + 1) + 1, x + i * p, p * sizeof(*x));
		}
		in.X = (struct kith_mat){n, p + 1, v};
		got = run(&in, &how);
		bad += got->w[0] != 0 || !got->constant[0] || got->constant[1];
		for (size_t a = 0; a < p; a++)
			bad += got->w[(a + 1) * step] != due[a * (step == 1 ? 1 : p + 1)];
		for (size_t i = 0; i < n * (p + 1); i++)
			v[i] = 7;
		got = run(&in, &how);
		for (size_t a = 0; a <= p; a++)
			bad += got->w[a] != 0 || !got->constant[a];
		ok(bad == 0, "constant columns, method %zu", q);
	}
}

/* How far weights are from those of the features the other way round. */
static double
turn(const struct kith_relief_how *how)
{
	const size_t step = kith_relief_is_matrix(how->method) ? p + 1 : 1;
	double due[MOST_P] = {0}, got[MOST_P] = {0}, v[MOST_N * MOST_P] = {0};
	struct kith_relief_rows in = rows();
	const double *w = run(&in, how)->w;

	for (size_t a = 0; a < p; a++)
		due[a] = w[a * step];
	for (size_t i = 0; i < n; i++)
		for (size_t a = 0; a < p; a++)
			v[i * p + p - 1 - a] = x[i * p + a];
	in.X.v = v;
	w = run(&in, how)->w;
	for (size_t a = 0; a < p; a++)
		got[a] = w[(p - 1 - a) * step];
	return apart(got, due, p);
}

/* The order of the features changes rounding alone. */
static void
test_order(void)
{
	for (size_t q = 0; q < ALL; q++) {
		struct kith_relief_how how = all[q];
		double worst = 0;

		how.threads = 1;
		how.starts = 1;
		for (uint64_t seed = 4; seed <= 40; seed += 4) {
			draw(seed);
			worst = fmax(worst, turn(&how));
		}
		ok(worst <= (how.method == KITH_RELIEF_NCA ? 1e-3 : 1e-9),
		    "features in another order, method %zu: %g", q, worst);
	}
}

int
main(void)
{
	test_units();
	test_levels();
	test_threads();
	test_scales();
	test_wide();
	test_constant();
	test_order();
	kith_pool_free(&pool);
	return done();
}
