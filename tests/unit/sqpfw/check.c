/*
 * Tests of lib/sqpfw/check.h on tests/golden/sqpfw, weights of another
 * implementation: all that are minima are certified, and none is with something
 * wrong.
 */
#include "sqpfw/check.h"

#include "base/pool.h"
#include "la/mat.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIR "tests/golden/sqpfw/"
static struct kith_pool pool;

_Noreturn static void
bail(const char *path)
{
	printf("Bail out! no %s: run in the root of the sources\n", path);
	exit(1);
}

/* A table of numbers with a class at the end, standardised. */
static struct kith_mat
read_rows(const char *name, size_t **class)
{
	char path[128], line[4096];
	struct kith_mat X = {0};
	size_t held = 0;
	FILE *f;

	snprintf(path, sizeof(path), DIR "%s.csv", name);
	f = fopen(path, "r");
	if (!f || !fgets(line, sizeof(line), f))
		bail(path);
	for (const char *s = line; (s = strchr(s, ',')); s++)
		X.p++;
	*class = NULL;
	for (; fgets(line, sizeof(line), f); X.n++) {
		char *s = line;

		X.v = kith_grow(&pool, X.v, held + X.p, sizeof(*X.v));
		*class = kith_grow(&pool, *class, X.n + 1, sizeof(**class));
		for (size_t j = 0; j < X.p; j++, s++)
			X.v[held++] = strtod(s, &s);
		(*class)[X.n] = strtoul(s, NULL, 10);
	}
	fclose(f);
	for (size_t j = 0; j < X.p; j++) {
		double mean = 0, sd = 0;

		for (size_t i = 0; i < X.n; i++)
			mean += kith_row(&X, i)[j] / (double)X.n;
		for (size_t i = 0; i < X.n; i++)
			sd += pow(kith_row(&X, i)[j] - mean, 2) / (double)X.n;
		for (size_t i = 0; i < X.n && sd > 0; i++)
			kith_row(&X, i)[j] = (kith_row(&X, i)[j] - mean) /
			    sqrt(sd);
	}
	return X;
}

enum { CLASSES = 3 }; /* at most */

struct asked {
	size_t hits, misses;
	double theta;
};

/* Which checks say no, as bits. */
static unsigned
failures(const struct kith_mat *X, const size_t *class, const double *w,
    const struct asked *how)
{
	const struct kith_sqpfw_judge_how judging = {
	    how->hits, how->misses, NULL, 1};
	struct kith_sqpfw_judge *judge;
	struct kith_sqpfw_verdict verdict;
	struct kith_check check[KITH_CHECK_SQPFW];
	unsigned bits = 0;

	judge = kith_sqpfw_judge_new(X, class, CLASSES, &judging, &pool);
	kith_sqpfw_judge(judge, w, how->theta, NULL, &verdict, NULL);
	kith_sqpfw_judge_free(judge);
	kith_check_sqpfw(&verdict, check);
	for (unsigned c = 0; c < KITH_CHECK_SQPFW; c++)
		bits |= kith_check_ok(&check[c]) ? 0 : 1U << c;
	return bits;
}

enum { SIMPLEX = 1, CONCAVE = 2, RESIDUAL = 4 };

/* A line of weights.tsv: set, kappa, lambda, theta, objective, weights. */
struct golden {
	char name[32];
	struct asked how;
	struct kith_mat X;
	size_t *class;
	double w[16];
	size_t a, b; /* two weights above 0, b the largest */
};

static void
read_golden(const char *line, struct golden *g)
{
	char *s;

	if (sscanf(line, "%31s", g->name) != 1)
		bail(line);
	g->how.hits = strtoul(line + strlen(g->name), &s, 10);
	g->how.misses = strtoul(s, &s, 10);
	g->how.theta = strtod(s, &s);
	strtod(s, &s);
	g->X = read_rows(g->name, &g->class);
	for (size_t j = 0; j < g->X.p; j++, s++) {
		g->w[j] = strtod(s, &s);
		g->b = g->w[j] > g->w[g->b] ? j : g->b;
	}
	for (size_t j = 0; j < g->X.p; j++)
		if (j != g->b && g->w[j] > 0)
			g->a = j;
}

/* A solution of another implementation, and what is nearly one. */
static void
test_golden(const char *line, size_t *yes)
{
	struct golden g = {.name = ""};
	struct asked *how = &g.how;
	unsigned got;

	read_golden(line, &g);
	got = failures(&g.X, g.class, g.w, how);
	*yes += got == 0;
	ok(got == 0, "%s %zu %g", g.name, how->hits, how->theta);
	g.w[g.b] += 1e-6;
	got = failures(&g.X, g.class, g.w, how);
	ok(got & SIMPLEX, "a sum of 1 + 1e-6");
	g.w[g.a] -= 1e-6;
	got = failures(&g.X, g.class, g.w, how);
	ok((got & (SIMPLEX | RESIDUAL)) == RESIDUAL,
	    "1e-6 moved from one to another");
	g.w[g.b] -= 1e-6;
	g.w[g.a] += 1e-6;
	how->hits++;
	ok(failures(&g.X, g.class, g.w, how) != 0, "other targets");
	how->hits--;
	how->theta = 0;
	got = failures(&g.X, g.class, g.w, how);
	ok(got & RESIDUAL, "another theta");
}

int
main(void)
{
	char line[1024];
	size_t yes = 0;
	FILE *f = fopen(DIR "weights.tsv", "r");

	if (!f || !fgets(line, sizeof(line), f))
		bail(DIR "weights.tsv");
	while (fgets(line, sizeof(line), f)) {
		test_golden(line, &yes);
		kith_pool_free(&pool);
	}
	fclose(f);
	is_size(yes, 36, "certified");
	return done();
}
