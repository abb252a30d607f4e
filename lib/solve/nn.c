/* SPDX-License-Identifier: BSD-2-Clause */
#include "solve/nn.h"

#include "base/pool.h"
#include "la/chol.h"
#include "la/vec.h"
#include "solve/kernels.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SWEEPS = 2, REFINE = 6 };

#define ENTER 1e-13  /* a dual variable below this, negative, enters */
#define SOLVED 1e-12 /* what a solution must reach */
#define EPS 0x1p-52
#define CLOSE (16 * EPS) /* what is left of g on the support */

/* Vectors have ld entries, 0 from n on. */
struct kith_qp_nn {
	size_t n, ld;
	const double *A;
	double *b, *t, *g, *s;
	bool *copy; /* stays 0: is a copy of another, or has no diagonal */
	bool *skip; /* these, and what cannot enter now */
	size_t *P;  /* the support, in the order of the factor */
	struct kith_chol chol;
	double scale; /* the largest b_j */
	double least; /* of a pivot's square, relative to the diagonal */
};

struct kith_qp_nn *
kith_qp_nn_new(size_t most, struct kith_pool *pool)
{
	struct kith_qp_nn *qp = kith_new(pool, 1, sizeof(*qp));
	const size_t ld = kith_qp_nn_stride(most);

	KITH_NEW_REALS(pool, ld, 1, &qp->b, &qp->t, &qp->g, &qp->s);
	qp->skip = kith_new(pool, most, sizeof(*qp->skip));
	qp->copy = kith_new(pool, most, sizeof(*qp->copy));
	qp->P = kith_new(pool, most, sizeof(*qp->P));
	qp->chol = kith_chol_new(most, pool);
	return qp;
}

/* Take member i of the support out of it. */
static void
leave(struct kith_qp_nn *qp, size_t i)
{
	qp->t[qp->P[i]] = 0;
	kith_chol_delete(&qp->chol, i);
	memmove(qp->P + i, qp->P + i + 1, (qp->chol.n - i) * sizeof(*qp->P));
}

/*
 * Go from t towards s, weights of the support, as far as none becomes
 * negative.  False when some had to leave on the way.
 */
static bool
step(struct kith_qp_nn *qp)
{
	const size_t n = qp->chol.n;
	size_t first = n;
	double a = 1;

	for (size_t i = 0; i < n; i++) {
		const double t = qp->t[qp->P[i]];

		if (qp->s[i] > 0)
			continue;
		if (first == n || t / (t - qp->s[i]) < a) {
			a = t > 0 ? t / (t - qp->s[i]) : 0;
			first = i;
		}
	}
	for (size_t i = n; i-- > 0;) {
		double *t = qp->t + qp->P[i];

		*t = first == n ? qp->s[i] : *t + a * (qp->s[i] - *t);
		if (first < n && (i == first || !(*t > 0)))
			leave(qp, i);
	}
	return first == n;
}

/*
 * Find the best weights of the support, which shrinks until all of them are
 * positive, and g.  The factor is that of a matrix nearby, so a solution is
 * corrected by its own residual until that no longer helps.
 */
static void
settle(struct kith_qp_nn *qp)
{
	double last = INFINITY, now;
	int more = REFINE;

	do {
		for (size_t i = 0; i < qp->chol.n; i++)
			qp->s[i] = qp->b[qp->P[i]];
		kith_chol_solve(&qp->chol, qp->s);
	} while (!step(qp));
	for (;;) {
		kith_solve_kernels_at_level()->gradient(
		    qp->chol.n, qp->P, qp->ld, qp->A, qp->b, qp->t, qp->g);
		now = 0;
		for (size_t i = 0; i < qp->chol.n; i++)
			now = kith_larger(now, fabs(qp->g[qp->P[i]])); /* |g| on the support */
		if (now <= CLOSE * qp->scale || now > last / 2 || more-- == 0)
			return;
		last = now;
		for (size_t i = 0; i < qp->chol.n; i++)
			qp->s[i] = -qp->g[qp->P[i]];
		kith_chol_solve(&qp->chol, qp->s);
		for (size_t i = 0; i < qp->chol.n; i++)
			qp->s[i] += qp->t[qp->P[i]];
		if (!step(qp))
			last = INFINITY;
	}
}

/* Adds j to the support; false where its row, whose products with the support s has, depends on it. */
static bool
join(struct kith_qp_nn *qp, size_t j)
{
	const size_t n = qp->chol.n;
	const double *row = qp->A + j * qp->ld;

	for (size_t i = 0; i < n; i++)
		qp->s[i] = row[qp->P[i]];
	if (!kith_chol_append(&qp->chol, qp->s, row[j], qp->least))
		return false;
	qp->P[n] = j;
	return true;
}

/*
 * Row j, whose products with the support join() has left in s, is the sum of c_i times the rows of
 * the support: t_j grows at the cost of c_i t_j, which leaves A t as it is, until one of the support
 * is 0 and leaves.  False where none ever is.
 */
static bool
trade(struct kith_qp_nn *qp, size_t j)
{
	const size_t n = qp->chol.n;
	size_t first = n;
	double a = 0;

	kith_chol_solve(&qp->chol, qp->s);
	for (size_t i = 0; i < n; i++) {
		const double most = qp->t[qp->P[i]] / qp->s[i];

		if (qp->s[i] > SOLVED && (first == n || most < a)) {
			first = i;
			a = most;
		}
	}
	if (first == n)
		return false;
	qp->t[j] += a;
	for (size_t i = n; i-- > 0;) {
		double *t = qp->t + qp->P[i];

		*t -= a * qp->s[i];
		if (i == first || !(*t > 0))
			leave(qp, i);
	}
	return true;
}

/* The weight with the most to gain; of equal ones, the first. */
static size_t
choose(const struct kith_qp_nn *qp)
{
	double least = -ENTER * qp->scale;
	size_t j = qp->n;

	for (size_t i = 0; i < qp->n; i++)
		if (qp->g[i] < least && !qp->skip[i] && !(qp->t[i] > 0)) {
			least = qp->g[i] - 4 * EPS * qp->scale;
			j = i;
		}
	return j;
}

/* Let weights enter until none gains. */
static void
climb(struct kith_qp_nn *qp, size_t steps)
{
	memcpy(qp->skip, qp->copy, qp->n * sizeof(*qp->skip));
	settle(qp);
	while (steps-- > 0) {
		const size_t j = choose(qp);
		bool in;

		if (j == qp->n)
			return;
		while (!(in = join(qp, j)) && trade(qp, j))
			;
		if (!in)
			qp->t[j] = 0;
		settle(qp);
		if (qp->t[j] > 0)
			memcpy(qp->skip, qp->copy, qp->n * sizeof(*qp->skip));
		else
			qp->skip[j] = true; /* until another has entered */
	}
}

static double
violation(const struct kith_qp_nn *qp)
{
	double most = 0;

	for (size_t j = 0; j < qp->n; j++) {
		const double g = qp->g[j];

		most = kith_larger(most, qp->t[j] > 0 ? fabs(g) : -g);
	}
	return most > 0 ? most / qp->scale : 0;
}

/*
 * Takes a problem in, and guesses t by rounds of exact minimisation along one weight after the
 * other.  Two rounds find nearly all of the support; more cost more than climb() needs for the rest.
 */
static void
guess(struct kith_qp_nn *qp, size_t n, const double *A, const double *b)
{
	const size_t ld = kith_qp_nn_stride(n);

	qp->n = n;
	qp->ld = ld;
	qp->A = A;
	qp->scale = 0;
	qp->least = EPS * (double)(n + 8);
	for (size_t j = 0; j < ld; j++) {
		qp->b[j] = j < n ? b[j] : 0;
		qp->g[j] = -qp->b[j];
		qp->t[j] = 0;
		qp->scale = kith_larger(qp->scale, qp->b[j]);
	}
	for (size_t j = 0; j < n; j++) {
		qp->copy[j] = !(A[j * ld + j] > 0);
		for (size_t i = j; i-- > 0 && !qp->copy[j];)
			qp->copy[j] = !qp->copy[i] && b[i] == b[j] &&
			    A[i * ld + i] == A[j * ld + i] &&
			    memcmp(A + i * ld, A + j * ld, n * sizeof(*A)) == 0;
	}
	for (int sweep = 0; sweep < SWEEPS; sweep++)
		kith_solve_kernels_at_level()->descend(n, ld, A, qp->copy, qp->t, qp->g);
}

/* Make those weights the support that are positive, and independent. */
static void
begin(struct kith_qp_nn *qp)
{
	size_t n = 0, held;

	for (size_t j = 0; j < qp->n; j++)
		if (qp->t[j] > 0)
			qp->P[n++] = j;
	memcpy(qp->s, qp->t, qp->n * sizeof(*qp->s));
	held = kith_chol_factor(&qp->chol, qp->A, qp->ld, qp->P, n, qp->least);
	memset(qp->t, 0, qp->n * sizeof(*qp->t));
	for (size_t i = 0; i < held; i++)
		qp->t[qp->P[i]] = qp->s[qp->P[i]];
}

double
kith_qp_nn(struct kith_qp_nn *qp, size_t n, const double *A, const double *b, double *t, double *g)
{
	double got;

	guess(qp, n, A, b);
	begin(qp);
	climb(qp, 3 * n);
	got = violation(qp);
	if (got > SOLVED) {
		memset(qp->t, 0, n * sizeof(*qp->t));
		begin(qp);
		climb(qp, 50 * n + 1000);
		got = violation(qp);
	}
	memcpy(t, qp->t, n * sizeof(*t));
	memcpy(g, qp->g, n * sizeof(*g));
	return got;
}
