/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/spool.h"

#include "base/pool.h"
#include "text/piece.h"

void
kith_spool_new(struct kith_spool *s, struct kith_out *out, size_t n)
{
	*s = (struct kith_spool){.out = out, .n = n};
	s->piece = kith_new(&s->pool, n, sizeof(*s->piece));
	s->waits = kith_new(&s->pool, n, sizeof(*s->waits));
	s->ended = kith_new(&s->pool, n, sizeof(*s->ended));
	pthread_mutex_init(&s->lock, NULL);
}

struct kith_out *
kith_spool_begin(struct kith_spool *s, size_t i)
{
	pthread_mutex_lock(&s->lock);
	s->waits[i] = i != s->next;
	pthread_mutex_unlock(&s->lock);
	if (!s->waits[i])
		return s->out;
	kith_out_open_piece(&s->piece[i], s->out);
	return &s->piece[i];
}

void
kith_spool_end(struct kith_spool *s, size_t i)
{
	pthread_mutex_lock(&s->lock);
	s->ended[i] = true;
	for (; s->next < s->n && s->ended[s->next]; s->next++)
		if (s->waits[s->next])
			kith_out_join(s->out, &s->piece[s->next]);
	pthread_mutex_unlock(&s->lock);
}

void
kith_spool_free(struct kith_spool *s)
{
	pthread_mutex_destroy(&s->lock);
	kith_pool_free(&s->pool);
}
