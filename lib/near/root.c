/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With 18 digits a root is off by 5e-18 of its size at most, its square by 1e-17,
 * less than half of the step to the next double, 5e-17.  So the square of the
 * text, of which a pair of doubles has 100 bits, rounds to d.
 */
#include "near/root.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DIGITS = 18,
	MOST = 300 /* powers of ten: beyond are no roots of doubles */
};

/* hi + lo, lo being less than what hi can tell. */
struct pair {
	double hi, lo;
};

/* A decimal: digits 10^e, with a sign. */
struct decimal {
	uint64_t digits;
	int e;
	bool below;
};

static struct pair
sum(double hi, double lo)
{
	const double s = hi + lo;

	return (struct pair){s, lo - (s - hi)};
}

/* Half of the digits of x, and the rest (Veltkamp 1968); |x| <= 1e300. */
static struct pair
halves(double x)
{
	const double c = 0x1p27 * x + x, hi = c - (c - x);

	return (struct pair){hi, x - hi};
}

/* x y, exactly (Dekker 1971), where nothing overflows or vanishes. */
static struct pair
product(double x, double y)
{
	const struct pair a = halves(x), b = halves(y);
	const double p = x * y;
	const double less = ((p - a.hi * b.hi) - a.lo * b.hi) - a.hi * b.lo;

	return (struct pair){p, a.lo * b.lo - less};
}

static struct pair
ten_to(int n)
{
	static const double exact[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
	    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
	    1e19, 1e20, 1e21, 1e22};
	const int most = (int)(sizeof(exact) / sizeof(*exact)) - 1;
	struct pair x = {exact[n < most ? n : most], 0};

	for (; n > most; n--) {
		const struct pair y = product(x.hi, 10);

		x = sum(y.hi, y.lo + x.lo * 10);
	}
	return x;
}

/* The size of a decimal, -MOST <= e <= MOST. */
static struct pair
value_of(struct decimal x)
{
	const double hi = (double)x.digits;
	const struct pair a = {hi, (double)(int64_t)(x.digits - (uint64_t)hi)};
	const struct pair b = ten_to(abs(x.e));
	const double y = a.hi / b.hi;
	const struct pair whole = product(x.e > 0 ? a.hi : y, b.hi);

	if (x.e > 0)
		return sum(whole.hi, whole.lo + a.hi * b.lo + a.lo * b.hi);
	return sum(y, (a.hi - whole.hi - whole.lo + a.lo - y * b.lo) / b.hi);
}

/* The first digits of a number. */
static struct decimal
read_decimal(const char *text)
{
	struct decimal x = {.below = *text == '-'};
	bool point = false;
	int n = 0;

	for (text += x.below; *text && *text != 'e' && *text != 'E'; text++) {
		const bool digit = *text >= '0' && *text <= '9';

		point = point || *text == '.';
		if (digit && n < DIGITS) {
			x.digits = 10 * x.digits + (uint64_t)(*text - '0');
			n += x.digits > 0;
			x.e -= point;
		} else if (digit)
			x.e += !point;
	}
	if (*text) {
		const long e = strtol(text + 1, NULL, 10);

		x.e += e > 9999 ? 9999 : e < -9999 ? -9999 : (int)e;
	}
	return x;
}

double
kith_near_root_parse(const char *text)
{
	const struct decimal x = read_decimal(text);
	struct pair root, square;
	double d = 0;

	if (strstr(text, "inf") || (x.digits > 0 && x.e > MOST))
		d = INFINITY;
	else if (x.digits > 0 && x.e >= -MOST) {
		/* In units in which no square overflows or loses digits. */
		const int shift = (root = value_of(x)).hi > 1 ? -16 : 60;

		root.hi = ldexp(root.hi, shift);
		root.lo = ldexp(root.lo, shift);
		square = product(root.hi, root.hi);
		d = square.hi + (square.lo + 2 * root.hi * root.lo);
		d = ldexp(d, -2 * shift);
	}
	return x.below ? -d : d;
}

/* The root of d > 0 to 18 digits. */
static struct decimal
long_root(double d, double root)
{
	char text[KITH_NUM_ROOM];
	struct decimal x;
	struct pair near;
	int e;
	const double unit = frexp(root, &e); /* root = unit 2^e */
	const struct pair square = product(unit, unit);
	const double rest = ldexp(
	    (ldexp(d, -2 * e) - square.hi - square.lo) / (2 * unit), e);

	snprintf(text, sizeof(text), "%.*e", DIGITS - 2, root);
	x = read_decimal(text);
	x.digits *= 10;
	x.e--;
	near = value_of(x);
	near.hi = root - near.hi - near.lo + rest;
	near.hi = x.e > 0 ? near.hi / ten_to(x.e).hi
			  : near.hi * ten_to(-x.e).hi;
	x.digits += (uint64_t)(int64_t)rint(near.hi);
	for (; x.digits % 10 == 0; x.digits /= 10)
		x.e++;
	return x;
}

/* Write it, with a point where numbers of its size have one. */
static void
write_decimal(char text[KITH_NUM_ROOM], struct decimal x)
{
	char digits[KITH_NUM_ROOM];
	const int n = (int)kith_format_size(digits, x.digits);
	const int e = x.e + n - 1; /* of the first digit */
	int point = 1, behind = 0;

	if (e >= 0 && e < n)
		point = e + 1;
	else if (e < 0 && e >= -4)
		behind = -e;
	if (x.below)
		*text++ = '-';
	if (behind) {
		text = stpcpy(text, "0.");
		while (--behind > 0)
			*text++ = '0';
		stpcpy(text, digits);
		return;
	}
	memcpy(text, digits, (size_t)point);
	text[point] = '.';
	text = stpcpy(text + point + 1, digits + point);
	if (e != point - 1)
		sprintf(text, "e%d", e);
}

void
kith_near_root_format(char text[KITH_NUM_ROOM], double d)
{
	const double root = sqrt(fabs(d));
	struct decimal x;

	assert(!isnan(d));
	kith_format_real(text, d < 0 ? -root : root);
	if (kith_near_root_parse(text) == d)
		return;
	x = long_root(fabs(d), root);
	x.below = d < 0;
	write_decimal(text, x);
	assert(kith_near_root_parse(text) == d);
}
