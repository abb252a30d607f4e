#include "certify.h"

#include "mat.h"
#include "pool.h"
#include "qp_hull.h"
#include "ties.h"

#include <assert.h>
#include <math.h>

/* Of the limit; how far on multipliers are looked for. */
#define ENOUGH 1e-4

/* What rounding may make of equal differences, of the numbers subtracted. */
#define EQUAL 1e-12

/* A pair that has a share of its group. */
struct member {
	size_t row, other, group;
	bool miss;
};

struct job {
	const struct kith_mat *X;
	const struct kith_ties *ties;
	const double *w;
	const struct kith_certify_how *how;
	double unit; /* theta / n */

	struct member *member; /* of groups with more than one */
	size_t members, groups;
	size_t ties_left, concave;
	size_t *alone; /* n x 2: the pair that stands for the target */
	bool *shared;  /* n x 2: the target is that of a group instead */

	/* Different pairs of the group at hand, and how many rows each is. */
	size_t *pair, *copies;
};

/* Whether rows a and b differ by as much from x in every feature. */
static bool
same_gap(const double *x, const double *a, const double *b, size_t p)
{
	for (size_t j = 0; j < p; j++) {
		const double size = fabs(x[j]) + fmax(fabs(a[j]), fabs(b[j]));

		if (fabs(fabs(x[j] - a[j]) - fabs(x[j] - b[j])) > EQUAL * size)
			return false;
	}
	return true;
}

/* The different pairs of a group into job->pair; how many there are. */
static size_t
merge(struct job *job, const struct kith_tie *tie)
{
	const double *x = kith_row(job->X, tie->row);
	size_t n = 0;

	for (size_t m = tie->first; m < tie->first + tie->count; m++) {
		const double *z = kith_row(job->X, job->ties->other[m]);
		size_t at = 0;

		while (at < n &&
		    !same_gap(x, kith_row(job->X, job->pair[at]), z, job->X->p))
			at++;
		if (at == n) {
			job->pair[n] = job->ties->other[m];
			job->copies[n++] = 0;
		}
		job->copies[at] += job->ties->copies[m];
	}
	return n;
}

/*
 * Keep those of the n pairs that are in S, and return how many; 0 where the
 * kink is concave.  The target is the rank-th of `rows` tied rows, counted for
 * a miss from the farthest: its distance is then the smallest of S, not the
 * largest.
 */
static size_t
keep_needed(struct job *job, size_t n, size_t rank, size_t rows)
{
	size_t kept = 0, sum = 0;

	for (size_t m = 0; m < n; m++)
		if (rows - job->copies[m] < rank)
			sum += job->copies[m];
	if (sum < rank)
		return 0;
	for (size_t m = 0; m < n; m++)
		if (rows - job->copies[m] < rank)
			job->pair[kept++] = job->pair[m];
	return kept;
}

/* Find out what kind of kink a group makes, and who has a share of it. */
static void
take_group(struct job *job, const struct kith_tie *tie)
{
	const size_t k = tie->miss ? job->how->misses : job->how->hits;
	const size_t n = merge(job, tie), at = 2 * tie->row + tie->miss;
	size_t rank = k - tie->nearer, rows = 0, kept = n;

	for (size_t m = 0; m < n; m++)
		rows += job->copies[m];
	assert(tie->nearer < k && rank <= rows);
	if (tie->miss)
		rank = rows + 1 - rank;
	if (n > 1) {
		job->ties_left += n - 1;
		kept = keep_needed(job, n, rank, rows);
	}
	if (kept == 0) {
		job->concave++;
		kept = n;
	}
	if (kept == 1) {
		job->alone[at] = job->pair[0];
		return;
	}
	job->shared[at] = true;
	for (size_t m = 0; m < kept; m++)
		job->member[job->members++] = (struct member){
		    tie->row, job->pair[m], job->groups, tie->miss};
	job->groups++;
}

/* sum += unit * the squared differences of two rows. */
static void
add_gap(const struct job *job, size_t i, size_t o, double unit, double *sum)
{
	const double *x = kith_row(job->X, i), *z = kith_row(job->X, o);

	for (size_t j = 0; j < job->X->p; j++)
		sum[j] += unit * (x[j] - z[j]) * (x[j] - z[j]);
}

static double
largest(const double *x, size_t n)
{
	double most = 0;

	for (size_t j = 0; j < n; j++) {
		if (isnan(x[j]))
			return NAN;
		most = fmax(most, fabs(x[j]));
	}
	return most;
}

static void
scale(double *x, size_t n, double by)
{
	for (size_t j = 0; j < n; j++)
		x[j] /= by;
}

/* Solve for the multipliers, in units in which nothing overflows. */
static double
solve(const struct job *job, double *b, double enough)
{
	struct kith_pool tmp = {0};
	const size_t p = job->X->p, n = job->members;
	double *A = kith_new(&tmp, n, p * sizeof(*A));
	double *t = kith_new(&tmp, n, sizeof(*t));
	double *r = kith_new(&tmp, p, sizeof(*r));
	size_t *group = kith_new(&tmp, n, sizeof(*group));
	bool *sided = kith_new(&tmp, p, sizeof(*sided));
	const struct kith_qp_hull problem = {p, n, A, group, b, sided};
	double size, residual = NAN;

	for (size_t m = 0; m < n; m++) {
		const struct member *it = job->member + m;

		add_gap(job, it->row, it->other,
		    it->miss ? -job->unit : job->unit, A + m * p);
		group[m] = it->group;
	}
	for (size_t j = 0; j < p; j++)
		sided[j] = job->w[j] == 0;
	size = largest(A, n * p) + largest(b, p);
	if (isfinite(size)) {
		size = fmax(size, 1);
		scale(A, n * p, size);
		scale(b, p, size);
		residual = size * kith_qp_hull(&problem, enough / size, t, r);
	}
	kith_pool_free(&tmp);
	return residual;
}

static void
make_job(struct job *job, struct kith_pool *pool)
{
	const struct kith_ties *ties = job->ties;
	const size_t n = job->X->n;
	size_t all = 0, most = 0;

	for (size_t g = 0; g < ties->n; g++) {
		all += ties->group[g].count;
		if (ties->group[g].count > most)
			most = ties->group[g].count;
	}
	job->unit = job->how->theta / (double)n;
	job->member = kith_new(pool, all, sizeof(*job->member));
	job->pair = kith_new(pool, most, sizeof(*job->pair));
	job->copies = kith_new(pool, most, sizeof(*job->copies));
	job->shared = kith_new(pool, n, 2 * sizeof(*job->shared));
	job->alone = kith_new(pool, n, 2 * sizeof(*job->alone));
	for (size_t i = 0; i < 2 * n; i++)
		job->alone[i] = ties->target[i];
}

void
kith_certify(const struct kith_mat *X, const struct kith_ties *ties,
    const double *w, const struct kith_certify_how *how,
    struct kith_certificate *out)
{
	struct kith_pool tmp = {0};
	struct job job = {.X = X, .ties = ties, .w = w, .how = how};
	double *b = kith_new(&tmp, X->p, sizeof(*b));
	double *g = kith_new(&tmp, X->p, sizeof(*g));

	make_job(&job, &tmp);
	for (size_t k = 0; k < ties->n; k++)
		take_group(&job, &ties->group[k]);
	for (size_t i = 0; i < 2 * X->n; i++) {
		const double unit = i % 2 ? -job.unit : job.unit;

		add_gap(&job, i / 2, ties->target[i], unit, g);
		if (!job.shared[i])
			add_gap(&job, i / 2, job.alone[i], unit, b);
	}
	for (size_t j = 0; j < X->p; j++)
		b[j] += w[j] - (how->prior ? how->prior[j] : 1 / (double)X->p);
	out->ties = job.ties_left;
	out->concave = job.concave;
	out->limit = 1e-8 * fmax(1, largest(g, X->p));
	out->residual = solve(&job, b, ENOUGH * out->limit);
	out->certified = (out->concave == 0 || how->theta == 0) &&
	    out->residual <= out->limit;
	kith_pool_free(&tmp);
}
