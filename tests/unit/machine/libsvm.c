/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/machine/libsvm_read.h: models by hand, and bytes that are changed.
 */
#include "machine/libsvm.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "machine/machine.h"
#include "machine/model.h"
#include "scratch.h"
#include "table/predicted.h"
#include "tap.h"

#include <math.h>

static struct kith_err err;
static struct kith_pool pool;
static struct kith_rng rng;

static const char two[] = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\n"
			  "nr_class 2\ntotal_sv 2\nrho 0.25\nlabel 4 -2\n"
			  "nr_sv 1 1\nSV\n1.5 1:1 \n-1.5 2:2 \n";

static const char three[] = "svm_type c_svc\nkernel_type linear\n"
			    "nr_class 3\ntotal_sv 3\nrho .1 2 .3\n"
			    "label 3 1 2\nprobA -1 -2 -3\nprobB .1 0 0\n"
			    "nr_sv 1 1 1\nSV\n"
			    "1 .5 1:1\n-1 2 2:1\n-.5 -2 1:1 2:1\n";

/* The machine of a text. */
static struct kith_machine
machine_of(const char *text)
{
	struct kith_machine m;

	if (kith_model_read(scratch_text(0, text), &m, &pool, &err)) {
		ok(false, "read: %zu: %s", err.line, err.msg);
		abort();
	}
	return m;
}

/* The class of a row of two features. */
static const char *
said(struct kith_machine *m, double x, double z)
{
	double row[] = {x, z};
	const struct kith_mat Z = {1, 2, row};
	struct kith_predicted got;
	size_t bad;

	if (kith_machine_predict(m, &Z, false, 1, &got, &bad, &pool))
		abort();
	return m->class.name[*got.y];
}

static double
score(const struct kith_machine *m, double x, double z)
{
	double row[] = {x, z}, f = 0;
	const struct kith_mat Z = {1, 2, row};

	kith_machine_score(m, &Z, 1, &f);
	return f;
}

static void
test_two(void)
{
	struct kith_machine m = machine_of(two);

	is_size(m.class.n, 2, "classes");
	is_text(m.class.name[0], "4", "in the order of the labels");
	is_size(m.X.p, 2, "features up to the largest index");
	is_text(m.feature.name[1], "V2", "called by their places");
	ok(m.by_place && m.first_is_plus && !m.target, "as LIBSVM has it");
	is_near(score(&m, 1, 1), 1.5 * exp(-.5) - 1.5 * exp(-1) - .25, 1e-15, "f by hand");
	is_near(score(&m, 0, 2), 1.5 * exp(-2.5) - 1.5 - .25, 1e-15, "there");
	is_text(said(&m, 1, 0), "4", "f > 0 is the first label");
	is_text(said(&m, 0, 2), "-2", "f < 0 the second");
	m = machine_of("svm_type nu_svc\nkernel_type linear\nnr_class 2\n"
		       "total_sv 1\nrho 1\nlabel 7 3\nnr_sv 1 0\nSV\n1 1:1\n");
	ok(m.X.p == 1 && m.class.n == 2, "a linear machine");
	m.X.p = m.metric.p = 2;
	m.X.v = kith_new(&pool, 2, sizeof(double));
	m.X.v[0] = 1;
	is_text(said(&m, 1, 0), "3", "f = 0 is the second");
	is_text(said(&m, 2, 0), "7", "above it the first");
}

static void
test_others(void)
{
	struct kith_machine m = machine_of(
	    "svm_type one_class\nkernel_type polynomial\ndegree 3\ngamma 2\n"
	    "coef0 -1\nnr_class 2\ntotal_sv 1\nrho 27\n"
	    "prob_density_marks 1 2 3\nSV\n1 1:1 2:1 \n");

	is_near(score(&m, 2, 0), 0, 1e-15, "(2 * 2 - 1)^3 - 27");
	is_text(said(&m, 2, 0), "-1", "f = 0 is outside");
	is_text(said(&m, 2, 1), "1", "f > 0 inside");
	m = machine_of("svm_type epsilon_svr\nkernel_type linear\nnr_class 2\n"
		       "total_sv 2\nrho -1e0\nprobA 0.1\nSV\n.5 2:4\n-1 \n");
	ok(m.task == KITH_MACHINE_REGRESS, "numbers");
	is_near(score(&m, 9, 3), 7, 1e-15, "f by hand");
	m = machine_of("svm_type c_svc\nkernel_type linear\nnr_class 1\n"
		       "total_sv 0\nrho\nlabel 5\nnr_sv 0\nSV\n");
	ok(m.class.n == 1 && m.X.n == 0 && m.X.p == 1, "one class");
	m = machine_of("kernel_type linear\nnr_sv 0\nlabel 5\nrho\n"
		       "total_sv 0\nnr_class 1\nsvm_type c_svc\nSV\n");
	ok(m.class.n == 1, "keys in any order");
	m.X.p = m.metric.p = 2;
	is_text(said(&m, 1, 1), "5", "which is predicted");
}

/*
 * Three classes of one vector each: f of 3 against 1 is x - z - .1, of 3 against 2
 * -z/2 - rho, and of 1 against 2 -2 x - .3.
 */
static void
test_three(void)
{
	struct kith_machine m = machine_of(three);
	double f[3] = {0}, row[] = {-1, -2};
	const struct kith_mat Z = {1, 2, row};

	is_size(kith_machine_outputs(&m), 3, "an output a pair");
	kith_machine_score(&m, &Z, 1, f);
	is_near(f[0], .9, 1e-15, "3 against 1");
	is_near(f[1], -1, 1e-15, "3 against 2");
	is_near(f[2], 1.7, 1e-15, "1 against 2");
	is_text(said(&m, -1, -2), "3", "a vote each: the first label");
	is_text(said(&m, 0, 0), "2", "two votes for 2");
	is_text(said(&m, -1, 0), "1", "for 1");
	is_text(said(&m, 0, -5), "3", "for 3");
}

static void
test_place(void)
{
	struct kith_machine m = machine_of(two);
	char a[] = "a", b[] = "b", c[] = "c", *name[] = {a, b, c};
	struct kith_names feature;
	double row[] = {1, 1, 3}, f = 0;
	const struct kith_mat Z = {1, 3, row};

	kith_names_index(&feature, name, 1, &pool);
	ok(kith_machine_place(&m, &feature, &pool, &err) < 0, "too few");
	is_text(err.msg, "1 features where the model has 2 (-y, -x, -y none?)", "why");
	kith_names_index(&feature, name, 3, &pool);
	ok(kith_machine_place(&m, &feature, &pool, &err) == 0, "one more");
	kith_machine_score(&m, &Z, 1, &f);
	is_near(f, 1.5 * exp(-.5 * 10) - 1.5 * exp(-.5 * 11) - .25, 1e-15, "where the model has 0");
}

/* The text with its first `from` replaced by `to` is refused. */
static void
refused(const char *from, const char *to, size_t line, const char *message)
{
	char text[1000];
	const char *at = strstr(two, from);
	struct kith_machine m;

	if (!at)
		abort();
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - two), two, to, at + strlen(from));
	ok(kith_model_read(scratch_text(2, text), &m, &pool, &err) < 0 && err.status == EX_DATAERR,
	    "refused: %s", message);
	is_size(err.line, line, "the line");
	is_text(err.msg, message, "and why");
}

static void
test_bad_head(void)
{
	refused("c_svc", "c_svm", 1, "key \"svm_type\": unknown: 'c_svm'");
	refused("c_svc", "c_svc 1", 1, "key \"svm_type\": 2 values where 1 are due");
	refused("rbf", "sigmoid", 2,
	    "key \"kernel_type\": sigmoid: it is not semidefinite, and no kernel of "
	    "kith");
	refused("rbf", "precomputed", 2,
	    "key \"kernel_type\": precomputed: the model has numbers of rows in place "
	    "of the rows");
	refused("rbf", "polynomial", 9, "key \"degree\": not found");
	refused("rbf", "polynomial\ndegree 0\ncoef0 1", 3,
	    "key \"degree\": not a whole number from 1: '0'");
	refused("gamma 0.5\n", "", 8, "key \"gamma\": not found");
	refused("0.5", "-0.5", 3, "key \"gamma\": not above 0: '-0.5'");
	refused("0.5", "inf", 3, "key \"gamma\": not a finite number: 'inf'");
	refused("gamma", "gama", 3, "key \"gama\": unknown");
	refused("gamma 0.5\n", "\n", 3, "key \"\": unknown");
	refused("rho", "gamma 1\nrho", 6, "key \"gamma\": given twice");
	refused("nr_class 2", "nr_class 0", 4, "key \"nr_class\": not a whole number from 1: '0'");
	refused("nr_class 2", "nr_class 3", 6, "key \"rho\": 1 values where 3 are due");
	refused("c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2",
	    "nu_svr\nkernel_type rbf\ngamma 0.5\nnr_class 3", 4,
	    "key \"nr_class\": not 2, though there are no classes");
}

static void
test_bad_body(void)
{
	refused(
	    "total_sv 2", "total_sv -2", 5, "key \"total_sv\": not a whole number from 0: '-2'");
	refused("total_sv 2", "total_sv 3", 8, "key \"nr_sv\": the sum is not total_sv");
	refused("4 -2", "4 4", 7, "key \"label\": given twice: '4'");
	refused("4 -2", "4 x", 7, "key \"label\": not a whole number: 'x'");
	refused("4 -2", "4", 7, "key \"label\": 1 values where 2 are due");
	refused("label 4 -2\n", "", 8, "key \"label\": not found");
	refused("nr_sv", "probA 1\nnr_sv", 10, "key \"probB\": not found");
	refused("nr_sv", "probA 1\nprobB 1 2\nnr_sv", 9, "key \"probB\": 2 values where 1 are due");
	refused("1.5 1:1", "x 1:1", 10, "not a finite number: 'x'");
	refused("1.5 1:1", "1:1", 10, "fewer coefficients than are due");
	refused("1.5 1:1", "", 10, "fewer coefficients than are due");
	refused("1:1 ", "1:1 1:2", 10, "index 1: indices must increase");
	refused("1:1 ", "0:1", 10, "not an index from 1: '0'");
	refused("1:1 ", "-1:1", 10, "not an index from 1: '-1'");
	refused("1:1 ", "10000001:1", 10, "index 10000001: too large for a model of this size");
	refused("1:1 ", "1:nan", 10, "not a finite number: 'nan'");
	refused("1:1 ", "1:", 10, "not a finite number: ''");
	refused("1:1 ", "1", 10, "not INDEX:VALUE: '1'");
	refused(
	    "-1.5 2:2 \n", "", 0, "1 support vectors where total_sv says 2: not the whole model");
	refused("2:2 \n", "2:2\n1 1:1\n", 12, "more support vectors than total_sv says");
	refused("SV\n1.5 1:1 \n-1.5 2:2 \n", "", 0, "no line \"SV\": not the whole model");
}

/* A machine that was read predicts a row of zeros. */
static bool
predicts(const struct kith_machine *m, struct kith_pool *own)
{
	const struct kith_mat Z = kith_mat_new(own, 1, m->X.p);
	const enum kith_machine_shares say = m->A ? KITH_MACHINE_PROBABILITIES
						  : KITH_MACHINE_SCORES;
	struct kith_predicted got;
	size_t bad;

	return kith_machine_predict(m, &Z, say, 1, &got, &bad, own) == 0 || bad == 0;
}

/* Whatever bytes of the model are changed or cut: a machine, or a clear line. */
static void
test_bytes(const char *model, const char *what)
{
	static const char bytes[] = "0123456789:.-+e \n\t\rSVsvrho_xXN\"#\x80";
	const size_t rounds = getenv("KITH_LONG") ? 20000 : 500;
	size_t read = 0, bad = 0;

	for (size_t i = 0; i < rounds; i++) {
		struct kith_pool own = {0};
		struct kith_machine m;
		size_t len = strlen(model);
		char *text = kith_strndup(&own, model, len);

		for (size_t k = 0; k <= i % 4; k++)
			text[kith_rng_below(&rng, len)] = bytes[kith_rng_below(
			    &rng, sizeof(bytes) - 1)];
		if (i % 5 == 0)
			len = kith_rng_below(&rng, len);
		err = (struct kith_err){0};
		if (kith_model_read(scratch(3, text, len), &m, &own, &err) == 0) {
			read++;
			bad += !predicts(&m, &own);
		} else
			bad += err.status != EX_DATAERR || !*err.msg || strchr(err.msg, '\n');
		kith_pool_free(&own);
	}
	is_size(bad, 0, what);
	ok(read > 0 && read < rounds / 2, "%zu of %zu are machines", read, rounds);
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_two();
	test_others();
	test_three();
	test_place();
	test_bad_head();
	test_bad_body();
	test_bytes(two, "two classes, changed bytes");
	test_bytes(three, "three classes, changed bytes");
	kith_pool_free(&pool);
	return done();
}
