/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/gth - the equations of an M-matrix (solve/mmat.h) by an elimination
 * without any subtraction, so that every number has a small relative error,
 * however far apart the weights are.
 *
 * Grassmann, Taksar and Heyman (1985) for Markov chains; Alfa, Xue and Ye (2002)
 * for M-matrices by their row sums.
 */
#ifndef KITH_SOLVE_GTH_H
#define KITH_SOLVE_GTH_H

#include <stddef.h>

struct kith_mmat;

/* Add the c sources of node i to b. */
typedef void kith_gth_source(const void *to, size_t i, long double *b);

struct kith_gth_how {
	const size_t *order; /* m: the nodes that are in, in a good order */
	size_t m;
	kith_gth_source *source; /* or NULL: none */
	const void *to;          /* its first argument */
	double entries;          /* end where it takes more than these */
};

/*
 * How far a result is off at most: relative |x| + absolute times the largest
 * value that is given.
 */
struct kith_gth_error {
	double relative, absolute;
};

/*
 * Solve A x = b + sources, b being the weights to nodes that are out times their
 * values: X (n x ld, of which c columns are used) has these values, and gets
 * those of the nodes that are in.  Values and sources may have any sign; where
 * none is negative, *error bounds what each result is off before it is rounded
 * to a double; its absolute part is 0 unless numbers were too small for a long
 * double.  Returns -1, and nothing is changed, where more entries than
 * those allowed are needed.  20 bytes an entry of the factor; time in proportion to
 * the operations of a Cholesky factor of that order.
 */
int kith_gth(const struct kith_mmat *A, const struct kith_gth_how *how, size_t c, size_t ld,
    double *X, struct kith_gth_error *error);

#endif
