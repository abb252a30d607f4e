/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/constant.h"

#include "base/names.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "table/table.h"

enum { SHOWN = 3 };

void
kith_say_constant(const struct kith_names *name, const bool *constant, const char *what)
{
	const char *first[SHOWN] = {NULL};
	const char *colon = what ? ": " : "";
	size_t n = 0;

	what = what ? what : "";
	for (size_t j = 0; j < name->n; j++)
		if (constant[j] && n++ < SHOWN)
			first[n - 1] = name->name[j];
	if (n == 1)
		kith_warn("column " KITH_NAME " is constant%s%s", first[0], colon, what);
	else if (n == 2)
		kith_warn("columns " KITH_NAME " and " KITH_NAME " are constant%s%s", first[0],
		    first[1], colon, what);
	else if (n > 2)
		kith_warn("%zu columns are constant%s%s: " KITH_NAME ", " KITH_NAME ", " KITH_NAME
			  "%s",
		    n, colon, what, first[0], first[1], first[2], n > SHOWN ? ", ..." : "");
}

void
kith_say_constant_in(const struct kith_table *t)
{
	struct kith_pool tmp = {0};
	bool *constant = kith_new(&tmp, t->X.p, sizeof(*constant));

	for (size_t j = 0; j < t->X.p; j++)
		constant[j] = kith_mat_is_constant(&t->X, j);
	kith_say_constant(&t->feature, constant, NULL);
	kith_pool_free(&tmp);
}
