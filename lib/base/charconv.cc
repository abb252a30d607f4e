/* SPDX-License-Identifier: BSD-2-Clause */
#include <charconv>

extern "C" {
#include "base/num.h"
}

int
kith_charconv_read(const char *s, size_t len, double *x)
{
	/* Signs of data come at random: no branch depends on them. */
	static const double factor[] = {1, -1};
	const char *const end = s + len;
	const bool minus = *s == '-';
	double v;

	s += minus | (*s == '+');
	/* This keeps out inf, nan and a second sign. */
	if ((*s < '0' || '9' < *s) && *s != '.')
		return -1;
	const auto got = std::from_chars(s, end, v);
	if (got.ptr != end || got.ec == std::errc::invalid_argument)
		return -1;
	if (got.ec != std::errc())
		return -2;
	*x = factor[minus] * v;
	return 0;
}

size_t
kith_charconv_write(char *s, double x)
{
	return static_cast<size_t>(std::to_chars(s, s + 32, x).ptr - s);
}
