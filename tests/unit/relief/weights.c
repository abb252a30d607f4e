/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of weights of the rows, lib/relief/relief.h: each method against its
 * definition with weights, and rows that do not count.
 */
#include "relief/diff.h"
#include "relief/plain.h"

static size_t seeds;
static double weight[MOST_N], s[MOST_N]; /* s: of mean 1 */

static void
weigh(uint64_t seed)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		weight[i] = seed % 3 ? .1 + kith_rng_unit(&rng) : (double)(1 + i % 2);
		weight[i] *= seed % 2 ? 7 : 1e-3;
		sum += weight[i];
	}
	for (size_t i = 0; i < n; i++)
		s[i] = weight[i] * (double)n / sum;
}

static void
weighted_relief(double *w)
{
	double d[MOST_N];

	memset(w, 0, p * sizeof(*w));
	for (size_t i = 0; i < n; i++) {
		distances(i, KITH_SQUARED, NULL, d);
		for (int hit = 0; hit < 2; hit++) {
			const size_t j = nearest(i, hit, d);

			for (size_t a = 0; j != NOBODY && a < p; a++)
				w[a] += (hit ? -1 : 1) * s[i] *
				    square(x[i * p + a] - x[j * p + a]) / (double)n;
		}
	}
}

/* One iteration from equal weights. */
static void
weighted_irelief(double sigma, double *w)
{
	double d[MOST_N], nu[MOST_P] = {0}, norm = 0;

	sigma *= scale_of(s);
	for (size_t a = 0; a < p; a++)
		w[a] = 1 / sqrt((double)p);
	for (size_t i = 0; i < n; i++) {
		double H = 0, M = 0;

		distances(i, KITH_ABSOLUTE, w, d);
		for (size_t j = 0; j < n; j++) {
			d[j] = j == i ? 0 : s[j] * exp(-d[j] / sigma);
			*(y[j] == y[i] ? &H : &M) += d[j];
		}
		for (size_t j = 0; H > 0 && j < n; j++)
			for (size_t a = 0; a < p; a++)
				nu[a] += s[i] * H / (H + M) * d[j] *
				    fabs(x[i * p + a] - x[j * p + a]) *
				    (y[j] == y[i] ? -1 / H : 1 / M);
	}
	for (size_t a = 0; a < p; a++)
		norm += square(fmax(nu[a], 0));
	for (size_t a = 0; a < p; a++)
		w[a] = norm > 0 ? fmax(nu[a], 0) / sqrt(norm) : 0;
}

/* sum_i s_i p_i under weights w. */
static double
weighted_nca(const double *w)
{
	double d[MOST_N], f = 0;

	for (size_t i = 0; i < n; i++) {
		double H = 0, all = 0, least = INFINITY;

		distances(i, KITH_SQUARED, w, d);
		for (size_t j = 0; j < n; j++)
			least = j == i ? least : fmin(least, d[j]);
		for (size_t j = 0; j < n; j++) {
			const double e = j == i ? 0 : s[j] * exp(least - d[j]);

			all += e;
			H += y[j] == y[i] ? e : 0;
		}
		f += s[i] * H / all;
	}
	return f;
}

static void
test_methods(void)
{
	static const struct kith_relief_how all[] = {{.method = KITH_RELIEF},
	    {.method = KITH_RELIEF_SIMBA, .max_iter = 1, .starts = 1},
	    {.method = KITH_RELIEF_IRELIEF, .max_iter = 1, .sigma = .5}};
	static const char *const name[] = {"relief", "simba", "irelief"};

	for (size_t q = 0; q < 3; q++) {
		double worst = 0;
		size_t judged = 0;

		for (size_t seed = 1; seed <= seeds; seed++) {
			struct kith_relief_how how = all[q];
			struct kith_relief_rows in = (draw(seed), rows());
			double w[MOST_P] = {0};
			bool clear = true;

			weigh(seed);
			in.weight = weight;
			how.threads = 1 + seed % 2;
			if (q == 0)
				weighted_relief(w);
			else if (q == 1)
				clear = plain_simba(1, s, w);
			else
				weighted_irelief(.5, w);
			if (!clear)
				continue;
			judged++;
			worst = fmax(worst, apart(run(&in, &how)->w, w, p));
		}
		ok(worst <= 1e-9 && judged > seeds / 2, "%s with weights is as defined: %g",
		    name[q], worst);
	}
}

/* NCA: what is told, and no point nearby that is better. */
static void
test_nca(void)
{
	double worst = 0;
	size_t better = 0, apart_ = 0;

	for (size_t seed = 1; seed <= seeds / 2; seed++) {
		struct kith_relief_how how = {.method = KITH_RELIEF_NCA,
		    .starts = 2,
		    .tol = 1e-7,
		    .max_iter = 1000,
		    .seed = seed,
		    .threads = 1};
		struct kith_relief_rows in = (draw(seed), rows());
		const struct kith_relief *got;
		double f;

		weigh(seed);
		in.weight = weight;
		got = run(&in, &how);
		f = weighted_nca(got->w);
		worst = fmax(worst, fabs(f - got->objective) / (double)n);
		for (size_t tries = 0; tries < 5; tries++) {
			double near[MOST_P] = {0};

			for (size_t a = 0; a < p; a++)
				near[a] = square(
				    sqrt(got->w[a]) + 1e-3 * (kith_rng_unit(&rng) - .5));
			better += weighted_nca(near) > f + 1e-6 * (double)n;
			apart_ += weighted_nca(near) < f;
		}
	}
	ok(worst <= 1e-12, "the objective of nca: %g", worst);
	is_size(better, 0, "points that are better");
	ok(apart_ > seeds, "%zu are worse", apart_);
}

/* The row nearest to row i of those that are not used. */
static size_t
nearest_unused(size_t i, const bool *used)
{
	double best = INFINITY;
	size_t at = 0;

	for (size_t j = 0; j < n; j++) {
		double d = 0;

		for (size_t a = 0; a < p; a++)
			d += diff[(i * n + j) * p + a];
		if (j != i && !used[j] && d < best) {
			best = d;
			at = j;
		}
	}
	return at;
}

/* RReliefF with weights: those of the k nearest, times their influence. */
static void
weighted_numbers(size_t k, double sigma, double *w)
{
	double with[MOST_P] = {0}, without[MOST_P] = {0}, C = 0, R = 0;
	const double range = range_of(t, 1);

	for (size_t i = 0; i < n; i++) {
		bool used[MOST_N] = {false};
		size_t nn[MOST_N] = {0};
		double all = 0, f[MOST_N] = {0};

		for (size_t r = 0; r < k; r++) {
			nn[r] = nearest_unused(i, used);
			used[nn[r]] = true;
			f[r] = s[nn[r]] * exp(-square((double)(r + 1) / sigma));
			all += f[r];
		}
		for (size_t r = 0; r < k; r++) {
			const double by = s[i] * f[r] / all;
			const double delta = fabs(t[i] - t[nn[r]]) / range;

			C += by * delta;
			R += by * (1 - delta);
			for (size_t a = 0; a < p; a++) {
				const double D = diff[(i * n + nn[r]) * p + a];

				with[a] += by * delta * D;
				without[a] += by * (1 - delta) * D;
			}
		}
	}
	for (size_t a = 0; a < p; a++)
		w[a] = with[a] / C - without[a] / R;
}

static void
test_numbers(void)
{
	double worst = 0;

	for (size_t seed = 4; seed <= 4 * seeds; seed += 4) {
		const struct kith_relief_how how = {
		    .method = KITH_RELIEFF, .k = 1 + seed % 7, .sigma = 3, .threads = 1};
		struct kith_relief_rows in = (draw(seed), rows());
		double w[MOST_P] = {0};

		weigh(seed / 4);
		fill_diff(false);
		in.weight = weight;
		in.y = NULL;
		in.t = t;
		weighted_numbers(how.k, 3, w);
		worst = fmax(worst, apart(run(&in, &how)->w, w, p));
	}
	ok(worst <= 1e-9, "relieff of numbers with weights: %g", worst);
}

/* Rows of weight 0, or of next to nothing, are as if they were not there. */
static void
test_none(void)
{
	static const struct kith_relief_how all[] = {{.method = KITH_RELIEF},
	    {.method = KITH_RELIEFF, .k = 4}, {.method = KITH_RELIEF_SURF},
	    {.method = KITH_RELIEF_MULTISURF}, {.method = KITH_RELIEF_LFE},
	    {.method = KITH_RELIEFF, .k = 4, .sigma = 2}};
	enum { ALL = sizeof(all) / sizeof(*all) };
	size_t odd = 0;

	for (size_t q = 0; q < ALL; q++)
		for (size_t seed = 4; seed <= 24; seed += 4) {
			struct kith_relief_how how = all[q];
			struct kith_relief_rows in = (draw(seed), rows());
			double v[MOST_N * MOST_P], u[MOST_N], own[MOST_N];
			double w[MOST_P * MOST_P];
			size_t z[MOST_N], m = 0, entries = p;

			weigh(1);
			entries *= how.method == KITH_RELIEF_LFE ? p : 1;
			how.threads = 1;
			for (size_t i = 0; i < n; i++) {
				if (i % 4 == 2)
					weight[i] = seed % 8 ? 0 : 1e-70;
				if (i % 4 == 2)
					continue;
				memcpy(v + m * p, x + i * p, p * sizeof(*v));
				z[m] = y[i];
				u[m] = t[i];
				own[m++] = weight[i];
			}
			in.weight = weight;
			in.y = q + 1 == ALL ? NULL : y;
			in.t = q + 1 == ALL ? t : NULL;
			memcpy(w, run(&in, &how)->w, entries * sizeof(*w));
			in.X = (struct kith_mat){m, p, v};
			in.weight = own;
			in.y = q + 1 == ALL ? NULL : z;
			in.t = q + 1 == ALL ? u : NULL;
			odd += memcmp(w, run(&in, &how)->w, entries * sizeof(*w)) != 0;
		}
	is_size(odd, 0, "rows of weight 0 that count");
}

/* Equal weights are none; those that leave one class, or a constant, fail. */
static void
test_ends(void)
{
	struct kith_relief_how how = {.method = KITH_RELIEF_SURF, .threads = 1};
	struct kith_relief_rows in = (draw(5), rows());
	double w[MOST_P];

	memcpy(w, run(&in, &how)->w, p * sizeof(*w));
	for (size_t i = 0; i < n; i++)
		weight[i] = .3;
	in.weight = weight;
	ok(memcmp(w, run(&in, &how)->w, p * sizeof(*w)) == 0, "equal weights are none");
	for (size_t i = 0; i < n; i++)
		weight[i] = y[i] == 1;
	ok(!run(&in, &how) && err.status == EX_DATAERR, "one class");
	is_text(err.msg, "one class only has rows of weight above 0", "which is said");
	in.y = NULL;
	in.t = t;
	for (size_t i = 0; i < n; i++)
		t[i] = y[i] == 1 ? 4 : (double)i;
	ok(!run(&in, &how) && err.status == EX_DATAERR, "one number");
	is_text(err.msg, "the target is constant", "which is said");
	how.samples = 7;
	for (size_t i = 0; i < n; i++)
		weight[i] = i < 6;
	ok(!run(&in, &how), "more samples than rows of weight above 0");
	is_text(err.msg, "--samples 7: only 6 rows", "which is said");
}

int
main(void)
{
	seeds = getenv("KITH_LONG") ? 400 : 30;
	test_methods();
	test_nca();
	test_numbers();
	test_none();
	test_ends();
	kith_pool_free(&pool);
	return done();
}
