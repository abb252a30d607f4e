/* SPDX-License-Identifier: BSD-2-Clause */
#include "solve/inside.h"

#include "base/pool.h"
#include "solve/mmat.h"
#include "solve/sparse.h"

void
kith_mmat_inside(const struct kith_mmat *A, struct kith_sparse *S, struct kith_pool *of_s,
    size_t **node, struct kith_pool *of_node)
{
	struct kith_pool tmp = {0};
	uint32_t *row = kith_new(&tmp, A->n, sizeof(*row));
	size_t m = 0, n = 0;

	for (size_t i = 0; i < A->n; i++) {
		row[i] = (uint32_t)m;
		m += !A->out[i];
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
			n += !A->out[i] && !A->out[A->column[e]];
	}
	*node = kith_new(of_node, m, sizeof(**node));
	*S = (struct kith_sparse){.n = m,
	    .start = kith_new(of_s, m + 1, sizeof(*S->start)),
	    .column = kith_new(of_s, n, sizeof(*S->column)),
	    .x = kith_new(of_s, n, sizeof(*S->x)),
	    .diagonal = kith_new(of_s, m, sizeof(*S->diagonal))};
	n = 0;
	for (size_t i = 0; i < A->n; i++) {
		if (A->out[i])
			continue;
		(*node)[row[i]] = i;
		S->diagonal[row[i]] = A->diagonal[i];
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
			if (A->out[A->column[e]])
				continue;
			S->column[n] = row[A->column[e]];
			S->x[n++] = -A->w[e];
		}
		S->start[row[i] + 1] = n;
	}
	kith_pool_free(&tmp);
}
