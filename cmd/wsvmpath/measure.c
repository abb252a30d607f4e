/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the solutions of a path do on other rows, exactly and for all theta, by a measure of
 *
 *	error    the share of rows, by cost, with y f <= 0, or of several machines with the most
 *	         votes for another class; constant between the zeros of f, eq. (37)
 *	squared  the root of the mean, by cost, of (y - f)^2
 *	ndcg     the mean, by cost, of NDCG at K (score/score.h) over the queries; constant between
 *	         the crossings of scores of one query
 *
 * of Karasuyama, Harada, Sugiyama and Takeuchi (2012).  At single thetas, such as the zeros
 * themselves, the measure may have another value.  It is a sum of the losses of rows, or of the
 * NDCG of queries.
 *
 *	1. For each piece of a path, list what changes: the sign of f of a row (find_flips()), NDCG
 *	   where two scores of a query cross (rank_query()), or the parabola that the squared errors
 *	   are on the piece (square()).
 *	2. Apply the changes of all paths in order of theta (apply()); between two changes the
 *	   measure is constant, or of squared errors a sum of parabolas, and is added as an interval
 *	   (advance()).
 *
 * The standard error over parts is that of table/trial.h.  Without parts it takes the rows (ndcg:
 * the queries) for parts: with the losses l_i of n rows, the share c_i of row i in the costs, and
 * their mean e,
 *
 *	se^2 = sum_i c_i (l_i - e)^2 / (n - 1)	(squared: / (4 rmse^2))
 *
 * which for errors is e (1 - e) / (n - 1).
 */
#include "wsvmpath.h"

#include "base/sort.h"
#include "score/score.h"
#include "table/trial.h"

#include <string.h>

/* Thetas that differ by less are one: where all f are 0 but for rounding, their zeros differ so. */
#define ROUNDING 1e-14

/* What changes at theta. */
struct change {
	double theta;
	size_t path;
	size_t of;    /* error: the row whose f changes its sign; ndcg: the query */
	double value; /* from here on: 1 where f > 0, else 0; ndcg: NDCG by cost */
	const struct parabola *square; /* squared: the losses on the piece that begins here */
};

/* The sum of losses: least + curve (theta - lowest)^2. */
struct parabola {
	long double least, lowest, curve;
	double se; /* without parts: the standard error where it is least on the piece */
};

static void
add_change(struct measure *p, double theta, size_t of, double value, const struct parabola *square)
{
	p->change = kith_more(&p->pool, p->change, p->changes, &p->capacity, sizeof(*p->change));
	p->change[p->changes++] = (struct change){theta, 0, of, value, square};
}

static void
set_loss(struct measure *p, size_t i, double value)
{
	size_t at = p->leaves + i;

	p->tree[at] = value;
	for (at /= 2; at > 0; at /= 2)
		p->tree[at] = p->tree[2 * at] + p->tree[2 * at + 1];
}

void
measure_begin(struct measure *p, const struct test *test, const size_t *row, size_t m)
{
	const bool ranks = options.task == KITH_SVM_RANK;
	const size_t units = ranks ? test->queries : m;
	size_t *of;

	*p = (struct measure){.test = test, .m = m};
	KITH_NEW_SIZES(&p->pool, m, 1, &p->class, &p->ranking, &of);
	KITH_NEW_SIZES(&p->pool, units + 2, 1, &p->start);
	KITH_NEW_REALS(&p->pool, m, 1, &p->y);
	KITH_NEW_REALS(&p->pool, units, 1, &p->cost);
	p->is_positive = kith_new(&p->pool, m, sizeof(*p->is_positive));
	p->tied = kith_new(&p->pool, m, sizeof(*p->tied));
	for (p->leaves = 1; p->leaves < units;)
		p->leaves *= 2;
	p->tree = kith_new(&p->pool, p->leaves, 2 * sizeof(*p->tree));
	for (size_t i = 0; i < m; i++) { /* rows that do not count come last */
		p->y[i] = test->y[row[i]];
		p->class[i] = test->class[row[i]];
		of[i] = isnan(p->y[i]) ? units : ranks ? test->query[row[i]] : i;
	}
	kith_sort_by_class(of, m, units + 1, p->ranking, p->start);
	for (size_t u = 0; u < units; u++)
		if (p->start[u] < p->start[u + 1]) {
			p->n++;
			p->cost[u] = test->cost[row[p->ranking[p->start[u]]]];
			set_loss(p, u, p->cost[u]);
		}
	p->weight = p->tree[1];
	memset(p->tree, 0, p->leaves * 2 * sizeof(*p->tree));
}

/* Returns where the line through (from, a) and (to, b), of different signs, is 0. */
static double
find_zero(double from, double to, double a, double b)
{
	const double theta = from + (to - from) * (a / (a - b));

	return theta < from ? from : theta > to ? to : theta;
}

/*
 * Lists where f of a row becomes positive, or is positive no more, at the start of a piece or
 * within; of one machine y f.  An f that is 0 at one end of a piece has the sign of the other end.
 */
static void
find_flips(struct measure *p, double from, double to, const double *f0, const double *f1)
{
	for (size_t i = 0; i < p->m; i++) {
		const double y = p->test->classes > 2 ? 1 : p->y[i];
		const double a = y * (f0[i] + from * f1[i]), b = y * (f0[i] + to * f1[i]);
		const bool left = a > 0 || (a == 0 && b > 0), right = b > 0 || (b == 0 && a > 0);

		if (left != p->is_positive[i])
			add_change(p, from, i, left, NULL);
		if (left != right)
			add_change(p, find_zero(from, to, a, b), i, right, NULL);
		p->is_positive[i] = right;
	}
}

/* Orders the rows of query q by their scores at theta; returns NDCG. */
static double
rank_at(struct measure *p, size_t q, double theta, const double *f0, const double *f1)
{
	struct kith_pool tmp = {0};
	const size_t n = p->start[q + 1] - p->start[q];
	size_t *row = p->ranking + p->start[q], counted;
	struct kith_ranked *place = kith_new(&tmp, n, sizeof(*place));
	double *y, *f, ndcg;

	KITH_NEW_REALS(&tmp, n, 1, &y, &f);
	for (size_t i = 0; i < n; i++)
		place[i] = (struct kith_ranked){f0[row[i]] + theta * f1[row[i]], row[i]};
	kith_sort_ranked(place, n);
	for (size_t i = 0; i < n; i++) {
		row[i] = place[i].of;
		y[i] = p->y[row[i]];
		f[i] = place[i].by;
		p->tied[p->start[q] + i] = i > 0 && place[i].by == place[i - 1].by;
	}
	ndcg = kith_score_ndcg(y, f, NULL, n, options.ndcg, &counted);
	kith_pool_free(&tmp);
	return ndcg;
}

/* Returns by how much the score of row s exceeds the score of row t at theta. */
static double
lead(size_t s, size_t t, double theta, const double *f0, const double *f1)
{
	return f0[s] + theta * f1[s] - f0[t] - theta * f1[t];
}

/* Returns whether the rows of q have the order and the ties of the last piece at both ends. */
static bool
has_order(
    const struct measure *p, size_t q, double from, double to, const double *f0, const double *f1)
{
	for (size_t i = p->start[q] + 1; i < p->start[q + 1]; i++) {
		const double a = lead(p->ranking[i - 1], p->ranking[i], from, f0, f1);
		const double b = lead(p->ranking[i - 1], p->ranking[i], to, f0, f1);

		if (!(a >= 0 && b >= 0 && (a == 0 && b == 0) == p->tied[i]))
			return false;
	}
	return p->begun;
}

/* Lists the NDCG of query q in the piece, from each crossing of two scores to the next. */
static void
rank_query(struct measure *p, size_t q, double from, double to, const double *f0, const double *f1)
{
	const size_t end = p->start[q + 1], g = end - p->start[q];
	struct kith_pool tmp = {0};
	double *at;
	size_t n = 0;

	if (g == 0 || has_order(p, q, from, to, f0, f1))
		return;
	at = kith_new(&tmp, g * (g - 1) / 2 + 1, sizeof(*at));
	for (size_t i = p->start[q]; i < end; i++)
		for (size_t j = i + 1; j < end; j++) {
			const double a = lead(p->ranking[i], p->ranking[j], from, f0, f1);
			const double b = lead(p->ranking[i], p->ranking[j], to, f0, f1);

			if ((a < 0 && b > 0) || (a > 0 && b < 0))
				at[n++] = find_zero(from, to, a, b);
		}
	kith_sort_reals(at, n);
	at[n++] = to;
	for (size_t i = 0; i < n; i++) {
		const double middle = from + (at[i] - from) / 2;

		if (!(at[i] > from + ROUNDING) && i + 1 < n)
			continue;
		add_change(p, from, q, p->cost[q] * rank_at(p, q, middle, f0, f1), NULL);
		from = at[i];
	}
	kith_pool_free(&tmp);
}

/* Returns the sum of cost e^2, e = y - f at theta, or with a mean of cost (e^2 - mean)^2. */
static long double
sum_squares(const struct measure *p, long double theta, const double *f0, const double *f1,
    const long double *mean)
{
	long double sum = 0;

	for (size_t i = 0; i < p->m; i++) {
		const long double e = (long double)p->y[i] - f0[i] - theta * f1[i];
		const long double d = mean ? e * e - *mean : e;

		if (p->cost[i] > 0)
			sum += (long double)p->cost[i] * d * d;
	}
	return sum;
}

/*
 * Lists the parabola of a piece: the sum of cost (e - t f1)^2 for theta = from + t and e = y - f at
 * `from` is least at t = sum cost e f1 / sum cost f1^2.
 */
static void
square(struct measure *p, double from, double to, const double *f0, const double *f1)
{
	struct parabola *s = kith_new(&p->pool, 1, sizeof(*s));
	const long double W = p->weight, n = (long double)p->n;
	long double es = 0, theta, mean;

	for (size_t i = 0; i < p->m; i++) {
		if (!(p->cost[i] > 0))
			continue;
		es += (long double)p->cost[i] * f1[i] *
		    ((long double)p->y[i] - f0[i] - (long double)from * f1[i]);
		s->curve += (long double)p->cost[i] * f1[i] * f1[i];
	}
	s->lowest = s->curve > 0 ? from + es / s->curve : from;
	s->least = sum_squares(p, s->lowest, f0, f1, NULL);
	add_change(p, from, 0, 0, s);
	if (options.parts)
		return;
	theta = fmaxl(from, fminl(s->lowest, to));
	mean = sum_squares(p, theta, f0, f1, NULL) / W;
	s->se = n < 2 ? NAN : 0;
	if (n > 1 && mean > 0)
		s->se = (double)sqrtl(
		    sum_squares(p, theta, f0, f1, &mean) / (W * (n - 1) * 4 * mean));
}

void
measure_piece(struct measure *p, double from, double to, const double *f0, const double *f1)
{
	if (!(to > from))
		return;
	if (options.task == KITH_SVM_CLASSIFY)
		find_flips(p, from, to, f0, f1);
	else if (options.task == KITH_SVM_REGRESS)
		square(p, from, to, f0, f1);
	for (size_t q = 0; options.task == KITH_SVM_RANK && q < p->test->queries; q++)
		rank_query(p, q, from, to, f0, f1);
	p->begun = true;
}

/* All paths, gone through side by side: the losses of part i are in path[i * machines]. */
struct sweep {
	struct measure *path;
	size_t parts, machines;
	double theta; /* the intervals end here */
	double least; /* an interval is longer */
	long double *loss;
	double *weight; /* parts */
	struct intervals *out;
};

/* Returns the measure at theta and its standard error over the parts. */
static struct kith_trial
add_losses(const struct sweep *s, double theta)
{
	const bool squared = options.task == KITH_SVM_REGRESS;
	struct kith_trial trial = {.errors = 0};

	for (size_t i = 0; i < s->parts; i++) {
		const struct measure *p = &s->path[i * s->machines];

		s->loss[i] = p->tree[1];
		s->weight[i] = p->weight;
		trial.errors += p->errors;
		if (squared) {
			const long double t = theta - p->square->lowest;

			s->loss[i] = p->square->least + p->square->curve * t * t;
		}
	}
	kith_trial_sums(s->loss, s->weight, s->parts, squared, &trial);
	return trial;
}

/* Returns where the sum of the parabolas is least between the present theta and `to`. */
static double
find_least(const struct sweep *s, double to)
{
	long double sum = 0, curve = 0;

	for (size_t i = 0; i < s->parts; i++) {
		const struct parabola *square = s->path[i].square;

		sum += square->curve * (square->lowest - s->theta);
		curve += square->curve;
	}
	return sum > 0 && curve > 0 ? fmin(to, (double)(s->theta + sum / curve)) : s->theta;
}

/* Returns the standard error of the value of a path without parts: over its rows or queries. */
static double
standard_error(const struct measure *p, double value)
{
	const double n = (double)p->n;
	long double sum = 0;

	if (options.task == KITH_SVM_REGRESS)
		return p->square->se;
	if (p->n < 2)
		return NAN;
	if (options.task == KITH_SVM_CLASSIFY)
		return sqrt(value * (1 - value) / (n - 1));
	for (size_t q = 0; q < p->test->queries; q++) {
		const long double c = p->cost[q];
		const long double d = c > 0 ? p->tree[p->leaves + q] / c - value : 0;

		sum += c * d * d;
	}
	return (double)sqrtl(sum / (p->weight * (long double)(n - 1)));
}

/*
 * Adds the interval from the present theta to `to`, where a loss changes, or extends the last one
 * of this measure.
 */
static void
advance(struct sweep *s, double to)
{
	const bool squared = options.task == KITH_SVM_REGRESS;
	struct intervals *out = s->out;
	struct interval *last = out->n > 0 ? &out->v[out->n - 1] : NULL;
	struct interval now = {.from = s->theta, .to = to};

	if (!(to > s->theta + s->least))
		return;
	now.theta = squared ? find_least(s, to) : s->theta + (to - s->theta) / 2;
	if (squared) {
		now.value_from = add_losses(s, s->theta).error;
		now.value_to = add_losses(s, to).error;
	}
	now.at = add_losses(s, now.theta);
	if (!options.parts)
		now.at.se = standard_error(s->path, now.at.error);
	s->theta = to;
	if (last && !squared && last->at.errors == now.at.errors &&
	    last->at.error == now.at.error &&
	    (last->at.se == now.at.se || (isnan(last->at.se) && isnan(now.at.se)))) {
		last->to = to;
		last->theta = last->from + (to - last->from) / 2;
		return;
	}
	out->v = kith_more(out->pool, out->v, out->n, &out->capacity, sizeof(*out->v));
	out->v[out->n++] = now;
}

/* Predicts row i of a part by the present votes: of one machine, for y f > 0 or not. */
static void
predict(struct sweep *s, struct measure *p, size_t i, double theta)
{
	const size_t c = p->test->classes, *votes = p->votes + i * c;
	const size_t class = p->class[i];
	size_t best = 0;
	bool wrong;

	for (size_t h = 1; h < c; h++)
		if (votes[h] > votes[best])
			best = h;
	wrong = class != KITH_NO_CLASS && best != class;
	if (wrong == p->wrong[i])
		return;
	advance(s, theta);
	p->errors += (size_t)wrong - (size_t)p->wrong[i];
	p->wrong[i] = wrong;
	set_loss(p, i, p->cost[i] * wrong);
}

/* Counts the votes of the machines of a part, all for their first class, and predicts the rows. */
static void
count_votes(struct sweep *s, struct measure *p)
{
	size_t first, second;

	KITH_NEW_SIZES(&p->pool, p->m, p->test->classes, &p->votes);
	p->wrong = kith_new(&p->pool, p->m, sizeof(*p->wrong));
	for (size_t o = 0; o < s->machines; o++) {
		kith_machine_pair(p->test->classes, o, &first, &second);
		for (size_t i = 0; p[o].begun && i < p->m; i++)
			p->votes[i * p->test->classes + first]++;
	}
	for (size_t i = 0; i < p->m; i++)
		predict(s, p, i, 0);
}

static void
apply(struct sweep *s, const struct change *c)
{
	struct measure *p = &s->path[c->path - c->path % s->machines];

	if (options.task == KITH_SVM_CLASSIFY) {
		const bool plus = c->value > 0;
		size_t class[2], *votes = p->votes + c->of * p->test->classes;

		kith_machine_pair(p->test->classes, c->path % s->machines, &class[0], &class[1]);
		votes[class[!plus]]--;
		votes[class[plus]]++;
		predict(s, p, c->of, c->theta);
		return;
	}
	advance(s, c->theta);
	p->square = c->square;
	if (options.task == KITH_SVM_RANK)
		set_loss(p, c->of, c->value);
}

size_t
add_measures(struct measure *path, size_t parts, size_t machines, struct intervals *out)
{
	struct kith_pool tmp = {0};
	struct sweep s = {.path = path, .parts = parts, .machines = machines, .out = out};
	struct kith_ranked *order;
	struct change *all;
	size_t n = 0, rows = 0;

	for (size_t i = 0; i < parts * machines; i++)
		n += path[i].changes;
	all = kith_new(&tmp, n, sizeof(*all));
	order = kith_new(&tmp, n, sizeof(*order));
	s.least = options.task == KITH_SVM_REGRESS ? 0 : ROUNDING;
	s.loss = kith_new(&tmp, parts, sizeof(*s.loss));
	KITH_NEW_REALS(&tmp, parts, 1, &s.weight);
	n = 0;
	for (size_t i = 0; i < parts * machines; i++)
		for (size_t k = 0; k < path[i].changes; k++, n++) {
			all[n] = path[i].change[k];
			all[n].path = i;
			order[n] = (struct kith_ranked){-all[n].theta, n};
		}
	kith_sort_ranked(order, n); /* of equal thetas in the order of a path */
	for (size_t i = 0; i < parts; i++) {
		rows += path[i * machines].n;
		if (options.task == KITH_SVM_CLASSIFY)
			count_votes(&s, &path[i * machines]);
	}
	for (size_t i = 0; i < n && 1 > all[order[i].of].theta + s.least; i++)
		apply(&s, &all[order[i].of]);
	advance(&s, 1);
	kith_pool_free(&tmp);
	return rows;
}
