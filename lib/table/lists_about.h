/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/lists_about - what lists of neighbours (table/lists.h) say of themselves,
 * in comments before their header:
 *
 *	# reference-shard<TAB>2/4     the block of the reference
 *	# shard<TAB>1/3               that of the rows, where there are several
 *	# reference<TAB>569           rows of the whole reference
 *	# rows<TAB>142                rows of the block that were searched
 *	# queries<TAB>190             rows whose neighbours are listed
 *	# k<TAB>5                     so many neighbours at most
 *	# radius<TAB>2.5              within so much
 *	# self<TAB>1                  the rows are the reference itself
 *	# named<TAB>1                 rows have ids, not numbers
 *	# numbers<TAB>1               targets are numbers, not classes
 *	# metric<TAB>9ae16a3b2f90404f a hash of what distances depend on
 *	# class<TAB>benign            each class of the block
 */
#ifndef KITH_TABLE_LISTS_ABOUT_H
#define KITH_TABLE_LISTS_ABOUT_H

#include "table/only.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_metric;
struct kith_names;
struct kith_out;
struct kith_pool;
struct kith_rec;

struct kith_lists_about {
	struct kith_block block, shard;
	size_t reference, rows, queries;
	size_t k;      /* 0: no limit */
	double radius; /* < 0: none */
	bool self, named, numbers;
	uint64_t metric;
};

/* Where the notes of a file stand that it has; 0: it has not. */
struct kith_lists_lines {
	size_t block, shard, reference, rows, queries, k, radius, self, named, numbers, metric;
};

/*
 * Take the notes of a record reader that has read the header, and add its
 * classes to those of the pool.  Fails with EX_DATAERR, naming the line, where
 * one that is due lacks, or is not what it should be.
 */
int kith_lists_about_read(const struct kith_rec *rec, struct kith_lists_about *about,
    struct kith_lists_lines *line, struct kith_names *class, struct kith_pool *pool,
    struct kith_err *err);

/* Fail where two lists are not of one set, at the line of the second. */
int kith_lists_about_same(const struct kith_lists_about *a, const char *name,
    const struct kith_lists_about *b, const char *file, const struct kith_lists_lines *line,
    struct kith_err *err);

/* Write them, and the classes (NULL: none), before the header. */
void kith_lists_about_put(
    const struct kith_lists_about *about, const struct kith_names *class, struct kith_out *out);

/*
 * A hash (FNV-1a) of a metric and the names of its features; and of bytes more.
 */
uint64_t kith_lists_hash(const struct kith_metric *metric, const struct kith_names *feature);
uint64_t kith_lists_hash_more(uint64_t hash, const void *bytes, size_t n);

#endif
