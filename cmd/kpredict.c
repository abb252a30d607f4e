/* SPDX-License-Identifier: BSD-2-Clause */
/* kpredict - predict rows with a kernel machine that was learnt before. */
#include "base/pool.h"
#include "cli/cli.h"
#include "common/warn.h"
#include "kernel/kern.h"
#include "machine/machine.h"
#include "machine/model.h"
#include "table/table.h"
#include "text/out.h"
#include "vote/report.h"

#include <string.h>

static struct kith_how how;
static struct kith_shard shard = {1, 1};
static const char *model;
static bool scores, probability;

static const struct kith_opt opts[] = {
    {'m', "model", KITH_FILE(&model), "the machine: --save-model or LIBSVM wrote it (needed)",
	"What to do"},
    {0, "scores", KITH_FLAG(&scores), "print the score of each class", NULL},
    {0, "probability", KITH_FLAG(&probability), "print the probability of each class", NULL},
    {'y', "target", KITH_COL(&how.target), "LIBSVM models: the column of actual classes [the last]",
	"Columns"},
    {'x', "features", KITH_LIST(&how.feature),
	"LIBSVM models: the features, in its order [all others]", NULL},
    {0, "id", KITH_COL(&how.id), "the column of names of rows; it is no feature", NULL},
    KITH_NA_OPTION(&how),
    {0, "shard", KITH_SHARD(&shard), "predict the I-th of N blocks of the rows", "Jobs in parts"},
    KITH_LAST_OPTIONS(&how, &how.format.threads),
};

const struct kith_tool kith_tool = {
    .name = "kpredict",
    .args = "-m MODEL [FILE]...",
    .about = "Predict each row with the kernel machine of a model file.",
    .examples = "  kpredict -m model.tsv < test.tsv\n"
		"  kpredict -m model.tsv --scores --id 1 test.tsv\n",
    .opts = opts,
    .gone = {{"--no-target", "-y none"}},
};

/* Read the rows that have the features and the target of the model by name. */
static int
read_by_name(const char *const *files, struct kith_machine *m, struct kith_table *rows,
    struct kith_pool *pool, struct kith_err *err)
{
	static const char *const whose = "a model that names its columns";
	struct kith_table known = {0};

	kith_unused(&how.target, whose);
	kith_unused(&how.feature, whose);
	if (how.format.no_header && m->column.n == 0)
		return kith_fail_at(err, EX_DATAERR, model, 0,
		    "the model does not name the columns it was learnt from "
		    "(-H)");
	if (how.na == KITH_NA_MEAN && !m->mean)
		return kith_fail_at(err, EX_DATAERR, model, 0,
		    "the model has no means of its features (--na mean)");
	known.column = m->column;
	known.feature = m->feature;
	known.class = m->class;
	known.target = m->target;
	known.id_name = how.id;
	known.mean = (double *)m->mean;
	return kith_table_read(files, &how, &known, rows, pool, err);
}

/* Read rows whose features are those of the model by their places. */
static int
read_by_place(const char *const *files, struct kith_machine *m, struct kith_table *rows,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_mat had = m->X;

	if (how.na == KITH_NA_MEAN)
		return kith_fail_at(err, EX_DATAERR, model, 0,
		    "a LIBSVM model has no means of its features (--na mean)");
	how.query = true;
	how.targetless = true;
	if (kith_table_read(files, &how, NULL, rows, pool, err))
		return -1;
	if (rows->X.p < had.p)
		return kith_fail_at(err, EX_DATAERR, rows->file, rows->head,
		    "%zu features where the model has %zu (-y, -x, -y none?)", rows->X.p, had.p);
	m->feature = rows->feature;
	m->metric.p = rows->X.p;
	m->X = kith_mat_new(pool, had.n, rows->X.p); /* 0 in features that the model has not */
	for (size_t i = 0; i < had.n; i++)
		memcpy(kith_row(&m->X, i), kith_row(&had, i), had.p * sizeof(*had.v));
	return 0;
}

/* Warn where a gaussian machine predicts one class for most rows. */
static void
warn_of_gamma(const struct kith_machine *m, const struct kith_mat *Z)
{
	struct kith_kern kern = m->kern;
	double most;

	if (kern.kind != KITH_KERN_GAUSSIAN)
		return;
	kern.metric = &m->metric;
	most = kith_gamma_coupling(&kern, &m->X, Z);
	if (most < KITH_GAMMA_COUPLED)
		kith_warn("most rows have no kernel with the model's above %.3g: its gamma is "
			  "too large, or they are in other units",
		    most);
}

/* Read the model, and the rows. */
static int
read_all(const char *const *files, struct kith_machine *m, struct kith_table *rows,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_table known = {0};
	struct kith_origin from;

	how.changed = true;
	if (kith_model_read(model, m, pool, err))
		return -1;
	if (m->task != KITH_MACHINE_CLASSIFY) {
		kith_unused(&scores, "a model that predicts numbers");
		kith_unused(&probability, "a model that predicts numbers");
		how.task = KITH_REGRESS;
	}
	if (probability && !m->A && m->class.n > 1)
		return kith_fail_at(err, EX_DATAERR, model, 0,
		    "the model has no probabilities (wsvmpath --cv N --best "
		    "--save-model and svm-train -b 1 fit them)");
	if (m->feature.n == 0 ? read_by_place(files, m, rows, pool, err)
			      : read_by_name(files, m, rows, pool, err))
		return -1;
	from = kith_table_origin(rows, &m->metric);
	from.feature = &m->feature;
	if (kith_unit_apply(&m->unit, &rows->X, &from, err))
		return -1;
	known.file = model;
	known.feature = m->feature;
	known.X = m->X;
	kith_warn_outside(&known, rows);
	warn_of_gamma(m, &rows->X);
	return 0;
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_machine m;
	struct kith_table rows = {0};
	struct kith_predicted predicted;
	const struct kith_report report = {.rows = &rows,
	    .class = &m.class,
	    .predicted = &predicted,
	    .probabilities = probability};
	struct kith_mat Z;
	size_t from, to, bad;

	how.format.allow_no_rows = true;
	if (!model)
		kith_misuse(
		    "missing -m FILE, a model, as wsvmpath TRAIN --save-model FILE makes it");
	if (scores && probability)
		kith_misuse("--scores and --probability exclude each other");
	if (read_all(files, &m, &rows, pool, err))
		return -1;
	kith_log_text("scaled", m.unit.center ? "yes" : "no");
	kith_log_text("task", kith_machine_tasks[m.task]);
	kith_log_text("kernel", kith_machine_kernels[m.kern.kind]);
	kith_log_size("rows", rows.X.n);
	kith_log_size("model rows", m.X.n);
	kith_log_size("features", m.X.p);
	from = (shard.i - 1) * rows.X.n / shard.n;
	to = shard.i * rows.X.n / shard.n;
	Z = (struct kith_mat){to - from, rows.X.p, rows.X.v + from * rows.X.p};
	if (kith_machine_predict(&m, &Z,
		probability  ? KITH_MACHINE_PROBABILITIES
		    : scores ? KITH_MACHINE_SCORES
			     : KITH_MACHINE_CLASS,
		how.format.threads, &predicted, &bad, pool))
		return kith_fail_at(err, EX_DATAERR, rows.file, 0,
		    "row %zu: its kernels are too large for a double",
		    kith_table_number(&rows, from + bad));
	return kith_report_predictions(&report, from, to, 0, kith_output(), out, err);
}
