/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/loo - leave one out with a scale: row i is predicted from the n - 1 others, all scaled as
 * the others say (table/unit.h).
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
 * All other rows are candidates where votes depend on all of them, and under a matrix of weights.
 * Where a number might be beyond the range of table/unit.h, which ends the run with a message, the
 * part is predicted as any other part.
 *
 * A number that is scaled has an error of |x - center| / s(i) times 2^-53, so a computed distance
 * of p features differs from d(i), and from the sum over w_j rho_j^2, by at most
 * (2^-48 + p 2^-53) S with S = sum_j w_j (range_j / s_j(i))^2; four times that is below
 * 2^-48 (p + 8) S, by which limits are widened and bounds lowered.
 */
#include "vote/internal.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "base/sort.h"
#include "near/knn.h"
#include "table/table.h"
#include "table/unit.h"
#include "table/weights.h"
#include "vote/predict.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum {
	SPARE = 8, /* rows that step 1 finds beyond k: with fewer, more rows need a search of their
		      own; more take longer to find */
	BLOCK = 16 /* parts that a thread predicts at a time */
};

static const size_t NONE = SIZE_MAX;

/*
 * S below which the weights are so small that products underflow: the error bound of the head does
 * not hold.
 */
static const double LEAST_SUM = 1e-280;

struct loo {
	const struct kith_sample *reference;
	struct kith_predict_how how;    /* with one thread */
	const size_t *part, *row;       /* n: the part of each row, the row of each part */
	struct kith_unit_others others; /* the scales s(i) */
	double *range;                  /* p: largest - least number of the feature */
	double *least;                  /* p: the smallest |x| that is not 0, or INFINITY */
	size_t most;                    /* the largest k */

	/* Step 1; nn NULL: all other rows are candidates. */
	const struct kith_neighbour *nn; /* n x listed */
	size_t listed;
	struct kith_mat X;  /* n x q: features that count, scaled by s */
	struct kith_mat R;  /* the rows of X that are searched */
	size_t *of, *place; /* the row of each row of R; its place in R of each row, or NONE */
	struct kith_metric metric; /* of the q features of X */
	size_t *kept;              /* q: the columns of the table that X has */
	double *scale;             /* p: s */
	double slack;              /* of distances d */

	/* Step 5. */
	bool fits;                 /* the vote has a bandwidth to fit */
	size_t *weighted;          /* packed.p: features whose weight is not 0 */
	struct kith_metric packed; /* how.metric of the weighted features */

	struct kith_predicted *out;
	struct kith_predicted *own; /* a copy of out for each thread, with a sigma of its own */
	struct kith_err *err;       /* of each block */
	bool *block_failed;
	atomic_bool failed;
};

/*
 * Returns whether numbers of a table with these ranges (p) pass all checks when they are scaled by
 * `scale` (p); sets to (p) to the ranges, scaled.  True proves it, false does not prove the
 * opposite.
 */
static bool
is_in_range(const struct loo *l, const double *scale, double *to)
{
	const struct kith_mat extreme = {1, l->reference->X.p, to};
	struct kith_origin from = *l->reference->from;
	struct kith_err ignored;

	for (size_t j = 0; j < extreme.p; j++) {
		to[j] = scale[j] > 0 ? l->range[j] / scale[j] : 0;
		/* As kith_unit_fit() checks that no two numbers become equal. */
		if (scale[j] > 1 && scale[j] / KITH_RANGE_MOST > l->least[j])
			return false;
	}
	if (kith_range_check(&extreme, &from, &ignored) ||
	    kith_predict_range(&l->how, &extreme, &from, &ignored))
		return false;
	from.metric = l->how.metric;
	return kith_range_check(&extreme, &from, &ignored) == 0;
}

/*
 * Returns by how much limits are widened (head of the file): range (p) has the ranges of all
 * features, scaled.
 */
static double
slack_of(const struct loo *l, const double *range)
{
	double sum = 0;

	for (size_t a = 0; a < l->metric.p; a++) {
		const double w = l->metric.w ? l->metric.w[a] : 1, r = range[l->kept[a]];

		sum += w * (l->metric.kind == KITH_SQUARED ? r * r : r);
	}
	return sum > LEAST_SUM ? 0x1p-48 * (double)(l->metric.p + 8) * sum : INFINITY;
}

/* Sets l->scale, and X and metric to the features that count, scaled; false: s does not serve. */
static bool
scale_all(struct loo *l, struct kith_pool *pool)
{
	const struct kith_unit_how how = {.method = l->how.scale, .width = 1};
	const struct kith_mat *X = &l->reference->X;
	double *center, *range;
	size_t q = 0;

	KITH_NEW_REALS(pool, X->p, 1, &l->scale, &center, &range);
	for (size_t j = 0; j < X->p; j++)
		if (kith_unit_column(&l->others.all[j], &how, &center[j], &l->scale[j]))
			return false;
	if (!is_in_range(l, l->scale, range))
		return false;
	l->kept = kith_new(pool, X->p, sizeof(*l->kept));
	for (size_t j = 0; j < X->p; j++)
		if (l->scale[j] > 0 && (!l->how.metric->w || l->how.metric->w[j] > 0))
			l->kept[q++] = j;
	if (q == 0)
		return false;
	l->metric = (struct kith_metric){l->how.metric->kind, q, NULL};
	if (l->how.metric->w)
		l->metric = kith_dist_pack(l->how.metric, l->kept, q, pool);
	l->slack = slack_of(l, range);
	l->X = kith_mat_take(X, l->kept, q, pool);
	for (size_t i = 0; i < X->n; i++)
		for (size_t a = 0; a < q; a++) {
			const size_t j = l->kept[a];
			double *x = &kith_row(&l->X, i)[a];

			*x = kith_unit_of(*x, center[j], l->scale[j]);
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

	l->fits = kith_predict_queries(&l->how, n, 0) > 0;
	if (l->how.vote->of_all || kith_metric_is_matrix(l->how.metric->kind) || k + l->fits >= n ||
	    !scale_all(l, pool))
		return;
	l->weighted = kith_new(pool, l->how.metric->p, sizeof(*l->weighted));
	l->packed = kith_dist_pack(
	    l->how.metric, l->weighted, kith_dist_kept(l->how.metric, l->weighted), pool);
	/* Rows i and j may both be copies of a row: k copies are to be left. */
	leave_copies_out(l, k + l->fits, pool);
	l->most = k;
	l->listed = k + SPARE < l->R.n ? k + SPARE : l->R.n - 1;
	nn = kith_grow(pool, NULL, n, l->listed * sizeof(*nn));
	knn = kith_knn_new(&l->R, &l->metric, n, pool);
	if (l->R.n == n)
		kith_knn_join(knn, l->listed, threads, nn);
	else
		kith_knn_search(knn, &l->X, l->place, l->listed, threads, nn);
	l->out->search = kith_knn_choice(knn, l->listed);
	l->nn = nn;
}

/* All rows but row i, into the pool. */
static size_t *
list_others(size_t n, size_t i, size_t *count, struct kith_pool *pool)
{
	size_t *row = kith_new(pool, n, sizeof(*row));

	*count = 0;
	for (size_t r = 0; r < n; r++)
		if (r != i)
			row[(*count)++] = r;
	return row;
}

/* The distances d(i), computed from rows of X, which are scaled by s. */
struct rescaled {
	struct kith_metric metric; /* w_j rho_j^2, or w_j rho_j */
	double least;              /* min_j rho_j^2, or rho_j */
	double slack;              /* of distances d(i); INFINITY: nothing is known of them */
};

/*
 * Sets v by unit = s(i), under which the features have the ranges range (p); weights in the pool.
 */
static void
rescale(const struct loo *l, const struct kith_unit *unit, const double *range, struct rescaled *v,
    struct kith_pool *pool)
{
	const size_t q = l->X.p;
	double *w = kith_new(pool, q, sizeof(*w));

	*v = (struct rescaled){{l->metric.kind, q, w}, INFINITY, slack_of(l, range)};
	for (size_t a = 0; a < q; a++) {
		const double s = unit->scale[l->kept[a]];
		const double rho = s > 0 ? l->scale[l->kept[a]] / s : 0;

		w[a] = l->metric.kind == KITH_SQUARED ? rho * rho : rho;
		v->least = fmin(v->least, w[a]);
		w[a] *= l->metric.w ? l->metric.w[a] : 1;
	}
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
	const struct kith_mat Z = {1, l->X.p, kith_row(&l->X, i)};
	const struct kith_neighbour *nn = l->nn + i * l->listed;
	struct kith_knn_lists lists = {.nn = NULL};
	size_t held = l->most, *row;
	double limit = 0;

	for (size_t e = 0; e < l->most; e++)
		limit = fmax(limit, kith_dist(&v->metric, Z.v, kith_row(&l->R, nn[e].row)));
	limit += v->slack;
	while (held < l->listed && !is_beyond(l, v, nn[held].d, limit))
		held++;
	if (held == l->listed && held + (l->place[i] != NONE) < l->R.n) {
		kith_knn_within(kith_knn_new(&l->R, &v->metric, 1, pool), &Z, &l->place[i], limit,
		    1, &lists, pool);
		nn = lists.nn;
		held = lists.start[1];
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
take_rows(const struct loo *l, const size_t *row, size_t n, const struct kith_unit *unit,
    struct kith_sample *to, struct kith_pool *pool)
{
	kith_sample_rows(l->reference, row, n, to, pool);
	to->from = NULL;
	for (size_t e = 0; e < n; e++) {
		double *x = kith_row(&to->X, e);

		for (size_t j = 0; j < to->X.p; j++)
			x[j] = kith_unit_of(x[j], unit->center[j], unit->scale[j]);
	}
}

/*
 * Step 5 for row j: the k smallest distances d(i) of other rows than i and j, ascending, into
 * d (k).  X has the weighted features of all rows but row i, scaled by s(i).  False: the list of
 * row j does not prove them.
 */
static bool
find_nearest(const struct loo *l, size_t i, size_t j, const struct rescaled *v,
    const struct kith_mat *X, double *d)
{
	const struct kith_neighbour *nn = l->nn + j * l->listed;
	size_t held = 0;

	for (size_t e = 0; e < l->listed; e++) {
		const size_t r = l->of[nn[e].row];
		size_t at = held;
		double own;

		if (held == l->most && is_beyond(l, v, nn[e].d, d[held - 1]))
			return true;
		if (r == i)
			continue;
		kith_dist_rows(
		    &l->packed, kith_row(X, j - (j > i)), kith_row(X, r - (r > i)), 1, &own);
		if (held == l->most && own >= d[held - 1])
			continue;
		held += held < l->most;
		for (at -= at == l->most; at > 0 && d[at - 1] > own; at--)
			d[at] = d[at - 1];
		d[at] = own;
	}
	return held == l->most && l->listed + (l->place[j] != NONE) == l->R.n;
}

/*
 * Step 5: the bandwidths for row i, one of each k, into the pool; X has all other rows, scaled by
 * s(i).
 */
static double *
fit_sigmas(const struct loo *l, size_t i, const struct rescaled *v, const struct kith_mat *X,
    bool *flat, struct kith_pool *pool)
{
	const struct kith_predict_how *how = &l->how;
	const size_t n = X->n, most = l->most, m = kith_sigma_asks(&how->sigma, n);
	const struct kith_mat Y = l->packed.p < X->p
	    ? kith_mat_take(X, l->weighted, l->packed.p, pool)
	    : *X;
	double *sigma, *distance, *of_k;
	struct kith_neighbour *nn;
	size_t *place, *row, left = 0;

	KITH_NEW_SIZES(pool, m, 1, &place, &row);
	sigma = kith_new(pool, how->nk, sizeof(*sigma));
	distance = kith_new(pool, m * most, sizeof(*distance));
	of_k = kith_new(pool, m, sizeof(*of_k));
	for (size_t t = 0; t < m; t++) {
		const size_t r = t * n / m;

		if (!find_nearest(l, i, r + (r >= i), v, &Y, distance + t * most)) {
			place[left] = t;
			row[left++] = r;
		}
	}
	if (left > 0) {
		const struct kith_mat Z = kith_mat_rows(&Y, row, left, pool);

		nn = kith_new(pool, left * most, sizeof(*nn));
		kith_knn_search(kith_knn_new(&Y, &l->packed, left, pool), &Z, row, most, 1, nn);
		for (size_t e = 0; e < left * most; e++)
			distance[place[e / most] * most + e % most] = nn[e].d;
	}
	for (size_t a = 0; a < how->nk; a++) {
		for (size_t t = 0; t < m; t++)
			of_k[t] = sqrt(distance[t * most + how->k[a] - 1]);
		sigma[a] = kith_sigma_third(&how->sigma, of_k, m);
		if (sigma[a] == 0) {
			*flat = true;
			sigma[a] = 1;
		}
	}
	return sigma;
}

/* Predicts row i from the other rows, scaled by unit = s(i), under which features have `range`. */
static int
predict_scaled(const struct loo *l, size_t i, const struct kith_unit *unit, const double *range,
    struct kith_predicted *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_predict_how how = l->how;
	struct kith_sample reference, query;
	struct rescaled v;
	bool bounded = false;
	size_t *row, n;

	if (l->nn) {
		rescale(l, unit, range, &v, pool);
		bounded = isfinite(v.slack);
	}
	if (!bounded || l->fits) {
		row = list_others(l->reference->X.n, i, &n, pool);
		take_rows(l, row, n, unit, &reference, pool);
	}
	if (bounded) {
		if (l->fits)
			how.fitted = fit_sigmas(l, i, &v, &reference.X, &out->flat, pool);
		row = find_candidates(l, i, &v, &n, pool);
		take_rows(l, row, n, unit, &reference, pool);
	}
	take_rows(l, &i, 1, unit, &query, pool);
	return kith_predict_rows(&reference, &how, &query.X, &i, out, err);
}

/* Predicts the row of part f into out. */
static int
predict_row(const struct loo *l, size_t f, struct kith_predicted *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t i = l->row[f];
	struct kith_unit unit;
	double *range;
	int got;

	KITH_NEW_REALS(&tmp, l->reference->X.p, 1, &unit.center, &unit.scale, &range);
	if (kith_unit_of_others(&l->others, i, &unit) || !is_in_range(l, unit.scale, range))
		got = kith_predict_part(l->reference, &l->how, l->part, f, out, err);
	else
		got = predict_scaled(l, i, &unit, range, out, &tmp, err);
	kith_pool_free(&tmp);
	return got;
}

/*
 * Predicts the rows of a block of parts.  After a failure no block begins, but blocks before the
 * one that failed have begun: the first block that fails is the same for any number of threads.
 */
static void
predict_block(void *arg, size_t block, size_t thread)
{
	struct loo *l = arg;
	struct kith_predicted *own = &l->own[thread];
	const size_t n = l->reference->X.n, end = (block + 1) * BLOCK < n ? (block + 1) * BLOCK : n;
	double *const scratch = own->sigma;

	if (atomic_load(&l->failed))
		return;
	for (size_t f = block * BLOCK; f < end && !l->block_failed[block]; f++) {
		if (f == n - 1)
			own->sigma = l->out->sigma;
		if (predict_row(l, f, own, &l->err[block])) {
			l->block_failed[block] = true;
			atomic_store(&l->failed, true);
		}
		if (f == n - 1 && !l->nn)
			l->out->search = own->search;
	}
	own->sigma = scratch;
}

/* Sets range and least of each feature. */
static void
find_ranges(struct loo *l)
{
	const struct kith_mat *X = &l->reference->X;

	for (size_t j = 0; j < X->p; j++) {
		l->range[j] = l->others.all[j].max - l->others.all[j].min;
		l->least[j] = INFINITY;
		for (size_t i = 0; i < X->n; i++) {
			const double x = fabs(kith_row(X, i)[j]);

			if (x > 0 && x < l->least[j])
				l->least[j] = x;
		}
	}
}

int
kith_predict_scaled_loo(const struct kith_sample *reference, const struct kith_predict_how *how,
    const size_t *part, const size_t *row, struct kith_predicted *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = reference->X.n, threads = how->threads, blocks = (n + BLOCK - 1) / BLOCK;
	struct loo l = {.reference = reference, .how = *how, .part = part, .row = row, .out = out};
	size_t b = 0;

	l.how.threads = 1;
	l.others = kith_unit_others_new(how->scale, &reference->X, &tmp);
	KITH_NEW_REALS(&tmp, reference->X.p, 1, &l.range, &l.least);
	find_ranges(&l);
	find_lists(&l, threads, &tmp);
	l.err = kith_new(&tmp, blocks, sizeof(*l.err));
	l.block_failed = kith_new(&tmp, blocks, sizeof(*l.block_failed));
	l.own = kith_new(&tmp, threads, sizeof(*l.own));
	for (size_t t = 0; t < threads; t++) {
		l.own[t] = *out;
		l.own[t].sigma = kith_new(&tmp, how->nk, sizeof(*out->sigma));
	}
	kith_par_told(threads, blocks, predict_block, &l,
	    &(struct kith_par_phase){"cross-validation", n, "parts"});
	for (size_t t = 0; t < threads; t++)
		out->flat = out->flat || l.own[t].flat;
	while (b < blocks && !l.block_failed[b])
		b++;
	if (b < blocks)
		*err = l.err[b];
	kith_pool_free(&tmp);
	return b < blocks ? -1 : 0;
}
