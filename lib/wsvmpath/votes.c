/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/votes.h"

#include "machine/machine.h"
#include "table/table.h"

#include <stdlib.h>
#include <string.h>

void
kith_svm_signs_new(struct kith_svm_signs *s, size_t m, size_t machine, struct kith_pool *pool)
{
	*s = (struct kith_svm_signs){.pool = pool, .m = m, .machine = machine};
	s->first = kith_new(pool, m, sizeof(*s->first));
	s->now = kith_new(pool, m, sizeof(*s->now));
}

static void
add_change(struct kith_svm_signs *s, double theta, size_t row)
{
	s->change = kith_more(s->pool, s->change, s->n, &s->capacity, sizeof(*s->change));
	s->change[s->n++] = (struct kith_svm_sign_change){theta, row, s->machine};
	s->now[row] = !s->now[row];
}

void
kith_svm_signs_piece(
    struct kith_svm_signs *s, double from, double to, const double *f0, const double *f1)
{
	for (size_t row = 0; row < s->m; row++) {
		const double a = f0[row] + from * f1[row], b = f0[row] + to * f1[row];
		const bool left = a > 0 || (a == 0 && b > 0), right = b > 0 || (b == 0 && a > 0);

		if (!s->begun)
			s->first[row] = s->now[row] = left;
		else if (left != s->now[row])
			add_change(s, from, row);
		if (left != right)
			add_change(s, kith_svm_zero(from, to, a, b), row);
	}
	s->begun = true;
}

/* The votes at the present theta. */
struct count {
	const struct kith_svm_test *test;
	size_t c, machines;
	size_t *first, *second; /* machines: their classes */
	bool *is_second;        /* m x machines: the vote is for the second class */
	size_t *votes;          /* m x c */
	bool *wrong;            /* m */
	struct kith_svm_changes *changes;
};

static int
by_theta(const void *a, const void *b)
{
	const struct kith_svm_sign_change *s = a, *t = b;

	if (s->theta != t->theta)
		return s->theta < t->theta ? -1 : 1;
	if (s->row != t->row)
		return s->row < t->row ? -1 : 1;
	return (s->machine > t->machine) - (s->machine < t->machine);
}

/* Returns the changes of all machines, in order. */
static struct kith_svm_sign_change *
merge_changes(
    const struct kith_svm_signs *signs, size_t machines, size_t *n, struct kith_pool *pool)
{
	struct kith_svm_sign_change *all;

	*n = 0;
	for (size_t o = 0; o < machines; o++)
		*n += signs[o].n;
	all = kith_new(pool, *n, sizeof(*all));
	*n = 0;
	for (size_t o = 0; o < machines; o++)
		for (size_t i = 0; i < signs[o].n; i++)
			all[(*n)++] = signs[o].change[i];
	if (*n > 0)
		qsort(all, *n, sizeof(*all), by_theta);
	return all;
}

/* Predicts row i by the present votes, and adds a change where it becomes wrong or right. */
static void
predict(struct count *k, double theta, size_t i)
{
	const size_t *votes = k->votes + i * k->c;
	const size_t row = kith_svm_test_row(k->test, i), class = k->test->class[row];
	const double cost = k->test->cost ? k->test->cost[row] : 1;
	size_t best = 0;
	bool wrong;

	if (class == KITH_NO_CLASS)
		return;
	for (size_t h = 1; h < k->c; h++)
		if (votes[h] > votes[best])
			best = h;
	wrong = best != class;
	if (wrong != k->wrong[i])
		kith_svm_changes_add(
		    k->changes, &(struct kith_svm_change){theta, i, cost * wrong, wrong});
	k->wrong[i] = wrong;
}

/* Counts the votes where theta leaves 0. */
static void
count_first(struct count *k, const struct kith_svm_signs *signs, struct kith_pool *pool)
{
	const size_t m = k->test->m, c = k->c;

	KITH_NEW_SIZES(pool, k->machines, 1, &k->first, &k->second);
	KITH_NEW_SIZES(pool, m, c, &k->votes);
	k->is_second = kith_new(pool, m, k->machines * sizeof(*k->is_second));
	k->wrong = kith_new(pool, m, sizeof(*k->wrong));
	for (size_t o = 0; o < k->machines; o++) {
		kith_machine_pair(c, o, &k->first[o], &k->second[o]);
		for (size_t i = 0; signs[o].begun && i < m; i++) {
			k->is_second[i * k->machines + o] = signs[o].first[i];
			k->votes[i * c + (signs[o].first[i] ? k->second[o] : k->first[o])]++;
		}
	}
	for (size_t i = 0; i < m; i++)
		predict(k, 0, i);
}

void
kith_svm_votes(const struct kith_svm_test *test, size_t c, const struct kith_svm_signs *signs,
    struct kith_svm_changes *changes)
{
	struct kith_pool tmp = {0};
	struct count k = {.test = test, .c = c, .machines = c * (c - 1) / 2, .changes = changes};
	const struct kith_svm_sign_change *s;
	size_t n;

	count_first(&k, signs, &tmp);
	s = merge_changes(signs, k.machines, &n, &tmp);
	for (size_t i = 0; i < n; i++) {
		bool *is_second = &k.is_second[s[i].row * k.machines + s[i].machine];
		size_t *votes = k.votes + s[i].row * c;

		votes[*is_second ? k.second[s[i].machine] : k.first[s[i].machine]]--;
		*is_second = !*is_second;
		votes[*is_second ? k.second[s[i].machine] : k.first[s[i].machine]]++;
		if (i + 1 == n || s[i + 1].row != s[i].row || s[i + 1].theta != s[i].theta)
			predict(&k, s[i].theta, s[i].row);
	}
	kith_pool_free(&tmp);
}
