/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/line.h: what is left out changes F by no more than is
 * said, Sigma hardly, and all of it is found again where it is needed.
 */
#include "immigrate/line.h"

#include "immigrate/data.h"
#include "tap.h"

/* Both at the same weights; `full` leaves nothing out. */
struct pair {
	struct kith_immigrate_model *some, *full;
	size_t left; /* times that pairs were left out */
};

static struct kith_immigrate_model *
model_of(const struct set *set, double sigma)
{
	struct kith_immigrate_how how = usual(sigma, 1);

	how.monotone = true;
	return kith_immigrate_model_new(&set->rows, &how, true, &pool);
}

/* W + g (V - W), normalised, into Z; what it is divided by. */
static double
blend(size_t len, const double *W, const double *V, double g, double *Z)
{
	double square = 0;

	for (size_t k = 0; k < len; k++) {
		Z[k] = W[k] + g * (V[k] - W[k]);
		square += Z[k] * Z[k];
	}
	for (size_t k = 0; k < len; k++)
		Z[k] /= sqrt(square);
	return sqrt(square);
}

/* Whether F is right but for its error, and Sigma but for what is left out. */
static void
compare(struct pair *pair, const double *Z, double g)
{
	const struct kith_immigrate_model *some = pair->some;
	const struct kith_immigrate_model *full = pair->full;
	const size_t p = some->data.p;
	double worst = 0;

	kith_immigrate_model_at(pair->full, Z, false);
	ok(fabs(some->F - full->F) <= some->error + 1e-9 * fabs(full->F),
	    "at %g F is %.10g, off by %.1e of %.1e", g, some->F,
	    some->F - full->F, some->error);
	pair->left += some->soft.some && some->error > 0;
	kith_immigrate_sum(&pair->some->sum);
	kith_immigrate_sum(&pair->full->sum);
	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++)
			worst = fmax(worst,
			    fabs(some->sum.total[i * p + j] -
				full->sum.total[i * p + j]));
	ok(worst <= 1e-5 * full->sum.size, "Sigma: %.1e of %.1e", worst,
	    full->sum.size);
}

/* The next V, towards which both models are at W: some of it, then all of it. */
static bool
next(struct pair *pair, const double *W, double *V)
{
	kith_immigrate_model_at(pair->full, W, false);
	kith_immigrate_sum(&pair->full->sum);
	return kith_immigrate_form_closed(&pair->some->form,
		   pair->full->sum.total, pair->full->sum.size) &&
	    (kith_immigrate_form_full(&pair->some->form, V), true);
}

static void
test_line(size_t n, size_t p, double sigma, bool single, bool weights)
{
	static const double step[] = {1, .5, 1, 1, .125, .25, 1, .5};
	struct set *set = draw(n, p, 3, single, true);
	struct pair pair = {0};
	double *W = start(p, true), *V = start(p, true), *Z = start(p, true);

	if (weights)
		set->rows.weight = set->weight;
	pair.some = model_of(set, sigma);
	pair.full = model_of(set, sigma);
	kith_immigrate_model_at(pair.some, W, false);
	for (size_t k = 0; k < 8 && next(&pair, W, V); k++) {
		pair.some->line.full = 0; /* few or not */
		kith_immigrate_model_draw(pair.some, V, true);
		for (int halving = 0; ldexp(1, -halving) >= step[k];
		     halving++) {
			const double g = ldexp(1, -halving);

			kith_immigrate_model_go(
			    pair.some, W, g, blend(p * p, W, V, g, Z));
			compare(&pair, Z, g);
		}
		memcpy(W, Z, p * p * sizeof(*W));
	}
	ok(pair.left > 3, "pairs were left out %zu times", pair.left);
	kith_pool_free(&pool);
}

/* Where nothing may be left out nothing is. */
static void
test_full(void)
{
	struct set *set = draw(80, 30, 2, false, false);
	struct pair pair = {.some = model_of(set, .05)};
	double *W = start(30, true), *V = start(30, true), *Z = start(30, true);

	pair.full = model_of(set, .05);
	kith_immigrate_model_at(pair.some, W, false);
	ok(next(&pair, W, V), "there is a V");
	ok(!kith_immigrate_model_draw(pair.some, V, false), "all are asked");
	kith_immigrate_model_go(pair.some, W, .5, blend(900, W, V, .5, Z));
	ok(!pair.some->soft.some && pair.some->error == 0,
	    "nothing is left out");
	compare(&pair, Z, .5);
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_line(130, 30, .04, false, false);
	test_line(150, 45, .08, true, false);
	test_line(90, 60, .05, false, true);
	test_full();
	return done();
}
