/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/margin_solve.h and margin_step.h: after each variable that
 * enters the margin or leaves it, both systems hold by the definition, and the
 * step from the solutions before is one that is known.
 */
#include "wsvm/margin_solve.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"
#include "wsvm/krows.h"
#include "wsvm/margin_kkt.h"
#include "wsvm/margin_step.h"
#include "wsvm/smo_form.h"

enum { ROWS = 30, TURNS = 80 };

static struct kith_rng rng;
static struct task t;
static double ridge;           /* of the problem, now */
static double bound[2][ROWS];  /* of a variable outside, of both systems */
static double target[2][ROWS]; /* (Q x)_v + e_v b is due, over all variables */
static double sum[2];          /* e' x is due */

/* Both systems of M, as all variables make them. */
struct both {
	double c[2 * ROWS], r[2], x[2 * ROWS], b[2];
};

static double
entry(size_t v, size_t w)
{
	double phi = 0;

	for (int a = 0; a < (t.minus ? 2 : 1); a++)
		for (int b = 0; b < (t.minus ? 2 : 1); b++)
			phi += (a == b ? 1 : -1) *
			    t.K[(a ? t.minus : t.plus)[v] * ROWS +
				(b ? t.minus : t.plus)[w]];
	return t.sign[v] * t.sign[w] * phi + (v == w ? ridge : 0);
}

/* The margin's problem: its rows are those of the kernel. */
static struct kith_smo_form
begin(bool ranks, bool bias)
{
	double *diagonal = kith_new(&pool, ROWS, sizeof(*diagonal));

	task_new(&t, ROWS, 2, ROWS, ranks);
	for (size_t i = 0; i < 2 * (size_t)ROWS; i++)
		t.X.v[i] = kith_rng_unit(&rng);
	for (size_t v = 0; v < ROWS; v++) {
		t.plus[v] = v;
		if (ranks)
			t.minus[v] = (v + 1) % ROWS;
		t.sign[v] = !ranks && v % 3 == 0 ? -1 : 1;
		for (int k = 0; k < 2; k++) {
			bound[k][v] = kith_rng_unit(&rng);
			target[k][v] = kith_rng_unit(&rng) - .5;
		}
	}
	for (int k = 0; k < 2; k++)
		sum[k] = kith_rng_unit(&rng);
	ridge = .1;
	task_ready(&t, KITH_KERN_GAUSSIAN, 3, ridge);
	for (size_t v = 0; v < ROWS; v++)
		diagonal[v] = entry(v, v);
	return (struct kith_smo_form){
	    .rows = kith_krows_new(
		&t.kern, &t.X, sizeof(t.K[0]) * ROWS * ROWS, 1, &pool),
	    .n = ROWS,
	    .N = ROWS,
	    .plus = t.plus,
	    .minus = t.minus,
	    .sign = t.sign,
	    .q = t.q,
	    .diagonal = diagonal,
	    .bias = bias,
	    .ridge = ridge};
}

/* What the variables outside leave to M. */
static void
sides(const struct kith_wsvm_margin *m, struct both *at)
{
	for (int k = 0; k < 2; k++) {
		double *c = at->c + (size_t)k * m->size;

		at->r[k] = sum[k];
		for (size_t i = 0; i < m->size; i++)
			c[i] = target[k][m->list[i]];
		for (size_t w = 0; w < ROWS; w++) {
			if (m->place[w] != KITH_WSVM_NOT)
				continue;
			at->r[k] -= t.sign[w] * bound[k][w];
			for (size_t i = 0; i < m->size; i++)
				c[i] -= entry(m->list[i], w) * bound[k][w];
		}
	}
}

/* How far x and b are from the solutions of M. */
static double
residual(const struct kith_wsvm_margin *m, const struct both *at, bool bias)
{
	double most = 0;

	for (int k = 0; k < 2; k++) {
		const double *x = at->x + (size_t)k * m->size;
		double left = at->r[k];

		for (size_t i = 0; i < m->size; i++) {
			const double e = t.sign[m->list[i]];
			double off = e * at->b[k] -
			    at->c[(size_t)k * m->size + i];

			for (size_t j = 0; j < m->size; j++)
				off += entry(m->list[i], m->list[j]) * x[j];
			most = fmax(most, fabs(off));
			left -= e * x[i];
		}
		most = fmax(most, bias ? fabs(left) : 0);
	}
	return most;
}

/* x of M, before v enters at the end, or leaves from place i, for M after it. */
static void
arrange(struct both *at, size_t v, size_t i, size_t size)
{
	struct both next = *at;
	const size_t n = i == KITH_WSVM_NOT ? size + 1 : size - 1;

	for (size_t k = 0; k < 2; k++)
		for (size_t j = 0; j < n; j++)
			next.x[k * n + j] = i == KITH_WSVM_NOT && j == size
			    ? bound[k][v]
			    : at->x[k * size + j + (j >= i)];
	*at = next;
}

/* v enters M or leaves it, and the step is taken, if it is known. */
static bool
change(struct kith_wsvm_margin *m, size_t v, struct both *at)
{
	const size_t i = m->place[v], size = m->size;
	double shift[2] = {0, 0};

	for (size_t k = 0; k < 2 && i != KITH_WSVM_NOT; k++)
		shift[k] = bound[k][v] - at->x[k * size + i];
	kith_wsvm_margin_step_begin(m, v, shift);
	if (i != KITH_WSVM_NOT)
		kith_wsvm_margin_leave(m, v);
	else if (!kith_wsvm_margin_enter(m, v))
		ok(false, "variable %zu enters", v);
	arrange(at, v, i, size);
	sides(m, at);
	return kith_wsvm_margin_step(m, at->c, at->x, at->b);
}

/* From M of one variable on, up and down. */
static void
test_steps(bool ranks, bool bias)
{
	const struct kith_smo_form form = begin(ranks, bias);
	struct kith_wsvm_margin *m = kith_wsvm_margin_new(&form, &pool);
	struct both at = {0};
	double most = 0, solved = 0;
	size_t known = 0, tried = 0;

	ok(kith_wsvm_margin_enter(m, 7), "the first one enters");
	sides(m, &at);
	kith_wsvm_margin_solve_next(m, at.c, at.r, at.x, at.b);
	for (size_t turn = 0; turn < TURNS; turn++) {
		size_t v = kith_rng_below(&rng, ROWS);

		/* Once there are few again. */
		for (; turn == TURNS / 2 && m->size > 1; tried++)
			known += change(m, m->list[m->size / 2], &at);
		if (m->size == 1 && m->place[v] != KITH_WSVM_NOT)
			v = (v + 1) % ROWS;
		known += change(m, v, &at);
		tried++;
		most = fmax(most, residual(m, &at, bias));
		kith_wsvm_margin_solve_next(m, at.c, at.r, at.x, at.b);
		solved = fmax(solved, residual(m, &at, bias));
	}
	ok(known == tried, "%s%s: %zu of %zu steps are known",
	    ranks ? "differences" : "rows", bias ? ", a bias" : "", known,
	    tried);
	ok(most <= 1e-10 && solved <= 1e-12, "residuals %.1e, solved %.1e",
	    most, solved);
	kith_pool_free(&pool);
}

/* What is not known is refused, and nothing is done. */
static void
test_refused(void)
{
	const struct kith_smo_form form = begin(false, true);
	struct kith_wsvm_margin *m = kith_wsvm_margin_new(&form, &pool);
	struct both at, was;
	const double none[2] = {0, 0};
	double most = 0;

	kith_wsvm_margin_enter(m, 3);
	kith_wsvm_margin_enter(m, 4);
	sides(m, &at);
	memset(at.x, 0, sizeof(at.x));
	memset(at.b, 0, sizeof(at.b));
	ok(!change(m, 5, &at), "with a bias, where nothing was solved");
	is_size(m->size, 3, "but it has entered");
	kith_wsvm_margin_solve_next(m, at.c, at.r, at.x, at.b);
	was = at;
	kith_wsvm_margin_step_begin(m, 6, none);
	kith_wsvm_margin_enter(m, 6);
	kith_wsvm_margin_enter(m, 8);
	ok(!kith_wsvm_margin_step(m, at.c, at.x, at.b),
	    "where another one has entered, too");
	for (size_t j = 0; j < 2 * m->size; j++)
		most = fmax(most, fabs(at.x[j] - was.x[j]));
	ok(most == 0 && at.b[0] == was.b[0] && at.b[1] == was.b[1],
	    "nothing is done");
	/* What was solved for fewer is not the step of these. */
	sides(m, &at);
	ok(!change(m, 9, &at), "where nothing was solved since");
	kith_pool_free(&pool);
}

/*
 * A factor of another ridge: where it is near, refinement makes up for it; else
 * the factor is computed anew.
 */
static void
test_poor(bool ranks, bool bias)
{
	static const double near[] = {.1 + 1e-6, .1 + 1e-4, .13, .5, 3};

	for (size_t k = 0; k < sizeof(near) / sizeof(*near); k++) {
		struct kith_smo_form form = begin(ranks, bias);
		struct kith_wsvm_margin *m = kith_wsvm_margin_new(&form, &pool);
		struct both at;
		double off, diagonal[ROWS];

		for (size_t v = 0; v < 12; v++)
			kith_wsvm_margin_enter(m, v);
		kith_wsvm_margin_leave(m, 5);
		form.ridge = ridge = near[k];
		for (size_t v = 0; v < ROWS; v++)
			diagonal[v] = entry(v, v);
		form.diagonal = diagonal;
		sides(m, &at);
		kith_wsvm_margin_solve(m, at.c, at.r[0], 0, at.x, at.b);
		kith_wsvm_margin_solve(
		    m, at.c + m->size, at.r[1], 0, at.x + m->size, at.b + 1);
		off = residual(m, &at, bias);
		kith_wsvm_margin_solve_next(m, at.c, at.r, at.x, at.b);
		ok(off <= 1e-12 && residual(m, &at, bias) <= 1e-12,
		    "a factor of the ridge .1 for %g: residual %.1e", near[k],
		    off);
		kith_pool_free(&pool);
	}
}

/* A step that is not that from the solution before is noticed. */
static void
test_misled(bool ranks, bool bias)
{
	double most = 0;

	for (size_t v = 1; v < 12; v++) {
		const struct kith_smo_form form = begin(ranks, bias);
		struct kith_wsvm_margin *m = kith_wsvm_margin_new(&form, &pool);
		const double shift[2] = {.5, -1e-3 * (double)(v % 2)};
		struct both at;

		for (size_t w = 0; w < v; w++)
			kith_wsvm_margin_enter(m, w);
		sides(m, &at);
		kith_wsvm_margin_solve_next(m, at.c, at.r, at.x, at.b);
		kith_wsvm_margin_step_begin(m, v, shift);
		kith_wsvm_margin_enter(m, v);
		arrange(&at, v, KITH_WSVM_NOT, m->size - 1);
		sides(m, &at);
		at.c[0] += .25;
		at.c[2 * m->size - 1] -= 1;
		at.r[1] += 1e-3;
		kith_wsvm_margin_solve_next(m, at.c, at.r, at.x, at.b);
		most = fmax(most, residual(m, &at, bias));
		kith_pool_free(&pool);
	}
	ok(most <= 1e-12, "sides that are others: residual %.1e", most);
}

int
main(void)
{
	static const bool bias[] = {true, false, false};

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (int i = 0; i < 3; i++) {
		test_steps(false, true);
		test_steps(false, false);
		test_steps(true, false);
	}
	test_refused();
	for (int k = 0; k < 3; k++) {
		test_poor(k == 2, bias[k]);
		test_misled(k == 2, bias[k]);
	}
	return done();
}
