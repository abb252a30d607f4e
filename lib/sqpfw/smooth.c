/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/smooth.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/blas.h"
#include "la/vec.h"
#include "sqpfw/smooth_least.h"
#include "sqpfw/sqpfw.h"
#include "sqpfw/state.h"

#include <assert.h>
#include <lbfgs.h>
#include <math.h>
#include <string.h>

/* Temperatures, in mean distances under the prior. */
#define FIRST 2e-2
#define LAST 4e-4

/* A temperature ends where the objective has fallen by less in ROUND
 * iterations, relative to all that it has fallen. */
#define FALL 1e-3

/* Weights below this share of the largest are 0. */
#define NOTHING 1e-6

enum {
	STAGES = 4,
	ROUND = 10,
	MOST = 200,    /* iterations at a temperature */
	MEMORY = 10,   /* steps that L-BFGS remembers */
	WHOLE = 16,    /* variables that the library may add */
	SAMPLE = 2000, /* points at most */
	ROWS = 64      /* of a block */
};

struct smooth {
	size_t n, p, ld;       /* rows, features, their room */
	double *X;             /* n x ld, of mean 0 */
	size_t *from, *end;    /* n: the rows of the class of a row */
	size_t *hits, *misses; /* n: ranks of its targets; hits 0: none */
	double *share;         /* n: of the row in the mean */
	double *prior;         /* p */
	double theta, temperature;
	size_t threads, blocks;

	double *w, *root;      /* p: the weights, and their square roots */
	double *A, *norm;      /* n x ld: rows times roots; n: their squares */
	double *Y;             /* n x ld: P X, P the factors */
	double *D;             /* threads x ROWS x n: distances, then factors */
	double *room;          /* threads x 4 n */
	double *part, *column; /* blocks x ld, blocks x n: sums */
	double *value;         /* blocks */
	double *g;             /* ld */

	double highest, before; /* values: the largest, and one a round ago */
};

/* Let d (n) of row i become the factors of its pairs; the row's value. */
static double
weigh(const struct smooth *s, size_t i, double *d, double *room)
{
	const size_t from = s->from[i], end = s->end[i], n = s->n;
	double *hit = room, *miss = hit + n, *q = miss + n, *soft = q + n;
	const double share = s->share[i], T = s->temperature;
	size_t hits = 0, misses = 0;
	double value = 0;

	if (share == 0) {
		memset(d, 0, n * sizeof(*d));
		return 0;
	}
	for (size_t j = from; j < end; j++)
		if (j != i)
			hit[hits++] = d[j];
	for (size_t j = 0; j < n; j = j + 1 == from ? end : j + 1) {
		if (j == from)
			j = end;
		if (j < n)
			miss[misses++] = d[j];
	}
	memset(d, 0, n * sizeof(*d));
	if (s->hits[i] > 0) {
		value = share * kith_sqpfw_smooth_least(s->hits[i], T, hits, hit, q, soft);
		for (size_t j = from, k = 0; j < end; j++)
			if (j != i)
				d[j] = share * q[k++];
	}
	value -= share * kith_sqpfw_smooth_least(s->misses[i], T, misses, miss, q, soft);
	for (size_t j = 0; j < from; j++)
		d[j] = -share * q[j];
	for (size_t j = end; j < n; j++)
		d[j] = -share * q[j - (end - from)];
	return value;
}

/* Y = P X of m rows of a block; their factors P are many, or few. */
static void
multiply(const struct smooth *s, size_t m, const double *P, double *Y)
{
	const size_t n = s->n, ld = s->ld;
	size_t factors = 0;

	for (size_t k = 0; k < m * n; k++)
		factors += P[k] != 0;
	if (factors > m * n / 8) {
		kith_blas_product(m, ld, n, P, s->X, Y);
		return;
	}
	memset(Y, 0, m * ld * sizeof(*Y));
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			if (P[i * n + j] != 0)
				kith_sqpfw_axpy(ld, P[i * n + j], s->X + j * ld, Y + i * ld);
}

/* part += x (r x - 2 y) for a row x whose factors sum to r. */
static void
add_row(size_t ld, double r, const double *x, const double *y, double *part)
{
	for (size_t f = 0; f < ld; f++)
		part[f] += x[f] * (r * x[f] - 2 * y[f]);
}

static void
work(void *to, size_t block, size_t thread)
{
	const struct smooth *s = to;
	const size_t n = s->n, ld = s->ld, first = block * ROWS;
	const size_t m = n - first < ROWS ? n - first : ROWS;
	double *D = s->D + thread * ROWS * n, *column = s->column + block * n;
	double *Y = s->Y + first * ld;

	kith_blas_rows(m, n, s->p, s->A + first * ld, ld, s->A, ld, D, n);
	memset(column, 0, n * sizeof(*column));
	s->value[block] = 0;
	for (size_t i = 0; i < m; i++) {
		double *d = D + i * n;

		for (size_t j = 0; j < n; j++)
			d[j] = kith_larger(s->norm[first + i] + s->norm[j] - 2 * d[j], 0);
		s->value[block] += weigh(s, first + i, d, s->room + thread * 4 * n);
		for (size_t j = 0; j < n; j++)
			column[j] += d[j];
	}
	multiply(s, m, D, Y);
	memset(s->part + block * ld, 0, ld * sizeof(*s->part));
	for (size_t i = 0; i < m; i++)
		add_row(ld, kith_vec_sum(n, D + i * n), s->X + (first + i) * ld, Y + i * ld,
		    s->part + block * ld);
}

/*
 * The mean of the smoothed margins at w, and its gradient g:
 * g_f = sum_ij P_ij (x_if - x_jf)^2.
 */
static double
margins(struct smooth *s)
{
	const size_t n = s->n, ld = s->ld;
	double value = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t f = 0; f < s->p; f++)
			s->A[i * ld + f] = s->X[i * ld + f] * s->root[f];
		s->norm[i] = kith_sqpfw_dot(ld, s->A + i * ld, s->A + i * ld);
	}
	kith_par(s->threads, s->blocks, work, s);
	memset(s->g, 0, ld * sizeof(*s->g));
	for (size_t b = 0; b < s->blocks; b++) {
		value += s->value[b];
		kith_sqpfw_axpy(ld, 1, s->part + b * ld, s->g);
		if (b > 0)
			for (size_t j = 0; j < n; j++)
				s->column[j] += s->column[b * n + j];
	}
	memset(s->part, 0, ld * sizeof(*s->part));
	for (size_t j = 0; j < n; j++)
		add_row(ld, s->column[j], s->X + j * ld, s->part, s->g);
	return value;
}

/* The objective at w = v^2 / |v|^2, and its gradient over v. */
static double
value(void *to, const double *v, double *g, int variables, double step)
{
	struct smooth *s = to;
	double square = 0, F, along = 0;

	(void)variables, (void)step;
	for (size_t f = 0; f < s->p; f++)
		square += v[f] * v[f];
	for (size_t f = 0; f < s->p; f++) {
		s->w[f] = v[f] * v[f] / square;
		s->root[f] = fabs(v[f]) / sqrt(square);
	}
	F = s->theta * margins(s);
	for (size_t f = 0; f < s->p; f++) {
		const double d = s->w[f] - s->prior[f];

		F += d * d / 2;
		s->g[f] = s->theta * s->g[f] + d;
		along += s->g[f] * s->w[f];
	}
	/* dF/dv_f = 2 v_f / |v|^2 (g_f - g'w) */
	for (size_t f = 0; f < s->p; f++)
		g[f] = 2 * v[f] / square * (s->g[f] - along);
	return F;
}

/* Called after each iteration: not 0 ends the search. */
static int /* NOLINTNEXTLINE(readability-function-size): the library's */
look(void *to, const double *v, const double *g, double F, double v_norm, double g_norm,
    double step, int variables, int iteration, int trials)
{
	struct smooth *s = to;
	const bool slow = s->before - F <= FALL * (s->highest - F);

	(void)v, (void)g, (void)v_norm, (void)g_norm;
	(void)step, (void)variables, (void)trials;
	if (iteration % ROUND != 0)
		return 0;
	s->before = F;
	return slow;
}

/* Lower the temperature; false where a value is no number. */
static bool
anneal(struct smooth *s, double mean, double *v, double *g)
{
	lbfgs_parameter_t how;

	lbfgs_parameter_init(&how);
	how.m = MEMORY;
	how.epsilon = 0;
	how.max_iterations = MOST;
	for (int k = 0; k < STAGES; k++) {
		int end;

		s->temperature = mean * FIRST * pow(LAST / FIRST, (double)k / (STAGES - 1));
		s->before = value(s, v, g, 0, 0);
		s->highest = k == 0 ? s->before : fmax(s->highest, s->before);
		if (!isfinite(s->before))
			return false;
		end = lbfgs((int)s->p, v, NULL, value, look, s, &how);
		if (end == LBFGSERR_OUTOFMEMORY)
			kith_no_memory(s->p, (size_t)2 * MEMORY * sizeof(*v));
	}
	return true;
}

/* Choose the points: all, or of each class every so many; whether all classes have enough. */
static bool
choose(struct smooth *s, const struct kith_sqpfw *of, size_t *point)
{
	const struct kith_sqpfw_points *points = &of->points;
	const size_t every = (points->n + SAMPLE - 1) / SAMPLE;
	double sum = 0;

	for (size_t c = 0; c < points->c; c++) {
		const size_t from = s->n;

		for (size_t i = points->start[c]; i < points->start[c + 1]; i += every)
			point[s->n++] = i;
		for (size_t k = from; k < s->n; k++) {
			s->from[k] = from;
			s->end[k] = s->n;
		}
	}
	for (size_t k = 0; k < s->n; k++) {
		const size_t own = s->end[k] - s->from[k];

		s->hits[k] = of->group[2 * point[k]].rank;
		s->misses[k] = of->group[2 * point[k] + 1].rank;
		s->share[k] = kith_sqpfw_target_share(of, 2 * point[k]);
		sum += s->share[k];
		if (own - 1 < s->hits[k] || s->n - own < s->misses[k])
			return false;
	}
	for (size_t k = 0; k < s->n; k++)
		s->share[k] /= sum;
	return true;
}

/* Copy the points, less their mean; the mean distance under the prior. */
static double
copy(struct smooth *s, const struct kith_sqpfw *of, const size_t *point)
{
	double distance = 0;

	for (size_t f = 0; f < s->p; f++) {
		double mean = 0, square = 0;

		for (size_t k = 0; k < s->n; k++)
			mean += kith_sqpfw_value(&of->points, point[k], f) / (double)s->n;
		for (size_t k = 0; k < s->n; k++) {
			const double x = kith_sqpfw_value(&of->points, point[k], f) - mean;

			s->X[k * s->ld + f] = x;
			square += x * x / (double)s->n;
		}
		s->prior[f] = of->prior[of->position[f]];
		distance += 2 * square * s->prior[f];
	}
	return distance;
}

static void
make_room(struct smooth *s, struct kith_pool *pool)
{
	const size_t n = s->n;

	s->ld = kith_sqpfw_padded(s->p);
	s->blocks = (n + ROWS - 1) / ROWS;
	KITH_NEW_REALS(pool, n, s->ld, &s->X, &s->A, &s->Y);
	KITH_NEW_REALS(pool, s->ld, 1, &s->prior, &s->w, &s->root, &s->g);
	s->norm = kith_new(pool, n, sizeof(*s->norm));
	s->D = kith_new(pool, s->threads * ROWS, n * sizeof(*s->D));
	s->room = kith_new(pool, s->threads * n, 4 * sizeof(*s->room));
	s->part = kith_new(pool, s->blocks, s->ld * sizeof(*s->part));
	s->column = kith_new(pool, s->blocks, n * sizeof(*s->column));
	s->value = kith_new(pool, s->blocks, sizeof(*s->value));
}

/* w = v^2 / |v|^2 without what is next to nothing. */
static void
finish(const struct smooth *s, const double *v, double *w)
{
	const double most = kith_vec_largest(s->p, v);
	double sum = 0;

	for (size_t f = 0; f < s->p; f++) {
		w[f] = v[f] * v[f] <= NOTHING * most * most ? 0 : v[f] * v[f];
		sum += w[f];
	}
	for (size_t f = 0; f < s->p; f++)
		w[f] /= sum;
}

/* The weights w; false where there are none. */
static bool
find(const struct kith_sqpfw *of, double theta, double *w)
{
	struct kith_pool tmp = {0};
	const size_t n = of->points.n;
	struct smooth s = {.p = of->points.p,
	    .theta = scalbn(theta, -2 * of->points.exponent),
	    .threads = of->problem.how->threads};
	size_t *point = kith_new(&tmp, n, sizeof(*point));
	double *v, mean;
	bool found;

	KITH_NEW_SIZES(&tmp, n, 1, &s.from, &s.end, &s.hits, &s.misses);
	s.share = kith_new(&tmp, n, sizeof(*s.share));
	found = choose(&s, of, point);
	if (found) {
		make_room(&s, &tmp);
		v = kith_new(&tmp, 2 * s.p + WHOLE, sizeof(*v));
		mean = copy(&s, of, point);
		for (size_t f = 0; f < s.p; f++)
			v[f] = sqrt(s.prior[f]);
		found = mean > 0 && anneal(&s, mean, v, v + s.p + WHOLE);
		finish(&s, v, w);
	}
	kith_pool_free(&tmp);
	return found;
}

bool
kith_sqpfw_smooth(struct kith_sqpfw *s, double theta)
{
	struct kith_pool tmp = {0};
	double *w = kith_new(&tmp, s->points.p, sizeof(*w));
	const bool found = theta > 0 && find(s, theta, w);

	assert(theta >= 0 && theta < INFINITY);
	if (found)
		kith_sqpfw_restart(s, w);
	kith_pool_free(&tmp);
	return found;
}
