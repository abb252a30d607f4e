#include "relief/float.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/simd.h"
#include "near/by_class.h"
#include "near/dist.h"
#include "near/metric.h"
#include "near/near.h"

enum {
	LANES = 16,   /* rows side by side in a vector */
	STRIP = 32,   /* rows that are measured together: two vectors */
	GROUP = 4,    /* rows of a query that are measured together */
	QUERIES = 16, /* rows of a query in one block */
	STRIPS = 4,   /* strips that a block looks at in one go */
	FEATURES = 9, /* at least; fewer are a tree's */
	FEW = 64,     /* rows of a class that need no screen */
	SHARE = 8     /* more than n / SHARE neighbours are not screened */
};

static float
scaled(const struct kith_relief_float *f, const double *x, size_t a)
{
	return (float)((x[a] - f->least[a]) * f->factor[a]);
}

void
kith_relief_float_new(const struct kith_relief_sorted *s, const double *least,
    const double *factor, const double *weight, struct kith_relief_float *f,
    struct kith_pool *pool)
{
	const size_t p = s->X.p;

	*f = (struct kith_relief_float){
	    s, least, factor, weight ? weight : factor, NULL};
	f->Z = kith_new(pool, s->m + GROUP, p * sizeof(*f->Z));
	for (size_t l = 0; l < s->m; l++)
		for (size_t a = 0; a < p; a++)
			f->Z[l * p + a] = scaled(f, kith_row(&s->Z, l), a);
}

bool
kith_relief_float_serves(const struct kith_relief_sorted *s, size_t b, size_t k)
{
	const size_t n = s->first[b + 1] - s->first[b];

	return s->X.p >= FEATURES && n >= FEW && k <= n / SHARE;
}

struct job {
	const struct kith_relief_float *f;
	struct kith_metric metric;
	size_t b, k, n; /* the class, and its rows */
	size_t strips;
	const float *X; /* strips x p x STRIP, zeros behind the rows */
	float *d;       /* threads x QUERIES x strips x STRIP */
	struct kith_neighbour *room; /* threads x k */
	struct kith_neighbour *nn;   /* m x k */
};

/* The rows of the class in strips: feature by feature. */
static float *
pack(const struct job *job, struct kith_pool *pool)
{
	const struct kith_relief_sorted *s = job->f->s;
	const size_t p = s->X.p;
	float *X = kith_new(pool, job->strips, p * STRIP * sizeof(*X));

	for (size_t i = 0; i < job->n; i++) {
		const double *x = kith_row(&s->X, s->first[job->b] + i);
		float *to = X + i / STRIP * p * STRIP + i % STRIP;

		for (size_t a = 0; a < p; a++)
			to[a * STRIP] = scaled(job->f, x, a);
	}
	return X;
}

/* sum += |x - z| */
KITH_INLINE void
add(kith_v16f *sum, const float *x, float z)
{
	const kith_v16f D = *(const kith_v16f_at *)x - z;

	*sum += (kith_v16f)((kith_v16i)D & INT32_MAX);
}

/* Distances of GROUP rows z to the rows of one strip, `step` apart. */
KITH_CLONES static void
measure(size_t p, const float *z, const float *X, float *d, size_t step)
{
	kith_v16f sum[GROUP][2] = {{{0}}};

	for (size_t a = 0; a < p; a++)
		for (size_t q = 0; q < GROUP; q++) {
			add(&sum[q][0], X + a * STRIP, z[q * p + a]);
			add(&sum[q][1], X + a * STRIP + LANES, z[q * p + a]);
		}
	for (size_t q = 0; q < GROUP; q++) {
		*(kith_v16f_at *)(d + q * step) = sum[q][0];
		*(kith_v16f_at *)(d + q * step + LANES) = sum[q][1];
	}
}

/*
 * No neighbour has a float distance above this, where the k-th float distance
 * is T.  With u = 2^-24, numbers in 0..1 are rounded by u / 2, differences by
 * that again, and sums by u for each of p terms: |float - d| <= 1.5 p u + p u
 * float, and d's own rounding is far below the 1 % added to that.
 */
static float
limit(size_t p, float T)
{
	const double a = 1.52 * 0x1p-24 * (double)p;
	const double s = 1.01 * 0x1p-24 * (double)p;
	const double most = ((double)T * (1 + s) + 2 * a) / (1 - s);

	return s < 1 ? nextafterf((float)most, INFINITY) : INFINITY;
}

/* The k first of a row's distances, by floats first, then by doubles. */
static void
choose(const struct job *job, size_t l, float *d, struct kith_neighbour *room)
{
	const struct kith_relief_sorted *s = job->f->s;
	const size_t first = s->first[job->b], i = s->asked[l];
	const size_t k = kith_relief_there(s, s->y[i], job->b, job->k);
	struct kith_near rough = {.nn = room, .k = k};
	struct kith_near near = {.nn = job->nn + l * job->k, .k = k};
	float most;

	if (s->y[i] == job->b)
		d[i - first] = INFINITY;
	for (size_t j = 0; j < job->n; j++)
		if (kith_near_wants(&rough, (double)d[j]))
			kith_near_push(&rough, j, (double)d[j]);
	most = limit(s->X.p, (float)room[0].d);
	for (size_t j = 0; j < job->n; j++) {
		double exact;

		if (d[j] > most || first + j == i)
			continue;
		kith_dist_rows(&job->metric, kith_row(&s->Z, l),
		    kith_row(&s->X, first + j), 1, &exact);
		kith_near_push(&near, first + j, exact);
	}
	kith_near_sort(&near);
}

static void
work(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_relief_float *f = job->f;
	const size_t p = f->s->X.p, step = job->strips * STRIP;
	const size_t from = block * QUERIES, left = f->s->m - from;
	const size_t m = left < QUERIES ? left : QUERIES;
	float *d = job->d + thread * QUERIES * step;

	for (size_t t = 0; t < job->strips; t += STRIPS)
		for (size_t q = 0; q < m; q += GROUP)
			for (size_t r = t; r < t + STRIPS && r < job->strips;
			     r++)
				measure(p, f->Z + (from + q) * p,
				    job->X + r * p * STRIP,
				    d + q * step + r * STRIP, step);
	for (size_t q = 0; q < m; q++)
		choose(
		    job, from + q, d + q * step, job->room + thread * job->k);
}

void
kith_relief_float_near(const struct kith_relief_float *f, size_t b, size_t k,
    size_t threads, struct kith_neighbour *nn)
{
	struct kith_pool tmp = {0};
	const struct kith_relief_sorted *s = f->s;
	struct job job = {.f = f,
	    .metric = {KITH_ABSOLUTE, s->X.p, f->weight},
	    .b = b,
	    .k = k,
	    .n = s->first[b + 1] - s->first[b],
	    .nn = nn};

	job.strips = (job.n + STRIP - 1) / STRIP;
	job.X = pack(&job, &tmp);
	job.d = kith_new(
	    &tmp, threads * QUERIES, job.strips * STRIP * sizeof(*job.d));
	job.room = kith_new(&tmp, threads, k * sizeof(*job.room));
	kith_par(threads, (s->m + QUERIES - 1) / QUERIES, work, &job);
	kith_pool_free(&tmp);
}
