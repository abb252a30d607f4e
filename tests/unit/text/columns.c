/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/text/columns.h. */
#include "text/columns.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "scratch.h"
#include "tap.h"
#include "text/rows.h"

#include <string.h>

/* clang-format off */
static const char *const names[] = {
	"a", "b", "2", "x:y", "1:3", "@f", "with, comma", "-1", "# d", "\"q\""
};
static const struct { const char *list, *due; } right[] = {
	{"a", "0"}, {"b,a", "1 0"}, {" a , b ", "0 1"}, {"a,9", "0 8"},
	/* a name before a number, a number before a range */
	{"2", "2"}, {"3", "2"}, {"-1", "7"}, {"-2", "8"}, {"-10", "0"},
	{"x:y", "3"}, {"1:3", "4"}, {"1:4", "0 1 2 3"}, {"1:4,3", "0 1 2 3"}, {"a:b", "0 1"},
	{"a:x:y", "0 1 2 3"}, {"2:x:y", "2 3"}, {"a:-8", "0 1 2"}, {"-8:x:y", "2 3"}, {"-3:-2", "7 8"},
	{"9:-1", "8 9"}, {"7:7", "6"}, {"a,2:3,-2", "0 1 2 8"},
	{"@f", "5"}, {"@@f", "5"}, {"\"with, comma\",a", "6 0"}, {"\"!with, comma\",!10", "0 1 2 3 4 5 7 8"}, {"\"9\"", "8"},
	{"# d,a", "8 0"}, {"\"\"\"q\"\"\",b", "9 1"}, {"01", "0"}
};
static const struct { const char *list, *message; } wrong[] = {
	{"c", "column \"c\": not found"}, {"0", "column \"0\": not found"},
	{"11", "column \"11\": not found"}, {"-11", "column \"-11\": not found (\"-1\"?)"},
	{"+1", "column \"+1\": not found"}, {"", "column \"\": not found"},
	{"a,,b", "column \"\": not found"}, {"a,", "column \"\": not found"},
	{"A", "column \"A\": not found (\"a\"?)"}, {"--1", "column \"--1\": not found (\"-1\"?)"},
	{"a,a", "column \"a\": named twice"}, {"a,b:2,a", "column \"a\": named twice"},
	{"1,a", "column \"a\": named twice"},
	{"3:11", "column \"3:11\": not found"},
	{"0:3", "column \"0:3\": not found (\"1:3\"?)"}, {":3", "column \":3\": not found"},
	{"3:", "column \"3:\": not found"}, {"3:4:5", "column \"3:4:5\": not found"},
	{"a:c", "column \"a:c\": not found"}, {"a:", "column \"a:\": not found"},
	{"b:a", "column \"b:a\": ends before it starts"}, {"-1:2", "column \"-1:2\": ends before it starts"},
	{"5:4", "column \"5:4\": ends before it starts"}, {"@@g", "column \"@g\": not found"},
	{"c@@", "column \"c@@\": not found"},
	{"c*", "column \"c*\": not found"}, {"!c*", "column \"c*\": not found"},
	{"!c", "column \"c\": not found"}, {"!", "column \"\": not found"},
	{"a,!", "column \"\": not found"}, {"!!a", "column \"!a\": not found"},
	{"[a", "column \"[a\": not found"}, {"!11", "column \"11\": not found"},
	{"a:b:c", "column \"a:b:c\": not found"}, {"!b:a", "column \"b:a\": ends before it starts"},
	{"with, comma", "column \"with\": not found ('\"with, comma\"' in a list?)"},
	{"a,!\"with, comma\"", "column \"\"with\": not found ('\"!with, comma\"' in a list?)"},
	{"a,!a", "columns \"a,!a\": none is left"}
};
/* Of names that look like patterns, ranges and exclusions. */
static const char *const odd_names[] = {
	"x", "g_1", "g_2", "!x", "g*", "id", "a:b", "b", "a", "[x]", "score:a", "3", "1"
};
static const struct { const char *list, *due; } odd[] = {
	{"g_*", "1 2"}, {"g*", "4"}, {"g\\*", "4"}, {"g?[!2]", "1"}, {"g_*,g_1", "1 2"},
	{"g_2,g_*", "2 1"}, {"g_2,g_1:id", "2 1 3 4 5"}, {"?:b", "6"}, {"score:*", "10"},
	{"!x", "3"}, {"!x,!!x,x", "0"}, {"x,!!x", "0"}, {"!g_*", "0 3 4 5 6 7 8 9 10 11 12"},
	{"!b:-1,!id", "0 1 2 3 4 6"}, {"[x]", "9"}, {"\\[x\\]", "9"}, {"[x]*", "0"},
	{"a:b:b", "6 7"}, {"g_1:a:b", "1 2 3 4 5 6"}, {"x:a:b", "0 1 2 3 4 5 6"},
	{"x:b,!g_*,!a:b", "0 3 4 5 7"}, {"x:3", "0 1 2 3 4 5 6 7 8 9 10 11"},
	{"3:1", "11 12"}, {"5:6", "4 5"}, {"2:-11", "1 2"}, {"b:-1", "7 8 9 10 11 12"},
	{"g_1,g_2,!g_*,g_2", "2"}, {"*,!?,!??", "1 2 6 9 10"}, {"!1,!3,!?", "1 2 3 4 5 6 9 10"},
	{"g_*,!x:a", ""}, {"!-1,!?,!?[*x]*", "1 2 5 6 10"}
};
/* clang-format on */

static struct kith_names all;
static struct kith_pool pool;

static long
columns(const char *list, size_t **column, struct kith_err *err)
{
	return kith_columns(&(struct kith_rows){.name = all, .first = "table", .head = 3}, list,
	    NULL, column, &pool, err);
}

/* Check a list against its columns in words, "" for any failure; taken: some are. */
static void
check(const char *list, const bool *taken, const char *due)
{
	char got[200] = "";
	struct kith_err err;
	size_t *column, at = 0;
	const long n = taken
	    ? kith_columns(&(struct kith_rows){.name = all, .first = "table", .head = 3}, list,
		  taken, &column, &pool, &err)
	    : columns(list, &column, &err);

	for (long i = 0; i < n; i++)
		at += (size_t)snprintf(
		    got + at, sizeof(got) - at, "%s%zu", i ? " " : "", column[i]);
	is_text(got, due, list);
}

static void
check_wrong(const char *list, int status, const char *message)
{
	struct kith_err err = {0};
	size_t *column;
	const long n = columns(list, &column, &err);

	ok(n == -1 && err.status == status, "'%.60s' fails with %d", list, status);
	is_text(err.msg, message, "its message");
	if (status == EX_DATAERR && strchr(message, '"'))
		ok(err.line == 3 && strcmp(err.file, "table") == 0, "which says where");
}

/*
 * What patterns and exclusions leave, where some columns are taken; those may be
 * named, and be in a range.
 */
static void
test_beside(void)
{
	static const struct {
		const char *list, *due;
	} of[] = {{"g_*", "2"}, {"*", "0 2 3 4 6 7 8 9 10 11 12"}, {"!x", "3"},
	    {"!!x", "0 2 4 6 7 8 9 10 11 12"}, {"id,g_1", "5 1"}, {"g_1:b", "1 2 3 4 5 6 7"},
	    {"!3:1,!id", "0 2 3 4 6 7 8 9 10"}};
	bool taken[13] = {[1] = true, [5] = true};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		check(of[i].list, taken, of[i].due);
}

/* A list of names, and what the columns of these names are. */
static void
take_names(const char *const *from, size_t n)
{
	static char *name[20];

	for (size_t i = 0; i < n; i++)
		name[i] = kith_strndup(&pool, from[i], strlen(from[i]));
	kith_names_index(&all, name, n, &pool);
}

static void
test_file(void)
{
	const char *file = scratch_text(0, " b \n\"with, comma\" \n2\n");
	char list[100], twice[100];

	snprintf(list, sizeof(list), "a,@%s,9", file);
	check(list, NULL, "0 1 6 2 8");
	snprintf(twice, sizeof(twice), "b,@%s", file);
	check_wrong(twice, EX_DATAERR, "column \"b\": named twice");
	snprintf(twice, sizeof(twice), "*,!@%s,!9", file);
	check(twice, NULL, "0 3 4 5 7 9");
	snprintf(twice, sizeof(twice), "!@%s,!a:b", file);
	check(twice, NULL, "3 4 5 7 8 9");
	snprintf(twice, sizeof(twice), "a:2,@%s", file);
	check(twice, NULL, "0 1 2 6");
	scratch_text(0, "a\n9\n");
	check_wrong(list, EX_DATAERR, "column \"a\": named twice");
	check_wrong(list + 2, EX_DATAERR, "column \"9\": not found");
	scratch_text(0, "a\n\nb\n");
	check_wrong(list + 2, EX_DATAERR, "blank line");
	scratch_text(0, "");
	check_wrong(list + 2, EX_DATAERR, "empty: it names no column");
	scratch_text(0, "\n");
	check_wrong(list + 2, EX_DATAERR, "empty: it names no column");
	check_wrong("@/nowhere/at/all", EX_NOINPUT, "No such file or directory");
}

static void
test_many(void)
{
	enum { MANY = 100000 };
	char(*text)[8] = kith_new(&pool, MANY, sizeof(*text));
	char **name = kith_new(&pool, MANY, sizeof(*name));
	size_t *column, in_order = 0;
	struct kith_names many;
	struct kith_err err;

	for (size_t i = 0; i < MANY; i++)
		snprintf(name[i] = text[i], sizeof(*text), "c%zu", i);
	kith_names_index(&many, name, MANY, &pool);
	is_size((size_t)kith_columns(&(struct kith_rows){.name = many, .first = "f", .head = 1},
		    "2:-1,c0", NULL, &column, &pool, &err),
	    MANY, "a range of many columns, and one");
	for (size_t i = 0; i < MANY; i++)
		in_order += column[i] == (i + 1) % MANY;
	is_size(in_order, MANY, "in their order");
}

int
main(void)
{
	struct kith_err err;
	size_t *column;

	take_names(names, sizeof(names) / sizeof(*names));
	is_size(kith_column(&all, "b"), 1, "a name");
	is_size(kith_column(&all, "2"), 2, "a name that is a number");
	is_size(kith_column(&all, "1"), 0, "a number");
	is_size(kith_column(&all, "-10"), 0, "a number from the end");
	is_size(kith_column(&all, "1:4"), 10, "a range is no column");
	is_size(kith_column(&all, "0"), 10, "nor is 0");
	is_size(kith_column(&all, "-0"), 10, "nor -0");
	for (size_t i = 0; i < sizeof(right) / sizeof(*right); i++)
		check(right[i].list, NULL, right[i].due);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		check_wrong(wrong[i].list, EX_DATAERR, wrong[i].message);
	check_wrong("a\nb", KITH_EX_USAGE, "more than one line");
	check_wrong("\"a", KITH_EX_USAGE, "quoted cell without end");
	test_file();
	check("@f:-1", NULL, "5 6 7");
	is_size((size_t)columns(kith_columns_all, &column, &err), 10, "all");
	take_names(odd_names, sizeof(odd_names) / sizeof(*odd_names));
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		check(odd[i].list, NULL, odd[i].due);
	test_beside();
	test_many();
	kith_pool_free(&pool);
	return done();
}
