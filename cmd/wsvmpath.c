/* SPDX-License-Identifier: BSD-2-Clause */
/* wsvmpath - exact paths of support vector machines with weighted rows. */
#include "base/num.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "table/classes.h"
#include "table/unit.h"
#include "table/verdict.h"
#include "text/out.h"
#include "wsvmpath/check.h"
#include "wsvmpath/cross.h"
#include "wsvmpath/follow.h"
#include "wsvmpath/online.h"
#include "wsvmpath/pairs.h"
#include "wsvmpath/pairs_check.h"
#include "wsvmpath/pairs_path.h"
#include "wsvmpath/read.h"
#include "wsvmpath/task.h"
#include "wsvmpath/transduce.h"
#include "wsvmpath/variables.h"

#include <float.h>
#include <string.h>

static struct kith_wsvm_call call = {
    .coef0 = 1,
    .degree = 2,
    .ridge = 1e-6,
    .theta = -1,
    .positive = -1,
    .batch = 1,
    .forget = 3,
    .cache = 512,
    .seed = 1,
    .threads = 1,
};
static const char *measure;
static bool best_effort;

static const struct kith_opt opts[] = {
    {0, "task", KITH_CHOICE(&call.task, "classify|regress|rank|transduce"),
	"what the machine learns [classify]"},
    {0, "multi", KITH_CHOICE(&call.multi, "one|rest"),
	"several classes: one against one, or the rest [one]"},
    {0, "from", KITH_TEXT(&call.from, "C"), "weights at theta 0: a number, or a column, =COL"},
    {0, "to", KITH_TEXT(&call.to, "C"), "weights at theta 1; rank: or relevance, or difference"},
    {0, "kernel", KITH_CHOICE(&call.kernel, "gaussian|linear|polynomial"), "the kernel [gaussian]"},
    {0, "gamma", KITH_REALS(&call.gammas, DBL_TRUE_MIN, DBL_MAX),
	"gaussian, polynomial: factors [1 / sum of variances]"},
    {0, "degree", KITH_SIZE(&call.degree, 1, 0x1p53), NULL},
    {0, "coef0", KITH_REAL(&call.coef0, 0, DBL_MAX),
	"polynomial: its degree [2], its constant [1]"},
    {0, "epsilon", KITH_REAL(&call.epsilon, DBL_TRUE_MIN, DBL_MAX),
	"regress: errors up to X are free"},
    {0, "ridge", KITH_REAL(&call.ridge, 0, DBL_MAX),
	"add X times their mean to all K(x, x) [1e-6]"},
    {0, "scale", KITH_CHOICE(&call.scale, KITH_UNIT_WORDS),
	"scale features by the rows learnt from"},
    {'w', "weights", KITH_FILE(&call.weights), "weigh features as FILE says"},
    {0, "print", KITH_CHOICE(&call.print, "events|coef|margin"),
	"events, solutions, or f of each row [events]"},
    {0, "at", KITH_REALS(&call.at, 0, 1), "coef, margin: at these thetas only"},
    {0, "validate", KITH_FILE(&call.validate),
	"instead, print the errors of the path on rows of FILE"},
    {0, "cv", KITH_SIZE(&call.parts, 2, 0x1p53),
	"the same on each of N parts, learnt from the others"},
    {0, "measure", KITH_TEXT(&measure, "M"), "of these: error, squared or ndcg@K [as the task]"},
    {0, "instance-weight", KITH_COL(&call.cost), "of these: COL is the cost of a wrong row"},
    {0, "query", KITH_COL(&call.query), "rank: COL names the query of a row"},
    {0, "best", KITH_MAYBE(&call.best, "se"),
	"print the best solution; se: simplest within an error"},
    {0, "theta", KITH_REAL(&call.theta, 0, 1), "save the model at theta X"},
    {0, "save-model", KITH_FILE(&call.save_model), NULL},
    {0, "model-format", KITH_CHOICE(&call.model_format, "kith|libsvm"), "write a model"},
    {0, "state-in", KITH_FILE(&call.state_in), NULL},
    {0, "state-out", KITH_FILE(&call.state_out), "start from a solution; write the last"},
    {0, "reweight", KITH_SIZE(&call.reweight, 1, 0x1p53),
	"regress: N rounds of weights from the errors, from C"},
    {0, "positive", KITH_REAL(&call.positive, 0, 1),
	"transduce: share of the second class [as labelled]"},
    {0, "online", KITH_SIZE(&call.online, 1, 0x1p53), "predict rows as they come, from the last N"},
    {0, "delay", KITH_SIZE(&call.delay, 0, 0x1p53), NULL},
    {0, "batch", KITH_SIZE(&call.batch, 1, 0x1p53),
	"online: classes come N rows late; learn N at once"},
    {0, "forget", KITH_REAL(&call.forget, 0, DBL_MAX),
	"online: old rows weigh less with a larger X [3]"},
    {0, "cache", KITH_SIZE(&call.cache, 1, 0x1p33), "keep N MB of the kernel matrix [512]"},
    {0, "check", KITH_FILE(&call.check), "check the coefficients of FILE"},
    {0, "best-effort", KITH_FLAG(&best_effort), "exit with 0 also where a solution is not exact"},
    KITH_TARGET_OPTION(&call.how),
    KITH_FEATURE_OPTIONS(&call.how),
    KITH_NA_OPTION(&call.how),
    KITH_SEED_OPTION(&call.seed),
    KITH_LAST_OPTIONS(&call.how, &call.threads),
};

static const struct kith_gone gone[] = {
    {"--gap", "the path is exact; leave it out"},
    {0},
};

static const struct kith_tool tool = {
    .name = "wsvmpath",
    .args = "--from C --to C [FILE]...",
    .about = "Print all solutions of an SVM while its rows change weight.",
    .examples = "  wsvmpath --from 1 --to 10 < train.tsv\n"
		"  wsvmpath --from 1 --to 10 --cv 5 --scale zscore train.tsv\n",
    .opts = opts,
    .gone = gone,
};

/* What --measure says, or the measure of the task. */
static void
parse_measure(void)
{
	static const int usual[] = {
	    KITH_WSVM_ERROR, KITH_WSVM_SQUARED, KITH_WSVM_NDCG, KITH_WSVM_ERROR};

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

	if (text && kith_wsvm_constant(text, &C) < 0)
		kith_misuse("bad %s: " KITH_CELL " (a number from 0, or a column)", option, text);
}

/* End with a wrong call where a task lacks an option, or has one too many. */
static void
check_task(void)
{
	const bool regress = call.task == KITH_WSVM_REGRESS;
	const bool path = !call.online && call.task != KITH_WSVM_TRANSDUCE;
	const bool files = call.validate || call.check || call.state_in || call.state_out ||
	    call.parts || kith_given(&call.print);
	const struct kith_rule rule[] = {
	    {!call.to && !call.reweight, "missing --to C (the weights at the end)"},
	    {!call.from && !call.online && !call.state_in,
		"missing --from C (the weights at the start)"},
	    {!call.from && (call.check || call.reweight || call.task == KITH_WSVM_RANK),
		"--from may not be left out here"},
	    {regress && !(call.epsilon > 0), "--task regress needs --epsilon"},
	    {call.reweight && !regress, "--reweight needs --task regress"},
	    {call.online && call.task != KITH_WSVM_CLASSIFY, "--online needs --task classify"},
	    {!path && files,
		"--online and --task transduce exclude --print, --validate, "
		"--cv, --check and states"},
	    {call.model_format && (call.scale || call.weights),
		"--model-format libsvm excludes --scale and --weights"},
	    {call.online && call.scale, "--online and --scale exclude each other"},
	    {call.online && call.save_model, "--online and --save-model exclude each other"},
	    {path && call.save_model && !call.best && call.theta < 0,
		"--save-model needs --theta or --best"},
	    {!path && call.theta >= 0, "--online and --task transduce exclude --theta"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
}

/* End with a wrong call where options do not go with --cv. */
static void
check_parts(void)
{
	const struct kith_rule rule[] = {
	    {call.validate, "--cv and --validate exclude each other"},
	    {kith_given(&call.print), "--cv and --print exclude each other"},
	    {call.theta >= 0, "--cv and --theta exclude each other"},
	    {call.reweight, "--cv and --reweight exclude each other"},
	    {call.check || call.state_in || call.state_out,
		"--cv excludes --check, --state-in and --state-out"},
	    {call.task == KITH_WSVM_RANK && !call.query, "--cv with --task rank needs --query COL"},
	};

	if (call.parts)
		kith_obey(rule, sizeof(rule) / sizeof(*rule));
}

/* End with a wrong call where options do not go together. */
static void
check_call(void)
{
	const bool printing = kith_given(&call.print);
	const struct kith_written file[] = {kith_written_output(), {"save-model", call.save_model},
	    {"state-out", call.state_out}, kith_written_log()};
	const struct kith_rule rule[] = {
	    {call.validate && printing, "--validate and --print exclude each other"},
	    {call.best && !call.validate && !call.parts, "--best needs --validate FILE or --cv N"},
	    {call.best && call.theta >= 0, "--best and --theta exclude each other"},
	    {call.theta >= 0 && !call.save_model, "--theta needs --save-model FILE"},
	    {call.check && (call.validate || printing || call.save_model),
		"--check excludes --validate, --print and --save-model"},
	    {call.gammas.n > 1 && !call.parts, "--gamma with several values needs --cv N"},
	    {call.check && (call.state_in || call.state_out),
		"--check excludes --state-in and --state-out"},
	};

	check_task();
	check_parts();
	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	check_weight("--from", call.from);
	check_weight("--to", call.to);
	parse_measure();
	kith_apart(file, 4);
	kith_increasing("at", &call.at);
	kith_increasing("gamma", &call.gammas);
	call.gamma = call.gammas.n ? call.gammas.v[0] : 0;
}

/* Warn of options that change nothing. */
static void
warn_unused(void)
{
	const bool linear = call.kernel == KITH_WSVM_LINEAR;
	const bool polynomial = call.kernel == KITH_WSVM_POLYNOMIAL;
	const bool path = !call.online && call.task != KITH_WSVM_TRANSDUCE;
	const bool events = call.print == KITH_WSVM_EVENTS && !call.check;
	const bool valid = call.validate || call.parts;
	const struct kith_idle option[] = {
	    {linear, &call.gammas, "--kernel linear"},
	    {!polynomial, &call.degree, "this --kernel"},
	    {!polynomial, &call.coef0, "this --kernel"},
	    {call.task != KITH_WSVM_REGRESS, &call.epsilon, "this --task"},
	    {call.task != KITH_WSVM_RANK, &call.query, "this --task"},
	    {call.task != KITH_WSVM_TRANSDUCE, &call.positive, "this --task"},
	    {call.task != KITH_WSVM_CLASSIFY, &call.multi, "this --task"},
	    {call.online, &call.multi, "--online"},
	    {call.check, &call.cache, "--check"},
	    {call.online, &call.from, "--online"},
	    {call.reweight, &call.to, "--reweight"},
	    {!path, &call.at, call.online ? "--online" : "this --task"},
	    {path && call.validate, &call.at, "--validate"},
	    {path && call.parts, &call.at, "--cv"},
	    {path && events && !valid, &call.at, "--print events"},
	};

	kith_unused_all(option, sizeof(option) / sizeof(*option));
	if (!call.save_model)
		kith_unused_without(&call.model_format, "--save-model");
	if (!valid)
		kith_unused_without(&measure, "--validate or --cv");
	if (!call.parts)
		kith_unused_without(&call.seed, "--cv");
	if (call.online)
		return;
	kith_unused_without(&call.delay, "--online");
	kith_unused_without(&call.batch, "--online");
	kith_unused_without(&call.forget, "--online");
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

/* All but --online read a whole table. */
static int
run_table(struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	static int (*const make[])(struct kith_wsvm_job *, struct kith_err *) = {
	    kith_wsvm_classify, kith_wsvm_regress, kith_wsvm_rank};
	struct kith_wsvm_job job;
	int made;

	if (kith_wsvm_read(&call, &job, pool, err))
		return -1;
	if (call.task == KITH_WSVM_TRANSDUCE)
		return kith_wsvm_transduce(&job, out, err);
	if (call.task == KITH_WSVM_CLASSIFY && kith_classes_several(&job.rows, err))
		return -1;
	made = call.reweight ? kith_wsvm_reweight(&job, err) : make[call.task](&job, err);
	return made < 0 ? -1 : made | work(&job, out, err);
}

int
main(int argc, char *argv[])
{
	char **operand = kith_begin(&tool, argc, argv);
	const char *const other[] = {call.weights, call.validate, call.check, call.state_in};
	struct kith_pool pool = {0};
	struct kith_out out;
	struct kith_err err;
	int status;

	call.files = kith_inputs(operand, other, 4);
	check_call();
	warn_unused();
	status = call.online ? kith_wsvm_online(&call, &out, &pool, &err)
			     : run_table(&out, &pool, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&pool);
	status = kith_finish(&out, status);
	return best_effort && !call.check ? 0 : status;
}
