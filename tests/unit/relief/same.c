/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h: what must not change the weights, and wild data.  relief.t has
 * threads, kernels.t instruction sets.
 */
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

/* Data times a power of two: weights keep their bits, or are of its unit. */
static void
test_scales(void)
{
	static const int power[] = {-1000, -500, -20, 20, 480};

	for (size_t q = 0; q < ALL; q++) {
		size_t bad = 0, wild = 0;

		for (size_t e = 0; e < 5; e++) {
			struct kith_relief_how how = all[q];
			double due[DRAWN_P * DRAWN_P];
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
		double v[DRAWN_N * (DRAWN_P + 1)], due[DRAWN_P * DRAWN_P];
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

/* Rows of weight 0 or next to nothing are as if not there; equal weights are as no weights. */
static void
test_none(void)
{
	static const struct kith_relief_how some[] = {{.method = KITH_RELIEF},
	    {.method = KITH_RELIEFF, .k = 4}, {.method = KITH_RELIEF_SURF},
	    {.method = KITH_RELIEF_MULTISURF}, {.method = KITH_RELIEF_LFE},
	    {.method = KITH_RELIEFF, .k = 4, .sigma = 2}}; /* the last one of numbers */
	enum { SOME = sizeof(some) / sizeof(*some) };
	size_t odd = 0;

	for (size_t q = 0; q < SOME; q++)
		for (size_t seed = 4; seed <= 24; seed += 4) {
			struct kith_relief_how how = some[q];
			struct kith_relief_rows in = (draw(seed), rows());
			double v[DRAWN_N * DRAWN_P], u[MOST_N], own[MOST_N];
			double w[DRAWN_P * DRAWN_P];
			const size_t size = entries(&how) * sizeof(*w);
			size_t z[MOST_N], m = 0;

			weigh(true);
			how.threads = 1;
			for (size_t i = 0; i < n; i++) {
				if (i % 4 == 2)
					weight[i] = seed % 8 ? 0 : 1e-70;
				if (i % 4 == 2)
					continue;
				memcpy(v + m * p, x + i * p, p * sizeof(*v));
				z[m] = y[i];
				u[m] = t[i];
				own[m++] = weight[i];
			}
			in.weight = weight;
			in.y = q + 1 == SOME ? NULL : y;
			in.t = q + 1 == SOME ? t : NULL;
			memcpy(w, run(&in, &how)->w, size);
			in.X = (struct kith_mat){m, p, v};
			in.weight = own;
			in.y = q + 1 == SOME ? NULL : z;
			in.t = q + 1 == SOME ? u : NULL;
			odd += memcmp(w, run(&in, &how)->w, size) != 0;
		}
	is_size(odd, 0, "rows of weight 0 that count");
	for (size_t q = 0; q < SOME; q++) {
		struct kith_relief_how how = some[q];
		struct kith_relief_rows in = (draw(5), rows());
		double w[DRAWN_P * DRAWN_P];
		const size_t size = entries(&how) * sizeof(*w);

		how.threads = 1;
		memcpy(w, run(&in, &how)->w, size);
		for (size_t i = 0; i < n; i++)
			weight[i] = .3;
		in.weight = weight;
		odd += memcmp(w, run(&in, &how)->w, size) != 0;
	}
	is_size(odd, 0, "equal weights that count");
}

int
main(void)
{
	test_scales();
	test_wide();
	test_constant();
	test_none();
	kith_pool_free(&pool);
	return done();
}
