#include "wsvm/transduction.h"

#include "base/pool.h"
#include "base/progress.h"
#include "base/sort.h"
#include "la/mat.h"
#include "la/vec.h"

#include <assert.h>
#include <string.h>

#define SOME 1e-9  /* a slack up to it counts as rounding */
#define START 1e-5 /* C*- / C* at the start */

struct work {
	const struct kith_wsvm_transduce_how *how;
	struct kith_wsvm *solver;
	double *C;      /* N: weights */
	double yes, no; /* C*+ and C*- */
	struct kith_wsvm_transduced *out;
	double *alpha, *f;
};

/* The solution at the end of the path. */
static void
get_solution(struct work *w)
{
	const struct kith_wsvm_problem *problem = w->how->problem;
	struct kith_wsvm_solution at;

	kith_wsvm_get(w->solver, &at);
	memcpy(w->alpha, at.alpha, problem->variables * sizeof(*w->alpha));
	for (size_t i = 0; i < problem->X->n; i++)
		w->f[i] = at.f[i] + at.b;
	w->out->b = at.b;
}

/* Follow the path to the weights of the labels. */
static void
follow(struct work *w)
{
	const struct kith_wsvm_transduce_how *how = w->how;
	struct kith_wsvm_piece piece;

	for (size_t u = 0; u < how->k; u++) {
		const bool yes = w->out->yes[u];

		w->C[how->row[u]] = yes ? w->yes : 0;
		w->C[how->as_no[u]] = yes ? 0 : w->no;
	}
	/* Twice: a label given up bounds b until its path has ended. */
	for (int go = 0; go < 2; go++) {
		kith_wsvm_aim(w->solver, w->C);
		while (kith_wsvm_next(w->solver, &piece, NULL, NULL))
			;
	}
	get_solution(w);
}

/* The k+ largest f are +1. */
static void
label(struct work *w)
{
	const struct kith_wsvm_transduce_how *how = w->how;
	struct kith_pool tmp = {0};
	struct kith_ranked *rank = kith_new(&tmp, how->k, sizeof(*rank));

	for (size_t u = 0; u < how->k; u++)
		rank[u] = (struct kith_ranked){w->f[how->row[u]], u};
	kith_sort_ranked(rank, how->k);
	for (size_t u = 0; u < how->positives; u++)
		w->out->yes[rank[u].of] = true;
	kith_pool_free(&tmp);
}

/* Exchange the labels of the two rows with the largest slacks, if it helps. */
static bool
exchange(struct work *w)
{
	const struct kith_wsvm_transduce_how *how = w->how;
	bool *yes = w->out->yes;
	double most[2] = {SOME, SOME};
	size_t at[2] = {how->k, how->k};

	for (size_t u = 0; u < how->k; u++) {
		const double f = w->f[how->row[u]];
		const double slack = yes[u] ? 1 - f : 1 + f;

		if (slack > most[yes[u]]) {
			most[yes[u]] = slack;
			at[yes[u]] = u;
		}
	}
	if (at[0] == how->k || at[1] == how->k ||
	    !(most[0] + most[1] > 2 + SOME))
		return false;
	yes[at[0]] = true;
	yes[at[1]] = false;
	return true;
}

/* C*+ and C*- at the start; C* where all rows have the same label. */
static void
begin(struct work *w)
{
	const struct kith_wsvm_transduce_how *how = w->how;
	const size_t k = how->k, positives = how->positives;

	w->yes = w->no = how->C_star;
	if (positives == 0 || positives == k || !(START * how->C_star > 0))
		return;
	w->no = START * how->C_star;
	w->yes = kith_lesser(
	    how->C_star, w->no * (double)positives / (double)(k - positives));
	if (!(w->yes > 0))
		w->yes = w->no;
}

void
kith_wsvm_transduction(const struct kith_wsvm_transduce_how *how,
    struct kith_wsvm_transduced *out, struct kith_wsvm_count *count,
    struct kith_pool *pool)
{
	const struct kith_wsvm_problem *problem = how->problem;
	const size_t N = problem->variables;
	struct kith_pool tmp = {0};
	struct work w = {.how = how, .out = out};

	assert(how->positives <= how->k && !problem->minus);
	*out = (struct kith_wsvm_transduced){0};
	out->yes = kith_new(pool, how->k, sizeof(*out->yes));
	out->alpha = w.alpha = kith_new(pool, N, sizeof(*w.alpha));
	out->f = w.f = kith_new(pool, problem->X->n, sizeof(*w.f));
	w.C = kith_new(&tmp, N, sizeof(*w.C));
	for (size_t v = 0; v < N; v++)
		w.C[v] = how->C;
	for (size_t u = 0; u < how->k; u++)
		w.C[how->row[u]] = w.C[how->as_no[u]] = 0;
	kith_progress_phase("transduction", 0, "events");
	w.solver = kith_wsvm_new(problem, w.C, NULL, &tmp);
	get_solution(&w);
	label(&w);
	begin(&w);
	for (bool last = false; !last; out->stages++) {
		last = w.no >= how->C_star && w.yes >= how->C_star;
		for (follow(&w); exchange(&w); follow(&w))
			out->switches++;
		w.no = kith_lesser(2 * w.no, how->C_star);
		w.yes = kith_lesser(2 * w.yes, how->C_star);
	}
	kith_progress_end();
	kith_wsvm_count(w.solver, count);
	kith_pool_free(&tmp);
}
