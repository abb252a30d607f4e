/* SPDX-License-Identifier: BSD-2-Clause */
/* tabfold - print one part of a random split of a table. */
#include "base/names.h"
#include "base/num.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cost/cost.h"
#include "say/doubt.h"
#include "table/fold.h"
#include "table/table.h"
#include "text/cell.h"
#include "text/columns.h"
#include "text/out.h"
#include "text/rows.h"
#include "text/value.h"

#include <stdio.h>
#include <string.h>

static struct kith_how how;
static struct kith_shard fold;
static size_t seed = 1;
static const char *shares_text, *part_text;
static bool no_stratify;

static const struct kith_opt opts[] = {
    {0, "fold", KITH_SHARD(&fold), "the I-th of N parts is the test"},
    {0, "shares", KITH_TEXT(&shares_text, "A:B:..."),
	"instead: split into parts of these shares"},
    {0, "part", KITH_TEXT(&part_text, "PART"),
	"print this part: train or test; --shares: its number"},
    KITH_SEED_OPTION(&seed),
    {0, "no-stratify", KITH_FLAG(&no_stratify),
	"do not spread each class evenly over the parts"},
    KITH_TARGET_OPTION(&how),
    KITH_TASK_OPTION(&how),
    KITH_TABLE_OPTIONS(&how.format),
    KITH_COMMON_OPTIONS,
    {0},
};

static const struct kith_tool tool = {
    .name = "tabfold",
    .args = "--fold I/N --part train|test [FILE]...",
    .about = "Print one part of a random split of the rows.",
    .examples = "  tabfold --fold 1/5 --part test < data.csv > test.tsv\n"
		"  tabfold --shares 2:1:1 --part 3 < data.csv > test.tsv\n",
    .opts = opts,
};

/* How rows are dealt, and which of them are printed. */
struct split {
	size_t *shares, parts;
	size_t part; /* 0..parts-1 */
	bool others; /* print all parts but this one */
};

/* All rows, as text, and their classes. */
struct rows {
	struct kith_names name;
	const char *file;
	size_t n;
	size_t *y, y_room; /* n classes; NULL: they do not matter */
	size_t c;

	/* Each cell: 1 where it was quoted, else 0; its text; a null byte. */
	char *bytes;
	size_t used, room;
	struct kith_pool pool;
};

/* The shares of --shares. */
static void
parse_shares(struct split *s, struct kith_pool *pool)
{
	char *text = kith_strndup(pool, shares_text, strlen(shares_text));
	size_t sum = 0;

	s->shares = kith_new(pool, strlen(text) + 1, sizeof(*s->shares));
	while (text) {
		size_t *share = &s->shares[s->parts++];
		char *colon = strchr(text, ':');

		if (colon)
			*colon++ = '\0';
		if (kith_parse_size(text, share) || *share < 1)
			kith_misuse("bad --shares: " KITH_CELL
				    " (whole numbers from 1, divided by ':')",
			    shares_text);
		if (*share > KITH_FOLD_SHARES - sum)
			kith_misuse("bad --shares: they add up to more than %d",
			    KITH_FOLD_SHARES);
		sum += *share;
		text = colon;
	}
	if (s->parts < 2)
		kith_misuse("bad --shares: " KITH_CELL " (at least two parts)",
		    shares_text);
}

/* The part of --part. */
static void
parse_part(struct split *s)
{
	size_t i;

	if (!part_text)
		kith_misuse("missing --part: %s",
		    shares_text ? "its number" : "train or test");
	if (shares_text) {
		if (kith_parse_size(part_text, &i) || i < 1 || i > s->parts)
			kith_misuse("bad --part: " KITH_CELL
				    " (a whole number from 1 to %zu)",
			    part_text, s->parts);
		s->part = i - 1;
		return;
	}
	s->others = strcmp(part_text, "train") == 0;
	if (!s->others && strcmp(part_text, "test") != 0)
		kith_misuse(
		    "bad --part: " KITH_CELL " (train or test)", part_text);
	s->part = fold.i - 1;
}

static void
check_call(struct split *s, struct kith_pool *pool)
{
	if ((fold.n > 0) + (shares_text != NULL) != 1)
		kith_misuse("give one of --fold I/N and --shares A:B:...");
	if (fold.n == 1)
		kith_misuse("bad --fold: '1/1' (at least two parts)");
	s->parts = fold.n;
	if (shares_text)
		parse_shares(s, pool);
	parse_part(s);
	if (no_stratify) {
		kith_unused(&how.target, "--no-stratify");
		kith_unused(&how.task, "--no-stratify");
	}
}

/* Look at the target of the row: its class, or whether it is a number. */
static int
add_target(struct rows *r, const struct kith_rows *in, size_t target,
    struct kith_names *label, struct kith_err *err)
{
	const struct kith_cell *cell = kith_rec_cell(&in->rec, target);
	double x;

	if (kith_cell_missing(cell))
		return kith_value_missing(in, target, "", err);
	if (how.task == KITH_REGRESS)
		return kith_value(in, target, &x, "", err) ? -1 : 0;
	r->y = kith_more(&r->pool, r->y, r->n, &r->y_room, sizeof(*r->y));
	r->y[r->n] = kith_names_add(label, cell->s, &r->pool);
	return 0;
}

static void
add_cells(struct rows *r, const struct kith_rec *rec)
{
	for (size_t j = 0; j < rec->n; j++) {
		const struct kith_cell *c = kith_rec_cell(rec, j);

		if (r->room - r->used < c->len + 2) {
			r->room = 2 * (r->room + c->len) + 4096;
			r->bytes = kith_grow(&r->pool, r->bytes, r->room, 1);
		}
		r->bytes[r->used++] = c->quoted ? 1 : 0;
		memcpy(r->bytes + r->used, c->s, c->len + 1);
		r->used += c->len + 1;
	}
}

/* Number the classes in byte order. */
static void
sort_classes(struct rows *r, struct kith_names *label)
{
	struct kith_pool tmp = {0};
	size_t *was, *now = kith_new(&tmp, label->n, sizeof(*now));

	kith_names_sort(label, &was, &tmp);
	for (size_t h = 0; h < label->n; h++)
		now[was[h]] = h;
	for (size_t i = 0; i < r->n; i++)
		r->y[i] = now[r->y[i]];
	r->c = label->n;
	kith_pool_free(&tmp);
}

static int
read_rows(struct rows *r, const char *const *files, struct kith_err *err)
{
	struct kith_rows in;
	struct kith_names label = {0};
	size_t target;
	int got = 0;

	if (kith_rows_open(&in, files, &how.format, &r->pool, err))
		return -1;
	r->name = in.name;
	r->file = in.first;
	r->c = 1;
	target = in.name.n - 1;
	if (how.target && !no_stratify)
		target = kith_column(&in.name, how.target);
	if (target == in.name.n)
		got = kith_fail_at(err, EX_DATAERR, in.first, in.head,
		    "column " KITH_NAME ": not found", how.target);
	while (got == 0 && (got = kith_rows_next(&in, err)) > 0) {
		got = no_stratify ? 0 : add_target(r, &in, target, &label, err);
		add_cells(r, &in.rec);
		r->n++;
	}
	kith_rows_close(&in);
	if (got == 0 && r->y)
		sort_classes(r, &label);
	return got;
}

/* Deal the rows; keep[i] becomes whether row i is printed. Their number. */
static size_t
choose(struct split *s, struct rows *r, bool *keep)
{
	struct kith_pool tmp = {0};
	size_t *part = kith_new(&tmp, r->n, sizeof(*part)), n = 0;

	if (!s->shares) {
		s->shares = kith_new(&tmp, s->parts, sizeof(*s->shares));
		for (size_t i = 0; i < s->parts; i++)
			s->shares[i] = 1;
	}
	kith_fold_deal(r->y, r->n, r->c, s->shares, s->parts, seed, part);
	for (size_t i = 0; i < r->n; i++) {
		keep[i] = (part[i] == s->part) != s->others;
		n += keep[i];
	}
	kith_pool_free(&tmp);
	return n;
}

static void
print(const struct rows *r, const bool *keep, struct kith_out *out)
{
	const char *at = r->bytes;

	kith_out_header(out, (const char *const *)r->name.name, r->name.n);
	for (size_t i = 0; i < r->n && !out->failed; i++)
		for (size_t j = 0; j < r->name.n; j++) {
			const struct kith_cell c = {
			    at + 1, strlen(at + 1), *at};

			at += c.len + 2;
			if (!keep[i])
				continue;
			kith_out_verbatim(out, &c);
			if (j + 1 < r->name.n)
				kith_out_next(out);
			else
				kith_out_row(out);
		}
}

/* Tell what it costs to print n of the rows (--dry-run). */
static int
tell_cost(
    const struct rows *r, size_t n, struct kith_out *out, struct kith_err *err)
{
	const double share = 2 * (double)n / (double)r->n;
	struct kith_cost cost = {.rows = r->n};

	kith_cost_as_reading(&cost, share, share);
	return kith_cost_write(&cost, NULL, out, err);
}

int
main(int argc, char *argv[])
{
	char **operand = kith_begin(&tool, argc, argv);
	const char *const *files = kith_inputs(operand, NULL, 0);
	struct split split = {0};
	struct rows rows = {0};
	struct kith_pool pool = {0};
	struct kith_out out;
	struct kith_err err;
	bool *keep;
	size_t n;

	check_call(&split, &pool);
	if (read_rows(&rows, files, &err))
		kith_die(&err);
	if (!how.format.sep)
		kith_say_undivided(rows.file, &rows.name);
	if (split.parts > rows.n) {
		kith_fail_at(&err, EX_DATAERR, rows.file, 0,
		    "%zu parts of only %zu rows", split.parts, rows.n);
		kith_die(&err);
	}
	keep = kith_new(&pool, rows.n, sizeof(*keep));
	n = choose(&split, &rows, keep);
	if (n == 0) {
		kith_fail_at(&err, EX_DATAERR, rows.file, 0,
		    "part %zu gets none of the %zu rows", split.part + 1,
		    rows.n);
		kith_die(&err);
	}
	if (kith_dry() ? tell_cost(&rows, n, &out, &err)
		       : kith_out_open_table(&out, kith_output(), &err))
		kith_die(&err);
	kith_log_size("rows", rows.n);
	kith_log_size("printed", n);
	kith_log_size("seed", seed);
	if (!kith_dry())
		print(&rows, keep, &out);
	kith_pool_free(&pool);
	kith_pool_free(&rows.pool);
	return kith_finish(&out, 0);
}
