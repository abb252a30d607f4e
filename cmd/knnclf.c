/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knnclf - predicts the class or the number of a row by a vote of the nearest rows of a reference.
 *
 * 1. Read the rows, the reference (-t), and the weights of the features.
 * 2. --loo, --cv: predict each row of the reference from other rows of the reference, for each
 *    choice of a step of the weights, --drop and -k.  Print the errors, or choose the best.
 * 3. With -t, scale all rows by the reference.
 * 4. Predict, and print the predictions, or with -t --print errors how many are wrong.
 */
#include "base/err.h"
#include "base/pool.h"
#include "base/sort.h"
#include "cli/cli.h"
#include "common/warn.h"
#include "kernel/kern.h"
#include "table/table.h"
#include "table/trial.h"
#include "table/weights.h"
#include "text/out.h"
#include "vote/predict.h"
#include "vote/report.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { PREDICTIONS, ERRORS }; /* --print */

static size_t seed = 1, parts;
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
    KITH_WEIGHTS_OPTION(&weights_file),
    {0, "drop", KITH_REALS(&shares, 0, 1),
	"fractions of the features to leave out, the lightest of -w first", NULL},
    {0, "vote", KITH_CHOICE(&vote, KITH_VOTE_WORDS),
	"all alike; 1 / distance; by --sigma; nnk drops rows behind others (try -k 30); kstar "
	"finds "
	"the number for each row; expected: all rows of a class, as immigrate [majority]",
	"How they vote"},
    {0, "sigma", KITH_TEXT(&sigma, "S"),
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
    KITH_RANDOM_OPTIONS(&how, &seed, &how.format.threads),
};

const struct kith_tool kith_tool = {
    .name = "knnclf",
    .args = "[FILE]...",
    .about = "Predict each row by vote of the nearest labelled rows.",
    .examples = "  knnclf -t train.tsv -k 1,3,5 < test.tsv\n"
		"  knnclf -t train.tsv --cv 10 --best -k 1,3,5,7 test.tsv\n",
    .opts = opts,
    .gone = {{"--drop-share", "--drop, of fractions: .5 for 50"},
	{"--radius", "see EXAMPLES of knnclf(1): nnkgraph --method radius, and a vote by awk"},
	{"--unreached", "see EXAMPLES of knnclf(1): nnkgraph --method radius, and a vote by awk"},
	{"--candidates", "see EXAMPLES of knnclf(1): nnkgraph --candidates, and a vote by awk"},
	{"--pairs", "a factor F of K = F F' as features: see EXAMPLES of nnkgraph-methods(7)"},
	{"--reference-shard", "nnkgraph --method knn -t BLOCK, sort: see kith-cluster(7)"},
	{"--merge", "nnkgraph --method knn -t BLOCK, sort: see kith-cluster(7)"}},
};

struct run {
	struct kith_table known;     /* the reference; without -t the rows */
	struct kith_table asked;     /* -t: the rows to predict */
	struct kith_weights weights; /* of the features; with --vote expected maybe an ensemble */
	struct kith_learner alone; /* the only learner, if they are not several; its metric is that
					of the weights without the features that are dropped */
	struct kith_origin from;   /* of the rows known */
	struct kith_sample sample; /* the rows known */
	struct kith_predict_how how;
	size_t parts; /* --loo, --cv: the rows known fall into so many; else 0 */
	size_t *part; /* of each row known; NULL: no parts, or each row is one */
	struct kith_predicted out;
	struct kith_trial_form form; /* the parameters of trials */
	struct kith_pool *pool;
};

/* ---- The call ---- */

/* Whether the kernel is the cosine: the rows of the smallest angles are the nearest. */
static bool
is_cosine(void)
{
	return kith_votes[vote].takes_kernel && kernel == KITH_KERN_COSINE;
}

/* Warns of given options that the chosen method does not use. */
static void
warn_unused(void)
{
	const struct kith_vote *v = &kith_votes[vote];
	char of[64];
	const struct kith_idle option[] = {
	    {!v->takes_sigma, &sigma, of},
	    {v->takes_kernel && kernel == KITH_KERN_COSINE, &sigma, "--kernel cosine"},
	    {v->takes_kernel && kernel == KITH_KERN_LINEAR, &sigma, "--kernel linear"},
	    {!v->takes_kernel, &kernel, of},
	    {!v->takes_ratio, &ratio, of},
	    {v->of_all, &ks, of},
	    {!parts, &seed, loo ? "--loo" : "-t"},
	    {print == ERRORS, &scores, "--print errors"},
	    {how.task == KITH_REGRESS, &scores, "--task regress"},
	};

	snprintf(of, sizeof(of), "--vote %s", kith_votes[vote].word);
	kith_unused_all(option, sizeof(option) / sizeof(*option));
}

static struct kith_sigma
parse_sigma(void)
{
	const bool number = kith_votes[vote].of_all;
	struct kith_sigma parsed;

	if (!sigma)
		sigma = number ? "1" : "auto";
	if (kith_sigma_parse(sigma, &parsed) || (number && parsed.rule != KITH_SIGMA_FIXED))
		kith_misuse("bad --sigma: " KITH_CELL " (%sa number above 0)", sigma,
		    number ? "" : "auto, median, local or ");
	return parsed;
}

/* Ends with a wrong call where options do not go together. */
static void
check_rules(void)
{
	const bool inside = loo || parts, errors = print == ERRORS;
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
	parse_sigma();
	for (size_t s = 0; s < shares.n; s++)
		if (shares.v[s] >= 1)
			kith_misuse("bad --drop: 1 leaves no feature");
}

/* Sets the defaults that depend on other options, and checks the call. */
static void
check_call(struct run *r)
{
	if (!kith_given(&scaling) && (weights_file || is_cosine()))
		scaling = KITH_UNIT_NONE;
	if (!train && !parts)
		loo = true;
	if (!kith_given(&print))
		print = train ? PREDICTIONS : ERRORS;
	check_rules();
	warn_unused();
	if (!kith_given(&ks) && (best || print == ERRORS))
		ks = (struct kith_sizes){sizeof(k_judged) / sizeof(*k_judged), k_judged};
	r->how = (struct kith_predict_how){.vote = &kith_votes[vote],
	    .sigma = parse_sigma(), /* the default, where --sigma was not used */
	    .kernel = (enum kith_kern_kind)kernel,
	    .ratio = ratio,
	    .scale = scaling,
	    .threads = how.format.threads};
}

/* ---- Input ---- */

/* The rows to predict. */
static const struct kith_table *
rows_of(const struct run *r)
{
	return train ? &r->asked : &r->known;
}

static int
read_tables(struct run *r, const char *const *files, struct kith_err *err)
{
	const char *const trains[] = {train, NULL};
	struct kith_how reference = how, query = how;
	const struct kith_table *known = &r->known, *asked = &r->asked;

	reference.id_elsewhere = train;
	reference.changed = query.changed = scaling || weights_file;
	query.format.allow_no_rows = print != ERRORS;
	if (kith_table_read(train ? trains : files, &reference, NULL, &r->known, r->pool, err) ||
	    (train && kith_table_read(files, &query, known, &r->asked, r->pool, err)))
		return -1;
	if (!train && known->y && kith_classes_several(known, err))
		return -1;
	if (train && print == ERRORS && !asked->y && !asked->t)
		return kith_fail_at(err, EX_DATAERR, asked->file, asked->head,
		    "column " KITH_NAME ": not found", known->target);
	kith_warn_target(known, "--task regress?");
	if (!weights_file && !scaling)
		kith_warn_scales(known, KITH_WARN_UNITS);
	kith_warn_outside(known, asked);
	return 0;
}

/* Sets the sigma of --vote expected -w. */
static int
set_sigma(struct run *r, struct kith_err *err)
{
	const struct kith_weights *w = &r->weights;

	if (w->learner && how.task == KITH_REGRESS)
		return kith_fail_at(err, EX_DATAERR, weights_file, 0,
		    "boosted weights predict classes (--task classify?)");
	if (w->learner)
		kith_unused(&sigma, "boosted weights");
	r->how.sigma.value = kith_warn_sigma(&w->needs, r->how.sigma.value, kith_given(&sigma));
	return 0;
}

/* Without -k: takes the k that the weights were chosen for; else warns where -k lacks that k. */
static void
choose_k(struct run *r)
{
	struct kith_needs *needs = &r->weights.needs;

	if (needs->k == 0)
		return;
	if (!kith_given(&ks)) {
		kith_log_size("k", needs->k);
		ks = (struct kith_sizes){1, &needs->k};
		return;
	}
	for (size_t a = 0; a < ks.n; a++)
		if (ks.v[a] == needs->k)
			return;
	kith_warn("-k is not %zu, for which %s was found", needs->k, needs->file);
}

/*
 * Sets the metric to the weights, of a step if they are a path, without this share of the features
 * (NULL: with all features), and the learners of --vote expected.
 */
static void
set_metric(struct run *r, size_t step, const double *share)
{
	struct kith_metric *metric = &r->alone.metric;

	if (r->weights.steps)
		r->weights.metric = r->weights.step[step].metric;
	r->alone = (struct kith_learner){
	    .alpha = 1, .sigma = r->how.sigma.value, .metric = r->weights.metric};
	if (share) {
		double *w = kith_new(r->pool, metric->p, sizeof(*w));

		kith_weights_drop(metric->p, metric->w, *share, w);
		metric->w = w;
	}
	r->how.metric = metric;
	r->how.learner = r->weights.learner ? r->weights.learner : &r->alone;
	r->how.learners = r->weights.learner ? r->weights.learners : 1;
}

/* Checks the range of the features, of the table or scaled, under the weights, of each step. */
static int
check_range(struct run *r, bool scaled, struct kith_err *err)
{
	struct kith_origin known = kith_table_origin(&r->known, &r->weights.metric);
	struct kith_origin asked = kith_table_origin(&r->asked, &r->weights.metric);

	known.scaled = asked.scaled = scaled;
	for (size_t s = 0; s < r->weights.steps || s == 0; s++) {
		set_metric(r, s, NULL);
		if (kith_predict_range(&r->how, &r->known.X, &known, err) ||
		    (train && kith_predict_range(&r->how, &r->asked.X, &asked, err)))
			return -1;
	}
	set_metric(r, 0, NULL);
	return 0;
}

static int
read_weights(struct run *r, struct kith_err *err)
{
	const enum kith_metric_kind *kind = &r->weights.metric.kind;
	const bool of_all = r->how.vote->of_all;

	if (kith_weights_read_for(weights_file,
		KITH_WEIGHTS_PATH | (of_all ? KITH_WEIGHTS_ENSEMBLE : KITH_WEIGHTS_CLIP), &r->known,
		&r->asked, &r->weights, r->pool, err) ||
	    (of_all && weights_file && set_sigma(r, err)))
		return -1;
	if (r->weights.steps && print == PREDICTIONS && !best)
		kith_misuse("%s is a path of weights: predictions need --best, or one of its steps",
		    r->weights.needs.file);
	if (kith_warn_weights(&r->weights.needs, scaling, err))
		return -1;
	if (!of_all)
		choose_k(r);
	if (shares.n && *kind != KITH_SQUARED && *kind != KITH_ABSOLUTE)
		return kith_fail_at(
		    err, EX_DATAERR, weights_file, 0, "a matrix of weights: --drop needs a vector");
	set_metric(r, 0, NULL);
	return scaling || !weights_file ? 0 : check_range(r, false, err);
}

/* ---- Predictions ---- */

/* Leaves out the k for which some row has too few neighbours; lowers k where none is left. */
static void
clip_k(struct run *r)
{
	size_t most = r->known.X.n - (r->parts > 0), *k, n = 0;

	if (r->part) {
		size_t *size = kith_new(r->pool, r->parts, sizeof(*size));

		for (size_t i = 0; i < r->known.X.n; i++)
			size[r->part[i]]++;
		most = r->known.X.n - kith_largest_size(size, r->parts);
	}
	k = kith_new(r->pool, ks.n, sizeof(*k));
	for (size_t a = 0; a < ks.n; a++)
		if (ks.v[a] <= most)
			k[n++] = ks.v[a];
	if (n == 0)
		k[n++] = most > 0 ? most : 1;
	ks = (struct kith_sizes){n, k};
}

/*
 * Predicts under the metric, into r->out: rows from..to-1 of the rows asked, or all rows known,
 * each from the rows of other parts.  Logs the search, and the bandwidth of each k that has one.
 */
static int
predict(
    struct run *r, bool asked, size_t from, size_t to, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_mat *X = &r->asked.X;
	const struct kith_mat Z = {to - from, X->p, X->v ? X->v + from * X->p : NULL};
	const size_t n = asked ? Z.n : r->known.X.n, nk = r->how.nk;
	struct kith_predicted *out = &r->out;

	*out = (struct kith_predicted){.nk = nk, .sigma = kith_new(pool, nk, sizeof(double))};
	if (!r->sample.y)
		out->t = kith_new(pool, n * nk, sizeof(*out->t));
	else
		out->y = kith_new(pool, n * nk, sizeof(*out->y));
	if (r->sample.y && scores && print == PREDICTIONS)
		out->share = kith_new(pool, n * nk, r->sample.c * sizeof(*out->share));
	if ((r->how.vote->takes_kernel &&
		kith_weights_kernel(
		    r->how.kernel, r->how.metric, weights_file, &r->known, &r->asked, err)) ||
	    (asked ? kith_predict(&r->sample, &r->how, &Z, NULL, out, err)
		   : kith_predict_cv(&r->sample, &r->how, r->part, r->parts, out, err)))
		return -1;
	kith_log_search(&out->search);
	if (out->flat)
		kith_warn("the distances to the k-th neighbour are all 0: sigma is 1");
	for (size_t a = 0; a < out->nk; a++)
		if (out->sigma[a] > 0)
			kith_log_real("sigma", out->sigma[a]);
	return 0;
}

/* Scales the rows known and the rows asked, by the scale of the rows known. */
static int
scale(struct run *r, struct kith_err *err)
{
	struct kith_origin asked = kith_table_origin(&r->asked, &r->weights.metric);
	struct kith_unit unit;

	if (!scaling)
		return 0;
	if (kith_unit_scale(
		scaling, &r->known.X, &r->from, &r->asked.X, &asked, &unit, r->pool, err))
		return -1;
	return check_range(r, true, err);
}

/* Predicts the rows of the shard, and prints the predictions. */
static int
print_predictions(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const struct kith_table *rows = rows_of(r);
	const struct kith_report report = {rows, &r->known.class, &r->out, ks.v, false, NULL};
	const size_t from = (shard.i - 1) * rows->X.n / shard.n, to = shard.i * rows->X.n / shard.n;

	set_metric(r, 0, shares.n ? shares.v : NULL);
	if (predict(r, train, from, to, r->pool, err))
		return -1;
	return kith_report_predictions(
	    &report, from, to, train ? 0 : from, kith_output(), out, err);
}

/* ---- Errors ---- */

/*
 * Sets the parameters of a trial with this k, a step of a path and a share (NULL: none of them):
 * step and theta or lambda2, --drop, and k or sigma.  Returns what they are.
 */
static struct kith_trial_form
set_keys(const struct run *r, size_t step, const double *share, size_t k, struct kith_trial *t)
{
	const struct kith_weights *w = &r->weights;
	const bool of_all = r->how.vote->of_all;
	struct kith_trial_form form = {.regress = r->known.t != NULL};

	if (w->steps) {
		t->key[0] = (double)w->step[step].number;
		form.key[0] = (struct kith_trial_key){.name = "step", .whole = true};
		t->key[1] = w->step[step].parameter;
		form.key[1] = (struct kith_trial_key){
		    .name = w->parameter, .simple_is_large = true};
		form.keys = 2;
	}
	if (share) {
		t->key[form.keys] = *share;
		form.key[form.keys++] = (struct kith_trial_key){
		    .name = "drop", .simple_is_large = true};
	}
	t->key[form.keys] = !of_all ? (double)k : w->learner ? NAN : r->how.sigma.value;
	form.key[form.keys++] = (struct kith_trial_key){of_all ? "sigma" : "k", true, !of_all};
	return form;
}

/* Sets the trials of one step and one share (NULL: of all features), one for each k. */
static int
judge_metric(struct run *r, size_t step, const double *share, bool asked, struct kith_trial *trial,
    struct kith_err *err)
{
	const struct kith_table *rows = asked ? &r->asked : &r->known;
	const struct kith_report report = {rows, &r->known.class, &r->out, ks.v, false, NULL};
	struct kith_pool tmp = {0};
	size_t features = 0;
	int got;

	set_metric(r, step, share);
	got = predict(r, asked, 0, r->asked.X.n, &tmp, err);
	for (size_t j = 0; (share || r->weights.steps) && j < r->how.metric->p; j++)
		features += r->how.metric->w[j] > 0;
	for (size_t a = 0; a < r->how.nk && got == 0; a++) {
		trial[a] = (struct kith_trial){.features = features};
		r->form = set_keys(r, step, share, ks.v[a], &trial[a]);
		kith_report_trial(&report, a, asked ? NULL : r->part, r->parts, &trial[a]);
	}
	kith_pool_free(&tmp);
	return got;
}

/* Logs the parameters of the chosen trial, and prints them as options that repeat it alone. */
static void
report_choice(const struct kith_trial_form *form, const struct kith_trial *chosen)
{
	const char *const error = form->regress ? "rmse" : "error";
	char options[120] = "", se[40] = "";
	size_t used = 0;

	for (size_t i = 0; i < form->keys; i++) {
		const char *const name = form->key[i].name;
		const bool of_path = form->keys > 2 && i < 2; /* no option of knnclf */

		if (isnan(chosen->key[i]))
			continue;
		kith_log_real(name, chosen->key[i]);
		used += (size_t)snprintf(options + used, sizeof(options) - used, "%s%s %.17g ",
		    of_path       ? ""
			: name[1] ? "--"
				  : "-",
		    name, chosen->key[i]);
	}
	if (!isnan(chosen->error))
		kith_log_real(error, chosen->error);
	if (!isnan(chosen->se)) {
		kith_log_real("se", chosen->se);
		snprintf(se, sizeof(se), ", se %.4g", chosen->se);
	}
	kith_chosen("%s(%s %.4g%s)", options, error, chosen->error, se);
}

/*
 * Finds the error of each step, share and k on the rows asked (if `asked`), else on the rows known;
 * with --best, the best of each become the only ones.  Prints the trials, or with --best one trial,
 * if `printed`.
 */
static int
judge(struct run *r, bool asked, bool printed, struct kith_out *out, struct kith_err *err)
{
	const size_t nk = r->how.nk, ns = shares.n ? shares.n : 1;
	const size_t steps = r->weights.steps ? r->weights.steps : 1, n = steps * ns * nk;
	struct kith_trial *trial = kith_new(r->pool, n, sizeof(*trial));
	size_t first = 0; /* of the trials to print: all, or one */

	for (size_t m = 0; m < steps * ns; m++)
		if (judge_metric(
			r, m / ns, shares.n ? &shares.v[m % ns] : NULL, asked, trial + m * nk, err))
			return -1;
	if (printed && kith_out_open_table(out, kith_output(), err))
		return -1;
	if (best) {
		first = kith_trial_choose(&r->form, trial, n, best);
		report_choice(&r->form, &trial[first]);
		if (r->weights.steps) {
			r->weights.step += first / nk / ns;
			r->weights.steps = 1;
			set_metric(r, 0, NULL);
		}
		if (shares.n)
			shares = (struct kith_reals){1, &shares.v[first / nk % ns]};
		ks = (struct kith_sizes){1, &ks.v[first % nk]};
		r->how.k = ks.v;
		r->how.nk = 1;
	}
	if (printed)
		kith_trial_write(&r->form, trial + first, best ? 1 : n, out);
	return 0;
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct run r = {.pool = pool};
	const struct kith_table *known = &r.known;
	bool errors;

	check_call(&r);
	errors = print == ERRORS;
	if (read_tables(&r, files, err) || read_weights(&r, err))
		return -1;
	kith_log_size("rows", rows_of(&r)->X.n);
	kith_log_size("reference", known->X.n);
	kith_log_size("features", known->X.p);
	r.from = kith_table_origin(known, &r.weights.metric);
	r.sample = (struct kith_sample){known->X, known->y, known->class.n, known->t, &r.from};
	r.parts = loo ? known->X.n : parts;
	if (parts) {
		r.part = kith_new(pool, known->X.n, sizeof(*r.part));
		if (kith_fold_deal_table(known, parts, seed, r.part, err))
			return -1;
	}
	if (!kith_given(&ks))
		clip_k(&r);
	r.how.k = ks.v;
	r.how.nk = r.how.vote->of_all ? 1 : ks.n;
	if ((loo || parts) && (best || errors) && judge(&r, false, errors && !train, out, err))
		return -1;
	if (errors && !train)
		return 0;
	if (train && scale(&r, err))
		return -1;
	return errors ? judge(&r, true, true, out, err) : print_predictions(&r, out, err);
}
