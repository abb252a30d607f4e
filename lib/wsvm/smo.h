/*
 * wsvm/smo - sequential minimal optimisation of
 *
 *	min 1/2 x' Q x + q' x	lo <= x <= hi, and e' x as it is at the start
 *
 * where there is a bias; Q_vw = phi_v' phi_w + ridge [v = w], and variable v
 * stands for phi_v = sign_v (Phi(x_plus[v]) - Phi(x_minus[v])) of the rows of
 * a kernel, e = sign.  In each step two variables move (Fan, Chen and Lin,
 * 2005): the one of the largest violation, and the one with which the objective
 * falls most; where there is no bias, the one with which it falls most alone.
 */
#ifndef KITH_WSVM_SMO_H
#define KITH_WSVM_SMO_H

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

/*
 * From x within its bounds, improve x until no violation exceeds tol or `most`
 * steps were done; returns the steps.  Only the variables live[0..count-1]
 * move.  s (n) holds sum_v x_v phi_v' Phi(x_i) for x, before and after.
 * Time O(n + count) per step, and two kernel rows.
 */
size_t kith_smo(const struct kith_smo_form *form, const size_t *live,
    size_t count, double tol, size_t most, double *x, double *s);

#endif
