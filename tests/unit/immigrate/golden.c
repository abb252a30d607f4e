/*
 * Tests of lib/immigrate/immigrate.h against tests/golden/immigrate: weights of
 * the published package (R), and of another implementation of the paper's rules
 * (O), from synthetic data and iris, to 1e-9.
 *
 * Left out are lines of tiny6 that hang on rounding: its fixed point under the
 * paper's rules is unstable, and the entries cut are equal to the threshold.
 * GOLDEN in the environment names another directory with such files.
 */
#include "immigrate/immigrate.h"

#include "base/pool.h"
#include "la/mat.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096, CLASSES = 3 };

#define TOL 1e-9

/* A line of weights.tsv. */
enum column {
	FROM,
	METHOD,
	DATA,
	START,
	SIGMA,
	MAX_ITER,
	CUT,
	ITERATIONS,
	COST,
	WEIGHTS,
	COLUMNS
};

struct golden {
	char *cell[COLUMNS];
};

struct told {
	size_t iterations;
	double C[64];
};

static struct kith_pool pool;
static const char *dir = "tests/golden/immigrate";

static FILE *
need(const char *name)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	if (!f) {
		printf(
		    "Bail out! no %s: run in the root of the sources\n", path);
		exit(1);
	}
	return f;
}

/* Numbers divided by commas, a row per line; the first line may be skipped. */
static struct kith_mat
read_rows(const char *name, bool header)
{
	struct kith_mat X = {0};
	FILE *f = need(name);
	char line[ROOM];
	size_t held = 0;

	while (fgets(line, sizeof(line), f)) {
		char *s = line, *end;

		if (header) {
			header = false;
			continue;
		}
		for (;; s = end + 1) {
			X.v = kith_grow(&pool, X.v, held + 1, sizeof(*X.v));
			X.v[held++] = strtod(s, &end);
			if (*end != ',')
				break;
		}
		X.n++;
	}
	fclose(f);
	X.p = X.n > 0 ? held / X.n : 0;
	return X;
}

/* The last column becomes y: the classes are 0, 1, ... */
static struct kith_mat
read_data(const char *data, size_t **y)
{
	char name[32];
	struct kith_mat all, X;

	snprintf(name, sizeof(name), "%s.csv", data);
	all = read_rows(name, true);
	X = kith_mat_new(&pool, all.n, all.p - 1);
	*y = kith_new(&pool, all.n, sizeof(**y));
	for (size_t i = 0; i < all.n; i++) {
		const double *from = kith_row(&all, i);

		memcpy(kith_row(&X, i), from, X.p * sizeof(*from));
		(*y)[i] = (size_t)from[X.p];
	}
	return X;
}

static double *
start_of(const struct golden *g, size_t p)
{
	double *W = kith_new(&pool, p, p * sizeof(*W));
	char name[64];

	if (strcmp(g->cell[START], "identity") == 0) {
		for (size_t j = 0; j < p; j++)
			W[j * p + j] = 1 / sqrt((double)p);
		return W;
	}
	snprintf(name, sizeof(name), "w0_%zu_%s.csv", p, g->cell[START]);
	return read_rows(name, false).v;
}

static void
tell(void *to, const struct kith_immigrate_trace *trace)
{
	struct told *told = to;

	told->iterations = trace->iteration;
	told->C[trace->iteration] = trace->C;
}

static double
distance(const char *weights, const double *W, size_t len)
{
	const char *s = weights;
	double worst = 0;

	for (size_t k = 0; k < len; k++) {
		char *end;

		worst = fmax(worst, fabs(strtod(s, &end) - W[k]));
		s = *end == ',' ? end + 1 : end;
	}
	return worst;
}

static size_t
whole(const struct golden *g, enum column column)
{
	return strtoul(g->cell[column], NULL, 10);
}

/* What only the package tells. */
static void
test_way(const struct golden *g, const struct told *told,
    const struct kith_immigrate_fit *fit)
{
	const double C = strtod(g->cell[COST], NULL);
	const double got = told->C[told->iterations - 1];

	is_size(fit->iterations, whole(g, ITERATIONS), "iterations");
	ok(isnan(C) ? isnan(got) && fit->no_cost
		    : fabs(got - C) <= 1e-8 * fmax(1, fabs(C)),
	    "C: %.12g, %.12g", got, C);
}

static void
test_golden(const struct golden *g)
{
	const bool package = g->cell[FROM][0] == 'R';
	const bool matrix = strcmp(g->cell[METHOD], "immigrate") == 0;
	struct told told = {0};
	struct kith_immigrate_fit fit;
	struct kith_immigrate_how how = {
	    .sigma = strtod(g->cell[SIGMA], NULL),
	    .package = package,
	    .max_iter = whole(g, MAX_ITER),
	    .tol = package ? .01 : 0,
	    .threads = 2,
	    .tell = tell,
	    .to = &told,
	};
	size_t *y;
	const struct kith_mat X = read_data(g->cell[DATA], &y);
	const struct kith_immigrate_rows rows = {&X, y, CLASSES, NULL};
	double *W = start_of(g, X.p), worst;

	how.threshold = whole(g, CUT) ? 1 / (double)X.p : 0;
	for (size_t j = 0; j < X.p && !matrix; j++)
		W[j] = 1 / (double)X.p;
	if (matrix)
		kith_immigrate(&rows, &how, W, &fit);
	else
		kith_im4e(&rows, &how, W, &fit);
	worst = distance(g->cell[WEIGHTS], W, matrix ? X.p * X.p : X.p);
	ok(worst <= TOL,
	    "%s %s %s from %s, sigma %s, %s iterations, cut %s: %.1e",
	    g->cell[FROM], g->cell[METHOD], g->cell[DATA], g->cell[START],
	    g->cell[SIGMA], g->cell[MAX_ITER], g->cell[CUT], worst);
	if (package)
		test_way(g, &told, &fit);
}

/* Cut a line at its tabs; false: it has other than the columns due. */
static bool
split(char *line, struct golden *g)
{
	size_t n = 0;

	line[strcspn(line, "\n")] = '\0';
	for (char *s = line; s && n < COLUMNS; n++) {
		g->cell[n] = s;
		s = strchr(s, '\t');
		if (s)
			*s++ = '\0';
	}
	return n == COLUMNS;
}

int
main(void)
{
	struct golden g;
	char line[ROOM];
	FILE *f;

	if (getenv("GOLDEN"))
		dir = getenv("GOLDEN");
	f = need("weights.tsv");
	if (!fgets(line, sizeof(line), f))
		return 1;
	while (fgets(line, sizeof(line), f)) {
		if (split(line, &g))
			test_golden(&g);
		else
			ok(false, "a line that has other columns");
		kith_pool_free(&pool);
	}
	fclose(f);
	return done();
}
