/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/margin.h"

#include "base/par.h"
#include "base/pool.h"
#include "immigrate/fit.h"
#include "near/metric.h"
#include "table/table.h"
#include "table/write.h"
#include "text/out.h"

#include <math.h>
#include <stdbool.h>

enum { BLOCK = 16 }; /* rows that a thread takes at a time */

struct job {
	struct kith_mat X; /* of the features that count */
	struct kith_metric metric;
	const size_t *y;
	double sigma;
	double *d; /* threads x n */
	double *hit, *miss;
};

/* The mean of the distances of row i to its hits, or to its misses. */
static double
expected(const struct job *job, const double *d, size_t i, bool hits)
{
	long double sum = 0, total = 0;
	double nearest = INFINITY;
	bool any = false;

	for (size_t j = 0; j < job->X.n; j++)
		if (j != i && (job->y[j] == job->y[i]) == hits) {
			nearest = fmin(nearest, d[j]);
			any = true;
		}
	if (!any)
		return NAN;
	if (isinf(nearest))
		return nearest;
	for (size_t j = 0; j < job->X.n; j++)
		if (j != i && (job->y[j] == job->y[i]) == hits) {
			const double above = d[j] - nearest;
			const double e = exp(-above / job->sigma);

			total += e;
			sum += e > 0 ? (long double)e * above : 0;
		}
	return (double)(nearest + sum / total);
}

static void
work(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const size_t n = job->X.n, from = block * BLOCK;
	double *d = job->d + thread * n;

	for (size_t i = from; i < n && i < from + BLOCK; i++) {
		if (job->metric.p > 0) /* else all distances are 0 */
			kith_dist_rows(&job->metric, kith_row(&job->X, i), job->X.v, n, d);
		job->hit[i] = expected(job, d, i, true);
		job->miss[i] = expected(job, d, i, false);
	}
}

void
kith_immigrate_margins(const struct kith_immigrate_rows *rows, const struct kith_metric *metric,
    double sigma, size_t threads, double *hit, double *miss)
{
	struct kith_pool tmp = {0};
	const size_t n = rows->X->n;
	size_t *kept = kith_new(&tmp, metric->p, sizeof(*kept));
	const size_t p = kith_dist_kept(metric, kept);
	struct job job = {.y = rows->y, .sigma = sigma};

	job.metric = kith_dist_pack(metric, kept, p, &tmp);
	job.X = p > 0 ? kith_mat_take(rows->X, kept, p, &tmp) : (struct kith_mat){.n = n};
	job.d = kith_new(&tmp, threads, n * sizeof(*job.d));
	job.hit = hit;
	job.miss = miss;
	kith_par(threads, (n + BLOCK - 1) / BLOCK, work, &job);
	kith_pool_free(&tmp);
}

void
kith_immigrate_margins_write(const struct kith_table *t, const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_fitted *fit, double sigma, size_t threads, struct kith_out *out)
{
	static const char *const head[] = {"id", "hit", "miss", "margin"};
	struct kith_pool tmp = {0};
	struct kith_immigrate_rows some = *rows;
	struct kith_mat X = *rows->X;
	double *hit, *miss;

	if (fit->column)
		X = kith_mat_take(&X, fit->column, fit->metric.p, &tmp);
	some.X = &X;
	KITH_NEW_REALS(&tmp, X.n, 1, &hit, &miss);
	kith_immigrate_margins(&some, &fit->metric, sigma, threads, hit, miss);
	kith_out_header(out, head, 4);
	for (size_t i = 0; i < X.n; i++) {
		kith_table_write_id(t, i, out);
		kith_out_put(out, "\t%G\t%G\t%G\n", hit[i], miss[i], miss[i] - hit[i]);
	}
	kith_pool_free(&tmp);
}
