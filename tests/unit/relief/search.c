/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of NCA, lib/relief/relief.h: the objective that is reported, where searches start, which
 * of them wins, what does not fit; and of RReliefF where few targets change.
 */
#include "relief/data.h"

static size_t seeds;
static double weight[MOST_N], s[MOST_N];

static void
weigh(bool weighted)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += weight[i] = weighted ? .2 + kith_rng_unit(&rng) : 1;
	for (size_t i = 0; i < n; i++)
		s[i] = weight[i] * (double)n / sum;
}

/* sum_i s_i p_i, the objective of NCA, under weights w (p) of squared differences. */
static double
plain(const double *w)
{
	double f = 0;

	for (size_t i = 0; i < n; i++) {
		double d[MOST_N], least = INFINITY, all = 0, sum = 0;

		for (size_t j = 0; j < n; j++) {
			d[j] = 0;
			for (size_t a = 0; a < p; a++)
				d[j] += w[a] * square(x[i * p + a] - x[j * p + a]);
			least = j == i ? least : fmin(least, d[j]);
		}
		for (size_t j = 0; j < n; j++) {
			const double e = j == i ? 0 : s[j] * exp(least - d[j]);

			all += e;
			sum += y[j] == y[i] ? e : 0;
		}
		f += s[i] * (sum / all);
	}
	return f;
}

static struct kith_relief_how
how_of(size_t max_iter)
{
	return (struct kith_relief_how){.method = KITH_RELIEF_NCA,
	    .starts = 1,
	    .max_iter = max_iter,
	    .tol = 1e-5,
	    .threads = 1};
}

/* The objective that is reported is that of the weights. */
static void
test_objective(void)
{
	double worst = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = how_of(30);
		struct kith_relief_rows in = (draw(seed), rows());
		const struct kith_relief *got;

		weigh(seed % 2);
		in.weight = seed % 2 ? weight : NULL;
		how.starts = 1 + seed % 3;
		how.seed = seed;
		got = run(&in, &how);
		worst = fmax(worst, fabs(plain(got->w) / got->objective - 1));
	}
	ok(worst <= 1e-9, "objectives: %g", worst);
}

/* Of several starts the first of the best wins, and its iterations are reported. */
static void
test_best(void)
{
	size_t odd = 0, later = 0;

	for (size_t seed = 1; seed <= seeds / 3; seed++) {
		struct kith_relief_how how = how_of(3);
		const struct kith_relief_rows in = (draw(seed), rows());
		double before = -INFINITY;
		size_t best = 0, iterations = 0;

		how.seed = seed;
		for (how.starts = 1; how.starts <= 4; how.starts++) {
			const struct kith_relief *got = run(&in, &how);
			const double f = got->objective;
			const bool won = f > before;

			odd += f < before;
			odd += got->best != (won ? how.starts : best);
			odd += !won && got->iterations != iterations;
			later += won && how.starts > 1;
			before = f;
			best = got->best;
			iterations = got->iterations;
		}
	}
	is_size(odd, 0, "starts that do not win as they should");
	ok(later > 0, "later ones do: %zu", later);
}

/* Without iterations the weights are the start of the largest objective: 1 / scale, or drawn. */
static void
test_starts(void)
{
	double worst = 0;
	size_t later = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = how_of(0);
		const struct kith_relief_rows in = (draw(seed), rows());
		double best = -INFINITY, due[MOST_P] = {0};

		weigh(false);
		how.seed = seed;
		how.starts = 3;
		for (size_t start = 0; start < 3; start++) {
			double w[MOST_P] = {0}, f;

			kith_rng_seed(&rng, seed, KITH_RNG_START, start);
			for (size_t a = 0; a < p; a++)
				w[a] = (start == 0 ? 1 : square(2 * kith_rng_unit(&rng))) /
				    square(scale_of(NULL));
			f = plain(w);
			later += f > best && start > 0;
			if (f > best)
				memcpy(due, w, sizeof(due));
			best = fmax(best, f);
		}
		worst = fmax(worst, apart(run(&in, &how)->w, due, p));
	}
	ok(worst <= 1e-12 && later > 0, "starts: %g", worst);
}

/* df/dh of the objective f / n, for weights w_a (1 + h b_a)^2, by differences. */
static double
slope_at(const double *w, const double *b)
{
	const double h = 1e-5;
	double f[2] = {0};

	for (size_t side = 0; side < 2; side++) {
		double v[MOST_P];

		for (size_t a = 0; a < p; a++)
			v[a] = w[a] * square(1 + (side ? h : -h) * b[a]);
		f[side] = plain(v);
	}
	return (f[1] - f[0]) / (2 * h) / (double)n;
}

/* A search starts where the objective has a slope, and ends where it has none. */
static void
test_slope(void)
{
	double worst = 0, first = 0;
	size_t ended = 0;

	for (size_t seed = 1; seed <= seeds / 3; seed++) {
		double b[MOST_P];
		struct kith_relief_rows in = (draw(seed), rows());

		weigh(seed % 2);
		in.weight = weight;
		for (size_t a = 0; a < p; a++)
			b[a] = kith_rng_unit(&rng) - .5;
		for (size_t end = 0; end < 2; end++) {
			struct kith_relief_how how = how_of(end ? 1000 : 0);
			const struct kith_relief *got;
			double slope;

			how.tol = 1e-7;
			got = run(&in, &how);
			slope = fabs(slope_at(got->w, b));
			if (end == 0)
				first = fmax(first, slope);
			else if (got->converged &&
			    got->w[0] < 1e3) { /* f jumps at larger weights */
				worst = fmax(worst, slope);
				ended++;
			}
		}
	}
	ok(ended > seeds / 12 && worst <= 1e-5 && first > 1e-3,
	    "the slope falls from %g to %g, %zu searches", first, worst, ended);
}

static void
test_wide(void)
{
	static const char due[] = "squares of differences do not fit a double: "
				  "scale the rows (tabscale)";
	struct kith_relief_how how = how_of(5);
	struct kith_relief_rows in = (draw(5), rows());

	for (size_t i = 0; i < n * p; i++)
		x[i] = ldexp(x[i], 600);
	ok(!run(&in, &how) && err.status == EX_DATAERR, "squares that do not");
	is_text(err.msg, due, "which is said");
	for (size_t i = 0; i < n * p; i++)
		x[i] = ldexp(x[i], -1200);
	ok(!run(&in, &how), "nor of tiny ones");
	how.method = KITH_RELIEF;
	for (size_t i = 0; i < n * p; i++)
		x[i] = ldexp(x[i], 1200);
	ok(!run(&in, &how) && err.status == EX_DATAERR, "a weight");
	is_text(err.msg,
	    "the weight of \"a\" does not fit a double: scale the rows "
	    "(tabscale)",
	    "which is said");
}

/* RReliefF where little changes, and where nearly all does. */
static void
test_change(void)
{
	double v[] = {0, .5, 4, 4.25, 7, 8}, target[] = {0, .01, 0, .01, 1, 1};
	struct kith_relief_rows in = {.X = {6, 1, v}, .t = target};
	const struct kith_relief_how how = {
	    .method = KITH_RELIEFF, .k = 1, .sigma = 1, .threads = 1};

	/* Four rows change by .01, with differences of 4/64, 2/64; two by 0. */
	is_near(run(&in, &how)->w[0],
	    (2 * .01 * 4 / 64 + 2 * .01 * 2 / 64) / .04 -
		(2 * .99 * 4 / 64 + 2 * .99 * 2 / 64 + 2 * 8. / 64) / (4 * .99 + 2),
	    1e-14, "little changes");
	target[0] = target[2] = 0;
	target[1] = target[3] = .95;
	target[5] = .05;
	is_near(run(&in, &how)->w[0],
	    (4. + 4 + 2 + 2 + 8 + 8) / 64 / 6 - (4. + 4 + 2 + 2 + 8 + 8) / 64 / 6, 1e-14,
	    "nearly all changes");
	target[5] = .1;
	is_near(run(&in, &how)->w[0],
	    (.95 * 12 + .9 * 16) / (4 * .95 + 2 * .9) / 64 -
		(.05 * 12 + .1 * 16) / (4 * .05 + 2 * .1) / 64,
	    1e-14, "as it is defined");
	target[1] = target[3] = 0;
	target[5] = 1;
	is_near(run(&in, &how)->w[0], -(2. * 4 + 2 * 2 + 2 * 8) / 64 / 6, 1e-14, "nothing changes");
}

int
main(void)
{
	seeds = getenv("KITH_LONG") ? 400 : 36;
	test_objective();
	test_starts();
	test_best();
	test_slope();
	test_wide();
	test_change();
	kith_pool_free(&pool);
	return done();
}
