/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/votes.h"

#include "base/pool.h"
#include "immigrate/expect.h"
#include "immigrate/problem.h"
#include "near/metric.h"

#include <math.h>

/* What rounding may change V by: of its size, and of a distance's terms. */
#define RELATIVE 1e-9
#define ABSOLUTE 1e-12

/* Whether the smallest of c numbers is so by rounding alone. */
static bool
is_doubtful(const double *V, size_t c, size_t best, double absolute)
{
	double second = INFINITY;

	for (size_t h = 0; h < c; h++)
		if (h != best && V[h] < second)
			second = V[h];
	return !(second - V[best] > absolute + RELATIVE * fabs(second));
}

void
kith_immigrate_wrong(const struct kith_immigrate_rows *rows, const struct kith_metric *metric,
    double sigma, const double *V, size_t threads, bool *wrong)
{
	const struct kith_expect e = {rows->X, rows->y, rows->c, metric, sigma};
	struct kith_pool tmp = {0};
	const size_t n = rows->X->n, c = rows->c;
	const double absolute = ABSOLUTE * (double)metric->p;
	size_t *row = kith_new(&tmp, n, sizeof(*row)), m = 0;
	struct kith_mat Z;
	double *exact;

	for (size_t i = 0; i < n; i++) {
		const size_t best = kith_expect_class(V + i * c, c);

		wrong[i] = best != rows->y[i];
		if (is_doubtful(V + i * c, c, best, absolute))
			row[m++] = i;
	}
	if (m > 0) {
		Z = kith_mat_rows(rows->X, row, m, &tmp);
		exact = kith_new(&tmp, m, c * sizeof(*exact));
		kith_expect_distances(&e, &Z, row, threads, exact);
		for (size_t k = 0; k < m; k++)
			wrong[row[k]] = kith_expect_class(exact + k * c, c) != rows->y[row[k]];
	}
	kith_pool_free(&tmp);
}
