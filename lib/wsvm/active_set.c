#include "wsvm/active_set.h"

#include "wsvm/bounded.h"
#include "wsvm/candidates.h"
#include "wsvm/margin_kkt.h"

void
kith_wsvm_note_move(struct kith_wsvm *s, size_t v, int8_t was)
{
	if (s->set.was[v] != KITH_WSVM_SAME)
		return;
	s->set.was[v] = was;
	s->set.moved[s->set.n_moved++] = v;
}

void
kith_wsvm_forget_moves(struct kith_wsvm *s)
{
	for (size_t i = 0; i < s->set.n_moved; i++)
		s->set.was[s->set.moved[i]] = KITH_WSVM_SAME;
	s->set.n_moved = 0;
}

bool
kith_wsvm_move(struct kith_wsvm *s, size_t v, enum kith_wsvm_where where)
{
	const enum kith_wsvm_where was = (enum kith_wsvm_where)s->set.where[v];
	const bool margin = was == KITH_WSVM_MARGIN ||
	    where == KITH_WSVM_MARGIN;
	const double in = where == KITH_WSVM_IN;

	if (was == where)
		return true;
	if (where == KITH_WSVM_MARGIN && s->margin->place[v] == KITH_WSVM_NOT &&
	    !kith_wsvm_margin_enter(s->margin, v))
		return false;
	kith_wsvm_note_move(s, v, (int8_t)was);
	if (s->last.stored[v] != s->last.number) {
		s->last.stored[v] = s->last.number;
		s->last.alpha[v] = kith_wsvm_alpha(s, v, s->last.theta);
	}
	if (was == KITH_WSVM_IN || where == KITH_WSVM_IN)
		kith_wsvm_bounded_change(s, v, in ? 1 : -1, margin);
	if (was == KITH_WSVM_MARGIN)
		kith_wsvm_margin_leave(s->margin, v);
	s->set.where[v] = (int8_t)where;
	kith_wsvm_candidates_check(s, v);
	/* alpha_v = C_v in I, and 0 in O; M is solved for. */
	s->piece.alpha0[v] = in * s->C.from[v];
	s->piece.alpha1[v] = in * s->C.rate[v];
	return true;
}
