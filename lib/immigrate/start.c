/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/start.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "base/rng.h"
#include "immigrate/unit.h"
#include "la/vec.h"
#include "table/weights.h"

#include <assert.h>
#include <math.h>

void
kith_immigrate_normalise(size_t len, bool matrix, double *W)
{
	double norm = 0;

	for (size_t k = 0; k < len; k++)
		norm += matrix ? W[k] * W[k] : W[k];
	assert(norm < INFINITY);
	norm = matrix ? sqrt(norm) : norm;
	for (size_t k = 0; k < len && norm > 0; k++)
		W[k] /= norm;
}

int
kith_immigrate_start_norm(size_t n, bool matrix, double *W)
{
	const double most = kith_vec_largest(n, W);

	if (most == 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		W[i] /= most;
	kith_immigrate_normalise(n, matrix, W);
	return 0;
}

void
kith_immigrate_start_identity(size_t p, double *W)
{
	for (size_t i = 0; i < p * p; i++)
		W[i] = i % (p + 1) == 0 ? 1 / sqrt((double)p) : 0;
}

void
kith_immigrate_start_uniform(size_t p, double *w)
{
	for (size_t j = 0; j < p; j++)
		w[j] = 1 / (double)p;
}

void
kith_immigrate_start_random(uint64_t seed, uint64_t index, size_t p, double *W)
{
	struct kith_rng rng;

	kith_rng_seed(&rng, seed, KITH_RNG_START, index);
	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++)
			W[i * p + j] = W[j * p + i] = kith_rng_unit(&rng);
	if (kith_immigrate_start_norm(p * p, true, W))
		kith_immigrate_start_identity(p, W); /* all were 0 */
}

void
kith_immigrate_start_draw(uint64_t seed, size_t p, double *w)
{
	struct kith_rng rng;

	kith_rng_seed(&rng, seed, KITH_RNG_START, 0);
	for (size_t j = 0; j < p; j++)
		w[j] = kith_rng_unit(&rng);
	if (kith_immigrate_start_norm(p, false, w))
		kith_immigrate_start_uniform(p, w);
}

int
kith_immigrate_start_read(const char *file, const struct kith_immigrate_unit *unit, bool vector,
    double *W, struct kith_err *err)
{
	const enum kith_metric_kind kind = vector ? KITH_ABSOLUTE : KITH_ABSOLUTE_MATRIX;
	struct kith_pool tmp = {0};
	struct kith_weights got;
	const size_t p = unit->feature->n;
	int bad = kith_weights_read_full(file, unit->feature, true, &got, &tmp, err);

	if (!bad && vector != !got.column)
		bad = kith_fail_at(err, EX_DATAERR, file, 0,
		    vector ? "a matrix of weights: the start is a vector"
			   : "a vector of weights: the start is a matrix");
	if (!bad)
		kith_weights_spread(&got, W, p);
	kith_pool_free(&tmp);
	if (bad || kith_immigrate_unit_from_input(unit, NULL, kind, p, W, err))
		return -1;
	if (kith_immigrate_start_norm(vector ? p : p * p, !vector, W))
		return kith_fail_at(err, EX_DATAERR, file, 0, "all weights are 0");
	return 0;
}

int
kith_immigrate_start_judged(const char *file, const struct kith_immigrate_unit *unit, bool vector,
    bool named, struct kith_immigrate_judged *judged, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_weights got;
	size_t p = unit->feature->n;

	if (kith_weights_read_full(file, unit->feature, false, &got, pool, err))
		return -1;
	if (got.metric.kind != (vector ? KITH_ABSOLUTE : KITH_ABSOLUTE_MATRIX))
		return kith_fail_at(err, EX_DATAERR, file, 0, "not the weights of this --method");
	*judged = (struct kith_immigrate_judged){.needs = got.needs};
	if (named) {
		judged->column = got.column;
		got.column = NULL;
		p = got.metric.p;
	}
	judged->p = p;
	judged->W = kith_new(pool, p, (vector ? 1 : p) * sizeof(*judged->W));
	kith_weights_spread(&got, judged->W, p);
	return kith_immigrate_unit_from_input(
	    unit, judged->column, got.metric.kind, p, judged->W, err);
}
