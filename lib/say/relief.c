/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/relief.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "table/table.h"
#include "table/unit.h"
#include "table/weights.h"
#include "text/out.h"

#include <string.h>

enum { COLUMNS = 6 };

enum kith_metric_kind
kith_relief_kind(const struct kith_relief_how *how)
{
	if (kith_relief_is_matrix(how))
		return KITH_SQUARED_MATRIX;
	return how->method == KITH_RELIEFF ||
		how->method == KITH_RELIEF_IRELIEF ||
		how->method == KITH_RELIEF_SURF ||
		how->method == KITH_RELIEF_MULTISURF
	    ? KITH_ABSOLUTE
	    : KITH_SQUARED;
}

/* The rank of each feature, from 1. */
static size_t *
ranks(size_t p, const double *w, const size_t *round, struct kith_pool *pool)
{
	size_t *order = kith_new(pool, p, sizeof(*order));
	size_t *place = kith_new(pool, p, sizeof(*place)), r = 0, last = 1;

	kith_weights_order(p, w, order);
	for (size_t a = 0; round && a < p; a++)
		last = round[a] > last ? round[a] : last;
	for (; last > 0; last--)
		for (size_t i = 0; i < p; i++)
			if (!round || round[order[i]] == last)
				place[order[i]] = ++r;
	return place;
}

/* A table of weights with the columns of --bootstrap and --permute. */
static void
write_spread(const struct kith_relief_print *print, const double *w,
    const size_t *place, struct kith_out *out)
{
	const struct kith_relief_spread *spread = print->spread;
	const struct kith_names *feature = &print->table->feature;
	const char *name[COLUMNS] = {"feature",
	    kith_relief_kind(print->how) == KITH_ABSOLUTE ? "weight_abs"
							  : "weight"};
	size_t n = 2;

	if (place)
		name[n++] = "rank";
	if (spread->se) {
		name[n++] = "se";
		name[n++] = "top";
	}
	if (spread->p)
		name[n++] = "p";
	kith_out_header(out, name, n);
	for (size_t a = 0; a < feature->n && !out->failed; a++) {
		kith_out_put(out, "%s\t%g", feature->name[a], w[a]);
		if (place)
			kith_out_put(out, "\t%zu", place[a]);
		if (spread->se)
			kith_out_put(
			    out, "\t%g\t%g", spread->se[a], spread->top[a]);
		if (spread->p)
			kith_out_put(out, "\t%g", spread->p[a]);
		kith_out_row(out);
	}
}

int
kith_relief_print(const struct kith_relief_print *print,
    const struct kith_relief *got, double *w, struct kith_pool *pool,
    struct kith_out *out, struct kith_err *err)
{
	const struct kith_table *t = print->table;
	const struct kith_relief_spread *spread = print->spread;
	const size_t p = t->X.p;
	const struct kith_metric of = {kith_relief_kind(print->how), p, w};
	const bool matrix = kith_metric_is_matrix(of.kind);
	const size_t *place = print->rank && !matrix
	    ? ranks(p, w, got->round, pool)
	    : NULL;

	for (size_t a = 0; a < p && !matrix; a++)
		w[a] = print->clip && w[a] < 0 ? 0 : w[a];
	if (print->drop > 0 && !matrix) {
		double *left = kith_new(pool, p, sizeof(*left));

		kith_weights_drop(p, w, print->drop, left);
		memcpy(w, left, p * sizeof(*w));
	}
	if (print->unit &&
	    (kith_unit_to_input(print->unit, of.kind, &t->feature, w, err) ||
		(spread && spread->se &&
		    kith_unit_to_input(
			print->unit, of.kind, &t->feature, spread->se, err)))) {
		err->file = t->file;
		return -1;
	}
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	if (spread)
		write_spread(print, w, place, out);
	else
		kith_weights_put(&of, &t->feature, NULL, place, out);
	return 0;
}

void
kith_relief_tell(const struct kith_table *t, const struct kith_relief_how *how,
    const struct kith_relief *got)
{
	const bool nca = how->method == KITH_RELIEF_NCA;

	kith_note("%zu rows, %zu features", t->X.n, t->X.p);
	kith_log_size("rows", t->X.n);
	kith_log_size("features", t->X.p);
	kith_log_size("seed", how->seed);
	kith_log_size("threads", how->threads);
	if (got->iterations > 0 || !got->converged) {
		kith_note("%zu iterations%s", got->iterations,
		    got->converged ? "" : ", not converged");
		kith_log_size("iterations", got->iterations);
		kith_log_text("converged", got->converged ? "yes" : "no");
		if (got->circle > 1)
			kith_log_size("circle", got->circle);
	}
	if (nca || how->method == KITH_RELIEF_SIMBA) {
		kith_note("start %zu is the best: %s %.10g", got->best,
		    nca ? "objective" : "errors", got->objective);
		kith_log_size("start", got->best);
		kith_log_real("objective", got->objective);
	}
}

/* Entries of a diagonal are those of a matrix. */
void
kith_relief_warn_none(
    size_t p, const struct kith_relief_how *how, const double *w)
{
	const size_t step = kith_relief_is_matrix(how) ? p + 1 : 1;

	for (size_t a = 0; a < p; a++)
		if (w[a * step] > 0)
			return;
	kith_warn("no feature has a positive weight");
}

void
kith_relief_warn(const struct kith_relief *got)
{
	if (got->stuck)
		kith_warn("not converged after %zu iterations: no step is "
			  "better, but derivatives exceed --tol (tabscale?)",
		    got->iterations);
	else if (got->circle)
		kith_warn("not converged after %zu iterations: the weights "
			  "repeat in a cycle of %zu",
		    got->iterations, got->circle);
	else
		kith_warn("not converged after %zu iterations (--max-iter)",
		    got->iterations);
}
