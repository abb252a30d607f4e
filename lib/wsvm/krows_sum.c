/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/krows_sum.h"

#include "wsvm/add_rows.h"
#include "wsvm/krows.h"

double
kith_krows_length(
    struct kith_krows *rows, const size_t *plus, const size_t *minus, size_t v)
{
	const size_t i = plus[v];
	double K = kith_krows_entry(rows, i, i);

	if (minus) {
		const size_t j = minus[v];

		K += kith_krows_entry(rows, j, j) -
		    2 * kith_krows_entry(rows, i, j);
	}
	return K > 0 ? K : 0;
}

void
kith_krows_add(
    struct kith_krows *rows, size_t i, double a, double b, double *u, double *v)
{
	kith_wsvm_add_row(
	    kith_krows_count(rows), kith_krows_get(rows, i), a, b, u, v);
}

void
kith_krows_sum(struct kith_krows *rows, const size_t *row, const double *a,
    size_t m, double *u)
{
	size_t c = 0;

	for (; c + KITH_WSVM_FOUR <= m; c += KITH_WSVM_FOUR) {
		const double *x[KITH_WSVM_FOUR];

		for (size_t q = 0; q < KITH_WSVM_FOUR; q++)
			x[q] = kith_krows_get(rows, row[c + q]);
		kith_wsvm_add_four(kith_krows_count(rows), x, a + c, u);
	}
	for (; c < m; c++)
		kith_krows_add(rows, row[c], a[c], 0, u, NULL);
}
