/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/loo - kith_predict_cv() of vote/predict.h: the rows of a part are predicted from the rows of
 * all other parts, in the units that the other parts have (table/unit.h).
 *
 * Leave one out, where row i is predicted from the n - 1 others, does not scale all of them anew:
 *
 * Let s_j be the scale of feature j by all rows, s_j(i) that by all but row i, and
 * rho_j = s_j / s_j(i), or 0 where the feature is constant without row i.  With differences D of
 * two rows, not scaled, the distances under the two scales are
 *
 *	d    = sum_j w_j (D_j / s_j)^2
 *	d(i) = sum_j w_j rho_j^2 (D_j / s_j)^2 >= min_j rho_j^2 d,
 *
 * with |D_j / s_j| and rho_j in place of the squares for KITH_ABSOLUTE.
 *
 * 1. The k + SPARE nearest rows of each row under d are found in one search among the rows with at
 *    most k earlier copies: ties go by row number, so that others are never among k nearest rows.
 * 2. For row i, the largest d(i) of the first k of these rows is a limit: the k nearest rows
 *    under d(i) are within it.
 * 3. The candidates for row i are the rows that step 1 found, without those at the end of the list
 *    that the bound proves to be beyond the limit.  Where the bound does not prove that of the last
 *    row of the list, and so of all rows that step 1 did not find, the candidates are all rows
 *    within the limit under d(i).
 * 4. The candidates are scaled by s(i), and vote as a reference of their own: a row is not
 *    distinguished from a reference of all other rows, for ties go by row number in both.
 *
 * 5. A bandwidth that is fitted (kernel/sigma.h) takes the distances of other rows j to their k-th
 *    neighbours under d(i), without row i.  Of the list of row j, in its order, distances d(i) are
 *    computed until the bound proves that the k smallest of them are the k smallest of all; where
 *    it does not before the list ends, the neighbours of row j are searched.
 *
 * All other rows are candidates where votes depend on all of them, where a bandwidth is fitted, and
 * under a matrix of weights.
 * Where a number might be beyond the range of table/unit.h, which ends the run with a message, row
 * i is predicted as any other part.
 *
 * A number that is scaled has an error of |x - center| / s(i) times 2^-53, so a computed distance
 * of p features differs from d(i), and from the sum over w_j rho_j^2, by at most
 * (2^-48 + p 2^-53) S with S = sum_j w_j (range_j / s_j(i))^2; four times that is below
 * 2^-48 (p + 8) S, by which limits are widened and bounds lowered.
 */
#include "vote/predict.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/sort.h"
#include "near/knn.h"
#include "table/table.h"
#include "table/unit.h"
#include "table/weights.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum {
	SPARE = 8 /* rows that step 1 finds beyond k: with fewer, more rows need a search of their
		     own; more take longer to find */
};

static const size_t NONE = SIZE_MAX;

/*
 * S below which the weights are so small that products underflow: the error bound of the head does
 * not hold.
 */
static const double LEAST_SUM = 1e-280;

/* ---- A part ---- */

/* Sets `to` to n rows of a sample, in the pool. */
static void
take_rows(const struct kith_sample *all, const size_t *row, size_t n, struct kith_sample *to,
    struct kith_pool *pool)
{
	size_t *y = kith_new(pool, n, sizeof(*y));
	double *t = kith_new(pool, n, sizeof(*t));

	for (size_t i = 0; i < n; i++)
		if (all->y)
			y[i] = all->y[row[i]];
		else
			t[i] = all->t[row[i]];
	*to = (struct kith_sample){
	    kith_mat_rows(&all->X, row, n, pool), all->y ? y : NULL, all->c, t, all->from};
}

/* Scales `reference` and Z, rows `row` and `query` of a sample, by `reference`. */
static int
scale(struct kith_sample *reference, const size_t *row, struct kith_mat *Z, const size_t *query,
    const struct kith_predict_how *how, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_origin known = *reference->from, asked = known;
	struct kith_unit unit;

	known.row = row;
	asked.row = query;
	if (kith_unit_scale(how->scale, &reference->X, &known, Z, &asked, &unit, pool, err))
		return -1;
	known.scaled = asked.scaled = true;
	return kith_predict_range(how, &reference->X, &known, err) ||
		kith_predict_range(how, Z, &asked, err)
	    ? -1
	    : 0;
}

/* Predicts the rows of part f (part NULL: row f) from all others into out. */
static int
predict_part(const struct kith_sample *all, const struct kith_predict_how *how, const size_t *part,
    size_t f, struct kith_predicted *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_sample reference;
	struct kith_mat Z;
	size_t *query, *row, m = 0, n = 0;
	int got = 0;

	KITH_NEW_SIZES(&tmp, all->X.n, 1, &query, &row);
	for (size_t i = 0; i < all->X.n; i++)
		if ((part ? part[i] : i) == f)
			query[m++] = i;
		else
			row[n++] = i;
	take_rows(all, row, n, &reference, &tmp);
	Z = kith_mat_rows(&all->X, query, m, &tmp);
	if (n == 0) /* rows that were left out may leave none */
		got = kith_fail(err, EX_DATAERR, "a part has all rows");
	else if (m > 0 && how->scale)
		got = scale(&reference, row, &Z, query, how, &tmp, err);
	if (got == 0 && m > 0)
		got = kith_predict(&reference, how, &Z, query, out, err);
	kith_pool_free(&tmp);
	return got;
}

/* ---- Leave one out ---- */

struct loo {
	const struct kith_sample *reference;
	struct kith_predict_how how;    /* with one thread */
	struct kith_unit_others others; /* the scales s(i) */
	double least;                   /* the smallest |x| that is not 0, or INFINITY */
	size_t most;                    /* the largest k */

	/* Step 1; nn NULL: all other rows are candidates. */
	const struct kith_neighbour *nn; /* n x listed */
	size_t listed;
	struct kith_mat X;  /* n x q: features that count, scaled by s */
	struct kith_mat R;  /* the rows of X that are searched */
	size_t *of, *place; /* the row of each row of R; its place in R of each row, or NONE */
	struct kith_metric metric; /* of the q features of X */
	size_t *kept;              /* q: the columns of the table that X has */
	const double *scale;       /* p: s */
	double slack;              /* of distances d */
	bool fits;                 /* step 5: the vote has a bandwidth to fit */

	struct kith_predicted *out;
	struct kith_knn_choice search; /* of step 1, or else of the last row */
	atomic_bool flat, failed;
};

/* Returns the range of column j, scaled. */
static double
range_of(const struct loo *l, size_t j, double scale)
{
	return scale > 0 ? (l->others.all[j].max - l->others.all[j].min) / scale : 0;
}

/*
 * Returns whether the numbers of the table pass all checks when they are scaled by `scale` (p).
 * True proves it, false does not prove the opposite.
 */
static bool
is_in_range(const struct loo *l, const double *scale, struct kith_pool *pool)
{
	const struct kith_mat extreme = kith_mat_new(pool, 1, l->reference->X.p);
	struct kith_err ignored;

	for (size_t j = 0; j < extreme.p; j++) {
		extreme.v[j] = range_of(l, j, scale[j]);
		/* As kith_unit_fit() checks that no two numbers become equal. */
		if (scale[j] > 1 && scale[j] / KITH_RANGE_MOST > l->least)
			return false;
	}
	return kith_range_check(&extreme, l->reference->from, &ignored) == 0 &&
	    kith_predict_range(&l->how, &extreme, l->reference->from, &ignored) == 0;
}

/* Returns by how much limits are widened (head of the file) under this scale (p). */
static double
slack_of(const struct loo *l, const double *scale)
{
	double sum = 0;

	for (size_t a = 0; a < l->metric.p; a++) {
		const double w = l->metric.w ? l->metric.w[a] : 1;
		const double r = range_of(l, l->kept[a], scale[l->kept[a]]);

		sum += w * (l->metric.kind == KITH_SQUARED ? r * r : r);
	}
	return sum > LEAST_SUM ? 0x1p-48 * (double)(l->metric.p + 8) * sum : INFINITY;
}

/* Sets scale, X, kept, metric and slack; false: s does not serve. */
static bool
scale_all(struct loo *l, struct kith_pool *pool)
{
	const struct kith_sample *all = l->reference;
	const double *w = l->how.metric->w;
	struct kith_unit unit;
	struct kith_err ignored;
	size_t q = 0;

	if (kith_unit_fit(l->how.scale, &all->X, all->from, &unit, pool, &ignored) ||
	    !is_in_range(l, unit.scale, pool))
		return false;
	l->scale = unit.scale;
	l->kept = kith_new(pool, unit.p, sizeof(*l->kept));
	for (size_t j = 0; j < unit.p; j++)
		if (unit.scale[j] > 0 && (!w || w[j] > 0))
			l->kept[q++] = j;
	if (q == 0)
		return false;
	l->metric = kith_dist_pack(l->how.metric, l->kept, q, pool);
	l->slack = slack_of(l, unit.scale);
	l->X = kith_mat_take(&all->X, l->kept, q, pool);
	for (size_t e = 0; e < l->X.n * q; e++) {
		const size_t j = l->kept[e % q];

		l->X.v[e] = kith_unit_of(l->X.v[e], unit.center[j], unit.scale[j]);
	}
	return isfinite(l->slack);
}

/* Sets R, `of` and `place`: the rows of X with at most k earlier copies. */
static void
leave_copies_out(struct loo *l, size_t k, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = l->X.n;
	size_t *point, *copies, m = 0;

	KITH_NEW_SIZES(&tmp, n, 1, &point, &copies);
	KITH_NEW_SIZES(pool, n, 1, &l->of, &l->place);
	kith_points_find(&l->X, point);
	for (size_t i = 0; i < n; i++) {
		l->place[i] = copies[point[i]]++ <= k ? m : NONE;
		if (l->place[i] != NONE)
			l->of[m++] = i;
	}
	l->R = m < n ? kith_mat_rows(&l->X, l->of, m, pool) : l->X;
	kith_pool_free(&tmp);
}

/* Step 1, where it serves. */
static void
find_lists(struct loo *l, size_t threads, struct kith_pool *pool)
{
	const size_t n = l->reference->X.n, k = kith_largest_size(l->how.k, l->how.nk);
	const struct kith_knn *knn;
	struct kith_neighbour *nn;

	l->fits = kith_predict_asks(&l->how, n) > 0;
	if (l->how.vote->of_all || kith_metric_is_matrix(l->how.metric->kind) || k + l->fits >= n ||
	    !scale_all(l, pool))
		return;
	/* Rows i and j may both be copies of a row: k copies are to be left. */
	leave_copies_out(l, k + l->fits, pool);
	l->most = k;
	l->listed = k + SPARE < l->R.n ? k + SPARE : l->R.n - 1;
	nn = kith_grow(pool, NULL, n, l->listed * sizeof(*nn));
	knn = kith_knn_new(&l->R, &l->metric, n, pool);
	kith_knn_search(knn, l->R.n == n ? NULL : &l->X, l->place, l->listed, threads, nn);
	l->search = kith_knn_choice(knn, l->listed);
	l->nn = nn;
}

/* The distances d(i), computed from rows of X, which are scaled by s. */
struct rescaled {
	struct kith_metric metric; /* w_j rho_j^2, or w_j rho_j */
	double least;              /* min_j rho_j^2, or rho_j */
	double slack;              /* of distances d(i) */
};

/* Sets v by unit = s(i); weights in the pool.  False: nothing bounds the distances. */
static bool
rescale(
    const struct loo *l, const struct kith_unit *unit, struct rescaled *v, struct kith_pool *pool)
{
	const size_t q = l->X.p;
	double *w = kith_new(pool, q, sizeof(*w));

	*v = (struct rescaled){{l->metric.kind, q, w}, INFINITY, slack_of(l, unit->scale)};
	for (size_t a = 0; a < q; a++) {
		const double s = unit->scale[l->kept[a]];
		const double rho = s > 0 ? l->scale[l->kept[a]] / s : 0;

		w[a] = l->metric.kind == KITH_SQUARED ? rho * rho : rho;
		v->least = fmin(v->least, w[a]);
		w[a] *= l->metric.w ? l->metric.w[a] : 1;
	}
	return isfinite(v->slack);
}

/* Whether all rows with distances d >= `from` have distances d(i) > limit. */
static bool
is_beyond(const struct loo *l, const struct rescaled *v, double from, double limit)
{
	return v->least * (from - l->slack) - v->slack > limit;
}

/* Steps 2 and 3: the candidates for row i, in order, into the pool. */
static size_t *
find_candidates(
    const struct loo *l, size_t i, const struct rescaled *v, size_t *count, struct kith_pool *pool)
{
	const struct kith_neighbour *nn = l->nn + i * l->listed;
	struct kith_mat Z = {1, l->X.p, kith_row(&l->X, i)}, R = l->R;
	struct kith_metric metric = v->metric;
	struct kith_neighbour *within;
	size_t held = l->most, *row;
	double limit = 0;

	for (size_t e = 0; e < l->most; e++)
		limit = fmax(limit, kith_dist(&v->metric, Z.v, kith_row(&l->R, nn[e].row)));
	limit += v->slack;
	while (held < l->listed && !is_beyond(l, v, nn[held].d, limit))
		held++;
	if (held == l->listed && held + (l->place[i] != NONE) < l->R.n) {
		kith_dist_pack_rows(&metric, &R, &Z, pool);
		held = kith_knn_within(kith_knn_new(&R, &metric, 1, pool), &Z, &l->place[i], limit,
		    1, &within, pool)[1];
		nn = within;
	}
	row = kith_new(pool, held, sizeof(*row));
	for (size_t e = 0; e < held; e++)
		row[e] = l->of[nn[e].row];
	kith_sort_sizes(row, held);
	*count = held;
	return row;
}

/* Sets `to` to n rows of the reference, scaled by unit, in the pool. */
static void
take_scaled(const struct loo *l, const size_t *row, size_t n, const struct kith_unit *unit,
    struct kith_sample *to, struct kith_pool *pool)
{
	take_rows(l->reference, row, n, to, pool);
	kith_unit_rows(unit, &to->X); /* is_in_range() was true */
}

/*
 * Step 5 for row j: the nearest of other rows than i and j by d(i), in order, into to (most).  X
 * has the features of the metric of all rows but row i, scaled by s(i).  False: the list of row j
 * does not prove that they are the nearest.
 */
static bool
find_nearest(const struct loo *l, size_t i, size_t j, const struct rescaled *v,
    const struct kith_metric *metric, const struct kith_mat *X, struct kith_neighbour *to)
{
	const struct kith_neighbour *nn = l->nn + j * l->listed;
	size_t held = 0;

	for (size_t e = 0; e < l->listed; e++) {
		const size_t r = l->of[nn[e].row];
		size_t at;
		double d;

		if (held == l->most && is_beyond(l, v, nn[e].d, to[held - 1].d))
			return true;
		if (r == i)
			continue;
		kith_dist_rows(metric, kith_row(X, j - (j > i)), kith_row(X, r - (r > i)), 1, &d);
		if (held == l->most && d >= to[held - 1].d)
			continue;
		held += held < l->most;
		for (at = held - 1; at > 0 && to[at - 1].d > d; at--)
			to[at] = to[at - 1];
		to[at] = (struct kith_neighbour){r, d};
	}
	return held == l->most && l->listed + (l->place[j] != NONE) == l->R.n;
}

/*
 * Step 5: the bandwidths for row i, one of each k, into the pool; X has all other rows, scaled by
 * s(i).
 */
static double *
fit_sigmas(const struct loo *l, size_t i, const struct rescaled *v, struct kith_mat X, bool *flat,
    struct kith_pool *pool)
{
	const struct kith_predict_how *how = &l->how;
	const size_t n = X.n, most = l->most, m = kith_sigma_asks(&how->sigma, n);
	struct kith_metric metric = *how->metric;
	double *sigma = kith_new(pool, how->nk, sizeof(*sigma));
	struct kith_neighbour *nn = kith_new(pool, m, most * sizeof(*nn));
	struct kith_err ignored; /* no distance is below 0 */
	const struct kith_knn *knn;

	kith_dist_pack_rows(&metric, &X, NULL, pool);
	knn = kith_knn_new(&X, &metric, 1, pool);
	for (size_t t = 0; t < m; t++) {
		const size_t r = t * n / m;
		const struct kith_mat Z = {1, X.p, kith_row(&X, r)};

		if (!find_nearest(l, i, r + (r >= i), v, &metric, &X, nn + t * most))
			kith_knn_search(knn, &Z, &r, most, 1, nn + t * most);
	}
	kith_sigma_of(&how->sigma, nn, m, most, how->k, how->nk, sigma, flat, &ignored);
	return sigma;
}

/* Predicts row i from the other rows, scaled by unit = s(i). */
static int
predict_scaled(const struct loo *l, size_t i, const struct kith_unit *unit,
    struct kith_predicted *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_predict_how how = l->how;
	struct kith_sample reference = {0}, query;
	struct rescaled v;
	const bool bounded = l->nn && rescale(l, unit, &v, pool);
	size_t n = l->reference->X.n - 1, *row;

	if (bounded && !l->fits)
		row = find_candidates(l, i, &v, &n, pool);
	else {
		row = kith_new(pool, n, sizeof(*row));
		for (size_t e = 0; e < n; e++)
			row[e] = e + (e >= i);
	}
	take_scaled(l, row, n, unit, &reference, pool);
	if (bounded && l->fits)
		how.fitted = fit_sigmas(l, i, &v, reference.X, &out->flat, pool);
	take_scaled(l, &i, 1, unit, &query, pool);
	return kith_predict(&reference, &how, &query.X, &i, out, err);
}

/* Predicts row i; the bandwidths that are reported are of the last row. */
static int
predict_row(struct loo *l, size_t i, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t p = l->reference->X.p, nk = l->how.nk;
	struct kith_predicted own = *l->out;
	struct kith_unit unit = {.p = p};
	int got;

	own.sigma = kith_new(&tmp, nk, sizeof(*own.sigma));
	KITH_NEW_REALS(&tmp, p, 1, &unit.center, &unit.scale);
	if (kith_unit_of_others(&l->others, i, &unit) || !is_in_range(l, unit.scale, &tmp))
		got = predict_part(l->reference, &l->how, NULL, i, &own, err);
	else
		got = predict_scaled(l, i, &unit, &own, &tmp, err);
	if (own.flat)
		atomic_store(&l->flat, true);
	if (i == l->reference->X.n - 1) {
		memcpy(l->out->sigma, own.sigma, nk * sizeof(*own.sigma));
		l->search = l->nn ? l->search : own.search;
	}
	kith_pool_free(&tmp);
	return got;
}

/* Predicts row i, unless a row failed; a kith_par() task. */
static void
try_row(void *arg, size_t i, size_t thread)
{
	struct loo *l = arg;
	struct kith_err ignored;

	(void)thread;
	if (!atomic_load(&l->failed) && predict_row(l, i, &ignored))
		atomic_store(&l->failed, true);
}

/* kith_predict_cv() where each of n >= 2 rows is a part and there is a scale. */
static int
predict_others(const struct kith_sample *reference, const struct kith_predict_how *how,
    struct kith_predicted *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = reference->X.n, p = reference->X.p;
	struct loo l = {
	    .reference = reference, .how = *how, .least = INFINITY, .out = out, .flat = false};
	int got = 0;

	l.how.threads = 1;
	l.others = kith_unit_others_new(how->scale, &reference->X, &tmp);
	for (size_t e = 0; e < n * p; e++)
		if (reference->X.v[e] != 0)
			l.least = fmin(l.least, fabs(reference->X.v[e]));
	find_lists(&l, how->threads, &tmp);
	kith_par_told(
	    how->threads, n, try_row, &l, &(struct kith_par_phase){"cross-validation", n, "parts"});
	/* The first row that fails is the same for any number of threads. */
	for (size_t i = 0; l.failed && got == 0; i++)
		got = predict_row(&l, i, err);
	out->flat = l.flat;
	out->search = l.search;
	kith_pool_free(&tmp);
	return got;
}

int
kith_predict_cv(const struct kith_sample *reference, const struct kith_predict_how *how,
    const size_t *part, size_t parts, struct kith_predicted *out, struct kith_err *err)
{
	int got = 0;

	if (!part && !how->scale)
		return kith_predict(reference, how, NULL, NULL, out, err);
	if (!part && parts > 1)
		return predict_others(reference, how, out, err);
	kith_progress_phase("cross-validation", parts, "parts");
	for (size_t f = 0; f < parts && got == 0; f++) {
		got = predict_part(reference, how, part, f, out, err);
		kith_progress_add(1);
	}
	kith_progress_end();
	return got;
}
