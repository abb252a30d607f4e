#include "sqpfw_queue.h"

#include "pool.h"

#include <assert.h>
#include <math.h>

enum { AHEAD = 6 }; /* buckets that are fetched ahead */

void
kith_sqpfw_queue_shape(
    struct kith_sqpfw_queue *queue, size_t buckets, double reach)
{
	assert((buckets & (buckets - 1)) == 0);
	queue->head = kith_new(queue->pool, buckets, sizeof(*queue->head));
	queue->buckets = buckets;
	queue->width = reach / (double)buckets;
	for (size_t b = 0; b < buckets; b++)
		queue->head[b] = KITH_SQPFW_NONE;
}

int64_t
kith_sqpfw_queue_bucket(const struct kith_sqpfw_queue *queue, double length)
{
	const double b = floor(length / queue->width);
	const int64_t last = queue->now + (int64_t)queue->buckets - 1;

	if (!(b < (double)last))
		return last;
	return b > (double)queue->now ? (int64_t)b : queue->now;
}

double
kith_sqpfw_queue_reach(const struct kith_sqpfw_queue *queue)
{
	return (double)(queue->now + (int64_t)queue->buckets - 2) *
	    queue->width;
}

void
kith_sqpfw_queue_put(struct kith_sqpfw_queue *queue, uint32_t thing, double due)
{
	const size_t b = (size_t)kith_sqpfw_queue_bucket(queue, due) &
	    (queue->buckets - 1);
	struct kith_sqpfw_link *link = kith_sqpfw_queue_link(queue, thing);

	assert(link->bucket == KITH_SQPFW_NONE);
	*link = (struct kith_sqpfw_link){
	    due, queue->head[b], KITH_SQPFW_NONE, (uint32_t)b};
	if (link->next != KITH_SQPFW_NONE)
		kith_sqpfw_queue_link(queue, link->next)->prev = thing;
	queue->head[b] = thing;
}

void
kith_sqpfw_queue_take(struct kith_sqpfw_queue *queue, uint32_t thing)
{
	struct kith_sqpfw_link *link = kith_sqpfw_queue_link(queue, thing);

	if (link->bucket == KITH_SQPFW_NONE)
		return;
	if (link->next != KITH_SQPFW_NONE)
		kith_sqpfw_queue_link(queue, link->next)->prev = link->prev;
	if (link->prev != KITH_SQPFW_NONE)
		kith_sqpfw_queue_link(queue, link->prev)->next = link->next;
	else
		queue->head[link->bucket] = link->next;
	link->bucket = KITH_SQPFW_NONE;
}

void
kith_sqpfw_queue_move(struct kith_sqpfw_queue *queue, double length)
{
	queue->now = kith_sqpfw_queue_bucket(queue, length);
}

size_t
kith_sqpfw_queue_due(
    struct kith_sqpfw_queue *queue, int64_t bucket, double limit, uint32_t *out)
{
	const size_t b = (size_t)bucket & (queue->buckets - 1);
	const int64_t last = kith_sqpfw_queue_bucket(queue, limit);
	const uint32_t ahead = queue->head[(b + AHEAD) & (queue->buckets - 1)];
	uint32_t thing = queue->head[b];
	size_t count = 0;

	if (ahead != KITH_SQPFW_NONE)
		__builtin_prefetch(kith_sqpfw_queue_link(queue, ahead));
	while (thing != KITH_SQPFW_NONE) {
		const struct kith_sqpfw_link *link = kith_sqpfw_queue_link(
		    queue, thing);
		const uint32_t next = link->next;

		if (link->due <= limit) {
			kith_sqpfw_queue_take(queue, thing);
			out[count++] = thing;
		} else if (bucket < last &&
		    kith_sqpfw_queue_bucket(queue, link->due) != bucket) {
			kith_sqpfw_queue_take(queue, thing);
			kith_sqpfw_queue_put(queue, thing, link->due);
		}
		thing = next;
	}
	return count;
}
