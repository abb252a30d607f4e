/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/plain - the definitions of lib/relief/relief.h, written down as they are: of the rows of
 * data.h that are on, which count by their weights s.
 */
#ifndef KITH_TEST_RELIEF_PLAIN_H
#define KITH_TEST_RELIEF_PLAIN_H

#include "la/lapack.h"
#include "relief/data.h"

/* All differences: n x n x p, in ranges of the columns or in their own unit. */
static double diff[DRAWN_N * DRAWN_N * DRAWN_P], factor[DRAWN_P];

static inline double
plain_range(const double *v, size_t step)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		least = fmin(least, v[i * step]);
		most = fmax(most, v[i * step]);
	}
	return most - least;
}

/* Whether cell a of row j is known, in the class b; every class if b is NOBODY. */
static inline bool
is_known(size_t j, size_t a, size_t b)
{
	return !isnan(x[j * p + a]) && (b == NOBODY || y[j] == b);
}

/* b, or NOBODY where its rows do not tell about column a. */
static inline size_t
who_tells(size_t a, size_t b)
{
	for (size_t j = 0; j < n; j++)
		if (is_known(j, a, b))
			return b;
	return NOBODY;
}

static inline double
plain_known(size_t a, double u, double v)
{
	return text[a] ? u != v : fabs(u - v) * factor[a];
}

/* diff_a of two rows; classes say what a missing cell may be, if `classes`.  Cells count alike. */
static inline double
plain_diff(size_t i, size_t j, size_t a, bool classes)
{
	const double u = x[i * p + a], v = x[j * p + a];
	const size_t bi = classes ? who_tells(a, y[i]) : NOBODY;
	const size_t bj = classes ? who_tells(a, y[j]) : NOBODY;
	double sum = 0, count = 0;

	if (!isnan(u) && !isnan(v))
		return plain_known(a, u, v);
	for (size_t r = 0; r < n; r++)
		for (size_t q = 0; q < n; q++) {
			if (isnan(u) ? !is_known(r, a, bi) : r != i)
				break;
			if (isnan(v) ? !is_known(q, a, bj) : q != j)
				continue;
			sum += plain_known(a, x[r * p + a], x[q * p + a]);
			count++;
		}
	return sum / count;
}

/* `ranged`: numbers count in ranges of their columns. */
static inline void
fill_diff(bool classes, bool ranged)
{
	for (size_t a = 0; a < p; a++) {
		const double range = plain_range(x + a, p);

		factor[a] = range > 0 ? (ranged ? 1 / range : 1) : 0;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			for (size_t a = 0; a < p; a++)
				diff[(i * n + j) * p + a] = plain_diff(i, j, a, classes);
}

static inline void
distances(size_t i, enum kith_metric_kind kind, const double *w, double *d)
{
	const struct kith_metric metric = {kind, p, w};

	for (size_t j = 0; j < n; j++)
		d[j] = kith_dist(&metric, x + i * p, x + j * p);
}

/* Distances by differences of cells, or by their squares. */
static inline void
cell_distances(size_t i, bool squares, double *d)
{
	for (size_t j = 0; j < n; j++) {
		d[j] = 0;
		for (size_t a = 0; a < p; a++)
			d[j] += squares ? square(diff[(i * n + j) * p + a])
					: diff[(i * n + j) * p + a];
	}
}

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

/* The weights of all rows that are on. */
static inline double
weight_on(void)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += on[i] ? s[i] : 0;
	return sum;
}

/* RELIEF, with neighbours under weights; `cells`: by the differences of fill_diff(). */
static inline void
plain_relief(const double *under, bool cells, double *w)
{
	double d[MOST_N];

	memset(w, 0, p * sizeof(*w));
	for (size_t i = 0; i < n; i++) {
		if (cells)
			cell_distances(i, true, d);
		else
			distances(i, KITH_SQUARED, under, d);
		for (int hit = 0; on[i] && hit < 2; hit++) {
			const size_t j = nearest(i, hit, d);

			for (size_t a = 0; j != NOBODY && a < p; a++) {
				const double D = cells ? diff[(i * n + j) * p + a]
						       : x[i * p + a] - x[j * p + a];

				w[a] += (hit ? -s[i] : s[i]) * square(D);
			}
		}
	}
	for (size_t a = 0; a < p; a++)
		w[a] /= weight_on();
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

/* SIMBA; false where rounding breaks a tie. */
static inline bool
plain_simba(size_t passes, double *w)
{
	double d[MOST_N] = {0}, w2[MOST_P] = {0}, most = 0;
	bool clear = true;

	for (size_t a = 0; a < p; a++)
		w[a] = scale_of();
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
			w[a] += s[i] * g[a] / 2 * w[a];
	}
	for (size_t a = 0; a < p; a++)
		most = fmax(most, w[a] * w[a]);
	for (size_t a = 0; a < p; a++)
		w[a] = w[a] * w[a] / most;
	return clear;
}

/* One iteration of IRELIEF from w. */
static inline void
plain_irelief(double sigma, double *w)
{
	double d[MOST_N], nu[MOST_P] = {0}, norm = 0;

	sigma *= scale_of();
	for (size_t i = 0; i < n; i++) {
		double H = 0, M = 0;

		distances(i, KITH_ABSOLUTE, w, d);
		for (size_t j = 0; j < n; j++) {
			d[j] = j == i ? 0 : s[j] * exp(-d[j] / sigma);
			*(y[j] == y[i] ? &H : &M) += d[j];
		}
		for (size_t j = 0; H > 0 && j < n; j++)
			for (size_t a = 0; a < p; a++)
				nu[a] += s[i] * H / (H + M) * d[j] *
				    fabs(x[i * p + a] - x[j * p + a]) *
				    (y[j] == y[i] ? -1 / H : 1 / M);
	}
	for (size_t a = 0; a < p; a++)
		norm += square(fmax(nu[a], 0));
	for (size_t a = 0; a < p; a++)
		w[a] = norm > 0 ? fmax(nu[a], 0) / sqrt(norm) : 0;
}

/* NCA: sum_i s_i p_i for weights w = v^2, and its derivatives by v. */
static inline double
plain_nca(const double *v, double *g)
{
	double w[MOST_P] = {0}, d[MOST_N] = {0}, f = 0;

	memset(g, 0, p * sizeof(*g));
	for (size_t a = 0; a < p; a++)
		w[a] = v[a] * v[a];
	for (size_t i = 0; i < n; i++) {
		double S = 0, pi = 0, least = INFINITY;

		distances(i, KITH_SQUARED, w, d);
		for (size_t j = 0; j < n; j++)
			least = j == i ? least : fmin(least, d[j]);
		for (size_t j = 0; j < n; j++) {
			d[j] = j == i
			    ? 0
			    : s[j] * exp(least - d[j]); /* so that S is no denormal number */
			S += d[j];
			pi += y[j] == y[i] ? d[j] : 0;
		}
		pi /= S;
		f += s[i] * pi;
		for (size_t j = 0; j < n; j++)
			for (size_t a = 0; a < p; a++)
				g[a] += 2 * s[i] * v[a] * d[j] / S * (pi - (y[j] == y[i])) *
				    square(x[i * p + a] - x[j * p + a]);
	}
	return f;
}

/* LFE: the positive part of the sum of all pairs, of norm 1, by its eigenvalues. */
static inline void
plain_lfe(double *W)
{
	double *M, *U, *lambda = kith_new(&pool, p, sizeof(*lambda)), d[MOST_N], norm = 0;

	KITH_NEW_REALS(&pool, p, p, &M, &U);
	for (size_t k = 0; k < 2 * n; k++) {
		const size_t i = k / 2;
		size_t j;

		distances(i, KITH_SQUARED, NULL, d);
		j = nearest(i, k % 2, d);
		for (size_t l = 0; on[i] && j != NOBODY && l < p * p; l++)
			M[l] += (k % 2 ? -s[i] : s[i]) * (x[i * p + l / p] - x[j * p + l / p]) *
			    (x[i * p + l % p] - x[j * p + l % p]);
	}
	memset(W, 0, p * p * sizeof(*W));
	if (!kith_eig(p, M, lambda, U))
		abort();
	for (size_t q = 0; q < p; q++)
		norm = lambda[q] > 1e-12 ? hypot(norm, lambda[q]) : norm;
	for (size_t q = 0; q < p; q++)
		for (size_t l = 0; lambda[q] > 1e-12 && l < p * p; l++)
			W[l] += lambda[q] / norm * U[q * p + l / p] * U[q * p + l % p];
}

/* The k nearest rows of class b (NOBODY: of all) to row i; how many. */
static inline size_t
nearest_k(size_t i, size_t b, size_t k, bool squares, size_t *nn)
{
	double d[MOST_N];
	size_t held = 0;

	cell_distances(i, squares, d);
	for (size_t j = 0; j < n; j++) {
		size_t at;

		if (j == i || (b != NOBODY && y[j] != b))
			continue;
		for (at = held; at > 0 && d[nn[at - 1]] > d[j]; at--)
			nn[at] = nn[at - 1];
		nn[at] = j;
		held++;
	}
	return held < k ? held : k;
}

/* The share of each class. */
static inline void
plain_shares(double *share)
{
	memset(share, 0, MOST_C * sizeof(*share));
	for (size_t i = 0; i < n; i++)
		share[y[i]] += s[i] / (double)n;
}

static inline void
plain_relieff(size_t k, bool squares, double *w)
{
	double share[MOST_C];
	size_t nn[MOST_N + 1];

	memset(w, 0, p * sizeof(*w));
	plain_shares(share);
	for (size_t i = 0; i < n; i++)
		for (size_t b = 0; on[i] && b < c; b++) {
			const size_t held = nearest_k(i, b, k, squares, nn);
			const double prior = y[i] == b ? -1 : share[b] / (1 - share[y[i]]);
			double sum = 0;

			for (size_t r = 0; r < held; r++)
				sum += s[nn[r]];
			for (size_t r = 0; r < held; r++)
				for (size_t a = 0; a < p; a++)
					w[a] += s[i] / weight_on() * prior * s[nn[r]] / sum *
					    diff[(i * n + nn[r]) * p + a];
		}
}

static inline void
plain_rrelieff(size_t k, bool squares, double sigma, double *w)
{
	double with[MOST_P] = {0}, without[MOST_P] = {0}, C = 0, R = 0;
	const double range = plain_range(t, 1);
	size_t nn[MOST_N + 1];

	for (size_t i = 0; i < n; i++) {
		const size_t held = nearest_k(i, NOBODY, k, squares, nn);
		double f[MOST_N], sum = 0;

		for (size_t r = 0; r < held; r++)
			sum += f[r] = s[nn[r]] * exp(-square((double)(r + 1) / sigma));
		for (size_t r = 0; on[i] && r < held; r++) {
			const double by = s[i] * f[r] / sum;
			const double delta = fabs(t[i] - t[nn[r]]) / range;

			C += by * delta;
			R += by * (1 - delta);
			for (size_t a = 0; a < p; a++) {
				const double D = diff[(i * n + nn[r]) * p + a];

				with[a] += by * delta * D;
				without[a] += by * (1 - delta) * D;
			}
		}
	}
	for (size_t a = 0; a < p; a++)
		w[a] = with[a] / C - without[a] / R;
}

/* Mean and standard deviation of the distances d of row i. */
static inline void
describe(size_t i, const double *d, double *mean, double *sd)
{
	double s1 = 0, s2 = 0;

	for (size_t j = 0; j < n; j++)
		s1 += j == i ? 0 : s[j] * d[j];
	*mean = s1 / ((double)n - s[i]);
	for (size_t j = 0; j < n; j++)
		s2 += j == i ? 0 : s[j] * square(d[j] - *mean);
	*sd = sqrt(s2 / ((double)n - s[i]));
}

/* The mean distance of all pairs of a row that is on. */
static inline double
mean_of_pairs(void)
{
	double sum = 0, s1 = 0, d[MOST_N], mean, sd;

	for (size_t i = 0; i < n; i++) {
		cell_distances(i, false, d);
		describe(i, d, &mean, &sd);
		sum += on[i] ? s[i] * ((double)n - s[i]) : 0;
		s1 += on[i] ? s[i] * ((double)n - s[i]) * mean : 0;
	}
	return s1 / sum;
}

/* What row i adds: its near rows by group, of which `own` are its hits. */
static inline void
add_near(size_t i, const double *d, double T, const size_t *group, size_t own, const double *share,
    double *w)
{
	double sum[MOST_C] = {0}, all = 0;

	for (size_t j = 0; j < n; j++)
		sum[group[j]] += j != i && d[j] < T - 1e-11 * T ? s[j] : 0;
	for (size_t g = 0; g < MOST_C; g++)
		all += g != own && sum[g] > 0 ? share[g] : 0;
	for (size_t j = 0; j < n; j++)
		for (size_t a = 0; j != i && d[j] < T - 1e-11 * T && a < p; a++)
			w[a] += (group[j] == own ? -1 : share[group[j]] / all) * s[i] /
			    weight_on() * s[j] / sum[group[j]] * diff[(i * n + j) * p + a];
}

static inline void
plain_surf(bool multi, bool numbers, double *w)
{
	double mean = 0, sd = 0, share[MOST_C] = {1, 1};
	const double T = mean_of_pairs();

	memset(w, 0, p * sizeof(*w));
	if (!numbers)
		plain_shares(share);
	for (size_t i = 0; i < n; i++)
		mean += s[i] * t[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		sd += s[i] * square(t[i] - mean) / (double)n;
	for (size_t i = 0; i < n; i++) {
		double d[MOST_N], own_mean, own_sd;
		size_t group[MOST_N] = {0};

		for (size_t j = 0; j < n; j++)
			group[j] = numbers ? fabs(t[i] - t[j]) < sqrt(sd) : y[j];
		cell_distances(i, false, d);
		describe(i, d, &own_mean, &own_sd);
		if (on[i])
			add_near(i, d, multi ? own_mean - own_sd / 2 : T, group, numbers ? 1 : y[i],
			    share, w);
	}
}

#endif
