/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the monotone rules of lib/immigrate/problem.h: the steps, their
 * lengths, and projected gradients after the first of them.
 */
#include "immigrate/walk.h"
#include "tap.h"

enum { TOWARDS = 20 };

/* Weights of least F along the line to V: the first of most, most / 2, ...; 0: none. */
static double
search(struct walk *w, double most, double F, bool *close)
{
	double Z[64];

	for (int halving = 0; ldexp(most, -halving) >= 0x1p-30; halving++) {
		const double g = ldexp(most, -halving);

		for (size_t k = 0; k < w->len; k++)
			Z[k] = w->W[k] + g * (w->V[k] - w->W[k]);
		normalise(w, Z);
		kith_immigrate_model_at(w->model, Z, false);
		*close = *close || fabs(F_of(w) - F) < 1e-9 * (1 + fabs(F));
		if (!(F_of(w) < F))
			continue;
		memcpy(w->last, w->W, sizeof(Z));
		memcpy(w->W, Z, sizeof(Z));
		return g;
	}
	return 0;
}

/* The length of Barzilai and Borwein from the last two gradients. */
static double
length_of(const struct walk *w, size_t p, const double *G, const double *was)
{
	double ss = 0, sy = 0, yy = 0;

	for (size_t k = 0; k < p * p; k++) {
		const size_t at = k / p < k % p ? k : k % p * p + k / p;
		const double s = w->W[k] - w->last[k], y = G[at] - was[at];

		ss += s * s;
		sy += s * y;
		yy += y * y;
	}
	return sy > 0 ? (w->n % 2 ? ss / sy : sy / yy) : 0;
}

/* One step of monotone; how long it is, and whether rounding decides. */
static double
go_down(struct walk *w, double *G, double *was, bool *known, bool *close)
{
	const double F = F_of(w);
	double g = w->step > 0 && w->step < .5 ? 2 * w->step : 1, length = 0;
	const size_t p = w->model->data.p;

	if (w->n >= TOWARDS) {
		memcpy(was, G, w->len * sizeof(*G));
		kith_immigrate_model_slope(w->model, w->W, G);
		length = *known ? length_of(w, p, G, was) : 0;
		*known = true;
	}
	if (length > 0 && kith_immigrate_model_near(w->model, w->W, G, length, w->V)) {
		const double by = search(w, 1, F, close);

		if (by > 0)
			return by;
		*known = false;
	}
	kith_immigrate_model_at(w->model, w->W, false);
	if (!kith_immigrate_model_closed(w->model, w->V) &&
	    !kith_immigrate_model_edge(w->model, w->V))
		return 0;
	return search(w, g, F, close);
}

/* Monotone: the steps, their lengths, and F, as long as F clearly falls. */
static void
test_down(void)
{
	size_t odd = 0, steps = 0, near = 0, halved = 0;

	for (size_t run = 0; run < 36; run++) {
		const size_t p = 2 + run % 6, n = 16 + run;
		struct set *set = draw(n, p, 2, run % 5 == 0, run % 4 == 0);
		struct kith_immigrate_how how = usual(pow(4, (double)(run % 4) - 3), 40);
		struct kith_immigrate_fit fit;
		struct told told = {0};
		struct walk w;
		double *W = start(p, true), G[64] = {0}, was[64];
		bool known = false, close = false;

		how.monotone = true;
		set->rows.weight = run % 3 ? NULL : set->weight;
		begin(&w, set, &how, true, W);
		how.tell = tell;
		how.to = &told;
		kith_immigrate(&set->rows, &how, W, &fit);
		for (size_t t = 1; t < told.n && !close; t++) {
			const double F = F_of(&w);

			w.step = go_down(&w, G, was, &known, &close);
			if (close)
				break;
			w.n++;
			odd += w.step != told.trace[t].step || !(F_of(&w) < F) ||
			    fabs(F_of(&w) - told.trace[t].F) > 1e-6 * (1 + fabs(F));
			steps++;
			near += t > TOWARDS;
			halved += w.step < 1;
		}
		kith_pool_free(&pool);
	}
	is_size(odd, 0, "steps that are not the first that lowers F");
	ok(near > 20 && halved > 20, "%zu steps, %zu near, %zu halved", steps, near, halved);
}

int
main(void)
{
	kith_rng_seed(&rng, 11, KITH_RNG_SAMPLE, 0);
	test_down();
	return done();
}
