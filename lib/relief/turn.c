/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With G_ij = df / dd_ij the gradient by A is
 *
 *	2 sum_ij G_ij (z_i - z_j) (x_i - x_j)' = 2 sum_i m_i x_i',
 *	m_i = sum_j (G_ij + G_ji) (z_i - z_j)
 *
 * 1. Turn all rows.  Where each has a list of the rows near it (turn_near.h), see
 *    the rows of these lists, and go to 5; a list that lacks some is of no use.
 * 2. Stripe by stripe, BLOCK rows i at a time: the exponents
 *    e_ij = 2 z_i'z_j - |z_j|^2 = |z_i|^2 - d_ij in one product; a row's
 *    largest is that of its nearest row.
 * 3. Rows whose e_ij falls short of it by more than GONE have p_ij below
 *    rounding, and are left out.  Where few are left, add up G_ij (z_i - z_j)
 *    one by one, else of the whole block by two products.
 * 4. Lists are made, where they have been of use or it is time to try.
 * 5. Add up the stripes, and multiply by X.
 */
#include "relief/turn.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/blas.h"
#include "la/transpose.h"
#include "la/vec.h"
#include "near/by_class.h"
#include "near/kth.h"
#include "relief/turn_exps.h"
#include "relief/turn_near.h"
#include "relief/turn_row.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
	BLOCK = KITH_RELIEF_BLOCK,
	STRIPES = 8, /* at most, of FOUR blocks at least */
	FOUR = 4,
	LEAST = 64,   /* rows of A, and */
	WHOLE = 3072, /* rows whose exponents are all kept: half the work */
	LACKING = 8,  /* one in so many may have a list that lacks rows */
	FEW = 6       /* one in so many neighbours counts: one by one */
};

/* Products lose more than distances bear where |z|^2 is beyond it. */
static const double FAR = 1e8;

/* What the rows of a stripe need. */
struct stripe {
	struct kith_relief_turn *turn;
	struct kith_relief_turn_room in;
	double size; /* the largest |z|^2 */
	double *M;   /* n x room, sums of the stripe */
	bool near;   /* the rows near it are in lists */
	bool far;    /* distances are found one by one */
	bool lost;   /* there is a row whose list lacks some */
};

void
kith_relief_turn_new(struct kith_relief_turn *turn, struct kith_pool *pool)
{
	const struct kith_by_class *s = turn->s;
	const size_t n = s->X.n, p = s->X.p, blocks = (n + BLOCK - 1) / BLOCK;
	const size_t stripes = (blocks + FOUR - 1) / FOUR;

	turn->room = (turn->r + 1 + 7) / 8 * 8;
	turn->stripes = stripes < STRIPES ? stripes : STRIPES;
	KITH_NEW_REALS(pool, n, p, &turn->X);
	KITH_NEW_REALS(pool, n, turn->room, &turn->Z);
	turn->M = kith_new(
	    pool, turn->stripes * n, turn->room * sizeof(double));
	turn->part = kith_new(pool, turn->stripes, sizeof(double));
	turn->some = kith_new(pool, blocks, sizeof(*turn->some));
	turn->many = kith_new(pool, n, sizeof(*turn->many));
	turn->lost = kith_new(pool, turn->stripes, sizeof(*turn->lost));
	turn->E = n > WHOLE || turn->r < LEAST
	    ? NULL
	    : kith_new(pool, n, n * sizeof(double));
	turn->each = kith_new(pool, turn->threads, sizeof(*turn->each));
	for (size_t l = 0; l < turn->threads; l++) {
		struct kith_relief_turn_room *in = &turn->each[l];

		KITH_NEW_REALS(pool, BLOCK, turn->room, &in->B, &in->U);
		KITH_NEW_REALS(pool, BLOCK, n, &in->E);
		KITH_NEW_REALS(pool, n + 1, 1, &in->G, &in->col, &in->e);
		KITH_NEW_REALS(pool, n / KITH_RELIEF_CHUNK + 1, 1, &in->chunk);
		KITH_NEW_SIZES(pool, n + 1, 1, &in->at);
		in->v = kith_new(pool, kith_knn_widen(n), sizeof(*in->v));
	}
	for (size_t a = 0; a < p; a++) {
		double mean = 0;

		for (size_t i = 0; i < n; i++)
			mean += kith_row(&s->X, i)[a] / (double)n;
		for (size_t i = 0; i < n; i++)
			turn->X[i * p + a] = kith_row(&s->X, i)[a] - mean;
	}
	turn->total = turn->weight ? kith_vec_sum(n, turn->weight) : (double)n;
	turn->log_weight = kith_new(pool, n, sizeof(double));
	for (size_t i = 0; turn->weight && i < n; i++)
		turn->log_weight[i] = log(turn->weight[i]);
	kith_relief_turn_near_new(turn, pool);
	turn->wild = 1;
	for (size_t i = 0; turn->t && i < n; i++)
		turn->wild = fmax(turn->wild, 8 * turn->t[i] * turn->t[i]);
}

/* G of row i as a row of a matrix, those that are left out 0. */
static void
spread(const struct stripe *it, size_t i, double *e)
{
	const struct kith_relief_turn_room *in = &it->in;
	double sum = 0;

	memset(e, 0, it->turn->s->X.n * sizeof(*e));
	for (size_t l = 0; l < in->left; l++) {
		e[in->at[l]] = in->G[l];
		in->col[in->at[l]] += in->G[l];
		sum += in->G[l];
	}
	in->col[i] += sum;
}

/* See row i, whose exponents are e; whether e has become its G. */
static bool
see(struct stripe *it, size_t i, double *e, double *value)
{
	const struct kith_relief_turn *turn = it->turn;
	const bool making = turn->near.now == KITH_RELIEF_NEAR_MADE;

	if (making && !it->lost)
		kith_relief_turn_near_make(turn, i, e, &it->in);
	*value += kith_relief_turn_row(turn, i, it->far, e, &it->in);
	if (making && it->in.left > turn->near.k / 2)
		it->lost = true;
	if (it->in.left * FEW > turn->s->X.n) {
		spread(it, i, e);
		return true;
	}
	kith_relief_turn_few(turn, i, &it->in, it->M);
	return false;
}

/* See the rows from..end-1 by their lists, or some of them one by one. */
static double
see_near(struct stripe *it, size_t from, size_t end)
{
	const struct kith_relief_turn *turn = it->turn;
	size_t more = (end - from) / LACKING;
	double value = 0;

	for (size_t i = from; i < end && !it->lost; i++) {
		double one = 0;

		if (!kith_relief_turn_row_near(turn, i, &it->in, &one)) {
			it->lost = more == 0;
			if (it->lost)
				break;
			more--;
			one = kith_relief_turn_row(
			    turn, i, true, it->in.e, &it->in);
		}
		value += one;
		kith_relief_turn_few(turn, i, &it->in, it->M);
	}
	return value;
}

/* The rows from..from+m-1: what they add. */
static double
see_block(struct stripe *it, size_t from, size_t m)
{
	const struct kith_relief_turn *turn = it->turn;
	const size_t n = turn->s->X.n, room = turn->room;
	double *E = turn->E ? turn->E + from * n : it->in.E, value = 0;
	bool *many = turn->many + from, some = false;

	if (!turn->E && !it->far)
		kith_relief_turn_exps(turn, &it->in, from, m, E);
	for (size_t q = 0; q < m; q++) {
		many[q] = see(it, from + q, E + q * n, &value);
		some = some || many[q];
	}
	turn->some[from / BLOCK] = some;
	if (!some || turn->E)
		return value;
	for (size_t q = 0; q < m; q++)
		if (!many[q])
			memset(E + q * n, 0, n * sizeof(*E));
	kith_blas_product(m, room, n, E, turn->Z, it->in.U);
	for (size_t a = 0; a < m * room; a++)
		it->M[from * room + a] -= it->in.U[a];
	kith_blas_add_turned(m, n, room, -1, E, turn->Z + from * room, it->M);
	return value;
}

/* The same for blocks. */
static double
see_blocks(struct stripe *it, size_t from, size_t end)
{
	const size_t n = it->turn->s->X.n;
	double value = 0;

	for (size_t b = from; b < end; b++) {
		const size_t left = n - b * BLOCK;

		value += see_block(it, b * BLOCK, left < BLOCK ? left : BLOCK);
	}
	return value;
}

static void
see_stripe(void *to, size_t stripe, size_t thread)
{
	struct stripe it = *(struct stripe *)to;
	struct kith_relief_turn *turn = it.turn;
	const size_t n = turn->s->X.n, room = turn->room;
	const size_t blocks = (n + BLOCK - 1) / BLOCK;
	const size_t from = stripe * blocks / turn->stripes;
	const size_t end = (stripe + 1) * blocks / turn->stripes;
	const size_t last = end * BLOCK < n ? end * BLOCK : n;

	it.in = turn->each[thread];
	memset(it.in.col, 0, n * sizeof(*it.in.col));
	it.M = turn->M + stripe * n * room;
	memset(it.M, 0, n * room * sizeof(*it.M));
	turn->part[stripe] = it.near ? see_near(&it, from * BLOCK, last)
				     : see_blocks(&it, from, end);
	turn->lost[stripe] = it.lost;
	for (size_t i = 0; i < n; i++)
		for (size_t a = 0; a < room && it.in.col[i] != 0; a++)
			it.M[i * room + a] += it.in.col[i] *
			    turn->Z[i * room + a];
}

/* See all rows; whether all that had or made lists found them complete. */
static bool
see_all(struct stripe *it)
{
	struct kith_relief_turn *turn = it->turn;
	bool lost = false;

	kith_par(turn->threads, turn->stripes, see_stripe, it);
	for (size_t b = 0; b < turn->stripes; b++)
		lost = lost || turn->lost[b];
	return !lost;
}

/* The squares of turned rows behind them; the largest of these. */
static double
square_rows(struct kith_relief_turn *turn)
{
	const size_t n = turn->s->X.n, r = turn->r;
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		double *z = turn->Z + i * turn->room, sum = 0;

		for (size_t a = 0; a < r; a++)
			sum += z[a] * z[a];
		z[r] = sum;
		if (!(sum <= most)) /* NaN, too */
			most = sum;
	}
	return most;
}

/* Turn all rows, their squares behind them; the largest of these. */
static double
turn_rows(struct kith_relief_turn *turn, const double *A)
{
	const size_t n = turn->s->X.n, p = turn->s->X.p, r = turn->r;

	kith_blas_rows(n, r, p, turn->X, p, A, p, turn->Z, turn->room);
	return square_rows(turn);
}

static void
clear_squares(struct kith_relief_turn *turn)
{
	for (size_t i = 0; i < turn->s->X.n; i++)
		turn->Z[i * turn->room + turn->r] = 0;
}

/* M loses (G + G') Z, for the rows of a block. */
static void
add_whole(void *to, size_t block, size_t thread)
{
	const struct stripe *it = to;
	const struct kith_relief_turn *turn = it->turn;
	const struct kith_relief_turn_room *in = &turn->each[thread];
	const size_t n = turn->s->X.n, room = turn->room, from = block * BLOCK;
	const size_t m = n - from < BLOCK ? n - from : BLOCK;
	double *M = turn->M + from * room;

	kith_transpose(n, m, turn->E + from, n, in->E, n);
	for (size_t k = 0; k < m * n; k++)
		in->E[k] += turn->E[from * n + k];
	kith_blas_product(m, room, n, in->E, turn->Z, in->U);
	for (size_t a = 0; a < m * room; a++)
		M[a] -= in->U[a];
}

/* Where all of G is kept: the products with it. */
static void
see_whole(struct stripe *it)
{
	const struct kith_relief_turn *turn = it->turn;
	const size_t n = turn->s->X.n, blocks = (n + BLOCK - 1) / BLOCK;
	bool some = false;

	for (size_t b = 0; b < blocks; b++)
		some = some || turn->some[b];
	if (!some)
		return;
	for (size_t i = 0; i < n; i++)
		if (!turn->many[i])
			memset(turn->E + i * n, 0, n * sizeof(*turn->E));
	kith_par(turn->threads, blocks, add_whole, it);
}

/* By lists, or of all. */
static void
see_rows(struct stripe *it)
{
	struct kith_relief_turn *turn = it->turn;

	it->near = kith_relief_turn_near_begin(turn, it->far, it->size);
	if (it->near) {
		clear_squares(turn);
		if (kith_relief_turn_near_end(turn, see_all(it)))
			return;
		square_rows(turn);
		it->near = kith_relief_turn_near_begin(turn, it->far, it->size);
	}
	if (turn->E && !it->far)
		kith_relief_turn_exps_all(turn);
	kith_relief_turn_near_end(turn, see_all(it));
	if (turn->E)
		see_whole(it);
}

double
kith_relief_turn_value(void *to, const double *A, double *g)
{
	struct kith_relief_turn *turn = to;
	struct kith_pool tmp = {0};
	const size_t n = turn->s->X.n, p = turn->s->X.p, room = turn->room;
	const double most = turn_rows(turn, A);
	struct stripe it = {.turn = turn, .size = most};
	double *C, value = 0;

	memset(g, 0, turn->r * p * sizeof(*g));
	if (!isfinite(most * 4))
		return turn->wild;
	it.far = most > FAR;
	if (it.far)
		clear_squares(turn);
	see_rows(&it);
	for (size_t b = 0; b < turn->stripes; b++) {
		value += turn->part[b];
		for (size_t a = 0; b > 0 && a < n * room; a++)
			turn->M[a] += turn->M[b * n * room + a];
	}
	C = kith_new(&tmp, room, p * sizeof(*C));
	kith_blas_add_turned(n, room, p, 2, turn->M, turn->X, C);
	memcpy(g, C, turn->r * p * sizeof(*g));
	kith_pool_free(&tmp);
	return value;
}
