/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/plain - definitions of lib/relief/relief.h, written down as they are.
 */
#ifndef KITH_TEST_RELIEF_PLAIN_H
#define KITH_TEST_RELIEF_PLAIN_H

#include "relief/data.h"

/* The nearest row of i among hits, or else misses. */
static inline size_t
nearest(size_t i, bool hit, const double *d)
{
	size_t best = NOBODY;

	for (size_t j = 0; j < n; j++)
		if (j != i && (y[j] == y[i]) == hit && (best == NOBODY || d[j] < d[best]))
			best = j;
	return best;
}

static inline void
distances(size_t i, enum kith_metric_kind kind, const double *w, double *d)
{
	const struct kith_metric metric = {kind, p, w};

	for (size_t j = 0; j < n; j++)
		d[j] = kith_dist(&metric, x + i * p, x + j * p);
}

/* RELIEF, with neighbours under weights, of the rows that are on (NULL: all).
 */
static inline void
plain_relief(const double *under, const bool *on, double *w)
{
	double d[MOST_N], m = 0;

	memset(w, 0, p * sizeof(*w));
	for (size_t i = 0; i < n; i++) {
		size_t h, g;

		if (on && !on[i])
			continue;
		m++;
		distances(i, KITH_SQUARED, under, d);
		h = nearest(i, true, d);
		g = nearest(i, false, d);
		for (size_t a = 0; a < p; a++) {
			w[a] += square(x[i * p + a] - x[g * p + a]);
			if (h != NOBODY)
				w[a] -= square(x[i * p + a] - x[h * p + a]);
		}
	}
	for (size_t a = 0; a < p; a++)
		w[a] /= m;
}

static inline void
plain_mulrel(size_t loops, double *w)
{
	double under[MOST_P], sum;

	for (size_t l = 0; l < loops; l++) {
		memcpy(under, w, sizeof(under));
		plain_relief(l == 0 ? NULL : under, NULL, w);
		sum = 0;
		for (size_t a = 0; a < p; a++)
			sum += w[a] = fmax(w[a], 0);
		if (sum == 0)
			return;
		for (size_t a = 0; a < p; a++)
			w[a] /= sum;
	}
}

/* Whether a row, other than row i and with other values than row j, is as near as j but for rounding. */
static inline bool
has_tie(size_t i, size_t j, const double *d)
{
	for (size_t k = 0; k < n; k++)
		if (k != i && (y[k] == y[i]) == (y[j] == y[i]) &&
		    fabs(d[k] - d[j]) <= 1e-6 * d[j] &&
		    memcmp(x + k * p, x + j * p, p * sizeof(*x)) != 0)
			return true;
	return false;
}

/* SIMBA with row weights s of mean 1 (NULL: all ones); false where rounding breaks a tie. */
static inline bool
plain_simba(size_t passes, const double *s, double *w)
{
	double d[MOST_N], w2[MOST_P] = {0}, most = 0;
	bool clear = true;

	for (size_t a = 0; a < p; a++)
		w[a] = scale_of(s);
	for (size_t step = 0; step < passes * n; step++) {
		const size_t i = step % n;
		double g[MOST_P] = {0};

		for (size_t a = 0; a < p; a++)
			w2[a] = w[a] * w[a];
		distances(i, KITH_SQUARED, w2, d);
		for (int hit = 0; hit < 2; hit++) {
			const size_t j = nearest(i, hit, d);

			if (j == NOBODY)
				continue;
			clear = clear && !has_tie(i, j, d);
			for (size_t a = 0; d[j] > 0 && a < p; a++)
				g[a] += (hit ? -1 : 1) * square(x[i * p + a] - x[j * p + a]) /
				    sqrt(d[j]);
		}
		for (size_t a = 0; a < p; a++)
			w[a] += (s ? s[i] : 1) * g[a] / 2 * w[a];
	}
	for (size_t a = 0; a < p; a++)
		most = fmax(most, w[a] * w[a]);
	for (size_t a = 0; a < p; a++)
		w[a] = w[a] * w[a] / most;
	return clear;
}

/* Errors of the nearest other row. */
static inline size_t
plain_errors(const double *w)
{
	double d[MOST_N];
	size_t errors = 0;

	for (size_t i = 0; i < n; i++) {
		size_t h, m;

		distances(i, KITH_SQUARED, w, d);
		h = nearest(i, true, d);
		m = nearest(i, false, d);
		errors += h == NOBODY || d[m] < d[h] || (m < h && d[m] == d[h]);
	}
	return errors;
}

/* One iteration of IRELIEF from w. */
static inline void
plain_irelief(double sigma, double *w)
{
	double d[MOST_N], nu[MOST_P] = {0}, norm = 0;

	sigma *= scale_of(NULL);
	for (size_t i = 0; i < n; i++) {
		double H = 0, M = 0, gamma;

		distances(i, KITH_ABSOLUTE, w, d);
		for (size_t j = 0; j < n; j++) {
			if (j != i && y[j] == y[i])
				H += exp(-d[j] / sigma);
			else if (j != i)
				M += exp(-d[j] / sigma);
		}
		gamma = H / (H + M);
		for (size_t j = 0; j < n; j++) {
			const double f = gamma * exp(-d[j] / sigma);

			for (size_t a = 0; j != i && a < p; a++)
				nu[a] += fabs(x[i * p + a] - x[j * p + a]) *
				    (y[j] == y[i] ? -f / H : f / M);
		}
	}
	for (size_t a = 0; a < p; a++)
		norm += square(fmax(nu[a], 0));
	for (size_t a = 0; a < p; a++)
		w[a] = norm > 0 ? fmax(nu[a], 0) / sqrt(norm) : 0;
}

/* NCA: sum_i p_i for weights w = v^2, and its derivatives by v. */
static inline double
plain_nca(const double *v, double *g)
{
	double w[MOST_P], d[MOST_N], f = 0;

	memset(g, 0, p * sizeof(*g));
	for (size_t a = 0; a < p; a++)
		w[a] = v[a] * v[a];
	for (size_t i = 0; i < n; i++) {
		double S = 0, pi = 0, least = INFINITY;

		distances(i, KITH_SQUARED, w, d);
		for (size_t j = 0; j < n; j++)
			least = j == i ? least : fmin(least, d[j]);
		for (size_t j = 0; j < n; j++) {
			d[j] -= least; /* so that S is no denormal number */
			S += j == i ? 0 : exp(-d[j]);
			pi += j == i || y[j] != y[i] ? 0 : exp(-d[j]);
		}
		pi /= S;
		f += pi;
		for (size_t j = 0; j < n; j++)
			for (size_t a = 0; j != i && a < p; a++)
				g[a] += 2 * v[a] * exp(-d[j]) / S * (pi - (y[j] == y[i])) *
				    square(x[i * p + a] - x[j * p + a]);
	}
	return f;
}

#endif
