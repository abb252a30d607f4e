#include "wsvmpath/transduce.h"

#include "base/err.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "text/out.h"
#include "wsvmpath/follow.h"
#include "wsvmpath/sums.h"
#include "wsvmpath/task.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SOME 1e-9  /* a slack that is not rounding */
#define START 1e-5 /* of C*: where the weights begin */

struct work {
	const struct kith_wsvm_transduce_how *how;
	struct kith_wsvm *solver;
	double *C;      /* N: weights */
	double yes, no; /* C*+ and C*- */
	struct kith_wsvm_transduced *out;
	double *alpha, *f;
};

/* A row without label, by f. */
struct place {
	double f;
	size_t u;
};

static int
by_score(const void *a, const void *b)
{
	const struct place *s = a, *t = b;

	if (s->f != t->f)
		return s->f > t->f ? -1 : 1;
	return (s->u > t->u) - (s->u < t->u);
}

/* The solution where the solver is, at the weights C. */
static void
take(struct work *w)
{
	const struct kith_wsvm_problem *problem = w->how->problem;
	struct kith_wsvm_solution at;

	kith_wsvm_get(w->solver, &at);
	for (size_t v = 0; v < problem->variables; v++)
		w->alpha[v] = at.where[v] == KITH_WSVM_OUT ? 0
		    : at.where[v] == KITH_WSVM_IN          ? w->C[v]
							   : at.alpha[v];
	for (size_t i = 0; i < problem->X->n; i++)
		w->f[i] = at.f[i] + at.b;
	w->out->b = at.b;
}

/* Move to the weights of the labels. */
static void
move(struct work *w)
{
	const struct kith_wsvm_transduce_how *how = w->how;
	struct kith_wsvm_piece piece;

	for (size_t u = 0; u < how->k; u++) {
		const bool yes = w->out->yes[u];

		w->C[how->as_yes[u]] = yes ? w->yes : 0;
		w->C[how->as_no[u]] = yes ? 0 : w->no;
	}
	/* Twice: a label given up has a say in b until the path has ended. */
	for (int go = 0; go < 2; go++) {
		kith_wsvm_aim(w->solver, w->C);
		while (kith_wsvm_next(w->solver, &piece, NULL, NULL))
			;
	}
	take(w);
}

/* The k+ largest f are +1. */
static void
label(struct work *w)
{
	const struct kith_wsvm_transduce_how *how = w->how;
	struct kith_pool tmp = {0};
	struct place *place = kith_new(&tmp, how->k, sizeof(*place));

	for (size_t u = 0; u < how->k; u++)
		place[u] = (struct place){w->f[how->row[u]], u};
	qsort(place, how->k, sizeof(*place), by_score);
	for (size_t u = 0; u < how->positives; u++)
		w->out->yes[place[u].u] = true;
	kith_pool_free(&tmp);
}

/* Exchange the labels of the two rows with the largest slacks, if it helps. */
static bool
exchange(struct work *w)
{
	const struct kith_wsvm_transduce_how *how = w->how;
	bool *yes = w->out->yes;
	double most[2] = {SOME, SOME};
	size_t at[2] = {how->k, how->k};

	for (size_t u = 0; u < how->k; u++) {
		const double f = w->f[how->row[u]];
		const double slack = yes[u] ? 1 - f : 1 + f;

		if (slack > most[yes[u]]) {
			most[yes[u]] = slack;
			at[yes[u]] = u;
		}
	}
	if (at[0] == how->k || at[1] == how->k ||
	    !(most[0] + most[1] > 2 + SOME))
		return false;
	yes[at[0]] = true;
	yes[at[1]] = false;
	return true;
}

static double
lesser(double a, double b)
{
	return a < b ? a : b;
}

/* C*+ and C*-; a label that no row has is where it is to go. */
static void
begin(struct work *w)
{
	const struct kith_wsvm_transduce_how *how = w->how;
	const size_t k = how->k, positives = how->positives;

	w->yes = w->no = how->C_star;
	if (positives == 0 || positives == k || !(START * how->C_star > 0))
		return;
	w->no = START * how->C_star;
	w->yes = lesser(
	    how->C_star, w->no * (double)positives / (double)(k - positives));
	if (!(w->yes > 0))
		w->yes = w->no;
}

void
kith_wsvm_transduction(const struct kith_wsvm_transduce_how *how,
    struct kith_wsvm_transduced *out, struct kith_wsvm_count *count,
    struct kith_pool *pool)
{
	const struct kith_wsvm_problem *problem = how->problem;
	const size_t N = problem->variables;
	struct kith_pool tmp = {0};
	struct work w = {.how = how, .out = out};

	assert(how->positives <= how->k && !problem->minus);
	*out = (struct kith_wsvm_transduced){0};
	out->yes = kith_new(pool, how->k, sizeof(*out->yes));
	out->alpha = w.alpha = kith_new(pool, N, sizeof(*w.alpha));
	out->f = w.f = kith_new(pool, problem->X->n, sizeof(*w.f));
	w.C = kith_new(&tmp, N, sizeof(*w.C));
	for (size_t v = 0; v < N; v++)
		w.C[v] = how->C;
	for (size_t u = 0; u < how->k; u++)
		w.C[how->as_yes[u]] = w.C[how->as_no[u]] = 0;
	w.solver = kith_wsvm_new(problem, w.C, NULL, &tmp);
	take(&w);
	label(&w);
	begin(&w);
	for (bool last = false; !last; out->stages++) {
		last = w.no >= how->C_star && w.yes >= how->C_star;
		for (move(&w); exchange(&w); move(&w))
			out->switches++;
		w.no = lesser(2 * w.no, how->C_star);
		w.yes = lesser(2 * w.yes, how->C_star);
	}
	kith_wsvm_count(w.solver, count);
	kith_pool_free(&tmp);
}

/* What the rows say of themselves. */
struct rows {
	bool *known;     /* n: has a target */
	size_t *y;       /* n: its class */
	size_t count[2]; /* rows of the classes */
	struct kith_names class;
};

static int
read_classes(
    const struct kith_wsvm_job *job, struct rows *r, struct kith_err *err)
{
	const struct kith_table *t = &job->rows;
	size_t *was;

	r->known = kith_new(job->pool, job->n, sizeof(*r->known));
	r->y = kith_new(job->pool, job->n, sizeof(*r->y));
	for (size_t i = 0; i < job->n; i++) {
		const struct kith_cell c = kith_wsvm_cell(
		    job, KITH_WSVM_TARGET, i);

		r->known[i] = !kith_cell_missing(&c);
		if (r->known[i])
			r->y[i] = kith_names_add(&r->class, c.s, job->pool);
	}
	if (r->class.n != 2)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "%zu class%s where two are due (rows without one have an "
		    "empty " KITH_NAME ")",
		    r->class.n, r->class.n == 1 ? "" : "es", t->target);
	kith_names_sort(&r->class, &was, job->pool);
	for (size_t i = 0; i < job->n; i++) {
		r->y[i] = was[r->y[i]]; /* of two, a swap is its own inverse */
		r->count[r->y[i]] += r->known[i];
	}
	return 0;
}

/* Labelled rows have variable i; the others i as +1, and one behind as -1. */
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
	    .positives = (2 * r->count[1] * k + known) / (2 * known),
	    .row = row,
	    .as_yes = row,
	    .as_no = no,
	    .C = C,
	    .C_star = C_star};
}

static void
write_rows(const struct kith_wsvm_job *job, const struct rows *r,
    const struct kith_wsvm_transduced *got, struct kith_out *out)
{
	static const char *const header[] = {
	    "id", "predicted", "actual", "margin"};
	const struct kith_table *t = &job->rows;
	size_t u = 0;

	kith_out_header(out, header, 4);
	for (size_t i = 0; i < job->n && !out->failed; i++) {
		const bool yes = r->known[i] ? got->f[i] > 0 : got->yes[u++];

		if (t->id_name)
			kith_out_cell(out, kith_texts_at(&t->id, i).s);
		else
			kith_out_size(out, kith_table_number(t, i));
		kith_out_char(out, '\t');
		kith_out_cell(out, r->class.name[yes]);
		kith_out_char(out, '\t');
		if (r->known[i])
			kith_out_cell(out, r->class.name[r->y[i]]);
		else
			kith_out_missing(out);
		kith_out_char(out, '\t');
		kith_out_real(out, got->f[i]);
		kith_out_char(out, '\n');
	}
}

static void
tell(const struct kith_wsvm_job *job, const struct kith_wsvm_transduce_how *how,
    const struct kith_wsvm_transduced *got)
{
	kith_note("%zu rows, %zu of them without label, %zu taken for +1; "
		  "%zu exchanges in %zu stages",
	    job->n, how->k, how->positives, got->switches, got->stages);
	kith_log_size("rows", job->n);
	kith_log_size("features", job->X.p);
	kith_log_real("gamma", job->kern.gamma);
	kith_log_size("unlabelled", how->k);
	kith_log_size("positives", how->positives);
	kith_log_size("exchanges", got->switches);
	kith_log_size("stages", got->stages);
}

int
kith_wsvm_transduce(
    struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	const struct kith_wsvm_call *call = job->call;
	struct kith_wsvm_transduce_how how;
	struct kith_wsvm_transduced got;
	struct kith_wsvm_count count;
	struct rows r = {0};
	struct kith_out saved;
	double C, C_star;

	if (!call->from || !call->to || kith_wsvm_constant(call->from, &C) ||
	    kith_wsvm_constant(call->to, &C_star))
		return kith_fail(err, KITH_EX_USAGE,
		    "--task transduce: --from and --to are numbers from 0");
	if (read_classes(job, &r, err))
		return -1;
	if (r.count[0] + r.count[1] == job->n)
		return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
		    "no row has an empty " KITH_NAME, job->rows.target);
	make(job, &r, C, C_star, &how);
	job->learnt.class = r.class;
	if (kith_wsvm_sums(job, err) ||
	    (call->save_model &&
		kith_out_open(&saved, call->save_model, err)) ||
	    kith_out_open(out, kith_output(), err))
		return -1;
	kith_wsvm_transduction(&how, &got, &count, job->pool);
	write_rows(job, &r, &got, out);
	tell(job, &how, &got);
	if (call->save_model &&
	    kith_wsvm_save(job, got.alpha, got.b, &saved, err))
		return -1;
	return kith_wsvm_tell_count(&count);
}
