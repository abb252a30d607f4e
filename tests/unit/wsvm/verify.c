/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/verify.c: each of its conditions is violated alone by numbers given by hand.
 *
 * The problem has six rows with K(x_i, x_j) = 1 for i = j and else 0, and the ridge 3, so that
 * g_v = 4 alpha_v - d_v + e_v b, with d = 1, 1, 1, 1, -1, -1 and e = 1, -1, 1, -1, 1, -1.
 */
#include "base/pool.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "near/metric.h"
#include "tap.h"
#include "wsvm/engine.h"

#include <string.h>

enum { N = 6 };

static struct kith_pool pool;
static struct kith_mat X;
static struct kith_metric metric;
static struct kith_kern kern;
static struct kith_wsvm_problem problem;
static const size_t plus[N] = {0, 1, 2, 3, 4, 5};
static const double sign[N] = {1, -1, 1, -1, 1, -1};
static const double q[N] = {-1, -1, -1, -1, 1, 1};

static void
make_problem(void)
{
	X = kith_mat_new(&pool, N, N);
	for (size_t i = 0; i < N; i++)
		kith_row(&X, i)[i] = 1;
	metric = (struct kith_metric){.kind = KITH_SQUARED, .p = N};
	kern = (struct kith_kern){.kind = KITH_KERN_LINEAR, .metric = &metric};
	problem = (struct kith_wsvm_problem){.X = &X,
	    .kern = &kern,
	    .variables = N,
	    .plus = plus,
	    .sign = sign,
	    .q = q,
	    .bias = true,
	    .ridge = 3,
	    .cache = 1 << 20,
	    .threads = 1};
}

/* A path from the weights `from` to `to`; at its beginning. */
static struct kith_wsvm *
begin(const double *from, const double *to)
{
	struct kith_wsvm *s;

	make_problem();
	s = kith_wsvm_new(&problem, from, NULL, &pool);
	kith_wsvm_aim(s, to);
	return s;
}

/* The quick look at a piece. */

/* The piece on which alpha_M, b and all gradients are these, + theta times their rates. */
struct piece {
	double from[N], to[N];               /* weights */
	double alpha[2], rate[2], b, b_rate; /* M: variables 0 and 1, if it is not empty */
	double g[N], g_rate[N];              /* with b; M is empty: without */
	int8_t where[N];
};

static const struct piece two_in_M = {
    .from = {2, 2, .1, .1, 2, 2},
    .to = {2, 2, .1, .15, 2, 2},
    .alpha = {.25, .25},
    .rate = {.025, -.025},
    .b_rate = -.1,
    .g = {0, 0, -.6, -.6, 1, 1},
    .g_rate = {0, 0, -.1, .3, -.1, .1},
    .where = {MARGIN, MARGIN, UPPER, UPPER, LOWER, LOWER},
};

static const struct piece M_empty = {
    .from = {.1, .1, .1, .1, 2, 2},
    .to = {.1, .1, .1, .1, 2, 2},
    .b = .1,
    .g = {-.6, -.6, -.6, -.6, 1, 1},
    .where = {UPPER, UPPER, UPPER, UPPER, LOWER, LOWER},
};

/* The state of a path that is about to have its piece from theta 0 to 1 verified. */
static struct kith_wsvm *
set_piece(const struct piece *p)
{
	struct kith_wsvm *s = begin(p->from, p->to);
	const size_t m = s->margin->size;

	if (memcmp(s->where, p->where, N) != 0 || m > 2)
		return NULL;
	memset(s->margin->residuals, 0, 2 * m * sizeof(double));
	for (size_t i = 0; i < m; i++) {
		s->now.alpha[i] = s->end.alpha[i] = p->alpha[i];
		s->now.rate[i] = p->rate[i];
	}
	s->now.b = p->b;
	s->now.b_rate = p->b_rate;
	s->now.violation = s->now.lack[0] = s->now.lack[1] = 0;
	s->lazy.n = N;
	for (size_t v = 0; v < N; v++) { /* M, too, whose gradients are not looked at */
		s->lazy.list[v] = v;
		s->now.g[v] = p->g[v];
		s->now.g_rate[v] = p->g_rate[v];
	}
	s->n_moved = 0;
	return s;
}

/* What is wrong with a piece. */

static void
nothing(struct kith_wsvm *s)
{
	(void)s;
}

static void
alpha_over_upper_at_end(struct kith_wsvm *s)
{
	s->upper.to[0] = .275 - 1e-8;
}

static void
alpha_under_lower_at_end(struct kith_wsvm *s)
{
	s->lower.to[1] = .225 + 1e-8;
}

/* Gradients may change by more than 1e-7: their terms are large. */
static void
enlarge_terms(struct kith_wsvm *s)
{
	for (size_t v = 0; v < N; v++)
		s->d.from[v] = s->d.to[v] = -1e4 * q[v]; /* gradients keep their signs */
}

/* The last piece has ended at alpha_M + by, within the bounds. */
static void
move_last_end(struct kith_wsvm *s, double by)
{
	enlarge_terms(s);
	s->end.alpha[0] += by;
	s->end.alpha[1] += by;
}

static void
alpha_over_upper_at_start(struct kith_wsvm *s)
{
	s->upper.from[0] = .25 - 1e-8;
	move_last_end(s, -1e-8);
}

static void
alpha_under_lower_at_start(struct kith_wsvm *s)
{
	s->lower.from[1] = .25 + 1e-8;
	move_last_end(s, 1e-8);
}

static void
residual_of_values(struct kith_wsvm *s)
{
	s->now.b += 1e-9;
	s->margin->residuals[0] = -1e-9;
	s->margin->residuals[1] = 1e-9;
}

static void
residual_of_rates(struct kith_wsvm *s)
{
	s->now.b_rate += 1e-9;
	s->margin->residuals[2] = -1e-9;
	s->margin->residuals[3] = 1e-9;
}

/* Of a sum that has rounded: the gradients, summed from kernel rows, are 0. */
static void
residual_is_rounding(struct kith_wsvm *s)
{
	s->margin->residuals[0] = 1e-9;
}

/* fixed.f had terms of 1e6 once, whose rounding it has. */
static void
scores_have_rounded(struct kith_wsvm *s)
{
	s->fixed.size = 1e7;
	s->d.to[0] += 1e-9;
}

static void
sum_lacks_at_start(struct kith_wsvm *s)
{
	s->now.lack[0] = 1e-8;
	s->now.lack[1] = -1e-8;
}

static void
sum_lacks_at_end(struct kith_wsvm *s)
{
	s->now.lack[1] = 1e-8;
}

static void
gradient_has_wrong_sign(struct kith_wsvm *s)
{
	s->now.violation = 21;
}

static void
gradient_is_no_number(struct kith_wsvm *s)
{
	s->now.violation = NAN;
}

static void
last_end_has_another_sum(struct kith_wsvm *s)
{
	enlarge_terms(s);
	s->end.alpha[0] += 1e-8;
}

static void
last_end_of_moved_has_another_sum(struct kith_wsvm *s)
{
	enlarge_terms(s);
	s->moved[s->n_moved++] = 2;
	s->was[2] = MARGIN;
	s->end.alpha[2] += 1e-8;
}

static void
last_end_has_other_scores(struct kith_wsvm *s)
{
	s->end.alpha[0] += 1e-9;
	s->end.alpha[1] += 1e-9;
}

/* The scores change by 1e-10, which is small; ridge alpha by 3e-10. */
static void
last_end_has_another_ridge_term(struct kith_wsvm *s)
{
	s->end.alpha[0] += 1e-10;
	s->end.alpha[1] += 1e-10;
}

/* Of M alone the terms are 1e-6; the largest |d| is 1. */
static void
terms_of_M_are_small(struct kith_wsvm *s)
{
	s->now.b_rate = 0;
	for (size_t v = 0; v < 2; v++) {
		s->d.from[v] = s->d.to[v] = 1e-6;
		s->now.alpha[v] = s->end.alpha[v] = .25e-6;
		s->now.rate[v] = 0;
	}
}

static void
last_end_has_other_scores_beside_small_terms(struct kith_wsvm *s)
{
	terms_of_M_are_small(s);
	s->end.alpha[0] += 1e-11;
	s->end.alpha[1] += 1e-11;
}

static void
last_end_of_moved_is_off_its_bound(struct kith_wsvm *s)
{
	s->moved[s->n_moved++] = 2;
	s->was[2] = MARGIN;
	s->end.alpha[2] = .1 + 3e-10;
}

static void
last_end_is_rounded(struct kith_wsvm *s)
{
	s->end.alpha[0] += 1e-14;
	s->end.alpha[1] += 2e-14;
}

static void
g_over_0_at_upper_at_start(struct kith_wsvm *s)
{
	s->now.g[3] = 1e-9;
	s->now.g_rate[3] = -.3;
}

static void
g_over_0_at_upper_at_end(struct kith_wsvm *s)
{
	s->now.g_rate[3] = .6 + 1e-9;
	s->d.to[3] = .7 - 1e-9;
}

static void
g_under_0_at_lower_at_start(struct kith_wsvm *s)
{
	s->now.g[4] = -1e-9;
	s->now.g_rate[4] = .1;
}

static void
g_under_0_at_lower_at_end(struct kith_wsvm *s)
{
	s->now.g_rate[4] = -1 - 1e-10;
	s->d.to[4] = -.1 + 1e-10;
}

/* The path takes g_4 for 0 at the end, as fixed.f has the rounding of larger terms. */
static void
g_has_rounded(struct kith_wsvm *s)
{
	s->fixed.size = 1e7;
	s->now.g_rate[4] = -1;
	s->d.to[4] = -.1 + 1e-10;
}

/* Its bounds are apart before the end. */
static void
g_over_0_where_bounds_meet(struct kith_wsvm *s)
{
	s->lower.to[3] = s->upper.to[3];
	s->now.g_rate[3] = 1;
	s->d.to[3] = .3;
}

/* A variable whose bounds are equal has no side. */
static void
g_over_0_where_bounds_are_equal(struct kith_wsvm *s)
{
	g_over_0_where_bounds_meet(s);
	s->lower.from[3] = s->upper.from[3];
}

static void
g_of_M_is_listed(struct kith_wsvm *s)
{
	s->now.g[0] = -1;
}

/* With b = -.1 once more it would be under 0. */
static void
g_has_b(struct kith_wsvm *s)
{
	s->now.g[4] = .05;
	s->now.g_rate[4] = 0;
}

static void
b_over_its_interval(struct kith_wsvm *s)
{
	s->now.b = .7;
}

static void
b_over_its_interval_at_end(struct kith_wsvm *s)
{
	s->now.b_rate = .6;
}

static void
test_quick_look(void)
{
	static const struct {
		const char *what;
		const struct piece *piece;
		void (*spoil)(struct kith_wsvm *);
		bool whole; /* refused by the quick look, or the line begins at the last end */
		bool right; /* the verdict */
	} cases[] = {
	    {"a right piece", &two_in_M, nothing, false, true},
	    {"alpha over its upper bound at the end", &two_in_M, alpha_over_upper_at_end, true,
		false},
	    {"alpha under its lower bound at the end", &two_in_M, alpha_under_lower_at_end, true,
		false},
	    /* The piece begins with the alpha of the last end, which is within the bounds. */
	    {"alpha over its upper bound at the start", &two_in_M, alpha_over_upper_at_start, true,
		true},
	    {"alpha under its lower bound at the start", &two_in_M, alpha_under_lower_at_start,
		true, true},
	    {"a residual of the values", &two_in_M, residual_of_values, true, true},
	    {"a residual of the rates", &two_in_M, residual_of_rates, true, true},
	    {"a residual of rounding", &two_in_M, residual_is_rounding, false, true},
	    {"scores that have rounded", &two_in_M, scores_have_rounded, true, true},
	    {"e'alpha lacks something at the start", &M_empty, sum_lacks_at_start, true, true},
	    {"e'alpha lacks something at the end", &M_empty, sum_lacks_at_end, true, true},
	    {"a violation beyond rounding", &two_in_M, gradient_has_wrong_sign, true, true},
	    {"a violation that is no number", &two_in_M, gradient_is_no_number, true, true},
	    {"e'alpha of M at the last end", &two_in_M, last_end_has_another_sum, true, false},
	    {"e'alpha of what moved at the last end", &two_in_M, last_end_of_moved_has_another_sum,
		true, false},
	    {"scores at the last end", &two_in_M, last_end_has_other_scores, true, false},
	    {"small terms in M", &two_in_M, terms_of_M_are_small, false, true},
	    {"scores at the last end beside small terms", &two_in_M,
		last_end_has_other_scores_beside_small_terms, true, false},
	    {"ridge alpha at the last end", &two_in_M, last_end_has_another_ridge_term, true, true},
	    {"a bound at the last end", &two_in_M, last_end_of_moved_is_off_its_bound, true, true},
	    {"a last end that is off by rounding", &two_in_M, last_end_is_rounded, false, true},
	    {"g > 0 at an upper bound at the start", &two_in_M, g_over_0_at_upper_at_start, true,
		true},
	    {"g > 0 at an upper bound at the end", &two_in_M, g_over_0_at_upper_at_end, true, true},
	    {"g < 0 at a lower bound at the start", &two_in_M, g_under_0_at_lower_at_start, true,
		true},
	    {"g < 0 at a lower bound at the end", &two_in_M, g_under_0_at_lower_at_end, true, true},
	    {"g that has rounded at the end", &two_in_M, g_has_rounded, true, true},
	    {"g > 0 where both bounds meet", &two_in_M, g_over_0_where_bounds_meet, true, false},
	    {"g > 0 where both bounds are equal", &two_in_M, g_over_0_where_bounds_are_equal, false,
		true},
	    {"g of M is rounding, whatever it is", &two_in_M, g_of_M_is_listed, false, true},
	    {"g counts b once", &two_in_M, g_has_b, false, true},
	    {"M is empty", &M_empty, nothing, false, true},
	    {"b over its interval", &M_empty, b_over_its_interval, true, false},
	    {"b over its interval at the end", &M_empty, b_over_its_interval_at_end, true, false},
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct kith_wsvm *s = set_piece(cases[c].piece);
		bool whole = false, right = false;

		if (s) {
			cases[c].spoil(s);
			for (size_t v = 0; v < N; v++)
				s->d_min = fmin(
				    s->d_min, fmin(fabs(s->d.from[v]), fabs(s->d.to[v])));
			right = kith_wsvm_verify(s, (struct place){1, 0}, &whole);
		}
		ok(s && whole == cases[c].whole, "%s: the piece is %s", cases[c].what,
		    cases[c].whole ? "not taken as it is" : "accepted");
		ok(s && right == cases[c].right, "and %s", cases[c].right ? "right" : "wrong");
		kith_pool_free(&pool);
	}
}

/* Regression: variables v and 2 + v belong to row v. */
static struct kith_wsvm *
begin_regress(void)
{
	static const size_t item[4] = {0, 1, 0, 1};
	static const double e[4] = {1, 1, -1, -1}, C[4] = {1, 1, 1, 1};
	static const double minus_d[4] = {.1 - 1, .1 + 1, .1 + 1, .1 - 1}; /* epsilon .1, y 1, -1 */
	struct kith_wsvm *s;

	make_problem();
	problem.variables = 4;
	problem.plus = item;
	problem.sign = e;
	problem.q = minus_d;
	s = kith_wsvm_new(&problem, C, NULL, &pool);
	kith_wsvm_aim(s, C);
	return s;
}

static void
test_mirrored(void)
{
	struct kith_wsvm *s = begin_regress();
	/* b = 0: 4 alpha - (1 - .1) = 0. */
	double alpha[4] = {.225, 0, 0, .225};
	const struct point at = {1, 0, alpha};
	const char *what = "";
	bool whole;

	ok(s->is_mirrored, "regression has mirrored variables");
	ok(kith_wsvm_violation(s, &at, &at, &what) <= 1, "a solution of regression");
	alpha[0] += .5;
	alpha[2] += .5;
	ok(kith_wsvm_violation(s, &at, &at, &what) <= 1,
	    "what both variables of a row have changes no score");
	alpha[0] += 1e-6;
	alpha[1] += 1e-6;
	ok(kith_wsvm_violation(s, &at, &at, &what) > 1, "what one has does");

	memset(s->where, LOWER, 4);
	s->margin->size = s->lazy.n = s->n_moved = 0;
	s->now.lack[0] = s->now.lack[1] = s->now.violation = 0;
	s->where[0] = UPPER;
	kith_wsvm_verify(s, (struct place){1, 0}, &whole);
	ok(!whole, "one variable of a row above 0: the quick look accepts");
	s->where[2] = UPPER;
	kith_wsvm_verify(s, (struct place){1, 0}, &whole);
	ok(whole, "both above 0: the judge decides");
	kith_pool_free(&pool);
}

/* The judge. */

/* A change of a solution: alpha of two variables, and b. */
struct change {
	size_t v, w;
	double by_v, by_w, by_b;
	const char *what; /* that is wrong then; NULL: nothing */
};

/* The weights of a path on which 0 alone is in M. */
static const double C_from[N] = {2, .2, .1, .1, 2, 2}, C_to[N] = {2, .2, .1, .15, 2, 2};

static void
test_judge(void)
{
	static const struct change changes[] = {
	    {0, 0, 0, 0, 0, NULL},
	    {0, 0, 1e-8, 0, -4e-8, "sum"},
	    {0, 0, -1e-8, 0, 4e-8, "sum"},
	    {2, 3, 1e-8, 1e-8, 0, "bound"},   /* over the upper one */
	    {4, 5, -1e-8, -1e-8, 0, "bound"}, /* under the lower one */
	    {0, 0, 0, 0, 1e-8, "kkt"},        /* g > 0 */
	    {0, 0, 0, 0, -1e-8, "kkt"},       /* g < 0 */
	    {2, 3, 1e-10, 1e-10, 1e-10, NULL},
	    {4, 4, NAN, 0, 0, "bound"},
	};

	for (size_t c = 0; c < sizeof(changes) / sizeof(*changes); c++)
		for (int end = 0; end < 2; end++) {
			struct kith_wsvm *s = begin(C_from, C_to);
			double left[N] = {.2, .2, .1, .1, 0, 0},
			       right[N] = {.25, .2, .1, .15, 0, 0};
			struct point l = {0, .2, left}, r = {1, 0, right};
			struct point *of = end ? &r : &l;
			const struct change *change = &changes[c];
			const char *what = "";
			double off;

			of->alpha[change->v] += change->by_v;
			of->alpha[change->w] += change->by_w;
			of->b += change->by_b;
			off = kith_wsvm_violation(s, &l, &r, &what);
			ok(change->what ? off > 1 && strcmp(what, change->what) == 0 : off <= 1,
			    "change %zu at the %s: %s (%g)", c, end ? "end" : "start",
			    change->what ? change->what : "right", off);
			kith_pool_free(&pool);
		}
}

/* Both ends are solutions, and variable 1 enters M between them. */
static void
test_between(void)
{
	static const double to[N] = {2, .3, .1, .15, 2, 2};
	struct kith_wsvm *s = begin(C_from, to);
	double left[N] = {.2, .2, .1, .1, 0, 0}, right[N] = {.275, .225, .1, .15, 0, 0};
	const struct point l = {0, .2, left}, r = {1, -.1, right};
	const char *what = "";

	ok(kith_wsvm_violation(s, &l, &l, &what) <= 1, "the start is a solution");
	ok(kith_wsvm_violation(s, &r, &r, &what) <= 1, "and so is the end");
	ok(kith_wsvm_violation(s, &l, &r, &what) > 1 && strcmp(what, "kkt") == 0,
	    "but not the line between");
	kith_pool_free(&pool);
}

/* Without a bias e'alpha is anything. */
static void
test_no_bias(void)
{
	static const double C[N] = {2, 2, .1, .1, 2, 2};
	struct kith_wsvm *s;
	double alpha[N] = {.25, .25, .1, .1, 0, 0};
	const struct point at = {1, 7, alpha};
	const char *what = "";

	make_problem();
	problem.bias = false;
	s = kith_wsvm_new(&problem, C, NULL, &pool);
	alpha[3] = s->upper.to[3] = .05; /* e'alpha = .05 */
	ok(kith_wsvm_violation(s, &at, &at, &what) <= 1, "no bias: no sum, and b does not count");
	ok(kith_wsvm_nearest_bias(s, &at, true) == 0, "b is 0");
	kith_pool_free(&pool);
}

/*
 * The weight of variable 3 falls from 1e9 to 0, and is `weight` near theta = 1, where the last bit
 * of theta is 2e-7 of it.  `shared`: K(x_0, x_3) is .5 and K(x_3, x_3) 1.25.
 */
static struct kith_wsvm *
begin_steep(double weight, bool shared, struct point *at)
{
	static const double from[N] = {2, 0, 0, 1e9, 2, 2}, to[N] = {2, 0, 0, 0, 2, 2};
	struct kith_wsvm *s;

	make_problem();
	if (shared)
		kith_row(&X, 3)[0] = .5;
	s = kith_wsvm_new(&problem, from, NULL, &pool);
	kith_wsvm_aim(s, to);
	at->theta = 1 - weight * 1e-9;
	memset(at->alpha, 0, N * sizeof(double));
	at->alpha[0] = at->alpha[3] = at_theta(&s->upper, 3, at->theta);
	at->b = 1 - (shared ? 3.5 : 4) * at->alpha[0];
	return s;
}

static void
test_bits_of_theta(void)
{
	static const struct {
		const char *name;
		bool shared;
		double weight, by_0, by_3, by_b;
	} cases[] = {
	    {"alpha off its bound", false, .2, 1e-7, 1e-7, -4e-7},
	    {"e'alpha off its sum", false, .2, 1e-7, 0, -4e-7},
	    {"a gradient by what alpha of another one is off", true, .2, 0, 1e-7, 0},
	    {"the ridge term of a gradient", false, .25, 5e-8, 5e-8, -2e-7},
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++)
		for (int times = 0; times <= 10; times += times ? 9 : 1) {
			double alpha[N];
			struct point at = {.alpha = alpha};
			struct kith_wsvm *s = begin_steep(cases[c].weight, cases[c].shared, &at);
			const char *what = "";
			double off;

			at.alpha[0] += times * cases[c].by_0;
			at.alpha[3] += times * cases[c].by_3;
			at.b += times * cases[c].by_b;
			off = kith_wsvm_violation(s, &at, &at, &what);
			ok((off <= 1) == (times <= 1),
			    "%s, %d times what theta leaves open: %s (%g)", cases[c].name, times,
			    times <= 1 ? "right" : "wrong", off);
			kith_pool_free(&pool);
		}
}

/*
 * Variables 0 and 1 have one row, whose kernel is large, and weights that fall from 1e9 to 0: alpha is
 * 1 / ridge, and 0 at the end.  The straight line there is wrong before the weights come down to alpha.
 */
static void
test_steep_end(void)
{
	static const double from[N] = {1e9, 1e9}, to[N] = {0};
	double left[N] = {1 / 3., 1 / 3.}, right[N] = {0};
	const struct point l = {0, 0, left}, r = {1, 0, right};
	struct kith_wsvm_piece piece;
	struct kith_wsvm *s;
	const char *what = "";

	make_problem();
	kith_row(&X, 0)[0] = kith_row(&X, 1)[0] = 3000;
	kith_row(&X, 1)[1] = 0;
	s = kith_wsvm_new(&problem, from, NULL, &pool);
	kith_wsvm_aim(s, to);
	ok(kith_wsvm_violation(s, &l, &r, &what) > 1 && strcmp(what, "kkt") == 0,
	    "what theta leaves open at its ends does not hide a wrong line");
	ok(kith_wsvm_next(s, &piece, NULL, NULL) && fabs(1 - piece.to - 1e-9 / 3) < 1e-15 &&
		piece.to < 1,
	    "the event before the end of the path is found (%g)", 1 - piece.to);
	kith_pool_free(&pool);
}

static void
test_nearest_bias(void)
{
	struct kith_wsvm *s = begin(C_from, C_to);
	double alpha[N] = {.2, .2, .1, .1, 0, 0}, all[N] = {.1, .1, .1, .1, 0, 0};
	double apart[N] = {.25, .251, .1, .1, 0, 0};

	is_near(kith_wsvm_nearest_bias(s, &(struct point){0, 5, alpha}, false), .2, 1e-8,
	    "M says which b, from above");
	is_near(kith_wsvm_nearest_bias(s, &(struct point){0, -5, alpha}, false), .2, 1e-8,
	    "and from below");
	ok(kith_wsvm_nearest_bias(s, &(struct point){0, .2 + 1e-12, alpha}, true) == .2 + 1e-12,
	    "a b that is off by rounding stays, also where the middle is wanted");
	kith_pool_free(&pool);

	s = begin(M_empty.from, M_empty.to);
	is_near(kith_wsvm_nearest_bias(s, &(struct point){0, 5, all}, false), .6, 1e-8,
	    "M is empty: the upper end of the interval");
	is_near(kith_wsvm_nearest_bias(s, &(struct point){0, -5, all}, false), -.6, 1e-8,
	    "its lower end");
	ok(kith_wsvm_nearest_bias(s, &(struct point){0, .1, all}, false) == .1,
	    "a b within it stays");
	is_near(kith_wsvm_nearest_bias(s, &(struct point){0, .1, all}, true), 0, 1e-15,
	    "or the middle is taken");
	kith_pool_free(&pool);

	s = begin(two_in_M.from, two_in_M.to);
	is_near(kith_wsvm_nearest_bias(s, &(struct point){0, 5, apart}, false), .002, 1e-8,
	    "no b is right for two variables: the middle of theirs");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_quick_look();
	test_mirrored();
	test_judge();
	test_between();
	test_no_bias();
	test_bits_of_theta();
	test_steep_end();
	test_nearest_bias();
	return done();
}
