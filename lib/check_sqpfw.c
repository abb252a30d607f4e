#include "check_sqpfw.h"

#include "dist.h"
#include "mat.h"
#include "metric.h"
#include "near.h"
#include "par.h"
#include "pool.h"
#include "ties.h"

#include <assert.h>
#include <math.h>

enum { BLOCK = 16 }; /* rows of a block of work */

/* Distances this close, relatively, are tied. */
#define TIED 1e-9

/* What rounding may leave of the sum of the weights less 1. */
#define SUM 1e-12

/* What one thread uses. */
struct worker {
	double *d;                 /* n: distances from the row */
	struct kith_neighbour *nn; /* k */
};

/* What was found for the rows of a block. */
struct found {
	struct kith_tie *group; /* at most one hit and one miss a row */
	size_t groups;
	size_t *other, others, room;
	struct kith_pool pool;
};

struct job {
	const struct kith_mat *X;
	const size_t *y;
	const struct kith_certify_how *how;
	struct kith_mat
	    packed; /* features that count, in a unit of their own */
	struct kith_metric metric;
	size_t *target;
	struct worker *worker; /* threads */
	struct found *found;   /* blocks */
};

/*
 * The features that count, scaled by a power of two: squares then stay in range
 * where the data are in it.  Ties are relative, and do not change.
 */
static void
pack(struct job *job, const double *w, struct kith_pool *pool)
{
	const struct kith_mat *X = job->X;
	const struct kith_metric all = {KITH_SQUARED, X->p, w};
	size_t *kept = kith_new(pool, X->p, sizeof(*kept));
	const size_t p = kith_dist_kept(&all, kept);
	double most = 0;
	int e = 0;

	job->metric = kith_dist_pack(&all, kept, p, pool);
	job->packed = kith_mat_new(pool, X->n, p + !p);
	job->packed.p = p;
	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < p; j++)
			most = fmax(most, fabs(kith_row(X, i)[kept[j]]));
	frexp(most, &e);
	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < p; j++)
			kith_row(&job->packed, i)[j] = ldexp(
			    kith_row(X, i)[kept[j]], -e);
}

static bool
is_tied(double d, double target)
{
	return d == target ||
	    (d >= target * (1 - TIED) && d <= target * (1 + TIED));
}

static void
add_other(struct found *found, size_t j)
{
	if (found->others == found->room) {
		found->room = 2 * found->room + 64;
		found->other = kith_grow(&found->pool, found->other,
		    found->room, sizeof(*found->other));
	}
	found->other[found->others++] = j;
}

/* The target hit or miss of row i, and what is tied with it. */
static void
find_target(const struct job *job, const struct worker *worker,
    struct found *found, size_t i, bool miss)
{
	struct kith_near near = {
	    worker->nn, miss ? job->how->misses : job->how->hits, 0};
	struct kith_tie tie = {i, miss, 0, found->others, 0};
	const double *d = worker->d;
	double target;

	for (size_t j = 0; j < job->X->n; j++)
		if (j != i && (job->y[j] != job->y[i]) == miss &&
		    kith_near_wants(&near, d[j]))
			kith_near_push(&near, j, d[j]);
	assert(near.held == near.k);
	kith_near_sort(&near);
	target = near.nn[near.k - 1].d;
	job->target[2 * i + miss] = near.nn[near.k - 1].row;
	for (size_t j = 0; j < job->X->n; j++) {
		if (j == i || (job->y[j] != job->y[i]) != miss)
			continue;
		if (is_tied(d[j], target)) {
			add_other(found, j);
			tie.count++;
		} else if (d[j] < target) {
			tie.nearer++;
		}
	}
	if (tie.count > 1)
		found->group[found->groups++] = tie;
	else
		found->others = tie.first;
}

static void
find_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct worker *worker = job->worker + thread;
	struct found *found = job->found + block;
	const size_t n = job->X->n;

	found->group = kith_new(
	    &found->pool, 2 * (size_t)BLOCK, sizeof(*found->group));
	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < n; i++) {
		kith_dist_rows(&job->metric, kith_row(&job->packed, i),
		    job->packed.v, n, worker->d);
		find_target(job, worker, found, i, false);
		find_target(job, worker, found, i, true);
	}
}

/* Join what the blocks found. */
static void
join(const struct job *job, size_t blocks, struct kith_ties *ties,
    struct kith_pool *pool)
{
	size_t others = 0, groups = 0;

	for (size_t b = 0; b < blocks; b++) {
		others += job->found[b].others;
		groups += job->found[b].groups;
	}
	*ties = (struct kith_ties){.target = job->target};
	ties->group = kith_new(pool, groups, sizeof(*ties->group));
	ties->other = kith_new(pool, others, sizeof(*ties->other));
	ties->copies = kith_new(pool, others, sizeof(*ties->copies));
	others = 0;
	for (size_t b = 0; b < blocks; b++) {
		const struct found *found = job->found + b;

		for (size_t g = 0; g < found->groups; g++) {
			ties->group[ties->n] = found->group[g];
			ties->group[ties->n++].first += others;
		}
		for (size_t m = 0; m < found->others; m++, others++) {
			ties->other[others] = found->other[m];
			ties->copies[others] = 1;
		}
	}
}

void
kith_check_sqpfw_ties(const struct kith_mat *X, const size_t *y,
    const double *w, const struct kith_certify_how *how, size_t threads,
    struct kith_ties *ties, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct job job = {.X = X, .y = y, .how = how};
	const size_t blocks = (X->n + BLOCK - 1) / BLOCK;
	const size_t k = how->hits > how->misses ? how->hits : how->misses;

	pack(&job, w, &tmp);
	job.target = kith_new(pool, X->n, 2 * sizeof(*job.target));
	job.found = kith_new(&tmp, blocks, sizeof(*job.found));
	job.worker = kith_new(&tmp, threads, sizeof(*job.worker));
	for (size_t t = 0; t < threads; t++) {
		job.worker[t].d = kith_new(&tmp, X->n, sizeof(double));
		job.worker[t].nn = kith_new(
		    &tmp, k, sizeof(struct kith_neighbour));
	}
	kith_par(threads, blocks, find_block, &job);
	join(&job, blocks, ties, pool);
	for (size_t b = 0; b < blocks; b++)
		kith_pool_free(&job.found[b].pool);
	kith_pool_free(&tmp);
}

void
kith_check_sqpfw(const struct kith_mat *X, const size_t *y, const double *w,
    const struct kith_certify_how *how, size_t threads,
    struct kith_check out[KITH_CHECK_SQPFW])
{
	struct kith_pool tmp = {0};
	struct kith_certificate seen;
	struct kith_ties ties;
	long double sum = 0;

	for (size_t j = 0; j < X->p; j++) {
		assert(w[j] >= 0);
		sum += w[j];
	}
	kith_check_sqpfw_ties(X, y, w, how, threads, &ties, &tmp);
	kith_certify(X, &ties, w, how, &seen);
	out[0] = (struct kith_check){"simplex", (double)fabsl(sum - 1), SUM};
	out[1] = (struct kith_check){
	    "concave", how->theta > 0 ? (double)seen.concave : 0, 0};
	out[2] = (struct kith_check){"residual", seen.residual, seen.limit};
	kith_pool_free(&tmp);
}
