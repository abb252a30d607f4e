/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/la/chol.h: what is solved is put back into the equations while rows come and go, and
 * the borders of what can be factored; the same bits at each level.
 */
#include "la/chol.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/level.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 150, LD = 152, WALK = 40, SIDES = KITH_CHOL_SIDES, ROOM = SIDES * LD };

static double A[N * LD];
static struct kith_rng rng;

/* Whether rows and columns outside of the triangle are 0. */
static bool
clean(const struct kith_chol *chol)
{
	for (size_t i = 0; i < chol->most; i++)
		for (size_t j = 0; j < chol->ld; j++)
			if (chol->R[i * chol->ld + j] != 0 && (i >= j || j >= chol->n))
				return false;
	return true;
}

/* A = B B' + ridge, B being n x m. */
static void
make(size_t n, size_t m, double ridge)
{
	static double B[N * N];

	for (size_t i = 0; i < n * m; i++)
		B[i] = kith_rng_unit(&rng) - 0.4;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double s = i == j ? ridge : 0;

			for (size_t l = 0; l < m; l++)
				s += B[i * m + l] * B[j * m + l];
			A[i * LD + j] = s;
		}
}

/* The largest |A x - b| over the rows of the factor, relative to the largest |A_ij x_j|. */
static double
off(const struct kith_chol *chol, const size_t *index, const double *x, const double *b)
{
	double worst = 0, most = 0;

	for (size_t i = 0; i < chol->n; i++) {
		double s = -b[i];

		for (size_t j = 0; j < chol->n; j++) {
			s += A[index[i] * LD + index[j]] * x[j];
			most = fmax(most, fabs(A[index[i] * LD + index[j]] * x[j]));
		}
		worst = fmax(worst, fabs(s));
	}
	return most > 0 ? worst / most : 0;
}

/* How far a solution is off. */
static double
residual(struct kith_chol *chol, const size_t *index)
{
	double x[N] = {0}, b[N] = {0};

	for (size_t i = 0; i < chol->n; i++)
		x[i] = b[i] = kith_rng_unit(&rng);
	kith_chol_solve(chol, x);
	return off(chol, index, x, b);
}

static bool
append(struct kith_chol *chol, size_t *index, size_t j)
{
	double a[N] = {0};

	for (size_t i = 0; i < chol->n; i++)
		a[i] = A[j * LD + index[i]];
	if (!kith_chol_append(chol, a, A[j * LD + j], 1e-13))
		return false;
	index[chol->n - 1] = j;
	return true;
}

static void
test_hand(struct kith_pool *pool)
{
	struct kith_chol chol = kith_chol_new(3, pool);
	const double row[] = {2, 0};
	double x[] = {8, 7};

	ok(kith_chol_append(&chol, row, 4, 0), "4");
	ok(kith_chol_append(&chol, row, 5, 0), "4 2; 2 5");
	ok(chol.pivot[0] == 2 && chol.pivot[1] == 2 && chol.R[1] == 1, "R = 2 1; 0 2");
	kith_chol_solve(&chol, x);
	is_near(x[0], 1.625, 1e-15, "x");
	is_near(x[1], 0.75, 1e-15, "y");
	ok(!kith_chol_append(&chol, (double[]){4, 2}, 4, 1e-15), "a copy");
	is_size(chol.n, 2, "is not taken");
	kith_chol_delete(&chol, 0);
	is_near(chol.pivot[0], sqrt(5), 1e-15, "5 alone");
	kith_chol_delete(&chol, 0);
	kith_chol_solve(&chol, x);
	ok(chol.n == 0, "and nothing");
}

/* A row that depends on another exactly is refused though `least` is 0. */
static void
test_exact(struct kith_pool *pool)
{
	struct kith_chol chol = kith_chol_new(9, pool);
	const double two[4] = {4, 4, 4, 4};
	size_t index[] = {1, 0};

	ok(kith_chol_append(&chol, two, 4, 0) && !kith_chol_append(&chol, two, 4, 0) && chol.n == 1,
	    "the same row again");
	is_size(kith_chol_factor(&chol, two, 2, index, 2, 0), 1, "a factor");
	ok(index[0] == 1, "of the first");
}

/* Rows come and go at random. */
static void
test_walk(struct kith_pool *pool)
{
	struct kith_chol chol = kith_chol_new(WALK, pool);
	size_t index[N] = {0}, left[WALK], lefts = WALK;
	double worst = 0;

	make(WALK, WALK, 0.5);
	for (size_t i = 0; i < WALK; i++)
		left[i] = i;
	for (size_t step = 0; step < 2000; step++) {
		const bool in = lefts > 0 && (chol.n == 0 || kith_rng_below(&rng, 2) == 0);

		if (in) {
			if (!append(&chol, index, left[--lefts]))
				worst = INFINITY;
		} else {
			const size_t i = kith_rng_below(&rng, chol.n);

			left[lefts++] = index[i];
			kith_chol_delete(&chol, i);
			memmove(index + i, index + i + 1, (chol.n - i) * sizeof(*index));
		}
		worst = fmax(worst, residual(&chol, index));
	}
	ok(worst <= 1e-13, "residual on the way: %.1e", worst);
}

/* Of rows of rank m, as many are held. */
static void
test_rank(struct kith_pool *pool, size_t n, size_t m)
{
	struct kith_chol chol = kith_chol_new(N, pool);
	struct kith_chol other = kith_chol_new(N, pool);
	size_t index[N] = {0}, same[N] = {0}, held;
	double worst = 0;

	make(n, m, 0);
	for (size_t i = 0; i < n; i++)
		index[i] = n - 1 - i;
	held = kith_chol_factor(&chol, A, LD, index, n, 1e-12);
	ok(held == (m < n ? m : n), "%zu rows of rank %zu: %zu held", n, m, held);
	ok(held == chol.n && (n == 0 || index[0] == n - 1), "the first ones");
	worst = residual(&chol, index);
	ok(worst <= 1e-9, "residual %.1e", worst);
	for (size_t i = 0; i < held; i++)
		append(&other, same, index[i]);
	for (size_t i = 0; i < held; i++)
		worst = fmax(worst, fabs(other.pivot[i] - chol.pivot[i]));
	ok(held == 0 || worst <= 1e-9, "as if appended");
	held = kith_chol_factor(&chol, A, LD, index, held, 1e-12);
	is_size(held, other.n, "again, over the old one");
	kith_chol_clear(&chol);
	is_size(chol.n, 0, "cleared");
}

/* A factor that is widened, cut, cleared and filled again has nothing beside its triangle. */
static void
test_beside(size_t n, struct kith_pool *pool)
{
	struct kith_chol chol = kith_chol_new(n, pool), wider;
	size_t index[N] = {0};
	double worst;

	make(n, n, .5);
	for (size_t i = 0; i < n; i++)
		append(&chol, index, i);
	wider = kith_chol_wider(&chol, 2 * n, pool);
	worst = residual(&wider, index);
	ok(wider.n == n && wider.most == 2 * n && clean(&wider) && worst < 1e-9, "n %zu: wider", n);
	wider = kith_chol_wider(&chol, n, pool);
	worst = residual(&wider, index);
	ok(wider.n == n && wider.most == n && clean(&wider) && worst < 1e-9,
	    "in as much room as it needs");
	for (size_t i = n; i-- > n / 2;)
		kith_chol_delete(&chol, i);
	worst = residual(&chol, index);
	ok(chol.n == n / 2 && clean(&chol) && worst < 1e-9, "its second half cut off");
	kith_chol_clear(&chol);
	ok(chol.n == 0 && clean(&chol), "cleared");
	for (size_t i = 0; i < n; i++)
		append(&chol, index, i);
	worst = residual(&chol, index);
	ok(chol.n == n && clean(&chol) && worst < 1e-9, "and filled again");
}

/* A pivot is taken where its square exceeds a part of the diagonal. */
static void
test_least(struct kith_pool *pool)
{
	struct kith_chol chol = kith_chol_new(2, pool);
	const double two = 2;

	ok(!kith_chol_append(&chol, &two, 0, 0) && !kith_chol_append(&chol, &two, -1, 0) &&
		!kith_chol_append(&chol, &two, NAN, 0),
	    "no row of length 0");
	ok(!kith_chol_append(&chol, &two, 4, 1) && chol.n == 0,
	    "nor one that is as long as the least");
	ok(kith_chol_append(&chol, &two, 4, .5), "a longer one");
	/* 4 - (2 / 2)^2 = 3 */
	ok(!kith_chol_append(&chol, &two, 4, .75) && chol.n == 1 && clean(&chol),
	    "a pivot that is as small as the least");
	ok(kith_chol_append(&chol, &two, 4, .7499) && chol.n == 2 && chol.R[1] == 1 &&
		fabs(chol.pivot[1] - sqrt(3)) < 1e-15 &&
		fabs(chol.inverse[1] * sqrt(3) - 1) < 1e-15,
	    "a larger one");
}

/* How many of n numbers differ. */
static size_t
differ(size_t n, const double *x, const double *y)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += x[i] != y[i];
	return count;
}

/* The solutions of a factor that has grown and of a new one, of one side, several and columns of
   the inverse: right at each level, the same bytes at all, and 0 behind them. */
static void
test_levels(size_t n, struct kith_pool *pool)
{
	const size_t best = kith_level, ld = n / 8 * 8 + 8;
	double b[ROOM], x[ROOM], first[SIDES + 1][ROOM], worst = 0;
	size_t index[N], wrong = 0;

	make(n, n, 1);
	for (size_t k = 0; k < ROOM; k++)
		b[k] = kith_rng_unit(&rng) - .5;
	for (kith_level = 0; kith_level < kith_level_count(); kith_level++) {
		struct kith_chol chol = kith_chol_new(n, pool);

		wrong += chol.ld != ld;
		for (size_t j = 0; j < n; j++)
			append(&chol, index, j);
		for (size_t sides = 0; sides <= SIDES; sides++) {
			memcpy(x, b, sizeof(x));
			if (sides == 0) {
				kith_chol_solve(&chol, x);
				worst = fmax(worst, off(&chol, index, x, b));
				wrong += kith_chol_factor(&chol, A, LD, index, n, 1e-13) != n;
			} else {
				kith_chol_solve_sides(&chol, sides, x);
			}
			for (size_t k = 0; k < sides; k++) {
				worst = fmax(worst, off(&chol, index, x + k * ld, b + k * ld));
				for (size_t j = n; j < ld; j++)
					wrong += x[k * ld + j] != 0;
			}
			if (sides > 0)
				wrong += differ(ROOM - sides * ld, x + sides * ld, b + sides * ld);
			for (size_t j = 0; j < n; j++)
				wrong += !(fabs(chol.pivot[j] * chol.inverse[j] - 1) < 1e-15);
			if (kith_level == 0)
				memcpy(first[sides], x, sizeof(x));
			wrong += differ(ROOM, first[sides], x);
		}
		for (size_t i = 0; i < n; i += 1 + n / 9) {
			double e[N] = {0};

			e[i] = 1;
			kith_chol_unit(&chol, i, x); /* x may have held anything */
			worst = fmax(worst, off(&chol, index, x, e));
			for (size_t j = n; j < ld; j++)
				wrong += x[j] != 0;
		}
	}
	kith_level = best;
	ok(wrong == 0 && worst <= 1e-14, "%zu rows, solved at each level: %zu wrong, %.1e", n,
	    wrong, worst);
}

int
main(void)
{
	struct kith_pool pool = {0};

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_hand(&pool);
	test_exact(&pool);
	for (size_t i = 0; i < 5; i++)
		test_walk(&pool);
	for (size_t n = 0; n <= 24; n += 3)
		test_rank(&pool, n, 10);
	test_rank(&pool, WALK, WALK);
	test_rank(&pool, N, N);
	test_rank(&pool, N, 90);
	test_rank(&pool, N, 20);
	for (size_t n = 0; n <= 35; n++)
		test_beside(n, &pool);
	for (size_t n = 1; n <= 40; n++)
		test_levels(n, &pool);
	for (size_t n = 63; n <= 67; n++)
		test_levels(n, &pool);
	test_levels(N, &pool);
	test_least(&pool);
	kith_pool_free(&pool);
	return done();
}
