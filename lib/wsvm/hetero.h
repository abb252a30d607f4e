/*
 * wsvm/hetero - heteroscedastic regression: weights that depend on the errors
 * of the fit that they lead to, eq. (30) of Karasuyama, Harada, Sugiyama and
 * Takeuchi (2012),
 *
 *	C_i = C0_i sigma / max(|e_i|, 1e-3 sigma)
 *
 * with e_i = y_i - f(x_i) and sigma^2 the mean of e_i^2; without the floor a
 * row on the fit would weigh without bounds.  Beginning with C0, each round
 * follows a path to the weights that the errors give, until the mean of
 * |e_i' - e_i| / max(|e_i|, 1e-3 sigma) over the rows, from one round to the
 * next, is at most 1e-3, or all rounds are done.
 */
#ifndef KITH_WSVM_HETERO_H
#define KITH_WSVM_HETERO_H

#include "wsvm/wsvm.h"

/* A round that is done. */
struct kith_wsvm_round {
	size_t number;  /* from 1 */
	double sigma;   /* of the errors that gave its weights */
	double change;  /* mean relative change of the errors */
	bool converged; /* change <= 1e-3 */
};

struct kith_wsvm_hetero_how {
	const struct kith_wsvm_problem *problem; /* regress: 2 n variables */
	const double *y;                         /* n */
	const double *C0;                        /* 2 n, each twice */
	size_t rounds;                           /* at most, >= 1 */
	void (*on_round)(const struct kith_wsvm_round *); /* or NULL */
};

/* The weights after the last round into C (2 n). */
void kith_wsvm_hetero(const struct kith_wsvm_hetero_how *how, double *C,
    struct kith_wsvm_round *last, struct kith_wsvm_count *count);

#endif
