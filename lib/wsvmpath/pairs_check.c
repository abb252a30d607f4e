/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/pairs_check.h"

#include "base/pool.h"
#include "cli/cli.h"
#include "table/verdict.h"
#include "text/piece.h"
#include "wsvmpath/check.h"
#include "wsvmpath/pairs.h"
#include "wsvmpath/steps.h"

/* What was found of a machine. */
struct found {
	struct kith_wsvm_pair pair;
	struct kith_check check[KITH_CHECK_WSVM];
	size_t n;
};

/* Judge machine o: the rows of the file that are its own. */
static int
judge(const struct kith_wsvm_job *job, size_t o, struct kith_wsvm_steps *file,
    struct found *found, struct kith_err *err)
{
	const bool last = o + 1 == kith_wsvm_pairs(job);
	struct kith_wsvm_pair_job made;
	int got;

	kith_wsvm_pair_make(job, o, &made);
	found->pair = made.pair;
	if (o == 0)
		got = kith_wsvm_steps_open(
		    file, &made.job, job->call->check, job->pool, err);
	else
		got = kith_wsvm_steps_turn(file, &made.job, &made.pool, err);
	if (got == 0 || o > 0) {
		if (got == 0)
			got = kith_check_wsvm_steps(
			    &made.job, file, found->check, &found->n, err);
		if (got == 0)
			got = kith_wsvm_steps_end(file, last, err);
		if (got || last)
			kith_rows_close(&file->rows);
	}
	kith_wsvm_pair_free(&made);
	return got;
}

int
kith_wsvm_pairs_check(
    const struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = kith_wsvm_pairs(job);
	struct found *found = kith_new(&tmp, n, sizeof(*found));
	struct kith_wsvm_steps file;
	int status = 0;

	for (size_t o = 0; status == 0 && o < n; o++)
		status = judge(job, o, &file, &found[o], err);
	if (status == 0)
		status = kith_out_open_table(out, kith_output(), err);
	if (status == 0) {
		kith_out_lead(out, found->pair.column, found->pair.columns);
		kith_verdict_put(NULL, 0, out); /* the header */
	}
	for (size_t o = 0; status >= 0 && o < n; o++) {
		kith_out_lead_with(out, found[o].pair.cell);
		status |= kith_verdict_put(found[o].check, found[o].n, out);
	}
	kith_pool_free(&tmp);
	return status;
}
