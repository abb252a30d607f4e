/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/candidates.h"

#include "sqpfw/renewal.h"

/* The w by feature at which the list of a group was made. */
static const double *
origin(const struct kith_sqpfw *s, uint32_t group)
{
	return s->candidates.made_at + group * s->points.ld;
}

double
kith_sqpfw_candidates_moved(const struct kith_sqpfw *s, uint32_t group, double tau)
{
	return sqrt(kith_sqpfw_scaled_distance2(s->points.ld, s->w_by_feature, tau,
	    s->step.dw_by_feature, origin(s, group), s->candidates.floor));
}

double
kith_sqpfw_candidates_reach(const struct kith_sqpfw *s, uint32_t group)
{
	const double *from = origin(s, group), *dw = s->step.dw_by_feature;
	const double radius = s->group[group].radius;
	double a = 0, b = 0, c = -radius * radius;

	/* a tau^2 + 2 b tau + c = |w + tau dw - from|^2 - radius^2 */
	for (size_t f = 0; f < s->points.p; f++) {
		const double d = s->w_by_feature[f] - from[f];
		const double h = from[f] + s->candidates.floor;

		a += dw[f] * dw[f] / h;
		b += d * dw[f] / h;
		c += d * d / h;
	}
	return c >= 0 ? 0 : (sqrt(b * b - a * c) - b) / a;
}

double
kith_sqpfw_candidates_ahead(const struct kith_sqpfw *s, uint32_t group)
{
	const double radius = s->group[group].radius;

	if (!(radius < INFINITY))
		return INFINITY;
	return fmax(radius - kith_sqpfw_candidates_moved(s, group, 0), 0) *
	    kith_sqpfw_length_ratio(
		s->points.ld, s->candidates.scale, origin(s, group), s->candidates.floor);
}

void
kith_sqpfw_candidates_queue(struct kith_sqpfw *s, uint32_t group)
{
	if (s->group[group].radius < INFINITY)
		kith_sqpfw_queue_put(
		    &s->candidates.queue, group, kith_sqpfw_candidates_ahead(s, group));
}

size_t
kith_sqpfw_candidates_test(
    struct kith_sqpfw *s, double length, double tau, double margin, uint32_t keep)
{
	uint32_t *due = s->candidates.due;
	const size_t n = kith_sqpfw_queue_all(&s->candidates.queue, length, due);
	size_t left = 0;

	for (size_t k = 0; k < n; k++) {
		const uint32_t g = due[k];

		if (kith_sqpfw_candidates_moved(s, g, tau) + margin >= s->group[g].radius) {
			due[k] = due[left];
			due[left++] = g;
		}
	}
	s->candidates.n_due = n;
	s->candidates.n_fresh = 0;
	if (left > 0)
		kith_sqpfw_renewal_make(s, due, left, keep);
	return left;
}
