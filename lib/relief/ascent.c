/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/ascent.h"

#include "base/pool.h"
#include "base/progress.h"
#include "la/vec.h"

#include <lbfgs.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
	MEMORY = 10,  /* steps that L-BFGS remembers */
	TRIALS = 100, /* of a line search */
	WHOLE = 16    /* variables that the library may add */
};

double *
kith_relief_ascent_room(size_t n, struct kith_pool *pool)
{
	return kith_new(pool, n + WHOLE, sizeof(double));
}

/* The value at v: where it is asked for once more, as it was. */
static double
value_at(struct kith_relief_ascent *search, const double *v, double *g)
{
	const size_t size = search->n * sizeof(*v);

	if (!search->known || memcmp(search->last, v, size) != 0) {
		search->f = search->value(search->to, v, search->slope);
		memcpy(search->last, v, size);
		search->known = true;
	}
	memcpy(g, search->slope, size);
	return search->f;
}

static double /* The library may add variables, which are 0. */
value(void *to, const double *v, double *g, int variables, double step)
{
	(void)variables;
	(void)step;
	return value_at(to, v, g);
}

/* Called after each iteration: not 0 ends the search. */
static int /* NOLINTNEXTLINE(readability-function-size): the library's */
look(void *to, const double *v, const double *g, double f, double v_norm,
    double g_norm, double step, int variables, int iteration, int trials)
{
	struct kith_relief_ascent *search = to;
	double *past = search->past +
	    (search->done + (size_t)iteration) % KITH_RELIEF_PAST;
	const double before = *past;

	(void)v, (void)v_norm, (void)g_norm;
	(void)step, (void)variables, (void)trials;
	search->iterations = search->done + (size_t)iteration;
	*past = f;
	kith_progress_value("iteration", (double)search->iterations);
	kith_progress_value("objective", -f * search->rows);
	search->still = search->iterations > KITH_RELIEF_PAST &&
	    before - f < search->gain * fabs(f);
	return search->still || kith_vec_largest(search->n, g) <= search->tol;
}

/*
 * Where a line search fails, by rounding or by what the steps before have
 * taught, begin anew from there, as long as that lowers the value.
 */
static enum kith_relief_end
descend(struct kith_relief_ascent *search, lbfgs_parameter_t *how, double *v,
    double *g, double *f)
{
	double before;

	do {
		int end;

		if (kith_vec_largest(search->n, g) <= search->tol)
			return KITH_RELIEF_GRADIENT;
		if (search->iterations >= search->max_iter)
			return KITH_RELIEF_LIMIT;
		before = *f;
		how->max_iterations = (int)fmin(
		    (double)(search->max_iter - search->done), INT_MAX);
		end = lbfgs((int)search->n, v, NULL, value, look, search, how);
		if (end == LBFGSERR_OUTOFMEMORY)
			kith_no_memory(
			    search->n, (size_t)2 * MEMORY * sizeof(*v));
		search->done = search->iterations;
		*f = value_at(search, v, g);
		if (search->still)
			return KITH_RELIEF_GAIN;
	} while (*f < before);
	return kith_vec_largest(search->n, g) <= search->tol
	    ? KITH_RELIEF_GRADIENT
	    : KITH_RELIEF_FLAT;
}

enum kith_relief_end
kith_relief_ascend(
    struct kith_relief_ascent *search, double *v, double *g, double *f)
{
	struct kith_pool tmp = {0};
	lbfgs_parameter_t how;
	enum kith_relief_end end;

	lbfgs_parameter_init(&how);
	how.m = MEMORY;
	how.epsilon = 0;
	how.max_linesearch = TRIALS;
	search->done = search->iterations = 0;
	search->still = search->known = false;
	KITH_NEW_REALS(&tmp, search->n, 1, &search->last, &search->slope);
	*f = value_at(search, v, g);
	end = descend(search, &how, v, g, f);
	kith_pool_free(&tmp);
	return end;
}

bool
kith_relief_arrived(const struct kith_relief_ascent *search,
    enum kith_relief_end end, const double *v, const double *g)
{
	double most = 0;

	for (size_t a = 0; a < search->n; a++)
		most = fmax(most, fabs(v[a] * g[a]));
	return end == KITH_RELIEF_GRADIENT || end == KITH_RELIEF_GAIN ||
	    (end == KITH_RELIEF_FLAT && most <= search->tol);
}
