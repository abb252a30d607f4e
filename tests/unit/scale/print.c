/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/scale/: tables that are written, and what is refused. */
#include "base/err.h"
#include "base/pool.h"
#include "scale/file.h"
#include "scale/frame.h"
#include "scale/scale.h"
#include "scratch.h"
#include "table/roles.h"
#include "tap.h"
#include "text/out.h"

#include <string.h>

static struct kith_pool pool;
static struct kith_err err;

static int
load(const char *lines, struct kith_scale *scale)
{
	char text[1000];

	snprintf(text, sizeof(text), "column,method,center,scale,fill,level\n%s", lines);
	return kith_scale_read(scratch_text(1, text), scale, &pool, &err);
}

/* Scale the table by these lines: 0, or -1. */
static int
apply(const char *lines, const char *table, struct kith_scale *scale, struct kith_frame *f,
    struct kith_scale_plan *plan)
{
	static const struct kith_format format;
	static const char *files[2];

	files[0] = scratch_text(0, table);
	if (load(lines, scale) || kith_frame_open(f, files, &format, &pool, &err)) {
		ok(false, "read: %s", err.msg);
		return -1;
	}
	if (kith_scale_expect(scale, f, &err)) {
		struct kith_err other;

		kith_frame_rows(f, KITH_NA_MEAN, &other); /* which closes */
		return -1;
	}
	return kith_frame_rows(f, KITH_NA_MEAN, &err) ||
		kith_scale_apply(scale, f, plan, &pool, &err)
	    ? -1
	    : 0;
}

/* What is written of it. */
static void
prints(const char *lines, const char *table, const char *due, const char *what)
{
	struct kith_scale scale;
	struct kith_scale_plan plan;
	struct kith_frame f;
	struct kith_out out;
	char got[400] = "";
	FILE *file;

	if (apply(lines, table, &scale, &f, &plan) ||
	    kith_out_open(&out, scratch_text(2, ""), &err)) {
		ok(false, "%s: %s", what, err.msg);
		return;
	}
	kith_scale_print(&plan, &out);
	ok(!(kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err)), "written");
	file = fopen(scratch_path[2], "r");
	if (!file || fread(got, 1, sizeof(got) - 1, file) == 0 || fclose(file))
		abort();
	is_text(got, due, what);
}

static void
test_print(void)
{
	prints("x,zscore,1,2,5,\nL,onehot,0,1,.25,p\nL,onehot,0,1,.75,q\n"
	       "z,minmax,3,0,3,\n",
	    "z,L,t,x\n7,q,u,1\n,r,\"NA\",\n3,,,4\n4,p,NA,0\n",
	    "z\tL=p\tL=q\tt\tx\n0\t0\t1\tu\t0\n0\t0\t0\t\"NA\"\t2\n"
	    "0\t0.25\t0.75\t\t1.5\n0\t1\t0\tNA\t-0.5\n",
	    "numbers, levels and texts in the order of the table");
	prints("L,onehot,0,1,1,p\n", "L\np\nq\n", "L=p\n1\n0\n", "a level alone");
	prints("M,onehot,0,1,1,a\nL,onehot,0,1,1,p\n", "t,L,M\nu,p,a\nv,p,b\n",
	    "t\tL=p\tM=a\nu\t1\t1\nv\t1\t0\n", "levels beside each other");
	prints("x,none,0,1,3,\n", "x,y\n1,2\n,5\n", "x\ty\n1\t2\n3\t5\n",
	    "columns of the table that are in no scaling are texts");
}

/* All columns are constant, or names are there twice. */
static void
refuse_plan(const char *lines, const char *table, size_t line, const char *message)
{
	struct kith_scale scale;
	struct kith_scale_plan plan;
	struct kith_frame f;

	ok(apply(lines, table, &scale, &f, &plan) < 0, "refused");
	is_size(err.line, line, "at the line");
	is_text(err.msg, message, "with the message");
}

static void
refuse(const char *lines, size_t line, const char *message)
{
	struct kith_scale scale;

	ok(load(lines, &scale) < 0 && err.status == EX_DATAERR, "refused");
	is_size(err.line, line, "at the line");
	is_text(err.msg, message, "with the message");
}

static void
test_mistakes(void)
{
	static const char *const lacks[] = {"column", "method", "center", "scale", "fill", "level"};
	struct kith_scale scale;
	char text[200], due[80];

	for (size_t i = 0; i < 6; i++) {
		*text = '\0';
		for (size_t j = 0; j < 6; j++)
			if (j != i)
				sprintf(text + strlen(text), "%s%s", *text ? "," : "", lacks[j]);
		sprintf(text + strlen(text), "\na,none,0,1,0\n");
		snprintf(due, sizeof(due),
		    "not a scaling: no column \"%s\" (tabscale --save writes one)", lacks[i]);
		ok(kith_scale_read(scratch_text(1, text), &scale, &pool, &err) < 0 && err.line == 1,
		    "a column lacks");
		is_text(err.msg, due, "which is named");
	}
	refuse("a,log,0,1,0,\n", 2, "column \"method\": not a method: 'log'");
	refuse("a,none,x,1,0,\n", 2, "column \"center\": not a number: 'x'");
	refuse("a,none,0,,0,\n", 2, "column \"scale\": missing: ''");
	refuse("a,none,0,1,NA,\n", 2, "column \"fill\": missing: 'NA'");
	refuse("a,none,0,-2,0,\n", 2, "column \"scale\": negative: '-2'");
	refuse("a,none,0,1,0,x\n", 2, "column \"level\": too much for this method: 'x'");
	refuse(
	    "b,none,0,1,0,\na,onehot,0,1,0,\n", 3, "column \"level\": missing for this method: ''");
	ok(kith_scale_read("/nowhere/at/all", &scale, &pool, &err) < 0 && err.status == EX_NOINPUT,
	    "no file");
	refuse_plan("a,none,0,1,0,\n", "b\n1\n", 1, "column \"a\": not found");
	refuse_plan("a,onehot,0,1,0,x\n", "a,a=x\nx,1\n", 1,
	    "column \"a=x\": the output would have this name twice");
}

int
main(void)
{
	test_print();
	test_mistakes();
	kith_pool_free(&pool);
	return done();
}
