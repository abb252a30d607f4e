/* SPDX-License-Identifier: BSD-2-Clause */
/* relief/problem - what relief/relief.h is asked, and what it answers. */
#ifndef KITH_RELIEF_PROBLEM_H
#define KITH_RELIEF_PROBLEM_H

#include "la/mat.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_names;

enum kith_relief_method {
	KITH_RELIEF,
	KITH_RELIEFF,
	KITH_RELIEF_SIMBA,
	KITH_RELIEF_MULREL,
	KITH_RELIEF_IRELIEF,
	KITH_RELIEF_NCA,
	KITH_RELIEF_LFE,
	KITH_RELIEF_SURF,
	KITH_RELIEF_MULTISURF
};

struct kith_relief_rows {
	struct kith_mat X; /* n x p, n >= 1; finite but for RELIEF, RELIEFF,
			      SURF and MULTISURF, where NaN is missing, and
			      texts are numbered from 0 */
	const bool *text;  /* p: these columns are texts; NULL: none */
	const size_t *y;   /* n classes in 0..c-1, or */
	size_t c;
	const double *t;      /* n finite numbers (RELIEFF, SURF,
					  MULTISURF, NCA with a rank) */
	const double *weight; /* n weights of the rows, >= 0, two rows with a
				 weight above 0 at least; NULL: all are 1 */
	const struct kith_names *name; /* p names, for messages */
};

struct kith_relief_how {
	enum kith_relief_method method;
	size_t k;        /* RELIEFF: >= 1 */
	bool squares;    /* RELIEFF: neighbours by the sum of squares */
	size_t samples;  /* rows drawn, in input order then; 0: all.  Not for
			    IRELIEF and NCA */
	size_t max_iter; /* SIMBA: passes; MULREL, IRELIEF, NCA: at most */
	size_t starts;   /* SIMBA: orders of the rows, the first as they come;
			    NCA: vectors v, the first all 1, others in [0, 2).
			    The best wins: fewest errors of the nearest other
			    row under the weights; largest objective */
	size_t rank;     /* NCA: 0: diagonal; rows of A, all for more than p */
	double sigma;    /* IRELIEF, RELIEFF of numbers: > 0 */
	double tol;      /* IRELIEF: stop when |dw|_2 < tol, or is 0; NCA: when
			    no derivative of the mean of sum_H p_ij exceeds it,
			    or no step raises that and none by the logarithms
			    of v does */
	bool soon;       /* NCA with a rank: end also where ten iterations
			    gain less than a hundredth */
	double turf;     /* TuRF: 0: not at all; the share of the features that
			    each round leaves out, to 1 */
	uint64_t seed;
	size_t threads;
};

struct kith_relief {
	double *w;         /* p weights; LFE and NCA with a rank: p x p,
			      symmetric */
	bool *constant;    /* p: features with one value */
	size_t *round;     /* TuRF: p: the last round of each feature, from 1;
			      else NULL */
	size_t iterations; /* loops, or those of the best start */
	bool converged;    /* false: MULREL, IRELIEF or NCA did not end by
			      what ends it */
	bool stuck;        /* NCA, then: no step raises the objective; else it
			      was max_iter */
	size_t circle;     /* MULREL: after so many loops weights come again; 1:
			      they change no more, 0: not known */
	size_t best;       /* the start that won, from 1 */
	double objective;  /* SIMBA: its errors; NCA: its sum of p_ij; of
			      numbers: its share of the variance of t */
};

/* Whether features may be texts, and cells missing. */
static inline bool
kith_relief_takes_cells(enum kith_relief_method method)
{
	return method == KITH_RELIEF || method == KITH_RELIEFF ||
	    method == KITH_RELIEF_SURF || method == KITH_RELIEF_MULTISURF;
}

/* Whether the target may be a number. */
static inline bool
kith_relief_takes_numbers(const struct kith_relief_how *how)
{
	return how->method == KITH_RELIEFF || how->method == KITH_RELIEF_SURF ||
	    how->method == KITH_RELIEF_MULTISURF ||
	    (how->method == KITH_RELIEF_NCA && how->rank > 0);
}

/* Whether the result is a matrix. */
static inline bool
kith_relief_is_matrix(const struct kith_relief_how *how)
{
	return how->method == KITH_RELIEF_LFE ||
	    (how->method == KITH_RELIEF_NCA && how->rank > 0);
}

#endif
