/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/mend.h and restart.h: paths whose engine is disturbed, or is
 * to solve anew, still have sound pieces, each from where the last one has ended.
 */
#include "wsvm/mend.h"

#include "tap.h"
#include "wsvm/draw.h"
#include "wsvm/judge.h"

enum { TYPES = 3 };

/* What disturbs the engine at each event. */
enum how { NOTHING, ALPHA, BIAS, RATE, HOWS };

struct disturbed {
	struct task t;
	struct kith_wsvm *s;
	enum how how;
	double step;  /* of restarts */
	size_t stuck; /* pieces of no length before them */
};

/* What of the pieces is not as it should be, at most. */
struct off {
	double sound, jump, bias, f, line, gap;
	size_t pieces, bent;
};

static void
disturb(void *to, const struct kith_wsvm_event *event)
{
	const struct disturbed *d = to;
	struct kith_wsvm *s = d->s;

	(void)event;
	if (d->how == NOTHING || s->margin->size < 2)
		return;
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];
		const double by = kith_rng_unit(&rng) - .5;

		s->piece.alpha0[v] += d->how == ALPHA ? .1 * by : 0;
		s->piece.alpha1[v] += d->how == RATE ? by : 0;
	}
	s->piece.b0 += d->how == BIAS ? kith_rng_unit(&rng) - .5 : 0;
	/* It is not to pass quickly. */
	s->piece.violation = 1;
	s->path.anew = true;
}

/* Weights far enough apart for some events. */
static void
draw(struct task *t, size_t type)
{
	draw_plain(t, type);
	for (size_t v = 0; v < t->N; v++) {
		t->from[v] = .05 + kith_rng_unit(&rng);
		t->to[v] = .05 + 5 * kith_rng_unit(&rng);
	}
}

/* A piece: judged from the rows, and its scores beside them. */
static void
look(const struct task *t, struct kith_wsvm_piece *piece, double last[400],
    struct off *off)
{
	double alpha[2][400] = {{0}}, f[400], due[400];
	struct kith_wsvm_point at[2];

	for (int k = 0; k < 2; k++) {
		const double theta = k ? piece->to : piece->from;

		at[k] = (struct kith_wsvm_point){
		    theta, kith_wsvm_point(piece, theta, alpha[k]), alpha[k]};
		off->bias = fmax(off->bias, fabs(at[k].b - piece->b[k]));
		kith_wsvm_point_scores(piece, theta, f);
		task_scores(t, alpha[k], at[k].b, due);
		off->f = fmax(off->f, largest_gap(t->X.n, f, due));
		kith_wsvm_scores(piece);
		for (size_t i = 0; i < t->X.n; i++)
			f[i] = piece->f0[i] + theta * piece->f1[i];
		off->line = fmax(off->line, largest_gap(t->X.n, f, due));
		off->line = fmax(
		    off->line, fabs(piece->b0 + theta * piece->b1 - at[k].b));
	}
	off->sound = fmax(off->sound,
	    kith_wsvm_judge(&t->problem, t->from, t->to, &at[0], &at[1]).off);
	if (piece->from > 0)
		off->jump = fmax(off->jump, largest_gap(t->N, alpha[0], last));
	memcpy(last, alpha[1], sizeof(alpha[1]));
	if (piece->where != piece->solver->set.where ||
	    piece->margin != piece->solver->margin->size)
		off->gap = INFINITY;
	off->bent += piece->bent;
	off->pieces++;
}

/* A whole path; restarts: before each so-manieth piece. */
static void
follow(struct disturbed *d, size_t restarts, struct off *off)
{
	double last[400] = {0}, end = 0;
	struct kith_wsvm_piece piece;
	size_t pieces = 0;

	d->s = kith_wsvm_new(&d->t.problem, d->t.from, NULL, &pool);
	kith_wsvm_aim(d->s, d->t.to);
	for (;;) {
		if (restarts > 0 && pieces++ % restarts == 0) {
			d->s->event.zero_steps = d->stuck;
			d->s->restart.step = d->step * kith_rng_unit(&rng);
		}
		if (!kith_wsvm_next(d->s, &piece, disturb, d))
			break;
		off->gap = fmax(off->gap, fabs(piece.from - end));
		end = piece.to;
		look(&d->t, &piece, last, off);
	}
	off->gap = fmax(off->gap, 1 - end);
}

static void
check(const char *name, const struct off *off)
{
	ok(off->sound <= 1 && off->gap == 0,
	    "%s: %zu pieces, %zu bent, off by %.1e of the limit", name,
	    off->pieces, off->bent, off->sound);
	ok(off->jump <= 1e-9 && off->bias <= 1e-12,
	    "one begins where the last has ended: %.1e, b %.1e", off->jump,
	    off->bias);
	ok(off->f <= 1e-9 && off->line <= 1e-9,
	    "scores are those of alpha: %.1e, %.1e", off->f, off->line);
}

/* The engine is wrong at each event: the judge sees it, and pieces are sound. */
static void
test_disturbed(size_t type)
{
	static const char *const name[HOWS] = {
	    "as it is", "alpha", "the bias", "a rate"};

	for (enum how how = NOTHING; how < HOWS; how++) {
		const bool anew = how == ALPHA || how == RATE;
		struct kith_wsvm_count count, sum = {0};
		struct off off = {0};

		if (how == BIAS && type == 2) /* there is none */
			continue;
		for (int k = 0; k < 3; k++) {
			struct disturbed d = {.how = how, .stuck = 60};

			draw(&d.t, type);
			follow(&d, how == NOTHING, &off);
			kith_wsvm_count(d.s, &count);
			sum.faults += count.faults + count.fallbacks;
			sum.mended += count.mended;
			kith_pool_free(&pool);
		}
		check(name[how], &off);
		ok(sum.faults == 0 && (sum.mended > 0 || !anew) &&
			(how == NOTHING) == (off.bent == 0),
		    "%zu solved anew", sum.mended);
	}
}

/* Restarts, of pieces so long, within which events may lie. */
static void
test_restarts(size_t type, double step)
{
	size_t restarts = 0, wrong = 0, mended = 0;
	double longest = 0;
	struct off off = {0};

	kith_rng_seed(&rng, 2, KITH_RNG_SAMPLE, type);
	for (int k = 0; k < 3; k++) {
		struct kith_wsvm_count count;
		struct disturbed d = {
		    .how = NOTHING, .step = step, .stuck = 61};

		draw(&d.t, type);
		follow(&d, 3, &off);
		kith_wsvm_count(d.s, &count);
		restarts += count.fallbacks;
		mended += count.mended;
		wrong += count.faults > 0 || count.lost != 0;
		longest = fmax(longest, count.lost_length);
		kith_pool_free(&pool);
	}
	check("restarts", &off);
	ok(restarts > 1 && wrong == 0 && longest > .01 * step &&
		longest <= step && (mended > 0) == (step > .1),
	    "%zu restarts, the longest of %g, %zu solved anew", restarts,
	    longest, mended);
}

int
main(void)
{
	for (size_t type = 0; type < TYPES; type++) {
		kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, type);
		test_disturbed(type);
		test_restarts(type, 1e-6);
		test_restarts(type, .5);
	}
	return done();
}
