/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/nnk.h and lib/nnk/local.h: by hand, and against definitions.
 */
#include "nnk/data.h"

#include <string.h>

/* All weights are positive, though K_q0 < K_q1 K_01. */
static void
test_three(void)
{
	double v[] = {-1.1, 1.1, -0.9, 0.2, -0.4, -0.5}, q[] = {0, 0};
	const struct kith_mat X = {3, 2, v}, Z = {1, 2, q};
	const struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	const struct kith_local_rows rows = {&X, &metric, &Z, 0, 1, 1};
	const struct kith_nnk_how how = {.k = 5, .sigma = {KITH_SIGMA_FIXED, 1}, .errors = true};
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
		ok(out.graph.m == 1 && out.graph.start[1] == 0, "method %d: one row has no edges",
		    method);
		X.n = rows.m = 4;
		out = run(&rows, &how);
		ok(out.graph.start[4] >= 4 && out.graph.w[0] > 0 && out.graph.to[0] == 1,
		    "identical rows: the first one");
		ok(out.lost == 0, "nothing lost");
		if (method == KITH_NNK)
			ok(out.flat && out.graph.w[0] == 1 && out.graph.w[1] == 0 &&
				out.graph.J[3] == 0,
			    "has it all");
	}
	rows.m = 0;
	out = run(&rows, &how);
	ok(out.graph.m == 0 && out.graph.start[0] == 0, "no rows");
}

/* A bandwidth so small that kernels vanish; a row far away. */
static void
test_underflow(void)
{
	double v[] = {0, 30, 70, 200};
	const struct kith_mat X = {4, 1, v};
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, 4, 1};
	struct kith_nnk_how how = {.k = 3, .sigma = {KITH_SIGMA_FIXED, 1}, .errors = true};
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

/* What each method says of weights that are no doubles, and of its doubts. */
static void
test_lost(void)
{
	double v[] = {0, 30, 70, 200};
	const struct kith_mat X = {4, 1, v};
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, 4, 1};

	for (int method = KITH_NNK; method <= KITH_NNK_LLE_SIGNED; method++)
		for (int all = 0; all < 2; all++) {
			const bool pursuit = method == KITH_NNK_MP || method == KITH_NNK_OMP;
			struct kith_nnk_how how = {.k = 3,
			    .method = (enum kith_nnk_method)method,
			    .radius = 1000,
			    .all = all,
			    .sigma = {KITH_SIGMA_FIXED, 1}};
			const bool lle = method >= KITH_NNK_LLE;
			struct kith_nnk out;

			if (all && !pursuit)
				continue;
			out = run(&rows, &how);
			ok(out.lost == (lle ? 0 : 2) && out.doubts == (method == KITH_NNK ? 2 : 0),
			    "method %d: %zu lost, %zu doubts", method, out.lost, out.doubts);
			how.kernel = KITH_KERN_LINEAR;
			out = run(&rows, &how);
			ok(out.lost == 0, "the linear kernel loses none");
		}
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
					d += pow(x[i * P + l] - x[j * P + l], 2);
				count += j != i && sqrt(d) <= how.radius;
			}
			bad += out.graph.start[i + 1] - out.graph.start[i] != count;
		}
	}
	is_size(bad, 0, "rows whose list is not that of the radius");
}

/* Rows of a radius on a grid of 9 x 10 whose sides are 2^e. */
static size_t
count_grid(int e, double radius, const struct kith_local_rows *rows)
{
	const struct kith_nnk_how how = {.method = KITH_NNK_RADIUS, .k = 3, .radius = radius};
	const struct kith_nnk out = run(rows, &how);
	size_t bad = 0;

	for (size_t i = 0; i < N; i++) {
		size_t count = 0;

		for (size_t j = 0; j < N; j++) {
			const size_t row[] = {i / 10, j / 10};
			const double a = (double)row[0] - (double)row[1];
			const double b = (double)(i % 10) - (double)(j % 10);

			count += j != i && !(sqrt(a * a + b * b) > ldexp(radius, -e));
		}
		bad += out.graph.start[i + 1] - out.graph.start[i] != count;
	}
	return bad;
}

/* The limit belongs to the radius, and nothing beyond it, in any units. */
static void
test_radius_limit(void)
{
	double v[2 * N];
	const struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	const struct kith_mat X = {N, 2, v};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, N, 2};
	size_t bad = 0;

	for (int e = -450; e <= 450; e += 150) {
		for (size_t i = 0; i < N; i++) {
			const size_t row = i / 10;

			v[2 * i] = ldexp((double)row, e);
			v[2 * i + 1] = ldexp((double)(i % 10), e);
		}
		for (int s = 0; s <= 41; s++) {
			const double r = ldexp(sqrt(s), e);

			bad += count_grid(e, r, &rows) +
			    count_grid(e, nextafter(r, INFINITY), &rows);
			if (s > 0)
				bad += count_grid(e, nextafter(r, 0), &rows);
		}
		bad += count_grid(e, 1e150, &rows);
	}
	is_size(bad, 0, "rows at a distance of exactly the radius");
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
		for (size_t e = out.graph.start[i]; e < out.graph.start[i + 1]; e++) {
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

/* What is not asked for is not there, and changes nothing else. */
static void
test_bare(void)
{
	struct kith_mat X = {N, P, x};
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	struct kith_nnk_how how = {.k = 15, .errors = true};
	const struct kith_nnk all = run(&rows, &how);
	const size_t edges = all.graph.start[N];
	struct kith_nnk out;

	how.bare = true;
	how.errors = false;
	out = run(&rows, &how);
	ok(all.graph.d && all.graph.J, "distances and errors");
	ok(!out.graph.d && !out.graph.J, "are left out");
	ok(memcmp(out.graph.w, all.graph.w, edges * sizeof(*all.graph.w)) == 0, "the same weights");
	ok(memcmp(out.graph.to, all.graph.to, edges * sizeof(size_t)) == 0, "the same candidates");
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
	ok(kith_nnk(&a, &how, &(struct kith_nnk){0}, &pool, &err) < 0, "distances below 0");
	is_text(err.msg, "the weights make a distance below 0", "are refused");
}

/* Kernels as weights: a row with a copy of itself has no error. */
static void
test_copies(void)
{
	double v[] = {0, 0, 0, 0, 1, 0};
	const struct kith_mat X = {3, 2, v};
	const struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, 3, 1};
	struct kith_nnk_how how = {
	    .method = KITH_NNK_KNN, .k = 1, .sigma = {KITH_SIGMA_FIXED, 1}, .errors = true};
	const double far = exp(-1); /* the square of the kernel of 0 and 2 */
	struct kith_nnk out = run(&rows, &how);

	ok(out.graph.to[0] == 1 && out.graph.w[0] == 1 && out.graph.J[0] == 0, "the copy alone: %g",
	    out.graph.J[0]);
	is_near(out.graph.J[2], (1 - far) / 2, 1e-15, "another row alone");
	how.k = 2;
	out = run(&rows, &how);
	is_near(out.graph.J[0], far / 2, 1e-15, "the copy, and another row");
	is_near(out.graph.J[2], .5, 1e-15, "two copies");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_three();
	test_few();
	test_underflow();
	test_lost();
	test_radius();
	test_radius_limit();
	test_eta();
	test_bare();
	test_matrix();
	test_copies();
	kith_pool_free(&pool);
	return done();
}
