/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. What is left of the diagonal, d, is that of K.
 * 2. BLOCK rows are taken where multiples of the golden section fall on the sum of
 *    d, each row once.
 * 3. Their columns of E are those of K less G G'.
 * 4. The square of these rows in them is factored, R'R; rows that depend on others
 *    are left out.
 * 5. The columns times R^-1 are new ones of G, and d loses their squares.
 * 6. From 2, until the sum of d is small enough, or G is full.
 */
#include "knife/rank.h"

#include "base/pool.h"
#include "knife/gram.h"
#include "knife/tiles.h"
#include "la/blas.h"
#include "la/chol.h"
#include "la/chol_extend.h"
#include "la/spd.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 };

#define GOLDEN 0.6180339887498949
#define DEPENDS 1e-8 /* of what is left of a row: it depends on others */
#define SMALL 1e-12  /* of the trace of K: rounding */

struct search {
	const struct kith_knife_state *state;
	struct kith_knife_rank out;
	size_t most, draws;
	double *left;      /* n: d */
	size_t row[BLOCK]; /* of a block */
	double *C, *T;     /* n x BLOCK */
	double *square;    /* BLOCK x BLOCK */
	double *inverse;   /* BLOCK x BLOCK: R^-1 */
	double *pivot;     /* BLOCK x most: rows of G */
};

/* The row on which a part of the sum of d falls. */
static size_t
row_at(const struct search *s, double part)
{
	const size_t n = s->state->n;
	size_t i = 0, last = 0;

	for (; i < n; i++) {
		part -= s->left[i];
		if (s->left[i] > 0)
			last = i;
		if (part < 0 && s->left[i] > 0)
			return i;
	}
	return last;
}

/* Take rows of a block; how many. */
static size_t
choose(struct search *s)
{
	size_t m = 0;

	for (size_t k = 0; k < BLOCK; k++) {
		const double at = fmod((double)++s->draws * GOLDEN, 1);
		const size_t i = row_at(s, at * s->out.trace);
		bool taken = false;

		for (size_t l = 0; l < m; l++)
			taken = taken || s->row[l] == i;
		if (!taken)
			s->row[m++] = i;
	}
	return m;
}

/* The columns of E of m rows; C is n x m. */
static void
find_columns(struct search *s, size_t m)
{
	const size_t n = s->state->n, r = s->out.r;

	if (s->state->tiled)
		kith_knife_tiles_columns(s->state, m, s->row, s->C);
	else
		kith_knife_columns(s->state, m, s->row, s->C);
	if (r == 0)
		return;
	for (size_t l = 0; l < m; l++)
		memcpy(s->pivot + l * r, s->out.G + s->row[l] * s->most, r * sizeof(*s->pivot));
	kith_blas_rows(n, m, r, s->out.G, s->most, s->pivot, r, s->T, m);
	for (size_t k = 0; k < n * m; k++)
		s->C[k] -= s->T[k];
}

/* Column b of R^-1 (m x m), by substitution. */
static void
invert(const struct kith_chol *chol, double *inverse)
{
	const size_t m = chol->n;

	memset(inverse, 0, m * m * sizeof(*inverse));
	for (size_t b = 0; b < m; b++)
		for (size_t i = b + 1; i-- > 0;) {
			double sum = i == b;

			for (size_t l = i + 1; l <= b; l++)
				sum -= chol->R[i * chol->ld + l] * inverse[l * m + b];
			inverse[i * m + b] = sum / chol->pivot[i];
		}
}

/* Factor the square of m rows, and keep those columns in front; how many. */
static size_t
factor(struct search *s, size_t m)
{
	struct kith_pool tmp = {0};
	const size_t n = s->state->n;
	struct kith_chol chol = kith_chol_new(m, &tmp);
	size_t index[BLOCK], kept;

	for (size_t a = 0; a < m; a++) {
		index[a] = a;
		memcpy(s->square + a * m, s->C + s->row[a] * m, m * sizeof(*s->square));
	}
	kept = kith_chol_factor(&chol, s->square, m, index, m, DEPENDS);
	invert(&chol, s->inverse);
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < kept; l++)
			s->T[i * kept + l] = s->C[i * m + index[l]];
	kith_pool_free(&tmp);
	return kept;
}

/* The new columns of G, and what they leave of d. */
static void
append(struct search *s, size_t kept)
{
	const size_t n = s->state->n;

	kith_blas_product(n, kept, kept, s->T, s->inverse, s->C);
	for (size_t i = 0; i < n; i++) {
		const double *g = s->C + i * kept;

		memcpy(s->out.G + i * s->most + s->out.r, g, kept * sizeof(*g));
		s->left[i] = fmax(0, s->left[i] - kith_vec_dot(kept, g, g));
	}
	s->out.r += kept;
	s->out.trace = kith_vec_sum(n, s->left);
}

/* Rows of G move together. */
static void
close_up(struct search *s)
{
	for (size_t i = 1; i < s->state->n; i++)
		memmove(
		    s->out.G + i * s->out.r, s->out.G + i * s->most, s->out.r * sizeof(*s->out.G));
}

struct kith_knife_rank
kith_knife_rank_find(
    const struct kith_knife_state *state, double enough, size_t most, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = state->n;
	struct search s = {.state = state};
	double all;

	s.most = most;
	s.out.G = kith_new(pool, n, (s.most + 1) * sizeof(*s.out.G));
	s.left = kith_new(&tmp, n, sizeof(*s.left));
	KITH_NEW_REALS(&tmp, n, BLOCK, &s.C, &s.T);
	KITH_NEW_REALS(&tmp, BLOCK, BLOCK, &s.square, &s.inverse);
	s.pivot = kith_new(&tmp, BLOCK, (s.most + 1) * sizeof(*s.pivot));
	for (size_t i = 0; i < n; i++)
		s.left[i] = kith_knife_own(state, i);
	all = s.out.trace = kith_vec_sum(n, s.left);
	while (s.out.trace > fmax(enough, SMALL * all) && s.out.r + BLOCK <= s.most) {
		const size_t m = choose(&s);
		size_t kept;

		find_columns(&s, m);
		kept = factor(&s, m);
		if (kept == 0)
			break;
		append(&s, kept);
	}
	close_up(&s);
	kith_pool_free(&tmp);
	return s.out;
}

double *
kith_knife_rank_factor(const struct kith_knife_state *state, const struct kith_knife_rank *rank,
    const double *s, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = state->n, r = rank->r;
	double *R = kith_new(pool, r, (r + 1) * sizeof(*R));
	double *B = kith_new(&tmp, KITH_KNIFE_TILE, (r + 1) * sizeof(*B));

	for (size_t block = 0; block < kith_knife_tiles(n) && r > 0; block++) {
		size_t first;
		const size_t last = kith_knife_tile(n, block, &first);

		for (size_t i = first; i < last; i++)
			for (size_t l = 0; l < r; l++)
				B[(i - first) * r + l] = s[i] * rank->G[i * r + l];
		kith_blas_gram(last - first, r, 1, B, r, R);
	}
	for (size_t l = 0; l < r; l++)
		R[l * r + l] += 2 * state->problem->lambda1;
	kith_pool_free(&tmp);
	if (!kith_spd_factor(r, R))
		return NULL;
	return R;
}

void
kith_knife_rank_solve(const struct kith_knife_state *state, const struct kith_knife_rank *rank,
    const double *s, const double *R, double *x)
{
	struct kith_pool tmp = {0};
	const size_t n = state->n, r = rank->r;
	const double two = 2 * state->problem->lambda1;
	double *t = kith_new(&tmp, r + 1, sizeof(*t));
	double *u = kith_new(&tmp, n, sizeof(*u));

	/* (x - S G (2 lambda1 I + G' S^2 G)^-1 G' S x) / (2 lambda1) */
	for (size_t i = 0; i < n; i++)
		u[i] = s[i] * x[i];
	if (r > 0) {
		kith_blas_turned(n, r, rank->G, r, u, t);
		kith_spd_solve(r, 1, R, t);
		kith_blas_times(n, r, rank->G, r, t, u);
	}
	for (size_t i = 0; i < n; i++)
		x[i] = (x[i] - (r > 0 ? s[i] * u[i] : 0)) / two;
	kith_pool_free(&tmp);
}
