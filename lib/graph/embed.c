/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/embed.h"

#include "base/err.h"
#include "base/pool.h"
#include "graph/missed.h"
#include "graph/refine.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 * For each component:
 * 1. its matrix (graph/part.c);
 * 2. one eigenvector more than is due, that the gap behind the last be known
 *    (graph/bottom.c);
 * 3. their eigenvalues as sums of squares, and the vectors in the order of these,
 *    told apart by such sums where gaps are small (graph/refine.c);
 * 4. residuals, gaps, and, where it costs little, that none was missed
 *    (graph/missed.c);
 * 5. coordinates, their lengths and signs.
 */

/* What counts as equal: eigenvalues, relative to the larger; sizes of entries. */
static const double EQUAL = 1e-8, ALIKE = 1e-10;

/* The angle from which on kith_refine() is asked; to the vectors it is worth. */
static const double DOUBTFUL = 1e-10;
enum { REFINED = 64 };

/* Further eigenvectors for locally linear embedding, whose gaps are small. */
enum { SPARE = 3 };

/* Operations of a factor that nobody notices. */
static const double CHEAP = 2e8;

/* Step 3: values anew, and the vectors in their order, out of k. */
static void
order(const struct kith_part *p, size_t k, double *V, double *value, size_t *place)
{
	for (size_t i = 0; i < k; i++) {
		const double x = kith_part_value(p, V + i * p->n);
		size_t j = i;

		for (; j > 0 && value[j - 1] > x; j--) {
			value[j] = value[j - 1];
			place[j] = place[j - 1];
		}
		value[j] = x;
		place[j] = i;
	}
}

static bool
equal(double a, double b)
{
	return fabs(a - b) <= EQUAL * fmax(a, b);
}

/* The k vectors that were found, and what is known of them. */
struct found {
	const struct kith_part *part;
	size_t k;
	double *V, *value, *residual;
	size_t *at; /* their places in V, in the order of the values */
	bool refined;
};

/*
 * How far the vectors i and j may be turned towards each other: the rounding
 * between them, over the gap.
 */
static double
angle(const struct found *f, size_t i, size_t j)
{
	const double *value = f->value, bound = f->part->m.bound;
	const double gap = fabs(value[i] - value[j]);
	const double rounding = 8 * DBL_EPSILON;

	if (f->refined)
		return rounding *
		    (sqrt(bound) * (sqrt(value[i]) + sqrt(value[j])) + DBL_EPSILON * bound) / gap;
	return (f->residual[i] + f->residual[j] + rounding * bound) / gap;
}

/* Step 4: the gaps, and what rounding may do where they are small. */
static void
compare(const struct found *f, struct kith_embedded *out)
{
	const double *value = f->value;
	const size_t k = f->k;

	out->angle = 0;
	for (size_t i = 0; i < out->d; i++) {
		double most = 0;

		for (size_t j = 0; j < k; j++)
			if (j != i && !equal(value[i], value[j]))
				most = fmax(most, angle(f, i, j));
		/* Those that are not known are beyond the last one. */
		if (k + 1 < f->part->n && !equal(value[i], value[k - 1]))
			most = fmax(most,
			    (f->residual[i] + 8 * DBL_EPSILON * f->part->m.bound) /
				(value[k - 1] - value[i]));
		if (most > out->angle) {
			out->angle = most;
			out->turned = i;
		}
	}
}

static void
count_equal(const struct found *f, struct kith_embedded *out)
{
	for (size_t i = 0; i < out->d && i + 1 < f->k; i++)
		if (equal(f->value[i], f->value[i + 1])) {
			if (out->equal++ == 0)
				out->first_equal = i;
			out->torn = i + 1 == out->d;
		}
}

/* Step 3, and residuals. */
static void
rank(struct found *f, size_t threads)
{
	order(f->part, f->k, f->V, f->value, f->at);
	for (size_t i = 0; i < f->k; i++)
		f->residual[i] = kith_part_residual(
		    f->part, f->value[i], f->V + f->at[i] * f->part->n, threads);
}

/* Whether eigenvalues were missed, if that costs little; dense ones are all. */
static double
count(const struct kith_part *p, const struct kith_bottom *b, const double *value,
    const struct kith_embedded *e)
{
	if (b->dense)
		return 0;
	if (!b->order || kith_sparse_flops(b->order) > CHEAP)
		return NAN;
	return kith_missed(&p->m, e->d, value, e->worst * p->m.bound / 2, b->order);
}

/* Step 5: the coordinate j of the nodes, out of the vector u. */
static void
place(const struct kith_part *p, const double *u, size_t j, struct kith_embedding *out)
{
	double most = 0, sign = 0;

	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < p->n && sign == 0; i++) {
			const double root = p->kind == KITH_RANDOM_WALK ? p->root[i] : 1;
			const double y = u[i] / root * p->scale;

			out->y[p->node[i] * out->d + j] = y;
			if (round == 0)
				most = fmax(most, fabs(y));
			else if (fabs(y) >= most * (1 - ALIKE))
				sign = y < 0 ? -1 : 1;
		}
	for (size_t i = 0; i < p->n; i++)
		out->y[p->node[i] * out->d + j] *= sign;
}

/* Judge what was found, and keep it. */
static void
finish(const struct kith_part *p, const struct kith_bottom *b, size_t threads,
    struct kith_embedded *e, struct kith_embedding *out)
{
	struct kith_pool tmp = {0};
	struct found f = {.part = p,
	    .k = b->k,
	    .V = b->V,
	    .value = kith_new(&tmp, b->k, sizeof(*f.value)),
	    .residual = kith_new(&tmp, b->k, sizeof(*f.residual)),
	    .at = kith_new(&tmp, b->k, sizeof(*f.at))};

	rank(&f, threads);
	compare(&f, e);
	if (e->angle > DOUBTFUL && f.k <= REFINED) {
		kith_refine(p, f.k, f.V);
		f.refined = true;
		rank(&f, threads);
		compare(&f, e);
	}
	count_equal(&f, e);
	for (size_t i = 0; i < e->d; i++) {
		e->worst = fmax(e->worst, f.residual[i] / p->m.bound * 2);
		place(p, f.V + f.at[i] * p->n, i, out);
	}
	e->missed = count(p, b, f.value, e);
	for (size_t i = 0; i <= e->d; i++)
		e->value[i] = i < f.k ? ldexp(f.value[i], p->exponent) : NAN;
	for (size_t i = 0; i < e->d; i++)
		e->residual[i] = ldexp(f.residual[i], p->exponent);
	e->products = b->products;
	e->dense = b->dense;
	e->factored = b->factored;
	e->shift = b->shift;
	kith_pool_free(&tmp);
}

/* Embed a component of n nodes. */
static int
embed(const struct kith_undirected *graph, const struct kith_pieces *pieces,
    const struct kith_affine *affine, const struct kith_embed_how *how, struct kith_embedded *e,
    struct kith_embedding *out, struct kith_pool *pool, struct kith_err *err)
{
	const size_t due = how->d + 1 + (affine ? SPARE : 0);
	const size_t k = due < e->n ? due : e->n - 1;
	struct kith_pool tmp = {0};
	struct kith_part p;
	struct kith_bottom b;
	int got = 0;

	e->d = how->d < k ? how->d : k;
	e->value = kith_new(pool, e->d + 1, sizeof(*e->value));
	e->residual = kith_new(pool, e->d, sizeof(*e->residual));
	kith_part(graph, pieces, e->component, how->kind, affine, &p, &tmp);
	kith_bottom(&p.m, k, how->threads, &b, &tmp);
	if (b.k == 0)
		got = kith_fail(err, EX_SOFTWARE,
		    "%zu eigenvectors of %zu nodes: none after %zu products", k, e->n, b.products);
	else
		finish(&p, &b, how->threads, e, out);
	if (b.order)
		kith_sparse_free(b.order);
	kith_pool_free(&tmp);
	return got;
}

/* The components to embed. */
static void
choose(
    const struct kith_pieces *pieces, bool all, struct kith_embedding *out, struct kith_pool *pool)
{
	const size_t largest = kith_pieces_largest(pieces);

	out->part = kith_new(pool, all ? pieces->n : 1, sizeof(*out->part));
	for (size_t c = 0; c < pieces->n; c++) {
		const size_t n = kith_pieces_size(pieces, c);

		if (all ? n > 1 : c == largest)
			out->part[out->parts++] = (struct kith_embedded){.component = c, .n = n};
	}
}

int
kith_embed(const struct kith_undirected *graph, const struct kith_affine *affine,
    const struct kith_embed_how *how, struct kith_embedding *out, struct kith_pool *pool,
    struct kith_err *err)
{
	const size_t n = graph->W.n;
	struct kith_pool tmp = {0};
	struct kith_pieces pieces;
	size_t most;
	int got = 0;

	*out = (struct kith_embedding){.n = n, .d = how->d};
	if (graph->edges == 0)
		return kith_fail(err, EX_DATAERR, "no edge: nothing to embed");
	kith_pieces(graph, &pieces, &tmp);
	most = kith_pieces_size(&pieces, kith_pieces_largest(&pieces));
	if (how->d >= most) {
		got = kith_fail(err, EX_DATAERR,
		    "%zu coordinates: a component of %zu nodes has %zu "
		    "(--dims?)",
		    how->d, most, most - 1);
	} else {
		choose(&pieces, how->all, out, pool);
		out->y = kith_new(pool, n * how->d, sizeof(*out->y));
		for (size_t i = 0; i < n * how->d; i++)
			out->y[i] = NAN;
	}
	for (size_t c = 0; c < out->parts && got == 0; c++)
		got = embed(graph, &pieces, affine, how, &out->part[c], out, pool, err);
	kith_pool_free(&tmp);
	return got;
}
