/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/model - cost, Sigma and closed form at given weights: what an
 * iteration of immigrate/immigrate.h is made of, for matrices and for vectors.
 *
 * At its own alpha and beta the entropy of a softmax is the mean of d/sigma
 * plus the log of its sum, so that C (3.5) is F:
 *
 *	C = F = sum_n weight_n (least hit - least miss) +
 *	    sigma sum_n weight_n (log miss sum - log hit sum)
 */
#ifndef KITH_IMMIGRATE_MODEL_H
#define KITH_IMMIGRATE_MODEL_H

#include "immigrate/form.h"
#include "immigrate/line.h"
#include "immigrate/rows.h"
#include "immigrate/soft.h"
#include "immigrate/sum.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_how;
struct kith_immigrate_rows;
struct kith_pool;

/* Rows of a factor, to be kept. */
struct kith_immigrate_factor {
	double *R, *sign;
	size_t r; /* 0: not known */
};

struct kith_immigrate_model {
	bool matrix, package;
	size_t len; /* of the weights: p x p, or p */
	double sigma;
	struct kith_immigrate_data data;
	struct kith_immigrate_soft soft;
	struct kith_immigrate_sum sum;

	/* Matrices. */
	struct kith_immigrate_form form;
	double *W;          /* small: p x p */
	double *Z, *Z_sign; /* n < p: room for p / 2 pairs of rows, or NULL */
	bool by_gram;       /* Sigma is in Z */
	size_t pairs;       /* there */

	double *w; /* ld: of a vector, or of a diagonal matrix */
	double *v; /* vectors: scratch, p */
	bool summed;
	bool lines; /* there is room for them: */
	struct kith_immigrate_line line;
	struct kith_immigrate_factor at, ahead; /* of W, of V; at: if known */
	double g;                               /* where on the line it is */

	/* D'W D or w'D is in units of 2^power, C and F are in 2^unit. */
	int power, unit;
	double C, F;  /* C of the package may be NaN */
	double error; /* of F and C, by pairs that were left out */
};

/* Of the rows; sigma, package and threads are those of how.  All in the pool. */
struct kith_immigrate_model *kith_immigrate_model_new(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, bool matrix, struct kith_pool *pool);

/*
 * Bring the model to the weights W (len): C and F.  is_closed says that W is
 * what kith_immigrate_model_closed() gave last: its factor is known then.
 */
void kith_immigrate_model_at(struct kith_immigrate_model *model, const double *W, bool is_closed);

/*
 * Draw a line from the weights W of the model to V, which it gave last, and bring it
 * to a place on it, (W + g (V - W)) / norm, in O(n^2).  Only with room for lines.
 * some: W has no negative eigenvalue, and pairs may be left out where they hardly
 * count (immigrate/line.h), so that C and F have an error.  Whether that is so.
 */
bool kith_immigrate_model_draw(struct kith_immigrate_model *model, const double *V, bool some);
void kith_immigrate_model_go(
    struct kith_immigrate_model *model, const double *W, double g, double norm);

/* Leave no pair out of Sigma, from now on. */
void kith_immigrate_model_all(struct kith_immigrate_model *model);

/*
 * V (len): the closed form at the weights of the model, of Frobenius norm 1 (a
 * vector: of sum 1).  False, and V is of no use, where there is none.
 */
bool kith_immigrate_model_closed(struct kith_immigrate_model *model, double *V);

/*
 * Where a matrix has none, what minimises tr(Sigma V) all the same: the
 * projection on the smallest eigenvector.  False where Sigma is known by its
 * pairs of rows alone.
 */
bool kith_immigrate_model_edge(struct kith_immigrate_model *model, double *V);

/*
 * The gradient of F at a matrix W of the model, along the sphere: the upper triangle
 * of G = Sigma - tr(Sigma W) W.  False where Sigma is known by its pairs of rows
 * alone.
 */
bool kith_immigrate_model_slope(struct kith_immigrate_model *model, const double *W, double *G);

/*
 * V = the part of W - length G without negative eigenvalues, normalised; like a
 * closed form it is known to _draw().  False where there is none.  Time O(p^3).
 */
bool kith_immigrate_model_near(
    struct kith_immigrate_model *model, const double *W, const double *G, double length, double *V);

#endif
