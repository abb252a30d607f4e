/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/means_code.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "la/mat.h"
#include "la/simd.h"
#include "la/vec.h"
#include "near/knn.h"
#include "near/metric.h"
#include "solve/nn.h"
#include "table/graph.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows of a block of work */

/* Of what nnk/check.h allows. */
#define SURE 5e-12

KITH_CLONES static void
codes_add(size_t p, double a, const double *x, double *y)
{
	size_t j;

	for (j = 0; j + 8 <= p; j += 8)
		*(kith_v8d_at *)(y + j) += a * *(const kith_v8d_at *)(x + j);
	for (; j < p; j++)
		y[j] += a * x[j];
}

void
kith_codes_add(size_t p, double a, const double *x, double *y)
{
	codes_add(p, a, x, y);
}

struct kith_codes
kith_codes_new(size_t n, size_t k, struct kith_pool *pool)
{
	struct kith_codes code = {.n = n, .k = k};

	code.count = kith_new(pool, n, sizeof(*code.count));
	code.atom = kith_new(pool, n, k * sizeof(*code.atom));
	code.w = kith_new(pool, n, k * sizeof(*code.w));
	code.J = kith_new(pool, n, sizeof(*code.J));
	return code;
}

/* What one thread uses, and has seen. */
struct worker {
	struct kith_qp_nn *qp;
	double *A, *b, *t, *g; /* a problem of at most k atoms, its solution */
	double *w;             /* k: another answer */
	size_t *atom;          /* k: its candidates */
	double *room;          /* p */
	size_t kept, doubts;
};

/* What the threads share. */
struct job {
	const struct kith_means_rows *rows;
	struct kith_codes *code;
	struct kith_kern kern;
	struct kith_mat A; /* atom j divided by 2^size[j], a length near 1 */
	int *size;
	double *K;                 /* their kernels */
	struct kith_neighbour *nn; /* n x k */
	struct worker *worker;     /* threads */
};

/* What n atoms of a code leave of x; room holds p numbers. */
static double
error_of(const struct kith_means_rows *rows, const double *x, size_t n, const size_t *atom,
    const double *w, double *room)
{
	const size_t p = rows->A.p;
	const struct kith_metric plain = {KITH_SQUARED, p, NULL};
	double rest = 1, d;

	memset(room, 0, p * sizeof(*room));
	for (size_t s = 0; s < n; s++)
		if (w[s] > 0) {
			kith_codes_add(p, w[s], kith_row(&rows->A, atom[s]), room);
			rest -= w[s];
		}
	d = kith_dist(&plain, x, room);
	return rows->kernel == KITH_KERN_COSINE ? (d + rest * rest) / 2 : d;
}

static void
measure_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_codes *code = job->code;

	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < code->n; i++)
		code->J[i] = error_of(job->rows, kith_row(job->rows->X, i), code->count[i],
		    code->atom + i * code->k, code->w + i * code->k, job->worker[thread].room);
}

double
kith_codes_sum(const struct kith_codes *code)
{
	double sum = 0;

	for (size_t i = 0; i < code->n; i++)
		sum += code->J[i];
	return sum;
}

double
kith_codes_errors(const struct kith_means_rows *rows, struct kith_codes *code)
{
	struct kith_pool tmp = {0};
	struct job job = {.rows = rows, .code = code};

	job.worker = kith_new(&tmp, rows->threads, sizeof(*job.worker));
	for (size_t i = 0; i < rows->threads; i++)
		job.worker[i].room = kith_new(&tmp, rows->A.p, sizeof(*job.worker->room));
	kith_par(rows->threads, (code->n + BLOCK - 1) / BLOCK, measure_block, &job);
	kith_pool_free(&tmp);
	return kith_codes_sum(code);
}

struct kith_graph
kith_codes_graph(const struct kith_codes *code, bool used, struct kith_pool *pool)
{
	struct kith_graph graph = {.m = code->n};
	size_t e = 0, most = 0;

	for (size_t i = 0; i < code->n; i++)
		most += code->count[i];
	graph.start = kith_new(pool, code->n + 1, sizeof(*graph.start));
	graph.to = kith_new(pool, most, sizeof(*graph.to));
	graph.w = kith_new(pool, most, sizeof(*graph.w));
	for (size_t i = 0; i < code->n; i++) {
		for (size_t s = i * code->k; s < i * code->k + code->count[i]; s++)
			if (code->w[s] > 0 || !used) {
				graph.to[e] = code->atom[s];
				graph.w[e++] = code->w[s];
			}
		graph.start[i + 1] = e;
	}
	return graph;
}

/* Rows and atoms as nnk/nnk.h has them. */
static struct kith_local_rows
local_rows(const struct kith_means_rows *rows, const struct kith_metric *metric)
{
	return (struct kith_local_rows){.X = &rows->A,
	    .metric = metric,
	    .Z = rows->X,
	    .m = rows->X->n,
	    .threads = rows->threads};
}

/*
 * Whether weights t, found with this violation, are so far within the limits
 * of nnk/check.h that rounding does not matter.  Kernels are off by a few
 * roundings of the largest, of rows of different lengths each by its own.
 */
static bool
is_sure(const struct job *job, const struct worker *it, const double *x, const size_t *atom,
    size_t n, double violation)
{
	const size_t ld = kith_qp_nn_stride(n);
	double most = 0, sum = 0, b = -INFINITY, xx, left;
	int least = INT_MAX, largest = INT_MIN;

	for (size_t s = 0; s < n; s++) {
		const int size = job->size[atom[s]];

		most = fmax(most, it->A[s * ld + s]);
		sum += it->t[s];
		b = fmax(b, it->b[s]);
		least = size < least ? size : least;
		largest = size > largest ? size : largest;
	}
	kith_kern_rows(&job->kern, x, x, 1, &xx);
	left = DBL_EPSILON * (double)(job->A.p + 8) * (sum * most + sqrt(xx * most));
	return b < -left ||
	    (b >= DBL_MIN && scalbn(violation * b, largest - least) + left <= SURE * b);
}

/* The best weights w >= 0 of n atoms for x; whether they are sure. */
static bool
solve(const struct job *job, struct worker *it, const double *x, size_t n, const size_t *atom,
    double *w)
{
	const size_t ld = kith_qp_nn_stride(n);
	double violation;

	for (size_t s = 0; s < n; s++) {
		const double *K = job->K + atom[s] * job->A.n;

		for (size_t u = 0; u < n; u++)
			it->A[s * ld + u] = K[atom[u]];
		kith_kern_rows(&job->kern, x, kith_row(&job->A, atom[s]), 1, it->b + s);
	}
	violation = kith_qp_nn(it->qp, n, it->A, it->b, it->t, it->g);
	for (size_t s = 0; s < n; s++)
		w[s] = scalbn(it->t[s], -job->size[atom[s]]);
	return is_sure(job, it, x, atom, n, violation);
}

/*
 * The atoms that the older code uses, into atom; returns how many, 0 where all
 * are among the n candidates now.
 */
static size_t
older(size_t count, const size_t *from, const double *w, const struct kith_neighbour *nn, size_t n,
    size_t *atom)
{
	size_t used = 0;
	bool among = true;

	for (size_t s = 0; s < count; s++) {
		size_t e = 0;

		if (!(w[s] > 0))
			continue;
		atom[used++] = from[s];
		while (e < n && nn[e].row != from[s])
			e++;
		among = among && e < n;
	}
	return among ? 0 : used;
}

static void
code_row(const struct job *job, struct worker *it, size_t i)
{
	struct kith_codes *code = job->code;
	const size_t k = code->k;
	const struct kith_neighbour *nn = job->nn + i * k;
	const double *x = kith_row(job->rows->X, i);
	size_t *atom = code->atom + i * k;
	double *w = code->w + i * k, J = INFINITY;
	const size_t used = older(code->count[i], atom, w, nn, k, it->atom);
	bool sure, was_sure = false;

	if (used > 0) {
		was_sure = solve(job, it, x, used, it->atom, it->w);
		J = error_of(job->rows, x, used, it->atom, it->w, it->room);
	}
	for (size_t s = 0; s < k; s++)
		atom[s] = nn[s].row;
	sure = solve(job, it, x, k, atom, w);
	code->count[i] = k;
	code->J[i] = error_of(job->rows, x, k, atom, w, it->room);
	if (J < code->J[i]) {
		memcpy(atom, it->atom, used * sizeof(*atom));
		memcpy(w, it->w, used * sizeof(*w));
		code->count[i] = used;
		code->J[i] = J;
		sure = was_sure;
		it->kept++;
	}
	it->doubts += !sure;
}

static void
code_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;

	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < job->code->n; i++)
		code_row(job, job->worker + thread, i);
}

/* The atoms, each in a unit of its own, and their kernels. */
static void
pose(struct job *job, struct kith_pool *pool)
{
	const struct kith_mat *A = &job->rows->A;
	const size_t p = A->p;

	job->A = kith_mat_new(pool, A->n, p);
	job->size = kith_new(pool, A->n, sizeof(*job->size));
	job->K = kith_new(pool, A->n, A->n * sizeof(*job->K));
	for (size_t j = 0; j < A->n; j++) {
		const double *a = kith_row(A, j);
		const double most = kith_vec_largest(p, a);

		if (job->kern.kind == KITH_KERN_LINEAR && most > 0)
			job->size[j] = ilogb(most);
		for (size_t c = 0; c < p; c++)
			kith_row(&job->A, j)[c] = scalbn(a[c], -job->size[j]);
	}
	kith_kern_gram(&job->kern, job->A.v, A->n, A->n, job->K);
}

/* Room for one thread. */
static struct worker
make_worker(size_t k, size_t p, struct kith_pool *pool)
{
	struct worker it = {.qp = kith_qp_nn_new(k, pool)};

	it.A = kith_new(pool, k, kith_qp_nn_stride(k) * sizeof(*it.A));
	it.b = kith_new(pool, k, sizeof(*it.b));
	it.t = kith_new(pool, k, sizeof(*it.t));
	it.g = kith_new(pool, k, sizeof(*it.g));
	it.w = kith_new(pool, k, sizeof(*it.w));
	it.atom = kith_new(pool, k, sizeof(*it.atom));
	it.room = kith_new(pool, p, sizeof(*it.room));
	return it;
}

void
kith_codes_find(const struct kith_means_rows *rows, struct kith_codes *code)
{
	struct kith_pool tmp = {0};
	const size_t p = rows->A.p;
	const struct kith_metric plain = {KITH_SQUARED, p, NULL};
	const struct kith_knn *knn = kith_knn_new(&rows->A, &plain, rows->X->n, &tmp);
	struct job job = {
	    .rows = rows, .code = code, .kern = {.kind = rows->kernel, .metric = &plain}};

	pose(&job, &tmp);
	job.nn = kith_new(&tmp, code->n, code->k * sizeof(*job.nn));
	kith_knn_search(knn, rows->X, NULL, code->k, rows->threads, job.nn);
	job.worker = kith_new(&tmp, rows->threads, sizeof(*job.worker));
	for (size_t i = 0; i < rows->threads; i++)
		job.worker[i] = make_worker(code->k, p, &tmp);
	kith_par_told(rows->threads, (code->n + BLOCK - 1) / BLOCK, code_block, &job,
	    &(struct kith_par_phase){"codes", code->n, "rows"});
	code->kept = code->doubts = 0;
	for (size_t i = 0; i < rows->threads; i++) {
		code->kept += job.worker[i].kept;
		code->doubts += job.worker[i].doubts;
	}
	kith_pool_free(&tmp);
}

int
kith_codes_check(const struct kith_means_rows *rows, const struct kith_codes *code,
    struct kith_check out[KITH_CHECK_NNK], struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_metric plain = {KITH_SQUARED, rows->A.p, NULL};
	const struct kith_local_rows local = local_rows(rows, &plain);
	const struct kith_graph all = kith_codes_graph(code, false, &tmp);
	const struct kith_graph used = kith_codes_graph(code, true, &tmp);
	const struct kith_check_nnk_how how = {.kernel = rows->kernel, .k = code->k, .given = &all};
	const int got = kith_check_nnk(&local, &how, &used, out, err);

	kith_pool_free(&tmp);
	return got;
}
