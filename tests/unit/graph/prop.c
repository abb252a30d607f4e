/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/graph/prop*.h against dense equations, by elimination. */
#include "graph/prop.h"
#include "graph/prop_exact.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "graph/graph.h"
#include "graph/prop_check.h"
#include "graph/prop_class.h"
#include "graph/prop_solve.h"
#include "scratch.h"
#include "table/edges.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 420, CLASSES = 3 };

static struct kith_rng rng;
static struct kith_pool pool;
static struct kith_undirected g;
static size_t n, y[MOST];
static double w[MOST * MOST]; /* dense */
static const char *const name[] = {"harmonic", "normalized", "spread", "poisson"};

/* Read the dense weights as a graph. */
static void
settle(void)
{
	const struct kith_ends nodes = {.n = n, .read = n};
	struct kith_err err;
	char *text = kith_new(&pool, n * n * 40 + 64, 1), *at = text;
	const char *files[] = {NULL, NULL};

	at += sprintf(at, "from\tto\tweight\n");
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (w[i * n + j] > 0)
				at += sprintf(at, "%zu\t%zu\t%.17g\n", i + 1, j + 1, w[i * n + j]);
	files[0] = scratch_text(0, text);
	if (kith_undirected_read(files, &nodes, &g, &pool, &err))
		abort();
}

/* A weight 10^-range to 10^range. */
static double
weight(double range)
{
	return pow(10, range * (2 * kith_rng_unit(&rng) - 1));
}

static void
join(size_t i, size_t j, double range)
{
	w[i * n + j] = w[j * n + i] = weight(range);
}

/* A graph of a few shapes: stars, paths, cliques, sparse parts, lone nodes. */
static void
draw(size_t nodes, double range, double labelled)
{
	n = nodes;
	memset(w, 0, sizeof(w));
	for (size_t i = 0; i < n;) {
		const size_t left = n - i;
		const size_t m = 1 + kith_rng_below(&rng, left < 100 ? left : left / 2);
		const uint64_t shape = kith_rng_below(&rng, 4);

		for (size_t k = 1; k < m; k++) {
			const size_t before = i +
			    (shape == 0          ? 0
				    : shape == 1 ? k - 1
						 : kith_rng_below(&rng, k));

			join(i + k, before, range);
			for (size_t l = 0; l < k && shape == 2 && m < 12; l++)
				join(i + k, i + l, range);
			if (shape == 3)
				join(i + k, i + (before - i) / 2, range);
		}
		i += m;
	}
	for (size_t i = 0; i < n; i++) {
		w[i * n + i] = 0;
		y[i] = kith_rng_unit(&rng) < labelled ? kith_rng_below(&rng, CLASSES)
						      : KITH_NO_CLASS;
	}
	settle();
}

/* Solve A X = B, m x m, by elimination with pivots. */
static void
eliminate(size_t m, long double *A, long double *B)
{
	for (size_t j = 0; j < m; j++) {
		size_t p = j;

		for (size_t i = j; i < m; i++)
			if (fabsl(A[i * m + j]) > fabsl(A[p * m + j]))
				p = i;
		for (size_t k = 0; k < m && p != j; k++) {
			const long double t = A[j * m + k];

			A[j * m + k] = A[p * m + k];
			A[p * m + k] = t;
		}
		for (size_t k = 0; k < CLASSES && p != j; k++) {
			const long double t = B[j * CLASSES + k];

			B[j * CLASSES + k] = B[p * CLASSES + k];
			B[p * CLASSES + k] = t;
		}
		for (size_t i = 0; i < m; i++) {
			const long double f = A[i * m + j] / A[j * m + j];

			if (i == j || f == 0)
				continue;
			for (size_t k = j; k < m; k++)
				A[i * m + k] -= f * A[j * m + k];
			for (size_t k = 0; k < CLASSES; k++)
				B[i * CLASSES + k] -= f * B[j * CLASSES + k];
		}
	}
	for (size_t i = 0; i < m * CLASSES; i++)
		B[i] /= A[i / CLASSES * m + i / CLASSES];
}

static long double
label(size_t i, size_t k)
{
	return y[i] == k;
}

/* The equation of node i, as the definitions of graph/prop.h have it. */
static void
equation(enum kith_prop_method method, double alpha, size_t i, const size_t *first, long double *A,
    long double *b)
{
	const long double d = g.d[i];
	const bool poisson = method == KITH_PROP_POISSON;
	const bool given = method <= KITH_PROP_NORMALIZED && y[i] != KITH_NO_CLASS;
	size_t labels = 0;

	for (size_t k = 0; k < CLASSES; k++)
		b[k] = y[i] != KITH_NO_CLASS ? label(i, k) : 0;
	A[i] = 1;
	if (given || d == 0) {
		for (size_t k = 0; k < CLASSES; k++)
			b[k] *= method == KITH_PROP_SPREAD ? 1 - alpha : poisson ? 0 : 1;
		return;
	}
	for (size_t j = 0; j < n; j++) {
		const long double v = w[i * n + j];

		if (j == i || v == 0)
			continue;
		if (method == KITH_PROP_HARMONIC || poisson)
			A[j] = -v / d;
		else
			A[j] = -(method == KITH_PROP_SPREAD ? alpha : 1) * v / sqrtl(d * g.d[j]);
	}
	for (size_t k = 0; k < CLASSES; k++)
		b[k] *= method == KITH_PROP_SPREAD ? 1 - alpha : 1;
	if (!poisson)
		return;
	for (size_t j = 0; j < n; j++)
		labels += g.component[j] == g.component[i] && y[j] != KITH_NO_CLASS;
	for (size_t j = 0; j < n; j++)
		for (size_t k = 0; k < CLASSES; k++)
			if (g.component[j] == g.component[i] && y[j] != KITH_NO_CLASS &&
			    y[i] != KITH_NO_CLASS)
				b[k] -= label(j, k) / (long double)labels;
	for (size_t k = 0; k < CLASSES; k++)
		b[k] /= d;
	if (first[g.component[i]] != i)
		return;
	for (size_t j = 0; j < n; j++)
		A[j] = g.component[j] == g.component[i] ? g.d[j] : 0;
	memset(b, 0, CLASSES * sizeof(*b));
}

/* Scores of the nodes that are reached, by dense equations. */
static long double *
dense(enum kith_prop_method method, double alpha, const bool *reached)
{
	long double *A = kith_new(&pool, n * n, sizeof(*A));
	long double *B = kith_new(&pool, n * CLASSES, sizeof(*B));
	size_t *first = kith_new(&pool, n, sizeof(*first));

	for (size_t i = n; i-- > 0;)
		first[g.component[i]] = i;
	for (size_t i = 0; i < n; i++) {
		if (reached[i])
			equation(method, alpha, i, first, A + i * n, B + i * CLASSES);
		else
			A[i * n + i] = 1;
	}
	eliminate(n, A, B);
	return B;
}

/* What the judge says of the scores as they are, by an exact solution if so. */
static void
judged(const struct kith_prop *p, const struct kith_prop_solved *s, const char *what)
{
	double *X = kith_new(&pool, n * p->ld, sizeof(*X));
	struct kith_gth_error error;
	struct kith_check check[KITH_PROP_CHECKS];
	struct kith_prop_errors errors;
	struct kith_prop_classes classes;
	bool no = false;
	size_t m;

	kith_prop_bound(p, s->z, &errors, &pool);
	if (s->solver == KITH_PROP_GTH)
		errors = kith_prop_bound_exact(p->X, &s->error);
	kith_prop_classify(p, &errors, &classes, &pool);
	if (classes.undecided > 0) {
		memcpy(X, p->X, n * p->ld * sizeof(*X));
		ok(kith_prop_exact(p, X, &error), "%s: fits", what);
		errors = kith_prop_bound_exact(X, &error);
		kith_prop_classify(p, &errors, &classes, &pool);
	}
	m = kith_prop_check(p, &errors, &classes, classes.y, check);
	for (size_t k = 0; k < m; k++) {
		const bool bad = !kith_check_ok(&check[k]) && !kith_check_open(&check[k]);

		if (bad)
			printf("# %s: %s %g\n", what, check[k].check, check[k].value);
		no = no || bad;
	}
	ok(!no, "%s: the judge agrees", what);
}

static void
methods(unsigned seed, size_t nodes)
{
	const double alpha = .3 + .69 * kith_rng_unit(&rng);

	draw(nodes, kith_rng_unit(&rng) < .5 ? 0 : 1.5, .1 + .3 * kith_rng_unit(&rng));
	for (int m = 0; m < 4; m++) {
		const struct kith_prop_labels labels = {y, NULL, CLASSES};
		struct kith_prop_solved s, t;
		struct kith_prop p, q;
		long double *F, most = 0, size = 1;
		char what[64];

		snprintf(what, sizeof(what), "seed %u, %s", seed, name[m]);
		kith_prop_pose(&g, &labels, (enum kith_prop_method)m, alpha, &p, &pool);
		q = p;
		q.X = kith_new(&pool, n * p.ld, sizeof(*q.X));
		memcpy(q.X, p.X, n * p.ld * sizeof(*q.X));
		kith_prop_solve(&p, 1, &s, &pool);
		kith_prop_solve(&q, 3, &t, &pool);
		ok(memcmp(p.X, q.X, n * p.ld * sizeof(*q.X)) == 0, "%s: three threads", what);
		F = dense((enum kith_prop_method)m, alpha, p.reached);
		for (size_t i = 0; i < n * CLASSES; i++) {
			const size_t at = i / CLASSES;

			if (!p.reached[at])
				continue;
			size = fmaxl(size, fabsl(F[i]));
			most = fmaxl(most, fabsl(F[i] - kith_prop_score(&p, at, i % CLASSES)));
		}
		ok(most < 1e-10L * size, "%s: the dense equations (%Lg)", what, most / size);
		judged(&p, &s, what);
	}
}

/* Harmonic scores of nodes 3.. by elimination without subtraction, the last
 * first, into b (n x CLASSES). */
static void
subtractionless(long double *v, long double *s, long double *b)
{
	for (size_t i = n; i-- > 3;) {
		long double d = s[i];

		for (size_t j = 3; j < i; j++)
			d += v[i * n + j];
		for (size_t j = 3; j < i; j++) {
			const long double f = v[i * n + j] / d;

			for (size_t l = 3; l < i; l++)
				v[j * n + l] += l == j ? 0 : f * v[i * n + l];
			s[j] += f * s[i];
			for (size_t k = 0; k < CLASSES; k++)
				b[j * CLASSES + k] += f * b[i * CLASSES + k];
		}
		v[i * n + i] = d;
	}
	for (size_t i = 3; i < n; i++)
		for (size_t k = 0; k < CLASSES; k++) {
			for (size_t j = 3; j < i; j++)
				b[i * CLASSES + k] += v[i * n + j] * b[j * CLASSES + k];
			b[i * CLASSES + k] /= v[i * n + i];
		}
}

/* One component with weights of any size, and labels of three nodes. */
static void
draw_wild(double range)
{
	n = 4 + kith_rng_below(&rng, 40);
	memset(w, 0, sizeof(w));
	for (size_t i = 1; i < n; i++) {
		join(i, kith_rng_below(&rng, i), range);
		if (i > 2)
			join(i, i - 2, range);
	}
	for (size_t i = 0; i < n; i++)
		y[i] = i < 3 ? i : KITH_NO_CLASS;
	settle();
}

static void
wild(unsigned seed, double range)
{
	static long double v[MOST * MOST], s[MOST], b[MOST * CLASSES];
	const struct kith_prop_labels labels = {y, NULL, CLASSES};
	struct kith_prop_solved solved;
	struct kith_prop p;
	long double most = 0, sums = 0;

	draw_wild(range);
	memset(s, 0, sizeof(s));
	memset(b, 0, sizeof(b));
	for (size_t i = 0; i < n * n; i++)
		v[i] = w[i];
	for (size_t i = 3; i < n; i++)
		for (size_t k = 0; k < 3; k++)
			s[i] += b[i * CLASSES + k] = v[i * n + k];
	subtractionless(v, s, b);
	kith_prop_pose(&g, &labels, KITH_PROP_HARMONIC, .5, &p, &pool);
	kith_prop_solve(&p, 1, &solved, &pool);
	for (size_t i = 3; i < n; i++) {
		long double sum = -1;

		for (size_t k = 0; k < CLASSES; k++) {
			const long double due = b[i * CLASSES + k];
			const double x = p.X[i * p.ld + k];

			sum += x;
			if (due > 1e-300L)
				most = fmaxl(most, fabsl(x - due) / due);
		}
		sums = fmaxl(sums, fabsl(sum));
	}
	ok(most < 1e-14L, "seed %u: 1e%g to 1e-%g: relative error %Lg", seed, range, range, most);
	ok(sums < 1e-15L, "seed %u: scores sum to 1", seed);
	judged(&p, &solved, "wild");
}

/* A path between two labels, by hand; a tie in its middle. */
static void
by_hand(void)
{
	const struct kith_prop_labels labels = {y, NULL, 2};
	struct kith_prop_errors errors;
	struct kith_prop_classes classes;
	struct kith_prop_solved s;
	struct kith_prop p;

	n = 6;
	memset(w, 0, sizeof(w));
	for (size_t i = 0; i + 1 < 5; i++)
		w[i * n + i + 1] = w[(i + 1) * n + i] = 1;
	for (size_t i = 0; i < n; i++)
		y[i] = KITH_NO_CLASS;
	y[0] = 0;
	y[4] = 1;
	settle();
	kith_prop_pose(&g, &labels, KITH_PROP_HARMONIC, .5, &p, &pool);
	kith_prop_solve(&p, 1, &s, &pool);
	ok(p.X[1 * p.ld] == .75 && p.X[2 * p.ld + 1] == .5, "a path");
	is_size(p.unreached, 1, "a lone node");
	errors = kith_prop_bound_exact(p.X, &s.error);
	kith_prop_classify(&p, &errors, &classes, &pool);
	ok(classes.tied == 1 && classes.undecided == 0 && classes.y[2] == 0 && classes.y[3] == 1 &&
		classes.y[5] == KITH_NO_CLASS,
	    "the middle is tied, and of the first class");
	p.X[3 * p.ld] += 1e-9;
	errors.exact = kith_new(&pool, n * p.ld, sizeof(double));
	kith_prop_classify(&p, &errors, &classes, &pool);
	ok(classes.undecided == 2, "errors of 1 decide nothing");
}

/* Numbers: the mean of the ends, by distance. */
static void
numbers(void)
{
	double u[6];
	const struct kith_prop_labels labels = {NULL, u, 1};
	struct kith_prop_solved s;
	struct kith_prop p;

	for (size_t i = 0; i < n; i++)
		u[i] = NAN;
	u[0] = 0;
	u[4] = 1;
	kith_prop_pose(&g, &labels, KITH_PROP_HARMONIC, .5, &p, &pool);
	kith_prop_solve(&p, 1, &s, &pool);
	ok(p.X[1] == .25 && p.X[2] == .5 && p.X[3] == .75, "numbers");
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const bool many = more && *more == '1';

	by_hand();
	numbers();
	for (unsigned seed = 1; seed <= (many ? 500U : 60U); seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		methods(seed, 2 + kith_rng_below(&rng, 50));
		wild(seed, 300);
		wild(seed, 20);
		kith_pool_free(&pool);
	}
	for (unsigned seed = 1; seed <= (many ? 20U : 3U); seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		methods(1000 + seed, MOST);
		kith_pool_free(&pool);
	}
	return done();
}
