/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls - call a command with each of its options, and with pairs of them, and
 * judge what becomes of each call.
 *
 *	calls OPTIONS VALUES PAIRS COMMAND [ARG]...
 *
 * OPTIONS has a line for each option: its name ("--check" or "-k"), and what
 * --help calls its argument, if there is one.  VALUES says what they are tried
 * with, a line each: what it is for, and values divided by blanks ('' is the
 * empty one).  It is for an option, or for that of one command
 *("knife:--check"), or for all arguments of that name ("N"); a word of
 *"a|b|FILE" that is not in capitals stands for itself.  "limits" are numbers
 *that are tried alone; those of more than three digits are too long for the
 *options after "long". ARG... are part of every call.  Of the pairs PAIRS or so
 *are tried, drawn by KITH_SEED.
 *
 * A call must end, with status 0, 1, 2, 65, 66 or 74, and with one line on standard
 * error that is no warning where it is not 0 or 1; at 1, tabcv says which tasks failed.  An option
 * that a warning says is not used must change neither status nor output.
 */
#include "base/rng.h"
#include "spawn.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LINES = 200,   /* of a file */
	LENGTH = 1000, /* of a line */
	TRIALS = 1000, /* options with a value */
	WORDS = 64,    /* of a line, or a command */
	SHOWN = 20     /* calls that are told of */
};

/* The words of a file, those of a line ended by NULL. */
struct words {
	size_t n;
	char *line[LINES][WORDS], text[LINES][LENGTH];
};

/* An option with a value. */
struct trial {
	char *name, *value; /* value NULL: it takes none */
	struct result {
		int status;     /* -1: ended by a signal */
		uint64_t bytes; /* hash of what was written */
		bool warned;
	} result;
};

static struct words option, value;
static struct trial trial[TRIALS];
static size_t trials, paired; /* the first are paired */
static const char *command;
static char *word[WORDS]; /* of every call */
static size_t words;
static struct result without; /* of the call without more options */
static size_t calls, failed;
static char said[1 << 16]; /* on standard error */

/* Files that calls write; what is in them is output too. */
enum { FILES = 3 };
static const char *const written[FILES] = {"stdout", "new1", "new2"};

static _Noreturn void
die(const char *what, const char *which)
{
	fprintf(stderr, "calls: %s: %s\n", what, which);
	exit(2);
}

/* Divide s at the bytes of by, into at most WORDS - 1 words and NULL. */
static void
divide(char *s, const char *by, char **out)
{
	size_t n = 0;

	for (char *at = strtok(s, by); at && n + 1 < WORDS; at = strtok(NULL, by))
		out[n++] = strcmp(at, "''") == 0 ? at + 2 : at;
	out[n] = NULL;
}

static void
read_words(const char *file, struct words *w)
{
	FILE *in = fopen(file, "r");

	if (!in)
		die("cannot read", file);
	while (w->n < LINES && fgets(w->text[w->n], LENGTH, in)) {
		divide(w->text[w->n], " \n", w->line[w->n]);
		w->n += w->line[w->n][0] != NULL;
	}
	fclose(in);
}

/* The values for this; none where there is no line, and NULL. */
static char **
values(const char *what)
{
	for (size_t l = 0; l < value.n; l++)
		if (strcmp(value.line[l][0], what) == 0)
			return value.line[l] + 1;
	return NULL;
}

/* The same for an option of the command. */
static char **
values_of(const char *name)
{
	char own[LENGTH];
	char **of;

	snprintf(own, sizeof(own), "%s:%s", command, name);
	of = values(own);
	return of ? of : values(name);
}

static void
add(char *name, char *with)
{
	if (trials == TRIALS)
		die("too many values", name);
	trial[trials++] = (struct trial){.name = name, .value = with};
}

static void
add_all(char *name, char **with)
{
	for (; with && *with; with++)
		add(name, *with);
}

/* Add what the words of an argument stand for: "auto|X" or "FILE". */
static void
add_words(char *name, const char *arg)
{
	static char text[LINES][LENGTH];
	static size_t used;
	char *part[WORDS], *copy = text[used++ % LINES];

	snprintf(copy, LENGTH, "%s", arg);
	divide(copy, "|", part);
	for (char **p = part; *p; p++)
		if (**p < 'A' || **p > 'Z')
			add(name, *p);
		else if (values(*p))
			add_all(name, values(*p));
		else
			die("no values for an argument that is", arg);
}

/* Add numbers at the limits, where an option may take a number. */
static void
add_limits(char *name, const char *arg)
{
	bool slow = false;

	if (strstr(arg, "FILE") || (strchr(arg, '|') && !strchr(arg, 'X')))
		return;
	for (char **n = values("long"); n && *n; n++)
		slow |= strcmp(*n, name) == 0;
	for (char **v = values("limits"); v && *v; v++)
		if (!slow || strlen(*v) <= 3)
			add(name, *v);
}

static void
add_trials(void)
{
	for (size_t o = 0; o < option.n; o++) {
		char *name = option.line[o][0], *arg = option.line[o][1];

		if (!arg)
			add(name, NULL);
		else if (values_of(name))
			add_all(name, values_of(name));
		else
			add_words(name, arg);
	}
	paired = trials;
	for (size_t o = 0; o < option.n; o++)
		if (option.line[o][1])
			add_limits(option.line[o][0], option.line[o][1]);
}

/* The words of a call, into argv: options stand last, or before "--". */
static void
spell(char **argv, const struct trial *a, const struct trial *b)
{
	const struct trial *const both[] = {a, b};
	size_t end = 0, n;

	while (end < words && strcmp(word[end], "--") != 0)
		end++;
	memcpy(argv, word, end * sizeof(*argv));
	n = end;
	for (size_t i = 0; i < 2; i++)
		if (both[i]) {
			argv[n++] = both[i]->name;
			argv[n++] = both[i]->value; /* NULL is overwritten */
			n -= !both[i]->value;
		}
	memcpy(argv + n, word + end, (words - end) * sizeof(*argv));
	argv[n + words - end] = NULL;
}

/* FNV-1a of 64 bits of a file, which is none where it is not there. */
static uint64_t
hash_file(uint64_t h, const char *file)
{
	FILE *in = fopen(file, "r");
	int c;

	while (in && (c = getc(in)) != EOF)
		h = (h ^ (uint64_t)c) * 0x100000001b3;
	if (in)
		fclose(in);
	return (h ^ 256) * 0x100000001b3;
}

static void
read_said(void)
{
	FILE *in = fopen("stderr", "r");
	const size_t got = in ? fread(said, 1, sizeof(said) - 1, in) : 0;

	said[got] = '\0';
	if (in)
		fclose(in);
}

static struct result
call(char **argv)
{
	const char *limit = getenv("KITH_LIMIT");
	struct result got = {.bytes = 0xcbf29ce484222325};

	calls++;
	for (size_t f = 0; f < FILES; f++)
		unlink(written[f]);
	got.status = spawn(
	    argv, "stdout", "stderr", limit ? (unsigned)strtoul(limit, NULL, 10) : 20);
	for (size_t f = 0; f < FILES; f++)
		got.bytes = hash_file(got.bytes, written[f]);
	read_said();
	got.warned = strstr(said, ": warning: ");
	return got;
}

static void
tell(char **argv, const char *why)
{
	if (++failed > SHOWN)
		return;
	printf("# %s:", why);
	for (; *argv; argv++)
		printf(" %s", **argv ? *argv : "''");
	printf("\n#   %.*s\n", (int)strcspn(said, "\n"), said);
}

/* Whether a call gave this option without a value. */
static bool
has(char **argv, const char *name)
{
	while (*argv && strcmp(*argv, name) != 0)
		argv++;
	return *argv;
}

/* Whether a line of standard error begins so behind the command's name. */
static bool
begins(const char *line, const char *with)
{
	const size_t len = strlen(command);

	return strncmp(line, command, len) == 0 && strncmp(line + len, with, strlen(with)) == 0;
}

/*
 * Lines on standard error that are no warnings, notes or choices, nor where help is, nor, where
 * the call has -v, of its log.
 */
static size_t
count_messages(bool logs)
{
	size_t n = 0;

	for (const char *s = said; *s; s += strcspn(s, "\n"), s += *s == '\n')
		if (strncmp(s, "try '", 5) == 0 || (logs && s[strcspn(s, "\t\n")] == '\t'))
			continue;
		else if (!begins(s, ":"))
			return SIZE_MAX;
		else
			n += !begins(s, ": warning: ") && !begins(s, ": note: ") &&
			    !begins(s, ": chosen: ");
	return n;
}

/* Judge the status and the messages of a call. */
static void
judge(char **argv, const struct result *got)
{
	const size_t n = count_messages(has(argv, "-v") || has(argv, "--verbose"));
	const bool done = got->status == 0 || got->status == 1;
	const bool tasks_failed = got->status == 1 && strcmp(argv[0], "tabcv") == 0;

	if (!done && got->status != 2 && got->status != 65 && got->status != 66 &&
	    got->status != 74)
		tell(argv, "ends as it must not");
	else if (n == SIZE_MAX)
		tell(argv, "a message without the name of the command");
	else if (done ? n > 0 && !tasks_failed : n != 1)
		tell(argv, "not one message");
	else if (got->warned && has(argv, "-q"))
		tell(argv, "a warning in spite of -q");
}

/* Whether the last call was told that this option is not used. */
static bool
is_idle(const char *name)
{
	char text[LENGTH];

	snprintf(text, sizeof(text), ": %s is not used with", name);
	return strstr(said, text);
}

/* Call with an option, or two (b not NULL), and judge that. */
static struct result
call_with(const struct trial *a, const struct trial *b)
{
	const bool alone = !b;
	const struct result *due = alone ? &without : &b->result;
	char *argv[2 * WORDS];
	struct result got;
	bool idle;

	spell(argv, a, b);
	got = call(argv);
	judge(argv, &got);
	idle = is_idle(a->name);
	if (!alone && is_idle(b->name)) {
		due = idle ? &without : &a->result;
		idle = true;
	}
	if (idle && (got.status != due->status || got.bytes != due->bytes))
		tell(argv, "an idle option acts");
	return got;
}

/* Call with so many of all pairs, or a few more or less. */
static void
call_pairs(double most)
{
	const char *seed = getenv("KITH_SEED");
	const double all = (double)paired * (double)paired / 2;
	struct kith_rng rng;

	kith_rng_seed(&rng, seed ? strtoull(seed, NULL, 10) : 1, KITH_RNG_SAMPLE, 0);
	for (size_t b = 0; b < paired; b++)
		for (size_t a = 0; a < b; a++)
			if (kith_rng_unit(&rng) * all < most &&
			    strcmp(trial[a].name, trial[b].name) != 0)
				call_with(&trial[a], &trial[b]);
}

int
main(int argc, char *argv[])
{
	if (argc < 5 || argc > WORDS)
		die("usage", "calls OPTIONS VALUES PAIRS COMMAND [ARG]...");
	read_words(argv[1], &option);
	read_words(argv[2], &value);
	command = argv[4];
	for (; words + 4 < (size_t)argc; words++)
		word[words] = argv[words + 4];
	add_trials();
	without = call(word);
	if (without.status != 0 && without.status != 1)
		tell(word, "fails without other options");
	judge(word, &without);
	for (size_t t = 0; t < trials; t++)
		trial[t].result = call_with(&trial[t], NULL);
	call_pairs(strtod(argv[3], NULL));
	printf("# %zu options, %zu with values, %zu calls, %zu failed\n", option.n, trials, calls,
	    failed);
	return failed > 0;
}
