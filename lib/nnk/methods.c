/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/methods.h"

/*
 * What counts as exact; Gram matrices of differences are worse conditioned than
 * kernels.  For KITH_NNK nnk/check.h decides.
 */
#define KERNELS 1e-12
#define GRAMS 1e-9

/* clang-format off */
#define METHODS(FIRST, ROW) \
	FIRST("nnk", .rule = KITH_SYMM_NODE, .exact = KERNELS, \
	    .compares = true, .takes_kernel = true, .takes_eta = true) \
	ROW("knn", .rule = KITH_SYMM_ERROR, .exact = KERNELS, \
	    .compares = true, .takes_kernel = true, .takes_any = true) \
	ROW("radius", .rule = KITH_SYMM_ERROR, .exact = KERNELS, \
	    .compares = true, .takes_kernel = true, .takes_radius = true) \
	ROW("mp", .rule = KITH_SYMM_NODE, .exact = KERNELS, \
	    .compares = true, .takes_kernel = true, .takes_pool = true) \
	ROW("omp", .rule = KITH_SYMM_NODE, .exact = KERNELS, \
	    .compares = true, .takes_kernel = true, .takes_pool = true) \
	ROW("lle", .rule = KITH_SYMM_MEAN, .exact = GRAMS) \
	ROW("lle-gram", .rule = KITH_SYMM_MEAN, .exact = GRAMS) \
	ROW("lle-signed", .rule = KITH_SYMM_NONE, .exact = KERNELS, \
	    .is_signed = true) \
	ROW("smooth", .rule = KITH_SYMM_NONE, .joint = true) \
	ROW("aew", .rule = KITH_SYMM_NONE, .joint = true, \
	    .takes_sigma = true)
/* clang-format on */

#define WORD(word, ...) word
#define NEXT_WORD(word, ...) "|" word
#define ROW(word, ...) {.option = "--method " word, __VA_ARGS__},

const char kith_nnk_words[] = METHODS(WORD, NEXT_WORD);

const struct kith_nnk_method_row kith_nnk_methods[] = {METHODS(ROW, ROW)};
