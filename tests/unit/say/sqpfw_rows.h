/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw_rows - random rows, runs of say/sqpfw_run.h on them, and their steps. */
#ifndef SQPFW_ROWS_H
#define SQPFW_ROWS_H

#include "base/rng.h"
#include "printed.h"
#include "said.h"
#include "say/sqpfw_run.h"
#include "table/roles.h"

enum { N = 30, P = 3, T = 4, CELLS = 4000 };

static struct kith_rng rng;
static double X[N * P];
static size_t y[N];
static double thetas[T] = {.05, .1, .3, .5};
static struct kith_err error;

/* Rows of two classes, as a file. */
static inline const char *
rows(size_t file, size_t n, double *v, size_t *class)
{
	static char text[8000];
	char *at = text + sprintf(text, "a\tb\tc\tclass\n");

	for (size_t i = 0; i < n; i++) {
		class[i] = i % 2;
		for (size_t j = 0; j < P; j++) {
			v[i * P + j] = kith_rng_unit(&rng) * (j == 1 ? 2 : 1) +
			    (j == 0 ? .4 : .1) * (double)class[i];
			at += sprintf(at, "%.17g\t", v[i * P + j]);
		}
		at += sprintf(at, "%s\n", class[i] ? "b" : "a");
	}
	return scratch_text(file, text);
}

/* Rows that a seed draws, in file 1. */
static inline void
draw(unsigned seed)
{
	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	rows(1, N, X, y);
}

/* A run of these thetas, to be printed. */
static inline void
ask(struct kith_sqpfw_run *r, int scale)
{
	static const struct kith_how how = {.target = "class"};
	const char *const files[] = {scratch_path[1], NULL};

	*r = (struct kith_sqpfw_run){.how = {.hits = 1, .misses = 1, .threads = 1},
	    .thetas = {T, thetas},
	    .theta_max = INFINITY,
	    .output = kith_output()};
	if (kith_learn_read(files, &how, &r->in, &r->pool, &error) ||
	    kith_learn_scale(&r->in, scale, &r->pool, &error))
		abort();
}

/* Print what is asked; the status is due. */
static inline const char *
run(struct kith_sqpfw_run *r, int due)
{
	struct kith_out out;

	said();
	ok(kith_sqpfw_run(r, &out, &error) == due, "status %d", due);
	kith_sqpfw_run_free(r);
	return printed(&out);
}

/* The weights of step s, w (P), from the cells that were printed. */
static inline double
step_of(const double *v, size_t n, size_t s, double *w)
{
	double theta = NAN;

	memset(w, 0, P * sizeof(*w));
	for (size_t e = 0; e + 5 <= n; e += 5)
		if ((size_t)v[e] == s) {
			theta = v[e + 1];
			if (v[e + 2] < P)
				w[(size_t)v[e + 2]] = v[e + 3];
		}
	return theta;
}

/* The steps of a run by theta, of unscaled rows. */
static inline size_t
solve(double *v)
{
	struct kith_sqpfw_run r;
	const char *text, *notes;
	size_t n, count = 0;

	ask(&r, 0);
	text = run(&r, 0);
	ok(strncmp(text, "step\ttheta\tfeature\tweight\tscaled_weight\n", 40) == 0, "steps");
	n = printed_cells(text, v, CELLS);
	notes = said();
	ok(strstr(notes, "log: solutions 4\nlog: uncertified 0\nlog: iterations "),
	    "they are counted");
	while ((notes = strstr(notes, "log: solution theta ")) != NULL) {
		notes++;
		count++;
	}
	is_size(count, T, "and each is told");
	return n;
}

#endif
