/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/trial.h. */
#include "table/trial.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "table/table.h"
#include "tap.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 200, CASES = 300 };

struct deal {
	size_t n, c, parts;
	size_t y[MOST], shares[MOST], part[MOST];
	uint64_t seed;
};

/* A random deal, its shares equal or not. */
static void
draw(struct deal *d, uint64_t seed)
{
	struct kith_rng r;
	size_t same;

	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 7);
	d->seed = seed;
	d->n = 1 + kith_rng_below(&r, MOST);
	d->c = 1 + kith_rng_below(&r, 5);
	d->parts = 1 + kith_rng_below(&r, 12);
	same = kith_rng_below(&r, 2) ? 1 + kith_rng_below(&r, 3) : 0;
	for (size_t i = 0; i < d->n; i++)
		d->y[i] = kith_rng_below(&r, d->c);
	for (size_t i = 0; i < d->parts; i++)
		d->shares[i] = same ? same : 1 + kith_rng_below(&r, 9);
	kith_fold_deal(d->y, d->n, d->c, d->shares, d->parts, seed, d->part);
}

/* The part that lacks most, with t rows dealt, as the header has it. */
static size_t
neediest(const struct deal *d, const size_t *count, size_t t)
{
	size_t sum = 0, best = 0;
	long most = 0;

	for (size_t i = 0; i < d->parts; i++)
		sum += d->shares[i];
	for (size_t i = 0; i < d->parts; i++) {
		const long lack = (long)(d->shares[i] * (t + 1)) - (long)(count[i] * sum);

		if (i == 0 || lack > most) {
			most = lack;
			best = i;
		}
	}
	return best;
}

/* How many rows are not where the definition deals them. */
static size_t
differs(const struct deal *d)
{
	size_t count[MOST] = {0}, t = 0, wrong = 0;

	for (size_t h = 0; h < d->c; h++) {
		size_t row[MOST], m = 0;
		struct kith_rng r;

		for (size_t i = 0; i < d->n; i++)
			if (d->y[i] == h)
				row[m++] = i;
		kith_rng_seed(&r, d->seed, KITH_RNG_FOLD, h);
		kith_rng_shuffle(&r, row, m);
		for (size_t i = 0; i < m; i++, t++) {
			const size_t best = neediest(d, count, t);

			count[best]++;
			wrong += d->part[row[i]] != best;
		}
	}
	return wrong;
}

static void
test_oracle(void)
{
	size_t wrong = 0;

	for (uint64_t seed = 0; seed < CASES; seed++) {
		struct deal d;

		draw(&d, seed);
		wrong += differs(&d);
	}
	is_size(wrong, 0, "every row is where the definition deals it");
}

static void
test_plain(void)
{
	static const size_t one[MOST], shares[] = {2, 1, 1}, large[] = {KITH_FOLD_SHARES - 1, 1};
	size_t a[MOST], b[MOST], count[3] = {0}, small = 0;

	kith_fold_deal(NULL, MOST, 5, shares, 3, 1, a);
	kith_fold_deal(one, MOST, 3, shares, 3, 1, b);
	ok(memcmp(a, b, sizeof(a)) == 0, "no classes are one class, and those without rows none");
	for (size_t i = 0; i < MOST; i++)
		count[a[i]]++;
	ok(count[0] == MOST / 2 && count[1] == MOST / 4 && count[2] == MOST / 4, "shares 2:1:1");
	kith_fold_deal(NULL, MOST, 1, shares, 3, 2, b);
	ok(memcmp(a, b, sizeof(a)) != 0, "another seed deals otherwise");
	kith_fold_deal(NULL, 0, 1, shares, 3, 1, a);
	kith_fold_deal(NULL, MOST, 1, large, 2, 1, a);
	for (size_t i = 0; i < MOST; i++)
		small += a[i];
	is_size(small, 0, "a small share gets nothing of few rows");
}

/* How many groups are in two parts, parts have no row, or groups are not where the sum is least. */
static size_t
wrong_groups(const struct deal *d, const size_t *group, size_t groups)
{
	size_t wrong = 0, rows[MOST] = {0}, of[MOST];

	for (size_t i = 0; i < d->n; i++) {
		rows[d->part[i]]++;
		of[group[i]] = d->part[i];
	}
	for (size_t i = 0; i < d->n; i++)
		wrong += of[group[i]] != d->part[i];
	for (size_t f = 0; f < d->parts; f++)
		wrong += rows[f] == 0;
	return wrong + (groups < d->parts);
}

/* Deals the groups of rows of classes y; returns whether that failed. */
static size_t
deal_groups(struct deal *d, const size_t *y, const size_t *group, size_t groups)
{
	const struct kith_fold_rows rows = {
	    .n = d->n, .c = d->c, .y = y, .group = group, .groups = groups};
	struct kith_err err;

	return kith_fold_deal_rows(&rows, NULL, d->parts, d->seed, d->part, &err) != 0;
}

static void
test_groups(void)
{
	static const size_t y[] = {0, 0, 0, 0, 1, 1, 0, 1}, of[] = {0, 0, 0, 1, 1, 2, 2, 3};
	size_t wrong = 0, moved = 0, group[MOST], part[MOST], back[MOST], y_back[MOST];
	struct deal d;

	for (uint64_t seed = 0; seed < CASES; seed++) {
		size_t groups;

		draw(&d, seed);
		groups = 1 + (d.n - 1) / 3;
		d.parts = 1 + (size_t)seed % groups;
		for (size_t i = 0; i < d.n; i++)
			group[i] = (d.n - 1 - i) / 3;
		wrong += deal_groups(&d, d.y, group, groups);
		wrong += wrong_groups(&d, group, groups);
		memcpy(part, d.part, sizeof(part));
		for (size_t i = 0; i < d.n; i++) {
			back[d.n - 1 - i] = group[i];
			y_back[d.n - 1 - i] = d.y[i];
		}
		wrong += deal_groups(&d, y_back, back, groups);
		for (size_t i = 0; i < d.n; i++)
			moved += d.part[d.n - 1 - i] != part[i];
	}
	is_size(wrong, 0, "a group is in one part, and each part has one");
	is_size(moved, 0, "the order of the rows does not matter");
	/* Sizes 3, 2, 2, 1: group 0 to part 0, 1 and 2 to part 1 (its classes), 3 to part 0. */
	d = (struct deal){.n = 8, .c = 2, .parts = 2, .seed = 1};
	wrong = deal_groups(&d, y, of, 4);
	memcpy(part, d.part, sizeof(part));
	ok(wrong == 0 && part[0] != part[3] && part[0] == part[1] && part[1] == part[2],
	    "the largest group has a part of its own first");
	ok(part[3] != part[5] || part[7] != part[3], "parts are alike in size and classes");
}

/* Parts are dealt as of the whole table, rows that are left out too. */
static void
test_parts(void)
{
	enum { N = 9 };
	size_t all[N] = {0, 1, 0, 1, 1, 0, 1, 0, 1}, number[] = {2, 5, 6, 9};
	size_t y[4], due[N], part[4];
	struct kith_table t = {.file = "f",
	    .X = {.n = 4},
	    .y = y,
	    .read_y = all,
	    .class = {.n = 2},
	    .number = number,
	    .read = N};
	struct kith_err err;
	size_t good = 0;

	for (size_t i = 0; i < 4; i++)
		y[i] = all[number[i] - 1];
	kith_fold_deal(all, N, 2, NULL, 3, 7, due);
	ok(!kith_fold_deal_table(&t, 3, 7, part, &err), "deal");
	for (size_t i = 0; i < 4; i++)
		good += part[i] == due[number[i] - 1];
	is_size(good, 4, "as rows of the whole");
	t.y = t.read_y = NULL;
	kith_fold_deal(NULL, N, 1, NULL, 3, 7, due);
	ok(!kith_fold_deal_table(&t, 3, 7, part, &err), "without classes");
	good = 0;
	for (size_t i = 0; i < 4; i++)
		good += part[i] == due[number[i] - 1];
	is_size(good, 4, "as one class");
	ok(!kith_fold_deal_table(&t, N, 7, part, &err), "as many parts as rows");
	ok(kith_fold_deal_table(&t, N + 1, 7, part, &err) < 0, "more");
	is_text(err.msg, "--cv 10: only 9 rows", "said");
}

int
main(void)
{
	test_oracle();
	test_plain();
	test_groups();
	test_parts();
	return done();
}
