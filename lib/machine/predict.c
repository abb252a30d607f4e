/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine/predict.h"

#include "base/pool.h"
#include "machine/machine.h"
#include "machine/platt.h"
#include "machine/votes.h"
#include "table/predicted.h"

#include <assert.h>
#include <math.h>

static size_t
vote(const struct kith_machine *m, const double *f, double *votes)
{
	return m->first_is_plus ? kith_machine_vote_first(m->class.n, f, votes)
				: kith_machine_vote(m->class.n, f, votes);
}

size_t
kith_machine_class(const struct kith_machine *m, const double *f)
{
	size_t best = 0;

	assert(m->task == KITH_MACHINE_CLASSIFY);
	if (m->class.n <= 2)
		return m->class.n == 2 && (*f > 0) != m->first_is_plus;
	if (kith_machine_votes(m))
		return vote(m, f, NULL);
	for (size_t o = 1; o < m->class.n; o++)
		if (f[o] > f[best])
			best = o;
	return best;
}

/* What is printed for each class of a row. */
static void
share_of(const struct kith_machine *m, const double *f, double *share)
{
	const size_t c = m->class.n;

	if (c == 2) {
		share[m->first_is_plus] = -*f;
		share[!m->first_is_plus] = *f;
		return;
	}
	if (kith_machine_votes(m)) {
		vote(m, f, share);
		return;
	}
	for (size_t h = 0; h < c; h++)
		share[h] = f[h];
}

/* Let f of all pairs be printed, too. */
static void
tell_pairs(
    const struct kith_machine *m, double *f, struct kith_predicted *out, struct kith_pool *pool)
{
	out->pair = f;
	out->pairs = kith_machine_outputs(m);
	out->pair_name = kith_new(pool, out->pairs, sizeof(*out->pair_name));
	for (size_t o = 0; o < out->pairs; o++)
		out->pair_name[o] = kith_machine_output(m, o, "pair:", pool);
}

/* Couple what the machines of all pairs say. */
static void
of_pairs(const struct kith_machine *m, const double *f, double *p)
{
	const size_t c = m->class.n;
	struct kith_pool tmp = {0};
	double *r = kith_new(&tmp, c, c * sizeof(*r));

	for (size_t o = 0; o < c * (c - 1) / 2; o++) {
		const double plus = kith_platt_sigmoid(m->A[o], m->B[o], f[o]);
		size_t first, second;

		kith_machine_pair(c, o, &first, &second);
		if (m->first_is_plus) {
			r[first * c + second] = plus;
			r[second * c + first] = 1 - plus;
		} else {
			r[second * c + first] = plus;
			r[first * c + second] = 1 - plus;
		}
	}
	kith_platt_couple(c, r, p);
	kith_pool_free(&tmp);
}

/* Divide what the machines say of their classes by the sum. */
static void
of_classes(const struct kith_machine *m, const double *f, double *p)
{
	const size_t c = m->class.n;
	double sum = 0;

	for (size_t h = 0; h < c; h++) {
		p[h] = kith_platt_sigmoid(m->A[h], m->B[h], f[h]);
		sum += p[h];
	}
	for (size_t h = 0; h < c; h++)
		p[h] = sum > 0 ? p[h] / sum : 1 / (double)c;
}

void
kith_machine_chances(const struct kith_machine *m, const double *f, double *p)
{
	const size_t c = m->class.n;

	assert(m->task == KITH_MACHINE_CLASSIFY && (c == 1 || m->A) && p);
	if (c == 1) {
		p[0] = 1;
	} else if (c == 2) {
		p[!m->first_is_plus] = kith_platt_sigmoid(*m->A, *m->B, *f);
		p[m->first_is_plus] = kith_platt_sigmoid(-*m->A, -*m->B, *f);
	} else if (kith_machine_votes(m)) {
		of_pairs(m, f, p);
	} else {
		of_classes(m, f, p);
	}
}

/* The class of a row; what is said of all classes into share (c). */
static size_t
tell_row(const struct kith_machine *m, const double *f, enum kith_machine_say say, double *share)
{
	size_t best = 0;

	assert(share || say == KITH_MACHINE_CLASS);
	if (say != KITH_MACHINE_PROBABILITIES) {
		if (say == KITH_MACHINE_SCORES)
			share_of(m, f, share);
		return kith_machine_class(m, f);
	}
	kith_machine_chances(m, f, share);
	for (size_t h = 1; h < m->class.n; h++)
		if (share[h] > share[best])
			best = h;
	return best;
}

int
kith_machine_predict(const struct kith_machine *m, const struct kith_mat *Z,
    enum kith_machine_say say, size_t threads, struct kith_predicted *out, size_t *row,
    struct kith_pool *pool)
{
	const bool classify = m->task == KITH_MACHINE_CLASSIFY;
	const size_t outputs = kith_machine_outputs(m), c = m->class.n;
	double *f = kith_new(pool, Z->n, outputs * sizeof(*f));

	kith_machine_score(m, Z, threads, f);
	for (size_t i = 0; i < Z->n * outputs; i++)
		if (isnan(f[i])) {
			*row = i / outputs;
			return -1;
		}
	*out = (struct kith_predicted){.m = Z->n, .nk = 1};
	if (!classify) {
		out->t = f;
		return 0;
	}
	out->y = kith_new(pool, Z->n, sizeof(*out->y));
	if (say != KITH_MACHINE_CLASS)
		out->share = kith_new(pool, Z->n, c * sizeof(*out->share));
	if (say == KITH_MACHINE_SCORES && kith_machine_votes(m))
		tell_pairs(m, f, out, pool);
	for (size_t i = 0; i < Z->n; i++)
		out->y[i] = tell_row(
		    m, f + i * outputs, say, out->share ? out->share + i * c : NULL);
	return 0;
}
