/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/opt_value - the values of options: read, kept and put back. */
#ifndef KITH_CLI_OPT_VALUE_H
#define KITH_CLI_OPT_VALUE_H

#include "cli/opt.h"

/*
 * Store the value arg (NULL for a flag) where o points; -1, and nothing is
 * stored, when it will not do.  Lists go to the pool.
 */
int kith_opt_store(const struct kith_opt *o, const char *arg, struct kith_pool *pool);

/*
 * Copy what is stored where o points, which before the command line is parsed
 * is the default, and put such a copy back there.
 */
void kith_opt_load(const struct kith_opt *o, struct kith_opt_value *value);
void kith_opt_reset(const struct kith_opt *o, const struct kith_opt_value *value);

/* Say what o takes: "a whole number from 1"; into text of the given size. */
void kith_opt_due(const struct kith_opt *o, char *text, size_t size);

#endif
