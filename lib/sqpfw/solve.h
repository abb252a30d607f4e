/* sqpfw/solve - Algorithm 1 of sqpfw/sqpfw.h, from the state at hand. */
#ifndef KITH_SQPFW_SOLVE_H
#define KITH_SQPFW_SOLVE_H

#include "sqpfw/state.h"

/* At s->theta; sets s->done, and returns it. */
bool kith_sqpfw_solve_here(struct kith_sqpfw *s);

#endif
