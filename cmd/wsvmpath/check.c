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
#include "text/columns.h"
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

/* A step of the path. */
struct step {
	double theta, b;
	double *alpha; /* N */
	double *g, *t; /* N: gradients, and the sums of the sizes of their terms */
};

/* The table of coefficients, and the machine whose steps are read and checked. */
struct judge {
	struct kith_rows rows;
	const char *files[2];
	size_t column[COLUMNS];

	const struct kith_svm_task *task;
	struct kith_pool pool;    /* of the machine */
	struct kith_names name;   /* of its variables */
	size_t number;            /* of the last step; before the first its theta is NaN */
	size_t n, N, capacity;    /* steps checked together */
	double *open;             /* n: sum_v |K_iv| |to_v - from_v| */
	struct step *step;        /* capacity + 1: the first is the last step before */
	size_t steps;             /* read, behind the first */
	double *f, *t;            /* capacity x n: f without b and ridge; sum_v |K_iv| |alpha_v| */
	double *coef, *size;      /* capacity x n: of the active rows */
	size_t *row, active;      /* n: rows with an alpha in one of the steps, one at least */
	size_t *place;            /* n: where a row is in `row`; n: nowhere */
	struct kith_check *check; /* CHECKS */
};

/* Opens the table, which has so many of the columns, and reads its first row, if any. */
static int
open_table(struct judge *j, size_t columns, struct kith_pool *pool, struct kith_err *err)
{
	const char *const column[COLUMNS] = {
	    "step", "theta", "name", "value", class_columns[0], class_columns[1]};

	j->files[0] = options.check;
	if (kith_rows_open(&j->rows, j->files, &(struct kith_format){0}, pool, err))
		return -1;
	for (size_t i = 0; i < columns; i++) {
		j->column[i] = kith_names_find(&j->rows.name, column[i]);
		if (j->column[i] == j->rows.name.n)
			return kith_column_absent(&j->rows, column[i], "", err);
	}
	return kith_rows_next(&j->rows, err);
}

static const char *
cell(const struct judge *j, int column)
{
	return kith_rec_cell(&j->rows.rec, j->column[column])->s;
}

/* Returns whether the row is of the machine. */
static bool
is_own(const struct judge *j)
{
	const char *const *class = j->task->class;

	return !class[0] ||
	    (strcmp(cell(j, CLASS1), class[0]) == 0 && strcmp(cell(j, CLASS2), class[1]) == 0);
}

/* Sets b or an alpha of the last step to the value of the row. */
static int
read_value(struct judge *j, struct kith_err *err)
{
	struct step *s = &j->step[j->steps];
	const char *name = cell(j, NAME);
	size_t v;
	double x;

	if (kith_value_required(&j->rows, j->column[VALUE], &x, err))
		return -1;
	if (strcmp(name, "(bias)") == 0) {
		s->b = x;
		return 0;
	}
	v = kith_names_find(&j->name, name);
	if (v == j->name.n)
		return kith_rows_fail(
		    &j->rows, j->column[NAME], err, "no row of the data: " KITH_CELL, name);
	if (options.task == KITH_SVM_REGRESS && x < 0) {
		v += j->n;
		x = -x;
	}
	s->alpha[v] = x;
	return 0;
}

/* Lists the rows that have an alpha in some of the steps, with their coef and size. */
static void
find_active(struct judge *j)
{
	const struct kith_svm_task *task = j->task;
	const size_t n = j->n;

	memset(j->coef, 0, j->steps * n * sizeof(*j->coef));
	memset(j->size, 0, j->steps * n * sizeof(*j->size));
	for (size_t i = 0; i < n; i++)
		j->place[i] = n;
	j->active = 0;
	for (size_t s = 0; s < j->steps; s++)
		for (size_t v = 0; v < j->N; v++) {
			const double alpha = j->step[1 + s].alpha[v], e = task->sign[v];

			for (int side = 0; alpha != 0 && side < (task->minus ? 2 : 1); side++) {
				const size_t i = side ? task->minus[v] : task->plus[v];

				if (j->place[i] == n) {
					j->place[i] = j->active;
					j->row[j->active++] = i;
				}
				j->coef[s * n + j->place[i]] += side ? -e * alpha : e * alpha;
				j->size[s * n + j->place[i]] += fabs(alpha);
			}
		}
	j->active += j->active == 0; /* a row whose coef is 0 */
}

/* Computes f and t of a block of rows at all steps. */
static void
score_block(void *to, size_t block, size_t thread)
{
	const struct judge *j = to;
	const size_t first = block * ITEMS, active = j->active;
	const size_t items = j->n - first < ITEMS ? j->n - first : ITEMS;
	struct kith_pool tmp = {0};
	double *K;

	(void)thread;
	KITH_NEW_REALS(&tmp, active, items, &K);
	for (size_t a = 0; a < active; a++)
		kith_kern_rows(&j->task->kern, kith_row(&j->task->X, j->row[a]),
		    kith_row(&j->task->X, first), items, K + a * items);
	for (int sizes = 0; sizes < 2; sizes++) {
		kith_blas_product(j->steps, items, active, sizes ? j->size : j->coef, j->n, K,
		    items, (sizes ? j->t : j->f) + first, j->n);
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

/* Checks the step l = r, or the line from l to r at the share w of the way. */
static void
check_at(struct judge *j, const struct step *l, const struct step *r, double w)
{
	const struct kith_svm_task *task = j->task;
	const double *from = task->from, *to = task->to;
	const bool is_step = l == r;
	const double u = 1 - w, bits = u * bits_of(l->theta) + w * bits_of(r->theta);
	long double sum = 0, open = 0;
	long double gap = 0, size = LDBL_MIN; /* alpha' g+ + (C - alpha)' g-, and its terms */
	double worst = 0, most = 0;
	bool is_empty = true; /* no variable is in M */

	for (size_t v = 0; v < j->N; v++)
		most = fmax(most, u * l->alpha[v] + w * r->alpha[v]);
	for (size_t v = 0; v < j->N; v++) {
		const double alpha = u * l->alpha[v] + w * r->alpha[v];
		const double g = u * l->g[v] + w * r->g[v];
		const double C = u * kith_wsvm_weight_at(from[v], to[v], l->theta) +
		    w * kith_wsvm_weight_at(from[v], to[v], r->theta);
		const double change = fabs(to[v] - from[v]);
		/* What a bit of theta changes in g, and the size of the terms of g with it. */
		const double bit = bits *
		    (j->open[task->plus[v]] + (task->minus ? j->open[task->minus[v]] : 0) +
			task->problem.ridge * change);
		const double terms = u * l->t[v] + w * r->t[v] + bit / EXACT + DBL_MIN;
		/* The distance of alpha from 0 or C that may be rounding. */
		const long double near = ALPHA * (long double)most + bits * change +
		    DBL_EPSILON * C;
		const bool shrinks = alpha > near;
		const bool grows = alpha < C - near;
		/* How far g is on the wrong side of 0. */
		const double wrong = isnan(g) ? NAN : fmax(shrinks ? g : 0, grows ? -g : 0);

		raise_to(j, is_step ? KKT : PIECE, wrong / terms);
		if (!is_step)
			continue;
		raise_to(j, BOUNDS, (double)(fmaxl(-alpha, alpha - C) * ALPHA / (near + LDBL_MIN)));
		worst = fmax(worst, wrong / terms);
		is_empty &= !(grows && shrinks);
		sum += task->sign[v] * (long double)alpha;
		open += change;
		gap += wrong * (long double)(g > 0 ? alpha : C - alpha);
		size += (long double)C * terms;
	}
	if (!is_step)
		return;
	raise_to(j, GAP, (double)(gap / size));
	if (task->problem.bias)
		raise_to(j, SUM, (double)(fabsl(sum) / (most + bits * open / ALPHA + LDBL_MIN)));
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

/* Begins to check a machine: names its variables, allocates the arrays, and sets `open`. */
static int
begin_machine(struct judge *j, const struct kith_svm_task *task, struct kith_err *err)
{
	const size_t n = task->n, N = task->problem.variables, most = NUMBERS / (N + n) + 1;
	struct kith_pool *pool = &j->pool;

	j->task = task;
	j->name = (struct kith_names){0};
	for (size_t v = 0; v < (options.task == KITH_SVM_REGRESS ? n : N); v++) {
		const char *name = name_variable(task, v, pool);

		if (kith_names_add(&j->name, name, pool) < v)
			return kith_fail_at(err, EX_DATAERR, task->rows.file, 0,
			    "id " KITH_CELL " is not unique", name);
	}
	j->n = n;
	j->N = N;
	j->capacity = most < STEPS ? most : STEPS;
	j->step = kith_new(pool, j->capacity + 1, sizeof(*j->step));
	j->step[0].theta = NAN; /* there is no step before the first */
	for (size_t s = 0; s <= j->capacity; s++)
		KITH_NEW_REALS(pool, N, 1, &j->step[s].alpha, &j->step[s].g, &j->step[s].t);
	KITH_NEW_REALS(pool, j->capacity, n, &j->f, &j->t, &j->coef, &j->size);
	KITH_NEW_SIZES(pool, n, 1, &j->row, &j->place);
	KITH_NEW_REALS(pool, n, 1, &j->open);
	for (size_t v = 0; v < N; v++)
		j->step[1].alpha[v] = task->to[v] - task->from[v];
	j->steps = 1;
	compute_scores(j);
	j->steps = 0;
	memcpy(j->open, j->t, n * sizeof(*j->open));
	return 0;
}

/* Reads a row of the machine: b or an alpha of the last step, or of the next one. */
static int
read_row(struct judge *j, struct kith_err *err)
{
	const struct step *last = &j->step[j->steps];
	struct step *s;
	size_t number;
	double theta;

	if (kith_parse_size(cell(j, STEP), &number))
		return kith_rows_fail(&j->rows, j->column[STEP], err,
		    "not the number of a step: " KITH_CELL, cell(j, STEP));
	if (kith_value_required(&j->rows, j->column[THETA], &theta, err))
		return -1;
	if (!isnan(last->theta) && number == j->number) {
		if (theta == last->theta)
			return read_value(j, err);
		return kith_rows_fail(&j->rows, j->column[THETA], err, "differs within a step");
	}
	if (theta < 0 || theta > 1 || theta < last->theta)
		return kith_rows_fail(
		    &j->rows, j->column[THETA], err, "not from 0 to 1 in increasing order");
	if (isnan(last->theta))
		raise_to(j, RANGE, theta);
	if (j->steps == j->capacity)
		check_steps(j);
	s = &j->step[++j->steps];
	memset(s->alpha, 0, j->N * sizeof(*s->alpha));
	s->b = 0;
	s->theta = theta;
	j->number = number;
	return read_value(j, err);
}

/* Reads and checks the steps of a machine; `got` as in check_paths(). */
static int
check_machine(struct judge *j, const struct kith_svm_task *task, int got, struct kith_err *err)
{
	if (begin_machine(j, task, err))
		return -1;
	while (got > 0 && is_own(j))
		got = read_row(j, err) ? -1 : kith_rows_next(&j->rows, err);
	if (got < 0)
		return -1;
	if (task->class[0] && isnan(j->step[j->steps].theta))
		return kith_fail_at(err, EX_DATAERR, j->rows.first, 0,
		    "no rows of classes " KITH_CELL " and " KITH_CELL ", or not in order",
		    task->class[0], task -> class[1]);
	check_steps(j);
	raise_to(j, RANGE, 1 - j->step[j->steps].theta);
	return got;
}

int
check_paths(const struct kith_svm_task *task, struct kith_check *out, struct kith_err *err)
{
	static const struct kith_check check[CHECKS] = {{"bounds", 0, ALPHA}, {"sum", 0, ALPHA},
	    {"kkt", 0, EXACT}, {"gap", 0, EXACT}, {"interval", 0, EXACT}, {"range", 0, 0},
	    {"piece", 0, EXACT}};
	const size_t machines = kith_machine_outputs(&task->model);
	struct kith_pool tmp = {0};
	struct judge j = {.steps = 0};
	/* 1: a row was read, of this machine or a later one; 0: the table has ended. */
	int got = open_table(&j, machines > 1 ? COLUMNS : CLASS1, &tmp, err);

	for (size_t o = 0; got >= 0 && o < machines; o++) {
		struct subset s;

		/* With all rows there is no failure. */
		make_subset(&s, task, KITH_SVM_NONE, o, err);
		j.check = memcpy(out + o * CHECKS, check, sizeof(check));
		got = check_machine(&j, &s.task, got, err);
		kith_pool_free(&j.pool);
		kith_pool_free(&s.pool);
	}
	if (got > 0)
		got = kith_rows_fail(&j.rows, j.column[CLASS1], err,
		    "no more rows are due: " KITH_CELL, cell(&j, CLASS1));
	kith_rows_close(&j.rows);
	kith_pool_free(&tmp);
	return got;
}
