/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tabcv - the error of a command for each combination of parameters.
 *
 *	tabcv.c    options; plans; main()
 *	command.c  parameters, and the command line of a combination; recipes
 *	rows.c     TABLE as lines of text, and its columns with a role; which rows are predicted
 *	           from which
 *	tasks.c    a command line for each split and combination, and their processes
 *	scores.c   what a task printed, and its measure; trials: the measure of each combination, the
 *	           choice of the best one, nested runs, and the final command
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

enum { MOST_JOBS = 256 };

/* What the options say. */
extern struct how {
	struct kith_format format; /* of TABLE and of the file of --test */
	const char *column[ROLES]; /* COL, or NULL: the option is not given */
	const char *features;      /* LIST of -x, or NULL: all columns without a role */
	const char *test;          /* FILE of --test, or NULL */
	const char *then;          /* final command, or NULL */
	const char *plan, *collect;
	size_t parts, repeats;
	size_t nested;            /* number of outer parts; 0: not nested */
	size_t embargo;           /* rows left out before each block of --order */
	size_t seed;              /* of the first repeat */
	size_t jobs;              /* tasks at a time, up to MOST_JOBS */
	bool loo;                 /* each row is a part */
	int task;                 /* KITH_CLASSIFY or KITH_REGRESS */
	int measure;              /* enum kith_score_measure */
	const char *measure_name; /* as --measure and the header have it */
	size_t ndcg;              /* K of ndcg@K */
	int best;                 /* KITH_BEST, KITH_BEST_SE (table/trial.h), or 0: all trials */
} how;

/* The rows of TABLE, then the rows of the file of --test. */
extern struct rows {
	const char *file; /* name of TABLE, for messages */
	size_t n;         /* number of all rows */
	size_t own;       /* number of the rows of TABLE */

	/* By role; of is NULL where no option names a column.  Numbers have no labels. */
	struct kith_names label[ROLES]; /* texts that occur, in byte order */
	struct value {
		size_t level;  /* index of the row's text in label, or 0 */
		double number; /* the row's number, or level */
	} * of[ROLES];         /* n */
} rows;

/* Row i is predicted where from <= part[i] < to, else learnt from where part[i] < before. */
struct split {
	const size_t *part; /* of each row; KITH_NO_COLUMN: the row is neither */
	size_t from, to, before;
	size_t seed;      /* with which the rows were dealt */
	const char *name; /* for messages: "part 3", "outer part 2, part 1" */
};

/*
 * v[0] learns from all rows of TABLE, and predicts the rows of the file of --test; tasks have the
 * splits v[1..n].  With --nested the outer splits come first; v[inner[i - 1] + 1] is the first
 * within outer split i, v[inner[i]] the last.
 */
extern struct splits {
	struct split *v;
	size_t n, room;
	size_t outer;  /* number of the outer splits; 0: not nested */
	size_t *inner; /* outer + 1 */
} splits;

struct parameter {
	char *name, **value;
	size_t n; /* values */
};

/* The value of the last parameter changes from each combination to the next. */
extern struct grid {
	struct parameter *v;
	size_t n, room;
	size_t combinations; /* product of the numbers of values */
} grid;

/* The prediction of a row; a member that the measure does not need is 0. */
struct prediction {
	size_t row;
	size_t class;     /* index of the predicted class */
	double number;    /* the predicted number; auc: the score of the positive class */
	long double loss; /* error, log_loss, rmse, mae, squared: what the prediction costs */
};

/* A column of predictions of a part, and its measure: loss / weight. */
struct score {
	/* While the task is read: */
	size_t at;     /* the column of the file */
	size_t number; /* of the file: predicted numbers, or scores of the positive class */
	struct kith_scores scores; /* of a table */

	const char *k;    /* what stands behind predicted_ in the column's name, or "" */
	size_t n, errors; /* rows; rows that have a loss */
	size_t positive;  /* auc: index of this class */
	long double loss; /* sum of weighted losses, or of the values of queries, or the value */
	double weight;    /* sum of weights, or number of queries, or 1; 0: there is no value */
	double row_se;    /* standard error where each row is a part; NaN: not known */
	struct prediction *p; /* n; --loo alone: they stay when they are scored */
};

/* A line with a combination, on the rows of a split. */
struct task {
	size_t split;
	size_t number; /* names the files of the task; from 1, or 0: the split is 0 */
	size_t combination;
	const char *k; /* of the final command: what {k} is beside the combination; or "" */
	int status;    /* of waitpid(2); -1: the task runs */
	struct score *score;
	size_t scores; /* columns of predictions; 0: the task was not read, or failed */
};

/* A text that stands in a command as {name}. */
struct place {
	const char *name, *text;
};

extern struct kith_pool kept;    /* memory that lives as long as the run */
extern struct kith_pool scratch; /* memory that the next task may free: a loop over tasks does */
extern const char *command;      /* the command of the tasks, with places */
extern const char *programs;     /* folder of kith's commands, or NULL */

/* Ends the process with a message about a file (NULL: none). */
#define fail(status, file, ...) \
	(kith_fail_at(&failure, status, file, 0, __VA_ARGS__), kith_die(&failure))
extern struct kith_err failure;

/* ---- command.c */

/* Returns the bytes of a file, and a null byte behind them; NULL: the file cannot be read. */
char *read_whole(const char *path, size_t *length);

/* Adds the parameter of a word NAME=V,V,..., its values a record of CSV. */
void add_parameter(const char *word);

struct parameter *find_parameter(const char *name); /* or NULL */

const char *value_of(const struct parameter *p, size_t combination);

/*
 * Returns a combination, and k unless it is "", as words that sh(1) and add_parameter() read; in
 * scratch.
 */
char *words_of(size_t combination, const char *k);

bool has_place(const char *line, const char *name);

/*
 * Returns a line of sh(1) in which {name} of each of n places is its text; other braces, and braces
 * behind a backslash, stay.  Unless texts are raw, each byte of a text but letters, digits and
 * _./:=,+@%- gets a backslash; a byte that would get one is a wrong call within quotes, and a line
 * end always is.
 */
char *fill_places(
    const char *line, const struct place *place, size_t n, bool raw, struct kith_pool *pool);

/*
 * Makes `command` of the words behind "--"; finds the recipe, and the parameters that options fix.
 */
void parse_command(char *const *word);

/* Counts the combinations; of a recipe, finds the grid and the command before. */
void make_grid(void);

void print_recipes(void);

/* ---- rows.c */

/*
 * Reads TABLE and the file of --test.  Targets are texts under classify and numbers under regress;
 * weights are numbers from 0; the order is numbers, or texts in byte order, as its first cell
 * decides; all others are texts.  All cells are also written to copy[0] and copy[1], unless copy is
 * NULL.
 */
void read_rows(const char *table, struct kith_out *copy);

/* Makes the splits; with --nested the outer splits, then the splits within each. */
void make_splits(void);

bool predicts(const struct split *s, size_t row);
bool learns(const struct split *s, size_t row);

/* Writes the header, and the rows that a split predicts, or learns from, to a file. */
void write_rows(const struct split *s, bool predicted, const char *path);

/* ---- tasks.c */

/*
 * Makes the folder of the tasks, or uses the folder of --plan or --collect, and starts a process
 * that ends all lines with their children (SIGTERM, after 2 s SIGKILL), and removes the folder,
 * when this process ends in whatever way.  A signal ends this process when lines and folder are
 * gone.
 */
void begin_processes(void);
void keep_folder(void); /* a plan is complete: its folder stays */

/*
 * Returns, in scratch, the name of a file of a split or task: "train.3", or of a kind that begins
 * with a point "3.out".
 */
char *file_of(const char *kind, size_t number);

/* Runs n tasks, or with --collect reads what they left; a task that fails is described. */
void run_tasks(struct task *task, size_t n);

/* Writes the rows of the split of a task, and returns, in scratch, its line with places filled. */
char *write_task(const char *line, const struct task *t);

/*
 * Runs a line on all rows, with its standard error in a file (logged) or where that of tabcv goes;
 * returns its status, and its output as text.
 */
int run_line(const char *line, struct task *t, bool logged, char **printed, size_t *length);

/* Prints the last lines that a task wrote to standard error. */
void say_last_lines(const struct task *t);

/* Ends with a wrong call where a value cannot stand in a command, or a parameter stands in none. */
void check_places(void);

/*
 * Says how many tasks failed, had status 1, and wrote to standard error; returns whether one
 * failed.
 */
bool report_tasks(void);

/* ---- scores.c */

/*
 * Reads the predictions of a task from a file, and scores each column of them, in t.  The file is
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
int read_predictions(const char *path, struct task *t, struct kith_err *err);

/*
 * Whether the measure is the mean of the losses of rows, or (rmse) its root; else it is the mean of
 * the values of parts, or (ndcg) of queries.
 */
bool is_mean_of_losses(void);

/*
 * Runs the tasks; prints the trials, or the best, or runs the final command, whose output is that
 * of tabcv unless it fails.  Returns the status.
 */
int run_trials(struct task *task, struct kith_out *out);

/*
 * For each outer split: chooses on its training rows, and scores the choice on its test rows.
 * Prints a line for each, and the mean of the parts.
 */
int run_nested(struct task *task, struct kith_out *out);

#endif
