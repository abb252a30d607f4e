/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel/sigma - the bandwidth of a Gaussian kernel exp(-d / (2 sigma^2)).
 *
 *	auto    a third of the mean distance to the k-th neighbour
 *	median  a third of their median
 *	local   a third of the distance of the row itself to its k-th neighbour
 *
 * The first two are taken over at most 2000 equally spaced rows of the
 * reference, each leaving itself out, so that a value depends on no batch.  A
 * distance is sqrt(d), d as in near/metric.h.
 */
#ifndef KITH_KERNEL_SIGMA_H
#define KITH_KERNEL_SIGMA_H

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_knn;
struct kith_mat;
struct kith_neighbour;

enum kith_sigma_rule { KITH_SIGMA_AUTO, KITH_SIGMA_MEDIAN, KITH_SIGMA_LOCAL, KITH_SIGMA_FIXED };

struct kith_sigma {
	enum kith_sigma_rule rule;
	double value; /* KITH_SIGMA_FIXED: the bandwidth, > 0 */
};

/* Read auto, median, local or a number above 0; 0, or -1 for anything else. */
int kith_sigma_parse(const char *text, struct kith_sigma *sigma);

/* The reference of a search, and how to search it. */
struct kith_sigma_data {
	const struct kith_knn *knn; /* made of */
	const struct kith_mat *X;   /* these rows, n x p */
	size_t threads;
	const struct kith_neighbour *nn; /* n x most, of a join (kith_knn_search()), */
	size_t most;                     /* if these are known; or NULL */
};

/* How many of n rows are asked for their neighbours to find a bandwidth. */
size_t kith_sigma_asks(const struct kith_sigma *sigma, size_t n);

/*
 * Bandwidths for nk values of k into out (nk); for KITH_SIGMA_LOCAL they are 0.
 * A k above n - 1 counts as n - 1.  Where all distances are 0 the bandwidth is 1, and *flat
 * becomes true.  Fails when a distance is below 0 (EX_DATAERR).
 */
int kith_sigma_fit(const struct kith_sigma *sigma, const struct kith_sigma_data *in,
    const size_t *k, size_t nk, double *out, bool *flat, struct kith_err *err);

/*
 * As kith_sigma_fit(), of KITH_SIGMA_AUTO or KITH_SIGMA_MEDIAN, from the neighbours of all n >= 1
 * rows, or of the sample: nn has for each of the rows the `most` nearest rows, nearest first; most
 * 0: there is one row.  A k above most counts as most.
 */
int kith_sigma_of(const struct kith_sigma *sigma, const struct kith_neighbour *nn, size_t n,
    size_t most, const size_t *k, size_t nk, double *out, bool *flat, struct kith_err *err);

/* The local bandwidth of a row with k neighbours nn; 1 where it would be 0. */
double kith_sigma_local(const struct kith_neighbour *nn, size_t k);

#endif
