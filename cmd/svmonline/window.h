/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svmonline/window - a support vector machine of the latest rows of a stream, which tells two
 * classes apart or predicts numbers: of the n rows in the window, the oldest being i = 1, row i has
 * the weight
 *
 *	C_i = C 2 / (1 + exp(a - 2 a i / n))
 *
 * eq. (28) of Karasuyama, Harada, Sugiyama and Takeuchi (2012), after Cao and Tay (2003).  When
 * rows come in, the oldest leave, and all weights move to their new values along one path.
 */
#ifndef KITH_CMD_SVMONLINE_WINDOW_H
#define KITH_CMD_SVMONLINE_WINDOW_H

#include "common/svm.h"

/* What the options say. */
extern struct kith_svm_options options;
extern struct stream_options {
	size_t window; /* rows that are learnt from, at most */
	size_t batch;  /* rows that are learnt at a time */
	size_t delay;  /* rows until the target of a row is known */
	double C;      /* the weight of the middle row of the window */
	double forget; /* a of the weights */
} how;

/*
 * Makes a window without rows: of at most --window rows, with C, a = --forget and --epsilon, for
 * the kernel `kern`, which must stay.  The ridge is --ridge times the mean K(x, x) of the rows of
 * the first machine.
 */
struct window *window_new(const struct kith_kern *kern);
void window_free(struct window *w);

/*
 * Learns m rows x (m x p), in order of time, with y: the classes 1 and -1, or numbers; 1 <= m <=
 * --batch.  Nothing is solved before rows of both classes have come.  Memory: O(window + batch)
 * rows, as they come, and the memory of wsvm/wsvm.h.
 */
void window_learn(struct window *w, size_t m, const double *x, const double *y);

/*
 * Returns whether rows of both classes, or with numbers any rows, have come, even if they have
 * left.
 */
bool window_ready(const struct window *w);

/* Returns f(x) = sum_i coef_i K(x_i, x) + b; requires a ready window.  Time O(window p). */
double window_score(struct window *w, const double *x);

/* Sets what was done so far. */
void window_count(const struct window *w, struct kith_wsvm_count *count);

#endif
