/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/la/chol.h: at each level the bits of plain loops in its order of sums. */
#include "base/pool.h"
#include "base/rng.h"
#include "la/chol.h"
#include "la/level.h"
#include "la/vec.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { MOST = 150, LD = 152, SIDES = KITH_CHOL_SIDES };

static double A[MOST * LD], R[MOST * LD], pivot[MOST];
static struct kith_rng rng;

/* A matrix whose diagonal outweighs its rows. */
static void
make(void)
{
	for (size_t i = 0; i < MOST; i++) {
		for (size_t j = 0; j < i; j++)
			A[i * LD + j] = A[j * LD + i] = kith_rng_unit(&rng) - .5;
		A[i * LD + i] = MOST;
	}
}

/* Columns from .. n-1 of R: each entry is less the products of the rows before, in their order; by
   appending, the squares of a column are summed in lanes. */
static void
factor(size_t from, size_t n, bool append)
{
	for (size_t j = from; j < n; j++) {
		double lane[8] = {0}, rest = A[j * LD + j];

		for (size_t i = 0; i < j; i++) {
			double a = A[i * LD + j];

			for (size_t r = 0; r < i; r++)
				a -= R[r * LD + i] * R[r * LD + j];
			a *= 1 / pivot[i];
			R[i * LD + j] = a;
			lane[i % 8] += a * a;
			rest -= append ? 0 : a * a;
		}
		pivot[j] = sqrt(append ? rest - kith_vec_lanes(lane) : rest);
	}
}

/* R'R x = b: forward in the order of rows; backward in lanes from column next(i) on, and those
   before it at last. */
static void
solve(size_t n, bool sides, double *x)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t r = 0; r < i; r++)
			x[i] -= x[r] * R[r * LD + i];
		x[i] *= 1 / pivot[i];
	}
	for (size_t i = n; i-- > 0;) {
		const size_t next = sides ? i / 8 * 8 + 8 : i + 1;
		double lane[8] = {0}, sum;

		for (size_t j = next; j < n; j++)
			lane[j % 8] += R[i * LD + j] * x[j];
		sum = kith_vec_lanes(lane);
		for (size_t j = i + 1; j < next && j < n; j++)
			sum += R[i * LD + j] * x[j];
		x[i] = (x[i] - sum) * (1 / pivot[i]);
	}
}

static bool
same_factor(const struct kith_chol *chol)
{
	bool same = true;

	for (size_t i = 0; i < chol->n; i++) {
		same = same && chol->pivot[i] == pivot[i];
		for (size_t j = i + 1; j < chol->n; j++)
			same = same && chol->R[i * chol->ld + j] == R[i * LD + j];
	}
	return same;
}

static void
test_solutions(struct kith_chol *chol)
{
	const size_t n = chol->n, size = n * sizeof(double);
	double x[SIDES * LD], due[SIDES * LD], b[SIDES * LD];
	bool same;

	for (size_t k = 0; k < (size_t)SIDES * LD; k++)
		b[k] = kith_rng_unit(&rng) - .5;
	memcpy(x, b, size);
	memcpy(due, b, size);
	kith_chol_solve(chol, x);
	solve(n, false, due);
	same = memcmp(x, due, size) == 0;
	for (size_t sides = 1; sides <= SIDES; sides++) {
		memcpy(x, b, sizeof(x));
		kith_chol_solve_sides(chol, sides, x);
		for (size_t k = 0; k < sides; k++) {
			memcpy(due, b + k * chol->ld, size);
			solve(n, true, due);
			same = same && memcmp(x + k * chol->ld, due, size) == 0;
			for (size_t j = n; j < chol->ld; j++)
				same = same && x[k * chol->ld + j] == 0;
		}
		for (size_t k = sides * chol->ld; k < (size_t)SIDES * LD; k++)
			same = same && x[k] == b[k];
	}
	ok(same, "%s: solutions of %zu, and nothing beside them", kith_level_name(kith_level), n);
	same = true;
	for (size_t i = 0; i < n; i += 1 + n / 9) {
		memset(due, 0, size);
		due[i] = 1;
		kith_chol_unit(chol, i, x); /* x may have held anything */
		solve(n, true, due);
		same = same && memcmp(x, due, size) == 0;
		for (size_t j = n; j < chol->ld; j++)
			same = same && x[j] == 0;
	}
	ok(same, "and columns of the inverse");
}

static void
test_factors(size_t n)
{
	struct kith_pool pool = {0};
	struct kith_chol chol = kith_chol_new(n, &pool);
	size_t index[MOST];

	for (size_t j = 0; j < n; j++)
		index[j] = j;
	is_size(kith_chol_factor(&chol, A, LD, index, n, 1e-13), n, "rows");
	factor(0, n, false);
	ok(same_factor(&chol), "%s: a factor of %zu", kith_level_name(kith_level), n);
	kith_chol_clear(&chol);
	for (size_t j = 0; j < n; j++)
		kith_chol_append(&chol, A + j * LD, A[j * LD + j], 1e-13);
	factor(0, n, true);
	ok(same_factor(&chol), "the rows one by one");
	test_solutions(&chol);
	kith_pool_free(&pool);
}

int
main(void)
{
	for (kith_level = 0; kith_level < kith_level_count(); kith_level++) {
		kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
		make();
		for (size_t n = 1; n <= 40; n++)
			test_factors(n);
		for (size_t n = 63; n <= 67; n++)
			test_factors(n);
		test_factors(MOST);
	}
	return done();
}
