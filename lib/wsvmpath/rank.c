#include "wsvmpath/rank.h"

#include "base/err.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "wsvmpath/task.h"
#include "wsvmpath/variables.h"

#include <math.h>
#include <string.h>

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

static void
group(const struct kith_wsvm_job *job, struct groups *g)
{
	size_t *end;

	g->start = kith_new(job->pool, g->queries + 1, sizeof(*g->start));
	end = kith_new(job->pool, g->queries, sizeof(*end));
	g->row = kith_new(job->pool, job->n, sizeof(*g->row));
	for (size_t i = 0; i < job->n; i++)
		g->start[g->of[i] + 1]++;
	for (size_t q = 0; q < g->queries; q++) {
		g->start[q + 1] += g->start[q];
		end[q] = g->start[q];
	}
	for (size_t i = 0; i < job->n; i++)
		g->row[end[g->of[i]]++] = i;
}

/* Call the rows worse than i j; their number. */
static size_t
worse(const struct kith_wsvm_job *job, const struct groups *g, size_t i,
    size_t *minus)
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
count_pairs(const struct kith_wsvm_job *job, const struct groups *g,
    size_t *pairs, struct kith_err *err)
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

/* C0 and C1; *relevance: C1 is not used. */
static int
read_weights(const struct kith_wsvm_call *call, double *C0, double *C1,
    bool *relevance, struct kith_err *err)
{
	*C0 = *C1 = 0;
	*relevance = call->to && strcmp(call->to, "relevance") == 0;
	/* Without --from the path starts where --state-in is. */
	if (call->from ? kith_wsvm_constant(call->from, C0) : *relevance)
		return kith_fail(err, KITH_EX_USAGE,
		    "--task rank: --from is a number from 0");
	if (!*relevance && (!call->to || kith_wsvm_constant(call->to, C1)))
		return kith_fail(err, KITH_EX_USAGE,
		    "--task rank: --to is a number from 0, or relevance");
	return 0;
}

int
kith_wsvm_rank(struct kith_wsvm_job *job, struct kith_err *err)
{
	const double *y = job->rows.t;
	struct groups g;
	bool relevance;
	double C0, C1;
	size_t pairs;

	if (read_weights(job->call, &C0, &C1, &relevance, err) ||
	    find_queries(job, &g, err))
		return -1;
	group(job, &g);
	if (count_pairs(job, &g, &pairs, err))
		return -1;
	kith_wsvm_variables(job, pairs, true);
	for (size_t i = 0, v = 0; i < job->n; i++)
		for (size_t end = v + worse(job, &g, i, job->minus + v);
		     v < end; v++) {
			const double by = exp2(y[i]) - exp2(y[job->minus[v]]);

			job->plus[v] = i;
			job->sign[v] = 1;
			job->q[v] = -1;
			job->from[v] = C0;
			/* The difference may be inf - inf, times 0 perhaps. */
			job->to[v] = !relevance ? C1 : C0 > 0 ? by * C0 : 0;
			if (!isfinite(job->to[v]))
				job->to[v] = INFINITY;
		}
	return kith_wsvm_check_range(job, err);
}
