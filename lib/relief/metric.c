/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. Begin with the axes as they are, or where there are fewer rows of A than
 *    features, with the principal components; further starts are random.
 * 2. Multiply the start by a power of two, as long as that is better.
 * 3. Minimise f (relief/turn.h) over the entries of A, in units of the scaled
 *    rows, so that tol has no unit.
 * 4. W = A'A of the best start.
 */
#include "relief/metric.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "la/blas.h"
#include "la/eig.h"
#include "relief/ascent.h"
#include "relief/job.h"
#include "relief/turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	WIDEST = 500, /* exponent of a range whose squares fit a double */
	HALVES = 40
};

/* --rank without --tol: ten iterations that gain less are the last. */
static const double SOON = .01;

/* The first r principal axes of the rows, those of most variance first. */
static int
principal(const struct kith_relief_turn *turn, double *A, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = turn->s->X.n, p = turn->s->X.p, r = turn->r;
	double *C = kith_new(&tmp, p, p * sizeof(*C));
	double *V = kith_new(&tmp, p, p * sizeof(*V));
	double *lambda = kith_new(&tmp, p, sizeof(*lambda));
	bool found;

	kith_blas_gram(n, p, 1, turn->X, p, C);
	found = kith_eig(p, C, lambda, V);
	for (size_t q = 0; q < r && found; q++)
		memcpy(A + q * p, V + (p - 1 - q) * p, p * sizeof(*A));
	kith_pool_free(&tmp);
	return found
	    ? 0
	    : kith_fail(err, EX_SOFTWARE, "the eigenvalues were not found");
}

/* The axes, principal ones, or random entries. */
static int
start_at(const struct kith_relief_job *job, const struct kith_relief_turn *turn,
    size_t start, double *A, struct kith_err *err)
{
	const size_t p = job->s.X.p;
	struct kith_rng rng;

	memset(A, 0, turn->r * p * sizeof(*A));
	if (start == 0 && turn->r < p)
		return principal(turn, A, err);
	kith_rng_seed(&rng, job->how->seed, KITH_RNG_START, start);
	for (size_t a = 0; a < turn->r * p; a++)
		A[a] = start > 0     ? 2 * kith_rng_unit(&rng) - 1
		    : a / p == a % p ? 1
				     : 0;
	return 0;
}

/* Multiply A so that the mean of |A D|^2 over all pairs is about 2 r. */
static void
bring_near(const struct kith_relief_turn *turn, size_t m, double *A)
{
	struct kith_pool tmp = {0};
	const size_t n = turn->s->X.n, p = turn->s->X.p, r = turn->r;
	double *Z = kith_new(&tmp, n, r * sizeof(*Z)), sum = 0;
	int e;

	kith_blas_rows(n, r, p, turn->X, p, A, p, Z, r);
	for (size_t a = 0; a < n * r; a++)
		sum += Z[a] * Z[a];
	e = sum > 0 ? -ilogb(sqrt(sum / (double)n / (double)r)) : 0;
	for (size_t a = 0; a < m; a++)
		A[a] = ldexp(A[a], e);
	kith_pool_free(&tmp);
}

/* Halve A as long as that lowers the value f. */
static void
halve(struct kith_relief_turn *turn, size_t m, double *A, double *g, double *f)
{
	for (int i = 0; i < HALVES; i++) {
		double next;

		for (size_t a = 0; a < m; a++)
			A[a] /= 2;
		next = kith_relief_turn_value(turn, A, g);
		if (!(next < *f)) {
			for (size_t a = 0; a < m; a++)
				A[a] *= 2;
			return;
		}
		*f = next;
	}
}

/* W = A'A / unit^2; whether all of it fits a double. */
static bool
square(size_t r, size_t p, const double *A, int exponent, double *W)
{
	bool fits = true;

	memset(W, 0, p * p * sizeof(*W));
	kith_blas_gram(r, p, 1, A, p, W);
	for (size_t a = 0; a < p; a++)
		for (size_t b = a; b < p; b++) {
			const double w = ldexp(W[a * p + b], -2 * exponent);

			fits = fits && isfinite(w);
			W[a * p + b] = W[b * p + a] = w;
		}
	return fits;
}

/* The targets by place, of mean 0 and variance 1. */
static double *
scale_target(const struct kith_relief_job *job, struct kith_pool *pool)
{
	const size_t n = job->s.X.n;
	double *t = kith_new(pool, n, sizeof(*t));
	double least = job->t[0], most = least, sum = 0, mean = 0, square = 0;
	int e;

	for (size_t i = 1; i < n; i++) {
		least = fmin(least, job->t[i]);
		most = fmax(most, job->t[i]);
	}
	e = -kith_range_exponent(least, most);
	for (size_t l = 0; l < n; l++) {
		const double weight = job->weight ? job->weight[l] : 1;

		t[l] = ldexp(job->t[job->s.row[l]], e) - ldexp(least, e);
		sum += weight;
		mean += weight * t[l];
	}
	mean /= sum;
	for (size_t l = 0; l < n; l++) {
		t[l] -= mean;
		square += (job->weight ? job->weight[l] : 1) * t[l] * t[l];
	}
	for (size_t l = 0; l < n; l++)
		t[l] /= sqrt(square / sum);
	return t;
}

/* Search from a start; what is better than the best is kept in job and best. */
static int
search_from(struct kith_relief_job *job, struct kith_relief_ascent *search,
    size_t start, double *A, double *best, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_relief_turn *turn = search->to;
	double *g = kith_new(&tmp, search->n, sizeof(*g)), f;
	enum kith_relief_end end;
	int got = start_at(job, turn, start, A, err);

	if (got == 0) {
		bring_near(turn, search->n, A);
		f = kith_relief_turn_value(turn, A, g);
		halve(turn, search->n, A, g, &f);
		end = kith_relief_ascend(search, A, g, &f);
		if (start == 0 || f < *best) {
			*best = f;
			job->out->converged = kith_relief_arrived(
			    search, end, A, g);
			job->out->stuck = end == KITH_RELIEF_FLAT;
			job->out->iterations = search->iterations;
			job->out->best = start + 1;
			job->out->objective = f * search->rows * -1;
			if (!square(
				turn->r, job->s.X.p, A, job->exponent, job->w))
				got = kith_fail(err, EX_DATAERR,
				    "weights do not fit a double: scale the "
				    "rows (tabscale)");
		}
	}
	kith_pool_free(&tmp);
	return got;
}

int
kith_relief_metric(struct kith_relief_job *job, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t p = job->s.X.p, rank = job->how->rank;
	struct kith_relief_turn turn = {.s = &job->s,
	    .weight = job->weight,
	    .r = rank < p ? rank : p,
	    .threads = job->how->threads};
	struct kith_relief_ascent search = {.value = kith_relief_turn_value,
	    .to = &turn,
	    .n = turn.r * p,
	    .tol = job->how->tol,
	    .max_iter = job->how->max_iter,
	    .gain = job->how->soon ? SOON : 0,
	    .rows = job->t ? -1 : kith_relief_total(job)};
	double *A, best = 0;
	int got = 0;

	if (abs(job->exponent) > WIDEST)
		return kith_fail(err, EX_DATAERR,
		    "squares of differences do not fit a double: scale the "
		    "rows (tabscale)");
	A = kith_relief_ascent_room(search.n, &tmp);
	if (job->t)
		turn.t = scale_target(job, &tmp);
	kith_relief_turn_new(&turn, &tmp);
	kith_progress_phase("nca", job->how->starts, "starts");
	for (size_t start = 0; start < job->how->starts && got == 0;
	     start++, kith_progress_add(1))
		got = search_from(job, &search, start, A, &best, err);
	kith_progress_end();
	kith_pool_free(&tmp);
	return got;
}
