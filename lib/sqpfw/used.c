/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/used.h"

size_t
kith_sqpfw_used(struct kith_sqpfw *s)
{
	if (!s->pairs.changed)
		return s->pairs.n_used;
	s->pairs.n_used = 0;
	for (uint32_t at = 0; at < s->pairs.n; at++)
		if (s->pairs.pair[at].state != KITH_SQPFW_UNUSED)
			s->pairs.used[s->pairs.n_used++] = at;
	s->pairs.changed = false;
	return s->pairs.n_used;
}
