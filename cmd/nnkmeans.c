/* SPDX-License-Identifier: BSD-2-Clause */
/* nnkmeans - a few atoms whose non-negative sums represent all rows. */
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "nnk/means.h"
#include "say/doubt.h"
#include "table/edges_write.h"
#include "table/graph.h"
#include "table/input.h"
#include "table/write.h"
#include "text/out.h"

#include <float.h>
#include <math.h>

enum { ATOMS, ERRORS, CODES }; /* --print */

static struct kith_how how;
static size_t atoms, k = 10, max_iter = 300, seed = 1, threads = 1;
static double tol = 1e-4;
static int kernel, print;
static bool best_effort;

static const struct kith_opt opts[] = {
    {0, "atoms", KITH_SIZE(&atoms, 1, 0x1p53), "find N atoms [required]"},
    {'k', NULL, KITH_SIZE(&k, 1, 0x1p53), "candidates of a row: the N nearest atoms [10]"},
    {0, "kernel", KITH_CHOICE(&kernel, "linear|cosine"), "how similar two rows are [linear]"},
    {0, "print", KITH_CHOICE(&print, "atoms|errors|codes"),
	"the atoms, what they leave of each row, or weights [atoms]"},
    {0, "max-iter", KITH_SIZE(&max_iter, 1, 0x1p53), "move the atoms N times at most [300]"},
    {0, "tol", KITH_REAL(&tol, 0, 1), "stop when J falls by no more than X of itself [1e-4]"},
    {0, "best-effort", KITH_FLAG(&best_effort), "exit with 0, converged or not"},
    {'y', "target", KITH_COL(&how.target), "COL is no feature [none]"},
    KITH_FEATURE_OPTIONS(&how),
    KITH_NA_OPTION(&how),
    KITH_SEED_OPTION(&seed),
    KITH_LAST_OPTIONS(&how, &threads),
};

static const struct kith_tool tool = {
    .name = "nnkmeans",
    .args = "--atoms N [FILE]...",
    .about = "Find a few atoms whose non-negative sums represent all rows.",
    .examples = "  nnkmeans -y -1 --atoms 20 -k 3 < train.tsv > atoms.tsv\n"
		"  nnkmeans -y -1 --atoms 20 --print errors < train.tsv\n",
    .opts = opts,
};

static void
tell(const struct kith_table *t, const struct kith_means *got)
{
	const double J = scalbn(got->J[got->iterations], 2 * got->exponent);

	kith_note("%zu rows, %zu features", t->X.n, t->X.p);
	kith_note("%zu iterations%s, J %.10g", got->iterations,
	    got->converged ? "" : ", not converged", J);
	kith_note(
	    "%zu atoms without a row, %zu rows with older candidates", got->unused, got->code.kept);
	kith_log_size("rows", t->X.n);
	kith_log_size("features", t->X.p);
	kith_log_size("seed", seed);
	kith_log_size("threads", threads);
	kith_log_size("iterations", got->iterations);
	kith_log_text("converged", got->converged ? "yes" : "no");
	kith_log_real("objective", J);
	kith_log_size("unused", got->unused);
	kith_log_size("older", got->code.kept);
}

/* Whether the codes are proved; 0 or 1, or -1. */
static int
judge(const struct kith_means *got, struct kith_err *err)
{
	struct kith_check proof[KITH_CHECK_NNK];
	double worst = 0;
	bool proved = true;

	if (got->code.doubts == 0)
		return 0;
	if (kith_codes_check(&got->rows, &got->code, proof, err))
		return -1;
	for (size_t i = 0; i < KITH_CHECK_NNK; i++) {
		proved = proved && kith_check_ok(&proof[i]);
		worst = fmax(worst, proof[i].value);
	}
	if (!proved)
		kith_warn("rounding forbids a proof of the weights: a "
			  "condition is off by %g (tabscale?)",
		    worst);
	return !proved;
}

/* Bring the atoms back to the units of the data. */
static int
scale_atoms(struct kith_means *got, struct kith_err *err)
{
	struct kith_mat *A = &got->rows.A;

	for (size_t e = 0; e < A->n * A->p; e++) {
		A->v[e] = scalbn(A->v[e], got->exponent);
		if (!isfinite(A->v[e]))
			return kith_fail(err, EX_DATAERR,
			    "an atom has a number too large for a double "
			    "(tabscale?)");
	}
	return 0;
}

static void
write_atoms(const struct kith_table *t, const struct kith_mat *A, struct kith_out *out)
{
	kith_out_header(out, (const char *const *)t->feature.name, A->p);
	for (size_t i = 0; i < A->n && !out->failed; i++) {
		for (size_t j = 0; j < A->p; j++) {
			if (j > 0)
				kith_out_next(out);
			kith_out_real(out, kith_row(A, i)[j]);
		}
		kith_out_row(out);
	}
}

static void
write_errors(const struct kith_table *t, const double *J, struct kith_out *out)
{
	static const char *const name[] = {"id", "error"};

	kith_out_header(out, name, 2);
	for (size_t i = 0; i < t->X.n && !out->failed; i++) {
		kith_table_write_id(t, i, out);
		kith_out_next(out);
		kith_out_real(out, J[i]);
		kith_out_row(out);
	}
}

static int
write(const struct kith_input *in, struct kith_means *got, struct kith_out *out,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_ends to = {.n = atoms, .read = atoms};
	const struct kith_edges_form form = {.from = &in->to, .to = &to};
	struct kith_graph graph;

	if (print == CODES) {
		graph = kith_codes_graph(&got->code, true, pool);
		return kith_edges_write(&graph, &form, kith_output(), out, err);
	}
	if (print == ERRORS && got->exponent)
		return kith_fail(err, EX_DATAERR,
		    "squares of the rows leave the range of a double: no "
		    "errors (tabscale?)");
	if ((print == ATOMS && scale_atoms(got, err)) ||
	    kith_out_open_table(out, kith_output(), err))
		return -1;
	if (print == ATOMS)
		write_atoms(&in->known, &got->rows.A, out);
	else
		write_errors(&in->known, got->code.J, out);
	return 0;
}

/* Fit, and print; the status, or -1. */
static int
run(const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_input_how wanted = {.how = how};
	const struct kith_means_how ask = {.kernel = kernel ? KITH_KERN_COSINE : KITH_KERN_LINEAR,
	    .atoms = atoms,
	    .k = k,
	    .seed = seed,
	    .max_iter = max_iter,
	    .tol = tol,
	    .threads = threads};
	struct kith_input in;
	struct kith_means got;
	int status;

	if (kith_input_read(files, &wanted, &in, pool, err) ||
	    kith_input_kernel(&in, &wanted, ask.kernel, err))
		return -1;
	kith_say_scales(&in.known, NULL, KITH_SAY_UNITS);
	if (kith_means(&in.known.X, &ask, &got, pool, err)) {
		err->file = in.known.file;
		return -1;
	}
	tell(&in.known, &got);
	status = judge(&got, err);
	if (status < 0 || write(&in, &got, out, pool, err))
		return -1;
	if (got.converged)
		return status;
	kith_warn("not converged after %zu iterations (--max-iter)", got.iterations);
	return 1;
}

int
main(int argc, char *argv[])
{
	char **operand = kith_begin(&tool, argc, argv);
	const char *const *files = kith_inputs(operand, NULL, 0);
	struct kith_pool pool = {0};
	struct kith_out out;
	struct kith_err err;
	int status;

	how.format.threads = threads;
	if (!kith_given(&atoms))
		kith_misuse("missing --atoms N (how many atoms to find)");
	status = run(files, &out, &pool, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&pool);
	status = kith_finish(&out, status);
	return best_effort ? 0 : status;
}
