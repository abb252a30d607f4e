#include "sqpfw/hint.h"

#include "sqpfw/candidates.h"
#include "sqpfw/state.h"

#include <math.h>

/* Add the rows of point j but row i; how many there are then. */
static size_t
add_rows(const struct kith_sqpfw_points *points, size_t j, size_t i,
    uint32_t *rows, size_t n)
{
	for (size_t k = points->members[j]; k < points->members[j + 1]; k++)
		if (points->member[k] != i)
			rows[n++] = (uint32_t)points->member[k];
	return n;
}

size_t
kith_sqpfw_hint(
    const void *of, size_t i, bool miss, uint32_t *rows, double *margin)
{
	const struct kith_sqpfw *s = of;
	const size_t point = s->points.point[i], g = 2 * point + miss;
	const struct kith_sqpfw_group *group = &s->group[g];
	size_t n = miss ? 0 : add_rows(&s->points, point, i, rows, 0);

	/* A pair of merged points does not know them. */
	for (uint32_t at = group->first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next) {
		if (s->pairs.pair[at].merged)
			return 0;
		n = add_rows(&s->points, s->pairs.pair[at].j, i, rows, n);
	}
	*margin = INFINITY;
	/* (radius - moved) slack - excess, in units of the data */
	if (group->radius < INFINITY)
		*margin = scalbn(
		    (group->radius -
			kith_sqpfw_candidates_moved(s, (uint32_t)g, 0)) *
			    group->slack -
			group->excess,
		    -2 * s->points.exponent);
	/* A group whose distance is constantly 0 has no pairs. */
	return group->rank == 0 ? 0 : n;
}
