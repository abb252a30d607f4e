/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The iteration of immigrate/immigrate.h for W, p x p of Frobenius norm 1, or a vector of sum 1.
 *
 * 1. alpha, beta, C and F at W; Sigma, and V from it.
 * 2. PAPER, PACKAGE, a vector: W becomes V.  A vector by MONOTONE: W + g (V - W).
 * 3. MONOTONE, a matrix: the first of the steps g, g/2, ... lowers F, from twice the last g on; W
 *    is normalised.  Distances are linear in W, so a step on this line costs O(n^2).
 * 4. The same, after 20 steps: W first goes towards the projection of W - t G on the matrices
 *    without negative eigenvalues, normalised: a spectral projected gradient (Birgin, Martinez and
 *    Raydan 2000).  G = Sigma - tr(Sigma W) W is the gradient along the sphere; with s and y the
 *    last changes of W and G, t is in turn s's/s'y and s'y/y'y (Barzilai and Borwein 1988).
 *    V lies on the edge of the admissible set, and steps towards the edge alone come near to a
 *    fixed point inside ever more slowly.
 * 5. Step 4 of the paper, with a threshold: in the second half of the iterations, or once they have
 *    converged, entries below it become 0, and W is normalised.
 * 6. The end: C stands still, no entry has moved by more than .1, and the gap is small,
 *
 *	gap = tr(Sigma (W - V)) / |Sigma|;
 *
 *    or W is what it was two iterations ago, a 2-cycle; or no step lowers F.
 */
#include "immigrate/pairs.h"

#include "base/pool.h"
#include "base/progress.h"
#include "la/vec.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define STILL_MOVE .1    /* C may stand still on a cycle: W must not move by more */
#define CYCLE_SAME 1e-12 /* on a 2-cycle W is as near to the last but one, */
#define CYCLE_MOVE 1e-6  /* and farther from the last */
#define WITHIN .999      /* of the limit: the judge rounds in another way */
#define SHORTEST_DAMPED 0x1p-10
#define TURNED 1e-4       /* an error of Sigma beyond this part of Sigma_- may turn V anywhere */
#define EQUAL (1 - 1e-12) /* a number equal to the threshold up to rounding stays */

enum {
	LINES = 5000,  /* up to so many rows distances along lines are stored: 300 MB */
	TOWARDS = 20,  /* so many steps towards V come before projected gradients */
	DAMP_EACH = 50 /* after so many iterations the steps of a vector are halved */
};

struct run {
	const struct kith_immigrate_how *how;
	bool matrix, package;
	bool descends;   /* MONOTONE, a matrix */
	bool thresholds; /* step 5 */
	double threshold;
	double limit; /* of the gap */
	size_t p, len;
	struct kith_pairs *pairs;
	struct kith_gradient *gradient;
	struct kith_factor factor;
	double *diagonal; /* p */

	double *W, *V, *last, *before; /* W one and two iterations ago; before: also trials */
	double *best;                  /* W of the lowest F, or NULL */
	double *G, *spare;  /* MONOTONE, a matrix: upper triangle at W, or the last one */
	long double C, F;   /* at W */
	long double last_C; /* at last */
	long double unit;   /* sigma sum_n t_n, in the unit of C */
	long double best_F;
	double step; /* the last one */
	double g;    /* the step of a vector */
	size_t iterations;
	size_t known;                /* W of this phase so far: before, or in step 5 */
	bool cutting;                /* step 5 is active */
	bool has_V, V_exists, has_G; /* has_*: of W */
	bool definite; /* W is a convex combination of closed forms, or of a diagonal start */
	bool no_cost;
	bool twice; /* C has to stand still in two iterations that follow each other, */
	bool still; /* and did so in the last one */
};

/* Whether W has weights of features alone. */
static bool
is_diagonal(const struct run *run, const double *W)
{
	for (size_t k = 0; k < run->len && run->matrix; k++)
		if (k % (run->p + 1) != 0 && W[k] != 0)
			return false;
	return true;
}

/* The metric of W; is_closed: the factor of W was found last. */
static void
set_metric(struct run *run, const double *W, bool is_closed)
{
	struct kith_pair_metric *metric = &run->pairs->metric;
	const size_t p = run->p;

	*metric = (struct kith_pair_metric){.squared = run->matrix};
	if (is_diagonal(run, W)) {
		for (size_t j = 0; j < p; j++)
			run->diagonal[j] = W[run->matrix ? j * p + j : j];
		metric->w = run->diagonal;
	} else if (p <= KITH_FEW_FEATURES) {
		metric->W = W;
	} else {
		if (!is_closed)
			kith_factor_of(&run->factor, W);
		metric->R = run->factor.R;
		metric->sign = run->factor.sign;
		metric->r = (run->factor.n + 7) / 8 * 8;
	}
}

/* v = (-u)+ / sum; false: no entry of u is negative. */
static bool
close_vector(const struct run *run, double *v)
{
	for (size_t j = 0; j < run->p; j++)
		v[j] = fmax(-kith_gradient_entry(run->gradient, j), 0);
	return kith_immigrate_normalise(run->p, false, v) == 0;
}

/*
 * What the package calls C: tr(Sigma), or v'u + v'v, plus sigma times the entropies; a double, for
 * with a tolerance of 0 the iteration ends where C is the same number twice.
 */
static double
find_package_cost(struct run *run)
{
	const double entropy = kith_pairs_entropy(run->pairs);
	long double product = 0, square = 0;

	kith_gradient_sum(run->gradient);
	if (run->matrix) {
		for (size_t j = 0; j < run->p; j++)
			product += run->gradient->total[j * run->p + j];
	} else {
		close_vector(run, run->V);
		for (size_t j = 0; j < run->p; j++) {
			product += run->V[j] * kith_gradient_entry(run->gradient, j);
			square += run->V[j] * run->V[j];
		}
	}
	product = ldexpl(product, run->pairs->exponent);
	return (double)(product + (long double)run->how->sigma * entropy + square);
}

/* C and F of the distances at hand; nothing else is known of them. */
static void
read_cost(struct run *run)
{
	long double distance, logs;

	kith_pairs_cost(run->pairs, &distance, &logs);
	run->has_V = false;
	run->F = ldexpl(distance, run->pairs->exponent) + (long double)run->how->sigma * logs;
	run->C = run->package ? find_package_cost(run) : run->F;
	if (isnan(run->C))
		run->no_cost = true;
}

static void
evaluate(struct run *run, const double *W, bool is_closed)
{
	set_metric(run, W, is_closed);
	kith_pairs_update(run->pairs);
	read_cost(run);
}

/* The distances of W anew, at its known F, which is C: trials have taken their place. */
static void
evaluate_again(struct run *run, long double F)
{
	evaluate(run, run->W, false);
	run->C = run->F = F;
}

/* Set entries below the threshold to 0; false where nothing is left. */
static bool
cut(const struct run *run, double *W)
{
	bool left = false;

	for (size_t k = 0; k < run->len; k++) {
		if (W[k] < run->threshold * EQUAL)
			W[k] = 0;
		left |= W[k] != 0;
	}
	return left;
}

/* V from Sigma of W. */
static bool
close_form(struct run *run)
{
	double *V = run->V;

	if (!run->package) /* else find_package_cost() has summed it */
		kith_gradient_sum(run->gradient);
	if (!run->matrix) {
		if (!close_vector(run, V))
			return false;
	} else {
		if (!kith_factor_closed(
			&run->factor, run->gradient->total, run->gradient->size, run->descends))
			return false;
		kith_factor_expand(&run->factor, V);
	}
	if (run->package) {
		for (size_t k = 0; k < run->len; k++)
			V[k] = fmax(V[k], 0);
		kith_immigrate_normalise(run->len, run->matrix, V);
		return run->threshold == 0 || cut(run, V);
	}
	if (!run->cutting || run->descends)
		return true;
	return cut(run, V) && kith_immigrate_normalise(run->len, run->matrix, V) == 0;
}

static bool
find_V(struct run *run)
{
	if (!run->has_V)
		run->V_exists = close_form(run);
	run->has_V = true;
	return run->V_exists;
}

/* tr(A B) for the upper triangle of A. */
static double
trace_product(size_t p, const double *A, const double *B)
{
	double sum = 0;

	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++)
			sum += (i == j ? 1 : 2) * A[i * p + j] * B[i * p + j];
	return sum;
}

/* How far W is from a fixed point, as the judge measures it (check.c). */
struct gap {
	double value, error; /* error: by rounding */
};

/*
 * Sums are rounded, and exponents d/sigma, and pairs of small c are left out, whose D_j are at most
 * 1.  With e the error of Sigma over |Sigma_-|, the part that
 * V comes from, the gap is off by e (|W - V| + e): V minimises tr(Sigma V), and moves by 2 e.
 */
static double
rounding_error(const struct run *run, double negative, double apart)
{
	const struct kith_pairs *pairs = run->pairs;
	const double n = (double)pairs->data.n, p = (double)run->p;
	double most = 0, e;

	for (size_t i = 0; i < pairs->data.n; i++)
		most = fmax(most, fmax(pairs->side[0][i].most, pairs->side[1][i].most));
	e = (DBL_EPSILON * (n + 8 * p * (1 + most / pairs->sigma)) * run->gradient->size +
		pairs->skip * n * n / 2 * p) /
	    negative;
	return run->threshold == 0 && e <= TURNED ? e * (apart + e) : INFINITY;
}

static struct gap
find_gap(struct run *run)
{
	const bool squared = run->threshold > 0 || (run->package && run->matrix);
	const double *S = run->gradient->total, *W = run->W, *V = run->V;
	double *shaped = run->before, at_W = 0, at_V = 0, size = 0, negative = 0, apart = 0;
	struct gap gap = {INFINITY, INFINITY};

	if (!find_V(run))
		return gap;
	if (run->descends && run->threshold > 0) {
		memcpy(shaped, V, run->len * sizeof(*V));
		if (cut(run, shaped))
			kith_immigrate_normalise(run->len, true, shaped);
		V = shaped;
	}
	if (run->matrix) {
		at_W = trace_product(run->p, S, W);
		at_V = trace_product(run->p, S, V);
		size = sqrt(trace_product(run->p, S, S));
		negative = run->factor.norm;
	} else {
		const double w = sqrt(kith_vec_dot(run->p, W, W));
		const double v = sqrt(kith_vec_dot(run->p, V, V));

		for (size_t j = 0; j < run->p; j++) {
			const double u = kith_gradient_entry(run->gradient, j);

			at_W += u * W[j] / w;
			at_V += u * V[j] / v;
			size = hypot(size, u);
			negative = hypot(negative, fmin(u, 0));
		}
	}
	for (size_t k = 0; k < run->len; k++)
		apart += (W[k] - V[k]) * (W[k] - V[k]);
	gap.value = squared ? apart / 2 : (at_W - at_V) / size;
	gap.error = rounding_error(run, negative, sqrt(apart));
	return gap;
}

static void
report(const struct run *run)
{
	kith_progress_value("iteration", (double)run->iterations);
	kith_progress_value("C", (double)run->C);
	kith_progress_value("F", (double)run->F);
	if (run->how->report)
		run->how->report(run->iterations, (double)run->C, (double)run->F, run->step);
}

/* An iteration ends: the trial in `before`, whose cost was read, becomes W. */
static void
accept_trial(struct run *run, double step)
{
	double *spare = run->last;

	run->last = run->W;
	run->W = run->before;
	run->before = spare;
	run->step = step;
	run->definite |= step == 1;
	run->known++;
	run->iterations++;
	report(run);
}

static void
remember_best(struct run *run)
{
	if (!run->best || (run->known > 1 && !(run->F < run->best_F)))
		return;
	run->best_F = run->F;
	memcpy(run->best, run->W, run->len * sizeof(*run->W));
}

/* W + g (V - W), without regard to F. */
static void
take_step(struct run *run)
{
	for (size_t k = 0; k < run->len; k++)
		run->before[k] = run->g == 1 ? run->V[k]
					     : run->W[k] + run->g * (run->V[k] - run->W[k]);
	evaluate(run, run->before, !run->package && !run->cutting);
	accept_trial(run, run->g);
	run->definite = true;
	remember_best(run);
}

/* The trial (W + g (V - W)) / norm; returns the norm, 0 where the threshold leaves nothing. */
static double
make_trial(const struct run *run, double g)
{
	double *trial = run->before, norm;

	for (size_t k = 0; k < run->len; k++)
		trial[k] = run->W[k] + g * (run->V[k] - run->W[k]);
	if (run->cutting)
		cut(run, trial);
	norm = sqrt(kith_vec_dot(run->len, trial, trial));
	for (size_t k = 0; k < run->len && norm > 0; k++)
		trial[k] /= norm;
	return norm;
}

/*
 * Take the first of the steps g, g/2, ... 2^-30 towards V that lowers F; to 2^-100 where `far` says
 * that F falls towards V: scales of features may be far apart.
 */
static bool
search(struct run *run, double g, bool far)
{
	const bool line = run->pairs->from && !run->cutting;
	const double least = far ? 0x1p-100 : 0x1p-30;
	const long double F = run->F;

	if (line) {
		set_metric(run, run->V, true);
		kith_pairs_begin_line(run->pairs);
	}
	while (g >= least) {
		const double norm = make_trial(run, g);

		if (line && norm != 0) {
			kith_pairs_go(run->pairs, g, norm);
			read_cost(run);
		} else if (norm != 0) {
			evaluate(run, run->before, g == 1 && !run->cutting);
		}
		if (norm != 0 && run->F < F) {
			accept_trial(run, g);
			return true;
		}
		g /= 2;
	}
	return false;
}

/* The step length t of Barzilai and Borwein at W; 0 where there is none. */
static double
find_length(struct run *run)
{
	const double *Sigma = run->gradient->total;
	const double along = trace_product(run->p, Sigma, run->W);
	double *s = run->before, *y = run->G, *G = run->spare, ss, sy, length;

	for (size_t k = 0; k < run->len; k++) {
		s[k] = run->W[k] - run->last[k];
		G[k] = Sigma[k] - along * run->W[k];
		y[k] = G[k] - y[k];
	}
	run->spare = y;
	run->G = G;
	ss = trace_product(run->p, s, s);
	sy = trace_product(run->p, s, y);
	length = run->known % 2 ? ss / sy : sy / trace_product(run->p, y, y);
	if (!run->has_G || !(ss > 0 && sy > 0 && length > 0 && length < INFINITY))
		length = 0;
	run->has_G = true;
	return length;
}

/* A step of the spectral projected gradient; false: none, and the model is at W again. */
static bool
project_gradient(struct run *run)
{
	const long double F = run->F;
	const double length = find_length(run);

	if (length == 0)
		return false;
	for (size_t k = 0; k < run->len; k++)
		run->V[k] = length * run->G[k] - run->W[k];
	if (kith_factor_closed(&run->factor, run->V, 0, false)) {
		kith_factor_expand(&run->factor, run->V);
		if (search(run, 1, false))
			return true;
	}
	evaluate_again(run, F);
	run->has_G = false;
	find_V(run);
	return false;
}

/* A step that lowers F; false: there is none. */
static bool
descend(struct run *run)
{
	const long double F = run->F;
	const bool doubles = !run->cutting && run->step > 0 && run->step < .5;
	bool far;

	if (!run->cutting && run->known >= TOWARDS && project_gradient(run))
		return true;
	far = run->threshold == 0 && find_gap(run).value > run->limit;
	if (search(run, doubles ? 2 * run->step : 1, far))
		return true;
	evaluate_again(run, F);
	return false;
}

/* The largest |W_k - V_k|. */
static double
largest_move(const struct run *run, const double *V)
{
	double most = 0;

	for (size_t k = 0; k < run->len; k++)
		most = fmax(most, fabs(run->W[k] - V[k]));
	return most;
}

static bool
stands_still(const struct run *run, long double C)
{
	const long double change = fabsl(C - run->last_C);
	const double tol = run->how->tol;

	if (run->package)
		return change <= tol;
	return tol > 0 && run->known >= 2 && change <= tol * fmaxl(run->unit, fabsl(C)) &&
	    largest_move(run, run->last) <= STILL_MOVE;
}

static bool
is_cycle(const struct run *run)
{
	return run->best && run->how->tol > 0 && run->known >= 3 &&
	    largest_move(run, run->before) <= CYCLE_SAME &&
	    largest_move(run, run->last) > CYCLE_MOVE;
}

/*
 * Whether W, where C stands still, is a fixed point.  Before step 5 that does not matter, steps
 * that lower F and are cut may have none, and the package does not look.
 */
static bool
is_fixed(struct run *run)
{
	if (run->package || (run->thresholds && (run->descends || !run->cutting)))
		return true;
	return find_gap(run).value <= WITHIN * run->limit;
}

/* An iteration: how it ends the search, or KITH_IMMIGRATE_LIMIT where the search goes on. */
static enum kith_immigrate_end
iterate(struct run *run)
{
	const long double C = run->C;
	bool stops = false;

	if (run->descends && run->cutting && run->known == 0) {
		memcpy(run->V, run->W, run->len * sizeof(*run->W));
		if (make_trial(run, 1) == 0)
			return KITH_IMMIGRATE_KEPT;
		evaluate(run, run->before, false);
		accept_trial(run, 1);
		return KITH_IMMIGRATE_LIMIT;
	}
	if (!find_V(run))
		return KITH_IMMIGRATE_KEPT;
	if (run->package)
		stops = stands_still(run, C);
	if (!run->descends)
		take_step(run);
	else if (!descend(run))
		return KITH_IMMIGRATE_CONVERGED;
	run->last_C = C;
	if (!run->package) {
		const bool still = stands_still(run, run->C);

		stops = still && (run->still || !run->twice);
		run->still = still;
	}
	if (stops && is_fixed(run))
		return KITH_IMMIGRATE_CONVERGED;
	return is_cycle(run) ? KITH_IMMIGRATE_CYCLE : KITH_IMMIGRATE_LIMIT;
}

/* Whether the steps of a vector become shorter, and the iteration goes on. */
static bool
damp(struct run *run, enum kith_immigrate_end end)
{
	if (run->descends || run->how->solver != KITH_IMMIGRATE_MONOTONE ||
	    run->g <= SHORTEST_DAMPED ||
	    (end != KITH_IMMIGRATE_CYCLE &&
		(end != KITH_IMMIGRATE_LIMIT || run->iterations % DAMP_EACH != 0)))
		return false;
	run->g /= 2;
	run->known = 1;
	return true;
}

static void
restore_best(struct run *run)
{
	memcpy(run->W, run->best, run->len * sizeof(*run->W));
	evaluate_again(run, run->best_F);
}

static enum kith_immigrate_end
iterate_all(struct run *run)
{
	const size_t half = run->how->max_iter / 2;
	size_t limit = run->how->max_iter;
	enum kith_immigrate_end end = KITH_IMMIGRATE_LIMIT;

	while (run->iterations < limit) {
		if (run->thresholds && !run->cutting && run->iterations >= half) {
			run->cutting = true;
			run->known = 0;
		}
		end = iterate(run);
		if (damp(run, end) || end == KITH_IMMIGRATE_LIMIT)
			continue;
		if (end == KITH_IMMIGRATE_KEPT || !run->thresholds || run->cutting ||
		    run->iterations == limit)
			return end;
		if (end == KITH_IMMIGRATE_CYCLE)
			restore_best(run);
		limit = run->iterations + run->how->max_iter - half; /* step 5 follows at once */
		run->cutting = true;
		run->known = 0;
	}
	return end;
}

static struct run
new_run(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how, bool matrix,
    const double *W, struct kith_pool *pool)
{
	const size_t p = rows->X->p;
	const bool monotone = how->solver == KITH_IMMIGRATE_MONOTONE;
	struct run run = {.how = how,
	    .matrix = matrix,
	    .package = how->solver == KITH_IMMIGRATE_PACKAGE,
	    .descends = matrix && monotone,
	    .threshold = kith_immigrate_threshold(how, p),
	    .limit = kith_immigrate_limit(how->tol, how->solver == KITH_IMMIGRATE_PACKAGE),
	    .p = p,
	    .len = matrix ? p * p : p,
	    .g = 1,
	    .last_C = 1,
	    .known = 1};

	run.twice = run.descends && p > KITH_FEW_FEATURES;
	run.thresholds = run.threshold > 0 && !run.package;
	run.pairs = kith_pairs_new(
	    rows, how->sigma, matrix, run.descends && rows->X->n <= LINES, how->threads, pool);
	run.gradient = kith_gradient_new(run.pairs, matrix, pool);
	if (matrix)
		run.factor = kith_factor_new(&run.pairs->data, pool);
	run.diagonal = kith_new(pool, p, sizeof(*run.diagonal));
	KITH_NEW_REALS(pool, run.len, 1, &run.W, &run.V, &run.last, &run.before);
	if (!run.package && !run.descends)
		run.best = kith_new(pool, run.len, sizeof(*run.best));
	if (run.descends)
		KITH_NEW_REALS(pool, run.len, 1, &run.G, &run.spare);
	memcpy(run.W, W, run.len * sizeof(*W));
	run.definite = is_diagonal(&run, W) && W[kith_vec_argmin(run.len, W)] >= 0;
	evaluate(&run, run.W, false);
	run.unit = (long double)how->sigma * run.pairs->data.total;
	remember_best(&run);
	return run;
}

void
kith_immigrate_solve(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how,
    bool matrix, double *W, struct kith_immigrate_result *result, double *votes)
{
	struct kith_pool pool = {0};
	struct run run;

	assert(how->max_iter >= 1 && how->tol >= 0 && how->sigma > 0);
	kith_progress_phase("immigrate", 0, NULL);
	run = new_run(rows, how, matrix, W, &pool);
	report(&run);
	*result = (struct kith_immigrate_result){.end = iterate_all(&run)};
	if (result->end == KITH_IMMIGRATE_CYCLE)
		restore_best(&run);
	result->iterations = run.iterations;
	result->C = (double)run.C;
	result->F = (double)run.F;
	result->no_cost = run.no_cost;
	result->may_be_fixed = result->end != KITH_IMMIGRATE_CYCLE &&
	    result->end != KITH_IMMIGRATE_LIMIT;
	if (result->may_be_fixed) {
		const struct gap gap = find_gap(&run);

		result->certain = run.definite && gap.value + gap.error <= run.limit;
	}
	if (votes) {
		if (!run.pairs->store) /* V may have taken the factor of the metric */
			set_metric(&run, run.W, false);
		kith_pairs_expected(run.pairs, votes);
	}
	memcpy(W, run.W, run.len * sizeof(*W));
	kith_progress_end();
	kith_pool_free(&pool);
}

void
kith_immigrate_margins(const struct kith_immigrate_rows *rows, const struct kith_metric *metric,
    double sigma, size_t threads, double *hit, double *miss)
{
	struct kith_pool tmp = {0};
	const struct kith_immigrate_how how = {
	    .solver = KITH_IMMIGRATE_PAPER, .sigma = sigma, .threads = threads};
	const struct run run = new_run(
	    rows, &how, kith_metric_is_matrix(metric->kind), metric->w, &tmp);
	const struct kith_immigrate_data *data = &run.pairs->data;

	for (size_t i = 0; i < data->n; i++) {
		const double mean[] = {kith_softmax_mean(run.pairs->side[0] + i),
		    kith_softmax_mean(run.pairs->side[1] + i)};

		miss[data->row[i]] = ldexp(mean[0], run.pairs->exponent);
		hit[data->row[i]] = isinf(mean[1]) ? NAN : ldexp(mean[1], run.pairs->exponent);
	}
	kith_pool_free(&tmp);
}
