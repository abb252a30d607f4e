/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/machine/machine.h: by hand, against the definitions written out,
 * and files there and back.
 */
#include "machine/machine.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "machine/model.h"
#include "table/table.h"
#include "tap.h"
#include "text/rows.h"
#include "written.h"

#include <math.h>
#include <stdint.h>

enum { N = 700, P = 11, Q = 150, C = 3 };

static struct kith_err err;
static struct kith_pool pool;
static struct kith_rng rng;
static double X[N * P], Z[Q * P], coef[N * C], w[P], W[P * P];
static const double bias[C] = {0.25, -1.5, 3};
static char *names[P], a[] = "a", b[] = "b", c[] = "c";
static char *classes[] = {a, b, c};

static double
draw(void)
{
	return kith_rng_unit(&rng) * 4 - 2;
}

static void
fill(void)
{
	for (size_t i = 0; i < (size_t)N * P; i++)
		X[i] = draw();
	for (size_t i = 0; i < (size_t)Q * P; i++)
		Z[i] = draw();
	for (size_t i = 0; i < (size_t)N * C; i++)
		coef[i] = draw();
	for (size_t j = 0; j < P; j++) {
		names[j] = kith_new(&pool, 8, 1);
		snprintf(names[j], 8, "x%zu", j);
		w[j] = j % 4 == 1 ? 0 : 0.1 * (double)j;
		for (size_t l = 0; l < P && j != 3; l++)
			W[j * P + l] = l == 3 ? 0 : l == j ? 0.5 : 0.01;
	}
}

/* A machine of the first n rows, and `of` classes if it classifies. */
static struct kith_machine
make(enum kith_machine_task task, enum kith_kern_kind kind, size_t n, size_t of)
{
	struct kith_machine m = {.task = task,
	    .kern = {.kind = kind, .gamma = 0.3, .degree = 3, .coef0 = 0.5},
	    .metric = {KITH_SQUARED, P, NULL},
	    .X = {n, P, X},
	    .coef = coef,
	    .bias = bias};

	if (kind == KITH_KERN_LAPLACIAN)
		m.metric.kind = KITH_ABSOLUTE;
	kith_names_index(&m.feature, names, P, &pool);
	kith_names_index(&m.class, classes, of, &pool);
	return m;
}

static bool
equal(const double *f, const double *g, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (f[i] != g[i])
			return false;
	return true;
}

static double
kernel(const struct kith_machine *m, const double *x, const double *z)
{
	double d = 0, xz = 0;

	for (size_t j = 0; j < P; j++) {
		const double D = x[j] - z[j];
		const double v = m->metric.w ? m->metric.w[j] : 1;

		if (m->metric.kind == KITH_SQUARED_MATRIX) {
			for (size_t l = 0; l < P; l++)
				d += W[j * P + l] * D * (x[l] - z[l]);
			continue;
		}
		d += v * (m->metric.kind == KITH_ABSOLUTE ? fabs(D) : D * D);
		xz += v * x[j] * z[j];
	}
	if (m->kern.kind == KITH_KERN_LINEAR)
		return xz;
	if (m->kern.kind == KITH_KERN_POLYNOMIAL)
		return pow(m->kern.gamma * xz + m->kern.coef0, (double)m->kern.degree);
	return exp(-m->kern.gamma * d);
}

/* Outputs against the definition; the same for any threads and shard. */
static void
compare(struct kith_machine m, const char *what)
{
	static double f[Q * C], g[Q * C];
	const size_t outputs = kith_machine_outputs(&m);
	const struct kith_machine raw = m;
	struct kith_mat all = {Q, P, Z}, some;
	size_t *kept = kith_new(&pool, P, sizeof(*kept)), p = 0;
	double worst = 0;
	bool same = true;

	kith_machine_pack(&m, &pool);
	for (size_t j = 0; j < P; j++)
		if (p < m.feature.n && strcmp(names[j], m.feature.name[p]) == 0)
			kept[p++] = j;
	all.v = kith_new(&pool, Q, P * sizeof(double));
	memcpy(all.v, Z, sizeof(Z));
	kith_mat_columns(&all, kept, p);
	is_size(p, m.metric.p, "features that count");
	kith_machine_score(&m, &all, 1, f);
	for (size_t q = 0; q < Q; q++)
		for (size_t o = 0; o < outputs; o++) {
			double due = bias[o], size = fabs(bias[o]);

			for (size_t i = 0; i < m.X.n; i++) {
				const double t = coef[i * outputs + o] *
				    kernel(&raw, X + i * P, Z + q * P);

				due += t;
				size += fabs(t);
			}
			worst = fmax(worst, fabs(f[q * outputs + o] - due) / size);
		}
	ok(worst < 1e-14, "%s: %.1e", what, worst);
	kith_machine_score(&m, &all, 3, g);
	same = equal(f, g, Q * outputs);
	for (size_t at = 0, step = 1; at < Q; at += step, step = step % 7 + 2) {
		some = (struct kith_mat){at + step < Q ? step : Q - at, p, kith_row(&all, at)};
		kith_machine_score(&m, &some, 2, g);
		same = same && equal(f + at * outputs, g, some.n * outputs);
	}
	ok(same, "%s: the same bits for any threads and shard", what);
}

static void
test_scores(void)
{
	static const size_t sizes[] = {0, 1, 255, 256, N};
	struct kith_machine m;

	for (int kind = KITH_KERN_GAUSSIAN; kind <= KITH_KERN_LAPLACIAN; kind++) {
		if (kind == KITH_KERN_COSINE)
			continue;
		m = make(KITH_MACHINE_REGRESS, (enum kith_kern_kind)kind, N, 0);
		compare(m, kith_machine_kernels[kind]);
		m.metric.w = w;
		compare(m, "with weights, some 0");
		m = make(KITH_MACHINE_CLASSIFY, (enum kith_kern_kind)kind, N, 3);
		compare(m, "three outputs");
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		compare(make(KITH_MACHINE_RANK, KITH_KERN_GAUSSIAN, sizes[i], 0), "number of rows");
	m = make(KITH_MACHINE_REGRESS, KITH_KERN_GAUSSIAN, N, 0);
	m.metric = (struct kith_metric){KITH_SQUARED_MATRIX, P, W};
	compare(m, "a matrix");
	m.metric = (struct kith_metric){KITH_SQUARED, P, kith_new(&pool, P, sizeof(double))};
	compare(m, "all weights 0");
}

/* Writes the machine to scratch file i; its bytes. */
static char *
save(const struct kith_machine *m, size_t i)
{
	struct kith_out out;
	const char *text;

	if (kith_out_open(&out, scratch_text(i, ""), &err) || kith_model_write(m, &out, &err))
		abort();
	text = written(&out, i);
	return kith_strndup(&pool, text, strlen(text));
}

/* There and back: the outputs and the file stay as they are. */
static void
there_and_back(const struct kith_machine *m, const char *what)
{
	static double f[Q * C], g[Q * C];
	struct kith_machine back, packed = *m;
	struct kith_mat rows = {Q, 0, Z};
	const char *text = save(m, 0);

	if (!ok(kith_model_read(scratch_path[0], &back, &pool, &err) == 0, "%s: read", what))
		return;
	kith_machine_pack(&packed, &pool);
	is_size(back.X.p, packed.X.p, "its features");
	rows.p = back.X.p;
	kith_machine_score(&packed, &rows, 1, f);
	kith_machine_score(&back, &rows, 1, g);
	ok(equal(f, g, Q * kith_machine_outputs(m)), "%s: the same outputs", what);
	is_text(save(&back, 1), text, "the same file");
	ok(back.task == m->task && back.class.n == m->class.n && back.multi == m->multi,
	    "the same task");
	ok(!back.target == !m->target && (!m->target || strcmp(back.target, m->target) == 0),
	    "and target");
}

static void
test_files(void)
{
	struct kith_machine m;

	for (int kind = KITH_KERN_GAUSSIAN; kind <= KITH_KERN_LAPLACIAN; kind++) {
		if (kind == KITH_KERN_COSINE)
			continue;
		for (size_t h = 1; h <= 3; h++) {
			m = make(KITH_MACHINE_CLASSIFY, (enum kith_kern_kind)kind, 40, h);
			m.target = "y";
			m.metric.w = h == 2 ? w : NULL;
			m.mean = h == 3 ? w : NULL;
			m.A = h > 1 ? w : NULL;
			m.B = h > 1 ? bias : NULL;
			there_and_back(&m, kith_machine_kernels[kind]);
			m.multi = KITH_MACHINE_ONE;
			if (h == 3)
				there_and_back(&m, "which vote");
		}
	}
	m = make(KITH_MACHINE_RANK, KITH_KERN_GAUSSIAN, 40, 0);
	m.metric = (struct kith_metric){KITH_SQUARED_MATRIX, P, W};
	there_and_back(&m, "a matrix");
	m = make(KITH_MACHINE_REGRESS, KITH_KERN_GAUSSIAN, 0, 0);
	there_and_back(&m, "no rows");
}

/* Names and numbers that are hard to write. */
static void
test_hard_cells(void)
{
	static const char *const hard[] = {"", "\t\"", "# rows", "NA", "a\\n\nb\r", "\\"};
	static const double number[] = {0.1, 1e150, 4.9e-324, -1e-150, 1.0 / 3, 5e300};
	struct kith_names all = {0};
	struct kith_machine m = make(KITH_MACHINE_CLASSIFY, KITH_KERN_LINEAR, 2, 0), back;
	const struct kith_cell id[] = {{"NA", 2, true}, {"x\ny", 3, true}};
	const char *const files[] = {scratch_path[0], NULL};
	const struct kith_format plain = {0};
	struct kith_rows t;

	for (size_t i = 0; i < 6; i++)
		kith_names_add(&all, hard[i], &pool);
	kith_names_sort(&all, &pool);
	m.class = m.column = all;
	m.class.n = 2;
	m.target = hard[4];
	m.coef = number;
	m.metric = (struct kith_metric){KITH_SQUARED, 3, NULL};
	m.X = (struct kith_mat){2, 3, (double *)number};
	kith_names_index(&m.feature, all.name + 1, 3, &pool);
	kith_texts_add(&m.id, &id[0], &pool);
	kith_texts_add(&m.id, &id[1], &pool);
	there_and_back(&m, "hard cells");
	ok(kith_model_read(scratch_path[0], &back, &pool, &err) == 0, "read");
	ok(equal(back.X.v, number, 6) && equal(back.coef, number, 2), "all bits of the numbers");
	is_size(back.column.n, 6, "columns");
	for (size_t i = 0; i < 6; i++)
		is_text(back.column.name[i], all.name[i], "a name");
	ok(kith_rows_open(&t, files, &plain, &pool, &err) == 0, "as a table");
	is_size(t.name.n, 5, "with all columns");
	while (kith_rows_next(&t, &err) > 0)
		;
	is_size(t.n, 2, "and rows");
	kith_rows_close(&t);
}

static void
test_twins(void)
{
	struct kith_machine m = make(KITH_MACHINE_CLASSIFY, KITH_KERN_LINEAR, 2, 3);
	struct kith_out out;

	names[4] = kith_strndup(&pool, "(coef:b)", 8);
	kith_names_index(&m.feature, names, P, &pool);
	if (kith_out_open(&out, "/dev/null", &err))
		abort();
	ok(kith_model_write(&m, &out, &err) < 0 && err.status == EX_DATAERR,
	    "two columns of one name");
	is_text(err.msg, "column \"(coef:b)\": the output would have this name twice", "why");
	if (kith_out_close(&out, &err) || kith_atomic_settle(&err))
		abort();
}

/* Names of columns of pairs: a colon and a backslash of a class have a backslash before them. */
static void
test_pair_names(void)
{
	static char colon[] = "a:b", backslash[] = "b\\";
	struct kith_machine m = make(KITH_MACHINE_CLASSIFY, KITH_KERN_LINEAR, 1, 3);
	const struct kith_mat rows = {1, P, Z};
	struct kith_predicted got;
	size_t bad;

	m.multi = KITH_MACHINE_ONE;
	m.class.name = (char *[]){a, colon, backslash};
	ok(kith_machine_predict(&m, &rows, KITH_MACHINE_SCORES, 1, &got, &bad, &pool) == 0 &&
		got.pairs == 3,
	    "pairs");
	is_text(got.pair_name[0], "pair:a:a\\:b", "a colon");
	is_text(got.pair_name[2], "pair:a\\:b:b\\\\", "and a backslash");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	fill();
	test_scores();
	test_files();
	test_hard_cells();
	test_twins();
	test_pair_names();
	kith_pool_free(&pool);
	return done();
}
