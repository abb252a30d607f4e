#include "immigrate/shape.h"

#include <assert.h>
#include <math.h>

/* A number equal to the threshold but for rounding stays. */
#define EQUAL (1 - 1e-12)

void
kith_immigrate_normalise(size_t len, bool matrix, double *W)
{
	double norm = 0;

	for (size_t k = 0; k < len; k++)
		norm += matrix ? W[k] * W[k] : W[k];
	assert(norm < INFINITY);
	norm = matrix ? sqrt(norm) : norm;
	for (size_t k = 0; k < len && norm > 0; k++)
		W[k] /= norm;
}

void
kith_immigrate_clip(size_t len, double *W)
{
	for (size_t k = 0; k < len; k++)
		W[k] = fmax(W[k], 0);
}

bool
kith_immigrate_cut(size_t len, double threshold, double *W)
{
	bool left = false;

	for (size_t k = 0; k < len; k++) {
		if (W[k] < threshold * EQUAL)
			W[k] = 0;
		left |= W[k] != 0;
	}
	return left;
}

double
kith_immigrate_farthest(size_t len, const double *W, const double *V)
{
	double most = 0;

	for (size_t k = 0; k < len; k++)
		most = fmax(most, fabs(W[k] - V[k]));
	return most;
}
