/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine/machine.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "la/lanes.h"
#include "la/simd.h"
#include "machine/votes.h"
#include "near/dist.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
	QUERIES = 64,     /* rows of a block of work */
	NUMBERS = 1 << 15 /* about as many of the rows x_i stay in the cache */
};

const char *const kith_machine_tasks[] = {"classify", "regress", "rank", NULL};

/* A cosine machine needs rows of length 1: no command makes one. */
const char *const kith_machine_kernels[] = {
    "gaussian", "", "linear", "polynomial", "laplacian", NULL};

const char *const kith_machine_multis[] = {"rest", "one", NULL};

bool
kith_machine_votes(const struct kith_machine *m)
{
	return m->task == KITH_MACHINE_CLASSIFY &&
	    m->multi == KITH_MACHINE_ONE && m->class.n > 2;
}

size_t
kith_machine_outputs(const struct kith_machine *m)
{
	const size_t c = m->class.n;

	if (m->task != KITH_MACHINE_CLASSIFY || c <= 2)
		return 1;
	return kith_machine_votes(m) ? c * (c - 1) / 2 : c;
}

/* Append a class, in which backslashes stand before colons and themselves. */
static char *
escape(char *to, const char *class)
{
	for (; *class; class ++) {
		if (*class == ':' || *class == '\\')
			*to++ = '\\';
		*to++ = *class;
	}
	*to = '\0';
	return to;
}

char *
kith_machine_output(const struct kith_machine *m, size_t o, const char *before,
    struct kith_pool *pool)
{
	char *const *class = m->class.name;
	const size_t len = strlen(before);
	size_t first = o, second = o;
	char *s, *end;

	if (kith_machine_votes(m))
		kith_machine_pair(m->class.n, o, &first, &second);
	s = kith_new(
	    pool, len + strlen(class[first]) + strlen(class[second]) + 1, 2);
	end = stpcpy(s, before);
	if (first == second) {
		stpcpy(end, class[o]);
		return s;
	}
	end = escape(end, class[first]);
	*end++ = ':';
	escape(end, class[second]);
	return s;
}

char *
kith_machine_coef(
    const struct kith_machine *m, size_t o, struct kith_pool *pool)
{
	char *s, *name;

	if (kith_machine_outputs(m) == 1)
		return kith_strndup(pool, "(coef)", 6);
	name = kith_machine_output(m, o, "(coef:", pool);
	s = kith_new(pool, strlen(name) + sizeof(")"), 1);
	sprintf(s, "%s)", name);
	return s;
}

/* These p of the numbers v, in the pool; NULL where v is. */
static double *
take(const double *v, const size_t *column, size_t p, struct kith_pool *pool)
{
	double *taken = v ? kith_new(pool, p, sizeof(*taken)) : NULL;

	for (size_t j = 0; v && j < p; j++)
		taken[j] = v[column[j]];
	return taken;
}

void
kith_machine_name(struct kith_machine *m, const size_t *column, size_t p,
    struct kith_pool *pool)
{
	char **name = kith_new(pool, p, sizeof(*name));

	for (size_t j = 0; j < p; j++)
		name[j] = m->feature.name[column[j]];
	kith_names_index(&m->feature, name, p, pool);
	m->mean = take(m->mean, column, p, pool);
	m->unit = (struct kith_unit){p, take(m->unit.center, column, p, pool),
	    take(m->unit.scale, column, p, pool)};
}

void
kith_machine_pack(struct kith_machine *m, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t all = m->metric.p;
	size_t *kept = kith_new(&tmp, all, sizeof(*kept));
	size_t p = kith_dist_kept(&m->metric, kept);

	p += p == 0; /* then all distances are 0: any feature will do */
	if (p < all) {
		kith_machine_name(m, kept, p, pool);
		m->X = kith_mat_take(&m->X, kept, p, pool);
		m->metric = kith_dist_pack(&m->metric, kept, p, pool);
	}
	kith_pool_free(&tmp);
}

int
kith_machine_place(struct kith_machine *m, const struct kith_names *feature,
    struct kith_pool *pool, struct kith_err *err)
{
	const size_t had = m->X.p, p = feature->n;
	struct kith_mat X;

	assert(m->by_place && !m->metric.w && !m->mean && !m->unit.center);
	if (p < had)
		return kith_fail(err, EX_DATAERR,
		    "%zu features where the model has %zu (-y, -x, --ignore, "
		    "--no-target?)",
		    p, had);
	m->feature = *feature;
	if (p == had)
		return 0;
	X = kith_mat_new(pool, m->X.n, p);
	for (size_t i = 0; i < X.n; i++)
		memcpy(kith_row(&X, i), kith_row(&m->X, i), had * sizeof(*X.v));
	m->X = X;
	m->metric.p = p;
	return 0;
}

int
kith_machine_scale(
    const struct kith_machine *m, struct kith_mat *Z, struct kith_err *err)
{
	if (!m->unit.center)
		return 0;
	return kith_unit_apply(&m->unit, Z, &m->feature, err);
}

/* The work on one batch of rows. */
struct job {
	const struct kith_machine *m;
	struct kith_kern kern;
	const struct kith_mat *Z;
	size_t outputs, step; /* step: rows x_i at a time */
	double *coef;         /* outputs x n */
	double *f;            /* q x outputs */
	double *room;         /* step for each thread */
};

/* sum_i K_i a_i, in eight lanes. */
KITH_CLONES static double
machine_sum(size_t n, const double *K, const double *a)
{
	double s[8] = {0};
	kith_v8d v = {0};
	size_t i;

	for (i = 0; i + 8 <= n; i += 8)
		v += *kith_lanes_at(K + i) * *kith_lanes_at(a + i);
	*(kith_v8d_at *)s = v;
	for (size_t l = 0; i < n; i++, l++)
		s[l] += K[i] * a[i];
	return kith_lanes_total(s);
}

/* Add the part of the rows x_from.. to the outputs of row q. */
static void
add(const struct job *job, size_t q, size_t from, size_t rows, double *K)
{
	const struct kith_mat *X = &job->m->X;
	double *f = job->f + q * job->outputs;

	kith_kern_rows(
	    &job->kern, kith_row(job->Z, q), kith_row(X, from), rows, K);
	for (size_t o = 0; o < job->outputs; o++)
		f[o] += machine_sum(rows, K, job->coef + o * X->n + from);
}

static void
score(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const size_t n = job->m->X.n, q = job->Z->n;
	const size_t first = block * QUERIES;
	const size_t last = q - first < QUERIES ? q : first + QUERIES;
	double *f = job->f;

	for (size_t i = first * job->outputs; i < last * job->outputs; i++)
		f[i] = 0;
	for (size_t from = 0; from < n; from += job->step) {
		const size_t left = n - from;
		const size_t rows = left < job->step ? left : job->step;

		for (size_t i = first; i < last; i++)
			add(job, i, from, rows, job->room + thread * job->step);
	}
	for (size_t i = first; i < last; i++)
		for (size_t o = 0; o < job->outputs; o++)
			f[i * job->outputs + o] += job->m->bias[o];
}

void
kith_machine_score(const struct kith_machine *m, const struct kith_mat *Z,
    size_t threads, double *f)
{
	struct kith_pool tmp = {0};
	const size_t n = m->X.n, outputs = kith_machine_outputs(m);
	struct job job = {
	    m, m->kern, Z, outputs, NUMBERS / m->metric.p, NULL, f, NULL};

	assert(Z->p == m->metric.p && m->X.p == Z->p);
	job.kern.metric = &m->metric;
	job.step = job.step < 8 ? 8 : job.step > 256 ? 256 : job.step;
	job.coef = kith_new(&tmp, n, outputs * sizeof(*job.coef));
	for (size_t i = 0; i < n; i++)
		for (size_t o = 0; o < outputs; o++)
			job.coef[o * n + i] = m->coef[i * outputs + o];
	job.room = kith_new(&tmp, threads, job.step * sizeof(*job.room));
	kith_par_told(threads, (Z->n + QUERIES - 1) / QUERIES, score, &job,
	    &(struct kith_par_phase){"outputs", Z->n, "rows"});
	kith_pool_free(&tmp);
}
