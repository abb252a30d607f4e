/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_knife_check(): its numbers are those of the definition, and each condition refuses
 * what it is for.
 */
#include "knife/knife.h"

#include "knife/problem.h"
#include "tap.h"

#include <stdlib.h>

static const struct kith_knife_control control = {.max_iter = 1000, .tol = 1e-6};
static struct kith_check check[KITH_KNIFE_CHECKS];

static void
test_values(const struct kith_knife_problem *problem)
{
	const char *kernel = kernel_name[problem->kern.kind], *loss = loss_name[problem->loss];
	const size_t p = problem->X->p;
	double *w = numbers(p), *dF = numbers(p), F, off;
	struct kith_knife_machine machine;
	size_t n;

	for (size_t j = 0; j < p; j++)
		w[j] = j == 1 ? 0 : kith_rng_unit(&rng);
	machine = evaluate(problem, w, &F, dF);
	n = kith_knife_check(problem, w, &machine, 0, 1e-6, check);
	is_size(n, problem->kern.kind == KITH_KERN_LINEAR ? 4 : 3, "conditions");
	ok(check[0].value == 0 && check[1].value <= 1e-9, "%s, %s: range %g, residual %.2g", kernel,
	    loss, check[0].value, check[1].value);
	is_near(check[2].value,
	    kith_lbfgs_box_gradient(p, w, plain_gradient(problem, w, machine.alpha)), 1e-7,
	    "the projected gradient, by definition");
	ok(fabs(F - plain_objective(problem, w, machine.alpha, machine.bias, &off)) <=
		1e-9 * fmax(1, fabs(F)),
	    "%s, %s: F", kernel, loss);
	if (n == 4) {
		const struct kith_knife_solution sol = solve(problem, &control, .5);

		ok(check[3].value >= (F - sol.objective) * (1 - 1e-9) && sol.certified,
		    "the gap %g is no less than F - min F, %g", check[3].value, F - sol.objective);
		kith_knife_check(problem, sol.w, &sol.machine, sol.start_gradient, 1e-6, check);
		ok(check[3].value >= -1e-9 && kith_check_ok(&check[3]), "%g at the minimum",
		    check[3].value);
	}
}

/* Weights are judged by their own gradient, whose limit is that of the gradient at the start. */
static void
test_certify(const struct kith_knife_problem *problem)
{
	const size_t p = problem->X->p;
	struct kith_knife_engine *e = kith_knife_engine_new(problem, &control, &pool);
	double *w = even(p, .3), *start = even(p, .01), F, *dF = numbers(p);
	struct kith_check due[KITH_KNIFE_CHECKS];
	struct kith_knife_machine machine;

	evaluate(problem, start, &F, dF);
	machine = evaluate(problem, w, &F, NULL);
	kith_knife_check(
	    problem, w, &machine, kith_lbfgs_box_gradient(p, start, dF), control.tol, due);
	kith_knife_certify(e, w, problem->lambda2, start, check);
	ok(fabs(check[2].limit / due[2].limit - 1) <= 1e-6, "the limit by the start: %g, not %g",
	    check[2].limit, due[2].limit);
	ok(fabs(check[2].value - due[2].value) <= 1e-6, "the gradient at the weights: %g, not %g",
	    check[2].value, due[2].value);
}

/* What is off in one way is refused by the condition for it. */
static void
test_refusals(const struct kith_knife_problem *problem)
{
	struct kith_knife_solution sol = solve(problem, &control, .5);
	struct kith_knife_machine *m = &sol.machine;
	const size_t p = problem->X->p;
	const char *kernel = kernel_name[problem->kern.kind], *loss = loss_name[problem->loss];
	size_t inside = p;
	double F, *dF = numbers(p), was;

	kith_knife_check(problem, sol.w, m, sol.start_gradient, 1e-6, check);
	ok(kith_check_ok(&check[0]) && kith_check_ok(&check[1]) && kith_check_ok(&check[2]),
	    "%s, %s: a solution passes", kernel, loss);
	was = m->alpha[3];
	if (!m->primal) {
		m->alpha[3] += 1e-5 * fmax(1, fabs(was));
		kith_knife_check(problem, sol.w, m, sol.start_gradient, 1e-6, check);
		ok(!kith_check_ok(&check[1]), "%s, %s: alpha that is off by 1e-5", kernel, loss);
		m->alpha[3] = was;
	} else {
		m->slope[0] += 1e-5L;
		m->offset[0] += 1e-5L;
		kith_knife_check(problem, sol.w, m, sol.start_gradient, 1e-6, check);
		ok(!kith_check_ok(&check[1]), "%s, %s: a slope that is off by 1e-5", kernel, loss);
		m->slope[0] -= 1e-5L;
		m->offset[0] -= 1e-5L;
	}
	was = sol.w[0];
	sol.w[0] = 1.25;
	kith_knife_check(problem, sol.w, m, sol.start_gradient, 1e-6, check);
	ok(check[0].value == .25 && !kith_check_ok(&check[0]), "a weight of 1.25");
	sol.w[0] = -.5;
	kith_knife_check(problem, sol.w, m, sol.start_gradient, 1e-6, check);
	ok(check[0].value == .5 && !kith_check_ok(&check[0]), "a weight of -0.5");
	sol.w[0] = was;
	for (size_t j = 0; j < p; j++)
		inside = sol.w[j] > .01 && sol.w[j] < .99 ? j : inside;
	if (inside < p) {
		sol.w[inside] += .001;
		*m = evaluate(problem, sol.w, &F, dF);
		kith_knife_check(problem, sol.w, m, sol.start_gradient, 1e-6, check);
		ok(!kith_check_ok(&check[2]), "%s, %s: a weight moved by 1e-3: %.2g", kernel, loss,
		    check[2].value);
	}
	kith_knife_check(problem, sol.w, NULL, 0, 1e-6, check);
	ok(!kith_check_ok(&check[1]) && isnan(check[1].value) && isnan(check[2].value),
	    "without a machine nothing is decided");
}

/* What a slope is off by is relative to the targets, and seen where L' follows it. */
static void
test_small(struct kith_knife_problem problem)
{
	const size_t n = problem.X->n, p = problem.X->p;
	double *Y = numbers(n * problem.c), *w = even(p, .5), F, *dF = numbers(p);
	struct kith_knife_machine m;

	for (size_t i = 0; i < n * problem.c; i++)
		Y[i] = 1e-12 * problem.Y[i];
	problem.Y = Y;
	m = evaluate(&problem, w, &F, dF);
	for (size_t i = 0; i < n; i++) /* L = (y - f)^2 */
		m.dual[i] += .02L * m.slope[0] * (kith_row(problem.X, i)[0] - m.centre[0]);
	m.slope[0] *= 1.01L;
	kith_knife_check(&problem, w, &m, 0, 1e-6, check);
	ok(m.primal && !kith_check_ok(&check[1]), "off by 1 %%: %g", check[1].value);
}

int
main(void)
{
	const uint64_t seeds = getenv("KITH_LONG") ? 30 : 4;

	for (uint64_t seed = 0; seed < seeds; seed++)
		for (int kernel = 0; kernel < 4; kernel++)
			for (int loss = 0; loss < 4; loss++) {
				struct kith_knife_problem problem;

				kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE,
				    4 * (uint64_t)kernel + (uint64_t)loss);
				problem = draw(seed % 2 ? 30 : 5, 7, loss == 0 && seed % 3 ? 2 : 1,
				    kernels[kernel], (enum kith_knife_loss)loss);
				problem.intercept = seed % 4 > 1;
				test_values(&problem);
				test_certify(&problem);
				test_refusals(&problem);
				if (kernel == 0 && loss == 0 && seed % 2)
					test_small(problem);
				kith_pool_free(&pool);
			}
	return done();
}
