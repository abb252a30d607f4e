/* SPDX-License-Identifier: BSD-2-Clause */
#define _XOPEN_SOURCE 700 /* NOLINT: for sigaltstack() */

#include "base/ends.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* What ends no process by default, and what no process can catch. */
static const int spared[] = {
    SIGKILL,
    SIGSTOP,
    SIGTSTP,
    SIGTTIN,
    SIGTTOU,
    SIGCONT,
    SIGCHLD,
    SIGURG,
#ifdef SIGWINCH
    SIGWINCH,
#endif
#ifdef SIGINFO
    SIGINFO,
#endif
};

/* Those after which the program cannot go on, not even to a release. */
static const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};

static atomic_int state; /* enum */
enum { FREE, HELD, ENDING };

static atomic_int came; /* the signal that came last, or 0 */
static void (*before)(void);
static sigset_t mask; /* of the thread that holds, before */

static bool
is_among(int sig, const int *set, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (set[i] == sig)
			return true;
	return false;
}

/*
 * A signal is written down before the state is looked at, and release() looks
 * for it after it has changed the state: so none is lost.
 */
static void
on_end(int sig)
{
	const bool fault = is_among(sig, faults, sizeof(faults) / sizeof(*faults));
	int due = FREE;

	atomic_store(&came, sig);
	if (fault)
		atomic_store(&state, ENDING);
	else if (!atomic_compare_exchange_strong(&state, &due, ENDING))
		return;
	before();
	signal(sig, SIG_DFL);
	raise(sig); /* it is blocked here, and ends us when we return */
}

/* Let handlers run where the stack of the program has no room left. */
static void
give_stack(void)
{
	static char room[1 << 16];
	stack_t old;

	if (!sigaltstack(NULL, &old) && (old.ss_flags & SS_DISABLE))
		sigaltstack(&(stack_t){.ss_sp = room, .ss_size = sizeof(room)}, NULL);
}

void
kith_ends_watch(void (*last)(void))
{
	struct sigaction act = {.sa_handler = on_end}, old;

	if (before)
		return;
	before = last;
	give_stack();
	act.sa_flags = SA_RESTART | SA_ONSTACK;
	sigemptyset(&act.sa_mask);
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (!is_among(sig, spared, sizeof(spared) / sizeof(*spared)) &&
		    !sigaction(sig, NULL, &old) && !(old.sa_flags & SA_SIGINFO) &&
		    old.sa_handler == SIG_DFL)
			sigaction(sig, &act, NULL);
}

/* Another thread is about to end the process. */
static void
await_end(void)
{
	for (;;)
		pause();
}

/* Signals of faults that others send wait; a fault itself cannot, and ends all. */
void
kith_ends_hold(void)
{
	int due = FREE;
	sigset_t set, old;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigaddset(&set, faults[i]);
	pthread_sigmask(SIG_BLOCK, &set, &old);
	if (!atomic_compare_exchange_strong(&state, &due, HELD))
		await_end();
	mask = old;
}

void
kith_ends_release(void)
{
	const sigset_t old = mask;
	int due = HELD, sig;

	if (!atomic_compare_exchange_strong(&state, &due, FREE))
		await_end();
	sig = atomic_exchange(&came, 0);
	if (sig)
		raise(sig);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}
