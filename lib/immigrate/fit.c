/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Methods: from rows to weights, sigma from the rows, and boosting.
 *
 * sigma  1. Of more than 1000 rows take about 1000, in proportion from all classes, equally spaced.
 *        2. m is the median, over the rows, of the distance to the nearest row of another class
 *           under equal weights; of the distances above 0 where it is 0.
 *        3. For sigma = 8 m, 2 m, m/4, m/32: weights by at most 10 iterations, and the rows that
 *           they predict wrongly, each from all others.  The fewest errors win, the larger sigma
 *           among equal ones.
 */
#include "immigrate/pairs.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "base/sort.h"
#include "la/vec.h"
#include "table/weights.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static const double factors[] = {8, 2, .25, .03125};
#define TRIAL_TOL 1e-3 /* sigma is chosen by errors: weights need few digits */
enum { FACTORS = sizeof(factors) / sizeof(*factors), TRIAL_ITERATIONS = 10 };

/* sigma of the first and the last learner of an ensemble, as a part of that of the rows. */
#define FIRST 4
#define LAST .2

/* Expected distances that differ by less than this share are equal but for rounding. */
#define ROUNDING 1e-9

int
kith_immigrate_normalise(size_t n, bool matrix, double *W)
{
	const double largest = kith_vec_largest(n, W);
	double norm = 0;

	if (largest == 0)
		return -1;
	for (size_t k = 0; k < n; k++) {
		W[k] /= largest; /* squares of any weights fit a double */
		norm += matrix ? W[k] * W[k] : W[k];
	}
	norm = matrix ? sqrt(norm) : norm;
	for (size_t k = 0; k < n; k++)
		W[k] /= norm;
	return 0;
}

void
kith_immigrate_equal(size_t p, bool matrix, double *W)
{
	for (size_t k = 0; k < (matrix ? p * p : p); k++)
		W[k] = !matrix ? 1 / (double)p : k % (p + 1) == 0 ? 1 / sqrt((double)p) : 0;
}

void
kith_immigrate_random(uint64_t seed, uint64_t index, size_t p, bool matrix, double *W)
{
	struct kith_rng rng;

	kith_rng_seed(&rng, seed, KITH_RNG_START, index);
	for (size_t i = 0; i < (matrix ? p : 1); i++)
		for (size_t j = i; j < p; j++) {
			W[i * p + j] = kith_rng_unit(&rng);
			if (matrix)
				W[j * p + i] = W[i * p + j];
		}
	if (kith_immigrate_normalise(matrix ? p * p : p, matrix, W))
		kith_immigrate_equal(p, matrix, W); /* all numbers were 0 */
}

/* Step 1 of sigma: a part of the rows, with classes and weights of their own, in the pool. */
static struct kith_immigrate_rows
sample_rows(const struct kith_immigrate_rows *all, struct kith_pool *pool)
{
	const size_t N = all->X->n, c = all->c, most = KITH_IMMIGRATE_SIGMA_ROWS;
	struct kith_mat *X = kith_new(pool, 1, sizeof(*X));
	double *weight = kith_new(pool, N, sizeof(*weight));
	size_t *order, *row, *y, *start = kith_new(pool, c + 1, sizeof(*start)), n = 0;

	KITH_NEW_SIZES(pool, N, 1, &order, &row, &y);
	kith_sort_by_class(all->y, N, c, order, start);
	for (size_t h = 0; h < c; h++) {
		const size_t of = start[h + 1] - start[h];
		const double share = (double)of / (double)N * (double)most;
		const size_t m = N <= most ? of : (size_t)ceil(share);

		for (size_t k = 0; k < m; k++, n++) {
			row[n] = order[start[h] + k * of / m];
			y[n] = h;
			weight[n] = all->weight ? all->weight[row[n]] : 1;
		}
	}
	*X = kith_mat_rows(all->X, row, n, pool);
	return (struct kith_immigrate_rows){X, y, c, weight};
}

/* The median, m above; 0 where no row differs from a row of another class. */
static double
median_miss(const struct kith_immigrate_rows *rows, bool matrix, size_t threads)
{
	struct kith_pool tmp = {0};
	const size_t p = rows->X->p, n = rows->X->n;
	struct kith_pairs *pairs = kith_pairs_new(rows, 1, matrix, false, threads, &tmp);
	double *w = kith_new(&tmp, p, sizeof(*w)), *d = kith_new(&tmp, n, sizeof(*d)), m;
	size_t zeros = 0;

	for (size_t j = 0; j < p; j++)
		w[j] = matrix ? 1 / sqrt((double)p) : 1 / (double)p;
	pairs->metric = (struct kith_pair_metric){.w = w, .squared = matrix};
	kith_pairs_update(pairs);
	for (size_t i = 0; i < n; i++)
		d[i] = pairs->side[0][i].least;
	kith_sort_reals(d, n);
	while (!(d[(n - 1) / 2] > 0) && zeros < n && !(d[zeros] > 0))
		zeros++;
	m = zeros < n ? d[zeros + (n - zeros - 1) / 2] : 0;
	if (m > 0)
		m = fmax(fmin(ldexp(m, pairs->exponent), DBL_MAX), DBL_MIN);
	kith_pool_free(&tmp);
	return m;
}

/* The first of c classes whose expected distance is the least but for rounding. */
static size_t
predict(const double *V, size_t c)
{
	const double least = V[kith_vec_argmin(c, V)];
	size_t h = 0;

	while (V[h] > least + ROUNDING * fabs(least))
		h++;
	return h;
}

/*
 * Solves from W, into W; marks the rows that are predicted wrongly, each from all others, and
 * returns their share of the weight of the rows.
 */
static double
solve_and_predict(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how,
    bool matrix, double *W, bool *wrong)
{
	struct kith_pool tmp = {0};
	const size_t n = rows->X->n, c = rows->c;
	double *V = kith_new(&tmp, n, c * sizeof(*V)), errors = 0, total = 0;
	struct kith_immigrate_result result;

	kith_immigrate_solve(rows, how, matrix, W, &result, V);
	for (size_t i = 0; i < n; i++) {
		const double weight = rows->weight ? rows->weight[i] : 1;

		wrong[i] = predict(V + i * c, c) != rows->y[i];
		total += weight;
		errors += wrong[i] ? weight : 0;
	}
	kith_pool_free(&tmp);
	return total > 0 ? errors / total : 0;
}

static struct kith_immigrate_sigma
find_sigma(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how,
    bool matrix, const double *start)
{
	struct kith_pool pool = {0};
	const size_t p = rows->X->p, len = matrix ? p * p : p;
	struct kith_immigrate_sigma best = {.value = 1, .error = INFINITY};
	struct kith_immigrate_how trial = *how;
	const struct kith_immigrate_rows sample = sample_rows(rows, &pool);

	best.rows = sample.X->n;
	best.unit = median_miss(&sample, matrix, how->threads);
	trial.report = NULL;
	trial.threshold = 0;
	trial.max_iter = how->max_iter < TRIAL_ITERATIONS ? how->max_iter : TRIAL_ITERATIONS;
	trial.tol = fmax(how->tol, TRIAL_TOL);
	for (size_t k = 0; k < FACTORS && best.unit > 0; k++) {
		struct kith_pool tmp = {0};
		double *W = kith_new(&tmp, len, sizeof(*W)), error;
		bool *wrong = kith_new(&tmp, best.rows, sizeof(*wrong));

		memcpy(W, start, len * sizeof(*W));
		trial.sigma = fmax(fmin(factors[k] * best.unit, DBL_MAX), DBL_TRUE_MIN);
		error = solve_and_predict(&sample, &trial, matrix, W, wrong);
		if (error < best.error) {
			best.error = error;
			best.value = trial.sigma;
			best.factor = factors[k];
		}
		kith_pool_free(&tmp);
	}
	kith_pool_free(&pool);
	return best;
}

/* Solve from the start in W, at the sigma given or that of the rows. */
static struct kith_immigrate_sigma
fit_weights(const struct kith_immigrate_rows *rows, struct kith_immigrate_how how, bool matrix,
    double *W, struct kith_immigrate_result *result)
{
	struct kith_immigrate_sigma sigma = {.value = how.sigma};

	if (how.sigma == 0)
		sigma = find_sigma(rows, &how, matrix, W);
	how.sigma = sigma.value;
	kith_immigrate_solve(rows, &how, matrix, W, result, NULL);
	return sigma;
}

static double *
new_start(
    const struct kith_immigrate_problem *problem, size_t p, bool matrix, struct kith_pool *pool)
{
	const size_t len = matrix ? p * p : p;
	double *W = kith_new(pool, len, sizeof(*W));

	if (problem->start == KITH_IMMIGRATE_GIVEN)
		memcpy(W, problem->given, len * sizeof(*W));
	else if (problem->start == KITH_IMMIGRATE_RANDOM)
		kith_immigrate_random(problem->seed, 0, p, matrix, W);
	else
		kith_immigrate_equal(p, matrix, W);
	return W;
}

/*
 * Runs im4e and selects features: fit->column, whose columns alone X of `some` has from then on.
 * Returns the start of a matrix, the weights of im4e on its diagonal; NULL where none is selected.
 */
static double *
select_features(const struct kith_immigrate_problem *problem, struct kith_immigrate_rows *some,
    struct kith_immigrate_fit *fit, struct kith_pool *pool, struct kith_err *err)
{
	const size_t p = some->X->p;
	const double above = 1 / (double)p;
	struct kith_immigrate_how how = problem->how;
	struct kith_mat *X = kith_new(pool, 1, sizeof(*X));
	double *w = new_start(problem, p, false, pool), *W;
	size_t n = 0;

	how.report = NULL;
	fit_weights(some, how, false, w, &fit->select);
	fit->column = kith_new(pool, p, sizeof(*fit->column));
	kith_weights_order(p, w, fit->column);
	while (n < p && n < KITH_IMMIGRATE_SELECT_MAX && w[fit->column[n]] > above)
		n++;
	if (n == 0) {
		kith_fail(err, EX_DATAERR, "im4e gives no feature a weight above %g", above);
		return NULL;
	}
	kith_sort_sizes(fit->column, n);
	*X = kith_mat_take(some->X, fit->column, n, pool);
	some->X = X;
	W = kith_new(pool, n, n * sizeof(*W));
	for (size_t j = 0; j < n; j++)
		W[j * n + j] = w[fit->column[j]];
	kith_immigrate_normalise(n * n, true, W);
	return W;
}

int
kith_immigrate_fit(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_problem *problem, struct kith_immigrate_fit *fit,
    struct kith_pool *pool, struct kith_err *err)
{
	const bool matrix = problem->method != KITH_IMMIGRATE_VECTOR;
	struct kith_immigrate_rows some = *rows;
	double *W;
	size_t p;

	*fit = (struct kith_immigrate_fit){0};
	W = problem->method == KITH_IMMIGRATE_SELECTED
	    ? select_features(problem, &some, fit, pool, err)
	    : new_start(problem, rows->X->p, matrix, pool);
	if (!W)
		return -1;
	p = some.X->p;
	fit->sigma = fit_weights(&some, problem->how, matrix, W, &fit->result);
	fit->metric = (struct kith_metric){matrix ? KITH_ABSOLUTE_MATRIX : KITH_ABSOLUTE, p, W};
	return 0;
}

bool
kith_immigrate_is_fixed(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_problem *problem, const struct kith_immigrate_fit *fit)
{
	struct kith_check check[KITH_IMMIGRATE_CHECKS];
	struct kith_immigrate_how how = problem->how;

	assert(fit->metric.p == rows->X->p);
	if (fit->result.certain || !fit->result.may_be_fixed)
		return fit->result.certain;
	how.sigma = fit->sigma.value;
	return kith_check_all_ok(check,
	    kith_immigrate_check(
		rows, &how, kith_metric_is_matrix(fit->metric.kind), fit->metric.w, check));
}

/* What changes from learner to learner. */
struct boosting {
	struct kith_immigrate_rows rows; /* weight: D */
	const struct kith_immigrate_problem *problem;
	struct kith_immigrate_how how;
	const double *start; /* NULL: random */
	double classes;      /* K, with rows */
	double *D;           /* n, of sum 1 */
	bool *wrong;         /* n */
};

/* Train learner t at its sigma, with weights in W (p x p); whether it has a vote, alpha. */
static bool
train_learner(struct boosting *b, size_t t, double *W, struct kith_learner *learner,
    struct kith_immigrate_boost *boost)
{
	const size_t n = b->rows.X->n, p = b->rows.X->p;
	const double share = (double)t / (double)boost->learners;
	double e;

	b->how.sigma = boost->first * pow(boost->last / boost->first, share);
	if (b->start)
		memcpy(W, b->start, p * p * sizeof(*W));
	else
		kith_immigrate_random(b->problem->seed, t, p, true, W);
	e = solve_and_predict(&b->rows, &b->how, true, W, b->wrong);
	*learner = (struct kith_learner){
	    .number = t + 1, .sigma = b->how.sigma, .metric = {KITH_ABSOLUTE_MATRIX, p, W}};
	boost->perfect += e == 0;
	boost->useless += e >= 1 - 1 / b->classes;
	if (e == 0 || e >= 1 - 1 / b->classes)
		return false;
	learner->alpha = (log1p(-e) - log(e) + log(b->classes - 1)) / 2;
	for (size_t i = 0; i < n; i++)
		if (!b->wrong[i])
			b->D[i] /= exp(learner->alpha); /* D exp(alpha) at errors might overflow */
	kith_immigrate_normalise(n, false, b->D);
	return true;
}

/* The first row weights D, and K. */
static void
begin_boosting(struct boosting *b, struct kith_pool *tmp)
{
	const size_t n = b->rows.X->n;
	bool *seen = kith_new(tmp, b->rows.c, sizeof(*seen));

	b->D = kith_new(tmp, n, sizeof(*b->D));
	b->wrong = kith_new(tmp, n, sizeof(*b->wrong));
	for (size_t i = 0; i < n; i++) {
		b->classes += !seen[b->rows.y[i]];
		seen[b->rows.y[i]] = true;
		b->D[i] = b->rows.weight ? b->rows.weight[i] : 1;
	}
	kith_immigrate_normalise(n, false, b->D);
	b->rows.weight = b->D;
}

static void
train_all(struct boosting *b, struct kith_immigrate_boost *boost, struct kith_weights *ensemble,
    struct kith_pool *pool)
{
	struct kith_learner *kept = kith_new(pool, boost->learners, sizeof(*kept));
	struct kith_learner learner, perfect = {0};
	const size_t p = b->rows.X->p;
	double *W = NULL; /* weights that belong to no learner */

	kith_progress_phase("boost", boost->learners, "learners");
	for (size_t t = 0; t < boost->learners; t++, kith_progress_add(1)) {
		const bool first = boost->perfect == 0;

		if (!W)
			W = kith_new(pool, p, p * sizeof(*W));
		if (train_learner(b, t, W, &learner, boost))
			kept[boost->kept++] = learner;
		else if (first && boost->perfect == 1)
			perfect = learner;
		else
			continue;
		W = NULL;
	}
	kith_progress_end();
	if (boost->kept == 0 && boost->perfect > 0) {
		perfect.alpha = log(2 * (double)b->rows.X->n - 1) / 2;
		kept[boost->kept++] = perfect;
	}
	*ensemble = (struct kith_weights){
	    .metric = kept[0].metric, .learner = kept, .learners = boost->kept};
}

int
kith_immigrate_boost(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_problem *problem, struct kith_immigrate_boost *boost,
    struct kith_weights *ensemble, struct kith_pool *pool, struct kith_err *err)
{
	const bool selects = problem->method == KITH_IMMIGRATE_SELECTED;
	struct kith_pool tmp = {0};
	struct boosting b = {.rows = *rows, .problem = problem};
	struct kith_immigrate_fit fit = {0};
	size_t p;

	assert(boost->learners >= 1 && boost->max_iter >= 1 && boost->first >= boost->last);
	if (selects && !select_features(problem, &b.rows, &fit, pool, err))
		return -1;
	boost->select = fit.select;
	p = b.rows.X->p;
	if (!selects && problem->start != KITH_IMMIGRATE_RANDOM)
		b.start = new_start(problem, p, true, &tmp);
	b.how = problem->how;
	b.how.max_iter = boost->max_iter;
	b.how.report = NULL;
	if (boost->first == 0) {
		double *equal = kith_new(&tmp, p, p * sizeof(*equal)), sigma;

		kith_immigrate_equal(p, true, equal);
		sigma = find_sigma(&b.rows, &b.how, true, equal).value;
		boost->first = fmin(FIRST * sigma, DBL_MAX);
		boost->last = fmax(LAST * sigma, DBL_TRUE_MIN);
	}
	begin_boosting(&b, &tmp);
	train_all(&b, boost, ensemble, pool);
	ensemble->column = fit.column;
	kith_pool_free(&tmp);
	return boost->kept > 0
	    ? 0
	    : kith_fail(err, EX_DATAERR, "no learner is better than chance (other --sigma-range?)");
}
