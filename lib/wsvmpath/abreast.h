/*
 * wsvmpath/abreast - several paths, each from theta 0 to 1, side by side: between
 * the breakpoints of all of them all scores are linear in theta.
 */
#ifndef KITH_WSVMPATH_ABREAST_H
#define KITH_WSVMPATH_ABREAST_H

#include <stddef.h>

struct kith_wsvm;

/* On (from, to) path h has f0[h] + theta f1[h] (m items); NULL: there is none. */
typedef void kith_wsvm_on_abreast(void *on, double from, double to,
    const double *const *f0, const double *const *f1);

/*
 * Follow c paths, of solvers that have their aim (NULL: none, but there is one),
 * to their ends.  The m items are those behind the first[h].  Paths are followed
 * by several threads, some pieces ahead: memory is at most 64 MB, or that of one
 * piece of each.
 */
void kith_wsvm_abreast(struct kith_wsvm *const *solver, const size_t *first,
    size_t c, size_t m, size_t threads, kith_wsvm_on_abreast *on_piece,
    void *on);

#endif
