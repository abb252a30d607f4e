/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath - exact paths of support vector machines with weighted rows.
 *
 * --print errors:
 *
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

#include "table/table.h"

#include <stdio.h>
#include <string.h>

struct kith_svm_options options = {
    KITH_SVM_DEFAULTS, .parts = 5, .ndcg = 10, .scale = KITH_UNIT_ZSCORE};
static const char *from = "0.01", *to = "100", *measure;

static const struct kith_opt opts[] = {
    {0, "task", KITH_CHOICE(&options.task, "classify|regress|rank"),
	"learn classes, numbers, or the order of rows of a query [classify]", "What is learnt"},
    {0, "from", KITH_TEXT(&from, "C"),
	"smallest C, the cost of an error: a number, or a column, =COL [0.01]", NULL},
    {0, "to", KITH_TEXT(&to, "C"),
	"largest C, or a column, =COL; --task rank: or relevance, or difference [100]", NULL},
    {0, "epsilon", KITH_REAL(&options.epsilon, DBL_TRUE_MIN, DBL_MAX),
	"--task regress: errors up to X cost nothing (needed)", NULL},
    KITH_SVM_KERNEL_OPTIONS(&options, "1 / sum of variances"),
    {0, "cv", KITH_SIZE(&options.parts, 2, 0x1p53),
	"errors of N parts, each predicted from the others [5]", "Which C is best"},
    {0, "validate", KITH_FILE(&options.validate),
	"errors of the rows of FILE, predicted from the table", NULL},
    {0, "measure", KITH_TEXT(&measure, "M"),
	"error, squared, or ndcg@K [of --task: error, squared, ndcg@10]", NULL},
    {0, "cost", KITH_COL(&options.cost), "the column that says what a wrong row costs [1]", NULL},
    {0, "query", KITH_COL(&options.query), "--task rank: the column that names the query of a row",
	NULL},
    {0, "best", KITH_MAYBE(&options.best, "1se"),
	"print the best machine; =1se: the simplest within a standard error", NULL},
    {0, "save-model", KITH_SAVE(&options.save_model),
	"write the best machine, or that of --at, for kpredict; for LIBSVM to FILE.libsvm",
	"Output and proof"},
    {0, "print", KITH_CHOICE(&options.print, "errors|events|coef|margin"),
	"error for each C; rows that change side; coefficients; scores of the rows [errors]", NULL},
    {0, "at", KITH_REALS(&options.at, 0, 1),
	"--print coef, margin: at the thetas of LIST; C is from + theta (to - from) [all]", NULL},
    {0, "check", KITH_FILE(&options.check), "check that the coefficients in FILE are optimal",
	NULL},
    KITH_TARGET_OPTION(&options.how),
    KITH_FEATURE_OPTIONS(&options.how),
    KITH_NA_OPTION(&options.how),
    KITH_SCALE_OPTION(&options.scale, "zscore; -w: none"),
    KITH_WEIGHTS_OPTION(&options.weights),
    KITH_RANDOM_OPTIONS(&options.how, &options.seed, &options.threads),
};

const struct kith_tool kith_tool = {
    .name = "wsvmpath",
    .args = "[FILE]...",
    .about = "Learn a support vector machine for every C at once: errors, solutions, models.",
    .examples = "  wsvmpath train.tsv\n"
		"  wsvmpath --from 1 --to 10 --print events < train.tsv\n",
    .opts = opts,
    .gone = {{"--gap", "the path is exact; leave it out"},
	{"--state-in", "one call goes on: --from =OLD --to =NEW; a stream: svmonline"},
	{"--state-out", "one call goes on: --from =OLD --to =NEW; a stream: svmonline"},
	{"--multi",
	    "several classes are told apart in pairs; a class and the rest: name the rest alike"},
	{"--reweight", "a loop of the shell, as wsvmpath-tasks(7) has it"},
	{"--theta", "--at THETA --save-model FILE"}, {"--instance-weight", "--cost COL"},
	{"--model-format", "a model of LIBSVM is written where FILE ends in .libsvm"},
	{"--cache", "512 MB of the kernel matrix are kept"},
	{"--best-effort", "wsvmpath ... || [ $? -eq 1 ]"},
	{"--positive", "svmtransduce --positive-share X"}, {"--online", "svmonline --window N"},
	{"--delay", "svmonline --delay N"}, {"--batch", "svmonline --batch N"},
	{"--forget", "svmonline --forget X"}},
};

/* Returns whether the errors of the path are printed. */
static bool
has_errors(void)
{
	return options.print == KITH_SVM_ERRORS && !options.check;
}

/* Checks that --measure is that of the task, and sets K of ndcg@K. */
static void
parse_measure(void)
{
	static const char *const of_task[] = {"error", "squared", "ndcg@"};
	bool known;

	if (!measure)
		return;
	known = strcmp(measure, "error") == 0 || strcmp(measure, "squared") == 0 ||
	    (strncmp(measure, "ndcg@", 5) == 0 &&
		kith_parse_size(measure + 5, &options.ndcg) == 0 && options.ndcg > 0);
	if (!known)
		kith_misuse("bad --measure: " KITH_CELL " (error, squared or ndcg@K)", measure);
	if (*measure != *of_task[options.task])
		kith_misuse("--measure %s is not for this --task", measure);
}

/* End with a wrong call where options do not go together, and settle what is printed. */
static void
check_call(void)
{
	const bool parts = kith_given(&options.parts), errors = has_errors();
	const struct kith_rule rule[] = {
	    {options.check &&
		    (parts || options.validate || kith_given(&options.print) || options.save_model),
		"--check excludes --cv, --validate, --print and --save-model"},
	    {parts && options.validate, "--cv and --validate exclude each other"},
	    {!errors && (parts || options.validate || options.best),
		"--cv, --validate and --best are of --print errors"},
	    {errors && !options.validate && options.task == KITH_SVM_RANK && !options.query,
		"--cv with --task rank needs --query COL (--print events?)"},
	    {options.best && options.at.n > 0, "--best and --at exclude each other"},
	    {options.save_model && !errors && options.at.n == 0, "--save-model needs --at THETA"},
	    {options.save_model && options.at.n > 1, "--save-model needs one theta: --at THETA"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	options.from = parse_weight("--from", from);
	options.to = parse_weight("--to", to);
	parse_measure();
	kith_increasing("at", &options.at);
	if (options.weights && !kith_given(&options.scale))
		options.scale = KITH_UNIT_NONE;
	if (!errors || options.validate)
		options.parts = 0;
	if (errors && options.save_model && options.at.n == 0 && !options.best)
		options.best = KITH_BEST;
}

/* Warn of options that change nothing. */
static void
warn_unused(void)
{
	const bool solutions = options.print == KITH_SVM_COEF || options.print == KITH_SVM_MARGINS;
	const struct kith_idle option[] = {
	    {options.task != KITH_SVM_RANK, &options.query, "this --task"},
	    {!options.check && !solutions && !options.save_model, &options.at, "this --print"},
	    {!has_errors(), &measure, "without --print errors"},
	    {!options.parts, &options.seed, "without --cv"},
	};

	kith_svm_check_options(&options);
	kith_unused_all(option, sizeof(option) / sizeof(*option));
}

/* Returns the name of the measure. */
static const char *
measure_name(void)
{
	static char name[40];

	if (options.task != KITH_SVM_RANK)
		return options.task == KITH_SVM_CLASSIFY ? "error" : "rmse";
	snprintf(name, sizeof(name), "ndcg@%zu", options.ndcg);
	return name;
}

/* Returns C at theta if all rows have this C, else theta. */
static double
place_of(double theta)
{
	const double C = kith_svm_C(&options, theta);

	return isnan(C) ? theta : C;
}

static void
print_intervals(const struct intervals *all, size_t rows, struct kith_out *out)
{
	static const size_t columns[] = {6, 8, 5};
	const bool of_C = !isnan(kith_svm_C(&options, 0));
	const char *const first = of_C ? "from" : "theta_from", *last = of_C ? "to" : "theta_to";
	const char *const column[][8] = {
	    [KITH_SVM_CLASSIFY] = {first, last, "n", "errors", "error", "se"},
	    [KITH_SVM_REGRESS] = {first, last, "n", "rmse_from", "rmse_to", "rmse",
		of_C ? "C" : "theta", "se"},
	    [KITH_SVM_RANK] = {first, last, "n", measure_name(), "se"},
	};

	kith_out_header(out, column[options.task], columns[options.task]);
	for (const struct interval *it = all->v; it < all->v + all->n; it++) {
		kith_out_put(out, "%g\t%g\t%zu\t", place_of(it->from), place_of(it->to), rows);
		if (options.task == KITH_SVM_CLASSIFY)
			kith_out_put(out, "%zu\t", it->at.errors);
		if (options.task == KITH_SVM_REGRESS)
			kith_out_put(out, "%g\t%g\t", it->value_from, it->value_to);
		kith_out_put(out, "%g\t", it->at.error);
		if (options.task == KITH_SVM_REGRESS)
			kith_out_put(out, "%g\t", place_of(it->theta));
		kith_out_put(out, "%G\n", it->at.se);
	}
	kith_out_flush(out);
}

/* Reports an interval as the options that give its solution alone. */
static void
report_choice(const struct interval *best)
{
	char same[2 * KITH_NUM_ROOM + 20], parts[40] = "", x[KITH_NUM_ROOM], at[64], se[64];
	const double C = kith_svm_C(&options, best->theta);

	kith_format_real(x, best->theta);
	snprintf(same, sizeof(same), "--at %s", x);
	kith_log_real("theta", best->theta);
	if (!isnan(C)) {
		kith_format_real(x, C);
		snprintf(same, sizeof(same), "--from %s --to %s", x, x);
		kith_log_real("C", C);
	}
	kith_log_real(measure_name(), best->at.error);
	if (!isnan(best->at.se))
		kith_log_real("se", best->at.se);
	if (options.parts)
		snprintf(parts, sizeof(parts), ", %zu parts", options.parts);
	kith_chosen("%s (%s%s %.4g%s%s)", same, kith_svm_text(at, "C ", 4, C, ", "), measure_name(),
	    best->at.error, kith_svm_text(se, ", se ", 4, best->at.se, ""), parts);
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

		trial[i] = it->at;
		if (options.task == KITH_SVM_RANK)
			trial[i].error = -it->at.error;
		trial[i].key[0] = it->theta;
		trial[i].key[1] = options.task == KITH_SVM_REGRESS ? 0 : it->from - it->to;
	}
	best = kith_trial_choose(&form, trial, all->n, KITH_BEST);
	for (size_t i = 0; options.best == KITH_BEST_SE && i < all->n; i++) {
		if (trial[i].error == trial[best].error)
			trial[i].se = trial[best].se; /* of the best alone */
		trial[i].key[1] = kith_svm_C(&options, trial[i].key[0]);
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

/*
 * Measures the paths, prints their errors unless the best solution is printed in place of them, and
 * sets options.print and options.at to the solution that is printed or saved.
 */
static int
find_best(struct kith_svm_task *task, const struct test *test, struct kith_out *out,
    struct kith_wsvm_count *count, struct kith_err *err)
{
	struct intervals all = {.pool = task->pool};
	const struct interval *best;
	size_t rows;

	if (measure_paths(task, test, &all, &rows, count, err))
		return -1;
	if (!options.best || options.save_model)
		print_intervals(&all, rows, out);
	best = choose_best(&all);
	report_choice(best);
	options.print = KITH_SVM_COEF;
	if (options.best) {
		options.at.n = 1;
		KITH_NEW_REALS(task->pool, 1, 1, &options.at.v);
		options.at.v[0] = best->theta;
	}
	return options.save_model && options.parts && options.task == KITH_SVM_CLASSIFY
	    ? fit_probabilities(task, options.at.v[0], count, err)
	    : 0;
}

/* Prints what --print says of the paths, or the best solution, and saves the model of --at. */
static int
print_paths(struct kith_svm_task *task, struct kith_out *out, struct kith_err *err)
{
	const bool errors = has_errors();
	struct kith_wsvm_count count = {0};
	struct kith_out model = {.fd = -1}, *saved = options.save_model ? &model : NULL;
	struct kith_svm_solution solution = {.theta = 0};
	struct test test;
	size_t steps = 0;

	if ((errors && read_test(task, &test, err)) ||
	    (errors && options.parts && deal_rows(task, &test, err)) ||
	    (saved && kith_svm_model_open(task, saved, err)) ||
	    kith_out_open_table(out, kith_output(), err))
		return -1;
	log_task(task);
	if (errors && find_best(task, &test, out, &count, err))
		return -1;
	if (saved)
		solution.theta = options.at.v[0];
	if (!errors || options.best || saved)
		steps = follow_paths(task, errors ? options.at.v[0] : INFINITY,
		    errors && saved ? NULL : out, saved ? &solution : NULL, &count);
	if (saved && out->failed)
		kith_out_drop(saved); /* the path was not followed to its end */
	else if (saved && kith_svm_model_write(task, &solution, saved, err))
		return -1;
	if (!errors)
		kith_log_size("steps", steps);
	return kith_svm_count_report(&options, &count);
}

/* Checks the coefficients of --check, and prints the checks of each machine. */
static int
print_checks(const struct kith_svm_task *task, struct kith_out *out, struct kith_err *err)
{
	const size_t machines = kith_machine_outputs(&task->model);
	const size_t n = options.at.n ? WHOLE_PATH : CHECKS;
	struct kith_check *check = kith_new(task->pool, machines * CHECKS, sizeof(*check));
	const char *class[2];
	int status = 0;

	if (check_paths(task, check, err) || kith_out_open_table(out, kith_output(), err))
		return -1;
	if (machines > 1) {
		kith_out_lead(out, class_columns, 2);
		kith_check_put(NULL, 0, out); /* the header */
	}
	for (size_t o = 0; o < machines; o++) {
		get_classes(task, o, class);
		if (machines > 1)
			kith_out_lead_with(out, class);
		status |= kith_check_put(check + o * CHECKS, n, out);
	}
	return status;
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_svm_task task;

	options.files = files;
	check_call();
	warn_unused();
	if (kith_svm_read(&options, &task, pool, err) ||
	    (options.task == KITH_SVM_CLASSIFY && kith_classes_several(&task.rows, err)) ||
	    make_problem(&task, err))
		return -1;
	return options.check ? print_checks(&task, out, err) : print_paths(&task, out, err);
}
