/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cost/cost - what a run is going to cost: the table of --dry-run.
 *
 *	quantity	low	high
 *	rows	5000	5000
 *	...
 *	megabytes	31	31
 *	seconds	1.2	3.5
 *
 * A command reads its input, which is measured, and states what is left to do:
 * seconds of work at the speed of a stated machine, and bytes.  The seconds are
 * brought to the speed of this machine (cost/speed.h).  Both ends are the same
 * where the shape of the input decides, and apart where its numbers do.
 *
 * The other files of this room, one for each command, state the work: a formula
 * of a few terms in n rows, p features, m queries, k neighbours, c classes, with
 * constants that were measured on the stated machine; tests/bench/dryrun.bench
 * judges them.
 */
#ifndef KITH_COST_COST_H
#define KITH_COST_COST_H

#include <stddef.h>

struct kith_err;
struct kith_out;

struct kith_cost {
	/* What the input is; 0: no such line. */
	size_t rows, features, queries, classes, k;

	size_t threads;           /* 0 as 1 */
	double low, high;         /* seconds of work that threads share */
	double low_own, high_own; /* and of work that they do not */
	double bytes, most_bytes; /* at once, beside what is held now */
};

/* Add seconds of work to both ends, or to each. */
void kith_cost_add(struct kith_cost *cost, double seconds);
void kith_cost_range(struct kith_cost *cost, double low, double high);
void kith_cost_alone(struct kith_cost *cost, double low, double high);

/* Add bytes that are held until the end. */
void kith_cost_hold(struct kith_cost *cost, double bytes);

/*
 * All work is done `times` times, one after the other, as with --cv: the bytes
 * stay.
 */
void kith_cost_times(struct kith_cost *cost, double times);

/* Add work, of any size, that takes so many times what reading has taken. */
void kith_cost_as_reading(struct kith_cost *cost, double low, double high);

/*
 * Open the command's output and write the table there.  `speed`, called once,
 * is kith_cost_speed() (cost/speed.h), or kith_cost_pace() (cost/pace.h) where
 * the command has no BLAS; NULL where there is no work but that of
 * kith_cost_as_reading().  Fails as kith_out_open_table() does.
 */
typedef double kith_cost_speed_of(void);
int kith_cost_write(const struct kith_cost *cost, kith_cost_speed_of *speed, struct kith_out *out,
    struct kith_err *err);

#endif
