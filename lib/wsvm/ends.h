/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/ends - the solutions at both ends of a piece of the engine: those of its
 * line, and how far the caller's are apart from these, which are the end of the
 * last piece and the line's, within their bounds.
 */
#ifndef KITH_WSVM_ENDS_H
#define KITH_WSVM_ENDS_H

#include "wsvm/state.h"

struct kith_wsvm_ends {
	double theta, b; /* of the leg */
	double most;     /* the largest alpha of M */
	double off;      /* how far one of M is beyond its bounds, at most */
	double near;     /* .. and within them, at least */
	double sum;      /* e' alpha */
	double size;     /* sum root_v alpha_v */
	double apart;    /* sum root_v |alpha_v of the caller - of the line| */
	double *jump;    /* N: how far that lets g_v jump; NULL: root_v apart */
};

/*
 * Survey the piece from last.theta to `end`; apart is that of the start alone.
 * False: those of O and I are not on their bounds there, or e' alpha is not 0,
 * over the largest alpha; `sound` is how much that may be.  Time O(|M|), a
 * glance at N numbers, and O(N) where alpha of M are small beside those of I.
 */
bool kith_wsvm_ends(const struct kith_wsvm *s, double end, double sound,
    struct kith_wsvm_ends e[2]);

/* Whether at this end the line is within its bounds, and e' alpha = 0. */
bool kith_wsvm_ends_within(
    const struct kith_wsvm *s, const struct kith_wsvm_ends *e, double sound);

/*
 * Where alpha of M jumps at the start e, as where Q_MM is nearly singular,
 * compute how far each g_v that is seen does, into jump; apart is what is left
 * for those that are not.  Where these may then be beyond 0 all are seen: they
 * are candidates.  Time O(|M|) for each.
 */
void kith_wsvm_ends_jump(struct kith_wsvm *s, struct kith_wsvm_ends *e);

/* Find how far the caller's solution at the end e is apart.  Time O(|M|). */
void kith_wsvm_ends_clip(const struct kith_wsvm *s, struct kith_wsvm_ends *end);

/* alpha_v of M where the last piece has ended; theta of its leg: last.theta. */
double kith_wsvm_ends_begin(const struct kith_wsvm *s, size_t v);

/* Tolerances from 0 that a gradient of O or I is which is not seen, at least. */
#define KITH_WSVM_UNSEEN 2

/* What rounding may leave of any gradient. */
static inline double
kith_wsvm_few_of_all(const struct kith_wsvm *s)
{
	return s->tol.base + s->root_most * s->tol.scale;
}

#endif
