/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svm_table - a random problem for wsvmpath: its table, its options, and the run of the command,
 * whose steps are judged (svm_judge.h).  A generator draws the problem of a seed, and its main()
 * is svm_main():
 *
 *	GENERATOR table SEED TASK FILE      write the table; print the options
 *	GENERATOR judge SEED TASK FILE      judge the steps in FILE: --print coef
 *	GENERATOR run SEED COUNT TASK DIR   both, and wsvmpath, for COUNT seeds
 *
 * TASK is classify, regress or rank.  run prints a line for each seed whose status and steps do not
 * agree, and then counts:
 *
 *	sets        problems
 *	refused     status 65
 *	right       status 0, and all steps and all lines between them are solutions
 *	silent      status 0, but a step or a line is off
 *	needless    status 1, but nothing is off
 *	said        status 1, and a step or a line is off
 *	broken      another status, a signal, or a minute that was not enough
 *
 * and with JUDGE_CHECK set how many of status 0 --check refuses, and for how many that are off it
 * says yes ("false yes").  The exit status is 1 where something is silent, broken, or a false yes.
 */
#ifndef KITH_GEN_SVM_TABLE_H
#define KITH_GEN_SVM_TABLE_H

#include "spawn.h"
#include "svm_judge.h"

#include <stdio.h>
#include <stdlib.h>

enum svm_task { SVM_CLASSIFY, SVM_REGRESS, SVM_RANK };

struct svm_table {
	enum svm_task task;
	struct svm_kern kern;
	size_t n, p;
	bool numbers; /* --from and --to are numbers; else columns of weights */
	double x[SVM_ROWS][SVM_COLUMNS], y[SVM_ROWS];
	double from[SVM_ROWS], to[SVM_ROWS]; /* weights */
	size_t query[SVM_ROWS];
	double ridge, epsilon; /* ridge: over the mean K_ii */
};

/* Draws the problem of a task and a seed. */
typedef void svm_draw(struct svm_table *t, enum svm_task task, size_t seed);

static inline int
svm_write(const struct svm_table *t, const char *file)
{
	FILE *f = fopen(file, "w");

	if (!f)
		return -1;
	for (size_t j = 0; j < t->p; j++)
		fprintf(f, "x%zu,", j);
	fprintf(f, "%sy\n", t->numbers ? "q," : "q,c0,c1,");
	for (size_t i = 0; i < t->n; i++) {
		for (size_t j = 0; j < t->p; j++)
			fprintf(f, "%.17g,", t->x[i][j]);
		fprintf(f, "%zu,", t->query[i]);
		if (!t->numbers)
			fprintf(f, "%.17g,%.17g,", t->from[i], t->to[i]);
		fprintf(f, "%.17g\n", t->y[i]);
	}
	return fclose(f);
}

/* The options of the problem, divided by blanks. */
static inline void
svm_options(const struct svm_table *t, char *to, size_t size)
{
	static const char *const kernel[] = {"gaussian", "linear", "polynomial"};
	static const char *const task[] = {"classify", "regress", "rank"};
	int n = snprintf(
	    to, size, "--task %s -y y --kernel %s", task[t->task], kernel[t->kern.kind]);

	if (t->task == SVM_REGRESS)
		n += snprintf(to + n, size - (size_t)n, " --epsilon %.17g", t->epsilon);
	n += snprintf(to + n, size - (size_t)n, t->task == SVM_RANK ? " --query q" : " -x !q");
	if (t->kern.kind != SVM_LINEAR)
		n += snprintf(to + n, size - (size_t)n, " --gamma %.17g", t->kern.gamma);
	if (t->kern.kind == SVM_POLYNOMIAL)
		n += snprintf(to + n, size - (size_t)n, " --degree %zu", t->kern.degree);
	if (t->ridge != 1e-6)
		n += snprintf(to + n, size - (size_t)n, " --ridge %.17g", t->ridge);
	if (t->numbers)
		snprintf(
		    to + n, size - (size_t)n, " --from %.17g --to %.17g", t->from[0], t->to[0]);
	else
		snprintf(to + n, size - (size_t)n, " --from c0 --to c1");
}

static inline void
svm_add_variable(struct svm_problem *p, const struct svm_table *t, size_t i, size_t j, double sign,
    long double d)
{
	const size_t v = p->N++;

	p->plus[v] = i;
	p->minus[v] = j;
	p->sign[v] = sign;
	p->lower[v][0] = p->lower[v][1] = 0;
	p->upper[v][0] = t->from[i];
	p->upper[v][1] = t->to[i];
	p->d[v][0] = p->d[v][1] = d;
}

/* The problem of wsvm/wsvm.h that the table is. */
static inline void
svm_make_problem(const struct svm_table *t, struct svm_problem *p)
{
	long double mean = 0;

	p->n = t->n;
	p->N = 0;
	p->ranks = t->task == SVM_RANK;
	p->bias = !p->ranks;
	p->sum[0] = p->sum[1] = 0;
	for (size_t i = 0; i < t->n; i++)
		for (size_t j = 0; j < t->n; j++)
			p->K[i][j] = svm_kernel_of(&t->kern, t->p, t->x[i], t->x[j]);
	for (size_t i = 0; i < t->n; i++)
		mean += p->K[i][i] / t->n;
	p->ridge = t->ridge * mean;
	for (size_t i = 0; i < t->n; i++)
		if (t->task == SVM_CLASSIFY)
			svm_add_variable(p, t, i, i, t->y[i], 1);
		else if (t->task == SVM_REGRESS)
			svm_add_variable(p, t, i, i, 1, (long double)t->y[i] - t->epsilon);
		else
			for (size_t j = 0; j < t->n; j++)
				if (t->query[i] == t->query[j] && t->y[i] > t->y[j])
					svm_add_variable(p, t, i, j, 1, 1);
	for (size_t i = 0; t->task == SVM_REGRESS && i < t->n; i++)
		svm_add_variable(p, t, i, i, -1, -(long double)t->y[i] - t->epsilon);
}

/* The variable of a row "3", or a pair "3>1", of the output; regress: a negative one is the
   second of the row. */
static inline size_t
svm_find_variable(
    const struct svm_problem *p, enum svm_task task, const char *name, double coefficient)
{
	char *end;
	const size_t i = strtoul(name, &end, 10) - 1;

	if (task == SVM_REGRESS)
		return coefficient < 0 ? p->n + i : i;
	if (task == SVM_CLASSIFY)
		return i;
	for (size_t v = 0, j = strtoul(end + 1, NULL, 10) - 1; v < p->N; v++)
		if (p->plus[v] == i && p->minus[v] == j)
			return v;
	return 0;
}

/* Judge the steps that wsvmpath has printed into a file; -1: it is no path. */
static inline int
svm_judge_file(const struct svm_table *t, const char *file, struct svm_verdict *verdict)
{
	static struct svm_problem p;
	static struct svm_point point[2];
	struct svm_point *last = NULL, *now = NULL;
	char line[256];
	size_t step = 0;
	FILE *f = fopen(file, "r");

	verdict->what = "nothing";
	if (!f)
		return -1;
	if (!fgets(line, sizeof(line), f)) {
		fclose(f);
		return -1;
	}
	svm_make_problem(t, &p);
	while (fgets(line, sizeof(line), f)) {
		char *end, *rest;
		const size_t of = strtoul(line, &end, 10);
		const double theta = strtod(end, &end);
		const char *name = strtok_r(end, "\t\n", &rest),
			   *cell = strtok_r(NULL, "\t\n", &rest);
		const double x = cell ? strtod(cell, &end) : 0;

		if (!cell || end == cell)
			break;
		if (!now || of != step) {
			if (now)
				svm_judge_point(&p, now, step, verdict);
			if (last)
				svm_judge_piece(&p, last, now, step, verdict);
			last = now;
			now = now == point ? point + 1 : point;
			memset(now, 0, sizeof(*now));
			now->theta = theta;
			step = of;
		}
		if (strcmp(name, "(bias)") == 0)
			now->b = x;
		else
			now->alpha[svm_find_variable(&p, t->task, name, x)] = fabs(x);
	}
	fclose(f);
	if (!now || now->theta != 1)
		svm_worst(verdict, INFINITY, "an early end", step);
	if (now)
		svm_judge_point(&p, now, step, verdict);
	if (last)
		svm_judge_piece(&p, last, now, step, verdict);
	return 0;
}

struct svm_counts {
	size_t sets, refused, right, silent, needless, said, broken;
	size_t check, yes; /* status 0 that --check refuses; --check says yes to what is off */
};

/* The status of wsvmpath with the options, more of its own, and the table as the last word. */
static inline int
svm_call(const char *options, const char *more, const char *file, const char *table,
    const char *out, const char *err)
{
	char words[1300], *argv[64];
	size_t n = 0;

	snprintf(words, sizeof(words), "wsvmpath -q --scale none %s %s %s %s", options, more, file,
	    table);
	for (char *w = strtok(words, " "); w && n < 63; w = strtok(NULL, " "))
		argv[n++] = w;
	argv[n] = NULL;
	return spawn(argv, out, err, 60);
}

static inline void
svm_run_one(svm_draw *draw, enum svm_task task, size_t seed, const char *dir, struct svm_counts *c)
{
	static struct svm_table t;
	char options[600], table[300], path[300], err[300];
	struct svm_verdict verdict = {0};
	int status, check = 0;

	draw(&t, task, seed);
	svm_options(&t, options, sizeof(options));
	snprintf(table, sizeof(table), "%s/t.csv", dir);
	snprintf(path, sizeof(path), "%s/p.tsv", dir);
	snprintf(err, sizeof(err), "%s/err", dir);
	c->sets++;
	status = svm_write(&t, table)
	    ? 74
	    : svm_call(options, "--print coef -o", path, table, "/dev/null", err);
	if (status == 65) {
		c->refused++;
		return;
	}
	if (status < 0 || status > 1 || svm_judge_file(&t, path, &verdict)) {
		c->broken++;
		printf("seed %zu: status %d: %s\n", seed, status, options);
		return;
	}
	check = getenv("JUDGE_CHECK") ? svm_call(options, "--check", path, table, "/dev/null", err)
				      : status;
	c->right += status == 0 && verdict.off <= 1;
	c->silent += status == 0 && !(verdict.off <= 1);
	c->needless += status == 1 && verdict.off <= 1;
	c->said += status == 1 && !(verdict.off <= 1);
	c->check += status == 0 && check != 0;
	c->yes += getenv("JUDGE_CHECK") && !(verdict.off <= 1) && check == 0;
	if ((status == 1) == (verdict.off <= 1) || check != status)
		printf("seed %zu: status %d, check %d, off %.3Lg (%s at step %zu): %s\n", seed,
		    status, check, verdict.off, verdict.what, verdict.step, options);
}

static inline int
svm_run(svm_draw *draw, enum svm_task task, char *argv[])
{
	const size_t first = strtoul(argv[2], NULL, 10);
	const size_t last = first + strtoul(argv[3], NULL, 10);
	struct svm_counts c = {0};

	for (size_t seed = first; seed < last; seed++)
		svm_run_one(draw, task, seed, argv[5], &c);
	printf("%zu sets, %zu refused, %zu right, %zu silent, %zu needless, %zu said, %zu broken",
	    c.sets, c.refused, c.right, c.silent, c.needless, c.said, c.broken);
	if (getenv("JUDGE_CHECK"))
		printf(", %zu refused by --check, %zu false yes", c.check, c.yes);
	putchar('\n');
	return c.silent + c.yes + c.broken > 0;
}

static inline enum svm_task
svm_task_of(const char *word)
{
	return strcmp(word, "regress") == 0 ? SVM_REGRESS
	    : strcmp(word, "rank") == 0     ? SVM_RANK
					    : SVM_CLASSIFY;
}

static inline int
svm_main(svm_draw *draw, int argc, char *argv[])
{
	static struct svm_table t;
	struct svm_verdict verdict = {0};
	char options[600];

	if (argc == 6 && strcmp(argv[1], "run") == 0)
		return svm_run(draw, svm_task_of(argv[4]), argv);
	if (argc != 5) {
		fputs("usage: table|judge SEED TASK FILE, or run SEED COUNT TASK DIR\n", stderr);
		return 2;
	}
	draw(&t, svm_task_of(argv[3]), strtoul(argv[2], NULL, 10));
	if (strcmp(argv[1], "table") == 0) {
		svm_options(&t, options, sizeof(options));
		puts(options);
		return svm_write(&t, argv[4]) ? 2 : 0;
	}
	if (svm_judge_file(&t, argv[4], &verdict))
		return 2;
	printf("off %.3Lg (%s at step %zu)\n", verdict.off, verdict.what, verdict.step);
	return !(verdict.off <= 1);
}

#endif
