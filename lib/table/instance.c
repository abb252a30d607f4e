#include "table/instance.h"

#include "base/err.h"
#include "text/rows.h"
#include "text/value.h"

int
kith_instance_read(const struct kith_rows *t, size_t column, double *weight,
    struct kith_err *err)
{
	const enum kith_value got = kith_value(t, column, weight, "", err);

	if (got == KITH_VALUE_MISSING)
		return kith_value_missing(t, column, "", err);
	if (got == KITH_VALUE_OK && *weight < 0)
		return kith_rows_fail(t, column, err, "negative: " KITH_CELL,
		    t->rec.cell[column].s);
	return got == KITH_VALUE_OK ? 0 : -1;
}

int
kith_instance_check(const double *weight, size_t n, const char *file,
    const char *name, struct kith_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (weight[i] > 0)
			return 0;
	return kith_fail_at(err, EX_DATAERR, file, 0,
	    "column " KITH_NAME ": all weights are 0", name);
}
