#include "table/fill.h"

#include "base/err.h"
#include "base/names.h"
#include "la/mat.h"

#include <math.h>

/* The mean of column j; -1 when there is nothing to take it of. */
static int
mean_of(const struct kith_mat *X, size_t j, double *mean)
{
	long double sum = 0; /* does not overflow */
	size_t n = 0;

	for (size_t i = 0; i < X->n; i++)
		if (!isnan(kith_row(X, i)[j])) {
			sum += kith_row(X, i)[j];
			n++;
		}
	if (n == 0)
		return -1;
	*mean = (double)(sum / (long double)n);
	return 0;
}

int
kith_fill(struct kith_mat *X, const struct kith_names *column,
    const double *given, double *mean, const char *file, struct kith_err *err)
{
	for (size_t j = 0; j < X->p; j++) {
		if (given)
			mean[j] = given[j];
		else if (mean_of(X, j, &mean[j]))
			return kith_fail_at(err, EX_DATAERR, file, 0,
			    "column " KITH_NAME ": no number to take a mean of",
			    column->name[j]);
		for (size_t i = 0; i < X->n; i++)
			if (isnan(kith_row(X, i)[j]))
				kith_row(X, i)[j] = mean[j];
	}
	return 0;
}
