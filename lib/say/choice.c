#include "say/choice.h"

#include "cli/cli.h"
#include "table/trial.h"

#include <math.h>
#include <stdio.h>

void
kith_say_choice(
    const struct kith_trial_form *form, const struct kith_trial *chosen)
{
	const char *const error = form->regress ? "rmse" : "error";
	char text[200] = "";
	size_t used = 0;

	for (size_t i = 0; i < form->keys; i++) {
		if (isnan(chosen->key[i]))
			continue;
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    "%s %g, ", form->key[i].name, chosen->key[i]);
		kith_log_real(form->key[i].name, chosen->key[i]);
	}
	kith_note(
	    "best: %s%s %g, se %g", text, error, chosen->error, chosen->se);
	if (!isnan(chosen->error))
		kith_log_real(error, chosen->error);
	if (!isnan(chosen->se))
		kith_log_real("se", chosen->se);
}
