/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the vote expected (lib/vote/predict.h): against values of lib/immigrate/expect.h. */
#include "immigrate/expect.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "immigrate/expected.h"
#include "la/vec.h"
#include "table/weights.h"
#include "tap.h"
#include "vote/how.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Learners vote; each alone says what its own shares say. */
static void
test_learners(size_t seed)
{
	struct problem q;
	struct kith_pool pool = {0};
	struct kith_learner l[3];
	struct kith_sample known;
	struct kith_predict_how how = {.vote = &kith_votes[KITH_VOTE_EXPECTED], .nk = 1};
	struct kith_predicted all, one;
	struct kith_err err;
	const size_t learners = seed % 3 ? 3 : 2;
	double votes[M * C] = {0}, sum = 0;
	bool same = true;

	make(&q, seed);
	known = (struct kith_sample){.X = q.X, .y = q.y, .c = C};
	for (size_t h = 0; h < learners; h++) {
		l[h] = (struct kith_learner){.number = h + 1,
		    .alpha = h < 2 ? 1 : 2,
		    .sigma = q.sigma * (double)(1 + 5 * h),
		    .metric = q.metric};
		sum += l[h].alpha;
		how.learner = &l[h];
		how.learners = 1;
		how.threads = 2;
		how.metric = &q.metric;
		same &= !predict(&known, &how, &q.Z, &one, &pool, &err);
		for (size_t i = 0; i < M; i++) {
			votes[i * C + one.y[i]] += l[h].alpha;
			for (size_t c = 0; c < C; c++)
				same &= one.share[i * C + c] <= one.share[i * C + one.y[i]];
		}
	}
	ok(same, "the class of the largest share");
	how.learner = l;
	how.learners = learners;
	same = !predict(&known, &how, &q.Z, &all, &pool, &err);
	for (size_t i = 0; i < M; i++)
		for (size_t c = 0; c < C; c++) {
			const double *v = votes + i * C;

			same &= fabs(all.share[i * C + c] - v[c] / sum) < 1e-15;
			same &= v[c] < v[all.y[i]] + (double)(c >= all.y[i]) / 1e9;
		}
	ok(same, "the sum of their votes");
	kith_pool_free(&pool);
}

/* One learner on each row from all others: its values, by parts or at once. */
static void
test_parts(size_t seed)
{
	struct problem q;
	struct kith_pool pool = {0};
	struct kith_learner l;
	struct kith_sample known;
	struct kith_predict_how how = {
	    .vote = &kith_votes[KITH_VOTE_EXPECTED], .nk = 1, .threads = 2};
	struct kith_predicted out, parts;
	struct kith_err err;
	double V[N * C], t[N], share[C];
	size_t self[N];
	bool classes = true, numbers = true;

	make(&q, seed);
	for (size_t i = 0; i < N; i++)
		self[i] = i;
	l = (struct kith_learner){.number = 1, .alpha = 1, .sigma = q.sigma, .metric = q.metric};
	how.learner = &l;
	how.learners = 1;
	how.metric = &q.metric;
	known = (struct kith_sample){.X = q.X, .y = q.y, .c = C, .t = q.t};
	kith_expect_distances(
	    &(struct kith_expect){&q.X, q.y, C, &q.metric, q.sigma}, &q.X, self, 1, V);
	kith_expect_means(
	    &(struct kith_expect){&q.X, NULL, 1, &q.metric, q.sigma}, q.t, &q.X, self, 1, t);
	ok(!predict(&known, &how, NULL, &out, &pool, &err) &&
		!predict_cv(&known, &how, self, N, &parts, &pool, &err),
	    "classes");
	for (size_t i = 0; i < N; i++) {
		kith_expect_shares(V + i * C, C, share);
		classes &= out.y[i] == kith_vec_argmin(C, V + i * C) && parts.y[i] == out.y[i];
		for (size_t h = 0; h < C; h++)
			classes &= fabs(out.share[i * C + h] - share[h]) < 1e-15 &&
			    fabs(parts.share[i * C + h] - share[h]) < 1e-12;
	}
	ok(classes, "the class of the smallest value, and its shares");
	known.y = NULL;
	ok(!predict(&known, &how, NULL, &out, &pool, &err) &&
		!predict_cv(&known, &how, self, N, &parts, &pool, &err),
	    "numbers");
	for (size_t i = 0; i < N; i++)
		numbers &= out.t[i] == t[i] && fabs(parts.t[i] - t[i]) < 1e-12;
	ok(numbers, "the mean under its weights");
	known.X.n = 1;
	ok(predict(&known, &how, NULL, &out, &pool, &err) < 0, "one row");
	is_text(err.msg, "no other row to learn from", "has no other");
	kith_pool_free(&pool);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const size_t seeds = more && *more ? 2000 : 60;

	for (size_t s = 0; s < seeds; s++)
		test_learners(s);
	for (size_t s = 0; s < seeds / 10; s++)
		test_parts(s);
	return done();
}
