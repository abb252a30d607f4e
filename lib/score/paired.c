/* SPDX-License-Identifier: BSD-2-Clause */
#include "score/paired.h"

#include "score/student.h"

#include <assert.h>
#include <math.h>

void
kith_score_paired(const long double *d, const double *w, size_t n, struct kith_score_paired *score)
{
	long double all = 0, mean = 0, squares = 0, least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		const long double weight = w ? w[i] : 1;

		all += weight;
		mean += weight * d[i];
		if (weight > 0) {
			least = fminl(least, d[i]);
			most = fmaxl(most, d[i]);
		}
	}
	assert(all > 0);
	/* The mean of equal numbers may be off by a rounding. */
	mean = least == most ? least : mean / all;
	for (size_t i = 0; i < n; i++)
		squares += (w ? w[i] : 1) * (d[i] - mean) * (d[i] - mean);
	*score = (struct kith_score_paired){
	    .difference = (double)mean, .df = (double)(all - 1), .t = NAN, .p = NAN};
	if (all <= 1)
		return;
	if (least == most) {
		score->t = mean == 0 ? 0 : (double)copysignl(INFINITY, mean);
		score->p = mean == 0;
		return;
	}
	score->t = (double)(mean / sqrtl(squares / (all - 1) / all));
	score->p = kith_student_tails(score->t, score->df);
}
