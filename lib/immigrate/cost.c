/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/cost.h"

#include "immigrate/rows.h"
#include "immigrate/soft.h"

#include <math.h>

struct kith_immigrate_cost
kith_immigrate_cost(const struct kith_immigrate_soft *soft)
{
	const struct kith_immigrate_side *hit = &soft->hit, *miss = &soft->miss;
	struct kith_immigrate_cost cost = {0};

	for (size_t i = 0; i < soft->data->n; i++) {
		const double weight = soft->data->weight[i];
		double d = -miss->least[i], l = log(miss->sum[i]);

		if (hit->sum[i] > 0) {
			d += hit->least[i];
			l -= log(hit->sum[i]);
		}
		cost.least += weight * d;
		cost.logs += weight * l;
		if (!soft->some)
			continue;
		cost.error += weight * miss->gone[i] / miss->sum[i];
		if (hit->sum[i] > 0)
			cost.error += weight * hit->gone[i] / hit->sum[i];
	}
	return cost;
}

/* Whether the package, that does not shift, finds a weight of 0. */
static bool
underflows(const struct kith_immigrate_soft *soft, const struct kith_immigrate_side *side, size_t i)
{
	const double sigma = soft->sigma;
	const double least = exp(-side->most[i] / sigma);
	const double sum = side->sum[i] * exp(-side->least[i] / sigma);

	return side->sum[i] > 0 && !(least > 0 && least / sum > 0);
}

double
kith_immigrate_cost_entropy(const struct kith_immigrate_soft *soft)
{
	const struct kith_immigrate_side *hit = &soft->hit;
	const struct kith_immigrate_side *miss = &soft->miss;
	double sum = 0;

	for (size_t i = 0; i < soft->data->n; i++) {
		if (underflows(soft, hit, i) || underflows(soft, miss, i))
			return NAN;
		sum += miss->mean[i] + log(miss->sum[i]);
		if (hit->sum[i] > 0)
			sum -= hit->mean[i] + log(hit->sum[i]);
	}
	return sum;
}
