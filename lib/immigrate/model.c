/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/model.h"

#include "base/pool.h"
#include "immigrate/cost.h"
#include "immigrate/problem.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Up to so many rows the distances are stored, and those of lines. */
enum { STORED = 10000, LINES = 5000 };

/*
 * Damped steps leave out pairs up to 1e-6 of a row's weight: such a Sigma shows
 * the way as well, F decides, and at the end all pairs count.
 */
#define COARSE 1e6

/* A sum beyond this, of the size of its terms, is no rounding. */
#define NOISE 1e-14

static void
make_matrix(struct kith_immigrate_model *model, struct kith_pool *pool)
{
	const struct kith_immigrate_data *data = &model->data;
	const size_t most = data->p / 2;

	model->form = kith_immigrate_form_new(data, pool);
	if (data->columns) {
		model->W = kith_new(pool, model->len, sizeof(*model->W));
		return;
	}
	if (model->lines) {
		model->soft.nearest = true;
		KITH_NEW_REALS(pool, data->ld, data->ld, &model->at.R, &model->ahead.R);
		KITH_NEW_REALS(pool, data->ld, 1, &model->at.sign, &model->ahead.sign);
	}
	if (data->n < data->p) {
		model->Z = kith_new(pool, most, data->ld * sizeof(*model->Z));
		model->Z_sign = kith_new(pool, most, sizeof(*model->Z_sign));
	}
}

struct kith_immigrate_model *
kith_immigrate_model_new(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, bool matrix, struct kith_pool *pool)
{
	struct kith_immigrate_model *model = kith_new(pool, 1, sizeof(*model));
	const size_t p = rows->X->p;
	double sigma;

	assert(how->sigma > 0 && how->threads >= 1);
	model->matrix = matrix;
	model->package = how->package;
	model->sigma = how->sigma;
	model->len = matrix ? p * p : p;
	model->data = kith_immigrate_data_new(rows, pool);
	model->power = (matrix ? 2 : 1) * model->data.unit;
	model->unit = model->power > 0 ? model->power : 0;
	sigma = ldexp(how->sigma, -model->power);
	model->soft = kith_immigrate_soft_new(&model->data, sigma > 0 ? sigma : DBL_TRUE_MIN,
	    rows->X->n <= STORED, how->threads, pool);
	model->soft.mean = how->package;
	model->lines = how->monotone && rows->X->n <= LINES;
	if (model->lines)
		model->line = kith_immigrate_line_new(&model->soft, pool);
	model->sum = kith_immigrate_sum_new(
	    &model->soft, matrix, matrix && model->lines && !model->data.columns, pool);
	if (how->monotone)
		model->sum.least *= COARSE;
	if (matrix)
		make_matrix(model, pool);
	else
		model->v = kith_new(pool, model->len, sizeof(*model->v));
	model->w = kith_new(pool, model->data.ld, sizeof(*model->w));
	return model;
}

/* A number in units of the distances, and sigma, in those of C. */
static double
of_distance(const struct kith_immigrate_model *model, double x)
{
	return ldexp(x, model->power - model->unit);
}

static double
scaled_sigma(const struct kith_immigrate_model *model)
{
	return ldexp(model->sigma, -model->unit);
}

static void
sum_once(struct kith_immigrate_model *model)
{
	const size_t most = model->data.p / 2;

	if (model->summed)
		return;
	model->by_gram = false;
	if (model->Z) {
		model->pairs = kith_immigrate_sum_rows(&model->sum, most, model->Z, model->Z_sign);
		model->by_gram = model->pairs <= most;
	}
	if (!model->by_gram)
		kith_immigrate_sum(&model->sum);
	model->summed = true;
}

/* u_j, 0 where rounding explains it. */
static double
gradient(const struct kith_immigrate_model *model, size_t j)
{
	const double hit = model->sum.total[j];
	const double miss = model->sum.total[model->data.ld + j];

	return fabs(hit - miss) > NOISE * (hit + miss) ? hit - miss : 0;
}

/* w = (-u)+ / sum */
static bool
closed_vector(const struct kith_immigrate_model *model, double *v)
{
	double sum = 0;

	for (size_t j = 0; j < model->len; j++) {
		v[j] = fmax(-gradient(model, j), 0);
		sum += v[j];
	}
	for (size_t j = 0; j < model->len && sum > 0; j++)
		v[j] /= sum;
	return sum > 0;
}

/*
 * What the package calls the cost: of a matrix tr(Sigma) + sigma entropy; of a
 * vector v'u + sigma entropy + |v|^2, v being the closed form.
 */
static double
find_package_C(struct kith_immigrate_model *model)
{
	const double entropy = scaled_sigma(model) * kith_immigrate_cost_entropy(&model->soft);
	double *v = model->v, sum = 0, square = 0;

	sum_once(model);
	if (model->matrix)
		return of_distance(model, model->sum.trace) + entropy;
	closed_vector(model, v);
	for (size_t j = 0; j < model->len; j++) {
		sum += v[j] * gradient(model, j);
		square += v[j] * v[j];
	}
	return of_distance(model, sum) + entropy + ldexp(square, -model->unit);
}

/* Put the diagonal of W into w; false where it has other entries. */
static bool
is_diagonal(const struct kith_immigrate_model *model, const double *W)
{
	const size_t p = model->data.p;

	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++)
			if (i == j)
				model->w[i] = W[i * p + j];
			else if (W[i * p + j] != 0)
				return false;
	return true;
}

/* The metric of the weights W. */
static void
set_metric(struct kith_immigrate_model *model, const double *W, bool is_closed)
{
	struct kith_immigrate_metric *metric = &model->soft.metric;

	*metric = (struct kith_immigrate_metric){0};
	if (!model->matrix) {
		memcpy(model->w, W, model->len * sizeof(*W));
		metric->w = model->w;
	} else if (model->W) {
		memcpy(model->W, W, model->len * sizeof(*W));
		metric->W = model->W;
	} else if (is_diagonal(model, W)) {
		metric->w = model->w;
		metric->squared = true;
	} else {
		if (!is_closed)
			kith_immigrate_form_of(&model->form, W);
		metric->R = model->form.R;
		metric->sign = model->form.sign;
		metric->r = model->form.r;
	}
}

/* C and F at the distances that there are. */
static void
look(struct kith_immigrate_model *model)
{
	const double sigma = scaled_sigma(model);
	const struct kith_immigrate_cost cost = kith_immigrate_cost(&model->soft);

	model->summed = false;
	model->F = of_distance(model, cost.least) + sigma * cost.logs;
	model->error = sigma * cost.error;
	model->C = model->package ? find_package_C(model) : model->F;
}

void
kith_immigrate_model_at(struct kith_immigrate_model *model, const double *W, bool is_closed)
{
	set_metric(model, W, is_closed);
	model->g = 0;
	kith_immigrate_soft(&model->soft);
	look(model);
}

/* Keep the factor that was found last. */
static void
keep(const struct kith_immigrate_model *model, struct kith_immigrate_factor *to)
{
	const struct kith_immigrate_form *form = &model->form;

	memcpy(to->R, form->R, form->r * form->ld * sizeof(*to->R));
	memcpy(to->sign, form->sign, form->r * sizeof(*to->sign));
	to->r = form->r;
}

static struct kith_immigrate_metric
of_factor(const struct kith_immigrate_factor *of)
{
	return (struct kith_immigrate_metric){.R = of->R, .sign = of->sign, .r = of->r};
}

bool
kith_immigrate_model_draw(struct kith_immigrate_model *model, const double *V, bool some)
{
	const struct kith_immigrate_factor spare = model->at;

	set_metric(model, V, true);
	if (!model->at.R || model->soft.metric.r == 0)
		some = false;
	if (model->at.R && model->g == 1) {
		model->at = model->ahead;
		model->ahead = spare;
	} else {
		model->at.r = 0;
	}
	model->ahead.r = 0;
	if (some) {
		keep(model, &model->ahead);
		model->soft.metric = of_factor(&model->ahead);
	}
	kith_immigrate_line_draw(&model->line, some);
	return model->line.some;
}

void
kith_immigrate_model_go(struct kith_immigrate_model *model, const double *W, double g, double norm)
{
	struct kith_immigrate_metric metric;

	model->g = g;
	if (kith_immigrate_line_reach(&model->line, g)) {
		if (model->at.r == 0) {
			kith_immigrate_form_of(&model->form, W);
			keep(model, &model->at);
		}
		metric = of_factor(&model->at);
		kith_immigrate_line_mend(&model->line, &metric);
	}
	kith_immigrate_line_go(&model->line, g, norm);
	look(model);
}

void
kith_immigrate_model_all(struct kith_immigrate_model *model)
{
	model->sum.least = 0;
	model->sum.floats = false;
	model->summed = false;
}

bool
kith_immigrate_model_closed(struct kith_immigrate_model *model, double *V)
{
	struct kith_immigrate_form *form = &model->form;
	const struct kith_immigrate_sum *sum = &model->sum;
	bool found;

	sum_once(model);
	if (!model->matrix)
		return closed_vector(model, V);
	if (model->by_gram)
		found = kith_immigrate_form_gram(
		    form, model->pairs, model->Z, model->Z_sign, sum->size);
	else
		found = kith_immigrate_form_closed(form, sum->total, sum->size);
	if (found)
		kith_immigrate_form_full(form, V);
	return found;
}

bool
kith_immigrate_model_edge(struct kith_immigrate_model *model, double *V)
{
	assert(model->matrix);
	if (model->by_gram)
		return false;
	kith_immigrate_form_edge(&model->form);
	kith_immigrate_form_full(&model->form, V);
	return true;
}

bool
kith_immigrate_model_slope(struct kith_immigrate_model *model, const double *W, double *G)
{
	const size_t p = model->data.p;
	const double *Sigma = model->sum.total;
	double along = 0;

	assert(model->matrix);
	sum_once(model);
	if (model->by_gram)
		return false;
	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++)
			along += (i == j ? 1 : 2) * Sigma[i * p + j] * W[i * p + j];
	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++)
			G[i * p + j] = Sigma[i * p + j] - along * W[i * p + j];
	return true;
}

bool
kith_immigrate_model_near(
    struct kith_immigrate_model *model, const double *W, const double *G, double length, double *V)
{
	const size_t p = model->data.p;

	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++)
			V[i * p + j] = length * G[i * p + j] - W[i * p + j];
	if (!kith_immigrate_form_closed(&model->form, V, 0))
		return false;
	kith_immigrate_form_full(&model->form, V);
	return true;
}
