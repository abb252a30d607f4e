/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/path.h"

#include "base/names.h"
#include "table/table.h"
#include "table/weights.h"
#include "text/out.h"

#include <math.h>
#include <stdbool.h>

void
kith_path_header(const struct kith_path_form *form, struct kith_out *out)
{
	const char *const column[] = {"step", form->parameter, "feature",
	    form->kind == KITH_ABSOLUTE ? "weight_abs" : "weight", "scaled_weight"};

	kith_out_header(out, column, 5);
}

void
kith_path_step(const struct kith_path_form *form, size_t step, double parameter, const double *w,
    struct kith_out *out)
{
	bool some = false;

	for (size_t j = 0; j < form->feature->n; j++)
		if (w[j] != 0) {
			kith_out_put(out, "%zu\t%g\t%s\t%g\t%g\n", step, parameter,
			    form->feature->name[j], w[j],
			    kith_weights_scaled(form->kind, w[j], form->sd[j], form->sd[j]));
			some = true;
		}
	if (!some)
		kith_out_put(
		    out, "%zu\t%g\t%G\t%zu\t%zu\n", step, parameter, NAN, (size_t)0, (size_t)0);
	kith_out_flush(out);
}

void
kith_path_event_header(bool with_other, const char *last, struct kith_out *out)
{
	const char *column[8] = {"step", "theta", "event", "row", "was", "becomes", "other"};
	const size_t n = with_other ? 7 : 6;

	column[n] = last ? last : column[n];
	kith_out_header(out, column, n + !!last);
}

void
kith_path_event(size_t step, double parameter, const struct kith_path_event *event, bool with_other,
    const struct kith_table *t, struct kith_out *out)
{
	kith_out_put(out, "%zu\t%g\t%s\t", step, parameter, event->event);
	if (event->name)
		kith_out_cell(out, event->name);
	else
		kith_table_write_id(t, event->row, out);
	kith_out_put(out, "\t%s\t%s", event->was, event->becomes);
	if (with_other)
		kith_out_next(out);
	if (with_other && event->other)
		kith_table_write_id(t, *event->other, out);
	else if (with_other)
		kith_out_missing(out);
	if (event->last)
		kith_out_put(out, "\t%g", *event->last);
	kith_out_row(out);
}
