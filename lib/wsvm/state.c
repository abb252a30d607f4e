/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/state.h"

#include "base/pool.h"
#include "la/mat.h"
#include "wsvm/krows.h"
#include "wsvm/krows_sum.h"
#include "wsvm/polish.h"

#include <assert.h>
#include <string.h>

static void
make_items(struct kith_wsvm *s, struct kith_pool *pool)
{
	const struct kith_wsvm_problem *problem = s->problem;

	KITH_NEW_REALS(pool, s->n, 1, &s->in.score0, &s->in.score1,
	    &s->in.pending0, &s->in.pending1, &s->piece.f0, &s->piece.f1,
	    &s->out.f0, &s->out.f1, &s->work.score, &s->last.f, &s->bent.f[0],
	    &s->bent.f[1]);
	KITH_NEW_SIZES(pool, s->n, 1, &s->piece.f_of, &s->piece.asked);
	s->rows = problem->rows ? problem->rows
				: kith_krows_new(problem->kern, problem->X,
				      problem->cache, problem->threads, pool);
}

static void
make_variables(struct kith_wsvm *s, struct kith_pool *pool)
{
	const size_t N = s->N;

	KITH_NEW_REALS(pool, N, 1, &s->root, &s->C.from, &s->C.rate, &s->C.to,
	    &s->diagonal, &s->lower, &s->upper, &s->zero, &s->piece.alpha0,
	    &s->piece.alpha1, &s->piece.g0, &s->piece.g1, &s->piece.hit,
	    &s->work.x, &s->work.unit, &s->last.alpha, &s->path.from,
	    &s->path.to, &s->path.alpha, &s->path.begin, &s->path.C,
	    &s->bent.left, &s->bent.right, &s->candidate.due,
	    &s->candidate.share);
	KITH_NEW_SIZES(pool, N, 1, &s->C.live, &s->candidate.list,
	    &s->candidate.near, &s->candidate.again, &s->last.stored,
	    &s->event.open, &s->set.moved);
	s->work.side = kith_new(pool, N, 4 * sizeof(*s->work.side));
	s->event.decided = kith_new(pool, N, sizeof(*s->event.decided));
	s->set.where = kith_new(pool, N, sizeof(*s->set.where));
	s->set.was = kith_new(pool, N, sizeof(*s->set.was));
	memset(s->set.was, KITH_WSVM_SAME, N * sizeof(*s->set.was));
}

/* K_ii, at least 0. */
static double
entry(struct kith_wsvm *s, size_t i)
{
	const double K = kith_krows_entry(s->rows, i, i);

	return K > 0 ? K : 0;
}

void
kith_wsvm_state_measure(struct kith_wsvm *s, size_t v)
{
	const double plus = entry(s, s->problem->plus[v]);
	const double minus = s->problem->minus ? entry(s, s->problem->minus[v])
					       : 0;

	s->diagonal[v] = s->problem->ridge +
	    kith_krows_length(s->rows, s->problem->plus, s->problem->minus, v);
	assert(isfinite(s->diagonal[v]));
	/* Of a difference, rounding is that of its terms. */
	s->root[v] = sqrt(plus) + sqrt(minus);
	s->root_min = v ? fmin(s->root_min, s->root[v]) : s->root[v];
	s->root_most = fmax(s->root_most, s->root[v]);
	s->Q_max = fmax(s->Q_max, s->diagonal[v]);
	s->q_max = fmax(s->q_max, fabs(s->problem->q[v]));
}

static void
make_forms(struct kith_wsvm *s)
{
	const struct kith_wsvm_problem *problem = s->problem;

	s->form = (struct kith_smo_form){.rows = s->rows,
	    .n = s->n,
	    .N = s->N,
	    .plus = problem->plus,
	    .minus = problem->minus,
	    .sign = problem->sign,
	    .q = problem->q,
	    .lo = s->lower,
	    .hi = s->upper,
	    .diagonal = s->diagonal,
	    .bias = problem->bias,
	    .ridge = problem->ridge};
	s->rate_form = s->form;
	s->rate_form.q = s->zero;
	for (size_t v = 0; v < s->N; v++)
		kith_wsvm_state_measure(s, v);
}

struct kith_wsvm *
kith_wsvm_state_new(
    const struct kith_wsvm_problem *problem, struct kith_pool *pool)
{
	struct kith_wsvm *s = kith_new(pool, 1, sizeof(*s));

	assert(!(problem->bias && problem->minus));
	s->problem = problem;
	s->n = problem->X->n;
	s->N = problem->variables;
	make_items(s, pool);
	make_variables(s, pool);
	make_forms(s);
	s->margin = kith_wsvm_margin_new(&s->form, pool);
	s->polish = kith_wsvm_polish_new(&s->form, pool);
	return s;
}

void
kith_wsvm_state_tolerance(struct kith_wsvm *s, const double *alpha)
{
	double sum = 0;

	s->root_least = s->root_most;
	for (size_t v = 0; v < s->N; v++) {
		sum += s->root[v] * fabs(alpha[v]);
		s->root_least = fmin(s->root_least, s->root[v]);
	}
	s->tol.scale = KITH_WSVM_ROUNDING * sum;
	s->tol.base = KITH_WSVM_ROUNDING * s->q_max +
	    s->root_least * s->tol.scale;
}

void
kith_wsvm_state_live(struct kith_wsvm *s)
{
	s->C.n_live = 0;
	for (size_t v = 0; v < s->N; v++)
		if (s->C.from[v] > 0 || s->C.to[v] > 0)
			s->C.live[s->C.n_live++] = v;
}
