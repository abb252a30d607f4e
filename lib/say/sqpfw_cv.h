/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say/sqpfw_cv - sqpfw --cv: how weights that were learnt from all parts of a
 * table but one do on that one, over grids of theta, k, hits and misses.
 */
#ifndef KITH_SAY_SQPFW_CV_H
#define KITH_SAY_SQPFW_CV_H

#include "cli/opt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_out;
struct kith_sqpfw_run;

struct kith_sqpfw_cv {
	size_t parts;
	uint64_t seed;
	int scale;
	bool targets; /* print hits and misses, too */
	struct kith_sizes hits, misses, k;
	/* Weights of all features (table/learn.h), or NULL; their file. */
	const double *prior;
	const char *prior_file;
};

/*
 * Go up the thetas of r in each part, for each of the hits and misses, and
 * print the errors (the status, or -1); or with r->best choose: then r is to
 * solve all rows up to the theta chosen, and 0 is returned.
 */
int kith_sqpfw_cv(const struct kith_sqpfw_cv *cv, struct kith_sqpfw_run *r, struct kith_out *out,
    struct kith_err *err);

#endif
