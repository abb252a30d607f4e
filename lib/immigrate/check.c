/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/check.h"

#include "base/par.h"
#include "base/pool.h"
#include "immigrate/problem.h"
#include "immigrate/rows.h"
#include "la/blas.h"
#include "la/eig.h"
#include "la/mat.h"
#include "la/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 256, PARTS = 16 };

/* Numbers of all parts' sums together. */
#define HELD 0x1p24

#define EXACT 1e-9
#define SAME 1e-12

/* One part of the rows. */
struct part {
	double *D, *Y; /* BLOCK x ld: |x - z|, and times W */
	double *a;     /* n: distances, then alpha or beta */
	double *sum;   /* len */
};

struct job {
	struct kith_immigrate_data data;
	const double *W; /* ld x ld or, a vector, ld; padded with 0 */
	bool matrix;
	double sigma;
	size_t len, parts;
	struct part *part;
};

/* Rows from j on, at most BLOCK up to the end of the range: |x - z| into D. */
static size_t
differ(const struct job *job, size_t i, size_t j, size_t end, double *D)
{
	const size_t ld = job->data.ld;
	const size_t n = end - j < BLOCK ? end - j : BLOCK;
	const double *x = job->data.X + i * ld;

	for (size_t k = 0; k < n; k++)
		for (size_t f = 0; f < ld; f++)
			D[k * ld + f] = fabs(x[f] - job->data.X[(j + k) * ld + f]);
	return n;
}

/* The distances of row i to all rows, into part->a. */
static void
find_distances(const struct job *job, struct part *part, size_t i)
{
	const size_t ld = job->data.ld, n = job->data.n;

	for (size_t j = 0, held; j < n; j += held) {
		const double *W = job->W;

		held = differ(job, i, j, n, part->D);
		if (job->matrix)
			kith_blas_product(held, ld, ld, part->D, job->W, part->Y);
		for (size_t k = 0; k < held; k++) {
			const double *D = part->D + k * ld;

			if (job->matrix)
				W = part->Y + k * ld;
			part->a[j + k] = kith_vec_dot(ld, W, D);
		}
	}
}

/* Rows of one class, or of the others, without row i. */
struct range {
	size_t from, to;
};

/* Make softmax weights of the distances in two ranges. */
static void
soften(const struct job *job, struct part *part, const struct range range[2])
{
	double least = INFINITY, sum = 0;

	for (size_t r = 0; r < 2; r++)
		for (size_t j = range[r].from; j < range[r].to; j++)
			least = fmin(least, part->a[j]);
	for (size_t r = 0; r < 2; r++)
		for (size_t j = range[r].from; j < range[r].to; j++) {
			part->a[j] = exp((least - part->a[j]) / job->sigma);
			sum += part->a[j];
		}
	for (size_t r = 0; r < 2; r++)
		for (size_t j = range[r].from; j < range[r].to; j++)
			part->a[j] /= sum;
}

/* sum += sign sum_j weight a_j D D', or D, over a range. */
static void
add(const struct job *job, struct part *part, size_t i, struct range range, double sign)
{
	const size_t ld = job->data.ld;
	const double weight = job->data.weight[i];

	for (size_t j = range.from, held; j < range.to; j += held) {
		held = differ(job, i, j, range.to, part->D);
		for (size_t k = 0; k < held; k++) {
			const double c = weight * part->a[j + k];
			double *D = part->D + k * ld;

			for (size_t f = 0; f < ld; f++)
				if (job->matrix)
					D[f] *= sqrt(c);
				else
					part->sum[f] += sign * c * D[f];
		}
		if (job->matrix)
			kith_blas_gram(held, ld, sign, part->D, ld, part->sum);
	}
}

static void
sum_part(void *to, size_t block, size_t thread)
{
	struct job *job = to;
	struct part *part = job->part + block;
	const struct kith_immigrate_data *data = &job->data;

	(void)thread;
	for (size_t i = block * data->n / job->parts; i < (block + 1) * data->n / job->parts; i++) {
		const size_t *own = data->start + data->y[i];
		const struct range hit[] = {{own[0], i}, {i + 1, own[1]}};
		const struct range miss[] = {{0, own[0]}, {own[1], data->n}};

		find_distances(job, part, i);
		soften(job, part, hit);
		soften(job, part, miss);
		for (size_t r = 0; r < 2; r++) {
			add(job, part, i, hit[r], 1);
			add(job, part, i, miss[r], -1);
		}
	}
}

/* W with 0 behind each row, and behind the last. */
static double *
pad(const struct job *job, const double *W, struct kith_pool *pool)
{
	const size_t p = job->data.p, ld = job->data.ld;
	double *to = kith_new(pool, job->len, sizeof(*to));

	for (size_t i = 0; i < (job->matrix ? p : 1); i++)
		memcpy(to + i * ld, W + i * p, p * sizeof(*W));
	return to;
}

/* Sigma (p x p, both triangles), or u (p), at W, of largest modulus 1. */
static double *
find_gradient(const struct kith_immigrate_rows *of, const struct kith_immigrate_how *how,
    bool matrix, const double *W, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct job job = {.matrix = matrix};
	const size_t p = of->X->p, rows = matrix ? p : 1;
	double *S = kith_new(pool, rows, p * sizeof(*S)), largest = 0, parts;

	job.data = kith_immigrate_data_new(of, &tmp);
	job.sigma = fmax(ldexp(how->sigma, -job.data.unit * (matrix ? 2 : 1)), DBL_TRUE_MIN);
	job.len = matrix ? job.data.ld * job.data.ld : job.data.ld;
	job.W = pad(&job, W, &tmp);
	parts = fmin(PARTS, HELD / (double)job.len);
	job.parts = parts < 1 ? 1 : (size_t)parts;
	job.part = kith_new(&tmp, job.parts, sizeof(*job.part));
	for (size_t k = 0; k < job.parts; k++) {
		struct part *part = job.part + k;

		KITH_NEW_REALS(&tmp, BLOCK, job.data.ld, &part->D, &part->Y);
		part->a = kith_new(&tmp, job.data.n, sizeof(double));
		part->sum = kith_new(&tmp, job.len, sizeof(double));
	}
	kith_par_told(how->threads, job.parts, sum_part, &job,
	    &(struct kith_par_phase){"check", job.data.n, "rows"});
	for (size_t i = 0; i < rows; i++)
		for (size_t j = matrix ? i : 0; j < p; j++) {
			double s = 0;

			for (size_t k = 0; k < job.parts; k++)
				s += job.part[k].sum[i * job.data.ld + j];
			S[i * p + j] = s;
			if (matrix)
				S[j * p + i] = s;
			largest = fmax(largest, fabs(s));
		}
	for (size_t k = 0; k < rows * p && largest > 0; k++)
		S[k] /= largest;
	kith_pool_free(&tmp);
	return S;
}

static double
norm(size_t n, const double *v)
{
	return sqrt(kith_vec_dot(n, v, v));
}

/* The eigenvalues of A (p x p) in increasing order, and vectors, or false. */
static bool
find_eigen(size_t p, const double *A, double **lambda, double **U, struct kith_pool *tmp)
{
	double *copy;

	KITH_NEW_REALS(tmp, p, p, &copy, U);
	*lambda = kith_new(tmp, p, sizeof(**lambda));
	memcpy(copy, A, p * p * sizeof(*A));
	return kith_eig(p, copy, *lambda, *U);
}

/* V, before it is clipped or cut; false: no eigenvalues. */
static bool
find_closed(size_t p, const double *S, double *V, struct kith_pool *tmp)
{
	double *U, *mu, size = 0;

	if (!find_eigen(p, S, &mu, &U, tmp))
		return false;
	for (size_t i = 0; i < p; i++)
		if (mu[i] < 0)
			size = hypot(size, mu[i]);
	for (size_t i = 0; i < p; i++) {
		const double eta = size > 0 ? -mu[i] / size : i == 0;

		if (!(eta > 0))
			continue;
		for (size_t j = 0; j < p; j++)
			for (size_t k = 0; k < p; k++)
				V[j * p + k] += eta * U[i * p + j] * U[i * p + k];
	}
	return true;
}

/* Clip and cut V as the rules say; of unit length but for the package's cut. */
static void
shape(const struct kith_immigrate_how *how, size_t len, double *V,
    double (*length)(size_t, const double *))
{
	double size;

	for (size_t k = 0; k < len && how->package; k++)
		V[k] = fmax(V[k], 0);
	size = length(len, V);
	for (size_t k = 0; k < len; k++)
		V[k] /= size;
	for (size_t k = 0; k < len && how->threshold > 0; k++)
		if (V[k] < how->threshold * (1 - 1e-12))
			V[k] = 0;
	size = length(len, V);
	for (size_t k = 0; k < len && !how->package; k++)
		V[k] /= size;
}

/* How far apart norms may be, or sums of n, because W and V are. */
static double
loose(const struct kith_immigrate_how *how, double n)
{
	if (!how->package || how->threshold == 0)
		return 0;
	return sqrt(2.0 * n * kith_immigrate_limit(how->tol, how->package));
}

static double
half_square(size_t n, const double *W, const double *V)
{
	double sum = 0;

	for (size_t k = 0; k < n; k++)
		sum += (W[k] - V[k]) * (W[k] - V[k]) / 2;
	return sum;
}

/* The place of the smallest entry, the first of equals. */
static size_t
smallest(size_t n, const double *W)
{
	size_t least = 0;

	for (size_t k = 1; k < n; k++)
		if (W[k] < W[least])
			least = k;
	return least;
}

static double
asymmetry(size_t p, const double *W)
{
	double most = 0;

	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < i; j++)
			most = fmax(most, fabs(W[i * p + j] - W[j * p + i]));
	return most;
}

static double
smallest_eigenvalue(size_t p, const double *W, struct kith_pool *tmp)
{
	double *lambda, *U;

	return find_eigen(p, W, &lambda, &U, tmp) ? lambda[0] : -INFINITY;
}

/* No number is infinitely wrong; -0 is 0. */
static double
value(double x)
{
	return isnan(x) ? INFINITY : x + 0.0;
}

void
kith_check_immigrate(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how,
    const double *W, struct kith_check out[KITH_CHECK_IMMIGRATE])
{
	struct kith_pool tmp = {0};
	const size_t p = rows->X->p;
	const bool exact = !how->package && how->threshold == 0;
	const double *S = find_gradient(rows, how, true, W, &tmp);
	double *V = kith_new(&tmp, p, p * sizeof(*V)), gap = 0, size;
	const double limit = kith_immigrate_limit(how->tol, how->package);

	if (!find_closed(p, S, V, &tmp))
		V[0] = NAN;
	if (!exact)
		shape(how, p * p, V, norm);
	size = how->package && how->threshold > 0 ? norm(p * p, V) : 1;
	for (size_t k = 0; k < p * p; k++)
		gap += S[k] * (W[k] - V[k]);
	if (exact && norm(p * p, S) > 0)
		gap /= norm(p * p, S);
	if (!exact)
		gap = half_square(p * p, W, V);
	out[0] = (struct kith_check){"stationarity", value(gap), limit};
	out[1] = (struct kith_check){
	    "norm", value(fabs(norm(p * p, W) - size)), EXACT + loose(how, 1)};
	out[2] = (struct kith_check){"symmetry", asymmetry(p, W), SAME};
	if (exact)
		out[3] = (struct kith_check){
		    "definiteness", value(-smallest_eigenvalue(p, W, &tmp)), EXACT};
	else
		out[3] = (struct kith_check){"sign", value(-W[smallest(p * p, W)]), 0};
	kith_pool_free(&tmp);
}

void
kith_check_im4e(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how,
    const double *w, struct kith_check out[KITH_CHECK_IM4E])
{
	struct kith_pool tmp = {0};
	const size_t p = rows->X->p;
	const double *u = find_gradient(rows, how, false, w, &tmp);
	double *v = kith_new(&tmp, p, sizeof(*v)), gap = 0, size = 1;
	const double limit = kith_immigrate_limit(how->tol, how->package);

	for (size_t j = 0; j < p; j++)
		v[j] = fmax(-u[j], 0);
	if (kith_vec_sum(p, v) == 0)
		v[smallest(p, u)] = 1;
	if (how->package || how->threshold > 0)
		shape(how, p, v, kith_vec_sum);
	if (how->package && how->threshold > 0)
		size = kith_vec_sum(p, v);
	for (size_t j = 0; j < p; j++)
		gap += u[j] * (w[j] / norm(p, w) - v[j] / norm(p, v));
	if (norm(p, u) > 0)
		gap /= norm(p, u);
	if (how->threshold > 0)
		gap = half_square(p, w, v);
	out[0] = (struct kith_check){"stationarity", value(gap), limit};
	out[1] = (struct kith_check){
	    "norm", value(fabs(kith_vec_sum(p, w) - size)), EXACT + loose(how, (double)p)};
	out[2] = (struct kith_check){"sign", value(-w[smallest(p, w)]), 0};
	kith_pool_free(&tmp);
}
