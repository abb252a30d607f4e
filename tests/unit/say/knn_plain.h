/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knn_plain - random rows, runs of say/knn_run.h on them, and what these ought to
 * say, by distances that are sorted row by row.
 */
#ifndef KNN_PLAIN_H
#define KNN_PLAIN_H

#include "base/rng.h"
#include "printed.h"
#include "said.h"
#include "say/knn_run.h"
#include "vote/votes.h"

enum { N = 24, M = 13, P = 4, KS = 3, LOO = 100 };

static struct kith_rng rng;
static double X[N * P], Z[M * P], w[P], t[N], u[M];
static size_t y[N], own[M];
static size_t ks[KS] = {1, 3, 5};
static char names[P][2] = {"a", "b", "c", "d"};
static char *const name[] = {names[0], names[1], names[2], names[3]};

static inline void
draw(void)
{
	for (size_t i = 0; i < N; i++) {
		y[i] = kith_rng_unit(&rng) < .6 ? 0 : 1;
		t[i] = kith_rng_unit(&rng);
		for (size_t j = 0; j < P; j++)
			X[i * P + j] = kith_rng_unit(&rng) + (j == 1 ? .8 * (double)y[i] : 0);
	}
	for (size_t i = 0; i < M; i++) {
		own[i] = i == 4 ? KITH_NO_CLASS : kith_rng_below(&rng, 2);
		u[i] = i == 4 ? NAN : kith_rng_unit(&rng);
		for (size_t j = 0; j < P; j++)
			Z[i * P + j] = kith_rng_unit(&rng) + (j == 1 && own[i] == 1 ? .8 : 0);
	}
	for (size_t j = 0; j < P; j++)
		w[j] = .2 + kith_rng_unit(&rng);
}

/* A run that is asked for no more than predictions of the rows of Z. */
static inline struct kith_knn_run
run_of(bool numbers)
{
	struct kith_knn_run r = {.known = {.file = "known",
				     .X = {N, P, X},
				     .read = N,
				     .feature = {.name = (char **)name, .n = P},
				     .y = numbers ? NULL : y,
				     .t = numbers ? t : NULL},
	    .asked = {.file = "asked", .X = {M, P, Z}, .read = M},
	    .train = true,
	    .seed = 7,
	    .k = {KS, ks},
	    .shard = {1, 1},
	    .weights = {.metric = {KITH_SQUARED, P, w}},
	    .how = {.vote = &kith_vote_majority, .threads = 1}};

	r.known.class.name = (char **)name;
	r.known.class.n = numbers ? 0 : 2;
	r.asked.class = r.known.class;
	return r;
}

/* Print what the run is asked for. */
static inline const char *
run(struct kith_knn_run *r)
{
	struct kith_out out;
	struct kith_err err;

	if (kith_knn_run(r, &out, &err)) {
		printf("# %s\n", err.msg);
		abort();
	}
	return printed(&out);
}

/* A row, and rows that it is predicted from. */
struct one {
	const double *z;
	bool from[N];
	double w[P];
	bool absolute; /* weights are those of |D|, not of its square */
};

/* The rows it is predicted from, nearest first, and d. */
static inline size_t
sorted(const struct one *one, size_t *row, double *d)
{
	size_t n = 0;

	for (size_t i = 0; i < N; i++) {
		double sum = 0;
		size_t at = n;

		if (!one->from[i])
			continue;
		for (size_t j = 0; j < P; j++)
			sum += one->w[j] *
			    pow(fabs(one->z[j] - X[i * P + j]), one->absolute ? 1 : 2);
		for (; at > 0 && d[at - 1] > sum; at--) {
			d[at] = d[at - 1];
			row[at] = row[at - 1];
		}
		d[at] = sum;
		row[at] = i;
		n++;
	}
	return n;
}

/* What those of the k nearest within the radius say; without one, NaN. */
static inline double
plain(const struct one *one, size_t k, double radius, bool numbers)
{
	size_t row[N], count = 0;
	double d[N], sum = 0;
	const size_t n = sorted(one, row, d);

	for (size_t i = 0; i < n && i < k && sqrt(d[i]) <= radius; i++) {
		sum += numbers ? t[row[i]] : (double)y[row[i]];
		count++;
	}
	if (count == 0)
		return NAN;
	sum /= (double)count;
	if (numbers)
		return sum;
	/* Of classes that are tied, that of the nearest row. */
	return sum > .5 || (sum >= .5 && y[row[0]] == 1) ? 1 : 0;
}

static inline struct one
one_of(const double *z)
{
	struct one one = {.z = z};

	memcpy(one.w, w, sizeof(w));
	for (size_t i = 0; i < N; i++)
		one.from[i] = true;
	return one;
}

/* A trial by the formulas of table/trial.h: n, errors (classes), error, se. */
static inline size_t
trial_of(const double *loss, const size_t *part, size_t n, bool numbers, double *due)
{
	double sum[LOO] = {0}, count[LOO] = {0}, all = 0, rows = 0, mean = 0;
	double spread = 0, parts = 0, error;

	for (size_t i = 0; i < n; i++) {
		if (isnan(loss[i]))
			continue;
		sum[part ? part[i] : i] += loss[i];
		count[part ? part[i] : i]++;
		all += loss[i];
		rows++;
	}
	for (size_t f = 0; f < LOO; f++)
		if (count[f] > 0) {
			mean += sum[f] / count[f];
			parts++;
		}
	mean /= parts;
	for (size_t f = 0; f < LOO; f++)
		if (count[f] > 0)
			spread += pow(sum[f] / count[f] - mean, 2);
	spread = sqrt(spread / parts / (parts - 1));
	error = numbers ? sqrt(all / rows) : all / rows;
	due[0] = rows;
	due[1] = all;
	due[numbers ? 1 : 2] = error;
	due[numbers ? 2 : 3] = numbers ? spread / 2 / error : spread;
	return numbers ? 3 : 4;
}

#endif
