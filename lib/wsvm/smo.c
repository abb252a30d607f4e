/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/smo.h"

#include "base/progress.h"
#include "wsvm/krows.h"
#include "wsvm/krows_sum.h"
#include "wsvm/smo_pair.h"
#include "wsvm/smo_run.h"

#define NONE SIZE_MAX

/* The variable with which the objective falls most moves by gain / Q_vv. */
static bool
step_one(struct kith_smo_run *run, double tol)
{
	const struct kith_smo_form *form = run->form;
	double best = 0, t = 0;
	size_t i = NONE;

	for (size_t c = 0; c < run->count; c++) {
		const size_t v = run->live[c];
		const double Q = form->diagonal[v];
		const double own = kith_smo_gain(run, v);
		double d, win;

		/* Without bounds the objective falls by own^2 / 2 Q. */
		if (!(fabs(own) > tol) || !(own * own > 2 * best * Q) ||
		    !(own > 0 ? kith_smo_grows(run, v)
			      : kith_smo_shrinks(run, v)))
			continue;
		d = kith_smo_room(run, v, own / Q);
		win = d * (own - d * Q / 2);
		if (win > best) {
			best = win;
			i = v;
			t = d;
		}
	}
	if (i == NONE)
		return false;
	kith_smo_shift(run, i, t);
	kith_krows_add(form->rows, form->plus[i], t, 0, run->s, NULL);
	if (form->minus)
		kith_krows_add(form->rows, form->minus[i], -t, 0, run->s, NULL);
	return true;
}

size_t
kith_smo(const struct kith_smo_form *form, const size_t *live, size_t count,
    double tol, size_t most, double *x, double *s)
{
	struct kith_smo_run run = {form, live, count, x, s};
	size_t steps = 0;

	kith_progress_phase("start", 0, "steps");
	if (form->bias)
		steps = kith_smo_pairs(&run, tol, most);
	while (!form->bias && steps < most && step_one(&run, tol)) {
		steps++;
		kith_progress_add(1);
	}
	kith_progress_end();
	return steps;
}
