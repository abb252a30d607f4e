/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/progress_line - the line that tells how far a run is:
 *
 *	TOOL: running for 12.3 s
 *	progress<TAB>running for 12.3 s
 *	TOOL: PHASE, 3 of 10 UNITS; PHASE, 400 UNITS, NAME 0.25; 12.3 s, about 29 s left
 *
 * The rest is that of the outer phase, where its end is known, from the units
 * done so far, as if all took the same time.
 */
#ifndef KITH_BASE_PROGRESS_LINE_H
#define KITH_BASE_PROGRESS_LINE_H

#include <stddef.h>

enum {
	KITH_PROGRESS_DEPTH = 4,  /* phases inside one another */
	KITH_PROGRESS_VALUES = 3, /* numbers of a phase */
	KITH_PROGRESS_ROOM = 512  /* bytes of a line */
};

struct kith_progress_level {
	const char *name;
	const char *of;     /* a file, or NULL */
	const char *unit;   /* NULL: nothing is counted; "bytes": told in MB */
	size_t done, total; /* total 0: not known */
	double seconds;     /* since the phase began */
	size_t values;
	struct {
		const char *name;
		double x;
	} value[KITH_PROGRESS_VALUES];
};

struct kith_progress_now {
	const char *tool; /* NULL: the line begins with "progress" and a tab */
	double seconds;   /* since the run began */
	size_t depth;
	struct kith_progress_level level[KITH_PROGRESS_DEPTH];
};

/*
 * Compose the line, without an end of line, and return its length, which is at
 * most `width` and KITH_PROGRESS_ROOM.  Inner phases are left out where the
 * line would be longer.  Signal handlers may call this: no stdio, no locale, no
 * memory.
 */
size_t kith_progress_line(
    const struct kith_progress_now *now, size_t width, char line[KITH_PROGRESS_ROOM]);

#endif
