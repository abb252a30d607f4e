/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/certify_job.h"

#include "la/mat.h"
#include "sqpfw/hull.h"
#include "sqpfw/targets.h"

#include <math.h>
#include <string.h>

/* The search for multipliers ends where r is so small. */
#define ENOUGH (1e-4 * KITH_CERTIFY_LIMIT)

/* sum += unit times the squared differences of two rows over the sizes. */
static void
add_gap(const struct kith_certify_job *job, size_t i, size_t o, double unit, double *sum)
{
	const double *x = kith_row(job->X, i), *z = kith_row(job->X, o);

	for (size_t f = 0; f < job->X->p; f++)
		sum[f] += unit * (x[f] - z[f]) * (x[f] - z[f]) / job->size[f];
}

/* (x - z)^2 in feature f of two rows. */
static double
gap(const struct kith_certify_job *job, size_t i, size_t o, size_t f)
{
	const double d = kith_row(job->X, i)[f] - kith_row(job->X, o)[f];

	return d * d;
}

/* The weight of the term of a row. */
static double
weight_of(const struct kith_certify_job *job, size_t row)
{
	return job->how->weight ? job->how->weight[row] : 1;
}

/* sum_i |eps_hit - eps_miss|, and for each kink max |eps - eps_target|. */
static void
add_moduli(const struct kith_certify_job *job, double *sum)
{
	const size_t *target = job->ties->target, p = job->X->p;

	for (size_t i = 0; i < job->X->n; i++)
		for (size_t f = 0; f < p; f++)
			sum[f] += weight_of(job, i) *
			    fabs(gap(job, i, target[2 * i], f) - gap(job, i, target[2 * i + 1], f));
	for (size_t k = 0; k < job->kinks.n; k++) {
		const struct kith_kink *kink = &job->kinks.kink[k];
		const size_t i = kink->row, t = target[2 * i + kink->miss];

		for (size_t f = 0; f < p; f++) {
			double most = 0;

			for (size_t m = 0; m < kink->n; m++)
				most = fmax(
				    most, fabs(gap(job, i, kink->pair[m], f) - gap(job, i, t, f)));
			sum[f] += weight_of(job, i) * most;
		}
	}
}

/* max(1, theta H_f) */
static void
find_sizes(struct kith_certify_job *job)
{
	const size_t p = job->X->p;
	double least = INFINITY;

	add_moduli(job, job->size);
	for (size_t f = 0; f < p; f++) {
		job->size[f] = fmax(1, job->unit * job->size[f]);
		least = fmin(least, job->size[f]);
	}
	for (size_t f = 0; f < p; f++)
		job->e[f] = least / job->size[f];
}

/* The share of F that goes with a target: its sign is that of its distance. */
static double
unit_of(const struct kith_certify_job *job, size_t row, bool miss)
{
	const double unit = job->unit * weight_of(job, row);

	return miss ? -unit : unit;
}

/* The pairs of a kink as vectors; the number of the first. */
static size_t
add_vectors(struct kith_certify_job *job, const struct kith_kink *kink)
{
	const size_t first = job->vectors;

	for (size_t m = 0; m < kink->n; m++)
		add_gap(job, kink->row, kink->pair[m], unit_of(job, kink->row, kink->miss),
		    job->A + job->vectors++ * job->X->p);
	return first;
}

/* Add to b the targets without ties and the convex kinks of one pair. */
static void
add_single(struct kith_certify_job *job)
{
	struct kith_pool tmp = {0};
	bool *tied = kith_new(&tmp, job->X->n, 2 * sizeof(*tied));

	for (size_t k = 0; k < job->kinks.n; k++) {
		const struct kith_kink *kink = &job->kinks.kink[k];

		tied[2 * kink->row + kink->miss] = true;
		if (kink->convex && kink->n == 1)
			add_gap(job, kink->row, kink->pair[0], unit_of(job, kink->row, kink->miss),
			    job->b);
	}
	for (size_t i = 0; i < 2 * job->X->n; i++)
		if (!tied[i])
			add_gap(
			    job, i / 2, job->ties->target[i], unit_of(job, i / 2, i % 2), job->b);
	kith_pool_free(&tmp);
}

static void
add_convex(struct kith_certify_job *job)
{
	for (size_t k = 0; k < job->kinks.n; k++) {
		const struct kith_kink *kink = &job->kinks.kink[k];

		if (!kink->convex || kink->n == 1)
			continue;
		for (size_t v = add_vectors(job, kink); v < job->vectors; v++)
			job->group[v] = job->groups;
		job->groups++;
	}
	job->shared = job->vectors;
}

static void
add_concave(struct kith_certify_job *job)
{
	for (size_t k = 0; k < job->kinks.n; k++) {
		const struct kith_kink *kink = &job->kinks.kink[k];
		struct kith_certify_kink *it = &job->concave[job->concaves];

		if (kink->convex)
			continue;
		it->kink = kink;
		it->from = add_vectors(job, kink);
		it->chosen = kith_new(&job->pool, kink->n, sizeof(*it->chosen));
		it->slope = kith_new(&job->pool, kink->n, sizeof(*it->slope));
		job->concaves++;
	}
}

static bool
is_finite(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return false;
	return true;
}

/* b = (w - prior) / size */
static void
begin_sum(struct kith_certify_job *job)
{
	const double *prior = job->how->prior;
	const size_t p = job->X->p;

	job->sided = kith_new(&job->pool, p, sizeof(*job->sided));
	for (size_t f = 0; f < p; f++) {
		job->b[f] = (job->w[f] - (prior ? prior[f] : 1 / (double)p)) / job->size[f];
		job->sided[f] = job->w[f] == 0;
	}
}

bool
kith_certify_begin(struct kith_certify_job *job)
{
	const struct kith_certify_how *how = job->how;
	const size_t p = job->X->p;
	size_t most = 0;

	job->unit = how->theta / (double)job->X->n;
	KITH_NEW_REALS(&job->pool, p, 1, &job->size, &job->e, &job->b, &job->r);
	find_sizes(job);
	begin_sum(job);
	for (size_t k = 0; k < job->kinks.n; k++)
		most += job->kinks.kink[k].n;
	job->A = kith_new(&job->pool, most, p * sizeof(*job->A));
	KITH_NEW_SIZES(&job->pool, most, 1, &job->group, &job->chosen_group);
	job->concave = kith_new(&job->pool, job->kinks.n, sizeof(*job->concave));
	add_single(job);
	add_convex(job);
	add_concave(job);
	job->chosen = kith_new(&job->pool, most, p * sizeof(*job->chosen));
	memcpy(job->chosen_group, job->group, job->shared * sizeof(*job->group));
	job->t = kith_new(&job->pool, most, sizeof(*job->t));
	return is_finite(job->A, most * p) && is_finite(job->b, p);
}

void
kith_certify_down(struct kith_certify_job *job)
{
	for (size_t f = 0; f < job->X->p; f++)
		job->down[f] = job->sided[f] && job->r[f] > 0 ? 0 : -job->r[f] * job->e[f];
}

/* Choose vectors for the problem at hand; how many there are. */
static size_t
choose_vectors(struct kith_certify_job *job, bool all)
{
	const size_t p = job->X->p;
	size_t n = job->shared, group = job->groups;

	memcpy(job->chosen, job->A, n * p * sizeof(*job->A));
	for (size_t k = 0; k < job->concaves; k++) {
		const struct kith_certify_kink *it = &job->concave[k];

		if (it->fixed)
			continue;
		for (size_t m = 0; m < it->kink->n; m++) {
			if (!all && !it->chosen[m])
				continue;
			memcpy(
			    job->chosen + n * p, job->A + (it->from + m) * p, p * sizeof(*job->A));
			job->chosen_group[n++] = group;
		}
		group++;
	}
	return n;
}

bool
kith_certify_holds(struct kith_certify_job *job, bool all)
{
	const struct kith_qp_hull problem = {.p = job->X->p,
	    .n = choose_vectors(job, all),
	    .A = job->chosen,
	    .group = job->chosen_group,
	    .b = job->b,
	    .e = job->e,
	    .sided = job->sided};
	const double residual = kith_qp_hull(&problem, ENOUGH, job->t, job->r);

	if (!(residual <= job->worst))
		job->worst = residual;
	if (residual <= KITH_CERTIFY_LIMIT)
		return true;
	kith_certify_down(job);
	return false;
}

double
kith_certify_along(const struct kith_certify_job *job, size_t vector, const double *direction)
{
	const double *a = job->A + vector * job->X->p;
	double sum = 0;

	for (size_t f = 0; f < job->X->p; f++)
		sum += a[f] * job->size[f] * direction[f];
	return sum;
}
