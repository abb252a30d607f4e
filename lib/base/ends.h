/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/ends - the signals that end the process: an act before each of these
 * ends, and work that no such signal may cut in two.
 *
 * The state is one per process, for so are signals.  Threads do not matter: a
 * signal may reach any of them.
 */
#ifndef KITH_BASE_ENDS_H
#define KITH_BASE_ENDS_H

/*
 * Call `last` before a signal ends the process: each whose action ends it now,
 * SIGABRT of a failed assertion and SIGSEGV of a stack without room included.
 * The signal then does what it does by default, so the status stays.  Signals
 * that are ignored, or handled by somebody else, are left alone.  What `last`
 * does must be safe in a signal handler.  Later calls do nothing.
 */
void kith_ends_watch(void (*last)(void));

/*
 * Work between these two is done whole: a signal that comes meanwhile ends the
 * process at the release.  A fault in this work ends the process at once, and
 * `last` is not called.  Used by one thread at a time; no pair inside another.
 */
void kith_ends_hold(void);
void kith_ends_release(void);

#endif
