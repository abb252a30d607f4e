/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nodes are eliminated in the given order.  With the weights w, the weight s to
 * all that is out (loads among it), and b, the same times the values there:
 *
 * 1. d_i = sum_{j later} w_ij + s_i, all terms positive.
 * 2. The neighbours of i that come later are joined: w_jk += w_ij w_ik / d_i,
 *    s_j += w_ij s_i / d_i, b_j += w_ij b_i / d_i.
 * 3. Backward, x_i = (sum_{j later} w_ij x_j + b_i) / d_i.
 *
 * Column i of the factor has the w_ij of later j.  It is made when i's turn
 * comes, from the columns before it that have an entry for i; these are in a
 * list, which each column joins at the place of its next entry.
 *
 * The error: x is a ratio of two sums of products of the numbers of step 2, in
 * which each node has one factor at most (the matrix tree theorem).  So a
 * relative change by delta of all that the elimination of a node with m later
 * neighbours gives changes x by (m + 1) delta at most in either sum; delta is
 * (m + 4) times the unit roundoff.
 *
 * Products that are too small for a long double count as LEAST.  A d_i is the
 * conductance from a node to all that is left, and much larger; x_i is a mean,
 * with the weights of its row, of the values that are given.  So LEAST / d_i for
 * each product, and for each node on the way back, is what that changes.
 */
#include "solve/gth.h"

#include "base/pool.h"
#include "base/progress.h"
#include "solve/mmat.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static const uint32_t NONE = UINT32_MAX;
static const long double LEAST = LDBL_MIN;

struct run {
	const struct kith_mmat *A;
	const struct kith_gth_how *how;
	size_t c, ld;
	const double *X;
	uint32_t *place;      /* n: of each node in the order, or NONE */
	size_t *start, *next; /* m + 1, m: of the columns */
	uint32_t *row;        /* increasing in a column */
	long double *w;       /* of the entries */
	size_t room_row, room_w;
	uint32_t *head, *link;  /* m: lists of columns */
	long double *d, *s, *b; /* m, m, m x c */
	long double *sum;       /* m: the column that is made */
	uint32_t *met;          /* its rows */
	bool *is_met;           /* m */
	size_t n_met;
	double terms;
	bool lost;         /* products were too small */
	long double least; /* of all d */
	struct kith_pool pool;
};

static void
meet(struct run *r, uint32_t j, long double w)
{
	if (!r->is_met[j])
		r->met[r->n_met++] = j;
	r->is_met[j] = true;
	r->sum[j] += w;
}

/* The product of a weight and a share, which are above 0. */
static long double
product(struct run *r, long double w, long double share)
{
	const long double x = w * share;

	if (x < LEAST && w > 0) {
		r->lost = true;
		return LEAST;
	}
	return x;
}

/* What the graph says of the node at place j. */
static void
take_node(struct run *r, uint32_t j)
{
	const struct kith_mmat *A = r->A;
	const size_t i = r->how->order[j];
	long double *b = r->b + j * r->c;

	r->s[j] += A->load ? A->load[i] : 0;
	if (r->how->source)
		r->how->source(r->how->to, i, b);
	for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
		const size_t to = A->column[e];
		const long double w = A->w[e];

		if (A->out[to]) {
			r->s[j] += w;
			for (size_t k = 0; k < r->c; k++)
				b[k] += w * r->X[to * r->ld + k];
		} else if (r->place[to] > j) {
			meet(r, r->place[to], w);
		}
	}
}

/* Put column i into the list of its next row. */
static void
file(struct run *r, uint32_t i)
{
	if (r->next[i] < r->start[i + 1]) {
		const uint32_t at = r->row[r->next[i]];

		r->link[i] = r->head[at];
		r->head[at] = i;
	}
}

/* Step 2 for node j, of all columns before it that have an entry for it. */
static void
take_columns(struct run *r, uint32_t j)
{
	for (uint32_t i = r->head[j], after; i != NONE; i = after) {
		const size_t e = r->next[i]++;
		const long double share = r->w[e] / r->d[i];

		after = r->link[i];
		for (size_t l = e + 1; l < r->start[i + 1]; l++)
			meet(r, r->row[l], product(r, r->w[l], share));
		r->s[j] += product(r, r->s[i], share);
		for (size_t k = 0; k < r->c; k++)
			r->b[j * r->c + k] += share * r->b[i * r->c + k];
		file(r, i);
	}
}

static int
by_number(const void *a, const void *b)
{
	const uint32_t *s = a, *t = b;

	return *s < *t ? -1 : *s > *t;
}

/* Keep the column that was made, and step 1. */
static void
keep(struct run *r, uint32_t j)
{
	const size_t n = r->start[j], m = r->n_met;

	qsort(r->met, m, sizeof(*r->met), by_number);
	r->d[j] = r->s[j];
	for (size_t l = 0; l < m; l++) {
		const uint32_t at = r->met[l];

		r->row = kith_more(&r->pool, r->row, n + l, &r->room_row, sizeof(*r->row));
		r->w = kith_more(&r->pool, r->w, n + l, &r->room_w, sizeof(*r->w));
		r->row[n + l] = at;
		r->w[n + l] = r->sum[at];
		r->d[j] += r->sum[at];
		r->sum[at] = 0;
		r->is_met[at] = false;
	}
	r->least = fminl(r->least, r->d[j]);
	r->n_met = 0;
	r->start[j + 1] = n + m;
	r->next[j] = n;
	r->terms += ((double)m + 2) * ((double)m + 6);
	file(r, j);
}

/* Step 3. */
static void
go_back(struct run *r, double *X)
{
	for (size_t j = r->how->m; j-- > 0;) {
		long double *b = r->b + j * r->c;

		for (size_t e = r->start[j]; e < r->start[j + 1]; e++)
			for (size_t k = 0; k < r->c; k++)
				b[k] += r->w[e] * r->b[r->row[e] * r->c + k];
		for (size_t k = 0; k < r->c; k++) {
			b[k] /= r->d[j];
			X[r->how->order[j] * r->ld + k] = (double)b[k];
		}
	}
}

static void
begin(struct run *r)
{
	const size_t m = r->how->m;

	r->place = kith_new(&r->pool, r->A->n, sizeof(*r->place));
	for (size_t i = 0; i < r->A->n; i++)
		r->place[i] = NONE;
	for (size_t j = 0; j < m; j++)
		r->place[r->how->order[j]] = (uint32_t)j;
	r->start = kith_new(&r->pool, m + 1, sizeof(*r->start));
	r->next = kith_new(&r->pool, m, sizeof(*r->next));
	r->head = kith_new(&r->pool, m, sizeof(*r->head));
	r->link = kith_new(&r->pool, m, sizeof(*r->link));
	for (size_t j = 0; j < m; j++)
		r->head[j] = NONE;
	r->d = kith_new(&r->pool, m, sizeof(*r->d));
	r->s = kith_new(&r->pool, m, sizeof(*r->s));
	r->b = kith_new(&r->pool, m * r->c, sizeof(*r->b));
	r->sum = kith_new(&r->pool, m, sizeof(*r->sum));
	r->met = kith_new(&r->pool, m, sizeof(*r->met));
	r->is_met = kith_new(&r->pool, m, sizeof(*r->is_met));
}

int
kith_gth(const struct kith_mmat *A, const struct kith_gth_how *how, size_t c, size_t ld, double *X,
    struct kith_gth_error *error)
{
	struct run r = {.A = A, .how = how, .c = c, .ld = ld, .X = X, .least = INFINITY};
	int got = 0;

	begin(&r);
	kith_progress_phase("elimination", how->m, "rows");
	for (size_t j = 0; j < how->m && got == 0; j++) {
		take_node(&r, (uint32_t)j);
		take_columns(&r, (uint32_t)j);
		if ((double)(r.start[j] + r.n_met) > how->entries)
			got = -1;
		else
			keep(&r, (uint32_t)j);
		kith_progress_add(1);
	}
	kith_progress_end();
	if (got == 0)
		go_back(&r, X);
	error->relative = 2 * r.terms * (double)LDBL_EPSILON;
	error->absolute = 0;
	if (r.lost)
		error->absolute = DBL_MIN + (double)(LEAST / r.least * r.terms * how->m);
	kith_pool_free(&r.pool);
	return got;
}
