/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/prove.h"

#include "base/pool.h"
#include "graph/prop.h"
#include "graph/prop_exact.h"
#include "graph/prop_solve.h"

/* The verdict under proof->errors; whether a check says no. */
static bool
judge(const struct kith_prop *p, const size_t *y, struct kith_proof *proof, struct kith_pool *pool)
{
	const bool classes = p->labels->y;

	if (classes)
		kith_prop_classify(p, &proof->errors, &proof->classes, pool);
	proof->n = kith_prop_check(
	    p, &proof->errors, classes ? &proof->classes : NULL, y, proof->check);
	for (size_t i = 0; i < proof->n; i++)
		if (!kith_check_ok(&proof->check[i]) && !kith_check_open(&proof->check[i]))
			return true;
	return false;
}

/* An exact solution, in the pool; NULL where there is none. */
static double *
solve(const struct kith_prop *p, struct kith_gth_error *error, struct kith_pool *pool)
{
	struct kith_prop again;

	if (p->in == 0 || p->method == KITH_PROP_POISSON)
		return NULL;
	kith_prop_pose(p->graph, p->labels, p->method, p->alpha, &again, pool);
	return kith_prop_exact(&again, again.X, error) ? again.X : NULL;
}

void
kith_prove(struct kith_prop *p, struct kith_prop_solved *solved, struct kith_proof *proof,
    struct kith_pool *pool)
{
	double *X;

	if (solved->solver == KITH_PROP_GTH) {
		proof->errors = kith_prop_bound_exact(p->X, &solved->error);
		judge(p, NULL, proof, pool);
		return;
	}
	kith_prop_bound(p, solved->z, &proof->errors, pool);
	if (!judge(p, NULL, proof, pool) || !(X = solve(p, &solved->error, pool)))
		return;
	p->X = X;
	solved->solver = KITH_PROP_GTH;
	proof->errors = kith_prop_bound_exact(X, &solved->error);
	judge(p, NULL, proof, pool);
}

void
kith_prove_claim(const struct kith_prop *p, const double *z, const size_t *y,
    struct kith_proof *proof, struct kith_pool *pool)
{
	struct kith_gth_error error;
	const double *X;

	kith_prop_bound(p, z, &proof->errors, pool);
	if (!judge(p, y, proof, pool) || !(X = solve(p, &error, pool)))
		return;
	proof->errors = kith_prop_bound_exact(X, &error);
	judge(p, y, proof, pool);
}
