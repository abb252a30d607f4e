/* SPDX-License-Identifier: BSD-2-Clause */
/* whole - inputs of the fuzz target whole.c, changed by their structure. */
#ifndef WHOLE_H
#define WHOLE_H

#include <stddef.h>
#include <stdint.h>

/* Of libFuzzer and the sanitizers. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t len, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t len, size_t most, unsigned int seed);
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl*): the name is the sanitizer's */
void __sanitizer_set_report_fd(void *fd);

/* Adds the options of a command, from the table of its --help=tsv. */
void whole_learn(const char *command, const char *help);

/* Change an input in its place; its new length, at most `most`. */
size_t whole_change(char *text, size_t len, size_t most, unsigned seed);

#endif
