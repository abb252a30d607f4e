/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/smooth.h"

#include "base/pool.h"

#include <math.h>

#define LIMIT 1e-10

/* lambda of a pair, relative to the size of its terms. */
static double
violation(long double w, long double z, long double ui, long double uj)
{
	return (double)((w + z - (ui + uj) / 2) / (z + (ui + uj) / 2));
}

void
kith_smooth_check(const struct kith_smooth_pairs *pairs, const double *w,
    struct kith_check out[KITH_CHECK_SMOOTH])
{
	const struct kith_graph *graph = &pairs->graph;
	struct kith_pool tmp = {0};
	long double *degree = kith_new(&tmp, graph->m, sizeof(*degree));
	size_t *has = kith_new(&tmp, graph->m, sizeof(*has));

	out[0] = (struct kith_check){"degree", 0, 0};
	out[1] = (struct kith_check){"stationarity", 0, LIMIT};
	out[2] = (struct kith_check){"dual", 0, LIMIT};
	for (size_t i = 0; i < graph->m; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			degree[i] += w[e];
			degree[graph->to[e]] += w[e];
			has[i]++;
			has[graph->to[e]]++;
		}
	for (size_t i = 0; i < graph->m; i++)
		out[0].value += has[i] > 0 && !(degree[i] > 0);
	for (size_t i = 0; i < graph->m; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			const double lambda = violation(w[e],
			    (long double)pairs->theta * graph->d[e], 1 / degree[i],
			    1 / degree[graph->to[e]]);

			if (isnan(lambda))
				out[1].value = INFINITY;
			else if (w[e] > 0)
				out[1].value = fmax(out[1].value, fabs(lambda));
			else
				out[2].value = fmax(out[2].value, -lambda);
		}
	kith_pool_free(&tmp);
}
