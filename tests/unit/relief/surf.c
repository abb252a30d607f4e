/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of SURF and MULTISURF, of RELIEF with texts, and of weights of the rows,
 * lib/relief/relief.h, against the definitions.
 */
#include "relief/diff.h"

static size_t seeds;
static double weight[MOST_N];

/* Some texts, some cells that are missing, and weights. */
static void
roughen(uint64_t seed)
{
	for (size_t i = 0; i < n; i++)
		weight[i] = seed % 3 ? .2 + kith_rng_unit(&rng) : 1;
	for (size_t a = 0; a < p; a++) {
		text[a] = seed % 4 == 2 && a % 2;
		for (size_t i = 2; i < n; i++)
			if (seed % 5 == 1 && kith_rng_below(&rng, 6) == 0)
				x[i * p + a] = NAN;
	}
}

static double
distance(size_t i, size_t j)
{
	double d = 0;

	for (size_t a = 0; a < p; a++)
		d += diff[(i * n + j) * p + a];
	return d;
}

/* Mean and standard deviation of the distances of row i. */
static void
describe(size_t i, double *mean, double *sd)
{
	double sum = 0, s1 = 0, s2 = 0;

	for (size_t j = 0; j < n; j++)
		if (j != i) {
			sum += weight[j];
			s1 += weight[j] * distance(i, j);
		}
	*mean = s1 / sum;
	for (size_t j = 0; j < n; j++)
		if (j != i)
			s2 += weight[j] * square(distance(i, j) - *mean);
	*sd = sqrt(s2 / sum);
}

static double
mean_of_pairs(void)
{
	double sum = 0, s1 = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			sum += weight[i] * weight[j];
			s1 += weight[i] * weight[j] * distance(i, j);
		}
	return s1 / sum;
}

/* Mean difference in column a to the near rows of group g; whether some are. */
static bool
mean_near(size_t i, size_t a, double T, const size_t *group, size_t g, double *mean)
{
	double sum = 0, s1 = 0;

	for (size_t j = 0; j < n; j++)
		if (j != i && group[j] == g && distance(i, j) < T - 1e-11 * T) {
			sum += weight[j];
			s1 += weight[j] * diff[(i * n + j) * p + a];
		}
	*mean = sum > 0 ? s1 / sum : 0;
	return sum > 0;
}

/* The groups of the rows as row i sees them, its hits being group `own`. */
static size_t
see_groups(size_t i, bool numbers, double sd, size_t *group, double *share)
{
	if (numbers) {
		share[0] = share[1] = 1;
		for (size_t j = 0; j < n; j++)
			group[j] = fabs(t[i] - t[j]) < sd;
		return 1;
	}
	memset(share, 0, MOST_C * sizeof(*share));
	for (size_t j = 0; j < n; j++) {
		group[j] = y[j];
		share[y[j]] += weight[j];
	}
	return y[i];
}

static void
plain_surf(bool multi, bool numbers, double *w)
{
	double total = 0, mean = 0, sd = 0;

	memset(w, 0, p * sizeof(*w));
	for (size_t i = 0; i < n; i++) {
		total += weight[i];
		mean += weight[i] * t[i];
	}
	for (size_t i = 0; i < n; i++)
		sd += weight[i] * square(t[i] - mean / total) / total;
	for (size_t i = 0; i < n; i++) {
		size_t group[MOST_N] = {0};
		double share[MOST_C] = {0}, own_mean, own_sd, T = mean_of_pairs();
		const size_t own = see_groups(i, numbers, sqrt(sd), group, share);

		describe(i, &own_mean, &own_sd);
		T = multi ? own_mean - own_sd / 2 : T;
		for (size_t a = 0; a < p; a++) {
			double near = 0, sum = 0, miss = 0;

			for (size_t g = 0; g < MOST_C; g++)
				if (g != own && mean_near(i, a, T, group, g, &near)) {
					sum += share[g];
					miss += share[g] * near;
				}
			mean_near(i, a, T, group, own, &near);
			w[a] += weight[i] / total * ((sum > 0 ? miss / sum : 0) - near);
		}
	}
}

static void
test_surf(bool multi, bool numbers)
{
	double worst = 0;
	size_t bad = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = {
		    .method = multi ? KITH_RELIEF_MULTISURF : KITH_RELIEF_SURF,
		    .threads = 1 + seed % 3};
		struct kith_relief_rows in = (draw(seed), rows());
		const struct kith_relief *got;
		double w[MOST_P] = {0}, d;

		roughen(seed);
		fill_diff(!numbers);
		in.text = text;
		in.weight = weight;
		if (numbers) {
			in.y = NULL;
			in.t = t;
		}
		got = run(&in, &how);
		plain_surf(multi, numbers, w);
		d = apart(got->w, w, p);
		worst = fmax(worst, d);
		bad += !(d <= 1e-9);
	}
	ok(bad == 0, "%s%s is as defined: %zu of %zu are not, worst %g",
	    multi ? "multisurf" : "surf", numbers ? " of numbers" : "", bad, seeds, worst);
}

/* RELIEF by cells: differences in their own unit. */
static void
plain_mixed(double *w)
{
	double total = 0;

	memset(w, 0, p * sizeof(*w));
	for (size_t i = 0; i < n; i++) {
		size_t at[2] = {NOBODY, NOBODY};
		double best[2] = {INFINITY, INFINITY};

		for (size_t j = 0; j < n; j++) {
			const size_t miss = y[i] != y[j];
			double d = 0;

			for (size_t a = 0; a < p; a++)
				d += square(diff[(i * n + j) * p + a]);
			if (j != i && d < best[miss]) {
				best[miss] = d;
				at[miss] = j;
			}
		}
		total += weight[i];
		for (size_t miss = 0; miss < 2; miss++)
			for (size_t a = 0; at[miss] != NOBODY && a < p; a++)
				w[a] += (miss ? 1 : -1) * weight[i] *
				    square(diff[(i * n + at[miss]) * p + a]);
	}
	for (size_t a = 0; a < p; a++)
		w[a] /= total;
}

static void
test_mixed(void)
{
	double worst = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		const struct kith_relief_how how = {.method = KITH_RELIEF, .threads = 1 + seed % 3};
		struct kith_relief_rows in = (draw(seed), rows());
		double w[MOST_P] = {0};

		/* Continuous rows: no ties that rounding decides. */
		for (size_t a = 0; a < n * p; a++)
			x[a] = kith_rng_unit(&rng);
		for (size_t i = 0; i < n; i++)
			weight[i] = .2 + kith_rng_unit(&rng);
		for (size_t a = 0; a < p; a++) {
			text[a] = a % 3 == 1;
			for (size_t i = 0; i < n; i++)
				if (text[a])
					x[i * p + a] = (double)(i * (a + 3) % 7 % 3);
				else if (i > 4 && kith_rng_below(&rng, 8) == 0)
					x[i * p + a] = NAN;
		}
		fill_diff(true);
		for (size_t i = 0; i < n * n; i++)
			for (size_t a = 0; a < p; a++)
				if (!text[a])
					diff[i * p + a] /= factor[a];
		in.text = text;
		in.weight = weight;
		plain_mixed(w);
		worst = fmax(worst, apart(run(&in, &how)->w, w, p));
	}
	ok(worst <= 1e-9, "relief by cells is as defined: %g", worst);
}

/* RELIEFF with weights, by what each row adds: k nearest, weighted means. */
static void
plain_weighted(size_t k, double *w)
{
	double total = 0, in[MOST_C] = {0};

	memset(w, 0, p * sizeof(*w));
	for (size_t i = 0; i < n; i++) {
		total += weight[i];
		in[y[i]] += weight[i];
	}
	for (size_t i = 0; i < n; i++)
		for (size_t b = 0; b < c; b++) {
			bool used[MOST_N] = {false};
			double sum = 0, add[MOST_P] = {0};

			for (size_t r = 0; r < k; r++) {
				size_t at = NOBODY;

				for (size_t j = 0; j < n; j++)
					if (j != i && y[j] == b && !used[j] &&
					    (at == NOBODY || distance(i, j) < distance(i, at)))
						at = j;
				if (at == NOBODY)
					break;
				used[at] = true;
				sum += weight[at];
				for (size_t a = 0; a < p; a++)
					add[a] += weight[at] * diff[(i * n + at) * p + a];
			}
			for (size_t a = 0; sum > 0 && a < p; a++)
				w[a] += weight[i] / total * add[a] / sum *
				    (y[i] == b ? -1 : in[b] / (total - in[y[i]]));
		}
}

static void
test_weights(void)
{
	double worst = 0;

	for (size_t seed = 4; seed <= 4 * seeds; seed += 4) {
		const struct kith_relief_how how = {
		    .method = KITH_RELIEFF, .k = 1 + seed % 7, .threads = 1 + seed % 3};
		struct kith_relief_rows in = (draw(seed), rows());
		double w[MOST_P] = {0};

		for (size_t i = 0; i < n; i++)
			weight[i] = .2 + kith_rng_unit(&rng);
		fill_diff(true);
		in.weight = weight;
		plain_weighted(how.k, w);
		worst = fmax(worst, apart(run(&in, &how)->w, w, p));
	}
	ok(worst <= 1e-9, "relieff with weights is as defined: %g", worst);
}

int
main(void)
{
	seeds = getenv("KITH_LONG") ? 400 : 40;
	test_surf(false, false);
	test_surf(true, false);
	test_surf(false, true);
	test_surf(true, true);
	test_mixed();
	test_weights();
	kith_pool_free(&pool);
	return done();
}
