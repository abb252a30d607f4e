/*
 * immigrate/fit_boost - boosting as fit_immigrate fits one learner: on which
 * features.
 */
#ifndef KITH_IMMIGRATE_FIT_BOOST_H
#define KITH_IMMIGRATE_FIT_BOOST_H

#include "immigrate/boost.h"
#include "immigrate/fit.h"

/*
 * Train an ensemble (immigrate/boost.h) on all features, or with
 * KITH_IMMIGRATE_FIT_SELECTED on those that im4e selects; *select then tells of
 * im4e, to which fit->start applies.  Otherwise learners start as fit->start
 * says: the identity, at random, or what is given.  In *boost, of inner
 * max_iter alone is read (the rest is fit->how) and start is not.  Fails as
 * kith_boost() and kith_immigrate_fit_select() do.
 */
int kith_immigrate_fit_boost(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_fit_how *fit,
    const struct kith_boost_how *boost, struct kith_ensemble *ensemble,
    struct kith_boost_count *count, struct kith_immigrate_fit *select,
    struct kith_pool *pool, struct kith_err *err);

#endif
