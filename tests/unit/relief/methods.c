/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h: each method against its definition, with weights of the rows, samples,
 * texts and missing cells, and numbers as target.
 */
#include "la/vec.h"
#include "relief/plain.h"

static size_t seeds;

enum { WEIGHTS = 1, SAMPLES = 2, CELLS_TOO = 4, NUMBERS = 8 };

static const struct {
	const char *name;
	enum kith_relief_method method;
	unsigned with; /* what the method takes */
	double tol;
} methods[] = {
    {"relief", KITH_RELIEF, WEIGHTS | SAMPLES | CELLS_TOO, 1e-9},
    {"relieff", KITH_RELIEFF, WEIGHTS | SAMPLES | CELLS_TOO | NUMBERS, 1e-9},
    {"surf", KITH_RELIEF_SURF, WEIGHTS | SAMPLES | CELLS_TOO | NUMBERS, 1e-9},
    {"multisurf", KITH_RELIEF_MULTISURF, WEIGHTS | SAMPLES | CELLS_TOO | NUMBERS, 1e-9},
    {"lfe", KITH_RELIEF_LFE, WEIGHTS | SAMPLES, 1e-9},
    {"simba", KITH_RELIEF_SIMBA, WEIGHTS, 1e-4}, /* its steps magnify rounding */
    {"irelief", KITH_RELIEF_IRELIEF, WEIGHTS, 1e-9},
};

/* Runs the definition; false where rounding decides. */
static bool
define(const struct kith_relief_how *how, unsigned with, size_t iterations, double *w)
{
	switch (how->method) {
	case KITH_RELIEF:
		plain_relief(NULL, with & CELLS_TOO, w);
		return true;
	case KITH_RELIEFF:
		if (with & NUMBERS)
			plain_rrelieff(how->k, how->squares, how->sigma, w);
		else
			plain_relieff(how->k, how->squares, w);
		return true;
	case KITH_RELIEF_LFE:
		plain_lfe(w);
		return true;
	case KITH_RELIEF_SIMBA:
		return plain_simba(how->max_iter, w);
	case KITH_RELIEF_IRELIEF:
		for (size_t a = 0; a < p; a++)
			w[a] = 1 / sqrt((double)p);
		for (size_t l = 0; l < iterations; l++)
			plain_irelief(how->sigma, w);
		return true;
	default:
		plain_surf(how->method == KITH_RELIEF_MULTISURF, with & NUMBERS, w);
		return true;
	}
}

static void
test_method(size_t m, unsigned with)
{
	static double w[CELLS];
	double worst = 0;
	size_t judged = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = {.method = methods[m].method,
		    .k = 1 + seed % 12,
		    .squares = seed / 2 % 2,
		    .sigma = .5 + (double)(seed % 5),
		    .tol = 1e-8,
		    .max_iter = 1 + seed % 2,
		    .starts = 1,
		    .threads = 1 + seed % 3,
		    .seed = seed};
		const size_t table = seed + 400 * (size_t)with; /* other ones for each test */
		struct kith_relief_rows in = (draw(table), rows());
		const struct kith_relief *got;

		if (with & CELLS_TOO) {
			roughen(seed);
			in.text = text;
		}
		weigh(with & WEIGHTS);
		in.weight = with & WEIGHTS ? weight : NULL;
		if (with & SAMPLES)
			sample(seed, how.samples = 1 + seed % (n - 1));
		if (with & NUMBERS) {
			in.y = NULL;
			in.t = t;
		}
		if (kith_relief_takes_cells(how.method))
			fill_diff(!(with & NUMBERS), how.method != KITH_RELIEF);
		got = run(&in, &how);
		if (!define(&how, with, got->iterations, w))
			continue;
		judged++;
		worst = fmax(
		    worst, apart(got->w, w, kith_relief_is_matrix(how.method) ? p * p : p));
	}
	ok(worst <= methods[m].tol && judged > seeds / 2,
	    "%s%s%s%s%s is as defined: %g (%zu of %zu)", methods[m].name,
	    with & NUMBERS ? " of numbers" : "", with & WEIGHTS ? ", weights" : "",
	    with & SAMPLES ? ", a sample" : "", with & CELLS_TOO ? ", cells" : "", worst, judged,
	    seeds);
}

int
main(void)
{
	seeds = getenv("KITH_LONG") ? 100 : 24;
	for (size_t m = 0; m < sizeof(methods) / sizeof(*methods); m++)
		for (unsigned with = 0; with < 16; with++)
			if (!(with & ~methods[m].with))
				test_method(m, with);
	kith_pool_free(&pool);
	return done();
}
