#include "sqpfw/events.h"

#include "base/pool.h"
#include "sqpfw/problem.h"
#include "table/learn.h"
#include "table/path.h"
#include "text/out.h"

void
kith_sqpfw_events_keep(void *to, const struct kith_sqpfw_event *event)
{
	struct kith_sqpfw_waiting *q = to;

	if (q->n == q->room) {
		q->room = 2 * q->n + 64;
		q->event = kith_grow(
		    q->pool, q->event, q->room, sizeof(*q->event));
	}
	q->event[q->n++] = *event;
}

void
kith_sqpfw_events_write(struct kith_sqpfw_waiting *waiting, size_t step,
    const struct kith_learn *rows, struct kith_out *out)
{
	static const char *const kind[] = {"hit", "miss", "weight"};
	static const char *const word[] = {
	    "nearer", "tied", "farther", "zero", "positive"};
	const int first = KITH_SQPFW_NEARER;

	for (size_t e = 0; e < waiting->n; e++) {
		const struct kith_sqpfw_event *it = waiting->event + e;
		const bool weight = it->kind == KITH_SQPFW_WEIGHT;
		const struct kith_path_event event = {kind[it->kind],
		    weight ? rows->feature.name[it->row] : NULL, it->row,
		    word[it->was - first], word[it->becomes - first],
		    weight ? NULL : &it->other};

		kith_path_event(
		    step, it->theta, &event, true, &rows->known, out);
	}
	waiting->n = 0;
	kith_out_flush(out);
}
