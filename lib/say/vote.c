/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/vote.h"

#include "cli/cli.h"
#include "la/mat.h"
#include "say/search.h"
#include "table/predicted.h"
#include "vote/ballot.h"

void
kith_say_vote_rows(size_t m, const struct kith_mat *known)
{
	kith_log_size("rows", m);
	kith_log_size("reference", known->n);
	kith_log_size("features", known->p);
}

void
kith_say_vote_sigma(const struct kith_predicted *out)
{
	kith_say_search(&out->search);
	if (out->flat)
		kith_warn("the distances to the k-th neighbour are all 0: "
			  "sigma is 1");
	for (size_t a = 0; a < out->nk; a++)
		if (out->sigma[a] > 0)
			kith_log_real("sigma", out->sigma[a]);
}
