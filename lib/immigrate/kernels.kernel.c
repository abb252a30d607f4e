/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/kernels - the inner loops of immigrate, compiled for each instruction set
 * (la/level.h); immigrate/kernels.h says which shapes the arguments have.
 *
 * A tile is T rows of X, stored by features (p x T).  A block of pairs k of rows is a matrix of
 * differences D_fk = |x_f - z_f| with a row of LD numbers for each feature f.
 *
 * Each number is computed in a lane of its own, and sums over features or pairs run in eight lanes
 * that are added in one order, so that the width of the registers does not change their bits.
 */
#include "immigrate/kernels.h"

#include "la/kernels.h"
#include "la/vector.h"

enum {
	T = KITH_TILE,     /* rows of a tile */
	LD = KITH_PAIR_LD, /* from a feature to the next one in a block of pairs */
	/* Vectors of a row that are summed at a time.  quadratic() has 2 SUMS accumulators, for
	   which 16 vector registers have to suffice. */
	SUMS = 4,
	CHUNK = SUMS * KITH_W, /* rows of SUMS vectors */
	/* Features g that products() sums at a time, in FEATURES KITH_PARTS accumulators: 8 of 16
	   registers, or with one part 4 of 32. */
	FEATURES = KITH_PARTS > 2 ? 2 : 4
};

/* diagonal() for one row x of a tile, and SUMS vectors of rows z_j of another. */
KITH_ALWAYS void
diagonal_chunk(size_t p, const double *w, bool squared, const double *x, const double *z, double *d)
{
	kith_vd sum[SUMS] = {{0}};

	for (size_t f = 0; f < p; f++, x += T, z += T) {
		if (w[f] == 0)
			continue;
#pragma GCC unroll 4
		for (size_t h = 0; h < SUMS; h++) {
			const kith_vd D = kith_vd_abs(*x - kith_vd_load(z + h * KITH_W));

			sum[h] += squared ? D * D * w[f] : D * w[f];
		}
	}
#pragma GCC unroll 4
	for (size_t h = 0; h < SUMS; h++)
		kith_vd_store(d + h * KITH_W, kith_vd_load(d + h * KITH_W) + sum[h]);
}

/* d_ij += sum_f w_f |x_fi - z_fj|, or with `squared` w_f (x_fi - z_fj)^2, for rows of two tiles. */
static void
diagonal(size_t p, const double *w, bool squared, const double *x, const double *z, double *d)
{
	for (size_t i = 0; i < T; i++)
		for (size_t j = 0; j < T; j += CHUNK)
			if (squared)
				diagonal_chunk(p, w, true, x + i, z + j, d + i * T + j);
			else
				diagonal_chunk(p, w, false, x + i, z + j, d + i * T + j);
}

/* D_fj = |x_f - z_fj| for a row x and the rows j of a tile. */
static void
differences(size_t p, const double *x, const double *z, size_t ld, double *D)
{
	for (size_t f = 0; f < p; f++, z += T, D += ld)
		for (size_t k = 0; k < T; k += KITH_W)
			kith_vd_store(D + k, kith_vd_abs(x[f] - kith_vd_load(z + k)));
}

/*
 * d_j / 2 = sum_f D_fj (W_ff / 2 D_fj + sum_{g > f} W_fg D_gj), from the vectors of column `from`
 * on.
 */
static void
quadratic(size_t p, const double *W, const double *D, size_t from, double *d)
{
	for (size_t j = from / CHUNK * CHUNK; j < T; j += CHUNK) {
		kith_vd sum[SUMS] = {{0}};

		for (size_t f = 0; f < p; f++) {
			const double *Df = D + f * T + j;
			kith_vd row[SUMS];

#pragma GCC unroll 4
			for (size_t h = 0; h < SUMS; h++)
				row[h] = W[f * p + f] / 2 * kith_vd_load(Df + h * KITH_W);
			for (size_t g = f + 1; g < p; g++) {
				const double *Dg = D + g * T + j;

#pragma GCC unroll 4
				for (size_t h = 0; h < SUMS; h++)
					row[h] += W[f * p + g] * kith_vd_load(Dg + h * KITH_W);
			}
#pragma GCC unroll 4
			for (size_t h = 0; h < SUMS; h++)
				sum[h] += row[h] * kith_vd_load(Df + h * KITH_W);
		}
#pragma GCC unroll 4
		for (size_t h = 0; h < SUMS; h++)
			kith_vd_store(d + j + h * KITH_W, 2 * sum[h]);
	}
}

/* d_k = sum_i sign_i Y_ki^2, for rows k of Y (n x r) */
static void
norms(size_t n, size_t r, const double *Y, const double *sign, double *d)
{
	for (size_t k = 0; k < n; k++, Y += r) {
		kith_vd sum[KITH_PARTS] = {{0}};

		for (size_t i = 0; i < r; i += 8)
			KITH_EACH_PART(h)
			{
				const kith_vd v = kith_vd_load(Y + i + h * KITH_W);

				sum[h] += v * v * kith_vd_load(sign + i + h * KITH_W);
			}
		d[k] = kith_vd_sum_parts(sum);
	}
}

/* least = min_k d_k, most = max_k d_k, e_k = exp((least - d_k) / sigma), sum = sum_k e_k and
   above = sum_k e_k (d_k - least) */
static struct kith_softmax
softmax(size_t n, double sigma, double *d, double *e)
{
	const size_t whole = (n + 7) / 8 * 8;
	kith_vd low, high, sum[KITH_PARTS] = {{0}}, above[KITH_PARTS] = {{0}};
	struct kith_softmax s;

	for (size_t k = n; k < whole; k++)
		d[k] = d[0];
	low = high = kith_vd_load(d);
	for (size_t k = KITH_W; k < whole; k += KITH_W) {
		const kith_vd v = kith_vd_load(d + k);
		const kith_vi less = (v < low), more = (v > high);

		low = (kith_vd)(((kith_vi)v & less) | ((kith_vi)low & ~less));
		high = (kith_vd)(((kith_vi)v & more) | ((kith_vi)high & ~more));
	}
	s = (struct kith_softmax){.least = low[0], .most = high[0]};
	for (size_t l = 1; l < KITH_W; l++) {
		s.least = low[l] < s.least ? low[l] : s.least;
		s.most = high[l] > s.most ? high[l] : s.most;
	}
	for (size_t k = 0; k < whole; k += KITH_W)
		kith_vd_store(e + k, (s.least - kith_vd_load(d + k)) / sigma);
	kith_vexp(n, e, e);
	for (size_t k = n; k < whole; k++)
		e[k] = 0;
	for (size_t k = 0; k < whole; k += 8)
		KITH_EACH_PART(h)
		{
			const kith_vd v = kith_vd_load(e + k + h * KITH_W);

			sum[h] += v;
			above[h] += v * (kith_vd_load(d + k + h * KITH_W) - s.least);
		}
	s.sum = kith_vd_sum_parts(sum);
	s.above = kith_vd_sum_parts(above);
	return s;
}

/*
 * to_lm += sum of t_k E_lk over the pairs k with k mod 8 = m, for rows l < `features` <= FEATURES
 * of E and lanes m < 8.
 */
KITH_ALWAYS void
add_features(size_t features, size_t n, const double *t, const double *E, double *to)
{
	kith_vd sum[FEATURES][KITH_PARTS];

#pragma GCC unroll 4
	for (size_t l = 0; l < features; l++)
		KITH_EACH_PART(h)
	sum[l][h] = kith_vd_load(to + l * 8 + h * KITH_W);
	for (size_t k = 0; k < n; k += 8)
		KITH_EACH_PART(h)
		{
			const kith_vd v = kith_vd_load(t + k + h * KITH_W);

#pragma GCC unroll 4
			for (size_t l = 0; l < features; l++)
				sum[l][h] += v * kith_vd_load(E + l * LD + k + h * KITH_W);
		}
#pragma GCC unroll 4
	for (size_t l = 0; l < features; l++)
		KITH_EACH_PART(h)
	kith_vd_store(to + l * 8 + h * KITH_W, sum[l][h]);
}

/* lanes_fgm += sum of c_k D_fk D_gk over k mod 8 = m, f <= g; returns sum_fk |c_k| D_fk^2. */
static double
products(size_t p, size_t n, const double *D, const double *c, double *lanes)
{
	double t[KITH_PAIR_BLOCK]; /* c_k D_fk of one f */
	kith_vd size[KITH_PARTS] = {{0}};

	for (size_t f = 0; f < p; f++, D += LD) {
		double *to = lanes + f * p * 8;
		size_t g = f;

		for (size_t k = 0; k < n; k += 8)
			KITH_EACH_PART(h)
			{
				const kith_vd v = kith_vd_load(D + k + h * KITH_W);
				const kith_vd cv = v * kith_vd_load(c + k + h * KITH_W);

				kith_vd_store(t + k + h * KITH_W, cv);
				size[h] += v * kith_vd_abs(cv);
			}
		for (; g + FEATURES <= p; g += FEATURES)
			add_features(FEATURES, n, t, D + (g - f) * LD, to + g * 8);
		for (; g < p; g++)
			add_features(1, n, t, D + (g - f) * LD, to + g * 8);
	}
	return kith_vd_sum_parts(size);
}

/* D = s |x - z|; returns D'D. */
static double
scaled(size_t ld, const double *x, const double *z, double s, double *D)
{
	kith_vd sum[KITH_PARTS] = {{0}};

	for (size_t j = 0; j < ld; j += 8)
		KITH_EACH_PART(h)
		{
			const size_t k = j + h * KITH_W;
			const kith_vd v = s *
			    kith_vd_abs(kith_vd_load(x + k) - kith_vd_load(z + k));

			sum[h] += v * v;
			kith_vd_store(D + k, v);
		}
	return kith_vd_sum_parts(sum);
}

/* u += s |x - z| */
static void
add_scaled(size_t n, const double *x, const double *z, double s, double *u)
{
	for (size_t j = 0; j < n; j += KITH_W)
		kith_vd_store(u + j,
		    kith_vd_load(u + j) +
			s * kith_vd_abs(kith_vd_load(x + j) - kith_vd_load(z + j)));
}

KITH_TABLE(kith_immigrate_kernels) = {.diagonal = diagonal,
    .differences = differences,
    .quadratic = quadratic,
    .norms = norms,
    .softmax = softmax,
    .products = products,
    .scaled = scaled,
    .add_scaled = add_scaled};
