/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/weights.h. */
#include "table/weights.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "tap.h"
#include "text/out.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char a[] = "a", b[] = "b", c[] = "c d";
static char *feature[] = {a, b, c};
static struct kith_names features;
static struct kith_pool pool;
static char path[] = "/tmp/kith-weights-XXXXXX";
static struct kith_err err;

/* Read this text as a table of weights. */
static int
parse(const char *text, struct kith_weights *w)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
	return kith_weights_read(path, &features, 0, w, &pool, &err);
}

static void
test_vectors(void)
{
	struct kith_weights w;

	ok(!parse("feature\tweight\nc d\t2\na\t0.5\n", &w), "a vector");
	ok(w.metric.kind == KITH_SQUARED, "of squared differences");
	is_size(w.metric.p, 3, "has all features");
	ok(!w.column, "so no list of them");
	ok(w.metric.w[0] == 0.5 && w.metric.w[1] == 0 && w.metric.w[2] == 2,
	    "by name, 0 where not named");
	ok(!parse("x,weight_abs,feature\n9,1,b\n", &w), "other columns aside");
	ok(w.metric.kind == KITH_ABSOLUTE && w.metric.w[1] == 1, "absolute differences");
	ok(!parse("step,feature,weight\n3,a,1\n3,b,1\n", &w), "one step");
}

static void
test_matrices(void)
{
	struct kith_weights w;

	ok(!parse("feature1\tfeature2\tweight_abs\nc d\ta\t-1\na\ta\t2\n", &w), "a matrix");
	ok(w.metric.kind == KITH_ABSOLUTE_MATRIX, "its kind");
	is_size(w.metric.p, 2, "is of the features named");
	ok(w.column[0] == 0 && w.column[1] == 2, "in the order of the rows");
	ok(w.metric.w[0] == 2 && w.metric.w[1] == -1 && w.metric.w[2] == -1 && w.metric.w[3] == 0,
	    "and symmetric");
	ok(!parse("feature2\tfeature1\tweight\nb\tb\t0\n", &w), "another");
	ok(w.metric.kind == KITH_SQUARED_MATRIX, "its kind");
}

static void
refuse(const char *text, size_t line, const char *message)
{
	struct kith_weights w;

	ok(parse(text, &w) < 0 && err.status == EX_DATAERR, "refused");
	is_size(err.line, line, "at the line");
	is_text(err.msg, message, "with the message");
}

/* Negative weights of a vector are read as 0 where the reader asks for that, of a matrix never. */
static void
test_negatives(void)
{
	struct kith_weights w;

	ok(parse("feature\tweight\nc d\t-2\na\t0.5\nb\t-1e-9\n", &w) < 0, "refused");
	ok(!kith_weights_read(path, &features, KITH_WEIGHTS_CLIP, &w, &pool, &err),
	    "but read with clip");
	ok(w.metric.w[0] == .5 && w.metric.w[1] == 0 && w.metric.w[2] == 0, "as 0");
	is_size(w.needs.negatives, 2, "and counted");
	ok(parse("feature1\tfeature2\tweight\na\ta\t-2\n", &w) < 0 &&
		kith_weights_read(path, &features, KITH_WEIGHTS_CLIP, &w, &pool, &err) < 0,
	    "not on a diagonal");
}

static void
test_mistakes(void)
{
	refuse("name\tweight\na\t1\n", 1, "column \"feature\": not found");
	refuse("feature1\tweight\na\t1\n", 1, "column \"feature2\": not found");
	refuse("feature2\tweight\na\t1\n", 1, "column \"feature1\": not found");
	refuse("feature\tw\na\t1\n", 1, "column \"weight\": not found");
	refuse("feature\tweight\tweight_abs\na\t1\t1\n", 1,
	    "columns \"weight\" and \"weight_abs\": one too many");
	refuse(
	    "feature\tweight\na\t1\nx\t1\n", 3, "column \"feature\": not among the features: 'x'");
	refuse(
	    "feature\tweight\nb\t1\na\t1\nb\t1\na\t1\n", 4, "column \"feature\": named twice: 'b'");
	refuse("feature\tweight\na\t-1\n", 2, "column \"weight\": negative: '-1'");
	refuse("feature\tweight\na\tx\n", 2, "column \"weight\": not a number: 'x'");
	refuse("feature\tweight\na\t\n", 2, "column \"weight\": missing: ''");
	refuse("feature1\tfeature2\tweight\na\tb\t1\nb\ta\t1\n", 3, "pair named twice: 'a', 'b'");
	refuse("feature1\tfeature2\tweight\nb\tb\t-2\n", 2,
	    "column \"weight\": negative on the diagonal: '-2'");
	refuse("step\tfeature\tweight\n1\ta\t1\n2\ta\t1\n", 3,
	    "column \"step\": several of them: '1' and '2' (choose one, with "
	    "awk?)");
	refuse("learner\tfeature\tweight\n1\ta\t1\n2\ta\t1\n", 3,
	    "column \"learner\": several of them: '1' and '2' (choose one, "
	    "with awk? knnclf --vote expected?)");
	refuse("feature\tweight\n", 0, "no row below the header");
	refuse("", 0, "empty input");
}

/* Comments before the header that tell what the weights need. */
static void
test_needs(void)
{
	struct kith_weights w;

	ok(!parse("feature\tweight\na\t1\n", &w), "none");
	ok(w.needs.sigma == 0 && w.needs.unknowns == 0, "is said");
	ok(!parse("# sigma\t.5\n# sigma 4\n# x_y\t\n# z\t1\n# theta\t0\n# k\t7\n"
		  "feature\tweight\na\t1\n",
	       &w),
	    "some");
	ok(w.needs.sigma == .5 && w.needs.k == 7, "the sigma, and k");
	is_size(w.needs.unknowns, 2, "others");
	is_text(w.needs.unknown, "x_y", "the first of them");
	is_text(w.needs.file, path, "the file");
	refuse("# \n# sigma\t-0\nfeature\tweight\na\t1\n", 2, "sigma: not a number above 0: '-0'");
	refuse("# k\t0\nfeature\tweight\na\t1\n", 1, "k: not a count from 1: '0'");
	refuse("# k\t1.5\nfeature\tweight\na\t1\n", 1, "k: not a count from 1: '1.5'");
	refuse("# k\t1\n# k\t3\nfeature\tweight\na\t1\n", 2, "k: named twice");
	refuse("# sigma\t1\n# sigma\t1\nfeature\tweight\na\t1\n", 2, "sigma: named twice");
	refuse("feature\tweight\n# sigma\t1\na\t1\n", 2,
	    "column \"feature\": not among the features: '# sigma'");
}

/* Both orders of a pair, and any sign, for starts and for what is judged. */
static void
test_full(void)
{
	static const char text[] = "feature1,feature2,weight_abs\n"
				   "c d,a,3\na,a,-1\na,c d,4\nb,a,5\n";
	static const char due[] = "feature1\tfeature2\tweight_abs\tscaled_weight\n"
				  "a\ta\t-1\t-1\na\tb\t5\t10\na\tc d\t4\t2\n"
				  "b\tb\t0\t0\nb\tc d\t0\t0\nc d\tc d\t0\t0\n";
	struct kith_weights w;
	struct kith_out out;
	double W[9];
	char got[200] = "";
	FILE *f;

	ok(parse(text, &w) < 0, "refused elsewhere");
	ok(!kith_weights_read(path, &features, KITH_WEIGHTS_FULL, &w, &pool, &err), "both orders");
	kith_weights_spread(&w, W, 3);
	ok(W[0] == -1 && W[1] == 5 && W[2] == 4 && W[3] == 5 && W[6] == 3 && W[4] == 0 &&
		W[5] == 0 && W[7] == 0 && W[8] == 0,
	    "each has its own; one alone stands for both");
	ok(kith_weights_read(path, &features, KITH_WEIGHTS_SYMMETRIC, &w, &pool, &err) < 0,
	    "not for what is to be symmetric");
	is_text(err.msg, "not symmetric: 'a', 'c d'", "which is said");
	is_text(err.file, path, "of the file");
	ok(!kith_out_open_table(&out, &(struct kith_dest){.path = path}, &err), "opened");
	kith_weights_put(&(struct kith_metric){KITH_ABSOLUTE_MATRIX, 3, W}, &features,
	    (const double[]){1, 2, .5}, &out);
	ok(!(kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err)), "written");
	f = fopen(path, "r");
	ok(f && fread(got, 1, sizeof(got) - 1, f) > 0, "and read");
	is_text(got, due, "the upper triangle");
	fclose(f);
	parse("feature,weight\nb,2\n", &w);
	kith_weights_spread(&w, W, 3);
	ok(W[0] == 0 && W[1] == 2 && W[2] == 0, "a vector");
}

static void
test_drop(void)
{
	const double w[] = {3, 1, 0, 1, 2};
	double got[5];

	kith_weights_drop(5, w, 0, got);
	ok(got[0] == 3 && got[1] == 1 && got[2] == 0 && got[3] == 1 && got[4] == 2,
	    "nothing dropped");
	kith_weights_drop(5, w, .399, got);
	ok(got[1] == 1 && got[3] == 1, "the smallest, which was 0");
	kith_weights_drop(5, w, .4, got);
	ok(got[1] == 1 && got[3] == 0, "then the later of two equal ones");
	kith_weights_drop(5, w, .6, got);
	ok(got[1] == 0 && got[3] == 0 && got[0] == 3 && got[4] == 2, "the others keep theirs");
}

int
main(void)
{
	const int fd = mkstemp(path);

	if (fd < 0)
		abort();
	close(fd);
	kith_names_index(&features, feature, 3, &pool);
	test_vectors();
	test_matrices();
	test_negatives();
	test_mistakes();
	test_needs();
	test_full();
	test_drop();
	unlink(path);
	kith_pool_free(&pool);
	return done();
}
