/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost/cost.h"

#include "cli/cli.h"
#include "cost/usage.h"
#include "text/out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double MEGABYTE = 1024. * 1024.;

/* Bytes that every command takes for its output, and the libraries' own. */
static const double OUTPUT = .3 * 1024 * 1024;

void
kith_cost_add(struct kith_cost *cost, double seconds)
{
	kith_cost_range(cost, seconds, seconds);
}

void
kith_cost_range(struct kith_cost *cost, double low, double high)
{
	cost->low += low;
	cost->high += high;
}

void
kith_cost_alone(struct kith_cost *cost, double low, double high)
{
	cost->low_own += low;
	cost->high_own += high;
}

void
kith_cost_hold(struct kith_cost *cost, double bytes)
{
	cost->bytes += bytes;
	cost->most_bytes += bytes;
}

void
kith_cost_times(struct kith_cost *cost, double times)
{
	cost->low *= times;
	cost->high *= times;
	cost->low_own *= times;
	cost->high_own *= times;
}

/* A number of two digits, upwards of what the clock can tell. */
static double
rounded(double x)
{
	char text[32];

	if (!(x > .001))
		return .001;
	snprintf(text, sizeof(text), "%.1e", fmin(x, 1e99));
	return strtod(text, NULL);
}

static void
write_size(struct kith_out *out, const char *name, size_t n)
{
	if (n > 0)
		kith_out_put(out, "%s\t%zu\t%zu\n", name, n, n);
}

/* Threads that work at once on this machine. */
static double
threads_of(const struct kith_cost *cost)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	const double threads = fmax((double)cost->threads, 1);

	return cores > 0 ? fmin(threads, (double)cores) : threads;
}

/* Megabytes, the largest of what was held and will be; a whole number. */
static double
megabytes(double most, double held, double more)
{
	return ceil(fmax(most, held + more + OUTPUT) / MEGABYTE);
}

static int
write_table(const struct kith_cost *cost, const double bytes[2], const double seconds[2],
    struct kith_out *out, struct kith_err *err)
{
	static const char *const column[] = {"quantity", "low", "high"};

	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	kith_out_header(out, column, 3);
	write_size(out, "rows", cost->rows);
	write_size(out, "features", cost->features);
	write_size(out, "queries", cost->queries);
	write_size(out, "classes", cost->classes);
	write_size(out, "k", cost->k);
	kith_out_put(out, "%s\t%g\t%g\n", "megabytes", bytes[0], bytes[1]);
	kith_out_put(out, "%s\t%g\t%g\n", "seconds", rounded(seconds[0]), rounded(seconds[1]));
	return 0;
}

void
kith_cost_as_reading(struct kith_cost *cost, double low, double high)
{
	const double read = kith_usage_seconds();

	kith_cost_alone(cost, low * read, high * read);
}

int
kith_cost_write(const struct kith_cost *cost, kith_cost_speed_of *speed_of, struct kith_out *out,
    struct kith_err *err)
{
	const double most = kith_usage_most(), held = kith_usage_bytes();
	const double read = kith_usage_seconds(), threads = threads_of(cost);
	const double speed = speed_of ? speed_of() : 1;
	const double bytes[] = {
	    megabytes(most, held, cost->bytes), megabytes(most, held, cost->most_bytes)};
	const double seconds[] = {read + speed * (cost->low_own + cost->low / threads),
	    read + speed * (cost->high_own + cost->high / threads)};

	return write_table(cost, bytes, seconds, out, err);
}
