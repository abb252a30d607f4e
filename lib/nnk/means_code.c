#include "nnk/means_code.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "la/mat.h"
#include "la/simd.h"
#include "near/dist.h"
#include "near/graph.h"
#include "near/metric.h"
#include "nnk/nnk.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows of a block of work */

KITH_CLONES void
kith_codes_add(size_t p, double a, const double *x, double *y)
{
	size_t j;

	for (j = 0; j + 8 <= p; j += 8)
		*(kith_v8d_at *)(y + j) += a * *(const kith_v8d_at *)(x + j);
	for (; j < p; j++)
		y[j] += a * x[j];
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

/* Errors of the rows that a graph, or a code, gives weights to. */
struct measure {
	const struct kith_means_rows *rows;
	const struct kith_graph *graph; /* or NULL: */
	const struct kith_codes *code;
	double *J;    /* n */
	double *room; /* threads x p */
};

/* What n atoms of a code leave of x; room holds p numbers. */
static double
error_of(const struct kith_means_rows *rows, const double *x, size_t n,
    const size_t *atom, const double *w, double *room)
{
	const size_t p = rows->A.p;
	const struct kith_metric plain = {KITH_SQUARED, p, NULL};
	double rest = 1, d;

	memset(room, 0, p * sizeof(*room));
	for (size_t s = 0; s < n; s++)
		if (w[s] > 0) {
			kith_codes_add(
			    p, w[s], kith_row(&rows->A, atom[s]), room);
			rest -= w[s];
		}
	d = kith_dist(&plain, x, room);
	return rows->kernel == KITH_KERN_COSINE ? (d + rest * rest) / 2 : d;
}

static void
measure_block(void *to, size_t block, size_t thread)
{
	const struct measure *it = to;
	const struct kith_mat *X = it->rows->X;
	double *room = it->room + thread * X->p;

	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < X->n; i++)
		if (it->graph) {
			const size_t e = it->graph->start[i];

			it->J[i] = error_of(it->rows, kith_row(X, i),
			    it->graph->start[i + 1] - e, it->graph->to + e,
			    it->graph->w + e, room);
		} else {
			const size_t e = i * it->code->k;

			it->J[i] = error_of(it->rows, kith_row(X, i),
			    it->code->count[i], it->code->atom + e,
			    it->code->w + e, room);
		}
}

static void
measure(struct measure it)
{
	struct kith_pool tmp = {0};
	const struct kith_mat *X = it.rows->X;
	const size_t threads = it.rows->threads;

	it.room = kith_new(&tmp, threads, X->p * sizeof(*it.room));
	kith_par(threads, (X->n + BLOCK - 1) / BLOCK, measure_block, &it);
	kith_pool_free(&tmp);
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
	measure((struct measure){.rows = rows, .code = code, .J = code->J});
	return kith_codes_sum(code);
}

struct kith_graph
kith_codes_graph(
    const struct kith_codes *code, bool used, struct kith_pool *pool)
{
	struct kith_graph graph = {.m = code->n};
	size_t e = 0, most = 0;

	for (size_t i = 0; i < code->n; i++)
		most += code->count[i];
	graph.start = kith_new(pool, code->n + 1, sizeof(*graph.start));
	graph.to = kith_new(pool, most, sizeof(*graph.to));
	graph.w = kith_new(pool, most, sizeof(*graph.w));
	for (size_t i = 0; i < code->n; i++) {
		for (size_t s = i * code->k; s < i * code->k + code->count[i];
		     s++)
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

/* The weights of the k nearest atoms, or of those given. */
static struct kith_nnk
solve(const struct kith_means_rows *rows, size_t k,
    const struct kith_graph *given, struct kith_pool *pool)
{
	const struct kith_metric plain = {KITH_SQUARED, rows->A.p, NULL};
	const struct kith_local_rows local = local_rows(rows, &plain);
	const struct kith_nnk_how how = {.method = KITH_NNK,
	    .kernel = rows->kernel,
	    .k = k,
	    .bare = true,
	    .given = given};
	struct kith_nnk out;
	struct kith_err err;
	const int got = kith_nnk(&local, &how, &out, pool, &err);

	assert(got == 0); /* no distance is below 0 */
	(void)got;
	return out;
}

/* Whether all atoms that the older code of row i uses are candidates now. */
static bool
is_among(const struct kith_codes *code, size_t i, const struct kith_graph *now)
{
	for (size_t s = i * code->k; s < i * code->k + code->count[i]; s++) {
		size_t e = now->start[i];

		if (!(code->w[s] > 0))
			continue;
		while (e < now->start[i + 1] && now->to[e] != code->atom[s])
			e++;
		if (e == now->start[i + 1])
			return false;
	}
	return true;
}

/* What the older codes use, of rows where that is not among the candidates. */
static struct kith_graph
older(const struct kith_codes *code, const struct kith_graph *now,
    struct kith_pool *pool)
{
	struct kith_graph graph = kith_codes_graph(code, true, pool);
	size_t to = 0, from = 0;

	for (size_t i = 0; i < code->n; i++) {
		const size_t end = graph.start[i + 1];

		if (is_among(code, i, now))
			from = end;
		while (from < end)
			graph.to[to++] = graph.to[from++];
		graph.start[i + 1] = to;
	}
	return graph;
}

static void
take(struct kith_codes *code, size_t i, const struct kith_graph *from)
{
	const size_t e = from->start[i];

	code->count[i] = from->start[i + 1] - e;
	for (size_t s = 0; s < code->count[i]; s++) {
		code->atom[i * code->k + s] = from->to[e + s];
		code->w[i * code->k + s] = from->w[e + s];
	}
}

void
kith_codes_find(const struct kith_means_rows *rows, struct kith_codes *code)
{
	struct kith_pool tmp = {0};
	const struct kith_nnk now = solve(rows, code->k, NULL, &tmp);
	const struct kith_graph support = older(code, &now.graph, &tmp);
	struct kith_nnk old = {0};
	double *J = kith_new(&tmp, code->n, sizeof(*J));

	measure(
	    (struct measure){.rows = rows, .graph = &now.graph, .J = code->J});
	if (support.start[code->n] > 0) {
		old = solve(rows, code->k, &support, &tmp);
		measure((struct measure){
		    .rows = rows, .graph = &old.graph, .J = J});
	}
	code->kept = 0;
	code->doubts = now.doubts + old.doubts;
	for (size_t i = 0; i < code->n; i++)
		if (support.start[i] < support.start[i + 1] &&
		    J[i] < code->J[i]) {
			code->J[i] = J[i];
			code->kept++;
			take(code, i, &old.graph);
		} else
			take(code, i, &now.graph);
	kith_pool_free(&tmp);
}

int
kith_codes_check(const struct kith_means_rows *rows,
    const struct kith_codes *code, struct kith_check out[KITH_CHECK_NNK],
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_metric plain = {KITH_SQUARED, rows->A.p, NULL};
	const struct kith_local_rows local = local_rows(rows, &plain);
	const struct kith_graph all = kith_codes_graph(code, false, &tmp);
	const struct kith_graph used = kith_codes_graph(code, true, &tmp);
	const struct kith_check_nnk_how how = {
	    .kernel = rows->kernel, .k = code->k, .given = &all};
	const int got = kith_check_nnk(&local, &how, &used, out, err);

	kith_pool_free(&tmp);
	return got;
}
