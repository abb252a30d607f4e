/* SPDX-License-Identifier: BSD-2-Clause */
/* npy - the bytes of .npy files, for what reads them. */
#ifndef NPY_H
#define NPY_H

#include <stdio.h>
#include <string.h>

/* The header of an array, as NumPy writes it. */
#define HEAD(descr, order, shape) \
	"{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }\n"

/* Write a file of this version, header and cells to `to`; its length. */
static inline size_t
put_npy(char *to, int version, const char *head, const void *cells, size_t len)
{
	const size_t n = strlen(head);
	char *at = to;

	at += sprintf(at, "\x93NUMPY%c", version);
	*at++ = 0;
	*at++ = (char)(n & 255);
	*at++ = (char)(n >> 8);
	if (version > 1) {
		*at++ = 0;
		*at++ = 0;
	}
	memcpy(at, head, n);
	if (len > 0)
		memcpy(at + n, cells, len);
	return (size_t)(at - to) + n + len;
}

#endif
