/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * torture - call commands under every hardship, and judge how they end.
 *
 *	torture CALLS SHIM SEED MINUTES I N [full|FROM]
 *
 * CALLS has a call a line (trial.h says how its words are read).  This is
 * process I of N: it takes each N-th call, runs it in the current directory,
 * and stops after MINUTES.  First come limits and strange descriptors, then
 * functions that fail (shim.c): for each call and fault N = 1, 2, ... until the
 * command does not call the function so often, all pairs of these in turn; then
 * signals at random moments, drawn by SEED, 40 times a call.  With "full"
 * instead a file system with little room, which the directory is on; with a
 * number FROM nothing but functions that fail, where N = FROM, FROM + 1, ...
 *
 * Each finding is a line; the last line is "tried N found N ended N of N at N",
 * where ended counts pairs of call and fault, and those that have not come to
 * their ends have had all calls before the last number fail.
 */
#include "base/rng.h"
#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 200, KILLS = 40 };

static struct call call[CALLS];
static size_t calls, tried, found, ended;
static double until; /* when the time is over */

static const struct {
	const char *function;
	int why;
	bool lasting;
} fault[] = {{"malloc", ENOMEM, false}, {"malloc", ENOMEM, true}, {"mmap", ENOMEM, false},
    {"mmap", ENOMEM, true}, {"read", EIO, false}, {"read", EIO, true}, {"read", EINTR, false},
    {"read", EAGAIN, false}, {"read", 0, false}, {"write", EIO, false}, {"write", ENOSPC, false},
    {"write", ENOSPC, true}, {"write", EINTR, false}, {"write", EAGAIN, false}, {"write", 0, false},
    {"open", EMFILE, false}, {"open", EMFILE, true}, {"open", EACCES, false}, {"close", EIO, false},
    {"close", EIO, true}, {"rename", EIO, false}, {"rename", EIO, true}, {"stat", EACCES, false},
    {"stat", EACCES, true}, {"fsync", EIO, false}, {"fsync", EINTR, false},
    {"pthread_create", EAGAIN, false}, {"pthread_create", EAGAIN, true}};
enum { FAULTS = sizeof(fault) / sizeof(*fault) };

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static _Noreturn void
die(const char *what, const char *which)
{
	fprintf(stderr, "torture: %s: %s\n", what, which);
	exit(2);
}

static void
free_end(struct end *e)
{
	free(e->printed.at);
	for (size_t i = 0; i < OUTS; i++)
		free(e->fifo[i].at);
}

/* Call under a hardship, and tell what is wrong with the end of it. */
static void
try(const struct call *c, const struct hardship *h)
{
	struct end e = {0};
	char why[200], what[200];

	tried++;
	kith_try(c, h, &e);
	if (kith_judge(c, h, &e, why, sizeof(why))) {
		found++;
		kith_hardship_spell(h, what, sizeof(what));
		printf("found: %s: %s: %s\n  %.*s\n", what, c->line, why,
		    (int)strcspn(e.said, "\n"), e.said);
	}
	free_end(&e);
}

/* What a call does when all is well. */
static void
try_well(struct call *c)
{
	struct end e = {0};
	const double began = now();

	kith_try(c, &kith_ease, &e);
	c->seconds = now() - began;
	c->status = kith_end_status(&e);
	if (e.hung || (c->status != 0 && c->status != 1))
		die(c->line, e.said);
	c->printed = e.printed;
	for (size_t i = 0; i < c->outs; i++) {
		c->due[i] = kith_bytes(c->out[i]);
		if (c->due[i].n == 4 && memcmp(c->due[i].at, "old\n", 4) == 0)
			die(c->line, "a file is not written");
	}
}

static void
read_calls(const char *file, size_t part, size_t parts)
{
	FILE *in = fopen(file, "r");
	char line[LONGEST];
	size_t n = 0;

	if (!in)
		die("cannot read", file);
	while (fgets(line, sizeof(line), in))
		if (*line != '\n' && *line != '#' && n++ % parts == part - 1 && calls < CALLS)
			kith_call_read(&call[calls++], line);
	fclose(in);
}

static void
limit(const struct call *c, int which, unsigned long most, int ignored)
{
	struct hardship h = kith_ease;

	h.limit = which;
	h.most = most;
	h.ignored = ignored;
	try(c, &h);
}

static void
try_limits(const struct call *c)
{
	for (unsigned long kb = 20000; kb <= 700000; kb += 40000)
		limit(c, RLIMIT_AS, kb << 10, 0);
	for (unsigned long most = 0; most <= 4096; most = 8 * most + 1) {
		limit(c, RLIMIT_FSIZE, most, 0);
		limit(c, RLIMIT_FSIZE, most, SIGXFSZ);
	}
	for (unsigned long most = 3; most <= 10; most++)
		limit(c, RLIMIT_NOFILE, most, 0);
	for (unsigned long kb = 256; kb <= 4096; kb *= 2)
		limit(c, RLIMIT_STACK, kb << 10, 0);
}

/* Whether nobody may use the shim: not where it is in a folder of root alone, as /root. */
static bool
nobody_can_call(void)
{
	bool can;

	if (geteuid() != 0 || setegid(NOBODY) || seteuid(NOBODY))
		return false;
	can = faccessat(AT_FDCWD, kith_shim, R_OK, AT_EACCESS) == 0;
	if (seteuid(0) || setegid(0))
		exit(2);
	return can;
}

static void
try_descriptors(const struct call *c)
{
	struct hardship h = kith_ease;

	for (h.closed = 1; h.closed < 8; h.closed++)
		if (!c->input || !(h.closed & 1))
			try(c, &h);
	h.closed = 0;
	h.output = TO_FULL;
	try(c, &h);
	h.output = TO_NOBODY;
	try(c, &h);
	h.ignored = SIGPIPE;
	try(c, &h);
	h = kith_ease;
	h.to_fifos = true;
	try(c, &h);
	h.to_fifos = false;
	h.walled = nobody_can_call();
	try(c, &h);
}

/* One more failing call for this pair; false: it has come to its end. */
static bool
fail_at(const struct call *c, size_t f, unsigned long at)
{
	struct hardship h = kith_ease;

	h.fault = fault[f].function;
	h.why = fault[f].why;
	h.lasting = fault[f].lasting;
	h.at = at;
	try(c, &h);
	return atomic_load(&kith_seen->failed) > 0;
}

/* From number `from` on; returns that at which time was over. */
static unsigned long
try_faults(unsigned long from)
{
	static bool done[CALLS][FAULTS];
	unsigned long at;

	for (at = from; ended < calls * FAULTS; at++)
		for (size_t f = 0; f < FAULTS; f++)
			for (size_t i = 0; i < calls; i++) {
				if (done[i][f])
					continue;
				if (now() > until)
					return at;
				done[i][f] = !fail_at(&call[i], f, at);
				ended += done[i][f];
			}
	return at;
}

static void
try_signals(uint64_t seed)
{
	static const int sig[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGPIPE};
	struct hardship h = kith_ease;
	struct kith_rng rng;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	for (int k = 0; k < KILLS; k++)
		for (size_t i = 0; i < calls && now() < until; i++) {
			h.sent = sig[kith_rng_below(&rng, 6)];
			h.after = 1.2 * call[i].seconds * kith_rng_unit(&rng);
			try(&call[i], &h);
		}
}

static void
try_full(void)
{
	struct hardship h = kith_ease;

	for (size_t i = 0; i < calls; i++)
		for (h.left = 0; h.left <= 10L * 4096; h.left += 4096)
			if (now() < until)
				try(&call[i], &h);
}

/* What the shim counts is mapped here, too. */
static void
map_seen(void)
{
	const int fd = open("seen", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char path[1 << 12];

	if (fd < 0 || ftruncate(fd, sizeof(*kith_seen)) || !getcwd(path, sizeof(path)))
		die("seen", strerror(errno));
	kith_seen = mmap(NULL, sizeof(*kith_seen), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (kith_seen == MAP_FAILED)
		die("seen", strerror(errno));
	snprintf(path + strlen(path), sizeof(path) - strlen(path), "/seen");
	setenv("KITH_FAULT_SEEN", path, 1);
	close(fd);
}

int
main(int argc, char *argv[])
{
	sigset_t set;
	double minutes;
	unsigned long at = 0;

	if (argc < 7)
		die("usage", "torture CALLS SHIM SEED MINUTES I N [full|FROM]");
	kith_shim = argv[2];
	minutes = strtod(argv[4], NULL);
	until = now() + 60 * minutes;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	read_calls(argv[1], strtoul(argv[5], NULL, 10), strtoul(argv[6], NULL, 10));
	map_seen();
	for (size_t i = 0; i < calls; i++)
		try_well(&call[i]);
	if (argc > 7 && strcmp(argv[7], "full") != 0) {
		at = try_faults(strtoul(argv[7], NULL, 10));
	} else if (argc > 7) {
		try_full();
	} else {
		for (size_t i = 0; i < calls && now() < until; i++) {
			try_limits(&call[i]);
			try_descriptors(&call[i]);
		}
		until -= 60 * minutes / 4;
		at = try_faults(1);
		until += 60 * minutes / 4;
		try_signals(strtoull(argv[3], NULL, 10));
	}
	printf("tried %zu found %zu ended %zu of %zu at %lu\n", tried, found, ended,
	    at > 0 ? calls * FAULTS : 0, at);
	return found > 0;
}
