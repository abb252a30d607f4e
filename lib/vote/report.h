/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/report - what commands that predict print: predictions, or how many of them are wrong.
 *
 *	id predicted [actual] [score:CLASS ...]
 *	   [pair:CLASS:CLASS ...]
 *
 * with predicted_K and score_K:CLASS for each K where there are several, and NA where nothing
 * is predicted; or errors, as table/trial.h.
 */
#ifndef KITH_VOTE_REPORT_H
#define KITH_VOTE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct kith_dest;
struct kith_err;
struct kith_names;
struct kith_out;
struct kith_predicted;
struct kith_table;
struct kith_trial;

struct kith_report {
	const struct kith_table *rows;  /* the rows that were predicted */
	const struct kith_names *class; /* what the predicted classes are */
	const struct kith_predicted *predicted;
	const size_t *k;    /* predicted->nk of them */
	bool probabilities; /* the scores are: columns probability:CLASS, not score:CLASS */
	const bool *skip;   /* rows that are not written, by their numbers in `rows`; or NULL */
};

/*
 * Opens the output and writes predictions of rows from..to-1, which are rows
 * first.. of r->predicted.  Fails, before anything is written, when two columns
 * would have one name, or when the output cannot be opened.
 */
int kith_report_predictions(const struct kith_report *r, size_t from, size_t to, size_t first,
    const struct kith_dest *dest, struct kith_out *out, struct kith_err *err);

/*
 * n, errors, error and se of the a-th k on all rows, which fall into parts
 * (NULL: each row is its own part).  Rows whose actual value is missing do not
 * count; with none, the error is NaN.
 */
void kith_report_trial(const struct kith_report *r, size_t a, const size_t *part, size_t parts,
    struct kith_trial *trial);

#endif
