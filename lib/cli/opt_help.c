/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/opt_help - what --help prints: the options of a table (cli/opt.h), for readers or programs.
 */
#include "cli/opt.h"

#include "text/out.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum {
	HEAD = 24, /* columns before the text of --help */
	WIDTH = 80
};

/* Print a text from column from on, at column at, in lines of WIDTH. */
static void
put_text(struct kith_out *out, const char *s, size_t from, size_t at)
{
	for (;;) {
		for (; at < from; at++)
			kith_out_char(out, ' ');
		for (size_t len; *s; s += len, at += len) {
			len = 1 + strcspn(s + 1, " ");
			if (at > from && at + len > WIDTH)
				break;
			kith_out_bytes(out, s, len);
		}
		kith_out_char(out, '\n');
		if (!*s)
			return;
		s++; /* the blank between lines */
		at = 0;
	}
}

/* Writes what stands before the words of an option, and returns its length. */
static size_t
head_of(const struct kith_opt *o, char head[static WIDTH])
{
	const bool maybe = kith_opt_argument(o) == optional_argument;

	return (size_t)snprintf(head, WIDTH, "  %s%c%s%s%s%s%s%s", o->key ? "-" : " ",
	    o->key ? o->key : ' ',
	    !o->key       ? "  "
		: o->name ? ", "
			  : "",
	    o->name ? "--" : "", o->name ? o->name : "",
	    maybe        ? "[="
		: o->arg ? " "
			 : "",
	    o->arg ? o->arg : "", maybe ? "]" : "");
}

/* Prints a line on an option, or two: words that follow a long head stand beside it if they fit. */
static void
print_option(struct kith_out *out, const struct kith_opt *o)
{
	char head[WIDTH];
	size_t len = head_of(o, head), from = HEAD;

	kith_out_text(out, head);
	if (len > HEAD - 2 && len + 2 + strlen(o->help) <= WIDTH) {
		from = len + 2;
	} else if (len > HEAD - 2) {
		kith_out_char(out, '\n');
		len = 0;
	}
	put_text(out, o->help, from, len);
}

/* Prints the names of an option, "  -o/--output FILE"; at is the length of the line so far. */
static size_t
print_name(struct kith_out *out, const struct kith_opt *o, size_t at)
{
	const char *arg = kith_opt_argument(o) == required_argument ? o->arg : NULL;
	char key[] = "-x/", name[WIDTH];
	size_t len;

	key[1] = (char)o->key;
	len = (size_t)snprintf(name, WIDTH, "  %s--%s%s%s", o->key ? key : "", o->name,
	    arg ? " " : "", arg ? arg : "");
	if (at + len > WIDTH) {
		kith_out_char(out, '\n');
		at = 0;
	}
	kith_out_text(out, name);
	return at + len;
}

void
kith_opt_help(struct kith_out *out, const struct kith_opt *opts)
{
	const char *heading = "";
	size_t at = 0;

	for (const struct kith_opt *o = opts; o->key || o->name; o++) {
		const bool begins = o->heading && strcmp(o->heading, heading) != 0;

		if (begins)
			heading = o->heading;
		if (strcmp(heading, KITH_COMMON) == 0) {
			if (begins)
				kith_out_text(out, "Of all commands, explained in kith(7):\n");
			at = print_name(out, o, at);
			continue;
		}
		if (begins) {
			kith_out_text(out, heading);
			kith_out_text(out, ":\n");
		}
		print_option(out, o);
	}
	if (at > 0)
		kith_out_char(out, '\n');
}

void
kith_opt_table(struct kith_out *out, const struct kith_opt *opts)
{
	const char *heading = "";

	kith_out_text(out, "option\targument\ttype\theading\twords\n");
	for (const struct kith_opt *o = opts; o->key || o->name; o++) {
		char option[WIDTH];

		if (o->heading)
			heading = o->heading;
		snprintf(option, sizeof(option), "%s%c%s%s%s", o->key ? "-" : "",
		    o->key ? o->key : '-', o->key && o->name ? ", -" : "", o->name ? "-" : "",
		    o->name ? o->name : "");
		kith_out_text(out, option);
		for (const char *const *s = (const char *const[]){o->arg ? o->arg : "",
			 kith_opt_kinds[o->type].name, heading, o->help, NULL};
		     *s; s++) {
			kith_out_char(out, '\t');
			kith_out_text(out, *s);
		}
		kith_out_char(out, '\n');
	}
}
