/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/machine - kernel machines: what a support vector machine, or any method whose answer is a
 * kernel expansion, has learnt, and what it predicts.  With n rows x_i, and an output f_o for each
 * column o of the coefficients,
 *
 *	f_o(x) = sum_i coef_io K(x_i, x) + bias_o
 *
 *	task       outputs           predicted
 *	classify   1 if classes <= 2 the second class if f > 0, else the first
 *	  rest     1 per class else  that of the largest f, of equal ones the first
 *	  one      1 per pair  else  that of the most votes, of equal ones the first
 *	regress    1                 f
 *	rank       1                 f, a score
 *
 * Classes are in byte order; with two, the second is +1, and f = 0 falls to the first.  A machine
 * of one class predicts it.  More classes are set each against the rest, or one against one: the
 * outputs are then those of the pairs 1 2, 1 3, ..., 1 c, 2 3, ..., and each gives its vote to one
 * class of its pair, as a machine of two classes would.  The kernel has the weights of the
 * features, a vector or a matrix (kernel/kern.h).
 */
#ifndef KITH_MACHINE_MACHINE_H
#define KITH_MACHINE_MACHINE_H

#include "base/names.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "near/metric.h"
#include "table/unit.h"
#include "text/rows.h"

struct kith_predicted;
struct kith_table;

enum kith_machine_task { KITH_MACHINE_CLASSIFY, KITH_MACHINE_REGRESS, KITH_MACHINE_RANK };

/* How more than two classes are told apart. */
enum kith_machine_multi { KITH_MACHINE_REST, KITH_MACHINE_ONE };

struct kith_machine {
	enum kith_machine_task task;
	enum kith_machine_multi multi;
	struct kith_kern kern;     /* by gamma; its metric is the one below: */
	struct kith_metric metric; /* of p features */
	struct kith_mat X;         /* n x p, n >= 0 */
	const double *coef;        /* n x outputs, finite */
	const double *bias;        /* outputs, finite */

	struct kith_names feature; /* p names; n 0: known by their place alone (LIBSVM) */
	bool first_is_plus;        /* f > 0 says the first of two, as in LIBSVM */
	struct kith_names class;   /* classify: the classes */
	const char *target;        /* name of the target, or NULL */
	struct kith_names column;  /* of the table learnt from; n 0: unknown */
	const double *mean;        /* p, for missing cells; or NULL */
	struct kith_unit unit;     /* of X; center NULL: that of the input */
	const double *C;           /* what each row weighs, or NULL */
	const double *A, *B;       /* outputs: of kith_platt_fit(); or NULL */
	struct kith_texts id;      /* what the rows are called, or if n is 0 */
	const size_t *number;      /* their numbers; NULL: 1..n */
};

/* The number of outputs. */
size_t kith_machine_outputs(const struct kith_machine *m);

/* Whether the outputs are those of pairs of classes, of more than two. */
bool kith_machine_has_pairs(const struct kith_machine *m);

/* The classes first < second, from 0, of pair o < c (c - 1) / 2. */
void kith_machine_pair(size_t c, size_t o, size_t *first, size_t *second);

/*
 * Leave out the features that do not count in the metric (near/metric.h), one at
 * least staying; changed arrays go to the pool.
 */
void kith_machine_pack(struct kith_machine *m, struct kith_pool *pool);

/*
 * Sets X, coef, id and number to the rows of a table that have a coefficient that is not 0: the
 * features of row i are in row i of X, its coefficients in coef (n x outputs).
 */
void kith_machine_rows(struct kith_machine *m, const struct kith_table *t, const struct kith_mat *X,
    const double *coef, struct kith_pool *pool);

/*
 * The outputs for the rows of Z (q x p) into f (q x outputs).  Each depends on
 * its row alone, to the last bit.  Requires that all features count.  Time
 * O(q n (p + outputs)).
 */
void kith_machine_score(
    const struct kith_machine *m, const struct kith_mat *Z, size_t threads, double *f);

/*
 * The probabilities p of the classes by the outputs f of a row (machine/machine.c):
 * probabilities of pairs are coupled, those against the rest divided by their sum.  Requires one
 * class, or A and B.
 */
void kith_machine_probabilities(const struct kith_machine *m, const double *f, double *p);

/*
 * Fits A and B to n >= 1 outputs f, finite, and whether each is of +1 (Platt, 1999).  Where all f
 * are equal, A is 0.  Sums run in the order of the rows.  Time O(n), times 10 or so.
 */
void kith_platt_fit(const double *f, const bool *plus, size_t n, double *A, double *B);

/* What is predicted for each class beside the class. */
enum kith_machine_shares {
	KITH_MACHINE_CLASS,  /* nothing */
	KITH_MACHINE_SCORES, /* f of each class; of two classes -f and f; of pairs the votes, and f
				of each pair */
	KITH_MACHINE_PROBABILITIES /* needs A and B; the class has the largest probability,
				      of equal ones the first */
};

/*
 * Predicts the rows of Z, which are in the units of the machine: classes or numbers, results in the
 * pool.  Returns 0, or -1 where an output is no number, since a kernel overflows; *row is then
 * the first row of Z whose output is no number.
 */
int kith_machine_predict(const struct kith_machine *m, const struct kith_mat *Z,
    enum kith_machine_shares shares, size_t threads, struct kith_predicted *out, size_t *row,
    struct kith_pool *pool);

/*
 * The name of the o-th output of several, in the pool: CLASS or CLASS:CLASS between two texts,
 * where a colon and a backslash in a class of a pair are written behind a backslash.
 */
char *kith_machine_name(const struct kith_machine *m, size_t o, const char *before,
    const char *after, struct kith_pool *pool);

/* The words of tasks and kernels, by their enums; NULL ends them, and "" is none. */
extern const char *const kith_machine_tasks[];
extern const char *const kith_machine_kernels[];

#endif
