#include "say/choice.h"

#include "cli/cli.h"
#include "table/trial.h"

#include <math.h>

void
kith_say_choice(const struct kith_trial_form *form, const struct kith_trial *t)
{
	const char *error = form->regress ? "rmse" : "error";

	for (size_t i = 0; i < form->keys; i++) {
		kith_note("chosen: %s %g", form->key[i].name, t->key[i]);
		kith_log_real(form->key[i].name, t->key[i]);
	}
	kith_note("chosen: %s %g", error, t->error);
	if (!isnan(t->se))
		kith_note("chosen: standard error %g", t->se);
	kith_log_real(error, t->error);
	kith_log_real("se", t->se);
}
