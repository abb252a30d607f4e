/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/validate_rows.h"

#include "base/err.h"
#include "base/pool.h"
#include "score/score.h"
#include "wsvmpath/task.h"
#include "wsvmpath/validate.h"

#include <math.h>

/* The rows, and where their columns with roles are. */
struct source {
	const struct kith_wsvm_job *job;
	const struct kith_table *t;
	const size_t *kept;
	size_t m;
};

/* 1 or -1 as the classes of the rows say, or 0: it does not count. */
static int
read_classes(const struct source *s, double *y, struct kith_err *err)
{
	const struct kith_table *t = s->t;
	const struct kith_names *known = &s->job->rows.class;

	for (size_t i = 0; i < s->m; i++) {
		size_t c;

		if (t->y[i] == KITH_NO_CLASS)
			continue;
		c = kith_names_find(known, t->class.name[t->y[i]]);
		if (c == known->n)
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: class " KITH_CELL " is not among those learnt",
			    kith_table_number(t, i), t->class.name[t->y[i]]);
		y[i] = known->n == 1 || c == 1 ? 1 : -1;
	}
	return 0;
}

static int
read_targets(const struct source *s, double *y, struct kith_err *err)
{
	const bool ranks = s->job->call->task == KITH_WSVM_RANK;
	const struct kith_table *t = s->t;

	for (size_t i = 0; i < s->m; i++) {
		y[i] = t->t[i];
		if (ranks && (y[i] < 0 || y[i] > KITH_RELEVANCE_MOST))
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: column " KITH_NAME ": a relevance is from 0 to %d",
			    kith_table_number(t, i), t->target, KITH_RELEVANCE_MOST);
	}
	return 0;
}

static int
read_costs(const struct source *s, double *cost, struct kith_err *err)
{
	const struct kith_table *t = s->t;
	const char *name = t->kept.name[s->kept[KITH_WSVM_COST]];
	double most = 0;

	for (size_t i = 0; i < s->m; i++) {
		const struct kith_cell c = kith_wsvm_cell(t, s->kept[KITH_WSVM_COST], i);

		if (kith_wsvm_number(t, i, name, &c, &cost[i], err))
			return -1;
		most = fmax(most, cost[i]);
	}
	if (most > 0)
		return 0;
	return kith_fail_at(
	    err, EX_DATAERR, t->file, 0, "column " KITH_NAME ": all weights are 0", name);
}

/*
 * Number the queries as they come; their costs are those of their rows, which
 * must be the same.
 */
static int
read_queries(const struct source *s, struct kith_wsvm_valid_how *how, size_t *query,
    struct kith_pool *pool, struct kith_err *err)
{
	const size_t kept = s->kept[KITH_WSVM_QUERY];
	struct kith_names name = {0};
	double *cost;
	bool *seen;

	for (size_t i = 0; i < s->m; i++)
		query[i] = kept == KITH_WSVM_NONE
		    ? 0
		    : kith_names_add(&name, kith_wsvm_cell(s->t, kept, i).s, pool);
	how->queries = name.n ? name.n : 1;
	if (!how->cost || how->measure != KITH_WSVM_NDCG)
		return 0;
	how->query_cost = cost = kith_new(pool, how->queries, sizeof(*cost));
	seen = kith_new(pool, how->queries, sizeof(*seen));
	for (size_t i = 0; i < s->m; i++) {
		double *c = &cost[query[i]];

		if (seen[query[i]] && *c != how->cost[i])
			return kith_fail_at(err, EX_DATAERR, s->t->file, 0,
			    "row %zu: column " KITH_NAME
			    ": %g, though another row of its query costs %g",
			    kith_table_number(s->t, i), s->t->kept.name[s->kept[KITH_WSVM_COST]],
			    how->cost[i], *c);
		seen[query[i]] = true;
		*c = how->cost[i];
	}
	return 0;
}

int
kith_wsvm_valid_rows(const struct kith_wsvm_job *job, struct kith_wsvm_valid_how *how,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct source s = job->call->validate
	    ? (struct source){job, &job->asked, job->asked_kept, job->m}
	    : (struct source){job, &job->rows, job->kept, job->n};
	const struct kith_table *t = s.t;
	double *y = kith_new(pool, s.m, sizeof(*y)), *cost = NULL;
	size_t *query = kith_new(pool, s.m, sizeof(*query)), n = 0;

	if (!t->y && !t->t)
		return kith_fail_at(err, EX_DATAERR, t->file, t->head,
		    "column " KITH_NAME ": not found", job->rows.target);
	if (t->y ? read_classes(&s, y, err) : read_targets(&s, y, err))
		return -1;
	for (size_t i = 0; i < s.m; i++)
		if (t->y ? y[i] != 0 : !isnan(y[i]))
			n++;
	if (n == 0)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "column " KITH_NAME ": missing in all rows", t->target);
	if (s.kept[KITH_WSVM_COST] != KITH_WSVM_NONE) {
		cost = kith_new(pool, s.m, sizeof(*cost));
		if (read_costs(&s, cost, err))
			return -1;
	}
	*how = (struct kith_wsvm_valid_how){.measure = job->call->measure,
	    .m = s.m,
	    .y = y,
	    .cost = cost,
	    .query = query,
	    .k = job->call->ndcg};
	return read_queries(&s, how, query, pool, err);
}

void
kith_wsvm_valid_part(const struct kith_wsvm_valid_how *all, const size_t *row, size_t m,
    struct kith_wsvm_valid_how *how, struct kith_pool *pool)
{
	double *y, *cost;
	size_t *query;

	KITH_NEW_REALS(pool, m, 1, &y, &cost);
	KITH_NEW_SIZES(pool, m, 1, &query);
	for (size_t i = 0; i < m; i++) {
		y[i] = all->y[row[i]];
		cost[i] = all->cost ? all->cost[row[i]] : 1;
		query[i] = all->query[row[i]];
	}
	*how = *all;
	how->m = m;
	how->y = y;
	how->cost = all->cost ? cost : NULL;
	how->query = query;
	how->sums = true;
}
