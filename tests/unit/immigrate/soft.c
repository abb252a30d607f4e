/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/soft.h, lib/immigrate/soften.h, lib/immigrate/left.h and
 * lib/immigrate/cost.h: all that is said of rows against loops over pairs, with
 * pairs left out, too.
 */
#include "immigrate/soft.h"

#include "immigrate/cost.h"
#include "immigrate/data.h"
#include "immigrate/left.h"
#include "immigrate/soften.h"
#include "tap.h"

#define TILE ((size_t)KITH_IMMIGRATE_TILE)

static double
off(double got, double due)
{
	return fabs(got - due) / fmax(1, fabs(due));
}

static void
test_left(void)
{
	double worst = 0;
	size_t odd = 0;

	for (size_t n = 0; n < 40; n++) {
		double d[40], e[40], z[41], least = INFINITY;
		double sum = 2, gone = 3, due = 2, lost = 3;

		for (size_t k = 0; k < n; k++) {
			d[k] = 5 * kith_rng_unit(&rng) - 2 * (double)(n % 3);
			e[k] = kith_rng_unit(&rng);
			least = d[k] >= 0 && d[k] < least ? d[k] : least;
			*(d[k] < 0 ? &lost : &due) += e[k];
		}
		odd += kith_immigrate_left_least(n, d) != least;
		z[n] = 77;
		kith_immigrate_left_shift(n, d, .5, .25, z);
		for (size_t k = 0; k < n; k++)
			worst = fmax(worst, off(z[k], (.5 - fabs(d[k])) / .25));
		odd += z[n] != 77;
		kith_immigrate_left_total(n, d, e, &sum, &gone);
		worst = fmax(worst, fmax(off(sum, due), off(gone, lost)));
		kith_immigrate_soften_shift(n, d, .5, .25, z);
		for (size_t k = 0; k < n; k++)
			worst = fmax(worst, off(z[k], (.5 - d[k]) / .25));
		odd += z[n] != 77;
	}
	ok(worst <= 1e-14, "sums with what is left out: %g", worst);
	is_size(odd, 0, "least ones, or writes beyond");
}

/* One side of a row, from distances of which negative ones are left out. */
struct side {
	double least, most, sum, mean, gone;
	size_t nearest, n;
};

static struct side
side_of(const struct kith_immigrate_data *data, const double *d, size_t i, bool hits, double sigma)
{
	struct side s = {INFINITY, -INFINITY, 0, 0, 0, SIZE_MAX, 0};

	for (size_t j = 0; j < data->n; j++)
		if (j != i && (data->y[j] == data->y[i]) == hits) {
			s.n++;
			s.most = fmax(s.most, d[j]);
			if (d[j] >= 0 && d[j] < s.least) {
				s.least = d[j];
				s.nearest = j;
			}
		}
	for (size_t j = 0; j < data->n; j++)
		if (j != i && (data->y[j] == data->y[i]) == hits) {
			const double z = (s.least - fabs(d[j])) / sigma;

			*(d[j] < 0 ? &s.gone : &s.sum) += exp(z);
			s.mean -= d[j] < 0 ? 0 : exp(z) * z;
		}
	s.mean = s.sum > 0 ? s.mean / s.sum : 0;
	return s;
}

static double
compare(const struct kith_immigrate_soft *soft, const struct kith_immigrate_side *got, size_t i,
    const struct side *due)
{
	double worst = off(got->sum[i], due->sum);

	if (due->n == 0)
		return got->sum[i] == 0 ? 0 : INFINITY;
	worst = fmax(worst, fabs(got->least[i] - due->least));
	if (soft->some)
		return fmax(worst, off(got->gone[i], due->gone));
	worst = fmax(worst, fabs(got->most[i] - due->most));
	worst = fmax(worst, off(got->mean[i], due->mean));
	return got->nearest[i] == due->nearest ? worst : INFINITY;
}

/* c of the pair i < j, by both of its rows. */
static double
plain_c(const struct kith_immigrate_data *data, const double *D, size_t i, size_t j,
    const struct side *of_i, const struct side *of_j, double sigma)
{
	const double d = D[i * data->n + j];
	const double sign = data->y[i] == data->y[j] ? 1 : -1;

	if (d < 0)
		return 0;
	return sign *
	    (data->weight[i] * exp((of_i->least - d) / sigma) / of_i->sum +
		data->weight[j] * exp((of_j->least - d) / sigma) / of_j->sum);
}

/* All of c against plain sides (2 n of them, hits first). */
static double
compare_c(const struct kith_immigrate_soft *soft, const double *D, const struct side *side)
{
	const struct kith_immigrate_data *data = soft->data;
	double *c = kith_new(&pool, TILE * TILE, sizeof(*c)), worst = 0;

	for (size_t t = 0; t < kith_immigrate_tile_pairs(data); t++) {
		size_t I, J;

		kith_immigrate_tile_pair(data, t, &I, &J);
		kith_immigrate_soft_c(soft, I, J, t % soft->threads, c);
		for (size_t at = 0; at < TILE * TILE; at++) {
			const size_t i = I * TILE + at / TILE;
			const size_t j = J * TILE + at % TILE;
			double due = 0;

			if (i < j && j < data->n) {
				const size_t of = data->y[i] == data->y[j] ? 0 : data->n;

				due = plain_c(
				    data, D, i, j, side + of + i, side + of + j, soft->sigma);
			}
			worst = fmax(worst, off(c[at], due));
		}
	}
	return worst;
}

/* The costs of plain sides. */
static double
compare_cost(const struct kith_immigrate_soft *soft, const struct side *side)
{
	const struct kith_immigrate_cost got = kith_immigrate_cost(soft);
	const size_t n = soft->data->n;
	double least = 0, logs = 0, error = 0;

	for (size_t i = 0; i < n; i++) {
		const double weight = soft->data->weight[i];
		const struct side *hit = side + i, *miss = side + n + i;

		least -= weight * miss->least;
		logs += weight * log(miss->sum);
		error += weight * miss->gone / miss->sum;
		if (hit->n == 0)
			continue;
		least += weight * hit->least;
		logs -= weight * log(hit->sum);
		error += weight * hit->gone / hit->sum;
	}
	return fmax(off(got.least, least), fmax(off(got.logs, logs), off(got.error, error)));
}

/* The distances in the store, both ways; every so many of them left out. */
static void
fill(struct kith_immigrate_soft *soft, size_t every, double *D)
{
	const struct kith_immigrate_data *data = soft->data;

	for (size_t t = 0; t < kith_immigrate_tile_pairs(data); t++) {
		double *d = soft->store + t * TILE * TILE;
		size_t I, J;

		kith_immigrate_tile_pair(data, t, &I, &J);
		for (size_t at = 0; at < TILE * TILE; at++) {
			const size_t i = I * TILE + at / TILE;
			const size_t j = J * TILE + at % TILE;

			if (i >= data->n || j >= data->n)
				continue;
			if (every && i != j && (i + j) % every == 0 && i / 2 != j / 2)
				d[at] = -fabs(d[at]);
			D[i * data->n + j] = D[j * data->n + i] = d[at];
		}
	}
}

static void
test_rows(bool some)
{
	static const size_t sizes[] = {2, 7, 9, 20, 63, 64, 65, 128, 131};
	double worst = 0, worst_c = 0, cost = 0, kept = 0;

	for (size_t run = 0; run < 36; run++) {
		const size_t n = sizes[run % 9], c = n < 20 ? 2 : 2 + run % 4;
		const double sigma = pow(10, (double)(run % 3) - 2);
		struct set *set = draw(n, 3, c, run % 2, false);
		const struct kith_immigrate_how how = usual(sigma, 1);
		struct kith_immigrate_model *model;
		struct kith_immigrate_soft *soft;
		struct side *side = kith_new(&pool, 2 * n, sizeof(*side));
		double *D = kith_new(&pool, n, n * sizeof(*D));

		set->rows.weight = run % 2 ? set->weight : NULL;
		model = kith_immigrate_model_new(&set->rows, &how, true, &pool);
		soft = &model->soft;
		soft->mean = soft->nearest = true;
		kith_immigrate_model_at(model, start(3, false), false);
		fill(soft, some ? 3 : 0, D);
		soft->some = some;
		soft->nearest = !some;
		kith_immigrate_soft_again(soft);
		for (size_t k = 0; k < 2 * n; k++) {
			const struct kith_immigrate_side *got = k < n ? &soft->hit : &soft->miss;

			side[k] = side_of(&model->data, D + k % n * n, k % n, k < n, soft->sigma);
			worst = fmax(worst, compare(soft, got, k % n, side + k));
		}
		for (size_t k = 0; k < n * n && !some; k++) {
			const size_t i = k / n, j = k % n;
			const size_t of = model->data.y[i] == model->data.y[j] ? 0 : n;

			kept = fmax(kept,
			    fabs(soft->kept[k] -
				(i == j ? 0 : exp((side[of + i].least - D[k]) / soft->sigma))));
		}
		worst_c = fmax(worst_c, compare_c(soft, D, side));
		cost = fmax(cost, compare_cost(soft, side));
		kith_pool_free(&pool);
	}
	ok(worst <= 1e-12, "%s: what is said of rows: %g", some ? "some" : "all", worst);
	ok(worst_c <= 1e-12, "c of pairs: %g", worst_c);
	ok(cost <= 1e-12, "their costs: %g", cost);
	ok(kept <= 1e-14, "and what is kept: %g", kept);
}

/* The mean distance of each row to each class, itself left out. */
static void
test_votes(void)
{
	double worst = 0;
	size_t none = 0, odd = 0;

	for (size_t run = 0; run < 12; run++) {
		const size_t n = run < 6 ? 5 + run : 60 + 2 * run, c = 3;
		struct set *set = draw(n, 4, c, run % 2, run % 3 == 0);
		const struct kith_immigrate_how how = usual(run % 3 ? .05 : run % 2 ? 1e-5 : 1, 1);
		struct kith_immigrate_model *model = kith_immigrate_model_new(
		    &set->rows, &how, true, &pool);
		double *V = kith_new(&pool, n, c * sizeof(*V));
		double *D = kith_new(&pool, n, n * sizeof(*D));

		kith_immigrate_model_at(model, start(4, true), false);
		fill(&model->soft, 0, D);
		kith_immigrate_soft_votes(&model->soft, V);
		for (size_t k = 0; k < n * c; k++) {
			const size_t i = k / c, h = k % c;
			double least = INFINITY, sum = 0, total = 0;

			for (size_t j = 0; j < n; j++)
				if (j != i && model->data.y[j] == h)
					least = fmin(least, D[i * n + j]);
			for (size_t j = 0; j < n; j++)
				if (j != i && model->data.y[j] == h) {
					const double e = exp(
					    (least - D[i * n + j]) / model->soft.sigma);

					total += e;
					sum += e * D[i * n + j];
				}
			none += total == 0;
			odd += total == 0 && !isinf(V[model->data.row[i] * c + h]);
			if (total > 0)
				worst = fmax(
				    worst, fabs(V[model->data.row[i] * c + h] - sum / total));
		}
		kith_pool_free(&pool);
	}
	ok(worst <= 1e-13, "distances to classes: %g", worst);
	ok(none > 0 && odd == 0, "%zu of none", none);
}

/* The entropies of the package, and where it has none. */
static void
test_entropy(void)
{
	double worst = 0;
	size_t none = 0, odd = 0;

	for (size_t run = 0; run < 40; run++) {
		struct set *set = draw(30, 3, 2, run % 4 == 1, false);
		struct kith_immigrate_how how = usual(ldexp(1, -(int)(run / 4)), 1);
		struct kith_immigrate_model *model;
		double *D = kith_new(&pool, 30, 30 * sizeof(*D)), sum = 0;
		bool known = true;

		how.package = true;
		model = kith_immigrate_model_new(&set->rows, &how, true, &pool);
		kith_immigrate_model_at(model, start(3, true), false);
		fill(&model->soft, 0, D);
		for (size_t k = 0; k < 60; k++) {
			const double sigma = model->soft.sigma;
			const double *d = D + k / 2 * 30;
			double total = 0, least = 1;

			for (size_t hit = k % 2, j = 0; j < 30; j++)
				if (j != k / 2 &&
				    (model->data.y[j] == model->data.y[k / 2]) == hit) {
					total += exp(-d[j] / sigma);
					least = fmin(least, exp(-d[j] / sigma));
				}
			known = known && (least > 0 && least / total > 0);
			for (size_t hit = k % 2, j = 0; known && j < 30; j++)
				if (j != k / 2 &&
				    (model->data.y[j] == model->data.y[k / 2]) == hit) {
					const double a = exp(-d[j] / sigma) / total;

					sum += (hit ? 1 : -1) * a * log(a);
				}
		}
		none += !known;
		odd += known == isnan(model->C);
		if (known)
			worst = fmax(worst, off(kith_immigrate_cost_entropy(&model->soft), sum));
		kith_pool_free(&pool);
	}
	ok(worst <= 1e-11, "entropies: %g", worst);
	ok(none > 4 && none < 36 && odd == 0, "%zu are none", none);
}

int
main(void)
{
	kith_rng_seed(&rng, 9, KITH_RNG_SAMPLE, 0);
	test_left();
	test_rows(false);
	test_rows(true);
	test_votes();
	test_entropy();
	return done();
}
