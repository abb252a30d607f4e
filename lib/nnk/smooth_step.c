/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/smooth_step.h"

#include "base/pool.h"

#include <stdbool.h>
#include <string.h>

enum {
	ITERATIONS = 100,
	FILL = 200 /* entries per row of a factor that is worth it */
};

struct kith_smooth_step
kith_smooth_step_new(size_t n, size_t edges, struct kith_pool *pool)
{
	struct kith_smooth_step it;

	it.b = kith_new(pool, n, 5 * sizeof(*it.b));
	it.x = it.b + n;
	it.r = it.x + n;
	it.p = it.r + n;
	it.q = it.p + n;
	it.H = (struct kith_sparse){.n = n,
	    .start = kith_new(pool, n + 2, sizeof(*it.H.start)),
	    .column = kith_new(pool, edges, 2 * sizeof(*it.H.column)),
	    .x = kith_new(pool, edges, 2 * sizeof(*it.H.x)),
	    .diagonal = kith_new(pool, n, sizeof(*it.H.diagonal))};
	for (size_t e = 0; e < 2 * edges; e++)
		it.H.x[e] = .5;
	return it;
}

/* Iterate; false where the tolerance is not met. */
static bool
iterate(struct kith_smooth_step *it, double tol, size_t threads)
{
	const size_t n = it->H.n;
	const double *D = it->H.diagonal;
	double *x = it->x, *r = it->r, *p = it->p, *q = it->q;
	double rho = 0, goal;

	for (size_t i = 0; i < n; i++) {
		x[i] = 0;
		r[i] = it->b[i];
		p[i] = r[i] / D[i];
		rho += r[i] * p[i];
	}
	goal = rho * tol * tol;
	for (size_t l = 0; l < ITERATIONS && rho > goal; l++) {
		double pq = 0, a, next = 0;

		kith_sparse_times(&it->H, 1, p, q, threads);
		for (size_t i = 0; i < n; i++)
			pq += p[i] * q[i];
		if (!(pq > 0))
			return false;
		a = rho / pq;
		for (size_t i = 0; i < n; i++) {
			x[i] += a * p[i];
			r[i] -= a * q[i];
			next += r[i] / D[i] * r[i];
		}
		for (size_t i = 0; i < n; i++)
			p[i] = r[i] / D[i] + next / rho * p[i];
		rho = next;
	}
	return rho <= goal;
}

void
kith_smooth_step(struct kith_smooth_step *it, double tol, size_t threads)
{
	struct kith_sparse_factor *f;

	if (iterate(it, tol, threads))
		return;
	f = kith_sparse_order(&it->H);
	if (kith_sparse_fill(f) <= (double)FILL * (double)it->H.n) {
		kith_sparse_take(f, &it->H);
		if (kith_sparse_cholesky(f) == 0)
			kith_sparse_solve(f, 1, it->b, it->x);
	}
	kith_sparse_free(f);
}
