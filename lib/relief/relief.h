/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/relief - the classic weights of features, from differences between
 * rows and their nearest rows of the same class (hits) and of other classes
 * (misses).
 *
 * With D = x - z feature by feature, h(i) the nearest hit of row i, itself left
 * out, m(i) its nearest miss, ties by row number, i over the rows sampled:
 *
 *	RELIEF   w_a = mean_i (D_a(i,m)^2 - D_a(i,h)^2), neighbours by sum D^2
 *		 (Kira and Rendell 1992)
 *	RELIEFF  w_a = mean_i (sum_c P(c) / (1 - P(y_i)) mean_M diff_a
 *		 - mean_H diff_a), H the k nearest hits and M the k nearest rows
 *		 of each other class c, by the sum of diff or of its squares;
 *		 diff_a = |D_a| / range_a, of texts 0 or 1 (Kononenko 1994;
 *		 Robnik-Sikonja and Kononenko 2003).  A class has less than k
 *		 rows: all of them.
 *	RELIEFF  of a target t that is a number: with the k nearest rows j,
 *		 their influence ~ exp(-(rank / sigma)^2) of sum 1 / m and delta
 *		 = |t_i - t_j| / range, w_a = E[diff_a delta] / E[delta]
 *		 - E[diff_a (1 - delta)] / E[1 - delta], 0 for 0 / 0
 *		 (Robnik-Sikonja and Kononenko 2003, eq. 10 and figure 3)
 *	SURF	 RELIEFF with the neighbours that are nearer than T, the mean
 *		 distance of all pairs of rows: w_a = mean_i (sum_c P(c) mean_M diff_a /
 *		 sum_c P(c) - mean_H diff_a), c over the other classes with such
 *		 rows, a mean over no row being 0 (Greene, Penrod, Kiralis and
 *		 Moore 2009, of two classes)
 *	MULTISURF  the same with the threshold T_i - sd_i / 2 for row i, mean and
 *		 standard deviation of its distances to all others (Urbanowicz,
 *		 Olson, Schmitt, Meeker and Moore 2018).  Of a target that is a
 *		 number both have as hits the rows whose target differs by less
 *		 than its standard deviation, and all others as misses
 *	SIMBA	 |D|_w = sqrt(sum w_a^2 D_a^2), w = 1; row after row, with h and
 *		 m under w, w_a += 1/2 (D_a(i,m)^2 / |D(i,m)|_w
 *		 - D_a(i,h)^2 / |D(i,h)|_w) w_a, a term with |D|_w = 0 left out;
 *		 given is w_a^2 / max (Gilad-Bachrach, Navot, Tishby 2004)
 *	MULREL	 RELIEF again and again, neighbours by sum w_a D_a^2 with the
 *		 weights of the loop before; negative ones 0, sum 1
 *	IRELIEF  w = nu+ / |nu|_2, nu_a = sum_i gamma_i (sum_M alpha_ij |D_a|
 *		 - sum_H beta_ij |D_a|), f_ij = exp(-sum_a w_a |D_a| / sigma),
 *		 alpha = f / sum_M f, beta = f / sum_H f, gamma_i = sum_H f
 *		 / (sum_H f + sum_M f); from equal weights (Sun and Li 2006; Sun
 *		 2007)
 *	NCA	 v_a^2, v a local maximum of sum_i sum_H p_ij, p_ij
 *		 ~ exp(-sum_a v_a^2 D_a^2) over all j but i (Goldberger et al.
 *		 2005, diagonal)
 *	NCA	 with a rank: W = A'A, A (rank x p) a local maximum of the same
 *		 with p_ij ~ exp(-|A D|^2); of a target that is a number a local
 *		 minimum of sum_i (sum_j p_ij t_j - t_i)^2 (MLKR, Weinberger and
 *		 Tesauro 2007)
 *	LFE	 the positive part of sum_i (D(i,m) D(i,m)' - D(i,h) D(i,h)'),
 *		 its negative eigenvalues 0, Frobenius norm 1; neighbours as
 *		 RELIEF (Sun and Wu 2008)
 *
 * TuRF (Moore and White 2007) weighs the features again and again; each round
 * leaves out the floor(turf p) smallest weights, of equal ones the later first,
 * at least 1, until no more would be left.  A feature keeps the weight of its
 * last round; of a matrix the features left out have 0.
 *
 * Weights s of the rows: means over rows are sum s_i / sum s, those over several
 * neighbours sum s_j / sum s, P(c) is the share of s, in SIMBA s_i multiplies the
 * step (mean 1), in IRELIEF and NCA s_j stands before exp.  A row of weight 0 is
 * as if it were not there.  Distances, medians of cells, and which rows are
 * nearest, are not weighted; T, T_i and sd_i are.
 *
 * A row that has no hit, being alone in its class, has its miss part alone.
 * Weights of features with one value are 0.
 *
 * A cell that is missing differs by what is expected of a value drawn from
 * those that its column has in the class of its row (in all rows, where the
 * class has none, or the target is a number): for texts 1 minus the
 * probability of equal ones, as the paper has it.
 */
#ifndef KITH_RELIEF_RELIEF_H
#define KITH_RELIEF_RELIEF_H

#include "relief/problem.h"

struct kith_err;
struct kith_pool;

/*
 * Weigh the features of rows that are of two classes at least.  The result is
 * the same for any number of threads.
 *
 * Fails with EX_DATAERR when there are fewer rows (of weight above 0) than
 * samples, or one class only, when the target is one number throughout, and when a weight (RELIEF), or the squares of
 * differences (NCA), leave the range of a double.
 *
 * Time O(n^2 p) at most for each neighbour search, loop, and value of an
 * objective; SIMBA starts x passes x n^2 p.  Memory O(n p), and for missing
 * cells n doubles for each column and class that has some.
 */
int kith_relief(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, struct kith_relief *out,
    struct kith_pool *pool, struct kith_err *err);

#endif
