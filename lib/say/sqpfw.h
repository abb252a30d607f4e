/* SPDX-License-Identifier: BSD-2-Clause */
/* say/sqpfw - what sqpfw tells of its solutions, beside weights. */
#ifndef KITH_SAY_SQPFW_H
#define KITH_SAY_SQPFW_H

#include <stdbool.h>
#include <stddef.h>

struct kith_learn;
struct kith_out;
struct kith_pool;
struct kith_sqpfw_event;
struct kith_sqpfw_how;
struct kith_sqpfw_verdict;
struct kith_sqpfw_now;

/* Note a solution. */
void kith_say_sqpfw_solution(
    const struct kith_sqpfw_now *now, const struct kith_sqpfw_verdict *seen, bool certified);

/* Log one. */
void kith_say_sqpfw_log(const struct kith_sqpfw_now *now, const struct kith_sqpfw_verdict *seen);

/* Warn of one that is not certified, and say why. */
void kith_say_sqpfw_doubt(const struct kith_sqpfw_now *now, const struct kith_sqpfw_verdict *seen);

/*
 * The changes of the active set of sqpfw/sqpfw.h as a table of events
 * (table/path.h): they are reported while the solver is on its way, and written
 * when the step that they lead to is known.
 */
struct kith_say_sqpfw_waiting {
	struct kith_pool *pool; /* of event[] */
	struct kith_sqpfw_event *event;
	size_t n, room;
};

/* A kith_sqpfw_report: keep an event; to is a struct kith_say_sqpfw_waiting. */
void kith_say_sqpfw_keep(void *to, const struct kith_sqpfw_event *event);

/* Write the waiting events as those of a step, and flush; then none waits. */
void kith_say_sqpfw_events(struct kith_say_sqpfw_waiting *waiting, size_t step,
    const struct kith_learn *rows, struct kith_out *out);

/*
 * Write the target hit and the target miss of each row under weights w (p, in
 * the units of the rows), as a table
 *
 *	id hit miss distance_hit distance_miss margin
 *
 * with margin = distance_miss - distance_hit; of rows that are equally far the
 * earlier comes first.
 */
void kith_say_sqpfw_margins(const struct kith_learn *rows, const double *w,
    const struct kith_sqpfw_how *how, struct kith_out *out);

#endif
