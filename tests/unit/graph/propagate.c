/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/propagate.h: scores against dense equations, by elimination in long doubles; the
 * judge against scores that are off by a known amount.
 */
#include "graph/propagate.h"

#include "eliminate.h"
#include "graph/dense.h"
#include "table/table.h"
#include "tap.h"

enum { MOST = 420, CLASSES = 3 };

static struct kith_rng rng;
static struct kith_pool pool;
static struct kith_undirected g;
static size_t n, y[MOST];
static double w[MOST * MOST], u[MOST]; /* dense weights, numbers */
static struct kith_prop_labels labels;
static struct kith_prop p;
static struct kith_prop_proof proof;
static const char *const name[] = {"harmonic", "normalized", "spread", "poisson"};

/* n nodes without edges and labels. */
static void
clear(size_t nodes)
{
	n = nodes;
	memset(w, 0, sizeof(w));
	for (size_t i = 0; i < n; i++) {
		y[i] = KITH_NO_CLASS;
		u[i] = NAN;
	}
}

static void
solve(enum kith_prop_method method, double alpha, size_t c, bool classes)
{
	g = graph_of(n, w, &pool);
	labels = (struct kith_prop_labels){classes ? y : NULL, classes ? NULL : u, c};
	kith_prop_pose(&g, &labels, method, alpha, &p, &pool);
	kith_prop_solve(&p, 1, false, &pool);
	kith_prop_prove(&p, false, NULL, &proof, &pool);
}

/* Judges p.X as it is now, with these classes or, if NULL, the largest scores. */
static void
claim(const size_t *classes)
{
	size_t *largest = kith_new(&pool, n, sizeof(*largest));

	for (size_t i = 0; i < n && labels.y; i++) {
		for (size_t k = 1; k < labels.c; k++)
			if (p.X[i * labels.c + k] > p.X[i * labels.c + largest[i]])
				largest[i] = k;
	}
	kith_prop_solve(&p, 1, true, &pool);
	kith_prop_prove(&p, true, classes ? classes : labels.y ? largest : NULL, &proof, &pool);
}

static const struct kith_check *
find_check(const char *check)
{
	for (size_t i = 0; i < proof.n; i++)
		if (strcmp(proof.check[i].check, check) == 0)
			return &proof.check[i];
	return NULL;
}

static bool
says_no(const char *check)
{
	return !kith_check_ok(find_check(check)) && !kith_check_open(find_check(check));
}

/* ---- Dense equations ---- */

/* The equation of node i, as the definitions of graph/propagate.h have it, over d_i. */
static void
equation(enum kith_prop_method method, double alpha, size_t i, const size_t *first, long double *A,
    long double *b)
{
	const long double d = g.d[i];
	const bool poisson = method == KITH_PROP_POISSON, labelled = y[i] != KITH_NO_CLASS;
	const bool spread = method == KITH_PROP_SPREAD;
	size_t n_labels = 0;

	for (size_t k = 0; k < CLASSES; k++)
		b[k] = labelled && y[i] == k ? spread ? 1 - alpha : 1 : 0;
	A[i] = 1;
	if ((method <= KITH_PROP_NORMALIZED && labelled) || d == 0) {
		for (size_t k = 0; k < CLASSES && poisson; k++)
			b[k] = 0;
		return;
	}
	for (size_t j = 0; j < n; j++)
		if (j != i && w[i * n + j] > 0)
			A[j] = method == KITH_PROP_HARMONIC || poisson
			    ? -w[i * n + j] / d
			    : -(spread ? alpha : 1) * w[i * n + j] / sqrtl(d * g.d[j]);
	if (!poisson)
		return;
	for (size_t j = 0; j < n; j++)
		n_labels += g.component[j] == g.component[i] && y[j] != KITH_NO_CLASS;
	for (size_t j = 0; j < n && labelled; j++)
		if (g.component[j] == g.component[i] && y[j] != KITH_NO_CLASS)
			b[y[j]] -= 1 / (long double)n_labels;
	for (size_t k = 0; k < CLASSES; k++)
		b[k] /= d;
	if (first[g.component[i]] != i)
		return;
	for (size_t j = 0; j < n; j++) /* the mean is 0, in place of one equation */
		A[j] = g.component[j] == g.component[i] ? g.d[j] : 0;
	memset(b, 0, CLASSES * sizeof(*b));
}

static long double *
dense(enum kith_prop_method method, double alpha)
{
	long double *A = kith_new(&pool, n * n, sizeof(*A));
	long double *B = kith_new(&pool, n * CLASSES, sizeof(*B));
	size_t *first = kith_new(&pool, n, sizeof(*first));

	for (size_t i = n; i-- > 0;)
		first[g.component[i]] = i;
	for (size_t i = 0; i < n; i++) {
		if (p.reached[i])
			equation(method, alpha, i, first, A + i * n, B + i * CLASSES);
		else
			A[i * n + i] = 1;
	}
	eliminate(n, n, A, CLASSES, B);
	return B;
}

/* 10^-range to 10^range */
static double
weight(double range)
{
	return pow(10, range * (2 * kith_rng_unit(&rng) - 1));
}

/* Stars, paths, cliques, sparse graphs and lone nodes, side by side. */
static void
draw_shapes(size_t nodes, double range, double labelled)
{
	clear(nodes);
	for (size_t i = 0; i < n;) {
		const size_t left = n - i;
		const size_t m = 1 + kith_rng_below(&rng, left < 100 ? left : left / 2);
		const uint64_t shape = kith_rng_below(&rng, 4);

		for (size_t k = 1; k < m; k++) {
			const size_t before = i +
			    (shape == 0          ? 0
				    : shape == 1 ? k - 1
						 : kith_rng_below(&rng, k));

			join(n, w, i + k, before, weight(range));
			for (size_t l = 0; l < k && shape == 2 && m < 12; l++)
				join(n, w, i + k, i + l, weight(range));
			if (shape == 3 && i + (before - i) / 2 != i + k)
				join(n, w, i + k, i + (before - i) / 2, weight(range));
		}
		i += m;
	}
	for (size_t i = 0; i < n; i++)
		if (kith_rng_unit(&rng) < labelled)
			y[i] = kith_rng_below(&rng, CLASSES);
}

static void
test_methods(unsigned seed, size_t nodes)
{
	const double alpha = .3 + .69 * kith_rng_unit(&rng);

	draw_shapes(nodes, kith_rng_unit(&rng) < .5 ? 0 : 1.5, .1 + .3 * kith_rng_unit(&rng));
	for (int m = 0; m < 4; m++) {
		const enum kith_prop_method method = (enum kith_prop_method)m;
		struct kith_prop q;
		long double *F, most = 0, size = 1;
		double *X;
		size_t wrong = 0;

		solve(method, alpha, CLASSES, true);
		ok(proof.holds, "seed %u, %s: the judge agrees", seed, name[m]);
		X = p.X;
		kith_prop_pose(&g, &labels, method, alpha, &q, &pool);
		kith_prop_solve(&q, 3, false, &pool);
		ok(p.solver != q.solver || memcmp(X, q.X, n * CLASSES * sizeof(*X)) == 0,
		    "seed %u, %s: three threads", seed, name[m]);
		F = dense(method, alpha);
		for (size_t i = 0; i < n; i++) {
			long double best = -INFINITY;

			for (size_t k = 0; k < CLASSES && p.reached[i]; k++) {
				const long double f = F[i * CLASSES + k];

				best = fmaxl(best, f);
				size = fmaxl(size, fabsl(f));
				most = fmaxl(most, fabsl(f - kith_prop_score(&p, i, k)));
			}
			wrong += p.reached[i] && F[i * CLASSES + proof.y[i]] < best - 1e-10L;
		}
		ok(most < 1e-10L * size && wrong == 0, "seed %u, %s: the dense equations (%Lg)",
		    seed, name[m], most / size);
		claim(proof.y);
		ok(proof.holds, "seed %u, %s: as a claim, too", seed, name[m]);
	}
}

/* ---- Weights far apart ---- */

/*
 * Solves the equations of nodes from `first` on, whose neighbours before `first` are fixed, by
 * elimination without subtraction, the last node first: v (n x n) weights, s (n) weights to fixed
 * nodes, b (n x sides) right sides, which become the solution.
 */
static void
subtractionless(size_t first, size_t sides, long double *v, long double *s, long double *b)
{
	for (size_t i = n; i-- > first;) {
		long double d = s[i];

		for (size_t j = first; j < i; j++)
			d += v[i * n + j];
		for (size_t j = first; j < i; j++) {
			const long double f = v[i * n + j] / d;

			for (size_t l = first; l < i; l++)
				v[j * n + l] += l == j ? 0 : f * v[i * n + l];
			s[j] += f * s[i];
			for (size_t k = 0; k < sides; k++)
				b[j * sides + k] += f * b[i * sides + k];
		}
		v[i * n + i] = d;
	}
	for (size_t i = first; i < n; i++)
		for (size_t k = 0; k < sides; k++) {
			for (size_t j = first; j < i; j++)
				b[i * sides + k] += v[i * n + j] * b[j * sides + k];
			b[i * sides + k] /= v[i * n + i];
		}
}

static long double v[MOST * MOST], s[MOST], b[MOST * 2 * CLASSES];

static void
copy_weights(void)
{
	memset(s, 0, sizeof(s));
	memset(b, 0, sizeof(b));
	for (size_t i = 0; i < n * n; i++)
		v[i] = w[i];
}

/* Harmonic scores of one component with weights of any size and labels of three nodes. */
static void
test_wild(unsigned seed, double range)
{
	long double most = 0, sums = 0;

	clear(4 + kith_rng_below(&rng, 40));
	for (size_t i = 1; i < n; i++) {
		join(n, w, i, kith_rng_below(&rng, i), weight(range));
		if (i > 2)
			join(n, w, i, i - 2, weight(range));
	}
	for (size_t i = 0; i < 3; i++)
		y[i] = i;
	copy_weights();
	for (size_t i = 3; i < n; i++)
		for (size_t k = 0; k < 3; k++)
			s[i] += b[i * CLASSES + k] = v[i * n + k];
	subtractionless(3, CLASSES, v, s, b);
	solve(KITH_PROP_HARMONIC, .5, CLASSES, true);
	for (size_t i = 3; i < n; i++) {
		long double sum = -1;

		for (size_t k = 0; k < CLASSES; k++) {
			const long double due = b[i * CLASSES + k];
			const double x = p.X[i * CLASSES + k];

			sum += x;
			if (due > 1e-300L)
				most = fmaxl(most, fabsl(x - due) / due);
		}
		sums = fmaxl(sums, fabsl(sum));
	}
	ok(most < 1e-14L && sums < 1e-15L && proof.holds,
	    "seed %u: weights of 1e%g to 1e-%g: relative error %Lg", seed, range, range, most);
}

/* Groups of nodes that weights of 4e-14 join, with labels of other classes in each. */
static void
draw_groups(size_t nodes, size_t groups)
{
	clear(nodes);
	for (size_t i = 0; i < n; i++) {
		if (i >= groups)
			join(n, w, i, kith_rng_below(&rng, i / groups) * groups + i % groups,
			    .1 + kith_rng_unit(&rng));
		if (i >= 2 * groups)
			join(n, w, i, i - groups, .1 + kith_rng_unit(&rng));
		if (i > 0 && i % 7 == 1 && i % groups > 0)
			join(n, w, i, i - 1, 4e-14 * (1 + kith_rng_unit(&rng)));
		if (i < 5 * groups)
			y[i] = i % groups == 0 ? i / groups % 2 : kith_rng_below(&rng, CLASSES);
	}
}

/* poisson by elimination of positive and negative sources apart, node 0 being fixed. */
static void
exact_poisson(void)
{
	double count[CLASSES] = {0}, n_labels = 0;
	long double sum[CLASSES] = {0}, total = 0;

	copy_weights();
	for (size_t i = 0; i < n; i++)
		if (y[i] != KITH_NO_CLASS) {
			count[y[i]]++;
			n_labels++;
		}
	for (size_t i = 1; i < n; i++) {
		s[i] = v[i * n];
		for (size_t k = 0; k < CLASSES && y[i] != KITH_NO_CLASS; k++)
			b[i * 2 * CLASSES + (y[i] == k ? k : CLASSES + k)] = y[i] == k
			    ? 1 - count[k] / n_labels
			    : count[k] / n_labels;
	}
	subtractionless(1, 2 * (size_t)CLASSES, v, s, b);
	for (size_t i = 0; i < n; i++) {
		total += g.d[i];
		for (size_t k = 0; k < CLASSES; k++)
			sum[k] += g.d[i] *
			    (b[i * 2 * CLASSES + k] - b[i * 2 * CLASSES + CLASSES + k]);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < CLASSES; k++)
			b[i * 2 * CLASSES + k] -= b[i * 2 * CLASSES + CLASSES + k] + sum[k] / total;
}

/* poisson on nearly separate groups: exact scores, and the bound sees those that are not. */
static void
test_groups(unsigned seed, size_t nodes)
{
	const size_t groups = 2 + seed % 3;
	long double most = 0, size = 0;
	double means[CLASSES] = {0}, total = 0;
	size_t wrong = 0, other;

	draw_groups(nodes, groups);
	solve(KITH_PROP_POISSON, .5, CLASSES, true);
	exact_poisson();
	for (size_t i = 0; i < n; i++) {
		const long double *f = b + i * 2 * CLASSES;

		for (size_t k = 0; k < CLASSES; k++) {
			size = fmaxl(size, fabsl(f[k]));
			most = fmaxl(most, fabsl(f[k] - p.X[i * CLASSES + k]));
		}
	}
	for (size_t i = 0; i < n * CLASSES && proof.undecided == 0; i++) {
		const long double *f = b + i / CLASSES * 2 * CLASSES;

		wrong += f[i % CLASSES] > f[proof.y[i / CLASSES]] + 1e-12L * size;
	}
	ok(wrong == 0 && most < (size > 1e9L ? 1e-5L : 1e-2L) * size && g.components == 1,
	    "seed %u: %zu groups, solver %d: %Lg off", seed, groups, (int)p.solver, most / size);
	if (size < 1e9L) /* equal shares of the classes in all groups: no flow between them */
		return;
	ok(proof.holds, "seed %u: the judge agrees", seed);

	/* The scores of a group moved together leave small residuals, and other classes. */
	other = (proof.y[1] + 1) % CLASSES;
	for (size_t i = 0; i < n; i++) {
		total += g.d[i];
		if (i % groups == 1)
			p.X[i * CLASSES + other] += 2 * (double)size;
		for (size_t k = 0; k < CLASSES; k++)
			means[k] += g.d[i] * p.X[i * CLASSES + k];
	}
	for (size_t i = 0; i < n * CLASSES; i++)
		p.X[i] -= means[i % CLASSES] / total;
	claim(NULL);
	ok(says_no("undecided") && kith_check_ok(find_check("residual")) &&
		kith_check_ok(find_check("mean")),
	    "seed %u: a group moved: undecided %g, residual %g, mean %g", seed,
	    find_check("undecided")->value, find_check("residual")->value,
	    find_check("mean")->value);
}

/* ---- The judge ---- */

/* A path of m nodes with labels at its ends, and a node apart. */
static void
draw_path(size_t m, double each)
{
	clear(m + 1);
	for (size_t i = 1; i < m; i++)
		join(n, w, i - 1, i, each);
	y[0] = 0;
	u[0] = 0;
	y[m - 1] = 1;
	u[m - 1] = 1;
}

/* The value of a check when `by` is added to a score. */
static double
off_by(size_t i, size_t k, double by, const char *check)
{
	double *x = &p.X[i * labels.c + k];
	const double was = *x;

	*x += by;
	claim(NULL);
	*x = was;
	return find_check(check)->value;
}

static void
test_harmonic(void)
{
	draw_path(5, 2);
	solve(KITH_PROP_HARMONIC, .5, 2, true);
	ok(p.X[2] == .75 && p.X[5] == .5 && p.unreached == 1, "a path, and a lone node");
	ok(proof.holds && proof.n == 3 && proof.tied == 1 && proof.undecided == 0 &&
		proof.y[2] == 0 && proof.y[3] == 1 && proof.y[5] == KITH_NO_CLASS &&
		!find_check("mean") && !find_check("error"),
	    "the middle is tied, and of the first class");
	ok(kith_check_open(find_check("undecided")) && find_check("undecided")->value == 1,
	    "which is not decided");
	is_near(off_by(2, 0, .1, "residual"), .1, 1e-14, "a score is off");
	ok(says_no("residual"), "which is too much");
	is_near(off_by(2, 1, -.1, "residual"), .1, 1e-14, "of any class");
	is_near(off_by(0, 1, .3, "residual"), .3, 1e-14, "of a label, too");
	is_near(off_by(5, 1, .3, "residual"), 0, 1e-15, "none is asked of what no label reaches");
	is_near(off_by(2, 0, 1.5, "residual"), .75, 1e-14, "relative to the largest");
	is_near(off_by(2, 0, .6, "maximum"), .1 / 1.1, 1e-14, "1.1");
	ok(says_no("maximum"), "is out of range");
	is_near(off_by(1, 1, -.5, "maximum"), .25, 1e-14, "-.25");
	is_near(off_by(0, 0, 3, "maximum"), 0, 1e-15, "but for labels");
	ok(isnan(off_by(2, 0, NAN, "residual")) && says_no("residual"),
	    "what is no number is wrong");
	p.X[4] = p.X[5] = 0;
	claim(NULL);
	ok(proof.y[2] == 0 && says_no("undecided"), "of scores of 0 the first class");
	solve(KITH_PROP_HARMONIC, .5, 2, true);
	proof.y[1] = 1;
	claim(proof.y);
	ok(says_no("undecided") && find_check("undecided")->value == 2, "another class is claimed");
	off_by(1, 0, -.5 + 1e-14, "undecided");
	ok(says_no("undecided"), "a score that may be of either class");
}

static void
test_numbers(void)
{
	draw_path(5, 2);
	solve(KITH_PROP_HARMONIC, .5, 1, false);
	ok(p.X[1] == .25 && p.X[2] == .5 && p.X[3] == .75 && proof.holds, "numbers");
	ok(proof.n == 3 && find_check("error")->value < 1e-14 && !proof.y, "and their error");
	is_near(off_by(2, 0, .01, "residual"), .01, 1e-14, "one is off");
	ok(off_by(2, 0, .01, "error") >= .01 && find_check("error")->value < .1 && says_no("error"),
	    "the bound of errors says so: %g", find_check("error")->value);
	solve(KITH_PROP_NORMALIZED, .5, 2, false);
	ok(find_check("error")->value < 1e-14, "numbers, normalized");
	ok(off_by(2, 1, .01, "error") > .01, "the column of ones counts, too");
}

static void
test_poisson(void)
{
	double size = 0;

	draw_path(5, 2);
	solve(KITH_PROP_POISSON, .5, 2, true);
	ok(proof.holds && proof.n == 4 && proof.tied == 1 && proof.undecided == 0,
	    "poisson: nothing is wrong");
	for (size_t i = 0; i < 5; i++) { /* source .5 at node 0, over weights of 2: steps of 1/4 */
		is_near(p.X[i * 2], .5 - (double)i / 4, 1e-15, "a line");
		size += fabs(p.X[i * 2]) * g.d[i];
	}
	is_near(off_by(2, 0, .1, "residual"), .2, 1e-14, "a score is off, of .5");
	ok(says_no("undecided"), "which may change classes");
	is_near(off_by(0, 0, .5, "residual"), .5, 1e-14, "also of the ends");
	is_near(off_by(1, 0, .5, "maximum"), .25 / .75, 1e-14, "beyond the labels");
	is_near(off_by(2, 0, .1, "mean"), .4 / (2 * size + .4), 1e-14,
	    "d_i times that, of both columns");
	ok(says_no("mean"), "the mean is not 0");
	is_near(off_by(5, 0, 7, "mean"), 0, 1e-15, "but where none reaches");
	draw_path(2, 2);
	solve(KITH_PROP_POISSON, .5, 2, true);
	is_near(off_by(0, 0, -.1, "mean"), .25, 1e-14, "of small scores, too"); /* d F: -.3, .25 */
	y[1] = 0;
	solve(KITH_PROP_POISSON, .5, 2, true);
	ok(p.solver == KITH_PROP_NONE && proof.holds && proof.y[1] == 0,
	    "labels of one class leave nothing to solve");
}

/*
 * In the middle of a long path classes are tied: the bound by z is too wide to see it, an elimination
 * is asked.
 */
static void
test_exact(void)
{
	const size_t m = MOST - 2; /* nodes 0 .. m - 2 make the path; m - 1 is odd */
	double *X;

	draw_path(m - 1, 1);
	solve(KITH_PROP_HARMONIC, .5, 2, true);
	ok(p.solver == KITH_PROP_GTH && proof.tied == 1 && proof.undecided == 0 &&
		proof.y[(m - 2) / 2] == 0,
	    "a tie is seen by elimination");
	X = kith_new(&pool, n * 2, sizeof(*X));
	memcpy(X, p.X, n * 2 * sizeof(*X));
	claim(proof.y);
	ok(proof.undecided == 0 && kith_check_open(&proof.check[2]) && proof.check[2].value == 1,
	    "in a claim as well");
	ok(memcmp(X, p.X, n * 2 * sizeof(*X)) == 0, "which stays as it is");
	p.X[14] += 1e-10;
	claim(NULL);
	ok(says_no("residual"), "a claim that is off");
	y[m / 2] = 1;
	solve(KITH_PROP_HARMONIC, .5, 2, true);
	ok(p.solver != KITH_PROP_GTH && proof.tied == 0 && proof.undecided == 0,
	    "without a tie the bound suffices");
	for (size_t i = 0; i < n; i++)
		y[i] = i % 2;
	solve(KITH_PROP_HARMONIC, .5, 2, true);
	ok(p.solver == KITH_PROP_NONE && p.n_free == 0 && proof.y[3] == 1 &&
		kith_check_ok(&proof.check[2]),
	    "nothing to solve, nothing to prove");
}

/* A is factored where that is cheap beside conjugate gradients. */
static void
test_solvers(void)
{
	draw_path(MOST - 1, 1);
	for (size_t i = 2; i < n; i++)
		join(n, w, i - 2, i, 1);
	solve(KITH_PROP_SPREAD, .99, 2, true);
	ok(p.solver == KITH_PROP_CHOLESKY && proof.holds, "a band is factored");
	clear(MOST);
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	draw(&rng, n, 0, n, .1, w);
	y[0] = 0;
	y[1] = 1;
	solve(KITH_PROP_SPREAD, .5, 2, true);
	ok(p.solver == KITH_PROP_CG && proof.holds, "a graph of many edges is not");
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const bool many = more && *more == '1';

	test_harmonic();
	test_numbers();
	test_poisson();
	test_exact();
	test_solvers();
	for (unsigned seed = 1; seed <= (many ? 500U : 30U); seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		test_methods(seed, 2 + kith_rng_below(&rng, 50));
		test_wild(seed, 300);
		test_wild(seed, 20);
		test_groups(seed, 60);
		kith_pool_free(&pool);
	}
	for (unsigned seed = 1; seed <= (many ? 20U : 1U); seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		test_methods(1000 + seed, MOST);
		test_groups(1000 + seed, MOST);
		kith_pool_free(&pool);
	}
	return done();
}
