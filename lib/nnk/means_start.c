/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/means_start.h"

#include "base/par.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/metric.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

enum { BLOCK = 512 }; /* rows of a block of work */

/* Squared distances of all rows from the nearest chosen, and from the last. */
struct job {
	const struct kith_mat *X;
	const double *last;
	double *nearest, *d; /* n */
};

static void
approach(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_mat *X = job->X;
	const struct kith_metric plain = {KITH_SQUARED, X->p, NULL};
	const size_t first = block * BLOCK;
	const size_t m = X->n - first < BLOCK ? X->n - first : BLOCK;

	(void)thread;
	kith_dist_rows(&plain, job->last, kith_row(X, first), m, job->d + first);
	for (size_t i = first; i < first + m; i++)
		job->nearest[i] = fmin(job->nearest[i], job->d[i]);
}

/* Draw a row; the first that is not taken where all distances are 0. */
static size_t
draw(const struct job *job, const bool *taken, struct kith_rng *rng)
{
	const size_t n = job->X->n;
	double total = 0, sum = 0, at;
	size_t last = n;

	for (size_t i = 0; i < n; i++)
		total += job->nearest[i];
	at = kith_rng_unit(rng) * total;
	for (size_t i = 0; i < n && !(sum > at); i++) {
		if (!(job->nearest[i] > 0) || taken[i])
			continue;
		sum += job->nearest[i];
		last = i;
	}
	for (size_t i = 0; i < n && last == n; i++)
		if (!taken[i])
			last = i;
	return last;
}

void
kith_means_start(const struct kith_mat *X, size_t K, size_t seed, size_t threads, size_t *row)
{
	struct kith_pool tmp = {0};
	bool *taken = kith_new(&tmp, X->n, sizeof(*taken));
	struct job job = {.X = X};
	struct kith_rng rng;

	assert(K >= 1 && K <= X->n);
	job.nearest = kith_new(&tmp, X->n, sizeof(*job.nearest));
	job.d = kith_new(&tmp, X->n, sizeof(*job.d));
	for (size_t i = 0; i < X->n; i++)
		job.nearest[i] = INFINITY;
	kith_rng_seed(&rng, seed, KITH_RNG_START, 0);
	kith_progress_phase("first atoms", K, "atoms");
	for (size_t j = 0; j < K; j++) {
		row[j] = j == 0 ? (size_t)kith_rng_below(&rng, X->n) : draw(&job, taken, &rng);
		taken[row[j]] = true;
		job.last = kith_row(X, row[j]);
		kith_par(threads, (X->n + BLOCK - 1) / BLOCK, approach, &job);
		kith_progress_add(1);
	}
	kith_progress_end();
	kith_pool_free(&tmp);
}
