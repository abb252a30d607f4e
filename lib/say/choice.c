/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/choice.h"

#include "cli/cli.h"
#include "table/trial.h"

#include <math.h>
#include <stdio.h>

/* Log parameter i, and add it to the text; how many bytes that are. */
static size_t
add(const struct kith_trial_form *form, const struct kith_trial *chosen, size_t i, char *text,
    size_t room)
{
	const char *const name = form->key[i].name;
	const double x = chosen->key[i];

	if (form->word[i]) {
		const char *const word = form->word[i][(size_t)x];

		kith_log_text(name, word);
		return (size_t)snprintf(text, room, "%s %s, ", name, word);
	}
	kith_log_real(name, x);
	return (size_t)snprintf(text, room, "%s %g, ", name, x);
}

void
kith_say_choice(const struct kith_trial_form *form, const struct kith_trial *chosen)
{
	const char *const error = form->regress ? "rmse" : "error";
	char text[200] = "";
	size_t used = 0;

	for (size_t i = 0; i < form->keys; i++) {
		if (!form->key[i].name || isnan(chosen->key[i]))
			continue;
		used += add(form, chosen, i, text + used, sizeof(text) - used);
	}
	kith_note("best: %s%s %g, se %g", text, error, chosen->error, chosen->se);
	if (!isnan(chosen->error))
		kith_log_real(error, chosen->error);
	if (!isnan(chosen->se))
		kith_log_real("se", chosen->se);
}
