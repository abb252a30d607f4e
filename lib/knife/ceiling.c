#include "knife/ceiling.h"

#include "knife/knife.h"
#include "knife/state.h"

#include <math.h>
#include <string.h>

#define FIRST 1e-3 /* of F / p */
#define CLOSE 1e-2 /* of both ends of the interval */

enum { MOST = 1200 }; /* doublings, of all that a double holds */

struct search {
	struct kith_knife_problem problem; /* with a lambda2 of its own */
	const struct kith_knife_how *how;
	double *w, *v; /* p: weights of the largest lambda2 below; room */
	double *alpha, *bias; /* of no further use */
	struct kith_err *err;
};

/* Solve from w: 1 where v is 0 all over, 0 where not. */
static int
vanishes(struct search *s, double lambda2)
{
	const size_t p = s->problem.X->p;
	struct kith_knife_fit fit;

	s->problem.lambda2 = lambda2;
	memcpy(s->v, s->w, p * sizeof(*s->v));
	if (kith_knife(
		&s->problem, s->how, s->v, s->alpha, s->bias, &fit, s->err))
		return -1;
	for (size_t j = 0; j < p; j++)
		if (s->v[j] > 0)
			return 0;
	return 1;
}

static int
bisect(struct search *s, double lo, double hi, double *lambda2)
{
	while (hi - lo > CLOSE * hi && hi > 0) {
		const double at = lo + (hi - lo) / 2;
		const int gone = vanishes(s, at);

		if (gone < 0)
			return -1;
		if (gone) {
			hi = at;
			continue;
		}
		lo = at;
		memcpy(s->w, s->v, s->problem.X->p * sizeof(*s->w));
	}
	*lambda2 = hi;
	return 0;
}

/* Double from `at` on. */
static int
climb(struct search *s, double at, double *lambda2)
{
	double lo = 0;
	int gone = 0;

	for (int i = 0; i < MOST && at > 0 && isfinite(at); i++) {
		gone = vanishes(s, at);
		if (gone < 0)
			return -1;
		if (gone)
			break;
		lo = at;
		at *= 2;
		memcpy(s->w, s->v, s->problem.X->p * sizeof(*s->w));
	}
	*lambda2 = at;
	return gone ? bisect(s, lo, at, lambda2) : 0;
}

int
kith_knife_ceiling(const struct kith_knife_problem *problem,
    const struct kith_knife_how *how, const double *w, double *lambda2,
    struct kith_err *err)
{
	const size_t n = problem->X->n, p = problem->X->p, c = problem->c;
	struct kith_pool tmp = {0};
	struct kith_knife_how quiet = *how;
	struct search s = {.problem = *problem, .how = &quiet, .err = err};
	double F = 0, *dF = kith_new(&tmp, p, sizeof(*dF)), most = 0;
	int got;

	quiet.tell = NULL;
	KITH_NEW_REALS(&tmp, p, 1, &s.w, &s.v);
	s.alpha = kith_new(&tmp, n, c * sizeof(*s.alpha));
	s.bias = kith_new(&tmp, c, sizeof(*s.bias));
	s.problem.lambda2 = 0;
	if (problem->kernel == KITH_KNIFE_LINEAR) {
		got = kith_knife_at(
		    &s.problem, s.w, &F, dF, s.alpha, s.bias, err);
		for (size_t j = 0; j < p; j++)
			most = fmax(most, -dF[j]);
		*lambda2 = most;
	} else {
		memcpy(s.w, w, p * sizeof(*s.w));
		got = kith_knife_at(
		    &s.problem, s.w, &F, NULL, s.alpha, s.bias, err);
		if (got == 0)
			got = climb(&s, FIRST * F / (double)p, lambda2);
	}
	kith_pool_free(&tmp);
	return got;
}
