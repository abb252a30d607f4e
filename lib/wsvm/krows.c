/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/krows.h"

#include "base/par.h"
#include "base/pool.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "wsvm/add_rows.h"
#include "wsvm/few.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum {
	BLOCK = 1024,  /* columns of a block of work */
	LONG = 1 << 18 /* n p from which a row is worth threads */
};

#define NONE SIZE_MAX

/*
 * The rows held form a ring in the order of their use, whose entry n stands
 * before the oldest and after the newest.
 */
struct kith_krows {
	const struct kith_kern *kern;
	const struct kith_mat *X;
	struct kith_pool *pool;
	size_t threads, blocks, most, held, computed;
	bool full;           /* all rows are held, and stay */
	size_t ld;           /* n, up to whole vectors */
	double *cell;        /* most x ld: the rows, in slots */
	size_t *slot;        /* n: the slot of row i; NONE: not held */
	size_t *next, *prev; /* n + 1 */
	double *room;        /* threads x BLOCK */
	size_t bytes;        /* for rows, and what is kept elsewhere */
	double *column[KITH_WSVM_FEW]; /* n: of X, where so few serve */
	/* A part: of which, and its rows there. */
	struct kith_krows *of; /* or NULL */
	const size_t *plus, *minus;
};

/* The work of threads: one row, or products with all rows. */
struct job {
	const struct kith_krows *rows;
	size_t i;
	double *to;
	const double *a, *b;
	double *u, *v;
};

/* Copy row i of X into the columns. */
static void
set_columns(struct kith_krows *rows, size_t i)
{
	for (size_t j = 0; j < KITH_WSVM_FEW && rows->column[0]; j++)
		rows->column[j][i] = j < rows->X->p ? kith_row(rows->X, i)[j]
						    : 0;
}

/* The rows that fit into so many bytes. */
static size_t
most_rows(const struct kith_krows *rows, size_t bytes)
{
	const size_t n = rows->X->n;
	const size_t fit = n ? bytes / (rows->ld * sizeof(double)) : 0;
	const size_t most = fit > KITH_KROWS_LEAST ? fit : KITH_KROWS_LEAST;

	return most < n || n == 0 ? most : n;
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
	    .blocks = (n + BLOCK - 1) / BLOCK,
	    .bytes = bytes};
	rows->ld = (n + 7) / 8 * 8;
	rows->most = most_rows(rows, bytes);
	rows->cell = kith_new(pool, rows->most, rows->ld * sizeof(*rows->cell));
	KITH_NEW_SIZES(pool, n, 1, &rows->slot);
	for (size_t i = 0; i < n; i++)
		rows->slot[i] = NONE;
	KITH_NEW_SIZES(pool, n + 1, 1, &rows->next, &rows->prev);
	rows->next[n] = rows->prev[n] = n;
	rows->room = kith_new(pool, threads, BLOCK * sizeof(*rows->room));
	for (size_t j = 0; j < KITH_WSVM_FEW && kith_wsvm_is_few(kern, X); j++)
		rows->column[j] = kith_new(pool, n, sizeof(*rows->room));
	for (size_t i = 0; i < n; i++)
		set_columns(rows, i);
	return rows;
}

struct kith_krows *
kith_krows_part(struct kith_krows *of, const size_t *plus, const size_t *minus,
    size_t n, double *cell, size_t ld, struct kith_pool *pool)
{
	struct kith_krows *rows = kith_new(pool, 1, sizeof(*rows));
	struct kith_mat *X = kith_new(pool, 1, sizeof(*X));

	assert(!of->of);
	X->n = n;
	*rows = (struct kith_krows){.X = X,
	    .threads = 1,
	    .ld = ld,
	    .cell = cell,
	    .of = of,
	    .plus = plus,
	    .minus = minus};
	KITH_NEW_SIZES(pool, n, 1, &rows->slot);
	for (size_t i = 0; i < n; i++)
		rows->slot[i] = NONE;
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
length(const struct kith_krows *rows, size_t block)
{
	const size_t left = rows->X->n - block * BLOCK;

	return left < BLOCK ? left : BLOCK;
}

/* K(x_i, x_j) for m rows j from `from` on. */
static void
kernels(
    const struct kith_krows *rows, size_t i, size_t from, size_t m, double *K)
{
	double z[KITH_WSVM_FEW];

	if (!rows->column[0]) {
		kith_kern_rows(rows->kern, kith_row(rows->X, i),
		    kith_row(rows->X, from), m, K);
		return;
	}
	for (size_t j = 0; j < KITH_WSVM_FEW; j++)
		z[j] = rows->column[j][i];
	kith_wsvm_few_distances(rows->column, z, from, m, K);
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
	    work < LONG ? 1 : rows->threads, rows->blocks, compute_block, &job);
	rows->computed++;
}

/* Let the row go that was used longest ago; its slot. */
static size_t
drop_oldest(struct kith_krows *rows)
{
	const size_t oldest = rows->next[rows->X->n], slot = rows->slot[oldest];

	rows->slot[oldest] = NONE;
	take_out(rows, oldest);
	return slot;
}

static double *
held_row(const struct kith_krows *rows, size_t i)
{
	return rows->cell + rows->slot[i] * rows->ld;
}

void
kith_krows_reserve(struct kith_krows *rows, size_t bytes)
{
	const size_t left = bytes < rows->bytes ? rows->bytes - bytes : 0;
	const size_t most = most_rows(rows, left), n = rows->X->n;
	struct kith_pool tmp = {0};
	size_t *unused, frees = 0;

	if (rows->full || most >= rows->most)
		return;
	unused = kith_new(&tmp, rows->held + 1, sizeof(*unused));
	for (; rows->held > most; rows->held--) {
		const size_t slot = drop_oldest(rows);

		if (slot < most)
			unused[frees++] = slot;
	}
	for (size_t i = 0; i < n; i++)
		if (rows->slot[i] != NONE && rows->slot[i] >= most) {
			const double *from = held_row(rows, i);

			rows->slot[i] = unused[--frees];
			memcpy(held_row(rows, i), from, n * sizeof(*from));
		}
	rows->most = most;
	rows->cell = kith_grow(
	    rows->pool, rows->cell, most, rows->ld * sizeof(*rows->cell));
	kith_pool_free(&tmp);
}

/* A slot for another row: a new one, or that of the row used longest ago. */
static size_t
find_slot(struct kith_krows *rows)
{
	return rows->held < rows->most ? rows->held++ : drop_oldest(rows);
}

static void
fill_row(void *to, size_t block, size_t thread)
{
	const struct kith_krows *rows = to;

	(void)thread;
	kernels(rows, block, 0, rows->X->n, held_row(rows, block));
}

bool
kith_krows_fill(struct kith_krows *rows, size_t threads)
{
	const size_t n = rows->X->n;

	if (rows->full || rows->most < n)
		return rows->full;
	for (size_t i = 0; i < n; i++)
		if (rows->slot[i] == NONE) {
			rows->slot[i] = find_slot(rows);
			put_newest(rows, i);
		}
	kith_par(threads, n, fill_row, rows);
	rows->computed = n;
	rows->full = true;
	return true;
}

/* Row i of a kernel that is no part. */
static const double *
own_row(struct kith_krows *rows, size_t i)
{
	if (rows->full)
		return held_row(rows, i);
	if (rows->slot[i] == NONE) {
		const size_t slot = find_slot(rows);

		compute(rows, i, rows->cell + slot * rows->ld);
		rows->slot[i] = slot;
	} else {
		take_out(rows, i);
	}
	put_newest(rows, i);
	return held_row(rows, i);
}

/* Row i of a part: K_++ [- K_+- - K_-+ + K_--]. */
static void
take_part(const struct kith_krows *rows, size_t i, double *to)
{
	const size_t *plus = rows->plus, *minus = rows->minus, n = rows->X->n;
	const double *K = own_row(rows->of, plus[i]);

	for (size_t c = 0; c < n; c++)
		to[c] = K[plus[c]];
	if (!minus)
		return;
	for (size_t c = 0; c < n; c++)
		to[c] -= K[minus[c]];
	K = own_row(rows->of, minus[i]);
	for (size_t c = 0; c < n; c++)
		to[c] -= K[plus[c]] - K[minus[c]];
}

const double *
kith_krows_get(struct kith_krows *rows, size_t i)
{
	if (!rows->of)
		return own_row(rows, i);
	if (rows->slot[i] == NONE) {
		rows->slot[i] = rows->held++; /* there is room for all */
		take_part(rows, i, held_row(rows, i));
	}
	return held_row(rows, i);
}

double
kith_krows_entry(struct kith_krows *rows, size_t i, size_t j)
{
	double K;

	if (rows->slot[i] != NONE)
		return held_row(rows, i)[j];
	if (rows->slot[j] != NONE)
		return held_row(rows, j)[i];
	kith_kern_rows(
	    rows->kern, kith_row(rows->X, i), kith_row(rows->X, j), 1, &K);
	return K;
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
		if (rows->slot[i] != NONE)
			x = held_row(rows, i) + from;
		else
			kernels(rows, i, from, m, room);
		kith_wsvm_add_row(
		    m, x, job->a[i], job->b[i], job->u + from, job->v + from);
	}
}

void
kith_krows_product(struct kith_krows *rows, const double *a, const double *b,
    double *u, double *v)
{
	struct job job = {.rows = rows, .a = a, .b = b, .u = u, .v = v};

	kith_par(rows->threads, rows->blocks, product_block, &job);
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
		if (rows->slot[j] != NONE)
			held_row(rows, j)[i] = row[j];
	if (rows->slot[i] != NONE)
		memcpy(held_row(rows, i), row, n * sizeof(*row));
	kith_pool_free(&tmp);
}

size_t
kith_krows_computed(const struct kith_krows *rows)
{
	return rows->computed;
}

size_t
kith_krows_count(const struct kith_krows *rows)
{
	return rows->X->n;
}

size_t
kith_krows_room(const struct kith_krows *rows)
{
	return rows->most;
}
