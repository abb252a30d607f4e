#include "sqpfw/sqpfw.h"

#include "base/pool.h"
#include "la/mat.h"
#include "sqpfw/active.h"
#include "sqpfw/eqp.h"
#include "sqpfw/item.h"
#include "sqpfw/list.h"
#include "sqpfw/moved.h"
#include "sqpfw/scale.h"
#include "sqpfw/solve.h"
#include "sqpfw/target.h"

#include <assert.h>
#include <math.h>

/* The largest theta, in units of the points: more changes nothing. */
#define MOST 1e100

static double *
vector(struct kith_sqpfw *s)
{
	return kith_new(s->pool, s->points.ld, sizeof(double));
}

static double
prior_of(const struct kith_sqpfw *s, size_t f)
{
	return s->how->prior ? s->how->prior[f] : 1 / (double)s->points.p;
}

/* Exchange features of two positions, before anything but w is by position. */
static void
exchange(struct kith_sqpfw *s, size_t a, size_t b)
{
	const size_t f = s->feature[a];

	kith_sqpfw_points_swap(&s->points, a, b);
	s->feature[a] = s->feature[b];
	s->feature[b] = f;
}

/* Begin at w (NULL: the prior), features of weight 0 behind the others. */
static void
set_weights(struct kith_sqpfw *s, const double *w)
{
	const size_t p = s->points.p;

	s->w = vector(s);
	s->prior = vector(s);
	s->g = vector(s);
	s->a = vector(s);
	s->r = vector(s);
	s->alpha = vector(s);
	s->scale = vector(s);
	s->list_scale = vector(s);
	s->spent = vector(s);
	s->wf = vector(s);
	s->df = vector(s);
	s->feature = kith_new(s->pool, p, sizeof(*s->feature));
	s->place = kith_new(s->pool, p, sizeof(*s->place));
	for (size_t f = 0; f < p; f++) {
		s->wf[f] = w ? w[f] : prior_of(s, f);
		s->scale[f] = 1;
		s->feature[f] = f;
	}
	s->positive = 0;
	for (size_t f = 0; f < p; f++)
		if (s->wf[f] > 0)
			exchange(s, f, s->positive++);
	for (size_t a = 0; a < p; a++) {
		const size_t f = s->feature[a];

		s->place[f] = a;
		s->w[a] = s->wf[f];
		s->prior[a] = prior_of(s, f);
	}
}

/* That each row of a class has hits and misses enough. */
static void
check_class(const struct kith_sqpfw *s, size_t k)
{
	size_t rows = 0;

	for (size_t i = s->points.start[k]; i < s->points.start[k + 1]; i++)
		rows += s->points.copies[i];
	assert(rows == 0 ||
	    (rows > s->how->hits && s->points.rows - rows >= s->how->misses));
}

static void
set_groups(struct kith_sqpfw *s)
{
	const size_t n = s->points.n;

	for (size_t k = 0; k < s->points.c; k++)
		check_class(s, k);
	s->group = kith_new(s->pool, 2 * n, sizeof(*s->group));
	s->lists.place = &s->group->place;
	s->made_at = kith_new(
	    s->pool, 2 * n, s->points.ld * sizeof(*s->made_at));
	s->due_lists = kith_new(s->pool, 2 * n, sizeof(*s->due_lists));
	for (size_t g = 0; g < 2 * n; g++) {
		const size_t own = s->points.copies[g / 2] - 1;
		struct kith_sqpfw_group *group = &s->group[g];

		group->first = KITH_SQPFW_NONE;
		group->place = KITH_SQPFW_NONE;
		group->need = (uint32_t)s->how->misses;
		if (g % 2 == 0)
			group->need = own >= s->how->hits
			    ? 0
			    : (uint32_t)(s->how->hits - own);
		if (group->need == 0)
			group->radius = INFINITY;
	}
}

/* Make all that follows from the rows and w (NULL: the prior). */
static void
begin(struct kith_sqpfw *s, const double *w)
{
	uint32_t *all;
	size_t n = 0;

	s->points = kith_sqpfw_points_new(s->X, s->of, s->classes, s->pool);
	s->free = KITH_SQPFW_NONE;
	s->pairs.pool = s->lists.pool = s->pool;
	s->pairs.stride = sizeof(*s->item);
	s->lists.stride = sizeof(*s->group);
	set_weights(s, w);
	set_groups(s);
	s->qr = kith_sqpfw_qr_new(s->points.ld, s->pool);
	s->dw = s->qr.d;
	kith_sqpfw_target_all(s);
	kith_sqpfw_active_gradient(s);
	kith_sqpfw_active_factor(s);
	kith_sqpfw_list_start(s);
	all = kith_new(s->pool, 2 * s->points.n, sizeof(*all));
	for (uint32_t g = 0; g < 2 * s->points.n; g++)
		if (s->group[g].need > 0)
			all[n++] = g;
	kith_sqpfw_list_make(s, all, n, KITH_SQPFW_NONE);
	kith_sqpfw_scale_start(s);
}

struct kith_sqpfw *
kith_sqpfw_new(const struct kith_mat *X, const size_t *y, size_t c,
    const struct kith_sqpfw_how *how, struct kith_pool *pool)
{
	struct kith_sqpfw *s = kith_new(pool, 1, sizeof(*s));

	assert(how->hits >= 1 && how->misses >= 1 && how->threads >= 1);
	s->X = X;
	s->of = y;
	s->classes = c;
	s->how = how;
	s->pool = pool;
	begin(s, NULL);
	s->done = true;
	return s;
}

void
kith_sqpfw_go(struct kith_sqpfw *s, const double *w)
{
	struct kith_sqpfw old = *s;

	*s = (struct kith_sqpfw){.X = old.X,
	    .of = old.of,
	    .classes = old.classes,
	    .how = old.how,
	    .theta = old.theta,
	    .given = old.given,
	    .iterations = old.iterations,
	    .pool = &s->own};
	begin(s, w);
	if (s->how->tell)
		kith_sqpfw_tell_moved(&old, s);
	kith_pool_free(&old.own);
}

void
kith_sqpfw_free(struct kith_sqpfw *s)
{
	kith_pool_free(&s->own);
}

bool
kith_sqpfw_solve(struct kith_sqpfw *s, double theta)
{
	assert(theta >= 0 && theta < INFINITY);
	s->theta = fmin(scalbn(theta, -2 * s->points.exponent), MOST);
	s->given = theta;
	return kith_sqpfw_solve_here(s);
}

void
kith_sqpfw_at(const struct kith_sqpfw *s, struct kith_sqpfw_now *out)
{
	*out = (struct kith_sqpfw_now){.theta = kith_sqpfw_theta(s),
	    .w = s->wf,
	    .objective = kith_sqpfw_eqp_objective(s),
	    .iterations = s->iterations,
	    .ties = kith_sqpfw_ties_n(s),
	    .positive = s->positive,
	    .done = s->done,
	    .limited = s->limited};
}
