/*
 * wsvmpath/rank - the problem of ranking: a variable for each pair of rows i, j
 * of one query, i better than j, that is y_i > y_j.  Their weights are those of
 * eqs. (32) and (33) of Karasuyama, Harada, Sugiyama and Takeuchi (2012),
 *
 *	--from C0       C_ij = C0
 *	--to C1         C_ij = C1
 *	--to relevance  C_ij = (2^y_i - 2^y_j) C0
 *
 * The pairs are in order of i, then of j.
 */
#ifndef KITH_WSVMPATH_RANK_H
#define KITH_WSVMPATH_RANK_H

struct kith_err;
struct kith_wsvm_job;

/*
 * Make the problem of the rows that were read; without a column for the
 * queries all rows are one.  Warns of queries without a pair.  Fails with
 * EX_DATAERR where none has one, where a query is missing, and where sums would
 * be too large for a double; with KITH_EX_USAGE where --from is no number, or
 * --to neither a number nor the word.  Time O(sum of g^2) for queries of g
 * rows.
 */
int kith_wsvm_rank(struct kith_wsvm_job *job, struct kith_err *err);

#endif
