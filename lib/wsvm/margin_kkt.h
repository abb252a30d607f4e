/*
 * wsvm/margin_kkt - the variables M whose value is free, and the linear systems
 * of them: the active set of a box form (wsvm/smo.h).
 *
 * With a bias, the system is bordered, eq. (10).  Since e' x is given there,
 * Q_MM + rho e e' may stand for Q_MM: the factor is of that, so it exists
 * wherever the bordered system has one solution.
 */
#ifndef KITH_WSVM_MARGIN_KKT_H
#define KITH_WSVM_MARGIN_KKT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_pool;
struct kith_smo_form;
struct kith_wsvm_columns;
struct kith_wsvm_margin;

/* Place of a variable that is not in M. */
#define KITH_WSVM_NOT SIZE_MAX

/* None in M, in the pool; form stays where it is, its rows, signs fixed. */
struct kith_wsvm_margin *kith_wsvm_margin_new(
    const struct kith_smo_form *form, struct kith_pool *pool);

size_t kith_wsvm_margin_size(const struct kith_wsvm_margin *margin);

/* The variables, in the order of the systems. */
const size_t *kith_wsvm_margin_list(const struct kith_wsvm_margin *margin);

/* Where v stands in this order, or KITH_WSVM_NOT. */
size_t kith_wsvm_margin_place(const struct kith_wsvm_margin *margin, size_t v);

/*
 * Add v at the end.  False, and v stays out, where the system would be
 * singular.  Time O(n + |M|^2), and a kernel row for each of its items.
 */
bool kith_wsvm_margin_enter(struct kith_wsvm_margin *margin, size_t v);

/* Take v out.  Time O(|M|^2). */
void kith_wsvm_margin_leave(struct kith_wsvm_margin *margin, size_t v);

/*
 * Solve Q_MM x + e_M b = c, e_M' x = r for `count` right-hand sides, one or two
 * (c_k from c + k |M| on, x likewise), refined on the whole system until only
 * rounding is left; without a bias r is not used and b is 0.  |M| >= 1.  Time
 * O(|M|^2); factors anew where the residual is large, or after as many changes
 * as M has variables, and at least 100.
 */
void kith_wsvm_margin_solve(struct kith_wsvm_margin *margin, size_t count,
    const double *c, const double *r, double *x, double *b);

/*
 * How M must move for v, which enter() refused, to grow by 1 and no score to
 * change: z (|M|).
 */
void kith_wsvm_margin_null(
    struct kith_wsvm_margin *margin, size_t v, double *z);

/*
 * The scores of M: u_i += sum_v a_v phi_v' Phi(x_i); a holds |M| numbers, u
 * n.  Time O(n |M|).
 */
void kith_wsvm_margin_scores(
    struct kith_wsvm_margin *margin, const double *a, double *u);

/*
 * The same in two steps, for some items: load a, and b unless it is NULL,
 * which stay until M changes or solve() is called; then score the columns of M
 * (wsvm/columns.h).
 */
void kith_wsvm_margin_load(
    struct kith_wsvm_margin *margin, const double *a, const double *b);
struct kith_wsvm_columns *kith_wsvm_margin_columns(
    const struct kith_wsvm_margin *margin);

#endif
