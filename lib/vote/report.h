/*
 * vote/report - what commands that predict print: predictions, or how many of
 * them are wrong.
 *
 *	id predicted [actual] [kept columns] [score:CLASS ...]
 *
 * with predicted_K and score_K:CLASS for each K where there are several, and
 *
 *	[share] k n errors error    (classes)
 *	[share] k n rmse            (numbers)
 *
 * with sigma in the place of k where all rows vote.
 */
#ifndef KITH_VOTE_REPORT_H
#define KITH_VOTE_REPORT_H

#include <stddef.h>

struct kith_dest;
struct kith_err;
struct kith_names;
struct kith_out;
struct kith_predicted;
struct kith_table;

struct kith_report {
	const struct kith_table *rows;  /* the rows that were predicted */
	const struct kith_names *class; /* what the predicted classes are */
	const struct kith_predicted *predicted;
	const size_t *k; /* predicted->nk of them, or NULL: all rows voted */
	double sigma;    /* then; NaN: there are several */
};

/*
 * Open the output and write predictions of rows from..to-1, which are rows
 * first.. of r->predicted.  Fails, before anything is written, when two columns
 * would have one name, or when the output cannot be opened.
 */
int kith_report_predictions(const struct kith_report *r, size_t from, size_t to,
    size_t first, const struct kith_dest *dest, struct kith_out *out,
    struct kith_err *err);

/* Write the header of the error table, with a column share or without. */
void kith_report_header(
    const struct kith_report *r, int with_share, struct kith_out *out);

/*
 * Write its rows, one for each k; share is NULL or points at the percentage.
 * Rows whose actual value is missing do not count; with none, the error is NA.
 */
void kith_report_errors(
    const struct kith_report *r, const double *share, struct kith_out *out);

#endif
