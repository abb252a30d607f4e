/*
 * Tests of lib/nnk/nnk.h and lib/nnk/symm.h against tests/golden/nnk: edges of
 * another implementation, to 1e-8 where MANIFEST.tsv says that the solution is
 * unique, local errors where it is not.
 */
#include "nnk/nnk.h"

#include "base/err.h"
#include "base/pool.h"
#include "la/mat.h"
#include "near/metric.h"
#include "nnk/symm.h"
#include "tap.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIR "tests/golden/nnk/"
#define TOL 1e-8

/* A line of the manifest. */
struct golden {
	char out[64], in[32], args[96];
	bool unique;
	struct kith_nnk_how how;
	bool symmetric;
	enum kith_symm mode;
	struct kith_mat X, Z;
	struct kith_metric metric;
};

static struct kith_pool pool;
static struct kith_err err;

_Noreturn static void
bail(const char *name)
{
	printf(
	    "Bail out! no " DIR "%s: run in the root of the sources\n", name);
	exit(1);
}

static FILE *
need(const char *name)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), DIR "%s", name);
	f = fopen(path, "r");
	if (!f)
		bail(name);
	return f;
}

/* Numbers divided by commas, a row per line. */
static struct kith_mat
read_rows(const char *name)
{
	FILE *f = need(name);
	struct kith_mat X = {0};
	char line[4096];
	size_t held = 0;

	while (fgets(line, sizeof(line), f)) {
		char *s = line, *end;

		for (;; s = end + 1) {
			X.v = kith_grow(&pool, X.v, held + 1, sizeof(*X.v));
			X.v[held++] = strtod(s, &end);
			if (*end != ',')
				break;
		}
		X.n++;
	}
	fclose(f);
	if (X.n == 0)
		bail(name);
	X.p = held / X.n;
	return X;
}

static const char *
option(const struct golden *g, const char *name)
{
	static char value[32];
	const char *at = strstr(g->args, name);

	if (!at || sscanf(at + strlen(name), " %31s", value) != 1)
		return NULL;
	return value;
}

/* Which of n names s is; 0 where it is NULL. */
static unsigned
place(const char *const *name, unsigned n, const char *s)
{
	for (unsigned i = 1; s && i < n; i++)
		if (strcmp(name[i], s) == 0)
			return i;
	return 0;
}

static void
parse(struct golden *g)
{
	static const char *const method[] = {
	    "nnk", "knn", "radius", "mp", "omp", "lle", "lle-gram"};
	static const char *const kernel[] = {"gaussian", "cosine", "linear"};
	static const char *const mode[] = {
	    "union", "paper", "max", "min", "mean"};
	const char *s = option(g, "--method");

	g->how = (struct kith_nnk_how){.errors = true};
	g->how.method = (enum kith_nnk_method)place(method, 7, s);
	s = option(g, "--k ");
	g->how.k = s ? strtoul(s, NULL, 10) : 30;
	if ((s = option(g, "--sigma")) && strcmp(s, "auto") != 0)
		g->how.sigma = (struct kith_sigma){
		    KITH_SIGMA_FIXED, strtod(s, NULL)};
	s = option(g, "--kernel");
	g->how.kernel = (enum kith_kern_kind)place(kernel, 3, s);
	if (g->how.method == KITH_NNK_MP || g->how.method == KITH_NNK_OMP)
		g->how.all = !strstr(g->args, "--pool knn");
	s = option(g, "--sym");
	g->symmetric = s;
	g->mode = (enum kith_symm)place(mode, 5, s);
	g->X = read_rows(g->in);
	if ((s = option(g, "--ref"))) {
		g->Z = g->X;
		g->X = read_rows(s);
	}
	g->metric = (struct kith_metric){KITH_SQUARED, g->X.p, NULL};
}

static double
distance(const double *x, const double *z, size_t p)
{
	double d = 0;

	assert(x && z);
	for (size_t j = 0; j < p; j++)
		d += (x[j] - z[j]) * (x[j] - z[j]);
	return d;
}

static int
by_size(const void *a, const void *b)
{
	const double *s = a, *t = b;

	return (*s > *t) - (*s < *t);
}

/* With queries, that program takes its bandwidth from them. */
static void
fix_sigma(struct golden *g)
{
	double *d = kith_new(&pool, g->X.n, sizeof(*d)), sum = 0;

	if (!g->Z.n)
		return;
	for (size_t i = 0; i < g->Z.n; i++) {
		for (size_t j = 0; j < g->X.n; j++)
			d[j] = distance(
			    kith_row(&g->Z, i), kith_row(&g->X, j), g->X.p);
		qsort(d, g->X.n, sizeof(*d), by_size);
		sum += sqrt(d[g->how.k - 1]);
	}
	g->how.sigma.rule = KITH_SIGMA_FIXED;
	g->how.sigma.value = sum / (double)g->Z.n / 3;
}

static struct kith_local_rows
rows_of(const struct golden *g, size_t threads)
{
	const struct kith_mat *Z = g->Z.n ? &g->Z : NULL;

	return (struct kith_local_rows){
	    &g->X, &g->metric, Z, 0, Z ? Z->n : g->X.n, threads};
}

/* The graph as a full matrix. */
static double *
spread(const struct kith_graph *graph, size_t n)
{
	double *W = kith_new(&pool, graph->m * n, sizeof(*W));

	for (size_t i = 0; i < graph->m; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++)
			W[i * n + graph->to[e]] = graph->w[e];
	return W;
}

static double *
read_edges(const char *name, size_t m, size_t n)
{
	double *W = kith_new(&pool, m * n, sizeof(*W));
	FILE *f = need(name);
	char line[128], *s = line;

	while (fgets(line, sizeof(line), f)) {
		const size_t i = strtoul(line, &s, 10);
		const size_t j = strtoul(s, &s, 10);

		W[i * n + j] = strtod(s, NULL);
	}
	fclose(f);
	return W;
}

/*
 * Whether two weights of a row are the same; `most` is the largest of it.  That
 * program dropped weights up to 1e-10, and was exact to 1e-13 of the whole, not
 * of the row.
 */
static bool
same(double w, double v, double most)
{
	if (fmax(w, v) <= TOL * most)
		return true;
	if (v == 0)
		return w <= 1e-10 * (1 + TOL);
	return fabs(w - v) <= TOL * v + 1e-12;
}

/* The pairs that differ in weight. */
static size_t
differ(const double *W, const double *V, size_t m, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < m; i++, W += n, V += n) {
		double most = 0;

		for (size_t j = 0; j < n; j++)
			most = fmax(most, V[j]);
		for (size_t j = 0; j < n; j++)
			count += !same(W[j], V[j], most);
	}
	return count;
}

/* The kernel of two rows; of directions from q, where that is not NULL. */
static double
kernel(const struct golden *g, double sigma, const double *x, const double *z,
    const double *q)
{
	double xz = 0, xx = 0, zz = 0;

	assert(x && z);
	if (g->how.kernel == KITH_KERN_GAUSSIAN && !q)
		return exp(-distance(x, z, g->X.p) / (2 * sigma * sigma));
	for (size_t j = 0; j < g->X.p; j++) {
		const double a = x[j] - (q ? q[j] : 0);
		const double b = z[j] - (q ? q[j] : 0);

		xz += a * b;
		xx += a * a;
		zz += b * b;
	}
	if (g->how.kernel == KITH_KERN_LINEAR)
		return xz;
	if (xx * zz == 0)
		return 1;
	return 0.5 + xz / sqrt(xx * zz) / 2;
}

/* The local error of row i at the weights w (n), written out. */
static double
error_of(const struct golden *g, double sigma, size_t i, const double *w)
{
	const struct kith_mat *X = &g->X;
	const double *x = kith_row(g->Z.n ? &g->Z : X, i);
	const double *q = g->how.method == KITH_NNK_LLE ? x : NULL;
	double J = (q ? 1 : kernel(g, sigma, x, x, q)) / 2;

	for (size_t j = 0; j < X->n; j++) {
		const double *z = kith_row(X, j);

		if (w[j] == 0)
			continue;
		J -= w[j] * (q ? 1 : kernel(g, sigma, x, z, q));
		for (size_t l = 0; l < X->n; l++)
			if (w[l] != 0)
				J += w[j] * w[l] / 2 *
				    kernel(g, sigma, z, kith_row(X, l), q);
	}
	return J;
}

static void
test_golden(struct golden *g)
{
	struct kith_local_rows rows;
	struct kith_graph graph;
	struct kith_nnk out;
	double *W, *V, worst = 0;
	size_t bad;

	parse(g);
	if (!g->X.v)
		bail(g->in);
	fix_sigma(g);
	rows = rows_of(g, 2);
	if (g->how.kernel == KITH_KERN_COSINE)
		kith_kern_unit_rows(&g->X, &g->metric, &bad);
	if (!ok(kith_nnk(&rows, &g->how, &out, &pool, &err) == 0, "%s: done",
		g->out))
		return;
	ok(out.residual <= 1e-12 || g->how.method == KITH_NNK_LLE_GRAM,
	    "KKT residual %.1e", out.residual);
	V = read_edges(g->out, rows.m, g->X.n);
	W = spread(&out.graph, g->X.n);
	for (size_t i = 0; i < rows.m && g->how.method != KITH_NNK_LLE_GRAM;
	     i++)
		worst = fmax(worst,
		    fabs(error_of(g, out.sigma, i, W + i * g->X.n) -
			out.graph.J[i]));
	ok(worst <= 1e-13, "J as defined: %.1e", worst);
	if (!g->unique && !g->symmetric && g->how.method != KITH_NNK_KNN) {
		worst = 0;
		for (size_t i = 0; i < rows.m; i++)
			worst = fmax(worst,
			    out.graph.J[i] -
				error_of(g, out.sigma, i, V + i * g->X.n));
		ok(worst <= 1e-11, "no worse: %.1e", worst);
		return;
	}
	if (g->symmetric) {
		kith_symm_cut(&out.graph, 1e-10);
		kith_symm(&out.graph, g->mode, &graph, &pool);
		W = spread(&graph, g->X.n);
	}
	if (g->unique || g->how.method == KITH_NNK_KNN)
		is_size(differ(W, V, rows.m, g->X.n), 0, "edges that differ");
}

int
main(void)
{
	FILE *f = need("MANIFEST.tsv");
	char line[512], yes[8];

	if (!fgets(line, sizeof(line), f))
		return 1;
	while (fgets(line, sizeof(line), f)) {
		struct golden g = {0};

		if (sscanf(line, "%63[^\t]\t%31[^\t]\t%95[^\t]\t%*s %7s", g.out,
			g.in, g.args, yes) != 4)
			continue;
		g.unique = strcmp(yes, "yes") == 0;
		test_golden(&g);
		kith_pool_free(&pool);
	}
	fclose(f);
	return done();
}
