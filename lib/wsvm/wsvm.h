/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/wsvm - exact solution paths of support vector machines whose rows have
 * weights of their own (Karasuyama, Harada, Sugiyama and Takeuchi, 2012), as
 * wsvm/problem.h has them.  wsvm/wsvm.c describes the algorithm.
 */
#ifndef KITH_WSVM_WSVM_H
#define KITH_WSVM_WSVM_H

#include "wsvm/problem.h"

struct kith_pool;

/*
 * Solve at the weights from (N, >= 0, finite), or take the solution at these
 * weights that start holds; where it is off, it is corrected.  The problem and
 * its arrays must stay where they are.  Memory: the cache, and O(n + N +
 * |M|^2).  Time: smo (wsvm/smo.h), then O(n |M|) for each variable that smo
 * left in a wrong set, and a kernel row for each variable of which one is
 * needed; with start, for those of M alone.
 */
struct kith_wsvm *kith_wsvm_new(const struct kith_wsvm_problem *problem,
    const double *from, const struct kith_wsvm_solution *start,
    struct kith_pool *pool);

/*
 * Begin a path from the present weights to these (N, >= 0, finite), theta from
 * 0 to 1 again; also before the last path has come to its end.  Time O(n p)
 * for each variable that is in and whose weight changes.
 */
void kith_wsvm_aim(struct kith_wsvm *s, const double *to);

/*
 * The next piece of the path (true), or false where theta is 1.  Before it
 * returns, on_event (NULL: none) is called for each move at the piece's
 * beginning.  b may jump between two pieces; pieces of no length are left out.
 * Time O(n + N + |M|^2), O(|M|) for each variable whose gradient may be 0 soon,
 * and O(n p) where a variable enters M for the first time.
 */
bool kith_wsvm_next(struct kith_wsvm *s, struct kith_wsvm_piece *piece,
    kith_wsvm_on_event *on_event, void *to);

/*
 * The solution at theta of the piece that next() gave last: alpha (N), within
 * its bounds, and b.  Time O(N).
 */
double kith_wsvm_point(
    const struct kith_wsvm_piece *piece, double theta, double *alpha);

/* Its scores f (n items), b included.  Time O(n |M|). */
void kith_wsvm_point_scores(
    struct kith_wsvm_piece *piece, double theta, double *f);

/*
 * Compute the scores of all items on the piece that next() gave last.  Time
 * O(n |M|).
 */
void kith_wsvm_scores(struct kith_wsvm_piece *piece);

/*
 * The same of the items from `first` on alone: *f0 and *f1 point to theirs.
 * piece->f0 and f1 stay as they are.  Time O(|M|) for each such item.
 */
void kith_wsvm_scores_from(const struct kith_wsvm_piece *piece, size_t first,
    const double **f0, const double **f1);

/*
 * The solution at the present weights, the end of the last piece, valid until
 * the next call.  Time O(n |M| + N).
 */
void kith_wsvm_get(struct kith_wsvm *s, struct kith_wsvm_solution *out);

/*
 * Item i has a new row in X now, and its variables new sign and q: allowed
 * while the weights of its variables are 0.  A path that was under way ends
 * here.  Time O(n p + N).
 */
void kith_wsvm_replace(struct kith_wsvm *s, size_t item);

void kith_wsvm_count(const struct kith_wsvm *s, struct kith_wsvm_count *count);

#endif
