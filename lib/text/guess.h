/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/guess - files that are no table of ours, refused with a hint at what
 * would make them one.
 */
#ifndef KITH_TEXT_GUESS_H
#define KITH_TEXT_GUESS_H

#include <stddef.h>

struct kith_err;
struct kith_lines;

/*
 * Fail on a file of another program, which its first bytes tell: Parquet,
 * Arrow, SQLite, HDF5, R, Excel.
 */
int kith_guess_refuse(
    const char *file, const char *start, size_t len, struct kith_err *err);

/*
 * Fail where the first record, whose line ends at buf[from + end], looks like
 * svmlight, LABEL INDEX:VALUE ..., or like the beginning of ARFF.
 */
int kith_guess_first(struct kith_lines *l, size_t end, struct kith_err *err);

/*
 * Fail where the first record, which is one cell, and each of the five lines
 * below, as far as they are there, would be the same number > 1 of cells if
 * blanks divided them, or '|' did, and the cells of these lines are numbers.
 */
int kith_guess_divided(struct kith_lines *l, size_t end, struct kith_err *err);

#endif
