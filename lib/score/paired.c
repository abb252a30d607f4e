/* SPDX-License-Identifier: BSD-2-Clause */
#include "score/paired.h"

#include "score/student.h"

#include <assert.h>
#include <math.h>

void
kith_score_paired(const long double *d, size_t n, struct kith_score_paired *score)
{
	long double mean = 0, squares = 0;
	bool equal = true;

	assert(n > 0);
	for (size_t i = 0; i < n; i++) {
		mean += d[i];
		/* The mean of equal numbers may be off by a rounding. */
		equal = equal && d[i] == d[0];
	}
	mean = equal ? d[0] : mean / (long double)n;
	for (size_t i = 0; i < n; i++)
		squares += (d[i] - mean) * (d[i] - mean);
	*score = (struct kith_score_paired){
	    .difference = (double)mean, .df = n - 1, .t = NAN, .p = NAN};
	if (n == 1)
		return;
	if (equal) {
		score->t = mean == 0 ? 0 : (double)copysignl(INFINITY, mean);
		score->p = mean == 0;
		return;
	}
	score->t = (double)(mean / sqrtl(squares / (long double)score->df / (long double)n));
	score->p = kith_student_tails(score->t, score->df);
}
