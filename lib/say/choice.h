/* say/choice - what was chosen by rows kept apart (table/trial.h). */
#ifndef KITH_SAY_CHOICE_H
#define KITH_SAY_CHOICE_H

struct kith_trial;
struct kith_trial_form;

/* Note and log the parameters, the error and its standard error. */
void kith_say_choice(
    const struct kith_trial_form *form, const struct kith_trial *t);

#endif
