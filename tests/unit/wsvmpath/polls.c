/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/wsvmpath/polls.h: which rows teach, and which are asked. */
#include "wsvmpath/polls.h"

#include "scratch.h"
#include "tap.h"
#include "wsvmpath/jobs.h"

#include <string.h>

enum { ROWS = 6, ASKED = 3 };

static const char *files[2];
static struct kith_wsvm_call call;
static struct kith_wsvm_job job;
static const size_t of[ROWS] = {0, 1, 0, 2, 1, 0};

static void
make_job(int scale)
{
	files[0] = scratch_text(0,
	    "u,a,b,y\n"
	    "0,1,7,p\n"
	    "1,2,8,q\n"
	    "4,3,9,r\n"
	    "3,4,0,p\n"
	    "2,5,1,q\n"
	    "8,6,2,p\n");
	call = call_of(KITH_WSVM_CLASSIFY, files);
	call.validate = scratch_text(1, "u,y\n5,p\n6,r\n7,q\n");
	call.kernel = KITH_WSVM_LINEAR;
	call.scale = scale;
	call.parts = scale ? 3 : 0;
	call.ridge = .5;
	make(&call, &job);
}

static bool
are(const size_t *got, size_t n, const size_t *due, size_t m)
{
	return n == m && memcmp(got, due, n * sizeof(*got)) == 0;
}

static bool
holds(const double *got, size_t n, const double *due)
{
	for (size_t i = 0; i < n; i++)
		if (got[i] != due[i])
			return false;
	return true;
}

/* The poll of a part; whether its rows are these. */
static bool
splits(size_t part, const size_t *row, size_t n, const size_t *asked, size_t m)
{
	struct kith_wsvm_poll poll;
	struct kith_err err;
	bool good = kith_wsvm_poll_make(&poll, &job, of, part, 3, &err) == 0;

	good = good && are(poll.row, poll.n, row, n) && are(poll.asked, poll.m, asked, m) &&
	    poll.X.n == n + m;
	for (size_t i = 0; i < n && good; i++)
		good = *kith_row(&poll.X, i) == *kith_row(&job.X, row[i]);
	for (size_t i = 0; i < m && good; i++)
		good = *kith_row(&poll.X, n + i) == *kith_row(&job.X, asked[i]);
	kith_wsvm_poll_free(&poll);
	return good;
}

static void
test_rows(void)
{
	struct kith_wsvm_poll poll;
	struct kith_err err;
	const size_t all[] = {0, 0, 0, 0, 0, 0};

	make_job(KITH_UNIT_NONE);
	ok(splits(0, (size_t[]){1, 3, 4}, 3, (size_t[]){0, 2, 5}, 3),
	    "the first part has the first row and the last");
	ok(splits(1, (size_t[]){0, 2, 3, 5}, 4, (size_t[]){1, 4}, 2), "the second");
	ok(splits(2, (size_t[]){0, 1, 2, 4, 5}, 5, (size_t[]){3}, 1), "the last has one row");
	kith_wsvm_poll_rows(&poll, &job, NULL, 0);
	ok(are(poll.row, poll.n, (size_t[]){0, 1, 2, 3, 4, 5}, 6) &&
		are(poll.asked, poll.m, (size_t[]){0, 1, 2}, 3),
	    "all rows, and those of --validate");
	kith_wsvm_poll_free(&poll);
	ok(kith_wsvm_poll_make(&poll, &job, all, 0, 3, &err) == -1 && err.status == EX_DATAERR,
	    "a part of all rows");
	is_text(err.msg, "--cv: no row outside part 1 of 3", "is refused");
	kith_wsvm_poll_free(&poll);
	kith_pool_free(&pool);
}

/* The machine of q and r against one, of the rows outside the second part. */
static void
test_pair(void)
{
	struct kith_wsvm_poll poll;
	struct kith_wsvm_polled m;
	struct kith_err err;

	make_job(KITH_UNIT_NONE);
	ok(kith_wsvm_poll_make(&poll, &job, of, 1, 3, &err) == 0, "a part");
	kith_wsvm_poll_machine(&poll, 0, &m, &pool);
	ok(m.n == 3 && m.X.n == 5 && holds(m.X.v, 5, (double[]){0, 3, 8, 1, 2}),
	    "p and q, of which q is asked alone");
	ok(holds(m.problem.sign, 3, (double[]){-1, -1, -1}), "their signs");
	kith_wsvm_poll_machine(&poll, 1, &m, &pool);
	ok(m.n == 4 && holds(m.X.v, 6, (double[]){0, 4, 3, 8, 1, 2}),
	    "p and r, then the rows asked");
	ok(holds(m.problem.sign, 4, (double[]){-1, 1, -1, -1}) &&
		holds(m.problem.q, 4, (double[]){-1, -1, -1, -1}),
	    "the second class is +1");
	ok(are(m.problem.plus, m.problem.variables, (size_t[]){0, 1, 2, 3}, 4),
	    "a variable for each row");
	ok(holds(m.from, 4, (double[]){1, 3, 4, 6}) && holds(m.to, 4, (double[]){7, 9, 0, 2}),
	    "with its weights");
	is_near(m.problem.ridge, .5 * (0 + 16 + 9 + 64) / 4, 1e-14,
	    "the ridge is that of the rows it learns from");
	ok(m.problem.X == &m.X && m.problem.kern == &poll.kern && m.problem.bias &&
		!m.problem.minus,
	    "the rest is that of the job");
	kith_wsvm_poll_machine(&poll, 2, &m, &pool);
	ok(m.n == 1 && holds(m.X.v, 3, (double[]){4, 1, 2}) && m.problem.sign[0] == 1,
	    "q and r, of which r alone is left");
	kith_wsvm_poll_free(&poll);
	kith_pool_free(&pool);
}

/* --scale: the unit of a part is that of the rows outside it. */
static void
test_scale(void)
{
	struct kith_wsvm_poll poll;
	struct kith_err err;

	make_job(KITH_UNIT_MINMAX);
	/* Rows 1, 3, 2 become 0, 1, .5; the others 0, 4, 8 follow. */
	ok(kith_wsvm_poll_make(&poll, &job, of, 0, 3, &err) == 0 && poll.X.n == ROWS &&
		holds(poll.X.v, 6, (double[]){0, 1, .5, -.5, 1.5, 3.5}),
	    "in the units of the rows learnt from");
	kith_wsvm_poll_free(&poll);
	kith_pool_free(&pool);
}

int
main(void)
{
	test_rows();
	test_pair();
	test_scale();
	return done();
}
