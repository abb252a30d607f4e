/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel/kern - kernels of rows, from the distances d of a metric
 * (near/metric.h).
 *
 *	gaussian    exp(-gamma d), or exp(-d / (2 sigma^2))
 *	cosine      1/2 + cos(x, z)/2; for rows of length 1 this is 1 - d/4
 *	linear      x' diag(w) z, or x' W z of a matrix
 *	polynomial  (gamma x' diag(w) z + coef0)^degree
 *	laplacian   exp(-gamma d), d = sum_j w_j |D_j| (KITH_ABSOLUTE)
 *
 * The power is made of squares of squares; it may overflow to inf or -inf.
 *
 * The cosine is that of x' diag(w) z, and its rows must have been made of
 * length 1 by kith_kern_unit_rows(): then a row and its copy have exactly 1,
 * and the nearest rows are the most similar.
 */
#ifndef KITH_KERNEL_KERN_H
#define KITH_KERNEL_KERN_H

#include <stddef.h>

struct kith_err;
struct kith_mat;
struct kith_metric;

enum kith_kern_kind {
	KITH_KERN_GAUSSIAN,
	KITH_KERN_COSINE,
	KITH_KERN_LINEAR,
	KITH_KERN_POLYNOMIAL,
	KITH_KERN_LAPLACIAN
};

struct kith_kern {
	enum kith_kern_kind kind;
	const struct kith_metric *metric; /* all its features count */
	double sigma;                     /* gaussian without gamma: > 0, in units of sqrt(d) */
	double gamma;                     /* > 0; gaussian alone may have 0: sigma rules */
	size_t degree;                    /* polynomial: >= 1 */
	double coef0;                     /* polynomial: >= 0 for a semidefinite kernel */
};

/*
 * Whether a metric gives a positive semidefinite kernel: a vector of squared
 * differences does, a matrix of them if it is positive semidefinite and the
 * kernel is gaussian; for the laplacian kernel, a vector of absolute ones
 * alone.  Fails with EX_DATAERR, and a hint, for all else, naming the file and
 * line of the weights.
 */
int kith_kern_check(enum kith_kern_kind kind, const struct kith_metric *metric, const char *file,
    size_t line, struct kith_err *err);

/*
 * Scales each row of X (n x metric->p), in place, to sum w_j x_j^2 = 1; for KITH_SQUARED alone.
 * Terms of the sum below 2^-480 become 0.  Returns the number of rows that were scaled: n, or the
 * first row of which all features that count are 0.
 */
size_t kith_kern_unit_rows(struct kith_mat *X, const struct kith_metric *metric);

/*
 * The gaussian, laplacian or cosine kernel of n distances into K (n), which may
 * be d; all but the cosine multiplied by exp(gamma shift), gamma standing for
 * 1 / (2 sigma^2) as well: shift is 0, or the smallest distance, which gets 1
 * exactly, so that not all vanish.
 */
void kith_kern_of_dist(
    const struct kith_kern *kern, size_t n, const double *d, double shift, double *K);

/* The kernel of z and n rows that follow each other from X on, into K (n). */
void kith_kern_rows(
    const struct kith_kern *kern, const double *z, const double *X, size_t n, double *K);

/* Returns the kernel of two rows. */
double kith_kern_pair(const struct kith_kern *kern, const double *z, const double *x);

/*
 * All kernels of n such rows: K is symmetric, its row i starts at K + i * ld,
 * ld >= n.  Entries depend on their two rows alone.
 */
void kith_kern_gram(const struct kith_kern *kern, const double *X, size_t n, size_t ld, double *K);

/* The Gram matrix of the linear kernel: all products x_i' M x_j, M being 1, diag(w) or W. */
void kith_kern_products(
    const struct kith_metric *metric, const double *X, size_t n, size_t ld, double *K);

/* ---- The gamma of a kernel where none is given, and whether one is too large ---- */

/*
 * 1/v.  Of a metric of squared differences, v is the sum of the variances of the features as the
 * metric sees them,
 *
 *	v = 1/(n - 1) sum_i d(x_i, mean)
 *
 * over the n rows of X; of absolute differences (vectors), v = sum_j w_j sd_j.  Where features are
 * scaled to a variance of 1, gamma is 1/p.  Without differences, or where they are below 1e-150,
 * gamma is 1.  Time O(n) distances.
 */
double kith_gamma_auto(const struct kith_mat *X, const struct kith_metric *metric);

/*
 * The median, over at most 200 equally spaced rows of Z, of the largest kernel of that row and
 * a row of X at another place; INFINITY where X has one place.  Where it is next to 0, a gaussian
 * machine learnt from X predicts one value for most rows of Z: gamma is too large, or the units
 * of X and Z differ.  Time O(200 n) kernels.
 */
double kith_gamma_coupling(
    const struct kith_kern *kern, const struct kith_mat *X, const struct kith_mat *Z);

/* A coupling below this is warned of. */
#define KITH_GAMMA_COUPLED 1e-8

#endif
