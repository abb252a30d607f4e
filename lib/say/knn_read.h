/* SPDX-License-Identifier: BSD-2-Clause */
/* say/knn_read - the tables of knnclf, and its weights. */
#ifndef KITH_SAY_KNN_READ_H
#define KITH_SAY_KNN_READ_H

struct kith_err;
struct kith_how;
struct kith_knn_run;

struct kith_knn_files {
	const char *train;        /* of the reference, or NULL */
	const char *const *files; /* of the rows to predict */
	const struct kith_how *how;
	const void *sigma; /* where the option is, for kith_given() */
};

/*
 * Read run->known, asked, and the weights, with what the run's options say.  Fails as
 * kith_table_read() and kith_weights_read() do, and where the two do not fit.
 */
int kith_knn_read(
    struct kith_knn_run *run, const struct kith_knn_files *from, struct kith_err *err);

#endif
