/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/num - numbers to and from text, exact in both directions.
 *
 * The work is done by the C++ standard library's <charconv> (charconv.cc), or,
 * built with CHARCONV=no, by strtod() and "%.17g": the judge in the tests.
 */
#ifndef KITH_BASE_NUM_H
#define KITH_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- The conversions, by charconv.cc or base/num_strtod.c, for base/num.c alone. ---- */

/*
 * Read all of s (len bytes, then a null byte or a colon) as a number of base/num.h.
 * Returns 0, -1 when it is none, -2 when it is too small or too large for
 * <charconv>, which does not say which; *x changes only with 0.
 */
int kith_charconv_read(const char *s, size_t len, double *x);

/*
 * Write the shortest text that reads back as the finite x, of the fixed and
 * the scientific form the shorter, into 32 bytes, without a null byte;
 * returns its length.
 */
size_t kith_charconv_write(char *s, double x);

/* ---- Numbers. ---- */

/* What kith_parse_real() makes of a text. */
enum kith_num {
	KITH_NUM_OK = 0,
	KITH_NUM_TEXT = -1, /* no number at all */
	KITH_NUM_HUGE = -2  /* a number, too large for a double */
};

/*
 * Parse all of s (len bytes, then a null byte or a colon) as a decimal number,
 * [+-]?(D+(.D*)?|.D+)([eE][+-]?D+)?, rounded to the nearest double; what is
 * too small for a double is 0.  *x changes only when the result is
 * KITH_NUM_OK.
 */
enum kith_num kith_parse_real(const char *s, size_t len, double *x);

/* Parses all of s as A:B, two decimal numbers as above, into *a and *b; returns whether it is. */
bool kith_parse_range(const char *s, double *a, double *b);

/* Parse all of s as an unsigned decimal integer; 0, or -1 and *n unchanged. */
int kith_parse_size(const char *s, size_t *n);

enum { KITH_NUM_ROOM = 32 }; /* bytes that hold any number and a null byte */

/*
 * Write the shortest text that reads back as x, -0 as 0, infinity as inf or
 * -inf, and a null byte; returns its length.  x must not be a NaN.
 */
size_t kith_format_real(char s[KITH_NUM_ROOM], double x);

/*
 * The same of x rounded to so many significant digits, from 1 to 17; where no
 * double is so large, they are the first digits of x.
 */
size_t kith_format_digits(char s[KITH_NUM_ROOM], double x, size_t digits);

/* Write n in decimal, and a null byte; returns its length. */
size_t kith_format_size(char s[KITH_NUM_ROOM], uint64_t n);

#endif
