/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/vote/predict.h, lib/vote/vote.h and lib/kernel/sigma.h: by hand,
 * and against the definitions written out, on grid data where ties are common.
 */
#include "vote/predict.h"
#include "vote/count.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "near/knn.h"
#include "table/table.h"
#include "tap.h"
#include "vote/votes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N ((size_t)40)
#define P ((size_t)3)
#define C ((size_t)3)
#define M ((size_t)15)

static struct kith_err err;
static const struct kith_sigma automatic = {KITH_SIGMA_AUTO, 0};

static const struct kith_vote *const weighing[] = {
    &kith_vote_majority, &kith_vote_distance, &kith_vote_kernel};

static void
weigh(const struct kith_vote *vote, const struct kith_neighbour *nn, size_t k, double sigma,
    double *v)
{
	const struct kith_voters by = {NULL, nn, k, sigma, 0};

	vote->weigh(NULL, &by, v);
}

static void
test_vote(void)
{
	const struct kith_neighbour nn[] = {{3, 0}, {0, 1}, {1, 4}, {2, 4}};
	const size_t y[] = {1, 1, 2, 0};
	const double t[] = {10, 20, 30, 40};
	double v[4], share[3];

	weigh(&kith_vote_majority, nn, 4, 0, v);
	is_size(kith_vote_class(nn, v, 4, y, 3, share), 1, "two of four");
	is_near(share[1], 0.5, 0, "is a half");
	is_size(kith_vote_class(nn, v, 2, y, 3, share), 0, "a tie: nearest");
	is_near(kith_vote_mean(nn, v, 4, t), 25, 0, "the mean");

	weigh(&kith_vote_distance, nn, 4, 0, v);
	is_size(kith_vote_class(nn, v, 4, y, 3, share), 0, "exact matches");
	is_near(share[0], 1, 0, "vote alone");
	weigh(&kith_vote_distance, nn + 1, 3, 0, v);
	is_near(v[1] / v[0], 0.5, 1e-15, "1 over the distance");
	is_near(kith_vote_mean(nn + 1, v, 3, t), 17.5, 1e-15, "weighted");

	weigh(&kith_vote_kernel, nn, 4, 2, v);
	is_near(v[1] / v[0], exp(-0.125), 1e-15, "exp(-d/2s^2)");
	weigh(&kith_vote_kernel, nn + 1, 3, 1e-200, v);
	is_size(kith_vote_class(nn + 1, v, 3, y, 3, share), 1, "no underflow of all");
	is_near(share[1], 1, 0, "the nearest has it all");
}

static void
test_far(void)
{
	const struct kith_neighbour nn[] = {{0, INFINITY}, {1, INFINITY}};
	double v[2];

	for (size_t i = 0; i < 3; i++) {
		weigh(weighing[i], nn, 2, 1, v);
		ok(v[0] == 1 && v[1] == 1, "infinitely far: all alike");
	}
}

static void
test_parse(void)
{
	struct kith_sigma s;

	ok(!kith_sigma_parse("auto", &s) && s.rule == KITH_SIGMA_AUTO, "auto");
	ok(!kith_sigma_parse("local", &s) && s.rule == KITH_SIGMA_LOCAL, "local");
	ok(!kith_sigma_parse("2.5", &s) && s.rule == KITH_SIGMA_FIXED && s.value == 2.5,
	    "a number");
	ok(kith_sigma_parse("0", &s) && kith_sigma_parse("-1", &s) && kith_sigma_parse("", &s) &&
		kith_sigma_parse("Auto", &s),
	    "nothing else");
}

/* Four points on a line: distances to the second neighbour 2, 1, 2, 5. */
static void
test_sigma(void)
{
	double x[] = {0, 1, 2, 6};
	const size_t y[] = {0, 0, 1, 1}, k[] = {2, 9};
	const struct kith_sample known = {{4, 1, x}, y, 2, NULL, NULL};
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	struct kith_pool pool = {0};
	struct kith_predict_how how = {.metric = &metric, .k = k, .nk = 1};
	struct kith_predicted out;

	how.vote = &kith_vote_kernel;
	how.threads = 1;
	ok(!kith_predict(&known, &how, &known.X, &out, &pool, &err), "auto");
	is_near(out.sigma[0], 10.0 / 12, 1e-15, "a third of the mean");
	how.sigma.rule = KITH_SIGMA_MEDIAN;
	ok(!kith_predict(&known, &how, &known.X, &out, &pool, &err), "median");
	is_near(out.sigma[0], 2.0 / 3, 1e-15, "a third of the median");
	ok(!out.flat, "not flat");
	how.nk = 2;
	ok(kith_predict(&known, &how, &known.X, &out, &pool, &err) < 0, "k");
	is_text(err.msg, "9 neighbours wanted, only 4 available", "too large");
	how.nk = 1;
	memset(x, 0, sizeof(x));
	ok(!kith_predict(&known, &how, &known.X, &out, &pool, &err), "flat");
	ok(out.flat && out.sigma[0] == 1, "then it is 1, and said");
	kith_pool_free(&pool);
}

/* The data of one oracle test. */
struct problem {
	double x[N * P], z[M * P], t[N], w[P];
	size_t y[N], k[2];
	struct kith_sample known;
	struct kith_mat Z;
	struct kith_metric metric;
	struct kith_predict_how how;
};

static void
make(struct problem *q, size_t seed)
{
	struct kith_rng r;

	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < sizeof(q->x) / sizeof(*q->x); i++)
		q->x[i] = (double)kith_rng_below(&r, 4);
	for (size_t i = 0; i < sizeof(q->z) / sizeof(*q->z); i++)
		q->z[i] = (double)kith_rng_below(&r, 4);
	for (size_t i = 0; i < N; i++) {
		q->y[i] = kith_rng_below(&r, C);
		q->t[i] = (double)kith_rng_below(&r, 10);
	}
	for (size_t j = 0; j < P; j++)
		q->w[j] = (double)kith_rng_below(&r, 3);
	q->k[0] = 1 + kith_rng_below(&r, N - 1);
	q->k[1] = 1 + kith_rng_below(&r, 5);
	q->known = (struct kith_sample){{N, P, q->x}, q->y, C, q->t, NULL};
	if (seed % 2)
		q->known.y = NULL;
	q->Z = (struct kith_mat){M, P, q->z};
	q->metric = (struct kith_metric){KITH_SQUARED, P, q->w};
	q->how = (struct kith_predict_how){.metric = &q->metric,
	    .k = q->k,
	    .nk = 2,
	    .vote = weighing[seed % 3],
	    .sigma = automatic,
	    .share = true,
	    .threads = 1 + seed % 2};
	if (seed % 5 == 0)
		q->how.sigma = (struct kith_sigma){KITH_SIGMA_FIXED, 1.5};
}

static int
by_distance(const void *a, const void *b)
{
	const struct kith_neighbour *s = a, *t = b;

	if (s->d != t->d)
		return s->d < t->d ? -1 : 1;
	return s->row < t->row ? -1 : s->row > t->row;
}

/* All rows of the reference but skip, sorted by distance to z. */
static void
sort_rows(const struct problem *q, const double *z, size_t skip, struct kith_neighbour nn[N])
{
	size_t n = 0;

	for (size_t i = 0; i < N; i++) {
		if (i == skip)
			continue;
		nn[n] = (struct kith_neighbour){.row = i};
		for (size_t j = 0; j < P; j++)
			nn[n].d += q->w[j] * (z[j] - q->x[i * P + j]) * (z[j] - q->x[i * P + j]);
		n++;
	}
	qsort(nn, n, sizeof(*nn), by_distance);
}

/* Whether the a-th prediction of row i is what the definition says. */
static bool
agrees(const struct problem *q, const struct kith_predicted *out, size_t i, size_t a,
    const double *z, size_t skip)
{
	struct kith_neighbour nn[N];
	double sum[C] = {0}, total = 0, mean = 0;
	const size_t at = i * 2 + a, k = q->k[a];
	bool matches;

	sort_rows(q, z, skip, nn);
	matches = nn[0].d == 0;
	for (size_t b = 0; b < k; b++) {
		double v = 1;

		if (q->how.vote == &kith_vote_distance)
			v = matches ? nn[b].d == 0 : 1 / sqrt(nn[b].d);
		if (q->how.vote == &kith_vote_kernel)
			v = exp((nn[0].d - nn[b].d) / (2 * out->sigma[a] * out->sigma[a]));
		sum[q->y[nn[b].row]] += v;
		mean += v * q->t[nn[b].row];
		total += v;
	}
	if (out->t)
		return fabs(out->t[at] - mean / total) < 1e-12 * (1 + mean);
	for (size_t c = 0; c < C; c++)
		if (fabs(out->share[at * C + c] - sum[c] / total) > 1e-12 ||
		    sum[c] > sum[out->y[at]] * (1 + 1e-12))
			return false;
	return true;
}

static void
test_oracle(size_t seed)
{
	struct kith_pool pool = {0};
	struct problem q;
	struct kith_predicted out, part_by_part;
	size_t part[N], good = 0;

	make(&q, seed);
	for (size_t i = 0; i < N; i++)
		part[i] = i;
	ok(!kith_predict(&q.known, &q.how, &q.Z, &out, &pool, &err), "predict");
	for (size_t i = 0; i < M; i++)
		for (size_t a = 0; a < 2; a++)
			good += agrees(&q, &out, i, a, q.z + i * P, N);
	is_size(good, 2 * M, "as the definition");

	ok(!kith_predict_loo(&q.known, &q.how, &out, &pool, &err), "loo");
	good = 0;
	for (size_t i = 0; i < N; i++)
		for (size_t a = 0; a < 2; a++)
			good += agrees(&q, &out, i, a, q.x + i * P, i);
	ok(good == 2 * N, "as the definition, seed %zu", seed);
	if (q.how.vote == &kith_vote_kernel && q.how.sigma.rule != KITH_SIGMA_FIXED) {
		kith_pool_free(&pool);
		return; /* bandwidths differ from part to part */
	}
	ok(!kith_predict_cv(&q.known, &q.how, part, N, &part_by_part, &pool, &err),
	    "each row a part");
	good = 0;
	for (size_t i = 0; i < 2 * N; i++)
		good += out.y ? out.y[i] == part_by_part.y[i] : out.t[i] == part_by_part.t[i];
	is_size(good, 2 * N, "is leaving one out");
	kith_pool_free(&pool);
}

static void
test_negative(void)
{
	double x[] = {0, 0, 1, 1, 2, -2}, w[] = {1, 2, 2, 1};
	const size_t y[] = {0, 1, 0}, k[] = {1};
	const struct kith_sample known = {{3, 2, x}, y, 2, NULL, NULL};
	const struct kith_metric metric = {KITH_SQUARED_MATRIX, 2, w};
	struct kith_pool pool = {0};
	struct kith_predict_how how = {.metric = &metric, .k = k, .nk = 1};
	struct kith_predicted out;

	how.threads = 1;
	how.vote = &kith_vote_majority;
	ok(!kith_predict_loo(&known, &how, &out, &pool, &err), "majority");
	how.vote = &kith_vote_distance;
	ok(kith_predict_loo(&known, &how, &out, &pool, &err) < 0, "distance");
	is_text(err.msg, "the weights make a distance below 0 (--vote majority?)", "said");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_vote();
	test_far();
	test_parse();
	test_sigma();
	test_negative();
	for (size_t seed = 1; seed <= 120; seed++)
		test_oracle(seed);
	for (size_t seed = 1; seed <= 90; seed++)
		return done();
}
