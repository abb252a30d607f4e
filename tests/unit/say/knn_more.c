/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/say/knn_run.h: rows that are scaled, votes of all rows, and kernels.
 */
#include "say/knn_run.h"

#include "knn_plain.h"
#include "table/trial.h"
#include "table/unit.h"

static struct kith_err error;
/* Scaling divides the features by their ranges, as weights may. */
static void
test_scale(void)
{
	struct kith_knn_run r = run_of(false);
	double due[M * 2], held[P], V[N * P], U[M * P];

	memcpy(held, w, sizeof(w));
	memcpy(V, X, sizeof(X));
	memcpy(U, Z, sizeof(Z));
	for (size_t j = 0; j < P; j++) {
		double low = INFINITY, high = -INFINITY;

		for (size_t i = 0; i < N; i++) {
			low = fmin(low, X[i * P + j]);
			high = fmax(high, X[i * P + j]);
		}
		w[j] /= (high - low) * (high - low);
	}
	for (size_t i = 0; i < M; i++) {
		const struct one one = one_of(Z + i * P);

		due[2 * i] = (double)(i + 1);
		due[2 * i + 1] = plain(&one, 3, INFINITY, false);
	}
	memcpy(w, held, sizeof(w));
	r.k = (struct kith_sizes){1, &ks[1]};
	r.scale = KITH_UNIT_MINMAX;
	prints_cells(run(&r), "id\tpredicted\n", due, (size_t)M * 2, "scaled rows");
	memcpy(X, V, sizeof(X));
	memcpy(Z, U, sizeof(Z));
	kith_pool_free(&r.pool);
}

/* Rows left out one by one are scaled by the others. */
static void
test_scaled_parts(void)
{
	struct kith_knn_run r = run_of(false), s;
	size_t number[N];
	double held[N * P];
	char text[PRINTED];

	memcpy(held, X, sizeof(X));
	r.train = false;
	r.loo = true;
	r.scale = KITH_UNIT_ZSCORE;
	r.print = KITH_KNN_ERRORS;
	s = r;
	s.loo = false;
	s.parts = N;
	for (size_t i = 0; i < N; i++)
		number[i] = i + 1;
	s.known.number = number;
	snprintf(text, sizeof(text), "%s", run(&r));
	is_text(run(&s), text, "scaled, and left out one by one, or in parts");
	memcpy(X, held, sizeof(X));
	kith_pool_free(&r.pool);
	kith_pool_free(&s.pool);
}

/* With bandwidths so small a learner says what the nearest row does; the second
 * of two has more votes. */
static void
test_expected(bool boosted)
{
	double v[P], due[M * 2], loss[M], trial[5];
	struct kith_learner two[] = {
	    {1, 1, 1e-4, {KITH_SQUARED, P, w}}, {2, 3, 1e-4, {KITH_SQUARED, P, v}}};
	struct kith_knn_run r = run_of(false);

	for (size_t j = 0; j < P; j++)
		v[j] = j % 2 == 0 ? w[j] : 0;
	for (size_t i = 0; i < M; i++) {
		struct one one = one_of(Z + i * P);

		if (boosted)
			memcpy(one.w, v, sizeof(v));
		due[2 * i] = (double)(i + 1);
		due[2 * i + 1] = plain(&one, 1, INFINITY, false);
		loss[i] = own[i] == KITH_NO_CLASS ? NAN : (size_t)due[2 * i + 1] != own[i] ? 1 : 0;
	}
	if (boosted)
		r.ensemble = (struct kith_ensemble){
		    .boosted = true, .learner = two, .n = 2, .p = P};
	r.how.vote = &kith_vote_expected;
	r.how.sigma = (struct kith_sigma){KITH_SIGMA_FIXED, 1e-4};
	prints_cells(run(&r), "id\tpredicted\n", due, (size_t)M * 2,
	    boosted ? "two learners" : "expected distances");
	kith_pool_free(&r.pool);
	trial[0] = boosted ? NAN : 1e-4;
	r.asked.y = own;
	r.print = KITH_KNN_ERRORS;
	prints_cells(run(&r), "sigma\tn\terrors\terror\tse\n", trial,
	    1 + trial_of(loss, NULL, M, false, trial + 1), "and their errors");
	kith_pool_free(&r.pool);
}

/* A metric without a kernel, and rows without a direction. */
static void
test_kernel(void)
{
	struct kith_knn_run r = run_of(false);
	double held[N * P], U[M * P];
	struct kith_out out;

	memcpy(held, X, sizeof(X));
	memcpy(U, Z, sizeof(Z));
	r.how.vote = &kith_vote_nnk;
	r.how.sigma = (struct kith_sigma){KITH_SIGMA_FIXED, 1};
	r.weights.metric.kind = KITH_ABSOLUTE;
	r.weights_file = "weights";
	ok(kith_knn_run(&r, &out, &error) && strcmp(error.file, "weights") == 0,
	    "no kernel: the weights are to blame");
	kith_pool_free(&r.pool);
	r.weights.metric.kind = KITH_SQUARED;
	r.how.kernel = KITH_KERN_COSINE;
	memset(Z + (size_t)2 * P, 0, P * sizeof(*Z));
	ok(kith_knn_run(&r, &out, &error) && strcmp(error.file, "asked") == 0,
	    "a row of zeros has no angle");
	kith_pool_free(&r.pool);
	memset(X, 0, P * sizeof(*X));
	ok(kith_knn_run(&r, &out, &error) && strcmp(error.file, "known") == 0,
	    "nor has one of the reference");
	memcpy(X, held, sizeof(X));
	memcpy(Z, U, sizeof(Z));
	kith_pool_free(&r.pool);
}

int
main(void)
{
	for (unsigned seed = 1; seed <= 4; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		draw();
		test_scale();
		test_scaled_parts();
		test_expected(false);
		test_expected(true);
		said();
	}
	test_kernel();
	return done();
}
