/* SPDX-License-Identifier: BSD-2-Clause */
#include "solve/arpack.h"

#include "base/pool.h"
#include "la/blas.h"

#include <arpack/arpack.h>
#include <assert.h>
#include <limits.h>
#include <string.h>

/* What the steps of ARPACK share; its names. */
struct steps {
	double *resid, *v, *workd, *workl;
	a_int ncv, lworkl, iparam[11], ipntr[14], info;
};

/* Reverse communication: ARPACK asks for products until it is done. */
static bool
iterate(const struct kith_arpack *job, struct steps *s)
{
	const a_int n = (a_int)job->n, k = (a_int)job->k;
	a_int ido = 0;

	for (;;) {
		dsaupd_c(&ido, "I", n, "LA", k, job->tol, s->resid, s->ncv, s->v, n, s->iparam,
		    s->ipntr, s->workd, s->workl, s->lworkl, &s->info);
		if (ido != 1 && ido != -1)
			return s->info == 0;
		if (!job->times(job->to, s->workd + s->ipntr[0] - 1, s->workd + s->ipntr[1] - 1))
			return false;
	}
}

/* The vectors, the largest value first; they come in increasing order. */
static bool
extract(
    const struct kith_arpack *job, struct steps *s, double *value, double *V, struct kith_pool *tmp)
{
	const a_int n = (a_int)job->n, k = (a_int)job->k;
	const size_t row = job->n * sizeof(*V);
	a_int *chosen = kith_new(tmp, job->room, sizeof(*chosen));

	dseupd_c(1, "A", chosen, value, V, n, 0, "I", n, "LA", k, job->tol, s->resid, s->ncv, s->v,
	    n, s->iparam, s->ipntr, s->workd, s->workl, s->lworkl, &s->info);
	if (s->info != 0)
		return false;
	for (size_t i = 0, j = job->k - 1; i < j; i++, j--) {
		const double x = value[i];

		value[i] = value[j];
		value[j] = x;
		memcpy(s->workd, V + i * job->n, row);
		memcpy(V + i * job->n, V + j * job->n, row);
		memcpy(V + j * job->n, s->workd, row);
	}
	return true;
}

size_t
kith_arpack(const struct kith_arpack *job, double *start, double *value, double *V)
{
	const size_t n = job->n, room = job->room;
	const size_t turns = job->most / (room - job->k) + 1;
	struct kith_pool tmp = {0};
	struct steps s = {.resid = start, .ncv = (a_int)room, .info = 1};
	size_t got;

	assert(n <= INT_MAX / 3 && room <= n && room <= KITH_ARPACK_ROOM);
	assert(job->k >= 1 && job->k < room);
	kith_blas_alone();
	s.lworkl = (a_int)(room * (room + 8));
	s.v = kith_new(&tmp, n * room, sizeof(*s.v));
	s.workd = kith_new(&tmp, 3 * n, sizeof(*s.workd));
	s.workl = kith_new(&tmp, room * (room + 8), sizeof(*s.workl));
	s.iparam[0] = 1; /* its own shifts */
	s.iparam[2] = turns < INT_MAX ? (a_int)turns : INT_MAX;
	s.iparam[6] = 1; /* A x = value x */
	if (iterate(job, &s) && extract(job, &s, value, V, &tmp))
		got = job->k;
	else
		got = s.info == 1 && (size_t)s.iparam[4] < job->k ? (size_t)s.iparam[4] : 0;
	kith_pool_free(&tmp);
	return got;
}
