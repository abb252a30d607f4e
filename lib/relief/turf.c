/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/turf.h"

#include "base/names.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/sort.h"
#include "relief/once.h"

#include <math.h>
#include <string.h>

/* The features that are left, and those that went first. */
struct rest {
	size_t *kept, p; /* their numbers, increasing */
	size_t round;
};

/* The rows with the features that are left alone, and their names. */
static struct kith_relief_rows
narrow(const struct kith_relief_rows *rows, const struct rest *rest,
    struct kith_names *names, struct kith_pool *pool)
{
	struct kith_relief_rows some = *rows;
	bool *text = kith_new(pool, rest->p, sizeof(*text));

	*names = (struct kith_names){.n = rest->p,
	    .name = kith_new(pool, rest->p, sizeof(*names->name))};
	for (size_t a = 0; a < rest->p; a++) {
		text[a] = rows->text && rows->text[rest->kept[a]];
		names->name[a] = rows->name->name[rest->kept[a]];
	}
	some.X = kith_mat_take(&rows->X, rest->kept, rest->p, pool);
	some.text = rows->text ? text : NULL;
	some.name = names;
	return some;
}

/* Put what a round found into the result: W of the features left alone. */
static void
put(const struct rest *rest, const struct kith_relief *got, bool matrix,
    size_t p, struct kith_relief *out)
{
	double *w = out->w;
	bool *constant = out->constant;
	size_t *dropped = out->round;

	*out = *got;
	out->w = w;
	out->constant = constant;
	out->round = dropped;
	if (matrix)
		memset(w, 0, p * p * sizeof(*w));
	for (size_t a = 0; a < rest->p; a++) {
		const size_t to = rest->kept[a];

		constant[to] = got->constant[a];
		dropped[to] = rest->round;
		for (size_t b = 0; matrix && b < rest->p; b++)
			w[to * p + rest->kept[b]] = got->w[a * rest->p + b];
		if (!matrix)
			w[to] = got->w[a];
	}
}

/* Leave out the `drop` smallest weights; of equal ones the later go first. */
static void
leave_out(
    struct rest *rest, const struct kith_relief *got, bool matrix, size_t drop)
{
	struct kith_pool tmp = {0};
	const size_t p = rest->p;
	struct kith_ranked *e = kith_new(&tmp, p, sizeof(*e));
	bool *gone = kith_new(&tmp, p, sizeof(*gone));

	for (size_t a = 0; a < p; a++)
		e[a] = (struct kith_ranked){got->w[matrix ? a * p + a : a], a};
	kith_sort_ranked(e, p);
	for (size_t r = p - drop; r < p; r++)
		gone[e[r].of] = true;
	rest->p = 0;
	for (size_t a = 0; a < p; a++)
		if (!gone[a])
			rest->kept[rest->p++] = rest->kept[a];
	kith_pool_free(&tmp);
}

int
kith_relief_turf(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, struct kith_relief *out,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const bool matrix = kith_relief_is_matrix(how);
	const size_t p = rows->X.p;
	const size_t share = (size_t)floor(how->turf * (double)p);
	const size_t drop = share > 0 ? share : 1;
	struct rest rest = {kith_new(&tmp, p, sizeof(size_t)), p, 1};
	bool converged = true, last = false;
	int got = 0;

	out->w = kith_new(pool, p, (matrix ? p : 1) * sizeof(*out->w));
	out->constant = kith_new(pool, p, sizeof(*out->constant));
	out->round = kith_new(pool, p, sizeof(*out->round));
	for (size_t a = 0; a < p; a++)
		rest.kept[a] = a;
	kith_progress_phase("turf", (p + drop - 1) / drop, "rounds");
	for (; !last; rest.round++) {
		struct kith_pool round = {0};
		struct kith_names names;
		const struct kith_relief_rows some = narrow(
		    rows, &rest, &names, &round);
		struct kith_relief found;

		found = (struct kith_relief){.converged = true, .best = 1};
		got = kith_relief_once(&some, how, &found, &round, err);
		if (got == 0) {
			put(&rest, &found, matrix, p, out);
			converged = converged && found.converged;
		}
		last = got || rest.p <= drop;
		if (!last)
			leave_out(&rest, &found, matrix, drop);
		kith_pool_free(&round);
		kith_progress_add(1);
	}
	kith_progress_end();
	out->converged = converged;
	kith_pool_free(&tmp);
	return got;
}
