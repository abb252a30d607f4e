/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * printed - stands in place of cli's kith_output(), with a file of the test's
 * own, and reads what a command's table became.
 */
#ifndef PRINTED_H
#define PRINTED_H

#include "base/err.h"
#include "cli/cli.h"
#include "scratch.h"
#include "tap.h"
#include "text/out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED = 30000 };

const struct kith_dest *
kith_output(void)
{
	static struct kith_dest to;

	to = (struct kith_dest){.path = scratch_text(0, "")};
	return &to;
}

/* What was printed there, which is closed. */
static inline const char *
printed(struct kith_out *out)
{
	static char text[PRINTED];
	struct kith_err err;
	FILE *f;
	size_t n;

	if ((kith_out_close(out, &err) || kith_out_settle(NULL, &err)))
		abort();
	f = fopen(scratch_path[0], "r");
	n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	if (!f || ferror(f) || fclose(f) || n + 1 == sizeof(text))
		abort();
	text[n] = '\0';
	return text;
}

/*
 * The cells below the header, into v (most): numbers, NaN for NA, and 0, 1, ...
 * for a, b, ...; how many there are.
 */
static inline size_t
printed_cells(const char *text, double *v, size_t most)
{
	const char *at = strchr(text, '\n');
	size_t n = 0;

	for (; at && at[1]; at += strcspn(at, "\t\n")) {
		char *end;
		double x = strtod(++at, &end);

		if (end == at)
			x = *at == 'N' ? NAN : *at - 'a';
		if (n < most)
			v[n] = x;
		n++;
	}
	return n;
}

/* Whether the header is this, and the cells below it are these, but rounding. */
static inline void
prints_cells(const char *text, const char *header, const double *due, size_t n, const char *what)
{
	static double got[PRINTED / 2];
	const size_t cells = printed_cells(text, got, PRINTED / 2);
	size_t same = 0;

	for (; same < n && same < cells; same++)
		if (!(fabs(got[same] - due[same]) <= 1e-12 * fmax(1, fabs(due[same]))) &&
		    !(isnan(got[same]) && isnan(due[same])))
			break;
	ok(strncmp(text, header, strlen(header)) == 0 && cells == n && same == n, "%s", what);
	if (same < n)
		printf("# cell %zu of %zu (%zu due) is not %g\n", same, cells, n, due[same]);
}

#endif
