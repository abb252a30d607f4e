/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/prop_check.h"

#include "base/pool.h"
#include "graph/graph.h"
#include "graph/prop.h"
#include "graph/prop_class.h"
#include "table/check.h"

#include <math.h>

static const double RESIDUAL = 1e-12, MAXIMUM = 1e-12, MEAN = 1e-12;
static const double ERROR = 1e-6;

/* The larger one; a number that is none is the largest. */
static double
larger(double a, double b)
{
	return isnan(a) || a > b ? a : b;
}

/* Whether the score of a node with a label is the label's. */
static bool
is_given(const struct kith_prop *p, size_t i)
{
	return p->method <= KITH_PROP_NORMALIZED && kith_prop_is_labelled(p->labels, i);
}

/* Whether poisson has an equation of its own for the component of node i. */
static bool
is_poisson(const struct kith_prop *p, size_t i)
{
	return p->method == KITH_PROP_POISSON && p->reached[i] && p->only[i] == SIZE_MAX;
}

/* What the source of node i is; also of the one that poisson has grounded. */
static double
source(const struct kith_prop *p, size_t i, size_t k)
{
	const size_t c = p->labels->c;

	if (!is_poisson(p, i))
		return kith_prop_source(p, i, k);
	return kith_prop_is_labelled(p->labels, i)
	    ? kith_prop_label(p->labels, i, k) - p->mean[p->graph->component[i] * c + k]
	    : 0;
}

/* How far a G that is given, or of a node without an edge, is off. */
static double
off(const struct kith_prop *p, size_t i, size_t k)
{
	const double label = kith_prop_is_labelled(p->labels, i) ? kith_prop_label(p->labels, i, k)
								 : 0;
	const double x = p->X[i * p->ld + k];

	if (is_given(p, i))
		return fabs(x - label / (p->h ? p->h[i] : 1));
	return fabs(x - (p->method == KITH_PROP_SPREAD ? (1 - p->alpha) * label : 0));
}

/* |r_k| / a_i of node i, or how far it is off, into r (c). */
static void
residual(const struct kith_prop *p, size_t i, double *r)
{
	const struct kith_sparse *W = &p->graph->W;
	const size_t c = p->labels->c, ld = p->ld;
	const double *x = p->X + i * ld;

	if (is_given(p, i) || p->graph->d[i] == 0) {
		for (size_t k = 0; k < c; k++)
			r[k] = off(p, i, k);
		return;
	}
	for (size_t k = 0; k < c; k++)
		r[k] = source(p, i, k) - (p->A.load ? p->A.load[i] * x[k] : 0);
	for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
		const double *other = p->X + W->column[e] * ld;

		for (size_t k = 0; k < c; k++)
			r[k] += W->x[e] * (other[k] - x[k]);
	}
	for (size_t k = 0; k < c; k++)
		r[k] = p->A.out[i] && !is_poisson(p, i) ? 0 : fabs(r[k]) / p->A.diagonal[i];
}

/* The range that the numbers of column k must not leave. */
static void
range(const struct kith_prop *p, size_t k, double *least, double *most)
{
	*least = 0;
	*most = p->method == KITH_PROP_HARMONIC ? 1 : 0;
	for (size_t i = 0; i < p->A.n; i++) {
		const double x = p->X[i * p->ld + k];

		if (!kith_prop_is_labelled(p->labels, i))
			continue;
		if (is_poisson(p, i)) {
			*least = fmin(*least, x);
			*most = fmax(*most, x);
		} else if (p->h && p->graph->d[i] > 0) {
			*most = fmax(*most, kith_prop_label(p->labels, i, k) / p->h[i]);
		}
	}
}

/* How far a number leaves its range. */
static double
outside(double x, double least, double most)
{
	return fmax(fmax(least - x, x - most), 0);
}

/* The mean of poisson, in the worst component. */
static double
mean(const struct kith_prop *p)
{
	const struct kith_undirected *g = p->graph;
	const size_t c = p->labels->c;
	struct kith_pool tmp = {0};
	long double *sum = kith_new(&tmp, g->components * c, sizeof(*sum));
	long double *size = kith_new(&tmp, g->components, sizeof(*size));
	double worst = 0;

	for (size_t i = 0; i < p->A.n; i++)
		for (size_t k = 0; k < c && is_poisson(p, i); k++) {
			const long double x = (long double)g->d[i] * p->X[i * p->ld + k];

			sum[g->component[i] * c + k] += x;
			size[g->component[i]] += fabsl(x);
		}
	for (size_t at = 0; at < g->components * c; at++)
		if (size[at / c] > 0)
			worst = larger((double)(fabsl(sum[at]) / size[at / c]), worst);
	kith_pool_free(&tmp);
	return worst;
}

/* The bound of the errors of numbers; of two columns, that of their ratio. */
static double
error(const struct kith_prop *p, const struct kith_prop_errors *errors)
{
	double worst = 0;

	for (size_t i = 0; i < p->A.n; i++) {
		const double *x = p->X + i * p->ld;
		double e;

		if (p->A.out[i])
			continue;
		e = kith_prop_error(p, errors, i, 0);
		if (p->labels->c == 2)
			e = (e + kith_prop_error(p, errors, i, 1)) / x[1];
		worst = larger(e, worst);
	}
	return worst;
}

/* The last check, of classes. */
static struct kith_check
decided(const struct kith_prop *p, const struct kith_prop_classes *classes, const size_t *y)
{
	struct kith_check check = {"undecided", NAN, NAN};
	size_t wrong = classes->undecided;

	for (size_t i = 0; y && i < p->A.n; i++)
		wrong += p->reached[i] && y[i] != classes->y[i];
	if (p->method == KITH_PROP_POISSON && wrong == 0)
		return check;
	check.value = (double)(wrong + classes->tied);
	if (wrong > 0 || classes->tied == 0)
		check.limit = 0;
	return check;
}

size_t
kith_prop_check(const struct kith_prop *p, const struct kith_prop_errors *errors,
    const struct kith_prop_classes *classes, const size_t *y,
    struct kith_check out[KITH_PROP_CHECKS])
{
	const size_t c = p->labels->c;
	struct kith_pool tmp = {0};
	double *r = kith_new(&tmp, 3 * c, sizeof(*r)), *least = r + c;
	double *most = least + c, top = 0, worst = 0, beyond = 0;
	size_t n = 0;

	for (size_t k = 0; k < c; k++)
		range(p, k, &least[k], &most[k]);
	for (size_t i = 0; i < p->A.n; i++) {
		if (!p->reached[i])
			continue;
		residual(p, i, r);
		for (size_t k = 0; k < c; k++) {
			const double x = p->X[i * p->ld + k];

			worst = larger(r[k], worst);
			if (p->graph->d[i] == 0)
				continue;
			top = fmax(top, fabs(x));
			if (!is_given(p, i))
				beyond = larger(outside(x, least[k], most[k]), beyond);
		}
	}
	kith_pool_free(&tmp);
	if (top == 0)
		top = 1;
	out[n++] = (struct kith_check){"residual", worst / top, RESIDUAL};
	out[n++] = (struct kith_check){"maximum", beyond / top, MAXIMUM};
	if (p->method == KITH_PROP_POISSON)
		out[n++] = (struct kith_check){"mean", mean(p), MEAN};
	out[n++] = classes ? decided(p, classes, y)
			   : (struct kith_check){"error", error(p, errors), ERROR};
	return n;
}
