/* SPDX-License-Identifier: BSD-2-Clause */
/* whole - inputs of the fuzz target whole.c, changed by their structure. */
#ifndef WHOLE_H
#define WHOLE_H

#include <stddef.h>
#include <stdint.h>

/* What kith's objects call in place of functions of the C library. */
void *whole_calloc(size_t n, size_t size);
void *whole_realloc(void *old, size_t size);
void whole_free(void *p);
int whole_atexit(void (*handler)(void));
void whole_exit(int status);

/*
 * What they call at comparisons, which does nothing: libFuzzer learns words
 * from it, which change.c knows, in a quarter of the time.
 */
void whole_cmp8(uint64_t a, uint64_t b);
void whole_const_cmp8(uint64_t a, uint64_t b);

/* Of libFuzzer and the sanitizers. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t len, size_t most);
size_t LLVMFuzzerCustomMutator(
    uint8_t *data, size_t len, size_t most, unsigned int seed);
void __sanitizer_set_report_fd(void *fd);

/* Take in the options of a command, and the words that they take, from --help. */
void whole_learn(const char *command, const char *help);

/* Change an input in its place; its new length, at most `most`. */
size_t whole_change(char *text, size_t len, size_t most, unsigned seed);

#endif
