/* SPDX-License-Identifier: BSD-2-Clause */
/* svmonline - predict the rows of a stream by an SVM of the rows before them. */
#include "base/pool.h"
#include "cli/cli.h"
#include "text/out.h"
#include "wsvmpath/online.h"
#include "wsvmpath/options.h"

static struct kith_wsvm_call call = {
    KITH_WSVM_USUAL, .online = 500, .C = 1, .batch = 1, .forget = 3};

static const struct kith_opt opts[] = {
    {0, "window", KITH_SIZE(&call.online, 1, 0x1p53),
	"learn from the last N rows whose class is known [500]", "What is learnt"},
    {'C', NULL, KITH_REAL(&call.C, 0, DBL_MAX),
	"cost of an error in the middle row of the window [1]", NULL},
    {0, "forget", KITH_REAL(&call.forget, 0, DBL_MAX),
	"how much less old rows of the window cost; 0: the same [3]", NULL},
    {0, "delay", KITH_SIZE(&call.delay, 0, 0x1p53),
	"the class of a row becomes known N rows later [0]", "The stream"},
    {0, "batch", KITH_SIZE(&call.batch, 1, 0x1p53), "learn after every N rows [1]", NULL},
    KITH_WSVM_KERNEL_OPTIONS(&call),
    KITH_TARGET_OPTION(&call.how),
    KITH_FEATURE_OPTIONS(&call.how),
    KITH_NA_OPTION(&call.how),
    KITH_LAST_OPTIONS(&call.how, &call.threads),
};

static const struct kith_tool tool = {
    .name = "svmonline",
    .args = "[FILE]...",
    .about = "Predict the rows of a stream, each by an SVM of the rows before it.",
    .examples = "  svmonline --window 200 -C 10 < stream.tsv\n"
		"  tabscale --apply scale.tsv stream.tsv | svmonline --delay 5 --batch 5\n",
    .opts = opts,
};

int
main(int argc, char *argv[])
{
	char **operand = kith_begin(&tool, argc, argv);
	struct kith_pool pool = {0};
	struct kith_out out;
	struct kith_err err;
	int status;

	call.files = kith_inputs(operand, NULL, 0);
	if (call.batch > call.online)
		kith_misuse("--batch is more than the rows of --window");
	kith_wsvm_unused_kernel(&call);
	status = kith_wsvm_online(&call, &out, &pool, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&pool);
	return kith_finish(&out, status);
}
