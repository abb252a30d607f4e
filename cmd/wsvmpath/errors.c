/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *	1. Deal the rows into parts (--cv); of ranks, the queries.
 *	2. Measure the paths on the rows of --validate, or of the parts (measure_paths()).
 *	3. Print the intervals of C, with columns by the measure
 *
 *		from to n errors error se
 *		from to n rmse_from rmse_to rmse C se
 *		from to n ndcg@K se
 *
 *	   where rmse is the smallest in the interval, at C.  If the rows have different C, the
 *	   intervals are of theta: theta_from, theta_to and theta stand for from, to and C.
 *	4. Choose the best interval, and print or save the solutions of all rows at its theta; a
 *	   model of classes gets probabilities from the parts.
 */
#include "wsvmpath.h"

#include "table/trial.h"

#include <stdio.h>
#include <string.h>

/* Returns the name of the measure. */
static const char *
measure_name(void)
{
	static char name[40];

	if (options.measure != KITH_SVM_NDCG)
		return options.measure == KITH_SVM_ERROR ? "error" : "rmse";
	snprintf(name, sizeof(name), "ndcg@%zu", options.ndcg);
	return name;
}

/* Returns C at theta if all rows have this C, else theta. */
static double
place_of(double theta)
{
	double C;

	return kith_svm_C(&options, theta, &C) ? C : theta;
}

static void
print_intervals(const struct intervals *all, size_t rows, struct kith_out *out)
{
	const bool squared = options.measure == KITH_SVM_SQUARED;
	double C;
	const bool of_C = kith_svm_C(&options, 0, &C);
	const char *column[8] = {of_C ? "from" : "theta_from", of_C ? "to" : "theta_to", "n"};
	size_t n = 3;

	if (options.measure == KITH_SVM_ERROR)
		column[n++] = "errors";
	if (squared) {
		column[n++] = "rmse_from";
		column[n++] = "rmse_to";
	}
	column[n++] = measure_name();
	if (squared)
		column[n++] = of_C ? "C" : "theta";
	column[n++] = "se";
	kith_out_header(out, column, n);
	for (size_t i = 0; i < all->n; i++) {
		const struct interval *it = &all->v[i];

		kith_out_put(out, "%g\t%g\t%zu\t", place_of(it->from), place_of(it->to), rows);
		if (options.measure == KITH_SVM_ERROR)
			kith_out_put(out, "%zu\t", it->errors);
		if (squared)
			kith_out_put(out, "%g\t%g\t", it->value_from, it->value_to);
		kith_out_put(out, "%g\t", it->value);
		if (squared)
			kith_out_put(out, "%g\t", place_of(it->theta));
		kith_out_put(out, "%G", it->se);
		kith_out_row(out);
	}
	kith_out_flush(out);
}

/* Reports an interval as the options that give its solution alone. */
static void
report_choice(const struct interval *best)
{
	char same[2 * KITH_NUM_ROOM + 20], se[40] = "", parts[40] = "", x[KITH_NUM_ROOM];
	char at[40] = "";
	double C;

	kith_format_real(x, best->theta);
	snprintf(same, sizeof(same), "--at %s", x);
	kith_log_real("theta", best->theta);
	if (kith_svm_C(&options, best->theta, &C)) {
		kith_format_real(x, C);
		snprintf(same, sizeof(same), "--from %s --to %s", x, x);
		snprintf(at, sizeof(at), "C %.4g, ", C);
		kith_log_real("C", C);
	}
	kith_log_real(measure_name(), best->value);
	if (!isnan(best->se)) {
		kith_log_real("se", best->se);
		snprintf(se, sizeof(se), ", se %.4g", best->se);
	}
	if (options.parts)
		snprintf(parts, sizeof(parts), ", %zu parts", options.parts);
	if (kith_warns())
		kith_say(
		    "chosen: %s (%s%s %.4g%s%s)", same, at, measure_name(), best->value, se, parts);
}

/*
 * Returns the best of at least one interval: the smallest error, or largest NDCG; of equal ones the
 * widest where the value is constant, then the first.  With --best=1se, the simplest whose value is
 * within one standard error of it (table/trial.h): the smallest C, or the smallest theta if --from
 * or --to is no number.
 */
static const struct interval *
choose_best(const struct intervals *all)
{
	const struct kith_trial_form form = {.keys = 2};
	struct kith_pool tmp = {0};
	struct kith_trial *trial = kith_new(&tmp, all->n, sizeof(*trial));
	size_t best;

	for (size_t i = 0; i < all->n; i++) {
		const struct interval *it = &all->v[i];

		trial[i] = (struct kith_trial){
		    .error = options.measure == KITH_SVM_NDCG ? -it->value : it->value,
		    .se = it->se,
		    .key = {
			it->theta, options.measure == KITH_SVM_SQUARED ? 0 : it->from - it->to}};
	}
	best = kith_trial_choose(&form, trial, all->n, KITH_BEST);
	for (size_t i = 0; options.best == KITH_BEST_SE && i < all->n; i++) {
		if (trial[i].error == trial[best].error)
			trial[i].se = trial[best].se; /* of the best alone */
		if (!kith_svm_C(&options, trial[i].key[0], &trial[i].key[1]))
			trial[i].key[1] = 0;
	}
	if (options.best == KITH_BEST_SE)
		best = kith_trial_choose(&form, trial, all->n, KITH_BEST_SE);
	kith_pool_free(&tmp);
	return &all->v[best];
}

/* Deals the rows into parts; of ranks, the queries, each of which stays whole. */
static int
deal_rows(struct kith_svm_task *task, const struct test *test, struct kith_err *err)
{
	size_t *part, *of;

	KITH_NEW_SIZES(task->pool, task->n, 1, &of);
	task->part = of;
	if (options.task != KITH_SVM_RANK)
		return kith_fold_deal_table(&task->rows, options.parts, options.seed, of, err);
	if (options.parts > test->queries)
		return kith_fail_at(err, EX_DATAERR, task->rows.file, 0,
		    "--cv %zu: only %zu queries", options.parts, test->queries);
	KITH_NEW_SIZES(task->pool, test->queries, 1, &part);
	kith_fold_deal(NULL, test->queries, 1, NULL, options.parts, options.seed, part);
	for (size_t i = 0; i < task->n; i++)
		of[i] = part[test->query[i]];
	return 0;
}

/* Prints the solutions of all rows at theta, or saves their model in the file `saved`. */
static int
print_solution(const struct kith_svm_task *task, double theta, struct kith_out *out,
    struct kith_out *saved, struct kith_wsvm_count *count, struct kith_err *err)
{
	struct kith_svm_solution solution = {.theta = theta};

	options.print = KITH_SVM_COEF;
	options.at.n = 1;
	KITH_NEW_REALS(task->pool, 1, 1, &options.at.v);
	options.at.v[0] = theta;
	follow_paths(task, theta, saved ? NULL : out, saved ? &solution : NULL, count);
	return saved ? kith_svm_model_write(task, &solution, saved, err) : 0;
}

int
print_errors(struct kith_svm_task *task, struct kith_out *out, struct kith_err *err)
{
	struct intervals all = {.pool = task->pool};
	struct test test;
	struct kith_wsvm_count count = {0};
	struct kith_out model = {.failed = false}, *saved = options.save_model ? &model : NULL;
	const struct interval *best;
	size_t rows;
	double theta;

	if (read_test(task, &test, err) || (options.parts && deal_rows(task, &test, err)) ||
	    (saved && kith_svm_model_open(task, saved, err)) ||
	    kith_out_open_table(out, kith_output(), err))
		return -1;
	log_task(task);
	if (measure_paths(task, &test, &all, &rows, &count, err))
		return -1;
	if (!options.best || saved)
		print_intervals(&all, rows, out);
	best = choose_best(&all);
	report_choice(best);
	theta = options.best ? best->theta : saved ? options.at.v[0] : 0;
	if (saved && out->failed)
		kith_out_drop(saved);
	else if ((saved && options.parts && options.task == KITH_SVM_CLASSIFY &&
		     fit_probabilities(task, theta, &count, err)) ||
	    ((saved || options.best) && print_solution(task, theta, out, saved, &count, err)))
		return -1;
	return kith_svm_count_report(&options, &count);
}
