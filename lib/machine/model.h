/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/model - kernel machines as model files.
 *
 * A model file is a table of the rows of the machine below lines `# key<TAB>value...`, which
 * readers of tables skip:
 *
 *	# version  1
 *	# task     classify, regress or rank
 *	# kernel   gaussian, linear, polynomial or laplacian
 *	# gamma    of all kernels but the linear; degree, coef0: of the polynomial
 *	# C        the cost of each row (may be absent)
 *	# target   name of the target (may be absent)
 *	# columns  names of the columns of the table learnt from (may be absent)
 *	# classes  classify: the classes, in byte order
 *	# multi    more than two classes: rest or one (absent: rest)
 *	# bias     a number for each output
 *	# probA, probB  classify: numbers for each output (machine/machine.h; both may be absent)
 *	# weights  p numbers or p x p of them (absent: all ones)
 *	# means    p means of the features (may be absent)
 *	# center   p numbers, and
 *	# scale    p of them from 0 (both may be absent)
 *	# rows     n
 *	(id)  (coef)  feature ...
 *
 * with a column (coef:CLASS) for each class where there are several outputs, or
 * (coef:CLASS:CLASS) for each pair of classes, where a colon and a backslash of a class have a
 * backslash before them.  With center and scale the rows of the table are in the units of
 * table/unit.h.  In the names and classes above the table a backslash, LF and CR are written \\,
 * \n and \r, so that each key stays on its line.  Numbers read back exactly.
 */
#ifndef KITH_MACHINE_MODEL_H
#define KITH_MACHINE_MODEL_H

#include "machine/machine.h"

struct kith_err;
struct kith_keys;
struct kith_out;
struct kith_pool;

/*
 * Reads a model file ("-": standard input; gzip too), or one that LIBSVM has written
 * (machine/libsvm.c); features that do not count are left out.
 *
 * Fails, naming file and line, when it cannot be read, is no model, has another version, keys that
 * are unknown, missing, given twice or do not fit each other, a number that will not do, weights
 * that give no kernel, or is not whole: other rows than it says, or no line end at its end.
 */
int kith_model_read(
    const char *file, struct kith_machine *m, struct kith_pool *pool, struct kith_err *err);

/*
 * Writes a machine as a model file; features that do not count are left out.  Fails with EX_DATAERR
 * when two columns would have one name.
 */
int kith_model_write(const struct kith_machine *m, struct kith_out *out, struct kith_err *err);

/* The models of LIBSVM, machine/libsvm.c. */

/* Its keys: a format of machine/keys.h. */
extern const struct kith_keys kith_libsvm_format;

/*
 * Reads a model, a text, whose first record is the next of k.  Fails with EX_DATAERR, naming file
 * and line, on keys that are unknown, missing or there twice, on values that will not do or are too few
 * or too many, on labels that are equal, on a kernel that kith does not have, and on lines
 * of support vectors of another form, or more or fewer than total_sv says.
 */
int kith_libsvm_read(struct kith_keys *k, const char *text, struct kith_machine *m);

/*
 * Whether a machine of the table `file` can be written: fails with EX_DATAERR, and a hint, where a class is no whole
 * number as LIBSVM prints it, where features have weights or are scaled by the model, and where the
 * degree is no int.  The rows and their coefficients need not be there yet.
 */
int kith_libsvm_check(const struct kith_machine *m, const char *file, struct kith_err *err);

/* Writes a machine; requires that the check has passed. */
void kith_libsvm_write(const struct kith_machine *m, struct kith_out *out);

#endif
