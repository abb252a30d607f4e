/*
 * base/progress - what a run tells of itself while it works: on SIGUSR1, and
 * SIGINFO where the system has it, one line on standard error, and the run goes
 * on:
 *
 *	TOOL: running for 12.3 s
 */
#ifndef KITH_BASE_PROGRESS_H
#define KITH_BASE_PROGRESS_H

/*
 * Start the clock, and answer these signals unless the caller of the program
 * has them ignored.  The name of the tool is kept.
 */
void kith_progress_begin(const char *tool);

/* Seconds since then. */
double kith_progress_seconds(void);

#endif
