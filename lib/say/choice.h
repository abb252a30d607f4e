/* SPDX-License-Identifier: BSD-2-Clause */
/* say/choice - which parameters --best took. */
#ifndef KITH_SAY_CHOICE_H
#define KITH_SAY_CHOICE_H

struct kith_trial;
struct kith_trial_form;

/*
 * Say and log the parameters of a trial, as options that repeat the trial alone, with
 * error and standard error; the log has a line for each column of the trial.
 */
void kith_say_choice(const struct kith_trial_form *form, const struct kith_trial *chosen);

#endif
