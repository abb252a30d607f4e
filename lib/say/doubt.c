/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/doubt.h"

#include "base/num.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "la/lanes.h"
#include "la/simd.h"
#include "table/table.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
	CLASSES = 20, /* numbers that may be names of classes */
	MEMBERS = 5,  /* rows of a class that is meant as one */
	FEW = 10,     /* rows that tell something of a range, */
	SOME = 20,    /* or of many ranges */
	RANGES = 10,  /* a number so many ranges off is in another unit */
	FIRST = 1000  /* rows that tell about what a mean is, or ranges */
};

/* Sums of squares whose terms do not matter where they are too small. */
static const double LEAST = 0x1p-900, MOST = DBL_MAX;

/* Whether the names are numbers; *whole: and all of them whole. */
static bool
are_numbers(const struct kith_names *class, bool *whole)
{
	*whole = true;
	for (size_t k = 0; k < class->n; k++) {
		const char *name = class->name[k];
		double x;

		if (kith_parse_real(name, strlen(name), &x) == KITH_NUM_TEXT)
			return false;
		*whole = *whole && x == rint(x);
	}
	return true;
}

/* The rows of the smallest class that has any. */
static size_t
smallest(const struct kith_names *class, const size_t *y, size_t n)
{
	struct kith_pool tmp = {0};
	size_t *count = kith_new(&tmp, class->n, sizeof(*count)), least = n;

	for (size_t i = 0; i < n; i++)
		if (y[i] < class->n)
			count[y[i]]++;
	for (size_t k = 0; k < class->n; k++)
		if (count[k] > 0 && count[k] < least)
			least = count[k];
	kith_pool_free(&tmp);
	return least;
}

void
kith_say_many_classes(
    const char *target, const struct kith_names *class, const size_t *y, size_t n, const char *hint)
{
	bool whole;

	if (!are_numbers(class, &whole) ||
	    (whole && (class->n <= CLASSES || smallest(class, y, n) >= MEMBERS)))
		return;
	kith_warn("column " KITH_NAME ": %zu different numbers, taken for classes (%s)", target,
	    class->n, hint);
}

void
kith_say_table_classes(const struct kith_table *t, const char *hint)
{
	if (t->y)
		kith_say_many_classes(t->target, &t->class, t->y, t->X.n, hint);
}

/* The standard deviation of a column; 0 where it is constant. */
static double
deviation(const struct kith_mat *X, size_t j)
{
	const long double n = (long double)X->n;
	long double sum = 0, squares = 0;

	if (kith_mat_is_constant(X, j))
		return 0;
	for (size_t i = 0; i < X->n; i++)
		sum += kith_row(X, i)[j];
	for (size_t i = 0; i < X->n; i++) {
		const long double d = kith_row(X, i)[j] - sum / n;

		squares += d * d;
	}
	return (double)sqrtl(squares / n);
}

/* Eight numbers at any address. */
KITH_INLINE kith_v8d_at *
at(double *x)
{
	return (kith_v8d_at *)x;
}

/* Add to sum the differences of p numbers from others, or the squares of them. */
KITH_INLINE void
add_all(size_t p, const double *x, const double *from, double *sum, bool squares)
{
	size_t j = 0;

	for (; j + 8 <= p; j += 8) {
		const kith_v8d d = *kith_lanes_at(x + j) - *kith_lanes_at(from + j);

		*at(sum + j) += squares ? d * d : d;
	}
	for (; j < p; j++) {
		const double d = x[j] - from[j];

		sum[j] += squares ? d * d : d;
	}
}

KITH_CLONES static void
doubt_rests(size_t p, const double *x, const double *from, double *sum)
{
	add_all(p, x, from, sum, false);
}

KITH_CLONES static void
doubt_squares(size_t p, const double *x, const double *from, double *sum)
{
	add_all(p, x, from, sum, true);
}

/*
 * Those of all columns, row after row, in doubles: of sums of squares of
 * differences from the mean.  Column by column where these may be too large or too
 * small for doubles.
 */
static void
deviations(const struct kith_mat *X, const double *mean, double *squares)
{
	const size_t p = X->p;
	const double n = (double)X->n;

	memset(squares, 0, p * sizeof(*squares));
	for (size_t i = 0; i < X->n; i++)
		doubt_squares(p, kith_row(X, i), mean, squares);
	for (size_t j = 0; j < p; j++)
		squares[j] = LEAST < squares[j] && squares[j] < MOST ? sqrt(squares[j] / n)
								     : deviation(X, j);
}

/*
 * The means of all columns, of sums of differences from the first row, which are
 * small beside it.  In the same pass, about what the deviations are, from squares of
 * differences from c, the mean of the first rows:
 *
 *	sum_i (x_i - m)^2 = sum_i (x_i - c)^2 - n (m - c)^2;
 *
 * false where little is left of a first sum, or it may be too large or too small.
 */
static bool
means(const struct kith_mat *X, double *mean, double *c, double *about)
{
	const size_t p = X->p, first = X->n < FIRST ? X->n : FIRST;
	const double n = (double)X->n;
	bool sure = true;

	for (size_t i = 1; i < first; i++)
		doubt_rests(p, kith_row(X, i), X->v, mean);
	for (size_t j = 0; j < p; j++)
		c[j] = X->v[j] + mean[j] / (double)first;
	for (size_t i = 0; i < X->n; i++) {
		doubt_squares(p, kith_row(X, i), c, about);
		if (i >= first)
			doubt_rests(p, kith_row(X, i), X->v, mean);
	}
	for (size_t j = 0; j < p; j++) {
		double off;

		mean[j] = X->v[j] + mean[j] / n;
		off = n * (mean[j] - c[j]) * (mean[j] - c[j]);
		sure = sure && LEAST < about[j] && about[j] < MOST && off < about[j] / 2;
		about[j] = sqrt((about[j] - off) / n);
	}
	return sure;
}

/* The columns of the largest and of the smallest deviation, but 0. */
struct apart {
	size_t large, small;
	double ratio;
};

static struct apart
compare(size_t p, const double *deviation)
{
	struct apart apart = {0};
	double most = 0, least = INFINITY;

	for (size_t j = 0; j < p; j++) {
		const double s = deviation[j];

		if (s > most) {
			most = s;
			apart.large = j;
		}
		if (s > 0 && s < least) {
			least = s;
			apart.small = j;
		}
	}
	apart.ratio = most / least;
	return apart;
}

void
kith_say_scales(const struct kith_table *t, const size_t *column, double factor)
{
	struct kith_pool tmp = {0};
	double *mean, *c, *deviation;
	struct apart apart;
	bool sure;

	if (!kith_warns())
		return;
	KITH_NEW_REALS(&tmp, t->X.p, 1, &mean, &c, &deviation);
	sure = means(&t->X, mean, c, deviation);
	apart = compare(t->X.p, deviation);
	if (!sure || apart.ratio > factor / 1.001) {
		deviations(&t->X, mean, deviation);
		apart = compare(t->X.p, deviation);
	}
	kith_pool_free(&tmp);
	if (apart.ratio > factor)
		kith_warn("columns " KITH_NAME " and " KITH_NAME
			  ": scales differ by a factor of %.3g (tabscale?)",
		    t->feature.name[column ? column[apart.small] : apart.small],
		    t->feature.name[column ? column[apart.large] : apart.large],
		    fmin(apart.ratio, DBL_MAX));
}

/* A feature: its range in the reference, and the rows asked beyond it. */
struct beyond {
	double least, most;
	size_t out, by_one, by_many; /* at all, by a range, by RANGES */
};

static void
look(const struct kith_mat *Z, size_t j, struct beyond *b)
{
	const long double R = (long double)b->most - b->least;

	for (size_t i = 0; i < Z->n; i++) {
		const long double z = kith_row(Z, i)[j];
		const long double off = z < b->least ? b->least - z : z > b->most ? z - b->most : 0;

		b->out += off > 0;
		b->by_one += off > R;
		b->by_many += off > RANGES * R;
	}
}

/* All features, and which of them has most rows farthest off. */
struct all {
	size_t features, out, by_one; /* out: of which most rows are */
	bool far;                     /* those of one by RANGES */
	size_t worst;
	struct beyond of; /* the worst */
};

static bool
is_worse(const struct beyond *a, const struct beyond *b)
{
	if (a->by_many != b->by_many)
		return a->by_many > b->by_many;
	return a->by_one != b->by_one ? a->by_one > b->by_one : a->out > b->out;
}

/*
 * Look at all features of Z beside X; where X is not the whole of the reference,
 * those that are constant in X, too, which may have a range in it.
 */
static struct all
look_at_all(const struct kith_mat *X, const struct kith_mat *Z, bool whole)
{
	struct kith_pool tmp = {0};
	struct all all = {0};
	double *least, *most;

	KITH_NEW_REALS(&tmp, X->p, 1, &least, &most);
	kith_mat_ranges(X, least, most);
	for (size_t j = 0; j < X->p; j++) {
		struct beyond b = {.least = least[j], .most = most[j]};

		if (whole && !(b.least < b.most))
			continue;
		look(Z, j, &b);
		all.features += b.least < b.most;
		all.out += 2 * b.out > Z->n;
		all.by_one += b.by_one;
		all.far = all.far || 2 * b.by_many > Z->n;
		if (is_worse(&b, &all.of)) {
			all.of = b;
			all.worst = j;
		}
	}
	kith_pool_free(&tmp);
	return all;
}

/* Whether so much of m rows lies outside of the ranges of n. */
static bool
is_outside(const struct all *all, size_t n, size_t m)
{
	return (all->far && m >= FEW) || 2 * all->by_one > m * all->features ||
	    (2 * all->out >= all->features && n >= SOME && m >= SOME);
}

/*
 * Whether it may: beside some rows only, whose ranges lie in those of all, no less
 * of Z lies outside, and no more features have a range.
 */
static bool
may_be_outside(const struct kith_mat *X, const struct kith_mat *Z)
{
	const size_t step = X->n / FIRST;
	struct kith_pool tmp = {0};
	size_t *row;
	struct kith_mat some;
	struct all all;

	if (step <= 1)
		return true;
	KITH_NEW_SIZES(&tmp, FIRST, 1, &row);
	for (size_t i = 0; i < FIRST; i++)
		row[i] = i * step;
	some = kith_mat_rows(X, row, FIRST, &tmp);
	all = look_at_all(&some, Z, false);
	kith_pool_free(&tmp);
	return is_outside(&all, X->n, Z->n);
}

void
kith_say_outside(
    const struct kith_table *known, const struct kith_table *asked, const size_t *column)
{
	const size_t n = known->X.n, m = asked->X.n;
	struct all all;

	if (!kith_warns() || n < FEW || m == 0 || known->X.p == 0 ||
	    !may_be_outside(&known->X, &asked->X))
		return;
	all = look_at_all(&known->X, &asked->X, true);
	if (all.features == 0 || !is_outside(&all, n, m))
		return;
	kith_warn("%s: column " KITH_NAME
		  ": %zu of %zu rows are outside of the range in %s, %g to %g "
		  "(tabscale --apply?)",
	    asked->file, known->feature.name[column ? column[all.worst] : all.worst], all.of.out, m,
	    known->file, all.of.least, all.of.most);
}

bool
kith_say_undivided(const char *file, const struct kith_names *column)
{
	const char *name = column->name[0];

	if (column->n > 1 || !name[strcspn(name, " \t|:;,/~^&")])
		return false;
	kith_warn("%s: one column only: " KITH_NAME " (-d?)", file, name);
	return true;
}
