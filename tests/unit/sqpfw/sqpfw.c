/*
 * Tests of lib/sqpfw/sqpfw.h: the references of tests/golden/sqpfw, and random
 * sets against the definition, the certificate of sqpfw/check.h and a plain
 * version (sqpfw_plain.h).  KITH_LONG=1: more sets.
 */
#include "sqpfw/sqpfw.h"

#include "sqpfw/data.h"
#include "sqpfw/path.h"
#include "tap.h"

#include <stdio.h>

#define DIR "tests/golden/sqpfw/"

static bool more;

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

/* Let each feature have mean 0 and, unless it is constant, sd 1. */
static void
standardise(struct kith_mat *X)
{
	for (size_t f = 0; f < X->p; f++) {
		double sum = 0, square = 0, sd;

		for (size_t i = 0; i < X->n; i++)
			sum += X->v[i * X->p + f];
		for (size_t i = 0; i < X->n; i++) {
			X->v[i * X->p + f] -= sum / (double)X->n;
			square += X->v[i * X->p + f] * X->v[i * X->p + f];
		}
		sd = sqrt(square / (double)X->n);
		for (size_t i = 0; i < X->n && sd > 0; i++)
			X->v[i * X->p + f] /= sd;
	}
}

/* A table: features, then the class, as 0, 1 and so on. */
static void
read_set(const char *name, struct set *set, struct kith_pool *pool)
{
	FILE *f = need(name);
	char line[1024], *end;

	set->X = kith_mat_new(pool, ROWS, FEATURES);
	set->X.n = 0;
	if (!fgets(line, sizeof(line), f))
		bail(name);
	set->c = 0;
	while (fgets(line, sizeof(line), f)) {
		double value[FEATURES + 1];
		size_t held = 0;

		for (char *s = line; held <= FEATURES; s = end + 1) {
			value[held++] = strtod(s, &end);
			if (*end != ',')
				break;
		}
		set->X.p = held - 1;
		memcpy(kith_row(&set->X, set->X.n), value,
		    set->X.p * sizeof(*value));
		set->y[set->X.n] = (size_t)value[held - 1];
		if (set->y[set->X.n] >= set->c)
			set->c = set->y[set->X.n] + 1;
		set->X.n++;
	}
	fclose(f);
	standardise(&set->X);
	set_prior(set);
}

/* A line of solves.tsv or paths.tsv. */
struct due {
	char name[32];
	size_t k;
	double theta, objective, jump;
};

static bool
read_due(FILE *f, struct due *due)
{
	char line[256], *s = line, *tab;

	if (!fgets(line, sizeof(line), f) || !(tab = strchr(line, '\t')))
		return false;
	*tab = 0;
	snprintf(due->name, sizeof(due->name), "%.31s", line);
	due->k = strtoul(tab + 1, &s, 10);
	due->theta = strtod(s, &s);
	due->objective = strtod(s, &s);
	due->jump = strtod(s, &s);
	return true;
}

static void
test_golden(void)
{
	FILE *f = need("solves.tsv");
	size_t certified = 0, lines = 0;
	struct due due;

	read_due(f, &due);
	while (read_due(f, &due)) {
		struct kith_pool pool = {0};
		struct kith_sqpfw_now now;
		struct kith_sqpfw *s;
		struct set set = {.how = {due.k, due.k, .threads = 1}};
		bool good, proved;

		read_set(due.name, &set, &pool);
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		good = kith_sqpfw_solve(s, due.theta);
		kith_sqpfw_at(s, &now);
		proved = is_minimum(&set, now.w, due.theta);
		certified += proved;
		lines++;
		ok(good && now.objective <= due.objective + 1e-9 &&
			off(&set, s) < 1e-12,
		    "%s, k %zu, theta %g: %.12g, due %.12g", due.name, due.k,
		    due.theta, now.objective, due.objective);
		ok(proved, "certified");
		kith_pool_free(&pool);
	}
	fclose(f);
	is_size(lines, 36, "references");
	is_size(certified, 36, "certified");
}

/* How far a path is from the reference. */
struct apart {
	double numbers, jumps;
	size_t unproved;
};

/* Compare a breakpoint; `after` and `at` are what the last one came to. */
static void
compare(const struct set *set, struct kith_sqpfw *s, const double *before,
    double *after, double *at, const struct due *due, struct apart *apart)
{
	struct kith_sqpfw_now now;

	kith_sqpfw_at(s, &now);
	apart->numbers = fmax(
	    apart->numbers, fabs(now.theta - due->theta) / fmax(due->theta, 1));
	apart->numbers = fmax(
	    apart->numbers, fabs(now.objective - due->objective));
	apart->numbers = fmax(apart->numbers, off(set, s));
	apart->jumps = fmax(
	    apart->jumps, fabs(distance(before, now.w, set->X.p) - due->jump));
	apart->unproved += !is_minimum(set, now.w, now.theta);
	for (size_t f = 0; f < set->X.p; f++)
		after[f] = (after[f] + before[f]) / 2;
	apart->unproved += !is_minimum(set, after, (*at + now.theta) / 2);
	memcpy(after, now.w, set->X.p * sizeof(*after));
	*at = now.theta;
}

/* Follow a path along the reference, whose first line is the start; the last.
 */
static bool
test_path(FILE *f, struct due *due)
{
	struct kith_pool pool = {0};
	struct set set = {.how = {due->k, due->k, .threads = 1}};
	const struct due first = *due;
	double before[FEATURES], after[FEATURES], at = 0;
	struct apart apart = {0};
	enum kith_sqpfw_step step = KITH_SQPFW_BREAKPOINT;
	struct kith_sqpfw *s;
	bool again = true;

	read_set(due->name, &set, &pool);
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	memcpy(before, set.prior, sizeof(before));
	memcpy(after, set.prior, sizeof(after));
	while (
	    again && due->k == first.k && strcmp(due->name, first.name) == 0) {
		compare(&set, s, before, after, &at, due, &apart);
		again = read_due(f, due);
		step = kith_sqpfw_next(s, INFINITY, before);
	}
	ok(step == KITH_SQPFW_END, "%s, k %zu: to the end, %g", first.name,
	    first.k, at);
	ok(apart.numbers < 1e-10 && apart.jumps < 1e-5,
	    "theta, objective off by %.1e, jumps by %.1e", apart.numbers,
	    apart.jumps);
	is_size(
	    apart.unproved, 0, "not certified, at a breakpoint or between two");
	kith_pool_free(&pool);
	return !again;
}

static void
test_paths(void)
{
	FILE *f = need("paths.tsv");
	struct due due;
	bool last;

	read_due(f, &due);
	last = !read_due(f, &due);
	while (!last)
		last = test_path(f, &due);
	fclose(f);
}

/* Whether F is lower at w + step v, by more than rounding. */
static bool
is_lower(const struct plain *plain, const double *w, const double *v,
    double step, double F)
{
	double z[FEATURES];

	for (size_t f = 0; f < plain->p; f++) {
		z[f] = w[f] + step * v[f];
		if (z[f] < 0)
			return false;
	}
	return plain_objective(plain, z) < F - 1e-15;
}

/* Whether F falls in no direction that is feasible, of some at random. */
static bool
is_lowest(const struct plain *plain, const double *w)
{
	const double F = plain_objective(plain, w);
	size_t large = 0;

	for (size_t f = 1; f < plain->p; f++)
		if (w[f] > w[large])
			large = f;
	for (int k = 0; k < 60; k++) {
		double v[FEATURES] = {0}, sum = 0;

		for (size_t f = 0; f < plain->p; f++) {
			v[f] = number(-1, 1);
			if (!(w[f] > 0))
				v[f] = whole(0, 1) ? fabs(v[f]) : 0;
			sum += v[f];
		}
		v[large] -= sum;
		if (is_lower(plain, w, v, 1e-5, F) &&
		    is_lower(plain, w, v, 1e-7, F))
			return false;
	}
	return true;
}

/* One iteration at a time: F may not rise; where it ends. */
static bool
is_monotone(const struct set *set)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw_how how = set->how;
	struct plain plain = plain_of(set, set->theta);
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	double last = plain_objective(&plain, set->prior);
	bool good = true, ended = false;

	how.max_iter = 1;
	s = kith_sqpfw_new(&set->X, set->y, set->c, &how, &pool);
	for (size_t k = 0; k < 3000 && !ended; k++) {
		double F;

		ended = kith_sqpfw_solve(s, set->theta);
		kith_sqpfw_at(s, &now);
		F = plain_objective(&plain, now.w);
		good = good && F <= last + 1e-13;
		last = F;
	}
	kith_pool_free(&pool);
	return good;
}

/* What random sets have shown. */
struct seen {
	size_t sets, done, certified, wrong, rising, lower, worse, other;
};

static void
try_set(enum kind kind, struct seen *seen)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	struct plain plain;
	struct set set;
	double F;

	draw(&set, kind, &pool);
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	seen->sets++;
	seen->done += kith_sqpfw_solve(s, set.theta);
	kith_sqpfw_at(s, &now);
	plain = plain_of(&set, set.theta);
	seen->wrong += off(&set, s) > 1e-12;
	if (is_minimum(&set, now.w, set.theta)) {
		seen->certified++;
		seen->lower += !is_lowest(&plain, now.w);
	}
	if (seen->sets % 4 == 0)
		seen->rising += !is_monotone(&set);
	if (seen->sets % 2 == 0 && plain_solve(&plain, &pool)) {
		F = plain_objective(&plain, plain.w);
		seen->worse += now.objective > F + 1e-9;
		seen->other += kind == CONTINUOUS &&
		    distance(now.w, plain.w, set.X.p) > 1e-9;
	}
	kith_pool_free(&pool);
}

static void
test_random(enum kind kind, const char *name, size_t sets)
{
	struct seen seen = {0};

	kith_rng_seed(&rng, 7, KITH_RNG_SAMPLE, kind);
	while (seen.sets < sets)
		try_set(kind, &seen);
	is_size(seen.wrong, 0, "targets or objective not as defined");
	is_size(seen.done, sets, "done");
	is_size(seen.rising, 0, "objective rises");
	is_size(seen.lower, 0, "certified, but not the lowest near by");
	is_size(seen.other, 0, "other weights than the plain version");
	ok(true, "%s: %zu of %zu certified, %zu worse than the plain version",
	    name, seen.certified, sets, seen.worse);
	if (kind == CONTINUOUS)
		is_size(seen.certified, sets, "certified");
}

int
main(void)
{
	const char *long_run = getenv("KITH_LONG");

	more = long_run && *long_run;
	test_golden();
	test_paths();
	test_random(CONTINUOUS, "continuous", more ? 400 : 50);
	test_random(QUARTERS, "quarters", more ? 400 : 50);
	test_random(WHOLE, "whole numbers", more ? 400 : 50);
	test_random(DOUBLED, "doubled rows", more ? 400 : 50);
	return done();
}
