/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/mixed.h"

#include "base/pool.h"
#include "near/near.h"
#include "relief/cell.h"

struct run {
	struct kith_relief_cells cells;
	const double *weight;                   /* n as they came, or NULL */
	struct kith_neighbour *nn, *hit, *miss; /* m */
};

/* Take what was found in class b: row SIZE_MAX is none. */
static void
take(struct run *run, size_t b)
{
	const struct kith_by_class *s = &run->cells.s;

	for (size_t l = 0; l < s->m; l++) {
		const size_t y = s->y[s->asked[l]];
		const struct kith_neighbour *got = &run->nn[l];
		struct kith_neighbour *at = y == b ? &run->hit[l]
						   : &run->miss[l];

		if (kith_by_class_there(s, y, b, 1) == 0)
			continue;
		if (at->row == KITH_NO_ROW || got->d < at->d ||
		    (got->d == at->d && s->row[got->row] < s->row[at->row]))
			*at = *got;
	}
}

/* w += factor D^2, D between the row at place i and that at j, if there. */
static void
add(const struct kith_relief_cells *in, size_t i, size_t j, double factor,
    double *w)
{
	if (j == KITH_NO_ROW)
		return;
	for (size_t a = 0; a < in->s.X.p; a++) {
		const double D = kith_relief_diff(in, i, j, a);

		w[a] += factor * D * D;
	}
}

void
kith_relief_mixed(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, const size_t *sample, size_t m,
    double *w)
{
	struct kith_pool tmp = {0};
	struct run run = {.weight = rows->weight,
	    .nn = kith_new(&tmp, m, sizeof(*run.nn)),
	    .hit = kith_new(&tmp, m, sizeof(*run.hit)),
	    .miss = kith_new(&tmp, m, sizeof(*run.miss))};
	struct kith_relief_cells *in = &run.cells;
	double total = 0;

	in->text = rows->text;
	in->raw = true;
	kith_by_class_sort(&rows->X, rows->y, rows->c, sample, m, &in->s, &tmp);
	kith_relief_cells_fit(in, &tmp);
	for (size_t l = 0; l < m; l++)
		run.hit[l].row = run.miss[l].row = KITH_NO_ROW;
	for (size_t b = 0; b < in->s.c; b++)
		if (in->s.first[b] < in->s.first[b + 1]) {
			kith_relief_cells_near(
			    in, true, b, 1, how->threads, run.nn);
			take(&run, b);
		}
	for (size_t l = 0; l < m; l++) {
		const size_t i = in->s.asked[l];
		const double f = run.weight ? run.weight[in->s.row[i]] : 1;

		add(in, i, run.miss[l].row, f, w);
		add(in, i, run.hit[l].row, -f, w);
		total += f;
	}
	for (size_t a = 0; a < in->s.X.p; a++)
		w[a] /= total;
	kith_pool_free(&tmp);
}
