/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/queue.h"

#include "base/pool.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

/* A place is a chunk's number times PLACES, and an entry's. */
enum { ENTRIES = 14, PLACES = 16 };

/* A path this long, in widths of a bucket, has no fraction in a double. */
#define FAR 0x1p52

/* A thing is entered as due earlier than it is: by so much of its time within
 * the bucket, and by so much of a bucket. */
#define EARLY 1e-6

/* Things of a bucket; all chunks of a chain but the first are full. */
struct kith_sqpfw_chunk {
	uint32_t next, bucket, n;
	uint32_t thing[ENTRIES];
	float due[ENTRIES]; /* from the bucket's start on, in widths */
};

void
kith_sqpfw_queue_shape(struct kith_sqpfw_queue *queue, size_t buckets, double horizon)
{
	assert((buckets & (buckets - 1)) == 0);
	if (buckets != queue->buckets)
		queue->head = kith_new(queue->pool, buckets, sizeof(*queue->head));
	queue->buckets = buckets;
	queue->width = horizon / (double)buckets;
	queue->length = 0;
	queue->now = 0;
	queue->chunks = 0;
	queue->free = KITH_SQPFW_NONE;
	for (size_t b = 0; b < buckets; b++)
		queue->head[b] = KITH_SQPFW_NONE;
}

/* Where in the circle, in widths from its start on, the path then is. */
static double
where(const struct kith_sqpfw_queue *queue, double ahead)
{
	return (queue->length + ahead) / queue->width;
}

static int64_t
last_bucket(const struct kith_sqpfw_queue *queue)
{
	return queue->now + (int64_t)queue->buckets - 1;
}

static int64_t
bucket_of(const struct kith_sqpfw_queue *queue, double at)
{
	const int64_t last = last_bucket(queue);

	if (!(at < (double)last))
		return last;
	return at > (double)queue->now ? (int64_t)at : queue->now;
}

int64_t
kith_sqpfw_queue_bucket(const struct kith_sqpfw_queue *queue, double ahead)
{
	return bucket_of(queue, where(queue, ahead));
}

/* A new first chunk of a bucket. */
static uint32_t
add_chunk(struct kith_sqpfw_queue *queue, uint32_t bucket)
{
	uint32_t c = queue->free;

	if (c != KITH_SQPFW_NONE)
		queue->free = queue->chunk[c].next;
	else {
		queue->chunk = kith_more(
		    queue->pool, queue->chunk, queue->chunks, &queue->room, sizeof(*queue->chunk));
		c = (uint32_t)queue->chunks++;
		assert(c < KITH_SQPFW_NONE / PLACES);
	}
	queue->chunk[c].next = queue->head[bucket];
	queue->chunk[c].bucket = bucket;
	queue->chunk[c].n = 0;
	queue->head[bucket] = c;
	return c;
}

void
kith_sqpfw_queue_put(struct kith_sqpfw_queue *queue, uint32_t thing, double ahead)
{
	const double at = where(queue, ahead);
	const int64_t b = bucket_of(queue, at);
	const uint32_t bucket = (uint32_t)b & (uint32_t)(queue->buckets - 1);
	uint32_t *place = kith_sqpfw_queue_place(queue, thing);
	uint32_t c = queue->head[bucket], e;

	assert(*place == KITH_SQPFW_NONE);
	if (c == KITH_SQPFW_NONE || queue->chunk[c].n == ENTRIES)
		c = add_chunk(queue, bucket);
	e = queue->chunk[c].n++;
	queue->chunk[c].thing[e] = thing;
	queue->chunk[c].due[e] = (float)((at - (double)b) * (1 - EARLY) - EARLY);
	*place = c * PLACES + e;
}

/* The last entry of the bucket's first chunk takes the place of this one. */
static void
take(struct kith_sqpfw_queue *queue, uint32_t c, uint32_t e)
{
	struct kith_sqpfw_chunk *chunk = &queue->chunk[c];
	const uint32_t h = queue->head[chunk->bucket];
	struct kith_sqpfw_chunk *head = &queue->chunk[h];
	const uint32_t last = --head->n;

	*kith_sqpfw_queue_place(queue, chunk->thing[e]) = KITH_SQPFW_NONE;
	if (c != h || e != last) {
		chunk->thing[e] = head->thing[last];
		chunk->due[e] = head->due[last];
		*kith_sqpfw_queue_place(queue, chunk->thing[e]) = c * PLACES + e;
	}
	if (last > 0)
		return;
	queue->head[head->bucket] = head->next;
	head->next = queue->free;
	queue->free = h;
}

void
kith_sqpfw_queue_take(struct kith_sqpfw_queue *queue, uint32_t thing)
{
	const uint32_t place = *kith_sqpfw_queue_place(queue, thing);

	if (place != KITH_SQPFW_NONE)
		take(queue, place / PLACES, place % PLACES);
}

void
kith_sqpfw_queue_move(struct kith_sqpfw_queue *queue, double by)
{
	const double at = where(queue, by), buckets = (double)queue->buckets;
	const double turns = floor(at / buckets);

	if (at < FAR) {
		queue->length += by - turns * (buckets * queue->width);
		queue->now = (int64_t)at - (int64_t)(turns * buckets);
	} else {
		/* Nothing is left in the circle, so any place in it does. */
		queue->length = 0;
		queue->now = 0;
	}
}

/*
 * Entries are walked through backwards: those that take the place of others
 * have been passed already.
 */
size_t
kith_sqpfw_queue_due(struct kith_sqpfw_queue *queue, int64_t bucket, double ahead, uint32_t *out)
{
	const double at = where(queue, ahead);
	const bool behind = bucket < bucket_of(queue, at);
	const float limit = bucket == last_bucket(queue) ? INFINITY : (float)(at - (double)bucket);
	uint32_t c = queue->head[(size_t)bucket & (queue->buckets - 1)], next;
	size_t count = 0;

	for (; c != KITH_SQPFW_NONE; c = next) {
		next = queue->chunk[c].next;
		for (uint32_t e = queue->chunk[c].n; e-- > 0;) {
			const float due = queue->chunk[c].due[e];
			const uint32_t thing = queue->chunk[c].thing[e];

			if (due <= limit) {
				take(queue, c, e);
				out[count++] = thing;
			} else if (behind) {
				take(queue, c, e);
				kith_sqpfw_queue_put(queue, thing,
				    ((double)bucket + (double)due) * queue->width - queue->length);
			}
		}
	}
	return count;
}

size_t
kith_sqpfw_queue_all(struct kith_sqpfw_queue *queue, double ahead, uint32_t *out)
{
	const int64_t last = kith_sqpfw_queue_bucket(queue, ahead);
	size_t n = 0;

	for (int64_t b = queue->now; b <= last; b++)
		n += kith_sqpfw_queue_due(queue, b, ahead, out + n);
	return n;
}
