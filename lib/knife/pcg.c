/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With S = h^(1/2), r = g + 2 lambda1 alpha and A = 2 lambda1 I + S K S the step is
 * d = -(r + S (v + 2 lambda1 b u)) / (2 lambda1), where
 *
 *	A v = -S K r,  A u = S 1
 *
 * and 1'(g + S (v + 2 lambda1 b u)) = 0 gives b.  What is left of the equation of
 * alpha is S (-S K r - A v) / (2 lambda1).  All systems share each pass over K; each
 * has conjugate gradients of its own (Hestenes and Stiefel 1952), and leaves when it
 * is solved.
 */
#include "knife/pcg.h"

#include "base/progress.h"
#include "knife/loss.h"
#include "knife/rank.h"
#include "knife/tiles.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

enum { MOST = 300 }; /* iterations */

/* Systems A x = b, m of them; those that are not solved are the first ones. */
struct systems {
	struct kith_knife_state *state;
	const double *s; /* n */
	const double *R; /* of the preconditioner */
	size_t m, left;
	double *x, *r, *z, *p; /* m columns of n */
	double *u, *Ku;        /* the same: S p, K S p */
	double *rz, *limit;    /* m */
	size_t *at;            /* left: which systems */
};

static double
largest(size_t n, const double *s, const double *r)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(s ? s[i] * r[i] : r[i]));
	return most;
}

static void
precondition(struct systems *it, size_t k)
{
	const size_t n = it->state->n;

	memcpy(it->z + k * n, it->r + k * n, n * sizeof(*it->z));
	kith_knife_rank_solve(it->state, &it->state->rank, it->s, it->R, it->z + k * n);
}

/* Drop the systems that are solved. */
static void
leave(struct systems *it)
{
	const size_t n = it->state->n;
	size_t some = 0;

	for (size_t a = 0; a < it->left; a++) {
		const size_t k = it->at[a];

		if (largest(n, it->s, it->r + k * n) > it->limit[k])
			it->at[some++] = k;
	}
	it->left = some;
}

/* A step of system k, of which Ku has K S p. */
static void
go(struct systems *it, size_t k, const double *Ku)
{
	const size_t n = it->state->n;
	const double two = 2 * it->state->problem->lambda1;
	double *x = it->x + k * n, *r = it->r + k * n, *z = it->z + k * n;
	double *p = it->p + k * n, *Ap = it->u, pAp, rz, by;

	for (size_t i = 0; i < n; i++)
		Ap[i] = two * p[i] + it->s[i] * Ku[i];
	pAp = kith_vec_dot(n, p, Ap);
	by = pAp > 0 ? it->rz[k] / pAp : 0;
	for (size_t i = 0; i < n; i++) {
		x[i] += by * p[i];
		r[i] -= by * Ap[i];
	}
	precondition(it, k);
	rz = kith_vec_dot(n, r, z);
	by = it->rz[k] > 0 ? rz / it->rz[k] : 0;
	for (size_t i = 0; i < n; i++)
		p[i] = z[i] + by * p[i];
	it->rz[k] = rz;
}

/* Solve from x = 0, r being the right sides. */
static void
solve(struct systems *it)
{
	const size_t n = it->state->n;

	it->left = it->m;
	for (size_t k = 0; k < it->m; k++) {
		it->at[k] = k;
		precondition(it, k);
		memcpy(it->p + k * n, it->z + k * n, n * sizeof(*it->p));
		it->rz[k] = kith_vec_dot(n, it->r + k * n, it->z + k * n);
	}
	leave(it);
	for (int step = 0; step < MOST && it->left > 0; step++) {
		for (size_t a = 0; a < it->left; a++)
			for (size_t i = 0; i < n; i++)
				it->u[a * n + i] = it->s[i] * it->p[it->at[a] * n + i];
		kith_knife_tiles_times(it->state, it->left, it->u, it->Ku);
		it->state->products++;
		for (size_t a = 0; a < it->left; a++)
			go(it, it->at[a], it->Ku + a * n);
		leave(it);
		kith_progress_value("product with K", (double)it->state->products);
	}
}

/*
 * G, as far as it serves: an E of this trace changes no eigenvalue of a
 * system by more than twice.
 */
static void
find_rank(struct kith_knife_state *state)
{
	const struct kith_knife_problem *problem = state->problem;
	const size_t n = state->n;
	double most = kith_knife_curvature(problem);

	if (state->ranked)
		return;
	if (problem->weight)
		most *= kith_vec_largest(n, problem->weight);
	kith_pool_free(&state->now);
	state->rank = kith_knife_rank_find(state, 2 * problem->lambda1 / most,
	    n / 2 < KITH_KNIFE_RANK ? n / 2 : KITH_KNIFE_RANK, &state->now);
	state->ranked = true;
}

/* The right sides, and what may be left of each; r goes into step. */
static void
set_sides(struct systems *it, const struct kith_knife_pcg *how, double *step)
{
	struct kith_knife_state *state = it->state;
	const size_t n = state->n;
	const double two = 2 * state->problem->lambda1;

	for (size_t k = 0; k < how->c * n; k++)
		step[k] = how->g[k] + two * how->alpha[k];
	kith_knife_tiles_times(state, how->c, step, it->Ku);
	state->products++;
	for (size_t o = 0; o < how->c; o++) {
		it->limit[o] = two * how->part * largest(n, NULL, step + o * n);
		for (size_t i = 0; i < n; i++)
			it->r[o * n + i] = -it->s[i] * it->Ku[o * n + i];
	}
	if (how->hold)
		return;
	it->limit[how->c] = how->part * largest(n, NULL, how->h);
	memcpy(it->r + how->c * n, it->s, n * sizeof(*it->r));
}

/* The step of b of output o. */
static double
find_bias(const struct systems *it, const struct kith_knife_pcg *how, size_t o)
{
	const size_t n = it->state->n;
	const double sum = kith_vec_sum(n, how->g + o * n) + kith_vec_dot(n, it->s, it->x + o * n);
	const double slope = 2 * it->state->problem->lambda1 *
	    kith_vec_dot(n, it->s, it->x + how->c * n);

	return slope > 0 ? -sum / slope : 0;
}

bool
kith_knife_pcg_step(struct kith_knife_state *state, const struct kith_knife_pcg *how, double *step,
    double *Kstep, double *b)
{
	struct kith_pool tmp = {0};
	const size_t n = state->n, c = how->c, m = c + !how->hold;
	const double two = 2 * state->problem->lambda1;
	double *s = kith_new(&tmp, n, sizeof(*s));
	struct systems it = {.state = state, .s = s, .m = m};

	find_rank(state);
	for (size_t i = 0; i < n; i++)
		s[i] = sqrt(how->h[i]);
	it.R = kith_knife_rank_factor(state, &state->rank, s, &tmp);
	if (!it.R) {
		kith_pool_free(&tmp);
		return false;
	}
	KITH_NEW_REALS(&tmp, n, m, &it.x, &it.r, &it.z, &it.p, &it.u, &it.Ku);
	KITH_NEW_REALS(&tmp, m, 1, &it.rz, &it.limit);
	it.at = kith_new(&tmp, m, sizeof(*it.at));
	set_sides(&it, how, step);
	solve(&it);
	for (size_t o = 0; o < c; o++) {
		b[o] = how->hold ? 0 : find_bias(&it, how, o);
		for (size_t i = 0; i < n; i++) {
			double v = it.x[o * n + i];

			if (!how->hold)
				v += two * b[o] * it.x[c * n + i];
			step[o * n + i] = -(step[o * n + i] + s[i] * v) / two;
		}
	}
	kith_knife_tiles_times(state, c, step, Kstep);
	state->products++;
	kith_pool_free(&tmp);
	return true;
}
