/*
 * Tests of lib/immigrate/immigrate.h: against sums written out over all rows,
 * and what must not change the weights.
 */
#include "immigrate/immigrate.h"

#include "immigrate/data.h"
#include "la/eig.h"
#include "tap.h"

#include <stdlib.h>

enum { STEPS = 200 };

/* What the sums written out give: everything of immigrate/immigrate.h at W. */
struct plain {
	double C, F;
	double *Sigma, *V; /* a vector: u, v */
};

static double
plain_distance(size_t p, const double *D, const double *W, bool matrix)
{
	double d = 0;

	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < (matrix ? p : 1); j++)
			d += matrix ? D[i] * W[i * p + j] * D[j] : W[i] * D[i];
	return d;
}

/* One side of one row: its softmax, and what it adds, times sign. */
static void
plain_side(const struct set *set, double sigma, const double *W, bool matrix,
    size_t n, bool hits, struct plain *to)
{
	const size_t N = set->X.n, p = set->X.p;
	const double weight = set->rows.weight ? set->weight[n] : 1;
	const double sign = hits ? weight : -weight;
	double *d = kith_new(&pool, N, sizeof(*d));
	double *D = kith_new(&pool, N, p * sizeof(*D)), sum = 0,
	       least = INFINITY;

	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j < p; j++)
			D[i * p + j] = fabs(
			    kith_row(&set->X, n)[j] - kith_row(&set->X, i)[j]);
		d[i] = plain_distance(p, D + i * p, W, matrix);
		if (i != n && (set->y[i] == set->y[n]) == hits)
			least = fmin(least, d[i]);
	}
	for (size_t i = 0; i < N; i++)
		if (i != n && (set->y[i] == set->y[n]) == hits)
			sum += exp((least - d[i]) / sigma);
	for (size_t i = 0; i < N; i++) {
		const double a = exp((least - d[i]) / sigma) / sum;

		if (i == n || (set->y[i] == set->y[n]) != hits)
			continue;
		to->C += sign * a * d[i]; /* C: entropy -sum a log a */
		to->C += a > 0 ? sign * sigma * a * log(a) : 0;
		for (size_t j = 0; j < p; j++)
			for (size_t k = 0; k < (matrix ? p : 1); k++)
				to->Sigma[matrix ? j * p + k : j] += sign * a *
				    D[i * p + j] * (matrix ? D[i * p + k] : 1);
	}
	if (sum > 0)
		to->F -= sign * (sigma * log(sum) - least);
}

static void
plain_closed(size_t p, bool matrix, struct plain *to)
{
	double *U = kith_new(&pool, p, p * sizeof(*U));
	double *A = kith_new(&pool, p, p * sizeof(*A));
	double *mu = kith_new(&pool, p, sizeof(*mu)), sum = 0;

	if (!matrix) {
		for (size_t j = 0; j < p; j++)
			sum += to->V[j] = fmax(-to->Sigma[j], 0);
		for (size_t j = 0; j < p; j++)
			to->V[j] /= sum;
		return;
	}
	memcpy(A, to->Sigma, p * p * sizeof(*A));
	if (!kith_eig(p, A, mu, U))
		ok(false, "eigenvalues");
	for (size_t i = 0; i < p; i++)
		sum += mu[i] < 0 ? mu[i] * mu[i] : 0;
	for (size_t i = 0; i < p && mu[i] < 0; i++)
		for (size_t j = 0; j < p; j++)
			for (size_t k = 0; k < p; k++)
				to->V[j * p + k] -= mu[i] / sqrt(sum) *
				    U[i * p + j] * U[i * p + k];
}

static struct plain
plain_at(const struct set *set, double sigma, const double *W, bool matrix)
{
	const size_t p = set->X.p;
	struct plain to = {0};

	to.Sigma = kith_new(&pool, p, p * sizeof(double));
	to.V = kith_new(&pool, p, p * sizeof(double));
	for (size_t n = 0; n < set->X.n; n++) {
		plain_side(set, sigma, W, matrix, n, true, &to);
		plain_side(set, sigma, W, matrix, n, false, &to);
	}
	plain_closed(p, matrix, &to);
	return to;
}

static double
largest(size_t n, const double *v)
{
	double most = 0;

	for (size_t k = 0; k < n; k++)
		most = fmax(most, fabs(v[k]));
	return most;
}

static struct kith_immigrate_how
usual(double sigma, size_t max_iter)
{
	return (struct kith_immigrate_how){
	    .sigma = sigma, .max_iter = max_iter, .threads = 2};
}

/*
 * Many classes, rows that are alone in theirs, rows that come again, weights,
 * few and many features; sigma so small that one neighbour counts.
 */
static void
test_plain(void)
{
	static const size_t ps[] = {1, 2, 5, 12, 13, 21, 40};
	static const double sigmas[] = {.01, .3, 1, 4};

	for (size_t run = 0; run < 42; run++) {
		const size_t p = ps[run % 7], c = 2 + run % 4;
		const size_t n = c + 1 +
		    kith_rng_below(&rng, run < 14 ? 12 : 80);
		struct set *set = draw(n, p, c, run % 2, run % 3 == 0);
		struct kith_immigrate_how how = usual(sigmas[run % 4], 2);
		double *W = start(p, run % 5 == 0);
		double *V = kith_new(&pool, p, p * sizeof(*V));
		double *Sigma = kith_new(&pool, p, p * sizeof(*V)), size;
		struct kith_immigrate_trace at;
		struct kith_immigrate_fit fit;
		struct plain due;

		if (run % 2)
			set->rows.weight = set->weight;
		due = plain_at(set, how.sigma, W, true);
		size = largest(p * p, due.Sigma);
		ok(kith_immigrate_at(&set->rows, &how, W, &at, Sigma, V) ==
			(largest(p * p, due.V) > 0),
		    "run %zu: %zu x %zu, %zu classes", run, n, p, c);
		ok(fabs(at.C - due.C) <= 1e-11 * fmax(1, fabs(due.C)) &&
			fabs(at.F - due.F) <= 1e-11 * fmax(1, fabs(due.F)),
		    "C = %g, F = %g as defined", at.C, at.F);
		ok(apart(p * p, Sigma, due.Sigma) <= 1e-10 * size,
		    "Sigma: %.1e", apart(p * p, Sigma, due.Sigma) / size);
		if (largest(p * p, due.V) == 0)
			continue;
		ok(apart(p * p, V, due.V) <= 1e-8, "V: %.1e",
		    apart(p * p, V, due.V));
		kith_immigrate(&set->rows, &how, W, &fit);
		due = plain_at(set, how.sigma, due.V, true);
		if (largest(p * p, due.V) > 0)
			ok(apart(p * p, W, due.V) <= 1e-7, "W: %.1e",
			    apart(p * p, W, due.V));
		kith_pool_free(&pool);
	}
}

static void
test_vector(void)
{
	for (size_t run = 0; run < 20; run++) {
		const size_t p = 1 + kith_rng_below(&rng, 30), c = 2 + run % 3;
		struct set *set = draw(c + 2 + kith_rng_below(&rng, 90), p, c,
		    run % 2, run % 5 == 0);
		const struct kith_immigrate_how how = usual(
		    run % 2 ? .5 : 2, 2);
		double *w = even(p);
		struct kith_immigrate_fit fit;
		struct plain due;

		if (run % 2)
			set->rows.weight = set->weight;
		due = plain_at(set, how.sigma, w, false);
		if (largest(p, due.V) > 0)
			due = plain_at(set, how.sigma, due.V, false);
		kith_im4e(&set->rows, &how, w, &fit);
		if (fit.end == KITH_IMMIGRATE_KEPT) {
			ok(!(largest(p, due.V) > 0), "no weights");
			continue;
		}
		ok(apart(p, w, due.V) <= 1e-9, "w of %zu features: %.1e", p,
		    apart(p, w, due.V));
		due = plain_at(set, how.sigma, w, false);
		is_near(fit.C, due.C, 1e-10, "C");
		is_near(fit.F, due.F, 1e-10, "F");
		kith_pool_free(&pool);
	}
}

struct told {
	size_t n;
	struct kith_immigrate_trace trace[STEPS + 2];
};

static void
tell(void *to, const struct kith_immigrate_trace *trace)
{
	struct told *told = to;

	if (told->n <= STEPS)
		told->trace[told->n++] = *trace;
}

static void
test_monotone(void)
{
	size_t rose = 0, stopped = 0, worse = 0;

	for (size_t run = 0; run < 50; run++) {
		const size_t p = 1 + kith_rng_below(&rng, 16);
		struct set *set = draw(20 + kith_rng_below(&rng, 40), p,
		    2 + run % 3, run % 7 == 0, run % 5 == 0);
		struct kith_immigrate_how how = usual(
		    pow(4, (double)(run % 5) - 2.5), 40);
		struct told told = {0};
		struct kith_immigrate_fit fit;
		double *W = start(p, run % 2);

		how.tol = 1e-9;
		how.monotone = true;
		how.tell = tell;
		how.to = &told;
		if (run % 4 == 3)
			kith_im4e(&set->rows, &how, even(p), &fit);
		else
			kith_immigrate(&set->rows, &how, W, &fit);
		for (size_t t = 1; t < told.n; t++)
			rose += !(told.trace[t].F < told.trace[t - 1].F);
		stopped += fit.end != KITH_IMMIGRATE_LIMIT;
		worse += run % 4 < 3 && fit.end == KITH_IMMIGRATE_KEPT;
		worse += told.n != fit.iterations + 1 ||
		    fit.F != told.trace[told.n - 1].F;
		kith_pool_free(&pool);
	}
	is_size(rose, 0, "damped steps that do not lower F");
	is_size(worse, 0, "that are told wrongly, or pairs that ended early");
	ok(stopped >= 25, "%zu of 50 ended in 40 steps", stopped);
}

/* Plain steps at a small sigma end in cycles: the best is given. */
static void
test_cycles(void)
{
	size_t cycles = 0, wrong = 0, back = 0;

	for (size_t run = 0; run < 60; run++) {
		struct set *set = draw(24, 4, 2, false, false);
		struct kith_immigrate_how how = usual(.1, STEPS);
		struct told told = {0};
		struct kith_immigrate_fit fit;
		struct kith_immigrate_trace at;
		double *W = start(4, true), *V = start(4, true),
		       best = INFINITY;
		double *last = start(4, true);

		how.tol = 1e-9;
		how.tell = tell;
		how.to = &told;
		kith_immigrate(&set->rows, &how, W, &fit);
		if (fit.end != KITH_IMMIGRATE_CYCLE)
			continue;
		cycles++;
		for (size_t t = 0; t < told.n; t++)
			best = fmin(best, told.trace[t].F);
		wrong += fit.F != best;
		kith_immigrate_at(&set->rows, &how, W, &at, NULL, V);
		wrong += fabs(at.F - best) > 1e-9 * fmax(1, fabs(best));
		/* With tol 0 it goes on, and the last W is given. */
		how.tol = 0;
		how.max_iter = fit.iterations + 2;
		how.tell = NULL;
		memcpy(W, last, 16 * sizeof(*W));
		kith_immigrate(&set->rows, &how, W, &fit);
		how.max_iter -= 2;
		kith_immigrate(&set->rows, &how, last, &fit);
		back += fit.end == KITH_IMMIGRATE_LIMIT &&
		    apart(16, W, last) <= 1e-10;
		kith_pool_free(&pool);
	}
	ok(cycles > 0, "%zu cycles", cycles);
	is_size(wrong, 0, "that do not give the lowest F");
	is_size(back, cycles, "come back after two steps");
}

/* Known answers. */
static void
test_hand(void)
{
	double x[] = {0, 1, 10, 11}, W = 1, V, Sigma;
	size_t y[] = {0, 0, 1, 1}, mixed[] = {0, 1, 0, 1},
	       lone[] = {0, 1, 2, 3};
	const struct kith_mat X = {4, 1, x};
	struct kith_immigrate_rows rows = {&X, y, 2, NULL};
	struct kith_immigrate_how how = usual(1e-3, 100);
	struct kith_immigrate_trace at;
	struct kith_immigrate_fit fit;

	how.tol = 1e-6;
	ok(kith_immigrate_at(&rows, &how, &W, &at, &Sigma, &V), "one feature");
	is_near(
	    Sigma, 4 * 1 - 2 * (81 + 100), 1e-13, "hits 1, misses 9 and 10");
	is_near(at.C, Sigma, 1e-13, "C");
	is_near(V, 1, 1e-15, "V");
	kith_immigrate(&rows, &how, &W, &fit);
	ok(fit.end == KITH_IMMIGRATE_CONVERGED && fit.iterations == 1 && W == 1,
	    "there already");
	rows.y = mixed;
	kith_immigrate(&rows, &how, &W, &fit);
	ok(fit.end == KITH_IMMIGRATE_KEPT && W == 1 && fit.iterations == 0,
	    "hits are farther than misses");
	kith_im4e(&rows, &how, &W, &fit);
	ok(fit.end == KITH_IMMIGRATE_KEPT && W == 1, "for im4e too");
	rows.y = lone;
	rows.c = 4;
	ok(kith_immigrate_at(&rows, &how, &W, &at, &Sigma, &V),
	    "no hits at all");
	is_near(Sigma, -4, 1e-13, "only misses");
	x[1] = x[2] = x[3] = 0;
	kith_immigrate(&rows, &how, &W, &fit);
	ok(fit.end == KITH_IMMIGRATE_KEPT && W == 1 && fit.F == fit.C,
	    "rows that are all the same");
}

/* Order of rows and of features does not matter. */
static void
test_order(void)
{
	for (size_t run = 0; run < 8; run++) {
		const size_t n = 70, p = run % 2 ? 6 : 17;
		struct set *set = draw(n, p, 3, false, false);
		struct set *other = draw(n, p, 3, false, false);
		const struct kith_immigrate_how how = usual(2, 4);
		size_t *row = kith_new(&pool, n, sizeof(*row));
		size_t *column = kith_new(&pool, p, sizeof(*column));
		double *W = start(p, true), *Z = start(p, true), worst = 0;
		struct kith_immigrate_fit a, b;

		for (size_t i = 0; i < n; i++)
			row[i] = i;
		for (size_t j = 0; j < p; j++)
			column[j] = j;
		kith_rng_shuffle(&rng, row, n);
		kith_rng_shuffle(&rng, column, p);
		for (size_t i = 0; i < n; i++) {
			other->y[i] = set->y[row[i]];
			other->weight[i] = set->weight[row[i]];
			for (size_t j = 0; j < p; j++)
				kith_row(&other->X, i)[j] = kith_row(
				    &set->X, row[i])[column[j]];
		}
		set->rows.weight = set->weight;
		other->rows.weight = other->weight;
		kith_immigrate(&set->rows, &how, W, &a);
		kith_immigrate(&other->rows, &how, Z, &b);
		for (size_t i = 0; i < p; i++)
			for (size_t j = 0; j < p; j++)
				worst = fmax(worst,
				    fabs(W[column[i] * p + column[j]] -
					Z[i * p + j]));
		ok(worst <= 1e-9 && fabs(a.F - b.F) <= 1e-9 * fabs(a.F),
		    "rows and features in another order: %.1e", worst);
		kith_pool_free(&pool);
	}
}

/* Any number of threads gives the same bytes. */
static void
test_threads(void)
{
	static const struct {
		size_t n, p;
	} sizes[] = {{700, 4}, {300, 15}, {300, 30}};

	for (size_t s = 0; s < 3; s++) {
		const size_t n = sizes[s].n, p = sizes[s].p;
		struct set *set = draw(n, p, 3, false, true);
		struct kith_immigrate_how how = usual(s == 1 ? .05 : 1, 3);
		double *W[3], *w[3];

		for (size_t k = 0; k < 3; k++) {
			struct kith_immigrate_fit fit;

			how.threads = k == 0 ? 1 : 2 * k + 1;
			W[k] = start(p, true);
			w[k] = even(p);
			kith_immigrate(&set->rows, &how, W[k], &fit);
			kith_im4e(&set->rows, &how, w[k], &fit);
		}
		for (size_t k = 1; k < 3; k++)
			ok(memcmp(W[0], W[k], p * p * sizeof(double)) == 0 &&
				memcmp(w[0], w[k], p * sizeof(double)) == 0,
			    "%zu x %zu with %zu threads", n, p, 2 * k + 1);
		kith_pool_free(&pool);
	}
}

/* Data and sigma in other units give the same weights; nothing overflows. */
static void
test_scale(void)
{
	static const double unit[] = {0x1p-510, 0x1p-300, 0x1p300, 0x1p500};

	for (size_t run = 0; run < 8; run++) {
		const size_t p = run < 4 ? 5 : 14;
		const double u = unit[run % 4];
		struct set *set = draw(50, p, 2, false, false);
		struct kith_immigrate_how how = usual(2, 5);
		double *W = start(p, true), *Z = start(p, true);
		double *w = even(p), *z = even(p);
		struct kith_immigrate_fit fit, plain;

		how.tol = 1e-6;
		kith_immigrate(&set->rows, &how, W, &plain);
		kith_im4e(&set->rows, &how, w, &fit);
		for (size_t k = 0; k < 50 * p; k++)
			set->X.v[k] *= u;
		how.sigma = 2 * u * u;
		if (u < 1)
			how.tol = 0;
		if (how.sigma > 0)
			kith_immigrate(&set->rows, &how, Z, &fit);
		ok(how.sigma == 0 ||
			(apart(p * p, W, Z) <= 1e-9 &&
			    fabs(fit.F - plain.F * u * u) <=
				1e-9 * fabs(plain.F * u * u)),
		    "unit %g: %.1e", u, apart(p * p, W, Z));
		how.sigma = 2 * u;
		kith_im4e(&set->rows, &how, z, &fit);
		ok(apart(p, w, z) <= 1e-9, "im4e: %.1e", apart(p, w, z));
		how.sigma = 1; /* far too large, or too small */
		memcpy(Z, W, p * p * sizeof(*W));
		kith_immigrate(&set->rows, &how, Z, &fit);
		ok(apart(p * p, Z, Z) == 0 && !isnan(fit.F), "sigma 1: F = %g",
		    fit.F);
		kith_pool_free(&pool);
	}
}

/* The smallest sigma: each row has one hit and one miss, but for ties. */
static void
test_one_hot(void)
{
	for (size_t run = 0; run < 6; run++) {
		const size_t p = run % 2 ? 3 : 15;
		struct set *set = draw(40, p, 2, false, run > 3);
		struct kith_immigrate_how how = usual(5e-324, 20);
		struct kith_immigrate_fit fit;
		double *W = start(p, true), *w = even(p);

		kith_immigrate(&set->rows, &how, W, &fit);
		ok(!isnan(fit.F) && apart(p * p, W, W) == 0, "sigma 5e-324");
		how.sigma = 1e-12;
		kith_im4e(&set->rows, &how, w, &fit);
		ok(!isnan(fit.F) && apart(p, w, w) == 0, "im4e");
		how.package = true;
		how.tol = .01;
		kith_immigrate(&set->rows, &how, W, &fit);
		ok(fit.no_cost && apart(p * p, W, W) == 0 &&
			fit.iterations == 20,
		    "the package has no cost there, and goes on");
		kith_pool_free(&pool);
	}
}

/* A constant feature gets weight 0, wherever it lies. */
static void
test_constant(void)
{
	const size_t p = 14;
	struct set *set = draw(30, p, 2, false, false);
	const struct kith_immigrate_how how = usual(1, 3);
	struct kith_immigrate_fit fit;
	double *W = start(p, true), sum = 0;

	for (size_t i = 0; i < 30; i++)
		kith_row(&set->X, i)[3] = 1e300;
	kith_immigrate(&set->rows, &how, W, &fit);
	for (size_t j = 0; j < p; j++)
		sum += fabs(W[3 * p + j]);
	ok(sum <= 1e-15 && apart(p * p, W, W) == 0, "constant: %g", sum);
	for (size_t i = 0; i < 30; i++)
		for (size_t j = 0; j < p; j++)
			if (j != 3)
				kith_row(&set->X, i)[j] *= 0x1p-500;
	kith_immigrate(&set->rows, &how, W, &fit);
	ok(fit.end == KITH_IMMIGRATE_LIMIT && apart(p * p, W, W) == 0,
	    "among tiny ones");
	kith_pool_free(&pool);
}

/* Squares that fit no double: what counts is their ratio to sigma. */
static void
test_unit(void)
{
	static const struct {
		double unit, sigma, plain;
	} cases[] = {{0x1p515, 1, 0x1p-1030}, {0x1p515, 0x1p1020, 0x1p-10},
	    {0x1p-530, 0x1p-1060, 1}, {0x1p-530, 0x1p-1000, 0x1p60}};

	for (size_t run = 0; run < 8; run++) {
		const size_t p = run < 4 ? 5 : 14, at = run % 4;
		struct set *set = draw(40, p, 2, false, false);
		struct kith_immigrate_how how = usual(cases[at].plain, 3);
		double *W = start(p, true), *Z = start(p, true);
		struct kith_immigrate_fit fit;

		kith_immigrate(&set->rows, &how, W, &fit);
		for (size_t k = 0; k < 40 * p; k++)
			set->X.v[k] *= cases[at].unit;
		how.sigma = cases[at].sigma;
		kith_immigrate(&set->rows, &how, Z, &fit);
		ok(apart(p * p, W, Z) == 0 && !isnan(fit.F),
		    "unit %g, sigma %g: F %g", cases[at].unit, how.sigma,
		    fit.F);
		kith_pool_free(&pool);
	}
}

/* Rows all equally far apart: u is 0 but for rounding. */
static void
test_no_gradient(void)
{
	size_t kept = 0, runs = 0;

	for (size_t n = 6; n <= 60; n += 6, runs++) {
		struct set *set = draw(n, n, 3, false, false);
		const struct kith_immigrate_how how = usual(.7, 3);
		struct kith_immigrate_fit fit;
		double *w = even(n);

		memset(set->X.v, 0, n * n * sizeof(*set->X.v));
		for (size_t i = 0; i < n; i++) {
			set->y[i] = i % 3;
			kith_row(&set->X, i)[i] = .1 * (double)(i + 1);
		}
		for (size_t i = 0; i < n; i++)
			w[i] = 1 / (double)(i + 1);
		kith_im4e(&set->rows, &how, w, &fit);
		kept += fit.end == KITH_IMMIGRATE_KEPT && fit.iterations == 0;
		kith_pool_free(&pool);
	}
	is_size(kept, runs, "rounding is no gradient");
}

/* Step 4: what is below the threshold is 0, the rest has norm 1. */
static void
test_threshold(void)
{
	size_t bad = 0, early = 0, rose = 0;

	for (size_t run = 0; run < 30; run++) {
		const size_t p = 2 + run % 14;
		struct set *set = draw(40, p, 2, false, false);
		struct kith_immigrate_how how = usual(4, 60);
		struct told told = {0};
		struct kith_immigrate_fit fit;
		double *W = start(p, true), norm = 0, least = INFINITY;

		how.tol = 1e-7;
		how.threshold = 1 / (double)p;
		how.monotone = run % 3 == 0;
		how.tell = tell;
		how.to = &told;
		kith_immigrate(&set->rows, &how, W, &fit);
		for (size_t k = 0; k < p * p; k++) {
			norm += W[k] * W[k];
			if (W[k] != 0)
				least = fmin(least, W[k]);
		}
		bad += fabs(norm - 1) > 1e-12 || least < how.threshold ||
		    fit.end == KITH_IMMIGRATE_KEPT;
		early += fit.iterations < 30;
		for (size_t t = 1; t < told.n && how.monotone; t++)
			rose += told.trace[t].F > told.trace[t - 1].F;
		kith_pool_free(&pool);
	}
	is_size(bad, 0, "weights that are not cut, or not normalised");
	ok(early > 5, "%zu ended before half of the iterations", early);
	ok(rose <= 10, "monotone: at most one rise each (%zu)", rose);
}

/* Step 4 follows an early end at once, with its share of iterations. */
static void
test_phases(void)
{
	size_t early = 0, late = 0, wrong = 0;

	for (size_t run = 0; run < 60; run++) {
		const size_t p = 2 + run % 6;
		struct set *set = draw(30, p, 2, false, false);
		struct kith_immigrate_how how = usual(run % 2 ? 4 : 1, 22);
		struct kith_immigrate_fit plain, cut;
		double *W = start(p, true), *Z = start(p, true);

		how.tol = 1e-4;
		kith_immigrate(&set->rows, &how, W, &plain);
		how.threshold = 1 / (double)p;
		kith_immigrate(&set->rows, &how, Z, &cut);
		if (plain.iterations < 11) {
			early++;
			wrong += cut.iterations > plain.iterations + 11 ||
			    cut.iterations < plain.iterations + 2;
			late += cut.end == KITH_IMMIGRATE_LIMIT &&
			    cut.iterations == plain.iterations + 11;
		} else {
			wrong += cut.iterations < 11 + 2;
		}
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "iterations of Step 4");
	ok(early > 0 && late > 0, "%zu early, %zu of them to the end", early,
	    late);
}

/* A threshold that nothing reaches. */
static void
test_nothing_left(void)
{
	struct set *set = draw(30, 4, 2, false, false);
	struct kith_immigrate_how how = usual(1, 4);
	struct kith_immigrate_fit fit;
	double *W = start(4, true);

	how.threshold = 1.5;
	kith_immigrate(&set->rows, &how, W, &fit);
	ok(fit.end == KITH_IMMIGRATE_KEPT && fit.iterations == 2,
	    "threshold 1.5: the W before it");
	kith_pool_free(&pool);
}

/* Weight 2 is the term twice; all weights doubled change nothing. */
static void
test_weights(void)
{
	const size_t p = 5, n = 40;
	struct set *set = draw(n, p, 2, false, false);
	const struct kith_immigrate_how how = usual(1, 5);
	struct kith_immigrate_fit one, two;
	struct kith_immigrate_trace a, b, c;
	double *W = start(p, true), *Z = start(p, true);
	double *S = start(p, true), *T = start(p, true), *R = start(p, true);

	kith_immigrate(&set->rows, &how, W, &one);
	for (size_t i = 0; i < n; i++)
		set->weight[i] = 2;
	set->rows.weight = set->weight;
	kith_immigrate(&set->rows, &how, Z, &two);
	ok(apart(p * p, W, Z) <= 1e-12, "all weights 2: the same W");
	is_near(two.F, 2 * one.F, 1e-12, "twice the F");
	for (size_t i = 0; i < n; i++)
		set->weight[i] = i == 7;
	kith_immigrate_at(&set->rows, &how, W, &a, S, NULL);
	for (size_t i = 0; i < n; i++)
		set->weight[i] = 1;
	kith_immigrate_at(&set->rows, &how, W, &b, T, NULL);
	set->weight[7] = 2;
	kith_immigrate_at(&set->rows, &how, W, &c, R, NULL);
	for (size_t k = 0; k < p * p; k++)
		S[k] += T[k];
	ok(apart(p * p, R, S) <= 1e-9 * largest(p * p, R),
	    "weight 2: its term twice");
	is_near(c.C, a.C + b.C, 1e-12, "in C too");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_hand();
	test_plain();
	test_vector();
	test_monotone();
	test_cycles();
	test_order();
	test_threads();
	test_scale();
	test_one_hot();
	test_unit();
	test_constant();
	test_no_gradient();
	test_threshold();
	test_phases();
	test_nothing_left();
	test_weights();
	kith_pool_free(&pool);
	return done();
}
