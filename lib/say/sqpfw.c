/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/sqpfw.h"

#include "base/pool.h"
#include "cli/cli.h"
#include "near/metric.h"
#include "sqpfw/check.h"
#include "sqpfw/sqpfw.h"
#include "table/learn.h"
#include "table/path.h"
#include "table/table.h"
#include "text/out.h"

#include <math.h>

void
kith_say_sqpfw_solution(
    const struct kith_sqpfw_now *now, const struct kith_sqpfw_verdict *seen, bool certified)
{
	kith_log_line("solution",
	    "theta %g objective %g iterations %zu ties %zu features %zu residual %g%s", now->theta,
	    seen->objective, now->iterations, seen->ties, now->positive, seen->residual,
	    certified          ? ""
		: now->limited ? " not finished"
			       : " not certified");
}

void
kith_say_sqpfw_log(const struct kith_sqpfw_now *now, const struct kith_sqpfw_verdict *seen)
{
	kith_log_real("objective", seen->objective);
	kith_log_size("positive", now->positive);
	kith_log_size("ties", seen->ties);
	kith_log_size("concave", seen->concave);
	kith_log_real("residual", seen->residual);
}

void
kith_say_sqpfw_doubt(const struct kith_sqpfw_now *now, const struct kith_sqpfw_verdict *seen)
{
	if (now->limited)
		kith_warn("not certified as a minimum: stopped after %zu "
			  "iterations",
		    now->iterations);
	else if (isnan(seen->residual))
		kith_warn("not certified as a minimum: squares of the data "
			  "overflow");
	else if (!(seen->residual <= KITH_SQPFW_RESIDUAL))
		kith_warn("not certified as a minimum: residual %g, limit %g", seen->residual,
		    KITH_SQPFW_RESIDUAL);
	else if (seen->open > 0)
		kith_warn("not certified as a minimum: %zu concave kinks, "
			  "with too many choices to try",
		    seen->open);
	else if (seen->certified)
		kith_warn("not certified for the path: %zu concave kinks at "
			  "theta 0",
		    seen->concave);
	else
		kith_warn("not certified as a minimum: the weights sum to 1 "
			  "but for %g",
		    seen->simplex);
}

void
kith_say_sqpfw_keep(void *to, const struct kith_sqpfw_event *event)
{
	struct kith_say_sqpfw_waiting *q = to;

	q->event = kith_more(q->pool, q->event, q->n, &q->room, sizeof(*q->event));
	q->event[q->n++] = *event;
}

void
kith_say_sqpfw_events(struct kith_say_sqpfw_waiting *waiting, size_t step,
    const struct kith_learn *rows, struct kith_out *out)
{
	static const char *const kind[] = {"hit", "miss", "weight"};
	static const char *const word[] = {"nearer", "tied", "farther", "zero", "positive"};
	const int first = KITH_SQPFW_NEARER;

	for (size_t e = 0; e < waiting->n; e++) {
		const struct kith_sqpfw_event *it = waiting->event + e;
		const bool weight = it->kind == KITH_SQPFW_WEIGHT;
		const struct kith_path_event event = {kind[it->kind],
		    weight ? rows->feature.name[it->row] : NULL, it->row, word[it->was - first],
		    word[it->becomes - first], weight ? NULL : &it->other, NULL};

		kith_path_event(step, it->theta, &event, true, &rows->known, out);
	}
	waiting->n = 0;
	kith_out_flush(out);
}

void
kith_say_sqpfw_margins(const struct kith_learn *rows, const double *w,
    const struct kith_sqpfw_how *how, struct kith_out *out)
{
	static const char *const column[] = {
	    "id", "hit", "miss", "distance_hit", "distance_miss", "margin"};
	const struct kith_table *t = &rows->known;
	const struct kith_metric metric = {KITH_SQUARED, t->X.p, w};
	struct kith_pool tmp = {0};
	const struct kith_sqpfw_judge_how judge_how = {
	    how->hits, how->misses, how->prior, how->threads, how->weight};
	struct kith_sqpfw_judge *judge = kith_sqpfw_judge_new(
	    &t->X, rows->class.y, rows->class.name.n, &judge_how, &tmp);
	const size_t *target = kith_sqpfw_judge_targets(judge, w);

	kith_out_header(out, column, 6);
	for (size_t i = 0; i < t->X.n; i++) {
		const double *x = kith_row(&t->X, i);
		const double d = kith_dist(&metric, x, kith_row(&t->X, target[2 * i]));
		const double e = kith_dist(&metric, x, kith_row(&t->X, target[2 * i + 1]));

		kith_table_write_id(t, i, out);
		kith_out_next(out);
		kith_table_write_id(t, target[2 * i], out);
		kith_out_next(out);
		kith_table_write_id(t, target[2 * i + 1], out);
		kith_out_put(out, "\t%g\t%g\t%g\n", d, e, e - d);
	}
	kith_sqpfw_judge_free(judge);
	kith_pool_free(&tmp);
}
