/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/names.h. */
#include "base/names.h"

#include "base/pool.h"
#include "tap.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N ((size_t)1000)

static void
test_index(struct kith_pool *pool)
{
	char text[N][8], *name[N], a[] = "a", b[] = "b";
	char *twins[] = {a, b, b, a};
	struct kith_names names;
	size_t found = 0;

	for (size_t i = 0; i < N; i++) {
		snprintf(text[i], sizeof(text[i]), "V%zu", i);
		name[i] = text[i];
	}
	is_size(kith_names_index(&names, name, N, pool), N, "all differ");
	for (size_t i = 0; i < N; i++)
		found += kith_names_find(&names, name[i]) == i;
	is_size(found, N, "each is found");
	is_size(kith_names_find(&names, "V01"), N, "another is not");
	is_size(kith_names_find(&names, ""), N, "nor is the empty one");

	is_size(kith_names_index(&names, twins, 4, pool), 2, "first twin");
	is_size(kith_names_index(&names, twins, 0, pool), 0, "no names");
	is_size(kith_names_find(&names, "a"), 0, "of which none is found");
}

static void
test_add(struct kith_pool *pool)
{
	struct kith_names names = {0};
	size_t right = 0;
	char text[8];

	is_size(kith_names_find(&names, "a"), 0, "nothing is in nothing");
	for (size_t i = 0; i < 3 * N; i++) {
		snprintf(text, sizeof(text), "c%zu", i * 7 % N);
		right += kith_names_add(&names, text, pool) == (i < N ? i : i - i / N * N);
	}
	is_size(right, 3 * N, "a name is added once");
	is_size(names.n, N, "so there are as many");
	is_text(names.name[2], "c14", "each a copy");
}

static void
test_sort(struct kith_pool *pool)
{
	static const char *const by_bytes[] = {
	    "", "1", "1.0", "10", "2", "A", "B", "a", "\xc3\xa4"};
	static const size_t came[] = {5, 3, 8, 0, 7, 1, 2, 6, 4};
	struct kith_names names = {0};
	struct kith_pool other = {0};
	size_t *rank, right = 0;
	char text[8];

	for (size_t i = 0; i < 9; i++)
		for (size_t k = 0; k < 9; k++)
			if (came[k] == i)
				kith_names_add(&names, by_bytes[k], pool);
	rank = kith_names_sort(&names, &other);
	for (size_t i = 0; i < 9; i++)
		right += strcmp(names.name[i], by_bytes[i]) == 0 && rank[came[i]] == i &&
		    kith_names_find(&names, by_bytes[i]) == i;
	is_size(right, 9, "names in the order of their bytes");
	kith_pool_free(&other);
	for (size_t i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "%zux", i);
		kith_names_add(&names, text, pool);
	}
	is_size(kith_names_find(&names, "77x"), 9 + 77, "they can grow on");
}

/* The name among others that is nearest to a word, or "". */
static const char *
nearest(const char *word)
{
	static const char *const name[] = {
	    "class", "Class2", "malic_acid", "ab", "colour", "color"};
	const char *best = "";
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++)
		if (kith_names_nearer(word, name[i], &least))
			best = name[i];
	return best;
}

static void
test_nearer(void)
{
	static const char *const pair[][2] = {{"classs", "class"}, {"clas", "class"},
	    {"CLASS", "class"}, {"class2", "Class2"}, {"acid", "malic_acid"}, {"AB", "ab"},
	    {"ac", ""}, {"", ""}, {"colors", "color"}, {"colours", "colour"}, {"xyz", ""},
	    {"malicacids", "malic_acid"}, {"lic", "malic_acid"}};
	char name[100], other[61];
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < sizeof(pair) / sizeof(*pair); i++)
		is_text(nearest(pair[i][0]), pair[i][1], pair[i][0]);
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ok(kith_names_nearer(name, name, &least) && least <= 1, "a long name");
	ok(!kith_names_nearer("b", name, &least), "not a far one");
	snprintf(other, sizeof(other), "x%.59s", name);
	least = SIZE_MAX;
	ok(kith_names_nearer(name, other, &least) && least == 1, "of it the first 60 bytes");
}

int
main(void)
{
	struct kith_pool pool = {0};

	test_index(&pool);
	test_add(&pool);
	test_sort(&pool);
	kith_pool_free(&pool);
	test_nearer();
	return done();
}
