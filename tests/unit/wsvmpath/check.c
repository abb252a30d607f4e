/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of check_paths(), cmd/wsvmpath/check.c: each check of random tables of coefficients, which
 * are no solutions, beside its definition written out; tables that are none.  Solutions are judged by
 * wsvmpath_edges.t.
 */

#include "scratch.h"
#include "tap.h"
#include "wsvmpath/rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = 7, BOTH = 2 * ROWS, STEPS = 300, SEEDS = 40, TEXT = 1 << 17 };
enum { BOUNDS, SUM, KKT, GAP, INTERVAL, RANGE, PIECE };

static const char *files[2];
static struct kith_svm_task svm;
static long double K[ROWS][ROWS];

/* A table of steps: theta, b and alpha of both variables of a row. */
struct step {
	double theta, b, alpha[BOTH];
};
static struct step step[STEPS];

/* g of all variables, and their terms. */
struct sums {
	long double g[BOTH], t[BOTH];
};
static struct sums sums[STEPS];

static void
begin(int task)
{
	char table[64 * ROWS];
	size_t len = (size_t)sprintf(table, "u,v,a,b,y\n");
	const double most = kith_rng_below(&rng, 2) ? 1e9 : 5;

	for (size_t i = 0; i < ROWS; i++)
		len += (size_t)sprintf(table + len, "%.4f,%.4f,%.4f,%.4f,%zu\n",
		    kith_rng_unit(&rng), kith_rng_unit(&rng), kith_rng_unit(&rng),
		    most * kith_rng_unit(&rng), i % 2);
	files[0] = scratch_text(0, table);
	set_options(task, files);
	options.ridge = .1;
	make(&svm);
	for (size_t i = 0; i < ROWS; i++)
		for (size_t k = 0; k < ROWS; k++) {
			double own;

			kith_kern_rows(
			    &svm.kern, kith_row(&svm.X, i), kith_row(&svm.X, k), 1, &own);
			K[i][k] = own;
		}
}

static long double
weight(size_t v, long double theta)
{
	return svm.from[v] + theta * ((long double)svm.to[v] - svm.from[v]);
}

/* Draws an alpha: 0, C, between 0 and C, or a little above C; bounds: 0 or C. */
static double
pick_alpha(size_t v, double theta, bool bounds)
{
	const double C = (double)weight(v, theta);

	switch (kith_rng_below(&rng, bounds ? 2 : 5)) {
	case 0:
		return 0;
	case 1:
		return C;
	case 2:
		return C * (1 + 1e-7 * kith_rng_unit(&rng));
	default:
		return C * kith_rng_unit(&rng);
	}
}

static void
draw_steps(size_t n, bool bounds)
{
	const size_t N = svm.problem.variables;
	double theta = .1 * kith_rng_unit(&rng);

	memset(step, 0, sizeof(step));
	for (size_t s = 0; s < n; s++) {
		step[s].theta = theta;
		if (kith_rng_below(&rng, 3) > 0)
			step[s].b = 2 * kith_rng_unit(&rng) - 1;
		for (size_t i = 0; i < ROWS; i++) {
			const size_t v = N > ROWS && kith_rng_below(&rng, 2) ? i + ROWS : i;

			step[s].alpha[v] = pick_alpha(v, theta, bounds);
		}
		if (kith_rng_below(&rng, 4) > 0)
			theta += (1 - theta) * kith_rng_unit(&rng) / 10;
	}
}

static const char *
write_steps(size_t n)
{
	static char text[TEXT];
	size_t len = (size_t)sprintf(text, "step\ttheta\tname\tvalue\n");

	for (size_t s = 0; s < n; s++) {
		/* A step without its bias has b = 0. */
		if (step[s].b != 0 || step[s].alpha[0] == 0)
			len += (size_t)sprintf(text + len, "%zu\t%.17g\t(bias)\t%.17g\n", s + 1,
			    step[s].theta, step[s].b);
		for (size_t v = 0; v < BOTH; v++)
			if (step[s].alpha[v] != 0)
				len += (size_t)sprintf(text + len, "%zu\t%.17g\t%zu\t%.17g\n",
				    s + 1, step[s].theta, v % ROWS + 1,
				    v < ROWS ? step[s].alpha[v] : -step[s].alpha[v]);
	}
	return scratch_text(1, text);
}

static void
sum_up(const struct step *at, struct sums *of)
{
	for (size_t v = 0; v < svm.problem.variables; v++) {
		const long double own = svm.problem.ridge * at->alpha[v];
		long double f = at->b, t = fabs(at->b);

		for (size_t w = 0; w < svm.problem.variables; w++) {
			const long double a = at->alpha[w] * K[v % ROWS][w % ROWS];

			f += svm.sign[w] * a;
			t += fabsl(a);
		}
		of->g[v] = svm.sign[v] * f + svm.q[v] + own;
		of->t[v] = t + fabs(svm.q[v]) + fabsl(own);
	}
}

/* Returns what the last bit of theta leaves unknown of g_v, over the limit of the check. */
static long double
open_of(size_t v, long double theta)
{
	long double sum = svm.problem.ridge * fabs(svm.to[v] - svm.from[v]);

	for (size_t w = 0; w < svm.problem.variables; w++)
		sum += fabs(svm.to[w] - svm.from[w]) * K[v % ROWS][w % ROWS];
	return DBL_EPSILON / 1e-9L * theta * sum;
}

static void
most(double *value, long double own)
{
	*value = fmax(*value, (double)own);
}

/* Computes the checks of the point at the share w of the way between two steps, or of one step. */
static void
measure(size_t l, size_t r, long double w, double value[CHECKS])
{
	const long double theta = (1 - w) * step[l].theta + w * step[r].theta;
	const size_t N = svm.problem.variables;
	long double A = 0, sum = 0, rates = 0, gap = 0, size = 0, worst = 0;
	bool is_free = false;

	for (size_t v = 0; v < N; v++)
		A = fmaxl(A, (1 - w) * step[l].alpha[v] + w * step[r].alpha[v]);
	for (size_t v = 0; v < N; v++) {
		const long double a = (1 - w) * step[l].alpha[v] + w * step[r].alpha[v];
		const long double g = (1 - w) * sums[l].g[v] + w * sums[r].g[v];
		const long double t = (1 - w) * sums[l].t[v] + w * sums[r].t[v] + open_of(v, theta);
		const long double C = weight(v, theta);
		const long double rate = fabs(svm.to[v] - svm.from[v]);
		const long double few = 1e-8L * A + DBL_EPSILON * (theta * rate + C);
		long double wrong = a > few ? fmaxl(0, g) : 0;

		if (a < C - few)
			wrong = fmaxl(wrong, -g);
		is_free |= a > few && a < C - few;
		worst = fmaxl(worst, wrong / t);
		sum += svm.sign[v] * a;
		rates += rate;
		gap += wrong * (g > 0 ? a : C - a);
		size += C * t;
		if (l == r)
			most(&value[BOUNDS], fmaxl(-a, a - C) * 1e-8L / few);
	}
	if (l != r) {
		most(&value[PIECE], worst);
		return;
	}
	most(&value[KKT], worst);
	most(&value[INTERVAL], is_free ? 0 : worst);
	most(&value[GAP], gap / size);
	most(&value[SUM], fabsl(sum) / (A + DBL_EPSILON * theta * rates / 1e-8L));
}

/* Computes all checks of n steps. */
static void
measure_all(size_t n, double value[CHECKS])
{
	memset(value, 0, CHECKS * sizeof(*value));
	value[RANGE] = fmax(step[0].theta, 1 - step[n - 1].theta);
	for (size_t s = 0; s < n; s++) {
		sum_up(&step[s], &sums[s]);
		measure(s, s, 0, value);
		for (int k = 1; k < 4 && s > 0; k++)
			if (step[s - 1].theta < step[s].theta)
				measure(s - 1, s, k / 4.L, value);
	}
}

/* Tables of few steps, and one of more steps than check.c checks together. */
static void
test_task(int task)
{
	static const char *const name[] = {
	    "bounds", "sum", "kkt", "gap", "interval", "range", "piece"};
	size_t wrong[CHECKS] = {0}, seen[CHECKS] = {0};

	for (size_t seed = 0; seed < SEEDS; seed++) {
		const size_t n = seed == 0 ? STEPS : 1 + kith_rng_below(&rng, 4);
		struct kith_check got[CHECKS];
		double due[CHECKS];
		struct kith_err err;

		begin(task);
		draw_steps(n, kith_rng_below(&rng, 2));
		options.check = write_steps(n);
		if (check_paths(&svm, got, &err))
			abort();
		measure_all(n, due);
		for (size_t i = 0; i < CHECKS; i++) {
			wrong[i] += !(fabs(got[i].value - due[i]) <= 1e-9 * due[i] + 1e-15) ||
			    strcmp(got[i].check, name[i]) != 0;
			seen[i] += due[i] > 1e-3 || (i == BOUNDS && due[i] > 1e-10);
		}
		kith_pool_free(&pool);
	}
	for (size_t i = 0; i < CHECKS; i++)
		ok(wrong[i] == 0 && seen[i] > 3, "%s: %zu of %d are not as defined", name[i],
		    wrong[i], SEEDS);
}

/* Tables that are none. */
static void
test_errors(void)
{
	static const struct {
		const char *table, *due;
	} bad[] = {
	    {"step,theta,name\n1,0,1\n", "column \"value\": not found"},
	    {"step,theta,name,value\nx,0,1,1\n", "column \"step\": not the number of a step: 'x'"},
	    {"step,theta,name,value\n1,0,3,1\n", "column \"name\": no row of the data: '3'"},
	    {"step,theta,name,value\n1,0,1,\n", "column \"value\": missing: ''"},
	    {"step,theta,name,value\n1,2,1,1\n",
		"column \"theta\": not from 0 to 1 in increasing order"},
	    {"step,theta,name,value\n1,.5,1,1\n2,.4,1,1\n",
		"column \"theta\": not from 0 to 1 in increasing order"},
	    {"step,theta,name,value\n1,.5,1,1\n1,.6,2,1\n",
		"column \"theta\": differs within a step"},
	};
	struct kith_check check[CHECKS];
	struct kith_err err;

	files[0] = scratch_text(0, "x,a,b,y\n0,0,.1,1\n1,0,.1,2\n");
	set_options(KITH_SVM_CLASSIFY, files);
	make(&svm);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		options.check = scratch_text(1, bad[i].table);
		is_text(check_paths(&svm, check, &err) ? err.msg : "", bad[i].due, bad[i].due);
	}
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_task(KITH_SVM_CLASSIFY);
	test_task(KITH_SVM_REGRESS);
	test_errors();
	return done();
}
