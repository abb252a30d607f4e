/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opt - fuzz target: words of a call, divided by null bytes, for options of all
 * types; numbers that are taken are in their range.
 */
#include "cli/opt.h"

#include "fuzz.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { WORDS = 24, LENGTH = 300 };

static bool flag;
static int help;
static char ch;
static double share;
static size_t few;
static const char *text;
static int choice, maybe;
static struct kith_reals reals;
static struct kith_sizes sizes;
static struct kith_shard shard;

static const struct kith_opt opts[] = {
    {'f', "flag", KITH_FLAG(&flag), "a flag", NULL},
    {'d', NULL, KITH_CHAR(&ch), "a character", NULL},
    {0, "share", KITH_REAL(&share, 0, 1), "between", NULL},
    {'n', "few", KITH_SIZE(&few, 0, 9), "to 9", NULL},
    {'t', "train", KITH_FILE(&text), "a file", NULL},
    {0, "vote", KITH_CHOICE(&choice, "one|other|third"), "a choice", NULL},
    {0, "maybe", KITH_MAYBE(&maybe, "se|sd"), "a word or none", NULL},
    {0, "reals", KITH_REALS(&reals, 0, 100), "numbers", NULL},
    {0, "sizes", KITH_SIZES(&sizes, 1, INFINITY), "whole numbers", NULL},
    {0, "shard", KITH_SHARD(&shard), "a part", NULL},
    {'h', "help", KITH_O_ANSWER, "tsv", {.choice = &help}, 0, 0, "help", NULL},
    {0},
};

/* Whether what was stored is what the table of options allows. */
static bool
is_allowed(void)
{
	bool good = share >= 0 && share <= 1 && few <= 9 && choice >= 0 && choice <= 2 &&
	    maybe >= 0 && maybe <= 3 && shard.i >= 1 && shard.i <= shard.n;

	for (size_t i = 0; i < reals.n; i++)
		good &= reals.v[i] >= 0 && reals.v[i] <= 100;
	for (size_t i = 0; i < sizes.n; i++)
		good &= sizes.v[i] >= 1;
	return good;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static char name[] = "opt", words[LENGTH + 1];
	char *argv[WORDS + 1] = {name};
	struct kith_pool pool = {0};
	struct kith_err err = {0};
	int argc = 1, first;

	/* A list that names a file is another matter. */
	if (len > LENGTH || memchr(data, '@', len))
		return 0;
	memcpy(words, data, len);
	words[len] = '\0';
	for (size_t at = 0; at < len && argc < WORDS; at += strlen(argv[argc++]) + 1)
		argv[argc] = words + at;
	share = 0;
	few = 0;
	choice = maybe = 0;
	reals.n = sizes.n = 0;
	shard = (struct kith_shard){1, 1};
	first = kith_opt_parse(opts, NULL, argc, argv, &pool, &err);
	if (first < 0 ? !err.status || !err.msg[0] : first > argc || !is_allowed())
		abort();
	kith_pool_free(&pool);
	return 0;
}
