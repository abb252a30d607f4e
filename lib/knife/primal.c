/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/primal.h"

#include "la/blas.h"
#include "la/spd.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

/*
 * The linear kernel with fewer columns than rows: K = Z Z', and Newton's
 * equations for beta = Z' alpha are of the size of these columns,
 *
 *	(Z' D Z + 2 lambda1 I) beta + Z' D 1 b = Z' (D f - L'),
 *
 * as well conditioned as the columns are, where K + lambda1 I is not.  An
 * intercept is taken out by means under the weights D.
 */
bool
kith_knife_primal_factor(struct kith_knife_state *state, const double *h, bool intercept)
{
	const size_t n = state->n, k = state->kept;
	const double total = kith_vec_sum(n, h);
	double *B = state->K;

	state->centred = intercept;
	memset(state->mean, 0, k * sizeof(*state->mean));
	for (size_t i = 0; i < n && intercept; i++)
		for (size_t l = 0; l < k; l++)
			state->mean[l] += h[i] / total * state->Z[i * k + l];
	for (size_t i = 0; i < n; i++) {
		const double root = sqrt(h[i]);

		for (size_t l = 0; l < k; l++)
			B[i * k + l] = root * (state->Z[i * k + l] - state->mean[l]);
	}
	memset(state->R, 0, k * k * sizeof(*state->R));
	if (k > 0)
		kith_blas_gram(n, k, 1, B, k, state->R);
	for (size_t l = 0; l < k; l++)
		state->R[l * k + l] += 2 * state->problem->lambda1;
	return kith_spd_factor(k, state->R);
}

void
kith_knife_primal_solve(const struct kith_knife_state *state, const double *h, const double *g,
    const double *f, double *alpha, double *Ka, double *bias)
{
	struct kith_pool tmp = {0};
	const size_t n = state->n, k = state->kept;
	double *beta = kith_new(&tmp, k + 1, sizeof(*beta));
	double sum = 0, offset, centre = 0;

	for (size_t i = 0; i < n; i++) {
		const double r = h[i] * f[i] - g[i];

		for (size_t l = 0; l < k; l++)
			beta[l] += r * (state->Z[i * k + l] - state->mean[l]);
		sum += r;
	}
	kith_spd_solve(k, 1, state->R, beta);
	if (state->centred)
		centre = sum / kith_vec_sum(n, h);
	offset = kith_vec_dot(k, state->mean, beta);
	*bias = centre - offset;
	for (size_t i = 0; i < n; i++) {
		double score = 0;

		for (size_t l = 0; l < k; l++)
			score += (state->Z[i * k + l] - state->mean[l]) * beta[l];
		Ka[i] = score + offset;
		alpha[i] = -(g[i] + h[i] * (score + centre - f[i])) / (2 * state->problem->lambda1);
	}
	kith_pool_free(&tmp);
}
