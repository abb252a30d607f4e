/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/say/nnk_run.h: the edges of k nearest rows against all distances,
 * and graphs that are solved for against their own verdicts.
 */
#include "say/nnk_run.h"

#include "nnk_rows.h"

/* Whether j is among the K nearest rows of i. */
static bool
has(size_t i, size_t j)
{
	size_t nearer = 0;

	for (size_t l = 0; l < N; l++)
		nearer += l != i && D[i * N + l] < D[i * N + j];
	return i != j && nearer < K;
}

/* The weight of i and j by a rule. */
static double
weight(size_t i, size_t j, enum kith_symm rule)
{
	const double w = exp(-D[i * N + j] * D[i * N + j] / SIGMA / SIGMA / 2);
	const int sides = has(i, j) + has(j, i);

	if (rule == KITH_SYMM_NONE)
		return has(i, j) ? w : 0;
	if (j < i)
		return 0;
	return rule == KITH_SYMM_MAX ? w * (sides > 0)
	    : rule == KITH_SYMM_MIN  ? w * (sides > 1)
				     : w * sides / 2;
}

static void
test_knn(enum kith_symm rule, size_t of)
{
	double due[N * N * 4];
	struct kith_nnk_run r;
	size_t n = 0, edges = 0;

	ask(&r, KITH_NNK_KNN, rule);
	r.rows.first = (of - 1) * N / 3 * (rule == KITH_SYMM_NONE);
	if (rule == KITH_SYMM_NONE)
		r.rows.m = of * N / 3 - r.rows.first;
	for (size_t i = r.rows.first; i < r.rows.first + r.rows.m; i++)
		for (size_t j = 0; j < N; j++) {
			const double w = weight(i, j, rule);

			if (!(w > 0))
				continue;
			edges++;
			due[n++] = (double)(i + 1);
			due[n++] = (double)(j + 1);
			due[n++] = w;
			due[n++] = D[i * N + j];
		}
	said();
	prints_cells(
	    graph(&r, 0), "from\tto\tweight\tdistance\n", due, n, "edges of the nearest rows");
	ok(strstr(said(), "log: edges ") && edges > 0, "they are told");
	kith_pool_free(&r.pool);
}

/* Rows that are known by their distances, or by similarities, alone. */
static void
test_pairs(enum kith_pairs_of of)
{
	const bool distances = of == KITH_PAIRS_DISTANCE;
	static char text[PRINTED];
	double due[N * N * 3];
	struct kith_nnk_run r;
	const char *got;
	char *at = text;
	size_t n = 0;

	at += sprintf(at, "from\tto\t%s\n", distances ? "distance" : "similarity");
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			const double w = weight(i, j, KITH_SYMM_NONE);
			const double k = exp(-D[i * N + j] * D[i * N + j] / SIGMA / SIGMA / 2);

			if (j > i)
				at += sprintf(at, "%zu\t%zu\t%.17g\n", i + 1, j + 1,
				    distances ? D[i * N + j] : k);
			if (!(w > 0))
				continue;
			due[n++] = (double)(i + 1);
			due[n++] = (double)(j + 1);
			due[n++] = w;
		}
	ask(&r, KITH_NNK_KNN, KITH_SYMM_NONE);
	r.form.distance = false;
	if (kith_pairs_read(
		scratch_text(1, text), of, &r.in.to, &r.in.to, &r.pairs, &r.pool, &error))
		abort();
	said();
	prints_cells(graph(&r, 0), "from\tto\tweight\n", due, n, "edges of pairs");
	got = said();
	ok((strstr(got, "log: sigma 0.4\n") != NULL) == distances && strstr(got, "log: residual "),
	    "a bandwidth is that of distances");
	kith_pool_free(&r.pool);
}

/* The verdict on edges. */
static const char *
verdict(struct kith_nnk_run *r, const char *edges, int due)
{
	struct kith_out out;

	ok(kith_nnk_run_check(r, scratch_text(1, edges), &out, &error) == due, "status %d", due);
	return printed(&out);
}

/* What is solved for is proved; twice the weights are not. */
static void
test_check(enum kith_nnk_method method)
{
	static char text[PRINTED], twice[PRINTED];
	double v[4 * N * N] = {0};
	struct kith_nnk_run r;
	size_t n;
	char *at = twice;

	ask(&r, method, KITH_SYMM_NONE);
	snprintf(text, sizeof(text), "%s", graph(&r, 0));
	ok(!strstr(verdict(&r, text, 0), "\tno\n"), "a graph is proved");
	n = printed_cells(text, v, sizeof(v) / sizeof(*v));
	at += sprintf(at, "from\tto\tweight\n");
	for (size_t i = 0; i < n; i += 4)
		at += sprintf(at, "%g\t%g\t%.17g\n", v[i], v[i + 1], v[i + 2] * 2);
	ok(strstr(verdict(&r, twice, 1), "\tno\n"), "twice the weights");
	at = twice + sprintf(twice, "%s", text);
	sprintf(at, "1\t2\t1\t9\n");
	ok(strstr(verdict(&r, twice, 1), "candidate\t1\t0\tno\n"), "a row that is no candidate");
	kith_pool_free(&r.pool);
}

/* Two clouds become one component, by one edge, of their least distance. */
static void
test_connect(void)
{
	double least = INFINITY;
	struct kith_nnk_run r;
	char due[80];
	const char *got;

	for (size_t i = 0; i < N; i += 2)
		for (size_t j = 1; j < N; j += 2)
			least = fmin(least, D[i * N + j]);
	ask(&r, KITH_NNK_KNN, KITH_SYMM_MAX);
	r.connect = true;
	kith_run.verbose = true;
	said();
	graph(&r, 0);
	got = said();
	snprintf(due, sizeof(due), "log: connecting 1\n");
	ok(strstr(got, due) != NULL, "an edge connects them");
	snprintf(due, sizeof(due), "log: longest %g\n", least);
	ok(strstr(got, due) != NULL, "the shortest of all");
	ok(strstr(got, "log: components 1\n") != NULL, "one component");
	kith_run.verbose = false;
	kith_pool_free(&r.pool);
}

/* Adaptive weights: a weight for each feature, and edges both ways in one. */
static void
test_aew(void)
{
	double v[2 * P] = {0}, edge[N * N * 4] = {0};
	static char text[PRINTED];
	struct kith_nnk_run r;
	size_t n, turned = 0;
	FILE *f;

	ask(&r, KITH_NNK_AEW, KITH_SYMM_NONE);
	r.saved = scratch_text(1, "");
	n = printed_cells(graph(&r, 0), edge, sizeof(edge) / sizeof(*edge));
	for (size_t e = 0; e < n; e += 4)
		turned += edge[e] >= edge[e + 1];
	ok(n >= (size_t)4 * N && turned == 0, "edges are undirected");
	if (kith_out_settle(NULL, &error))
		abort();
	f = fopen(r.saved, "r");
	text[f ? fread(text, 1, sizeof(text) - 1, f) : 0] = '\0';
	if (!f || fclose(f))
		abort();
	is_size(printed_cells(text, v, (size_t)2 * P), (size_t)2 * P, "weights of the features");
	ok(strncmp(text, "feature\tweight\n", 15) == 0 && v[1] > 0 && v[3] > 0,
	    "which are squares'");
	kith_pool_free(&r.pool);
}

int
main(void)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		draw();
		for (size_t i = 1; i <= 3; i++)
			test_knn(KITH_SYMM_NONE, i);
		test_knn(KITH_SYMM_MAX, 1);
		test_knn(KITH_SYMM_MIN, 1);
		test_knn(KITH_SYMM_MEAN, 1);
		test_pairs(KITH_PAIRS_DISTANCE);
		test_pairs(KITH_PAIRS_SIMILARITY);
		test_check(KITH_NNK);
		test_check(KITH_NNK_SMOOTH);
		test_connect();
		test_aew();
		said();
	}
	return done();
}
