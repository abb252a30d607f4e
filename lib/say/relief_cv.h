/*
 * say/relief_cv - relief --cv: how weights that were learnt from all parts of a
 * table but one do on that one, for lists of the parameters.
 */
#ifndef KITH_SAY_RELIEF_CV_H
#define KITH_SAY_RELIEF_CV_H

#include "cli/opt.h"
#include "near/metric.h"
#include "relief/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_dest;
struct kith_err;
struct kith_out;
struct kith_table;

struct kith_relief_cv {
	size_t parts;
	uint64_t seed;
	int scale, best;
	struct kith_sizes k;       /* RELIEFF, */
	struct kith_reals sigma;   /* where it counts; else one value each */
	bool takes_k, takes_sigma; /* they are columns of the table */
	struct kith_sizes vote_k;
	const struct kith_dest *output; /* where it goes */
};

/* What the weights of a method multiply. */
enum kith_metric_kind kith_relief_kind(const struct kith_relief_how *how);

/*
 * Learn from all rows but those of each part, as `how` says, and predict these
 * by their nearest rows, negative weights being 0.  Print the errors (the
 * status, or -1); or with best choose: how->k and how->sigma are then those
 * chosen, and 0 is returned.  A part whose training rows give no feature a
 * positive weight is predicted without any (vote/validate.h).
 */
int kith_relief_cv(const struct kith_relief_cv *cv, const struct kith_table *t,
    struct kith_relief_how *how, struct kith_out *out, struct kith_err *err);

#endif
