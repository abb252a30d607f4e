/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether coefficients that --print coef wrote are solutions, from the rows alone: kernels are
 * computed anew, and nothing is solved.  With g and C of wsvm/wsvm.h, A the largest alpha of the
 * step, and t_v = |q_v| + |b| + sum_w |Q_vw| alpha_w + ridge alpha_v the terms of g_v, at each step
 *
 *	bounds     largest -alpha or alpha - C, over A
 *	sum        |sum_v sign_v alpha_v|, over A
 *	kkt        largest -g_v where alpha < C - 1e-8 A, and g_v where alpha > 1e-8 A, over t_v
 *	gap        primal less dual without these 1e-8 A, over sum_v C_v t_v
 *	interval   M empty: the distance of b from its interval, as kkt
 *
 * and, where the file is a whole path,
 *
 *	range      the distance of the first theta from 0, and of the last from 1
 *	piece      kkt at a quarter, a half and three quarters between two steps
 *
 * A theta has 53 bits, so each weight has an error of DBL_EPSILON theta |to - from|, which enters
 * sum and g and counts as no violation.  The limits are 1e-8 for bounds and sum, 1e-9 for the other
 * conditions.  Between two steps bounds and sum hold if they hold at both steps.
 *
 *	1. Read some steps of a machine (read_row()).
 *	2. Compute f, and the sizes of its terms, of all rows at these steps (compute_scores()).
 *	3. Check each step, and three points of the line to it from the step before (check_at()).
 */
#include "wsvmpath.h"

#include "la/blas.h"
#include "table/roles.h"
#include "text/rows.h"

#include <string.h>

enum {
	STEPS = 128,       /* steps that are checked together, or */
	NUMBERS = 1 << 22, /* fewer, if their alpha and f are more numbers */
	ITEMS = 256        /* rows of a block of work */
};

#define ALPHA 1e-8 /* of the largest alpha: rounding */
#define EXACT 1e-9 /* of the terms of a sum: rounding */

enum { STEP, THETA, NAME, VALUE, CLASS1, CLASS2, COLUMNS };
enum { BOUNDS, SUM, KKT, GAP, INTERVAL, RANGE = WHOLE_PATH, PIECE };

/* A table of coefficients that is being read. */
struct reader {
	struct kith_rows rows;
	const char *files[2];
	size_t column[COLUMNS];
	const struct kith_svm_task *task; /* the machine whose steps are read */
	struct kith_names name;           /* of its variables */
	size_t step;                      /* the number of the last step */
	bool begun;                       /* there was a step */
};

/* A step of the path. */
struct step {
	double theta, b;
	double *alpha; /* N */
	double *g, *t; /* N: gradients, and the sums of the sizes of their terms */
};

/* A variable at a step, or on the line between two. */
struct place {
	double alpha, g;
	double terms; /* the size of the terms of g, and what a bit of theta changes in g */
	long double C;
	long double tolerance; /* the distance of alpha from 0 or C that may be rounding */
};

/* The check of a machine. */
struct judge {
	const struct kith_svm_task *task;
	struct kith_pool pool;
	size_t n, N, capacity;    /* steps checked together */
	double *open;             /* n: sum_v |K_iv| |to_v - from_v| */
	struct step *step;        /* capacity + 1: the first is the last step before */
	size_t steps;             /* read, behind the first */
	double *f, *t;            /* capacity x n: f without b and ridge; sum_v |K_iv| |alpha_v| */
	double *coef, *size;      /* capacity x n: of rows with an alpha */
	size_t *row, active;      /* rows with an alpha in one of the steps */
	struct kith_check *check; /* CHECKS */
};

static int
index_names(struct reader *r, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_svm_task *task = r->task;
	const size_t n = options.task == KITH_SVM_REGRESS ? task->n : task->problem.variables;

	r->name = (struct kith_names){0};
	for (size_t v = 0; v < n; v++) {
		const char *name = name_variable(task, v, pool);

		if (kith_names_add(&r->name, name, pool) < v)
			return kith_fail_at(err, EX_DATAERR, task->rows.file, 0,
			    "id " KITH_CELL " is not unique", name);
	}
	return 0;
}

/* Opens the table, which has so many of the columns, and reads its first row, if any. */
static int
open_table(struct reader *r, size_t columns, struct kith_pool *pool, struct kith_err *err)
{
	const char *const column[COLUMNS] = {
	    "step", "theta", "name", "value", class_columns[0], class_columns[1]};

	r->files[0] = options.check;
	if (kith_rows_open(&r->rows, r->files, &(struct kith_format){0}, pool, err))
		return -1;
	for (size_t i = 0; i < columns; i++) {
		r->column[i] = kith_names_find(&r->rows.name, column[i]);
		if (r->column[i] == r->rows.name.n)
			return kith_roles_absent(&r->rows, column[i], "", err);
	}
	return kith_rows_next(&r->rows, err);
}

static const char *
cell(const struct reader *r, int column)
{
	return kith_rec_cell(&r->rows.rec, r->column[column])->s;
}

/* Returns whether the row is of the machine. */
static bool
is_own(const struct reader *r)
{
	const char *const *class = r->task->class;

	return !class[0] ||
	    (strcmp(cell(r, CLASS1), class[0]) == 0 && strcmp(cell(r, CLASS2), class[1]) == 0);
}

/* Sets b or an alpha to the value of the row. */
static int
read_value(const struct reader *r, struct step *s, struct kith_err *err)
{
	const char *name = cell(r, NAME);
	size_t v;
	double x;

	if (kith_value_required(&r->rows, r->column[VALUE], &x, err))
		return -1;
	if (strcmp(name, "(bias)") == 0) {
		s->b = x;
		return 0;
	}
	v = kith_names_find(&r->name, name);
	if (v == r->name.n)
		return kith_rows_fail(
		    &r->rows, r->column[NAME], err, "no row of the data: " KITH_CELL, name);
	if (options.task == KITH_SVM_REGRESS && x < 0) {
		v += r->task->n;
		x = -x;
	}
	s->alpha[v] = x;
	return 0;
}

/* Sets coef and size of the rows that have an alpha in some of the steps. */
static void
find_active(struct judge *j)
{
	const struct kith_svm_task *task = j->task;
	const size_t n = j->n, steps = j->steps;
	double *coef = j->f, *size = j->t; /* of all rows, for now */

	memset(size, 0, steps * n * sizeof(*size));
	for (size_t s = 0; s < steps; s++) {
		const double *alpha = j->step[1 + s].alpha;

		kith_svm_coef(task, alpha, coef + s * n);
		for (size_t v = 0; v < j->N; v++) {
			size[s * n + task->plus[v]] += fabs(alpha[v]);
			if (task->minus)
				size[s * n + task->minus[v]] += fabs(alpha[v]);
		}
	}
	j->active = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t s = 0; s < steps; s++)
			if (size[s * n + i] != 0) {
				j->row[j->active++] = i;
				break;
			}
	for (size_t s = 0, k = 0; s < steps; s++)
		for (size_t a = 0; a < j->active; a++, k++) {
			j->coef[k] = coef[s * n + j->row[a]];
			j->size[k] = size[s * n + j->row[a]];
		}
}

/* Computes f and t of a block of rows at all steps. */
static void
score_block(void *to, size_t block, size_t thread)
{
	const struct judge *j = to;
	const size_t first = block * ITEMS, steps = j->steps, active = j->active;
	const size_t items = j->n - first < ITEMS ? j->n - first : ITEMS;
	struct kith_pool tmp = {0};
	double *K;

	(void)thread;
	KITH_NEW_REALS(&tmp, active, items, &K);
	for (size_t a = 0; a < active; a++)
		kith_kern_rows(&j->task->kern, kith_row(&j->task->X, j->row[a]),
		    kith_row(&j->task->X, first), items, K + a * items);
	/* Without an active row f and t are 0 already, as find_active() has set them. */
	for (int sizes = 0; sizes < 2 && active > 0; sizes++) {
		kith_blas_product(steps, items, active, sizes ? j->size : j->coef, active, K, items,
		    (sizes ? j->t : j->f) + first, j->n);
		for (size_t k = 0; k < active * items; k++)
			K[k] = fabs(K[k]);
	}
	kith_pool_free(&tmp);
}

/* Sets f and t of all rows at the steps that were read. */
static void
compute_scores(struct judge *j)
{
	find_active(j);
	kith_par_told(options.threads, (j->n + ITEMS - 1) / ITEMS, score_block, j,
	    &(struct kith_par_phase){"outputs", j->n, "rows"});
}

static void
raise_to(struct judge *j, int check, double value)
{
	/* NaN stays. */
	if (!(value <= j->check[check].value) && !isnan(j->check[check].value))
		j->check[check].value = value;
}

/* Returns |to - from|. */
static long double
rate(const struct judge *j, size_t v)
{
	return fabsl((long double)j->task->to[v] - j->task->from[v]);
}

/* Returns the weight of a variable, exact at both ends. */
static long double
weight(const struct judge *j, size_t v, double theta)
{
	return theta < 1
	    ? j->task->from[v] + theta * ((long double)j->task->to[v] - j->task->from[v])
	    : (long double)j->task->to[v];
}

/* Sets g of all variables at a step, and the sizes of their terms, from f and t of the rows. */
static void
find_gradients(const struct judge *j, struct step *s, const double *f, const double *t)
{
	const struct kith_svm_task *task = j->task;

	for (size_t v = 0; v < j->N; v++) {
		const double ridge = task->problem.ridge * s->alpha[v];
		double h = f[task->plus[v]], terms = t[task->plus[v]];

		h = task->minus ? h - f[task->minus[v]] : h + s->b;
		terms += task->minus ? t[task->minus[v]] : fabs(s->b);
		s->g[v] = task->sign[v] * h + task->q[v] + ridge;
		s->t[v] = terms + fabs(task->q[v]) + fabs(ridge);
	}
}

/* Returns what the last bit of theta leaves unknown; at theta 1 weights have all their digits. */
static double
bits_of(double theta)
{
	return theta < 1 ? DBL_EPSILON * theta : 0;
}

/* Returns the variable at the share w of the way from l to r, where the largest alpha is `most`. */
static struct place
place_of(const struct judge *j, size_t v, const struct step *l, const struct step *r, double w,
    double most)
{
	const struct kith_svm_task *task = j->task;
	const double u = 1 - w, bits = u * bits_of(l->theta) + w * bits_of(r->theta);
	double open = j->open[task->plus[v]];
	struct place at = {.alpha = u * l->alpha[v] + w * r->alpha[v],
	    .g = u * l->g[v] + w * r->g[v],
	    .C = u * weight(j, v, l->theta) + w * weight(j, v, r->theta)};

	open += task->minus ? j->open[task->minus[v]] : 0;
	open += task->problem.ridge * fabs(task->to[v] - task->from[v]);
	at.terms = u * l->t[v] + w * r->t[v] + bits / EXACT * open + DBL_MIN;
	at.tolerance = ALPHA * (long double)most + bits * rate(j, v) + DBL_EPSILON * at.C;
	return at;
}

/* Checks the step l = r, or the line from l to r at the share w of the way. */
static void
check_at(struct judge *j, const struct step *l, const struct step *r, double w)
{
	const struct kith_svm_task *task = j->task;
	const bool is_step = l == r;
	long double sum = 0, open = 0;
	long double gap = 0, size = LDBL_MIN; /* alpha' g+ + (C - alpha)' g-, and its terms */
	double worst = 0, most = 0;
	bool is_empty = true; /* no variable is in M */

	for (size_t v = 0; v < j->N; v++)
		most = fmax(most, (1 - w) * l->alpha[v] + w * r->alpha[v]);
	for (size_t v = 0; v < j->N; v++) {
		const struct place at = place_of(j, v, l, r, w, most);
		/* How far g is on the wrong side of 0. */
		const double wrong = isnan(at.g) ? NAN
						 : fmax(at.alpha > at.tolerance ? at.g : 0,
						       at.alpha < at.C - at.tolerance ? -at.g : 0);

		raise_to(j, is_step ? KKT : PIECE, wrong / at.terms);
		if (!is_step)
			continue;
		raise_to(j, BOUNDS,
		    (double)(fmaxl(-at.alpha, at.alpha - at.C) * ALPHA /
			(at.tolerance + LDBL_MIN)));
		worst = fmax(worst, wrong / at.terms);
		is_empty &= !(at.alpha > at.tolerance && at.alpha < at.C - at.tolerance);
		sum += task->sign[v] * (long double)at.alpha;
		open += rate(j, v);
		gap += wrong * (long double)(at.g > 0 ? at.alpha : at.C - at.alpha);
		size += at.C * at.terms;
	}
	if (!is_step)
		return;
	open *= bits_of(l->theta);
	raise_to(j, GAP, (double)(gap / size));
	if (task->problem.bias)
		raise_to(j, SUM, (double)(fabsl(sum) / (most + open / ALPHA + LDBL_MIN)));
	if (task->problem.bias && is_empty)
		raise_to(j, INTERVAL, worst);
}

/* Checks the steps that were read; the last one becomes step[0]. */
static void
check_steps(struct judge *j)
{
	const struct step first = j->step[0];

	if (j->steps == 0)
		return;
	compute_scores(j);
	for (size_t s = 1; s <= j->steps; s++) {
		find_gradients(j, &j->step[s], j->f + (s - 1) * j->n, j->t + (s - 1) * j->n);
		check_at(j, &j->step[s], &j->step[s], 0);
		for (int k = 1; k < 4 && j->step[s - 1].theta < j->step[s].theta; k++)
			check_at(j, &j->step[s - 1], &j->step[s], k / 4.);
	}
	j->step[0] = j->step[j->steps];
	j->step[j->steps] = first;
	j->steps = 0;
}

/* Allocates the arrays, and sets `open`. */
static void
begin_judge(struct judge *j, const struct kith_svm_task *task, struct kith_check check[CHECKS])
{
	const size_t N = task->problem.variables, most = NUMBERS / (N + task->n) + 1;

	*j = (struct judge){.task = task, .n = task->n, .N = N, .check = check};
	j->capacity = most < STEPS ? most : STEPS;
	j->step = kith_new(&j->pool, j->capacity + 1, sizeof(*j->step));
	j->step[0].theta = NAN; /* there is no step before the first */
	for (size_t s = 0; s <= j->capacity; s++)
		KITH_NEW_REALS(&j->pool, N, 1, &j->step[s].alpha, &j->step[s].g, &j->step[s].t);
	KITH_NEW_REALS(&j->pool, j->capacity, j->n, &j->f, &j->t, &j->coef, &j->size);
	KITH_NEW_SIZES(&j->pool, j->n, 1, &j->row);
	KITH_NEW_REALS(&j->pool, j->n, 1, &j->open);
	for (size_t v = 0; v < N; v++)
		j->step[1].alpha[v] = task->to[v] - task->from[v];
	j->steps = 1;
	compute_scores(j);
	j->steps = 0;
	memcpy(j->open, j->t, j->n * sizeof(*j->open));
}

/* Reads a row of the machine: b or an alpha of the last step, or of the next one. */
static int
read_row(struct judge *j, struct reader *r, struct kith_err *err)
{
	struct step *s = &j->step[j->steps];
	size_t number;
	double theta;

	if (kith_parse_size(cell(r, STEP), &number))
		return kith_rows_fail(&r->rows, r->column[STEP], err,
		    "not the number of a step: " KITH_CELL, cell(r, STEP));
	if (kith_value_required(&r->rows, r->column[THETA], &theta, err))
		return -1;
	if (r->begun && number == r->step) {
		if (theta == s->theta)
			return read_value(r, s, err);
		return kith_rows_fail(&r->rows, r->column[THETA], err, "differs within a step");
	}
	if (theta < 0 || theta > 1 || theta < s->theta)
		return kith_rows_fail(
		    &r->rows, r->column[THETA], err, "not from 0 to 1 in increasing order");
	if (j->steps == j->capacity)
		check_steps(j);
	s = &j->step[++j->steps];
	memset(s->alpha, 0, j->N * sizeof(*s->alpha));
	s->b = 0;
	s->theta = theta;
	if (!r->begun)
		raise_to(j, RANGE, theta);
	r->step = number;
	r->begun = true;
	return read_value(r, s, err);
}

int
check_paths(const struct kith_svm_task *task, struct kith_check *out, struct kith_err *err)
{
	static const struct kith_check check[CHECKS] = {{"bounds", 0, ALPHA}, {"sum", 0, ALPHA},
	    {"kkt", 0, EXACT}, {"gap", 0, EXACT}, {"interval", 0, EXACT}, {"range", 0, 0},
	    {"piece", 0, EXACT}};
	const size_t machines = kith_machine_outputs(&task->model);
	struct kith_pool tmp = {0};
	struct reader r = {.begun = false};
	/* 1: a row was read, of this machine or a later one; 0: the table has ended. */
	int got = open_table(
	    &r, kith_machine_has_pairs(&task->model) ? COLUMNS : CLASS1, &tmp, err);

	for (size_t o = 0; got >= 0 && o < machines; o++, out += CHECKS) {
		struct judge j;
		struct subset s;

		/* With all rows there is no failure. */
		make_subset(&s, task, KITH_SVM_NONE, o, false, err);
		memcpy(out, check, sizeof(check));
		begin_judge(&j, &s.task, out);
		r.task = &s.task;
		r.begun = false;
		if (index_names(&r, &s.pool, err))
			got = -1;
		while (got > 0 && is_own(&r))
			got = read_row(&j, &r, err) ? -1 : kith_rows_next(&r.rows, err);
		if (got >= 0 && s.task.class[0] && !r.begun)
			got = kith_fail_at(err, EX_DATAERR, r.rows.first, 0,
			    "no rows of classes " KITH_CELL " and " KITH_CELL ", or not in order",
			    s.task.class[0], s.task.class[1]);
		if (got >= 0)
			check_steps(&j);
		raise_to(&j, RANGE, 1 - j.step[j.steps].theta);
		kith_pool_free(&j.pool);
		kith_pool_free(&s.pool);
	}
	if (got > 0)
		got = kith_rows_fail(&r.rows, r.column[CLASS1], err,
		    "no more rows are due: " KITH_CELL, cell(&r, CLASS1));
	kith_rows_close(&r.rows);
	kith_pool_free(&tmp);
	return got;
}
