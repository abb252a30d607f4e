/* SPDX-License-Identifier: BSD-2-Clause */
/* knnclf - predict rows from their nearest labelled rows. */
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "say/knn_lists.h"
#include "say/knn_merge.h"
#include "say/knn_read.h"
#include "say/knn_run.h"
#include "say/vote.h"
#include "table/table.h"
#include "table/unit.h"
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
static struct kith_shard shard = {1, 1}, block = {1, 1};
static struct kith_how how;
static const char *train, *candidates, *weights_file, *sigma;
static int vote, kernel, print, pairs, best, scaling, unreached;
static double ratio = 1;
static bool loo, merge, scores;

static const struct kith_opt opts[] = {
    {'t', "train", KITH_FILE(&train), "learn from the rows of FILE"},
    {0, "loo", KITH_FLAG(&loo), "instead: predict each row from all others"},
    {0, "cv", KITH_SIZE(&parts, 2, 0x1p53), "instead: predict each of N parts from the others"},
    {0, "best", KITH_MAYBE(&best, "se"), "use the best K, or =se: largest within a standard error"},
    {'k', NULL, KITH_SIZES(&ks, 1, 0x1p53), "let the nearest K rows vote, for each K [1]"},
    {0, "radius", KITH_REALS(&radii, 0, DBL_MAX),
	"let all rows within X vote, for each X; of -k at most K"},
    {0, "unreached", KITH_CHOICE(&unreached, "na|prior"),
	"rows with none within X: NA, or as most rows are [na]"},
    {0, "candidates", KITH_FILE(&candidates),
	"only the pairs of FILE, from and to, are neighbours"},
    {0, "pairs", KITH_CHOICE(&pairs, "distance|similarity"),
	"FILE has this of its pairs; features are not read"},
    {0, "vote", KITH_CHOICE(&vote, kith_vote_words), "how much a vote weighs [majority]"},
    {0, "kernel", KITH_CHOICE(&kernel, "gaussian|cosine|linear"), "nnk: the kernel [gaussian]"},
    {0, "sigma", KITH_TEXT(&sigma, "S"),
	"auto, median, local or a number [auto; expected: of -w, or 1]"},
    {0, "ratio", KITH_REAL(&ratio, DBL_TRUE_MIN, DBL_MAX),
	"kstar: how fast votes shrink with distance [1]"},
    {'w', "weights", KITH_FILE(&weights_file), "weigh features as FILE says"},
    {0, "drop-share", KITH_REALS(&shares, 0, 100),
	"drop these % of the features, smallest weights first"},
    {0, "scale", KITH_CHOICE(&scaling, KITH_UNIT_WORDS),
	"scale features by the rows learnt from [none]"},
    {0, "print", KITH_CHOICE(&print, "predictions|errors|votes|neighbours"),
	"the table to print [-t: predictions; else errors]"},
    {0, "scores", KITH_FLAG(&scores), "print the share of votes of each class"},
    {0, "keep", KITH_LIST(&how.keep), "copy these columns to the output"},
    {0, "shard", KITH_SHARD(&shard), "predict the I-th of N blocks of rows"},
    {0, "reference-shard", KITH_SHARD(&block),
	"neighbours: in the I-th of N blocks of the reference"},
    {0, "merge", KITH_FLAG(&merge), "vote by such neighbours of all blocks"},
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
	static const void *const rows_only[] = {
	    &weights_file, &shares, &scaling, &how.feature, &how.ignore, &how.na};
	static const char *const printed[] = {[KITH_KNN_ERRORS] = "--print errors",
	    [KITH_KNN_VOTES] = "--print votes",
	    [KITH_KNN_NEIGHBOURS] = "--print neighbours"};
	static const void *const votes_only[] = {&vote, &kernel, &sigma, &ratio, &unreached};
	static const void *const read_only[] = {&weights_file, &shares, &scaling, &how.feature,
	    &how.ignore, &how.na, &how.target, &how.id, &how.task};
	const struct kith_vote *v = ballot();
	char voted[64];

	if (merge)
		kith_unused_each(read_only, sizeof(read_only) / sizeof(*read_only), "--merge");
	if (print == KITH_KNN_NEIGHBOURS)
		kith_unused_each(
		    votes_only, sizeof(votes_only) / sizeof(*votes_only), printed[print]);
	if (pairs_of())
		kith_unused_each(rows_only, sizeof(rows_only) / sizeof(*rows_only), "--pairs");
	snprintf(voted, sizeof(voted), "--vote %s", kith_votes[vote].word);
	if (v->takes_kernel && kernel != KITH_KERN_GAUSSIAN)
		kith_unused(
		    &sigma, kernel == KITH_KERN_COSINE ? "--kernel cosine" : "--kernel linear");
	else if (!v->takes_sigma)
		kith_unused(&sigma, v == &kith_vote_similar ? "--pairs similarity" : voted);
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
		kith_unused(&seed, loo ? "--loo" : merge ? "--merge" : "-t");
	if (print != KITH_KNN_PREDICTIONS)
		kith_unused(&scores, printed[print]);
	if (print == KITH_KNN_ERRORS || print == KITH_KNN_VOTES)
		kith_unused(&how.keep, printed[print]);
	else if (how.task == KITH_REGRESS)
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
		kith_misuse("bad --sigma: " KITH_CELL " (%sa number above 0)", sigma,
		    number ? "" : "auto, median, local or ");
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
	    {candidates && loo && scaling, "--candidates with --loo takes no --scale"},
	    {candidates && v->of_all, "--vote expected is of all rows: it takes no --candidates"},
	    {pairs_of() && v->takes_kernel, "--vote nnk takes no --pairs: it needs the rows"},
	    {similar && radii.n, "--pairs similarity takes no --radius: it is of distances"},
	    {similar && !v->takes_negative && !v->takes_sigma,
		"--pairs similarity needs --vote majority or kernel"},
	    {pairs_of() && !similar && train && v->takes_sigma &&
		    r->how.sigma.rule <= KITH_SIGMA_MEDIAN,
		"--pairs with -t needs --sigma local or a number"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
}

/* End with a wrong call where others do not go with blocks of the reference. */
static void
check_blocks(const struct kith_knn_run *r)
{
	const struct kith_vote *v = kith_votes[vote].vote;
	const bool gaussian = v->takes_sigma && !v->takes_kernel;
	const bool lists = print == KITH_KNN_NEIGHBOURS;
	const struct kith_rule rule[] = {
	    {!lists && kith_given(&block), "--reference-shard needs --print neighbours"},
	    {lists && (parts || best || candidates || scaling),
		"--print neighbours takes no --cv, --best, --candidates and "
		"--scale"},
	    {lists && (ks.n > 1 || radii.n > 1),
		"--print neighbours takes one -k, and one --radius"},
	    {lists && merge, "--merge takes no --print neighbours"},
	    {block.n > 1 && how.na == KITH_NA_MEAN,
		"--reference-shard takes no --na mean: it is of all rows"},
	    {merge && (train || loo || parts || candidates),
		"--merge takes no -t, --loo, --cv and --candidates"},
	    {merge && kith_given(&shard), "--merge takes no --shard"},
	    {merge && (v->of_all || v->takes_kernel),
		"--merge takes no --vote nnk and expected: they need the rows"},
	    {merge && gaussian && r->how.sigma.rule != KITH_SIGMA_FIXED,
		"--merge needs a number as --sigma: others are of all rows"},
	    {merge && unreached, "--merge takes no --unreached prior: it is of all rows"},
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
	    {!train && !inside && !merge, "give one of -t FILE, --loo and --cv N"},
	    {train && inside && !best, "-t with --loo or --cv needs --best"},
	    {best && !inside && !errors, "--best needs --cv N, --loo or --print errors"},
	    {shares.n && !weights_file, "--drop-share needs weights (-w FILE)"},
	    {shares.n > 1 && !errors && !best, "several shares need --print errors or --best"},
	    {errors && kith_given(&shard), "--shard needs --print predictions or votes"},
	    {radii.n && ks.n > 1, "--radius takes one -k: at most so many of the rows within"},
	    {print == KITH_KNN_VOTES && ks.n > 1 && !best, "--print votes takes one -k, or --best"},
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
		print = train || merge ? KITH_KNN_PREDICTIONS : KITH_KNN_ERRORS;
	check_print();
	parse_sigma(r);
	check_blocks(r);
	check_candidates(r);
	for (size_t s = 0; s < shares.n; s++)
		if (shares.v[s] >= 100)
			kith_misuse("bad --drop-share: 100 leaves no feature");
	warn_unused();
	parse_sigma(r); /* it may be idle, and the usual one now */
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
	r->train = train || merge;
	r->candidates = candidates || merge;
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
	r->block = block;
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
	const struct kith_knn_files from = {train, files, &how, &sigma};
	struct kith_out out;
	struct kith_err err;

	how.format.threads = threads;
	check_call(&r);
	set_run(&r);
	how.featureless = pairs_of();
	if (merge ? kith_knn_merge_read(&r, files, how.keep, &err) : kith_knn_read(&r, &from, &err))
		kith_die(&err);
	if (candidates &&
	    kith_vote_near_read(
		candidates, pairs_of(), &r.known, train ? &r.asked : NULL, &r.near, &r.pool, &err))
		kith_die(&err);
	kith_say_vote_rows(kith_knn_run_rows(&r)->X.n, &r.known.X);
	if (parts)
		kith_log_size("seed", seed);
	kith_log_size("threads", threads);
	if (print == KITH_KNN_NEIGHBOURS ? kith_knn_lists_print(&r, &out, &err)
					 : kith_knn_run(&r, &out, &err))
		kith_die(&err);
	kith_pool_free(&r.pool);
	return kith_finish(&out, 0);
}
