/* SPDX-License-Identifier: BSD-2-Clause */
/* score/read - tables of predictions that tests of lib/score read from texts. */
#ifndef KITH_TEST_SCORE_READ_H
#define KITH_TEST_SCORE_READ_H

#include "base/err.h"
#include "base/pool.h"
#include "score/outcome.h"
#include "scratch.h"
#include "table/table.h"
#include "tap.h"

#include <string.h>

static struct kith_pool pool;
static struct kith_err err;

static const struct kith_outcome_how classes = {.task = KITH_CLASSIFY},
				     numbers = {.task = KITH_REGRESS};

static inline int
parse(size_t file, const char *text, const struct kith_outcome_how *how, struct kith_outcome *o)
{
	const char *const files[] = {scratch_text(file, text), NULL};

	return kith_outcome_read(files, how, o, &pool, &err);
}

/* Whether it fails with what starts so, at this line. */
static inline void
fails(const char *text, const struct kith_outcome_how *how, size_t line, const char *due)
{
	struct kith_outcome o;
	const int got = parse(0, text, how, &o);

	ok(got < 0 && err.line == line && err.status == EX_DATAERR &&
		strncmp(err.msg, due, strlen(due)) == 0,
	    "line %zu: %s", err.line, err.msg);
}

#endif
