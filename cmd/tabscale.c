/* SPDX-License-Identifier: BSD-2-Clause */
/* tabscale - bring columns to a common scale. */
#include "base/names.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "common/warn.h"
#include "scale/scale.h"
#include "table/roles.h"
#include "table/table.h"
#include "table/unit.h"
#include "text/columns.h"
#include "text/out.h"

#include <math.h>

/* Beside 1, what is below MERGES is lost in a double. */
#define MERGES 0x1p-54

static struct kith_how how;
static struct kith_scaling scaling = {.hi = 1};
static const char *range, *save, *apply, *onehot;
static bool names;

static const struct kith_opt opts[] = {
    {0, "method", KITH_CHOICE(&scaling.method, "zscore|minmax|none"),
	"to mean 0 and deviation 1; to --range; leave as it is [zscore]", "How to scale"},
    {0, "range", KITH_TEXT(&range, "LO:HI"), "--method minmax: the ends of the range [0:1]", NULL},
    {0, "onehot", KITH_LIST(&onehot), "one column of 0 and 1 for each text in a column of LIST",
	NULL},
    {0, "save", KITH_SAVE(&save), "write the means and deviations to FILE, for --apply",
	"Scale new rows alike"},
    {0, "apply", KITH_FILE(&apply), "scale as FILE says, which --save has written", NULL},
    {'y', "target", KITH_COL(&how.target), "the target, copied; none: scale all [the last column]",
	"Columns"},
    {'x', "features", KITH_LIST(&how.feature), "the columns to scale, as 'a:f,!*_id' [all numbers]",
	NULL},
    {0, "id", KITH_COL(&how.id), "the column of names of rows, copied", NULL},
    {0, "na", KITH_CHOICE(&how.na, "error|omit|mean"),
	"empty cell: stop, omit its row, fill in mean [leave it]", NULL},
    {0, "na-string", KITH_TEXT(&how.format.missing, "LIST"),
	"texts that count as empty cells, as -,n/a", NULL},
    {0, "names", KITH_FLAG(&names), "print the names of the columns alone, a line each",
	"Rarely needed"},
    {0, "format", KITH_CHOICE(&how.format.form, "auto|svmlight"),
	"svmlight: rows are LABEL INDEX:VALUE ... [auto]", NULL},
    KITH_TABLE_OPTIONS(&how.format),
    KITH_COMMON_OPTIONS,
    {0},
};

const struct kith_tool kith_tool = {
    .name = "tabscale",
    .args = "[FILE]...",
    .about = "Scale columns to mean 0 and deviation 1, or to a range.",
    .examples = "  tabscale --save z.tsv < train.tsv > scaled.tsv\n"
		"  tabscale --apply z.tsv < test.tsv\n",
    .opts = opts,
    .gone = {{"--sd", "columns are divided by the root of the sum of squares over n - 1"},
	{"--drop-constant", "-x '!COL': a warning names constant columns"},
	{"--no-target", "-y none"}},
};

/* Options that change nothing, given what the others say. */
static void
warn_unused(void)
{
	static const char *const method[] = {"--method zscore", "--method minmax", "--method none"};
	const void *const fits[] = {
	    &scaling.method, &range, &onehot, &how.target, &how.feature, &how.id};

	for (size_t i = 0; apply && i < sizeof(fits) / sizeof(*fits); i++)
		kith_unused(fits[i], "--apply");
	if (!apply && scaling.method != KITH_SCALE_MINMAX)
		kith_unused(&range, method[scaling.method]);
}

/* Says that the columns of a list are numbers or levels. */
static int
mark(struct kith_frame *f, const char *list, bool *taken, enum kith_kind kind, struct kith_err *err)
{
	size_t *column;
	const long n = kith_columns(&f->rows, list, taken, &column, f->pool, err);

	for (long i = 0; i < n; i++) {
		if (taken[column[i]])
			kith_misuse("column " KITH_NAME " has another role already",
			    f->rows.name.name[column[i]]);
		taken[column[i]] = true;
		f->kind[column[i]] = kind;
	}
	return n < 0 ? -1 : 0;
}

/* Say by the options which columns are numbers, levels, or left alone. */
static int
choose(struct kith_frame *f, struct kith_err *err)
{
	const struct kith_names *name = &f->rows.name;
	bool *taken = kith_new(f->pool, name->n, sizeof(*taken));
	/*
	 * A list of exclusions alone names all other columns; columns of text among them are
	 * copied.
	 */
	const bool others = how.feature && *how.feature == '!';
	const char *const target = kith_roles_none(name, how.target) ? NULL : how.target;
	size_t alone[3]; /* the target, --id, and the column of names of the rows or qid */

	if (kith_roles_find(&f->rows, target, "", &alone[0], err) ||
	    kith_roles_find(&f->rows, how.id, "", &alone[1], err))
		return -1;
	if (!how.target) /* the last column, and the label of svmlight */
		alone[0] = f->rows.rec.sparse ? 0 : name->n - 1;
	f->kind = kith_new(f->pool, name->n, sizeof(*f->kind));
	alone[2] = f->rows.id_column;
	for (size_t i = 0; i < 3; i++)
		if (alone[i] < name->n) { /* a list may name qid */
			f->kind[alone[i]] = KITH_AS_COPY;
			taken[alone[i]] = i < 2 || f->rows.row_names;
		}
	if (mark(f, onehot, taken, KITH_AS_LEVEL, err) ||
	    mark(f, how.feature, taken, others ? KITH_AS_AUTO : KITH_AS_NUMBER, err))
		return -1;
	for (size_t c = 0; how.feature && c < name->n; c++)
		if (!taken[c])
			f->kind[c] = KITH_AS_COPY;
	return 0;
}

static void
warn_unseen(const struct kith_frame *f, const size_t *unseen)
{
	for (size_t c = 0; c < f->rows.name.n; c++)
		if (unseen[c] > 0)
			kith_warn("column " KITH_NAME ": %zu cell%s of levels that are not in %s: "
				  "zeros",
			    f->rows.name.name[c], unseen[c], unseen[c] == 1 ? "" : "s", apply);
}

/* Warn where no column is a number, so that the table stays as it is. */
static void
warn_unscaled(const struct kith_frame *f)
{
	for (size_t c = 0; c < f->rows.name.n; c++)
		if (f->kind[c] >= KITH_AS_LEVEL)
			return;
	if (!how.format.sep && kith_warn_undivided(f->rows.first, &f->rows.name))
		return;
	if (f->rows.name.n == 1 && !kith_roles_none(&f->rows.name, how.target))
		kith_warn("no column is scaled: the only one is the target "
			  "(-y none?)");
	else
		kith_warn("no column is scaled: none is a number");
}

/* Warns of columns in which very large cells make other cells equal, and of constant columns. */
static void
warn_columns(const struct kith_frame *f, const struct kith_scale *scale)
{
	bool *constant = kith_new(f->pool, f->X.p, sizeof(*constant));
	double pair[2];

	for (size_t i = 0; i < scale->n; i++) {
		const struct kith_scaling *s = &scale->v[i];
		const double width = s->method == KITH_SCALE_MINMAX ? s->hi - s->lo : 1;

		constant[s->at] = s->scale == 0;
		if (f->kind[s->at] == KITH_AS_NUMBER &&
		    kith_unit_merges(
			f->X.v + s->at, f->X.n, f->X.p, MERGES * s->scale * width, pair))
			kith_warn("column " KITH_NAME
				  ": other cells are so large that %g and %g become equal",
			    s->column, pair[0], pair[1]);
	}
	kith_warn_constant(&f->rows.name, constant, "0 throughout");
}

static int
print_names(const struct kith_frame *f, struct kith_out *out, struct kith_err *err)
{
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	for (size_t c = 0; c < f->rows.name.n; c++) {
		kith_out_cell(out, f->rows.name.name[c]);
		kith_out_row(out);
	}
	return 0;
}

/* The scalings: those of a file, or fitted to the table and saved. */
static int
get_scale(
    struct kith_frame *f, struct kith_scale *scale, struct kith_out *saved, struct kith_err *err)
{
	if (apply) {
		if (kith_scale_read(apply, scale, f->pool, err) || kith_scale_expect(scale, f, err))
			return -1;
		kith_log_size("scaled", scale->column.n);
		return kith_frame_read(f, err);
	}
	if (choose(f, err) || kith_frame_read(f, err) || kith_scale_fit(f, scaling, scale, err))
		return -1;
	if (scaling.method != KITH_SCALE_NONE) {
		warn_unscaled(f);
		warn_columns(f, scale);
	}
	if (!save)
		return 0;
	if (kith_out_open(saved, save, err))
		return -1;
	kith_scale_write(scale, saved);
	return 0;
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	static struct kith_frame f;
	struct kith_scale scale;
	struct kith_out saved;
	bool na_given;

	if (apply && save)
		kith_misuse("--save and --apply exclude each other");
	f.pool = pool;
	if (range && kith_scale_parse_range(range, &scaling.lo, &scaling.hi))
		kith_misuse("bad --range: " KITH_CELL " (two numbers LO:HI, LO below HI)", range);
	warn_unused();
	na_given = kith_given(&how.na);
	f.na = na_given ? how.na : KITH_NA_MEAN; /* rows with missing cells are read */
	/* Where nothing is fitted. */
	how.format.allow_no_rows = apply || (scaling.method == KITH_SCALE_NONE && !save);

	if (kith_rows_open(&f.rows, files, &how.format, pool, err))
		return -1;
	if (names)
		return print_names(&f, out, err);
	if (get_scale(&f, &scale, &saved, err))
		return -1;
	for (size_t s = 0; s < scale.n && !na_given; s++)
		scale.v[s].fill = NAN;
	if (kith_scale_apply(&scale, &f, err) || kith_out_open_table(out, kith_output(), err))
		return -1;
	warn_unseen(&f, scale.unseen);
	kith_log_size("rows", f.X.n);
	kith_log_size("columns", scale.n);
	kith_scale_print(&scale, &f, out);
	return save ? kith_out_close(&saved, err) : 0;
}
