/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/transduce.h"

#include "base/err.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "text/out.h"
#include "wsvm/transduction.h"
#include "wsvmpath/print.h"
#include "wsvmpath/solution.h"
#include "wsvmpath/task.h"
#include "wsvmpath/variables.h"

#include <assert.h>
#include <math.h>

/* The targets of the rows. */
struct rows {
	bool *known;     /* n: has a target */
	size_t *y;       /* n: the class, where known */
	size_t count[2]; /* rows of the classes */
	struct kith_names class;
};

static int
read_classes(const struct kith_wsvm_job *job, struct rows *r, struct kith_err *err)
{
	const struct kith_table *t = &job->rows;
	size_t *was;

	r->known = kith_new(job->pool, job->n, sizeof(*r->known));
	r->y = kith_new(job->pool, job->n, sizeof(*r->y));
	for (size_t i = 0; i < job->n; i++) {
		const struct kith_cell c = kith_wsvm_cell(t, job->kept[KITH_WSVM_TARGET], i);

		r->known[i] = !kith_cell_missing(&c);
		if (r->known[i])
			r->y[i] = kith_names_add(&r->class, c.s, job->pool);
	}
	if (r->class.n != 2)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "%zu class%s, two expected (rows without one have an "
		    "empty " KITH_NAME ")",
		    r->class.n, r->class.n == 1 ? "" : "es", t->target);
	kith_names_sort(&r->class, &was, job->pool);
	for (size_t i = 0; i < job->n; i++) {
		r->y[i] = was[r->y[i]]; /* of two, a swap is its own inverse */
		r->count[r->y[i]] += r->known[i];
	}
	return 0;
}

/* Of k rows without a label those that are to be +1, rounded half up. */
static size_t
positives(const struct kith_wsvm_call *call, const struct rows *r, size_t k)
{
	const size_t known = r->count[0] + r->count[1];

	if (call->positive < 0)
		return (2 * r->count[1] * k + known) / (2 * known);
	return (size_t)floor(call->positive * (double)k + .5);
}

/*
 * Row i has variable i: of its label, or of +1 where it has none; then it has
 * another one, from n on, of -1.
 */
static void
make(struct kith_wsvm_job *job, const struct rows *r, double C, double C_star,
    struct kith_wsvm_transduce_how *how)
{
	const size_t n = job->n, known = r->count[0] + r->count[1];
	const size_t k = n - known;
	size_t *row = kith_new(job->pool, k, sizeof(*row));
	size_t *no = kith_new(job->pool, k, sizeof(*no));
	size_t u = 0;

	assert(known > 0);
	kith_wsvm_variables(job, n + k, false);
	for (size_t i = 0; i < n; i++) {
		job->plus[i] = i;
		job->q[i] = -1;
		job->sign[i] = !r->known[i] || r->y[i] ? 1 : -1;
		job->from[i] = job->to[i] = r->known[i] ? C : C_star;
		if (r->known[i])
			continue;
		job->plus[n + u] = row[u] = i;
		job->q[n + u] = job->sign[n + u] = -1;
		job->from[n + u] = job->to[n + u] = C_star;
		no[u] = n + u;
		u++;
	}
	*how = (struct kith_wsvm_transduce_how){.problem = &job->problem,
	    .k = k,
	    .positives = positives(job->call, r, k),
	    .row = row,
	    .as_no = no,
	    .C = C,
	    .C_star = C_star};
}

static void
write_rows(const struct kith_wsvm_job *job, const struct rows *r,
    const struct kith_wsvm_transduced *got, struct kith_out *out)
{
	const struct kith_table *t = &job->rows;
	size_t u = 0;

	kith_wsvm_print_prediction_header(out);
	for (size_t i = 0; i < job->n && !out->failed; i++) {
		const bool yes = r->known[i] ? got->f[i] > 0 : got->yes[u++];
		const struct kith_wsvm_prediction p = {
		    .id = t->id_name ? kith_texts_at(&t->id, i).s : NULL,
		    .number = kith_table_number(t, i),
		    .predicted = r->class.name[yes],
		    .actual = r->known[i] ? r->class.name[r->y[i]] : NULL,
		    .margin = got->f[i]};

		kith_wsvm_print_prediction_write(&p, out);
	}
}

static void
report(const struct kith_wsvm_job *job, const struct kith_wsvm_transduce_how *how,
    const struct kith_wsvm_transduced *got)
{
	kith_log_size("rows", job->n);
	kith_log_size("features", job->X.p);
	kith_log_real("gamma", job->kern.gamma);
	kith_log_size("unlabelled", how->k);
	kith_log_size("positives", how->positives);
	kith_log_size("exchanges", got->switches);
	kith_log_size("stages", got->stages);
}

int
kith_wsvm_transduce(struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	const struct kith_wsvm_call *call = job->call;
	struct kith_wsvm_transduce_how how;
	struct kith_wsvm_transduced got;
	struct kith_wsvm_count count;
	struct rows r = {0};
	struct kith_out saved;

	if (read_classes(job, &r, err))
		return -1;
	if (r.count[0] + r.count[1] == job->n)
		return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
		    "no row has an empty " KITH_NAME, job->rows.target);
	make(job, &r, call->C, call->unlabelled, &how);
	job->learnt.class = r.class;
	if (kith_wsvm_check_range(job, err))
		return -1;
	if ((call->save_model && kith_wsvm_open_model(job, &saved, err)) ||
	    kith_out_open_table(out, kith_output(), err))
		return -1;
	kith_wsvm_transduction(&how, &got, &count, job->pool);
	write_rows(job, &r, &got, out);
	report(job, &how, &got);
	if (call->save_model && kith_wsvm_save(job, 1, got.alpha, got.b, &saved, err))
		return -1;
	return kith_wsvm_report_count(call, &count);
}
