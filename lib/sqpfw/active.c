/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/active.h"

#include "near/alike.h"
#include "sqpfw/pair.h"

#include <string.h>

/* A row so short, beside the vectors of which it is the difference, may be
 * nothing but rounding: squared, relative to them. */
#define SMALL 1e-8
/* A row depends on C where so little of its length is off the columns. */
#define DEPENDS 1e-8
/* The rank test of the factor is skipped, for the row cannot depend on C, where
 * |a'dw| > CLEAR |a| |dw| and |dw| > SURE times the |dw| that counts as 0. */
#define CLEAR 1e-6
#define SURE 1e4

static void
report(const struct kith_sqpfw *s, struct kith_sqpfw_event event)
{
	const struct kith_sqpfw_how *how = s->problem.how;

	event.theta = kith_sqpfw_theta(s);
	if (how->report)
		how->report(how->report_to, &event);
}

void
kith_sqpfw_active_report(
    const struct kith_sqpfw *s, uint32_t at, int was, int becomes)
{
	const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];

	report(s,
	    (struct kith_sqpfw_event){
		.kind = pair->group % 2 ? KITH_SQPFW_MISS : KITH_SQPFW_HIT,
		.row = s->points.first[pair->group / 2],
		.other = s->points.first[pair->j],
		.was = (enum kith_sqpfw_state)was,
		.becomes = (enum kith_sqpfw_state)becomes});
}

/* g += share eps_ir, the squared differences to the target r of a group. */
static void
add_target(struct kith_sqpfw *s, size_t g, double share)
{
	const double *x = kith_sqpfw_point(&s->points, g / 2);
	const double *z = kith_sqpfw_point(
	    &s->points, s->group[g].target_point);

	/* eps_ir = (x_r - x_i)^2 */
	for (size_t f = 0; f < s->points.p; f++)
		s->gradient[f] += share * ((z[f] - x[f]) * (z[f] - x[f]));
}

void
kith_sqpfw_active_gradient(struct kith_sqpfw *s)
{
	s->step.stale = true;
	memset(s->gradient, 0, s->points.ld * sizeof(*s->gradient));
	for (size_t g = 0; g < 2 * s->points.n; g++)
		if (s->group[g].rank > 0)
			add_target(s, g, kith_sqpfw_target_share(s, g));
	s->active.target_changes = 0;
}

/* Let s->row be the row of a pair over P; the row. */
static const double *
row_of(struct kith_sqpfw *s, uint32_t at)
{
	const size_t n = kith_sqpfw_padded(s->positive);
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, &s->pairs.pair[at]);

	kith_sqpfw_rows_fill(n, &row, s->row);
	for (size_t f = s->positive; f < n; f++)
		s->row[f] = 0;
	return s->row;
}

static void
append_ones(struct kith_sqpfw *s)
{
	for (size_t f = 0; f < kith_sqpfw_padded(s->positive); f++)
		s->row[f] = f < s->positive;
	kith_sqpfw_qr_append_column(&s->active.qr, s->row);
}

/* Make room for so many ties. */
static void
widen(struct kith_sqpfw *s, size_t ties)
{
	if (s->active.tie && ties <= s->active.room)
		return;
	s->active.room = 2 * ties + 16;
	s->active.tie = kith_grow(
	    s->pool, s->active.tie, s->active.room, sizeof(*s->active.tie));
	s->active.y = kith_grow(
	    s->pool, s->active.y, s->active.room + 1, sizeof(*s->active.y));
	s->active.z = kith_grow(
	    s->pool, s->active.z, s->active.room + 1, sizeof(*s->active.z));
}

void
kith_sqpfw_active_factor(struct kith_sqpfw *s)
{
	const size_t ties = s->active.qr.m > 0 ? kith_sqpfw_ties_n(s) : 0;
	size_t kept = 0;

	widen(s, ties);
	s->step.stale = true;
	kith_sqpfw_qr_clear(&s->active.qr, s->positive);
	append_ones(s);
	for (size_t t = 0; t < ties; t++)
		if (s->active.qr.m < s->positive &&
		    kith_sqpfw_qr_append_column(
			&s->active.qr, row_of(s, s->active.tie[t])))
			s->active.tie[kept++] = s->active.tie[t];
	/* Rows that were independent have become dependent. */
	s->broken |= kept < ties;
}

double
kith_sqpfw_active_row(struct kith_sqpfw *s, uint32_t at)
{
	const size_t n = kith_sqpfw_padded(s->positive);
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, &s->pairs.pair[at]);
	double square = 0, scale = 0;

	kith_sqpfw_rows_fill(n, &row, s->row);
	for (size_t f = 0; f < n; f++) {
		const double a = row.j[f] - row.i[f];
		const double b = row.r[f] - row.i[f];

		if (f >= s->positive)
			s->row[f] = 0;
		else
			scale += (a * a + b * b) * (a * a + b * b);
		square += s->row[f] * s->row[f];
	}
	if (square <= SMALL * scale &&
	    kith_alike(s->positive, row.i, row.j, row.r, s->points.rounding))
		return 0;
	return sqrt(square);
}

bool
kith_sqpfw_active_depends(struct kith_sqpfw *s, uint32_t at)
{
	const double length = kith_sqpfw_active_row(s, at);

	return length == 0 ||
	    kith_sqpfw_qr_distance(&s->active.qr, s->row) <= DEPENDS * length;
}

bool
kith_sqpfw_active_weight_depends(const struct kith_sqpfw *s, size_t position)
{
	return kith_sqpfw_qr_unit_distance2(&s->active.qr, position) <=
	    DEPENDS * DEPENDS;
}

double
kith_sqpfw_active_independent(const struct kith_sqpfw *s)
{
	return s->step.norm > SURE * s->step.zero_tol ? CLEAR * s->step.norm
						      : INFINITY;
}

bool
kith_sqpfw_active_tie(struct kith_sqpfw *s, uint32_t at)
{
	struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	struct kith_sqpfw_group *group = &s->group[pair->group];
	const size_t ties = kith_sqpfw_ties_n(s);

	if (!kith_sqpfw_qr_append_column(&s->active.qr, row_of(s, at)))
		return false;
	widen(s, ties + 1);
	s->active.tie[ties] = at;
	if (pair->state < 0)
		group->nearer -= pair->copies;
	group->tied += pair->copies;
	pair->state_before = pair->state;
	pair->state = 0;
	return true;
}

void
kith_sqpfw_active_untie(struct kith_sqpfw *s, size_t ties)
{
	for (size_t t = kith_sqpfw_ties_n(s); t-- > ties;) {
		struct kith_sqpfw_pair *pair = &s->pairs.pair[s->active.tie[t]];
		struct kith_sqpfw_group *group = &s->group[pair->group];

		pair->state = pair->state_before;
		group->tied -= pair->copies;
		if (pair->state < 0)
			group->nearer += pair->copies;
		kith_sqpfw_qr_delete_column(&s->active.qr, t + 1);
		kith_sqpfw_pair_requeue(s, s->active.tie[t]);
	}
}

/*
 * Let the first tie of a group be its target; its number.  With the new target
 * r' the gradient changes by share a, a = eps_ir' - eps_ir being the row of
 * that tie, and so v - w by -theta share a; the rows of the other ties of the
 * group change by -a.
 */
static size_t
replace_target(struct kith_sqpfw *s, uint32_t g)
{
	const size_t ties = kith_sqpfw_ties_n(s);
	size_t t = 0;

	while (s->pairs.pair[s->active.tie[t]].group != g)
		t++;
	add_target(s, g, -kith_sqpfw_target_share(s, g));
	s->group[g].target = s->active.tie[t];
	s->group[g].target_point = s->pairs.pair[s->active.tie[t]].j;
	add_target(s, g, kith_sqpfw_target_share(s, g));
	s->active.target_changes++;
	kith_sqpfw_qr_add_multiple(
	    &s->active.qr, t + 1, -s->theta * kith_sqpfw_target_share(s, g));
	for (size_t l = t + 1; l < ties; l++)
		if (s->pairs.pair[s->active.tie[l]].group == g)
			kith_sqpfw_qr_subtract_column(
			    &s->active.qr, t + 1, l + 1);
	return t;
}

void
kith_sqpfw_active_free_pair(struct kith_sqpfw *s, uint32_t at, int state)
{
	struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	const uint32_t g = pair->group;
	const bool target = s->group[g].target == at;
	const size_t ties = kith_sqpfw_ties_n(s);
	size_t t = 0;

	if (target)
		t = replace_target(s, g);
	else
		while (s->active.tie[t] != at)
			t++;
	kith_sqpfw_qr_delete_column(&s->active.qr, t + 1);
	memmove(s->active.tie + t, s->active.tie + t + 1,
	    (ties - t - 1) * sizeof(*s->active.tie));
	s->group[g].tied -= pair->copies;
	if (state < 0)
		s->group[g].nearer += pair->copies;
	pair->state = (int8_t)state;
	kith_sqpfw_active_report(s, at, KITH_SQPFW_TIED, state);
	if (!target) {
		kith_sqpfw_pair_requeue(s, at);
		return;
	}
	for (at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next)
		if (s->pairs.pair[at].state != 0)
			kith_sqpfw_pair_requeue(s, at);
}

static void
swap_box(const struct kith_sqpfw_box *box, size_t a, size_t b)
{
	if (!box->on)
		return;
	kith_vec_swap(box->middle, a, b);
	kith_vec_swap(box->half, a, b);
}

void
kith_sqpfw_active_swap(struct kith_sqpfw *s, size_t a, size_t b)
{
	const size_t f = s->feature[a];

	kith_sqpfw_points_swap(&s->points, a, b);
	kith_vec_swap(s->w, a, b);
	kith_vec_swap(s->prior, a, b);
	kith_vec_swap(s->gradient, a, b);
	kith_vec_swap(s->pairs.scale, a, b);
	kith_vec_swap(s->pairs.movement, a, b);
	swap_box(&s->box, a, b);
	swap_box(&s->candidates.box, a, b);
	s->feature[a] = s->feature[b];
	s->feature[b] = f;
	s->position[s->feature[a]] = a;
	s->position[f] = b;
}

void
kith_sqpfw_active_report_weight(
    const struct kith_sqpfw *s, size_t f, bool positive)
{
	report(s,
	    (struct kith_sqpfw_event){.kind = KITH_SQPFW_WEIGHT,
		.row = f,
		.was = positive ? KITH_SQPFW_ZERO : KITH_SQPFW_POSITIVE,
		.becomes = positive ? KITH_SQPFW_POSITIVE : KITH_SQPFW_ZERO});
}

void
kith_sqpfw_active_fix_weight(struct kith_sqpfw *s, size_t position)
{
	const size_t f = s->feature[position];

	s->w[position] = 0;
	s->w_by_feature[f] = 0;
	s->step.dw_by_feature[f] = 0;
	kith_sqpfw_qr_delete_row(&s->active.qr, position);
	s->positive--;
	kith_sqpfw_active_swap(s, position, s->positive);
	kith_sqpfw_active_report_weight(s, f, false);
}

void
kith_sqpfw_active_free_weight(struct kith_sqpfw *s, size_t position)
{
	const size_t at = s->positive, ties = kith_sqpfw_ties_n(s);

	kith_sqpfw_active_swap(s, position, at);
	s->positive++;
	for (size_t t = 0; t < ties; t++) {
		const struct kith_sqpfw_row row = kith_sqpfw_row(
		    s, &s->pairs.pair[s->active.tie[t]]);

		/* a_f = (x_j - x_r) ((x_j - x_i) + (x_r - x_i)) */
		s->active.y[t + 1] = (row.j[at] - row.r[at]) *
		    ((row.j[at] - row.i[at]) + (row.r[at] - row.i[at]));
	}
	s->active.y[0] = 1;
	/* The entry of v - w is prior - theta g, for w is 0. */
	kith_sqpfw_qr_append_row(&s->active.qr, s->active.y,
	    s->prior[at] - s->theta * s->gradient[at]);
	kith_sqpfw_active_report_weight(s, s->feature[at], true);
}
