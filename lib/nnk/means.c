/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. Bring the rows into a range where squares are safe (bring_near).
 * 2. Atoms are K rows, chosen by nnk/means_start.h.
 * 3. Code all rows.
 * 4. Move the atoms (kith_means_update).  An atom that no row uses adds nothing
 *    to J wherever it is: it becomes a copy of the row with the largest J_i
 *    that no such atom has got (reseed), which that row's next code uses.
 * 5. Code all rows; go on with 4 until J no longer falls enough.
 */
#include "nnk/means.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "la/mat.h"
#include "la/vec.h"
#include "near/metric.h"
#include "nnk/means_start.h"
#include "nnk/means_update.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Rows are taken as they are while their largest number is within 2^+-SAFE. */
enum { SAFE = 400 };

/* Rows times a power of two, where they need one, in the pool. */
static int
bring_near(const struct kith_mat *X, struct kith_means *out, struct kith_mat *to,
    struct kith_pool *pool, struct kith_err *err)
{
	const double most = kith_vec_largest(X->n * X->p, X->v);
	const int size = most > 0 ? ilogb(most) : 0;

	*to = *X;
	if (size >= -SAFE && size <= SAFE)
		return 0;
	out->exponent = size;
	to->v = kith_new(pool, X->n, X->p * sizeof(*to->v));
	for (size_t e = 0; e < X->n * X->p; e++) {
		to->v[e] = scalbn(X->v[e], -size);
		if (X->v[e] != 0 && fabs(to->v[e]) < DBL_MIN)
			return kith_fail(err, EX_DATAERR,
			    "numbers near %.3g and %.3g are too far apart "
			    "(tabscale?)",
			    X->v[e], most);
	}
	return 0;
}

/* How many atoms no row uses; those become true in idle. */
static size_t
find_idle(const struct kith_codes *code, size_t K, bool *idle)
{
	size_t left = K;

	for (size_t j = 0; j < K; j++)
		idle[j] = true;
	for (size_t i = 0; i < code->n; i++)
		for (size_t s = i * code->k; s < i * code->k + code->count[i]; s++)
			if (code->w[s] > 0 && idle[code->atom[s]]) {
				idle[code->atom[s]] = false;
				left--;
			}
	return left;
}

/* Give idle atoms the rows of which most is left, the first of equals. */
static void
reseed(struct kith_means_rows *rows, const struct kith_codes *code)
{
	struct kith_pool tmp = {0};
	const size_t K = rows->A.n, n = code->n, p = rows->A.p;
	bool *idle = kith_new(&tmp, K, sizeof(*idle));
	double *J = kith_new(&tmp, n, sizeof(*J));

	memcpy(J, code->J, n * sizeof(*J));
	if (find_idle(code, K, idle) > 0)
		for (size_t j = 0; j < K; j++) {
			size_t worst = 0;

			if (!idle[j])
				continue;
			for (size_t i = 1; i < n; i++)
				if (J[i] > J[worst])
					worst = i;
			if (!(J[worst] > 0))
				break;
			J[worst] = 0;
			memcpy(kith_row(&rows->A, j), kith_row(rows->X, worst), p * sizeof(*J));
		}
	kith_pool_free(&tmp);
}

/* The sum of K_ii: J without any weight. */
static double
whole(const struct kith_means_rows *rows)
{
	const struct kith_mat *X = rows->X;
	const struct kith_metric plain = {KITH_SQUARED, X->p, NULL};
	const struct kith_kern kern = {.kind = rows->kernel, .metric = &plain};
	double sum = 0, K;

	for (size_t i = 0; i < X->n; i++) {
		kith_kern_rows(&kern, kith_row(X, i), kith_row(X, i), 1, &K);
		sum += K;
	}
	return sum;
}

/* Whether J, the last of n + 1, has fallen far enough, or hardly falls. */
static bool
is_settled(const double *J, size_t n, double whole_J, double tol)
{
	return J[n] <= tol * tol * whole_J || (n > 0 && J[n - 1] - J[n] <= tol * J[n - 1]);
}

static void
iterate(const struct kith_means_how *how, struct kith_means *out, struct kith_pool *pool)
{
	const double whole_J = whole(&out->rows);
	size_t room = 0;
	double J;

	kith_codes_find(&out->rows, &out->code);
	J = kith_codes_sum(&out->code);
	for (;;) {
		out->J = kith_more(pool, out->J, out->iterations, &room, sizeof(*out->J));
		out->J[out->iterations] = J;
		kith_progress_value("J", J);
		out->converged = is_settled(out->J, out->iterations, whole_J, how->tol);
		if (out->converged || out->iterations == how->max_iter)
			return;
		kith_means_update(&out->rows, &out->code);
		reseed(&out->rows, &out->code);
		kith_codes_find(&out->rows, &out->code);
		J = kith_codes_sum(&out->code);
		out->iterations++;
		kith_progress_add(1);
	}
}

int
kith_means(const struct kith_mat *X, const struct kith_means_how *how, struct kith_means *out,
    struct kith_pool *pool, struct kith_err *err)
{
	const size_t K = how->atoms;
	struct kith_mat *near = kith_new(pool, 1, sizeof(*near));
	size_t *row;
	bool *idle;

	assert(how->k >= 1 && K >= 1);
	*out = (struct kith_means){0};
	if (K > X->n)
		return kith_fail(err, EX_DATAERR, "--atoms %zu: only %zu rows", K, X->n);
	if (bring_near(X, out, near, pool, err))
		return -1;
	row = kith_new(pool, K, sizeof(*row));
	kith_means_start(near, K, how->seed, how->threads, row);
	out->rows = (struct kith_means_rows){
	    how->kernel, near, kith_mat_rows(near, row, K, pool), how->threads};
	out->code = kith_codes_new(X->n, how->k < K ? how->k : K, pool);
	kith_progress_phase("atoms", 0, "iterations");
	iterate(how, out, pool);
	kith_progress_end();
	idle = kith_new(pool, K, sizeof(*idle));
	out->unused = find_idle(&out->code, K, idle);
	return 0;
}
