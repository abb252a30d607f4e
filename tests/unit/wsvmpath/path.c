/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of follow_paths(), cmd/wsvmpath/path.c: the solution at theta, as a table or as a model, is
 * that of a path followed here, and costs what following the path up to theta takes.
 */
#include "cli/cli.h"
#include "machine/model.h"
#include "scratch.h"
#include "tap.h"
#include "text/out.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/rows.h"

#include <math.h>
#include <string.h>

enum { ROWS = 14, ENDS = 40, TEXT = 4096 };

static const char *files[2];
static struct kith_svm_task svm;

/* The solution of a path at theta, and what following it up to theta took. */
struct at {
	double alpha[ROWS], b, f[ROWS];
	struct kith_wsvm_count count;
};

/* Makes the problem of two classes that overlap. */
static void
begin(unsigned seed)
{
	char table[64 * ROWS];
	size_t len = (size_t)sprintf(table, "i,u,v,a,b,y\n");

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < ROWS; i++) {
		const double u = kith_rng_unit(&rng), v = kith_rng_unit(&rng);

		len += (size_t)sprintf(table + len, "r%c,%.5f,%.5f,.1,%d,%c\n", (char)('A' + i), u,
		    v, 1 + (int)(3 * kith_rng_unit(&rng)), i % 2 ? 'q' : 'p');
	}
	files[0] = scratch_text(0, table);
	set_options(KITH_SVM_CLASSIFY, files);
	options.how.id = "i";
	options.gamma = 2;
	kith_run.quiet = true;
	make(&svm);
}

/* Lists the thetas at which pieces end; returns their number. */
static size_t
list_ends(double end[ENDS])
{
	struct kith_wsvm *s = kith_wsvm_new(&svm.problem, svm.from, NULL, &pool);
	struct kith_wsvm_piece piece;
	size_t n = 0;

	kith_wsvm_aim(s, svm.to);
	while (kith_wsvm_next(s, &piece, NULL, NULL) && n < ENDS)
		end[n++] = piece.to;
	return n;
}

/* Follows the path to the piece of theta. */
static void
solve_at(double theta, struct at *at)
{
	struct kith_wsvm *s = kith_wsvm_new(&svm.problem, svm.from, NULL, &pool);
	struct kith_wsvm_piece piece;

	kith_wsvm_aim(s, svm.to);
	do {
		if (!kith_wsvm_next(s, &piece, NULL, NULL))
			abort();
	} while (piece.to < theta);
	at->b = kith_wsvm_point(&piece, theta, at->alpha);
	kith_wsvm_point_scores(&piece, theta, at->f);
	kith_wsvm_count(s, &at->count);
}

/* Reads scratch file `number`. */
static const char *
text_of(size_t number, char text[TEXT])
{
	FILE *f = fopen(scratch_path[number], "rb");

	if (!f)
		abort();
	text[fread(text, 1, TEXT - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void
open_table(size_t number, struct kith_out *out)
{
	const struct kith_dest to = {.path = scratch(number, "", 0), .digits = 12};
	struct kith_err err;

	if (kith_out_open_table(out, &to, &err))
		abort();
}

static void
settle(struct kith_out *out)
{
	struct kith_err err;

	if (kith_out_close(out, &err) || kith_atomic_settle(NULL, &err))
		abort();
}

/* Returns whether the table in scratch file 1 is the solution, by its row ids. */
static bool
is_table(double theta, const struct at *at)
{
	static char got[TEXT], due[TEXT];
	struct kith_out out;

	open_table(3, &out);
	kith_out_header(&out, (const char *const[]){"step", "theta", "name", "value"}, 4);
	kith_out_put(&out, "%zu\t%g\t%s\t%g\n", (size_t)1, theta, "(bias)", at->b);
	for (size_t v = 0; v < ROWS; v++)
		if (at->alpha[v] != 0)
			kith_out_put(&out, "%zu\t%g\t%s\t%g\n", (size_t)1, theta,
			    (char[]){'r', (char)('A' + v), '\0'}, at->alpha[v]);
	settle(&out);
	return strcmp(text_of(1, got), text_of(3, due)) == 0;
}

/* Returns how far f by the model in scratch file 2 is from f of the solution. */
static double
model_off(const struct at *at)
{
	struct kith_machine machine;
	struct kith_err err;
	double f[ROWS], off = 0;

	if (kith_model_read(scratch_path[2], &machine, &pool, &err))
		return INFINITY;
	kith_machine_score(&machine, &svm.X, 1, f);
	for (size_t i = 0; i < ROWS; i++)
		off = fmax(off, fabs(f[i] - at->f[i]));
	return machine.C ? INFINITY : off; /* --from and --to are columns: the model has no C */
}

/* Returns whether `count` is 1000 events and what the path took. */
static bool
is_count(const struct kith_wsvm_count *count, const struct kith_wsvm_count *path)
{
	return count->events == 1000 + path->events && count->rows == path->rows &&
	    count->residual == path->residual &&
	    fabs((double)count->events * count->margin - (double)path->events * path->margin) <=
	    1e-9 * 1000;
}

static void
follow_at(double theta, bool model, struct kith_wsvm_count *count)
{
	struct kith_out out, saved;
	struct kith_svm_solution solution = {.theta = theta};
	struct kith_err err;

	*count = (struct kith_wsvm_count){.events = 1000};
	options.save_model = scratch_path[2];
	open_table(1, &out);
	options.at = (struct kith_reals){1, &theta};
	follow_paths(&svm, theta, model ? NULL : &out, model ? &solution : NULL, count);
	if ((model && kith_out_open(&saved, scratch(2, "", 0), &err)) ||
	    (model && kith_svm_model_write(&svm, &solution, &saved, &err)))
		abort();
	settle(&out);
}

/* Solutions within pieces, where pieces meet, and at both ends of the path. */
static void
test_solutions(void)
{
	double model = 0;
	size_t other = 0, more = 0, given = 0;

	for (unsigned seed = 1; seed <= 4; seed++) {
		double end[ENDS];
		size_t n;

		begin(seed);
		n = list_ends(end);
		for (size_t k = 0; k < 2 * n + 1; k++) {
			const double last = k > 1 ? end[k / 2 - 1] : 0;
			const double theta = k % 2 ? last + .4 * (end[k / 2] - last) : last;
			struct kith_wsvm_count count;
			struct at at;

			solve_at(theta, &at);
			follow_at(theta, false, &count);
			other += !is_table(theta, &at);
			more += !is_count(&count, &at.count);
			follow_at(theta, true, &count);
			model = fmax(model, model_off(&at));
			more += !is_count(&count, &at.count);
			given++;
		}
		kith_pool_free(&pool);
	}
	ok(other == 0, "%zu of %zu tables are not of the solution there", other, given);
	ok(model <= 1e-10, "their models: scores are off by %.1e", model);
	is_size(more, 0, "what is done is the path up to there, no more");
}

/* The model of a solution, with C where --from and --to are numbers. */
static void
test_save(void)
{
	struct kith_machine machine;
	struct kith_out out;
	struct kith_err err;
	double coef[ROWS] = {0}, bias = -2;
	const struct kith_svm_solution solution = {.25, coef, &bias};

	begin(1);
	options.from = parse_weight("--from", "1");
	options.to = parse_weight("--to", "3");
	coef[2] = -.5;
	coef[5] = .5;
	options.save_model = scratch(2, "", 0);
	if (kith_svm_model_open(&svm, &out, &err) ||
	    kith_svm_model_write(&svm, &solution, &out, &err) || kith_atomic_settle(NULL, &err) ||
	    kith_model_read(scratch_path[2], &machine, &pool, &err))
		abort();
	ok(machine.C && *machine.C == 1.5 && *machine.bias == -2 && machine.X.n == 2,
	    "a model says C");
	ok(machine.coef[0] == -.5 && machine.coef[1] == .5, "coefficients of both classes");
	options.save_model = "model.libsvm";
	ok(kith_svm_model_open(&svm, &out, &err) == -1 && err.status == EX_DATAERR &&
		err.file == svm.rows.file,
	    "LIBSVM has no classes but whole numbers");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_solutions();
	test_save();
	return done();
}
