/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/usage - what the process has used until now. */
#ifndef KITH_COST_USAGE_H
#define KITH_COST_USAGE_H

/* Seconds of the processor, of all threads. */
double kith_usage_seconds(void);

/* Bytes of memory that are held now, and at most until now. */
double kith_usage_bytes(void);
double kith_usage_most(void);

#endif
