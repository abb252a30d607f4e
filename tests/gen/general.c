/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * general - paths of the general problem of wsvm/wsvm.h, kith_wsvm_aim(), whose data are all
 * affine in theta, judged at five thetas of each piece (svm_judge.h).
 *
 *	general SEED COUNT KIND
 *
 * KIND is
 *
 *	one-class  the path of nu of the one-class machine: sum moves
 *	epsilon    the path of epsilon of regression: d moves
 *	quantile   the path of the level of a quantile: lower and upper move
 *	all        lower, upper, d and sum move
 *
 * Rows are normal or small whole numbers, a fifth of them copies, of scales 1e-6 to 1e6.  Prints a
 * line for each seed that is wrong without a word, and then counts: problems, right, silent (a
 * point is off and the solver does not say so), needless (it says so, and no point is off), said
 * (both), and pieces.  The exit status is 1 where one is silent.
 */
#include "base/pool.h"
#include "draw.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "near/metric.h"
#include "svm_judge.h"
#include "wsvm/wsvm.h"

enum { THETAS = 5, PIECES = 100000 };

/* What a solver is given, and what the judge is given: the same problem in both forms. */
struct general {
	struct kith_mat X;
	struct kith_metric metric;
	struct kith_kern kern;
	struct kith_wsvm_problem problem;
	size_t *plus;
	double *sign, *q, *zero, *alpha;    /* N */
	double *lower[2], *upper[2], *d[2]; /* N at both ends of the path */
	double sum[2];
	double mean; /* of K(x, x) */
};

static struct svm_problem judged;
static struct svm_point point;

static void
draw_rows(struct general *g, struct kith_pool *pool)
{
	const size_t n = 1 + below(25), p = 1 + below(3);
	const bool grid = below(5) < 2;
	const double scale = below(10) < 3 ? power_of_ten(-6, 6) : 1;
	struct svm_kern kern = {below(5) < 3 ? SVM_GAUSSIAN : SVM_LINEAR, .5 / (scale * scale), 1};

	g->X = kith_mat_new(pool, n, p);
	for (size_t i = 0; i < n * p; i++)
		g->X.v[i] = (grid ? (double)below(3) : normal()) * scale;
	for (size_t i = 1; i < n; i++)
		if (once_in(5))
			memcpy(kith_row(&g->X, i), kith_row(&g->X, below(i)), p * sizeof(double));
	g->metric = (struct kith_metric){.kind = KITH_SQUARED, .p = p};
	g->kern = (struct kith_kern){
	    .kind = kern.kind == SVM_GAUSSIAN ? KITH_KERN_GAUSSIAN : KITH_KERN_LINEAR,
	    .metric = &g->metric,
	    .gamma = kern.gamma};
	judged.n = n;
	g->mean = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			judged.K[i][j] = svm_kernel_of(
			    &kern, p, kith_row(&g->X, i), kith_row(&g->X, j));
	for (size_t i = 0; i < n; i++)
		g->mean += (double)judged.K[i][i] / (double)n;
}

/* N variables, one of each row or two of opposite signs, with lower = upper = d = sum = 0. */
static void
make_variables(struct general *g, size_t N, struct kith_pool *pool)
{
	const size_t n = g->X.n;

	g->plus = kith_new(pool, N, sizeof(*g->plus));
	KITH_NEW_REALS(pool, N, 1, &g->sign, &g->q, &g->zero, &g->alpha, &g->lower[0], &g->lower[1],
	    &g->upper[0], &g->upper[1], &g->d[0], &g->d[1]);
	g->sum[0] = g->sum[1] = 0;
	for (size_t v = 0; v < N; v++) {
		g->plus[v] = v % n;
		g->sign[v] = v < n ? 1 : -1;
	}
	g->problem = (struct kith_wsvm_problem){.X = &g->X,
	    .kern = &g->kern,
	    .variables = N,
	    .plus = g->plus,
	    .sign = g->sign,
	    .q = g->q,
	    .bias = true,
	    .ridge = 1e-6 * g->mean,
	    .cache = (size_t)1 << 24,
	    .threads = 1};
}

static void
draw_one_class(struct general *g, struct kith_pool *pool)
{
	make_variables(g, g->X.n, pool);
	for (size_t v = 0; v < g->problem.variables; v++) {
		g->upper[0][v] = g->upper[1][v] = once_in(5) ? 2 : 1;
		g->sum[1] += .9 * g->upper[1][v];
	}
}

static void
draw_epsilon(struct general *g, struct kith_pool *pool)
{
	const size_t n = g->X.n;
	const bool grid = once_in(2);
	const double C = power_of_ten(-2, 2);

	make_variables(g, 2 * n, pool);
	for (size_t i = 0; i < n; i++) {
		const double y = grid ? (double)below(5) : normal();

		for (size_t v = i; v < 2 * n; v += n) {
			g->upper[0][v] = g->upper[1][v] = C;
			g->d[0][v] = g->sign[v] * y - 2;
			g->d[1][v] = g->sign[v] * y - 1e-3;
		}
	}
}

/* Levels from 0 to .9. */
static void
draw_quantile(struct general *g, struct kith_pool *pool)
{
	const bool grid = once_in(2);
	const double C = power_of_ten(-2, 2);

	make_variables(g, g->X.n, pool);
	for (size_t v = 0; v < g->problem.variables; v++) {
		g->d[0][v] = g->d[1][v] = grid ? (double)below(5) : normal();
		g->lower[0][v] = -C;
		g->lower[1][v] = -.1 * C;
		g->upper[1][v] = .9 * C;
	}
}

/* The box of one end holds a vector whose sum is that of the end: so all boxes between do. */
static void
draw_all(struct general *g, struct kith_pool *pool)
{
	const bool grid = once_in(2);

	make_variables(g, g->X.n, pool);
	for (size_t end = 0; end < 2; end++) {
		const double C = power_of_ten(-3, 3);

		for (size_t v = 0; v < g->problem.variables; v++) {
			const double width = once_in(6) ? 0 : C * (grid ? 1 : uniform(0, 1));
			const double share = once_in(3) ? (double)below(2) : uniform(0, 1);

			g->lower[end][v] = once_in(2) ? 0 : -C * (double)below(3);
			g->upper[end][v] = g->lower[end][v] + width;
			g->d[end][v] = grid ? (double)below(3) - 1 : normal();
			g->sum[end] += g->sign[v] *
			    (g->lower[end][v] + share * (g->upper[end][v] - g->lower[end][v]));
		}
	}
}

/* The problem of the judge: the path to the first end, from where all data but d are 0, or the path
   from the first end to the second. */
static void
make_judged(const struct general *g, bool first)
{
	judged.N = g->problem.variables;
	judged.ranks = false;
	judged.bias = true;
	judged.ridge = g->problem.ridge;
	judged.sum[0] = first ? 0 : g->sum[0];
	judged.sum[1] = g->sum[!first];
	for (size_t v = 0; v < judged.N; v++) {
		judged.plus[v] = g->plus[v];
		judged.sign[v] = g->sign[v];
		judged.lower[v][0] = first ? 0 : g->lower[0][v];
		judged.lower[v][1] = g->lower[!first][v];
		judged.upper[v][0] = first ? 0 : g->upper[0][v];
		judged.upper[v][1] = g->upper[!first][v];
		judged.d[v][0] = g->d[0][v];
		judged.d[v][1] = g->d[!first][v];
	}
}

/* Follow the path of the solver to its end, and judge five thetas of each piece. */
static size_t
follow(struct general *g, struct kith_wsvm *solver, struct svm_verdict *verdict)
{
	struct kith_wsvm_piece piece;
	double end = 0;
	size_t n = 0;

	while (n < PIECES && kith_wsvm_next(solver, &piece, NULL, NULL)) {
		if (piece.from != end)
			svm_worst(verdict, INFINITY, "a hole", n);
		end = piece.to;
		for (int k = 0; k < THETAS; k++) {
			const double theta = k + 1 < THETAS
			    ? piece.from + (piece.to - piece.from) * k / (THETAS - 1.)
			    : piece.to;

			point.theta = theta;
			point.b = kith_wsvm_point(&piece, theta, g->alpha);
			for (size_t v = 0; v < judged.N; v++)
				point.alpha[v] = g->alpha[v];
			svm_judge_point(&judged, &point, n, verdict);
		}
		n++;
	}
	if (end != 1)
		svm_worst(verdict, INFINITY, "an early end", n);
	return n;
}

/* Both paths of a problem: to the data of its first end, and from there to the second. */
static size_t
run(struct general *g, struct svm_verdict *verdict, struct kith_wsvm_count *count,
    struct kith_pool *pool)
{
	struct kith_wsvm *solver;
	size_t pieces;

	for (size_t v = 0; v < g->problem.variables; v++)
		g->q[v] = -g->d[0][v];
	solver = kith_wsvm_new(&g->problem, g->zero, pool);
	make_judged(g, true);
	kith_wsvm_aim(solver, &(struct kith_wsvm_data){g->upper[0], g->lower[0], NULL, &g->sum[0]});
	pieces = follow(g, solver, verdict);
	make_judged(g, false);
	kith_wsvm_aim(
	    solver, &(struct kith_wsvm_data){g->upper[1], g->lower[1], g->d[1], &g->sum[1]});
	pieces += follow(g, solver, verdict);
	kith_wsvm_count(solver, count);
	return pieces;
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*draw)(struct general *, struct kith_pool *);
	} kinds[] = {{"one-class", draw_one_class}, {"epsilon", draw_epsilon},
	    {"quantile", draw_quantile}, {"all", draw_all}};
	size_t right = 0, silent = 0, needless = 0, said = 0, pieces = 0, kind = 0, first, count;

	while (argc == 4 && kind < 4 && strcmp(argv[3], kinds[kind].name) != 0)
		kind++;
	if (argc != 4 || kind == 4) {
		fputs("usage: general SEED COUNT one-class|epsilon|quantile|all\n", stderr);
		return 2;
	}
	first = strtoul(argv[1], NULL, 10);
	count = strtoul(argv[2], NULL, 10);
	for (size_t seed = first; seed < first + count; seed++) {
		struct kith_pool pool = {0};
		struct general g;
		struct svm_verdict verdict = {.what = "nothing"};
		struct kith_wsvm_count done;
		bool off;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, kind + 300);
		draw_rows(&g, &pool);
		kinds[kind].draw(&g, &pool);
		pieces += run(&g, &verdict, &done, &pool);
		off = !(verdict.off <= 1);
		right += !off && done.faults == 0;
		silent += off && done.faults == 0;
		needless += !off && done.faults > 0;
		said += off && done.faults > 0;
		if (off && done.faults == 0)
			printf("seed %zu: off %.3Lg (%s, piece %zu)\n", seed, verdict.off,
			    verdict.what, verdict.step);
		kith_pool_free(&pool);
	}
	printf("%zu problems, %zu right, %zu silent, %zu needless, %zu said, %zu pieces\n", count,
	    right, silent, needless, said, pieces);
	return silent > 0;
}
