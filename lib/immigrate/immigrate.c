#include "immigrate/immigrate.h"

#include "base/pool.h"
#include "immigrate/model.h"
#include "immigrate/shape.h"
#include "la/mat.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Damped steps: 1, 1/2, ... 2^-30. */
enum { HALVINGS = 30 };

/* How far W moves at most where it stops; a cycle comes back, and goes away. */
#define NEAR .1
#define BACK 1e-12
#define AWAY 1e-6

struct run {
	const struct kith_immigrate_how *how;
	struct kith_immigrate_model *model;
	size_t len;
	double *W, *V;
	double *last, *before; /* W one and two steps ago; monotone: scratch */
	double *best;          /* W of lowest F, or NULL */
	double best_F, C, F;   /* C, F: at W */
	double step;
	double last_C; /* at last; package: 1 before the start */
	size_t known;  /* W of this phase, before or in Step 4, so far */
	bool cutting;  /* Step 4 is active */
	bool no_cost;
};

static void
normalise(const struct run *run, double *W)
{
	kith_immigrate_normalise(run->len, run->model->matrix, W);
}

/* Step 4, without normalising; false: nothing is left. */
static bool
cut(const struct run *run, double *W)
{
	return kith_immigrate_cut(run->len, run->how->threshold, W);
}

/* V at W, by the rules; false: there is none. */
static bool
find_next(struct run *run)
{
	const struct kith_immigrate_how *how = run->how;
	double *V = run->V;

	if (!kith_immigrate_model_closed(run->model, V))
		return false;
	if (how->package) {
		kith_immigrate_clip(run->len, V);
		normalise(run, V);
		return how->threshold == 0 || cut(run, V);
	}
	if (run->cutting && !how->monotone) {
		if (!cut(run, V))
			return false;
		normalise(run, V);
	}
	return true;
}

/* Bring the model to weights; is_closed: they are V as the model gave it. */
static void
evaluate(struct run *run, const double *W, bool is_closed)
{
	kith_immigrate_model_at(run->model, W, is_closed);
	run->C = run->model->C;
	run->F = run->model->F;
	if (isnan(run->C))
		run->no_cost = true;
}

static void
tell(const struct run *run, size_t iteration)
{
	const int unit = run->model->unit;
	const struct kith_immigrate_trace trace = {
	    iteration, ldexp(run->C, unit), ldexp(run->F, unit), run->step};

	if (run->how->tell)
		run->how->tell(run->how->to, &trace);
}

/* Remember W where its F is the lowest. */
static void
remember(struct run *run)
{
	if (!run->best || (run->known > 1 && !(run->F < run->best_F)))
		return;
	run->best_F = run->F;
	memcpy(run->best, run->W, run->len * sizeof(*run->W));
}

static void
step_plain(struct run *run)
{
	double *spare = run->before;

	run->before = run->last;
	run->last = run->W;
	run->W = run->V;
	run->V = spare;
	run->step = 1;
	evaluate(run, run->W, !run->how->package && !run->cutting);
	run->known++;
	remember(run);
}

/* trial = W + g (V - W), normalised; cut where Step 4 is active. */
static bool
make_trial(const struct run *run, double g, double *trial)
{
	for (size_t k = 0; k < run->len; k++)
		trial[k] = g == 1 ? run->V[k]
				  : run->W[k] + g * (run->V[k] - run->W[k]);
	if (run->cutting && !cut(run, trial))
		return false;
	if (g < 1 || run->cutting)
		normalise(run, trial);
	return true;
}

static void
accept_trial(struct run *run, double step)
{
	double *spare = run->last;

	run->last = run->W;
	run->W = run->before;
	run->before = spare;
	run->step = step;
	run->known++;
}

/* A damped step; false: none lowers F, and W is as it was. */
static bool
step_down(struct run *run)
{
	const double C = run->C, F = run->F;

	for (int halving = 0; halving <= HALVINGS; halving++) {
		const double g = ldexp(1, -halving);

		if (!make_trial(run, g, run->before))
			continue;
		evaluate(run, run->before, halving == 0 && !run->cutting);
		if (run->F < F) {
			accept_trial(run, g);
			return true;
		}
	}
	run->C = C;
	run->F = F;
	return false;
}

/* Damped steps begin Step 4 with W itself. */
static bool
step_cut(struct run *run)
{
	memcpy(run->before, run->W, run->len * sizeof(*run->W));
	if (!cut(run, run->before))
		return false;
	normalise(run, run->before);
	evaluate(run, run->before, false);
	accept_trial(run, 1);
	return true;
}

static double
farthest(const struct run *run, const double *V)
{
	return kith_immigrate_farthest(run->len, run->W, V);
}

/* Whether C stands still; C and last_C of the package lag a step behind. */
static bool
stands_still(const struct run *run, double C)
{
	const double tol = run->how->tol, one = ldexp(1, -run->model->unit);
	const double change = fabs(C - run->last_C);

	if (run->how->package)
		return change <= tol * one;
	return tol > 0 && run->known >= 2 &&
	    change <= tol * fmax(one, fabs(C)) &&
	    farthest(run, run->last) <= NEAR;
}

static bool
is_cycle(const struct run *run)
{
	return run->best && run->how->tol > 0 && run->known >= 3 &&
	    farthest(run, run->before) <= BACK &&
	    farthest(run, run->last) > AWAY;
}

/* What an iteration came to; after the last two W is as it was. */
enum outcome { ON, STOP, CYCLE, REST, STUCK };

static enum outcome
iterate(struct run *run)
{
	const double C = run->C;
	bool stop = false;

	if (run->how->monotone && run->cutting && run->known == 0)
		return step_cut(run) ? ON : STUCK;
	if (!find_next(run))
		return STUCK;
	if (run->how->package)
		stop = stands_still(run, C);
	if (!run->how->monotone)
		step_plain(run);
	else if (!step_down(run))
		return REST;
	run->last_C = C;
	if (!run->how->package)
		stop = stands_still(run, run->C);
	if (stop)
		return STOP;
	return is_cycle(run) ? CYCLE : ON;
}

static void
take_best(struct run *run)
{
	memcpy(run->W, run->best, run->len * sizeof(*run->W));
	run->C = run->F = run->best_F;
}

/* Begin Step 4: what was before does not count. */
static void
begin_cutting(struct run *run)
{
	run->cutting = true;
	run->known = 0;
}

static bool
wants_cut(const struct run *run)
{
	return run->how->threshold > 0 && !run->how->package;
}

/*
 * Iterate to the end.  Where a stopping rule ends the iterations before Step 4
 * early, those with it follow at once.
 */
static enum outcome
iterate_all(struct run *run, size_t *iterations)
{
	const size_t half = run->how->max_iter / 2;
	size_t limit = run->how->max_iter;
	enum outcome outcome = ON;

	for (*iterations = 0; *iterations < limit;) {
		if (wants_cut(run) && !run->cutting && *iterations >= half)
			begin_cutting(run);
		outcome = iterate(run);
		if (outcome == STUCK)
			return outcome;
		if (outcome != REST)
			tell(run, ++*iterations);
		if (outcome == ON)
			continue;
		if (!wants_cut(run) || run->cutting || *iterations == limit)
			return outcome;
		if (outcome == CYCLE) {
			take_best(run);
			evaluate(run, run->W, false);
		}
		limit = *iterations + run->how->max_iter - half;
		begin_cutting(run);
	}
	return outcome;
}

static struct kith_immigrate_model *
model_of(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, bool matrix, struct kith_pool *pool)
{
	assert(!(how->package && how->monotone));
	return kith_immigrate_model_new(
	    &(struct kith_immigrate_model_how){
		.X = rows->X,
		.y = rows->y,
		.c = rows->c,
		.weight = rows->weight,
		.matrix = matrix,
		.package = how->package,
		.sigma = how->sigma,
		.threads = how->threads,
	    },
	    pool);
}

static void
fit_all(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, bool matrix, double *W,
    struct kith_immigrate_fit *fit)
{
	static const enum kith_immigrate_end end[] = {KITH_IMMIGRATE_LIMIT,
	    KITH_IMMIGRATE_CONVERGED, KITH_IMMIGRATE_CYCLE,
	    KITH_IMMIGRATE_CONVERGED, KITH_IMMIGRATE_KEPT};
	struct kith_pool pool = {0};
	struct run run = {.how = how};
	enum outcome outcome;

	assert(how->max_iter >= 1 && how->tol >= 0 && how->threshold >= 0);
	run.model = model_of(rows, how, matrix, &pool);
	run.len = run.model->len;
	run.W = kith_new(&pool, run.len, sizeof(*W));
	run.V = kith_new(&pool, run.len, sizeof(*W));
	run.last = kith_new(&pool, run.len, sizeof(*W));
	run.before = kith_new(&pool, run.len, sizeof(*W));
	if (!how->package && !how->monotone)
		run.best = kith_new(&pool, run.len, sizeof(*W));
	memcpy(run.W, W, run.len * sizeof(*W));
	evaluate(&run, run.W, false);
	run.last_C = ldexp(1, -run.model->unit);
	run.known = 1;
	remember(&run);
	tell(&run, 0);
	outcome = iterate_all(&run, &fit->iterations);
	if (outcome == CYCLE)
		take_best(&run);
	memcpy(W, run.W, run.len * sizeof(*W));
	fit->end = end[outcome];
	if (outcome == REST && !matrix && farthest(&run, run.V) > AWAY)
		fit->end = KITH_IMMIGRATE_KEPT;
	fit->C = ldexp(run.C, run.model->unit);
	fit->F = ldexp(run.F, run.model->unit);
	fit->no_cost = run.no_cost;
	kith_pool_free(&pool);
}

void
kith_immigrate(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, double *W,
    struct kith_immigrate_fit *fit)
{
	fit_all(rows, how, true, W, fit);
}

void
kith_im4e(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, double *w,
    struct kith_immigrate_fit *fit)
{
	fit_all(rows, how, false, w, fit);
}

/* Sigma in units of the data, both triangles. */
static void
give_sigma(struct kith_immigrate_model *model, double *Sigma)
{
	const size_t p = model->data.p;

	kith_immigrate_sum(&model->sum);
	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++)
			Sigma[i * p + j] = Sigma[j * p + i] = ldexp(
			    model->sum.total[i * p + j], model->power);
}

bool
kith_immigrate_at(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, const double *W,
    struct kith_immigrate_trace *at, double *Sigma, double *V)
{
	struct kith_pool pool = {0};
	struct run run = {
	    .how = how, .cutting = how->threshold > 0 && !how->package};
	bool found;

	run.model = model_of(rows, how, true, &pool);
	run.len = run.model->len;
	run.V = V ? V : kith_new(&pool, run.len, sizeof(*V));
	evaluate(&run, W, false);
	*at = (struct kith_immigrate_trace){
	    0, ldexp(run.C, run.model->unit), ldexp(run.F, run.model->unit), 0};
	if (Sigma)
		give_sigma(run.model, Sigma);
	found = find_next(&run);
	kith_pool_free(&pool);
	return found;
}
