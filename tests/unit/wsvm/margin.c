/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/margin.h: after each variable that enters M or leaves it, both systems hold by
 * the definition; scores and columns are those of M; a variable that depends on M stays out.
 */
#include "wsvm/margin.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"
#include "wsvm/krows.h"

enum { ROWS = 50, SIDES = 2, TURNS = 300 };

static struct kith_rng rng;
static struct task t;

/*
 * Variables out of M have the values `bound`; (Q x)_v + e_v b is to be `target`, and e' x `sum`,
 * over all variables.
 */
static double bound[SIDES][ROWS], target[SIDES][ROWS], sum[SIDES];

/* x of all variables, and b, as last solved. */
static double x[SIDES][ROWS], b[SIDES];

static double
uniform(void)
{
	return kith_rng_unit(&rng);
}

/* phi_v' Phi(x_i). */
static double
score(size_t v, size_t i)
{
	return t.sign[v] * (t.K[t.plus[v] * ROWS + i] - (t.minus ? t.K[t.minus[v] * ROWS + i] : 0));
}

/* Q_vw, with the ridge. */
static double
entry(size_t v, size_t w)
{
	const double phi = score(v, t.plus[w]) - (t.minus ? score(v, t.minus[w]) : 0);

	return t.sign[w] * phi + (v == w ? t.problem.ridge : 0);
}

static struct kith_margin *
begin(bool ranks, bool bias)
{
	task_new(&t, ROWS, 2, ROWS, ranks);
	for (size_t i = 0; i < 2 * (size_t)ROWS; i++)
		t.X.v[i] = uniform();
	for (size_t v = 0; v < ROWS; v++) {
		t.plus[v] = v;
		if (ranks)
			t.minus[v] = (v + 1) % ROWS;
		t.sign[v] = !ranks && v % 3 == 0 ? -1 : 1;
		for (int k = 0; k < SIDES; k++) {
			x[k][v] = bound[k][v] = uniform();
			target[k][v] = uniform() - .5;
		}
	}
	for (int k = 0; k < SIDES; k++) {
		sum[k] = uniform();
		b[k] = 0;
	}
	task_ready(&t, KITH_KERN_GAUSSIAN, 3, .1);
	t.problem.bias = bias;
	return kith_margin_new(
	    &t.problem, kith_krows_new(&t.kern, &t.X, t.problem.cache, 1, &pool), 1, &pool);
}

/* By how much x and b miss the systems, for all variables of M. */
static double
find_residual(const struct kith_margin *m)
{
	double most = 0;

	for (int k = 0; k < SIDES; k++) {
		double rest = sum[k];

		for (size_t w = 0; w < ROWS; w++)
			rest -= t.sign[w] * x[k][w];
		for (size_t i = 0; i < m->size; i++) {
			const size_t v = m->list[i];
			double left = target[k][v] - (t.problem.bias ? t.sign[v] * b[k] : 0);

			for (size_t w = 0; w < ROWS; w++)
				left -= entry(v, w) * x[k][w];
			most = fmax(most, fabs(left));
		}
		most = fmax(most, t.problem.bias ? fabs(rest) : 0);
	}
	return most;
}

/* Solve both systems, from the solutions before. */
static void
solve(struct kith_margin *m)
{
	double c[SIDES * ROWS], r[SIDES], own[SIDES * ROWS];

	for (size_t k = 0; k < SIDES; k++) {
		r[k] = sum[k];
		for (size_t w = 0; w < ROWS; w++)
			r[k] -= m->place[w] == KITH_MARGIN_NONE ? t.sign[w] * x[k][w] : 0;
		for (size_t i = 0; i < m->size; i++) {
			const size_t v = m->list[i];
			double *of = &c[k * m->size + i];

			*of = target[k][v];
			for (size_t w = 0; w < ROWS; w++)
				*of -= m->place[w] == KITH_MARGIN_NONE ? entry(v, w) * x[k][w] : 0;
			own[k * m->size + i] = x[k][v];
		}
	}
	kith_margin_solve(m, SIDES, c, r, own, b);
	for (size_t k = 0; k < SIDES; k++)
		for (size_t i = 0; i < m->size; i++)
			x[k][m->list[i]] = own[k * m->size + i];
}

/* v enters M, or leaves it for its bound; `told`: M is told by how much x_v changes. */
static bool
turn(struct kith_margin *m, size_t v, bool told)
{
	double shift[SIDES];

	if (m->place[v] == KITH_MARGIN_NONE)
		return kith_margin_enter(m, v);
	for (int k = 0; k < SIDES; k++) {
		shift[k] = bound[k][v] - x[k][v];
		x[k][v] = bound[k][v];
	}
	kith_margin_leave(m, v, told ? shift : NULL);
	return true;
}

/* Whether list and place agree. */
static bool
is_listed(const struct kith_margin *m)
{
	size_t in = 0;

	for (size_t v = 0; v < ROWS; v++)
		if (m->place[v] != KITH_MARGIN_NONE) {
			if (m->place[v] >= m->size || m->list[m->place[v]] != v)
				return false;
			in++;
		}
	return in == m->size;
}

/* Variables enter and leave; now and then several at a time. */
static void
test_solutions(bool ranks, bool bias)
{
	struct kith_margin *m = begin(ranks, bias);
	double worst = 0, known = 0;
	size_t most = 0, wrong = 0;

	for (size_t step = 0; step < TURNS; step++) {
		const size_t several = step % 7 == 6 ? 3 : 1;

		for (size_t k = 0; k < several; k++) {
			const size_t v = (size_t)(uniform() * ROWS);
			const bool grows = step < 100 || step % 200 > 150;

			if (m->place[v] == KITH_MARGIN_NONE || !grows || m->size > 40)
				wrong += !turn(m, v, step % 3 > 0);
		}
		if (m->size == 0)
			turn(m, 0, false);
		solve(m);
		wrong += !is_listed(m);
		worst = fmax(worst, find_residual(m));
		known = fmax(known, m->residual);
		most = m->size > most ? m->size : most;
	}
	is_size(wrong, 0, "the list of M");
	ok(most > 32, "M grows beyond its first room: %zu", most);
	ok(worst < 1e-12, "%s%s: both systems hold (%.1e)", ranks ? "pairs" : "rows",
	    bias ? ", a bias" : "", worst);
	ok(known < 1e-13, "and the residual says so (%.1e)", known);
	kith_pool_free(&pool);
}

/* A guess that has nothing to do with the solution. */
static void
test_bad_guess(void)
{
	struct kith_margin *m = begin(false, true);
	double due[ROWS];

	for (size_t v = 0; v < 20; v++)
		turn(m, v, false);
	solve(m);
	memcpy(due, x[0], sizeof(due));
	for (size_t v = 0; v < 20; v++)
		x[0][v] = 1e6 * uniform();
	b[0] = -1e6;
	solve(m);
	ok(find_residual(m) < 1e-12 && largest_gap(20, x[0], due) < 1e-11,
	    "the solution from a bad guess");
	turn(m, 20, false);
	x[0][3] += 1; /* the last solution is no longer that of the step */
	solve(m);
	ok(find_residual(m) < 1e-12, "the step from a wrong solution is refined");
	kith_pool_free(&pool);
}

static void
test_scores(void)
{
	struct kith_margin *m = begin(true, false);
	double u[ROWS], z[ROWS], f[ROWS], out[ROWS], due_f[ROWS], due_h[ROWS];
	double some[ROWS], h[ROWS], worst = 0;
	const size_t item[] = {7, 3, ROWS - 1, 5, 0, 41};
	bool listed[ROWS] = {false};

	for (size_t k = 0; k < 6; k++)
		listed[item[k]] = true;
	for (size_t v = 0; v < 45; v++)
		kith_margin_enter(m, v);
	for (size_t v = 1; v < 45; v += 2)
		kith_margin_leave(m, v, NULL);
	for (size_t j = 0; j < m->size; j++) {
		u[j] = uniform();
		z[j] = uniform();
	}
	for (size_t i = 0; i < ROWS; i++) {
		due_f[i] = due_h[i] = 0;
		for (size_t j = 0; j < m->size; j++) {
			due_f[i] += u[j] * score(m->list[j], i);
			due_h[i] += z[j] * score(m->list[j], i);
		}
		f[i] = some[i] = 7;
		h[i] = -3;
	}
	kith_margin_add_scores(m, u, NULL, 0, f);
	for (size_t i = 0; i < ROWS; i++)
		worst = fmax(worst, fabs(f[i] - (7 + due_f[i])));
	ok(worst < 1e-13, "scores of all items are added to");
	kith_margin_add_scores(m, u, item, 6, some);
	for (size_t i = 0; i < ROWS; i++)
		worst += some[i] != (listed[i] ? f[i] : 7);
	ok(worst < 1e-13, "the same bits where some items are listed, and no others change");
	memcpy(some, f, sizeof(some));
	kith_margin_set_weights(m, u, z);
	kith_margin_item_scores(m, item, 6, f, h);
	for (size_t i = 0; i < ROWS; i++)
		worst = fmax(worst,
		    fabs(f[i] - some[i] - listed[i] * due_f[i]) +
			fabs(h[i] + 3 - listed[i] * due_h[i]));
	ok(worst < 1e-13, "scores of the items listed, by two weights");
	kith_margin_product(m, u, NULL, out);
	for (size_t i = 0; i < m->size; i++) {
		for (size_t j = 0; j < m->size; j++)
			out[i] -= entry(m->list[i], m->list[j]) * u[j];
		worst = fmax(worst, fabs(out[i]));
	}
	ok(worst < 1e-13, "Q x");
	kith_margin_replace(m, m->list[2], 5, 42);
	f[5] = 0;
	kith_margin_item_scores(m, item + 3, 1, f, h);
	is_near(
	    f[5], due_f[5] + u[2] * (42 - score(m->list[2], 5)), 1e-12, "an item has a new row");
	kith_pool_free(&pool);
}

/* z of a variable out of M: x_v += 1 and x_M += z change all e_v g_v of M alike, or not at all. */
static void
test_offset(bool bias)
{
	struct kith_margin *m = begin(false, bias);
	double c[ROWS], z[ROWS], change = 0, worst = 0, rest = t.sign[30];

	for (size_t v = 0; v < 12; v++)
		kith_margin_enter(m, 2 * v);
	kith_margin_row(m, 30, m->row);
	kith_margin_offset(m, 30, c, z);
	for (size_t j = 0; j < m->size; j++)
		rest += t.sign[m->list[j]] * z[j];
	for (size_t i = 0; i < m->size; i++) {
		double left = entry(m->list[i], 30);

		for (size_t j = 0; j < m->size; j++)
			left += entry(m->list[i], m->list[j]) * z[j];
		left *= t.sign[m->list[i]];
		change = bias && i == 0 ? left : change;
		worst = fmax(worst, fabs(left - change));
	}
	ok(worst < 1e-13 && (!bias || fabs(rest) < 1e-13), "the offset of a variable");
	kith_pool_free(&pool);
}

/* Without a ridge a copy of a row of M depends on it. */
static void
test_dependent(void)
{
	struct kith_margin *m = begin(false, false);
	size_t refused = 0;

	for (size_t j = 0; j < 2; j++)
		t.X.v[2 * 9 + j] = t.X.v[2 * 4 + j];
	task_ready(&t, KITH_KERN_GAUSSIAN, 3, 0);
	t.problem.bias = false;
	m = kith_margin_new(
	    &t.problem, kith_krows_new(&t.kern, &t.X, t.problem.cache, 1, &pool), 1, &pool);
	for (size_t v = 0; v < 12; v++)
		refused += !kith_margin_enter(m, v);
	ok(refused == 1 && m->place[9] == KITH_MARGIN_NONE && m->size == 11 && is_listed(m),
	    "a copy of a row does not enter");
	kith_margin_leave(m, 4, NULL);
	ok(kith_margin_enter(m, 9) && !kith_margin_enter(m, 4), "but once the other one has left");
	solve(m);
	ok(find_residual(m) < 1e-9, "and the systems hold (%.1e)", find_residual(m));
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_solutions(false, true);
	test_solutions(false, false);
	test_solutions(true, false);
	test_bad_guess();
	test_scores();
	test_offset(true);
	test_offset(false);
	test_dependent();
	return done();
}
