/* SPDX-License-Identifier: BSD-2-Clause */
/* immigrate/down - the monotone step of immigrate/problem.h. */
#ifndef KITH_IMMIGRATE_DOWN_H
#define KITH_IMMIGRATE_DOWN_H

#include <stdbool.h>

struct kith_immigrate_run;

/* A damped step towards V; false: none lowers F, and W is as it was. */
bool kith_immigrate_down(struct kith_immigrate_run *run);

#endif
