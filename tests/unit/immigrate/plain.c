/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/immigrate.h against sums written out over all rows.
 */
#include "immigrate/immigrate.h"

#include "immigrate/data.h"
#include "la/eig.h"
#include "tap.h"

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
plain_side(const struct set *set, double sigma, const double *W, bool matrix, size_t n, bool hits,
    struct plain *to)
{
	const size_t N = set->X.n, p = set->X.p;
	const double weight = set->rows.weight ? set->weight[n] : 1;
	const double sign = hits ? weight : -weight;
	double *d = kith_new(&pool, N, sizeof(*d));
	double *D = kith_new(&pool, N, p * sizeof(*D)), sum = 0, least = INFINITY;

	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j < p; j++)
			D[i * p + j] = fabs(kith_row(&set->X, n)[j] - kith_row(&set->X, i)[j]);
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
				to->Sigma[matrix ? j * p + k : j] += sign * a * D[i * p + j] *
				    (matrix ? D[i * p + k] : 1);
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
				to->V[j * p + k] -= mu[i] / sqrt(sum) * U[i * p + j] * U[i * p + k];
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
		const size_t n = c + 1 + kith_rng_below(&rng, run < 14 ? 12 : 80);
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
		ok(look_at(&set->rows, &how, W, &at, Sigma, V) == (largest(p * p, due.V) > 0),
		    "run %zu: %zu x %zu, %zu classes", run, n, p, c);
		ok(fabs(at.C - due.C) <= 1e-11 * fmax(1, fabs(due.C)) &&
			fabs(at.F - due.F) <= 1e-11 * fmax(1, fabs(due.F)),
		    "C = %g, F = %g as defined", at.C, at.F);
		ok(apart(p * p, Sigma, due.Sigma) <= 1e-10 * size, "Sigma: %.1e",
		    apart(p * p, Sigma, due.Sigma) / size);
		if (largest(p * p, due.V) == 0)
			continue;
		ok(apart(p * p, V, due.V) <= 1e-8, "V: %.1e", apart(p * p, V, due.V));
		kith_immigrate(&set->rows, &how, W, &fit);
		due = plain_at(set, how.sigma, due.V, true);
		if (largest(p * p, due.V) > 0)
			ok(apart(p * p, W, due.V) <= 1e-7, "W: %.1e", apart(p * p, W, due.V));
		kith_pool_free(&pool);
	}
}

static void
test_vector(void)
{
	for (size_t run = 0; run < 20; run++) {
		const size_t p = 1 + kith_rng_below(&rng, 30), c = 2 + run % 3;
		struct set *set = draw(
		    c + 2 + kith_rng_below(&rng, 90), p, c, run % 2, run % 5 == 0);
		const struct kith_immigrate_how how = usual(run % 2 ? .5 : 2, 2);
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
		ok(apart(p, w, due.V) <= 1e-9, "w of %zu features: %.1e", p, apart(p, w, due.V));
		due = plain_at(set, how.sigma, w, false);
		is_near(fit.C, due.C, 1e-10, "C");
		is_near(fit.F, due.F, 1e-10, "F");
		kith_pool_free(&pool);
	}
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_plain();
	test_vector();
	kith_pool_free(&pool);
	return done();
}
