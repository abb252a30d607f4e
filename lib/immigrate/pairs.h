/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/pairs - internal: distances and softmax weights of all pairs of rows, and the gradient
 * and closed form that are made of them.
 */
#ifndef KITH_IMMIGRATE_PAIRS_H
#define KITH_IMMIGRATE_PAIRS_H

#include "immigrate/immigrate.h"
#include "immigrate/kernels.h"

enum { KITH_FEW_FEATURES = 24 }; /* up to so many features own loops are faster than BLAS */

/*
 * Rows sorted by class, so that the hits of a row are a range without the row.  X is divided by the
 * power of two above the largest range of a feature, so that squares of any data fit a double;
 * constant features are 0.
 */
struct kith_immigrate_data {
	size_t n, p, c;
	size_t ld;       /* p rounded up to a multiple of 8 */
	double *X;       /* n x ld, 0 from column p on */
	size_t tiles;    /* n / KITH_TILE, rounded up */
	double *columns; /* tiles x p x KITH_TILE: X by features within each tile */
	size_t *y;       /* n classes, increasing */
	size_t *start;   /* c + 1: first row of each class */
	size_t *row;     /* n: which of the rows given */
	double *weight;  /* n */
	double total;    /* sum of weight */
	int exponent;    /* X was divided by 2^exponent */
};

struct kith_immigrate_data kith_immigrate_prepare(
    const struct kith_immigrate_rows *rows, struct kith_pool *pool);

/* The first of: diagonal, a small matrix, a factor. */
struct kith_pair_metric {
	const double *w; /* p: d = sum_j w_j D_j, or w_j D_j^2 */
	bool squared;
	const double *W;        /* p x p, p <= KITH_FEW_FEATURES: d = D' W D, W being symmetric */
	const double *R, *sign; /* d = sum_i sign_i (R_i' D)^2, R being p x r, rows ld apart */
	size_t r;               /* a multiple of 8; 0: d = 0 */
};

struct kith_pairs {
	struct kith_immigrate_data data;
	int exponent; /* a distance here is the distance of the caller's rows / 2^exponent */
	double sigma; /* in units of the distances; may be infinite */
	double skip;  /* kith_pairs_weights() takes |c| <= skip for 0 */
	size_t threads;
	struct kith_pair_metric metric;
	double *store; /* pairs of tiles I <= J, row by row, each 64 x 64; NULL: computed anew */
	double *from, *to; /* stores at both ends of a line, or NULL */
	double g, norm;    /* the place on the line */
	double *V;         /* n x c, of the rows given: what kith_pairs_expected() writes */
	/* n each: over the misses of each row, and over its hits, or { .sum = 1, .above = INFINITY }
	   of a row without hits. */
	struct kith_softmax *side[2];
	struct kith_pair_scratch *scratch; /* one for each thread */
};

/* The expected distance; INFINITY without rows. */
static inline double
kith_softmax_mean(const struct kith_softmax *s)
{
	return s->least + s->above / s->sum;
}

/* line: make room for distances along a line.  Everything is in the pool. */
struct kith_pairs *kith_pairs_new(const struct kith_immigrate_rows *rows, double sigma, bool matrix,
    bool line, size_t threads, struct kith_pool *pool);

/* Compute all distances of pairs->metric, and the softmax. */
void kith_pairs_update(struct kith_pairs *pairs);

/*
 * Distances are linear in W: begin a line at the distances in the store that ends at those of
 * pairs->metric, then go to (from + g (to - from)) / norm in O(n^2).
 */
void kith_pairs_begin_line(struct kith_pairs *pairs);
void kith_pairs_go(struct kith_pairs *pairs, double g, double norm);

/* The two parts of F: sum_n t_n (least hit - least miss), and the logarithms without sigma. */
void kith_pairs_cost(const struct kith_pairs *pairs, long double *distance, long double *logs);
/* sum_n (entropy(beta) - entropy(alpha)); NaN where exp(-d/sigma) or a share of it is 0. */
double kith_pairs_entropy(const struct kith_pairs *pairs);

/* V (n x c, of the rows given): the expected distance of each row from each class. */
void kith_pairs_expected(struct kith_pairs *pairs, double *V);

/*
 * c (64 x 64) for the pairs i < j of tiles I <= J: t_i alpha_ij + t_j alpha_ji of hits, minus the
 * same with beta of misses; 0 elsewhere.  Returns how many are not 0.
 */
size_t kith_pairs_weights(
    const struct kith_pairs *pairs, size_t I, size_t J, size_t thread, double *c);

/* The number of rows of tile I. */
static inline size_t
kith_tile_rows(const struct kith_immigrate_data *data, size_t I)
{
	const size_t left = data->n - I * KITH_TILE;

	return left < KITH_TILE ? left : KITH_TILE;
}

/* Sigma, or u: gradient.c. */
struct kith_gradient {
	const struct kith_pairs *pairs;
	bool matrix;
	size_t len;    /* p x p, or 2 ld */
	double *total; /* Sigma's upper triangle; or hits' sums (ld), then misses' (ld) */
	double size;   /* sum over the pairs of |c| D'D, or of |c| D */
	size_t parts;  /* of the pairs, which are summed one after another */
	size_t part;   /* the first of as many at once as there are threads */
	struct kith_gradient_scratch *scratch;
};

struct kith_gradient *kith_gradient_new(
    const struct kith_pairs *pairs, bool matrix, struct kith_pool *pool);
void kith_gradient_sum(struct kith_gradient *gradient);
/* u_j, 0 where rounding explains it. */
double kith_gradient_entry(const struct kith_gradient *gradient, size_t j);

/*
 * A symmetric matrix as R diag(sign) R', with columns R_i = sqrt|lambda_i| v_i, v_i being
 * eigenvectors; columns from n on are 0.
 */
struct kith_factor {
	size_t p, ld, n;
	double *R, *sign;       /* ld x ld; ld: 1, -1 or 0 */
	double norm;            /* of the negative part that kith_factor_closed() found, or 0 */
	double *A, *U, *lambda; /* scratch: p x p, p x p, p */
};

struct kith_factor kith_factor_new(const struct kith_immigrate_data *data, struct kith_pool *pool);
void kith_factor_of(struct kith_factor *factor, const double *W);
/*
 * The factor of V, the part of -A with positive eigenvalues, of norm 1; A has an upper triangle.
 * Where no eigenvalue is below -1e-14 size, which rounding may make of 0 when A is a sum of terms
 * of this total size: the projection on the eigenvector of the least one with `least`, else false.
 */
bool kith_factor_closed(struct kith_factor *factor, const double *A, double size, bool least);
/* W (p x p) = R R', after kith_factor_closed(). */
void kith_factor_expand(const struct kith_factor *factor, double *W);

#endif
