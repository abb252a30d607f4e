/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Weights to start from: a minimum of a smooth approximation of F (sqpfw/sqpfw.h), which is found
 * in few evaluations where features are many,
 *
 *	F_T(w) = theta sum_i share_i (hit_i - miss_i) + 1/2 |w - prior|^2
 *
 * with hit_i the smoothed distance of point i to its target hit, the k-th nearest other point of
 * its class, and miss_i to its target miss, the k-th nearest point of the other classes; each has
 * its own k.  hit_i - miss_i is called the margin of point i.
 *
 * The smoothed k-th smallest of distances d_1 .. d_m, at the temperature T, is
 *
 *	-T log sum_j exp(-d_j / T)                            for k = 1
 *	the mu with sum_j q_j = k - 1/2, q_j = 1 / (1 + exp((d_j - mu) / T))  for k > 1
 *
 * 1. T falls from 2e-2 to 4e-4 of the mean distance under the prior, in four stages.
 * 2. At each stage L-BFGS minimises F_T over v, w = v^2 / |v|^2, from the end of the last stage on.
 * 3. An evaluation takes two matrix products for a block of rows: the distances
 *    d_ij = |a_i|^2 + |a_j|^2 - 2 a_i'a_j of rows a = sqrt(w) x, and, with the
 *    derivatives P_ij of the mean margin over d_ij, the gradient
 *    g_f = sum_ij P_ij (x_if - x_jf)^2.
 *
 * Of more than 2000 points a sample is used: every second, third, ... point of each class.
 */
#include "base/par.h"
#include "base/pool.h"
#include "la/blas.h"
#include "la/kernels.h"
#include "la/vec.h"
#include "sqpfw/solver.h"

#include <lbfgs.h>
#include <string.h>

/* The temperatures T of the first and the last stage, over the mean distance under the prior. */
#define T_MAX 2e-2
#define T_MIN 4e-4
/* A stage ends if F_T fell in PERIOD iterations by no more than this share of highest - F_T. */
#define LEAST_FALL 1e-3
/* At the end weights below this share of the largest weight become 0. */
#define TINY_WEIGHT 1e-6
/* exp(-x) counts as 0 for x > MAX_EXPONENT, as do derivatives of the k-th smallest below TINY_Q. */
#define MAX_EXPONENT 28
#define TINY_Q 1e-12
/* Newton's method for mu ends at |1'q - (k - 1/2)| <= SUM_ERROR. */
#define SUM_ERROR 1e-9

enum {
	STAGES = 4,            /* temperatures, in geometric progression */
	PERIOD = 10,           /* iterations from one check of LEAST_FALL to the next */
	MAX_ITERATIONS = 200,  /* of L-BFGS in a stage */
	MEMORY = 10,           /* steps that L-BFGS remembers */
	PADDING = 16,          /* numbers after v: the library rounds p up to a multiple of 16 */
	MAX_POINTS = 2000,     /* of the sample, but for rounding up in each class */
	BLOCK_ROWS = 64,       /* points i whose distances d_ij are computed at a time */
	MAX_NEWTON_STEPS = 100 /* for mu */
};

/* The n derivatives of a smoothed k-th smallest that are not 0: q[l] over d[at[l]]. */
struct slopes {
	size_t n, *at;
	double *q;
};

/* The memory of a thread. */
struct worker {
	double *D;            /* BLOCK_ROWS x n: d_ij of the rows i of a block, then P_ij */
	size_t m[BLOCK_ROWS]; /* how many P_ij of a row are not 0, */
	size_t *at;           /* BLOCK_ROWS x n: and their j */
	struct slopes slopes; /* the derivatives of hit_i or miss_i, up to n */
	double *x;            /* n + 7: distances to the points of some classes */
};

struct smooth {
	size_t n, p, ld, threads, blocks; /* points of the sample, features, row length of X */
	double *X;                        /* n x ld: the points less their mean */
	size_t *from, *end;            /* n: the class of i has the points from[i] .. end[i] - 1 */
	size_t *hits, *misses;         /* n: the ranks k of both targets; hits[i] = 0: hit_i = 0 */
	double *share, *prior;         /* n: share_i, of sum 1; p */
	double theta, temperature;     /* in the units of X; T */
	double *w, *root, *g;          /* p: weights, their square roots; ld: gradient over w */
	double *A, *norm2, *Y;         /* n x ld: rows a_i = sqrt(w) x_i; n: |a_i|^2; n x ld: P X */
	struct worker *worker;         /* threads */
	double *part, *column, *value; /* sums of each block: part of g (ld), 1'P (n), margins */
	double highest, before; /* F_T: the largest at the start of a stage; at the last check */
};

/* Returns -T log sum_j exp(-d_j / T), and its derivatives; d (m) INFINITY up to a multiple of 8. */
static double
soft_minimum(double T, size_t m, const double *d, struct slopes *slopes)
{
	double least, sum = 0, *q = slopes->q;
	const size_t n = slopes->n = kith_sqpfw_kernels_at_level()->nearest(
	    m, d, MAX_EXPONENT * T, &least, slopes->at);

	for (size_t l = 0; l < n; l++)
		q[l] = (least - d[slopes->at[l]]) / T;
	kith_vexp(n, q, q);
	for (size_t l = 0; l < n; l++)
		sum += q[l];
	for (size_t l = 0; l < n; l++)
		q[l] /= sum;
	/* cppcheck-suppress invalidFunctionArg; the least one adds 1 to the sum */
	return least - T * log(sum);
}

/* Returns the smoothed k-th smallest, 1 <= k <= m, and its derivatives. */
static double
soft_kth(size_t k, double T, size_t m, const double *d, struct slopes *slopes)
{
	const double sum = (double)k - .5;
	double low = INFINITY, high = -INFINITY, mu, slope, *q = slopes->q;

	if (k == 1)
		return soft_minimum(T, m, d, slopes);
	for (size_t j = 0; j < m; j++) {
		low = kith_lesser(low, d[j]);
		high = kith_larger(high, d[j]);
	}
	/* For mu = min d + T log(sum / (m - sum)) no q_j exceeds sum / m, so 1'q <= sum; for mu =
	   max d + T log(sum / (m - sum)) no q_j is below sum / m, so 1'q >= sum. */
	mu = T * log(sum / ((double)m - sum));
	low += mu;
	high += mu;
	mu = (low + high) / 2;
	for (int step = 0;; step++) {
		double over = -sum;

		slope = 0;
		for (size_t j = 0; j < m; j++)
			q[j] = (d[j] - mu) / T;
		kith_vexp(m, q, q);
		for (size_t j = 0; j < m; j++) {
			q[j] = 1 / (1 + q[j]);
			over += q[j];
			q[j] *= 1 - q[j];
			slope += q[j];
		}
		if (fabs(over) <= SUM_ERROR || step == MAX_NEWTON_STEPS)
			break;
		*(over > 0 ? &high : &low) = mu;
		mu -= T * over / slope;
		if (!(mu > low && mu < high))
			mu = (low + high) / 2;
	}
	/* dmu/dd_j = q_j (1 - q_j) / sum_l q_l (1 - q_l) */
	slopes->n = 0;
	for (size_t j = 0; j < m; j++)
		if (q[j] >= TINY_Q * slope) {
			slopes->at[slopes->n] = j;
			q[slopes->n++] = q[j] / slope;
		}
	return mu;
}

/*
 * Returns `factor` times the smoothed k-th smallest d_ij of the points j = from .. own - 1 and
 * other .. end - 1, in row `row` of worker->D, where the derivatives take the place of d_ij;
 * worker->at and worker->m list the j whose derivatives are not 0.
 */
static double
replace_by_slopes(const struct smooth *s, struct worker *worker, size_t row, size_t k,
    double factor, size_t from, size_t own, size_t other, size_t end)
{
	const size_t n = own - from, all = n + end - other;
	double *d = worker->D + row * s->n, *x = worker->x, value;
	const struct slopes *slopes = &worker->slopes;

	memcpy(x, d + from, n * sizeof(*d));
	memcpy(x + n, d + other, (end - other) * sizeof(*d));
	for (size_t j = all; j % 8 != 0; j++)
		x[j] = INFINITY;
	memset(d + from, 0, n * sizeof(*d));
	memset(d + other, 0, (end - other) * sizeof(*d));
	if (factor == 0 || k == 0)
		return 0;
	value = soft_kth(k, s->temperature, all, x, &worker->slopes);
	for (size_t l = 0; l < slopes->n; l++) {
		const size_t j = slopes->at[l] + (slopes->at[l] < n ? from : other - n);

		worker->at[row * s->n + worker->m[row]++] = j;
		d[j] = factor * slopes->q[l];
	}
	return factor * value;
}

/* Y = P X for the m rows of P in worker->D; row by row where at most 1/8 of them is not 0. */
static void
multiply(const struct smooth *s, size_t m, const struct worker *worker, double *Y)
{
	size_t factors = 0;

	for (size_t i = 0; i < m; i++)
		factors += worker->m[i];
	if (factors > m * s->n / 8) {
		kith_blas_product(m, s->ld, s->n, worker->D, s->n, s->X, s->ld, Y, s->ld);
		return;
	}
	memset(Y, 0, m * s->ld * sizeof(*Y));
	for (size_t i = 0; i < m; i++)
		for (size_t l = 0; l < worker->m[i]; l++) {
			const size_t j = worker->at[i * s->n + l];

			kith_sqpfw_kernels_at_level()->axpy(
			    s->ld, worker->D[i * s->n + j], s->X + j * s->ld, Y + i * s->ld);
		}
}

/*
 * sum_f += x_f (r x_f - 2 y_f).  The gradient g_f = sum_ij P_ij (x_if - x_jf)^2 is the sum of this
 * over the points i with r = sum_j P_ij, y = sum_j P_ij x_j, and over the points j with r = sum_i
 * P_ij, y = 0.
 */
static void
add_point(size_t ld, double r, const double *x, const double *y, double *sum)
{
	for (size_t f = 0; f < ld; f++)
		sum[f] += x[f] * (r * x[f] - 2 * y[f]);
}

/* The margins, rows of P and sums over the rows i of a block; a job of kith_par(). */
static void
evaluate_block(void *to, size_t block, size_t thread)
{
	const struct smooth *s = to;
	const size_t n = s->n, ld = s->ld, first = block * BLOCK_ROWS;
	const size_t m = n - first < BLOCK_ROWS ? n - first : BLOCK_ROWS;
	struct worker *worker = &s->worker[thread];
	double *Y = s->Y + first * ld, *column = s->column + block * n;
	double *part = s->part + block * ld;

	kith_blas_rows(m, n, s->p, s->A + first * ld, ld, s->A, ld, worker->D, n);
	memset(column, 0, n * sizeof(*column));
	memset(part, 0, ld * sizeof(*part));
	s->value[block] = 0;
	for (size_t i = 0; i < m; i++) {
		const size_t point = first + i, from = s->from[point], end = s->end[point];
		double *d = worker->D + i * n;

		for (size_t j = 0; j < n; j++)
			d[j] = kith_larger(s->norm2[point] + s->norm2[j] - 2 * d[j], 0);
		worker->m[i] = 0;
		d[point] = 0;
		s->value[block] += replace_by_slopes(s, worker, i, s->hits[point], s->share[point],
				       from, point, point + 1, end) +
		    replace_by_slopes(
			s, worker, i, s->misses[point], -s->share[point], 0, from, end, n);
		for (size_t l = 0; l < worker->m[i]; l++)
			column[worker->at[i * n + l]] += d[worker->at[i * n + l]];
	}
	multiply(s, m, worker, Y);
	for (size_t i = 0; i < m; i++)
		add_point(ld, kith_vec_sum(n, worker->D + i * n), s->X + (first + i) * ld,
		    Y + i * ld, part);
}

/* Returns sum_i share_i (hit_i - miss_i) at w; s->g is its gradient over w. */
static double
find_margins(struct smooth *s)
{
	const size_t n = s->n, ld = s->ld;
	double value = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t f = 0; f < s->p; f++)
			s->A[i * ld + f] = s->X[i * ld + f] * s->root[f];
		s->norm2[i] = kith_dot(ld, s->A + i * ld, s->A + i * ld);
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

/* Returns F_T at w = v^2 / |v|^2; g (p) is its gradient over v. */
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

/* Called after each iteration of L-BFGS; a result other than 0 ends the stage. */
static int /* NOLINTNEXTLINE(readability-function-size): the library's */
is_slow(void *to, const double *v, const double *g, double F, double v_norm, double g_norm,
    double step, int variables, int iteration, int trials)
{
	struct smooth *s = to;
	const bool slow = s->before - F <= LEAST_FALL * (s->highest - F);

	(void)v, (void)g, (void)v_norm, (void)g_norm;
	(void)step, (void)variables, (void)trials;
	if (iteration % PERIOD != 0)
		return 0;
	s->before = F;
	return slow;
}

/*
 * Steps 1 and 2, from v (p) on; false where F_T is not finite.  v has 2 (p + PADDING) numbers: v,
 * and scratch for a gradient.
 */
static bool
anneal(struct smooth *s, double distance, double *v)
{
	lbfgs_parameter_t how;

	lbfgs_parameter_init(&how);
	how.m = MEMORY;
	how.epsilon = 0;
	how.max_iterations = MAX_ITERATIONS;
	for (int k = 0; k < STAGES; k++) {
		s->temperature = distance * T_MAX * pow(T_MIN / T_MAX, (double)k / (STAGES - 1));
		s->before = evaluate(s, v, v + s->p + PADDING, 0, 0);
		s->highest = k == 0 ? s->before : fmax(s->highest, s->before);
		if (!isfinite(s->before))
			return false;
		if (lbfgs((int)s->p, v, NULL, evaluate, is_slow, s, &how) == LBFGSERR_OUTOFMEMORY)
			kith_no_memory(s->p, (size_t)2 * MEMORY * sizeof(*v));
	}
	return true;
}

/* Lists the points of the sample in `point`; false where a class has too few for its ranks. */
static bool
choose_points(struct smooth *s, const struct kith_sqpfw *of, size_t *point)
{
	const struct kith_sqpfw_points *points = &of->points;
	const size_t every = (points->n + MAX_POINTS - 1) / MAX_POINTS;
	double sum = 0;

	for (size_t c = 0; c < of->classes; c++) {
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

		/* Groups 2 i and 2 i + 1 are the hits and the misses of point i. */
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

/* Copies the points less their mean; returns the mean of d_ij over all i, j at w = prior. */
static double
copy_points(struct smooth *s, const struct kith_sqpfw *of, const size_t *point)
{
	double distance = 0;

	for (size_t f = 0; f < s->p; f++) {
		const size_t at = of->position[f]; /* of->points orders features by position */
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
	s->blocks = (s->n + BLOCK_ROWS - 1) / BLOCK_ROWS;
	KITH_NEW_REALS(pool, s->n, s->ld, &s->X, &s->A, &s->Y);
	KITH_NEW_REALS(pool, s->ld, 1, &s->prior, &s->w, &s->root, &s->g);
	s->worker = kith_new(pool, s->threads, sizeof(*s->worker));
	for (size_t t = 0; t < s->threads; t++) {
		struct worker *worker = &s->worker[t];

		KITH_NEW_REALS(pool, s->n, BLOCK_ROWS, &worker->D);
		KITH_NEW_SIZES(pool, s->n, BLOCK_ROWS, &worker->at);
		KITH_NEW_SIZES(pool, s->n, 1, &worker->slopes.at);
		KITH_NEW_REALS(pool, s->n + 7, 1, &worker->slopes.q, &worker->x);
	}
	s->norm2 = kith_new(pool, s->n, sizeof(*s->norm2));
	s->part = kith_new(pool, s->blocks, s->ld * sizeof(*s->part));
	s->column = kith_new(pool, s->blocks, s->n * sizeof(*s->column));
	s->value = kith_new(pool, s->blocks, sizeof(*s->value));
}

/* w = v^2 / |v|^2, where weights below TINY_WEIGHT of the largest become 0. */
static void
set_weights(struct smooth *s, const double *v)
{
	const double largest = kith_vec_largest(s->p, v);
	double sum = 0;

	for (size_t f = 0; f < s->p; f++) {
		s->w[f] = v[f] * v[f] <= TINY_WEIGHT * largest * largest ? 0 : v[f] * v[f];
		sum += s->w[f];
	}
	for (size_t f = 0; f < s->p; f++)
		s->w[f] /= sum;
}

/* Restarts `of` there; false where theta is 0, a class is too small, or F_T is not finite. */
bool
kith_sqpfw_smooth(struct kith_sqpfw *of, double theta)
{
	struct kith_pool tmp = {0};
	const size_t most = of->points.n, p = of->points.p;
	struct smooth s = {.p = p,
	    .ld = of->points.ld,
	    .threads = of->how->threads,
	    /* Points are stored times 2^exponent, so distances times 4^exponent. */
	    .theta = scalbn(theta, -2 * of->points.exponent)};
	size_t *point;
	double *v, distance;
	bool found = false;

	KITH_NEW_SIZES(&tmp, most, 1, &s.from, &s.end, &s.hits, &s.misses, &point);
	s.share = kith_new(&tmp, most, sizeof(*s.share));
	if (theta > 0 && choose_points(&s, of, point)) {
		allocate(&s, &tmp);
		v = kith_new(&tmp, 2, (p + PADDING) * sizeof(*v));
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
