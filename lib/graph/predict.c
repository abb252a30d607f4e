/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/predict.h"

#include "base/pool.h"
#include "graph/graph.h"
#include "table/check.h"
#include "table/predicted.h"
#include "table/table.h"

/* The labels of the nodes. */
static void
place_labels(const struct kith_prop_how *how, struct kith_prop_run *run,
    struct kith_pool *pool)
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
    const struct kith_known *known, const struct kith_prop_how *how,
    struct kith_prop_run *run, struct kith_pool *pool)
{
	*run = (struct kith_prop_run){
	    .known = known, .place = place, .mass = how->mass};
	place_labels(how, run, pool);
	if (known->labels.y) {
		run->share = kith_new(
		    pool, known->labels.c, sizeof(*run->share));
		run->common = kith_known_shares(known, run->share);
		if (how->mass_of_labels)
			run->mass = run->share;
		if (how->method == KITH_PROP_POISSON)
			run->mass = NULL;
	} else {
		run->mean = kith_known_mean(known);
	}
	kith_prop_pose(
	    graph, &run->labels, how->method, how->alpha, &run->prop, pool);
}

void
kith_prop_run_solve(struct kith_prop_run *run, struct kith_prop_kept *kept,
    size_t threads, struct kith_pool *pool)
{
	kith_prop_solve(&run->prop, kept, threads, &run->solved, pool);
	kith_prove(&run->prop, &run->solved, run->mass, &run->proof, pool);
}

bool
kith_prop_run_holds(const struct kith_prop_run *run)
{
	for (size_t i = 0; i < run->proof.n; i++) {
		const struct kith_check *check = &run->proof.check[i];

		if (!kith_check_ok(check) && !kith_check_open(check))
			return false;
	}
	return true;
}

bool
kith_prop_run_reaches(const struct kith_prop_run *run, size_t i)
{
	return run->prop.reached[run->place[i]];
}

size_t
kith_prop_run_class(const struct kith_prop_run *run, size_t i)
{
	return kith_prop_run_reaches(run, i)
	    ? run->proof.classes.y[run->place[i]]
	    : run->common;
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
	return kith_known_number(
	    known, run->labels.c == 2 ? x[0] / x[1] : x[0]);
}

/* The scores of row i, or shares where no label reaches it. */
static void
take_scores(const struct kith_prop_run *run, size_t i, double *to)
{
	const bool reached = kith_prop_run_reaches(run, i);

	for (size_t k = 0; k < run->labels.c; k++)
		to[k] = reached ? kith_prop_score(&run->prop, run->place[i], k)
				: run->share[k];
}

void
kith_prop_run_gather(const struct kith_prop_run *run, const bool *wanted,
    bool scores, bool prior, struct kith_predicted *to, struct kith_pool *pool)
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
