/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/terms.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/blas.h"
#include "wsvmpath/task.h"
#include "wsvmpath/variables.h"

#include <math.h>
#include <string.h>

enum { ITEMS = 256 }; /* of a block of work */

static const char work[] = "outputs";

void
kith_wsvm_terms_new(struct kith_wsvm_terms *terms, const struct kith_wsvm_job *job, size_t room,
    struct kith_pool *pool)
{
	*terms = (struct kith_wsvm_terms){.job = job};
	KITH_NEW_REALS(pool, room, job->n, &terms->f, &terms->t, &terms->coef, &terms->size);
	terms->row = kith_new(pool, job->n, sizeof(*terms->row));
}

/* Add what each variable has to its items. */
static void
add_sizes(const struct kith_wsvm_job *job, const double *of, double *size)
{
	memset(size, 0, job->n * sizeof(*size));
	for (size_t v = 0; v < job->problem.variables; v++) {
		size[job->plus[v]] += fabs(of[v]);
		if (job->minus)
			size[job->minus[v]] += fabs(of[v]);
	}
}

/* The coefficients and sizes of the steps, without rows that have none. */
static void
gather(struct kith_wsvm_terms *terms, const double *const *alpha)
{
	const size_t n = terms->job->n;
	double *coef = terms->f, *size = terms->t; /* are free now */

	terms->active = 0;
	for (size_t s = 0; s < terms->steps; s++) {
		kith_wsvm_coef(terms->job, alpha[s], coef + s * n);
		add_sizes(terms->job, alpha[s], size + s * n);
	}
	for (size_t i = 0; i < n; i++) {
		bool any = false;

		for (size_t s = 0; s < terms->steps; s++)
			any |= size[s * n + i] != 0;
		if (any)
			terms->row[terms->active++] = i;
	}
	for (size_t s = 0; s < terms->steps; s++)
		for (size_t a = 0; a < terms->active; a++) {
			const size_t to = s * terms->active + a;

			terms->coef[to] = coef[s * n + terms->row[a]];
			terms->size[to] = size[s * n + terms->row[a]];
		}
}

/* The kernels of row i and `items` rows from `first`. */
static void
kernels(const struct kith_wsvm_job *job, size_t i, size_t first, size_t items, double *K)
{
	kith_kern_rows(&job->kern, kith_row(&job->X, i), kith_row(&job->X, first), items, K);
}

/* f and t of a block of items, in all steps. */
static void
score(void *to, size_t block, size_t thread)
{
	const struct kith_wsvm_terms *terms = to;
	const size_t n = terms->job->n, first = block * ITEMS;
	const size_t items = n - first < ITEMS ? n - first : ITEMS;
	const size_t steps = terms->steps, active = terms->active;
	struct kith_pool tmp = {0};
	double *K = kith_new(&tmp, active, items * sizeof(*K)), *f, *t;

	(void)thread;
	KITH_NEW_REALS(&tmp, steps, items, &f, &t);
	for (size_t a = 0; a < active; a++)
		kernels(terms->job, terms->row[a], first, items, K + a * items);
	if (active > 0)
		kith_blas_product(steps, items, active, terms->coef, K, f);
	for (size_t k = 0; k < active * items; k++)
		K[k] = fabs(K[k]);
	if (active > 0)
		kith_blas_product(steps, items, active, terms->size, K, t);
	for (size_t s = 0; s < steps; s++) {
		memcpy(terms->f + s * n + first, f + s * items, items * sizeof(*f));
		memcpy(terms->t + s * n + first, t + s * items, items * sizeof(*t));
	}
	kith_pool_free(&tmp);
}

void
kith_wsvm_terms_compute(struct kith_wsvm_terms *terms, size_t steps, const double *const *alpha)
{
	const size_t n = terms->job->n;

	terms->steps = steps;
	gather(terms, alpha);
	kith_par_told(terms->job->call->threads, (n + ITEMS - 1) / ITEMS, score, terms,
	    &(struct kith_par_phase){work, n, "rows"});
}

struct sizes {
	const struct kith_wsvm_job *job;
	const double *size; /* n */
	double *t;          /* n */
};

/* t of a block of items, for the sizes. */
static void
add_terms(void *to, size_t block, size_t thread)
{
	const struct sizes *s = to;
	const size_t n = s->job->n, first = block * ITEMS;
	const size_t items = n - first < ITEMS ? n - first : ITEMS;
	double K[ITEMS];

	(void)thread;
	memset(s->t + first, 0, items * sizeof(*s->t));
	for (size_t i = 0; i < n; i++) {
		if (!(s->size[i] > 0))
			continue;
		kernels(s->job, i, first, items, K);
		for (size_t k = 0; k < items; k++)
			s->t[first + k] += s->size[i] * fabs(K[k]);
	}
}

void
kith_wsvm_terms_sizes(const struct kith_wsvm_job *job, const double *size, double *t)
{
	struct kith_pool tmp = {0};
	double *of = kith_new(&tmp, job->n, sizeof(*of));

	add_sizes(job, size, of);
	kith_par_told(job->call->threads, (job->n + ITEMS - 1) / ITEMS, add_terms,
	    &(struct sizes){job, of, t}, &(struct kith_par_phase){work, job->n, "rows"});
	kith_pool_free(&tmp);
}
