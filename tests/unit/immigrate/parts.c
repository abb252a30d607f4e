/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of what lib/immigrate/immigrate.h is made of: two ways to the same
 * numbers.
 */
#include "immigrate/data.h"
#include "immigrate/form.h"
#include "immigrate/model.h"
#include "immigrate/rows.h"
#include "immigrate/soft.h"
#include "immigrate/start.h"
#include "immigrate/sum.h"
#include "immigrate/tile.h"
#include "tap.h"

#define TILE ((size_t)KITH_IMMIGRATE_TILE)

static struct kith_immigrate_model *
model_of(const struct set *set, double sigma, bool matrix)
{
	const struct kith_immigrate_how how = usual(sigma, 1);

	return kith_immigrate_model_new(&set->rows, &how, matrix, &pool);
}

/* Sigma of the rows Z with signs, and its closed form, both ways. */
static void
test_gram(void)
{
	for (size_t run = 0; run < 20; run++) {
		const size_t p = 30, n = 1 + kith_rng_below(&rng, 28);
		struct set *set = draw(10, p, 2, false, false);
		struct kith_immigrate_model *model = model_of(set, 1, true);
		double *Z = kith_new(&pool, n, model->data.ld * sizeof(*Z));
		double *sign = kith_new(&pool, n, sizeof(*sign));
		double *Sigma = start(p, true), *V = start(p, true);
		double *U = start(p, true), size = 0;
		bool direct, gram;

		for (size_t i = 0; i < n; i++) {
			sign[i] = run > 0 && kith_rng_below(&rng, 2) ? 1 : -1;
			if (run == 1)
				sign[i] = 1;
			for (size_t j = 0; j < p; j++)
				Z[i * model->data.ld + j] = run % 3 == 2 && i > 0
				    ? Z[j] * (double)i
				    : kith_rng_unit(&rng);
		}
		memset(Sigma, 0, p * p * sizeof(*Sigma));
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < p; j++)
				for (size_t k = 0; k < p; k++)
					Sigma[j * p + k] += sign[i] * Z[i * model->data.ld + j] *
					    Z[i * model->data.ld + k];
		for (size_t i = 0; i < n * model->data.ld; i++)
			size += Z[i] * Z[i];
		direct = kith_immigrate_form_closed(&model->form, Sigma, size);
		kith_immigrate_form_full(&model->form, V);
		gram = kith_immigrate_form_gram(&model->form, n, Z, sign, size);
		kith_immigrate_form_full(&model->form, U);
		ok(direct == gram && direct == (run == 1 ? false : direct),
		    "%zu pairs, %zu features", n, p);
		if (direct)
			ok(apart(p * p, U, V) <= 1e-10, "the same V: %.1e", apart(p * p, U, V));
		kith_pool_free(&pool);
	}
}

/* The model takes the Gram path where few pairs count, with the same V. */
static void
test_gram_model(void)
{
	size_t taken = 0;

	for (size_t run = 0; run < 10; run++) {
		const size_t p = 60, n = 5 + run;
		struct set *set = draw(n, p, 2, false, run % 2);
		struct kith_immigrate_model *model = model_of(set, run % 2 ? .01 : 3, true);
		double *W = start(p, false), *V = start(p, true);
		double *U = start(p, true), trace;
		bool found;

		kith_immigrate_model_at(model, W, false);
		found = kith_immigrate_model_closed(model, V);
		taken += model->by_gram;
		trace = model->sum.trace;
		kith_immigrate_sum(&model->sum);
		ok(found ==
			kith_immigrate_form_closed(&model->form, model->sum.total, model->sum.size),
		    "%zu rows, Gram %d", n, (int)model->by_gram);
		kith_immigrate_form_full(&model->form, U);
		ok(apart(p * p, U, V) <= 1e-10, "V: %.1e", apart(p * p, U, V));
		is_near(model->sum.trace, trace, 1e-12, "trace");
		kith_pool_free(&pool);
	}
	ok(taken >= 5, "the Gram path was taken %zu times", taken);
}

/* Any symmetric matrix is its factor; distances by it are D' W D. */
static void
test_factor(void)
{
	for (size_t run = 0; run < 12; run++) {
		const size_t p = 13 + run, n = 70;
		struct set *set = draw(n, p, 3, false, false);
		struct kith_immigrate_model *model = model_of(set, 1, true);
		const struct kith_immigrate_data *data = &model->data;
		double *W = start(p, false), *U = start(p, true), worst = 0;
		double *d = kith_new(&pool, TILE * TILE, sizeof(*d));
		double *D = kith_new(&pool, data->ld, sizeof(*D));

		for (size_t i = 0; i < p && run % 2; i++)
			for (size_t j = 0; j < p; j++)
				W[i * p + j] -= i == j ? .1 : 2. / (double)p;
		kith_immigrate_form_of(&model->form, W);
		kith_immigrate_form_full(&model->form, U);
		ok(apart(p * p, U, W) <= 1e-14, "W of its factor: %.1e", apart(p * p, U, W));
		kith_immigrate_model_at(model, W, false);
		kith_immigrate_tile(data, &model->soft.metric, 0, 1, &model->soft.room->tile, d);
		for (size_t i = 0; i < TILE; i++)
			for (size_t j = TILE; j < n; j++) {
				double due = 0;

				kith_immigrate_diff(
				    data->ld, data->X + i * data->ld, data->X + j * data->ld, D);
				for (size_t f = 0; f < p; f++)
					for (size_t g = 0; g < p; g++)
						due += D[f] * W[f * p + g] * D[g];
				worst = fmax(worst, fabs(due - d[i * TILE + j - TILE]));
			}
		ok(worst <= 1e-12, "distances: %.1e", worst);
		kith_pool_free(&pool);
	}
}

/* Distances that are computed when they are needed give the same bytes. */
static void
test_not_stored(void)
{
	static const size_t ps[] = {5, 20};

	for (size_t run = 0; run < 3; run++) {
		const size_t p = ps[run % 2], n = 200;
		struct set *set = draw(n, p, 3, run == 1, true);
		struct kith_immigrate_model *model = model_of(set, .5, run < 2);
		struct kith_immigrate_soft other = kith_immigrate_soft_new(
		    &model->data, model->soft.sigma, false, 2, &pool);
		double *a = kith_new(&pool, TILE * TILE, sizeof(*a));
		double *b = kith_new(&pool, TILE * TILE, sizeof(*b));
		size_t pairs = kith_immigrate_tile_pairs(&model->data), same = 0;

		kith_immigrate_model_at(model, run < 2 ? start(p, false) : even(p), false);
		other.metric = model->soft.metric;
		kith_immigrate_soft(&other);
		ok(apart(n, model->soft.hit.sum, other.hit.sum) == 0 &&
			apart(n, model->soft.miss.least, other.miss.least) == 0,
		    "softmax of %zu features", p);
		for (size_t t = 0; t < pairs; t++) {
			size_t I, J;

			kith_immigrate_tile_pair(&model->data, t, &I, &J);
			kith_immigrate_soft_c(&model->soft, I, J, 0, a);
			kith_immigrate_soft_c(&other, I, J, 1, b);
			same += apart(TILE * TILE, a, b) == 0;
		}
		is_size(same, pairs, "tiles of c");
		kith_pool_free(&pool);
	}
}

/* c sums to the weights of the rows: each softmax to 1. */
static void
test_c(void)
{
	for (size_t run = 0; run < 6; run++) {
		const size_t n = 1 + TILE * (1 + run % 3) - run % 2;
		struct set *set = draw(n, 4, 2 + run, run % 2, true);
		struct kith_immigrate_model *model;
		double *c = kith_new(&pool, TILE * TILE, sizeof(*c));
		double hit = 0, miss = 0, due = 0, all = 0;

		set->rows.weight = set->weight;
		model = model_of(set, pow(10, (double)run - 3), true);
		kith_immigrate_model_at(model, start(4, true), false);
		for (size_t t = 0; t < kith_immigrate_tile_pairs(&model->data); t++) {
			size_t I, J;

			kith_immigrate_tile_pair(&model->data, t, &I, &J);
			kith_immigrate_soft_c(&model->soft, I, J, 0, c);
			for (size_t k = 0; k < TILE * TILE; k++)
				*(c[k] > 0 ? &hit : &miss) += fabs(c[k]);
		}
		for (size_t i = 0; i < n; i++) {
			const size_t *of = model->data.start + model->data.y[i];

			due += of[1] - of[0] > 1 ? model->data.weight[i] : 0;
			all += model->data.weight[i];
		}
		is_near(hit, due, 1e-12, "hits sum to the weights");
		is_near(miss, all, 1e-12, "misses too");
		kith_pool_free(&pool);
	}
}

/* What is left of sums that cancel is no eigenvalue. */
static void
test_noise(void)
{
	const size_t p = 14;
	struct set *set = draw(10, p, 2, false, false);
	struct kith_immigrate_model *model = model_of(set, 1, true);
	double *Sigma = start(p, true);

	for (size_t k = 0; k < p * p; k++)
		Sigma[k] *= -1e-15;
	ok(!kith_immigrate_form_closed(&model->form, Sigma, 1), "-1e-15 of terms of size 1");
	ok(kith_immigrate_form_closed(&model->form, Sigma, 1e-10), "but of size 1e-10");
	memset(Sigma, 0, p * p * sizeof(*Sigma));
	ok(!kith_immigrate_form_gram(&model->form, 3, Sigma, (const double[]){-1, 1, -1}, 0),
	    "rows of zeros have none");
	ok(!kith_immigrate_form_gram(&model->form, 0, Sigma, NULL, 0), "nor have none");
	kith_pool_free(&pool);
}

/* Parts that are summed a few at a time give the same bytes. */
static void
test_rounds(void)
{
	const size_t p = 40, n = 300;
	struct set *set = draw(n, p, 2, false, false);
	struct kith_immigrate_model *model = model_of(set, 1, true);
	double *Sigma = kith_new(&pool, p, p * sizeof(*Sigma)), trace;

	kith_immigrate_model_at(model, start(p, false), false);
	kith_immigrate_sum(&model->sum);
	memcpy(Sigma, model->sum.total, p * p * sizeof(*Sigma));
	trace = model->sum.trace;
	ok(model->sum.parts > 7 && model->sum.once == model->sum.parts, "%zu parts at once",
	    model->sum.parts);
	for (size_t once = 1; once < 8; once += 3) {
		model->sum.once = once;
		kith_immigrate_sum(&model->sum);
		ok(apart(p * p, Sigma, model->sum.total) == 0 && trace == model->sum.trace,
		    "%zu at once", once);
	}
	kith_pool_free(&pool);
}

/* F of the model at W + h E, normalised, in units of the data. */
static double
moved(struct kith_immigrate_model *model, const double *W, double h, const double *E, double *Z)
{
	for (size_t k = 0; k < model->len; k++)
		Z[k] = W[k] + h * E[k];
	kith_immigrate_normalise(model->len, true, Z);
	kith_immigrate_model_at(model, Z, false);
	return ldexp(model->F, model->unit);
}

/* G is the derivative of F along the sphere, and steps along it end on the cone. */
static void
test_slope(void)
{
	double worst = 0, outside = 0, still = 0;
	size_t rose = 0;

	for (size_t run = 0; run < 20; run++) {
		const size_t p = 2 + kith_rng_below(&rng, 6);
		struct set *set = draw(25, p, 2, false, false);
		double *W = start(p, true), *E = start(p, false);
		double *V = start(p, true), *G = start(p, true), due, F;
		double slope = 0, norm = 0;
		struct kith_immigrate_model *model;

		set->rows.weight = run % 2 ? set->weight : NULL;
		model = model_of(set, 2, true);
		due = (moved(model, W, 1e-5, E, V) - moved(model, W, -1e-5, E, V)) / 2e-5;
		F = moved(model, W, 0, E, V);
		kith_immigrate_model_slope(model, W, G);
		for (size_t i = 0; i < p; i++)
			for (size_t j = i; j < p; j++) {
				const size_t k = i * p + j;
				const double twice = i == j ? 1 : 2;

				slope += twice * ldexp(G[k], model->power) * E[k];
				norm += twice * G[k] * G[k];
			}
		worst = fmax(worst, fabs(slope - due) / (1 + fabs(due)));
		kith_immigrate_model_near(model, W, G, 1e-4 / sqrt(norm), V);
		still = fmax(still, apart(p * p, V, W));
		rose += !(moved(model, V, 0, E, V) < F);
		kith_immigrate_model_slope(model, V, G);
		kith_immigrate_model_near(model, V, G, 1e3 / sqrt(norm), V);
		kith_immigrate_form_of(&model->form, V);
		for (size_t i = 0; i < p; i++)
			outside = fmax(outside, -model->form.lambda[i]);
		kith_pool_free(&pool);
	}
	ok(worst < 1e-7, "the slope of F on the sphere (%g)", worst);
	ok(still < 2e-4, "a short step along it is short (%g)", still);
	is_size(rose, 0, "and lowers F");
	ok(outside < 1e-12, "a long one ends on the cone (%g)", outside);
}

static void
test_shape(void)
{
	double w[] = {.5 * (1 - 1e-13), .5 * (1 - 1e-11), -.7, .6};
	const double due[] = {.5 * (1 - 1e-13), 0, 0, .6};
	double none[] = {0, 0};

	ok(kith_immigrate_cut(4, .5, w) && apart(4, w, due) == 0, "the threshold itself stays");
	ok(!kith_immigrate_cut(4, .7, w), "nothing is left");
	kith_immigrate_normalise(2, true, none);
	ok(none[0] == 0, "nothing has no norm");
}

int
main(void)
{
	kith_rng_seed(&rng, 2, KITH_RNG_SAMPLE, 0);
	test_gram();
	test_gram_model();
	test_factor();
	test_not_stored();
	test_c();
	test_noise();
	test_rounds();
	test_slope();
	test_shape();
	return done();
}
