/* SPDX-License-Identifier: BSD-2-Clause */
/* knnclf - predict rows from their nearest labelled rows. */
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "say/knn_read.h"
#include "say/knn_run.h"
#include "say/vote.h"
#include "table/table.h"
#include "table/unit.h"
#include "text/out.h"
#include "vote/vote.h"
#include "vote/votes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t threads = 1, seed = 1, parts;
static size_t k_predicted[] = {5}, k_judged[] = {1, 3, 5, 7, 9, 15, 25};
static struct kith_sizes ks = {1, k_predicted};
static struct kith_reals shares;
static struct kith_shard shard = {1, 1};
static struct kith_how how;
static const char *train, *weights_file, *sigma;
static int vote, kernel, print, best, scaling = KITH_UNIT_ZSCORE;
static double ratio = 1;
static bool loo, scores;

static const struct kith_opt opts[] = {
    {'t', "train", KITH_FILE(&train),
	"learn from the rows of FILE, and predict those of the operands", "What to do"},
    {0, "loo", KITH_FLAG(&loo),
	"print errors: each row predicted from all others [without -t, --cv]", NULL},
    {0, "cv", KITH_SIZE(&parts, 2, 0x1p53),
	"print errors: each of N parts predicted from the others", NULL},
    {0, "best", KITH_MAYBE(&best, "1se"),
	"--loo, --cv: take the best K; =1se: the largest within a standard error. -t: predict with "
	"it",
	NULL},
    KITH_TASK_OPTION(&how),
    {'k', NULL, KITH_SIZES(&ks, 1, 0x1p53),
	"how many nearest rows vote; several are compared [5; errors: 1,3,5,7,9,15,25]",
	"Which neighbours"},
    {'w', "weights", KITH_FILE(&weights_file), "weights of the features, from sqpfw, relief, ...",
	NULL},
    {0, "drop", KITH_REALS(&shares, 0, 1),
	"fractions of the features to leave out, the lightest of -w first", NULL},
    {0, "vote", KITH_CHOICE(&vote, kith_vote_words),
	"all alike; 1 / distance; by --sigma; nnk drops rows behind others (try -k 30); kstar "
	"finds "
	"the number for each row; expected: all rows of a class, as immigrate [majority]",
	"How they vote"},
    {0, "sigma", KITH_SIGMA(&sigma, "S"),
	"width of kernel, nnk, expected: auto, median, local, a number [auto; expected: of -w, or "
	"1]",
	NULL},
    {0, "kernel", KITH_CHOICE(&kernel, "gaussian|cosine|linear"),
	"--vote nnk: the similarity [gaussian]", NULL},
    {0, "ratio", KITH_REAL(&ratio, DBL_TRUE_MIN, DBL_MAX),
	"--vote kstar: a larger X counts fewer neighbours [1]", NULL},
    KITH_TARGET_OPTION(&how),
    {'x', "features", KITH_LIST(&how.feature),
	"the columns to compare, as 'a:f,!*_id' [all others]", NULL},
    {0, "id", KITH_COL(&how.id), "the column of names of rows; it is no feature", NULL},
    KITH_NA_OPTION(&how),
    KITH_SCALE_OPTION(&scaling, "zscore; -w, cosine: none"),
    {0, "print", KITH_CHOICE(&print, "predictions|errors"),
	"the table to print [-t: predictions; else errors]", "Output"},
    {0, "scores", KITH_FLAG(&scores), "print the share of the votes that each class got", NULL},
    {0, "shard", KITH_SHARD(&shard), "predict the I-th of N blocks of the rows", "Jobs in parts"},
    KITH_RANDOM_OPTIONS(&how, &seed, &threads),
};

static const struct kith_gone gone[] = {
    {"--drop-share", "--drop, of fractions: .5 for 50"},
    {"--radius", "see EXAMPLES of knnclf(1): nnkgraph --method radius, and a vote by awk"},
    {"--unreached", "see EXAMPLES of knnclf(1): nnkgraph --method radius, and a vote by awk"},
    {"--candidates", "see EXAMPLES of knnclf(1): nnkgraph --candidates, and a vote by awk"},
    {"--pairs", "a factor F of K = F F' as features: see EXAMPLES of nnkgraph(1)"},
    {"--reference-shard", "nnkgraph --method knn -t BLOCK, sort: see kith-cluster(7)"},
    {"--merge", "nnkgraph --method knn -t BLOCK, sort: see kith-cluster(7)"},
    {0},
};

static const struct kith_tool tool = {
    .name = "knnclf",
    .args = "[FILE]...",
    .about = "Predict each row by vote of the nearest labelled rows.",
    .examples = "  knnclf -t train.tsv -k 1,3,5 < test.tsv\n"
		"  knnclf -t train.tsv --cv 10 --best -k 1,3,5,7 test.tsv\n",
    .opts = opts,
    .gone = gone,
};

/* Whether the kernel is the cosine: the rows of the smallest angles are the nearest. */
static bool
is_cosine(void)
{
	return kith_votes[vote].vote->takes_kernel && kernel == KITH_KERN_COSINE;
}

/* Options that change nothing, given what the others say. */
static void
warn_unused(void)
{
	const struct kith_vote *v = kith_votes[vote].vote;
	char voted[64];

	snprintf(voted, sizeof(voted), "--vote %s", kith_votes[vote].word);
	if (v->takes_kernel && kernel != KITH_KERN_GAUSSIAN)
		kith_unused(
		    &sigma, kernel == KITH_KERN_COSINE ? "--kernel cosine" : "--kernel linear");
	else if (!v->takes_sigma)
		kith_unused(&sigma, voted);
	if (!v->takes_kernel)
		kith_unused(&kernel, voted);
	if (!v->takes_ratio)
		kith_unused(&ratio, voted);
	if (v->of_all)
		kith_unused(&ks, voted);
	if (!parts)
		kith_unused(&seed, loo ? "--loo" : "-t");
	if (print == KITH_KNN_ERRORS) {
		kith_unused(&scores, "--print errors");
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
		kith_misuse("bad --sigma: " KITH_CELL " (%sa number above 0)", sigma,
		    number ? "" : "auto, median, local or ");
}

/* End with a wrong call where what is printed or chosen does not fit. */
static void
check_print(void)
{
	const bool inside = loo || parts, errors = print == KITH_KNN_ERRORS;
	const struct kith_rule rule[] = {
	    {loo && parts, "--loo and --cv exclude each other"},
	    {train && inside && !best, "-t with --loo or --cv needs --best"},
	    {best && !inside && !errors, "--best needs --cv N, --loo or --print errors"},
	    {shares.n && !weights_file, "--drop needs weights (-w FILE)"},
	    {shares.n > 1 && !errors && !best, "several fractions need --print errors or --best"},
	    {errors && kith_given(&shard), "--shard needs --print predictions"},
	    {scaling && is_cosine(), "--kernel cosine takes no --scale: it is of angles"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
}

static void
check_call(struct kith_knn_run *r)
{
	if (!kith_given(&scaling) && (weights_file || is_cosine()))
		scaling = KITH_UNIT_NONE;
	if (!train && !parts)
		loo = true;
	if (!kith_given(&print))
		print = train ? KITH_KNN_PREDICTIONS : KITH_KNN_ERRORS;
	check_print();
	parse_sigma(r);
	for (size_t s = 0; s < shares.n; s++)
		if (shares.v[s] >= 1)
			kith_misuse("bad --drop: 1 leaves no feature");
	warn_unused();
	if (!kith_given(&ks) && (best || print == KITH_KNN_ERRORS))
		ks = (struct kith_sizes){sizeof(k_judged) / sizeof(*k_judged), k_judged};
	parse_sigma(r); /* it may be idle, and the usual one now */
}

/* What the options say, but the tables. */
static void
set_run(struct kith_knn_run *r)
{
	r->train = train;
	r->loo = loo;
	r->parts = parts;
	r->seed = seed;
	r->k = ks;
	r->k_clipped = !kith_given(&ks);
	r->shares = shares;
	r->best = best;
	r->scale = scaling;
	r->print = (enum kith_knn_print)print;
	r->shard = shard;
	r->weights_file = weights_file;
	r->how.vote = kith_votes[vote].vote;
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
	const char *const other[] = {train, weights_file};
	const char *const *files = kith_inputs(operand, other, 2);
	const struct kith_knn_files from = {train, files, &how, &sigma};
	struct kith_out out;
	struct kith_err err;

	how.format.threads = threads;
	check_call(&r);
	set_run(&r);
	if (kith_knn_read(&r, &from, &err))
		kith_die(&err);
	kith_say_vote_rows(kith_knn_run_rows(&r)->X.n, &r.known.X);
	if (kith_knn_run(&r, &out, &err))
		kith_die(&err);
	kith_pool_free(&r.pool);
	return kith_finish(&out, 0);
}
