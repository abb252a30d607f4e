/* SPDX-License-Identifier: BSD-2-Clause */
/* tabratio - weigh training rows by how likely they are among test rows. */
#include "base/pool.h"
#include "base/sort.h"
#include "cli/cli.h"
#include "common/warn.h"
#include "ratio/ratio.h"
#include "table/table.h"
#include "text/out.h"

#include <float.h>
#include <math.h>

static struct kith_how how;
static const char *test;
static size_t centres = 100, seed = 1;
static struct kith_reals sigmas, lambdas;

static const struct kith_opt opts[] = {
    {0, "test", KITH_FILE(&test), "the rows that will be predicted (needed)",
	"What to compare with"},
    {0, "centres", KITH_SIZE(&centres, 1, 0x1p53),
	"put Gaussian kernels on N of the test rows [100]", "How the ratio is fitted"},
    {0, "sigma", KITH_REALS(&sigmas, DBL_TRUE_MIN, DBL_MAX),
	"widths to choose from [.1 to 10 median distances]", NULL},
    {0, "lambda", KITH_REALS(&lambdas, DBL_TRUE_MIN, DBL_MAX),
	"ridge penalties to choose from [.001, .003, ..., 10]", NULL},
    KITH_TARGET_OPTION(&how),
    KITH_FEATURE_OPTIONS(&how),
    KITH_NA_OPTION(&how),
    KITH_RANDOM_OPTIONS(&how, &seed, &how.format.threads),
};

const struct kith_tool kith_tool = {
    .name = "tabratio",
    .args = "--test TEST [FILE]...",
    .about = "Weigh training rows by how likely they are among test rows.",
    .examples = "  tabratio --test test.csv < train.csv > weighted.tsv\n"
		"  tabratio --test test.csv --lambda 0.1 -o weighted.tsv train.csv\n",
    .opts = opts,
    .gone = {{"-t", "--test FILE"}, {"--relative", "awk bounds the importances: w > 10 ? 10 : w"},
	{"--save-model", "importances are those of the rows that are read"}},
};

static const char added[] = "importance";

/* Read the training rows, and the test rows, as their features are named. */
static int
read_tables(const char *const *files, struct kith_table *train, struct kith_table *tests,
    struct kith_pool *pool, struct kith_err *err)
{
	const char *const test_files[] = {test, NULL};
	struct kith_how plain = how;

	how.task = KITH_ASIDE;
	how.targetless = true;
	/* As text, for the training rows are printed as they came. */
	how.cells = true;
	if (kith_table_read(files, &how, NULL, train, pool, err))
		return -1;
	if (kith_names_find(&train->column, added) < train->column.n)
		return kith_fail_at(err, EX_DATAERR, train->file, train->head,
		    "column " KITH_NAME ": the output would have this name twice", added);
	plain.task = KITH_ASIDE;
	plain.id = NULL;
	if (kith_table_read(test_files, &plain, train, tests, pool, err))
		return -1;
	kith_warn_scales(train, KITH_WARN_UNITS);
	return 0;
}

static void
tell(const struct kith_table *train, const struct kith_table *tests, const struct kith_ratio *ratio)
{
	const double n = (double)train->X.n;
	double sum = 0, squares = 0, effective, mean;
	size_t zero = 0;

	for (size_t i = 0; i < train->X.n; i++) {
		zero += ratio->w[i] == 0;
		sum += ratio->w[i];
		squares += ratio->w[i] * ratio->w[i];
	}
	mean = sum / n;
	effective = squares > 0 ? sum * sum / squares : 0;
	if (ratio->flat)
		kith_warn("the distances to the centres are all 0: the median "
			  "is 1");
	if (zero == train->X.n)
		kith_warn("all importances are 0: no training row is near a "
			  "test row (a larger --sigma?)");
	else if (effective < n / 10)
		kith_warn("the importances count as %.3g of %zu rows: few training rows are like "
			  "the test rows",
		    effective, train->X.n);
	if (zero < train->X.n && (mean < .7 || mean > 1.4))
		kith_warn("the mean importance is %.3g, where a good fit has 1", mean);
	kith_log_size("rows", train->X.n);
	kith_log_size("test rows", tests->X.n);
	kith_log_size("features", train->X.p);
	kith_log_size("centres", ratio->b);
	kith_log_real("sigma", ratio->sigma);
	kith_log_real("lambda", ratio->lambda);
	if (!isnan(ratio->score))
		kith_log_real("score", ratio->score);
	kith_log_size("zero", zero);
	kith_log_real("effective size", effective);
	kith_log_real("mean", mean);
}

static void
print(const struct kith_table *train, const double *w, struct kith_out *out)
{
	struct kith_pool tmp = {0};
	const size_t c = train->column.n;
	const char **name = kith_new(&tmp, c + 1, sizeof(*name));

	for (size_t j = 0; j < c; j++)
		name[j] = train->column.name[j];
	name[c] = added;
	kith_out_header(out, name, c + 1);
	for (size_t i = 0; i < train->X.n && !out->failed; i++) {
		for (size_t j = 0; j < c; j++) {
			kith_out_verbatim(out, &train->cells.cell[i * c + j]);
			kith_out_next(out);
		}
		kith_out_real(out, w[i]);
		kith_out_row(out);
	}
	kith_pool_free(&tmp);
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_table train, tests = {0};
	const struct kith_ratio_how ask = {
	    centres, seed, sigmas.n, lambdas.n, sigmas.v, lambdas.v, how.format.threads};
	struct kith_ratio ratio;

	if (!test)
		kith_misuse("missing --test FILE: tabratio --test FILE TRAIN weighs rows of TRAIN "
			    "as those of FILE");
	kith_sort_reals(sigmas.v, sigmas.n);
	kith_sort_reals(lambdas.v, lambdas.n);
	if (read_tables(files, &train, &tests, pool, err) ||
	    kith_ratio(&train.X, &tests.X, &ask, &ratio, pool, err) ||
	    kith_out_open_table(out, kith_output(), err))
		return -1;
	tell(&train, &tests, &ratio);
	print(&train, ratio.w, out);
	return 0;
}
