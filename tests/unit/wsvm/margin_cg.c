/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/margin_cg.h: starts that need no factor are the solutions
 * that the data ask for, and those of starts with one.
 */
#include "wsvm/margin_cg.h"
#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"
#include "wsvm/margin_kkt.h"
#include "wsvm/margin_score.h"
#include "wsvm/margin_solve.h"
#include "wsvm/state.h"

enum { ROWS = 700, FEATURES = 6 };

static struct kith_rng rng;

/* A problem, the kind of it, and what is to come of it. */
struct kind {
	const char *name;
	double gamma, ridge, C, off;
	size_t copies; /* of rows: every so many is one, with either label */
	bool numbers;  /* two variables a row */
	bool cg;       /* no factor is made */
};

static void
draw_rows(struct task *t, const struct kind *kind)
{
	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < FEATURES; j++)
			kith_row(&t->X, i)[j] = 6 * kith_rng_unit(&rng) +
			    (i % 2 ? .5 : 0);
	for (size_t i = kind->copies; i < ROWS && kind->copies;
	     i += kind->copies)
		memcpy(kith_row(&t->X, i), kith_row(&t->X, i / 2),
		    FEATURES * sizeof(*t->X.v));
}

static void
draw(struct task *t, const struct kind *kind)
{
	const size_t N = kind->numbers ? 2 * ROWS : ROWS;

	task_new(t, ROWS, FEATURES, N, false);
	draw_rows(t, kind);
	for (size_t v = 0; v < N; v++) {
		const size_t i = v % ROWS;

		t->plus[v] = i;
		t->sign[v] = i % 2 ? 1 : -1;
		t->q[v] = -1;
		if (kind->numbers) { /* epsilon - e y */
			t->sign[v] = v < ROWS ? 1 : -1;
			t->q[v] = .01 - t->sign[v] * sin(kith_row(&t->X, i)[0]);
		}
		t->from[v] = kind->C * (.5 + kith_rng_unit(&rng));
		t->to[v] = t->from[v] * 2;
	}
	task_ready(t, KITH_KERN_GAUSSIAN, kind->gamma, kind->ridge);
}

/* Of alpha and b: bounds, e' alpha, and the signs of g; the largest that is off. */
static double
judge(const struct task *t, const double *alpha, double b)
{
	double *f = kith_new(&pool, ROWS, sizeof(*f)), sum = 0, off = 0;

	task_scores(t, alpha, b, f);
	for (size_t v = 0; v < t->N; v++) {
		const double C = t->from[v], a = alpha[v];
		const double g = t->sign[v] * f[t->plus[v]] + t->q[v] +
		    t->problem.ridge * a;

		off = fmax(off, fmax(-a, a - C));
		off = fmax(off, a > 0 ? g : 0);
		off = fmax(off, a < C ? -g : 0);
		sum += t->sign[v] * a;
	}
	return fmax(off, fabs(sum));
}

/* The largest difference of alpha between copies with one label. */
static double
apart(const struct task *t, const struct kind *kind, const double *alpha)
{
	double most = 0;

	for (size_t i = kind->copies; i < ROWS && kind->copies;
	     i += kind->copies)
		if (!kind->numbers && t->sign[i] == t->sign[i / 2] &&
		    alpha[i] < t->from[i] && alpha[i / 2] < t->from[i / 2])
			most = fmax(most, fabs(alpha[i] - alpha[i / 2]));
	return most;
}

static double
largest(size_t n, const double *x, const double *y)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(x[i] - y[i]));
	return most;
}

static void
test_start(const struct kind *kind)
{
	struct kith_wsvm_solution at;
	struct kith_wsvm_piece piece;
	struct kith_wsvm *s;
	double *alpha, *start, *f, off = 0, b;
	struct task t;
	size_t m;

	draw(&t, kind);
	alpha = kith_new(&pool, t.N, sizeof(*alpha));
	start = kith_new(&pool, t.N, sizeof(*start));
	f = kith_new(&pool, ROWS, sizeof(*f));
	s = kith_wsvm_new(&t.problem, t.from, NULL, &pool);
	m = s->margin->size;
	ok((s->margin->cg != NULL) == kind->cg, "%s: %s factor of %zu",
	    kind->name, kind->cg ? "no" : "a", m);
	kith_wsvm_aim(s, t.from);
	ok(kith_wsvm_next(s, &piece, NULL, NULL) && piece.to == 1 &&
		!piece.bent && s->count.faults + s->count.mended == 0,
	    "a piece that is sound");
	b = kith_wsvm_point(&piece, 1, start);
	off = judge(&t, start, b);
	ok(off <= kind->off, "its KKT conditions: %.1e", off);
	kith_wsvm_point_scores(&piece, 1, f);
	task_scores(&t, start, b, alpha);
	off = largest(ROWS, f, alpha);
	ok(off <= kind->off, "its scores: %.1e", off);
	ok((s->margin->cg != NULL) == kind->cg, "nothing has changed");

	kith_wsvm_aim(s, t.to);
	ok(!s->margin->cg && s->margin->size == m, "a path has a factor");
	kith_wsvm_next(s, &piece, NULL, NULL);
	kith_wsvm_point(&piece, 0, alpha);
	off = largest(t.N, start, alpha);
	ok(off <= 1e-8, "and begins there: %.1e", off);
	off = apart(&t, kind, start);
	ok(!kind->cg || off <= 1e-9, "copies are apart by %.1e", off);
	while (kith_wsvm_next(s, &piece, NULL, NULL))
		;
	kith_wsvm_get(s, &at);
	memcpy(t.from, t.to, t.N * sizeof(*t.to));
	off = judge(&t, at.alpha, at.b);
	ok(off <= 1e-10, "its end: %.1e", off);
	kith_pool_free(&pool);
}

/* From a solution that is off, as of a state that was written. */
static void
test_warm(void)
{
	const struct kind kind = {.gamma = 2, .ridge = 1e-6, .C = 10};
	struct kith_wsvm_solution at;
	struct kith_wsvm *s, *next;
	struct task t;
	double *alpha, *f;

	draw(&t, &kind);
	KITH_NEW_REALS(&pool, ROWS, 1, &alpha, &f);
	s = kith_wsvm_new(&t.problem, t.from, NULL, &pool);
	kith_wsvm_get(s, &at);
	for (size_t v = 0; v < ROWS; v++) {
		alpha[v] = at.alpha[v] * (1 + 1e-9);
		f[v] = at.f[v] * (1 + 1e-9);
	}
	at.alpha = alpha;
	at.f = f;
	next = kith_wsvm_new(&t.problem, t.from, &at, &pool);
	kith_wsvm_get(next, &at);
	ok(next->margin->cg && judge(&t, at.alpha, at.b) <= 1e-11,
	    "from a solution nearby");
	kith_pool_free(&pool);
}

/* An item gets another row: the margin has a factor then. */
static void
test_replace(void)
{
	const struct kind kind = {.gamma = 2, .ridge = 1e-6, .C = 10};
	struct kith_wsvm_solution at;
	struct kith_wsvm_piece piece;
	struct kith_wsvm *s;
	struct task t;

	draw(&t, &kind);
	t.from[7] = 0;
	s = kith_wsvm_new(&t.problem, t.from, NULL, &pool);
	ok(s->margin->cg, "a row of weight 0");
	kith_row(&t.X, 7)[0] = 3;
	kith_wsvm_replace(s, 7);
	t.from[7] = 5;
	task_ready(&t, KITH_KERN_GAUSSIAN, 2, 1e-6);
	kith_wsvm_aim(s, t.from);
	while (kith_wsvm_next(s, &piece, NULL, NULL))
		;
	kith_wsvm_get(s, &at);
	ok(!s->margin->cg && judge(&t, at.alpha, at.b) <= 1e-11,
	    "gets another, and a weight");
	kith_pool_free(&pool);
}

/* What is left of the system of M without a bias term's help. */
static double
rest(const struct task *t, const struct kith_wsvm_margin *m, const double *x,
    double b)
{
	double off = 0;

	for (size_t i = 0; i < m->size; i++) {
		const size_t v = m->list[i];
		double sum = 1 - t->sign[v] * b - t->problem.ridge * x[i];

		for (size_t j = 0; j < m->size; j++)
			sum -= t->sign[v] * t->sign[m->list[j]] * x[j] *
			    t->K[v * ROWS + m->list[j]];
		off = fmax(off, fabs(sum));
	}
	return off;
}

/* Variables leave and come back, one after the other, and then as a factor. */
static void
test_moves(bool bias)
{
	const struct kind kind = {.gamma = 2, .ridge = 1e-6, .C = 10};
	double *c, *x, *u, *w, b, off = 0, left = 0;
	size_t *list;
	struct kith_wsvm *s;
	struct task t;

	draw(&t, &kind);
	t.problem.bias = bias;
	list = kith_new(&pool, ROWS, sizeof(*list));
	KITH_NEW_REALS(&pool, ROWS, 1, &c, &x, &u, &w);
	for (size_t v = 0; v < ROWS; v++) {
		list[v] = v;
		c[v] = 1;
	}
	s = kith_wsvm_state_new(&t.problem, &pool);
	ok(kith_wsvm_margin_cg_begin(s->margin, list, ROWS - 9) &&
		s->margin->size == ROWS - 9,
	    "begins");
	for (size_t step = 0; step < 30; step++) {
		struct kith_wsvm_margin *m = s->margin;
		const size_t v = kith_rng_below(&rng, ROWS);
		double sum_e = 0;

		if (m->place[v] == KITH_WSVM_NOT)
			off += !kith_wsvm_margin_enter(m, v);
		else
			kith_wsvm_margin_leave(m, v);
		if (step == 20)
			kith_wsvm_margin_bind(m);
		off += (m->cg != NULL) != (step < 20);
		if (step != 15 && step != 29)
			continue;
		kith_wsvm_margin_solve(m, c, .5, 1e-13, x, &b);
		left = fmax(left, rest(&t, m, x, b));
		kith_wsvm_margin_load(m, x, NULL);
		memset(u, 0, ROWS * sizeof(*u));
		memset(w, 0, ROWS * sizeof(*w));
		kith_wsvm_margin_score_all(m, u, w);
		for (size_t i = 0; i < ROWS; i++) {
			double out[2], sum = 0;

			for (size_t j = 0; j < m->size; j++)
				sum += x[j] * t.sign[m->list[j]] *
				    t.K[i * ROWS + m->list[j]];
			kith_wsvm_margin_score(m, i, out);
			left = fmax(left, fabs(u[i] - sum) + fabs(w[i]));
			left = fmax(left, fabs(out[0] - sum));
		}
		for (size_t j = 0; bias && j < m->size; j++)
			sum_e += x[j] * t.sign[m->list[j]];
		off += bias && fabs(sum_e - .5) > 1e-12;
	}
	ok(off == 0, "variables leave and enter");
	ok(left <= 1e-12, "their systems and scores: %.1e", left);
	kith_pool_free(&pool);
}

int
main(void)
{
	static const struct kind kinds[] = {
	    {"nearly an identity", 2, 1e-6, 10, 1e-12, 0, false, true},
	    {"copies", 2, 1e-6, 10, 1e-12, 8, false, true},
	    {"many at their bounds", 2, 1e-6, .55, 1e-12, 7, false, false},
	    {"copies without a ridge", 2, 0, 10, 1e-11, 3, false, false},
	    {"a wider kernel", .3, 1e-6, 1e3, 1e-10, 5, false, false},
	    {"numbers", 2, 1e-6, 100, 1e-12, 0, true, true},
	};

	kith_rng_seed(&rng, 11, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		test_start(&kinds[i]);
	test_warm();
	test_replace();
	test_moves(true);
	test_moves(false);
	return done();
}
