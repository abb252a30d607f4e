/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/all - pursuit with all rows as atoms (mp and omp of nnk/nnk.h, `all`).
 */
#ifndef KITH_NNK_ALL_H
#define KITH_NNK_ALL_H

#include "kernel/kern.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_local_pack;
struct kith_mat;
struct kith_neighbour;
struct kith_nnk_all;
struct kith_nnk_atoms;
struct kith_pool;

/* The rows of X as atoms, in the pool; all threads share them. */
struct kith_nnk_atoms *kith_nnk_atoms_new(enum kith_kern_kind kernel, const struct kith_mat *X,
    const struct kith_local_pack *pack, struct kith_pool *pool);

/* Room, in the pool, of one thread, for at most k atoms of a row. */
struct kith_nnk_all *kith_nnk_all_new(
    const struct kith_nnk_atoms *atoms, size_t k, bool orthogonal, struct kith_pool *pool);

struct kith_nnk_pursued {
	size_t n;        /* atoms taken */
	double factor;   /* of the weights */
	double error;    /* J, eq. (5) */
	double residual; /* solve/nn.h */
};

/*
 * Represent q by at most k rows, without row self (SIZE_MAX: none), into nn
 * and, to be multiplied by the factor, w (k each), in the order taken.  sigma
 * as for kith_kern.  Time O(k n p).
 */
struct kith_nnk_pursued kith_nnk_all(struct kith_nnk_all *all, const double *q, size_t self,
    size_t k, double sigma, struct kith_neighbour *nn, double *w);

#endif
