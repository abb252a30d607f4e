/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/machine - kernel machines: what a support vector machine, or any
 * method whose answer is a kernel expansion, has learnt.  With n rows x_i, and
 * an output f_o for each column o of the coefficients,
 *
 *	f_o(x) = sum_i coef_io K(x_i, x) + bias_o
 *
 *	task       outputs           predicted
 *	classify   1 if classes <= 2 the second class if f > 0, else the first
 *	  rest     1 per class else  that of the largest f, of equal ones the
 *	                             first
 *	  one      1 per pair  else  that of the most votes, of equal ones the
 *	                             first
 *	regress    1                 f
 *	rank       1                 f, a score
 *
 * Classes are in byte order; with two, the second is +1, and f = 0 falls to
 * the first.  A machine of one class predicts it.  More classes are set each
 * against the rest, or one against one: the outputs are then those of the pairs
 * 1 2, 1 3, ..., 2 3, ..., and each gives its vote to one class of its pair
 * (machine/votes.h), as a machine of two classes would.  The weights of
 * features, a vector or a matrix, are those of the kernel (kernel/kern.h).
 *
 * A model file is a table of the rows below lines `# key<TAB>value...`, which
 * readers of tables skip:
 *
 *	# version  1
 *	# task     classify, regress or rank
 *	# kernel   gaussian, linear, polynomial or laplacian
 *	# gamma    of all kernels but the linear; degree, coef0: polynomial
 *	# C        what each row weighs (may be absent)
 *	# target   name of the target (may be absent)
 *	# columns  names of the columns of the table learnt from (may be absent)
 *	# classes  classify: the classes, in byte order
 *	# multi    more than two classes: rest or one (absent: rest)
 *	# bias     a number for each output
 *	# probA, probB  classify: numbers for each output (machine/platt.h; both
 *	           may be absent)
 *	# weights  p numbers or p x p of them (absent: all ones)
 *	# means    p means of the features (may be absent)
 *	# center   p numbers, and
 *	# scale    p of them from 0 (both may be absent)
 *	# rows     n
 *	(id)  (coef)  feature ...
 *
 * with (coef:CLASS) for each class where there are several outputs, or
 * (coef:CLASS:CLASS) for each pair, where a colon and a backslash of a class have
 * a backslash before them.  With center and scale the rows of the table are in
 * the units of table/unit.h, and a row to predict is to be brought into them
 * first: kith_machine_scale().  In the names and classes above the table a
 * backslash, LF and CR are written \\, \n and \r, so that each key stays on its
 * line.  Numbers read back exactly.
 */
#ifndef KITH_MACHINE_MACHINE_H
#define KITH_MACHINE_MACHINE_H

#include "base/names.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "near/metric.h"
#include "table/unit.h"
#include "text/cell.h"

struct kith_err;

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

	struct kith_names feature; /* p names */
	bool by_place;             /* their names say only where they stand */
	bool first_is_plus;        /* f > 0 says the first of two, as in LIBSVM */
	struct kith_names class;   /* classify: the classes */
	const char *target;        /* name of the target, or NULL */
	struct kith_names column;  /* of the table learnt from; n 0: unknown */
	const double *mean;        /* p, for missing cells; or NULL */
	struct kith_unit unit;     /* of X; center NULL: that of the input */
	const double *C;           /* what each row weighs, or NULL */
	const double *A, *B;       /* outputs: of machine/platt.h; or NULL */
	struct kith_texts id;      /* what the rows are called, or if n is 0 */
	const size_t *number;      /* their numbers; NULL: 1..n */
};

/* The number of outputs. */
size_t kith_machine_outputs(const struct kith_machine *m);

/* Whether the outputs are those of pairs of classes, of more than two. */
bool kith_machine_votes(const struct kith_machine *m);

/*
 * Let the names of the features, their means and units be those of these p
 * columns alone; in the pool.
 */
void kith_machine_name(
    struct kith_machine *m, const size_t *column, size_t p, struct kith_pool *pool);

/*
 * Leave out the features that do not count in the metric (near/metric.h), one at
 * least staying; changed arrays go to the pool.
 */
void kith_machine_pack(struct kith_machine *m, struct kith_pool *pool);

/*
 * Let the features of a machine whose features are known by_place be these; its
 * rows have 0 in those that it has not.  Fails with EX_DATAERR where they are
 * fewer than its own.  Changed arrays go to the pool.
 */
int kith_machine_place(struct kith_machine *m, const struct kith_names *feature,
    struct kith_pool *pool, struct kith_err *err);

/*
 * Bring rows of Z, in the units of the input, into those of the machine, in
 * place.  Fails where they are beyond the range of table/range.h then.
 */
int kith_machine_scale(const struct kith_machine *m, struct kith_mat *Z,
    const struct kith_origin *from, struct kith_err *err);

/*
 * The outputs for the rows of Z (q x p) into f (q x outputs).  Each depends on
 * its row alone, to the last bit.  Requires that all features count.  Time
 * O(q n (p + outputs)).
 */
void kith_machine_score(
    const struct kith_machine *m, const struct kith_mat *Z, size_t threads, double *f);

/*
 * The name of the o-th output of several in the pool: CLASS or CLASS:CLASS behind
 * this text.
 */
char *kith_machine_output(
    const struct kith_machine *m, size_t o, const char *before, struct kith_pool *pool);

/* The name of the o-th column of coefficients, in the pool. */
char *kith_machine_coef(const struct kith_machine *m, size_t o, struct kith_pool *pool);

/* The words of a model file, by their enums; NULL ends them. */
extern const char *const kith_machine_tasks[];
extern const char *const kith_machine_kernels[];
extern const char *const kith_machine_multis[];

#endif
