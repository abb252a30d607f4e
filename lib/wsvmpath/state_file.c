/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/state_file.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "text/out.h"
#include "text/rows.h"
#include "text/value.h"
#include "wsvmpath/check.h"
#include "wsvmpath/task.h"
#include "wsvmpath/variables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const word[] = {"out", "margin", "in"};

/* FNV-1a of 64 bits: the bytes of a number. */
static uint64_t
hash(uint64_t h, uint64_t bits)
{
	for (int i = 0; i < 64; i += 8)
		h = (h ^ (bits >> i & 0xff)) * 0x100000001b3;
	return h;
}

static uint64_t
hash_reals(uint64_t h, const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const double x = v[i] + 0.0; /* -0 is 0 */
		uint64_t bits;

		memcpy(&bits, &x, sizeof(bits));
		h = hash(h, bits);
	}
	return h;
}

static uint64_t
hash_sizes(uint64_t h, const size_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = hash(h, v[i]);
	return h;
}

enum { DIGITS = 17 }; /* of a hash, and a null byte */

/* The hash of the items, targets and options of the job, without weights. */
static void
hash_job(const struct kith_wsvm_job *job, char text[DIGITS])
{
	const struct kith_wsvm_problem *problem = &job->problem;
	const struct kith_metric *metric = &job->learnt.metric;
	const size_t N = problem->variables, p = job->X.p;
	const size_t size[] = {(size_t)job->call->task, job->n, p, N,
	    (size_t)job->kern.kind, job->kern.degree, (size_t)metric->kind};
	const double real[] = {
	    job->kern.gamma, job->kern.coef0, problem->ridge};
	uint64_t h = 0xcbf29ce484222325;

	h = hash_sizes(h, size, sizeof(size) / sizeof(*size));
	h = hash_reals(h, real, sizeof(real) / sizeof(*real));
	h = hash_reals(h, job->X.v, job->n * p);
	if (metric->w)
		h = hash_reals(h, metric->w,
		    metric->kind == KITH_SQUARED_MATRIX ? p * p : p);
	h = hash_sizes(h, job->plus, N);
	if (job->minus)
		h = hash_sizes(h, job->minus, N);
	h = hash_reals(h, job->sign, N);
	h = hash_reals(h, job->q, N);
	snprintf(text, DIGITS, "%016llx", (unsigned long long)h);
}

static void
write_reals(
    struct kith_out *out, const char *what, size_t n, const double *value)
{
	for (size_t i = 0; i < n; i++)
		kith_out_put(out, "%s\t%zu\t%g\n", what, i + 1, value[i]);
}

/* f of `items` items from `first` on, without b. */
static void
score(const struct kith_wsvm_job *job, const double *alpha, size_t first,
    size_t items, double *f)
{
	const struct kith_mat Z = {
	    items, job->X.p, job->X.v + first * job->X.p};
	struct kith_machine machine;

	kith_wsvm_machine(job, alpha, 0, &machine);
	kith_machine_score(&machine, &Z, job->call->threads, f + first);
}

/* The set of a variable, by its alpha alone. */
static enum kith_wsvm_where
place(double alpha, double C)
{
	return alpha <= 0 ? KITH_WSVM_OUT
	    : alpha >= C  ? KITH_WSVM_IN
			  : KITH_WSVM_MARGIN;
}

static void
write_state(const struct kith_wsvm_job *job,
    const struct kith_wsvm_solution *at, struct kith_out *out)
{
	static const char *const column[] = {"what", "number", "value"};
	const size_t N = job->problem.variables;
	char data[DIGITS];

	hash_job(job, data);
	kith_out_header(out, column, 3);
	kith_out_put(out, "%s\t%s\t%s\n", "version", "1", "2");
	kith_out_put(out, "%s\t%s\t%s\n", "data", "1", data);
	write_reals(out, "ridge", 1, &job->problem.ridge);
	write_reals(out, "weight", N, job->to);
	write_reals(out, "alpha", N, at->alpha);
	for (size_t v = 0; v < N; v++)
		kith_out_put(
		    out, "%s\t%zu\t%s\n", "where", v + 1, word[at->where[v]]);
	write_reals(out, "f", job->n, at->f);
	write_reals(out, "b", 1, &at->b);
}

/* The first condition that the solution at weights C violates, or NULL. */
static const struct kith_check *
find_fault(const struct kith_wsvm_job *job, const double *C,
    const struct kith_wsvm_solution *at,
    struct kith_check check[KITH_CHECK_WSVM_STATE])
{
	kith_check_wsvm_state(job, C, at, check);
	for (size_t i = 0; i < KITH_CHECK_WSVM_STATE; i++)
		if (!kith_check_ok(&check[i]))
			return &check[i];
	return NULL;
}

bool
kith_wsvm_state_write(const struct kith_wsvm_job *job, const double *alpha,
    double b, struct kith_out *out)
{
	struct kith_pool tmp = {0};
	const size_t N = job->problem.variables;
	struct kith_check check[KITH_CHECK_WSVM_STATE];
	double *f = kith_new(&tmp, job->n, sizeof(*f));
	int8_t *where = kith_new(&tmp, N, sizeof(*where));
	const struct kith_wsvm_solution at = {b, alpha, f, where};
	bool sound;

	score(job, alpha, 0, job->n, f);
	for (size_t v = 0; v < N; v++)
		where[v] = (int8_t)place(alpha[v], job->to[v]);
	write_state(job, &at, out);
	sound = !find_fault(job, job->to, &at, check);
	kith_pool_free(&tmp);
	return sound;
}

/* A state while it is read. */
struct reader {
	struct kith_rows rows;
	double *weight, *alpha, *f;
	int8_t *where;
	double b;
};

static int
no_state(const struct reader *r, struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, r->rows.rec.file, r->rows.rec.line,
	    "no state as --state-out writes it");
}

/* Read the next row, which is to be this one. */
static int
go_on(struct reader *r, const char *what, size_t number, struct kith_err *err)
{
	const int got = kith_rows_next(&r->rows, err);
	const struct kith_rec *rec = &r->rows.rec;
	size_t n;

	if (got < 0)
		return -1;
	if (got == 0)
		return kith_fail_at(err, EX_DATAERR, r->rows.rec.file, 0,
		    "not the whole state");
	if (strcmp(kith_rec_cell(rec, 0)->s, what) != 0 ||
	    kith_parse_size(kith_rec_cell(rec, 1)->s, &n) || n != number)
		return no_state(r, err);
	return 0;
}

static int
read_reals(struct reader *r, const char *what, size_t n, double *v,
    struct kith_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (go_on(r, what, i + 1, err) ||
		    kith_value_due(&r->rows, 2, &v[i], err))
			return -1;
	return 0;
}

static int
read_where(struct reader *r, size_t n, struct kith_err *err)
{
	for (size_t v = 0; v < n; v++) {
		int8_t at = 0;

		if (go_on(r, "where", v + 1, err))
			return -1;
		while (at < 3 &&
		    strcmp(word[at], kith_rec_cell(&r->rows.rec, 2)->s) != 0)
			at++;
		if (at == 3)
			return no_state(r, err);
		r->where[v] = at;
	}
	return 0;
}

/* Refuse other versions and the data of other jobs. */
static int
read_head(
    struct reader *r, const struct kith_wsvm_job *job, struct kith_err *err)
{
	char data[DIGITS];
	double ridge;
	bool same;

	if (r->rows.name.n != 3 || strcmp(r->rows.name.name[0], "what") != 0)
		return no_state(r, err);
	if (go_on(r, "version", 1, err))
		return -1;
	if (strcmp(kith_rec_cell(&r->rows.rec, 2)->s, "2") != 0)
		return no_state(r, err);
	hash_job(job, data);
	if (go_on(r, "data", 1, err))
		return -1;
	same = strcmp(kith_rec_cell(&r->rows.rec, 2)->s, data) == 0;
	if (same && read_reals(r, "ridge", 1, &ridge, err))
		return -1;
	if (!same || ridge != job->problem.ridge)
		return kith_fail_at(err, EX_DATAERR, r->rows.rec.file, 0,
		    "the state of other rows, or of another kernel, ridge or "
		    "epsilon");
	return 0;
}

static int
read_body(
    struct reader *r, const struct kith_wsvm_job *job, struct kith_err *err)
{
	const size_t N = job->problem.variables;
	int got;

	if (read_head(r, job, err) ||
	    read_reals(r, "weight", N, r->weight, err) ||
	    read_reals(r, "alpha", N, r->alpha, err) || read_where(r, N, err) ||
	    read_reals(r, "f", job->n, r->f, err) ||
	    read_reals(r, "b", 1, &r->b, err))
		return -1;
	got = kith_rows_next(&r->rows, err);
	return got > 0 ? no_state(r, err) : got;
}

/* Refuse alpha out of bounds, other weights than --from, and a false bias. */
static int
check(const struct reader *r, struct kith_wsvm_job *job, const char *file,
    struct kith_err *err)
{
	for (size_t v = 0; v < job->problem.variables; v++) {
		const double C = r->weight[v], a = r->alpha[v];

		if (C < 0 || a < 0 || a > C ||
		    (r->where[v] == KITH_WSVM_OUT && a > 0) ||
		    (r->where[v] == KITH_WSVM_IN && a < C))
			return kith_fail_at(err, EX_DATAERR, file, 0,
			    "variable %zu: alpha does not fit its weight",
			    v + 1);
		if (job->call->from && C != job->from[v])
			return kith_fail_at(err, EX_DATAERR, file, 0,
			    "the state of other weights than --from says "
			    "(leave --from out?)");
		job->from[v] = C;
	}
	if (!job->problem.bias && r->b != 0)
		return kith_fail_at(err, EX_DATAERR, file, 0,
		    "b is not 0, but this task has none");
	return 0;
}

/* Refuse a state that is no solution of the rows (wsvmpath/check.h). */
static int
check_solution(const struct kith_wsvm_job *job,
    const struct kith_wsvm_solution *at, const char *file, struct kith_err *err)
{
	struct kith_check check[KITH_CHECK_WSVM_STATE];
	const struct kith_check *fault = find_fault(job, job->from, at, check);

	if (!fault)
		return 0;
	return kith_fail_at(err, EX_DATAERR, file, 0,
	    "not the solution of these rows: %s is %.3g, more than %g",
	    fault->check, fault->value, fault->limit);
}

int
kith_wsvm_state_read(const char *file, struct kith_wsvm_job *job,
    struct kith_wsvm_solution *at, struct kith_err *err)
{
	const char *const files[] = {file, NULL};
	const struct kith_format format = {.sep = '\t'};
	const size_t N = job->problem.variables;
	struct reader r = {
	    .weight = kith_new(job->pool, N, sizeof(double)),
	    .alpha = kith_new(job->pool, N, sizeof(double)),
	    .f = kith_new(job->pool, job->n + job->m, sizeof(double)),
	    .where = kith_new(job->pool, N, sizeof(int8_t)),
	};
	int got;

	if (kith_rows_open(&r.rows, files, &format, job->pool, err))
		return -1;
	got = read_body(&r, job, err);
	kith_rows_close(&r.rows);
	if (got < 0 || check(&r, job, file, err))
		return -1;
	*at = (struct kith_wsvm_solution){r.b, r.alpha, r.f, r.where};
	if (check_solution(job, at, file, err))
		return -1;
	score(job, r.alpha, job->n, job->m, r.f);
	return 0;
}
