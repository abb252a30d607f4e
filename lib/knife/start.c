/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/start.h"

#include "base/err.h"
#include "base/names.h"
#include "base/num.h"
#include "base/pool.h"
#include "table/unit.h"
#include "table/weights.h"

#include <string.h>

/* What a weight may lose on its way to the units of the input and back. */
#define ROUNDING 1e-14

bool
kith_knife_start_is_file(const char *start)
{
	double x;

	return start && kith_parse_real(start, strlen(start), &x);
}

bool
kith_knife_start_is_good(const char *start)
{
	double x = .5;

	return !start || kith_knife_start_is_file(start) ||
	    (kith_parse_real(start, strlen(start), &x) == KITH_NUM_OK && x >= 0 && x <= 1);
}

int
kith_knife_start_weights(const char *file, const struct kith_knife_start *what, double **w,
    struct kith_pool *pool, struct kith_err *err)
{
	const size_t p = what->feature->n;
	struct kith_weights got;

	if (kith_weights_read(file, what->feature, false, &got, pool, err))
		return -1;
	if (got.metric.kind != what->kind)
		return kith_fail_at(err, EX_DATAERR, file, 0,
		    "this --kernel needs a table \"feature %s\"",
		    what->kind == KITH_ABSOLUTE ? "weight_abs" : "weight");
	*w = kith_new(pool, p, sizeof(**w));
	kith_weights_spread(&got, *w, p);
	if (what->unit->p == 0)
		return 0;
	if (kith_unit_from_input(what->unit, what->kind, what->feature, *w, err))
		return -1;
	for (size_t j = 0; j < p; j++)
		if ((*w)[j] > 1 && (*w)[j] < 1 + ROUNDING)
			(*w)[j] = 1;
	return 0;
}

int
kith_knife_start(const char *start, const struct kith_knife_start *what, double **w,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_names *feature = what->feature;
	double x = .5;

	if (kith_knife_start_is_file(start)) {
		if (kith_knife_start_weights(start, what, w, pool, err))
			return -1;
		for (size_t j = 0; j < feature->n; j++)
			if ((*w)[j] > 1)
				return kith_fail_at(err, EX_DATAERR, start, 0,
				    "feature " KITH_NAME ": a start of %g is above 1",
				    feature->name[j], (*w)[j]);
		return 0;
	}
	if (start)
		kith_parse_real(start, strlen(start), &x);
	*w = kith_new(pool, feature->n, sizeof(**w));
	for (size_t j = 0; j < feature->n; j++)
		(*w)[j] = x;
	return 0;
}
