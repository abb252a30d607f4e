/* SPDX-License-Identifier: BSD-2-Clause */
/* svmtransduce - label the rows without a class, by the widest margin of all rows. */
#include "base/pool.h"
#include "cli/cli.h"
#include "table/unit.h"
#include "text/out.h"
#include "wsvmpath/options.h"
#include "wsvmpath/read.h"
#include "wsvmpath/transduce.h"

static struct kith_wsvm_call call = {
    KITH_WSVM_USUAL, .task = KITH_WSVM_TRANSDUCE, .C = 1, .unlabelled = 1, .positive = -1};

static const struct kith_opt opts[] = {
    {0, "labelled", KITH_REAL(&call.C, 0, DBL_MAX), "cost of an error in a row with a class [1]",
	"What is learnt"},
    {0, "unlabelled", KITH_REAL(&call.unlabelled, 0, DBL_MAX),
	"cost of an error in a row without a class [1]", NULL},
    {0, "positive-share", KITH_REAL(&call.positive, 0, 1),
	"fraction of the second class among rows without a class [as among the others]", NULL},
    {0, "save-model", KITH_FILE(&call.save_model), "write the machine to FILE, for kpredict", NULL},
    KITH_WSVM_KERNEL_OPTIONS(&call),
    KITH_TARGET_OPTION(&call.how),
    KITH_FEATURE_OPTIONS(&call.how),
    KITH_NA_OPTION(&call.how),
    KITH_SCALE_OPTION(&call.scale, "none"),
    KITH_LAST_OPTIONS(&call.how, &call.threads),
};

static const struct kith_tool tool = {
    .name = "svmtransduce",
    .args = "[FILE]...",
    .about = "Label the rows without a class so that an SVM of all rows has a wide margin.",
    .examples = "  svmtransduce --scale zscore some.tsv\n"
		"  svmtransduce --unlabelled .1 --save-model svm.tsv < some.tsv\n",
    .opts = opts,
};

int
main(int argc, char *argv[])
{
	char **operand = kith_begin(&tool, argc, argv);
	const struct kith_written file[] = {kith_written_output(), {"save-model", call.save_model}};
	struct kith_pool pool = {0};
	struct kith_wsvm_job job;
	struct kith_out out;
	struct kith_err err;
	int status = -1;

	call.files = kith_inputs(operand, NULL, 0);
	kith_apart(file, 2);
	kith_wsvm_unused_kernel(&call);
	if (kith_wsvm_read(&call, &job, &pool, &err) == 0)
		status = kith_wsvm_transduce(&job, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&pool);
	return kith_finish(&out, status);
}
