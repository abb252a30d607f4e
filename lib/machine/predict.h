/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/predict - what a machine (machine/machine.h) says of rows: classes,
 * scores, probabilities, numbers.
 */
#ifndef KITH_MACHINE_PREDICT_H
#define KITH_MACHINE_PREDICT_H

#include <stddef.h>

struct kith_machine;
struct kith_mat;
struct kith_pool;
struct kith_predicted;

/* What is said of each class beside the prediction. */
enum kith_machine_say {
	KITH_MACHINE_CLASS, /* nothing */
	KITH_MACHINE_SCORES,
	KITH_MACHINE_PROBABILITIES
};

/* The class that the outputs f of a row say. */
size_t kith_machine_class(const struct kith_machine *m, const double *f);

/*
 * The probabilities p of the classes by the outputs f of a row (machine/platt.h):
 * those of pairs are coupled, those of machines against the rest divided by their
 * sum.  Requires one class, or A and B.
 */
void kith_machine_chances(const struct kith_machine *m, const double *f, double *p);

/*
 * Predict the rows of Z, results in the pool: classes or numbers, and as `say`
 * says for each class f (for two classes -f and f; of pairs, the votes, and
 * f of each pair), or its probability, which needs A and B: then the class is that
 * of the largest probability, of equal ones the first.  -1 and the first such row in *row where an output is no
 * number, for a kernel overflows; else 0.
 */
int kith_machine_predict(const struct kith_machine *m, const struct kith_mat *Z,
    enum kith_machine_say say, size_t threads, struct kith_predicted *out, size_t *row,
    struct kith_pool *pool);

#endif
