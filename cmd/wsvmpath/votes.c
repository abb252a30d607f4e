/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which rows the machines of several classes predict wrongly together, along theta, by their votes
 * (machine/machine.h).
 *
 * A vote depends on theta through the sign of f alone, so that the prediction of a row changes only
 * where f of a machine is 0: the zeros are computed from the pieces of each path, and merged.
 */
#include "wsvmpath.h"

#include <stdlib.h>
#include <string.h>

void
signs_new(struct signs *s, size_t m, struct kith_pool *pool)
{
	*s = (struct signs){.m = m, .changes.pool = pool};
	s->first = kith_new(pool, m, sizeof(*s->first));
	s->now = kith_new(pool, m, sizeof(*s->now));
}

static void
change_sign(struct signs *s, double theta, size_t row)
{
	s->now[row] = !s->now[row];
	add_change(&s->changes, theta, row, 0, s->now[row]);
}

void
signs_piece(struct signs *s, double from, double to, const double *f0, const double *f1)
{
	for (size_t row = 0; row < s->m; row++) {
		const double a = f0[row] + from * f1[row], b = f0[row] + to * f1[row];
		const bool left = a > 0 || (a == 0 && b > 0), right = b > 0 || (b == 0 && a > 0);

		if (!s->begun)
			s->first[row] = s->now[row] = left;
		else if (left != s->now[row])
			change_sign(s, from, row);
		if (left != right)
			change_sign(s, find_zero(from, to, a, b), row);
	}
	s->begun = true;
}

/* The votes at the present theta. */
struct count {
	const struct test *test;
	size_t c, machines;
	size_t *first, *second; /* machines: their classes */
	bool *is_second;        /* m x machines: the vote is for the second class */
	size_t *votes;          /* m x c */
	bool *wrong;            /* m */
	struct changes *changes;
};

/* From theta on, f of a row by a machine has the other sign. */
struct sign_change {
	double theta;
	size_t row, machine;
};

static int
by_theta(const void *a, const void *b)
{
	const struct sign_change *s = a, *t = b;

	if (s->theta != t->theta)
		return s->theta < t->theta ? -1 : 1;
	if (s->row != t->row)
		return s->row < t->row ? -1 : 1;
	return (s->machine > t->machine) - (s->machine < t->machine);
}

/* Returns the changes of all machines, in order. */
static struct sign_change *
merge_changes(const struct signs *signs, size_t machines, size_t *n, struct kith_pool *pool)
{
	struct sign_change *all;

	*n = 0;
	for (size_t o = 0; o < machines; o++)
		*n += signs[o].changes.n;
	all = kith_new(pool, *n, sizeof(*all));
	*n = 0;
	for (size_t o = 0; o < machines; o++)
		for (size_t i = 0; i < signs[o].changes.n; i++) {
			const struct change *c = &signs[o].changes.v[i];

			all[(*n)++] = (struct sign_change){c->theta, c->row, o};
		}
	if (*n > 0)
		qsort(all, *n, sizeof(*all), by_theta);
	return all;
}

/* Predicts row i by the present votes, and adds a change where it becomes wrong or right. */
static void
predict(struct count *k, double theta, size_t i)
{
	const size_t *votes = k->votes + i * k->c;
	const size_t class = k->test->class[test_row(k->test, i)];
	size_t best = 0;
	bool wrong;

	if (class == KITH_NO_CLASS)
		return;
	for (size_t h = 1; h < k->c; h++)
		if (votes[h] > votes[best])
			best = h;
	wrong = best != class;
	if (wrong != k->wrong[i])
		add_change(k->changes, theta, i, test_cost(k->test, i) * wrong, wrong);
	k->wrong[i] = wrong;
}

/* Counts the votes where theta leaves 0. */
static void
count_first(struct count *k, const struct signs *signs, struct kith_pool *pool)
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
count_votes(const struct test *test, size_t c, const struct signs *signs, struct changes *changes)
{
	struct kith_pool tmp = {0};
	struct count k = {.test = test, .c = c, .machines = c * (c - 1) / 2, .changes = changes};
	const struct sign_change *s;
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
