/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/err.h: what a failure says. */
#include "base/err.h"

#include "tap.h"

#include <string.h>

int
main(void)
{
	struct kith_err err = {1, "old", 9, "old"};
	char text[500];

	ok(kith_fail(&err, KITH_EX_USAGE, "%s %d", "word", 7) == -1, "fail");
	ok(err.status == KITH_EX_USAGE && !err.file && err.line == 0, "of no file and no line");
	is_text(err.msg, "word 7", "the message");
	ok(kith_fail_at(&err, EX_DATAERR, "f", 3, "%c", 'x') == -1, "at a line");
	ok(err.status == EX_DATAERR && strcmp(err.file, "f") == 0 && err.line == 3,
	    "status, file and line");
	is_text(err.msg, "x", "the message");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	kith_fail(&err, 1, "%s", text);
	is_size(strlen(err.msg), sizeof(err.msg) - 1, "a long one is cut");
	kith_fail_at(&err, 1, "f", 0, "%s", text);
	is_size(strlen(err.msg), sizeof(err.msg) - 1, "here, too");
	return done();
}
