/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The problem of wsvm/wsvm.h that the rows of a table make: a variable for each row (classify),
 * two for each row (regress), or one for each pair of rows (rank); and the machines that learn from
 * some of the rows.
 */
#include "wsvmpath.h"

#include "base/sort.h"

#include <string.h>

const char *const class_columns[2] = {"class1", "class2"};
static const char SCALED[] = ", scaled for --cv";

struct kith_svm_weight
parse_weight(const char *option, const char *text)
{
	struct kith_svm_weight w = {.is_number = false};
	const enum kith_num num = kith_parse_real(text, strlen(text), &w.C);

	if (num != KITH_NUM_TEXT && (num != KITH_NUM_OK || w.C < 0))
		kith_misuse("bad %s: " KITH_CELL " (a number from 0, or a column)", option, text);
	w.is_number = num == KITH_NUM_OK;
	if (!w.is_number && options.task == KITH_SVM_RANK && strcmp(option, "--to") == 0 &&
	    (strcmp(text, "relevance") == 0 || strcmp(text, "difference") == 0))
		w.word = *text;
	else if (!w.is_number)
		w.column = text + (*text == '=');
	return w;
}

int
read_weights(const struct kith_table *t, enum kith_svm_role role, double number, double *x,
    struct kith_err *err)
{
	for (size_t i = 0; i < t->X.n; i++) {
		const char *why = NULL;
		struct kith_cell c;

		x[i] = number;
		if (!t->kept[role])
			continue;
		c = t->keep[role].cell[i];
		if (kith_cell_missing(&c))
			why = "missing";
		else if (kith_parse_real(c.s, c.len, &x[i]))
			why = "no finite number";
		else if (x[i] < 0)
			why = "negative";
		if (why)
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: column " KITH_NAME ": %s: " KITH_CELL,
			    kith_table_number(t, i), t->kept[role], why, c.s);
	}
	return 0;
}

int
read_queries(const struct kith_table *t, size_t *of, size_t *queries, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_names names = {0};

	for (size_t i = 0; t->kept[KITH_SVM_QUERY] && i < t->X.n; i++) {
		const struct kith_cell *c = &t->keep[KITH_SVM_QUERY].cell[i];

		if (kith_cell_missing(c))
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: column " KITH_NAME ": missing", kith_table_number(t, i),
			    t->kept[KITH_SVM_QUERY]);
		of[i] = kith_names_add(&names, c->s, pool);
	}
	*queries = names.n > 0 ? names.n : 1;
	return 0;
}

int
check_queries(const struct kith_table *t, enum kith_svm_role role, const size_t *of,
    const double *x, struct kith_pool *pool, struct kith_err *err)
{
	size_t *first; /* row of each query */

	KITH_NEW_SIZES(pool, t->X.n, 1, &first);
	for (size_t i = t->X.n; i-- > 0;)
		first[of[i]] = i;
	for (size_t i = 0; i < t->X.n; i++)
		if (x[i] != x[first[of[i]]])
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: column " KITH_NAME ": %g, though its query has %g in row %zu",
			    kith_table_number(t, i), t->kept[role], x[i], x[first[of[i]]],
			    kith_table_number(t, first[of[i]]));
	return 0;
}

/* Makes the variables of rows: variable i, and of numbers also n + i, is of row i. */
static int
make_rows(struct kith_svm_task *task, struct kith_err *err)
{
	const bool regress = options.task == KITH_SVM_REGRESS;
	const struct kith_table *t = &task->rows;
	const size_t n = task->n;

	kith_svm_variables(task, regress ? 2 * n : n, false);
	if (read_weights(t, KITH_SVM_FROM, options.from.C, task->from, err) ||
	    read_weights(t, KITH_SVM_TO, options.to.C, task->to, err))
		return -1;
	for (size_t v = 0; v < task->problem.variables; v++) {
		const size_t i = v % n;
		const bool plus = regress ? v < n : t->class.n == 1 || t->y[i] == 1;

		task->plus[v] = i;
		task->sign[v] = plus ? 1 : -1;
		task->q[v] = regress ? options.epsilon - task->sign[v] * t->t[i] : -1;
		task->from[v] = task->from[i];
		task->to[v] = task->to[i];
		if (regress && fabs(t->t[i]) > 1e-8 * DBL_MAX)
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: column " KITH_NAME ": too large to be squared with weights",
			    kith_table_number(t, i), t->target);
	}
	return 0;
}

/* The rows of each query: row[start[q]] ... row[start[q + 1] - 1], in the order of the table. */
struct queries {
	size_t n;
	size_t *of; /* the query of each row */
	size_t *start, *row;
};

/* Lists the rows of the query of row i that are worse; returns their number. */
static size_t
find_worse(const struct kith_svm_task *task, const struct queries *g, size_t i, size_t *worse)
{
	const double *y = task->rows.t;
	size_t pairs = 0;

	for (size_t at = g->start[g->of[i]]; at < g->start[g->of[i] + 1]; at++)
		if (y[i] > y[g->row[at]])
			worse[pairs++] = g->row[at];
	return pairs;
}

/* Returns the number of pairs; warns of queries without a pair. */
static size_t
count_pairs(const struct kith_svm_task *task, const struct queries *g)
{
	struct kith_pool tmp = {0};
	size_t *worse, pairs = 0, without = 0;

	KITH_NEW_SIZES(&tmp, task->n, 1, &worse);
	for (size_t q = 0; q < g->n; q++) {
		size_t of_query = 0;

		for (size_t at = g->start[q]; at < g->start[q + 1]; at++)
			of_query += find_worse(task, g, g->row[at], worse);
		pairs += of_query;
		without += of_query == 0;
	}
	kith_pool_free(&tmp);
	if (pairs == 0)
		return 0;
	if (without > 0)
		kith_warn("%zu of %zu queries have no pair of rows of which one is better", without,
		    g->n);
	kith_log_size("queries", g->n);
	kith_log_size("queries without a pair", without);
	return pairs;
}

/* Returns the weight at theta 1 of a pair of rows, whose query has the weights C0 and C1. */
static double
pair_weight(double better, double worse, double C0, double C1)
{
	double by;

	if (!options.to.word)
		return C1;
	by = options.to.word == 'r' ? exp2(better) - exp2(worse) : better - worse;
	/* The difference may be inf - inf, or inf times 0. */
	by = C0 > 0 ? by * C0 : 0;
	return isfinite(by) ? by : INFINITY;
}

static int
make_pairs(struct kith_svm_task *task, struct kith_err *err)
{
	const struct kith_table *t = &task->rows;
	const double *y = t->t;
	const size_t n = task->n;
	struct queries g;
	double *C0, *C1;
	size_t pairs;

	KITH_NEW_SIZES(task->pool, n + 1, 1, &g.of, &g.row, &g.start);
	KITH_NEW_REALS(task->pool, n, 1, &C0, &C1);
	if (read_queries(t, g.of, &g.n, task->pool, err) ||
	    read_weights(t, KITH_SVM_FROM, options.from.C, C0, err) ||
	    read_weights(t, KITH_SVM_TO, options.to.C, C1, err) ||
	    check_queries(t, KITH_SVM_FROM, g.of, C0, task->pool, err) ||
	    check_queries(t, KITH_SVM_TO, g.of, C1, task->pool, err))
		return -1;
	kith_sort_by_class(g.of, n, g.n, g.row, g.start);
	pairs = count_pairs(task, &g);
	if (pairs == 0)
		return kith_fail_at(
		    err, EX_DATAERR, t->file, 0, "no query has two rows of which one is better");
	kith_svm_variables(task, pairs, true);
	for (size_t i = 0, v = 0; i < n; i++)
		for (size_t end = v + find_worse(task, &g, i, task->minus + v); v < end; v++) {
			task->plus[v] = i;
			task->sign[v] = 1;
			task->q[v] = -1;
			task->from[v] = C0[i];
			task->to[v] = pair_weight(y[i], y[task->minus[v]], C0[i], C1[i]);
		}
	return 0;
}

int
make_problem(struct kith_svm_task *task, struct kith_err *err)
{
	if (options.task == KITH_SVM_RANK ? make_pairs(task, err) : make_rows(task, err))
		return -1;
	return kith_svm_check_weights(task, task->n, "", err);
}

double
sign_of_class(const struct kith_svm_task *task, size_t machine, size_t class)
{
	size_t first, second;

	kith_machine_pair(task->rows.class.n, machine, &first, &second);
	return class == second ? 1 : class == first ? -1 : 0;
}

void
get_classes(const struct kith_svm_task *task, size_t machine, const char *class[2])
{
	size_t first, second;

	class[0] = class[1] = NULL;
	if (!kith_machine_has_pairs(&task->model))
		return;
	kith_machine_pair(task->rows.class.n, machine, &first, &second);
	class[0] = task->rows.class.name[first];
	class[1] = task->rows.class.name[second];
}

/* Takes the variables of the whole task whose rows the machine learns from; place: their items. */
static void
take_variables(struct kith_svm_task *task, const struct kith_svm_task *whole, size_t machine,
    const size_t *part_of, size_t part, const size_t *place)
{
	const bool has_pairs = kith_machine_has_pairs(&whole->model);
	size_t N = 0;

	kith_svm_variables(task, whole->problem.variables, whole->minus);
	for (size_t v = 0; v < whole->problem.variables; v++) {
		const size_t i = whole->plus[v], j = whole->minus ? whole->minus[v] : i;

		task->sign[N] = has_pairs ? sign_of_class(whole, machine, whole->rows.y[i])
					  : whole->sign[v];
		if (task->sign[N] == 0 || (part_of && (part_of[i] == part || part_of[j] == part)))
			continue;
		task->plus[N] = place[i];
		if (whole->minus)
			task->minus[N] = place[j];
		task->q[N] = whole->q[v];
		task->from[N] = whole->from[v];
		task->to[N++] = whole->to[v];
	}
	task->problem.variables = N;
}

int
make_subset(struct subset *s, const struct kith_svm_task *whole, size_t part, size_t machine,
    struct kith_err *err)
{
	const size_t n = whole->n, *part_of = part == KITH_SVM_NONE ? NULL : whole->part;
	const bool all = !kith_machine_has_pairs(&whole->model); /* the items are all rows */
	const bool scaled = part_of && whole->unscaled.v;
	const struct kith_mat *source = scaled ? &whole->unscaled : &whole->X;
	struct kith_svm_task *task = &s->task;
	struct kith_origin from = kith_table_origin(&whole->rows, &whole->model.metric), from_item;
	struct kith_mat learnt;
	struct kith_unit unit;
	size_t *row, *item, *place, rows = 0, items = 0;

	*s = (struct subset){.task = *whole};
	task->pool = &s->pool;
	get_classes(whole, machine, task->class);
	KITH_NEW_SIZES(&s->pool, n + whole->m, 1, &row, &item, &place, &s->test, &s->item);
	task->row = item;
	for (size_t i = 0; i < n + whole->m; i++) {
		const bool is_learnt = i < n && !(part_of && part_of[i] == part);

		if (is_learnt)
			row[rows++] = i;
		else
			s->test[s->m++] = i < n ? i : i - n;
		if (all || (is_learnt && sign_of_class(whole, machine, whole->rows.y[i]) != 0)) {
			place[i] = items;
			item[items++] = i;
		}
	}
	task->n = all ? n : items;
	for (size_t k = 0; k < s->m; k++) {
		const size_t i = part_of ? s->test[k] : n + s->test[k];

		s->item[k] = all ? i : items;
		if (!all)
			item[items++] = i;
	}
	if (all && !part_of)
		return 0; /* the machine is the whole task */
	take_variables(task, whole, machine, part_of, part, place);
	if (rows == 0 || (all && task->problem.variables == 0))
		return kith_fail_at(err, EX_DATAERR, whole->rows.file, 0,
		    "--cv: no %s outside part %zu of %zu", whole->minus ? "pair of rows" : "row",
		    part + 1, options.parts);
	learnt = kith_mat_rows(source, row, rows, &s->pool);
	if (scaled || !all) {
		task->X = kith_mat_rows(source, item, items, &s->pool);
		task->problem.X = &task->X;
	}
	from.feature = &whole->model.feature;
	from.row = row;
	from_item = from;
	from_item.row = item;
	if (scaled &&
	    (kith_unit_scale(
		 options.scale, &learnt, &from, &task->X, &from_item, &unit, &s->pool, err) ||
		kith_svm_check_kernels(whole, &task->X, item, &learnt, SCALED, err)))
		return -1;
	if (!all)
		learnt = (struct kith_mat){task->n, task->X.p, task->X.v};
	task->problem.ridge = kith_svm_ridge(options.ridge, &whole->kern, &learnt);
	return scaled ? kith_svm_check_weights(task, task->X.n, SCALED, err) : 0;
}
