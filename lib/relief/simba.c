/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/simba.h"

#include "base/par.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "la/lanes.h"
#include "la/vec.h"
#include "near/knn.h"
#include "near/metric.h"
#include "near/near.h"
#include "relief/job.h"

#include <math.h>
#include <string.h>

enum { FEATURES = 256 }; /* that are seen at a time: lanes of them */

/*
 * One start.  Weights are v 2^e, the largest |v| 1 to 2: then squares are as
 * good as any, though a weight grows with the unit of the data in one step.
 */
struct run {
	const struct kith_relief_job *job;
	double *v, *square; /* p: the weights, and v^2 */
	double *change;     /* p: of v in a step */
	long e;
	double *d;       /* n distances */
	double *lanes;   /* n x 8: their sums so far */
	const double *x; /* the row that they are from */
	size_t *order;   /* m rows sampled, as they are taken */
	double errors;   /* of the nearest other row, under the result */
};

/* The nearest row of a class in from..to-1, that at `out` left out. */
static size_t
nearest(const double *d, size_t from, size_t to, size_t out)
{
	size_t best = KITH_NO_ROW;

	for (size_t j = from; j < to; j++)
		if (j != out && (best == KITH_NO_ROW || d[j] < d[best]))
			best = j;
	return best;
}

/* The nearest row of all classes but a; ties by row number. */
static size_t
nearest_miss(const struct kith_by_class *s, const double *d, size_t a)
{
	size_t best = KITH_NO_ROW;

	for (size_t b = 0; b < s->c; b++) {
		size_t j;

		if (b == a || s->first[b] == s->first[b + 1])
			continue;
		j = nearest(d, s->first[b], s->first[b + 1], KITH_NO_ROW);
		if (best == KITH_NO_ROW || d[j] < d[best] ||
		    (d[j] == d[best] && s->row[j] < s->row[best]))
			best = j;
	}
	return best;
}

/* Keep v in its range, and set v^2. */
static void
normalise(struct run *run)
{
	const size_t p = run->job->s.X.p;
	const double most = kith_vec_largest(p, run->v);
	const int up = most > 0 ? ilogb(most) : 0;

	for (size_t a = 0; a < p; a++) {
		run->v[a] = ldexp(run->v[a], -up);
		run->square[a] = run->v[a] * run->v[a];
	}
	run->e += up;
}

/* change += f D^2 / |D|_v v, D = x - row j; as |D v| <= |D|_v, no overflow. */
static void
add_pull(struct run *run, const double *x, size_t j, double f)
{
	const double *z, *v = run->v;
	double length;

	if (j == KITH_NO_ROW || !(run->d[j] > 0))
		return;
	z = kith_row(&run->job->s.X, j);
	length = sqrt(run->d[j]);
	for (size_t a = 0; a < run->job->s.X.p; a++) {
		const double D = x[a] - z[a];

		run->change[a] += f * (D * (D * v[a] / length));
	}
}

/*
 * Take a step for the l-th row sampled, at distances d.  In units of the scaled
 * rows D^2 / |D|_w is D^2 / |D|_v times 2^(exponent - e).
 */
static void
step(struct run *run, size_t l)
{
	const struct kith_by_class *s = &run->job->s;
	const size_t p = s->X.p, i = s->asked[l];
	const double *x = kith_row(&s->X, i);
	const long e = run->job->exponent - run->e;
	const double unit = ldexp(.5, (int)fmin(fmax((double)e, -2000), 1000)) *
	    kith_relief_weight(run->job, i);
	size_t at[2];

	at[0] = nearest(run->d, s->first[s->y[i]], s->first[s->y[i] + 1], i);
	at[1] = nearest_miss(s, run->d, s->y[i]);
	memset(run->change, 0, p * sizeof(*run->change));
	add_pull(run, x, at[1], unit);
	add_pull(run, x, at[0], -unit);
	for (size_t a = 0; a < p; a++)
		run->v[a] += run->change[a];
	normalise(run);
}

/* The terms of p features, a whole number of lanes, onto those before. */
KITH_CLONES static void
simba_add_terms(
    size_t p, const double *w, const double *x, const double *z, double *lanes)
{
	kith_v8d sum = *(const kith_v8d_at *)lanes, D;

	for (size_t j = 0; j < p; j += 8) {
		kith_lanes_diff(&D, z + j, x + j, false);
		sum += D * *kith_lanes_at(w + j) * D;
	}
	*(kith_v8d_at *)lanes = sum;
}

/* Add the rest behind them, and all lanes up. */
KITH_CLONES static void
simba_add_up(size_t n, size_t from, size_t p, const double *w, const double *x,
    const double *X, const double *lanes, double *d)
{
	for (size_t i = 0; i < n; i++) {
		const kith_v8d sum = *(const kith_v8d_at *)(lanes + i * 8);

		d[i] = kith_lanes_finish(&sum, from, p, w, X + i * p, x, false);
	}
}

/*
 * The distances of the next row of several starts from all rows, as
 * kith_dist_rows() finds them, but FEATURES at a time, which then are near at
 * hand for all starts and rows.
 */
static void
measure(struct run *run, size_t starts, size_t at)
{
	const struct kith_by_class *s = &run->job->s;
	const size_t n = s->X.n, p = s->X.p, whole = p / 8 * 8;

	for (size_t r = 0; r < starts; r++) {
		memset(run[r].lanes, 0, n * 8 * sizeof(double));
		run[r].x = kith_row(&s->X, s->asked[run[r].order[at]]);
	}
	for (size_t a = 0; a < whole; a += FEATURES) {
		const size_t m = whole - a < FEATURES ? whole - a : FEATURES;

		for (size_t i = 0; i < n; i++)
			for (size_t r = 0; r < starts; r++)
				simba_add_terms(m, run[r].square + a,
				    run[r].x + a, kith_row(&s->X, i) + a,
				    run[r].lanes + i * 8);
	}
	for (size_t r = 0; r < starts; r++)
		simba_add_up(n, whole, p, run[r].square, run[r].x, s->X.v,
		    run[r].lanes, run[r].d);
}

/* How many rows the nearest other one puts into a wrong class, weighted. */
static double
count_errors(const struct run *run)
{
	const struct kith_mat *X = &run->job->X;
	const struct kith_metric metric = {KITH_SQUARED, X->p, run->square};
	const size_t *y = run->job->y;
	struct kith_pool tmp = {0};
	struct kith_neighbour *nn = kith_new(&tmp, X->n, sizeof(*nn));
	double errors = 0;

	kith_knn_join(kith_knn_new(X, &metric, X->n, &tmp), 1, 1, nn);
	for (size_t l = 0; l < X->n; l++) {
		const size_t i = run->job->s.row[l];

		if (y[nn[i].row] != y[i])
			errors += kith_relief_weight(run->job, l);
	}
	kith_pool_free(&tmp);
	return errors;
}

/* The rows in input order, or for further starts in a seeded random one. */
static void
put_in_order(struct run *run, size_t start)
{
	const struct kith_relief_job *job = run->job;
	const size_t m = job->s.m;
	struct kith_pool tmp = {0};
	struct kith_rng rng;
	size_t *at = kith_new(&tmp, job->s.X.n, sizeof(*at)), used = 0;

	for (size_t l = 0; l < m; l++)
		at[job->s.row[job->s.asked[l]]] = l + 1;
	for (size_t i = 0; i < job->s.X.n; i++)
		if (at[i])
			run->order[used++] = at[i] - 1;
	if (start > 0) {
		kith_rng_seed(&rng, job->how->seed, KITH_RNG_START, start);
		kith_rng_shuffle(&rng, run->order, m);
	}
	kith_pool_free(&tmp);
}

/* What a thread does: some of the starts, a step of each at a time. */
struct share {
	struct run *run;
	size_t starts, shares;
};

static void
get_ready(struct run *run, size_t start, struct kith_pool *pool)
{
	const struct kith_relief_job *job = run->job;

	run->d = kith_new(pool, job->s.X.n, sizeof(*run->d));
	run->lanes = kith_new(pool, job->s.X.n, 8 * sizeof(*run->lanes));
	run->change = kith_new(pool, job->s.X.p, sizeof(*run->change));
	run->order = kith_new(pool, job->s.m, sizeof(*run->order));
	for (size_t a = 0; a < job->s.X.p; a++)
		run->v[a] = run->square[a] = 1;
	put_in_order(run, start);
}

static void
do_share(void *to, size_t block, size_t thread)
{
	const struct share *share = to;
	const size_t from = block * share->starts / share->shares;
	const size_t end = (block + 1) * share->starts / share->shares;
	struct run *run = share->run + from;
	const struct kith_relief_job *job = run->job;
	struct kith_pool tmp = {0};

	(void)thread;
	for (size_t r = from; r < end; r++)
		get_ready(run + (r - from), r, &tmp);
	for (size_t t = 0; t < job->how->max_iter; t++) {
		for (size_t l = 0; l < job->s.m; l++) {
			measure(run, end - from, l);
			for (size_t r = 0; r < end - from; r++)
				step(run + r, run[r].order[l]);
		}
		kith_par_add(end - from);
	}
	for (size_t r = 0; r < end - from; r++)
		run[r].errors = count_errors(run + r);
	kith_pool_free(&tmp);
}

void
kith_relief_simba(struct kith_relief_job *job)
{
	struct kith_pool tmp = {0};
	const size_t p = job->s.X.p, starts = job->how->starts;
	struct run *run = kith_new(&tmp, starts, sizeof(*run));
	const size_t threads = job->how->threads;
	struct share share = {run, starts, threads < starts ? threads : starts};
	size_t best = 0;
	double most = 0;

	for (size_t r = 0; r < starts; r++) {
		run[r].job = job;
		KITH_NEW_REALS(&tmp, p, 1, &run[r].v, &run[r].square);
	}
	kith_progress_phase("simba", starts * job->how->max_iter, "passes");
	kith_par(job->how->threads, share.shares, do_share, &share);
	kith_progress_end();
	for (size_t r = 1; r < starts; r++)
		if (run[r].errors < run[best].errors)
			best = r;
	for (size_t a = 0; a < p; a++)
		most = fmax(most, run[best].square[a]);
	for (size_t a = 0; a < p; a++)
		job->w[a] = most > 0 ? run[best].square[a] / most : 0;
	job->out->iterations = job->how->max_iter;
	job->out->best = best + 1;
	job->out->objective = run[best].errors;
	kith_pool_free(&tmp);
}
