/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/sigma.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/sort.h"
#include "la/mat.h"
#include "near/knn.h"
#include "near/metric.h"

#include <math.h>
#include <string.h>

enum { SAMPLE = 2000 };

int
kith_sigma_parse(const char *text, struct kith_sigma *sigma)
{
	static const struct {
		const char *word;
		struct kith_sigma sigma;
	} rule[] = {
	    {"auto", {.rule = KITH_SIGMA_AUTO}},
	    {"median", {.rule = KITH_SIGMA_MEDIAN}},
	    {"local", {.rule = KITH_SIGMA_LOCAL}},
	};
	double x;

	for (size_t r = 0; r < sizeof(rule) / sizeof(*rule); r++)
		if (strcmp(text, rule[r].word) == 0) {
			sigma->rule = rule[r].sigma.rule;
			return 0;
		}
	if (kith_parse_real(text, strlen(text), &x) || x <= 0)
		return -1;
	*sigma = (struct kith_sigma){KITH_SIGMA_FIXED, x};
	return 0;
}

double
kith_sigma_unit(const struct kith_knn *knn, const struct kith_metric *metric)
{
	const double u = kith_knn_unit(knn);
	return metric->kind == KITH_ABSOLUTE ? sqrt(u) : u;
}

double
kith_sigma_third(const struct kith_sigma *sigma, double *r, size_t m)
{
	long double sum = 0;

	if (m == 0)
		return 0;
	if (sigma->rule == KITH_SIGMA_AUTO) {
		for (size_t i = 0; i < m; i++)
			sum += r[i];
		return (double)(sum / (long double)m / 3);
	}
	kith_sort_reals(r, m);
	return (r[(m - 1) / 2] / 2 + r[m / 2] / 2) / 3;
}

size_t
kith_sigma_asks(const struct kith_sigma *sigma, size_t n)
{
	if (sigma->rule == KITH_SIGMA_FIXED || sigma->rule == KITH_SIGMA_LOCAL)
		return 0;
	return n < SAMPLE ? n : SAMPLE;
}

/* The neighbours of the sample: m x k, at most n - 1 of them. */
static struct kith_neighbour *
look(const struct kith_sigma_data *in, size_t m, size_t k,
    struct kith_pool *pool)
{
	size_t *row = kith_new(pool, m, sizeof(*row));
	struct kith_neighbour *nn = kith_new(pool, m * k, sizeof(*nn));
	struct kith_mat Z;

	for (size_t i = 0; i < m; i++)
		row[i] = i * in->X->n / m;
	if (in->nn && in->most >= k) {
		for (size_t i = 0; i < m; i++)
			memcpy(nn + i * k, in->nn + row[i] * in->most,
			    k * sizeof(*nn));
		return nn;
	}
	Z = kith_mat_rows(in->X, row, m, pool);
	kith_knn_search(in->knn, &Z, row, k, in->threads, nn);
	return nn;
}

static int
fit(const struct kith_sigma *sigma, const struct kith_neighbour *nn, size_t m,
    size_t most, const size_t *k, size_t nk, double *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	double *r = kith_new(&tmp, m, sizeof(*r));

	for (size_t a = 0; a < nk; a++) {
		const size_t at = (k[a] < most ? k[a] : most) - 1;

		for (size_t i = 0; i < m; i++) {
			if (nn[i * most + at].d < 0) {
				kith_pool_free(&tmp);
				return kith_fail(err, EX_DATAERR,
				    "the weights make distances below 0: no "
				    "bandwidth (--sigma)");
			}
			r[i] = sqrt(nn[i * most + at].d);
		}
		out[a] = kith_sigma_third(sigma, r, m);
	}
	kith_pool_free(&tmp);
	return 0;
}

int
kith_sigma_fit(const struct kith_sigma *sigma, const struct kith_sigma_data *in,
    const size_t *k, size_t nk, double *out, bool *flat, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = in->X->n, m = kith_sigma_asks(sigma, n);
	const double unit = kith_sigma_unit(in->knn, in->metric);
	const bool fixed = sigma->rule == KITH_SIGMA_FIXED;
	size_t most = 0;
	int got = 0;

	for (size_t a = 0; a < nk; a++) {
		out[a] = fixed ? sigma->value * unit : 0;
		most = k[a] > most ? k[a] : most;
	}
	if (m == 0)
		return 0;
	most = most < n ? most : n - 1;
	if (most > 0)
		got = fit(
		    sigma, look(in, m, most, &tmp), m, most, k, nk, out, err);
	kith_pool_free(&tmp);
	for (size_t a = 0; a < nk; a++)
		if (out[a] == 0) {
			*flat = true;
			out[a] = unit;
		}
	return got;
}

double
kith_sigma_local(const struct kith_neighbour *nn, size_t k)
{
	const double r = sqrt(nn[k - 1].d) / 3;

	return r > 0 ? r : 1;
}
