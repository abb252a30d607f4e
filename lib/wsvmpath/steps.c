/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/steps.h"

#include "base/num.h"
#include "base/pool.h"
#include "text/value.h"
#include "wsvmpath/print.h"
#include "wsvmpath/task.h"

#include <string.h>

enum { STEP, THETA, NAME, VALUE };

static int
name_variables(
    struct kith_wsvm_steps *s, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_wsvm_job *job = s->job;
	const bool signs = job->call->task == KITH_WSVM_REGRESS;
	const size_t n = signs ? job->n : job->problem.variables;
	char **name = kith_new(pool, n, sizeof(*name));
	size_t twin;

	for (size_t v = 0; v < n; v++)
		name[v] = kith_wsvm_name(job, v, pool);
	twin = kith_names_index(&s->name, name, n, pool);
	if (twin == n)
		return 0;
	return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
	    "id " KITH_CELL " is not unique", name[twin]);
}

/* Find a column of the table, which is closed where there is none. */
static int
find(struct kith_wsvm_steps *s, const char *name, size_t *column,
    struct kith_err *err)
{
	*column = kith_names_find(&s->rows.name, name);
	if (*column < s->rows.name.n)
		return 0;
	kith_rows_close(&s->rows);
	return kith_fail_at(err, EX_DATAERR, s->rows.first, s->rows.head,
	    "column " KITH_NAME ": not found", name);
}

int
kith_wsvm_steps_open(struct kith_wsvm_steps *s, const struct kith_wsvm_job *job,
    const char *file, struct kith_pool *pool, struct kith_err *err)
{
	static const char *const due[] = {"step", "theta", "name", "value"};
	const char **files = kith_new(pool, 2, sizeof(*files));
	const struct kith_format format = {0};

	*s = (struct kith_wsvm_steps){.job = job};
	files[0] = file;
	if (name_variables(s, pool, err) ||
	    kith_rows_open(&s->rows, files, &format, pool, err))
		return -1;
	for (size_t i = 0; i < KITH_WSVM_STEPS_COLUMNS; i++)
		if (find(s, due[i], &s->column[i], err))
			return -1;
	for (size_t i = 0; job->pair && i < job->pair->columns; i++)
		if (find(s, job->pair->column[i], &s->pair[i], err))
			return -1;
	return 0;
}

/* The pair of the job has no rows. */
static int
fail_pair(const struct kith_wsvm_steps *s, struct kith_err *err)
{
	const struct kith_wsvm_pair *pair = s->job->pair;

	if (pair->columns == 1)
		return kith_fail_at(err, EX_DATAERR, s->rows.first, 0,
		    "no rows of class " KITH_CELL ", or not in order",
		    pair->cell[0]);
	return kith_fail_at(err, EX_DATAERR, s->rows.first, 0,
	    "no rows of classes " KITH_CELL " and " KITH_CELL
	    ", or not in order",
	    pair->cell[0], pair->cell[1]);
}

int
kith_wsvm_steps_end(struct kith_wsvm_steps *s, bool last, struct kith_err *err)
{
	if (!s->begun)
		return fail_pair(s, err);
	if (!last || !s->held)
		return 0;
	return kith_rows_fail(&s->rows, s->pair[0], err,
	    "no more rows are due: " KITH_CELL,
	    kith_rec_cell(&s->rows.rec, s->pair[0])->s);
}

int
kith_wsvm_steps_turn(struct kith_wsvm_steps *s, const struct kith_wsvm_job *job,
    struct kith_pool *pool, struct kith_err *err)
{
	s->job = job;
	s->begun = false;
	return name_variables(s, pool, err);
}

/* Whether the row is of the job's pair. */
static bool
is_own(const struct kith_wsvm_steps *s)
{
	const struct kith_wsvm_pair *pair = s->job->pair;

	for (size_t i = 0; pair && i < pair->columns; i++)
		if (strcmp(kith_rec_cell(&s->rows.rec, s->pair[i])->s,
			pair->cell[i]) != 0)
			return false;
	return true;
}

static int
number(const struct kith_wsvm_steps *s, size_t column, double *x,
    struct kith_err *err)
{
	return kith_value_due(&s->rows, s->column[column], x, err);
}

/* The number of the step to which the row belongs. */
static int
step_of(const struct kith_wsvm_steps *s, size_t *step, struct kith_err *err)
{
	const struct kith_cell *cell = kith_rec_cell(
	    &s->rows.rec, s->column[STEP]);

	if (kith_parse_size(cell->s, step) == 0)
		return 0;
	return kith_rows_fail(&s->rows, s->column[STEP], err,
	    "not the number of a step: " KITH_CELL, cell->s);
}

/* Take b or alpha_v from the row. */
static int
take(const struct kith_wsvm_steps *s, double *b, double *alpha,
    struct kith_err *err)
{
	const char *name = kith_rec_cell(&s->rows.rec, s->column[NAME])->s;
	size_t v;
	double x;

	if (number(s, VALUE, &x, err))
		return -1;
	if (strcmp(name, "(bias)") == 0) {
		*b = x;
		return 0;
	}
	v = kith_names_find(&s->name, name);
	if (v == s->name.n)
		return kith_rows_fail(&s->rows, s->column[NAME], err,
		    "no row of the data: " KITH_CELL, name);
	if (s->job->call->task == KITH_WSVM_REGRESS && x < 0) {
		v += s->job->n;
		x = -x;
	}
	alpha[v] = x;
	return 0;
}

/* The row is the first of a step. */
static int
begin(struct kith_wsvm_steps *s, struct kith_err *err)
{
	double theta;

	if (step_of(s, &s->step, err) || number(s, THETA, &theta, err))
		return -1;
	if (theta < 0 || theta > 1 || (s->begun && theta < s->theta))
		return kith_rows_fail(&s->rows, s->column[THETA], err,
		    "not from 0 to 1 in increasing order");
	if (!s->begun)
		s->first = theta;
	s->begun = true;
	s->theta = theta;
	return 0;
}

int
kith_wsvm_steps_next(struct kith_wsvm_steps *s, double *theta, double *b,
    double *alpha, struct kith_err *err)
{
	const size_t N = s->job->problem.variables;
	int got = s->held ? 1 : kith_rows_next(&s->rows, err);

	s->held = got > 0 && !is_own(s);
	if (s->held)
		return 0;
	if (got <= 0 || begin(s, err))
		return got > 0 ? -1 : got;
	memset(alpha, 0, N * sizeof(*alpha));
	*b = 0;
	for (; got > 0; got = kith_rows_next(&s->rows, err)) {
		size_t step;

		if (step_of(s, &step, err))
			return -1;
		s->held = step != s->step || !is_own(s);
		if (s->held)
			break;
		if (number(s, THETA, theta, err) || take(s, b, alpha, err))
			return -1;
		if (*theta != s->theta)
			return kith_rows_fail(&s->rows, s->column[THETA], err,
			    "differs within a step");
	}
	return got < 0 ? -1 : 1;
}
