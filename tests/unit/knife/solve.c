/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/solve.h: how exact machines are, what a start nearby saves, and
 * what is singular.
 */
#include "knife/solve.h"

#include "base/err.h"
#include "knife/data.h"
#include "knife/gram.h"
#include "knife/low_rank.h"
#include "knife/state.h"
#include "tap.h"

#include <stdio.h>

enum { P = 4 };

static struct kith_err err;

/* How far the machine of a state is from canonical, over the largest |L'|. */
static double
left_over(const struct kith_knife_state *state, const double *w)
{
	const struct kith_knife_problem *problem = state->problem;
	const size_t n = state->n;
	double worst = 0;

	for (size_t o = 0; o < state->c; o++) {
		const double *alpha = state->alpha + o * n;
		double left = 0, most = 0;

		for (size_t i = 0; i < n; i++) {
			const double v = problem->weight ? problem->weight[i] : 1;
			double f = 0, slope;

			for (size_t l = 0; l < n; l++)
				f += alpha[l] *
				    plain_kernel(problem, w, kith_row(problem->X, i),
					kith_row(problem->X, l));
			worst = fmax(worst, fabs(f - state->Ka[o * n + i]) * 1e-2);
			plain_loss(problem, problem->Y[o * n + i], f + state->bias[o], &slope);
			left = fmax(left, fabs(v * slope + 2 * problem->lambda1 * alpha[i]));
			most = fmax(most, fabs(v * slope));
		}
		worst = fmax(worst, left / most);
	}
	return worst;
}

static void
test_exact(unsigned kernel, unsigned loss, size_t n, bool tiled)
{
	struct kith_knife_problem problem = draw(
	    n, P, loss ? 1 : 3, (enum kith_knife_kernel)kernel, (enum kith_knife_loss)loss);
	const double *w = even(P, .5), limit = tiled ? 2e-9 : 1e-12;
	double *weight = numbers(n), *alpha = numbers(3 * n);
	struct kith_knife_state state;
	size_t products;
	char what[64];

	for (size_t i = 0; i < n; i++)
		weight[i] = .5 + kith_rng_unit(&rng);
	problem.weight = n % 2 ? weight : NULL;
	problem.intercept = n % 3 > 0;
	problem.degree = 2;
	problem.held = tiled ? 1 : n;
	snprintf(what, sizeof(what), "%s, %s, %zu rows%s", kernel_name[kernel], loss_name[loss], n,
	    tiled ? ", tiles" : "");
	state = kith_knife_begin(&problem, true);
	ok(kith_knife_gram(&state, w, &err) == 0 && kith_knife_solve(&state, &err) == 0 &&
		state.tiled == tiled,
	    "%s", what);
	ok(left_over(&state, w) <= limit, "%s: %.1e is left", what, left_over(&state, w));
	products = state.products;
	memcpy(alpha, state.alpha, n * state.c * sizeof(*alpha));
	ok(kith_knife_solve(&state, &err) == 0 && state.products == products &&
		(products > 0) == tiled && largest(n * state.c, alpha, state.alpha) <= 1e-9,
	    "%s: nothing is left to do after %zu products", what, products);
	kith_knife_end(&state);
}

/* From the machine of a w nearby it takes fewer products than from nothing. */
static void
test_nearby(unsigned loss)
{
	struct kith_knife_problem problem = draw(
	    150, P, 1, KITH_KNIFE_GAUSSIAN, (enum kith_knife_loss)loss);
	double *w = even(P, .5);
	struct kith_knife_state state;
	size_t first, next;

	problem.held = 1;
	problem.gamma = 1;
	problem.lambda1 = .02;
	state = kith_knife_begin(&problem, true);
	kith_knife_gram(&state, w, &err);
	kith_knife_solve(&state, &err);
	first = state.products;
	w[0] += 1e-6;
	kith_knife_gram(&state, w, &err);
	kith_knife_solve(&state, &err);
	next = state.products - first;
	ok(next > 0 && next < first, "%s: %zu products, and %zu nearby", loss_name[loss], first,
	    next);
	kith_knife_end(&state);
}

/* A lambda1 that is lost is told, whatever way leads to it. */
static void
test_singular(unsigned kernel, unsigned loss, bool tiled)
{
	struct kith_knife_problem problem = draw(
	    40, 2, 1, (enum kith_knife_kernel)kernel, (enum kith_knife_loss)loss);
	const double *w = even(2, .5);
	struct kith_knife_state state;

	for (size_t i = 20; i < 40; i++)
		memcpy(kith_row(problem.X, i), kith_row(problem.X, i - 20), 2 * sizeof(double));
	problem.lambda1 = 1e-19;
	problem.held = tiled ? 1 : 0;
	state = kith_knife_begin(&problem, true);
	kith_knife_gram(&state, w, &err);
	err.msg[0] = '\0';
	ok(kith_knife_solve(&state, &err) == -1 && !state.warm && err.status == EX_DATAERR,
	    "%s, %s%s: singular", kernel_name[kernel], loss_name[loss], tiled ? ", tiles" : "");
	is_text(err.msg,
	    "lambda1 1e-19 is too small: K + lambda1 I is singular to working "
	    "precision",
	    "its message");
	kith_knife_end(&state);
}

/* Fewer than 400 rows are not worth it, nor as many features as were of no use. */
static void
test_worth(void)
{
	const double *w = even(P, .1);

	for (size_t n = 399; n < 401; n++) {
		struct kith_knife_problem problem = draw(
		    n, P, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
		struct kith_knife_state state;

		problem.gamma = .01;
		state = kith_knife_begin(&problem, true);
		kith_knife_gram(&state, w, &err);
		ok(kith_knife_low_rank(&state) == (n == 400) && state.dense == SIZE_MAX, "%zu rows",
		    n);
		state.dense = P;
		ok(!kith_knife_low_rank(&state) && state.dense == P, "%d features were too many",
		    P);
		state.dense = P + 1;
		ok(kith_knife_low_rank(&state) == (n == 400), "but not %d", P);
		kith_knife_end(&state);
	}
}

int
main(void)
{
	kith_rng_seed(&rng, 15, KITH_RNG_SAMPLE, 0);
	for (unsigned kernel = 0; kernel < 4; kernel++)
		for (unsigned loss = 0; loss < 4; loss++) {
			test_exact(kernel, loss, 20 + kernel + loss, false);
			test_exact(kernel, loss, 3, false);
			if (kernel > 0)
				test_exact(kernel, loss, 80 + kernel + loss, true);
		}
	for (unsigned loss = 0; loss < 4; loss++) {
		test_nearby(loss);
		test_singular(KITH_KNIFE_GAUSSIAN, loss, false);
		if (loss < 2)
			test_singular(KITH_KNIFE_GAUSSIAN, loss, true);
		test_singular(KITH_KNIFE_POLYNOMIAL, loss, false);
	}
	test_worth();
	kith_pool_free(&pool);
	return done();
}
