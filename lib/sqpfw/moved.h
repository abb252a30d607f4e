/*
 * sqpfw/moved - tell of what differs between two states of sqpfw/sqpfw.h, one
 * of which began where the other was left (kith_sqpfw_go).
 */
#ifndef KITH_SQPFW_MOVED_H
#define KITH_SQPFW_MOVED_H

struct kith_sqpfw;

/* Tell now->how of each pair and weight whose state differs.  Time O(n p). */
void kith_sqpfw_tell_moved(
    const struct kith_sqpfw *old, const struct kith_sqpfw *now);

#endif
