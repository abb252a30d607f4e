/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of what lib/wsvm/wsvm.h tells of a path: events are moves between sets,
 * each from where the last one led; what is counted; solutions within a piece.
 */
#include "tap.h"
#include "wsvm/draw.h"

enum { TYPES = 3, MOST = 200 };

/* The sets as the events tell, and what is not as it should be. */
struct seen {
	struct kith_wsvm *s;
	int8_t where[MOST]; /* -1: not known yet */
	double theta;
	size_t variable, events, own, wrong;
	bool in_order; /* unless all weights vanish */
};

static void
see(void *to, const struct kith_wsvm_event *event)
{
	struct seen *seen = to;
	const size_t v = event->variable;

	if (event->theta == seen->theta && seen->own > 0)
		seen->wrong += seen->in_order && v <= seen->variable;
	else
		seen->wrong += event->theta < seen->theta;
	seen->wrong += event->was == event->becomes;
	seen->wrong += seen->where[v] >= 0 && seen->where[v] != (int8_t)event->was;
	seen->where[v] = (int8_t)event->becomes;
	seen->theta = event->theta;
	seen->variable = v;
	seen->events++;
	seen->own++;
}

static void
draw(struct task *t, size_t type, double grows)
{
	draw_frame(t, type, 24);
	for (size_t v = 0; v < t->N; v++) {
		draw_variable(t, type, v);
		t->from[v] = kith_rng_unit(&rng);
		t->to[v] = grows * kith_rng_unit(&rng);
	}
	task_ready(t, KITH_KERN_GAUSSIAN, 3, .01);
}

/* How far alpha, b and f within a piece are from what its sets say. */
static double
within(const struct task *t, struct kith_wsvm_piece *piece, double share)
{
	const double theta = piece->from + share * (piece->to - piece->from);
	double alpha[MOST], left[MOST], right[MOST], f[MOST], g[MOST];
	const double b = kith_wsvm_point(piece, theta, alpha);
	const double size = 1 + task_weight(t, 0, theta);
	double off = fabs(b - piece->b[0] - (theta - piece->from) * piece->b1);

	kith_wsvm_point(piece, piece->from, left);
	kith_wsvm_point(piece, piece->to, right);
	for (size_t v = 0; v < t->N; v++) {
		double due = left[v] + share * (right[v] - left[v]);

		if (piece->where[v] == KITH_WSVM_IN)
			due = task_weight(t, v, theta);
		if (piece->where[v] == KITH_WSVM_OUT)
			due = 0;
		off = fmax(off, fabs(alpha[v] - due));
	}
	kith_wsvm_point_scores(piece, theta, f);
	task_scores(t, alpha, b, g);
	for (size_t i = 0; i < t->X.n; i++)
		off = fmax(off, fabs(f[i] - g[i]));
	off = fmax(off, fabs(piece->b[0] - kith_wsvm_point(piece, piece->from, left)));
	off = fmax(off, fabs(piece->b[1] - kith_wsvm_point(piece, piece->to, left)));
	return off / size;
}

/*
 * Returns b of a solution: b_end of the piece where there is no bias or a variable is strictly
 * within its bounds, else the middle of the interval in which all gradients have the right sign.
 */
static double
bias_of(const struct task *t, double theta, const double *alpha, double b_end)
{
	double f[MOST], most = 0, lo = -INFINITY, hi = INFINITY;

	task_scores(t, alpha, 0, f);
	for (size_t v = 0; v < t->N; v++)
		most = fmax(most, alpha[v]);
	for (size_t v = 0; v < t->N; v++) {
		const double C = task_weight(t, v, theta), near = 1e-8 * fmin(C, most);
		const double ridged = t->problem.ridge * alpha[v];
		const double zero = -t->sign[v] * (t->q[v] + ridged) - f[t->plus[v]];

		if (t->minus || (alpha[v] > near && alpha[v] < C - near))
			return b_end;
		if (C > 0 && (t->sign[v] > 0) == (alpha[v] <= near))
			lo = fmax(lo, zero);
		else if (C > 0)
			hi = fmin(hi, zero);
	}
	if (isinf(lo) || isinf(hi))
		return isinf(lo) ? (isinf(hi) ? 0 : hi) : lo;
	return (lo + hi) / 2;
}

/* How far the solution on the way is from that at the end of the last piece. */
static double
present_gap(const struct task *t, struct kith_wsvm *s, struct kith_wsvm_piece *piece)
{
	double alpha[MOST], f[MOST], b, off;
	struct kith_wsvm_solution at;

	kith_wsvm_get(s, &at);
	b = kith_wsvm_point(piece, piece->to, alpha);
	off = fabs(at.b - bias_of(t, piece->to, alpha, b));
	kith_wsvm_point_scores(piece, piece->to, f);
	for (size_t v = 0; v < t->N; v++)
		off = fmax(off, fabs(at.alpha[v] - alpha[v]));
	for (size_t i = 0; i < t->X.n; i++)
		off = fmax(off, fabs(at.f[i] + b - f[i]));
	return off / (1 + task_weight(t, 0, piece->to));
}

/* Where M is empty b may jump, so pieces without events end there, too. */
static void
look(const struct task *t, struct kith_wsvm_piece *piece, struct seen *seen)
{
	size_t margin = 0;

	for (size_t v = 0; v < t->N; v++)
		margin += piece->where[v] == KITH_WSVM_MARGIN;
	seen->wrong += piece->margin != margin;
	for (size_t v = 0; v < t->N; v++) {
		const double theta = (piece->from + piece->to) / 2;

		if (!(task_weight(t, v, theta) > 0))
			continue;
		seen->wrong += seen->where[v] >= 0 && seen->where[v] != piece->where[v];
		seen->where[v] = piece->where[v];
	}
}

/* A path, and back again; the second is of the same solver. */
static void
test_path(size_t type, double grows)
{
	struct task t;
	struct seen seen = {.in_order = grows > 0};
	struct kith_wsvm_count count;
	double off = 0;
	size_t pieces = 0;

	kith_rng_seed(&rng, 7, KITH_RNG_SAMPLE, type);
	draw(&t, type, grows);
	seen.s = kith_wsvm_new(&t.problem, t.from, &pool);
	kith_wsvm_count(seen.s, &count);
	ok(count.events == 0 && count.margin == 0, "no events yet");
	for (int back = 0; back < 2; back++) {
		struct kith_wsvm_piece piece;
		double end = 0;

		memset(seen.where, -1, sizeof(seen.where));
		seen.theta = 0;
		kith_wsvm_aim(seen.s, t.to);
		for (seen.own = 0; kith_wsvm_next(seen.s, &piece, see, &seen); seen.own = 0) {
			look(&t, &piece, &seen);
			seen.wrong += piece.from != end || !(piece.to > end) ||
			    (seen.own > 0 && seen.theta > piece.from);
			for (int k = 0; k <= 4; k++)
				off = fmax(off, within(&t, &piece, k / 4.));
			off = fmax(off, present_gap(&t, seen.s, &piece));
			end = piece.to;
			pieces++;
		}
		seen.wrong += end != 1;
		for (size_t v = 0; v < t.N; v++) {
			const double was = t.from[v];

			t.from[v] = t.to[v];
			t.to[v] = was;
		}
	}
	kith_wsvm_count(seen.s, &count);
	ok(seen.wrong == 0, "%zu pieces, %zu events: %zu wrong", pieces, seen.events, seen.wrong);
	ok(off <= 1e-11, "alpha, b and f within them: %.1e", off);
	ok(count.events == seen.events && count.margin > 0, "events, and |M| after each: %zu",
	    count.margin);
	ok(count.rows > 0 && count.restarts == 0 && count.faults == 0 && count.longest_restart == 0,
	    "%zu rows, %zu mended", count.rows, count.solved_anew);
	kith_pool_free(&pool);
}

int
main(void)
{
	for (size_t type = 0; type < TYPES; type++) {
		test_path(type, 1);
		test_path(type, 20);
		test_path(type, 1e-4);
		test_path(type, 0);
	}
	return done();
}
