/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tabcv - the error of a command for each combination of parameters.
 *
 *	tabcv.c        options; the run: all trials, the best, nested, or the final command
 *	recipes.c      commands that the name of a learner stands for
 *	grid.c         parameters, and the command line of a combination
 *	rows.c         TABLE as lines of text, and its columns with a role
 *	splits.c       which rows are predicted from which
 *	tasks.c        a command line for each split and combination
 *	processes.c    command lines that run at a time, and their end
 *	predictions.c  what a task printed
 *	score.c        its measure
 *	trials.c       the measure of a combination, and the choice
 *	plan.c         a folder of tasks that others run
 *
 * What the whole run has one of is a variable below.  A function that finds the call or the data
 * wrong ends the process with a message, as kith_die() does; a function with a struct kith_err
 * returns -1, because one task fails and the run goes on.
 */
#ifndef KITH_CMD_TABCV_H
#define KITH_CMD_TABCV_H

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "score/score.h"
#include "text/out.h"
#include "text/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What a column of TABLE is for, if an option names it; all others may be features. */
enum role {
	TARGET, /* the class or the number that is predicted */
	ID,     /* names of the rows */
	GROUP,  /* rows of one group are in one part */
	ORDER,  /* rows are predicted from rows before them in this order */
	FOLDS,  /* the part of each row */
	WEIGHT, /* what the loss of a row counts */
	QUERY,  /* ndcg@K: rows of one query are ranked together */
	ROLES
};

/* How the parts of a split add up to the value of a measure (score/score.h). */
extern const enum mean {
	NO_MEASURE,  /* --measure does not have it */
	OVER_ROWS,   /* the mean of the losses of all rows */
	ROOT,        /* the square root of the mean of the losses of all rows */
	OVER_PARTS,  /* the mean of the values of all parts */
	OVER_QUERIES /* the mean of the values of all queries */
} means[KITH_SCORE_MEASURES];

/* What the options say. */
extern struct how {
	struct kith_format format; /* of TABLE and of the file of --test */
	const char *column[ROLES]; /* COL, or NULL: the option is not given */
	const char *features;      /* LIST of -x, or NULL: all columns without a role */
	const char *test;          /* FILE of --test, or NULL */
	const char *then;          /* final command, or NULL */
	const char *plan, *collect;
	size_t parts, repeats;
	size_t nested;  /* number of outer parts; 0: not nested */
	size_t embargo; /* rows left out before each block of --order */
	size_t seed;    /* of the first repeat */
	size_t jobs;    /* tasks at a time */
	bool loo;       /* each row is a part */
	int task;       /* KITH_CLASSIFY or KITH_REGRESS */
	int measure;    /* enum kith_score_measure */
	size_t ndcg;    /* K of ndcg@K */
	int best;       /* KITH_BEST, KITH_BEST_SE (table/trial.h), or 0: all trials */
} how;

/* The rows of TABLE, then the rows of the file of --test. */
extern struct rows {
	const char *file; /* name of TABLE, for messages */
	size_t n;         /* number of all rows */
	size_t own;       /* number of the rows of TABLE */
	char *text;       /* TSV: the header, and row i from text[at[i]] to text[at[i + 1]] - 1 */
	size_t *at;       /* n + 1 */

	/* By role; NULL where the role has no column, or its cells are of the other kind. */
	struct kith_names label[ROLES]; /* texts that occur, in byte order */
	size_t *level[ROLES];           /* n: index of the row's text in label */
	double *number[ROLES];          /* n: the row's number */
} rows;

/* Row i is predicted where from <= part[i] < to, else learnt from where part[i] < before. */
struct split {
	const size_t *part; /* of each row; KITH_NO_COLUMN: the row is neither */
	size_t from, to, before;
	size_t seed;    /* with which the rows were dealt */
	size_t waiting; /* number of tasks that still need the files of the split */
};

/* With --nested the outer splits come first; inner[i] is the first within outer split i. */
extern struct splits {
	struct split *v;
	size_t n, room;
	size_t outer;  /* number of the outer splits; 0: not nested */
	size_t *inner; /* outer + 1 */
} splits;

/* Combination c has value[c / stride % n] of each parameter. */
struct parameter {
	char *name, **value;
	size_t n, stride;
};

extern struct grid {
	struct parameter *v;
	size_t n, room;
	size_t combinations;
} grid;

/* Predictions of n rows; an array that the measure does not need is NULL. */
struct outcome {
	size_t n;
	size_t classes; /* number of classes, also of classes that occur in predictions alone */
	size_t *actual_class;  /* n: index of the class */
	size_t *class;         /* n: index of the predicted class */
	double *actual;        /* n numbers */
	double *number;        /* n: predicted */
	double *score;         /* auc: n scores of the positive class */
	size_t positive;       /* auc: index of this class */
	long double *log_loss; /* n: -log of the probability of the actual class */
	double *weight;        /* n: what the loss of each row counts */
	size_t *query;         /* ndcg: n */
};

/* The measure of the predictions of a part: loss / weight. */
struct score {
	const char *k;       /* what stands behind predicted_ in the column's name, or "" */
	size_t n, errors;    /* rows, and rows whose prediction is not the actual class or number */
	long double loss;    /* sum of weighted losses, or of the values of queries, or the value */
	double weight;       /* sum of weights, or number of queries, or 1; 0: there is no value */
	double row_se;       /* standard error where each row is a part; NaN: not known */
	struct outcome kept; /* --loo: the predictions */
};

struct task {
	size_t split, combination;
	size_t number; /* names the files of the task; from 1 */
	bool ended;
	const char *why; /* why the task failed; NULL: it did not */
	char **said;     /* n_said: the last lines of the task's standard error */
	size_t n_said;
	struct score *score;
	size_t scores; /* columns of predictions; 0: the task has not ended, or failed */
};

/* How many tasks ended, failed, had status 1 and count, and did not fail but wrote to standard
 * error; speaker is the first task that did. */
extern struct tally {
	size_t ended, failed, uncertain, spoke;
	const struct task *speaker;
} tally;

/* A combination of parameters, or the choices of several parts. */
struct trial {
	size_t combination;
	const char *k;    /* of a column predicted_K, or "" */
	size_t n, errors; /* n is 0 where a task failed */
	size_t undefined; /* parts without a value */
	double value, se; /* NaN: not known */
};

/* A line of sh(1) and the files of its standard output and error; NULL: as of tabcv itself. */
struct line {
	char *text;
	const char *out, *log;
};

/* A text that stands in a command as {name}. */
struct place {
	const char *name, *text;
};

/* Commands that a name stands for; recipes.c says what stands in them. */
extern const struct recipe {
	const char *name;
	const char *grid;    /* prints NAME=V,V ... of TABLE, {train}; the simplest values first */
	const char *command; /* prints the predictions of {test} */
	const char *final;   /* --then final */
} recipes[];

extern struct kith_pool kept;       /* memory that lives as long as the run */
extern const char *command;         /* the command of the tasks, with places */
extern const struct recipe *recipe; /* the recipe of the command, or NULL */
extern const char *programs;        /* folder of kith's commands, or NULL */
extern const char *folder;          /* of the files of the tasks */

/* ---- grid.c */

/* Returns a text by printf(3). */
char *text(struct kith_pool *pool, const char *fmt, ...) KITH_PRINTF(2, 3);

/* Ends the process with a message about a file (NULL: none). */
_Noreturn void fail(int status, const char *file, const char *fmt, ...) KITH_PRINTF(3, 4);

/* Adds the parameter of a word NAME=V,V,..., its values a record of CSV. */
void add_parameter(const char *word);

struct parameter *find_parameter(const char *name); /* or NULL */

/* Numbers the combinations: the value of the last parameter changes from each to the next. */
void number_combinations(void);

const char *value_of(const struct parameter *p, size_t combination);

/* Returns a combination, and k unless it is "", as words that sh(1) and add_parameter() read. */
char *words_of(size_t combination, const char *k, struct kith_pool *pool);

bool has_place(const char *line, const char *name);

/*
 * Returns a line of sh(1) in which {name} of each of n places is its text; other braces, and those
 * behind a backslash, stay.  Each byte of a text but letters, digits and _./:=,+@%- gets a
 * backslash; where such a byte would stand in quotes, or is a line end, the call is wrong.
 */
char *fill_places(const char *line, const struct place *place, size_t n, struct kith_pool *pool);

/* ---- rows.c, splits.c */

/*
 * Reads TABLE and the file of --test.  Targets are texts under classify and numbers under regress;
 * weights are numbers from 0; the order is numbers, or texts in byte order where no cell of it is a
 * number; all others are texts.  All cells are also written to copy[0] and copy[1], unless copy is
 * NULL.
 */
void read_rows(const char *table, struct kith_out *copy);

/* Makes the splits; with --nested the outer splits, then the splits within each. */
void make_splits(void);

bool predicts(const struct split *s, size_t row);
bool learns(const struct split *s, size_t row);

/* Writes the header, and the rows that a split predicts, or learns from, to a file; without a split
 * all of TABLE, or of the file of --test. */
void write_rows(const struct split *s, bool predicted, const char *path);

/* ---- processes.c */

/*
 * Makes the folder of the tasks, or uses the folder of --plan, and starts a process that ends all tasks with their
 * children (SIGTERM, after 2 s SIGKILL), and removes the folder, when this process ends in whatever
 * way.  From catch_signals() on, a signal ends this process only when tasks and folder are gone.
 */
void begin_processes(void);
void catch_signals(
    void); /* called when the output is open, for base/atomic_file.h handles signals, too */
void end_processes(void); /* also called at exit */
void keep_folder(void);   /* a plan is complete: its folder stays */

/*
 * Runs lines 0..n-1, how.jobs at a time, each in a process group of its own with
 * KITH_THREADS=threads and an empty standard input.  prepare(to, i, pool) returns line i;
 * finish(to, i, status) gets the status of waitpid(2) of line i when all its children have ended.
 */
void run_lines(size_t n, size_t threads,
    struct line (*prepare)(void *to, size_t i, struct kith_pool *pool),
    void (*finish)(void *to, size_t i, int status), void *to);

/* Removes a folder and its files. */
void remove_folder(const char *path);

/* ---- tasks.c */

/* Makes a task for each of m splits, from the first on, and each combination. */
struct task *make_tasks(size_t first, size_t m, size_t first_number);

/* Runs n tasks, or with --collect reads what they left; a task that fails is described. */
void run_tasks(struct task *task, size_t n);

/* Writes the parts and the lines of n tasks to the file `tasks` of the folder. */
void plan_tasks(const struct task *task, size_t n);

/* Runs a line on all rows, with a combination and k; returns its status, and the file of its output. */
int run_final(const char *line, size_t combination, const char *k, char **path);

/* Ends with a wrong call where a value cannot stand in a command, or a parameter stands in none. */
void check_places(void);

/* Says how many tasks failed, had status 1, and wrote to standard error. */
void report_tasks(void);

/* ---- predictions.c, score.c */

/*
 * Reads the predictions of m rows from a file, and scores each column of them, in t.  The file is
 *
 *	a table with a column predicted, or columns predicted_K, which may have actual, and
 *	score:CLASS (score_K:CLASS) or probability:CLASS;
 *
 *	or a line a row: the class or the number, or under auc the score of the second class.
 *
 * A class that TABLE does not have, and a missing one, is a wrong prediction.
 *
 * Fails where the file is neither, or of other rows, where actual is not what is true of the row,
 * where a number is due and something else is there, and where the measure lacks scores.
 */
int read_predictions(
    const char *path, const size_t *row, size_t m, struct task *t, struct kith_err *err);

/* Scores the predictions of a part: all members but k and kept. */
void score_outcome(const struct outcome *o, struct score *s);

/* ---- trials.c */

/* Returns the trials of the tasks of m splits and all combinations; their number in *n. */
struct trial *sum_trials(const struct task *task, size_t m, size_t *n);

/* Returns the trial of n tasks, one a part, of which column k[i] counts. */
struct trial sum_trial(const struct task *const *task, const char *const *k, size_t n);

/*
 * Returns the best of n trials: the best value, then the smallest k, then the first; or
 * (KITH_BEST_SE) the first within one standard error of the best value.  NULL: no value is known.
 */
const struct trial *choose_trial(const struct trial *t, size_t n, int best);

const char *measure_name(void); /* as in the header */

/* Write the header, and a line; part is the first cell of --nested, or NULL; k: there is a k. */
void put_header(bool k, struct kith_out *out);
void put_trial(const struct trial *t, const char *part, bool k, struct kith_out *out);

/* ---- recipes.c, plan.c */

/* Makes `command` of the words behind "--"; finds the recipe, and the parameters that options fix. */
void parse_command(char *const *word);

/* Runs the grid line of the recipe; makes the grid and the command. */
void use_recipe(void);

void print_recipes(void);

/* A call, divided at its "--". */
struct call {
	char **word; /* argv[0] and the n - 1 words before "--", then NULL */
	int n;
	char **command; /* the words behind "--"; NULL: there is none */
	char *digest;   /* of the plan that is collected */
	bool broken;    /* there is no plan in the folder of --collect */
};

/* Divides a call.  A call with --collect DIR becomes the call of the plan, followed by its own words. */
struct call divide_call(int argc, char **argv);

/* Makes the folder of --plan, and opens the files for copies of the tables. */
void begin_plan(struct kith_out copy[2]);

/* Writes the call, whose operands begin with TABLE, and closes the copies. */
void end_plan(const struct call *call, char *const *operand, struct kith_out copy[2]);

/* Returns a hash of which rows each split predicts and learns from, and of the grid. */
char *digest_plan(void);

#endif
