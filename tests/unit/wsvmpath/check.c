/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of check_paths(), cmd/wsvmpath/check.c: known solutions of weights of any size are judged
 * right, and what was changed in them is noticed; tables that are none.  Each check by its definition
 * is in check_sums.c; paths of random problems are judged by wsvmpath_edges.t.
 */
#include "scratch.h"
#include "tap.h"
#include "wsvmpath/rows.h"

#include <math.h>

enum { ROOM = 1 << 22 };

static char text[ROOM]; /* the table of coefficients that is judged */

/* Checks the table in `text`.  Returns the name of the first check that fails, or "". */
static const char *
judge(const struct kith_svm_task *svm, double *value)
{
	struct kith_check check[CHECKS];
	const size_t n = options.at.n ? WHOLE_PATH : CHECKS;
	struct kith_err err;

	options.check = scratch(1, text, strlen(text));
	if (check_paths(svm, check, &err)) {
		printf("# %s\n", err.msg);
		return "error";
	}
	for (size_t i = 0; i < n; i++)
		if (!kith_check_ok(&check[i])) {
			*value = check[i].value;
			return check[i].check;
		}
	return "";
}

/*
 * Regression problems whose solution is known: alpha, b and the weights are drawn, and the targets
 * are computed from the optimality conditions, in 80 bits.
 */
enum { ROWS = 24 };

struct known {
	size_t n, in, margin; /* first `in` rows at their bound, then `margin` rows on the margin */
	double x[ROWS][2], y[ROWS], from[ROWS], to[ROWS];
	double alpha[ROWS];     /* with the sign of the residual */
	double theta, b, ridge; /* the ridge is relative, K_ii are 1 */
};

static long double
kernel(const struct known *k, size_t i, size_t j)
{
	const long double u = (long double)k->x[i][0] - k->x[j][0];
	const long double v = (long double)k->x[i][1] - k->x[j][1];

	return expl(-(u * u + v * v));
}

static double
weight_at(const struct known *k, size_t i)
{
	const long double rate = (long double)k->to[i] - k->from[i];

	return k->theta < 1 ? (double)(k->from[i] + k->theta * rate) : k->to[i];
}

/* Returns f of row i without b; *terms: the sum of the sizes of its terms. */
static long double
known_f(const struct known *k, size_t i, long double *terms)
{
	long double f = 0;

	*terms = 0;
	for (size_t j = 0; j < k->n; j++) {
		f += k->alpha[j] * kernel(k, i, j);
		*terms += fabsl(k->alpha[j] * kernel(k, i, j));
	}
	return f;
}

/* Returns the target for which row i is optimal: y = f + b + ridge a +- (eps + s). */
static double
known_target(const struct known *k, size_t i)
{
	long double terms, f = known_f(k, i, &terms);
	const double side = k->alpha[i] > 0 ? 1 : -1;
	const double slack = .1 + kith_rng_unit(&rng);

	f += k->b;
	if (i < k->in)
		f += side * (.1L + slack) + k->ridge * k->alpha[i];
	else if (i < k->in + k->margin)
		f += side * .1L + k->ridge * k->alpha[i];
	else
		f += .09L * (2 * slack - 1.2L);
	return (double)f;
}

static void
draw_known(struct known *k)
{
	static const double theta[] = {0, 0, 1e-9, .25, 1};
	const double C = pow(10, 16 * kith_rng_unit(&rng) - 8);
	/* The weights at the other end of the path are far larger, or nearly equal. */
	const double more = pow(10, 8 * kith_rng_unit(&rng));
	double sum = 0;

	k->n = 9 + kith_rng_below(&rng, ROWS - 8);
	k->in = 2 + kith_rng_below(&rng, 3);
	k->margin = 2 + kith_rng_below(&rng, 4);
	k->theta = theta[kith_rng_below(&rng, 5)];
	k->ridge = kith_rng_below(&rng, 2) ? 1e-6 : 1e-3;
	for (size_t i = 0; i < k->n; i++) {
		k->x[i][0] = 4 * kith_rng_unit(&rng);
		k->x[i][1] = 4 * kith_rng_unit(&rng);
		k->from[i] = C * (1 + kith_rng_unit(&rng));
		k->to[i] = more * k->from[i] * (1 + kith_rng_unit(&rng));
		k->alpha[i] = i < k->in     ? (i % 2 ? -1 : 1) * weight_at(k, i)
		    : i < k->in + k->margin ? (.1 + .3 * kith_rng_unit(&rng)) * weight_at(k, i)
					    : 0;
		sum += k->alpha[i];
	}
	/* The weight of the last row on the margin is larger than its alpha. */
	{
		const size_t last = k->in + k->margin - 1;

		k->alpha[last] -= sum;
		k->from[last] = k->to[last] = 3 * fabs(k->alpha[last]);
	}
	k->b = C * (kith_rng_unit(&rng) - .5);
	for (size_t i = 0; i < k->n; i++)
		k->y[i] = known_target(k, i);
}

/* Writes the solution as a step, and checks it against the table in scratch file 0. */
static const char *
judge_known(const struct known *k, struct kith_svm_task *svm, double *value)
{
	char *at = text + sprintf(text, "step\ttheta\tname\tvalue\n");

	at += sprintf(at, "1\t%.17g\t(bias)\t%.17g\n", k->theta, k->b);
	for (size_t i = 0; i < k->n; i++)
		if (k->alpha[i] != 0)
			at += sprintf(at, "1\t%.17g\t%zu\t%.17g\n", k->theta, i + 1, k->alpha[i]);
	return judge(svm, value);
}

/* Returns |g| of row i, on the margin, over the sum of the sizes of its terms, in 80 bits. */
static double
known_off(const struct known *k, size_t i)
{
	const double side = k->alpha[i] > 0 ? 1 : -1;
	long double terms, f = known_f(k, i, &terms);

	f += k->b + k->ridge * (long double)k->alpha[i] + side * .1L - k->y[i];
	terms += fabsl(k->b) + fabsl(k->ridge * (long double)k->alpha[i]) + .1L + fabs(k->y[i]);
	return (double)(fabsl(f) / terms);
}

/* Changes the solution by 1e-6 of its largest alpha.  Returns which check has to fail, or NULL. */
static const char *
spoil(struct known *k, size_t way)
{
	double most = 0;

	for (size_t i = 0; i < k->n; i++)
		most = fmax(most, fabs(k->alpha[i]));
	switch (way) {
	case 0: /* one alpha is beyond C; the sum stays 0 */
		k->alpha[0] += 1e-6 * most;
		k->alpha[k->in] -= 1e-6 * most;
		return "bounds";
	case 1:
		k->alpha[k->in] += 1e-6 * most;
		return "sum";
	default: /* two alpha on the margin, or b */
		if (way == 2) {
			k->alpha[k->in] += 1e-6 * most;
			k->alpha[k->in + 1] -= 1e-6 * most;
		} else
			k->b += 1e-6 * most;
		return known_off(k, k->in) > 2e-9 || known_off(k, k->in + 1) > 2e-9 ? "kkt" : NULL;
	}
}

static void
write_known(const struct known *k)
{
	char *at = text + sprintf(text, "u,v,a,b,y\n");

	for (size_t i = 0; i < k->n; i++)
		at += sprintf(at, "%.17g,%.17g,%.17g,%.17g,%.17g\n", k->x[i][0], k->x[i][1],
		    k->from[i], k->to[i], k->y[i]);
}

static void
test_known(void)
{
	const size_t seeds = 400;
	size_t refused = 0, passed = 0, spoilt = 0;
	double at[] = {0}, value = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const char *files[2] = {NULL};
		struct kith_svm_task svm;
		struct known k = {0};
		const char *why;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 77);
		draw_known(&k);
		write_known(&k);
		files[0] = scratch_text(0, text);
		set_options(KITH_SVM_REGRESS, files);
		options.at = (struct kith_reals){1, at};
		options.gamma = 1;
		options.ridge = k.ridge;
		make(&svm);
		why = judge_known(&k, &svm, &value);
		refused += *why != 0;
		if (*why)
			printf("# seed %zu: %s %g\n", seed, why, value);
		for (size_t way = 0; way < 4; way++) {
			struct known other = k;
			const char *due = spoil(&other, way);

			if (!due)
				continue;
			spoilt++;
			why = judge_known(&other, &svm, &value);
			passed += *why == 0;
			if (!*why)
				printf("# seed %zu, theta %g: no %s\n", seed, k.theta, due);
		}
		kith_pool_free(&pool);
	}
	ok(refused == 0, "%zu solutions with weights from 1e-8 to 1e16", seeds);
	ok(passed == 0 && spoilt > 3 * seeds,
	    "%zu changes by 1e-6 of the largest alpha are noticed", spoilt);
}

static void
test_errors(void)
{
	static const struct {
		const char *table, *due;
	} bad[] = {
	    {"step,theta,name\n1,0,1\n", "column \"value\": not found"},
	    {"step,theta,name,value\nx,0,1,1\n", "column \"step\": not the number of a step: 'x'"},
	    {"step,theta,name,value\n1,0,3,1\n", "column \"name\": no row of the data: '3'"},
	    {"step,theta,name,value\n1,0,1,\n", "column \"value\": missing: ''"},
	    {"step,theta,name,value\n1,2,1,1\n",
		"column \"theta\": not from 0 to 1 in increasing order"},
	    {"step,theta,name,value\n1,.5,1,1\n2,.4,1,1\n",
		"column \"theta\": not from 0 to 1 in increasing order"},
	    {"step,theta,name,value\n1,.5,1,1\n1,.6,2,1\n",
		"column \"theta\": differs within a step"},
	};
	const char *files[] = {NULL, NULL};
	struct kith_check check[CHECKS];
	struct kith_svm_task svm;
	struct kith_err err;

	files[0] = scratch_text(0, "x,a,b,y\n0,0,.1,1\n1,0,.1,2\n");
	set_options(KITH_SVM_CLASSIFY, files);
	make(&svm);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		options.check = scratch_text(1, bad[i].table);
		is_text(check_paths(&svm, check, &err) ? err.msg : "", bad[i].due, bad[i].due);
	}
	kith_pool_free(&pool);
}

int
main(void)
{
	test_errors();
	test_known();
	return done();
}
