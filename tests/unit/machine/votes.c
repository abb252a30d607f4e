/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of machines of pairs of classes, which vote: against a count over
 * the pairs written out, ties, names of columns, and files there and back.
 */
#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "machine/machine.h"
#include "machine/model.h"
#include "scratch.h"
#include "table/predicted.h"
#include "tap.h"
#include "text/out.h"

enum { MOST = 9 };

static struct kith_err err;
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

static void
test_files(void)
{
	const struct kith_machine m = make();
	struct kith_machine back;
	const char *path = scratch_text(0, "");
	struct kith_out out;

	ok(kith_out_open(&out, path, &err) == 0 && kith_model_write(&m, &out, &err) == 0 &&
		(kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err)) == 0,
	    "written");
	ok(kith_model_read(path, &back, &pool, &err) == 0, "read");
	ok(kith_machine_has_pairs(&back) && kith_machine_outputs(&back) == 3, "it votes");
	for (size_t o = 0; o < 3; o++)
		ok(back.coef[o] == m.coef[o] && back.bias[o] == m.bias[o],
		    "with the same numbers of pair %zu", o);
}

/* A model with this line below its three classes, and so many of them. */
static int
read_with(const char *line, const char *class, const char *bias)
{
	char text[500];
	struct kith_machine m;

	snprintf(text, sizeof(text),
	    "# version\t1\n# task\tclassify\n# kernel\tlinear\n# classes\t%s\n"
	    "%s# bias\t%s\n# rows\t0\n(id)\t(coef:1:2)\t(coef:1:3)\t(coef:1:4)"
	    "\t(coef:2:3)\t(coef:2:4)\t(coef:3:4)\tx\n",
	    class, line, bias);
	return kith_model_read(scratch_text(1, text), &m, &pool, &err);
}

static void
test_bad(void)
{
	ok(read_with("# multi\tone\n", "1\t2\t3\t4", "1\t1\t1\t1\t1\t1") == 0,
	    "four classes have six pairs");
	ok(read_with("# multi\tone\n", "1\t2\t3\t4", "1\t1\t1\t1") < 0, "four numbers will not do");
	is_text(err.msg, "key \"bias\": 4 values where 6 are due", "and why");
	ok(read_with("# multi\tall\n", "1\t2\t3\t4", "1\t1\t1\t1") < 0, "another word");
	is_text(err.msg, "key \"multi\": unknown: 'all'", "is unknown");
	ok(read_with("# multi\tone\n", "1\t2", "1") < 0, "two classes");
	is_text(err.msg, "key \"multi\": too much for this task and kernel", "have none");
	ok(read_with("# multi\trest\n", "1\t2\t3\t4", "1\t1\t1\t1") < 0, "against the rest");
	is_text(err.msg, "column 2 is not \"(coef:1)\"", "columns are classes");
}

int
main(void)
{
	kith_rng_seed(&rng, 7, KITH_RNG_SAMPLE, 0);
	test_votes();
	test_predictions();
	test_files();
	test_bad();
	kith_pool_free(&pool);
	return done();
}
