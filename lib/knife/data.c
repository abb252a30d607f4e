/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The data of knife: targets from a table (knife/data.h has the coding), weights to start from,
 * weights in the units of the input, and the model file of a solution.
 */
#include "knife/data.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "machine/machine.h"
#include "machine/model.h"
#include "table/table.h"
#include "table/weights.h"
#include "text/out.h"

#include <math.h>
#include <string.h>

/* A weight 1 may differ from 1 by this much after its change to unscaled features and back. */
#define ROUNDING 1e-14

/*
 * Sets Y, c columns of n one after the other, and mean.  Numbers: Y = t - mean.  Two classes: 1 for
 * the second class, else -1.  More: column o has 1 for class o, else 0.  The mean of classes is 0.
 */
static int
set_targets(struct kith_knife_data *data, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_table *t = data->t;
	const size_t n = t->X.n;
	size_t c = 1;
	struct kith_classes classes;
	long double sum = 0;
	bool constant = true;
	double *Y;

	if (t->y) {
		if (kith_classes_number(t, &classes, pool, err))
			return -1;
		data->class = classes.name;
		data->y = classes.y;
		c = classes.name.n > 2 ? classes.name.n : 1;
	}
	Y = kith_new(pool, n, c * sizeof(*Y));
	data->mean = kith_new(pool, c, sizeof(*data->mean));
	for (size_t i = 0; i < n && !t->y; i++) {
		constant = constant && t->t[i] == t->t[0];
		sum += t->t[i];
	}
	if (!t->y && constant)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "column " KITH_NAME ": the target is constant", t->target);
	data->mean[0] = (double)(sum / (long double)n);
	for (size_t k = 0; k < n * c; k++) {
		const size_t i = k % n;

		Y[k] = !t->y ? t->t[i] - data->mean[0]
		    : c == 1 ? (data->y[i] == 1 ? 1 : -1)
			     : data->y[i] == k / n;
	}
	data->problem.Y = Y;
	data->problem.c = c;
	return 0;
}

int
kith_knife_data(const struct kith_table *t, int scale, struct kith_knife_data *data,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_origin from = kith_table_origin(t);

	data->t = t;
	data->X = t->X;
	if (set_targets(data, pool, err) ||
	    kith_unit_scale(scale, &data->X, &from, NULL, NULL, &data->unit, pool, err))
		return -1;
	data->problem.X = &data->X;
	return 0;
}

struct kith_knife_start
kith_knife_parse_start(const char *text)
{
	struct kith_knife_start start = {.random = strcmp(text, "random") == 0};

	if (!start.random && kith_parse_real(text, strlen(text), &start.weight) != KITH_NUM_OK)
		start.file = text;
	return start;
}

int
kith_knife_read_weights(
    const struct kith_knife_data *data, const char *file, double *w, struct kith_err *err)
{
	const enum kith_metric_kind kind = kith_knife_metric(data->problem.kern.kind);
	const struct kith_names *feature = &data->t->feature;
	struct kith_pool tmp = {0};
	struct kith_weights got;
	int failed = kith_weights_read(file, feature, false, &got, &tmp, err);

	if (failed == 0 && got.metric.kind != kind)
		failed = kith_fail_at(err, EX_DATAERR, file, 0,
		    "this --kernel needs a table \"feature %s\"",
		    kind == KITH_ABSOLUTE ? "weight_abs" : "weight");
	if (failed == 0) /* features that the file does not name get weight 0 */
		kith_weights_spread(&got, w, feature->n);
	if (failed == 0)
		failed = kith_unit_convert(
		    &data->unit, kind, KITH_UNIT_FROM_INPUT, feature, w, err);
	for (size_t j = 0; j < feature->n && failed == 0 && data->unit.p > 0; j++)
		if (fabs(w[j] - 1) < ROUNDING)
			w[j] = 1;
	kith_pool_free(&tmp);
	return failed;
}

int
kith_knife_read_start(const struct kith_knife_data *data, const struct kith_knife_start *start,
    size_t seed, double *w, struct kith_err *err)
{
	const struct kith_names *feature = &data->t->feature;
	struct kith_rng rng;

	kith_rng_seed(&rng, seed, KITH_RNG_START, 0);
	for (size_t j = 0; j < feature->n; j++)
		w[j] = start->random ? kith_rng_unit(&rng) : start->weight;
	if (start->file && kith_knife_read_weights(data, start->file, w, err))
		return -1;
	for (size_t j = 0; j < feature->n; j++)
		if (w[j] > 1)
			return kith_fail_at(err, EX_DATAERR, start->file, 0,
			    "feature " KITH_NAME ": a start of %g is above 1", feature->name[j],
			    w[j]);
	return 0;
}

size_t
kith_knife_count_features(const struct kith_knife_data *data, const double *w)
{
	size_t count = 0;

	/* A scaled column of scale 0 is constant, and does not count. */
	for (size_t j = 0; j < data->X.p; j++)
		count += w[j] != 0 && (data->unit.p == 0 || data->unit.scale[j] > 0);
	return count;
}

/* Copies the rows with a coefficient alpha that is not 0, their ids and their numbers into m. */
static void
take_rows(const struct kith_knife_data *data, const struct kith_knife_solution *sol,
    struct kith_machine *m, struct kith_pool *pool)
{
	const struct kith_table *t = data->t;
	const size_t n = data->X.n, c = data->problem.c;
	double *coef = kith_new(pool, n, c * sizeof(*coef));
	size_t *row = kith_new(pool, n, sizeof(*row));
	size_t *number = kith_new(pool, n, sizeof(*number)), s = 0; /* s: rows copied so far */

	for (size_t i = 0; i < n; i++) {
		bool counts = false;

		for (size_t o = 0; o < c; o++) {
			coef[s * c + o] = sol->machine.alpha[o * n + i];
			counts = counts || coef[s * c + o] != 0;
		}
		if (!counts)
			continue;
		if (t->id_name) {
			const struct kith_cell id = kith_texts_at(&t->id, i);

			kith_texts_add(&m->id, &id, pool);
		}
		number[s] = kith_table_number(t, i);
		row[s++] = i;
	}
	m->X = kith_mat_rows(&data->X, row, s, pool);
	m->coef = coef;
	m->number = number;
}

int
kith_knife_save(const struct kith_knife_data *data, const struct kith_knife_solution *sol,
    struct kith_out *out, struct kith_err *err)
{
	const struct kith_table *t = data->t;
	const size_t p = data->X.p, c = data->problem.c;
	struct kith_pool tmp = {0};
	double *bias = kith_new(&tmp, c, sizeof(*bias));
	struct kith_machine m = {.task = data->y ? KITH_MACHINE_CLASSIFY : KITH_MACHINE_REGRESS,
	    .kern = data->problem.kern,
	    .metric = {kith_knife_metric(data->problem.kern.kind), p, sol->w},
	    .bias = bias,
	    .feature = t->feature,
	    .class = data->class,
	    .target = t->target,
	    .column = t->column,
	    .mean = t->mean,
	    .unit = data->unit};
	int failed;

	for (size_t o = 0; o < c; o++)
		bias[o] = sol->machine.bias[o] + data->mean[o]; /* Y = t - mean */
	take_rows(data, sol, &m, &tmp);
	m.kern.metric = &m.metric;
	failed = kith_model_write(&m, out, err) ? -1 : kith_out_close(out, err);
	kith_pool_free(&tmp);
	return failed;
}
