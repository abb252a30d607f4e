/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/piece - tables that begin with columns of their own, and are written in
 * pieces, each by what would write a whole table.
 */
#ifndef KITH_TEXT_PIECE_H
#define KITH_TEXT_PIECE_H

#include "text/out.h"

/*
 * Let the table begin with n more columns, of these names, before its header is
 * written.  Their cells are the same in each row until others are said.  Such a
 * table has one header, the first that is written.  Names and cells must stay.
 */
void kith_out_lead(struct kith_out *o, const char *const *name, size_t n);
void kith_out_lead_with(struct kith_out *o, const char *const *cell);

/*
 * A piece of such a table, whose header is written, in memory: its cells are
 * still to be said; and put it behind what the table has, which ends the piece.
 */
void kith_out_open_piece(struct kith_out *piece, const struct kith_out *o);
void kith_out_join(struct kith_out *o, struct kith_out *piece);

#endif
