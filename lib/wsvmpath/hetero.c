#include "wsvmpath/hetero.h"

#include "base/err.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "wsvmpath/follow.h"
#include "wsvmpath/task.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define FLOOR 1e-3   /* of sigma, for |e| */
#define SETTLED 1e-3 /* mean relative change */

/* The errors of the present solution, and their sigma. */
struct fit {
	double *e; /* n */
	double sigma;
};

static void
measure(const struct kith_wsvm_job *job, struct kith_wsvm *s, struct fit *fit)
{
	struct kith_wsvm_solution at;
	double most = 0, sum = 0;

	kith_wsvm_get(s, &at);
	for (size_t i = 0; i < job->n; i++) {
		fit->e[i] = job->rows.t[i] - (at.f[i] + at.b);
		most = fmax(most, fabs(fit->e[i]));
	}
	for (size_t i = 0; i < job->n; i++) {
		const double e = most > 0 ? fit->e[i] / most : 0;

		sum += e * e;
	}
	fit->sigma = most * sqrt(sum / (double)job->n);
}

/* The weights that the errors say; without errors they stay. */
static void
weigh(const struct kith_wsvm_job *job, const struct fit *fit, double *C)
{
	const size_t n = job->n;

	for (size_t i = 0; i < n && fit->sigma > 0; i++) {
		const double e = fabs(fit->e[i]) / fit->sigma;

		C[i] = C[n + i] = job->from[i] / fmax(e, FLOOR);
	}
}

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
kith_wsvm_reweigh(struct kith_wsvm_job *job, size_t rounds,
    struct kith_wsvm_rounds *did, struct kith_wsvm_count *count)
{
	struct kith_pool tmp = {0};
	struct fit now = {kith_new(&tmp, job->n, sizeof(double)), 0};
	struct fit was = {kith_new(&tmp, job->n, sizeof(double)), 0};
	struct kith_wsvm *s;
	struct kith_wsvm_piece piece;

	assert(rounds >= 1 && job->problem.variables == 2 * job->n);
	*did = (struct kith_wsvm_rounds){0};
	memcpy(job->to, job->from, 2 * job->n * sizeof(*job->to));
	s = kith_wsvm_new(&job->problem, job->from, NULL, &tmp);
	measure(job, s, &now);
	while (did->rounds < rounds && !did->settled) {
		const struct fit old = was;

		was = now;
		now = old;
		weigh(job, &was, job->to);
		kith_wsvm_aim(s, job->to);
		while (kith_wsvm_next(s, &piece, NULL, NULL))
			;
		measure(job, s, &now);
		did->rounds++;
		did->change = change(job->n, &was, &now);
		did->settled = did->change <= SETTLED;
		kith_note("round %zu: sigma %g, mean relative change %g",
		    did->rounds, was.sigma, did->change);
	}
	kith_wsvm_count(s, count);
	kith_pool_free(&tmp);
}

/* The problem with C0 for all weights. */
static int
make(struct kith_wsvm_job *job, struct kith_err *err)
{
	const struct kith_wsvm_call *given = job->call;
	struct kith_wsvm_call call = *given;
	int made;

	if (!call.from)
		return kith_fail(
		    err, KITH_EX_USAGE, "--reweight: --from says C0");
	call.to = call.from;
	job->kept[KITH_WSVM_TO] = job->kept[KITH_WSVM_FROM];
	job->call = &call;
	made = kith_wsvm_regress(job, err);
	job->call = given;
	return made;
}

int
kith_wsvm_hetero(struct kith_wsvm_job *job, struct kith_err *err)
{
	struct kith_wsvm_rounds did;
	struct kith_wsvm_count count;

	if (make(job, err))
		return -1;
	kith_wsvm_reweigh(job, job->call->reweight, &did, &count);
	kith_log_size("rounds", did.rounds);
	kith_log_real("change", did.change);
	kith_log_text("reweight", did.settled ? "settled" : "not settled");
	kith_log_size("events of rounds", count.events);
	kith_log_real("residual of rounds", count.residual);
	if (!did.settled)
		kith_warn("--reweight: errors still change by %g of themselves "
			  "after %zu rounds",
		    did.change, did.rounds);
	return 0;
}
