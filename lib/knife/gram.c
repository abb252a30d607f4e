/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel matrix K at weights w, its products, and the gradient of the profile.
 *
 * K is cut into tiles of 128 x 128.  K is symmetric, so a tile of blocks I <= J serves both orders.
 * It is read from K where K is stored, by its upper triangle, and computed where K is not stored.
 *
 * 1. Z holds the features of weight above 0, times sqrt(w_j).
 * 2. Tiles of Z Z' become kernels, the gaussian by |z_i - z_l|^2 = |z_i|^2 + |z_l|^2 - 2 z_i'z_l.
 *    The laplacian and all kernels of a precise engine are computed row by row instead: differences
 *    keep all digits of rows that are near each other.
 * 3. The gradient sums, with M_il = H_il sum_o alpha_oi alpha_ol,
 *
 *	polynomial  degree sum_il M_il x_ij x_lj
 *	gaussian    -gamma sum_il M_il (x_ij - x_lj)^2
 *	            = -gamma (2 sum_i x_ij^2 sum_o alpha_oi (K alpha_o)_i - 2 sum_il M_il x_ij x_lj)
 *	laplacian   -gamma sum_il M_il |x_ij - x_lj|
 *	linear      sum_o (x_j' alpha_o)^2
 *
 * Sums over blocks run in a fixed order, so that any number of threads gives the same bytes.
 */
#include "knife/engine.h"

#include "base/err.h"
#include "base/par.h"
#include "base/sort.h"
#include "la/blas.h"
#include "la/kernels.h"
#include "la/mat.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

/* Products with tiles are summed in 16 groups of blocks; the groups are added in order. */
enum {
	BLOCK = KITH_KNIFE_BLOCK,
	GROUPS = 16,
	MATRICES = 4 /* of a thread: tiles of K, of H, of M, and M X */
};

enum kith_metric_kind
kith_knife_metric(enum kith_kern_kind kind)
{
	return kind == KITH_KERN_LAPLACIAN ? KITH_ABSOLUTE : KITH_SQUARED;
}

double
kith_knife_median(const struct kith_mat *X, size_t j)
{
	struct kith_pool tmp = {0};
	double *x = kith_new(&tmp, X->n, sizeof(*x)), median;

	for (size_t i = 0; i < X->n; i++)
		x[i] = kith_row(X, i)[j];
	kith_sort_reals(x, X->n);
	median = x[(X->n - 1) / 2];
	kith_pool_free(&tmp);
	return median;
}

/* Products of rows that are far from 0 lose the digits of their differences. */
static void
centre_rows(struct kith_knife_engine *e, struct kith_pool *pool)
{
	e->centred = kith_mat_new(pool, e->n, e->p);
	for (size_t j = 0; j < e->p; j++) {
		const double centre = kith_knife_median(e->problem.X, j);

		for (size_t i = 0; i < e->n; i++)
			kith_row(&e->centred, i)[j] = kith_row(e->problem.X, i)[j] - centre;
	}
}

/* Doubles of a tile, or of as many rows of the features. */
static size_t
matrix_size(size_t n, size_t p)
{
	const size_t rows = n < BLOCK ? n : BLOCK;

	return rows * (p > rows ? p : rows);
}

struct kith_knife_engine *
kith_knife_engine_new(const struct kith_knife_problem *problem,
    const struct kith_knife_control *control, struct kith_pool *pool)
{
	const size_t n = problem->X->n, p = problem->X->p;
	const size_t most = problem->dense_rows ? problem->dense_rows : KITH_KNIFE_DENSE_ROWS;
	const bool linear = problem->kern.kind == KITH_KERN_LINEAR;
	struct kith_knife_engine *e = kith_new(pool, 1, sizeof(*e));

	*e = (struct kith_knife_engine){.problem = *problem,
	    .control = *control,
	    .X = *problem->X,
	    .n = n,
	    .p = p,
	    .c = problem->c,
	    .kern = problem->kern,
	    .metric.kind = kith_knife_metric(problem->kern.kind)};
	if (e->kern.kind == KITH_KERN_POLYNOMIAL) /* fill_tile() does the rest */
		e->kern.kind = KITH_KERN_LINEAR;
	e->kern.metric = &e->metric;
	e->dense = linear || control->alternate || n <= most;
	if (problem->kern.kind == KITH_KERN_GAUSSIAN)
		centre_rows(e, pool);
	if (linear)
		kith_knife_columns_new(e, pool);
	else
		KITH_NEW_REALS(pool, problem->threads * MATRICES, matrix_size(n, p), &e->room);
	e->column = kith_new(pool, p, sizeof(*e->column));
	KITH_NEW_REALS(pool, p, 1, &e->weight, &e->factor);
	e->metric.w = e->weight;
	KITH_NEW_REALS(pool, n, 1, &e->norm2);
	KITH_NEW_REALS(pool, n, p, &e->Z);
	if (e->dense) {
		/* A linear kernel of fewer features than rows needs no K. */
		const size_t side = linear && p < n ? p + 1 : n;

		KITH_NEW_REALS(pool, side, side, &e->R);
		if (side == n)
			KITH_NEW_REALS(pool, n, n, &e->K);
		e->H = e->K;
		if (problem->kern.kind == KITH_KERN_POLYNOMIAL)
			KITH_NEW_REALS(pool, n, n, &e->H);
	}
	e->rank.most = n / 2 < KITH_KNIFE_MAX_RANK ? n / 2 : KITH_KNIFE_MAX_RANK;
	if (!e->dense)
		e->rank.G = kith_new(pool, n, (e->rank.most + 1) * sizeof(*e->rank.G));
	kith_knife_newton_new(e, pool);
	return e;
}

/* Rows first .. first + count - 1 of a block; returns the count. */
static size_t
block_rows(size_t n, size_t block, size_t *first)
{
	*first = block * BLOCK;
	return n - *first < BLOCK ? n - *first : BLOCK;
}

static size_t
count_blocks(size_t n)
{
	return (n + BLOCK - 1) / BLOCK;
}

/* What the blocks of a loop over tiles share. */
struct job {
	const struct kith_knife_engine *e;
	size_t c;        /* columns of V */
	const double *V; /* c columns of n; slopes: alpha of an output */
	double *out;     /* what the blocks write: products, a gradient, slopes */
};

/* The h-th matrix of a thread. */
static double *
thread_matrix(const struct kith_knife_engine *e, size_t thread, size_t h)
{
	return e->room + (thread * MATRICES + h) * matrix_size(e->n, e->p);
}

/* A tile of K, and of H. */
struct tile {
	size_t i, ni; /* the first row, the number of rows */
	size_t l, nl; /* the first column, the number of columns */
	double *K,
	    *H; /* rows are ld apart; H is K but for the polynomial kernel; NULL: not needed */
	size_t ld;
	bool diagonal; /* i == l: kernels are computed from the diagonal on, and mirrored */
};

/* The kernels of the rows of a tile with nl rows Z of squared norms norm2. */
static void
fill_tile(
    const struct kith_knife_engine *e, const struct tile *t, const double *Z, const double *norm2)
{
	const struct kith_la_kernels *la = kith_la_kernels_at_level();
	const struct kith_kern *kern = &e->problem.kern;
	const bool radial = kith_knife_is_radial(&e->problem), rows = e->by_rows || e->k == 0;
	const double *Zi = e->Z + t->i * e->k;

	if (!rows)
		kith_blas_rows(t->ni, t->nl, e->k, Zi, e->k, Z, e->k, t->K, t->ld);
	for (size_t a = 0; a < t->ni; a++) {
		const size_t from = t->diagonal ? a : 0, nl = t->nl - from;
		const double own = e->norm2[t->i + a];
		double *K = t->K + a * t->ld + from, *H = t->H + a * t->ld + from;

		if (rows)
			kith_kern_rows(&e->kern, Zi + a * e->k, Z + from * e->k, nl, K);
		else if (radial) {
			for (size_t b = 0; b < nl; b++)
				K[b] = kith_larger(own + norm2[from + b] - 2 * K[b], 0);
			kith_kern_of_dist(kern, nl, K, 0, K);
		}
		if (kern->kind == KITH_KERN_POLYNOMIAL) {
			memcpy(H, K, nl * sizeof(*H));
			la->powers(nl, 1, kern->coef0, kern->degree - 1, H);
			la->powers(nl, 1, kern->coef0, kern->degree, K);
		}
		if (t->diagonal && radial)
			K[0] = 1;
	}
	if (t->diagonal)
		kith_mirror(t->ni, t->ld, t->K);
	if (t->diagonal && t->H != t->K)
		kith_mirror(t->ni, t->ld, t->H);
}

/* The tile of blocks I and J: part of the stored K, or computed in a matrix of the thread. */
static struct tile
get_tile(const struct kith_knife_engine *e, size_t I, size_t J, size_t thread)
{
	struct tile t = {.diagonal = I == J};

	t.ni = block_rows(e->n, I, &t.i);
	t.nl = block_rows(e->n, J, &t.l);
	if (e->dense) {
		t.ld = e->n;
		t.K = e->K + t.i * e->n + t.l;
		t.H = e->H + t.i * e->n + t.l;
		return t;
	}
	t.ld = t.nl;
	t.K = thread_matrix(e, thread, 0);
	t.H = e->problem.kern.kind == KITH_KERN_POLYNOMIAL ? thread_matrix(e, thread, 1) : t.K;
	fill_tile(e, &t, e->Z + t.l * e->k, e->norm2 + t.l);
	return t;
}

/* Fills the tiles (I, J >= I) of a stored K. */
static void
store_block(void *to, size_t I, size_t thread)
{
	const struct kith_knife_engine *e = to;

	for (size_t J = I; J < count_blocks(e->n); J++) {
		const struct tile t = get_tile(e, I, J, thread);

		fill_tile(e, &t, e->Z + t.l * e->k, e->norm2 + t.l);
	}
}

int
kith_knife_set_weights(struct kith_knife_engine *e, const double *w, struct kith_err *err)
{
	const enum kith_kern_kind kind = e->problem.kern.kind;

	e->k = 0;
	e->factored = e->ranked = false;
	e->by_rows = e->precise || kind == KITH_KERN_LAPLACIAN;
	e->X = kind == KITH_KERN_GAUSSIAN && !e->by_rows ? e->centred : *e->problem.X;
	for (size_t j = 0; j < e->p; j++)
		if (w[j] > 0) {
			e->weight[e->k] = w[j];
			e->factor[e->k] = e->by_rows ? 1 : sqrt(w[j]);
			e->column[e->k++] = j;
		}
	e->metric.p = e->k;
	e->machine.primal = kind == KITH_KERN_LINEAR && e->k < e->n;
	if (e->machine.primal)
		return 0;
	for (size_t i = 0; i < e->n; i++) {
		const double *x = kith_row(&e->X, i);
		double *z = e->Z + i * e->k;

		e->norm2[i] = 0;
		for (size_t l = 0; l < e->k; l++) {
			const double x_l = x[e->column[l]];

			e->norm2[i] += e->weight[l] * x_l * x_l;
			z[l] = e->factor[l] * x_l;
		}
		if (!isfinite(e->norm2[i]) || !isfinite(kith_knife_diagonal(e, i)))
			return kith_fail(err, EX_DATAERR, /* no entry of K is larger */
			    "values of the kernel are too large for a double (tabscale?)");
	}
	if (e->dense)
		kith_par(e->problem.threads, count_blocks(e->n), store_block, e);
	return 0;
}

double
kith_knife_diagonal(const struct kith_knife_engine *e, size_t i)
{
	const struct kith_knife_problem *problem = &e->problem;

	if (kith_knife_is_radial(problem))
		return 1;
	return problem->kern.kind == KITH_KERN_LINEAR
	    ? e->norm2[i]
	    : pow(e->norm2[i] + problem->kern.coef0, (double)problem->kern.degree);
}

static void
add_to(size_t n, const double *v, double *sum)
{
	for (size_t i = 0; i < n; i++)
		sum[i] += v[i];
}

/* The products of the tiles of every GROUPS-th block I with V. */
static void
times_group(void *to, size_t group, size_t thread)
{
	const struct job *job = to;
	const size_t n = job->e->n;
	double *sum = job->out + group * job->c * n, part[BLOCK];

	for (size_t I = group; I < count_blocks(n); I += GROUPS)
		for (size_t J = I; J < count_blocks(n); J++) {
			const struct tile t = get_tile(job->e, I, J, thread);

			for (size_t o = 0; o < job->c; o++) {
				const double *v = job->V + o * n;

				kith_blas_times(t.ni, t.nl, t.K, t.ld, v + t.l, part);
				add_to(t.ni, part, sum + o * n + t.i);
				if (I == J)
					continue;
				kith_blas_turned(t.ni, t.nl, t.K, t.ld, v + t.i, part);
				add_to(t.nl, part, sum + o * n + t.l);
			}
		}
}

void
kith_knife_times(struct kith_knife_engine *e, size_t c, const double *V, double *KV)
{
	struct kith_pool tmp = {0};
	const size_t n = e->n;
	struct job job = {e, c, V, kith_new(&tmp, GROUPS * c, n * sizeof(*job.out))};

	memset(KV, 0, c * n * sizeof(*KV));
	kith_par(e->problem.threads, GROUPS, times_group, &job);
	for (size_t g = 0; g < GROUPS; g++)
		add_to(c * n, job.out + g * c * n, KV);
	kith_pool_free(&tmp);
}

/* dK/dw_j is H, times this factor, times the product or the difference of x_ij and x_lj. */
static double
derivative_factor(const struct kith_knife_problem *problem)
{
	if (kith_knife_is_radial(problem))
		return -problem->kern.gamma;
	return problem->kern.kind == KITH_KERN_LINEAR ? 1 : (double)problem->kern.degree;
}

/* The part of block I in the sums of the gradient; M counts double for tiles I < J. */
static void
gradient_block(void *to, size_t I, size_t thread)
{
	const struct job *job = to;
	const struct kith_knife_engine *e = job->e;
	const bool absolute = e->problem.kern.kind == KITH_KERN_LAPLACIAN;
	const bool squares = e->problem.kern.kind == KITH_KERN_GAUSSIAN && !e->by_rows;
	const bool differences = e->by_rows && kith_knife_is_radial(&e->problem);
	const size_t p = e->p;
	double *M = thread_matrix(e, thread, 2), *MX = thread_matrix(e, thread, 3);
	double *sum = job->out + I * p;
	size_t first;
	const size_t count = block_rows(e->n, I, &first);

	for (size_t J = I; J < count_blocks(e->n); J++) {
		const struct tile t = get_tile(e, I, J, thread);
		const double *Xi = e->X.v + t.i * p, *Xl = e->X.v + t.l * p;
		const double by = (squares ? -2 : 1) * (t.diagonal && !differences ? 1 : 2);

		for (size_t a = 0; a < t.ni; a++) {
			/* Of differences in a tile of the diagonal the upper triangle counts. */
			const size_t from = t.diagonal && differences ? a : 0, nl = t.nl - from;
			const double *own = e->machine.alpha + t.i + a;
			const double *alpha = e->machine.alpha + t.l + from;
			double *m = M + a * t.nl;

			for (size_t l = 0; l < nl; l++) {
				double v = 0;

				for (size_t o = 0; o < e->c; o++)
					v += by * own[o * e->n] * alpha[o * e->n + l];
				m[l] = v * t.H[a * t.ld + from + l];
			}
			if (differences)
				kith_la_kernels_at_level()->add_differences(
				    nl, p, absolute, m, Xi + a * p, Xl + from * p, sum);
		}
		if (differences)
			continue;
		kith_blas_product(t.ni, p, t.nl, M, t.nl, Xl, p, MX, p);
		for (size_t a = 0; a < t.ni; a++)
			for (size_t j = 0; j < p; j++)
				sum[j] += Xi[a * p + j] * MX[a * p + j];
	}
	for (size_t i = first; i < first + count && squares; i++) {
		const double *x = kith_row(&e->X, i);
		double r = 0;

		for (size_t o = 0; o < e->c; o++)
			r += e->machine.alpha[o * e->n + i] * e->Ka[o * e->n + i];
		for (size_t j = 0; j < p; j++)
			sum[j] += 2 * r * x[j] * x[j];
	}
}

void
kith_knife_gradient(struct kith_knife_engine *e, double *dF)
{
	const struct kith_knife_problem *problem = &e->problem;
	const size_t n = e->n, p = e->p, blocks = count_blocks(n);
	const double factor = derivative_factor(problem);
	struct kith_pool tmp = {0};
	double *q, *xa;

	KITH_NEW_REALS(&tmp, p, 1, &q, &xa);
	if (e->machine.primal)
		for (size_t j = 0; j < p; j++)
			q[j] = (double)e->columns.square[j];
	else if (problem->kern.kind == KITH_KERN_LINEAR)
		for (size_t o = 0; o < e->c; o++) {
			kith_blas_turned(n, p, e->X.v, p, e->machine.alpha + o * n, xa);
			for (size_t j = 0; j < p; j++)
				q[j] += xa[j] * xa[j];
		}
	else {
		struct job job = {.e = e, .out = kith_new(&tmp, blocks, p * sizeof(*job.out))};

		kith_par(problem->threads, blocks, gradient_block, &job);
		for (size_t I = 0; I < blocks; I++)
			add_to(p, job.out + I * p, q);
	}
	for (size_t j = 0; j < p; j++) /* dF_j = lambda2 - lambda1 alpha' (dK/dw_j) alpha */
		dF[j] = problem->lambda2 - problem->lambda1 * factor * q[j];
	kith_pool_free(&tmp);
}

/* Rows of A: A_ij = sum_l m_l x_ij x_lj, or of differences, with m_l = factor alpha_l H_il. */
static void
slopes_block(void *to, size_t I, size_t thread)
{
	const struct job *job = to;
	const struct kith_knife_engine *e = job->e;
	const size_t n = e->n, p = e->p;
	const double factor = derivative_factor(&e->problem);
	struct kith_pool tmp = {0};
	double *m = kith_new(&tmp, n, sizeof(*m));
	size_t first;
	const size_t count = block_rows(n, I, &first);

	(void)thread;
	for (size_t i = first; i < first + count; i++) {
		const double *x = kith_row(&e->X, i);
		double *a = job->out + i * p;

		for (size_t l = 0; l < n; l++) /* H has tiles above the diagonal alone */
			m[l] = factor * job->V[l] * e->H[l < first ? l * n + i : i * n + l];
		if (kith_knife_is_radial(&e->problem)) {
			memset(a, 0, p * sizeof(*a));
			kith_la_kernels_at_level()->add_differences(
			    n, p, e->metric.kind == KITH_ABSOLUTE, m, x, e->X.v, a);
			continue;
		}
		kith_blas_turned(n, p, e->X.v, p, m, a);
		for (size_t j = 0; j < p; j++)
			a[j] *= x[j];
	}
	kith_pool_free(&tmp);
}

void
kith_knife_output_slopes(struct kith_knife_engine *e, size_t o, double *A)
{
	const size_t n = e->n, p = e->p;
	struct job job = {.e = e, .V = e->machine.alpha + o * n, .out = A};

	if (e->problem.kern.kind == KITH_KERN_LINEAR) { /* A = X diag(X' alpha) */
		struct kith_pool tmp = {0};
		double *xa = kith_new(&tmp, p, sizeof(*xa));

		kith_blas_turned(n, p, e->X.v, p, job.V, xa);
		for (size_t k = 0; k < n * p; k++)
			A[k] = e->X.v[k] * xa[k % p];
		kith_pool_free(&tmp);
	} else
		kith_par(e->problem.threads, count_blocks(n), slopes_block, &job);
}

void
kith_knife_kernel_columns(const struct kith_knife_engine *e, size_t m, const size_t *row, double *C)
{
	struct kith_pool tmp = {0};
	const struct kith_mat all = {e->n, e->k, e->Z}, norm2 = {e->n, 1, e->norm2};
	double *H = e->problem.kern.kind == KITH_KERN_POLYNOMIAL
	    ? kith_new(&tmp, e->n, m * sizeof(*H))
	    : C;

	fill_tile(e, &(struct tile){.ni = e->n, .nl = m, .ld = m, .K = C, .H = H},
	    kith_mat_rows(&all, row, m, &tmp).v, kith_mat_rows(&norm2, row, m, &tmp).v);
	kith_pool_free(&tmp);
}
