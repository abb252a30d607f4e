/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/window - a support vector machine of the latest rows of a stream: of
 * the n rows in the window, the oldest being i = 1, row i has the weight
 *
 *	C_i = C 2 / (1 + exp(a - 2 a i / n))
 *
 * eq. (28) of Karasuyama, Harada, Sugiyama and Takeuchi (2012), after Cao and
 * Tay (2003).  When rows come in, the oldest leave, and all weights move to
 * their new values along one path.
 */
#ifndef KITH_WSVMPATH_WINDOW_H
#define KITH_WSVMPATH_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

struct kith_kern;
struct kith_wsvm_count;
struct kith_wsvm_window;

struct kith_wsvm_window_how {
	const struct kith_kern *kern; /* by gamma, of p features */
	size_t rows;                  /* of the window, >= 1 */
	size_t batch;                 /* rows that come in at once, at most */
	double C, a;                  /* >= 0; finite */
	double ridge;                 /* over the mean K(x, x) of the first machine's rows */
	size_t cache, threads;        /* as wsvm/wsvm.h has them */
};

/* A window without rows; *how is copied, its kernel must stay. */
struct kith_wsvm_window *kith_wsvm_window_new(const struct kith_wsvm_window_how *how);
void kith_wsvm_window_free(struct kith_wsvm_window *w);

/*
 * Learn m rows x (m x p), in order of time, of the classes y (0 or 1, the
 * second +1); 1 <= m <= batch.  Nothing is solved before both classes came.
 * Memory: O(rows + batch) rows, as they come, and that of wsvm/wsvm.h.
 */
void kith_wsvm_window_learn(struct kith_wsvm_window *w, size_t m, const double *x, const bool *y);

/* The classes change their places; before both came. */
void kith_wsvm_window_flip(struct kith_wsvm_window *w);

/* Whether rows of both classes have come in, be they still there or not. */
bool kith_wsvm_window_ready(const struct kith_wsvm_window *w);

/* f(x) = sum_i alpha_i y_i K(x_i, x) + b, once it is ready.  Time O(rows p). */
double kith_wsvm_window_score(struct kith_wsvm_window *w, const double *x);

/* What was done so far. */
void kith_wsvm_window_count(const struct kith_wsvm_window *w, struct kith_wsvm_count *count);

#endif
