/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * m rows by a machine of n rows and c outputs: m n (KERNEL + KERNEL_P p +
 * OUTPUT c) seconds of one thread, with p^2 where the weights are a matrix, and
 * PRINT for each row.
 */
#include "cost/machine.h"

#include "cost/pace.h"
#include "machine/machine.h"

static const double KERNEL = 5e-9, KERNEL_P = .15e-9, OUTPUT = 1e-9;
static const double PRINT = 6e-7;

struct kith_cost
kith_cost_of_machine(const struct kith_machine *of, size_t m, size_t threads)
{
	const double pairs = (double)m * (double)of->X.n;
	const double p = (double)of->X.p;
	const double c = (double)kith_machine_outputs(of);
	const double features = of->metric.kind == KITH_SQUARED_MATRIX ? p * p : p;
	struct kith_cost cost = {.rows = of->X.n,
	    .features = of->X.p,
	    .queries = m,
	    .classes = of->class.n,
	    .threads = threads};

	kith_cost_add(&cost, pairs * (KERNEL + KERNEL_P * features + OUTPUT * c));
	kith_cost_alone(&cost, PRINT * (double)m, PRINT * (double)m);
	kith_cost_hold(&cost, 8 * (double)m * (1 + c));
	return cost;
}

int
kith_cost_machine(const struct kith_machine *of, size_t m, size_t threads, struct kith_out *out,
    struct kith_err *err)
{
	const struct kith_cost cost = kith_cost_of_machine(of, m, threads);

	return kith_cost_write(&cost, kith_cost_pace, out, err);
}
