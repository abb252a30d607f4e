/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/rows.h"

#include "base/pool.h"
#include "base/sort.h"
#include "immigrate/problem.h"

#include <float.h>
#include <math.h>

#define TILE ((size_t)KITH_IMMIGRATE_TILE)

/*
 * The exponent of a power of two near the largest range of a feature, 0 where
 * all features are constant; flat (p) says which are.
 */
static int
unit_of(const struct kith_mat *X, unsigned char *flat)
{
	double largest = 0;
	int unit = 0;

	for (size_t j = 0; j < X->p; j++) {
		double least, most;

		kith_mat_range(X, j, &least, &most);
		flat[j] = least == most;
		largest = fmax(largest, most / 2 - least / 2);
		if (!flat[j] && largest == 0)
			largest = DBL_TRUE_MIN;
	}
	if (largest > 0) {
		frexp(largest, &unit);
		unit++;
	}
	return unit;
}

/* Feature by feature, tile by tile; 0 where the last tile has no row. */
static void
copy_columns(struct kith_immigrate_data *data, struct kith_pool *pool)
{
	data->columns = kith_new(pool, data->tiles * data->p, TILE * sizeof(*data->columns));
	for (size_t i = 0; i < data->n; i++)
		for (size_t j = 0; j < data->p; j++)
			data->columns[(i / TILE * data->p + j) * TILE +
			    i % TILE] = data->X[i * data->ld + j];
}

struct kith_immigrate_data
kith_immigrate_data_new(const struct kith_immigrate_rows *rows, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const struct kith_mat *X = rows->X;
	struct kith_immigrate_data data = {.n = X->n, .p = X->p, .c = rows->c};
	unsigned char *flat = kith_new(&tmp, X->p, sizeof(*flat));
	size_t *from = kith_new(pool, X->n, sizeof(*from));

	data.ld = (X->p + 7) / 8 * 8;
	data.tiles = (X->n + TILE - 1) / TILE;
	data.unit = unit_of(X, flat);
	data.row = from;
	data.start = kith_new(pool, data.c + 1, sizeof(*data.start));
	data.y = kith_new(pool, data.n, sizeof(*data.y));
	kith_sort_by_class(rows->y, data.n, data.c, from, data.start);
	data.X = kith_new(pool, data.n, data.ld * sizeof(*data.X));
	data.weight = kith_new(pool, data.n, sizeof(*data.weight));
	for (size_t i = 0; i < data.n; i++) {
		const double *x = kith_row(X, from[i]);

		data.y[i] = rows->y[from[i]];
		data.weight[i] = rows->weight ? rows->weight[from[i]] : 1;
		data.total += data.weight[i];
		for (size_t j = 0; j < data.p; j++)
			if (!flat[j])
				data.X[i * data.ld + j] = ldexp(x[j], -data.unit);
	}
	if (data.p <= KITH_IMMIGRATE_SMALL)
		copy_columns(&data, pool);
	kith_pool_free(&tmp);
	return data;
}

size_t
kith_immigrate_tile_pairs(const struct kith_immigrate_data *data)
{
	return data->tiles * (data->tiles + 1) / 2;
}

void
kith_immigrate_tile_pair(const struct kith_immigrate_data *data, size_t t, size_t *I, size_t *J)
{
	*I = 0;
	while (t >= data->tiles - *I)
		t -= data->tiles - (*I)++;
	*J = *I + t;
}
