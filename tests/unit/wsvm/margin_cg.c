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
	off = largest_gap(ROWS, f, alpha);
	ok(off <= kind->off, "its scores: %.1e", off);
	ok((s->margin->cg != NULL) == kind->cg, "nothing has changed");

	kith_wsvm_aim(s, t.to);
	ok(!s->margin->cg && s->margin->size == m, "a path has a factor");
	kith_wsvm_next(s, &piece, NULL, NULL);
	kith_wsvm_point(&piece, 0, alpha);
	off = largest_gap(t.N, start, alpha);
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
	double *alpha, *f, *due, b;
	struct task t;

	draw(&t, &kind);
	KITH_NEW_REALS(&pool, ROWS, 1, &alpha, &f, &due);
	t.from[7] = 0;
	s = kith_wsvm_new(&t.problem, t.from, NULL, &pool);
	ok(s->margin->cg, "a row of weight 0");
	kith_row(&t.X, 7)[0] = 3;
	kith_wsvm_replace(s, 7);
	task_ready(&t, KITH_KERN_GAUSSIAN, 2, 1e-6);
	kith_wsvm_aim(s, t.from);
	kith_wsvm_next(s, &piece, NULL, NULL);
	b = kith_wsvm_point(&piece, 1, alpha);
	kith_wsvm_point_scores(&piece, 1, f);
	task_scores(&t, alpha, b, due);
	ok(fabs(f[7] - due[7]) <= 1e-12, "gets another");
	t.from[7] = 5;
	kith_wsvm_aim(s, t.from);
	while (kith_wsvm_next(s, &piece, NULL, NULL))
		;
	kith_wsvm_get(s, &at);
	ok(!s->margin->cg && judge(&t, at.alpha, at.b) <= 1e-11,
	    "and a weight");
	kith_pool_free(&pool);
}

/* A margin of all rows but nine, and right-hand sides of 1. */
struct moves {
	struct task t;
	struct kith_wsvm_margin *margin;
	double *c, *x, *u, *w;
};

static void
moves_begin(struct moves *at, bool bias)
{
	const struct kind kind = {.gamma = 2, .ridge = 1e-6, .C = 10};
	size_t *list = kith_new(&pool, ROWS, sizeof(*list));

	draw(&at->t, &kind);
	at->t.problem.bias = bias;
	KITH_NEW_REALS(&pool, ROWS, 1, &at->c, &at->x, &at->u, &at->w);
	for (size_t v = 0; v < ROWS; v++) {
		list[v] = v;
		at->c[v] = 1;
	}
	at->margin = kith_wsvm_state_new(&at->t.problem, &pool)->margin;
	ok(kith_wsvm_margin_cg_begin(at->margin, list, ROWS - 9) &&
		at->margin->size == ROWS - 9,
	    "all rows but nine, %s bias", bias ? "a" : "no");
}

/* Solve the system of M; how far it, and the scores, are off. */
static double
moves_solve(struct moves *at)
{
	const struct task *t = &at->t;
	struct kith_wsvm_margin *m = at->margin;
	double b, sum_e = t->problem.bias ? -.5 : 0, off;

	kith_wsvm_margin_solve(m, at->c, .5, 1e-13, at->x, &b);
	kith_wsvm_margin_load(m, at->x, NULL);
	memset(at->u, 0, ROWS * sizeof(*at->u));
	memset(at->w, 0, ROWS * sizeof(*at->w));
	kith_wsvm_margin_score_all(m, at->u, at->w);
	for (size_t j = 0; t->problem.bias && j < m->size; j++)
		sum_e += at->x[j] * t->sign[m->list[j]];
	off = fabs(sum_e);
	for (size_t i = 0; i < ROWS; i++) {
		double out[2], sum = 0;

		for (size_t j = 0; j < m->size; j++)
			sum += at->x[j] * t->sign[m->list[j]] *
			    t->K[i * ROWS + m->list[j]];
		kith_wsvm_margin_score(m, i, out);
		off = fmax(off, fabs(at->u[i] - sum) + fabs(at->w[i]));
		off = fmax(off, fabs(out[0] - sum));
		if (m->place[i] != KITH_WSVM_NOT) /* Q x + e b = 1 */
			off = fmax(off,
			    fabs(t->sign[i] * (sum + b) - 1 +
				t->problem.ridge * at->x[m->place[i]]));
	}
	return off;
}

/* Variables leave, and come back; at last there is a factor. */
static void
test_moves(bool bias)
{
	struct moves at;
	double off;

	moves_begin(&at, bias);
	for (size_t v = 0; v < 300; v += 60)
		kith_wsvm_margin_leave(at.margin, v);
	off = moves_solve(&at);
	ok(at.margin->cg && off <= 1e-12, "some leave: %.1e", off);
	for (size_t v = 0; v < 300; v += 120)
		ok(kith_wsvm_margin_enter(at.margin, v), "one comes back");
	ok(kith_wsvm_margin_enter(at.margin, ROWS - 1), "one is new");
	off = moves_solve(&at);
	ok(at.margin->cg && at.margin->size == ROWS - 10 && off <= 1e-12,
	    "and enters: %.1e", off);
	for (size_t k = 0; k < 20 && at.margin->cg; k++)
		off = fmax(off, moves_solve(&at));
	ok(!at.margin->cg && off <= 1e-12,
	    "after so many solutions a factor is due: %.1e", off);
	kith_wsvm_margin_leave(at.margin, 1);
	off = moves_solve(&at);
	ok(off <= 1e-12, "with it: %.1e", off);
	kith_pool_free(&pool);
}

/* A copy of a variable that is in M is refused, and a factor is there then. */
static void
test_copy(void)
{
	const struct kind kind = {.gamma = 2, .C = 10};
	size_t *list = kith_new(&pool, ROWS, sizeof(*list));
	struct moves at;
	double off;

	draw(&at.t, &kind);
	memcpy(kith_row(&at.t.X, ROWS - 1), kith_row(&at.t.X, 3),
	    FEATURES * sizeof(double));
	task_ready(&at.t, KITH_KERN_GAUSSIAN, 2, 0);
	KITH_NEW_REALS(&pool, ROWS, 1, &at.c, &at.x, &at.u, &at.w);
	for (size_t v = 0; v < ROWS; v++) {
		list[v] = v;
		at.c[v] = 1;
	}
	at.margin = kith_wsvm_state_new(&at.t.problem, &pool)->margin;
	ok(kith_wsvm_margin_cg_begin(at.margin, list, ROWS - 9),
	    "without a ridge");
	ok(!kith_wsvm_margin_enter(at.margin, ROWS - 1) && !at.margin->cg &&
		at.margin->size == ROWS - 9 && at.margin->chol.n == ROWS - 9,
	    "a copy is refused");
	ok(kith_wsvm_margin_enter(at.margin, ROWS - 2), "another enters");
	off = moves_solve(&at);
	ok(off <= 1e-12, "by the factor: %.1e", off);
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
	test_copy();
	return done();
}
