/*
 * sqpfw/events - the changes of the active set of sqpfw/sqpfw.h as a table of
 * events (table/path.h): they are reported while the solver is on its way, and
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
	struct kith_pool *pool; /* of event[] */
	struct kith_sqpfw_event *event;
	size_t n, room;
};

/* A kith_sqpfw_report: keep an event; to is a struct kith_sqpfw_waiting. */
void kith_sqpfw_events_keep(void *to, const struct kith_sqpfw_event *event);

/* Write the waiting events as those of a step, and flush; then none waits. */
void kith_sqpfw_events_write(struct kith_sqpfw_waiting *waiting, size_t step,
    const struct kith_learn *rows, struct kith_out *out);

#endif
