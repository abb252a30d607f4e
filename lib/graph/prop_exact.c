/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/prop_exact.h"

#include "base/pool.h"
#include "graph/prop.h"
#include "solve/gth.h"
#include "solve/inside.h"
#include "solve/sparse.h"

static const double FITS = 5e7;  /* entries: 1 GB */
static const double PAYS = 4e10; /* operations: minutes */

static void
add_source(const void *to, size_t i, long double *b)
{
	const struct kith_prop *p = to;

	for (size_t k = 0; k < p->labels->c; k++)
		b[k] += kith_prop_source(p, i, k);
}

bool
kith_prop_exact(const struct kith_prop *p, double *X, struct kith_gth_error *error)
{
	struct kith_pool pool = {0};
	struct kith_gth_how how = {.m = p->in, .source = add_source, .to = p, .entries = FITS};
	struct kith_sparse S;
	struct kith_sparse_factor *factor;
	size_t *row, *node;
	bool got = false;

	kith_mmat_inside(&p->A, &S, &pool, &node, &pool);
	factor = kith_sparse_order(&S);
	row = kith_new(&pool, p->in, sizeof(*row));
	kith_sparse_ordered(factor, row);
	for (size_t j = 0; j < p->in; j++)
		row[j] = node[row[j]];
	how.order = row;
	if (kith_sparse_fill(factor) <= FITS && kith_sparse_flops(factor) <= PAYS)
		got = kith_gth(&p->A, &how, p->labels->c, p->ld, X, error) == 0;
	kith_sparse_free(factor);
	kith_pool_free(&pool);
	return got;
}
