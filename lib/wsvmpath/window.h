/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/window - a support vector machine of the latest rows of a stream, which tells two
 * classes apart or predicts numbers: of the n rows in the window, the oldest being i = 1, row i has
 * the weight
 *
 *	C_i = C 2 / (1 + exp(a - 2 a i / n))
 *
 * eq. (28) of Karasuyama, Harada, Sugiyama and Takeuchi (2012), after Cao and Tay (2003).  When
 * rows come in, the oldest leave, and all weights move to their new values along one path.
 */
#ifndef KITH_WSVMPATH_WINDOW_H
#define KITH_WSVMPATH_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

struct kith_kern;
struct kith_svm_window;
struct kith_wsvm_count;

struct kith_svm_window_how {
	const struct kith_kern *kern; /* by gamma, of p features */
	size_t rows;                  /* in the window, at least 1 */
	size_t batch;                 /* rows that come in at once, at most */
	double C, a;                  /* at least 0; finite */
	double epsilon;               /* numbers: errors up to epsilon are free; 0: classes */
	double ridge;                 /* over the mean K(x, x) of the rows of the first machine */
	size_t cache, threads;        /* as in wsvm/problem.h */
};

/* Makes a window without rows; *how is copied, its kernel must stay. */
struct kith_svm_window *kith_svm_window_new(const struct kith_svm_window_how *how);
void kith_svm_window_free(struct kith_svm_window *w);

/*
 * Learns m rows x (m x p), in order of time, with y: the classes 1 and -1, or numbers; 1 <= m <=
 * batch.  Nothing is solved before rows of both classes have come.  Memory: O(rows + batch) rows,
 * as they come, and the memory of wsvm/wsvm.h.
 */
void kith_svm_window_learn(struct kith_svm_window *w, size_t m, const double *x, const double *y);

/* Swaps the classes, before rows of both have come. */
void kith_svm_window_swap(struct kith_svm_window *w);

/*
 * Returns whether rows of both classes, or with numbers any rows, have come, even if they have
 * left.
 */
bool kith_svm_window_ready(const struct kith_svm_window *w);

/* Returns f(x) = sum_i coef_i K(x_i, x) + b; requires a ready window.  Time O(rows p). */
double kith_svm_window_score(struct kith_svm_window *w, const double *x);

/* Sets what was done so far. */
void kith_svm_window_count(const struct kith_svm_window *w, struct kith_wsvm_count *count);

#endif
