/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trial - one call of a command under a hardship, in the current directory.
 *
 * What a call writes is known from its words: those that begin with "new" name
 * files.  "<FILE" is standard input.  Standard output goes to the file `printed`.
 */
#ifndef KITH_TORTURE_TRIAL_H
#define KITH_TORTURE_TRIAL_H

#include "seen.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum { WORDS = 64, OUTS = 4, LONGEST = 1000 };

/* The bytes of a file; NULL where there is none. */
struct bytes {
	char *at;
	size_t n;
};

struct call {
	char line[LONGEST], text[LONGEST];
	char *word[WORDS], *input;
	size_t outs;
	char *out[OUTS];
	/* What it does without hardship. */
	int status;
	double seconds;
	struct bytes due[OUTS], printed;
};

enum { NOBODY = 65534 }; /* the user */

enum output { TO_FILE, TO_FULL, TO_NOBODY }; /* no room, no reader */

struct hardship {
	const char *fault; /* for the shim, but for the errno, or NULL */
	int why;           /* the errno */
	unsigned long at;  /* which call fails */
	bool lasting;
	int limit; /* of setrlimit(); -1: none */
	unsigned long most;
	int ignored; /* a signal, or 0 */
	int sent;    /* a signal, or 0, after so many seconds */
	double after;
	unsigned closed; /* bit D: descriptor D */
	enum output output;
	bool to_fifos; /* all files are FIFOs */
	bool walled;   /* the directory takes no file, from nobody */
	long left;     /* bytes free on the file system; -1: many */
};
extern const struct hardship kith_ease;

/* What became of it. */
struct end {
	bool hung;
	int status; /* as of waitpid() */
	char said[1 << 14];
	struct bytes printed, fifo[OUTS];
};

/* Divide line into the words of a call. */
void kith_call_read(struct call *c, const char *line);

/* Call, and wait until it has ended. */
void kith_try(const struct call *c, const struct hardship *h, struct end *e);

/* Where the shim and its file are. */
extern const char *kith_shim;
extern struct kith_seen *kith_seen;

/* All of a file. */
struct bytes kith_bytes(const char *file);

/* The status where a command ended by itself, else -1. */
int kith_end_status(const struct end *e);

/*
 * What is wrong with an end, as text of at most room bytes: false where nothing
 * is.  Files in the directory are looked at, and temporary ones removed.
 */
bool kith_judge(
    const struct call *c, const struct hardship *h, const struct end *e, char *text, size_t room);

/* The hardship in words. */
void kith_hardship_spell(const struct hardship *h, char *text, size_t room);

#endif
