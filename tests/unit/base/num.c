/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/num.h, against strtod() and printf(). */
#include "base/num.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const char *const numbers[] = {
	"0", "-0", "+0", "1", "+1", "-1", "1.", ".5", "-.5", "+.5e1", "1e5",
	"1E5", "1e+5", "1e-5", "1.e3", "007", "0.1", "123456789012345678901",
	/* the largest, the smallest normal and the smallest of all */
	"1.7976931348623157e308", "1.7976931348623158e308",
	"2.2250738585072014e-308", "2.2250738585072011e-308",
	"2.2250738585072012e-308", "4.9406564584124654e-324",
	"4.9e-324", "5e-324", "3e-324", "2.5e-324",
	/* half of the smallest, and next to it */
	"2.4703282292062327208299439634110864618253990262166e-324",
	"2.4703282292062327e-324", "2.4703282292062328e-324",
	"1e-400", "-1e-400", "0e999999999", "1e-99999999999999999999",
	"0.000000000000000000000000000000000000000000000000000000000000000001",
	/* half way between two doubles, and next to it */
	"9007199254740993", "9007199254740993.0000000000000000000000001",
	"9007199254740992.9999999999999999999999999", "-9007199254740995",
	"1.00000000000000011102230246251565404236316680908203125",
	"1.00000000000000011102230246251565404236316680908203124",
	"1.00000000000000011102230246251565404236316680908203126",
	"6.9294956446009195e15", "3.7455744005952583e15",
	"8.41466e21", "1090544144181609348671888949248",
	"1090544144181609348835077142190", "1e22", "1e23", "1e-22",
	"7.2057594037927933e16", "179769313486231580793e288"
};
static const char *const texts[] = {
	"", " ", "a", "1a", "1 ", " 1", "+", "-", ".", "+.", "e5", ".e5", "1e",
	"1e+", "1e5.", "1.2.3", "1,5", "--1", "+-1", "-+1", "++1", "1e5e5",
	"0x10", "0x1p3", "inf", "-inf", "+inf", "infinity", "INF", "nan", "NaN",
	"-nan", "nan(1)", "1_000", "1'000", "1f", "1d5", "\xd9\xa1", "1-", "-a",
	"0x", "1e 5", "1\t"
};
static const char *const huge[] = {
	"1e999", "-1e999", "1e309", "1.8e308", "1.7976931348623159e308",
	"1e99999999999999999999", "+1e400", "-179769313486231580794e288"
};
/* clang-format on */

/* Doubles that differ have other bits, also 0 and -0. */
static uint64_t
bits(double x)
{
	uint64_t u;

	memcpy(&u, &x, sizeof(u));
	return u;
}

/* Whether s reads as strtod() says, to the bit. */
static bool
as_strtod(const char *s)
{
	const double due = strtod(s, NULL);
	double x = 7;

	return kith_parse_real(s, strlen(s), &x) == KITH_NUM_OK && bits(x) == bits(due);
}

static void
test_lists(void)
{
	double x = 7;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		ok(as_strtod(numbers[i]), "%s", numbers[i]);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ok(kith_parse_real(texts[i], strlen(texts[i]), &x) == KITH_NUM_TEXT, "'%s' is text",
		    texts[i]);
	for (size_t i = 0; i < sizeof(huge) / sizeof(*huge); i++)
		ok(kith_parse_real(huge[i], strlen(huge[i]), &x) == KITH_NUM_HUGE,
		    "%s is too large", huge[i]);
	ok(x == 7, "nothing is stored of these");
}

/* A finite double, each pattern of bits equally likely. */
static double
any_double(struct kith_rng *rng)
{
	double x;

	do {
		const uint64_t bits = kith_rng_next(rng);

		memcpy(&x, &bits, sizeof(x));
	} while (!isfinite(x));
	return x;
}

static void
test_read(void)
{
	enum { N = 100000 };
	size_t right[4] = {0};
	struct kith_rng rng;
	char s[1200];

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < N; i++) {
		const double x = any_double(&rng);

		snprintf(s, sizeof(s), "%.17g", x);
		right[0] += as_strtod(s);
		snprintf(s, sizeof(s), "%.*e", (int)(i % 25), x);
		right[1] += as_strtod(s) || !isfinite(strtod(s, NULL));
		snprintf(s, sizeof(s), "%.17g", 2 * kith_rng_unit(&rng) - 1);
		right[2] += as_strtod(s);
	}
	is_size(right[0], N, "17 digits of any double");
	is_size(right[1], N, "0 to 24 digits behind the point");
	is_size(right[2], N, "17 digits of doubles in (-1, 1)");
	for (size_t i = 0; i < N / 100; i++) {
		const double x = any_double(&rng) / 2;
		const double y = nextafter(x, INFINITY);

		/* All digits of the number half way between two doubles. */
		snprintf(s, sizeof(s), "%.1100Lg", ((long double)x + (long double)y) / 2);
		right[3] += as_strtod(s);
	}
	is_size(right[3], N / 100, "half way between two doubles");
}

static void
test_long(void)
{
	enum { LONG = 1000000 };
	char *s = malloc(LONG + 8);
	double x = 7;

	if (!s)
		abort();
	memset(s, '3', LONG);
	memcpy(s + LONG, "e-2", 4);
	s[1] = '.';
	ok(kith_parse_real(s, LONG + 3, &x) == KITH_NUM_OK && x == strtod(s, NULL),
	    "a million digits");
	s[1] = '3';
	ok(kith_parse_real(s, LONG + 3, &x) == KITH_NUM_HUGE, "too many of them");
	s[LONG] = 'x';
	ok(kith_parse_real(s, LONG + 3, &x) == KITH_NUM_TEXT, "and text");
	free(s);
}

/* The fewest digits, from 1 to 17, that read back as x. */
static int
fewest_digits(double x)
{
	int digits = 1;
	char s[64];

	for (; digits < 17; digits++) {
		snprintf(s, sizeof(s), "%.*e", digits - 1, x);
		if (strtod(s, NULL) == x)
			break;
	}
	return digits;
}

/* The digits of a number without a point, zeros at both ends left out. */
static int
count_digits(const char *s)
{
	int n = 0, zeros = 0;

	for (; *s && *s != 'e'; s++) {
		if (*s == '0')
			zeros += n > 0;
		else if ('1' <= *s && *s <= '9') {
			n += zeros + 1;
			zeros = 0;
		}
	}
	return n;
}

static void
test_format(void)
{
	enum { N = 30000 };
	size_t same = 0, shortest = 0, lengths = 0;
	struct kith_rng rng;

	kith_rng_seed(&rng, 2, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < N; i++) {
		double x = any_double(&rng), y = 0;
		char s[KITH_NUM_ROOM], e[64];
		size_t len;
		int digits;

		if (i % 3 == 1)
			x = kith_rng_unit(&rng);
		else if (i % 3 == 2)
			x = round(1e4 * kith_rng_unit(&rng)) / 100;
		len = kith_format_real(s, x);
		lengths += len == strlen(s) && len < KITH_NUM_ROOM;
		same += kith_parse_real(s, len, &y) == KITH_NUM_OK && y == x;
		digits = fewest_digits(x);
		snprintf(e, sizeof(e), "%.*e", digits - 1, x);
		/* Whole numbers past 2^53 are written with all digits. */
		shortest += len <= strlen(e) && (fabs(x) >= 0x1p53 || count_digits(s) <= digits);
	}
	is_size(lengths, N, "lengths are as told");
	is_size(same, N, "what is written reads back the same");
	is_size(shortest, N, "and has no digit too many");
}

static void
test_sizes(void)
{
	static const char *const none[] = {
	    "18446744073709551616", "99999999999999999999", "", "-1", "+1", "1x", " 1"};
	char s[KITH_NUM_ROOM];
	size_t n = 7;

	ok(kith_parse_size("0012", &n) == 0 && n == 12, "0012");
	snprintf(s, sizeof(s), "%zu", (size_t)SIZE_MAX);
	ok(kith_parse_size(s, &n) == 0 && n == SIZE_MAX, "the largest");
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		ok(kith_parse_size(none[i], &n) == -1 && n == SIZE_MAX, "'%s' is no size", none[i]);
	is_size(kith_format_size(s, 0), 1, "0 is one character");
	is_text(s, "0", "namely this");
	is_size(kith_format_size(s, UINT64_MAX), 20, "the largest is 20");
	is_text(s, "18446744073709551615", "namely these");
}

/* Rounded to digits: as "%.*e" says, without what can be left out. */
static void
test_digits(void)
{
	enum { N = 20000 };
	static const struct {
		double x;
		size_t digits;
		const char *due;
	} of[] = {{0, 1, "0"}, {-0.0, 3, "0"}, {2.0 / 3, 3, "0.667"}, {-2.0 / 3, 1, "-0.7"},
	    {0.1, 17, "0.1"}, {0.5, 3, "0.5"}, {1.005, 3, "1"}, {2.5, 1, "2"}, {3.5, 1, "4"},
	    {99.96, 3, "100"}, {123456, 2, "120000"}, {1234567, 2, "1200000"},
	    {12345678, 2, "1.2e+07"}, {0x1p70, 17, "1.1805916207174113e+21"}, {1e20, 17, "1e+20"},
	    {-0x1p53, 17, "-9.007199254740992e+15"}, {1e100, 1, "1e+100"},
	    {0.00012345, 3, "0.000123"}, {0.000012345, 3, "1.23e-05"}, {INFINITY, 2, "inf"},
	    {-INFINITY, 2, "-inf"}, {1.7976931348623157e308, 1, "1e+308"},
	    {-1.7976931348623157e308, 3, "-1.79e+308"},
	    {1.7976931348623157e308, 16, "1.797693134862315e+308"},
	    {1.7976931348623157e308, 17, "1.7976931348623157e+308"}, {5e-324, 1, "5e-324"},
	    {5e-324, 17, "5e-324"}, {1.0 / 3, 16, "0.3333333333333333"}};
	size_t right = 0;
	struct kith_rng rng;
	char s[KITH_NUM_ROOM];

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		kith_format_digits(s, of[i].x, of[i].digits);
		is_text(s, of[i].due, "digits");
	}
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < N; i++) {
		const double x = i % 2 ? any_double(&rng) : 2 * kith_rng_unit(&rng) - 1;
		const size_t digits = 1 + i % 17;
		char due[64];
		size_t n = 0;

		snprintf(due, sizeof(due), "%.*e", (int)digits - 1, x);
		kith_format_digits(s, x, digits);
		/* No more digits, zeros at its end aside, and the same number. */
		for (const char *c = s + strspn(s, "-0."); *c && *c != 'e'; c++)
			n += '0' <= *c && *c <= '9';
		for (const char *c = s + strcspn(s, "e"); n > 0 && c[-1] == '0'; c--)
			n--;
		right += n <= digits &&
		    (strtod(s, NULL) == strtod(due, NULL) || isinf(strtod(due, NULL)));
	}
	is_size(right, N, "of any double");
}

int
main(void)
{
	test_lists();
	test_digits();
	test_read();
	test_long();
	test_format();
	test_sizes();
	return done();
}
