/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/pairs.h"
#include "wsvmpath/resolve.h"

#include "base/pool.h"
#include "machine/machine.h"
#include "wsvmpath/read.h"
#include "wsvmpath/variables.h"

bool
kith_wsvm_is_many(const struct kith_wsvm_job *job)
{
	return job->call->task == KITH_WSVM_CLASSIFY && job->rows.class.n > 2;
}

size_t
kith_wsvm_pairs(const struct kith_wsvm_job *job)
{
	const size_t c = job->rows.class.n;

	return c * (c - 1) / 2;
}

void
kith_wsvm_pair_of(const struct kith_wsvm_job *job, size_t o, struct kith_wsvm_pair *pair)
{
	char *const *class = job->rows.class.name;

	kith_machine_pair(job->rows.class.n, o, &pair->first, &pair->second);
	pair->cell[0] = class[pair->first];
	pair->cell[1] = class[pair->second];
}

bool
kith_wsvm_pair_has(const struct kith_wsvm_pair *pair, size_t class, double *sign)
{
	*sign = class == pair->second ? 1 : -1;
	return class == pair->first || class == pair->second;
}

/* Find the rows of the pair; their table. */
static void
take_rows(const struct kith_wsvm_job *job, struct kith_wsvm_pair_job *made)
{
	const struct kith_table *all = &job->rows;
	struct kith_table *t = &made->job.rows;
	struct kith_pool *pool = &made->pool;
	size_t n = 0;
	double sign;

	KITH_NEW_SIZES(pool, job->n, 1, &made->row, &t->number);
	t->id = (struct kith_texts){.n = 0};
	for (size_t i = 0; i < job->n; i++) {
		if (!kith_wsvm_pair_has(&made->pair, all->y[i], &sign))
			continue;
		if (all->id_name) {
			const struct kith_cell id = kith_texts_at(&all->id, i);

			kith_texts_add(&t->id, &id, pool);
		}
		t->number[n] = kith_table_number(all, i);
		made->row[n++] = i;
	}
	t->X.n = n;
	made->job.n = n;
}

/* The items: the rows, then those of --validate. */
static void
take_items(const struct kith_wsvm_job *job, struct kith_wsvm_pair_job *made)
{
	const size_t n = made->job.n;
	size_t *item;

	KITH_NEW_SIZES(&made->pool, n + job->m, 1, &item);
	for (size_t i = 0; i < n; i++)
		item[i] = made->row[i];
	for (size_t i = 0; i < job->m; i++)
		item[n + i] = job->n + i;
	made->job.X = kith_mat_rows(&job->X, item, n + job->m, &made->pool);
	made->job.problem.X = &made->job.X;
	made->job.problem.ridge = kith_wsvm_ridge(
	    job->call->ridge, &job->kern, &(struct kith_mat){n, job->X.p, made->job.X.v});
}

void
kith_wsvm_pair_make(const struct kith_wsvm_job *job, size_t o, struct kith_wsvm_pair_job *made)
{
	struct kith_wsvm_job *own = &made->job;

	*made = (struct kith_wsvm_pair_job){.job = *job};
	kith_wsvm_pair_of(job, o, &made->pair);
	own->pair = &made->pair;
	own->pool = &made->pool;
	take_rows(job, made);
	take_items(job, made);
	kith_wsvm_variables(own, own->n, false);
	for (size_t v = 0; v < own->n; v++) {
		const size_t i = made->row[v];

		own->plus[v] = v;
		kith_wsvm_pair_has(&made->pair, job->rows.y[i], &own->sign[v]);
		own->q[v] = -1;
		own->from[v] = job->from[i];
		own->to[v] = job->to[i];
	}
}

void
kith_wsvm_pair_free(struct kith_wsvm_pair_job *made)
{
	kith_pool_free(&made->pool);
}
