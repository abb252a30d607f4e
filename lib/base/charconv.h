/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/charconv - the two conversions under base/num.h, for base/num.c alone:
 * by the C++ standard library (charconv.cc), or by strtod() and printf()
 * (base/num_strtod.c).
 */
#ifndef KITH_BASE_CHARCONV_H
#define KITH_BASE_CHARCONV_H

#include <stddef.h>

#ifdef __cplusplus
#define KITH_NOEXCEPT noexcept
extern "C" {
#else
#define KITH_NOEXCEPT
#endif

/*
 * Read all of s (len bytes, then a null byte) as a number of base/num.h.
 * Returns 0, -1 when it is none, -2 when it is too small or too large for
 * <charconv>, which does not say which; *x changes only with 0.
 */
int kith_charconv_read(const char *s, size_t len, double *x) KITH_NOEXCEPT;

/*
 * Write the shortest text that reads back as the finite x, of the fixed and
 * the scientific form the shorter, into 32 bytes, without a null byte;
 * returns its length.
 */
size_t kith_charconv_write(char *s, double x) KITH_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
