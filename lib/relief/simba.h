/* SPDX-License-Identifier: BSD-2-Clause */
/* relief/simba - SIMBA, as relief/relief.h defines it. */
#ifndef KITH_RELIEF_SIMBA_H
#define KITH_RELIEF_SIMBA_H

struct kith_relief_job;

void kith_relief_simba(struct kith_relief_job *job);

#endif
