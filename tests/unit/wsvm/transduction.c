/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of kith_wsvm_transduction(): against steps that solve from nothing. */
#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"

enum { P = 2, MOST = 80 };

static struct kith_rng rng;
static size_t exchanges; /* of all */
static size_t kind;      /* of the classes: a third, two, or half are positive */
static bool grid;        /* rows are on a grid, where many are equal */

/* A problem with n rows, of which the first have labels. */
struct some {
	struct task t;
	struct kith_wsvm_transduce_how how;
	size_t n, labelled, row[MOST];
	bool truth[MOST];
};

static void
make(struct some *s, size_t n, size_t labelled, double C, double C_star)
{
	struct task *t = &s->t;
	size_t positives = 0;

	*s = (struct some){.n = n, .labelled = labelled};
	task_new(t, n, P, 2 * n - labelled, false);
	for (size_t i = 0; i < n; i++) {
		s->truth[i] = kind == 2 ? i % 2 > 0 : kind == 1 ? i % 3 > 0 : i % 3 == 0;
		positives += i < labelled && s->truth[i];
		t->plus[i] = i;
		t->sign[i] = i >= labelled || s->truth[i] ? 1 : -1;
		t->q[i] = -1;
		if (i < labelled)
			continue;
		s->row[i - labelled] = i;
		t->plus[n + i - labelled] = i;
		t->q[n + i - labelled] = t->sign[n + i - labelled] = -1;
	}
	s->how = (struct kith_wsvm_transduce_how){.problem = &t->problem,
	    .k = n - labelled,
	    .positives = (2 * positives * (n - labelled) + labelled) / (2 * labelled),
	    .C = C,
	    .C_star = C_star};
}

static void
draw(struct some *s, size_t n, size_t labelled, double C, double C_star)
{
	make(s, n, labelled, C, C_star);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < P; j++) {
			const double x = 2 * kith_rng_unit(&rng) + (s->truth[i] ? .8 : 0);

			kith_row(&s->t.X, i)[j] = grid ? floor(3 * x) / 3 : x;
		}
	task_ready(&s->t, KITH_KERN_GAUSSIAN, 1, 1e-6);
}

/* f of all rows for the labels, by a problem of one variable a row. */
static void
solve(const struct some *s, const bool *yes, double C_yes, double C_no, double *f)
{
	const size_t n = s->n;
	struct kith_pool own = {0};
	struct kith_wsvm_problem problem = s->t.problem;
	struct kith_wsvm_solution at;
	double *sign = kith_new(&own, n, sizeof(*sign));
	double *C = kith_new(&own, n, sizeof(*C));

	for (size_t i = 0; i < n; i++) {
		const bool as = i < s->labelled ? s->truth[i] : yes[i - s->labelled];

		sign[i] = as ? 1 : -1;
		C[i] = i < s->labelled ? s->how.C : as ? C_yes : C_no;
	}
	problem.variables = n;
	problem.sign = sign;
	kith_wsvm_get(kith_wsvm_new(&problem, C, &own), &at);
	for (size_t i = 0; i < n; i++)
		f[i] = at.f[i] + at.b;
	kith_pool_free(&own);
}

/* The labels with the k+ largest f, of equal ones the first. */
static void
label(const struct some *s, const double *f, bool *yes)
{
	for (size_t u = 0; u < s->how.k; u++) {
		size_t before = 0;

		for (size_t w = 0; w < s->how.k; w++) {
			const double by = f[s->row[w]] - f[s->row[u]];

			before += by > 0 || (by == 0 && w < u);
		}
		yes[u] = before < s->how.positives;
	}
}

/* Exchange the two labels with the largest sum of slacks, over all pairs. */
static bool
exchange(const struct some *s, const double *f, bool *yes)
{
	double most = 2 + 1e-9;
	size_t at[2] = {0, 0};

	for (size_t u = 0; u < s->how.k; u++)
		for (size_t w = 0; w < s->how.k; w++) {
			const double a = 1 - f[s->row[u]];
			const double b = 1 + f[s->row[w]];

			if (!yes[u] || yes[w] || a <= 1e-9 || b <= 1e-9 || a + b <= most)
				continue;
			most = a + b;
			at[0] = u;
			at[1] = w;
		}
	if (most == 2 + 1e-9)
		return false;
	yes[at[0]] = false;
	yes[at[1]] = true;
	return true;
}

/* The whole of it, from nothing at each step. */
static void
test_steps(size_t n, size_t labelled, double C, double C_star)
{
	struct some s;
	struct kith_wsvm_transduced got;
	struct kith_wsvm_count count = {.residual = INFINITY};
	double f[MOST], worst = 0, no, pos;
	bool yes[MOST] = {false}, last = false;
	size_t switches = 0, stages = 0, wrong = 0, ones = 0;

	draw(&s, n, labelled, C, C_star);
	kith_wsvm_transduction(&s.how, &got, &count, &pool);
	solve(&s, yes, 0, 0, f);
	label(&s, f, yes);
	no = 1e-5 * C_star;
	pos = fmin(C_star, no * (double)s.how.positives / (double)(s.how.k - s.how.positives));
	for (; !last; stages++) {
		last = no == C_star && pos == C_star;
		solve(&s, yes, pos, no, f);
		while (exchange(&s, f, yes)) {
			switches++;
			solve(&s, yes, pos, no, f);
		}
		no = fmin(2 * no, C_star);
		pos = fmin(2 * pos, C_star);
	}
	exchanges += switches;
	for (size_t u = 0; u < s.how.k; u++) {
		wrong += got.yes[u] != yes[u];
		ones += got.yes[u];
	}
	for (size_t i = 0; i < n; i++)
		worst = fmax(worst, fabs(got.at.f[i] + got.at.b - f[i]));
	ok(wrong == 0 && got.switches == switches && got.stages == stages,
	    "n %zu, %zu labelled: %zu exchanges in %zu stages", n, labelled, switches, stages);
	ok(worst <= 1e-8 * (1 + C_star), "f is off by %g", worst);
	is_size(ones, s.how.positives, "k+ rows are positive");
	ok(count.residual <= 1e-9 && count.rows > 0, "%zu events, residual %g", count.events,
	    count.residual);
	kith_pool_free(&pool);
}

/* Rows 0 and 10 have labels; k rows beside them, of which some are positive. */
static void
make_line(struct some *s, size_t k, size_t positives, double C, double C_star)
{
	make(s, 2 + k, 2, C, C_star);
	kith_row(&s->t.X, 0)[0] = 10;
	for (size_t u = 0; u < k; u++)
		kith_row(&s->t.X, 2 + u)[0] = u < positives ? 9 : 1;
	task_ready(&s->t, KITH_KERN_LINEAR, 1, 1e-6);
	s->how.positives = positives;
}

/*
 * Both weights double from 1e-5 C*, and that of the positives times k+ / k-, up
 * to C*, each with a stage of its own: the smaller one needs the most.
 */
static void
test_stages(void)
{
	static const struct {
		size_t k, positives, stages;
		double C_star;
	} due[] = {
	    {2, 1, 18, 1},      /* 2^17 = 1.3e5 */
	    {9, 1, 21, 1},      /* 2^20 = 1.05e6, of 8e5 */
	    {5, 1, 20, 1},      /* 2^19 = 5.2e5, of 4e5 */
	    {5, 4, 18, 1},      /* that of the negatives */
	    {5, 0, 1, 1},       /* of one label alone: C* at once */
	    {5, 5, 1, 1},       /* */
	    {0, 0, 1, 1},       /* nothing to label */
	    {3, 1, 1, 0},       /* without weight */
	    {3, 1, 1, 4e-320},  /* 1e-5 of it are none */
	    {9, 1, 18, 5e-319}, /* an eighth of 1e-5 of it is none, 1e-5 is */
	};

	for (size_t i = 0; i < sizeof(due) / sizeof(*due); i++) {
		struct some s;
		struct kith_wsvm_transduced got;
		struct kith_wsvm_count count;
		size_t wrong = 0;

		make_line(&s, due[i].k, due[i].positives, 1, due[i].C_star);
		kith_wsvm_transduction(&s.how, &got, &count, &pool);
		is_size(got.stages, due[i].stages, "stages");
		for (size_t u = 0; u < due[i].k; u++)
			wrong += got.yes[u] != (u < due[i].positives);
		ok(wrong == 0 && got.switches == 0, "%zu of %zu rows are positive, at once",
		    due[i].positives, due[i].k);
		kith_pool_free(&pool);
	}
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");

	kith_rng_seed(&rng, 11, KITH_RNG_SAMPLE, 0);
	test_stages();
	for (size_t i = 0; i < (more && *more ? 300 : 60); i++) {
		kind = i % 3;
		grid = i / 3 % 2;
		test_steps(20 + 14 * i % 60, 6 + i % 5 * 2, pow(10, (double)(i % 6) - 2),
		    pow(10, (double)(i % 5) - 2));
	}
	ok(exchanges >= 5, "%zu exchanges in all", exchanges);
	return done();
}
