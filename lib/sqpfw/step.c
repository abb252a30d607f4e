#include "sqpfw/step.h"

#include "near/alike.h"
#include "sqpfw/active.h"
#include "sqpfw/item.h"
#include "sqpfw/list.h"

#include <math.h>

/* Moves after which drift is removed, and the factor is made anew. */
enum { DRIFT = 64, ANEW = 4096 };

/* A row so small, beside what it is the difference of, may be rounding. */
#define SMALL 1e-8
/* A row depends on others where this little of it is left. */
#define DEPENDS 1e-8
/*
 * Above this no look at the factor is needed to know that it does not, as long
 * as dw is so many times what counts as none: it is off the ties' rows only but
 * for rounding.
 */
#define CLEAR 1e-6
#define SURE 1e4
/* A change that is rounding, relative to the sizes of row and direction. */
#define STILL 1e-11
/*
 * Drift is less than this: what would move w farther comes from ties that all
 * but depend on others, and is left alone but for the sum.
 */
#define RUNAWAY 1e-9
/* Gaps that count as none, and how far to look for them. */
#define TOUCHING 1e-11
#define LOOK 1e-9

void
kith_sqpfw_step_aim(struct kith_sqpfw *s)
{
	double all = 0, sum = 0, lists = 0;

	for (size_t f = 0; f < s->positive; f++) {
		const double square = s->dw[f] * s->dw[f];

		all += square;
		sum += square / s->scale[f];
		lists += square / s->list_scale[s->feature[f]];
		s->df[s->feature[f]] = s->dw[f];
	}
	s->dw_norm = sqrt(all);
	s->norm = sqrt(sum);
	s->list_norm = sqrt(lists);
}

/* How long a change of w by LOOK, by whatever scale, may be by any other. */
static double
far_to_look(const struct kith_sqpfw *s)
{
	return 2 * LOOK / sqrt(s->least);
}

/* How much of dw along a row, or a weight, tells that it does not depend. */
static double
clear(const struct kith_sqpfw *s)
{
	return s->dw_norm > SURE * s->none ? CLEAR * s->dw_norm : INFINITY;
}

/* The weight that becomes 0 first. */
static double
block_by_weight(
    const struct kith_sqpfw *s, double most, struct kith_sqpfw_block *block)
{
	const double still = 1e-15 * kith_sqpfw_larger(1, s->dw_norm);
	const double sure = clear(s);

	for (size_t f = 0; f < s->positive; f++) {
		const double d = -s->dw[f];

		if (!(d > still) || !(s->w[f] < most * d))
			continue;
		if (d <= sure &&
		    kith_sqpfw_qr_row_off(&s->qr, f) <= DEPENDS * DEPENDS)
			continue;
		most = kith_sqpfw_larger(s->w[f] / d, 0);
		*block = (struct kith_sqpfw_block){
		    KITH_SQPFW_BY_WEIGHT, (uint32_t)f};
	}
	return most;
}

/* Let s->a be the row of a pair; its length, or 0 where it is but rounding. */
static double
put_row(struct kith_sqpfw *s, uint32_t at)
{
	const size_t n = kith_sqpfw_room(s->positive);
	const struct kith_sqpfw_pair pair = kith_sqpfw_pair(s, &s->item[at]);
	double square = 0, scale = 0;

	kith_sqpfw_rows_put(n, &pair, s->a);
	for (size_t f = 0; f < n; f++) {
		const double a = pair.j[f] - pair.i[f];
		const double b = pair.r[f] - pair.i[f];

		if (f >= s->positive)
			s->a[f] = 0;
		else
			scale += (a * a + b * b) * (a * a + b * b);
		square += s->a[f] * s->a[f];
	}
	if (square <= SMALL * scale &&
	    kith_alike(s->positive, pair.i, pair.j, pair.r, s->points.rounding))
		return 0;
	return sqrt(square);
}

/* Whether the row of a pair is one of the ties', but for rounding. */
static bool
depends(struct kith_sqpfw *s, uint32_t at)
{
	const double length = put_row(s, at);

	return length == 0 ||
	    kith_sqpfw_qr_off(&s->qr, s->a) <= DEPENDS * length;
}

/*
 * See an item; where it blocks before tau, it becomes what blocks.  dw is off
 * the ties' rows: where much of it is along a row, much of that is off them.
 */
static double
see(struct kith_sqpfw *s, uint32_t at, double tau,
    struct kith_sqpfw_block *block)
{
	const struct kith_sqpfw_seen *seen = kith_sqpfw_item_see(s, at);
	const struct kith_sqpfw_item *item = &s->item[at];
	const double gap = kith_sqpfw_larger(seen->gap * item->state, 0);
	const double nearing = -seen->change * item->state;
	double length;

	if (!(nearing > 0) || !(gap < tau * nearing))
		return tau;
	length = put_row(s, at);
	if (nearing <= STILL * s->dw_norm * length ||
	    (nearing <= clear(s) * length && depends(s, at)))
		return tau;
	*block = (struct kith_sqpfw_block){KITH_SQPFW_BY_PAIR, at};
	return gap / nearing;
}

static double
walk_pairs(struct kith_sqpfw *s, double tau, struct kith_sqpfw_block *block)
{
	int64_t b = s->pairs.now;

	for (; b <= kith_sqpfw_queue_bucket(&s->pairs, tau * s->norm); b++) {
		const size_t n = kith_sqpfw_queue_due(
		    &s->pairs, b, tau * s->norm, s->due);

		for (size_t k = 0; k < n; k++)
			tau = see(s, s->due[k], tau, block);
	}
	return tau;
}

/*
 * Lists whose radius the step would leave are made anew; a step that leaves
 * the new radius too is shortened.
 */
static double
walk_lists(struct kith_sqpfw *s, double tau, struct kith_sqpfw_block *block)
{
	uint32_t *due = s->due_lists;
	const size_t n = kith_sqpfw_queue_all(
	    &s->lists, tau * s->list_norm, due);
	size_t old = 0;

	for (size_t k = 0; k < n; k++)
		if (kith_sqpfw_list_moved(s, due[k], tau) >=
		    s->group[due[k]].radius) {
			const uint32_t g = due[k];

			due[k] = due[old];
			due[old++] = g;
		}
	if (old > 0) {
		kith_sqpfw_list_make(s, due, old,
		    block->by == KITH_SQPFW_BY_PAIR ? block->which
						    : KITH_SQPFW_NONE);
		for (size_t k = 0; k < s->fresh_n; k++)
			tau = see(s, s->fresh[k], tau, block);
	}
	s->lists_seen = n;
	for (size_t k = 0; k < old; k++) {
		const double far = kith_sqpfw_list_leave(s, due[k]);

		if (far < tau) {
			tau = far;
			block->by = KITH_SQPFW_FREELY;
		}
	}
	return tau;
}

double
kith_sqpfw_step_length(
    struct kith_sqpfw *s, double most, struct kith_sqpfw_block *block)
{
	double tau = most;

	*block = (struct kith_sqpfw_block){KITH_SQPFW_FREELY, 0};
	s->seen_n = 0;
	tau = block_by_weight(s, tau, block);
	tau = walk_pairs(s, tau, block);
	return walk_lists(s, tau, block);
}

void
kith_sqpfw_step_go(struct kith_sqpfw *s, double tau)
{
	for (size_t f = 0; f < s->positive; f++) {
		s->w[f] = kith_sqpfw_larger(s->w[f] + tau * s->dw[f], 0);
		s->wf[s->feature[f]] = s->w[f];
		s->spent[f] += s->dw[f] * (tau * s->dw[f] / s->norm);
		s->dw[f] *= 1 - tau;
	}
	kith_sqpfw_queue_move(&s->pairs, tau * s->norm);
	kith_sqpfw_queue_move(&s->lists, tau * s->list_norm);
	s->looks += (double)s->seen_n * (double)s->positive;
	s->list_looks += s->lists_seen;
	/* Of an item dropped and made anew in the step, the last counts. */
	for (size_t k = s->seen_n; k-- > 0;) {
		const struct kith_sqpfw_seen *seen = &s->seen[k];
		const struct kith_sqpfw_item *item = &s->item[seen->item];

		if (item->state != KITH_SQPFW_FREE &&
		    item->place == KITH_SQPFW_NONE)
			kith_sqpfw_item_put(
			    s, seen->item, seen->gap + tau * seen->change);
	}
	s->seen_n = 0;
	for (size_t k = 0; k < s->lists_seen; k++)
		kith_sqpfw_list_put(s, s->due_lists[k]);
	s->lists_seen = 0;
}

void
kith_sqpfw_step_block(
    struct kith_sqpfw *s, const struct kith_sqpfw_block *block)
{
	if (block->by == KITH_SQPFW_BY_WEIGHT)
		kith_sqpfw_active_zero(s, block->which);
	else if (block->by == KITH_SQPFW_BY_PAIR) {
		const int was = (int)s->item[block->which].state;

		kith_sqpfw_queue_take(&s->pairs, block->which);
		kith_sqpfw_active_tie(s, block->which, 0);
		kith_sqpfw_active_tell(s, block->which, was, KITH_SQPFW_TIED);
	}
	if (++s->moves % ANEW == 0) {
		kith_sqpfw_active_factor(s);
		kith_sqpfw_active_gradient(s);
	}
	if (s->moves % DRIFT == 0)
		kith_sqpfw_step_settle(s);
}

/* Let the paths be longer by a little; what is due there is put again. */
static void
lengthen(struct kith_sqpfw *s, double pairs, double lists)
{
	const size_t n = kith_sqpfw_queue_all(&s->pairs, pairs, s->due);
	const size_t m = kith_sqpfw_queue_all(&s->lists, lists, s->due_lists);

	kith_sqpfw_queue_move(&s->pairs, pairs);
	kith_sqpfw_queue_move(&s->lists, lists);
	for (size_t k = 0; k < n; k++)
		kith_sqpfw_item_renew(s, s->due[k]);
	for (size_t k = 0; k < m; k++)
		kith_sqpfw_list_put(s, s->due_lists[k]);
}

void
kith_sqpfw_step_settle(struct kith_sqpfw *s)
{
	const size_t n = kith_sqpfw_room(s->positive);
	double pairs = 0, lists = 0, most = 0, over;

	s->stale = true;
	s->z[0] = -1;
	for (size_t f = 0; f < s->positive; f++)
		s->z[0] += s->w[f];
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		const struct kith_sqpfw_pair pair = kith_sqpfw_pair(
		    s, &s->item[s->tie[t]]);
		double gap[2];

		kith_sqpfw_rows_at(n, &pair, s->w, s->w, gap);
		s->z[t + 1] = gap[0];
	}
	over = s->z[0];
	kith_sqpfw_qr_reach(&s->qr, s->z, s->a);
	for (size_t f = 0; f < s->positive; f++)
		most = kith_sqpfw_larger(most, fabs(s->a[f]));
	for (size_t f = 0; f < s->positive && most > RUNAWAY; f++)
		s->a[f] = over / (double)s->positive;
	for (size_t f = 0; f < s->positive; f++) {
		const double w = kith_sqpfw_larger(s->w[f] - s->a[f], 0);
		const double square = (w - s->w[f]) * (w - s->w[f]);

		pairs += square / s->scale[f];
		lists += square / s->list_scale[s->feature[f]];
		s->w[f] = w;
		s->wf[s->feature[f]] = w;
	}
	lengthen(s, sqrt(pairs), sqrt(lists));
}

void
kith_sqpfw_step_look(struct kith_sqpfw *s)
{
	uint32_t *due = s->due_lists;
	const size_t n = kith_sqpfw_queue_all(&s->lists, far_to_look(s), due);
	size_t old = 0;

	for (size_t k = 0; k < n; k++)
		if (kith_sqpfw_list_moved(s, due[k], 0) + LOOK >=
		    s->group[due[k]].radius) {
			const uint32_t g = due[k];

			due[k] = due[old];
			due[old++] = g;
		}
	if (old > 0)
		kith_sqpfw_list_make(s, due, old, KITH_SQPFW_NONE);
	for (size_t k = 0; old > 0 && k < s->fresh_n; k++)
		kith_sqpfw_item_renew(s, s->fresh[k]);
	for (size_t k = 0; k < n; k++)
		kith_sqpfw_list_put(s, due[k]);
}

size_t
kith_sqpfw_step_touching(struct kith_sqpfw *s)
{
	size_t n, ties = 0;

	kith_sqpfw_step_look(s);
	n = kith_sqpfw_queue_all(&s->pairs, far_to_look(s), s->due);
	for (size_t k = 0; k < n; k++) {
		const struct kith_sqpfw_pair pair = kith_sqpfw_pair(
		    s, &s->item[s->due[k]]);
		double gap[2];

		kith_sqpfw_rows_at(
		    kith_sqpfw_room(s->positive), &pair, s->w, s->w, gap);
		if (fabs(gap[0]) <= TOUCHING && s->qr.m < s->positive &&
		    !depends(s, s->due[k]) &&
		    kith_sqpfw_active_tie(s, s->due[k], 0))
			ties++;
		else
			kith_sqpfw_item_put(s, s->due[k], gap[0]);
	}
	return ties;
}
