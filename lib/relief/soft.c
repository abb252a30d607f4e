/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/soft.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/lanes.h"
#include "la/simd.h"
#include "near/by_class.h"
#include "near/dist.h"

#include <string.h>

enum {
	QUERIES = 16, /* rows of one block */
	ROWS = 64     /* rows that a block looks at in one go */
};

void
kith_relief_soft_new(const struct kith_by_class *s,
    struct kith_relief_soft *soft, struct kith_pool *pool)
{
	const size_t n = s->X.n, p = s->X.p, p8 = (p + 7) / 8 * 8;
	double *X = kith_new(pool, n, p8 * sizeof(*X));

	for (size_t i = 0; i < n; i++)
		memcpy(X + i * p8, kith_row(&s->X, i), p * sizeof(*X));
	soft->n = n;
	soft->p = p;
	soft->p8 = p8;
	soft->X = X;
}

/* sum += f_i D^2, or f_i |D|, over n rows of X, D from x; p divides by 8. */
KITH_INLINE void
add_rows(size_t p, const double *x, const double *X, size_t n, const double *f,
    bool absolute, double *sum)
{
	for (size_t i = 0; i < n; i++) {
		const double *z = X + i * p;

		if (f[i] == 0)
			continue;
		for (size_t a = 0; a < p; a += 8) {
			kith_v8d D;

			kith_lanes_diff(&D, x + a, z + a, absolute);
			if (!absolute)
				D *= D;
			*(kith_v8d_at *)(sum + a) += f[i] * D;
		}
	}
}

KITH_CLONES static void
soft_add_absolute(size_t p, const double *x, const double *X, size_t n,
    const double *f, double *sum)
{
	add_rows(p, x, X, n, f, true, sum);
}

KITH_CLONES static void
soft_add_squared(size_t p, const double *x, const double *X, size_t n,
    const double *f, double *sum)
{
	add_rows(p, x, X, n, f, false, sum);
}

/* How many rows are summed over, and where the l-th of them is. */
static size_t
rows_of(const struct kith_relief_soft *soft)
{
	return soft->asked ? soft->m : soft->n;
}

static size_t
place(const struct kith_relief_soft *soft, size_t l)
{
	return soft->asked ? soft->asked[l] : l;
}

struct job {
	const struct kith_relief_soft *soft;
	struct kith_metric metric; /* of p8 features */
	double *d;                 /* threads x QUERIES x n */
	double *part;              /* blocks x p8: sums */
	double *value;             /* blocks */
};

static void
work(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_relief_soft *soft = job->soft;
	const size_t n = soft->n, p = soft->p8, from = block * QUERIES;
	const size_t left = rows_of(soft) - from;
	const size_t m = left < QUERIES ? left : QUERIES;
	double *d = job->d + thread * QUERIES * n;

	for (size_t i = 0; i < n; i += ROWS)
		for (size_t q = 0; q < m; q++)
			kith_dist_rows(&job->metric,
			    soft->X + place(soft, from + q) * p,
			    soft->X + i * p, n - i < ROWS ? n - i : ROWS,
			    d + q * n + i);
	for (size_t q = 0; q < m; q++)
		job->value[block] += soft->weigh(
		    soft->to, place(soft, from + q), d + q * n);
	for (size_t i = 0; i < n; i += ROWS)
		for (size_t q = 0; q < m; q++)
			(soft->kind == KITH_ABSOLUTE ? soft_add_absolute
						     : soft_add_squared)(p,
			    soft->X + place(soft, from + q) * p,
			    soft->X + i * p, n - i < ROWS ? n - i : ROWS,
			    d + q * n + i, job->part + block * p);
}

double
kith_relief_soft_sum(
    const struct kith_relief_soft *soft, const double *w, double *sum)
{
	struct kith_pool tmp = {0};
	const size_t blocks = (rows_of(soft) + QUERIES - 1) / QUERIES;
	double *w8 = kith_new(&tmp, soft->p8, sizeof(*w8)), value = 0;
	struct job job = {.soft = soft, .metric = {soft->kind, soft->p8, w8}};

	memcpy(w8, w, soft->p * sizeof(*w8));
	job.d = kith_new(
	    &tmp, soft->threads * QUERIES, soft->n * sizeof(*job.d));
	job.part = kith_new(&tmp, blocks, soft->p8 * sizeof(*job.part));
	job.value = kith_new(&tmp, blocks, sizeof(*job.value));
	kith_par(soft->threads, blocks, work, &job);
	memset(sum, 0, soft->p * sizeof(*sum));
	for (size_t b = 0; b < blocks; b++) {
		value += job.value[b];
		for (size_t a = 0; a < soft->p; a++)
			sum[a] += job.part[b * soft->p8 + a];
	}
	kith_pool_free(&tmp);
	return value;
}
