/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/piece.h"

#include <assert.h>

void
kith_out_lead(struct kith_out *o, const char *const *name, size_t n)
{
	assert(!o->headed);
	o->first = name;
	o->firsts = n;
}

void
kith_out_lead_with(struct kith_out *o, const char *const *cell)
{
	o->first = cell;
}

void
kith_out_open_piece(struct kith_out *piece, const struct kith_out *o)
{
	assert(o->headed);
	*piece = (struct kith_out){.file = o->file,
	    .style = o->style,
	    .digits = o->digits,
	    .sep = o->sep,
	    .key = o->key,
	    .columns = o->columns,
	    .firsts = o->firsts,
	    .headed = true,
	    .fd = -1};
	piece->buf = kith_new(&piece->pool, KITH_OUT_ROOM, 1);
}

void
kith_out_join(struct kith_out *o, struct kith_out *piece)
{
	kith_out_flush(piece);
	if (piece->failed && !o->failed) {
		o->failed = true;
		o->why = piece->why;
		o->used = 0;
	}
	o->other = o->other || piece->other;
	kith_out_bytes(o, piece->held, piece->held_used);
	kith_out_flush(o);
	kith_pool_free(&piece->pool);
}
