/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of cmd/common/warn.h: rows outside of a range, by plain loops over all numbers; columns
 * that are constant or not divided.  What is said of scales, classes and weights is in warnings.t.
 */
#include "common/warn.h"

#include "base/pool.h"
#include "base/rng.h"
#include "cli/cli.h"
#include "near/knn.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Stands in place of that of cli. */
struct kith_run kith_run;

/* What the functions below were given: a line each, with "warning: " or "log: " before it. */
static char said_text[4000];

static void
add_line(const char *fmt, ...)
{
	const size_t used = strlen(said_text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said_text + used, sizeof(said_text) - used, fmt, ap);
	va_end(ap);
}

/* All since the last call. */
static const char *
said(void)
{
	static char last[sizeof(said_text)];

	memcpy(last, said_text, sizeof(last));
	*said_text = '\0';
	return last;
}

static void
add_remark(enum kith_remark_kind kind, const struct kith_err *remark)
{
	add_line("%s: %s\n", kind == KITH_WARNING ? "warning" : "message", remark->msg);
}

/* The log stands in place of that of cli, too. */

void
kith_log_text(const char *key, const char *value)
{
	add_line("log: %s %s\n", key, value);
}

void
kith_log_real(const char *key, double value)
{
	add_line("log: %s %g\n", key, value);
}

/* No test comes here. */
void
kith_log_line(const char *key, const char *format, ...)
{
	add_line("log: %s %s\n", key, format);
}

enum { P = 4, MOST = 2600 };

static struct kith_pool pool;
static double v[MOST * P], z[MOST * P];
static char name_text[P][8];
static char *name[P];

static struct kith_table
table(size_t n, size_t p, double *x, const char *file)
{
	return (struct kith_table){.file = file, .X = {n, p, x}, .feature = {.name = name, .n = p}};
}

static double
draw(struct kith_rng *rng)
{
	return kith_rng_unit(rng);
}

/* What is due of rows asked: 0, or 1 and the worst column, and its rows. */
static int
due_outside(size_t n, size_t m, size_t p, size_t *worst, size_t *out)
{
	size_t features = 0, half = 0, by_one = 0, best[3] = {0};
	bool far = false;

	for (size_t j = 0; j < p; j++) {
		double least = INFINITY, most = -INFINITY, R;
		size_t o[3] = {0}; /* by ten ranges, by one, at all */

		for (size_t i = 0; i < n; i++) {
			least = fmin(least, v[i * p + j]);
			most = fmax(most, v[i * p + j]);
		}
		R = most - least;
		if (!(R > 0))
			continue;
		for (size_t i = 0; i < m; i++) {
			const double off = fmax(least - z[i * p + j], z[i * p + j] - most);

			o[0] += off > 10 * R;
			o[1] += off > R;
			o[2] += off > 0;
		}
		features++;
		half += 2 * o[2] > m;
		by_one += o[1];
		far = far || 2 * o[0] > m;
		if (o[0] != best[0]       ? o[0] > best[0]
			: o[1] != best[1] ? o[1] > best[1]
					  : o[2] > best[2]) {
			memcpy(best, o, sizeof(o));
			*worst = j;
			*out = o[2];
		}
	}
	return features && n >= 10 && m > 0 &&
	    ((far && m >= 10) || 2 * by_one > m * features ||
		(2 * half >= features && n >= 20 && m >= 20));
}

/* Draw tables, some of whose columns are moved, and compare; what was due. */
static size_t
test_outside(size_t n, size_t m, size_t p, struct kith_rng *rng)
{
	const struct kith_table known = table(n, p, v, "known");
	const struct kith_table asked = table(m, p, z, "asked");
	size_t worst = 0, out = 0;
	const double by[] = {0, 0, .4, .6, 1.4, 1.6, 10.4, 10.6};
	int due;
	char text[120];
	const char *got;

	for (size_t j = 0; j < p; j++) {
		const double off = by[kith_rng_below(rng, 8)] * (kith_rng_below(rng, 2) ? -1 : 1);
		const bool constant = kith_rng_below(rng, 6) == 0;

		for (size_t i = 0; i < n; i++)
			v[i * p + j] = constant ? .5 : draw(rng);
		for (size_t i = 0; i < m; i++)
			z[i * p + j] = off + draw(rng);
	}
	due = due_outside(n, m, p, &worst, &out);
	kith_warn_outside(&known, &asked);
	got = said();
	snprintf(text, sizeof(text),
	    "warning: asked: column \"%s\": %zu of %zu rows are outside of the "
	    "range in known, ",
	    name[worst], out, m);
	if (due ? strncmp(got, text, strlen(text)) != 0 : *got != '\0')
		ok(false, "%zu, %zu, %zu: '%s' due '%s'", n, m, p, got, due ? text : "");
	return (size_t)due;
}

static void
test_all_outside(void)
{
	static const size_t rows[] = {9, 10, 19, 20, 60, 1000, 1999, MOST};
	static const size_t few[] = {1, 9, 10, 19, 20, 33};
	struct kith_rng rng;
	size_t due = 0, all = 0;

	kith_rng_seed(&rng, 2, KITH_RNG_SAMPLE, 0);
	for (size_t r = 0; r < 8; r++)
		for (size_t m = 0; m < 6; m++)
			for (size_t p = 1; p <= 4; p++)
				for (size_t k = 0; k < (r < 5 ? 12 : 1); k++) {
					due += test_outside(rows[r], few[m], p, &rng);
					all++;
				}
	ok(due > all / 4 && due < all * 3 / 4,
	    "%zu of %zu tables are warned of, those that are to be", due, all);
}

static void
test_undivided(void)
{
	char one[] = "a", text[] = "b c", due[100];
	char *both[] = {text, one}, *plain[] = {one};

	ok(!kith_warn_undivided("f", &(struct kith_names){.name = both, .n = 2}), "two columns");
	ok(!kith_warn_undivided("f", &(struct kith_names){.name = plain, .n = 1}),
	    "one of a plain name");
	is_text(said(), "", "nothing is said");
	for (const char *by = " \t|:;,/~^&"; *by; by++) {
		text[1] = *by;
		snprintf(due, sizeof(due), "warning: f: one column only: \"%s\" (-d?)\n", text);
		kith_warn_undivided("f", &(struct kith_names){.name = both, .n = 1});
		is_text(said(), due, "one of a divided name");
	}
}

static void
test_constant(void)
{
	static const struct {
		size_t n; /* so many of the first four columns are constant */
		const char *effect, *due;
	} all[] = {{0, "left out", ""}, {1, NULL, "warning: column \"a\" is constant\n"},
	    {2, "left out", "warning: columns \"a\" and \"b\" are constant: left out\n"},
	    {3, NULL, "warning: 3 columns are constant: \"a\", \"b\", \"c\"\n"},
	    {4, "left out",
		"warning: 4 columns are constant: left out: \"a\", \"b\", \"c\", ...\n"}};
	const struct kith_names four = {.name = name, .n = 4};
	bool flag[4] = {false};

	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++) {
		for (size_t j = 0; j < all[k].n; j++)
			flag[j] = true;
		kith_warn_constant(&four, flag, all[k].effect);
		is_text(said(), all[k].due, "constant columns");
	}
}

static void
test_search(void)
{
	kith_log_search(&(struct kith_knn_choice){"tree", NAN});
	is_text(said(), "log: search tree\n", "a search");
	kith_log_search(&(struct kith_knn_choice){"leaves", .5});
	is_text(said(), "log: search leaves\nlog: leaves over products 0.5\n", "and its cost");
	kith_log_search(&(struct kith_knn_choice){NULL, 1});
	is_text(said(), "", "no search");
}

int
main(void)
{
	kith_on_remark = add_remark;
	for (size_t j = 0; j < P; j++) {
		snprintf(name_text[j], sizeof(name_text[j]), "%c", (char)('a' + j));
		name[j] = name_text[j];
	}
	test_all_outside();
	test_undivided();
	test_constant();
	test_search();
	kith_pool_free(&pool);
	return done();
}
