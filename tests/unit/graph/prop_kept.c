/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/prop_solve.h on graphs too large for an elimination without
 * subtraction: what is kept for further labels, the steps of a random walk, and
 * which way is taken.
 */
#include "graph/prop_solve.h"

#include "base/pool.h"
#include "base/rng.h"
#include "graph/dense.h"
#include "graph/prop.h"
#include "graph/prop_class.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 420, C = 3 };

static struct kith_pool pool;
static struct kith_rng rng;
static double W[(size_t)N * N];
static size_t y[N];
static const struct kith_prop_labels labels = {y, NULL, C};

/* A graph in one piece but for the last two nodes. */
static struct kith_undirected
draw_graph(double chance)
{
	memset(W, 0, sizeof(W));
	draw(&rng, N, 0, N - 2, chance, W);
	join(N, W, N - 1, N - 2, 1);
	return graph_of(N, W, &pool);
}

static void
draw_labels(double chance)
{
	for (size_t i = 0; i < N; i++)
		y[i] = kith_rng_unit(&rng) < chance ? kith_rng_below(&rng, C) : KITH_NO_CLASS;
	y[0] = 0;
	y[1] = 1;
	y[N - 1] = y[N - 2] = KITH_NO_CLASS;
}

/* The largest residual |r_i| / a_i of scores, of the largest of them. */
static double
residual(const struct kith_prop *p)
{
	double *R = kith_new(&pool, N * p->ld, sizeof(*R)), most = 0, top = 0;

	kith_prop_rest(p, p->X, R, 1);
	for (size_t i = 0; i < N; i++)
		for (size_t k = 0; k < C; k++) {
			top = fmax(top, fabs(p->X[i * p->ld + k]));
			if (!p->A.out[i])
				most = fmax(most, fabs(R[i * p->ld + k]) / p->A.diagonal[i]);
		}
	return most / top;
}

static void
pose(const struct kith_undirected *g, enum kith_prop_method method, double alpha,
    struct kith_prop *p)
{
	kith_prop_pose(g, &labels, method, alpha, p, &pool);
}

/* The same problem without and with what is kept: are they the same? */
static bool
same(const struct kith_undirected *g, enum kith_prop_method method, double alpha,
    struct kith_prop_kept *kept)
{
	struct kith_prop p, q;
	struct kith_prop_solved s, t;
	bool good;

	pose(g, method, alpha, &p);
	pose(g, method, alpha, &q);
	kith_prop_solve(&p, NULL, 1, &s, &pool);
	kith_prop_solve(&q, kept, 1, &t, &pool);
	good = memcmp(p.X, q.X, N * p.ld * sizeof(*p.X)) == 0 && s.solver == t.solver &&
	    s.solver != KITH_PROP_GTH && s.iterations == t.iterations && s.fill == t.fill &&
	    !s.z == !t.z && residual(&q) < 1e-13;
	return good && (!s.z || memcmp(s.z, t.z, p.A.n * sizeof(*s.z)) == 0);
}

static void
test_kept(double chance)
{
	struct kith_prop_kept *kept = kith_prop_kept_new(&pool);
	const struct kith_undirected g = draw_graph(chance);
	struct kith_undirected other;
	size_t bad = 0;

	for (size_t round = 0; round < 3; round++) {
		draw_labels(.1);
		bad += !same(&g, KITH_PROP_SPREAD, .9, kept);
	}
	is_size(bad, 0, "spread, other labels");
	bad += !same(&g, KITH_PROP_SPREAD, .8, kept);
	is_size(bad, 0, "another alpha");
	for (size_t round = 0; round < 3; round++) {
		draw_labels(.1);
		bad += !same(&g, KITH_PROP_POISSON, .8, kept);
	}
	is_size(bad, 0, "another method");
	y[N - 1] = 2;
	bad += !same(&g, KITH_PROP_POISSON, .8, kept);
	bad += !same(&g, KITH_PROP_SPREAD, .8, kept);
	y[N - 1] = KITH_NO_CLASS;
	bad += !same(&g, KITH_PROP_SPREAD, .8, kept);
	is_size(bad, 0, "other nodes that are reached");
	bad += !same(&g, KITH_PROP_HARMONIC, .8, kept);
	bad += !same(&g, KITH_PROP_SPREAD, .8, kept);
	is_size(bad, 0, "harmonic keeps nothing");
	other = draw_graph(chance);
	bad += !same(&other, KITH_PROP_SPREAD, .8, kept);
	bad += !same(&g, KITH_PROP_SPREAD, .8, kept);
	bad += !same(&g, KITH_PROP_POISSON, .8, kept);
	bad += !same(&other, KITH_PROP_POISSON, .8, kept);
	bad += !same(&other, KITH_PROP_POISSON, .8, kept);
	bad += !same(&g, KITH_PROP_POISSON, .8, kept);
	is_size(bad, 0, "another graph");
	kith_prop_kept_free(kept);
	bad += !same(&g, KITH_PROP_SPREAD, .8, kept);
	kith_prop_kept_free(kept);
	is_size(bad, 0, "nothing kept");
}

/* Two paths of the same nodes, of other weights: each has its own factor. */
static void
test_paths(void)
{
	struct kith_prop_kept *kept = kith_prop_kept_new(&pool);
	struct kith_undirected path[2];
	size_t bad = 0;

	for (size_t one = 0; one < 2; one++) {
		memset(W, 0, sizeof(W));
		for (size_t i = 1; i < N; i++)
			join(N, W, i, i - 1, .1 + kith_rng_unit(&rng));
		join(N, W, 2, 3, 5); /* node 3 is grounded in both */
		join(N, W, 3, 4, 9);
		path[one] = graph_of(N, W, &pool);
	}
	draw_labels(.02);
	for (size_t turn = 0; turn < 6; turn++)
		bad += !same(&path[turn / 2 % 2], KITH_PROP_POISSON, .8, kept);
	kith_prop_kept_free(kept);
	is_size(bad, 0, "paths");
}

/* z: A z is near a, which bounds errors, and is what a solution has. */
static void
test_walk(double chance)
{
	const struct kith_undirected g = draw_graph(chance);

	draw_labels(.05);
	for (int m = 0; m < KITH_PROP_METHODS; m++) {
		struct kith_prop p;
		struct kith_prop_solved s;
		double worst = 0, *z;

		pose(&g, (enum kith_prop_method)m, .9, &p);
		z = kith_prop_walk(&p, 2, &pool);
		ok(!z == (m == KITH_PROP_POISSON), "method %d", m);
		if (!z)
			continue;
		for (size_t i = 0; i < N; i++) {
			double r = p.A.out[i] ? 0 : p.A.diagonal[i] * (1 - z[i]);

			for (size_t e = p.A.start[i]; e < p.A.start[i + 1]; e++)
				if (!p.A.out[i] && !p.A.out[p.A.column[e]])
					r += p.A.w[e] * z[p.A.column[e]];
			if (!p.A.out[i])
				worst = fmax(worst, fabs(r) / p.A.diagonal[i]);
		}
		ok(worst <= 2e-3, "A z = a, up to %g", worst);
		kith_prop_solve(&p, NULL, 1, &s, &pool);
		ok(memcmp(s.z, z, p.A.n * sizeof(*z)) == 0, "as a solution has it");
	}
}

/* Whether weights that are w and v by turns have a walk. */
static bool
walks(double w, double v)
{
	struct kith_undirected g = draw_graph(.01);
	struct kith_prop p;

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			if (W[i * N + j] > 0)
				W[i * N + j] = (i + j) % 2 ? w : v;
	g = graph_of(N, W, &pool);
	draw_labels(.5);
	pose(&g, KITH_PROP_HARMONIC, .5, &p);
	return kith_prop_walk(&p, 1, &pool);
}

static void
test_wild(void)
{
	ok(walks(1e99, 1e99) && walks(1e100, 1e100) && !walks(1.1e100, 1.1e100) &&
		!walks(1e99, 1.1e100),
	    "weights beyond 1e100");
	ok(walks(1e-100, 1e-100) && !walks(.9e-100, .9e-100) && !walks(.9e-100, 1e-99),
	    "below 1e-100");
	ok(walks(1e60, 1.1e-40) && !walks(1e60, .9e-40), "1e100 apart");
}

/* Long paths are worth a factor, dense graphs are not. */
static void
test_ways(void)
{
	struct kith_prop p;
	struct kith_prop_solved s;
	struct kith_undirected g = draw_graph(.3);

	draw_labels(.1);
	pose(&g, KITH_PROP_HARMONIC, .5, &p);
	kith_prop_solve(&p, NULL, 1, &s, &pool);
	ok(s.solver == KITH_PROP_CG && s.iterations > 0 && s.iterations < 17 && s.fill == 0,
	    "a dense graph: %zu iterations", s.iterations);
	ok(residual(&p) < 1e-13, "solve it");
	memset(W, 0, sizeof(W));
	for (size_t i = 1; i < N; i++)
		join(N, W, i, i - 1, 1);
	g = graph_of(N, W, &pool);
	for (size_t i = 0; i < N; i++)
		y[i] = KITH_NO_CLASS;
	y[0] = 0;
	y[N - 1] = 1;
	pose(&g, KITH_PROP_HARMONIC, .5, &p);
	kith_prop_solve(&p, NULL, 1, &s, &pool);
	ok(residual(&p) < 1e-13 && s.z && s.solver == KITH_PROP_CHOLESKY && s.fill >= N - 2,
	    "a path: %g entries", s.fill);
	for (size_t i = 0; i < N; i += 60)
		is_near(p.X[i * p.ld + 1], (double)i / (N - 1), 1e-9, "a line");
	for (size_t i = 0; i < N; i++)
		y[i] = 0;
	pose(&g, KITH_PROP_HARMONIC, .5, &p);
	kith_prop_solve(&p, NULL, 1, &s, &pool);
	ok(s.solver == KITH_PROP_GIVEN && !s.z && s.iterations == 0, "nothing to solve");
}

/* More columns than are solved for at once. */
static void
test_columns(void)
{
	enum { MANY = 4800 };
	const struct kith_prop_labels many = {y, NULL, MANY};
	struct kith_undirected g;
	struct kith_prop_solved s;
	struct kith_prop p;
	double worst = 0;

	memset(W, 0, sizeof(W));
	for (size_t i = 1; i < N; i++)
		join(N, W, i, i - 1, 1);
	g = graph_of(N, W, &pool);
	for (size_t i = 0; i < N; i++)
		y[i] = KITH_NO_CLASS;
	y[0] = 7;
	y[N - 1] = MANY - 1;
	kith_prop_pose(&g, &many, KITH_PROP_HARMONIC, .5, &p, &pool);
	kith_prop_solve(&p, NULL, 1, &s, &pool);
	for (size_t i = 0; i < N; i++)
		for (size_t k = 0; k < MANY; k++) {
			const double at = (double)i / (N - 1);
			const double due = k == 7 ? 1 - at : k == MANY - 1 ? at : 0;

			worst = fmax(worst, fabs(p.X[i * p.ld + k] - due));
		}
	ok(s.solver == KITH_PROP_CHOLESKY && worst < 1e-9, "4800 classes: %g", worst);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_kept(.05);
	test_kept(.002);
	test_paths();
	test_walk(.05);
	test_walk(.002);
	test_wild();
	test_ways();
	test_columns();
	kith_pool_free(&pool);
	return done();
}
