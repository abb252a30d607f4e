/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/polls.h"

#include "base/err.h"
#include "wsvmpath/pairs.h"
#include "wsvmpath/rescale.h"
#include "wsvmpath/resolve.h"
#include "wsvmpath/task.h"
#include "wsvmpath/variables.h"

/* Put the rows in order: those outside the part, then those in it. */
static void
split(struct kith_wsvm_poll *poll, const size_t *of, size_t part)
{
	const size_t n = poll->job->n;

	KITH_NEW_SIZES(&poll->pool, n, 1, &poll->row);
	for (size_t i = 0; i < n; i++)
		if (of[i] != part)
			poll->row[poll->n++] = i;
	poll->asked = poll->row + poll->n;
	for (size_t i = 0; i < n; i++)
		if (of[i] == part)
			poll->asked[poll->m++] = i;
}

/* Bring the items into the units of the rows learnt from. */
static int
scale(struct kith_wsvm_poll *poll, struct kith_err *err)
{
	const struct kith_wsvm_job *job = poll->job;
	struct kith_wsvm_problem problem = job->problem;
	struct kith_pool tmp = {0};
	size_t *own;
	double *from, *to;
	int status;

	KITH_NEW_SIZES(&tmp, poll->n, 1, &own);
	KITH_NEW_REALS(&tmp, poll->n, 1, &from, &to);
	for (size_t i = 0; i < poll->n; i++) {
		own[i] = i;
		from[i] = job->from[poll->row[i]];
		to[i] = job->to[poll->row[i]];
	}
	problem.variables = poll->n;
	problem.kern = &poll->kern;
	status = kith_wsvm_rescale(
	    &(struct kith_wsvm_rescale){job, poll->row, own, poll->n, from, to}, &problem, &poll->X,
	    err);
	kith_pool_free(&tmp);
	return status;
}

/* All rows, and those of --validate. */
static void
take_all(struct kith_wsvm_poll *poll)
{
	const struct kith_wsvm_job *job = poll->job;

	poll->n = job->n;
	poll->m = job->m;
	KITH_NEW_SIZES(&poll->pool, poll->n, 1, &poll->row);
	KITH_NEW_SIZES(&poll->pool, poll->m, 1, &poll->asked);
	for (size_t i = 0; i < poll->n; i++)
		poll->row[i] = i;
	for (size_t i = 0; i < poll->m; i++)
		poll->asked[i] = i;
}

void
kith_wsvm_poll_rows(
    struct kith_wsvm_poll *poll, const struct kith_wsvm_job *job, const size_t *of, size_t part)
{
	*poll = (struct kith_wsvm_poll){.job = job, .kern = job->kern};
	if (of)
		split(poll, of, part);
	else
		take_all(poll);
}

int
kith_wsvm_poll_make(struct kith_wsvm_poll *poll, const struct kith_wsvm_job *job, const size_t *of,
    size_t part, size_t parts, struct kith_err *err)
{
	const bool scaled = job->call->scale != KITH_UNIT_NONE;

	kith_wsvm_poll_rows(poll, job, of, part);
	if (!of) {
		poll->X = job->X;
		return 0;
	}
	if (poll->n == 0)
		return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
		    "--cv: no row outside part %zu of %zu", part + 1, parts);
	poll->X = kith_mat_rows(scaled ? &job->raw : &job->X, poll->row, job->n, &poll->pool);
	return scaled ? scale(poll, err) : 0;
}

void
kith_wsvm_poll_free(struct kith_wsvm_poll *poll)
{
	kith_pool_free(&poll->pool);
}

/* Find the rows of the machine among those of the poll, and their signs. */
static size_t *
find_rows(
    const struct kith_wsvm_poll *poll, size_t o, double *sign, size_t *n, struct kith_pool *pool)
{
	const struct kith_wsvm_job *job = poll->job;
	struct kith_wsvm_pair pair;
	size_t *item;

	KITH_NEW_SIZES(pool, poll->n + poll->m, 1, &item);
	kith_wsvm_pair_of(job, o, &pair);
	*n = 0;
	for (size_t i = 0; i < poll->n; i++) {
		const size_t class = job->rows.y[poll->row[i]];

		if (!kith_wsvm_pair_has(&pair, class, &sign[*n]))
			continue;
		item[(*n)++] = i;
	}
	for (size_t i = 0; i < poll->m; i++)
		item[*n + i] = poll->n + i;
	return item;
}

void
kith_wsvm_poll_machine(const struct kith_wsvm_poll *poll, size_t o,
    struct kith_wsvm_polled *machine, struct kith_pool *pool)
{
	const struct kith_wsvm_job *job = poll->job;
	size_t *item, *plus;
	double *sign, *q;

	KITH_NEW_SIZES(pool, poll->n, 1, &plus);
	KITH_NEW_REALS(pool, poll->n, 1, &sign, &q, &machine->from, &machine->to);
	item = find_rows(poll, o, sign, &machine->n, pool);
	if (machine->n == 0)
		return;
	machine->X = kith_mat_rows(&poll->X, item, machine->n + poll->m, pool);
	for (size_t v = 0; v < machine->n; v++) {
		const size_t row = poll->row[item[v]];

		plus[v] = v;
		q[v] = -1;
		machine->from[v] = job->from[row];
		machine->to[v] = job->to[row];
	}
	machine->problem = job->problem;
	machine->problem.ridge = kith_wsvm_ridge(job->call->ridge, &poll->kern,
	    &(struct kith_mat){machine->n, machine->X.p, machine->X.v});
	machine->problem.variables = machine->n;
	machine->problem.X = &machine->X;
	machine->problem.kern = &poll->kern;
	machine->problem.plus = plus;
	machine->problem.sign = sign;
	machine->problem.q = q;
}
