/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the certificate of lib/sqpfw/check.h by hand, a case for each of its conditions; of
 * proposed shares, which are not believed without proof; and of F by its definition.
 *
 * Row 0 alone has a weight, n, so that F = theta (d_0 - e_0) + 1/2 |w - prior|^2; what is not tied
 * for it, its miss or its hit, is a row equal to it.
 */
#include "sqpfw/check.h"

#include "sqpfw/data.h"
#include "tap.h"

/* Under w = (1/2, 1/2) rows 1 to 4 are as far as each other; row 5 is nearer. */
static const double tied[][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {1, 0}, {.1, .1}};

struct example { /* NOLINT(clang-analyzer-optin.performance.Padding): in the order of a row */
	const char *what;
	bool miss;           /* the rows are misses of row 0, else hits */
	size_t rank, row[4]; /* rows of tied[] */
	size_t rows;
	bool nearer;            /* row 5 is there, too */
	double theta, w, prior; /* of the first feature; the second has 1 less that */

	bool certified;
	size_t ties, concave;
	double residual, down; /* of the first feature; NAN: not told here */
};

/* clang-format off */
static const struct example examples[] = {
	{"the farther of two hits: convex, a minimum", false, 2, {1, 2}, 2, false, 1, .5, .6, true, 1, 0, 0, 0},
	/* H = (2,1): (.9 + phi) / 2 and .1 + phi are least at phi = -.26; down is away from the first pair. */
	{"the nearer of two: concave, refuted by the first pair alone", false, 1, {1, 2}, 2, false, 1, .5, .6, false, 1, 1, .32, -.16},
	{"another row is nearer: the third of three is convex", false, 3, {1, 2}, 2, true, 1, .5, .6, true, 1, 0, 0, 0},
	{"the second is concave", false, 2, {1, 2}, 2, true, 1, .5, .6, false, 1, 1, NAN, NAN},
	{"a single hit has no kink, and does not balance the prior", false, 1, {1}, 1, false, 1, .5, .6, false, 0, 0, .4, NAN},
	/* (-.1 + phi) / 2 and 1.1 + phi, at phi = -.86 */
	{"a prior out of reach of two", false, 2, {1, 2}, 2, false, 1, .5, 1.6, false, 1, 0, .48, NAN},
	{"at theta 0 the prior is the minimum", false, 2, {1, 2}, 2, false, 0, .5, .5, true, 1, 0, 0, 0},
	{"and kinks do not count", false, 1, {1, 2}, 2, false, 0, .5, .5, true, 1, 1, 0, 0},
	{"the nearer of two misses: convex, a minimum", true, 1, {1, 2}, 2, false, 1, .5, .4, true, 1, 0, 0, 0},
	{"the farther: concave, refuted", true, 2, {1, 2}, 2, false, 1, .5, .4, false, 1, 1, NAN, NAN},
	{"another row is nearer: the second of three misses is convex", true, 2, {1, 2}, 2, true, 1, .5, .4, true, 1, 0, 0, 0},
	{"the third is concave", true, 3, {1, 2}, 2, true, 1, .5, .4, false, 1, 1, NAN, NAN},
	{"the nearest is tied with none", true, 1, {1, 2}, 2, true, 1, .5, .4, false, 0, 0, NAN, NAN},
	/* Pairs that are equal for every w: on either side, or equal rows. */
	{"two equal pairs and one: the third", false, 3, {1, 2, 3}, 3, false, 1, .5, .6, true, 1, 0, 0, 0},
	/* H = (1,2), the target being row 2: .9 + phi and (.1 + phi) / 2, phi = -.74 */
	{"the second is one of the two for every w: no kink", false, 2, {1, 2, 3}, 3, false, 1, .5, .6, false, 1, 0, .32, NAN},
	{"the first: concave", false, 1, {1, 2, 3}, 3, false, 1, .5, .6, false, 1, 1, NAN, NAN},
	{"the first of three misses", true, 1, {1, 2, 3}, 3, false, 1, .5, .4, true, 1, 0, 0, 0},
	{"the second miss: no kink", true, 2, {1, 2, 3}, 3, false, 1, .5, .4, false, 1, 0, NAN, NAN},
	{"the third miss: concave", true, 3, {1, 2, 3}, 3, false, 1, .5, .4, false, 1, 1, NAN, NAN},
	{"two equal rows and one: the third", false, 3, {1, 2, 4}, 3, false, 1, .5, .6, true, 1, 0, 0, 0},
	{"the second is one of both rows for every w: no kink", false, 2, {1, 2, 4}, 3, false, 1, .5, .6, false, 1, 0, .32, NAN},
	{"the first of equal rows: concave", false, 1, {1, 2, 4}, 3, false, 1, .5, .6, false, 1, 1, NAN, NAN},
	{"the first of three misses, two of them equal", true, 1, {1, 2, 4}, 3, false, 1, .5, .4, true, 1, 0, 0, 0},
	{"the second of them: no kink", true, 2, {1, 2, 4}, 3, false, 1, .5, .4, false, 1, 0, NAN, NAN},
	{"the third of them: concave", true, 3, {1, 2, 4}, 3, false, 1, .5, .4, false, 1, 1, NAN, NAN},
	{"the farthest of four", false, 4, {1, 2, 3, 4}, 4, false, 1, .5, .6, true, 1, 0, 0, 0},
	/* A weight of 0 may have a gradient that is not above that of the others. */
	/* (.4, .6) + phi 1 - (0, alpha), alpha = .2 */
	{"a weight of 0 that would rise F", false, 1, {2}, 1, false, 1, 1, .6, true, 0, 0, 0, 0},
	{"one that would let it fall, and grows along down", false, 1, {1}, 1, false, 1, 1, .6, false, 0, 0, NAN, -INFINITY},
	{"a weight above 0 has no multiplier", false, 1, {2}, 1, false, 1, 1 - 1e-6, .6, false, 0, 0, NAN, NAN},
};
/* clang-format on */

static struct kith_sqpfw_verdict
judge(const struct example *e, double down[2])
{
	enum { N = 12 };
	double x[2 * N] = {0}, weight[N] = {0};
	const double w[] = {e->w, 1 - e->w}, prior[] = {e->prior, 1 - e->prior};
	size_t y[N] = {0}, n = 1, hits = e->miss ? 1 : e->rank, misses = e->miss ? e->rank : 1;
	struct kith_sqpfw_verdict out;
	struct kith_sqpfw_judge *it;
	struct kith_pool pool = {0};
	struct kith_sqpfw_how how = {hits, misses, prior, weight, .threads = 1};
	struct kith_mat X = {0, 2, x};

	for (size_t k = 0; k < e->rows + e->nearer; k++, n++) {
		memcpy(x + 2 * n, tied[k < e->rows ? e->row[k] : 5], sizeof(*tied));
		y[n] = e->miss;
	}
	/* Rows equal to row 0, of the other role, as many as any rank needs. */
	for (size_t k = 0; k < 5; k++)
		y[n++] = !e->miss;
	X.n = n;
	weight[0] = (double)n;
	it = kith_sqpfw_judge_new(&X, y, 2, &how, &pool);
	kith_sqpfw_judge(it, w, e->theta, NULL, &out, down);
	kith_sqpfw_judge_free(it);
	kith_pool_free(&pool);
	return out;
}

static void
test_examples(void)
{
	for (size_t k = 0; k < sizeof(examples) / sizeof(*examples); k++) {
		const struct example *e = &examples[k];
		double down[2];
		const struct kith_sqpfw_verdict got = judge(e, down);

		ok(got.certified == e->certified && got.concave == e->concave &&
			got.ties == e->ties && got.open == 0,
		    "%s: %s, %zu ties, %zu concave", e->what,
		    got.certified ? "certified" : "refuted", got.ties, got.concave);
		if (!isnan(e->residual))
			is_near(got.residual, e->residual, 1e-14, "what is left");
		if (isinf(e->down))
			ok(down[0] < 0 && down[1] > 0, "down");
		else if (!isnan(e->down))
			ok(fabs(down[0] - e->down) < 1e-14 && fabs(down[1] + e->down) < 1e-14,
			    "down: %g and %g", down[0], down[1]);
	}
}

/* Shares that are no shares. */
static double
wrong(const void *to, size_t i, bool miss, size_t j)
{
	const double of[] = {NAN, 0, -1, 7, INFINITY, .5};

	return of[(i * 7 + j * 3 + miss + *(const size_t *)to) % 6];
}

static void
test_proposals(void)
{
	size_t differ = 0, certified = 0;

	kith_rng_seed(&rng, 29, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < 60; k++) {
		const struct kith_sqpfw_shares shares = {wrong, &k};
		struct kith_pool pool = {0};
		struct kith_sqpfw_verdict alone, proposed;
		struct kith_sqpfw_judge *it;
		struct kith_sqpfw_now now;
		struct kith_sqpfw *s;
		struct set set;

		draw(&set, (enum kind)(k % KINDS), &pool);
		s = solve(&set, set.theta * (k % 5 ? 1 : 1.01), &now, &pool);
		it = judge_of(&set, &pool);
		kith_sqpfw_judge(it, now.w, set.theta, NULL, &alone, NULL);
		kith_sqpfw_judge(it, now.w, set.theta, &shares, &proposed, NULL);
		differ += alone.certified != proposed.certified;
		kith_sqpfw_judge(it, now.w, set.theta,
		    &(struct kith_sqpfw_shares){kith_sqpfw_share, s}, &proposed, NULL);
		differ += alone.certified != proposed.certified;
		certified += alone.certified;
		kith_sqpfw_judge_free(it);
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	is_size(differ, 0, "verdicts that differ with shares of the solver, or with wrong ones");
	ok(certified > 30 && certified < 60, "%zu of 60 certified", certified);
}

/* In any unit, with and without weights of rows or a prior; w of another sum. */
static void
test_objective(void)
{
	double off = 0, sums = 0, alone = 0;

	for (size_t k = 0; k < 40; k++) {
		struct kith_pool pool = {0};
		struct kith_sqpfw_judge *judge;
		struct kith_sqpfw_verdict verdict;
		double w[FEATURES] = {0}, weight[ROWS] = {0}, sum = 0, due, unit;
		struct plain plain;
		struct set set;

		kith_rng_seed(&rng, k, KITH_RNG_SAMPLE, 0);
		draw(&set, (enum kind)(k % KINDS), &pool);
		unit = pow(7, (double)(k % 9) - 4);
		for (size_t v = 0; v < set.X.n * set.X.p; v++)
			set.X.v[v] *= unit;
		set.theta /= unit * unit;
		for (size_t f = 0; f < set.X.p; f++) {
			sum += w[f] = number(0, 1);
			set.prior[f] = k % 3 ? number(0, 1) : set.prior[f];
		}
		for (size_t i = 0; i < set.X.n; i++)
			weight[i] = number(0, 2);
		set.how.weight = k % 2 ? weight : NULL;
		judge = kith_sqpfw_judge_new(&set.X, set.y, set.c,
		    &(struct kith_sqpfw_how){set.how.hits, set.how.misses, k % 3 ? set.prior : NULL,
			set.how.weight, .threads = 1},
		    &pool);
		plain = plain_of(&set, set.theta);
		due = plain_objective(&plain, w);
		kith_sqpfw_judge(judge, w, set.theta, NULL, &verdict, NULL);
		off = fmax(off, fabs(verdict.objective - due));
		sums = fmax(sums, fabs(verdict.simplex - fabs(sum - 1)));
		alone = fmax(alone, fabs(due - kith_sqpfw_judge_objective(judge, w, set.theta)));
		kith_sqpfw_judge_free(judge);
		kith_pool_free(&pool);
	}
	ok(off <= 1e-11, "F as defined: %.1e", off);
	ok(alone <= 1e-11, "also alone: %.1e", alone);
	ok(sums <= 1e-14, "the sum of the weights: %.1e", sums);
}

/* Ties of rows that do not count are none: of row 0, whose hits are as far as
 * each other in two features. */
static void
test_counted(void)
{
	struct kith_pool pool = {0};
	double x[] = {0, 0, 1, 0, 0, 1, 20, 30, 21, 35, 24, 32};
	const size_t y[] = {0, 0, 0, 1, 1, 1};
	const double w[] = {.5, .5};
	const struct kith_mat X = {6, 2, x};

	for (size_t k = 0; k < 3; k++) {
		const double weight[] = {k == 2 ? 0 : 2, 0, 1, 1, 1, 1};
		struct kith_sqpfw_judge *judge = kith_sqpfw_judge_new(&X, y, 2,
		    &(struct kith_sqpfw_how){1, 1, NULL, k ? weight : NULL, .threads = 1}, &pool);
		struct kith_sqpfw_verdict verdict;

		kith_sqpfw_judge(judge, w, 1, NULL, &verdict, NULL);
		is_size(
		    verdict.ties, k == 2 ? 0 : 1, k == 2 ? "a tie of a row of weight 0" : "a tie");
		kith_sqpfw_judge_free(judge);
	}
	kith_pool_free(&pool);
}

int
main(void)
{
	test_examples();
	test_proposals();
	test_objective();
	test_counted();
	return done();
}
