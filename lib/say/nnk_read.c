/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/nnk_read.h"

#include "cli/cli.h"
#include "cli/opt.h"
#include "say/doubt.h"
#include "say/needs.h"
#include "say/nnk_run.h"

/* The pairs that are candidates of the rows of the shard. */
static int
read_candidates(struct kith_nnk_run *run, const struct kith_nnk_files *from, struct kith_err *err)
{
	const char *const lists[] = {from->candidates, NULL};
	const struct kith_edges_how list = {.from = kith_nnk_run_ends(run), .to = &run->in.to};

	if (!from->candidates)
		return 0;
	if (from->pairs)
		return kith_pairs_read(from->candidates, from->pairs, list.from, list.to,
		    &run->pairs, &run->pool, err);
	if (kith_edges_read(lists, &list, &run->given, &run->pool, err))
		return -1;
	run->given.first = run->rows.first;
	run->given.m = run->rows.m;
	run->given.start += run->rows.first;
	return 0;
}

int
kith_nnk_read(struct kith_nnk_run *run, const struct kith_nnk_files *from, struct kith_err *err)
{
	const struct kith_nnk_method_row *way = kith_nnk_run_method(run);
	const bool gaussian = way->takes_sigma ||
	    (way->takes_kernel && run->how.kernel == KITH_KERN_GAUSSIAN &&
		from->pairs != KITH_PAIRS_SIMILARITY);
	/* A row's similarity to others is less than a kernel of these. */
	const bool any = way->takes_any && gaussian;
	const struct kith_input_how wanted = {.how = *from->how,
	    .reference = from->reference,
	    .weights = from->weights,
	    .block = {run->block.i, run->block.n},
	    .shard = {from->shard->i, from->shard->n}};
	struct kith_input *in = &run->in;
	size_t m;

	if (kith_input_read(from->files, &wanted, in, &run->pool, err) ||
	    (!any &&
		kith_input_kernel(
		    in, &wanted, way->takes_kernel ? run->how.kernel : KITH_KERN_GAUSSIAN, err)))
		return -1;
	kith_say_needs(&in->weights.needs);
	if (!from->weights && run->block.n == 1)
		kith_say_scales(&in->known, NULL, KITH_SAY_UNITS);
	if (run->block.n == 1)
		kith_say_outside(&in->known, &in->asked, in->weights.column);
	run->rows = (struct kith_local_rows){.X = &in->known.X,
	    .metric = &in->weights.metric,
	    .Z = from->reference ? &in->asked.X : NULL,
	    .threads = from->threads};
	run->shard = *from->shard;
	m = kith_nnk_run_ends(run)->n;
	run->rows.first = (run->shard.i - 1) * m / run->shard.n;
	run->rows.m = run->shard.i * m / run->shard.n - run->rows.first;
	kith_log_size("rows", m);
	kith_log_size("reference", in->known.X.n);
	kith_log_size("features", in->known.X.p);
	kith_log_size("threads", from->threads);
	return read_candidates(run, from, err);
}
