/*
 * relief/method - what relief/relief.c gets ready, and the methods that use it;
 * each is as relief/relief.h defines it.
 */
#ifndef KITH_RELIEF_METHOD_H
#define KITH_RELIEF_METHOD_H

#include "near/by_class.h"
#include "relief/relief.h"

#include <stddef.h>

struct kith_err;

struct kith_relief_job {
	const struct kith_relief_how *how;
	/*
	 * The rows, without features that are constant (p >= 1), times
	 * 2^-exponent, which makes the widest of their ranges 1 to 2; as they
	 * came, and sorted.
	 */
	struct kith_mat X;
	const size_t *y; /* their classes */
	struct kith_by_class s;
	int exponent;
	double *w; /* p zeros, LFE: p x p: for the result */
	struct kith_relief *out;
};

/* RELIEF in units of the scaled rows. */
void kith_relief_first(struct kith_relief_job *job);

void kith_relief_mulrel(struct kith_relief_job *job);
int kith_relief_lfe(struct kith_relief_job *job, struct kith_err *err);
void kith_relief_simba(struct kith_relief_job *job);
void kith_relief_irelief(struct kith_relief_job *job);
int kith_relief_nca(struct kith_relief_job *job, struct kith_err *err);

#endif
