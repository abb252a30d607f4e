/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/votes - which rows the machines of several classes predict wrongly together, along
 * theta, by their votes (machine/votes.h).
 *
 * A vote depends on theta through the sign of f alone, so that the prediction of a row changes only
 * where f of a machine is 0: the zeros are computed from the pieces of each path, and merged.
 */
#ifndef KITH_WSVMPATH_VOTES_H
#define KITH_WSVMPATH_VOTES_H

#include "wsvmpath/measure.h"

/* From theta on, f of a row by a machine has the other sign. */
struct kith_svm_sign_change {
	double theta;
	size_t row, machine;
};

/* The signs of f of m rows along the path of a machine. */
struct kith_svm_signs {
	struct kith_pool *pool;
	size_t m, machine;
	bool *first, *now; /* m: whether f > 0 where theta leaves 0, and after the last piece */
	bool begun;        /* there was a piece */
	struct kith_svm_sign_change *change; /* n changes, in order of pieces */
	size_t n, capacity;
};

void kith_svm_signs_new(struct kith_svm_signs *s, size_t m, size_t machine, struct kith_pool *pool);

/* The next piece of the path: f = f0 + theta f1 of the m rows. */
void kith_svm_signs_piece(
    struct kith_svm_signs *s, double from, double to, const double *f0, const double *f1);

/*
 * Adds to `changes`, in order of theta, where rows become wrong or right by the votes of the
 * machines of c classes, whose signs are an array of c (c - 1) / 2.  A machine without a piece has
 * no vote.  Time O(T log T + T c) for T changes of signs, and O(m c^2).
 */
void kith_svm_votes(const struct kith_svm_test *test, size_t c, const struct kith_svm_signs *signs,
    struct kith_svm_changes *changes);

#endif
