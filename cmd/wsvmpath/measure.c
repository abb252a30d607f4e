/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the solutions of a path do on other rows, exactly and for all theta, by a measure of
 *
 *	error    the share of rows, by cost, with y f <= 0; constant between the zeros of f,
 *	         eq. (37)
 *	squared  the root of the mean, by cost, of (y - f)^2
 *	ndcg     the mean, by cost, of NDCG at K (score/score.h) over the queries; constant between
 *	         the crossings of scores of one query; of equal scores the earlier row comes first
 *
 * of Karasuyama, Harada, Sugiyama and Takeuchi (2012).  At single thetas, such as the zeros
 * themselves, the measure may have another value.  It is a sum of the losses of rows, or of the
 * NDCG of queries.
 *
 *	1. For each piece of the path, list where the loss of a row changes: at a zero of f, or
 *	   where two scores of a query cross (rank_query()).
 *	2. Apply the changes in order of theta (sweep()); between two changes the measure is
 *	   constant.
 *	3. Join neighbours of one value to an interval (extend()).
 *
 * Squared errors are a parabola on each piece (square()).
 *
 * The standard error takes the rows (ndcg: the queries) for the parts of table/trial.h: with the
 * losses l_i of n rows, the share c_i of row i in the costs, and their mean e,
 *
 *	se^2 = sum_i c_i (l_i - e)^2 / (n - 1)	(squared: / (4 rmse^2))
 *
 * which for errors is e (1 - e) / (n - 1).
 */
#include "wsvmpath.h"

#include "base/sort.h"
#include "score/score.h"
#include "table/trial.h"

#include <stdlib.h>
#include <string.h>

/* The step function as far as it is known; its last interval may be extended. */
struct steps {
	struct intervals *out;
	struct interval last;
	bool begun;
};

/* NDCG: the rows of query q are row[start[q]] ... row[start[q + 1] - 1], in their present order. */
struct ranking {
	size_t *start, *row; /* queries + 2, m */
	bool *ranked;        /* queries: row is in the order of a piece */
	bool *tied;          /* m: row[i] has the score of row[i - 1] in that piece */
	double *y, *p;       /* m: work space for one query */
};

/*
 * The sum of losses is tree[1]; it does not depend on the order of changes, because tree[i] =
 * tree[2 i] + tree[2 i + 1], and the loss of row (ndcg: query) i is tree[leaves + i].
 */
struct measure {
	struct part *part;
	const struct test *test; /* of the part */
	size_t rows;             /* rows or queries */
	size_t leaves;
	double *tree; /* 2 leaves */
	bool *wrong;  /* rows */
	size_t errors;
	struct changes changes; /* in the present piece */
	struct ranking ranking;
	struct steps steps;
};

/* Returns whether there is nothing but rounding between two thetas: where all f are 0 but for
   rounding, their zeros are as close as that. */
static bool
is_same(double from, double to)
{
	return !(to > from + 1e-14);
}

static void
add_interval(struct intervals *out, const struct interval *interval)
{
	out->v = kith_more(out->pool, out->v, out->n, &out->capacity, sizeof(*out->v));
	out->v[out->n++] = *interval;
}

/* Adds the last interval of the steps, if any, which ends at `to`. */
static void
close_steps(struct steps *s, double to)
{
	if (!s->begun)
		return;
	s->last.to = to;
	s->last.theta = s->last.from + (to - s->last.from) / 2;
	add_interval(s->out, &s->last);
	s->begun = false;
}

/* The measure is `now` between two thetas.  Returns whether a new interval begins. */
static bool
extend(struct steps *s, double from, double to, const struct interval *now)
{
	const struct interval *last = &s->last;

	if (is_same(from, to))
		return false;
	if (s->begun && last->errors == now->errors && last->value == now->value &&
	    (last->se == now->se || (isnan(last->se) && isnan(now->se)))) {
		s->last.to = to;
		return false;
	}
	if (s->begun)
		from = last->to; /* intervals of no length are left out */
	close_steps(s, last->to);
	s->last = *now;
	s->last.from = from;
	s->last.to = to;
	s->begun = true;
	return true;
}

static double
target(const struct test *test, size_t i)
{
	return test->y[test_row(test, i)];
}

static bool
counts(const struct test *test, size_t i)
{
	return !isnan(target(test, i));
}

static double
query_cost(const struct test *test, size_t q)
{
	return test->query_cost ? test->query_cost[q] : 1;
}

/* Returns whether query q has a row that counts. */
static bool
query_counts(const struct ranking *r, size_t q)
{
	return r->start[q] < r->start[q + 1];
}

static void
set_loss(struct measure *m, size_t i, double value)
{
	size_t at = m->leaves + i;

	m->tree[at] = value;
	for (at /= 2; at > 0; at /= 2)
		m->tree[at] = m->tree[2 * at] + m->tree[2 * at + 1];
}

static void
begin_ranking(struct measure *m, struct kith_pool *pool)
{
	const struct test *test = m->test;
	struct ranking *r = &m->ranking;
	size_t *of;

	KITH_NEW_SIZES(pool, test->queries + 2, 1, &r->start);
	KITH_NEW_SIZES(pool, test->m, 1, &r->row, &of);
	r->ranked = kith_new(pool, test->queries, sizeof(*r->ranked));
	r->tied = kith_new(pool, test->m, sizeof(*r->tied));
	KITH_NEW_REALS(pool, test->m, 1, &r->y, &r->p);
	for (size_t i = 0; i < test->m; i++) /* rows that do not count come last */
		of[i] = counts(test, i) ? test->query[test_row(test, i)] : test->queries;
	kith_sort_by_class(of, test->m, test->queries + 1, r->row, r->start);
	for (size_t q = 0; q < test->queries; q++)
		if (query_counts(r, q)) {
			m->part->n++;
			m->part->weight += query_cost(test, q);
		}
}

struct measure *
measure_new(struct part *part, struct kith_pool *pool)
{
	const struct test *test = &part->test;
	struct measure *m = kith_new(pool, 1, sizeof(*m));

	*m = (struct measure){.part = part, .test = test, .changes.pool = pool};
	m->steps.out = &part->intervals;
	m->rows = options.measure == KITH_SVM_NDCG ? test->queries : test->m;
	for (m->leaves = 1; m->leaves < m->rows;)
		m->leaves *= 2;
	m->tree = kith_new(pool, m->leaves, 2 * sizeof(*m->tree));
	m->wrong = kith_new(pool, m->rows, sizeof(*m->wrong));
	part->n = 0;
	part->weight = 0;
	if (options.measure == KITH_SVM_NDCG) {
		begin_ranking(m, pool);
		return m;
	}
	for (size_t i = 0; i < test->m; i++)
		if (counts(test, i)) {
			part->n++;
			set_loss(m, i, test_cost(test, i));
		}
	part->weight = m->tree[1];
	memset(m->tree, 0, m->leaves * 2 * sizeof(*m->tree));
	return m;
}

static int
by_theta(const void *a, const void *b)
{
	const struct change *s = a, *t = b;

	if (s->theta != t->theta)
		return s->theta < t->theta ? -1 : 1;
	return (s->row > t->row) - (s->row < t->row);
}

void
sort_changes(struct changes *list)
{
	if (list->n > 0)
		qsort(list->v, list->n, sizeof(*list->v), by_theta);
}

/* Returns the standard error of the present value. */
static double
standard_error(const struct measure *m, double value)
{
	const double n = (double)m->part->n;
	long double sum = 0;

	if (m->part->n < 2)
		return NAN;
	if (options.measure == KITH_SVM_ERROR)
		return sqrt(value * (1 - value) / (n - 1));
	for (size_t q = 0; q < m->rows; q++) {
		const double c = query_cost(m->test, q);
		const long double d = c > 0 ? m->tree[m->leaves + q] / (long double)c - value : 0;

		if (query_counts(&m->ranking, q))
			sum += c * d * d;
	}
	return (double)sqrtl(sum / (m->part->weight * (long double)(n - 1)));
}

/* The losses have their present values between two thetas. */
static void
extend_now(struct measure *m, double from, double to)
{
	const struct interval now = {.errors = m->errors,
	    .value = m->part->weight > 0 ? m->tree[1] / m->part->weight : 0,
	    .sum = m->tree[1],
	    .se = m->steps.last.se};

	if (extend(&m->steps, from, to, &now) && !options.parts)
		m->steps.last.se = standard_error(m, now.value);
}

/* Applies the changes of the piece, in order of theta. */
static void
sweep(struct measure *m, double from, double to)
{
	struct changes *changes = &m->changes;

	sort_changes(changes);
	for (size_t i = 0; i < changes->n; i++) {
		const struct change *c = &changes->v[i];

		if (!is_same(from, c->theta)) {
			extend_now(m, from, c->theta);
			from = c->theta;
		}
		m->errors += (size_t)c->wrong - (size_t)m->wrong[c->row];
		m->wrong[c->row] = c->wrong;
		set_loss(m, c->row, c->value);
	}
	extend_now(m, from, to);
	changes->n = 0;
}

/* Lists where row i becomes wrong, y f <= 0, or right, at the start of a piece or within. */
static void
find_errors(struct measure *m, size_t i, double from, double to, double f0, double f1)
{
	const double y = target(m->test, i), a = y * (f0 + from * f1), b = y * (f0 + to * f1);
	const bool first = a < 0 || (a == 0 && b <= 0), last = b < 0 || (b == 0 && a <= 0);

	if (first != m->wrong[i])
		add_change(&m->changes, from, i, test_cost(m->test, i) * first, first);
	if (first != last)
		add_change(
		    &m->changes, find_zero(from, to, a, b), i, test_cost(m->test, i) * last, last);
}

/* Orders the rows of query q by their scores at theta; returns NDCG. */
static double
rank_at(struct measure *m, size_t q, double theta, const double *f0, const double *f1)
{
	struct ranking *r = &m->ranking;
	struct kith_pool tmp = {0};
	const size_t n = r->start[q + 1] - r->start[q];
	size_t *row = r->row + r->start[q], counted;
	struct kith_ranked *place = kith_new(&tmp, n, sizeof(*place));

	for (size_t i = 0; i < n; i++)
		place[i] = (struct kith_ranked){f0[row[i]] + theta * f1[row[i]], row[i]};
	kith_sort_ranked(place, n);
	for (size_t i = 0; i < n; i++) {
		row[i] = place[i].of;
		r->y[i] = target(m->test, row[i]);
		r->p[i] = place[i].by;
		r->tied[r->start[q] + i] = i > 0 && place[i].by == place[i - 1].by;
	}
	kith_pool_free(&tmp);
	return kith_score_ndcg(
	    &(struct kith_score_ranking){.n = n, .p = r->p, .y = r->y}, options.ndcg, &counted);
}

/* Returns whether the rows of q have the order and the ties of the last piece at both ends. */
static bool
has_order(
    const struct ranking *r, size_t q, double from, double to, const double *f0, const double *f1)
{
	for (size_t i = r->start[q] + 1; i < r->start[q + 1]; i++) {
		const size_t s = r->row[i - 1], t = r->row[i];
		const double a = f0[s] + from * f1[s] - f0[t] - from * f1[t];
		const double b = f0[s] + to * f1[s] - f0[t] - to * f1[t];

		if (!(a >= 0 && b >= 0 && (a == 0 && b == 0) == r->tied[i]))
			return false;
	}
	return r->ranked[q];
}

/* Lists the thetas in the piece where scores of q cross, in order; returns their number. */
static size_t
find_crossings(const struct ranking *r, size_t q, double from, double to, const double *f0,
    const double *f1, double *at)
{
	size_t n = 0;

	for (size_t i = r->start[q]; i < r->start[q + 1]; i++)
		for (size_t j = i + 1; j < r->start[q + 1]; j++) {
			const size_t s = r->row[i], t = r->row[j];
			const double a = f0[s] + from * f1[s] - f0[t] - from * f1[t];
			const double b = f0[s] + to * f1[s] - f0[t] - to * f1[t];

			if ((a < 0 && b > 0) || (a > 0 && b < 0))
				at[n++] = find_zero(from, to, a, b);
		}
	kith_sort_reals(at, n);
	return n;
}

/* Lists the NDCG of query q in the piece, from each crossing to the next. */
static void
rank_query(struct measure *m, size_t q, double from, double to, const double *f0, const double *f1)
{
	struct ranking *r = &m->ranking;
	const size_t g = r->start[q + 1] - r->start[q];
	struct kith_pool tmp = {0};
	double *at;
	size_t n;

	if (g == 0 || has_order(r, q, from, to, f0, f1))
		return;
	at = kith_new(&tmp, g * (g - 1) / 2 + 1, sizeof(*at));
	n = find_crossings(r, q, from, to, f0, f1, at);
	at[n++] = to;
	for (size_t i = 0; i < n; i++) {
		const double middle = from + (at[i] - from) / 2;

		if (is_same(from, at[i]) && i + 1 < n)
			continue;
		add_change(&m->changes, from, q,
		    query_cost(m->test, q) * rank_at(m, q, middle, f0, f1), false);
		from = at[i];
	}
	r->ranked[q] = true;
	kith_pool_free(&tmp);
}

/* Returns the sum of cost e^2, e = y - f at theta, or with a mean of cost (e^2 - mean)^2. */
static long double
sum_squares(const struct test *test, long double theta, const double *f0, const double *f1,
    const long double *mean)
{
	long double sum = 0;

	for (size_t i = 0; i < test->m; i++) {
		const long double e = (long double)target(test, i) - f0[i] - theta * f1[i];
		const long double d = mean ? e * e - *mean : e;

		if (counts(test, i))
			sum += (long double)test_cost(test, i) * d * d;
	}
	return sum;
}

/* Returns the root of the mean of squared errors at theta; *se, unless se is NULL, is its error. */
static double
root_mean(const struct measure *m, double theta, const double *f0, const double *f1, double *se)
{
	const long double weight = m->part->weight, n = (long double)m->part->n;
	const long double sum = sum_squares(m->test, theta, f0, f1, NULL);
	const double value = weight > 0 ? (double)sqrtl(sum / weight) : 0;
	const long double mean = (long double)value * value;

	if (se)
		*se = m->part->n < 2 ? NAN : 0;
	if (se && m->part->n > 1 && value > 0)
		*se = (double)(sqrtl(sum_squares(m->test, theta, f0, f1, &mean) /
				   (weight * (n - 1))) /
		    (2 * (long double)value));
	return value;
}

/*
 * Adds the parabola of a piece: the sum of cost (e - t f1)^2 for theta = from + t and e = y - f at
 * `from` is least at t = sum cost e f1 / sum cost f1^2.
 */
static void
square(struct measure *m, double from, double to, const double *f0, const double *f1)
{
	const struct test *test = m->test;
	struct interval piece = {.from = from, .to = to, .lowest = from};
	long double es = 0;

	for (size_t i = 0; i < test->m; i++) {
		if (!counts(test, i))
			continue;
		es += (long double)test_cost(test, i) * f1[i] *
		    ((long double)target(test, i) - f0[i] - (long double)from * f1[i]);
		piece.curve += (long double)test_cost(test, i) * f1[i] * f1[i];
	}
	if (piece.curve > 0)
		piece.lowest += es / piece.curve;
	if (options.parts) {
		piece.least = sum_squares(test, piece.lowest, f0, f1, NULL);
	} else {
		piece.theta = piece.lowest < from ? from
		    : piece.lowest < to           ? (double)piece.lowest
						  : to;
		piece.value_from = root_mean(m, from, f0, f1, NULL);
		piece.value_to = root_mean(m, to, f0, f1, NULL);
		piece.value = root_mean(m, piece.theta, f0, f1, &piece.se);
	}
	add_interval(m->steps.out, &piece);
}

void
measure_piece(struct measure *m, double from, double to, const double *f0, const double *f1)
{
	if (!(to > from))
		return;
	if (options.measure == KITH_SVM_SQUARED) {
		square(m, from, to, f0, f1);
		return;
	}
	for (size_t i = 0; i < m->rows; i++)
		if (options.measure == KITH_SVM_ERROR)
			find_errors(m, i, from, to, f0[i], f1[i]);
		else
			rank_query(m, i, from, to, f0, f1);
	sweep(m, from, to);
}

void
measure_end(struct measure *m)
{
	close_steps(&m->steps, 1);
}

void
measure_changes(struct measure *m, const struct changes *changes)
{
	m->changes = *changes;
	sweep(m, 0, 1);
	measure_end(m);
}

/* Parts that are gone through side by side. */
struct parts {
	const struct part *part;
	size_t n;
	size_t *at;        /* n: the present interval of each part */
	long double *loss; /* n */
	double *weight;    /* n */
};

/* Returns the present interval of part i. */
static const struct interval *
present(const struct parts *p, size_t i)
{
	return &p->part[i].intervals.v[p->at[i]];
}

/* Returns the error and its standard error from the losses of all parts. */
static struct kith_trial
add_losses(const struct parts *p)
{
	struct kith_trial trial = {.errors = 0};

	kith_trial_sums(p->loss, p->weight, p->n, options.measure == KITH_SVM_SQUARED, &trial);
	return trial;
}

/* Returns the root of the mean of squared errors at theta. */
static struct kith_trial
add_squares(struct parts *p, double theta)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct interval *s = present(p, i);
		const long double t = theta - s->lowest;

		p->loss[i] = (double)(s->least + s->curve * t * t);
	}
	return add_losses(p);
}

/* Returns where in the interval the sum of parabolas is least. */
static double
lowest_of(const struct parts *p, double from, double to)
{
	long double sum = 0, curve = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct interval *s = present(p, i);

		sum += s->curve * (s->lowest - from);
		curve += s->curve;
	}
	if (!(sum > 0) || !(curve > 0))
		return from;
	sum = from + sum / curve;
	return sum < to ? (double)sum : to;
}

static void
add_parabolas(struct parts *p, double from, double to, struct intervals *out)
{
	struct interval it = {.from = from, .to = to, .theta = lowest_of(p, from, to)};
	struct kith_trial trial;

	if (!(to > from))
		return;
	it.value_from = add_squares(p, from).error;
	it.value_to = add_squares(p, to).error;
	trial = add_squares(p, it.theta);
	it.value = trial.error;
	it.se = trial.se;
	add_interval(out, &it);
}

static void
add_steps(struct parts *p, double from, double to, struct steps *steps)
{
	struct interval now = {.errors = 0};
	struct kith_trial trial;

	for (size_t i = 0; i < p->n; i++) {
		p->loss[i] = present(p, i)->sum;
		now.errors += present(p, i)->errors;
	}
	trial = add_losses(p);
	now.value = trial.error;
	now.se = trial.se;
	extend(steps, from, to, &now);
}

void
add_parts(const struct part *part, size_t n, struct intervals *out)
{
	struct kith_pool tmp = {0};
	struct parts p = {.part = part, .n = n};
	struct steps steps = {.out = out};
	double from = 0, to;
	bool more = true;

	KITH_NEW_SIZES(&tmp, n, 1, &p.at);
	KITH_NEW_REALS(&tmp, n, 1, &p.weight);
	p.loss = kith_new(&tmp, n, sizeof(*p.loss));
	for (size_t i = 0; i < n; i++)
		p.weight[i] = part[i].weight;
	while (more) {
		to = 1; /* the next breakpoint of a part */
		for (size_t i = 0; i < n; i++)
			if (p.at[i] + 1 < part[i].intervals.n)
				to = fmin(to, present(&p, i)->to);
		if (options.measure == KITH_SVM_SQUARED)
			add_parabolas(&p, from, to, out);
		else
			add_steps(&p, from, to, &steps);
		from = to;
		more = false;
		for (size_t i = 0; i < n; i++)
			if (p.at[i] + 1 < part[i].intervals.n) {
				p.at[i] += present(&p, i)->to <= to;
				more = true;
			}
	}
	close_steps(&steps, 1);
	kith_pool_free(&tmp);
}
