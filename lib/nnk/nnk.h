/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/nnk - sparse graphs of rows: non-negative kernel regression (NNK; Shekkizhar and Ortega,
 * "Neighborhood and graph constructions using non-negative kernel regression") and nine others.
 *
 * A row q has candidates S: its k nearest rows, all rows within a radius, or given ones.  A local
 * method solves one small problem for each row; theta_j is the weight of the edge from q to
 * candidate j, K the kernel (kernel/kern.h):
 *
 *	nnk         min_{theta >= 0} 1/2 theta' K_SS theta - (K_Sq - eta)' theta, eqs. (6) and (9)
 *	knn         theta = max(K_Sq, 0); radius: the same, of all rows within a radius
 *	mp, omp     Algorithm 2: (orthogonal) matching pursuit with at most k atoms
 *	lle         (6) with the kernel (7) of the directions from q, K_Sq = 1
 *	lle-gram    (6) with the Gram matrix G of x_S - q plus a ridge of 1e-3 trace(G) / k (1e-3
 *	            where the trace is 0), K_Sq = 1; the weights are divided by their sum
 *	lle-signed  min |q - sum_j w_j x_j|^2 / 2 with sum_j w_j = 1, of either sign: eq. (2)
 *
 * Two joint methods solve for the weights of all pairs of rows at once, of which one is a candidate
 * of the other:
 *
 *	smooth      min_{w >= 0} 2 theta sum_e w_e d_e + |w|^2 - sum_i log(degree_i)  (nnk/smooth.c)
 *	aew         w_ij = exp(-sum_f (x_if - x_jf)^2 / s_f^2) with learnt s_f        (nnk/aew.c)
 *
 * The local error of q is J = 1/2 theta' K_SS theta - K_Sq' theta + 1/2 K_qq, eq. (5).  K_qq is 1
 * for lle and 0 for lle-gram, whose J is that of the weights before the division.  J of lle-signed
 * is the minimum.
 *
 * Numbers: |x_j| and sqrt(w_j) |x_j| are at most 1e150 (INTERFACE.md, section 1).
 */
#ifndef KITH_NNK_NNK_H
#define KITH_NNK_NNK_H

#include "kernel/kern.h"
#include "kernel/sigma.h"
#include "la/mat.h"
#include "near/knn.h"
#include "table/check.h"
#include "table/edges.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_pool;

/* ---- Methods ---- */

enum kith_nnk_method {
	KITH_NNK,
	KITH_NNK_KNN,
	KITH_NNK_RADIUS,
	KITH_NNK_MP,
	KITH_NNK_OMP,
	KITH_NNK_LLE,
	KITH_NNK_LLE_GRAM,
	KITH_NNK_LLE_SIGNED,
	KITH_NNK_SMOOTH,
	KITH_NNK_AEW
};

/*
 * How a pair i < j of rows gets one weight from w_ij and w_ji (section 3.5 of the paper).  Row i
 * "has" row j when j is in the list of i, with weight 0 too.
 */
enum kith_symm {
	KITH_SYMM_NODE, /* the weight that the row of smaller J (equal J: row i) gives; 0 if none */
	KITH_SYMM_ERROR, /* each has the other: the weight that the row of smaller J gives (equal J:
			    the larger weight); only one has the other: its weight */
	KITH_SYMM_PAPER, /* Algorithm 3: as ERROR, but 0 unless each row has the other */
	KITH_SYMM_MAX,   /* the larger weight */
	KITH_SYMM_MIN,   /* the smaller weight, where a missing weight is 0 */
	KITH_SYMM_MEAN,  /* the mean weight, where a missing weight is 0 */
	KITH_SYMM_NONE   /* for commands: the graph stays directed */
};

#define KITH_SYMM_WORDS "node|error|paper|max|min|mean|none"

/* Whether a rule compares the errors J of two rows. */
static inline bool
kith_symm_compares(enum kith_symm rule)
{
	return rule == KITH_SYMM_NODE || rule == KITH_SYMM_ERROR || rule == KITH_SYMM_PAPER;
}

#define KITH_NNK_WORDS "nnk|knn|radius|mp|omp|lle|lle-gram|lle-signed|smooth|aew"

/* What each method uses, by enum kith_nnk_method. */
extern const struct kith_nnk_traits {
	const char *option;  /* "--method nnk", for messages */
	enum kith_symm rule; /* the default rule */
	bool kernel;  /* uses a kernel, gaussian: a bandwidth; J of two rows can be compared */
	bool joint;   /* solves for all pairs at once */
	bool pursuit; /* chooses atoms one by one */
	double exact; /* the largest residual that counts as solved */
} kith_nnk_traits[];

/* Whether a method and its kernel have a bandwidth. */
bool kith_nnk_has_bandwidth(enum kith_nnk_method method, enum kith_kern_kind kernel);

/* ---- Rows and candidates ---- */

/*
 * The rows first .. first + m - 1 of Z; or of X where Z is NULL, and then no row is its own
 * candidate.  For the cosine kernel rows have length 1 (kith_kern_unit_rows()).  The metric has
 * passed kith_kern_check(), except for knn and radius with the gaussian kernel.
 */
struct kith_nnk_rows {
	const struct kith_mat *X; /* the reference: n x p, n >= 1 */
	const struct kith_metric *metric;
	const struct kith_mat *Z; /* queries with p features, or NULL */
	size_t first, m;
	size_t threads;
};

struct kith_nnk_how {
	enum kith_nnk_method method;
	enum kith_kern_kind kernel;
	size_t k;                       /* candidates, >= 1; atoms of mp and omp; edges of smooth */
	double radius;                  /* radius: all rows with sqrt(d) <= radius, in place of k */
	double eta;                     /* nnk: >= 0 */
	bool all;                       /* mp, omp: the atoms come from all rows */
	bool errors;                    /* compute J */
	struct kith_sigma sigma;        /* gaussian; aew: of the start */
	const struct kith_graph *given; /* candidates in place of k, or NULL */
	const struct kith_graph *claim; /* nnk, smooth: weights to judge, or NULL: to solve */
};

struct kith_candidates {
	/* The reference, the m rows, and their metric, without the features of weight 0. */
	struct kith_mat X, rows;
	struct kith_metric metric;

	size_t *start;             /* m + 1 */
	struct kith_neighbour *nn; /* of row i: start[i] .. start[i + 1] - 1, by (distance, row) */
	size_t most;               /* the length of the longest list */
	double sigma;              /* the bandwidth; 0: each row its own, or none is needed */
	bool flat;                 /* all distances to the k-th neighbour are 0: sigma became 1 */
	struct kith_knn_choice search; /* NULL: no search was needed */
};

/*
 * Finds the candidates of all rows, and the bandwidth where the method has one, in the pool; fails
 * with EX_DATAERR where weights make a distance negative.
 */
int kith_candidates_find(const struct kith_nnk_rows *rows, const struct kith_nnk_how *how,
    struct kith_candidates *out, struct kith_pool *pool, struct kith_err *err);

/* ---- Local methods ---- */

/*
 * Weights up to this share of the largest weight of their row become 0: they are no edges.  With
 * the linear kernel, where lengths of candidates are far apart, a weight is multiplied by the
 * candidate's length before it is compared.
 */
#define KITH_NNK_CUT 1e-10

enum { KITH_NNK_CHECKS = 4 };

struct kith_nnk {
	/* All candidates of each row with their weights, 0 too, by (distance, row); with how->all
	   the atoms in the order of their choice.  J is NaN for a row without candidates. */
	struct kith_graph graph;
	double sigma; /* 0: local, or none */
	bool flat;
	struct kith_knn_choice search;
	double residual; /* the largest violation of a row's conditions (nnk/problem.h); smooth: of
			    stationarity and dual */
	/*
	 * nnk, by the judge (nnk/check.c), which solves nothing: weights of a claim that are
	 * negative or no numbers, its edges to no candidate; stationarity and dual, of all rows of
	 * a claim, and of a solution of rows where rounding matters.  smooth, by the judge of
	 * nnk/smooth.c: edges of a claim that are no pair; degree, stationarity and dual.
	 */
	struct kith_check proof[KITH_NNK_CHECKS];
	size_t lost;       /* rows whose weights are all too small for a double */
	size_t iterations; /* joint methods */
	double theta;      /* smooth */

	/* aew */
	double start, objective; /* E at the start and at the end */
	double gradient;         /* the largest |dE / d log s_f| / E(start) */
	bool converged;          /* it is at most 1e-6 */
};

/*
 * Solves all rows, or judges the claim; the result is in the pool.  The graph of a joint method is
 * undirected.  aew fails with EX_DATAERR for a metric that is no vector of weights of squares; its
 * time is O(pairs p) for each evaluation of E.  Of the other methods:  A row's result depends on the
 * reference and the row alone.  Fails as kith_candidates_find() does.  Time: the search, and O(k^2
 * (p + k)) a row; with how->all O(k n p) a row, and O(k n) memory a thread.
 */
int kith_nnk(const struct kith_nnk_rows *rows, const struct kith_nnk_how *how, struct kith_nnk *out,
    struct kith_pool *pool, struct kith_err *err);

/* ---- Graphs ---- */

/* Sorts each list by row, in place; rows are below n; w and d are there. */
void kith_graph_sort(struct kith_graph *graph, size_t n);

/*
 * The undirected graph, in the pool, of lists of all n rows with w and d, which become sorted: each
 * pair of positive weight once, in the list of its smaller row, in order.  J of the result is that
 * of the rows; for KITH_SYMM_NODE it is NaN for a row that gives no positive weight.  Time and
 * memory O(n + edges).
 */
void kith_symmetrize(struct kith_graph *directed, enum kith_symm rule, struct kith_graph *out,
    struct kith_pool *pool);

/* ---- Joint methods ---- */

/*
 * The union of the candidate lists of all n rows, as undirected pairs of weight 1, in the pool; d
 * is the squared distance.
 */
void kith_pairs_of(const struct kith_candidates *candidates, size_t n, struct kith_graph *pairs,
    struct kith_pool *pool);

/*
 * Lists the rows at the other ends of the pairs of positive weight of each row i, in increasing
 * order, into to[start[i]] .. to[start[i + 1] - 1].  start has m + 2 entries, of which the last is
 * scratch, to has 2 for each pair.
 */
void kith_pairs_ends(const struct kith_graph *pairs, size_t *start, uint32_t *to);

/*
 * Gives the pairs the weights of edges, which may be stored from either end, and 0 where there is
 * no edge; returns how many edges of positive weight are no pair, or occur twice.
 */
size_t kith_pairs_fill(const struct kith_graph *edges, struct kith_graph *pairs);

#endif
