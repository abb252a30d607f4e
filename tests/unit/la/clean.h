/* SPDX-License-Identifier: BSD-2-Clause */
/* la/clean - what tests look at in factors of lib/la/chol.h. */
#ifndef KITH_TEST_LA_CLEAN_H
#define KITH_TEST_LA_CLEAN_H

#include "la/chol.h"

/* Whether rows and columns outside of the triangle are 0. */
static inline bool
clean(const struct kith_chol *chol)
{
	for (size_t i = 0; i < chol->most; i++)
		for (size_t j = 0; j < chol->ld; j++)
			if (chol->R[i * chol->ld + j] != 0 && (i >= j || j >= chol->n))
				return false;
	return true;
}

#endif
