/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/problem - what a solver of sqpfw/sqpfw.h is given, and what it reports
 * of the active set.
 */
#ifndef KITH_SQPFW_PROBLEM_H
#define KITH_SQPFW_PROBLEM_H

#include <stddef.h>

/* The state of a pair, relative to its target, or of a weight. */
enum kith_sqpfw_state {
	KITH_SQPFW_NEARER = -1,
	KITH_SQPFW_TIED = 0,
	KITH_SQPFW_FARTHER = 1,
	KITH_SQPFW_ZERO = 2,
	KITH_SQPFW_POSITIVE = 3
};

/* A change of the active set; events are reported as they happen. */
struct kith_sqpfw_event {
	enum { KITH_SQPFW_HIT, KITH_SQPFW_MISS, KITH_SQPFW_WEIGHT } kind;
	size_t row;   /* i of the pair (its first copy), or the feature */
	size_t other; /* j of the pair (the first copy); weight: 0 */
	enum kith_sqpfw_state was, becomes;
	double theta;
};

/* Receives an event; to is how->report_to. */
typedef void kith_sqpfw_report(void *to, const struct kith_sqpfw_event *event);

struct kith_sqpfw_how {
	size_t hits, misses;       /* kappa and lambda, >= 1 */
	const double *prior;       /* p, >= 0, of sum 1; NULL: uniform */
	const double *weight;      /* n, >= 0, of mean 1: row i's term counts
				      weight_i times; NULL: once */
	size_t max_iter;           /* of one solve; 0: no limit */
	size_t threads;            /* of the first pass and of renewals */
	size_t many;               /* pairs evaluated in a step from which on others rest
			(sqpfw/rest.h); 0: 512 */
	kith_sqpfw_report *report; /* called for each event, or NULL */
	void *report_to;           /* its first argument */
};

#endif
