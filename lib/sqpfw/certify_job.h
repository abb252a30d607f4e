/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/certify_job - the least squares problems of sqpfw/certify.h for the
 * multipliers, one for each choice of sets at the concave kinks.
 */
#ifndef KITH_SQPFW_CERTIFY_JOB_H
#define KITH_SQPFW_CERTIFY_JOB_H

#include "base/pool.h"
#include "sqpfw/certificate.h"
#include "sqpfw/kinks.h"

/* A concave kink, and the sets that there are to choose from. */
struct kith_certify_kink {
	const struct kith_kink *kink;
	uint64_t *set;
	size_t sets;   /* 0: too many */
	size_t now;    /* the number of the set that is chosen, */
	bool *chosen;  /* and whether it has each pair */
	double *slope; /* of each pair, scratch */
	size_t from;   /* the pairs are the vectors from here on */
	bool fixed;    /* taken at its worst: in b */
};

struct kith_certify_job {
	const struct kith_mat *X;
	const struct kith_ties *ties;
	const double *w;
	const struct kith_certify_how *how;
	double unit;  /* theta / n */
	double *size; /* p: max(1, theta H_f) */
	double *e;    /* p: 1 / size, the largest being 1 */
	bool *sided;  /* p: one-sided entries of r: weights that are 0 */
	double *b;    /* p: w - prior and the pairs without a choice, over size */

	struct kith_kinks kinks;
	struct kith_certify_kink *concave;
	size_t concaves;

	/* Vectors unit eps / size, misses with a minus: convex kinks first. */
	double *A;                      /* vectors x p */
	size_t *group;                  /* shared: the convex kink of each: 0, 1, ... */
	size_t vectors, shared, groups; /* all; of convex kinks; these kinks */

	/* The problem at hand. */
	double *chosen; /* its vectors, and their groups */
	size_t *chosen_group;
	double *t, *r; /* shares of the vectors; p: what is left */

	double worst; /* the largest residual since it was set to 0 */
	double *down; /* p */
	struct kith_pool pool;
};

/*
 * Set up a job of which X, ties, w, how, kinks and down are given, but for the sets of
 * concave kinks; false where numbers overflow.
 */
bool kith_certify_begin(struct kith_certify_job *job);

/*
 * Whether multipliers make r vanish: those of convex kinks, and of the pairs
 * chosen of the concave ones that are not fixed; all: of all their pairs.  If
 * not, job->down receives the direction -r, along which F falls.
 */
bool kith_certify_holds(struct kith_certify_job *job, bool all);

/* Let job->down be the direction -r of the last problem, in units of w. */
void kith_certify_down(struct kith_certify_job *job);

/* The slope along a direction of the share of F whose gradient a vector is. */
double kith_certify_along(
    const struct kith_certify_job *job, size_t vector, const double *direction);

#endif
