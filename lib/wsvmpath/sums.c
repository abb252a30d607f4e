#include "wsvmpath/sums.h"

#include "base/err.h"
#include "wsvmpath/task.h"

#include <float.h>

int
kith_wsvm_sums(const struct kith_wsvm_job *job, struct kith_err *err)
{
	const int items = job->minus ? 4 : 1; /* products of K in one of Q */
	long double sum = 0, most = 1;

	for (size_t i = 0; i < job->n; i++) {
		const double *x = kith_row(&job->X, i);
		double K;

		kith_kern_rows(&job->kern, x, x, 1, &K);
		most = K > most ? K : most;
	}
	for (size_t v = 0; v < job->problem.variables; v++)
		sum += (long double)job->from[v] + job->to[v];
	if (sum * items * most * items * most <= 1e-4L * DBL_MAX)
		return 0;
	return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
	    "weights and kernels are together too large for a double");
}
