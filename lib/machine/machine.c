#include "machine/machine.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/lanes.h"
#include "la/simd.h"
#include "near/dist.h"
#include "table/predicted.h"

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

size_t
kith_machine_outputs(const struct kith_machine *m)
{
	if (m->task == KITH_MACHINE_CLASSIFY && m->class.n > 2)
		return m->class.n;
	return 1;
}

char *
kith_machine_coef(
    const struct kith_machine *m, size_t o, struct kith_pool *pool)
{
	const char *class;
	char *s;

	if (kith_machine_outputs(m) == 1)
		return kith_strndup(pool, "(coef)", 6);
	class = m->class.name[o];
	s = kith_new(pool, strlen(class) + sizeof("(coef:)"), 1);
	sprintf(s, "(coef:%s)", class);
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

size_t
kith_machine_class(const struct kith_machine *m, const double *f)
{
	size_t best = 0;

	assert(m->task == KITH_MACHINE_CLASSIFY);
	if (m->class.n <= 2)
		return m->class.n == 2 && *f > 0;
	for (size_t o = 1; o < m->class.n; o++)
		if (f[o] > f[best])
			best = o;
	return best;
}

/* What is printed for each class of a row. */
static void
share_of(const struct kith_machine *m, const double *f, double *share)
{
	const size_t c = m->class.n;

	if (c == 2) {
		share[0] = -*f;
		share[1] = *f;
		return;
	}
	for (size_t h = 0; h < c; h++)
		share[h] = f[h];
}

int
kith_machine_predict(const struct kith_machine *m, const struct kith_mat *Z,
    bool share, size_t threads, struct kith_predicted *out, size_t *row,
    struct kith_pool *pool)
{
	const bool classify = m->task == KITH_MACHINE_CLASSIFY;
	const size_t outputs = kith_machine_outputs(m), c = m->class.n;
	double *f = kith_new(pool, Z->n, outputs * sizeof(*f));

	kith_machine_score(m, Z, threads, f);
	for (size_t i = 0; i < Z->n * outputs; i++)
		if (isnan(f[i])) {
			*row = i / outputs;
			return -1;
		}
	*out = (struct kith_predicted){.m = Z->n, .nk = 1};
	if (!classify) {
		out->t = f;
		return 0;
	}
	out->y = kith_new(pool, Z->n, sizeof(*out->y));
	if (share)
		out->share = kith_new(pool, Z->n, c * sizeof(*out->share));
	for (size_t i = 0; i < Z->n; i++) {
		out->y[i] = kith_machine_class(m, f + i * outputs);
		if (share)
			share_of(m, f + i * outputs, out->share + i * c);
	}
	return 0;
}
