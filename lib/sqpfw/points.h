/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/points - the rows of sqpfw/sqpfw.h as points: equal rows of a class are
 * one, with so many copies; points of a class follow each other, by first row.
 *
 * Values are multiplied by the power of two that brings the mean square of the
 * standard deviations next to 1, so squares neither overflow nor vanish
 * altogether; squared distances are then 2^(2 exponent) times those of the
 * rows.
 *
 * X holds the values by position: features of positive weight come first, and
 * kith_sqpfw_points_swap() keeps it so.  The panels hold them by feature, 16
 * points at a time, for passes over all points.
 */
#ifndef KITH_SQPFW_POINTS_H
#define KITH_SQPFW_POINTS_H

#include <stddef.h>

struct kith_mat;
struct kith_pool;

enum { KITH_SQPFW_PANEL = 16 };

struct kith_sqpfw_points {
	size_t n, p, ld, c; /* points, features, their room, classes */
	double *X;          /* point i from X + i * ld on, by position */
	double *rounding;   /* of each position (near/alike.h) */
	double *panel;      /* feature f of point i: kith_sqpfw_value() */
	size_t *start;      /* c + 1: the first point of each class */
	size_t *of;         /* class of each point */
	size_t *first;      /* its first row */
	size_t *copies;     /* how many rows it stands for, */
	double *share;      /* and their share in the mean over rows */
	size_t *point;      /* of each row */
	size_t *member;     /* all rows, those of a point together: */
	size_t *members;    /* n + 1: where those of each point begin */
	size_t rows;
	int exponent;
};

/* weight (n, of mean 1) may be NULL.  Time O(n p log n); memory 2 n p. */
struct kith_sqpfw_points kith_sqpfw_points_new(const struct kith_mat *X, const size_t *y, size_t c,
    const double *weight, struct kith_pool *pool);

/* Exchange two positions of X.  Time O(n). */
void kith_sqpfw_points_swap(struct kith_sqpfw_points *points, size_t a, size_t b);

/* The values of a point by position. */
static inline const double *
kith_sqpfw_point(const struct kith_sqpfw_points *points, size_t i)
{
	return points->X + i * points->ld;
}

static inline double
kith_sqpfw_value(const struct kith_sqpfw_points *points, size_t i, size_t f)
{
	return points->panel[(i / KITH_SQPFW_PANEL * points->p + f) * KITH_SQPFW_PANEL +
	    i % KITH_SQPFW_PANEL];
}

#endif
