/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * whole - fuzz target: a whole command, with its files, in this process.
 *
 * The bytes under test are a call and its files:
 *
 *	knnclf -k 3 -t train.csv ask.csv
 *	==> train.csv
 *	a,b,class
 *	...
 *	==> ask.csv
 *	...
 *
 *  1. The files are written into a folder of this target, which is empty before.
 *  2. The command is called (process.h).
 *  3. Judged: a status that kith(7) names; one line of standard error that is no
 *     warning where the status is neither 0 nor 1; no temporary file.
 *  4. Where the status is 0 and the command has --check, it is called with what
 *     it has printed, and must not end with 1: status 0 means that --check says
 *     yes.
 *
 * Inputs are changed by their structure: a cell, a line, a word of the call.
 */
#include "whole.h"
#include "fuzz.h"
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
	WORDS = 40,
	LENGTH = 1 << 14 /* of an input */
};

struct command {
	const char *name;
	process_main *main;
	bool checks; /* it has --check */
};

#ifndef KITH_COMMANDS /* where this file is read alone */
#define KITH_COMMANDS KITH_COMMAND(tabfold)
#endif
#define KITH_COMMAND(name) int name##_main(int argc, char *argv[]);
KITH_COMMANDS
#undef KITH_COMMAND
#define KITH_COMMAND(name) {#name, name##_main, false},
static struct command commands[] = {KITH_COMMANDS};

static const struct process *ended; /* the last call */
static char folder[40];
static int console;

static _Noreturn void
fail(const char *what, const uint8_t *data, size_t len)
{
	dprintf(console, "\nwhole: %s, status %d\n%s\n%.*s\n", what, ended->status, ended->said,
	    (int)len, (const char *)data);
	dup2(console, STDERR_FILENO);
	abort();
}

/* Remove all files; whether one was temporary. */
static bool
clear(void)
{
	DIR *dir = opendir(".");
	bool temporary = false;

	if (!dir)
		abort();
	for (const struct dirent *e; (e = readdir(dir));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		temporary |= e->d_name[0] == '.';
		unlink(e->d_name);
	}
	closedir(dir);
	return temporary;
}

static struct command *
find(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(name, commands[i].name) == 0)
			return &commands[i];
	return NULL;
}

/* Step 3. */
static void
judge(const struct command *command, const uint8_t *data, size_t n)
{
	static const int named[] = {0, 1, 2, 65, 66, 71, 73, 74};
	const int status = ended->status;
	bool is_named = false, message = false;

	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		is_named |= status == named[i];
	if (!is_named)
		fail("a status without a name", data, n);
	for (const char *line = ended->said; *line; line = strchr(line, '\n') + 1) {
		const size_t name = strlen(command->name);

		if (!strchr(line, '\n'))
			break;
		message |= strncmp(line, command->name, name) == 0 &&
		    strncmp(line + name, ": ", 2) == 0 &&
		    strncmp(line + name, ": warning: ", 11) != 0;
	}
	if (status > 1 && !message)
		fail("no message", data, n);
}

/* Write the files of an input: those behind its first line. */
static void
write_files(const char *text)
{
	while ((text = strstr(text, "\n==> "))) {
		const char *name = text + 5, *from = strchr(name, '\n');
		const size_t len = strcspn(name, "\n");
		const char *end = strstr(name, "\n==> ");
		char path[32];
		int fd;

		text = from ? from : name;
		if (!from || len == 0 || len >= sizeof(path) || *name == '.' ||
		    memchr(name, '/', len))
			continue;
		memcpy(path, name, len);
		path[len] = '\0';
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		if (fd < 0)
			continue;
		end = end ? end + 1 : from + strlen(from);
		if (end > from + 1 && write(fd, from + 1, (size_t)(end - from - 1)) < 0)
			abort();
		close(fd);
	}
}

/*
 * Whether what these words ask for is small, stays in the folder, and starts no thread, as the
 * progress of -v does.
 */
static bool
modest(int n, char **word)
{
	static const char *const many[] = {"--boost", "--max-iter", "--cv", "--grid", "--passes",
	    "--repeats", "--samples", "--starts", "--rows", "-j"};

	for (int i = 1; i < n; i++) {
		const bool is_short = word[i][0] == '-' && word[i][1] != '-';

		if (strchr(word[i], '/') || strstr(word[i], "--verbose") ||
		    (is_short && strchr(word[i], 'v')))
			return false;
		for (size_t k = 0; k < sizeof(many) / sizeof(*many); k++)
			if (strncmp(word[i], many[k], strlen(many[k])) == 0) {
				const char *value = strchr(word[i], '=');

				if (!value && i + 1 < n)
					value = word[i + 1];
				if (value && strtod(value + (*value == '='), NULL) > 20)
					return false;
			}
	}
	return true;
}

/* Step 4, and the words of the call with --check. */
static void
check(const struct command *command, int n, char **word, const uint8_t *data, size_t len)
{
	static char option[] = "--check", file[] = "stdout";
	char *with[WORDS + 3];

	with[0] = word[0];
	with[1] = option;
	with[2] = file;
	for (int i = 1; i <= n; i++) { /* NULL, too */
		if (i < n &&
		    (strncmp(word[i], "--check", 7) == 0 || strncmp(word[i], "-o", 2) == 0 ||
			strncmp(word[i], "--output", 8) == 0))
			return;
		with[i + 2] = word[i];
	}
	ended = process_call(command->main, n + 2, with, "checked");
	if (ended->status == 1)
		fail("--check says no where the status was 0", data, len);
}

static void
leave(void)
{
	clear();
	rmdir(folder);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	console = dup(STDERR_FILENO);
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): its interface */
	__sanitizer_set_report_fd((void *)(intptr_t)console);
	setenv("OPENBLAS_NUM_THREADS", "1", 1);
	snprintf(folder, sizeof(folder), "%s/kith-fuzz-XXXXXX",
	    access(FUZZ_MEMORY, W_OK) ? "/tmp" : FUZZ_MEMORY);
	if (!mkdtemp(folder) || chdir(folder))
		abort();
	atexit(leave);
	process_begin(console);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		static char help[] = "--help=tsv";
		char name[32], *word[] = {name, help, NULL};
		char text[1 << 14];
		ssize_t got;

		snprintf(name, sizeof(name), "%s", commands[i].name);
		process_call(commands[i].main, 2, word, "stdout");
		got = pread(STDOUT_FILENO, text, sizeof(text) - 1, 0);
		text[got > 0 ? got : 0] = '\0';
		commands[i].checks = strstr(text, "--check\t") != NULL;
		whole_learn(name, text);
	}
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static char text[LENGTH + 1], line[LENGTH + 1];
	const struct command *command;
	char *word[WORDS + 1];
	int n = 0;

	if (len > LENGTH || memchr(data, '\0', len))
		return -1;
	memcpy(text, data, len);
	text[len] = '\0';
	memcpy(line, text, len + 1);
	line[strcspn(line, "\n")] = '\0';
	for (char *at = strtok(line, " "); at && n < WORDS; at = strtok(NULL, " "))
		word[n++] = at;
	word[n] = NULL;
	command = n ? find(word[0]) : NULL;
	if (!command || !modest(n, word))
		return -1;
	clear();
	write_files(text);
	ended = process_call(command->main, n, word, "stdout");
	judge(command, data, len);
	if (ended->status == 0 && command->checks)
		check(command, n, word, data, len);
	if (clear())
		fail("a temporary file is left", data, len);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t len, size_t most, unsigned int seed)
{
	return whole_change((char *)data, len, most, seed);
}
