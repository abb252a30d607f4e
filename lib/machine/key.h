/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/key - the lines above the table of a model file (machine/machine.h).
 */
#ifndef KITH_MACHINE_KEY_H
#define KITH_MACHINE_KEY_H

#include "machine/machine.h"
#include "text/rec.h"

enum kith_machine_key {
	KITH_MODEL_VERSION,
	KITH_MODEL_TASK,
	KITH_MODEL_KERNEL,
	KITH_MODEL_GAMMA,
	KITH_MODEL_DEGREE,
	KITH_MODEL_COEF0,
	KITH_MODEL_C,
	KITH_MODEL_TARGET,
	KITH_MODEL_COLUMNS,
	KITH_MODEL_CLASSES,
	KITH_MODEL_MULTI,
	KITH_MODEL_BIAS,
	KITH_MODEL_A,
	KITH_MODEL_B,
	KITH_MODEL_WEIGHTS,
	KITH_MODEL_MEANS,
	KITH_MODEL_CENTER,
	KITH_MODEL_SCALE,
	KITH_MODEL_ROWS,
	KITH_MODEL_KEYS
};

/* A model file while it is read. */
struct kith_machine_reader {
	struct kith_rec rec;
	struct kith_machine *m; /* filled as far as it was read */
	struct kith_pool *pool;
	size_t line[KITH_MODEL_KEYS];    /* where a key stands; 0: nowhere */
	double *number[KITH_MODEL_KEYS]; /* its values, if numbers */
	size_t n[KITH_MODEL_KEYS];       /* and how many */
	size_t rows;                     /* that there are to be */

	/* machine/read.c's. */
	double *coef;
	size_t room; /* of rows, in coef and m->X */
};

/* Fail at the line of a key. */
int kith_machine_key_fail(const struct kith_machine_reader *in,
    enum kith_machine_key key, const char *why, struct kith_err *err);

/* Take the record in->rec, a line `# key<TAB>value...`. */
int kith_machine_key_take(struct kith_machine_reader *in, struct kith_err *err);

/*
 * Check that all keys are there that the task and the kernel need, and no
 * other; the record in->rec is the one behind them.  Fills what they say, but
 * for weights, means and units.
 */
int kith_machine_key_check(
    struct kith_machine_reader *in, struct kith_err *err);

#endif
