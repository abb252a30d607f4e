/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/choice.h"

#include "cli/cli.h"
#include "table/trial.h"

#include <math.h>
#include <stdio.h>

void
kith_say_choice(const struct kith_trial_form *form, const struct kith_trial *chosen)
{
	const char *const error = form->regress ? "rmse" : "error";
	char same[120] = "", se[40] = "";
	size_t used = 0;

	for (size_t i = 0; i < form->keys; i++) {
		const char *const name = form->key[i].name;

		if (!name || isnan(chosen->key[i]))
			continue;
		kith_log_real(name, chosen->key[i]);
		used += (size_t)snprintf(same + used, sizeof(same) - used, "%s%s %.17g ",
		    name[1] ? "--" : "-", name, chosen->key[i]);
		for (size_t at = 0; at < used; at++)
			same[at] = same[at] == '_' ? '-' : same[at];
	}
	if (!isnan(chosen->error))
		kith_log_real(error, chosen->error);
	if (!isnan(chosen->se)) {
		kith_log_real("se", chosen->se);
		snprintf(se, sizeof(se), ", se %.4g", chosen->se);
	}
	if (kith_warns())
		kith_say("chosen: %s(%s %.4g%s)", same, error, chosen->error, se);
}
