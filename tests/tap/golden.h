/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * golden - the tables of tests/golden, as its README.md describes them.
 *
 *	const struct golden t = golden_read("knife/cases.tsv", &pool);
 *
 *	for (size_t i = 0; i < t.rows; i++)
 *		due = golden_number(&t, i, "objective");
 *
 * A test whose table is missing, or is not as it should be, bails out.  GOLDEN
 * in the environment names another directory in place of tests/golden.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include "base/pool.h"
#include "la/mat.h"

#include <stdbool.h>
#include <stddef.h>

struct golden {
	const char *name;
	size_t rows, columns;
	char **cell; /* columns of the header line, then of each row */
};

/* Cells are divided by commas if the name ends in .csv, else by tabs. */
struct golden golden_read(const char *name, struct kith_pool *pool);

/* The cell of a row, as it is, as a number, as a whole number. */
const char *golden_cell(const struct golden *t, size_t row, const char *column);
double golden_number(const struct golden *t, size_t row, const char *column);
size_t golden_count(const struct golden *t, size_t row, const char *column);

bool golden_is(const struct golden *t, size_t row, const char *column, const char *text);

/* Which of n words the cell is. */
unsigned golden_word(
    const struct golden *t, size_t row, const char *column, const char *const *word, unsigned n);

/* The numbers of a cell, which commas divide; they must be n. */
double *golden_numbers(
    const struct golden *t, size_t row, const char *column, size_t n, struct kith_pool *pool);

/* How many they are; 0 where the cell is "-". */
size_t golden_length(const struct golden *t, size_t row, const char *column);

/* A table of numbers. */
struct kith_mat golden_matrix(const char *name, struct kith_pool *pool);

/* The same but for its last column, which is put in y (as many as rows). */
struct kith_mat golden_data(const char *name, double **y, struct kith_pool *pool);

/* The largest difference of n numbers. */
double golden_distance(const double *got, const double *due, size_t n);

#endif
