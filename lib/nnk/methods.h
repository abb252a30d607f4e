/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/methods - the table of the methods of nnk/nnk.h: what each takes, and
 * what can be said of its weights.  A new method is a member of the enum there
 * and a row in methods.c.
 */
#ifndef KITH_NNK_METHODS_H
#define KITH_NNK_METHODS_H

#include "nnk/nnk.h"
#include "nnk/symm.h"

#include <stdbool.h>

/* The words of the table, as KITH_CHOICE (cli/opt.h) wants them: "a|b|c". */
extern const char kith_nnk_words[];

/* A row for each member of enum kith_nnk_method, in their order. */
extern const struct kith_nnk_method_row {
	const char *option;  /* "--method nnk", for messages */
	enum kith_symm rule; /* that makes it symmetric unless one is given */
	bool takes_kernel;   /* a kernel, and with the gaussian a bandwidth */
	bool takes_sigma;    /* a bandwidth, but no kernel */
	bool takes_eta, takes_radius, takes_pool;
	bool takes_any; /* with the gaussian kernel, distances of any metric */
	bool joint;     /* all edges are solved for together, as pairs */
	bool is_signed; /* weights may be negative: no rule applies */
	bool compares;  /* errors of two rows compare */
	double exact;   /* largest residual that counts as solved */
} kith_nnk_methods[];

#endif
