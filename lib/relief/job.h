/* SPDX-License-Identifier: BSD-2-Clause */
/* relief/job - what relief/run.c gets ready, and the methods work on. */
#ifndef KITH_RELIEF_JOB_H
#define KITH_RELIEF_JOB_H

#include "la/vec.h"
#include "near/by_class.h"
#include "relief/problem.h"

#include <stddef.h>

struct kith_relief_job {
	const struct kith_relief_how *how;
	/*
	 * The rows, without features that are constant (p >= 1), times
	 * 2^-exponent, which makes the widest of their ranges 1 to 2; as they
	 * came, and sorted.
	 */
	struct kith_mat X;
	const size_t *y;        /* their classes, or */
	const double *t;        /* their targets */
	struct kith_by_class s; /* numbers: of one class */
	const double *weight; /* n by place, > 0, of mean 1; NULL: all are 1 */
	int exponent;
	double *w; /* p zeros, LFE: p x p: for the result */
	struct kith_relief *out;
};

/* The weights of all rows together. */
static inline double
kith_relief_total(const struct kith_relief_job *job)
{
	return job->weight ? kith_vec_sum(job->s.X.n, job->weight)
			   : (double)job->s.X.n;
}

/* The weight of the row at place i. */
static inline double
kith_relief_weight(const struct kith_relief_job *job, size_t i)
{
	return job->weight ? job->weight[i] : 1;
}

#endif
