/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/prop_cv - how well labels are predicted over a graph: those of each part
 * of the labelled rows from the labels of all others, with the edges of all rows
 * (transductive).
 *
 * The loss of a row is 1 where a wrong class is predicted, else 0; of a number
 * the difference.  A row that no label reaches has a wrong class, or with `prior`
 * the one that most of the others have; and the mean of the numbers.
 */
#ifndef KITH_GRAPH_PROP_CV_H
#define KITH_GRAPH_PROP_CV_H

#include "graph/predict.h"
#include "table/trial.h"

struct kith_err;

/* The keys of trials: a method, and alpha, NaN where the method has none. */
enum { KITH_PROP_CV_METHOD, KITH_PROP_CV_ALPHA };

/*
 * Their columns: method, where the k trials have several; alpha, where one has
 * it; and errors.
 */
struct kith_trial_form kith_prop_cv_form(bool regress, const struct kith_trial *trial, size_t k);

/*
 * Deal the rows whose labels are known into equal parts (table/fold.h), as
 * tabfold does with a table of these rows alone: part[i] becomes 0..parts-1.
 * Fails with EX_DATAERR where there are fewer of them than parts.
 */
int kith_prop_cv_deal(const struct kith_known *known, size_t parts, uint64_t seed, size_t *part,
    struct kith_err *err);

struct kith_prop_cv_plan {
	const struct kith_undirected *graph;
	const uint32_t *place; /* as in graph/predict.h */
	const struct kith_known *known;
	const size_t *part; /* n, of the rows that are known */
	size_t parts;       /* >= 2 */
	bool prior;
};

/* What is to be said of the solutions. */
struct kith_prop_cv_doubts {
	size_t solutions, uncertain; /* of these the judge says no */
	size_t unreached;            /* rows, of all trials */
};

/*
 * Fill in k trials, whose keys are there; of how, method and alpha are theirs.
 * Time that of k times parts solutions; factors are shared among the parts as
 * graph/prop_solve.h says.
 */
void kith_prop_cv(const struct kith_prop_cv_plan *plan, const struct kith_prop_how *how,
    struct kith_trial *trial, size_t k, struct kith_prop_cv_doubts *doubts);

/* The method of a trial, with its parameters, in place of those of how. */
struct kith_prop_how kith_prop_cv_how(
    const struct kith_prop_how *how, const struct kith_trial *trial);

#endif
