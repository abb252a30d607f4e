/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/needs.h"

#include "base/err.h"
#include "base/num.h"
#include "cli/cli.h"
#include "table/needs.h"
#include "table/unit.h"

void
kith_say_needs(const struct kith_needs *needs)
{
	if (needs->negatives > 0)
		kith_warn("%s: %zu negative weight%s as 0", needs->file, needs->negatives,
		    needs->negatives == 1 ? " counts" : "s count");
	if (needs->unknowns > 0)
		kith_log_line("unknown notes", "%s: " KITH_NAME " (%zu in all)", needs->file,
		    needs->unknown, needs->unknowns);
}

double
kith_say_needs_sigma(const struct kith_needs *needs, double sigma, bool given)
{
	char own[KITH_NUM_ROOM], other[KITH_NUM_ROOM];

	kith_say_needs(needs);
	if (needs->sigma == 0)
		return sigma;
	if (!given) {
		kith_log_real("sigma", needs->sigma);
		return needs->sigma;
	}
	if (sigma != needs->sigma) {
		kith_format_real(own, sigma);
		kith_format_real(other, needs->sigma);
		kith_warn("--sigma %s, but %s was found with sigma %s", own, needs->file, other);
	}
	return sigma;
}

int
kith_say_needs_scale(const struct kith_needs *needs, int scale, struct kith_err *err)
{
	if (scale == KITH_UNIT_NONE)
		return 0;
	if (needs->scale != KITH_UNIT_NONE)
		return kith_fail_at(err, EX_DATAERR, needs->file, 0,
		    "its weights count in the units of the table, though they were learnt from "
		    "scaled rows: leave out --scale");
	kith_warn(
	    "--scale beside the weights of %s: they count in other units than those learnt in",
	    needs->file);
	return 0;
}
