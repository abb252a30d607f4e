/*
 * Tests of lib/knife/knife.h against tests/golden/knife: minima, weights, the
 * first values f(alpha, w) of Algorithm 1 and the minima of the convex form
 * with the linear kernel, from another implementation, on synthetic data.
 */
#include "knife/knife.h"

#include "base/err.h"
#include "knife/data.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 4096, FIRST_VALUES = 6, MOST = 30 };

enum column {
	KERNEL,
	LOSS,
	DATA,
	LAMBDA1,
	LAMBDA2,
	GAMMA,
	OBJECTIVE,
	WEIGHTS,
	FIRST,
	CONVEX,
	COLUMNS
};

struct golden {
	char *cell[COLUMNS];
	struct kith_knife_problem problem;
	double least;
};

static const char *const dir = "tests/golden/knife";
static struct kith_err err;

static FILE *
need(const char *name)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	if (!f) {
		printf(
		    "Bail out! no %s: run in the root of the sources\n", path);
		exit(1);
	}
	return f;
}

/* Rows of numbers, the last of which is the target. */
static void
read_data(const char *name, struct kith_knife_problem *problem)
{
	struct kith_mat *X = kith_new(&pool, 1, sizeof(*X));
	double *all = NULL, *Y;
	FILE *f = need(name);
	char line[ROOM];
	size_t held = 0, n = 0, p;

	if (!fgets(line, sizeof(line), f))
		abort();
	while (fgets(line, sizeof(line), f)) {
		char *s = line, *end;

		for (;; s = end + 1) {
			all = kith_grow(&pool, all, held + 1, sizeof(*all));
			all[held++] = strtod(s, &end);
			if (*end != ',')
				break;
		}
		n++;
	}
	fclose(f);
	if (n == 0)
		abort();
	p = held / n - 1;
	*X = kith_mat_new(&pool, n, p);
	Y = numbers(n);
	for (size_t i = 0; i < n; i++) {
		memcpy(kith_row(X, i), all + i * (p + 1), p * sizeof(*Y));
		Y[i] = all[i * (p + 1) + p];
	}
	problem->X = X;
	problem->Y = Y;
}

static void
set_problem(struct golden *g)
{
	struct kith_knife_problem *problem = &g->problem;

	*problem = (struct kith_knife_problem){
	    .c = 1, .coef0 = 1, .delta = 2, .degree = 2, .threads = 2};
	for (unsigned k = 0; k < 4; k++) {
		if (strcmp(g->cell[KERNEL], kernel_name[k]) == 0)
			problem->kernel = (enum kith_knife_kernel)k;
		if (strcmp(g->cell[LOSS], loss_name[k]) == 0)
			problem->loss = (enum kith_knife_loss)k;
	}
	problem->lambda1 = strtod(g->cell[LAMBDA1], NULL);
	problem->lambda2 = strtod(g->cell[LAMBDA2], NULL);
	problem->gamma = strtod(g->cell[GAMMA], NULL);
	g->least = strtod(g->cell[OBJECTIVE], NULL);
	read_data(g->cell[DATA], problem);
}

/* The largest difference from numbers divided by commas. */
static double
apart(const char *text, const double *v, size_t n)
{
	double worst = 0;

	for (size_t j = 0; j < n; j++) {
		char *end;

		worst = fmax(worst, fabs(strtod(text, &end) - v[j]));
		text = end + (*end == ',');
	}
	return worst;
}

static void
test_profile(const struct golden *g)
{
	const struct kith_knife_problem *problem = &g->problem;
	const struct kith_knife_how how = {.max_iter = 100, .tol = 1e-6};
	const size_t p = problem->X->p;
	double *w = even(p, .5), *alpha = numbers(problem->X->n), bias, off, f;
	struct kith_knife_fit fit;
	const char *kernel = g->cell[KERNEL], *loss = g->cell[LOSS];

	if (kith_knife(problem, &how, w, alpha, &bias, &fit, &err)) {
		ok(false, "%s, %s: %s", kernel, loss, err.msg);
		return;
	}
	ok(fabs(fit.objective - g->least) <= 1e-9 * g->least,
	    "%s, %s: minimum %.12g, due %.12g", kernel, loss, fit.objective,
	    g->least);
	ok(fit.converged && fit.gradient <= 1e-6 * fmax(1, fit.start),
	    "%s, %s: projected gradient %.2g", kernel, loss, fit.gradient);
	ok(fit.evaluations <= MOST, "%s, %s: %zu evaluations", kernel, loss,
	    fit.evaluations);
	ok(apart(g->cell[WEIGHTS], w, p) <= 2e-6, "%s, %s: weights to %.2g",
	    kernel, loss, apart(g->cell[WEIGHTS], w, p));
	f = plain_objective(problem, w, alpha, &bias, &off);
	ok(fabs(f - fit.objective) <= 1e-10 * g->least && off <= 1e-8,
	    "%s, %s: the machine has the minimum, canonical to %.2g", kernel,
	    loss, off);
	if (problem->kernel == KITH_KNIFE_LINEAR)
		is_near(fit.objective, strtod(g->cell[CONVEX], NULL), 1e-9,
		    "the minimum of the convex form");
}

static void
test_alternate(const struct golden *g)
{
	const struct kith_knife_problem *problem = &g->problem;
	struct kith_knife_how how = {.alternate = true, .tol = 1e-6};
	const size_t p = problem->X->p, n = problem->X->n;
	double *alpha = numbers(n), *before = numbers(n), bias, worst = 0;
	const char *kernel = g->cell[KERNEL], *loss = g->cell[LOSS];
	char *text = g->cell[FIRST];
	struct kith_knife_fit fit;
	double *w;

	for (size_t t = 0; t <= FIRST_VALUES; t++) {
		double off, f;

		how.max_iter = t;
		w = even(p, .5);
		if (kith_knife(problem, &how, w, alpha, &bias, &fit, &err))
			ok(false, "%s", err.msg);
		if (t > 0) {
			f = plain_objective(problem, w, before, &bias, &off);
			worst = fmax(worst, fabs(f / strtod(text, &text) - 1));
			text += *text == ',';
		}
		memcpy(before, alpha, n * sizeof(*alpha));
	}
	ok(worst <= 1e-6, "%s, %s: the way of Algorithm 1, to %.2g", kernel,
	    loss, worst);
	how.max_iter = 100;
	w = even(p, .5);
	if (kith_knife(problem, &how, w, alpha, &bias, &fit, &err))
		ok(false, "%s", err.msg);
	ok(fit.objective >= g->least * (1 - 1e-12) &&
		fit.objective <= g->least * (fit.converged ? 1 + 1e-9 : 1.05),
	    "%s, %s: Algorithm 1 %s at %.10g", kernel, loss,
	    fit.converged ? "ends" : "is", fit.objective);
}

int
main(void)
{
	FILE *f = need("cases.tsv");
	char line[ROOM];
	size_t cases = 0;

	if (!fgets(line, sizeof(line), f))
		abort();
	while (fgets(line, sizeof(line), f)) {
		struct golden g;
		char *s = line;

		for (size_t k = 0; k < COLUMNS; k++) {
			g.cell[k] = s;
			s += strcspn(s, "\t\n");
			*s++ = '\0';
		}
		set_problem(&g);
		test_profile(&g);
		test_alternate(&g);
		cases++;
	}
	fclose(f);
	is_size(cases, 16, "cases");
	kith_pool_free(&pool);
	return done();
}
