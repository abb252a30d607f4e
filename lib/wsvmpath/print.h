/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/print - a path as a table.
 *
 *	events   step theta event row was becomes [other] [C]
 *	coef     step theta name value     (bias), and the alpha that are not 0
 *	margin   step theta row margin     f of each row
 *
 * Steps count the solutions from 1: at theta 0, at each end of a piece, and, where b jumps there,
 * also after the jump.  With thetas to print, only the thetas given have steps; at a jump, the
 * solution is the limit from smaller theta.  An event has the step before it; it is called enter or
 * leave (the margin), or cross.
 *
 * A variable has the name of its row; regress: alpha is signed, and both variables of a row are
 * one; rank: the name is better>worse, and better and worse are row and other of events.
 */
#ifndef KITH_WSVMPATH_PRINT_H
#define KITH_WSVMPATH_PRINT_H

#include "wsvmpath/task.h"

/* Returns the name of variable v, in the pool. */
char *kith_svm_name(const struct kith_svm_task *task, size_t v, struct kith_pool *pool);

/* Writes the header of KITH_SVM_EVENTS, ... */
void kith_svm_print_header(const struct kith_svm_task *task, int print, struct kith_out *out);

/* Begins to print a path, behind its header; at.n 0: at all breakpoints. */
struct kith_svm_print *kith_svm_print_new(const struct kith_svm_task *task, int print,
    struct kith_reals at, struct kith_out *out, struct kith_pool *pool);

/* Writes an event; `to` is the struct kith_svm_print. */
void kith_svm_print_event(void *to, const struct kith_wsvm_event *event);

/* Writes the solutions of the piece that follows the events. */
void kith_svm_print_piece(struct kith_svm_print *p, struct kith_wsvm_piece *piece);

/* Writes the end of the last piece.  Returns the number of steps. */
size_t kith_svm_print_end(struct kith_svm_print *p);

/* A row of the tables of svmonline and svmtransduce: id predicted actual margin, or of numbers
   id predicted actual, where f is predicted. */
struct kith_svm_prediction {
	const char *id; /* NULL: the row has its number */
	size_t number;
	const char *predicted; /* the class; NULL: predicted and margin are missing */
	const char *actual;    /* the class; NULL: missing */
	double margin;         /* f; numbers: NaN: missing */
};

void kith_svm_prediction_header(bool classes, struct kith_out *out);
void kith_svm_prediction_write(const struct kith_svm_prediction *p, struct kith_out *out);
/* As a number; actual: NaN: missing. */
void kith_svm_prediction_number(
    const struct kith_svm_prediction *p, double actual, struct kith_out *out);

#endif
