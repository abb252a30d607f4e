/* SPDX-License-Identifier: BSD-2-Clause */
/* text/place - where the bytes of an output file go: the file beside it, or it. */
#ifndef KITH_TEXT_PLACE_H
#define KITH_TEXT_PLACE_H

#include <stdbool.h>

struct kith_pool;
struct kith_temp;

/*
 * Open what text/out.h writes for path: a device, a FIFO or a file without a name
 * directly, with *temp NULL; else a file beside its target, *temp, which
 * base/temp.h gives its name.  The descriptor, or -1 and errno.
 */
int kith_place_open(
    const char *path, struct kith_temp **temp, struct kith_pool *pool);

/* Whether two paths are one regular file, or would become one. */
bool kith_place_same(const char *a, const char *b);

#endif
