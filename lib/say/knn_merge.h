/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say/knn_merge - lists of neighbours in blocks of a reference (say/knn_lists.h),
 * read in place of a search in the whole.
 */
#ifndef KITH_SAY_KNN_MERGE_H
#define KITH_SAY_KNN_MERGE_H

struct kith_err;
struct kith_knn_run;

/*
 * Read lists into run->known, asked and near: the rows known are the neighbours
 * that are kept.  Columns `keep` (NULL: none) are kept.  Fails as
 * kith_lists_open() and kith_lists_read() do, where the lists do not reach as far
 * as run->k and radii ask, and where a distance is below 0 and the vote does not
 * take that.  Memory and time in proportion to the lists; memory to what is kept.
 */
int kith_knn_merge_read(
    struct kith_knn_run *run, const char *const *files, const char *keep, struct kith_err *err);

#endif
