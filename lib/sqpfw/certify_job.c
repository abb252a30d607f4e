#include "sqpfw/certify_job.h"

#include "la/mat.h"
#include "sqpfw/hull.h"
#include "sqpfw/rows.h"
#include "sqpfw/targets.h"

#include <math.h>
#include <string.h>

/* The search for multipliers ends where r is so small. */
#define ENOUGH (1e-4 * KITH_CERTIFY_LIMIT)

/* Multipliers that were proposed count where r is so small. */
#define BELIEVED (1e-2 * KITH_CERTIFY_LIMIT)

/* sum += unit times the squared differences of two rows over the sizes. */
static void
add_gap(const struct kith_certify_job *job, size_t i, size_t o, double unit,
    double *sum)
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

/* sum_i |eps_hit - eps_miss|, and for each kink max |eps - eps_target|. */
static void
add_moduli(const struct kith_certify_job *job, double *sum)
{
	const size_t *target = job->ties->target, p = job->X->p;

	for (size_t i = 0; i < job->X->n; i++)
		for (size_t f = 0; f < p; f++)
			sum[f] += fabs(gap(job, i, target[2 * i], f) -
			    gap(job, i, target[2 * i + 1], f));
	for (size_t k = 0; k < job->kinks.n; k++) {
		const struct kith_kink *kink = &job->kinks.kink[k];
		const size_t i = kink->row, t = target[2 * i + kink->miss];

		for (size_t f = 0; f < p; f++) {
			double most = 0;

			for (size_t m = 0; m < kink->n; m++)
				most = fmax(most,
				    fabs(gap(job, i, kink->pair[m], f) -
					gap(job, i, t, f)));
			sum[f] += most;
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
unit_of(const struct kith_certify_job *job, bool miss)
{
	return miss ? -job->unit : job->unit;
}

/* The pairs of a kink as vectors; the number of the first. */
static size_t
add_vectors(struct kith_certify_job *job, const struct kith_kink *kink)
{
	const size_t first = job->vectors;

	for (size_t m = 0; m < kink->n; m++)
		add_gap(job, kink->row, kink->pair[m], unit_of(job, kink->miss),
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
			add_gap(job, kink->row, kink->pair[0],
			    unit_of(job, kink->miss), job->b);
	}
	for (size_t i = 0; i < 2 * job->X->n; i++)
		if (!tied[i])
			add_gap(job, i / 2, job->ties->target[i],
			    unit_of(job, i % 2), job->b);
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
		job->b[f] = (job->w[f] - (prior ? prior[f] : 1 / (double)p)) /
		    job->size[f];
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
	job->kinks = kith_kinks_find(job->X, job->ties, how->hits, how->misses,
	    how->rounding, &job->pool);
	KITH_NEW_REALS(&job->pool, p, 1, &job->size, &job->e, &job->b, &job->r);
	find_sizes(job);
	begin_sum(job);
	for (size_t k = 0; k < job->kinks.n; k++)
		most += job->kinks.kink[k].n;
	job->A = kith_new(&job->pool, most, p * sizeof(*job->A));
	KITH_NEW_SIZES(&job->pool, most, 1, &job->group, &job->chosen_group);
	job->concave = kith_new(
	    &job->pool, job->kinks.n, sizeof(*job->concave));
	add_single(job);
	add_convex(job);
	add_concave(job);
	job->chosen = kith_new(&job->pool, most, p * sizeof(*job->chosen));
	memcpy(
	    job->chosen_group, job->group, job->shared * sizeof(*job->group));
	job->t = kith_new(&job->pool, most, sizeof(*job->t));
	return is_finite(job->A, most * p) && is_finite(job->b, p);
}

void
kith_certify_down(struct kith_certify_job *job)
{
	for (size_t f = 0; f < job->X->p; f++)
		job->down[f] = job->sided[f] && job->r[f] > 0
		    ? 0
		    : -job->r[f] * job->e[f];
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
			memcpy(job->chosen + n * p, job->A + (it->from + m) * p,
			    p * sizeof(*job->A));
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

/* Let the n shares of a kink sum to 1; false where they cannot. */
static bool
share_out(double *t, size_t n)
{
	double sum = 0, left = 1;
	size_t most = 0;

	for (size_t m = 0; m < n; m++) {
		t[m] = fmax(t[m], 0);
		sum += t[m];
		most = t[m] > t[most] ? m : most;
	}
	if (!(sum > 0 && sum < INFINITY))
		return false;
	for (size_t m = 0; m < n; m++) {
		t[m] /= sum;
		left -= m == most ? 0 : t[m];
	}
	t[most] = fmax(left, 0);
	return true;
}

/* The shares of all vectors, as they are known; the last unknown one of a kink
 * has the rest.  False where nothing is known of a kink. */
static bool
find_known(const struct kith_certify_job *job)
{
	const struct kith_certify_known *known = job->how->known;
	double *t = job->t;

	for (size_t k = 0; k < job->kinks.n; k++) {
		const struct kith_kink *kink = &job->kinks.kink[k];
		double sum = 0, *unknown = NULL;

		if (!kink->convex || kink->n == 1)
			continue;
		for (size_t m = 0; m < kink->n; m++) {
			t[m] = known->ask(
			    known->of, kink->row, kink->miss, kink->pair[m]);
			if (isnan(t[m]))
				unknown = &t[m];
			sum += fmax(t[m], 0);
		}
		if (unknown)
			*unknown = 1 - sum;
		if (!share_out(t, kink->n))
			return false;
		t += kink->n;
	}
	return true;
}

/* r at the shares t, with the phi that is best for the entries that are not
 * one-sided; the largest that counts of its entries. */
static double
residual_at(const struct kith_certify_job *job, const double *t)
{
	const size_t p = job->X->p;
	double *r = job->r, re = 0, ee = 0, most = 0;

	memcpy(r, job->b, p * sizeof(*r));
	for (size_t v = 0; v < job->shared; v++)
		if (t[v] > 0)
			kith_sqpfw_axpy(p, t[v], job->A + v * p, r);
	for (size_t f = 0; f < p; f++)
		if (!job->sided[f]) {
			re += r[f] * job->e[f];
			ee += job->e[f] * job->e[f];
		}
	for (size_t f = 0; f < p; f++) {
		r[f] -= re / ee * job->e[f];
		if (isnan(r[f]))
			return NAN;
		if (!(job->sided[f] && r[f] > 0))
			most = fmax(most, fabs(r[f]));
	}
	return most;
}

bool
kith_certify_known_hold(struct kith_certify_job *job)
{
	double residual;

	if (!job->how->known || !find_known(job))
		return false;
	residual = residual_at(job, job->t);
	if (!(residual <= BELIEVED))
		return false;
	job->worst = residual;
	return true;
}

double
kith_certify_along(
    const struct kith_certify_job *job, size_t vector, const double *direction)
{
	const double *a = job->A + vector * job->X->p;
	double sum = 0;

	for (size_t f = 0; f < job->X->p; f++)
		sum += a[f] * job->size[f] * direction[f];
	return sum;
}
