/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/labels.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"

#include <stdbool.h>
#include <string.h>

/* Writes a class that is a number in the one way that all equal numbers have; false: it is none. */
static bool
format_class(const char *class, char text[KITH_NUM_ROOM])
{
	double x;

	if (kith_parse_real(class, strlen(class), &x) != KITH_NUM_OK)
		return false;
	kith_format_real(text, x);
	return true;
}

void
kith_labels_compare(
    const struct kith_names *known, const struct kith_names *other, const char *file)
{
	struct kith_pool tmp = {0};
	struct kith_names number = {0};
	size_t *of = kith_new(&tmp, known->n, sizeof(*of)); /* class of each known number */
	char text[KITH_NUM_ROOM];

	for (size_t k = 0; k < known->n; k++)
		if (format_class(known->name[k], text))
			of[kith_names_add(&number, text, &tmp)] = k;
	for (size_t h = 0; number.n && h < other->n; h++) {
		size_t at = number.n;

		if (kith_names_find(known, other->name[h]) == known->n &&
		    format_class(other->name[h], text))
			at = kith_names_find(&number, text);
		if (at == number.n)
			continue;
		kith_remark(true, file, 0,
		    "class " KITH_CELL " is another class than " KITH_CELL
		    ": classes are compared as texts",
		    other->name[h], known->name[of[at]]);
		break;
	}
	kith_pool_free(&tmp);
}
