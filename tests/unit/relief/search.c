/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of NCA, with a rank and without, lib/relief/relief.h: what is told of the
 * weights, where searches start, which of them wins, and what does not fit.
 */
#include "relief/data.h"

#include "la/eig.h"

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

/* The objective of a matrix W times `times`, with weights s. */
static double
plain(const double *W, double times, bool numbers)
{
	double f = 0, mean = 0, var = 0;

	for (size_t i = 0; i < n; i++)
		mean += s[i] * t[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		var += s[i] * square(t[i] - mean);
	for (size_t i = 0; i < n; i++) {
		double d[MOST_N], least = INFINITY, all = 0, sum = 0;

		for (size_t j = 0; j < n; j++) {
			d[j] = 0;
			for (size_t k = 0; k < p * p; k++)
				d[j] += times * W[k] * (x[i * p + k / p] - x[j * p + k / p]) *
				    (x[i * p + k % p] - x[j * p + k % p]);
			least = j == i ? least : fmin(least, d[j]);
		}
		for (size_t j = 0; j < n; j++) {
			const double e = j == i ? 0 : s[j] * exp(least - d[j]);

			all += e;
			sum += e * (numbers ? t[j] : y[j] == y[i] ? 1 : 0);
		}
		f += s[i] * (numbers ? square(sum / all - t[i]) / var : sum / all);
	}
	return f;
}

static struct kith_relief_how
how_of(size_t rank, size_t max_iter)
{
	return (struct kith_relief_how){.method = KITH_RELIEF_NCA,
	    .rank = rank,
	    .starts = 1,
	    .max_iter = max_iter,
	    .tol = 1e-5,
	    .threads = 1};
}

/* What is told is the objective of what is given. */
static void
test_told(void)
{
	double worst = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = how_of(1 + seed % 4, 30);
		struct kith_relief_rows in = (draw(seed), rows());
		const bool numbers = seed / 2 % 2;
		const struct kith_relief *got;

		weigh(seed % 2);
		in.weight = seed % 2 ? weight : NULL;
		in.y = numbers ? NULL : y;
		in.t = numbers ? t : NULL;
		if (numbers && seed % 3 == 0)
			for (size_t i = 0; i < n; i++)
				t[i] = ldexp(t[i], 600) - ldexp(1, 601);
		how.starts = 1 + seed % 3;
		how.seed = seed;
		got = run(&in, &how);
		if (numbers && seed % 3 == 0)
			for (size_t i = 0; i < n; i++)
				t[i] = ldexp(t[i] + ldexp(1, 601), -600);
		worst = fmax(worst, fabs(plain(got->w, 1, numbers) / got->objective - 1));
	}
	ok(worst <= 1e-9, "objectives of matrices: %g", worst);
}

/* The first r axes of most variance, or all axes as they are. */
static double
base_of(size_t r, double *W)
{
	double C[MOST_P * MOST_P] = {0}, U[MOST_P * MOST_P], lambda[MOST_P];
	double mean[MOST_P] = {0}, sum = 0;

	for (size_t k = 0; k < n * p; k++)
		mean[k % p] += x[k] / (double)n;
	for (size_t k = 0; k < n * p * p; k++) {
		const size_t i = k / p / p, a = k / p % p, b = k % p;

		C[a * p + b] += (x[i * p + a] - mean[a]) * (x[i * p + b] - mean[b]) / (double)n;
	}
	memset(W, 0, p * p * sizeof(*W));
	for (size_t a = 0; a < p && r == p; a++) {
		W[a * p + a] = 1;
		sum += C[a * p + a];
	}
	if (r == p || !kith_eig(p, C, lambda, U))
		return sum / (double)r;
	for (size_t q = p - r; q < p; q++) {
		sum += lambda[q];
		for (size_t k = 0; k < p * p; k++)
			W[k] += U[q * p + k / p] * U[q * p + k % p];
	}
	return sum / (double)r;
}

/* No iterations: the start, halved as long as that is better. */
static void
test_start(void)
{
	double worst = 0;
	size_t odd = 0, halved = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		const bool numbers = seed / 2 % 2;
		struct kith_relief_rows in = (draw(seed), rows());
		const size_t r = seed % 3 && p > 1 ? 1 + seed % (p - 1) : p;
		struct kith_relief_how how = how_of(r, 0);
		double W[MOST_P * MOST_P] = {0}, size, times, f, next;
		const struct kith_relief *got;

		weigh(false);
		in.y = numbers ? NULL : y;
		in.t = numbers ? t : NULL;
		size = base_of(r, W);
		times = 1 / size; /* the mean of |z|^2 is r */
		f = plain(W, times, numbers);
		for (;;) {
			next = plain(W, times / 4, numbers);
			if (numbers ? next >= f : next <= f)
				break;
			f = next;
			times /= 4;
			halved++;
		}
		got = run(&in, &how);
		for (size_t k = 0; k < p * p; k++)
			W[k] *= times;
		worst = fmax(worst, apart(got->w, W, p * p));
		odd += got->iterations != 0 || got->best != 1 || got->stuck;
	}
	ok(worst <= 1e-9, "starts: %g", worst);
	is_size(odd, 0, "that tell more");
	ok(halved > 5, "%zu halved", halved);
}

/* Of several starts the first of the best wins, and tells of itself. */
static void
test_best(size_t rank, bool numbers)
{
	size_t odd = 0, later = 0;

	for (size_t seed = 1; seed <= seeds / 3; seed++) {
		struct kith_relief_how how = how_of(rank, 3);
		struct kith_relief_rows in = (draw(seed), rows());
		double before = numbers ? INFINITY : -INFINITY;
		size_t best = 0, iterations = 0;

		in.y = numbers ? NULL : y;
		in.t = numbers ? t : NULL;
		how.seed = seed;
		for (how.starts = 1; how.starts <= 4; how.starts++) {
			const struct kith_relief *got = run(&in, &how);
			const double f = got->objective;
			const bool won = numbers ? f < before : f > before;

			odd += numbers ? f > before : f < before;
			odd += got->best != (won ? how.starts : best);
			odd += !won && got->iterations != iterations;
			later += won && how.starts > 1;
			before = f;
			best = got->best;
			iterations = got->iterations;
		}
	}
	is_size(odd, 0, "starts that do not win as they should");
	ok(later > 0, "rank %zu: later ones do: %zu", rank, later);
}

/* A vector without iterations, times the scale: all 1, or drawn, whichever is best. */
static void
test_vectors(void)
{
	double worst = 0;
	size_t later = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = how_of(0, 0);
		const struct kith_relief_rows in = (draw(seed), rows());
		double best = -INFINITY, due[MOST_P] = {0};
		const struct kith_relief *got;

		weigh(false);
		how.seed = seed;
		how.starts = 3;
		for (size_t start = 0; start < 3; start++) {
			double W[MOST_P * MOST_P] = {0}, f;

			kith_rng_seed(&rng, seed, KITH_RNG_START, start);
			for (size_t a = 0; a < p; a++)
				W[a * p + a] = (start == 0 ? 1 : square(2 * kith_rng_unit(&rng))) /
				    square(scale_of(NULL));
			f = plain(W, 1, false);
			later += f > best && start > 0;
			for (size_t a = 0; f > best && a < p; a++)
				due[a] = W[a * p + a];
			best = fmax(best, f);
		}
		got = run(&in, &how);
		worst = fmax(worst, apart(got->w, due, p));
	}
	ok(worst <= 1e-12 && later > 0, "starts of vectors: %g", worst);
}

/* df/dh of the objective f, for W times (I + h B) from both sides, by differences; over n. */
static double
slope_at(const double *W, const double *B, bool numbers)
{
	const double h = 1e-5;
	double f[2] = {0};

	for (size_t side = 0; side < 2; side++) {
		double T[MOST_P * MOST_P] = {0}, V[MOST_P * MOST_P] = {0};

		for (size_t k = 0; k < p * p; k++)
			T[k] = (side ? h : -h) * B[k] + (k / p == k % p);
		for (size_t k = 0; k < p * p; k++)
			for (size_t l = 0; l < p * p; l++)
				V[k] += T[l / p * p + k / p] * W[l] * T[l % p * p + k % p];
		f[side] = plain(V, 1, numbers);
	}
	return (f[1] - f[0]) / (2 * h) / (numbers ? 1 : (double)n);
}

/* A search starts where the objective has a slope, and ends where it has none. */
static void
test_slope(size_t rank, bool numbers)
{
	double worst = 0, first = 0;
	size_t ended = 0;

	for (size_t seed = 1; seed <= seeds / 3; seed++) {
		double W[2][MOST_P * MOST_P] = {{0}}, B[MOST_P * MOST_P];
		struct kith_relief_rows in = (draw(seed), rows());
		bool converged = false;

		p = p < 6 ? p : 6;
		in.X.p = p;
		weigh(seed % 2);
		in.weight = weight;
		in.y = numbers ? NULL : y;
		in.t = numbers ? t : NULL;
		for (size_t k = 0; k < p * p; k++)
			B[k] = rank > 0 || k / p == k % p ? kith_rng_unit(&rng) - .5 : 0;
		for (size_t end = 0; end < 2; end++) {
			struct kith_relief_how how = how_of(rank, end ? 1000 : 0);
			const struct kith_relief *got;

			how.tol = 1e-7;
			got = run(&in, &how);
			/* Of larger weights f has jumps. */
			converged = got->converged && got->w[0] < 1e3;
			for (size_t k = 0; k < (rank > 0 ? p * p : p); k++)
				W[end][rank > 0 ? k : k * (p + 1)] = got->w[k];
		}
		first = fmax(first, fabs(slope_at(W[0], B, numbers)));
		worst = converged ? fmax(worst, fabs(slope_at(W[1], B, numbers))) : worst;
		ended += converged;
	}
	ok(ended > seeds / 12 && worst <= 1e-5 && first > 1e-3,
	    "rank %zu: the slope falls from %g to %g, %zu searches", rank, first, worst, ended);
}

static void
test_wide(void)
{
	static const char due[] = "squares of differences do not fit a double: "
				  "scale the rows (tabscale)";
	struct kith_relief_how how = how_of(0, 5);
	struct kith_relief_rows in = (draw(5), rows());

	for (size_t i = 0; i < n * p; i++)
		x[i] = ldexp(x[i], 600);
	ok(!run(&in, &how) && err.status == EX_DATAERR, "squares that do not");
	is_text(err.msg, due, "which is said");
	how.rank = 2;
	ok(!run(&in, &how) && err.status == EX_DATAERR, "nor of a matrix");
	is_text(err.msg, due, "which is said");
	for (size_t i = 0; i < n * p; i++)
		x[i] = ldexp(x[i], -1200);
	ok(!run(&in, &how), "nor of tiny ones");
	how.rank = 0;
	ok(!run(&in, &how), "nor of tiny ones under one weight each");
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
	test_told();
	test_start();
	test_vectors();
	test_best(0, false);
	test_best(2, false);
	test_best(2, true);
	test_slope(0, false);
	test_slope(2, false);
	test_slope(2, true);
	test_wide();
	test_change();
	kith_pool_free(&pool);
	return done();
}
