/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * la/simd - vectors of eight doubles, and functions compiled for several instruction sets.
 *
 * A function marked KITH_CLONES is compiled once for each set, and the best
 * that the machine has is chosen when the program starts.  Vectors are those
 * of the compiler, so one text serves every machine; products are never
 * fused with sums (-ffp-contract=off), so every clone gives the same bits.
 * Helpers to be compiled along with a clone are marked KITH_INLINE.
 *
 * Sanitizers cannot run before a program starts, where clones are chosen.
 */
#ifndef KITH_LA_SIMD_H
#define KITH_LA_SIMD_H

#include <limits.h> /* __GLIBC__ */
#include <stddef.h>
#include <stdint.h>

/* Vectors of eight doubles, at any address (_at), or whole numbers. */
typedef double kith_v8d __attribute__((vector_size(64)));
typedef double kith_v8d_at __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t kith_v8i __attribute__((vector_size(64)));

#define KITH_INLINE static inline __attribute__((always_inline))

/* The first place of the vector that holds place j of an aligned row. */
KITH_INLINE size_t
kith_simd_whole(size_t j)
{
	return j / 8 * 8;
}

/* That vector: j is its first place. */
KITH_INLINE const kith_v8d *
kith_simd_at(const double *x, size_t j)
{
	return (const kith_v8d *)(x + j);
}

/* Eight numbers at any address. */
KITH_INLINE const kith_v8d_at *
kith_lanes_at(const double *x)
{
	return (const kith_v8d_at *)x;
}

/* Halves and quarters of eight numbers. */
typedef double kith_lanes_v4d __attribute__((vector_size(32)));
typedef double kith_lanes_v2d __attribute__((vector_size(16)));

/* The sum of eight numbers, in the one order of near/metric.h. */
KITH_INLINE double
kith_lanes_total(const double s[8])
{
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* The sum of the eight numbers of a vector, in this order; in GCC 11, by their halves. */
KITH_INLINE double
kith_lanes_sum(const kith_v8d *s)
{
#if defined(__clang__) || __GNUC__ >= 12
	const kith_lanes_v4d half = __builtin_shufflevector(*s, *s, 0, 1, 2, 3) +
	    __builtin_shufflevector(*s, *s, 4, 5, 6, 7);
	const kith_lanes_v2d quarter = __builtin_shufflevector(half, half, 0, 1) +
	    __builtin_shufflevector(half, half, 2, 3);
#else
	const union {
		kith_v8d all;
		kith_lanes_v4d half[2];
	} a = {*s};
	const union {
		kith_lanes_v4d all;
		kith_lanes_v2d half[2];
	} b = {a.half[0] + a.half[1]};
	const kith_lanes_v2d quarter = b.half[0] + b.half[1];
#endif

	return quarter[0] + quarter[1];
}

/* As kith_lanes_sum(), by way of memory: in some loops a fifth faster. */
KITH_INLINE double
kith_lanes_stored(const kith_v8d *v)
{
	double s[8] = {0};

	*(kith_v8d_at *)s = *v;
	return kith_lanes_total(s);
}

/*
 * The C library must be one that chooses clones: glibc.  A cloned function is
 * static, and no other one in lib has its name (scripts/clones): other files do
 * not find the clones of clang that are not static, and see the names of those
 * that are.
 */
#if defined(__has_feature)
#define KITH_SANITIZED \
	(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	    __has_feature(memory_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KITH_SANITIZED 1
#else
#define KITH_SANITIZED 0
#endif
#if defined(__clang__) && __clang_major__ < 14
#define KITH_CAN_CLONE 0
#else
#define KITH_CAN_CLONE !KITH_SANITIZED
#endif
#if defined(__x86_64__) && defined(__GLIBC__) && KITH_CAN_CLONE
#define KITH_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define KITH_CLONES
#endif

#endif
