#include "base/pool.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "wsvm/krows.h"
#include "wsvm/margin.h"
#include "wsvm/polish.h"
#include "wsvm/state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void
make_rows(struct kith_wsvm *s, struct kith_pool *pool)
{
	const struct kith_wsvm_problem *problem = s->problem;
	const size_t n = s->n;
	double **of_rows[] = {&s->s0, &s->s1, &s->f0, &s->f1, &s->g0, &s->g1,
	    &s->p0, &s->p1, &s->s, &s->f};

	for (size_t i = 0; i < sizeof(of_rows) / sizeof(*of_rows); i++)
		*of_rows[i] = kith_new(pool, n, sizeof(double));
	s->seen = kith_new(pool, n, sizeof(*s->seen));
	s->rows = kith_krows_new(
	    problem->kern, problem->X, problem->cache, problem->threads, pool);
}

static void
make_variables(struct kith_wsvm *s, struct kith_pool *pool)
{
	const size_t N = s->N;
	double **of_variables[] = {&s->from, &s->d, &s->to, &s->diagonal,
	    &s->lo, &s->hi, &s->zero, &s->A0, &s->A1, &s->h0, &s->h1, &s->time,
	    &s->x, &s->alpha, &s->a0, &s->a1, &s->due};

	for (size_t i = 0; i < sizeof(of_variables) / sizeof(*of_variables);
	     i++)
		*of_variables[i] = kith_new(pool, N, sizeof(double));
	s->c = kith_new(pool, N, 4 * sizeof(*s->c));
	s->live = kith_new(pool, N, sizeof(*s->live));
	s->watch = kith_new(pool, N, sizeof(*s->watch));
	s->marked = kith_new(pool, N, sizeof(*s->marked));
	s->W = kith_new(pool, N, sizeof(*s->W));
	s->moved = kith_new(pool, N, sizeof(*s->moved));
	s->kept = kith_new(pool, N, sizeof(*s->kept));
	s->where = kith_new(pool, N, sizeof(*s->where));
	s->was = kith_new(pool, N, sizeof(*s->was));
	memset(s->was, KITH_WSVM_SAME, N * sizeof(*s->was));
}

/* Q_vv. */
static double
diagonal(struct kith_wsvm *s, size_t v)
{
	const struct kith_wsvm_problem *problem = s->problem;
	const size_t i = problem->plus[v];
	double K = kith_krows_entry(s->rows, i, i);

	if (problem->minus) {
		const size_t j = problem->minus[v];

		K += kith_krows_entry(s->rows, j, j) -
		    2 * kith_krows_entry(s->rows, i, j);
	}
	return (K > 0 ? K : 0) + problem->ridge;
}

void
kith_wsvm_measure(struct kith_wsvm *s, size_t v)
{
	s->diagonal[v] = diagonal(s, v);
	assert(isfinite(s->diagonal[v]));
	s->kappa = fmax(s->kappa, s->diagonal[v]);
	s->q_most = fmax(s->q_most, fabs(s->problem->q[v]));
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
	    .lo = s->lo,
	    .hi = s->hi,
	    .diagonal = s->diagonal,
	    .bias = problem->bias,
	    .ridge = problem->ridge};
	s->rate = s->form;
	s->rate.q = s->zero;
	for (size_t v = 0; v < s->N; v++)
		kith_wsvm_measure(s, v);
}

void
kith_wsvm_forget(struct kith_wsvm *s)
{
	for (size_t i = 0; i < s->moves; i++)
		s->was[s->moved[i]] = KITH_WSVM_SAME;
	s->moves = 0;
}

/* False where start is no solution, not even nearly: e' alpha is not 0. */
static bool
start_from(struct kith_wsvm *s, const struct kith_wsvm_solution *start)
{
	double sum = 0, most = 0;

	s->lives = 0;
	for (size_t v = 0; v < s->N; v++) {
		const double C = s->from[v], a = start->alpha[v];

		s->lo[v] = 0;
		s->hi[v] = C;
		s->x[v] = a < 0 ? 0 : a > C ? C : a;
		if (start->where[v] == KITH_WSVM_OUT)
			s->x[v] = 0;
		if (start->where[v] == KITH_WSVM_IN)
			s->x[v] = C;
		if (C > 0)
			s->live[s->lives++] = v;
		sum += s->form.sign[v] * s->x[v];
		most = fmax(most, C);
	}
	if (s->form.bias && fabs(sum) > 1e-6 * most)
		return false;
	memcpy(s->s, start->f, s->n * sizeof(*s->s));
	s->b0 = start->b;
	kith_wsvm_settle(s);
	kith_wsvm_split(s);
	kith_wsvm_add_up(s);
	kith_wsvm_stale(s);
	return true;
}

struct kith_wsvm *
kith_wsvm_new(const struct kith_wsvm_problem *problem, const double *from,
    const struct kith_wsvm_solution *start, struct kith_pool *pool)
{
	struct kith_wsvm *s = kith_new(pool, 1, sizeof(*s));

	assert(!(problem->bias && problem->minus));
	s->problem = problem;
	s->n = problem->X->n;
	s->N = problem->variables;
	make_rows(s, pool);
	make_variables(s, pool);
	make_forms(s);
	s->margin = kith_wsvm_margin_new(&s->form, pool);
	s->polish = kith_wsvm_polish_new(&s->form, pool);
	memcpy(s->from, from, s->N * sizeof(*from));
	memcpy(s->to, from, s->N * sizeof(*from));
	s->theta = s->stride = 1;
	if (!start || !start_from(s, start))
		kith_wsvm_cold(s);
	kith_wsvm_forget(s);
	kith_wsvm_piece_end(s);
	s->turn = false;
	return s;
}
