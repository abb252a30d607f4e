/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near - what the bench of the search for neighbours needs.
 *
 *	near SET N FILE [SEED]     write N rows of a set, as doubles row by row
 *	near join FILE P K         find K neighbours of each row
 *
 * Sets: mixture and mixture64, 20 clusters in 8 latent dimensions, tanh of 16 or 64 sums
 * of these and noise of .05; patches, 8 x 8 windows of an image of noise whose amplitude is
 * one over its frequency, as integers; iid64, normal numbers.
 *
 * Join prints CPU seconds of one thread, without reading, the
 * megabytes at the peak, and a number that tells one result from another.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "cpu.h"
#include "la/mat.h"
#include "near/knn.h"
#include "near/metric.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

enum { CLUSTERS = 20, LATENT = 8, MIXED = 64, SIDE = 2048, WINDOW = 8 };

static struct kith_pool pool;

/* The clusters in latent space, and the map from there. */
struct mixture {
	double at[CLUSTERS][LATENT], map[MIXED][LATENT];
};

static void
mixture_new(struct kith_rng *r, size_t p, struct mixture *m)
{
	for (size_t c = 0; c < CLUSTERS; c++)
		for (size_t l = 0; l < LATENT; l++)
			m->at[c][l] = 2 * normal(r);
	for (size_t j = 0; j < p; j++)
		for (size_t l = 0; l < LATENT; l++)
			m->map[j][l] = normal(r) / sqrt(LATENT);
}

static void
mixture_row(struct kith_rng *r, size_t p, const struct mixture *m, double *x)
{
	const size_t c = kith_rng_below(r, CLUSTERS);
	double z[LATENT];

	for (size_t l = 0; l < LATENT; l++)
		z[l] = m->at[c][l] + normal(r);
	for (size_t j = 0; j < p; j++) {
		double sum = 0;

		for (size_t l = 0; l < LATENT; l++)
			sum += m->map[j][l] * z[l];
		x[j] = rint((tanh(sum) + .05 * normal(r)) * 1e6) / 1e6;
	}
}

/* Add noise that changes every `cell` pixels, smoothly, of that amplitude. */
static void
octave(struct kith_rng *r, size_t cell, double *image)
{
	const size_t n = SIDE / cell + 2;
	double *corner = kith_new(&pool, n, n * sizeof(*corner));

	for (size_t i = 0; i < n * n; i++)
		corner[i] = normal(r) * (double)cell;
	for (size_t y = 0; y < SIDE; y++)
		for (size_t x = 0; x < SIDE; x++) {
			const double *c = corner + y / cell * n + x / cell;
			const double u = (double)(x % cell) / (double)cell;
			const double v = (double)(y % cell) / (double)cell;

			image[y * SIDE + x] += (1 - v) * ((1 - u) * c[0] + u * c[1]) +
			    v * ((1 - u) * c[n] + u * c[n + 1]);
		}
}

/* An image of values 0 to 255. */
static double *
image_new(struct kith_rng *r)
{
	const size_t n = (size_t)SIDE * SIDE;
	double *image = kith_new(&pool, n, sizeof(*image));
	double low = INFINITY, high = -INFINITY;

	for (size_t cell = 1; cell <= SIDE / 4; cell *= 2)
		octave(r, cell, image);
	for (size_t i = 0; i < n; i++) {
		low = fmin(low, image[i]);
		high = fmax(high, image[i]);
	}
	for (size_t i = 0; i < n; i++)
		image[i] = rint(255 * (image[i] - low) / (high - low));
	return image;
}

static void
patch_row(struct kith_rng *r, const double *image, double *x)
{
	const size_t top = kith_rng_below(r, SIDE - WINDOW + 1);
	const size_t left = kith_rng_below(r, SIDE - WINDOW + 1);

	for (size_t y = 0; y < WINDOW; y++)
		memcpy(x + y * WINDOW, image + (top + y) * SIDE + left, WINDOW * sizeof(*x));
}

/* Write n rows of a set; the number of features, or 0: there is no such set. */
static size_t
write_set(const char *set, size_t n, size_t seed, FILE *to)
{
	const size_t p = strcmp(set, "mixture") == 0 ? 16 : MIXED;
	struct mixture *m = kith_new(&pool, 1, sizeof(*m));
	double x[MIXED], *image = NULL;
	struct kith_rng r;

	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	mixture_new(&r, p, m);
	if (*set == 'p')
		image = image_new(&r);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < p; j++)
			x[j] = normal(&r);
		if (*set == 'm')
			mixture_row(&r, p, m, x);
		else if (image)
			patch_row(&r, image, x);
		fwrite(x, sizeof(*x), p, to);
	}
	return p;
}

static struct kith_mat
read_rows(const char *file, size_t p)
{
	FILE *in = fopen(file, "rb");
	struct kith_mat X = {.p = p};

	if (!in || fseek(in, 0, SEEK_END))
		exit(1);
	X.n = (size_t)ftell(in) / sizeof(double) / p;
	X.v = kith_new(&pool, X.n, p * sizeof(*X.v));
	rewind(in);
	if (fread(X.v, p * sizeof(*X.v), X.n, in) != X.n)
		exit(1);
	fclose(in);
	return X;
}

static void
tell(double seconds, uint64_t hash)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	printf(
	    "%.3f %.0f %016llx\n", seconds, (double)u.ru_maxrss / 1024, (unsigned long long)hash);
}

static uint64_t
mix(uint64_t hash, uint64_t with)
{
	return (hash ^ with) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
}

static void
join(const struct kith_mat *X, size_t k)
{
	const struct kith_metric metric = {KITH_SQUARED, X->p, NULL};
	struct kith_neighbour *nn = kith_grow(&pool, NULL, X->n, k * sizeof(*nn));
	const double start = cpu_seconds();
	const struct kith_knn *knn = kith_knn_new(X, &metric, X->n, &pool);
	double seconds;
	uint64_t hash = 1;

	kith_knn_search(knn, NULL, NULL, k, 1, nn);
	seconds = cpu_seconds() - start;
	for (size_t i = 0; i < X->n * k; i++)
		hash = mix(hash, nn[i].row);
	tell(seconds, hash);
}

static size_t
size(const char *text)
{
	return strtoul(text, NULL, 10);
}

int
main(int argc, char **argv)
{
	FILE *to;

	if (argc < 4) {
		fprintf(stderr, "near: see its first lines\n");
		return 2;
	}
	if (argc == 5 && strcmp(argv[1], "join") == 0) {
		const struct kith_mat X = read_rows(argv[2], size(argv[3]));

		join(&X, size(argv[4]));
		return 0;
	}
	to = fopen(argv[3], "wb");
	if (!to)
		return 1;
	write_set(argv[1], size(argv[2]), argc > 4 ? size(argv[4]) : 1, to);
	return fclose(to) != 0;
}
