/* SPDX-License-Identifier: BSD-2-Clause */
/* knnclf - predict rows from their nearest labelled rows. */
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "say/doubt.h"
#include "say/knn_run.h"
#include "say/needs.h"
#include "say/vote.h"
#include "table/classes.h"
#include "table/input.h"
#include "table/table.h"
#include "table/unit.h"
#include "table/weights.h"
#include "text/out.h"
#include "vote/near.h"
#include "vote/similar.h"
#include "vote/vote.h"
#include "vote/votes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t one_k = 1, threads = 1, seed = 1, parts;
static struct kith_sizes ks = {1, &one_k};
static struct kith_reals shares, radii;
static struct kith_shard shard = {1, 1};
static struct kith_how how;
static const char *train, *candidates, *weights_file, *sigma;
static int vote, kernel, print, pairs, best, scaling, unreached;
static double ratio = 1;
static bool loo, scores;

static const struct kith_opt opts[] = {
    {'t', "train", KITH_FILE(&train), "learn from the rows of FILE"},
    {0, "loo", KITH_FLAG(&loo), "instead: predict each row from all others"},
    {0, "cv", KITH_SIZE(&parts, 2, 0x1p53),
	"instead: predict each of N parts from the others"},
    {0, "best", KITH_MAYBE(&best, "se"),
	"use the best K, or =se: the largest within one standard error"},
    {'k', NULL, KITH_SIZES(&ks, 1, 0x1p53),
	"let the nearest K rows vote, for each K [1]"},
    {0, "radius", KITH_REALS(&radii, 0, DBL_MAX),
	"let all rows within X vote, for each X; of -k at most K of them"},
    {0, "unreached", KITH_CHOICE(&unreached, "na|prior"),
	"rows with none within X: NA, or as most rows are [na]"},
    {0, "candidates", KITH_FILE(&candidates),
	"only the pairs of FILE, from and to, are neighbours"},
    {0, "pairs", KITH_CHOICE(&pairs, "distance|similarity"),
	"FILE has this of its pairs; features are not read"},
    {0, "vote", KITH_CHOICE(&vote, kith_vote_words),
	"how much a vote weighs [majority]"},
    {0, "kernel", KITH_CHOICE(&kernel, "gaussian|cosine|linear"),
	"nnk: the kernel [gaussian]"},
    {0, "sigma", KITH_TEXT(&sigma, "S"),
	"auto, median, local or a number [auto; expected: of -w, or 1]"},
    {0, "ratio", KITH_REAL(&ratio, DBL_TRUE_MIN, DBL_MAX),
	"kstar: how fast votes shrink with distance [1]"},
    {'w', "weights", KITH_FILE(&weights_file), "weigh features as FILE says"},
    {0, "drop-share", KITH_REALS(&shares, 0, 100),
	"drop these percentages of the features, smallest weights first"},
    {0, "scale", KITH_CHOICE(&scaling, KITH_UNIT_WORDS),
	"scale features by the rows learnt from [none]"},
    {0, "print", KITH_CHOICE(&print, "predictions|errors|votes"),
	"the table to print [-t: predictions; else errors]"},
    {0, "scores", KITH_FLAG(&scores), "print the share of votes of each class"},
    {0, "keep", KITH_LIST(&how.keep), "copy these columns to the output"},
    {0, "shard", KITH_SHARD(&shard), "predict the I-th of N blocks of rows"},
    KITH_TARGET_OPTION(&how),
    KITH_TASK_OPTION(&how),
    KITH_FEATURE_OPTIONS(&how),
    KITH_NA_OPTION(&how),
    KITH_SEED_OPTION(&seed),
    KITH_LAST_OPTIONS(&how, &threads),
};

static const struct kith_tool tool = {
    .name = "knnclf",
    .args = "-t FILE [FILE]...",
    .about = "Predict each row by vote of the nearest labelled rows.",
    .examples = "  knnclf -t train.tsv -k 1,3,5 < test.tsv\n"
		"  knnclf -t train.tsv --cv 10 --best -k 1,3,5,7 test.tsv\n",
    .opts = opts,
};

/* What is known of pairs. */
static enum kith_pairs_of
pairs_of(void)
{
	if (!kith_given(&pairs))
		return KITH_PAIRS_NONE;
	return pairs ? KITH_PAIRS_SIMILARITY : KITH_PAIRS_DISTANCE;
}

/* How the neighbours vote: similarities from outside are kernels. */
static const struct kith_vote *
ballot(void)
{
	const struct kith_vote *v = kith_votes[vote].vote;

	if (pairs_of() == KITH_PAIRS_SIMILARITY && v->takes_sigma)
		return &kith_vote_similar;
	return v;
}

/* Options that change nothing, given what the others say. */
static void
warn_unused(void)
{
	static const void *const rows_only[] = {&weights_file, &shares,
	    &scaling, &how.feature, &how.ignore, &how.na};
	static const char *const printed[] = {
	    [KITH_KNN_ERRORS] = "--print errors",
	    [KITH_KNN_VOTES] = "--print votes"};
	const struct kith_vote *v = ballot();
	char voted[64];

	if (pairs_of())
		kith_unused_each(rows_only,
		    sizeof(rows_only) / sizeof(*rows_only), "--pairs");
	snprintf(voted, sizeof(voted), "--vote %s", kith_votes[vote].word);
	if (v->takes_kernel && kernel != KITH_KERN_GAUSSIAN)
		kith_unused(&sigma,
		    kernel == KITH_KERN_COSINE ? "--kernel cosine"
					       : "--kernel linear");
	else if (!v->takes_sigma)
		kith_unused(&sigma,
		    v == &kith_vote_similar ? "--pairs similarity" : voted);
	if (!v->takes_kernel)
		kith_unused(&kernel, voted);
	if (!v->takes_ratio)
		kith_unused(&ratio, voted);
	if (v->of_all) {
		kith_unused(&ks, voted);
		kith_unused(&radii, voted);
	}
	if (!radii.n)
		kith_unused_without(&unreached, "--radius");
	if (!parts)
		kith_unused(&seed, loo ? "--loo" : "-t");
	if (print != KITH_KNN_PREDICTIONS) {
		kith_unused(&scores, printed[print]);
		kith_unused(&how.keep, printed[print]);
	} else if (how.task == KITH_REGRESS)
		kith_unused(&scores, "--task regress");
}

static void
parse_sigma(struct kith_knn_run *r)
{
	const bool number = kith_votes[vote].vote->of_all;

	if (!sigma)
		sigma = number ? "1" : "auto";
	if (kith_sigma_parse(sigma, &r->how.sigma) ||
	    (number && r->how.sigma.rule != KITH_SIGMA_FIXED))
		kith_misuse("bad --sigma: " KITH_CELL " (%sa number above 0)",
		    sigma, number ? "" : "auto, median, local or ");
}

/* End with a wrong call where others do not go with --candidates. */
static void
check_candidates(const struct kith_knn_run *r)
{
	const struct kith_vote *v = kith_votes[vote].vote;
	const bool similar = pairs_of() == KITH_PAIRS_SIMILARITY;
	const struct kith_rule rule[] = {
	    {pairs_of() && !candidates, "--pairs needs --candidates FILE"},
	    {candidates && parts, "--cv and --candidates exclude each other"},
	    {candidates && loo && train,
		"--candidates with -t takes no --loo: it has no pairs for it"},
	    {candidates && loo && scaling,
		"--candidates with --loo takes no --scale"},
	    {candidates && v->of_all,
		"--vote expected is of all rows: it takes no --candidates"},
	    {pairs_of() && v->takes_kernel,
		"--vote nnk takes no --pairs: it needs the rows"},
	    {similar && radii.n,
		"--pairs similarity takes no --radius: it is of distances"},
	    {similar && !v->takes_negative && !v->takes_sigma,
		"--pairs similarity needs --vote majority or kernel"},
	    {pairs_of() && !similar && train && v->takes_sigma &&
		    r->how.sigma.rule <= KITH_SIGMA_MEDIAN,
		"--pairs with -t needs --sigma local or a number"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
}

/* End with a wrong call where what is printed or chosen does not fit. */
static void
check_print(void)
{
	const bool inside = loo || parts, errors = print == KITH_KNN_ERRORS;
	const struct kith_vote *v = kith_votes[vote].vote;
	const struct kith_rule rule[] = {
	    {loo && parts, "--loo and --cv exclude each other"},
	    {!train && !inside, "give one of -t FILE, --loo and --cv N"},
	    {train && inside && !best, "-t with --loo or --cv needs --best"},
	    {best && !inside && !errors,
		"--best needs --cv N, --loo or --print errors"},
	    {shares.n && !weights_file, "--drop-share needs weights (-w FILE)"},
	    {shares.n > 1 && !errors && !best,
		"several shares need --print errors or --best"},
	    {errors && kith_given(&shard),
		"--shard needs --print predictions or votes"},
	    {radii.n && ks.n > 1,
		"--radius takes one -k: at most so many of the rows within"},
	    {print == KITH_KNN_VOTES && ks.n > 1 && !best,
		"--print votes takes one -k, or --best"},
	    {print == KITH_KNN_VOTES && radii.n > 1 && !best,
		"--print votes takes one --radius, or --best"},
	    {print == KITH_KNN_VOTES && v->of_all,
		"--vote expected is of all rows: it has no --print votes"},
	    {scaling && v->takes_kernel && kernel == KITH_KERN_COSINE,
		"--kernel cosine takes no --scale: it is of angles"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
}

static void
check_call(struct kith_knn_run *r)
{
	if (!kith_given(&print))
		print = train ? KITH_KNN_PREDICTIONS : KITH_KNN_ERRORS;
	check_print();
	parse_sigma(r);
	check_candidates(r);
	for (size_t s = 0; s < shares.n; s++)
		if (shares.v[s] >= 100)
			kith_misuse("bad --drop-share: 100 leaves no feature");
	warn_unused();
	parse_sigma(r); /* it may be idle, and the usual one now */
}

static int
read_tables(
    struct kith_knn_run *r, const char *const *files, struct kith_err *err)
{
	const char *const trains[] = {train, NULL};
	struct kith_how reference = how;
	const struct kith_table *known = &r->known;

	if (train) {
		reference.keep = NULL;
		reference.id_elsewhere = !candidates;
	}
	if (kith_table_read(train ? trains : files, &reference, NULL, &r->known,
		&r->pool, err))
		return -1;
	if (train &&
	    kith_table_read(files, &how, known, &r->asked, &r->pool, err))
		return -1;
	if (!train && known->y && kith_classes_several(known, err))
		return -1;
	if (train && print == KITH_KNN_ERRORS && !r->asked.y && !r->asked.t)
		return kith_fail_at(err, EX_DATAERR, r->asked.file,
		    r->asked.head, "column " KITH_NAME ": not found",
		    known->target);
	kith_say_table_classes(known, "--task regress?");
	if (!weights_file && !scaling)
		kith_say_scales(known, NULL, KITH_SAY_UNITS);
	kith_say_outside(known, &r->asked, NULL);
	return 0;
}

/* Read weights for --vote expected: they may be those of several learners. */
static int
read_ensemble(struct kith_knn_run *r, struct kith_err *err)
{
	struct kith_ensemble *e = &r->ensemble;

	if (kith_ensemble_read(
		weights_file, &r->known.feature, e, &r->pool, err))
		return -1;
	if (e->boosted && how.task == KITH_REGRESS)
		return kith_fail_at(err, EX_DATAERR, weights_file, 0,
		    "boosted weights predict classes (--task classify?)");
	if (e->boosted)
		kith_unused(&sigma, "boosted weights");
	r->how.sigma.value = kith_say_needs_sigma(
	    &e->needs, r->how.sigma.value, kith_given(&sigma));
	if (e->column) {
		kith_mat_columns(&r->known.X, e->column, e->p);
		if (r->asked.X.n)
			kith_mat_columns(&r->asked.X, e->column, e->p);
	}
	r->weights.metric = e->learner[0].metric;
	return 0;
}

/* Read the weights; those of a matrix cannot be dropped one by one. */
static int
read_weights(struct kith_knn_run *r, struct kith_err *err)
{
	const enum kith_metric_kind *kind = &r->weights.metric.kind;

	if (kith_votes[vote].vote->of_all && weights_file) {
		if (read_ensemble(r, err))
			return -1;
	} else if (kith_input_weights(weights_file, &r->known, &r->asked,
		       &r->weights, &r->pool, err)) {
		return -1;
	}
	kith_say_needs(&r->weights.needs);
	if (shares.n && *kind != KITH_SQUARED && *kind != KITH_ABSOLUTE)
		return kith_fail_at(err, EX_DATAERR, weights_file, 0,
		    "a matrix of weights: --drop-share needs a vector");
	return 0;
}

/* How many rows within each radius vote. */
static struct kith_sizes
caps(struct kith_pool *pool)
{
	size_t *k = kith_new(pool, radii.n, sizeof(*k));

	for (size_t a = 0; a < radii.n; a++)
		k[a] = kith_given(&ks) ? *ks.v : KITH_ALL_WITHIN;
	return (struct kith_sizes){radii.n, k};
}

/* What the options say, but the tables. */
static void
set_run(struct kith_knn_run *r)
{
	r->train = train != NULL;
	r->candidates = candidates != NULL;
	r->loo = loo;
	r->parts = parts;
	r->seed = seed;
	r->radii = radii;
	r->k = radii.n ? caps(&r->pool) : ks;
	r->prior = unreached;
	r->shares = shares;
	r->best = best;
	r->scale = scaling;
	r->print = (enum kith_knn_print)print;
	r->shard = shard;
	r->weights_file = weights_file;
	r->how.vote = ballot();
	r->how.kernel = (enum kith_kern_kind)kernel;
	r->how.ratio = ratio;
	r->how.share = scores && print == KITH_KNN_PREDICTIONS;
	r->how.threads = threads;
}

int
main(int argc, char *argv[])
{
	struct kith_knn_run r = {0};
	char **operand = kith_begin(&tool, argc, argv);
	const char *const other[] = {train, candidates, weights_file};
	const char *const *files = kith_inputs(operand, other, 3);
	struct kith_out out;
	struct kith_err err;

	how.format.threads = threads;
	check_call(&r);
	set_run(&r);
	how.featureless = pairs_of();
	if (read_tables(&r, files, &err) || read_weights(&r, &err) ||
	    (candidates &&
		kith_vote_near_read(candidates, pairs_of(), &r.known,
		    train ? &r.asked : NULL, &r.near, &r.pool, &err)))
		kith_die(&err);
	kith_say_vote_rows(kith_knn_run_rows(&r)->X.n, &r.known.X);
	if (parts)
		kith_log_size("seed", seed);
	kith_log_size("threads", threads);
	if (kith_knn_run(&r, &out, &err))
		kith_die(&err);
	kith_pool_free(&r.pool);
	return kith_finish(&out, 0);
}
