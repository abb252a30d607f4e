/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/certify.h"

#include "la/mat.h"
#include "near/alike.h"
#include "sqpfw/certify_job.h"
#include "sqpfw/certify_known.h"

#include <math.h>
#include <string.h>

/* All choices together may take so many entries of vectors. */
#define WORK 2e7

enum {
	CHOICES = 512, /* choices that are tried, if that is not too much */
	GUESSES = 8,   /* where there are more: guesses of one that fails, */
	AXES = 64      /* and all pairs of features, up to so many features */
};

/* Choose a set of a kink by its number. */
static void
choose(struct kith_certify_kink *it, size_t number)
{
	it->now = number;
	for (size_t m = 0; m < it->kink->n; m++)
		it->chosen[m] = it->set[number] >> m & 1;
}

/* How many choices are not too many. */
static size_t
most_choices(const struct kith_certify_job *job)
{
	const double entries = (double)job->vectors * (double)job->X->p;

	return entries * CHOICES < WORK ? CHOICES
					: 1 + (size_t)(WORK / entries);
}

/* Make the first choice; how many there are, or 0 where they are too many. */
static size_t
choose_first(struct kith_certify_job *job)
{
	const size_t most = most_choices(job);
	size_t choices = 1;

	for (size_t k = 0; k < job->concaves; k++) {
		struct kith_certify_kink *it = &job->concave[k];

		if (it->fixed)
			continue;
		if (!it->set)
			it->sets = kith_kinks_sets(
			    it->kink, most, &it->set, &job->pool);
		if (it->sets == 0 || choices > most / it->sets)
			return 0;
		choices *= it->sets;
		choose(it, 0);
	}
	return choices;
}

static void
choose_next(struct kith_certify_job *job)
{
	for (size_t k = 0; k < job->concaves; k++) {
		struct kith_certify_kink *it = &job->concave[k];

		if (it->fixed)
			continue;
		choose(it, (it->now + 1) % it->sets);
		if (it->now > 0)
			return;
	}
}

/* Whether all choices hold; the first that does not ends the search. */
static bool
all_hold(struct kith_certify_job *job, size_t choices)
{
	job->worst = 0;
	for (size_t c = 0; c < choices; c++) {
		if (!kith_certify_holds(job, false))
			return false;
		choose_next(job);
	}
	return true;
}

/* Whether the pairs of a kink differ in features of weight 0 alone. */
static bool
differs_at_0(const struct kith_certify_job *job, const struct kith_kink *kink)
{
	const double *x = kith_row(job->X, kink->row);
	const double *a = kith_row(job->X, kink->pair[0]);

	for (size_t m = 1; m < kink->n; m++) {
		const double *b = kith_row(job->X, kink->pair[m]);

		for (size_t f = 0; f < job->X->p; f++)
			if (!job->sided[f] &&
			    !kith_alike_feature(
				x[f], a[f], b[f], job->how->rounding[f]))
				return false;
	}
	return true;
}

/* The feature in which the pairs of a kink differ the most. */
static size_t
widest(const struct kith_certify_job *job, const struct kith_certify_kink *it)
{
	const size_t p = job->X->p;
	const double *a = job->A + it->from * p;
	double most = -INFINITY;
	size_t best = 0;

	for (size_t f = 0; f < p; f++) {
		double low = a[f], high = a[f];

		for (size_t m = 1; m < it->kink->n; m++) {
			low = fmin(low, a[m * p + f]);
			high = fmax(high, a[m * p + f]);
		}
		if (high - low > most) {
			most = high - low;
			best = f;
		}
	}
	return best;
}

/* The rank-th smallest entry of the pairs of a kink in feature f. */
static double
ranked(const struct kith_certify_job *job, const struct kith_certify_kink *it,
    size_t f)
{
	const struct kith_kink *kink = it->kink;
	const size_t p = job->X->p;
	const double *a = job->A + it->from * p;
	double best = INFINITY;

	for (size_t m = 0; m < kink->n; m++) {
		size_t copies = 0;

		for (size_t q = 0; q < kink->n; q++)
			if (a[q * p + f] <= a[m * p + f])
				copies += kink->copies[q];
		if (copies >= kink->rank)
			best = fmin(best, a[m * p + f]);
	}
	return best;
}

/*
 * Add to job->b what a kink comes to at its worst: of each set let the pair
 * with the largest entry in the widest feature have the whole share.  That
 * entry is at least the rank-th smallest; pairs of a smaller one do not count.
 */
static void
add_worst(struct kith_certify_job *job, const struct kith_certify_kink *it)
{
	const size_t p = job->X->p, g = widest(job, it);
	const double *a = job->A + it->from * p, bound = ranked(job, it, g);

	for (size_t f = 0; f < p; f++) {
		double least = INFINITY;

		if (!job->sided[f])
			least = a[f];
		for (size_t m = 0; m < it->kink->n && job->sided[f]; m++)
			if (a[m * p + g] >= bound)
				least = fmin(least, a[m * p + f]);
		job->b[f] += least;
	}
}

/*
 * Fix the kinks that differ at weights of 0 only: an entry of r is then no less
 * than with the kink at its worst.  Whether there are any; job->b has them.
 */
static bool
fix(struct kith_certify_job *job)
{
	bool any = false;

	for (size_t k = 0; k < job->concaves; k++) {
		struct kith_certify_kink *it = &job->concave[k];

		it->fixed = differs_at_0(job, it->kink);
		any |= it->fixed;
		if (it->fixed)
			add_worst(job, it);
	}
	return any;
}

/* Whether what holds for the worst of the fixed kinks proves a minimum. */
static bool
hold_fixed(struct kith_certify_job *job)
{
	const size_t p = job->X->p;
	double *b = kith_new(&job->pool, p, sizeof(*b));
	size_t choices;
	bool hold;

	memcpy(b, job->b, p * sizeof(*b));
	if (!fix(job))
		return false;
	choices = choose_first(job);
	hold = choices > 0 && all_hold(job, choices);
	for (size_t k = 0; k < job->concaves; k++)
		job->concave[k].fixed = false;
	memcpy(job->b, b, p * sizeof(*b));
	return hold;
}

/*
 * Choose the sets whose largest s grows the least along job->down: first the
 * pairs of the least slopes, then without those that are not needed.
 */
static void
guess(struct kith_certify_job *job, struct kith_certify_kink *it)
{
	const struct kith_kink *kink = it->kink;
	size_t copies = 0;

	for (size_t m = 0; m < kink->n; m++) {
		it->chosen[m] = false;
		it->slope[m] = kith_certify_along(job, it->from + m, job->down);
	}
	while (copies < kink->rank) {
		size_t best = kink->n;

		for (size_t m = 0; m < kink->n; m++)
			if (!it->chosen[m] &&
			    (best == kink->n || it->slope[m] < it->slope[best]))
				best = m;
		it->chosen[best] = true;
		copies += kink->copies[best];
	}
	for (size_t m = 0; m < kink->n; m++)
		if (it->chosen[m] && copies - kink->copies[m] >= kink->rank) {
			it->chosen[m] = false;
			copies -= kink->copies[m];
		}
}

/*
 * Whether w passes the choices that are likely to fail: shares of all tied
 * pairs make r vanish, and so do those of sets guessed from the last direction.
 */
static bool
guesses_hold(struct kith_certify_job *job)
{
	job->worst = 0;
	if (!kith_certify_holds(job, true))
		return false;
	for (size_t c = 0; c < GUESSES; c++) {
		kith_certify_down(job);
		for (size_t k = 0; k < job->concaves; k++)
			guess(job, &job->concave[k]);
		if (!kith_certify_holds(job, false))
			return false;
	}
	return true;
}

/* The slope of F from w on along a direction, choices and all. */
static double
slope(struct kith_certify_job *job, const double *direction)
{
	double sum = 0;

	for (size_t f = 0; f < job->X->p; f++)
		sum += job->b[f] * job->size[f] * direction[f];
	for (size_t v = 0; v < job->shared;) {
		const size_t group = job->group[v];
		double most = -INFINITY;

		for (; v < job->shared && job->group[v] == group; v++)
			most = fmax(
			    most, kith_certify_along(job, v, direction));
		sum += most;
	}
	memcpy(job->down, direction, job->X->p * sizeof(*direction));
	for (size_t k = 0; k < job->concaves; k++) {
		struct kith_certify_kink *it = &job->concave[k];
		double most = -INFINITY;

		guess(job, it);
		for (size_t m = 0; m < it->kink->n; m++)
			if (it->chosen[m])
				most = fmax(most, it->slope[m]);
		sum += most;
	}
	return sum;
}

/*
 * Whether F does not fall where one weight grows and another falls; the first
 * way down is left in job->down.
 */
static bool
axes_hold(struct kith_certify_job *job)
{
	const size_t p = job->X->p;
	double *direction = kith_new(&job->pool, p, sizeof(*direction));

	for (size_t a = 0; a < p * p && p <= AXES; a++) {
		const size_t up = a / p, off = a % p;
		double residual;

		if (up == off || job->sided[off])
			continue;
		direction[up] = 1;
		direction[off] = -1;
		residual = -slope(job, direction) /
		    fmax(job->size[up], job->size[off]);
		direction[up] = 0;
		direction[off] = 0;
		if (residual > KITH_CERTIFY_LIMIT) {
			job->worst = residual;
			return false;
		}
	}
	return true;
}

/* Judge w; the number of concave kinks that are left open. */
static size_t
judge(struct kith_certify_job *job)
{
	size_t choices;

	if (job->concaves == 0 || job->how->theta == 0) {
		kith_certify_holds(job, true);
		return 0;
	}
	if (hold_fixed(job))
		return 0;
	choices = choose_first(job);
	if (choices > 0) {
		all_hold(job, choices);
		return 0;
	}
	return guesses_hold(job) && axes_hold(job) ? job->concaves : 0;
}

/* Whether multipliers that are known prove w a minimum. */
static bool
is_known(const struct kith_certify_job *job, size_t concave, double *residual)
{
	return job->how->known && (concave == 0 || job->how->theta == 0) &&
	    kith_certify_known(
		job->X, job->ties, &job->kinks, job->w, job->how, residual);
}

void
kith_certify(const struct kith_mat *X, const struct kith_ties *ties,
    const double *w, const struct kith_certify_how *how,
    struct kith_certificate *out, double *down)
{
	struct kith_certify_job job = {
	    .X = X, .ties = ties, .w = w, .how = how, .down = down};

	*out = (struct kith_certificate){.residual = NAN};
	if (!down)
		job.down = kith_new(&job.pool, X->p, sizeof(*job.down));
	job.kinks = kith_kinks_find(
	    X, ties, how->hits, how->misses, how->rounding, &job.pool);
	out->ties = job.kinks.ties;
	for (size_t k = 0; k < job.kinks.n; k++)
		out->concave += !job.kinks.kink[k].convex;
	if (!is_known(&job, out->concave, &out->residual) && !how->only_known &&
	    kith_certify_begin(&job)) {
		out->open = judge(&job);
		out->residual = job.worst;
	}
	out->certified = out->open == 0 && out->residual <= KITH_CERTIFY_LIMIT;
	for (size_t f = 0; f < X->p && down; f++)
		if (!(out->residual > KITH_CERTIFY_LIMIT))
			down[f] = 0;
	kith_pool_free(&job.pool);
}
