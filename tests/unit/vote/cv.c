/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/vote/cv.h, lib/vote/validate.h and lib/table/split.h: by hand,
 * with a learner that looks at what it is given.
 */
#include "vote/cv.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/trial.h"
#include "tap.h"
#include "vote/validate.h"

#include <math.h>
#include <string.h>

static char a[] = "a", b[] = "b", c[] = "c";
static char *classes[] = {a, b, c}, *names[] = {a, b};

/* Rows on a line, whose second feature is 1. */
static struct kith_table
line(const double *x, size_t n, struct kith_pool *pool)
{
	struct kith_table t = {.file = "line", .target = "y", .read = n};

	t.X = kith_mat_new(pool, n, 2);
	for (size_t i = 0; i < n; i++) {
		kith_row(&t.X, i)[0] = x[i];
		kith_row(&t.X, i)[1] = 1;
	}
	kith_names_index(&t.class, classes, 3, pool);
	kith_names_index(&t.feature, names, 2, pool);
	return t;
}

static void
test_validate(void)
{
	const double x[] = {0, 1, 5, 6, 7}, z[] = {.4, 5.1, 6.6, 2.4, 9};
	const size_t k[] = {1, 3};
	size_t y[] = {0, 0, 1, 1, 0}, actual[] = {0, 1, 1, 2, KITH_NO_CLASS};
	double t[] = {0, 1, 5, 6, 7}, due[] = {1, 5, 9, NAN, 8}, loss[2];
	const double w[] = {1, 0};
	const struct kith_metric metric = {KITH_ABSOLUTE, 2, w};
	struct kith_pool pool = {0};
	struct kith_table known = line(x, 5, &pool), asked = line(z, 5, &pool);
	struct kith_validate v;
	struct kith_err err;

	known.y = y;
	asked.y = actual;
	is_size((size_t)kith_validate_new(&known, &asked, k, 2, 1, &v, &pool, &err), 0, "classes");
	is_size(v.n, 4, "one is missing");
	ok(kith_validate(&v, &metric, loss, &err) == 0, "are predicted");
	/* 1: a b a a; 3: a b b a, with c unknown. */
	ok(loss[0] == 2 && loss[1] == 1, "what is wrong");
	kith_validate_without(&v, loss);
	ok(loss[0] == 3 && loss[1] == 3, "most are a");

	known.y = asked.y = NULL;
	known.t = t;
	asked.t = due;
	is_size((size_t)kith_validate_new(&known, &asked, k, 2, 1, &v, &pool, &err), 0, "numbers");
	is_size(v.n, 4, "one is missing");
	ok(kith_validate(&v, &metric, loss, &err) == 0, "are predicted");
	is_near(loss[0], 1 + 0 + 4 + 1, 1e-14, "squares for k = 1");
	is_near(loss[1], 1 + 1 + 9 + 4, 1e-14, "and for k = 3");
	kith_validate_without(&v, loss);
	is_near(loss[1], 2.8 * 2.8 + 1.2 * 1.2 + 5.2 * 5.2 + 4.2 * 4.2, 1e-14, "the mean");
	v.n = 0;
	ok(kith_validate_new(&known, &asked, (size_t[]){6}, 1, 1, &v, &pool, &err) == -1,
	    "too many neighbours");
	kith_pool_free(&pool);
}

/* Where a learner fails, and what it has seen. */
struct seen {
	size_t fails; /* from this batch on */
	size_t rows[2][3], asked[2][3];
	double scale[3];
};

/*
 * A learner whose loss is known: batch + 1 for each row of the part whose class
 * is 1, and in its second trial one more for the whole part.
 */
static int
learn(void *to, size_t batch, struct kith_split *rows, struct kith_cv_found *found,
    struct kith_pool *pool, struct kith_err *err)
{
	struct seen *seen = to;
	const struct kith_table *t = &rows->asked;
	const size_t f = (size_t)kith_row(&t->X, 0)[1];
	double *scratch = kith_new(pool, 10, sizeof(*scratch));

	scratch[0] = 1;
	if (batch >= seen->fails)
		return kith_fail(err, EX_DATAERR, "batch %zu", batch);
	seen->rows[batch][f] = rows->known.X.n;
	seen->asked[batch][f] = t->X.n;
	found->n = t->X.n;
	found->doubts = batch;
	for (size_t i = 0; i < t->X.n; i++)
		for (size_t s = 0; s < 2; s++)
			found->loss[s] += (double)(t->y[i] * (batch + 1));
	found->loss[1]++;
	found->features[0] = f;
	found->features[1] = 9 - f;
	return 0;
}

static void
test_cv(void)
{
	const double x[] = {0, 1, 2, 3, 4, 5, 6};
	const size_t part[] = {0, 1, 2, 0, 1, 2, 0};
	size_t y[] = {0, 1, 0, 1, 1, 0, 0}, doubts;

	for (size_t threads = 1; threads <= 3; threads++) {
		struct kith_pool pool = {0};
		struct kith_table t = line(x, 7, &pool);
		struct seen seen = {.fails = 2};
		struct kith_trial *got;
		struct kith_err err;
		struct kith_cv cv = {.table = &t,
		    .part = part,
		    .parts = 3,
		    .nk = 1,
		    .batches = 2,
		    .trials = 2,
		    .threads = threads,
		    .learn = learn,
		    .to = &seen};

		t.y = y;
		for (size_t i = 0; i < 7; i++)
			kith_row(&t.X, i)[1] = (double)part[i];
		ok(kith_cv(&cv, &got, &doubts, &pool, &err) == 0, "runs");
		is_size(doubts, 3, "doubts of all");
		is_size(seen.rows[1][0], 4, "rows to learn from");
		is_size(seen.asked[0][0], 3, "rows asked");
		/* Losses 1 2 0 of 3 2 2 rows. */
		is_size(got[0].errors, 3, "errors");
		is_size(got[0].n, 7, "rows");
		is_near(got[0].error, 3. / 7, 1e-15, "the error");
		is_near(got[0].se, sqrt((1. / 81 + 25. / 81 + 16. / 81) / 6), 1e-15,
		    "its standard error");
		is_size(got[0].features, 2, "most features");
		is_size(got[1].features, 9, "of the second trial");
		is_size(got[1].errors, 6, "its errors");
		is_size(got[3].errors, 9, "and those of the second batch");

		seen.fails = 1;
		ok(kith_cv(&cv, &got, &doubts, &pool, &err) == -1, "fails");
		ok(strcmp(err.msg, "part 1 of --cv: batch 1") == 0, "the first that fails");
		ok(strcmp(err.file, "line") == 0, "and the file");
		kith_pool_free(&pool);
	}
}

static void
test_split(void)
{
	const double x[] = {2, 8, 4, 1e300, 6};
	const size_t part[] = {0, 1, 0, 2, 0};
	size_t y[] = {0, 1, 2, 0, 1};
	struct kith_pool pool = {0};
	struct kith_table t = line(x, 5, &pool);
	struct kith_split s;
	struct kith_err err;

	t.y = y;
	ok(kith_split(&t, part, 1, KITH_UNIT_NONE, &s, &pool, &err) == 0, "splits");
	ok(s.known.X.n == 4 && s.asked.X.n == 1 && s.unit.p == 0, "in two");
	ok(s.asked.y[0] == 1 && s.known.y[1] == 2, "with their classes");
	ok(s.asked.X.v[0] == 8, "as they came");
	kith_row(&t.X, 3)[0] = 0;
	ok(kith_split(&t, part, 0, KITH_UNIT_MINMAX, &s, &pool, &err) == 0, "scales");
	is_near(s.known.X.v[0], 1, 0, "the others");
	is_near(s.asked.X.v[2], .5, 1e-16, "and the part by them");
	ok(s.asked.X.v[1] == 0 && s.unit.scale[1] == 0, "a constant is 0");
	t.X.n = 1;
	ok(kith_split(&t, part, 0, KITH_UNIT_NONE, &s, &pool, &err) == -1, "nothing is left");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_validate();
	test_cv();
	test_split();
	return done();
}
