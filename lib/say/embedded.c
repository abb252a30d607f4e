/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/embedded.h"

#include "cli/cli.h"
#include "graph/embed.h"

#include <math.h>

/* Say of which nodes nothing, or not all, is said. */
static void
warn_left(const struct kith_embedding *map, bool each)
{
	size_t all = 0, some = 0;

	for (size_t i = 0; i < map->n; i++)
		if (isnan(map->y[i * map->d]))
			all++;
		else
			some += isnan(map->y[i * map->d + map->d - 1]) != 0;
	kith_log_size("embedded", map->n - all);
	if (all > 0)
		kith_warn("%zu of %zu nodes have no coordinates: %s", all, map->n,
		    each ? "no edges" : "not in the largest component (--component all?)");
	if (some > 0)
		kith_warn("%zu nodes have less than %zu coordinates: their "
			  "components are small",
		    some, map->d);
}

/* Say which eigenvalues are equal. */
static void
warn_equal(const struct kith_embedded *e)
{
	const size_t i = e->first_equal;

	kith_warn("eigenvalues %zu and %zu are nearly equal (%g)%s: what their "
		  "coordinates span is unique, not the coordinates%s",
	    i + 1, i + 2, e->value[i], e->equal > 1 ? ", and others" : "",
	    e->splits_equal ? "; nor that, where the last and the next one are equal "
			      "(--dims?)"
			    : "");
}

/* Warn of what the solver left, once of each kind; the status. */
static int
judge(const struct kith_embedding *map)
{
	const struct kith_embedded *off = NULL, *turned = NULL, *missed = NULL, *huge = NULL;

	for (const struct kith_embedded *e = map->part + map->parts; e-- > map->part;) {
		off = e->worst <= KITH_EMBED_RESIDUAL ? off : e;
		turned = e->angle <= KITH_EMBED_ANGLE ? turned : e;
		missed = fabs(e->missed) > 0 ? e : missed;
		huge = isinf(e->value[e->d - 1]) ? e : huge;
	}
	if (off)
		kith_warn("worst residual %g: coordinates may be off", off->worst);
	if (turned)
		kith_warn("e%zu may be off by %g of its length, as eigenvalues "
			  "near %g differ by less than rounding",
		    turned->turned + 1, fmin(turned->angle, 1), turned->value[turned->turned]);
	if (missed)
		kith_warn("eigenvalues up to %g that were not found: %g",
		    missed->value[missed->d - 1], missed->missed);
	if (huge)
		kith_warn("eigenvalue %zu is too large for a number", huge->d);
	return off || turned || missed || huge;
}

/* Log the eigenvalues of a map of one component. */
static void
log_part(const struct kith_embedded *e)
{
	kith_log_text("solved", e->dense ? "dense" : e->factored ? "factor" : "products");
	for (size_t i = 0; i <= e->d; i++)
		if (!isnan(e->value[i]))
			kith_log_real(i < e->d ? "eigenvalue" : "next", e->value[i]);
}

int
kith_say_embedded(const struct kith_embedding *map, bool each)
{
	double worst = 0, angle = 0, missed = 0;
	size_t products = 0, equal = 0;

	warn_left(map, each);
	for (size_t p = 0; p < map->parts; p++) {
		const struct kith_embedded *e = &map->part[p];

		products += e->products;
		worst = fmax(worst, e->worst);
		angle = fmax(angle, e->angle);
		missed = isnan(e->missed) ? NAN : missed + e->missed;
		if (e->equal > 0 && equal == 0)
			warn_equal(e);
		equal += e->equal;
	}
	if (map->parts == 1)
		log_part(map->part);
	kith_log_size("products", products);
	kith_log_real("residual", worst);
	kith_log_real("angle", angle);
	kith_log_size("equal", equal);
	kith_log_text("counted", isnan(missed) ? "no" : "yes");
	return judge(map);
}
