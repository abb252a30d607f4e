/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/print - a path as a table.
 *
 *	events   step theta event row was becomes [other] [C]
 *	coef     step theta name value     (bias), and the alpha that are not 0
 *	margin   step theta row margin     f of each row
 *
 * Steps count the solutions from 1: those at 0, at each end of a piece, and
 * where b jumps there, the one after it too; an event has the step before it.
 * Where thetas are given, they alone have steps; at a jump that is the limit
 * from before.  Events are called enter and leave, of the margin, or cross.
 *
 * A variable is called by its row; regress: alpha is signed, both variables
 * of a row being one; rank: as better>worse, which is row and other of events.
 */
#ifndef KITH_WSVMPATH_PRINT_H
#define KITH_WSVMPATH_PRINT_H

#include "base/num.h"

struct kith_out;
struct kith_pool;
struct kith_table;
struct kith_wsvm_event;
struct kith_wsvm_job;
struct kith_wsvm_piece;
struct kith_wsvm_print;

/* What row i is called: its id, or its number, written into `number`. */
const char *kith_wsvm_row_id(const struct kith_table *t, size_t i, char number[KITH_NUM_ROOM]);

/* What variable v is called, in the pool. */
char *kith_wsvm_name(const struct kith_wsvm_job *job, size_t v, struct kith_pool *pool);

/* Write the header of what the call says (wsvmpath/task.h). */
void kith_wsvm_print_header(const struct kith_wsvm_job *job, struct kith_out *out);

/* The same, to go on with solutions. */
struct kith_wsvm_print *kith_wsvm_print_new(
    const struct kith_wsvm_job *job, struct kith_out *out, struct kith_pool *pool);

/* Write an event; `to` is the struct kith_wsvm_print. */
void kith_wsvm_print_event(void *to, const struct kith_wsvm_event *event);

/*
 * Write the piece that follows the events; the end of the last piece, and
 * return the number of steps.
 */
void kith_wsvm_print_piece(struct kith_wsvm_print *p, struct kith_wsvm_piece *piece);
size_t kith_wsvm_print_end(struct kith_wsvm_print *p);

struct kith_wsvm_prediction {
	const char *id; /* NULL: the row has its number */
	size_t number;
	const char *predicted; /* class; NULL: missing, and margin too */
	const char *actual;    /* class; NULL: missing */
	double margin;         /* f */
};

/* Write rows of svmonline and svmtransduce: id predicted actual margin. */
void kith_wsvm_print_prediction_header(struct kith_out *out);
void kith_wsvm_print_prediction_write(const struct kith_wsvm_prediction *p, struct kith_out *out);

#endif
