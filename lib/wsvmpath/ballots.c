/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/ballots.h"

#include "base/pool.h"
#include "machine/machine.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

void
kith_wsvm_signs_new(struct kith_wsvm_signs *s, size_t m, struct kith_pool *pool)
{
	*s = (struct kith_wsvm_signs){.pool = pool, .m = m};
	s->first = kith_new(pool, m, sizeof(*s->first));
	s->now = kith_new(pool, m, sizeof(*s->now));
}

static void
turn(struct kith_wsvm_signs *s, double theta, size_t row)
{
	s->turn = kith_more(s->pool, s->turn, s->n, &s->room, sizeof(*s->turn));
	s->turn[s->n++] = (struct kith_wsvm_turn){theta, row};
	s->now[row] = !s->now[row];
}

void
kith_wsvm_signs_piece(
    struct kith_wsvm_signs *s, double from, double to, const double *f0, const double *f1)
{
	for (size_t row = 0; row < s->m; row++) {
		const double a = f0[row] + from * f1[row], b = f0[row] + to * f1[row];
		const bool left = a > 0 || (a == 0 && b > 0);
		const bool right = b > 0 || (b == 0 && a > 0);

		if (!s->begun)
			s->first[row] = s->now[row] = left;
		else if (left != s->now[row])
			turn(s, from, row);
		if (left != right)
			turn(s, kith_wsvm_valid_zero(from, to, a, b), row);
	}
	s->begun = true;
}

/* A vote that changes. */
struct swing {
	double theta;
	size_t row, pair;
};

/* The votes while they are counted. */
struct count {
	const struct kith_wsvm_ballots *of;
	const struct kith_wsvm_signs *signs;
	size_t pairs;
	size_t *first, *second; /* pairs: their classes */
	bool *says;             /* m x pairs: the second */
	size_t *votes;          /* m x c */
	bool *wrong;            /* m */
	struct kith_wsvm_changes *changes;
};

static int
by_theta(const void *a, const void *b)
{
	const struct swing *s = a, *t = b;

	if (s->theta != t->theta)
		return s->theta < t->theta ? -1 : 1;
	if (s->row != t->row)
		return s->row < t->row ? -1 : 1;
	return (s->pair > t->pair) - (s->pair < t->pair);
}

/* All swings of all pairs, in order. */
static struct swing *
gather(const struct count *k, size_t *swings, struct kith_pool *pool)
{
	struct swing *all;
	size_t n = 0;

	for (size_t o = 0; o < k->pairs; o++)
		n += k->signs[o].n;
	all = kith_new(pool, n, sizeof(*all));
	n = 0;
	for (size_t o = 0; o < k->pairs; o++)
		for (size_t i = 0; i < k->signs[o].n; i++)
			all[n++] = (struct swing){
			    k->signs[o].turn[i].theta, k->signs[o].turn[i].row, o};
	if (n > 0)
		qsort(all, n, sizeof(*all), by_theta);
	*swings = n;
	return all;
}

static void
change(const struct kith_wsvm_ballots *of, double theta, size_t row, bool wrong,
    struct kith_wsvm_changes *changes)
{
	const double cost = of->cost ? of->cost[row] : 1;
	const struct kith_wsvm_change c = {theta, row, cost * wrong, wrong};

	kith_wsvm_changes_add(changes, &c);
}

/* Who wins row i now? */
static void
judge(struct count *k, double theta, size_t i)
{
	const size_t *votes = k->votes + i * k->of->c;
	size_t best = 0;
	bool wrong;

	if (k->of->class[i] == SIZE_MAX)
		return;
	for (size_t h = 1; h < k->of->c; h++)
		if (votes[h] > votes[best])
			best = h;
	wrong = best != k->of->class[i];
	if (wrong != k->wrong[i])
		change(k->of, theta, i, wrong, k->changes);
	k->wrong[i] = wrong;
}

/* The votes where theta leaves 0. */
static void
begin(struct count *k, struct kith_pool *pool)
{
	const size_t m = k->of->m, c = k->of->c;

	KITH_NEW_SIZES(pool, k->pairs, 1, &k->first, &k->second);
	KITH_NEW_SIZES(pool, m, c, &k->votes);
	k->says = kith_new(pool, m, k->pairs * sizeof(*k->says));
	k->wrong = kith_new(pool, m, sizeof(*k->wrong));
	for (size_t o = 0; o < k->pairs; o++) {
		const struct kith_wsvm_signs *s = &k->signs[o];

		kith_machine_pair(c, o, &k->first[o], &k->second[o]);
		for (size_t i = 0; s->begun && i < m; i++) {
			k->says[i * k->pairs + o] = s->first[i];
			k->votes[i * c + (s->first[i] ? k->second[o] : k->first[o])]++;
		}
	}
	for (size_t i = 0; i < m; i++)
		judge(k, 0, i);
}

/* A vote of row i changes. */
static void
swing(struct count *k, const struct swing *s)
{
	bool *says = &k->says[s->row * k->pairs + s->pair];
	size_t *votes = k->votes + s->row * k->of->c;

	*says = !*says;
	votes[k->first[s->pair]] += *says ? (size_t)-1 : 1;
	votes[k->second[s->pair]] += *says ? 1 : (size_t)-1;
}

void
kith_wsvm_ballots_count(const struct kith_wsvm_ballots *of, const struct kith_wsvm_signs *signs,
    struct kith_wsvm_changes *changes)
{
	struct kith_pool tmp = {0};
	struct count k = {
	    .of = of, .signs = signs, .pairs = of->c * (of->c - 1) / 2, .changes = changes};
	const struct swing *all;
	size_t n;

	begin(&k, &tmp);
	all = gather(&k, &n, &tmp);
	for (size_t i = 0; i < n; i++) {
		swing(&k, &all[i]);
		if (i + 1 == n || all[i + 1].row != all[i].row || all[i + 1].theta != all[i].theta)
			judge(&k, all[i].theta, all[i].row);
	}
	kith_pool_free(&tmp);
}
