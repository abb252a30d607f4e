/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/vote/predict.h: against the definitions written out, on grid data where ties are
 * common; a row alone, votes of all rows, parts without rows, scales and progress of --cv.
 */
#include "vote/predict.h"

#include "ask.h"
#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "child.h"
#include "near/knn.h"
#include "table/unit.h"
#include "tap.h"
#include "vote/how.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N ((size_t)40)
#define P ((size_t)3)
#define C ((size_t)3)
#define M ((size_t)15)

static struct kith_err err;
static const struct kith_sigma automatic = {KITH_SIGMA_AUTO, 0};

static const struct kith_vote *const weighing[] = {&kith_votes[KITH_VOTE_MAJORITY],
    &kith_votes[KITH_VOTE_DISTANCE], &kith_votes[KITH_VOTE_KERNEL]};

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

		if (q->how.vote == &kith_votes[KITH_VOTE_DISTANCE])
			v = matches ? nn[b].d == 0 : 1 / sqrt(nn[b].d);
		if (q->how.vote == &kith_votes[KITH_VOTE_KERNEL])
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
	ok(!predict(&q.known, &q.how, &q.Z, &out, &pool, &err), "predict");
	for (size_t i = 0; i < M; i++)
		for (size_t a = 0; a < 2; a++)
			good += agrees(&q, &out, i, a, q.z + i * P, N);
	is_size(good, 2 * M, "as the definition");

	ok(!predict(&q.known, &q.how, NULL, &out, &pool, &err), "loo");
	good = 0;
	for (size_t i = 0; i < N; i++)
		for (size_t a = 0; a < 2; a++)
			good += agrees(&q, &out, i, a, q.x + i * P, i);
	ok(good == 2 * N, "as the definition, seed %zu", seed);
	if (q.how.vote == &kith_votes[KITH_VOTE_KERNEL] && q.how.sigma.rule != KITH_SIGMA_FIXED) {
		kith_pool_free(&pool);
		return; /* bandwidths differ from part to part */
	}
	ok(!predict_cv(&q.known, &q.how, part, N, &part_by_part, &pool, &err), "each row a part");
	good = 0;
	for (size_t i = 0; i < 2 * N; i++)
		good += out.y ? out.y[i] == part_by_part.y[i] : out.t[i] == part_by_part.t[i];
	is_size(good, 2 * N, "is leaving one out");
	kith_pool_free(&pool);
}

/* Rows of one feature. */
static double line[] = {0, 1, 3, 7, 15};
static const size_t line_class[] = {1, 0, 1, 1, 0};
static const double line_t[] = {10, 20, 30, 40, 50};
static const struct kith_sample classes = {{5, 1, line}, line_class, 2, NULL, NULL};
static const size_t one[] = {1}, two[] = {2};

/* There must be as many others as are wanted. */
static void
test_too_few(void)
{
	const struct kith_sample known = {{2, 1, line}, line_class, 2, NULL, NULL};
	struct kith_predict_how how = how_of(&kith_votes[KITH_VOTE_MAJORITY], two);
	struct kith_pool pool = {0};
	struct kith_predicted out;

	ok(!predict(&known, &how, &known.X, &out, &pool, &err) && out.y[0] == 1 &&
		out.share[0] == .5,
	    "two of two");
	ok(predict(&known, &how, NULL, &out, &pool, &err) < 0 && err.status == EX_DATAERR,
	    "two of one other");
	is_text(err.msg, "2 neighbours wanted, only 1 available", "too many");
	how.k = one;
	ok(!predict(&known, &how, NULL, &out, &pool, &err) && out.y[0] == 0 && out.y[1] == 1,
	    "one of one other");
	kith_pool_free(&pool);
}

static const struct kith_sample *asked_of;
static const struct kith_mat *asked;
static size_t times;

static void
tell(const struct kith_sample *known, const struct kith_predict_how *how, const struct kith_mat *Z,
    const size_t *to, struct kith_predicted *out)
{
	const size_t m = Z ? Z->n : known->X.n;

	(void)how;
	asked_of = known;
	asked = Z;
	times++;
	for (size_t i = 0; i < m; i++)
		out->y[to ? to[i] : i] = known->X.n;
}

/* Votes of all rows ask no neighbours; they need another row. */
static void
test_of_all(void)
{
	static const struct kith_vote vote = {.of_all = tell};
	static const size_t part[4] = {3, 0, 0, 3};
	const struct kith_sample single = {{1, 1, line}, line_class, 2, NULL, NULL};
	const struct kith_sample known = {{4, 1, line}, line_class, 2, NULL, NULL};
	struct kith_predict_how how = how_of(&vote, one);
	struct kith_pool pool = {0};
	struct kith_predicted out;

	ok(predict(&single, &how, NULL, &out, &pool, &err) < 0 && err.status == EX_DATAERR &&
		!asked_of,
	    "a row alone");
	is_text(err.msg, "no other row to learn from", "is told");
	ok(!predict(&single, &how, &known.X, &out, &pool, &err) && asked == &known.X &&
		asked_of == &single && out.y[3] == 1,
	    "rows of a query");
	ok(!predict(&known, &how, NULL, &out, &pool, &err) && !asked && out.y[0] == 4, "each row");
	times = 0;
	ok(!predict_cv(&known, &how, part, 5, &out, &pool, &err) && times == 2,
	    "parts, some without rows, which ask nothing");
	ok(out.y[0] == 2 && out.y[1] == 2 && out.y[2] == 2 && out.y[3] == 2,
	    "each row from two others");
	ok(out.sigma[0] == 0 && !out.search.search && !out.flat, "no search");
	kith_pool_free(&pool);
}

/* Units of the other rows, and a part that leaves none of these. */
static void
test_scale(void)
{
	static const int method[] = {KITH_UNIT_NONE, KITH_UNIT_MINMAX};
	static const size_t part[4] = {1, 0, 1, 1}, same[4] = {1, 1, 1, 1};
	double z[] = {0, 0, 5, 100, 4, 10, 8, 100};
	static char a[] = "a", b[] = "b", *column[] = {a, b};
	const struct kith_names name = {.name = column, .n = 2};
	const struct kith_origin from = {.feature = &name};
	const struct kith_sample known = {{4, 2, z}, NULL, 0, line_t, &from};
	const struct kith_metric plain = {KITH_SQUARED, 2, NULL};
	struct kith_predict_how how = how_of(&kith_votes[KITH_VOTE_MAJORITY], (size_t[]){1});
	struct kith_pool pool = {0};
	struct kith_predicted out;

	how.metric = &plain;
	how.scale = KITH_UNIT_MINMAX;
	ok(!predict_cv(&known, &how, part, 1, &out, &pool, &err), "cv");
	ok(out.t[1] == 40, "in the units of the others");
	ok(out.t[0] == 0, "parts that are not asked for");
	for (size_t i = 0; i < 2; i++) {
		how.scale = method[i];
		ok(predict_cv(&known, &how, same, 2, &out, &pool, &err) < 0 &&
			err.status == EX_DATAERR,
		    "one part");
		is_text(err.msg, "a part has all rows", "leaves none");
	}
	kith_pool_free(&pool);
}

static void
weigh_and_tell(void *begun, const struct kith_voters *by, double *v)
{
	(void)begun;
	ask();
	for (size_t i = 0; i < by->k; i++)
		v[i] = 1;
}

/* What --cv says of its progress while the first and last rows are voted on. */
static void
vote_in_parts(void *to)
{
	static const struct kith_vote telling = {.weigh = weigh_and_tell};
	static const size_t part[5] = {0, 1, 2, 1, 1};
	const struct kith_predict_how how = how_of(&telling, two);
	struct kith_pool pool = {0};
	struct kith_predicted out;

	(void)to;
	kith_progress_begin("t");
	predict_cv(&classes, &how, part, 3, &out, &pool, &err);
	ask();
}

static void
test_progress(void)
{
	int status;
	const char *text = child_said(vote_in_parts, NULL, &status), *last;

	ok(strncmp(text, "t: cross-validation, 0 of 3 parts; votes, 0 of 1 rows", 53) == 0,
	    "the first part");
	ok(strstr(text, "t: cross-validation, 1 of 3 parts; votes, 0 of 3 rows"), "the second");
	last = strstr(text, "t: cross-validation, 2 of 3 parts; votes, 0 of 1 rows");
	ok(last, "the last");
	ok(last && !strstr(strchr(last, '\n'), "parts"), "and no more");
}

int
main(void)
{
	test_too_few();
	test_of_all();
	test_scale();
	test_progress();
	for (size_t seed = 1; seed <= 120; seed++)
		test_oracle(seed);
	return done();
}
