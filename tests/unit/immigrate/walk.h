/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/walk - weights on the way of lib/immigrate/problem.h, one step after
 * the other, and what is told of them.
 */
#ifndef KITH_TEST_IMMIGRATE_WALK_H
#define KITH_TEST_IMMIGRATE_WALK_H

#include "immigrate/data.h"
#include "immigrate/immigrate.h"

enum { STEPS = 120 };

struct told {
	size_t n;
	struct kith_immigrate_trace trace[STEPS + 2];
};

static inline void
tell(void *to, const struct kith_immigrate_trace *trace)
{
	struct told *told = to;

	if (told->n <= STEPS)
		told->trace[told->n++] = *trace;
}

/* Where the rules are, of weights of len numbers. */
struct walk {
	const struct kith_immigrate_rows *rows;
	const struct kith_immigrate_how *how;
	struct kith_immigrate_model *model;
	size_t len, n; /* n: weights so far, since the last change of rules */
	bool matrix, cutting;
	double W[64], last[64], before[64], best[64], V[64];
	double best_F, g, last_C, step;
	enum kith_immigrate_end end;
	size_t iterations;
	struct told told;
};

static inline double
C_of(const struct walk *w)
{
	return ldexp(w->model->C, w->model->unit);
}

static inline double
F_of(const struct walk *w)
{
	return ldexp(w->model->F, w->model->unit);
}

static inline void
normalise(const struct walk *w, double *W)
{
	double sum = 0;

	for (size_t k = 0; k < w->len; k++)
		sum += w->matrix ? W[k] * W[k] : W[k];
	for (size_t k = 0; k < w->len; k++)
		W[k] /= w->matrix ? sqrt(sum) : sum;
}

/* What is told of the weights that w has. */
static inline void
look(struct walk *w)
{
	kith_immigrate_model_at(w->model, w->W, false);
	tell(&w->told, &(struct kith_immigrate_trace){w->iterations, C_of(w), F_of(w), w->step});
}

static inline void
begin(struct walk *w, const struct set *set, const struct kith_immigrate_how *how, bool matrix,
    const double *W)
{
	*w = (struct walk){.rows = &set->rows, .how = how, .matrix = matrix, .n = 1, .g = 1};
	w->model = kith_immigrate_model_new(&set->rows, how, matrix, &pool);
	w->len = w->model->len;
	memcpy(w->W, W, w->len * sizeof(*W));
	memcpy(w->best, W, w->len * sizeof(*W));
	look(w);
	w->best_F = F_of(w);
}

#endif
