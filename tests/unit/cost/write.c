/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/cost/cost.h, usage.h and pace.h: the table, and what it adds. */
#include "cost/cost.h"

#include "base/err.h"
#include "cost/pace.h"
#include "cost/usage.h"
#include "tap.h"
#include "text/out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const double MB = 1024. * 1024.;

struct table {
	char text[1000];
	double low[2], high[2]; /* megabytes, seconds */
};

static size_t asked;

static double
twice(void)
{
	asked++;
	return 2;
}

/* What is written to standard output. */
static struct table
table_of(const struct kith_cost *cost, kith_cost_speed_of *speed)
{
	static const char *const name[] = {"\nmegabytes\t", "\nseconds\t"};
	FILE *file = tmpfile();
	const int kept = dup(STDOUT_FILENO);
	struct table t = {{0}, {NAN, NAN}, {NAN, NAN}};
	struct kith_out out = {0};
	struct kith_err err = {0};
	int got;

	fflush(stdout);
	if (!file || kept < 0 || dup2(fileno(file), STDOUT_FILENO) < 0)
		abort();
	got = kith_cost_write(cost, speed, &out, &err) || kith_out_close_alone(&out, NULL, &err);
	fflush(stdout);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	ok(got == 0, "a table is written");
	rewind(file);
	t.text[fread(t.text, 1, sizeof(t.text) - 1, file)] = '\0';
	fclose(file);
	for (size_t a = 0; a < 2; a++) {
		char *at = strstr(t.text, name[a]);

		if (!at)
			continue;
		t.low[a] = strtod(at + strlen(name[a]), &at);
		t.high[a] = strtod(at, NULL);
	}
	return t;
}

/* Up to the line of megabytes. */
static void
begins(const struct table *t, const char *due, const char *name)
{
	const char *end = strstr(t->text, "megabytes");
	char start[1000];

	snprintf(start, sizeof(start), "%.*s", end ? (int)(end - t->text) : 0, t->text);
	is_text(start, due, name);
}

static void
test_lines(void)
{
	const struct kith_cost none = {0};
	const struct kith_cost all = {.rows = 5, .features = 4, .queries = 3, .classes = 2, .k = 1};
	struct table t = table_of(&none, NULL);

	begins(&t, "quantity\tlow\thigh\n", "sizes of 0 have no line");
	ok(t.low[1] >= .001 && t.low[1] == t.high[1] && t.high[1] < 60,
	    "the seconds of reading, %g", t.low[1]);
	t = table_of(&all, NULL);
	begins(&t,
	    "quantity\tlow\thigh\nrows\t5\t5\nfeatures\t4\t4\n"
	    "queries\t3\t3\nclasses\t2\t2\nk\t1\t1\n",
	    "the others have one each");
}

/* Seconds of reading are small beside the others. */
static void
test_seconds(void)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	struct kith_cost cost = {.low = 1e6, .high = 3e6};
	struct table t = table_of(&cost, NULL);

	is_near(t.low[1], 1e6, 0, "seconds of one thread");
	is_near(t.high[1], 3e6, 0, "at most");
	t = table_of(&cost, twice);
	is_size(asked, 1, "the speed is asked once");
	is_near(t.low[1], 2e6, 0, "on a machine half as fast");
	is_near(t.high[1], 6e6, 0, "at most");
	cost.low_own = 4e6;
	cost.high_own = 5e6;
	cost.threads = 1;
	t = table_of(&cost, twice);
	is_near(t.low[1], 1e7, 0, "and what is not shared");
	is_near(t.high[1], 1.6e7, 0, "at most");
	cost.threads = (size_t)cores;
	cost.low = 1e6 * (double)cores;
	cost.high = 3e6 * (double)cores;
	t = table_of(&cost, NULL);
	is_near(t.low[1], 5e6, 0, "threads share the rest");
	is_near(t.high[1], 8e6, 0, "at most");
	cost.threads = 1000 * (size_t)cores;
	t = table_of(&cost, NULL);
	is_near(t.low[1], 5e6, 0, "no more than the machine runs");
	cost = (struct kith_cost){.low = 123456, .high = INFINITY};
	t = table_of(&cost, NULL);
	is_near(t.low[1], 1.2e5, 0, "two digits");
	is_near(t.high[1], 1e99, 1e-15, "a number");
}

static void
test_megabytes(void)
{
	struct kith_cost cost = {.bytes = 1e11, .most_bytes = 3e11};
	struct table t = table_of(&cost, NULL);
	const double held = kith_usage_bytes() + .3 * MB;

	is_near(t.low[0], ceil((1e11 + held) / MB), 5e-5, "what will be held");
	is_near(t.high[0], ceil((3e11 + held) / MB), 2e-5, "at most");
	ok(t.low[0] == floor(t.low[0]), "a whole number");
	cost = (struct kith_cost){.rows = 1};
	t = table_of(&cost, NULL);
	ok(t.low[0] >= floor(kith_usage_most() / MB), "as much as was held");
	ok(t.low[0] <= ceil(kith_usage_most() / MB) + 2, "%g MB", t.low[0]);
}

static void
test_reading(void)
{
	struct kith_cost cost = {0};
	const double before = kith_usage_seconds();

	kith_cost_as_reading(&cost, 2, 5);
	ok(cost.low_own >= 2 * before && cost.low_own <= 2 * kith_usage_seconds(),
	    "twice what reading took");
	is_near(cost.high_own, 2.5 * cost.low_own, 1e-12, "up to five times");
	is_near(cost.low + cost.high, 0, 0, "threads do not help");
}

/* Hold so many bytes for a while. */
static void
test_bytes(void)
{
	enum { BYTES = 64 * 1024 * 1024 };
	const double held = kith_usage_bytes(), most = kith_usage_most();
	FILE *file = tmpfile();
	void *block = MAP_FAILED;

	if (file && ftruncate(fileno(file), BYTES) == 0)
		block = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
	if (block == MAP_FAILED)
		abort();
	memset(block, 1, BYTES);
	ok(fabs(kith_usage_bytes() - held - BYTES) < BYTES / 8., "bytes are held");
	ok(kith_usage_most() - most > BYTES * .8, "at most");
	munmap(block, BYTES);
	fclose(file);
	ok(kith_usage_bytes() - held < BYTES / 2., "and are no longer");
	ok(kith_usage_most() - most > BYTES * .8, "at most they were");
}

/* Work for so many thousandths of a second. */
static void
work(clock_t ms)
{
	const clock_t start = clock();

	while (clock() - start < ms * CLOCKS_PER_SEC / 1000)
		;
}

static void
test_time(void)
{
	const double seconds = kith_usage_seconds();
	double took;

	work(50);
	took = kith_usage_seconds() - seconds;
	ok(.03 < took && took < .2, "a twentieth of a second: %g", took);
}

static size_t portions;

static void
nothing(void *with)
{
	portions += *(const size_t *)with;
}

/* A portion takes 2 ms, three of them 9. */
static void
slow(void *with)
{
	size_t *n = with;

	work(*n >= 5 && *n < 8 ? 9 : 2);
	++*n;
}

static void
long_one(void *with)
{
	work(41);
	++*(size_t *)with;
}

static void
test_median(void)
{
	size_t one = 1, n = 0;
	double got = kith_cost_median(nothing, &one);

	ok(got >= 0 && got < 1e-4, "nothing takes no time");
	is_size(portions, 401, "400 portions and the first at most");
	got = kith_cost_median(slow, &n);
	ok(1.5e-3 < got && got < 6e-3, "a median of %g", got);
	ok(n >= 6 && n <= 11, "for .04 s, %zu portions", n);
	n = 0;
	got = kith_cost_median(long_one, &n);
	ok(got >= .04, "a median of %g", got);
	is_size(n, 4, "three portions at least, and the first");
}

int
main(void)
{
	test_bytes();
	test_time();
	test_lines();
	test_seconds();
	test_megabytes();
	test_reading();
	test_median();
	return done();
}
