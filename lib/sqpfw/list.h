/*
 * sqpfw/list - the lists of the groups of sqpfw/state.h, made anew when w has
 * moved too far for them.
 *
 * Changes of w are measured by |D|^2 = sum D_f^2 / h_f, h = w + floor at the
 * time when the list was made, for small weights change by little; rows a with
 * the norm that goes with it, min over c of sum h_f (a_f - c)^2, as 1'D = 0.
 * A pair (i, j) outside of the list is no nearer than the target, whatever that
 * is by then, as long as w has moved by less than
 *
 *	(d_ij - d_ir) / (|a_j| + max |a_q| + slack), a_j = eps_ij - eps_ir,
 *
 * from where the list was made, with r the target then and q the pairs that
 * were nearer, and those tied with r where the others and r are too few for the
 * target to be among them: so it is never farther than the farthest of these.
 * The radius is the least of that over all j outside.  slack is a small part of
 * the distance of the target: where w has moved by m, pairs outside are farther
 * than the target by at least (radius - m) slack, less what a pair q was
 *farther than r when the list was made.
 *
 * Points whose rows are the same for every w, as those that lie symmetric to
 * i, are one item.
 */
#ifndef KITH_SQPFW_LIST_H
#define KITH_SQPFW_LIST_H

#include "sqpfw/state.h"

/* How many points a list is to hold at first. */
void kith_sqpfw_list_start(struct kith_sqpfw *s);

/*
 * Make the lists of n groups anew, at w.  Items that stay in a list keep their
 * number, as does `keep` in any case; new ones are in s->fresh, measured, and
 * neither queued nor seen.  Time O(n p) each, in threads.
 */
void kith_sqpfw_list_make(
    struct kith_sqpfw *s, const uint32_t *group, size_t n, uint32_t keep);

/* How far w + tau dw is from where the list of a group was made. */
double kith_sqpfw_list_moved(
    const struct kith_sqpfw *s, uint32_t group, double tau);

/* How far w may go, in units of dw, before the list of a group is left. */
double kith_sqpfw_list_leave(const struct kith_sqpfw *s, uint32_t group);

/*
 * How much longer the path of the lists may become before w can have moved by
 * the radius of one, from where it was made.
 */
double kith_sqpfw_list_ahead(const struct kith_sqpfw *s, uint32_t group);

/* Queue a list that is not queued by that. */
void kith_sqpfw_list_put(struct kith_sqpfw *s, uint32_t group);

#endif
