/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/vote/predict.h: weights by hand, and by the conditions of k*-NN. */

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/knn.h"
#include "near/metric.h"
#include "tap.h"
#include "vote/predict.h"

#include <math.h>

enum { K = 20 };

static void
weigh(const struct kith_vote *vote, void *begun, const double *z, const struct kith_neighbour *nn,
    size_t k, double of, double *v)
{
	const struct kith_voters by = {z, nn, k, of, of};

	vote->weigh(begun, &by, v);
}

static void *
begin_nnk(enum kith_kern_kind kernel, const struct kith_mat *X, const struct kith_metric *metric,
    struct kith_pool *pool)
{
	struct kith_sample *known = kith_new(pool, 1, sizeof(*known));
	struct kith_predict_how *how = kith_new(pool, 1, sizeof(*how));

	known->X = *X;
	*how = (struct kith_predict_how){.metric = metric, .kernel = kernel};
	return kith_votes[KITH_VOTE_NNK].begin(known, how, X->n, pool);
}

static void
test_distances(void)
{
	const struct kith_neighbour nn[] = {{3, 0}, {0, 1}, {1, 4}, {2, 4}};
	double v[4];

	weigh(&kith_votes[KITH_VOTE_DISTANCE], NULL, NULL, nn, 4, 0, v);
	ok(v[0] == 1 && v[1] == 0 && v[3] == 0, "exact matches vote alone");
	weigh(&kith_votes[KITH_VOTE_DISTANCE], NULL, NULL, nn + 1, 3, 0, v);
	ok(v[0] == 1 && v[1] == .5, "1 over the distance");
	weigh(&kith_votes[KITH_VOTE_KERNEL], NULL, NULL, nn, 4, 2, v);
	is_near(v[1] / v[0], exp(-0.125), 1e-15, "exp(-d/2s^2)");
	weigh(&kith_votes[KITH_VOTE_KERNEL], NULL, NULL, nn + 1, 3, 1e-200, v);
	ok(v[0] == 1 && v[1] == 0, "no underflow of all");
}

static void
test_far(void)
{
	const struct kith_neighbour nn[] = {{0, INFINITY}, {1, INFINITY}};
	double v[2];

	for (size_t h = KITH_VOTE_MAJORITY; h <= KITH_VOTE_KERNEL; h++) {
		weigh(&kith_votes[h], NULL, NULL, nn, 2, 1, v);
		ok(v[0] == 1 && v[1] == 1, "infinitely far: all alike");
	}
}

static void
test_nnk(void)
{
	double x[] = {-1.1, 1.1, -0.9, 0.2, -0.4, -0.5};
	const double z[] = {0, 0};
	const struct kith_mat X = {3, 2, x};
	const struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	const struct kith_neighbour nn[] = {{2, 0.41}, {1, 0.85}, {0, 2.42}};
	struct kith_pool pool = {0};
	void *begun = begin_nnk(KITH_KERN_GAUSSIAN, &X, &metric, &pool);
	double v[3];

	weigh(&kith_votes[KITH_VOTE_NNK], begun, z, nn, 3, 1, v);
	is_near(v[1] / v[0], 0.1057733 / 0.7261296, 1e-6, "in proportion");
	is_near(v[2] / v[0], 0.0710248 / 0.7261296, 1e-6, "to theta");
	weigh(&kith_votes[KITH_VOTE_NNK], begun, z, nn, 1, 1e-3, v);
	is_near(v[0], 1, 1e-15, "no underflow");
	kith_pool_free(&pool);
}

/* Row 0 looks the other way: nobody has a cosine above -1. */
static void
test_nobody(void)
{
	double x[] = {-1, 0, -1, 0};
	const double z[] = {1, 0};
	const struct kith_mat X = {2, 2, x};
	const struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	const struct kith_neighbour nn[] = {{0, 4}, {1, 4}};
	struct kith_pool pool = {0};
	void *begun = begin_nnk(KITH_KERN_COSINE, &X, &metric, &pool);
	double v[2];

	weigh(&kith_votes[KITH_VOTE_NNK], begun, z, nn, 2, 1, v);
	ok(v[0] == 1 && v[1] == 1, "all have a vote where nobody has");
	kith_pool_free(&pool);
}

static void
test_kstar(void)
{
	struct kith_neighbour nn[K] = {{0, 0}, {1, 0.25}, {2, 9}};
	struct kith_rng rng;
	double v[K], worst = 0;
	bool sparse = true;

	weigh(&kith_votes[KITH_VOTE_KSTAR], NULL, NULL, nn, 3, 1, v);
	is_near(v[0], 0.5 / 2 + sqrt(2 - 0.25) / 2, 1e-15, "lambda");
	is_near(v[0] - v[1], 0.5, 1e-15, "lambda - beta");
	ok(v[2] == 0, "too far");
	weigh(&kith_votes[KITH_VOTE_KSTAR], NULL, NULL, nn, 3, 1e6, v);
	ok(v[0] == 1 && v[1] == 0, "a large ratio: the nearest alone");
	weigh(&kith_votes[KITH_VOTE_KSTAR], NULL, NULL, nn, 3, 1e-12, v);
	is_near(v[2] / v[0], 1, 1e-11, "a small one: all alike");
	nn[0].d = nn[1].d = nn[2].d = INFINITY;
	weigh(&kith_votes[KITH_VOTE_KSTAR], NULL, NULL, nn, 3, 1, v);
	ok(v[0] == v[2] && v[0] > 0, "all infinitely far: all alike");
	nn[0].d = 1e300;
	weigh(&kith_votes[KITH_VOTE_KSTAR], NULL, NULL, nn, 3, 1e200, v);
	ok(v[0] == 1 && v[1] == 0 && v[2] == 0, "huge distances");
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t seed = 0; seed < 500; seed++) {
		double d = 0, sum = 0;

		for (size_t i = 0; i < K; i++) {
			d += kith_rng_unit(&rng) * 0.2;
			nn[i].d = d * d;
		}
		weigh(&kith_votes[KITH_VOTE_KSTAR], NULL, NULL, nn, K, 1.5, v);
		for (size_t i = 0; i < K; i++) {
			const double beta = 1.5 * sqrt(nn[i].d);
			const double lambda = v[0] + 1.5 * sqrt(nn[0].d);

			sum += v[i] * v[i];
			worst = fmax(worst, fabs(v[i] - fmax(0, lambda - beta)));
			sparse = sparse && (v[i] > 0 || beta >= lambda);
		}
		worst = fmax(worst, fabs(sum - 1));
	}
	ok(worst <= 1e-13 && sparse, "the conditions: %.1e", worst);
}

int
main(void)
{
	test_distances();
	test_far();
	test_nnk();
	test_nobody();
	test_kstar();
	return done();
}
