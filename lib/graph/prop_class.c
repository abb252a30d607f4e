/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/prop_class.h"

#include "base/pool.h"
#include "graph/graph.h"
#include "graph/prop.h"
#include "solve/mmat.h"
#include "table/table.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double TIED = 1e-12;
static const size_t NONE = SIZE_MAX;

/*
 * r_k = source + sum_j w_ij (x_j - x_i) - e_i x_i of node i, and at most so much
 * rounding in it: each of m + 2 terms is off by 3 units, their sum by m + 2.
 */
static void
left_over(const struct kith_prop *p, size_t i, double *r, double *rounding)
{
	const struct kith_mmat *A = &p->A;
	const size_t ld = p->ld, c = p->labels->c;
	const size_t m = A->start[i + 1] - A->start[i];
	const double *x = p->X + i * ld;

	for (size_t k = 0; k < c; k++) {
		const double own = A->load ? -A->load[i] * x[k] : 0;
		const double source = kith_prop_source(p, i, k);

		r[k] = own + source;
		rounding[k] = fabs(own) + 4 * fabs(source);
	}
	for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
		const double *other = p->X + A->column[e] * ld;

		for (size_t k = 0; k < c; k++) {
			const double term = A->w[e] * (other[k] - x[k]);

			r[k] += term;
			rounding[k] += fabs(term);
		}
	}
	for (size_t k = 0; k < c; k++)
		rounding[k] *= (double)(m + 6) * DBL_EPSILON;
}

/* eps of z: how far A z falls short of a, rounding included. */
static double
shortfall(const struct kith_prop *p, const double *z)
{
	const struct kith_mmat *A = &p->A;
	double eps = 0;

	for (size_t i = 0; i < A->n; i++) {
		const size_t m = A->start[i + 1] - A->start[i];
		double up = A->load ? A->load[i] * z[i] : 0, down = 0, least;

		for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
			const size_t j = A->column[e];
			const double term = A->w[e] * (z[i] - (A->out[j] ? 0 : z[j]));

			if (term > 0)
				up += term;
			else
				down -= term;
		}
		least = up - down - (double)(m + 6) * DBL_EPSILON * (up + down);
		if (!A->out[i] && !(least >= (1 - eps) * A->diagonal[i]))
			eps = 1 - least / A->diagonal[i];
	}
	return eps;
}

void
kith_prop_bound(const struct kith_prop *p, const double *z, struct kith_prop_errors *errors,
    struct kith_pool *pool)
{
	const struct kith_mmat *A = &p->A;
	const size_t c = p->labels->c;
	const double eps = z ? shortfall(p, z) : 1;
	struct kith_pool tmp = {0};
	double *r;

	*errors = (struct kith_prop_errors){.z = z, .unknown = !(eps < .9)};
	if (errors->unknown)
		return;
	errors->t = kith_new(pool, p->ld, sizeof(*errors->t));
	r = kith_new(&tmp, 2 * c, sizeof(*r));
	for (size_t i = 0; i < A->n; i++) {
		if (A->out[i])
			continue;
		left_over(p, i, r, r + c);
		for (size_t k = 0; k < c; k++) {
			const double t = (fabs(r[k]) + r[c + k]) / A->diagonal[i];

			errors->t[k] = kith_mmat_larger(errors->t[k], t);
		}
	}
	for (size_t k = 0; k < c; k++)
		errors->t[k] *= (1 + 1e-9) / (1 - eps);
	kith_pool_free(&tmp);
}

struct kith_prop_errors
kith_prop_bound_exact(const double *X, const struct kith_gth_error *error)
{
	return (struct kith_prop_errors){
	    .exact = X, .off = *error, .unknown = !(error->relative + error->absolute < 1)};
}

double
kith_prop_error(
    const struct kith_prop *p, const struct kith_prop_errors *errors, size_t i, size_t k)
{
	const size_t at = i * p->ld + k;
	double exact;

	if (p->A.out[i])
		return 0;
	if (errors->unknown)
		return INFINITY;
	if (errors->z)
		return errors->t[k] * errors->z[i];
	exact = errors->exact[at];
	return fabs(p->X[at] - exact) + (errors->off.relative + 4 * DBL_EPSILON) * fabs(exact) +
	    errors->off.absolute * p->top + 2 * DBL_TRUE_MIN;
}

enum fate { SURE, TIE, OPEN };

/* The largest |G| of all; what ties of poisson, where 0 is a mean, go by. */
static double
largest(const struct kith_prop *p)
{
	double most = 0;

	for (size_t i = 0; i < p->A.n; i++)
		for (size_t k = 0; k < p->labels->c && p->reached[i]; k++)
			most = fmax(most, fabs(p->X[i * p->ld + k]));
	return most;
}

/*
 * The first class whose score is the largest up to TIED, of the size given at
 * least, and what it is.
 */
static enum fate
judge(const struct kith_prop *p, const struct kith_prop_errors *errors, double size, size_t i,
    size_t *best)
{
	const double *x = p->X + i * p->ld;
	const size_t c = p->labels->c;
	double most = -INFINITY, slack;
	enum fate fate = SURE;

	for (size_t k = 0; k < c; k++) {
		most = fmax(most, x[k]);
		size = fmax(size, fabs(x[k]));
	}
	for (*best = 0; *best + 1 < c; ++*best)
		if (x[*best] >= most - TIED * size)
			break;
	slack = kith_prop_error(p, errors, i, *best);
	for (size_t k = 0; k < c; k++) {
		const double bound = slack + kith_prop_error(p, errors, i, k);

		if (k == *best)
			continue;
		if ((x[k] == x[*best] && size > 0) ||
		    (bound <= TIED * size && x[k] >= x[*best] - TIED * size))
			fate = fate == OPEN ? OPEN : TIE;
		else if (!(x[*best] - x[k] > bound))
			fate = OPEN;
	}
	return fate;
}

void
kith_prop_classify(const struct kith_prop *p, const struct kith_prop_errors *errors,
    struct kith_prop_classes *out, struct kith_pool *pool)
{
	const bool fixed = p->method <= KITH_PROP_NORMALIZED;
	struct kith_prop_errors none = {.z = NULL};
	double size = 0;

	none.exact = p->X;
	if (p->method == KITH_PROP_POISSON) {
		errors = &none;
		size = largest(p);
	}
	*out = (struct kith_prop_classes){.y = kith_new(pool, p->A.n, sizeof(*out->y))};
	for (size_t i = 0; i < p->A.n; i++) {
		enum fate fate = SURE;

		if (!p->reached[i])
			out->y[i] = KITH_NO_CLASS;
		else if (p->only[i] != NONE)
			out->y[i] = p->only[i];
		else if (fixed && kith_prop_is_labelled(p->labels, i))
			out->y[i] = p->labels->y[i];
		else
			fate = judge(p, errors, size, i, &out->y[i]);
		out->tied += fate == TIE;
		out->undecided += fate == OPEN;
	}
}
