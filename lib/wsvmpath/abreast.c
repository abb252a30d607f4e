/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/abreast.h"

#include "base/par.h"
#include "base/pool.h"
#include "wsvm/wsvm.h"

#include <math.h>
#include <string.h>

enum { NUMBERS = 1 << 23, AHEAD = 64 };

/* Pieces of a path that are still to be used. */
struct lane {
	struct kith_wsvm_lane path;
	bool goes_on;
	size_t at, n;    /* the present piece; how many there are */
	double *to;      /* room */
	double *f0, *f1; /* room x m */
};

struct abreast {
	struct lane *lane;
	size_t c, m, room;
	const double **f0, **f1; /* c */
};

/* Compute pieces until the lane is full, or its path ends. */
static void
fill(void *to, size_t block, size_t thread)
{
	const struct abreast *a = to;
	struct lane *l = &a->lane[block];
	const size_t m = a->m, kept = l->n - l->at;
	struct kith_wsvm_piece piece;

	(void)thread;
	if (!l->goes_on)
		return;
	memmove(l->to, l->to + l->at, kept * sizeof(*l->to));
	memmove(l->f0, l->f0 + l->at * m, kept * m * sizeof(*l->f0));
	memmove(l->f1, l->f1 + l->at * m, kept * m * sizeof(*l->f1));
	l->at = 0;
	for (l->n = kept; l->n < a->room; l->n++) {
		l->goes_on = kith_wsvm_next(l->path.solver, &piece, NULL, NULL);
		if (!l->goes_on)
			return;
		kith_wsvm_scores(&piece, NULL, m, l->f0 + l->n * m, l->f1 + l->n * m);
		l->to[l->n] = piece.to;
	}
}

/* Whether a lane has nothing left and its path goes on. */
static bool
lacks(const struct abreast *a)
{
	for (size_t h = 0; h < a->c; h++)
		if (a->lane[h].goes_on && a->lane[h].at == a->lane[h].n)
			return true;
	return false;
}

/* The end of the present pieces of all. */
static double
end_of(const struct abreast *a)
{
	double end = 1;

	for (size_t h = 0; h < a->c; h++)
		if (a->lane[h].at < a->lane[h].n)
			end = fmin(end, a->lane[h].to[a->lane[h].at]);
	return end;
}

/* Where the present pieces are; pieces that end at theta are left behind. */
static void
take(struct abreast *a)
{
	for (size_t h = 0; h < a->c; h++) {
		const struct lane *l = &a->lane[h];

		if (l->at == l->n)
			continue; /* none: f0 stays NULL */
		a->f0[h] = l->f0 + l->at * a->m;
		a->f1[h] = l->f1 + l->at * a->m;
	}
}

static void
leave(struct abreast *a, double theta)
{
	for (size_t h = 0; h < a->c; h++) {
		struct lane *l = &a->lane[h];

		if (l->at < l->n && l->to[l->at] <= theta && theta < 1)
			l->at++;
	}
}

void
kith_wsvm_abreast(const struct kith_wsvm_lane *path, size_t c, size_t m, size_t threads,
    kith_wsvm_on_abreast *on_piece, void *on)
{
	struct kith_pool tmp = {0};
	struct abreast a = {.c = c, .m = m};
	double from = 0, to = 0;

	a.room = NUMBERS / (2 * c * (m + 1));
	a.room = a.room < 1 ? 1 : a.room > AHEAD ? AHEAD : a.room;
	a.lane = kith_new(&tmp, c, sizeof(*a.lane));
	a.f0 = kith_new(&tmp, c, sizeof(*a.f0));
	a.f1 = kith_new(&tmp, c, sizeof(*a.f1));
	for (size_t h = 0; h < c; h++) {
		struct lane *l = &a.lane[h];

		l->path = path[h];
		l->goes_on = path[h].solver;
		KITH_NEW_REALS(&tmp, a.room, 1, &l->to);
		KITH_NEW_REALS(&tmp, l->goes_on ? a.room : 0, m, &l->f0, &l->f1);
	}
	while (to < 1) {
		if (lacks(&a))
			kith_par(threads, c, fill, &a);
		take(&a);
		to = end_of(&a);
		if (to > from)
			on_piece(on, from, to, a.f0, a.f1);
		leave(&a, to);
		from = to;
	}
	kith_pool_free(&tmp);
}
