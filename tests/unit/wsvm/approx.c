/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/approx.h on random degenerate problems: at many thetas of
 * each piece the duality gap is computed from the data, the weights and alpha
 * and b alone; by hand; and of lib/wsvm/watch.h against all scores.
 */
#include "wsvm/approx.h"
#include "tap.h"
#include "wsvm/draw.h"
#include "wsvm/watch.h"

enum { TYPES = 3, THETAS = 9 };

static double alpha[400];

/* The solution of a piece at theta, and the scores it says. */
static void
judge(const struct task *t, const struct kith_wsvm_piece *piece, double theta, struct point *at,
    double *apart)
{
	const double b = piece->b0 + theta * piece->b1;

	for (size_t v = 0; v < t->N; v++)
		alpha[v] = piece->alpha0[v] + theta * piece->alpha1[v];
	task_judge(t, theta, alpha, b, at);
	for (size_t i = 0; i < t->X.n; i++)
		*apart = fmax(
		    *apart, fabs(piece->f0[i] + theta * piece->f1[i] - at->f[i]) / at->scale);
}

/* How far the largest gap of a path is above what is asked for, and the rest. */
struct worst {
	double over, bound, sum, apart;
	size_t pieces, refused;
};

static void
follow(struct task *t, double gap, struct worst *worst)
{
	struct kith_wsvm_approx *path = kith_wsvm_approx_new(
	    &t->problem, t->from, t->to, gap, NULL, &pool);
	struct kith_wsvm_piece piece;
	struct kith_wsvm_count count;
	struct point at;
	double end = 0, over = 0;

	while (kith_wsvm_approx_next(path, &piece)) {
		worst->apart = fmax(worst->apart, fabs(piece.from - end));
		end = piece.to;
		for (int k = 0; k <= THETAS; k++) {
			const double part = (double)k / THETAS;
			const double theta = k == THETAS
			    ? piece.to
			    : piece.from + part * (piece.to - piece.from);

			judge(t, &piece, theta, &at, &worst->apart);
			over = fmax(over, (at.gap - gap * at.dual) / at.scale);
			worst->bound = fmax(worst->bound, at.bound);
			worst->sum = fmax(worst->sum, at.sum);
		}
		worst->pieces++;
	}
	kith_wsvm_approx_count(path, &count);
	worst->apart = fmax(worst->apart, fabs(end - 1));
	if (count.gap > gap)
		worst->refused++;
	else
		worst->over = fmax(worst->over, over);
}

static void
test_random(size_t type, const char *name)
{
	const unsigned seeds = getenv("KITH_LONG") ? 20000 : 400;
	static const double gaps[] = {.3, 1e-2, 1e-3, 1e-5};
	struct worst worst = {0};

	for (unsigned seed = 1; seed <= seeds; seed++) {
		struct task t;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, type);
		draw_task(&t, type);
		follow(&t, gaps[seed % 4], &worst);
		kith_pool_free(&pool);
	}
	printf("# %s: over %.1e bound %.1e sum %.1e apart %.1e, %zu pieces, "
	       "%zu refused\n",
	    name, worst.over, worst.bound, worst.sum, worst.apart, worst.pieces, worst.refused);
	ok(worst.over <= 1e-9, "%s: the gap is at most what was asked", name);
	ok(worst.bound <= 1e-9 && worst.sum <= 1e-9,
	    "%s: alpha is within its bounds, and e' alpha = 0", name);
	ok(worst.apart <= 1e-8, "%s: pieces join, f is that of alpha and b", name);
	ok(worst.refused <= seeds / 50, "%s: nearly all reach the gap", name);
}

/* Rows 0 and 1 of two classes at 0 and 1, linear: alpha = min(C, 2). */
static void
test_hand(void)
{
	struct kith_wsvm_approx *path;
	struct kith_wsvm_piece piece;
	struct task t;
	double apart = 0, off = 0;

	task_new(&t, 2, 1, 2, false);
	for (size_t v = 0; v < 2; v++) {
		t.X.v[v] = (double)v;
		t.plus[v] = v;
		t.sign[v] = v ? 1 : -1;
		t.q[v] = -1;
		t.to[v] = 4;
	}
	task_ready(&t, KITH_KERN_LINEAR, 1, 0);
	path = kith_wsvm_approx_new(&t.problem, t.from, t.to, 1e-6, NULL, &pool);
	while (kith_wsvm_approx_next(path, &piece))
		for (int k = 0; k <= THETAS; k++) {
			const double theta = piece.from + k * (piece.to - piece.from) / THETAS;
			const double a = piece.alpha0[1] + theta * piece.alpha1[1];
			const double due = fmin(4 * theta, 2);

			/* D is 2 a - a^2 / 2, at most 2. */
			off = fmax(off, (due - a) * (due - a) / 2);
			apart = fmax(apart, fabs(a - due));
		}
	ok(apart < 2e-3 && off <= 2e-6, "two rows: alpha is min(C, 2)");
	kith_pool_free(&pool);
}

/* Where alpha is all of C: a path from the weights of each row to others. */
struct course {
	double from[2], to[2];
	size_t pieces;
	double end[8]; /* of each piece */
};

/*
 * Every piece is exact, so that the steps are those of the first one alone: .3
 * of the weights over their change, at least .001 of theta, then three times as
 * long; the last may be a quarter longer.
 */
static void
test_course(const struct course *due)
{
	struct kith_wsvm_approx *path;
	struct kith_wsvm_piece piece;
	struct kith_wsvm_count count;
	struct task t;
	double off = 0, theta = 0;
	size_t n = 0;

	task_new(&t, 2, 1, 2, false);
	for (size_t v = 0; v < 2; v++) {
		t.X.v[v] = (double)v;
		t.plus[v] = v;
		t.sign[v] = v ? 1 : -1;
		t.q[v] = -1;
		t.from[v] = due->from[v];
		t.to[v] = due->to[v];
	}
	task_ready(&t, KITH_KERN_LINEAR, 1, 0);
	t.problem.bias = false;
	path = kith_wsvm_approx_new(&t.problem, t.from, t.to, 1e-6, NULL, &pool);
	for (; kith_wsvm_approx_next(path, &piece) && n < 8; n++) {
		off = fmax(off, fabs(piece.from - theta));
		theta = n < due->pieces ? due->end[n] : -1;
		off = fmax(off, fabs(piece.to - theta));
		for (size_t v = 0; v < 2; v++)
			off = fmax(off,
			    fabs(piece.alpha0[v] + theta * piece.alpha1[v] -
				task_weight(&t, v, theta)));
		off = fmax(off, fabs(piece.b0) + fabs(piece.b1));
	}
	kith_wsvm_approx_count(path, &count);
	is_size(n, due->pieces, "pieces");
	ok(off <= 1e-15, "which end there, alpha being C: %.1e", off);
	is_size(count.points, due->pieces + 1, "each point was solved once");
	ok(count.gap < 1e-9 && count.rows <= 2, "without a gap: %.1e", count.gap);
	kith_pool_free(&pool);
}

static void
test_courses(void)
{
	static const struct course due[] = {
	    {{.25, .25}, {.25, .25}, 1, {1}},
	    {{.25, .25}, {.5, .5}, 2, {.3, 1}},
	    {{.5, .5}, {.25, .25}, 2, {.6, 1}},
	    {{.25, .5}, {.5, .25}, 2, {.45, 1}},
	    {{.125, .125}, {.5, .5}, 3, {.1, .4, 1}},
	    {{.5, .5}, {.317, .317}, 1, {1}},                 /* .82 */
	    {{.5, .5}, {.306, .306}, 2, {.3 * .5 / .194, 1}}, /* .77 */
	    {{0, 0}, {0, 0}, 1, {1}},
	    {{0, 0}, {.5, .5}, 7, {.001, .004, .013, .04, .121, .364, 1}},
	};

	for (size_t k = 0; k < sizeof(due) / sizeof(*due); k++)
		test_course(&due[k]);
}

/* What was found of the scores that are watched. */
struct watched {
	size_t missed, wrong, due, all;
	bool positive[400];
};

/* What is not due keeps its sign; what is due is right. */
static void
look(const size_t *item, size_t m, struct kith_wsvm_piece *piece,
    const struct kith_wsvm_watched *few, struct watched *w)
{
	size_t c = 0;

	kith_wsvm_scores(piece);
	for (size_t i = 0; i < m; i++) {
		const double f0 = piece->f0[item[i]], f1 = piece->f1[item[i]];
		const bool a = f0 + piece->from * f1 > 0;
		const bool b = f0 + piece->to * f1 > 0;

		if (c < few->n && few->at[c] == i) {
			w->wrong += fabs(few->f0[c] - f0) + fabs(few->f1[c] - f1) >
			    1e-9 * (1 + fabs(f0) + fabs(f1));
			c++;
		} else {
			w->missed += a != w->positive[i] || b != w->positive[i];
		}
		w->positive[i] = b;
	}
	w->due += few->n;
	w->all += m;
}

/* All scores of a piece are those of the items asked for. */
static size_t
differ_all(
    struct kith_wsvm_watch *watch, const size_t *item, size_t m, struct kith_wsvm_piece *piece)
{
	struct kith_wsvm_watched all;
	size_t n = 0;

	kith_wsvm_watch_all(watch, piece, &all);
	kith_wsvm_scores(piece);
	for (size_t i = 0; i < m; i++)
		n += all.at[i] != i || all.f0[i] != piece->f0[item[i]] ||
		    all.f1[i] != piece->f1[item[i]];
	return n + (all.n != m);
}

/* Along exact paths. */
static void
test_watch(size_t type)
{
	const unsigned seeds = getenv("KITH_LONG") ? 5000 : 200;
	struct watched w = {0};
	size_t differ = 0;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		struct kith_wsvm_watched few;
		struct kith_wsvm_watch *watch;
		struct kith_wsvm_piece piece;
		struct kith_wsvm *s;
		struct task t;
		size_t item[400], m = 0;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, type);
		draw_task(&t, type);
		for (size_t i = 0; i < t.X.n; i += 2)
			item[m++] = i;
		s = kith_wsvm_new(&t.problem, t.from, NULL, &pool);
		kith_wsvm_aim(s, t.to);
		watch = kith_wsvm_watch_new(s, item, m, &pool);
		while (kith_wsvm_next(s, &piece, NULL, NULL)) {
			kith_wsvm_watch_due(watch, &piece, &few);
			look(item, m, &piece, &few, &w);
			differ += differ_all(watch, item, m, &piece);
		}
		kith_pool_free(&pool);
	}
	printf("# %zu of %zu scores were due\n", w.due, w.all);
	is_size(differ, 0, "all of them");
	ok(w.missed == 0 && w.wrong == 0 && w.due * 20 < w.all * 9,
	    "watched: no sign is missed (%zu), scores are right (%zu)", w.missed, w.wrong);
}

int
main(void)
{
	test_hand();
	test_courses();
	test_random(0, "classes");
	test_random(1, "numbers");
	test_random(2, "ranks");
	for (size_t type = 0; type < TYPES; type++)
		test_watch(type);
	return done();
}
