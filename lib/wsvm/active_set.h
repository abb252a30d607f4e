/*
 * wsvm/active_set - variables move between the sets O, M and I: the factor of
 * M, the scores of I and the candidates follow.
 */
#ifndef KITH_WSVM_ACTIVE_SET_H
#define KITH_WSVM_ACTIVE_SET_H

#include "wsvm/state.h"

/*
 * Move v to a set, at theta; M may hold it already.  False, and v stays where
 * it is, where it is to go to M but depends on M linearly.  Scores of I may be
 * pending afterwards (wsvm/bounded.h).
 */
bool kith_wsvm_move(struct kith_wsvm *s, size_t v, enum kith_wsvm_where where);

/* Remember that v, which is about to move, was here. */
void kith_wsvm_note_move(struct kith_wsvm *s, size_t v, int8_t was);

/* Do not report the moves so far. */
void kith_wsvm_forget_moves(struct kith_wsvm *s);

#endif
