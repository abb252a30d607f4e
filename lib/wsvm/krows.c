#include "wsvm/krows.h"

#include "base/par.h"
#include "base/pool.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "la/simd.h"
#include "near/metric.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	BLOCK = 1024,  /* columns of a block of work */
	LONG = 1 << 18 /* n p from which a row is worth threads */
};

#define NONE SIZE_MAX

/*
 * Distances of few features are summed for many rows at once, from columns of
 * X, in the order of near/dist.h, where features j and j + 2 come together
 * first.
 */
enum { FEW = 4 };

/*
 * The rows held form a ring in the order of their use, whose entry n stands
 * before the oldest and after the newest.
 */
struct kith_krows {
	const struct kith_kern *kern;
	const struct kith_mat *X;
	struct kith_pool *pool;
	size_t threads, most, held, computed;
	bool full;           /* all rows are held, and stay */
	double **row;        /* n: NULL where it is not held */
	size_t *next, *prev; /* n + 1 */
	double *room;        /* threads x BLOCK */
	size_t bytes;        /* for rows, and what is kept elsewhere */
	double *column[FEW]; /* n: of X, where FEW features serve; or NULL */
};

/* The work of threads: one row, or products with all rows. */
struct job {
	const struct kith_krows *rows;
	size_t i;
	double *to;
	const double *a, *b;
	double *u, *v;
};

/* Whether distances are those of few_distances(). */
static bool
has_few(const struct kith_kern *kern, const struct kith_mat *X)
{
	return kern->kind == KITH_KERN_GAUSSIAN && X->p >= 1 && X->p <= FEW &&
	    kern->metric->kind == KITH_SQUARED && !kern->metric->w;
}

/* Copy row i of X into the columns. */
static void
set_columns(struct kith_krows *rows, size_t i)
{
	for (size_t j = 0; j < FEW && rows->column[0]; j++)
		rows->column[j][i] = j < rows->X->p ? kith_row(rows->X, i)[j]
						    : 0;
}

struct kith_krows *
kith_krows_new(const struct kith_kern *kern, const struct kith_mat *X,
    size_t bytes, size_t threads, struct kith_pool *pool)
{
	struct kith_krows *rows = kith_new(pool, 1, sizeof(*rows));
	const size_t n = X->n;

	assert(threads >= 1);
	*rows = (struct kith_krows){.kern = kern,
	    .X = X,
	    .pool = pool,
	    .threads = threads,
	    .bytes = bytes};
	kith_krows_reserve(rows, 0);
	rows->row = kith_new(pool, n, sizeof(*rows->row));
	KITH_NEW_SIZES(pool, n + 1, 1, &rows->next, &rows->prev);
	rows->next[n] = rows->prev[n] = n;
	rows->room = kith_new(pool, threads, BLOCK * sizeof(*rows->room));
	for (size_t j = 0; j < FEW && has_few(kern, X); j++)
		rows->column[j] = kith_new(pool, n, sizeof(*rows->room));
	for (size_t i = 0; i < n; i++)
		set_columns(rows, i);
	return rows;
}

struct kith_krows *
kith_krows_of(double *K, size_t n, size_t ld, struct kith_pool *pool)
{
	struct kith_krows *rows = kith_new(pool, 1, sizeof(*rows));
	struct kith_mat *X = kith_new(pool, 1, sizeof(*X));

	X->n = n;
	*rows = (struct kith_krows){.X = X, .threads = 1, .full = true};
	rows->row = kith_new(pool, n, sizeof(*rows->row));
	for (size_t i = 0; i < n; i++)
		rows->row[i] = K + i * ld;
	return rows;
}

static void
take_out(struct kith_krows *rows, size_t i)
{
	rows->next[rows->prev[i]] = rows->next[i];
	rows->prev[rows->next[i]] = rows->prev[i];
}

static void
put_newest(struct kith_krows *rows, size_t i)
{
	const size_t n = rows->X->n;

	rows->next[i] = n;
	rows->prev[i] = rows->prev[n];
	rows->next[rows->prev[n]] = i;
	rows->prev[n] = i;
}

static size_t
blocks(const struct kith_krows *rows)
{
	return (rows->X->n + BLOCK - 1) / BLOCK;
}

static size_t
length(const struct kith_krows *rows, size_t block)
{
	const size_t left = rows->X->n - block * BLOCK;

	return left < BLOCK ? left : BLOCK;
}

KITH_CLONES static void
few_distances(double *const column[FEW], const double z[FEW], size_t from,
    size_t n, double *d)
{
	const double *x0 = column[0] + from, *x1 = column[1] + from;
	const double *x2 = column[2] + from, *x3 = column[3] + from;
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		const kith_v8d a = *(const kith_v8d_at *)(x0 + i) - z[0];
		const kith_v8d b = *(const kith_v8d_at *)(x1 + i) - z[1];
		const kith_v8d c = *(const kith_v8d_at *)(x2 + i) - z[2];
		const kith_v8d e = *(const kith_v8d_at *)(x3 + i) - z[3];

		*(kith_v8d_at *)(d + i) = (a * a + c * c) + (b * b + e * e);
	}
	for (; i < n; i++) {
		const double a = x0[i] - z[0], b = x1[i] - z[1];
		const double c = x2[i] - z[2], e = x3[i] - z[3];

		d[i] = (a * a + c * c) + (b * b + e * e);
	}
}

/* K(x_i, x_j) for m rows j from `from` on. */
static void
kernels(
    const struct kith_krows *rows, size_t i, size_t from, size_t m, double *K)
{
	double z[FEW];

	if (!rows->column[0]) {
		kith_kern_rows(rows->kern, kith_row(rows->X, i),
		    kith_row(rows->X, from), m, K);
		return;
	}
	for (size_t j = 0; j < FEW; j++)
		z[j] = rows->column[j][i];
	few_distances(rows->column, z, from, m, K);
	kith_kern_of_dist(rows->kern, m, K, 0, K);
}

static void
compute_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_krows *rows = job->rows;

	(void)thread;
	kernels(rows, job->i, block * BLOCK, length(rows, block),
	    job->to + block * BLOCK);
}

static void
compute(struct kith_krows *rows, size_t i, double *to)
{
	struct job job = {.rows = rows, .i = i, .to = to};
	const size_t work = rows->X->n * rows->X->p;

	kith_par(
	    work < LONG ? 1 : rows->threads, blocks(rows), compute_block, &job);
	rows->computed++;
}

void
kith_krows_reserve(struct kith_krows *rows, size_t bytes)
{
	const size_t n = rows->X->n,
		     left = bytes < rows->bytes ? rows->bytes - bytes : 0;
	const size_t most = n ? left / (n * sizeof(double)) : 0;

	rows->most = most > KITH_KROWS_LEAST ? most : KITH_KROWS_LEAST;
	for (; rows->held > rows->most; rows->held--) {
		const size_t oldest = rows->next[n];

		kith_grow(rows->pool, rows->row[oldest], 1, sizeof(double));
		rows->row[oldest] = NULL;
		take_out(rows, oldest);
	}
}

/* Room for another row: new, or that of the row used longest ago. */
static double *
make_room(struct kith_krows *rows)
{
	const size_t n = rows->X->n, oldest = rows->next[n];
	double *row;

	if (rows->held < rows->most) {
		rows->held++;
		return kith_new(rows->pool, n, sizeof(*row));
	}
	row = rows->row[oldest];
	rows->row[oldest] = NULL;
	take_out(rows, oldest);
	return row;
}

static void
fill_row(void *to, size_t block, size_t thread)
{
	const struct kith_krows *rows = to;

	(void)thread;
	kith_kern_rows(rows->kern, kith_row(rows->X, block), rows->X->v,
	    rows->X->n, rows->row[block]);
}

bool
kith_krows_fill(struct kith_krows *rows, size_t threads)
{
	const size_t n = rows->X->n;

	if (rows->full || rows->most < n)
		return rows->full;
	for (size_t i = 0; i < n; i++)
		if (!rows->row[i]) {
			rows->row[i] = make_room(rows);
			put_newest(rows, i);
		}
	kith_par(threads, n, fill_row, rows);
	rows->computed = n;
	rows->full = true;
	return true;
}

const double *
kith_krows_get(struct kith_krows *rows, size_t i)
{
	if (rows->full)
		return rows->row[i];
	if (!rows->row[i]) {
		double *row = make_room(rows);

		compute(rows, i, row);
		rows->row[i] = row;
		put_newest(rows, i);
	} else {
		take_out(rows, i);
		put_newest(rows, i);
	}
	return rows->row[i];
}

double
kith_krows_entry(struct kith_krows *rows, size_t i, size_t j)
{
	double K;

	if (rows->row[i])
		return rows->row[i][j];
	if (rows->row[j])
		return rows->row[j][i];
	kith_kern_rows(
	    rows->kern, kith_row(rows->X, i), kith_row(rows->X, j), 1, &K);
	return K;
}

/* u += a x, and v += b x unless v is NULL. */
KITH_CLONES static void
add(size_t n, const double *x, double a, double b, double *u, double *v)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		const kith_v8d k = *(const kith_v8d_at *)(x + i);

		*(kith_v8d_at *)(u + i) += a * k;
		if (v)
			*(kith_v8d_at *)(v + i) += b * k;
	}
	for (; i < n; i++) {
		u[i] += a * x[i];
		if (v)
			v[i] += b * x[i];
	}
}

static void
product_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_krows *rows = job->rows;
	const size_t from = block * BLOCK, m = length(rows, block);
	double *room = rows->room + thread * BLOCK;

	memset(job->u + from, 0, m * sizeof(*room));
	memset(job->v + from, 0, m * sizeof(*room));
	for (size_t i = 0; i < rows->X->n; i++) {
		const double *x = room;

		if (job->a[i] == 0 && job->b[i] == 0)
			continue;
		if (rows->row[i])
			x = rows->row[i] + from;
		else
			kernels(rows, i, from, m, room);
		add(m, x, job->a[i], job->b[i], job->u + from, job->v + from);
	}
}

void
kith_krows_product(struct kith_krows *rows, const double *a, const double *b,
    double *u, double *v)
{
	struct job job = {.rows = rows, .a = a, .b = b, .u = u, .v = v};

	kith_par(rows->threads, blocks(rows), product_block, &job);
}

void
kith_krows_add(
    struct kith_krows *rows, size_t i, double a, double b, double *u, double *v)
{
	add(rows->X->n, kith_krows_get(rows, i), a, b, u, v);
}

void
kith_krows_replace(struct kith_krows *rows, size_t i)
{
	struct kith_pool tmp = {0};
	const size_t n = rows->X->n;
	double *row = kith_new(&tmp, n, sizeof(*row));

	set_columns(rows, i);
	compute(rows, i, row);
	for (size_t j = 0; j < n; j++)
		if (rows->row[j])
			rows->row[j][i] = row[j];
	if (rows->row[i])
		memcpy(rows->row[i], row, n * sizeof(*row));
	kith_pool_free(&tmp);
}

size_t
kith_krows_computed(const struct kith_krows *rows)
{
	return rows->computed;
}
