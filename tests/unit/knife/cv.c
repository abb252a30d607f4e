/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/cv.h and lib/knife/trials.h: losses of machines that are made
 * and asked by their definition.
 */
#include "knife/cv.h"

#include "base/err.h"
#include "knife/knife.h"
#include "knife/table.h"
#include "knife/trials.h"
#include "table/parts.h"
#include "tap.h"

enum { N = 18, P = 3, PARTS = 3, K = 2 };

static struct kith_err err;
static const double lambda2[K] = {.05, .4};

static struct kith_knife_fit_how
usual(void)
{
	return (struct kith_knife_fit_how){.like = {.kernel = KITH_KNIFE_GAUSSIAN,
					       .gamma = .5,
					       .delta = 1,
					       .lambda1 = .5,
					       .intercept = true,
					       .threads = 1},
	    .how = {.max_iter = 100, .tol = 1e-5},
	    .seed = 3};
}

/* Rows with numbers, or with that many classes. */
static struct kith_table
draw_table(size_t n, size_t classes)
{
	struct kith_table t = table_of(n, P);

	if (classes)
		t.y = kith_new(&pool, n, sizeof(*t.y));
	else
		t.t = numbers(n);
	for (size_t i = 0; i < n; i++) {
		const double *x = kith_row(&t.X, i);

		if (classes)
			t.y[i] = x[0] + normal(&rng) / 2 > 0 ? 1 : x[1] > 0 || classes < 3 ? 0 : 2;
		else
			t.t[i] = 5 + x[0] * x[1] + normal(&rng) / 2;
	}
	return t;
}

/* A path on some rows of a table by its definition, from a start of .5. */
struct plain {
	const struct kith_knife_rows *rows;
	struct kith_knife_problem problem;
	struct kith_mat X;
	double *mean, *w, *alpha, *bias;
	size_t missed;
};

static struct plain
plain_begin(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how,
    const size_t *row, size_t n)
{
	struct plain p = {.rows = rows, .problem = how->like};
	const size_t c = rows->c;
	double *Y = numbers(n * c), *weight = numbers(n);

	p.mean = numbers(c);
	kith_knife_rows_targets(rows, row, n, Y, p.mean, weight);
	p.X = kith_mat_rows(&rows->t->X, row, n, &pool);
	p.problem.Y = Y;
	p.problem.c = c;
	if (rows->t->weight)
		p.problem.weight = weight;
	p.w = even(P, .5);
	p.alpha = numbers(n * c);
	p.bias = numbers(c);
	return p;
}

static void
plain_fit(struct plain *p, const struct kith_knife_fit_how *how, double l2)
{
	struct kith_knife_fit fit;

	p->problem.X = &p->X;
	p->problem.lambda2 = l2;
	kith_knife(&p->problem, &how->how, p->w, p->alpha, p->bias, &fit, &err);
	p->missed += !fit.converged;
}

/* The loss of row i of a table, whose class is y. */
static double
plain_loss_of(const struct plain *p, const struct kith_table *t, size_t i, size_t y)
{
	const size_t n = p->X.n, c = p->problem.c;
	double f[3] = {0};
	size_t best = 0;

	for (size_t o = 0; o < c; o++) {
		f[o] = p->bias[o] + p->mean[o];
		for (size_t l = 0; l < n; l++)
			f[o] += p->alpha[o * n + l] *
			    plain_kernel(&p->problem, p->w, kith_row(&t->X, i), kith_row(&p->X, l));
		best = f[o] > f[best] ? o : best;
	}
	if (!p->rows->y)
		return f[0] - t->t[i];
	if (y == KITH_NO_CLASS)
		return NAN;
	return c == 1 ? (f[0] > 0) != y : best != y;
}

/* Losses by definition (K x N), and the mean of each lambda2; searches that missed. */
static size_t
plain_losses(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how,
    const size_t *part, double *due, double *mean)
{
	const double *weight = rows->t->weight;
	size_t missed = 0;

	for (size_t f = 0; f < PARTS; f++) {
		size_t row[N], n = 0;
		struct plain p;

		for (size_t i = 0; i < N; i++)
			if (part[i] != f && !(weight && weight[i] == 0))
				row[n++] = i;
		p = plain_begin(rows, how, row, n);
		for (size_t s = 0; s < K; s++) {
			plain_fit(&p, how, lambda2[s]);
			for (size_t i = 0; i < N; i++)
				if (part[i] == f)
					due[s * N + i] = plain_loss_of(
					    &p, rows->t, i, rows->y ? rows->y[i] : 0);
		}
		missed += p.missed;
	}
	for (size_t k = 0; k < (size_t)K * N; k++)
		mean[k / N] += (rows->y ? due[k] : due[k] * due[k]) / N;
	return missed;
}

/* The trial of all parts. */
static void
test_sum(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how,
    const struct kith_knife_cv_plan *plan, const double *loss, const double *mean)
{
	for (size_t s = 0; s < K; s++) {
		struct kith_knife_fitted fit;
		struct kith_trial trial;

		kith_knife_fitted_new(rows, how, rows->learn, rows->n, &fit, &pool, &err);
		fit.problem.lambda2 = lambda2[s];
		fit.w[1] = fit.w[2] = 1;
		kith_knife_cv_sum(rows, &fit, plan, loss + s * N, &trial);
		is_near(trial.error, rows->y ? mean[s] : sqrt(mean[s]), 1e-12, "their mean");
		ok(trial.key[0] == lambda2[s] && trial.features == 2 && trial.n == N &&
			trial.se >= 0,
		    "of a lambda2, and its features");
	}
}

static void
test_parts(size_t classes, double *weight)
{
	struct kith_table t = draw_table(N, classes);
	struct kith_knife_fit_how how = usual();
	struct kith_knife_rows rows;
	double loss[K * N], due[K * N], mean[K] = {0};
	size_t part[N], missed = 9, due_missed;
	struct kith_knife_cv_plan plan = {part, PARTS, lambda2, K, NULL};
	bool same = true;

	how.how.max_iter = weight ? 100 : 4;
	t.weight = weight;
	kith_knife_rows(&t, &rows, &pool, &err);
	kith_parts_deal(&t, PARTS, how.seed, part, &err);
	plan.w = even(P, .5);
	ok(kith_knife_cv(&rows, &how, &plan, loss, &missed, &err) == 0, "%zu classes%s", classes,
	    weight ? ", weights" : "");
	due_missed = plain_losses(&rows, &how, part, due, mean);
	for (size_t k = 0; k < (size_t)K * N; k++)
		same = same && fabs(loss[k] - due[k]) < 1e-9;
	ok(same && missed == due_missed && (weight || missed > 0), "losses as by definition");
	test_sum(&rows, &how, &plan, loss, mean);
}

/* A row whose squares are no double. */
static void
test_too_large(const struct kith_knife_rows *rows, struct kith_knife_fitted *fit,
    struct kith_table *v, const struct kith_knife_cv_asked *asked)
{
	struct kith_trial trial;

	kith_row(&v->X, 7)[0] = 1e200;
	fit->problem.kernel = KITH_KNIFE_POLYNOMIAL;
	fit->problem.degree = 2;
	fit->w[0] = 1;
	ok(kith_knife_cv_judge(rows, fit, asked, 1, &trial, &err) == -1, "no number");
	is_text(err.msg,
	    "column \"u\": 1e+200 is beyond 1e150, where squares overflow (--na-string, tabscale?)",
	    "its row");
}

/* Rows of another table, one of a class that nobody knows, one without. */
static void
test_judge(size_t classes)
{
	struct kith_table t = draw_table(N, classes), v = draw_table(9, classes);
	struct kith_knife_fit_how how = usual();
	struct kith_knife_rows rows;
	struct kith_knife_fitted fit;
	struct kith_knife_cv_asked asked;
	struct kith_trial trial;
	size_t all[N];
	struct plain p;
	double sum = 0;

	kith_knife_rows(&t, &rows, &pool, &err);
	for (size_t i = 0; i < N; i++)
		all[i] = i;
	if (classes == 3)
		v.y[4] = KITH_NO_CLASS;
	if (classes == 2)
		v.y[4] = 2;
	ok(kith_knife_cv_take(&rows, &v, &asked, &pool, &err) == 0 && asked.t == &v &&
		!asked.y == !classes,
	    "rows asked, %zu classes", classes);
	kith_knife_fitted_new(&rows, &how, NULL, N, &fit, &pool, &err);
	kith_knife_fitted_start(&fit, even(P, .5));
	kith_knife_fit_at(&fit, &how, .1, &err);
	p = plain_begin(&rows, &how, all, N);
	plain_fit(&p, &how, .1);
	for (size_t i = 0; i < 9; i++) {
		const double one = plain_loss_of(&p, &v, i, classes ? v.y[i] : 0);

		sum += isnan(one) ? 0 : classes ? one : one * one;
	}
	ok(kith_knife_cv_judge(&rows, &fit, &asked, 1, &trial, &err) == 0, "predicted");
	sum /= classes == 3 ? 8 : 9;
	is_near(trial.error, classes ? sum : sqrt(sum), 1e-12, "their error");
	ok(trial.n == (classes == 3 ? 8 : 9) && trial.key[0] == .1 &&
		trial.features == kith_knife_fitted_features(&fit),
	    "of all that have a class");
	test_too_large(&rows, &fit, &v, &asked);
}

static void
test_refused(void)
{
	struct kith_table t = draw_table(N, 0), v = draw_table(4, 0);
	const struct kith_knife_fit_how how = usual();
	struct kith_knife_rows rows;
	struct kith_knife_cv_asked asked;
	size_t part[N] = {0}, missed;
	double loss[K * N], *weight = even(N, 0);
	const struct kith_knife_cv_plan plan = {part, 2, lambda2, K, even(P, .5)};

	kith_knife_rows(&t, &rows, &pool, &err);
	ok(kith_knife_cv(&rows, &how, &plan, loss, &missed, &err) == -1 && err.status == EX_DATAERR,
	    "nothing to learn from");
	is_text(err.msg, "a part has all rows", "its message");
	for (size_t i = 0; i < N; i++)
		part[i] = i % 2;
	for (size_t i = 0; i < N; i += 2)
		weight[i] = 1;
	t.weight = weight;
	kith_knife_rows(&t, &rows, &pool, &err);
	kith_knife_cv(&rows, &how, &plan, loss, &missed, &err);
	is_text(err.msg, "a part has all rows of weight above 0", "or nothing of a weight");
	for (size_t i = 0; i < 4; i++)
		v.t[i] = NAN;
	ok(kith_knife_cv_take(&rows, &v, &asked, &pool, &err) == -1, "no target: %s", err.msg);
}

/* Whether a solution that is added is judged as it is alone. */
static bool
adds(struct kith_knife_trials *trials, const struct kith_knife_fitted *fit, bool by_table, size_t s)
{
	const struct kith_trial *it = kith_knife_trials_add(trials, fit, 1, &pool, &err);
	const struct kith_knife_fitted *found = trials->found;
	struct kith_trial due;

	if (by_table)
		kith_knife_cv_judge(trials->rows, fit, &trials->asked, 1, &due, &err);
	else
		kith_knife_cv_sum(trials->rows, fit, &trials->plan, trials->loss + s * N, &due);
	return it == &trials->trial[s] && it->error == due.error && it->key[0] == lambda2[s] &&
	    it->features == due.features && trials->n == s + 1 &&
	    (!by_table || (found[s].w != fit->w && largest(P, found[s].w, fit->w) == 0));
}

/* Solutions added one by one, by parts or by a table. */
static void
test_trials(bool by_table)
{
	struct kith_table t = draw_table(N, 0), v = draw_table(9, 0);
	const struct kith_knife_fit_how how = usual();
	struct kith_knife_rows rows;
	struct kith_knife_trials trials;
	struct kith_knife_fitted fit;
	bool right = true;

	kith_knife_rows(&t, &rows, &pool, &err);
	trials = kith_knife_trials_new(&rows, by_table);
	ok(trials.form.regress && trials.form.keys == 1 && trials.form.features &&
		trials.form.key[0].simple_is_large,
	    "the form of numbers");
	is_text(trials.form.key[0].name, "lambda2", "its key");
	if (by_table)
		kith_knife_cv_take(&rows, &v, &trials.asked, &pool, &err);
	else
		ok(kith_knife_trials_deal(
		       &trials, &how, PARTS, lambda2, K, even(P, .5), &pool, &err) == 0,
		    "dealt");
	kith_knife_fitted_new(&rows, &how, NULL, N, &fit, &pool, &err);
	kith_knife_fitted_start(&fit, even(P, .5));
	for (size_t s = 0; s < K; s++) {
		kith_knife_fit_at(&fit, &how, lambda2[s], &err);
		right = adds(&trials, &fit, by_table, s) && right;
	}
	ok(right && (by_table || !trials.found), "solutions %s",
	    by_table ? "of a table, kept" : "of parts");
	if (!by_table)
		return;
	kith_row(&v.X, 0)[0] = 1e200;
	fit.problem.kernel = KITH_KNIFE_POLYNOMIAL;
	fit.problem.degree = 2;
	fit.w[0] = 1;
	ok(!kith_knife_trials_add(&trials, &fit, 1, &pool, &err), "one that fails");
}

int
main(void)
{
	double weight[N];

	kith_rng_seed(&rng, 6, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < N; i++)
		weight[i] = (double)(i % 4);
	for (size_t classes = 0; classes < 4; classes += classes ? 1 : 2) {
		test_parts(classes, NULL);
		test_parts(classes, weight);
		test_judge(classes);
	}
	test_refused();
	test_trials(false);
	test_trials(true);
	kith_pool_free(&pool);
	return done();
}
