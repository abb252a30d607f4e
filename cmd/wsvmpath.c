/* SPDX-License-Identifier: BSD-2-Clause */
/* wsvmpath - exact paths of support vector machines with weighted rows. */
#include "base/num.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "table/classes.h"
#include "table/trial.h"
#include "table/unit.h"
#include "table/verdict.h"
#include "text/out.h"
#include "wsvmpath/check.h"
#include "wsvmpath/cross.h"
#include "wsvmpath/follow.h"
#include "wsvmpath/options.h"
#include "wsvmpath/pairs.h"
#include "wsvmpath/pairs_check.h"
#include "wsvmpath/pairs_path.h"
#include "wsvmpath/read.h"
#include "wsvmpath/variables.h"

#include <string.h>

static struct kith_wsvm_call call = {
    KITH_WSVM_USUAL, .from = "0.01", .to = "100", .parts = 5, .scale = KITH_UNIT_ZSCORE};
static const char *measure;

static const struct kith_opt opts[] = {
    {0, "task", KITH_CHOICE(&call.task, "classify|regress|rank"),
	"learn classes, numbers, or the order of rows of a query [classify]", "What is learnt"},
    {0, "from", KITH_TEXT(&call.from, "C"),
	"smallest C, the cost of an error: a number, or a column, =COL [0.01]", NULL},
    {0, "to", KITH_TEXT(&call.to, "C"),
	"largest C, or a column, =COL; --task rank: or relevance, or difference [100]", NULL},
    {0, "epsilon", KITH_REAL(&call.epsilon, DBL_TRUE_MIN, DBL_MAX),
	"--task regress: errors up to X cost nothing (needed)", NULL},
    KITH_WSVM_KERNEL_OPTIONS(&call),
    {0, "cv", KITH_SIZE(&call.parts, 2, 0x1p53),
	"errors of N parts, each predicted from the others [5]", "Which C is best"},
    {0, "validate", KITH_FILE(&call.validate),
	"errors of the rows of FILE, predicted from the table", NULL},
    {0, "measure", KITH_TEXT(&measure, "M"),
	"error, squared, or ndcg@K [of --task: error, squared, ndcg@10]", NULL},
    {0, "cost", KITH_COL(&call.cost), "the column that says what a wrong row costs [1]", NULL},
    {0, "query", KITH_COL(&call.query), "--task rank: the column that names the query of a row",
	NULL},
    {0, "best", KITH_MAYBE(&call.best, "1se"),
	"print the best machine; =1se: the simplest within a standard error", NULL},
    {0, "save-model", KITH_FILE(&call.save_model),
	"write the best machine, or that of --at, for kpredict; for LIBSVM to FILE.libsvm",
	"Output and proof"},
    {0, "print", KITH_CHOICE(&call.print, "errors|events|coef|margin"),
	"error for each C; rows that change side; coefficients; scores of the rows [errors]", NULL},
    {0, "at", KITH_REALS(&call.at, 0, 1),
	"--print coef, margin: at the thetas of LIST; C is from + theta (to - from) [all]", NULL},
    {0, "check", KITH_FILE(&call.check), "check that the coefficients in FILE are optimal", NULL},
    KITH_TARGET_OPTION(&call.how),
    KITH_FEATURE_OPTIONS(&call.how),
    KITH_NA_OPTION(&call.how),
    KITH_SCALE_OPTION(&call.scale, "zscore; -w: none"),
    {'w', "weights", KITH_FILE(&call.weights), "weights of the features, from sqpfw, relief, ...",
	NULL},
    KITH_RANDOM_OPTIONS(&call.how, &call.seed, &call.threads),
};

static const struct kith_gone gone[] = {
    {"--gap", "the path is exact; leave it out"},
    {"--state-in", "one call goes on: --from =OLD --to =NEW; a stream: svmonline"},
    {"--state-out", "one call goes on: --from =OLD --to =NEW; a stream: svmonline"},
    {"--multi",
	"several classes are told apart in pairs; a class and the rest: name the rest alike"},
    {"--reweight", "a loop of the shell, as wsvmpath(1) has it"},
    {"--theta", "--at THETA --save-model FILE"},
    {"--instance-weight", "--cost COL"},
    {"--model-format", "a model of LIBSVM is written where FILE ends in .libsvm"},
    {"--cache", "512 MB of the kernel matrix are kept"},
    {"--best-effort", "wsvmpath ... || [ $? -eq 1 ]"},
    {"--positive", "svmtransduce --positive-share X"},
    {"--online", "svmonline --window N"},
    {"--delay", "svmonline --delay N"},
    {"--batch", "svmonline --batch N"},
    {"--forget", "svmonline --forget X"},
    {0},
};

static const struct kith_tool tool = {
    .name = "wsvmpath",
    .args = "[FILE]...",
    .about = "Learn a support vector machine for every C at once: errors, solutions, models.",
    .examples = "  wsvmpath train.tsv\n"
		"  wsvmpath --from 1 --to 10 --print events < train.tsv\n",
    .opts = opts,
    .gone = gone,
};

/* Whether the errors of the path are asked for. */
static bool
tells_errors(void)
{
	return call.print == KITH_WSVM_ERRORS && !call.check;
}

/* What --measure says, or the measure of the task. */
static void
parse_measure(void)
{
	static const int usual[] = {KITH_WSVM_ERROR, KITH_WSVM_SQUARED, KITH_WSVM_NDCG};

	call.measure = usual[call.task];
	call.ndcg = 10;
	if (!measure)
		return;
	if (strcmp(measure, "error") == 0)
		call.measure = KITH_WSVM_ERROR;
	else if (strcmp(measure, "squared") == 0)
		call.measure = KITH_WSVM_SQUARED;
	else if (strncmp(measure, "ndcg@", 5) == 0 &&
	    kith_parse_size(measure + 5, &call.ndcg) == 0 && call.ndcg > 0)
		call.measure = KITH_WSVM_NDCG;
	else
		kith_misuse("bad --measure: " KITH_CELL " (error, squared or ndcg@K)", measure);
	if (call.measure != usual[call.task])
		kith_misuse("--measure %s is not for this --task", measure);
}

static void
check_weight(const char *option, const char *text)
{
	double C;

	if (kith_wsvm_constant(text, &C) < 0)
		kith_misuse("bad %s: " KITH_CELL " (a number from 0, or a column)", option, text);
}

/* End with a wrong call where options do not go together, and settle what is printed. */
static void
check_call(void)
{
	const bool parts = kith_given(&call.parts), errors = tells_errors();
	const struct kith_written file[] = {kith_written_output(), {"save-model", call.save_model}};
	const struct kith_rule rule[] = {
	    {call.task == KITH_WSVM_REGRESS && !(call.epsilon > 0),
		"--task regress needs --epsilon"},
	    {call.check && (parts || call.validate || kith_given(&call.print) || call.save_model),
		"--check excludes --cv, --validate, --print and --save-model"},
	    {parts && call.validate, "--cv and --validate exclude each other"},
	    {!errors && (parts || call.validate || call.best),
		"--cv, --validate and --best are of --print errors"},
	    {errors && !call.validate && call.task == KITH_WSVM_RANK && !call.query,
		"--cv with --task rank needs --query COL (--print events?)"},
	    {call.best && call.at.n > 0, "--best and --at exclude each other"},
	    {call.save_model && !errors && call.at.n == 0, "--save-model needs --at THETA"},
	    {call.save_model && call.at.n > 1, "--save-model needs one theta: --at THETA"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	check_weight("--from", call.from);
	check_weight("--to", call.to);
	parse_measure();
	kith_apart(file, 2);
	kith_increasing("at", &call.at);
	if (call.weights && !kith_given(&call.scale))
		call.scale = KITH_UNIT_NONE;
	if (!errors || call.validate)
		call.parts = 0;
	if (errors && call.save_model && call.at.n == 0 && !call.best)
		call.best = KITH_BEST;
}

/* Warn of options that change nothing. */
static void
warn_unused(void)
{
	const bool solutions = call.print == KITH_WSVM_COEF || call.print == KITH_WSVM_MARGINS;
	const struct kith_idle option[] = {
	    {call.task != KITH_WSVM_REGRESS, &call.epsilon, "this --task"},
	    {call.task != KITH_WSVM_RANK, &call.query, "this --task"},
	    {!call.check && !solutions && !call.save_model, &call.at, "this --print"},
	};

	kith_wsvm_unused_kernel(&call);
	kith_unused_all(option, sizeof(option) / sizeof(*option));
	if (!tells_errors())
		kith_unused_without(&measure, "--print errors");
	if (!call.parts)
		kith_unused_without(&call.seed, "--cv");
}

/* Judge the coefficients of a file; the status, or -1. */
static int
check(const struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	struct kith_check checks[KITH_CHECK_WSVM];
	size_t n;

	if (kith_wsvm_is_many(job))
		return kith_wsvm_pairs_check(job, out, err);
	if (kith_check_wsvm(job, call.check, checks, &n, err))
		return -1;
	return kith_verdict_write(checks, n, kith_output(), out, err);
}

/* What is to be done with a job whose variables are made. */
static int
work(struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	if (call.check)
		return check(job, out, err);
	if (call.parts)
		return kith_wsvm_cross(job, out, err);
	return kith_wsvm_is_many(job) ? kith_wsvm_pairs_follow(job, out, err)
				      : kith_wsvm_follow(job, out, err);
}

static int
run(struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	static int (*const make[])(struct kith_wsvm_job *, struct kith_err *) = {
	    kith_wsvm_classify, kith_wsvm_regress, kith_wsvm_rank};
	struct kith_wsvm_job job;

	if (kith_wsvm_read(&call, &job, pool, err) ||
	    (call.task == KITH_WSVM_CLASSIFY && kith_classes_several(&job.rows, err)) ||
	    make[call.task](&job, err))
		return -1;
	return work(&job, out, err);
}

int
main(int argc, char *argv[])
{
	char **operand = kith_begin(&tool, argc, argv);
	const char *const other[] = {call.weights, call.validate, call.check};
	struct kith_pool pool = {0};
	struct kith_out out;
	struct kith_err err;
	int status;

	call.files = kith_inputs(operand, other, 3);
	check_call();
	warn_unused();
	status = run(&out, &pool, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&pool);
	return kith_finish(&out, status);
}
