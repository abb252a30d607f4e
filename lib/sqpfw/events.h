/*
 * sqpfw/events - the changes of the active set of sqpfw/sqpfw.h as a table of
 * events (table/path.h): they are told while the solver is on its way, and
 * written when the step that they lead to is known.
 */
#ifndef KITH_SQPFW_EVENTS_H
#define KITH_SQPFW_EVENTS_H

#include <stddef.h>

struct kith_learn;
struct kith_out;
struct kith_pool;
struct kith_sqpfw_event;

struct kith_sqpfw_waiting {
	struct kith_pool *pool; /* where they are kept */
	struct kith_sqpfw_event *event;
	size_t n, room;
};

/* Keep an event; to is a struct kith_sqpfw_waiting.  See kith_sqpfw_report. */
void kith_sqpfw_events_keep(void *to, const struct kith_sqpfw_event *event);

/* Write those that wait, of this step, and flush; none waits any more. */
void kith_sqpfw_events_write(struct kith_sqpfw_waiting *waiting, size_t step,
    const struct kith_learn *rows, struct kith_out *out);

#endif
