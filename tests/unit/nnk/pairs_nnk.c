/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/pairs_nnk.h: by distances or similarities of all rows the
 * graph is that of the rows; and by hand.
 */
#include "nnk/pairs_nnk.h"

#include "nnk/data.h"
#include "nnk/pairs.h"
#include "scratch.h"
#include "table/ends.h"

#include <string.h>

static struct kith_pairs pairs;
static const struct kith_ends all = {.n = N, .read = N};
static const struct kith_ends five = {.n = 5, .read = 5};

static void
parse(enum kith_pairs_of of, const struct kith_ends *rows, const char *lines)
{
	char *text = kith_new(&pool, strlen(lines) + 64, 1);

	sprintf(
	    text, "from\tto\t%s\n%s", of == KITH_PAIRS_DISTANCE ? "distance" : "similarity", lines);
	if (kith_pairs_read(scratch_text(0, text), of, rows, rows, &pairs, &pool, &err)) {
		ok(false, "failed: %s", err.msg);
		exit(1);
	}
}

/* Pairs of all rows x: distances, or cosine kernels times 2^e. */
static void
know(enum kith_pairs_of of, int e)
{
	char *text = kith_new(&pool, N * N, 40), *at = text;

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j <= i; j++) {
			double d = 0, product = 0;

			for (size_t f = 0; f < P; f++) {
				const double a = x[i * P + f], b = x[j * P + f];

				d += (a - b) * (a - b);
				product += a * b;
			}
			at += sprintf(at, "%zu\t%zu\t%.17g\n", i + 1, j + 1,
			    of == KITH_PAIRS_DISTANCE ? sqrt(d) : ldexp(.5 + product / 2, e));
		}
	parse(of, &all, text);
}

static struct kith_pairs_nnk
solve(const struct kith_nnk_how *how, size_t first, size_t m, size_t threads)
{
	struct kith_pairs_nnk out;

	if (kith_pairs_nnk(&pairs, first, m, how, threads, &out, &pool, &err)) {
		ok(false, "failed: %s", err.msg);
		exit(1);
	}
	return out;
}

/* By how much two graphs differ; infinite where their lists do. */
static double
differ(const struct kith_graph *a, const struct kith_graph *b, double unit)
{
	double worst = 0;

	if (a->m != b->m || memcmp(a->start, b->start, (a->m + 1) * sizeof(size_t)) != 0)
		return INFINITY;
	for (size_t e = 0; e < a->start[a->m]; e++) {
		worst = a->to[e] == b->to[e] ? worst : INFINITY;
		worst = fmax(worst, fabs(a->w[e] - b->w[e]));
		if (a->d && b->d)
			worst = fmax(worst, fabs(a->d[e] - b->d[e]));
	}
	for (size_t i = 0; i < a->m && a->J; i++)
		worst = fmax(worst, fabs(a->J[i] / unit - b->J[i]));
	return worst;
}

/* The rows, by pairs and as they are; on threads, and the last 70 alone. */
static void
compare(struct kith_nnk_how how, int e, const char *name)
{
	const struct kith_mat X = {N, P, x};
	struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	const bool distances = pairs.of == KITH_PAIRS_DISTANCE;
	struct kith_nnk_how as_rows = how;
	struct kith_nnk due;
	struct kith_pairs_nnk got, more;

	as_rows.kernel = distances ? KITH_KERN_GAUSSIAN : KITH_KERN_COSINE;
	as_rows.eta = ldexp(how.eta, -e);
	due = run(&rows, &as_rows);
	got = solve(&how, 0, N, 1);
	ok(differ(&got.nnk.graph, &due.graph, ldexp(1, e)) < 1e-11, "%s: the graph of the rows",
	    name);
	ok((got.nnk.graph.d != NULL) == (distances && !how.bare) &&
		(got.nnk.graph.J != NULL) == how.errors,
	    "what is asked for");
	is_near(got.nnk.sigma, distances ? due.sigma : 0, 1e-14, "bandwidth");
	ok(got.indefinite == 0 && got.nnk.residual <= 1e-13 && got.nnk.lost == due.lost &&
		got.nnk.doubts == 0,
	    "nothing to say of it");
	ok((got.nnk.residual > 0) == (how.method == KITH_NNK && how.k > 1),
	    "but what rounding leaves: %g", got.nnk.residual);
	more = solve(&how, 0, N, 3);
	ok(differ(&more.nnk.graph, &got.nnk.graph, 1) == 0 &&
		more.nnk.residual == got.nnk.residual && more.nnk.lost == got.nnk.lost,
	    "three threads");
	rows.first = 20;
	rows.m = 70;
	due = run(&rows, &as_rows);
	got = solve(&how, 20, 70, 2);
	ok(got.nnk.graph.first == 20 && differ(&got.nnk.graph, &due.graph, ldexp(1, e)) < 1e-11,
	    "the last 70 rows");
}

static void
test_distances(void)
{
	struct kith_nnk_how how = {.k = 9, .errors = true};

	draw(0);
	know(KITH_PAIRS_DISTANCE, 0);
	compare(how, 0, "distances");
	how.bare = true;
	how.errors = false;
	compare(how, 0, "bare");
	how = (struct kith_nnk_how){.k = 12, .errors = true, .eta = .2};
	compare(how, 0, "eta");
	how.sigma.rule = KITH_SIGMA_LOCAL;
	compare(how, 0, "local bandwidths");
	how.sigma = (struct kith_sigma){KITH_SIGMA_FIXED, .01};
	how.eta = 0;
	compare(how, 0, "a small bandwidth");
	how.sigma.value = .001;
	how.method = KITH_NNK_KNN;
	how.k = 1;
	how.errors = false;
	compare(how, 0, "one too small for some");
	how = (struct kith_nnk_how){.method = KITH_NNK_KNN, .k = 89};
	how.errors = true;
	compare(how, 0, "knn");
}

static void
test_similarities(void)
{
	struct kith_mat X = {N, P, x};
	size_t bad;

	draw(0);
	(void)kith_kern_unit_rows(&X, &plain, &bad);
	for (int e = -400; e <= 400; e += 400) {
		/* k <= P: the solution is one. */
		struct kith_nnk_how how = {.k = 3, .errors = true};

		know(KITH_PAIRS_SIMILARITY, e);
		compare(how, e, "similarities");
		how.eta = ldexp(.3, e);
		compare(how, e, "with eta");
		how.method = KITH_NNK_KNN;
		how.eta = 0;
		if (e == 0) /* w = K_Sq has the unit of the similarities */
			compare(how, e, "knn");
	}
}

/* Lists shorter than k, none at all, and weights that are no doubles. */
static void
test_hand(void)
{
	const struct kith_nnk_how how = {.k = 3, .sigma = {KITH_SIGMA_FIXED, 1}, .errors = true};
	struct kith_nnk_how eta = how, knn = how;
	struct kith_pairs_nnk got;

	parse(KITH_PAIRS_DISTANCE, &five, "1\t2\t1\n1\t3\t0\n2\t3\t1\n4\t5\t50\n");
	got = solve(&how, 0, 5, 2);
	ok(got.nnk.graph.start[5] == 8, "as many candidates as there are");
	/* Row 1: copy 3 has it all; row 2: 1 and 3 are the same, one has it. */
	ok(got.nnk.graph.to[0] == 2 && got.nnk.graph.w[0] == 1 && got.nnk.graph.to[1] == 1 &&
		got.nnk.graph.w[1] == 0 && got.nnk.graph.J[0] == 0,
	    "the copy alone");
	is_near(got.nnk.graph.w[2] + got.nnk.graph.w[3], exp(-.5), 1e-15, "two copies");
	is_near(got.nnk.graph.J[1], (1 - exp(-1)) / 2, 1e-15, "their error");
	is_size(got.nnk.lost, 2, "exp(-50^2/2) is no double");
	eta.eta = .7;
	got = solve(&eta, 0, 5, 2);
	ok(got.nnk.lost == 0 && got.nnk.graph.w[2] == 0, "eta says so");
	is_near(got.nnk.graph.w[0], .3, 1e-15, "1 - eta");
	knn.method = KITH_NNK_KNN;
	knn.eta = .7;
	got = solve(&knn, 0, 5, 2);
	is_near(got.nnk.graph.w[1], exp(-.5), 1e-15, "knn knows none");
	is_size(got.nnk.lost, 2, "and loses them");
	parse(KITH_PAIRS_SIMILARITY, &five, "1\t2\t.5\n");
	eta.eta = .2;
	got = solve(&eta, 0, 5, 2);
	is_near(got.nnk.graph.w[0], .3, 1e-16, "eta, of one candidate");
	is_near(got.nnk.graph.J[1], (1 - .5 * .5 + .2 * .2) / 2, 1e-15, "J");
	is_near(got.nnk.graph.J[4], 0, 0, "of no candidate nothing is known");
	got = solve(&how, 3, 0, 1);
	ok(got.nnk.graph.start[0] == 0 && got.nnk.graph.m == 0, "no rows");
}

/* Rows whose candidates have no kernel are counted, the first is named. */
static void
test_indefinite(void)
{
	const struct kith_nnk_how how = {.k = 3};
	struct kith_pairs_nnk got;

	for (size_t threads = 1; threads < 3; threads++) {
		/* Of rows 2 3 4, not of 1 .. 4 without one of them. */
		parse(KITH_PAIRS_SIMILARITY, &five,
		    "1\t2\t.1\n1\t3\t.2\n1\t4\t.3\n2\t3\t.9\n3\t4\t.9\n"
		    "2\t4\t-.9\n");
		got = solve(&how, 0, 5, threads);
		ok(got.indefinite == 1 && got.first == 0, "row 1");
		parse(KITH_PAIRS_SIMILARITY, &five,
		    "5\t2\t.1\n5\t3\t.2\n5\t4\t.3\n2\t3\t.9\n3\t4\t.9\n"
		    "2\t4\t-.9\n1\t2\t.01\n1\t3\t.02\n1\t4\t.3\n1\t5\t-.2\n");
		got = solve(&how, 1, 4, threads);
		ok(got.indefinite == 1 && got.first == 4, "row 5");
		/* K = 1 1; 1 1: semidefinite, up to rounding. */
		parse(KITH_PAIRS_SIMILARITY, &five, "1\t2\t.5\n1\t3\t.5\n2\t3\t1\n");
		got = solve(&how, 0, 3, threads);
		is_size(got.indefinite, 0, "singular is no harm");
		parse(KITH_PAIRS_SIMILARITY, &five, "1\t2\t.5\n1\t3\t.5\n2\t3\t1.0000000001\n");
		got = solve(&how, 0, 3, threads);
		is_size(got.indefinite, 1, "a little more is");
	}
}

static void
lacks(const char *what, size_t first, size_t m, const char *message)
{
	const struct kith_nnk_how how = {.k = 3};
	struct kith_nnk_how knn = {.k = 3, .method = KITH_NNK_KNN};
	struct kith_pairs_nnk out;

	for (size_t threads = 1; threads < 3; threads++) {
		ok(kith_pairs_nnk(&pairs, first, m, &how, threads, &out, &pool, &err) == -1 &&
			err.status == EX_DATAERR && err.line == 0 &&
			strcmp(err.file, scratch_path[0]) == 0,
		    "%s", what);
		is_text(err.msg, message, "says which");
		ok(!kith_pairs_nnk(&pairs, first, m, &knn, threads, &out, &pool, &err),
		    "knn needs none");
		knn.errors = true;
		ok(kith_pairs_nnk(&pairs, first, m, &knn, threads, &out, &pool, &err) == -1,
		    "its errors do");
		knn.errors = false;
	}
}

static void
test_lacking(void)
{
	parse(KITH_PAIRS_DISTANCE, &five, "1\t2\t1\n1\t3\t2\n2\t3\t1\n4\t5\t5\n4\t2\t1\n");
	lacks("two candidates without a pair", 0, 5,
	    "no distance of '1' and '4', which row '2' needs");
	lacks("of some rows", 3, 2, "no distance of '2' and '5', which row '4' needs");
	parse(KITH_PAIRS_SIMILARITY, &five, "1\t1\t2\n1\t2\t.5\n");
	lacks("rows with themselves", 0, 2,
	    "no similarity of '2' with itself, though others have one");
	lacks("of one", 1, 1, "no similarity of '2' with itself, though others have one");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_distances();
	test_similarities();
	test_hand();
	test_indefinite();
	test_lacking();
	kith_pool_free(&pool);
	return done();
}
