/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/progress - what a run tells of itself while it works.
 *
 * The rooms say what they are doing: phases, one inside the other, how far each
 * is, and numbers that move where the end is not known:
 *
 *	kith_progress_phase("solutions", n, "values of theta");
 *	for (size_t s = 0; s < n; s++) {
 *		...
 *		kith_progress_value("objective", F);
 *		kith_progress_add(1);
 *	}
 *	kith_progress_end();
 *
 * These calls store numbers, and print nothing.  A line is made of them
 * (base/progress_line.h) on SIGUSR1, and SIGINFO where the system has it, and
 * by a thread, once kith_progress_tell() has started it.  The output of a run
 * is the same, told of or not.
 *
 * base/par's threads do parts of one phase: within the work of a block these
 * calls change nothing.  Names and units must live as long as the process.
 */
#ifndef KITH_BASE_PROGRESS_H
#define KITH_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Start the clock, and answer these signals unless the caller of the program
 * has them ignored.  The name of the tool is kept.
 */
void kith_progress_begin(const char *tool);

/* Seconds since then. */
double kith_progress_seconds(void);

/*
 * Begin a phase of `total` units (0: not known) within the one that goes on;
 * unit may be NULL where nothing is counted.  A unit "bytes" is told in MB.
 */
void kith_progress_phase(const char *name, size_t total, const char *unit);

/* Begin a phase that reads so many bytes (0: not known) of a file. */
void kith_progress_reading(const char *file, size_t bytes);

/* n more units of the phase are done: one relaxed addition. */
void kith_progress_add(size_t n);

/* A number of the phase is x now; the first three names of a phase count. */
void kith_progress_value(const char *name, double x);

/* End the phase. */
void kith_progress_end(void);

/* For base/par: mute this thread `by` times more; how often it is. */
int kith_progress_mute(int by);

/* How a thread tells of the run, on standard error. */
struct kith_progress_how {
	double first, every; /* seconds to the first line, and between lines */
	bool rewrite;        /* on a terminal: one line, each in the place of the last; else
			      * lines of the log of -v */
};

/*
 * Tell so from now on, until kith_progress_stop(); where no thread can be had,
 * say nothing.  A line that is rewritten is left out while the run waits for
 * its input, and while it is in the background.
 */
void kith_progress_tell(const struct kith_progress_how *wanted);

/* Wipe the line before something else is printed; no line till release(). */
void kith_progress_hold(void);
void kith_progress_release(void);

/*
 * Rows are about to be written to standard output: where this is a terminal
 * they are to be seen in place of the line, from now on.
 */
void kith_progress_give_way(void);

/* Wipe the line, and print no other. */
void kith_progress_stop(void);

#endif
