/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conjugate gradients for systems (2 lambda1 I + S K S) x = r, preconditioned by a low-rank K.
 *
 * K = G G' + E by a pivoted Cholesky factor in blocks (Chen, Epperly, Tropp and Webber 2023):
 *
 * 1. d = diag(K).
 * 2. Draw 64 rows with probabilities proportional to d, from a quasi-random sequence.
 * 3. C = the columns of K - G G' of these rows.
 * 4. For each drawn row a in turn: g = C_a / C_aa^(1/2); C_b -= g g_b for the drawn rows b after a.
 *    A row that depends on earlier rows, as a copy does, is left out: its C_aa is next to 0.
 * 5. Append each g to G, and subtract its squares from d.
 * 6. From 2, until the sum of d, the trace of E, is small enough or G is full.
 *
 * The preconditioner 2 lambda1 I + S G G' S is inverted by Woodbury's formula with the factor of
 * the r x r matrix 2 lambda1 I + G' S^2 G.  All systems share each product with K.
 */
#include "knife/engine.h"

#include "base/progress.h"
#include "la/blas.h"
#include "la/lapack.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

enum { DRAWN = 64, ITERATIONS = 300 };

#define GOLDEN 0.6180339887498949
#define DEPENDS 1e-8   /* share of its own d that a row keeps, below which it depends on others */
#define ROUNDING 1e-12 /* of the trace of K: no smaller trace of E can be had */

/* Draws rows, some perhaps more than once. */
static void
draw_rows(size_t n, const double *d, double trace, size_t *draws, size_t row[DRAWN])
{
	for (size_t k = 0; k < DRAWN; k++) {
		double part = fmod((double)++*draws * GOLDEN, 1) * trace;

		row[k] = 0;
		for (size_t i = 0; i < n && part >= 0; i++) {
			part -= d[i];
			row[k] = d[i] > 0 ? i : row[k];
		}
	}
}

/* Steps 3 to 5: appends to G, whose rows are rank.most apart; returns the columns added. */
static size_t
append_block(struct kith_knife_engine *e, const size_t row[DRAWN], double *d)
{
	struct kith_knife_rank *rank = &e->rank;
	struct kith_pool tmp = {0};
	const size_t n = e->n, r = rank->r, most = rank->most;
	double *C, *T, *drawn = kith_new(&tmp, DRAWN, (r + 1) * sizeof(*drawn));
	double first[DRAWN], h[DRAWN];

	KITH_NEW_REALS(&tmp, n, DRAWN, &C, &T);
	kith_knife_kernel_columns(e, DRAWN, row, C);
	for (size_t l = 0; l < DRAWN && r > 0; l++)
		memcpy(drawn + l * r, rank->G + row[l] * most, r * sizeof(*drawn));
	if (r > 0)
		kith_blas_rows(n, DRAWN, r, rank->G, most, drawn, r, T, DRAWN);
	for (size_t k = 0; k < n * DRAWN; k++)
		C[k] -= T[k];
	for (size_t a = 0; a < DRAWN; a++)
		first[a] = C[row[a] * DRAWN + a];
	for (size_t a = 0; a < DRAWN; a++) {
		const double pivot = C[row[a] * DRAWN + a], root = sqrt(pivot);

		if (!(pivot > DEPENDS * first[a]))
			continue;
		for (size_t b = a; b < DRAWN; b++)
			h[b] = C[row[b] * DRAWN + a] / root;
		for (size_t i = 0; i < n; i++) {
			double *c = C + i * DRAWN;
			const double g = c[a] / root;

			rank->G[i * most + rank->r] = g;
			d[i] = fmax(0, d[i] - g * g);
			for (size_t b = a + 1; b < DRAWN; b++)
				c[b] -= g * h[b];
		}
		rank->r++;
	}
	kith_pool_free(&tmp);
	return rank->r - r;
}

/* Sets e->rank at the present weights. */
static void
find_rank(struct kith_knife_engine *e)
{
	/*
	 * The largest second derivative is that of the parabola where the slope is half the
	 * largest.
	 */
	const double f = e->problem.loss == KITH_KNIFE_LOGISTIC ? 0 : 1 - e->problem.delta / 2;
	/* An E of this trace changes no eigenvalue of a system by more than a factor of 2. */
	const double enough = 2 * e->problem.lambda1 / kith_knife_parabola(&e->problem, 1, f);
	struct kith_knife_rank *rank = &e->rank;
	struct kith_pool tmp = {0};
	const size_t n = e->n;
	double *d = kith_new(&tmp, n, sizeof(*d)), all, trace;
	size_t draws = 0, row[DRAWN];

	for (size_t i = 0; i < n; i++)
		d[i] = kith_knife_diagonal(e, i);
	rank->r = 0;
	all = trace = kith_vec_sum(n, d);
	while (trace > fmax(enough, ROUNDING * all) && rank->r + DRAWN <= rank->most) {
		draw_rows(n, d, trace, &draws, row);
		if (append_block(e, row, d) == 0)
			break;
		trace = kith_vec_sum(n, d);
	}
	e->ranked = true;
	kith_pool_free(&tmp);
}

/* The factor of 2 lambda1 I + G' S^2 G (r x r), or NULL. */
static double *
factor_rank(const struct kith_knife_engine *e, const double *s, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = e->n, r = e->rank.r;
	double *R = kith_new(pool, r, (r + 1) * sizeof(*R));
	double *B = kith_new(&tmp, n, (r + 1) * sizeof(*B));
	bool regular;

	for (size_t k = 0; k < n * r; k++)
		B[k] = s[k / r] * e->rank.G[k / r * e->rank.most + k % r];
	if (r > 0)
		kith_blas_gram(n, r, 1, B, r, R);
	for (size_t l = 0; l < r; l++)
		R[l * r + l] += 2 * e->problem.lambda1;
	regular = r == 0 || kith_spd_factor(r, R);
	kith_pool_free(&tmp);
	return regular ? R : NULL;
}

struct cg {
	const struct kith_knife_engine *e;
	const double *s; /* n: the diagonal of S */
	const double *R; /* r x r: the factor of 2 lambda1 I + G' S^2 G */
	double *t, *u;   /* r; n: operands of products with G */
};

/* z = (r - S G (2 lambda1 I + G' S^2 G)^-1 G' S r) / (2 lambda1) */
static void
precondition(const struct cg *it, const double *r, double *z)
{
	const struct kith_knife_rank *rank = &it->e->rank;
	const size_t n = it->e->n, k = rank->r;
	const double two = 2 * it->e->problem.lambda1;

	for (size_t i = 0; i < n; i++)
		it->u[i] = it->s[i] * r[i];
	if (k > 0) {
		kith_blas_turned(n, k, rank->G, rank->most, it->u, it->t);
		kith_spd_solve(k, 1, it->R, it->t);
		kith_blas_times(n, k, rank->G, rank->most, it->t, it->u);
	}
	for (size_t i = 0; i < n; i++)
		z[i] = (r[i] - (k > 0 ? it->s[i] * it->u[i] : 0)) / two;
}

/* x += by p, r -= by A p, by = r'z / p'A p; KSp = K S p. */
static void
cg_step(const struct cg *it, const double *KSp, double rz, const double *p, double *x, double *r)
{
	const size_t n = it->e->n;
	const double two = 2 * it->e->problem.lambda1;
	double pAp = 0, by;

	for (size_t i = 0; i < n; i++)
		pAp += p[i] * (two * p[i] + it->s[i] * KSp[i]);
	by = pAp > 0 ? rz / pAp : 0;
	for (size_t i = 0; i < n; i++) {
		x[i] += by * p[i];
		r[i] -= by * (two * p[i] + it->s[i] * KSp[i]);
	}
}

/* Whether max |S r| <= limit for each of m systems. */
static bool
all_solved(const struct cg *it, size_t m, const double *r, const double *limit)
{
	const size_t n = it->e->n;

	for (size_t k = 0; k < m * n; k++)
		if (fabs(it->s[k % n] * r[k]) > limit[k / n])
			return false;
	return true;
}

bool
kith_knife_cg(struct kith_knife_engine *e, const double *s, size_t m, const double *limit,
    double *x, double *r)
{
	struct kith_pool tmp = {0};
	const size_t n = e->n;
	struct cg it = {.e = e, .s = s};
	double *z, *p, *V, *KV, *rz = kith_new(&tmp, m, sizeof(*rz));

	if (!e->ranked)
		find_rank(e);
	it.R = factor_rank(e, s, &tmp);
	if (!it.R) {
		kith_pool_free(&tmp);
		return false;
	}
	it.t = kith_new(&tmp, e->rank.r + 1, sizeof(*it.t));
	KITH_NEW_REALS(&tmp, n, 1, &it.u, &z);
	KITH_NEW_REALS(&tmp, n, m, &p, &V, &KV);
	memset(x, 0, n * m * sizeof(*x));
	for (int step = 0; step < ITERATIONS && !all_solved(&it, m, r, limit); step++) {
		for (size_t k = 0, o = 0; k < m; k++, o += n) {
			const double before = rz[k];

			precondition(&it, r + o, z);
			rz[k] = kith_vec_dot(n, r + o, z);
			for (size_t i = 0; i < n; i++) {
				p[o + i] = z[i] + (before > 0 ? rz[k] / before : 0) * p[o + i];
				V[o + i] = s[i] * p[o + i];
			}
		}
		kith_knife_times(e, m, V, KV);
		e->products++;
		for (size_t k = 0, o = 0; k < m; k++, o += n)
			cg_step(&it, KV + o, rz[k], p + o, x + o, r + o);
		kith_progress_value("product with K", (double)e->products);
	}
	kith_pool_free(&tmp);
	return true;
}
