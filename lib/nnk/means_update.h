/* SPDX-License-Identifier: BSD-2-Clause */
/* nnk/means_update - better atoms for codes as they are (nnk/means.h). */
#ifndef KITH_NNK_MEANS_UPDATE_H
#define KITH_NNK_MEANS_UPDATE_H

struct kith_codes;
struct kith_means_rows;

/*
 * Move the atoms rows->A so that J falls, or stays, with the weights of the
 * codes, which do not change but for their errors J_i; these are to be known
 * before.  Atoms that no row uses
 * stay where they are.  With W the weights, G = W'W and B = W'X,
 *
 *	linear  A = G^-1 B, the least squares min |X - W A|^2.  Where G is
 *	        singular, atoms whose column of W depends on others stay, and
 *	        these make up for them: the minimum is the same.
 *	cosine  atom after atom the best for the others as they are.  The part
 *	        of J that depends on a_j is -a_j' v_j, v_j = B_j - sum over l
 *	        != j of G_jl a_l, because |a_j| = 1: so a_j = v_j / |v_j|, and
 *	        stays where v_j = 0.  The constant coordinate of phi is the same
 *	        in all atoms.
 *
 * All unit atoms at once have no such formula: the products G_jl a_j' a_l tie
 * their lengths together.  G^-1 B divided by its lengths is no minimum, and can
 * make J rise.
 *
 * Time O(n N (p + N) + K^2 (K + p)), memory O(K (K + p) + n N).
 */
void kith_means_update(struct kith_means_rows *rows, struct kith_codes *code);

#endif
