/*
 * wsvm/transduction - the transductive support vector machine of Joachims
 * (1999) by paths, sec. 5.3 of Karasuyama, Harada, Sugiyama and Takeuchi
 * (2012).
 *
 * Of n rows, those with a label weigh C.  k rows have none; k+ of them, in the
 * paper the share of positives among the others times k, are taken for +1: those of the largest f of a machine of the others, of equal ones the
 * first.  The rest are -1.  They weigh C*+ and C*-, first
 *
 *	C*- = 1e-5 C*    C*+ = min(C*, 1e-5 C* k+ / (k - k+))
 *
 * Then, until both are C*, and once more with these:
 *
 *	solve; while there is a row taken for +1 and one taken for -1, with
 *	slacks max(0, 1 - y f) above 0 whose sum exceeds 2: exchange the labels
 *	of the two with the largest sum (of equal ones the first), and solve
 *	C*- = min(2 C*-, C*), C*+ = min(2 C*+, C*)
 *
 * Each solution is reached along a path: an unlabelled row has a variable for
 * either label, one of them without weight, so that an exchange is one path.
 */
#ifndef KITH_WSVM_TRANSDUCTION_H
#define KITH_WSVM_TRANSDUCTION_H

#include "wsvm/wsvm.h"

struct kith_wsvm_transduce_how {
	/* Variables: one for each labelled row, two for each other row. */
	const struct kith_wsvm_problem *problem;
	size_t k, positives; /* rows without label; of those: k+ */
	const size_t *row;   /* k items, and their variables as +1 */
	const size_t *as_no; /* k: their variables as -1 */
	double C, C_star;    /* >= 0; finite */
};

struct kith_wsvm_transduced {
	bool *yes;           /* k: the labels */
	const double *alpha; /* N */
	const double *f;     /* n items, b included */
	double b;
	size_t switches, stages;
};

/*
 * Results in the pool.  k may be 0.  Time as kith_wsvm_new(), and a path for
 * each stage and exchange.
 */
void kith_wsvm_transduction(const struct kith_wsvm_transduce_how *how,
    struct kith_wsvm_transduced *out, struct kith_wsvm_count *count,
    struct kith_pool *pool);

#endif
