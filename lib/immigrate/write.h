/* SPDX-License-Identifier: BSD-2-Clause */
/* immigrate/write - the table of a fit: weights, or margins. */
#ifndef KITH_IMMIGRATE_WRITE_H
#define KITH_IMMIGRATE_WRITE_H

#include <stdbool.h>
#include <stddef.h>

struct kith_check;
struct kith_dest;
struct kith_err;
struct kith_immigrate_fitted;
struct kith_immigrate_rows;
struct kith_immigrate_unit;
struct kith_out;
struct kith_pool;
struct kith_table;

/* A fit of the rows of a table, scaled as the unit says. */
struct kith_immigrate_result {
	const struct kith_table *t;
	const struct kith_immigrate_rows *rows;
	const struct kith_immigrate_unit *unit;
	struct kith_immigrate_fitted *fit;
	size_t threads;
	size_t sample, seed; /* of the rows, or 0: these are all */
};

/*
 * Open the table `to`, and write the weights in the units of the input, to which
 * fit->metric is brought, with their sigma and the sample in comments; or the margins of the
 * rows (immigrate/margin.h).  Fails as kith_immigrate_unit_metric() and
 * kith_out_open_table() do.
 */
int kith_immigrate_write(const struct kith_immigrate_result *result, bool margins,
    const struct kith_dest *to, struct kith_out *out, struct kith_pool *pool, struct kith_err *err);

/* The verdict of --check (table/verdict.h), with the sample that was judged in comments. */
int kith_immigrate_verdict(const struct kith_check *check, size_t n, size_t sample, size_t seed,
    const struct kith_dest *to, struct kith_out *out, struct kith_err *err);

#endif
