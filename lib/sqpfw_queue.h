/*
 * sqpfw_queue - things that are due at a length of the path, in a circle of
 * buckets.
 *
 * The path starts at 0 and only grows.  A thing due farther ahead than the
 * circle reaches waits in its last bucket, and is put again when that comes
 * near.  Time O(1) for each change.
 */
#ifndef KITH_SQPFW_QUEUE_H
#define KITH_SQPFW_QUEUE_H

#include <stddef.h>
#include <stdint.h>

struct kith_pool;

#define KITH_SQPFW_NONE UINT32_MAX

/* The first member of each thing; set bucket to NONE before use. */
struct kith_sqpfw_link {
	double due;
	uint32_t next, prev; /* in the bucket */
	uint32_t bucket;     /* NONE: not in the queue */
};

struct kith_sqpfw_queue {
	void *things;   /* an array of them */
	size_t size;    /* of each */
	uint32_t *head; /* of each bucket */
	size_t buckets; /* a power of two */
	double width;   /* of a bucket */
	int64_t now;    /* the bucket of the path's end */
	struct kith_pool *pool;
};

static inline struct kith_sqpfw_link *
kith_sqpfw_queue_link(const struct kith_sqpfw_queue *queue, uint32_t thing)
{
	char *first = queue->things;

	return (struct kith_sqpfw_link *)(void *)(first + thing * queue->size);
}

/* Give a queue without things in it a circle of buckets that is `reach` long.
 */
void kith_sqpfw_queue_shape(
    struct kith_sqpfw_queue *queue, size_t buckets, double reach);

void kith_sqpfw_queue_put(
    struct kith_sqpfw_queue *queue, uint32_t thing, double due);

/* Take it out, if it is in. */
void kith_sqpfw_queue_take(struct kith_sqpfw_queue *queue, uint32_t thing);

/* The path has come to this length: nothing due before is in. */
void kith_sqpfw_queue_move(struct kith_sqpfw_queue *queue, double length);

/* The largest length that the circle holds. */
double kith_sqpfw_queue_reach(const struct kith_sqpfw_queue *queue);

/* The bucket of a length, to walk from queue->now to that of a limit. */
int64_t kith_sqpfw_queue_bucket(
    const struct kith_sqpfw_queue *queue, double length);

/*
 * Take out what is due up to the limit in a bucket, into out, in a fixed order;
 * returns how many.  What only waits in a bucket that the limit lies behind is
 * put again.
 */
size_t kith_sqpfw_queue_due(struct kith_sqpfw_queue *queue, int64_t bucket,
    double limit, uint32_t *out);

#endif
