/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * As in wsvm/ratio_test.c, with L(theta) a bound of how far the path of scores
 * has gone,
 *
 *	|f_i(theta) - f_i(theta_0)| <= L(theta) - L(theta_0)
 *
 * so the score of i, which was seen at theta_0, is not 0 before L exceeds
 * due_i = L(theta_0) + |f_i(theta_0)|.  On a piece L grows by
 *
 *	sqrt(max K_ii) norm(df / dtheta) + |db / dtheta|
 *
 * for each theta; between two pieces by the jump of b, and by what rounding may
 * leave of a solution.
 */
#include "wsvm/watch.h"

#include "base/pool.h"
#include "wsvm/krows.h"
#include "wsvm/piece.h"
#include "wsvm/ratio_test.h"

#define FEW 64 /* of the tolerance of a gradient: rounding between two pieces */

struct kith_wsvm_watch {
	struct kith_wsvm *solver;
	const size_t *item;
	size_t m;
	size_t *at;      /* m */
	double *f0, *f1; /* m: of the items at[] */
	double *due;     /* m: -infinity: at once */
	double size;     /* the root of the largest K_ii */
	double length;   /* L at the end of the last piece */
	double b;        /* there */
};

struct kith_wsvm_watch *
kith_wsvm_watch_new(
    struct kith_wsvm *s, const size_t *item, size_t m, struct kith_pool *pool)
{
	struct kith_wsvm_watch *w = kith_new(pool, 1, sizeof(*w));

	*w = (struct kith_wsvm_watch){.solver = s, .item = item, .m = m};
	KITH_NEW_SIZES(pool, m, 1, &w->at);
	KITH_NEW_REALS(pool, m, 1, &w->f0, &w->f1, &w->due);
	for (size_t i = 0; i < m; i++) {
		w->due[i] = -INFINITY;
		w->size = fmax(
		    w->size, sqrt(kith_krows_entry(s->rows, item[i], item[i])));
	}
	return w;
}

/* The score of item number i on the piece, as number c of those computed. */
static void
score(struct kith_wsvm_watch *w, const struct kith_wsvm_piece *piece, size_t i,
    size_t c)
{
	const struct kith_wsvm *s = w->solver;
	const size_t item = w->item[i];
	double f[2];

	w->at[c] = i;
	if (piece->f0) { /* one of a restart */
		w->f0[c] = piece->f0[item];
		w->f1[c] = piece->f1[item];
		return;
	}
	/* f0 + theta f1 of the path from that of the leg */
	kith_wsvm_piece_score(s, item, f);
	w->f1[c] = (f[1] + s->piece.b1) / s->path.length;
	w->f0[c] = f[0] + s->piece.b0 - s->path.base * w->f1[c];
}

void
kith_wsvm_watch_all(struct kith_wsvm_watch *w,
    const struct kith_wsvm_piece *piece, struct kith_wsvm_watched *out)
{
	for (size_t i = 0; i < w->m; i++)
		score(w, piece, i, i);
	*out = (struct kith_wsvm_watched){w->at, w->f0, w->f1, w->m};
}

/* By how much a score may change on the piece, or before it; infinite: any. */
static double
change(const struct kith_wsvm_watch *w, const struct kith_wsvm_piece *piece)
{
	const double step = piece->leg[1] - piece->leg[0];
	const double jump = fabs(piece->b[0] - w->b);
	const struct kith_wsvm_tolerance *tol = &w->solver->tol;
	double norm;

	if (piece->f0)
		return INFINITY;
	norm = kith_wsvm_ratio_norm(w->solver);
	if (isinf(norm))
		return norm;
	return jump + FEW * (tol->base + w->size * tol->scale) +
	    step * (w->size * norm + fabs(w->solver->piece.b1)) * (1 + 1e-12);
}

void
kith_wsvm_watch_due(struct kith_wsvm_watch *w,
    const struct kith_wsvm_piece *piece, struct kith_wsvm_watched *out)
{
	const double more = change(w, piece);
	size_t n = 0;

	if (isinf(more))
		w->length = 0;
	else
		w->length += more;
	for (size_t i = 0; i < w->m; i++) {
		if (w->due[i] > w->length && !isinf(more))
			continue;
		score(w, piece, i, n);
		w->due[i] = w->length + fabs(w->f0[n] + piece->to * w->f1[n]);
		n++;
	}
	w->b = piece->b[1];
	*out = (struct kith_wsvm_watched){w->at, w->f0, w->f1, n};
}
