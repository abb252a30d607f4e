/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/pursuit.h"

#include "base/pool.h"
#include "solve/nn.h"

#include <math.h>
#include <string.h>

/* What counts as positive, relative to the largest b_j. */
#define POSITIVE 1e-13

struct kith_pursuit
kith_pursuit_new(size_t n, size_t most, bool orthogonal, struct kith_pool *pool)
{
	struct kith_pursuit it = {.orthogonal = orthogonal};

	it.atom = kith_new(pool, most, sizeof(*it.atom));
	it.t = kith_new(pool, most, sizeof(*it.t));
	it.r = kith_new(pool, n, sizeof(*it.r));
	it.C = kith_new(pool, most, sizeof(*it.C));
	if (!orthogonal)
		return it;
	it.A = kith_new(pool, most, kith_qp_nn_stride(most + 1) * sizeof(*it.A));
	it.bs = kith_new(pool, most, sizeof(*it.bs));
	it.g = kith_new(pool, most, sizeof(*it.g));
	it.qp = kith_qp_nn_new(most, pool);
	return it;
}

static bool
is_taken(const struct kith_pursuit *it, size_t j)
{
	for (size_t s = 0; s < it->taken; s++)
		if (it->atom[s] == j)
			return true;
	return false;
}

/* The next atom; n if there is none. */
static size_t
choose(const struct kith_pursuit *it, double least)
{
	size_t best = it->n;
	double most = 0;

	for (size_t j = 0; j < it->n; j++) {
		const double square = it->diagonal[j * it->step];
		double z;

		if (!(it->r[j] > least) || !(square > 0))
			continue;
		z = it->r[j] / sqrt(square);
		if (!(z > 0) || z < most ||
		    (z == most && !(it->order && it->order[j] < it->order[best])))
			continue;
		if (!is_taken(it, j)) {
			best = j;
			most = z;
		}
	}
	return best;
}

/* The best weights of the atoms taken, from their products. */
static void
project(struct kith_pursuit *it)
{
	const size_t n = it->taken, ld = kith_qp_nn_stride(n);

	for (size_t s = 0; s < n; s++) {
		it->bs[s] = it->b[it->atom[s]];
		for (size_t l = 0; l <= s; l++) {
			const double a = it->C[s][it->atom[l]];

			it->A[s * ld + l] = a;
			it->A[l * ld + s] = a;
		}
	}
	it->residual = kith_qp_nn(it->qp, n, it->A, it->bs, it->t, it->g);
	memcpy(it->r, it->b, it->n * sizeof(*it->r));
	for (size_t s = 0; s < n; s++)
		for (size_t j = 0; j < it->n && it->t[s] > 0; j++)
			it->r[j] -= it->t[s] * it->C[s][j];
}

void
kith_pursuit(struct kith_pursuit *it)
{
	double least = 0;

	for (size_t j = 0; j < it->n; j++)
		least = fmax(least, POSITIVE * it->b[j]);
	memcpy(it->r, it->b, it->n * sizeof(*it->r));
	it->residual = 0;
	for (it->taken = 0; it->taken < it->most;) {
		const size_t j = choose(it, least), s = it->taken;

		if (j == it->n)
			return;
		it->atom[it->taken++] = j;
		it->C[s] = it->column(it->of, s, j);
		if (it->orthogonal) {
			project(it);
			continue;
		}
		it->t[s] = it->r[j] / it->diagonal[j * it->step];
		for (size_t l = 0; l < it->n; l++)
			it->r[l] -= it->t[s] * it->C[s][l];
	}
}
