/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/scale/: scalings of numbers and levels, as files, and applied. */
#include "scale/scale.h"

#include "base/err.h"
#include "base/pool.h"
#include "scale/file.h"
#include "scale/frame.h"
#include "table/roles.h"
#include "tap.h"
#include "written.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEVELS = 30 };

static struct kith_pool pool;
static struct kith_err err;

static bool
open_frame(const char *text, struct kith_frame *f)
{
	static const struct kith_format format;
	static const char *files[2]; /* are read until the last row */

	files[0] = scratch_text(0, text);
	if (kith_frame_open(f, files, &format, &pool, &err) == 0)
		return true;
	ok(false, "open: %s", err.msg);
	return false;
}

/* The scalings of a table, whose columns of capital letters are levels. */
static int
fit(const char *text, const struct kith_scale_how *how, struct kith_frame *f,
    struct kith_scale *scale, bool **constant)
{
	static bool none[3];

	*constant = none;
	*scale = (struct kith_scale){0};
	if (!open_frame(text, f))
		return -1;
	for (size_t c = 0; c < f->name.n; c++)
		f->kind[c] = *f->name.name[c] <= 'Z' ? KITH_AS_LEVEL : KITH_AS_NUMBER;
	if (kith_frame_rows(f, KITH_NA_MEAN, &err))
		return -1;
	return kith_scale_fit(f, how, scale, constant, &pool, &err);
}

static bool
same_number(double a, double b)
{
	return a >= b && a <= b;
}

static void
is_scaling(const struct kith_scale *scale, size_t i, const char *column, double center, double size,
    double fill)
{
	const struct kith_scaling *s = scale->v + i;

	if (i >= scale->n) {
		ok(false, "%s: a scaling of it", column);
		return;
	}
	is_text(s->column, column, "a scaling of the column");
	ok(s->level == NULL && same_number(s->center, center) && same_number(s->scale, size) &&
		same_number(s->fill, fill),
	    "%s: (x - %g)/%g, missing %g; due (x - %g)/%g, %g", column, s->center, s->scale,
	    s->fill, center, size, fill);
}

/*
 * More levels than there is room for at first, the last in byte order the first
 * in the table, i + 1 rows of level i, and cells that are missing, which count
 * for none.
 */
static void
test_levels(void)
{
	static char text[1 << 16] = "a,L,b\n";
	size_t n = 0, len = strlen(text);
	const struct kith_scale_how how = {.method = KITH_SCALE_NONE};
	struct kith_frame f;
	struct kith_scale scale;
	bool *constant, shares = true;

	for (size_t i = LEVELS; i-- > 0;)
		for (size_t k = 0; k <= i; k++, n++)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "1,l%02zu,2\n%s", i,
			    k % 3 ? "" : "1,,2\n");
	ok(fit(text, &how, &f, &scale, &constant) == 0, "levels");
	is_size(scale.n, LEVELS + 2, "a column each, and the numbers");
	is_text(scale.v[0].column, "a", "in the order of the columns");
	is_text(scale.v[LEVELS + 1].column, "b", "of the table");
	for (size_t i = 0; i < LEVELS; i++) {
		const struct kith_scaling *s = &scale.v[i + 1];
		const double due = (double)(i + 1) / (double)n;
		char name[8];

		snprintf(name, sizeof(name), "l%02zu", i);
		shares = shares && strcmp(s->level, name) == 0 && s->method == KITH_SCALE_ONEHOT &&
		    s->fill >= due && s->fill <= due;
	}
	ok(shares, "levels in byte order, each with its share");
}

/* What counts as constant is so to the last bit. */
static void
test_numbers(void)
{
	const char *text = "flat,near,x\n.1,1,1\n.1,1.0000000000000002,\n"
			   ".1,1,3\n.1,1,8\n";
	struct kith_scale_how how = {.method = KITH_SCALE_MINMAX, .lo = 0, .hi = 1};
	struct kith_frame f;
	struct kith_scale scale;
	bool *constant;

	ok(fit(text, &how, &f, &scale, &constant) == 0, "numbers");
	ok(constant[0] && !constant[1] && !constant[2], "one is constant");
	is_size(scale.n, 3, "all are scaled");
	is_scaling(&scale, 0, "flat", .1, 0, .1);
	is_scaling(&scale, 1, "near", 1, DBL_EPSILON, 1);
	is_scaling(&scale, 2, "x", 1, 7, 4);
	how = (struct kith_scale_how){.method = KITH_SCALE_ZSCORE};
	ok(fit("x\n7\n", &how, &f, &scale, &constant) == 0 && constant[0], "one row");
	is_scaling(&scale, 0, "x", 7, 0, 7);
	ok(fit("x,y\n1,\n2,\n", &how, &f, &scale, &constant) == -1 &&
		strstr(err.msg, "column \"y\": no number"),
	    "no number: %s", err.msg);
	ok(fit("x,y\n1,-1e308\n2,1e308\n", &how, &f, &scale, &constant) == 0 &&
		isfinite(scale.v[1].scale),
	    "squares beyond a double");
	how = (struct kith_scale_how){.method = KITH_SCALE_MINMAX, .hi = 1};
	ok(fit("x,y\n1,-1.7e308\n2,1.7e308\n", &how, &f, &scale, &constant) == -1 &&
		strstr(err.msg,
		    "column \"y\": its range -1.7e+308 to 1.7e+308 "
		    "does not fit a double"),
	    "a range beyond a double: %s", err.msg);
}

/* The value of a constant column fills it, not a mean that was rounded. */
static void
test_long(void)
{
	static char text[1 << 16] = "x\n";
	const struct kith_scale_how how = {.method = KITH_SCALE_NONE};
	struct kith_frame f;
	struct kith_scale scale;
	bool *constant;

	for (size_t i = 0; i < 10000; i++)
		memcpy(text + 2 + 3 * i, ".1\n", 4);
	ok(fit(text, &how, &f, &scale, &constant) == 0, "10000 rows");
	is_scaling(&scale, 0, "x", 0, 1, .1);
}

/* Read the lines below the header of saved scalings. */
static int
load(const char *lines, struct kith_scale *scale)
{
	static char text[1 << 16];

	snprintf(text, sizeof(text), "column,method,center,scale,fill,level\n%s", lines);
	return kith_scale_read(scratch_text(1, text), scale, &pool, &err);
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Scalings through a file: the same again. */
static void
test_file(void)
{
	static struct kith_scaling v[] = {{"a\tb", KITH_SCALE_ZSCORE, .1, 0, DBL_MIN, NULL, 0, 1},
	    {"NA", KITH_SCALE_ONEHOT, 0, 1, 1. / 3, "NA", 0, 1},
	    {"NA", KITH_SCALE_ONEHOT, 0, 1, 2. / 3, "\"x, y\"", 0, 1},
	    {"z", KITH_SCALE_MINMAX, -DBL_MAX, DBL_MAX, 1e-300, NULL, -.1, 1e300},
	    {"y", KITH_SCALE_NONE, 0, 1, -7, NULL, 0, 1}};
	const struct kith_scale scale = {v, sizeof(v) / sizeof(*v)};
	const char *path = scratch_text(2, "");
	struct kith_scale back = {0};
	struct kith_out out;
	bool same = true;

	if (kith_out_open(&out, path, &err)) {
		ok(false, "open: %s", err.msg);
		return;
	}
	kith_scale_write(&scale, &out);
	written(&out, 2);
	ok(kith_scale_read(path, &back, &pool, &err) == 0, "read");
	is_size(back.n, scale.n, "as many");
	for (size_t i = 0; i < back.n && i < scale.n; i++)
		same = same && same_text(back.v[i].column, v[i].column) &&
		    same_text(back.v[i].level, v[i].level) && back.v[i].method == v[i].method &&
		    same_number(back.v[i].center, v[i].center) &&
		    same_number(back.v[i].scale, v[i].scale) &&
		    same_number(back.v[i].fill, v[i].fill) && back.v[i].lo == v[i].lo &&
		    back.v[i].hi == v[i].hi;
	ok(same, "the same");
}

/* Lines below the header of saved scalings, and what is said of them. */
static const char *const bad[][2] = {
    {"a,log,0,1,0,\n", "2: column \"method\": not a method: 'log'"},
    {"a,none,x,1,0,\n", "2: column \"center\": not a number: 'x'"},
    {"a,none,0,,0,\n", "2: column \"scale\": missing: ''"},
    {"a,none,0,1,NA,\n", "2: column \"fill\": missing: 'NA'"},
    {"a,none,0,-1e-300,0,\n", "2: column \"scale\": negative: '-1e-300'"},
    {"a,none,0,1,0,x\n", "2: column \"level\": too much for this method: 'x'"},
    {"b,none,0,1,0,\na,onehot,0,1,0,\n", "3: column \"level\": missing for this method: ''"},
    {"a,onehot,0,1,0,x\na,onehot,0,1,0,x\n", "3: column \"column\": named twice: 'a'"},
    {"a,none,0,1,0,\na,none,0,1,0,\n", "3: column \"column\": named twice: 'a'"},
    {"a,onehot,0,1,0,x\na,none,0,1,0,\n", "3: column \"column\": named twice: 'a'"},
    {"a,none,0,1,0,\na,onehot,0,1,0,x\n", "3: column \"column\": named twice: 'a'"},
};

static void
test_mistakes(void)
{
	static const char *const lacks[] = {"column", "method", "center", "scale", "fill", "level"};
	struct kith_scale scale;
	char text[1024], due[80];
	size_t len = 0;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		is_text(load(bad[i][0], &scale) ? wrong(&err) : "read", bad[i][1], bad[i][1]);
	for (size_t i = 0; i < 6; i++) {
		*text = '\0';
		for (size_t j = 0; j < 6; j++)
			if (j != i)
				sprintf(text + strlen(text), "%s%s", *text ? "," : "", lacks[j]);
		sprintf(text + strlen(text), "\na,none,0,1,0\n");
		snprintf(due, sizeof(due),
		    "1: not a scaling: no column \"%s\" (tabscale --save writes one)", lacks[i]);
		is_text(kith_scale_read(scratch_text(1, text), &scale, &pool, &err) ? wrong(&err)
										    : "read",
		    due, due);
	}
	for (size_t c = 0; c < 12; c++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "c%zu,onehot,0,1,0,%s\n", c,
		    c == 1 ? "1x" : "x");
	ok(load(text, &scale) == 0 && scale.n == 12, "level 1x of column 1, x of column 11: two");
	ok(load("a,none,0,0,0,\n", &scale) == 0, "a scale of 0");
}

int
main(void)
{
	test_levels();
	test_numbers();
	test_long();
	test_file();
	test_mistakes();
	kith_pool_free(&pool);
	return done();
}
