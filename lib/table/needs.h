/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/needs - what a table of weights says it needs, in comments before its
 * header:
 *
 *	# sigma<TAB>2
 *
 * is the scale that immigrate found the weights with, and that --vote expected
 * is to have;
 *
 *	# k<TAB>3
 *
 * is the number of neighbours that the weights were chosen for; "# theta" is where sqpfw found
 * them, and changes nothing;
 *
 *	# scale<TAB>zscore
 *
 * is how the rows were scaled that the weights were learnt from.  Weights are in the units of
 * the table all the same, so that rows must not be scaled once more beside them.
 */
#ifndef KITH_TABLE_NEEDS_H
#define KITH_TABLE_NEEDS_H

#include <stddef.h>

struct kith_err;
struct kith_out;
struct kith_rec;

struct kith_needs {
	const char *file; /* the table, for messages */
	double sigma;     /* > 0; 0: the table does not say */
	size_t k;         /* > 0; 0: the table does not say */
	int scale;        /* KITH_UNIT_NONE (table/unit.h): the table does not say, or none */
	size_t unknowns;  /* keys that mean nothing here, */
	char unknown[61]; /* the first of them, cut */
	size_t negatives; /* negative weights that were read as 0 (kith_weights_read()) */
};

/*
 * Take the notes of the record reader, which has read the header.  Fails with
 * EX_DATAERR, naming the line, where a sigma is no number above 0, a k no count from 1, there are
 * two of them, or a scale is no method of table/unit.h.
 */
int kith_needs_read(const struct kith_rec *rec, struct kith_needs *needs, struct kith_err *err);

/* Write them, before the header. */
void kith_needs_put(const struct kith_needs *needs, struct kith_out *out);

#endif
