/* SPDX-License-Identifier: BSD-2-Clause */
/* say/labelprop - what labelprop tells beside its predictions. */
#ifndef KITH_SAY_LABELPROP_H
#define KITH_SAY_LABELPROP_H

#include <stddef.h>

struct kith_prop;
struct kith_prop_solved;
struct kith_prop_proof;

/* Note and log the graph and the labels. */
void kith_say_prop_graph(const struct kith_prop *p, size_t labels);

/* Note and log how the scores were found. */
void kith_say_prop_solved(const struct kith_prop *p, const struct kith_prop_solved *solved);

/*
 * Log and warn of what the judge (graph/prove.h) says; the status of the
 * command, 0 or 1.
 */
int kith_say_prop_proof(const struct kith_prop_proof *proof);

#endif
