/* SPDX-License-Identifier: BSD-2-Clause */
/* main() of each command that defines kith_tool and kith_work(). */
#include "base/pool.h"
#include "cli/cli.h"
#include "text/out.h"

int
main(int argc, char *argv[])
{
	static struct kith_pool pool; /* to the end: kith_finish() reads names of files in it */
	static struct kith_out out;
	char **operand = kith_begin(&kith_tool, argc, argv);
	const char *const *files = kith_inputs(operand);
	struct kith_err err;
	const int status = kith_work(files, &out, &pool, &err);

	if (status < 0)
		kith_die(&err);
	return kith_finish(out.file ? &out : NULL, status);
}
