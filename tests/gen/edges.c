/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * edges - problems at the edges of what doubles can resolve, for wsvmpath, and
 * an independent judge of its paths.
 *
 *	edges table SEED TASK FILE         write the table; print the options
 *	edges judge SEED TASK FILE         judge the steps in FILE: --print coef
 *	edges run SEED COUNT TASK DIR      both, and wsvmpath, for COUNT seeds
 *
 * TASK is classify, regress or rank.  Rows are copies, copies of both classes,
 * on a grid, binary, constant, collinear, or of scales from 1e-6 to 1e6;
 * weights are 0, from 1e-8 to 1e8, balanced, or those of single rows that come
 * or go; gamma is 1e-8 to 1e8, the degree 1 to 5, the ridge 0 to 1.
 *
 * The judge (edges_judge.h) computes in 80 bits from the table and the steps
 * alone.  run prints a line for each seed whose status and steps do not agree,
 * and then counts: sets, refused, silent (status 0, but off), needless (status
 * 1, but right), said (status 1, and off), and with EDGES_CHECK set those that
 * --check refuses though the status was 0, and those that are off though --check
 * says yes.
 */
#include "base/rng.h"
#include "edges_judge.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static struct kith_rng rng;

static size_t
below(size_t n)
{
	return (size_t)kith_rng_below(&rng, n);
}

static double
uniform(double from, double to)
{
	return from + (to - from) * kith_rng_unit(&rng);
}

static double
power_of_ten(double from, double to)
{
	return pow(10, uniform(from, to));
}

/* Whole numbers of so many digits, where the seed says so. */
static double
rounded(double x)
{
	char text[32];

	snprintf(text, sizeof(text), "%.4g", x);
	return strtod(text, NULL);
}

static double
draw_cell(size_t kind)
{
	switch (kind) {
	case 0:
		return (double)below(5) - 2;
	case 1:
		return (double)below(2);
	case 2:
		return 1;
	default:
		return rounded(uniform(-2, 2));
	}
}

/* Copies, multiples of one row, and columns of other scales. */
static void
draw_rows(struct edges *e)
{
	const size_t kind = below(6), copies = below(4);
	const bool collinear = below(5) == 0, scales = below(4) == 0;
	const double all = below(5) ? 1 : rounded(power_of_ten(-3, 3));

	for (size_t i = 0; i < e->n; i++)
		for (size_t j = 0; j < e->p; j++)
			e->x[i][j] = draw_cell(kind);
	for (size_t i = 1; i < e->n; i++) {
		const size_t of = below(i);
		const double a = (double)below(7) - 3;

		if (below(6) < copies)
			memcpy(e->x[i], e->x[of], sizeof(e->x[i]));
		else if (collinear)
			for (size_t j = 0; j < e->p; j++)
				e->x[i][j] = a * e->x[0][j];
	}
	for (size_t j = 0; j < e->p; j++) {
		const double unit = scales ? rounded(power_of_ten(-6, 6)) : all;

		for (size_t i = 0; i < e->n; i++)
			e->x[i][j] *= unit;
	}
}

static void
draw_target(struct edges *e)
{
	const size_t few = 2 + below(e->n), kind = below(4);

	for (size_t i = 0; i < e->n; i++) {
		e->query[i] = below(3);
		if (e->task == EDGES_CLASSIFY)
			e->y[i] = kind == 0 ? (i < few ? 1 : -1) : below(2) ? 1 : -1;
		else if (e->task == EDGES_RANK)
			e->y[i] = (double)below(3);
		else
			e->y[i] = kind == 0 ? (double)below(3)
			    : kind == 1     ? e->x[i][0]
					    : rounded(uniform(-2, 2));
	}
	e->y[0] = 1;
	if (e->n > 1)
		e->y[1] = e->task == EDGES_CLASSIFY ? -1 : 0;
	e->query[0] = e->query[1] = 0;
	e->epsilon = below(3) ? .1 : rounded(power_of_ten(-6, 0));
}

/* The weights of one end of the path. */
static void
draw_weights(struct edges *e, double *C, double one)
{
	const size_t kind = below(8);
	double size[2] = {0};

	for (size_t i = 0; i < e->n; i++)
		size[e->y[i] > 0]++;
	for (size_t i = 0; i < e->n; i++)
		C[i] = kind == 0 ? rounded(one * kith_rng_unit(&rng))
		    : kind == 1  ? rounded(power_of_ten(-8, 8))
		    : kind == 2  ? (below(3) ? one : 0)
		    : kind == 3  ? rounded(one / size[e->y[i] > 0])
		    : kind == 4  ? (double)below(31)
				 : one;
	if (kind == 5)
		C[below(e->n)] = 0;
}

static double
draw_C(void)
{
	return below(12) == 0 ? 0
	    : below(3)        ? rounded(power_of_ten(-2, 3))
			      : rounded(power_of_ten(-8, 8));
}

static void
draw_kernel(struct edges *e)
{
	const size_t kind = below(3);

	e->kernel = (enum edges_kernel)kind;
	e->gamma = below(2) ? rounded(power_of_ten(-2, 1)) : rounded(power_of_ten(-8, 8));
	if (kind == EDGES_POLYNOMIAL && below(2))
		e->gamma = 1;
	e->degree = 1 + below(5);
	e->ridge = below(2) ? 1e-6 : below(2) ? (below(2) ? 0 : 1e-12) : (below(2) ? 1e-3 : 1);
}

static void
draw(struct edges *e, enum edges_task task, size_t seed)
{
	double C;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, (size_t)task + 100);
	memset(e, 0, sizeof(*e));
	e->task = task;
	e->n = 2 + (below(3) ? below(15) : below(EDGES_ROWS - 1));
	e->p = 1 + (below(3) ? below(4) : below(EDGES_COLUMNS));
	draw_rows(e);
	draw_target(e);
	draw_kernel(e);
	C = draw_C();
	e->numbers = task == EDGES_RANK || below(3) == 0;
	for (size_t i = 0; i < e->n; i++)
		e->from[i] = C;
	if (!e->numbers)
		draw_weights(e, e->from, C);
	C = below(3) ? draw_C() : rounded(C * power_of_ten(-3, 3));
	for (size_t i = 0; i < e->n; i++)
		e->to[i] = C;
	if (!e->numbers && below(3))
		draw_weights(e, e->to, C);
}

static int
write_table(const struct edges *e, const char *file)
{
	FILE *f = fopen(file, "w");

	if (!f)
		return -1;
	for (size_t j = 0; j < e->p; j++)
		fprintf(f, "x%zu,", j);
	fprintf(f, "%sy\n", e->numbers ? "q," : "q,c0,c1,");
	for (size_t i = 0; i < e->n; i++) {
		for (size_t j = 0; j < e->p; j++)
			fprintf(f, "%.17g,", e->x[i][j]);
		fprintf(f, "%zu,", e->query[i]);
		if (!e->numbers)
			fprintf(f, "%.17g,%.17g,", e->from[i], e->to[i]);
		fprintf(f, "%.17g\n", e->y[i]);
	}
	return fclose(f);
}

/* The options of the problem. */
static void
options(const struct edges *e, char *to, size_t room)
{
	static const char *const kernel[] = {"gaussian", "linear", "polynomial"};
	static const char *const task[] = {"classify", "regress", "rank"};
	int n = snprintf(to, room, "--task %s -y y --kernel %s", task[e->task], kernel[e->kernel]);

	if (e->task == EDGES_REGRESS)
		n += snprintf(to + n, room - (size_t)n, " --epsilon %.17g", e->epsilon);
	n += snprintf(
	    to + n, room - (size_t)n, e->task == EDGES_RANK ? " --query q" : " --ignore q");
	if (e->kernel != EDGES_LINEAR)
		n += snprintf(to + n, room - (size_t)n, " --gamma %.17g", e->gamma);
	if (e->kernel == EDGES_POLYNOMIAL)
		n += snprintf(to + n, room - (size_t)n, " --degree %zu", e->degree);
	if (e->ridge != 1e-6)
		n += snprintf(to + n, room - (size_t)n, " --ridge %.17g", e->ridge);
	if (e->numbers)
		snprintf(
		    to + n, room - (size_t)n, " --from %.17g --to %.17g", e->from[0], e->to[0]);
	else
		snprintf(to + n, room - (size_t)n, " --from c0 --to c1");
}

/* The status of a command of the shell. */
static int
status_of(const char *command)
{
	const int got = system(command); /* NOLINT(cert-env33-c): a test */

	return WIFEXITED(got) ? WEXITSTATUS(got) : 128;
}

struct counts {
	size_t sets, refused, silent, needless, said, check, yes, broken;
};

static void
run_one(enum edges_task task, size_t seed, const char *dir, struct counts *c)
{
	static struct edges e;
	char word[600], command[2200], file[300];
	struct edges_verdict verdict = {0};
	int status, check = 0;

	draw(&e, task, seed);
	options(&e, word, sizeof(word));
	snprintf(file, sizeof(file), "%s/t.csv", dir);
	write_table(&e, file);
	snprintf(command, sizeof(command),
	    "timeout 60 wsvmpath -q %s --print coef -o %s/p.tsv %s 2>%s/err", word, dir, file, dir);
	status = status_of(command);
	c->sets++;
	if (status == 65) {
		c->refused++;
		return;
	}
	snprintf(command, sizeof(command), "wsvmpath -q %s --check %s/p.tsv %s >%s/check 2>&1",
	    word, dir, file, dir);
	if (status > 1) {
		c->broken++;
		printf("seed %zu: status %d\n", seed, status);
		return;
	}
	snprintf(file, sizeof(file), "%s/p.tsv", dir);
	edges_judge(&e, file, &verdict);
	check = getenv("EDGES_CHECK") ? status_of(command) : 0;
	c->silent += status == 0 && verdict.off > 1;
	c->needless += status == 1 && verdict.off <= 1;
	c->said += status == 1 && verdict.off > 1;
	c->check += status == 0 && check != 0;
	c->yes += getenv("EDGES_CHECK") && verdict.off > 1 && check == 0;
	if ((status == 1) != (verdict.off > 1) || check != status)
		printf("seed %zu: status %d, check %d, off %.3Lg (%s at step "
		       "%zu): %s\n",
		    seed, status, check, verdict.off, verdict.what, verdict.step, word);
}

static int
run(enum edges_task task, char *argv[])
{
	const size_t first = strtoul(argv[2], NULL, 10);
	const size_t last = first + strtoul(argv[3], NULL, 10);
	struct counts c = {0};

	for (size_t seed = first; seed < last; seed++)
		run_one(task, seed, argv[5], &c);
	printf("%zu sets, %zu refused, %zu silent, %zu needless, %zu said, "
	       "%zu refused by --check, %zu false yes, %zu broken\n",
	    c.sets, c.refused, c.silent, c.needless, c.said, c.check, c.yes, c.broken);
	return c.silent + c.yes + c.broken > 0;
}

static enum edges_task
task_of(const char *word)
{
	return strcmp(word, "regress") == 0 ? EDGES_REGRESS
	    : strcmp(word, "rank") == 0     ? EDGES_RANK
					    : EDGES_CLASSIFY;
}

int
main(int argc, char *argv[])
{
	static struct edges e;
	struct edges_verdict verdict = {0};
	char word[600];

	if (argc == 6 && strcmp(argv[1], "run") == 0)
		return run(task_of(argv[4]), argv);
	if (argc != 5)
		return 2;
	draw(&e, task_of(argv[3]), strtoul(argv[2], NULL, 10));
	if (strcmp(argv[1], "table") == 0) {
		options(&e, word, sizeof(word));
		puts(word);
		return write_table(&e, argv[4]) ? 2 : 0;
	}
	if (edges_judge(&e, argv[4], &verdict))
		return 2;
	printf("off %.3Lg (%s at step %zu)\n", verdict.off, verdict.what, verdict.step);
	return verdict.off > 1;
}
