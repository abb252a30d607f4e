/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/smooth.h: the weights at which a solver is restarted are
 * those of a plain version, pair by pair and point by point, of the same search.
 */
#include "sqpfw/smooth.h"

#include "la/vec.h"
#include "sqpfw/data.h"
#include "sqpfw/smooth_least.h"
#include "sqpfw/state.h"
#include "tap.h"

#include <lbfgs.h>

enum { MOST = 200, STAGES = 4, ROUND = 10 };

static struct kith_pool pool;

/* The search as it is told, of the points of a solver. */
struct search {
	const struct kith_sqpfw *s;
	double theta, temperature, highest, before;
	double share[MOST]; /* of each point, of sum 1 */
};

static bool
is_in(const struct kith_sqpfw *s, size_t i, size_t j, bool miss)
{
	return i != j && (s->points.of[i] != s->points.of[j]) == miss;
}

static double
eps(const struct kith_sqpfw *s, size_t i, size_t j, size_t f)
{
	const double d = kith_sqpfw_value(&s->points, i, f) - kith_sqpfw_value(&s->points, j, f);

	return d * d;
}

/* The smoothed distance of the target of a group, times `unit`; and its
 * gradient is added to g. */
static double
target(const struct search *it, size_t i, bool miss, const double *w, double unit, double *g)
{
	const struct kith_sqpfw *s = it->s;
	const size_t rank = s->group[2 * i + miss].rank;
	double d[MOST], q[MOST], room[MOST], value;
	size_t n = 0, k = 0;

	if (rank == 0 || it->share[i] == 0)
		return 0;
	for (size_t j = 0; j < s->points.n; j++)
		if (is_in(s, i, j, miss)) {
			d[n] = 0;
			for (size_t f = 0; f < s->points.p; f++)
				d[n] += w[f] * eps(s, i, j, f);
			n++;
		}
	value = kith_sqpfw_smooth_least(rank, it->temperature, n, d, q, room);
	for (size_t j = 0; j < s->points.n; j++)
		if (is_in(s, i, j, miss)) {
			for (size_t f = 0; f < s->points.p; f++)
				g[f] += unit * q[k] * eps(s, i, j, f);
			k++;
		}
	return unit * value;
}

static double
value(void *to, const double *v, double *g, int p, double step)
{
	const struct search *it = to;
	const struct kith_sqpfw *s = it->s;
	double w[FEATURES] = {0}, G[FEATURES] = {0}, square = 0, F = 0, along = 0;

	(void)step;
	for (int f = 0; f < p; f++)
		square += v[f] * v[f];
	for (int f = 0; f < p; f++)
		w[f] = v[f] * v[f] / square;
	for (size_t i = 0; i < s->points.n; i++) {
		const double unit = it->theta * it->share[i];

		F += target(it, i, false, w, unit, G);
		F += target(it, i, true, w, -unit, G);
	}
	for (int f = 0; f < p; f++) {
		const double d = w[f] - s->prior[s->position[f]];

		F += d * d / 2;
		G[f] += d;
		along += G[f] * w[f];
	}
	for (int f = 0; f < p; f++)
		g[f] = 2 * v[f] / square * (G[f] - along);
	return F;
}

/* A temperature ends where a round lowers the value by little. */
static int /* NOLINTNEXTLINE(readability-function-size): the library's */
look(void *to, const double *v, const double *g, double F, double v_norm, double g_norm,
    double step, int p, int iteration, int trials)
{
	struct search *it = to;
	const double fell = it->before - F;

	(void)v, (void)g, (void)v_norm, (void)g_norm, (void)step, (void)p;
	(void)trials;
	if (iteration % ROUND)
		return 0;
	it->before = F;
	return fell <= 1e-3 * (it->highest - F);
}

/* The mean distance of two points under the prior. */
static double
mean_distance(const struct kith_sqpfw *s)
{
	const size_t n = s->points.n;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			for (size_t f = 0; f < s->points.p; f++)
				sum += s->prior[s->position[f]] * eps(s, i, j, f);
	return sum / (double)(n * n);
}

static void
search(const struct kith_sqpfw *s, double theta, double *w)
{
	struct search it = {.s = s, .theta = scalbn(theta, -2 * s->points.exponent)};
	const int p = (int)s->points.p;
	double v[FEATURES + 16], g[FEATURES + 16], sum = 0, most = 0;
	const double mean = mean_distance(s);
	lbfgs_parameter_t how;

	for (size_t i = 0; i < s->points.n; i++)
		sum += s->points.share[i];
	for (size_t i = 0; i < s->points.n; i++)
		it.share[i] = s->points.share[i] / sum;
	for (int f = 0; f < p; f++)
		v[f] = sqrt(s->prior[s->position[f]]);
	lbfgs_parameter_init(&how);
	how.m = 10;
	how.epsilon = 0;
	how.max_iterations = 200;
	for (int k = 0; k < STAGES; k++) {
		it.temperature = 2e-2 * mean * pow(4e-4 / 2e-2, (double)k / (STAGES - 1));
		it.before = value(&it, v, g, p, 0);
		it.highest = k == 0 ? it.before : fmax(it.highest, it.before);
		lbfgs(p, v, NULL, value, look, &it, &how);
	}
	for (int f = 0; f < p; f++)
		most = fmax(most, fabs(v[f]));
	sum = 0;
	for (int f = 0; f < p; f++)
		sum += w[f] = v[f] * v[f] <= 1e-6 * most * most ? 0 : v[f] * v[f];
	for (int f = 0; f < p; f++)
		w[f] /= sum;
}

/* Sets of all kinds, some with weights of rows or of more than one block. */
static void
draw_set(struct set *set, size_t k, double *weight, size_t *y)
{
	double sum = 0;

	draw(set, (enum kind)(k % KINDS), &pool);
	if (k == 4) {
		const size_t n = 65, p = FEATURES;

		set->X = kith_mat_new(&pool, n, p);
		for (size_t i = 0; i < n; i++) {
			y[i] = i % 3 % set->c;
			for (size_t f = 0; f < p; f++)
				kith_row(&set->X, i)[f] = number(-1, 1) +
				    (f ? 0 : .5 * (double)y[i]);
		}
		set_prior(set);
	} else
		memcpy(y, set->y, sizeof(set->y));
	for (size_t i = 0; i < set->X.n; i++)
		sum += weight[i] = i % 4 ? number(0, 2) : 0;
	for (size_t i = 0; i < set->X.n; i++)
		weight[i] *= (double)set->X.n / sum;
	if (k % 3 == 2)
		set->how.weight = weight;
	/* other units, to which theta belongs */
	for (size_t v = 0; v < set->X.n * set->X.p; v++)
		set->X.v[v] *= 8;
	set->theta /= k % 2 ? 1 : 64;
}

static void
test_sets(size_t sets)
{
	size_t near = 0, moved = 0, zero = 0, found = 0;

	for (size_t k = 0; k < sets; k++) {
		double w[FEATURES], weight[MOST];
		size_t y[MOST] = {0};
		struct kith_sqpfw_now now;
		struct kith_sqpfw *s;
		struct set set;

		draw_set(&set, k, weight, y);
		s = kith_sqpfw_new(&set.X, y, set.c, &set.how, &pool);
		search(s, set.theta, w);
		found += kith_sqpfw_smooth(s, set.theta);
		kith_sqpfw_at(s, &now);
		near += distance(w, now.w, set.X.p) <= 1e-6;
		moved += distance(w, set.prior, set.X.p) > .05;
		zero += now.positive < set.X.p;
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	is_size(found, sets, "starts");
	ok(near >= sets - sets / 10 && moved >= sets / 2 && zero >= 2,
	    "%zu of %zu are those of the plain version; %zu are far from the "
	    "prior, %zu have zeros",
	    near, sets, moved, zero);
}

/* Of very many points some are left out: then classes may be too small. */
static void
test_sample(void)
{
	enum { N = 2001 };
	const struct kith_sqpfw_how how = {1, 1, .threads = 1};
	struct kith_mat X = kith_mat_new(&pool, N, 1);
	size_t *y = kith_new(&pool, N, sizeof(*y));
	struct kith_sqpfw *s;

	for (size_t i = 0; i < N; i++) {
		X.v[i] = number(0, 1);
		y[i] = i < 2;
	}
	s = kith_sqpfw_new(&X, y, 2, &how, &pool);
	ok(!kith_sqpfw_smooth(s, 1), "of two points in a class one is left");
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 37, KITH_RNG_SAMPLE, 0);
	test_sets(10);
	test_sample();
	return done();
}
