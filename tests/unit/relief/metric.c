/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of relief/turn.h and of NCA with a rank, lib/relief/relief.h: the value
 * and its gradient against the definitions, and what a search finds.
 */
#include "relief/data.h"

#include "near/by_class.h"
#include "relief/turn.h"

static double weight[MOST_N];

/* The value at A (r x p), of classes or numbers, written down as it is. */
static double
plain(size_t r, const double *A, bool numbers, bool weighted)
{
	double f = 0, total = 0;

	for (size_t i = 0; i < n; i++) {
		double P[MOST_N], d[MOST_N], least = INFINITY, S = 0, p_i = 0;

		for (size_t j = 0; j < n; j++) {
			d[j] = 0;
			for (size_t q = 0; q < r; q++) {
				double z = 0;

				for (size_t a = 0; a < p; a++)
					z += A[q * p + a] *
					    (x[i * p + a] - x[j * p + a]);
				d[j] += z * z;
			}
			least = j == i ? least : fmin(least, d[j]);
		}
		for (size_t j = 0; j < n; j++) {
			P[j] = j == i
			    ? 0
			    : (weighted ? weight[j] : 1) * exp(least - d[j]);
			S += P[j];
		}
		for (size_t j = 0; j < n; j++)
			p_i += P[j] / S *
			    (numbers               ? t[j]
				    : y[j] == y[i] ? 1
						   : 0);
		f += (weighted ? weight[i] : 1) *
		    (numbers ? square(p_i - t[i]) : -p_i);
		total += weighted ? weight[i] : 1;
	}
	return f / total;
}

/* Targets of mean 0 and variance 1, and weights of mean 1. */
static void
prepare(void)
{
	double mean = 0, var = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		weight[i] = .1 + kith_rng_unit(&rng);
		sum += weight[i];
		mean += t[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		weight[i] *= (double)n / sum;
		var += square(t[i] - mean) / (double)n;
	}
	for (size_t i = 0; i < n; i++)
		t[i] = (t[i] - mean) / sqrt(var);
}

/* Set up what the test calls directly: the same rows, sorted. */
static void
set_up(struct kith_relief_turn *turn, struct kith_by_class *s, bool numbers,
    bool weighted)
{
	const struct kith_mat X = {n, p, x};
	double *own_t, *own_weight;

	KITH_NEW_REALS(&pool, n, 1, &own_t, &own_weight);
	kith_by_class_sort(
	    &X, numbers ? NULL : y, numbers ? 1 : c, NULL, n, s, &pool);
	for (size_t i = 0; i < n; i++) {
		own_t[i] = t[s->row[i]];
		own_weight[i] = weight[s->row[i]];
	}
	turn->s = s;
	turn->t = numbers ? own_t : NULL;
	turn->weight = weighted ? own_weight : NULL;
	kith_relief_turn_new(turn, &pool);
}

/* Values are those of the definition, gradients their differences. */
static void
test_gradient(void)
{
	double worst = 0, slope = 0;

	for (size_t seed = 1; seed <= 160; seed++) {
		struct kith_relief_turn turn = {.threads = 1 + seed % 3};
		struct kith_by_class s;
		const bool numbers = seed % 2, weighted = seed / 2 % 2;
		const double size = seed % 5 == 0 ? 30
						  : .1 + (double)(seed % 3);
		double A[MOST_P * MOST_P], g[MOST_P * MOST_P];
		double none[MOST_P * MOST_P];

		draw(seed);
		prepare();
		turn.r = 1 + seed % p;
		for (size_t a = 0; a < turn.r * p; a++)
			A[a] = size * (kith_rng_unit(&rng) - .5);
		set_up(&turn, &s, numbers, weighted);
		worst = fmax(worst,
		    fabs(kith_relief_turn_value(&turn, A, g) -
			plain(turn.r, A, numbers, weighted)));
		for (size_t l = 0; l < 3; l++) {
			const size_t a = kith_rng_below(&rng, turn.r * p);
			const double h = 1e-5, was = A[a];
			double up, down;

			A[a] = was + h;
			up = kith_relief_turn_value(&turn, A, none);
			A[a] = was - h;
			down = kith_relief_turn_value(&turn, A, none);
			A[a] = was;
			slope = fmax(slope,
			    fabs((up - down) / (2 * h) - g[a]) /
				fmax(1, fabs(g[a])));
		}
	}
	ok(worst <= 1e-11, "values are as defined: %g", worst);
	ok(slope <= 1e-5, "gradients are differences: %g", slope);
}

/* Rows far from each other, whose squares are found one by one, and wild A. */
static void
test_far(void)
{
	struct kith_relief_turn turn = {.threads = 1, .r = 1};
	struct kith_by_class s;
	double A[MOST_P] = {0}, g[MOST_P];

	draw(3);
	prepare();
	A[0] = 1e7;
	set_up(&turn, &s, false, false);
	ok(fabs(kith_relief_turn_value(&turn, A, g) -
	       plain(1, A, false, false)) <= 1e-12,
	    "far rows");
	A[0] = 1e200;
	ok(kith_relief_turn_value(&turn, A, g) == turn.wild && g[0] == 0,
	    "squares that do not fit a double");
}

/* All products at once, or some rows at a time, give the same. */
static void
test_many(void)
{
	enum { N = 400, P = 70 };
	static double X[N * P], A[P * P], g[P * P], due[P * P];
	static size_t class[N];
	struct kith_by_class s;
	const struct kith_mat all = {N, P, X};
	double worst = 0, value[2];

	kith_rng_seed(&rng, 1, KITH_RNG_START, 0);
	for (size_t a = 0; a < (size_t)N * P; a++)
		X[a] = kith_rng_unit(&rng);
	for (size_t i = 0; i < N; i++)
		class[i] = i % 3;
	for (size_t a = 0; a < (size_t)P * P; a++)
		A[a] = a % (P + 1) ? 0 : 1;
	kith_by_class_sort(&all, class, 3, NULL, N, &s, &pool);
	for (size_t l = 0; l < 2; l++) {
		struct kith_relief_turn turn = {
		    .s = &s, .r = P - 10 * l, .threads = 2};

		for (size_t a = (size_t)60 * P; a < (size_t)P * P; a++)
			A[a] = 0;
		kith_relief_turn_new(&turn, &pool);
		is_size(turn.E != NULL, l == 0, "exponents are kept");
		value[l] = kith_relief_turn_value(&turn, A, l ? due : g);
	}
	for (size_t a = 0; a < (size_t)60 * P; a++)
		worst = fmax(worst, fabs(g[a] - due[a]));
	ok(fabs(value[0] - value[1]) <= 1e-14 && worst <= 1e-14,
	    "in blocks or not: %g %g", value[0] - value[1], worst);
}

/* Rows that have moved a little are seen by lists: as if all were seen. */
static void
test_near(bool numbers, bool weighted)
{
	enum { N = 600, P = 21, STEPS = 60 };
	static double X[N * P], A[P * P], g[P * P], due[P * P], target[N];
	static double share[N];
	static size_t class[N];
	const struct kith_mat all = {N, P, X};
	struct kith_by_class s;
	struct kith_relief_turn turn[2];
	double worst = 0, f[2];
	size_t served = 0, odd = 0;

	kith_rng_seed(&rng, 1, KITH_RNG_START, 0);
	for (size_t a = 0; a < (size_t)N * P; a++)
		X[a] = kith_rng_unit(&rng);
	for (size_t i = 0; i < N; i++) {
		class[i] = numbers ? 0 : i % 3;
		target[i] = 2 * kith_rng_unit(&rng) - 1;
		share[i] = .1 + kith_rng_unit(&rng) * (i % 50 ? 1 : 1e3);
	}
	for (size_t a = 0; a < (size_t)9 * P; a++)
		X[a] = X[a + (size_t)100 * P];
	kith_by_class_sort(&all, class, numbers ? 1 : 3, NULL, N, &s, &pool);
	for (size_t l = 0; l < 2; l++)
		turn[l] = (struct kith_relief_turn){.s = &s,
		    .t = numbers ? target : NULL,
		    .weight = weighted ? share : NULL,
		    .r = P,
		    .threads = 1 + 2 * l};
	for (size_t l = 0; l < 2; l++)
		kith_relief_turn_new(&turn[l], &pool);
	for (size_t a = 0; a < (size_t)P * P; a++)
		A[a] = a % (P + 1) ? 0 : 12;
	for (size_t step = 0; step < STEPS; step++) {
		struct kith_relief_turn fresh = turn[0];
		/* Little steps, longer ones, and where all is blurred. */
		const double by = step % 10 ? .1 : 3;
		const double times = step == 40 ? .1 : step == 43 ? 10 : 1;

		for (size_t a = 0; a < (size_t)P * P; a++)
			A[a] = times * A[a] +
			    by * (2 * kith_rng_unit(&rng) - 1);
		for (size_t l = 0; l < 2; l++)
			f[l] = kith_relief_turn_value(&turn[l], A, l ? due : g);
		odd += f[0] != f[1];
		for (size_t a = 0; a < (size_t)P * P; a++)
			odd += g[a] != due[a];
		fresh.near = (struct kith_relief_turn_near){0};
		worst = fmax(
		    worst, fabs(kith_relief_turn_value(&fresh, A, due) - f[0]));
		for (size_t a = 0; a < (size_t)P * P; a++)
			worst = fmax(worst, fabs(g[a] - due[a]));
		served += turn[0].near.now == KITH_RELIEF_NEAR_USED;
	}
	ok(served > STEPS / 3 && served < STEPS - 2, "lists of use: %zu",
	    served);
	ok(worst <= 1e-11, "by lists or all: %g", worst);
	is_size(odd, 0, "threads that matter");
}

/* What is printed is A'A, no worse than the start, and a fixed point. */
static void
test_search(void)
{
	size_t lower = 0, moved = 0, odd = 0;

	for (size_t seed = 1; seed <= 40; seed++) {
		struct kith_relief_how how = {.method = KITH_RELIEF_NCA,
		    .rank = seed % 3 ? 1 + seed % 4 : SIZE_MAX,
		    .starts = 1 + seed % 2,
		    .max_iter = 200,
		    .tol = 1e-5,
		    .threads = 1};
		struct kith_relief_rows in = (draw(seed), rows());
		const struct kith_relief *got, *more;
		double first;

		if (seed % 4 == 1) {
			in.y = NULL;
			in.t = t;
		}
		how.seed = seed;
		got = run(&in, &how);
		first = got->objective;
		for (size_t a = 0; a < p; a++)
			for (size_t b = 0; b < p; b++)
				odd += got->w[a * p + b] != got->w[b * p + a];
		how.starts = 4;
		more = run(&in, &how);
		lower += in.t ? more->objective > first
			      : more->objective < first;
		how.max_iter = 1;
		how.starts = 1;
		more = run(&in, &how);
		moved += in.t ? more->objective < first
			      : more->objective > first;
	}
	is_size(odd, 0, "entries that are not symmetric");
	is_size(lower, 0, "more starts are worse");
	is_size(moved, 0, "more iterations are worse");
}

/* Data times a power of two: W is in its unit; one value, no weight. */
static void
test_unit(void)
{
	struct kith_relief_how how = {.method = KITH_RELIEF_NCA,
	    .rank = 2,
	    .starts = 2,
	    .max_iter = 30,
	    .tol = 1e-6,
	    .threads = 1};
	double due[MOST_P * MOST_P];
	size_t bad = 0;

	for (int e = -400; e <= 400; e += 200) {
		const struct kith_relief_rows in = (draw(8), rows());
		const struct kith_relief *got = run(&in, &how);

		memcpy(due, got->w, p * p * sizeof(*due));
		for (size_t a = 0; a < n * p; a++)
			x[a] = ldexp(x[a], e);
		got = run(&in, &how);
		for (size_t a = 0; a < p * p; a++)
			bad += ldexp(got->w[a], 2 * e) != due[a];
	}
	is_size(bad, 0, "weights that depend on the unit");
	draw(5);
	for (size_t i = 0; i < n; i++)
		for (size_t a = 0; a < p; a++)
			x[i * p + a] = i % 2 ? 1e300 : -1e300;
	{
		const struct kith_relief_rows in = rows();

		ok(!run(&in, &how) && err.status == EX_DATAERR,
		    "squares that do not fit: %s", err.msg);
	}
}

int
main(void)
{
	test_gradient();
	test_far();
	test_many();
	for (int l = 0; l < 4; l++)
		test_near(l % 2, l / 2);
	test_search();
	test_unit();
	kith_pool_free(&pool);
	return done();
}
