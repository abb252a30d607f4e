/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/progress - a line that tells what a run is doing:
 *
 *	TOOL: PHASE, 3 of 10 UNITS; PHASE, 400 UNITS, NAME 0.25; 12.3 s, about 29 s left
 *
 * Rooms name what they do: phases, one inside the other, how far each is, and numbers that move:
 *
 *	kith_progress_phase("solutions", n, "values of theta");
 *	for (size_t s = 0; s < n; s++) {
 *		...
 *		kith_progress_value("objective", F);
 *		kith_progress_add(1);
 *	}
 *	kith_progress_end();
 *
 * These calls store numbers.  A thread that starts with the first phase prints: on SIGUSR1 (and
 * SIGINFO where the system has it), and after kith_progress_tell() at intervals.  The time left is
 * that of the outer phase, as if all its units took the same time.  The output of a run is the
 * same, told of or not.
 *
 * base/par's threads do parts of one phase: within the work of a block these calls change nothing.
 * Names and units must live as long as the process.
 */
#ifndef KITH_BASE_PROGRESS_H
#define KITH_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Starts the clock, and answers these signals unless the caller of the program has them ignored.
 * The name of the tool is kept.
 */
void kith_progress_begin(const char *tool);

/* Returns the seconds since then. */
double kith_progress_seconds(void);

/*
 * Begins a phase of `total` units (0: not known) within the current one; unit may be NULL where
 * nothing is counted.  A unit "bytes" is printed in MB.  `of` is a file that the phase reads, or
 * NULL.
 */
void kith_progress_phase_of(const char *name, const char *of, size_t total, const char *unit);
#define kith_progress_phase(name, total, unit) kith_progress_phase_of(name, NULL, total, unit)

/* Counts n more units of the phase as done: one relaxed addition. */
void kith_progress_add(size_t n);

/* A number of the phase is x now; the first three names of a phase count. */
void kith_progress_value(const char *name, double x);

/* Ends the phase. */
void kith_progress_end(void);

/* For base/par: mutes this thread `by` times more; returns how often it is muted. */
int kith_progress_mute(int by);

/*
 * Prints a line on standard error `first` seconds after kith_progress_begin(), and then at intervals
 * of `every` seconds, until kith_progress_stop().  On a terminal each line stands in the place of
 * the last, and none is printed while the run waits for its input, or is in the background; else
 * they are lines of the log of -v, which begin with "progress" and a tab.
 */
void kith_progress_tell(double first, double every, bool on_terminal);

/* Wipes the line before something else is printed; no line until kith_progress_release(). */
void kith_progress_hold(void);
void kith_progress_release(void);

/*
 * Rows are about to be written to standard output: where this is a terminal, no line is rewritten
 * from now on.
 */
void kith_progress_give_way(void);

/* Wipes the line, and prints no other. */
void kith_progress_stop(void);

#endif
