/* SPDX-License-Identifier: BSD-2-Clause */
/* relief/irelief - I-RELIEF, as relief/relief.h defines it. */
#ifndef KITH_RELIEF_IRELIEF_H
#define KITH_RELIEF_IRELIEF_H

struct kith_relief_job;

void kith_relief_irelief(struct kith_relief_job *job);

#endif
