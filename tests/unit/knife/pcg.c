/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/pcg.h and lib/knife/rank.h against matrices that are held: the
 * steps solve their equations, in as many products as conjugate gradients of the
 * plain kind take.
 */
#include "knife/pcg.h"

#include "base/err.h"
#include "knife/data.h"
#include "knife/gram.h"
#include "knife/rank.h"
#include "knife/state.h"
#include "la/spd.h"
#include "tap.h"

#include <stdlib.h>

enum { P = 3, MOST = 300 };

static struct kith_err err;

/* A state at w where K is not held, and K. */
static struct kith_knife_state
state_of(struct kith_knife_problem *problem, double **K)
{
	const size_t n = problem->X->n;
	const double *w = even(problem->X->p, .5);
	struct kith_knife_state state;

	problem->held = 1;
	state = kith_knife_begin(problem, true);
	ok(state.tiled && kith_knife_gram(&state, w, &err) == 0, "%zu rows", n);
	*K = numbers(n * n);
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < n; l++)
			(*K)[i * n + l] = plain_kernel(
			    problem, w, kith_row(problem->X, i), kith_row(problem->X, l));
	return state;
}

/* y = 2 lambda1 x + S B S x */
static void
times(size_t n, double two, const double *s, const double *B, const double *x, double *y)
{
	for (size_t i = 0; i < n; i++) {
		y[i] = two * x[i];
		for (size_t l = 0; l < n; l++)
			y[i] += s[i] * B[i * n + l] * s[l] * x[l];
	}
}

/* G G' */
static double *
square(size_t n, const struct kith_knife_rank *rank)
{
	double *B = numbers(n * n);

	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < n; l++)
			for (size_t k = 0; k < rank->r; k++)
				B[i * n + l] += rank->G[i * rank->r + k] * rank->G[l * rank->r + k];
	return B;
}

static double
dot(size_t n, const double *a, const double *b)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Iterations for A x = b until the largest |s r| is at most the limit. */
static size_t
plain_steps(size_t n, double two, const double *s, const double *K, const double *GG,
    const double *b, double limit)
{
	double *M = numbers(n * n), *r = numbers(n), *z = numbers(n);
	double *p = numbers(n), *q = numbers(n), rz = 0, most = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < n; l++)
			M[i * n + l] = (i == l ? two : 0) + s[i] * GG[i * n + l] * s[l];
	kith_spd_factor(n, M);
	memcpy(r, b, n * sizeof(*r));
	for (size_t step = 0; step < MOST; step++) {
		double next, by;

		most = 0;
		for (size_t i = 0; i < n; i++)
			most = fmax(most, fabs(s[i] * r[i]));
		if (most <= limit)
			return step;
		memcpy(z, r, n * sizeof(*z));
		kith_spd_solve(n, 1, M, z);
		next = dot(n, r, z);
		for (size_t i = 0; i < n; i++)
			p[i] = z[i] + (step > 0 ? next / rz * p[i] : 0);
		rz = next;
		times(n, two, s, K, p, q);
		by = rz / dot(n, p, q);
		for (size_t i = 0; i < n; i++)
			r[i] -= by * q[i];
	}
	return MOST;
}

/* The products that a step of these systems is due: sides, steps, K d. */
static size_t
plain_products(
    const struct kith_knife_state *state, const struct kith_knife_pcg *how, const double *K)
{
	const size_t n = state->n;
	const double two = 2 * state->problem->lambda1;
	const double *GG = square(n, &state->rank);
	double *s = numbers(n), *r = numbers(n), *b = numbers(n);
	size_t most = 0, steps;

	for (size_t i = 0; i < n; i++)
		s[i] = sqrt(how->h[i]);
	for (size_t o = 0; o < how->c; o++) {
		for (size_t i = 0; i < n; i++)
			r[i] = how->g[o * n + i] + two * how->alpha[o * n + i];
		for (size_t i = 0; i < n; i++)
			b[i] = -s[i] * dot(n, K + i * n, r);
		steps = plain_steps(n, two, s, K, GG, b, two * how->part * largest(n, r, NULL));
		most = steps > most ? steps : most;
	}
	if (how->hold)
		return most + 2;
	steps = plain_steps(n, two, s, K, GG, s, how->part * largest(n, how->h, NULL));
	return (steps > most ? steps : most) + 2;
}

/* What is left of the equations, over what may be. */
static void
test_left(const struct kith_knife_state *state, const struct kith_knife_pcg *how, const double *K,
    const double *step, const double *Kstep, const double *b)
{
	const size_t n = state->n;
	const double two = 2 * state->problem->lambda1;
	double worst = 0, off = 0, sums = 0;

	for (size_t o = 0; o < how->c; o++) {
		double sum = 0, first = 0, bend = 0;

		for (size_t i = 0; i < n; i++) {
			const size_t k = o * n + i;

			first = fmax(first, fabs(how->g[k] + two * how->alpha[k]));
			bend = fmax(bend, how->h[i] * fabs(b[o]));
		}
		for (size_t i = 0; i < n; i++) {
			const size_t k = o * n + i;
			const double Kd = dot(n, K + i * n, step + o * n);
			const double d = how->g[k] + how->h[i] * (Kd + b[o]);
			const double left = two * (how->alpha[k] + step[k]) + d;

			sum += d;
			off = fmax(off, fabs(Kd - Kstep[k]));
			worst = fmax(worst, fabs(left) / (how->part * (first + bend)));
		}
		sums = fmax(sums, fabs(sum) / (double)n / (how->part * (first + bend)));
	}
	ok(worst <= 1 + 1e-6 && worst > 1e-4, "what is left: %g of what may be", worst);
	ok(off <= 1e-11, "K d");
	ok(how->hold || sums <= 1, "1'(g + h (K d + b)): %g", sums);
}

static void
test_step(size_t n, size_t c, bool hold, double part, double lambda1)
{
	struct kith_knife_problem problem = draw(n, P, c, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	double *K, *weight = numbers(n), *g = numbers(n * c);
	double *h = numbers(n), *alpha = numbers(n * c), b[3] = {9, 9, 9};
	double *step = numbers(n * c), *Kstep = numbers(n * c), most = 0;
	const struct kith_knife_pcg how = {c, g, h, alpha, hold, part};
	struct kith_knife_state state;
	struct kith_knife_rank due;
	size_t products;

	problem.lambda1 = lambda1;
	problem.gamma = 1;
	for (size_t i = 0; i < n; i++) {
		weight[i] = .5 + kith_rng_unit(&rng);
		most = fmax(most, weight[i]);
		h[i] = i % 7 == 3 ? 0 : 2 * kith_rng_unit(&rng);
	}
	for (size_t k = 0; k < n * c; k++) {
		g[k] = normal(&rng);
		alpha[k] = normal(&rng);
	}
	problem.weight = hold ? weight : NULL;
	state = state_of(&problem, &K);
	ok(kith_knife_pcg_step(&state, &how, step, Kstep, b), "a step");
	due = kith_knife_rank_find(&state, lambda1 / (hold ? most : 1), n / 2, &pool);
	ok(state.ranked && state.rank.r == due.r && state.rank.trace == due.trace,
	    "G of %zu columns", due.r);
	test_left(&state, &how, K, step, Kstep, b);
	ok(!hold || (b[0] == 0 && (c < 3 || b[2] == 0)), "b is held");
	products = plain_products(&state, &how, K);
	ok(products <= state.products + 1 && state.products <= products + 1,
	    "%zu products, due %zu", state.products, products);
	kith_knife_end(&state);
}

/* (2 lambda1 I + S G G' S) x = x, with rows of more than one tile. */
static void
test_preconditioner(size_t n, double enough)
{
	struct kith_knife_problem problem = draw(n, P, 1, KITH_KNIFE_LAPLACIAN, KITH_KNIFE_SQUARED);
	double *K, *s = numbers(n), *x = numbers(n), *was = numbers(n), *R;
	double *y = numbers(n), worst = 0;
	struct kith_knife_state state = state_of(&problem, &K);
	const struct kith_knife_rank rank = kith_knife_rank_find(&state, enough, n, &pool);
	const double *GG = square(n, &rank);

	for (size_t i = 0; i < n; i++) {
		s[i] = i % 5 ? kith_rng_unit(&rng) : 0;
		x[i] = was[i] = normal(&rng);
	}
	R = kith_knife_rank_factor(&state, &rank, s, &pool);
	kith_knife_rank_solve(&state, &rank, s, R, x);
	times(n, 2 * problem.lambda1, s, GG, x, y);
	ok(largest(n, y, was) < 1e-11, "P x, %zu rows, %zu columns: %.1e", n, rank.r,
	    largest(n, y, was));
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < n; l++) {
			const double e = K[i * n + l] - GG[i * n + l];
			const double own = (K[i * n + i] - GG[i * n + i]) *
			    (K[l * n + l] - GG[l * n + l]);

			worst = fmax(worst, e * e - own);
		}
	ok(worst <= 1e-10, "no entry of E is above its diagonal: %.1e", worst);
	kith_knife_end(&state);
}

/* Rows on which multiples of the golden section fall are taken first, once each. */
static void
test_draws(enum kith_knife_kernel kernel, double gamma)
{
	enum { N = 130 };
	struct kith_knife_problem problem = draw(N, P, 1, kernel, KITH_KNIFE_SQUARED);
	struct kith_knife_state state;
	struct kith_knife_rank rank;
	double *K, *GG, all = 0;
	size_t taken = 0, wrong = 0;
	bool due[N] = {false};

	problem.gamma = gamma;
	problem.degree = 7;
	problem.lambda1 = 1e-3;
	state = state_of(&problem, &K);
	rank = kith_knife_rank_find(&state, 0, 64, &pool);
	GG = square(N, &rank);
	for (size_t i = 0; i < N; i++)
		all += K[i * N + i];
	for (size_t k = 1; k <= 64; k++) {
		double part = fmod((double)k * 0.6180339887498949, 1) * all;
		size_t i = 0;

		for (; part >= K[i * N + i]; i++)
			part -= K[i * N + i];
		taken += !due[i];
		due[i] = true;
	}
	for (size_t i = 0; i < N; i++)
		wrong += due[i] != (K[i * N + i] - GG[i * N + i] <= 1e-6 * K[i * N + i]);
	ok(wrong == 0 && rank.r == taken, "%s: %zu rows are drawn", kernel_name[kernel], taken);
	kith_knife_end(&state);
}

/* Seven rows that are there often have seven columns; where G is full it ends. */
static void
test_copies(void)
{
	struct kith_knife_problem problem = draw(
	    200, P, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	struct kith_knife_state state;
	struct kith_knife_rank rank;
	double *K;

	for (size_t i = 7; i < 200; i++)
		memcpy(kith_row(problem.X, i), kith_row(problem.X, i % 7), P * sizeof(double));
	state = state_of(&problem, &K);
	rank = kith_knife_rank_find(&state, 0, 100, &pool);
	ok(rank.r == 7 && rank.trace < 1e-10, "seven columns leave %g", rank.trace);
	rank = kith_knife_rank_find(&state, 0, 63, &pool);
	ok(rank.r == 0 && fabs(rank.trace - 200) < 1e-10, "no room for a block");
	rank = kith_knife_rank_find(&state, 200, 100, &pool);
	ok(rank.r == 0, "nor a need of one");
	kith_knife_end(&state);
}

int
main(void)
{
	kith_rng_seed(&rng, 9, KITH_RNG_SAMPLE, 0);
	test_step(150, 1, true, 1e-9, .5);
	test_step(150, 1, false, 1e-9, .5);
	test_step(131, 3, false, 1e-6, .5);
	test_step(140, 3, true, 1e-2, .05);
	test_step(130, 2, false, 1e-3, 5);
	test_step(9, 1, false, 1e-8, .1);
	test_step(270, 1, true, 1e-6, .1);
	test_step(270, 1, true, 1e-6, 9);
	test_step(270, 1, false, 1e-6, 30);
	test_preconditioner(70, 0);
	test_preconditioner(129, 1);
	test_preconditioner(300, 60);
	test_draws(KITH_KNIFE_GAUSSIAN, 50);
	test_draws(KITH_KNIFE_POLYNOMIAL, 1);
	test_copies();
	kith_pool_free(&pool);
	return done();
}
