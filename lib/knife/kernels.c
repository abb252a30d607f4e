/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/kernels.h"

#include "la/lanes.h"
#include "la/simd.h"
#include "near/dist.h"

#include <math.h>

/*
 * A product leaves |z - x|^2 with the rounding of |z|^2 + |x|^2: it is made
 * from the differences where it is a smaller part than NEAR, and the rounding
 * is one that the kernel could show.
 */
#define NEAR 1e-4
#define SEEN 1.0

/*
 * Products become squared distances of a row, own = |z|^2, from others;
 * whether one of them is near.
 */
KITH_CLONES static bool
knife_distances(size_t n, double own, const double *size, double *K)
{
	kith_v8i near = {0};
	bool some = false;
	size_t k;

	for (k = 0; k + 8 <= n; k += 8) {
		const kith_v8d both = own + *kith_lanes_at(size + k);
		const kith_v8d d = both - 2 * *kith_lanes_at(K + k);

		near |= d < NEAR * both;
		*(kith_v8d_at *)(K + k) = (kith_v8d)((kith_v8i)d & ~(d <= 0));
	}
	for (int l = 0; l < 8; l++)
		some = some || near[l];
	for (; k < n; k++) {
		const double both = own + size[k], d = both - 2 * K[k];

		some = some || d < NEAR * both;
		K[k] = d <= 0 ? 0 : d;
	}
	return some;
}

/* Squared distances from products, for row i. */
static void
distances(const struct kith_knife_pair *pair, size_t i, double *K)
{
	const struct kith_knife_state *state = pair->state;
	const struct kith_metric metric = {KITH_SQUARED, state->kept, NULL};
	const double gamma = state->problem->gamma, own = state->size[i];
	const size_t kept = state->kept;

	if (!knife_distances(pair->n, own, pair->size, K))
		return;
	for (size_t k = 0; k < pair->n; k++) {
		const double both = own + pair->size[k];

		if (K[k] < NEAR * both && gamma * both > SEEN)
			kith_dist_rows(&metric, state->Z + i * kept,
			    pair->Z + k * kept, 1, &K[k]);
	}
}

/* S = products + coef0 in K become S^(degree - 1) in H and S^degree in K. */
static void
powers(const struct kith_knife_problem *problem, size_t n, double *K, double *H)
{
	for (size_t k = 0; k < n; k++) {
		const double S = K[k] + problem->coef0;
		double square = S, power = 1;

		for (size_t e = problem->degree - 1; e > 0; e /= 2) {
			if (e % 2 == 1)
				power *= square;
			square *= square;
		}
		if (H)
			H[k] = power;
		K[k] = power * S;
	}
}

void
kith_knife_kernels(
    const struct kith_knife_pair *pair, size_t i, double *K, double *H)
{
	const struct kith_knife_state *state = pair->state;

	switch (state->problem->kernel) {
	case KITH_KNIFE_GAUSSIAN:
		distances(pair, i, K);
		kith_kern_of_dist(pair->kern, pair->n, K, 0, K);
		break;
	case KITH_KNIFE_LAPLACIAN:
		kith_kern_rows(pair->kern, state->Z + i * state->kept, pair->Z,
		    pair->n, K);
		break;
	case KITH_KNIFE_POLYNOMIAL:
		powers(state->problem, pair->n, K, H);
		break;
	case KITH_KNIFE_LINEAR:
		break;
	}
}
