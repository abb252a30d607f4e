/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/refine.h"

#include "base/pool.h"
#include "graph/affine.h"
#include "graph/part.h"

#include <float.h>
#include <math.h>

enum { SWEEPS = 30 };

/* H += c t t', its upper triangle. */
static void
add(size_t k, double c, const double *t, double *H)
{
	for (size_t a = 0; a < k; a++)
		for (size_t b = a; b < k; b++)
			H[a * k + b] += c * t[a] * t[b];
}

/* The products of F v over the edges: differences, as in kith_part_value(). */
static void
square_edges(const struct kith_part *p, size_t k, const double *V, double *t, double *H)
{
	const struct kith_sparse *A = &p->m.A;
	const double *root = p->root;

	for (size_t i = 0; i < p->n; i++)
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
			const size_t j = A->column[e];
			const double c = sqrt(-A->x[e]);
			const double by_i = c * sqrt(root[j] / root[i]);
			const double by_j = c * sqrt(root[i] / root[j]);

			if (j < i)
				continue;
			for (size_t a = 0; a < k; a++)
				t[a] = by_i * V[a * p->n + i] - by_j * V[a * p->n + j];
			add(k, 1, t, H);
		}
}

/* The same over the rows of I - W. */
static void
square_rows(const struct kith_part *p, size_t k, const double *V, double *t, double *H)
{
	const struct kith_affine *f = p->affine;

	for (size_t i = 0; i < p->n; i++) {
		const size_t row = p->node[i];

		for (size_t a = 0; a < k; a++) {
			t[a] = 0;
			for (size_t e = f->start[row]; e < f->start[row + 1]; e++)
				t[a] += f->x[e] * V[a * p->n + p->place[f->column[e]]];
		}
		add(k, 1, t, H);
	}
}

/* Rows a and b of X become c a - s b and s a + c b. */
static void
rotate(size_t n, double *a, double *b, double c, double s)
{
	for (size_t i = 0; i < n; i++) {
		const double x = a[i], y = b[i];

		a[i] = c * x - s * y;
		b[i] = s * x + c * y;
	}
}

/* A rotation that makes H_ab 0, of H and of the vectors; false: it was. */
static bool
turn(const struct kith_part *p, size_t k, double *H, size_t a, size_t b, double *V)
{
	const double x = H[a * k + a], y = H[b * k + b], z = H[a * k + b];
	double theta, t, c, s;

	if (fabs(z) <= DBL_EPSILON * sqrt(x) * sqrt(y))
		return false;
	theta = (y - x) / (2 * z);
	t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1));
	c = 1 / hypot(t, 1);
	s = t * c;
	rotate(k, H + a * k, H + b * k, c, s);
	for (size_t i = 0; i < k; i++)
		rotate(1, H + i * k + a, H + i * k + b, c, s);
	H[a * k + b] = H[b * k + a] = 0;
	rotate(p->n, V + a * p->n, V + b * p->n, c, s);
	return true;
}

void
kith_refine(const struct kith_part *part, size_t k, double *V)
{
	struct kith_pool tmp = {0};
	double *H = kith_new(&tmp, k * k, sizeof(*H));
	double *t = kith_new(&tmp, k, sizeof(*t));
	bool turned = true;

	if (part->kind == KITH_AFFINE)
		square_rows(part, k, V, t, H);
	else
		square_edges(part, k, V, t, H);
	for (size_t a = 0; a < k; a++)
		for (size_t b = 0; b < a; b++)
			H[a * k + b] = H[b * k + a];
	for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
		turned = false;
		for (size_t a = 0; a + 1 < k; a++)
			for (size_t b = a + 1; b < k; b++)
				turned |= turn(part, k, H, a, b, V);
	}
	kith_pool_free(&tmp);
}
