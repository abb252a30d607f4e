#include "vote/vote.h"

#include "near/knn.h"

#include <math.h>
#include <string.h>

static double
weight(int vote, double d, double nearest, double sigma)
{
	if (vote == KITH_VOTE_MAJORITY || d == nearest)
		return 1; /* the nearest decide the scale */
	if (vote == KITH_VOTE_DISTANCE)
		return sqrt(nearest / d);
	return exp(-(d - nearest) / sigma / sigma / 2);
}

void
kith_vote_weigh(int vote, const struct kith_neighbour *nn, size_t k,
    double sigma, double *v)
{
	for (size_t i = 0; i < k; i++)
		v[i] = weight(vote, nn[i].d, nn[0].d, sigma);
}

size_t
kith_vote_class(const struct kith_neighbour *nn, const double *v, size_t k,
    const size_t *y, size_t c, double *share)
{
	size_t best = y[nn[0].row];
	double total = 0;

	memset(share, 0, c * sizeof(*share));
	for (size_t i = 0; i < k; i++) {
		share[y[nn[i].row]] += v[i];
		total += v[i];
	}
	for (size_t i = 1; i < k; i++) /* nearest first: settles ties */
		if (share[y[nn[i].row]] > share[best])
			best = y[nn[i].row];
	for (size_t i = 0; i < c; i++)
		share[i] /= total;
	return best;
}

double
kith_vote_mean(
    const struct kith_neighbour *nn, const double *v, size_t k, const double *t)
{
	long double sum = 0, total = 0;

	for (size_t i = 0; i < k; i++) {
		sum += (long double)v[i] * t[nn[i].row];
		total += v[i];
	}
	return (double)(sum / total);
}
