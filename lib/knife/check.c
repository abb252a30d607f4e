/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judges weights and the machine that a solver gives for them.  The judge only sums: whoever made
 * alpha, it is the minimum over alpha exactly if its residual vanishes, because the problem of
 * alpha is strictly convex in K^(1/2) alpha.  Nothing of the solver is used but the statement of
 * the problem: the losses (loss.c) and the kernels.
 *
 * 1. Outputs f = K alpha + b, kernel by kernel, each of two rows once; or, for a linear machine in
 *    primal form, f = offset + sum_j slope_j (x_j - centre_j) in long double.
 * 2. L' and F = L + lambda1 alpha' K alpha + lambda2 1'w at f.
 * 3. The residual L' + 2 lambda1 alpha, relative to its larger term, and 1'L' with an intercept; in
 *    primal form the machine brings u = -2 lambda1 alpha, and the residuals are u - L' and
 *    sum_i u_i (x_ij - centre_j) + 2 lambda1 slope_j / w_j, relative to the largest sum of absolute
 *    terms, each column in units of its largest number.
 * 4. dF_j = lambda2 - lambda1 alpha' (dK/dw_j) alpha, pair of rows by pair of rows; in primal form
 *    lambda2 - lambda1 (x_j' alpha)^2.
 * 5. The gap (linear kernel).  With beta_j = w_j x_j' alpha the problem is convex,
 *
 *	min L(y, X beta) + sum_j pen(beta_j),
 *	pen(beta) = min over 0 <= w <= 1 of lambda1 beta^2 / w + lambda2 w
 *
 *    and by Fenchel's duality no F is below -L*(u) - sum_j max(0, (x_j' u)^2 / (4 lambda1) -
 *    lambda2) for any u with 1'u = 0 (intercept); u = -2 lambda1 alpha is the best one known.
 *    L*(u), t = -y u: squared u^2/4 + y u; logistic t log t + (1 - t) log(1 - t) on [0, 1]; sqhinge
 *    -t + t^2/4 for t >= 0; huberhinge -t + delta t^2/2 on [0, 1].  Where 1'u is not 0 but for
 *    rounding, |b 1'u| is added to the gap.
 */
#include "knife/engine.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/blas.h"
#include "la/kernels.h"
#include "near/metric.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Rows are cut into blocks; GROUPS sums of every GROUPS-th block are added in their order. */
enum { BLOCK = 16, GROUPS = 16, STRIDE = GROUPS * BLOCK };

#define ALPHA_LIMIT 1e-8
#define BALANCED 1e-9 /* of lambda2 (and F): the rounding of a gradient whose terms cancel */
#define SLACK 1.001   /* rounding of the limit itself */

struct judge {
	const struct kith_knife_problem *problem;
	const double *w; /* p: the weights; those below 0, which the range refuses, count as 0 */
	const struct kith_knife_machine *machine;
	size_t n, p, c;
	long double *u;  /* c columns of n: L', or -2 lambda1 alpha: the dual point */
	long double *xu; /* c rows of p: x_j' u; linear kernel */
	double *dF;      /* p */
	double residual;
	long double F;

	/* judge_pairs(): */
	struct kith_kern kern;     /* linear: polynomial of degree 1 */
	struct kith_mat X;         /* columns of weight above 0 */
	struct kith_metric metric; /* their weights */
	double *room;              /* threads x (3 n + p): K, H and M of a row; X'M */
	long double *part;         /* GROUPS x c columns of n: of K alpha */
	double *sum;               /* GROUPS x p: of the gradient */
};

/* The conjugate of the loss at *u, which is moved to where the conjugate is finite. */
static long double
conjugate(const struct kith_knife_problem *problem, double y, long double *u)
{
	long double t = -y * *u;

	if (problem->loss == KITH_KNIFE_SQUARED)
		return *u * *u / 4 + y * *u;
	t = fmaxl(t, 0);
	if (problem->loss != KITH_KNIFE_SQHINGE)
		t = fminl(t, 1);
	*u = -y * t;
	if (problem->loss == KITH_KNIFE_SQHINGE)
		return -t + t * t / 4;
	if (problem->loss == KITH_KNIFE_HUBERHINGE)
		return -t + problem->delta * t * t / 2;
	return (t > 0 ? t * logl(t) : 0) + (t < 1 ? (1 - t) * log1pl(-t) : 0);
}

/* K and H of row i and the rows 0 .. i; H is the derivative of the kernel but for a factor. */
static const double *
fill_kernels(const struct judge *s, size_t i, double *K, double *H)
{
	const double *x = kith_row(&s->X, i);
	struct kith_kern kern = s->kern;

	kith_kern_rows(&kern, x, s->X.v, i + 1, K);
	if (kith_knife_is_radial(s->problem))
		return K;
	kern.degree--;
	kith_kern_rows(&kern, x, s->X.v, i + 1, H);
	return H;
}

/* The pairs of row i and the rows 0 .. i: their part of K alpha and of the gradient. */
static void
sum_pairs(const struct judge *s, size_t i, size_t group, double *room)
{
	const struct kith_mat *X = s->problem->X;
	const size_t n = s->n, p = s->p;
	double *K = room, *M = room + 2 * n, *XM = room + 3 * n, *sum = s->sum + group * p;
	const double *H = fill_kernels(s, i, K, room + n), *x = kith_row(X, i);

	memset(M, 0, (i + 1) * sizeof(*M));
	for (size_t o = 0; o < s->c; o++) {
		const double *alpha = s->machine->alpha + o * n, own = alpha[i];
		long double *f = s->part + (group * s->c + o) * n, own_f = own * K[i];

		for (size_t l = 0; l < i; l++) {
			own_f += (long double)alpha[l] * K[l];
			f[l] += (long double)own * K[l];
			M[l] += 2 * own * alpha[l];
		}
		f[i] += own_f;
		M[i] += own * own;
	}
	for (size_t l = 0; l <= i; l++)
		M[l] *= H[l];
	if (kith_knife_is_radial(s->problem)) {
		kith_la_kernels_at_level()->add_differences(
		    i + 1, p, s->problem->kern.kind == KITH_KERN_LAPLACIAN, M, x, X->v, sum);
		return;
	}
	kith_blas_turned(i + 1, p, X->v, p, M, XM);
	for (size_t j = 0; j < p; j++)
		sum[j] += x[j] * XM[j];
}

static void
sum_group(void *to, size_t group, size_t thread)
{
	const struct judge *s = to;
	const size_t n = s->n;
	double *room = s->room + thread * (3 * n + s->p);

	for (size_t from = group * BLOCK; from < n; from += STRIDE)
		for (size_t i = from; i < from + BLOCK && i < n; i++)
			sum_pairs(s, i, group, room);
}

/* Steps 1 to 4 with alpha. */
static void
judge_pairs(struct judge *s)
{
	const struct kith_knife_problem *problem = s->problem;
	struct kith_pool tmp = {0};
	const size_t n = s->n, p = s->p, nc = n * s->c;
	const long double two = 2 * (long double)problem->lambda1;
	double factor;

	s->X = *problem->X;
	s->metric = (struct kith_metric){kith_knife_metric(problem->kern.kind), p, s->w};
	kith_dist_pack_rows(&s->metric, &s->X, NULL, &tmp);
	s->kern = problem->kern;
	if (s->kern.kind == KITH_KERN_LINEAR)
		s->kern = (struct kith_kern){.kind = KITH_KERN_POLYNOMIAL, .gamma = 1, .degree = 1};
	s->kern.metric = &s->metric;
	factor = kith_knife_is_radial(problem) ? -s->kern.gamma : (double)s->kern.degree;
	s->part = kith_new(&tmp, GROUPS, nc * sizeof(*s->part));
	KITH_NEW_REALS(&tmp, problem->threads, 3 * n + p, &s->room);
	KITH_NEW_REALS(&tmp, GROUPS, p, &s->sum);
	kith_par_told(
	    problem->threads, GROUPS, sum_group, s, &(struct kith_par_phase){"check", n, "rows"});
	for (size_t j = 0; j < p; j++) {
		double sum = 0;

		for (size_t g = 0; g < GROUPS; g++)
			sum += s->sum[g * p + j];
		s->dF[j] = problem->lambda2 - problem->lambda1 * factor * sum;
	}
	for (size_t o = 0; o < s->c; o++) {
		long double most = 0, size = 0, total = 0;

		for (size_t i = 0; i < n; i++) {
			const double alpha = s->machine->alpha[o * n + i];
			long double d1, sum = s->machine->bias[o];
			double f, d2;

			for (size_t g = 0; g < GROUPS; g++)
				sum += s->part[g * nc + o * n + i];
			f = (double)sum;
			s->F += kith_knife_loss(problem, problem->Y[o * n + i], f, true, &d1, &d2) +
			    problem->lambda1 * alpha * ((long double)f - s->machine->bias[o]);
			s->u[o * n + i] = -two * alpha;
			most = fmaxl(most, fabsl(d1 + two * alpha));
			size = fmaxl(size, fmaxl(fabsl(d1), fabsl(two * alpha)));
			total += d1;
			if (isnan(d1))
				most = NAN;
		}
		if (problem->intercept)
			most = fmaxl(most, fabsl(total) / (long double)n);
		if (isnan(most) || most / size > s->residual)
			s->residual = (double)(most / size);
		for (size_t j = 0; j < p && problem->kern.kind == KITH_KERN_LINEAR; j++)
			for (size_t i = 0; i < n; i++)
				s->xu[o * p + j] += s->u[o * n + i] * kith_row(problem->X, i)[j];
	}
	kith_pool_free(&tmp);
}

/* Steps 1 to 4 for output o of a linear machine in primal form. */
static void
judge_output(struct judge *s, size_t o)
{
	const struct kith_knife_problem *problem = s->problem;
	const size_t n = s->n, p = s->p;
	const long double *slope = s->machine->slope + o * p;
	const long double two = 2 * (long double)problem->lambda1;
	const double *centre = s->machine->centre;
	struct kith_pool tmp = {0};
	long double *g = kith_new(&tmp, p, sizeof(*g)), *size = kith_new(&tmp, p, sizeof(*size));
	long double *curved = kith_new(&tmp, p, sizeof(*curved)), total = 0, sum = 0;
	long double most = 0, largest = 0, off = 0, top = 0;
	double *unit = kith_new(&tmp, p, sizeof(*unit));

	for (size_t i = 0; i < n; i++) {
		const double *x = kith_row(problem->X, i);
		const double y = problem->Y[o * n + i];
		long double f = s->machine->offset[o], d1, u;
		double d2;

		for (size_t j = 0; j < p; j++)
			if (slope[j] != 0)
				f += slope[j] * (x[j] - centre[j]);
		s->F += kith_knife_loss(problem, y, f, true, &d1, &d2);
		u = s->u[o * n + i] = s->machine->dual[o * n + i];
		off = fmaxl(off, fabsl(u - d1));
		top = fmaxl(top, fmaxl(fabsl(u), fabsl(d1)));
		sum += u;
		total += fabsl(u);
		for (size_t j = 0; j < p; j++) {
			const double z = x[j] - centre[j];

			s->xu[o * p + j] += u * x[j];
			g[j] += u * z;
			size[j] += fabsl(u * z);
			curved[j] += (long double)d2 * z * z;
			unit[j] = fmax(unit[j], fabs(z));
		}
	}
	for (size_t j = 0; j < p; j++) {
		const long double r = s->w[j] > 0 ? two / s->w[j] : 0, own = r * slope[j];
		long double xa = -s->xu[o * p + j] / two; /* x_j' alpha = -x_j' L' / (2 lambda1) */

		s->F += own * slope[j] / 2; /* lambda1 slope^2 / w */
		if (slope[j] != 0 && unit[j] > 0) {
			most = fmaxl(most, fabsl(g[j] + own) / unit[j]);
			largest = fmaxl(largest, (size[j] + fabsl(own)) / unit[j]);
			if (!(r > curved[j]))
				xa = slope[j] / s->w[j];
		}
		s->dF[j] = (double)(s->dF[j] - problem->lambda1 * (xa * xa));
		if (isnan(xa))
			most = NAN;
	}
	if (problem->intercept) {
		most = fmaxl(most, fabsl(sum));
		largest = fmaxl(largest, total);
	}
	if (isnan(most) || (most > 0 && most / largest > s->residual))
		s->residual = (double)(most / largest);
	if (isnan(off) || (off > 0 && off / top > s->residual))
		s->residual = (double)(off / top);
	kith_pool_free(&tmp);
}

/* F less the dual value at u. */
static double
find_gap(struct judge *s)
{
	const struct kith_knife_problem *problem = s->problem;
	const size_t n = s->n, p = s->p;
	long double dual = 0, missed = 0;

	assert(s->machine);
	for (size_t o = 0; o < s->c; o++) {
		long double sum = 0;

		for (size_t i = 0; i < n; i++) {
			long double u = s->u[o * n + i];

			dual -= conjugate(problem, problem->Y[o * n + i], &u);
			sum += u;
		}
		missed += fabsl(sum * s->machine->bias[o]);
	}
	for (size_t j = 0; j < p; j++) {
		long double square = 0;

		for (size_t o = 0; o < s->c; o++)
			square += s->xu[o * p + j] * s->xu[o * p + j];
		dual -= fmaxl(0, square / (4 * (long double)problem->lambda1) - problem->lambda2);
	}
	return (double)(s->F - dual + missed);
}

size_t
kith_knife_check(const struct kith_knife_problem *problem, const double *w,
    const struct kith_knife_machine *machine, double start_gradient, double tol,
    struct kith_check out[KITH_KNIFE_CHECKS])
{
	const bool linear = problem->kern.kind == KITH_KERN_LINEAR;
	const size_t n = problem->X->n, p = problem->X->p, c = problem->c;
	struct kith_pool tmp = {0};
	double outside = 0, *counted = kith_new(&tmp, p, sizeof(*counted));
	struct judge s = {.problem = problem,
	    .w = counted,
	    .machine = machine,
	    .n = n,
	    .p = p,
	    .c = c,
	    .u = kith_new(&tmp, n, c * sizeof(*s.u)),
	    .xu = kith_new(&tmp, p, c * sizeof(*s.xu)),
	    .dF = kith_new(&tmp, p, sizeof(*s.dF))};

	for (size_t j = 0; j < p; j++) {
		counted[j] = fmax(w[j], 0);
		outside = fmax(outside, fmax(w[j] - 1, -w[j]));
		s.dF[j] = problem->lambda2;
	}
	if (!machine)
		s.F = s.residual = NAN;
	else if (!machine->primal)
		judge_pairs(&s);
	for (size_t o = 0; o < c && machine && machine->primal; o++)
		judge_output(&s, o);
	for (size_t j = 0; j < p; j++)
		s.F += problem->lambda2 * w[j];
	out[0] = (struct kith_check){"range", outside, 0};
	out[1] = (struct kith_check){"alpha", s.residual, ALPHA_LIMIT};
	out[2] = (struct kith_check){"stationarity",
	    isnan(s.F) ? NAN : kith_lbfgs_box_gradient(s.p, w, s.dF),
	    SLACK * fmax(tol * fmax(1, start_gradient), BALANCED * problem->lambda2)};
	if (linear)
		out[3] = (struct kith_check){"gap", isnan(s.F) ? NAN : find_gap(&s),
		    fmax(tol, BALANCED) * (double)fmaxl(1, fabsl(s.F))};
	kith_pool_free(&tmp);
	return linear ? 4 : 3;
}
