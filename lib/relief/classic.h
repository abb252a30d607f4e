/* SPDX-License-Identifier: BSD-2-Clause */
/* relief/classic - RELIEF and MULREL, as relief/relief.h defines them. */
#ifndef KITH_RELIEF_CLASSIC_H
#define KITH_RELIEF_CLASSIC_H

struct kith_relief_job;

/* RELIEF in units of the scaled rows. */
void kith_relief_relief(struct kith_relief_job *job);

void kith_relief_mulrel(struct kith_relief_job *job);

#endif
