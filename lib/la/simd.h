/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * la/simd - vectors of doubles and floats, and functions compiled for several
 * instruction sets.
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

/* Vectors of doubles d, floats f, whole numbers i; _at: at any address. */
typedef double kith_v8d __attribute__((vector_size(64)));
typedef double kith_v8d_at __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t kith_v8i __attribute__((vector_size(64)));
/* The same of numbers as wide as a size_t, which may have 32 bits. */
typedef ptrdiff_t kith_v8z __attribute__((vector_size(8 * sizeof(ptrdiff_t))));
typedef float kith_v16f __attribute__((vector_size(64)));
typedef float kith_v16f_at __attribute__((vector_size(64), aligned(4), may_alias));
typedef float kith_v8f __attribute__((vector_size(32)));
typedef float kith_v8f_at __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t kith_v16i __attribute__((vector_size(64)));
typedef int8_t kith_v8b __attribute__((vector_size(8)));
typedef int8_t kith_v16b __attribute__((vector_size(16)));

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
