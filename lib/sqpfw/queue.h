/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/queue - a calendar queue (Brown, 1988): things that are due when a path
 * has come so far, in a circle of buckets of equal width.
 *
 * The path only grows.  A thing due behind the horizon of the circle waits in
 * its last bucket, and is put again when that comes near.  A bucket is a chain
 * of chunks of entries, so that a walk through it is one through memory; a
 * thing only knows its place in there.  What an entry says is rounded to be too
 * early, never too late.  Time O(1) for each change.
 *
 * A binary heap instead, which evaluates the same pairs in the order in which
 * they are due, is slower: CPU time is 1.6 times as long for wdbc at theta 1
 * and .1, 1.75 for sonar at 1, 1.7 for segment18 at .1, 1.5 for spambase at
 * .01, 1.1 for pendigits at .1 (most of which is the first pass); the same for
 * paths of wdbc and sonar, most of which is certificates.
 */
#ifndef KITH_SQPFW_QUEUE_H
#define KITH_SQPFW_QUEUE_H

#include <stddef.h>
#include <stdint.h>

struct kith_pool;
struct kith_sqpfw_chunk;

#define KITH_SQPFW_NONE UINT32_MAX

struct kith_sqpfw_queue {
	uint32_t *place; /* of thing 0; KITH_SQPFW_NONE: not in the queue */
	size_t stride;   /* bytes from one thing's to that of the next */
	struct kith_sqpfw_chunk *chunk;
	size_t chunks, room; /* in use or free; room for */
	uint32_t free;       /* the first free one */
	uint32_t *head;      /* of each bucket: its first chunk, or NONE */
	size_t buckets;      /* a power of two */
	double width;        /* of a bucket */
	double length;       /* of the path, less whole turns of the circle */
	int64_t now;         /* the bucket of its end */
	struct kith_pool *pool;
};

static inline uint32_t *
kith_sqpfw_queue_place(const struct kith_sqpfw_queue *queue, uint32_t thing)
{
	char *first = (void *)queue->place;

	return (uint32_t *)(void *)(first + thing * queue->stride);
}

/*
 * Empty the queue, and give it a horizon and a path of length 0.  The places of
 * things that were in the queue are the caller's to set to KITH_SQPFW_NONE.
 */
void kith_sqpfw_queue_shape(struct kith_sqpfw_queue *queue, size_t buckets, double horizon);

/* Put in a thing that is not there; due when the path is longer by `ahead`. */
void kith_sqpfw_queue_put(struct kith_sqpfw_queue *queue, uint32_t thing, double ahead);

/* Take a thing out, if it is in the queue. */
void kith_sqpfw_queue_take(struct kith_sqpfw_queue *queue, uint32_t thing);

/* Let the path grow; nothing that is due until then may be in the queue. */
void kith_sqpfw_queue_move(struct kith_sqpfw_queue *queue, double by);

/* The bucket of what is due `ahead`; queue->now is that of what is due now. */
int64_t kith_sqpfw_queue_bucket(const struct kith_sqpfw_queue *queue, double ahead);

/*
 * Take the things of a bucket that are due up to the limit `ahead` into out, in
 * a fixed order; returns how many.  Where the limit lies behind the bucket,
 * things that only wait in it are put again; where the limit leaves the circle,
 * all are taken out.
 */
size_t kith_sqpfw_queue_due(
    struct kith_sqpfw_queue *queue, int64_t bucket, double ahead, uint32_t *out);

/* Take out all things that are due up to the limit. */
size_t kith_sqpfw_queue_all(struct kith_sqpfw_queue *queue, double ahead, uint32_t *out);

#endif
