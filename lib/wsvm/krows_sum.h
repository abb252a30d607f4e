/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/krows_sum - sums of rows and of entries of a kernel (wsvm/krows.h).
 */
#ifndef KITH_WSVM_KROWS_SUM_H
#define KITH_WSVM_KROWS_SUM_H

#include <stddef.h>

struct kith_krows;

/*
 * |Phi(x_plus[v]) - Phi(x_minus[v])|^2, at least 0; minus NULL: K of x_plus[v].
 */
double kith_krows_length(
    struct kith_krows *rows, const size_t *plus, const size_t *minus, size_t v);

/* u += a K_i and v += b K_i for row K_i; v may be NULL. */
void kith_krows_add(struct kith_krows *rows, size_t i, double a, double b,
    double *u, double *v);

/* u += a_c K_i for i = row[c], c < m. */
void kith_krows_sum(struct kith_krows *rows, const size_t *row, const double *a,
    size_t m, double *u);

#endif
