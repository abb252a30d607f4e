/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of whole runs by hand: lib/wsvmpath/follow.h, pairs_path.h, cross.h,
 * transduce.h and online.h.  Rows lie on a line, and the kernel is linear: of
 * x = -1 and 1, alpha is C up to .5, where f = 2 alpha x is -1 and 1.
 */
#include "cli/cli.h"
#include "scratch.h"
#include "table/trial.h"
#include "tap.h"
#include "text/out.h"
#include "wsvmpath/cross.h"
#include "wsvmpath/follow.h"
#include "wsvmpath/jobs.h"
#include "wsvmpath/online.h"
#include "wsvmpath/pairs_path.h"
#include "wsvmpath/transduce.h"

#include <string.h>

static const char *files[2];
static struct kith_wsvm_call call;
static struct kith_wsvm_job job;
static struct kith_out out;
static struct kith_err err;

static void
begin(const char *table, int task)
{
	files[0] = scratch_text(0, table);
	call = call_of(task, files);
	call.kernel = KITH_WSVM_LINEAR;
	call.ridge = 0;
	call.theta = -1;
	call.positive = -1;
	kith_run.quiet = true;
	kith_run.digits = 6;
	kith_run.output = scratch(1, "", 0);
}

/* What the file holds once all are closed. */
static const char *
text_of(size_t number)
{
	static char text[4096];
	FILE *f = fopen(scratch_path[number], "rb");

	if (!f)
		abort();
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* Close the output of a run of this status; what is in it. */
static const char *
end(int status)
{
	if (status < 0 || kith_out_close(&out, &err) || kith_out_settle(NULL, &err))
		return err.msg;
	kith_pool_free(&pool);
	return text_of(1);
}

static const char two[] = "u,a,b,y\n-1,0,1,p\n1,0,1,q\n";

static void
test_follow(void)
{
	double at = .25;

	begin(two, KITH_WSVM_CLASSIFY);
	call.at = (struct kith_reals){1, &at};
	make(&call, &job);
	is_text(end(kith_wsvm_follow(&job, &out, &err)),
	    "step\ttheta\tname\tvalue\n1\t0.25\t(bias)\t0\n"
	    "1\t0.25\t1\t0.25\n1\t0.25\t2\t0.25\n",
	    "a path");
	begin(two, KITH_WSVM_CLASSIFY);
	call.validate = scratch_text(2, "u,y\n-2,p\n2,q\n3,p\n");
	make(&call, &job);
	is_text(end(kith_wsvm_follow(&job, &out, &err)),
	    "theta_from\ttheta_to\tn\terrors\terror\tse\n"
	    "0\t1\t3\t1\t0.333333\t0.333333\n",
	    "how it does on other rows");
	begin(two, KITH_WSVM_CLASSIFY);
	call.validate = scratch_text(2, "u,y\n-2,p\n2,q\n3,p\n");
	call.best = KITH_BEST;
	make(&call, &job);
	is_text(end(kith_wsvm_follow(&job, &out, &err)),
	    "step\ttheta\tname\tvalue\n1\t0.5\t(bias)\t0\n"
	    "1\t0.5\t1\t0.5\n1\t0.5\t2\t0.5\n",
	    "the solution where it does best");
	begin(two, KITH_WSVM_CLASSIFY);
	call.save_model = scratch(3, "", 0);
	call.theta = .25;
	make(&call, &job);
	end(kith_wsvm_follow(&job, &out, &err));
	ok(strstr(text_of(3), "-0.25") && !strstr(text_of(3), "0.5"), "the model at --theta");
}

/* Three classes; no machine needs the row at 9. */
static void
test_pairs(void)
{
	static const char table[] = "u,a,b,y\n-1,0,1,p\n1,0,1,q\n3,0,1,r\n9,0,1,r\n";
	double at = 1;

	begin(table, KITH_WSVM_CLASSIFY);
	call.at = (struct kith_reals){1, &at};
	call.theta = 1;
	call.save_model = scratch(3, "", 0);
	make(&call, &job);
	/* f of p and q: x; p and r: (x - 1) / 2; q and r: x - 2 */
	is_text(end(kith_wsvm_pairs_follow(&job, &out, &err)),
	    "class1\tclass2\tstep\ttheta\tname\tvalue\n"
	    "p\tq\t1\t1\t(bias)\t0\np\tq\t1\t1\t1\t0.5\np\tq\t1\t1\t2\t0.5\n"
	    "p\tr\t1\t1\t(bias)\t-0.5\np\tr\t1\t1\t1\t0.125\n"
	    "p\tr\t1\t1\t3\t0.125\n"
	    "q\tr\t1\t1\t(bias)\t-2\nq\tr\t1\t1\t2\t0.5\nq\tr\t1\t1\t3\t0.5\n",
	    "all machines");
	ok(strstr(text_of(3), "\n1\t") && strstr(text_of(3), "\n3\t") &&
		!strstr(text_of(3), "\n4\t"),
	    "the model has the rows that one of them needs");
	begin(table, KITH_WSVM_CLASSIFY);
	call.state_out = "state";
	make(&call, &job);
	is_text(end(kith_wsvm_pairs_follow(&job, &out, &err)),
	    "3 classes: a state (--state-out) is that of two", "states are those of two classes");
	kith_pool_free(&pool);
}

static void
test_cross(void)
{
	static const char table[] = "u,a,b,y\n-1,0,1,p\n-1,0,1,p\n-1,0,1,p\n"
				    "1,0,1,q\n1,0,1,q\n1,0,1,q\n";
	double gamma[] = {.5, 1};

	begin(table, KITH_WSVM_CLASSIFY);
	call.parts = 3;
	make(&call, &job);
	is_text(end(kith_wsvm_cross(&job, &out, &err)),
	    "theta_from\ttheta_to\tn\terrors\terror\tse\n0\t1\t6\t0\t0\t0\n",
	    "parts without errors");
	begin(table, KITH_WSVM_CLASSIFY);
	call.parts = 3;
	call.kernel = KITH_WSVM_GAUSSIAN;
	call.gammas = (struct kith_reals){2, gamma};
	call.gamma = gamma[0];
	make(&call, &job);
	is_text(end(kith_wsvm_cross(&job, &out, &err)),
	    "gamma\ttheta_from\ttheta_to\tn\terrors\terror\tse\n"
	    "0.5\t0\t1\t6\t0\t0\t0\n1\t0\t1\t6\t0\t0\t0\n",
	    "each gamma");
	begin(table, KITH_WSVM_CLASSIFY);
	call.parts = 7;
	make(&call, &job);
	ok(kith_wsvm_cross(&job, &out, &err) == -1, "more parts than rows");
	kith_pool_free(&pool);
}

static void
test_transduce(void)
{
	begin("u,y\n-2,p\n2,q\n-1,NA\n1,NA\n3,NA\n", KITH_WSVM_TRANSDUCE);
	call.from = "1";
	call.to = "1";
	call.positive = .5; /* of 3, 2 */
	if (kith_wsvm_read(&call, &job, &pool, &err))
		abort();
	is_text(end(kith_wsvm_transduce(&job, &out, &err)),
	    "id\tpredicted\tactual\tmargin\n1\tp\tp\t-2\n2\tq\tq\t2\n"
	    "3\tp\tNA\t-1\n4\tq\tNA\t1\n5\tq\tNA\t3\n",
	    "rows without a class get one");
	begin("u,y\n-2,p\n2,q\n-1,NA\n1,NA\n3,NA\n", KITH_WSVM_TRANSDUCE);
	call.from = "1";
	call.to = "1";
	call.positive = .5;
	call.save_model = scratch(3, "", 0);
	if (kith_wsvm_read(&call, &job, &pool, &err))
		abort();
	end(kith_wsvm_transduce(&job, &out, &err));
	ok(strstr(text_of(3), "# classes\tp\tq\n") && strstr(text_of(3), "# rows\t2\n") &&
		strstr(text_of(3), "\n3\t-") && strstr(text_of(3), "\n4\t0"),
	    "the model has the classes, and the rows that it needs");
	begin("u,y\n-2,p\n2,q\n", KITH_WSVM_TRANSDUCE);
	call.from = "1";
	call.to = "1";
	if (kith_wsvm_read(&call, &job, &pool, &err))
		abort();
	is_text(end(kith_wsvm_transduce(&job, &out, &err)), "no row has an empty \"y\"",
	    "there is one");
	begin("u,y\n-2,p\n2,p\n1,NA\n", KITH_WSVM_TRANSDUCE);
	call.from = "1";
	call.to = "1";
	if (kith_wsvm_read(&call, &job, &pool, &err))
		abort();
	is_text(end(kith_wsvm_transduce(&job, &out, &err)),
	    "1 class, two expected (rows without one have an empty \"y\")", "and two classes");
	kith_pool_free(&pool);
}

/* The class that comes first is the second in byte order. */
static void
test_online(void)
{
	begin("u,y\n1,q\n-1,p\n2,q\n-3,NA\n", KITH_WSVM_CLASSIFY);
	call.from = NULL;
	call.to = "1";
	call.online = 4;
	call.batch = 1;
	is_text(end(kith_wsvm_online(&call, &out, &pool, &err)),
	    "id\tpredicted\tactual\tmargin\n1\tNA\tq\tNA\n2\tNA\tp\tNA\n"
	    "3\tq\tq\t2\n4\tp\tNA\t-3\n",
	    "each row is predicted before it teaches");
	begin("u,y\n1,q\n-1,p\n2,q\n-3,NA\n", KITH_WSVM_CLASSIFY);
	call.from = NULL;
	call.to = "1";
	call.online = 4;
	call.batch = 1;
	call.delay = 1;
	is_text(end(kith_wsvm_online(&call, &out, &pool, &err)),
	    "id\tpredicted\tactual\tmargin\n1\tNA\tq\tNA\n2\tNA\tp\tNA\n"
	    "3\tNA\tq\tNA\n4\tp\tNA\t-3\n",
	    "with --delay its target is known later");
	begin("u,y\n1,q\n-1,p\n2,q\n-3,p\n1,q\n", KITH_WSVM_CLASSIFY);
	call.from = NULL;
	call.to = "1";
	call.online = 4;
	call.batch = 3;
	is_text(end(kith_wsvm_online(&call, &out, &pool, &err)),
	    "id\tpredicted\tactual\tmargin\n1\tNA\tq\tNA\n2\tNA\tp\tNA\n"
	    "3\tNA\tq\tNA\n4\tp\tp\t-3\n5\tq\tq\t1\n",
	    "with --batch it teaches with others");
	begin("u,y\n1,q\n-1,p\n2,r\n", KITH_WSVM_CLASSIFY);
	call.to = "1";
	call.online = 4;
	call.batch = 1;
	ok(kith_wsvm_online(&call, &out, &pool, &err) == -1 &&
		strstr(err.msg, "a third class: 'r'"),
	    "a third class is refused");
	call.batch = 5;
	is_text(end(kith_wsvm_online(&call, &out, &pool, &err)),
	    "--batch is more than the rows of --online", "and such a batch");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_follow();
	test_pairs();
	test_cross();
	test_transduce();
	test_online();
	return done();
}
