/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tabcv - cross-validate a command, and choose its parameters.
 *
 * A plan is a folder with the files of tasks.c and
 *
 *	table.tsv test.tsv    all cells of TABLE and of the file of --test
 *	tasks                 a line of sh(1) a task, which leaves T.out when task T is done
 *	T.sh                  the command of task T, where it has several lines
 *	call                  a digest of the splits and the grid, then the options of the call, the
 *	                      operands with table.tsv for TABLE, "--", and the command: words, each
 *	                      of which a null byte ends
 *
 * --collect DIR is that call, where TABLE is DIR/table.tsv, followed by the options of this one.
 */
#include "tabcv.h"

#include "base/num.h"
#include "cli/cli.h"
#include "table/roles.h"
#include "table/trial.h"
#include "text/out.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct kith_pool kept, scratch;
struct kith_err failure;
struct how how = {.parts = 10, .repeats = 1, .seed = 1};
static bool recipes_wanted;

static const struct kith_opt opts[] = {
    {'n', "parts", KITH_SIZE(&how.parts, 2, 0x1p53),
	"N random parts, each predicted from the others [10]",
	"Which rows are predicted from which"},
    {0, "loo", KITH_FLAG(&how.loo), "each row is predicted from all others", NULL},
    {0, "group", KITH_COL(&how.column[GROUP]), "rows with equal cells in COL are in one part",
	NULL},
    {0, "order", KITH_COL(&how.column[ORDER]),
	"N blocks in the order of COL, each from the rows before it", NULL},
    {0, "embargo", KITH_SIZE(&how.embargo, 1, 0x1p53),
	"--order: leave out the last N rows before a block [0]", NULL},
    {0, "folds", KITH_COL(&how.column[FOLDS]), "the column that names the part of each row", NULL},
    {0, "test", KITH_FILE(&how.test), "the rows of FILE are predicted from all of TABLE", NULL},
    {0, "repeats", KITH_SIZE(&how.repeats, 1, 1e6), "split N times at random [1]", NULL},
    {0, "nested", KITH_SIZE(&how.nested, 2, 0x1p53),
	"the error of choosing: N parts, a choice without each", NULL},
    {0, "measure", KITH_TEXT(&how.measure_name, "MEASURE"),
	"error, balanced_accuracy, macro_f1, mcc, auc, log_loss; rmse, mae, r2, squared, ndcg@K "
	"[error; --task regress: rmse]",
	"How errors are measured"},
    KITH_TASK_OPTION(&how),
    {0, "weight", KITH_COL(&how.column[WEIGHT]), "the column of weights of rows in the error [1]",
	NULL},
    {0, "query", KITH_COL(&how.column[QUERY]), "ndcg@K: the column that names the query of a row",
	NULL},
    {0, "best", KITH_MAYBE(&how.best, "1se"),
	"print the best line alone; =1se: the first within a standard error of the best",
	"What is done with the best"},
    {0, "then", KITH_TEXT(&how.then, "COMMAND"),
	"run COMMAND with the best values, on all rows; final: the last command of a recipe", NULL},
    {0, "recipes", KITH_FLAG(&recipes_wanted),
	"print what knnclf, sqpfw, relief, immigrate, knife, "
	"wsvmpath as COMMAND stand for",
	"Jobs in parts, recipes"},
    {0, "plan", KITH_TEXT(&how.plan, "DIR"),
	"write the tasks to DIR, for kith-job, and run nothing", NULL},
    {0, "collect", KITH_TEXT(&how.collect, "DIR"),
	"print the errors that the tasks in DIR have found", NULL},
    {'y', "target", KITH_COL(&how.column[TARGET]),
	"the column to predict: a name or a number [the last]", "Columns"},
    {'x', "features", KITH_LIST(&how.features),
	"the columns COMMAND gets, as 'a:f,!*_id' [all others]", NULL},
    {0, "id", KITH_COL(&how.column[ID]), "the column of names of rows; it is no feature", NULL},
    KITH_TABLE_OPTIONS(&how.format),
    KITH_SEED_OPTION(&how.seed),
    {'j', "threads", KITH_SIZE(&how.jobs, 1, MOST_JOBS),
	"run N tasks at a time [processors, up to 8]", KITH_COMMON},
    KITH_COMMON_OPTIONS,
    {0},
};

static const struct kith_tool tool = {
    .name = "tabcv",
    .args = "TABLE [NAME=V,V,...]... -- COMMAND",
    .about = "Print the error of a COMMAND for each combination of values of its parameters.",
    .examples = "  tabcv train.csv k=1,3,5 -- 'knnclf -k {k} -t {train} {test}'\n"
		"  tabcv -q -n 5 --then final train.csv theta=.1,1 -- sqpfw > weights.tsv\n",
    .opts = opts,
    .gone = {{"", " (an option of COMMAND? behind its name: -- knnclf --na mean)"}},
};

/* Finds the measure of --measure, which sets the task where --task is not given. */
static void
parse_measure(void)
{
	const char *given = how.measure_name, *name = given ? given : how.task ? "rmse" : "error";
	const size_t len = strcspn(name, "@");
	int task;

	how.measure_name = name;
	how.measure = KITH_SCORE_MEASURES;
	for (int m = 0; m < KITH_SCORE_MEASURES; m++)
		if (m != KITH_SCORE_ACCURACY && m != KITH_SCORE_BRIER &&
		    strncmp(kith_score_measures[m].name, name, len) == 0 &&
		    !kith_score_measures[m].name[len])
			how.measure = m;
	if (how.measure == KITH_SCORE_MEASURES ||
	    (how.measure == KITH_SCORE_NDCG) != (name[len] == '@') ||
	    (name[len] && (kith_parse_size(name + len + 1, &how.ndcg) || how.ndcg < 1)))
		kith_misuse("bad --measure: " KITH_CELL, name);
	task = kith_score_measures[how.measure].of >= KITH_SCORE_OF_NUMBERS; /* KITH_REGRESS */
	if (kith_given(&how.task) && task != how.task)
		kith_misuse(
		    "--measure %s is of --task %s", name, how.task ? "classify" : "regress");
	how.task = task;
}

static void
check_call(void)
{
	const bool order = how.column[ORDER], folds = how.column[FOLDS], group = how.column[GROUP];
	const bool fixed = how.loo || folds || how.test;
	const struct kith_rule rule[] = {
	    {how.loo + order + folds + group + (how.test != NULL) > 1,
		"--loo, --group, --order, --folds and --test exclude each other"},
	    {how.nested && (how.best || how.then || how.loo || how.test),
		"--nested excludes --best, --then, --loo and --test"},
	    {fixed && kith_given(&how.parts), "--loo, --folds and --test exclude -n"},
	    {(fixed || order) && kith_given(&how.repeats),
		"--loo, --folds, --order and --test exclude --repeats"},
	    {how.embargo && !order, "--embargo needs --order"},
	    {how.measure == KITH_SCORE_NDCG && !how.column[QUERY],
		"--measure ndcg@K needs --query"},
	    {how.measure == KITH_SCORE_NDCG && how.loo, "--loo excludes --measure ndcg@K"},
	    {how.column[WEIGHT] && !is_mean_of_losses(),
		"--weight is for error, log_loss, rmse, mae and squared"},
	    {how.plan && kith_run.output, "--plan excludes -o (it is for --collect)"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	if (!how.then)
		return;
	kith_unused(&kith_run.csv, "--then");
	kith_unused(&kith_run.digits, "--then");
	how.best = how.best ? how.best : KITH_BEST;
}

/* ---- Plans ---- */

enum { TABLE_COPY, TEST_COPY, TASKS, CALL, FILES };
static const char *const file_name[FILES] = {"table.tsv", "test.tsv", "tasks", "call"};
static struct kith_out file[FILES];

/* The call, divided at its "--". */
static struct {
	char **word; /* argv[0] and the n - 1 words before "--", then NULL */
	int n;
	char **command; /* the words behind "--"; NULL: there is none */
	char *digest;   /* of the plan in the folder of --collect; NULL: there is none */
} call;

/*
 * Divides the call.  A call with --collect DIR becomes the call of the plan, followed by its own
 * words.
 */
static void
divide_call(int argc, char **argv)
{
	static const char collect[] = "--collect";
	const size_t len = sizeof(collect) - 1;
	const char *dir = NULL;
	size_t length, n = 1;
	char *planned, **word;
	int own = 0;

	for (; own < argc && strcmp(argv[own], "--") != 0; own++)
		if (strncmp(argv[own], collect, len) == 0)
			dir = argv[own][len] ? argv[own] + len + 1 : argv[own + 1];
	call.word = argv;
	call.n = own;
	call.command = own < argc ? argv + own + 1 : NULL;
	argv[own] = NULL;
	if (!dir)
		return;
	planned = read_whole(kith_text(&kept, "%s/call", dir), &length);
	if (!planned || length == 0 || planned[length - 1])
		return;
	word = kith_new(&kept, length + (size_t)own + 1, sizeof(*word));
	word[0] = argv[0];
	for (char *w = planned; (w += strlen(w) + 1) < planned + length;)
		if (call.digest || strcmp(w, "--") != 0) {
			word[n++] = w;
		} else {
			memcpy(word + n, argv + 1, (size_t)own * sizeof(*word));
			call.n = (int)n + own - 1;
			n += (size_t)own;
			call.word = word;
			call.command = word + n;
			call.digest = planned;
		}
}

/* Makes the folder of --plan, and opens its files; returns the outputs for copies of the tables. */
static struct kith_out *
begin_plan(void)
{
	if (mkdir(how.plan, 0777))
		fail(EX_IOERR, how.plan, "%s", strerror(errno));
	for (size_t i = 0; i < FILES; i++)
		if (kith_out_open(
			&file[i], kith_text(&kept, "%s/%s", how.plan, file_name[i]), &failure))
			kith_die(&failure);
	return file;
}

/* Returns a word as sh(1) reads it; in scratch. */
static char *
quote(const char *word)
{
	return kith_log_words((char *[]){kith_text(&scratch, "%s", word), NULL}, &scratch);
}

/* Writes the line of a task, and a command of several lines to a file. */
static void
put_task(const struct task *t)
{
	const char *line = write_task(command, t), *path = file_of(".sh", t->number);
	const char *dir = quote(file_of("tmp", t->number));
	const char *part = quote(file_of(".part", t->number));
	const bool lines = strchr(line, '\n');
	char cwd[4096];
	FILE *script;

	if (lines &&
	    (!(script = fopen(path, "w")) || fprintf(script, "%s\n", line) < 0 || fclose(script)))
		fail(EX_IOERR, path, "%s", strerror(errno));
	if (!getcwd(cwd, sizeof(cwd)) || strchr(cwd, '\n'))
		fail(EX_IOERR, how.plan, "cannot write the tasks");
	kith_out_text(&file[TASKS],
	    kith_text(&scratch,
		"cd %s && %s%s%smkdir -p %s && rm -f %s && { KITH_THREADS=1 OPENBLAS_NUM_THREADS=1 "
		"sh %s%s </dev/null >%s 2>%s; s=$?; rm -rf %s; [ $s -le 1 ] && mv %s %s; }\n",
		quote(cwd), programs ? "PATH=" : "", programs ? quote(programs) : "",
		programs ? ":$PATH && export PATH && " : "", dir, part, lines ? "" : "-c ",
		quote(lines ? path : line), part, quote(file_of(".err", t->number)), dir, part,
		quote(file_of(".out", t->number))));
}

/* Adds a word to the call. */
static void
put_word(const char *word)
{
	kith_out_bytes(&file[CALL], word, strlen(word) + 1);
}

/* Returns a hash of which rows each split predicts and learns from, and of the grid. */
static char *
digest_plan(void)
{
	const uint64_t prime = 1099511628211U; /* FNV-1a (Fowler, Noll and Vo) */
	uint64_t digest = 14695981039346656037U;

	for (const struct split *s = splits.v + 1; s <= splits.v + splits.n; s++)
		for (size_t i = 0; i < rows.n; i++)
			digest = (digest ^ (predicts(s, i) + 2U * learns(s, i))) * prime;
	for (size_t c = 0; c < grid.combinations; c++, kith_pool_free(&scratch))
		for (const char *s = words_of(c, ""); *s; s++)
			digest = (digest ^ (unsigned char)*s) * prime;
	return kith_text(&kept, "%" PRIx64, digest);
}

/* Writes n tasks, then the call, whose operands begin with TABLE. */
static void
write_plan(const struct task *task, size_t n, char *const *operand)
{
	for (size_t i = 0; i < n; i++, kith_pool_free(&scratch))
		put_task(&task[i]);
	put_word(digest_plan());
	for (char *const *word = call.word + 1; word < operand; word++)
		put_word(*word);
	put_word(how.task == KITH_REGRESS ? "--task=regress" : "--task=classify");
	put_word(file_name[TABLE_COPY]);
	while (*++operand)
		put_word(*operand);
	put_word("--");
	for (char *const *word = call.command; *word; word++)
		put_word(*word);
	for (size_t i = 0; i < FILES; i++)
		if (kith_out_close(&file[i], &failure) || kith_atomic_settle(&failure))
			kith_die(&failure);
	keep_folder();
	kith_log_size("tasks", n);
}

/* ---- The run ---- */

/* Reads the options and operands. */
static char **
parse_call(int argc, char **argv)
{
	char **operand;

	divide_call(argc, argv);
	operand = kith_begin(&tool, call.n, call.word);
	if (recipes_wanted) {
		print_recipes();
		exit(0);
	}
	if (how.collect && !call.digest)
		fail(EX_NOINPUT, how.collect, "no plan of tabcv");
	if (!operand[0])
		kith_misuse("no TABLE");
	if (how.collect) {
		how.plan = NULL;
		how.format = (struct kith_format){.header = true, .sep = '\t'};
		operand[0] = kith_text(&kept, "%s/table.tsv", how.collect);
		how.test = how.test ? kith_text(&kept, "%s/test.tsv", how.collect) : NULL;
	}
	kith_inputs((char *[]){operand[0], NULL});
	parse_measure();
	check_call();
	for (char **word = operand + 1; *word; word++)
		add_parameter(*word);
	parse_command(call.command);
	return operand;
}

int
main(int argc, char *argv[])
{
	char **operand = parse_call(argc, argv);
	struct kith_out out, *copy = how.plan ? begin_plan() : NULL;
	size_t c, n;
	struct task *task;
	int status;

	begin_processes();
	read_rows(operand[0], copy);
	make_splits();
	if (!how.plan &&
	    (how.then ? kith_out_open(&out, kith_run.output, &failure)
		      : kith_out_open_table(&out, kith_output(), &failure)))
		kith_die(&failure);
	make_grid();
	check_places();
	kith_log_size("rows", rows.n);
	kith_log_size("splits", splits.n);
	kith_log_size("combinations", grid.combinations);
	/* Split S and combination C, both from 1, have task (S - 1) * combinations + C. */
	c = grid.combinations;
	n = splits.n * c;
	task = kith_new(&kept, n, sizeof(*task));
	for (size_t i = 0; i < n; i++)
		task[i] = (struct task){i / c + 1, i + 1, i % c, .k = ""};
	if (how.plan) {
		write_plan(task, n, operand);
		return 0;
	}
	if (call.digest && strcmp(call.digest, digest_plan()) != 0)
		kith_misuse("--collect: other parts or parameters than those of the plan");
	status = how.nested ? run_nested(task, &out) : run_trials(task, &out);
	return kith_finish(&out, status);
}
