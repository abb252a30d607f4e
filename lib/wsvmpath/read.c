/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/read.h"

#include "base/pool.h"
#include "cli/cli.h"
#include "kernel/gamma.h"
#include "say/doubt.h"
#include "say/needs.h"
#include "table/input.h"
#include "table/unit.h"
#include "wsvmpath/resolve.h"

#include <float.h>
#include <string.h>

/* A growing LIST of columns (text/columns.h). */
struct list {
	struct kith_pool *pool;
	char *text; /* NULL: empty */
	size_t n;
};

static void
append(struct list *l, const char *bytes, size_t len)
{
	const size_t used = l->text ? strlen(l->text) : 0;
	char *s = kith_new(l->pool, used + len + 1, 1);

	if (used)
		memcpy(s, l->text, used);
	memcpy(s + used, bytes, len);
	l->text = s;
}

/* Add a column that is called by its name, or by what COL allows. */
static void
add(struct list *l, const char *col)
{
	append(l, l->text ? ",\"" : "\"", l->text ? 2 : 1);
	if (*col == '@')
		append(l, "@", 1);
	for (; *col; col++)
		append(l, *col == '"' ? "\"\"" : col, *col == '"' ? 2 : 1);
	append(l, "\"", 1);
	l->n++;
}

/* The columns with roles: what COL says each is, or NULL. */
static void
list_roles(const struct kith_wsvm_call *call, const char *col[KITH_WSVM_ROLES])
{
	col[KITH_WSVM_FROM] = kith_wsvm_named(call, call->from);
	col[KITH_WSVM_TO] = kith_wsvm_named(call, call->to);
	col[KITH_WSVM_QUERY] = call->query;
	col[KITH_WSVM_COST] = call->cost;
	col[KITH_WSVM_TARGET] = NULL;
	if (call->task == KITH_WSVM_TRANSDUCE)
		col[KITH_WSVM_TARGET] = call->how.target ? call->how.target : "-1";
}

/* Add the columns to the list, each once; their places there into kept. */
static void
add_roles(struct list *l, const char *const col[KITH_WSVM_ROLES], size_t kept[KITH_WSVM_ROLES])
{
	for (int r = 0; r < KITH_WSVM_ROLES; r++) {
		kept[r] = KITH_WSVM_NONE;
		for (int s = 0; col[r] && s < r; s++)
			if (col[s] && strcmp(col[s], col[r]) == 0)
				kept[r] = kept[s];
		if (!col[r] || kept[r] != KITH_WSVM_NONE)
			continue;
		kept[r] = l->n;
		add(l, col[r]);
	}
}

/* A name in --from and --to is that of one column, no number or range. */
static int
check_names(const struct kith_wsvm_job *job, const char *const col[KITH_WSVM_ROLES], size_t listed,
    struct kith_err *err)
{
	const struct kith_table *t = &job->rows;

	for (int r = KITH_WSVM_FROM; r <= KITH_WSVM_TO; r++)
		if (col[r] &&
		    (t->kept.n != listed || strcmp(t->kept.name[job->kept[r]], col[r]) != 0))
			return kith_fail_at(err, EX_DATAERR, t->file, t->head,
			    "column " KITH_NAME ": not found", col[r]);
	if (t->kept.n != listed)
		return kith_fail_at(
		    err, EX_DATAERR, t->file, t->head, "several columns where one is expected");
	for (int r = 0; r < KITH_WSVM_TARGET; r++)
		if (col[r] && t->target && strcmp(t->kept.name[job->kept[r]], t->target) == 0)
			return kith_fail(err, KITH_EX_USAGE,
			    "column " KITH_NAME ": the target has another role", t->target);
	return 0;
}

static int
read_rows(struct kith_wsvm_job *job, struct kith_err *err)
{
	static const int task[] = {KITH_CLASSIFY, KITH_REGRESS, KITH_REGRESS, KITH_ASIDE};
	const struct kith_wsvm_call *call = job->call;
	const char *col[KITH_WSVM_ROLES];
	struct list keep = {job->pool, NULL, 0}, other = keep;
	struct kith_how how = call->how;
	size_t unused[KITH_WSVM_ROLES];

	list_roles(call, col);
	add_roles(&keep, col, job->kept);
	how.changed = true;
	how.task = task[call->task];
	how.keep = keep.text;
	col[KITH_WSVM_TARGET] = NULL;
	add_roles(&other, col, unused);
	how.other = other.text;
	if (kith_table_read(call->files, &how, NULL, &job->rows, job->pool, err))
		return -1;
	return check_names(job, col, keep.n, err);
}

/* No id is "(bias)", which names b in tables of coefficients. */
static int
check_ids(const struct kith_table *t, struct kith_err *err)
{
	for (size_t i = 0; t->id_name && i < t->X.n; i++)
		if (strcmp(kith_texts_at(&t->id, i).s, "(bias)") == 0)
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: id \"(bias)\" is a reserved name", kith_table_number(t, i));
	return 0;
}

/* The rows of --validate, whose columns are those of the rows, by name. */
static int
read_asked(struct kith_wsvm_job *job, struct kith_err *err)
{
	static const enum kith_wsvm_role due[] = {KITH_WSVM_QUERY, KITH_WSVM_COST};
	const struct kith_wsvm_call *call = job->call;
	const char *col[KITH_WSVM_ROLES] = {NULL};
	struct list keep = {job->pool, NULL, 0};
	struct kith_how how = call->how;

	for (size_t i = 0; i < 2; i++)
		if (job->kept[due[i]] != KITH_WSVM_NONE)
			col[due[i]] = job->rows.kept.name[job->kept[due[i]]];
	add_roles(&keep, col, job->asked_kept);
	if (!call->validate)
		return 0;
	how.changed = true;
	how.task = call->task == KITH_WSVM_CLASSIFY ? KITH_CLASSIFY : KITH_REGRESS;
	how.keep = keep.text;
	return kith_table_read_other(call->validate, &how, &job->rows, &job->asked, job->pool, err);
}

/* Rows of both tables as items, without features that do not count. */
static void
pack(struct kith_machine *m, const struct kith_table *rows, const struct kith_table *asked,
    const struct kith_weights *w, struct kith_pool *pool)
{
	const size_t p = w->metric.p, n = rows->X.n;

	m->feature = rows->feature;
	m->mean = rows->mean;
	if (w->column)
		kith_machine_name(m, w->column, p, pool);
	m->metric = w->metric;
	m->X = kith_mat_new(pool, n + asked->X.n, p);
	if (n)
		memcpy(m->X.v, rows->X.v, n * p * sizeof(*m->X.v));
	if (asked->X.n)
		memcpy(kith_row(&m->X, n), asked->X.v, asked->X.n * p * sizeof(*m->X.v));
	kith_machine_pack(m, pool);
}

int
kith_wsvm_features(const struct kith_wsvm_call *call, struct kith_table *rows,
    struct kith_table *asked, struct kith_machine *m, struct kith_kern *kern,
    struct kith_pool *pool, struct kith_err *err)
{
	static const enum kith_kern_kind kind[] = {
	    KITH_KERN_GAUSSIAN, KITH_KERN_LINEAR, KITH_KERN_POLYNOMIAL};
	struct kith_weights w;

	if (kith_input_weights(call->weights, rows, asked, &w, pool, err) ||
	    (call->weights && kith_say_needs_scale(&w.needs, call->scale, err)))
		return -1;
	kith_say_needs(&w.needs);
	*kern = (struct kith_kern){.kind = kind[call->kernel],
	    .metric = &m->metric,
	    .gamma = call->gamma,
	    .degree = call->degree,
	    .coef0 = call->coef0};
	if (kith_kern_check(kern->kind, &w.metric, err)) {
		err->file = call->weights;
		return -1;
	}
	pack(m, rows, asked, &w, pool);
	return 0;
}

/* Whether kernels fit doubles, and doubles tell those of the rows apart. */
static int
check_kernel(const struct kith_wsvm_job *job, struct kith_err *err)
{
	const size_t i = kith_wsvm_too_large(&job->kern, &job->X);
	const struct kith_mat rows = {job->n, job->X.p, job->X.v};
	const bool own = i < job->n;

	if (i < job->X.n)
		return kith_fail_at(err, EX_DATAERR, own ? job->rows.file : job->asked.file, 0,
		    "row %zu: its kernels are too large for a double",
		    own ? kith_table_number(&job->rows, i)
			: kith_table_number(&job->asked, i - job->n));
	if (kith_wsvm_resolved(&job->kern, &rows, job->call->ridge))
		return 0;
	return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
	    "kernels of the rows differ by less than doubles resolve: centre "
	    "and scale the features%s",
	    job->call->scale == KITH_UNIT_NONE ? " (--scale zscore?)" : "");
}

/* Bring the items into the units of the rows, --scale, and check their range. */
static int
scale(struct kith_wsvm_job *job, struct kith_err *err)
{
	struct kith_mat rows = {job->n, job->X.p, job->X.v};
	struct kith_mat asked = {job->m, job->X.p, job->X.v + job->n * job->X.p};
	struct kith_machine *m = &job->learnt;
	struct kith_origin from = kith_table_origin(&job->rows);
	struct kith_origin other = kith_table_origin(&job->asked);

	from.metric = other.metric = &m->metric;
	from.feature = other.feature = &m->feature;
	if (job->call->scale == KITH_UNIT_NONE)
		return kith_range_check(&rows, &from, err) || kith_range_check(&asked, &other, err)
		    ? -1
		    : 0;
	if (job->call->parts) {
		job->raw = kith_mat_new(job->pool, rows.n, rows.p);
		memcpy(job->raw.v, rows.v, rows.n * rows.p * sizeof(*rows.v));
	}
	return kith_unit_scale(
	    job->call->scale, &rows, &from, &asked, &other, &m->unit, job->pool, err);
}

/* Set the default gamma, or warn where the least gamma given is too large. */
static void
set_gamma(struct kith_wsvm_job *job)
{
	const struct kith_mat X = {job->n, job->X.p, job->X.v};
	double most;

	if (!(job->call->gamma > 0)) {
		job->kern.gamma = kith_gamma_auto(&X, &job->learnt.metric);
		return;
	}
	if (job->kern.kind != KITH_KERN_GAUSSIAN)
		return;
	most = kith_gamma_coupling(&job->kern, &X, &X);
	if (most < KITH_GAMMA_COUPLED)
		kith_warn("gamma %g is too large for these data: most rows have no kernel with "
			  "another above %.3g",
		    job->kern.gamma, most);
}

/* The task, classes and columns that models name. */
static void
name_all(struct kith_wsvm_job *job)
{
	static const enum kith_machine_task task[] = {
	    KITH_MACHINE_CLASSIFY, KITH_MACHINE_REGRESS, KITH_MACHINE_RANK, KITH_MACHINE_CLASSIFY};
	struct kith_machine *m = &job->learnt;

	m->task = task[job->call->task];
	m->kern = job->kern;
	m->class = job->rows.class;
	m->multi = KITH_MACHINE_ONE;
	m->target = job->rows.target;
	m->column = job->rows.column;
}

/* Warn of what is hardly meant. */
static void
doubt(const struct kith_wsvm_job *job)
{
	const struct kith_wsvm_call *call = job->call;

	if (call->task == KITH_WSVM_CLASSIFY)
		kith_say_table_classes(&job->rows, "--task regress?");
	if (call->kernel != KITH_WSVM_LINEAR && !call->weights && !call->scale)
		kith_say_scales(&job->rows, NULL, KITH_SAY_UNITS);
	kith_say_outside(&job->rows, &job->asked, NULL);
}

int
kith_wsvm_read(const struct kith_wsvm_call *call, struct kith_wsvm_job *job, struct kith_pool *pool,
    struct kith_err *err)
{
	*job = (struct kith_wsvm_job){.call = call, .pool = pool};
	if (read_rows(job, err) || check_ids(&job->rows, err) || read_asked(job, err))
		return -1;
	doubt(job);
	job->n = job->rows.X.n;
	job->m = job->asked.X.n;
	if (kith_wsvm_features(call, &job->rows, &job->asked, &job->learnt, &job->kern, pool, err))
		return -1;
	job->X = job->learnt.X;
	job->rows.X.v = NULL;
	job->asked.X.v = NULL;
	if (scale(job, err))
		return -1;
	set_gamma(job);
	name_all(job);
	job->problem = (struct kith_wsvm_problem){
	    .X = &job->X, .kern = &job->kern, .cache = KITH_WSVM_CACHE, .threads = call->threads};
	if (check_kernel(job, err))
		return -1;
	job->problem.ridge = kith_wsvm_ridge(
	    call->ridge, &job->kern, &(struct kith_mat){job->n, job->X.p, job->X.v});
	return 0;
}
