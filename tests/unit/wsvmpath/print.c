/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvmpath/print.h: what is written of paths that are known.
 */
#include "wsvmpath/print.h"

#include "scratch.h"
#include "tap.h"
#include "text/out.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/tasks.h"

#include <string.h>

static const char *files[2];
static struct kith_svm_options call;
static struct kith_svm_task job;
static struct kith_out out;

/* Figures are rounded: the last digits are those of the solver. */
static int
open_out(void)
{
	const struct kith_dest to = {.path = scratch(1, "", 0), .digits = 9};
	struct kith_err err;

	return kith_out_open_table(&out, &to, &err);
}

/* A job of two classes, or of numbers; rows have the ids A and B, or none. */
static void
begin(int task, int print, bool ids)
{
	files[0] = scratch_text(0, "i,u,a,b,y\nA,0,1,3,1\nB,1,1,3,2\n");
	call = options_of(task, files);
	call.print = print;
	call.how.id = ids ? "i" : NULL;
	if (!ids)
		files[0] = scratch_text(0, "u,a,b,y\n0,1,3,1\n1,1,3,2\n");
	make(&call, &job);
	if (open_out())
		abort();
}

/* Begins to print, as the options say. */
static struct kith_svm_print *
new_print(void)
{
	kith_svm_print_header(&job, call.print, &out);
	return kith_svm_print_new(&job, call.print, call.at, &out, &pool);
}

/* What was written. */
static const char *
written(void)
{
	static char text[4096];
	struct kith_err err;
	FILE *f;

	if (kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err))
		abort();
	f = fopen(scratch_path[1], "rb");
	if (!f)
		abort();
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	kith_pool_free(&pool);
	return text;
}

/* A piece without a solver: events alone ask it for no more. */
static struct kith_wsvm_piece
piece(double from, double to, double b)
{
	return (struct kith_wsvm_piece){.from = from, .to = to, .b0 = b, .b = {b, b}};
}

static void
test_events(void)
{
	static const struct kith_wsvm_event event[] = {{.25, 1, KITH_WSVM_OUT, KITH_WSVM_MARGIN},
	    {.5, 0, KITH_WSVM_MARGIN, KITH_WSVM_IN}, {.75, 1, KITH_WSVM_IN, KITH_WSVM_OUT}};
	struct kith_svm_print *p;

	begin(KITH_SVM_CLASSIFY, KITH_SVM_EVENTS, true);
	p = new_print();
	for (size_t i = 0; i < 3; i++)
		kith_svm_print_event(p, &event[i]);
	is_text(written(),
	    "step\ttheta\tevent\trow\twas\tbecomes\n"
	    "1\t0.25\tenter\tB\tout\tmargin\n"
	    "1\t0.5\tleave\tA\tmargin\tin\n"
	    "1\t0.75\tcross\tB\tin\tout\n",
	    "events by their rows");
	begin(KITH_SVM_CLASSIFY, KITH_SVM_EVENTS, false);
	call.from = "1";
	call.to = "3";
	p = new_print();
	kith_svm_print_event(p, &event[0]);
	kith_svm_print_event(p, &event[1]);
	is_text(written(),
	    "step\ttheta\tevent\trow\twas\tbecomes\tC\n"
	    "1\t0.25\tenter\t2\tout\tmargin\t1.5\n"
	    "1\t0.5\tleave\t1\tmargin\tin\t2\n",
	    "with C where it is a number");
	begin(KITH_SVM_CLASSIFY, KITH_SVM_COEF, false);
	p = new_print();
	kith_svm_print_event(p, &event[0]);
	is_text(written(), "step\ttheta\tname\tvalue\n", "but not among coefficients");
}

/* An event has the step before it. */
static void
test_steps(void)
{
	static const struct kith_wsvm_event event = {.5, 1, KITH_WSVM_OUT, KITH_WSVM_MARGIN};
	struct kith_wsvm_piece a = piece(0, .5, 1);
	struct kith_wsvm_piece b = piece(.5, 1, 1);
	struct kith_svm_print *p;

	begin(KITH_SVM_CLASSIFY, KITH_SVM_EVENTS, false);
	p = new_print();
	kith_svm_print_piece(p, &a);
	kith_svm_print_event(p, &event);
	kith_svm_print_piece(p, &b);
	kith_svm_print_event(p, &event);
	is_size(kith_svm_print_end(p), 3, "two pieces have three solutions");
	is_text(written(),
	    "step\ttheta\tevent\trow\twas\tbecomes\n"
	    "2\t0.5\tenter\t2\tout\tmargin\n"
	    "3\t0.5\tenter\t2\tout\tmargin\n",
	    "events between them");
}

/* Two rows, x = -1 and 1: alpha = C up to .5, where f = 2 alpha x is +-1. */
static const char *
follow(int print, double *at, size_t n, bool ids, size_t *steps)
{
	struct kith_svm_print *p;
	struct kith_wsvm_piece got;
	struct kith_wsvm *s;

	files[0] = scratch_text(0, "i,u,a,b,y\nA,-1,0,1,p\nB,1,0,1,q\n");
	call = options_of(KITH_SVM_CLASSIFY, files);
	call.print = print;
	call.how.id = "i";
	call.kernel = KITH_SVM_LINEAR;
	call.ridge = 0;
	call.at = (struct kith_reals){n, at};
	make(&call, &job);
	job.rows.id_name = ids ? job.rows.id_name : NULL;
	if (open_out())
		abort();
	p = new_print();
	s = kith_wsvm_new(&job.problem, job.from, NULL, &pool);
	kith_wsvm_aim(s, job.to);
	while (kith_wsvm_next(s, &got, kith_svm_print_event, p))
		kith_svm_print_piece(p, &got);
	*steps = kith_svm_print_end(p);
	return written();
}

static void
test_path(void)
{
	double at[] = {0, .25, .5, 1};
	size_t steps;

	is_text(follow(KITH_SVM_COEF, NULL, 0, true, &steps),
	    "step\ttheta\tname\tvalue\n1\t0\t(bias)\t0\n"
	    "2\t0.5\t(bias)\t0\n2\t0.5\tA\t0.5\n2\t0.5\tB\t0.5\n"
	    "3\t1\t(bias)\t0\n3\t1\tA\t0.5\n3\t1\tB\t0.5\n",
	    "coefficients that are not 0");
	is_size(steps, 3, "where pieces meet, and at the ends");
	is_text(follow(KITH_SVM_MARGINS, at, 4, false, &steps),
	    "step\ttheta\trow\tmargin\n1\t0\t1\t0\n1\t0\t2\t0\n"
	    "2\t0.25\t1\t-0.5\n2\t0.25\t2\t0.5\n3\t0.5\t1\t-1\n"
	    "3\t0.5\t2\t1\n4\t1\t1\t-1\n4\t1\t2\t1\n",
	    "margins at --at alone");
	is_size(steps, 4, "as many steps");
	follow(KITH_SVM_COEF, at + 1, 1, true, &steps);
	is_size(steps, 1, "one theta, one step");
}

/* Numbers that lie on a line of slope 2: alpha of both variables of a row. */
static void
test_regress(void)
{
	struct kith_svm_print *p;
	struct kith_wsvm_piece got;
	struct kith_wsvm *s;
	double at = 1;

	begin(KITH_SVM_REGRESS, KITH_SVM_COEF, true);
	call.at = (struct kith_reals){1, &at};
	job.kern.kind = KITH_KERN_LINEAR;
	job.problem.ridge = 0;
	p = new_print();
	s = kith_wsvm_new(&job.problem, job.from, NULL, &pool);
	kith_wsvm_aim(s, job.to);
	while (kith_wsvm_next(s, &got, NULL, NULL))
		kith_svm_print_piece(p, &got);
	kith_svm_print_end(p);
	/* y = 1, 2 at u = 0, 1: slope .8 between the tubes of .1 */
	is_text(written(),
	    "step\ttheta\tname\tvalue\n1\t1\t(bias)\t1.1\n"
	    "1\t1\tA\t-0.8\n1\t1\tB\t0.8\n",
	    "their difference is the coefficient of the row");
}

/* The steps of two pieces, the second of which begins with this b. */
static size_t
meet(double b, double to)
{
	struct kith_wsvm_piece first = piece(0, .5, 2);
	struct kith_wsvm_piece next = piece(.5, to, b);
	struct kith_svm_print *p;
	size_t steps;

	begin(KITH_SVM_CLASSIFY, KITH_SVM_EVENTS, false);
	p = new_print();
	kith_svm_print_piece(p, &first);
	kith_svm_print_piece(p, &next);
	steps = kith_svm_print_end(p);
	written();
	return steps;
}

static void
test_jumps(void)
{
	is_size(meet(2, 1), 3, "pieces have a solution between them");
	is_size(meet(-2, 1), 4, "a jump has two");
	is_size(meet(-2, .5), 3, "one where the piece has no length");
	is_size(meet(2 + 2e-10, 1), 3, "what rounding does is no jump");
	is_size(meet(2 + 4e-10, 1), 4, "a little more is");
}

static void
test_predictions(void)
{
	const struct kith_svm_prediction row[] = {
	    {"A", 7, "p", "q", -.5}, {NULL, 8, "q", NULL, 2}, {NULL, 9, NULL, "p", 3}};

	begin(KITH_SVM_CLASSIFY, KITH_SVM_COEF, true);
	kith_svm_prediction_header(true, &out);
	for (size_t i = 0; i < 3; i++)
		kith_svm_prediction_write(&row[i], &out);
	is_text(written(),
	    "id\tpredicted\tactual\tmargin\nA\tp\tq\t-0.5\n8\tq\tNA\t2\n"
	    "9\tNA\tp\tNA\n",
	    "predictions, and what of them is missing");
}

int
main(void)
{
	test_events();
	test_steps();
	test_path();
	test_jumps();
	test_regress();
	test_predictions();
	return done();
}
