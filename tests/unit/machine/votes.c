/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of machines of pairs of classes, which vote: against a count over
 * the pairs written out, ties, and names of columns.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "machine/machine.h"
#include "table/predicted.h"
#include "tap.h"

enum { MOST = 9 };

static struct kith_pool pool;
static struct kith_rng rng;

/* The votes of f, pair by pair in order, and the class that has the most. */
static size_t
plain(size_t c, const double *f, double *votes)
{
	size_t best = 0, o = 0;

	for (size_t h = 0; h < c; h++)
		votes[h] = 0;
	for (size_t a = 0; a < c; a++)
		for (size_t b = a + 1; b < c; b++)
			votes[f[o++] > 0 ? b : a]++;
	for (size_t h = 1; h < c; h++)
		if (votes[h] > votes[best])
			best = h;
	return best;
}

static void
test_votes(void)
{
	struct kith_machine m = {.task = KITH_MACHINE_CLASSIFY, .multi = KITH_MACHINE_ONE};
	double f[MOST * MOST], due[MOST];
	bool same = true, pairs = true;

	for (size_t i = 0; i < 5000; i++) {
		const size_t c = 3 + i % (MOST - 2);
		size_t o = 0, first, second;

		for (size_t a = 0; a < c; a++)
			for (size_t b = a + 1; b < c; b++, o++) {
				f[o] = (double)kith_rng_below(&rng, 3) - 1;
				kith_machine_pair(c, o, &first, &second);
				pairs = pairs && first == a && second == b;
			}
		m.class.n = c;
		same = same && plain(c, f, due) == kith_machine_class(&m, f);
	}
	ok(same, "votes as counted pair by pair");
	ok(pairs, "and the pairs in their order");
	m.class.n = 3;
	is_size(
	    kith_machine_class(&m, (double[]){1, -1, 1}), 0, "all have one vote: the first class");
	is_size(kith_machine_class(&m, (double[]){0, 0, 0}), 0,
	    "f = 0 falls to the first class of a pair");
	m.first_is_plus = true;
	is_size(kith_machine_class(&m, (double[]){0, 0, 0}), 2, "in LIBSVM to the second");
}

/* A linear machine of three classes and one feature, f = x coef + bias. */
static struct kith_machine
make(void)
{
	static double x = 1, coef[] = {1, 2, -1};
	static const double bias[] = {0, -1, 0.5};
	static char x1[] = "x", a[] = "a", ab[] = "a:b", b[] = "b\\";
	static char *feature[] = {x1}, *class[] = {a, ab, b};
	struct kith_machine m = {.task = KITH_MACHINE_CLASSIFY,
	    .multi = KITH_MACHINE_ONE,
	    .kern = {.kind = KITH_KERN_LINEAR},
	    .metric = {KITH_SQUARED, 1, NULL},
	    .X = {1, 1, &x},
	    .coef = coef,
	    .bias = bias};

	kith_names_index(&m.feature, feature, 1, &pool);
	kith_names_index(&m.class, class, 3, &pool);
	return m;
}

static void
test_predictions(void)
{
	struct kith_machine m = make();
	double z[] = {0, 1, -1};
	const struct kith_mat Z = {3, 1, z};
	struct kith_predicted got;
	size_t bad;

	/* f: 0 -1 .5; 1 1 -.5; -1 -3 1.5 */
	ok(kith_machine_predict(&m, &Z, KITH_MACHINE_SCORES, 1, &got, &bad, &pool) == 0,
	    "predicted");
	ok(got.y[0] == 0 && got.y[1] == 1 && got.y[2] == 0, "the classes");
	ok(got.share[0] == 2 && got.share[1] == 0 && got.share[2] == 1 && got.share[3] == 0 &&
		got.share[4] == 2 && got.share[5] == 1,
	    "the votes");
	ok(got.pairs == 3 && got.pair[3] == 1 && got.pair[5] == -.5, "f of the pairs");
	is_text(got.pair_name[0], "pair:a:a\\:b", "their names: a b");
	is_text(got.pair_name[1], "pair:a:b\\\\", "a c");
	is_text(got.pair_name[2], "pair:a\\:b:b\\\\", "b c");
	m.multi = KITH_MACHINE_REST;
	ok(kith_machine_predict(&m, &Z, KITH_MACHINE_SCORES, 1, &got, &bad, &pool) == 0 &&
		got.y[0] == 2 && got.y[1] == 0 && !got.pair && got.pairs == 0,
	    "against the rest the largest f, of equal ones the first");
	is_text(
	    kith_machine_coef(&m, 1, &pool), "(coef:a:b)", "whose columns have the class as it is");
}

int
main(void)
{
	kith_rng_seed(&rng, 7, KITH_RNG_SAMPLE, 0);
	test_votes();
	test_predictions();
	kith_pool_free(&pool);
	return done();
}
