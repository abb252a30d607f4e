/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of LIBSVM's files in lib/machine/model.h: kinds of machines, what is wrong, bytes that are
 * changed, what is written, and what cannot be.  tests/cli/kpredict_libsvm.t has the outputs of
 * models by hand.
 */
#include "machine/model.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "machine/machine.h"
#include "scratch.h"
#include "table/table.h"
#include "tap.h"
#include "text/out.h"
#include "wrong.h"

#include <limits.h>
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

static const char two_sure[] = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\n"
			       "total_sv 2\nrho 0.25\nlabel 4 -2\nprobA -1.5\nprobB .25\n"
			       "nr_sv 1 1\nSV\n1.5 1:1\n-1.25 1:-.5 2:2\n";

static const char numbers[] = "svm_type epsilon_svr\nkernel_type polynomial\ndegree 3\ngamma .5\n"
			      "coef0 1\nnr_class 2\ntotal_sv 2\nrho -1\nSV\n.5 2:4\n-1 1:2 2:1\n";

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

/* What stands in the place of a part of the text of two classes, and the error. */
static const struct {
	const char *from, *to, *due;
} mistakes[] = {
    {"c_svc", "c_svm", "1: key \"svm_type\": unknown: 'c_svm'"},
    {"c_svc", "c_svc 1", "1: key \"svm_type\": 2 values where 1 are due"},
    {"rbf", "polynomial", "9: key \"degree\": not found"},
    {"rbf", "polynomial\ndegree 0\ncoef0 1", "3: key \"degree\": not a whole number from 1: '0'"},
    {"gamma 0.5\n", "", "8: key \"gamma\": not found"},
    {"0.5", "-0.5", "3: key \"gamma\": not above 0: '-0.5'"},
    {"0.5", "inf", "3: key \"gamma\": not a finite number: 'inf'"},
    {"0.5", "\"0.5\"", "3: a quote, which no model of LIBSVM has"},
    {"gamma", "gama", "3: key \"gama\": unknown"},
    {"gamma 0.5\n", "\n", "3: blank line"},
    {"rho", "gamma 1\nrho", "6: key \"gamma\": given twice"},
    {"nr_class 2", "nr_class 0", "4: key \"nr_class\": not a whole number from 1: '0'"},
    {"nr_class 2", "nr_class 3", "6: key \"rho\": 1 values where 3 are due"},
    {"c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2",
	"nu_svr\nkernel_type rbf\ngamma 0.5\nnr_class 3",
	"4: key \"nr_class\": not 2, though there are no classes"},
    {"total_sv 2", "total_sv -2", "5: key \"total_sv\": not a whole number from 0: '-2'"},
    {"total_sv 2", "total_sv 3", "8: key \"nr_sv\": the sum is not total_sv"},
    {"4 -2", "4 4", "7: key \"label\": given twice: '4'"},
    {"4 -2", "4 x", "7: key \"label\": not a whole number: 'x'"},
    {"4 -2", "4", "7: key \"label\": 1 values where 2 are due"},
    {"nr_sv", "probA 1\nnr_sv", "10: key \"probB\": not found"},
    {"nr_sv", "probA 1\nprobB 1 2\nnr_sv", "9: key \"probB\": 2 values where 1 are due"},
    {"1.5 1:1", "x 1:1", "10: not a finite number: 'x'"},
    {"1.5 1:1", "1:1", "10: fewer coefficients than are due"},
    {"1.5 1:1", "", "10: blank line"},
    {"1:1 ", "1:1 1:2", "10: index 1: indices must increase"},
    {"1:1 ", "0:1", "10: not an index from 1: '0'"},
    {"1:1 ", "-1:1", "10: not an index from 1: '-1'"},
    {"1:1 ", "10000001:1", "10: index 10000001: too large for a model of this size"},
    {"1:1 ", "1:nan", "10: not a finite number: 'nan'"},
    {"1:1 ", "1:", "10: not a finite number: ''"},
    {"-1.5 2:2 \n", "", "0: 1 rows where key \"total_sv\" says 2: not the whole model"},
    {"2:2 \n", "2:2\n1 1:1\n", "12: more rows than key \"total_sv\" says: 2"},
    {"SV\n1.5 1:1 \n-1.5 2:2 \n", "", "0: no SV below the keys: not the whole model"},
};

static void
test_bad(void)
{
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		const char *at = strstr(two, mistakes[i].from);
		char text[1000];
		struct kith_machine m;

		snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - two), two, mistakes[i].to,
		    at + strlen(mistakes[i].from));
		is_text(
		    kith_model_read(scratch_text(2, text), &m, &pool, &err) ? wrong(&err) : "read",
		    mistakes[i].due, mistakes[i].due);
	}
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

/*
 * A machine of ours, in which f > 0 says the second class, written as a model of LIBSVM and read
 * again: the same outputs, classes and probabilities.
 */
static void
test_back(const char *model)
{
	struct kith_machine m = machine_of(model), back;
	const size_t c = m.class.n;
	struct kith_out out;
	double worst = 0;
	bool same = true;

	m.first_is_plus = false;
	for (size_t i = 0; i < m.X.n * c && c > 2;
	     i++) /* rows of the first class have them below 0 */
		((double *)m.coef)[i] *= -1;
	if (kith_libsvm_check(&m, NULL, &err) || kith_out_open(&out, scratch_text(1, ""), &err))
		abort();
	kith_libsvm_write(&m, &out);
	if (kith_out_close(&out, &err) || kith_atomic_settle(&err) ||
	    kith_model_read(scratch_path[1], &back, &pool, &err))
		abort();
	for (size_t i = 0; i < 25; i++) {
		double row[] = {(double)(i % 5) - 2.1, (double)i / 5 - 2.2};
		double f[3], g[3], p[3], q[3];
		const struct kith_mat Z = {1, 2, row};

		kith_machine_score(&m, &Z, 1, f);
		kith_machine_score(&back, &Z, 1, g);
		for (size_t o = 0; o < kith_machine_outputs(&m); o++)
			worst = fmax(worst, fabs(f[o] - (c > 2 ? -g[o] : g[o])));
		if (c == 0)
			continue;
		same = same && strcmp(said(&m, row[0], row[1]), said(&back, row[0], row[1])) == 0;
		kith_machine_probabilities(&m, f, p);
		kith_machine_probabilities(&back, g, q);
		for (size_t h = 0; h < c; h++)
			worst = fmax(worst, fabs(p[h] - q[c == 2 ? 1 - h : h]));
	}
	ok(worst <= 1e-12 && same, "%zu classes, there and back: %.1e", c, worst);
	if (c == 2) {
		m.X.n = back.X.n = 0;
		m.bias = back.bias = &(double){0};
		is_text(said(&back, 0, 0), said(&m, 0, 0), "of f = 0, too");
	}
}

/* One class needs no rows. */
static void
test_one_class(void)
{
	struct kith_machine m = machine_of(two), back;
	struct kith_out out;

	m.class.n = 1;
	if (kith_out_open(&out, scratch_text(1, ""), &err))
		abort();
	kith_libsvm_write(&m, &out);
	ok(!kith_out_close(&out, &err) && !kith_atomic_settle(&err) &&
		!kith_model_read(scratch_path[1], &back, &pool, &err) && back.class.n == 1 &&
		back.X.n == 0,
	    "one class, there and back");
}

/* Machines that no model of LIBSVM can be. */
static void
test_checks(void)
{
	static const char *const no_label[] = {
	    "a", "", "-", "1.0", "01", "-0", "+1", "2147483648", "1 ", "--1", "- 1"};
	static const double w[] = {1, 1};
	struct kith_machine m = machine_of(two);
	char due[200];

	for (size_t i = 0; i < sizeof(no_label) / sizeof(*no_label); i++) {
		m.class.name[1] = (char *)no_label[i];
		snprintf(due, sizeof(due),
		    "class '%s': the classes of a LIBSVM model are whole numbers (sed or awk can "
		    "number them)",
		    no_label[i]);
		is_text(kith_libsvm_check(&m, NULL, &err) ? err.msg : "a label", due, due);
	}
	m.class.name[1] = (char *)"2147483647";
	ok(!kith_libsvm_check(&m, NULL, &err), "the largest label");
	m = machine_of(two);
	m.metric.w = w;
	ok(kith_libsvm_check(&m, NULL, &err) < 0, "weights");
	m.metric.w = NULL;
	m.unit.center = (double *)w;
	ok(kith_libsvm_check(&m, NULL, &err) < 0, "units");
	m.unit.center = NULL;
	m.kern.degree = (size_t)INT_MAX + 1;
	ok(kith_libsvm_check(&m, NULL, &err) < 0, "degree");
	m = machine_of(three);
	m.multi = KITH_MACHINE_REST;
	ok(kith_libsvm_check(&m, NULL, &err) < 0, "one against the rest");
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_others();
	test_bad();
	test_back(two_sure);
	test_back(three);
	test_back(numbers);
	test_one_class();
	test_checks();
	test_bytes(two, "two classes, changed bytes");
	test_bytes(three, "three classes, changed bytes");
	kith_pool_free(&pool);
	return done();
}
