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
 *  2. The data of kith's objects are what they were when the process began: the
 *     Makefile gives the sections .data and .bss of all of them names of ours.
 *  3. main() of the command is called, standard output and error being files.
 *     exit() comes back here (the Makefile has the objects call whole_exit()),
 *     and calls what atexit() was given.
 *  4. Memory and files that the command still holds are taken from it, as by
 *     the end of a process.
 *  5. Judged: a status that kith(7) names; one line of standard error that is no
 *     warning where the status is neither 0 nor 1; no temporary file.
 *  6. Where the status is 0 and the command has --check, it is called with what
 *     it has printed, and must not end with 1: status 0 means that --check says
 *     yes.
 *
 * Inputs are changed by their structure: a cell, a line, a word of the call.
 */
#include "whole.h"
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
	WORDS = 40,
	LENGTH = 1 << 14, /* of an input */
	HANDLERS = 8,
	HELD = 1 << 16, /* pieces of memory, a power of 2 */
	SAID = 1 << 14,
	FILES = 64 /* that a command may have open */
};

struct command {
	const char *name;
	int (*main)(int argc, char *argv[]);
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

/* As much as sanitizers fill the last variable of a section up to. */
typedef uint64_t lump __attribute__((vector_size(32)));

/* The data of kith's objects, from and to; the linker gives these names. */
/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*) */
extern lump __start_kith_data[], __stop_kith_data[];
extern lump __start_kith_bss[], __stop_kith_bss[];
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl*) */
static lump *first_data;

/* The run that goes on. */
static struct {
	bool on;
	jmp_buf back;
	pthread_t thread;
	int status;
	void (*handler[HANDLERS])(void);
	size_t handlers;
} run;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *held[HELD];
static char said[SAID];
static char folder[40];
static int console;

static _Noreturn void
fail(const char *what, const uint8_t *data, size_t len)
{
	dprintf(console, "\nwhole: %s, status %d\n%s\n%.*s\n", what, run.status,
	    said, (int)len, (const char *)data);
	dup2(console, STDERR_FILENO);
	abort();
}

/* A place in held for this pointer, or for NULL one that is free. */
static void **
place(const void *p)
{
	size_t at = (uintptr_t)p / 16 * 0x9e3779b97f4a7c15U >> 48;

	while (held[at] && held[at] != p)
		at = (at + 1) % HELD;
	return &held[at];
}

static void
hold(void *p)
{
	if (p)
		*place(p) = p;
}

/* Others behind it may have found this place taken: they are put in anew. */
static void
let_go(const void *p)
{
	void **at = place(p);

	if (!p || !*at)
		return;
	*at = NULL;
	for (size_t i = (size_t)(at - held + 1) % HELD; held[i];
	     i = (i + 1) % HELD) {
		void *other = held[i];

		held[i] = NULL;
		hold(other);
	}
}

void *
whole_calloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	pthread_mutex_lock(&lock);
	hold(p);
	pthread_mutex_unlock(&lock);
	return p;
}

void *
whole_realloc(void *old, size_t size)
{
	void *p;

	pthread_mutex_lock(&lock);
	let_go(old);
	p = realloc(old, size);
	hold(p ? p : old);
	pthread_mutex_unlock(&lock);
	return p;
}

void
whole_free(void *p)
{
	pthread_mutex_lock(&lock);
	let_go(p);
	pthread_mutex_unlock(&lock);
	free(p);
}

void
whole_cmp8(uint64_t a, uint64_t b)
{
	(void)a;
	(void)b;
}

void
whole_const_cmp8(uint64_t a, uint64_t b)
{
	(void)a;
	(void)b;
}

int
whole_atexit(void (*handler)(void))
{
	if (run.handlers == HANDLERS)
		return -1;
	run.handler[run.handlers++] = handler;
	return 0;
}

void
whole_exit(int status)
{
	if (!run.on || !pthread_equal(run.thread, pthread_self()))
		_exit(99);
	run.status = status;
	longjmp(run.back, 1);
}

/* Plain loops: memory between variables is not for memcpy() of a sanitizer. */
__attribute__((no_sanitize("address", "undefined"))) static void
copy(volatile lump *to, const volatile lump *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
}

static size_t
lumps(const lump *start, const lump *stop)
{
	const size_t bytes = (size_t)((uintptr_t)stop - (uintptr_t)start);

	if (bytes % sizeof(*start) != 0)
		abort();
	return bytes / sizeof(*start);
}

static void
keep_data(bool restore)
{
	const size_t n = lumps(__start_kith_data, __stop_kith_data);
	const size_t m = lumps(__start_kith_bss, __stop_kith_bss);

	if (!first_data)
		first_data = aligned_alloc(
		    sizeof(lump), (n + m) * sizeof(*first_data));
	if (!first_data)
		abort();
	if (restore) {
		copy(__start_kith_data, first_data, n);
		copy(__start_kith_bss, first_data + n, m);
	} else {
		copy(first_data, __start_kith_data, n);
		copy(first_data + n, __start_kith_bss, m);
	}
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

static void
take(int fd, const char *file)
{
	const int from = open(
	    file, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);

	if (from < 0 || dup2(from, fd) < 0)
		abort();
	close(from);
}

/* Steps 2 to 4: the status of a call; what it has said is in said. */
static int
call(const struct command *command, int n, char **word, const char *out)
{
	ssize_t got;

	keep_data(true);
	take(STDIN_FILENO, "stdin");
	take(STDOUT_FILENO, out);
	take(STDERR_FILENO, "stderr");
	optind = 0;
	run.handlers = 0;
	run.thread = pthread_self();
	run.on = true;
	if (!setjmp(run.back))
		run.status = command->main(n, word);
	while (run.handlers > 0) {
		run.handlers--;
		if (!setjmp(run.back))
			run.handler[run.handlers]();
	}
	run.on = false;
	fflush(stderr);
	for (size_t i = 0; i < HELD; i++)
		if (held[i]) {
			free(held[i]);
			held[i] = NULL;
		}
	for (int fd = console + 1; fd < console + FILES; fd++)
		close(fd);
	got = pread(STDERR_FILENO, said, sizeof(said) - 1, 0);
	said[got > 0 ? got : 0] = '\0';
	dup2(console, STDERR_FILENO);
	return run.status;
}

static struct command *
find(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(name, commands[i].name) == 0)
			return &commands[i];
	return NULL;
}

/* Step 5. */
static void
judge(const struct command *command, int status, const uint8_t *data, size_t n)
{
	static const int named[] = {0, 1, 2, 65, 66, 71, 73, 74};
	bool is_named = false, message = false;

	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		is_named |= status == named[i];
	if (!is_named)
		fail("a status without a name", data, n);
	for (const char *line = said; *line; line = strchr(line, '\n') + 1) {
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
		if (end > from + 1 &&
		    write(fd, from + 1, (size_t)(end - from - 1)) < 0)
			abort();
		close(fd);
	}
}

/* Whether what these words ask for is small, and stays in the folder. */
static bool
modest(int n, char **word)
{
	static const char *const many[] = {"--bootstrap", "--permute",
	    "--boost", "--max-iter", "--cv", "--grid", "--atoms", "--passes",
	    "--repeats", "--samples", "--starts", "--rows", "-j"};

	for (int i = 1; i < n; i++) {
		if (strchr(word[i], '/') || strstr(word[i], "--progress"))
			return false;
		for (size_t k = 0; k < sizeof(many) / sizeof(*many); k++)
			if (strncmp(word[i], many[k], strlen(many[k])) == 0) {
				const char *value = strchr(word[i], '=');

				if (!value && i + 1 < n)
					value = word[i + 1];
				if (value &&
				    strtod(value + (*value == '='), NULL) > 20)
					return false;
			}
	}
	return true;
}

/* Step 6, and the words of the call with --check. */
static void
check(const struct command *command, int n, char **word, const uint8_t *data,
    size_t len)
{
	static char option[] = "--check", file[] = "stdout";
	char *with[WORDS + 3];

	with[0] = word[0];
	with[1] = option;
	with[2] = file;
	for (int i = 1; i <= n; i++) { /* NULL, too */
		if (i < n &&
		    (strncmp(word[i], "--check", 7) == 0 ||
			strncmp(word[i], "-o", 2) == 0 ||
			strncmp(word[i], "--output", 8) == 0))
			return;
		with[i + 2] = word[i];
	}
	if (call(command, n + 2, with, "checked") == 1)
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
	keep_data(false);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		static char help[] = "--help";
		char name[32], *word[] = {name, help, NULL};
		char text[1 << 14];
		ssize_t got;

		snprintf(name, sizeof(name), "%s", commands[i].name);
		call(&commands[i], 2, word, "stdout");
		got = pread(STDOUT_FILENO, text, sizeof(text) - 1, 0);
		text[got > 0 ? got : 0] = '\0';
		commands[i].checks = strstr(text, "--check ") != NULL;
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
	for (char *at = strtok(line, " "); at && n < WORDS;
	     at = strtok(NULL, " "))
		word[n++] = at;
	word[n] = NULL;
	command = n ? find(word[0]) : NULL;
	if (!command || !modest(n, word))
		return -1;
	clear();
	write_files(text);
	judge(command, call(command, n, word, "stdout"), data, len);
	if (run.status == 0 && command->checks)
		check(command, n, word, data, len);
	if (clear())
		fail("a temporary file is left", data, len);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(
    uint8_t *data, size_t len, size_t most, unsigned int seed)
{
	return whole_change((char *)data, len, most, seed);
}
