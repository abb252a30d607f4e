/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/boost.h, lib/immigrate/start.h, lib/table/ensemble.h
 * and lib/immigrate/fit.h: against the steps of the algorithm written out, with
 * predictions by their definition.
 */
#include "immigrate/boost.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "base/rng.h"
#include "immigrate/fit.h"
#include "immigrate/immigrate.h"
#include "immigrate/start.h"
#include "scratch.h"
#include "tap.h"
#include "text/out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N ((size_t)36)
#define P ((size_t)3)
#define T ((size_t)7)

static struct kith_err err;

/* Rows of c classes, which overlap the more the larger the noise is. */
struct problem {
	double x[N * P], weight[N];
	size_t y[N];
	struct kith_mat X;
	struct kith_immigrate_rows rows;
	struct kith_boost_how how;
};

static void
make(struct problem *q, size_t seed, size_t c, double noise)
{
	struct kith_rng r;

	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < N; i++) {
		q->y[i] = i % c;
		q->weight[i] = 1 + (double)kith_rng_below(&r, 3);
		for (size_t j = 0; j < P; j++)
			q->x[i * P + j] = (double)(j == q->y[i]) + noise * kith_rng_unit(&r);
	}
	q->X = (struct kith_mat){N, P, q->x};
	q->rows = (struct kith_immigrate_rows){&q->X, q->y, c, NULL};
	q->how = (struct kith_boost_how){.inner = {.max_iter = 4, .tol = 1e-6, .threads = 2},
	    .learners = T,
	    .most = 4,
	    .least = 0.25,
	    .seed = seed};
}

static bool
equal(const double *a, const double *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* What row i is, from the others, by (3.11) and (3.12). */
static size_t
predict(const struct problem *q, const double *W, double sigma, size_t i)
{
	const size_t c = q->rows.c;
	double least = INFINITY;
	size_t best = 0;

	for (size_t h = 0; h < c; h++) {
		double sum = 0, total = 0;

		for (size_t n = 0; n < N; n++) {
			double d = 0;

			if (n == i || q->y[n] != h)
				continue;
			for (size_t j = 0; j < P * P; j++)
				d += W[j] * fabs(q->x[i * P + j / P] - q->x[n * P + j / P]) *
				    fabs(q->x[i * P + j % P] - q->x[n * P + j % P]);
			sum += exp(-d / sigma) * d;
			total += exp(-d / sigma);
		}
		if (sum / total < least) {
			least = sum / total;
			best = h;
		}
	}
	return best;
}

/* The algorithm, step by step: compare each learner that is kept. */
static void
test_steps(const struct problem *q, const double *weight, const char *name)
{
	struct problem p = *q;
	struct kith_pool pool = {0};
	struct kith_ensemble got;
	struct kith_boost_count count;
	const double K = (double)q->rows.c;
	double D[N], sum = 0;
	size_t kept = 0;
	bool same = true;

	p.rows.X = &q->X;
	p.rows.weight = weight;
	ok(!kith_boost(&p.rows, &p.how, &got, &count, &pool, &err), "%s", name);
	for (size_t i = 0; i < N; i++)
		sum += weight ? weight[i] : 1;
	for (size_t i = 0; i < N; i++)
		D[i] = (weight ? weight[i] : 1) / sum;
	for (size_t t = 0; t < T; t++) {
		const double sigma = 4 * pow(0.25 / 4, (double)t / T);
		struct kith_immigrate_rows rows = {&q->X, q->y, q->rows.c, D};
		struct kith_immigrate_how how = p.how.inner;
		struct kith_immigrate_fit fit;
		const struct kith_learner *l = &got.learner[kept];
		double W[P * P], e = 0, alpha;
		bool wrong[N];

		kith_immigrate_start_random(p.how.seed, t, P, W);
		how.sigma = sigma;
		kith_immigrate(&rows, &how, W, &fit);
		for (size_t i = 0; i < N; i++) {
			wrong[i] = predict(q, W, sigma, i) != q->y[i];
			e += wrong[i] ? D[i] : 0;
		}
		if (e == 0 || e >= 1 - 1 / K)
			continue;
		alpha = (log((1 - e) / e) + log(K - 1)) / 2;
		same &= kept < got.n && l->number == t + 1;
		if (!same)
			break;
		same &= fabs(l->sigma / sigma - 1) < 1e-14 && fabs(l->alpha - alpha) < 1e-9;
		for (size_t j = 0; j < P * P; j++)
			same &= fabs(l->metric.w[j] - W[j]) < 1e-9;
		sum = 0;
		for (size_t i = 0; i < N; i++)
			sum += D[i] *= wrong[i] ? exp(alpha) : 1;
		for (size_t i = 0; i < N; i++)
			D[i] /= sum;
		kept++;
	}
	/* Where none was kept, the first without error is. */
	ok(same && got.n == count.kept &&
		(kept > 0 ? got.n == kept : got.n == 1 && count.perfect > 0),
	    "%zu learners, step by step", kept);
	is_size(T - count.perfect - count.useless, kept, "the others dropped");
	kith_pool_free(&pool);
}

/* Far apart, all learners are perfect: the first is kept. */
static void
test_perfect(void)
{
	struct problem q;
	struct kith_pool pool = {0};
	struct kith_ensemble got;
	struct kith_boost_count count;

	make(&q, 1, 2, 0.01);
	ok(!kith_boost(&q.rows, &q.how, &got, &count, &pool, &err), "perfect");
	is_size(got.n, 1, "one is kept");
	is_size(count.perfect, T, "of those without error");
	is_size(got.learner[0].number, 1, "that of the largest sigma");
	is_near(got.learner[0].sigma, 4, 0, "which is the first");
	is_near(got.learner[0].alpha, log(2 * N - 1) / 2, 1e-15, "its votes");
	kith_pool_free(&pool);
}

/* Each row's likeness is of the other class: no learner is of use. */
static void
test_useless(void)
{
	double x[] = {0, 0, 5, 5, 10, 10};
	const size_t y[] = {0, 1, 0, 1, 0, 1};
	const struct kith_mat X = {6, 1, x};
	const struct kith_immigrate_rows rows = {&X, y, 2, NULL};
	const struct kith_boost_how how = {
	    .inner = {.max_iter = 3, .threads = 1}, .learners = 3, .most = 1, .least = 1};
	struct kith_pool pool = {0};
	struct kith_ensemble got;
	struct kith_boost_count count;

	ok(kith_boost(&rows, &how, &got, &count, &pool, &err) < 0 && err.status == EX_DATAERR,
	    "no learner is of use");
	is_text(err.msg, "no learner is better than chance (other --sigma-range, --inner?)",
	    "and that is said");
	is_size(count.useless, 3, "they are counted");
	kith_pool_free(&pool);
}

/* Random starts are symmetric and of norm 1; vectors of sum 1. */
static void
test_starts(void)
{
	double W[16], V[16], w[4], sum = 0;
	const double first[] = {1e-200, -3e-200, 0, 2e-200};
	bool symmetric = true;

	kith_immigrate_start_random(5, 2, 4, W);
	kith_immigrate_start_random(5, 3, 4, V);
	for (size_t i = 0; i < 16; i++) {
		sum += W[i] * W[i];
		symmetric &= W[i] == W[i % 4 * 4 + i / 4] && W[i] >= 0;
	}
	ok(symmetric, "symmetric, not negative");
	is_near(sum, 1, 1e-15, "of norm 1");
	ok(!equal(W, V, 16), "another one for another index");
	kith_immigrate_start_draw(5, 4, w);
	is_near(w[0] + w[1] + w[2] + w[3], 1, 1e-15, "a vector of sum 1");
	kith_immigrate_start_identity(4, W);
	ok(W[0] == 0.5 && W[1] == 0 && W[15] == 0.5, "the identity");
	memcpy(w, first, sizeof(w));
	ok(!kith_immigrate_start_norm(4, true, w), "tiny ones are normalised");
	is_near(w[1], -3 / sqrt(14), 1e-15, "without underflow");
	memset(w, 0, sizeof(w));
	ok(kith_immigrate_start_norm(4, true, w) && kith_immigrate_start_norm(4, false, w),
	    "zeros are not");
}

/* What is written is read as it was, on the features that count. */
static void
test_table(void)
{
	static char name[3][2] = {"a", "b", "c"};
	char *feature[] = {name[0], name[1], name[2]};
	const char *path = scratch_text(0, "");
	struct kith_names names = {0};
	struct kith_pool pool = {0};
	struct problem q;
	struct kith_ensemble made, got;
	struct kith_boost_count count;
	struct kith_out out;
	bool same;

	kith_names_index(&names, feature, 3, &pool);
	make(&q, 3, 3, 2.5);
	ok(!kith_boost(&q.rows, &q.how, &made, &count, &pool, &err), "made");
	ok(!kith_ensemble_write(&made, &names, &(struct kith_dest){.path = path}, &out, &err) &&
		!kith_out_close_alone(&out, NULL, &err),
	    "written");
	ok(!kith_ensemble_read(path, &names, &got, &pool, &err), "read");
	same = got.boosted && got.n == made.n && got.p == 3;
	for (size_t h = 0; same && h < got.n; h++)
		same = got.learner[h].alpha == made.learner[h].alpha &&
		    got.learner[h].sigma == made.learner[h].sigma &&
		    equal(got.learner[h].metric.w, made.learner[h].metric.w, 9);
	ok(same, "the same");
	path = scratch_text(1, "feature\tweight\nb\t2\n");
	ok(!kith_ensemble_read(path, &names, &got, &pool, &err), "a vector");
	ok(!got.boosted && got.n == 1 && got.learner[0].metric.w[1] == 2 && !got.column,
	    "is one learner");
	path = scratch_text(2,
	    "learner,alpha,sigma,feature1,feature2,weight_abs\n"
	    "x,1,1,c,c,1\ny,2,3,a,c,-4\n");
	ok(!kith_ensemble_read(path, &names, &got, &pool, &err), "two");
	ok(got.n == 2 && got.p == 2 && got.column[0] == 0 && got.column[1] == 2,
	    "on the features of either");
	ok(got.learner[0].metric.w[3] == 1 && got.learner[0].metric.w[1] == 0 &&
		got.learner[1].metric.w[1] == -4 && got.learner[1].metric.w[3] == 0,
	    "what one does not name is 0");
	kith_pool_free(&pool);
}

/* Selected features: the same as boosting on these columns alone. */
static void
test_selected(void)
{
	struct problem q;
	struct kith_pool pool = {0};
	struct kith_immigrate_fit_how fit = {
	    .method = KITH_IMMIGRATE_FIT_SELECTED, .weights_above = true, .most = 2};
	struct kith_ensemble got, due;
	struct kith_boost_count count;
	struct kith_immigrate_fit select;
	struct kith_mat X;
	bool same;

	make(&q, 4, 2, 1.5);
	fit.how = q.how.inner;
	fit.how.sigma = 1;
	ok(!kith_immigrate_fit_boost(&q.rows, &fit, &q.how, &got, &count, &select, &pool, &err),
	    "boosting on selected features");
	is_size(got.p, 2, "of which there are two");
	X = kith_mat_take(&q.X, got.column, 2, &pool);
	q.rows.X = &X;
	ok(!kith_boost(&q.rows, &q.how, &due, &count, &pool, &err), "on these");
	same = got.n == due.n;
	for (size_t h = 0; same && h < got.n; h++)
		same = got.learner[h].alpha == due.learner[h].alpha &&
		    equal(got.learner[h].metric.w, due.learner[h].metric.w, 4);
	ok(same, "is the same");
	kith_pool_free(&pool);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const size_t seeds = more && *more ? 100 : 6;
	struct problem q;

	for (size_t s = 0; s < seeds; s++) {
		make(&q, s, 2, 1.7);
		test_steps(&q, NULL, "two classes");
		test_steps(&q, q.weight, "with weights");
		make(&q, s, 3, 2.5);
		test_steps(&q, NULL, "three classes");
	}
	test_perfect();
	test_useless();
	test_starts();
	test_table();
	test_selected();
	return done();
}
