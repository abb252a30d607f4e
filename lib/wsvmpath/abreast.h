/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/abreast - several paths, each from theta 0 to 1, side by side: between
 * the breakpoints of all of them all scores are linear in theta.
 */
#ifndef KITH_WSVMPATH_ABREAST_H
#define KITH_WSVMPATH_ABREAST_H

#include <stddef.h>

struct kith_wsvm;

/* A path. */
struct kith_wsvm_lane {
	struct kith_wsvm *solver; /* after kith_wsvm_aim(); NULL: there is no path */
};

/* On (from, to) path h has f0[h] + theta f1[h] (m items); NULL: there is none. */
typedef void kith_wsvm_on_abreast(
    void *on, double from, double to, const double *const *f0, const double *const *f1);

/*
 * Follow c paths, of which there is one at least, to their ends; the last m items of
 * each are looked at.  Paths are followed by several threads, some pieces ahead:
 * memory is at most 64 MB, or that of one piece of each.
 */
void kith_wsvm_abreast(const struct kith_wsvm_lane *path, size_t c, size_t m, size_t threads,
    kith_wsvm_on_abreast *on_piece, void *on);

#endif
