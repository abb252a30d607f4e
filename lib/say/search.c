/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/search.h"

#include "cli/cli.h"
#include "near/knn.h"

#include <math.h>

void
kith_say_search(const struct kith_knn_choice *search)
{
	if (!search->search)
		return;
	kith_log_text("search", search->search);
	if (!isnan(search->cost))
		kith_log_real("leaves over products", search->cost);
}
