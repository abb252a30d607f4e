/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * METIS, which CHOLMOD refers to but calls only where its orderings are asked
 * for; kith asks for others (solve/sparse.c), and Debian has no static METIS.
 */
#include <stdlib.h>

int METIS_NodeND(void);
int METIS_ComputeVertexSeparator(void);

int
METIS_NodeND(void)
{
	abort();
}

int
METIS_ComputeVertexSeparator(void)
{
	abort();
}
