/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/nearest.h"

#include "la/simd.h"
#include "wsvm/columns_score.h"
#include "wsvm/state.h"

enum {
	BLOCK = 32, /* variables that are glanced at together */
	AGAIN = 100 /* pieces, after which one is looked for again */
};

#define ROUNDING 1e-9 /* of a share */

double
kith_wsvm_nearest_share(struct kith_wsvm *s, size_t v)
{
	const size_t i = s->form.plus[v];
	double half, share;
	size_t j;

	if (s->candidate.near[v] > 0)
		return s->candidate.share[v];
	if (s->form.minus || s->margin->size == 0 || s->margin->cg ||
	    s->piece.number < s->candidate.again[v])
		return 1;
	/* |Phi_i - Phi_j|^2 = K_ii - 2 (K_ij - K_jj / 2) */
	half = kith_wsvm_columns_nearest(s->margin->columns, i, &j);
	share = sqrt(kith_larger(s->diagonal[v] - s->form.ridge - 2 * half, 0) /
		    s->Q_max) *
	    (1 + ROUNDING);
	if (!(share < 1)) {
		s->candidate.again[v] = s->piece.number + AGAIN;
		return 1;
	}
	s->candidate.near[v] = j + 1;
	s->candidate.share[v] = kith_larger(share, KITH_WSVM_SHARE);
	return s->candidate.share[v];
}

/*
 * The first variable from v on, or of its block, that may have this item near;
 * N or more: none.
 */
KITH_CLONES static size_t
nearest_find_block(size_t N, const size_t *near, size_t item, size_t v)
{
	const ptrdiff_t is = (ptrdiff_t)item + 1;

	for (; v + BLOCK <= N; v += BLOCK) {
		const kith_v8z *at = (const kith_v8z *)(near + v);
		const kith_v8z any = (at[0] == is) | (at[1] == is) |
		    (at[2] == is) | (at[3] == is);

		if (any[0] | any[1] | any[2] | any[3] | any[4] | any[5] |
		    any[6] | any[7])
			break;
	}
	return v;
}

/* From here on g_v may change by all of the length. */
static void
forget(struct kith_wsvm *s, size_t v)
{
	const double length = s->candidate.length;
	double *due = &s->candidate.due[v];

	s->candidate.near[v] = 0;
	if (isfinite(*due))
		*due = length + (*due - length) * s->candidate.share[v];
}

void
kith_wsvm_nearest_leave(struct kith_wsvm *s, size_t item)
{
	const size_t *near = s->candidate.near;
	size_t v = 0;

	while ((v = nearest_find_block(s->N, near, item, v)) < s->N)
		for (size_t end = v + BLOCK; v < end && v < s->N; v++)
			if (near[v] == item + 1)
				forget(s, v);
}
