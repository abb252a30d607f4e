/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process - calls main() of a command in this process, as if the command had one
 * of its own.
 *
 *  1. The data of kith's objects are what they were when the process began: the
 *     Makefile gives the sections .data and .bss of all of them names of ours.
 *  2. main() is called, standard input, output and error being files.  exit()
 *     comes back here (the Makefile has the objects call whole_exit()), and
 *     calls what atexit() was given.
 *  3. Memory and files that the command still holds are taken from it, as by
 *     the end of a process.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef int process_main(int argc, char *argv[]);

/* How a call ended, and what it has said on standard error. */
struct process {
	int status;
	char said[1 << 14];
};

/*
 * Keep the data as they are now.  Standard error is this descriptor between calls;
 * those behind it are of commands.
 */
void process_begin(int shown);

/* Call with n words; standard output goes to a file of this name. */
const struct process *process_call(process_main *main, int n, char **word, const char *out);

/* What kith's objects call in place of functions of the C library. */
void *whole_calloc(size_t n, size_t size);
void *whole_realloc(void *old, size_t size);
void whole_free(void *p);
int whole_atexit(void (*handler)(void));
void whole_exit(int status);

/*
 * Fails for a detached thread, which would go on behind the call: base/progress has one that
 * prints after seconds, or at a signal.
 */
int whole_pthread_create(
    pthread_t *id, const pthread_attr_t *attr, void *(*start)(void *), void *arg);

/*
 * What they call at comparisons, which does nothing: libFuzzer learns words
 * from it, which change.c knows, in a quarter of the time.
 */
void whole_cmp8(uint64_t a, uint64_t b);
void whole_const_cmp8(uint64_t a, uint64_t b);

#endif
