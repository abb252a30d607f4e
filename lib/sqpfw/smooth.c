/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Weights to start from: a minimum of F with smoothed targets, which is found in few
 * evaluations where features are many.
 *
 * In place of the k-th smallest distance stands S_k - S_(k-1), S_k being the smoothed sum of
 * the k smallest,
 *
 *	S_k = min over q in [0, 1]^m, 1'q = k of
 *	      q'd + T sum (q_j log q_j + (1 - q_j) log(1 - q_j))
 *
 * There q_j = 1 / (1 + exp((d_j - mu) / T)), with mu such that 1'q = k.
 *
 * 1. T falls from 2e-2 to 4e-4 of the mean distance under the prior, in four stages.
 * 2. At each stage L-BFGS minimises over v, w = v^2 / |v|^2, from the v of the last one.
 * 3. An evaluation takes two matrix products for a block of rows: the distances
 *    d_ij = |a_i|^2 + |a_j|^2 - 2 a_i'a_j of rows a = sqrt(w) x, and, with the factors
 *    P_ij = dF/dd_ij, the gradient g_f = sum_ij P_ij (x_if - x_jf)^2.
 *
 * Of more than 2000 points every second, third, ... of each class is taken.
 */
#include "base/par.h"
#include "base/pool.h"
#include "la/blas.h"
#include "la/vec.h"
#include "la/vexp.h"
#include "sqpfw/solver.h"

#include <lbfgs.h>
#include <string.h>

/* The first and the last temperature, in mean distances under the prior. */
#define FIRST 2e-2
#define LAST 4e-4
/* A stage ends if F has fallen by less in ROUND iterations, relative to its fall so far. */
#define FALL 1e-3
/* Squares of v below this share of the largest are 0. */
#define TINY 1e-6
/* exp(-REACH) and factors below NOTHING are 0. */
#define REACH 28
#define NOTHING 1e-12
/* 1'q = k to this. */
#define EXACT 1e-9

enum {
	STAGES = 4,
	ROUND = 10,
	MOST = 200,    /* iterations of a stage */
	MEMORY = 10,   /* steps that L-BFGS remembers */
	WHOLE = 16,    /* variables that the library may add */
	SAMPLE = 2000, /* points at most */
	ROWS = 64,     /* of a block */
	NEWTON = 100   /* steps to mu */
};

struct smooth {
	size_t n, p, ld, threads, blocks;
	double *X;             /* n x ld, of mean 0 */
	size_t *from, *end;    /* n: the points of the class of a point */
	size_t *hits, *misses; /* n: ranks of its targets; hits 0: none */
	double *share, *prior; /* n: of the point in the mean; p */
	double theta, temperature;
	double *w, *root;      /* p: weights and their square roots */
	double *A, *norm2, *Y; /* n x ld: sqrt(w) x; n; n x ld: P X */
	double *D, *scratch;   /* threads x ROWS x n: distances, then factors; threads x 4 n */
	double *part, *column, *value, *g; /* blocks x ld, blocks x n, blocks: sums; ld */
	double highest, before;            /* values: the largest, and one a round ago */
};

/* -T log sum exp(-d_j / T) and its gradient q. */
static double
soft_minimum(double T, size_t m, const double *d, double *q)
{
	double least = INFINITY, sum = 0;
	size_t n = 0;

	for (size_t j = 0; j < m; j++)
		least = kith_lesser(least, d[j]);
	for (size_t j = 0; j < m; j++)
		if (d[j] <= least + REACH * T)
			q[n++] = (least - d[j]) / T;
	kith_vexp(n, q, q);
	for (size_t j = 0; j < n; j++)
		sum += q[j];
	for (size_t j = m; j-- > 0;)
		q[j] = d[j] <= least + REACH * T ? q[--n] / sum : 0;
	return least - T * log(sum);
}

/* S_k, 0 < k <= m, and its gradient q. */
static double
soft_sum(double k, double T, size_t m, const double *d, double *q)
{
	double low = INFINITY, high = -INFINITY, mu, sum;

	if (k >= (double)m) {
		for (size_t j = 0; j < m; j++)
			q[j] = 1;
		return kith_vec_sum(m, d);
	}
	for (size_t j = 0; j < m; j++) {
		low = kith_lesser(low, d[j]);
		high = kith_larger(high, d[j]);
	}
	/* No q is above k / m at the one end, none is below at the other. */
	mu = T * log(k / ((double)m - k));
	low += mu;
	high += mu;
	mu = (low + high) / 2;
	for (int step = 0; step < NEWTON; step++) {
		double over = -k, slope = 0;

		for (size_t j = 0; j < m; j++)
			q[j] = (d[j] - mu) / T;
		kith_vexp(m, q, q);
		for (size_t j = 0; j < m; j++) {
			q[j] = 1 / (1 + q[j]);
			over += q[j];
			slope += q[j] * (1 - q[j]) / T;
		}
		if (fabs(over) <= EXACT)
			break;
		*(over > 0 ? &high : &low) = mu;
		mu -= over / slope;
		if (!(mu > low && mu < high))
			mu = (low + high) / 2;
	}
	/* S_k = k mu - T sum log(1 + exp((mu - d_j) / T)) */
	sum = k * mu;
	for (size_t j = 0; j < m; j++) {
		const double x = (mu - d[j]) / T;

		if (x > -40)
			sum -= x > 40 ? T * x : T * log1p(exp(x));
	}
	return sum;
}

/* The smoothed k-th smallest of m distances and its gradient q; room (m). */
static double
soft_kth(size_t k, double T, size_t m, const double *d, double *q, double *room)
{
	double value;

	if (k == 1)
		return soft_minimum(T, m, d, q);
	value = soft_sum((double)k, T, m, d, q) - soft_sum((double)k - 1, T, m, d, room);
	for (size_t j = 0; j < m; j++) {
		q[j] -= room[j];
		if (fabs(q[j]) < NOTHING)
			q[j] = 0;
	}
	return value;
}

/* The smoothed margin of point i from its distances d (n), which become its factors. */
static double
find_factors(const struct smooth *s, size_t i, double *d, double *room)
{
	const size_t from = s->from[i], end = s->end[i], n = s->n;
	double *miss = room, *q = room + n, *hit = d + from, value = 0;
	const double share = s->share[i];
	const size_t misses = n - (end - from);

	if (share == 0) {
		memset(d, 0, n * sizeof(*d));
		return 0;
	}
	memcpy(miss, d, from * sizeof(*d));
	memcpy(miss + from, d + end, (n - end) * sizeof(*d));
	/* Point i itself is put last among its hits. */
	memmove(d + i, d + i + 1, (end - i - 1) * sizeof(*d));
	if (s->hits[i] > 0)
		value = share *
		    soft_kth(s->hits[i], s->temperature, end - from - 1, hit, q, room + 2 * n);
	for (size_t j = from; j < end; j++)
		d[j] = s->hits[i] == 0 || j == i ? 0 : share * q[j - from - (j > i)];
	value -= share * soft_kth(s->misses[i], s->temperature, misses, miss, q, room + 2 * n);
	for (size_t j = 0; j < misses; j++)
		d[j < from ? j : j + (end - from)] = -share * q[j];
	return value;
}

/* Y = P X for m rows of factors, which may be few. */
static void
multiply(const struct smooth *s, size_t m, const double *P, double *Y)
{
	size_t factors = 0;

	for (size_t k = 0; k < m * s->n; k++)
		factors += P[k] != 0;
	if (factors > m * s->n / 8) {
		kith_blas_product(m, s->ld, s->n, P, s->X, Y);
		return;
	}
	memset(Y, 0, m * s->ld * sizeof(*Y));
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < s->n; j++)
			if (P[i * s->n + j] != 0)
				kith_sqpfw_kernels_at_level()->axpy(
				    s->ld, P[i * s->n + j], s->X + j * s->ld, Y + i * s->ld);
}

/* sum += x (r x - 2 y), the part in g of a point whose factors sum to r */
static void
add_point(size_t ld, double r, const double *x, const double *y, double *sum)
{
	for (size_t f = 0; f < ld; f++)
		sum[f] += x[f] * (r * x[f] - 2 * y[f]);
}

static void
evaluate_block(void *to, size_t block, size_t thread)
{
	const struct smooth *s = to;
	const size_t n = s->n, ld = s->ld, first = block * ROWS;
	const size_t m = n - first < ROWS ? n - first : ROWS;
	double *D = s->D + thread * ROWS * n, *column = s->column + block * n;
	double *Y = s->Y + first * ld, *part = s->part + block * ld;

	kith_blas_rows(m, n, s->p, s->A + first * ld, ld, s->A, ld, D, n);
	memset(column, 0, n * sizeof(*column));
	memset(part, 0, ld * sizeof(*part));
	s->value[block] = 0;
	for (size_t i = 0; i < m; i++) {
		double *d = D + i * n;

		for (size_t j = 0; j < n; j++)
			d[j] = kith_larger(s->norm2[first + i] + s->norm2[j] - 2 * d[j], 0);
		s->value[block] += find_factors(s, first + i, d, s->scratch + thread * 4 * n);
		for (size_t j = 0; j < n; j++)
			column[j] += d[j];
	}
	multiply(s, m, D, Y);
	for (size_t i = 0; i < m; i++)
		add_point(
		    ld, kith_vec_sum(n, D + i * n), s->X + (first + i) * ld, Y + i * ld, part);
}

/* The mean of the smoothed margins at w, and its gradient g. */
static double
find_margins(struct smooth *s)
{
	const size_t n = s->n, ld = s->ld;
	double value = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t f = 0; f < s->p; f++)
			s->A[i * ld + f] = s->X[i * ld + f] * s->root[f];
		s->norm2[i] = kith_sqpfw_kernels_at_level()->dot(ld, s->A + i * ld, s->A + i * ld);
	}
	kith_par(s->threads, s->blocks, evaluate_block, s);
	memset(s->g, 0, ld * sizeof(*s->g));
	for (size_t b = 0; b < s->blocks; b++) {
		value += s->value[b];
		kith_sqpfw_kernels_at_level()->axpy(ld, 1, s->part + b * ld, s->g);
		for (size_t j = 0; j < n && b > 0; j++)
			s->column[j] += s->column[b * n + j];
	}
	memset(s->part, 0, ld * sizeof(*s->part));
	for (size_t j = 0; j < n; j++)
		add_point(ld, s->column[j], s->X + j * ld, s->part, s->g);
	return value;
}

/* The smoothed F at w = v^2 / |v|^2, and its gradient over v. */
static double
evaluate(void *to, const double *v, double *g, int variables, double step)
{
	struct smooth *s = to;
	const double square = kith_vec_dot(s->p, v, v);
	double F, along = 0;

	(void)variables, (void)step;
	for (size_t f = 0; f < s->p; f++) {
		s->w[f] = v[f] * v[f] / square;
		s->root[f] = fabs(v[f]) / sqrt(square);
	}
	F = s->theta * find_margins(s);
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

/* Called after each iteration of L-BFGS: not 0 ends the stage. */
static int /* NOLINTNEXTLINE(readability-function-size): the library's */
is_slow(void *to, const double *v, const double *g, double F, double v_norm, double g_norm,
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

/* Steps 1 and 2; false where a value is no number.  v has 2 (p + WHOLE) numbers. */
static bool
anneal(struct smooth *s, double distance, double *v)
{
	lbfgs_parameter_t how;

	lbfgs_parameter_init(&how);
	how.m = MEMORY;
	how.epsilon = 0;
	how.max_iterations = MOST;
	for (int k = 0; k < STAGES; k++) {
		s->temperature = distance * FIRST * pow(LAST / FIRST, (double)k / (STAGES - 1));
		s->before = evaluate(s, v, v + s->p + WHOLE, 0, 0);
		s->highest = k == 0 ? s->before : fmax(s->highest, s->before);
		if (!isfinite(s->before))
			return false;
		if (lbfgs((int)s->p, v, NULL, evaluate, is_slow, s, &how) == LBFGSERR_OUTOFMEMORY)
			kith_no_memory(s->p, (size_t)2 * MEMORY * sizeof(*v));
	}
	return true;
}

/* Chooses the points of a sample; false where a class has too few. */
static bool
choose_points(struct smooth *s, const struct kith_sqpfw *of, size_t *point)
{
	const struct kith_sqpfw_points *points = &of->points;
	const size_t every = (points->n + SAMPLE - 1) / SAMPLE;
	double sum = 0;

	for (size_t c = 0; c < points->classes; c++) {
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
		s->share[k] = points->share[point[k]];
		sum += s->share[k];
		if (own - 1 < s->hits[k] || s->n - own < s->misses[k])
			return false;
	}
	for (size_t k = 0; k < s->n; k++)
		s->share[k] /= sum;
	return true;
}

/* Copies the points less their mean; the mean distance under the prior. */
static double
copy_points(struct smooth *s, const struct kith_sqpfw *of, const size_t *point)
{
	double distance = 0;

	for (size_t f = 0; f < s->p; f++) {
		const size_t at = of->position[f];
		double mean = 0, square = 0;

		for (size_t k = 0; k < s->n; k++)
			mean += kith_sqpfw_point(&of->points, point[k])[at] / (double)s->n;
		for (size_t k = 0; k < s->n; k++) {
			const double x = kith_sqpfw_point(&of->points, point[k])[at] - mean;

			s->X[k * s->ld + f] = x;
			square += x * x / (double)s->n;
		}
		s->prior[f] = of->prior[at];
		distance += 2 * square * s->prior[f];
	}
	return distance;
}

/* Allocates what depends on the number of points. */
static void
allocate(struct smooth *s, struct kith_pool *pool)
{
	s->blocks = (s->n + ROWS - 1) / ROWS;
	KITH_NEW_REALS(pool, s->n, s->ld, &s->X, &s->A, &s->Y);
	KITH_NEW_REALS(pool, s->ld, 1, &s->prior, &s->w, &s->root, &s->g);
	s->D = kith_new(pool, s->threads * ROWS, s->n * sizeof(*s->D));
	s->scratch = kith_new(pool, s->threads * s->n, 4 * sizeof(*s->scratch));
	s->norm2 = kith_new(pool, s->n, sizeof(*s->norm2));
	s->part = kith_new(pool, s->blocks, s->ld * sizeof(*s->part));
	s->column = kith_new(pool, s->blocks, s->n * sizeof(*s->column));
	s->value = kith_new(pool, s->blocks, sizeof(*s->value));
}

/* Sets w = v^2 / |v|^2 without tiny weights. */
static void
set_weights(struct smooth *s, const double *v)
{
	const double largest = kith_vec_largest(s->p, v);
	double sum = 0;

	for (size_t f = 0; f < s->p; f++) {
		s->w[f] = v[f] * v[f] <= TINY * largest * largest ? 0 : v[f] * v[f];
		sum += s->w[f];
	}
	for (size_t f = 0; f < s->p; f++)
		s->w[f] /= sum;
}

bool
kith_sqpfw_smooth(struct kith_sqpfw *of, double theta)
{
	struct kith_pool tmp = {0};
	const size_t most = of->points.n, p = of->points.p;
	struct smooth s = {.p = p,
	    .ld = of->points.ld,
	    .threads = of->how->threads,
	    .theta = scalbn(theta, -2 * of->points.exponent)};
	size_t *point;
	double *v, distance;
	bool found = false;

	KITH_NEW_SIZES(&tmp, most, 1, &s.from, &s.end, &s.hits, &s.misses, &point);
	s.share = kith_new(&tmp, most, sizeof(*s.share));
	if (theta > 0 && choose_points(&s, of, point)) {
		allocate(&s, &tmp);
		v = kith_new(&tmp, 2, (p + WHOLE) * sizeof(*v));
		distance = copy_points(&s, of, point);
		for (size_t f = 0; f < p; f++)
			v[f] = sqrt(s.prior[f]);
		found = distance > 0 && anneal(&s, distance, v);
		if (found) {
			set_weights(&s, v);
			kith_sqpfw_restart(of, s.w);
		}
	}
	kith_pool_free(&tmp);
	return found;
}
