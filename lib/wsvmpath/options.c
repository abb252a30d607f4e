/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/options.h"

void
kith_wsvm_unused_kernel(struct kith_wsvm_call *call)
{
	const bool polynomial = call->kernel == KITH_WSVM_POLYNOMIAL;
	const struct kith_idle option[] = {
	    {call->kernel == KITH_WSVM_LINEAR, &call->gamma, "--kernel linear"},
	    {!polynomial, &call->degree, "this --kernel"},
	    {!polynomial, &call->coef0, "this --kernel"},
	};

	kith_unused_all(option, sizeof(option) / sizeof(*option));
}
