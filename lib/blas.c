#include "blas.h"

#include <assert.h>
#include <cblas.h>
#include <limits.h>
#include <pthread.h>

static void
use_one_thread(void)
{
	openblas_set_num_threads(1);
}

static void
begin(size_t m, size_t n, size_t p)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	assert(m <= INT_MAX && n <= INT_MAX && 1 <= p && p <= INT_MAX);
	pthread_once(&once, use_one_thread);
}

void
kith_blas_cross(size_t m, size_t n, size_t p, float alpha, const float *A,
    const float *B, float *C)
{
	begin(m, n, p);
	if (m == 0 || n == 0)
		return;
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)m, (int)n,
	    (int)p, alpha, A, (int)p, B, (int)p, 0, C, (int)n);
}

void
kith_blas_product(
    size_t m, size_t n, size_t p, const double *A, const double *B, double *C)
{
	begin(m, n, p);
	if (m == 0 || n == 0)
		return;
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)n,
	    (int)p, 1, A, (int)p, B, (int)n, 0, C, (int)n);
}
