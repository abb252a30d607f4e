/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/engine - private to lib/knife: the kernel matrix K at some weights (gram.c), and the
 * machine with the kernel K (newton.c; columns.c for linear kernels; rank.c for many rows).
 *
 * One engine serves all searches of a problem.  It evaluates in one of two ways:
 *
 *	fast     kernels and gradients by matrix products of centred rows; sums of doubles
 *	precise  kernels and gradients by differences of rows; sums in long double for linear
 *	         kernels.  The machine of w is found from alpha = 0, so that it depends on w alone.
 */
#ifndef KITH_KNIFE_ENGINE_H
#define KITH_KNIFE_ENGINE_H

#include "base/pool.h"
#include "knife/knife.h"

/* Rows of a block of work, and of a tile of K: three tiles of doubles fit a cache of 512 kB. */
enum { KITH_KNIFE_BLOCK = 128 };

/* A low-rank approximation K = G G' + E with E positive semidefinite (rank.c). */
struct kith_knife_rank {
	size_t most; /* columns of G that there is room for */
	size_t r;    /* columns of G */
	double *G;   /* n x r, rows are most apart */
};

/* The linear kernel: columns s_ij = x_ij - centre_j. */
struct kith_knife_columns {
	double *S;    /* n x (p + 1): s_ij, then 1 */
	double *unit; /* p + 1: max_i |s_ij|, 0 for a constant column */
	double *gram; /* squared loss: S'S (p + 1 x p + 1), upper triangle; else NULL */

	/* The m columns of Z are those of positive weight, then 1 where there is an intercept. */
	size_t m;
	size_t *source;      /* m: columns of S */
	double *Z;           /* n x m */
	double *B;           /* n x m: D^(1/2) Z */
	long double *r;      /* m: 2 lambda1 / w_j, 0 for the column of ones */
	double *curved;      /* m: sum_i D_i z_il^2 */
	long double *coef;   /* c rows of m: the coefficients of the columns */
	long double *step;   /* c rows of m: Newton's step of coef */
	long double *left;   /* c rows of m: Z' L' + r coef, which is 0 at the minimum */
	long double *square; /* p: sum over the outputs of (x_j' alpha)^2 */
	long double *xa;     /* p + 1: x_j' alpha of one output */
	double *in, *out;    /* max(n, p + 1): operands of products in doubles */
};

struct kith_knife_engine {
	struct kith_knife_problem problem;
	struct kith_knife_control control;
	size_t n, p, c;  /* rows, features, outputs */
	bool precise;    /* the way of evaluating */
	bool dense;      /* K is stored */
	bool warm;       /* alpha is a start of the next search for a machine */
	bool fixed_bias; /* Newton's step leaves b as it is */
	bool by_rows; /* of the present weights: kernels are computed row by row, not by products */
	bool factored; /* R belongs to the present weights */
	bool ranked;   /* rank belongs to the present weights */
	double *room;  /* threads x 4 matrices: tiles of gram.c */

	struct kith_kern kern;     /* of rows of Z in a precise engine; polynomial: linear */
	struct kith_metric metric; /* its k weights */

	/* Set by kith_knife_set_weights(). */
	struct kith_mat X;       /* the rows in use: those of the problem, or centred ones */
	struct kith_mat centred; /* gaussian and fast: columns less their medians */
	size_t k;                /* weights above 0 */
	size_t *column;          /* k: their features */
	double *weight;          /* k: their values */
	double *factor;          /* k: what Z multiplies a feature by */
	double *Z;               /* n x k: x sqrt(w); x where kernels are computed row by row */
	double *norm2;           /* n: sum_j w_j x_ij^2 */
	double *K;               /* n x n where K is stored: the upper triangle of tiles */

	/* K, or for the polynomial kernel n x n of (x'wz + coef0)^(degree - 1). */
	double *H;

	/* The machine, set by kith_knife_solve(). */
	struct kith_knife_machine machine; /* primal: found by columns.c, for k < n */
	double *Ka;                        /* c columns of n: K alpha */
	double value;                      /* L + lambda1 alpha' K alpha */
	double value_at_0;                 /* L of alpha = 0 and b = 0 */
	struct kith_knife_columns columns;

	/* Newton's method: */
	long double *f;     /* c columns of n: outputs */
	long double *df;    /* c columns of n: the step of the outputs */
	long double *g;     /* c columns of n: L'; machine.dual */
	double *h;          /* n: L'', or the curvature of parabolas */
	long double slope;  /* derivative of the penalty along the step, at its start */
	long double curve;  /* second derivative of the penalty along the step */
	double *step;       /* c columns of n: the step of alpha */
	double *Kstep;      /* c columns of n: K times the step */
	double *db;         /* c: the step of b */
	double *rhs, *x;    /* c + 1 columns of n: right-hand sides, solutions */
	size_t *curved_row; /* n: the rows with h > 0 */

	/* The systems 2 lambda1 I + D^(1/2) K D^(1/2) of Newton's method: */
	double *R;    /* Cholesky factor, where K is stored */
	double *root; /* n: the D^(1/2) of the factor */
	struct kith_knife_rank rank;
	size_t products; /* with K, of conjugate gradients so far */
};

/*
 * gram.c: the lower median of column j: an outlier moves neither it nor the digits of other rows.
 */
double kith_knife_median(const struct kith_mat *X, size_t j);

/* Moves to weights w (p); fails where kernels do not fit a double. */
int kith_knife_set_weights(struct kith_knife_engine *e, const double *w, struct kith_err *err);

/* KV = K V for c columns of n. */
void kith_knife_times(struct kith_knife_engine *e, size_t c, const double *V, double *KV);

/* dF (p) at the machine. */
void kith_knife_gradient(struct kith_knife_engine *e, double *dF);

/* Output o by the weights: A_ij = sum_l alpha_l dK_il/dw_j (n x p).  K is stored. */
void kith_knife_output_slopes(struct kith_knife_engine *e, size_t o, double *A);

/* C (n x m): the columns of K that belong to m rows.  K is not stored. */
void kith_knife_kernel_columns(
    const struct kith_knife_engine *e, size_t m, const size_t *row, double *C);

/* K_ii.  K is not stored. */
double kith_knife_diagonal(const struct kith_knife_engine *e, size_t i);

/* newton.c: the machine of the present weights. */
void kith_knife_newton_new(struct kith_knife_engine *e, struct kith_pool *pool);
int kith_knife_solve(struct kith_knife_engine *e, struct kith_err *err);

/* L and L' (e->g), L'' (e->h), the outputs e->f and e->value at the present coefficients. */
void kith_knife_set_outputs(struct kith_knife_engine *e);

/* columns.c: the same by the columns of a linear kernel.  Weights have been set. */
void kith_knife_columns_new(struct kith_knife_engine *e, struct kith_pool *pool);
void kith_knife_columns_begin(struct kith_knife_engine *e); /* Z, r, a start of coef, square 0 */
void kith_knife_columns_outputs(struct kith_knife_engine *e, size_t o);
double kith_knife_columns_residual(struct kith_knife_engine *e, size_t o, long double total);
bool kith_knife_columns_step(struct kith_knife_engine *e, bool factored);
void kith_knife_columns_machine(struct kith_knife_engine *e, size_t o);

/* loss.c: the loss at the output f of a target y, and its first and second derivative by f. */
long double kith_knife_loss(const struct kith_knife_problem *problem, double y, long double f,
    bool precise, long double *d1, double *d2);

/* The curvature of a parabola that touches the loss at f and is nowhere below the loss. */
double kith_knife_parabola(const struct kith_knife_problem *problem, double y, double f);

/*
 * rank.c: solves m systems (2 lambda1 I + S K S) x = r, S = diag(s), by conjugate gradients, until
 * max |S residual| <= limit (m).  x and r are m columns of n; r is overwritten.  False where the
 * preconditioner is singular.
 */
bool kith_knife_cg(struct kith_knife_engine *e, const double *s, size_t m, const double *limit,
    double *x, double *r);

/* search.c: F and dF (unless it is NULL) at w; the machine stays in the engine. */
int kith_knife_evaluate(
    struct kith_knife_engine *e, const double *w, double *F, double *dF, struct kith_err *err);

/* A search: its best weights so far, and the weights evaluated last. */
struct kith_knife_descent {
	struct kith_knife_engine *e;
	size_t evaluations, most; /* so far; from which on the search ends */
	double *w, *dF, F;        /* the best weights (p), their gradient (p) and objective */
	double *at, *dF_at, F_at; /* the weights evaluated last; F_at is NaN where that failed */
	int failed;               /* -1: the last evaluation failed, and err says why */
	struct kith_err *err;
};

/* A search from w, in the pool. */
struct kith_knife_descent kith_knife_descent_new(
    struct kith_knife_engine *e, double *w, struct kith_err *err, struct kith_pool *pool);

/* Evaluates d->at; true where F is no larger than that of d->w but for rounding. */
bool kith_knife_try(struct kith_knife_descent *d);

/* The weights evaluated last become the best ones. */
void kith_knife_accept(struct kith_knife_descent *d);

/* The quasi-Newton method of solve/box.h from d->w on. */
struct kith_lbfgs_box kith_knife_descend(
    struct kith_knife_descent *d, size_t max_iter, double tol, bool log);

/*
 * Ends a search: sets F and dF of d->w, and leaves the machine of d->w in the engine.  A search
 * stops within its tolerance, when a weight that goes to 0 is still above 0.  With `clear` all
 * weights w_j <= dF_j become 0; where F then rises, or some dF_j at w_j = 0 is below 0, only the
 * weights become 0 whose new dF_j is still at least the old w_j; where that fails, too, w stays.
 */
void kith_knife_settle(struct kith_knife_descent *d, bool clear);

/* alternate.c: searches from sol->w by the iteration of the paper, in a fast engine. */
int kith_knife_alternate(
    struct kith_knife_engine *e, struct kith_knife_solution *sol, struct kith_err *err);

/*
 * repair.c: judges a solution, and continues the search where the judge says no.  The machine of
 * sol->w is left in the engine.
 */
int kith_knife_verify(struct kith_knife_engine *e, const double *start,
    struct kith_knife_solution *sol, struct kith_err *err);

#endif
