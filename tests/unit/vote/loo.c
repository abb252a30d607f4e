/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_predict_cv() (lib/vote/predict.h) where each row is a part of its own and is
 * scaled by the others: against a scaled copy of the other rows for each row.
 */
#include "vote/predict.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "base/rng.h"
#include "table/table.h"
#include "table/unit.h"
#include "tap.h"
#include "vote/how.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 90, P = 5, C = 3 };

static struct kith_err err;
static char name[] = "x", *names[P] = {name, name, name, name, name};
static const struct kith_names feature = {.name = names, .n = P};
static const struct kith_origin from = {.file = "t", .feature = &feature};

/* Sets column j of X by kind; no two rows are tied but for equal cells. */
static void
fill_column(struct kith_mat *X, size_t j, size_t kind, struct kith_rng *rng)
{
	const size_t at = kith_rng_below(rng, X->n);

	for (size_t i = 0; i < X->n; i++) {
		const double u = kith_rng_unit(rng);

		kith_row(X, i)[j] = kind == 0 ? u
		    : kind == 1               ? (double)(u < .3)
		    : kind == 2               ? 7
		    : kind == 3               ? 5 + (i == at)
		    : kind == 4               ? (i == at ? 1e12 : u)
		    : kind == 5               ? u * 1e-140
		    : kind == 6               ? u * 1e140
					      : 1 / (u * u + 1e-6);
	}
}

/* A problem of n rows: half are copies where seed % 3 == 0, of two rows where seed % 6 == 0. */
struct problem {
	struct kith_sample known;
	struct kith_predict_how how;
	struct kith_metric metric;
	size_t y[MOST];
	double x[MOST * P], w[P * P];
};

static void
make_problem(struct problem *q, size_t seed)
{
	static const struct kith_vote *const vote[] = {&kith_votes[KITH_VOTE_MAJORITY],
	    &kith_votes[KITH_VOTE_DISTANCE], &kith_votes[KITH_VOTE_KERNEL],
	    &kith_votes[KITH_VOTE_KSTAR]};
	static const size_t k[2] = {1, 4};
	struct kith_rng rng;
	const size_t n = seed % 4 == 0 ? 5 + seed % 7 : MOST;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	q->known = (struct kith_sample){{n, P, q->x}, q->y, C, NULL, &from};
	for (size_t j = 0; j < P; j++)
		fill_column(&q->known.X, j, j == 0 ? 0 : kith_rng_below(&rng, 8), &rng);
	for (size_t i = 0; i < n; i++) {
		const size_t of = kith_rng_below(&rng, seed % 6 == 0 ? 2 : n);

		if (seed % 3 == 0 && kith_rng_unit(&rng) < .5)
			memmove(kith_row(&q->known.X, i), kith_row(&q->known.X, of),
			    P * sizeof(double));
		q->y[i] = kith_rng_below(&rng, C);
	}
	q->metric = (struct kith_metric){seed % 2 ? KITH_SQUARED : KITH_ABSOLUTE, P, NULL};
	if (seed % 5 == 1) { /* a matrix */
		q->metric = (struct kith_metric){KITH_SQUARED_MATRIX, P, q->w};
		for (size_t j = 0; j < (size_t)P * P; j++)
			q->w[j] = j % (P + 1) == 0;
	} else if (seed % 5 == 2) {
		q->metric.w = q->w;
		for (size_t j = 0; j < P; j++)
			q->w[j] = (double)((j + 1) % 3);
	}
	q->how = how_of(vote[seed % 4], k);
	q->how.nk = 2;
	q->how.metric = &q->metric;
	q->how.sigma = (struct kith_sigma){KITH_SIGMA_FIXED, 1.5};
	if (seed % 7 < 5)
		q->how.sigma.rule = seed % 8 < 4 ? KITH_SIGMA_AUTO : KITH_SIGMA_MEDIAN;
	q->how.threads = 1 + seed % 2;
	q->how.scale = seed % 3 == 1 ? KITH_UNIT_MINMAX : KITH_UNIT_ZSCORE;
}

/* Whether row i is predicted as by a scaled copy of the others; a failure is that of a copy. */
static bool
is_as_copy(const struct problem *q, size_t i, const struct kith_predicted *out, bool *failed,
    struct kith_pool *pool)
{
	const size_t n = q->known.X.n;
	struct kith_sample others = q->known;
	struct kith_origin origin = from;
	struct kith_predicted got;
	struct kith_mat Z;
	struct kith_unit unit;
	size_t row[MOST], y[MOST], m = 0;

	for (size_t r = 0; r < n; r++)
		if (r != i) {
			y[m] = q->y[r];
			row[m++] = r;
		}
	others.X = kith_mat_rows(&q->known.X, row, m, pool);
	others.y = y;
	Z = kith_mat_rows(&q->known.X, &i, 1, pool);
	*failed = kith_unit_scale(
		      q->how.scale, &others.X, &origin, &Z, &origin, &unit, pool, &err) != 0;
	if (*failed)
		return true;
	predict(&others, &q->how, &Z, &got, pool, &err);
	for (size_t a = 0; a < 2; a++)
		if (out->y[2 * i + a] != got.y[a] ||
		    (i == n - 1 && !(fabs(out->sigma[a] / got.sigma[a] - 1) < 1e-9) &&
			got.sigma[a] > 0))
			return false; /* out has the bandwidth of the last row */
	for (size_t h = 0; h < (size_t)2 * C; h++)
		if (!(fabs(out->share[2 * i * C + h] - got.share[h]) < 1e-9))
			return false;
	return true;
}

static void
test_oracle(size_t seed)
{
	struct kith_pool pool = {0};
	struct problem q;
	struct kith_predicted out;
	size_t wrong = 0, failures = 0;
	int status;

	make_problem(&q, seed);
	status = predict_cv(&q.known, &q.how, NULL, q.known.X.n, &out, &pool, &err);
	for (size_t i = 0; i < q.known.X.n; i++) {
		bool failed;

		wrong += status == 0 && !is_as_copy(&q, i, &out, &failed, &pool);
		if (status != 0)
			is_as_copy(&q, i, &out, &failed, &pool);
		failures += failed;
	}
	ok(wrong == 0 && (status != 0) == (failures > 0),
	    "seed %zu: %zu rows differ, %zu of %zu fail, status %d", seed, wrong, failures,
	    q.known.X.n, status);
	kith_pool_free(&pool);
}

/*
 * The message is that of the first row that fails, whatever the number of threads; where none may
 * fail, the rows are searched together.
 */
static void
test_failure(size_t threads)
{
	enum { N = MOST };
	static const size_t one[] = {1};
	double x[N];
	size_t y[N] = {0};
	const struct kith_names single = {.name = names, .n = 1};
	const struct kith_origin origin = {.file = "t", .feature = &single};
	const struct kith_sample known = {{N, 1, x}, y, 1, NULL, &origin};
	struct kith_predict_how how = how_of(&kith_votes[KITH_VOTE_MAJORITY], one);
	struct kith_pool pool = {0};
	struct kith_predicted out, unscaled;

	for (size_t i = 0; i < N; i++)
		x[i] = (double)i * 1e-200;
	x[40] = 1;
	how.scale = KITH_UNIT_MINMAX;
	how.threads = threads;
	ok(predict_cv(&known, &how, NULL, N, &out, &pool, &err) < 0, "one row is beyond all");
	is_text(err.msg,
	    "column \"x\": 1.1236e+198, scaled, is beyond 1e150, where squares "
	    "overflow",
	    "as the others scale it");
	x[50] = 1;
	ok(predict_cv(&known, &how, NULL, N, &out, &pool, &err) == 0, "two rows are a range");
	how.scale = KITH_UNIT_NONE;
	predict_cv(&known, &how, NULL, N, &unscaled, &pool, &err);
	is_text(out.search.search, unscaled.search.search, "one search for all rows");
	kith_pool_free(&pool);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const size_t seeds = more && *more ? 2000 : 60;

	for (size_t seed = 0; seed < seeds; seed++)
		test_oracle(seed);
	test_failure(1);
	test_failure(3);
	return done();
}
