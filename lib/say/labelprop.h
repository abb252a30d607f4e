/* say/labelprop - what labelprop tells beside its predictions. */
#ifndef KITH_SAY_LABELPROP_H
#define KITH_SAY_LABELPROP_H

#include <stddef.h>

struct kith_check;
struct kith_prop;
struct kith_prop_classes;
struct kith_prop_solved;

/* Note and log the graph and the labels. */
void kith_say_prop_graph(const struct kith_prop *p, size_t labels);

/* Note and log how the scores were found. */
void kith_say_prop_solved(
    const struct kith_prop *p, const struct kith_prop_solved *solved);

/*
 * Log and warn of what the judge (graph/prop_check.h) says, of n checks; the
 * status of the command, 0 or 1.  classes is NULL where numbers are predicted.
 */
int kith_say_prop_proof(const struct kith_check *check, size_t n,
    const struct kith_prop_classes *classes);

#endif
