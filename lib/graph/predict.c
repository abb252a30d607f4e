/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/predict.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "graph/claim.h"
#include "graph/graph.h"
#include "table/check.h"
#include "table/edges.h"
#include "table/predicted.h"
#include "table/table.h"

#include <math.h>

/* The labels of the nodes. */
static void
place_labels(const struct kith_prop_how *how, struct kith_prop_run *run, struct kith_pool *pool)
{
	const struct kith_prop_labels *of = &run->known->labels;
	const size_t n = run->known->rows->X.n;

	run->labels.c = of->c;
	if (of->y) {
		size_t *y = kith_new(pool, n, sizeof(*y));

		for (size_t i = 0; i < n; i++)
			y[run->place[i]] = of->y[i];
		run->labels.y = y;
	} else {
		double *u = kith_new(pool, n, sizeof(*u));

		for (size_t i = 0; i < n; i++)
			u[run->place[i]] = of->u[i];
		run->labels.u = u;
		run->labels.c = how->method == KITH_PROP_HARMONIC ? 1 : 2;
	}
}

void
kith_prop_run_pose(const struct kith_undirected *graph, const uint32_t *place,
    const struct kith_known *known, const struct kith_prop_how *how, struct kith_prop_run *run,
    struct kith_pool *pool)
{
	*run = (struct kith_prop_run){.known = known, .place = place};
	place_labels(how, run, pool);
	if (known->labels.y) {
		run->share = kith_new(pool, known->labels.c, sizeof(*run->share));
		run->common = kith_known_shares(known, run->share);
	} else {
		run->mean = kith_known_mean(known);
	}
	kith_prop_pose(graph, &run->labels, how->method, how->alpha, &run->prop, pool);
}

void
kith_prop_run_solve(struct kith_prop_run *run, size_t threads, struct kith_pool *pool)
{
	kith_prop_solve(&run->prop, threads, &run->solved, pool);
	kith_prove(&run->prop, &run->solved, &run->proof, pool);
}

static bool
is_number(const struct kith_prop_run *run)
{
	return run->known->rows->class.n == 0;
}

/* The score that is claimed of row i for class k; a number: where there is one. */
static double
claimed(const struct kith_prop_run *run, const struct kith_claim *claim, size_t i, size_t k)
{
	const struct kith_prop *p = &run->prop;
	const size_t c = run->known->rows->class.n;

	if (is_number(run))
		return kith_known_unit(run->known, claim->t[i]);
	return ldexp(claim->F[i * c + k] / (p->h ? p->h[run->place[i]] : 1),
	    p->method == KITH_PROP_POISSON ? p->graph->exponent : 0);
}

/* Put the scores that are claimed in the place of the solution. */
static int
take_claim(struct kith_prop_run *run, const struct kith_claim *claim, const char *file,
    const struct kith_ends *nodes, struct kith_err *err)
{
	const struct kith_prop *p = &run->prop;
	const bool *given = run->known->given;
	const bool fixed = p->method <= KITH_PROP_NORMALIZED;
	const size_t c = is_number(run) ? 1 : run->known->rows->class.n;
	char text[KITH_NUM_ROOM];

	for (size_t i = 0; i < p->A.n; i++) {
		if (!claim->there[i] && !(fixed && given[i]))
			return kith_fail_at(err, EX_DATAERR, file, 0,
			    "no row of id " KITH_CELL "%s", kith_ends_name(nodes, i, text),
			    given[i] ? " (--all?)" : "");
		for (size_t k = 0; k < c && claim->there[i]; k++)
			p->X[run->place[i] * p->ld + k] = claimed(run, claim, i, k);
	}
	return 0;
}

int
kith_prop_run_claim(struct kith_prop_run *run, const struct kith_claim *claim, const char *file,
    const struct kith_ends *nodes, size_t threads, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_table *rows = run->known->rows;
	const size_t n = run->prop.A.n;
	size_t *y = NULL; /* claimed for the nodes */
	double *z = NULL;

	if (run->prop.in > 0)
		z = kith_prop_walk(&run->prop, threads, pool);
	if (take_claim(run, claim, file, nodes, err))
		return -1;
	if (!is_number(run))
		y = kith_new(pool, n, sizeof(*y));
	for (size_t i = 0; y && i < n; i++)
		y[run->place[i]] = claim->there[i] ? claim->y[i] : rows->y[i];
	kith_prove_claim(&run->prop, z, y, &run->proof, pool);
	return 0;
}

bool
kith_prop_run_reaches(const struct kith_prop_run *run, size_t i)
{
	return run->prop.reached[run->place[i]];
}

size_t
kith_prop_run_class(const struct kith_prop_run *run, size_t i)
{
	return kith_prop_run_reaches(run, i) ? run->proof.classes.y[run->place[i]] : run->common;
}

double
kith_prop_run_number(const struct kith_prop_run *run, size_t i)
{
	const struct kith_known *known = run->known;
	const double *x = run->prop.X + run->place[i] * run->prop.ld;

	if (!kith_prop_run_reaches(run, i))
		return kith_known_number(known, run->mean);
	if (known->given[i] && run->prop.method <= KITH_PROP_NORMALIZED)
		return known->rows->t[i];
	return kith_known_number(known, run->labels.c == 2 ? x[0] / x[1] : x[0]);
}

/* The scores of row i, or shares where no label reaches it. */
static void
take_scores(const struct kith_prop_run *run, size_t i, double *to)
{
	const bool reached = kith_prop_run_reaches(run, i);

	for (size_t k = 0; k < run->labels.c; k++)
		to[k] = reached ? kith_prop_score(&run->prop, run->place[i], k) : run->share[k];
}

void
kith_prop_run_gather(const struct kith_prop_run *run, const bool *wanted, bool scores, bool prior,
    struct kith_predicted *to, struct kith_pool *pool)
{
	const size_t n = run->known->rows->X.n, c = run->labels.c;
	const bool classes = run->labels.y;

	*to = (struct kith_predicted){.nk = 1};
	to->none = kith_new(pool, n, sizeof(*to->none));
	if (classes)
		to->y = kith_new(pool, n, sizeof(*to->y));
	else
		to->t = kith_new(pool, n, sizeof(*to->t));
	if (classes && scores)
		to->share = kith_new(pool, n * c, sizeof(*to->share));
	for (size_t i = 0; i < n; i++) {
		if (!wanted[i])
			continue;
		to->none[to->m] = !kith_prop_run_reaches(run, i) && !prior;
		if (classes)
			to->y[to->m] = kith_prop_run_class(run, i);
		else
			to->t[to->m] = kith_prop_run_number(run, i);
		if (to->share)
			take_scores(run, i, to->share + to->m * c);
		to->m++;
	}
}
