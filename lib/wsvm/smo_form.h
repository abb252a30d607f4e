/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/smo_form - the problem of wsvm/smo.h, and its gradient.
 */
#ifndef KITH_WSVM_SMO_FORM_H
#define KITH_WSVM_SMO_FORM_H

#include <stdbool.h>
#include <stddef.h>

struct kith_krows;

struct kith_smo_form {
	struct kith_krows *rows;
	size_t n, N;                /* rows, variables */
	const size_t *plus, *minus; /* N rows; minus NULL: none */
	const double *sign;         /* N: 1 or -1 */
	const double *q, *lo, *hi;  /* N; bounds may be infinite */
	const double *diagonal;     /* N: Q_vv */
	bool bias;                  /* then minus is NULL */
	double ridge;
};

/* sign_v (s_plus - s_minus) for scores s of the n rows. */
static inline double
kith_smo_score(const struct kith_smo_form *form, const double *s, size_t v)
{
	const double f = s[form->plus[v]];

	return form->sign[v] * (form->minus ? f - s[form->minus[v]] : f);
}

/* g_v = (Q x + q)_v without the bias; s is as below. */
static inline double
kith_smo_gradient(const struct kith_smo_form *form, const double *s,
    const double *x, size_t v)
{
	return kith_smo_score(form, s, v) + form->q[v] + form->ridge * x[v];
}

#endif
