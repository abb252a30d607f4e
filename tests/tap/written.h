/* SPDX-License-Identifier: BSD-2-Clause */
/* written - what an output has written to a scratch file, once that is complete. */
#ifndef WRITTEN_H
#define WRITTEN_H

#include "base/atomic_file.h"
#include "scratch.h"
#include "text/out.h"
#include "wrong.h"

/* Closes the output to file i; its text, or the error. */
static inline const char *
written(struct kith_out *out, size_t i)
{
	static char text[1 << 16];
	struct kith_err err;
	FILE *f;

	if (kith_out_close(out, &err) || kith_atomic_settle(&err))
		return wrong(&err);
	f = fopen(scratch_path[i], "r");
	if (!f)
		abort();
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

#endif
