/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *  1. An input of the target whole.c is a call and files; a change is made at a
 *     place drawn by the seed.
 *  2. Of the call: a word is dropped, gets another value, or is followed by an
 *     option of this command with a value of its kind, by --help=tsv.
 *  3. Of a file: a cell becomes another one of the input or a number at the ends
 *     of what is allowed; a line is copied or dropped.
 *  4. Or bytes change anyhow.
 */
#include "whole.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { OPTIONS = 1500, LENGTH = 64 };

static struct {
	char command[LENGTH], name[LENGTH], arg[LENGTH];
} option[OPTIONS];
static size_t options;

static const char *const number[] = {"0", "1", "-1", "2", ".5", "3", "10", "7", "-0.1", "1e-3",
    "1e3", "1e-12", "1e12", "1e-300", "1e300", "-1e300", "1e308", "5e-324", "9007199254740993",
    "18446744073709551616", "1e400", "nan", "inf", "", "NA", "a", "b", "\"a,b\"", "1,2", ".1,1,10",
    "x0", "y"};

static uint64_t state;

static size_t
draw(size_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return n ? (state >> 11) % n : 0;
}

/* help is the table of --help=tsv: "-x, --name", argument, type, ... */
void
whole_learn(const char *command, const char *help)
{
	while ((help = strchr(help, '\n')) && *++help && options < OPTIONS) {
		size_t n = strcspn(help, "\t"), name = n;
		const char *arg = help + n + 1, *type;

		while (name > 0 && help[name - 1] != ' ')
			name--;
		type = arg + strcspn(arg, "\t") + 1;
		snprintf(option[options].command, LENGTH, "%s", command);
		snprintf(option[options].name, LENGTH, "%.*s", (int)(n - name), help + name);
		n = strncmp(type, "optional", 8) == 0 ? 0 : (size_t)(type - 1 - arg);
		snprintf(option[options].arg, LENGTH, "%.*s", (int)(n < LENGTH ? n : 0), arg);
		options++;
	}
}

/* Put a text in place of `cut` bytes at a place; the new length. */
static size_t
splice(char *text, size_t len, size_t most, size_t at, size_t cut, const char *with, size_t n)
{
	if (len - cut + n > most)
		return len;
	memmove(text + at + n, text + at + cut, len - at - cut);
	memcpy(text + at, with, n);
	return len - cut + n;
}

/* One of the parts of a|b|c, or a number, or a file of the input. */
static size_t
draw_value(const char *text, size_t len, const char *arg, char value[LENGTH])
{
	size_t parts = 1, k;

	for (const char *c = arg; *c; c++)
		parts += *c == '|';
	for (k = draw(parts); k > 0; k--)
		arg = strchr(arg, '|') + 1;
	k = strcspn(arg, "|");
	if (!isupper((unsigned char)*arg) && k > 0) {
		snprintf(value, LENGTH, "%.*s", (int)k, arg);
		return strlen(value);
	}
	if (strncmp(arg, "FILE", 4) == 0 && draw(8)) {
		const size_t from = draw(len);
		const char *file = strstr(text + from, "\n==> ");

		if (!file)
			file = strstr(text, "\n==> ");
		if (file) {
			k = strcspn(file + 5, "\n");
			snprintf(value, LENGTH, "%.*s", (int)(k < LENGTH ? k : 0), file + 5);
			return strlen(value);
		}
	}
	snprintf(value, LENGTH, "%s", number[draw(sizeof(number) / sizeof(*number))]);
	return strlen(value);
}

/* An option of the command that the input calls, or OPTIONS. */
static size_t
draw_option(const char *text)
{
	const size_t name = strcspn(text, " \n");

	for (int tries = 0; tries < 2000 && options; tries++) {
		const size_t k = draw(options);

		if (strlen(option[k].command) == name && memcmp(option[k].command, text, name) == 0)
			return k;
	}
	return OPTIONS;
}

static size_t
change_call(char *text, size_t len, size_t most)
{
	const size_t end = strcspn(text, "\n");
	char with[3 * LENGTH], value[LENGTH];
	size_t at = draw(end), k;

	while (at > 0 && text[at] != ' ')
		at--;
	if (at == 0) {
		k = draw_option(text);
		at = strcspn(text, " \n");
		if (k == OPTIONS)
			return len;
		draw_value(text, len, option[k].arg, value);
		snprintf(with, sizeof(with), " %s%s%s", option[k].name, *option[k].arg ? " " : "",
		    *option[k].arg ? value : "");
		return splice(text, len, most, at, 0, with, strlen(with));
	}
	k = strcspn(text + at + 1, " \n") + 1;
	if (draw(3) == 0)
		return splice(text, len, most, at, k, "", 0);
	value[0] = ' ';
	snprintf(
	    value + 1, sizeof(value) - 1, "%s", number[draw(sizeof(number) / sizeof(*number))]);
	return splice(text, len, most, at, k, value, strlen(value));
}

static size_t
change_cell(char *text, size_t len, size_t most)
{
	static const char ends[] = ",\t;\n ";
	size_t at = draw(len), k, other;
	char with[LENGTH];

	while (at > 0 && !strchr(ends, text[at - 1]))
		at--;
	k = strcspn(text + at, ends);
	if (draw(2)) {
		other = draw(len);
		while (other > 0 && !strchr(ends, text[other - 1]))
			other--;
		snprintf(with, sizeof(with), "%.*s", (int)(strcspn(text + other, ends) % LENGTH),
		    text + other);
	} else {
		snprintf(with, sizeof(with), "%s", number[draw(sizeof(number) / sizeof(*number))]);
	}
	return splice(text, len, most, at, k, with, strlen(with));
}

static size_t
change_line(char *text, size_t len, size_t most)
{
	static char line[1 << 12];
	size_t at = draw(len), k, to = draw(len);

	while (at > 0 && text[at - 1] != '\n')
		at--;
	k = strcspn(text + at, "\n") + 1;
	if (at == 0 || at + k > len || k > sizeof(line))
		return len;
	if (draw(2))
		return splice(text, len, most, at, k, "", 0);
	memcpy(line, text + at, k);
	while (to > 0 && text[to - 1] != '\n')
		to--;
	return to ? splice(text, len, most, to, 0, line, k) : len;
}

size_t
whole_change(char *text, size_t len, size_t most, unsigned seed)
{
	static char copy[1 << 15];
	size_t rounds;

	if (most + 1 > sizeof(copy))
		most = sizeof(copy) - 1;
	if (len == 0 || len > most)
		return len;
	state = (seed + 1U) * 0x9e3779b97f4a7c15U;
	memcpy(copy, text, len);
	copy[len] = '\0';
	for (rounds = 1 + draw(4); rounds > 0 && len > 0; rounds--) {
		switch (draw(8)) {
		case 0:
		case 1:
		case 2:
			len = change_call(copy, len, most);
			break;
		case 3:
		case 4:
		case 5:
			len = change_cell(copy, len, most);
			break;
		case 6:
			len = change_line(copy, len, most);
			break;
		default:
			len = LLVMFuzzerMutate((uint8_t *)copy, len, most);
		}
		copy[len] = '\0';
	}
	memcpy(text, copy, len);
	return len;
}
