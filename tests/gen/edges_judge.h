/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * edges_judge - whether the steps that wsvmpath printed are solutions of a
 * problem of edges.c, in 80 bits, from nothing but the table and the steps.
 *
 * With C, alpha, b and g = e f + q + ridge alpha at a step, A its largest alpha
 * and t_v = |q_v| + |b| + sum_w |Q_vw| alpha_w the terms of g_v, a step is off
 * where
 *
 *	-alpha_v or alpha_v - C_v > 1e-8 A
 *	|sum e_v alpha_v| > 1e-8 A
 *	g_v > 1e-9 t_v where alpha_v > 1e-8 A
 *	-g_v > 1e-9 t_v where alpha_v < C_v - 1e-8 A
 *
 * after what a theta of 53 bits leaves open; so is a piece, of which the points
 * at 1/4, 1/2 and 3/4 between two steps are judged.
 */
#ifndef KITH_EDGES_JUDGE_H
#define KITH_EDGES_JUDGE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDGES_ROWS = 60, EDGES_COLUMNS = 80, EDGES_VARIABLES = EDGES_ROWS * EDGES_ROWS };

enum edges_task { EDGES_CLASSIFY, EDGES_REGRESS, EDGES_RANK };
enum edges_kernel { EDGES_GAUSSIAN, EDGES_LINEAR, EDGES_POLYNOMIAL };

struct edges {
	enum edges_task task;
	enum edges_kernel kernel;
	size_t n, p, degree;
	bool numbers; /* --from and --to are numbers */
	double x[EDGES_ROWS][EDGES_COLUMNS], y[EDGES_ROWS];
	double from[EDGES_ROWS], to[EDGES_ROWS]; /* weights */
	size_t query[EDGES_ROWS];
	double gamma, ridge, epsilon; /* the ridge: over the mean K_ii */
};

/* The worst, over what is allowed: off > 1 is wrong. */
struct edges_verdict {
	long double off;
	const char *what;
	size_t step;
};

/* A solution: alpha of N variables. */
struct edges_point {
	long double theta, b, alpha[EDGES_VARIABLES];
};

/* The problem of wsvm/problem.h. */
struct edges_problem {
	const struct edges *e;
	size_t N, plus[EDGES_VARIABLES], minus[EDGES_VARIABLES];
	long double sign[EDGES_VARIABLES], q[EDGES_VARIABLES];
	long double from[EDGES_VARIABLES], to[EDGES_VARIABLES];
	long double K[EDGES_ROWS][EDGES_ROWS], ridge;
};

static inline long double
edges_kernel_of(const struct edges *e, size_t i, size_t j)
{
	long double dot = 0, square = 0, K = 1;

	for (size_t k = 0; k < e->p; k++) {
		const long double a = e->x[i][k], b = e->x[j][k];

		dot += a * b;
		square += (a - b) * (a - b);
	}
	if (e->kernel == EDGES_LINEAR)
		return dot;
	if (e->kernel == EDGES_GAUSSIAN)
		return expl(-(long double)e->gamma * square);
	for (size_t d = 0; d < e->degree; d++)
		K *= (long double)e->gamma * dot + 1;
	return K;
}

static inline void
edges_add(struct edges_problem *p, size_t i, size_t j, long double sign, long double q)
{
	const size_t v = p->N++;

	p->plus[v] = i;
	p->minus[v] = j;
	p->sign[v] = sign;
	p->q[v] = q;
	p->from[v] = p->e->from[i];
	p->to[v] = p->e->to[i];
}

static inline void
edges_problem(const struct edges *e, struct edges_problem *p)
{
	long double mean = 0;

	p->e = e;
	p->N = 0;
	for (size_t i = 0; i < e->n; i++)
		for (size_t j = 0; j < e->n; j++)
			p->K[i][j] = edges_kernel_of(e, i, j);
	for (size_t i = 0; i < e->n; i++)
		mean += p->K[i][i] / e->n;
	p->ridge = e->ridge * (getenv("EDGES_ABSOLUTE") ? 1 : mean);
	for (size_t i = 0; i < e->n; i++)
		if (e->task == EDGES_CLASSIFY)
			edges_add(p, i, i, e->y[i], -1);
		else if (e->task == EDGES_REGRESS)
			edges_add(p, i, i, 1, (long double)e->epsilon - e->y[i]);
		else
			for (size_t j = 0; j < e->n; j++)
				if (e->query[i] == e->query[j] && e->y[i] > e->y[j])
					edges_add(p, i, j, 1, -1);
	for (size_t i = 0; e->task == EDGES_REGRESS && i < e->n; i++)
		edges_add(p, i, i, -1, (long double)e->epsilon + e->y[i]);
}

static inline void
edges_worst(struct edges_verdict *v, long double off, const char *what, size_t step)
{
	if (off <= v->off)
		return;
	v->off = off;
	v->what = what;
	v->step = step;
}

/* Judge a point; weights are known to `ulp` of theta. */
static inline void
edges_judge_point(const struct edges_problem *p, const struct edges_point *at, size_t step,
    struct edges_verdict *verdict)
{
	const bool rank = p->e->task == EDGES_RANK;
	const long double ulp = DBL_EPSILON * at->theta;
	long double A = 0, sum = 0, loose = 0;
	static long double f[EDGES_ROWS], t[EDGES_ROWS], r[EDGES_ROWS];

	memset(f, 0, sizeof(f));
	memset(t, 0, sizeof(t));
	memset(r, 0, sizeof(r));
	for (size_t v = 0; v < p->N; v++) {
		const long double a = at->alpha[v];
		const long double rate = fabsl(p->to[v] - p->from[v]) * ulp;

		A = a > A ? a : A;
		sum += p->sign[v] * a;
		loose += rate;
		for (size_t i = 0; i < p->e->n && (a != 0 || rate > 0); i++) {
			const long double K = p->K[i][p->plus[v]];
			const long double L = rank ? p->K[i][p->minus[v]] : 0;

			f[i] += p->sign[v] * a * (K - L);
			t[i] += fabsl(a) * (fabsl(K) + fabsl(L));
			r[i] += rate * fabsl(K - L);
		}
	}
	if (!rank)
		edges_worst(verdict, fabsl(sum) / (1e-8L * A + loose + LDBL_MIN), "sum", step);
	for (size_t v = 0; v < p->N; v++) {
		const size_t i = p->plus[v], j = p->minus[v];
		const long double rate = p->to[v] - p->from[v];
		const long double C = p->from[v] + at->theta * rate;
		const long double few = 1e-8L * A + fabsl(rate) * ulp + DBL_EPSILON * C + LDBL_MIN;
		const long double a = at->alpha[v];
		const long double g = p->sign[v] * (rank ? f[i] - f[j] : f[i] + at->b) + p->q[v] +
		    p->ridge * a;
		const long double terms = fabsl(p->q[v]) + fabsl(at->b) + t[i] + (rank ? t[j] : 0) +
		    p->ridge * a;
		const long double least = 1e-9L * terms + r[i] + (rank ? r[j] : 0) +
		    p->ridge * fabsl(rate) * ulp + LDBL_MIN;

		edges_worst(verdict, fmaxl(-a, a - C) / few, "bound", step);
		if (a > few)
			edges_worst(verdict, g / least, "g above 0", step);
		if (a < C - few)
			edges_worst(verdict, -g / least, "g below 0", step);
	}
}

/* Between two steps. */
static inline void
edges_judge_piece(const struct edges_problem *p, const struct edges_point *l,
    const struct edges_point *r, size_t step, struct edges_verdict *verdict)
{
	static struct edges_point at;
	struct edges_verdict own = {0};

	for (int k = 1; k < 4; k++) {
		const long double w = k / 4.0L;

		at.theta = l->theta + w * (r->theta - l->theta);
		at.b = l->b + w * (r->b - l->b);
		for (size_t v = 0; v < p->N; v++)
			at.alpha[v] = l->alpha[v] + w * (r->alpha[v] - l->alpha[v]);
		edges_judge_point(p, &at, step, &own);
	}
	if (r->theta > l->theta && own.off > 1)
		edges_worst(verdict, own.off,
		    own.what[0] == 'g'       ? "piece g"
			: own.what[0] == 's' ? "piece sum"
					     : "piece bound",
		    step);
}

/* The variable that a name says; regress: alpha below 0 is the second's. */
static inline size_t
edges_find(const struct edges_problem *p, const char *name, double x)
{
	const size_t n = p->e->n;
	char *end;
	const size_t i = strtoul(name, &end, 10) - 1;

	if (p->e->task == EDGES_REGRESS)
		return x < 0 ? n + i : i;
	if (p->e->task == EDGES_CLASSIFY)
		return i;
	for (size_t v = 0, j = strtoul(end + 1, NULL, 10) - 1; v < p->N; v++)
		if (p->plus[v] == i && p->minus[v] == j)
			return v;
	return 0;
}

/* -1: FILE is no path from 0 to 1. */
static inline int
edges_judge(const struct edges *e, const char *file, struct edges_verdict *verdict)
{
	static struct edges_problem p;
	static struct edges_point point[2];
	struct edges_point *last = NULL, *now = NULL;
	char name[64], line[256];
	size_t step = 0, of;
	double theta, x;
	FILE *f = fopen(file, "r");

	verdict->what = "nothing";
	if (!f || !fgets(line, sizeof(line), f))
		return -1;
	edges_problem(e, &p);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%zu %lf %63s %lf", &of, &theta, name, &x) != 4)
			break;
		if (!now || of != step) {
			if (now)
				edges_judge_point(&p, now, step, verdict);
			if (last)
				edges_judge_piece(&p, last, now, step, verdict);
			last = now;
			now = now == point ? point + 1 : point;
			memset(now, 0, sizeof(*now));
			now->theta = theta;
			step = of;
		}
		if (strcmp(name, "(bias)") == 0)
			now->b = x;
		else
			now->alpha[edges_find(&p, name, x)] = fabs(x);
	}
	fclose(f);
	if (!now || now->theta != 1)
		edges_worst(verdict, INFINITY, "an early end", step);
	if (now)
		edges_judge_point(&p, now, step, verdict);
	if (last)
		edges_judge_piece(&p, last, now, step, verdict);
	return 0;
}

#endif
