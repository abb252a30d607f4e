/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/verify.c: each of its conditions is violated alone by numbers given by hand.
 *
 * The problem has six rows with K(x_i, x_j) = 1 for i = j and else 0, and the ridge 3, so that
 * g_v = 4 alpha_v + q_v + e_v b, with q = -1, -1, -1, -1, 1, 1 and e = 1, -1, 1, -1, 1, -1.
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
static double q[N];

static void
make_problem(void)
{
	memcpy(q, (const double[N]){-1, -1, -1, -1, 1, 1}, sizeof(q));
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
	s = kith_wsvm_new(&problem, from, &pool);
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

/* A number of the state of a path. */
enum number {
	NO_NUMBER,
	UPPER_FROM,
	UPPER_TO,
	Q,
	RATE,
	END_ALPHA,
	B,
	B_RATE,
	G,
	G_RATE,
	RESIDUAL,
	LACK,
	VIOLATION,
	FIXED_SIZE,
};

/* A number of the state, of variable v, gets another value. */
struct edit {
	enum number number;
	size_t v;
	double value;
};

static void
apply(struct kith_wsvm *s, const struct edit *e)
{
	double *const numbers[] = {[UPPER_FROM] = s->from,
	    [UPPER_TO] = s->to,
	    [Q] = q,
	    [RATE] = s->now.rate,
	    [END_ALPHA] = s->end.alpha,
	    [B] = &s->now.b,
	    [B_RATE] = &s->now.b_rate,
	    [G] = s->now.g,
	    [G_RATE] = s->now.g_rate,
	    [RESIDUAL] = s->margin->residuals,
	    [LACK] = s->now.lack,
	    [VIOLATION] = &s->now.violation,
	    [FIXED_SIZE] = &s->fixed.size};

	numbers[e->number][e->v] = e->value;
}

enum {
	LARGE =
	    1, /* terms are large: gradients may change by more than 1e-7, and keep their signs */
	SMALL = 2, /* of M alone terms are 1e-6; the largest |q| is 1 */
	MOVED = 4, /* variable 2 was in M at the last end */
};

static void
set_terms(struct kith_wsvm *s, unsigned with)
{
	for (size_t v = 0; v < N && with & LARGE; v++)
		q[v] *= 1e4;
	for (size_t v = 0; v < 2 && with & SMALL; v++) {
		s->now.b_rate = 0;
		q[v] = -1e-6;
		s->now.alpha[v] = s->end.alpha[v] = .25e-6;
		s->now.rate[v] = 0;
	}
	if (with & MOVED) {
		s->moved[s->n_moved++] = 2;
		s->was[2] = MARGIN;
	}
}

/* clang-format off */
static const struct {
	const char *what;
	const struct piece *piece;
	struct edit edit[4];
	unsigned with;
	bool whole; /* refused by the quick look, or the line begins at the last end */
	bool right; /* the verdict */
} looks[] = {
	{"a right piece", &two_in_M, {{0}}, 0, false, true},
	{"alpha over its upper bound at the end", &two_in_M, {{UPPER_TO, 0, .275 - 1e-8}}, 0, true, false},
	{"alpha under its lower bound at the end", &two_in_M, {{RATE, 1, -.25 - 1e-8}}, 0, true, false},
	/* The piece begins with the alpha of the last end, which is within the bounds. */
	{"alpha over its upper bound at the start", &two_in_M,
	    {{UPPER_FROM, 0, .25 - 1e-8}, {END_ALPHA, 0, .25 - 1e-8}, {END_ALPHA, 1, .25 - 1e-8}}, LARGE, true, true},
	{"a residual of the values", &two_in_M, {{B, 0, 1e-9}, {RESIDUAL, 0, -1e-9}, {RESIDUAL, 1, 1e-9}}, 0, true, true},
	{"a residual of the rates", &two_in_M, {{B_RATE, 0, -.1 + 1e-9}, {RESIDUAL, 2, -1e-9}, {RESIDUAL, 3, 1e-9}}, 0, true, true},
	/* Of a sum that has rounded: the gradients, summed from kernel rows, are 0. */
	{"a residual of rounding", &two_in_M, {{RESIDUAL, 0, 1e-9}}, 0, false, true},
	/* fixed.f had terms of 1e6 once, whose rounding it has. */
	{"scores that have rounded", &two_in_M, {{FIXED_SIZE, 0, 1e7}, {Q, 0, -1 - 1e-9}}, 0, true, true},
	{"e'alpha lacks something at the start", &M_empty, {{LACK, 0, 1e-8}, {LACK, 1, -1e-8}}, 0, true, true},
	{"e'alpha lacks something at the end", &M_empty, {{LACK, 1, 1e-8}}, 0, true, true},
	{"a violation beyond rounding", &two_in_M, {{VIOLATION, 0, 21}}, 0, true, true},
	{"a violation that is no number", &two_in_M, {{VIOLATION, 0, NAN}}, 0, true, true},
	{"e'alpha of M at the last end", &two_in_M, {{END_ALPHA, 0, .25 + 1e-8}}, LARGE, true, false},
	{"e'alpha of what moved at the last end", &two_in_M, {{END_ALPHA, 2, .1 + 1e-8}}, LARGE | MOVED, true, false},
	{"scores at the last end", &two_in_M, {{END_ALPHA, 0, .25 + 1e-9}, {END_ALPHA, 1, .25 + 1e-9}}, 0, true, false},
	{"small terms in M", &two_in_M, {{0}}, SMALL, false, true},
	{"scores at the last end beside small terms", &two_in_M,
	    {{END_ALPHA, 0, .25e-6 + 1e-11}, {END_ALPHA, 1, .25e-6 + 1e-11}}, SMALL, true, false},
	/* The scores change by 1e-10, which is small; ridge alpha by 3e-10. */
	{"ridge alpha at the last end", &two_in_M, {{END_ALPHA, 0, .25 + 1e-10}, {END_ALPHA, 1, .25 + 1e-10}}, 0, true, true},
	{"a bound at the last end", &two_in_M, {{END_ALPHA, 2, .1 + 3e-10}}, MOVED, true, true},
	{"a last end that is off by rounding", &two_in_M, {{END_ALPHA, 0, .25 + 1e-14}, {END_ALPHA, 1, .25 + 2e-14}}, 0, false, true},
	{"g > 0 at an upper bound at the start", &two_in_M, {{G, 3, 1e-9}, {G_RATE, 3, -.3}}, 0, true, true},
	{"g > 0 at an upper bound at the end", &two_in_M, {{G, 3, -.3 + 1e-9}, {G_RATE, 3, .3}, {Q, 3, -.7 + 1e-9}}, 0, true, true},
	{"g < 0 at a lower bound at the start", &two_in_M, {{G, 4, -1e-9}, {G_RATE, 4, .1}}, 0, true, true},
	{"g < 0 at a lower bound at the end", &two_in_M, {{G, 4, .1 - 1e-10}, {G_RATE, 4, -.1}, {Q, 4, .1 - 1e-10}}, 0, true, true},
	/* The path takes g_4 for 0 at the end, as fixed.f has the rounding of larger terms. */
	{"g that has rounded at the end", &two_in_M, {{FIXED_SIZE, 0, 1e7}, {G, 4, .1}, {G_RATE, 4, -.1}, {Q, 4, .1 - 1e-10}}, 0, true, true},
	/* There is a weight before the end. */
	{"g > 0 where the weight vanishes", &two_in_M,
	    {{UPPER_TO, 3, 0}, {B_RATE, 0, -1}, {Q, 3, -.6}, {G_RATE, 3, 1}}, 0, true, false},
	/* A variable without a weight has no side. */
	{"g > 0 without a weight", &two_in_M, {{UPPER_TO, 3, 0}, {G_RATE, 3, 1}, {UPPER_FROM, 3, 0}}, 0, false, true},
	{"g of M is rounding, whatever it is", &two_in_M, {{G, 0, -1}}, 0, false, true},
	/* With b = -.1 once more it would be under 0. */
	{"g counts b once", &two_in_M, {{G, 4, .05}, {G_RATE, 4, 0}}, 0, false, true},
	{"M is empty", &M_empty, {{0}}, 0, false, true},
	{"b over its interval", &M_empty, {{B, 0, .7}}, 0, true, false},
	{"b over its interval at the end", &M_empty, {{B_RATE, 0, .6}}, 0, true, false},
};
/* clang-format on */

static void
test_quick_look(void)
{
	for (size_t c = 0; c < sizeof(looks) / sizeof(*looks); c++) {
		struct kith_wsvm *s = set_piece(looks[c].piece);
		bool whole = false, right = false;

		if (s) {
			set_terms(s, looks[c].with);
			for (size_t e = 0; e < 4 && looks[c].edit[e].number != NO_NUMBER; e++)
				apply(s, &looks[c].edit[e]);
			for (size_t v = 0; v < N; v++)
				s->q_min = fmin(s->q_min, fabs(q[v]));
			right = kith_wsvm_verify(s, (struct place){1, 0}, &whole);
		}
		ok(s && whole == looks[c].whole && right == looks[c].right,
		    "%s: the piece is %s, and %s", looks[c].what,
		    looks[c].whole ? "not taken as it is" : "accepted",
		    looks[c].right ? "right" : "wrong");
		kith_pool_free(&pool);
	}
}

/* Where M is empty, a piece has what e'alpha lacks, and how that changes. */
static void
test_lack(void)
{
	struct kith_wsvm *s = begin(M_empty.from, M_empty.to);

	s->fixed.value[0] += 1e-3; /* e = 1, -1 */
	s->fixed.rate[1] += 1e-2;
	kith_wsvm_find_event(s);
	is_near(s->now.lack[0], -1e-3, 1e-15, "what e'alpha lacks");
	is_near(s->now.lack[1], 1e-2, 1e-15, "and its slope");
	kith_pool_free(&pool);
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
	s = kith_wsvm_new(&problem, C, &pool);
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
	s = kith_wsvm_new(&problem, C, &pool);
	alpha[3] = s->to[3] = .05; /* e'alpha = .05 */
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
	s = kith_wsvm_new(&problem, from, &pool);
	kith_wsvm_aim(s, to);
	at->theta = 1 - weight * 1e-9;
	memset(at->alpha, 0, N * sizeof(double));
	at->alpha[0] = at->alpha[3] = C_at_theta(s, 3, at->theta);
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
	s = kith_wsvm_new(&problem, from, &pool);
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
	test_lack();
	test_mirrored();
	test_judge();
	test_between();
	test_no_bias();
	test_bits_of_theta();
	test_steep_end();
	test_nearest_bias();
	return done();
}
