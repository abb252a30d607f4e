/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/means.h: by hand, against a plain implementation, against
 * the graph of rows and atoms, and that the objective never rises.
 */
#include "nnk/means.h"

#include "nnk/data.h"
#include "nnk/means_start.h"
#include "nnk/means_update.h"
#include "table/graph.h"

#include <stdlib.h>
#include <string.h>

static struct kith_means_how how;

static struct kith_means
fit(const struct kith_mat *X)
{
	struct kith_means out;

	if (how.threads == 0)
		how.threads = 1;
	if (kith_means(X, &how, &out, &pool, &err))
		ok(false, "failed: %s", err.msg);
	return out;
}

/* Rows of a random problem; some on a grid, with copies and zeros. */
static struct kith_mat
problem(size_t n, size_t p, bool grid)
{
	struct kith_mat X = kith_mat_new(&pool, n, p);

	for (size_t e = 0; e < n * p; e++) {
		X.v[e] = 2 * kith_rng_unit(&rng) - .6;
		if (grid)
			X.v[e] = floor(X.v[e] * 3);
	}
	for (size_t i = 0; how.kernel == KITH_KERN_COSINE && i < n; i++)
		kith_row(&X, i)[0] += 1.5;
	return X;
}

static void
unit_rows(struct kith_mat *X)
{
	const struct kith_metric metric = {KITH_SQUARED, X->p, NULL};
	size_t row;

	if (how.kernel == KITH_KERN_COSINE)
		(void)kith_kern_unit_rows(X, &metric, &row);
}

static double
squares(const struct kith_mat *X)
{
	double sum = 0;

	for (size_t e = 0; e < X->n * X->p; e++)
		sum += X->v[e] * X->v[e];
	return sum;
}

/* Two rays of the plane, and what lies between. */
static void
test_by_hand(void)
{
	double v[] = {1, 0, 0, 2, 3, 0, 0, 5, 2, 2};
	struct kith_mat X = {4, 2, v};
	struct kith_means out;

	how = (struct kith_means_how){KITH_KERN_LINEAR, 2, 1, 1, 100, 1e-9, 1};
	out = fit(&X);
	ok(out.converged && out.J[out.iterations] < 1e-28, "each ray is an atom");
	ok(out.unused == 0, "both are used");
	X.n = 5;
	how.k = 2;
	out = fit(&X);
	ok(out.converged && out.J[out.iterations] <= 1e-18 * squares(&X),
	    "their sums are represented by both");
	how.kernel = KITH_KERN_COSINE;
	how.k = 1;
	X.n = 4;
	unit_rows(&X);
	out = fit(&X);
	ok(out.converged && out.J[out.iterations] == 0, "cosine: each direction is an atom");
	is_near(out.rows.A.v[0] + out.rows.A.v[1], 1, 0, "of length 1");
	X.n = 1;
	how.atoms = 1;
	out = fit(&X);
	ok(out.converged && out.iterations == 0 && out.code.w[0] == 1, "one row is its own atom");
	how.atoms = 2;
	ok(kith_means(&X, &how, &out, &pool, &err) == -1 && err.status == EX_DATAERR,
	    "more atoms than rows");
	is_text(err.msg, "--atoms 2: only 1 rows", "message");
}

/* The mean direction: one atom, cosine; the first singular vector: linear. */
static void
test_one_atom(void)
{
	double v[] = {1, 0, .6, .8, .8, .6}, a[2] = {2.4, 1.4};
	struct kith_mat X = {3, 2, v};
	struct kith_means out;
	const double length = hypot(a[0], a[1]);
	double J = 0;

	how = (struct kith_means_how){KITH_KERN_COSINE, 1, 1, 1, 100, 1e-15, 1};
	out = fit(&X);
	is_near(out.rows.A.v[0] / out.rows.A.v[1], a[0] / a[1], .02, "near the mean direction");
	for (size_t i = 0; i < 3; i++) {
		const double K = .5 + (v[2 * i] * a[0] + v[2 * i + 1] * a[1]) / length / 2;

		J += 1 - K * K;
	}
	ok(out.J[out.iterations] <= J + 1e-12, "no worse than it");
	how.kernel = KITH_KERN_LINEAR;
	how.tol = 1e-16;
	out = fit(&X);
	/* X'X = (2, .96; .96, 1): the sum of squares is 3. */
	is_near(out.J[out.iterations], 3 - (3 + sqrt(1 + 4 * .96 * .96)) / 2, 1e-12,
	    "the first singular vector is the best atom");
}

static void
test_falls(void)
{
	const size_t seeds = getenv("KITH_LONG") ? 400 : 60;
	size_t rises = 0, unproved = 0, iterations = 0, lost = 0, reached = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		struct kith_check proof[KITH_CHECK_NNK];
		const size_t n = 5 + seed % 7 * 11, p = 1 + seed % 5;
		struct kith_mat X;
		struct kith_means out;
		double slack;

		how = (struct kith_means_how){seed % 2 ? KITH_KERN_COSINE : KITH_KERN_LINEAR,
		    1 + seed * 7 % (n < 20 ? n : 20), 1 + seed % 6, seed, 40, 1e-9, 1 + seed % 3};
		X = problem(n, p, seed % 3 == 0);
		unit_rows(&X);
		out = fit(&X);
		slack = 1e-13 * squares(&X);
		for (size_t i = 0; i < out.iterations; i++)
			rises += !(out.J[i + 1] <= out.J[i] + slack);
		iterations += out.iterations;
		lost += out.unused > 0 && out.J[out.iterations] > slack;
		reached += out.converged;
		if (kith_codes_check(&out.rows, &out.code, proof, &err))
			ok(false, "failed: %s", err.msg);
		for (size_t i = 0; i < KITH_CHECK_NNK; i++)
			unproved += !kith_check_ok(&proof[i]) && out.code.doubts == 0;
	}
	ok(iterations > 3 * seeds, "iterations: %zu", iterations);
	ok(reached > seeds / 3, "%zu runs of %zu converged", reached, seeds);
	is_size(rises, 0, "iterations that make J rise");
	is_size(unproved, 0, "codes that are sure, and no solution");
	is_size(lost, 0, "runs that leave atoms unused and rows unexplained");
}

/* N = 1, linear, as plainly as can be. */
struct plain_means {
	const struct kith_mat *X;
	double *a, *w, *J;
	size_t K, *of;
};

static double
dot(const double *r, const double *z, size_t p)
{
	double s = 0;

	for (size_t j = 0; j < p; j++)
		s += r[j] * z[j];
	return s;
}

static double
left(const double *r, const double *a, size_t p, double *w)
{
	double s = 0;

	*w = dot(a, a, p) > 0 ? fmax(dot(r, a, p) / dot(a, a, p), 0) : 0;
	for (size_t j = 0; j < p; j++)
		s += pow(r[j] - *w * a[j], 2);
	return s;
}

static double
plain_code(struct plain_means *it, bool first)
{
	const size_t p = it->X->p;
	double sum = 0;

	for (size_t i = 0; i < it->X->n; i++) {
		const double *r = kith_row(it->X, i);
		double best = INFINITY, w, older;
		size_t at = 0;

		for (size_t l = 0; l < it->K; l++) {
			double d = 0;

			for (size_t j = 0; j < p; j++)
				d += pow(r[j] - it->a[l * p + j], 2);
			if (d < best) {
				best = d;
				at = l;
			}
		}
		it->J[i] = left(r, it->a + at * p, p, &w);
		if (!first && it->w[i] > 0) {
			older = left(r, it->a + it->of[i] * p, p, &it->w[i]);
			if (older < it->J[i]) {
				sum += it->J[i] = older;
				continue;
			}
		}
		it->of[i] = at;
		it->w[i] = w;
		sum += it->J[i];
	}
	return sum;
}

static void
plain_update(struct plain_means *it)
{
	const size_t n = it->X->n, p = it->X->p;

	for (size_t l = 0; l < it->K; l++) {
		double ww = 0;

		for (size_t i = 0; i < n; i++)
			if (it->of[i] == l)
				ww += it->w[i] * it->w[i];
		for (size_t j = 0; j < p && ww > 0; j++)
			it->a[l * p + j] = 0;
		for (size_t i = 0; i < n && ww > 0; i++)
			for (size_t j = 0; it->of[i] == l && j < p; j++)
				it->a[l * p + j] += it->w[i] * it->X->v[i * p + j] / ww;
	}
	for (size_t i = 0; i < n; i++)
		it->J[i] = it->w[i] > 0
		    ? left(kith_row(it->X, i), it->a + it->of[i] * p, p, &(double){0})
		    : dot(kith_row(it->X, i), kith_row(it->X, i), p);
	for (size_t l = 0; l < it->K; l++) {
		size_t worst = 0;
		bool used = false;

		for (size_t i = 0; i < n; i++)
			used = used || (it->of[i] == l && it->w[i] > 0);
		for (size_t i = 1; i < n; i++)
			if (it->J[i] > it->J[worst])
				worst = i;
		if (used || !(it->J[worst] > 0))
			continue;
		it->J[worst] = 0;
		memcpy(it->a + l * p, kith_row(it->X, worst), p * sizeof(*it->a));
	}
}

static void
test_plain(void)
{
	const size_t seeds = getenv("KITH_LONG") ? 300 : 40;
	size_t differ = 0, passes = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const size_t n = 30 + seed % 5 * 20, p = 2 + seed % 4;
		const size_t K = 2 + seed % 6;
		size_t row[8];
		struct kith_mat X;
		struct plain_means it = {.K = K};
		struct kith_means out;
		double J;

		how = (struct kith_means_how){KITH_KERN_LINEAR, K, 1, seed, 6, 0, 1};
		X = problem(n, p, false);
		out = fit(&X);
		kith_means_start(&X, K, seed, 1, row);
		it.X = &X;
		it.a = kith_mat_rows(&X, row, K, &pool).v;
		it.w = kith_new(&pool, n, sizeof(*it.w));
		it.J = kith_new(&pool, n, sizeof(*it.J));
		it.of = kith_new(&pool, n, sizeof(*it.of));
		J = plain_code(&it, true);
		for (size_t i = 0; i <= out.iterations; i++) {
			differ += !(fabs(J - out.J[i]) <= 1e-10 * J);
			passes++;
			if (i == out.iterations)
				break;
			plain_update(&it);
			J = plain_code(&it, false);
		}
		for (size_t e = 0; e < K * p; e++)
			differ += !(fabs(it.a[e] - out.rows.A.v[e]) <= 1e-9);
	}
	ok(passes > 4 * seeds, "%zu passes compared", passes);
	is_size(differ, 0, "numbers that differ from plain loops");
}

/* The weights of rows with their nearest atoms are those of the graph. */
static void
compare_graph(const struct kith_mat *X, const struct kith_means *out, size_t *same, size_t *older,
    size_t *bad)
{
	const struct kith_metric metric = {KITH_SQUARED, X->p, NULL};
	const struct kith_local_rows rows = {&out->rows.A, &metric, X, 0, X->n, 1};
	const struct kith_nnk_how graph_how = {.kernel = how.kernel, .k = how.k, .errors = true};
	const struct kith_nnk nnk = run(&rows, &graph_how);
	const struct kith_graph *g = &nnk.graph;

	for (size_t i = 0; i < X->n; i++) {
		const size_t e = g->start[i], k = g->start[i + 1] - e;
		const size_t *atom = out->code.atom + i * out->code.k;
		const double *w = out->code.w + i * out->code.k;

		if (out->code.count[i] != k || memcmp(atom, g->to + e, k * sizeof(*atom)) != 0) {
			(*older)++;
			*bad += out->code.J[i] > 2 * g->J[i] + 1e-12;
			continue;
		}
		(*same)++;
		for (size_t s = 0; s < k; s++)
			*bad += !(fabs(w[s] - g->w[e + s]) <= 1e-9);
		*bad += !(fabs(out->code.J[i] - 2 * g->J[i]) <= 1e-12);
	}
}

static void
test_graph(void)
{
	for (int kernel = 0; kernel < 2; kernel++) {
		size_t same = 0, older = 0, kept = 0, bad = 0;

		for (size_t seed = 0; seed < 20; seed++) {
			struct kith_mat X;
			struct kith_means out;

			how = (struct kith_means_how){
			    kernel ? KITH_KERN_COSINE : KITH_KERN_LINEAR, 12, 3, seed, 5, 1e-6, 2};
			X = problem(80, 5, false);
			unit_rows(&X);
			out = fit(&X);
			kept += out.code.kept;
			compare_graph(&X, &out, &same, &older, &bad);
		}
		ok(same > 600 && older <= kept, "%zu rows compared, %zu not", same, older);
		is_size(bad, 0, "weights and errors that differ");
	}
}

/* Codes whose columns depend on each other, and an atom without a row. */
static void
test_singular(void)
{
	double a[8] = {9, 9, 8, 8, 7, 7, 6, 6}, worst = 0;
	struct kith_mat X = problem(20, 2, false);
	struct kith_means_rows rows = {KITH_KERN_LINEAR, &X, {4, 2, a}, 2};
	struct kith_codes code = kith_codes_new(20, 3, &pool);
	double before;

	for (size_t i = 0; i < 20; i++) {
		const double w[] = {1 + (double)(i % 3), 2 + 2 * (double)(i % 3), (double)i};

		code.count[i] = 3;
		for (size_t s = 0; s < 3; s++) {
			code.atom[i * 3 + s] = s;
			code.w[i * 3 + s] = w[s];
		}
	}
	before = kith_codes_errors(&rows, &code);
	kith_means_update(&rows, &code);
	ok(kith_codes_sum(&code) < before / 10, "J falls");
	ok(a[6] == 6 && a[7] == 6, "an atom without rows stays");
	for (size_t j = 0; j < 3; j++)
		for (size_t c = 0; c < 2; c++) {
			double g = 0;

			for (size_t i = 0; i < 20; i++) {
				double r = X.v[i * 2 + c];

				for (size_t s = 0; s < 3; s++)
					r -= code.w[i * 3 + s] * a[s * 2 + c];
				g += code.w[i * 3 + j] * r;
			}
			worst = fmax(worst, fabs(g));
		}
	ok(worst < 1e-9, "W'(X - W A) = 0: %g", worst);
}

/* What no row uses is made of what is explained worst. */
static void
test_unused(void)
{
	double v[] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, -1, 0};
	struct kith_mat X = {6, 2, v};
	size_t left_over = 0;

	for (size_t seed = 0; seed < 12; seed++) {
		struct kith_means out;

		how = (struct kith_means_how){KITH_KERN_LINEAR, 4, 2, seed, 20, 0, 1};
		out = fit(&X);
		left_over += out.J[out.iterations] > 0;
	}
	is_size(left_over, 0, "runs that miss one of three directions");
}

static void
test_start(void)
{
	double v[] = {1, 2, 2, 2, 2, 5};
	const struct kith_mat X = {6, 1, v};
	size_t row[6], early = 0;

	for (size_t seed = 0; seed < 30; seed++) {
		bool seen[6] = {false};
		double before = 0;

		kith_means_start(&X, 6, seed, 1 + seed % 3, row);
		for (size_t j = 0; j < 6; j++) {
			before += seen[row[j]];
			seen[row[j]] = true;
		}
		early += before > 0 || (v[row[1]] == 2 && v[row[0]] == 2) ||
		    (v[row[2]] == 2 && (v[row[0]] == 2 || v[row[1]] == 2));
		early += row[3] > row[4] || row[4] > row[5];
	}
	is_size(early, 0, "starts with a copy before all values are there");
}

static void
test_scales(void)
{
	struct kith_mat X, big;
	struct kith_means one, two;
	size_t bad = 0;

	how = (struct kith_means_how){KITH_KERN_LINEAR, 7, 3, 3, 20, 0, 1};
	X = problem(60, 4, false);
	one = fit(&X);
	for (int e = -960; e <= 960; e += 1920) {
		big = kith_mat_new(&pool, 60, 4);
		for (size_t i = 0; i < 240; i++)
			big.v[i] = scalbn(X.v[i], e);
		two = fit(&big);
		for (size_t i = 0; i < 28; i++)
			bad += scalbn(two.rows.A.v[i], two.exponent) != scalbn(one.rows.A.v[i], e);
	}
	is_size(bad, 0, "numbers that are not 2^e times those of other rows");
	big.v[5] = 1e-200;
	ok(kith_means(&big, &how, &two, &pool, &err) == -1 && err.status == EX_DATAERR &&
		strstr(err.msg, "(tabscale?)"),
	    "numbers too far apart: %s", err.msg);
	big.v[5] = 0;
	(void)fit(&big);
	ok(true, "0 is not far from anything");
}

static void
test_threads(void)
{
	struct kith_mat X;
	struct kith_means one, more;
	size_t bad = 0;

	for (int kernel = 0; kernel < 2; kernel++)
		for (size_t threads = 2; threads < 4; threads++) {
			how = (struct kith_means_how){
			    kernel ? KITH_KERN_COSINE : KITH_KERN_LINEAR, 30, 5, 2, 9, 0, 1};
			X = problem(700, 9, false);
			unit_rows(&X);
			one = fit(&X);
			how.threads = threads;
			more = fit(&X);
			for (size_t i = 0; i < 270; i++)
				bad += one.rows.A.v[i] != more.rows.A.v[i];
			for (size_t i = 0; i < 700; i++)
				bad += one.code.J[i] != more.code.J[i];
		}
	is_size(bad, 0, "answers that depend on threads");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_by_hand();
	test_one_atom();
	test_falls();
	test_plain();
	test_graph();
	test_singular();
	test_unused();
	test_start();
	test_scales();
	test_threads();
	kith_pool_free(&pool);
	return done();
}
