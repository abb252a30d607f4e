/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/variables.h"

#include "base/pool.h"
#include "base/sort.h"
#include "cli/cli.h"

#include <float.h>
#include <string.h>

void
kith_wsvm_variables(struct kith_wsvm_job *job, size_t N, bool ranks)
{
	struct kith_pool *pool = job->pool;

	KITH_NEW_SIZES(pool, N, 1, &job->plus);
	job->minus = ranks ? kith_new(pool, N, sizeof(*job->minus)) : NULL;
	KITH_NEW_REALS(pool, N, 1, &job->sign, &job->q, &job->from, &job->to);
	job->problem.variables = N;
	job->problem.plus = job->plus;
	job->problem.minus = job->minus;
	job->problem.sign = job->sign;
	job->problem.q = job->q;
	job->problem.bias = !ranks;
}

void
kith_wsvm_coef(const struct kith_wsvm_job *job, const double *alpha, double *coef)
{
	for (size_t i = 0; i < job->n; i++)
		coef[i] = 0;
	for (size_t v = 0; v < job->problem.variables; v++) {
		coef[job->plus[v]] += job->sign[v] * alpha[v];
		if (job->minus)
			coef[job->minus[v]] -= job->sign[v] * alpha[v];
	}
}

void
kith_wsvm_machine(
    const struct kith_wsvm_job *job, const double *alpha, double b, struct kith_machine *machine)
{
	struct kith_pool *pool = job->pool;
	const struct kith_table *t = &job->rows;
	double *coef = kith_new(pool, job->n, sizeof(*coef));
	double *bias = kith_new(pool, 1, sizeof(*bias));
	size_t *row = kith_new(pool, job->n, sizeof(*row));
	size_t *number = kith_new(pool, job->n, sizeof(*number));
	size_t s = 0;

	*machine = job->learnt;
	machine->kern.metric = &job->learnt.metric;
	kith_wsvm_coef(job, alpha, coef);
	for (size_t i = 0; i < job->n; i++) {
		if (coef[i] == 0)
			continue;
		if (t->id_name) {
			const struct kith_cell id = kith_texts_at(&t->id, i);

			kith_texts_add(&machine->id, &id, pool);
		}
		coef[s] = coef[i];
		number[s] = kith_table_number(t, i);
		row[s++] = i;
	}
	*bias = job->problem.bias ? b : 0;
	machine->X = kith_mat_rows(&job->X, row, s, pool);
	machine->coef = coef;
	machine->bias = bias;
	machine->number = number;
}

bool
kith_wsvm_in_range(
    const struct kith_wsvm_problem *problem, size_t n, const double *from, const double *to)
{
	const int items = problem->minus ? 4 : 1; /* kernels in one Q_vw */
	long double sum = 0, most = 1;

	for (size_t i = 0; i < n; i++) {
		const double *x = kith_row(problem->X, i);
		double K;

		kith_kern_rows(problem->kern, x, x, 1, &K);
		most = K > most ? K : most;
	}
	for (size_t v = 0; v < problem->variables; v++)
		sum += (long double)from[v] + to[v];
	return sum * items * most * items * most <= 1e-4L * DBL_MAX;
}

int
kith_wsvm_check_range(const struct kith_wsvm_job *job, struct kith_err *err)
{
	if (kith_wsvm_in_range(&job->problem, job->n, job->from, job->to))
		return 0;
	return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
	    "weights and kernels are together too large for a double");
}

/* The weights of the n rows at both ends, for the first variable of each. */
static int
make_weights(struct kith_wsvm_job *job, struct kith_err *err)
{
	if (kith_wsvm_weights(job, KITH_WSVM_FROM, job->from, err))
		return -1;
	return kith_wsvm_weights(job, KITH_WSVM_TO, job->to, err);
}

int
kith_wsvm_classify(struct kith_wsvm_job *job, struct kith_err *err)
{
	const struct kith_table *t = &job->rows;
	const size_t n = job->n, c = t->class.n;

	kith_wsvm_variables(job, n, false);
	for (size_t v = 0; v < n; v++) {
		job->plus[v] = v;
		job->sign[v] = c == 1 || t->y[v] == 1 ? 1 : -1;
		job->q[v] = -1;
	}
	return make_weights(job, err) ? -1 : kith_wsvm_check_range(job, err);
}

int
kith_wsvm_regress(struct kith_wsvm_job *job, struct kith_err *err)
{
	const double epsilon = job->call->epsilon;
	const size_t n = job->n;

	kith_wsvm_variables(job, 2 * n, false);
	if (make_weights(job, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const double y = job->rows.t[i];

		if (fabs(y) > 1e-8 * DBL_MAX)
			return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
			    "row %zu: column " KITH_NAME ": too large to be squared with weights",
			    kith_table_number(&job->rows, i), job->rows.target);
		job->plus[i] = job->plus[n + i] = i;
		job->sign[i] = 1;
		job->sign[n + i] = -1;
		job->q[i] = epsilon - y;
		job->q[n + i] = epsilon + y;
		job->from[n + i] = job->from[i];
		job->to[n + i] = job->to[i];
	}
	return kith_wsvm_check_range(job, err);
}

/* The rows of each query: row[start[q]..start[q + 1] - 1], in their order. */
struct groups {
	size_t queries;
	size_t *of; /* n: the query of each row */
	size_t *start, *row;
};

static int
find_queries(struct kith_wsvm_job *job, struct groups *g, struct kith_err *err)
{
	struct kith_names names = {0};

	g->of = kith_new(job->pool, job->n, sizeof(*g->of));
	g->queries = 1;
	if (job->kept[KITH_WSVM_QUERY] == KITH_WSVM_NONE)
		return 0;
	for (size_t i = 0; i < job->n; i++) {
		const struct kith_cell c = kith_wsvm_cell(
		    &job->rows, job->kept[KITH_WSVM_QUERY], i);

		if (kith_cell_missing(&c))
			return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
			    "row %zu: column " KITH_NAME ": missing",
			    kith_table_number(&job->rows, i),
			    job->rows.kept.name[job->kept[KITH_WSVM_QUERY]]);
		g->of[i] = kith_names_add(&names, c.s, job->pool);
	}
	g->queries = names.n;
	return 0;
}

/* Call the rows worse than i j; their number. */
static size_t
worse(const struct kith_wsvm_job *job, const struct groups *g, size_t i, size_t *minus)
{
	const size_t q = g->of[i];
	const double *y = job->rows.t;
	size_t pairs = 0;

	for (size_t at = g->start[q]; at < g->start[q + 1]; at++) {
		const size_t j = g->row[at];

		if (!(y[i] > y[j]))
			continue;
		if (minus)
			minus[pairs] = j;
		pairs++;
	}
	return pairs;
}

/* Count the pairs, and warn of queries without. */
static int
count_pairs(
    const struct kith_wsvm_job *job, const struct groups *g, size_t *pairs, struct kith_err *err)
{
	size_t without = 0;

	*pairs = 0;
	for (size_t q = 0; q < g->queries; q++) {
		const size_t had = *pairs;

		for (size_t at = g->start[q]; at < g->start[q + 1]; at++)
			*pairs += worse(job, g, g->row[at], NULL);
		without += *pairs == had;
	}
	if (*pairs == 0)
		return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
		    "no query has two rows of which one is better");
	if (without > 0)
		kith_warn("%zu of %zu queries have no pair of rows of which "
			  "one is better",
		    without, g->queries);
	kith_log_size("queries", g->queries);
	kith_log_size("queries without a pair", without);
	return 0;
}

/*
 * What the rows weigh, as --from or --to says, into w: those of a query the
 * same.  Fails, naming the row, where they differ.
 */
static int
query_weights(const struct kith_wsvm_job *job, enum kith_wsvm_role role, const struct groups *g,
    double *w, struct kith_err *err)
{
	if (kith_wsvm_weights(job, role, w, err))
		return -1;
	for (size_t i = 0; i < job->n; i++) {
		const size_t first = g->row[g->start[g->of[i]]];

		if (w[i] != w[first])
			return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
			    "row %zu: column " KITH_NAME
			    ": %g, though its query weighs %g in row %zu",
			    kith_table_number(&job->rows, i), job->rows.kept.name[job->kept[role]],
			    w[i], w[first], kith_table_number(&job->rows, first));
	}
	return 0;
}

/* The weight at theta 1 of a pair of a query of weights C0 and C1. */
static double
weight_to(const char *to, double better, double worse, double C0, double C1)
{
	double by;

	if (strcmp(to, "relevance") != 0 && strcmp(to, "difference") != 0)
		return C1;
	by = *to == 'r' ? exp2(better) - exp2(worse) : better - worse;
	/* The difference may be inf - inf, times 0 perhaps. */
	by = C0 > 0 ? by * C0 : 0;
	return isfinite(by) ? by : INFINITY;
}

int
kith_wsvm_rank(struct kith_wsvm_job *job, struct kith_err *err)
{
	const struct kith_wsvm_call *call = job->call;
	const double *y = job->rows.t;
	struct groups g;
	double *C0, *C1;
	size_t pairs;

	if (find_queries(job, &g, err))
		return -1;
	KITH_NEW_SIZES(job->pool, g.queries + 1, 1, &g.start);
	KITH_NEW_SIZES(job->pool, job->n, 1, &g.row);
	KITH_NEW_REALS(job->pool, job->n, 1, &C0, &C1);
	kith_sort_by_class(g.of, job->n, g.queries, g.row, g.start);
	if (query_weights(job, KITH_WSVM_FROM, &g, C0, err) ||
	    (!kith_wsvm_is_word(call, call->to) && query_weights(job, KITH_WSVM_TO, &g, C1, err)) ||
	    count_pairs(job, &g, &pairs, err))
		return -1;
	kith_wsvm_variables(job, pairs, true);
	for (size_t i = 0, v = 0; i < job->n; i++)
		for (size_t end = v + worse(job, &g, i, job->minus + v); v < end; v++) {
			job->plus[v] = i;
			job->sign[v] = 1;
			job->q[v] = -1;
			job->from[v] = C0[i];
			job->to[v] = weight_to(call->to, y[i], y[job->minus[v]], C0[i], C1[i]);
		}
	return kith_wsvm_check_range(job, err);
}
