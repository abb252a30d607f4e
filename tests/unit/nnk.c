/*
 * Tests of lib/nnk.h and lib/local.h: by hand, and by what must not matter:
 * threads, shards, the order of rows, units.
 */
#include "nnk.h"

#include "err.h"
#include "mat.h"
#include "metric.h"
#include "pool.h"
#include "rng.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N ((size_t)90)
#define P ((size_t)3)

static const struct kith_sigma automatic = {KITH_SIGMA_AUTO, 0};
static const struct kith_metric plain = {KITH_SQUARED, P, NULL};
static struct kith_pool pool;
static struct kith_err err;
static struct kith_rng rng;
static double x[N * P];

static void
draw(double grid)
{
	for (size_t i = 0; i < N * P; i++) {
		x[i] = 0.1 + kith_rng_unit(&rng);
		if (grid > 0)
			x[i] = ceil(x[i] * grid) / grid;
	}
}

static struct kith_nnk
run(const struct kith_local_rows *rows, const struct kith_nnk_how *how)
{
	struct kith_nnk out;

	if (kith_nnk(rows, how, &out, &pool, &err))
		ok(false, "failed: %s", err.msg);
	return out;
}

static bool
same(const struct kith_graph *a, const struct kith_graph *b)
{
	const size_t edges = a->start[a->m];

	return a->m == b->m &&
	    memcmp(a->start, b->start, (a->m + 1) * sizeof(*a->start)) == 0 &&
	    memcmp(a->to, b->to, edges * sizeof(*a->to)) == 0 &&
	    memcmp(a->w, b->w, edges * sizeof(*a->w)) == 0 &&
	    memcmp(a->d, b->d, edges * sizeof(*a->d)) == 0 &&
	    memcmp(a->J, b->J, a->m * sizeof(*a->J)) == 0;
}

/* All weights are positive, though K_q0 < K_q1 K_01. */
static void
test_three(void)
{
	double v[] = {-1.1, 1.1, -0.9, 0.2, -0.4, -0.5}, q[] = {0, 0};
	const struct kith_mat X = {3, 2, v}, Z = {1, 2, q};
	const struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	const struct kith_local_rows rows = {&X, &metric, &Z, 0, 1, 1};
	const struct kith_nnk_how how = {
	    .k = 5, .sigma = {KITH_SIGMA_FIXED, 1}, .errors = true};
	const struct kith_nnk out = run(&rows, &how);
	const struct kith_graph *g = &out.graph;

	is_size(g->start[1], 3, "k is cut to what there is");
	ok(g->to[0] == 2 && g->to[1] == 1 && g->to[2] == 0, "nearest first");
	is_near(g->w[0], 0.7261296, 5e-8, "theta 2");
	is_near(g->w[1], 0.1057733, 5e-8, "theta 1");
	is_near(g->w[2], 0.0710248, 5e-8, "theta 0");
	is_near(g->d[0], sqrt(0.41), 1e-15, "distances");
	is_near(out.sigma, 1, 0, "the bandwidth");
}

static void
test_few(void)
{
	double v[] = {1, 2, 1, 2, 1, 2, 1, 2};
	struct kith_mat X = {1, 2, v};
	const struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	struct kith_local_rows rows = {&X, &metric, NULL, 0, 1, 2};
	struct kith_nnk_how how = {.k = 30, .errors = true};
	struct kith_nnk out;

	for (int method = KITH_NNK; method <= KITH_NNK_LLE_GRAM; method++) {
		how.method = (enum kith_nnk_method)method;
		how.all = method == KITH_NNK_OMP;
		X.n = rows.m = 1;
		out = run(&rows, &how);
		ok(out.graph.m == 1 && out.graph.start[1] == 0,
		    "method %d: one row has no edges", method);
		X.n = rows.m = 4;
		out = run(&rows, &how);
		ok(out.graph.start[4] >= 4 && out.graph.w[0] > 0 &&
			out.graph.to[0] == 1,
		    "identical rows: the first one");
		ok(out.lost == 0, "nothing lost");
		if (method == KITH_NNK)
			ok(out.flat && out.graph.w[0] == 1 &&
				out.graph.w[1] == 0 && out.graph.J[3] == 0,
			    "has it all");
	}
	rows.m = 0;
	out = run(&rows, &how);
	ok(out.graph.m == 0 && out.graph.start[0] == 0, "no rows");
}

/* Threads, shards, and candidates found elsewhere. */
static void
test_parts(struct kith_nnk_how how, const char *name)
{
	struct kith_mat X = {N, P, x};
	struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	const struct kith_nnk whole = run(&rows, &how);
	const struct kith_graph *g = &whole.graph;
	struct kith_nnk part;
	bool good = true;

	for (rows.threads = 2; rows.threads <= 3; rows.threads++) {
		part = run(&rows, &how);
		ok(same(g, &part.graph) && part.residual == whole.residual,
		    "%s: %zu threads", name, rows.threads);
	}
	for (size_t size = 1; size <= 7; size += 2)
		for (rows.first = 0; rows.first < N; rows.first += size) {
			const size_t i = rows.first;
			struct kith_graph slice = *g;

			rows.m = size < N - i ? size : N - i;
			part = run(&rows, &how);
			slice.m = rows.m;
			slice.start = kith_new(
			    &pool, rows.m + 1, sizeof(*slice.start));
			for (size_t l = 0; l <= rows.m; l++)
				slice.start[l] = g->start[i + l] - g->start[i];
			slice.to += g->start[i];
			slice.w += g->start[i];
			slice.d += g->start[i];
			slice.J += i;
			good = good && same(&slice, &part.graph);
		}
	ok(good, "shards of 1, 3, 5 and 7 rows");
	if (how.all || how.method == KITH_NNK_RADIUS)
		return;
	rows.first = 0;
	rows.m = N;
	how.given = g;
	part = run(&rows, &how);
	ok(same(g, &part.graph), "the same candidates, given");
}

static void
test_all_parts(void)
{
	struct kith_nnk_how how = {.k = 12, .radius = 0.2, .errors = true};

	draw(5);
	how.sigma.rule = KITH_SIGMA_LOCAL;
	test_parts(how, "local bandwidths");
	how.sigma = automatic;
	test_parts(how, "nnk");
	how.eta = 0.05;
	test_parts(how, "eta");
	how.kernel = KITH_KERN_LINEAR;
	test_parts(how, "linear");
	how.kernel = KITH_KERN_GAUSSIAN;
	how.method = KITH_NNK_KNN;
	test_parts(how, "knn");
	how.method = KITH_NNK_RADIUS;
	test_parts(how, "radius");
	how.method = KITH_NNK_LLE;
	test_parts(how, "lle");
	how.method = KITH_NNK_LLE_GRAM;
	test_parts(how, "lle-gram");
	how.method = KITH_NNK_MP;
	test_parts(how, "mp");
	how.method = KITH_NNK_OMP;
	test_parts(how, "omp");
	how.all = true;
	test_parts(how, "omp of all");
}

/* Weights do not change with the units of the data, to the bit. */
static void
test_units(void)
{
	static const int exponent[] = {-1000, -900, 900, 1020};
	struct kith_mat X = {N, P, x};
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	struct kith_nnk_how how = {.k = 9};
	double copy[N * P];

	draw(0);
	memcpy(copy, x, sizeof(x));
	for (int method = KITH_NNK; method <= KITH_NNK_LLE_GRAM; method++) {
		bool good = true;
		struct kith_nnk due;

		if (method == KITH_NNK_RADIUS)
			continue;
		how.method = (enum kith_nnk_method)method;
		memcpy(x, copy, sizeof(x));
		due = run(&rows, &how);
		for (size_t e = 0; e < 4; e++) {
			struct kith_nnk out;

			for (size_t i = 0; i < N * P; i++)
				x[i] = scalbn(copy[i], exponent[e]);
			out = run(&rows, &how);
			for (size_t i = 0; i < due.graph.start[N]; i++)
				good = good &&
				    fabs(out.graph.w[i] - due.graph.w[i]) <=
					1e-12 * due.graph.w[i];
		}
		ok(good, "method %d: from 1e-300 to 1e307", method);
	}
	how.method = KITH_NNK;
	how.kernel = KITH_KERN_LINEAR;
	for (size_t i = 0; i < N * P; i++)
		x[i] = i < P * 10 ? scalbn(copy[i], -900) : copy[i];
	ok(run(&rows, &how).residual <= 1e-12, "linear, rows of all sizes");
}

/* The graph of permuted rows is the permuted graph. */
static void
test_permuted(void)
{
	struct kith_mat X = {N, P, x};
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	const struct kith_nnk_how how = {.k = 15, .errors = true};
	double *W = kith_new(&pool, N * N, sizeof(*W));
	double copy[N * P], worst = 0;
	struct kith_nnk out;
	size_t to[N];

	draw(0);
	out = run(&rows, &how);
	for (size_t i = 0; i < N; i++)
		for (size_t e = out.graph.start[i]; e < out.graph.start[i + 1];
		     e++)
			W[i * N + out.graph.to[e]] = out.graph.w[e];
	for (size_t i = 0; i < N; i++)
		to[i] = i;
	kith_rng_shuffle(&rng, to, N);
	memcpy(copy, x, sizeof(x));
	for (size_t i = 0; i < N; i++)
		memcpy(x + to[i] * P, copy + i * P, P * sizeof(*x));
	out = run(&rows, &how);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			const size_t s = out.graph.start[to[i]];

			for (size_t e = s; e < out.graph.start[to[i] + 1]; e++)
				if (out.graph.to[e] == to[j])
					worst = fmax(worst,
					    fabs(
						W[i * N + j] - out.graph.w[e]));
		}
	ok(worst <= 1e-11, "permuted: %.1e", worst);
}

/* A bandwidth so small that kernels vanish; a row far away. */
static void
test_underflow(void)
{
	double v[] = {0, 30, 70, 200};
	const struct kith_mat X = {4, 1, v};
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, 4, 1};
	struct kith_nnk_how how = {
	    .k = 3, .sigma = {KITH_SIGMA_FIXED, 1}, .errors = true};
	struct kith_nnk out = run(&rows, &how);

	is_near(log(out.graph.w[0]), -450, 1e-12, "exp(-30^2/2)");
	is_size(out.lost, 2, "exp(-40^2/2) and exp(-130^2/2) are no doubles");
	ok(out.residual <= 1e-12, "solved all the same");
	is_near(out.graph.J[3], 0.5, 0, "nothing is explained");
	how.method = KITH_NNK_OMP;
	how.all = true;
	out = run(&rows, &how);
	is_near(log(out.graph.w[0]), -450, 1e-12, "of all rows, too");
}

static void
test_radius(void)
{
	struct kith_mat X = {N, P, x};
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	struct kith_nnk_how how = {.method = KITH_NNK_RADIUS, .k = 3};
	size_t bad = 0;

	draw(4);
	for (size_t quarters = 0; quarters < 8; quarters++) {
		struct kith_nnk out;

		how.radius = (double)quarters / 4;
		out = run(&rows, &how);
		for (size_t i = 0; i < N; i++) {
			size_t count = 0;

			for (size_t j = 0; j < N; j++) {
				double d = 0;

				for (size_t l = 0; l < P; l++)
					d += pow(
					    x[i * P + l] - x[j * P + l], 2);
				count += j != i && sqrt(d) <= how.radius;
			}
			bad += out.graph.start[i + 1] - out.graph.start[i] !=
			    count;
		}
	}
	is_size(bad, 0, "rows whose list is not that of the radius");
}

/* Proposition 2, and what the l1 term does not change: J is eq. (5). */
static void
test_eta(void)
{
	struct kith_mat X = {N, P, x};
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	struct kith_nnk_how how = {.k = 15, .errors = true};
	const struct kith_nnk none = run(&rows, &how);
	size_t edges = 0, bad = 0, better = 0;
	struct kith_nnk out;

	how.eta = 0.3;
	out = run(&rows, &how);
	for (size_t i = 0; i < N; i++)
		for (size_t e = out.graph.start[i]; e < out.graph.start[i + 1];
		     e++) {
			const double d = out.graph.d[e] / out.sigma;

			edges += out.graph.w[e] > 0;
			bad += exp(-d * d / 2) < 0.3 && out.graph.w[e] > 0;
			better += out.graph.J[i] < none.graph.J[i];
		}
	ok(edges > 0 && bad == 0, "no weight where K_Sq < eta");
	is_size(better, 0, "rows with a smaller error than without eta");
	how.eta = 2;
	out = run(&rows, &how);
	edges = 0;
	for (size_t e = 0; e < out.graph.start[N]; e++)
		edges += out.graph.w[e] > 0;
	is_size(edges, 0, "edges for eta > 1");
	is_near(out.graph.J[5], 0.5, 0, "J = K_qq / 2");
	is_size(out.lost, 0, "none of them lost");
}

/* Matrices of weights: as a vector when diagonal, else with A' A of A x. */
static void
test_matrix(void)
{
	double W[P * P] = {4, 2, 0, 2, 1, 0, 0, 0, 9}, copy[N * P], v[2 * N];
	struct kith_mat X = {N, P, x}, Y = {N, 2, v};
	struct kith_metric metric = {KITH_SQUARED_MATRIX, P, W};
	const struct kith_metric two = {KITH_SQUARED, 2, NULL};
	const struct kith_local_rows a = {&X, &metric, NULL, 0, N, 1};
	const struct kith_local_rows b = {&Y, &two, NULL, 0, N, 1};
	struct kith_nnk_how how = {.k = 6, .errors = true};

	draw(0);
	memcpy(copy, x, sizeof(x));
	for (size_t i = 0; i < N; i++) {
		v[2 * i] = 2 * x[i * P] + x[i * P + 1];
		v[2 * i + 1] = 3 * x[i * P + 2];
	}
	for (int method = KITH_NNK; method <= KITH_NNK_LLE_GRAM; method++) {
		double worst = 0;
		struct kith_nnk s, t;

		if (method == KITH_NNK_RADIUS || method == KITH_NNK_LLE)
			continue; /* lle: k > p + 1, not unique */
		how.method = (enum kith_nnk_method)method;
		s = run(&a, &how);
		t = run(&b, &how);
		for (size_t e = 0; e < s.graph.start[N]; e++)
			worst = fmax(worst, fabs(s.graph.w[e] - t.graph.w[e]));
		ok(worst <= 1e-9, "method %d, a matrix: %.1e", method, worst);
	}
	W[1] = W[P] = 5;
	ok(kith_nnk(&a, &how, &(struct kith_nnk){0}, &pool, &err) < 0,
	    "distances below 0");
	is_text(err.msg, "the weights make a distance below 0", "are refused");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_three();
	test_few();
	test_all_parts();
	test_units();
	test_permuted();
	test_underflow();
	test_radius();
	test_eta();
	test_matrix();
	kith_pool_free(&pool);
	return done();
}
