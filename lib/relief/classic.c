/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/classic.h"

#include "base/pool.h"
#include "base/progress.h"
#include "near/metric.h"
#include "relief/job.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The nearest hits and misses of the rows sampled. */
struct pairs {
	size_t *hit, *miss;
};

static struct pairs
pairs_new(const struct kith_relief_job *job, struct kith_pool *pool)
{
	return (struct pairs){kith_new(pool, job->s.m, sizeof(size_t)),
	    kith_new(pool, job->s.m, sizeof(size_t))};
}

static void
find(const struct kith_relief_job *job, const double *w, struct pairs *at)
{
	const struct kith_metric metric = {KITH_SQUARED, job->s.X.p, w};

	kith_by_class_pairs(
	    &job->s, &metric, job->how->threads, at->hit, at->miss);
}

/* w += factor D^2, D between the l-th row sampled and the row j, if there. */
static void
add_squares(
    const struct kith_by_class *s, size_t l, size_t j, double factor, double *w)
{
	const double *x = kith_row(&s->Z, l), *z;

	if (j == KITH_NO_ROW)
		return;
	z = kith_row(&s->X, j);
	for (size_t a = 0; a < s->X.p; a++)
		w[a] += factor * (x[a] - z[a]) * (x[a] - z[a]);
}

static void
average(const struct kith_relief_job *job, const struct pairs *at, double *w)
{
	const struct kith_by_class *s = &job->s;
	double total = 0;

	memset(w, 0, s->X.p * sizeof(*w));
	for (size_t l = 0; l < s->m; l++) {
		const double weight = kith_relief_weight(job, s->asked[l]);

		add_squares(s, l, at->miss[l], weight, w);
		add_squares(s, l, at->hit[l], -weight, w);
		total += weight;
	}
	for (size_t a = 0; a < s->X.p; a++)
		w[a] /= total;
}

void
kith_relief_relief(struct kith_relief_job *job)
{
	struct kith_pool tmp = {0};
	struct pairs at = pairs_new(job, &tmp);

	find(job, NULL, &at);
	average(job, &at, job->w);
	kith_pool_free(&tmp);
}

/* Negative weights become 0, the sum 1; false where none is positive. */
static bool
normalise(size_t p, double *w)
{
	double sum = 0;

	for (size_t a = 0; a < p; a++) {
		w[a] = w[a] > 0 ? w[a] : 0;
		sum += w[a];
	}
	for (size_t a = 0; a < p && sum > 0; a++)
		w[a] /= sum;
	return sum > 0;
}

/*
 * The weights of the loop before, and those of the last one whose number is a
 * power of two: a circle comes back to the one or the other (Brent).
 */
struct marks {
	double *last, *mark; /* p */
	size_t loop;         /* of the mark */
};

/* How many loops ago the weights were the same; 0: not known. */
static size_t
find_circle(struct marks *marks, const double *w, size_t p, size_t loop)
{
	const size_t size = p * sizeof(*w);

	if (loop > 1 && memcmp(marks->last, w, size) == 0)
		return 1;
	if (loop > 1 && memcmp(marks->mark, w, size) == 0)
		return loop - marks->loop;
	memcpy(marks->last, w, size);
	if ((loop & (loop - 1)) == 0) {
		memcpy(marks->mark, w, size);
		marks->loop = loop;
	}
	return 0;
}

/*
 * The weights of a loop follow from those before: once they go round in a
 * circle, what is left of whole turns makes no difference.
 */
void
kith_relief_mulrel(struct kith_relief_job *job)
{
	struct kith_pool tmp = {0};
	const size_t p = job->s.X.p;
	struct pairs at = pairs_new(job, &tmp);
	struct marks marks = {kith_new(&tmp, p, sizeof(*marks.last)),
	    kith_new(&tmp, p, sizeof(*marks.mark)), 0};
	struct kith_relief *out = job->out;
	size_t left = job->how->max_iter, loop = 0;
	bool some = true;

	kith_progress_phase("mulrel", 0, "iterations");
	for (; left > 0 && some && out->circle != 1; left--) {
		kith_progress_add(1);
		find(job, loop == 0 ? NULL : job->w, &at);
		average(job, &at, job->w);
		some = normalise(p, job->w);
		loop++;
		if (out->circle > 0)
			continue;
		out->circle = find_circle(&marks, job->w, p, loop);
		if (out->circle > 1)
			left = 1 + (left - 1) % out->circle;
	}
	kith_progress_end();
	out->converged = out->circle == 1 || !some;
	out->iterations = out->converged ? loop : job->how->max_iter;
	kith_pool_free(&tmp);
}
