/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/machine/libsvm_write.h: machines there and back, and those that no
 * model of LIBSVM can be.
 */
#include "machine/libsvm.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "machine/machine.h"
#include "machine/model.h"
#include "scratch.h"
#include "tap.h"
#include "text/out.h"

#include <limits.h>
#include <math.h>

enum { N = 60, P = 5, Q = 40, C = 4, PAIRS = C * (C - 1) / 2 };

static struct kith_err err;
static struct kith_pool pool;
static struct kith_rng rng;

/* A machine of ours with random numbers, some of them 0. */
static struct kith_machine
make(enum kith_machine_task task, enum kith_kern_kind kind, size_t classes)
{
	static const char *const word[] = {"-1", "0", "12", "7", "a", "b", "c", "d", "e"};
	char **class = kith_new(&pool, C + P, sizeof(*class));
	struct kith_machine m = {.task = task,
	    .multi = KITH_MACHINE_ONE,
	    .kern = {.kind = kind, .gamma = .3, .degree = 3, .coef0 = .5},
	    .metric = {KITH_SQUARED, P, NULL}};
	size_t outputs;
	double *coef, *bias;

	for (size_t i = 0; i < C + P; i++)
		class[i] = kith_strndup(&pool, word[i], strlen(word[i]));
	kith_names_index(&m.feature, class + C, P, &pool);
	kith_names_index(&m.class, class, classes, &pool);
	outputs = kith_machine_outputs(&m);
	KITH_NEW_REALS(&pool, N, outputs, &coef);
	KITH_NEW_REALS(&pool, outputs, 1, &bias);
	m.X = kith_mat_new(&pool, N, P);
	for (size_t i = 0; i < (size_t)N * P; i++)
		m.X.v[i] = i % 7 == 3 ? 0 : 2 * kith_rng_unit(&rng) - 1;
	for (size_t i = 0; i < N; i++) /* its class, as the signs say */
		for (size_t o = 0, g = i % (classes + !classes); o < outputs; o++) {
			size_t first = 0, second = 1;

			if (outputs > 1)
				kith_machine_pair(classes, o, &first, &second);
			else
				g = classes ? i % classes : i % 2;
			if (g == first || g == second)
				coef[i * outputs + o] = kith_rng_unit(&rng) *
				    (g == second ? 1 : -1);
		}
	for (size_t o = 0; o < outputs; o++)
		bias[o] = 2 * kith_rng_unit(&rng) - 1;
	m.coef = coef;
	m.bias = bias;
	if (classes > 1) {
		KITH_NEW_REALS(&pool, outputs, 1, &coef, &bias);
		for (size_t o = 0; o < outputs; o++) {
			coef[o] = -1 - kith_rng_unit(&rng);
			bias[o] = kith_rng_unit(&rng) - .5;
		}
		m.A = coef;
		m.B = bias;
	}
	return m;
}

/* Write it as a model of LIBSVM, and read that. */
static struct kith_machine
back_of(const struct kith_machine *m)
{
	const char *path = scratch_text(1, "");
	struct kith_machine back;
	struct kith_out out;

	if (kith_libsvm_check(m, &err) || kith_out_open(&out, path, &err))
		abort();
	kith_libsvm_write(m, &out);
	if (kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err) ||
	    kith_model_read(path, &back, &pool, &err) ||
	    kith_machine_place(&back, &m->feature, &pool, &err)) {
		ok(false, "back: %zu: %s", err.line, err.msg);
		abort();
	}
	return back;
}

static void
test_back(enum kith_machine_task task, enum kith_kern_kind kind, size_t classes)
{
	static double z[Q * P], f[Q * PAIRS], g[Q * PAIRS];
	const struct kith_mat Z = {Q, P, z};
	struct kith_machine m = make(task, kind, classes), back = back_of(&m);
	const size_t outputs = kith_machine_outputs(&m);
	const double sign = classes > 2 ? -1 : 1;
	double worst = 0;
	bool same = true;

	for (size_t i = 0; i < (size_t)Q * P; i++)
		z[i] = 2 * kith_rng_unit(&rng) - 1;
	is_size(back.X.n, classes == 1 ? 0 : N, "rows");
	is_size(back.class.n, classes, "classes");
	if (classes == 1)
		return;
	kith_machine_score(&m, &Z, 1, f);
	kith_machine_score(&back, &Z, 1, g);
	for (size_t i = 0; i < Q * outputs; i++)
		worst = fmax(worst, fabs(f[i] - sign * g[i]));
	ok(worst <= 1e-12, "%s of %zu: %.1e", kith_machine_kernels[kind], classes, worst);
	for (size_t q = 0; classes && q < Q; q++)
		same = same &&
		    strcmp(m.class.name[kith_machine_class(&m, f + q * outputs)],
			back.class.name[kith_machine_class(&back, g + q * outputs)]) == 0;
	ok(same, "the same classes");
	worst = 0;
	for (size_t q = 0; classes && q < Q; q++) {
		double p[C], r[C];

		kith_machine_probabilities(&m, f + q * outputs, p);
		kith_machine_probabilities(&back, g + q * outputs, r);
		for (size_t h = 0; h < classes; h++)
			worst = fmax(worst, fabs(p[h] - r[classes == 2 ? 1 - h : h]));
	}
	ok(worst <= 1e-12, "and probabilities: %.1e", worst);
	if (classes != 2)
		return;
	*f = 0;
	is_text(back.class.name[kith_machine_class(&back, f)],
	    m.class.name[kith_machine_class(&m, f)], "of f = 0, too");
}

static void
test_backs(void)
{
	static const enum kith_kern_kind kind[] = {
	    KITH_KERN_GAUSSIAN, KITH_KERN_LINEAR, KITH_KERN_POLYNOMIAL};

	for (size_t k = 0; k < 3; k++) {
		for (size_t c = 1; c <= C; c++)
			test_back(KITH_MACHINE_CLASSIFY, kind[k], c);
		test_back(KITH_MACHINE_REGRESS, kind[k], 0);
		test_back(KITH_MACHINE_RANK, kind[k], 0);
	}
}

/* A class that is no label. */
static void
no_label(const char *class)
{
	struct kith_machine m = make(KITH_MACHINE_CLASSIFY, KITH_KERN_LINEAR, 2);
	char due[200];

	m.class.name[1] = (char *)class;
	snprintf(due, sizeof(due),
	    "class '%s': the classes of a LIBSVM model are whole numbers (sed "
	    "or awk can number them)",
	    class);
	ok(kith_libsvm_check(&m, &err) < 0 && err.status == EX_DATAERR, "'%s' is no label", class);
	is_text(err.msg, due, "why");
}

static void
test_checks(void)
{
	struct kith_machine m;
	const double w[P] = {1, 1, 1, 1, 1};
	static const char *const bad[] = {
	    "a", "", "-", "1.0", "01", "-0", "+1", "2147483648", "1 ", "--1", "- 1"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		no_label(bad[i]);
	m = make(KITH_MACHINE_REGRESS, KITH_KERN_LINEAR, 0);
	m.metric.w = w;
	ok(kith_libsvm_check(&m, &err) < 0, "weights");
	m.metric.w = NULL;
	m.unit.center = (double *)w;
	ok(kith_libsvm_check(&m, &err) < 0, "units");
	m.unit.center = NULL;
	m.kern.degree = (size_t)INT_MAX + 1;
	ok(kith_libsvm_check(&m, &err) < 0, "degree");
	m = make(KITH_MACHINE_CLASSIFY, KITH_KERN_LINEAR, 3);
	ok(kith_libsvm_check(&m, &err) == 0, "pairs");
	m.multi = KITH_MACHINE_REST;
	ok(kith_libsvm_check(&m, &err) < 0, "one against the rest");
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_backs();
	test_checks();
	kith_pool_free(&pool);
	return done();
}
