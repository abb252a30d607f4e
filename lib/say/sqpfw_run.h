/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say/sqpfw_run - what sqpfw does when its options and rows are read: it solves, judges, prints and
 * logs.
 */
#ifndef KITH_SAY_SQPFW_RUN_H
#define KITH_SAY_SQPFW_RUN_H

#include "base/pool.h"
#include "cli/opt.h"
#include "say/sqpfw.h"
#include "sqpfw/check.h"
#include "sqpfw/sqpfw.h"
#include "table/learn.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_dest;
struct kith_err;
struct kith_out;

enum { KITH_SQPFW_WEIGHTS, KITH_SQPFW_EVENTS, KITH_SQPFW_MARGINS };

struct kith_sqpfw_run {
	/* What is asked: */
	struct kith_learn in;
	struct kith_sqpfw_how how; /* prior: in the units of the rows */
	struct kith_reals thetas;
	bool smooth; /* the first is solved from smoothed targets (sqpfw/smooth.c) */
	bool path;   /* instead: all solutions up to theta_max */
	double theta_max;
	int print;                      /* KITH_SQPFW_WEIGHTS, .. */
	const struct kith_dest *output; /* where it goes */

	/* What is known while it goes on: */
	struct kith_sqpfw_judge *judge;
	struct kith_sqpfw *solver;
	struct kith_sqpfw_now now;      /* the solution it is at, */
	struct kith_sqpfw_verdict seen; /* and what is known of it */
	struct kith_say_sqpfw_waiting waiting;
	size_t step;              /* the last that was printed */
	size_t solutions, doubts; /* those not certified */
	bool cut;                 /* the path ended early */
	struct kith_pool pool;
};

/* Solve, print, and return the status, or -1. */
int kith_sqpfw_run(struct kith_sqpfw_run *r, struct kith_out *out, struct kith_err *err);

/*
 * Judge the weights (of all features, in the units of the input) that came from
 * a file, at the first theta; print the verdict; the status, or -1.
 */
int kith_sqpfw_run_check(struct kith_sqpfw_run *r, const char *file, const double *weights,
    struct kith_out *out, struct kith_err *err);

/*
 * Let how->weight be the weights of the rows of a table, divided by their mean;
 * nothing where it has none.  Fails with EX_DATAERR where all are 0, as in a
 * part they may be.
 */
int kith_sqpfw_run_weigh(const struct kith_table *t, struct kith_sqpfw_how *how,
    struct kith_pool *pool, struct kith_err *err);

/* Free what is not in the pool, and the pool. */
void kith_sqpfw_run_free(struct kith_sqpfw_run *r);

#endif
