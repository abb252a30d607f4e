/* SPDX-License-Identifier: BSD-2-Clause */
/* say/choice - which parameters --best took. */
#ifndef KITH_SAY_CHOICE_H
#define KITH_SAY_CHOICE_H

struct kith_trial;
struct kith_trial_form;

/*
 * Say and log the parameters of a trial, as options that give it alone, its error
 * and the standard error of it; the log has a line for each under the name of its
 * column.
 */
void kith_say_choice(const struct kith_trial_form *form, const struct kith_trial *chosen);

#endif
