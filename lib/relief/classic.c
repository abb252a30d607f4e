#include "relief/classic.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "base/progress.h"
#include "la/blas.h"
#include "la/eig.h"
#include "near/metric.h"
#include "relief/job.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { PANEL = 64 }; /* rows of a product in one block */

/* The nearest hits and misses of the rows sampled. */
struct pairs {
	size_t *hit, *miss;
};

static struct pairs
pairs_new(const struct kith_relief_job *job, struct kith_pool *pool)
{
	return (struct pairs){kith_new(pool, job->s.m, sizeof(size_t)),
	    kith_new(pool, job->s.m, sizeof(size_t))};
}

static void
find(const struct kith_relief_job *job, const double *w, struct pairs *at)
{
	const struct kith_metric metric = {KITH_SQUARED, job->s.X.p, w};

	kith_by_class_pairs(
	    &job->s, &metric, job->how->threads, at->hit, at->miss);
}

/* w += sign D^2, D between the l-th row sampled and the row j, if there. */
static void
add_squares(
    const struct kith_by_class *s, size_t l, size_t j, double sign, double *w)
{
	const double *x = kith_row(&s->Z, l), *z;

	if (j == KITH_NO_ROW)
		return;
	z = kith_row(&s->X, j);
	for (size_t a = 0; a < s->X.p; a++)
		w[a] += sign * (x[a] - z[a]) * (x[a] - z[a]);
}

static void
average(const struct kith_by_class *s, const struct pairs *at, double *w)
{
	memset(w, 0, s->X.p * sizeof(*w));
	for (size_t l = 0; l < s->m; l++) {
		add_squares(s, l, at->miss[l], 1, w);
		add_squares(s, l, at->hit[l], -1, w);
	}
	for (size_t a = 0; a < s->X.p; a++)
		w[a] /= (double)s->m;
}

void
kith_relief_relief(struct kith_relief_job *job)
{
	struct kith_pool tmp = {0};
	struct pairs at = pairs_new(job, &tmp);

	find(job, NULL, &at);
	average(&job->s, &at, job->w);
	kith_pool_free(&tmp);
}

/* Negative weights become 0, the sum 1; false where none is positive. */
static bool
normalise(size_t p, double *w)
{
	double sum = 0;

	for (size_t a = 0; a < p; a++) {
		w[a] = w[a] > 0 ? w[a] : 0;
		sum += w[a];
	}
	for (size_t a = 0; a < p && sum > 0; a++)
		w[a] /= sum;
	return sum > 0;
}

/*
 * The weights of the loop before, and those of the last one whose number is a
 * power of two: a circle comes back to the one or the other (Brent).
 */
struct marks {
	double *last, *mark; /* p */
	size_t loop;         /* of the mark */
};

/* How many loops ago the weights were the same; 0: not known. */
static size_t
find_circle(struct marks *marks, const double *w, size_t p, size_t loop)
{
	const size_t size = p * sizeof(*w);

	if (loop > 1 && memcmp(marks->last, w, size) == 0)
		return 1;
	if (loop > 1 && memcmp(marks->mark, w, size) == 0)
		return loop - marks->loop;
	memcpy(marks->last, w, size);
	if ((loop & (loop - 1)) == 0) {
		memcpy(marks->mark, w, size);
		marks->loop = loop;
	}
	return 0;
}

/*
 * The weights of a loop follow from those before: once they go round in a
 * circle, what is left of whole turns makes no difference.
 */
void
kith_relief_mulrel(struct kith_relief_job *job)
{
	struct kith_pool tmp = {0};
	const size_t p = job->s.X.p;
	struct pairs at = pairs_new(job, &tmp);
	struct marks marks = {kith_new(&tmp, p, sizeof(*marks.last)),
	    kith_new(&tmp, p, sizeof(*marks.mark)), 0};
	struct kith_relief *out = job->out;
	size_t left = job->how->max_iter, loop = 0;
	bool some = true;

	kith_progress_phase("mulrel", 0, "iterations");
	for (; left > 0 && some && out->circle != 1; left--) {
		kith_progress_add(1);
		find(job, loop == 0 ? NULL : job->w, &at);
		average(&job->s, &at, job->w);
		some = normalise(p, job->w);
		loop++;
		if (out->circle > 0)
			continue;
		out->circle = find_circle(&marks, job->w, p, loop);
		if (out->circle > 1)
			left = 1 + (left - 1) % out->circle;
	}
	kith_progress_end();
	out->converged = out->circle == 1 || !some;
	out->iterations = out->converged ? loop : job->how->max_iter;
	kith_pool_free(&tmp);
}

/* M = A D, PANEL rows of it in a block: A = D' with the signs of its rows. */
struct scatter {
	const double *D; /* n x p: the differences of n pairs */
	const double *A; /* p x n */
	size_t n, p;
	double *M; /* p x p */
};

static void
multiply_panel(void *to, size_t block, size_t thread)
{
	const struct scatter *in = to;
	const size_t from = block * PANEL, left = in->p - from;

	(void)thread;
	kith_blas_product(left < PANEL ? left : PANEL, in->p, in->n,
	    in->A + from * in->n, in->D, in->M + from * in->p);
}

/* The differences of all pairs; returns how many. */
static size_t
differences(const struct kith_by_class *s, const struct pairs *at, double *D,
    double *sign)
{
	const size_t p = s->X.p;
	size_t n = 0;

	for (size_t l = 0; l < 2 * s->m; l++) {
		const bool miss = l % 2 == 0;
		const size_t j = miss ? at->miss[l / 2] : at->hit[l / 2];

		if (j == KITH_NO_ROW)
			continue;
		for (size_t a = 0; a < p; a++)
			D[n * p + a] = kith_row(&s->Z, l / 2)[a] -
			    kith_row(&s->X, j)[a];
		sign[n++] = miss ? 1 : -1;
	}
	return n;
}

/* M = sum sign D D' over the hits and misses. */
static void
scatter(const struct kith_relief_job *job, const struct pairs *at, double *M)
{
	struct kith_pool tmp = {0};
	const size_t p = job->s.X.p, m = job->s.m;
	double *D = kith_new(&tmp, 2 * m, p * sizeof(*D));
	double *A = kith_new(&tmp, 2 * m, p * sizeof(*A));
	double *sign = kith_new(&tmp, 2 * m, sizeof(*sign));
	struct scatter in = {.D = D, .A = A, .p = p, .M = M};

	in.n = differences(&job->s, at, D, sign);
	for (size_t l = 0; l < in.n; l++)
		for (size_t a = 0; a < p; a++)
			A[a * in.n + l] = sign[l] * D[l * p + a];
	kith_par(
	    job->how->threads, (p + PANEL - 1) / PANEL, multiply_panel, &in);
	kith_pool_free(&tmp);
}

/*
 * W = the sum of lambda v v' over lambda > 0, of norm 1: eigenvalues that
 * rounding alone may have lifted above 0 are 0.
 */
static void
positive_part(size_t p, const double *lambda, const double *V, double *W)
{
	struct kith_pool tmp = {0};
	const double most = fmax(fabs(lambda[0]), fabs(lambda[p - 1]));
	const double least = (double)p * DBL_EPSILON * most;
	double *A, norm = 0;
	size_t from = p;

	for (; from > 0 && lambda[from - 1] > least; from--)
		norm += lambda[from - 1] / most * (lambda[from - 1] / most);
	norm = sqrt(norm) * most;
	memset(W, 0, p * p * sizeof(*W));
	if (from == p)
		return;
	A = kith_new(&tmp, p, (p - from) * sizeof(*A));
	for (size_t i = from; i < p; i++)
		for (size_t a = 0; a < p; a++)
			A[a * (p - from) + i - from] = lambda[i] / norm *
			    V[i * p + a];
	kith_blas_product(p, p, p - from, A, V + from * p, W);
	for (size_t a = 0; a < p; a++)
		for (size_t b = 0; b < a; b++)
			W[a * p + b] = W[b * p + a];
	kith_pool_free(&tmp);
}

int
kith_relief_lfe(struct kith_relief_job *job, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t p = job->s.X.p;
	struct pairs at = pairs_new(job, &tmp);
	double *lambda = kith_new(&tmp, p, sizeof(*lambda));
	double *V = kith_new(&tmp, p, p * sizeof(*V));
	bool done;

	find(job, NULL, &at);
	scatter(job, &at, job->w);
	done = kith_eig(p, job->w, lambda, V);
	if (done)
		positive_part(p, lambda, V, job->w);
	kith_pool_free(&tmp);
	return done
	    ? 0
	    : kith_fail(err, EX_SOFTWARE, "the eigenvalues were not found");
}
