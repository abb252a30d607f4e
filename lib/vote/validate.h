/*
 * vote/validate - how weights of the features do on a validation table: its
 * rows are predicted by majority vote of the nearest rows of the reference, for
 * several k, and those that are wrong counted.
 */
#ifndef KITH_VOTE_VALIDATE_H
#define KITH_VOTE_VALIDATE_H

#include "vote/ballot.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_out;
struct kith_table;

struct kith_validate {
	struct kith_sample known; /* the reference, with classes */
	struct kith_mat Z;        /* m x p, the rows to predict */
	/* m classes of the reference, c: none of them, or KITH_NO_CLASS. */
	size_t *actual;
	size_t n; /* rows that count */
	const size_t *k;
	size_t nk, threads;
};

/*
 * Get ready to predict the rows of asked, which was read with the reference
 * known, for these nk numbers of neighbours.  Both stay where they are; known.X
 * and asked.X, as they are now, are used.
 *
 * A row whose class the reference lacks counts as an error each time; one whose
 * class is missing does not count.  Fails with EX_DATAERR, naming the file,
 * when asked has no classes, or none that is not missing, and when a k exceeds
 * the rows of the reference.
 */
int kith_validate_new(const struct kith_table *known,
    const struct kith_table *asked, const size_t *k, size_t nk, size_t threads,
    struct kith_validate *out, struct kith_pool *pool, struct kith_err *err);

/*
 * The errors for each k, into errors (nk), under weights w (p) of squared
 * differences.  Fails as kith_predict() does.  Time that of a search for
 * neighbours (near/knn.h).
 */
int kith_validate(const struct kith_validate *v, const double *w,
    size_t *errors, struct kith_err *err);

/* Write the header PARAMETER k n errors error features, and a row for each k.
 */
void kith_validate_header(const char *parameter, struct kith_out *out);
void kith_validate_write(const struct kith_validate *v, double parameter,
    const size_t *errors, size_t features, struct kith_out *out);

/* A candidate, and what it is chosen by. */
struct kith_choice {
	size_t errors, features, k;
	double parameter;
};

/*
 * Whether a is a better choice than b: fewer errors, then fewer features, a
 * smaller k, a smaller parameter.
 */
bool kith_choice_better(
    const struct kith_choice *a, const struct kith_choice *b);

#endif
