/*
 * Tests of lib/check_sqpfw.h: targets and ties by the definition, written out;
 * and on tests/golden/sqpfw, weights of another implementation: 34 of 36 are
 * certified, and none is with something wrong.
 */
#include "check_sqpfw.h"

#include "mat.h"
#include "pool.h"
#include "rng.h"
#include "tap.h"
#include "ties.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIR "tests/golden/sqpfw/"
#define N ((size_t)40)
#define P ((size_t)5)

static struct kith_pool pool;
static struct kith_rng rng;
static double x[N * P];
static size_t y[N];

static void
draw(struct kith_mat *X, size_t kind, double *w)
{
	const size_t classes = 2 + kind % 3;
	double sum = 0;

	*X = (struct kith_mat){N, P, x};
	for (size_t i = 0; i < N * P; i++) {
		x[i] = kith_rng_unit(&rng);
		if (kind % 4 == 1)
			x[i] = floor(x[i] * 4) / 4;
		if (kind % 4 == 2)
			x[i] = floor(x[i] * 3);
		if (kind % 5 == 4)
			x[i] *= kind % 2 ? 1e150 : 1e-150;
		if (kind % 4 == 3 && i >= N * P / 2)
			x[i] = x[i - N * P / 2];
	}
	for (size_t i = 0; i < N; i++)
		y[i] = i % classes;
	for (size_t j = 0; j < P; j++) {
		w[j] = kind % 3 == 1 ? 1 : kith_rng_unit(&rng);
		w[j] = kith_rng_below(&rng, 4) ? w[j] : 0;
		sum += w[j];
	}
	for (size_t j = 0; j < P && sum > 0; j++)
		w[j] /= sum;
}

static double
distance(const double *w, size_t i, size_t j)
{
	double d = 0;

	for (size_t f = 0; f < P; f++) {
		const double D = x[i * P + f] - x[j * P + f];

		d += w[f] * D * D;
	}
	return d;
}

static int
by_size(const void *a, const void *b)
{
	const double *s = a, *t = b;

	return (*s > *t) - (*s < *t);
}

/* What is wrong with the target of row i, and the group at *g if it has one. */
static size_t
judge_row(const struct kith_ties *ties, const double *w, size_t i, bool miss,
    size_t k, size_t *g)
{
	double d[N] = {0}, t;
	size_t n = 0, tied = 0, nearer = 0, bad = 0;
	const struct kith_tie *group = ties->group + *g;

	for (size_t j = 0; j < N; j++)
		if (j != i && (y[j] != y[i]) == miss)
			d[n++] = distance(w, i, j);
	qsort(d, n, sizeof(*d), by_size);
	t = distance(w, i, ties->target[2 * i + miss]);
	bad += fabs(t - d[k - 1]) > 1e-12 * t;
	bad += (y[ties->target[2 * i + miss]] != y[i]) != miss;
	for (size_t j = 0; j < n; j++) {
		tied += fabs(d[j] - t) <= 1e-9 * t;
		nearer += d[j] < t * (1 - 1e-9);
	}
	if (tied == 1)
		return bad;
	if (*g == ties->n || group->row != i || group->miss != miss)
		return bad + 1;
	bad += group->count != tied || group->nearer != nearer;
	for (size_t m = group->first; m < group->first + group->count; m++) {
		const size_t j = ties->other[m];

		bad += fabs(distance(w, i, j) - t) > 1e-9 * t;
		bad += (y[j] != y[i]) != miss || j == i;
		bad += m > group->first && ties->other[m - 1] >= j;
		bad += ties->copies[m] != 1;
	}
	++*g;
	return bad;
}

static void
test_ties(size_t seeds)
{
	size_t bad = 0, some = 0, differ = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const struct kith_certify_how how = {
		    1 + seed % 4, 1 + seed / 4 % 4, NULL, 1};
		struct kith_mat X;
		struct kith_ties ties, again;
		double w[P];
		size_t g = 0;

		draw(&X, seed, w);
		kith_check_sqpfw_ties(&X, y, w, &how, 1, &ties, &pool);
		kith_check_sqpfw_ties(&X, y, w, &how, 3, &again, &pool);
		for (size_t i = 0; i < N; i++) {
			bad += judge_row(&ties, w, i, false, how.hits, &g);
			bad += judge_row(&ties, w, i, true, how.misses, &g);
		}
		bad += g != ties.n;
		some += ties.n > 0;
		differ += ties.n != again.n ||
		    memcmp(ties.target, again.target,
			2 * N * sizeof(*ties.target)) != 0;
		for (size_t k = 0; k < ties.n && ties.n == again.n; k++)
			differ += ties.group[k].first != again.group[k].first ||
			    ties.group[k].count != again.group[k].count;
		kith_pool_free(&pool);
	}
	is_size(bad, 0, "targets and ties as defined");
	ok(some > seeds / 3, "%zu of %zu sets have ties", some, seeds);
	is_size(differ, 0, "the same for three threads");
}

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

/* Which checks say no, as bits. */
static unsigned
failures(const struct kith_mat *X, const size_t *class, const double *w,
    const struct kith_certify_how *how)
{
	struct kith_check check[KITH_CHECK_SQPFW];
	unsigned bits = 0;

	kith_check_sqpfw(X, class, w, how, 1, check);
	for (unsigned c = 0; c < KITH_CHECK_SQPFW; c++)
		bits |= kith_check_ok(&check[c]) ? 0 : 1U << c;
	return bits;
}

enum { SIMPLEX = 1, CONCAVE = 2, RESIDUAL = 4 };

/* A line of weights.tsv: set, kappa, lambda, theta, objective, weights. */
struct golden {
	char name[32];
	struct kith_certify_how how;
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
	struct kith_certify_how *how = &g.how;
	unsigned got;

	read_golden(line, &g);
	got = failures(&g.X, g.class, g.w, how);
	if (strcmp(g.name, "iris60x4") == 0 && how->theta == 1 &&
	    how->hits > 1) {
		ok(got == CONCAVE, "dependent ties are not certified");
		return;
	}
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
	const char *more = getenv("KITH_LONG");
	char line[1024];
	size_t yes = 0;
	FILE *f = fopen(DIR "weights.tsv", "r");

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_ties(more && *more ? 20000 : 400);
	if (!f || !fgets(line, sizeof(line), f))
		bail(DIR "weights.tsv");
	while (fgets(line, sizeof(line), f)) {
		test_golden(line, &yes);
		kith_pool_free(&pool);
	}
	fclose(f);
	is_size(yes, 34, "certified");
	return done();
}
