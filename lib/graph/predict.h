/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/predict - what a method of graph/prop.h predicts for rows that a graph
 * joins, from the labels that are known.
 */
#ifndef KITH_GRAPH_PREDICT_H
#define KITH_GRAPH_PREDICT_H

#include "graph/known.h"
#include "graph/prop.h"
#include "graph/prop_solve.h"
#include "graph/prove.h"

#include <stddef.h>
#include <stdint.h>

struct kith_claim;
struct kith_ends;
struct kith_err;
struct kith_pool;
struct kith_predicted;
struct kith_undirected;

/* A method, with its parameters. */
struct kith_prop_how {
	enum kith_prop_method method;
	double alpha; /* of spread */
};

struct kith_prop_run {
	const struct kith_known *known;
	const uint32_t *place;          /* of each row, its node */
	struct kith_prop_labels labels; /* of the nodes; numbers: c is 1 or 2 */
	struct kith_prop prop;
	struct kith_prop_solved solved;
	struct kith_proof proof;

	/* Of rows that no label reaches: */
	size_t common; /* the class that most labels have, the first of equal */
	double *share; /* c: the shares of the labels */
	double mean;   /* numbers */
};

/*
 * Give the nodes of the graph the labels of their rows, and pose the problem, in
 * the pool.  What is pointed at, and *run itself, stay where they are.
 */
void kith_prop_run_pose(const struct kith_undirected *graph, const uint32_t *place,
    const struct kith_known *known, const struct kith_prop_how *how, struct kith_prop_run *run,
    struct kith_pool *pool);

/* Solve it, and judge the scores. */
void kith_prop_run_solve(struct kith_prop_run *run, size_t threads, struct kith_pool *pool);

/*
 * Judge, instead of solving it, the scores and classes of a claim, which was read
 * from `file`.  Fails where a row that has no fixed label is not in it.  Takes
 * the time of kith_prop_walk().
 */
int kith_prop_run_claim(struct kith_prop_run *run, const struct kith_claim *claim, const char *file,
    const struct kith_ends *nodes, size_t threads, struct kith_pool *pool, struct kith_err *err);

/* Whether a label reaches row i; the class, or number, predicted for it. */
bool kith_prop_run_reaches(const struct kith_prop_run *run, size_t i);
size_t kith_prop_run_class(const struct kith_prop_run *run, size_t i);
double kith_prop_run_number(const struct kith_prop_run *run, size_t i);

/*
 * What is predicted for the rows that are wanted (n), with scores of classes;
 * nothing, unless `prior` says so, for those that no label reaches.  In the pool.
 */
void kith_prop_run_gather(const struct kith_prop_run *run, const bool *wanted, bool scores,
    bool prior, struct kith_predicted *to, struct kith_pool *pool);

#endif
