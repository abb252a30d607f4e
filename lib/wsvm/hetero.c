#include "wsvm/hetero.h"

#include "base/pool.h"
#include "base/progress.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define FLOOR 1e-3     /* of sigma, for |e| */
#define CONVERGED 1e-3 /* mean relative change */

/* The errors of the present solution, and their sigma. */
struct fit {
	double *e; /* n */
	double sigma;
};

/* e = y - f, and sigma^2, the mean of e^2. */
static void
measure(struct kith_wsvm *s, const double *y, size_t n, struct fit *fit)
{
	struct kith_wsvm_solution at;
	double most = 0, sum = 0;

	kith_wsvm_get(s, &at);
	for (size_t i = 0; i < n; i++) {
		fit->e[i] = y[i] - (at.f[i] + at.b);
		most = fmax(most, fabs(fit->e[i]));
	}
	for (size_t i = 0; i < n; i++) {
		const double e = most > 0 ? fit->e[i] / most : 0;

		sum += e * e;
	}
	fit->sigma = most * sqrt(sum / (double)n);
}

/* The weights that the errors say; without errors they stay. */
static void
weigh(const double *C0, size_t n, const struct fit *fit, double *C)
{
	for (size_t i = 0; i < n && fit->sigma > 0; i++) {
		const double e = fabs(fit->e[i]) / fit->sigma;

		/* C_i = C0_i sigma / max(|e_i|, FLOOR sigma) */
		C[i] = C[n + i] = C0[i] / fmax(e, FLOOR);
	}
}

/* The mean of |e_i' - e_i| / max(|e_i|, FLOOR sigma). */
static double
change(size_t n, const struct fit *was, const struct fit *now)
{
	const double least = FLOOR * was->sigma;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		const double by = fabs(now->e[i] - was->e[i]);

		if (by > 0)
			sum += by / fmax(fabs(was->e[i]), least);
	}
	return sum / (double)n;
}

void
kith_wsvm_hetero(const struct kith_wsvm_hetero_how *how, double *C,
    struct kith_wsvm_round *last, struct kith_wsvm_count *count)
{
	const size_t n = how->problem->variables / 2;
	struct kith_pool tmp = {0};
	struct fit now = {kith_new(&tmp, n, sizeof(double)), 0};
	struct fit was = {kith_new(&tmp, n, sizeof(double)), 0};
	struct kith_wsvm *s;
	struct kith_wsvm_piece piece;

	assert(how->rounds >= 1);
	*last = (struct kith_wsvm_round){0};
	memcpy(C, how->C0, 2 * n * sizeof(*C));
	kith_progress_phase("weights", 0, "events");
	s = kith_wsvm_new(how->problem, how->C0, NULL, &tmp);
	measure(s, how->y, n, &now);
	while (last->number < how->rounds && !last->converged) {
		const struct fit old = was;

		was = now;
		now = old;
		weigh(how->C0, n, &was, C);
		kith_wsvm_aim(s, C);
		while (kith_wsvm_next(s, &piece, NULL, NULL))
			;
		measure(s, how->y, n, &now);
		last->number++;
		last->sigma = was.sigma;
		last->change = change(n, &was, &now);
		last->converged = last->change <= CONVERGED;
		if (how->on_round)
			how->on_round(last);
	}
	kith_progress_end();
	kith_wsvm_count(s, count);
	kith_pool_free(&tmp);
}
