/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/wsvm/wsvm.h: against itself in other ways, and on many rows. */
#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"

#include <assert.h>

static struct kith_rng rng;

/* Two classes that overlap, in p features. */
static void
draw_classes(struct task *t, size_t n, size_t p)
{
	task_new(t, n, p, n, false);
	for (size_t i = 0; i < n; i++) {
		t->plus[i] = i;
		t->sign[i] = i % 2 ? 1 : -1;
		t->q[i] = -1;
		for (size_t j = 0; j < p; j++)
			kith_row(&t->X, i)[j] = kith_rng_unit(&rng) +
			    (j == 0 ? .3 * t->sign[i] : 0);
		t->from[i] = 10 * kith_rng_unit(&rng);
		t->to[i] = 10 * kith_rng_unit(&rng);
	}
	task_ready(t, KITH_KERN_GAUSSIAN, 2, 1e-6);
}

static struct kith_wsvm_solution
run(struct kith_wsvm *s, const double *to)
{
	struct kith_wsvm_solution at;
	struct kith_wsvm_piece piece;

	kith_wsvm_aim(s, to);
	while (kith_wsvm_next(s, &piece, NULL, NULL))
		;
	kith_wsvm_get(s, &at);
	return at;
}

static bool
same_bytes(const void *x, const void *y, size_t len)
{
	return memcmp(x, y, len) == 0;
}

static void
test_one_class(void)
{
	struct kith_wsvm_piece piece;
	struct kith_wsvm *s;
	struct task t;

	double f0[20], f1[20];

	draw_classes(&t, 20, 2);
	for (size_t v = 0; v < 20; v++)
		t.sign[v] = -1;
	s = kith_wsvm_new(&t.problem, t.from, &pool);
	kith_wsvm_aim(s, t.to);
	ok(kith_wsvm_next(s, &piece, NULL, NULL) && piece.to == 1 && piece.b[0] == -1 &&
		piece.b1 == 0,
	    "one class: b = -1, the end of its interval");
	kith_wsvm_scores(&piece, all_items(&t), 20, f0, f1);
	ok(f0[3] == -1 && f1[3] == 0, "and f is that");
	ok(!kith_wsvm_next(s, &piece, NULL, NULL), "one piece");
	kith_pool_free(&pool);
}

/* Whether two solutions are the same; ridge and kernel make alpha less certain than f. */
static bool
is_same(const struct kith_wsvm_solution *x, const struct kith_wsvm_solution *y, size_t n)
{
	return largest_gap(n, x->alpha, y->alpha) <= 1e-7 && largest_gap(n, x->f, y->f) <= 1e-10;
}

/* The solution at the end of a path to C, beside that of a solver that begins there. */
static bool
leads_to(struct kith_wsvm *s, const struct task *t, const double *C)
{
	const struct kith_wsvm_solution at = run(s, C);
	struct kith_wsvm_solution other;

	kith_wsvm_get(kith_wsvm_new(&t->problem, C, &pool), &other);
	return is_same(&at, &other, t->N);
}

static void
test_chain(void)
{
	struct kith_wsvm_piece piece;
	struct kith_wsvm_count count;
	struct kith_wsvm *s;
	double half[60];
	struct task t;

	draw_classes(&t, 60, 2);
	for (size_t v = 0; v < 60; v++)
		half[v] = (t.from[v] + t.to[v]) / 2;
	s = kith_wsvm_new(&t.problem, t.from, &pool);
	ok(leads_to(s, &t, t.to), "the end of a path is the solution there");
	ok(leads_to(s, &t, t.from), "and back again");
	kith_wsvm_count(s, &count);
	ok(count.events > 20 && count.margin > count.events && count.rows <= 60,
	    "%zu events, |M| %zu, %zu rows", count.events, count.margin, count.rows);
	ok(leads_to(s, &t, half) && leads_to(s, &t, t.to), "in two goes");
	kith_wsvm_aim(s, t.from);
	for (int i = 0; i < 5; i++)
		kith_wsvm_next(s, &piece, NULL, NULL);
	ok(leads_to(s, &t, t.to), "turned round half-way");
	kith_pool_free(&pool);
}

/* The same bytes for any number of threads; results for any room of rows. */
static void
test_same(void)
{
	struct kith_wsvm_solution one, many, small;
	struct kith_wsvm *s;
	struct task t;
	double *alpha, *f;

	draw_classes(&t, 600, 500);
	task_ready(&t, KITH_KERN_GAUSSIAN, .02, 1e-6);
	s = kith_wsvm_new(&t.problem, t.from, &pool);
	one = run(s, t.to);
	alpha = kith_new(&pool, 600, sizeof(*alpha));
	f = kith_new(&pool, 600, sizeof(*f));
	memcpy(alpha, one.alpha, 600 * sizeof(*alpha));
	memcpy(f, one.f, 600 * sizeof(*f));
	t.problem.threads = 4;
	many = run(kith_wsvm_new(&t.problem, t.from, &pool), t.to);
	ok(same_bytes(many.alpha, alpha, 600 * sizeof(*alpha)) &&
		same_bytes(many.f, f, 600 * sizeof(*f)),
	    "the same bytes for four threads");
	t.problem.cache = 0;
	small = run(kith_wsvm_new(&t.problem, t.from, &pool), t.to);
	ok(same_bytes(small.alpha, alpha, 600 * sizeof(*alpha)) &&
		same_bytes(small.f, f, 600 * sizeof(*f)),
	    "and without room for rows");
	kith_pool_free(&pool);
}

/* Rows leave, others come in their places: as if solved with them. */
static void
test_replace(void)
{
	struct kith_wsvm_solution at, other;
	struct kith_wsvm *s;
	double less[60];
	struct task t;

	draw_classes(&t, 60, 2);
	memcpy(less, t.to, sizeof(less));
	s = kith_wsvm_new(&t.problem, t.from, &pool);
	for (size_t i = 0; i < 60; i += 7)
		less[i] = 0;
	run(s, less);
	for (size_t i = 0; i < 60; i += 7) {
		kith_row(&t.X, i)[0] = kith_rng_unit(&rng);
		kith_row(&t.X, i)[1] = kith_rng_unit(&rng);
		t.sign[i] = -t.sign[i];
		kith_wsvm_replace(s, i);
	}
	kith_wsvm_get(s, &at);
	kith_wsvm_get(kith_wsvm_new(&t.problem, less, &pool), &other);
	ok(largest_gap(60, at.f, other.f) <= 1e-10, "rows replaced");
	ok(leads_to(s, &t, t.to), "and learnt");
	kith_pool_free(&pool);
}

/* Some of the rows on the wrong side: more events. */
static void
mix(struct task *t)
{
	for (size_t v = 0; v < t->N; v++)
		if (kith_rng_unit(&rng) < .2)
			t->sign[v] *= -1;
}

/* The ends of the first pieces of a path. */
static size_t
ends_of(const struct task *t, double *end, size_t most)
{
	struct kith_wsvm *s = kith_wsvm_new(&t->problem, t->from, &pool);
	struct kith_wsvm_piece piece;
	size_t n = 0;

	kith_wsvm_aim(s, t->to);
	while (n < most && kith_wsvm_next(s, &piece, NULL, NULL))
		end[n++] = piece.to;
	return n;
}

/*
 * Rows c times as large, and weights 1 / c^2 as large: the same path, though
 * squares of rates leave the range of doubles.
 */
static void
test_scales(void)
{
	static const int power[] = {0, -200, -440, -480, 200, 440, 480};
	enum { ROWS = 60, MOST = 400 };
	double end[2][MOST] = {{0}};
	size_t n = 0;

	for (size_t k = 0; k < sizeof(power) / sizeof(*power); k++) {
		const double c = ldexp(1, power[k]);
		size_t now;
		struct task t;

		kith_rng_seed(&rng, 5, KITH_RNG_SAMPLE, 0);
		draw_classes(&t, ROWS, 3);
		mix(&t);
		for (size_t i = 0; i < t.X.n * t.X.p; i++)
			t.X.v[i] *= c;
		for (size_t v = 0; v < ROWS; v++) {
			t.from[v] *= 1 / c / c;
			t.to[v] *= 1 / c / c;
		}
		task_ready(&t, KITH_KERN_LINEAR, 1, 1e-6 * c * c);
		now = ends_of(&t, end[k > 0], MOST);
		n = k > 0 ? n : now;
		ok(now == n && n > 20 && n < MOST && largest_gap(n, end[0], end[k > 0]) <= 1e-9,
		    "%zu pieces with rows times 2^%d: %.1e", now, power[k],
		    largest_gap(n, end[0], end[k > 0]));
		kith_pool_free(&pool);
	}
}

/* The largest violation of eq. (6) at theta, of the scores of the piece. */
static double
violation(const struct task *t, const struct kith_wsvm_piece *piece, double theta)
{
	double worst = 0, alpha[2000], f0[2000], f1[2000];

	assert(t->N <= 2000 && t->X.n <= 2000);
	kith_wsvm_point(piece, theta, alpha);
	kith_wsvm_scores(piece, all_items(t), t->X.n, f0, f1);
	for (size_t v = 0; v < t->N; v++) {
		const double a = alpha[v];
		const double f = f0[t->plus[v]] + theta * f1[t->plus[v]];
		const double g = t->sign[v] * f + t->q[v] + t->problem.ridge * a;
		const int8_t where = piece->where[v];

		worst = fmax(worst,
		    where == KITH_WSVM_OUT      ? -g
			: where == KITH_WSVM_IN ? g
						: fabs(g));
	}
	return worst;
}

/* With many rows few slopes are looked at: no event may be missed. */
static void
test_many(double gamma, size_t margin)
{
	const size_t n = 700;
	struct kith_wsvm_piece piece;
	struct kith_wsvm_count count;
	struct kith_wsvm *s;
	struct task t;
	double worst = 0;

	draw_classes(&t, n, 2);
	mix(&t);
	task_ready(&t, KITH_KERN_GAUSSIAN, gamma, 1e-6);
	s = kith_wsvm_new(&t.problem, t.from, &pool);
	kith_wsvm_aim(s, t.to);
	while (kith_wsvm_next(s, &piece, NULL, NULL)) {
		worst = fmax(worst, violation(&t, &piece, piece.from));
		worst = fmax(worst, violation(&t, &piece, piece.to));
	}
	kith_wsvm_count(s, &count);
	ok(count.events > 50 && count.margin > margin * count.events && worst <= 1e-9,
	    "%zu events, |M| %zu, no slope missed: %.1e", count.events, count.margin, worst);
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_one_class();
	for (int i = 0; i < 5; i++) {
		test_chain();
		test_replace();
	}
	test_same();
	test_many(1, 3);
	test_many(100, 60);
	test_scales();
	return done();
}
