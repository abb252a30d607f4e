/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parts of a trial have l_i / w_i (struct score), i = 1..N.  Over rows, parts or queries
 *
 *	value = sum_i l_i / sum_i w_i,			rmse: its square root,
 *	se    = sd(l_i / w_i) / sqrt(N),		rmse: / (2 value)	(table/trial.h)
 *
 * where parts without a value, w_i = 0, are left out.  With --loo and --test, value is taken over
 * all rows together, and se over the losses of the rows; NaN where the measure is no mean of
 * losses.
 */
#include "tabcv.h"

#include "base/num.h"
#include "table/trial.h"
#include "text/out.h"

#include <math.h>
#include <string.h>

const struct score *
find_score(const struct task *t, const char *k)
{
	for (size_t i = 0; i < t->scores; i++)
		if (strcmp(t->score[i].k, k) == 0)
			return &t->score[i];
	return NULL;
}

/* --loo: the score of all rows together, each of which is a part. */
static struct score
score_rows(const struct score *const *s, size_t n)
{
	struct kith_pool tmp = {0};
	struct prediction *p = kith_new(&tmp, n, sizeof(*p));
	struct score all = {.n = n, .positive = s[0]->positive};

	for (size_t i = 0; i < n; i++) {
		p[i] = s[i]->last;
		all.classes = s[i]->classes > all.classes ? s[i]->classes : all.classes;
	}
	score_predictions(p, &all);
	kith_pool_free(&tmp);
	return all;
}

struct trial
sum_scores(size_t combination, const char *k, const struct score *const *s, size_t n)
{
	struct trial t = {combination, k, 0, 0, 0, NAN, NAN};
	struct kith_pool tmp = {0};
	struct score all;
	const struct score *const together = &all;
	long double *loss;
	double *weight;
	struct kith_trial sum;

	for (size_t i = 0; i < n; i++)
		if (!s[i])
			return t;
	if (how.loo) {
		all = score_rows(s, n);
		s = &together;
		n = 1;
	}
	loss = kith_new(&tmp, n, sizeof(*loss));
	weight = kith_new(&tmp, n, sizeof(*weight));
	for (size_t i = 0; i < n; i++) {
		t.n += s[i]->n;
		t.errors += s[i]->errors;
		loss[i] = s[i]->loss;
		weight[i] = s[i]->weight;
		t.undefined += !(weight[i] > 0);
	}
	if (t.undefined < n) {
		kith_trial_sums(loss, weight, n, how.measure == KITH_SCORE_RMSE, &sum);
		t.value = sum.error;
		t.se = how.loo || how.test ? s[0]->row_se : sum.se;
	}
	kith_pool_free(&tmp);
	return t;
}

struct trial *
sum_trials(const struct task *task, size_t m, size_t *n)
{
	struct kith_pool tmp = {0};
	const struct score **s = kith_new(&tmp, m, sizeof(const struct score *));
	struct trial *trial = NULL;
	size_t room = 0;

	*n = 0;
	for (size_t c = 0; c < grid.combinations; c++) {
		const struct task *named = &task[c]; /* the first part that did not fail */

		for (size_t i = 0; i < m && !named->scores; i++)
			named = &task[i * grid.combinations + c];
		for (size_t a = 0; a == 0 || a < named->scores; a++) {
			const char *k = named->scores ? named->score[a].k : "";

			for (size_t i = 0; i < m; i++)
				s[i] = find_score(&task[i * grid.combinations + c], k);
			trial = kith_more(&kept, trial, *n, &room, sizeof(*trial));
			trial[(*n)++] = sum_scores(c, k, s, m);
		}
	}
	kith_pool_free(&tmp);
	return trial;
}

/* The value of parameter i of a trial, or for i = grid.n its k, as a number; NaN: it is none. */
static double
number_of(const struct trial *t, size_t i)
{
	const char *s = i < grid.n ? value_of(&grid.v[i], t->combination) : t->k;
	double x;

	return kith_parse_real(s, strlen(s), &x) == KITH_NUM_OK ? x : NAN;
}

/* The number k of a trial, from a column or the grid; infinite: there is none. */
static double
number_k(const struct trial *t)
{
	const struct parameter *p = find_parameter("k");
	const double k = number_of(t, p ? (size_t)(p - grid.v) : grid.n);

	return isnan(k) ? INFINITY : k;
}

const struct trial *
choose_trial(const struct trial *t, size_t n, int how_best)
{
	const double sign = kith_score_measures[how.measure].larger_is_better ? -1 : 1;
	const struct trial *best = NULL;
	double within;

	for (size_t i = 0; i < n; i++)
		if (!isnan(t[i].value) &&
		    (!best || sign * (t[i].value - best->value) < 0 ||
			(t[i].value == best->value && number_k(&t[i]) < number_k(best))))
			best = &t[i];
	/* A value whose se is not known is within one se of itself alone. */
	within = best ? sign * best->value + (best->se > 0 ? best->se : 0) : NAN;
	for (size_t i = 0; how_best == KITH_BEST_SE && i < n; i++)
		if (sign * t[i].value <= within)
			return &t[i];
	return best;
}

void
note_ends(const struct trial *t, size_t n, const struct trial *best)
{
	for (size_t i = 0; i <= grid.n; i++) {
		const double x = number_of(best, i);
		double least = x, most = x;
		bool inner = false, tie = false;

		for (size_t j = 0; j < n; j++) {
			least = fmin(least, number_of(&t[j], i));
			most = fmax(most, number_of(&t[j], i));
		}
		for (size_t j = 0; j < n; j++)
			if (least < number_of(&t[j], i) && number_of(&t[j], i) < most) {
				inner = true;
				tie |= t[j].value == best->value;
			}
		if (inner && !tie && (x == most || (x == least && x != 0 && x != 1)))
			kith_remark(false, NULL, 0,
			    "%s=%.60s is the %s value tried, a %s one may be better",
			    i < grid.n ? grid.v[i].name : "k",
			    i < grid.n ? value_of(&grid.v[i], best->combination) : best->k,
			    x == most ? "largest" : "smallest", x == most ? "larger" : "smaller");
	}
}

const char *
measure_name(void)
{
	return how.measure == KITH_SCORE_NDCG ? text(&kept, "ndcg@%zu", how.ndcg)
					      : kith_score_measures[how.measure].name;
}

void
put_header(bool k, struct kith_out *out)
{
	const char **name = kith_new(&kept, grid.n + 6, sizeof(const char *));
	size_t n = 0;

	if (how.nested)
		name[n++] = "part";
	for (size_t i = 0; i < grid.n; i++)
		name[n++] = grid.v[i].name;
	if (k)
		name[n++] = "k";
	name[n++] = "n";
	if (how.measure == KITH_SCORE_ERROR)
		name[n++] = "errors";
	name[n++] = measure_name();
	if (!how.nested)
		name[n++] = "se";
	kith_out_header(out, name, n);
}

/* Writes a count, or NA where a task failed. */
static void
put_count(const struct trial *t, size_t count, struct kith_out *out)
{
	if (t->n > 0)
		kith_out_size(out, count);
	else
		kith_out_missing(out);
	kith_out_next(out);
}

void
put_trial(const struct trial *t, const char *part, bool k, struct kith_out *out)
{
	const bool mean = part && strcmp(part, "mean") == 0;

	if (part)
		kith_out_put(out, "%s\t", part);
	for (size_t i = 0; i < grid.n; i++)
		kith_out_put(out, "%s\t", mean ? NULL : value_of(&grid.v[i], t->combination));
	if (k)
		kith_out_put(out, "%s\t", mean || !*t->k ? NULL : t->k);
	put_count(t, t->n, out);
	if (how.measure == KITH_SCORE_ERROR)
		put_count(t, t->errors, out);
	kith_out_put(out, "%G", t->value);
	if (!part)
		kith_out_put(out, "\t%G", t->se);
	kith_out_row(out);
}
