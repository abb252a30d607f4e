/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/smooth_least.h"

#include "la/vec.h"
#include "la/vexp.h"

#include <assert.h>
#include <math.h>

/* A share below counts as 0. */
#define NOTHING 1e-12

/* exp(-REACH) is next to nothing. */
#define REACH 28

/* 1'q = k to this. */
#define EXACT 1e-9

enum { STEPS = 100 };

static double
least_of(size_t m, const double *d)
{
	double least = INFINITY;

	for (size_t j = 0; j < m; j++)
		least = kith_lesser(least, d[j]);
	return least;
}

/* -T log sum exp(-d_j / T); only numbers within REACH T of the least count. */
static double
softest(double T, size_t m, const double *d, double *q, double *room)
{
	const double least = least_of(m, d), limit = least + REACH * T;
	double sum = 0;
	size_t near = 0;

	assert(m > 0);
	for (size_t j = 0; j < m; j++)
		if (d[j] <= limit)
			room[near++] = (least - d[j]) / T;
	kith_vexp(near, room, room);
	for (size_t j = 0; j < near; j++)
		sum += room[j];
	near = 0;
	for (size_t j = 0; j < m; j++)
		q[j] = d[j] <= limit ? room[near++] / sum : 0;
	return least - T * log(sum);
}

/* q_j = 1 / (1 + exp((d_j - mu) / T)); their sum, and *slope its derivative. */
static double
shares_at(double mu, double T, size_t m, const double *d, double *q, double *slope)
{
	double sum = 0;

	for (size_t j = 0; j < m; j++)
		q[j] = (d[j] - mu) / T;
	kith_vexp(m, q, q);
	*slope = 0;
	for (size_t j = 0; j < m; j++) {
		q[j] = 1 / (1 + q[j]);
		sum += q[j];
		*slope += q[j] * (1 - q[j]) / T;
	}
	return sum;
}

/* The mu at which q sums to k < m: Newton steps, with bisection. */
static double
level(double k, double T, size_t m, const double *d, double *q)
{
	double low = INFINITY, high = -INFINITY, mu, slope;

	for (size_t j = 0; j < m; j++) {
		low = kith_lesser(low, d[j]);
		high = kith_larger(high, d[j]);
	}
	/* No q is above k / m at the one, none is below at the other. */
	mu = T * log(k / ((double)m - k));
	low += mu;
	high += mu;
	mu = (low + high) / 2;
	for (int step = 0; step < STEPS; step++) {
		const double over = shares_at(mu, T, m, d, q, &slope) - k;

		if (fabs(over) <= EXACT)
			break;
		*(over > 0 ? &high : &low) = mu;
		mu -= over / slope;
		if (!(mu > low && mu < high))
			mu = (low + high) / 2;
	}
	return mu;
}

/* S_k, and its gradient q. */
static double
softest_sum(double k, double T, size_t m, const double *d, double *q)
{
	const double mu = level(k, T, m, d, q);
	double sum = k * mu;

	/* The least over q is k mu - T sum log(1 + exp((mu - d) / T)). */
	for (size_t j = 0; j < m; j++) {
		const double x = (mu - d[j]) / T;

		if (x > -40)
			sum -= x > 40 ? T * x : T * log1p(exp(x));
	}
	return sum;
}

double
kith_sqpfw_smooth_least(size_t k, double T, size_t m, const double *d, double *q, double *room)
{
	double value;

	if (k == 1)
		return softest(T, m, d, q, room);
	if (k == m) {
		value = kith_vec_sum(m, d);
		for (size_t j = 0; j < m; j++)
			q[j] = 1;
	} else
		value = softest_sum((double)k, T, m, d, q);
	value -= softest_sum((double)k - 1, T, m, d, room);
	for (size_t j = 0; j < m; j++) {
		q[j] -= room[j];
		if (fabs(q[j]) < NOTHING)
			q[j] = 0;
	}
	return value;
}
