/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvmpath/state_file.h: a state that is written can be read, and
 * one that is changed is refused, with the reason.
 */
#include "wsvmpath/state_file.h"

#include "scratch.h"
#include "tap.h"
#include "text/out.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/jobs.h"

#include <string.h>

static const char *files[2];
static struct kith_wsvm_call call;
static struct kith_wsvm_job job;
static char text[4096];

/* Rows x = -1 and 1, whose alpha is .5 from C = .5 on; a third is out. */
static void
make_job(void)
{
	files[0] = scratch_text(0, "u,a,b,y\n-1,0,1,p\n1,0,1,q\n3,0,2,q\n");
	call = call_of(KITH_WSVM_CLASSIFY, files);
	call.validate = scratch_text(3, "u,y\n2,q\n");
	call.kernel = KITH_WSVM_LINEAR;
	call.ridge = 0;
	make(&call, &job);
}

/* The state at alpha and b; whether it is said to be a solution. */
static bool
write_state(const double *alpha, double b)
{
	struct kith_out out;
	struct kith_err err;
	const char *path = scratch(1, "", 0);
	bool sound;
	FILE *f;

	if (kith_out_open(&out, path, &err))
		abort();
	sound = kith_wsvm_state_write(&job, alpha, b, &out);
	if (kith_out_close_alone(&out, NULL, &err))
		abort();
	f = fopen(path, "rb");
	if (!f)
		abort();
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return sound;
}

/* Read the text as a state: the message, or "". */
static const char *
read_text(const char *state, struct kith_wsvm_solution *at)
{
	static struct kith_err err;

	if (kith_wsvm_state_read(scratch_text(2, state), &job, at, &err) == 0)
		return "";
	return err.status == EX_DATAERR ? err.msg : "another status";
}

/* The same with the first `was` another text. */
static const char *
changed(const char *was, const char *is)
{
	char state[sizeof(text)];
	const char *at = strstr(text, was);
	struct kith_wsvm_solution none;

	if (!at)
		return "nothing to change";
	snprintf(state, sizeof(state), "%.*s%s%s", (int)(at - text), text, is, at + strlen(was));
	return read_text(state, &none);
}

static void
test_round(void)
{
	static const double alpha[] = {.5, .5, 0};
	struct kith_wsvm_solution at;

	make_job();
	call.from = NULL;
	memset(job.from, 0, 3 * sizeof(*job.from));
	ok(write_state(alpha, 0), "a solution is sound");
	ok(strstr(text,
	       "\nweight\t1\t1\nweight\t2\t1\nweight\t3\t2\n"
	       "alpha\t1\t0.5\nalpha\t2\t0.5\nalpha\t3\t0\n"
	       "where\t1\tmargin\nwhere\t2\tmargin\nwhere\t3\tout\n"
	       "f\t1\t-1\nf\t2\t1\nf\t3\t3\nb\t1\t0\n"),
	    "weights, alpha, sets, scores and b are written");
	ok(strncmp(text, "what\tnumber\tvalue\nversion\t1\t2\ndata\t1\t", 37) == 0,
	    "behind the version and the data");
	is_text(read_text(text, &at), "", "and can be read");
	ok(at.alpha[0] == .5 && at.alpha[1] == .5 && at.alpha[2] == 0, "alpha");
	ok(at.where[0] == KITH_WSVM_MARGIN && at.where[1] == KITH_WSVM_MARGIN &&
		at.where[2] == KITH_WSVM_OUT && at.b == 0,
	    "sets and b");
	ok(at.f[0] == -1 && at.f[1] == 1 && at.f[2] == 3, "scores");
	is_near(at.f[3], 2, 1e-15, "and those of other rows");
	ok(job.from[0] == 1 && job.from[1] == 1 && job.from[2] == 2,
	    "the path begins at its weights");
	call.from = "a";
	is_text(read_text(text, &at), "", "as --from may say, too");
	job.from[2] = 3;
	is_text(read_text(text, &at),
	    "the state of other weights than --from says (leave --from out?)", "or not");
	job.from[2] = 2;
	ok(!write_state((double[]){.25, .25, 0}, 0),
	    "what is no solution is told when it is written");
	ok(strncmp(read_text(text, &at), "not the solution of these rows: ", 32) == 0,
	    "and refused");
	ok(!write_state((double[]){1, 1, 0}, 0) && strstr(text, "1\tin\n"),
	    "alpha at its weight is in");
	kith_pool_free(&pool);
}

static void
test_changed(void)
{
	static const char no_state[] = "no state as --state-out writes it";
	static const char bounds[] = "variable 1: alpha does not fit its weight";
	static const char other[] = "the state of other rows, or of another "
				    "kernel, ridge or epsilon";

	make_job();
	call.from = NULL;
	if (!write_state((double[]){.5, .5, 0}, 0))
		abort();
	is_text(changed("b\t1\t0\n", ""), "not the whole state", "no b");
	is_text(changed("b\t1\t0\n", "b\t1\t0\nb\t2\t0\n"), no_state, "another b");
	is_text(changed("what", "which"), no_state, "another header");
	is_text(changed("version\t1\t2", "version\t1\t1"), no_state, "another version");
	is_text(changed("alpha\t2", "alpha\t3"), no_state, "another number");
	is_text(changed("alpha\t2", "beta\t2"), no_state, "another word");
	is_text(changed("where\t1\tmargin", "where\t1\ton"), no_state, "another set");
	is_text(changed("ridge\t1\t0", "ridge\t1\t1"), other, "another ridge");
	is_text(changed("data\t1\t", "data\t1\tf"), other, "other data");
	is_text(changed("weight\t1\t1", "weight\t1\t-1"), bounds, "a weight below 0");
	is_text(changed("alpha\t1\t0.5", "alpha\t1\t-0.5"), bounds, "alpha below 0");
	is_text(changed("alpha\t1\t0.5", "alpha\t1\t1.5"), bounds, "or above its weight");
	is_text(changed("where\t1\tmargin", "where\t1\tout"), bounds, "out, and not 0");
	is_text(
	    changed("where\t1\tmargin", "where\t1\tin"), bounds, "in, and less than its weight");
	ok(strncmp(changed("f\t3\t3", "f\t3\t4"), "not the solution of these rows: scores is ",
	       42) == 0,
	    "another score");
	kith_pool_free(&pool);
}

/* What the data of a state depend on. */
static void
test_data(void)
{
	static const char other[] = "the state of other rows, or of another "
				    "kernel, ridge or epsilon";
	struct kith_wsvm_solution at;

	make_job();
	call.from = NULL;
	if (!write_state((double[]){.5, .5, 0}, 0))
		abort();
	job.kern.gamma += 1;
	is_text(read_text(text, &at), other, "gamma");
	job.kern.gamma -= 1;
	job.kern.coef0 += 1;
	is_text(read_text(text, &at), other, "coef0");
	job.kern.coef0 -= 1;
	job.kern.degree += 1;
	is_text(read_text(text, &at), other, "degree");
	job.kern.degree -= 1;
	job.problem.ridge = 1;
	is_text(read_text(text, &at), other, "ridge");
	job.problem.ridge = 0;
	job.X.v[2] += 1;
	is_text(read_text(text, &at), other, "an item");
	job.X.v[2] -= 1;
	job.X.v[3] += 1;
	is_text(read_text(text, &at), "", "but none of --validate");
	job.q[2] = 0;
	is_text(read_text(text, &at), other, "targets");
	job.q[2] = -1;
	job.sign[0] = 1;
	is_text(read_text(text, &at), other, "signs");
	job.sign[0] = -1;
	job.to[0] = 7;
	is_text(read_text(text, &at), "", "but not the weights to come");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_round();
	test_changed();
	test_data();
	return done();
}
