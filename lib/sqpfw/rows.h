/*
 * sqpfw/rows - rows of constraints of sqpfw/sqpfw.h, and sums over features.
 *
 * The row of a pair (i, j) whose target is r is eps_ij - eps_ir, feature by
 * feature (x_j - x_r) ((x_j - x_i) + (x_r - x_i)): no difference of squares, so
 * that near rows keep their digits.
 *
 * Lengths are multiples of 8; what lies behind the features is 0.  Every
 * instruction set gives the same bits.
 */
#ifndef KITH_SQPFW_ROWS_H
#define KITH_SQPFW_ROWS_H

#include <stddef.h>

/* The rows i, j and r of the data. */
struct kith_sqpfw_pair {
	const double *i, *j, *r;
};

/* n, rounded up to a multiple of 8. */
static inline size_t
kith_sqpfw_room(size_t n)
{
	return (n + 7) / 8 * 8;
}

static inline double
kith_sqpfw_larger(double a, double b)
{
	return a > b ? a : b;
}

/* out[0] = row'w and out[1] = row'd. */
void kith_sqpfw_rows_at(size_t n, const struct kith_sqpfw_pair *pair,
    const double *w, const double *d, double out[2]);

/*
 * The most that row'D is for sum D^2 / h = 1 and 1'D = 0, the root of the
 * least of sum h (row - c)^2; its negative where the row is so small beside
 * what it is the difference of that it may be nothing but rounding.
 */
double kith_sqpfw_rows_size(
    size_t n, const struct kith_sqpfw_pair *pair, const double *h);

/* out = the row, or out += factor times the row. */
void kith_sqpfw_rows_put(
    size_t n, const struct kith_sqpfw_pair *pair, double *out);
void kith_sqpfw_rows_add(
    size_t n, const struct kith_sqpfw_pair *pair, double factor, double *out);

/* out += factor times (row - c)^2, with the c of the size. */
void kith_sqpfw_rows_spread(size_t n, const struct kith_sqpfw_pair *pair,
    const double *h, double factor, double *out);

/* The sum of the squares of w + tau d - from over from + floor. */
double kith_sqpfw_moved(size_t n, const double *w, double tau, const double *d,
    const double *from, double floor);

/*
 * The least length, by the squares over scale (sqpfw/state.h), of what is of
 * length 1 by those over from + floor.
 */
double kith_sqpfw_slowest(
    size_t n, const double *scale, const double *from, double floor);

/* x'y, y += a x; and x = c x + s y, y = c y - s x at once, of any length. */
double kith_sqpfw_dot(size_t n, const double *x, const double *y);
void kith_sqpfw_axpy(size_t n, double a, const double *x, double *y);
void kith_sqpfw_turn(size_t n, double c, double s, double *x, double *y);

#endif
