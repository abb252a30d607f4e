#include "immigrate/line.h"

#include "immigrate/model.h"
#include "immigrate/run.h"

#include <math.h>

/* Halvings of a step, as many as of steps without lines. */
#define SHORTEST 0x1p-30

/* W + g (V - W), normalised, into run->before; what it is divided by. */
static double
point(const struct kith_immigrate_run *run, double g)
{
	double square = 0, norm, *Z = run->before;

	for (size_t k = 0; k < run->len; k++) {
		Z[k] = run->W[k] + g * (run->V[k] - run->W[k]);
		square += Z[k] * Z[k];
	}
	norm = sqrt(square);
	for (size_t k = 0; k < run->len; k++)
		Z[k] /= norm;
	return norm;
}

bool
kith_immigrate_line(struct kith_immigrate_run *run, double F)
{
	double g = run->step > 0 && run->step < .5 ? 2 * run->step : 1;

	kith_immigrate_model_draw(run->model, run->V);
	for (; g >= SHORTEST; g /= 2) {
		kith_immigrate_model_go(run->model, g, point(run, g));
		run->C = run->model->C;
		run->F = run->model->F;
		run->ready = false;
		if (run->F < F) {
			kith_immigrate_run_accept(run, g);
			return true;
		}
	}
	return false;
}
